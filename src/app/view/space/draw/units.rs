//! The units: arrows along their way, boxes where they have a size that can be seen, and their feet on the ground.

use super::ink::{Ink, Pen};
use super::order::FarFirst;
use super::picture::{Picture, Room, Stage};
use crate::app::eye::{Eye, Slice};
use crate::app::view::field::Disc;
use crate::app::view::marks::{LEAST_NOTCHED, notch};
use egui_macroquad::egui::{Color32, Pos2, Vec2 as ScreenVec2, vec2};
use skirmish::partition::UnitId;
use skirmish::scene::Side;
use skirmish::volume::{Aabb3, Bodies3, Vec3};

/// The length of a unit, in metres, where it is large enough to be drawn to scale.
const LENGTH_METRES: f32 = 4.2;
/// Its least length in points, in the clear and in the deepest fog.
const LENGTH_POINTS: (f32, f32) = (7.5, 4.5);
/// A point is no larger than this, in points, however near the eye comes.
const MOST_POINTS: f32 = 18.0;
/// Seen from behind it is still so much of its length long.
const FORESHORTENED: f32 = 0.45;
/// More units in view than this are dots: their arrows would be a carpet.
const MOST_ARROWS: usize = 20_000;
/// Only so many have feet: of a crowd it is a sample.
const MOST_FEET: usize = 6_000;
/// The side of a foot, in points.
const FOOT: f32 = 1.4;
/// A body whose longest side is shorter than this on the screen, in points, is a point.
const LEAST_BODY: f32 = 7.0;
/// Only so many bodies are boxes: the nearest.
const MOST_BODIES: usize = 4_000;
/// So much of a body an arrow may take.
const BODY_SHARE: f32 = 0.5;

/// How far the rings of two who are compared are off them, and how wide these are, in points.
const MET: (f32, f32) = (4.0, 2.0);

/// What the query made of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was looked at and is too far away.
    TooFar,
    /// It is among the nearest so far.
    Nearest,
    /// It was found.
    Found,
}

/// A unit on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub at: Pos2,
    pub unit: UnitId,
    /// How deep in the fog it is.
    fog: f32,
    /// How many points a metre is there.
    scale: f32,
    pub side: Side,
    /// What the query made of it, if anything.
    fate: Option<Fate>,
    /// Whether its body is drawn.
    has_body: bool,
}

/// The units in view.
#[derive(Debug, Default)]
pub struct Units {
    placed: Vec<Placed>,
    far_first: FarFirst<Placed>,
    /// Feet on the ground, each with its opacity.
    feet: Vec<(Pos2, f32)>,
    fates: Vec<Option<Fate>>,
    /// Those of whom something is known, from far to near.
    marked: Vec<Placed>,
}

/// How many units there are, and of how many nothing is seen because of the slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub alive: usize,
    pub hidden: usize,
}

impl Units {
    /// Finds who is in view.
    pub fn choose(&mut self, stage: &Stage<'_>) -> Counts {
        self.placed.clear();
        self.note_fates(stage);
        let picture = stage.picture;
        let bodies = picture.bodies;
        let mut counts = Counts::default();
        let screen = stage.screen.expand(MOST_POINTS);
        for unit in bodies.ids() {
            counts.alive += 1;
            let center = bodies.center(unit);
            if stage.hides(center) {
                counts.hidden += 1;
                continue;
            }
            if !picture.layers.units {
                continue;
            }
            let Some((at, depth)) = stage.lens.project(center) else {
                continue;
            };
            let scale = stage.lens.scale(depth);
            let size = body_size(stage, unit, scale);
            if !screen.expand(size).contains(at) {
                continue;
            }
            self.placed.push(Placed {
                at,
                unit,
                fog: stage.fog(depth),
                scale,
                side: side(stage, unit),
                fate: self.fates.get(unit as usize).copied().flatten(),
                has_body: size >= LEAST_BODY,
            });
        }
        self.find_feet(stage);
        self.sort();
        counts
    }

    fn note_fates(&mut self, stage: &Stage<'_>) {
        self.fates.clear();
        let picture = stage.picture;
        let Some(query) = picture.query.filter(|_| picture.layers.query) else {
            return;
        };
        self.fates.resize(picture.bodies.slot_count(), None);
        for (units, fate) in [
            (&query.tested[..], Fate::TooFar),
            (picture.nearest, Fate::Nearest),
            (&query.hits[..], Fate::Found),
        ] {
            for unit in units {
                if let Some(place) = self.fates.get_mut(*unit as usize) {
                    *place = Some(fate);
                }
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.placed.len()
    }

    /// Whether they are too many to be arrows.
    pub fn are_dots(&self) -> bool {
        self.placed.len() > MOST_ARROWS
    }

    /// Puts them in the order in which they are drawn.
    fn sort(&mut self) {
        self.far_first.take(&self.placed, |placed| placed.fog);
        let all = self.far_first.things();
        self.marked.clear();
        if !self.fates.is_empty() {
            let known = |placed: &&Placed| placed.fate.is_some();
            self.marked.extend(all.iter().filter(known));
        }
        // The nearest are the last.
        let bodies = all.iter_mut().rev().filter(|placed| placed.has_body);
        for placed in bodies.skip(MOST_BODIES) {
            placed.has_body = false;
        }
    }

    /// Finds the feet of those in view: where on the ground they would fall.
    fn find_feet(&mut self, stage: &Stage<'_>) {
        self.feet.clear();
        let every = self.placed.len() / MOST_FEET + 1;
        for placed in self.placed.iter().step_by(every) {
            let mut foot = stage.picture.bodies.center(placed.unit);
            foot.z = ground_at(stage, foot);
            let seen = stage.lens.project(foot);
            let seen = seen.filter(|(at, _)| stage.screen.contains(*at));
            let foot = seen.map(|(at, depth)| (at, 0.9 - 0.6 * stage.fog(depth)));
            self.feet.extend(foot);
        }
    }

    /// Draws these feet.
    pub fn draw_feet(&self, ink: &mut impl Ink, stage: &Stage<'_>) {
        for (at, opacity) in &self.feet {
            ink.dot(*at, FOOT, stage.picture.palette.foot, *opacity);
        }
    }

    /// Draws those at one step of distance; whoever the query knows of waits for [`Units::draw_marked`].
    pub fn draw_step(&self, step: usize, ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
        let heights = ink.heights().expand(MOST_POINTS);
        let are_dots = self.are_dots();
        for &placed in self.far_first.step(step) {
            // A body may reach farther.
            if !(heights.contains(placed.at.y) || placed.has_body) {
                continue;
            }
            let color = stage.picture.palette.side(placed.side);
            let opacity = 0.88 - 0.62 * placed.fog;
            if placed.has_body {
                let bounds = stage.picture.bodies.aabb(placed.unit);
                stage.body(ink, bounds, color, 0.16 * opacity, room);
                let pen = Pen::solid(1.0, color, 0.55 * opacity);
                stage.seen_edges(ink, pen, bounds);
            }
            if placed.fate.is_some() {
                continue;
            }
            if are_dots {
                ink.dot(placed.at, dot(placed), color, opacity);
            } else {
                let length = length(stage, placed);
                let corners = arrow(stage, placed, length);
                ink.triangle(corners, color, opacity);
                tail(ink, stage, placed, corners, length);
            }
        }
    }

    /// Draws those of whom the query knows something, over all others.
    pub fn draw_marked(&self, ink: &mut impl Ink, stage: &Stage<'_>) {
        let palette = stage.picture.palette;
        let drawn = |fate: Fate| {
            let marked = self.marked.iter();
            marked.filter(move |placed| placed.fate == Some(fate))
        };
        if self.are_dots() {
            for &placed in drawn(Fate::TooFar) {
                ink.dot(placed.at, dot(placed), palette.tested, 0.8);
            }
            for &placed in drawn(Fate::Nearest).chain(drawn(Fate::Found)) {
                let color = palette.side_hits[placed.side as usize];
                ink.dot(placed.at, dot(placed), color, 1.0 - 0.5 * placed.fog);
            }
            return;
        }
        for &placed in drawn(Fate::TooFar) {
            let corners = arrow(stage, placed, length(stage, placed) + 0.5);
            ink.triangle(corners, palette.field, 0.85);
            outline(ink, stage, corners, 1.0, palette.tested, 0.9);
        }
        for &placed in drawn(Fate::Nearest) {
            let corners = arrow(stage, placed, length(stage, placed) + 1.0);
            let color = palette.side_hits[placed.side as usize];
            ink.triangle(corners, palette.field, 0.85);
            outline(ink, stage, corners, 1.8, color, 1.0);
        }
        for &placed in drawn(Fate::Found) {
            let length = length(stage, placed) + 2.0;
            let color = palette.side_hits[placed.side as usize];
            let corners = arrow(stage, placed, length);
            ink.triangle(corners, color, 1.0);
            tail(ink, stage, placed, corners, length);
            if length >= 12.0 {
                outline(ink, stage, corners, 1.0, palette.mark, 0.9);
            }
        }
    }

    /// Draws the ring around the unit under the pointer, and where that is over the ground.
    pub fn draw_hovered(&self, ink: &mut impl Ink, stage: &Stage<'_>) {
        let bodies = stage.picture.bodies;
        let unit = stage.picture.hovered.filter(|unit| bodies.is_alive(*unit));
        if let Some(placed) = unit.and_then(|unit| seen(stage, unit, bodies.center(unit))) {
            ring(ink, stage, placed, (4.0, 2.0));
            foot(ink, stage, bodies.center(placed.unit));
        }
    }
}

/// The rings around two who are compared, as they are drawn by an eye that sees a field behind a slice; of who is not in view there is none.
pub fn rings_of_met(
    eye: &Eye,
    (field, slice): (Aabb3, Option<Slice>),
    bodies: Bodies3<'_>,
    met: [UnitId; 2],
) -> [Option<Disc>; 2] {
    let picture = Picture {
        bodies,
        slice,
        met: Some(met),
        ..Picture::of_nobody(eye, field)
    };
    rings(&Stage::new(&picture))
}

fn rings(stage: &Stage<'_>) -> [Option<Disc>; 2] {
    let bodies = stage.picture.bodies;
    let Some(met) = stage.picture.met else {
        return [None; 2];
    };
    met.map(|unit| {
        let center = bodies.is_alive(unit).then(|| bodies.center(unit))?;
        let placed = seen(stage, unit, center)?;
        Some((placed.at, length(stage, placed) / 2.0 + MET.0))
    })
}

/// Draws a ring around each of two who are compared, and the way from the one to the other.
pub fn draw_met(ink: &mut impl Ink, stage: &Stage<'_>) {
    let pen = Pen::solid(MET.1, stage.picture.palette.mark, 1.0);
    let rings = rings(stage);
    for (at, radius) in rings.into_iter().flatten() {
        circle(ink, stage, at, radius, pen);
    }
    let [Some((a, radius_a)), Some((b, radius_b))] = rings else {
        return;
    };
    let apart = a.distance(b);
    // From ring to ring, or where these meet from one to the other.
    let (from, to) = match apart > radius_a + radius_b {
        true => {
            let way = (b - a) / apart;
            (a + way * radius_a, b - way * radius_b)
        }
        false => (a, b),
    };
    pen.draw(ink, stage.screen, from, to);
}

/// A unit as it is seen at a place; `None` where it is not.
pub fn seen(stage: &Stage<'_>, unit: UnitId, place: Vec3) -> Option<Placed> {
    if stage.hides(place) {
        return None;
    }
    let (at, depth) = stage.lens.project(place)?;
    let screen = stage.screen.expand(MOST_POINTS);
    screen.contains(at).then(|| Placed {
        at,
        unit,
        fog: stage.fog(depth),
        scale: stage.lens.scale(depth),
        side: side(stage, unit),
        fate: None,
        has_body: false,
    })
}

/// Draws a ring around a unit, so far off it and so wide.
pub fn ring(ink: &mut impl Ink, stage: &Stage<'_>, placed: Placed, (off, width): (f32, f32)) {
    let radius = length(stage, placed) / 2.0 + off;
    let pen = Pen::solid(width, stage.picture.palette.mark, 1.0);
    circle(ink, stage, placed.at, radius, pen);
}

/// Draws how high a place is over the ground.
pub fn foot(ink: &mut impl Ink, stage: &Stage<'_>, place: Vec3) {
    let ground = place.with_z(ground_at(stage, place));
    let pen = Pen::dotted(1.0, stage.picture.palette.mark, 0.4, [1.5, 3.5]);
    stage.line(ink, pen, place, ground);
}

/// How high the ground is under a place.
pub fn ground_at(stage: &Stage<'_>, place: Vec3) -> f32 {
    let picture = stage.picture;
    let low = picture.field.min.z;
    let height = picture
        .ground
        .map_or(low, |ground| ground(place.x, place.y));
    if height.is_finite() { height } else { low }
}

/// Draws a circle of the screen.
pub fn circle(ink: &mut impl Ink, stage: &Stage<'_>, at: Pos2, radius: f32, pen: Pen) {
    /// Enough that no corner is seen.
    const CORNERS: usize = 28;
    let place = |corner: usize| {
        let angle = corner as f32 / CORNERS as f32 * std::f32::consts::TAU;
        at + ScreenVec2::angled(angle) * radius
    };
    for corner in 0..CORNERS {
        pen.draw(ink, stage.screen, place(corner), place(corner + 1));
    }
}

fn side(stage: &Stage<'_>, unit: UnitId) -> Side {
    let side = stage.picture.sides.get(unit as usize).copied();
    side.unwrap_or(Side::Blue)
}

/// The side of a unit that is a dot, in points: what is near is larger.
pub fn dot(placed: Placed) -> f32 {
    if placed.fog < 0.4 { 2.0 } else { 1.0 }
}

/// How long a unit's body is on the screen, in points; 0 for a point.
fn body_size(stage: &Stage<'_>, unit: UnitId, scale: f32) -> f32 {
    let bodies = stage.picture.bodies;
    if bodies.are_sized() {
        bodies.half_extent(unit).max_element() * 2.0 * scale
    } else {
        0.0
    }
}

/// How long a unit's arrow is, in points: it lies inside the unit's body, as long as it can be seen.
pub fn length(stage: &Stage<'_>, placed: Placed) -> f32 {
    let (clear, faint) = LENGTH_POINTS;
    let least = clear + (faint - clear) * placed.fog;
    let length = (LENGTH_METRES * placed.scale).clamp(least, MOST_POINTS);
    if stage.picture.bodies.are_sized() {
        let half = stage.picture.bodies.half_extent(placed.unit);
        let fits = half.min_element() * 2.0 * BODY_SHARE * placed.scale;
        return length.min(fits.max(least));
    }
    length
}

/// The corners of a unit's arrow: the tip, then the two at the back. Seen from the front or from behind it is shorter.
pub fn arrow(stage: &Stage<'_>, placed: Placed, length: f32) -> [Pos2; 3] {
    let velocity = stage.picture.velocities.get(placed.unit as usize).copied();
    let way = velocity.and_then(Vec3::try_normalize);
    let way = way.unwrap_or(match placed.side {
        Side::Blue => Vec3::X,
        Side::Orange => Vec3::NEG_X,
    });
    let on_screen = vec2(way.dot(stage.lens.right), -way.dot(stage.lens.up));
    let shown = on_screen.length();
    let along = if shown > 1.0e-3 {
        on_screen / shown
    } else {
        vec2(0.0, -1.0)
    };
    let across = along.rot90() * length * 0.34;
    let along = along * length * shown.max(FORESHORTENED);
    [
        placed.at + along * 0.58,
        placed.at - along * 0.42 + across,
        placed.at - along * 0.42 - across,
    ]
}

/// Where sides are marked: the notch in the tail of an orange unit's arrow.
pub fn tail(
    ink: &mut impl Ink,
    stage: &Stage<'_>,
    placed: Placed,
    corners: [Pos2; 3],
    length: f32,
) {
    let palette = stage.picture.palette;
    if palette.mark_sides && placed.side == Side::Orange && length >= LEAST_NOTCHED {
        ink.triangle(notch(corners), palette.field, 1.0);
    }
}

fn outline(
    ink: &mut impl Ink,
    stage: &Stage<'_>,
    [a, b, c]: [Pos2; 3],
    width: f32,
    color: Color32,
    opacity: f32,
) {
    let pen = Pen::solid(width, color, opacity);
    for (from, to) in [(a, b), (b, c), (c, a)] {
        pen.draw(ink, stage.screen, from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ink::Lines;
    use super::*;
    use egui_macroquad::egui::{Rect, pos2};

    #[test]
    fn two_who_are_compared_have_a_ring_each_and_a_line_from_ring_to_ring() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        let eye = Eye::framing(field, screen);
        let centers = [Vec3::new(20.0, 50.0, 50.0), Vec3::new(80.0, 50.0, 50.0)];
        let drawn = |met: Option<[UnitId; 2]>| {
            let picture = Picture {
                bodies: Bodies3::points(&centers),
                met,
                ..Picture::of_nobody(&eye, field)
            };
            let stage = Stage::new(&picture);
            let mut lines = Lines::default();
            draw_met(&mut lines, &stage);
            let at = centers.map(|center| seen(&stage, 0, center).expect("in view").at);
            (lines.0, at)
        };
        assert!(drawn(None).0.is_empty());
        let (lines, [a, b]) = drawn(Some([0, 1]));
        let near = |at: Pos2| {
            let is_near = |ends: &&[Pos2; 2]| ends.iter().all(|end| end.distance(at) < 30.0);
            lines.iter().filter(is_near).count()
        };
        assert!(near(a) >= 20 && near(b) >= 20);
        let [from, to] = *lines.last().expect("a line between them");
        assert!(from.distance(a) < 30.0 && to.distance(b) < 30.0);
        assert!(from.distance(to) > 0.7 * a.distance(b));
        // Whoever asks where the rings are is told of those that are drawn.
        let told = rings_of_met(&eye, (field, None), Bodies3::points(&centers), [0, 1]);
        let [on_a, on_b] = told.map(|ring| {
            let (at, radius) = ring.expect("in view");
            let on_it = |end: &Pos2| (end.distance(at) - radius).abs() < 0.05;
            lines.iter().filter(|ends| ends.iter().all(on_it)).count()
        });
        assert!(on_a >= 20 && on_b >= 20, "{told:?}");
    }
}
