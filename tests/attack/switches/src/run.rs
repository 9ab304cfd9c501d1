//! Runs the tests against one mutant after the other.

use crate::Outcome;
use crate::build::{self, Binaries};
use crate::mutant::{Mutant, State};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Some tests of one binary.
#[derive(Clone, Debug)]
struct Stage {
    binary: &'static str,
    filters: Vec<String>,
    variables: Vec<(&'static str, String)>,
}

impl Stage {
    fn new(binary: &'static str, filters: &[&str]) -> Self {
        Self {
            binary,
            filters: filters.iter().map(|filter| (*filter).to_owned()).collect(),
            variables: Vec::new(),
        }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn name(&self) -> String {
        let words = self.filters.iter().cloned();
        let variables = self
            .variables
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let words: Vec<_> = variables
            .chain([self.binary.to_owned()])
            .chain(words)
            .collect();
        words.join(" ")
    }
}

/// The tests for a mutant, those first that are cheap and near to it.
fn stages(file: &str) -> Vec<Stage> {
    let inside = file
        .trim_start_matches("src/")
        .trim_end_matches(".rs")
        .replace('/', "::");
    let module = inside.trim_end_matches("::mod");
    let everything = Stage::new(
        "lib",
        &["partition::", "streaming::", "battle::", "measure::"],
    );
    if file.starts_with("src/streaming/") {
        return vec![
            Stage::new("lib", &[module]),
            Stage::new("lib", &["streaming::"]),
            Stage::new("streaming", &[]),
            Stage::new("golden", &["every_world_that_ships_streams_as_it_did"]),
            Stage::new("tour", &[]),
            Stage::new("going_over", &[]),
            Stage::new("open_world", &[]),
            Stage::new("figures", &[]),
            everything,
        ];
    }
    let structure = file.strip_prefix("src/partition/structures/");
    let structure = structure.and_then(|rest| rest.split(['/', '.']).next());
    let key = structure.unwrap_or("mod");
    let conform = |cases: &str| {
        let stage = Stage::new("conformance", &[]).with("SKIRMISH_CONFORMANCE_CASES", cases);
        match key {
            "mod" => stage,
            key => stage.with("SKIRMISH_CONFORMANCE_STRUCTURE", &key.replace('_', "-")),
        }
    };
    let own = match structure {
        Some(structure) => format!("partition::structures::{structure}"),
        None => module.to_owned(),
    };
    vec![
        Stage::new("lib", &[&own]),
        conform("350"),
        Stage::new("violations", &[]),
        Stage::new("golden", &["every_structure_shows"]),
        Stage::new("figures", &[]),
        Stage::new("lib", &["partition::"]),
        Stage::new("work_counted", &[]),
        Stage::new("golden", &["every_structure_works"]),
        conform("3500"),
        everything,
        Stage::new("hard_cases", &[]),
        Stage::new("streaming", &[]),
        Stage::new("open_world", &[]),
        Stage::new("tour", &[]),
    ]
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    Timeout,
}

/// Seconds of processor time that the children of this process have used, all of those that have ended.
fn seconds_of_children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = rest
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// Runs one stage. Its limit is in processor time, so that a busy machine makes no mutant time out; the clock on the wall
/// ends only what waits for ever.
fn run_stage(tree: &Path, tests: &Binaries, stage: &Stage, id: usize, limit: u64) -> Outcome<End> {
    const LONGEST: Duration = Duration::from_secs(1_200);
    let Some(binary) = tests.get(stage.binary) else {
        return Err(format!("no test binary {}", stage.binary));
    };
    let mut child = Command::new("bash")
        .args(["-c", "ulimit -t \"$0\" -v 5000000 -c 0; exec \"$@\""])
        .arg(limit.to_string())
        .arg(binary)
        .args(&stage.filters)
        .envs(
            stage
                .variables
                .iter()
                .map(|(name, value)| (*name, value.as_str())),
        )
        .env("SKIRMISH_MUTANT", id.to_string())
        .env("CARGO_MANIFEST_DIR", tree)
        .current_dir(tree)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("bash: {error}"))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            use std::os::unix::process::ExitStatusExt;
            // SIGXCPU, or SIGKILL a second later.
            return Ok(match (status.success(), status.signal()) {
                (true, _) => End::Passed,
                (_, Some(24 | 9)) => End::Timeout,
                _ => End::Failed,
            });
        }
        if start.elapsed() > LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(End::Timeout);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Where it is kept what came of each mutant.
fn outcomes(work: &Path) -> PathBuf {
    work.join("outcomes.tsv")
}

/// The names of those that the last run missed.
pub fn missed(work: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(outcomes(work)).unwrap_or_default();
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("missed\t"));
    lines.map(|name| name.trim_end().to_owned()).collect()
}

/// What came of all mutants, a line each.
struct Ledger {
    file: std::fs::File,
    counts: BTreeMap<&'static str, usize>,
    missed: Vec<String>,
}

impl Ledger {
    fn note(&mut self, mutant: &Mutant, end: &'static str, by: &str) -> Outcome<()> {
        *self.counts.entry(end).or_default() += 1;
        let line = format!("{end}\t{}\t{by}", mutant.name);
        println!("{line}");
        if end == "missed" {
            self.missed.push(mutant.name.clone());
        }
        writeln!(self.file, "{line}").map_err(|error| error.to_string())
    }
}

/// Runs the tests that are right for each mutant, prints what came of it, and says whether enough were killed.
pub fn run(source: &Path, work: &Path, tests: &Binaries, mutants: &[Mutant]) -> Outcome<bool> {
    const ENOUGH: f64 = 0.95;
    let outcomes = outcomes(work);
    let file = std::fs::File::create(&outcomes).map_err(|error| error.to_string())?;
    let mut ledger = Ledger {
        file,
        counts: BTreeMap::new(),
        missed: Vec::new(),
    };
    let mut limits = BTreeMap::new();
    for mutant in mutants
        .iter()
        .filter(|mutant| mutant.state == State::Switched)
    {
        judge(work, tests, mutant, &mut limits, &mut ledger)?;
    }
    for mutant in mutants {
        match mutant.state {
            State::Switched => {}
            State::Unviable => ledger.note(mutant, "unviable", "")?,
            State::Alone => {
                match build::build_alone(source, work, mutant)? {
                    Some(tests) => judge(work, &tests, mutant, &mut limits, &mut ledger)?,
                    None => ledger.note(mutant, "unviable", "")?,
                }
                build::restore(source, work, &mutant.file)?;
            }
        }
    }
    let count = |end: &str| ledger.counts.get(end).copied().unwrap_or(0);
    let (caught, timeouts, missed) = (count("caught"), count("timeout"), count("missed"));
    let viable = caught + timeouts + missed;
    let share = (caught + timeouts) as f64 / viable.max(1) as f64;
    println!(
        "\n| listed | viable | caught | timeouts | missed | killed |\n| --- | --- | --- | --- | --- | --- |"
    );
    println!(
        "| {} | {viable} | {caught} | {timeouts} | {missed} | {:.1} % |",
        mutants.len(),
        share * 100.0
    );
    for name in &ledger.missed {
        println!("missed: {name}");
    }
    println!("all outcomes: {}", outcomes.display());
    Ok(share >= ENOUGH)
}

/// Runs stage after stage until one notices the mutant. Before a stage is used for the first time, it has to pass without one.
fn judge(
    work: &Path,
    tests: &Binaries,
    mutant: &Mutant,
    limits: &mut BTreeMap<String, u64>,
    ledger: &mut Ledger,
) -> Outcome<()> {
    let tree = build::tree(work);
    let id = match mutant.state {
        State::Switched => mutant.id,
        _ => 0,
    };
    for stage in stages(&mutant.file) {
        let name = stage.name();
        if !limits.contains_key(&name) {
            if id == 0 {
                // The mutant is in the build, so what the stage takes without it is not known here.
                limits.insert(name.clone(), 600);
            } else {
                let before = seconds_of_children();
                if run_stage(&tree, tests, &stage, 0, 3_600)? != End::Passed {
                    return Err(format!("without a mutant, `{name}` does not pass"));
                }
                let seconds = seconds_of_children() - before;
                println!("baseline\t{name}\t{seconds:.1} s");
                limits.insert(name.clone(), (seconds * 4.0) as u64 + 15);
            }
        }
        match run_stage(&tree, tests, &stage, id, limits[&name])? {
            End::Passed => {}
            End::Failed => return ledger.note(mutant, "caught", &name),
            End::Timeout => return ledger.note(mutant, "timeout", &name),
        }
    }
    ledger.note(mutant, "missed", "")
}
