//! The registry: which structures there are, and dispatch to one of them chosen at run time.
//!
//! One `match` a call, none in a loop: the traversal below it is the structure's own, compiled for its probe.

use super::{Aabb3, Bodies3, NearestQuery3, Partition3, Region3, RegionQuery3, Segment3, Vec3};
use crate::partition::{
    Change, Fact, Info, Joining, KnobError, Neighbor, Pair, RegionId, UnitId, Violation,
};
use crate::probe::Probe;

macro_rules! registry {
    ($($(#[$doc:meta])* $name:ident = $type:ty;)+) => {
        /// A structure's row in the registry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind3 { $($(#[$doc])* $name,)+ }

        impl Kind3 {
            /// Every structure, in the order of panels, keys and reports.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// What is known of the structure before it is built.
            pub const fn info(self) -> &'static Info {
                match self { $(Self::$name => &<$type as Partition3>::INFO,)+ }
            }

            /// When the parts of a node become one leaf again.
            pub const fn joining(self) -> Joining {
                match self { $(Self::$name => <$type as Partition3>::JOINING,)+ }
            }

            /// Whether it tests each pair of units, whatever they are.
            pub const fn tests_every_pair(self) -> bool {
                match self { $(Self::$name => <$type as Partition3>::TESTS_EVERY_PAIR,)+ }
            }
        }

        $(const _: () = assert!(
            <$type as Partition3>::INFO.knobs.len() == <$type as Partition3>::SETTINGS.len(),
            "each knob has its setting"
        );)+

        /// Any structure of the registry.
        // One index exists at a time; a box would only put a pointer in front of it.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug)]
        pub enum AnyPartition3 { $($(#[$doc])* $name($type),)+ }

        impl AnyPartition3 {
            /// An empty index of this kind for units that are mostly within `field`.
            pub fn new(kind: Kind3, field: Aabb3) -> Self {
                match kind { $(Kind3::$name => Self::$name(<$type as Partition3>::new(field)),)+ }
            }

            /// Which structure it is.
            pub const fn kind(&self) -> Kind3 {
                match self { $(Self::$name(_) => Kind3::$name,)+ }
            }
        }

        /// Calls the method on whichever structure it is.
        macro_rules! each {
            ($any:expr, $inner:ident => $call:expr) => {
                match $any { $(AnyPartition3::$name($inner) => $call,)+ }
            };
        }
    };
}

registry! {
    /// The double loop.
    AllPairs = super::structures::all_pairs::AllPairs3;
    /// The uniform grid: cells where somebody is.
    Grid = super::structures::grid::Grid3;
    /// Splits in eight past a capacity.
    Octree = super::structures::octree::Octree;
    /// A radix tree along the Z curve of space.
    Morton = super::structures::morton::MortonTree3;
}

impl Kind3 {
    /// The structure with this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.info().key == key)
    }
}

/// The methods of [`Partition3`], with the same meaning, of the structure inside.
#[allow(missing_docs)]
impl AnyPartition3 {
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

    pub fn rebuild<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        each!(self, it => it.rebuild(bodies, probe));
    }

    pub fn apply<P: Probe>(&mut self, bodies: Bodies3<'_>, changes: &[Change], probe: &mut P) {
        each!(self, it => it.apply(bodies, changes, probe));
    }

    pub fn range<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        area: Aabb3,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.range(bodies, area, probe, visit));
    }

    pub fn sphere<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        center: Vec3,
        radius: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.sphere(bodies, center, radius, probe, visit));
    }

    pub fn nearest<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        query: NearestQuery3,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        each!(self, it => it.nearest(bodies, query, filter, probe, out));
    }

    pub fn segment<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        segment: Segment3,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        each!(self, it => it.segment(bodies, segment, probe, visit));
    }

    pub fn pairs<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        reach: f32,
        probe: &mut P,
        mut batch: impl FnMut(&[Pair]),
    ) {
        // A call for each batch is not felt, and a copy of every traversal for each caller is one to be built.
        let batch: &mut dyn FnMut(&[Pair]) = &mut batch;
        each!(self, it => it.pairs(bodies, reach, probe, batch));
    }

    pub fn regions(&self, query: RegionQuery3, visit: &mut dyn FnMut(Region3)) {
        each!(self, it => it.regions(query, visit));
    }

    pub fn facts(&self, bodies: Bodies3<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        each!(self, it => it.facts(bodies, region, say));
    }

    pub fn quality(&self, say: &mut dyn FnMut(Fact)) {
        each!(self, it => it.quality(say));
    }

    pub fn validate(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
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
    use crate::partition::COORDINATE_LIMIT;

    #[test]
    fn keys_are_found_and_none_is_like_another() {
        for (place, &kind) in Kind3::ALL.iter().enumerate() {
            let info = kind.info();
            assert_eq!(Kind3::from_key(info.key), Some(kind));
            assert!(
                Kind3::ALL[..place]
                    .iter()
                    .all(|it| it.info().name != info.name)
            );
            for text in [info.tagline, info.what, info.cost, info.source] {
                assert!(!text.is_empty(), "{}", info.key);
            }
        }
        assert_eq!(Kind3::from_key("quadtree"), None);
    }

    #[test]
    fn knobs_start_at_their_defaults_and_take_what_is_set() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(64.0));
        for &kind in Kind3::ALL {
            let mut index = AnyPartition3::new(kind, field);
            for (place, knob) in kind.info().knobs.iter().enumerate() {
                assert!(knob.accepts(knob.default), "{}", knob.key);
                assert_eq!(index.knob(place), knob.default, "{}", knob.key);
                let text = knob.format(knob.default);
                assert_eq!(index.set_knob_text(knob.key, &text), Ok(()));
                assert_eq!(index.knob(place), knob.default, "{}", knob.key);
            }
            assert!(index.set_knob_text("wings", "2").is_err());
        }
    }

    #[test]
    fn an_endless_reach_pairs_units_at_the_two_ends_of_the_world() {
        let end = Vec3::splat(COORDINATE_LIMIT);
        let centers = [-end, end];
        let bodies = Bodies3::points(&centers);
        for &kind in Kind3::ALL {
            let mut index = AnyPartition3::new(kind, Aabb3::new(Vec3::ZERO, Vec3::splat(100.0)));
            index.rebuild(bodies, &mut ());
            for (reach, expected) in [(1.0e9, vec![]), (f32::INFINITY, vec![(0, 1)])] {
                let mut found = Vec::new();
                index.pairs(bodies, reach, &mut (), |batch| {
                    found.extend_from_slice(batch);
                });
                assert_eq!(found, expected, "{kind:?} with a reach of {reach}");
            }
        }
    }
}
