//! All pairs: the double loop that every other structure is measured against and proven equal to.

use crate::partition::{
    Best, Info, Neighbor, Outgrown, Pair, PairBatch, Placement, UnitId, Violation,
};
use crate::probe::{Event, Probe, Work};
use crate::volume::toolkit::roll::Roll;
use crate::volume::{Aabb3, Bodies3, NearestQuery3, Partition3, Region3, RegionQuery3, Search3};

/// No structure at all: every query tests every unit.
///
/// # Algorithm
///
/// 1. Keep the units alive in one list, and for each unit its place in the list.
/// 2. A query tests the whole list. Pairs are tested for each a < b in the list once: n(n - 1)/2 tests.
///
/// Build O(n); add, move, remove O(1); box, sphere, nearest, segment O(n); pairs O(n²). Points and boxes alike.
///
/// Reference: R. Nystrom, *Game Programming Patterns* (2014), "Spatial Partition", the first listing.
///
/// # Example
///
/// ```
/// use skirmish::volume::{Aabb3, Bodies3, Partition3, Vec3};
/// use skirmish::volume::structures::all_pairs::AllPairs3;
///
/// // Three drones: who is in radio range of whom?
/// let drones = [Vec3::ZERO, Vec3::new(0.0, 3.0, 4.0), Vec3::splat(90.0)];
/// let bodies = Bodies3::points(&drones);
/// let mut index = AllPairs3::new(Aabb3::new(Vec3::ZERO, Vec3::splat(100.0)));
/// index.rebuild(bodies, &mut ());
/// let mut links = Vec::new();
/// index.pairs(bodies, 5.0, &mut (), |pairs| links.extend_from_slice(pairs));
/// assert_eq!(links, [(0, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct AllPairs3 {
    /// The units alive, in no order.
    units: Vec<UnitId>,
    /// Row of a unit → its place in `units`; [`NOWHERE`] for rows that are not in use.
    places: Vec<u32>,
}

/// The place of a unit that is not in the list.
const NOWHERE: u32 = u32::MAX;

impl AllPairs3 {
    fn insert(&mut self, unit: UnitId) {
        let row = unit as usize;
        if row >= self.places.len() {
            self.places.resize(row + 1, NOWHERE);
        }
        debug_assert_eq!(self.places[row], NOWHERE, "unit {unit} was added twice");
        self.places[row] = self.units.len() as u32;
        self.units.push(unit);
    }
}

impl Partition3 for AllPairs3 {
    const INFO: Info = Info {
        key: "all-pairs-3d",
        name: "all pairs, 3-D",
        tagline: "each against each",
        placement: Placement::Tight,
        what: "No structure: every query looks at every unit. It is the reference to which all others are proven equal.",
        cost: "build O(n) · move O(1) · pairs n(n - 1)/2 tests",
        wins: "below a few dozen units, where nothing else pays for itself",
        loses: "everywhere else: twice the units are four times the work",
        source: "Nystrom, Game Programming Patterns (2014), Spatial Partition",
        told: 0,
        told_of_sizes: 0,
        knobs: &[],
    };

    const TESTS_EVERY_PAIR: bool = true;

    fn new(_field: Aabb3) -> Self {
        Self::default()
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.units.clear();
        self.places.clear();
        self.places.resize(bodies.slot_count(), NOWHERE);
        for unit in bodies.ids() {
            self.insert(unit);
        }
    }

    fn add<P: Probe>(
        &mut self,
        _bodies: Bodies3<'_>,
        unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(unit);
        Ok(())
    }

    fn relocate<P: Probe>(
        &mut self,
        _bodies: Bodies3<'_>,
        _unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        Ok(())
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, _probe: &mut P) -> Result<(), Outgrown> {
        let place = std::mem::replace(&mut self.places[unit as usize], NOWHERE);
        self.units.swap_remove(place as usize);
        if let Some(moved) = self.units.get(place as usize) {
            self.places[*moved as usize] = place;
        }
        Ok(())
    }

    fn search<S: Search3, P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        search: &S,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let mut hits = 0;
        for &unit in &self.units {
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if search.holds(bodies.aabb(unit)) {
                hits += 1;
                if P::DETAILED {
                    probe.on(Event::Hit(unit));
                }
                visit(unit);
            }
        }
        if !P::DETAILED {
            probe.tests(self.units.len() as u64);
            probe.hits(hits);
        }
    }

    fn seek_nearest<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        query: NearestQuery3,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut best = Best::new(out, query.count, query.within);
        for &unit in &self.units {
            probe.on(Event::Test(unit));
            let distance_sq = bodies.aabb(unit).distance_sq(query.point);
            if best.wants(unit, distance_sq) && filter(unit) {
                best.offer(unit, distance_sq);
            }
        }
        best.finish(probe);
    }

    fn seek_pairs<P: Probe>(
        &self,
        bodies: Bodies3<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let reach_sq = reach * reach;
        let mut batch = PairBatch::new(batch);
        for (first, &a) in self.units.iter().enumerate() {
            let body = bodies.aabb(a);
            let rest = &self.units[first + 1..];
            let mut hits = 0;
            for &b in rest {
                let hit = body.gap_sq(bodies.aabb(b)) <= reach_sq;
                if P::DETAILED {
                    probe.on(Event::TestPair(a.min(b), a.max(b)));
                    if hit {
                        probe.on(Event::HitPair(a.min(b), a.max(b)));
                    }
                }
                hits += u64::from(hit);
                batch.push_if(a, b, hit);
            }
            if !P::DETAILED {
                probe.tests(rest.len() as u64);
                probe.hits(hits);
            }
        }
        batch.flush();
    }

    fn regions(&self, _query: RegionQuery3, _visit: &mut dyn FnMut(Region3)) {}

    fn validate(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        for (place, &unit) in (0..).zip(&self.units) {
            roll.meet(unit, None)?;
            let booked = self.places.get(unit as usize).copied();
            Violation::unless(
                booked == Some(place),
                None,
                || format!("unit {unit} at its place {place}"),
                || format!("{booked:?}"),
            )?;
        }
        roll.close(self.places.iter().filter(|it| **it != NOWHERE).count())
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("units", self.units.capacity() * size_of::<UnitId>());
        say("places", self.places.capacity() * size_of::<u32>());
    }
}
