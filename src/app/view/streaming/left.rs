//! The streaming's left panel: the index, the rectangles, disk and budgets, the character.

use super::paths;
use crate::app::commands::{self, Command};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::theme::{size, text};
use crate::app::widgets::{
    FADE, ListRow, Slider, Track, button, button_in, button_width, bytes, elided, halves, list_row,
    place, section, segments, side_by_side, slider, value_in_words,
};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, RichText, Sense, Ui, pos2, vec2};
use skirmish::geometry::Vec2;
use skirmish::story::bytes_enough;
use skirmish::streaming::{Index, Mover, Remedy, Settings, TourPicture};

/// Lengths up to so many metres.
const fn metres(max: f64) -> Track {
    Track {
        min: 0.0,
        max,
        logarithmic: false,
        whole: false,
    }
}

/// What the lead, the margin, the memory cap in megabytes and the throughput may be set to.
const LEAD: Track = metres(400.0);
const MARGIN: Track = metres(Settings::WIDEST_MARGIN as f64);
const CAP: Track = Track {
    min: 0.01,
    max: 100_000.0,
    logarithmic: true,
    whole: false,
};
const THROUGHPUT: Track = Track {
    min: 0.01,
    max: 500.0,
    logarithmic: true,
    whole: false,
};

/// These settings with what is said to be enough; `None` where they have as much, and where its knob does not reach so far.
pub fn with_enough(remedy: Remedy, settings: &Settings) -> Option<Settings> {
    let knob = match remedy {
        Remedy::Cap(_) => CAP,
        Remedy::Lead(_) => LEAD,
        Remedy::Margin(_) => MARGIN,
        Remedy::Disk(_) => THROUGHPUT,
    };
    let is_settable = (knob.min..=knob.max).contains(&remedy.value());
    is_settable.then(|| remedy.applied_to(settings)).flatten()
}

/// The left panel below the scene: rectangles, disk and budgets, the character.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some(stream) = &mut app.stream else {
        return;
    };
    let before = *stream.settings();
    let mut settings = before;

    index(ui, palette, &mut settings);
    rectangles(ui, palette, stream.velocity(), &mut settings);
    let disk_is = match reached_by_requests(stream) {
        Some(_) => "requests bind",
        None => "simulated disk",
    };
    if section(ui, palette, "disk and budgets", disk_is) {
        disk(ui, palette, stream, &mut settings);
    }
    memory(ui, palette, stream, &mut settings);
    if settings != before {
        stream.set_settings(&settings);
    }
    all_back(ui, app, palette);
    if let Some(stream) = &mut app.stream {
        character(ui, palette, stream);
    }
}

/// The button that sets all of the above as it was when the scene was opened.
fn all_back(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let command = Command::StreamDefaults;
    let Some(row) = commands::row(command) else {
        return;
    };
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let what = "All settings back";
    let cell = line.with_max_x(line.left() + button_width(ui, what));
    let may = app.may(command);
    let help = may.err().unwrap_or(&row.help);
    if button_in(ui, palette, "stream.back", cell, (what, help), may.is_ok()) {
        app.run(command);
    }
}

/// By which structure is decided.
fn index(ui: &mut Ui, palette: &Palette, settings: &mut Settings) {
    if !section(ui, palette, "index", "all decide the same") {
        return;
    }
    for index in Index::ALL {
        let id = format!("index.{}", index.key());
        let row = ListRow {
            id: &id,
            key: "",
            name: index.name(),
            line: index_line(index),
            low: true,
        };
        if list_row(ui, palette, row, settings.index == index, |ui| {
            ui.label(index_about(index));
        }) {
            settings.index = index;
        }
    }
}

/// How far the rectangles reach.
fn rectangles(ui: &mut Ui, palette: &Palette, velocity: Vec2, settings: &mut Settings) {
    let cut = settings.cut_ahead(velocity);
    // It comes and goes with the speed of the character: it stands where nothing has to move for it.
    let note = cut.map_or_else(
        || "metres".to_owned(),
        |cut| format!("metres, {:.0} m ahead", cut.looked),
    );
    if !section(ui, palette, "rectangles", &note) {
        return;
    }
    let need_help = "How far the need rectangle of an object reaches beyond it: so many times half of its longer side, but no less than need min and no more than need max.";
    let lead_help = "How far the load rectangle reaches beyond the need rectangle. With at least the top speed times the time that a load takes \
                     nothing comes late while the disk keeps up; where it is busy all the time, only a quicker disk or smaller files help.";
    let margin_help = "How far the unload rectangle reaches beyond the load rectangle. Between the two an object that is there stays there, as long as the memory cap has room for it, so pacing to and fro costs nothing.";
    let ahead_help = "For how many seconds the way ahead of the character is looked at: an object is asked for where that meets its load rectangle. It is never looked at further than half the margin, along either axis.";
    let ahead_help = match cut {
        Some(cut) => format!("{ahead_help} {}", cut.words(settings)),
        None => ahead_help.to_owned(),
    };
    let what = |id, name, help, unit, track| Slider {
        id,
        name,
        help,
        unit,
        track,
    };
    let need = what(
        "need_factor",
        "need grows by",
        need_help,
        "× half size",
        metres(20.0),
    );
    turn(ui, palette, &need, &mut settings.need_factor);
    need_limits(ui, palette, settings);
    let lead = what("lead", "lead", lead_help, "m", LEAD);
    let margin = what("margin", "margin", margin_help, "m", MARGIN);
    side_by_side(ui, |ui, is_left| {
        if is_left {
            turn(ui, palette, &lead, &mut settings.lead);
        } else {
            turn(ui, palette, &margin, &mut settings.margin);
        }
    });
    let ahead = what("predict", "predict ahead", &ahead_help, "s", metres(5.0));
    turn(ui, palette, &ahead, &mut settings.predict_seconds);
}

/// The least and the most that need reaches beyond an object, whatever its size: side by side, for they are the ends of one range.
fn need_limits(ui: &mut Ui, palette: &Palette, settings: &mut Settings) {
    let what = |id, name, help| Slider {
        id,
        name,
        help,
        unit: "m",
        track: metres(1_000.0),
    };
    let least = "Need reaches at least so far beyond an object, however small it is: need_min of a scene. Never more than need max.";
    let most = "Need reaches at most so far beyond an object, however large it is: need_max of a scene. Never less than need min.";
    let least = what("need_min", "need min", least);
    let most = what("need_max", "need max", most);
    let before = *settings;
    halves(ui, |ui, is_left| {
        if is_left {
            turn(ui, palette, &least, &mut settings.need_min);
        } else {
            turn(ui, palette, &most, &mut settings.need_max);
        }
    });
    // Neither pushes the other.
    settings.need_min = settings.need_min.min(before.need_max);
    settings.need_max = settings.need_max.max(before.need_min);
}

/// A slider of a number.
fn turn(ui: &mut Ui, palette: &Palette, what: &Slider<'_>, value: &mut f32) {
    if let Some(new) = slider(ui, palette, what, f64::from(*value)) {
        *value = new as f32;
    }
}

/// A slider of a whole number.
fn turn_whole(ui: &mut Ui, palette: &Palette, what: &Slider<'_>, value: &mut u32) {
    if let Some(new) = slider(ui, palette, what, f64::from(*value)) {
        *value = new as u32;
    }
}

/// Where the character goes, and how fast; and the camera with it.
fn character(ui: &mut Ui, palette: &Palette, stream: &mut Stream) {
    let speed = format!("{:.1} m/s", stream.velocity().length());
    if !section(ui, palette, "character", &speed) {
        return;
    }
    paths::list(ui, stream, palette);
    match stream.drawing.clone() {
        Some(drawing) => draws(ui, palette, stream, &drawing.name),
        None => record(ui, palette, stream),
    }
    let track = Track {
        min: 0.5,
        max: 300.0,
        logarithmic: true,
        whole: false,
    };
    let help = "How fast the character goes along a path.";
    let what = Slider {
        id: "speed",
        name: "speed on a path",
        help,
        unit: "m/s",
        track,
    };
    let speed = f64::from(stream.speed());
    let top = ui.cursor().min;
    let speed = match stream.has_own_time() {
        true => ui.add_enabled_ui(false, |ui| slider(ui, palette, &what, speed)),
        false => ui.scope(|ui| slider(ui, palette, &what, speed)),
    };
    if let Some(speed) = speed.inner {
        stream.set_speed(speed as f32);
    }
    if stream.has_own_time() {
        let rect = Rect::from_min_max(top, speed.response.rect.max);
        place(ui.ctx(), "speed.dimmed", rect);
        ui.interact(rect, ui.id().with("speed, dimmed"), Sense::hover())
            .on_hover_text("A path that was recorded, or that is jumped along, has its own time: this speed is that of the paths that are walked.");
    }

    let words = [
        ("Camera free", "The view stays where it is."),
        (
            "Camera follows",
            "The character stays in the middle of the view.",
        ),
    ];
    let chosen = usize::from(stream.camera_follows);
    if let Some(follows) = segments(ui, palette, "camera", &words, Some(chosen), palette.accent) {
        stream.camera_follows = follows == 1;
    }
}

/// Between the paths and the buttons that make another one, in points.
const APART: f32 = 5.0;

/// What is said while a path is drawn, and the button that ends it.
fn draws(ui: &mut Ui, palette: &Palette, stream: &mut Stream, name: &str) {
    ui.add_space(APART);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let what = ("Done", "End drawing; the scene has the path as it is.");
    let cell = row.with_max_x(row.left() + button_width(ui, what.0));
    let ends = button_in(ui, palette, "draw", cell, what, true);
    let at = pos2(cell.right() + 14.0, row.center().y);
    let mark = Rect::from_center_size(at, vec2(6.0, 6.0));
    ui.painter()
        .rect_filled(mark, CornerRadius::same(2), palette.accent);
    let room = row.right() - at.x - 12.0;
    let words = elided(
        ui,
        &format!("drawing {name}"),
        text(size::DESCRIPTION),
        palette.text_second,
        room,
    );
    let left = pos2(at.x + 9.0, at.y - words.size().y / 2.0);
    ui.painter().galley(left, words, palette.text_second);
    let is_empty = stream.drawn_points().is_empty();
    let words = match is_empty {
        true => "Click on the field where the path shall begin.",
        false => {
            "Click: a point at its end, or on its line. Drag: moves a point. Ctrl+click or Delete takes one out. Esc ends it."
        }
    };
    let words = RichText::new(words).size(size::DESCRIPTION);
    let response = ui.label(words.color(palette.text_third));
    place(ui.ctx(), "draw.hint", response.rect);
    show_at_first(ui, (name, is_empty), row.union(response.rect));
    if ends {
        stream.drawing = None;
    }
    ui.add_space(2.0);
}

/// Whoever begins to draw by a key, or in a low window, sees how it ends, and what clicks do: once for the path that is drawn, and once
/// more when there is more to say of it.
fn show_at_first(ui: &Ui, said: (&str, bool), rect: Rect) {
    let id = ui.id().with("drawn before");
    let pass = ui.ctx().cumulative_pass_nr();
    let (name, is_empty) = said;
    let before: Option<(String, bool, u64)> = ui.data_mut(|data| data.get_temp(id));
    ui.data_mut(|data| data.insert_temp(id, (name.to_owned(), is_empty, pass)));
    let is_known = before.is_some_and(|(other, was_empty, at)| {
        (other.as_str(), was_empty) == said && at + 2 >= pass
    });
    if !is_known {
        // What is at the edges of the panel is faded.
        ui.scroll_to_rect(rect.expand2(vec2(0.0, FADE)), None);
    }
}

/// The buttons that make another path: apart from the rows above them, which are paths.
fn record(ui: &mut Ui, palette: &Palette, stream: &mut Stream) {
    let is_recording = stream.is_recording();
    let what = if is_recording {
        (
            "Stop recording",
            "End the recording; the scene gets it as a path that replays exactly.",
        )
    } else {
        (
            "Record a path",
            "Record where the character goes from now on, tick by tick, also what it does by itself.",
        )
    };
    ui.add_space(APART);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let width = button_width(ui, what.0);
    let cell = row.with_max_x(row.left() + width);
    let pressed = button_in(ui, palette, "record", cell, what, true);
    if !is_recording {
        let what = (
            "Draw a path",
            "Draw another path on the field, point by point.",
        );
        let left = cell.right() + 6.0;
        let cell = Rect::from_min_size(
            pos2(left, row.top()),
            vec2(button_width(ui, what.0), row.height()),
        );
        if button_in(ui, palette, "draw", cell, what, true) {
            stream.draw_path(None);
        }
    }
    if is_recording {
        let at = pos2(cell.right() + 14.0, row.center().y);
        ui.painter().circle_filled(at, 3.0, palette.error);
        ui.painter().text(
            at + vec2(9.0, 0.0),
            Align2::LEFT_CENTER,
            "recording",
            text(size::DESCRIPTION),
            palette.text_second,
        );
    }
    if is_recording {
        let words = match stream.mover() {
            Mover::Path(_) => {
                "This ride is recorded until you drag the character, or walk it with the arrows. Click again to stop."
            }
            _ => "Drag the character, or walk it with the arrows. Click again to stop.",
        };
        let words = RichText::new(words).size(size::DESCRIPTION);
        let response = ui.label(words.color(palette.text_third));
        place(ui.ctx(), "record.hint", response.rect);
    }
    match (pressed, is_recording) {
        (true, true) => stream.stop_recording(),
        (true, false) => stream.record(),
        (false, _) => {}
    }
    ui.add_space(2.0);
}

/// A few words on what an index of streaming is.
fn index_line(index: Index) -> &'static str {
    match index {
        Index::TwoTrees => "A and B",
        Index::Dual => "one tree, two boxes a node",
        Index::WholeUnloadTree => "B hardly prunes",
        Index::BruteForce => "every rectangle, every tick",
    }
}

/// What an index of streaming is, in a sentence.
fn index_about(index: Index) -> &'static str {
    match index {
        Index::TwoTrees => {
            "A, unions of the load rectangles of the absent, and B, intersections of the unload rectangles of the rest."
        }
        Index::Dual => {
            "One tree over all objects, asked twice: each node has a box for what to load, a union, and one for what to unload, an intersection."
        }
        Index::WholeUnloadTree => {
            "A, and B over all objects: of those nearly every intersection is empty, and B hardly prunes."
        }
        Index::BruteForce => "Every rectangle is tested, every tick.",
    }
}

/// What the world takes, and the most that it may take.
fn memory(ui: &mut Ui, palette: &Palette, streaming: &TourPicture, settings: &mut Settings) {
    // In the unit of the cap, so that both can be compared.
    let megabytes = |bytes: u64| bytes as f64 / 1.0e6;
    let held = value_in_words(megabytes(streaming.held_bytes()), CAP);
    let held = format!("{held} MB held");
    if !section(ui, palette, "memory cap", &held) {
        return;
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let bar = rect.with_max_y(rect.top() + 6.0);
    let part = streaming.held_bytes() as f32 / settings.memory_cap.max(1) as f32;
    // What a tick found says nothing of a cap that was set since.
    let binds = streaming.bound().memory && streaming.is_as_decided();
    let color = if binds {
        palette.warning
    } else {
        palette.accent
    };
    ui.painter()
        .rect_filled(bar, CornerRadius::same(2), palette.hover);
    let filled = bar.with_max_x(bar.left() + bar.width() * part.clamp(0.0, 1.0));
    ui.painter()
        .rect_filled(filled, CornerRadius::same(2), color);
    let what = Slider {
        id: "memory_cap",
        name: "cap",
        help: "The most memory that the objects which are there or on their way may take together. A decoded picture counts, four bytes a pixel \
               and once however many objects show it, and not the bytes of its file; or the size that the world says of an object. \
               Where more is needed, objects outside their load rectangles go first, the least recently used before others; then those that are \
               furthest from being needed.",
        unit: "MB",
        track: CAP,
    };
    if let Some(cap) = slider(ui, palette, &what, megabytes(settings.memory_cap)) {
        settings.memory_cap = (cap * 1.0e6).round() as u64;
    }
    if binds {
        let mut words = "The memory cap binds: what is needed least stays away.".to_owned();
        let enough = streaming.enough_bytes();
        if let Some(enough) = enough {
            let enough = bytes_enough(enough);
            words = format!(
                "{words} A cap of {enough} would be enough for all that is asked for by now."
            );
        }
        ui.label(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.warning),
        );
        let new = enough.and_then(|it| with_enough(Remedy::cap(it), settings));
        if let (Some(enough), Some(new)) = (enough, new) {
            // Where somebody is asked after who waits, another button is called otherwise and does the same.
            let word = format!("Raise it to {}", bytes_enough(enough));
            let help = "Set the cap to that: one edit, which undo takes back.";
            if button(ui, palette, "memory_cap.enough", &word, help) {
                *settings = new;
            }
        }
    }
}

/// What the disk reads no more than because so few requests at such a latency let it wait, in a sentence, where that is so just now.
fn reached_by_requests(streaming: &TourPicture) -> Option<String> {
    let settings = streaming.settings();
    let waits = streaming.bound().requests && streaming.is_as_decided();
    if !waits {
        return None;
    }
    let file = streaming.mean_bytes_in_flight()?;
    let reached = settings.reached_by_requests(file);
    /// Where more of them would gain less than a quarter, the disk is as good as busy.
    const CLEARLY: f64 = 0.8;
    let is_less = reached < CLEARLY * f64::from(settings.mbps);
    is_less.then(|| {
        let (file, unit) = bytes(file as u64);
        format!(
            "Requests and latency bind: {} at a time, each of about {file} {unit}, read about {reached:.2} MB/s.",
            settings.requests_in_flight
        )
    })
}

fn disk(ui: &mut Ui, palette: &Palette, streaming: &TourPicture, settings: &mut Settings) {
    let help = "How many megabytes a second the disk reads. Real files are read by real threads; this slows them down.";
    // Where it binds this is said where nothing has to move for it: it comes and goes from tick to tick.
    let help = match reached_by_requests(streaming) {
        Some(words) => format!("{help} {words}"),
        None => help.to_owned(),
    };
    let throughput = Slider {
        id: "mbps",
        name: "throughput",
        help: &help,
        unit: "MB/s",
        track: THROUGHPUT,
    };
    turn(ui, palette, &throughput, &mut settings.mbps);
    let latency = Slider {
        id: "latency",
        name: "latency",
        help: "How long each request waits before its file is read.",
        unit: "ms",
        track: Track {
            min: 0.0,
            max: 500.0,
            logarithmic: false,
            whole: false,
        },
    };
    let whole = |id, name, help| Slider {
        id,
        name,
        help,
        unit: "",
        track: Track {
            min: 1.0,
            max: 64.0,
            logarithmic: true,
            whole: true,
        },
    };
    let help = "How many files may be on their way at once: the requests in flight. The disk reads them one after the other, in the order in \
                which they were asked for. With many of them each comes later, also one that is needed sooner than those before it; with \
                too few the disk has nothing to read while they wait for their latency.";
    let requests = whole("requests", "requests", help);
    side_by_side(ui, |ui, is_left| {
        if is_left {
            turn(ui, palette, &latency, &mut settings.latency_ms);
        } else {
            turn_whole(ui, palette, &requests, &mut settings.requests_in_flight);
        }
    });
    let help = "How many pictures may be uploaded in a tick.";
    let uploads = whole("uploads", "uploads a tick", help);
    let help = "How many pictures may be released in a tick.";
    let releases = whole("unloads", "releases a tick", help);
    side_by_side(ui, |ui, is_left| {
        if is_left {
            turn_whole(ui, palette, &uploads, &mut settings.uploads_per_update);
        } else {
            turn_whole(ui, palette, &releases, &mut settings.unloads_per_update);
        }
    });
}
