//! The program copied alone into an empty folder: every scene that comes with it is there, with its pictures, without a window.
//! (With one: `tests/window/alone.rs`.)

use serde_json::Value;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;
use tempfile::TempDir;

/// The program with nothing beside it.
struct Alone {
    folder: TempDir,
    program: PathBuf,
}

impl Alone {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = folder.path().join("program");
        std::fs::copy(env!("CARGO_BIN_EXE_skirmish"), &program).expect("a copy");
        Self { folder, program }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        loop {
            let output = Command::new(&self.program)
                .current_dir(self.folder.path())
                .args(arguments)
                .output();
            match output {
                // Another test, which starts a process of its own just now, has inherited the copy while it was written.
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                output => return output.expect("the program starts"),
            }
        }
    }

    fn stdout_of(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn json_of(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.stdout_of(arguments)).expect("JSON")
    }
}

#[test]
fn every_scene_and_picture_is_there_where_there_is_no_file() {
    let alone = Alone::new();
    let rows = alone.json_of(&["scenes", "--json"]);
    let rows = rows.as_array().expect("a list");
    let names: Vec<&str> = rows
        .iter()
        .map(|row| row["scene"].as_str().expect("a name"))
        .collect();
    for name in ["charge", "million", "open-world", "figures/merges"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    // Every picture that a scene names is read and decoded.
    let mut check = vec!["check"];
    check.extend(&names);
    let said = alone.stdout_of(&check);
    assert_eq!(said.matches(": fine (").count(), names.len(), "{said}");
    for (row, name) in rows.iter().zip(names) {
        // The others take their time where nothing is optimised.
        if row["units"].as_u64().is_some_and(|units| units <= 20_000) {
            let ran = alone.json_of(&["simulate", name, "--ticks", "2", "--json"]);
            assert!(ran["hash"].is_string(), "{name}: {ran}");
        }
        if row["objects"] != 0 {
            let went = alone.run(&["stream", name, "--seconds", "30", "--json"]);
            let said = String::from_utf8_lossy(&went.stderr);
            if said.contains("no path to go along") {
                continue;
            }
            assert_eq!(went.status.code(), Some(0), "{name}: {said}");
            let went: Value = serde_json::from_slice(&went.stdout).expect("JSON");
            let held = went["peak_resident_bytes"].as_u64();
            assert!(held.is_some_and(|held| held > 0), "{name}: {went}");
            assert_eq!(went["failed"], 0, "{name}: {went}");
        }
    }
}

#[test]
fn a_built_in_scene_is_the_same_as_its_file_and_a_file_comes_first() {
    let alone = Alone::new();
    let run = ["simulate", "charge", "--ticks", "20", "--json"];
    let built_in = alone.json_of(&run)["hash"].clone();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/charge.ron");
    let from_file = alone.json_of(&["simulate", file, "--ticks", "20", "--json"]);
    assert_eq!(built_in, from_file["hash"]);
    for name in ["charge.ron", "scenes/charge.ron"] {
        let hash = alone.json_of(&["simulate", name, "--ticks", "20", "--json"])["hash"].clone();
        assert_eq!(hash, built_in, "{name}");
    }
    let mine = std::fs::read_to_string(file).expect("a scene");
    let mine = mine.replacen("seed: ", "seed: 1", 1);
    std::fs::write(alone.folder.path().join("charge"), mine).expect("a file");
    assert_ne!(alone.json_of(&run)["hash"], built_in);
}

#[test]
fn nothing_is_written_where_it_is_built_in() {
    let alone = Alone::new();
    let output = alone.run(&["format", "charge.ron"]);
    assert_eq!(output.status.code(), Some(2));
    let left = std::fs::read_dir(alone.folder.path()).expect("the folder");
    assert_eq!(left.count(), 1, "the program alone");
}
