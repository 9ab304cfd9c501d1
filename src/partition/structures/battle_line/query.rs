//! Searching the line. Everything here is turned so that the line runs along x.

use super::{BattleLine, Entry};
use crate::geometry::Aabb;
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::shares::hands;
use crate::partition::{Best, NearestQuery, Neighbor, Pair, PairBatch, Part, Search, UnitId};
use crate::probe::{Event, Probe, Work};

/// Units are dealt to the shares of a pair search this many at a time.
const DEAL: usize = 64;

impl BattleLine {
    /// The place of the first entry whose key is not below `key`, by halving. `on_probe` hears the place of each entry that
    /// is looked at.
    pub(super) fn first_from(&self, key: f32, mut on_probe: impl FnMut(usize)) -> usize {
        let (mut low, mut high) = (0, self.entries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            on_probe(middle);
            if self.entries[middle].key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// From where to where along the line the centre of a unit must be for its body to touch what lies from `low` to
    /// `high`.
    ///
    /// A body's border is its rounded centre plus or minus half extent, so the way back from border to centre needs the
    /// slack of a few roundings.
    #[inline]
    fn centers_touching(&self, low: f32, high: f32) -> (f32, f32) {
        let grow = self.half_extent;
        (
            low - grow - (low.abs() + grow) * ROUNDING,
            high + grow + (high.abs() + grow) * ROUNDING,
        )
    }

    /// The entries abreast of `area`: those that could touch it for all that is known along the line.
    fn abreast<P: Probe>(&self, area: Aabb, probe: &mut P) -> &[Entry] {
        let (low, high) = self.centers_touching(area.min.x, area.max.x);
        let begin = self.first_from(low, |_| probe.on(Event::Work(Work::Compare)));
        let rest = &self.entries[begin..];
        let count = rest.iter().take_while(|entry| entry.key <= high).count();
        if P::HEARS && count > 0 {
            for slot in self.slot_of(rest[0].key)..=self.slot_of(rest[count - 1].key) {
                probe.on(Event::Visit(slot));
            }
        }
        &rest[..count]
    }

    /// Tests the entries abreast of a search that is turned like the line, and visits those that it holds.
    #[inline]
    pub(super) fn scan<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let abreast = self.abreast(search.bounds(), probe);
        let mut hits = 0;
        for entry in abreast {
            if P::DETAILED {
                probe.on(Event::Test(entry.unit));
            }
            if search.holds(entry.body) {
                hits += 1;
                if P::DETAILED {
                    probe.on(Event::Hit(entry.unit));
                }
                visit(entry.unit);
            }
        }
        if !P::DETAILED {
            probe.tests(abreast.len() as u64);
            probe.hits(hits);
        }
    }

    /// Walks outwards from the point's place, to the nearer side first, until what is left is farther along the line alone
    /// than the last of those found.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let point = query.point;
        let mut best = Best::new(out, query.count, query.within);
        let mut right = self.first_from(point.x, |_| probe.on(Event::Work(Work::Compare)));
        let mut left = right;
        // The least squared distance of a body whose centre is `way` from the point along the line.
        let least_sq = |way: f32| {
            let grow = self.half_extent;
            let way = (way - grow - (point.x.abs() + way.abs() + grow) * ROUNDING).max(0.0);
            way * way * (1.0 - ROUNDING)
        };
        let left_sq = |left: usize| match left.checked_sub(1) {
            Some(place) => least_sq(point.x - self.entries[place].key),
            None => f32::INFINITY,
        };
        let right_sq = |right: usize| match self.entries.get(right) {
            Some(entry) => least_sq(entry.key - point.x),
            None => f32::INFINITY,
        };
        let mut tests = 0;
        while left > 0 || right < self.entries.len() {
            let (before_sq, after_sq) = (left_sq(left), right_sq(right));
            if before_sq.min(after_sq) > best.bound_sq() {
                break;
            }
            let entry = if right == self.entries.len() || (left > 0 && before_sq <= after_sq) {
                left -= 1;
                &self.entries[left]
            } else {
                right += 1;
                &self.entries[right - 1]
            };
            tests += 1;
            if P::DETAILED {
                probe.on(Event::Test(entry.unit));
            }
            let distance_sq = entry.body.distance_sq(point);
            if best.wants(entry.unit, distance_sq) && filter(entry.unit) {
                best.offer(entry.unit, distance_sq);
            }
        }
        if !P::DETAILED {
            probe.tests(tests);
        }
        best.finish(probe);
    }

    /// Tests each unit with those that follow it on the line until they are out of reach along it.
    pub(super) fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let reach_sq = reach * reach;
        let mut batch = PairBatch::new(batch);
        let mut slot = None;
        for hand in hands(part, 0..self.entries.len(), DEAL) {
            for place in hand {
                let Entry { body, unit, key } = self.entries[place];
                if P::HEARS && slot != Some(self.slot_of(key)) {
                    slot = Some(self.slot_of(key));
                    probe.on(Event::Visit(self.slot_of(key)));
                }
                let rest = &self.entries[place + 1..];
                let limit = body.max.x + widened(reach);
                let (_, limit) = self.centers_touching(limit, limit);
                let mut hits = 0;
                let mut tests = 0;
                for other in rest {
                    if other.key > limit {
                        break;
                    }
                    tests += 1;
                    let hit = if SIZED {
                        body.gap_sq(other.body) <= reach_sq
                    } else {
                        // The gap of two boxes without size, to the last bit.
                        let way = body.min - other.body.min;
                        way.x * way.x + way.y * way.y <= reach_sq
                    };
                    if P::DETAILED {
                        let (a, b) = (unit.min(other.unit), unit.max(other.unit));
                        probe.on(Event::TestPair(a, b));
                        if hit {
                            probe.on(Event::HitPair(a, b));
                        }
                    }
                    hits += u64::from(hit);
                    batch.push_if(unit, other.unit, hit);
                }
                if !P::DETAILED {
                    probe.tests(tests);
                    probe.hits(hits);
                }
            }
        }
        batch.flush();
    }
}
