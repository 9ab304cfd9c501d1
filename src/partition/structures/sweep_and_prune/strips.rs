//! One axis: strips across the other axis, in each strip the bodies in the order in which they begin.

use super::line::{Line, PairSweep};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::turn::turned_box;
use crate::partition::{Best, Bodies, Change, Pair, Part, RegionId, Search, UnitId};
use crate::probe::{Event, Probe, Work};

/// All strips, turned so that bodies are sorted along x and strips lie above each other.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    /// The axis along which bodies are sorted: 0 for x, 1 for y.
    pub axis: usize,
    /// Where the first strip would begin if it were not endless, in metres.
    base: f32,
    /// How high a strip is, in metres: at least as high as all but a few of the bodies.
    pub height: f32,
    /// Strips per metre.
    inverse: f32,
    /// The largest half extent of a body in a strip; whoever is larger is oversize.
    regular: f32,
    /// The strips from the lowest to the highest, and behind them one for the oversize, which has no place.
    pub strips: Vec<Strip>,
    /// Row of a unit → its strip, or [`NOWHERE`].
    homes: Vec<u32>,
    /// Whether a strip has to be put in order; only meaningful during an edit.
    dirty: Vec<bool>,
    /// Bodies on the way to a strip.
    movers: Vec<Mover>,
}

/// A strip: the bodies whose lower border lies in it.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    /// The bodies in the order of their left borders.
    pub entries: Vec<Entry>,
    /// The widest body.
    width: f32,
    /// The band from the lowest to the highest border of any body.
    pub band: Aabb,
}

/// A body in a strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub body: Aabb,
    pub unit: UnitId,
}

/// A body on its way to a strip.
#[derive(Clone, Copy, Debug)]
struct Mover {
    strip: u32,
    entry: Entry,
}

/// The home of a unit that is not in the index.
const NOWHERE: u32 = u32::MAX;

/// The most strips: a strip is never so thin that there would be more.
const STRIP_LIMIT: f32 = 4096.0;

/// Units are dealt to the shares of a pair search this many at a time.
const DEAL: usize = 256;

/// Insertion gives up after this many swaps for each unit and goes on by comparison.
const SWAPS_PER_UNIT: usize = 32;

impl Line for Strip {
    #[inline(always)]
    fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline(always)]
    fn key(&self, place: usize) -> f32 {
        self.entries[place].body.min.x
    }

    #[inline(always)]
    fn begins(&self, place: usize) -> Option<(UnitId, Aabb)> {
        let entry = &self.entries[place];
        Some((entry.unit, entry.body))
    }

    #[inline(always)]
    fn width(&self) -> f32 {
        self.width
    }
}

impl Strips {
    /// Strips without units.
    pub fn new() -> Self {
        Self {
            axis: 0,
            base: 0.0,
            height: 1.0,
            inverse: 1.0,
            regular: 0.0,
            strips: Vec::new(),
            homes: Vec::new(),
            dirty: Vec::new(),
            movers: Vec::new(),
        }
    }

    /// Forgets everything and lays out the units alive in strips of about `height`.
    pub fn rebuild<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        axis: usize,
        field: Aabb,
        height: f32,
        probe: &mut P,
    ) {
        let field = turned_box(axis, field);
        let depth = field.size().y.max(0.0);
        self.regular = regular_half_extent(bodies);
        // A body that is higher than its strip is looked for in the strips above too.
        let height = height.max(2.0 * self.regular).max(depth / STRIP_LIMIT);
        (self.axis, self.base) = (axis, field.min.y);
        (self.height, self.inverse) = (height, 1.0 / height);
        let count = (depth / height).ceil().clamp(1.0, STRIP_LIMIT) as usize + 1;
        self.strips.truncate(count);
        for strip in &mut self.strips {
            strip.entries.clear();
        }
        self.strips.resize_with(count, Strip::new);
        self.homes.clear();
        self.homes.resize(bodies.slot_count(), NOWHERE);
        self.dirty.clear();
        self.dirty.resize(count, false);
        for unit in bodies.ids() {
            let entry = self.entry(bodies, unit);
            let home = self.strip_of(entry.body, bodies.half_extent(unit));
            self.homes[unit as usize] = home;
            self.strips[home as usize].entries.push(entry);
        }
        for strip in &mut self.strips {
            strip.sort(probe);
            strip.measure();
        }
    }

    /// Brings the strips of the units that are named up to date. Says whether so many bodies are oversize that the strips
    /// should be laid out anew.
    pub fn apply<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> bool {
        if bodies.slot_count() > self.homes.len() {
            self.homes.resize(bodies.slot_count(), NOWHERE);
        }
        for change in changes {
            let (Change::Add(unit) | Change::Move(unit) | Change::Remove(unit)) = *change;
            if let Some(dirty) = self.dirty.get_mut(self.homes[unit as usize] as usize) {
                *dirty = true;
            }
        }
        self.movers.clear();
        for home in 0..self.strips.len() {
            if self.dirty[home] {
                self.refresh(bodies, home, probe);
            }
        }
        for change in changes {
            // Whoever was removed and added again is still in place and was refreshed with the others.
            if let Change::Add(unit) = *change
                && bodies.is_alive(unit)
                && self.homes[unit as usize] == NOWHERE
            {
                self.send(bodies, self.entry(bodies, unit));
            }
        }
        let mut movers = std::mem::take(&mut self.movers);
        movers.sort_unstable_by(|a, b| {
            probe.on(Event::Work(Work::Compare));
            let by_strip = a.strip.cmp(&b.strip);
            by_strip.then(a.entry.body.min.x.total_cmp(&b.entry.body.min.x))
        });
        for group in movers.chunk_by(|a, b| a.strip == b.strip) {
            let home = group[0].strip as usize;
            self.strips[home].merge(group, probe);
            self.dirty[home] = true;
        }
        self.movers = movers;
        for (strip, dirty) in self.strips.iter_mut().zip(&mut self.dirty) {
            if std::mem::take(dirty) {
                strip.measure();
            }
        }
        self.oversize().entries.len() > 4 * oversize_allowance(bodies.slot_count())
    }

    /// Takes over the bodies of a strip as they are now, sends away those that have left it, and puts the others in order.
    fn refresh<P: Probe>(&mut self, bodies: Bodies<'_>, home: usize, probe: &mut P) {
        let mut entries = std::mem::take(&mut self.strips[home].entries);
        entries.retain_mut(|entry| {
            let unit = entry.unit;
            if !bodies.is_alive(unit) {
                self.homes[unit as usize] = NOWHERE;
                return false;
            }
            *entry = self.entry(bodies, unit);
            let stays = self.strip_of(entry.body, bodies.half_extent(unit)) as usize == home;
            if !stays {
                probe.on(Event::Work(Work::MoveRelink));
                self.send(bodies, *entry);
            }
            stays
        });
        self.strips[home].entries = entries;
        self.strips[home].put_in_order(probe);
    }

    /// Sends a body on its way to its strip.
    fn send(&mut self, bodies: Bodies<'_>, entry: Entry) {
        let strip = self.strip_of(entry.body, bodies.half_extent(entry.unit));
        self.homes[entry.unit as usize] = strip;
        self.movers.push(Mover { strip, entry });
    }

    #[inline]
    fn entry(&self, bodies: Bodies<'_>, unit: UnitId) -> Entry {
        Entry {
            body: turned_box(self.axis, bodies.aabb(unit)),
            unit,
        }
    }

    /// The strip in which a body begins.
    #[inline]
    fn strip_of(&self, body: Aabb, half_extent: Vec2) -> u32 {
        if half_extent.max_element() <= self.regular {
            self.number(body.min.y)
        } else {
            self.strips.len() as u32 - 1
        }
    }

    /// The strip of a coordinate across the line. It never decreases with the coordinate.
    #[inline]
    fn number(&self, y: f32) -> u32 {
        let last = self.strips.len() as u32 - 2;
        (((y - self.base) * self.inverse) as u32).min(last)
    }

    /// The strips without that of the oversize.
    fn placed(&self) -> &[Strip] {
        &self.strips[..self.strips.len() - 1]
    }

    /// The bodies that are too large for a strip.
    pub fn oversize(&self) -> &Strip {
        &self.strips[self.strips.len() - 1]
    }

    /// From where to where a strip lies, but for rounding; the outermost are endless.
    pub fn borders(&self, strip: usize) -> (f32, f32) {
        let border = |number: usize| self.base + number as f32 * self.height;
        (
            if strip == 0 {
                f32::NEG_INFINITY
            } else {
                border(strip)
            },
            if strip + 1 == self.placed().len() {
                f32::INFINITY
            } else {
                border(strip + 1)
            },
        )
    }

    /// How far the number of a strip may be off by rounding, as a distance.
    fn slack(&self, y: f32) -> f32 {
        (y.abs() + self.base.abs() + self.height) * ROUNDING
    }

    /// Calls `visit` with each strip that holds a body which may reach `low` to `high` across the line, and with its
    /// number; the oversize are always among them.
    fn for_touching(&self, low: f32, high: f32, mut visit: impl FnMut(usize, &Strip)) {
        let size = 2.0 * self.regular;
        let first = self.number(low - size - self.slack(low) - size * ROUNDING);
        for number in first..=self.number(high) {
            visit(number as usize, &self.strips[number as usize]);
        }
        visit(self.strips.len() - 1, self.oversize());
    }

    /// Visits those that a search holds, which is turned like the strips.
    pub fn scan<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let area = search.cover();
        self.for_touching(area.min.y, area.max.y, |number, strip| {
            if strip.band.overlaps(area) {
                probe.on(Event::Visit(number as RegionId));
                strip.scan(search, probe, &mut visit);
            } else if !strip.entries.is_empty() {
                probe.on(Event::Prune(number as RegionId));
            }
        });
    }

    /// Goes from strip to strip, the nearer first, after the oversize.
    pub fn nearest<P: Probe>(
        &self,
        point: Vec2,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        best: &mut Best<'_>,
    ) {
        let mut look = |number: usize, best: &mut Best<'_>, probe: &mut P| {
            let strip = &self.strips[number];
            let across_sq = strip.band.distance_sq(point);
            if strip.entries.is_empty() {
                return;
            }
            if across_sq > best.bound_sq() {
                probe.on(Event::Prune(number as RegionId));
            } else {
                probe.on(Event::Visit(number as RegionId));
                strip.nearest(point, across_sq, &mut filter, probe, best);
            }
        };
        look(self.strips.len() - 1, best, probe);
        let least_sq = |gap: f32| {
            let gap = (gap - self.slack(point.y)).max(0.0);
            gap * gap * (1.0 - ROUNDING)
        };
        let size = 2.0 * self.regular * (1.0 + ROUNDING);
        let mut above = self.number(point.y) as usize;
        let mut below = above;
        loop {
            let count = self.placed().len();
            let above_sq = if above < count {
                least_sq(self.borders(above).0 - point.y)
            } else {
                f32::INFINITY
            };
            let below_sq = if below > 0 {
                least_sq(point.y - self.borders(below - 1).1 - size)
            } else {
                f32::INFINITY
            };
            if (above == count && below == 0) || above_sq.min(below_sq) > best.bound_sq() {
                return;
            }
            if below == 0 || (above < count && above_sq <= below_sq) {
                above += 1;
                look(above - 1, best, probe);
            } else {
                below -= 1;
                look(below, best, probe);
            }
        }
    }

    /// Each pair is met where the body in the lower strip looks at the other; within a strip where the one that begins
    /// first does. The oversize come after all strips.
    pub fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut search = PairSweep::<SIZED, P, _>::new(reach, probe, batch);
        let oversize = self.strips.len() - 1;
        let mut first_place = 0;
        for (number, strip) in self.strips.iter().enumerate() {
            let places = first_place..first_place + strip.entries.len();
            for hand in hands(part, places, DEAL) {
                let hand = hand.start - first_place..hand.end - first_place;
                search.probe.on(Event::Visit(number as RegionId));
                search.sweep(strip, hand.clone());
                if number == oversize {
                    continue;
                }
                let top = strip.band.max.y + widened(reach);
                let last = self.number(top + self.slack(top)) as usize;
                for other in (number + 1..=last).chain([oversize]) {
                    let other_strip = &self.strips[other];
                    if other_strip.entries.is_empty() {
                        continue;
                    }
                    if strip.band.gap_sq(other_strip.band) > search.reach_sq {
                        search.probe.on(Event::Prune(other as RegionId));
                    } else {
                        search.probe.on(Event::Visit(other as RegionId));
                        search.sweep_other(strip, hand.clone(), other_strip, other_strip.band);
                    }
                }
            }
            first_place += strip.entries.len();
        }
        search.finish();
    }

    /// The strip that the index believes a unit to be in, and the one where it belongs by the truth.
    pub fn homes_of(&self, bodies: Bodies<'_>, unit: UnitId) -> (Option<u32>, u32) {
        let body = turned_box(self.axis, bodies.aabb(unit));
        (
            self.homes.get(unit as usize).copied(),
            self.strip_of(body, bodies.half_extent(unit)),
        )
    }

    /// How many units the index believes to have.
    pub fn homed(&self) -> usize {
        self.homes.iter().filter(|home| **home != NOWHERE).count()
    }

    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        let entries: usize = self.strips.iter().map(|it| it.entries.capacity()).sum();
        say("bodies in order", entries * size_of::<Entry>());
        say("strips", self.strips.capacity() * size_of::<Strip>());
        say("homes", self.homes.capacity() * size_of::<u32>());
        say(
            "room for edits",
            self.dirty.capacity() + self.movers.capacity() * size_of::<Mover>(),
        );
    }
}

impl Strip {
    fn new() -> Self {
        Self {
            entries: Vec::new(),
            width: 0.0,
            band: EMPTY_BAND,
        }
    }

    /// Sorts by comparison.
    fn sort<P: Probe>(&mut self, probe: &mut P) {
        self.entries.sort_by(|a, b| {
            probe.on(Event::Work(Work::Compare));
            a.body.min.x.total_cmp(&b.body.min.x)
        });
    }

    /// Sorts by insertion, for most are in order still.
    fn put_in_order<P: Probe>(&mut self, probe: &mut P) {
        let entries = &mut self.entries;
        let mut budget = entries.len().saturating_mul(SWAPS_PER_UNIT);
        for place in 1..entries.len() {
            let entry = entries[place];
            let mut to = place;
            while to > 0 {
                probe.on(Event::Work(Work::Compare));
                if entries[to - 1].body.min.x <= entry.body.min.x {
                    break;
                }
                probe.on(Event::Work(Work::Swap));
                entries[to] = entries[to - 1];
                to -= 1;
            }
            entries[to] = entry;
            budget = match budget.checked_sub(place - to) {
                Some(left) => left,
                None => return self.sort(probe),
            };
        }
    }

    /// Merges in others, which are in order themselves, from the back.
    fn merge<P: Probe>(&mut self, movers: &[Mover], probe: &mut P) {
        let (mut from, mut left) = (self.entries.len(), movers.len());
        self.entries.extend(movers.iter().map(|mover| mover.entry));
        while left > 0 {
            let mover = movers[left - 1].entry;
            probe.on(Event::Work(Work::Compare));
            if from > 0 && self.entries[from - 1].body.min.x > mover.body.min.x {
                self.entries[from + left - 1] = self.entries[from - 1];
                from -= 1;
            } else {
                self.entries[from + left - 1] = mover;
                left -= 1;
            }
        }
    }

    /// Finds the widest body and the band of all of them.
    fn measure(&mut self) {
        (self.width, self.band) = (0.0, EMPTY_BAND);
        for Entry { body, .. } in &self.entries {
            self.width = self.width.max(body.max.x - body.min.x);
            self.band.min.y = self.band.min.y.min(body.min.y);
            self.band.max.y = self.band.max.y.max(body.max.y);
        }
    }

    /// What [`Strip::measure`] found, for whoever checks it.
    pub fn measured(&self) -> (f32, Aabb) {
        (self.width, self.band)
    }

    /// What it would find now.
    pub fn measured_anew(&self) -> (f32, Aabb) {
        let mut copy = Self {
            entries: self.entries.clone(),
            ..Self::new()
        };
        copy.measure();
        copy.measured()
    }
}

/// The band of nobody, endless along the line.
const EMPTY_BAND: Aabb = Aabb::new(
    Vec2::new(f32::NEG_INFINITY, f32::INFINITY),
    Vec2::new(f32::INFINITY, f32::NEG_INFINITY),
);

/// How many bodies may be oversize: with √n of them, scanning them costs a query about what its strips cost.
fn oversize_allowance(count: usize) -> usize {
    count.isqrt() / 2 + 4
}

/// The largest half extent once the oversize are set apart.
fn regular_half_extent(bodies: Bodies<'_>) -> f32 {
    if !bodies.are_sized() {
        return 0.0;
    }
    let mut sizes: Vec<f32> = bodies
        .ids()
        .map(|unit| bodies.half_extent(unit).max_element())
        .collect();
    let Some(place) = sizes.len().checked_sub(oversize_allowance(sizes.len()) + 1) else {
        return 0.0;
    };
    *sizes.select_nth_unstable_by(place, f32::total_cmp).1
}
