//! What is said beside the cursor of what is pointed at: what has become of it by the step at which one stands, and not what will.

use super::names::name;
use crate::app::state::{App, Pointed, Stepping};
use crate::app::widgets::{measures_together, with_commas};
use skirmish::partition::UnitId;
use skirmish::probe::Event;
use skirmish::story::space::Operation3;
use skirmish::story::{Operation, Reel, Standing, Step};

/// What has become of a unit or a region so far, and why; else when something will; nothing where that is not known.
pub fn fate(
    app: &App,
    (stepping, reel): (&Stepping, &Reel),
    pointed: Pointed,
) -> Option<(String, String)> {
    let steps = &reel.story().steps;
    let at = stepping.at();
    let told = |row: &[u32], title: &dyn Fn(&Step) -> String| {
        let so_far = row.partition_point(|step| (*step as usize) < at);
        let step = row[so_far.checked_sub(1)?] as usize;
        let last = &steps[step];
        let title = format!("{} at step {}", title(last), with_commas(step as u64 + 1));
        Some((title, measures_together(&last.reason)))
    };
    // What lies ahead has not happened, and is not told as if it had.
    let ahead = |row: &[u32], name: &str| {
        let step = with_commas(u64::from(*row.first()?) + 1);
        let title = format!("{name} · first at step {step}, yet to come");
        Some((title, "Nothing has come to it so far.".to_owned()))
    };
    match pointed {
        Pointed::Region(region) => {
            let number = reel.place_of(region, stepping.at())?;
            let place = &reel.story().places[number];
            let name = name(reel, place);
            let row = reel.steps_of_place(number);
            // As in the list: what a unit does there is not what the region does.
            let title = |step: &Step| format!("{} {name}", reel.story().word(step));
            told(row, &title).or_else(|| ahead(row, &name))
        }
        Pointed::Unit(unit) => {
            let who = stepping.who(unit, app.stream.as_ref());
            let row = reel.steps_of_unit(unit);
            let decided = || {
                // Nobody looked at it: then something above it was decided as a whole.
                let atlas = stepping.atlas()?;
                let above = atlas.upwards(atlas.home(unit)?.region);
                let mut decided = above.filter_map(|place| {
                    let number = reel.place_of(place.region, at)?;
                    let last = reel.place_at(number, at)?;
                    let whole = matches!(last.event, Event::Prune(_) | Event::Accept(_));
                    whole.then_some((place, last))
                });
                let (place, last) = decided.next()?;
                let title = format!("{who} · in {}", name(reel, place));
                Some((title, measures_together(&last.reason)))
            };
            let title = |step: &Step| format!("{who} · {}", step.kind());
            let so_far = told(row, &title).map(|(title, last)| {
                let partners = reel.partners(unit, at);
                let is_all = at == reel.len() && reel.story().left_out == 0;
                // By its test as well, which says what it finds.
                let tells = |step: &Step| match (step.event, partners) {
                    (Event::TestPair(a, b) | Event::HitPair(a, b), [other]) => {
                        a == *other || b == *other
                    }
                    _ => false,
                };
                let is_told = reel.unit_at(unit, at).is_some_and(tells);
                match pairs_in_words(partners, is_all).filter(|_| !is_told) {
                    Some(pairs) => (title, format!("{last} {pairs}")),
                    None => (title, last),
                }
            });
            let so_far = so_far.or_else(decided);
            // Nobody looks at it to the end, and nothing above it says why.
            let never = || {
                let asked = &stepping.asked;
                let is_of_pairs = matches!(asked.operation(), Some(Operation::Pairs { .. }))
                    || matches!(asked.operation3(), Some(Operation3::Pairs { .. }));
                let (word, sentence) = match is_of_pairs {
                    true => ("tested with nobody", "It is compared with nobody."),
                    false => ("left out", "It is never tested."),
                };
                let is_left = reel.standing(unit, at) == Standing::LeftOut;
                is_left.then(|| (format!("{who} · {word}"), sentence.to_owned()))
            };
            // Nor will anybody, which is not told before it is so.
            let not_yet = || {
                let is_open = reel.has_left_out() && reel.standing(unit, at) == Standing::NotYet;
                let sentence = "Nothing has come to it so far.".to_owned();
                is_open.then(|| (format!("{who} · not yet"), sentence))
            };
            so_far
                .or_else(|| ahead(row, &who))
                .or_else(never)
                .or_else(not_yet)
        }
    }
}

/// With whom a unit is a pair, some of many by their numbers: the last thing that is told of it is only of one of them.
fn pairs_in_words(partners: &[UnitId], is_all: bool) -> Option<String> {
    /// So many are named.
    const NAMED: usize = 8;
    let so_far = if is_all { "" } else { " so far" };
    let count = partners.len();
    if let [other] = partners {
        return Some(format!("It is in 1 pair{so_far}: with unit {other}."));
    }
    let named = if count > NAMED + 1 { NAMED } else { count };
    let first = least_of(partners, named);
    let mut names: Vec<String> = first.iter().map(UnitId::to_string).collect();
    let last = match count - named {
        0 => names.pop()?,
        others => format!("{} others", with_commas(others as u64)),
    };
    let (count, names) = (with_commas(count as u64), names.join(", "));
    Some(format!(
        "It is in {count} pairs{so_far}: with units {names} and {last}."
    ))
}

/// So many of them with the least numbers, by ascending number: of a crowd not all are put in order for the sake of a few.
fn least_of(units: &[UnitId], most: usize) -> Vec<UnitId> {
    let mut least: Vec<UnitId> = Vec::with_capacity(most + 1);
    for unit in units {
        if least.len() == most && least.last().is_none_or(|last| unit >= last) {
            continue;
        }
        let place = least.partition_point(|other| other < unit);
        least.insert(place, *unit);
        least.truncate(most);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_of_a_unit_are_named_and_of_many_the_first() {
        assert_eq!(pairs_in_words(&[], true), None);
        let one = pairs_in_words(&[4], false);
        let expected = "It is in 1 pair so far: with unit 4.";
        assert_eq!(one.as_deref(), Some(expected));
        let words = pairs_in_words(&[9, 1, 4], true);
        let expected = "It is in 3 pairs: with units 1, 4 and 9.";
        assert_eq!(words.as_deref(), Some(expected));
        // In whatever order they were found.
        let many: Vec<UnitId> = (0..1_200).map(|unit| unit * 7 % 1_200).collect();
        let words = pairs_in_words(&many, false).expect("words");
        assert_eq!(
            words,
            "It is in 1,200 pairs so far: with units 0, 1, 2, 3, 4, 5, 6, 7 and 1,192 others."
        );
    }
}
