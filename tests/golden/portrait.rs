//! What a structure shows and tells of itself, small enough to be kept.

use super::Values;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Fact, MarkQuery, RegionQuery};

/// A fingerprint of words (FNV-1a), the same on every machine.
#[derive(Clone, Copy)]
pub struct Print(pub u64);

impl Print {
    pub const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    pub fn add(&mut self, words: &str) {
        for byte in words.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// A fact as a reader sees it.
fn said(fact: &Fact) -> String {
    let words = format!("{} {} {}", fact.name, fact.value, fact.unit);
    words.trim_end().to_owned()
}

/// What a structure shows and tells of itself: its regions and marks as fingerprints, for they are many, and its words as they
/// are.
pub fn portrait(bodies: Bodies<'_>, index: &AnyPartition) -> Values {
    let bounds = Aabb::of_points(bodies.ids().map(|unit| bodies.center(unit)));
    let spots = [0.5, 0.21, 0.83].map(|share| bounds.min + bounds.size() * share);
    let (mut shapes, mut facts) = (Print::EMPTY, Print::EMPTY);
    let (mut count, mut load, mut ids) = (0, 0, Vec::new());
    let window = Aabb::new(
        bounds.min + bounds.size() * Vec2::new(0.3, 0.4),
        bounds.min + bounds.size() * Vec2::new(0.55, 0.7),
    );
    for (area, min_size) in [
        (Aabb::EVERYTHING, 0.0),
        (Aabb::EVERYTHING, 3.0),
        (window, 0.0),
    ] {
        index.regions(RegionQuery { area, min_size }, &mut |region| {
            shapes.add(&format!("{region:?}"));
            ids.push(region.id);
            count += 1;
            load += u64::from(region.load);
        });
    }
    let mut words = Vec::new();
    for id in ids {
        words.clear();
        index.facts(bodies, id, &mut |fact| words.push(said(&fact)));
        facts.add(&words.join(", "));
    }
    let (mut marks, mut drawn) = (0, Print::EMPTY);
    for cursor in [None].into_iter().chain(spots.map(Some)) {
        for (area, min_size) in [(Aabb::EVERYTHING, 0.0), (bounds, 2.0), (window, 0.0)] {
            let query = MarkQuery {
                area,
                min_size,
                cursor,
                reach: 0.0,
            };
            index.marks(bodies, query, &mut |mark| {
                drawn.add(&format!("{mark:?}"));
                marks += 1;
            });
        }
    }
    // The smallest region at each spot, in full.
    let mut at_spots = Vec::new();
    for spot in spots {
        let mut smallest = None;
        let query = RegionQuery {
            area: Aabb::around(spot, Vec2::ZERO),
            min_size: 0.0,
        };
        index.regions(query, &mut |region| smallest = Some(region.id));
        if let Some(id) = smallest {
            index.facts(bodies, id, &mut |fact| at_spots.push(said(&fact)));
        }
    }
    let (mut quality, mut bytes) = (Vec::new(), Vec::new());
    index.quality(&mut |fact| quality.push(said(&fact)));
    index.memory(&mut |name, part| bytes.push(format!("{name} {part}")));
    vec![
        (
            "regions".to_owned(),
            format!("{count} with {load} units, {:016x}", shapes.0),
        ),
        ("marks".to_owned(), format!("{marks}, {:016x}", drawn.0)),
        ("facts".to_owned(), format!("{:016x}", facts.0)),
        ("facts of three".to_owned(), at_spots.join(", ")),
        ("quality".to_owned(), quality.join(", ")),
        ("bytes".to_owned(), bytes.join(", ")),
    ]
}
