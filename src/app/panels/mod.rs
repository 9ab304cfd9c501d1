//! The panels around the field, which are the same in every view and leave most of their room to it. They read the state, draw
//! it, and call its methods; the state does not know them.

mod bottom;
mod menu;
mod recent;
mod scene;
mod status;
mod timeline;

use super::palette::Palette;
use super::state::App;
use super::theme::layout;
use super::view::Views;
use super::widgets::take_note;
use egui_macroquad::egui::{
    Context, Frame, Id, Margin, Rect, ScrollArea, SidePanel, Stroke, TopBottomPanel, Ui, UiBuilder,
};

/// The frame of a panel, whose ground lies there already when it is [painted](crate::app::render::Renderer::begin).
fn frame(margin: Margin) -> Frame {
    Frame::new().inner_margin(margin)
}

/// Lays out all panels and returns what they leave to the field.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, views: &mut Views) -> Rect {
    // Whoever is open says so anew.
    app.menu_open = false;
    TopBottomPanel::top("menu")
        .exact_height(layout::MENU)
        .frame(frame(Margin::symmetric(8, 0)))
        .show_separator_line(false)
        .show(ctx, |ui| menu::show(ui, app, palette));
    if app.panels {
        TopBottomPanel::bottom("status")
            .exact_height(layout::STATUS)
            .frame(frame(Margin::symmetric(12, 0)))
            .show_separator_line(false)
            .show(ctx, |ui| status::show(ui, app, palette, views.of(app.view)));
        let screen = ctx.screen_rect();
        let (narrow, low) = (
            screen.width() < layout::NARROW,
            screen.height() < layout::LOW,
        );
        TopBottomPanel::bottom("timeline")
            .exact_height(if low {
                layout::TRANSPORT
            } else {
                layout::TIMELINE
            })
            .frame(frame(Margin::symmetric(layout::PADDING as i8, 0)))
            .show_separator_line(false)
            .show(ctx, |ui| timeline::show(ui, app, palette));
        let padding = Margin {
            left: layout::PADDING as i8,
            right: 4,
            top: 8,
            bottom: 0,
        };
        let sides = views.of(app.view).has_side_panels();
        let left = SidePanel::left("left")
            .exact_width(layout::LEFT)
            .resizable(false)
            .frame(frame(padding))
            .show_separator_line(false);
        if sides {
            left.show(ctx, |ui| {
                // In a low window the brush scrolls, so that the armies above it stay in sight.
                const LOW: f32 = 720.0;
                let is_low = ui.max_rect().height() < LOW;
                let most = if is_low { 130.0 } else { f32::INFINITY };
                let pinned = views.of(app.view).left_pinned_height(app).min(most);
                parted(ui, pinned, ["left scroll", "brush scroll"], |ui, upper| {
                    if upper {
                        scene::show(ui, app, palette);
                        views.of(app.view).left(ui, app, palette);
                    } else {
                        views.of(app.view).left_pinned(ui, app, palette);
                    }
                });
            });
        }
        if !narrow && sides {
            SidePanel::right("right")
                .exact_width(layout::RIGHT)
                .resizable(false)
                .frame(frame(padding))
                .show_separator_line(false)
                .show(ctx, |ui| {
                    // What is under the cursor stays in sight, however long the figures above it are.
                    let view = views.of(app.view);
                    let pinned = view.right_pinned_height(app, ui.available_height());
                    parted(
                        ui,
                        pinned,
                        ["right scroll", "pinned scroll"],
                        |ui, upper| {
                            if upper {
                                view.right(ui, app, palette);
                            } else {
                                view.right_pinned(ui, app, palette);
                            }
                        },
                    );
                });
        }
        let strip = views.of(app.view).strip_height(app, screen.size());
        if let Some(height) = strip {
            TopBottomPanel::bottom("strip")
                .exact_height(height)
                .frame(frame(Margin::symmetric(layout::PADDING as i8, 0)))
                .show_separator_line(false)
                .show(ctx, |ui| views.of(app.view).strip(ui, app, palette));
        } else if !low && sides {
            TopBottomPanel::bottom("plots")
                .exact_height(layout::BOTTOM)
                .frame(frame(Margin::symmetric(layout::PADDING as i8, 8)))
                .show_separator_line(false)
                .show(ctx, |ui| {
                    bottom::show(ui, app, palette, &*views.of(app.view));
                });
        }
    }
    if let Some(sentence) = take_note(ctx) {
        app.say(sentence);
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

/// A panel in two parts that scroll apart: at the bottom as much as it needs, at most `pinned` points, and the rest above.
/// `add` is told whether it fills the upper part.
fn parted(ui: &mut Ui, pinned: f32, ids: [&str; 2], mut add: impl FnMut(&mut Ui, bool)) {
    let whole = ui.max_rect();
    // What it needed in the last frame; a frame too late is not seen.
    let needed_id = Id::new((ids[1], "needed"));
    let needed = ui.data(|data| data.get_temp(needed_id)).unwrap_or(pinned);
    let lower_height = needed.min(pinned).min(whole.height() * 0.6);
    let (upper, lower) = whole.split_top_bottom_at_y(whole.bottom() - lower_height);
    for (rect, id, is_upper) in [(upper, ids[0], true), (lower, ids[1], false)] {
        if rect.height() > 0.0 {
            let content = ui
                .scope_builder(UiBuilder::new().max_rect(rect), |ui| {
                    scrolled(ui, id, |ui| add(ui, is_upper))
                })
                .inner;
            if !is_upper {
                ui.data_mut(|data| data.insert_temp(needed_id, content));
            }
        }
    }
}

/// A part that scrolls, with a gutter for its bar, and the height of its content.
fn scrolled(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) -> f32 {
    /// The bar floats over this much at the right, and not over the numbers.
    const GUTTER: f32 = 10.0;
    // What can be dragged would be a stop on the way of Tab that nobody sees.
    ScrollArea::vertical()
        .drag_to_scroll(false)
        .id_salt(id)
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.set_max_width(ui.available_width() - GUTTER);
            add(ui);
            ui.add_space(12.0);
        })
        .content_size
        .y
}
