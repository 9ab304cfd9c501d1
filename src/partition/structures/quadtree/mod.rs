//! The bucket quadtree.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::group::emit_in_groups;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Joining, Knob, KnobRange, NearestQuery, Neighbor, Outgrown,
    Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search, Setting, UnitId,
    Violation,
};
use crate::probe::Probe;
use build::Room;
use edit::Found;
use pool::Pool;

mod build;
mod edit;
mod pairs;
mod picture;
mod pool;
mod query;
mod validate;

#[cfg(test)]
mod damage;

/// A quadtree whose leaves hold up to a capacity of units: a bucket (or PR) quadtree.
///
/// # Algorithm
///
/// 1. The root is the field, made at least half as high as wide. A leaf that holds more units than its capacity splits into four quarters
///    and deals its units to them; below a smallest cell it does not split any more, so that any number of units on one
///    spot ends somewhere.
/// 2. A unit that moves out of its leaf climbs to the first node that holds it and descends from there.
/// 3. When four sibling leaves together hold at most half of a capacity, their parent takes them back: half, so that a
///    unit which steps to and fro over a border does not split and merge at each step.
/// 4. When a unit leaves the root, the root doubles towards it until it holds it, and the tree is built anew: at most once
///    a doubling. Smallest cells keep their size.
/// 5. A node knows the largest half extent of the bodies below it, which is looked for anew where the largest has gone or shrunk; in a
///    crowd that does not split any more once after all changes. Queries descend where the cell, grown by that, meets
///    them; a rectangle that holds a cell takes all below it untested.
/// 6. Pairs: within a node, each child with itself and with each sibling; across two nodes within reach of each other, the
///    larger is replaced by its children until both are leaves.
///
/// Build O(n · depth), add, remove and move O(depth) and O(1) for small steps, a query O(depth + results) for even crowds,
/// pairs O(n) at a given density. The first change after a build also writes down where everybody is, which is O(n), and which
/// who only asks is spared. Points and boxes: keyed by the centre, with each node's own largest half extent.
///
/// Nodes are 32 bytes, four siblings in a row; the units of a leaf lie in blocks of columns, so that a leaf is read in a
/// few cache lines and a crowd on one spot is a list of blocks.
///
/// Reference: R. Finkel and J. Bentley, "Quad trees: a data structure for retrieval on composite keys" (1974); H. Samet,
/// *The Design and Analysis of Spatial Data Structures* (1990), PR quadtrees with buckets; R. Nystrom, *Game Programming
/// Patterns* (2014), "Spatial Partition".
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, NearestQuery, Partition};
/// use skirmish::partition::structures::quadtree::Quadtree;
///
/// // A strategy game: a click takes the unit nearest to it, but none farther than a finger's width.
/// let units = [Vec2::new(3.0, 4.0), Vec2::new(40.0, 40.0), Vec2::new(41.0, 42.0)];
/// let bodies = Bodies::points(&units);
/// let mut index = Quadtree::new(Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
/// index.rebuild(bodies, &mut ());
/// let click = |point| {
///     let query = NearestQuery { point, count: 1, within: 2.0 };
///     let mut found = Vec::new();
///     index.nearest(bodies, query, |_unit| true, &mut (), &mut found);
///     found.first().map(|neighbor| neighbor.unit)
/// };
/// assert_eq!(click(Vec2::new(40.5, 41.5)), Some(2));
/// assert_eq!(click(Vec2::new(20.0, 20.0)), None);
/// ```
#[derive(Clone, Debug)]
pub struct Quadtree {
    field: Aabb,
    /// What the knobs say.
    capacity: u32,
    max_depth: u32,
    /// The depth at which a leaf does not split any more: `max_depth` below the field, however often the root has doubled
    /// beyond it.
    depth_cap: u8,
    /// How often the root has doubled.
    doublings: u8,
    pool: Pool,
    /// Row of a unit → its slot in the blocks; `NONE` for rows that are not in use.
    slots: Vec<u32>,
    /// Whether the slots are written. Queries ask for none, so a build leaves them to the first change.
    are_slots_known: bool,
    /// How many units are in the index.
    count: u32,
    /// How many nodes there are at each depth.
    depth_counts: [u32; LEVEL_LIMIT],
    /// On how many threads a mass move goes through the blocks.
    threads: usize,
    /// Room in which a mass move gathers those who left their leaf.
    found: Scratch<Found>,
    /// The same for each further thread.
    helpers: Scratch<Vec<Found>>,
    /// Leaves whose reach may be less by now. Only while changes are made, and otherwise none.
    shrinking: Scratch<Vec<u32>>,
    /// Room in which a build deals out units.
    room: Scratch<Room>,
}

/// The root's index in the pool.
const ROOT: u32 = 0;

/// The most levels that a tree may have. From a field of 1 m to the limit of coordinates the root doubles some 31 times,
/// and `max_depth` adds 16 below.
const LEVEL_LIMIT: usize = 64;

/// The least side of the first root, in metres, and its least ratio to the field's distance from the origin:
/// below that a doubling could vanish in rounding.
const LEAST_SIDE: f32 = 1.0;
const LEAST_SIDE_RATIO: f32 = 1.0e-5;

const CAPACITY: usize = 0;

const KNOBS: &[Knob] = &[
    Knob {
        key: "capacity",
        name: "capacity",
        help: "How many units a leaf holds before it splits; the four of a node are joined again once they hold no more than half of that together. Small leaves test fewer pairs and cost more nodes.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 128.0,
            whole: true,
            logarithmic: true,
        },
        default: 24.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "max_depth",
        name: "deepest level",
        help: "How often the field may be halved. Leaves at this depth hold any number of units.",
        unit: "levels",
        range: KnobRange::Number {
            min: 1.0,
            max: 16.0,
            whole: true,
            logarithmic: false,
        },
        default: 12.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
];

impl Quadtree {
    /// The field as a root, before any doubling: itself, unless it is a strip or a spot.
    fn home(&self) -> Aabb {
        let Aabb { min, max } = self.field;
        let far = min.abs().max(max.abs()).max_element();
        let size = max - min;
        let least = (size.max_element() / 2.0)
            .max(LEAST_SIDE)
            .max(far * LEAST_SIDE_RATIO);
        // The sum may round to less than the field's own border.
        Aabb::new(min, (min + size.max(Vec2::splat(least))).max(max))
    }

    /// The largest half extent below a node.
    #[inline]
    fn reach(&self, node: u32) -> Vec2 {
        self.pool
            .reaches
            .get(node as usize)
            .copied()
            .unwrap_or(Vec2::ZERO)
    }

    /// Whether a position belongs to a node that is not the root: its left and lower borders do, the others belong to its
    /// neighbours. Units on the far border of the root therefore take the long way, and end in the same leaf.
    #[inline]
    fn owns(bounds: Aabb, position: Vec2) -> bool {
        position.cmpge(bounds.min).all() && position.cmplt(bounds.max).all()
    }
}

impl Partition for Quadtree {
    const JOINING: Joining = Joining::Parts;

    const INFO: Info = Info {
        key: "quadtree",
        name: "quadtree",
        tagline: "splits in four past a capacity",
        placement: Placement::Center,
        what: "A field that splits into four where units crowd, and takes its quarters back where they have left. Leaves are small where there is much to tell apart and large where there is nothing.",
        cost: "build O(n · depth) · move O(1) to O(depth) · pairs O(n) at a given density",
        wins: "crowds and empty land side by side, where no cell size fits both",
        loses: "even crowds that all move, where a grid does the same without a tree; everybody on one spot",
        source: "Finkel and Bentley (1974); Samet (1990); Nystrom, Game Programming Patterns (2014)",
        told: 4,
        told_of_sizes: 1,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![capacity, max_depth];

    fn new(field: Aabb) -> Self {
        let mut tree = Self {
            field,
            capacity: KNOBS[CAPACITY].default as u32,
            max_depth: KNOBS[CAPACITY + 1].default as u32,
            depth_cap: 0,
            doublings: 0,
            pool: Pool::default(),
            slots: Vec::new(),
            are_slots_known: false,
            count: 0,
            depth_counts: [0; LEVEL_LIMIT],
            threads: 1,
            found: Scratch::default(),
            helpers: Scratch::default(),
            shrinking: Scratch::default(),
            room: Scratch::default(),
        };
        tree.build(Bodies::points(&[]), &mut ());
        tree
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.build(bodies, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        self.look_at(bodies, changes, probe)
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(bodies, unit, probe)
    }

    #[inline]
    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.update(bodies, unit, probe)
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.delete(unit, probe);
        Ok(())
    }

    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.shrink_put_off();
        Ok(())
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.sift(search, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        self.find_nearest(query, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        emit_in_groups(self, (reach, part), probe, batch);
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        self.draw_regions(ROOT, query, visit);
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        self.pool.memory(say);
        say("slots", self.slots.capacity() * size_of::<u32>());
        say("room for building", self.room.byte_count());
        let helpers = self.helpers.iter().map(Found::byte_count);
        let helpers = helpers.sum::<usize>() + self.helpers.capacity() * size_of::<Found>();
        let shrinking = self.shrinking.capacity() * size_of::<u32>();
        say("leavers", self.found.byte_count() + helpers + shrinking);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{Counter, Work};

    const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(128.0));

    fn built(centers: &[Vec2], capacity: f64) -> Quadtree {
        let mut tree = Quadtree::new(FIELD);
        tree.set_knob(CAPACITY, capacity);
        tree.rebuild(Bodies::points(centers), &mut ());
        tree.validate(Bodies::points(centers)).unwrap();
        tree
    }

    fn moved(tree: &mut Quadtree, centers: &[Vec2], unit: UnitId) -> Counter {
        let mut counter = Counter::default();
        tree.apply(Bodies::points(centers), &[Change::Move(unit)], &mut counter);
        tree.validate(Bodies::points(centers)).unwrap();
        counter
    }

    #[test]
    fn a_thousand_units_on_one_spot_end_in_one_leaf_at_the_deepest_level() {
        let centers = vec![Vec2::new(3.0, 3.0); 1_000];
        let tree = built(&centers, 4.0);
        let fullest = tree.pool.nodes.iter().max_by_key(|node| node.load);
        assert_eq!(fullest.map(|node| node.load), Some(1_000));
        assert_eq!(tree.pool.nodes.len(), 1 + 4 * usize::from(tree.depth_cap));
    }

    #[test]
    fn a_step_to_and_fro_over_a_border_does_not_split_and_merge() {
        // Five units in one quarter, of which one steps out and in again.
        let mut centers: Vec<_> = (0..5)
            .map(|place| Vec2::new(60.0, 10.0 + 10.0 * place as f32))
            .collect();
        let mut tree = built(&centers, 4.0);
        for x in [70.0, 60.0, 70.0, 60.0] {
            centers[0].x = x;
            let work = moved(&mut tree, &centers, 0);
            assert_eq!(work.of(Work::MoveRelink), 1);
            assert_eq!(work.merges, 0);
        }
    }

    #[test]
    fn a_crowd_splits_and_what_is_left_of_it_merges() {
        let centers: Vec<_> = (0..8)
            .map(|place| Vec2::new(20.0 + 12.0 * place as f32, 64.0))
            .collect();
        let mut tree = Quadtree::new(FIELD);
        tree.set_knob(CAPACITY, 4.0);
        tree.rebuild(Bodies::points(&[]), &mut ());
        let mut alive = vec![false; 8];
        let mut counter = Counter::default();
        for unit in 0..8 {
            alive[unit] = true;
            let bodies = Bodies {
                alive: &alive,
                ..Bodies::points(&centers)
            };
            tree.apply(bodies, &[Change::Add(unit as UnitId)], &mut counter);
            tree.validate(bodies).unwrap();
        }
        assert!(counter.splits > 0 && counter.merges == 0);
        for unit in 0..6 {
            alive[unit] = false;
            let bodies = Bodies {
                alive: &alive,
                ..Bodies::points(&centers)
            };
            tree.apply(bodies, &[Change::Remove(unit as UnitId)], &mut counter);
            tree.validate(bodies).unwrap();
        }
        assert_eq!(counter.merges, counter.splits, "back to the root alone");
    }

    #[test]
    fn a_unit_far_away_leaves_the_smallest_cells_as_small_as_they_were() {
        let mut centers: Vec<_> = (0..64).map(|place| Vec2::splat(place as f32)).collect();
        let mut tree = built(&centers, 1.0);
        let smallest = |tree: &Quadtree| {
            let sides = tree.pool.nodes.iter().map(|node| node.bounds.size().x);
            sides.fold(f32::INFINITY, f32::min)
        };
        let before = smallest(&tree);
        centers[63] = Vec2::new(-1.0e8, 3.0e7);
        moved(&mut tree, &centers, 63);
        assert_eq!(smallest(&tree), before);
        assert!(tree.doublings >= 20);
    }

    #[test]
    fn a_crowd_on_one_spot_shrinks_in_any_order_and_how_far_it_reaches_with_it() {
        const CROWD: usize = 300;
        let mut centers = vec![Vec2::splat(3.0); CROWD];
        centers.push(Vec2::splat(100.0));
        let mut halves = vec![Vec2::splat(2.0); CROWD + 1];
        halves[CROWD] = Vec2::splat(0.125);
        let sized = |halves: &[Vec2], tree: &mut Quadtree, changes: &[Change]| {
            let bodies = Bodies {
                half_extents: halves,
                ..Bodies::points(&centers)
            };
            match changes {
                [] => tree.rebuild(bodies, &mut ()),
                _ => tree.apply(bodies, changes, &mut ()),
            }
            tree.validate(bodies).unwrap();
            let largest = halves.iter().fold(Vec2::ZERO, |sum, half| sum.max(*half));
            assert_eq!(tree.reach(ROOT), largest);
        };
        let mut tree = Quadtree::new(FIELD);
        tree.set_knob(CAPACITY, 4.0);
        sized(&halves, &mut tree, &[]);
        let mut moves: Vec<Change> = (0..CROWD as UnitId).map(Change::Move).collect();
        for half in [1.75, 1.5] {
            halves[..CROWD].fill(Vec2::new(half, 1.0));
            sized(&halves, &mut tree, &moves);
            moves.reverse();
        }
        // Who was the widest is another one each time, and the highest somebody else.
        for (unit, half) in halves[..CROWD].iter_mut().enumerate() {
            *half = Vec2::new((unit * 7 % CROWD) as f32, (unit * 11 % CROWD) as f32) / 256.0;
        }
        sized(&halves, &mut tree, &moves);
        for unit in 0..CROWD {
            halves[unit] *= 0.5;
            sized(&halves, &mut tree, &[Change::Move(unit as UnitId)]);
        }
        // All of them, at once.
        moves.push(Change::Move(CROWD as UnitId));
        halves.fill(Vec2::splat(0.0625));
        sized(&halves, &mut tree, &moves);
    }

    #[test]
    fn whoever_is_left_of_a_crowd_reaches_no_farther_than_it_is_large() {
        let mut centers = vec![Vec2::splat(3.0); 40];
        let mut halves = vec![Vec2::ONE; 40];
        halves[0] = Vec2::splat(5.0);
        let mut alive = vec![true; 40];
        let mut tree = Quadtree::new(FIELD);
        tree.set_knob(CAPACITY, 4.0);
        let sized = |centers: &[Vec2], alive: &[bool], tree: &mut Quadtree, changes: &[Change]| {
            let bodies = Bodies {
                centers,
                half_extents: &halves,
                alive,
            };
            match changes {
                [] => tree.rebuild(bodies, &mut ()),
                _ => tree.apply(bodies, changes, &mut ()),
            }
            tree.validate(bodies).unwrap();
            tree.reach(ROOT)
        };
        assert_eq!(sized(&centers, &alive, &mut tree, &[]), halves[0]);
        // All go elsewhere, and then all but one out of the world, the largest first.
        centers.fill(Vec2::splat(90.0));
        let moves: Vec<Change> = (0..40).map(Change::Move).collect();
        assert_eq!(sized(&centers, &alive, &mut tree, &moves), halves[0]);
        alive[..39].fill(false);
        let falls: Vec<Change> = (0..39).map(Change::Remove).collect();
        assert_eq!(sized(&centers, &alive, &mut tree, &falls), Vec2::ONE);
    }

    /// Bodies of several sizes, with what is kept of them.
    struct Crossing {
        centers: Vec<Vec2>,
        halves: Vec<Vec2>,
        alive: Vec<bool>,
        tree: Quadtree,
    }

    impl Crossing {
        /// Those of a crowd that drains: one far to the right and left, one far up and down, four small ones, and beside them, in the
        /// other quarter of the same node, one that is wider than all of them and low.
        fn new() -> Self {
            let spot = Vec2::splat(3.0);
            let mut bodies = Self {
                centers: vec![spot; 6],
                halves: vec![Vec2::ONE; 6],
                alive: vec![true; 7],
                tree: Quadtree::new(FIELD),
            };
            bodies.halves[0] = Vec2::new(1.0, 5.0);
            bodies.halves[1] = Vec2::new(5.0, 1.0);
            bodies.centers.push(Vec2::new(3.04, 3.0));
            bodies.halves.push(Vec2::new(6.0, 1.0));
            bodies.build();
            bodies
        }

        fn bodies(&self) -> Bodies<'_> {
            Bodies {
                centers: &self.centers,
                half_extents: &self.halves,
                alive: &self.alive,
            }
        }

        fn build(&mut self) {
            self.tree.set_knob(CAPACITY, 4.0);
            self.apply(&[]);
        }

        /// Builds where there are no changes.
        fn apply(&mut self, changes: &[Change]) {
            let mut tree = std::mem::replace(&mut self.tree, Quadtree::new(FIELD));
            match changes {
                [] => tree.rebuild(self.bodies(), &mut ()),
                _ => tree.apply(self.bodies(), changes, &mut ()),
            }
            tree.validate(self.bodies())
                .expect("every node reaches as far as those below it");
            self.tree = tree;
        }
    }

    #[test]
    fn a_crowd_that_drains_in_one_edit_leaves_the_nodes_above_as_wide_as_who_is_left() {
        // Gone out of the world.
        let mut bodies = Crossing::new();
        for gone in [0, 2, 1] {
            bodies.alive[gone] = false;
        }
        bodies.apply(&[Change::Remove(0), Change::Remove(2), Change::Remove(1)]);
        assert_eq!(bodies.tree.reach(ROOT), Vec2::new(6.0, 1.0));
        // Gone elsewhere, where they are still as large.
        let mut bodies = Crossing::new();
        for gone in [0, 2, 1] {
            bodies.centers[gone] = Vec2::splat(100.0);
        }
        bodies.apply(&[Change::Move(0), Change::Move(2), Change::Move(1)]);
        assert_eq!(bodies.tree.reach(ROOT), Vec2::new(6.0, 5.0));
        // Shrunk, while some of the others went.
        let mut bodies = Crossing::new();
        bodies.halves[..2].fill(Vec2::ONE);
        bodies.alive[2..4].fill(false);
        bodies.apply(&[
            Change::Move(0),
            Change::Remove(2),
            Change::Remove(3),
            Change::Move(1),
        ]);
        assert_eq!(bodies.tree.reach(ROOT), Vec2::new(6.0, 1.0));
    }

    #[test]
    fn bodies_that_are_long_either_way_come_go_and_shrink_while_their_crowds_drain() {
        const SIZES: [Vec2; 6] = [
            Vec2::ONE,
            Vec2::new(1.0, 5.0),
            Vec2::new(5.0, 1.0),
            Vec2::new(6.0, 1.0),
            Vec2::new(1.0, 6.0),
            Vec2::new(3.0, 3.0),
        ];
        const COUNT: u64 = 20;
        let mut random = crate::chance::Stream::new(7);
        let mut bodies = Crossing::new();
        let row = bodies.centers.len()..COUNT as usize;
        bodies.centers.extend(row.clone().map(|_| Vec2::splat(3.0)));
        bodies.halves.extend(row.clone().map(|_| Vec2::ONE));
        bodies.alive.extend(row.map(|_| true));
        bodies.apply(&[]);
        for _ in 0..600 {
            let mut changes = Vec::new();
            // From a few to nearly all of them, in any order and each once.
            let (first, step) = (random.below(COUNT), [1, 3, 7, 9][random.below(4) as usize]);
            for place in 0..1 + random.below(COUNT) {
                let unit = (first + place * step) % COUNT;
                let row = unit as usize;
                let was_alive = bodies.alive[row];
                bodies.alive[row] = random.below(3) > 0;
                let change = match (was_alive, bodies.alive[row]) {
                    (false, false) => continue,
                    (true, false) => Change::Remove(unit as UnitId),
                    (false, true) => Change::Add(unit as UnitId),
                    (true, true) => Change::Move(unit as UnitId),
                };
                if bodies.alive[row] {
                    let x = [3.0, 3.0, 3.04, 90.0][random.below(4) as usize];
                    bodies.centers[row] = Vec2::new(x, 3.0);
                    bodies.halves[row] = SIZES[random.below(6) as usize];
                }
                changes.push(change);
            }
            if !changes.is_empty() {
                bodies.apply(&changes);
            }
        }
    }

    #[test]
    fn who_is_put_right_by_a_build_leaves_a_crowd_that_reaches_no_farther_than_it_is_large() {
        let mut centers = vec![Vec2::new(64.0, 3.0); 30];
        // Within a rounding of the cut between the halves of the field.
        centers.push(Vec2::new(64.0_f32.next_down(), 3.0));
        let mut halves = vec![Vec2::ONE; 30];
        halves.push(Vec2::splat(5.0));
        let mut bodies = Crossing {
            centers,
            halves,
            alive: Vec::new(),
            tree: Quadtree::new(FIELD),
        };
        bodies.build();
        let crowd = bodies.tree.descend(ROOT, bodies.centers[0], &mut ());
        assert_eq!(bodies.tree.reach(crowd), Vec2::ONE);
    }
}
