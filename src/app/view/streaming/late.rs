//! The late loads, one after the other: when each was, and how many objects at once. A click goes there and selects one of them.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{
    button, focus_ring, keep_in_sight, place, section, stat, tell_button, with_commas,
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
    /// Those that are shown, the latest first.
    shown: Vec<&'a Mark>,
    /// So many since the world began, those after the present tick among them.
    all: usize,
    /// So many that are shown by a step to newer ones.
    newer: usize,
    /// So many that are shown by a step to older ones.
    older: usize,
    /// So many after the present tick.
    after: usize,
    /// So many before the world began anew.
    before_restart: usize,
}

/// Of the late loads among `marks` those until the tick `now` of a world that began at the tick `began`, but for the latest
/// `skipped`.
fn listed(marks: &[Mark], began: u64, now: u64, skipped: usize) -> Listed<'_> {
    let late = marks.iter().filter(|mark| mark.kind == MarkKind::Late);
    let (before, since): (Vec<&Mark>, Vec<&Mark>) = late.partition(|mark| mark.tick <= began);
    let known = since.partition_point(|mark| mark.tick <= now);
    // A list that has become shorter ends at its oldest.
    let newer = skipped.min(known.saturating_sub(1));
    let last = known - newer;
    let first = last.saturating_sub(SHOWN);
    Listed {
        shown: since[first..last].iter().rev().copied().collect(),
        all: since.len(),
        newer,
        older: first,
        after: since.len() - known,
        before_restart: before.len(),
    }
}

/// Those until the present tick, the latest first. Seconds are those of the world, as the other sections have them.
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
    let list = listed(&marks, began, now, stream.late_skipped);
    let note = match list.all {
        0 => "none yet".to_owned(),
        1 => "once".to_owned(),
        times => format!("{} times", with_commas(times as u64)),
    };
    if !section(ui, palette, "late loads", &note) {
        return;
    }
    let means = glossary::means("streaming", "late loads");
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
    if list.newer + list.older > 0 {
        ui.horizontal(|ui| {
            let newer = format!("{} newer", with_commas(list.newer as u64));
            let help = "Show later late loads in this list.";
            if list.newer > 0 && button(ui, palette, "late.newer", &newer, help) {
                stream.late_skipped = list.newer.saturating_sub(SHOWN);
            }
            let older = format!("{} older", with_commas(list.older as u64));
            let help = "Show earlier late loads in this list.";
            if list.older > 0 && button(ui, palette, "late.older", &older, help) {
                stream.late_skipped = list.newer + SHOWN;
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
            let list = listed(marks, began, session.tick_count(), skipped);
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
                (list.newer, list.older),
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
