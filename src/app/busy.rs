//! What is under way for long: what it is, since when, and the way to end it.

use super::palette::{Palette, faded};
use super::state::App;
use super::theme::{number, size, text};
use super::widgets::{cover, place};
use egui_macroquad::egui::{
    Area, Button, Context, CornerRadius, Frame, Id, Margin, Order, Rect, RichText, Stroke, pos2,
};

/// How wide the chip is, in points.
const WIDTH: f32 = 420.0;

/// Shows it over the field, while there is such a thing.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    let Some(busy) = app.busy.clone() else {
        return;
    };
    let width = WIDTH.min(field.width() - 28.0);
    let corner = pos2(field.center().x - width / 2.0, field.top() + 118.0);
    let shown = Area::new(Id::new("busy"))
        .order(Order::Foreground)
        .fixed_pos(corner)
        .show(ctx, |ui| {
            Frame::NONE
                .fill(faded(palette.panel, 0.94))
                .stroke(Stroke::new(1.0, palette.strong_line))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin::symmetric(14, 10))
                .show(ui, |ui| {
                    ui.set_width(width - 28.0);
                    ui.horizontal(|ui| {
                        ui.label(
                            RichText::new(&busy.what)
                                .font(text(size::LABEL))
                                .color(palette.text),
                        );
                        ui.with_layout(
                            egui_macroquad::egui::Layout::right_to_left(
                                egui_macroquad::egui::Align::Center,
                            ),
                            |ui| {
                                let cancel = ui.add(Button::new("Cancel  Esc"));
                                place(ui.ctx(), "busy.cancel", cancel.rect);
                                if cancel.clicked() {
                                    app.worker.cancel();
                                }
                                let seconds = busy.since.elapsed().as_secs_f32();
                                ui.label(
                                    RichText::new(format!("{seconds:.1} s"))
                                        .font(number(size::LABEL))
                                        .color(palette.warning),
                                );
                            },
                        );
                    });
                });
        });
    cover(ctx, shown.response.rect);
}
