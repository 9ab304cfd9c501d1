//! What has happened so far, on the field: regions that were entered, left out, taken whole or changed, and units that were
//! tested and found.

use super::shape::{border_of, handles};
use crate::app::camera::Camera;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::{Canvas, Mesh};
use crate::app::state::{App, Pointed, Stepping};
use crate::app::theme::{size, text};
use crate::app::view::Crowd;
use crate::app::view::chips::chip;
use crate::app::view::field::{Ink, Look, Sheet, disc};
use crate::app::view::marks::hatch;
use crate::app::widgets::{clear_place, look_at, looked_at, with_commas};
use egui_macroquad::egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};
use skirmish::geometry::Vec2;
use skirmish::partition::shapes::Figure;
use skirmish::partition::{RegionId, Role, UnitId};
use skirmish::probe::Event;
use skirmish::story::{Answer, Concerned, Operation, Outline, Place, Reel, Step};
use skirmish::streaming::Tree;
use std::collections::HashSet;

/// More outlines than this are a carpet: of more the widest are drawn.
const MOST_OUTLINES: usize = 6_000;

/// Regions narrower than this, in points, have no outline.
const LEAST_OUTLINE: f32 = 3.0;

/// What has happened to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It was looked into.
    Visited,
    /// It was left out.
    Pruned,
    /// It was taken without a test.
    Taken,
    /// It was split just now.
    Split,
    /// It was split before.
    WasSplit,
    /// It took back what was below it, or its box was computed again.
    Changed,
}

impl Mark {
    /// What the last event that names a region made of it.
    pub fn of(step: &Step) -> Self {
        match step.event {
            Event::Prune(_) => Self::Pruned,
            // An object of a world has a region of its own.
            Event::Accept(_) | Event::Hit(_) => Self::Taken,
            Event::Split(_) => Self::Split,
            Event::Merge(_) | Event::Refit(_) => Self::Changed,
            Event::Climb(_) => Self::Pruned,
            _ => Self::Visited,
        }
    }

    /// Its colour.
    pub fn color(self, palette: &Palette) -> Color32 {
        match self {
            Self::Visited | Self::Taken => palette.accent,
            Self::Pruned => palette.text_third,
            Self::Split | Self::WasSplit => palette.warning,
            Self::Changed => palette.second,
        }
    }
}

/// An outline of the world as points of the window.
fn corners(camera: Camera, outline: &Outline) -> Vec<Pos2> {
    match outline {
        Outline::Rect(area) => {
            let rect = camera.rect_to_screen(*area);
            vec![
                rect.left_top(),
                rect.right_top(),
                rect.right_bottom(),
                rect.left_bottom(),
            ]
        }
        Outline::Convex(corners) => corners.iter().map(|at| camera.to_screen(*at)).collect(),
        Outline::Line(from, to) => vec![camera.to_screen(*from), camera.to_screen(*to)],
    }
}

/// What outlines are drawn with: boxes by the thousand are painted on a sheet.
struct Pen<'a> {
    mesh: &'a mut Mesh,
    sheet: Option<&'a mut Sheet>,
}

impl Pen<'_> {
    fn stroke(&mut self, camera: Camera, outline: &Outline, width: f32, color: Color32) {
        if let Outline::Rect(area) = outline {
            let rect = camera.rect_to_screen(*area);
            return match &mut self.sheet {
                Some(sheet) => sheet.outline(rect, width, color),
                None => self.mesh.outline(rect, width, color),
            };
        }
        let corners = corners(camera, outline);
        for (at, from) in corners.iter().enumerate() {
            let to = corners[(at + 1) % corners.len()];
            self.mesh.line(*from, to, width, color);
        }
    }

    fn fill(&mut self, camera: Camera, outline: &Outline, color: Color32) {
        match outline {
            Outline::Rect(area) => {
                let rect = camera.rect_to_screen(*area);
                match &mut self.sheet {
                    Some(sheet) => sheet.fill(rect, color),
                    None => self.mesh.fill(rect, color),
                }
            }
            Outline::Convex(_) => self.mesh.polygon(corners(camera, outline), color),
            Outline::Line(..) => {}
        }
    }
}

/// How wide a region is in the picture, along its longer side, in points.
fn extent(camera: Camera, place: &Place) -> f32 {
    place.bounds.size().max_element() * camera.zoom
}

/// More boxes than this are painted on a sheet, for which the driver needs as long as for a few.
const MANY: usize = 1_500;

/// Draws all regions, faint, and over them those to which something has happened.
pub fn regions(
    canvas: &mut Canvas<'_>,
    sheet: &mut Sheet,
    look: &Look<'_>,
    palette: &Palette,
    app: &App,
) {
    let Some(stepping) = &app.stepping else {
        return;
    };
    let (Some(reel), Some(atlas)) = (stepping.reel(), stepping.atlas()) else {
        return;
    };
    let camera = look.camera;
    // The trees of a world have as many boxes as there are objects: of them, those are drawn to which something has happened.
    let mut faint = if look.layers.shows(Layer::Nodes) && stepping.operation().is_some() {
        widest(camera, atlas.places())
    } else {
        Vec::new()
    };
    let view = camera.view();
    let at = stepping.at();
    if let Some(build) = Build::of(stepping, reel) {
        let told = build.told_by(at);
        faint.retain(|place| match build.is_downwards {
            true => place.parent.is_none_or(|above| told.contains(&above)),
            false => told.contains(&place.region),
        });
    }
    // What is split now is filled: fills of all that was split before would cover each other, and the units.
    let now = stepping
        .now()
        .filter(|step| matches!(step.event, Event::Split(_)));
    let now = now.and_then(|step| step.region);
    let places = reel.story().places.iter().enumerate();
    let mut marked: Vec<(&Place, Mark)> = places
        .filter(|(_, place)| place.bounds.overlaps(view) && extent(camera, place) >= 1.0)
        .filter_map(|(number, place)| {
            // Of a region at two moments, as it is at the later one that was told.
            let step = reel
                .place_at(number, at)
                .filter(|it| it.place == Some(number))?;
            let mark = match Mark::of(step) {
                Mark::Split if now != Some(place.region) => Mark::WasSplit,
                mark => mark,
            };
            Some((place, mark))
        })
        .collect();
    // Inner ones first, so that what was done to a part lies over what was done to the whole.
    marked.sort_by_key(|(place, _)| place.depth);
    if stepping.is_of_world() {
        for marked in marked {
            box_of_world(canvas.mesh, camera, palette, app, marked);
        }
        return;
    }
    let is_sheet = faint.len() + marked.len() > MANY
        && sheet.begin(camera.screen, canvas.pixels_per_point, palette.field);
    let mut pen = Pen {
        mesh: &mut *canvas.mesh,
        sheet: is_sheet.then_some(&mut *sheet),
    };
    for place in faint.into_iter().rev() {
        let flat = matches!(place.role, Role::Cell | Role::Slot);
        let color = if flat {
            palette.depth[1]
        } else {
            palette.at_depth(place.depth)
        };
        let opacity = 0.42 * (extent(camera, place) / 12.0).min(1.0);
        pen.stroke(camera, &place.outline, 1.0, faded(color, opacity));
    }
    for (place, mark) in marked {
        draw_mark(&mut pen, camera, palette, place, mark);
    }
    if is_sheet {
        sheet.end();
        sheet.draw();
    }
}

/// A build that is told node by node.
pub struct Build<'a> {
    reel: &'a Reel,
    /// Whether nodes are split from above, so that what is below the others is not there yet; else boxes are told from below.
    pub is_downwards: bool,
}

impl<'a> Build<'a> {
    /// What is stepped through, where that is such a build.
    pub fn of(stepping: &Stepping, reel: &'a Reel) -> Option<Self> {
        if !matches!(stepping.operation(), Some(Operation::Rebuild)) {
            return None;
        }
        // Asked of the kinds, of which there are a few: there may be a million steps, and this is drawn.
        let has = |kind: &str| reel.tracks().iter().any(|track| track.kind == kind);
        let is_downwards = has("split");
        (is_downwards || has("refit")).then_some(Self { reel, is_downwards })
    }

    /// The regions that have been split by now, or whose boxes have been made by now.
    fn told_by(&self, at: usize) -> HashSet<RegionId> {
        let places = self.reel.story().places.iter().enumerate();
        let told = places.filter(|(number, _)| self.has_told(*number, at));
        told.map(|(_, place)| place.region).collect()
    }

    /// Whether one of the places of the story has been split by now, or its box has been made by now.
    fn has_told(&self, place: usize, at: usize) -> bool {
        let is_it = |step: &Step| matches!(step.event, Event::Split(_) | Event::Refit(_));
        self.reel.place_at(place, at).is_some_and(is_it)
    }

    /// Whether a region is there by now: `own` and `above` are its place in the story and that of the region above it, which may have
    /// none; of the root there is none above.
    pub fn is_there(&self, own: Option<usize>, above: Option<Option<usize>>, at: usize) -> bool {
        let place = match (self.is_downwards, above) {
            (true, Some(above)) => above,
            (true, None) => return at > 0,
            (false, _) => own,
        };
        place.is_some_and(|place| self.has_told(place, at))
    }
}

/// The places in view that have an outline: all of a few, of more the widest.
fn widest(camera: Camera, places: &[Place]) -> Vec<&Place> {
    let view = camera.view();
    let mut list: Vec<&Place> = places
        .iter()
        .filter(|place| place.bounds.overlaps(view) && extent(camera, place) >= LEAST_OUTLINE)
        .collect();
    let mut least = LEAST_OUTLINE;
    while list.len() > MOST_OUTLINES {
        least *= 1.5;
        list.retain(|place| extent(camera, place) >= least);
    }
    list
}

/// A region to which something has happened.
fn draw_mark(pen: &mut Pen<'_>, camera: Camera, palette: &Palette, place: &Place, mark: Mark) {
    let color = mark.color(palette);
    let is_inner = place.role == Role::Inner;
    let outline = &place.outline;
    match mark {
        Mark::Visited => {
            if !is_inner {
                pen.fill(camera, outline, faded(color, 0.075));
            }
            let opacity = if is_inner { 0.62 } else { 0.80 };
            pen.stroke(camera, outline, 1.3, faded(color, opacity));
        }
        Mark::Taken => {
            pen.fill(camera, outline, faded(color, 0.24));
            pen.stroke(camera, outline, 1.5, color);
        }
        Mark::Pruned => {
            pen.fill(camera, outline, faded(color, 0.05));
            lines(pen.mesh, camera, outline, faded(color, 0.24));
            pen.stroke(camera, outline, 1.0, faded(color, 0.5));
        }
        Mark::Split => {
            pen.fill(camera, outline, faded(color, 0.12));
            pen.stroke(camera, outline, 1.6, faded(color, 0.9));
        }
        Mark::WasSplit => pen.stroke(camera, outline, 1.0, faded(color, 0.45)),
        Mark::Changed => pen.stroke(camera, outline, 1.4, faded(color, 0.8)),
    }
}

/// A box of a world, and the object that it stands for. They lie upon each other by the hundred, so that nothing fills them.
fn box_of_world(
    mesh: &mut Mesh,
    camera: Camera,
    palette: &Palette,
    app: &App,
    (place, mark): (&Place, Mark),
) {
    let color = mark.color(palette);
    let is_inner = place.role == Role::Inner;
    let opacity = match mark {
        Mark::Pruned => 0.4,
        _ if is_inner => 0.4,
        Mark::Taken => 0.2,
        _ => 0.12,
    };
    if mark == Mark::Pruned {
        // What is left out of most that is seen is told by a hint of lines: strong ones would be louder than what is looked into.
        let seen = Rect::from_points(&corners(camera, &place.outline)).intersect(camera.screen);
        let share = seen.area() / camera.screen.area().max(1.0);
        let opacity = 0.12 - 0.085 * share.clamp(0.0, 1.0).sqrt();
        lines(mesh, camera, &place.outline, faded(color, opacity));
    }
    let mut pen = Pen {
        mesh: &mut *mesh,
        sheet: None,
    };
    pen.stroke(camera, &place.outline, 1.2, faded(color, opacity));
    let Some(stream) = app.stream.as_ref().filter(|_| !is_inner) else {
        return;
    };
    for object in place.units() {
        let body = camera.rect_to_screen(stream.body(*object));
        if mark == Mark::Taken {
            mesh.fill(body, faded(color, 0.75));
        }
        mesh.outline(body, 1.5, color);
    }
}

/// Slanted lines across a convex outline.
fn lines_across(mesh: &mut Mesh, camera: Camera, outline: &Outline, color: Color32, spacing: f32) {
    let corners = corners(camera, outline);
    let sums = corners.iter().map(|at| at.x + at.y);
    let (least, most) = sums.fold((f32::MAX, f32::MIN), |(least, most), sum| {
        (least.min(sum), most.max(sum))
    });
    let (screen, edges) = (camera.screen, corners.len());
    let from = (least.max(screen.left() + screen.top()) / spacing).ceil() as i64;
    let to = (most.min(screen.right() + screen.bottom()) / spacing).floor() as i64;
    for line in from..=to {
        let sum = line as f32 * spacing;
        let mut met = (0..edges).filter_map(|edge| {
            let (a, b) = (corners[edge], corners[(edge + 1) % edges]);
            let (from, to) = (a.x + a.y - sum, b.x + b.y - sum);
            (from < 0.0 && to >= 0.0 || from >= 0.0 && to < 0.0)
                .then(|| a + (b - a) * (from / (from - to)))
        });
        if let (Some(from), Some(to)) = (met.next(), met.next()) {
            mesh.line(from, to, 1.0, color);
        }
    }
}

/// Slanted lines across what was left out.
fn lines(mesh: &mut Mesh, camera: Camera, outline: &Outline, color: Color32) {
    /// Between two lines, in points.
    const SPACING: f32 = 9.0;
    let area = match outline {
        Outline::Rect(area) => area,
        Outline::Convex(_) => return lines_across(mesh, camera, outline, color, SPACING),
        Outline::Line(..) => return,
    };
    let rect = camera.rect_to_screen(*area).intersect(camera.screen);
    if !rect.is_positive() || rect.width().min(rect.height()) < 5.0 {
        return;
    }
    // All lines of all boxes are of one pattern, so that neighbours go on in each other.
    let from = ((rect.left() + rect.top()) / SPACING).ceil() as i64;
    let to = ((rect.right() + rect.bottom()) / SPACING).floor() as i64;
    for line in from..=to {
        let sum = line as f32 * SPACING;
        let (left, right) = (
            (sum - rect.bottom()).max(rect.left()),
            (sum - rect.top()).min(rect.right()),
        );
        mesh.line(pos2(left, sum - left), pos2(right, sum - right), 1.0, color);
    }
}

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
    let crowd = Crowd::in_view(app);
    // Why it cannot be told is said where everything is said.
    if stepping.refusal().is_some() {
        return;
    }
    let Some(reel) = stepping.reel() else { return };
    pointed(&painter, look, app, palette, stepping);
    let mut now_at = None;
    if let Some(now) = stepping.now() {
        now_at = happening(&painter, look, app, palette, (reel, now, &crowd));
    }
    if ui.input(|input| !input.pointer.any_down()) {
        why(&painter, look, palette, (stepping, reel, &crowd, now_at));
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
            nearest_so_far(painter, look, palette, stepping, point);
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
    for at in handles(operation) {
        let at = camera.to_screen(at);
        painter.circle(at, 3.5, palette.field, Stroke::new(1.4, palette.mark));
    }
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
fn nearest_so_far(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    stepping: &Stepping,
    point: Vec2,
) {
    let Some(reel) = stepping.reel().filter(|_| stepping.is_over()) else {
        return;
    };
    let Answer::Units(found) = &reel.story().answer else {
        return;
    };
    let bodies = look.battle.bodies();
    let farthest = found
        .iter()
        .filter(|unit| bodies.is_alive(**unit))
        .map(|unit| bodies.aabb(*unit).distance_sq(point))
        .fold(0.0, f32::max);
    painter.circle_stroke(
        look.camera.to_screen(point),
        farthest.sqrt() * look.camera.zoom,
        Stroke::new(1.0, faded(palette.mark, 0.5)),
    );
}

/// What is happening at this step: its units, and its region, with a tag. Gives where that lies.
fn happening(
    painter: &Painter,
    look: &Look<'_>,
    app: &App,
    palette: &Palette,
    (reel, now, crowd): (&Reel, &Step, &Crowd),
) -> Option<Rect> {
    concerned(painter, look, app, palette, now);
    let camera = look.camera;
    let white = Stroke::new(2.5, palette.mark);
    if let Some(place) = reel.story().place(now).filter(|it| !it.bounds.is_empty()) {
        let corners = corners(camera, &place.outline);
        if let Outline::Rect(area) = &place.outline {
            let rect = camera.rect_to_screen(*area);
            if Mark::of(now) == Mark::Pruned {
                let ink = Stroke::new(1.0, faded(palette.text_third, 0.36));
                hatch(painter, rect, ink, 9.0);
            }
            painter.rect_stroke(rect, CornerRadius::ZERO, white, StrokeKind::Inside);
        } else {
            painter.add(Shape::closed_line(corners.clone(), white));
        }
        let corner = Rect::from_points(&corners).intersect(camera.screen);
        if corner.is_positive() || !matches!(place.outline, Outline::Rect(_)) {
            let words = words(reel, place);
            return tag(painter, look, palette, corner, (&words, crowd));
        }
    }
    None
}

/// The ring around each of two units.
const RING: f32 = 8.0;

/// The units that are concerned.
fn concerned(painter: &Painter, look: &Look<'_>, app: &App, palette: &Palette, now: &Step) {
    let camera = look.camera;
    // Objects of a world have regions of their own.
    if app.stepping.as_ref().is_some_and(|it| it.is_of_world()) {
        return;
    }
    let (bodies, stroke) = (app.battle.bodies(), Stroke::new(2.0, palette.mark));
    let at = |unit: UnitId| {
        bodies
            .is_alive(unit)
            .then(|| camera.to_screen(bodies.center(unit)))
    };
    match now.units {
        Concerned::One(unit) => {
            if let Some(at) = at(unit) {
                painter.circle_stroke(at, 10.0, stroke);
                look_at(painter.ctx(), Rect::from_center_size(at, vec2(22.0, 22.0)));
            }
        }
        Concerned::Two(a, b) => {
            if let (Some(a), Some(b)) = (at(a), at(b)) {
                // Two that stand closer than their rings have one around both.
                let apart = a.distance(b);
                if apart < 2.0 * RING {
                    let middle = a.lerp(b, 0.5);
                    painter.circle_stroke(middle, RING + apart / 2.0, stroke);
                } else {
                    let way = (b - a) / apart * RING;
                    painter.line_segment([a + way, b - way], stroke);
                    painter.circle_stroke(a, RING, stroke);
                    painter.circle_stroke(b, RING, stroke);
                }
                look_at(painter.ctx(), Rect::from_two_pos(a, b).expand(RING));
            }
        }
        _ => {}
    }
}

/// So many of those whom a story is about: units, or the objects of a world.
pub fn so_many(reel: &Reel, count: u64) -> String {
    let whom = match reel.story().answer {
        Answer::Sides { .. } => "object",
        _ => "unit",
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {whom}{plural}", with_commas(count))
}

/// What a region is called: in a world, by the tree that it is of.
pub fn called(reel: &Reel, region: RegionId) -> String {
    match reel.story().answer {
        Answer::Sides { .. } => {
            let (tree, own) = Tree::of(region);
            format!("{} {own}", tree.name())
        }
        _ => region.to_string(),
    }
}

/// What a region is, in a few words.
pub fn words(reel: &Reel, place: &Place) -> String {
    let units = so_many(reel, place.below);
    match place.role {
        Role::Cell | Role::Slot => {
            format!("{} {} · {units}", place.noun(), called(reel, place.region))
        }
        _ => format!(
            "{} {} · {units} · depth {}",
            place.noun(),
            called(reel, place.region),
            place.depth
        ),
    }
}

/// A tag flush in a corner, light where everything is dark; inside the field, off the chips at its edges, and there where it hides the least
/// of what one looks at. Gives where it lies.
fn tag(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    region: Rect,
    (words, crowd): (&str, &Crowd),
) -> Option<Rect> {
    let galley = painter.layout_no_wrap(words.to_owned(), text(size::SECOND), palette.panel);
    let field = look.room;
    let size = galley.size() + vec2(12.0, 4.0);
    let room = field.shrink(2.0);
    // What is hardly larger than its tag would be hidden by it.
    let is_small = region.width() < 2.0 * size.x && region.height() < 4.0 * size.y;
    let off = if is_small { size.y } else { 0.0 };
    // At its upper left corner, else at another one, or beside it, else below what lies there.
    let top = region.top() - off;
    let foot = region.bottom() - size.y + off;
    let right = region.right() - size.x;
    let middle = region.center().y - size.y / 2.0;
    let corners = [
        pos2(region.left(), top),
        pos2(right, top),
        pos2(region.left(), foot),
        pos2(right, foot),
    ];
    let beside = [
        pos2(region.right(), middle),
        pos2(region.left() - size.x, middle),
    ];
    let beside = beside.into_iter().filter(|_| is_small);
    let below = look
        .taken
        .iter()
        .map(|taken| pos2(region.left(), taken.bottom() + 5.0));
    let looked_at = looked_at(painter.ctx());
    // Where it hides as little elsewhere, it stays where one looks for it first.
    let clear = |at| clear_place(room, size, [at], look.taken);
    let near = corners.into_iter().chain(beside).filter_map(clear);
    let least = near.min_by_key(|rect| {
        let (looked_at, crowd) = crowd.hidden_by(*rect, &looked_at);
        (looked_at, crowd / 8)
    });
    let rect = least.or_else(|| clear_place(room, size, below, look.taken))?;
    painter.rect_filled(rect, CornerRadius::ZERO, palette.text);
    painter.galley(rect.min + vec2(6.0, 2.0), galley, palette.panel);
    look_at(painter.ctx(), rect);
    Some(rect)
}

/// What is pointed at in the tree beside the battle, or was clicked there. What is pointed at on the field is seen without it.
pub fn tree_marks(ui: &Ui, look: &Look<'_>, app: &App, palette: &Palette) {
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
            let crowd = Crowd::of(look);
            tag(
                &painter,
                look,
                palette,
                region,
                (&words(reel, place), &crowd),
            );
        }
    }
    if look.cursor.is_none() {
        pointed(&painter, look, app, palette, diagram);
    }
}

/// What is pointed at, on the field and in the tree alike.
fn pointed(painter: &Painter, look: &Look<'_>, app: &App, palette: &Palette, stepping: &Stepping) {
    let line = Stroke::new(2.0, palette.accent);
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

/// Beside the cursor: what became of who stands there, and why.
fn why(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (stepping, reel, crowd, now_at): (&Stepping, &Reel, &Crowd, Option<Rect>),
) {
    let (Some(cursor), Some(pointed)) = (look.cursor, stepping.pointed) else {
        return;
    };
    let Some((title, sentence)) = fate(stepping, reel, pointed) else {
        return;
    };
    let title = painter.layout_no_wrap(title, text(size::SECOND), palette.text);
    let sentence = painter.layout(
        sentence,
        text(size::DESCRIPTION),
        palette.text_second,
        300.0,
    );
    let below = title.size().y + 2.0;
    let width = title.size().x.max(sentence.size().x) + 20.0;
    let whole = vec2(width, below + sentence.size().y + 12.0);
    let brief = title.size() + vec2(20.0, 12.0);
    let at = look.camera.to_screen(cursor);
    let room = look.room.shrink(8.0);
    let beside = |size: egui_macroquad::egui::Vec2| {
        let (right, left) = (at.x + 18.0, at.x - 18.0 - size.x);
        let (below, above) = (at.y + 18.0, at.y - 18.0 - size.y);
        let corners = [(right, below), (right, above), (left, below), (left, above)];
        let corners = corners.map(|(x, y)| Rect::from_min_size(pos2(x, y), size));
        corners.into_iter().filter(|rect| room.contains_rect(*rect))
    };
    let is_free = |rect: &Rect| {
        let mut taken = look.taken.iter().chain(&now_at);
        !taken.any(|taken| taken.intersects(*rect))
    };
    // Beside the cursor where nothing lies over the field, if need be without the sentence; else where there is room at all.
    let free = |size| {
        let free = beside(size).filter(is_free);
        free.min_by_key(|rect| crowd.within(*rect) / 8)
    };
    let Some(rect) = free(whole)
        .or_else(|| free(brief))
        .or_else(|| beside(whole).next())
    else {
        return;
    };
    chip(painter, palette, rect);
    painter.galley(rect.min + vec2(10.0, 6.0), title, palette.text);
    if rect.height() > brief.y {
        let at = rect.min + vec2(10.0, 6.0 + below);
        painter.galley(at, sentence, palette.text_second);
    }
}

/// What became of a unit or a region when all was over, and why; nothing where that is not known.
fn fate(stepping: &Stepping, reel: &Reel, pointed: Pointed) -> Option<(String, String)> {
    let steps = &reel.story().steps;
    let told = |row: &[u32], name: String| {
        let step = *row.last()? as usize;
        let last = &steps[step];
        let title = format!(
            "{name} · {} at step {}",
            last.kind(),
            with_commas(step as u64 + 1)
        );
        Some((title, last.reason.clone()))
    };
    match pointed {
        Pointed::Region(region) => {
            let number = reel.place_of(region, stepping.at())?;
            let place = &reel.story().places[number];
            let name = format!("{} {region}", place.noun());
            told(reel.steps_of_place(number), name)
        }
        Pointed::Unit(unit) => {
            let name = format!("{} {}", stepping.whom(), reel.story().called(unit));
            told(reel.steps_of_unit(unit), name.clone()).or_else(|| {
                // Nobody looked at it: then something above it was decided as a whole.
                let atlas = stepping.atlas()?;
                let above = atlas.upwards(atlas.home(unit)?.region);
                let mut decided = above.filter_map(|place| {
                    let number = reel.place_of(place.region, stepping.at())?;
                    let row = reel.steps_of_place(number);
                    let last = steps.get(*row.last()? as usize)?;
                    let whole = matches!(last.event, Event::Prune(_) | Event::Accept(_));
                    whole.then_some((place, last))
                });
                let (place, last) = decided.next()?;
                let title = format!("{name} · in {} {}", place.noun(), place.region);
                Some((title, last.reason.clone()))
            })
        }
    }
}
