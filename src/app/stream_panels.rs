//! The panels of the streaming view.

use super::history::Series;
use super::palette::{Palette, faded};
use super::state::App;
use super::stream::{Mover, WindowLoader};
use super::theme::{number, size, text};
use super::widgets::{
    Curve, ListRow, Scale, Slider, Track, bar, big_number, button, bytes, card, first_section,
    list_row, place, plot, section, segments, slider, stat, stat_with_history, with_commas,
};
use egui_macroquad::egui::{
    Align2, CornerRadius, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};
use skirmish::streaming::{Index, Settings, State, Streaming};

/// The left panel below the scene: rectangles, disk and budgets, the character.
pub fn left(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some(stream) = &mut app.stream else {
        return;
    };
    let before = *stream.streaming().settings();
    let mut settings = before;

    section(ui, palette, "index", "all decide the same");
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
            ui.label(index_line(index));
        }) {
            settings.index = index;
        }
    }

    section(ui, palette, "rectangles", "metres");
    let metres = |max| Track {
        min: 0.0,
        max,
        logarithmic: false,
        whole: false,
    };
    let need_help = "An object is needed within this many times its half extent of its edge.";
    let lead_help = "How far load reaches beyond need. At least top speed times the time that a load takes: this is what \
                     removes pop-in.";
    let margin_help = "How far unload reaches beyond load. Within it nothing changes, so pacing to and fro costs nothing.";
    let ahead_help =
        "How far ahead the way of the character is looked at; never further than the margin.";
    for (id, name, help, value, unit, track) in [
        (
            "need_factor",
            "need grows by",
            need_help,
            &mut settings.need_factor,
            "× size",
            metres(20.0),
        ),
        (
            "lead",
            "lead",
            lead_help,
            &mut settings.lead,
            "m",
            metres(400.0),
        ),
        (
            "margin",
            "margin",
            margin_help,
            &mut settings.margin,
            "m",
            metres(200.0),
        ),
        (
            "predict",
            "predict ahead",
            ahead_help,
            &mut settings.predict_seconds,
            "s",
            metres(5.0),
        ),
    ] {
        if let Some(new) = slider(
            ui,
            palette,
            &Slider {
                id,
                name,
                help,
                unit,
                track,
            },
            f64::from(*value),
        ) {
            *value = new as f32;
        }
    }

    section(ui, palette, "disk and budgets", "simulated disk");
    disk(ui, palette, &mut settings);
    memory(ui, palette, stream.streaming(), &mut settings);
    if settings != before {
        stream.streaming_mut().set_settings(settings);
    }

    section(
        ui,
        palette,
        "character",
        &format!("{:.1} m/s", stream.velocity().length()),
    );
    let mut words = vec![(
        "Stand",
        "The character stays where it is; drag it with the mouse.",
    )];
    words.extend(stream.paths().iter().map(|path| {
        (
            path.name.as_str(),
            "The character goes along this path, round and round.",
        )
    }));
    let chosen = match stream.mover {
        Mover::Nobody => Some(0),
        Mover::Path(path) => Some(path + 1),
        Mover::Mouse | Mover::Keys(_) => None,
    };
    let picked = segments(ui, palette, "mover", &words, chosen, palette.accent);
    if let Some(picked) = picked {
        stream.follow(if picked == 0 {
            Mover::Nobody
        } else {
            Mover::Path(picked - 1)
        });
    }
    let track = Track {
        min: 0.5,
        max: 300.0,
        logarithmic: true,
        whole: false,
    };
    let help = "How fast the character goes along a path.";
    if let Some(speed) = slider(
        ui,
        palette,
        &Slider {
            id: "speed",
            name: "speed on a path",
            help,
            unit: "m/s",
            track,
        },
        f64::from(stream.speed),
    ) {
        stream.speed = speed as f32;
    }

    let words = [
        ("Camera free", "The view stays where it is."),
        (
            "Camera follows",
            "The character stays in the middle of the view.",
        ),
    ];
    ui.add_space(4.0);
    let chosen = usize::from(stream.camera_follows);
    if let Some(follows) = segments(ui, palette, "camera", &words, Some(chosen), palette.accent) {
        stream.camera_follows = follows == 1;
    }
    let (word, help) = if stream.is_recording() {
        (
            "Stop recording",
            "End the recording; the scene gets it as a path that replays exactly.",
        )
    } else {
        (
            "Record a path",
            "Record where the character goes from now on, tick by tick.",
        )
    };
    ui.add_space(4.0);
    let mut recorded = None;
    if button(ui, palette, "record", word, help) {
        if stream.is_recording() {
            recorded = stream.stop_recording();
        } else {
            stream.record();
        }
    }
    if let Some(path) = recorded {
        app.keep_path(path);
    }

    let mut world_changed = false;
    if let Some(world) = &mut app.scene.world
        && settings != before
    {
        world.need_factor = settings.need_factor;
        world.lead = settings.lead.max(f32::MIN_POSITIVE);
        world.margin = settings.margin.max(f32::MIN_POSITIVE);
        world_changed = true;
    }
    app.dirty |= world_changed;
}

/// A few words on what an index of streaming is.
fn index_line(index: Index) -> &'static str {
    match index {
        Index::TwoTrees => "unions of the absent, intersections of the rest",
        Index::Dual => "one tree, each box follows its state",
        Index::WholeUnloadTree => "nearly every intersection is empty",
        Index::BruteForce => "every rectangle, every tick",
    }
}

/// What the world takes, and the most that it may take.
fn memory(
    ui: &mut Ui,
    palette: &Palette,
    streaming: &Streaming<WindowLoader>,
    settings: &mut Settings,
) {
    let (held, unit) = bytes(streaming.held_bytes());
    section(ui, palette, "memory", &format!("{held} {unit} held"));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let track = rect.with_max_y(rect.top() + 6.0);
    let part = streaming.held_bytes() as f32 / settings.memory_cap.max(1) as f32;
    let color = if streaming.bound().memory {
        palette.warning
    } else {
        palette.accent
    };
    ui.painter()
        .rect_filled(track, CornerRadius::same(2), palette.hover);
    let filled = track.with_max_x(track.left() + track.width() * part.clamp(0.0, 1.0));
    ui.painter()
        .rect_filled(filled, CornerRadius::same(2), color);
    let megabytes = settings.memory_cap as f64 / 1.0e6;
    let track = Track {
        min: 0.01,
        max: 100_000.0,
        logarithmic: true,
        whole: false,
    };
    let what = Slider {
        id: "memory_cap",
        name: "cap",
        help: "The most that all that is there or on its way may take. Beyond it goes first what was used least recently \
               outside its load rectangle.",
        unit: "MB",
        track,
    };
    if let Some(cap) = slider(ui, palette, &what, megabytes) {
        settings.memory_cap = (cap * 1.0e6) as u64;
    }
    if streaming.bound().memory {
        let words = "The cap binds: what is needed least stays away.";
        ui.label(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.warning),
        );
    }
}

fn disk(ui: &mut Ui, palette: &Palette, settings: &mut Settings) {
    let track = Track {
        min: 0.01,
        max: 500.0,
        logarithmic: true,
        whole: false,
    };
    let help = "How many megabytes a second the disk reads. Real files are read by real threads; this slows them down.";
    if let Some(new) = slider(
        ui,
        palette,
        &Slider {
            id: "mbps",
            name: "throughput",
            help,
            unit: "MB/s",
            track,
        },
        f64::from(settings.mbps),
    ) {
        settings.mbps = new as f32;
    }
    let track = Track {
        min: 0.0,
        max: 500.0,
        logarithmic: false,
        whole: false,
    };
    let help = "How long each request waits before its file is read.";
    if let Some(new) = slider(
        ui,
        palette,
        &Slider {
            id: "latency",
            name: "latency",
            help,
            unit: "ms",
            track,
        },
        f64::from(settings.latency_ms),
    ) {
        settings.latency_ms = new as f32;
    }
    let whole = |max| Track {
        min: 1.0,
        max,
        logarithmic: true,
        whole: true,
    };
    for (id, name, help, value, max) in [
        (
            "requests",
            "requests in flight",
            "How many files may be asked for at once.",
            &mut settings.requests_in_flight,
            64.0,
        ),
        (
            "uploads",
            "uploads a tick",
            "How many pictures may be uploaded in a tick.",
            &mut settings.uploads_per_update,
            64.0,
        ),
        (
            "unloads",
            "releases a tick",
            "How many pictures may be released in a tick.",
            &mut settings.unloads_per_update,
            64.0,
        ),
    ] {
        if let Some(new) = slider(
            ui,
            palette,
            &Slider {
                id,
                name,
                help,
                unit: "",
                track: whole(max),
            },
            f64::from(*value),
        ) {
            *value = new as u32;
        }
    }
}

/// The right panel: pop-ins, states, the queue, tests, and why.
pub fn right(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some(stream) = &mut app.stream else {
        return;
    };
    let statistics = stream.streaming().statistics();
    first_section(ui, palette, "pop-in", "since the start");
    let among = format!("among {} needed", with_commas(statistics.needed));
    big_number(
        ui,
        palette,
        &with_commas(statistics.late_loads),
        "late loads",
        &among,
    );
    let milliseconds = |value: Option<f32>| match value {
        Some(value) if value >= 1000.0 => (format!("{:.2}", value / 1000.0), "s"),
        Some(value) => (format!("{value:.0}"), "ms"),
        None => ("–".to_owned(), ""),
    };
    for (name, share) in [("time to visible p50", 0.5), ("time to visible p99", 0.99)] {
        let (value, unit) = milliseconds(statistics.time_to_visible_ms.percentile(share));
        stat(ui, palette, name, &value, unit);
    }
    let (loaded, loaded_unit) = bytes(statistics.loaded_bytes);
    let (wasted, wasted_unit) = bytes(statistics.wasted_bytes);
    let plain = |value: u64| (with_commas(value), "");
    let missing = u64::from(stream.streaming().missing_count());
    let none = Series::default();
    for (name, (value, unit), series, help) in [
        (
            "missing now",
            plain(missing),
            &stream.missing,
            "Needed where the character is, and still on their way.",
        ),
        (
            "needed at once",
            plain(statistics.sudden_loads),
            &none,
            "Needed in the moment they were asked for: at the start, or \
          after a teleport. No lead could have helped.",
        ),
        (
            "late so far",
            plain(statistics.late_loads),
            &stream.late,
            "Pop-ins over the last ten seconds.",
        ),
        (
            "cancelled",
            plain(statistics.cancelled),
            &stream.cancelled,
            "Given up on their way.",
        ),
        (
            "evicted",
            plain(statistics.evicted),
            &none,
            "Given up because the memory cap bound.",
        ),
        (
            "failed",
            plain(statistics.failed),
            &none,
            "Their files are missing or no pictures; they are tried again.",
        ),
        (
            "wasted",
            (wasted, wasted_unit),
            &stream.wasted,
            "Read for nothing: given up on the way, or released without ever \
          having been needed.",
        ),
        (
            "read",
            (loaded, loaded_unit),
            &none,
            "Read from disk since the start.",
        ),
    ] {
        stat_with_history(ui, palette, name, &value, unit, &series.thinned(60)).on_hover_text(help);
    }
    if !app.fixed {
        let frame = &app.history.frame_ms;
        let value = format!("{:.1}", frame.percentile(0.99, 600));
        stat_with_history(ui, palette, "frame p99", &value, "ms", &frame.thinned(60))
            .on_hover_text("The time from frame to frame that one in a hundred exceeds.");
    }
    let reset = button(
        ui,
        palette,
        "stream.reset",
        "Count anew",
        "Start the figures of this panel anew.",
    );

    section(ui, palette, "rectangle tests this tick", "log scale");
    let tests = stream.streaming().tests();
    let part = |value: u64| (value as f32).ln_1p() / (tests.brute_force.max(1) as f32).ln_1p();
    for (name, value, color) in [
        ("brute force", tests.brute_force, palette.text_third),
        ("tree A, load", tests.load, palette.accent),
        ("tree B, unload", tests.unload, palette.second),
    ] {
        bar(ui, palette, name, part(value), color, &with_commas(value));
    }
    let (trees, unit) = bytes(stream.streaming().tree_byte_count() as u64);
    stat(ui, palette, "memory of the trees", &trees, unit);
    let (resident, unit) = bytes(stream.streaming().resident_bytes());
    stat(ui, palette, "resident assets", &resident, unit);

    let objects = stream.streaming().objects().len();
    section(
        ui,
        palette,
        "states",
        &format!(
            "{} objects, the loaded in the bar",
            with_commas(objects as u64)
        ),
    );
    states(ui, palette, &stream.streaming().counts());

    section(
        ui,
        palette,
        "queue by time to need",
        &with_commas(stream.streaming().queue().len() as u64),
    );
    let queue: Vec<_> = stream
        .streaming()
        .queue()
        .iter()
        .take(6)
        .map(|entry| (entry.object, entry.time_to_need))
        .collect();
    for (object, time) in &queue {
        let time = if *time >= 1000.0 {
            "–".to_owned()
        } else {
            format!("{time:.1}")
        };
        if stat(ui, palette, &format!("object {object}"), &time, "s")
            .interact(Sense::click())
            .clicked()
        {
            stream.selection = Some(*object);
        }
    }
    let more = stream.streaming().queue().len().saturating_sub(queue.len());
    let words = match (queue.is_empty(), more) {
        (true, _) => "Nothing waits.".to_owned(),
        (false, 0) => String::new(),
        (false, more) => format!("and {} more", with_commas(more as u64)),
    };
    ui.label(
        RichText::new(words)
            .size(size::DESCRIPTION)
            .color(palette.text_third),
    );

    if reset {
        stream.streaming_mut().reset_statistics();
    }
}

/// The pinned part of the right panel: why the selected object is, or is not, loaded.
pub fn right_pinned(ui: &mut Ui, app: &App, palette: &Palette) {
    let Some(stream) = &app.stream else { return };
    section(ui, palette, "why is it (not) loaded?", "click an object");
    why(ui, stream, palette);
}

fn states(ui: &mut Ui, palette: &Palette, counts: &[u32; State::ALL.len()]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 12.0), Sense::hover());
    let track = rect.with_max_y(rect.top() + 7.0);
    ui.painter()
        .rect_filled(track, CornerRadius::same(1), palette.hover);
    // What is unloaded would leave nothing of the others to see.
    let shown: u32 = State::ALL
        .iter()
        .filter(|state| **state != State::Unloaded)
        .map(|state| counts[*state as usize])
        .sum();
    let mut left = track.left();
    for state in State::ALL
        .into_iter()
        .filter(|state| *state != State::Unloaded)
    {
        let width = track.width() * counts[state as usize] as f32 / shown.max(1) as f32;
        let part = Rect::from_min_max(pos2(left, track.top()), pos2(left + width, track.bottom()));
        ui.painter()
            .rect_filled(part, CornerRadius::ZERO, palette.states[state as usize]);
        left += width;
    }
    for state in State::ALL {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
        let mark =
            Rect::from_center_size(pos2(rect.left() + 6.0, rect.center().y), vec2(11.0, 11.0));
        state_icon(ui, palette, mark, state);
        let at = pos2(rect.left() + 20.0, rect.center().y);
        ui.painter().text(
            at,
            Align2::LEFT_CENTER,
            state.name(),
            text(size::LABEL),
            palette.text_second,
        );
        ui.painter().text(
            rect.right_center(),
            Align2::RIGHT_CENTER,
            with_commas(u64::from(counts[state as usize])),
            number(size::LABEL),
            palette.text,
        );
        place(ui.ctx(), &format!("state.{}", state.name()), rect);
    }
}

/// A state as it looks on the field, small.
fn state_icon(ui: &Ui, palette: &Palette, rect: Rect, state: State) {
    let color = palette.states[state as usize];
    let painter = ui.painter();
    let stroke = Stroke::new(1.2, color);
    match state {
        State::Unloaded => {}
        State::Queued => {
            super::render::overlay::dashed_rect(painter, rect, stroke, 3.0, 2.0);
            painter.rect_filled(rect, CornerRadius::ZERO, faded(color, 0.14));
            return;
        }
        State::Loading => {
            painter.rect_filled(
                rect.with_min_y(rect.center().y + 1.0),
                CornerRadius::ZERO,
                color,
            );
        }
        State::Decoded => {
            let corners = vec![rect.left_bottom(), rect.right_top(), rect.right_bottom()];
            painter.add(egui_macroquad::egui::Shape::convex_polygon(
                corners,
                color,
                Stroke::NONE,
            ));
        }
        State::Resident => {
            painter.rect_filled(rect, CornerRadius::ZERO, color);
        }
        State::Unloading => {
            for offset in [4.0, 8.0, 12.0, 16.0] {
                let from = pos2(
                    rect.left() + f32::min(offset, 11.0),
                    rect.top() + f32::max(offset - 11.0, 0.0),
                );
                let to = pos2(
                    rect.left() + f32::max(offset - 11.0, 0.0),
                    rect.top() + f32::min(offset, 11.0),
                );
                painter.line_segment([from, to], Stroke::new(1.0, color));
            }
        }
        State::Failed => {
            painter.line_segment([rect.left_top(), rect.right_bottom()], stroke);
            painter.line_segment([rect.right_top(), rect.left_bottom()], stroke);
        }
    }
    painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
}

fn why(ui: &mut Ui, stream: &super::stream::Stream, palette: &Palette) {
    let Some(object) = stream.selection else {
        ui.label(
            RichText::new("Click an object on the field.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
        return;
    };
    let streaming = stream.streaming();
    let state = streaming.states()[object as usize];
    card(
        ui,
        palette,
        &format!("object {object}"),
        state.name(),
        palette.states[state as usize],
        |ui| {
            let asset = streaming.objects()[object as usize].asset;
            let file = streaming
                .asset(asset)
                .and_then(|path| path.file_name())
                .map(|name| name.to_string_lossy().into_owned());
            stat(ui, palette, "asset", &file.unwrap_or_default(), "");
            for sentence in streaming.why(object) {
                ui.label(
                    RichText::new(sentence)
                        .size(size::DESCRIPTION)
                        .color(palette.text_second),
                );
                ui.add_space(3.0);
            }
        },
    );
}

/// The plots.
pub fn bottom(ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
    let Some(stream) = &app.stream else { return };
    let both = Curve {
        name: "A + B",
        series: &stream.tests,
        color: palette.accent,
        filled: true,
        scale: 1.0,
    };
    let unload = Curve {
        name: "B",
        series: &stream.unload_tests,
        color: palette.second,
        filled: false,
        scale: 1.0,
    };
    let brute = Curve {
        name: "brute",
        series: &stream.brute_force,
        color: palette.text_third,
        filled: false,
        scale: 1.0,
    };
    let now = with_commas(stream.tests.last() as u64);
    plot(
        ui,
        palette,
        left,
        ("tests a tick, log scale", Scale::Logarithmic),
        &now,
        "tests",
        &[both, unload, brute],
    );
    let read = Curve {
        name: "read",
        series: &stream.read,
        color: palette.sides[0],
        filled: true,
        scale: 1.0,
    };
    let now = format!("{:.2}", stream.read.mean(60));
    plot(
        ui,
        palette,
        right,
        ("read from disk", Scale::Linear),
        &now,
        "MB/s",
        &[read],
    );
}
