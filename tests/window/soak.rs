//! A script that does everything, again and again: memory comes back to where it was.
//!
//! Four rounds in every test run; `SKIRMISH_SOAK_MINUTES=10` goes on for as long (`tests/attack/soak`).

use super::harness::{Display, Report, end, with_display};
use skirmish::partition::Kind;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What may be held more after the first minute than at its end, in KiB.
const GROWTH_KIB: u64 = 5 * 1024;

/// Of scenes that were left undo keeps as many as this: where each round ends with so many small ones, each keeps just these.
const LEFT: usize = 24;

/// What a user can do, once. In the end all of a scene is saved, and nobody has made anything in the future that is put
/// aside. Its last word leaves a picture, by which one sees that the round is over.
fn round(scenes: &Path, folder: &Path, number: usize) -> String {
    let mut text = String::new();
    let open = |name: &str| format!("Open({:?}),", scenes.join(name));
    let _ = writeln!(
        text,
        "{} Battle, Run, Wait(70), Seek(30), Wait(4), Seek(60), Wait(2), Seek(10), Wait(2), Spawn(Blue, (50.0, 50.0), 9.0, 30), Run,
        Wait(20), Cursor((230.0, 150.0)),",
        open("skirmish.ron")
    );
    for kind in Kind::ALL {
        let _ = writeln!(text, "Structure({:?}), Wait(4),", kind.info().key);
    }
    text.push_str(
        "Place(Blue, (200.0, 100.0)), Place(Orange, (260.0, 200.0)), Wait(5), Undo, Redo, Erase((200.0, 100.0), 20.0), Wait(3),
        Structure(\"linked-grid\"), Set(\"cell_size\", \"7\"), Wait(3), Defaults, Units(6000), Wait(15), Units(1500), Wait(5),
        Order(Blue, March(1.0, 0.0)), Reach(2.0), KeepApart(0.0), Wait(5), Undo, Undo, Undo, Move([(0, (100.0, 100.0))]), Remove([1, 2, 3]), Wait(3),
        Pin, Seek(20), Wait(4), Seek(30), Wait(2), Call(\"Go to the last tick\"), Wait(2), Restart, Run, Wait(5),
        Camera((100.0, 100.0), 80.0), Wait(2), FrameAll, Layer(\"Tests\", true), Wait(2), Layer(\"Tests\", false), Light(true), Wait(2),
        Light(false), Help(true), Wait(2), Help(false), Panels(false), Wait(2), Panels(true), NoCursor,
        AddLane(\"quadtree\", []), Compare, Wait(10), SetLane(1, \"bvh\", []), AddLane(\"kd-tree\", []), Wait(10), AllStructures(true),
        Wait(10), AllStructures(false), DropLane(2), DropLane(1), Battle, Wait(3),
        Call(\"Save\"), Wait(10),\n",
    );
    for name in ["clusters.ron", "mixed-sizes.ron", "figures/truncation.ron"] {
        let _ = writeln!(text, "{} Wait(12),", open(name));
    }
    let _ = writeln!(
        text,
        "{} Streaming, Run, Wait(30), Seek(15), Wait(5), Lead((300.0, 200.0)), Wait(3), LetGo, Run, Wait(20), Drag([(0.0, 0.0), (60.0, 20.0), (120.0, 40.0), (200.0, 90.0)]), Wait(10),
        Teleport((600.0, 300.0)), Wait(20), Disk(3.0), Tune(\"lead\", \"60\"), Wait(10), TuneDefaults, Walk(1.0, 0.0), RecordPath,
        Wait(20), KeepPath, Stand, Select((600.0, 300.0)), Wait(3), Undo, Wait(3), Call(\"Save\"), Wait(10),",
        open("open-world.ron"),
    );
    for name in ["figures/truncation.ron", "figures/merges.ron"].repeat(LEFT.div_ceil(2)) {
        let _ = writeln!(text, "{} Wait(4),", open(name));
    }
    let _ = writeln!(text, "Screenshot({:?}),", picture(folder, number));
    text
}

fn picture(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number}.png"))
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, to) = entry
            .map(|it| (it.path(), to.join(it.file_name())))
            .expect("an entry");
        if path.is_dir() {
            copy_folder(&path, &to);
        } else {
            fs::copy(&path, &to).expect("a copy");
        }
    }
}

/// What the process holds, in KiB.
fn resident_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The most that was held in a round, and when it was over.
struct Round {
    peak_kib: u64,
    over: Duration,
}

/// Plays rounds until `enough` of them say so, and gives what each held at the most.
fn soak(display: &Display, most: usize, enough: impl Fn(&[Round]) -> bool) -> Vec<Round> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A copy of the scenes: each round saves what it has changed, for undo keeps of scenes that were only looked at a few, and of those
    // with changes as many as fit.
    let scenes = folder.path().join("scenes");
    copy_folder(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"),
        &scenes,
    );
    let (script, report) = (
        folder.path().join("soak.ron"),
        folder.path().join("report.json"),
    );
    // One more than is waited for: after its last the window closes, maybe before anybody has seen the round's picture.
    let rounds: String = (0..=most)
        .map(|number| round(&scenes, folder.path(), number))
        .collect();
    fs::write(&script, format!("[{rounds}]")).expect("a file");
    let child = display.spawn_unseen(
        folder.path(),
        &[
            "--size".as_ref(),
            "1280x800".as_ref(),
            "--script".as_ref(),
            script.as_os_str(),
            "--report".as_ref(),
            report.as_os_str(),
        ],
    );
    let process = child.id();
    let begun = Instant::now();
    let mut done: Vec<Round> = Vec::new();
    let mut peak_kib = 0;
    while done.len() < most && !enough(&done) {
        let Some(held) = resident_kib(process) else {
            break;
        };
        peak_kib = peak_kib.max(held);
        if picture(folder.path(), done.len()).exists() {
            done.push(Round {
                peak_kib: std::mem::take(&mut peak_kib),
                over: begun.elapsed(),
            });
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let told = std::process::Command::new("kill")
        .args(["-TERM", &process.to_string()])
        .stderr(std::process::Stdio::null())
        .status();
    let ended = end(child, Duration::from_secs(60));
    assert!(told.is_ok() && ended.status.success(), "{}", ended.stderr);
    assert_eq!(ended.stderr, "");
    assert!(Report::read(&report).number("/tick") >= 0.0);
    done
}

#[test]
fn a_script_that_does_everything_leaves_memory_as_it_was() {
    // Only where the system says what a process holds.
    if resident_kib(std::process::id()).is_none() {
        return;
    }
    let minutes = std::env::var("SKIRMISH_SOAK_MINUTES").ok();
    let minutes: Option<u64> = minutes.map(|text| text.parse().expect("a number of minutes"));
    with_display(|display| {
        let (most, enough) = match minutes {
            Some(minutes) => (200, Duration::from_secs(60 * minutes)),
            None => (4, Duration::MAX),
        };
        let begun = Instant::now();
        let rounds = soak(display, most, |_| begun.elapsed() > enough);
        // The first minute, or where there are few rounds those until undo keeps no more scenes.
        let first = match minutes {
            Some(_) => rounds
                .iter()
                .take_while(|round| round.over <= Duration::from_secs(60))
                .count()
                .max(1),
            None => 3,
        };
        assert!(rounds.len() > first, "{} rounds", rounds.len());
        let peak = |rounds: &[Round]| rounds.iter().map(|round| round.peak_kib).max().unwrap_or(0);
        let (before, after) = (peak(&rounds[..first]), peak(&rounds[first..]));
        let peaks: Vec<_> = rounds
            .iter()
            .map(|round| {
                format!(
                    "{} KiB at {:.0} s",
                    round.peak_kib,
                    round.over.as_secs_f64()
                )
            })
            .collect();
        let words = peaks.join(", ");
        println!(
            "{} rounds, {before} KiB, then {after} KiB: {words}",
            rounds.len()
        );
        assert!(
            after <= before + GROWTH_KIB,
            "from {before} to {after} KiB: {words}"
        );
    });
}
