//! What leaves the window as a file by the menu, besides scenes and recordings: the plots as CSV, the counters as JSON. Pictures
//! are with `report`.

use super::commands::View;
use super::history::{LanePast, Past, Series};
use super::state::App;
use super::stream::Stream;
use super::widgets::with_commas;
use super::worker::{LaneView, OF_TICK, Outcome, SurveyRow};
use serde_json::{Value, json};
use skirmish::geometry::Vec2;
use skirmish::measure::questions::Price;
use skirmish::measure::{compare, simulate};
use skirmish::scene::Side;
use skirmish::session::{LateInBoth, LateSum, Mark, MarkKind, tick_at};
use skirmish::streaming::{Clock, Lateness, Mover, Renumberings, Settings, State, WorldObject};
use skirmish::tick::STEP_SECONDS;
use std::borrow::Cow;
use std::fmt::Write;

/// The end of a line.
const END: &str = "\r\n";

/// The plotted figures of the last ticks, a row for each tick and lane; in Streaming those of the world, a row for each tick.
/// What is not known is empty, and so is what is not a lane's own: `update_us` and `query_us` are those of each lane alone, `step_us` is the
/// whole tick, with the strikes and the movement of the units, which the first lane alone answers.
pub fn plots_csv(app: &App) -> String {
    if app.view == View::Streaming {
        world_csv(&app.past)
    } else {
        lanes_csv(&app.past)
    }
}

/// The first and the last tick of which a table of plots has rows.
pub fn ticks_in(csv: &str) -> Option<(u64, u64)> {
    let rows = csv.lines().skip(1);
    let ticks = rows.filter_map(|row| row.split(',').next()?.parse::<u64>().ok());
    ticks.fold(None, |range, tick| match range {
        Some((first, last)) => Some((tick.min(first), tick.max(last))),
        None => Some((tick, tick)),
    })
}

/// The column of the whole tick: in a lane that does not answer it, it would be update and query once more.
const STEP: &str = "step_us";

/// The columns of a lane, in order, with what each is.
fn lane_columns(lane: &LanePast) -> [(&'static str, &Series); 7] {
    [
        ("tests", &lane.tests),
        ("pairs", &lane.pairs),
        ("visits", &lane.visits),
        ("bytes", &lane.bytes),
        ("update_us", &lane.update_us),
        ("query_us", &lane.query_us),
        (STEP, &lane.step_us),
    ]
}

fn lanes_csv(past: &Past) -> String {
    let mut text = "tick,lane,structure,knobs".to_owned();
    let none = LanePast::default();
    for (name, _) in lane_columns(&none) {
        text.push(',');
        text.push_str(name);
    }
    text.push_str(END);
    let count = past
        .lanes
        .first()
        .map_or(0, |lane| lane.tests.values().len());
    for row in 0..count {
        for (number, lane) in past.lanes.iter().enumerate() {
            let stretch = lane.stretches.iter().rev().find(|it| it.from <= row);
            let structure = stretch.map_or("", |stretch| stretch.kind.info().key);
            let knobs = stretch.map_or(String::new(), |stretch| {
                let set: Vec<(usize, f64)> = stretch.knobs.iter().copied().enumerate().collect();
                cell(&compare::knobs(stretch.kind.info(), &set))
            });
            let _ = write!(
                text,
                "{},{},{structure},{}",
                tick(past, count, row),
                number + 1,
                quoted(&knobs)
            );
            for (name, series) in lane_columns(lane) {
                let is_own = name != STEP || number == 0;
                let value = series.values().get(row).copied();
                push_value(&mut text, value.filter(|_| is_own));
            }
            text.push_str(END);
        }
    }
    text
}

fn world_csv(past: &Past) -> String {
    let tour = &past.tour;
    let columns = [
        ("load_tests", &tour.load_tests),
        ("unload_tests", &tour.unload_tests),
        ("brute_force_tests", &tour.brute_force),
        ("read_mbps", &tour.read),
        ("late", &tour.late),
        ("missing", &tour.missing),
        ("cancelled", &tour.cancelled),
        ("wasted_bytes", &tour.wasted),
    ];
    let mut text = "tick".to_owned();
    for (name, _) in columns {
        text.push(',');
        text.push_str(name);
    }
    text.push_str(END);
    let count = tour.tests.values().len();
    for row in 0..count {
        let _ = write!(text, "{}", tick(past, count, row));
        for (_, series) in columns {
            push_value(&mut text, series.values().get(row).copied());
        }
        text.push_str(END);
    }
    text
}

/// Which tick a row is of: the last one is the present.
fn tick(past: &Past, count: usize, row: usize) -> u64 {
    past.tick.saturating_sub((count - 1 - row) as u64)
}

fn push_value(text: &mut String, value: Option<f32>) {
    text.push(',');
    if let Some(value) = value.filter(|value| value.is_finite()) {
        let _ = write!(text, "{value}");
    }
}

/// The counters of the present tick, as whole numbers, a lane each; with the keys that `skirmish simulate --json` has for the same
/// things, whose sums are over all ticks.
pub fn counters_json(app: &App) -> Value {
    let count = |side| match &app.flight {
        Some(flight) => flight.count(side),
        None => app.battle.count(side),
    };
    let hash = match &app.flight {
        Some(flight) => flight.hash(),
        None => app.battle.hash(),
    };
    let reach = match &app.flight {
        Some(flight) => flight.pair_reach(),
        None => app.battle.pair_reach(),
    };
    let mut all = json!({
        "scene": app.scene.name,
        "seed": app.scene.seed,
        "reach_scale": app.scene.reach_scale,
        "reach_m": shortest(reach),
        "ticks": app.place.tick,
        "threads": app.threads,
        "alive": { "blue": count(Side::Blue), "orange": count(Side::Orange) },
        "hash": format!("{hash:016x}"),
        "lanes": app.lanes.iter().map(lane).collect::<Vec<_>>(),
    });
    if !app.survey.is_empty() {
        all["table"] = app.survey_rows().map(survey_row).collect();
        if let Some((_, knob)) = app.swept_knob() {
            // Rows are built anew: of a setting that acts while units move they show the least of it.
            all["table_setting"] = json!({
                "key": knob.key,
                "acts_on_update": knob.acts_on_update,
            });
        }
    }
    if let Some(stream) = &app.stream {
        let statistics = stream.statistics();
        all["streaming"] = json!({
            "seconds": stream.now(),
            "seconds_since_restart": stream.clock().since_restart(stream.now()),
            "clock_began_at_tick": app.place.tick.saturating_sub(stream.ticks()),
            "states": stream.counts(),
            "state_counts": state_counts(stream.counts()),
            "path": path_of(stream),
            "speed_m_per_s": stream.speed(),
            "needed": statistics.needed,
            "late_loads": statistics.late_loads,
            "needed_when_asked_for": statistics.sudden_loads,
            "missing": stream.missing_count(),
            "cancelled": statistics.cancelled,
            "failed": statistics.failed,
            "time_to_visible_ms_p50": statistics.time_to_visible_ms.percentile(0.5),
            "time_to_visible_ms_p99": statistics.time_to_visible_ms.percentile(0.99),
            "evicted": statistics.evicted,
            "loaded_bytes": statistics.loaded_bytes,
            "wasted_bytes": statistics.wasted_bytes,
            "resident_bytes": stream.resident_bytes(),
            "peak_held_bytes": statistics.peak_held_bytes,
            "settings": world_settings(stream.settings()),
            "late": late_of(app, stream),
            "late_in_both_futures": app.place.late_in_both.as_ref().map(late_in_both),
        });
    }
    all
}

/// How many objects are in each state, by its name.
fn state_counts(counts: [u32; State::ALL.len()]) -> Value {
    let counts = State::ALL.into_iter().zip(counts);
    let counts = counts.map(|(state, count)| (state.name().to_owned(), count.into()));
    Value::Object(counts.collect())
}

/// The name of the path along which the character goes; null where it goes along none.
fn path_of(stream: &Stream) -> Value {
    match stream.mover() {
        Mover::Path(path) => json!(stream.paths().get(path).map(|path| &path.name)),
        Mover::Nobody | Mover::Mouse | Mover::Keys(_) => Value::Null,
    }
}

/// What decides when something is loaded.
fn world_settings(settings: &Settings) -> Value {
    json!({
        "index": settings.index.key(),
        "need_factor": settings.need_factor,
        "need_min_m": settings.need_min,
        "need_max_m": settings.need_max,
        "lead_m": settings.lead,
        "margin_m": settings.margin,
        "predict_seconds": settings.predict_seconds,
        "mbps": settings.mbps,
        "latency_ms": settings.latency_ms,
        "requests": settings.requests_in_flight,
        "bytes_in_flight": settings.bytes_in_flight,
        "uploads_a_tick": settings.uploads_per_update,
        "upload_bytes_a_tick": settings.upload_bytes_per_update,
        "releases_a_tick": settings.unloads_per_update,
        "memory_cap_bytes": settings.memory_cap,
    })
}

/// The world that is shown, at its tick.
struct ShownWorld<'w> {
    objects: &'w [WorldObject],
    states: &'w [State],
    numbers: &'w Renumberings,
    tick: u64,
}

/// The late loads, oldest first, those of other runs before or after a restart among them: when, in which run, how many objects, and
/// which, as far as they are known one by one: by the number that each has by now, which is that of the window and none of one that was
/// taken away since (where time has gone back before the load, it is that of then), and by that of then; when it came to be needed, and of who has come when it came, in seconds of its world, how late
/// that is, and why; of who was given up before that, or is not there yet, why it has not come. Where an object stands and how large it is
/// is said of those that are in the world that is shown.
///
/// Moments are told by the ticks of the timeline, and `seconds_since_tick_0` is the same in seconds. All other seconds are counted from
/// `clock_began_at_tick`, which is no more the first tick once the world has begun anew;
/// `seconds_since_restart` are the same as `seconds` where that is the tick of a restart, and null otherwise. A run has begun at
/// `run_began_at_tick`, and `is_of_this_run` says whether it is the one of which the figures are.
fn late(marks: &[Mark], world: u64, shown: &ShownWorld<'_>) -> Value {
    let ShownWorld {
        objects,
        states,
        numbers,
        tick,
    } = *shown;
    let load = |mark: &Mark| {
        let clock = Clock::of(mark.world, mark.began);
        let seconds = (mark.tick - mark.began) as f64 * STEP_SECONDS;
        let is_of_this_run = mark.world == world;
        let object = |(name, number)| {
            let mut came = mark.came.iter();
            // When it came it may have had another number.
            let late = came.find(|it| it.lateness.needed_as() == number);
            let late = late.map(|it| &it.lateness);
            let there = late.filter(|it| !it.is_given_up());
            let now = numbers.now_of_known(number, mark.numbering);
            let now = now.filter(|_| is_of_this_run);
            let body = now.and_then(|now| objects.get(now as usize));
            // Of who has not come yet it is known since when it is late, and what it does by now.
            let state = now.and_then(|now| states.get(now as usize)).copied();
            let state = state.filter(|it| late.is_none() && mark.tick <= tick && it.is_pending());
            let waits = state.map(|it| {
                let tick = with_commas(tick);
                format!("It is not there yet at tick {tick}: it is {}.", it.name())
            });
            let why = late
                .map(|it| it.sentences(clock))
                .or(waits.map(|it| vec![it]));
            let needed_at = late.map_or(seconds, Lateness::needed_at);
            let pair = |it: Vec2| [shortest(it.x), shortest(it.y)];
            json!({
                "name": name,
                "object": numbers.now(number, mark.numbering),
                "object_then": number,
                "center_m": body.map(|it| pair(it.center)),
                "size_m": body.map(|it| pair(it.half_extent * 2.0)),
                "late_seconds": there.map(Lateness::seconds),
                "needed_at": needed_at,
                "needed_at_tick": tick_at(mark.began, needed_at),
                "came_at": there.map(Lateness::came_at),
                "came_at_tick": there.map(|it| tick_at(mark.began, it.came_at())),
                "given_up": late.is_some_and(Lateness::is_given_up),
                "why": why,
            })
        };
        json!({
            "tick": mark.tick,
            "run_began_at_tick": mark.world,
            "is_of_this_run": is_of_this_run,
            "seconds": seconds,
            "seconds_since_tick_0": mark.tick as f64 * STEP_SECONDS,
            "seconds_since_restart": clock.since_restart(seconds),
            "clock_began_at_tick": mark.began,
            "count": mark.count,
            "objects": mark.who.known().map(object).collect::<Vec<_>>(),
        })
    };
    let late = marks.iter().filter(|mark| mark.kind == MarkKind::Late);
    late.map(load).collect()
}

/// How many objects were late in the present future and in the other one since they have parted; one that was late twice counts twice. How
/// late the last one came is said of those that have come by the last of these ticks.
fn late_in_both(both: &LateInBoth) -> Value {
    let sum = |sum: &LateSum| {
        json!({
            "objects": sum.objects,
            "came": sum.came,
            "longest_late_seconds": sum.longest.as_ref().map(Lateness::seconds),
        })
    };
    json!({
        "first_tick": both.after + 1,
        "last_tick": both.until,
        "this_future": sum(&both.here),
        "other_future": sum(&both.other),
    })
}

/// The same of the world that is shown.
fn late_of(app: &App, stream: &Stream) -> Value {
    let shown = ShownWorld {
        objects: stream.objects(),
        states: stream.states(),
        numbers: stream.renumberings(),
        tick: app.place.tick,
    };
    late(&app.place.marks, app.place.world_made, &shown)
}

/// The late loads as a table, a row for each object that is known, and one without an object where none is; with what [`late`] says. The
/// columns say from when their seconds are counted, and no number has more than three decimals. Of several reasons each is a sentence of
/// `why`, whose seconds are since tick 0, or say otherwise.
pub fn late_csv(app: &App) -> String {
    /// Where each column is in what is said of a late load,
    const OF_LOAD: [(&str, &str); 6] = [
        ("tick", "/tick"),
        ("run_began_at_tick", "/run_began_at_tick"),
        ("is_of_this_run", "/is_of_this_run"),
        ("seconds_since_tick_0", "/seconds_since_tick_0"),
        ("seconds_since_restart", "/seconds_since_restart"),
        ("count", "/count"),
    ];
    /// and of an object.
    const OF_OBJECT: [(&str, &str); 11] = [
        ("name", "/name"),
        ("object", "/object"),
        ("object_then", "/object_then"),
        ("x_m", "/center_m/0"),
        ("y_m", "/center_m/1"),
        ("width_m", "/size_m/0"),
        ("height_m", "/size_m/1"),
        ("needed_at_tick", "/needed_at_tick"),
        ("came_at_tick", "/came_at_tick"),
        ("late_seconds", "/late_seconds"),
        ("given_up", "/given_up"),
    ];
    let mut text = String::new();
    for (name, _) in OF_LOAD.iter().chain(&OF_OBJECT) {
        let _ = write!(text, "{name},");
    }
    let _ = write!(text, "why{END}");
    let Some(stream) = &app.stream else {
        return text;
    };
    let said = late_of(app, stream);
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    for load in said.as_array().into_iter().flatten() {
        let mut objects = list(load, "objects");
        if objects.is_empty() {
            objects.push(Value::Null);
        }
        for object in &objects {
            let cell = |of: &Value, place: &str| of.pointer(place).map_or(String::new(), rounded);
            let of_load = OF_LOAD.map(|(_, place)| cell(load, place));
            let of_object = OF_OBJECT.map(|(_, place)| cell(object, place));
            for cell in of_load.iter().chain(&of_object) {
                let _ = write!(text, "{},", quoted(cell));
            }
            let why = list(object, "why");
            let why: Vec<&str> = why.iter().filter_map(Value::as_str).collect();
            let _ = write!(text, "{}{END}", quoted(&why.join(" ")));
        }
    }
    text
}

/// A row of the table of Compare; of what was not measured, why.
fn survey_row(row: &SurveyRow) -> Value {
    let info = row.choice.kind.info();
    // All of them: what a default is, nobody knows without the program.
    let set: Vec<(usize, f64)> = (0..info.knobs.len())
        .map(|knob| (knob, row.choice.value(knob)))
        .collect();
    let mut all = json!({
        "structure": info.key,
        "knobs": compare::knobs(info, &set),
        "tick": row.tick,
        "readings": row.readings,
        "doubtful": row.doubt(OF_TICK).is_some(),
    });
    let is_doubtful = |times: &[usize]| row.doubt(times).is_some();
    let doubtful = json!({
        "build_us": is_doubtful(&[0]),
        "update_us": is_doubtful(&[1]),
        "query_us": is_doubtful(&[2]),
        "update_query_us": is_doubtful(OF_TICK),
        "rectangle_us": is_doubtful(&[3]),
        "nearest_us": is_doubtful(&[4]),
    });
    let figures = match &row.outcome {
        Outcome::Measured(row) => json!({
            "doubtful_figures": doubtful,
            "units": row.units,
            "reach_m": shortest(row.reach),
            "chosen": compare::knobs(info, &row.chosen),
            "pairs": row.pairs,
            "tests": row.tests,
            "visits": row.visits,
            "bytes": row.bytes,
            "build_us": row.build_us,
            "update_us": row.update_us,
            "query_us": row.query_us,
            "update_query_us": row.update_us + row.query_us,
            "rectangle_m": row.size[0],
            "rectangle_height_m": row.size[1],
            "rectangle": price(&row.prices[0]),
            "nearest_k": row.nearest,
            "nearest": price(&row.prices[1]),
            "agrees": row.fault().is_none(),
        }),
        Outcome::TooMany(tests) => json!({ "not_measured": format!("{tests} tests") }),
        Outcome::TooLong => json!({ "not_measured": "took too long" }),
    };
    if let (Some(all), Value::Object(figures)) = (all.as_object_mut(), figures) {
        all.extend(figures);
    }
    all
}

/// The table of Compare, a row for each structure or each value of a setting, each with the name of the scene before it. What was not
/// measured is empty, and `not_measured` says why. `doubtful` is of what a tick takes, upkeep and queries together; `build_us_doubtful` and
/// the like say it of each time alone. `tick` is the one that stood: the next one asks what was measured, and is the one that
/// the window names. `reach_m` is how far pairs are looked for, which is more than the reach of units that keep farther apart.
pub fn table_csv<'r>(scene: &str, rows: impl Iterator<Item = &'r SurveyRow>) -> String {
    /// Where each column is in what [`survey_row`] says.
    const COLUMNS: [(&str, &str); 31] = [
        ("units", "/units"),
        ("reach_m", "/reach_m"),
        ("structure", "/structure"),
        ("knobs", "/knobs"),
        ("chosen", "/chosen"),
        ("tick", "/tick"),
        ("readings", "/readings"),
        ("doubtful", "/doubtful"),
        ("agrees", "/agrees"),
        ("pairs", "/pairs"),
        ("tests", "/tests"),
        ("visits", "/visits"),
        ("bytes", "/bytes"),
        ("build_us", "/build_us"),
        ("update_us", "/update_us"),
        ("query_us", "/query_us"),
        ("update_query_us", "/update_query_us"),
        ("rectangle_m", "/rectangle_m"),
        ("rectangle_height_m", "/rectangle_height_m"),
        ("rectangle_us", "/rectangle/us"),
        ("rectangle_tests", "/rectangle/tests"),
        ("nearest_k", "/nearest_k"),
        ("nearest_us", "/nearest/us"),
        ("nearest_tests", "/nearest/tests"),
        ("not_measured", "/not_measured"),
        ("build_us_doubtful", "/doubtful_figures/build_us"),
        ("update_us_doubtful", "/doubtful_figures/update_us"),
        ("query_us_doubtful", "/doubtful_figures/query_us"),
        (
            "update_query_us_doubtful",
            "/doubtful_figures/update_query_us",
        ),
        ("rectangle_us_doubtful", "/doubtful_figures/rectangle_us"),
        ("nearest_us_doubtful", "/doubtful_figures/nearest_us"),
    ];
    let mut text = format!("scene,{}{END}", COLUMNS.map(|(name, _)| name).join(","));
    let scene = quoted(scene);
    for row in rows {
        let said = survey_row(row);
        let cell = |place| said.pointer(place).map_or(String::new(), cell);
        let cells = COLUMNS.map(|(_, place)| quoted(&cell(place)).into_owned());
        let _ = write!(text, "{scene},{}{END}", cells.join(","));
    }
    text
}

/// A cell as it stands in a line.
fn quoted(cell: &str) -> Cow<'_, str> {
    match cell.contains([',', '"', '\r', '\n']) {
        true => Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\""))),
        false => Cow::Borrowed(cell),
    }
}

/// A number with the digits that it has: as one with more digits it would have others behind them.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| value.into())
}

/// A value as a cell of a table: of several each as `name=value`, with a space between.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(all) => {
            let each = all
                .iter()
                .map(|(name, value)| format!("{name}={}", cell(value)));
            each.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// The same with no more than three decimals.
fn rounded(value: &Value) -> String {
    match value.as_f64().filter(|_| value.is_f64()) {
        // What is less than that is told as 0, and not as -0.
        Some(number) => ((number * 1.0e3).round() / 1.0e3 + 0.0).to_string(),
        None => cell(value),
    }
}

/// What one single question costs, on average but for the time.
fn price(price: &Price) -> Value {
    json!({
        "us": price.us,
        "tests": price.tests,
        "visits": price.visits,
        "found": price.found,
    })
}

fn lane(lane: &LaneView) -> Value {
    let (structure, cost) = (&lane.structure, &lane.cost);
    let all = 0..structure.info().knobs.len();
    let set: Vec<(usize, f64)> = all.map(|knob| (knob, structure.in_effect(knob))).collect();
    // At rest the structure is built, and nothing is brought up to date.
    let [upkeep_us, upkeep] = match cost.at_rest {
        true => ["build_us", "build"],
        false => ["update_us", "update"],
    };
    json!({
        "structure": structure.info().key,
        "knobs": compare::knobs(structure.info(), &set),
        "at_rest": cost.at_rest,
        "pairs": cost.pairs,
        "all_pairs": cost.all_pairs,
        "tests": cost.query.tests,
        "bytes": structure.byte_count(),
        upkeep_us: lane.times.map(|times| times.update_us),
        "query_us": lane.times.map(|times| times.query_us),
        upkeep: simulate::counts(&cost.update),
        "query": simulate::counts(&cost.query),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::history::Stretch;
    use skirmish::partition::Kind;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session, Units};

    #[test]
    fn a_cell_of_the_table_is_read_as_it_was_meant() {
        let knobs = json!({ "cell_size": 2.5, "update": "partial" });
        assert_eq!(cell(&knobs), "cell_size=2.5 update=partial");
        assert_eq!(cell(&Value::Null), "");
        assert_eq!(cell(&json!("9 tests")), "9 tests");
        assert_eq!(quoted("Calm"), "Calm");
        assert_eq!(quoted("Calm, or \"not\""), "\"Calm, or \"\"not\"\"\"");
        assert_eq!(shortest(3.2).to_string(), "3.2");
        let head = "scene,units,reach_m,structure,knobs,chosen,tick,readings,doubtful,agrees,pairs,tests,visits,bytes,build_us,update_us,query_us,\
                    update_query_us,rectangle_m,rectangle_height_m,rectangle_us,rectangle_tests,nearest_k,nearest_us,nearest_tests,not_measured,\
                    build_us_doubtful,update_us_doubtful,query_us_doubtful,update_query_us_doubtful,rectangle_us_doubtful,nearest_us_doubtful\r\n";
        assert_eq!(table_csv("Calm", [].iter()), head);
    }

    #[test]
    fn a_row_for_each_tick_and_lane_and_nothing_where_nothing_is_known() {
        let mut past = Past {
            tick: 12,
            ..Past::default()
        };
        for kind in [Kind::Quadtree, Kind::LinkedGrid] {
            let mut lane = LanePast {
                stretches: vec![Stretch {
                    from: 0,
                    kind: kind.into(),
                    // The first of a quadtree's is its capacity.
                    knobs: if kind == Kind::Quadtree {
                        vec![8.0]
                    } else {
                        Vec::new()
                    },
                }],
                ..LanePast::default()
            };
            for value in [5.0, f32::NAN, 7.5] {
                lane.tests.push(value);
                lane.step_us.push(100.0 + value);
            }
            past.lanes.push(lane);
        }
        let text = lanes_csv(&past);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "tick,lane,structure,knobs,tests,pairs,visits,bytes,update_us,query_us,step_us"
        );
        assert_eq!(lines.len(), 7);
        // The whole tick is the first lane's: the others have no part in the movement.
        assert_eq!(lines[1], "10,1,quadtree,capacity=8,5,,,,,,105");
        assert_eq!(lines[4], "11,2,linked-grid,,,,,,,,");
        assert_eq!(lines[6], "12,2,linked-grid,,7.5,,,,,,");
        let commas = |line: &&str| line.matches(',').count();
        assert!(lines.iter().all(|line| commas(line) == 10));
        assert_eq!(lanes_csv(&Past::default()).lines().count(), 1);
        assert_eq!(world_csv(&Past::default()).lines().count(), 1);
    }

    #[test]
    fn after_a_restart_the_rows_of_the_world_are_of_the_ticks_that_the_window_shows() {
        let mut session = ride(&[]);
        let cancel = Cancel::default();
        let csv = |session: &Session| {
            let kinds = session.standing(0).map(|it| (it.kind, &[][..]));
            let kinds: Vec<_> = kinds.into_iter().collect();
            let mut past = Past::default();
            past.take(session.timeline().ledger(), session.tick_count(), &kinds);
            world_csv(&past)
        };
        for count in [30, 60] {
            for _ in 0..30 {
                session.tick(&cancel, &mut ()).expect("a tick");
            }
            assert_eq!(session.tick_count(), count);
            assert_eq!(ticks_in(&csv(&session)), Some((1, count)));
            session
                .apply(Action::Restart, false, &cancel)
                .expect("a restart");
            // The world begins anew, and the ticks go on.
            assert_eq!(session.world_made(), count);
            assert_eq!(ticks_in(&csv(&session)), Some((1, count)));
        }
    }

    /// The open world, and a ride through it with these settings.
    fn ride(settings: &[(&str, &str)]) -> Session {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let tuned = settings
            .iter()
            .map(|(key, value)| Action::Tune((*key).to_owned(), (*value).to_owned()));
        let ride = [Action::Speed(60.0), Action::Follow("ride".to_owned())];
        for action in tuned.chain(ride) {
            session
                .apply(action, false, &Cancel::default())
                .expect("a world");
        }
        session
    }

    /// The late loads of a session as they are exported.
    fn told(session: &Session, marks: &[Mark]) -> Value {
        let world = session.world().expect("a world").streaming();
        let shown = ShownWorld {
            objects: world.objects(),
            states: world.states(),
            numbers: world.renumberings(),
            tick: session.tick_count(),
        };
        late(marks, session.world_made(), &shown)
    }

    /// Goes on until something of the late loads is so, and gives them as they are exported then.
    fn until(session: &mut Session, is_so: impl Fn(&Mark) -> bool) -> Value {
        for _ in 0..3_000 {
            session.tick(&Cancel::default(), &mut ()).expect("a tick");
            let marks = session.timeline().marks().list();
            if marks.iter().any(&is_so) {
                return told(session, marks);
            }
        }
        panic!("that never was so");
    }

    #[test]
    fn whoever_comes_late_is_called_by_the_number_of_now_and_by_that_of_then() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let is_waited_for = |mark: &Mark| mark.kind == MarkKind::Late && mark.came.is_empty();
        let told = until(&mut session, is_waited_for);
        let load = told
            .as_array()
            .and_then(|all| all.last())
            .expect("a late load");
        let (tick, object) = (&load["tick"], &load["objects"][0]);
        assert!(object["object"].as_u64() > Some(0) && object["came_at"].is_null());
        assert_eq!(object["object"], object["object_then"]);
        // Who has not come yet is late since that tick, and why is known as far as it is.
        assert_eq!(object["needed_at_tick"], *tick);
        let waits = object["why"][0].as_str().expect("a sentence");
        assert!(waits.starts_with("It is not there yet at tick "), "{waits}");
        let first = Units::new(vec![0]);
        let cancel = Cancel::default();
        let removed = session.apply(Action::RemoveObjects(first), false, &cancel);
        removed.expect("an edit");
        let has_come =
            |mark: &Mark| mark.tick == tick.as_u64().expect("a tick") && !mark.came.is_empty();
        let told = until(&mut session, has_come);
        let loads = told.as_array().expect("late loads");
        let load = loads.iter().find(|load| load["tick"] == *tick).expect("it");
        let objects = load["objects"].as_array().expect("objects");
        let came = objects
            .iter()
            .find(|it| !it["came_at"].is_null())
            .expect("one that came");
        assert!(came["late_seconds"].as_f64() > Some(0.0), "{came}");
        assert!(came["why"].as_array().is_some_and(|why| !why.is_empty()));
        assert_eq!(came["given_up"], false);
        // As the list in the window calls it.
        let [now, then] = ["object", "object_then"].map(|key| came[key].as_u64());
        assert_eq!(now.map(|it| it + 1), then);
    }

    #[test]
    fn where_an_object_is_said_to_stand_is_of_no_other_one_before_it_had_its_number() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let cancel = Cancel::default();
        session.tick(&cancel, &mut ()).expect("a tick");
        let removed = session.apply(Action::RemoveObjects(Units::new(vec![0])), false, &cancel);
        removed.expect("an edit");
        let is_late = |mark: &Mark| mark.kind == MarkKind::Late && mark.numbering == 1;
        let told = until(&mut session, is_late);
        let last = |told: &Value| told.as_array().and_then(|all| all.last()).cloned();
        let load = last(&told).expect("a late load");
        assert!(load["objects"][0]["center_m"].is_array(), "{load}");
        session.seek(0, &cancel, &mut ()).expect("back");
        let marks = session.timeline().marks().list();
        let load = last(&self::told(&session, marks)).expect("a late load");
        assert_eq!(load["is_of_this_run"], true);
        assert!(load["objects"][0]["center_m"].is_null(), "{load}");
        assert!(load["objects"][0]["size_m"].is_null(), "{load}");
    }

    #[test]
    fn of_whoever_is_given_up_it_is_told_what_it_waited_for() {
        // What is needed has no room.
        let mut session = ride(&[("memory_cap", "100000")]);
        let is_given_up = |mark: &Mark| mark.came.iter().any(|it| it.lateness.is_given_up());
        let told = until(&mut session, is_given_up);
        let objects = told.as_array().into_iter().flatten();
        let mut objects = objects.flat_map(|load| load["objects"].as_array().into_iter().flatten());
        let given_up = objects
            .find(|it| it["given_up"] == true)
            .expect("one that was given up");
        assert!(given_up["came_at"].is_null() && given_up["late_seconds"].is_null());
        assert!(given_up["needed_at"].as_f64().is_some());
        let why = given_up["why"].to_string();
        assert!(
            why.contains("the memory cap of 100 kB left no room"),
            "{why}"
        );
        let object = given_up["object"].as_u64().expect("a number") as u32;
        let world = session.world().expect("a world");
        let told = world
            .object_picture(object)
            .expect("an object")
            .why
            .join(" ");
        assert!(told.contains("was given up before it came, "), "{told}");
        assert!(
            told.contains("the memory cap of 100 kB left no room"),
            "{told}"
        );
    }

    #[test]
    fn a_number_of_a_table_has_three_decimals_at_the_most() {
        for (value, said) in [
            (json!(12.0), "12"),
            (json!(12.016_666_7), "12.017"),
            (json!(-0.000_1), "0"),
            (json!(7), "7"),
            (json!("7.123456"), "7.123456"),
            (Value::Null, ""),
        ] {
            assert_eq!(rounded(&value), said);
        }
    }

    #[test]
    fn seconds_that_a_restart_has_set_back_are_named_so() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let has_come = |mark: &Mark| !mark.came.is_empty();
        let told = until(&mut session, has_come);
        assert!(told[0]["seconds_since_restart"].is_null());
        assert_eq!(told[0]["clock_began_at_tick"], 0);
        let began = session.tick_count();
        let cancel = Cancel::default();
        for action in [Action::Restart, Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        let has_come_since = |mark: &Mark| mark.world == began && has_come(mark);
        let all = until(&mut session, has_come_since);
        let all = all.as_array().into_iter().flatten();
        let of_this_run = all.filter(|load| load["is_of_this_run"] == true);
        let of_this_run: Vec<&Value> = of_this_run.collect();
        let load = of_this_run.first().expect("one of this run");
        assert_eq!(load["clock_began_at_tick"], began);
        assert_eq!(load["seconds_since_restart"], load["seconds"]);
        let tick = load["tick"].as_u64().expect("a tick");
        // Ticks and seconds of the timeline go on.
        let since_0 = load["seconds_since_tick_0"].as_f64().expect("seconds");
        assert_eq!(tick, (since_0 / STEP_SECONDS).round() as u64);
        let objects = of_this_run
            .iter()
            .filter_map(|load| load["objects"].as_array());
        let came = objects.flatten().filter(|it| !it["came_at"].is_null());
        let came: Vec<_> = came.collect();
        assert!(!came.is_empty());
        for object in came {
            let [needed, came] = ["needed_at_tick", "came_at_tick"].map(|key| object[key].as_u64());
            assert!(needed >= Some(began) && came > needed, "{object}");
            let late = object["late_seconds"].as_f64().expect("seconds") / STEP_SECONDS;
            assert_eq!(late.round() as u64, came.unwrap_or(0) - needed.unwrap_or(0));
        }
        let seconds = load["seconds"].as_f64().expect("seconds");
        assert_eq!(tick, began + (seconds / STEP_SECONDS).round() as u64);
    }
}
