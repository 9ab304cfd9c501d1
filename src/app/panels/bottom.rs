//! The bottom panel: the last ten seconds, as the view plots them.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::View;
use egui_macroquad::egui::{Stroke, Ui};

/// Draws the panel.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette, view: &dyn View) {
    let whole = ui.max_rect();
    ui.painter().hline(
        whole.expand(14.0).x_range(),
        whole.top() - 8.0,
        Stroke::new(1.0, palette.line),
    );
    let middle = whole.center().x;
    let (left, right) = (
        whole.with_max_x(middle - 10.0),
        whole.with_min_x(middle + 10.0),
    );
    view.plots(ui, app, palette, left, right);
}
