//! Any bytes at all, as scenes, recordings, paths and pictures, as lists of edits of every structure, and as whole sessions.
//!
//! How inputs are made, how long this runs, and how one input is tried again is said in `fuzz/engine.rs`; the fuzzers of the
//! program's own readers (scripts, the command line) are among its unit tests. `tests/attack/fuzz` runs all of them for
//! minutes or hours.

#[path = "fuzz/edits.rs"]
mod edits;
#[path = "fuzz/mod.rs"]
mod fuzz;
#[path = "fuzz/pictures.rs"]
mod pictures;
#[path = "fuzz/sessions.rs"]
mod sessions;
#[path = "fuzz/targets.rs"]
mod targets;
#[path = "common/world.rs"]
mod world;

use fuzz::choices::Dice;
use fuzz::engine::{Target, drive};
use fuzz::mutate;
use std::path::Path;

/// Where the package lies.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A list of deeds.
fn deeds(dice: &mut Dice, _: &[Vec<u8>]) -> Vec<u8> {
    let length = *dice.pick(&[40, 200, 600, 1_200]);
    let length = dice.below(length);
    dice.bytes(length)
}

#[test]
fn scenes_of_any_bytes() {
    drive(&Target {
        name: "scene",
        check: targets::scene,
        make: mutate::text,
        corpus: &[
            ("scenes", ".ron"),
            ("scenes/figures", ".ron"),
            ("tests/fuzz/corpus/scene", ".ron"),
        ],
        usual: 1_500,
        test: "--test fuzz scenes",
    });
}

#[test]
fn recordings_of_any_bytes() {
    drive(&Target {
        name: "recording",
        check: targets::recording,
        make: mutate::text,
        corpus: &[("tests/fuzz/corpus/recording", ".ron")],
        usual: 1_500,
        test: "--test fuzz recordings",
    });
}

#[test]
fn paths_of_any_bytes() {
    drive(&Target {
        name: "path",
        check: targets::path,
        make: mutate::text,
        corpus: &[("tests/fuzz/corpus/path", ".ron")],
        usual: 1_000,
        test: "--test fuzz paths",
    });
}

#[test]
fn pictures_of_any_bytes() {
    drive(&Target {
        name: "picture",
        check: targets::picture,
        make: pictures::make,
        corpus: &[("scenes/assets", ".png")],
        usual: 2_000,
        test: "--test fuzz pictures",
    });
}

#[test]
fn edits_of_every_structure() {
    drive(&Target {
        name: "edits",
        check: edits::edits,
        make: deeds,
        corpus: &[],
        usual: 120,
        test: "--test fuzz edits",
    });
}

#[test]
fn whole_sessions() {
    drive(&Target {
        name: "session",
        check: sessions::sessions,
        make: deeds,
        corpus: &[],
        usual: 100,
        test: "--test fuzz sessions",
    });
}

#[test]
fn worlds_whose_objects_are_edited() {
    drive(&Target {
        name: "world",
        check: sessions::worlds,
        make: deeds,
        corpus: &[],
        usual: 100,
        test: "--test fuzz worlds",
    });
}

#[test]
fn sessions_in_space() {
    drive(&Target {
        name: "space",
        check: sessions::spaces,
        make: deeds,
        corpus: &[],
        usual: 100,
        test: "--test fuzz space",
    });
}
