//! The battle's plots: tests, and time.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::widgets::{Curve, Plot, Scale, plot};
use egui_macroquad::egui::{Rect, Ui};

/// Draws the two of them.
pub fn plots(ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
    let Some(past) = app.past.lanes.first() else {
        return;
    };
    let of = |title: &str, unit, curves: &[Curve<'_>], ui: &mut Ui, rect| {
        let it = Plot {
            title: title.into(),
            scale: Scale::Linear,
            unit,
            tick: app.past.tick,
            is_past: app.place.tick < app.place.end,
            curves,
            names_at: None,
        };
        plot(ui, palette, rect, &it);
    };
    let tested = Curve {
        name: "tested".into(),
        series: &past.tests,
        color: palette.accent,
        filled: true,
        scale: 1.0,
        stretches: &past.stretches,
    };
    let found = Curve {
        name: "found".into(),
        series: &past.pairs,
        color: palette.text_second,
        filled: false,
        scale: 1.0,
        stretches: &past.stretches,
    };
    of("tests a tick", "tests", &[tested, found], ui, left);
    if app.fixed {
        // No clock is shown where two runs are to give the same picture.
        let visited = Curve {
            name: "visited".into(),
            series: &past.visits,
            color: palette.accent,
            filled: true,
            scale: 1.0,
            stretches: &past.stretches,
        };
        of("regions visited a tick", "regions", &[visited], ui, right);
        return;
    }
    let milliseconds = 1.0e-3;
    let step = Curve {
        name: "step".into(),
        series: &past.step_us,
        color: palette.accent,
        filled: true,
        scale: milliseconds,
        stretches: &past.stretches,
    };
    let update = Curve {
        name: "update".into(),
        series: &past.update_us,
        color: palette.text_second,
        filled: false,
        scale: milliseconds,
        stretches: &past.stretches,
    };
    of("time a tick", "ms", &[step, update], ui, right);
}
