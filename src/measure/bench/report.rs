//! What a benchmark says: a table, JSON, or CSV.

use super::super::ALIKE_TIMES;
use super::super::compare::{autos, in_use, knobs, label};
use super::super::questions::{Price, Question};
use super::timing::Spread;
use super::{Cost, Report, Row};
use crate::probe::Work;
use serde_json::{Map, Value, json};
use std::fmt::{self, Write as _};

/// What is said in CSV of the whole run, in each row.
const RUN: [&str; 9] = [
    "scene",
    "units",
    "ticks",
    "warm_up_ticks",
    "threads",
    "rectangle_m",
    "nearest_k",
    "questions",
    "rectangle_height_m",
];

/// What is said of a row besides times and counters.
const ROW: [&str; 13] = [
    "structure",
    "knobs",
    "auto",
    "skipped",
    "agrees",
    "differs_at_tick",
    "wrong_answer",
    "timed_ticks",
    "bytes",
    "bytes_a_unit",
    "touched_bytes_a_unit_and_tick",
    "memcpy_gb_per_s",
    "memcpy_share",
];

/// Which times there are.
const TIMES: [&str; 6] = ["build", "update", "lookups", "pairs", "queries", "step"];
/// And which of each.
const SPREAD: [&str; 3] = ["median_ms", "p99_ms", "least_ms"];

/// What is said of a single question of each kind.
const PRICE: [&str; 4] = ["us", "tests", "visits", "found"];

/// What is counted besides upkeep and queries, as `simulate` says it.
const COUNTED: [&str; 6] = [
    "hash",
    "alive_blue",
    "alive_orange",
    "pairs",
    "lookups",
    "tests",
];
/// What is counted of upkeep and of queries, besides the steps that only some structures know.
const COUNTERS: [&str; 8] = [
    "visits", "prunes", "accepts", "tests", "hits", "splits", "merges", "refits",
];

impl Report {
    /// Whether the battle went the same way under every structure, counted and timed, and all of them answered the single questions
    /// alike.
    pub fn agrees(&self) -> bool {
        self.measured().all(|(_, cost)| cost.agrees())
    }

    /// The rows that were not left out.
    pub fn measured(&self) -> impl Iterator<Item = (&Row, &Cost)> + Clone {
        self.rows.iter().filter_map(|row| {
            let cost = row.outcome.as_deref().ok()?;
            Some((row, cost))
        })
    }

    /// One object, with a row a structure. Counters have the names and the form that `skirmish simulate` gives them.
    pub fn to_json(&self) -> Value {
        let mut report = self.run_json();
        let copies = self.copies.iter().map(|copy| {
            json!({ "footprint_bytes": copy.footprint, "gb_per_s": hundredths(copy.gb_per_s) })
        });
        report["memcpy"] = copies.collect();
        report["rows"] = self.rows.iter().map(|row| self.row_json(row)).collect();
        report
    }

    fn run_json(&self) -> Value {
        let [width, height] = self.questions.size();
        json!({
            "scene": self.scene,
            "units": self.units,
            "ticks": self.options.ticks,
            "warm_up_ticks": self.options.warm_up,
            "threads": self.options.threads,
            "rectangle_m": width,
            "rectangle_height_m": height,
            "nearest_k": self.questions.nearest(),
            "questions": self.questions.count(),
        })
    }

    fn row_json(&self, row: &Row) -> Value {
        let mut object = Map::new();
        let mut say = |key: &str, value: Value| object.insert(key.to_owned(), value);
        say("structure", row.choice.kind.info().key.into());
        let info = row.choice.kind.info();
        say("knobs", knobs(info, &row.choice.knobs));
        let cost = match &row.outcome {
            Ok(cost) => cost,
            Err(reason) => {
                say("skipped", reason.as_str().into());
                return object.into();
            }
        };
        say("skipped", Value::Null);
        say("auto", knobs(info, &cost.counted.chosen));
        say("in_use", in_use(&row.choice, &cost.counted.chosen));
        say("agrees", cost.agrees().into());
        say("differs_at_tick", cost.differs_at.into());
        say("wrong_answer", cost.wrong_answer.clone().into());
        say("timed_ticks", cost.timed.ticks.into());
        for (kind, spread) in TIMES.iter().zip(spreads(cost)) {
            let values = [spread.median, spread.p99, spread.least];
            for (which, ms) in SPREAD.iter().zip(values) {
                // No clock is good for more than a tenth of a microsecond.
                let ms = (ms * 1.0e4).round() / 1.0e4;
                say(&format!("{kind}_{which}"), ms.into());
            }
        }
        for (question, price) in Question::ALL.into_iter().zip(&cost.prices) {
            for (which, value) in PRICE.iter().zip(figures(price)) {
                say(&format!("{}_{which}", question.word()), value.into());
            }
        }
        say("bytes_a_unit", hundredths(self.a_unit(cost.bytes())).into());
        let mut parts = Map::new();
        for &(part, bytes) in &cost.counted.memory {
            // Parts of one name are one part.
            let sum = parts.get(part).and_then(Value::as_u64).unwrap_or(0);
            parts.insert(part.to_owned(), (sum + bytes as u64).into());
        }
        say("memory_bytes", parts.into());
        let touched = hundredths(self.a_unit(cost.touched));
        say("touched_bytes_a_unit_and_tick", touched.into());
        let speed = cost.copy.map(|copy| hundredths(copy.gb_per_s));
        say("memcpy_gb_per_s", speed.into());
        let share = (cost.share_of_copy() * 1.0e4).round() / 1.0e4;
        say("memcpy_share", share.into());
        if let Value::Object(counted) = cost.counted.to_json() {
            object.extend(counted);
        }
        object.into()
    }

    /// How much of it there is for each unit.
    fn a_unit(&self, sum: f64) -> f64 {
        sum / self.units.max(1) as f64
    }

    /// A line of headings and a line a row, as RFC 4180 wants them.
    pub fn to_csv(&self) -> String {
        let headings = headings();
        let mut text = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            for (place, cell) in cells.enumerate() {
                if place > 0 {
                    text.push(',');
                }
                text.push_str(&quoted(&cell));
            }
            text.push_str("\r\n");
        };
        line(&mut headings.iter().cloned());
        for row in &self.rows {
            let mut flat = Map::new();
            flatten("", self.run_json(), &mut flat);
            flatten("", self.row_json(row), &mut flat);
            let label = label(&row.choice);
            let knobs = label.split_once(':').map_or("", |(_, knobs)| knobs);
            flat.insert("knobs".to_owned(), knobs.into());
            let cost = row.outcome.as_ref().ok();
            let chosen = cost.map(|cost| (row.choice.kind.info(), &*cost.counted.chosen));
            flat.insert(
                "auto".to_owned(),
                autos(chosen.into_iter()).unwrap_or_default().into(),
            );
            line(&mut headings.iter().map(|heading| match flat.get(heading) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) => String::new(),
                Some(value) => value.to_string(),
                // A step of upkeep that did not happen is not said of a structure; of one that was left out nothing is.
                None if row.outcome.is_ok() => "0".to_owned(),
                None => String::new(),
            }));
        }
        text
    }
}

impl Cost {
    fn bytes(&self) -> f64 {
        self.counted.bytes() as f64
    }

    /// What a step costs, in milliseconds.
    fn ms(&self) -> f64 {
        self.timed.update.median + self.timed.queries.median
    }
}

/// In the order of [`TIMES`].
fn spreads(cost: &Cost) -> [Spread; TIMES.len()] {
    let timed = &cost.timed;
    [
        timed.build,
        timed.update,
        timed.lookups,
        timed.pairs,
        timed.queries,
        timed.step,
    ]
}

/// The headings of CSV: the same for every scene and every structure.
fn headings() -> Vec<String> {
    let fixed = RUN.iter().chain(&ROW).map(|key| (*key).to_owned());
    let mut all: Vec<String> = fixed.collect();
    for kind in TIMES {
        all.extend(SPREAD.map(|which| format!("{kind}_{which}")));
    }
    for question in Question::ALL {
        all.extend(PRICE.map(|which| format!("{}_{which}", question.word())));
    }
    all.extend(COUNTED.map(str::to_owned));
    for group in ["update", "query"] {
        let counters = COUNTERS.into_iter().map(str::to_owned);
        let work = Work::ALL.iter().map(|work| key(work.name()));
        all.extend(counters.chain(work).map(|name| format!("{group}_{name}")));
    }
    all
}

/// In the order of [`PRICE`]; of a batch of many questions a nanosecond is still known.
fn figures(price: &Price) -> [f64; PRICE.len()] {
    let us = (price.us * 1.0e3).round() / 1.0e3;
    [
        us,
        hundredths(price.tests),
        hundredths(price.visits),
        hundredths(price.found),
    ]
}

/// A name as one word.
fn key(name: &str) -> String {
    name.replace(", ", "_").replace(' ', "_")
}

/// Lays the objects within objects out side by side, the outer key before the inner one.
fn flatten(before: &str, value: Value, into: &mut Map<String, Value>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let name = key(&name);
                let name = if before.is_empty() {
                    name
                } else {
                    format!("{before}_{name}")
                };
                flatten(&name, value, into);
            }
        }
        value => {
            into.insert(before.to_owned(), value);
        }
    }
}

/// A cell of CSV: in quotes where it has to be.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Times are of one step, but for building; `x best` is the ratio of update and queries together to the least; what is touched
/// is reckoned a unit and step, and `of memcpy` is at which share of the speed of copying that happens. The last two are of one single
/// question each, at the start.
const TABLE: [&str; 14] = [
    "structure",
    "build ms",
    "update ms",
    "update p99",
    "queries ms",
    "queries p99",
    "of it pairs",
    "x best",
    "B a unit",
    "tests a unit",
    "B touched",
    "of memcpy",
    "rectangle us",
    "nearest us",
];

/// A table, the best marked by the ratio 1.00.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = &self.options;
        writeln!(
            f,
            "{}: {}, {} of which the first {} not timed, on {}",
            self.scene,
            so_many(self.units, "unit"),
            so_many(options.ticks, "tick"),
            if options.warm_up == 1 {
                "is".to_owned()
            } else {
                format!("{} are", options.warm_up)
            },
            so_many(options.threads as u64, "thread"),
        )?;
        self.write_questions(f)?;
        let least = self
            .measured()
            .map(|(_, cost)| cost.ms())
            .fold(f64::INFINITY, f64::min);
        let ticks = options.ticks as f64;
        let mut table = vec![TABLE.map(str::to_owned)];
        table.extend(self.measured().map(|(row, cost)| {
            let timed = &cost.timed;
            let ratio = if least > 0.0 {
                format!("{:.2}", cost.ms() / least)
            } else {
                "-".to_owned()
            };
            let [rectangle, nearest] = cost.prices;
            [
                label(&row.choice),
                ms(timed.build.median),
                ms(timed.update.median),
                ms(timed.update.p99),
                ms(timed.queries.median),
                ms(timed.queries.p99),
                ms(timed.pairs.median),
                ratio,
                number(self.a_unit(cost.bytes())),
                number(self.a_unit(cost.counted.query.tests as f64 / ticks)),
                number(self.a_unit(cost.touched)),
                format!("{:.1} %", cost.share_of_copy() * 100.0),
                us(rectangle.us),
                us(nearest.us),
            ]
        }));
        let width = |column: usize| {
            let cells = table.iter().map(|cells| cells[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: [usize; TABLE.len()] = std::array::from_fn(width);
        if table.len() > 1 {
            for cells in &table {
                write!(f, "  {:<1$}", cells[0], widths[0])?;
                for (cell, width) in cells.iter().zip(widths).skip(1) {
                    write!(f, "  {cell:>width$}")?;
                }
                writeln!(f)?;
            }
        }
        self.write_notes(f)
    }
}

impl Report {
    /// Which single questions the last columns are about.
    fn write_questions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rectangle, nearest] = Question::ALL.map(|question| self.questions.words(question));
        let found = self.measured().next().map(|(_, cost)| cost.prices[0].found);
        let found = match found {
            Some(found) => format!(" ({} units in it on average)", number(found)),
            None => String::new(),
        };
        writeln!(
            f,
            "  single questions at the start: {rectangle}{found}, and {nearest}; counted at {}",
            so_many(self.questions.count() as u64, "place"),
        )
    }

    /// What is left to be said below the table.
    fn write_notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            match &row.outcome {
                Err(reason) => writeln!(f, "  {} skipped: {reason}", label(&row.choice))?,
                Ok(cost) => {
                    if let Some(tick) = cost.differs_at {
                        let name = label(&row.choice);
                        writeln!(
                            f,
                            "  {name} differs: the battle is another one after tick {tick}"
                        )?;
                    }
                    if let Some(question) = &cost.wrong_answer {
                        let name = label(&row.choice);
                        writeln!(f, "  {name} differs: it answers {question} otherwise")?;
                    }
                }
            }
        }
        let rows = self.measured();
        let chosen = rows.map(|(row, cost)| (row.choice.kind.info(), &*cost.counted.chosen));
        if let Some(words) = autos(chosen) {
            writeln!(f, "  auto    {words}")?;
        }
        if self.units == 0 {
            writeln!(
                f,
                "  the scene has no units: this is what nothing costs (`skirmish stream` measures a world)"
            )?;
        }
        let timed = self.measured().map(|(_, cost)| cost.timed.ticks);
        if let (Some(least), Some(most)) = (timed.clone().min(), timed.max()) {
            let mut ticks = least.to_string();
            if most > least {
                // Writing into a string cannot fail.
                let _ = write!(ticks, " to {most}");
            }
            writeln!(f, "  timed   {ticks} ticks of each structure, in turns")?;
        }
        if let (Some(small), Some(large)) = (self.copies.first(), self.copies.last()) {
            writeln!(
                f,
                "  memcpy  {:.1} GB/s read and written within {} KiB, {:.1} within {} MiB",
                small.gb_per_s,
                small.footprint >> 10,
                large.gb_per_s,
                large.footprint >> 20
            )?;
        }
        let first = self.measured().next();
        match first {
            Some((_, cost)) => write!(f, "  hash    {:016x}", cost.counted.hash)?,
            None => write!(f, "  nothing was measured")?,
        }
        let rows = self.measured().filter(|(_, cost)| cost.agrees());
        let times = rows.map(|(row, cost)| (label(&row.choice), cost.ms()));
        match quickest(times.collect()) {
            Some(words) => write!(f, "\n  quickest: {words}"),
            None => Ok(()),
        }
    }
}

/// Who takes the least of these times, and who is about as quick; `None` where nobody is compared with anybody.
fn quickest(mut times: Vec<(String, f64)>) -> Option<String> {
    times.sort_by(|a, b| a.1.total_cmp(&b.1));
    let ((first, least), others) = times.split_first()?;
    if others.is_empty() || *least <= 0.0 {
        return None;
    }
    let is_alike = |(_, ms): &&(String, f64)| *ms < ALIKE_TIMES * least;
    let alike: Vec<&str> = others
        .iter()
        .take_while(is_alike)
        .map(|(name, _)| name.as_str())
        .collect();
    let within = format!("about as quick (within {ALIKE_TIMES} times)");
    Some(match &alike[..] {
        [] => first.clone(),
        all if all.len() > 1 && all.len() == others.len() => format!("none, all are {within}"),
        [one] => format!("{first}; {one} {within}"),
        [one, other] => format!("{first}; {one} and {other} {within}"),
        all => format!("{first}; {} others {within}", all.len()),
    })
}

/// So many of something.
fn so_many(count: u64, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// Milliseconds, as many digits as a clock is good for and nobody reads past.
fn ms(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.4}")
    } else {
        format!("{value:.2}")
    }
}

/// Microseconds of a single question, to the nanosecond while they are few.
fn us(value: f64) -> String {
    if value < 100.0 {
        format!("{value:.3}")
    } else {
        format!("{value:.1}")
    }
}

fn number(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.2}")
    } else if value < 1_000.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quickest_is_named_with_those_that_are_about_as_quick() {
        let said = |times: &[f64]| {
            let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
            quickest(names.into_iter().zip(times.iter().copied()).collect())
        };
        let words = |times: &[f64]| said(times).expect("several");
        assert_eq!(words(&[3.0, 1.0, 2.0]), "b");
        assert_eq!(
            words(&[1.1, 1.0, 2.0]),
            "b; a about as quick (within 1.15 times)"
        );
        assert_eq!(
            words(&[1.14, 1.0, 1.16, 1.1]),
            "b; d and a about as quick (within 1.15 times)"
        );
        assert_eq!(
            words(&[1.0, 1.1, 1.1, 1.1, 9.0]),
            "a; 3 others about as quick (within 1.15 times)"
        );
        assert_eq!(
            words(&[1.0, 1.1, 1.1]),
            "none, all are about as quick (within 1.15 times)"
        );
        assert_eq!(
            words(&[1.0, 1.1]),
            "a; b about as quick (within 1.15 times)"
        );
        assert_eq!(said(&[1.0]), None);
        assert_eq!(said(&[0.0, 0.0]), None);
    }
}
