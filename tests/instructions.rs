//! What a tick costs in instructions, which is the same on a busy machine as on an idle one.
//!
//! Counters say how much a structure looks at, and no test asserts a time; what lies between, a kernel that has become slower for the
//! same work, is caught here. Each structure carries a battle twice under `valgrind --tool=callgrind`, once for more ticks than
//! the other time: the difference is what the ticks cost, without the program's start. `tests/golden/instructions.txt` holds what that
//! came to, for the compiler named in it; another compiler, or another way to build, makes other code, and is not compared.
//!
//! `SKIRMISH_GOLDEN=write CARGO_INCREMENTAL=0 cargo test --test instructions` writes the file anew. Where valgrind is not installed the test says that it is
//! skipped, unless `SKIRMISH_REQUIRE_INSTRUCTIONS=1` is set.

use rayon::prelude::*;
use skirmish::partition::Kind;
use skirmish::volume::Kind3;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// By how much a tick may become dearer or cheaper before somebody has to look: two builds of the same source differ by less.
const TOLERANCE: f64 = 0.04;

/// A battle: its scene, how many units, and for how many ticks it goes on the first and the second time.
struct Measured {
    scene: &'static str,
    units: u32,
    ticks: [u32; 2],
    structures: Vec<&'static str>,
}

fn battles() -> [Measured; 2] {
    [
        Measured {
            scene: "skirmish",
            units: 1_000,
            ticks: [4, 12],
            structures: Kind::ALL.iter().map(|kind| kind.info().key).collect(),
        },
        Measured {
            scene: "swarm",
            units: 500,
            ticks: [2, 8],
            structures: Kind3::ALL.iter().map(|kind| kind.info().key).collect(),
        },
    ]
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/instructions.txt")
}

/// The compiler and the target, as the golden values name them.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    let level = if cfg!(debug_assertions) {
        "dev"
    } else {
        "release"
    };
    // What is built in many pieces is inlined less.
    let is_whole = std::env::var("CARGO_INCREMENTAL").is_ok_and(|it| it == "0");
    format!(
        "{}, {}, {level} profile, {}incremental, {} kernels",
        version.unwrap_or_default(),
        std::env::consts::ARCH,
        if is_whole { "not " } else { "" },
        if is_wide() { "AVX2" } else { "plain" }
    )
}

/// Whether the kernels of eight lanes are used on this processor.
fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// How many instructions a run takes.
fn instructions(scene: &str, units: u32, ticks: u32, structure: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_skirmish"))
        .args(["simulate", scene, "--structure", structure])
        .args(["--units", &units.to_string(), "--ticks", &ticks.to_string()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .expect("valgrind starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let line = said.lines().find(|line| line.contains("Collected :"));
    let count = line.and_then(|line| line.rsplit(' ').next()?.parse().ok());
    count.unwrap_or_else(|| panic!("valgrind says how many: {said}"))
}

/// What a tick of each battle costs under each structure. As many are run at once as there are processors: that changes no count.
fn measure() -> BTreeMap<String, u64> {
    let mut asked = Vec::new();
    for battle in battles() {
        for structure in battle.structures {
            asked.push((battle.scene, battle.units, battle.ticks, structure));
        }
    }
    let count = |(scene, units, ticks, structure): &(&str, u32, [u32; 2], &str)| {
        let [few, many] = ticks.map(|ticks| instructions(scene, *units, ticks, structure));
        let a_tick = (many - few) / u64::from(ticks[1] - ticks[0]);
        (format!("{scene}, {units} units, {structure}"), a_tick)
    };
    asked.par_iter().map(count).collect()
}

#[test]
fn a_tick_costs_as_many_instructions_as_when_it_was_last_looked_at() {
    let has_valgrind = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_valgrind {
        let is_required = std::env::var("SKIRMISH_REQUIRE_INSTRUCTIONS").is_ok_and(|it| it == "1");
        assert!(!is_required, "valgrind is not installed");
        println!("skipped: valgrind is not installed");
        return;
    }
    let compiler = compiler();
    if std::env::var("SKIRMISH_GOLDEN").is_ok_and(|value| value == "write") {
        let mut text = format!(
            "# Instructions a tick: see tests/instructions.rs for when these lines may change.\n# {compiler}\n"
        );
        for (what, count) in measure() {
            writeln!(text, "{what} = {count}").expect("a string takes everything");
        }
        std::fs::write(file(), text).expect("the golden values can be written");
        return;
    }
    let text = std::fs::read_to_string(file()).expect("the golden values");
    let measured_with = text.lines().nth(1).unwrap_or_default();
    if measured_with.trim_start_matches("# ") != compiler {
        println!("skipped: counted otherwise ({measured_with})");
        return;
    }
    let pinned: BTreeMap<String, u64> = text
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(what, count)| (what.to_owned(), count.parse().expect("a number")))
        .collect();
    let found = measure();
    assert!(pinned.keys().eq(found.keys()), "a row a structure");
    let changed: Vec<String> = found
        .iter()
        .filter_map(|(what, &count)| {
            let ratio = count as f64 / pinned[what] as f64;
            let is_far = (ratio - 1.0).abs() > TOLERANCE;
            is_far.then(|| format!("{what}: {count} in place of {} ({ratio:.2})", pinned[what]))
        })
        .collect();
    assert!(
        changed.is_empty(),
        "where that is meant, SKIRMISH_GOLDEN=write CARGO_INCREMENTAL=0 cargo test --test instructions writes it down:\n{}",
        changed.join("\n")
    );
}
