//! The path that is being drawn: its line, its points, and where the next one would come.

use crate::app::drawing::{Under, on_line, under};
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::view::marks::label;
use egui_macroquad::egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2,
};

/// How large a point is, in points of the window; the one that was pressed last, and the one under the pointer, are a little larger.
const POINT: f32 = 7.0;
const LARGE: f32 = 10.0;
/// A line so long has an arrow in its middle.
const WITH_ARROW: f32 = 46.0;
/// Nobody draws more points than this by hand; of a path that has more the line alone is seen between those in sight.
const MOST: usize = 4_000;

/// Draws it, where a path is being drawn.
pub fn show(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let Some(drawing) = &stream.drawing else {
        return;
    };
    let points = drawing.shown(stream.drawn_points());
    let camera = app.camera;
    let places: Vec<Pos2> = points.iter().map(|it| camera.to_screen(*it)).collect();
    let (ink, ground) = (palette.accent, faded(palette.field, 0.7));
    for line in lines_in_sight(&places, painter.clip_rect()) {
        painter.add(Shape::line(line.clone(), Stroke::new(4.5, ground)));
        painter.add(Shape::line(line, Stroke::new(1.8, ink)));
    }
    // The way back from the last point to the first is gone as well, and is nobody's line.
    if let [first, .., last] = places[..] {
        let back = Shape::dashed_line(&[last, first], Stroke::new(1.4, ink), 6.0, 5.0);
        painter.extend(back);
    }
    let pointer = app.cursor.map(|at| camera.to_screen(at));
    let below = pointer.filter(|_| !drawing.holds());
    let below = below.map(|at| (at, under(camera, &points, at)));
    if let Some((at, what)) = below {
        hint(painter, &places, at, what, (ink, ground));
    }
    let in_sight = painter.clip_rect().expand(LARGE);
    let seen = places
        .iter()
        .enumerate()
        .filter(|it| in_sight.contains(*it.1));
    for (place, at) in seen.take(MOST) {
        let next = places.get(place + 1).or(places.first());
        if let Some(next) = next.filter(|_| places.len() > 1) {
            arrow(painter, *at, *next, ink);
        }
        let is_large = drawing.chosen == Some(place)
            || matches!(below, Some((_, Under::Point(it))) if it == place);
        let size = if is_large { LARGE } else { POINT };
        // Where the path begins the point is full.
        let fill = if place == 0 { ink } else { palette.panel };
        painter.rect(
            Rect::from_center_size(*at, Vec2::splat(size)),
            CornerRadius::same(2),
            fill,
            Stroke::new(1.6, ink),
            StrokeKind::Middle,
        );
    }
    if let Some(first) = places.first() {
        let words = match places.len() {
            1 => format!("{}: it begins here", drawing.name),
            _ => drawing.name.clone(),
        };
        label(painter, palette, *first + vec2(8.0, -8.0), &words);
    }
}

/// The lines from point to point of which anything may be in sight: a path may have a hundred thousand points.
fn lines_in_sight(places: &[Pos2], clip: Rect) -> Vec<Vec<Pos2>> {
    let clip = clip.expand(LARGE);
    let mut lines: Vec<Vec<Pos2>> = Vec::new();
    let mut goes_on = false;
    for two in places.windows(2) {
        let is_seen = Rect::from_two_pos(two[0], two[1]).intersects(clip);
        match lines.last_mut().filter(|_| goes_on) {
            Some(line) if is_seen => line.push(two[1]),
            _ if is_seen => lines.push(two.to_vec()),
            _ => {}
        }
        goes_on = is_seen;
    }
    lines
}

/// Where a click would put a point.
fn hint(
    painter: &Painter,
    places: &[Pos2],
    at: Pos2,
    what: Under,
    (ink, ground): (Color32, Color32),
) {
    let stroke = Stroke::new(1.2, faded(ink, 0.6));
    let to = match what {
        Under::Point(_) => return,
        Under::Line(place) => {
            let count = places.len();
            on_line([places[place - 1], places[place % count]], at)
        }
        Under::Nothing => {
            if let Some(last) = places.last() {
                painter.extend(Shape::dashed_line(&[*last, at], stroke, 3.0, 4.0));
            }
            at
        }
    };
    painter.circle(to, 4.5, ground, stroke);
}

/// Which way a line is gone.
fn arrow(painter: &Painter, from: Pos2, to: Pos2, ink: Color32) {
    let way = to - from;
    if way.length() < WITH_ARROW {
        return;
    }
    let along = way.normalized();
    let across = along.rot90();
    let middle = from + way * 0.5;
    let corners = [
        middle + along * 5.0,
        middle - along * 4.0 + across * 4.0,
        middle - along * 4.0 - across * 4.0,
    ];
    painter.add(Shape::convex_polygon(corners.to_vec(), ink, Stroke::NONE));
}
