//! The structures that answer *who is near whom?*, what they have in common, and the registry that lists them.
//!
//! Every structure means the same by every operation:
//!
//! - Rectangles, discs, reach and segments are closed: what only touches is found.
//! - The distance between two bodies is the gap between their boxes; a point is a box of size 0.
//! - A result is a set: a visitor sees each unit once, in any order. [`Partition::nearest`] alone is ordered, by
//!   (distance², id). [`Partition::pairs`] gives each pair once, the smaller id first.
//! - A unit outside the field is legal and found like any other.
//! - What is below zero, or no number, is no limit: a reach, a radius, a half width or a distance of that kind finds nothing,
//!   and neither does a place with such a coordinate or a rectangle that ends before it begins. Zero is touching, whatever its
//!   sign; infinity is as far as anybody is.
//!
//! The battle owns the positions; a structure is a secondary index which may copy what it sorts by, and
//! [`Partition::validate`] compares every copy with the truth.
//!
//! Invariant: a structure knows no colours, and nobody outside this folder knows a structure: panels, command line, tests
//! and benchmarks loop over [`Kind::ALL`]. A new structure is one file in [`structures`],
//! with its `mod` line there, and one row in the registry.
//!
//! Invariant: a structure knows no shape. A new area to search in is one file in [`shapes`], with its `mod` line there, and one
//! row in their registry; every structure answers it through its one search.
//!
//! Invariant: no query allocates.

use crate::geometry::{Aabb, Segment, Vec2};
use crate::probe::{Event, Probe, Work};

/// Where calls are hardly optimized anyway, one copy of a traversal serves all callers behind a pointer, and none has one of its own to be
/// compiled: much of the time in which the tests are built went into such copies. A release compiles the caller's closure into the traversal.
macro_rules! one_copy {
    ($closure:ident: $pointer:ty) => {
        #[cfg(one_copy)]
        let mut $closure = $closure;
        #[cfg(one_copy)]
        let $closure: $pointer = &mut $closure;
    };
}
pub(crate) use one_copy;

mod bodies;
#[cfg(test)]
pub(crate) mod damage;
mod knob;
mod picture;
mod query;
mod registry;
pub mod shapes;
pub mod structures;
pub(crate) mod toolkit;
#[cfg(test)]
mod trial;
mod violation;

pub use crate::ids::{Pair, RegionId, UnitId};
pub use bodies::{Bodies, COORDINATE_LIMIT, Change, Course, Outgrown};
pub use knob::{
    AUTO, Info, Joining, Knob, KnobError, KnobField, KnobRange, KnobValue, Placement, Setting,
};
pub(crate) use knob::{as_in_key, typed_key};
pub use picture::{Fact, Mark, MarkRole, Region, Role, Shape, called};
pub use query::{MarkQuery, NearestQuery, Neighbor, Part, RegionQuery};
pub use registry::{AnyPartition, Kind};
pub use shapes::{AnyFigure, Around, Corridor, Figure, Polygon, Sector};
pub use toolkit::batch::PairBatch;
pub use toolkit::best::Best;
pub(crate) use toolkit::fit::rounded;
pub use toolkit::search::{Disc, Rectangle, Search, Way};
pub use violation::Violation;

/// Farther than any two bodies are apart, in metres: their corners are within twice the limit of coordinates.
const FARTHEST: f32 = 8.0 * COORDINATE_LIMIT;

/// An index over bodies that answers who is near whom.
///
/// `bodies` is always the present truth. Queries may be asked only when every edit since the last one was told through
/// [`Partition::rebuild`] or [`Partition::apply`].
pub trait Partition: Sized + Send + Sync + 'static {
    /// What it is called, what it costs, what can be set.
    const INFO: Info;

    /// Where the value of each knob of [`Info::knobs`] is kept, in the same order.
    const SETTINGS: &'static [Setting<Self>] = &[];

    /// Whether it tests each pair of units, whatever they are: then what a tick will cost is known before it is asked.
    const TESTS_EVERY_PAIR: bool = false;

    /// Up to how many boxes of what is some levels below a node lie side by side, where a search looks at them at once and passes over the
    /// levels between, so that units below an inner node are tested in it; `None` where they are tested in leaves alone.
    const SIDE_BY_SIDE: Option<usize> = None;

    /// Whether a search for the nearest goes on, at each node, with the nearest of its parts.
    const NEAREST_PART_FIRST: bool = true;

    /// When the parts of a node become one leaf again.
    const JOINING: Joining = Joining::Never;

    /// An empty index, its knobs at their defaults, for units that are mostly within `field`.
    fn new(field: Aabb) -> Self;

    /// The value of the knob at `index` in [`Info::knobs`].
    fn knob(&self, index: usize) -> f64 {
        (Self::SETTINGS[index].get)(self)
    }

    /// Sets the knob at `index` to a value that the knob [accepts](Knob::accepts). Unless it is
    /// [`Knob::picture_only`], the index has to be rebuilt before it is used again.
    fn set_knob(&mut self, index: usize, value: f64) {
        (Self::SETTINGS[index].set)(self, value);
    }

    /// The value with which a knob is reckoned: where it is [`AUTO`], what was chosen when the index was last built.
    fn knob_in_effect(&self, index: usize) -> f64 {
        (Self::SETTINGS[index].in_effect)(self)
    }

    /// Says how far apart pairs will be asked for, so that knobs at [`AUTO`] can be chosen to fit when the index is next built.
    /// It is about speed alone: whatever was said, any reach is answered.
    fn expect(&mut self, reach: f32) {
        for setting in Self::SETTINGS {
            (setting.expect)(self, reach);
        }
    }

    /// Lets the knob at `index`, where it is [`AUTO`], come to this value when the index is next built: what fits is looked for all the
    /// same.
    fn hold_knob(&mut self, index: usize, value: f64) {
        (Self::SETTINGS[index].hold)(self, value);
    }

    /// Says on how many threads [`Partition::rebuild`] and [`Partition::apply`] may run from now on. What comes of them is the same to
    /// the last bit; a structure that does not share this work runs on one.
    fn use_threads(&mut self, _threads: usize) {}

    /// Forgets everything and indexes the units alive.
    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P);

    /// Brings the index up to date. `bodies` is the truth after all of `changes`; they are taken in order, and the same
    /// unit may occur several times (a removal followed by an addition reuses its row). A unit that moved and is not
    /// named is a broken promise.
    ///
    /// Provided over the single edits below. A structure that makes many changes at once in another way says so in
    /// [`Partition::prepare`]; one that knows no single edits at all may leave everything below as it is, and is rebuilt.
    fn apply<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P) {
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
        bodies: Bodies<'_>,
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

    /// What comes before the single edits of [`Partition::apply`]: makes room in tables, notices that points have become
    /// bodies, makes a mass of changes at once where that is faster.
    fn prepare<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        Course::OneByOne
    }

    /// Takes in a unit that it does not hold.
    fn add<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        Err(Outgrown)
    }

    /// Brings a unit that it holds to where it is now, and to its size.
    fn relocate<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        Err(Outgrown)
    }

    /// Lets go of a unit that it holds. Its row may be another's by now, so its body is not to be looked at.
    fn remove<P: Probe>(&mut self, _unit: UnitId, _probe: &mut P) -> Result<(), Outgrown> {
        Err(Outgrown)
    }

    /// What comes after the single edits of [`Partition::apply`].
    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        Ok(())
    }

    /// Visits the units that `search` holds: the one traversal behind [`Partition::range`], [`Partition::radius`],
    /// [`Partition::segment`] and [`Partition::within`], which ask nothing of an area that holds nothing.
    fn search<S: Search, P: Probe>(
        &self,
        bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    );

    /// Visits the units whose boxes overlap `area`.
    fn range<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        area: Aabb,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        one_copy!(visit: &mut dyn FnMut(UnitId));
        // False where a corner is no number, too.
        if area.min.cmple(area.max).all() {
            let far = Vec2::splat(FARTHEST);
            let area = Aabb::new(area.min.clamp(-far, far), area.max.clamp(-far, far));
            self.search(bodies, &Rectangle(area), probe, visit);
        }
    }

    /// Visits the units whose boxes come within `radius` of `center`.
    fn radius<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        center: Vec2,
        radius: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        one_copy!(visit: &mut dyn FnMut(UnitId));
        if !(center.is_finite() && radius >= 0.0) {
            return;
        }
        if radius * radius == f32::INFINITY {
            return self.range(bodies, Aabb::EVERYTHING, probe, visit);
        }
        self.search(bodies, &Disc::new(center, radius), probe, visit);
    }

    /// Visits the units whose boxes the segment meets (line of sight, a bullet's way).
    fn segment<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        segment: Segment,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        one_copy!(visit: &mut dyn FnMut(UnitId));
        let Segment {
            from,
            to,
            half_width,
        } = segment;
        if !(from.is_finite() && to.is_finite() && half_width >= 0.0) {
            return;
        }
        if half_width * half_width == f32::INFINITY {
            return self.range(bodies, Aabb::EVERYTHING, probe, visit);
        }
        self.search(bodies, &Way::new(segment), probe, visit);
    }

    /// Visits the units whose boxes come into a figure of any shape.
    fn within<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        figure: &dyn Figure,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        if let Some(search) = shapes::Within::new(figure) {
            // Behind a pointer, so that a structure is compiled for figures but once for each probe.
            let visit: &mut dyn FnMut(UnitId) = &mut visit;
            self.search(bodies, &search, probe, visit);
        }
    }

    /// Visits the units whose boxes are within `reach` of that of `unit`, but itself: those with whom it is a pair of that
    /// [reach](Partition::pairs). Nobody where it is not alive.
    ///
    /// The search comes upon the unit as well, so a probe hears of one hit more than is visited.
    fn near<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        unit: UnitId,
        reach: f32,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        if bodies.is_alive(unit) {
            let around = Around::new(bodies.aabb(unit), reach);
            self.within(bodies, &around, probe, |other| {
                if other != unit {
                    visit(other);
                }
            });
        }
    }

    /// Clears `out` and fills it with the units nearest to the query's point that pass `filter`, sorted by
    /// (distance², id).
    fn nearest<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        query: NearestQuery,
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

    /// [`Partition::nearest`] for a query that may find somebody.
    fn seek_nearest<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    );

    /// Gives the pairs of units whose boxes are at most `reach` apart that belong to share `part`, in batches, the smaller
    /// id of each pair first. The shares are disjoint and together they are all pairs; the tests of the shares also add
    /// up to the tests of the whole.
    fn pairs_part<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        one_copy!(batch: &mut dyn FnMut(&[Pair]));
        if reach >= 0.0 {
            self.seek_pairs(bodies, reach.min(FARTHEST), part, probe, batch);
        }
    }

    /// [`Partition::pairs_part`] for a reach that may find somebody, and that is a finite number.
    fn seek_pairs<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    );

    /// Whether no unit is in pairs of two shares of such a search in so many shares that are not neighbours: whoever is in a pair of
    /// share 2 may be in one of share 1 or 3, but in none of 0 or 4.
    fn shares_lie_apart(&self, _reach: f32, _count: u32) -> bool {
        false
    }

    /// Gives each pair of units whose boxes are at most `reach` apart once, in batches, the smaller id first.
    fn pairs<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        self.pairs_part(bodies, reach, Part::WHOLE, probe, batch);
    }

    /// Visits the regions that overlap the query's area, every parent before its children.
    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>));

    /// Visits the pieces of the structure's own teaching picture.
    fn marks(&self, _bodies: Bodies<'_>, _query: MarkQuery, _visit: &mut dyn FnMut(Mark<'_>)) {}

    /// Says what is worth knowing of one region beyond what [`Region`] carries. An id that is not in use says nothing.
    fn facts(&self, _bodies: Bodies<'_>, _region: RegionId, _say: &mut dyn FnMut(Fact)) {}

    /// The box around whom a region holds, where searches decide by that, it is kept, and the region is drawn otherwise;
    /// [`Aabb::EMPTY`] where it holds nobody. It may be larger than it had to be.
    fn tight_box(&self, _region: RegionId) -> Option<Aabb> {
        None
    }

    /// The address by which a unit is filed, in bits; `None` where the structure has no addresses, or does not hold the unit.
    fn address(&self, _bodies: Bodies<'_>, _unit: UnitId) -> Option<String> {
        None
    }

    /// Says how well the structure is built: depth, occupancy, height against ideal.
    fn quality(&self, _say: &mut dyn FnMut(Fact)) {}

    /// Compares topology, bounds, membership and every copy with the truth.
    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation>;

    /// Says how many bytes each part of the index takes on the heap.
    fn memory(&self, say: &mut dyn FnMut(&'static str, usize));

    /// The bytes that the index takes on the heap.
    fn byte_count(&self) -> usize {
        let mut sum = 0;
        self.memory(&mut |_, bytes| sum += bytes);
        sum
    }
}
