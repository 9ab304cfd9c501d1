//! What has happened so far, on the field: regions that were entered, left out, taken whole or changed, and units that were
//! tested and found.

use crate::app::camera::Camera;
use crate::app::commands::Layer;
use crate::app::palette::{PRUNED_LINE, Palette, faded};
use crate::app::render::{Canvas, Mesh};
use crate::app::state::{App, Stepping};
use crate::app::view::field::{Ink, Look, Sheet, snapped};
use egui_macroquad::egui::{Color32, Pos2, Rect, pos2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{RegionId, Role};
use skirmish::probe::Event;
use skirmish::story::{Operation, Outline, Place, Reel, Step};

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

    /// The same of a region whose turn it may be: then it is the one that looks, also where one at which it looks has left it out since.
    pub fn in_turn(step: &Step, has_turn: bool) -> Self {
        match Self::of(step) {
            Self::Pruned if has_turn => Self::Visited,
            mark => mark,
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
pub fn corners(camera: Camera, outline: &Outline) -> Vec<Pos2> {
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
    pixels_per_point: f32,
}

impl Pen<'_> {
    fn stroke(&mut self, camera: Camera, outline: &Outline, width: f32, color: Color32) {
        if let Outline::Rect(area) = outline {
            let rect = snapped(camera.rect_to_screen(*area), self.pixels_per_point);
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
pub fn extent(camera: Camera, place: &Place) -> f32 {
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
    let is_asked = stepping.operation().is_some() || stepping.wants().is_some();
    let mut faint = if look.layers.shows(Layer::Nodes) && is_asked {
        widest(camera, atlas.places())
    } else {
        Vec::new()
    };
    let view = camera.view();
    let at = stepping.at();
    let build = Build::of(stepping, reel);
    if build.is_none() {
        let is_later = |place: &&Place| {
            let mut above = atlas.upwards(place.region).skip(1);
            above.any(|above| reel.is_yet_to_split(above.region, at))
        };
        let has_later = reel.has_yet_to_split(at);
        faint.retain(|place| !has_later || !is_later(place));
    }
    if let Some(build) = build {
        faint.retain(|place| match build.is_downwards {
            true => place
                .parent
                .is_none_or(|above| build.has_told_of(above, at)),
            false => build.has_told_of(place.region, at),
        });
    }
    let mut marked = marks(reel, at, |place| {
        place.bounds.overlaps(view) && extent(camera, place) >= 1.0
    });
    // Inner ones first, so that what was done to a part lies over what was done to the whole.
    marked.sort_by_key(|(place, _)| place.depth);
    if stepping.is_of_world() {
        for marked in marked {
            let mut pen = Pen {
                mesh: &mut *canvas.mesh,
                sheet: None,
                pixels_per_point: canvas.pixels_per_point,
            };
            box_of_world(&mut pen, camera, palette, app, marked);
        }
        return;
    }
    let is_sheet = faint.len() + marked.len() > MANY
        && sheet.begin(camera.screen, canvas.pixels_per_point, palette.field);
    let mut pen = Pen {
        mesh: &mut *canvas.mesh,
        sheet: is_sheet.then_some(&mut *sheet),
        pixels_per_point: canvas.pixels_per_point,
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
        sheet.end(canvas);
        sheet.draw(canvas);
    }
}

/// The regions to which something has happened in the first steps, of those that are seen, each with what that is.
fn marks(reel: &Reel, at: usize, is_seen: impl Fn(&Place) -> bool) -> Vec<(&Place, Mark)> {
    // What is split now is filled: fills of all that was split before would cover each other, and the units.
    let now = reel
        .now(at)
        .filter(|step| matches!(step.event, Event::Split(_)));
    let now = now.and_then(|step| step.region);
    let turn = reel.turn_at(at);
    let places = reel.story().places.iter().enumerate();
    let seen = places.filter(|(_, place)| is_seen(place));
    let marks = seen.filter_map(|(number, place)| {
        // Of a region at two moments, as it is at the later one that was told.
        let step = reel
            .place_at(number, at)
            .filter(|it| it.place == Some(number) && !reel.is_gone(number, at))?;
        let mark = match Mark::in_turn(step, turn == Some(number)) {
            Mark::Split if now != Some(place.region) => Mark::WasSplit,
            mark => mark,
        };
        Some((place, mark))
    });
    marks.collect()
}

/// Those regions that are left out of which one knows by the boxes around whom they hold alone that they are: the circle of what is asked goes
/// into the regions themselves. None that slants, for a circle may reach the box around such a one and go past it.
pub fn left_out_by_box(
    reel: &Reel,
    at: usize,
    (center, radius): (Vec2, f32),
) -> impl Iterator<Item = &Place> {
    let is_out = move |bounds: Aabb| bounds.distance_sq(center) > radius * radius;
    let is_it = move |place: &Place| {
        let is_box = matches!(place.outline, Outline::Rect(_));
        is_box && place.tight().is_some_and(is_out) && !is_out(place.bounds)
    };
    let marked = marks(reel, at, is_it).into_iter();
    let left_out = marked.filter(|(_, mark)| *mark == Mark::Pruned);
    left_out.map(|(place, _)| place)
}

/// Of more pairs than these the last are drawn.
const MOST_PAIRS: usize = 4_000;

/// How much there is to be seen of the line of a pair that so many were found after, of so many lines: many upon each other would be a block, of
/// which the newest stand out.
fn opacity_of_pair(newer: usize, count: usize) -> f32 {
    /// Of so many each can be seen.
    const FEW: f32 = 200.0;
    /// So many of them are new.
    const NEW: f32 = 32.0;
    const MOST: f32 = 0.4;
    const LEAST: f32 = 0.1;
    let old = (MOST * (FEW / count.max(1) as f32).sqrt()).clamp(LEAST, MOST);
    let new = (1.0 - newer as f32 / NEW).max(0.0);
    old + (MOST - old) * new
}

/// A line between each two who are a pair by now, under the units.
pub fn pairs(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette, app: &App) {
    let Some(stepping) = &app.stepping else {
        return;
    };
    let Some(reel) = stepping.reel().filter(|_| look.layers.shows(Layer::Units)) else {
        return;
    };
    let (at, steps) = (stepping.at(), &reel.story().steps);
    let found = reel.tracks().iter().find(|it| it.kind == PAIR);
    let found = found.map_or(&[][..], |track| track.up_to(at));
    let bodies = look.battle.bodies();
    let view = look.camera.view();
    let count = found.len().min(MOST_PAIRS);
    for (newer, step) in found.iter().rev().take(count).enumerate() {
        let Event::HitPair(a, b) = steps[*step as usize].event else {
            continue;
        };
        if !bodies.is_alive(a) || !bodies.is_alive(b) {
            continue;
        }
        let ends = [a, b].map(|unit| bodies.center(unit));
        if ends.iter().any(|at| view.contains(*at)) {
            let [from, to] = ends.map(|at| look.camera.to_screen(at));
            let ink = faded(palette.mark, opacity_of_pair(newer, count));
            mesh.line(from, to, 1.0, ink);
        }
    }
}

/// The kind of event by which two are a pair.
const PAIR: &str = "hit pair";

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

    /// Whether a region has been split by now, or its box has been made by now. Asked of the few that are drawn, in every frame.
    fn has_told_of(&self, region: RegionId, at: usize) -> bool {
        let place = self.reel.place_of(region, at);
        place.is_some_and(|place| self.has_told(place, at))
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
            pen.stroke(camera, outline, 1.0, faded(color, PRUNED_LINE));
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
    pen: &mut Pen<'_>,
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
        lines(pen.mesh, camera, &place.outline, faded(color, opacity));
    }
    pen.stroke(camera, &place.outline, 1.2, faded(color, opacity));
    let Some(stream) = app.stream.as_ref().filter(|_| !is_inner) else {
        return;
    };
    for object in place.units() {
        let body = camera.rect_to_screen(stream.body(*object));
        // Whoever is loaded is filled in nearly this colour as well: who is found has a line that nobody else has.
        let line = match mark {
            Mark::Taken => {
                pen.mesh.fill(body, faded(color, 0.75));
                palette.mark
            }
            _ => color,
        };
        pen.mesh.outline(body, 1.5, line);
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

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Concerned, Ground, InTurn, Stage};

    #[test]
    fn what_a_node_has_taken_back_is_marked_no_longer_than_that_is_said() {
        let centers = [(5.0, 5.0), (50.0, 10.0), (10.0, 50.0)].map(Vec2::from);
        let mut ground = Ground::of(Bodies::points(&centers));
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let mut index = AnyPartition::new(Kind::Quadtree, field);
        index.set_knob_text("capacity", "2").expect("a knob");
        index.rebuild(ground.bodies(), &mut ());
        let first = Operation::Remove { unit: 1 };
        first.perform(&mut index, &mut ground, 1.0, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, ground, 1.0, &never);
        let removal = Operation::Remove { unit: 2 };
        let story = stage.and_then(|stage| stage.tell(&removal, 100, &never));
        let reel = Reel::new(story.expect("not cancelled"));
        let merge = reel
            .story()
            .steps
            .iter()
            .position(|it| it.kind() == "merge");
        let merge = merge.expect("a merge");
        let [quarter, node] = [merge - 1, merge].map(|step| reel.story().steps[step].region);
        let regions = |at: usize| -> Vec<RegionId> {
            let marks = marks(&reel, at, |_| true).into_iter();
            marks.map(|(place, _)| place.region).collect()
        };
        let (quarter, node) = (quarter.expect("a leaf"), node.expect("a node"));
        // Before the node takes it back it is marked, with that no more.
        assert!(regions(merge).contains(&quarter));
        let after = marks(&reel, merge + 1, |_| true);
        assert!(!after.iter().any(|(place, _)| place.region == quarter));
        let is_node =
            |(place, mark): &(&Place, Mark)| place.region == node && *mark == Mark::Changed;
        assert!(after.iter().any(is_node));
        // Nor where nobody sees it.
        assert!(marks(&reel, merge, |place| place.region == node).len() < 2);
    }

    #[test]
    fn a_leaf_that_is_left_out_by_the_box_around_whom_it_holds_is_known_by_that() {
        // Four clusters far from the borders between their leaves.
        let corners = [(5.0, 5.0), (90.0, 5.0), (5.0, 90.0), (90.0, 90.0)].map(Vec2::from);
        let centers: Vec<Vec2> = (0..32)
            .map(|unit| corners[unit / 8] + Vec2::new(unit as f32 % 8.0, unit as f32 % 3.0))
            .collect();
        let ground = Ground::of(Bodies::points(&centers));
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));
        let mut index = AnyPartition::new(Kind::KdTree, field);
        index.rebuild(ground.bodies(), &mut ());
        let (center, radius) = (Vec2::new(40.0, 5.0), 40.0);
        let asked = Operation::Radius { center, radius };
        let never = Cancel::default();
        let stage = Stage::new(index, ground, 1.0, &never);
        let story = stage.and_then(|stage| stage.tell(&asked, 100, &never));
        let reel = Reel::new(story.expect("not cancelled"));
        let end = reel.len();
        let left_out: Vec<&Place> = left_out_by_box(&reel, end, (center, radius)).collect();
        assert!(!left_out.is_empty());
        for place in left_out {
            let away = |bounds: Aabb| bounds.distance_sq(center).sqrt();
            let tight = place.tight().expect("a box");
            assert!(away(place.bounds) <= radius && away(tight) > radius);
        }
        assert_eq!(left_out_by_box(&reel, 0, (center, radius)).count(), 0);
        // A circle that goes into none of them needs no such box.
        let small = left_out_by_box(&reel, end, (center, 0.1));
        assert_eq!(small.count(), 0);
    }

    #[test]
    fn of_many_pairs_the_lines_of_the_older_ones_are_pale_and_can_be_seen() {
        for count in [1, 60, 200] {
            let all = (0..count).map(|newer| opacity_of_pair(newer, count));
            assert!(all.into_iter().all(|opacity| opacity == 0.4), "{count}");
        }
        for count in [400, MOST_PAIRS] {
            let all: Vec<f32> = (0..count).map(|it| opacity_of_pair(it, count)).collect();
            let newest = all[0];
            assert!((newest - 0.4).abs() < 1.0e-6, "{count}: {newest}");
            assert!(all.is_sorted_by(|newer, older| newer >= older), "{count}");
            let old = all[count - 1];
            assert!((0.08..0.3).contains(&old), "{count}: {old}");
        }
    }

    #[test]
    fn whoever_has_its_turn_is_not_marked_as_left_out() {
        let step = |event| Step {
            event,
            region: Some(3),
            place: Some(0),
            turn: None,
            in_turn: InTurn::Apart,
            units: Concerned::Nobody,
            reason: String::new(),
            more: 0,
            own: 0,
        };
        let (left, taken) = (step(Event::Prune(3)), step(Event::Accept(3)));
        assert_eq!(Mark::in_turn(&left, false), Mark::Pruned);
        assert_eq!(Mark::in_turn(&left, true), Mark::Visited);
        assert_eq!(Mark::in_turn(&taken, true), Mark::Taken);
    }
}
