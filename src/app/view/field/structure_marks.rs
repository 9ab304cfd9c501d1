//! What a structure marks on the field beside its regions: guides, the cells of a search, and their words.

use super::look::Look;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::view::marks::{dashed_rect, label_at_one_of, label_size};
use egui_macroquad::egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2,
};
use skirmish::observe::{MarkView, Outline};
use skirmish::partition::MarkRole;

/// Draws them.
pub fn marks(painter: &Painter, look: &Look<'_>, palette: &Palette) {
    if !look.layers.shows(Layer::Nodes) {
        return;
    }
    for mark in &look.lane.frame.marks {
        let (stroke, fill) = match mark.role {
            MarkRole::Guide => (
                Stroke::new(1.0, faded(palette.text_third, 0.9)),
                Color32::TRANSPARENT,
            ),
            MarkRole::Home => (
                Stroke::new(2.0, palette.accent),
                faded(palette.accent, 0.16),
            ),
            MarkRole::Scanned => (
                Stroke::new(1.2, faded(palette.accent, 0.9)),
                faded(palette.accent, 0.09),
            ),
            MarkRole::Skipped => (
                Stroke::new(1.0, faded(palette.text_third, 0.8)),
                Color32::TRANSPARENT,
            ),
            MarkRole::Special => (Stroke::new(1.5, palette.warning), Color32::TRANSPARENT),
        };
        draw_mark(painter, look, mark, stroke, fill);
    }
}

/// The words of those that have room for theirs, off the tag of the query, over all lines: a ring around the cursor would strike out
/// what is said beside it.
pub fn mark_words(painter: &Painter, look: &Look<'_>, palette: &Palette, tag: Option<Rect>) {
    if !look.layers.shows(Layer::Nodes) {
        return;
    }
    // Words never cover words: whoever comes first stands.
    let mut taken: Vec<Rect> = look.taken.to_vec();
    taken.extend(tag);
    for mark in &look.lane.frame.marks {
        if !mark.label.is_empty() && has_room(painter, look, mark) {
            let places = mark_places(painter, look, mark);
            label_at_one_of(painter, palette, &places, &mark.label, &mut taken);
        }
    }
}

fn draw_mark(painter: &Painter, look: &Look<'_>, mark: &MarkView, stroke: Stroke, fill: Color32) {
    let camera = look.camera;
    match mark.outline {
        Outline::Rect(area) => {
            let rect = camera.rect_to_screen(area);
            painter.rect_filled(rect, CornerRadius::ZERO, fill);
            if mark.role == MarkRole::Skipped || mark.role == MarkRole::Guide {
                dashed_rect(painter, rect, stroke, 4.0, 4.0);
            } else {
                painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
            }
        }
        Outline::Line(from, to) => {
            painter.line_segment([camera.to_screen(from), camera.to_screen(to)], stroke);
        }
        Outline::Convex { start, count } => {
            let corners = look.lane.frame.mark_corners.polygon(start, count);
            let corners: Vec<_> = corners
                .iter()
                .map(|corner| camera.to_screen(*corner))
                .collect();
            painter.add(Shape::convex_polygon(corners, fill, stroke));
        }
    }
}

/// Whether the words of a mark fit into its box: where they do not, they would cover their neighbours.
fn has_room(painter: &Painter, look: &Look<'_>, mark: &MarkView) -> bool {
    match mark.outline {
        Outline::Rect(area) => {
            let room = label_size(painter, &mark.label).x + 2.0;
            look.camera.rect_to_screen(area).width() >= room
        }
        Outline::Line(..) | Outline::Convex { .. } => true,
    }
}

/// Where the words of a mark may stand, the best place first: in the corners of its box where there is room, and there not on a unit
/// where there are few.
fn mark_places(painter: &Painter, look: &Look<'_>, mark: &MarkView) -> Vec<Pos2> {
    match mark.outline {
        Outline::Rect(area) => {
            // Inside, where there is room: what stands above a cell is read as said of the one above.
            const LINE: f32 = 18.0;
            // Each of more is not looked at for each mark.
            const FEW: usize = 256;
            let rect = look.camera.rect_to_screen(area);
            if rect.height() <= LINE + 4.0 {
                return vec![rect.left_top()];
            }
            let room = label_size(painter, &mark.label);
            let (upper, lower) = (rect.top() + LINE + 1.0, rect.bottom() - 2.0);
            let (left, right) = (rect.left() + 2.0, rect.right() - room.x - 2.0);
            let mut corners = vec![
                pos2(left, upper),
                pos2(left, lower),
                pos2(right, upper),
                pos2(right, lower),
            ];
            let bodies = look.battle.bodies();
            if bodies.slot_count() <= FEW {
                corners.sort_by_cached_key(|at| {
                    let words = Rect::from_min_size(*at - vec2(0.0, room.y), room).expand(6.0);
                    let mut all = bodies.ids();
                    all.any(|unit| words.contains(look.camera.to_screen(bodies.center(unit))))
                });
            }
            corners
        }
        Outline::Line(from, to) => {
            let from = look.camera.to_screen(from);
            vec![from.lerp(look.camera.to_screen(to), 0.5)]
        }
        Outline::Convex { start, count } => {
            let corners = look.lane.frame.mark_corners.polygon(start, count);
            let first = corners.first();
            vec![first.map_or(Pos2::ZERO, |corner| look.camera.to_screen(*corner))]
        }
    }
}
