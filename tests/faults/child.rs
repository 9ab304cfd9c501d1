//! The other process: what it does, and how it is started.

use skirmish::files;
use skirmish::geometry::Vec2;
use skirmish::scene::{Army, Formation, Scene, Side, file};
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// What the child is to do, and with which file.
const TASK: &str = "SKIRMISH_FAULTS_TASK";
const FILE: &str = "SKIRMISH_FAULTS_FILE";

/// What is looked for in vain at the beginning and at the end of what matters, so that both can be seen in a trace.
pub const BEGIN: &str = "/skirmish-begins-here";
pub const END: &str = "/skirmish-ends-here";

/// What precedes, in the child's output, the words in which it ends.
pub const ANSWER: &str = "answer: ";
/// The answer of a save or a load that went well.
pub const WELL: &str = "it went well";
/// What the child says when it is about to begin.
pub const READY: &str = "ready";

/// This test program again, as a child with a task.
pub fn command(task: &str, path: &Path) -> Command {
    let own = std::env::current_exe().expect("a test program knows where it is");
    with_task(Command::new(own), task, path)
}

/// The same, under another program with arguments of its own.
pub fn command_under(mut other: Command, task: &str, path: &Path) -> Command {
    other.arg(std::env::current_exe().expect("a test program knows where it is"));
    with_task(other, task, path)
}

fn with_task(mut command: Command, task: &str, path: &Path) -> Command {
    command
        .args(["--exact", "child::task", "--nocapture", "--test-threads=1"])
        .env(TASK, task)
        .env(FILE, path)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The answer of a child in what it printed: one line, whatever else there is.
pub fn answer(printed: &[u8]) -> Option<String> {
    let printed = String::from_utf8_lossy(printed);
    let mut answers = printed
        .lines()
        .filter_map(|line| line.split_once(ANSWER).map(|(_, answer)| answer.to_owned()));
    answers.next().filter(|_| answers.next().is_none())
}

/// A scene of so many units, of which every number gives another.
pub fn scene(units: u32, number: u64) -> Scene {
    let mut scene = file::built_in();
    scene.seed = number;
    let at = |unit: u32| {
        let spread = |by: u32| ((unit * by + number as u32) % 9_973) as f32 / 8.0 - 600.0;
        Vec2::new(spread(37), spread(101))
    };
    let points = (0..units).map(at).collect();
    let mut army = Army::new(Side::Blue, units, Formation::Explicit(points));
    army.hit_points = scene.armies[0].hit_points;
    scene.armies = vec![army];
    scene
}

/// The same text that a save writes.
pub fn text(units: u32, number: u64) -> Vec<u8> {
    file::format(&scene(units, number)).into_bytes()
}

/// What the child does. In the test program itself there is nothing to do.
#[test]
fn task() {
    let (Some(task), Some(path)) = (std::env::var_os(TASK), std::env::var_os(FILE)) else {
        return;
    };
    let task = task.into_string().expect("a task in plain words");
    let path = Path::new(&path);
    let mut words = task.split(' ');
    let name = words.next().unwrap_or_default();
    let mut number = || {
        words
            .next()
            .map_or(0, |word| word.parse().expect("a number"))
    };
    let (units, which) = (number() as u32, number());
    let done = match name {
        // A save of a scene.
        "write" => {
            let scene = scene(units, which);
            between_marks(|| file::write(path, &scene).map_err(|error| error.to_string()))
        }
        // Saves of two scenes in turns, without an end.
        "alternate" => {
            let texts = [text(units, 1), text(units, 2)];
            say(READY);
            for turn in 0.. {
                if let Err(error) = files::save(path, &texts[turn % 2]) {
                    panic!("{error}");
                }
            }
            Ok(())
        }
        "read" => between_marks(|| match file::read(path) {
            Ok(read) if read == scene(units, which) => Ok(()),
            Ok(_) => Err("another scene was read".to_owned()),
            Err(error) => Err(error.to_string()),
        }),
        other => panic!("nobody knows how to {other}"),
    };
    let answer = done.err().unwrap_or_else(|| WELL.to_owned());
    say(&format!("{ANSWER}{answer}"));
}

/// Makes so many calls of the common kinds that what follows is told from the calls of the test harness by number alone:
/// strace counts each thread's own, and lets the same number fail in all.
fn count_up() {
    const MORE_THAN_THE_HARNESS: usize = 100;
    for _ in 0..MORE_THAN_THE_HARNESS {
        let mut null = File::options()
            .read(true)
            .write(true)
            .open("/dev/null")
            .expect("a device");
        let mut byte = [0];
        assert!(null.read(&mut byte).is_ok_and(|count| count == 0));
        assert!(null.write(&byte).is_ok());
        assert!(null.rewind().is_ok());
        assert!(fs::metadata("/dev/null").is_ok());
    }
}

fn between_marks<T>(work: impl FnOnce() -> T) -> T {
    count_up();
    say(READY);
    assert!(fs::metadata(BEGIN).is_err());
    let done = work();
    assert!(fs::metadata(END).is_err());
    done
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // In one piece, after the beginning of a line that the test harness has left open.
    out.write_all(format!("\n{line}\n").as_bytes())
        .and_then(|()| out.flush())
        .expect("somebody listens");
}

/// The names of what lies in a folder, in order.
pub fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn scenes_of_different_numbers_differ_and_are_valid() {
    let (one, other) = (text(50, 1), text(50, 2));
    assert_ne!(one, other);
    let read = file::parse(&one, "one").expect("a valid scene");
    assert_eq!(read, scene(50, 1));
}
