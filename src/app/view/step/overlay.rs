//! What lies over the units while one steps: the shape of the operation, what is happening, what is pointed at, and words about these.

use super::fate::fate;
use super::field::{Mark, corners, extent, left_out_by_box};
use super::found::found;
use super::looked::looked_here;
use super::names::{without_depth, words};
use super::shape::{border_of, handles};
use super::sight::{are_seen, lined, meets_ring, nearest_circle, out_of_sight, rings, towards};
use super::tag::{About, tag};
use crate::app::camera::Camera;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, Pointed, Stepping};
use crate::app::theme::{size, text};
use crate::app::view::chips::{ROUND, chip};
use crate::app::view::field::{
    Crowd, Disc, Look, all_edges, corners as arrow_corners, disc, leader, settled,
};
use crate::app::view::marks::{dashed_rect, framed, hatch};
use crate::app::widgets::{look_at, looked_at};
use egui_macroquad::egui::{
    CornerRadius, Galley, Id, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui,
    Vec2 as ScreenVec2, pos2, vec2,
};
use skirmish::geometry::Vec2;
use skirmish::partition::shapes::Figure;
use skirmish::partition::{Pair, UnitId};
use skirmish::probe::{Event, Work};
use skirmish::story::{Concerned, Operation, Outline, Place, Reel, Step, apart};

/// Draws over the units: the shape of the operation, what is happening, and what is pointed at.
pub fn overlay(ui: &Ui, look: &Look<'_>, app: &App, palette: &Palette) {
    let Some(stepping) = &app.stepping else {
        return;
    };
    let painter = ui.painter().with_clip_rect(look.camera.screen);
    shape(&painter, look, app, palette, stepping);
    if let Some(asked) = asked_about(look, stepping) {
        look_at(ui.ctx(), asked);
    }
    // Why it cannot be told is said where everything is said.
    if stepping.refusal().is_some() {
        return;
    }
    let Some(reel) = stepping.reel() else { return };
    let crowd = Crowd::in_view(app, &[]);
    pointed(&painter, look, app, palette, stepping);
    let mut now_at = Vec::new();
    if let Some(now) = stepping.now() {
        now_at = happening(
            &painter,
            look,
            (app, palette),
            (stepping, reel, now),
            &crowd,
        );
        looked_here(&painter, look, palette, (reel, now), (&now_at, &crowd));
        if let Some(away) = out_of_sight(look, app, (stepping, reel, now)) {
            now_at.push(towards(&painter, look, palette, away));
        }
    }
    if stepping.is_present && !stepping.is_waiting() && !app.bare {
        let of = (stepping, reel, &crowd);
        now_at.extend(found(&painter, look, palette, of, &now_at));
    }
    if ui.input(|input| !input.pointer.any_down()) {
        why(
            &painter,
            look,
            app,
            palette,
            (stepping, reel, &crowd, now_at),
        );
    }
}

/// Where on the screen it is asked, where that is small enough for words to keep off it.
fn asked_about(look: &Look<'_>, stepping: &Stepping) -> Option<Rect> {
    let camera = look.camera;
    let place = match stepping.operation()?.clone() {
        Operation::Radius { center, radius } => {
            disc(camera.to_screen(center), radius * camera.zoom)
        }
        Operation::Nearest { point, .. } | Operation::Insert { at: point } => {
            Rect::from_center_size(camera.to_screen(point), vec2(20.0, 20.0))
        }
        Operation::Range(area) => camera.rect_to_screen(area),
        _ => return None,
    };
    let is_small = place.area() < camera.screen.area() / 6.0;
    is_small.then_some(place)
}

/// The outline of what is asked for, or of what goes where; and its handles.
fn shape(painter: &Painter, look: &Look<'_>, app: &App, palette: &Palette, stepping: &Stepping) {
    let camera = look.camera;
    let line = Stroke::new(1.5, palette.mark);
    let wash = faded(palette.mark, 0.035);
    let standing = |unit: UnitId| {
        let bodies = app.battle.bodies();
        bodies
            .is_alive(unit)
            .then(|| camera.to_screen(bodies.center(unit)))
    };
    let Some(operation) = stepping.operation() else {
        return;
    };
    match operation.clone() {
        Operation::Radius { center, radius } => {
            left_out_by(painter, look, palette, stepping, (center, radius));
            let radius = (radius * camera.zoom).max(2.0);
            painter.circle(camera.to_screen(center), radius, wash, line);
        }
        Operation::Range(area) => {
            let rect = camera.rect_to_screen(area);
            painter.rect(rect, CornerRadius::ZERO, wash, line, StrokeKind::Middle);
        }
        Operation::Segment { from, to } => {
            painter.line_segment([camera.to_screen(from), camera.to_screen(to)], line);
        }
        Operation::Nearest { point, .. } => {
            let at = camera.to_screen(point);
            painter.circle_stroke(at, 6.0, line);
            nearest_so_far(painter, look, palette, stepping);
        }
        Operation::Within(figure) => match border_of(&figure) {
            Some(border) => {
                let border = border.iter().map(|at| camera.to_screen(*at));
                painter.add(Shape::closed_line(border.collect(), line));
            }
            None => figure_shape(painter, camera, palette, figure.figure()),
        },
        Operation::Near { unit, reach } if app.battle.bodies().is_alive(unit) => {
            let rect = camera.rect_to_screen(app.battle.bodies().aabb(unit));
            let reach = reach * camera.zoom;
            let rounding = CornerRadius::same(reach.min(255.0) as u8);
            painter.rect(rect.expand(reach), rounding, wash, line, StrokeKind::Middle);
        }
        Operation::Insert { at } => {
            let at = camera.to_screen(at);
            painter.circle(at, 4.0, palette.mark, Stroke::NONE);
            painter.circle_stroke(at, 9.0, line);
        }
        Operation::Remove { unit } => {
            if let Some(at) = standing(unit) {
                for way in [vec2(7.0, 7.0), vec2(7.0, -7.0)] {
                    painter.line_segment([at - way, at + way], Stroke::new(2.0, palette.mark));
                }
            }
        }
        Operation::Move { unit, to } => {
            let to = camera.to_screen(to);
            if let Some(from) = standing(unit) {
                painter.extend(Shape::dashed_line(&[from, to], line, 6.0, 4.0));
                painter.circle_stroke(from, 8.0, Stroke::new(1.2, faded(palette.mark, 0.7)));
            }
            painter.circle(to, 4.0, palette.mark, Stroke::NONE);
            painter.circle_stroke(to, 9.0, line);
        }
        _ => {}
    }
    let places: Vec<Pos2> = handles(operation)
        .into_iter()
        .map(|at| camera.to_screen(at))
        .collect();
    // Those of what is small are small, so that it is seen between them.
    let apart = match &places[..] {
        [first, others @ ..] if !others.is_empty() => {
            let each = others.iter().map(|other| first.distance(*other));
            each.fold(0.0, f32::max)
        }
        _ => f32::INFINITY,
    };
    let Some(radius) = radius_of_handles(apart) else {
        return;
    };
    for at in places {
        painter.circle(at, radius, palette.field, Stroke::new(1.4, palette.mark));
    }
}

/// How large the handles are of what reaches so far from the first of them, in points: none of what is tiny, which would be nothing else.
fn radius_of_handles(apart: f32) -> Option<f32> {
    const TINY: f32 = 12.0;
    (apart >= TINY).then(|| (apart / 5.0).clamp(1.5, 3.5))
}

/// A figure: its lines, and how far it reaches beyond them.
fn figure_shape(painter: &Painter, camera: Camera, palette: &Palette, figure: &dyn Figure) {
    let outline = figure.outline();
    let corners: Vec<Pos2> = outline
        .corners
        .iter()
        .map(|at| camera.to_screen(at.as_vec2()))
        .collect();
    let line = Stroke::new(1.5, palette.mark);
    let reach = (outline.reach * f64::from(camera.zoom)) as f32;
    if reach < 0.5 {
        let shape = if outline.is_closed {
            Shape::closed_line(corners, line)
        } else {
            Shape::line(corners, line)
        };
        painter.add(shape);
        return;
    }
    // Along each line to both sides, and around each corner.
    let wash = Stroke::new(2.0 * reach, faded(palette.mark, 0.06));
    painter.add(Shape::line(
        corners.clone(),
        Stroke::new(1.0, faded(palette.mark, 0.6)),
    ));
    for pair in corners.windows(2) {
        let way = (pair[1] - pair[0]).normalized().rot90() * reach;
        painter.line_segment([pair[0], pair[1]], wash);
        for side in [way, -way] {
            painter.line_segment([pair[0] + side, pair[1] + side], line);
        }
    }
    for at in corners {
        painter.circle_stroke(at, reach, Stroke::new(1.0, faded(palette.mark, 0.35)));
    }
}

/// How far the search for the nearest has to look, as far as it knows by now.
fn nearest_so_far(painter: &Painter, look: &Look<'_>, palette: &Palette, stepping: &Stepping) {
    let Some((point, reach)) = nearest_circle(look, stepping) else {
        return;
    };
    left_out_by(painter, look, palette, stepping, (point, reach));
    painter.circle_stroke(
        look.camera.to_screen(point),
        reach * look.camera.zoom,
        Stroke::new(1.0, faded(palette.mark, 0.5)),
    );
}

/// Those regions into which a circle goes that are left out by the box around whom they hold: with that it is seen that the circle does not
/// reach anybody there.
fn left_out_by(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    stepping: &Stepping,
    circle: (Vec2, f32),
) {
    /// More are a carpet of dashes, each of which costs.
    const MOST: usize = 48;
    let Some(reel) = stepping.reel().filter(|_| look.layers.shows(Layer::Nodes)) else {
        return;
    };
    // The box of the one to which it happens now is drawn with that.
    let now = stepping.now().and_then(|step| step.region);
    let places = left_out_by_box(reel, stepping.at(), circle);
    let places = places.filter(|place| now != Some(place.region));
    let line = Stroke::new(1.0, faded(palette.mark, 0.5));
    for rect in boxes_off(look.camera, places, circle).take(MOST) {
        dashed_rect(painter, rect, line, 2.5, 3.0);
    }
}

/// The boxes around whom these regions hold, as they are drawn: those in sight that the line of a circle does not touch, for one that it cuts
/// would say the contrary, and of no region in which such a box could hardly be seen.
fn boxes_off<'p>(
    camera: Camera,
    places: impl Iterator<Item = &'p Place>,
    (center, radius): (Vec2, f32),
) -> impl Iterator<Item = Rect> {
    /// Between the middles of the two lines, in points.
    const OFF: f32 = 1.5;
    let (middle, radius) = (camera.to_screen(center), (radius * camera.zoom).max(2.0));
    let large = places.filter(move |place| extent(camera, place) >= LEAST_BOX.x);
    let boxes = large.filter_map(move |place| Some(camera.rect_to_screen(place.tight()?)));
    let boxes = boxes.map(|rect| rect.expand(1.0));
    boxes.filter(move |rect| {
        rect.intersects(camera.screen) && rect.distance_to_pos(middle) > radius + OFF
    })
}

/// What is happening at this step: its units, and its region, with a tag. Gives where that and its line lie.
fn happening(
    painter: &Painter,
    look: &Look<'_>,
    (app, palette): (&App, &Palette),
    (stepping, reel, now): (&Stepping, &Reel, &Step),
    crowd: &Crowd,
) -> Vec<Rect> {
    let is_again = reel.is_met_again(stepping.at()) == Some(true);
    // Who looks at others, while it is another one that is looked at.
    let turn = reel.turn_at(stepping.at());
    let has_turn = turn.is_some() && turn == now.place;
    let turn = turn.filter(|_| !has_turn);
    let turn = turn.and_then(|turn| reel.story().places.get(turn));
    let turn = turn.and_then(|place| match &place.outline {
        Outline::Rect(area) => {
            // The box around a single point is as large as can be seen, as that of what happens.
            let rect = look.camera.rect_to_screen(*area).shrink(1.0);
            let size = rect.size().max(LEAST_BOX);
            Some(Rect::from_center_size(rect.center(), size))
        }
        _ => None,
    });
    if let Some(rect) = turn {
        // Off the lines of those that were visited, so that one sees whose dashes they are also where a ring lies over some of them.
        let ground = Stroke::new(4.0, faded(palette.field, 0.8));
        painter.rect_stroke(rect, CornerRadius::ZERO, ground, StrokeKind::Middle);
        dashed_rect(painter, rect, Stroke::new(2.0, palette.mark), 5.0, 4.0);
    }
    let two = concerned(painter, look, (app, palette), (now, is_again));
    let camera = look.camera;
    let white = Stroke::new(2.5, palette.mark);
    if let Some(place) = reel.story().place(now).filter(|it| !it.bounds.is_empty()) {
        let corners = corners(camera, &place.outline);
        // The box around whom it holds, as it is drawn: by it searches decide where it is another one than a cell, or a room.
        let dashes = Stroke::new(1.2, palette.mark);
        let held = if let Outline::Rect(area) = &place.outline {
            // On the lines of the marks below it. The box of a single point is none that could be seen.
            let rect = framed(
                camera.rect_to_screen(*area),
                painter.ctx().pixels_per_point(),
            );
            let rect = Rect::from_center_size(rect.center(), rect.size().max(LEAST_BOX));
            if Mark::in_turn(now, has_turn) == Mark::Pruned {
                let ink = Stroke::new(1.0, faded(palette.text_third, 0.36));
                hatch(painter, rect, ink, 9.0);
            }
            let tight = place.tight();
            let tight = tight.map(|it| on_sides_of(camera.rect_to_screen(it).expand(1.0), rect));
            if let Some(tight) = tight {
                dashed_rect(painter, tight, dashes, 2.5, 3.0);
            }
            painter.rect_stroke(rect, CornerRadius::ZERO, white, StrokeKind::Inside);
            tight
        } else {
            let tight = whom_it_holds(camera, place);
            if let Some(tight) = tight {
                dashed_rect(painter, tight, dashes, 2.5, 3.0);
            }
            painter.add(Shape::closed_line(corners.clone(), white));
            tight
        };
        let corner = Rect::from_points(&corners);
        let corner = match place.outline {
            Outline::Rect(_) => {
                Rect::from_center_size(corner.center(), corner.size().max(LEAST_BOX))
            }
            _ => corner,
        };
        let corner = corner.intersect(camera.screen);
        if corner.is_positive() || !matches!(place.outline, Outline::Rect(_)) {
            let then = reel.story().place_then(now);
            let words = words(reel, then.as_deref().unwrap_or(place));
            let short = without_depth(&words);
            let words = (words.as_str(), short, crowd);
            let about = About::Step(turn);
            return tag(painter, look, palette, (corner, held, about), words);
        }
    }
    // Two who are compared are in no region that is named: then it is they whom the words are about, where they are in sight, and still stand
    // where they stood then.
    let two = two.map(|(around, discs)| (around.intersect(look.room), discs));
    let two = two.filter(|(around, _)| around.is_positive() && stepping.is_present);
    let Some((around, discs)) = two else {
        // Of a moment that is gone there may be no such rows any more.
        return Vec::new();
    };
    // To one of them who is seen; where it is the line between them alone, to that.
    let discs = discs.into_iter();
    let discs = discs.filter(|(at, radius)| meets_ring(look.room, *at, *radius));
    let discs: Vec<Disc> = discs.collect();
    let bodies = app.battle.bodies();
    let away = |(a, b): Pair| apart(bodies.aabb(a), bodies.aabb(b));
    let Some((words, short)) = words_of_two(reel, stepping.at(), away) else {
        return Vec::new();
    };
    let words = (words.as_str(), short.as_deref(), crowd);
    let about = About::Discs(&discs);
    tag(painter, look, palette, (around, None, about), words)
}

/// What a tag says of two whom the last of so many steps is about, and the same in short: of who are compared in a search for pairs how far
/// they are `away` from each other as well, and what is seen by that. Of neighbours in an order neither is asked.
pub fn words_of_two(
    reel: &Reel,
    at: usize,
    away: impl FnOnce(Pair) -> String,
) -> Option<(String, Option<String>)> {
    let now = reel.now(at)?;
    let Concerned::Two(a, b) = now.units else {
        return None;
    };
    let who = format!("{} and {}", reel.story().called(a), reel.story().called(b));
    let is_search = matches!(
        now.event,
        Event::TestPair(..) | Event::HitPair(..) | Event::Work(Work::DoubleAttack)
    );
    if !is_search {
        return Some((who, None));
    }
    let seen = match (reel.is_pair_at((a, b), at), reel.is_met_again(at)) {
        (Some(true), Some(true)) => ": double attack",
        (Some(true), Some(false)) => ": a pair",
        (Some(false), _) => ": too far",
        // The telling is cut before it says that.
        (Some(true), None) | (None, _) => "",
    };
    Some((format!("{who} · {}{seen}", away((a, b))), Some(who)))
}

/// The box around whom a region holds, where that is another one than its outline: of a single unit it is as large as can be seen.
fn whom_it_holds(camera: Camera, place: &Place) -> Option<Rect> {
    let rect = camera.rect_to_screen(place.tight()?).expand(1.0);
    Some(Rect::from_center_size(
        rect.center(),
        rect.size().max(LEAST_BOX),
    ))
}

/// A box within another one, each of its sides on that of the other where it is so near that the two would be one ragged line.
fn on_sides_of(inner: Rect, outer: Rect) -> Rect {
    /// In points.
    const NEAR: f32 = 5.0;
    // In the middle of a line of 2.5.
    let to = outer.shrink(1.25);
    let near = |at: f32, to: f32| if (at - to).abs() < NEAR { to } else { at };
    Rect::from_min_max(
        pos2(near(inner.left(), to.left()), near(inner.top(), to.top())),
        pos2(
            near(inner.right(), to.right()),
            near(inner.bottom(), to.bottom()),
        ),
    )
}

/// A box that something happens to is drawn no smaller than this, in points.
const LEAST_BOX: ScreenVec2 = vec2(12.0, 12.0);

/// The units that are concerned, in rings around them; between two who meet again the line is broken. Gives where two stand, and the rings around
/// them, if anything of these and of the line between them is seen.
fn concerned(
    painter: &Painter,
    look: &Look<'_>,
    (app, palette): (&App, &Palette),
    (now, is_again): (&Step, bool),
) -> Option<(Rect, Vec<Disc>)> {
    // Objects of a world have regions of their own.
    if app.stepping.as_ref().is_some_and(|it| it.is_of_world()) {
        return None;
    }
    let stroke = Stroke::new(2.0, palette.mark);
    let (discs, together) = rings(look, app, now)?;
    // One around both, whose arrows have lines of their own, is thinner than the dashes of the box that it lies over.
    let around = Stroke::new(if together.is_some() { 1.2 } else { 2.0 }, palette.mark);
    for (at, ring) in &discs {
        painter.circle_stroke(*at, *ring, around);
    }
    if let Concerned::One(_) = now.units {
        let (at, ring) = *discs.first()?;
        let side = 2.0 * ring + 2.0;
        look_at(painter.ctx(), Rect::from_center_size(at, vec2(side, side)));
        return None;
    }
    // A line around each that covers neither.
    for unit in together.into_iter().flatten() {
        let arrow = arrow_corners(look, unit, lined(look, unit));
        let line = Stroke::new(1.2, palette.mark);
        painter.add(Shape::closed_line(arrow.to_vec(), line));
    }
    if let [(from, one), (to, other)] = discs[..] {
        let way = (to - from).normalized();
        let line = [from + way * one, to - way * other];
        match is_again {
            true => painter.extend(Shape::dashed_line(&line, stroke, 4.0, 4.0)),
            false => drop(painter.line_segment(line, stroke)),
        }
    }
    // The box around two may lie across a corner of the view beside which both of them stand.
    are_seen(look.room, &discs).then(|| {
        let middles: Vec<Pos2> = discs.iter().map(|(at, _)| *at).collect();
        let most = discs.iter().map(|(_, ring)| *ring).fold(0.0, f32::max);
        let around = Rect::from_points(&middles).expand(most);
        look_at(painter.ctx(), around);
        (around, discs)
    })
}

/// What is pointed at in the tree beside the battle, or was clicked there. What is pointed at on the field is seen without it.
pub fn tree_marks(ui: &Ui, look: &Look<'_>, app: &App, palette: &Palette, crowd: &Crowd) {
    let Some(diagram) = app.diagram.as_ref().filter(|it| it.is_present) else {
        return;
    };
    let painter = ui.painter().with_clip_rect(look.camera.screen);
    let picked = diagram.picked.and_then(|it| diagram.atlas()?.place(it));
    if let (Some(place), Some(reel)) = (picked, diagram.reel()) {
        let corners = corners(look.camera, &place.outline);
        let region = Rect::from_points(&corners).intersect(look.camera.screen);
        painter.add(Shape::closed_line(corners, Stroke::new(2.5, palette.mark)));
        if region.is_positive() {
            let words = words(reel, place);
            let short = without_depth(&words);
            let words = (words.as_str(), short, crowd);
            let about = About::Region;
            tag(&painter, look, palette, (region, None, about), words);
        }
    }
    if look.cursor.is_none() {
        pointed(&painter, look, app, palette, diagram);
    }
}

/// What is pointed at, on the field and in the tree alike.
fn pointed(painter: &Painter, look: &Look<'_>, app: &App, palette: &Palette, stepping: &Stepping) {
    let line = Stroke::new(2.0, palette.accent);
    // Below it who is selected: its steps are framed in the list.
    let stream = app.stream.as_ref().filter(|_| stepping.is_of_world());
    if let Some((stream, object)) = stream.and_then(|it| Some((it, it.selection.one()?)))
        && (object as usize) < stream.objects().len()
    {
        // Whoever is found has a frame: this one has its corners, farther out.
        let rect = look.camera.rect_to_screen(stream.body(object)).expand(6.0);
        let line = Stroke::new(2.0, palette.mark);
        let middle = rect.center();
        for corner in [
            rect.left_top(),
            rect.right_top(),
            rect.right_bottom(),
            rect.left_bottom(),
        ] {
            let inwards = (middle - corner).clamp(ScreenVec2::splat(-8.0), ScreenVec2::splat(8.0));
            let along = [vec2(inwards.x, 0.0), vec2(0.0, inwards.y)];
            let arms = vec![corner + along[0], corner, corner + along[1]];
            painter.add(Shape::line(arms, line));
        }
    }
    match stepping.pointed {
        Some(Pointed::Region(region)) => {
            let place = stepping.atlas().and_then(|atlas| atlas.place(region));
            let Some(place) = place else { return };
            let corners = corners(look.camera, &place.outline);
            if let Outline::Rect(area) = &place.outline {
                let rect = look.camera.rect_to_screen(*area).expand(2.0);
                painter.rect_stroke(rect, CornerRadius::ZERO, line, StrokeKind::Inside);
            } else {
                painter.add(Shape::closed_line(corners, line));
            }
        }
        Some(Pointed::Unit(unit))
            if !stepping.is_of_world() && app.battle.bodies().is_alive(unit) =>
        {
            let at = look.camera.to_screen(app.battle.bodies().center(unit));
            painter.circle_stroke(at, 11.0, line);
        }
        Some(Pointed::Unit(object)) => {
            if let Some(stream) = app.stream.as_ref().filter(|_| stepping.is_of_world()) {
                let rect = look.camera.rect_to_screen(stream.body(object)).expand(2.0);
                painter.rect_stroke(rect, CornerRadius::ZERO, line, StrokeKind::Outside);
            }
        }
        None => {}
    }
}

/// In a narrower room, and without a free place, words hide no more units than so many.
const NARROW: f32 = 380.0;
const MOST_HIDDEN: usize = 12;

/// Beside the cursor: what became of who stands there, and why.
fn why(
    painter: &Painter,
    look: &Look<'_>,
    app: &App,
    palette: &Palette,
    (stepping, reel, crowd, now_at): (&Stepping, &Reel, &Crowd, Vec<Rect>),
) {
    let (Some(cursor), Some(pointed)) = (look.cursor, stepping.pointed) else {
        return;
    };
    let Some((title, sentence)) = fate(app, (stepping, reel), pointed) else {
        return;
    };
    let title = painter.layout_no_wrap(title, text(size::SECOND), palette.text);
    // The sentence in lines so long, or in shorter ones where those hide less, or left out.
    let [long, short] = [300.0, 168.0].map(|width: f32| {
        let width = width.max(title.size().x);
        let font = text(size::DESCRIPTION);
        painter.layout(sentence.clone(), font, palette.text_second, width)
    });
    let below = title.size().y + 2.0;
    let whole = |sentence: &Galley| {
        let width = title.size().x.max(sentence.size().x) + 20.0;
        vec2(width, below + sentence.size().y + 12.0)
    };
    let forms = [
        (whole(&long), Some(long), 0),
        (whole(&short), Some(short), 1),
        (title.size() + vec2(20.0, 12.0), None, 3),
    ];
    let at = look.camera.to_screen(cursor);
    let room = look.room.shrink(8.0);
    let beside = |size: ScreenVec2| {
        let (right, left) = (at.x + 18.0, at.x - 18.0 - size.x);
        let (below, above) = (at.y + 18.0, at.y - 18.0 - size.y);
        let corners = [(right, below), (right, above), (left, below), (left, above)];
        corners.map(|(x, y)| Rect::from_min_size(pos2(x, y), size))
    };
    let is_free = |rect: &Rect| {
        let mut taken = look.taken.iter().chain(&now_at);
        !taken.any(|taken| taken.intersects(*rect))
    };
    let looked_at = looked_at(painter.ctx());
    let meant = Rect::from_center_size(at, vec2(22.0, 22.0));
    // Beside the cursor where nothing lies over the field, and farther off where it would hide many there; else where there is room at all.
    let places = (0..).zip(&forms).flat_map(|(form, (size, _, worse))| {
        let far = all_edges(room, *size).into_iter();
        let far = far.map(|at| Rect::from_min_size(at, *size));
        let far = far.filter(|rect| !rect.intersects(meant));
        let places = (0..).zip(beside(*size)).chain((10..).zip(far));
        let places = places.filter(|(_, rect)| room.contains_rect(*rect) && is_free(rect));
        let costs = places.map(|(place, rect)| {
            let (seen, cost) = crowd.costs(rect, meant, &looked_at);
            (100 * form + place, rect, (seen, cost + worse))
        });
        costs.collect::<Vec<_>>()
    });
    let places: Vec<_> = places.collect();
    // As the pointer goes on the words stay where they are, but nothing of another step is kept.
    let id = Id::new("why it is so");
    let what = Id::new((stepping.at(), format!("{pointed:?}")));
    let of = id.with("of");
    painter.ctx().data_mut(|data| {
        if data.get_temp(of) != Some(what) {
            data.remove_temp::<(usize, u64)>(id);
            data.insert_temp(of, what);
        }
    });
    let found = settled(painter.ctx(), id, &places).map(|(place, rect)| (place / 100, rect));
    // Beside a drawer there may be no place that is good: then that says it alone.
    if found.is_some_and(|(_, rect)| room.width() < NARROW && crowd.within(rect) > MOST_HIDDEN) {
        return;
    }
    let at_all = || {
        let places = beside(forms[0].0).into_iter();
        // Over a fight nothing is said: the panel has it.
        let hides = |rect: &Rect| crowd.within(*rect) > MOST_HIDDEN;
        let mut places = places.into_iter().filter(|rect| !hides(rect));
        let place = places.find(|rect| room.contains_rect(*rect));
        place.map(|rect| (0, rect))
    };
    let Some((form, rect)) = found.or_else(at_all) else {
        return;
    };
    leader(painter, (rect, ROUND.into()), meant, palette.text_second);
    chip(painter, palette, rect);
    painter.galley(rect.min + vec2(10.0, 6.0), title, palette.text);
    let [long, short, brief] = forms.map(|(_, sentence, _)| sentence);
    if let Some(sentence) = [long, short, brief].into_iter().nth(form).flatten() {
        let at = rect.min + vec2(10.0, 6.0 + below);
        painter.galley(at, sentence, palette.text_second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::Aabb;
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Ground, Stage};

    #[test]
    fn what_can_be_dragged_has_handles_unless_they_would_hide_it() {
        // A disc of a radius of 28 m in the field of a window of 640 by 480 points.
        let small = radius_of_handles(28.0 * 0.52).expect("handles");
        // They leave most of the way between them free.
        assert!(4.0 * small < 28.0 * 0.52 && small >= 1.5);
        assert_eq!(radius_of_handles(f32::INFINITY), Some(3.5));
        assert_eq!(radius_of_handles(11.9), None);
        assert_eq!(radius_of_handles(12.0), Some(2.4));
        assert_eq!(radius_of_handles(5.0), None);
    }

    #[test]
    fn of_a_slanting_room_the_box_around_whom_it_holds_can_be_seen() {
        let centers = [(5.0, 6.0), (9.0, 30.0), (33.0, 21.0), (50.0, 52.0)].map(Vec2::from);
        let bodies = Bodies::points(&centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let mut index = AnyPartition::new(Kind::from_key("bsp-tree").expect("a kind"), field);
        index.set_knob_text("leaf_size", "1").expect("a knob");
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 1.0, &never);
        let nearest = Operation::Nearest {
            point: Vec2::splat(30.0),
            count: 1,
        };
        let story = stage.and_then(|stage| stage.tell(&nearest, 100, &never));
        let story = story.expect("nobody cancels");
        let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(640.0, 640.0));
        let camera = Camera::framing(field, screen);
        let slanting = story.places.iter();
        let slanting = slanting.filter(|place| matches!(place.outline, Outline::Convex(_)));
        let mut count = 0;
        for place in slanting {
            let seen = whom_it_holds(camera, place).expect("it holds somebody");
            assert!(seen.width() >= LEAST_BOX.x && seen.height() >= LEAST_BOX.y);
            let units = place.units().iter();
            let mut units = units.map(|unit| camera.to_screen(centers[*unit as usize]));
            assert!(units.all(|at| seen.contains(at)));
            count += 1;
        }
        assert!(count > 1);
    }

    #[test]
    fn of_a_leaf_that_is_left_out_the_box_is_drawn_as_it_is_and_off_the_circle() {
        // Two on each side of the border between their leaves, far off it.
        let centers = [(4.0, 8.0), (8.0, 8.0), (56.0, 8.0), (60.0, 8.0)].map(Vec2::from);
        let bodies = Bodies::points(&centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let mut index = AnyPartition::new(Kind::KdTree, field);
        index.set_knob_text("leaf_size", "3").expect("a knob");
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 1.0, &never);
        let center = Vec2::splat(8.0);
        let asked = |radius: f32| Operation::Radius { center, radius };
        let story = stage.and_then(|stage| stage.tell(&asked(47.5), 100, &never));
        let reel = Reel::new(story.expect("nobody cancels"));
        let boxes = |radius: f32, zoom: f32| -> Vec<Rect> {
            let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(640.0, 640.0));
            let framing = Camera::framing(field, screen);
            let places = left_out_by_box(&reel, reel.len(), (center, radius));
            let camera = Camera { zoom, ..framing };
            boxes_off(camera, places, (center, radius)).collect()
        };
        // As low as they stand in a row, and half a metre off the circle: that is less than a line where one is farther away.
        let large = boxes(47.5, 8.0);
        assert_eq!(large.len(), 1);
        assert_eq!(large[0].height(), 2.0);
        assert!(boxes(47.5, 2.0).is_empty());
        // A region in which one could hardly be seen has none.
        assert_eq!(boxes(30.0, 0.2).len(), 1);
        assert!(boxes(30.0, 0.18).is_empty());
    }

    /// What is told of an operation on a structure of these points, which are in order along x, in strips across all of the field.
    fn told(centers: &[Vec2], operation: &str) -> Reel {
        let bodies = Bodies::points(centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let kind = Kind::from_key("sweep-and-prune").expect("a kind");
        let mut index = AnyPartition::new(kind, field);
        for (knob, value) in [("axes", "x"), ("strip_height", "64")] {
            index.set_knob_text(knob, value).expect("a knob");
        }
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 1.5, &never);
        let operation = Operation::read(operation).expect("an operation");
        let story = stage.and_then(|stage| stage.tell(&operation, 1_000, &never));
        Reel::new(story.expect("nobody cancels"))
    }

    #[test]
    fn of_neighbours_in_an_order_no_tag_says_how_far_they_are_and_whether_they_are_a_pair() {
        let centers = [8.0, 16.0, 24.0, 40.0, 48.0].map(|x| Vec2::new(x, 20.0));
        let said = |reel: &Reel| -> Vec<String> {
            let steps = 1..=reel.len();
            let words = steps.filter_map(|at| words_of_two(reel, at, |_| "8 m apart".to_owned()));
            words.map(|(words, _)| words).collect()
        };
        let edit = said(&told(&centers, "insert 30,20"));
        let is_name = |words: &String| !words.contains([':', '·']);
        assert!(edit.iter().all(is_name), "{edit:?}");
        assert!(edit.contains(&"1 and 0".to_owned()), "{edit:?}");
        // Two who are compared in a search have both.
        let far = said(&told(&centers, "pairs 8.5"));
        let near = "0 and 1 · 8 m apart: a pair".to_owned();
        assert!(far.contains(&near), "{far:?}");
        assert!(!far.iter().any(is_name), "{far:?}");
    }

    #[test]
    fn two_who_meet_again_are_said_to_do_so_and_are_no_new_pair() {
        let centers = [4.0, 14.0, 24.0].map(|x| Vec2::new(x, 20.0));
        let bodies = Bodies::points(&centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(40.0));
        let kind = Kind::from_key("linked-grid").expect("a kind");
        let told = |neighbourhood: &str, most: usize| {
            let mut index = AnyPartition::new(kind, field);
            for (knob, value) in [("cell_size", "10"), ("neighbourhood", neighbourhood)] {
                index.set_knob_text(knob, value).expect("a knob");
            }
            index.rebuild(bodies, &mut ());
            let never = Cancel::default();
            let stage = Stage::new(index, Ground::of(bodies), 1.5, &never);
            let pairs = Operation::read("pairs 10.5").expect("an operation");
            let story = stage.and_then(|stage| stage.tell(&pairs, most, &never));
            Reel::new(story.expect("nobody cancels"))
        };
        let said_at = |reel: &Reel, at: usize| {
            let words = words_of_two(reel, at, |_| "10 m apart".to_owned());
            words.map(|(words, _)| words)
        };
        let said = |reel: &Reel| -> Vec<String> {
            let steps = 1..=reel.len();
            steps.filter_map(|at| said_at(reel, at)).collect()
        };
        // At its test and at what comes of it.
        let count = |all: &[String], end: &str| all.iter().filter(|it| it.ends_with(end)).count();
        let [half, full] = ["half", "full"].map(|it| said(&told(it, 1_000)));
        assert_eq!(
            (count(&half, ": a pair"), count(&half, ": double attack")),
            (4, 0)
        );
        assert_eq!(
            (count(&full, ": a pair"), count(&full, ": double attack")),
            (4, 4)
        );
        // Cut right behind a test, it says nothing of what comes of that.
        let mut tests = 0;
        for most in 1..told("full", 1_000).len() {
            let reel = told("full", most);
            if let Some(Event::TestPair(..)) = reel.now(most).map(|step| step.event) {
                let last = said_at(&reel, most).expect("two are compared");
                assert!(last.ends_with(" · 10 m apart"), "{last}");
                tests += 1;
            }
        }
        assert!(tests >= 4, "{tests}");
    }
}
