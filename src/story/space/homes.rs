//! Where the unit of an edit was kept and where it is kept now, by name, and what has become of both.

use crate::partition::{Joining, UnitId};
use crate::probe::{Event, Work};
use crate::story::joining::not_joined;
use crate::story::moments::Moments;
use crate::story::words::{are, capital, units, with_commas};
use crate::story::{Atlas, Place};

/// What is said of both; nothing of what is not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Homes {
    /// What it was kept in is called.
    pub was: Option<String>,
    /// What it is kept in when all is done is called.
    pub is: Option<String>,
    /// The full leaf at which it arrives, which is split for it.
    pub arrival: Option<Place>,
    /// What has become of what it has left, as a sentence with a space before it; else empty.
    pub left: String,
    /// The same of what it has come to, once that is there.
    pub reached: String,
    /// The region that is split in a step after that by which the unit is told to come, and of which what it comes to is a part; and the
    /// number of that step.
    pub split_later: Option<(String, usize)>,
}

impl Homes {
    /// Those of an edit that was heard as these events, of a structure that joins parts by this rule.
    pub fn of(
        (before, after): (&Atlas, &Atlas),
        unit: Option<UnitId>,
        events: &[Event],
        joining: Joining,
    ) -> Self {
        let moments = Moments::new(before, after, unit, events);
        let (old, new) = moments.homes();
        let homes = Self {
            was: old.map(Place::name),
            is: new.map(Place::name),
            ..Self::default()
        };
        if moments.is_rebuilt || old.is_some() && homes.was == homes.is {
            return homes;
        }
        let edit = Edit {
            moments,
            before,
            after,
            events,
        };
        let left = old.map_or_else(String::new, |old| edit.left(old));
        let not_joined = not_joined(joining, &edit.moments, after, events);
        let arrival = edit.moments.arrival(events);
        Self {
            left: left + &not_joined,
            arrival: arrival.map(|(leaf, _)| leaf.clone()),
            reached: new.map_or_else(String::new, |new| edit.reached(new)),
            split_later: new.and_then(|new| edit.split_later(new)),
            ..homes
        }
    }
}

/// An edit of one unit.
struct Edit<'a> {
    moments: Moments<'a>,
    before: &'a Atlas,
    after: &'a Atlas,
    events: &'a [Event],
}

impl<'a> Edit<'a> {
    /// What has become of the region that the unit has left.
    fn left(&self, old: &Place) -> String {
        let name = capital(&old.name());
        let is_there = self.after.place(old.region).is_some_and(|new| {
            self.moments.is_same(old.region)
                && new.called() == old.called()
                && new.is_inner() == old.is_inner()
        });
        let others = u64::from(old.load.saturating_sub(1));
        if is_there {
            let left = match others {
                0 => "nobody is left in it".to_owned(),
                others => format!("{} {} left in it", with_commas(others), are(others)),
            };
            return format!(" {name} held {}: {left}.", units(old.load.into()));
        }
        let merged = self.merged_above(old);
        match merged.map(|merged| (merged, self.moments.became(merged))) {
            Some((merged, Some(leaf))) if merged.region == old.region => format!(
                " {name} has taken its parts back, and holds {} now.",
                units(leaf.below)
            ),
            Some((_, Some(leaf))) => format!(
                " {name} is gone: {} has taken its parts back, and holds {} now.",
                leaf.name(),
                units(leaf.below)
            ),
            Some((merged, None)) => {
                format!(
                    " {name} is gone: {} has taken its parts back.",
                    merged.name()
                )
            }
            None if others == 0 => format!(" {name} is gone, for nobody is left in it."),
            None => format!(" {name} is gone when all is done."),
        }
    }

    /// What has become of the region to which the unit has come.
    fn reached(&self, new: &Place) -> String {
        let name = capital(&new.name());
        let load = u64::from(new.load);
        let now = format!("{} {} in it now", with_commas(load), are(load));
        let was = self.moments.was(new.region);
        match was.filter(|was| was.called() == new.called()) {
            Some(was) if was.is_inner() == new.is_inner() => {
                format!(" {name} held {}: {now}.", units(was.load.into()))
            }
            Some(_) if new.is_inner() => format!(
                " {name} was split: {} {} above its parts.",
                with_commas(load),
                if load == 1 { "stays" } else { "stay" }
            ),
            Some(_) => format!(" {name} has taken its parts back: {now}."),
            None => match self.split_above(new) {
                Some(split) => format!(
                    " {name} is new, a part of {}, which was split: {now}.",
                    split.name()
                ),
                None => format!(" {name} is new: {now}."),
            },
        }
    }

    /// The deepest region above one that is split by a step after the unit was told to come, and the number of that step.
    fn split_later(&self, new: &Place) -> Option<(String, usize)> {
        let comes = |event: &Event| matches!(event, Event::Work(Work::Add | Work::MoveRelink));
        let told = self.events.iter().position(comes)?;
        let later = self.events.iter().enumerate().skip(told + 1);
        let splits = later.filter_map(|(at, event)| match event {
            Event::Split(region) => Some((self.moments.split(*region)?, at + 1)),
            _ => None,
        });
        let above = splits.filter(|(place, _)| {
            place.is_inner()
                && place.region != new.region
                && self.after.is_above(place.region, new.region)
        });
        let (split, step) = above.max_by_key(|(place, _)| place.depth)?;
        Some((split.name(), step))
    }

    /// The region above one that has taken its parts back, as it was: the last of them, where there are several.
    fn merged_above(&self, old: &Place) -> Option<&'a Place> {
        let merges = self.events.iter().filter_map(|event| match event {
            Event::Merge(region) => Some(*region),
            _ => None,
        });
        let merged = merges.enumerate();
        let merged = merged.filter_map(|(turn, region)| self.moments.merged(region, turn));
        merged
            .filter(|place| self.before.is_above(place.region, old.region))
            .last()
    }

    /// The region above one that was split, as it is now: the deepest of them.
    fn split_above(&self, new: &Place) -> Option<&'a Place> {
        let splits = self.events.iter().filter_map(|event| match event {
            Event::Split(region) => self.moments.split(*region),
            _ => None,
        });
        splits
            .filter(|place| place.is_inner() && self.after.is_above(place.region, new.region))
            .max_by_key(|place| place.depth)
    }
}
