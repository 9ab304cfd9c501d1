//! The trees at work and the rectangles of the objects.

use super::objects::on_screen;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::theme::{layout, size, text};
use crate::app::view::field::{Crowd, edges, leader, pieces, seen_part, settled};
use crate::app::view::marks::{
    LABEL_ROUND, dashed_rect, hatch, label, label_at_one_of, label_in, label_size, name_at,
};
use crate::app::widgets::{clear_place, occupied, words_there};
use egui_macroquad::egui::{
    Color32, CornerRadius, Id, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2,
};
use skirmish::geometry::{self, Aabb};
use skirmish::scene::{PathKind, ViewBox};
use skirmish::streaming::{Index, LookedBox, Mover, State, sketch};

/// Node boxes smaller than this, in points, are left out.
const SMALLEST_NODE: f32 = 14.0;

/// The boxes that the last tick looked at: dashed unions of the load tree, hatched intersections of the unload tree.
pub fn trees(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let smallest = SMALLEST_NODE / app.camera.zoom;
    let looked = stream.looked();
    // Where the scene is about the boxes, they are drawn to be seen first.
    let is_told = app.scene.view.boxes.is_some();
    // Of a decision that is gone through the steps draw the boxes, of the tick to come: those of the last one would be taken for them.
    if app.has_steps() && !is_told {
        return;
    }
    if app.layers.shows(Layer::Unions) {
        let inner = looked.load.iter().filter(|it| it.object.is_none());
        for node in inner.filter(|node| !node.is_empty()) {
            let size = node.area.size();
            if size.x.max(size.y) < smallest || !node.area.overlaps(app.camera.view()) {
                continue;
            }
            let rect = app.camera.rect_to_screen(node.area);
            if is_told && node.depth == 0 {
                let words = if node.entered {
                    "union: inside, look at each"
                } else {
                    "union: outside, nothing is to be loaded"
                };
                union(painter, rect, palette, words);
                continue;
            }
            let color = faded(palette.at_depth(node.depth / 2 + 2), 0.6);
            dashed_rect(painter, rect, Stroke::new(1.2, color), 9.0, 5.0);
        }
        if let Some(area) = told_last(app, stream, &looked.load) {
            let rect = app.camera.rect_to_screen(area);
            union(painter, rect, palette, "union: 1 left, its own rectangle");
        }
    }
    if app.layers.shows(Layer::Intersections) {
        let inner = looked.unload.iter().filter(|it| it.object.is_none());
        let is_seen = |area: &Aabb| {
            let shown = if area.is_empty() { gap(*area) } else { *area };
            let rect = app.camera.rect_to_screen(shown);
            rect.intersects(app.camera.screen)
        };
        let last = told_last(app, stream, &looked.unload);
        let areas = inner.map(|it| it.area).chain(last);
        let seen: Vec<Aabb> = areas.filter(is_seen).collect();
        let are_few = seen.len() <= MOST_HATCHED;
        for area in seen {
            intersection(painter, app, palette, area, are_few);
        }
    }
}

/// Draws the box around everything that could be loaded, where the scene is about that, and says what it comes to.
fn union(painter: &Painter, rect: Rect, palette: &Palette, words: &str) {
    // Beside the sides of the rectangles that it holds, not on them.
    let rect = rect.expand(4.0);
    let stroke = Stroke::new(2.0, palette.accent);
    painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
    label(painter, palette, rect.left_top() - vec2(0.0, 4.0), words);
}

/// The rectangle of the only object of a tree, where a tree decides and the scene is about its boxes.
fn told_last(app: &App, stream: &Stream, boxes: &[LookedBox]) -> Option<Aabb> {
    let is_told = app.scene.view.boxes.is_some() && has_trees(stream.tests().index);
    of_the_last(boxes).filter(|_| is_told)
}

/// The rectangle of the only object of a tree, which has no box around others; nothing where it has several, or none.
fn of_the_last(boxes: &[LookedBox]) -> Option<Aabb> {
    match boxes {
        [one] if one.object.is_some() => Some(one.area),
        _ => None,
    }
}

/// Whether trees decide: without them each object is looked at as if it were the only one, and there are no boxes around several.
pub fn has_trees(index: Index) -> bool {
    index != Index::BruteForce
}

/// More intersections than this would hatch each other out, and hide the objects in them: of more the outlines alone are drawn.
const MOST_HATCHED: usize = 12;

fn intersection(painter: &Painter, app: &App, palette: &Palette, area: Aabb, is_filled: bool) {
    let color = palette.second;
    if area.is_empty() {
        // Nothing lies in all of them: the gap between the sides that crossed is shaded, and the search goes on below.
        let rect = app.camera.rect_to_screen(gap(area));
        if is_filled {
            painter.rect_filled(rect, CornerRadius::ZERO, faded(color, 0.05));
        }
        dashed_rect(
            painter,
            rect,
            Stroke::new(1.0, faded(color, 0.55)),
            2.0,
            4.0,
        );
    } else {
        let rect = app.camera.rect_to_screen(area);
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.2, color),
            StrokeKind::Inside,
        );
        if is_filled {
            hatch(painter, rect, Stroke::new(1.0, faded(color, 0.30)), 7.0);
        }
    }
}

/// What the box around everything that could be unloaded comes to. After all other lines, so that none of them strikes it through.
pub fn intersection_name(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    // In a decision that is gone through the step says it, of the tick to come.
    if !app.layers.shows(Layer::Intersections) || app.is_stepping() {
        return;
    }
    if let Some(area) = told_last(app, stream, &stream.looked().unload) {
        let rect = app.camera.rect_to_screen(area);
        name_box(painter, app, palette, rect, "B: 1 left, its own rectangle");
    }
    let nodes = stream.looked().unload.iter();
    for node in nodes.filter(|it| it.object.is_none() && it.depth == 0) {
        if node.area.is_empty() {
            let corner = app.camera.rect_to_screen(gap(node.area)).left_bottom();
            let words = "B: empty, look below";
            label(painter, palette, corner + vec2(4.0, -4.0), words);
            continue;
        }
        let words = if node.entered {
            "B: outside, look below"
        } else {
            "B: inside, all stay"
        };
        let rect = app.camera.rect_to_screen(node.area);
        name_box(painter, app, palette, rect, words);
    }
}

/// What lies between the sides of an empty box, which have crossed.
fn gap(area: Aabb) -> Aabb {
    Aabb::new(area.min.min(area.max), area.min.max(area.max))
}

/// The pieces of the way that the character has gone and of the one that it goes which are seen in a room.
fn ways_on_screen(app: &App, stream: &Stream, room: Rect) -> Vec<[Pos2; 2]> {
    let on_screen = |at: geometry::Vec2| app.camera.to_screen(at);
    let trail = stream.trail().iter().map(|at| on_screen(*at));
    let ahead = way_ahead(stream).into_iter().map(on_screen);
    let pieces = pieces_of(trail).chain(pieces_of(ahead));
    let seen = pieces.filter(|[from, to]| seen_part(*from, *to, room).is_some());
    seen.take(MOST_PIECES).collect()
}

/// Of more pieces of a way in sight than this, words keep off the first ones alone.
const MOST_PIECES: usize = 2_000;

/// The pieces of a way, none of which is as short as its steps may be.
fn pieces_of(way: impl Iterator<Item = Pos2>) -> impl Iterator<Item = [Pos2; 2]> {
    /// In points.
    const SHORTEST: f32 = 6.0;
    let mut begin: Option<Pos2> = None;
    way.filter_map(move |at| {
        let from = *begin.get_or_insert(at);
        let is_piece = from.distance(at) >= SHORTEST;
        is_piece.then(|| {
            begin = Some(at);
            [from, at]
        })
    })
}

/// Where words of this size stand around a box, a little off it: farther off they seem to be about something else. Each is given by its lower
/// left corner.
fn around_box(of: Rect, size: Vec2) -> impl Iterator<Item = Pos2> {
    /// So far, in points.
    const OFF: [f32; 3] = [16.0, 40.0, 72.0];
    let middle = of.center() + vec2(-size.x, size.y) / 2.0;
    OFF.into_iter().flat_map(move |off| {
        let around = of.expand(off);
        let (before, behind) = (around.left() - size.x, around.right());
        let (above, below) = (around.top(), around.bottom() + size.y);
        [
            pos2(middle.x, below),
            pos2(middle.x, above),
            pos2(behind, middle.y),
            pos2(before, middle.y),
            pos2(behind, below),
            pos2(before, below),
            pos2(behind, above),
            pos2(before, above),
        ]
    })
}

/// Names a box: below it or above, else beside it, and off the character and whoever is selected, for they are what one looks at.
fn name_box(painter: &Painter, app: &App, palette: &Palette, rect: Rect, words: &str) {
    /// On a way a place is worth so much less.
    const ON_WAY: usize = 24;
    let Some(stream) = &app.stream else { return };
    let room = app.free_field().shrink(10.0);
    let at = app.camera.to_screen(stream.character());
    let character = Rect::from_center_size(at, vec2(28.0, 28.0));
    let selected = stream.selection.units().iter();
    let selected = selected.filter_map(|object| on_screen(app, stream.body(*object)));
    let mut taken = vec![character];
    taken.extend(selected.map(|body| body.expand(4.0)));
    // And off the way that it goes.
    let ahead = app.camera.to_screen(stream.predicted(3.0));
    taken.extend(pieces(at, ahead).map(|piece| piece.expand(3.0)));
    taken.extend(occupied(painter.ctx()));
    taken.extend(words_there(painter.ctx()));
    let size = label_size(painter, words);
    // Where the character stands at a border, off it as well.
    let whole = rect.union(character);
    let row = size.y + 4.0;
    let (foot, head) = (whole.bottom() + 4.0 + size.y, whole.top() - 4.0);
    let (left, right) = (whole.left() - 6.0 - size.x, whole.right() + 6.0);
    let middle = rect.center().y + size.y / 2.0;
    let places = [
        pos2(rect.left(), foot),
        pos2(rect.left(), head),
        pos2(rect.right() - size.x, foot),
        pos2(rect.right() - size.x, head),
        pos2(right, middle),
        pos2(left, middle),
        pos2(rect.left(), foot + row),
        pos2(rect.left(), head - row),
    ];
    // Off the way behind it, too, which the words would cut in two.
    let ways = match app.layers.shows(Layer::Path) {
        true => ways_on_screen(app, stream, room),
        false => Vec::new(),
    };
    let on_way = |words: Rect| {
        let mut ways = ways.iter();
        ways.any(|[from, to]| seen_part(*from, *to, words).is_some())
    };
    // There where the fewest objects are, or farther off, where a line leads there.
    let crowd = Crowd::in_view(app, &[]);
    let seen = rect.intersect(room);
    if !seen.is_positive() {
        return;
    }
    let far = edges(room, size).into_iter();
    let far = far.map(|at| at + vec2(0.0, size.y));
    let places = places.into_iter().chain(around_box(whole, size));
    let places = places.chain(far).enumerate();
    let places = places.filter_map(|(place, at)| {
        let words = Rect::from_min_size(at - vec2(0.0, size.y), size);
        let words = clear_place(room, size, [words.min], &taken)?;
        let (seen, cost) = crowd.costs(words.expand(4.0), rect, &[]);
        let on_way = if on_way(words.expand(2.0)) { ON_WAY } else { 0 };
        Some((place, words, (seen, cost + on_way)))
    });
    let places: Vec<_> = places.collect();
    let Some((_, at)) = settled(painter.ctx(), Id::new("name of a box"), &places) else {
        return;
    };
    let at = [at.left_bottom()];
    if let Some(rect) = label_at_one_of(painter, palette, at, words, &mut taken) {
        let words = (rect, LABEL_ROUND.into());
        leader(painter, words, seen, faded(palette.second, 0.8));
    }
}

/// The boxes that the scene is about, of every object, each as it is drawn of one.
fn told_rectangles(
    painter: &Painter,
    app: &App,
    stream: &Stream,
    palette: &Palette,
    boxes: &[ViewBox],
) {
    /// More than this are a carpet, and each dash is a shape.
    const MOST: usize = 100;
    let mut drawn = 0;
    for number in 0..stream.states().len() {
        let rectangles = stream.rectangles(number as u32);
        if on_screen(app, rectangles.unload).is_none() {
            continue;
        }
        let name = app.object_labels().and_then(|labels| labels.of(number));
        for kind in boxes {
            let Some((area, word)) = (match kind {
                ViewBox::Need => Some((rectangles.need, "need")),
                ViewBox::Load => Some((rectangles.load, "load")),
                ViewBox::Unload => Some((rectangles.unload, "unload")),
                ViewBox::Union | ViewBox::Intersection => None,
            }) else {
                continue;
            };
            let rect = app.camera.rect_to_screen(area);
            rectangle(painter, palette, rect, *kind);
            if let Some(name) = &name {
                // In the corner of each that is its own: what lies to the left has it there.
                let at = rect.left_bottom() + vec2(6.0, -6.0);
                label(painter, palette, at, &format!("{word} {name}"));
            }
        }
        drawn += 1;
        if drawn == MOST {
            break;
        }
    }
}

/// The colour of a kind of rectangle that each object has, and its dashes with the gaps between them, where it has such; nothing of a kind that
/// the trees have.
pub fn stroke_of(kind: ViewBox, palette: &Palette) -> Option<(Color32, Option<[f32; 2]>)> {
    match kind {
        ViewBox::Need => Some((palette.mark, None)),
        ViewBox::Load => Some((palette.warning, Some([8.0, 4.0]))),
        ViewBox::Unload => Some((palette.second, Some([1.5, 4.0]))),
        ViewBox::Union | ViewBox::Intersection => None,
    }
}

/// A rectangle of an object, by its kind.
fn rectangle(painter: &Painter, palette: &Palette, rect: Rect, kind: ViewBox) {
    let Some((color, dashes)) = stroke_of(kind, palette) else {
        return;
    };
    let stroke = Stroke::new(1.5, color);
    match dashes {
        Some([dash, gap]) => dashed_rect(painter, rect, stroke, dash, gap),
        None => {
            painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
        }
    }
}

/// Of which rectangles of its objects a scene is about, where it is about any: those are drawn of everybody then. Where it is about boxes of the
/// trees alone, who wants to see all sees them as anywhere else.
pub fn of_everybody(boxes: Option<&[ViewBox]>) -> Option<&[ViewBox]> {
    boxes.filter(|boxes| boxes.iter().any(|it| it.is_of_object()))
}

/// What the scene calls its objects, in the middle of each.
pub fn names(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    /// More names than this are a carpet.
    const MOST: usize = 200;
    let Some(labels) = app.object_labels() else {
        return;
    };
    for number in 0..stream.states().len().min(MOST) {
        let rect = on_screen(app, stream.body(number as u32));
        if let (Some(rect), Some(name)) = (rect, labels.of(number)) {
            let ground = faded(palette.field, 0.75);
            let font = text(size::RATIO);
            name_at(painter, rect.center(), &name, font, palette.text, ground);
        }
    }
}

/// The load rectangles of all objects whose rectangles are in view, and the unload rectangles of those that are there.
fn all_rectangles(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let seen = |(number, state): (usize, &State)| {
        let rectangles = stream.rectangles(number as u32);
        let (area, color) = match state.is_wanted() {
            true => (rectangles.unload, palette.second),
            false => (rectangles.load, palette.warning),
        };
        on_screen(app, area).map(|rect| (number, rect, color))
    };
    let all = stream.states().iter().enumerate().filter_map(seen);
    let all: Vec<(usize, Rect, Color32)> = all.collect();
    // Of many each second, or third, by its number: from everywhere, and the same ones while the picture moves.
    let apart = all.len().div_ceil(MOST_RECTANGLES).max(1);
    let some = all.into_iter().filter(|(number, ..)| number % apart == 0);
    for (_, rect, color) in some.take(2 * MOST_RECTANGLES) {
        let stroke = Stroke::new(1.0, faded(color, 0.12));
        painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
    }
}

/// More rectangles of objects than this are a carpet.
const MOST_RECTANGLES: usize = 1_000;

/// The four sides of a rectangle, as wide as a line with what is to be left free beside it.
fn sides(rect: Rect) -> [Rect; 4] {
    let across = |y: f32| Rect::from_x_y_ranges(rect.x_range(), y - 2.0..=y + 2.0);
    let down = |x: f32| Rect::from_x_y_ranges(x - 2.0..=x + 2.0, rect.y_range());
    [
        across(rect.top()),
        across(rect.bottom()),
        down(rect.left()),
        down(rect.right()),
    ]
}

/// Where words of this size stand inside a rectangle, at a part of its border that is seen in `clip`: at the end of its lower side, and where
/// that is not seen at another one. Each is given by its lower left corner.
fn inside_border(rect: Rect, clip: Rect, size: Vec2) -> Vec<Pos2> {
    const OFF: f32 = 2.0;
    let seen = rect.intersect(clip.shrink(8.0));
    if seen.width() < size.x || seen.height() < size.y {
        return Vec::new();
    }
    let columns = [seen.right() - size.x - 8.0, seen.left() + 8.0];
    let rows = [
        seen.bottom() - 8.0,
        seen.center().y,
        seen.top() + size.y + 8.0,
    ];
    let along = |y: f32| columns.map(|x| pos2(x, y));
    let down = |x: f32| rows.map(|y| pos2(x, y));
    let (lower, upper) = (rect.bottom() - OFF, rect.top() + size.y + OFF);
    let (right, left) = (rect.right() - size.x - OFF, rect.left() + OFF);
    let is_seen_at = |y: f32| clip.y_range().contains(y);
    let is_seen_beside = |x: f32| clip.x_range().contains(x);
    let lower = along(lower)
        .into_iter()
        .filter(|_| is_seen_at(rect.bottom()));
    let right = down(right)
        .into_iter()
        .filter(|_| is_seen_beside(rect.right()));
    let left = down(left)
        .into_iter()
        .filter(|_| is_seen_beside(rect.left()));
    let upper = along(upper).into_iter().filter(|_| is_seen_at(rect.top()));
    lower.chain(right).chain(left).chain(upper).collect()
}

/// The need, load and unload rectangles of the selected object.
pub fn rectangles(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    if app.layers.shows(Layer::AllRectangles) {
        match of_everybody(app.scene.view.boxes.as_deref()) {
            Some(boxes) => told_rectangles(painter, app, stream, palette, boxes),
            _ if app.has_steps() => {}
            _ => all_rectangles(painter, app, stream, palette),
        }
    }
    // What steps go through has marks of its own, and its frames would be taken for these.
    if app.has_steps() {
        return;
    }
    // Who is pointed at shows its rectangles too, until somebody is selected.
    let hovered = app.cursor.and_then(|cursor| stream.object_at(cursor));
    let selected = stream.selection.one();
    let nobody = stream.selection.is_empty();
    let Some(object) = selected.or(hovered.filter(|_| nobody && !app.holds_units())) else {
        return;
    };
    if let Some(rect) = on_screen(app, stream.body(object)) {
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.6, palette.mark),
            StrokeKind::Outside,
        );
    }
    if !app.layers.shows(Layer::Rectangles) {
        return;
    }
    let rectangles = stream.rectangles(object);
    let all = [rectangles.need, rectangles.load, rectangles.unload];
    // The chips at the top, from edge to edge: squeezed in between two of them it would be read as one more.
    let screen = app.camera.screen;
    let chips = screen.with_max_y(screen.top() + layout::CHIP + 30.0);
    let chips = Some(chips).filter(|_| !app.bare);
    let named = |area: Aabb, word: &str, kind: ViewBox| {
        let rect = app.camera.rect_to_screen(area);
        rectangle(painter, palette, rect, kind);
        let places = inside_border(rect, painter.clip_rect(), label_size(painter, word));
        let ink = stroke_of(kind, palette).map_or(palette.mark, |it| it.0);
        // On the line of another one it would be read as that one's.
        let others = all.iter().filter(|other| **other != area);
        let mut lines: Vec<Rect> = others
            .flat_map(|other| sides(app.camera.rect_to_screen(*other)))
            .chain(chips)
            .collect();
        label_in(painter, palette, places, (word, ink), &mut lines);
    };
    named(rectangles.need, "need", ViewBox::Need);
    named(rectangles.load, "load", ViewBox::Load);
    named(rectangles.unload, "unload", ViewBox::Unload);
}

/// Where the way leads that the character goes, and back to its beginning; nothing where it goes none.
pub fn way_ahead(stream: &Stream) -> Vec<geometry::Vec2> {
    let Mover::Path(path) = stream.mover() else {
        return Vec::new();
    };
    let Some(way) = stream.paths().get(path) else {
        return Vec::new();
    };
    let around = way.points.first().copied();
    match way.kind {
        // Of one that has a point a tick a few are enough.
        PathKind::Recorded => sketch(&way.points).chain(around).collect(),
        PathKind::Walk | PathKind::Jump(_) => way.points.iter().copied().chain(around).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session};

    #[test]
    fn a_tree_of_one_object_has_its_rectangle_for_a_box() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = path.join("scenes/figures/unload-intersection.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let cancel = Cancel::default();
        let follow = Action::Follow("walk".to_owned());
        session.apply(follow, false, &cancel).expect("a world");
        let mut seen = [false; 2];
        // Both are loaded at first, and the one behind the character is let go before the other one.
        for _ in 0..1_200 {
            session.tick(&cancel, &mut ()).expect("a tick");
            let world = session.world().expect("a world");
            let looked = &world.looked().unload;
            if looked.iter().any(|it| it.object.is_none()) {
                assert_eq!(of_the_last(looked), None);
                seen[0] = true;
            } else if let Some(area) = of_the_last(looked) {
                let number = looked[0].object.expect("its own");
                let at = world.streaming().objects()[number as usize].center;
                assert!(area.min.x < at.x && at.x < area.max.x, "{area:?} {at:?}");
                seen[1] = true;
            }
        }
        assert_eq!(seen, [true; 2]);
        assert_eq!(of_the_last(&[]), None);
    }

    #[test]
    fn words_around_a_box_are_off_it_and_not_far() {
        let of = Rect::from_min_size(pos2(280.0, 190.0), vec2(28.0, 46.0));
        let size = vec2(118.0, 18.0);
        for at in around_box(of, size) {
            let words = Rect::from_min_size(at - vec2(0.0, size.y), size);
            let apart = crate::app::view::field::gap(words, of);
            assert!((15.9..=103.0).contains(&apart), "{words:?} {apart}");
        }
    }

    #[test]
    fn pieces_of_a_way_join_and_none_is_shorter_than_is_seen() {
        let steps = (0..=100).map(|step| pos2(step as f32, 0.0));
        let pieces: Vec<[Pos2; 2]> = pieces_of(steps).collect();
        assert_eq!(pieces.len(), 16);
        assert!(pieces.iter().all(|[from, to]| to.x - from.x == 6.0));
        assert!(pieces.windows(2).all(|two| two[0][1] == two[1][0]));
        assert_eq!(pieces_of(std::iter::once(pos2(1.0, 1.0))).count(), 0);
    }
}
