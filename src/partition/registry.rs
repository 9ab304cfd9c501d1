//! The registry: which structures there are, and dispatch to one of them chosen at run time.
//!
//! One `match` a call, none in a loop: the traversal below it is the structure's own, compiled for its probe.

use super::{
    Bodies, Change, Fact, Figure, Info, Joining, KnobError, Mark, MarkQuery, NearestQuery,
    Neighbor, Pair, Part, Partition, Region, RegionId, RegionQuery, UnitId, Violation,
};
use crate::geometry::{Aabb, Segment, Vec2};
use crate::probe::Probe;

macro_rules! registry {
    ($($(#[$doc:meta])* $name:ident = $type:ty;)+) => {
        /// A structure's row in the registry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($(#[$doc])* $name,)+ }

        impl Kind {
            /// Every structure, in the order of panels, keys and reports.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// What is known of the structure before it is built.
            pub const fn info(self) -> &'static Info {
                match self { $(Self::$name => &<$type as Partition>::INFO,)+ }
            }

            /// Whether it tests each pair of units, whatever they are.
            pub const fn tests_every_pair(self) -> bool {
                match self { $(Self::$name => <$type as Partition>::TESTS_EVERY_PAIR,)+ }
            }

            /// Up to how many boxes of what is some levels below a node are looked at in it at once, where units are tested so.
            pub const fn side_by_side(self) -> Option<usize> {
                match self { $(Self::$name => <$type as Partition>::SIDE_BY_SIDE,)+ }
            }

            /// Whether a search for the nearest goes on, at each node, with the nearest of its parts.
            pub const fn nearest_part_first(self) -> bool {
                match self { $(Self::$name => <$type as Partition>::NEAREST_PART_FIRST,)+ }
            }

            /// When the parts of a node become one leaf again.
            pub const fn joining(self) -> Joining {
                match self { $(Self::$name => <$type as Partition>::JOINING,)+ }
            }
        }

        $(const _: () = assert!(
            <$type as Partition>::INFO.knobs.len() == <$type as Partition>::SETTINGS.len(),
            "each knob has its setting"
        );)+

        /// Any structure of the registry.
        // One index exists at a time; a box would only put a pointer in front of it.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug)]
        pub enum AnyPartition { $($(#[$doc])* $name($type),)+ }

        impl AnyPartition {
            /// An empty index of this kind for units that are mostly within `field`.
            pub fn new(kind: Kind, field: Aabb) -> Self {
                match kind { $(Kind::$name => Self::$name(<$type as Partition>::new(field)),)+ }
            }

            /// Which structure it is.
            pub const fn kind(&self) -> Kind {
                match self { $(Self::$name(_) => Kind::$name,)+ }
            }
        }

        /// Calls the method on whichever structure it is.
        macro_rules! each {
            ($any:expr, $inner:ident => $call:expr) => {
                match $any { $(AnyPartition::$name($inner) => $call,)+ }
            };
        }
    };
}

registry! {
    /// The double loop.
    AllPairs = super::structures::all_pairs::AllPairs;
    /// Units sorted along one axis.
    BattleLine = super::structures::battle_line::BattleLine;
    /// The uniform grid of linked lists.
    LinkedGrid = super::structures::linked_grid::LinkedGrid;
    /// A uniform grid of sorted runs.
    SortedGrid = super::structures::sorted_grid::SortedGrid;
    /// The bucket quadtree.
    Quadtree = super::structures::quadtree::Quadtree;
    /// Straddlers stay above the line.
    RectQuadtree = super::structures::rect_quadtree::RectQuadtree;
    /// Halved at the median, axis by axis.
    KdTree = super::structures::kd_tree::KdTree;
    /// Halved by lines of any direction.
    BspTree = super::structures::bsp_tree::BspTree;
    /// Boxes around boxes.
    Bvh = super::structures::bvh::Bvh;
    /// QuadTreeA: a radix tree along the Z curve.
    MortonTree = super::structures::morton_tree::MortonTree;
    /// Bodies in the order in which they begin along an axis.
    SweepAndPrune = super::structures::sweep_and_prune::SweepAndPrune;
    /// One grid a size class.
    HierarchicalGrid = super::structures::hierarchical_grid::HierarchicalGrid;
}

impl Kind {
    /// The structure with this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.info().key == key)
    }
}

/// The methods of [`Partition`], with the same meaning, of the structure inside.
#[allow(missing_docs)]
impl AnyPartition {
    pub fn info(&self) -> &'static Info {
        self.kind().info()
    }

    pub fn knob(&self, index: usize) -> f64 {
        each!(self, it => it.knob(index))
    }

    pub fn knob_in_effect(&self, index: usize) -> f64 {
        each!(self, it => it.knob_in_effect(index))
    }

    /// The knobs that the structure was left to choose, each with what it chose.
    pub fn chosen(&self) -> Vec<(usize, f64)> {
        let knobs = self.info().knobs.iter().enumerate();
        knobs
            .filter(|(index, knob)| knob.is_auto(self.knob(*index)))
            .map(|(index, _)| (index, self.knob_in_effect(index)))
            .collect()
    }

    pub fn expect(&mut self, reach: f32) {
        each!(self, it => it.expect(reach));
    }

    pub fn hold_knob(&mut self, index: usize, value: f64) {
        each!(self, it => it.hold_knob(index, value));
    }

    pub fn use_threads(&mut self, threads: usize) {
        each!(self, it => it.use_threads(threads));
    }

    /// Sets the knob called `key` from text, as scenes and the command line write it.
    pub fn set_knob_text(&mut self, key: &str, value: &str) -> Result<(), KnobError> {
        let index = self.info().knob_index(key)?;
        let value = self.info().knobs[index].parse(value)?;
        self.set_knob(index, value);
        Ok(())
    }

    pub fn set_knob(&mut self, index: usize, value: f64) {
        each!(self, it => it.set_knob(index, value));
    }

    pub fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        each!(self, it => it.rebuild(bodies, probe));
    }

    pub fn apply<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P) {
        each!(self, it => it.apply(bodies, changes, probe));
    }

    pub fn range<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        area: Aabb,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.range(bodies, area, probe, visit));
    }

    pub fn radius<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        center: Vec2,
        radius: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.radius(bodies, center, radius, probe, visit));
    }

    pub fn nearest<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        each!(self, it => it.nearest(bodies, query, filter, probe, out));
    }

    pub fn segment<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        segment: Segment,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.segment(bodies, segment, probe, visit));
    }

    pub fn within<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        figure: &dyn Figure,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.within(bodies, figure, probe, visit));
    }

    pub fn near<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        unit: UnitId,
        reach: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.near(bodies, unit, reach, probe, visit));
    }

    pub fn pairs<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        probe: &mut P,
        mut batch: impl FnMut(&[Pair]),
    ) {
        // A call for each batch is not felt, and a copy of every traversal for each caller is one to be built.
        let batch: &mut dyn FnMut(&[Pair]) = &mut batch;
        each!(self, it => it.pairs(bodies, reach, probe, batch));
    }

    pub fn pairs_part<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        mut batch: impl FnMut(&[Pair]),
    ) {
        let batch: &mut dyn FnMut(&[Pair]) = &mut batch;
        each!(self, it => it.pairs_part(bodies, reach, part, probe, batch));
    }

    pub fn shares_lie_apart(&self, reach: f32, count: u32) -> bool {
        each!(self, it => it.shares_lie_apart(reach, count))
    }

    pub fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        each!(self, it => it.regions(query, visit));
    }

    pub fn marks(&self, bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        each!(self, it => it.marks(bodies, query, visit));
    }

    pub fn facts(&self, bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        each!(self, it => it.facts(bodies, region, say));
    }

    pub fn tight_box(&self, region: RegionId) -> Option<Aabb> {
        each!(self, it => it.tight_box(region))
    }

    pub fn address(&self, bodies: Bodies<'_>, unit: UnitId) -> Option<String> {
        each!(self, it => it.address(bodies, unit))
    }

    pub fn quality(&self, say: &mut dyn FnMut(Fact)) {
        each!(self, it => it.quality(say));
    }

    pub fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        each!(self, it => it.validate(bodies))
    }

    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        each!(self, it => it.memory(say));
    }

    pub fn byte_count(&self) -> usize {
        each!(self, it => it.byte_count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::{COORDINATE_LIMIT, KnobRange};
    use crate::probe::{Cancel, Counter, Patient};

    #[test]
    fn every_key_is_unique_and_every_default_accepted() {
        for (index, kind) in Kind::ALL.iter().enumerate() {
            let info = kind.info();
            assert_eq!(Kind::from_key(info.key), Some(*kind));
            assert!(
                Kind::ALL[..index]
                    .iter()
                    .all(|other| other.info().key != info.key)
            );
            let structure = AnyPartition::new(*kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
            for (index, knob) in info.knobs.iter().enumerate() {
                assert!(knob.accepts(knob.default), "{}.{}", info.key, knob.key);
                assert_eq!(
                    structure.knob(index),
                    knob.default,
                    "{}.{}",
                    info.key,
                    knob.key
                );
                assert_eq!(knob.parse(&knob.format(knob.default)), Ok(knob.default));
                assert!(knob.parse("NaN").is_err());
            }
        }
    }

    #[test]
    fn a_knob_takes_its_range_and_nothing_beyond() {
        for knob in Kind::ALL.iter().flat_map(|kind| kind.info().knobs) {
            let (within, beyond) = match knob.range {
                KnobRange::Number {
                    min, max, whole, ..
                } => (
                    vec![min, max],
                    vec![
                        min - 1.0,
                        max + 1.0,
                        if whole { min + 0.5 } else { max * 1.001 },
                    ],
                ),
                KnobRange::Choice(words) => {
                    let count = words.len() as f64;
                    (vec![0.0, count - 1.0], vec![-1.0, 0.5, count])
                }
                KnobRange::Switch => (vec![0.0, 1.0], vec![-1.0, 0.5, 2.0]),
            };
            for value in within {
                assert!(knob.accepts(value), "{}: {value}", knob.key);
            }
            for value in beyond.into_iter().chain([f64::NAN, f64::INFINITY]) {
                assert!(!knob.accepts(value), "{}: {value}", knob.key);
            }
        }
    }

    #[test]
    fn what_a_structure_chose_is_said_of_the_knobs_that_were_left_to_it_alone() {
        let centers: Vec<Vec2> = (0..500)
            .map(|unit| Vec2::new((unit % 25) as f32, (unit / 25) as f32))
            .collect();
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(30.0)));
            index.expect(1.5);
            index.rebuild(Bodies::points(&centers), &mut ());
            let knobs = kind.info().knobs;
            let chosen = index.chosen();
            let left: Vec<usize> = (0..knobs.len())
                .filter(|index| knobs[*index].may_be_auto())
                .collect();
            let said: Vec<usize> = chosen.iter().map(|(index, _)| *index).collect();
            assert_eq!(said, left, "{kind:?}");
            for (knob, value) in chosen {
                assert!(
                    value >= 1.0 && index.knob_in_effect(knob) == value,
                    "{kind:?}"
                );
                index.set_knob(knob, 7.0);
                assert_eq!(index.knob_in_effect(knob), 7.0, "{kind:?}");
            }
            assert_eq!(index.chosen(), Vec::new(), "{kind:?}, all set");
        }
    }

    #[test]
    fn what_is_held_is_what_a_structure_chooses_and_its_knob_stays_at_auto() {
        let centers: Vec<Vec2> = (0..500)
            .map(|unit| Vec2::new((unit % 25) as f32, (unit / 25) as f32))
            .collect();
        let bodies = Bodies::points(&centers);
        for kind in [Kind::LinkedGrid, Kind::SortedGrid, Kind::HierarchicalGrid] {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(30.0)));
            index.expect(1.5);
            index.rebuild(bodies, &mut ());
            let [(knob, value)] = index.chosen()[..] else {
                panic!("{kind:?} chooses its cells");
            };
            let mut held = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(30.0)));
            held.hold_knob(knob, value + 1.0);
            held.rebuild(bodies, &mut ());
            assert_eq!(held.chosen(), [(knob, value + 1.0)], "{kind:?}");
            // What is set by hand comes first.
            held.set_knob(knob, 7.0);
            held.rebuild(bodies, &mut ());
            assert_eq!(held.knob_in_effect(knob), 7.0, "{kind:?}");
        }
    }

    #[test]
    fn the_nearest_none_take_no_work() {
        let centers: Vec<Vec2> = (0..500)
            .map(|unit| Vec2::splat(unit as f32 * 0.2))
            .collect();
        let bodies = Bodies::points(&centers);
        let query = NearestQuery {
            point: Vec2::splat(50.0),
            count: 0,
            within: f32::INFINITY,
        };
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
            index.rebuild(bodies, &mut ());
            let never = Cancel::default();
            let mut counting = Patient::new(Counter::default(), &never);
            let mut out = vec![Neighbor {
                unit: 7,
                distance_sq: 0.0,
            }];
            index.nearest(bodies, query, |_| true, &mut counting, &mut out);
            assert_eq!(
                (out.len(), counting.probe),
                (0, Counter::default()),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn an_endless_reach_pairs_units_at_the_two_ends_of_the_world() {
        let end = Vec2::splat(COORDINATE_LIMIT);
        let centers = [-end, end];
        let bodies = Bodies::points(&centers);
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
            index.rebuild(bodies, &mut ());
            for (reach, expected) in [(1.0e9, vec![]), (f32::INFINITY, vec![(0, 1)])] {
                let mut found = Vec::new();
                index.pairs(bodies, reach, &mut (), |batch| {
                    found.extend_from_slice(batch)
                });
                assert_eq!(found, expected, "{kind:?} with a reach of {reach}");
            }
        }
    }
}
