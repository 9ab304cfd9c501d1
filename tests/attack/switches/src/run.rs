//! Runs the tests against one mutant after the other.

use crate::Outcome;
use crate::build::{self, Binaries};
use crate::mutant::{Mutant, State};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
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

/// The tests for a mutant, those first that are cheap and near to it. Those far from it, which notice little that the others
/// let pass and take most of the time, run when asked for.
fn stages(file: &str, with_far: bool) -> Vec<Stage> {
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
            Stage::new("golden", &["a_world_shows"]),
            Stage::new("golden", &["every_world_that_ships_streams_as_it_did"]),
            Stage::new("tour", &[]),
            Stage::new("going_over", &[]),
            Stage::new("open_world", &[]),
            Stage::new("figures", &[]),
            Stage::new("memory", &[]),
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
    let near = vec![
        Stage::new("lib", &[&own]),
        conform("350"),
        Stage::new("violations", &[]),
        Stage::new("touch", &[]),
        Stage::new("trace", &[]),
        Stage::new("golden", &["every_structure_shows"]),
        Stage::new("figures", &[]),
        Stage::new("work_counted", &[]),
        Stage::new("golden", &["every_structure_works"]),
        conform("3500"),
    ];
    let far = [
        everything,
        Stage::new("hard_cases", &[]),
        Stage::new("streaming", &[]),
        Stage::new("open_world", &[]),
        Stage::new("tour", &[]),
    ];
    near.into_iter()
        .chain(far.into_iter().filter(|_| with_far))
        .collect()
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
pub fn run(
    source: &Path,
    work: &Path,
    tests: &Binaries,
    mutants: &[Mutant],
    with_far: bool,
) -> Outcome<bool> {
    const ENOUGH: f64 = 0.95;
    let outcomes = outcomes(work);
    let file = std::fs::File::create(&outcomes).map_err(|error| error.to_string())?;
    let mut ledger = Ledger {
        file,
        counts: BTreeMap::new(),
        missed: Vec::new(),
    };
    let switched = || {
        mutants
            .iter()
            .filter(|mutant| mutant.state == State::Switched)
    };
    let mut limits = Limits::new();
    for mutant in switched() {
        measure(work, tests, mutant, with_far, &mut limits)?;
    }
    let (queue, book) = (Mutex::new(switched()), Mutex::new(&mut ledger));
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        let work_off = || {
            loop {
                let Some(mutant) = lock(&queue).next() else {
                    return Ok(());
                };
                let (end, by) = judge(work, tests, mutant, with_far, &limits)?;
                lock(&book).note(mutant, end, &by)?;
            }
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work_off)).collect();
        workers
            .into_iter()
            .map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| Err("a worker died".to_owned()))
            })
            .collect::<Outcome<()>>()
    })?;
    for mutant in mutants {
        match mutant.state {
            State::Switched => {}
            State::Unviable => ledger.note(mutant, "unviable", "")?,
            State::Alone => {
                match build::build_alone(source, work, mutant)? {
                    Some(tests) => {
                        let (end, by) = judge(work, &tests, mutant, with_far, &limits)?;
                        ledger.note(mutant, end, &by)?;
                    }
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

/// The most seconds of processor time that a stage gets, by its name.
type Limits = BTreeMap<String, u64>;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Before a stage is used, it has to pass without a mutant; what it takes then says what it may take with one.
fn measure(
    work: &Path,
    tests: &Binaries,
    mutant: &Mutant,
    with_far: bool,
    limits: &mut Limits,
) -> Outcome<()> {
    for stage in stages(&mutant.file, with_far) {
        let name = stage.name();
        if limits.contains_key(&name) {
            continue;
        }
        let before = seconds_of_children();
        if run_stage(&build::tree(work), tests, &stage, 0, 3_600)? != End::Passed {
            return Err(format!("without a mutant, `{name}` does not pass"));
        }
        let seconds = seconds_of_children() - before;
        println!("baseline\t{name}\t{seconds:.1} s");
        limits.insert(name, (seconds * 4.0) as u64 + 15);
    }
    Ok(())
}

/// Runs stage after stage until one notices the mutant, and says which.
fn judge(
    work: &Path,
    tests: &Binaries,
    mutant: &Mutant,
    with_far: bool,
    limits: &Limits,
) -> Outcome<(&'static str, String)> {
    // One that is built alone is in the build, whatever is switched on.
    let id = match mutant.state {
        State::Switched => mutant.id,
        _ => 0,
    };
    for stage in stages(&mutant.file, with_far) {
        let name = stage.name();
        let limit = limits.get(&name).copied().unwrap_or(600);
        match run_stage(&build::tree(work), tests, &stage, id, limit)? {
            End::Passed => {}
            End::Failed => return Ok(("caught", name)),
            End::Timeout => return Ok(("timeout", name)),
        }
    }
    Ok(("missed", String::new()))
}
