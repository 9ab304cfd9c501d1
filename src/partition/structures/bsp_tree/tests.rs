//! What is true of this structure alone.

use super::nodes::HEIGHT_LIMIT;
use super::*;
use crate::chance::Stream;
use crate::geometry::Vec2;
use crate::partition::structures::all_pairs::AllPairs;
use crate::partition::trial::{CROWDS, FIELD, Trial, stands_trial};
use crate::partition::{Role, Shape};
use crate::probe::{Counter, Event, Trace, Work};

#[test]
fn every_leaf_size_and_update_answers_like_all_pairs() {
    for update in ["partial", "rebuild"] {
        stands_trial::<BspTree>(&[("leaf_size", "3"), ("update", update)]);
    }
    stands_trial::<BspTree>(&[("leaf_size", "1")]);
    stands_trial::<BspTree>(&[("leaf_size", "64")]);
}

#[test]
fn the_first_line_lies_across_the_crowds_longest_way() {
    let centers: Vec<_> = (0..100)
        .map(|step| Vec2::new(30.0 + 0.3 * step as f32, 20.0 + 0.4 * step as f32))
        .collect();
    let mut tree = BspTree::new(FIELD);
    tree.set_knob(LEAF_SIZE, 16.0);
    tree.rebuild(Bodies::points(&centers), &mut ());
    let normal = tree.cuts[0].normal;
    assert!((normal - Vec2::new(0.6, 0.8)).length() < 1e-3, "{normal}");
    let spot = [Vec2::ONE; 100];
    tree.rebuild(Bodies::points(&spot), &mut ());
    assert_eq!(tree.cuts[0].normal, Vec2::X);
    assert_eq!(tree.census().height, 3);
}

#[test]
fn a_line_turns_away_what_the_box_behind_it_would_let_in() {
    // Two slanting ranks, whose boxes are nearly the same.
    let centers: Vec<_> = (0..64)
        .map(|place| {
            let step = (place / 2) as f32;
            Vec2::new(step, step) + Vec2::new(-40.0, 40.0) * (place % 2) as f32
        })
        .collect();
    let bodies = Bodies::points(&centers);
    let mut tree = BspTree::new(FIELD);
    tree.rebuild(bodies, &mut ());
    let mut counter = Counter::default();
    let between = Vec2::new(-5.0, 35.0);
    tree.radius(bodies, between, 10.0, &mut counter, |_| {});
    assert_eq!(counter.tests, 0);
    // No pair stretches over the strip between the ranks, and no two leaves across it are compared.
    let cut = tree.cuts[0];
    assert!(cut.low - cut.high > 50.0);
}

#[test]
fn rooms_hold_their_units_and_cover_their_parents() {
    for crowd in CROWDS {
        let trial = Trial::new(crowd, 300, false);
        let mut tree = BspTree::new(FIELD);
        tree.rebuild(trial.bodies(), &mut ());
        let area = |corners: &[Vec2]| {
            let origin = corners[0];
            let ends = corners.iter().zip(&corners[1..]);
            ends.map(|(a, b)| f64::from((*a - origin).perp_dot(*b - origin)) * 0.5)
                .sum::<f64>()
        };
        let (mut whole, mut leaves) = (0.0, 0.0);
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        tree.regions(everything, &mut |region| {
            let Shape::Convex(corners) = region.shape else {
                panic!("a room that is no polygon: {region:?}");
            };
            assert!(corners.len() >= 3);
            if region.parent.is_none() {
                whole = area(corners);
            }
            if region.role == Role::Leaf {
                leaves += area(corners);
                let leaf = tree.find(Link::of_region(region.id));
                let Branch { bounds, count, .. } = leaf.expect("a leaf of the picture");
                assert_eq!(count, region.load);
                let room = Aabb::of_points(corners.iter().copied());
                let slack = bounds.min.abs().max(bounds.max.abs()).max_element() * 1e-6;
                assert!(
                    room.grown(Vec2::splat(slack)).contains_box(bounds),
                    "{room:?} around {bounds:?}"
                );
            }
        });
        assert!((leaves / whole - 1.0).abs() < 1e-3, "{leaves} of {whole}");
    }
}

#[test]
fn only_a_change_builds_the_tree_that_is_built_at_every_change() {
    let centers: Vec<_> = (0..100).map(|step| Vec2::splat(step as f32)).collect();
    let bodies = Bodies::points(&centers);
    let update = BspTree::INFO.knob_index("update").expect("a knob");
    let rebuild = BspTree::INFO.knobs[update]
        .parse("rebuild")
        .expect("a word");
    for (update_by, changes, builds) in [
        (rebuild, &[Change::Move(3)][..], 1),
        (rebuild, &[], 0),
        (0.0, &[Change::Move(3)], 0),
    ] {
        let mut tree = BspTree::new(FIELD);
        tree.set_knob(update, update_by);
        tree.rebuild(bodies, &mut ());
        let mut counter = Counter::default();
        tree.apply(bodies, changes, &mut counter);
        assert_eq!(counter.of(Work::Rebuild), builds, "{update_by} {changes:?}");
    }
}

/// Places and who is there, edited one unit at a time and told each time.
struct Field {
    stream: Stream,
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
    tree: BspTree,
}

impl Field {
    /// `count` units over a square of so many metres, of whom all are there or nobody, and a tree of small leaves.
    fn new(count: usize, side: u64, sized: bool, is_alive: bool) -> Self {
        let mut field = Self {
            stream: Stream::new(count as u64),
            centers: Vec::new(),
            half_extents: Vec::new(),
            alive: vec![is_alive; count],
            tree: BspTree::new(FIELD),
        };
        for _ in 0..count {
            let spot = field.spot(side);
            field.centers.push(spot);
            if sized {
                let half_extent = field.spot(8);
                field.half_extents.push(half_extent);
            }
        }
        field.tree.set_knob(LEAF_SIZE, 4.0);
        field.rebuild();
        field
    }

    fn spot(&mut self, side: u64) -> Vec2 {
        let mut coordinate = || self.stream.below(side * 16) as f32 / 16.0;
        Vec2::new(coordinate(), coordinate())
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    fn rebuild(&mut self) {
        let mut tree = std::mem::replace(&mut self.tree, BspTree::new(FIELD));
        tree.rebuild(self.bodies(), &mut ());
        self.tree = tree;
    }

    fn tell<P: Probe>(&mut self, change: Change, probe: &mut P) {
        let mut tree = std::mem::replace(&mut self.tree, BspTree::new(FIELD));
        tree.apply(self.bodies(), &[change], probe);
        self.tree = tree;
    }

    fn set<P: Probe>(&mut self, unit: UnitId, is_alive: bool, probe: &mut P) {
        self.alive[unit as usize] = is_alive;
        let change = match is_alive {
            true => Change::Add(unit),
            false => Change::Remove(unit),
        };
        self.tell(change, probe);
    }

    fn check(&self, when: impl std::fmt::Debug) {
        if let Err(violation) = self.tree.validate(self.bodies()) {
            panic!("{when:?}: {violation}");
        }
    }

    /// A tree of the same units that is built.
    fn built(&self) -> BspTree {
        let mut tree = BspTree::new(FIELD);
        tree.set_knob(LEAF_SIZE, f64::from(self.tree.leaf_size));
        tree.rebuild(self.bodies(), &mut ());
        tree
    }
}

/// How many nodes and units an edit touches: steps down, boxes, and everybody whom a new line parts.
fn touched(tree: &BspTree, events: &[Event]) -> u64 {
    let of_event = |event: &Event| match event {
        Event::Split(region) => {
            let node = tree.find(Link::of_region(*region)).expect("a node");
            u64::from(node.count)
        }
        Event::Merge(_) => u64::from(tree.leaf_size),
        _ => 1,
    };
    events.iter().map(of_event).sum()
}

#[test]
fn a_single_edit_touches_few_of_twenty_thousand_units() {
    const EDITS: u64 = 2_000;
    let mut field = Field::new(24_000, 424, false, true);
    for unit in 20_000..24_000 {
        field.alive[unit] = false;
    }
    field.tree.set_knob(LEAF_SIZE, 16.0);
    field.rebuild();
    let mut trace = Trace::with_cap(usize::MAX);
    let bytes = field.tree.byte_count();
    let mut sums = [0; 4];
    let mut rebuilds = 0;
    for edit in 0..EDITS {
        let unit = field.stream.below(20_000) as UnitId;
        for (kind, sum) in sums.iter_mut().enumerate() {
            trace.clear();
            match kind {
                0 => field.set(20_000 + edit as UnitId, true, &mut trace),
                1 if field.alive[unit as usize] => field.set(unit, false, &mut trace),
                // Of those who are left some step a little aside, others go anywhere.
                2 | 3 if field.alive[unit as usize ^ 1] => {
                    let (unit, spot) = (unit ^ 1, field.spot(424));
                    let center = &mut field.centers[unit as usize];
                    *center += (spot - *center) * if kind == 2 { 1.0e-3 } else { 1.0 };
                    field.tell(Change::Move(unit), &mut trace);
                }
                _ => {}
            }
            *sum += touched(&field.tree, trace.events());
            let is_build = |event: &&Event| matches!(event, Event::Work(Work::Rebuild));
            rebuilds += trace.events().iter().filter(is_build).count();
        }
    }
    field.check("all edits");
    let means = sums.map(|sum| sum / EDITS);
    println!("touched by an add, a removal, a step, a jump: {means:?}");
    assert_eq!(rebuilds, 0);
    assert_eq!(
        field.tree.byte_count(),
        bytes,
        "there is room for a tenth more"
    );
    let [add, removal, step, jump] = means;
    assert!(
        add < 150 && removal < 150 && step < 60 && jump < 300,
        "{means:?}"
    );
}

#[test]
fn a_crowd_that_comes_and_goes_one_by_one_is_halved_like_any_other() {
    for sized in [false, true] {
        // On one spot, on few, on a line that grows at its end, and anywhere.
        for shape in 0..4 {
            let count: usize = 600;
            let mut field = Field::new(count, 1_000, sized, false);
            for (place, center) in field.centers.iter_mut().enumerate() {
                match shape {
                    0 => *center = Vec2::new(7.0, 3.0),
                    1 => *center = (*center * 0.004).floor(),
                    2 => *center = Vec2::new(place as f32, place as f32 * 0.5),
                    _ => {}
                }
            }
            for unit in 0..count as UnitId {
                field.set(unit, true, &mut ());
                if unit % 37 == 0 || unit < 40 {
                    field.check((shape, "added", unit));
                }
            }
            let (grown, built) = (field.tree.census(), field.built().census());
            assert!(
                grown.height <= built.height + 4,
                "{shape}: {grown:?} {built:?}"
            );
            for unit in (0..count as UnitId).rev() {
                field.set(unit, false, &mut ());
                if unit % 37 == 0 || unit < 40 {
                    field.check((shape, "removed", unit));
                }
            }
            assert_eq!((field.tree.root.count, field.tree.nodes.len()), (0, 0));
        }
    }
}

#[test]
fn units_that_hop_about_one_by_one_are_followed_without_a_build() {
    for sized in [false, true] {
        let mut field = Field::new(3_000, 1_000, sized, true);
        let mut counter = Counter::default();
        for step in 0..6_000 {
            // Into one corner first, so that one part of the tree overflows and the others empty.
            let spot = field.spot(if step < 2_000 { 40 } else { 1_000 });
            let unit = field.stream.below(3_000) as UnitId;
            field.centers[unit as usize] = spot;
            field.tell(Change::Move(unit), &mut counter);
            if step % 250 == 0 {
                field.check(step);
            }
        }
        field.check("the end");
        assert_eq!(counter.of(Work::Rebuild), 0);
        assert!(counter.splits > 1_000 && counter.merges > 10);
        let height = field.tree.census().height;
        assert!(height <= field.built().census().height + 4, "{height}");
    }
}

#[test]
fn a_line_is_drawn_anew_once_its_crowd_is_another_one() {
    // Two ranks side by side turn into two above each other, each unit beside the line across which it stands.
    let mut field = Field::new(200, 1_000, false, true);
    let place = |field: &mut Field, unit: UnitId, is_turned: bool| {
        let way = (unit / 2) as f32;
        let rank = (unit % 2) as f32 * 4.0 - 2.0;
        field.centers[unit as usize] = match is_turned {
            false => Vec2::new(rank * 60.0, 0.25 * way),
            true => Vec2::new(rank + 0.001 * way, 9.0 * way),
        };
    };
    for unit in 0..200 {
        place(&mut field, unit, false);
    }
    field.rebuild();
    assert!(field.tree.cuts[0].normal.x.abs() > 0.9);
    // All who come are another crowd, and as many on each side: no count says that the line is a bad one.
    for unit in 0..199 {
        field.set(unit, false, &mut ());
        place(&mut field, unit, true);
        field.set(unit, true, &mut ());
    }
    let root = field.tree.root.link.index() as usize;
    assert_eq!(field.tree.nodes[root].edits, 398);
    assert!(field.tree.cuts[root].normal.x.abs() > 0.9);
    field.set(199, false, &mut ());
    let root = field.tree.root.link.index() as usize;
    assert_eq!(field.tree.nodes[root].edits, 0);
    assert!(field.tree.cuts[root].normal.y.abs() > 0.9);
    field.check("the end");
}

#[test]
fn a_step_within_a_room_is_written_in_place_and_one_over_a_line_goes_no_farther_than_needed() {
    let mut field = Field::new(16, 1, false, true);
    for (x, center) in field.centers.iter_mut().enumerate() {
        *center = Vec2::new(x as f32 * 4.0, 0.0);
    }
    field.rebuild();
    // Lines at 30, then 14 and 46. Unit 3 stands at 12, the last before the line.
    for (x, place, descents) in [
        (13.9, Work::MoveInPlace, 2),
        // One line is asked, then the next one, and on its other side is the leaf.
        (14.1, Work::MoveRelink, 2),
        (31.0, Work::MoveRelink, 2),
    ] {
        field.centers[3].x = x;
        let mut counter = Counter::default();
        field.tell(Change::Move(3), &mut counter);
        field.check(x);
        assert_eq!(counter.of(place), 1, "{x}");
        assert_eq!(counter.of(Work::Descend), descents, "{x}");
        assert_eq!(counter.of(Work::Rebuild), 0, "{x}");
    }
}

#[test]
fn the_same_calls_make_the_same_tree() {
    let grown = || {
        let mut field = Field::new(500, 300, true, true);
        for step in 0..1_500 {
            let (unit, spot) = (field.stream.below(500) as UnitId, field.spot(300));
            if step % 3 == 0 {
                let is_alive = field.alive[unit as usize];
                field.set(unit, !is_alive, &mut ());
            } else if field.alive[unit as usize] {
                field.centers[unit as usize] = spot;
                field.tell(Change::Move(unit), &mut ());
            }
        }
        field.check("the end");
        let BspTree {
            nodes, slots, cuts, ..
        } = &field.tree;
        format!("{nodes:?} {cuts:?} {slots:?}")
    };
    assert_eq!(grown(), grown());
}

#[test]
fn several_changes_at_once_are_each_made_as_if_alone() {
    // A row is emptied and filled again while its neighbours move, and parts are halved anew in between.
    for sized in [false, true] {
        let mut field = Field::new(400, 200, sized, true);
        for round in 0..200 {
            let mut changes = Vec::new();
            for _ in 0..30 {
                let unit = field.stream.below(400) as UnitId;
                let spot = field.spot(if round % 20 < 10 { 30 } else { 200 });
                field.centers[unit as usize] = spot;
                match field.stream.below(3) {
                    0 => changes.push(Change::Move(unit)),
                    1 => changes.extend([Change::Remove(unit), Change::Add(unit)]),
                    _ => changes.extend([
                        Change::Move(unit),
                        Change::Remove(unit),
                        Change::Add(unit),
                    ]),
                }
            }
            let mut tree = std::mem::replace(&mut field.tree, BspTree::new(FIELD));
            tree.apply(field.bodies(), &changes, &mut ());
            field.tree = tree;
            field.check(round);
        }
    }
}

#[test]
fn after_hundreds_of_single_edits_every_answer_is_that_of_all_pairs() {
    for crowd in CROWDS {
        for sized in [false, true] {
            let mut trial = Trial::new(crowd, 300, sized);
            let (mut tree, mut truth) = (BspTree::new(FIELD), AllPairs::new(FIELD));
            tree.set_knob(LEAF_SIZE, 5.0);
            tree.rebuild(trial.bodies(), &mut ());
            truth.rebuild(trial.bodies(), &mut ());
            let mut counter = Counter::default();
            for round in 0..600 {
                let changes = match round % 3 {
                    0 => trial.turn_over(300),
                    _ => trial.step(300),
                };
                tree.apply(trial.bodies(), &changes, &mut counter);
                truth.apply(trial.bodies(), &changes, &mut ());
                if let Err(violation) = tree.validate(trial.bodies()) {
                    panic!("{crowd:?}, sized {sized}, round {round}: {violation}");
                }
                if round % 60 == 59 {
                    trial.compare(&tree, &truth);
                }
            }
            assert_eq!(counter.of(Work::Rebuild), 0);
        }
    }
}

#[test]
fn no_tree_in_order_is_too_high() {
    // The fewest units of a node at each height, where each side that is not the longer one has half as many.
    let (mut height, mut least) = (1, 2_u64);
    while least < 1 << 32 {
        least += least.div_ceil(2);
        height += 1;
    }
    assert!((50..HEIGHT_LIMIT).contains(&height), "{height}");
}
