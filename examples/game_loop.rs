//! A game's loop around one of the structures: build once, tell it every frame who came, went and moved, then ask.
//!
//! `cargo run --example game_loop --no-default-features`; no window, no graphics.

use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery};

fn main() {
    // The game owns the positions; the index is told of them. Any other kind does the same: see `skirmish structures`.
    let field = Aabb::new(Vec2::ZERO, Vec2::new(200.0, 100.0));
    let at = |i: u32| Vec2::new(0.7549, 0.5698) * i as f32 % Vec2::ONE * field.size();
    let mut units: Vec<Vec2> = (0..2000).map(at).collect();
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.expect(1.5);
    index.rebuild(Bodies::points(&units), &mut ());

    for frame in 1..=60 {
        // Everybody walks, and one more joins.
        let walk = Vec2::new(1.0, 0.5) / 60.0;
        units.iter_mut().for_each(|unit| *unit += walk);
        let mut changes: Vec<Change> = (0..units.len() as u32).map(Change::Move).collect();
        changes.push(Change::Add(units.len() as u32));
        units.push(at(frame));
        let bodies = Bodies::points(&units);
        index.apply(bodies, &changes, &mut ());

        // Who collides with whom, who is hurt by a blast, and whom the tower shoots at.
        let mut collisions = 0;
        index.pairs(bodies, 1.5, &mut (), |pairs| collisions += pairs.len());
        let mut hurt = 0;
        index.radius(bodies, Vec2::new(100.0, 50.0), 8.0, &mut (), |_unit| {
            hurt += 1
        });
        let mut targets = Vec::new();
        let point = Vec2::new(20.0, 20.0);
        let query = NearestQuery {
            point,
            count: 3,
            within: 30.0,
        };
        index.nearest(bodies, query, |_unit| true, &mut (), &mut targets);
        if frame % 20 == 0 {
            let first = targets.first().map(|target| target.unit);
            println!(
                "frame {frame}: {collisions} pairs collide, {hurt} are hurt, the tower aims at {first:?}"
            );
        }
    }
}
