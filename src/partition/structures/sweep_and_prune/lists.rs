//! Both axes: the endpoints of all bodies sorted along each, and the set of overlapping pairs kept with them.

use super::line::{Line, PairSweep};
use super::pair_set::PairSet;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::turn::{turned, turned_box};
use crate::partition::{
    Best, Bodies, Change, NearestQuery, Neighbor, Pair, Part, RegionId, Search, UnitId,
};
use crate::probe::{Event, Neighbors, Probe, Work};

/// Two sorted lists of endpoints over one set of bodies.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// By how much bodies are inflated on each side: half of the reach for which pairs are kept.
    pub margin: f32,
    /// The reach for which pairs are kept, in metres.
    reach: f32,
    /// The endpoints along x and along y.
    pub ends: [Vec<End>; 2],
    /// How far beyond its lower endpoint any body reaches, along x and along y.
    pub widths: Vec2,
    /// The box around all bodies.
    pub bounds: Aabb,
    /// Row of a unit → its body.
    pub boxes: Vec<Aabb>,
    /// Row of a unit → whether it is in the lists.
    pub present: Vec<bool>,
    /// The pairs whose inflated bodies overlap on both axes.
    pub overlaps: PairSet,
    /// Whether the set is kept: not where so many overlap that it would outgrow everything else.
    pub keeps_overlaps: bool,
}

/// Where an inflated body begins or ends along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub value: f32,
    /// The unit and, in the lowest bit, whether it ends here.
    pub tag: u32,
}

/// Units are dealt to the shares of a pair search this many at a time.
const DEAL: usize = 256;

/// Insertion gives up after this many swaps for each endpoint, and everything is built anew.
const SWAPS_PER_END: usize = 32;

/// The set is given up where it would hold more pairs than this for each unit.
const PAIRS_PER_UNIT: usize = 16;

/// The set is given up where finding it would take more tests than this for each unit.
const TESTS_PER_UNIT: usize = 1024;

/// The largest row that fits an endpoint's tag.
const ROW_LIMIT: usize = 1 << 31;

impl End {
    #[inline(always)]
    fn beginning_of(unit: UnitId) -> Self {
        Self {
            value: 0.0,
            tag: unit << 1,
        }
    }

    #[inline(always)]
    fn end_of(unit: UnitId) -> Self {
        Self {
            value: 0.0,
            tag: unit << 1 | 1,
        }
    }

    #[inline(always)]
    pub fn unit(self) -> UnitId {
        self.tag >> 1
    }

    #[inline(always)]
    pub fn is_begin(self) -> bool {
        self.tag & 1 == 0
    }

    /// Whether the endpoint belongs before another one. At one coordinate bodies begin before others end, for touching
    /// is overlapping.
    #[inline(always)]
    pub fn is_before(self, other: Self) -> bool {
        self.value < other.value
            || (self.value == other.value && self.is_begin() && !other.is_begin())
    }
}

/// One list as a line on which bodies begin.
struct EndLine<'a> {
    lists: &'a Lists,
    axis: usize,
}

impl Line for EndLine<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.lists.ends[self.axis].len()
    }

    #[inline(always)]
    fn key(&self, place: usize) -> f32 {
        self.lists.ends[self.axis][place].value
    }

    #[inline(always)]
    fn begins(&self, place: usize) -> Option<(UnitId, Aabb)> {
        let end = self.lists.ends[self.axis][place];
        let unit = end.unit();
        end.is_begin()
            .then(|| (unit, turned_box(self.axis, self.lists.boxes[unit as usize])))
    }

    #[inline(always)]
    fn width(&self) -> f32 {
        turned(self.axis, self.lists.widths).x
    }

    #[inline(always)]
    fn axis(&self) -> usize {
        self.axis
    }
}

impl Lists {
    /// Lists without units.
    pub fn new() -> Self {
        Self {
            margin: 0.0,
            reach: 0.0,
            ends: [Vec::new(), Vec::new()],
            widths: Vec2::ZERO,
            bounds: Aabb::EMPTY,
            boxes: Vec::new(),
            present: Vec::new(),
            overlaps: PairSet::default(),
            keeps_overlaps: true,
        }
    }

    /// Forgets everything and sorts the endpoints of the units alive; keeps the pairs within `reach`.
    pub fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, reach: f32, probe: &mut P) {
        assert!(
            bodies.slot_count() <= ROW_LIMIT,
            "sweep and prune holds at most {ROW_LIMIT} rows, not {}",
            bodies.slot_count()
        );
        // Twice the margin is certain to be no less than any distance that passes for the reach.
        (self.reach, self.margin) = (reach, widened(reach) * 0.5);
        self.boxes.clear();
        self.boxes.resize(bodies.slot_count(), Aabb::EMPTY);
        self.present.clear();
        self.present.resize(bodies.slot_count(), false);
        for list in &mut self.ends {
            list.clear();
        }
        for unit in bodies.ids() {
            self.add(bodies, unit);
        }
        self.sort_anew(probe);
    }

    /// Sorts by comparison and finds the overlapping pairs by one sweep.
    fn sort_anew<P: Probe>(&mut self, probe: &mut P) {
        self.refresh_values();
        for list in &mut self.ends {
            list.sort_by(|a, b| {
                probe.on(Event::Work(Work::Compare));
                if a.is_before(*b) {
                    std::cmp::Ordering::Less
                } else if b.is_before(*a) {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Equal
                }
            });
        }
        self.find_overlaps();
    }

    fn add(&mut self, bodies: Bodies<'_>, unit: UnitId) {
        self.present[unit as usize] = true;
        self.boxes[unit as usize] = bodies.aabb(unit);
        for list in &mut self.ends {
            list.extend([End::beginning_of(unit), End::end_of(unit)]);
        }
    }

    /// Brings bodies, lists and set up to date.
    pub fn apply<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P) {
        if bodies.slot_count() > ROW_LIMIT {
            return self.rebuild(bodies, self.reach, probe);
        }
        if bodies.slot_count() > self.boxes.len() {
            self.boxes.resize(bodies.slot_count(), Aabb::EMPTY);
            self.present.resize(bodies.slot_count(), false);
        }
        let mut somebody_left = false;
        for change in changes {
            let (Change::Add(unit) | Change::Move(unit) | Change::Remove(unit)) = *change;
            if bodies.is_alive(unit) {
                // New endpoints begin at the far end of the lists, where they overlap nobody, and sink to their places.
                if self.present[unit as usize] {
                    self.boxes[unit as usize] = bodies.aabb(unit);
                } else {
                    self.add(bodies, unit);
                    probe.on(Event::Work(Work::Add));
                }
            } else if std::mem::take(&mut self.present[unit as usize]) {
                probe.on(Event::Work(Work::Remove));
                somebody_left = true;
            }
        }
        if somebody_left {
            let present = &self.present;
            for list in &mut self.ends {
                list.retain(|end| present[end.unit() as usize]);
            }
            self.overlaps
                .retain(|(a, b)| present[*a as usize] && present[*b as usize]);
        }
        self.refresh_values();
        for axis in 0..2 {
            if !self.put_in_order(axis, probe) {
                return self.sort_anew(probe);
            }
        }
        if self.overlaps.pairs().len() > PAIRS_PER_UNIT * self.boxes.len() {
            self.give_up_overlaps();
        }
    }

    /// Writes the coordinates of all endpoints, and what is known of all bodies.
    fn refresh_values(&mut self) {
        let (mut widths, mut bounds) = (Vec2::ZERO, Aabb::EMPTY);
        let margin = self.margin;
        for (axis, list) in self.ends.iter_mut().enumerate() {
            for end in list {
                let body = self.boxes[end.unit() as usize];
                let sides = inflated(body, margin);
                if end.is_begin() {
                    end.value = turned(axis, sides.min).x;
                    if axis == 0 {
                        widths = widths.max(body.max - sides.min);
                        bounds = bounds.join(body);
                    }
                } else {
                    end.value = turned(axis, sides.max).x;
                }
            }
        }
        (self.widths, self.bounds) = (widths, bounds);
    }

    /// Sorts a list by insertion. Two bodies begin or cease to overlap along the axis exactly where the beginning of one
    /// and the end of the other change places, so only then are they looked at. False if there were too many swaps.
    fn put_in_order<P: Probe>(&mut self, axis: usize, probe: &mut P) -> bool {
        let list = &mut self.ends[axis];
        let mut budget = list.len().saturating_mul(SWAPS_PER_END);
        for place in 1..list.len() {
            let end = list[place];
            let mut to = place;
            while to > 0 {
                let before = list[to - 1];
                let neighbors = Neighbors {
                    unit: end.unit(),
                    other: before.unit(),
                    place: to - 1,
                };
                probe.orders(neighbors);
                probe.on(Event::Work(Work::Compare));
                if !end.is_before(before) {
                    break;
                }
                probe.orders(neighbors);
                probe.on(Event::Work(Work::Swap));
                list[to] = before;
                to -= 1;
                if self.keeps_overlaps && end.is_begin() != before.is_begin() {
                    let (a, b) = (end.unit(), before.unit());
                    let pair = (a.min(b), a.max(b));
                    if !end.is_begin() {
                        self.overlaps.remove(pair);
                    } else if overlap(&self.boxes, self.margin, pair) {
                        self.overlaps.add(pair);
                    }
                }
            }
            list[to] = end;
            budget = match budget.checked_sub(place - to) {
                Some(left) => left,
                None => return false,
            };
        }
        true
    }

    /// Finds the overlapping pairs by sweeping along the longer axis, or gives up where there are too many.
    fn find_overlaps(&mut self) {
        self.overlaps.clear();
        self.keeps_overlaps = true;
        let axis = self.longer_axis();
        let count = self.ends[axis].len() / 2;
        let mut budget = count.saturating_mul(TESTS_PER_UNIT);
        let list = &self.ends[axis];
        for (place, end) in list.iter().enumerate().filter(|(_, end)| end.is_begin()) {
            for other in &list[place + 1..] {
                if other.unit() == end.unit() {
                    // Everybody who begins after this body's end is beyond it.
                    break;
                }
                let (a, b) = (end.unit(), other.unit());
                let pair = (a.min(b), a.max(b));
                if other.is_begin() && overlap(&self.boxes, self.margin, pair) {
                    self.overlaps.append_new(pair);
                }
                budget = budget.saturating_sub(1);
            }
            if budget == 0 || self.overlaps.pairs().len() > PAIRS_PER_UNIT * count {
                return self.give_up_overlaps();
            }
        }
        self.overlaps.finish_appending();
    }

    fn give_up_overlaps(&mut self) {
        self.overlaps.free();
        self.keeps_overlaps = false;
    }

    /// How many pairs the set should hold, found by a sweep; for whoever checks it.
    pub fn overlaps_anew(&self) -> usize {
        let mut count = 0;
        let list = &self.ends[self.longer_axis()];
        for (place, end) in list.iter().enumerate().filter(|(_, end)| end.is_begin()) {
            count += list[place + 1..]
                .iter()
                .take_while(|other| other.unit() != end.unit())
                .filter(|other| {
                    other.is_begin()
                        && overlap(&self.boxes, self.margin, (end.unit(), other.unit()))
                })
                .count();
        }
        count
    }

    /// Whether two inflated bodies overlap.
    pub fn overlap(&self, pair: Pair) -> bool {
        overlap(&self.boxes, self.margin, pair)
    }

    /// Where an endpoint should be by the truth about its body.
    pub fn value_of(&self, axis: usize, end: End, body: Aabb) -> f32 {
        let sides = inflated(body, self.margin);
        turned(axis, if end.is_begin() { sides.min } else { sides.max }).x
    }

    fn longer_axis(&self) -> usize {
        let size = self.bounds.size();
        usize::from(size.y > size.x)
    }

    /// The axis along which fewer endpoints lie between the borders of `area`.
    pub fn narrower_axis<P: Probe>(&self, area: Aabb, probe: &mut P) -> usize {
        let mut count = |axis: usize| {
            let line = EndLine { lists: self, axis };
            let area = turned_box(axis, area);
            let first = line.first_from(line.least_key(area.min.x), probe);
            line.first_from(area.max.x, probe).saturating_sub(first)
        };
        usize::from(count(1) < count(0))
    }

    /// Visits those that a search holds, which is turned for `axis`.
    pub fn scan<P: Probe>(
        &self,
        axis: usize,
        search: &impl Search,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        probe.on(Event::Visit(axis as RegionId));
        EndLine { lists: self, axis }.scan(search, probe, visit);
    }

    /// Walks outwards from the point, which is turned for `axis`.
    pub fn nearest<P: Probe>(
        &self,
        axis: usize,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut best = Best::new(out, query.count, query.within);
        probe.on(Event::Visit(axis as RegionId));
        EndLine { lists: self, axis }.nearest(query.point, 0.0, &mut filter, probe, &mut best);
        best.finish(probe);
    }

    /// Whether the pairs within `reach` are among those in the set.
    pub fn covers(&self, reach: f32) -> bool {
        self.keeps_overlaps && reach <= self.reach
    }

    /// The pairs of the set that are within reach, or, where the reach is longer than that of the set, those found by a
    /// sweep.
    pub fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut search = PairSweep::<SIZED, P, _>::new(reach, probe, batch);
        if self.covers(reach) {
            let pairs = self.overlaps.pairs();
            let pairs = &pairs[part.stretch(pairs.len())];
            let mut hits = 0;
            for &(a, b) in pairs {
                let gap_sq = self.boxes[a as usize].gap_sq(self.boxes[b as usize]);
                let hit = gap_sq <= search.reach_sq;
                if P::DETAILED {
                    search.probe.on(Event::TestPair(a, b));
                    if hit {
                        search.probe.on(Event::HitPair(a, b));
                    }
                }
                hits += u64::from(hit);
                search.batch.push_if(a, b, hit);
            }
            if !P::DETAILED {
                search.probe.tests(pairs.len() as u64);
                search.probe.hits(hits);
            }
        } else {
            let axis = self.longer_axis();
            let line = EndLine { lists: self, axis };
            search.probe.on(Event::Visit(axis as RegionId));
            for hand in hands(part, 0..line.len(), DEAL) {
                search.sweep(&line, hand);
            }
        }
        search.finish();
    }

    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        let ends: usize = self.ends.iter().map(Vec::capacity).sum();
        say("endpoints", ends * size_of::<End>());
        say("bodies", self.boxes.capacity() * size_of::<Aabb>());
        say("marks of presence", self.present.capacity());
        say("overlapping pairs", self.overlaps.byte_count());
    }
}

/// A body with the margin around it.
#[inline(always)]
fn inflated(body: Aabb, margin: f32) -> Aabb {
    body.grown(Vec2::splat(margin))
}

/// Whether the inflated bodies of a pair overlap on both axes: by the same numbers by which the endpoints are sorted.
#[inline(always)]
fn overlap(boxes: &[Aabb], margin: f32, (a, b): Pair) -> bool {
    inflated(boxes[a as usize], margin).overlaps(inflated(boxes[b as usize], margin))
}
