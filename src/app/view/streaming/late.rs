//! The late loads, one after the other: when each was, and how many objects at once. A click goes there and selects one of them.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{
    button, focus_ring, keep_in_sight, place, section, segments, stat, tell_button, with_commas,
};
use egui_macroquad::egui::{RichText, Sense, Ui};
use skirmish::session::{Mark, MarkKind};
use skirmish::tick::STEP_SECONDS;
use std::sync::Arc;

/// So many are shown.
const SHOWN: usize = 6;

/// The part of the late loads that is shown, and how many are not.
#[derive(Debug, Default, PartialEq)]
struct Listed<'a> {
    /// Those that are shown, in their order.
    shown: Vec<&'a Mark>,
    /// So many since the world began, those after the present tick among them.
    all: usize,
    /// So many come before them: newer ones, where the latest is first.
    before: usize,
    /// So many come behind them: older ones, where the latest is first.
    behind: usize,
    /// So many after the present tick.
    after: usize,
    /// So many before the world began anew.
    before_restart: usize,
}

/// Of the late loads among `marks` those until the tick `now` of a world that began at the tick `began`, the latest first, or those of
/// the most objects, but for the first `skipped`.
fn listed(marks: &[Mark], (began, now): (u64, u64), by_count: bool, skipped: usize) -> Listed<'_> {
    let late = marks.iter().filter(|mark| mark.kind == MarkKind::Late);
    let (before, since): (Vec<&Mark>, Vec<&Mark>) = late.partition(|mark| mark.tick <= began);
    let known = since.partition_point(|mark| mark.tick <= now);
    let mut order: Vec<&Mark> = since[..known].iter().rev().copied().collect();
    if by_count {
        // Of as many the latest stays first.
        order.sort_by_key(|mark| std::cmp::Reverse(mark.count));
    }
    // A list that has become shorter ends at its last.
    let before_them = skipped.min(known.saturating_sub(1));
    let end = (before_them + SHOWN).min(known);
    Listed {
        shown: order[before_them..end].to_vec(),
        all: since.len(),
        before: before_them,
        behind: known - end,
        after: since.len() - known,
        before_restart: before.len(),
    }
}

/// Those until the present tick, in the order that is chosen. Seconds are those of the world, as the other sections have them.
pub fn late_loads(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let marks = Arc::clone(&app.place.marks);
    let now = app.place.tick;
    let Some(stream) = &mut app.stream else {
        return;
    };
    let began = now.saturating_sub(stream.ticks());
    if began != std::mem::replace(&mut stream.late_began, began) {
        // Of a world that begins anew the list begins at its newest.
        stream.late_skipped = 0;
    }
    let by_count = stream.late_by_count;
    let list = listed(&marks, (began, now), by_count, stream.late_skipped);
    let note = match list.all {
        0 => "none yet".to_owned(),
        1 => "at 1 tick".to_owned(),
        ticks => format!("at {} ticks", with_commas(ticks as u64)),
    };
    if !section(ui, palette, "late loads", &note) {
        return;
    }
    let means = glossary::means("streaming", "late loads");
    if list.before + list.shown.len() + list.behind > SHOWN {
        let words = [
            ("latest first", "The last ones first."),
            ("most first", "Those of the most objects at once first."),
        ];
        let color = palette.accent;
        let order = Some(usize::from(by_count));
        if let Some(new) = segments(ui, palette, "late.order", &words, order, color) {
            stream.late_by_count = new == 1;
            stream.late_skipped = 0;
        }
        ui.add_space(4.0);
    }
    let mut chosen = None;
    for (place_in_list, mark) in list.shown.iter().enumerate() {
        let objects = match (&mark.who, mark.count) {
            (Some(who), 1) => who.to_string(),
            (Some(who), count) => format!("{who} + {}", with_commas(u64::from(count - 1))),
            (None, 1) => "1 object".to_owned(),
            (None, count) => format!("{} objects", with_commas(u64::from(count))),
        };
        let name = format!("tick {}", with_commas(mark.tick));
        let seconds = (mark.tick - began) as f64 * STEP_SECONDS;
        let when = format!("{name}, at {seconds:.1} s");
        let response = stat(ui, palette, (when.as_str(), means), &objects, "");
        let response = response.interact(Sense::click());
        place(ui.ctx(), &format!("late.{place_in_list}"), response.rect);
        tell_button(&response, &format!("Go to {name}: {objects} late"));
        focus_ring(ui, palette, &response, response.rect);
        keep_in_sight(ui, ("late", mark.tick), &response);
        if response.clicked() {
            chosen = Some(mark.tick);
        }
    }
    if list.before + list.behind > 0 {
        let (before, behind) = match by_count {
            false => ("newer", "older"),
            true => ("with more", "with fewer"),
        };
        ui.horizontal(|ui| {
            let words = format!("{} {before}", with_commas(list.before as u64));
            let help = "Show those that come before these in the list.";
            if list.before > 0 && button(ui, palette, "late.before", &words, help) {
                stream.late_skipped = list.before.saturating_sub(SHOWN);
            }
            let words = format!("{} {behind}", with_commas(list.behind as u64));
            let help = "Show those that come behind these in the list.";
            if list.behind > 0 && button(ui, palette, "late.behind", &words, help) {
                stream.late_skipped = list.before + SHOWN;
            }
        });
    }
    let elsewhere = [
        (list.after, "after this tick"),
        (list.before_restart, "before the restart"),
    ];
    let elsewhere: Vec<String> = elsewhere
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, place)| format!("{} {place}", with_commas(*count as u64)))
        .collect();
    let words = match (list.all + list.before_restart, elsewhere.is_empty()) {
        (0, _) => "Nothing was needed before it was there.".to_owned(),
        (_, true) => String::new(),
        (_, false) => format!("and {}", elsewhere.join(", ")),
    };
    if !words.is_empty() {
        ui.label(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
    if let Some(tick) = chosen {
        app.go_to_marked(tick);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session};

    /// Rides through the open world for so many ticks.
    fn ride(session: &mut Session, ticks: u64) {
        let cancel = Cancel::default();
        for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        for _ in 0..ticks {
            session.tick(&cancel, &mut ()).expect("a tick");
        }
    }

    #[test]
    fn late_loads_before_a_restart_are_said_apart_and_the_others_are_as_many_as_are_counted() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let counted = |session: &Session, skipped| {
            let world = session.world().expect("a world");
            let began = session.tick_count() - world.ticks();
            let marks = session.timeline().marks().list();
            let list = listed(marks, (began, session.tick_count()), false, skipped);
            let sum = |marks: &[&Mark]| marks.iter().map(|mark| u64::from(mark.count)).sum::<u64>();
            let late = marks
                .iter()
                .filter(|mark| mark.kind == MarkKind::Late && mark.tick > began)
                .collect::<Vec<_>>();
            assert_eq!(sum(&late), world.streaming().statistics().late_loads);
            assert_eq!(list.all, late.len());
            (
                list.all,
                list.shown.iter().map(|mark| mark.tick).collect::<Vec<_>>(),
                (list.before, list.behind),
                list.before_restart,
            )
        };
        ride(&mut session, 2400);
        let (all, latest, (newer, older), before) = counted(&session, 0);
        assert!(all > SHOWN, "{all} late loads");
        assert_eq!((newer, older + latest.len(), before), (0, all, 0));
        // Step by step to the oldest one: each is shown once.
        let mut seen = latest;
        while let (_, more, (_, 1..), _) = counted(&session, seen.len()) {
            seen.extend(more);
        }
        seen.extend(counted(&session, seen.len()).1);
        seen.dedup();
        assert_eq!(seen.len(), all);
        assert!(seen.is_sorted_by(|a, b| a > b));
        // Or those of the most objects first, and of as many the latest.
        let world = session.world().expect("a world");
        let ticks = (session.tick_count() - world.ticks(), session.tick_count());
        let marks = session.timeline().marks().list();
        let mut by_count = Vec::new();
        loop {
            let list = listed(marks, ticks, true, by_count.len());
            by_count.extend(list.shown.iter().map(|mark| (mark.count, mark.tick)));
            if list.behind == 0 {
                break;
            }
        }
        assert!(by_count.is_sorted_by(|a, b| a > b), "{by_count:?}");
        assert!(by_count.len() == all && by_count[0].0 > 1);
        let restart = Action::Restart;
        session
            .apply(restart, false, &Cancel::default())
            .expect("a world");
        assert_eq!(counted(&session, 0), (0, Vec::new(), (0, 0), all));
        ride(&mut session, 600);
        let (again, .., before) = counted(&session, 0);
        assert!(again > 0 && before == all);
    }
}
