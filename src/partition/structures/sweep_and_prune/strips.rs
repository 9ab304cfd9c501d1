//! One axis: strips across the other axis, in each strip the bodies that touch it in the order in which they begin.

use super::each::{Chore, Desk, on_each};
use super::strip::{Entry, Strip};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::toolkit::turn::turned_box;
use crate::partition::{Bodies, Change, UnitId};
use crate::probe::{Event, Neighbors, Probe, Work};
use std::ops::{Range, RangeInclusive};

/// All strips, turned so that bodies are sorted along x and strips lie above each other.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    pub layout: Layout,
    /// The strips from the lowest to the highest, and behind them one for the oversize, which has no place.
    pub strips: Vec<Strip>,
    /// Row of a unit → where it is.
    pub homes: Vec<Home>,
    /// How many entries all strips have.
    pub entry_count: usize,
    /// On how many threads strips are put in order.
    pub threads: usize,
    room: Scratch<Room>,
}

/// How strips lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The axis along which bodies are sorted: 0 for x, 1 for y.
    pub axis: usize,
    /// Where the first strip would begin if it were not endless, in metres.
    base: f32,
    /// How high a strip is, in metres.
    pub height: f32,
    /// Strips per metre.
    inverse: f32,
    /// The number of the highest strip.
    last: u16,
}

/// The strips that a unit touches, from the first to the last; [`NOWHERE`] for one that is not in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    pub first: u16,
    pub last: u16,
}

/// A body on its way to a strip.
#[derive(Clone, Copy, Debug)]
struct Mover {
    strip: u16,
    entry: Entry,
}

/// Room to work in, kept from one edit to the next.
#[derive(Debug, Default)]
struct Room {
    /// Whether a strip has to be put in order; only meaningful during an edit.
    dirty: Vec<bool>,
    movers: Vec<Mover>,
    /// Those of all strips, while they are laid out.
    entries: Vec<Entry>,
    /// Where in `entries` those of each strip are.
    starts: Vec<u32>,
    /// For each thread where it puts a strip in order.
    desks: Vec<Desk>,
}

/// Where somebody is who is not in the index.
const NOWHERE: Home = Home {
    first: u16::MAX,
    last: u16::MAX,
};

/// The most strips: a strip is never so thin that there would be more.
const STRIP_LIMIT: f32 = 4096.0;

/// Bodies that are wider or higher than so many strips are oversize, if they are few.
const OVERSIZE: f32 = 4.0;

/// Strips are laid out anew where bodies touch more than so many of them each.
const ENTRIES_PER_UNIT: usize = 4;

impl Layout {
    /// Strips of about `height`, but so high that only a few bodies are oversize and the others touch two or three.
    fn new(bodies: Bodies<'_>, axis: usize, field: Aabb, height: f32) -> Self {
        let depth = field.size().y.max(0.0);
        let mut height = height.max(depth / STRIP_LIMIT);
        while bodies.are_sized() && !suits(bodies, axis, height) {
            height *= 2.0;
        }
        let last = (depth / height).ceil().clamp(1.0, STRIP_LIMIT) as u16 - 1;
        Self {
            axis,
            base: field.min.y,
            height,
            inverse: 1.0 / height,
            last,
        }
    }

    /// The strip of a coordinate across the line. It never decreases with the coordinate.
    #[inline(always)]
    pub fn number(&self, y: f32) -> u16 {
        // What lies below the first strip becomes 0, and so does what is no number.
        (((y - self.base) * self.inverse).max(0.0) as u32).min(u32::from(self.last)) as u16
    }

    /// The number of the strip of the oversize.
    #[inline(always)]
    pub fn oversize(&self) -> usize {
        usize::from(self.last) + 1
    }

    /// What of a unit lies in its strips.
    #[inline(always)]
    fn entry(&self, bodies: Bodies<'_>, unit: UnitId) -> Entry {
        Entry {
            body: turned_box(self.axis, bodies.aabb(unit)),
            unit,
        }
    }

    /// The strips that a unit touches by the truth.
    #[inline(always)]
    fn home_of(&self, bodies: Bodies<'_>, unit: UnitId) -> Home {
        let body = turned_box(self.axis, bodies.aabb(unit));
        self.home(body, bodies.half_extent(unit))
    }

    /// The strips that a body touches.
    #[inline(always)]
    fn home(&self, body: Aabb, half_extent: Vec2) -> Home {
        if 2.0 * half_extent.max_element() <= OVERSIZE * self.height {
            Home {
                first: self.number(body.min.y),
                last: self.number(body.max.y),
            }
        } else {
            let number = self.last + 1;
            Home {
                first: number,
                last: number,
            }
        }
    }

    /// Whether a body begins and whether it ends in a strip.
    #[inline(always)]
    fn ends(&self, number: usize, body: Aabb) -> (bool, bool) {
        if number == self.oversize() {
            return (true, true);
        }
        let is_here = |y| usize::from(self.number(y)) == number;
        (is_here(body.min.y), is_here(body.max.y))
    }

    /// How far the number of a strip may be off by rounding, as a distance.
    pub fn slack(&self, y: f32) -> f32 {
        (y.abs() + self.base.abs() + self.height) * ROUNDING
    }
}

impl Home {
    #[inline(always)]
    pub fn strips(self) -> RangeInclusive<usize> {
        usize::from(self.first)..=usize::from(self.last)
    }
}

impl Strips {
    /// Strips without units.
    pub fn new() -> Self {
        Self {
            layout: Layout {
                axis: 0,
                base: 0.0,
                height: 1.0,
                inverse: 1.0,
                last: 0,
            },
            strips: Vec::new(),
            homes: Vec::new(),
            entry_count: 0,
            threads: 1,
            room: Scratch::default(),
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
        let layout = Layout::new(bodies, axis, turned_box(axis, field), height);
        self.layout = layout;
        let count = layout.oversize() + 1;
        self.strips.truncate(count);
        self.strips.resize_with(count, Strip::new);
        self.homes.clear();
        self.homes.resize(bodies.slot_count(), NOWHERE);
        let mut room = std::mem::take(&mut *self.room);
        room.dirty.clear();
        room.dirty.resize(count, false);
        // How many are in each strip, and so where the entries of each begin.
        room.starts.clear();
        room.starts.resize(count + 1, 0);
        for unit in bodies.ids() {
            let home = layout.home_of(bodies, unit);
            self.homes[unit as usize] = home;
            for number in home.strips() {
                room.starts[number] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut room.starts {
            sum += std::mem::replace(start, sum);
        }
        self.entry_count = sum as usize;
        let nobody = Entry {
            body: Aabb::EMPTY,
            unit: 0,
        };
        room.entries.clear();
        room.entries.resize(self.entry_count, nobody);
        for unit in bodies.ids() {
            let entry = layout.entry(bodies, unit);
            for number in self.homes[unit as usize].strips() {
                let start = &mut room.starts[number];
                room.entries[*start as usize] = entry;
                *start += 1;
            }
        }
        let filling = Filling {
            bodies,
            layout,
            entries: &room.entries,
            ends: &room.starts,
        };
        let shared = (self.entry_count, self.threads);
        on_each(&mut self.strips, &mut room.desks, shared, &filling, probe);
        *self.room = room;
    }

    /// Brings the strips of the units that are named up to date. Says whether the strips suit the bodies so little that they
    /// should be laid out anew.
    pub fn apply<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> bool {
        if bodies.slot_count() > 0 && bodies.are_sized() != self.oversize().is_sized() {
            // Points have become bodies, or bodies points.
            return true;
        }
        if bodies.slot_count() > self.homes.len() {
            self.homes.resize(bodies.slot_count(), NOWHERE);
        }
        let mut room = std::mem::take(&mut *self.room);
        room.movers.clear();
        room.dirty.resize(self.strips.len(), false);
        for change in changes {
            let (Change::Add(unit) | Change::Move(unit) | Change::Remove(unit)) = *change;
            self.send(bodies, unit, &mut room, probe);
        }
        room.movers.sort_unstable_by(|a, b| {
            probe.on(Event::Work(Work::Compare));
            let by_strip = a.strip.cmp(&b.strip);
            by_strip.then(a.entry.body.min.x.total_cmp(&b.entry.body.min.x))
        });
        let ordering = Ordering {
            bodies,
            layout: self.layout,
            homes: &self.homes,
            dirty: &room.dirty,
            movers: &room.movers,
        };
        let shared = (changes.len(), self.threads);
        on_each(&mut self.strips, &mut room.desks, shared, &ordering, probe);
        room.dirty.fill(false);
        for desk in &mut room.desks {
            let more = std::mem::take(&mut desk.more);
            self.entry_count = self.entry_count.saturating_add_signed(more);
        }
        *self.room = room;
        let oversize = self.strips[self.layout.oversize()].len();
        oversize > 4 * oversize_allowance(bodies.slot_count())
            || self.entry_count > ENTRIES_PER_UNIT * bodies.slot_count()
    }

    /// Says where a unit that has changed belongs, and sends its body to the strips that are new to it.
    #[inline]
    fn send<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, room: &mut Room, probe: &mut P) {
        let old = self.homes[unit as usize];
        let new = if bodies.is_alive(unit) {
            self.layout.home_of(bodies, unit)
        } else {
            NOWHERE
        };
        self.homes[unit as usize] = new;
        if old != NOWHERE {
            for number in old.strips() {
                room.dirty[number] = true;
            }
        }
        if (old, new) != (NOWHERE, NOWHERE) {
            probe.on(Event::Work(match (old, new) {
                (NOWHERE, _) => Work::Add,
                (_, NOWHERE) => Work::Remove,
                _ if old == new => Work::MoveInPlace,
                _ => Work::MoveRelink,
            }));
        }
        if new == old || new == NOWHERE {
            return;
        }
        let entry = self.layout.entry(bodies, unit);
        for number in new.strips() {
            if old == NOWHERE || !old.strips().contains(&number) {
                room.dirty[number] = true;
                let strip = number as u16;
                room.movers.push(Mover { strip, entry });
            }
        }
    }

    /// The strips without that of the oversize.
    pub fn placed(&self) -> &[Strip] {
        &self.strips[..self.layout.oversize()]
    }

    /// The bodies that are too large for a strip.
    pub fn oversize(&self) -> &Strip {
        &self.strips[self.layout.oversize()]
    }

    /// From where to where a strip lies, but for rounding; the outermost are endless.
    pub fn borders(&self, strip: usize) -> (f32, f32) {
        let border = |number: usize| self.layout.base + number as f32 * self.layout.height;
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

    /// Whether the first strip of a unit that is in the index is this one.
    #[inline(always)]
    pub fn begins_in(&self, unit: UnitId, number: usize) -> bool {
        usize::from(self.homes[unit as usize].first) == number
    }

    /// Whether the last strip of a unit that is in the index is this one.
    #[inline(always)]
    pub fn ends_in(&self, unit: UnitId, number: usize) -> bool {
        usize::from(self.homes[unit as usize].last) == number
    }

    /// Where the index believes a unit to be.
    pub fn believed_home(&self, unit: UnitId) -> Option<Home> {
        let home = self.homes.get(unit as usize).copied();
        home.filter(|home| *home != NOWHERE)
    }

    /// Where a unit belongs by the truth.
    pub fn true_home(&self, bodies: Bodies<'_>, unit: UnitId) -> Home {
        self.layout.home_of(bodies, unit)
    }

    /// How many units the index believes to have, and in how many strips they believe to be, summed up.
    pub fn booked(&self) -> (usize, usize) {
        let homes = self.homes.iter().filter(|home| **home != NOWHERE);
        homes.fold((0, 0), |(units, entries), home| {
            (units + 1, entries + home.strips().count())
        })
    }

    /// What a strip should be, given who is in it; for whoever checks it.
    pub fn filled_anew(&self, bodies: Bodies<'_>, number: usize) -> Strip {
        let units = self.strips[number].units().iter();
        let entries: Vec<_> = units.map(|unit| self.layout.entry(bodies, *unit)).collect();
        let mut strip = Strip::new();
        strip.fill(&entries, bodies.are_sized(), |body| {
            self.layout.ends(number, body)
        });
        strip
    }

    /// How many entries all strips have.
    pub fn entry_count(&self) -> usize {
        self.entry_count
    }

    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        let room = &self.room;
        say(
            "bodies in order",
            self.strips.iter().map(Strip::byte_count).sum(),
        );
        say("strips", self.strips.capacity() * size_of::<Strip>());
        say("homes", self.homes.capacity() * size_of::<Home>());
        say(
            "room for edits",
            room.dirty.capacity()
                + room.movers.capacity() * size_of::<Mover>()
                + room.entries.capacity() * size_of::<Entry>()
                + room.starts.capacity() * size_of::<u32>(),
        );
        say(
            "sort buffers",
            room.desks.capacity() * size_of::<Desk>()
                + room.desks.iter().map(Desk::byte_count).sum::<usize>(),
        );
    }
}

/// Strips are filled with units that were dealt to them.
struct Filling<'a> {
    bodies: Bodies<'a>,
    layout: Layout,
    /// The units of all strips, those of one together.
    entries: &'a [Entry],
    /// Where in them those of each strip end.
    ends: &'a [u32],
}

impl Filling<'_> {
    fn range(&self, number: usize) -> Range<usize> {
        let begin = number.checked_sub(1).map_or(0, |below| self.ends[below]);
        begin as usize..self.ends[number] as usize
    }
}

impl Chore for Filling<'_> {
    fn load(&self, number: usize, _: &Strip) -> usize {
        self.range(number).len()
    }

    fn work<P: Probe>(&self, number: usize, strip: &mut Strip, desk: &mut Desk, probe: &mut P) {
        let sorted = desk.sorter.sort(&self.entries[self.range(number)], probe);
        strip.fill(sorted, self.bodies.are_sized(), |body| {
            self.layout.ends(number, body)
        });
    }
}

/// Strips are put in order whose units have moved, and let in those who have come to them.
struct Ordering<'a> {
    bodies: Bodies<'a>,
    layout: Layout,
    homes: &'a [Home],
    /// Which strips those are.
    dirty: &'a [bool],
    /// Who has come, strip by strip, in order.
    movers: &'a [Mover],
}

impl Ordering<'_> {
    /// Takes those of a strip who still touch it as they are now.
    fn retain(&self, number: usize, strip: &Strip, entries: &mut Vec<Entry>) {
        let (bodies, layout) = (self.bodies, self.layout);
        let units = strip.units().iter();
        if bodies.alive.is_empty() {
            entries.extend(units.filter_map(|unit| {
                let stays = layout.home_of(bodies, *unit).strips().contains(&number);
                stays.then(|| layout.entry(bodies, *unit))
            }));
        } else {
            entries.extend(units.filter_map(|unit| {
                let home = self.homes[*unit as usize];
                let stays = home != NOWHERE && home.strips().contains(&number);
                stays.then(|| layout.entry(bodies, *unit))
            }));
        }
    }

    fn newcomers(&self, number: usize) -> &[Mover] {
        let end_of = |movers: &[Mover], first: usize| {
            movers.partition_point(|mover| usize::from(mover.strip) < first)
        };
        let movers = &self.movers[end_of(self.movers, number)..];
        &movers[..end_of(movers, number + 1)]
    }
}

impl Chore for Ordering<'_> {
    fn load(&self, number: usize, strip: &Strip) -> usize {
        if self.dirty[number] { strip.len() } else { 0 }
    }

    fn work<P: Probe>(&self, number: usize, strip: &mut Strip, desk: &mut Desk, probe: &mut P) {
        if !self.dirty[number] {
            return;
        }
        desk.more -= strip.len() as isize;
        desk.entries.clear();
        self.retain(number, strip, &mut desk.entries);
        desk.sorter.put_in_order(&mut desk.entries, probe);
        merge(&mut desk.entries, self.newcomers(number), probe);
        desk.more += desk.entries.len() as isize;
        strip.fill(&desk.entries, self.bodies.are_sized(), |body| {
            self.layout.ends(number, body)
        });
    }
}

/// Merges in others, which are in order themselves, from the back.
fn merge<P: Probe>(entries: &mut Vec<Entry>, movers: &[Mover], probe: &mut P) {
    let (mut from, mut left) = (entries.len(), movers.len());
    entries.extend(movers.iter().map(|mover| mover.entry));
    while left > 0 {
        let mover = movers[left - 1].entry;
        if P::DETAILED
            && let Some(place) = from.checked_sub(1)
        {
            probe.orders(Neighbors {
                unit: mover.unit,
                other: entries[place].unit,
                place,
            });
        }
        probe.on(Event::Work(Work::Compare));
        if from > 0 && entries[from - 1].body.min.x > mover.body.min.x {
            entries[from + left - 1] = entries[from - 1];
            from -= 1;
        } else {
            entries[from + left - 1] = mover;
            left -= 1;
        }
    }
}

/// How many bodies may be oversize: with √n of them, scanning them costs a query about what its strips cost.
fn oversize_allowance(count: usize) -> usize {
    count.isqrt() / 2 + 4
}

/// Whether strips of this height have few bodies that are too large, and the others touch two of them on average.
fn suits(bodies: Bodies<'_>, axis: usize, height: f32) -> bool {
    let (mut count, mut oversize, mut heights) = (0_usize, 0_usize, 0.0_f64);
    for unit in bodies.ids() {
        let half = bodies.half_extent(unit);
        let is_oversize = 2.0 * half.max_element() > OVERSIZE * height;
        let across = 2.0 * half[1 - axis];
        count += 1;
        oversize += usize::from(is_oversize);
        heights += f64::from(if is_oversize { 0.0 } else { across });
    }
    oversize <= oversize_allowance(count) && heights <= count as f64 * f64::from(height)
}
