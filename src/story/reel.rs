//! A story laid out so that every moment of it can be shown at once: on, back, and from anywhere to anywhere.
//!
//! Nothing is carried out again to go back. Each region, each unit and each kind of event has the row of its steps, in order, so
//! what is known of it after any number of steps is one search in that row.
//!
//! Invariant: what is shown after a number of steps depends on that number alone, and not on the way there.

mod left_out;
#[cfg(test)]
mod tests;

use super::{Answer, Concerned, InTurn, Outline, Place, Step, Story};
use crate::partition::{Pair, RegionId, Role, UnitId};
use crate::probe::{Event, Work};
use left_out::{end_of, left_out, never_come_to};
use std::collections::{HashMap, HashSet};

/// Rows of steps, or of units, one a thing, laid end to end.
#[derive(Debug, Default)]
struct Rows {
    /// Where the row of each thing begins; one more than there are things.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Rows {
    /// From things and what stands in their rows, in the order in which it does.
    fn new(count: usize, told: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; count + 1];
        for (thing, _) in told {
            starts[*thing as usize + 1] += 1;
        }
        for thing in 0..count {
            starts[thing + 1] += starts[thing];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; told.len()];
        for (thing, entry) in told {
            let place = &mut next[*thing as usize];
            entries[*place as usize] = *entry;
            *place += 1;
        }
        Self { starts, entries }
    }

    fn of(&self, thing: usize) -> &[u32] {
        match self.starts.get(thing..thing + 2) {
            Some(&[from, to]) => &self.entries[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// Whether a box around whom a place holds is known that can be seen: one around a single point is none, but for a slanting room.
fn has_box(place: &Place) -> bool {
    let is_slanting = !matches!(place.outline, Outline::Rect(_));
    let tight = place.tight();
    tight.is_some_and(|tight| is_slanting || tight.size().max_element() > 0.0)
}

/// How many steps of a row are among the first `at` of all.
fn among(row: &[u32], at: usize) -> usize {
    row.partition_point(|step| (*step as usize) < at)
}

/// Events of one kind.
#[derive(Debug)]
pub struct Track {
    /// The word for the kind.
    pub kind: &'static str,
    /// How many of them begin the turn of a region, which is the word for them then.
    pub turns: usize,
    /// Which steps they are.
    steps: Vec<u32>,
}

impl Track {
    /// How many of them are among the first `at` steps.
    pub fn count(&self, at: usize) -> usize {
        among(&self.steps, at)
    }

    /// Those among the first `at` steps.
    pub fn up_to(&self, at: usize) -> &[u32] {
        &self.steps[..self.count(at)]
    }

    /// How many there are in all.
    pub fn whole(&self) -> usize {
        self.steps.len()
    }

    /// How many steps there are up to the next of them after the first `at` steps, or up to the first of all.
    pub fn next(&self, at: usize) -> Option<usize> {
        let next = self.steps.get(self.count(at)).or(self.steps.first());
        next.map(|step| *step as usize + 1)
    }
}

/// The steps with the longest sentences, the longest first, each with how many letters that has; of those that say the same the first one.
#[derive(Debug, Default)]
struct Longest(Vec<(usize, u32)>);

impl Longest {
    /// So many are kept: sentences break where they break, and of some that are about as long any may be the highest.
    const MOST: usize = 8;

    /// Takes one of these steps, if it is among them so far.
    fn take(&mut self, steps: &[Step], at: u32) {
        let reason = |at: u32| &steps[at as usize].reason;
        let length = reason(at).chars().count();
        let place = self.0.partition_point(|(other, _)| *other >= length);
        let says_it =
            |(other, step): &(usize, u32)| *other == length && reason(*step) == reason(at);
        if place >= Self::MOST || self.0.iter().any(says_it) {
            return;
        }
        self.0.truncate(Self::MOST - 1);
        self.0.insert(place, (length, at));
    }
}

/// What has become of a unit so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    NotYet,
    /// It was tested, in vain as far as is known.
    Tested,
    /// It is one of the nearest so far.
    Nearest,
    /// It was found: from the test on that saw it, where that is followed by it.
    Found,
    /// Nobody looks at it: what it lies in was left out, or the search is over.
    LeftOut,
}

/// The first step at which a unit was tested, and the first at which it was found; [`NEVER`] for none. Between two numbers of steps it is
/// one of the nearest so far.
#[derive(Clone, Copy, Debug)]
struct Firsts {
    tested: u32,
    found: u32,
    nearest: (u32, u32),
}

/// Later than all steps.
const NEVER: u32 = u32::MAX;

/// A story that can be shown at any of its moments.
#[derive(Debug)]
pub struct Reel {
    story: Story,
    tracks: Vec<Track>,
    /// See [`Reel::borders`].
    borders: Vec<Track>,
    longest: Longest,
    /// Of each region that is split, the last step in which it is: asked of every region in every frame, and so laid out once.
    last_splits: HashMap<RegionId, u32>,
    /// After so many steps no region is split any more.
    splits_end: usize,
    /// The steps of each of the story's places; where several are one region at two moments, of the first of them.
    places: Rows,
    /// The same without those that leave a place out.
    comings: Rows,
    /// The steps of each place's own turn.
    turns: Rows,
    /// Regions by their numbers, before the operation and after it.
    by_region: [HashMap<RegionId, usize>; 2],
    units: Rows,
    by_unit: HashMap<UnitId, u32>,
    has_tight: bool,
    /// Who was found to be a pair, in some step.
    pairs: HashSet<Pair>,
    /// With whom each unit is a pair, in the order in which that comes to be known, and the step at which it does: a unit may be one with
    /// everybody, and is asked in every frame.
    partners: Rows,
    partners_known: Rows,
    /// By the ids of units.
    firsts: Vec<Firsts>,
    /// At which step each of those units that are tested is so first, in their order.
    tested: Vec<u32>,
    /// After how many steps each unit is known to be one at which nobody looks, unless somebody does, by the ids of units.
    left_out: Vec<u32>,
    has_left_out: bool,
    /// The same of whoever is in no region: the end of a search that is told to its end.
    end: u32,
    /// How many are neither tested nor found in a search that is told to its end, where everybody is in the picture of the structure.
    never_looked_at: Option<u64>,
    /// How many cells that hold somebody it never comes to although it leaves none out, and how many are in these.
    never_come_to: Option<(u64, u64)>,
    /// In a search for pairs, of each step the place that looks then, or that is looked into for its own sake; of a step of which it is not
    /// known, as it was at the one before. Else empty.
    lookers: Vec<Option<usize>>,
}

/// Who looks at each step, where it is known of any; `number` is the place of a region among those of the story.
fn lookers_of(story: &Story, number: &HashMap<RegionId, usize>) -> Vec<Option<usize>> {
    if story.steps.iter().all(|step| step.turn.is_none()) {
        return Vec::new();
    }
    let mut now = None;
    let lookers = story.steps.iter().map(|step| {
        let own = match step.event {
            Event::Visit(_) => step.place,
            // Where two are compared in nobody's turn, neither of them is left out.
            // Whose leaf is not in the story itself is in what of it lies above that.
            Event::TestPair(unit, _) => story.before.home(unit).and_then(|home| {
                let mut above = story.before.upwards(home.region);
                above.find_map(|place| number.get(&place.region).copied())
            }),
            _ => None,
        };
        now = step.turn.or(own).or(now);
        now
    });
    lookers.collect()
}

/// At which step it was known what each step says: of one that finds somebody that of the test which saw it, where nothing but tests and what
/// they found lies between; of each other one its own. In a search for the nearest a test decides nothing: others may be nearer yet.
fn known_at(story: &Story) -> Vec<u32> {
    let mut known: Vec<u32> = (0..story.steps.len() as u32).collect();
    if story.seeks_nearest() {
        return known;
    }
    let mut tests: HashMap<UnitId, u32> = HashMap::new();
    let mut before = None;
    for (at, step) in story.steps.iter().enumerate() {
        match step.event {
            Event::Test(unit) => {
                tests.entry(unit).or_insert(at as u32);
            }
            Event::Hit(unit) => known[at] = tests.get(&unit).copied().unwrap_or(at as u32),
            Event::HitPair(a, b) if before == Some(Event::TestPair(a, b)) => known[at] -= 1,
            Event::Work(_) => {}
            _ => tests.clear(),
        }
        before = Some(step.event);
    }
    known
}

/// Whether what is told as a hit is one of the results: the unit whose surroundings are searched is met, and left out.
fn is_result(story: &Story, event: Event) -> bool {
    match (event, &story.answer) {
        (Event::Hit(unit), Answer::Units(found)) => found.binary_search(&unit).is_ok(),
        _ => true,
    }
}

/// The tests of pairs within a cell, and those across a border; none where not all of those who are compared are known to be in cells.
fn borders_of(story: &Story) -> Vec<Track> {
    let mut tracks = ["within cells", "across borders"].map(|kind| Track {
        kind,
        turns: 0,
        steps: Vec::new(),
    });
    for (at, step) in (0..).zip(&story.steps) {
        let Event::TestPair(a, b) = step.event else {
            continue;
        };
        let cells = [a, b].map(|unit| {
            let home = story.before.home(unit);
            home.filter(|home| home.role == Role::Cell)
        });
        let [Some(one), Some(other)] = cells else {
            return Vec::new();
        };
        tracks[usize::from(one.region != other.region)]
            .steps
            .push(at);
    }
    match tracks.iter().any(|track| !track.steps.is_empty()) {
        true => tracks.into(),
        false => Vec::new(),
    }
}

/// A region is drawn in every frame, and may have been left out a thousand times.
const MOST_ASKED: usize = 16;

/// The kind of events by which a search would have found something that has found nothing.
fn not_found(story: &Story) -> Option<&'static str> {
    // An edit looks for nothing, nor does who looks at a structure as it stands.
    let looks = |step: &Step| {
        use Event::{Prune, Test, TestPair, Visit};
        matches!(step.event, Visit(_) | Prune(_) | Test(_) | TestPair(..))
    };
    if story.after.is_some() || !story.steps.iter().any(looks) {
        return None;
    }
    match &story.answer {
        Answer::Units(found) if found.is_empty() => Some("hit"),
        Answer::Pairs(found) if found.is_empty() => Some("hit pair"),
        _ => None,
    }
}

impl Reel {
    /// Lays out a story.
    pub fn new(story: Story) -> Self {
        let mut tracks: Vec<Track> = Vec::new();
        let mut of_places = Vec::new();
        let mut comings = Vec::new();
        let mut of_turns = Vec::new();
        let mut of_units = Vec::new();
        let mut by_unit: HashMap<UnitId, u32> = HashMap::new();
        let mut firsts: Vec<Firsts> = Vec::new();
        let mut pairs = HashSet::new();
        let (mut partners, mut partners_known) = (Vec::new(), Vec::new());
        let mut last_splits = HashMap::new();
        let mut longest = Longest::default();
        let known = known_at(&story);
        for (at, step) in story.steps.iter().enumerate() {
            let at = at as u32;
            longest.take(&story.steps, at);
            let kind = step.kind();
            let is_new_pair = match step.event {
                Event::HitPair(a, b) => pairs.insert((a.min(b), a.max(b))),
                _ => false,
            };
            if let (Event::Split(_), Some(region)) = (step.event, step.region) {
                last_splits.insert(region, at);
            }
            let is_result = is_result(&story, step.event);
            let turns = usize::from(step.in_turn == InTurn::Begins);
            match tracks.iter_mut().find(|track| track.kind == kind) {
                // It is a step, and none of what was found.
                _ if !is_result => {}
                Some(track) => {
                    track.steps.push(at);
                    track.turns += turns;
                }
                None => tracks.push(Track {
                    kind,
                    turns,
                    steps: vec![at],
                }),
            }
            if let Some(place) = step.place {
                let thing = story.identities[place].thing as u32;
                of_places.push((thing, at));
                if !matches!(step.event, Event::Prune(_)) {
                    comings.push((thing, at));
                }
            }
            if let Some(turn) = step.turn {
                of_turns.push((story.identities[turn].thing as u32, at));
            }
            let mut of_unit = |unit| {
                let next = by_unit.len() as u32;
                of_units.push((*by_unit.entry(unit).or_insert(next), at));
                if firsts.len() <= unit as usize {
                    let never = Firsts {
                        tested: NEVER,
                        found: NEVER,
                        nearest: (NEVER, NEVER),
                    };
                    firsts.resize(unit as usize + 1, never);
                }
                let first = &mut firsts[unit as usize];
                match step.event {
                    Event::Hit(_) | Event::HitPair(..) if is_result => {
                        first.found = first.found.min(known[at as usize]);
                    }
                    // Who is put where it belongs in an order is looked for by nobody.
                    Event::Work(Work::Swap | Work::Compare) => {}
                    _ => first.tested = first.tested.min(at),
                }
            };
            match step.units {
                Concerned::One(unit) => of_unit(unit),
                Concerned::Two(a, b) => {
                    of_unit(a);
                    of_unit(b);
                    if is_new_pair {
                        for (one, other) in [(by_unit[&a], b), (by_unit[&b], a)] {
                            partners.push((one, other));
                            partners_known.push((one, known[at as usize]));
                        }
                    }
                }
                Concerned::Nobody | Concerned::Load(_) => {}
            }
        }
        let none = not_found(&story).filter(|kind| tracks.iter().all(|track| track.kind != *kind));
        tracks.extend(none.map(|kind| Track {
            kind,
            turns: 0,
            steps: Vec::new(),
        }));
        for stay in &story.stays {
            if let Some(first) = firsts.get_mut(stay.unit as usize) {
                let until = stay.until.map_or(NEVER, |until| until as u32);
                first.nearest = (stay.from as u32, until);
            }
        }
        let mut by_region = [HashMap::new(), HashMap::new()];
        for (at, place) in story.places.iter().enumerate() {
            by_region[usize::from(story.identities[at].is_after)].insert(place.region, at);
        }
        let splits_end = last_splits
            .values()
            .max()
            .map_or(0, |last| *last as usize + 1);
        let end = end_of(&story);
        let (left_out, has_left_out) = left_out(&story, &firsts, end);
        let never_come_to = never_come_to(&story, end);
        let looked_at = firsts.iter().map(|first| first.tested.min(first.found));
        let seen = looked_at.filter(|first| *first != NEVER).count() as u64;
        let tested = firsts.iter().map(|first| first.tested);
        let mut tested: Vec<u32> = tested.filter(|first| *first != NEVER).collect();
        tested.sort_unstable();
        let all = story.before.whole().filter(|_| end != NEVER);
        Self {
            never_looked_at: all.and_then(|all| all.checked_sub(seen)),
            never_come_to,
            left_out,
            has_left_out,
            end,
            last_splits,
            splits_end,
            places: Rows::new(story.places.len(), &of_places),
            comings: Rows::new(story.places.len(), &comings),
            turns: Rows::new(story.places.len(), &of_turns),
            units: Rows::new(by_unit.len(), &of_units),
            partners: Rows::new(by_unit.len(), &partners),
            partners_known: Rows::new(by_unit.len(), &partners_known),
            has_tight: story.places.iter().any(has_box),
            lookers: lookers_of(&story, &by_region[0]),
            borders: borders_of(&story),
            story,
            tracks,
            longest,
            by_region,
            by_unit,
            pairs,
            firsts,
            tested,
        }
    }

    /// Which of the story's places has its turn, or looks, in the last of the first `at` steps: the one that the sentence of that step names,
    /// also where it comes between the steps of another one.
    pub fn turn_at(&self, at: usize) -> Option<usize> {
        self.now(at)?.turn
    }

    /// The story itself.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.story.steps.len()
    }

    /// The few steps with the longest sentences: one of these is about the highest, however wide a line is.
    pub fn longest(&self) -> impl Iterator<Item = &Step> {
        let longest = self.longest.0.iter();
        longest.filter_map(|(_, step)| self.story.steps.get(*step as usize))
    }

    /// Whether a box around whom it holds can be seen of one of the story's places.
    pub fn has_tight(&self) -> bool {
        self.has_tight
    }

    /// Whether there is anybody at whom nobody looks.
    pub fn has_left_out(&self) -> bool {
        self.has_left_out
    }

    /// How many are never looked at in a search that is told to its end, where everybody is in the picture of the structure.
    pub fn never_looked_at(&self) -> Option<u64> {
        self.never_looked_at
    }

    /// How many cells that hold somebody a search that leaves none out never comes to, and how many are in these: it goes straight to the others.
    pub fn never_come_to(&self) -> Option<(u64, u64)> {
        self.never_come_to
    }

    /// Whether it is a search of which it is known after so many steps what has become of everybody: it is told to its end.
    pub fn has_ended(&self, at: usize) -> bool {
        at >= self.end as usize
    }

    /// Whether two are found to be a pair in some step.
    pub fn is_pair(&self, pair: Pair) -> bool {
        let (a, b) = pair;
        self.pairs.contains(&(a.min(b), a.max(b)))
    }

    /// The same of two who are compared in the last of the first `at` steps; nothing where the telling is cut right behind it, and with that
    /// whether they are.
    pub fn is_pair_at(&self, pair: Pair, at: usize) -> Option<bool> {
        let is_pair = self.is_pair(pair);
        let is_cut = self.story.left_out > 0 && at >= self.len();
        (is_pair || !is_cut).then_some(is_pair)
    }

    /// Whether the last of the first `at` steps is about two who have met before, and do so again: what comes of them is thrown away. Nothing
    /// where the telling is cut right behind their test, and with that what comes of it.
    pub fn is_met_again(&self, at: usize) -> Option<bool> {
        const AGAIN: Event = Event::Work(Work::DoubleAttack);
        let event = |at: usize| self.story.steps.get(at).map(|step| step.event);
        match at.checked_sub(1).and_then(event) {
            Some(AGAIN) => Some(true),
            // What comes of a test comes right behind it.
            Some(Event::TestPair(..)) => match event(at) {
                None if self.story.left_out > 0 => None,
                next => Some(next == Some(AGAIN)),
            },
            _ => Some(false),
        }
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.story.steps.is_empty()
    }

    /// The last of the first `at` steps: what is happening then.
    pub fn now(&self, at: usize) -> Option<&Step> {
        at.checked_sub(1)
            .and_then(|last| self.story.steps.get(last))
    }

    /// Each kind of event, in the order in which they first happen; and of a search that has found nothing also what it would have found,
    /// of which there is none.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Which of the story's places a region is once so many steps have happened, if a step names it: as it is at that moment, else
    /// as it is at the other one, unless that is another region of the same number.
    pub fn place_of(&self, region: RegionId, at: usize) -> Option<usize> {
        self.place_among(region, self.story.is_after(at))
    }

    /// Which of the story's places a region is, after the operation or before it.
    pub fn place_among(&self, region: RegionId, is_after: bool) -> Option<usize> {
        let [before, after] = &self.by_region;
        let (here, other, atlas) = if is_after {
            (after, before, self.story.after.as_ref())
        } else {
            (before, after, Some(&*self.story.before))
        };
        // One that is not there at this moment can be no other.
        let is_there = atlas.is_some_and(|atlas| atlas.place(region).is_some());
        let elsewhere = || {
            let other = other.get(&region).copied();
            other.filter(|other| !is_there || self.story.identities[*other].is_same)
        };
        here.get(&region).copied().or_else(elsewhere)
    }

    /// In a search for pairs through the cells of a grid, of the tests of pairs those of two in one cell, and those of two in different ones;
    /// else none.
    pub fn borders(&self) -> &[Track] {
        &self.borders
    }

    /// The steps that name one of the story's places.
    pub fn steps_of_place(&self, place: usize) -> &[u32] {
        let identity = self.story.identities.get(place);
        identity.map_or(&[], |it| self.places.of(it.thing))
    }

    /// The steps that concern a unit.
    pub fn steps_of_unit(&self, unit: UnitId) -> &[u32] {
        let row = self.by_unit.get(&unit);
        row.map_or(&[], |row| self.units.of(*row as usize))
    }

    /// What has become of a unit in the first `at` steps.
    pub fn standing(&self, unit: UnitId, at: usize) -> Standing {
        match self.firsts.get(unit as usize) {
            Some(first) if (first.found as usize) < at => Standing::Found,
            Some(first) if (first.nearest.0 as usize..first.nearest.1 as usize).contains(&at) => {
                Standing::Nearest
            }
            Some(first) if (first.tested as usize) < at => Standing::Tested,
            _ => {
                let from = self.left_out.get(unit as usize).unwrap_or(&self.end);
                match at >= *from as usize {
                    true => Standing::LeftOut,
                    false => Standing::NotYet,
                }
            }
        }
    }

    /// How many units are tested in the first `at` steps.
    pub fn tested_by(&self, at: usize) -> usize {
        self.tested.partition_point(|first| (*first as usize) < at)
    }

    /// How many are the nearest so far after the first `at` steps of a search for them.
    pub fn nearest_so_far(&self, at: usize) -> usize {
        let stays = self.story.stays.iter();
        let near =
            stays.filter(|stay| stay.from <= at && stay.until.is_none_or(|until| at < until));
        near.count()
    }

    /// Every unit of which something has become in the first `at` steps, by ascending id.
    pub fn concerned(&self, at: usize) -> impl Iterator<Item = (UnitId, Standing)> {
        let units = 0..self.firsts.len() as UnitId;
        units
            .map(move |unit| (unit, self.standing(unit, at)))
            .filter(|(_, standing)| !matches!(standing, Standing::NotYet | Standing::LeftOut))
    }

    /// Whether a region is split after the first `at` steps, where the regions of after the operation are shown by then: what is below it
    /// is not there yet.
    pub fn is_yet_to_split(&self, region: RegionId, at: usize) -> bool {
        let last = self.last_splits.get(&region);
        self.has_yet_to_split(at) && last.is_some_and(|last| *last as usize >= at)
    }

    /// Whether there is such a region.
    pub fn has_yet_to_split(&self, at: usize) -> bool {
        at < self.splits_end && self.story.is_after(at)
    }

    /// Whether one of the story's places is no more after the first `at` steps, where the regions of after the operation are shown by then: what
    /// has become part of another region, or was given up, is seen no longer than the step that is about it.
    pub fn is_gone(&self, place: usize, at: usize) -> bool {
        let identity = self.story.identities.get(place);
        let stays = identity.is_none_or(|it| it.is_after || it.is_same);
        let is_told = || self.now(at).is_some_and(|now| now.place == Some(place));
        !stays && self.story.is_after(at) && !is_told()
    }

    /// Whose turn it is from this step of a search in space on, where nothing that happens in it begins that turn: a leaf with a single unit
    /// may never be come to, and looks at others all the same.
    pub fn turn_from(&self, step: usize) -> Option<&Place> {
        let before = step.checked_sub(1);
        let before = before.and_then(|before| self.story.steps.get(before)?.turn);
        let step = self.story.steps.get(step)?;
        let turn = step.turn.filter(|_| step.in_turn == InTurn::Apart)?;
        let looks = step.place.is_some_and(|place| place != turn) && before != Some(turn);
        let place = self.story.places.get(turn).filter(|_| looks)?;
        (place.room().is_some() && !place.is_inner()).then_some(place)
    }

    /// Whether two of the story's places are one region.
    fn is_same_thing(&self, one: usize, other: usize) -> bool {
        let thing = |place: usize| self.story.identities.get(place).map(|it| it.thing);
        thing(one) == thing(other)
    }

    /// Whose turn a step is of, where that is another one than one of the story's places.
    pub fn turn_of_another(&self, step: usize, place: usize) -> Option<&Place> {
        let turn = self.story.steps.get(step)?.turn;
        let turn = turn.filter(|turn| !self.is_same_thing(*turn, place))?;
        self.story.places.get(turn)
    }

    /// Each step that names one of the story's places, with those after it that name no region: what was done there; and each step of its own
    /// turn, in which it looks at others.
    pub fn steps_within(&self, place: usize) -> Vec<u32> {
        let steps = &self.story.steps;
        let identity = self.story.identities.get(place);
        let own = identity.map_or(&[][..], |it| self.turns.of(it.thing));
        let mut within = own.to_vec();
        for &first in self.steps_of_place(place) {
            within.push(first);
            let after = first as usize + 1;
            let nameless = steps[after..].iter().take_while(|it| it.region.is_none());
            within.extend((after as u32..).zip(nameless).map(|(step, _)| step));
        }
        within.sort_unstable();
        within.dedup();
        within
    }

    /// What was last told of one of the story's places in the first `at` steps, and still holds. Who is left out in a search for pairs is so
    /// for whoever looked then alone: once another one looks, what was told before that holds again.
    pub fn place_at(&self, place: usize, at: usize) -> Option<&Step> {
        let step = |step: &u32| &self.story.steps[*step as usize];
        let row = self.steps_of_place(place);
        let told = &row[..among(row, at)];
        // Of many who looked and left it out the last ones are asked whether that still holds; of those before them it is none but whoever
        // came to it that does.
        let mut last = told.iter().rev().take(MOST_ASKED).map(step);
        last.find(|step| !self.is_bygone(step, at)).or_else(|| {
            let identity = self.story.identities.get(place);
            let row = identity.map_or(&[][..], |it| self.comings.of(it.thing));
            row[..among(row, at)].last().map(step)
        })
    }

    /// Whether a step leaves out what another one, who looks after so many steps, has not left out.
    fn is_bygone(&self, step: &Step, at: usize) -> bool {
        let now = at.checked_sub(1);
        let now = now.and_then(|now| self.lookers.get(now).copied().flatten());
        let (Event::Prune(_), Some(then), Some(now)) = (step.event, step.turn, now) else {
            return false;
        };
        if then == now {
            return false;
        }
        // What a node leaves out all that is below it leaves out, unless it looked with units of its own.
        let [looked, looks] = [then, now].map(|place| &self.story.places[place]);
        let is_below = looked.load == 0 && self.story.before.is_above(looked.region, looks.region);
        !is_below
    }

    /// What was last told of a unit in the first `at` steps.
    pub fn unit_at(&self, unit: UnitId, at: usize) -> Option<&Step> {
        self.last(self.steps_of_unit(unit), at)
    }

    /// With whom a unit is a pair by what is known after the first `at` steps, in the order in which that came to be known: as a
    /// [standing](Reel::standing) it is from the test on that found it.
    pub fn partners(&self, unit: UnitId, at: usize) -> &[UnitId] {
        let Some(&thing) = self.by_unit.get(&unit) else {
            return &[];
        };
        let known = self.partners_known.of(thing as usize);
        &self.partners.of(thing as usize)[..among(known, at)]
    }

    fn last(&self, row: &[u32], at: usize) -> Option<&Step> {
        let last = among(row, at).checked_sub(1)?;
        self.story.steps.get(row[last] as usize)
    }

    /// After how many steps a row is told of next, or for the first time where all of it is over.
    pub fn next_of(&self, row: &[u32], at: usize) -> Option<usize> {
        row.get(among(row, at))
            .or(row.first())
            .map(|step| *step as usize + 1)
    }
}
