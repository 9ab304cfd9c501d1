//! Two moments of one edit, before it and after it: from which step on the later one is told, and which region of the one is which
//! of the other.
//!
//! An edit may use a number again: the parts of a node are counted anew, or a new node gets the number of one that is gone. So a
//! number alone does not say which region it is, and every step is told by the regions of one moment alone.

use super::atlas::{Atlas, Place};
use crate::partition::{RegionId, UnitId};
use crate::probe::{Event, Work};

/// The regions before an edit of one unit and after it.
#[derive(Clone)]
pub struct Moments<'a> {
    before: &'a Atlas,
    after: &'a Atlas,
    /// Who is edited; nobody where everything is built anew.
    unit: Option<UnitId>,
    /// The first step that is told by the regions after it.
    pub turn: usize,
    /// Whether everything is built anew in the end.
    pub is_rebuilt: bool,
    /// The nodes that are parted anew with all that is below them: what was there is gone, and what is there now is new.
    anew: Vec<RegionId>,
    /// The numbers that a node has given up, and that another one has taken, in the same edit.
    taken: Vec<RegionId>,
    /// How many regions are split.
    splits: usize,
}

/// Whether a step looks for a place in the tree as it was.
fn is_on_the_way(event: &Event) -> bool {
    matches!(event, Event::Climb(_) | Event::Descend(_))
}

/// From which step on an edit is told by the regions after it: from the first that changes the tree once the place has been found,
/// or where the tree stays, from there on; and the last step in any case.
fn turn_of(events: &[Event]) -> usize {
    if let Some(at) = events
        .iter()
        .rposition(|it| *it == Event::Work(Work::Rebuild))
    {
        return at;
    }
    let found = events.iter().rposition(is_on_the_way);
    let found = found.map_or(0, |at| at + 1);
    let first = |is_it: fn(&Event) -> bool| {
        let at = events[found..].iter().position(is_it);
        at.map(|at| found + at)
    };
    let split = first(|event| matches!(event, Event::Split(_)));
    let merge = || first(|event| matches!(event, Event::Merge(_)));
    let turn = split.or_else(merge).unwrap_or(found);
    turn.min(events.len().saturating_sub(1))
}

impl<'a> Moments<'a> {
    /// The two moments of an edit that was heard as these events.
    pub fn new(
        before: &'a Atlas,
        after: &'a Atlas,
        unit: Option<UnitId>,
        events: &[Event],
    ) -> Self {
        let is_split = |event: &&Event| matches!(event, Event::Split(_));
        let mut moments = Self {
            before,
            after,
            unit,
            turn: turn_of(events),
            is_rebuilt: events.contains(&Event::Work(Work::Rebuild)),
            anew: Vec::new(),
            taken: Vec::new(),
            splits: events.iter().filter(is_split).count(),
        };
        if !moments.is_rebuilt {
            moments.find_new(events);
        }
        moments
    }

    /// Finds out which nodes are parted anew, and which numbers are given up and taken again.
    fn find_new(&mut self, events: &[Event]) {
        let mut merged = Vec::new();
        for event in events {
            match *event {
                Event::Merge(region) => merged.push(region),
                Event::Split(region) if self.was_in_two(region) => {
                    if merged.contains(&region) {
                        self.taken.push(region);
                    } else if !self.is_below_anew(region) && self.is_parted_anew(region) {
                        self.anew.push(region);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a number is that of a node in two parts both before the edit and after it.
    fn was_in_two(&self, region: RegionId) -> bool {
        let is_in_two = |atlas: &Atlas| {
            let place = atlas.place(region);
            place.is_some_and(|place| place.is_inner() && place.parts().len() == 2)
        };
        is_in_two(self.before) && is_in_two(self.after)
    }

    /// Whether a node that is split was a node before, with the same others below it.
    fn is_parted_anew(&self, region: RegionId) -> bool {
        let (Some(old), Some(new)) = (self.before.place(region), self.after.place(region)) else {
            return false;
        };
        let others = self.others(self.before, old);
        old.depth == new.depth && !others.is_empty() && others == self.others(self.after, new)
    }

    /// Whether a number is, before the edit or after it, that of a region below a node that is parted anew.
    fn is_below_anew(&self, region: RegionId) -> bool {
        let is_below = |above: &RegionId| {
            *above != region
                && (self.before.is_above(*above, region) || self.after.is_above(*above, region))
        };
        self.anew.iter().any(is_below)
    }

    /// Whether a node is parted anew with all that is below it.
    pub fn is_anew(&self, region: RegionId) -> bool {
        self.anew.contains(&region)
    }

    /// Whether a region is one of those that a node has got by being parted anew.
    pub fn is_of_anew(&self, region: RegionId) -> bool {
        self.anew
            .iter()
            .any(|above| self.after.is_above(*above, region))
    }

    /// Whether a number is that of a region that was there before the edit and has given it up, and of another one after it.
    pub fn is_taken(&self, region: RegionId) -> bool {
        let is_there = |atlas: &Atlas| atlas.place(region).is_some();
        let is_new = self.taken.contains(&region) || self.is_below_anew(region);
        is_new && is_there(self.before) && is_there(self.after)
    }

    /// The regions that hold the unit itself before the edit and after it.
    pub fn homes(&self) -> (Option<&'a Place>, Option<&'a Place>) {
        let home = |atlas: &'a Atlas| self.unit.and_then(|unit| atlas.home(unit));
        (home(self.before), home(self.after))
    }

    /// Whoever else is in a region or below it, by ascending id.
    pub fn others(&self, atlas: &Atlas, place: &Place) -> Vec<UnitId> {
        let mut units = atlas.units_below(place);
        units.retain(|unit| Some(*unit) != self.unit);
        units.sort_unstable();
        units
    }

    /// Whether a number stands for the same region before and after the edit.
    pub fn is_same(&self, region: RegionId) -> bool {
        let (Some(old), Some(new)) = (self.before.place(region), self.after.place(region)) else {
            return false;
        };
        if self.is_rebuilt || self.taken.contains(&region) || self.is_below_anew(region) {
            return false;
        }
        let is_as_deep = old.depth == new.depth;
        if is_as_deep && (old.parent.is_none() || old.covers_what(new)) {
            return true;
        }
        let (was, is) = (self.others(self.before, old), self.others(self.after, new));
        let is_part = |some: &[UnitId], all: &[UnitId]| {
            some.iter().all(|unit| all.binary_search(unit).is_ok())
        };
        let are_leaves = !old.is_inner() && !new.is_inner();
        was == is || (is_as_deep || are_leaves) && (is_part(&was, &is) || is_part(&is, &was))
    }

    /// A region as it was before the edit, if it was there.
    pub fn was(&self, region: RegionId) -> Option<&'a Place> {
        self.before.place(region).filter(|_| self.is_same(region))
    }

    /// The region that an event names, as it is at the moment by which that is told, or at the other one where it is not there: an
    /// event `at` this place in the edit, after so many `merges`, that is to no end where everything `is_in_vain`. Nothing where it
    /// names none.
    pub fn place(
        &self,
        event: Event,
        at: usize,
        merges: usize,
        is_in_vain: bool,
    ) -> Option<&'a Place> {
        let is_after = at >= self.turn;
        match event {
            Event::Climb(region) | Event::Descend(region) => {
                self.as_at(self.passed(region)?, is_after)
            }
            Event::Split(region) | Event::Merge(region) if is_in_vain => self.before.place(region),
            Event::Split(region) => self.split(region),
            Event::Merge(region) => {
                let merged = self.merged(region, merges)?;
                let became = self.became(merged).filter(|_| is_after);
                Some(became.unwrap_or(merged))
            }
            Event::Refit(region) if is_after => self
                .after
                .place(region)
                .or_else(|| self.before.place(region)),
            Event::Refit(region) => self.passed(region),
            _ => None,
        }
    }

    /// A region that a step up leaves or a step down leads to, as it was then: nothing has been split for the unit by that time.
    pub fn passed(&self, region: RegionId) -> Option<&'a Place> {
        let before = self.before.place(region);
        before.or_else(|| self.after.place(region))
    }

    /// The region in which a step of upkeep is made of an edit of one unit that is said by such steps alone; the unit arrives at a leaf that is
    /// split for it, where there is one. Nothing where that is not known.
    pub fn stand(&self, kind: Work, at: usize, arrival: Option<&'a Place>) -> Option<&'a Place> {
        let (old, new) = self.homes();
        let place = match kind {
            Work::Remove => old,
            Work::Add | Work::MoveRelink => arrival.or(new),
            Work::MoveInPlace | Work::MoveKeyOnly => new,
            _ => None,
        };
        self.as_at(place?, at >= self.turn)
    }

    /// A region as it is at a moment, or as it is given where it is not there at that; nothing where its number is that of another
    /// one then, which would be taken for it.
    pub fn as_at(&self, place: &'a Place, is_after: bool) -> Option<&'a Place> {
        let there = if is_after { self.after } else { self.before };
        match there.place(place.region) {
            Some(same) if std::ptr::eq(same, place) || self.is_same(place.region) => Some(same),
            Some(_) => None,
            None => Some(place),
        }
    }

    /// Whether a region of this story is of the moment after the edit, and whether it is the same before it and after it.
    pub fn moment_of(&self, place: &Place) -> (bool, bool) {
        let is_after = self.after.place(place.region);
        let is_after = is_after.is_some_and(|it| std::ptr::eq(it, place));
        (is_after, self.is_same(place.region))
    }

    /// The region that takes its parts back, as it was: the `turn`th in the edit, from 0 on. Where the edit has counted anew what it
    /// is called by then, it is one above the place that the unit has left.
    pub fn merged(&self, region: RegionId, turn: usize) -> Option<&'a Place> {
        let Some(home) = self.homes().0 else {
            return self.before.place(region);
        };
        let mut above = self.before.upwards(home.region);
        let is_above = above.clone().any(|place| place.region == region);
        if is_above {
            self.before.place(region)
        } else {
            above.nth(turn + 1)
        }
    }

    /// What has become of a region that took its parts back, after the edit: itself, or a leaf in its place, or what has taken its
    /// place.
    pub fn became(&self, merged: &Place) -> Option<&'a Place> {
        let same = self.after.place(merged.region);
        if let Some(same) = same.filter(|_| self.is_same(merged.region)) {
            return Some(same);
        }
        let others = self.others(self.before, merged);
        let mut homes = others.iter().map(|unit| self.after.home(*unit));
        let Some(first) = homes.next() else {
            // Nobody is left by whom to know it.
            let leaves = self.after.places().iter();
            let mut leaves = leaves.filter(|place| !place.is_inner());
            return leaves.find(|place| place.covers_what(merged));
        };
        let mut common = first?;
        for home in homes {
            let home = home?.region;
            while !self.after.is_above(common.region, home) {
                common = self.after.place(common.parent?)?;
            }
        }
        Some(common)
    }

    /// The region that was split, as it is after the edit. Where the edit has counted anew what it is called by then, it is the one
    /// above the place that the unit has now.
    pub fn split(&self, region: RegionId) -> Option<&'a Place> {
        let new = self.after.place(region);
        let Some(home) = self.homes().1.filter(|_| !self.is_rebuilt) else {
            return new;
        };
        let is_known = self.before.place(region).is_some();
        let is_above = self.after.is_above(region, home.region);
        // Where several are split, each is what it is called by.
        let is_one_of_many = self.splits > 1 && new.is_some();
        if is_known || is_above || is_one_of_many {
            new
        } else {
            home.parent.and_then(|parent| self.after.place(parent))
        }
    }

    /// The leaf at which the unit arrives although it is full, so that it is split; and where in the edit that is.
    pub fn arrival(&self, events: &[Event]) -> Option<(&'a Place, usize)> {
        let home = self.homes().1.filter(|_| !self.is_rebuilt)?;
        let at = events
            .iter()
            .position(|event| matches!(event, Event::Split(_)))?;
        let Event::Split(region) = events[at] else {
            return None;
        };
        let split = self.split(region)?;
        let is_here = self.after.is_above(split.region, home.region);
        if !split.is_inner() || !is_here {
            return None;
        }
        let others = self.others(self.after, split);
        let leaf = self.before.home(*others.first()?)?;
        let is_all = others.len() == leaf.units().len();
        let is_full = leaf.capacity > 0 && leaf.load >= leaf.capacity && !leaf.is_inner();
        let is_it = |unit: &UnitId| leaf.units().contains(unit);
        (is_full && is_all && others.iter().all(is_it)).then_some((leaf, at))
    }

    /// The full leaf that is split into leaves of which the unit lies in one, where it stays a leaf itself and a half of it is new.
    pub fn halved(&self, events: &[Event]) -> Option<&'a Place> {
        let home = self.homes().1.filter(|_| !self.is_rebuilt)?;
        let split = events.iter().find_map(|event| match event {
            Event::Split(region) => self.was(*region),
            _ => None,
        })?;
        let is_leaf = !split.is_inner() && !self.after.place(split.region)?.is_inner();
        (is_leaf && self.before.place(home.region).is_none()).then_some(split)
    }
}

/// The events of an edit in the order in which they happen to a reader: whoever comes arrives at a leaf before that is split, though
/// structures tell that somebody is there once everything is done.
pub fn in_order(
    before: &Atlas,
    after: &Atlas,
    unit: Option<UnitId>,
    events: &[Event],
) -> Vec<Event> {
    let mut events = events.to_vec();
    let moments = Moments::new(before, after, unit, &events);
    let added = events
        .iter()
        .rposition(|event| *event == Event::Work(Work::Add));
    if let (Some((_, split)), Some(added)) = (moments.arrival(&events), added) {
        let found = events[..split].iter().rposition(is_on_the_way);
        let arrives = found.map_or(0, |at| at + 1);
        if arrives < added {
            events[arrives..=added].rotate_right(1);
        }
    }
    events
}
