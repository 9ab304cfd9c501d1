//! The eye that looks at a volume: from where, whereto, what lies where on the screen, and what a slice hides from it.
//!
//! Up is z. An [`Eye`] turns around its pivot and is what a view keeps and changes; a [`Lens`] is the same in the form in which a
//! hundred thousand points are projected.
//!
//! Invariant: whatever numbers come in, none that is not finite comes out.

use egui_macroquad::egui::{Pos2, Rect, Vec2 as ScreenVec2};
use skirmish::partition::COORDINATE_LIMIT;
use skirmish::scene::Orbit;
use skirmish::volume::{Aabb3, Vec3};

/// How much the eye sees from the top to the bottom of the screen, in degrees.
const FIELD_OF_VIEW: f32 = 35.0;
/// Where the eye is before anybody turns it, in degrees.
const FIRST_AZIMUTH: f32 = -31.0;
/// How far above the pivot it is then, in degrees.
const FIRST_ELEVATION: f32 = 21.0;
/// Straight from above there is no saying which way is up, so the eye stops a little before, in degrees.
const MOST_ELEVATION: f32 = 89.0;
/// How far a drag of one point turns the eye, in degrees.
const TURN: f32 = 0.35;
/// The shortest side that a field is taken to have, in metres.
const LEAST_SPAN: f32 = 1.0e-3;
/// The shortest side as a part of how far out the field is, so that places in it can be told apart.
const GRAIN: f32 = 1.0 / 1024.0;
/// The least and the greatest distance to the pivot, in lengths of the field.
const DISTANCES: (f32, f32) = (1.0e-3, 12.0);
/// How far the pivot may leave the field, in lengths of the field.
const ASTRAY: f32 = 2.0;
/// What is nearer than this part of the distance to the pivot is not seen.
const NEAR: f32 = 0.02;
/// What a framed box leaves free at the sides and above and below, in points: labels and chips stand there.
const AIR: [f32; 2] = [84.0, 66.0];
/// No more than this part of the screen is left free at each side.
const MOST_AIR: f32 = 0.1;

/// From where a volume is looked at, and through which part of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// The point in the [middle](Self::middle) of the screen, in metres.
    pub pivot: Vec3,
    /// How far the eye is from it, in metres; greater than 0.
    pub distance: f32,
    /// The direction in which it looks, seen from above, in degrees: 0 looks along y, 90 along x.
    pub azimuth: f32,
    /// How far it is above the pivot, in degrees, from -89 to 89.
    pub elevation: f32,
    /// The part of the window, in points.
    pub screen: Rect,
    /// What neither drawers nor chips cover of it: what is looked at stands in the middle of that.
    free: Rect,
    /// What it looks at as a rule: it goes neither far away from it nor deep into a grain of it.
    field: Aabb3,
}

impl Eye {
    /// An eye that sees all of `field`.
    pub fn framing(field: Aabb3, screen: Rect) -> Self {
        let mut eye = Self {
            pivot: Vec3::ZERO,
            distance: 1.0,
            azimuth: FIRST_AZIMUTH,
            elevation: FIRST_ELEVATION,
            screen,
            free: screen,
            field: sane(field),
        };
        eye.frame(field);
        eye
    }

    /// An eye where a scene asks for it.
    pub fn of_scene(orbit: &Orbit, field: Aabb3, screen: Rect) -> Self {
        let mut eye = Self::framing(field, screen);
        (eye.pivot, eye.distance) = (orbit.pivot, orbit.distance);
        (eye.azimuth, eye.elevation) = (orbit.azimuth, orbit.elevation);
        eye.settle();
        eye
    }

    /// What a scene says of this eye.
    pub fn to_scene(self) -> Orbit {
        // A field may be as large as places can be; the eye goes farther.
        let most = Vec3::splat(COORDINATE_LIMIT);
        Orbit {
            pivot: self.pivot.clamp(-most, most),
            distance: self.distance.min(COORDINATE_LIMIT),
            azimuth: self.azimuth,
            elevation: self.elevation,
        }
    }

    /// Goes back until all of `area` is in the middle of the screen, with some air around it; it keeps looking the same way.
    pub fn frame(&mut self, area: Aabb3) {
        /// What is near is larger, so the middle of what is seen is found by coming closer to it: this often is enough.
        const TRIES: usize = 6;
        let area = sane(area);
        self.pivot = area.center();
        self.settle();
        let half = self.free.size().max(ScreenVec2::splat(1.0)) / 2.0;
        let air = |side: f32, air: f32| side - air.min(side * 2.0 * MOST_AIR);
        let (across, down) = (air(half.x, AIR[0]), air(half.y, AIR[1]));
        for _ in 0..TRIES {
            let lens = self.lens();
            // As far back as the corner needs that lies farthest out for how near it is.
            let farthest = corners(area).into_iter().map(|corner| {
                let way = corner - self.pivot;
                let (x, y) = (way.dot(lens.right).abs(), way.dot(lens.up).abs());
                let least = (x / across).max(y / down) * lens.focal;
                least - way.dot(lens.forward)
            });
            self.distance = farthest.fold(0.0, f32::max);
            self.settle();
            let lens = self.lens();
            let seen = corners(area)
                .into_iter()
                .filter_map(|corner| lens.project(corner));
            let bounds = seen.fold(Rect::NOTHING, |sum, (at, _)| sum.union(Rect::from_pos(at)));
            let off = lens.middle - bounds.center();
            let metres = self.metres_per_point_at_pivot();
            let moved = self.pivot + (lens.up * off.y - lens.right * off.x) * metres;
            if off.length() < 0.5 || !moved.is_finite() || !area.contains(moved) {
                break;
            }
            self.pivot = moved;
        }
        self.settle();
    }

    /// Looks through another part of the window, of which drawers leave what is `beside` them and chips cover so many points at the top and
    /// at the foot. What is in the middle stays there.
    pub fn resize(&mut self, screen: Rect, beside: Rect, [top, foot]: [f32; 2]) {
        /// No more than this part of it is given away at the top, and at the foot.
        const MOST: [f32; 2] = [0.42, 0.3];
        self.screen = screen;
        // What is framed leaves air at the ends anyway.
        let height = screen.height();
        let air = match height * MOST_AIR {
            air if air >= AIR[1] => AIR[1],
            // Of what is left it is a part again.
            air => air * 0.7,
        };
        let cut = |chips: f32, most: f32| (chips - air).min(height * most).max(0.0);
        let free = beside.with_min_y(beside.top() + cut(top, MOST[0]));
        self.free = free.with_max_y(beside.bottom() - cut(foot, MOST[1]));
    }

    /// Looks through another part of the window, of which so much is free. What is in the middle stays there.
    pub fn look_through(&mut self, screen: Rect, free: Rect) {
        (self.screen, self.free) = (screen, free);
    }

    /// Comes as near that what is to be seen of its field, through another part of the window than `before`, fills that as it did then.
    /// Where either of them is less than a point high or wide nothing is seen, and it stays as near.
    pub fn fill_as(&mut self, before: &Self) {
        let has_room = |eye: &Self| eye.free.size().min_elem() >= 1.0;
        if !has_room(self) || !has_room(before) {
            return;
        }
        let places = before.lens().corners(self.field);
        let seen = places.map_or(before.free, |places| {
            let places = places.into_iter().map(Rect::from_pos);
            let seen = places.fold(Rect::NOTHING, Rect::union);
            match seen.intersects(before.free) {
                true => seen.intersect(before.free),
                false => before.free,
            }
        });
        let middle = before.middle();
        let half = (seen.max - middle).max(middle - seen.min);
        let fit = |eye: &Self| {
            let part = half / eye.free.size();
            part.max_elem() * focal(eye.screen)
        };
        self.distance = before.distance * (fit(self) / fit(before));
        self.settle();
    }

    /// Where on the screen the pivot is.
    pub fn middle(&self) -> Pos2 {
        self.free.center()
    }

    /// Turns around the pivot, as if the volume followed a pointer that moved so many points.
    pub fn orbit(&mut self, by: ScreenVec2) {
        self.azimuth += by.x * TURN;
        self.elevation += by.y * TURN;
        self.settle();
    }

    /// Moves so that the plane through the pivot follows a pointer that moved so many points.
    pub fn pan(&mut self, by: ScreenVec2) {
        let lens = self.lens();
        let metres = self.metres_per_point_at_pivot();
        self.pivot += (lens.up * by.y - lens.right * by.x) * metres;
        self.settle();
    }

    /// Comes nearer by `factor`; the point of the plane through the pivot that is under `at` stays there.
    pub fn zoom_at(&mut self, at: Pos2, factor: f32) {
        if !(factor.is_finite() && factor > 0.0) {
            return;
        }
        let lens = self.lens();
        let off = at - lens.middle;
        let metres = self.metres_per_point_at_pivot();
        let fixed = self.pivot + (lens.right * off.x - lens.up * off.y) * metres;
        let before = self.distance;
        self.distance /= factor;
        self.settle();
        self.pivot = fixed + (self.pivot - fixed) * (self.distance / before);
        self.settle();
    }

    /// Looks along an axis (0 is x, 1 is y, 2 is z), from its positive end towards the negative one or the other way round.
    pub fn look_along(&mut self, axis: usize, from_positive: bool) {
        let turned = if from_positive { 180.0 } else { 0.0 };
        match axis {
            0 => (self.azimuth, self.elevation) = (90.0 + turned, 0.0),
            1 => (self.azimuth, self.elevation) = (turned, 0.0),
            _ => {
                self.azimuth = 0.0;
                self.elevation = if from_positive { 90.0 } else { -90.0 };
            }
        }
        self.settle();
    }

    /// How long a point of the screen is in the plane through the pivot, in metres.
    pub fn metres_per_point_at_pivot(&self) -> f32 {
        self.distance / focal(self.screen)
    }

    /// Where a point of space is on the screen, and how far it is in front of the eye, in metres; `None` behind it.
    pub fn project(&self, point: Vec3) -> Option<(Pos2, f32)> {
        self.lens().project(point)
    }

    /// The line through a point of the screen: where the eye is, and the way on from there, one metre long.
    pub fn line_through(&self, at: Pos2) -> (Vec3, Vec3) {
        let lens = self.lens();
        (lens.origin, lens.direction(at))
    }

    /// The eye as points are projected with it.
    pub fn lens(&self) -> Lens {
        let mut eye = *self;
        eye.settle();
        let (sin, cos) = eye.azimuth.to_radians().sin_cos();
        let (rise, level) = eye.elevation.to_radians().sin_cos();
        let forward = Vec3::new(sin * level, cos * level, -rise);
        let right = Vec3::new(cos, -sin, 0.0);
        Lens {
            origin: eye.pivot - forward * eye.distance,
            right,
            up: right.cross(forward),
            forward,
            focal: focal(eye.screen),
            middle: eye.middle(),
            near: eye.distance * NEAR,
        }
    }

    /// Brings every number back to where it may be.
    fn settle(&mut self) {
        let screen = self.screen;
        let is_sound =
            screen.min.to_vec2().length().is_finite() && screen.max.to_vec2().length().is_finite();
        if !is_sound {
            self.screen = Rect::from_min_size(Pos2::ZERO, ScreenVec2::splat(1.0));
            self.free = self.screen;
        }
        let span = self.field.size().max_element();
        let within = self.field.grown(Vec3::splat(span * ASTRAY));
        let middle = self.field.center();
        self.pivot = if self.pivot.is_finite() {
            self.pivot.clamp(within.min, within.max)
        } else {
            middle
        };
        let (least, most) = (span * DISTANCES.0, span * DISTANCES.1);
        self.distance = if self.distance.is_nan() {
            span * 2.0
        } else {
            self.distance.clamp(least, most)
        };
        // Half a turn to each side, so that the figure stays a small one however long one turns.
        let turned = (self.azimuth + 180.0).rem_euclid(360.0) - 180.0;
        self.azimuth = if turned.is_finite() { turned } else { 0.0 };
        self.elevation = if self.elevation.is_nan() {
            0.0
        } else {
            self.elevation.clamp(-MOST_ELEVATION, MOST_ELEVATION)
        };
    }
}

/// How far before the eye the screen would be if a metre were a point.
fn focal(screen: Rect) -> f32 {
    let height = screen.height();
    let height = if height.is_finite() {
        height.max(1.0)
    } else {
        1.0
    };
    height / 2.0 / (FIELD_OF_VIEW / 2.0).to_radians().tan()
}

/// A field with sides that one can look at: finite, in order, and longer than nothing.
fn sane(field: Aabb3) -> Aabb3 {
    // A field may begin at one end of the world and reach past the other.
    let limit = Vec3::splat(COORDINATE_LIMIT * 4.0);
    let is_sound = !(field.is_empty() || field.min.is_nan() || field.max.is_nan());
    if !is_sound {
        return Aabb3::new(Vec3::ZERO, Vec3::ONE);
    }
    let (min, max) = (
        field.min.clamp(-limit, limit),
        field.max.clamp(-limit, limit),
    );
    // Far out there is no grain so small that a number could say where in it the eye is.
    let grain = min.abs().max(max.abs()).max_element() * GRAIN;
    let half = ((max - min) * 0.5).max(Vec3::splat(grain.max(LEAST_SPAN / 2.0)));
    Aabb3::around((min + max) * 0.5, half)
}

/// The eight corners of a box. The lowest bit of a corner's number says whether it is at the upper end of x, the next ones the
/// same of y and z.
pub fn corners(area: Aabb3) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let end = |axis: usize| {
            let ends = [area.min[axis], area.max[axis]];
            ends[corner >> axis & 1]
        };
        Vec3::new(end(0), end(1), end(2))
    })
}

/// The corners of a box's face at the lower (0) or upper (1) end of an axis, in a row around it.
pub fn face(area: Aabb3, axis: usize, end: usize) -> [Vec3; 4] {
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let ends = [area.min, area.max];
    [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| {
        let mut corner = ends[end];
        corner[next] = ends[a][next];
        corner[last] = ends[b][last];
        corner
    })
}

/// Where a volume is cut open: whatever lies before it, on the eye's side, is not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// The axis that it stands across: 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// Its place on that axis, in metres.
    pub at: f32,
}

impl Slice {
    /// The four corners of the cut through a box, in a row around it; `None` where it passes the box by.
    pub fn corners(self, field: Aabb3) -> Option<[Vec3; 4]> {
        let axis = self.axis.min(2);
        if !(field.min[axis] <= self.at && self.at <= field.max[axis]) {
            return None;
        }
        let (mut min, mut max) = (field.min, field.max);
        (min[axis], max[axis]) = (self.at, self.at);
        Some(face(Aabb3::new(min, max), axis, 0))
    }

    /// Whether a place lies before it for an eye at `origin`.
    #[inline]
    pub fn hides(self, origin: Vec3, place: Vec3) -> bool {
        let axis = self.axis.min(2);
        if origin[axis] < self.at {
            place[axis] < self.at
        } else {
            place[axis] > self.at
        }
    }

    /// What of a box lies behind it for an eye at `origin`; empty where nothing does.
    pub fn behind(self, origin: Vec3, mut area: Aabb3) -> Aabb3 {
        let axis = self.axis.min(2);
        if origin[axis] < self.at {
            area.min[axis] = area.min[axis].max(self.at);
        } else {
            area.max[axis] = area.max[axis].min(self.at);
        }
        area
    }
}

/// An eye with everything worked out that does not change from point to point.
#[derive(Clone, Copy, Debug)]
pub struct Lens {
    /// Where the eye is, in metres.
    pub origin: Vec3,
    /// The way that goes to the right on the screen.
    pub right: Vec3,
    /// The way that goes up on the screen.
    pub up: Vec3,
    /// The way in which the eye looks.
    pub forward: Vec3,
    /// How many points a metre is at one metre from the eye.
    pub focal: f32,
    /// The middle of the screen.
    pub middle: Pos2,
    /// What is nearer than this is not seen, in metres.
    pub near: f32,
}

impl Lens {
    /// A point as the eye sees it: to the right, up, and away from it, in metres.
    #[inline]
    pub fn view(&self, point: Vec3) -> Vec3 {
        let way = point - self.origin;
        Vec3::new(way.dot(self.right), way.dot(self.up), way.dot(self.forward))
    }

    /// Where such a point is on the screen; it must not be nearer than [`Lens::near`].
    #[inline]
    pub fn place(&self, view: Vec3) -> Pos2 {
        let scale = self.focal / view.z;
        self.middle + ScreenVec2::new(view.x * scale, -view.y * scale)
    }

    /// Where a point is on the screen, and how far it is before the eye, in metres; `None` where it is not seen.
    #[inline]
    pub fn project(&self, point: Vec3) -> Option<(Pos2, f32)> {
        let view = self.view(point);
        if view.z.is_nan() || view.z < self.near {
            return None;
        }
        let at = self.place(view);
        (at.x.is_finite() && at.y.is_finite()).then_some((at, view.z))
    }

    /// Where the [corners] of a box are on the screen; `None` where one of them is not seen.
    #[inline]
    pub fn corners(&self, area: Aabb3) -> Option<[Pos2; 8]> {
        let base = self.view(area.min);
        let size = area.size();
        // From a corner to the next along each axis, as the eye sees it.
        let [x, y, z] = [0, 1, 2].map(|axis| {
            Vec3::new(self.right[axis], self.up[axis], self.forward[axis]) * size[axis]
        });
        let nearest = base.z + x.z.min(0.0) + y.z.min(0.0) + z.z.min(0.0);
        if nearest.is_nan() || nearest < self.near {
            return None;
        }
        let (xy, xz, yz) = (base + x + y, base + x + z, base + y + z);
        let ends = [base, base + x, base + y, xy, base + z, xz, yz, xy + z];
        let mut places = [Pos2::ZERO; 8];
        for (place, end) in places.iter_mut().zip(ends) {
            *place = self.place(end);
        }
        Some(places)
    }

    /// How many points a metre is at this distance before the eye.
    #[inline]
    pub fn scale(&self, depth: f32) -> f32 {
        self.focal / depth.max(self.near)
    }

    /// The way through a point of the screen, one metre long.
    pub fn direction(&self, at: Pos2) -> Vec3 {
        let off = (at - self.middle) / self.focal;
        (self.forward + self.right * off.x - self.up * off.y)
            .try_normalize()
            .unwrap_or(self.forward)
    }

    /// The part of a straight way that is before the eye, on the screen.
    pub fn line(&self, from: Vec3, to: Vec3) -> Option<(Pos2, Pos2)> {
        let (from, to) = (self.view(from), self.view(to));
        let (a, b) = (from.z - self.near, to.z - self.near);
        if !(a >= 0.0 || b >= 0.0) {
            return None;
        }
        let cut = || from + (to - from) * (a / (a - b)).clamp(0.0, 1.0);
        let seen = |view: Vec3| Vec3::new(view.x, view.y, view.z.max(self.near));
        let from_seen = seen(if a < 0.0 { cut() } else { from });
        let to_seen = seen(if b < 0.0 { cut() } else { to });
        let (from, to) = (self.place(from_seen), self.place(to_seen));
        let is_sound = (from.to_vec2() + to.to_vec2()).length().is_finite();
        is_sound.then_some((from, to))
    }

    /// The part of a flat convex shape that is before the eye, on the screen; `out` is emptied first.
    pub fn polygon(&self, shape: &[Vec3], out: &mut Vec<Pos2>) {
        out.clear();
        let Some(last) = shape.last() else { return };
        let mut before = self.view(*last);
        for corner in shape {
            let here = self.view(*corner);
            let (a, b) = (before.z - self.near, here.z - self.near);
            if (a < 0.0) != (b < 0.0) {
                let cut = before + (here - before) * (a / (a - b)).clamp(0.0, 1.0);
                out.push(self.place(Vec3::new(cut.x, cut.y, self.near)));
            }
            if b >= 0.0 {
                out.push(self.place(here));
            }
            before = here;
        }
        if out.iter().any(|at| !(at.x.is_finite() && at.y.is_finite())) {
            out.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{pos2, vec2};

    fn swarm() -> Aabb3 {
        Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0))
    }

    fn screen() -> Rect {
        Rect::from_min_size(pos2(272.0, 32.0), vec2(860.0, 560.0))
    }

    #[test]
    fn what_is_framed_stands_below_what_covers_the_top_of_a_low_screen() {
        let screen = Rect::from_min_size(pos2(0.0, 32.0), vec2(720.0, 254.0));
        let mut eye = Eye::framing(swarm(), screen);
        eye.resize(screen, screen, [90.0, 58.0]);
        eye.frame(swarm());
        for corner in corners(swarm()) {
            let (at, _) = eye.project(corner).expect("it is before the eye");
            assert!(at.y > screen.top() + 80.0, "{at:?}");
            assert!(at.y < screen.bottom() - 44.0, "{at:?}");
        }
        let (pivot, _) = eye.project(eye.pivot).expect("it is before the eye");
        assert!((pivot - eye.middle()).length() < 0.1);
        // A high one has that much air anyway, or nearly.
        let high = Rect::from_min_size(pos2(0.0, 32.0), vec2(1400.0, 700.0));
        eye.resize(high, high, [90.0, 58.0]);
        assert!((eye.middle() - high.center()).length() <= 12.5);
    }

    #[test]
    fn a_slice_hides_what_is_on_the_side_of_the_eye() {
        let area = Aabb3::new(Vec3::ZERO, Vec3::new(2.0, 3.0, 4.0));
        let slice = Slice { axis: 1, at: 1.0 };
        let (south, north) = (Vec3::new(0.0, -9.0, 0.0), Vec3::new(0.0, 9.0, 0.0));
        assert!(slice.hides(south, Vec3::ZERO));
        assert!(!slice.hides(north, Vec3::ZERO));
        assert_eq!(slice.behind(south, area).min.y, 1.0);
        assert_eq!(slice.behind(north, area).max.y, 1.0);
        assert!(Slice { axis: 1, at: 5.0 }.behind(south, area).is_empty());
        let cut = slice.corners(area).expect("it cuts the box");
        assert!(cut.iter().all(|corner| corner.y == 1.0));
        assert_eq!(Slice { axis: 2, at: 4.5 }.corners(area), None);
    }

    #[test]
    fn the_corners_of_a_box_are_where_each_of_them_is() {
        let mut eye = Eye::framing(swarm(), screen());
        eye.orbit(vec2(37.0, -21.0));
        let lens = eye.lens();
        let area = Aabb3::new(Vec3::new(10.0, 200.0, 30.0), Vec3::new(90.0, 230.0, 200.0));
        let places = lens.corners(area).expect("all of it is seen");
        for (place, corner) in places.into_iter().zip(corners(area)) {
            let (at, _) = lens.project(corner).expect("it is seen");
            assert!(at.distance(place) < 0.01, "{at:?} {place:?}");
        }
        let around = Aabb3::new(lens.origin - Vec3::ONE, lens.origin + Vec3::ONE);
        assert_eq!(lens.corners(around), None);
    }

    #[test]
    fn a_line_through_a_projected_point_meets_it() {
        let mut eye = Eye::framing(swarm(), screen());
        for turn in 0..40 {
            eye.orbit(vec2(37.0, turn as f32 * 11.0 - 200.0));
            for point in corners(swarm()) {
                let (at, depth) = eye.project(point).expect("all of it is before the eye");
                let (origin, direction) = eye.line_through(at);
                let nearest = origin + direction * (point - origin).dot(direction);
                assert!((nearest - point).length() < 0.05, "{nearest} {point}");
                assert!(((point - origin).dot(eye.lens().forward) - depth).abs() < 0.01);
            }
        }
    }

    #[test]
    fn azimuth_and_elevation_say_where_it_looks() {
        let mut eye = Eye::framing(swarm(), screen());
        (eye.azimuth, eye.elevation) = (0.0, 0.0);
        assert!((eye.lens().forward - Vec3::Y).length() < 1.0e-6);
        eye.azimuth = 90.0;
        assert!((eye.lens().forward - Vec3::X).length() < 1.0e-6);
        eye.elevation = 30.0;
        assert!(eye.lens().origin.z > eye.pivot.z);
        assert!(eye.lens().up.z > 0.0);
        eye.look_along(2, true);
        assert_eq!((eye.azimuth, eye.elevation), (0.0, 89.0));
        eye.look_along(0, true);
        assert!((eye.lens().forward + Vec3::X).length() < 1.0e-6);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let mut eye = Eye::framing(swarm(), screen());
        let (at, lens) = (pos2(400.0, 200.0), eye.lens());
        let off = (at - lens.middle) * eye.metres_per_point_at_pivot();
        let point = eye.pivot + lens.right * off.x - lens.up * off.y;
        for factor in [3.0, 0.4, 1.7] {
            eye.zoom_at(at, factor);
            let (now, _) = eye.project(point).expect("it stays before the eye");
            assert!((now - at).length() < 0.05, "{now}");
        }
    }

    #[test]
    fn panning_takes_the_plane_of_the_pivot_along() {
        let mut eye = Eye::framing(swarm(), screen());
        let point = eye.pivot;
        let before = eye.project(point).expect("the pivot is seen").0;
        eye.pan(vec2(40.0, -25.0));
        let after = eye.project(point).expect("it is still seen").0;
        assert!((after - before - vec2(40.0, -25.0)).length() < 0.05);
    }

    #[test]
    fn framing_holds_all_corners() {
        for size in [vec2(860.0, 560.0), vec2(1344.0, 700.0), vec2(420.0, 610.0)] {
            let screen = Rect::from_min_size(pos2(272.0, 32.0), size);
            for area in [
                swarm(),
                Aabb3::new(Vec3::splat(-5.0), Vec3::new(900.0, 3.0, 4.0)),
                Aabb3::new(Vec3::ZERO, Vec3::new(20.0, 20.0, 900.0)),
            ] {
                let mut eye = Eye::framing(area, screen);
                for _ in 0..12 {
                    eye.orbit(vec2(71.0, 31.0));
                    eye.frame(area);
                    for corner in corners(area) {
                        let (at, _) = eye.project(corner).expect("a corner is before the eye");
                        assert!(screen.shrink(20.0).contains(at), "{at:?} {screen:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn hostile_numbers_stay_outside() {
        let bad = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1.0e30,
            0.0,
            -1.0,
        ];
        let fields = [
            Aabb3::around(Vec3::ZERO, Vec3::splat(1.0e9)),
            Aabb3::around(Vec3::splat(3.0), Vec3::splat(5.0e-4)),
            Aabb3::around(Vec3::splat(f32::NAN), Vec3::ONE),
            Aabb3::point(Vec3::splat(1.0e9)),
            Aabb3::EMPTY,
            Aabb3::EVERYTHING,
        ];
        for field in fields {
            for &x in &bad {
                let mut eye = Eye::framing(field, screen());
                eye.orbit(vec2(x, x));
                eye.pan(vec2(x, 1.0));
                eye.zoom_at(pos2(x, 3.0), 2.0);
                eye.zoom_at(pos2(3.0, 3.0), x);
                let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(x, x));
                eye.resize(screen, screen, [x, x]);
                (eye.distance, eye.azimuth) = (x, x);
                eye.frame(field);
                let is_sound = eye.pivot.is_finite() && eye.distance > 0.0;
                assert!(is_sound && eye.distance.is_finite(), "{eye:?}");
                let (origin, direction) = eye.line_through(pos2(x, x));
                assert!(origin.is_finite() && direction.is_finite());
                for point in [Vec3::splat(x), Vec3::splat(1.0e9), eye.pivot, origin] {
                    if let Some((at, depth)) = eye.project(point) {
                        assert!(at.x.is_finite() && at.y.is_finite() && depth.is_finite());
                    }
                }
                assert!(eye.metres_per_point_at_pivot() > 0.0);
            }
        }
    }
}
