//! The place at which something is asked, or a unit comes, goes or moves, while one steps through that: marked as on the plane.

use super::ink::{Ink, Pen};
use super::picture::{Asked, Stage};
use super::units::{circle, foot};
use egui_macroquad::egui::{Pos2, Vec2 as ScreenVec2, vec2};
use skirmish::volume::Vec3;

/// The radius of the ring around a place that is asked about, of that where a unit comes to stand and of that where it stood, in points.
const RINGS: [f32; 3] = [6.0, 9.0, 8.0];
/// The radius of the point where a unit comes to stand, in points.
const POINT: f32 = 4.0;
/// How far the cross of a unit that goes reaches to each side, in points.
const CROSS: f32 = 7.0;
/// The dashes of the way of a unit that moves, and what is between them, in points.
const DASHES: [f32; 2] = [6.0, 4.0];

/// Draws it over everything: where it is asked is seen through all that is told of it.
pub fn draw(asked: Asked, ink: &mut impl Ink, stage: &Stage<'_>) {
    let mark = stage.picture.palette.mark;
    let line = Pen::solid(1.5, mark, 1.0);
    match asked {
        Asked::Nearest(place) => {
            if let Some(at) = on_screen(stage, place) {
                circle(ink, stage, at, RINGS[0], line);
            }
            foot(ink, stage, place);
        }
        Asked::Comes(place) => comes(ink, stage, place, line),
        Asked::Goes(place) => {
            let pen = Pen::solid(2.0, mark, 1.0);
            if let Some(at) = on_screen(stage, place) {
                for way in [vec2(CROSS, CROSS), vec2(CROSS, -CROSS)] {
                    cross(ink, stage, at, way, pen);
                }
            }
        }
        Asked::Moves(from, to) => {
            stage.line(ink, Pen::dotted(1.5, mark, 1.0, DASHES), from, to);
            if let Some(at) = on_screen(stage, from) {
                circle(ink, stage, at, RINGS[2], Pen::solid(1.2, mark, 0.7));
            }
            comes(ink, stage, to, line);
        }
    }
}

fn on_screen(stage: &Stage<'_>, place: Vec3) -> Option<Pos2> {
    stage.lens.project(place).map(|(at, _)| at)
}

/// A point with a ring around it, and how high it is over the ground.
fn comes(ink: &mut impl Ink, stage: &Stage<'_>, place: Vec3, line: Pen) {
    if let Some(at) = on_screen(stage, place) {
        // A ring as wide as its radius leaves nothing free within, and is cut at the edge of the field as all lines are.
        let point = Pen::solid(POINT, line.color, 1.0);
        circle(ink, stage, at, POINT / 2.0, point);
        circle(ink, stage, at, RINGS[1], line);
    }
    foot(ink, stage, place);
}

fn cross(ink: &mut impl Ink, stage: &Stage<'_>, at: Pos2, way: ScreenVec2, pen: Pen) {
    pen.draw(ink, stage.screen, at - way, at + way);
}

#[cfg(test)]
mod tests {
    use super::super::ink::Lines;
    use super::super::picture::Picture;
    use super::*;
    use crate::app::eye::Eye;
    use egui_macroquad::egui::{Rect, pos2};
    use skirmish::volume::Aabb3;

    #[test]
    fn what_is_asked_is_marked_where_it_is_asked() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        let eye = Eye::framing(field, screen);
        let picture = Picture::of_nobody(&eye, field);
        let stage = Stage::new(&picture);
        let (from, to) = (Vec3::splat(20.0), Vec3::new(70.0, 40.0, 60.0));
        let at = |place| on_screen(&stage, place).expect("it is before the eye");
        let is_ringed = |lines: &Lines, place: Vec3, radius: f32| {
            let on_it = |end: &Pos2| (end.distance(at(place)) - radius).abs() < 0.01;
            let ring = lines.0.iter().filter(|ends| ends.iter().all(on_it));
            ring.count() >= 20
        };
        let drawn = |asked: Asked| {
            let mut lines = Lines::default();
            draw(asked, &mut lines, &stage);
            lines
        };
        assert!(is_ringed(&drawn(Asked::Nearest(to)), to, RINGS[0]));
        assert!(is_ringed(&drawn(Asked::Comes(to)), to, RINGS[1]));
        let moves = drawn(Asked::Moves(from, to));
        assert!(is_ringed(&moves, from, RINGS[2]) && is_ringed(&moves, to, RINGS[1]));
        let goes = drawn(Asked::Goes(from));
        let crosses = |ends: &[Pos2; 2]| ends[0].lerp(ends[1], 0.5).distance(at(from)) < 0.01;
        assert_eq!(goes.0.len(), 2);
        assert!(goes.0.iter().all(crosses));
    }
}
