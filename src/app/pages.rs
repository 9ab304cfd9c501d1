//! What lies over the field for a while: the help page, the list of all commands, and the notice.

mod disk;
mod finder;
mod help;
mod hints;
mod picture;
mod settings;

use super::palette::Palette;
use super::state::App;
use super::theme::size;
use super::widgets::place;
use egui_macroquad::egui::{
    Align, Area, Context, CornerRadius, Frame, Id, Layout, Margin, Order, Rect, RichText, Sense,
    Stroke, pos2,
};
use std::time::Duration;

/// How long a notice stays that says of no failure.
const PASSING: Duration = Duration::from_secs(5);

/// Draws whichever pages are open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    notice(ctx, app, palette, field);
    disk::show(ctx, app, palette, field);
    hints::show(ctx, app, palette, field);
    help::show(ctx, app, palette);
    settings::show(ctx, app, palette);
    picture::show(ctx, app, palette);
    finder::show(ctx, app, palette);
}

/// The frame of whatever lies over the window.
pub fn page_frame(palette: &Palette) -> Frame {
    Frame::new()
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, palette.strong_line))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(20))
}

/// A raised card at the top of the field; what failed has an edge in the colour of failure.
fn notice(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    let Some(notice) = app.notice.clone() else {
        return;
    };
    if !notice.failed && !app.fixed && notice.said.elapsed() > PASSING {
        app.notice = None;
        return;
    }
    if !notice.failed && !app.fixed {
        ctx.request_repaint_after(PASSING.saturating_sub(notice.said.elapsed()));
    }
    let width = (field.width() - 40.0).clamp(220.0, 560.0);
    let mut close = false;
    Area::new(Id::new("notice"))
        .order(Order::Foreground)
        .sense(Sense::hover())
        .fixed_pos(pos2(field.center().x - width / 2.0, field.top() + 62.0))
        .show(ctx, |ui| {
            let shown = Frame::new()
                .fill(palette.raised)
                .stroke(Stroke::new(1.0, palette.strong_line))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin {
                    left: 16,
                    right: 10,
                    top: 10,
                    bottom: 10,
                })
                .show(ui, |ui| {
                    ui.set_width(width - 26.0);
                    ui.horizontal(|ui| {
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            let response = ui.button("Close");
                            place(ui.ctx(), "notice.close", response.rect);
                            close = response.clicked();
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                let words = RichText::new(&notice.text)
                                    .size(size::LABEL)
                                    .color(palette.text);
                                ui.add(egui_macroquad::egui::Label::new(words).wrap());
                            });
                        });
                    });
                });
            if notice.failed {
                let card = shown.response.rect;
                let edge = card.with_max_x(card.left() + 2.0);
                ui.painter()
                    .rect_filled(edge, CornerRadius::ZERO, palette.error);
            }
        });
    if close {
        app.notice = None;
    }
}
