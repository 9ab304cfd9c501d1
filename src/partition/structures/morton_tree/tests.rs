//! The tree as a whole: the source's figures, random edits against all pairs, and the cost of a move.

use super::buckets::of_place;
use super::key::{SLOT_BITS, open_bits};
use super::*;
use crate::geometry::Segment;
use crate::partition::Shape;
use crate::partition::structures::all_pairs::AllPairs;
use crate::partition::trial::stands_trial;
use crate::probe::{Counter, Trace, Work};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The index of the knob `z_curve`.
const Z_CURVE: usize = 4;

/// The index of the knob `update`.
const UPDATE: usize = 2;

/// The index of the knob `addresses`.
const ADDRESSES: usize = 5;

/// The index of the knob `rounding`.
const ROUNDING: usize = 3;

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));

/// The source's tree: cells one metre wide, and one unit a leaf.
fn new_tree() -> MortonTree {
    tree_of(1)
}

/// A tree with cells one metre wide and so many units a leaf.
fn tree_of(bucket: u32) -> MortonTree {
    let mut tree = MortonTree::new(FIELD);
    tree.set_knob(CELL_SIZE, 1.0);
    tree.set_knob(BUCKET, f64::from(bucket));
    tree
}

/// The leaf of a unit.
fn leaf_of(tree: &MortonTree, unit: UnitId) -> Link {
    Link::bucket(of_place(tree.places[unit as usize]).0)
}

fn built(bodies: Bodies<'_>) -> MortonTree {
    built_of(1, bodies)
}

fn built_of(bucket: u32, bodies: Bodies<'_>) -> MortonTree {
    let mut tree = tree_of(bucket);
    tree.rebuild(bodies, &mut ());
    tree.validate(bodies).expect("a tree fresh from a build");
    tree
}

/// One unit in the middle of each of 4 × 4 cells, row by row.
fn table() -> Vec<Vec2> {
    (0..16)
        .map(|row| Vec2::new((row % 4) as f32 + 0.5, (row / 4) as f32 + 0.5))
        .collect()
}

fn height(tree: &MortonTree) -> u32 {
    let mut height = None;
    tree.quality(&mut |fact| {
        if fact.name == "height" {
            height = fact.value.parse().ok();
        }
    });
    height.expect("a height among the facts of quality")
}

fn facts(tree: &MortonTree, region: RegionId) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    tree.facts(Bodies::points(&[]), region, &mut |fact| {
        facts.push((fact.name, fact.value));
    });
    facts
}

#[test]
fn the_table_merges_along_y_then_x_then_y_then_x() {
    let centers = table();
    let tree = built(Bodies::points(&centers));
    let mut merges = [0; 4];
    for node in &tree.nodes {
        merges[open_bits(node.bit) as usize - 1] += 1;
    }
    assert_eq!(merges, [8, 4, 2, 1]);
    assert_eq!(height(&tree), 4);
    // Unit 7 is in cell (3, 1).
    let said = facts(&tree, leaf_of(&tree, 7).region());
    assert!(said.contains(&("address", "1011".to_owned())));
    assert!(said.contains(&("cell", "(3, 1)".to_owned())));
    // The node above it merges it with the cell below it, (3, 0), along y.
    let said = facts(
        &tree,
        Link::inner(tree.buckets.parent(leaf_of(&tree, 7).index())).region(),
    );
    for fact in [
        ("address", "101·"),
        ("mask", "1110"),
        ("branch bit", "0 (y)"),
        ("size in levels", "1"),
        ("nominal size", "1 × 2"),
        ("child 0", "unit 3, 1010, cell (3, 0)"),
        ("child 1", "unit 7, 1011, cell (3, 1)"),
    ] {
        assert!(said.contains(&(fact.0, fact.1.to_owned())), "{said:?}");
    }
    let said = facts(&tree, tree.root.region());
    assert!(said.contains(&("branch bit", "3 (x)".to_owned())));
    assert!(said.contains(&("mask", "0000".to_owned())));
}

#[test]
fn the_curve_runs_through_the_table_in_the_order_of_addresses() {
    let centers = table();
    let bodies = Bodies::points(&centers);
    let mut tree = built(bodies);
    tree.set_knob(Z_CURVE, 1.0);
    let query = MarkQuery {
        area: Aabb::new(Vec2::ZERO, Vec2::splat(4.0)),
        min_size: 0.0,
        cursor: None,
        reach: 0.0,
    };
    let marks = |tree: &MortonTree, query: MarkQuery| {
        let mut marks = Vec::new();
        tree.marks(bodies, query, &mut |mark| {
            marks.push((mark.role, mark.corners(), mark.label.into_owned()));
        });
        marks
    };
    let strokes = marks(&tree, query);
    assert_eq!(strokes.len(), 15);
    assert_eq!(strokes[0].1, [0.5, 0.5, 0.5, 1.5]);
    assert_eq!(strokes[1].1, [0.5, 1.5, 1.5, 0.5]);
    assert_eq!(strokes[7].1, [1.5, 3.5, 2.5, 0.5]);
    // Only units 0000 and 0001 in view: the stroke between them, and the one that leaves.
    let narrow = MarkQuery {
        area: Aabb::new(Vec2::ZERO, Vec2::new(1.0, 2.0)),
        ..query
    };
    assert_eq!(marks(&tree, narrow).len(), 2);

    tree.set_knob(Z_CURVE, 0.0);
    tree.set_knob(ADDRESSES, 1.0);
    let cells = marks(&tree, query);
    assert_eq!(cells.len(), 16);
    assert_eq!(cells[11].1, [3.0, 1.0, 4.0, 2.0]);
    assert_eq!(cells[11].2, "1011");

    let hovered = MarkQuery {
        cursor: Some(Vec2::new(3.4, 1.5)),
        reach: 0.0,
        ..query
    };
    let all = marks(&tree, hovered);
    let home: Vec<_> = all.iter().filter(|mark| mark.1 == cells[11].1).collect();
    assert_eq!(home.len(), 2, "it is lit over the cell");
    assert_eq!(home[1].2, "", "which has its address already");

    tree.set_knob(ADDRESSES, 0.0);
    let labels: Vec<_> = marks(&tree, hovered)
        .into_iter()
        .map(|mark| mark.2)
        .collect();
    assert_eq!(labels, ["1011", "101·", "10··", "1···", "····"]);
}

impl Mark<'_> {
    /// The four numbers of a line or box.
    fn corners(&self) -> [f32; 4] {
        match self.shape {
            Shape::Rect(Aabb { min: a, max: b }) | Shape::Line(a, b) => [a.x, a.y, b.x, b.y],
            Shape::Convex(_) => unreachable!("the Morton tree marks no polygon"),
        }
    }
}

#[test]
fn a_thousand_units_on_one_point_are_no_chain() {
    let centers = vec![Vec2::splat(7.0); 1000];
    let bodies = Bodies::points(&centers);
    let tree = built(bodies);
    assert_eq!(tree.nodes.len(), 999);
    assert_eq!(height(&tree), 10);
    let mut found = 0;
    tree.range(bodies, Aabb::new(centers[0], centers[0]), &mut (), |_| {
        found += 1
    });
    assert_eq!(found, 1000);
}

#[test]
fn the_whole_field_is_taken_without_a_test() {
    let centers = table();
    let bodies = Bodies::points(&centers);
    let tree = built(bodies);
    let mut counter = Counter::default();
    tree.range(bodies, FIELD, &mut counter, |_| {});
    assert_eq!((counter.accepts, counter.tests, counter.hits), (1, 0, 16));
    // A search for a little looks at one shelf, on which all of a small tree are.
    let mut counter = Counter::default();
    tree.radius(bodies, Vec2::new(3.5, 1.5), 0.1, &mut counter, |_| {});
    assert_eq!((counter.visits, counter.tests, counter.hits), (1, 16, 1));
}

#[test]
fn a_move_is_told_by_its_tier() {
    let mut centers = table();
    let mut tree = built(Bodies::points(&centers));
    let mut step = |to: Vec2| {
        centers[7] = to;
        let mut counter = Counter::default();
        let bodies = Bodies::points(&centers);
        tree.apply(bodies, &[Change::Move(7)], &mut counter);
        tree.validate(bodies).expect("a tree after a move");
        [Work::MoveInPlace, Work::MoveKeyOnly, Work::MoveRelink].map(|tier| counter.of(tier))
    };
    assert_eq!(step(Vec2::new(3.9, 1.1)), [1, 0, 0]);
    // Out of its cell, out of its parent's half: over x = 4 nothing but the root covers it.
    assert_eq!(step(Vec2::new(4.1, 1.1)), [0, 0, 1]);
    // Alone on its side of the new root, any key with that bit will do.
    assert_eq!(step(Vec2::new(6.1, 3.1)), [0, 1, 0]);
    assert_eq!(step(Vec2::new(-0.1, 1.1)), [0, 0, 1]);
    assert_eq!(step(Vec2::new(3.5, 1.5)), [0, 0, 1]);
}

#[test]
fn a_tree_that_builds_anew_on_every_change_is_the_same_tree() {
    let mut centers = table();
    let mut tree = built(Bodies::points(&centers));
    tree.set_knob(UPDATE, 1.0);
    centers[3] = Vec2::splat(-7.0);
    let mut counter = Counter::default();
    let bodies = Bodies::points(&centers);
    tree.apply(bodies, &[Change::Move(3)], &mut counter);
    tree.validate(bodies).expect("a tree built anew");
    assert_eq!(counter.of(Work::Rebuild), 1);
    assert_eq!(counter.of(Work::MoveRelink), 0);
}

#[test]
fn cut_off_the_units_around_the_origin_lie_below_one_address() {
    // Four camps, one in each cell at the origin, numbered in turn.
    let centers: Vec<Vec2> = (0..64)
        .map(|unit| {
            let corner = Vec2::new((unit % 2) as f32 - 0.5, (unit / 2 % 2) as f32 - 0.5);
            corner + Vec2::new((unit / 4 % 4) as f32, (unit / 16) as f32) * 0.01
        })
        .collect();
    let bodies = Bodies::points(&centers);
    let of = |rounding: f64| {
        let mut tree = new_tree();
        tree.set_knob(ROUNDING, rounding);
        tree.rebuild(bodies, &mut ());
        tree.validate(bodies).expect("a tree under either rounding");
        let addresses: std::collections::BTreeSet<u64> = tree
            .places
            .iter()
            .map(|place| {
                let (bucket, at) = of_place(*place);
                tree.key_of(tree.buckets.body(bucket, at), 0) >> SLOT_BITS
            })
            .collect();
        let (mut counter, mut pairs) = (Counter::default(), Vec::new());
        tree.pairs(bodies, 0.011, &mut counter, |batch| {
            pairs.extend_from_slice(batch);
        });
        pairs.sort_unstable();
        (addresses.len(), pairs, counter.tests)
    };
    let (floored, cut) = (of(0.0), of(1.0));
    assert_eq!((floored.0, cut.0), (4, 1));
    assert_eq!(floored.1, cut.1);
    assert!(cut.2 > floored.2, "{} against {}", cut.2, floored.2);
}

#[test]
fn empty_and_tiny_trees_answer() {
    let centers = [Vec2::ONE, Vec2::splat(-2.0)];
    let mut tree = new_tree();
    let none = Bodies::points(&[]);
    tree.validate(none).expect("an empty tree");
    tree.pairs(none, 1.0, &mut (), |_| unreachable!("a pair of nobody"));
    for (count, change) in [
        (1, Change::Add(0)),
        (1, Change::Move(0)),
        (2, Change::Add(1)),
        (2, Change::Move(1)),
    ] {
        let bodies = Bodies::points(&centers[..count]);
        tree.apply(bodies, &[change], &mut ());
        tree.validate(bodies).expect("a tiny tree");
        let mut regions = 0;
        tree.regions(
            RegionQuery {
                area: Aabb::EVERYTHING,
                min_size: 0.0,
            },
            &mut |_| regions += 1,
        );
        assert_eq!(regions, 2 * count - 1);
    }
    let mut pairs = Vec::new();
    tree.pairs(Bodies::points(&centers), 5.0, &mut (), |batch| {
        pairs.extend_from_slice(batch);
    });
    assert_eq!(pairs, [(0, 1)]);
    tree.apply(none, &[Change::Remove(0), Change::Remove(1)], &mut ());
    tree.validate(none).expect("a tree emptied again");
}

/// Columns that a random script edits.
struct Script {
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
    random: Pcg64Mcg,
}

impl Script {
    fn new(seed: u64) -> Self {
        Self {
            centers: Vec::new(),
            half_extents: Vec::new(),
            alive: Vec::new(),
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    fn place(&mut self) -> Vec2 {
        let random = &mut self.random;
        match random.random_range(0..10) {
            // On whole numbers, so that borders, coincidence and ties are common; around the origin; -0 among them.
            0..5 => Vec2::new(
                -(random.random_range(-4..5_i32) as f32),
                random.random_range(-4..5_i32) as f32,
            ),
            5..9 => Vec2::new(
                random.random_range(-6.0..6.0),
                random.random_range(-6.0..6.0),
            ),
            // Far beyond what a key can tell apart.
            _ => Vec2::new(
                random.random_range(-1.0e9..1.0e9),
                random.random_range(-1.0e9..1.0e9),
            ),
        }
    }

    fn size(&mut self) -> Vec2 {
        let random = &mut self.random;
        match random.random_range(0..4) {
            0..2 => Vec2::ZERO,
            2 => Vec2::new(random.random_range(0.0..0.5), random.random_range(0.0..0.5)),
            _ => Vec2::splat(random.random_range(0..8) as f32),
        }
    }

    /// Edits some rows, several times some of them, and says how.
    fn edit(&mut self) -> Vec<Change> {
        (0..self.random.random_range(1..6))
            .map(|_| {
                let rows = self.centers.len();
                let row = self.random.random_range(0..rows + 1).min(60);
                if row == rows {
                    self.centers.push(Vec2::ZERO);
                    self.half_extents.push(Vec2::ZERO);
                    self.alive.push(false);
                }
                let change = match (self.alive[row], self.random.random_range(0..4)) {
                    (true, 0) => Change::Remove(row as UnitId),
                    (true, _) => Change::Move(row as UnitId),
                    (false, _) => Change::Add(row as UnitId),
                };
                self.alive[row] = !matches!(change, Change::Remove(_));
                if self.random.random_range(0..3) == 0 && matches!(change, Change::Move(_)) {
                    let step = Vec2::new(
                        self.random.random_range(-0.3..0.3),
                        self.random.random_range(-0.3..0.3),
                    );
                    self.centers[row] += step;
                } else if self.alive[row] {
                    self.centers[row] = self.place();
                    self.half_extents[row] = self.size();
                }
                change
            })
            .collect()
    }
}

/// What every query of the trait answers to the same questions, sorted.
fn answers(
    structure: &impl Partition,
    bodies: Bodies<'_>,
    at: Vec2,
    by: f32,
) -> (Vec<Vec<UnitId>>, Vec<Neighbor>, Vec<Pair>) {
    let mut sets = vec![Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let area = Aabb::around(at, Vec2::new(by, by * 0.5));
    structure.range(bodies, area, &mut (), |unit| sets[0].push(unit));
    structure.range(bodies, Aabb::EVERYTHING, &mut (), |unit| sets[1].push(unit));
    structure.radius(bodies, at, by, &mut (), |unit| sets[2].push(unit));
    let segment = Segment {
        from: at,
        to: at + Vec2::new(by, -3.0),
        half_width: by * 0.1,
    };
    structure.segment(bodies, segment, &mut (), |unit| sets[3].push(unit));
    for set in &mut sets {
        set.sort_unstable();
    }
    let mut nearest = Vec::new();
    let query = NearestQuery {
        point: at,
        count: 5,
        within: if by > 2.0 { f32::INFINITY } else { by },
    };
    structure.nearest(bodies, query, |unit| unit % 3 != 0, &mut (), &mut nearest);
    let mut pairs = Vec::new();
    structure.pairs(bodies, by * 0.25, &mut (), |batch| {
        pairs.extend_from_slice(batch);
    });
    pairs.sort_unstable();
    (sets, nearest, pairs)
}

#[test]
fn random_edits_leave_a_valid_tree_that_answers_like_all_pairs() {
    for seed in 0..40 {
        let mut script = Script::new(seed);
        let mut tree = tree_of([1, 2, 5, 32][seed as usize / 2 % 4]);
        // However a place becomes a cell: a key decides how good the tree is and never what it answers.
        tree.set_knob(ROUNDING, f64::from(u8::from(seed % 4 == 3)));
        let mut reference = AllPairs::new(FIELD);
        for step in 0..60 {
            let changes = script.edit();
            let bodies = script.bodies();
            if step % 20 == 19 {
                tree.rebuild(bodies, &mut ());
            } else {
                tree.apply(bodies, &changes, &mut ());
            }
            reference.apply(bodies, &changes, &mut ());
            if let Err(violation) = tree.validate(bodies) {
                panic!("seed {seed}, step {step}, {changes:?}: {violation}");
            }
            let by = [0.0, 0.5, 2.0, 7.0, 1.0e6][step % 5];
            let at = script.place();
            let bodies = script.bodies();
            assert_eq!(
                answers(&tree, bodies, at, by),
                answers(&reference, bodies, at, by),
                "seed {seed}, step {step}"
            );
        }
    }
}

#[test]
fn an_edited_tree_is_the_tree_that_a_build_makes() {
    let mut script = Script::new(77);
    let mut tree = new_tree();
    for _ in 0..200 {
        let changes = script.edit();
        tree.apply(script.bodies(), &changes, &mut ());
    }
    // A radix tree is determined by its keys, so its nodes are the same but for their numbers.
    let outline = |tree: &MortonTree| {
        let mut outline = Vec::new();
        tree.regions(
            RegionQuery {
                area: Aabb::EVERYTHING,
                min_size: 0.0,
            },
            &mut |region| {
                let Shape::Rect(bounds) = region.shape else {
                    unreachable!("the Morton tree has boxes alone")
                };
                outline.push((region.depth, region.role, bounds));
            },
        );
        outline
    };
    assert_eq!(outline(&tree), outline(&built(script.bodies())));
}

#[test]
fn shares_are_disjoint_and_add_up() {
    for bucket in [1, 32] {
        shares_add_up(bucket);
    }
}

fn shares_add_up(bucket: u32) {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let centers: Vec<Vec2> = (0..2000)
        .map(|_| {
            Vec2::new(
                random.random_range(0.0..40.0),
                random.random_range(0.0..40.0),
            )
        })
        .collect();
    let bodies = Bodies::points(&centers);
    let tree = built_of(bucket, bodies);
    let search = |part| {
        let (mut pairs, mut counter) = (Vec::new(), Counter::default());
        tree.pairs_part(bodies, 1.0, part, &mut counter, |batch| {
            pairs.extend_from_slice(batch);
        });
        (pairs, counter)
    };
    let (mut whole, sum) = search(Part::WHOLE);
    whole.sort_unstable();
    assert_eq!(sum.hits, whole.len() as u64);
    let (mut together, mut added) = (Vec::new(), Counter::default());
    for index in 0..3 {
        let (pairs, counter) = search(Part { index, count: 3 });
        assert!(!pairs.is_empty());
        together.extend(pairs);
        added.add(&counter);
    }
    together.sort_unstable();
    assert_eq!(together, whole);
    assert_eq!(added, sum);

    // A trace hears each test and hit that a counter sums.
    let mut both = (Counter::default(), Trace::with_cap(0));
    tree.pairs(bodies, 1.0, &mut both, |_| {});
    assert_eq!(both.0, sum);
}

/// `count` units, one a square metre, after each of them took a step of at most 0.25 m along each axis.
fn small_steps(bucket: f64, count: usize) -> Counter {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let side = (count as f32).sqrt();
    let mut centers: Vec<Vec2> = (0..count)
        .map(|_| {
            Vec2::new(
                random.random_range(0.0..side),
                random.random_range(0.0..side),
            )
        })
        .collect();
    let mut tree = MortonTree::new(Aabb::new(Vec2::ZERO, Vec2::splat(side)));
    tree.set_knob(BUCKET, bucket);
    tree.rebuild(Bodies::points(&centers), &mut ());
    let mut counter = Counter::default();
    for unit in 0..count {
        centers[unit] += Vec2::new(
            random.random_range(-0.25..0.25),
            random.random_range(-0.25..0.25),
        );
        let bodies = Bodies::points(&centers);
        tree.apply(bodies, &[Change::Move(unit as UnitId)], &mut counter);
    }
    tree.validate(Bodies::points(&centers))
        .expect("a tree after many moves");
    counter
}

#[test]
fn a_small_step_touches_as_few_nodes_in_a_large_tree_as_in_a_small_one() {
    for (bucket, count) in [
        (1.0, 10_000),
        (1.0, 100_000),
        (KNOBS[BUCKET].default, 10_000),
        (KNOBS[BUCKET].default, 100_000),
    ] {
        let counter = small_steps(bucket, count);
        let per = |amount: u64, of: u64| amount as f64 / of as f64;
        let climbs = per(counter.of(Work::Climb), counter.of(Work::MoveRelink));
        let refits = per(counter.refits, count as u64);
        assert!(climbs <= 2.0, "{climbs} climbs a relink of {count} units");
        assert!(refits <= 6.0, "{refits} refits a move of {count} units");
    }
}

#[test]
#[should_panic(expected = "at most 16777216 rows")]
fn a_row_beyond_the_limit_is_refused_in_words() {
    MortonTree::check_row_count(MortonTree::ROW_LIMIT);
    let mut tree = new_tree();
    tree.insert(
        Bodies::points(&[]),
        MortonTree::ROW_LIMIT as UnitId,
        &mut (),
    );
}

#[test]
fn a_move_through_more_nodes_than_there_are_columns_counts_in_the_last() {
    // Around either of two cells, on both sides of the origin, units whose addresses and rows differ in one more bit each.
    let (home, away) = (Vec2::splat(0.5), Vec2::splat(-0.5));
    let mut centers = vec![home; 1024];
    let mut alive = vec![false; 1024];
    let mut steps = Vec::new();
    for bit in 0..19 {
        let step = (1_u32 << bit) as f32;
        for way in [Vec2::new(step, 0.0), Vec2::new(0.0, step)] {
            steps.extend([home + way, away - way]);
        }
    }
    let mut seat = |row: usize, center: Vec2| {
        assert!(!std::mem::replace(&mut alive[row], true));
        centers[row] = center;
    };
    seat(0, home);
    for bit in 0..10 {
        seat(1 << bit, home);
        if bit > 0 {
            seat((1 << bit) + 1, away);
        }
    }
    for (number, center) in steps.into_iter().enumerate() {
        seat(600 + number, center);
    }
    let mut tree = tree_of(1);
    let mut moved = centers.clone();
    moved[0] = away;
    let [before, after] = [&centers, &moved].map(|centers| Bodies {
        centers,
        half_extents: &[],
        alive: &alive,
    });
    tree.rebuild(before, &mut ());
    tree.apply(after, &[Change::Move(0)], &mut ());
    tree.validate(after).expect("a tree after a long move");
    let mut expected = [0; MOVE_COLUMNS];
    expected[MOVE_COLUMNS - 1] = 1;
    assert_eq!(tree.moves_by_nodes, expected);
}

/// How many buckets there are.
fn bucket_count(tree: &MortonTree) -> usize {
    (0..tree.buckets.len() as u32)
        .filter(|bucket| !tree.buckets.is_free(*bucket))
        .count()
}

#[test]
fn a_thousand_units_on_one_point_fill_buckets_and_no_chain() {
    let mut centers = vec![Vec2::splat(7.0); 1000];
    let bodies = Bodies::points(&centers);
    let mut tree = tree_of(32);
    for unit in 0..1000 {
        tree.apply(bodies, &[Change::Add(unit)], &mut ());
    }
    tree.validate(bodies).expect("a tree of one spot");
    assert!(height(&tree) <= 10, "{}", height(&tree));
    assert!((32..=64).contains(&bucket_count(&tree)));
    // They leave one by one for another spot, and the buckets go with them.
    for unit in 0..1000 {
        centers[unit as usize] = Vec2::splat(70.0);
        let bodies = Bodies::points(&centers);
        tree.apply(bodies, &[Change::Move(unit)], &mut ());
    }
    let bodies = Bodies::points(&centers);
    tree.validate(bodies).expect("a tree of another spot");
    assert!((32..=64).contains(&bucket_count(&tree)));
    let changes: Vec<Change> = (1..1000).map(Change::Remove).collect();
    let alive: Vec<bool> = (0..1000).map(|unit| unit == 0).collect();
    let bodies = Bodies {
        alive: &alive,
        ..bodies
    };
    tree.apply(bodies, &changes, &mut ());
    tree.validate(bodies).expect("a tree of one unit");
    assert_eq!((bucket_count(&tree), height(&tree)), (1, 0));
}

#[test]
fn a_step_of_all_is_the_steps_of_each() {
    let mut random = Pcg64Mcg::seed_from_u64(21);
    for sized in [false, true] {
        let count = 3000;
        let mut spots = |reach: f32| -> Vec<Vec2> {
            (0..count)
                .map(|_| {
                    Vec2::new(
                        random.random_range(-reach..reach),
                        random.random_range(-reach..reach),
                    )
                })
                .collect()
        };
        let mut centers = spots(40.0);
        let half_extents: Vec<Vec2> = match sized {
            true => spots(1.0).into_iter().map(Vec2::abs).collect(),
            false => Vec::new(),
        };
        let mut tree = tree_of(32);
        tree.rebuild(
            Bodies {
                centers: &centers,
                half_extents: &half_extents,
                alive: &[],
            },
            &mut (),
        );
        let changes: Vec<Change> = (0..count as UnitId).map(Change::Move).collect();
        for round in 0..30 {
            for (center, step) in centers.iter_mut().zip(spots(0.6)) {
                *center += step;
            }
            // Now and then some run far, and once nearly all of them.
            let runners = [0, 5, 50, 200, 2500][round % 5];
            for (center, spot) in centers.iter_mut().zip(spots(60.0)).take(runners) {
                *center = spot;
            }
            let bodies = Bodies {
                centers: &centers,
                half_extents: &half_extents,
                alive: &[],
            };
            let mut counter = Counter::default();
            tree.apply(bodies, &changes, &mut counter);
            tree.validate(bodies).expect("a tree after a step of all");
            let tiers = [Work::MoveInPlace, Work::MoveKeyOnly, Work::MoveRelink];
            let moves: u64 = tiers.iter().map(|tier| counter.of(*tier)).sum();
            if runners < 1000 {
                assert_eq!((moves, counter.of(Work::Rebuild)), (count as u64, 0));
                assert!(counter.of(Work::MoveRelink) > 0);
            } else {
                assert_eq!(counter.of(Work::Rebuild), 1);
            }
            let mut reference = AllPairs::new(FIELD);
            reference.rebuild(bodies, &mut ());
            let at = centers[round];
            assert_eq!(
                answers(&tree, bodies, at, 3.0),
                answers(&reference, bodies, at, 3.0)
            );
        }
    }
}

#[test]
fn a_bucket_says_what_its_units_have_in_common() {
    let centers = table();
    let tree = built_of(4, Bodies::points(&centers));
    assert_eq!((tree.nodes.len(), bucket_count(&tree)), (3, 4));
    let said = facts(&tree, leaf_of(&tree, 7).region());
    for fact in [
        ("units", "4"),
        ("room for", "4"),
        ("address", "10··"),
        ("mask", "1100"),
        ("nominal size", "2 × 2"),
    ] {
        assert!(said.contains(&(fact.0, fact.1.to_owned())), "{said:?}");
    }
    let said = facts(&tree, tree.root.region());
    assert!(said.contains(&("branch bit", "3 (x)".to_owned())));
    let mut loads = Vec::new();
    let query = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    tree.regions(query, &mut |region| {
        loads.push((region.load, region.capacity))
    });
    loads.sort_unstable();
    assert_eq!(
        loads,
        [(0, 0), (0, 0), (0, 0), (4, 4), (4, 4), (4, 4), (4, 4)]
    );
}

#[test]
fn it_stands_trial_whatever_a_bucket_holds() {
    for bucket in ["1", "3", "8", "32"] {
        stands_trial::<MortonTree>(&[("bucket", bucket), ("cell_size", "0.25")]);
    }
}
