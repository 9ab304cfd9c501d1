//! A path of the character while somebody draws it on the field, point by point.
//!
//! What is drawn is the path that the scene has: nothing of it is kept here but the point under the hand.

use super::camera::Camera;
use egui_macroquad::egui::{Pos2, Vec2 as ScreenVec2};
use skirmish::geometry::Vec2;
use skirmish::partition::COORDINATE_LIMIT;
use skirmish::scene::{Path, PathKind};
use skirmish::session::Action;
use std::borrow::Cow;
use std::sync::Arc;

/// Within so many points a press means a point of the path, and within so many its line.
const POINT: f32 = 9.0;
const LINE: f32 = 7.0;
/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;

/// A path that is being drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// What the path is called; the scene may have none of this name yet.
    pub name: String,
    /// The point that was pressed last.
    pub chosen: Option<usize>,
    held: Option<Held>,
}

/// The point under the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    /// Its place on the path.
    place: usize,
    /// Whether the path has it only from now on, and behind all that it has by then.
    is_new: bool,
    is_last: bool,
    /// Where the button went down, and how far from there the point is, in metres.
    pressed: Pos2,
    off: Vec2,
    /// Where it is put; `None` while it is not moved.
    at: Option<Vec2>,
}

/// What of a path lies under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Under {
    /// The point at this place.
    Point(usize),
    /// The line that ends at this place: a point on it would come before the one there, the first one coming after the last.
    Line(usize),
    /// Nothing of it: a point here would be its last.
    Nothing,
}

impl Drawing {
    /// Begins to draw the path of this name.
    pub fn of(name: String) -> Self {
        Self {
            name,
            chosen: None,
            held: None,
        }
    }

    /// Goes on with the path where that is called otherwise by now, by a rename or because one was taken back. False where it has no
    /// points to draw any more: it is gone, or it was recorded and its corners were taken back. As long as a path has yet to come, or
    /// its corners have, it is waited for.
    pub fn go_with(&mut self, before: &[Arc<Path>], now: &[Arc<Path>]) -> bool {
        let has = |paths: &[Arc<Path>], name: &str| paths.iter().any(|path| path.name == name);
        let Some(own) = before.iter().find(|path| path.name == self.name) else {
            return true;
        };
        let is_recorded = |path: &Path| path.kind == PathKind::Recorded;
        if let Some(path) = now.iter().find(|path| path.name == self.name) {
            // Places mean other points where some came or went.
            if path.points.len() != own.points.len() {
                self.held = None;
            }
            return is_recorded(own) || !is_recorded(path);
        }
        let is_it = |path: &&Arc<Path>| path.points == own.points && !has(before, &path.name);
        let renamed = now.iter().find(is_it);
        if let Some(path) = renamed {
            self.name.clone_from(&path.name);
        }
        renamed.is_some()
    }

    /// The points as they are seen: with the one under the hand where that has it.
    pub fn shown<'p>(&self, points: &'p [Vec2]) -> Cow<'p, [Vec2]> {
        let Some((held, at)) = self.held.and_then(|held| Some((held, held.at?))) else {
            return Cow::Borrowed(points);
        };
        let mut shown = points.to_vec();
        match held.is_new {
            true => shown.insert(held.place.min(points.len()), at),
            false if held.place < points.len() => shown[held.place] = at,
            false => {}
        }
        Cow::Owned(shown)
    }

    /// Whether a point is under the hand.
    pub fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// A press on the field, with Control or without: takes a point, begins one, or takes one out of the path.
    pub fn pressed(
        &mut self,
        camera: Camera,
        points: &[Vec2],
        at: Pos2,
        takes_out: bool,
    ) -> Option<Action> {
        let from = camera.to_world(at);
        let under = under(camera, points, at);
        if takes_out {
            let Under::Point(place) = under else {
                return None;
            };
            return Some(self.take_out(place));
        }
        let (place, is_new, off) = match under {
            Under::Point(place) => (place, false, points[place] - from),
            Under::Line(place) => (place, true, Vec2::ZERO),
            Under::Nothing => (points.len(), true, Vec2::ZERO),
        };
        let is_last = under == Under::Nothing;
        self.chosen = Some(place);
        self.held = Some(Held {
            place,
            is_new,
            is_last,
            pressed: at,
            off,
            at: is_new.then_some(from),
        });
        None
    }

    /// The pointer goes here.
    pub fn dragged(&mut self, camera: Camera, at: Pos2) {
        if let Some(held) = &mut self.held
            && (held.at.is_some() || (at - held.pressed).length() >= DRAG)
        {
            let limit = Vec2::splat(COORDINATE_LIMIT);
            held.at = Some((camera.to_world(at) + held.off).clamp(-limit, limit));
        }
    }

    /// The hand lets the point go.
    pub fn released(&mut self, camera: Camera, at: Pos2) -> Option<Action> {
        self.dragged(camera, at);
        let held = self.held.take()?;
        let at = held.at?;
        // What was placed right before may not be seen yet: the last one is the last one of all.
        let place = match held.is_last {
            true => u32::MAX,
            false => held.place as u32,
        };
        let name = self.name.clone();
        Some(match held.is_new {
            true => Action::PlacePoint(name, place, at.into()),
            false => Action::MovePoint(name, place, at.into()),
        })
    }

    /// Lets the point go; nothing was meant.
    pub fn cancel(&mut self) {
        self.held = None;
    }

    /// Takes the point that was pressed last out of the path, and the last one where none was.
    pub fn take_out_chosen(&mut self, count: usize) -> Option<Action> {
        let last = count.checked_sub(1)?;
        let place = self.chosen.map_or(last, |chosen| chosen.min(last));
        Some(self.take_out(place))
    }

    fn take_out(&mut self, place: usize) -> Action {
        // Who goes on taking out goes back along the path.
        self.chosen = place.checked_sub(1);
        Action::DropPoint(self.name.clone(), place as u32)
    }
}

/// What of a path lies under a point of the window. A point of it comes before its line.
pub fn under(camera: Camera, points: &[Vec2], at: Pos2) -> Under {
    let distance = |point: &Vec2| (camera.to_screen(*point) - at).length();
    let nearest = points.iter().enumerate();
    let nearest = nearest.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    if let Some((place, point)) = nearest
        && distance(point) <= POINT
    {
        return Under::Point(place);
    }
    if points.len() < 2 {
        return Under::Nothing;
    }
    let next = points.iter().cycle().skip(1);
    let lines = (1..).zip(points.iter().zip(next));
    let lines = lines.map(|(place, (from, to))| {
        let ends = [*from, *to].map(|it| camera.to_screen(it));
        (place, (on_line(ends, at) - at).length())
    });
    match lines.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((place, distance)) if distance <= LINE => Under::Line(place),
        _ => Under::Nothing,
    }
}

/// The point of a line that is nearest to a point.
pub fn on_line([from, to]: [Pos2; 2], at: Pos2) -> Pos2 {
    let way = to - from;
    let length = way.length_sq();
    let part = match length > 0.0 {
        true => ScreenVec2::dot(at - from, way) / length,
        false => 0.0,
    };
    from + way * part.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{Rect, pos2, vec2};

    /// A metre is a point, and the middle of the world is at (200, 150).
    fn camera() -> Camera {
        Camera {
            center: Vec2::ZERO,
            zoom: 1.0,
            screen: Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0)),
        }
    }

    fn points() -> Vec<Vec2> {
        vec![Vec2::ZERO, Vec2::new(100.0, 0.0), Vec2::new(100.0, 100.0)]
    }

    #[test]
    fn a_point_comes_before_its_line_and_the_first_after_the_last() {
        let (camera, points) = (camera(), points());
        let at = |x: f32, y: f32| under(camera, &points, pos2(200.0 + x, 150.0 + y));
        assert_eq!(at(98.0, 4.0), Under::Point(1));
        assert_eq!(at(50.0, 5.0), Under::Line(1));
        assert_eq!(at(104.0, 50.0), Under::Line(2));
        assert_eq!(at(50.0, 52.0), Under::Line(3), "the way back");
        assert_eq!(at(50.0, 20.0), Under::Nothing);
        assert_eq!(under(camera, &[], pos2(0.0, 0.0)), Under::Nothing);
        let one = &points[..1];
        assert_eq!(under(camera, one, pos2(230.0, 150.0)), Under::Nothing);
    }

    #[test]
    fn a_click_places_a_drag_moves_and_control_takes_out() {
        let (camera, points) = (camera(), points());
        let mut drawing = Drawing::of("a".to_owned());
        let place = |place, at| Some(Action::PlacePoint("a".to_owned(), place, at));
        let mut click = |at, takes_out| {
            let begun = drawing.pressed(camera, &points, at, takes_out);
            begun.or_else(|| drawing.released(camera, at))
        };
        assert_eq!(click(pos2(250.0, 152.0), false), place(1, (50.0, 2.0)));
        assert_eq!(
            click(pos2(250.0, 170.0), false),
            place(u32::MAX, (50.0, 20.0))
        );
        assert_eq!(click(pos2(302.0, 152.0), false), None, "it is chosen");
        let takes_out = Some(Action::DropPoint("a".to_owned(), 1));
        assert_eq!(click(pos2(302.0, 152.0), true), takes_out);
        assert_eq!(click(pos2(250.0, 170.0), true), None);
        assert_eq!(
            drawing.pressed(camera, &points, pos2(303.0, 150.0), false),
            None
        );
        drawing.dragged(camera, pos2(304.0, 150.0));
        assert_eq!(*drawing.shown(&points), points, "no drag yet");
        drawing.dragged(camera, pos2(313.0, 140.0));
        assert_eq!(drawing.shown(&points)[1], Vec2::new(110.0, -10.0));
        let moved = drawing.released(camera, pos2(313.0, 140.0));
        let expected = Action::MovePoint("a".to_owned(), 1, (110.0, -10.0));
        assert_eq!(moved, Some(expected));
    }

    #[test]
    fn it_ends_with_the_points_of_its_path_and_waits_for_those_to_come() {
        let path = |name: &str, kind| {
            Arc::new(Path {
                name: name.to_owned(),
                kind,
                points: points(),
                velocities: Vec::new(),
            })
        };
        let recorded = [path("a", PathKind::Recorded)];
        let [corners, renamed] = ["a", "b"].map(|name| [path(name, PathKind::Walk)]);
        let mut drawing = Drawing::of("a".to_owned());
        // Pictures lag behind what is done: the path, or its corners, are on their way.
        assert!(drawing.go_with(&[], &[]) && drawing.go_with(&recorded, &recorded));
        assert!(drawing.go_with(&[], &corners) && drawing.go_with(&recorded, &corners));
        assert!(!drawing.go_with(&corners, &recorded) && !drawing.go_with(&corners, &[]));
        assert!(drawing.go_with(&corners, &renamed) && drawing.name == "b");
    }

    #[test]
    fn what_is_taken_out_goes_back_along_the_path() {
        let mut drawing = Drawing::of("a".to_owned());
        let drop = |place| Some(Action::DropPoint("a".to_owned(), place));
        assert_eq!(drawing.take_out_chosen(3), drop(2));
        assert_eq!(drawing.take_out_chosen(2), drop(1));
        assert_eq!(drawing.take_out_chosen(1), drop(0));
        assert_eq!(drawing.take_out_chosen(0), None);
    }
}
