//! Why an edit or a build does what it does: by what was before it and what is after it.

use super::atlas::{Outline, Place};
use super::joining::joined_once;
use super::moments::Moments;
use super::scenery::Scenery;
use super::words::{are, capital, count, metres, place as at_place, units, units_are, with_commas};
use crate::geometry::Vec2;
use crate::partition::{RegionId, UnitId};
use crate::probe::{Event, Neighbors, Trace, Work};
use std::collections::{HashMap, HashSet};

mod addresses;
mod boxes;
mod rules;
mod way;

pub use rules::Rules;

/// Which two neighbours in an order each step of upkeep of a kind is about, by its number from 1.
pub type Ordered = HashMap<(Work, u64), Neighbors>;

/// That of a trace. Steps of a kind keep their order, whatever comes between them for a reader.
pub fn ordered(trace: &Trace) -> Ordered {
    let mut counts = [0; Work::ALL.len()];
    let mut told = trace.neighbors().iter().peekable();
    let mut ordered = Ordered::new();
    for (at, event) in trace.events().iter().enumerate() {
        let Event::Work(kind) = *event else { continue };
        counts[kind as usize] += 1;
        if let Some((_, neighbors)) = told.next_if(|(place, _)| *place == at) {
            ordered.insert((kind, counts[kind as usize]), *neighbors);
        }
    }
    ordered
}

/// Tells of the events of one edit, in their order.
pub struct Teller<'a> {
    before: &'a Scenery<'a>,
    after: &'a Scenery<'a>,
    /// Who is edited; nobody where everything is built anew.
    unit: Option<UnitId>,
    /// How often each kind of work was told.
    told: [u64; Work::ALL.len()],
    /// Which two neighbours in an order steps of upkeep are about.
    ordered: Ordered,
    /// The two whom the step is about that was told last.
    pub neighbors: Option<Neighbors>,
    /// How often each kind of work happens in all.
    all: [u64; Work::ALL.len()],
    /// Which region is which before the edit and after it.
    moments: Moments<'a>,
    /// The leaf at which the unit arrives although it is full.
    arrival: Option<&'a Place>,
    /// The full leaf of which the unit lies in a half in the end, where that stays a leaf.
    halved: Option<&'a Place>,
    /// How many regions took their parts back by now.
    merges: usize,
    /// Whether everything was built anew by now.
    rebuilt: bool,
    /// The region to which the way down has led by now.
    arrived: Option<&'a Place>,
    /// Whether it was told that the unit has been taken out of where it was, ahead of the way to its new place.
    left: bool,
    /// The most that a leaf may hold once it is done; 0 where there is no such number.
    leaf_limit: u64,
    /// The most that any leaf holds once it is done.
    fullest: u64,
    /// Of a build that tells box by box, how many boxes there are on each level, and how many of them were told by now.
    boxes: HashMap<u16, [u64; 2]>,
    /// The regions of which it was told that they are others than those that had their numbers.
    new_ones: HashSet<RegionId>,
    /// By which rules the structure changes more than an edit asks for.
    rules: Rules,
}

impl<'a> Teller<'a> {
    /// Nothing is told yet. `unit` is who is edited, if it is one.
    pub fn new(
        before: &'a Scenery<'a>,
        after: &'a Scenery<'a>,
        unit: Option<UnitId>,
        events: &[Event],
        ordered: Ordered,
    ) -> Self {
        let mut all = [0; Work::ALL.len()];
        for event in events {
            if let Some(kind) = work_of(*event) {
                all[kind as usize] += 1;
            }
        }
        let moments = Moments::new(before.atlas, after.atlas, unit, events);
        let mut boxes: HashMap<u16, [u64; 2]> = HashMap::new();
        if moments.is_rebuilt {
            for event in &events[moments.turn..] {
                if let Event::Refit(region) = event
                    && let Some(place) = after.place(*region)
                {
                    boxes.entry(place.depth).or_default()[0] += 1;
                }
            }
        }
        let leaves = after.atlas.places().iter();
        let loads = leaves.filter(|place| !place.is_inner());
        let capacities = after.atlas.places().iter().map(|place| place.capacity);
        Self {
            fullest: loads.map(|place| u64::from(place.load)).max().unwrap_or(0),
            boxes,
            leaf_limit: capacities.max().unwrap_or(0).into(),
            before,
            after,
            unit,
            told: [0; Work::ALL.len()],
            ordered,
            neighbors: None,
            all,
            arrival: moments.arrival(events).map(|(leaf, _)| leaf),
            halved: moments.halved(events),
            moments,
            new_ones: HashSet::new(),
            rules: Rules::default(),
            merges: 0,
            rebuilt: unit.is_none(),
            arrived: None,
            left: false,
        }
    }

    /// The same, where it is known by which rules the structure changes.
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// The first step that is told by the regions after the edit.
    pub fn turn(&self) -> usize {
        self.moments.turn
    }

    /// The region of the event that is about to be told: as it is at the moment by which that is told, or at the other one where it
    /// is not there.
    pub fn place(&self, events: &[Event], at: usize) -> Option<&'a Place> {
        match events[at] {
            Event::Work(kind) => {
                let is_after = at >= self.moments.turn;
                self.moments.as_at(self.stand(kind)?, is_after)
            }
            event => self
                .moments
                .place(event, at, self.merges, self.is_in_vain()),
        }
    }

    /// Whether a region of this story is of the moment after the edit, and whether it is the same before it and after it.
    pub fn moment_of(&self, place: &Place) -> (bool, bool) {
        self.moments.moment_of(place)
    }

    /// Where the unit is to be, or where it was if it goes.
    fn here(&self) -> Option<Vec2> {
        let unit = self.unit?;
        let bodies = if self.after.bodies.is_alive(unit) {
            self.after.bodies
        } else {
            self.before.bodies
        };
        Some(bodies.center(unit))
    }

    /// Who is edited, and how far it moves.
    fn who(&self) -> String {
        let Some(unit) = self.unit else {
            return "A unit".to_owned();
        };
        let (before, after) = (self.before.bodies, self.after.bodies);
        if before.is_alive(unit) && after.is_alive(unit) {
            let way = before
                .center(unit)
                .as_dvec2()
                .distance(after.center(unit).as_dvec2());
            format!("Unit {unit}, {} from where it was,", metres(way))
        } else {
            format!("Unit {unit}")
        }
    }

    /// The regions that hold the unit itself before and after the edit.
    fn homes(&self) -> (Option<&'a Place>, Option<&'a Place>) {
        self.moments.homes()
    }

    /// The region to which a unit goes first, be it full.
    fn goes_to(&self) -> Option<&'a Place> {
        // Leaves may have other numbers in the end, where more than the one is parted anew.
        let arrived = self.arrived.filter(|place| !place.is_inner());
        self.arrival.or(self.halved).or(arrived).or(self.homes().1)
    }

    /// Whether what is done is undone by and by, for everything will be built anew.
    fn is_in_vain(&self) -> bool {
        self.moments.is_rebuilt && !self.rebuilt
    }

    /// Said of what is done in vain.
    fn in_vain(&self, region: RegionId, what: &str) -> String {
        let had = match self.before.place(region) {
            Some(place) => format!("it held {} before the edit", units(place.below)),
            None => "it was not there before the edit".to_owned(),
        };
        format!("It {what}, to no end, for everything is built anew in the same edit: {had}.")
    }

    /// Said once of a unit that moves, where the first that is told of it is what becomes of the place that it leaves.
    pub fn leaves(&mut self) -> Option<String> {
        let relinked = Work::MoveRelink as usize;
        let is_on_its_way = self.all[relinked] == 1 && self.told[relinked] == 0;
        if self.left || !is_on_its_way || self.is_in_vain() {
            return None;
        }
        self.left = true;
        let (unit, old) = (self.unit?, self.homes().0?);
        Some(format!(
            "Unit {unit} belongs elsewhere, and is taken out of {}. ",
            old.name()
        ))
    }

    /// Said once of a region that has the number of another one, which the same edit has given up.
    fn new_one(&mut self, region: RegionId) -> String {
        let is_new = self.moments.is_taken(region) && self.new_ones.insert(region);
        let place = self.after.place(region).filter(|_| is_new);
        place.map_or_else(String::new, |place| {
            format!(" It is a new {}: that of before is gone.", place.name())
        })
    }

    /// Why a node is split.
    pub fn split(&mut self, region: RegionId) -> String {
        if self.is_in_vain() {
            return self.in_vain(region, "is split");
        }
        self.split_for(region) + &self.new_one(region)
    }

    /// Why a node is split that is not built anew once more.
    fn split_for(&self, region: RegionId) -> String {
        let new = self.moments.split(region);
        let old = self.moments.was(region);
        let Some(new) = new else {
            let old = self.before.place(region);
            let many = old.map_or(0, |old| old.below);
            return format!(
                "It held {}, is split, and is taken back in the same edit.",
                units(many)
            );
        };
        let own = if new.is_inner() {
            u64::from(new.load)
        } else {
            0
        };
        let many = new.below - own;
        let parts = new.parts.len();
        let limit = new
            .parts
            .iter()
            .filter_map(|part| self.after.place(*part))
            .chain(old)
            .map(|place| u64::from(place.capacity))
            .fold(u64::from(new.capacity), u64::max);
        let in_parts = match parts {
            2 => "in two",
            4 => "in four",
            _ => "in parts",
        };
        // Of what is all new, the parts below are parted in turn by now.
        let limit = if self.rebuilt || self.moments.is_of_anew(region) {
            limit.max(self.leaf_limit)
        } else {
            limit
        };
        let cut = format!("{}{}", self.bit(region), self.cut(new));
        let was_parted = old.is_some_and(Place::is_inner) && !self.rebuilt;
        let has_same_parts = old.is_some_and(|old| old.parts == new.parts);
        if was_parted && new.is_inner() && (has_same_parts || self.moments.is_anew(region)) {
            return format!(
                "So many have come, gone or crossed a line that its halves are none any more: its {} parted {in_parts} anew.",
                units_are(many)
            );
        }
        let leaves = old.map_or(0, |old| old.parts.len());
        // Only a wide node has places that can all be in use.
        if was_parted && new.is_inner() && leaves > 4 {
            return format!(
                "All its {} are in use: half of them move to a new node.",
                count(leaves as u64, "place")
            );
        }
        if !new.is_inner() {
            let load = old.map_or(new.load, |old| old.load);
            return format!(
                "It held {}, as many as a leaf may: half of them go to another leaf, and {} in it now.",
                units(load.into()),
                are_many(new.load)
            );
        }
        if limit > 0 && many > limit {
            return format!(
                "{} more than the {limit} that a leaf may hold: it is split {in_parts}{cut}{}{}.{}",
                units_are(many),
                match own {
                    0 => String::new(),
                    1 => "; 1 more lies across a line between the parts and stays above them"
                        .to_owned(),
                    own => format!(
                        "; {} more lie across a line between the parts and stay above them",
                        with_commas(own)
                    ),
                },
                self.lies_now(new),
                self.was_called(new)
            );
        }
        if limit > 0 && self.rebuilt {
            return format!(
                "A leaf may hold {limit}, but a build fills none with more than {}, four fifths at most, so that there is room for who comes: {} parted {in_parts}{cut}.",
                with_commas(self.fullest),
                units_are(many)
            );
        }
        format!(
            "What it holds belongs on different sides: {} parted {in_parts}{}.",
            units_are(many),
            self.bit(region)
        )
    }

    /// In which bit of their addresses those are parted who are below a node that is built or made; nothing where they have none.
    fn bit(&self, region: RegionId) -> String {
        match self.after.branch(region) {
            Some(branch) => match branch.strip_prefix("row bit ") {
                Some(_) => " by their numbers, for they are in one cell".to_owned(),
                None => {
                    format!(" at bit {branch} of their addresses, the highest in which they differ")
                }
            },
            None => String::new(),
        }
    }

    /// In which part of a region that was split the unit lies now, if it is in one.
    fn lies_now(&self, split: &Place) -> String {
        let home = self
            .homes()
            .1
            .filter(|home| split.parts.contains(&home.region));
        match (self.unit, home) {
            (Some(unit), Some(home)) => {
                format!(", and unit {unit} lies in {} now", home.name())
            }
            _ => String::new(),
        }
    }

    /// That the leaf at which the unit arrived has another name once it is split, where that is so.
    fn was_called(&self, split: &Place) -> String {
        // What is split below it is split again, and was never called so.
        let is_same = |leaf: &&Place| leaf.region != split.region && leaf.depth == split.depth;
        let leaf = self.arrival.filter(is_same);
        let Some(leaf) = leaf.filter(|_| !self.rebuilt) else {
            return String::new();
        };
        let keeps = match split.parts.contains(&leaf.region) {
            true => ", and one of its parts has the old number",
            false => "",
        };
        format!(" What was {} is {} now{keeps}.", leaf.name(), split.name())
    }

    /// Where a node is cut in two, and how many are on each side; nothing where that cannot be read off its parts.
    fn cut(&self, place: &Place) -> String {
        let [first, second] = place.parts[..] else {
            return String::new();
        };
        let (Some(first), Some(second)) = (self.after.place(first), self.after.place(second))
        else {
            return String::new();
        };
        let sides = format!(", {} and {}", first.below, second.below);
        let boxes = (&first.outline, &second.outline);
        let (Outline::Rect(a), Outline::Rect(b)) = boxes else {
            return sides;
        };
        let (a, b) = if a.min.cmple(b.min).all() {
            (a, b)
        } else {
            (b, a)
        };
        let why = self.why_uneven([first, second]);
        if a.max.x == b.min.x && a.max.y == b.max.y {
            format!(" at x {}{sides}{why}", metres(f64::from(b.min.x)))
        } else if a.max.y == b.min.y && a.max.x == b.max.x {
            format!(" at y {}{sides}{why}", metres(f64::from(b.min.y)))
        } else {
            sides
        }
    }

    /// Why a node takes back what is below it.
    pub fn merge(&mut self, region: RegionId, at: usize) -> String {
        if self.is_in_vain() {
            return self.in_vain(region, "takes its parts back");
        }
        let turn = self.merges;
        self.merges += 1;
        let Some(merged) = self.moments.merged(region, turn) else {
            let left = self.after.place(region).map_or(0, |place| place.below);
            return format!("It takes its parts back: {} left in it.", units_are(left));
        };
        let became = self.moments.became(merged);
        let home = self.homes().0;
        let is_left = home.is_some_and(|it| self.before.atlas.is_above(merged.region, it.region));
        let left = match became.filter(|it| at >= self.moments.turn && !it.is_inner()) {
            // Whoever has come back to it is in it.
            Some(leaf) => leaf.below,
            None => merged.below - u64::from(is_left),
        };
        let left_below = left;
        let left = match left {
            0 => "none is left".to_owned(),
            left => format!("{} {} left", with_commas(left), are(left)),
        };
        let name = capital(&merged.name());
        let had = format!("{name} had {} below it, and {left}", units(merged.below));
        let Some(became) = became else {
            return format!("{had}, for which it takes no node.");
        };
        // Why not before: whoever goes to and fro is not to part and join them each time.
        let limit = match u64::from(became.capacity) {
            limit if limit > 0 && left_below <= limit / 2 => {
                format!("; {}", joined_once(limit))
            }
            _ => String::new(),
        };
        let is_same = became.region == merged.region && self.moments.is_same(merged.region);
        let mut parts = merged.parts.iter();
        let had_leaves = parts.all(|it| self.before.place(*it).is_some_and(|it| !it.is_inner()));
        let into = became.name();
        if is_same && became.is_inner() {
            format!("{had}: one of its parts has become so small that another takes its units.")
        } else if is_same {
            format!("{had}{limit}: it takes its parts back.")
        } else if !became.is_inner() && had_leaves {
            format!("{had}{limit}: its parts become one, {into}.")
        } else {
            format!("{had}, for which it takes no node: {into} takes its place.")
        }
    }

    /// Why a step of upkeep is made.
    pub fn work(&mut self, kind: Work, events: &[Event], at: usize) -> String {
        let turn = self.told[kind as usize] + 1;
        self.told[kind as usize] = turn;
        let all = self.all[kind as usize];
        let of_all = self.after.of_all(all);
        self.neighbors = self.ordered.get(&(kind, turn)).copied();
        match kind {
            Work::Add => self.add(),
            Work::Remove => self.remove(),
            Work::Rebuild => {
                self.rebuilt = true;
                let many = self.after.bodies.count() as u64;
                if self.unit.is_none() {
                    format!(
                        "It is asked for: all {} filed anew{}.",
                        units_are(many),
                        self.parts_in_words()
                    )
                } else {
                    let whom = match self.unit {
                        Some(unit) => format!(" for unit {unit}"),
                        None => String::new(),
                    };
                    format!(
                        "The whole structure is built anew{whom}, with all {}: it cannot change the part alone that this edit is about, or that would take longer.",
                        units(many)
                    )
                }
            }
            Work::MoveInPlace if all > 1 => {
                let whom = match self.after.is_cut() {
                    true => "those".to_owned(),
                    false => format!("the {all}"),
                };
                format!(
                    "All units are gone through, as few as they are; number {turn} of {whom} that are still where they belong is written where it stands."
                )
            }
            Work::MoveInPlace => self.in_place(&events[at..]),
            Work::MoveKeyOnly => format!(
                "{} has another key, but on the same side of every node: the tree stays as it is.",
                self.who()
            ),
            Work::MoveRelink => self.relinked(),
            // Steps name a region, and are told by it; a pair is met again in a search alone.
            Work::Climb | Work::Descend | Work::DoubleAttack => {
                format!("Step {turn}{of_all} on the way.")
            }
            Work::Swap | Work::Compare if self.neighbors.is_some() => {
                self.neighbors_in_order(kind, (turn, all), events.get(at + 1))
            }
            Work::Swap => format!(
                "Pass {turn}{of_all}: two neighbours in the order change places, for one has come past the other."
            ),
            Work::Compare => self.after.compare(
                events,
                at,
                "who comes first in the order, or whether order is restored",
            ),
            Work::Rotate => {
                format!("Turn {turn}{of_all}: two nodes change places, so that boxes get smaller.")
            }
        }
    }

    /// That two neighbours in an order are compared, or change places.
    fn neighbors_in_order(
        &self,
        kind: Work,
        (turn, all): (u64, u64),
        next: Option<&Event>,
    ) -> String {
        let Some(Neighbors { unit, other, place }) = self.neighbors else {
            return String::new();
        };
        let number = with_commas(place as u64 + 1);
        match kind {
            Work::Swap => format!(
                "Pass {turn}{}: unit {unit} and unit {other}, number {number} in the order, change places, for one has come past the other.",
                self.after.of_all(all)
            ),
            _ => {
                let passes = next == Some(&Event::Work(Work::Swap))
                    || self.goes_past((unit, place), (turn, all));
                let seen = match passes {
                    true => "it comes before it, and goes past it",
                    // What would show it may not be kept.
                    false if self.after.is_cut() && turn == all && next.is_none() => {
                        "whether it comes before it lies behind the cut"
                    }
                    false => "it does not come before it, and stays behind it",
                };
                format!(
                    "Unit {unit} is compared with unit {other}, number {number} in the order: {seen}.{}",
                    self.why_others([unit, other])
                )
            }
        }
    }

    /// Whether somebody comes before whom it is compared with, at this place in the order, where no two change places for that: then it is
    /// compared with the one before that next, or with nobody where there is none.
    fn goes_past(&self, (unit, place): (UnitId, usize), (turn, all): (u64, u64)) -> bool {
        match self.ordered.get(&(Work::Compare, turn + 1)) {
            Some(next) => next.unit == unit && next.place + 1 == place,
            None => turn < all && place == 0 && self.unit == Some(unit),
        }
    }

    /// Why two are compared of whom none is edited.
    fn why_others(&self, two: [UnitId; 2]) -> String {
        match self.unit.filter(|unit| !two.contains(unit)) {
            Some(unit) => format!(
                " Neither is unit {unit}: the whole order is gone through, each with the one before it, to see whether it holds."
            ),
            None => String::new(),
        }
    }

    /// Where somebody who comes is put.
    fn add(&self) -> String {
        let who = self.who_where();
        if let Some(full) = self.arrival {
            return format!(
                "{who} arrives in {}, which held {}, as many as a leaf may.",
                full.name(),
                units(full.load.into())
            );
        }
        let Some(new) = self.homes().1 else {
            let many = self.after.bodies.count() as u64;
            return format!(
                "{who} is put with the others: {} there now.",
                units_are(many)
            );
        };
        let name = new.name();
        let limit = match new.capacity {
            0 => String::new(),
            limit => format!(" of the {limit} that it may hold"),
        };
        match self.moments.was(new.region) {
            Some(old) => format!(
                "{who} is put into {name}, which held {}: {} in it now{limit}.",
                units(old.load.into()),
                are_many(new.load)
            ),
            None if self.moments.is_taken(new.region) => format!(
                "{who} is put into {name}, a new one: {} in it now{limit}.",
                are_many(new.load)
            ),
            None => format!(
                "{who} is put into {name}, which was not there before: {} in it now{limit}.",
                are_many(new.load)
            ),
        }
    }

    /// Where somebody who goes is taken out of.
    fn remove(&self) -> String {
        let who = self.who_where();
        let Some(old) = self.homes().0 else {
            let many = self.after.bodies.count() as u64;
            return format!("{who} is taken out: {} left.", units_are(many));
        };
        let new = self.after.place(old.region);
        let new = new.filter(|_| self.moments.is_same(old.region));
        let left = match new {
            Some(new) if !new.is_inner() || old.is_inner() => match old.load - 1 {
                0 => "nobody is left in it".to_owned(),
                left => format!("{} left in it", are_many(left)),
            },
            _ => format!("the {} is gone after the edit", old.noun()),
        };
        format!(
            "{who} is taken out of {}, which held {}: {left}.",
            old.name(),
            units(old.load.into())
        )
    }

    /// Who is edited, and where it is.
    fn who_where(&self) -> String {
        let who = self
            .unit
            .map_or("A unit".to_owned(), |unit| format!("Unit {unit}"));
        match self.here() {
            Some(here) => format!("{who} at {}", at_place(here)),
            None => who,
        }
    }

    /// The region in which the step of upkeep is made that is about to be told. Nothing where that is not known.
    fn stand(&self, kind: Work) -> Option<&'a Place> {
        match kind {
            Work::Remove => self.homes().0,
            Work::Add => self.arrival.or(self.homes().1),
            Work::MoveRelink => self.goes_to(),
            // Where everybody is gone through, it is not said who is it.
            Work::MoveInPlace if self.all[kind as usize] == 1 => self.homes().1,
            _ => None,
        }
    }
}

/// What an event is counted as among the steps of upkeep.
fn work_of(event: Event) -> Option<Work> {
    match event {
        Event::Work(kind) => Some(kind),
        Event::Climb(_) => Some(Work::Climb),
        Event::Descend(_) => Some(Work::Descend),
        _ => None,
    }
}

/// So many are.
fn are_many(many: u32) -> String {
    format!("{} {}", with_commas(many.into()), are(many.into()))
}
