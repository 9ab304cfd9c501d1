//! The figures of the run before the last restart, below those of now.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::run_before::{Run, Runs};
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{bytes, place, section, stat, with_commas};
use egui_macroquad::egui::{RichText, Ui};
use skirmish::session::RunTicks;

/// The run before the one of the world that was `made` at a tick, and the tick at which it began. None where what is known is of a run that
/// has been ended by another restart since, at an earlier tick: its figures are of ticks of which others are told.
fn known(runs: &Runs, ticks: &RunTicks, made: u64) -> Option<(Run, u64)> {
    let (run, began) = (runs.before(made)?, runs.began_before(made)?);
    (ticks.began(made) == Some(began)).then_some((run, began))
}

/// Draws them, where there was one.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette) {
    let made = app.place.world_made;
    let stream = app.stream.as_ref();
    let known = stream.and_then(|it| known(&it.runs, &app.place.run_ticks, made));
    let Some((run, began)) = known else {
        return;
    };
    let long = format!("{:.1} s long", run.seconds);
    if !section(ui, palette, "the run before", &long) {
        return;
    }
    // Whoever compares the two sees over which ticks each counts.
    let until = [(began, made), (made, app.place.tick)];
    let [before, now] = until.map(|until| of_run(&app.place.run_ticks, until));
    let words = format!("{before}; the run of now: {now}");
    let words = RichText::new(words).size(size::DESCRIPTION);
    let response = ui.label(words.color(palette.text_third));
    place(ui.ctx(), "before.ticks", response.rect);
    let late = with_commas(run.late);
    let needed = format!("of {} needed", with_commas(run.needed));
    let name = |name| glossary::of("streaming", name);
    stat(ui, palette, name("late loads"), &late, &needed);
    let names = ["time to visible p50", "time to visible p99"];
    for (title, value) in names.into_iter().zip(run.visible_ms) {
        let (value, unit) = milliseconds(value);
        stat(ui, palette, name(title), &value, unit);
    }
    for (title, value) in [("wasted", run.wasted), ("read", run.read)] {
        let (value, unit) = bytes(value);
        stat(ui, palette, name(title), &value, unit);
    }
}

/// From which ticks to which figures count that the run that `began` at a tick had come to at the tick `until`, without those of other runs
/// between them; and the last one of it that is known, where that is a later one.
fn of_run(runs: &RunTicks, (began, until): (u64, u64)) -> String {
    let mut spans: Vec<[u64; 2]> = runs.spans(began, until).collect();
    if spans.is_empty() {
        // No tick of it has passed yet.
        spans.push([began, until]);
    }
    let last = spans.len() - 1;
    let mut words = ticks(spans[0]);
    for (place, [first, end]) in spans.into_iter().enumerate().skip(1) {
        let and = if place == last { " and" } else { "," };
        let [first, end] = [first, end].map(with_commas);
        words += &format!("{and} {first} to {end}");
    }
    match runs.last_tick(began) {
        Some(last) if last > until => format!("{words}, known to {}", with_commas(last)),
        _ => words,
    }
}

/// From which tick to which something counts.
pub fn ticks([first, last]: [u64; 2]) -> String {
    format!("ticks {} to {}", with_commas(first), with_commas(last))
}

/// A time in milliseconds, or in seconds where it is long.
pub fn milliseconds(value: Option<f32>) -> (String, &'static str) {
    match value {
        Some(value) if value >= 1000.0 => (format!("{:.2}", value / 1000.0), "s"),
        Some(value) => (format!("{value:.0}"), "ms"),
        None => ("–".to_owned(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::run_before::Stands;
    use skirmish::probe::Cancel;
    use skirmish::scene::file;
    use skirmish::session::{Action, Session};
    use skirmish::streaming::Statistics;
    use std::path::Path;

    #[test]
    fn figures_of_a_run_are_not_told_of_one_that_ended_at_the_same_tick_and_began_later() {
        let (mut session, _) = Session::new(file::built_in(), Path::new(""));
        let cancel = Cancel::default();
        let run_and_restart = |session: &mut Session, ticks: u64| {
            for _ in 0..ticks {
                session.tick(&cancel, &mut ()).expect("a tick");
            }
            let restart = session.apply(Action::Restart, false, &cancel);
            restart.expect("a world");
            session.world_made()
        };
        let of = |session: &Session, runs: &Runs| {
            let ticks = session.timeline().ledger().run_ticks();
            known(runs, ticks, session.world_made())
        };
        let run = Run::of(&Statistics::default(), 1.0);
        let mut runs = Runs::default();
        assert_eq!(of(&session, &runs), None);
        for made in [0, run_and_restart(&mut session, 10)] {
            let stands = Stands {
                tick: 10,
                end: 10,
                made,
            };
            runs.note(stands, || run);
        }
        assert_eq!(of(&session, &runs), Some((run, 0)));
        // Back, and begun anew there: of the restart at the same tick, which a seek may pass, nothing is taken down.
        session.seek(4, &cancel, &mut ()).expect("back");
        assert_eq!(run_and_restart(&mut session, 0), 4);
        assert_eq!(run_and_restart(&mut session, 6), 10);
        assert_eq!(of(&session, &runs), None);
    }

    #[test]
    fn a_run_that_others_lie_in_counts_none_of_their_ticks() {
        let (mut session, _) = Session::new(file::built_in(), Path::new(""));
        let cancel = Cancel::default();
        for action in [Action::Restart, Action::Undo, Action::Redo] {
            for _ in 0..10 {
                session.tick(&cancel, &mut ()).expect("a tick");
            }
            session.apply(action, false, &cancel).expect("a world");
        }
        let runs = session.timeline().ledger().run_ticks();
        // Of the run to which redo has led back no tick has passed since.
        assert_eq!(session.world_made(), 10);
        assert_eq!(of_run(runs, (10, 30)), "ticks 10 to 20");
        assert_eq!(of_run(runs, (0, 30)), "ticks 0 to 10 and 20 to 30");
        assert_eq!(of_run(runs, (0, 10)), "ticks 0 to 10, known to 30");
        assert_eq!(of_run(runs, (30, 30)), "ticks 30 to 30");
    }
}
