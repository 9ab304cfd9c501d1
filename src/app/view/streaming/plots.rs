//! The streaming's plots: tests, and what is read from disk.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::widgets::{Curve, Scale, plot, with_commas};
use egui_macroquad::egui::{Rect, Ui};

/// Draws the two of them.
pub fn plots(ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
    let Some(stream) = &app.stream else { return };
    let both = Curve {
        name: "A + B",
        series: &stream.figures.tests,
        color: palette.accent,
        filled: true,
        scale: 1.0,
    };
    let unload = Curve {
        name: "B",
        series: &stream.figures.unload_tests,
        color: palette.second,
        filled: false,
        scale: 1.0,
    };
    let brute = Curve {
        name: "brute",
        series: &stream.figures.brute_force,
        color: palette.text_third,
        filled: false,
        scale: 1.0,
    };
    let now = with_commas(stream.figures.tests.last() as u64);
    plot(
        ui,
        palette,
        left,
        ("tests a tick, log scale", Scale::Logarithmic),
        &now,
        "tests",
        &[both, unload, brute],
    );
    let read = Curve {
        name: "read",
        series: &stream.figures.read,
        color: palette.sides[0],
        filled: true,
        scale: 1.0,
    };
    let now = format!("{:.2}", stream.figures.read.mean(60));
    plot(
        ui,
        palette,
        right,
        ("read from disk", Scale::Linear),
        &now,
        "MB/s",
        &[read],
    );
}
