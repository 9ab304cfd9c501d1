//! The battle's plots: tests, and time.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::widgets::{Curve, Plot, Scale, plots_beside};
use egui_macroquad::egui::{Rect, Ui};

/// Draws the two of them.
pub fn plots(ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
    let Some(past) = app.past.lanes.first() else {
        return;
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
    let curves = [tested, found];
    let tests = of(app, ("tests a tick", "tests"), &curves);
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
        let curves = [visited];
        let visits = of(app, ("regions visited a tick", "regions"), &curves);
        return plots_beside(ui, palette, [(left, &tests), (right, &visits)]);
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
    let curves = [step, update];
    let times = of(app, ("time a tick", "ms"), &curves);
    plots_beside(ui, palette, [(left, &tests), (right, &times)]);
}

fn of<'a>(app: &App, (title, unit): (&'a str, &'a str), curves: &'a [Curve<'a>]) -> Plot<'a> {
    Plot {
        title: title.into(),
        scale: Scale::Linear,
        unit,
        tick: app.past.tick,
        is_past: app.place.tick < app.place.end,
        curves,
        names_at: None,
    }
}
