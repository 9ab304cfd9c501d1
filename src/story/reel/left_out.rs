//! Who is never looked at in a search, and from when on that is known.

use super::{Firsts, NEVER};
use crate::partition::{RegionId, Role, UnitId};
use crate::probe::Event;
use crate::story::{Answer, InTurn, Place, Step, Story};
use std::collections::{HashMap, HashSet};

/// After how many steps a search that is told to its end is over; [`NEVER`] of all else.
pub(super) fn end_of(story: &Story) -> u32 {
    let is_search = story.after.is_none() && !matches!(story.answer, Answer::Sides { .. });
    let is_told = story.left_out == 0 && !story.steps.is_empty();
    match is_search && is_told {
        true => story.steps.len() as u32,
        false => NEVER,
    }
}

/// Whether a step of a search for pairs comes to a region whose units are compared right away: through a strip goes a whole sweep.
fn is_turn(story: &Story, step: &Step) -> bool {
    let is_one = |place: &Place| matches!(place.role, Role::Leaf | Role::Cell);
    step.turn.is_some() && story.place(step).is_some_and(is_one)
}

/// After how many steps the turn of each region has begun, in a search for pairs that goes by turns.
fn turns_of(story: &Story) -> HashMap<RegionId, u32> {
    let mut turns = HashMap::new();
    if story
        .steps
        .iter()
        .any(|step| step.in_turn == InTurn::Begins)
    {
        for (at, step) in (1..).zip(&story.steps) {
            if let Some(turn) = step.turn {
                turns.entry(story.places[turn].region).or_insert(at);
            }
        }
    }
    turns
}

/// After how many steps of a search that takes `end` each unit at which nobody looks is known to be one: once what it lies in is left out,
/// in a search for pairs once that has had its turn, or where it has none once it has come up for the last time, or else at the end. And
/// whether there is such a unit.
pub(super) fn left_out(story: &Story, firsts: &[Firsts], end: u32) -> (Vec<u32>, bool) {
    let mut left = Vec::new();
    if end == NEVER {
        return (left, false);
    }
    let (mut visited, mut pruned) = (HashMap::new(), HashMap::new());
    for (at, step) in (1..).zip(&story.steps) {
        match (step.event, step.region) {
            (Event::Prune(region), _) => pruned.insert(region, at),
            (Event::Visit(_), Some(region)) if is_turn(story, step) => visited.insert(region, at),
            _ => continue,
        };
    }
    let turns = turns_of(story);
    let is_seen = |unit: &UnitId| {
        let first = firsts.get(*unit as usize);
        first.is_some_and(|first| first.tested != NEVER || first.found != NEVER)
    };
    for place in story.before.places() {
        let above = story.before.upwards(place.region);
        let above = above.filter_map(|above| pruned.get(&above.region).copied());
        let own = visited.get(&place.region).copied();
        let own_turn = turns.get(&place.region).copied();
        let from = own_turn.or_else(|| above.chain(own).max());
        let from = from.unwrap_or(end);
        for unit in place.units().iter().filter(|unit| !is_seen(unit)) {
            let unit = *unit as usize;
            if left.len() <= unit {
                left.resize(unit + 1, NEVER);
            }
            // Whoever is in several regions is so until the last of them has come up.
            left[unit] = match left[unit] {
                NEVER => from,
                before => from.max(before),
            };
        }
    }
    let is_known = |from: &u32| *from != NEVER;
    let has_any = left.iter().any(is_known);
    // Whoever is in no region is so at the end.
    for from in left.iter_mut().filter(|from| !is_known(from)) {
        *from = end;
    }
    (left, has_any)
}

/// How many cells that hold somebody a search that has left none out never comes to, and how many units are in these: it goes straight to the
/// others, and no event tells of them. None where there are none, and where something is left out.
pub(super) fn never_come_to(story: &Story, end: u32) -> Option<(u64, u64)> {
    let is_pruned = |step: &Step| matches!(step.event, Event::Prune(_));
    if end == NEVER || story.steps.iter().any(is_pruned) {
        return None;
    }
    let come_to: HashSet<RegionId> = story.steps.iter().filter_map(|step| step.region).collect();
    let is_left = |place: &&Place| {
        place.role == Role::Cell && place.load > 0 && !come_to.contains(&place.region)
    };
    let left = story.before.places().iter().filter(is_left);
    let (cells, units) = left.fold((0, 0), |(cells, units), place| {
        (cells + 1, units + u64::from(place.load))
    });
    (cells > 0).then_some((cells, units))
}
