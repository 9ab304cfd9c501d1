//! What leaves the window as a file by the menu, besides scenes and recordings: the plots as CSV, the counters as JSON. Pictures
//! are with `report`.

use super::commands::View;
use super::history::{LanePast, Past, Series};
use super::state::App;
use super::stream::Stream;
use super::worker::{LaneView, OF_TICK, Outcome, SurveyRow, UPDATE_AND_QUERY};
use serde_json::{Value, json};
use skirmish::measure::questions::Price;
use skirmish::measure::{compare, simulate};
use skirmish::scene::Side;
use skirmish::streaming::{Figures as WorldFigures, FrameTests, Mover, Settings, State};
use std::borrow::Cow;
use std::fmt::Write;

mod late;

pub use late::late_csv;
use late::{late_in_both, late_of};

/// The end of a line.
const END: &str = "\r\n";

/// The plotted figures of the last ticks, a row for each tick and lane; in Streaming those of the world, a row for each tick.
/// What is not known is empty, and so is what is not a lane's own: `update_us` and `query_us` are those of each lane alone, `step_us` is the
/// whole tick, with the strikes and the movement of the units, which the first lane alone answers.
pub fn plots_csv(app: &App) -> String {
    if app.view == View::Streaming {
        let tour = app.stream.as_ref().map(|stream| &stream.figures);
        world_csv(app.past.tick, tour.map_or(&[], |tour| &tour.rows))
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
                tick(past.tick, count, row),
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

/// A row for each tick up to `last`, with the tick at which its run had begun: of a restart that is not long ago there are rows of two.
fn world_csv(last: u64, rows: &[(u64, WorldFigures)]) -> String {
    let mut text = "tick,load_tests,unload_tests,brute_force_tests,read_mbps,late,missing,cancelled,wasted_bytes,run_began_at_tick".to_owned();
    text.push_str(END);
    for (row, (run, figures)) in rows.iter().enumerate() {
        let FrameTests {
            load,
            unload,
            brute_force,
            ..
        } = figures.tests;
        let _ = write!(
            text,
            "{},{load},{unload},{brute_force}",
            tick(last, rows.len(), row)
        );
        push_value(&mut text, Some(figures.read_mbps()));
        let _ = write!(
            text,
            ",{},{},{},{},{run}{END}",
            figures.late, figures.missing, figures.cancelled, figures.wasted_bytes
        );
    }
    text
}

/// Which tick a row is of: the last one is the present.
fn tick(last: u64, count: usize, row: usize) -> u64 {
    last.saturating_sub((count - 1 - row) as u64)
}

fn push_value(text: &mut String, value: Option<f32>) {
    text.push(',');
    if let Some(value) = value.filter(|value| value.is_finite()) {
        let _ = write!(text, "{value}");
    }
}

/// The counters of the present tick, as whole numbers, a lane each; with the keys that `skirmish simulate --json` has for the same
/// things, whose sums are over all ticks. But `hash` is of all that is there, as in a recording and in `skirmish replay`: of battle and world.
/// What `simulate` calls so is of the battle alone, which is `battle_hash` here; the two differ in a scene with a world. `ticks` is how many
/// have passed. Of a lane as of a row of the table `knobs` are the values in use, and `auto` those of them that it was left to choose. The
/// `tick` of a row of the table is the one that asks what was measured, as in [`table_csv`]: where time stands still it is one more than
/// `ticks`.
pub fn counters_json(app: &App) -> Value {
    let count = |side| match &app.flight {
        Some(flight) => flight.count(side),
        None => app.battle.count(side),
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
        "hash": format!("{:016x}", app.hash()),
        "battle_hash": format!("{:016x}", app.battle_hash()),
        "lanes": app.lanes.iter().map(lane).collect::<Vec<_>>(),
    });
    if app.flight.is_none() {
        all["keep_apart_m"] = shortest(app.battle.keep_apart()).into();
    }
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

/// A row of the table of Compare; of what was not measured, why.
fn survey_row(row: &SurveyRow) -> Value {
    let info = row.choice.kind.info();
    let chosen = match &row.outcome {
        Outcome::Measured(row) => &row.chosen[..],
        Outcome::TooMany(_) | Outcome::TooLong => &[],
    };
    // All of them, as a lane has them: what a default is, nobody knows without the program, and what was chosen is in use.
    let in_use = |knob: usize| {
        let own = chosen.iter().find(|(it, _)| *it == knob);
        (
            knob,
            own.map_or(row.choice.value(knob), |(_, value)| *value),
        )
    };
    let set: Vec<(usize, f64)> = (0..info.knobs.len()).map(in_use).collect();
    let mut all = json!({
        "structure": info.key,
        "knobs": compare::knobs(info, &set),
        // As the window says it: what stands at a tick is what the next one asks.
        "tick": row.tick + 1,
        "readings": row.readings,
        "doubtful": row.is_doubtful(),
    });
    let is_doubtful = |times: &[usize]| row.doubt(times).is_some();
    let doubtful = json!({
        "build_us": is_doubtful(&[0]),
        "update_us": is_doubtful(&[1]),
        "query_us": is_doubtful(&[2]),
        "update_query_us": is_doubtful(UPDATE_AND_QUERY),
        "rectangle_us": is_doubtful(&[3]),
        "nearest_us": is_doubtful(&[4]),
        "tick_us": is_doubtful(OF_TICK),
    });
    let least = |times: &[usize]| row.least(times);
    let least = json!({
        "build_us": least(&[0]).map(thousandths),
        "update_us": least(&[1]).map(thousandths),
        "query_us": least(&[2]).map(thousandths),
        "update_query_us": least(UPDATE_AND_QUERY).map(thousandths),
        "rectangle_us": least(&[3]).map(four_digits),
        "nearest_us": least(&[4]).map(four_digits),
        "tick_us": least(OF_TICK).map(thousandths),
    });
    let (of_tick, rectangles) = (|of: &_| row.parts_of_tick(of), row.rectangles);
    let figures = match &row.outcome {
        Outcome::Measured(row) => json!({
            "doubtful_figures": doubtful,
            "least": least,
            "rectangles_a_tick": rectangles,
            "tick_us": thousandths(of_tick(row).iter().sum()),
            "units": row.units,
            "reach_m": shortest(row.reach),
            "auto": compare::knobs(info, &row.chosen),
            "pairs": row.pairs,
            "tests": row.tests,
            "visits": row.visits,
            "bytes": row.bytes,
            "build_us": thousandths(row.build_us),
            "update_us": thousandths(row.update_us),
            "query_us": thousandths(row.query_us),
            "update_query_us": thousandths(row.update_us + row.query_us),
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
/// measured is empty, and `not_measured` says why. `doubtful` says that any of its times is; `build_us_doubtful` and the like say it of each
/// time alone, and `build_us_least` and the like are the least readings of this moment, empty where two runs must look alike. `tick_us` is
/// a tick with `rectangles_a_tick` single rectangles beside what it asks by itself. `tick` is the one that asks what was measured, as the
/// window names it: the one after that which stood. `knobs` are the values in use, and `auto` those of them that the structure was left to
/// choose. `reach_m` is how far pairs are looked for, which is more than the reach of units that keep farther apart.
pub fn table_csv<'r>(scene: &str, rows: impl Iterator<Item = &'r SurveyRow>) -> String {
    /// Where each column is in what [`survey_row`] says.
    const COLUMNS: [(&str, &str); 41] = [
        ("units", "/units"),
        ("reach_m", "/reach_m"),
        ("structure", "/structure"),
        ("knobs", "/knobs"),
        ("auto", "/auto"),
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
        ("rectangles_a_tick", "/rectangles_a_tick"),
        ("tick_us", "/tick_us"),
        ("tick_us_doubtful", "/doubtful_figures/tick_us"),
        ("build_us_least", "/least/build_us"),
        ("update_us_least", "/least/update_us"),
        ("query_us_least", "/least/query_us"),
        ("update_query_us_least", "/least/update_query_us"),
        ("rectangle_us_least", "/least/rectangle_us"),
        ("nearest_us_least", "/least/nearest_us"),
        ("tick_us_least", "/least/tick_us"),
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
        Some(number) => thousandths(number).to_string(),
        None => cell(value),
    }
}

/// A number to three decimals: of one time in microseconds the clock tells no more. What is less than that is 0, and not -0.
fn thousandths(number: f64) -> f64 {
    (number * 1.0e3).round() / 1.0e3 + 0.0
}

/// A number to four digits: a time that many questions took together may be far less than the clock tells of one.
fn four_digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// What one single question costs, on average but for the time.
fn price(price: &Price) -> Value {
    json!({
        "us": four_digits(price.us),
        "tests": thousandths(price.tests),
        "visits": thousandths(price.visits),
        "found": thousandths(price.found),
    })
}

fn lane(lane: &LaneView) -> Value {
    let (structure, cost) = (&lane.structure, &lane.cost);
    let all = 0..structure.info().knobs.len();
    let set: Vec<(usize, f64)> = all.map(|knob| (knob, structure.in_effect(knob))).collect();
    // Which of them it was left to choose.
    let is_auto =
        |(knob, _): &&(usize, f64)| structure.info().knobs[*knob].is_auto(structure.knob(*knob));
    let chosen: Vec<(usize, f64)> = set.iter().filter(is_auto).copied().collect();
    // At rest the structure is built, and nothing is brought up to date.
    let [upkeep_us, upkeep] = match cost.at_rest {
        true => ["build_us", "build"],
        false => ["update_us", "update"],
    };
    json!({
        "structure": structure.info().key,
        "knobs": compare::knobs(structure.info(), &set),
        "auto": compare::knobs(structure.info(), &chosen),
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
    use skirmish::session::{Action, Session, hash_of};
    use skirmish::streaming::{TourAsk, TourPicture};

    #[test]
    fn a_cell_of_the_table_is_read_as_it_was_meant() {
        let knobs = json!({ "cell_size": 2.5, "update": "partial" });
        assert_eq!(cell(&knobs), "cell_size=2.5 update=partial");
        assert_eq!(cell(&Value::Null), "");
        assert_eq!(cell(&json!("9 tests")), "9 tests");
        assert_eq!(quoted("Calm"), "Calm");
        assert_eq!(quoted("Calm, or \"not\""), "\"Calm, or \"\"not\"\"\"");
        assert_eq!(shortest(3.2).to_string(), "3.2");
        assert_eq!(
            [0.0, 0.020_512_3, 123.456_78].map(four_digits),
            [0.0, 0.020_51, 123.5]
        );
        let head = "scene,units,reach_m,structure,knobs,auto,tick,readings,doubtful,agrees,pairs,tests,visits,bytes,build_us,update_us,query_us,\
                    update_query_us,rectangle_m,rectangle_height_m,rectangle_us,rectangle_tests,nearest_k,nearest_us,nearest_tests,not_measured,\
                    build_us_doubtful,update_us_doubtful,query_us_doubtful,update_query_us_doubtful,rectangle_us_doubtful,nearest_us_doubtful,\
                    rectangles_a_tick,tick_us,tick_us_doubtful,build_us_least,update_us_least,query_us_least,update_query_us_least,\
                    rectangle_us_least,nearest_us_least,tick_us_least\r\n";
        assert_eq!(table_csv("Calm", [].iter()), head);
    }

    #[test]
    fn a_row_of_the_table_has_each_time_its_least_reading_and_whether_it_is_doubtful() {
        let measured = SurveyRow::measured();
        // Of each: build, update, query, one rectangle, one search for the nearest.
        let readings = [
            [100.0, 20.0, 40.0, 1.25, 3.0],
            [200.0, 21.0, 41.0, 1.5, 9.0],
            [300.0, 22.0, 42.0, 1.5, 9.0],
            [300.0, 23.0, 43.0, 1.5, 9.0],
            [300.0, 24.0, 44.0, 1.75, 9.0],
        ];
        let cells = |rectangles, repeats| {
            let row = SurveyRow::of_readings(&measured, &readings, rectangles, repeats);
            let text = table_csv("Calm", [row].iter());
            let mut lines = text.split(END);
            let [names, cells] = [lines.next(), lines.next()].map(|line| {
                let cells = line.expect("a line").split(',');
                cells.map(str::to_owned).collect::<Vec<_>>()
            });
            assert_eq!(names.len(), cells.len());
            names.into_iter().zip(cells).collect::<Vec<_>>()
        };
        let of = |cells: &[(String, String)], name: &str| {
            let mut all = cells.iter();
            let (_, cell) = all.find(|(it, _)| it == name).expect(name);
            cell.clone()
        };
        const TIMES: [(&str, f64, f64, &str); 6] = [
            ("build_us", 300.0, 100.0, "true"),
            ("update_us", 22.0, 20.0, "false"),
            ("query_us", 42.0, 40.0, "false"),
            ("update_query_us", 64.0, 60.0, "false"),
            ("rectangle_us", 1.5, 1.25, "false"),
            ("nearest_us", 9.0, 3.0, "true"),
        ];
        for (rectangles, whole, least) in [(0, 64.0, 60.0), (3, 68.5, 63.75)] {
            let all = cells(rectangles, true);
            let number = |name: &str| of(&all, name).parse::<f64>().expect(name);
            let tick = ("tick_us", whole, least, "false");
            for (name, median, least, doubtful) in TIMES.into_iter().chain([tick]) {
                assert_eq!(number(name), median, "{name}");
                assert_eq!(number(&format!("{name}_least")), least, "{name}");
                assert_eq!(of(&all, &format!("{name}_doubtful")), doubtful, "{name}");
            }
            assert_eq!(number("rectangles_a_tick"), f64::from(rectangles));
            assert_eq!(of(&all, "doubtful"), "true");
        }
        // Where two runs must look alike nothing is the least.
        let all = cells(3, false);
        for (name, ..) in TIMES.into_iter().chain([("tick_us", 0.0, 0.0, "")]) {
            assert_eq!(of(&all, &format!("{name}_least")), "", "{name}");
            assert_eq!(of(&all, &format!("{name}_doubtful")), "false", "{name}");
        }
        assert_eq!(of(&all, "doubtful"), "false");
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
        assert_eq!(world_csv(0, &[]).lines().count(), 1);
    }

    #[test]
    fn after_a_restart_the_rows_of_the_world_are_of_the_ticks_that_the_window_shows() {
        let mut session = ride(&[]);
        let cancel = Cancel::default();
        let csv = |session: &Session| {
            let kinds = session.standing(0).map(|it| (it.kind, &[][..]));
            let kinds: Vec<_> = kinds.into_iter().collect();
            let mut past = Past::default();
            let at = (session.tick_count(), session.world_made());
            past.take(session.timeline().ledger(), at, &kinds);
            world_csv(past.tick, &past.tour.rows)
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
    pub fn ride(settings: &[(&str, &str)]) -> Session {
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

    #[test]
    fn the_hash_of_a_recording_is_of_battle_and_world_and_made_of_both() {
        let mut session = ride(&[]);
        for _ in 0..5 {
            session.tick(&Cancel::default(), &mut ()).expect("a tick");
            let mut picture = TourPicture::default();
            let world = session.world().expect("a world");
            world.picture(&TourAsk::default(), &mut picture);
            let battle = session.battle().hash();
            assert_eq!(hash_of(battle, Some(picture.hash())), session.hash());
            assert_eq!(session.timeline().hashes().last(), Some(&session.hash()));
            assert_ne!(battle, session.hash());
            assert_eq!(hash_of(battle, None), battle);
        }
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
}
