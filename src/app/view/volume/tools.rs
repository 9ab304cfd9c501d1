//! What is asked while one steps through an operation in space: which tool a click on the field is, as a row over the field.

use crate::app::palette::Palette;
use crate::app::state::{App, COUNTS, Pointed, RADII};
use crate::app::theme::layout;
use crate::app::view::chips::chip;
use crate::app::view::step::measured;
use crate::app::widgets::{cover, segments_in};
use egui_macroquad::egui::{Rect, Ui, Vec2, pos2, vec2};
use skirmish::partition::UnitId;
use skirmish::story::space::Operation3;
use skirmish::volume::Vec3;

/// The tools, with what each means.
const TOOLS: [(&str, &str); 7] = [
    ("Ball", "Who is within a distance of a point: click on it."),
    (
        "Nearest",
        "Who is nearest to a point: click on it. How many are looked for is set at k. Of the parts of a node the nearest is searched first, all the way down.",
    ),
    ("Pairs", "Who is in reach of whom, as each tick asks it."),
    (
        "Insert",
        "A unit comes: click where, or on a unit for its very place. The flight itself stays as it is.",
    ),
    (
        "Remove",
        "A unit goes: click on it. The flight itself stays as it is.",
    ),
    (
        "Move",
        "A unit moves: click on it, then where it goes. The flight itself stays as it is.",
    ),
    ("Rebuild", "The structure is built anew from all units."),
];

/// How wide the row is, in points.
const WIDTH: f32 = 448.0;

/// In less, the words would run into each other.
const LEAST: f32 = 300.0;

/// The chip below the row with how many are looked for, or how large the ball is, in points.
const MEASURE: Vec2 = vec2(236.0, 32.0);

/// Which tool an operation is of.
fn tool_of(operation: &Operation3) -> usize {
    match operation {
        Operation3::Sphere { .. } | Operation3::Range(_) | Operation3::Segment { .. } => 0,
        Operation3::Nearest { .. } => 1,
        Operation3::Pairs { .. } => 2,
        Operation3::Insert { .. } => 3,
        Operation3::Remove { .. } => 4,
        Operation3::Move { .. } => 5,
        Operation3::Rebuild => 6,
    }
}

/// The operation that is looked into.
fn present(app: &App) -> Option<Operation3> {
    app.stepping.as_ref()?.asked.operation3().copied()
}

/// Where an operation is, if it is anywhere.
fn place_of(app: &App, operation: &Operation3) -> Vec3 {
    match *operation {
        Operation3::Sphere { center, .. } => center,
        Operation3::Nearest { point, .. } => point,
        Operation3::Insert { at } => at,
        Operation3::Move { to, .. } => to,
        Operation3::Range(area) => area.center(),
        Operation3::Segment { from, .. } => from,
        Operation3::Remove { unit } => app.flying(unit).unwrap_or_default(),
        Operation3::Pairs { .. } | Operation3::Rebuild => app.scene.field3().center(),
    }
}

/// What a tool makes at a place, of a unit where it is about one.
fn made(app: &App, tool: usize, at: Vec3, unit: Option<UnitId>) -> Option<Operation3> {
    Some(match tool {
        0 => Operation3::Sphere {
            center: at,
            radius: ball_radius(app)?,
        },
        1 => Operation3::Nearest {
            point: at,
            count: nearest_count(app)?,
        },
        2 => Operation3::Pairs { reach: None },
        3 => Operation3::Insert { at },
        4 => Operation3::Remove { unit: unit? },
        5 => Operation3::Move {
            unit: unit?,
            to: at,
        },
        _ => Operation3::Rebuild,
    })
}

/// How many are looked for by the tool for the nearest: as many as are now, or as were the last time.
fn nearest_count(app: &App) -> Option<usize> {
    let stepping = app.stepping.as_ref()?;
    match stepping.asked.operation3() {
        Some(Operation3::Nearest { count, .. }) => Some(*count),
        _ => Some(stepping.count),
    }
}

/// How large a ball is: as the one that is asked for, or as it was the last time.
fn ball_radius(app: &App) -> Option<f32> {
    let stepping = app.stepping.as_ref()?;
    match stepping.asked.operation3() {
        Some(Operation3::Sphere { radius, .. }) => Some(*radius),
        _ => Some(stepping.radius),
    }
}

/// Somebody who can be taken or moved: who is selected, or anybody.
fn somebody(app: &App) -> Option<UnitId> {
    let flight = app.flight.as_ref()?;
    let first = app.selection.first();
    first.or_else(|| flight.bodies().ids().next())
}

/// Where the tools lie in a field of a window so many points high; nowhere where the picture would have no room beside them.
fn tools_rect(field: Rect, window: f32) -> Option<Rect> {
    let width = WIDTH.min(field.width() - 2.0 * layout::CHIP);
    if width < LEAST || window < layout::STEP_TOOLS {
        return None;
    }
    let corner = pos2(
        field.left() + layout::CHIP,
        field.top() + layout::CHIP + 38.0,
    );
    Some(Rect::from_min_size(corner, vec2(width, 32.0)))
}

/// The row of tools below the chips at the upper edge, and the chip below it; where they lie, if there is room for them.
pub fn tools(ui: &mut Ui, app: &mut App, palette: &Palette) -> Option<Rect> {
    let operation = present(app)?;
    let window = ui.ctx().screen_rect().height();
    let rect = tools_rect(app.free_field(), window)?;
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let cells = rect.shrink2(Vec2::splat(4.0));
    let chosen = Some(tool_of(&operation));
    let picked = segments_in(ui, palette, "step", cells, &TOOLS, chosen, palette.accent);
    if let Some(tool) = picked {
        app.space.mover = None;
        let at = place_of(app, &operation);
        if let Some(operation) = made(app, tool, at, somebody(app)) {
            app.set_operation3(operation);
        }
    }
    let measure = measure(ui, app, palette, rect, operation);
    Some(measure.map_or(rect, |measure| rect.union(measure)))
}

/// How many are looked for, or how large the ball is, on a chip below the row: the same slider as on a plane. Where it lies, where there is
/// something of that.
fn measure(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    row: Rect,
    operation: Operation3,
) -> Option<Rect> {
    let what = match operation {
        Operation3::Nearest { count, .. } => ("k", count as f32, COUNTS, "units"),
        Operation3::Sphere { radius, .. } => ("radius", radius, RADII, "m"),
        _ => return None,
    };
    let corner = row.left_bottom() + vec2(0.0, 8.0);
    let rect = Rect::from_min_size(corner, MEASURE);
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let inside = rect.shrink2(vec2(12.0, 0.0));
    let Some(set) = measured(ui, palette, inside, what) else {
        return Some(rect);
    };
    let new = match operation {
        Operation3::Nearest { point, .. } => {
            let count = set.round().max(1.0) as usize;
            if let Some(stepping) = &mut app.stepping {
                stepping.count = count;
            }
            Operation3::Nearest { point, count }
        }
        Operation3::Sphere { center, .. } => {
            let radius = (set * 10.0).round() / 10.0;
            Operation3::Sphere { center, radius }
        }
        other => other,
    };
    app.set_operation3(new);
    Some(rect)
}

/// A click on the field while one steps: the operation is asked there.
pub fn click(app: &mut App, shift: bool) {
    let frame = &app.lane().frame3;
    let (point, hovered) = (frame.point, frame.unit);
    let Some(operation) = present(app) else {
        return;
    };
    // As on a plane: one asks of who stands here when it was their turn.
    if shift {
        return app.focus_steps(hovered.map(Pointed::Unit));
    }
    let tool = tool_of(&operation);
    let unit = match tool {
        // Who is clicked on goes, and is who moves next.
        4 => {
            let unit = hovered.or(app.selection.first());
            app.selection.set(unit);
            unit
        }
        // The click after that on a unit says where, be it to another unit.
        5 => match (app.space.mover.take(), hovered) {
            (None, Some(_)) => {
                app.selection.set(hovered);
                app.space.mover = hovered;
                return;
            }
            (mover, _) => mover.or_else(|| somebody(app)),
        },
        _ => somebody(app),
    };
    if let Some(at) = point
        && let Some(operation) = made(app, tool, at, unit)
    {
        app.set_operation3(operation);
    }
}
