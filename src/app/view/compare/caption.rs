//! What the scene is about, on a chip in the first pane: this view has no panel that could say it.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{layout, size, text};
use crate::app::view::chips::chip;
use crate::app::widgets::{cover, focus_ring, place};
use egui_macroquad::egui::{CornerRadius, Rect, Sense, Stroke, Ui, pos2, vec2};

/// Which caption was closed: that of another scene is shown again.
#[derive(Debug, Default)]
pub struct Caption {
    closed: Option<String>,
}

/// The width of the chip, in points.
const WIDTH: f32 = 336.0;

impl Caption {
    /// Where it lies in the first pane; `None` where there is nothing to say, or no room for it.
    pub fn rect(&self, ui: &Ui, app: &App, palette: &Palette, pane: Rect) -> Option<Rect> {
        let scene = &app.scene;
        if scene.caption.is_empty() || self.closed.as_ref() == Some(&scene.name) {
            return None;
        }
        let width = WIDTH.min(pane.width() - 2.0 * layout::CHIP);
        let words = ui.painter().layout(
            scene.caption.clone(),
            text(size::SECOND),
            palette.text_second,
            width - 24.0,
        );
        let height = words.size().y + 40.0;
        // It must leave most of the picture.
        let fits = height < pane.height() * 0.55 && width >= 200.0;
        let corner = pos2(
            pane.left() + layout::CHIP,
            pane.bottom() - layout::CHIP - height,
        );
        fits.then(|| Rect::from_min_size(corner, vec2(width, height)))
    }

    /// Draws it; its cross closes it.
    pub fn show(&mut self, ui: &mut Ui, app: &App, palette: &Palette, pane: Rect) {
        let Some(rect) = self.rect(ui, app, palette, pane) else {
            return;
        };
        chip(ui.painter(), palette, rect);
        cover(ui.ctx(), rect);
        place(ui.ctx(), "compare.caption", rect);
        let scene = &app.scene;
        let name = ui
            .painter()
            .layout_no_wrap(scene.name.clone(), text(size::NAME), palette.text);
        let at = rect.min + vec2(12.0, 8.0);
        ui.painter().galley(at, name, palette.text);
        let words = ui.painter().layout(
            scene.caption.clone(),
            text(size::SECOND),
            palette.text_second,
            rect.width() - 24.0,
        );
        let at = rect.min + vec2(12.0, 29.0);
        ui.painter().galley(at, words, palette.text_second);
        let button = Rect::from_center_size(rect.right_top() + vec2(-17.0, 16.0), vec2(20.0, 20.0));
        let response = ui.interact(button, ui.id().with("compare.caption"), Sense::click());
        place(ui.ctx(), "compare.caption.close", button);
        let color = if response.hovered() {
            ui.painter()
                .rect_filled(button, CornerRadius::same(4), palette.hover);
            palette.text
        } else {
            palette.text_third
        };
        focus_ring(ui, palette, &response, button);
        for way in [vec2(3.5, 3.5), vec2(3.5, -3.5)] {
            let line = [button.center() - way, button.center() + way];
            ui.painter().line_segment(line, Stroke::new(1.3, color));
        }
        if response.clicked() {
            self.closed = Some(scene.name.clone());
        }
        response.on_hover_text("Close the caption.");
    }
}
