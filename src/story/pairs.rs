//! Why a search for pairs looks where it looks: by whoever looks, where that is told, and the comparisons that follow.

mod looked;
mod turn;

use super::area::gap;
use super::atlas::Place;
use super::scenery::Scenery;
use super::turns::{Lookers, Turns};
use super::words::{capital, compared, count, found, metres, units, units_are};
use crate::geometry::Aabb;
use crate::partition::{Pair, RegionId, Role, UnitId};
use crate::probe::{Event, Work};
use std::collections::HashMap;
use turn::NAMED;

pub(super) use turn::named;

/// Tells of the events of one search, in their order.
pub struct Teller<'a> {
    scenery: &'a Scenery<'a>,
    reach: f32,
    /// Whether two regions look at each other, so that a pair that was found is met again; where a telling is cut that is not known.
    meets_again: Option<bool>,
    /// The region that was entered last for its own units.
    home: Option<RegionId>,
    /// Whose turn each event is in, where all of them are known and the search goes by turns.
    turns: Option<Turns>,
    /// Where it does not: who looks at others, the home, or in a tree the leaf against which others are held.
    turn: Option<RegionId>,
    /// Who looks, where it is told.
    lookers: Lookers<'a>,
    /// Where that is and the events are cut: the first visit of each region for its own sake, with which its turn begins.
    begun: HashMap<RegionId, usize>,
    /// Whether these are all events of the search.
    is_whole: bool,
    /// Of all of them, each unit that is compared with another one: the number of the event in which it is for the last time.
    last_of: HashMap<UnitId, usize>,
    /// The pair that was tested last.
    last: Option<Pair>,
    /// The cells that hold somebody, from the top on, where there are turns of cells.
    cells: Vec<&'a Place>,
    /// How high the highest of them is, in metres.
    tallest: f64,
}

/// The comparisons that follow a visit: how many, and how many of them are in reach.
#[derive(Default)]
struct Following {
    all: (u64, u64),
    /// Of two units of the region.
    own: (u64, u64),
    /// Of a unit of the region and another one.
    across: (u64, u64),
    /// The regions of those others, each once, up to [`NAMED`] and one more.
    partners: Vec<RegionId>,
    /// Whether the events are cut before the next region: there may be more of all these.
    is_open: bool,
}

/// How far two bodies are from each other, in words, as each sentence about a pair has it.
pub fn apart(one: Aabb, other: Aabb) -> String {
    format!("{} apart", metres(gap(one, other)))
}

/// So many tests, and how many of them are in reach.
pub(super) fn tests_made((many, hits): (u64, u64)) -> String {
    format!("{}, {hits} in reach", count(many, "test"))
}

/// The same where there may be more of them behind the end of a telling that is cut.
pub(super) fn tests_up_to_cut(sum: (u64, u64), is_open: bool) -> String {
    match is_open {
        true => "how many tests that takes lies behind the cut".to_owned(),
        false => tests_made(sum),
    }
}

/// The events up to the first comparison, where a search for pairs goes from region to region; in a grid it may leave some out on the way.
fn run<'e>(place: &Place, events: &'e [Event]) -> impl Iterator<Item = &'e Event> {
    let is_cell = place.role == Role::Cell;
    events.iter().take_while(move |event| match event {
        Event::Visit(_) => true,
        Event::Prune(_) => is_cell,
        _ => false,
    })
}

impl<'a> Teller<'a> {
    /// Nothing is told yet of these events; of some of them it is known who looks.
    pub fn new(
        scenery: &'a Scenery<'a>,
        reach: f32,
        (events, lookers): (&[Event], &'a [(usize, RegionId)]),
        is_whole: bool,
    ) -> Self {
        let lookers = Lookers(lookers);
        let mut last_of = HashMap::new();
        for (at, event) in events.iter().enumerate().filter(|_| is_whole) {
            if let Event::TestPair(a, b) = *event {
                last_of.insert(a, at);
                last_of.insert(b, at);
            }
        }
        let mut begun = HashMap::new();
        for (at, event) in events.iter().enumerate() {
            if is_whole || !lookers.are_told() {
                break;
            }
            if let (Event::Visit(region), None) = (*event, lookers.of(at)) {
                begun.entry(region).or_insert(at);
            }
        }
        let bodies = scenery.bodies;
        let is_pair = |(a, b): Pair| bodies.aabb(a).gap_sq(bodies.aabb(b)) <= reach * reach;
        let turns = match is_whole {
            true => Turns::of(scenery.atlas, events, lookers, &is_pair),
            false => None,
        };
        let looks_back = turns.as_ref().is_some_and(|turns| turns.looks_back);
        let is_cell = |place: &&Place| place.role == Role::Cell && place.load > 0;
        let places = scenery.atlas.places().iter().filter(|_| turns.is_some());
        let mut cells: Vec<&Place> = places.filter(is_cell).collect();
        cells.sort_by(|a, b| a.bounds.min.y.total_cmp(&b.bounds.min.y));
        let heights = cells.iter().map(|cell| f64::from(cell.bounds.size().y));
        let tallest = heights.fold(0.0, f64::max);
        Self {
            cells,
            tallest,
            scenery,
            reach,
            meets_again: is_whole
                .then(|| looks_back || events.contains(&Event::Work(Work::DoubleAttack))),
            home: None,
            turns,
            turn: None,
            lookers,
            begun,
            is_whole,
            last_of,
            last: None,
        }
    }

    /// Whether it is known that `turn` has its turn while it and another region, or its own units, are compared. Where the events are cut it
    /// is of one that has begun when the other one has not: which of two looks at the other in its turn all events say, and a search may
    /// come to either of them for that.
    fn is_surely_of(&self, turn: RegionId, other: Option<RegionId>, at: usize) -> bool {
        let may_begin = |region: RegionId| {
            let place = self.scenery.atlas.place(region);
            place.is_some_and(|place| matches!(place.role, Role::Leaf | Role::Cell))
        };
        let has_begun = |region: RegionId| {
            let begin = self.begun.get(&region);
            begin.is_some_and(|begin| *begin <= at)
        };
        if self.is_whole || !may_begin(turn) || other == Some(turn) {
            return true;
        }
        has_begun(turn) && other.is_none_or(|other| !may_begin(other) || !has_begun(other))
    }

    /// The same of an event by which two regions, or units of them, are compared; others are told with the turn that is known last.
    fn is_sure(&self, turn: RegionId, event: Event, at: usize) -> bool {
        let pair = match event {
            Event::Visit(region) => return self.is_surely_of(turn, Some(region), at),
            Event::TestPair(a, b) | Event::HitPair(a, b) => Some((a, b)),
            Event::Work(Work::DoubleAttack) => self.last,
            _ => None,
        };
        let Some((a, b)) = pair else {
            return true;
        };
        let home = |unit| self.scenery.atlas.home(unit).map(|home| home.region);
        let mut others = [home(a), home(b)].into_iter();
        let other = others.find(|home| *home != Some(turn));
        other.is_none_or(|other| self.is_surely_of(turn, other, at))
    }

    /// The region in whose turn an event is, which has been told, and whether that begins with it; none where the events are cut and it is
    /// not known.
    ///
    /// Where the search has no turns it is whoever looks.
    pub fn turn(&self, event: Event, place: Option<&Place>, at: usize) -> (Option<RegionId>, bool) {
        let looker = self.lookers.of(at);
        if let Some(turns) = &self.turns {
            let turn = turns.owner(at);
            let begins = turn.is_some_and(|turn| turns.begins_with(turn, at));
            return (turn.or(looker), begins);
        }
        let is_cell = |place: &Place| matches!(place.role, Role::Cell | Role::Slot);
        let (turn, begins) = match event {
            _ if looker.is_some() => (looker, false),
            Event::Prune(_) if !place.is_some_and(is_cell) => (None, false),
            Event::TestPair(a, b) | Event::HitPair(a, b) if self.lookers.are_told() => {
                // Some cross branches and do not say whose units they compare.
                let home = |unit| self.scenery.atlas.home(unit).map(|home| home.region);
                let is_of = |turn: &RegionId| [home(a), home(b)].contains(&Some(*turn));
                let is_strip = |turn: &RegionId| {
                    let place = self.scenery.atlas.place(*turn);
                    place.is_some_and(|place| place.role == Role::Slot)
                };
                let turn = self.turn.filter(|turn| is_strip(turn) || is_of(turn));
                (turn, false)
            }
            _ => {
                let is_turn =
                    |place: &Place| place.role == Role::Cell && Some(place.region) == self.turn;
                (self.turn, place.is_some_and(is_turn))
            }
        };
        (turn.filter(|turn| self.is_sure(*turn, event, at)), begins)
    }

    /// The leaf that is looked at with this event, where the search comes for that not to it but back to the one whose turn it is.
    pub fn looked_at_from(&self, event: Event, at: usize) -> Option<&'a Place> {
        let Event::Visit(region) = event else {
            return None;
        };
        let (turns, atlas) = (self.turns.as_ref()?, self.scenery.atlas);
        let is_leaf = atlas
            .place(region)
            .is_some_and(|it| it.role == Role::Leaf && it.load > 0);
        let goes_on = is_leaf && turns.owner(at) == Some(region) && !turns.begins_with(region, at);
        let other = self.lookers.of(at).filter(|other| *other != region);
        atlas.place(other.filter(|_| goes_on)?)
    }

    /// Who had looked at each cell when that had its turn, where nobody looks back.
    pub fn looked(&self) -> HashMap<RegionId, Vec<RegionId>> {
        let atlas = self.scenery.atlas;
        let is_cell = |region: &RegionId| {
            let place = atlas.place(*region);
            place.is_some_and(|place| place.role == Role::Cell)
        };
        let turns = self
            .turns
            .as_ref()
            .filter(|_| self.meets_again == Some(false));
        let looked = turns.into_iter().flat_map(Turns::looked);
        let of_cells = looked.filter(|(region, _)| is_cell(region));
        of_cells
            .map(|(region, looked)| (region, looked.to_vec()))
            .collect()
    }

    /// What has become of those in a region who are compared with nobody here, nor in any event after this one.
    fn is_done(&self, place: &Place, at: usize) -> Option<&'static str> {
        let of = |unit: &UnitId| self.last_of.get(unit).copied();
        // Not all of it may have been told, or not all of them be known.
        if !self.is_whole
            || place.units().is_empty()
            || place.units().iter().any(|unit| of(unit) > Some(at))
        {
            return None;
        }
        let many = place.units().len() > 1;
        Some(match place.units().iter().any(|unit| of(unit).is_some()) {
            true if many => "whoever is near them has been compared with them already",
            true => "whoever is near it has been compared with it already",
            false if many => "nobody is near enough to them",
            false => "nobody is near enough to it",
        })
    }

    fn reach(&self) -> String {
        metres(self.reach.into())
    }

    fn is_pair(&self, (a, b): Pair) -> bool {
        let bodies = self.scenery.bodies;
        bodies.aabb(a).gap_sq(bodies.aabb(b)) <= self.reach * self.reach
    }

    fn apart(&self, (a, b): Pair) -> f64 {
        let bodies = self.scenery.bodies;
        gap(bodies.aabb(a), bodies.aabb(b))
    }

    /// The comparisons that follow a visit, and those right behind it, up to the next region.
    fn following(&self, place: &Place, events: &[Event], at: usize) -> Following {
        let behind = match place.role {
            // Whoever is in a strip is compared at once.
            Role::Slot => 1,
            _ => run(place, &events[at..]).count(),
        };
        // Who comes up again before anybody is compared was looked at in vain here.
        if self.passes_by(place, events, at) {
            return Following::default();
        }
        let is_here = |unit: UnitId| {
            let home = self.scenery.atlas.home(unit);
            home.is_some_and(|home| home.region == place.region)
        };
        let mut following = Following {
            is_open: !self.is_whole,
            ..Following::default()
        };
        for event in &events[at + behind..] {
            let (a, b) = match *event {
                Event::TestPair(a, b) => (a, b),
                Event::Visit(_) | Event::Prune(_) => {
                    following.is_open = false;
                    break;
                }
                _ => continue,
            };
            let hit = u64::from(self.is_pair((a, b)));
            let add = |sum: &mut (u64, u64)| *sum = (sum.0 + 1, sum.1 + hit);
            add(&mut following.all);
            match (is_here(a), is_here(b)) {
                (true, true) => add(&mut following.own),
                (false, false) => {}
                (is_a, _) => {
                    add(&mut following.across);
                    let other = self.scenery.atlas.home(if is_a { b } else { a });
                    let partners = &mut following.partners;
                    if let Some(other) = other.map(|other| other.region)
                        && partners.len() <= NAMED
                        && !partners.contains(&other)
                    {
                        partners.push(other);
                    }
                }
            }
        }
        following
    }

    /// Why a region is entered.
    pub fn visit(&mut self, place: &Place, events: &[Event], at: usize) -> String {
        if let Some(told) = self.in_turn(place, events, at) {
            self.home = self.turns.as_ref().and_then(|turns| turns.owner(at));
            return told;
        }
        if place.role != Role::Slot
            && let Some(looker) = self.lookers.of(at)
            && let Some(told) = self.looked_at(place, looker, (events, at))
        {
            self.turn = Some(looker);
            return told;
        }
        let Following {
            all,
            own,
            across,
            partners,
            is_open,
        } = self.following(place, events, at);
        let home = self.home;
        let load = u64::from(place.load);
        let is_passed_by = self.passes_by(place, events, at);
        // Right behind it come those that it looks at, before anybody is compared: its partner among them, unless it is looked at itself.
        let theirs = partners.first().copied();
        let comes =
            |region: RegionId| run(place, &events[at..]).any(|it| *it == Event::Visit(region));
        let is_looked_at = theirs == home && !theirs.is_some_and(comes);
        let has_others = run(place, &events[at..])
            .any(|it| matches!(it, Event::Visit(other) if *other != place.region));
        let is_turn = place.role == Role::Cell
            && has_others
            && across.0 > 0
            && !is_looked_at
            && (self.is_whole || self.begun.get(&place.region) == Some(&at));
        let is_alone = load == 1 && across.0 == 0 && !is_passed_by;
        // In a tree a leaf is followed by those that are held against it.
        let is_held_against = place.role == Role::Leaf && own.0 == 0 && theirs.is_some_and(comes);
        if own.0 > 0 || is_turn || is_alone || is_held_against || place.role == Role::Slot {
            let looks = self.lookers.of(at).filter(|_| place.role == Role::Slot);
            self.home = looks.or(Some(place.region));
        }
        self.turn = match (place.role, &partners[..]) {
            (Role::Inner, _) if load > 0 => Some(place.region),
            (Role::Inner, _) => None,
            (Role::Leaf, _) if self.lookers.are_told() => Some(place.region),
            (Role::Leaf, [one]) if own.0 == 0 && !is_held_against => Some(*one),
            (Role::Leaf, _) => Some(place.region),
            (Role::Cell | Role::Slot | Role::Oversize, _) => self.home,
        };
        if place.is_inner() {
            let own = if load > 0 {
                format!("its own {} come to first, then ", units_are(load))
            } else {
                String::new()
            };
            return format!(
                "Of the {} below it some may be within {} of each other or of those beside it: {own}what is below is visited.",
                units(place.below),
                self.reach()
            );
        }
        if place.role == Role::Slot {
            return self.swept(load, (all, is_open), at);
        }
        let other = theirs.and_then(|theirs| self.scenery.atlas.place(theirs));
        let is_new = self.meets_again == Some(false) && place.role == Role::Cell;
        // A leaf for whose visit nobody looks is come to for its own sake.
        let is_its_own = place.role == Role::Leaf && self.lookers.are_told();
        let own_tests = tests_up_to_cut(own, is_open);
        // Without all events it is not known whose turn it is, and those of several may follow.
        let across_tests = match self.is_whole {
            true => format!(": {}", tests_made(across)),
            false => String::new(),
        };
        match other {
            _ if load == 0 => "There is nobody in it, and 0 tests follow.".to_owned(),
            _ if is_its_own && own.0 > 0 => format!(
                "It looks at its own: its {} compared with each other: {own_tests}.",
                units_are(load)
            ),
            // With whom that is compared later is known of all events alone.
            _ if is_its_own && load == 1 && !is_open => match self.is_whole {
                true => {
                    "It looks at its own: its 1 unit is alone in it, and compared with nobody here."
                        .to_owned()
                }
                false => "It looks at its own: its 1 unit is alone in it.".to_owned(),
            },
            _ if own.0 > 0 && across.0 > 0 => format!(
                "Its {} compared with each other: {own_tests}; and with those beside it{across_tests}.",
                units_are(load)
            ),
            _ if own.0 > 0 => format!(
                "Its {} compared with each other: {own_tests}.",
                units_are(load)
            ),
            _ if is_turn => format!(
                "It is this cell's turn: its {} {}.",
                units(load),
                self.looks(load, true)
            ),
            _ if is_held_against => format!(
                "Its {} held against {}: whoever comes within {} is compared.",
                units_are(load),
                named(self.scenery.atlas, &partners),
                self.reach()
            ),
            Some(other) if is_new && home == Some(other.region) => format!(
                "{} looks at the {} in here, who need not look back{across_tests}.",
                capital(&other.name()),
                units(load)
            ),
            Some(other) => format!(
                "Who of {} comes within {} of it is compared with its {}{across_tests}.",
                other.name(),
                self.reach(),
                units(load)
            ),
            None if across.0 > 0 => format!(
                "Its {} compared with those beside it{across_tests}.",
                units_are(load)
            ),
            None => self.with_nobody(place, at, is_open),
        }
    }

    /// How the units of a strip are gone through, for their own sake or for those of another strip.
    fn swept(&self, load: u64, (all, is_open): ((u64, u64), bool), at: usize) -> String {
        let tests = tests_up_to_cut(all, is_open);
        let looker = self.lookers.of(at);
        let reach = self.reach();
        match looker.and_then(|looker| self.scenery.atlas.place(looker)) {
            Some(other) if load == 1 => format!(
                "{} looks at it: whoever of it comes near enough is compared with the 1 unit in here, where that is no more than {reach} ahead in the order along the axis ({tests}).",
                capital(&other.name())
            ),
            Some(other) => format!(
                "{} looks at it: whoever of it comes near enough is compared with those of the {} in here whom their order along the axis puts there, up to the first that it puts more than {reach} ahead ({tests}).",
                capital(&other.name()),
                units(load)
            ),
            None if load == 1 => format!(
                "It is swept: its 1 unit is compared with those behind it in the order along the axis, up to the first that this order puts more than {reach} ahead ({tests})."
            ),
            None => format!(
                "It is swept: its {} gone through in their order along the axis, and each is compared with those behind it, up to the first that this order puts more than {reach} ahead ({tests}).",
                units_are(load)
            ),
        }
    }

    /// Whether a region that is come to comes up once more, for the same looker, before anybody is compared.
    fn passes_by(&self, place: &Place, events: &[Event], at: usize) -> bool {
        let looker = self.lookers.of(at);
        let is_again = |(behind, event): (usize, &Event)| {
            *event == Event::Visit(place.region) && self.lookers.of(at + behind) == looker
        };
        let is_one = place.role == Role::Cell || looker.is_some();
        is_one && run(place, &events[at..]).enumerate().skip(1).any(is_again)
    }

    /// Why two units are compared, and what is seen.
    pub fn test(&mut self, pair: Pair, at: usize) -> String {
        self.last = Some(pair);
        let (turn, _) = self.turn(Event::TestPair(pair.0, pair.1), None, at);
        let turn = turn.and_then(|turn| self.scenery.atlas.place(turn));
        let turn = turn.map(Place::name);
        compared(
            pair,
            turn.as_deref(),
            self.apart(pair),
            self.reach.into(),
            self.is_pair(pair),
        )
    }

    /// Why two units are a result.
    pub fn hit(&self, pair: Pair) -> String {
        found(pair, self.apart(pair), self.reach.into())
    }

    /// That a pair is met once more, and whose turn it was before.
    pub fn double_attack(&self, at: usize) -> String {
        let Some((a, b)) = self.last else {
            return "1 pair is met a second time.".to_owned();
        };
        let (turn, _) = self.turn(Event::TestPair(a, b), None, at);
        let homes = [a, b].map(|unit| self.scenery.atlas.home(unit));
        let mut others = homes.into_iter().flatten();
        let other = others.find(|home| turn.is_some_and(|turn| turn != home.region));
        let before = other.map_or_else(String::new, |it| format!(", in the turn of {}", it.name()));
        format!(
            "Units {a} and {b}, {} apart, have met before{before}: this meeting is thrown away, or they would attack twice.",
            metres(self.apart((a, b)))
        )
    }
}
