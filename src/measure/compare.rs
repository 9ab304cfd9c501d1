//! One battle, or one flight, that several structures follow side by side: what each of them costs, and whether all of them answer alike.
//!
//! The structures are the lanes of a [`Session`]: the first one answers the battle, and each further one is asked the same at
//! the same tick, so that what is compared is never two battles. Each counts exactly what it counts when it carries the
//! battle alone. Its times are a little longer than alone, as it also adds up a digest of the pairs by which answers are
//! compared; that is the same work for each of them.

use super::simulate::tenths;
use super::times::{micros, quantile};
use crate::battle::{Difference, Phase};
use crate::partition::{Info, KnobRange};
use crate::probe::Cancel;
use crate::scene::{AnyChoice, Scene, StructureChoice};
use crate::session::{AnyIndex, Crowding, Lane, LaneWatch, Refusal, Session};
use crate::structure::AnyKind;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// How many structures are compared at once at the most: room for every one of the registry and some of them with other
/// knobs, and a bound on the memory that they take.
pub const MOST: usize = 16;

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// How many steps.
    pub ticks: u64,
    /// Units alive at the start.
    pub units: u64,
    /// The state at the end, as a [`Session::hash`].
    pub hash: u64,
    /// A row a structure, in the order in which they were given.
    pub rows: Vec<Row>,
}

/// What one structure cost. Times are of one step, in microseconds; sums are over all steps that it answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The structure, with the knobs that differ from their defaults.
    pub choice: AnyChoice,
    /// The knobs that it was left to choose, each with what it chose.
    pub chosen: Vec<(usize, f64)>,
    /// The first answer that was not the first structure's; since then it was asked no more.
    pub difference: Option<Difference>,
    /// Pairs found.
    pub pairs: u64,
    /// Units and pairs compared by the queries.
    pub tests: u64,
    /// Nodes or cells entered by the queries.
    pub visits: u64,
    /// The median time in which the structure learned of the movement.
    pub update_us_p50: f64,
    /// The median time of the queries: the enemies looked for, and the pairs with what they do to each other.
    pub query_us_p50: f64,
    /// The bytes that the structure takes at the end.
    pub bytes: usize,
}

/// The structures of a comparison for which none were named: those that the scene names, or every one of its registry, each
/// with its defaults but for the scene's own.
pub fn usual(scene: &Scene) -> Vec<AnyChoice> {
    let own = scene.own_choice();
    let lanes = scene.lane_choices();
    if !lanes.is_empty() {
        return std::iter::once(own).chain(lanes).collect();
    }
    let with_defaults = |kind| {
        if kind == own.kind {
            own.clone()
        } else {
            StructureChoice::new(kind)
        }
    };
    own.kind.siblings().into_iter().map(with_defaults).collect()
}

/// A structure and its knobs as the command line names them.
pub fn label<K: AnyKind>(choice: &StructureChoice<K>) -> String {
    let info = choice.kind.info();
    let mut text = info.key.to_owned();
    for &(knob, value) in &choice.knobs {
        let knob = &info.knobs[knob];
        // Writing into a string cannot fail.
        let _ = write!(text, ":{}={}", knob.key, knob.format(value));
    }
    text
}

/// Runs what happens in the scene with `choices` following it; where there are none, with the [`usual`] ones. Refused where one
/// of them is of another dimension. Before the first step `warn` hears whether one takes long.
pub fn run(
    scene: &Scene,
    choices: &[AnyChoice],
    ticks: u64,
    warn: &mut dyn FnMut(&Crowding),
) -> Result<Report, Refusal> {
    let choices = match choices {
        [] => usual(scene),
        some => some.to_vec(),
    };
    let mut scene = scene.clone();
    // The battle alone; what streams around it costs no structure anything.
    scene.world = None;
    scene
        .set_choices(&choices)
        .map_err(|wrong| Refusal::Sentence(wrong.to_string()))?;
    let name = scene.name.clone();
    let (mut session, _) = Session::new(scene, Path::new(""));
    if ticks > 0
        && let Some(crowding) = session.crowding()
    {
        warn(&crowding);
    }
    // Nobody goes back here.
    session.timeline_mut().set_budget(0);
    let units = session.alive();
    let cancel = Cancel::default();
    let mut tallies = vec![Tally::default(); session.lane_count()];
    for _ in 0..ticks {
        let stood = standing(&session);
        let mut laps = Laps::new(tallies.len());
        session.tick(&cancel, &mut laps)?;
        let stands = standing(&session);
        for (place, tally) in tallies.iter_mut().enumerate() {
            let Some(lane) = session.standing(place).filter(|_| stood[place]) else {
                continue;
            };
            tally.pairs += lane.cost.pairs;
            tally.tests += lane.cost.query.tests;
            tally.visits += lane.cost.query.visits;
            let time_of = |phase: Phase| micros(laps.times[place][phase as usize]);
            tally
                .queries
                .push((time_of(Phase::Think) + time_of(Phase::Pairs)) as f32);
            if stands[place] {
                tally.updates.push(time_of(Phase::Update) as f32);
            }
        }
    }
    let rows = match session.flight() {
        Some(_) => rows(tallies, session.lanes3()),
        None => rows(tallies, session.lanes()),
    };
    Ok(Report {
        scene: name,
        ticks,
        units,
        hash: session.hash(),
        rows,
    })
}

/// What is summed of a lane while it runs.
#[derive(Clone, Debug, Default)]
struct Tally {
    pairs: u64,
    tests: u64,
    visits: u64,
    /// A time a step, in single precision: finer than a clock is good for, and there may be a million steps.
    updates: Vec<f32>,
    queries: Vec<f32>,
}

/// Of each lane, whether all of its answers were right so far.
fn standing(session: &Session) -> Vec<bool> {
    let lanes = (0..session.lane_count()).filter_map(|place| session.standing(place));
    lanes.map(|lane| lane.difference.is_none()).collect()
}

/// A row a lane.
fn rows<I: AnyIndex>(tallies: Vec<Tally>, lanes: &[Lane<I>]) -> Vec<Row> {
    let row = |(tally, lane): (Tally, &Lane<I>)| Row {
        choice: lane.choice().of_either(),
        chosen: lane.index().chosen(),
        difference: lane.difference,
        pairs: tally.pairs,
        tests: tally.tests,
        visits: tally.visits,
        update_us_p50: median(&tally.updates),
        query_us_p50: median(&tally.queries),
        bytes: lane.byte_count(),
    };
    tallies.into_iter().zip(lanes).map(row).collect()
}

/// How long each phase of a step took each lane.
struct Laps {
    last: Instant,
    times: Vec<[Duration; Phase::ALL.len()]>,
}

impl Laps {
    fn new(lanes: usize) -> Self {
        Self {
            last: Instant::now(),
            times: vec![[Duration::ZERO; Phase::ALL.len()]; lanes],
        }
    }
}

impl LaneWatch for Laps {
    fn begin(&mut self, _: usize) {
        self.last = Instant::now();
    }

    fn lap(&mut self, lane: usize, phase: Phase) {
        let now = Instant::now();
        self.times[lane][phase as usize] = now - self.last;
        self.last = now;
    }
}

fn median(times: &[f32]) -> f64 {
    let mut times: Vec<f64> = times.iter().copied().map(f64::from).collect();
    quantile(&mut times, 0.5)
}

impl Report {
    /// Whether every structure gave the same answers as the first one, from the first step to the last.
    pub fn agrees(&self) -> bool {
        self.rows.iter().all(Row::agrees)
    }

    /// One object, with a row a structure; the hash in 16 hex digits, or null where the structure answered differently.
    pub fn to_json(&self) -> serde_json::Value {
        let rows: Vec<_> = self.rows.iter().map(|row| row.to_json(self.hash)).collect();
        serde_json::json!({
            "scene": self.scene,
            "ticks": self.ticks,
            "units": self.units,
            "rows": rows,
        })
    }
}

impl Row {
    /// Whether it gave the same answers as the first one.
    pub fn agrees(&self) -> bool {
        self.difference.is_none()
    }

    fn to_json(&self, hash: u64) -> serde_json::Value {
        let info = self.choice.kind.info();
        let mut row = serde_json::json!({
            "structure": info.key,
            "knobs": knobs(info, &self.choice.knobs),
            "auto": knobs(info, &self.chosen),
            "hash": self.agrees().then(|| format!("{hash:016x}")),
            "agrees": self.agrees(),
            "pairs": self.pairs,
            "tests": self.tests,
            "visits": self.visits,
            "update_us_p50": tenths(self.update_us_p50),
            "query_us_p50": tenths(self.query_us_p50),
            "bytes": self.bytes,
        });
        if let Some(difference) = &self.difference {
            row["difference"] = difference.to_string().into();
        }
        row
    }

    /// What a step costs with this structure, in microseconds.
    fn us(&self) -> f64 {
        self.update_us_p50 + self.query_us_p50
    }
}

/// These knobs with their values, numbers as numbers and switches as such.
pub fn knobs(info: &Info, values: &[(usize, f64)]) -> serde_json::Value {
    let mut object = serde_json::Map::new();
    for &(knob, value) in values {
        let knob = &info.knobs[knob];
        let value = match knob.range {
            KnobRange::Number { .. } if knob.is_auto(value) => knob.format(value).into(),
            KnobRange::Number { whole: true, .. } => (value as i64).into(),
            KnobRange::Number { .. } => value.into(),
            KnobRange::Choice(_) => knob.format(value).into(),
            KnobRange::Switch => (value != 0.0).into(),
        };
        object.insert(knob.key.to_owned(), value);
    }
    object.into()
}

/// Every knob of a structure with the value that was in use: what it was left to choose as it has `chosen`, everything else as it was set
/// or as it is by default.
pub fn in_use<K: AnyKind>(
    choice: &StructureChoice<K>,
    chosen: &[(usize, f64)],
) -> serde_json::Value {
    let info = choice.kind.info();
    let value = |knob: usize| {
        let own = chosen.iter().find(|(it, _)| *it == knob);
        (
            knob,
            own.map_or_else(|| choice.value(knob), |(_, value)| *value),
        )
    };
    let all: Vec<(usize, f64)> = (0..info.knobs.len()).map(value).collect();
    knobs(info, &all)
}

/// What structures were left to choose and have chosen, in words, each of them once; `None` where nothing was left to any.
pub(super) fn autos<'a>(
    rows: impl Iterator<Item = (&'static Info, &'a [(usize, f64)])>,
) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for (info, chosen) in rows {
        for (knob, value) in chosen {
            let knob = &info.knobs[*knob];
            let word = format!("{} {} {}", info.key, knob.key, knob.format(*value));
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// A table, the best of the right ones marked by the ratio 1.00.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} units, {} tick{}, {} structure{} on one battle",
            self.scene,
            self.units,
            self.ticks,
            if self.ticks == 1 { "" } else { "s" },
            self.rows.len(),
            if self.rows.len() == 1 { "" } else { "s" },
        )?;
        let right = || self.rows.iter().filter(|row| row.agrees());
        let least_us = right().map(Row::us).fold(f64::INFINITY, f64::min);
        let least_tests = right().map(|row| row.tests).min().unwrap_or(0) as f64;
        let mut table = vec![HEADINGS.map(str::to_owned)];
        table.extend(self.rows.iter().map(|row| {
            [
                label(&row.choice),
                row.pairs.to_string(),
                row.tests.to_string(),
                ratio(row, row.tests as f64, least_tests),
                row.visits.to_string(),
                format!("{:.1}", row.update_us_p50),
                format!("{:.1}", row.query_us_p50),
                ratio(row, row.us(), least_us),
                row.bytes.to_string(),
            ]
        }));
        let width = |column: usize| {
            let cells = table.iter().map(|cells| cells[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: [usize; HEADINGS.len()] = std::array::from_fn(width);
        for cells in &table {
            write!(f, "  {:<1$}", cells[0], widths[0])?;
            for (cell, width) in cells.iter().zip(widths).skip(1) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        let rows = self.rows.iter();
        if let Some(words) = autos(rows.map(|row| (row.choice.kind.info(), &*row.chosen))) {
            writeln!(f, "  auto  {words}")?;
        }
        for row in &self.rows {
            if let Some(difference) = &row.difference {
                writeln!(f, "  {} differs: {difference}", label(&row.choice))?;
            }
        }
        write!(f, "  hash  {:016x}", self.hash)
    }
}

/// The times are medians of a step, in microseconds; what is left of them sums over all steps. `x best` is the ratio to
/// the least of its kind: of the tests, and of update and query together.
const HEADINGS: [&str; 9] = [
    "structure",
    "pairs",
    "tests",
    "x best",
    "visits",
    "update us",
    "query us",
    "x best",
    "bytes",
];

/// How many times the best; nothing where there is no telling, as of a structure that stopped half-way.
fn ratio(row: &Row, value: f64, best: f64) -> String {
    if row.agrees() && best > 0.0 {
        format!("{:.2}", value / best)
    } else {
        "-".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::PairFault;
    use crate::partition::Kind;

    fn row(kind: Kind, tests: u64, us: f64) -> Row {
        Row {
            choice: StructureChoice::new(kind).of_either(),
            chosen: Vec::new(),
            difference: None,
            pairs: 7,
            tests,
            visits: 3,
            update_us_p50: us,
            query_us_p50: us,
            bytes: 640,
        }
    }

    fn report() -> Report {
        let mut wrong = row(Kind::ALL[2], 1, 0.5);
        wrong.choice.set("cell_size", "2.5").expect("a grid's knob");
        wrong.difference = Some(Difference::Pair {
            tick: 4,
            pair: (1, 9),
            fault: PairFault::Missed,
        });
        Report {
            scene: "Field".to_owned(),
            ticks: 5,
            units: 30,
            hash: 0xabc,
            rows: vec![
                row(Kind::ALL[0], 300, 8.0),
                row(Kind::ALL[1], 100, 2.0),
                wrong,
            ],
        }
    }

    #[test]
    fn a_structure_that_answers_differently_has_no_hash_and_says_where() {
        let report = report();
        assert!(!report.agrees());
        let json = report.to_json();
        assert_eq!(json["rows"][1]["hash"], "0000000000000abc");
        assert_eq!(json["rows"][1]["agrees"], true);
        assert!(json["rows"][1].get("difference").is_none());
        let wrong = &json["rows"][2];
        assert!(wrong["hash"].is_null());
        assert_eq!(wrong["agrees"], false);
        assert_eq!(wrong["difference"], "tick 4: the pair 1, 9 was missed");
        assert_eq!(wrong["knobs"], serde_json::json!({ "cell_size": 2.5 }));
    }

    #[test]
    fn the_table_is_aligned_and_measures_against_the_best_that_is_right() {
        let text = report().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "Field: 30 units, 5 ticks, 3 structures on one battle"
        );
        let length = |line: &&str| line.chars().count();
        assert!(
            lines[1..5]
                .iter()
                .all(|line| length(line) == length(&lines[1]))
        );
        assert!(
            lines[2].contains("3.00") && lines[2].contains("4.00"),
            "{text}"
        );
        assert_eq!(lines[3].matches("1.00").count(), 2, "{text}");
        assert_eq!(lines[4].matches(" - ").count(), 2, "{text}");
        assert_eq!(
            lines[5].trim(),
            "linked-grid:cell_size=2.5 differs: tick 4: the pair 1, 9 was missed"
        );
    }

    #[test]
    fn without_names_it_is_what_the_scene_names_or_everything() {
        let mut scene = crate::scene::file::built_in();
        scene.lanes.clear();
        let all = usual(&scene);
        assert_eq!(all.len(), Kind::ALL.len());
        assert!(all.contains(&scene.own_choice()));
        scene.lanes = vec![StructureChoice::new(Kind::ALL[0])];
        assert_eq!(
            usual(&scene),
            [scene.own_choice(), scene.lanes[0].clone().of_either()]
        );
    }
}
