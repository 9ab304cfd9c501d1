//! How a lane is told from the others: by a shape and a colour of its own, the same in every place.

use crate::app::palette::Palette;
use egui_macroquad::egui::{Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};

/// The colour of a lane. Two have one that strikes the eye; the others are told by their shape.
pub fn color(palette: &Palette, place: usize) -> Color32 {
    match place {
        0 => palette.accent,
        1 => palette.second,
        2 => palette.text,
        _ => palette.text_third,
    }
}

/// The mark of a lane: a disc, a diamond, a triangle, a square; `radius` is that of the disc.
pub fn mark(painter: &Painter, palette: &Palette, place: usize, at: Pos2, radius: f32) {
    let color = color(palette, place);
    let polygon = |corners: &[Vec2]| {
        let corners = corners.iter().map(|way| at + *way * radius).collect();
        Shape::convex_polygon(corners, color, Stroke::NONE)
    };
    match place {
        0 => painter.circle_filled(at, radius, color),
        1 => {
            let corner = 1.25;
            painter.add(polygon(&[
                vec2(0.0, -corner),
                vec2(corner, 0.0),
                vec2(0.0, corner),
                vec2(-corner, 0.0),
            ]))
        }
        2 => painter.add(polygon(&[
            vec2(0.0, -1.15),
            vec2(1.15, 0.85),
            vec2(-1.15, 0.85),
        ])),
        _ => painter.rect_filled(
            Rect::from_center_size(at, Vec2::splat(1.8 * radius)),
            CornerRadius::ZERO,
            color,
        ),
    };
}
