//! The edge of a panel: dragged it gives the panel another size, clicked twice the one that it had.

use super::button::focus_ring;
use super::focus::tell_way;
use super::places::{cover, place};
use super::slider::asked_way;
use crate::app::layout::Edge;
use crate::app::palette::Palette;
use egui_macroquad::egui::{CursorIcon, Id, Rect, Sense, Stroke, Ui, vec2};

/// How far to both sides of an edge it can be taken, in points.
const GRAB: f32 = 4.0;

/// What somebody did with an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pulled {
    /// It was dragged to this place: across for an upright one, else down.
    To(f32),
    /// What it bounds is to be larger, or smaller, by so many steps.
    By(f32),
    /// It is to go back to where it was at first.
    Back,
}

/// Has `line`, which is the edge and nothing beside it, taken by the pointer.
/// What it bounds has this size now.
pub fn edge(ui: &Ui, palette: &Palette, edge: Edge, (line, size): (Rect, f32)) -> Option<Pulled> {
    let by = if edge.is_upright() {
        vec2(GRAB, 0.0)
    } else {
        vec2(0.0, GRAB)
    };
    let area = line.expand2(by);
    let id = Id::new(("edge", edge.name()));
    let response = ui.interact(area, id, Sense::click_and_drag());
    place(ui.ctx(), &format!("edge.{}", edge.name()), area);
    // A press on it is no press on the field beside it.
    cover(ui.ctx(), area);
    tell_way(&response, edge.title(), f64::from(size));
    let way = asked_way(ui, &response) as f32;
    focus_ring(ui, palette, &response, area);
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(if edge.is_upright() {
            CursorIcon::ResizeHorizontal
        } else {
            CursorIcon::ResizeVertical
        });
        let ink = if response.dragged() {
            palette.accent
        } else {
            palette.text_third
        };
        let stroke = Stroke::new(2.0, ink);
        if edge.is_upright() {
            ui.painter().vline(line.center().x, line.y_range(), stroke);
        } else {
            ui.painter().hline(line.x_range(), line.center().y, stroke);
        }
    }
    if response.double_clicked() {
        return Some(Pulled::Back);
    }
    if way != 0.0 {
        return Some(Pulled::By(way));
    }
    let at = response.interact_pointer_pos()?;
    response
        .dragged()
        .then_some(Pulled::To(if edge.is_upright() { at.x } else { at.y }))
}
