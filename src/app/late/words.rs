//! What is said of late loads: who was late, how late, and how many there are.

use super::load::Missing;
use crate::app::widgets::with_commas;
use skirmish::session::{LateInBoth, LateSum, Mark, MarkKind};
use skirmish::streaming::{Latecomers, Lateness, called, is_meant, span};

/// How many were late in this future and in the other one, in a line.
pub fn compared(both: &LateInBoth) -> String {
    let sum = |sum: &LateSum| {
        let objects = objects(sum.objects);
        // As long as some of them are missing, or are not known, nobody knows how late the last one comes.
        let most = match sum.came < sum.objects {
            true => "at least",
            false => "up to",
        };
        match &sum.longest {
            Some(longest) => format!("{objects}, {most} {}", longest.words()),
            None => objects,
        }
    };
    let ticks = ticks_of(both);
    format!(
        "Late in {ticks}: {} (other future: {})",
        sum(&both.here),
        sum(&both.other)
    )
}

/// Whether one object was late in this future and in the other one, in a sentence; nothing where it was in neither.
pub fn compared_one(both: &LateInBoth) -> Option<String> {
    let late = |sum: &LateSum| {
        let times = match sum.objects {
            0 => return "not late".to_owned(),
            1 => String::new(),
            count => format!(" {} times", with_commas(count)),
        };
        match (&sum.longest, sum.objects) {
            // It has not come by then, or was given up.
            (None, _) => format!("late{times} and did not come in that time"),
            (Some(longest), 1) => format!("{} late", longest.words()),
            (Some(longest), _) if sum.came < sum.objects => {
                format!("late{times}, by at least {}", longest.words())
            }
            (Some(longest), _) => format!("late{times}, by up to {}", longest.words()),
        }
    };
    (both.here.objects + both.other.objects > 0).then(|| {
        format!(
            "In {}: here it was {}; in the other future it was {}.",
            ticks_of(both),
            late(&both.here),
            late(&both.other)
        )
    })
}

/// The ticks that are counted of both futures, in words.
fn ticks_of(both: &LateInBoth) -> String {
    let until = with_commas(both.until);
    match both.until - both.after {
        1 => format!("tick {until}"),
        _ => format!("ticks {} to {until}", with_commas(both.after + 1)),
    }
}

/// What that counts.
pub fn compared_help(both: &LateInBoth) -> String {
    let after = with_commas(both.after);
    format!(
        "Two futures are known after tick {after}: this one and the other, to which 'Other future' in the menu Run turns. \
         Counted are the objects that were late in the ticks that are known of both, up to where the world begins anew in either of them (a restart, sides that change places), or an undo or redo that may be of that. \
         How late is said of those that came by then; one that was given up, or is still missing, counts as late, and has not come."
    )
}

/// What is said of a table of these late loads that was saved, while the world is shown that was made at the tick `world`.
pub fn saved(marks: &[Mark], world: u64) -> &'static str {
    let is_other = |mark: &Mark| mark.kind == MarkKind::Late && mark.world != world;
    match marks.iter().any(is_other) {
        false => "The late loads that are known are",
        // Objects may have stood elsewhere then.
        true => "The late loads that are known, of other runs as objects stood then, are",
    }
}

/// How long somebody was missing, in fewer characters.
pub(super) fn in_brief(how_long: &str) -> String {
    let words = how_long.strip_prefix("up to ").unwrap_or(how_long);
    match words.strip_prefix("at least ") {
        Some(words) => format!("over {words}"),
        None => words.to_owned(),
    }
}

/// The same without what became of who was missing, where a name has no room beside that: of all rows it is the same measure.
pub(super) fn time_alone(how_long: &str) -> String {
    let brief = in_brief(how_long);
    let end = brief.find(" missing").unwrap_or(brief.len());
    brief[..end].to_owned()
}

/// Who was late, in a few words: the one of those who are sought that was missing the `longest`, of whom the row says for how long, or the
/// first as long as that is not known, and how many more of these there are. Also what of that follows the name.
pub(super) fn who_was_late(
    who: &Latecomers,
    longest: Option<u32>,
    meant: u32,
    sought: &str,
) -> (String, String) {
    let named = who.known().find(|(_, object)| Some(*object) == longest);
    let first = || {
        let mut known = who.known();
        known.find(|(name, object)| is_meant(name, *object, sought))
    };
    let Some((name, object)) = named.or_else(first) else {
        return (objects(meant), objects(meant));
    };
    let others = match meant {
        1 => String::new(),
        _ => format!(" + {}", with_commas(u64::from(meant - 1))),
    };
    let who = format!("{}{others}", called(name, object));
    (who, format!(" {object}{others}"))
}

/// All who were late, as each is called, by how much as far as that is known, by now of those who are `missing`, and how many there are beside
/// those who are known.
///
/// They stand apart by more than a comma: what is said of one is not to be read of the one before.
pub(super) fn all_who_were_late(
    who: &Latecomers,
    count: u32,
    came: &[(u32, &Lateness)],
    missing: &[Missing],
) -> String {
    let known = who.known().map(|(name, object)| {
        let name = called(name, object);
        // Who was no longer needed before it came may be missing once more.
        if let Some(it) = missing.iter().find(|it| it.object == object) {
            let time = span(it.seconds);
            return match it.is_late_alone {
                true => format!("{name} ({time} late by now)"),
                false => format!("{name} (missing for {time} by now while it was needed)"),
            };
        }
        match came.iter().find(|(it, _)| *it == object) {
            Some((_, it)) if it.is_given_up() => {
                format!(
                    "{name} (missing for {} while it was needed, and given up)",
                    it.missing_words()
                )
            }
            // It may be needed again by now.
            Some((_, it)) if it.is_on_its_way() => format!(
                "{name} (missing for {} until it was no longer needed, and not there by then)",
                it.missing_words()
            ),
            Some((_, it)) if it.is_late_alone() => format!("{name} ({} late)", it.words()),
            Some((_, it)) => format!(
                "{name} ({} late, and missing for {} while it was needed)",
                it.words(),
                it.missing_words()
            ),
            None => name,
        }
    });
    let known: Vec<String> = known.collect();
    match count.saturating_sub(known.len() as u32) {
        _ if known.is_empty() => objects(count),
        0 => known.join("; "),
        more => format!(
            "{}; and {} more",
            known.join("; "),
            with_commas(u64::from(more))
        ),
    }
}

fn objects(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 object".to_owned(),
        count => format!("{} objects", with_commas(count)),
    }
}

/// At how many ticks somebody was late, of whom so many are meant.
pub(super) fn note(meant: usize, all: usize) -> String {
    let [meant_words, all_words] = [meant, all].map(|count| with_commas(count as u64));
    match (meant, all) {
        (_, 0) => "none yet".to_owned(),
        (1, 1) => "at 1 tick".to_owned(),
        (meant, all) if meant == all => format!("at {all_words} ticks"),
        _ => format!("at {meant_words} of {all_words} ticks"),
    }
}

/// What stands below the rows: that there are none, and how many late loads there were before the world began anew, and after it did so
/// once more.
pub(super) fn rest(is_sought: bool, meant: usize, before: usize, after: usize) -> String {
    let [before_it, after_it] = [before, after].map(|count| with_commas(count as u64));
    match (before, after) {
        (0, 0) if meant > 0 => String::new(),
        (0, 0) if is_sought => "No late load is known to have such a name or number.".to_owned(),
        (0, 0) => "Nothing has come late.".to_owned(),
        (_, 0) => format!("and {before_it} before the restart"),
        (0, _) => format!("and {after_it} after a later restart"),
        _ => format!("and {before_it} before the restart, {after_it} after a later one"),
    }
}
