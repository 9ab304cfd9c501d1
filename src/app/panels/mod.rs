//! The panels around the field. They read the state, draw it, and call its methods; the state does not know them.

pub mod bottom;
pub mod left;
pub mod menu;
pub mod pages;
pub mod right;
pub mod status;
pub mod widgets;

use super::palette::Palette;
use super::state::App;
use super::theme::layout;
use egui_macroquad::egui::{
    Context, Frame, Margin, Rect, ScrollArea, SidePanel, Stroke, TopBottomPanel, Ui, UiBuilder,
};

/// The frame of a panel: its colour, and a line towards the field.
fn frame(palette: &Palette, margin: Margin) -> Frame {
    Frame::new().fill(palette.panel).inner_margin(margin)
}

/// Lays out all panels and returns what they leave to the field.
pub fn show(
    ctx: &Context,
    app: &mut App,
    palette: &Palette,
    culling: &super::render::units::Culling,
) -> Rect {
    TopBottomPanel::top("menu")
        .exact_height(layout::MENU)
        .frame(frame(palette, Margin::symmetric(8, 0)))
        .show_separator_line(false)
        .show(ctx, |ui| menu::show(ui, app, palette));
    if app.panels {
        TopBottomPanel::bottom("status")
            .exact_height(layout::STATUS)
            .frame(frame(palette, Margin::symmetric(12, 0)))
            .show_separator_line(false)
            .show(ctx, |ui| status::show(ui, app, palette));
        let padding = Margin {
            left: layout::PADDING as i8,
            right: layout::PADDING as i8,
            top: 8,
            bottom: 0,
        };
        SidePanel::left("left")
            .exact_width(layout::LEFT)
            .resizable(false)
            .frame(frame(palette, padding))
            .show_separator_line(false)
            .show(ctx, |ui| {
                let pinned = left::pinned_height(app.view);
                parted(ui, pinned, ["left scroll", "brush scroll"], |ui, upper| {
                    if upper {
                        left::show(ui, app, palette);
                    } else {
                        left::show_pinned(ui, app, palette);
                    }
                });
            });
        let screen = ctx.screen_rect();
        let (narrow, low) = (
            screen.width() < layout::NARROW,
            screen.height() < layout::LOW,
        );
        if !narrow {
            SidePanel::right("right")
                .exact_width(layout::RIGHT)
                .resizable(false)
                .frame(frame(palette, padding))
                .show_separator_line(false)
                .show(ctx, |ui| {
                    // What is under the cursor stays in sight, however long the figures above it are.
                    let pinned = right::pinned_height(app, ui.available_height());
                    parted(
                        ui,
                        pinned,
                        ["right scroll", "pinned scroll"],
                        |ui, upper| {
                            if upper {
                                right::show(ui, app, palette, culling);
                            } else {
                                right::show_pinned(ui, app, palette);
                            }
                        },
                    );
                });
        }
        TopBottomPanel::bottom("plots")
            .exact_height(if low {
                layout::TRANSPORT
            } else {
                layout::BOTTOM
            })
            .frame(frame(palette, Margin::symmetric(layout::PADDING as i8, 8)))
            .show_separator_line(false)
            .show(ctx, |ui| bottom::show(ui, app, palette, !low));
    }
    let field = ctx.available_rect();
    // One line all around says where the field ends and the panels begin.
    ctx.layer_painter(egui_macroquad::egui::LayerId::background())
        .rect_stroke(
            field,
            0,
            Stroke::new(1.0, palette.strong_line),
            egui_macroquad::egui::StrokeKind::Inside,
        );
    field
}

/// A panel in two parts that scroll apart: `pinned` points at the bottom, and the rest. `add` is told which it fills.
fn parted(ui: &mut Ui, pinned: f32, ids: [&str; 2], mut add: impl FnMut(&mut Ui, bool)) {
    let whole = ui.max_rect();
    let (upper, lower) =
        whole.split_top_bottom_at_y(whole.bottom() - pinned.min(whole.height() * 0.6));
    for (rect, id, is_upper) in [(upper, ids[0], true), (lower, ids[1], false)] {
        if rect.height() > 0.0 {
            ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
                scrolled(ui, id, |ui| add(ui, is_upper));
            });
        }
    }
}

fn scrolled(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical()
        .id_salt(id)
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
            ui.add_space(12.0);
        });
}
