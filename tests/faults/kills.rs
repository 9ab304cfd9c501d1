//! Killed while saving: the file is old or new, and nothing is left beside it once it was saved again.

use super::child::{self, READY};
use rand::{Rng, SeedableRng};
use skirmish::files;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout};
use std::thread::sleep;
use std::time::Instant;

/// How many kills there are in a plain run of the tests. `SKIRMISH_KILLS` says how many there shall be instead.
const KILLS: usize = 20;

/// How many units the scenes have: so many that the text has some megabytes, and a save takes long enough to be hit.
const UNITS: u32 = 60_000;

/// Up to what share of the time that a save was seen to take a kill may come.
const LATEST: f64 = 1.0;

/// A child that ends with its owner.
struct Owned {
    child: Child,
    /// Held, so that what it says to the end has somewhere to go.
    _out: BufReader<ChildStdout>,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // Whoever has ended cannot be killed, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a child and waits until it is about to begin.
fn start(task: &str, path: &Path) -> Owned {
    let mut child = child::command(task, path).spawn().expect("a child");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    while line.trim_end() != READY {
        line.clear();
        let count = out.read_line(&mut line).expect("its output");
        assert!(count > 0, "it ended too early");
    }
    Owned { child, _out: out }
}

fn number_of(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whoever_is_killed_while_saving_leaves_the_old_file_or_the_new() {
    let kills = number_of("SKIRMISH_KILLS").map_or(KILLS, |kills| kills as usize);
    let seed = number_of("SKIRMISH_SEED").unwrap_or(9);
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("scene.ron");
    let texts = [1, 2].map(|number| child::text(UNITS, number));
    let write = format!("write {UNITS} 2");
    // How long a save takes, undisturbed, to the end of its process.
    let mut whole = start(&write, &path);
    let begun = Instant::now();
    assert!(whole.child.wait().expect("its end").success());
    let longest = begun.elapsed();
    drop(whole);
    assert!(fs::read(&path).is_ok_and(|found| found == texts[1]));

    let (mut old, mut new, mut left, mut late) = (0, 0, 0, 0);
    let mut kill = 0;
    while kill < kills {
        let again = format!("kill {kill} of {kills} with SKIRMISH_SEED={seed}");
        // A file that is replaced, one that is new, and saves one after the other without what comes before a save.
        let task = kill % 3;
        match task {
            1 => fs::remove_file(&path).expect("a file that can go"),
            _ => fs::write(&path, &texts[0]).expect("a file"),
        }
        let share: f64 = random.random_range(0.0..LATEST);
        let mut child = start(if task == 2 { ALTERNATE } else { &write }, &path);
        sleep(longest.mul_f64(share));
        if child.child.try_wait().expect("a child").is_some() {
            // It had ended: that was no kill, and another moment is tried.
            late += 1;
            assert!(
                late < 10 + kills,
                "saves end long before they are expected to"
            );
            continue;
        }
        kill += 1;
        drop(child);
        match fs::read(&path) {
            Ok(found) if found == texts[1] => new += 1,
            Ok(found) if found == texts[0] && task != 1 => old += 1,
            Err(_) if task == 1 => old += 1,
            found => panic!(
                "{again}: the file is neither: {:?}",
                found.map(|it| it.len())
            ),
        }
        let beside = |name: &String| name != "scene.ron";
        let entries = child::entries(folder.path());
        let others: Vec<&String> = entries.iter().filter(|name| beside(name)).collect();
        assert!(others.len() <= 1, "{again}: {others:?}");
        left += others.len();
        // Whoever saves next takes away what is left.
        files::save(&path, &texts[0]).expect("a save");
        assert_eq!(child::entries(folder.path()), ["scene.ron"], "{again}");
    }
    println!(
        "{kills} kills within {longest:.0?} of a save of {} bytes (seed {seed}): {old} old, {new} new, \
         {late} more came after its end; a file left beside it by {left}, by none after the next save",
        texts[0].len()
    );
}

/// Saves without an end.
const ALTERNATE: &str = "alternate 60000";
