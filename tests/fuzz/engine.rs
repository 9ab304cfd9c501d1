//! The engine that goes by seeds: makes inputs, gives each to its target under guard, and keeps what was found.
//!
//! In `cargo test` every target gets its replays, then a fixed number of inputs of fixed seeds. The environment changes that:
//!
//! - `SKIRMISH_FUZZ=scene`: this target alone;
//! - `SKIRMISH_FUZZ=scene:17`: the input of this seed alone;
//! - `SKIRMISH_FUZZ=scene:FILE`: the input in this file alone;
//! - `SKIRMISH_FUZZ_MINUTES=10`: as long as this, each target;
//! - `SKIRMISH_FUZZ_SEED=1000000`: seeds from here on.
//!
//! An input fails when its target panics, when it takes longer than [`LONGEST`], and when the program takes more than
//! [`MOST_BYTES`]. It is then made smaller (where it panics), kept in `tests/replays/`, and the command that replays it is
//! printed. What ends the program at once, such as memory that the system refuses, leaves its seed in `target/fuzz-seeds/`.

use super::choices::Dice;
use std::fs::{self, File};
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// No input takes longer: most take a thousandth of a second, and the machine may have other things to do.
const LONGEST: Duration = Duration::from_secs(20);

/// No input takes more memory.
const MOST_BYTES: u64 = 1 << 30;

/// How often the guard looks.
const GLANCE: Duration = Duration::from_millis(25);

/// Touching as much memory as is forbidden takes longer than this, so that what is quicker need not be asked.
const TOO_QUICK: Duration = Duration::from_millis(2);

/// How long a failing input is made smaller.
const SHRINKING: Duration = Duration::from_secs(10);

/// One fuzzer.
pub struct Target {
    /// Its name in commands and folders.
    pub name: &'static str,
    /// What is asserted of an input.
    pub check: fn(&[u8]),
    /// Makes an input.
    pub make: fn(&mut Dice, &[Vec<u8>]) -> Vec<u8>,
    /// Where texts lie from which inputs are made: folders below the package, and how names end there.
    pub corpus: &'static [(&'static str, &'static str)],
    /// How many inputs `cargo test` tries.
    pub usual: u64,
    /// The test that runs it, as `cargo` is told of it.
    pub test: &'static str,
}

/// One target at a time, so that memory that is taken has one who took it.
static TURN: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a target as the environment wants it.
pub fn drive(target: &Target) {
    let _turn = lock(&TURN);
    let asked = std::env::var("SKIRMISH_FUZZ").unwrap_or_default();
    let (name, one) = asked.split_once(':').unwrap_or((&asked, ""));
    if !name.is_empty() && name != target.name {
        return;
    }
    let corpus = corpus(target);
    let mut run = Run::new(target);
    if !one.is_empty() {
        match one.parse() {
            Ok(seed) => run.seed(seed, &corpus),
            Err(_) => run.file(&root().join(one)),
        }
        return;
    }
    for file in files_in(&root().join("tests/replays").join(target.name), "") {
        run.file(&file);
    }
    let first = number("SKIRMISH_FUZZ_SEED").unwrap_or(0);
    let begun = Instant::now();
    match number("SKIRMISH_FUZZ_MINUTES") {
        None => {
            for seed in first..first + target.usual {
                run.seed(seed, &corpus);
            }
        }
        Some(minutes) => {
            let mut seed = first;
            while begun.elapsed().as_secs() < minutes * 60 {
                run.seed(seed, &corpus);
                seed += 1;
            }
        }
    }
    run.report(begun.elapsed());
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.trim().parse().ok()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files in a folder whose names end so, in their order; none where there is no such folder.
fn files_in(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.to_string_lossy().ends_with(end))
        .collect();
    files.sort();
    files
}

/// What inputs are made from. What was found before is left out: it would make other inputs of the same seeds.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for (folder, end) in target.corpus {
        for file in files_in(&root().join(folder), end) {
            texts.push(fs::read(&file).expect("a file of the corpus is read"));
        }
    }
    assert!(
        target.corpus.is_empty() || !texts.is_empty(),
        "{}: the corpus is there",
        target.name
    );
    texts
}

/// What is being tried, for the guard.
struct Trying {
    since: Option<Instant>,
    input: Vec<u8>,
}

/// A target under way.
struct Run<'t> {
    target: &'t Target,
    trying: Arc<Mutex<Trying>>,
    over: Arc<AtomicBool>,
    /// Where the seed of what is being tried stands, should the program end.
    last: Option<File>,
    count: u64,
    slowest: (Duration, u64),
}

impl<'t> Run<'t> {
    fn new(target: &'t Target) -> Self {
        // The highest memory is counted from here on, where the system lets a program do that.
        let _ = fs::write("/proc/self/clear_refs", "5");
        let trying = Arc::new(Mutex::new(Trying {
            since: None,
            input: Vec::new(),
        }));
        let over = Arc::new(AtomicBool::new(false));
        let (name, test) = (target.name, target.test);
        let (watched, ended) = (Arc::clone(&trying), Arc::clone(&over));
        thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                thread::sleep(GLANCE);
                let trying = lock(&watched);
                let Some(since) = trying.since else { continue };
                let bytes = memory("VmRSS:");
                let what = if since.elapsed() > LONGEST {
                    format!("takes longer than {} s", LONGEST.as_secs())
                } else if bytes > MOST_BYTES {
                    format!("takes {} MB", bytes >> 20)
                } else {
                    continue;
                };
                // Whoever hangs cannot be told to stop.
                eprintln!("{}", kept(name, test, &trying.input, &what));
                std::process::exit(1);
            }
        });
        let folder = root().join("target/fuzz-seeds");
        let last = fs::create_dir_all(&folder)
            .and_then(|()| File::create(folder.join(format!("{name}.seed"))))
            .ok();
        Self {
            target,
            trying,
            over,
            last,
            count: 0,
            slowest: (Duration::ZERO, 0),
        }
    }

    fn seed(&mut self, seed: u64, corpus: &[Vec<u8>]) {
        if let Some(last) = &mut self.last {
            use std::io::Seek;
            let _ = last.rewind().and_then(|()| writeln!(last, "{seed:<20}"));
        }
        let input = (self.target.make)(&mut Dice::new(seed), corpus);
        if let Err(what) = self.attempt(&input, seed) {
            let small = self.shrink(input);
            let what = format!("{what} (seed {seed}, made smaller)");
            panic!(
                "{}",
                kept(self.target.name, self.target.test, &small, &what)
            );
        }
    }

    fn file(&mut self, path: &Path) {
        let input = fs::read(path).expect("an input to replay is read");
        if let Err(what) = self.attempt(&input, 0) {
            let path = path.strip_prefix(root()).unwrap_or(path);
            panic!(
                "{what}\nReplay it with\n    {}",
                command(self.target.name, self.target.test, &path.to_string_lossy())
            );
        }
    }

    /// Tries an input, and says why it fails.
    fn attempt(&mut self, input: &[u8], seed: u64) -> Result<(), String> {
        {
            let mut trying = lock(&self.trying);
            trying.input.clear();
            trying.input.extend_from_slice(input);
            trying.since = Some(Instant::now());
        }
        let begun = Instant::now();
        let result = self.check(input);
        let took = begun.elapsed();
        lock(&self.trying).since = None;
        self.count += 1;
        if took > self.slowest.0 {
            self.slowest = (took, seed);
        }
        if took > TOO_QUICK && memory("VmHWM:") > MOST_BYTES {
            return Err(format!("took {} MB", memory("VmHWM:") >> 20));
        }
        result
    }

    fn check(&self, input: &[u8]) -> Result<(), String> {
        let check = self.target.check;
        panic::catch_unwind(AssertUnwindSafe(|| check(input))).map_err(|cause| {
            let words = cause.downcast_ref::<String>().cloned();
            words
                .or_else(|| cause.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                .unwrap_or_default()
        })
    }

    /// A part of a failing input that still panics, and of which no large piece can be left out.
    fn shrink(&self, input: Vec<u8>) -> Vec<u8> {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let begun = Instant::now();
        let mut small = input;
        let mut piece = small.len() / 2;
        while piece > 0 && begun.elapsed() < SHRINKING {
            let mut start = 0;
            while start < small.len() && begun.elapsed() < SHRINKING {
                let mut less = small.clone();
                less.drain(start..(start + piece).min(small.len()));
                if self.check(&less).is_err() {
                    small = less;
                } else {
                    start += piece;
                }
            }
            piece /= 2;
        }
        panic::set_hook(hook);
        small
    }

    fn report(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        println!(
            "{}: {} inputs in {seconds:.1} s, {:.0} inputs/s, at most {} MB, the slowest took {:.2} s (seed {})",
            self.target.name,
            self.count,
            self.count as f64 / seconds.max(1.0e-3),
            memory("VmHWM:") >> 20,
            self.slowest.0.as_secs_f64(),
            self.slowest.1
        );
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// A figure of this program's memory in bytes; 0 where the system does not tell.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// Keeps an input that fails, and says how it is tried again.
fn kept(name: &str, test: &str, input: &[u8], what: &str) -> String {
    // FNV-1a: the same input is kept once.
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let file = format!("tests/replays/{name}/{hash:016x}");
    let path = root().join(&file);
    let folder = path.parent().unwrap_or(root());
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, input));
    match written {
        Ok(()) => format!(
            "{name}: {what}\nThe input is kept in {file}. Replay it with\n    {}",
            command(name, test, &file)
        ),
        Err(error) => format!("{name}: {what}\n{file} cannot be written ({error}): {input:?}"),
    }
}

fn command(name: &str, test: &str, which: &str) -> String {
    format!("SKIRMISH_FUZZ={name}:{which} cargo test {test}")
}
