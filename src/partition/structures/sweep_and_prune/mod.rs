//! Sweep and prune: bodies in the order in which they begin and end along an axis.

use crate::geometry::Aabb;
use crate::partition::knob::settings;
use crate::partition::toolkit::fit::{Fitted, Throng};
use crate::partition::toolkit::turn::turned;
use crate::partition::{
    AUTO, Bodies, Change, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery, Neighbor,
    Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search, Setting, UnitId,
    Violation,
};
use crate::probe::{Event, Probe, Work};
use lists::Lists;
use strips::Strips;

mod each;
mod line;
mod lists;
mod order;
mod pair_set;
mod pairs;
mod picture;
mod query;
mod strip;
mod strips;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// Bodies in the order in which they begin along an axis, kept by insertion from one step to the next.
///
/// # Algorithm
///
/// On one axis:
///
/// 1. Cut the field into strips across the axis, a few bodies high. A body stands in every strip that it touches, among the
///    others in the order of their left borders, with a mark where it begins and where it ends. Borders lie in columns, so that
///    eight are tested at once.
/// 2. A step takes over the new borders and restores the order by insertion: one swap for each two bodies that have
///    changed places, which are few. Whoever has come to another strip is merged into it. A rebuild deals the bodies out to
///    the strips and sorts each by the digits of a whole number in the order of the float.
/// 3. Pairs: sweep along each strip; each body is tested with those that begin after it and before it ends. A pair that
///    touches several strips together counts where one of the two begins. Pairs across a border of strips are those of
///    bodies that end below it with bodies that begin above it, within reach.
/// 4. A query does the same with its own borders, found by binary search.
/// 5. The few bodies that are larger than several strips stand in a list of their own that every query looks at. For pairs it
///    is they who look around in the strips. Strips are at least so high that the others touch two on average.
///
/// On both axes:
///
/// 1. Keep the beginnings and ends of all bodies, inflated by half of a chosen reach, sorted along x and along y by
///    insertion, and with them the set of pairs that overlap on both.
/// 2. Where a beginning and an end change places, and nowhere else, two bodies begin or cease to overlap along that axis:
///    the pair is added to the set, or removed. Pairs then cost no search at all: the set is gone through.
/// 3. Pairs of a longer reach are found by a sweep. A query takes the axis along which fewer endpoints are abreast of it.
///
/// Build O(n log n). Move: O(n + swaps); on one axis hardly any, on both as many as bodies abreast of each other, which is
/// what it costs to know the pairs without looking. Query O(log n + bodies abreast) for each strip. Points and boxes alike,
/// by their true borders ([`Placement::Replicate`]).
///
/// Limits, so that nothing hangs: insertion gives up after 32 swaps each for a sort anew; the set is given up where
/// more than 16 pairs a unit overlap, or where finding them would take more than 1,024 tests a unit.
///
/// Reference: D. Baraff, *Dynamic Simulation of Non-Penetrating Rigid Bodies* (1992); J. D. Cohen et al., "I-COLLIDE"
/// (1995); R. Tracy et al., "Efficient Large-Scale Sweep and Prune Methods with AABB Insertion and Removal" (2009).
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Change, Partition};
/// use skirmish::partition::structures::sweep_and_prune::SweepAndPrune;
///
/// // The broad phase of a physics engine: boxes that touch go to the narrow phase.
/// let mut centers = vec![Vec2::new(0.0, 0.0), Vec2::new(3.0, 0.0), Vec2::new(9.0, 0.0)];
/// const CRATES: [Vec2; 3] = [Vec2::splat(1.0); 3];
/// fn world(centers: &[Vec2]) -> Bodies<'_> {
///     Bodies { centers, half_extents: &CRATES, alive: &[] }
/// }
/// let mut index = SweepAndPrune::new(Aabb::new(Vec2::splat(-50.0), Vec2::splat(50.0)));
/// index.rebuild(world(&centers), &mut ());
/// for _frame in 0..10 {
///     centers[0].x += 0.125;
///     index.apply(world(&centers), &[Change::Move(0)], &mut ());
/// }
/// let mut contacts = Vec::new();
/// index.pairs(world(&centers), 0.0, &mut (), |pairs| contacts.extend_from_slice(pairs));
/// assert_eq!(contacts, [(0, 1)]);
/// ```
#[derive(Clone, Debug)]
pub struct SweepAndPrune {
    field: Aabb,
    /// The knob `axes`: one of [`AXIS_CHOICES`].
    axes: usize,
    /// The knob `strip_height`, in metres.
    strip_height: Fitted,
    /// The knob `kept_reach`, in metres.
    kept_reach: f64,
    /// On how many threads strips are put in order.
    threads: usize,
    order: Order,
}

/// How bodies are kept in order.
#[derive(Clone, Debug)]
enum Order {
    /// Along one axis.
    Strips(Strips),
    /// Along both.
    Lists(Lists),
}

/// The index of the knob `kept_reach`.
const KEPT_REACH: usize = 2;

/// The values of the knob `axes`.
const AXIS_CHOICES: &[&str] = &["x", "y", "both"];
const BOTH: usize = 2;

/// The least and the greatest strip height that may be set, in metres.
const HEIGHT_LIMITS: (f64, f64) = (0.5, 100_000.0);

/// What it is at `auto` while there is nobody whom it could fit.
const USUAL_HEIGHT: f64 = 16.0;

/// What it is at `auto`: a few reaches high where the crowd is dense, so that few bodies touch two strips, and where it is thin
/// high enough for several units side by side. By sweeps over scenes of both kinds; half of it costs a tenth.
fn fitting_height(throng: Throng) -> f32 {
    throng.side(3.5, 4.0)
}

const KNOBS: &[Knob] = &[
    Knob {
        key: "axes",
        name: "axes",
        help: "Along which axis bodies are sorted. One axis in strips is the quick one; both keep the set of overlapping pairs up to date, which pays while little moves.",
        unit: "",
        range: KnobRange::Choice(AXIS_CHOICES),
        default: 0.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "strip_height",
        name: "strip height",
        help: "With one axis: how high the strips are, if bodies allow it. Auto fits them to the reach, the bodies and how close they stand; as high as the field is a single list.",
        unit: "m",
        range: KnobRange::Number {
            min: HEIGHT_LIMITS.0,
            max: HEIGHT_LIMITS.1,
            whole: false,
            logarithmic: true,
        },
        default: AUTO,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[("axes", BOTH as f64)],
    },
    Knob {
        key: "kept_reach",
        name: "kept reach",
        help: "With both axes: pairs up to this far apart are kept from step to step. Pairs of a longer reach are searched for; a shorter one keeps fewer.",
        unit: "m",
        range: KnobRange::Number {
            min: 0.0,
            max: 100.0,
            whole: false,
            logarithmic: false,
        },
        default: 2.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[("axes", 0.0), ("axes", 1.0)],
    },
];

impl SweepAndPrune {
    /// The axis along which to look for what touches `area`.
    fn axis_for<P: Probe>(&self, area: Aabb, probe: &mut P) -> usize {
        match &self.order {
            Order::Strips(strips) => strips.layout.axis,
            Order::Lists(lists) => lists.narrower_axis(area, probe),
        }
    }
}

impl Partition for SweepAndPrune {
    const INFO: Info = Info {
        key: "sweep-and-prune",
        name: "sweep and prune",
        tagline: "sorted borders, kept by insertion",
        placement: Placement::Replicate,
        what: "Bodies in the order in which they begin along an axis. A step changes that order so little that insertion restores it with a few swaps, and a sweep along it meets only bodies that are abreast of each other. On both axes, each swap says which pair has come together or parted.",
        cost: "build O(n log n) · move O(n + swaps) · pairs O(n + bodies abreast in a strip), or those in the set",
        wins: "bodies of any shape that move little between steps; with both axes, crowds of which most stand still",
        loses: "teleports and mass edits, which swap with everybody on the way; with both axes, mass movement of very many",
        source: "Baraff, Dynamic Simulation of Non-Penetrating Rigid Bodies (1992); Cohen et al., I-COLLIDE (1995)",
        told: 6,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![axes, strip_height, kept_reach];

    fn new(field: Aabb) -> Self {
        let mut index = Self {
            field,
            axes: 0,
            strip_height: Fitted::new(USUAL_HEIGHT),
            kept_reach: KNOBS[KEPT_REACH].default,
            threads: 1,
            order: Order::Strips(Strips::new()),
        };
        index.rebuild(Bodies::points(&[]), &mut ());
        index
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        match (&mut self.order, self.axes == BOTH) {
            (Order::Strips(_), true) => self.order = Order::Lists(Lists::new()),
            (Order::Lists(_), false) => self.order = Order::Strips(Strips::new()),
            _ => {}
        }
        match &mut self.order {
            Order::Strips(strips) => {
                self.strip_height
                    .choose(bodies, HEIGHT_LIMITS, fitting_height);
                let height = self.strip_height.value() as f32;
                strips.threads = self.threads;
                strips.rebuild(bodies, self.axes, self.field, height, probe);
            }
            Order::Lists(lists) => lists.rebuild(bodies, self.kept_reach as f32, probe),
        }
    }

    /// All at once: a strip or list is put in order once, however many of its bodies have moved.
    fn apply<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P) {
        let is_outgrown = match &mut self.order {
            Order::Strips(strips) => {
                strips.threads = self.threads;
                self.strip_height.is_outgrown(bodies) || strips.apply(bodies, changes, probe)
            }
            Order::Lists(lists) => {
                lists.apply(bodies, changes, probe);
                false
            }
        };
        if is_outgrown {
            self.rebuild(bodies, probe);
        }
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        let axis = self.axis_for(search.cover(), probe);
        let search = search.turned(axis);
        match &self.order {
            Order::Strips(strips) => strips.scan(&search, probe, visit),
            Order::Lists(lists) => lists.scan(axis, &search, probe, visit),
        }
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let here = Aabb::new(query.point, query.point);
        let axis = self.axis_for(here, probe);
        let query = NearestQuery {
            point: turned(axis, query.point),
            ..query
        };
        match &self.order {
            Order::Strips(strips) => strips.nearest(query, filter, probe, out),
            Order::Lists(lists) => lists.nearest(axis, query, filter, probe, out),
        }
    }

    fn seek_pairs<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        match (&self.order, bodies.are_sized()) {
            (Order::Strips(it), _) => it.emit_pairs(reach, part, probe, batch),
            (Order::Lists(it), true) => it.emit_pairs::<true, P>(reach, part, probe, batch),
            (Order::Lists(it), false) => it.emit_pairs::<false, P>(reach, part, probe, batch),
        }
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        self.draw_regions(query, visit);
    }

    fn marks(&self, _bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        self.draw_marks(query, visit);
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        match &self.order {
            Order::Strips(strips) => strips.check(bodies),
            Order::Lists(lists) => lists.check(bodies),
        }
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        match &self.order {
            Order::Strips(strips) => strips.memory(say),
            Order::Lists(lists) => lists.memory(say),
        }
    }
}
