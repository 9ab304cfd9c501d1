//! Why one is said to be the quickest: the time by which it was named, and in what it differs from the next one, of what was counted.

use super::figures::{Figure, RACE};
use crate::app::widgets::{bytes, duration, hundredths};

/// What was counted of one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Tests a unit in a tick.
    pub tests: f64,
    /// Regions entered a unit in a tick.
    pub visits: f64,
    /// The bytes that it takes; 0 where they say nothing of who is quicker.
    pub bytes: f64,
}

impl Counts {
    /// Those of so many tests, regions and bytes of so many units.
    pub fn of([tests, visits]: [u64; 2], bytes: u64, units: u64) -> Self {
        let a_unit = |count: u64| count as f64 / units.max(1) as f64;
        Self {
            tests: a_unit(tests),
            visits: a_unit(visits),
            bytes: bytes as f64,
        }
    }
}

/// One of those that are compared.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The time by which it was named, in microseconds.
    pub us: f64,
    /// What of that is upkeep, what is queries, and what are single rectangles, where it is the sum of these.
    pub parts: Option<[f64; 3]>,
    /// What was counted of it.
    pub counts: Counts,
}

/// Why the first of two is named, by this time of them, in sentences; the other one is `the next`, or whatever it is called instead. In what
/// they differ is told by the rules of the race.
pub fn in_words(by: &str, first: &Named<'_>, (the_next, next): (&str, &Named<'_>)) -> String {
    let [tests, visits, update, query, memory] = &RACE;
    let mut all = Vec::new();
    if let Some((own, other)) = first.parts.zip(next.parts) {
        let words = [
            (update, [update.name, "shorter", "longer"]),
            (query, [query.name, "shorter", "longer"]),
            (query, ["time in rectangles", "less", "more"]),
        ];
        for (place, (figure, words)) in words.into_iter().enumerate() {
            let times = [own[place], other[place]];
            all.push(compared(figure, times, words, time));
        }
    }
    let of = |counts: fn(&Counts) -> f64| [counts(&first.counts), counts(&next.counts)];
    let a_unit = |value: f64| format!("{} a unit", hundredths(value));
    let counted = [
        (tests, of(|it| it.tests), ["tests", "fewer", "more"]),
        (
            visits,
            of(|it| it.visits),
            ["regions visited", "fewer", "more"],
        ),
    ];
    for (figure, values, words) in counted {
        all.push(compared(figure, values, words, a_unit));
    }
    let size = |value: f64| {
        let (words, unit) = bytes(value as u64);
        format!("{words} {unit}")
    };
    all.push(compared(
        memory,
        of(|it| it.bytes),
        ["memory", "less", "more"],
        size,
    ));
    let differs = all.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let named = format!(
        "{} is named by {by}: {}, {the_next}, {}, takes {}.",
        first.name,
        time(first.us),
        next.name,
        time(next.us)
    );
    match differs.is_empty() {
        true => named,
        false => format!(
            "{named} Beside it, it has {differs}. A test and a region cost more in one structure than in another: counts tell a part of it."
        ),
    }
}

fn time(us: f64) -> String {
    let (words, unit) = duration(us);
    format!("{words} {unit}")
}

/// How the first of two values lies to the other, by what the figure is called and what its having less and its having more of it are; nothing
/// where they are about alike, or one of them is not known.
fn compared(
    figure: &Figure,
    [own, other]: [f64; 2],
    [name, less, more]: [&str; 3],
    write: impl Fn(f64) -> String,
) -> Option<String> {
    let (least, most) = (own.min(other), own.max(other));
    let differs = most.is_finite() && figure.ahead(least, most).is_some();
    let way = if own < other { less } else { more };
    differs.then(|| format!("{way} {name} ({}, not {})", write(own), write(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_named_differs_from_the_next_in_what_was_counted() {
        let first = Named {
            name: "k-d tree",
            us: 420.0,
            parts: Some([20.0, 400.0, 0.0]),
            counts: Counts::of([420, 200], 120_000, 100),
        };
        let next = Named {
            name: "BVH",
            us: 550.0,
            parts: Some([10.0, 540.0, 0.0]),
            counts: Counts::of([610, 202], 150_000, 100),
        };
        let words = in_words("update + query", &first, ("the next", &next));
        let begin = format!(
            "k-d tree is named by update + query: {}, the next, BVH, takes {}. Beside it, it has longer update",
            time(420.0),
            time(550.0)
        );
        assert!(words.starts_with(&begin), "{words}");
        assert!(words.contains("shorter query"), "{words}");
        assert!(
            words.contains("fewer tests (4.20 a unit, not 6.10 a unit)"),
            "{words}"
        );
        // About as many regions say nothing, and neither does what was not counted.
        assert!(!words.contains("regions visited"), "{words}");
        assert!(words.contains("less memory"), "{words}");
        let bare = |it: &Named<'static>| Named {
            parts: None,
            counts: Counts::default(),
            ..it.clone()
        };
        let words = in_words("query", &bare(&first), ("the next", &bare(&next)));
        assert!(
            words.ends_with(&format!("takes {}.", time(550.0))),
            "{words}"
        );
    }

    #[test]
    fn parts_of_the_time_differ_by_the_rule_for_times_and_counts_by_that_for_counts() {
        let named = |[update, query]: [f64; 2], tests: u64| Named {
            name: "BVH",
            us: update + query,
            parts: Some([update, query, 0.0]),
            counts: Counts::of([tests, 0], 0, 100),
        };
        let said = |next: &Named<'_>| {
            in_words(
                "update + query",
                &named([4.0, 400.0], 1_000),
                ("the next", next),
            )
        };
        // A third more update is less than a look at the clock takes, and 12 % more query is alike.
        let near = said(&named([5.5, 448.0], 1_040));
        assert!(near.ends_with(&format!("takes {}.", time(453.5))), "{near}");
        let far = said(&named([7.5, 470.0], 1_060));
        for words in ["shorter update", "shorter query", "fewer tests"] {
            assert!(far.contains(words), "{far}");
        }
    }
}
