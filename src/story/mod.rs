//! What happened, event by event, and why: a trace of one operation told in words.
//!
//! A [`Trace`] says what a structure did. Here each of its events gets the region that it names, the units that it concerns and
//! a reason: one sentence with the numbers that decided. Nothing is done a second time for that: the events are those of the
//! very traversal that is counted and timed, and the reasons are read off the operation, the units and the structure's own
//! picture, before the edit and after it.
//!
//! Invariant: what a sentence says is so. Where it is not known why a structure did something, the sentence says what is known.
//!
//! Invariant: this module draws nothing, and knows no structure but by [`crate::partition`].

use crate::geometry::{Aabb, Segment};
use crate::partition::{AnyPartition, Pair, RegionId, UnitId};
use crate::probe::{Abandoned, Cancel, Counter, Event, Listening, Trace, Work};
use area::Area;
use scenery::{Scenery, addresses_of, addresses_told, branches_of, branches_of_splits, codes_told};
use std::collections::HashMap;
use std::sync::Arc;
use sweeps::Sweeps;

mod area;
mod atlas;
mod diagram;
mod edit;
mod joining;
mod lines;
mod moments;
mod names;
mod nearest;
mod operation;
mod pairs;
mod parts;
mod reel;
mod scenery;
mod search;
pub mod space;
mod stage;
mod sweeps;
mod told;
mod turns;
mod values;
pub(crate) mod words;

#[cfg(test)]
mod tests;

pub use atlas::{Atlas, Outline, Place};
pub use diagram::{Diagram, DiagramNode};
pub use nearest::Stay;
pub use operation::{Answer, Ground, MOST_PAIRS, Operation};
pub use pairs::apart;
pub use reel::{Reel, Standing, Track};
pub use stage::Stage;
pub use told::{Heard, Note};
pub use values::Refused;
pub use words::bytes_enough;

/// Whom an event concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concerned {
    /// Nobody by name.
    Nobody,
    /// So many, who are in the region.
    Load(u64),
    /// One.
    One(UnitId),
    /// Two.
    Two(UnitId, UnitId),
}

/// What a step of a search for pairs is to the turn that has begun last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InTurn {
    /// It is of no turn, or of an earlier one to which the search comes back, if only behind a step of another one.
    #[default]
    Apart,
    /// It is the one with which that begins.
    Begins,
    /// It is of that turn.
    Within,
}

impl InTurn {
    /// What a step is that is of this turn, and with which that `begins` or not. `run` is the turn that has begun last, as long as all steps
    /// behind that are of it or of none.
    fn of(turn: Option<usize>, begins: bool, run: &mut Option<usize>) -> Self {
        match turn {
            Some(_) if begins => {
                *run = turn;
                Self::Begins
            }
            Some(_) if turn == *run => Self::Within,
            Some(_) => {
                *run = None;
                Self::Apart
            }
            None => Self::Apart,
        }
    }
}

/// One event and its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// The region that it names; where a turn goes on, the one that is looked at.
    pub region: Option<RegionId>,
    /// Where that is in [`Story::places`], if the structure's picture has it.
    pub place: Option<usize>,
    /// In a search for pairs, where in [`Story::places`] the region is whose turn it is to look at others.
    pub turn: Option<usize>,
    /// What it is to the turn that has begun last.
    pub in_turn: InTurn,
    /// Whom it concerns.
    pub units: Concerned,
    /// Why it happened: a sentence.
    pub reason: String,
    /// How many more are in its region once it has happened than [`Story::places`] says, which has the regions before an edit and after it.
    pub more: i8,
    /// How many of those it holds itself.
    pub own: i8,
}

impl Step {
    /// What kind of event it is, in a word or two.
    pub fn kind(&self) -> &'static str {
        match self.event {
            Event::Visit(_) => "visit",
            Event::Prune(_) => "prune",
            Event::Accept(_) => "accept",
            Event::Test(_) => "test",
            Event::TestPair(..) => "test pair",
            Event::Hit(_) => "hit",
            Event::HitPair(..) => "hit pair",
            Event::Split(_) => "split",
            Event::Merge(_) => "merge",
            Event::Refit(_) => "refit",
            Event::Climb(_) => Work::Climb.event_name(),
            Event::Descend(_) => Work::Descend.event_name(),
            Event::Work(kind) => kind.event_name(),
        }
    }

    /// What stands before the region that it names, or before its units: its kind, or that a region has its turn. What a unit does in a
    /// region is not what the region does.
    pub fn word(&self) -> &'static str {
        match (self.in_turn, self.event) {
            (InTurn::Begins, _) => "turn of",
            (_, Event::Climb(_)) => "up from",
            (_, Event::Descend(_)) => "down to",
            (_, Event::Work(kind)) if self.region.is_some() => match kind {
                Work::Add => "unit into",
                Work::Remove => "unit out of",
                Work::MoveInPlace => "unit moves in",
                Work::MoveKeyOnly => "unit gets a key in",
                Work::MoveRelink => "unit moves to",
                _ => kind.event_name(),
            },
            _ => self.kind(),
        }
    }
}

/// What a place is beside others that have its number.
#[derive(Clone, Copy, Debug)]
struct Identity {
    /// The number of the first place that is the same region.
    thing: usize,
    /// Whether it is of the regions after the operation.
    is_after: bool,
    /// Whether its number stands for the same region at both moments.
    is_same: bool,
}

/// One operation, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// What happened, in order, up to the cap.
    pub steps: Vec<Step>,
    /// The regions that steps name, each once for each way it was.
    pub places: Vec<Place>,
    /// What each of the places is beside others that have its number.
    identities: Vec<Identity>,
    /// What units are called, in the order of their numbers, as far as they have names.
    names: Vec<String>,
    /// Who comes by the operation, if somebody does.
    newcomer: Option<UnitId>,
    /// What was found.
    pub answer: Answer,
    /// In a search for the nearest, after how many steps it looks no farther than how many metres, each nearer than the one before;
    /// nothing while fewer have been found than are wanted.
    pub reaches: Vec<(usize, f64)>,
    /// In a search for the nearest, who was one of the nearest so far, and when.
    pub stays: Vec<Stay>,
    /// In a search for pairs through the cells of a grid, who has looked at a cell when that has its turn, so that it need not look back.
    pub looked: HashMap<RegionId, Vec<RegionId>>,
    /// What happened, summed up, what is beyond the cap included.
    pub counters: Counter,
    /// How many events came after the cap.
    pub left_out: u64,
    /// All regions before the operation.
    pub before: Arc<Atlas>,
    /// All regions after it, if it may have changed them.
    pub after: Option<Atlas>,
    /// The first step that is told by the regions after it, where there are such.
    pub turn: usize,
}

impl Story {
    /// Whether the regions are those after the operation once so many steps have happened: each step is told by the regions of one
    /// moment, and they are what is shown at it.
    pub fn is_after(&self, at: usize) -> bool {
        self.after.is_some() && (at > self.turn || at == self.steps.len())
    }

    /// The regions once so many steps have happened.
    pub fn atlas(&self, at: usize) -> &Atlas {
        let after = self.after.as_ref().filter(|_| self.is_after(at));
        after.unwrap_or(&self.before)
    }

    /// The region of a step, as it was at that step as far as it is known.
    pub fn place(&self, step: &Step) -> Option<&Place> {
        step.place.map(|place| &self.places[place])
    }

    /// How far a search for the nearest still looks once so many steps have happened, in metres: as far as the last of as many as are
    /// wanted. `None` while there are fewer, and of everything else.
    pub fn reach(&self, at: usize) -> Option<f64> {
        let known = self.reaches.partition_point(|(after, _)| *after <= at);
        Some(self.reaches[known.checked_sub(1)?].1)
    }

    /// Whether it is a search for the nearest, in which anybody has been looked at: what it finds is told at its end.
    pub fn seeks_nearest(&self) -> bool {
        !(self.stays.is_empty() && self.reaches.is_empty())
    }

    /// The box of a step's region.
    pub fn bounds(&self, step: &Step) -> Option<Aabb> {
        self.place(step).map(|place| place.bounds)
    }

    /// Carries an operation out on an index that is up to date with `ground`, and tells what happened. Both are afterwards as
    /// the operation leaves them. Pairs without a reach of their own are asked for up to `reach`; the first `cap` events are
    /// kept.
    ///
    /// The operation has to be one that [`Operation::check`] lets pass.
    pub fn of(
        operation: &Operation,
        index: &mut AnyPartition,
        ground: &mut Ground,
        reach: f32,
        cap: usize,
        cancel: &Cancel,
    ) -> Result<Self, Abandoned> {
        let old = Arc::new(Atlas::of(index, ground.bodies(), cancel)?);
        Self::from(operation, index, ground, reach, cap, old, cancel)
    }

    /// [`Story::of`] on an index whose regions are known already.
    fn from(
        operation: &Operation,
        index: &mut AnyPartition,
        ground: &mut Ground,
        reach: f32,
        cap: usize,
        old: Arc<Atlas>,
        cancel: &Cancel,
    ) -> Result<Self, Abandoned> {
        let info = index.info();
        let truth = ground.clone();
        let unit = operation.unit(truth.bodies());
        let changes = operation.is_edit() || *operation == Operation::Rebuild;
        // What an edit does away with can be asked now alone.
        let old_addresses = match changes {
            true => addresses_of(unit, index, truth.bodies(), &old),
            false => HashMap::new(),
        };
        let code_of = |index: &AnyPartition, ground: &Ground| {
            let unit = unit.filter(|_| changes)?;
            Some((unit, index.address(ground.bodies(), unit)?))
        };
        let old_code = code_of(index, ground);
        let mut probe = (Trace::with_cap(cap), Counter::default());
        let answer = Cancel::attempt(|| {
            operation.perform(
                index,
                ground,
                reach,
                &mut Listening::new(&mut probe, cancel),
            )
        })?;
        let (trace, counters) = probe;
        let new = if changes {
            Some(Atlas::of(index, ground.bodies(), cancel)?)
        } else {
            None
        };
        let now = new.as_ref().unwrap_or(&old);
        let told = addresses_told(trace.events(), index, ground.bodies(), now, cancel)?;
        let (old_addresses, new_addresses) = match changes {
            true => {
                let mut new = addresses_of(unit, index, ground.bodies(), now);
                new.extend(told);
                (old_addresses, new)
            }
            false => (told, HashMap::new()),
        };
        let mut codes = codes_told(trace.events(), index, ground.bodies(), cancel)?;
        codes.extend(old_code);
        let new_codes = code_of(index, ground).into_iter().collect();
        let has_addresses = !new_addresses.is_empty();
        let before = Scenery::new(truth.bodies(), &old, info)
            .with_addresses(old_addresses, codes)
            .with_kind(index.kind())
            .with_cut(trace.dropped() > 0);
        let after = Scenery::new(ground.bodies(), now, info)
            .with_addresses(new_addresses, new_codes)
            .with_cut(trace.dropped() > 0);
        let branches = match trace.events().contains(&Event::Work(Work::Rebuild)) {
            true => branches_of(index, ground.bodies(), now, cancel)?,
            false if has_addresses => branches_of_splits(trace.events(), index, ground.bodies()),
            false => HashMap::new(),
        };
        let after = after.with_branches(branches);
        let ordered = match changes {
            true => moments::in_order(before.atlas, after.atlas, unit, trace.events()),
            false => Vec::new(),
        };
        let events = match changes {
            true => ordered.as_slice(),
            false => trace.events(),
        };
        let mut pages = Pages::default();
        let teller = match *operation {
            Operation::Radius { center, radius } => {
                Teller::Search(search::Teller::new(&before, Area::Disc { center, radius }))
            }
            Operation::Range(area) => {
                Teller::Search(search::Teller::new(&before, Area::Rectangle(area)))
            }
            Operation::Segment { from, to } => {
                let way = Segment {
                    from,
                    to,
                    half_width: 0.0,
                };
                Teller::Search(search::Teller::new(&before, Area::Way(way)))
            }
            Operation::Within(ref figure) => {
                Teller::Search(search::Teller::new(&before, Area::Figure(figure.figure())))
            }
            Operation::Near { unit, reach } => {
                let area = Area::near(unit, truth.bodies().aabb(unit), reach);
                Teller::Search(search::Teller::new(&before, area))
            }
            Operation::Nearest { point, count } => {
                Teller::Nearest(nearest::Teller::new(&before, point, count))
            }
            Operation::Pairs { reach: own } => {
                let reach = own.unwrap_or(reach);
                Teller::Pairs(pairs::Teller::new(
                    &before,
                    reach,
                    (events, trace.lookers()),
                    trace.dropped() == 0,
                ))
            }
            _ => {
                let ordered = edit::ordered(&trace);
                let teller = edit::Teller::new(&before, &after, unit, events, ordered);
                Teller::Edit(Box::new(teller.with_rules(edit::Rules::of(index))))
            }
        };
        let turn = match &teller {
            Teller::Edit(teller) => teller.turn(),
            _ => events.len(),
        };
        let ends = Sweeps::of(&trace);
        let order = parts::Order::new(trace.dropped() > 0);
        let steps = pages.fill(teller, &before, (events, ends, order), cancel)?;
        let mut story = Self {
            steps,
            names: Vec::new(),
            newcomer: unit.filter(|unit| changes && !truth.bodies().is_alive(*unit)),
            places: pages.places,
            identities: pages.identities,
            reaches: pages.reaches,
            stays: pages.stays,
            looked: pages.looked,
            turn,
            answer,
            counters,
            left_out: trace.dropped(),
            before: old,
            after: new,
        };
        if let Some(unit) = unit.filter(|_| changes) {
            story.count_then(unit);
        }
        Ok(story)
    }
}

/// Who tells of an operation.
enum Teller<'a> {
    Search(search::Teller<'a>),
    Nearest(nearest::Teller<'a>),
    Pairs(pairs::Teller<'a>),
    Edit(Box<edit::Teller<'a>>),
}

/// Where a search goes past levels of a tree without a look at each.
#[derive(Default)]
struct Skips {
    entered: std::collections::HashSet<RegionId>,
    is_told: bool,
}

impl Skips {
    /// Said where it is seen for the first time.
    const WHY: &str = " The levels between are passed over, for speed: a node keeps, side by side, the boxes of whatever is some levels below it.";

    /// Whether this event is the first to be about what lies below a region that has been entered, past others between them that have not.
    fn is_first(&mut self, event: Event, place: Option<&Place>, before: &Scenery<'_>) -> bool {
        if let Event::Visit(region) = event {
            self.entered.insert(region);
        }
        let is_of_region = matches!(event, Event::Visit(_) | Event::Prune(_) | Event::Accept(_));
        let above = place.and_then(|place| place.parent);
        let Some(above) = above.filter(|_| is_of_region && !self.is_told) else {
            return false;
        };
        let mut ways = std::iter::successors(Some(above), |it| before.place(*it)?.parent);
        let is_entered = |it: &RegionId| self.entered.contains(it);
        self.is_told = !is_entered(&above) && ways.any(|it| is_entered(&it));
        self.is_told
    }
}

/// Keeps how far a search still looks after so many steps, where that is another distance than before.
fn narrow(reaches: &mut Vec<(usize, f64)>, after: usize, reach: Option<f64>) {
    if let Some(reach) = reach
        && reaches.last().is_none_or(|(_, last)| *last != reach)
    {
        reaches.push((after, reach));
    }
}

/// The regions that were named so far.
#[derive(Default)]
struct Pages {
    places: Vec<Place>,
    identities: Vec<Identity>,
    /// See [`Story::reaches`].
    reaches: Vec<(usize, f64)>,
    /// See [`Story::stays`].
    stays: Vec<Stay>,
    /// See [`Story::looked`].
    looked: HashMap<RegionId, Vec<RegionId>>,
    /// The first place of each region that is the same at both moments.
    firsts: HashMap<RegionId, usize>,
    /// Where each region is that was named, by what it was told from.
    known: HashMap<*const Place, usize>,
}

impl Pages {
    /// Tells all events.
    fn fill<'a>(
        &mut self,
        mut teller: Teller<'a>,
        before: &'a Scenery<'a>,
        (events, mut ends, mut order): (&[Event], Sweeps<'_>, parts::Order),
        cancel: &Cancel,
    ) -> Result<Vec<Step>, Abandoned> {
        let mut steps = Vec::with_capacity(events.len());
        let mut compared = None;
        let mut skips = Skips::default();
        let mut run = None;
        for (at, &event) in events.iter().enumerate() {
            cancel.check()?;
            compared = compared_last(compared, event);
            let named = region_of(event);
            let place = match &teller {
                Teller::Edit(teller) => teller.place(events, at),
                _ => named.and_then(|region| before.place(region)),
            };
            // What an edit calls a region by may be the number of another one by the time at which it is shown.
            // What is looked at from a region that the search comes back to is what it happens to.
            let shown = match &teller {
                Teller::Pairs(teller) => teller.looked_at_from(event, at).or(place),
                _ => place,
            };
            let region = shown.map(|place| place.region).or(named);
            let number = shown.map(|place| match &teller {
                Teller::Edit(teller) => {
                    let (is_after, is_same) = teller.moment_of(place);
                    self.number_of(place, is_after, is_same)
                }
                _ => self.number(place),
            });
            let mut reason = reason(&mut teller, before, place, events, at);
            if let Teller::Nearest(teller) = &teller {
                narrow(&mut self.reaches, at + 1, teller.reach());
            }
            if let (Teller::Nearest(teller), Event::Visit(_), Some(place)) = (&teller, event, place)
                && skips.entered.is_empty()
            {
                reason += &teller.descent(place).unwrap_or_default();
            }
            if matches!(teller, Teller::Search(_) | Teller::Nearest(_))
                && skips.is_first(event, place, before)
            {
                reason += Skips::WHY;
            }
            if let (Teller::Search(teller), Some(place)) = (&teller, place) {
                reason += &order.why((before, teller.area()), (events, at), place);
            }
            if let (Teller::Nearest(teller), Event::Visit(_), Some(place)) =
                (&mut teller, event, place)
            {
                teller.enter(place);
            }
            if !matches!(teller, Teller::Edit(_))
                && let Some(place) = place
            {
                reason += &before.begins_with(place);
                let is_of_all =
                    matches!(event, Event::Visit(_) | Event::Prune(_) | Event::Accept(_));
                if is_of_all && !matches!(teller, Teller::Pairs(_)) {
                    reason += &before.is_all(place);
                }
            }
            reason += &match &teller {
                Teller::Edit(teller) => teller.addresses(event, place),
                _ => before.codes_of(event),
            };
            match &teller {
                Teller::Search(teller) => reason += &ends.behind((event, at), Some(teller.area())),
                Teller::Pairs(_) => reason += &ends.behind((event, at), None),
                Teller::Edit(teller) if at + 1 == events.len() && !before.is_cut() => {
                    reason += &teller.not_joined(events);
                }
                Teller::Nearest(_) | Teller::Edit(_) => {}
            }
            let (turn, begins) = match &teller {
                Teller::Pairs(teller) => teller.turn(event, place, at),
                _ => (None, false),
            };
            let turn = turn.and_then(|region| before.place(region));
            let turn = turn.map(|place| self.number(place));
            let in_turn = InTurn::of(turn, begins, &mut run);
            let neighbors = match (&teller, event) {
                (Teller::Edit(teller), Event::Work(_)) => teller.neighbors,
                _ => None,
            };
            let units = match neighbors {
                Some(two) => Concerned::Two(two.unit, two.other),
                None => concerned(event, shown, compared),
            };
            steps.push(Step {
                event,
                region,
                place: number,
                turn,
                in_turn,
                units,
                reason,
                more: 0,
                own: 0,
            });
        }
        match teller {
            Teller::Nearest(teller) => self.stays = teller.stays,
            Teller::Pairs(teller) => self.looked = teller.looked(),
            _ => {}
        }
        Ok(steps)
    }

    fn number(&mut self, place: &Place) -> usize {
        self.number_of(place, false, true)
    }

    /// The number of a place that is of the regions after the operation or of those before it, and that is one and the same region at
    /// both moments or not.
    fn number_of(&mut self, place: &Place, is_after: bool, is_same: bool) -> usize {
        let pointer = std::ptr::from_ref(place);
        if let Some(known) = self.known.get(&pointer) {
            return *known;
        }
        let number = self.places.len();
        let thing = match is_same {
            true => *self.firsts.entry(place.region).or_insert(number),
            false => number,
        };
        self.identities.push(Identity {
            thing,
            is_after,
            is_same,
        });
        self.places.push(place.clone());
        self.known.insert(pointer, number);
        number
    }
}

/// Whom an event concerns that names this region, after this pair was compared.
fn concerned(event: Event, place: Option<&Place>, compared: Option<Pair>) -> Concerned {
    match event {
        Event::Test(unit) | Event::Hit(unit) => Concerned::One(unit),
        Event::TestPair(a, b) | Event::HitPair(a, b) => Concerned::Two(a, b),
        Event::Work(Work::DoubleAttack) => {
            compared.map_or(Concerned::Nobody, |(a, b)| Concerned::Two(a, b))
        }
        Event::Work(_) | Event::Climb(_) | Event::Descend(_) => Concerned::Nobody,
        _ => place.map_or(Concerned::Nobody, |place| Concerned::Load(place.below)),
    }
}

/// The pair that was compared last, once this has happened too.
fn compared_last(before: Option<Pair>, event: Event) -> Option<Pair> {
    match event {
        Event::TestPair(a, b) => Some((a, b)),
        _ => before,
    }
}

fn region_of(event: Event) -> Option<RegionId> {
    match event {
        Event::Visit(region)
        | Event::Prune(region)
        | Event::Accept(region)
        | Event::Split(region)
        | Event::Merge(region)
        | Event::Refit(region)
        | Event::Climb(region)
        | Event::Descend(region) => Some(region),
        Event::Test(_)
        | Event::TestPair(..)
        | Event::Hit(_)
        | Event::HitPair(..)
        | Event::Work(_) => None,
    }
}

/// The sentence for one event.
fn reason(
    teller: &mut Teller<'_>,
    before: &Scenery<'_>,
    place: Option<&Place>,
    events: &[Event],
    at: usize,
) -> String {
    let event = events[at];
    // A region that the picture does not have, as a node that waits for somebody.
    let unseen = |what: &str| {
        let region = region_of(event).unwrap_or_default();
        match before.atlas.whole() {
            Some(count) => format!(
                "Region {region} is {what}: there is nobody in it, for the picture has all {count} without it."
            ),
            None => format!("Region {region} is {what}: the picture does not have it."),
        }
    };
    match (teller, event) {
        (Teller::Search(it), Event::Visit(_)) => match place {
            Some(place) => it.visit(place, events, at),
            None => unseen("looked into"),
        },
        (Teller::Nearest(it), Event::Visit(_)) => match place {
            Some(place) => it.visit(place, events, at),
            None => unseen("looked into"),
        },
        (Teller::Pairs(it), Event::Visit(_)) => match place {
            Some(place) => it.visit(place, events, at),
            None => unseen("looked into"),
        },
        (Teller::Search(it), Event::Prune(_)) => match place {
            Some(place) => it.prune(place),
            None => unseen("left out"),
        },
        (Teller::Nearest(it), Event::Prune(_)) => match place {
            Some(place) => it.prune(place),
            None => unseen("left out"),
        },
        (Teller::Pairs(it), Event::Prune(_)) => match place {
            Some(place) => it.prune(place, at),
            None => unseen("left out"),
        },
        (Teller::Search(it), Event::Accept(_)) => match place {
            Some(place) => it.accept(place),
            None => unseen("taken whole"),
        },
        (Teller::Search(it), Event::Test(unit)) => it.test(unit),
        (Teller::Search(it), Event::Hit(unit)) => it.hit(unit),
        (Teller::Nearest(it), Event::Test(unit)) => it.test(unit, at),
        (Teller::Nearest(it), Event::Hit(unit)) => it.hit(unit),
        (Teller::Pairs(it), Event::TestPair(a, b)) => it.test((a, b), at),
        (Teller::Pairs(it), Event::HitPair(a, b)) => it.hit((a, b)),
        (Teller::Pairs(it), Event::Work(Work::DoubleAttack)) => it.double_attack(at),
        (Teller::Edit(it), Event::Split(region)) => it.split(region),
        (Teller::Edit(it), Event::Merge(region)) => {
            it.leaves().unwrap_or_default() + &it.merge(region, at)
        }
        (Teller::Edit(it), Event::Refit(region)) => {
            it.leaves().unwrap_or_default() + &it.refit(region, at)
        }
        (Teller::Edit(it), Event::Climb(region)) => it.climb(region),
        (Teller::Edit(it), Event::Descend(region)) => it.descend(region),
        (Teller::Edit(it), Event::Work(kind)) => it.work(kind, events, at),
        (Teller::Search(_), Event::Work(Work::Compare)) => {
            before.compare(events, at, "where in the order the search begins")
        }
        (Teller::Nearest(_), Event::Work(Work::Compare)) => {
            before.compare(events, at, "where in the order the point stands")
        }
        (Teller::Pairs(_), Event::Work(Work::Compare)) => {
            before.compare(events, at, "who in the order begins next")
        }
        // What no structure does in such an operation, as far as is known: said all the same.
        (_, event) => format!("Event {} of {}: {event:?}.", at + 1, events.len()),
    }
}
