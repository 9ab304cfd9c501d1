//! The figures of the run before the last restart, below those of now.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{bytes, place, section, stat, with_commas};
use egui_macroquad::egui::{RichText, Ui};

/// Draws them, where there was one.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette) {
    let made = app.place.world_made;
    let runs = app.stream.as_ref().map(|it| &it.runs);
    let known = runs.and_then(|it| Some((it.before(made)?, it.ticks_before(made)?)));
    let Some((run, before)) = known else {
        return;
    };
    let long = format!("{:.1} s long", run.seconds);
    if !section(ui, palette, "the run before", &long) {
        return;
    }
    // Whoever compares the two sees over which ticks each counts.
    let [before, now] = [before, [made, app.place.tick]].map(ticks);
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
