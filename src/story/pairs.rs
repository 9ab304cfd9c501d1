//! Why a search for pairs looks where it looks: by the regions that it came to before and the comparisons that follow.

mod turn;

use super::area::gap;
use super::atlas::Place;
use super::scenery::Scenery;
use super::turns::Turns;
use super::words::{capital, count, metres, units, units_are};
use crate::partition::{Pair, RegionId, Role, UnitId};
use crate::probe::{Event, Work};
use std::collections::HashMap;
use turn::{NAMED, named};

/// So many of the regions that were entered last are asked whether they are what a region was too far from.
const LOOKED_BACK: usize = 32;

/// Tells of the events of one search, in their order.
pub struct Teller<'a> {
    scenery: &'a Scenery<'a>,
    reach: f32,
    /// Whether two regions look at each other, so that a pair that was found is met again.
    meets_again: bool,
    /// The region that was entered last for its own units.
    home: Option<RegionId>,
    /// Whose turn each event is in, where all of them are known and the search goes by turns.
    turns: Option<Turns>,
    /// Where it does not: who looks at others, the home, or in a tree the leaf against which others are held.
    turn: Option<RegionId>,
    /// Whether these are all events of the search.
    is_whole: bool,
    /// The regions that were entered, the last one last.
    entered: Vec<RegionId>,
    /// Of all of them, each unit that is compared with another one: the number of the event in which it is for the last time.
    last_of: HashMap<UnitId, usize>,
    /// The pair that was tested last.
    last: Option<Pair>,
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
}

/// So many comparisons, and how many of them are in reach.
fn comparisons((many, hits): (u64, u64)) -> String {
    format!("{}, {hits} in reach", count(many, "comparison"))
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

/// Whether a cell that is come to comes up once more before anybody is compared.
fn passes_by(place: &Place, events: &[Event]) -> bool {
    let is_it = |event: &&Event| matches!(event, Event::Visit(region) if *region == place.region);
    place.role == Role::Cell && run(place, events).skip(1).any(|event| is_it(&event))
}

impl<'a> Teller<'a> {
    /// Nothing is told yet.
    pub fn new(scenery: &'a Scenery<'a>, reach: f32, events: &[Event], is_whole: bool) -> Self {
        let mut last_of = HashMap::new();
        for (at, event) in events.iter().enumerate().filter(|_| is_whole) {
            if let Event::TestPair(a, b) = *event {
                last_of.insert(a, at);
                last_of.insert(b, at);
            }
        }
        let bodies = scenery.bodies;
        let is_pair = |(a, b): Pair| bodies.aabb(a).gap_sq(bodies.aabb(b)) <= reach * reach;
        let turns = match is_whole {
            true => Turns::of(scenery.atlas, events, &is_pair),
            false => None,
        };
        let looks_back = turns.as_ref().is_some_and(|turns| turns.looks_back);
        Self {
            scenery,
            reach,
            meets_again: looks_back || events.contains(&Event::Work(Work::DoubleAttack)),
            home: None,
            turns,
            turn: None,
            is_whole,
            entered: Vec::new(),
            last_of,
            last: None,
        }
    }

    /// The region in whose turn an event is, which has been told, and whether that begins with it.
    pub fn turn(&self, place: Option<&Place>, at: usize) -> (Option<RegionId>, bool) {
        match &self.turns {
            Some(turns) => {
                let turn = turns.owner(at);
                let begins = turn.is_some_and(|turn| turns.begins_with(turn, at));
                (turn, begins)
            }
            None => {
                let is_turn =
                    |place: &Place| place.role == Role::Cell && Some(place.region) == self.turn;
                (self.turn, place.is_some_and(is_turn))
            }
        }
    }

    /// Who had looked at each cell when that had its turn, where nobody looks back.
    pub fn looked(&self) -> HashMap<RegionId, Vec<RegionId>> {
        let atlas = self.scenery.atlas;
        let is_cell = |region: &RegionId| {
            let place = atlas.place(*region);
            place.is_some_and(|place| place.role == Role::Cell)
        };
        let turns = self.turns.as_ref().filter(|_| !self.meets_again);
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
        let behind = run(place, &events[at..]).count();
        // Who comes up again before anybody is compared was looked at in vain here.
        if passes_by(place, &events[at..]) {
            return Following::default();
        }
        let is_here = |unit: UnitId| {
            let home = self.scenery.atlas.home(unit);
            home.is_some_and(|home| home.region == place.region)
        };
        let mut following = Following::default();
        for event in &events[at + behind..] {
            let (a, b) = match *event {
                Event::TestPair(a, b) => (a, b),
                Event::Visit(_) | Event::Prune(_) => break,
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
            self.entered.push(place.region);
            return told;
        }
        let Following {
            all,
            own,
            across,
            partners,
        } = self.following(place, events, at);
        let home = self.home;
        let load = u64::from(place.load);
        let is_passed_by = passes_by(place, &events[at..]);
        // Right behind it come those that it looks at, before anybody is compared: its partner among them, unless it is looked at itself.
        let theirs = partners.first().copied();
        let comes =
            |region: RegionId| run(place, &events[at..]).any(|it| *it == Event::Visit(region));
        let is_looked_at = theirs == home && !theirs.is_some_and(comes);
        let has_others = run(place, &events[at..])
            .any(|it| matches!(it, Event::Visit(other) if *other != place.region));
        let is_turn = place.role == Role::Cell && has_others && across.0 > 0 && !is_looked_at;
        let is_alone = load == 1 && across.0 == 0 && !is_passed_by;
        // In a tree a leaf is followed by those that are held against it.
        let is_held_against = place.role == Role::Leaf && own.0 == 0 && theirs.is_some_and(comes);
        if own.0 > 0 || is_turn || is_alone || is_held_against || place.role == Role::Slot {
            self.home = Some(place.region);
        }
        self.turn = match (place.role, &partners[..]) {
            (Role::Inner, _) => None,
            (Role::Leaf, [one]) if own.0 == 0 && !is_held_against => Some(*one),
            (Role::Leaf, _) => Some(place.region),
            (Role::Cell | Role::Slot, _) => self.home,
        };
        self.entered.push(place.region);
        if place.is_inner() {
            let own = if load > 0 {
                format!("its own {} come to first, then ", units_are(load))
            } else {
                String::new()
            };
            return format!(
                "Of the {} below it some may be within {} of each other or of those beside it: {own}what is below is looked at.",
                units(place.below),
                self.reach()
            );
        }
        if place.role == Role::Slot {
            return format!(
                "The sweep comes to its {}: {}, with whoever begins within {} behind them.",
                units(load),
                comparisons(all),
                self.reach()
            );
        }
        let other = theirs.and_then(|theirs| self.scenery.atlas.place(theirs));
        let is_new = !self.meets_again && place.role == Role::Cell;
        match other {
            _ if load == 0 => "There is nobody in it, and 0 comparisons follow.".to_owned(),
            _ if own.0 > 0 && across.0 > 0 => format!(
                "Its {} compared with each other: {}; and with those beside it: {}.",
                units_are(load),
                comparisons(own),
                comparisons(across)
            ),
            _ if own.0 > 0 => format!(
                "Its {} compared with each other: {}.",
                units_are(load),
                comparisons(own)
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
                "{} looks at the {} in here, who need not look back: {}.",
                capital(&other.name()),
                units(load),
                comparisons(across)
            ),
            Some(other) => format!(
                "Who of {} comes within {} of it is compared with its {}: {}.",
                other.name(),
                self.reach(),
                units(load),
                comparisons(across)
            ),
            None if across.0 > 0 => format!(
                "Its {} compared with those beside it: {}.",
                units_are(load),
                comparisons(across)
            ),
            None => self.with_nobody(place, at),
        }
    }

    /// Why a region is left out.
    pub fn prune(&self, place: &Place) -> String {
        let end = if place.below == 0 {
            "there is nobody in it".to_owned()
        } else {
            format!("its {} not looked at here", units_are(place.below))
        };
        let atlas = self.scenery.atlas;
        let last = self.entered.iter().rev().take(LOOKED_BACK).copied();
        // What is beside it and beside what is above it, where it was held against something that was never entered.
        let above = atlas.upwards(place.region).filter_map(|place| place.parent);
        let beside = above.filter_map(|above| atlas.place(above));
        let beside = beside.flat_map(|above| above.parts.iter().copied());
        let mut candidates = self.home.into_iter().chain(last).chain(beside);
        let why = candidates.find_map(|other| {
            let is_apart =
                !atlas.is_above(other, place.region) && !atlas.is_above(place.region, other);
            self.why_far(place, other).filter(|_| is_apart)
        });
        match why {
            Some(why) => format!("{why}, more than {}: {end}.", self.reach()),
            None => format!(
                "Nobody of what it is held against comes within {} of it: {end}.",
                self.reach()
            ),
        }
    }

    /// By how much a region is out of reach of another one, if that is so: their boxes, or the box of the first and the units
    /// of the other.
    fn why_far(&self, place: &Place, other: RegionId) -> Option<String> {
        let atlas = self.scenery.atlas;
        let (edge, own) = place.edge()?;
        let reach = f64::from(self.reach);
        // As high up as it stays true: the higher, the more it says.
        let apart = |above: &Place| above.edge().map(|(_, bounds)| gap(own, bounds));
        let far = atlas
            .upwards(other)
            .map_while(|above| apart(above).filter(|apart| *apart > reach).zip(Some(above)))
            .last();
        if let Some((apart, above)) = far {
            return Some(format!(
                "{} is {} from {}",
                capital(edge),
                metres(apart),
                above.name()
            ));
        }
        let bodies = self.scenery.bodies;
        let other = atlas.place(other)?;
        let (apart, unit) = atlas.nearest_of(other, &|unit| gap(own, bodies.aabb(unit)))?;
        (apart > reach).then(|| {
            format!(
                "Unit {unit}, the nearest of {}, is {} from {edge}",
                other.name(),
                metres(apart)
            )
        })
    }

    /// Why two units are compared, and what is seen.
    pub fn test(&mut self, pair: Pair) -> String {
        self.last = Some(pair);
        let apart = self.apart(pair);
        let seen = if self.is_pair(pair) {
            format!("within {}", self.reach())
        } else {
            format!("{} too far", metres(apart - f64::from(self.reach)))
        };
        format!(
            "Units {} and {} are compared: {} apart, {seen}.",
            pair.0,
            pair.1,
            metres(apart)
        )
    }

    /// Why two units are a result.
    pub fn hit(&self, pair: Pair) -> String {
        format!(
            "Units {} and {} are {} apart, within {}: a pair.",
            pair.0,
            pair.1,
            metres(self.apart(pair)),
            self.reach()
        )
    }

    /// That a pair is met once more.
    pub fn double_attack(&self) -> String {
        let Some(pair) = self.last else {
            return "1 pair is met a second time.".to_owned();
        };
        format!(
            "Units {} and {}, {} apart, have met before: without a look at who comes first they would attack twice.",
            pair.0,
            pair.1,
            metres(self.apart(pair))
        )
    }
}
