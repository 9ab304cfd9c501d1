//! The figures of the run before the last restart, below those of now.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{bytes, place, section, stat, with_commas};
use egui_macroquad::egui::{RichText, Ui};
use skirmish::session::RunTicks;

/// Draws them, where there was one.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette) {
    let made = app.place.world_made;
    let runs = app.stream.as_ref().map(|it| &it.runs);
    let known = runs.and_then(|it| Some((it.before(made)?, it.began_before(made)?)));
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

/// From which ticks to which figures count that the run that `began` at a tick had come to at the tick `until`, without those of other runs between
/// them; and the last one of it that is known, where that is a later one.
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
    use skirmish::probe::Cancel;
    use skirmish::scene::file;
    use skirmish::session::{Action, Session};
    use std::path::Path;

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
