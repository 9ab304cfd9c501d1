//! The battle's plots: tests, and time.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::widgets::{Curve, Scale, plot, with_commas};
use egui_macroquad::egui::{Rect, Ui};

/// Draws the two of them.
pub fn plots(ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
    let history = &app.history;
    let now = with_commas(app.lane().shown_cost.query.tests);
    let tested = Curve {
        name: "tested",
        series: &history.tests,
        color: palette.accent,
        filled: true,
        scale: 1.0,
    };
    let found = Curve {
        name: "found",
        series: &history.pairs,
        color: palette.text_second,
        filled: false,
        scale: 1.0,
    };
    plot(
        ui,
        palette,
        left,
        ("tests a tick", Scale::Linear),
        &now,
        "tests",
        &[tested, found],
    );
    if app.fixed {
        // No clock is shown where two runs are to give the same picture.
        let visited = Curve {
            name: "visited",
            series: &history.visits,
            color: palette.accent,
            filled: true,
            scale: 1.0,
        };
        let now = with_commas(app.lane().shown_cost.query.visits);
        plot(
            ui,
            palette,
            right,
            ("regions visited a tick", Scale::Linear),
            &now,
            "regions",
            &[visited],
        );
        return;
    }
    let milliseconds = 1.0e-3;
    let step = Curve {
        name: "step",
        series: &history.step_us,
        color: palette.accent,
        filled: true,
        scale: milliseconds,
    };
    let update = Curve {
        name: "update",
        series: &history.update_us,
        color: palette.text_second,
        filled: false,
        scale: milliseconds,
    };
    let now = format!("{:.2}", history.step_us.percentile(0.5, 12) * milliseconds);
    plot(
        ui,
        palette,
        right,
        ("time a tick", Scale::Linear),
        &now,
        "ms",
        &[step, update],
    );
}
