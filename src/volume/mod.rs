//! The third dimension: the structures that answer *who is near whom?* in space, and the registry that lists them.
//!
//! A sibling of [`crate::partition`] with the same habits and a smaller trait. What knows no dimension is that module's own:
//! units, pairs, changes, knobs, facts, probes. What does know one is here, and no code is generic over it: the structures on a
//! plane stay as plain as they are.
//!
//! Every structure means the same by every operation:
//!
//! - Boxes, balls, reach and segments are closed: what only touches is found.
//! - The distance between two bodies is the gap between their boxes; a point is a box of size 0.
//! - A result is a set: a visitor sees each unit once, in any order. [`Partition3::nearest`] alone is ordered, by
//!   (distance², id). [`Partition3::pairs`] gives each pair once, the smaller id first.
//! - A unit outside the field is legal and found like any other.
//! - What is below zero, or no number, is no limit: a reach, a radius, a half width or a distance of that kind finds nothing,
//!   and neither does a place with such a coordinate or a box that ends before it begins. Zero is touching, whatever its
//!   sign; infinity is as far as anybody is.
//!
//! Whoever owns the units owns their positions; a structure is a secondary index which may copy what it sorts by, and
//! [`Partition3::validate`] compares every copy with the truth.
//!
//! ```
//! use skirmish::partition::Change;
//! use skirmish::volume::{Aabb3, AnyPartition3, Bodies3, Kind3, RegionQuery3, Vec3};
//!
//! let mut centers = vec![Vec3::ZERO, Vec3::new(0.0, 3.0, 4.0), Vec3::splat(9.0)];
//! let field = Aabb3::new(Vec3::splat(-16.0), Vec3::splat(16.0));
//! for &kind in Kind3::ALL {
//!     let mut index = AnyPartition3::new(kind, field);
//!     index.rebuild(Bodies3::points(&centers), &mut ());
//!     let mut found = Vec::new();
//!     index.pairs(Bodies3::points(&centers), 5.0, &mut (), |pairs| found.extend_from_slice(pairs));
//!     assert_eq!(found, [(0, 1)]);
//!     // Whoever moves a unit tells the index.
//!     centers[2] = Vec3::new(0.0, 3.0, 5.0);
//!     index.apply(Bodies3::points(&centers), &[Change::Move(2)], &mut ());
//!     let mut near = Vec::new();
//!     index.sphere(Bodies3::points(&centers), centers[1], 1.0, &mut (), |unit| near.push(unit));
//!     near.sort();
//!     assert_eq!(near, [1, 2]);
//!     index.regions(RegionQuery3::ALL, &mut |region| assert!(region.load <= 3));
//!     centers[2] = Vec3::splat(9.0);
//! }
//! ```
//!
//! Invariant: a structure knows no colours, and nobody outside this folder knows a structure: views, command line, tests and
//! benchmarks loop over [`Kind3::ALL`]. A new structure is one file in [`structures`], with its `mod` line there, and one row
//! in the registry.
//!
//! Invariant: no query allocates, but for the list of the nearest, which the caller owns.

use crate::partition::one_copy;
use crate::partition::{
    COORDINATE_LIMIT, Change, Course, Fact, Info, Joining, Neighbor, Outgrown, Pair, RegionId,
    Setting, UnitId, Violation,
};
use crate::probe::{Event, Probe, Work};

mod bodies;
mod picture;
mod query;
mod registry;
pub mod structures;
mod toolkit;
#[cfg(test)]
mod trial;

pub use crate::geometry3::{Aabb3, Segment3, Vec3};
pub use bodies::Bodies3;
pub use picture::Region3;
pub use query::{NearestQuery3, RegionQuery3};
pub use registry::{AnyPartition3, Kind3};
pub use toolkit::search::{Ball, Cuboid, Search3, Way3};

/// Farther than any two bodies are apart, in metres: their corners are within twice the limit of coordinates.
const FARTHEST: f32 = 8.0 * COORDINATE_LIMIT;

/// An index over bodies in space that answers who is near whom.
///
/// `bodies` is always the present truth. Queries may be asked only when every edit since the last one was told through
/// [`Partition3::rebuild`] or [`Partition3::apply`].
pub trait Partition3: Sized + Send + Sync + 'static {
    /// What it is called, what it costs, what can be set.
    const INFO: Info;

    /// Where the value of each knob of [`Info::knobs`] is kept, in the same order.
    const SETTINGS: &'static [Setting<Self>] = &[];

    /// Whether it tests each pair of units, whatever they are: then what a step will cost is known before it is asked.
    const TESTS_EVERY_PAIR: bool = false;

    /// When the parts of a node become one leaf again.
    const JOINING: Joining = Joining::Never;

    /// An empty index, its knobs at their defaults, for units that are mostly within `field`.
    fn new(field: Aabb3) -> Self;

    /// The value of the knob at `index` in [`Info::knobs`].
    fn knob(&self, index: usize) -> f64 {
        (Self::SETTINGS[index].get)(self)
    }

    /// Sets the knob at `index` to a value that the knob [accepts](crate::partition::Knob::accepts). The index has to be
    /// rebuilt before it is used again, unless the knob is one of the picture alone.
    fn set_knob(&mut self, index: usize, value: f64) {
        (Self::SETTINGS[index].set)(self, value);
    }

    /// The value with which a knob is reckoned: where it is [`AUTO`](crate::partition::AUTO), what was chosen when the index
    /// was last built.
    fn knob_in_effect(&self, index: usize) -> f64 {
        (Self::SETTINGS[index].in_effect)(self)
    }

    /// Says how far apart pairs will be asked for, so that knobs at [`AUTO`](crate::partition::AUTO) can be chosen to fit when
    /// the index is next built. It is about speed alone: whatever was said, any reach is answered.
    fn expect(&mut self, reach: f32) {
        for setting in Self::SETTINGS {
            (setting.expect)(self, reach);
        }
    }

    /// Lets the knob at `index`, where it is [`AUTO`](crate::partition::AUTO), come to this value when the index is next built: what fits is looked for all the
    /// same.
    fn hold_knob(&mut self, index: usize, value: f64) {
        (Self::SETTINGS[index].hold)(self, value);
    }

    /// Forgets everything and indexes the units alive.
    fn rebuild<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P);

    /// Brings the index up to date. `bodies` is the truth after all of `changes`; they are taken in order, and the same
    /// unit may occur several times (a removal followed by an addition reuses its row). A unit that moved and is not
    /// named is a broken promise.
    ///
    /// Provided over the single edits below.
    fn apply<P: Probe>(&mut self, bodies: Bodies3<'_>, changes: &[Change], probe: &mut P) {
        match self.prepare(bodies, changes, probe) {
            Course::OneByOne => {}
            Course::Done => return,
            Course::Rebuild => return self.rebuild(bodies, probe),
        }
        for change in changes {
            if self.make(bodies, *change, probe).is_err() {
                return self.rebuild(bodies, probe);
            }
        }
        if self.settle(bodies, changes, probe).is_err() {
            self.rebuild(bodies, probe);
        }
    }

    /// Makes one change, and tells who came or goes. Provided over the three below, which tell what else they do.
    fn make<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        change: Change,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        match change {
            Change::Add(unit) => {
                self.add(bodies, unit, probe)?;
                probe.on(Event::Work(Work::Add));
                Ok(())
            }
            Change::Move(unit) => self.relocate(bodies, unit, probe),
            Change::Remove(unit) => {
                probe.on(Event::Work(Work::Remove));
                self.remove(unit, probe)
            }
        }
    }

    /// What comes before the single edits of [`Partition3::apply`]: makes room in tables, notices that points have become
    /// bodies, makes a mass of changes at once where that is faster.
    fn prepare<P: Probe>(
        &mut self,
        _bodies: Bodies3<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        Course::OneByOne
    }

    /// What comes after the single edits of [`Partition3::apply`].
    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies3<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        Ok(())
    }

    /// Takes in a unit that it does not hold.
    fn add<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown>;

    /// Brings a unit that it holds to where it is now, and to its size.
    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown>;

    /// Lets go of a unit that it holds. Its row may be another's by now, so its body is not to be looked at.
    fn remove<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown>;

    /// Visits the units that `search` holds: the one traversal behind [`Partition3::range`], [`Partition3::sphere`] and
    /// [`Partition3::segment`], which ask nothing of a part of space that holds nothing.
    fn search<S: Search3, P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    );

    /// Visits the units whose boxes overlap `area`.
    fn range<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        area: Aabb3,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        one_copy!(visit: &mut dyn FnMut(UnitId));
        // False where a corner is no number, too.
        if area.min.cmple(area.max).all() {
            let far = Vec3::splat(FARTHEST);
            let area = Aabb3::new(area.min.clamp(-far, far), area.max.clamp(-far, far));
            self.search(bodies, &Cuboid(area), probe, visit);
        }
    }

    /// Visits the units whose boxes come within `radius` of `center`.
    fn sphere<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        center: Vec3,
        radius: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        one_copy!(visit: &mut dyn FnMut(UnitId));
        if !(center.is_finite() && radius >= 0.0) {
            return;
        }
        if radius * radius == f32::INFINITY {
            return self.range(bodies, Aabb3::EVERYTHING, probe, visit);
        }
        self.search(bodies, &Ball::new(center, radius), probe, visit);
    }

    /// Visits the units whose boxes the segment meets (line of sight, a bullet's way).
    fn segment<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        segment: Segment3,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        one_copy!(visit: &mut dyn FnMut(UnitId));
        let Segment3 {
            from,
            to,
            half_width,
        } = segment;
        if !(from.is_finite() && to.is_finite() && half_width >= 0.0) {
            return;
        }
        if half_width * half_width == f32::INFINITY {
            return self.range(bodies, Aabb3::EVERYTHING, probe, visit);
        }
        self.search(bodies, &Way3(segment), probe, visit);
    }

    /// Clears `out` and fills it with the units nearest to the query's point that pass `filter`, sorted by
    /// (distance², id).
    fn nearest<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        query: NearestQuery3,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        one_copy!(filter: &mut dyn FnMut(UnitId) -> bool);
        if query.point.is_finite() && query.within >= 0.0 && query.count > 0 {
            self.seek_nearest(bodies, query, filter, probe, out);
        } else {
            out.clear();
        }
    }

    /// [`Partition3::nearest`] for a query that may find somebody.
    fn seek_nearest<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        query: NearestQuery3,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    );

    /// Gives each pair of units whose boxes are at most `reach` apart once, in batches, the smaller id first.
    fn pairs<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        one_copy!(batch: &mut dyn FnMut(&[Pair]));
        if reach >= 0.0 {
            self.seek_pairs(bodies, reach.min(FARTHEST), probe, batch);
        }
    }

    /// [`Partition3::pairs`] for a reach that may find somebody, and that is a finite number.
    fn seek_pairs<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    );

    /// Visits the regions that the query wants, every parent before its children.
    fn regions(&self, query: RegionQuery3, visit: &mut dyn FnMut(Region3));

    /// Says what is worth knowing of one region beyond what [`Region3`] carries. An id that is not in use says nothing.
    fn facts(&self, _bodies: Bodies3<'_>, _region: RegionId, _say: &mut dyn FnMut(Fact)) {}

    /// Says how well the structure is built: depth, occupancy, height against ideal.
    fn quality(&self, _say: &mut dyn FnMut(Fact)) {}

    /// Compares topology, bounds, membership and every copy with the truth.
    fn validate(&self, bodies: Bodies3<'_>) -> Result<(), Violation>;

    /// Says how many bytes each part of the index takes on the heap.
    fn memory(&self, say: &mut dyn FnMut(&'static str, usize));

    /// The bytes that the index takes on the heap.
    fn byte_count(&self) -> usize {
        let mut sum = 0;
        self.memory(&mut |_, bytes| sum += bytes);
        sum
    }
}
