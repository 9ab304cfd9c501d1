//! Whether what happens at a step is seen, and the arrow at the rim that leads to what is not.

use super::field::corners;
use crate::app::palette::Palette;
use crate::app::state::{App, Stepping};
use crate::app::view::field::{Disc, Look, fitted, length};
use crate::app::widgets::look_at;
use egui_macroquad::egui::{Painter, Pos2, Rect, Shape, Stroke, Vec2 as ScreenVec2};
use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::partition::UnitId;
use skirmish::story::{Concerned, Operation, Reel, Step};

/// The ring around a unit, in points, at the least.
const RING: f32 = 8.0;

/// Where what happens at this step is, where nothing of it is seen beside the drawers, as it is drawn.
pub fn out_of_sight(
    look: &Look<'_>,
    app: &App,
    (stepping, reel, now): (&Stepping, &Reel, &Step),
) -> Option<Pos2> {
    if let Some(place) = reel.story().place(now) {
        let place = Some(place).filter(|it| !it.bounds.is_empty())?;
        let rect = Rect::from_points(&corners(look.camera, &place.outline));
        return (!rect.intersects(look.room)).then(|| rect.center());
    }
    // Objects of a world have regions of their own, and of a moment that is gone nobody stands where he stood.
    if stepping.is_of_world() || !stepping.is_present {
        return None;
    }
    let (discs, _) = rings(look, app, now)?;
    let middle = match discs[..] {
        [(from, _), (to, _)] => from.lerp(to, 0.5),
        _ => discs.first()?.0,
    };
    (!are_seen(look.room, &discs)).then_some(middle)
}

/// An arrow at the rim of the view towards a place beyond that. Gives where it lies.
pub fn towards(painter: &Painter, look: &Look<'_>, palette: &Palette, away: Pos2) -> Rect {
    /// From its middle to its tip, and to its foot and half along that, in points.
    const TIP: f32 = 8.0;
    const FOOT: f32 = 5.0;
    let (at, way) = at_rim(look.room, away, look.taken);
    let (foot, across) = (at - way * FOOT, way.rot90() * FOOT);
    let points = vec![at + way * TIP, foot + across, foot - across];
    let around = Rect::from_points(&points);
    look_at(painter.ctx(), around);
    let line = Stroke::new(1.0, palette.field);
    painter.add(Shape::convex_polygon(points, palette.mark, line));
    around
}

/// Where in a room an arrow stands that points to a place beyond it, and whither: at the rim, and off what has its place there already.
fn at_rim(room: Rect, away: Pos2, taken: &[Rect]) -> (Pos2, ScreenVec2) {
    /// So far off the rim it stands, and off what is there, and so far it gives way each time, in points.
    const OFF: f32 = 12.0;
    let (middle, half) = (room.center(), room.size() / 2.0 - ScreenVec2::splat(OFF));
    let way = (away - middle).normalized();
    let most = (half.x / way.x.abs()).min(half.y / way.y.abs()).max(0.0);
    let is_free = |at: &Pos2| !taken.iter().any(|other| other.expand(OFF).contains(*at));
    let places = (0..u16::MAX).map(|step| most - OFF * f32::from(step));
    let mut places = places
        .take_while(|far| *far > 0.0)
        .map(|far| middle + way * far);
    let at = places.find(is_free);
    (at.unwrap_or(middle + way * most), way)
}

/// The rings around whom a step concerns, of units that are there; and those two who stand closer than their rings, and have one around both.
pub fn rings(look: &Look<'_>, app: &App, now: &Step) -> Option<(Vec<Disc>, Option<[UnitId; 2]>)> {
    /// How far a ring stands off the line around an arrow, in points.
    const OFF: f32 = 3.0;
    let bodies = app.battle.bodies();
    let disc = |unit: UnitId| {
        let at = bodies.is_alive(unit).then(|| bodies.center(unit))?;
        // Around all of its arrow, whose tip is farther off its middle than half of its length.
        let ring = (0.58 * lined(look, unit) + OFF).max(RING);
        Some((look.camera.to_screen(at), ring))
    };
    match now.units {
        Concerned::One(unit) => Some((vec![disc(unit)?], None)),
        Concerned::Two(a, b) => {
            let two = [disc(a)?, disc(b)?];
            let discs = rings_of_two(two);
            let together = (discs.len() == 1).then_some([a, b]);
            Some((discs, together))
        }
        Concerned::Nobody | Concerned::Load(_) => None,
    }
}

/// The rings of two, or the one around both.
fn rings_of_two([(from, one), (to, other)]: [Disc; 2]) -> Vec<Disc> {
    let apart = from.distance(to);
    match apart < one + other {
        true => vec![(from.lerp(to, 0.5), one.max(other) + apart / 2.0)],
        false => vec![(from, one), (to, other)],
    }
}

/// The circle of a search for the nearest to a point: so far it has to look, as far as it knows by now, in metres.
pub fn nearest_circle(look: &Look<'_>, stepping: &Stepping) -> Option<(Vec2, f32)> {
    let Some(&Operation::Nearest { point, .. }) = stepping.operation() else {
        return None;
    };
    let bodies = look.battle.bodies();
    let away_sq = |unit| {
        let is_there = bodies.is_alive(unit);
        is_there.then(|| bodies.aabb(unit).distance_sq(point))
    };
    Some((point, stepping.nearest_reach(away_sq)? as f32))
}

/// How long the line around the arrow of a unit is.
pub fn lined(look: &Look<'_>, unit: UnitId) -> f32 {
    /// Between an arrow and that, in points.
    const AROUND: f32 = 7.0;
    fitted(look, unit, length(look)) + AROUND
}

/// Whether anything of these rings, and of the line between two of them, is seen in a room.
pub fn are_seen(room: Rect, discs: &[Disc]) -> bool {
    let mut rings = discs.iter();
    let is_joined = matches!(*discs, [(from, _), (to, _)] if meets_line(room, from, to));
    is_joined || rings.any(|(at, ring)| meets_ring(room, *at, *ring))
}

/// Whether a rectangle of the screen and a disc meet.
pub fn meets_ring(screen: Rect, middle: Pos2, radius: f32) -> bool {
    screen.distance_to_pos(middle) <= radius
}

/// Whether a rectangle of the screen and the line between two places meet.
fn meets_line(screen: Rect, from: Pos2, to: Pos2) -> bool {
    let place = |at: Pos2| Vec2::new(at.x, at.y);
    let line = Segment {
        from: place(from),
        to: place(to),
        half_width: 0.0,
    };
    line.meets(Aabb::new(place(screen.min), place(screen.max)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{pos2, vec2};

    #[test]
    fn an_arrow_to_what_is_out_of_sight_stands_at_the_rim_and_off_what_is_there() {
        let room = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 300.0));
        let (at, way) = at_rim(room, pos2(900.0, 150.0), &[]);
        assert_eq!((at, way), (pos2(388.0, 150.0), vec2(1.0, 0.0)));
        let (above, _) = at_rim(room, pos2(200.0, -50.0), &[]);
        assert_eq!(above, pos2(200.0, 12.0));
        // Towards a corner it is no farther out than either side.
        let (corner, way) = at_rim(room, pos2(-4_000.0, 3_000.0), &[]);
        assert!(room.shrink(11.9).contains(corner) && way.x < 0.0 && way.y > 0.0);
        let chip = Rect::from_min_max(pos2(340.0, 130.0), pos2(400.0, 170.0));
        let (at, _) = at_rim(room, pos2(900.0, 150.0), &[chip]);
        assert!(
            room.contains(at) && !chip.expand(8.0).contains(at),
            "{at:?}"
        );
        // In however wide a room all of it is tried, and where nothing of it is free it stands at the rim all the same.
        let wide = Rect::from_min_max(pos2(0.0, 0.0), pos2(9_000.0, 300.0));
        let (at, _) = at_rim(wide, pos2(20_000.0, 150.0), &[wide]);
        assert_eq!(at, pos2(8_988.0, 150.0));
    }

    #[test]
    fn whose_ring_reaches_into_the_room_beside_a_drawer_is_in_sight_and_who_stands_below_that_is_not()
     {
        let room = Rect::from_min_max(pos2(100.0, 0.0), pos2(400.0, 300.0));
        let at = |x: f32| (pos2(x, 90.0), 12.0);
        assert!(are_seen(room, &[at(95.0)]) && are_seen(room, &[at(408.0)]));
        assert!(!are_seen(room, &[at(60.0)]) && !are_seen(room, &[at(420.0)]));
        // Of two their one ring, either one's own, or the line between them.
        let two = |a: f32, b: f32| are_seen(room, &rings_of_two([at(a), at(b)]));
        assert_eq!(
            rings_of_two([at(70.0), at(90.0)]),
            [(pos2(80.0, 90.0), 22.0)]
        );
        assert!(two(70.0, 90.0) && two(20.0, 95.0) && two(60.0, 440.0));
        assert!(!two(60.0, 70.0) && !two(20.0, 60.0));
    }

    #[test]
    fn two_beside_a_corner_of_the_view_are_out_of_sight_also_where_the_box_around_them_is_not() {
        let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 300.0));
        let (left, above) = (pos2(-60.0, 30.0), pos2(30.0, -60.0));
        let around = Rect::from_two_pos(left, above);
        assert!(around.intersect(screen).is_positive());
        assert!(!meets_line(screen, left, above));
        assert!(![left, above].iter().any(|at| meets_ring(screen, *at, 12.0)));
        // Through a corner, from side to side, and right within.
        assert!(meets_line(screen, pos2(-60.0, 90.0), pos2(90.0, -60.0)));
        assert!(meets_line(screen, pos2(-60.0, 90.0), pos2(500.0, 90.0)));
        assert!(meets_line(screen, pos2(20.0, 90.0), pos2(50.0, 90.0)));
        assert!(!meets_line(screen, pos2(-60.0, 90.0), pos2(-20.0, 90.0)));
        // A ring that reaches in, and one that does not at a corner.
        assert!(meets_ring(screen, pos2(-8.0, 90.0), 8.5));
        assert!(!meets_ring(screen, pos2(-8.0, -8.0), 8.5));
    }
}
