//! `skirmish bench`

use super::choices::{as_in, check, choice};
use super::output::put;
use super::scenes::{BattleOverrides, not_over, units};
use super::values::{number, seed, whole};
use super::{Failure, complain, warn};
use clap::Args;
use skirmish::built_in;
use skirmish::measure::bench::{self, Options, Progress, Report};
use skirmish::measure::questions::{Asked, MOST_NEAREST, NEAREST};
use skirmish::partition::COORDINATE_LIMIT;
use skirmish::scene::{AnyChoice, Scene, StructureChoice};
use skirmish::structure::StructureKind;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Measure what each structure, with each value of its knobs, costs for a scene: update, queries and memory apart
///
/// Every structure carries the scene's battle twice: once counted, as `skirmish simulate` counts it, and once timed, the
/// structures in turns so that whatever else the machine does hits all alike. What the counted pass finds to be too slow for
/// the time that there is, is left out and says so. As the scene starts, each is also asked single questions, at the same places
/// around units of the scene: who stands in this rectangle, and who are the nearest? `rectangle us` and `nearest us` are what one of
/// them takes, in microseconds.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene (a file, or one that is built in: see `skirmish scenes`); without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    /// Structures with commas between them, or `all`; the knobs of one follow it after colons
    ///
    /// As in linked-grid:cell_size=2,quadtree. Without this it is all of them. The scene's own structure keeps its knobs
    /// where none are named.
    #[arg(long, visible_alias = "structure", value_name = "LIST", value_parser = wanted)]
    structures: Option<Wanted>,
    /// Measure a knob at each of these values, such as cell_size=1,2,4; may be given for several knobs
    ///
    /// Every structure that is named has to have the knob; of all structures, those that have it. Each value has to be one that some
    /// of them takes; it is left out of those that do not, and stderr says so. Several knobs are measured in all their
    /// combinations, at most 1000 rows together.
    #[arg(long = "set", visible_alias = "knob", value_name = "KNOB=VALUE,...", value_parser = setting)]
    settings: Vec<Setting>,
    /// Make it this many units in all, each army keeping its share; of several numbers each is measured
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = units)]
    units: Vec<u32>,
    /// Seed the generators and the battle with this number
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,
    /// How many steps of a sixtieth of a second; without it 600, and fewer where there are many units, down to 8
    #[arg(long, value_name = "N", value_parser = ticks)]
    ticks: Option<u64>,
    /// How many of these steps are not timed, from the first on; without it a quarter of them, and at most 60
    #[arg(long, value_name = "N", value_parser = warm_up)]
    warm_up: Option<u64>,
    /// On how many threads a step runs
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: usize,
    /// For about how long to measure each number of units; what does not fit is left out, the slowest first
    ///
    /// The scene's own structure is measured before all others.
    #[arg(long, value_name = "N", default_value_t = Options::SECONDS, value_parser = seconds)]
    seconds: f64,
    /// The side of the square (in space the cube) whose units are asked for, one square at a time; without it ten
    /// times the reach of the scene's units, in space five times
    ///
    /// Where that reach is 0 it is as many times the mean width of a body, and at the least as wide as holds about 40 units where they stand evenly.
    #[arg(long, value_name = "METRES", value_parser = side)]
    rectangle: Option<f32>,
    /// How high it is, where it is to be no square (in space no cube): then `--rectangle` is how wide it is
    #[arg(long, value_name = "METRES", value_parser = side)]
    rectangle_height: Option<f32>,
    /// How many of the nearest units are asked for, one place at a time
    #[arg(long, value_name = "K", default_value_t = NEAREST, value_parser = nearest)]
    nearest: usize,
    /// Print one JSON object, or a list of them for several numbers of units
    #[arg(long)]
    json: bool,
    /// Print CSV: a line of headings and a line a row
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write it into this file, and nothing to stdout unless the file cannot be written
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What `--structures` names, in its order; at least one.
#[derive(Clone, Debug, PartialEq)]
struct Wanted(Vec<Item>);

#[derive(Clone, Debug, PartialEq)]
enum Item {
    All,
    One(AnyChoice),
}

/// A knob and the values at which it is measured; at least one.
#[derive(Clone, Debug, PartialEq)]
struct Setting {
    knob: String,
    values: Vec<String>,
}

impl Arguments {
    /// Measures and prints a row a structure. One under which the battle went another way, or that answered a question otherwise, is a
    /// run that failed, and so is one in which nothing was measured.
    pub fn run(mut self) -> Result<(), Failure> {
        let crowds: Vec<Option<u32>> = if self.units.is_empty() {
            vec![None]
        } else {
            self.units.drain(..).map(Some).collect()
        };
        if crowds.len() > MOST_CROWDS {
            return Err(Failure::Input(format!(
                "--units: it must be at most {MOST_CROWDS} numbers (found {})",
                crowds.len()
            )));
        }
        let scene = self.scene.as_deref().map(built_in::find_scene);
        not_over("--out", self.out.as_deref(), &[scene.as_deref()])?;
        let mut told = Vec::new();
        let reports: Vec<Report> = crowds
            .into_iter()
            .map(|units| self.measure(units, &mut told))
            .collect::<Result<_, _>>()?;
        put(self.out.as_deref(), &self.words(&reports))?;
        if let Some(report) = reports.iter().find(|it| it.measured().next().is_none()) {
            let whom = if reports.len() == 1 {
                String::new()
            } else {
                format!(" of {} units", report.units)
            };
            return Err(Failure::Run(format!(
                "nothing was measured{whom} in {} s: allow more by --seconds, or ask for fewer --ticks or --units",
                self.seconds
            )));
        }
        let costs = || {
            reports
                .iter()
                .flat_map(|it| it.measured().map(|(_, cost)| cost))
        };
        let sentence = if costs().any(|cost| cost.differs_at.is_some()) {
            "the battle did not go the same way under every structure"
        } else if costs().any(|cost| cost.wrong_answer.is_some()) {
            "the structures did not answer every question alike"
        } else {
            return Ok(());
        };
        Err(Failure::Run(sentence.to_owned()))
    }

    /// Measures the scene with so many units, or with as many as it has. What is left out is said once, and is `told` from then on.
    fn measure(&self, units: Option<u32>, told: &mut Vec<String>) -> Result<Report, Failure> {
        let scene = BattleOverrides::new(units, self.seed).scene(self.scene.as_deref())?;
        let all = Wanted(vec![Item::All]);
        let wanted = self.structures.as_ref().unwrap_or(&all);
        let (rows, left_out) = rows(&scene, wanted, &self.settings)?;
        let ticks = self
            .ticks
            .unwrap_or_else(|| Options::usual_ticks(scene.unit_count()));
        let warm_up = self
            .warm_up
            .unwrap_or_else(|| Options::usual_warm_up(ticks));
        if warm_up >= ticks {
            return Err(Failure::Input(format!(
                "--warm-up {warm_up}: it must be less than the {ticks} of --ticks, or there is nothing left to time"
            )));
        }
        for sentence in left_out {
            if !told.contains(&sentence) {
                complain(&sentence);
                told.push(sentence);
            }
        }
        let options = Options {
            ticks,
            warm_up,
            threads: self.threads,
            seconds: self.seconds,
            asked: Asked {
                rectangle: self.rectangle,
                height: self.rectangle_height,
                nearest: self.nearest,
            },
        };
        let mut teller = Teller::new();
        let report = bench::run(&scene, &rows, &options, &mut warn, &mut |progress| {
            teller.tell(progress);
        });
        teller.end();
        Ok(report)
    }

    /// What is said of these measurements, in the form that was asked for.
    fn words(&self, reports: &[Report]) -> String {
        if self.json {
            let objects = reports.iter().map(Report::to_json);
            let value = match reports {
                [report] => report.to_json(),
                _ => objects.collect(),
            };
            return format!("{value:#}\n");
        }
        let mut words = String::new();
        for (place, report) in reports.iter().enumerate() {
            if self.csv {
                let csv = report.to_csv();
                // One line of headings is enough: it is the same for all.
                let headings = csv.find('\n').map_or(0, |end| end + 1);
                words.push_str(&csv[if place == 0 { 0 } else { headings }..]);
            } else {
                let gap = if place == 0 { "" } else { "\n" };
                words.push_str(&format!("{gap}{report}\n"));
            }
        }
        words
    }
}

/// More numbers of units than this in one call are a slip.
const MOST_CROWDS: usize = 100;

/// Every structure that is wanted with every combination of the knobs' values that it takes, and what is left out, in sentences.
fn rows(
    scene: &Scene,
    Wanted(items): &Wanted,
    settings: &[Setting],
) -> Result<(Vec<AnyChoice>, Vec<String>), Failure> {
    let all = scene.structure_kind().siblings();
    for setting in settings {
        let has = |kind: &StructureKind| kind.info().knob_index(&setting.knob).is_ok();
        if items.contains(&Item::All) && !all.iter().any(has) {
            return Err(Failure::Input(format!(
                "--set {}: no structure has a knob '{}' (see `skirmish structures`)",
                setting.text(),
                setting.knob
            )));
        }
    }
    let kinds: Vec<StructureKind> = items
        .iter()
        .flat_map(|item| match item {
            Item::All => all.clone(),
            Item::One(choice) => vec![choice.kind],
        })
        .collect();
    for setting in settings {
        setting.check(&kinds)?;
    }
    let mut rows = Vec::new();
    for item in items {
        match item {
            Item::All => {
                for &kind in &all {
                    let has = |setting: &&Setting| kind.info().knob_index(&setting.knob).is_ok();
                    let its: Vec<&Setting> = settings.iter().filter(has).collect();
                    combine(&as_in(scene, StructureChoice::new(kind)), &its, &mut rows)?;
                }
            }
            Item::One(choice) => {
                check(scene, std::slice::from_ref(choice))?;
                let its: Vec<&Setting> = settings.iter().collect();
                combine(&as_in(scene, choice.clone()), &its, &mut rows)?;
            }
        }
    }
    if rows.is_empty() {
        return Err(Failure::Input(
            "--set: no structure takes a value of every one of these knobs".to_owned(),
        ));
    }
    let left_out = settings
        .iter()
        .flat_map(|setting| kinds.iter().filter_map(|kind| setting.left_out(*kind)));
    Ok((rows, left_out.collect()))
}

/// Adds `choice` with every combination of those values of `settings` that it takes to `rows`.
fn combine(
    choice: &AnyChoice,
    settings: &[&Setting],
    rows: &mut Vec<AnyChoice>,
) -> Result<(), Failure> {
    let kind = choice.kind;
    let taken: Vec<(usize, Vec<f64>)> = settings
        .iter()
        .map(|setting| setting.taken(kind))
        .collect::<Result<_, _>>()?;
    let counts = taken.iter().map(|(_, values)| values.len());
    let count = counts.fold(1_usize, usize::saturating_mul);
    if count.saturating_add(rows.len()) > bench::MOST {
        return Err(Failure::Input(format!(
            "every structure with every combination of --set makes more than {} rows; name fewer structures or values",
            bench::MOST
        )));
    }
    let first = rows.len();
    rows.push(choice.clone());
    for (knob, values) in taken {
        let before = rows.split_off(first);
        for choice in before {
            for value in &values {
                let mut choice = choice.clone();
                choice.put(knob, *value);
                rows.push(choice);
            }
        }
    }
    Ok(())
}

impl Setting {
    /// As it was given.
    fn text(&self) -> String {
        format!("{}={}", self.knob, self.values.join(","))
    }

    /// The knob of a structure, and those of the values that it takes.
    fn taken(&self, kind: StructureKind) -> Result<(usize, Vec<f64>), Failure> {
        let at = kind.info().knob_index(&self.knob);
        // What has no such knob is named by the error itself.
        let at = at.map_err(|error| Failure::Input(format!("--set {}: {error}", self.text())))?;
        let knob = &kind.info().knobs[at];
        let values = self
            .values
            .iter()
            .filter_map(|value| knob.parse(value).ok());
        Ok((at, values.collect()))
    }

    /// Whether each value is taken by one of the structures that have the knob.
    fn check(&self, kinds: &[StructureKind]) -> Result<(), Failure> {
        let having = || {
            let knob = |kind: &StructureKind| kind.info().knob_index(&self.knob).ok();
            kinds
                .iter()
                .filter_map(move |kind| Some((kind, knob(kind)?)))
        };
        for value in &self.values {
            let mut refused = having().map(|(kind, at)| {
                let info = kind.info();
                (info.key, info.knobs[at].parse(value).err())
            });
            let first = refused.next();
            if let Some((structure, Some(error))) = first
                && refused.all(|(_, error)| error.is_some())
            {
                let text = self.text();
                return Err(Failure::Input(format!(
                    "--set {text}: of {structure} {error}"
                )));
            }
        }
        Ok(())
    }

    /// Which values are left out of a structure that does not take them; `None` where it takes all.
    fn left_out(&self, kind: StructureKind) -> Option<String> {
        let (key, at) = (kind.info().key, kind.info().knob_index(&self.knob).ok()?);
        let knob = &kind.info().knobs[at];
        let values = self.values.iter();
        let values: Vec<&str> = values
            .filter(|value| knob.parse(value).is_err())
            .map(String::as_str)
            .collect();
        (!values.is_empty()).then(|| {
            format!(
                "--set {}: left out of {key}, whose {} must be {}: {}",
                self.text(),
                knob.key,
                knob.expectation(),
                values.join(", ")
            )
        })
    }
}

/// Says on stderr how far it is.
struct Teller {
    is_terminal: bool,
    last: Instant,
    /// How long the line is that stands there.
    width: usize,
}

impl Teller {
    fn new() -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            last: Instant::now(),
            width: 0,
        }
    }

    /// A terminal shows it on one line; a log gets a line every ten seconds. What is done at once is not spoken of, and nobody is
    /// told where that fails.
    fn tell(&mut self, progress: &Progress<'_>) {
        let pause = if self.is_terminal { 200 } else { 10_000 };
        if self.last.elapsed() < Duration::from_millis(pause) {
            return;
        }
        self.last = Instant::now();
        let line = format!(
            "{}: {} of {}",
            progress.stage, progress.done, progress.total
        );
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r{line:<width$}", width = self.width);
            self.width = line.len();
        } else {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// Takes its line away.
    fn end(&self) {
        if self.width > 0 {
            let _ = write!(io::stderr(), "\r{:width$}\r", "", width = self.width);
        }
    }
}

fn wanted(text: &str) -> Result<Wanted, String> {
    let item = |word: &str| match word.trim() {
        "all" => Ok(Item::All),
        _ => choice(word).map(Item::One),
    };
    let items: Vec<Item> = text.split(',').map(item).collect::<Result<_, _>>()?;
    if items.len() > bench::MOST {
        return Err(format!(
            "it must name at most {} structures (found {})",
            bench::MOST,
            items.len()
        ));
    }
    Ok(Wanted(items))
}

fn setting(text: &str) -> Result<Setting, String> {
    let (knob, values) = text.split_once('=').unwrap_or_default();
    let values: Vec<&str> = values.split(',').map(str::trim).collect();
    if knob.trim().is_empty() || values.contains(&"") {
        let sentence =
            "it must be a knob, '=' and values with commas between them, such as cell_size=1,2,4";
        return Err(sentence.to_owned());
    }
    Ok(Setting {
        knob: knob.trim().to_owned(),
        values: values.into_iter().map(str::to_owned).collect(),
    })
}

fn ticks(text: &str) -> Result<u64, String> {
    // As many as `simulate` takes, but for none: of no step there are no times.
    whole(text, 1, 1_000_000)
}

fn warm_up(text: &str) -> Result<u64, String> {
    whole(text, 0, 999_999)
}

fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, 64).map(|number| number as usize)
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.1, 86_400.0)
}

fn side(text: &str) -> Result<f32, String> {
    // A millimetre: less is a place rather than a square.
    number(text, 0.001, COORDINATE_LIMIT)
}

fn nearest(text: &str) -> Result<usize, String> {
    whole(text, 1, MOST_NEAREST as u64).map(|number| number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::measure::compare;
    use skirmish::partition::Kind;
    use skirmish::scene::file;

    fn labels(list: &str, settings: &[&str]) -> Result<Vec<String>, String> {
        let settings: Vec<Setting> = settings
            .iter()
            .map(|text| setting(text).expect("a setting"))
            .collect();
        let wanted = wanted(list).expect("a list");
        match rows(&file::built_in(), &wanted, &settings) {
            Ok((rows, left_out)) => {
                let labels = rows.iter().map(compare::label);
                Ok(labels.chain(left_out).collect())
            }
            Err(Failure::Input(sentence)) => Err(sentence),
            Err(failure) => panic!("{failure:?}"),
        }
    }

    #[test]
    fn knobs_are_combined_and_all_takes_those_that_have_them() {
        let grid = labels("linked-grid", &["cell_size=1,2", "neighbourhood=half,full"]);
        assert_eq!(
            grid.expect("knobs of the grid"),
            [
                "linked-grid:cell_size=1:neighbourhood=half",
                "linked-grid:cell_size=1:neighbourhood=full",
                "linked-grid:cell_size=2:neighbourhood=half",
                "linked-grid:cell_size=2:neighbourhood=full",
            ]
        );
        let all = labels("all", &["capacity=4,8,16"]).expect("some have it");
        let has = |kind: &&Kind| kind.info().knob_index("capacity").is_ok();
        let with = Kind::ALL.iter().filter(has).count();
        assert!(with > 0);
        assert_eq!(all.len(), Kind::ALL.len() + 2 * with);
        assert!(all.contains(&"quadtree:capacity=16".to_owned()));
        assert!(all.contains(&"all-pairs".to_owned()));
        let both = labels("quadtree, all,bvh:leaf_size=4", &[]).expect("a list");
        assert_eq!(both.len(), Kind::ALL.len() + 2);
    }

    #[test]
    fn a_value_that_one_structure_does_not_take_is_left_out_of_it_alone_and_said_to_be() {
        let both = labels("kd-tree,bvh", &["leaf_size=32,48,64"]);
        assert_eq!(
            both.expect("the tree takes all of them"),
            [
                "kd-tree:leaf_size=32",
                "kd-tree:leaf_size=48",
                "kd-tree:leaf_size=64",
                "bvh:leaf_size=32",
                "--set leaf_size=32,48,64: left out of bvh, whose leaf_size must be a whole number from 1 to 32: 48, 64",
            ]
        );
        // What none of them takes is a slip.
        let none = labels("kd-tree,bvh", &["leaf_size=48,1e9"]).expect_err("no leaf is so large");
        assert!(none.starts_with("--set leaf_size=48,1e9: of kd-tree leaf_size must be "));
        assert!(none.ends_with("(found 1e9)"), "{none}");
    }

    #[test]
    fn what_does_not_fit_together_is_one_sentence() {
        let said = |list, settings| labels(list, settings).expect_err("it does not fit");
        assert_eq!(
            said("all", &["sides=3"]),
            "--set sides=3: no structure has a knob 'sides' (see `skirmish structures`)"
        );
        assert_eq!(
            said("linked-grid,all-pairs", &["cell_size=1,2"]),
            "--set cell_size=1,2: all-pairs has no knob 'cell_size'; it has none"
        );
        assert_eq!(
            said("linked-grid", &["cell_size=1,-2"]),
            "--set cell_size=1,-2: of linked-grid cell_size must be auto or a number from 0.5 to 1000 (found -2)"
        );
        let hundred = ["1"; 100].join(",");
        let many = format!("cell_size={hundred}");
        assert!(said("linked-grid", &[&many, &many]).contains("more than 1000 rows"));
    }
}
