//! What the query under the cursor found, and the rings around who is meant.

use super::crowd::{Costly, Crowd, all_edges, beside_all, on_outline, pieces, settled};
use super::look::Look;
use super::structure_marks::names_cells;
use super::units;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::state::Tool;
use crate::app::theme::{number, size, text};
use crate::app::view::chips::{ROUND, chip};
use crate::app::view::marks::{line_around, nobody_in};
use crate::app::widgets::{baseline, clear_place, look_at, with_commas};
use egui_macroquad::egui::{
    CornerRadius, Galley, Id, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2,
};
use skirmish::observe::{Outline, QueryView};
use skirmish::partition::{Role, UnitId};
use skirmish::scene::Side;
use skirmish::session::Shape;
use std::sync::Arc;

/// Where the region under the cursor lies, where that is a rectangle.
fn hovered_rect(look: &Look<'_>) -> Option<Rect> {
    let path = look.lane.frame.path.last();
    let region = path.filter(|_| look.layers.shows(Layer::Nodes))?;
    match region.outline {
        Outline::Rect(area) => Some(seen_rect(look.camera.rect_to_screen(area))),
        _ => None,
    }
}

/// A rectangle that is large enough to be seen: a leaf may be a single point.
fn seen_rect(rect: Rect) -> Rect {
    /// So wide and so high it is at least, in points.
    const LEAST: f32 = 8.0;
    Rect::from_center_size(rect.center(), rect.size().max(Vec2::splat(LEAST)))
}

/// The region under the cursor.
pub fn hovered_region(painter: &Painter, look: &Look<'_>, palette: &Palette) {
    if let Some(rect) = hovered_rect(look) {
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(line_around(rect.size().min_elem(), 2.0), palette.accent),
            StrokeKind::Inside,
        );
    }
}

/// The circle of the query, or its square where the brush is one, where it is pinned or else around the cursor, and the outline of the brush.
/// What was found stands on its [`Tag`], which is drawn over everything else that lies on the field.
pub fn query(painter: &Painter, look: &Look<'_>, palette: &Palette) {
    let Some(asked) = look.held.or(look.cursor) else {
        return;
    };
    let center = look.camera.to_screen(asked);
    let radius = look.brush.radius * look.camera.zoom;
    let stroke = Stroke::new(line_around(2.0 * radius, 1.5), palette.mark);
    if look.brush.asks_square() {
        let square = Rect::from_center_size(center, Vec2::splat(2.0 * radius.max(2.0)));
        painter.rect_stroke(square, CornerRadius::ZERO, stroke, StrokeKind::Middle);
        look_at(painter.ctx(), square);
    } else {
        painter.circle_stroke(center, radius.max(2.0), stroke);
        look_at(painter.ctx(), disc(center, radius));
    }
    if look.held.is_some() {
        painter.circle_filled(center, 3.0, palette.mark);
    }
    if let Some(cursor) = look.cursor {
        brush(painter, look, palette, look.camera.to_screen(cursor));
    }
    // A structure that stands still answers of a battle that is no more.
    let query = look.query().filter(|_| look.lane.difference.is_none());
    let Some(query) = query else { return };
    // A structure that has no regions to show shows its tests.
    if look.layers.shows(Layer::Tests) || look.lane.frame.regions.list.is_empty() {
        tests(painter, look, palette, query);
    }
}

/// What words keep off that are not about it: the square in a circle.
pub fn disc(center: Pos2, radius: f32) -> Rect {
    Rect::from_center_size(
        center,
        Vec2::splat(radius.max(2.0) * std::f32::consts::SQRT_2),
    )
}

/// What a click would place or take.
fn brush(painter: &Painter, look: &Look<'_>, palette: &Palette, center: Pos2) {
    let radius = look.brush.radius * look.camera.zoom;
    let color = match look.brush.tool {
        Tool::Blue => palette.side(Side::Blue),
        Tool::Orange => palette.side(Side::Orange),
        Tool::Erase => palette.error,
        Tool::Look => return,
    };
    let places = look.brush.tool != Tool::Erase;
    let outline = Stroke::new(1.0, faded(color, 0.9));
    if places && look.brush.shape == Shape::Square {
        let square = Rect::from_center_size(center, Vec2::splat(2.0 * (radius + 3.0).max(5.0)));
        painter.rect_stroke(square, CornerRadius::ZERO, outline, StrokeKind::Middle);
    } else if places && look.brush.shape == Shape::Line {
        let up = vec2(0.0, radius.max(2.0));
        painter.line_segment([center - up, center + up], outline);
    } else {
        painter.circle_stroke(center, (radius + 3.0).max(5.0), outline);
    }
}

/// How far the query reaches.
pub fn reach(look: &Look<'_>) -> String {
    // As many digits as the panel has, where they say anything.
    let (radius, of) = match look.brush.asks_square() {
        true => (2.0 * look.brush.radius, " wide"),
        false => (look.brush.radius, ""),
    };
    format!("{} m{of}", in_tenths(radius))
}

/// A length in tenths, rounded as the panels round it, without the last one where a longer one has none.
fn in_tenths(metres: f32) -> String {
    let text = format!("{metres:.1}");
    match text.strip_suffix(".0") {
        Some(whole) if metres >= 10.0 => whole.to_owned(),
        _ => text,
    }
}

/// How many regions the query entered.
pub fn visited(look: &Look<'_>) -> String {
    let Some(query) = &look.lane.frame.query else {
        return String::new();
    };
    let mut roles = look.lane.frame.regions.list.iter().map(|it| it.role);
    let role = roles.find(|role| *role != Role::Oversize);
    let [one, many] = match role {
        Some(Role::Cell) => ["cell", "cells"],
        Some(Role::Slot) => ["slot", "slots"],
        Some(Role::Inner | Role::Leaf) => ["node", "nodes"],
        Some(Role::Oversize) | None => ["visited"; 2],
    };
    let visits = query.counter.visits;
    let word = if visits == 1 { one } else { many };
    format!("{} {word}", with_commas(visits))
}

/// Every test of the query as a line from its middle to the unit tested; of very many as many as can be told apart.
fn tests(painter: &Painter, look: &Look<'_>, palette: &Palette, query: &QueryView) {
    /// How far apart lines are at the end, in points, so that they are lines and not a disc.
    const APART: f32 = 1.0;
    /// So many can be drawn in any case.
    const FEW: usize = 200;
    /// More are too much for a frame.
    const MOST: usize = 2000;
    let radius = query.radius * look.camera.zoom;
    let told_apart = (std::f32::consts::TAU * radius / APART) as usize;
    let most = told_apart.clamp(FEW, MOST);
    let every = query.tested.len().div_ceil(most).max(1);
    let center = look.camera.to_screen(query.center);
    let drawn = query.tested.len() / every;
    let opacity = (60.0 / drawn.max(1) as f32).clamp(0.05, 0.5);
    let stroke = Stroke::new(1.0, faded(palette.accent, opacity));
    let alive = |unit: &&UnitId| look.battle.bodies().is_alive(**unit);
    for &unit in query.tested.iter().step_by(every).filter(alive) {
        let at = look
            .camera
            .to_screen(look.battle.positions()[unit as usize]);
        painter.line_segment([center, at], stroke);
    }
}

/// What a query asks about, as it lies on the screen: a circle, or the square around it.
#[derive(Clone, Copy, Debug)]
struct Asked {
    center: Pos2,
    radius: f32,
    is_square: bool,
}

impl Asked {
    /// What words keep off that are not about it: of a circle the square in it.
    fn kept_off(self) -> Rect {
        match self.is_square {
            true => Rect::from_center_size(self.center, Vec2::splat(2.0 * self.radius.max(2.0))),
            false => disc(self.center, self.radius),
        }
    }

    /// How far from its middle, across and upwards, words stand off one of its corners, where no more than `most` of it counts.
    fn beside(self, most: f32) -> f32 {
        let share = if self.is_square { 1.0 } else { 0.72 };
        self.radius.min(most) * share + 10.0
    }

    /// What it costs that words lie on its line.
    fn struck_by(self, words: Rect) -> usize {
        match self.is_square {
            true => on_edge(words, self.kept_off()),
            false => on_circle(words, (self.center, self.radius)),
        }
    }

    /// Where its line is on the way from its middle to a point.
    fn line_towards(self, at: Pos2) -> Pos2 {
        let (way, radius) = (at - self.center, self.radius.max(2.0));
        let longest = way.x.abs().max(way.y.abs());
        match self.is_square && longest > 0.0 {
            true => self.center + way * (radius / longest),
            false => self.center + way.normalized() * radius,
        }
    }
}

/// Two lines and a number on a chip beside the circle, kept in the room of the field and off what else lies there; one line where two would
/// hide more. In a small picture it is one line in any case, and beside all that is seen of the field if that leaves room; in a larger pane it
/// is there where that is not much farther off, and loses none of its words for it.
pub struct Tag {
    /// Where it lies, so that nobody else puts words there.
    pub rect: Rect,
    /// What is asked about, from which a line leads to it.
    from: Option<Asked>,
    form: Form,
    length: Length,
}

/// How much is said: two lines, one, or no more than how many were found; the least is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Length {
    /// How many were found and how many were tested in vain, one below the other.
    Two,
    /// How many were found of how many that were tested.
    One,
    /// How many were found.
    Found,
}

/// Its words.
struct Form {
    first: Arc<Galley>,
    second: Option<Arc<Galley>>,
    right: Arc<Galley>,
    /// From its corner to the first of them.
    inset: Vec2,
    size: Vec2,
}

/// What words have to heed beside the units.
struct Around<'a> {
    /// What there is room in.
    room: Rect,
    /// All of the field, as it lies on the screen.
    picture: Rect,
    /// The region under the cursor.
    region: Option<Rect>,
    /// What lies there already.
    taken: &'a [Rect],
    /// Those who are selected, who have often come but now, while they are few.
    chosen: Vec<Rect>,
    is_pane: bool,
}

/// Of more who are selected no words keep off each.
pub const MOST_CHOSEN: usize = 64;

impl<'a> Around<'a> {
    fn of(look: &Look<'a>) -> Self {
        Self {
            room: look.room,
            picture: look.camera.rect_to_screen(look.field),
            region: hovered_rect(look),
            taken: look.taken,
            chosen: chosen(look),
            is_pane: look.is_pane,
        }
    }
}

/// Where those stand who are selected, while they are few.
fn chosen(look: &Look<'_>) -> Vec<Rect> {
    let units = look.selection.units();
    if units.len() > MOST_CHOSEN {
        return Vec::new();
    }
    let whole = units::length(look);
    let frame = |unit: &UnitId| {
        let at = look
            .camera
            .to_screen(look.battle.positions()[*unit as usize]);
        Rect::from_center_size(at, Vec2::splat(units::fitted(look, *unit, whole) + 8.0))
    };
    let standing = units.iter().filter(|unit| look.stands(**unit));
    standing.map(frame).collect()
}

/// So many places a form may have at the most; the first of them are those beside the circle.
const OF_FORM: usize = 1000;
const NEAR: usize = 8;
/// One line is worth it where it hides so many fewer.
const WORSE: usize = 6;
/// A place off the edge of a small picture is worth so much, and in a larger pane one beside the field: no more than one line instead of two.
const TIGHT: usize = 6;
/// So near to what lies there already, in points, a place is worth so much less: there is room for it elsewhere as a rule.
const CLEAR: f32 = 3.0;
const TOO_CLOSE: usize = 24;
const BESIDE: usize = 6;

impl Form {
    fn of(
        painter: &Painter,
        palette: &Palette,
        query: &QueryView,
        (right, length, is_small): (&str, Length, bool),
    ) -> Self {
        let too_far = query.counter.tests.saturating_sub(query.counter.hits);
        let first = format!("{} in reach", with_commas(query.counter.hits));
        let first = painter.layout_no_wrap(first, text(size::SECOND), palette.text);
        let second = format!("{} tested, too far", with_commas(too_far));
        let second = (length == Length::Two)
            .then(|| painter.layout_no_wrap(second, text(size::SECOND), palette.text_second));
        // In one line: "7 in reach of 24", of those tested.
        let right = match length {
            Length::Two => right.to_owned(),
            Length::One => format!("of {}", with_commas(query.counter.tests)),
            Length::Found => String::new(),
        };
        let right = painter.layout_no_wrap(right, number(size::CAPTION), palette.text_third);
        let between = match length {
            Length::Two => 18.0,
            Length::One => 8.0,
            Length::Found => 0.0,
        };
        let (inset, high) = match (length, is_small) {
            (Length::Two, _) => (vec2(10.0, 5.0), 40.0),
            (_, false) => (vec2(10.0, 5.0), 24.0),
            (_, true) => (vec2(6.0, 2.0), 19.0),
        };
        let longest = second.as_ref().map_or(0.0, |second| second.size().x);
        let words = (first.size().x + right.size().x + between).max(longest);
        Self {
            first,
            second,
            right,
            inset,
            size: vec2(words + 2.0 * inset.x, high),
        }
    }

    /// Where it may stand, with what that costs: beside the circle, farther off to both sides, and at the edges of the picture.
    fn places(&self, around: &Around<'_>, asked: Asked, crowd: &Crowd) -> Vec<Costly> {
        let center = asked.center;
        let (field, size) = (around.room, self.size);
        let is_small = is_small(field);
        let roomy = field.shrink(8.0);
        let room = if is_small { field.shrink(2.0) } else { roomy };
        let reach = asked.beside(field.width() / 3.0);
        let (to_right, to_left) = (center.x + reach, center.x - reach - size.x);
        let (above, below) = (center.y - reach - size.y, center.y + reach);
        let x = [to_right, to_left];
        let y = [above, below];
        // Off what is asked about to one of its corners; where none of them is free, straight above, below or beside it.
        let middle = center - size / 2.0;
        let is_wide = to_right + size.x <= room.right();
        let is_high = above >= room.top();
        let (x, y) = (
            [x[usize::from(!is_wide)], x[usize::from(is_wide)]],
            [y[usize::from(!is_high)], y[usize::from(is_high)]],
        );
        let near: [_; NEAR] = [
            (x[0], y[0]),
            (x[1], y[0]),
            (x[0], y[1]),
            (x[1], y[1]),
            (middle.x, y[0]),
            (middle.x, y[1]),
            (x[0], middle.y),
            (x[1], middle.y),
        ];
        let farther = FARTHER.iter().flat_map(|by| {
            let places: [_; OF_FARTHER] = [
                (to_right + by, y[0]),
                (to_left - by, y[0]),
                (to_right + by, middle.y),
                (to_left - by, middle.y),
                (middle.x, above - by),
                (middle.x, below + by),
            ];
            places
        });
        let about = asked.kept_off();
        let is_little = about.area() < room.area() / 4.0;
        let world = around.picture;
        let off_edges = all_edges(roomy, size).into_iter();
        let off_edges = off_edges.filter(|_| is_small);
        let farthest = all_edges(room, size).into_iter().chain(off_edges);
        let farthest = farthest.chain(beside_all(world, size));
        let farthest = farthest.chain(level_with(center, world, size));
        // Above it and below it there may be room beyond its sides, where a line from there leads under no chip.
        let beyond = Rect::from_x_y_ranges(room.x_range(), world.y_range());
        let beyond = beside_all(beyond, size).filter(|_| is_small);
        let farthest = farthest.chain(beyond);
        let farthest = farthest.map(|at| (at.x, at.y));
        // A small picture, or one in a pane, is all that there is of the field: words stand beside that where they can. Of a larger pane they
        // may hide some of it before they are cut, or lie far off what they are about.
        let seen = Some(world.intersect(room)).filter(|seen| seen.is_positive());
        let kept_clear: Vec<Rect> = seen.filter(|_| is_small).into_iter().collect();
        let given_up = seen.filter(|_| around.is_pane && !is_small);
        let far = NEAR + OF_FARTHER * FARTHER.len();
        let places = near.into_iter().chain(farther).chain(farthest).enumerate();
        let places = places.filter_map(|(place, (x, y))| {
            let rect = clear_place(room, size, [pos2(x, y)], around.taken)?;
            // Where the room ends beside it, it would be moved onto the very circle, or square.
            if is_little && rect.intersects(about) {
                return None;
            }
            let (seen, cost) = crowd.costs(rect, about, &kept_clear);
            let lines = asked.struck_by(rect) + on_edges(rect, around.region, world);
            // At the very edge of a small picture only where there is no other room.
            let at_edge = usize::from(!roomy.expand(0.5).contains_rect(rect));
            // A chip has a border of the field's ground around it, which would shave off that of the words.
            let is_close = |other: &Rect| other.expand(CLEAR).intersects(rect);
            let close = usize::from(around.taken.iter().any(is_close));
            let on_chosen = around.chosen.iter().filter(|it| it.intersects(rect));
            let rest = TIGHT * at_edge
                + STRUCK * on_chosen.count()
                + TOO_CLOSE * close
                + given_up.map_or(0, |field| on_field(rect, field));
            let slant = if place < far {
                0
            } else {
                slanting(rect, center)
            };
            let under = match place < NEAR {
                true => 0,
                false => {
                    let at = on_outline(rect, ROUND.into(), rect.clamp(center));
                    let line = [asked.line_towards(at), at];
                    UNDER * usize::from(leads_under(line, around.taken))
                }
            };
            Some((place, rect, (seen, cost + lines + rest + slant + under)))
        });
        places.collect()
    }
}

/// Lines that words strike out are worth as much as so many who are hidden, and a long line to words that goes straight as much as so many.
const STRUCK: usize = 12;
const STRAIGHT: usize = 6;

/// So much is a line worth of which a part lies under something else: it seems to lead to that.
const UNDER: usize = 12;

/// Whether the line to words leads below something that lies there.
fn leads_under([from, to]: [Pos2; 2], taken: &[Rect]) -> bool {
    let way = Rect::from_two_pos(from, to);
    let near = || taken.iter().filter(|it| it.intersects(way));
    near().next().is_some() && pieces(from, to).any(|piece| near().any(|it| it.intersects(piece)))
}

/// What it costs that a line slants which leads from words far off to the middle of what they are about.
fn slanting(words: Rect, center: Pos2) -> usize {
    let is_straight = words.x_range().contains(center.x) || words.y_range().contains(center.y);
    if is_straight { 0 } else { STRAIGHT }
}

/// What it costs that words lie on the line of a circle.
pub fn on_circle(words: Rect, (center, radius): (Pos2, f32)) -> usize {
    let nearest = words.clamp(center).distance(center);
    let away = |corner: Pos2| corner.distance(center);
    let corners = [
        words.left_top(),
        words.right_top(),
        words.left_bottom(),
        words.right_bottom(),
    ];
    let farthest = corners.map(away).into_iter().fold(0.0, f32::max);
    let is_on = nearest < radius + 2.0 && farthest > radius;
    if is_on { STRUCK } else { 0 }
}

/// What it costs that words lie on the edge of a rectangle.
fn on_edge(words: Rect, region: Rect) -> usize {
    let is_on = words.intersects(region) && !region.contains_rect(words);
    if is_on { STRUCK } else { 0 }
}

/// What it costs that they lie on the edge of the region under the cursor, or on the border of the whole field: once where that is the region.
fn on_edges(words: Rect, region: Option<Rect>, field: Rect) -> usize {
    let field = Some(field).filter(|field| region != Some(*field));
    let edges = region.into_iter().chain(field);
    edges.map(|edge| on_edge(words, edge)).sum()
}

/// What it costs that words lie on the field of a larger pane.
fn on_field(words: Rect, field: Rect) -> usize {
    if words.intersects(field) { BESIDE } else { 0 }
}

/// A field is low, and narrow, below this, in points: of several panes each is.
const LOW: f32 = 260.0;
const NARROW: f32 = 500.0;

/// Whether what is said of a query is one short line there, off the field where it can be.
fn is_small(room: Rect) -> bool {
    room.height() < LOW || room.width() < NARROW
}

/// Where words of this size stand to the right and to the left of a whole picture, level with what they are about, and straight below and above
/// that.
fn level_with(about: Pos2, picture: Rect, size: Vec2) -> [Pos2; 4] {
    const OFF: f32 = 6.0;
    let Pos2 { x, y } = about - size / 2.0;
    [
        pos2(picture.right() + OFF, y),
        pos2(picture.left() - OFF - size.x, y),
        pos2(x, picture.bottom() + OFF),
        pos2(x, picture.top() - OFF - size.y),
    ]
}

/// How far beside the circle it may stand, in points, and in how many places each.
const FARTHER: [f32; 5] = [16.0, 48.0, 96.0, 144.0, 192.0];
const OF_FARTHER: usize = 6;

impl Tag {
    /// What the query under the cursor found; of two lines `right` stands at the right of the first. `None` where none is shown.
    /// Of the places that are free it has the one where the least of the `crowd` stands. It says no more than `most`.
    pub fn of(
        painter: &Painter,
        look: &Look<'_>,
        palette: &Palette,
        (right, crowd): (&str, &Crowd),
        most: Length,
    ) -> Option<Self> {
        let query = look.query().filter(|_| look.lane.difference.is_none())?;
        // Where the cells of the tick's own search are named, a second search that meets nobody is one too many.
        if query.counter.tests == 0 && look.held.is_none() && names_cells(look) {
            return None;
        }
        let asked = look.held.or(look.cursor)?;
        // Beside the field, where it finds nobody, there is nothing to say of it, whichever structure was asked.
        if query.counter.hits == 0 && look.held.is_none() && !look.field.contains(asked) {
            return None;
        }
        let asked = Asked {
            center: look.camera.to_screen(asked),
            radius: look.brush.radius * look.camera.zoom,
            is_square: look.brush.asks_square(),
        };
        // What lies under a drawer has nothing to say.
        if !look.room.contains(asked.center) {
            return None;
        }
        let is_small = is_small(look.room);
        // In one line as well, where two would hide somebody, and with less in it; in a small field never in two.
        let lengths = [Length::Two, Length::One, Length::Found];
        let is_short = |it: &Length| *it >= most && !(is_small && *it == Length::Two);
        let lengths: Vec<Length> = lengths.into_iter().filter(is_short).collect();
        let form = |length: &Length| Form::of(painter, palette, query, (right, *length, is_small));
        let forms: Vec<Form> = lengths.iter().map(form).collect();
        let around = Around::of(look);
        let all = (0..).zip(&forms).flat_map(|(form, it)| {
            let places = it.places(&around, asked, crowd).into_iter();
            places.map(move |(place, rect, (seen, cost))| {
                (OF_FORM * form + place, rect, (seen, cost + WORSE * form))
            })
        });
        let all: Vec<_> = all.collect();
        let corner = look.room.min;
        let id = Id::new(("query tag", most, corner.x as i64, corner.y as i64));
        let (place, rect) = settled(painter.ctx(), id, &all)?;
        let length = lengths.get(place / OF_FORM).copied()?;
        let form = forms.into_iter().nth(place / OF_FORM)?;
        let is_far = place % OF_FORM >= NEAR;
        Some(Self {
            rect,
            from: is_far.then_some(asked),
            form,
            length,
        })
    }

    /// How much it says.
    pub fn length(&self) -> Length {
        self.length
    }

    /// What it takes of the screen: its chip, and the way of its line, piece by piece.
    pub fn taken(&self) -> Vec<Rect> {
        let line = self.line().into_iter();
        let line = line.flat_map(|[from, to]| pieces(from, to));
        std::iter::once(self.rect).chain(line).collect()
    }

    /// The line to it, from what is asked about.
    fn line(&self) -> Option<[Pos2; 2]> {
        let asked = self.from?;
        let at = on_outline(self.rect, ROUND.into(), self.rect.clamp(asked.center));
        Some([asked.line_towards(at), at])
    }

    /// Draws it, with its line. Whatever else is marked on the field has been drawn by then, so that nothing strikes its words through.
    pub fn draw(self, painter: &Painter, palette: &Palette) {
        if let Some(line) = self.line() {
            painter.line_segment(line, Stroke::new(1.0, palette.text_second));
        }
        chip(painter, palette, self.rect);
        let Form {
            first,
            second,
            right,
            inset,
            ..
        } = self.form;
        // On one line with the words before it, whose letters are larger.
        let lower = baseline(&first) - baseline(&right);
        painter.galley(self.rect.min + inset, first, palette.text);
        if let Some(second) = second {
            let at = self.rect.min + inset + vec2(0.0, 15.0);
            painter.galley(at, second, palette.text_second);
        }
        let corner = self.rect.right_top() + vec2(-inset.x - right.size().x, inset.y + lower);
        painter.galley(corner, right, palette.text_third);
    }
}

/// How far a ring goes around a unit so long, and how wide it is, where it keeps so far off and is so wide around an arrow: around a small mark
/// it would lie over those beside it, but it is to be found there.
fn ring_around(length: f32, off: f32, width: f32) -> (f32, f32) {
    /// It keeps no less off, and is no narrower, in points.
    const LEAST: (f32, f32) = (3.0, 1.0);
    let off = off.min(length.max(LEAST.0));
    (length / 2.0 + off, width.min((0.4 * length).max(LEAST.1)))
}

/// The rings around the unit that is pinned or under the cursor, and the one that is selected.
pub fn rings(painter: &Painter, look: &Look<'_>, palette: &Palette) {
    let ring = |unit: UnitId, off: f32, width: f32| {
        let at = look
            .camera
            .to_screen(look.battle.positions()[unit as usize]);
        let length = units::fitted(look, unit, units::length(look));
        let (radius, width) = ring_around(length, off, width);
        painter.circle_stroke(at, radius, Stroke::new(width, palette.mark));
    };
    if let Some(unit) = look.pointed.filter(|unit| look.stands(*unit)) {
        ring(unit, 4.0, 1.2);
    }
    if let Some(unit) = look.selection.one().filter(|unit| look.stands(*unit)) {
        ring(unit, 3.0, 1.6);
    }
}

/// What is said of a field on which nobody stands.
pub fn nobody(painter: &Painter, look: &Look<'_>, palette: &Palette) {
    nobody_in(painter, look.camera.screen, palette);
}

#[cfg(test)]
mod tests {
    use super::super::crowd::cheapest;
    use super::*;
    use egui_macroquad::egui::{Color32, Context, FontId, RawInput};

    #[test]
    fn the_reach_beside_the_cursor_is_rounded_as_in_the_panels() {
        for radius in [31.25, 31.35, 12.75, 0.75_f32] {
            assert_eq!(in_tenths(radius), format!("{radius:.1}"));
        }
        let whole = [20.0, 20.04, 9.96, 5.0].map(in_tenths);
        assert_eq!(whole, ["20", "20", "10.0", "5.0"]);
    }

    #[test]
    fn the_outline_of_a_leaf_that_is_a_point_is_large_enough_to_be_seen() {
        let at = pos2(100.0, 50.0);
        let seen = seen_rect(Rect::from_min_size(at, Vec2::ZERO));
        assert_eq!(seen, Rect::from_center_size(at, Vec2::splat(8.0)));
        let row = Rect::from_min_size(at, vec2(60.0, 0.0));
        assert_eq!(seen_rect(row).size(), vec2(60.0, 8.0));
        let large = Rect::from_min_size(at, vec2(60.0, 40.0));
        assert_eq!(seen_rect(large), large);
    }

    #[test]
    fn words_beside_a_circle_or_inside_of_it_strike_out_none_of_it() {
        let circle = (pos2(100.0, 100.0), 60.0);
        let at = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(40.0, 20.0));
        assert_eq!(on_circle(at(164.0, 90.0), circle), 0);
        assert_eq!(on_circle(at(80.0, 90.0), circle), 0);
        assert_eq!(on_circle(at(150.0, 150.0), circle), 0);
        assert!(on_circle(at(150.0, 90.0), circle) > 0);
        let region = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        assert_eq!(on_edge(at(20.0, 20.0), region), 0);
        assert_eq!(on_edge(at(120.0, 20.0), region), 0);
        assert!(on_edge(at(80.0, 20.0), region) > 0);
    }

    #[test]
    fn a_ring_around_a_small_mark_is_small_and_still_seen() {
        assert_eq!(ring_around(7.0, 4.0, 1.2), (7.5, 1.2));
        assert_eq!(ring_around(3.5, 4.0, 1.6), (5.25, 0.4 * 3.5));
        assert_eq!(ring_around(1.5, 3.0, 1.6), (3.75, 1.0));
        let mut before = 0.0;
        for tenths in 5..200 {
            let (radius, width) = ring_around(tenths as f32 / 10.0, 4.0, 1.2);
            assert!(radius >= before && radius >= 3.0 && width >= 1.0);
            before = radius;
        }
    }

    #[test]
    fn words_lie_across_the_border_of_the_field_only_where_they_would_hide_many_elsewhere() {
        let field = Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 300.0));
        let circle = Rect::from_min_size(pos2(200.0, 190.0), vec2(80.0, 80.0));
        let at = |y: f32| Rect::from_min_size(pos2(180.0, y), vec2(120.0, 40.0));
        let cost =
            |words: Rect, crowd: &Crowd| crowd.cost(words, circle) + on_edges(words, None, field);
        let nobody = Crowd::at(Vec::new());
        let (across, below, above) = (at(280.0), at(306.0), at(140.0));
        assert!(cost(below, &nobody) < cost(across, &nobody));
        assert!(cost(above, &nobody) < cost(across, &nobody));
        let crowd = Crowd::at(vec![pos2(240.0, 160.0); 20]);
        assert!(cost(across, &crowd) < cost(above, &crowd));
        // And off the edge of the region as before.
        let region = Rect::from_min_size(pos2(180.0, 100.0), vec2(200.0, 60.0));
        assert!(on_edges(above, Some(region), field) > on_edges(above, None, field));
        // The one that is the whole field has no edge of its own.
        assert_eq!(on_edges(across, Some(field), field), STRUCK);
    }

    #[test]
    fn a_line_leads_below_a_legend_between_it_and_its_words() {
        let words = Rect::from_min_size(pos2(300.0, 10.0), vec2(60.0, 20.0));
        let legend = Rect::from_min_size(pos2(100.0, 10.0), vec2(190.0, 40.0));
        let line = |x: f32| [pos2(x, 300.0), words.clamp(pos2(x, 300.0))];
        assert!(leads_under(line(60.0), &[legend]));
        assert!(!leads_under(line(330.0), &[legend]));
        assert!(!leads_under(line(60.0), &[]));
    }

    #[test]
    fn words_stand_off_the_corner_of_a_square_as_off_that_of_a_circle() {
        let of = |is_square| Asked {
            center: pos2(100.0, 100.0),
            radius: 60.0,
            is_square,
        };
        let size = vec2(40.0, 20.0);
        for asked in [of(false), of(true)] {
            let reach = asked.beside(f32::INFINITY);
            let corner = asked.center + vec2(reach, -reach - size.y);
            let words = Rect::from_min_size(corner, size);
            assert_eq!(asked.struck_by(words), 0, "{asked:?}");
            assert!(!words.intersects(asked.kept_off()), "{asked:?}");
        }
        // In the corner of the square they are off the circle.
        let words = Rect::from_min_size(pos2(145.0, 35.0), size);
        assert_eq!(of(false).struck_by(words), 0);
        assert!(of(true).struck_by(words) > 0);
        // The line to them begins at the square.
        let begin = of(true).line_towards(pos2(220.0, 40.0));
        assert_eq!(begin, pos2(160.0, 70.0));
        let begin = of(false).line_towards(pos2(220.0, 100.0));
        assert_eq!(begin, pos2(160.0, 100.0));
    }

    #[test]
    fn words_beside_a_small_picture_stand_straight_below_before_a_line_slants_to_them() {
        let picture = Rect::from_min_size(pos2(14.0, 90.0), vec2(397.0, 262.0));
        let around = Around {
            room: Rect::from_min_max(pos2(0.0, 52.0), pos2(425.0, 400.0)),
            picture,
            region: None,
            taken: &[],
            chosen: Vec::new(),
            is_pane: false,
        };
        let asked = Asked {
            center: pos2(182.0, 230.0),
            radius: 17.0,
            is_square: false,
        };
        // So narrow that none of the places that are spread beside the picture is right below the circle.
        let size = vec2(40.0, 18.0);
        let spread = beside_all(picture, size).map(|at| Rect::from_min_size(at, size));
        assert!(spread.into_iter().all(|it| slanting(it, asked.center) > 0));
        let ctx = Context::default();
        let _ = ctx.run(RawInput::default(), |ctx| {
            let line = |words: &str| {
                let font = FontId::proportional(12.0);
                ctx.debug_painter()
                    .layout_no_wrap(words.to_owned(), font, Color32::WHITE)
            };
            let form = Form {
                first: line("7 in reach"),
                second: None,
                right: line("of 24"),
                inset: vec2(6.0, 2.0),
                size,
            };
            let places = form.places(&around, asked, &Crowd::at(Vec::new()));
            let (place, rect) = cheapest(&places).expect("a place");
            let below = pos2(asked.center.x, picture.bottom() + 15.0);
            assert_eq!(rect, Rect::from_center_size(below, size), "{place}");
        });
    }

    #[test]
    fn words_beside_a_small_picture_between_chips_stand_where_their_line_leads_under_none() {
        // A low pane: the legend above its picture, and the words of the scene and the tools below that.
        let chips = [
            Rect::from_min_max(pos2(14.0, 82.0), pos2(240.0, 112.0)),
            Rect::from_min_max(pos2(14.0, 304.0), pos2(175.0, 336.0)),
            Rect::from_min_max(pos2(210.0, 304.0), pos2(320.0, 336.0)),
        ];
        let around = Around {
            room: Rect::from_min_max(pos2(0.0, 70.0), pos2(320.0, 350.0)),
            picture: Rect::from_min_max(pos2(45.0, 128.0), pos2(275.0, 289.0)),
            region: None,
            taken: &chips,
            chosen: Vec::new(),
            is_pane: true,
        };
        let asked = Asked {
            center: pos2(160.0, 208.0),
            radius: 8.0,
            is_square: false,
        };
        let ctx = Context::default();
        let _ = ctx.run(RawInput::default(), |ctx| {
            let line = |words: &str| {
                let font = FontId::proportional(12.0);
                ctx.debug_painter()
                    .layout_no_wrap(words.to_owned(), font, Color32::WHITE)
            };
            let form = Form {
                first: line("44 in reach"),
                second: None,
                right: line(""),
                inset: vec2(6.0, 2.0),
                size: vec2(69.0, 19.0),
            };
            let places = form.places(&around, asked, &Crowd::at(Vec::new()));
            let (_, rect) = cheapest(&places).expect("a place");
            let line = [
                asked.line_towards(rect.clamp(asked.center)),
                rect.clamp(asked.center),
            ];
            assert!(!leads_under(line, &chips), "{rect}");
            assert!(
                chips
                    .iter()
                    .all(|chip| !chip.expand(CLEAR).intersects(rect)),
                "{rect}"
            );
        });
    }

    #[test]
    fn words_in_a_larger_pane_are_not_cut_to_stand_beside_its_field() {
        let field = Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 300.0));
        let costs = |circle: f32, words: f32, form: usize| {
            let circle = Rect::from_min_size(pos2(circle, 100.0), vec2(80.0, 80.0));
            let words = Rect::from_min_size(pos2(words, 120.0), vec2(120.0, 40.0));
            let crowd = Crowd::at(Vec::new());
            crowd.cost(words, circle) + on_field(words, field) + WORSE * form
        };
        // Two lines in an empty place at the circle, against all of them, and fewer words, beside the field.
        let near = costs(200.0, 296.0, 0);
        assert!((0..3).all(|form| near < costs(200.0, 506.0, form)));
        // Of a circle at the edge of the field they stand off that.
        assert!(costs(420.0, 506.0, 0) < costs(420.0, 284.0, 0));
    }
}
