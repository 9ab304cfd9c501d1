//! Marks that more than one view draws over its field: the border, words on small chips, dashes and hatches.

use crate::app::camera::Camera;
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{label_place, mark_words, occupied, with_commas};
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Align, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2,
    pos2, vec2,
};
use skirmish::geometry::Aabb;
use skirmish::session::Place;
use skirmish::streaming::State;

/// The notch in the tail of an arrow, given by its tip and the two corners at its back: what is cut out of it.
pub fn notch([tip, left, right]: [Pos2; 3]) -> [Pos2; 3] {
    let tail = left + (right - left) * 0.5;
    [
        tail + (tip - tail) * 0.46,
        tail + (left - tail) * 0.62,
        tail + (right - tail) * 0.62,
    ]
}

/// Shorter than this, in points, no notch is seen.
pub const LEAST_NOTCHED: f32 = 6.5;

/// The border of the field in the world.
pub fn border(painter: &Painter, camera: Camera, field: Aabb, palette: &Palette) {
    let pixels_per_point = painter.ctx().pixels_per_point();
    painter.rect_stroke(
        framed(camera.rect_to_screen(field), pixels_per_point),
        CornerRadius::ZERO,
        Stroke::new(fine_line(pixels_per_point), faded(palette.strong_line, 0.9)),
        StrokeKind::Inside,
    );
}

/// Where nothing of the field is seen: what brings it back. It stands in the middle of what no drawer covers.
pub fn out_of_sight(painter: &Painter, camera: Camera, field: Aabb, free: Rect, palette: &Palette) {
    if camera.rect_to_screen(field).intersects(camera.screen) {
        return;
    }
    let words = "The field is out of sight: Home shows all of it.";
    let galley = painter.layout_no_wrap(words.to_owned(), text(size::LABEL), palette.text);
    let rect = Rect::from_center_size(free.center(), galley.size() + vec2(20.0, 12.0));
    painter.rect_filled(rect, CornerRadius::same(5), faded(palette.panel, 0.97));
    painter.galley(rect.center() - galley.size() / 2.0, galley, palette.text);
}

/// How wide a line is that is a point wide and covers whole pixels, in points.
pub fn fine_line(pixels_per_point: f32) -> f32 {
    pixels_per_point.round().max(1.0) / pixels_per_point
}

/// Where a pixel begins that is nearest, in points.
fn on_pixel(value: f32, pixels_per_point: f32) -> f32 {
    (value * pixels_per_point).round() / pixels_per_point
}

/// Inside of what the fine line around a field or a region lies, on whole pixels: on the lines of its outermost cells. Each cell has its left
/// and its upper line in it, so that the right and the lower one of the last lie where a next one would begin.
pub fn framed(field: Rect, pixels_per_point: f32) -> Rect {
    let line = fine_line(pixels_per_point);
    let on = |at: Pos2| {
        pos2(
            on_pixel(at.x, pixels_per_point),
            on_pixel(at.y, pixels_per_point),
        )
    };
    Rect::from_min_max(on(field.min), on(field.max) + Vec2::splat(line))
}

/// Where time stopped by itself.
pub fn stopped(painter: &Painter, camera: Camera, app: &App, palette: &Palette) {
    let stopped = app.stop_in_sight().and_then(|stopped| stopped.area);
    let Some(Place::Plane(area)) = stopped else {
        return;
    };
    let rect = camera.rect_to_screen(area);
    let stroke = Stroke::new(2.0, palette.warning);
    let wash = faded(palette.warning, 0.08);
    painter.rect(rect, CornerRadius::ZERO, wash, stroke, StrokeKind::Middle);
}

/// What stands in a field in which nobody is.
pub fn nobody_in(painter: &Painter, field: Rect, palette: &Palette) {
    const WORDS: &str = "No units. Click to place some, or open a scene.";
    let width = (field.width() - 24.0).max(40.0);
    let ink = palette.text_second;
    let mut job = LayoutJob::simple(WORDS.to_owned(), text(size::NAME), ink, width);
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let at = field.center() - vec2(0.0, galley.size().y / 2.0);
    painter.galley(at, galley, ink);
}

/// A name with its middle at `at`, on a ground that keeps lines from running through it.
pub fn name_at(
    painter: &Painter,
    at: Pos2,
    name: &str,
    font: FontId,
    color: Color32,
    ground: Color32,
) {
    let galley = painter.layout_no_wrap(name.to_owned(), font, color);
    let rect = Rect::from_center_size(at, galley.size());
    // What would stand half under a chip says nothing.
    let mut others = occupied(painter.ctx()).into_iter();
    if others.any(|other| other.intersects(rect)) {
        return;
    }
    mark_words(painter.ctx(), rect);
    painter.rect_filled(rect.expand2(vec2(3.0, -1.0)), CornerRadius::same(3), ground);
    painter.galley(rect.min, galley, color);
}

/// The box that the pointer draws around units in `field`, and how many are selected by it.
pub fn box_around(painter: &Painter, field: Rect, rect: Rect, count: usize, palette: &Palette) {
    painter.rect(
        rect,
        CornerRadius::ZERO,
        faded(palette.mark, 0.05),
        Stroke::new(1.0, palette.mark),
        StrokeKind::Inside,
    );
    let at = rect.left_top() + vec2(12.0, -11.0);
    let at = at.clamp(field.min + vec2(20.0, 12.0), field.max - vec2(20.0, 12.0));
    name_at(
        painter,
        at,
        &with_commas(count as u64),
        number(size::SECOND),
        palette.text,
        faded(palette.panel, 0.86),
    );
}

/// A few words on a small chip whose lower left corner is at `at`, inside the painter's clip and off all that lies there. It gives way
/// a little, above or below or to a side; where that is not enough it is not drawn.
pub fn label(painter: &Painter, palette: &Palette, at: Pos2, words: &str) {
    let size = label_size(painter, words);
    let ways = [(0.0, 0.0), (0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)];
    let places = ways.map(|(x, y)| at + (size + vec2(6.0, 6.0)) * vec2(x, y));
    label_at_one_of(painter, palette, places, words, &mut Vec::new());
}

/// How large the chip of a [`label`] is.
pub fn label_size(painter: &Painter, words: &str) -> Vec2 {
    let font = number(size::CAPTION);
    let galley = painter.layout_no_wrap(words.to_owned(), font, Color32::WHITE);
    galley.size() + vec2(8.0, 4.0)
}

/// How round the corners of a label are, in points.
pub const LABEL_ROUND: u8 = 3;

/// The same with its lower left corner at the first of these places that is free, or nowhere, and off those of `taken`, to which it is
/// added: for words that mean what they stand in. Gives where it is.
pub fn label_at_one_of(
    painter: &Painter,
    palette: &Palette,
    places: impl IntoIterator<Item = Pos2>,
    words: &str,
    taken: &mut Vec<Rect>,
) -> Option<Rect> {
    label_in(painter, palette, places, (words, palette.text), taken)
}

/// Between two labels beside each other, in points.
const BETWEEN_LABELS: f32 = 5.0;

/// The same in the colour of the line that it is about.
pub fn label_in(
    painter: &Painter,
    palette: &Palette,
    places: impl IntoIterator<Item = Pos2>,
    (words, ink): (&str, Color32),
    taken: &mut Vec<Rect>,
) -> Option<Rect> {
    let clip = painter.clip_rect().shrink(8.0);
    let is_near = |at: &Pos2| clip.expand(40.0).contains(*at);
    let size = label_size(painter, words);
    let is_free = |corner: &Pos2| {
        let rect = Rect::from_min_size(*corner, size);
        !taken.iter().any(|other| other.intersects(rect))
    };
    let places = places.into_iter().filter(is_near);
    let corners = places.map(|at| at - vec2(0.0, size.y));
    let corners = corners.filter(is_free);
    let rect = label_place(painter.ctx(), clip, size, corners)?;
    // Two beside each other that touch would be read as one.
    taken.push(rect.expand2(vec2(BETWEEN_LABELS, 0.0)));
    painter.rect_filled(
        rect,
        CornerRadius::same(LABEL_ROUND),
        faded(palette.panel, 0.95),
    );
    let galley = painter.layout_no_wrap(words.to_owned(), number(size::CAPTION), ink);
    painter.galley(rect.min + vec2(4.0, 2.0), galley, ink);
    Some(rect)
}

/// A rectangle in dashes, whose lengths are on the screen.
pub fn dashed_rect(painter: &Painter, rect: Rect, stroke: Stroke, dash: f32, gap: f32) {
    // What lies far outside would be cut into dashes that nobody sees.
    let clip = painter.clip_rect().expand(dash + gap);
    let shown = rect.intersect(clip);
    if !shown.is_positive() {
        return;
    }
    let visible = |on: bool, from: Pos2, to: Pos2| {
        if on {
            painter.extend(Shape::dashed_line(&[from, to], stroke, dash, gap));
        }
    };
    visible(
        rect.top() >= clip.top(),
        shown.left_top(),
        shown.right_top(),
    );
    visible(
        rect.bottom() <= clip.bottom(),
        shown.left_bottom(),
        shown.right_bottom(),
    );
    visible(
        rect.left() >= clip.left(),
        shown.left_top(),
        shown.left_bottom(),
    );
    visible(
        rect.right() <= clip.right(),
        shown.right_top(),
        shown.right_bottom(),
    );
}

/// A state as it looks on the field, small.
pub fn state_icon(painter: &Painter, palette: &Palette, rect: Rect, state: State) {
    let color = palette.states[state as usize];
    let stroke = Stroke::new(1.2, color);
    match state {
        State::Unloaded => {}
        State::Queued => {
            dashed_rect(painter, rect, stroke, 3.0, 2.0);
            painter.rect_filled(rect, CornerRadius::ZERO, faded(color, 0.14));
            return;
        }
        State::Loading => {
            painter.rect_filled(
                rect.with_min_y(rect.center().y + 1.0),
                CornerRadius::ZERO,
                color,
            );
        }
        State::Decoded => {
            let corners = vec![rect.left_bottom(), rect.right_top(), rect.right_bottom()];
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        State::Resident => {
            painter.rect_filled(rect, CornerRadius::ZERO, color);
        }
        State::Unloading => {
            for offset in [4.0, 8.0, 12.0, 16.0] {
                let from = pos2(
                    rect.left() + f32::min(offset, 11.0),
                    rect.top() + f32::max(offset - 11.0, 0.0),
                );
                let to = pos2(
                    rect.left() + f32::max(offset - 11.0, 0.0),
                    rect.top() + f32::min(offset, 11.0),
                );
                painter.line_segment([from, to], Stroke::new(1.0, color));
            }
        }
        State::Failed => {
            painter.line_segment([rect.left_top(), rect.right_bottom()], stroke);
            painter.line_segment([rect.right_top(), rect.left_bottom()], stroke);
        }
    }
    painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
}

/// Slanted lines across a rectangle.
pub fn hatch(painter: &Painter, rect: Rect, stroke: Stroke, spacing: f32) {
    let rect = rect.intersect(painter.clip_rect());
    if !rect.is_positive() {
        return;
    }
    let mut offset = spacing;
    while offset < rect.width() + rect.height() {
        let from = pos2(
            rect.left() + offset.min(rect.width()),
            rect.top() + (offset - rect.width()).max(0.0),
        );
        let to = pos2(
            rect.left() + (offset - rect.height()).max(0.0),
            rect.top() + offset.min(rect.height()),
        );
        painter.line_segment([from, to], stroke);
        offset += spacing;
    }
}

/// How wide the line is around what is so large, in points, where it is so `wide` otherwise: several around little would be all that is
/// seen of that.
pub fn line_around(size: f32, wide: f32) -> f32 {
    /// What is smaller is small, in points.
    const SMALL: f32 = 40.0;
    if size < SMALL { wide.min(1.0) } else { wide }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_of_a_field_lies_on_the_lines_of_its_outermost_cells() {
        // A line one point wide inside of it begins where the first cell has its left line, and where one beyond the last would have it.
        let field = Rect::from_min_max(pos2(30.0, 40.0), pos2(130.0, 90.0));
        let around = framed(field, 1.0);
        assert_eq!(around.min, field.min);
        assert_eq!(around.max - Vec2::splat(1.0), field.max);
    }
}
