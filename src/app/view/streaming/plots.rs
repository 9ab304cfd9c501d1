//! The streaming's plots: tests, and what is read from disk.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::widgets::{Curve, Plot, Scale, plots_beside};
use egui_macroquad::egui::{Rect, Ui};

/// Draws the two of them.
pub fn plots(ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
    let Some(stream) = &app.stream else { return };
    let both = Curve {
        name: glossary::of("streaming", "A + B"),
        series: &stream.figures.tests,
        color: palette.accent,
        filled: true,
        scale: 1.0,
        stretches: &[],
    };
    let unload = Curve {
        name: glossary::of("streaming", "B"),
        series: &stream.figures.unload_tests,
        color: palette.second,
        filled: false,
        scale: 1.0,
        stretches: &[],
    };
    let brute = Curve {
        name: glossary::of("streaming", "brute"),
        series: &stream.figures.brute_force,
        color: palette.text_third,
        filled: false,
        scale: 1.0,
        stretches: &[],
    };
    let tests = Plot {
        title: (
            "tests a tick, log scale",
            glossary::means("streaming", "tests a tick"),
        )
            .into(),
        scale: Scale::Logarithmic(1.0),
        unit: "tests",
        tick: app.past.tick,
        is_past: app.place.tick < app.place.end,
        curves: &[both, unload, brute],
        names_at: None,
    };
    let read = Curve {
        name: glossary::of("streaming", "read"),
        series: &stream.figures.read,
        color: palette.sides[0],
        filled: true,
        scale: 1.0,
        stretches: &[],
    };
    let disk = Plot {
        title: glossary::of("streaming", "read from disk"),
        scale: Scale::Linear,
        unit: "MB/s",
        tick: app.past.tick,
        is_past: app.place.tick < app.place.end,
        curves: &[read],
        names_at: None,
    };
    plots_beside(ui, palette, [(left, &tests), (right, &disk)]);
}
