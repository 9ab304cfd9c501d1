//! All pairs: the double loop that every other structure is measured against and proven equal to.

use crate::geometry::Aabb;
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::shares::hands;
use crate::partition::{
    Best, Bodies, Info, NearestQuery, Neighbor, Outgrown, Pair, PairBatch, Part, Partition,
    Placement, Region, RegionQuery, Search, UnitId, Violation,
};
use crate::probe::{Event, Probe, Work};

#[cfg(test)]
mod damage;

/// No structure at all: every query tests every unit.
///
/// # Algorithm
///
/// 1. Keep the units alive in one list, and for each unit its place in the list.
/// 2. A query tests the whole list. Pairs are tested for each a < b in the list once: n(n - 1)/2 tests.
///
/// Build O(n); add, move, remove O(1); range, radius, nearest, segment O(n); pairs O(n²). Points and boxes alike.
///
/// Reference: R. Nystrom, *Game Programming Patterns* (2014), "Spatial Partition", the first listing.
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Partition};
/// use skirmish::partition::structures::all_pairs::AllPairs;
///
/// // A duel of three: fewer than a tree would take nodes for.
/// let fighters = [Vec2::new(1.0, 1.0), Vec2::new(2.0, 1.0), Vec2::new(9.0, 9.0)];
/// let bodies = Bodies::points(&fighters);
/// let mut index = AllPairs::new(Aabb::new(Vec2::ZERO, Vec2::splat(10.0)));
/// index.rebuild(bodies, &mut ());
/// let mut blows = Vec::new();
/// index.pairs(bodies, 1.5, &mut (), |pairs| blows.extend_from_slice(pairs));
/// assert_eq!(blows, [(0, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct AllPairs {
    /// The units alive, in no order.
    units: Vec<UnitId>,
    /// Row of a unit → its place in `units`; [`NOWHERE`] for rows that are not in use.
    places: Vec<u32>,
}

/// The place of a unit that is not in the list.
const NOWHERE: u32 = u32::MAX;

impl AllPairs {
    fn insert(&mut self, unit: UnitId) {
        let row = unit as usize;
        if row >= self.places.len() {
            self.places.resize(row + 1, NOWHERE);
        }
        debug_assert_eq!(self.places[row], NOWHERE, "unit {unit} was added twice");
        self.places[row] = self.units.len() as u32;
        self.units.push(unit);
    }

    /// Tests every unit and visits those that the search holds.
    #[inline]
    fn scan<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        search: &impl Search,
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
}

impl Partition for AllPairs {
    const INFO: Info = Info {
        key: "all-pairs",
        name: "all pairs",
        tagline: "every unit against every other",
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

    fn new(_field: Aabb) -> Self {
        Self::default()
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
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
        _bodies: Bodies<'_>,
        unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(unit);
        Ok(())
    }

    fn relocate<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
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

    fn search<S: Search, P: Probe>(
        &self,
        bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.scan(bodies, search, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        query: NearestQuery,
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
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let reach_sq = reach * reach;
        let mut batch = PairBatch::new(batch);
        // One row at a time: the first ones have the most partners, so longer hands would be unequal shares.
        for first in hands(part, 0..self.units.len(), 1).flatten() {
            let a = self.units[first];
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

    fn regions(&self, _query: RegionQuery, _visit: &mut dyn FnMut(Region<'_>)) {}

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
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
