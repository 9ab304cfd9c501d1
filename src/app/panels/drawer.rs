//! A panel for which there is no room beside the field: a drawer over it, with a handle at the field's edge.

use super::{SIDE, left_panel, right_panel};
use crate::app::commands::View;
use crate::app::layout::{LEFT, RIGHT, docked};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::layout;
use crate::app::view::Views;
use crate::app::widgets::{cover, place, tell_switch};
use egui_macroquad::egui::{
    Area, Context, CornerRadius, Id, LayerId, Order, Painter, Pos2, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, UiBuilder, pos2, vec2,
};

/// How large a handle is, in points: no wider than the margin of the chips, which stand beside it.
const HANDLE: (f32, f32) = (layout::CHIP, 64.0);

/// A drawer leaves so much of the field in sight, for its handle.
const LEFT_FREE: f32 = 28.0;

/// Two of them leave so much, or only one is open.
const BETWEEN: f32 = 160.0;

/// The handles of two sides are so far apart, or there is only that of the open one.
const HANDLES: f32 = 96.0;

/// Draws the handles of the panels that are drawers, and those drawers that are open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, views: &mut Views, field: Rect) {
    let docked = docked(ctx.screen_rect().width());
    for (drawer, is_docked) in app.drawers.iter_mut().zip(docked) {
        *drawer &= !is_docked;
    }
    let both: f32 = (0..2).map(|side| width(app, side)).sum();
    let is_room = field.width() >= both + BETWEEN;
    for side in (0..2).filter(|side| !docked[*side]) {
        // Who opens one closes the other where both would leave nothing of the field between them.
        app.drawers[side] &= is_room || side == 1 || !app.drawers[1];
        // Beside the edge of the other one its handle would be taken for that one's.
        let beside_other = field.width() - width(app, 1 - side) < HANDLES;
        if !app.drawers[side] && app.drawers[1 - side] && !docked[1 - side] && beside_other {
            continue;
        }
        if one(ctx, app, palette, views, (side, field)) {
            app.drawers[side] ^= true;
            app.drawers[1 - side] &= is_room || !app.drawers[side];
        }
    }
}

/// How wide a side's panel is.
fn width(app: &App, side: usize) -> f32 {
    let layout = &app.settings.layout;
    match side {
        0 => layout.left.unwrap_or(LEFT),
        _ => layout.right.unwrap_or(RIGHT),
    }
}

/// The drawer of a side: 0 is the left one. Whether its handle was clicked.
fn one(
    ctx: &Context,
    app: &mut App,
    palette: &Palette,
    views: &mut Views,
    (side, field): (usize, Rect),
) -> bool {
    let width = width(app, side).min(field.width() - LEFT_FREE).max(80.0);
    let is_open = app.drawers[side];
    let mut edge = if side == 0 {
        field.left()
    } else {
        field.right()
    };
    if is_open {
        let rect = if side == 0 {
            field.with_max_x(field.left() + width)
        } else {
            field.with_min_x(field.right() - width)
        };
        edge = if side == 0 { rect.right() } else { rect.left() };
        // What lies over the field keeps off it: half a chip at its edge cannot be read.
        app.drawn_out[side] = Some(edge);
        cover(ctx, rect);
        Area::new(Id::new(("drawer", side)))
            .order(Order::Middle)
            .fixed_pos(rect.min)
            .constrain(false)
            .sense(Sense::hover())
            .show(ctx, |ui| {
                ui.expand_to_include_rect(rect);
                ui.set_clip_rect(rect);
                let line = Stroke::new(1.0, palette.strong_line);
                let none = CornerRadius::ZERO;
                ui.painter()
                    .rect(rect, none, palette.panel, line, StrokeKind::Inside);
                // Nothing in it covers its border.
                ui.set_clip_rect(rect.shrink(1.0));
                let inner = UiBuilder::new().max_rect(rect - SIDE);
                let mut ui = ui.new_child(inner);
                match side {
                    0 => left_panel(&mut ui, app, palette, views),
                    _ => drop(right_panel(&mut ui, app, palette, views)),
                }
            });
        place(ctx, &format!("drawer.{side}.open"), rect);
    }
    handle(ctx, app.view, (side, is_open), edge, field)
}

/// The handle beside `edge`; whether it was clicked.
fn handle(
    ctx: &Context,
    view: View,
    (side, is_open): (usize, bool),
    edge: f32,
    field: Rect,
) -> bool {
    let (width, height) = HANDLE;
    let height = height.min(field.height() * 0.5);
    let left = if side == 0 { edge } else { edge - width };
    let corner = pos2(left, field.center().y - height / 2.0);
    let rect = Rect::from_min_size(corner, vec2(width, height));
    let name = if side == 0 {
        "drawer.left"
    } else {
        "drawer.right"
    };
    let layer = LayerId::background();
    let builder = UiBuilder::new().layer_id(layer).max_rect(field);
    let ui = Ui::new(ctx.clone(), Id::new(name), builder);
    let response = ui.interact(rect, Id::new((name, "handle")), Sense::click());
    place(ctx, name, rect);
    cover(ctx, rect);
    let title = if side == 0 {
        "Left panel"
    } else {
        "Right panel"
    };
    tell_switch(&response, title, is_open);
    let shown = Handle {
        rect,
        side,
        is_open,
        is_hot: response.hovered(),
        has_focus: response.has_focus(),
    };
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Handle>>(handles_id())
            .push(shown);
    });
    let what = match (side, view) {
        (0, View::Streaming) => "The panel with index, rectangles, disk and character.",
        (0, _) => "The panel with structure, knobs and orders.",
        (_, View::Streaming) => {
            "The panel with late loads, and why an object is, or is not, loaded."
        }
        _ => "The panel with figures, query and inspector.",
    };
    let clicked = response.clicked();
    response.on_hover_text(what);
    clicked
}

/// A handle as it is drawn.
#[derive(Clone, Copy)]
struct Handle {
    rect: Rect,
    side: usize,
    is_open: bool,
    is_hot: bool,
    has_focus: bool,
}

fn handles_id() -> Id {
    Id::new("handles of drawers")
}

/// Draws the handles of the drawers, after all that is drawn over the field: a character that walks below one is not on it.
pub fn draw_handles(ctx: &Context, palette: &Palette) {
    let handles = ctx.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(handles_id())));
    let painter = ctx.layer_painter(LayerId::background());
    let handles: Vec<Handle> = handles;
    for handle in handles {
        handle.draw(&painter, palette);
    }
}

impl Handle {
    fn draw(self, painter: &Painter, palette: &Palette) {
        let (fill, ink) = if self.is_hot {
            (palette.hover, palette.text)
        } else {
            (palette.panel, palette.text_second)
        };
        let corners = if self.side == 0 {
            CornerRadius {
                ne: 5,
                se: 5,
                nw: 0,
                sw: 0,
            }
        } else {
            CornerRadius {
                nw: 5,
                sw: 5,
                ne: 0,
                se: 0,
            }
        };
        let edge = match self.has_focus {
            true => palette.accent,
            false => palette.strong_line,
        };
        let line = Stroke::new(1.0, edge);
        painter.rect(self.rect, corners, fill, line, StrokeKind::Inside);
        let opens_right = (self.side == 0) != self.is_open;
        let stroke = Stroke::new(1.5, ink);
        chevron(painter, self.rect.center(), opens_right, stroke);
    }
}

fn chevron(painter: &Painter, middle: Pos2, to_right: bool, stroke: Stroke) {
    let way = if to_right { 1.0 } else { -1.0 };
    let tip = middle + vec2(2.5 * way, 0.0);
    let ends = [
        tip + vec2(-5.0 * way, -6.0),
        tip,
        tip + vec2(-5.0 * way, 6.0),
    ];
    painter.add(Shape::line(ends.to_vec(), stroke));
}
