//! What egui paints over a volume: figures on the axes, the slice's handle, and the query's tag.

use super::axes::{self, Axis, BETWEEN, Tick, evenly_or_none, figure, measure};
use super::gizmo::LETTERS;
use super::legend::{hollow, length_in_words, pointing, whole};
use super::query::rim;
use crate::app::eye::{Eye, Slice};
use crate::app::palette::{Palette, faded};
use crate::app::silhouette::{reaches_into, silhouette};
use crate::app::theme::{layout, number, size, text};
use crate::app::view::chips::{ROUND, chip};
use crate::app::view::field::{Crowd, on_outline, pieces, settled};
use crate::app::widgets::{clear_place, float, place, with_commas};
use egui_macroquad::egui::{
    Color32, CornerRadius, Galley, Id, Painter, Pos2, Rangef, Rect, Shape, Stroke, Ui, Vec2, pos2,
    vec2,
};
use skirmish::observe::space::SphereView;
use skirmish::partition::UnitId;
use skirmish::volume::{Aabb3, Vec3};
use std::cmp::Ordering::Equal;
use std::sync::Arc;

/// The radius of the slice's handle, in points.
const HANDLE: f32 = 4.5;
/// How far from its middle the handle is still meant, in points.
const HANDLE_REACH: f32 = 14.0;
/// How far its arrows reach to each side, in points.
const ARROWS: f32 = 21.0;

/// What is seen of a volume is little where it is no higher than this, in points.
const LITTLE: f32 = 280.0;

/// How long the mark of a round place on an axis is, in points.
const MARK: f32 = 5.0;

/// The letters and the figures of the axes, where they stand.
pub struct AxisFigures {
    all: Vec<(Rect, Arc<Galley>, Color32)>,
    /// The marks of those axes that have a figure, from the line to their ends.
    marks: Vec<[Pos2; 2]>,
    upright: Option<Rect>,
}

impl AxisFigures {
    /// Lays them out, none over another and none under `taken`.
    pub fn of(
        painter: &Painter,
        eye: &Eye,
        field: Aabb3,
        palette: &Palette,
        taken: &[Rect],
    ) -> Self {
        /// Between a figure and a chip, in points.
        const OFF: f32 = 4.0;
        let tick = measure(field).tick;
        let mut written: Vec<Rect> = taken.iter().map(|chip| chip.expand(OFF)).collect();
        let mut all = Vec::new();
        let lay_out = |words: String, is_letter: bool| {
            let (font, color) = if is_letter {
                (text(size::LABEL), palette.text)
            } else {
                (number(size::CAPTION), palette.text_third)
            };
            (painter.layout_no_wrap(words, font, color), color)
        };
        // Where words stand, as far off the line as they reach towards it, if that is free.
        let room_for = |at: Pos2, outward: Vec2, size: Vec2, written: &[Rect]| {
            let half = size / 2.0;
            let reach = half.x * outward.x.abs() + half.y * outward.y.abs();
            let rect = Rect::from_center_size(at + outward * reach, size);
            let is_free = !written.iter().any(|other| other.intersects(rect));
            (is_free && eye.screen.shrink(2.0).contains_rect(rect)).then_some(rect)
        };
        let axes = axes::axes(eye, field);
        for axis in axes.iter().flatten() {
            let along = (axis.tip - axis.ends[1]).normalized();
            // At its tip, or where that is taken beside the line, as near to it as can be.
            let before = [12.0, 28.0, 44.0].map(|by| axis.tip - along * by + axis.outward * 6.0);
            let beside = before.map(|at| (at, axis.outward));
            // At last beside its tip on the other side, where the tip itself ends at a chip.
            let other_side = (axis.tip + along * 6.0 - axis.outward * 4.0, -axis.outward);
            let first = std::iter::once((axis.tip + along * 3.0, along));
            let [nearest, others @ ..] = beside;
            let mut places = first.chain([nearest, other_side]).chain(others);
            let (galley, color) = lay_out(LETTERS[axis.axis].to_owned(), true);
            let free = places.find_map(|(at, way)| room_for(at, way, galley.size(), &written));
            if let Some(rect) = free {
                written.push(rect.expand(BETWEEN));
                all.push((rect, galley, color));
            }
        }
        // The first one that has a place says what all of them are: of the upright axis, where that can be.
        let (mut has_unit, mut upright) = (false, None);
        let mut marks = Vec::new();
        for axis in axes.iter().rev().flatten() {
            let along = (axis.ends[1] - axis.ends[0]).normalized();
            let words = |it: &Tick| figure(it.metres, tick);
            let place = |index: usize, size: Vec2, goes_aside: bool, written: &[Rect]| {
                let it = &axis.ticks[index];
                // Where an axis begins it stands before that if there is something below it.
                let begins = (it.at - axis.ends[0]).length() < 1.0;
                let before = begins.then_some((0.0, -along));
                let aside = asides(&axis.ticks, index).filter(|_| goes_aside);
                let aside = aside.map(|by| (by, axis.outward));
                let first = std::iter::once((0.0, axis.outward));
                let mut ways = first.chain(before).chain(aside);
                ways.find_map(|(by, way)| {
                    room_for(it.at + along * by + way * 8.0, way, size, written)
                })
            };
            let places = axis.ticks.iter().enumerate().map(|(index, it)| {
                let galley = it.may_be_named.then(|| lay_out(words(it), false).0)?;
                place(index, galley.size(), true, &written)
            });
            let places: Vec<Option<Rect>> = places.collect();
            let names = axis.ticks.iter().filter(|it| it.may_be_named).count();
            let shown = evenly_or_none(&places, names);
            if !shown.is_empty() {
                let ticks = axis.ticks.iter().map(|it| it.at);
                let seen = ticks.filter(|at| !taken.iter().any(|chip| chip.contains(*at)));
                marks.extend(seen.map(|at| [at, at + axis.outward * MARK]));
            }
            let (before, first) = (written.len(), all.len());
            written.extend(shown.iter().filter_map(|it| places[*it]));
            for (number, index) in shown.into_iter().enumerate() {
                let it = &axis.ticks[index];
                // With the unit where that has room beside the others of its axis too.
                let with_unit = (!has_unit).then(|| lay_out(format!("{} m", words(it)), false));
                let with_unit = with_unit.and_then(|(galley, color)| {
                    let mut others = written.clone();
                    others.remove(before + number);
                    let rect = place(index, galley.size(), false, &others)?;
                    Some((rect, galley, color))
                });
                has_unit |= with_unit.is_some();
                let alone = || {
                    let (galley, color) = lay_out(words(it), false);
                    Some((places[index]?, galley, color))
                };
                if let Some(words) = with_unit.or_else(alone) {
                    written[before + number] = words.0.expand(BETWEEN);
                    all.push(words);
                }
            }
            if axis.axis == 2 {
                let figures = all[first..].iter().map(|(rect, ..)| *rect);
                upright = figures.reduce(Rect::union);
            }
        }
        Self {
            all,
            marks,
            upright,
        }
    }

    /// From the first figure of the upright axis to its last one, where they stand one above the other: other words there would be read as one
    /// more of them.
    pub fn upright(&self) -> Option<Rect> {
        self.upright
    }

    /// Where they stand.
    pub fn places(&self) -> impl Iterator<Item = Rect> {
        self.all.iter().map(|(rect, ..)| *rect)
    }

    /// Writes them.
    pub fn draw(self, painter: &Painter, palette: &Palette) {
        let pen = Stroke::new(1.25, faded(palette.text_second, 0.9));
        for ends in self.marks {
            painter.line_segment(ends, pen);
        }
        // No line to a tag and no edge strikes one through.
        let ground = faded(palette.field, 0.85);
        for (rect, galley, color) in self.all {
            let text = Rect::from_min_size(rect.min, galley.size());
            painter.rect_filled(text.expand2(vec2(2.0, -1.0)), CornerRadius::same(2), ground);
            painter.galley(rect.min, galley, color);
        }
    }
}

/// So far along its axis the figure of one of its ticks may go where a chip ends just there, in points: one still sees whose it is, nearer to its
/// own tick than to any other by far.
fn asides(ticks: &[Tick], index: usize) -> impl Iterator<Item = f32> {
    let beside = [index.checked_sub(1), Some(index + 1)]
        .into_iter()
        .flatten();
    let others = beside.filter_map(|other| ticks.get(other));
    let off = others.map(|other| (other.at - ticks[index].at).length());
    let most = off.fold(f32::INFINITY, f32::min) / 3.0;
    let all = [-6.0, 6.0, -12.0, 12.0_f32].into_iter();
    all.filter(move |by| by.abs() < most)
}

/// Whether a line goes through what is `taken`.
fn is_crossed(from: Pos2, to: Pos2, taken: &[Rect]) -> bool {
    pieces(from, to).any(|piece| taken.iter().any(|other| other.intersects(piece)))
}

/// Where a slice is taken hold of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceHandle {
    /// The ring, on the screen.
    pub at: Pos2,
    /// The way on the screen in which the slice moves towards greater places, one point long.
    pub along: Vec2,
    /// The same point in space, in metres.
    place: Vec3,
}

impl SliceHandle {
    /// The handle of a slice through a field: in the middle of the cut's uppermost edge on the screen, or of the next one where that lies
    /// under what is `taken`. `None` where the cut is not in the field, or not before the eye.
    pub fn of(eye: &Eye, field: Aabb3, slice: Slice, taken: &[Rect]) -> Option<Self> {
        let corners = slice.corners(field)?;
        let lens = eye.lens();
        let edges = (0..4).filter_map(|corner| {
            let place = (corners[corner] + corners[(corner + 1) % 4]) * 0.5;
            Some((place, lens.project(place)?.0))
        });
        let is_under = |at: Pos2| {
            let ring = Rect::from_center_size(at, Vec2::splat(2.0 * ARROWS));
            !eye.screen.contains(at) || taken.iter().any(|it| it.intersects(ring))
        };
        let key = |at: Pos2| (is_under(at), at.y);
        let (place, at) = edges.min_by(|a, b| key(a.1).partial_cmp(&key(b.1)).unwrap_or(Equal))?;
        let mut on = Vec3::ZERO;
        on[slice.axis.min(2)] = 1.0;
        let step = eye.metres_per_point_at_pivot() * 4.0;
        let along = lens.project(place + on * step).map(|(next, _)| next - at);
        let along = along
            .filter(|along| along.length() > 0.4)
            .map(Vec2::normalized);
        Some(Self {
            at,
            // Seen from the front it moves up and down.
            along: along.unwrap_or(vec2(0.0, -1.0)),
            place,
        })
    }

    /// Whether a point of the window is on the handle.
    pub fn is_at(&self, pointer: Pos2) -> bool {
        (pointer - self.at).length() <= HANDLE_REACH
    }

    /// Where the slice goes when its handle, taken hold of at `from`, is dragged to `to`: a place on its axis, in metres, within
    /// the field.
    pub fn dragged(&self, eye: &Eye, field: Aabb3, slice: Slice, from: Pos2, to: Pos2) -> f32 {
        let axis = slice.axis.min(2);
        let place = |pointer: Pos2| self.along_axis(eye, axis, pointer);
        let by = match (place(from), place(to)) {
            (Some(from), Some(to)) => to - from,
            // The axis points at the eye: as far as the pivot's plane would move under the pointer.
            _ => (to - from).dot(self.along) * eye.metres_per_point_at_pivot(),
        };
        let at = slice.at + by;
        let at = if at.is_finite() { at } else { slice.at };
        at.max(field.min[axis]).min(field.max[axis])
    }

    /// The place on the axis through the handle that is nearest to the line under a pointer; `None` where the two are as good as
    /// parallel.
    fn along_axis(&self, eye: &Eye, axis: usize, pointer: Pos2) -> Option<f32> {
        let (origin, way) = eye.line_through(pointer);
        let between = self.place - origin;
        let slant = way[axis];
        let room = 1.0 - slant * slant;
        let place = self.place[axis] + (slant * way.dot(between) - between[axis]) / room;
        (room > 0.02 && place.is_finite()).then_some(place)
    }
}

/// What the slice's chip says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// How many units lie before the slice.
    pub units: usize,
    /// How many units there are.
    pub of: usize,
}

/// Draws the handle and its chip, in this part of what the eye sees and off `taken`, and off the ball where that can be; returns what
/// the chip and its line take, if there is room for them.
pub fn slice_handle(
    ui: &Ui,
    palette: &Palette,
    (eye, room, field): (&Eye, Rect, Aabb3),
    (slice, handle): (Slice, SliceHandle),
    hidden: Hidden,
    is_hot: bool,
    (taken, ball): (&[Rect], Option<Rect>),
) -> Vec<Rect> {
    let painter = ui.painter().with_clip_rect(eye.screen);
    let color = if is_hot { palette.accent } else { palette.mark };
    for way in [handle.along, -handle.along] {
        let (from, to) = (handle.at + way * HANDLE, handle.at + way * ARROWS);
        painter.line_segment([from, to - way * 5.0], Stroke::new(1.5, color));
        let side = way.rot90() * 3.4;
        let head = vec![to, to - way * 7.5 + side, to - way * 7.5 - side];
        painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
    }
    let stroke = Stroke::new(1.7, color);
    painter.circle(handle.at, HANDLE, palette.panel, stroke);
    let axis = slice.axis.min(2);
    // As exactly as a hand can put it.
    let metres = figure(slice.at, eye.metres_per_point_at_pivot() * 100.0);
    let words = format!("slice {} {metres} m", LETTERS[axis]);
    let (units, of) = (
        with_commas(hidden.units as u64),
        with_commas(hidden.of as u64),
    );
    let counts = format!("hides {units} of {of}");
    let words = painter.layout_no_wrap(words, text(size::SECOND), palette.text);
    let counts = painter.layout_no_wrap(counts, number(size::CAPTION), palette.text_third);
    // What is seen of a volume in a low field is little: the chip is short there, and beside it where that can be.
    let figure = silhouette(eye, field);
    let seen = Rect::from_points(&figure).intersect(room);
    let is_little = seen.height() < LITTLE;
    let aside = if is_little {
        20.0
    } else {
        counts.size().x + 30.0
    };
    let extent = vec2(words.size().x + aside, 22.0);
    let room = room.shrink(layout::CHIP);
    if room.width() < extent.x {
        return Vec::new();
    }
    let aside_by = ARROWS + 8.0;
    let choices = [
        handle.at + vec2(-aside_by - extent.x, extent.y * 0.3),
        handle.at + vec2(-aside_by - extent.x, -extent.y * 1.2),
        handle.at + vec2(aside_by, -extent.y * 1.2),
        handle.at + vec2(-extent.x / 2.0, -aside_by - extent.y),
        handle.at + vec2(-extent.x / 2.0, aside_by),
    ];
    // Where all of them are taken it goes farther off, a little at a time.
    let farther = (1..12_u8).flat_map(|step| {
        let by = f32::from(step) * 24.0;
        let near = [choices[0], choices[2], choices[3]];
        [vec2(-by, 0.0), vec2(by, 0.0), vec2(0.0, -by)]
            .into_iter()
            .zip(near)
    });
    let farther = farther.map(|(by, at)| at + by);
    // At last to the sides of what is seen, as near to its height as can be, and along its foot, off the volume where that can be: where little
    // is seen of that, whichever of all is nearest.
    let columns = (0..32_u8).flat_map(|step| {
        let y = handle.at.y + f32::from(step) * 8.0;
        [room.right() - extent.x, room.left()].map(|x| pos2(x, y))
    });
    let foot = (0..12_u8).map(|step| {
        let x = room.left() + f32::from(step) * 40.0;
        pos2(x, room.bottom() - extent.y)
    });
    // Just above all that is seen of the volume there: over the handle, or more to a side of it, to which that is lower.
    let above_volume = |by: f32, lowest: f32| {
        let x = handle.at.x + by;
        let top = top_of(&figure, Rangef::new(x, x + extent.x));
        pos2(x, top.min(lowest) - extent.y - 1.0)
    };
    let above = [-extent.x / 2.0, -HANDLE, HANDLE - extent.x];
    let above = above.map(|by| above_volume(by, handle.at.y - aside_by));
    let near = choices.into_iter().chain(farther).chain(above);
    // Farther off along its upper edge.
    let along = (0..32_u8).flat_map(|step| {
        let by = aside_by + f32::from(step) * 8.0;
        [-by - extent.x, by].map(|by| above_volume(by, room.bottom()))
    });
    let (near, more): (Vec<Pos2>, Vec<Pos2>) = match is_little {
        true => (Vec::new(), near.collect()),
        false => (
            off(&figure, (room, extent), handle.at, near.collect()),
            Vec::new(),
        ),
    };
    // Nobody asks where they are before all that are near are taken.
    let far = std::iter::once_with(|| {
        let far = columns.clone().chain(foot.clone()).chain(along.clone());
        let mut far: Vec<Pos2> = far.chain(more.iter().copied()).collect();
        nearest_first(&figure, (room, extent), handle.at, &mut far);
        far
    });
    let places = near.into_iter().chain(far.flatten());
    let avoid: Vec<Rect> = taken.iter().copied().chain(ball).collect();
    // Where it stands far from what it is about, a line leads there, through nobody's words.
    let ring = Rect::from_center_size(handle.at, Vec2::splat(2.0 * ARROWS));
    let others: Vec<Rect> = taken
        .iter()
        .copied()
        .filter(|it| !it.intersects(ring))
        .collect();
    let line_to = |rect: Rect| {
        let near = rect.clamp(handle.at);
        let way = handle.at - near;
        let is_far = way.length() > 2.0 * ARROWS;
        let from = on_outline(rect, ROUND.into(), near);
        is_far.then(|| [from, handle.at - way.normalized() * (HANDLE + 4.0)])
    };
    let free = |avoid: &[Rect]| {
        let apart: Vec<Rect> = avoid.iter().map(|other| other.expand(3.0)).collect();
        let clear = |at| clear_place(room, extent, [at], &apart);
        // Where little is seen of the volume it hides nothing of that.
        let hides = |rect: &Rect| is_little && reaches_into(&figure, *rect);
        let mut each = places.clone().filter_map(clear).filter(|rect| !hides(rect));
        each.find(|rect| line_to(*rect).is_none_or(|[from, to]| !is_crossed(from, to, &others)))
    };
    // Where little is seen, it would hide the ball: then the panel says it alone.
    let beside = || free(taken).filter(|_| !is_little);
    let Some(rect) = free(&avoid).or_else(beside) else {
        return Vec::new();
    };
    let mut lies = vec![rect];
    if let Some([from, to]) = line_to(rect) {
        let line = Stroke::new(1.0, faded(palette.text_second, 0.5));
        painter.line_segment([from, to], line);
        lies.extend(pieces(from, to));
    }
    chip(&painter, palette, rect);
    let y = |galley: &Galley| rect.center().y - galley.size().y / 2.0;
    let left = pos2(rect.left() + 10.0, y(&words));
    let right = pos2(rect.right() - 10.0 - counts.size().x, y(&counts));
    painter.galley(left, words, palette.text);
    if !is_little {
        painter.galley(right, counts, palette.text_third);
    }
    float(ui.ctx(), rect);
    place(ui.ctx(), "chip.slice", rect);
    lies
}

/// What it costs a chip to lie on an axis: as much as two eighths of it on the volume.
const ON_AXIS: usize = 4;

/// So much that it hides one of those who are selected, who have often come but now.
const ON_CHOSEN: usize = 16;

/// What it costs that a line leads through a crowd, among which its way is lost.
fn through(crowd: &Crowd, from: Pos2, to: Pos2) -> usize {
    /// So many units on it are worth as much as one word.
    const EACH: usize = 4;
    let on_line = pieces(from, to).map(|piece| crowd.within(piece));
    on_line.sum::<usize>() / EACH
}

/// The way of an axis on the screen, piece by piece.
fn line_of(axis: &Axis) -> impl Iterator<Item = Rect> + use<> {
    pieces(axis.ends[0], axis.tip)
}

/// How many eighths of a rectangle lie in a convex figure: one at least where it reaches into it.
fn eighths_in(figure: &[Pos2], rect: Rect) -> usize {
    if !reaches_into(figure, rect) {
        return 0;
    }
    let sides = || figure.iter().zip(figure.iter().cycle().skip(1));
    let is_in = |at: &Pos2| sides().all(|(a, b)| vec2(a.y - b.y, b.x - a.x).dot(*at - *a) >= 0.0);
    let places = (0..32).map(|place| {
        let share = vec2((place % 8) as f32 + 0.5, (place / 8) as f32 + 0.5);
        rect.min + share * rect.size() / vec2(8.0, 4.0)
    });
    places.filter(is_in).count().div_ceil(4).max(1)
}

/// How high up a convex figure reaches between two places across the screen; as far down as can be where there is none of it.
fn top_of(figure: &[Pos2], across: Rangef) -> f32 {
    let sides = figure.iter().zip(figure.iter().cycle().skip(1));
    let tops = sides.filter_map(|(a, b)| {
        let (a, b) = if a.x <= b.x { (a, b) } else { (b, a) };
        let (from, to) = (a.x.max(across.min), b.x.min(across.max));
        let slope = match b.x > a.x {
            true => (b.y - a.y) / (b.x - a.x),
            false => 0.0,
        };
        let at = |x: f32| a.y + slope * (x - a.x);
        (from <= to).then(|| at(from).min(at(to)))
    });
    tops.fold(f32::INFINITY, f32::min)
}

/// A chip of this size at a place, or as near to that as the room has it.
fn in_room(room: Rect, extent: Vec2, place: Pos2) -> Rect {
    let corner = pos2(
        place.x.min(room.right() - extent.x).max(room.left()),
        place.y.min(room.bottom() - extent.y).max(room.top()),
    );
    Rect::from_min_size(corner, extent)
}

/// Sorts places: those first at which a chip of this size hides nothing of a figure, the nearest to a point first.
fn nearest_first(figure: &[Pos2], (room, extent): (Rect, Vec2), at: Pos2, places: &mut [Pos2]) {
    places.sort_by_cached_key(|place| {
        let rect = in_room(room, extent, *place);
        let off = rect.clamp(at).distance(at);
        (reaches_into(figure, rect), off as i64)
    });
}

/// These places, those first at which a chip of this size hides nothing of a figure and is still beside a point, the nearest of them first.
fn off(
    figure: &[Pos2],
    (room, extent): (Rect, Vec2),
    at: Pos2,
    mut places: Vec<Pos2>,
) -> Vec<Pos2> {
    /// So far off it is beside that, in points; places that are about as far keep their order.
    const BESIDE: f32 = 120.0;
    const ABOUT: f32 = 12.0;
    places.sort_by_cached_key(|place| {
        let rect = in_room(room, extent, *place);
        let way = rect.clamp(at).distance(at);
        let hides = way > BESIDE || reaches_into(figure, rect);
        (hides, if hides { 0 } else { (way / ABOUT) as i64 })
    });
    places
}

/// Where the ball of a query is on the screen, by its middle and its radius; `None` where it is not seen.
fn ball(eye: &Eye, (middle, radius): (Vec3, f32)) -> Option<Rect> {
    let lens = eye.lens();
    let (center, _) = lens.project(middle)?;
    let rim = rim(lens.origin, middle, radius)?;
    let seen = rim.map(|at| lens.project(at).map_or(center, |it| it.0));
    Some(Rect::from_points(&seen))
}

/// What chips keep off: the ball itself, for it is what one looks at, unless it is most of what there is to see.
pub fn ball_in_the_way(eye: &Eye, around: (Vec3, f32)) -> Option<Rect> {
    let seen = ball(eye, around)?.intersect(eye.screen);
    let is_small = seen.area() < eye.screen.area() / 3.0;
    (seen.is_positive() && is_small).then_some(seen)
}

/// What the query found, on a chip outside of the volume, with a line to the ball.
pub struct QueryTag {
    /// Where it lies, so that nobody else puts words there.
    pub rect: Rect,
    /// The line from the ball to it.
    from: Pos2,
    to: Pos2,
    rows: Vec<Arc<Galley>>,
    right: Arc<Galley>,
}

impl QueryTag {
    /// The tag of a query in this part of what the eye sees, at the right of the volume or else at its left, off `taken` and, where that
    /// can be, off those who are `chosen`, and with a line that leads through few of the `crowd`; `None` where the ball is not seen.
    pub fn of(
        painter: &Painter,
        palette: &Palette,
        (eye, room): (&Eye, Rect),
        field: Aabb3,
        query: &SphereView,
        (taken, chosen, crowd): (&[Rect], &[Vec3], &Crowd),
    ) -> Option<Self> {
        let lens = eye.lens();
        let (center, _) = lens.project(query.center)?;
        let around = (query.center, query.radius);
        let ball = ball(eye, around)?;
        let lines = words_of(query);
        let rows: Vec<Arc<Galley>> = lines
            .into_iter()
            .enumerate()
            .map(|(index, line)| {
                let color = if index == 0 {
                    palette.text
                } else {
                    palette.text_second
                };
                painter.layout_no_wrap(line, text(size::SECOND), color)
            })
            .collect();
        let reach = if (0.1..10.0).contains(&query.radius) {
            format!("r {:.1} m", query.radius)
        } else {
            format!("r {}", length_in_words(query.radius))
        };
        let right = painter.layout_no_wrap(reach, number(size::CAPTION), palette.text_third);
        let widest = rows.iter().map(|row| row.size().x).fold(0.0, f32::max);
        let first = rows.first().map_or(0.0, |row| row.size().x);
        let width = widest.max(first + right.size().x + 18.0) + 40.0;
        let extent = vec2(width, 10.0 + 18.0 * rows.len() as f32);
        let silhouette = silhouette(eye, field);
        let volume = Rect::from_points(&silhouette);
        let room = room.shrink(layout::CHIP);
        let y = center.y - extent.y - 8.0;
        let right_x = (volume.right() + 16.0).min(room.right() - extent.x);
        let left_x = (volume.left() - 16.0 - extent.x).max(room.left());
        let (upper, lower) = (ball.top() - extent.y - 24.0, ball.bottom() + 24.0);
        let choices = [
            pos2(right_x, y),
            pos2(right_x, upper),
            pos2(right_x, room.top() + 150.0),
            pos2(left_x, y),
            pos2(right_x, lower),
            pos2(left_x, lower),
            pos2(room.left(), room.top() + 48.0),
            pos2(room.right() - extent.x, room.bottom() - extent.y - 48.0),
            pos2(room.left(), room.bottom() - extent.y - 48.0),
            pos2(room.right() - extent.x, room.top() + 48.0),
            // Just below the chips at the top, which have their distance from it.
            pos2(room.left(), room.top() + 38.0),
        ];
        let mut avoid = taken.to_vec();
        avoid.extend(ball_in_the_way(eye, around));
        let edge = ball.width().min(ball.height()) / 2.0;
        let line_to = |rect: Rect| {
            let toward = rect.center() - center;
            let from = center + toward.normalized() * edge.min(toward.length());
            let to = pos2(
                from.x.clamp(rect.left(), rect.right()),
                (rect.top() + 14.0).max(from.y.min(rect.bottom() - 14.0)),
            );
            (from, to)
        };
        let chosen = chosen.iter().filter_map(|at| Some(lens.project(*at)?.0));
        let chosen: Vec<Pos2> = chosen.collect();
        let apart: Vec<Rect> = avoid.iter().map(|other| other.expand(3.0)).collect();
        let axes = axes::axes(eye, field);
        let lines: Vec<Rect> = axes.iter().flatten().flat_map(line_of).collect();
        // Off the volume and its axes, and with a line that goes through no words and few units, where that can be; and where it stood, as long
        // as that is as good.
        let places = choices.into_iter().enumerate().filter_map(|(place, at)| {
            let rect = clear_place(room, extent, [at], &apart)?;
            let (from, to) = line_to(rect);
            let cost = usize::from(is_crossed(from, to, taken)) + through(crowd, from, to);
            let cost = cost + 2 * eighths_in(&silhouette, rect);
            let is_on_axis = lines.iter().any(|piece| piece.intersects(rect));
            let cost = cost + if is_on_axis { ON_AXIS } else { 0 };
            let hidden = chosen.iter().filter(|at| rect.expand(6.0).contains(**at));
            let cost = cost + ON_CHOSEN * hidden.count();
            Some((place, rect, (cost, 0)))
        });
        let places: Vec<_> = places.collect();
        let id = Id::new("tag of a query in space");
        let (_, rect) = settled(painter.ctx(), id, &places)?;
        let (from, to) = line_to(rect);
        Some(Self {
            rect,
            from,
            to,
            rows,
            right,
        })
    }

    /// What it takes of the screen: its chip, and the way of its line, piece by piece.
    pub fn taken(&self) -> Vec<Rect> {
        let line = pieces(self.from, self.to);
        std::iter::once(self.rect).chain(line).collect()
    }

    /// Draws it.
    pub fn draw(self, painter: &Painter, palette: &Palette) {
        let rect = self.rect;
        let to = self.to;
        if !rect.contains(self.from) {
            let stroke = Stroke::new(1.0, faded(palette.text_second, 0.6));
            painter.line_segment([self.from, to], stroke);
        }
        chip(painter, palette, rect);
        for (index, row) in self.rows.into_iter().enumerate() {
            let y = rect.top() + 14.0 + 18.0 * index as f32;
            let icon = pos2(rect.left() + 16.0, y);
            let fill = |color| Shape::convex_polygon(pointing(icon), color, Stroke::NONE);
            match index {
                0 => drop(painter.add(fill(palette.text))),
                1 => hollow(painter, icon, palette.tested),
                _ => whole(painter, icon, palette),
            }
            let top = y - row.size().y / 2.0;
            painter.galley(pos2(rect.left() + 28.0, top), row, palette.text);
        }
        let at = pos2(
            rect.right() - 10.0 - self.right.size().x,
            rect.top() + 14.0 - self.right.size().y / 2.0,
        );
        painter.galley(at, self.right, palette.text_third);
    }
}

/// What a query did, a line each: whom it found, whom it tested in vain, and what it took whole.
fn words_of(query: &SphereView) -> Vec<String> {
    let counter = query.counter;
    let mut lines = vec![format!("{} in reach", with_commas(counter.hits))];
    // Of a long trace the end is missing, and with it who was tested.
    let is_whole = query.dropped == 0;
    let is_hit = |unit: &&UnitId| query.hits.binary_search(unit).is_ok();
    let tested_hits = query.tested.iter().filter(is_hit).count() as u64;
    lines.push(if is_whole {
        let too_far = counter.tests.saturating_sub(tested_hits);
        format!("{} tested, too far", with_commas(too_far))
    } else {
        format!("{} tested", with_commas(counter.tests))
    });
    if counter.accepts > 0 {
        let taken = format!("{} taken whole", with_commas(counter.accepts));
        let many = counter.hits.saturating_sub(tested_hits);
        let units = if many == 1 { "unit" } else { "units" };
        lines.push(if is_whole {
            format!("{taken}, {} {units}", with_commas(many))
        } else {
            taken
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::silhouette::hull;
    use crate::app::theme;
    use egui_macroquad::egui::{Context, RawInput};

    fn field() -> Aabb3 {
        Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0))
    }

    fn eye() -> Eye {
        let screen = Rect::from_min_size(pos2(272.0, 32.0), vec2(860.0, 560.0));
        Eye::framing(field(), screen)
    }

    #[test]
    fn a_dragged_handle_stays_under_the_pointer() {
        let eye = eye();
        for axis in 0..3 {
            let slice = Slice { axis, at: 130.0 };
            let handle =
                SliceHandle::of(&eye, field(), slice, &[]).expect("the cut is in the field");
            assert!(handle.is_at(handle.at));
            let to = handle.at + handle.along * 23.0;
            let at = handle.dragged(&eye, field(), slice, handle.at, to);
            assert!(at > slice.at);
            let mut place = handle.place;
            place[axis] = at;
            let (seen, _) = eye.project(place).expect("it is before the eye");
            assert!((seen - to).length() < 0.5, "{seen} {to}");
            let far = handle.at + handle.along * 9000.0;
            let most = handle.dragged(&eye, field(), slice, handle.at, far);
            assert!(field().min[axis] <= most && most <= field().max[axis]);
        }
    }

    #[test]
    fn a_handle_keeps_off_what_lies_over_the_volume_where_it_can() {
        let eye = eye();
        let slice = Slice { axis: 1, at: 130.0 };
        let of = |taken: &[Rect]| {
            SliceHandle::of(&eye, field(), slice, taken).expect("the cut is in the field")
        };
        let first = of(&[]);
        let chip = Rect::from_center_size(first.at, vec2(200.0, 30.0));
        let other = of(&[chip]);
        assert!(other.at.y > first.at.y && !chip.contains(other.at));
        assert_eq!(of(&[eye.screen]), first, "where all is taken, as ever");
    }

    #[test]
    fn a_slice_seen_from_the_front_moves_up_and_down() {
        let mut eye = eye();
        eye.look_along(0, true);
        eye.frame(field());
        let slice = Slice { axis: 0, at: 240.0 };
        let handle = SliceHandle::of(&eye, field(), slice, &[]).expect("the cut is in the field");
        let to = handle.at - vec2(0.0, 10.0);
        let at = handle.dragged(&eye, field(), slice, handle.at, to);
        assert!(at.is_finite() && at != slice.at);
        assert_eq!(
            SliceHandle::of(&eye, field(), Slice { axis: 0, at: 500.0 }, &[]),
            None
        );
    }

    #[test]
    fn the_tag_counts_whom_it_tested_in_vain() {
        let mut query = SphereView {
            hits: vec![1, 2, 5, 9],
            tested: vec![2, 3, 4, 9],
            ..SphereView::default()
        };
        (query.counter.hits, query.counter.tests) = (4, 4);
        query.counter.accepts = 1;
        let words = ["4 in reach", "2 tested, too far", "1 taken whole, 2 units"];
        assert_eq!(words_of(&query), words);
        query.hits.pop();
        query.counter.hits = 3;
        query.tested = vec![2, 3, 4, 5];
        assert_eq!(words_of(&query)[2], "1 taken whole, 1 unit");
        query.hits.push(9);
        query.counter.hits = 4;
        query.dropped = 7;
        assert_eq!(
            words_of(&query),
            ["4 in reach", "4 tested", "1 taken whole"]
        );
    }

    #[test]
    fn a_line_through_a_crowd_costs_more_than_one_beside_it() {
        let row = (0..100_u8).map(|at| pos2(200.0 + 2.0 * f32::from(at), 100.0));
        let crowd = Crowd::at(row.collect());
        let from = pos2(190.0, 100.0);
        let right = through(&crowd, from, pos2(420.0, 100.0));
        let left = through(&crowd, from, pos2(10.0, 100.0));
        assert!(right > 4 && left == 0, "{right} {left}");
    }

    #[test]
    fn a_figure_goes_a_little_aside_before_it_is_left_out() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let _ = ctx.run(RawInput::default(), |ctx| {
            let painter = ctx.debug_painter();
            let of = |taken: &[Rect]| {
                AxisFigures::of(&painter, &eye(), field(), &Palette::DARK, taken).all
            };
            let all = of(&[]);
            // Of the upright axis that in its middle, beside which there is nothing else.
            let words = ["120", "120 m"];
            // One has the unit, and no other.
            let units = all.iter().filter(|it| it.1.text().ends_with(" m"));
            assert_eq!(units.count(), 1);
            let upright = all
                .iter()
                .filter(|(_, galley, _)| words.contains(&galley.text()));
            let upright = upright.min_by(|a, b| a.0.center().y.total_cmp(&b.0.center().y));
            let (number, ..) = upright.expect("a figure");
            let below = number.left_bottom() + vec2(0.0, 2.0);
            let chip = Rect::from_min_size(below, vec2(number.width(), 8.0));
            let others = of(&[chip]);
            assert_eq!(others.len(), all.len(), "{number:?}");
            assert!(others.iter().all(|(rect, ..)| !rect.intersects(chip)));
        });
    }

    #[test]
    fn an_axis_without_a_figure_has_no_marks() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let _ = ctx.run(RawInput::default(), |ctx| {
            let painter = ctx.debug_painter();
            let of =
                |taken: &[Rect]| AxisFigures::of(&painter, &eye(), field(), &Palette::DARK, taken);
            let axes = axes::axes(&eye(), field());
            let count: usize = axes.iter().flatten().map(|axis| axis.ticks.len()).sum();
            assert_eq!(of(&[]).marks.len(), count);
            // Chips lie where the figures of the upright axis have their places, and not on the axis.
            let upright = axes[2].as_ref().expect("an upright axis");
            let beside = |tick: &Tick| {
                let middle = tick.at + upright.outward * 60.0;
                Rect::from_center_size(middle, vec2(100.0, 400.0))
            };
            let chips: Vec<Rect> = upright.ticks.iter().map(beside).collect();
            let left = of(&chips).marks;
            assert!(!left.is_empty() && left.len() < count);
            let is_upright = |at: Pos2| upright.ticks.iter().any(|tick| tick.at == at);
            assert!(!left.iter().any(|[at, _]| is_upright(*at)));
        });
    }

    #[test]
    fn a_figure_goes_aside_by_less_than_a_third_of_the_way_to_the_next_tick() {
        let aside = |apart: f32| {
            let at = [0.0, 90.0, 90.0 + apart].map(|y| Tick {
                at: pos2(0.0, y),
                metres: y,
                may_be_named: true,
            });
            [1, 2].map(|index| asides(&at, index).collect::<Vec<_>>())
        };
        let all = [-6.0, 6.0, -12.0, 12.0];
        assert_eq!(aside(40.0), [all, all]);
        assert_eq!(aside(20.0), [[-6.0, 6.0]; 2]);
        assert!(aside(15.0).iter().all(Vec::is_empty));
    }

    #[test]
    fn a_chip_has_a_place_just_above_a_figure_wherever_that_is_lower() {
        let corners = [(50.0, 0.0), (150.0, 50.0), (50.0, 100.0), (0.0, 50.0)];
        let figure = hull(corners.map(|(x, y)| pos2(x, y)).to_vec());
        let top = |min: f32, max: f32| top_of(&figure, Rangef::new(min, max));
        assert_eq!(top(40.0, 60.0), 0.0);
        assert_eq!((top(0.0, 25.0), top(100.0, 150.0)), (25.0, 25.0));
        assert_eq!(top(160.0, 200.0), f32::INFINITY);
        for x in [0.0, 20.0, 45.0, 60.0, 100.0] {
            let top = top(x, x + 30.0) - 1.0;
            let words = Rect::from_min_max(pos2(x, top - 22.0), pos2(x + 30.0, top));
            assert!(!reaches_into(&figure, words), "{x}");
            assert!(
                reaches_into(&figure, words.translate(vec2(0.0, 3.0))),
                "{x}"
            );
        }
        // Its middle hides some of it, and its end to the right does not.
        let (room, extent) = (
            Rect::from_min_max(pos2(-50.0, 4.0), pos2(200.0, 100.0)),
            vec2(60.0, 15.0),
        );
        let handle = pos2(90.0, 45.0);
        let places = [-30.0, 0.0].map(|by| {
            pos2(
                handle.x + by,
                top(handle.x + by, handle.x + by + 60.0) - 16.0,
            )
        });
        let sorted = off(&figure, (room, extent), handle, places.to_vec());
        assert_eq!(sorted, [places[1], places[0]]);
    }

    #[test]
    fn a_tag_goes_off_what_is_seen_of_a_volume() {
        let corners = [(50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0)];
        let figure = hull(corners.map(|(x, y)| pos2(x, y)).to_vec());
        let at = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(20.0, 10.0));
        let eighths =
            [at(0.0, 0.0), at(40.0, 50.0), at(90.0, 45.0)].map(|it| eighths_in(&figure, it));
        assert_eq!((eighths[0], eighths[1]), (0, 8));
        assert!((1..8).contains(&eighths[2]), "{eighths:?}");
        let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        // On it, off it and far from the point, and off it and near.
        let places = [(40.0, 50.0), (0.0, 0.0), (80.0, 80.0)].map(|(x, y)| pos2(x, y));
        let sorted = |at: Pos2| off(&figure, (room, vec2(20.0, 10.0)), at, places.to_vec());
        let near = sorted(pos2(90.0, 60.0));
        assert_eq!(near, [places[2], places[1], places[0]]);
        // Far from all of them they keep their order.
        assert_eq!(sorted(pos2(900.0, 50.0)), places);
        // Where little is seen, one above what it is about goes before one that is far below it.
        let mut places = [pos2(80.0, 90.0), pos2(40.0, 50.0), pos2(50.0, -20.0)];
        let room = Rect::from_min_max(pos2(0.0, -30.0), pos2(100.0, 100.0));
        nearest_first(
            &figure,
            (room, vec2(20.0, 10.0)),
            pos2(55.0, 10.0),
            &mut places,
        );
        assert_eq!(
            places,
            [pos2(50.0, -20.0), pos2(80.0, 90.0), pos2(40.0, 50.0)]
        );
    }
}
