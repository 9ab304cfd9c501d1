//! What a structure marks on the field beside its regions: guides, the cells of a search, and their words.

use self::steady::{Boxes, Numbers, numbered_body, steady_label};
use super::crowd::Crowd;
use super::look::Look;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::Mesh;
use crate::app::view::marks::{dashed_rect, label_size, line_around};
use crate::app::widgets::with_commas;
use egui_macroquad::egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2,
};
use skirmish::geometry::Vec2 as Metres;
use skirmish::observe::{MarkView, Outline};
use skirmish::partition::{MarkRole, Role};
use std::borrow::Cow;
use std::ops::Range;

mod steady;

/// So many guides are looked at one by one.
const FEW_GUIDES: usize = 12;

/// The line of a guide. Many of them would be a carpet.
fn guide_stroke(look: &Look<'_>, palette: &Palette) -> Stroke {
    let all = look.lane.frame.marks.iter();
    let guides = all.filter(|mark| mark.role == MarkRole::Guide).count();
    let opacity = if guides > FEW_GUIDES { 0.4 } else { 0.9 };
    Stroke::new(1.0, faded(palette.text_third, opacity))
}

/// The lines among the guides lie under the units, and everything else [over them](marks).
pub fn guide_lines(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    if !look.layers.shows(Layer::Nodes) {
        return;
    }
    let stroke = guide_stroke(look, palette);
    let guides = look.lane.frame.marks.iter();
    for mark in guides.filter(|mark| mark.role == MarkRole::Guide) {
        if let Outline::Line(from, to) = mark.outline {
            let ends = [from, to].map(|end| look.camera.to_screen(end));
            mesh.line(ends[0], ends[1], stroke.width, stroke.color);
        }
    }
}

/// Whether it is shown which cells somebody in the cell under the cursor looks at.
pub fn names_cells(look: &Look<'_>) -> bool {
    let mut marks = look.lane.frame.marks.iter();
    look.layers.shows(Layer::Nodes) && marks.any(|mark| mark.role == MarkRole::Home)
}

/// Draws them.
pub fn marks(painter: &Painter, look: &Look<'_>, palette: &Palette) {
    if !look.layers.shows(Layer::Nodes) {
        return;
    }
    let guide = guide_stroke(look, palette);
    let is_under =
        |mark: &MarkView| mark.role == MarkRole::Guide && matches!(mark.outline, Outline::Line(..));
    let all = look.lane.frame.marks.iter();
    for mark in all.filter(|mark| !is_under(mark)) {
        let (stroke, fill) = match mark.role {
            MarkRole::Guide => (guide, Color32::TRANSPARENT),
            MarkRole::Home => (
                Stroke::new(2.0, palette.accent),
                faded(palette.accent, 0.16),
            ),
            MarkRole::Scanned => (
                Stroke::new(1.2, faded(palette.accent, 0.9)),
                faded(palette.accent, 0.09),
            ),
            MarkRole::Skipped => (
                Stroke::new(1.0, faded(palette.text_third, 0.8)),
                Color32::TRANSPARENT,
            ),
            // Not the colour of what has just been split, which lies beside it.
            MarkRole::Special => (Stroke::new(1.5, palette.second), Color32::TRANSPARENT),
        };
        draw_mark(painter, look, mark, stroke, fill);
    }
    for list in lists(look) {
        let stroke = Stroke::new(1.2, faded(palette.text_second, 0.9));
        draw_mark(painter, look, &list, stroke, Color32::TRANSPARENT);
    }
}

/// The cells of units with their addresses, where there is room for these, and nothing of what is explained under the cursor: while one steps
/// other things are marked there.
pub fn addresses(painter: &Painter, look: &Look<'_>, palette: &Palette, crowd: &Crowd) {
    if !look.layers.shows(Layer::Nodes) {
        return;
    }
    let guide = guide_stroke(look, palette);
    let mut taken = look.taken.to_vec();
    for mark in look.lane.frame.marks.iter().filter(|it| is_address(it)) {
        draw_mark(painter, look, mark, guide, Color32::TRANSPARENT);
        if has_room(painter, look, mark, &mark.label) {
            let places = mark_places(painter, look, (mark, &mark.label));
            let label = (&places[..], &*mark.label, &[MOST_HIDDEN][..]);
            steady_label(painter, palette, look, label, (crowd, &mut taken));
        }
    }
}

/// Whether a mark is a cell with its whole address: of what is explained under the cursor some bits are open, or it is the cell there.
fn is_address(mark: &MarkView) -> bool {
    let is_box = mark.role == MarkRole::Guide && matches!(mark.outline, Outline::Rect(_));
    is_box && mark.label.chars().all(|it| matches!(it, '0' | '1' | ' '))
}

/// The lists that lie over everything, as marks: in dashes the box around all whom one holds, and how many these are.
pub fn lists(look: &Look<'_>) -> impl Iterator<Item = MarkView> {
    let all = look.lane.frame.regions.list.iter();
    let lists =
        all.filter(|it| it.role == Role::Oversize && matches!(it.outline, Outline::Rect(_)));
    lists.map(|list| MarkView {
        role: MarkRole::Guide,
        outline: list.outline,
        label: format!("{} oversize", with_commas(list.load.into())),
    })
}

/// The words of those that have room for theirs, off the tag of the query, over all lines: a ring around the cursor would strike out
/// what is said beside it. Whether some body that is held somewhere unusual says where.
pub fn mark_words(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (tag, crowd): (&[Rect], &Crowd),
) -> bool {
    if !look.layers.shows(Layer::Nodes) {
        return false;
    }
    // Words never cover words: whoever comes first stands.
    let mut taken: Vec<Rect> = [look.taken, tag].concat();
    // Nor what is asked.
    let asked = look.query().and_then(|_| look.held.or(look.cursor));
    let radius = look.brush.radius * look.camera.zoom;
    taken.extend(
        asked
            .map(|at| {
                let at = look.camera.to_screen(at);
                Rect::from_center_size(at, Vec2::splat(2.0 * radius.max(2.0) + 4.0))
            })
            .filter(|asked| asked.area() < look.room.area() / 4.0),
    );
    // Off the ticks of a line, each of which is somebody's, as long as they leave a place.
    let lines = look.lane.frame.marks.iter().filter_map(|mark| match mark {
        MarkView {
            role: MarkRole::Guide,
            outline: Outline::Line(from, to),
            ..
        } => Some(Rect::from_two_pos(
            look.camera.to_screen(*from),
            look.camera.to_screen(*to),
        )),
        _ => None,
    });
    let ticks: Vec<Rect> = lines
        .filter(|line| line.size().max_elem() <= LONGEST_TICK)
        .map(|line| line.expand(1.0))
        .collect();
    let all = look.lane.frame.marks.iter();
    let all: Vec<&MarkView> = all
        .filter(|mark| says_its_words(mark, look.counts_selected))
        .collect();
    let (mut says_number, mut before, mut row) = (false, None, None);
    let mut numbers = Numbers::of(painter.ctx(), look);
    let mut boxes = Boxes::of(painter.ctx(), look);
    let last_steps = last_steps(&all, |at| look.camera.to_screen(at));
    let steps = lines_of_steps(&all, |at| look.camera.to_screen(at));
    // Where the first step is said; the others are said as near to that as they can be.
    let mut first = None;
    // Of an end that is said off the ticks nothing more is said.
    let mut is_end_said = vec![false; all.len()];
    for (place, turn) in turns(&all, !ticks.is_empty()) {
        let mark = all[place];
        let is_behind = |last: &Range<usize>| last.contains(&place) && last.start < place;
        if is_end_said[place] || last_steps.as_ref().is_some_and(is_behind) {
            continue;
        }
        let mut words = known_part(&mark.label);
        if let Some(last) = last_steps.as_ref().filter(|last| last.start == place) {
            let end = numbered(&all[last.end - 1].label).map_or(0, |(_, number, _)| number);
            words = format!("{words}–{end}").into();
        }
        let is_line = matches!(mark.outline, Outline::Line(..));
        let own = numbered(&mark.label).filter(|_| is_line);
        // What is looked at one after the other; guides, as depths are, say each what it is.
        let step = own.filter(|_| mark.role == MarkRole::Scanned);
        let body = numbered_body(mark);
        let is_said = say_step(&mut row, step, || {
            if words.is_empty() || !has_room(painter, look, mark, &words) {
                return Said::NoRoom;
            }
            let words = match follows(before, step) {
                true => words.split_once(' ').map_or(&*words, |it| it.1),
                false => &words,
            };
            let places = match step {
                Some(_) => step_places(painter, look, (mark, words), (first, &steps)),
                None => mark_places(painter, look, (mark, words)),
            };
            // Off the ticks, where there are any, before they lie on these: what is parted there is to be seen.
            let off_ticks = (!ticks.is_empty()).then_some((&ticks[..], true));
            let anywhere = (turn == Turn::Anywhere).then_some((&[][..], false));
            let is_seen = !places.is_empty();
            for (ticks, is_off) in off_ticks.into_iter().chain(anywhere) {
                let limits = most_hidden(mark, step.is_some(), is_line && is_off);
                let label = (&places[..], words, limits);
                let count = taken.len();
                taken.extend_from_slice(ticks);
                let around = (crowd, &mut taken);
                let is_said = match (body, mark.outline) {
                    (Some(body), _) => numbers.say(painter, palette, body, label, around),
                    (None, Outline::Rect(area)) if mark.role != MarkRole::Special => {
                        boxes.say(painter, palette, area, label, around)
                    }
                    (None, _) => steady_label(painter, palette, look, label, around),
                };
                taken.drain(count..count + ticks.len());
                if is_said {
                    if step.is_some() && first.is_none() {
                        first = taken.last().map(Rect::center);
                    }
                    return Said::There;
                }
            }
            match is_seen {
                true => Said::NoRoom,
                false => Said::Out,
            }
        });
        if is_said {
            says_number |= body.is_some();
            before = step;
            is_end_said[place] = turn == Turn::OffTicks;
        }
    }
    for list in lists(look) {
        if let Outline::Rect(area) = list.outline {
            let rect = look.camera.rect_to_screen(area);
            let places = places_around(rect, label_size(painter, &list.label));
            let label = (&places[..], &*list.label, &[MOST_HIDDEN][..]);
            steady_label(painter, palette, look, label, (crowd, &mut taken));
        }
    }
    numbers.keep(painter.ctx());
    boxes.keep(painter.ctx());
    says_number
}

/// Where the words of a mark are tried to stand when it is their turn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// Off the ticks of a line alone.
    OffTicks,
    /// Off them, and then on them.
    Anywhere,
}

/// In which order the words of marks are said, by their places, and where: what a search along a line comes to off the ticks before its steps,
/// which leave it no place there; where it finds none it comes behind them, for on the ticks it would take the places of all of them.
fn turns(marks: &[&MarkView], has_ticks: bool) -> Vec<(usize, Turn)> {
    let is_end = |place: &usize| {
        let mark = marks[*place];
        mark.role == MarkRole::Home && matches!(mark.outline, Outline::Line(..))
    };
    let (ends, others): (Vec<_>, Vec<_>) =
        (0..marks.len()).partition(|place| has_ticks && is_end(place));
    let first = ends.iter().map(|place| (*place, Turn::OffTicks));
    let last = others.iter().chain(&ends);
    let last = last.map(|place| (*place, Turn::Anywhere));
    first.chain(last).collect()
}

/// Lines are so near to each other that they are one, in points.
const ONE: f32 = 3.0;

/// The steps of a search at its end whose lines are one line on the screen, by their places; nothing where each has its own.
fn last_steps(marks: &[&MarkView], to_screen: impl Fn(Metres) -> Pos2) -> Option<Range<usize>> {
    let at = |mark: &MarkView| match mark.outline {
        Outline::Line(from, _) if mark.role == MarkRole::Scanned => {
            numbered(&mark.label).map(|_| to_screen(from))
        }
        _ => None,
    };
    let end = marks.iter().rposition(|mark| at(mark).is_some())? + 1;
    let last = at(marks[end - 1])?;
    let others = marks[..end].iter().rev();
    let near = others.take_while(|mark| at(mark).is_some_and(|at| at.distance(last) <= ONE));
    let count = near.count();
    (count > 1).then(|| end - count..end)
}

/// The lines of the steps of a search on the screen.
fn lines_of_steps(marks: &[&MarkView], to_screen: impl Fn(Metres) -> Pos2) -> Vec<[Pos2; 2]> {
    let steps = marks.iter().filter_map(|mark| match mark.outline {
        Outline::Line(from, to) if mark.role == MarkRole::Scanned => {
            numbered(&mark.label).map(|_| [to_screen(from), to_screen(to)])
        }
        _ => None,
    });
    steps.collect()
}

/// Whether a number whose lower left corner is here lies on the line of another step than its own, as whose it would be read.
fn is_on_another(at: Pos2, size: Vec2, own: Pos2, steps: &[[Pos2; 2]]) -> bool {
    let words = Rect::from_min_size(at - vec2(0.0, size.y), size).shrink(1.0);
    let mut others = steps.iter().filter(|[from, _]| from.distance(own) > ONE);
    others.any(|[from, to]| seen_part(*from, *to, words).is_some())
}

/// A label that is one of a row of such, as *search 2* or *depth 1: x = 3 m*: its word, its number, and all from the number on.
fn numbered(label: &str) -> Option<(&str, u32, &str)> {
    let (word, rest) = label.split_once(' ')?;
    let number = rest.split_once(": ").map_or(rest, |(number, _)| number);
    Some((word, number.parse().ok()?, rest))
}

/// Whether one of them comes right behind the one that was said last: then its number says which it is, and else its word has to as well.
fn follows(before: Option<(&str, u32, &str)>, own: Option<(&str, u32, &str)>) -> bool {
    let both = before.zip(own);
    both.is_some_and(|(before, own)| before.0 == own.0 && before.1.checked_add(1) == Some(own.1))
}

/// What has become of the words of a mark.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    /// They stand somewhere.
    There,
    /// There is no room for them.
    NoRoom,
    /// The mark is out of sight.
    Out,
}

/// Says by `say` what a mark is, unless it is a step that [may not be said](goes_on). Of what is out of sight nobody asks which it is: as long as
/// none has been said, the next one is the first again. Whether it is said.
fn say_step<'m>(
    row: &mut Option<(&'m str, bool)>,
    step: Option<(&'m str, u32, &'m str)>,
    say: impl FnOnce() -> Said,
) -> bool {
    if !goes_on(row, step) {
        return false;
    }
    let said = say();
    if let Some((word, ..)) = step {
        match said {
            Said::There => *row = Some((word, true)),
            Said::Out => *row = row.filter(|(_, is_said)| *is_said),
            Said::NoRoom => {}
        }
    }
    said == Said::There
}

/// Whether this one of several steps may be said: a *search 2* alone is a riddle where the first one is seen and nobody has said that it is that.
/// `row` is the word of the steps that the marks are in, and whether one of them has been said.
fn goes_on<'m>(row: &mut Option<(&'m str, bool)>, step: Option<(&'m str, u32, &'m str)>) -> bool {
    let Some((word, ..)) = step else {
        return true;
    };
    match *row {
        Some((of, is_said)) if of == word => is_said,
        _ => {
            *row = Some((word, false));
            true
        }
    }
}

/// Whether a mark says what it is: the boxes of the search under the cursor say how many are in them, which is kept back while it is said how
/// many are selected.
fn says_its_words(mark: &MarkView, counts_selected: bool) -> bool {
    let counts = mark.label.ends_with(" units") || mark.label.ends_with(" unit");
    mark.role == MarkRole::Guide || !counts_selected || !counts
}

/// Where words stand that are of a box over everything: outside at its corners first, for inside of it every place is somebody else's.
fn places_around(rect: Rect, room: Vec2) -> [Pos2; 8] {
    let (left, right) = (rect.left(), rect.right() - room.x);
    let rows = [
        rect.top(),
        rect.bottom() + room.y,
        rect.top() + room.y,
        rect.bottom(),
    ];
    let at = |place: usize| pos2([left, right][place % 2], rows[place / 2]);
    std::array::from_fn(at)
}

/// Where words stand that are of a box not much larger than they are: outside at its corners, for inside they would hide it.
fn places_outside(rect: Rect, room: Vec2) -> [Pos2; 8] {
    let [above, above_right, below, below_right, ..] = places_around(rect, room);
    let [behind, before] = [rect.right(), rect.left() - room.x];
    let [upper, lower] = [rect.top() + room.y, rect.bottom()];
    [
        above,
        above_right,
        below,
        below_right,
        pos2(behind, upper),
        pos2(behind, lower),
        pos2(before, upper),
        pos2(before, lower),
    ]
}

/// How many units words may hide, one after the other: they keep off all units before they hide some, and off ticks they hide a few more. A
/// step of a search, and a body that is held somewhere unusual and says that by a number, have theirs in a crowd as well: some with a number
/// beside others without one would be told apart by it.
fn most_hidden(mark: &MarkView, is_step: bool, is_off_ticks: bool) -> &'static [usize] {
    match (numbered_body(mark).is_some(), is_step, is_off_ticks) {
        (_, true, _) => &MOST_HIDDEN_BY_STEP,
        (true, ..) => &MOST_HIDDEN_BY_NUMBER,
        (.., true) => &[0, MOST_HIDDEN, MOST_HIDDEN_OFF_TICKS],
        (.., false) => &[0, MOST_HIDDEN],
    }
}

fn draw_mark(painter: &Painter, look: &Look<'_>, mark: &MarkView, stroke: Stroke, fill: Color32) {
    let camera = look.camera;
    match mark.outline {
        Outline::Rect(area) => {
            let rect = camera.rect_to_screen(area);
            let width = line_around(rect.size().min_elem(), stroke.width);
            let stroke = Stroke::new(width, stroke.color);
            painter.rect_filled(rect, CornerRadius::ZERO, fill);
            if mark.role == MarkRole::Skipped || mark.role == MarkRole::Guide {
                dashed_rect(painter, rect, stroke, 4.0, 4.0);
            } else {
                painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
            }
        }
        Outline::Line(from, to) => {
            painter.line_segment([camera.to_screen(from), camera.to_screen(to)], stroke);
        }
        Outline::Convex { start, count } => {
            let corners = look.lane.frame.mark_corners.polygon(start, count);
            let corners: Vec<_> = corners
                .iter()
                .map(|corner| camera.to_screen(*corner))
                .collect();
            painter.add(Shape::convex_polygon(corners, fill, stroke));
        }
    }
}

/// An address without the groups of bits at its end that are all open: beside a box a row of dots says no more than three of them.
fn known_part(label: &str) -> Cow<'_, str> {
    let known = label.trim_end_matches(" ····");
    match known.len() < label.len() {
        true => format!("{known} …").into(),
        false => label.into(),
    }
}

/// Whether the words of a mark fit into its box: where they do not, they would cover their neighbours. Of somebody who is held somewhere
/// unusual they stand beside the body as well, unless that is so small that those of a crowd would be a carpet.
fn has_room(painter: &Painter, look: &Look<'_>, mark: &MarkView, words: &str) -> bool {
    match mark.outline {
        Outline::Rect(area) => {
            let room = label_size(painter, words).x;
            let width = look.camera.rect_to_screen(area).width();
            match mark.role {
                MarkRole::Special => width >= room / 2.0,
                _ => width >= room + 2.0,
            }
        }
        Outline::Line(..) | Outline::Convex { .. } => true,
    }
}

/// A line so short, in points, is a tick of a longer one.
const LONGEST_TICK: f32 = 24.0;

/// Words of a mark that would hide more than so many are left out: a line or a box says enough without them. Where they stand already they
/// stay for so many at the least, for they are not to blink.
const MOST_HIDDEN: usize = 2;
const MOST_HIDDEN_BY_OLD: usize = 6;
/// So many they may hide before they lie on a row of ticks, for each of these is somebody's: fewer than where they stand already, or they would
/// blink.
const MOST_HIDDEN_OFF_TICKS: usize = 4;
/// The same of a step of a search, one after the other: a line without its number is a riddle.
const MOST_HIDDEN_BY_STEP: [usize; 3] = [MOST_HIDDEN, MOST_HIDDEN_BY_OLD, 20];
/// The same of the number of a body that is held somewhere unusual.
const MOST_HIDDEN_BY_NUMBER: [usize; 4] = [0, MOST_HIDDEN, MOST_HIDDEN_BY_OLD, 20];

/// Where the words of a mark may stand, the best place first: in the corners of its box where there is room, or along its line.
fn mark_places(painter: &Painter, look: &Look<'_>, (mark, words): (&MarkView, &str)) -> Vec<Pos2> {
    let room = label_size(painter, words);
    match mark.outline {
        Outline::Rect(area) => {
            // Inside, where there is room: what stands above a cell is read as said of the one above.
            const LINE: f32 = 18.0;
            /// A body that is not so many times as large as its number would be hidden by it.
            const HIDDEN: f32 = 3.0;
            let rect = look.camera.rect_to_screen(area);
            let is_low = rect.height() <= LINE + 4.0;
            let is_hidden = rect.width() < HIDDEN * room.x || rect.height() < HIDDEN * room.y;
            if mark.role == MarkRole::Special && is_hidden {
                return places_outside(rect.expand(1.0), room).to_vec();
            }
            if is_low {
                return vec![rect.left_top()];
            }
            let (upper, lower) = (rect.top() + LINE + 1.0, rect.bottom() - 2.0);
            let (left, right) = (rect.left() + 2.0, rect.right() - room.x - 2.0);
            let mut places = vec![
                pos2(left, upper),
                pos2(left, lower),
                pos2(right, upper),
                pos2(right, lower),
            ];
            // Where what lies over the picture covers one edge, or a name does, somebody may stand at the other: then they go inwards.
            let (most, step) = (12, LINE / 3.0);
            let steps = ((lower - upper) / 2.0 / step).clamp(0.0, most as f32) as usize;
            for way in (1..=steps).map(|turn| turn as f32 * step) {
                let heights = [lower - way, upper + way];
                places.extend(heights.map(|y| pos2(left, y)));
                places.extend(heights.map(|y| pos2(right, y)));
            }
            places
        }
        Outline::Line(from, to) => {
            let [from, to] = [from, to].map(|end| look.camera.to_screen(end));
            let seen = painter.clip_rect().shrink(8.0);
            let field = look.camera.rect_to_screen(look.field);
            places_of_line((from, to), seen, room, field)
        }
        Outline::Convex { start, count } => {
            let corners = look.lane.frame.mark_corners.polygon(start, count);
            let corners = corners.iter();
            corners.map(|it| look.camera.to_screen(*it)).collect()
        }
    }
}

/// Where the number of a step may stand: in the middle of its line, which so is told from those beside it, and at last beside it, off the lines
/// of the other `steps`; as near to where the `first` one is said as there is room.
fn step_places(
    painter: &Painter,
    look: &Look<'_>,
    (mark, words): (&MarkView, &str),
    (first, steps): (Option<Pos2>, &[[Pos2; 2]]),
) -> Vec<Pos2> {
    let room = label_size(painter, words);
    let Outline::Line(from, to) = mark.outline else {
        return Vec::new();
    };
    let [from, to] = [from, to].map(|end| look.camera.to_screen(end));
    let seen = painter.clip_rect().shrink(8.0);
    let Some(part) = seen_part(from, to, seen) else {
        return Vec::new();
    };
    let is_clear = |at: &Pos2| !is_on_another(*at, room, from, steps);
    let places = upon_line(part, room, first, is_clear);
    let field = look.camera.rect_to_screen(look.field);
    inside_first(places, room, field)
}

/// The places [along a line](along_line) in its middle, and then those beside it that are clear, each the nearest to a place first.
fn upon_line(
    (from, to): (Pos2, Pos2),
    room: Vec2,
    nearest_to: Option<Pos2>,
    is_clear: impl Fn(&Pos2) -> bool,
) -> Vec<Pos2> {
    let mut beside = along_line(from, to, room);
    let pairs = beside.chunks_exact(2);
    let mut upon: Vec<Pos2> = pairs.map(|two| two[0].lerp(two[1], 0.5)).collect();
    if let Some(near) = nearest_to {
        let way = (to - from).abs();
        let axis = usize::from(way.x < way.y);
        let middle = vec2(room.x, -room.y) / 2.0;
        let off = |at: &Pos2| ((*at + middle)[axis] - near[axis]).abs();
        for places in [&mut upon, &mut beside] {
            places.sort_by(|a, b| off(a).total_cmp(&off(b)));
        }
    }
    upon.extend(beside.into_iter().filter(is_clear));
    upon
}

/// Where words of a line stand in the field: along the part of it that is seen, and then, of a line that is short as a whole, where it would go on
/// beyond its own ends.
fn places_of_line((from, to): (Pos2, Pos2), seen: Rect, room: Vec2, field: Rect) -> Vec<Pos2> {
    /// A line that is so many times as long as its words has place enough for them: beyond its end is another part, in which it does not lie.
    const LONG: f32 = 2.0;
    let Some(part) = seen_part(from, to, seen) else {
        return Vec::new();
    };
    let mut places = inside_first(along_line(part.0, part.1, room), room, field);
    let way = (to - from).abs();
    let is_long = way.x > LONG * room.x || way.y > LONG * room.x;
    // Where the view cuts it off it goes on, and beyond an end out of sight words would be as well.
    let is_there = |at: &Pos2| is_inside(*at, room, field) && is_inside(*at, room, seen);
    // A short line may have somebody beside all of it: what it is is said all the same.
    let beyond = beyond_ends(from, to, room).filter(|at| !is_long && is_there(at));
    places.extend(beyond);
    places
}

/// Those places at which words lie within the field, and then the others: beyond its border there is no line that they could be of.
fn inside_first(places: Vec<Pos2>, size: Vec2, field: Rect) -> Vec<Pos2> {
    let is_within = |at: &Pos2| is_inside(*at, size, field);
    let (mut places, outside): (Vec<_>, Vec<_>) = places.into_iter().partition(is_within);
    places.extend(outside);
    places
}

/// Whether words whose lower left corner is here lie within the field.
fn is_inside(at: Pos2, size: Vec2, field: Rect) -> bool {
    let words = Rect::from_min_size(at - vec2(0.0, size.y), size);
    field.expand(1.0).contains_rect(words)
}

/// Where words go on from the ends of a line that lies along an axis, in its middle.
fn beyond_ends(from: Pos2, to: Pos2, room: Vec2) -> impl Iterator<Item = Pos2> {
    /// Off the line at which it ends, in points; at last off the ticks that may stand there.
    const OFF: [f32; 3] = [4.0, 9.0, 14.0];
    let (least, most) = (from.min(to), from.max(to));
    let places = match (from.x == to.x, from.y == to.y) {
        (false, true) => {
            let y = from.y + room.y / 2.0;
            Some(OFF.map(|off| [pos2(most.x + off, y), pos2(least.x - off - room.x, y)]))
        }
        (true, false) => {
            let x = from.x - room.x / 2.0;
            Some(OFF.map(|off| [pos2(x, least.y - off), pos2(x, most.y + off + room.y)]))
        }
        _ => None,
    };
    places.into_iter().flatten().flatten()
}

/// Where words stand on a line, and not beyond it: at its ends first, for there is whom it parts. One that slants goes by a corner of
/// theirs, and not through them, who would hide its end.
fn along_line(from: Pos2, to: Pos2, room: Vec2) -> Vec<Pos2> {
    // At last between these: a row of ticks, or who stands there, may leave no more than a gap.
    const PARTS: [f32; 25] = [
        0.0, 1.0, 0.5, 0.15, 0.85, 0.3, 0.7, 0.08, 0.92, 0.22, 0.78, 0.4, 0.6, 0.04, 0.96, 0.12,
        0.88, 0.18, 0.82, 0.26, 0.74, 0.35, 0.65, 0.45, 0.55,
    ];
    let (least, most) = (from.min(to), from.max(to));
    // Where the line is at this part of its longer side.
    let on = |axis: usize, at: f32| {
        let part = (at - from[axis]) / (to[axis] - from[axis]);
        from.lerp(
            to,
            if part.is_finite() {
                part.clamp(0.0, 1.0)
            } else {
                0.0
            },
        )
    };
    if most.x - least.x >= most.y - least.y {
        let spare = (most.x - least.x - room.x).max(0.0);
        let along = |part: f32| {
            let x = least.x + spare * part;
            let [y, other] = [x, x + room.x].map(|x| on(0, x).y);
            // Upon it, else below it.
            [pos2(x, y.min(other)), pos2(x, y.max(other) + room.y)]
        };
        return PARTS.into_iter().flat_map(along).collect();
    }
    let spare = (most.y - least.y - room.y).max(0.0);
    let along = |part: f32| {
        let y = least.y + room.y + spare * part;
        let [x, other] = [y, y - room.y].map(|y| on(1, y).x);
        // To its right, else to its left.
        [pos2(x.max(other), y), pos2(x.min(other) - room.x, y)]
    };
    PARTS.into_iter().flat_map(along).collect()
}

/// The part of a straight way that is in a rectangle, if there is any.
pub fn seen_part(from: Pos2, to: Pos2, rect: Rect) -> Option<(Pos2, Pos2)> {
    let way = to - from;
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    for axis in 0..2 {
        let (least, most) = (rect.min[axis] - from[axis], rect.max[axis] - from[axis]);
        if way[axis] == 0.0 {
            if least > 0.0 || most < 0.0 {
                return None;
            }
            continue;
        }
        let (near, far) = (least / way[axis], most / way[axis]);
        first = first.max(near.min(far));
        last = last.min(near.max(far));
    }
    (first <= last).then(|| (from + way * first, from + way * last))
}

#[cfg(test)]
mod tests;
