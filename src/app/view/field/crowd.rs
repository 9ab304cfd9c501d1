//! Where units or objects stand on the screen: words about them keep off them where they can.

use super::look::Look;
use crate::app::commands::View;
use crate::app::eye::Eye;
use crate::app::state::App;
use egui_macroquad::egui::{
    Color32, Context, Id, Painter, Pos2, Rangef, Rect, Stroke, Vec2, pos2, vec2,
};
use skirmish::flight::Flight;
use std::cell::OnceCell;

/// So many units are looked at: of more every second, third … one tells where the crowd is as well. Of objects, each of which is larger and
/// stands alone, more.
const UNITS: usize = 4096;
const OBJECTS: usize = 8192;

/// Some of those in view, where they are drawn. A hundred places for words are looked at in a frame, each of which is narrow.
pub struct Crowd {
    places: Vec<Pos2>,
    /// From left to right, once somebody asks.
    sorted: OnceCell<Vec<Pos2>>,
}

impl Crowd {
    /// Of the units that a look shows.
    pub fn of(look: &Look<'_>) -> Self {
        let bodies = look.battle.bodies();
        let places = look.battle.positions().iter().enumerate();
        let some = places.step_by(every(bodies.slot_count(), UNITS));
        let standing = some.filter(|(unit, _)| bodies.is_alive(*unit as u32));
        let drawn = standing.map(|(_, at)| look.camera.to_screen(*at));
        Self::within_screen(drawn, look.camera.screen)
    }

    /// Of whom the present view shows in the whole field, in each of these pictures beside each other where it is parted into such.
    pub fn in_view(app: &App, panes: &[Rect]) -> Self {
        let screen = app.camera.screen;
        match (app.view, &app.flight, &app.space.eye, &app.stream) {
            (View::Battle, ..) => Self::of(&Look::first(app)),
            (View::Volume, Some(flight), Some(eye), _) => Self::in_space(flight, eye),
            (View::Compare, Some(flight), ..) if app.shows_space() => {
                let eyes = panes.iter().filter_map(|pane| app.eye_of_pane(*pane));
                let each = eyes.map(|eye| Self::in_space(flight, &eye).places);
                Self::at(each.flatten().collect())
            }
            (View::Compare, ..) => {
                let each = panes.iter().map(|pane| {
                    // Who stands where is the same in all of them.
                    let look = Look::at(app, app.lane(), *pane);
                    Self::of(&look).places
                });
                Self::at(each.flatten().collect())
            }
            (View::Streaming, _, _, Some(stream)) => {
                let count = stream.objects().len();
                let some = (0..count).step_by(every(count, OBJECTS));
                // Whoever is not there is an outline alone.
                let states = stream.states();
                let wanted = some.filter(|object| states[*object].is_wanted());
                let bodies = wanted.map(|object| stream.body(object as u32));
                let bodies = bodies.map(|body| app.camera.rect_to_screen(body));
                let seen = bodies.filter(|body| body.intersects(screen));
                let character = app.camera.to_screen(stream.character());
                let places = seen.flat_map(spread).chain(std::iter::once(character));
                Self::within_screen(places, screen)
            }
            _ => Self::at(Vec::new()),
        }
    }

    fn in_space(flight: &Flight, eye: &Eye) -> Self {
        let (lens, bodies) = (eye.lens(), flight.bodies());
        let some = (0..bodies.slot_count()).step_by(every(bodies.slot_count(), UNITS));
        let standing = some.filter(|unit| bodies.is_alive(*unit as u32));
        let places = standing.map(|unit| bodies.center(unit as u32));
        let drawn = places.filter_map(|at| Some(lens.project(at)?.0));
        Self::within_screen(drawn, eye.screen)
    }

    fn within_screen(places: impl Iterator<Item = Pos2>, screen: Rect) -> Self {
        Self::at(places.filter(|at| screen.contains(*at)).collect())
    }

    pub(in crate::app::view) fn at(places: Vec<Pos2>) -> Self {
        let sorted = OnceCell::new();
        Self { places, sorted }
    }

    /// How much words in a rectangle would hide: first of what is `looked_at`, then of those who stand there.
    pub fn hidden_by(&self, rect: Rect, looked_at: &[Rect]) -> (usize, usize) {
        (count_in(rect, looked_at), self.within(rect))
    }

    /// The same with what words [`cost`](Self::cost) that are about a rectangle.
    pub fn costs(&self, words: Rect, about: Rect, looked_at: &[Rect]) -> (usize, usize) {
        (count_in(words, looked_at), self.cost(words, about))
    }

    /// What words in a rectangle cost that are about another one: whom they hide, and how far off they stand.
    pub fn cost(&self, words: Rect, about: Rect) -> usize {
        /// So many points farther off are worth as much as one more who is hidden.
        const APART: f32 = 24.0;
        /// A few whom words hide are not missed; each more is worth as much as so many.
        const FEW: usize = 4;
        const MISSED: usize = 8;
        let hidden = self.within(words);
        let missed = hidden.saturating_sub(FEW);
        hidden + missed * (MISSED - 1) + (gap(words, about) / APART) as usize
    }

    /// How many of them stand in a rectangle.
    pub fn within(&self, rect: Rect) -> usize {
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted = self.places.clone();
            sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
            sorted
        });
        let from = sorted.partition_point(|at| at.x < rect.left());
        let beside = sorted[from..].iter();
        let beside = beside.take_while(|at| at.x <= rect.right());
        beside.filter(|at| rect.y_range().contains(at.y)).count()
    }
}

/// Where a body is hidden, wherever words lie on it: in its middle, of one that is not small at its corners as well, and of a large one on
/// its sides too.
fn spread(body: Rect) -> impl Iterator<Item = Pos2> {
    const SMALL: f32 = 6.0;
    const LARGE: f32 = 16.0;
    const MIDDLE: u8 = 4;
    let side = body.width().max(body.height());
    let parts = (0..9_u8).filter(move |part| {
        let is_corner = part % 2 == 0;
        *part == MIDDLE || side >= LARGE || side >= SMALL && is_corner
    });
    parts.map(move |part| {
        let [x, y] = [part % 3, part / 3].map(|third| 0.1 + 0.4 * f32::from(third));
        body.min + body.size() * vec2(x, y)
    })
}

/// A place where words may stand: its number, itself, and what it costs: how much of what one looks at it hides, and whom besides.
pub type Costly = (usize, Rect, (usize, usize));

/// The cheapest of these places.
pub fn cheapest(places: &[Costly]) -> Option<(usize, Rect)> {
    let least = places
        .iter()
        .min_by_key(|(place, _, cost)| (*cost, *place))?;
    Some((least.0, least.1))
}

/// [`cheapest`], or the one of the last frames as long as that costs hardly more: who reads words while time goes on does not look for them.
pub fn settled(ctx: &Context, id: Id, places: &[Costly]) -> Option<(usize, Rect)> {
    let least = places
        .iter()
        .min_by_key(|(place, _, cost)| (*cost, *place))?;
    let pass = ctx.cumulative_pass_nr();
    let before: Option<(usize, u64)> = ctx.data(|data| data.get_temp(id));
    let before = before.filter(|(_, at)| pass - at <= 2);
    let (seen, cost) = least.2;
    let is_good = |it: &(usize, usize)| it.0 <= seen && it.1 <= cost + cost / 4 + 3;
    let stays = places
        .iter()
        .find(|(place, _, cost)| before.is_some_and(|it| it.0 == *place) && is_good(cost));
    let (place, rect, _) = *stays.unwrap_or(least);
    ctx.data_mut(|data| data.insert_temp(id, (place, pass)));
    Some((place, rect))
}

/// The way of a line, piece by piece, for what keeps off it.
pub fn pieces(from: Pos2, to: Pos2) -> impl Iterator<Item = Rect> {
    const PIECES: u8 = 24;
    let parts = (0..=PIECES).map(|piece| f32::from(piece) / f32::from(PIECES));
    parts.map(move |part| Rect::from_center_size(from.lerp(to, part), Vec2::splat(4.0)))
}

/// How far two rectangles are from each other, in points.
pub fn gap(one: Rect, other: Rect) -> f32 {
    let apart = |least: f32, most: f32| (least - most).max(0.0);
    let x = apart(one.left(), other.right()).max(apart(other.left(), one.right()));
    let y = apart(one.top(), other.bottom()).max(apart(other.top(), one.bottom()));
    x.hypot(y)
}

/// Where words of this size stand at the edges of a room: for those that would hide too many beside what they are about. A line leads there.
pub fn edges(room: Rect, size: Vec2) -> Vec<Pos2> {
    const COLUMNS: u8 = 4;
    let room = without(room, size);
    let ends = (1..COLUMNS).flat_map(|column| {
        let x = room.left() + room.width() * part(column, COLUMNS);
        [room.top(), room.bottom()].map(|y| pos2(x, y))
    });
    sides(room).chain(ends).collect()
}

/// The part of a room in which the upper left corner of words of this size lies.
fn without(room: Rect, size: Vec2) -> Rect {
    Rect::from_min_max(room.min, (room.max - size).max(room.min))
}

fn part(of: u8, all: u8) -> f32 {
    f32::from(of) / f32::from(all)
}

fn sides(room: Rect) -> impl Iterator<Item = Pos2> {
    const ROWS: u8 = 6;
    (0..=ROWS).flat_map(move |row| {
        let y = room.top() + room.height() * part(row, ROWS);
        [room.left(), room.right()].map(|x| pos2(x, y))
    })
}

/// The same, and then those at the sides once more, off the handles of drawers that may be there.
pub fn all_edges(room: Rect, size: Vec2) -> Vec<Pos2> {
    const HANDLE: f32 = 13.0;
    let mut places = edges(room, size);
    places.extend(sides(without(room.shrink2(vec2(HANDLE, 0.0)), size)));
    places
}

/// Where words of this size stand beside a whole picture: above it and below it, where it leaves room there.
pub fn beside_all(picture: Rect, size: Vec2) -> impl Iterator<Item = Pos2> {
    const OFF: f32 = 6.0;
    const COLUMNS: u8 = 6;
    let (above, below) = (picture.top() - size.y - OFF, picture.bottom() + OFF);
    (0..=COLUMNS).flat_map(move |column| {
        let x = picture.left() + (picture.width() - size.x) * part(column, COLUMNS);
        [pos2(x, below), pos2(x, above)]
    })
}

/// What it costs that words lie across the border of the field, or so near beside it that they seem to: as good as anything else is better.
pub const STRADDLING: usize = 1_000;

/// Words that lie beside the field are so far off it, in points.
const OFF_FIELD: f32 = 8.0;

/// Whether words lie neither inside of the field nor off it.
pub fn straddles(words: Rect, field: Rect) -> bool {
    field.expand(OFF_FIELD).intersects(words) && !field.contains_rect(words)
}

/// Where words of this size stand off the field, level with what they are about, and straight above and below that.
pub fn off_field(field: Rect, about: Rect, size: Vec2) -> impl Iterator<Item = Pos2> {
    const OFF: f32 = OFF_FIELD + 1.0;
    let (before, behind) = (field.left() - OFF - size.x, field.right() + OFF);
    let (above, below) = (field.top() - OFF - size.y, field.bottom() + OFF);
    let parts = [0.5, 0.0, 1.0].into_iter();
    parts.flat_map(move |part| {
        let at = about.min + part * (about.size() - size);
        [
            pos2(behind, at.y),
            pos2(before, at.y),
            pos2(at.x, below),
            pos2(at.x, above),
        ]
    })
}

/// The point on the outline of words that is nearest to one on the edge of their rectangle, where its corners are so round.
pub fn on_outline(words: Rect, round: f32, from: Pos2) -> Pos2 {
    let middle = words.shrink(round).clamp(from);
    let way = from - middle;
    match way.x != 0.0 && way.y != 0.0 {
        true => middle + way.normalized() * round,
        false => from,
    }
}

/// Words that are nearer than this to what they are about, in points, need no line to it.
const APART: f32 = 14.0;

/// Whether words stand so far from what they are about that a line leads from them to it.
pub fn is_apart(words: Rect, about: Rect) -> bool {
    gap(words, about) > APART
}

/// The line from words, whose corners are so `round`, to what they are about, where they stand apart from it. Gives its way, piece by piece, for
/// what keeps off it.
pub fn leader(
    painter: &Painter,
    (words, round): (Rect, f32),
    about: Rect,
    color: Color32,
) -> Vec<Rect> {
    // Of what lies outside of the view nothing may be left.
    let is_somewhere = about.is_finite() && about.width() >= 0.0 && about.height() >= 0.0;
    if !(is_somewhere && is_apart(words, about)) {
        return Vec::new();
    }
    let (from, to) = ends(words, about);
    let from = on_outline(words, round, from);
    painter.line_segment([from, to], Stroke::new(1.0, color));
    pieces(from, to).collect()
}

/// A disc on the screen: its middle, and its radius in points.
pub type Disc = (Pos2, f32);

/// The same to the nearest of some discs, as the rings around two units are: between them somebody else may stand, and a line that ends there
/// would be taken to be about that one.
pub fn leader_to_disc(painter: &Painter, words: Rect, discs: &[Disc], color: Color32) -> Vec<Rect> {
    let Some((from, to)) = to_nearest(words, discs) else {
        return Vec::new();
    };
    painter.line_segment([from, to], Stroke::new(1.0, color));
    pieces(from, to).collect()
}

/// Where the line from words to the nearest of some discs begins and ends: on its rim. Nothing where they stand right beside it.
fn to_nearest(words: Rect, discs: &[Disc]) -> Option<(Pos2, Pos2)> {
    let away = |(middle, radius): &Disc| words.distance_to_pos(*middle) - radius;
    let known = discs.iter().filter(|(middle, _)| middle.is_finite());
    let nearest = known.min_by(|one, other| away(one).total_cmp(&away(other)))?;
    if away(nearest) <= APART {
        return None;
    }
    let (middle, radius) = *nearest;
    let from = words.clamp(middle);
    Some((from, middle + (from - middle).normalized() * radius))
}

/// Where the line from words to what they are about begins and ends: short, off the corners of that, and at an angle to its edges, of which it
/// would seem to be one otherwise. Words are low: of those that stand far beside what they are about it leans as much as the two heights let it.
fn ends(words: Rect, about: Rect) -> (Pos2, Pos2) {
    /// So far off a corner, in points, where an edge is so long.
    const OFF: f32 = 12.0;
    /// So far aside for each point of the way.
    const LEAN: f32 = 0.35;
    let away = |ends: (f32, f32)| (ends.0 - ends.1).abs();
    // Along one axis: a place on each of two ranges, as near to each other as a line may be that goes so far across.
    let along = |words: Rangef, about: Rangef, across: f32| {
        let off = OFF.min(about.span() / 4.0);
        let inner = Rangef::new(about.min + off, about.max - off);
        let to = words.center().clamp(inner.min, inner.max);
        let from = to.clamp(words.min, words.max);
        let lean = LEAN * across;
        if away((from, to)) >= lean {
            return (from, to);
        }
        // First the end at the words gives way, and where these are too short the other one.
        let leaning = |way: f32| {
            let from = (to + way * lean).clamp(words.min, words.max);
            (from, (from - way * lean).clamp(inner.min, inner.max))
        };
        let way = if words.center() >= to { 1.0 } else { -1.0 };
        let [first, other] = [way, -way].map(leaning);
        // Where both are too short it leans the other way if it leans farther so, and not by what is rounded.
        match away(other) > away(first) + 0.5 {
            true => other,
            false => first,
        }
    };
    let (x, y) = (
        beyond(words.x_range(), about.x_range()),
        beyond(words.y_range(), about.y_range()),
    );
    // From the side of what they are about from which they are farther off.
    match (x, y) {
        (x, Some(y)) if x.is_none_or(|x| away(y) >= away(x)) => {
            let (from, to) = along(words.x_range(), about.x_range(), away(y));
            (pos2(from, y.0), pos2(to, y.1))
        }
        (Some(x), _) => {
            let (from, to) = along(words.y_range(), about.y_range(), away(x));
            (pos2(x.0, from), pos2(x.1, to))
        }
        (None, _) => {
            let to = about.clamp(words.center());
            (words.clamp(to), to)
        }
    }
}

/// The ends of two ranges that face each other, where the first lies beyond the second.
fn beyond(one: Rangef, other: Rangef) -> Option<(f32, f32)> {
    if one.min > other.max {
        Some((one.min, other.max))
    } else if one.max < other.min {
        Some((one.max, other.min))
    } else {
        None
    }
}

/// How many of these a rectangle would lie on.
fn count_in(rect: Rect, others: &[Rect]) -> usize {
    let others = others.iter().filter(|other| other.intersects(rect));
    others.count()
}

fn every(count: usize, most: usize) -> usize {
    count.div_ceil(most).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_to_one_of_two_ends_at_the_ring_of_the_nearer_and_not_between_them() {
        let discs = [(pos2(100.0, 200.0), 12.0), (pos2(180.0, 120.0), 8.0)];
        let words = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(90.0, 18.0));
        for (words, nearer) in [
            (words(-60.0, 100.0), 0),
            (words(60.0, 60.0), 1),
            (words(150.0, 260.0), 0),
            (words(230.0, 40.0), 1),
        ] {
            let (from, to) = to_nearest(words, &discs).expect("a line");
            let (middle, radius) = discs[nearer];
            assert!((to.distance(middle) - radius).abs() < 0.01, "{words:?}");
            assert!(words.expand(0.01).contains(from), "{words:?}");
        }
        // Right beside one there is none, and of nobody neither.
        assert_eq!(to_nearest(words(116.0, 190.0), &discs), None);
        assert_eq!(to_nearest(words(0.0, 0.0), &[]), None);
    }

    #[test]
    fn places_at_the_edges_lie_in_the_room_and_what_is_far_costs_more() {
        let room = Rect::from_min_size(pos2(10.0, 20.0), vec2(300.0, 200.0));
        let size = vec2(80.0, 20.0);
        for at in edges(room, size) {
            assert!(room.contains_rect(Rect::from_min_size(at, size)), "{at}");
        }
        // In less room than they take they begin where it does.
        let little = edges(Rect::from_min_size(room.min, vec2(5.0, 5.0)), size);
        assert!(little.iter().all(|at| *at == room.min));
        let about = Rect::from_min_size(pos2(100.0, 100.0), vec2(10.0, 10.0));
        let at = |x: f32| Rect::from_min_size(pos2(x, 100.0), size);
        assert_eq!(gap(at(105.0), about), 0.0);
        assert_eq!(gap(at(150.0), about), 40.0);
        let crowd = Crowd::at(vec![pos2(120.0, 110.0), pos2(130.0, 110.0)]);
        let (near, far) = (crowd.cost(at(115.0), about), crowd.cost(at(190.0), about));
        assert_eq!((near, far), (2, 3));
        assert!(crowd.cost(at(140.0), about) < near);
        // Seven are three more than a few.
        let crowd = Crowd::at(vec![pos2(120.0, 110.0); 7]);
        assert_eq!(crowd.cost(at(115.0), about), 4 + 3 * 8);
    }

    #[test]
    fn the_line_to_what_words_are_about_leaves_its_edge_at_an_angle() {
        let about = Rect::from_min_size(pos2(200.0, 200.0), vec2(120.0, 80.0));
        // Above it and across its corner, right above it, off a corner, and beside it: far off, the two heights let it lean by less.
        for (corner, least) in [
            ((150.0, 100.0), 0.25),
            ((220.0, 100.0), 0.25),
            ((40.0, 60.0), 0.25),
            ((500.0, 400.0), 0.25),
            ((400.0, 230.0), 0.25),
            ((500.0, 230.0), 0.2),
            ((500.0, 232.0), 0.2),
        ] {
            let words = Rect::from_min_size(corner.into(), vec2(100.0, 18.0));
            let (from, to) = ends(words, about);
            assert!(words.contains(from) && about.contains(to), "{corner:?}");
            let way = to - from;
            let (short, long) = (way.x.abs().min(way.y.abs()), way.length());
            assert!(short > least * long, "{corner:?}: {way:?}");
            let inner = about.shrink(0.5);
            assert!(!inner.contains(to), "{corner:?}: {to:?}");
            let corners = [about.left(), about.right()];
            let off_corners = corners.iter().all(|x| (to.x - x).abs() > 6.0);
            assert!(off_corners || to.y > about.top() + 6.0 && to.y < about.bottom() - 6.0);
        }
        // What is as small as a point has one as well.
        let point = Rect::from_min_size(pos2(300.0, 300.0), vec2(12.0, 12.0));
        let words = Rect::from_min_size(pos2(280.0, 200.0), vec2(60.0, 18.0));
        let (from, to) = ends(words, point);
        assert!((to - from).x.abs() > 10.0, "{from:?} {to:?}");
    }

    #[test]
    fn a_line_begins_on_the_outline_of_words_with_round_corners() {
        let words = Rect::from_min_size(pos2(40.0, 40.0), vec2(90.0, 20.0));
        // Off the corners where it did.
        for from in [pos2(80.0, 60.0), pos2(40.0, 50.0), pos2(125.0, 40.0)] {
            assert_eq!(on_outline(words, 5.0, from), from);
        }
        for corner in [words.min, words.max, words.right_top(), words.left_bottom()] {
            let from = on_outline(words, 5.0, corner);
            let middle = words.shrink(5.0).clamp(corner);
            assert!((from.distance(middle) - 5.0).abs() < 0.01, "{from:?}");
            assert_eq!(on_outline(words, 0.0, corner), corner);
        }
    }

    #[test]
    fn words_off_the_field_are_a_little_off_it_and_level_with_what_they_are_about() {
        let field = Rect::from_min_size(pos2(200.0, 100.0), vec2(240.0, 150.0));
        let about = Rect::from_min_size(pos2(300.0, 140.0), vec2(30.0, 20.0));
        let size = vec2(120.0, 18.0);
        for at in off_field(field, about, size) {
            let words = Rect::from_min_size(at, size);
            assert!(!straddles(words, field) && !field.intersects(words));
            let is_beside = words.y_range().intersects(about.y_range());
            assert!(is_beside || words.x_range().intersects(about.x_range()));
        }
        let at = |x: f32| Rect::from_min_size(pos2(x, 150.0), size);
        assert!(straddles(at(100.0), field) && straddles(at(445.0), field));
        assert!(!straddles(at(210.0), field) && !straddles(at(460.0), field));
    }

    #[test]
    fn what_lies_outside_of_the_view_has_no_line() {
        let words = Rect::from_min_size(pos2(40.0, 40.0), vec2(90.0, 20.0));
        let ctx = Context::default();
        let _ = ctx.run(egui_macroquad::egui::RawInput::default(), |ctx| {
            let line = |about| leader(&ctx.debug_painter(), (words, 5.0), about, Color32::WHITE);
            // As what a polygon and the view have in common is, where that is nothing.
            let outside = Rect::from_min_max(pos2(900.0, 10.0), pos2(800.0, 60.0));
            assert!(line(outside).is_empty());
            assert!(line(Rect::NOTHING).is_empty());
            let beside = line(Rect::from_min_size(pos2(300.0, 40.0), vec2(9.0, 9.0)));
            assert!(beside.iter().all(|piece| piece.is_positive()) && !beside.is_empty());
        });
    }
}
