//! What leaves the window: pictures, and the report that a test reads.

use super::commands::Layer;
use super::pins;
use super::png;
use super::state::{App, Stepping};
use super::stream::Stream;
use super::thumbnail;
use super::widgets::Audit;
use super::worker::{LaneView, Structure};
use egui_macroquad::egui::Rect;
use egui_macroquad::macroquad::prelude::{get_screen_data, screen_height};
use image::codecs::png::{CompressionType, FilterType};
use image::{RgbImage, imageops};
use serde_json::{Map, Value, json};
use skirmish::built_in;
use skirmish::scene::Side;
use skirmish::session::{Mark, MarkKind, Pin, Place, Stopped};
use std::collections::BTreeMap;
use std::path::Path;

/// What is on the screen.
fn screen() -> RgbImage {
    let screen = get_screen_data();
    let (width, height) = (u32::from(screen.width), u32::from(screen.height));
    let row = width as usize * 4;
    // OpenGL's first row is the lowest; the picture has no use for the alpha that blending left behind.
    let mut pixels = Vec::with_capacity(screen.bytes.len());
    for line in screen.bytes.chunks_exact(row.max(1)).rev() {
        pixels.extend(
            line.chunks_exact(4)
                .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]),
        );
    }
    RgbImage::from_raw(width, height, pixels).unwrap_or_default()
}

/// Writes what is on the screen as a PNG.
pub fn save_picture(path: &Path) -> Result<(), String> {
    let encoding = (CompressionType::default(), FilterType::default());
    png::write(path, &screen(), encoding)
}

/// Takes what is on the screen; what it gives writes that as a PNG, on any thread, and says so.
pub fn take_picture() -> impl FnOnce(&Path) -> Result<String, String> + Send + 'static {
    put_picture(screen())
}

/// What this gives writes a picture as a PNG, on any thread, and says so.
pub fn put_picture(
    picture: RgbImage,
) -> impl FnOnce(&Path) -> Result<String, String> + Send + 'static {
    move |path: &Path| {
        let encoding = (CompressionType::default(), FilterType::default());
        png::write(path, &picture, encoding)?;
        Ok(format!("The picture is in {}.", path.display()))
    }
}

/// Writes a small picture of the window below its upper `above` points, as a PNG.
pub fn save_thumbnail(path: &Path, above: f32) -> Result<(), String> {
    let mut screen = screen();
    let (width, height) = screen.dimensions();
    let scale = height as f32 / screen_height().max(1.0);
    let top = ((above * scale) as u32).min(height);
    let field = imageops::crop(&mut screen, 0, top, width, height - top).to_image();
    png::write(path, &thumbnail::of(&field), png::SMALL)
}

/// Writes what others read, and gives the sentence that says so: what it is, in words before "in" and its place.
pub fn put_said(path: &Path, bytes: &[u8], what: &str) -> Result<String, String> {
    let shown = path.display();
    match png::put(path, bytes) {
        Ok(()) => Ok(format!("{what} in {shown}.")),
        Err(reason) => Err(format!("{shown}: not saved: {reason}")),
    }
}

/// What a lane has answered: its counters, and whom the query under the cursor found.
fn lane(lane: &LaneView) -> Value {
    let structure = &lane.structure;
    let info = structure.info();
    let knobs = info.knobs.iter().enumerate();
    let knobs: Map<String, Value> = knobs
        .map(|(index, knob)| (knob.key.to_owned(), structure.in_effect(index).into()))
        .collect();
    let plane = lane.frame.query.as_ref().map(|query| &query.hits);
    let space = lane.frame3.query.as_ref().map(|query| &query.hits);
    let hits = plane.or(space).map(|hits| {
        let mut hits = hits.clone();
        hits.sort_unstable();
        hits
    });
    json!({
        "structure": info.key,
        "knobs": knobs,
        "auto": auto(structure),
        "tests": lane.cost.query.tests,
        "visits": lane.cost.query.visits,
        "pairs": lane.cost.pairs,
        "at_rest": lane.cost.at_rest,
        "update_us": lane.times.map(|times| times.update_us),
        "query_us": lane.times.map(|times| times.query_us),
        "bytes": structure.byte_count(),
        "hits": hits.unwrap_or_default(),
        "hovered": lane.frame.unit.or(lane.frame3.unit),
        "difference": lane.difference.map(|difference| difference.to_string()),
    })
}

/// The knobs that the structure is left to choose.
fn auto(structure: &Structure) -> Vec<&'static str> {
    let knobs = structure.info().knobs.iter().enumerate();
    knobs
        .filter(|(index, knob)| knob.is_auto(structure.knob(*index)))
        .map(|(_, knob)| knob.key)
        .collect()
}

/// What streaming has come to.
fn streaming(stream: &Stream) -> Value {
    let statistics = stream.statistics();
    json!({
        "seconds": stream.now(),
        "seconds_since_restart": stream.clock().since_restart(stream.now()),
        "memory_cap": stream.settings().memory_cap,
        "peak_held_bytes": statistics.peak_held_bytes,
        "needed": statistics.needed,
        "late": statistics.late_loads,
        "evicted": statistics.evicted,
    })
}

/// Where time stopped by itself.
fn stopped(at: &Stopped) -> Value {
    json!({
        "tick": at.tick,
        "region": at.region,
        "area": at.area.map(|area| match area {
            Place::Plane(area) => json!([area.min.x, area.min.y, area.max.x, area.max.y]),
            Place::Space(area) => json!([area.min.to_array(), area.max.to_array()]),
        }),
        "words": at.words,
    })
}

/// The tree beside the battle.
fn tree(diagram: &Stepping) -> Value {
    let told = diagram.told.as_ref();
    json!({
        "tick": told.map(|told| told.moment.tick),
        "nodes": told.map(|told| told.diagram(false).nodes.len()),
        "picked": diagram.picked,
        "pointed": diagram.pointed.map(|it| format!("{it:?}")),
        "is_present": diagram.is_present,
    })
}

/// The operation that is looked into, and how far one has stepped.
fn stepping(app: &App) -> Value {
    let Some(stepping) = &app.stepping else {
        return Value::Null;
    };
    let now = stepping.now();
    json!({
        "operation": stepping.asked.to_string(),
        "told": stepping.told.as_ref().map(|told| told.asked.to_string()),
        "is_present": stepping.is_present,
        "at": stepping.at(),
        "focus": stepping.focus_words(app.stream.as_ref()),
        "steps": stepping.len(),
        "kind": now.map(|step| step.kind()),
        "region": now.and_then(|step| step.region),
        "reason": now.map(|step| step.reason.as_str()),
        "refusal": stepping.refusal(),
    })
}

/// Writes what the window holds: units, structure, knobs, residents, counters, camera, and where each widget is.
pub fn write(
    path: &Path,
    app: &App,
    (places, audit): (&BTreeMap<String, Rect>, Option<&Audit>),
    scale: f32,
) -> Result<(), String> {
    let info = app.lane().structure.info();
    let knobs: Map<String, Value> = info
        .knobs
        .iter()
        .enumerate()
        .map(|(index, knob)| {
            (
                knob.key.to_owned(),
                app.lane().structure.in_effect(index).into(),
            )
        })
        .collect();
    let widgets: Map<String, Value> = places
        .iter()
        .map(|(name, rect)| {
            let numbers =
                [rect.min.x, rect.min.y, rect.width(), rect.height()].map(|value| value * scale);
            (name.clone(), json!(numbers))
        })
        .collect();
    let stream = app.stream.as_ref();
    let series = |series: &super::history::Series| json!({ "p50": series.percentile(0.5, 600), "p99": series.percentile(0.99, 600), "max": series.percentile(1.0, 600) });
    let mut report = json!({
        "scene": app.path.as_ref().map(|path| built_in::shown(path)),
        "name": app.scene.name,
        "dirty": app.dirty,
        "tick": app.flight.as_ref().map_or(app.battle.tick(), |it| it.tick()),
        "session_tick": app.place.tick,
        "end": app.place.end,
        "undo": app.undo_names[0],
        "redo": app.undo_names[1],
        "threads": app.threads,
        "mode": app.mode.name(),
        "view": format!("{:?}", app.view).to_lowercase(),
        "units": app.scene.unit_count(),
        "alive": app.alive(),
        "hash": format!("{:016x}", app.hash()),
        "structure": info.key,
        "knobs": knobs,
        "auto": auto(&app.lane().structure),
        "counters": {
            "all_pairs": app.alive() * app.alive().saturating_sub(1) / 2,
            "tests": app.lane().cost.query.tests,
            "pairs": app.lane().cost.pairs,
            "visits": app.lane().cost.query.visits,
            "splits": app.lane().cost.update.splits,
            "merges": app.lane().cost.update.merges,
        },
        "bytes": app.lane().structure.byte_count(),
        "lanes": app.lanes.iter().map(lane).collect::<Vec<_>>(),
        "pins": app.pins.iter().map(|(it, _)| pin(app, it)).collect::<Vec<_>>(),
        "marks": app.place.marks.iter().map(mark).collect::<Vec<_>>(),
        "heaviest": app.place.heaviest.map(|(tick, tests)| json!({ "tick": tick, "tests": tests })),
        "past": past(app),
        "stepping": stepping(app),
        "tree": app.diagram.as_ref().map(tree),
        "stopped": app.stop_in_sight().map(stopped),
        "survey": app.survey.iter().map(|row| row.choice.kind.info().key).collect::<Vec<_>>(),
        "camera": { "x": app.camera.center.x, "y": app.camera.center.y, "height": app.camera.screen.height() / app.camera.zoom },
        "selection": app.selection.one(),
        "caption": app.shows_caption(),
        "brush": { "radius": app.brush.radius, "count": app.brush.count, "tool": app.brush.tool.name().to_lowercase() },
        "notice": app.notice.as_ref().map(|notice| &notice.text),
        "character": stream.map(|stream| json!({ "x": stream.character().x, "y": stream.character().y })),
        "residents": stream.map(|stream| stream.resident_ids()),
        "states": stream.map(|stream| stream.counts()),
        "streaming": stream.map(streaming),
        "frame_ms": series(&app.frames.frame_ms),
        "work_ms": series(&app.frames.work_ms),
        "steps_per_second": app.steps_per_second,
        "widgets": widgets,
    });
    let layers = Layer::BATTLE.into_iter().chain(Layer::STREAMING);
    let shown = layers.filter(|layer| app.layers.shows(*layer));
    report["battle_hash"] = format!("{:016x}", app.battle_hash()).into();
    report["frames_untouched"] = app.frames.untouched.into();
    report["selected"] = app.selection.len().into();
    if let Some(stream) = stream {
        report["selected_objects"] = stream.selection.len().into();
        report["objects"] = stream.objects().len().into();
    }
    report["space"] = space(app);
    report["layout"] = json!(app.settings.layout);
    report["drawers"] = json!(app.drawers);
    report["held"] = app.is_held().into();
    report["unreadable"] = json!(audit.map(|audit| audit.found().collect::<Vec<_>>()));
    let settings = &app.settings;
    report["settings"] = json!({
        "theme": format!("{:?}", settings.theme).to_lowercase(),
        "light": app.light,
        "colors": format!("{:?}", settings.colors).to_lowercase(),
        "mark_sides": settings.mark_sides,
        "scale": settings.scale,
        "recent": settings.recent,
        "hints_seen": settings.hints_seen.len(),
    });
    report["on_disk"] = app
        .files
        .on_disk
        .map(|became| format!("{became:?}").to_lowercase())
        .into();
    report["gallery"] = app.pages.gallery.is_some().into();
    report["layers"] = shown.map(Layer::name).collect();
    let text = format!("{report:#}\n");
    png::put(path, text.as_bytes()).map_err(|error| {
        format!(
            "{}: the report could not be written: {error}",
            path.display()
        )
    })
}

/// How space is looked at, and what is under the pointer there.
fn space(app: &App) -> Value {
    let (Some(flight), Some(eye)) = (&app.flight, &app.space.eye) else {
        return Value::Null;
    };
    let frame = &app.lane().frame3;
    let sides = [Side::Blue, Side::Orange];
    json!({
        "pivot": eye.pivot.to_array(),
        "distance": eye.distance,
        "azimuth": eye.azimuth,
        "elevation": eye.elevation,
        "framed": app.space.framed,
        "slice": app.space.slice.map(|slice| json!({ "axis": slice.axis, "at": slice.at })),
        "depths": app.space.depths,
        "boxes": frame.regions.len(),
        "point": frame.point.map(|point| point.to_array()),
        "region": frame.path.last().map(|region| region.id),
        "alive": sides.map(|side| flight.count(side)),
        "motions": sides.map(|side| flight.motion(side).name()),
    })
}

/// A pinned moment, and by how many per cent the present differs from it.
fn pin(app: &App, pin: &Pin) -> Value {
    let rows = pins::rows(app, pin);
    let of = |value: fn(&pins::Row) -> Option<f64>| -> Map<String, Value> {
        let rows = rows.iter();
        rows.map(|row| (row.name.to_owned(), json!(value(row))))
            .collect()
    };
    json!({
        "tick": pin.tick,
        "structure": pin.choice.kind.info().key,
        "now": of(|row| row.now),
        "pinned": of(|row| row.pinned),
        "differences": of(pins::Row::difference),
    })
}

/// A mark of the timeline.
fn mark(mark: &Mark) -> Value {
    let (kind, words) = match &mark.kind {
        MarkKind::Switch { lane, from, to } => {
            let (from, to) = (from.info().key, to.info().key);
            ("switch", format!("lane {lane}: {from} to {to}"))
        }
        MarkKind::Edit(what) => ("edit", what.to_string()),
        MarkKind::Late => ("late", mark.count.to_string()),
        MarkKind::Stop(words) => ("stop", words.to_string()),
    };
    json!({ "tick": mark.tick, "kind": kind, "words": words })
}

/// The plotted figures of the first lane: how many ticks they are of, of how many of them nothing is known, and of which
/// structures they are.
fn past(app: &App) -> Value {
    let Some(lane) = app.past.lanes.first() else {
        return Value::Null;
    };
    let gaps = |series: &super::history::Series| {
        let values = series.values().iter();
        values.filter(|value| value.is_nan()).count()
    };
    let structures: Vec<_> = lane
        .stretches
        .iter()
        .map(|stretch| stretch.kind.info().key)
        .collect();
    json!({
        "tick": app.past.tick,
        "ticks": lane.tests.values().len(),
        "gaps": { "tests": gaps(&lane.tests), "visits": gaps(&lane.visits), "times": gaps(&lane.step_us) },
        "structures": structures,
    })
}
