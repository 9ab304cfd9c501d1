//! What lies over the picture of space: chips, figures at the axes, the handle of the slice, the tag of the query.

use super::compared::compared;
use super::pointed;
use super::tools::tools;
use crate::app::commands::{Command, Layer};
use crate::app::eye::Eye;
use crate::app::palette::Palette;
use crate::app::set_words::knobs_in_words;
use crate::app::silhouette::is_on_volume;
use crate::app::state::App;
use crate::app::theme::layout;
use crate::app::view::caption::{Caption, above_legend};
use crate::app::view::chips::{LEAST_BELOW, layer_chip, look_chip, scale_rect, title_chip};
use crate::app::view::field::{Crowd, MOST_CHOSEN};
use crate::app::view::marks::{box_around, nobody_in};
use crate::app::view::space::draw::{
    AxisFigures, GIZMO, Hidden, Painted, QueryTag, SliceHandle, Words, angles_of_gizmo,
    ball_in_the_way, ends_of_gizmo, gizmo, legend_chip, legend_rect, scale_chip, slice_handle,
};
use crate::app::widgets::{fixed_places, look_at, occupied, place};
use egui_macroquad::egui::{Id, Rect, Ui, Vec2, pos2, vec2};
use skirmish::story::space::Operation3;
use skirmish::volume::Vec3;
use std::cell::OnceCell;

/// The width of the switches of the layers, in points.
const LAYER_CHIP: f32 = 240.0;

/// What may be looked at beside the field.
const LOOKS: [Command; 2] = [Command::LookInto, Command::Tree];

/// The caption stands above the legend, in points, whether that is shown or not: it does not jump.
const ABOVE_LEGEND: f32 = 38.0;

/// The handle of the slice, where there is one and it can be seen: off the chips at the top, and off the gizmo.
pub fn handle(app: &App) -> Option<SliceHandle> {
    let eye = app.space.eye.as_ref()?;
    let field = app.free_field();
    let chips = field.with_max_y(field.top() + layout::CHIP + 38.0);
    let taken = [
        Some(chips),
        app.space.tools,
        gizmo_rect(field, &[], |_| true),
    ];
    let taken: Vec<Rect> = match app.bare {
        true => Vec::new(),
        false => taken.into_iter().flatten().collect(),
    };
    SliceHandle::of(eye, app.scene.field3(), app.space.slice?, &taken)
}

/// Draws all of it; what is clicked acts.
pub fn show(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    caption: &mut Caption,
    painted: Painted,
) {
    let Some(eye) = app.space.eye else { return };
    // Chips stand beside open drawers.
    let (whole, field) = (app.camera.screen, app.free_field());
    let area = app.scene.field3();
    let raised = above_legend(field, ABOVE_LEGEND);
    let said = caption.rect(ui, app, palette, whole, raised);
    // In a low field the caption has its place.
    let is_free = |legend: &Rect| !said.is_some_and(|said| said.intersects(*legend));
    let legend_at = legend_place(app, field).filter(is_free);
    let gizmo_at = gizmo_rect(field, &[], |_| true);
    let chips = field.with_max_y(field.top() + layout::CHIP + 30.0);
    let own = [Some(chips), Some(scale_rect(field)), legend_at, said];
    let own: Vec<Rect> = own.into_iter().flatten().collect();
    let mut taken = occupied(ui.ctx());
    taken.extend(own.iter().copied().chain(gizmo_at));
    let before = taken.len();
    let mut words_of_two = Vec::new();
    // Where units stand, once somebody asks for that: it is the same for all words of this frame.
    let crowd = OnceCell::new();
    if !app.bare {
        let painter = ui.painter().with_clip_rect(whole);
        // The figures have their places, and chips keep off them.
        let figures = AxisFigures::of(&painter, &eye, area, palette, &taken);
        taken.extend(figures.places());
        tag(ui, app, &eye, palette, (&mut taken, &crowd));
        taken.extend(figures.upright());
        handle_of_slice(ui, app, &eye, palette, painted, &mut taken);
        if app.has_steps() {
            // The row of the tools is shown after this.
            let own = taken.iter().copied().chain(app.space.tools);
            let own: Vec<Rect> = own.collect();
            words_of_two = compared(ui, app, &eye, palette, (&own, &crowd));
        }
        figures.draw(&painter, palette);
        if let Some(rect) = app.space.boxed {
            box_around(&painter, whole, rect, app.selection.len(), palette);
        }
    }
    if app.alive() == 0 {
        nobody_in(ui.painter(), field, palette);
    }
    if app.bare {
        return;
    }
    // Whoever steps through something sees the tree with it.
    let looks = &LOOKS[..if app.is_stepping() { 1 } else { 2 }];
    let layers = layer_chip(
        ui,
        app,
        palette,
        &Layer::VOLUME,
        (LAYER_CHIP, looks, ("", "")),
    );
    let chips = look_chip(ui, app, palette, layers, looks);
    let lane = app.lane();
    let knobs = knobs_in_words(&lane.structure, &[], usize::MAX);
    let name = lane.structure.info().name;
    title_chip(ui, app, palette, (name, &knobs), chips);
    let tools_at = match app.has_steps() {
        true => tools(ui, app, palette),
        false => None,
    };
    if std::mem::replace(&mut app.space.tools, tools_at) != tools_at {
        // The picture makes room for them in the next frame.
        ui.ctx().request_repaint();
    }
    let axis = app.space.slice.map(|slice| slice.axis);
    // What is stepped through is not to be hidden by it; a query goes with the pointer, and leaves it alone.
    let ball = asked_ball(app, &eye);
    if let Some(ball) = ball {
        look_at(ui.ctx(), ball);
    }
    // With its axes, which go along its edges.
    let is_clear = |rect: Rect| !is_on_volume(&eye, area, rect.expand(24.0));
    let gizmo_at = gizmo_rect(field, &fixed_places(ui.ctx()), is_clear);
    let hides = |rect: &Rect| app.has_steps() && ball.is_some_and(|ball| ball.intersects(*rect));
    // At the foot the axes end: where their figures have no other place, they come first.
    let is_in_the_way = |rect: &Rect| {
        let figures = || AxisFigures::of(ui.painter(), &eye, area, palette, &own);
        rect.top() > field.center().y && figures().places().any(|it| it.intersects(*rect))
    };
    let gizmo_at = gizmo_at.filter(|rect| !hides(rect) && !is_in_the_way(rect));
    let gizmo_at = gizmo_at.filter(|rect| is_clear(*rect) || !hides_units(ui, app, &crowd, *rect));
    let clicked = gizmo_at.and_then(|rect| {
        let angles = angles_of_gizmo(rect, |at| !is_on_volume(&eye, area, at));
        gizmo(ui, (rect, is_clear(rect), angles), &eye, axis, palette)
    });
    // As long as nothing moves it. Steps are looked at as they were before they were told, while it would still be in that corner.
    let now = gizmo_rect(field, &[], |_| true).map(ends_of_gizmo);
    let ends = match app.has_steps() {
        true => stays(app.space.gizmo, now),
        false => now,
    };
    if app.drawn_out == [None; 2] && std::mem::replace(&mut app.space.gizmo, ends) != ends {
        // The picture makes room for it in the next frame.
        ui.ctx().request_repaint();
    }
    if let Some(end) = clicked {
        app.move_eye(|eye| eye.look_along(end.axis, end.is_positive));
    }
    if legend_at.is_some() {
        let lane = app.lane();
        // What is gone through is told of the structure as it was then, or is built only now.
        let deepest_leaf = match app.has_steps() {
            true => 0,
            false => lane.frame.histogram.deepest_leaf(),
        };
        let drawn = (&lane.frame3.regions[..], deepest_leaf);
        legend_chip(ui, palette, field, drawn, words(app));
    }
    caption.show(ui, app, palette, whole, raised);
    scale_chip(ui, &eye, field, palette);
    let tools = app.space.tools;
    // And off the words that stand in the picture itself.
    let words = taken.split_off(before).into_iter().chain(words_of_two);
    let own = own.into_iter().chain(gizmo_at).chain(tools).chain(words);
    let taken: Vec<Rect> = own.chain(occupied(ui.ctx())).collect();
    pointed::say(ui, app, palette, &taken);
}

/// Where something is taken to be that was there `before`, and would be elsewhere `now`: where it was, unless its corner has moved.
fn stays(before: Option<Rect>, now: Option<Rect>) -> Option<Rect> {
    let before = before.filter(|it| now.is_none_or(|now| now.min == it.min));
    before.or(now)
}

/// Whether the gizmo would hide units, and not one or two that fly by. Where it was left out of this scene it comes back when half as many
/// are there, so that it does not blink.
fn hides_units(ui: &Ui, app: &App, crowd: &OnceCell<Crowd>, rect: Rect) -> bool {
    const MANY: usize = 8;
    let (id, scene) = (Id::new("gizmo is left out"), app.files.arrivals);
    let out_of: Option<u32> = ui.data(|data| data.get_temp(id)).flatten();
    let most = if out_of == Some(scene) {
        MANY / 2
    } else {
        MANY
    };
    let crowd = crowd.get_or_init(|| Crowd::in_view(app, &[]));
    let hides = crowd.within(rect) > most;
    ui.data_mut(|data| data.insert_temp(id, hides.then_some(scene)));
    hides
}

/// What the legend says beside the depths.
fn words(app: &App) -> Words {
    let stepping = app.stepping.as_ref().filter(|_| app.has_steps());
    let operation = stepping.and_then(|it| it.asked.operation3());
    let shows = app.layers.shows(Layer::Query) && app.lane().frame3.query.is_some();
    match operation {
        Some(operation) if operation.is_edit() => Words::OfEdit,
        Some(Operation3::Pairs { .. }) => Words::OfPairs,
        Some(Operation3::Nearest { .. }) => Words::OfNearest,
        _ if app.has_steps() => Words::OfSteps,
        _ if shows => Words::OfQuery,
        _ => Words::Nothing,
    }
}

/// Where the legend lies.
fn legend_place(app: &App, field: Rect) -> Option<Rect> {
    let shows = app.layers.shows(Layer::Nodes) && !app.bare;
    let regions = &app.lane().frame3.regions;
    legend_rect(field, regions, words(app)).filter(|_| shows)
}

/// Where the gizmo lies: below the switches of the layers, and below other chips where they reach so far; beside the handle of a
/// drawer; where nothing is seen, as far as there `is_clear`. Nowhere where there is no room for it above the scale, or the picture would
/// have less of the field than it.
fn gizmo_rect(field: Rect, taken: &[Rect], is_clear: impl Fn(Rect) -> bool) -> Option<Rect> {
    let corner = pos2(
        field.right() - layout::CHIP - GIZMO.x,
        field.top() + layout::CHIP + 38.0,
    );
    let mut rect = Rect::from_min_size(corner, GIZMO);
    // Chips end at the margin, and handles at the edge.
    let (handles, chips): (Vec<Rect>, Vec<Rect>) = taken
        .iter()
        .partition(|other| other.right() > rect.right() + 1.0);
    let over = chips
        .iter()
        .filter(|chip| chip.expand(4.0).intersects(rect));
    let down = over
        .map(|chip| chip.bottom() + 8.0 - rect.top())
        .fold(0.0, f32::max);
    let foot = scale_rect(field).top() - 8.0;
    // What reaches below the switches may have it lie on what is seen: then it has the corner above the scale, if it does not there.
    if down > 0.0 {
        let below = rect.translate(vec2(0.0, down));
        let at_foot = rect.translate(vec2(0.0, down.max(foot - rect.bottom())));
        rect = match is_clear(below) {
            true => below,
            false => at_foot,
        };
    }
    let mut handles = handles.iter().filter(|handle| handle.intersects(rect));
    let aside = handles
        .next()
        .map_or(0.0, |handle| rect.right() - handle.left() + 6.0);
    rect = rect.translate(vec2(-aside, 0.0));
    let is_above = rect.bottom() <= foot + 0.5;
    (is_above && field.width() >= LEAST_BELOW.x).then_some(rect)
}

/// What the query found, beside the volume.
fn tag(
    ui: &Ui,
    app: &App,
    eye: &Eye,
    palette: &Palette,
    (taken, crowd): (&mut Vec<Rect>, &OnceCell<Crowd>),
) {
    let shows = app.layers.shows(Layer::Query) && !app.has_steps();
    let query = app.lane().frame3.query.as_ref().filter(|_| shows);
    let Some(query) = query else { return };
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    let (area, room) = (app.scene.field3(), app.free_field());
    let units = app.selection.units();
    let few = units.iter().filter(|_| units.len() <= MOST_CHOSEN);
    let chosen: Vec<Vec3> = few.filter_map(|unit| app.flying(*unit)).collect();
    let crowd = crowd.get_or_init(|| Crowd::in_view(app, &[]));
    let off = (&taken[..], &chosen[..], crowd);
    if let Some(tag) = QueryTag::of(&painter, palette, (eye, room), area, query, off) {
        taken.extend(tag.taken());
        tag.draw(&painter, palette);
    }
}

/// Where the ball is that one looks at, of a query or of what is stepped through.
fn asked_ball(app: &App, eye: &Eye) -> Option<Rect> {
    let ball = match app.stepping.as_ref().map(|it| it.asked.operation3()) {
        Some(Some(Operation3::Sphere { center, radius })) => Some((*center, *radius)),
        Some(_) => None,
        None => {
            let shows = app.layers.shows(Layer::Query);
            let query = app.lane().frame3.query.as_ref().filter(|_| shows);
            query.map(|query| (query.center, query.radius))
        }
    };
    ball_in_the_way(eye, ball?)
}

/// The handle of the slice and its chip.
fn handle_of_slice(
    ui: &Ui,
    app: &App,
    eye: &Eye,
    palette: &Palette,
    painted: Painted,
    taken: &mut Vec<Rect>,
) {
    let (Some(slice), Some(handle)) = (app.space.slice, handle(app)) else {
        return;
    };
    let hidden = Hidden {
        units: painted.units_hidden,
        of: painted.units_alive,
    };
    let ring = Rect::from_center_size(handle.at, Vec2::splat(14.0));
    place(ui.ctx(), "slice.handle", ring);
    let is_hot = app.pointer().is_some_and(|at| handle.is_at(at));
    taken.push(ring.expand(8.0));
    // The ball is what the slice goes through.
    let ball = asked_ball(app, eye);
    let view = (eye, app.free_field(), app.scene.field3());
    let words = slice_handle(
        ui,
        palette,
        view,
        (slice, handle),
        hidden,
        is_hot,
        (taken, ball),
    );
    taken.extend(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_steps_are_told_the_gizmo_is_where_it_was_as_long_as_its_corner_is_there() {
        let at = |x: f32| Some(Rect::from_min_size(pos2(x, 70.0), vec2(80.0, 60.0)));
        assert_eq!(stays(at(400.0), at(400.0)), at(400.0));
        assert_eq!(
            stays(at(400.0), None),
            at(400.0),
            "the strip takes its room"
        );
        assert_eq!(stays(at(400.0), at(600.0)), at(600.0), "a wider window");
        assert_eq!(stays(None, at(600.0)), at(600.0), "from Compare");
    }
}
