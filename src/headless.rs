//! The commands that open no window. Data goes to stdout, messages go to stderr.

use crate::cli::{Failure, SimulateOptions, StreamOptions};
use serde_json::{Value, json};
use skirmish::measure::{simulate, stream};
use skirmish::partition::{Info, Kind, Knob, KnobRange};
use skirmish::scene::{self, PathKind, file, limits};
use skirmish::streaming::{assets, new_world};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Writes `data` to stdout. A reader that stops listening is no failure.
fn print(data: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Run(format!(
            "the output could not be written: {}",
            error.kind()
        ))),
    }
}

/// Writes one line to stderr, whatever is in the names that it quotes. When even that fails there is nobody left to tell.
pub fn complain(message: &str) {
    let mut line = String::with_capacity(message.len());
    for c in message.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    let _ = writeln!(io::stderr(), "skirmish: {line}");
}

fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// `skirmish simulate`
pub fn simulate(options: &SimulateOptions) -> Result<(), Failure> {
    let report = simulate::run(
        &options.scene,
        &simulate::Options {
            ticks: options.ticks,
            threads: options.threads,
        },
    );
    if options.json {
        print_json(&report.to_json())
    } else {
        print(&format!("{report}\n"))
    }
}

/// `skirmish stream`
pub fn stream(options: &StreamOptions) -> Result<(), Failure> {
    let report = stream::run(&options.scene, folder_of(&options.file), &options.run);
    if let Some(path) = &options.record {
        write_recording(path, &report)?;
    }
    if options.json {
        print_json(&report.to_json())?;
    } else {
        print(&format!("{report}\n"))?;
    }
    if report.matches_brute_force {
        Ok(())
    } else {
        Err(Failure::Run(
            "the trees did not decide as brute force does".to_owned(),
        ))
    }
}

fn write_recording(path: &Path, report: &stream::Report) -> Result<(), Failure> {
    let count = report.recording.len();
    if count > limits::MAX_PATH_POINTS {
        return Err(Failure::Input(format!(
            "--record {}: a path may have {} points and not {count}; shorten it by --seconds",
            path.display(),
            limits::MAX_PATH_POINTS
        )));
    }
    let recorded = scene::Path {
        name: report.path.clone(),
        kind: PathKind::Recorded,
        points: report.recording.clone(),
    };
    file::write_path(path, &recorded).map_err(|error| Failure::Run(error.to_string()))
}

/// `skirmish world`
pub fn world(folder: &Path, objects: u32, seed: u64) -> Result<(), Failure> {
    let is_terminal = io::stderr().is_terminal();
    let mut progress = |done: usize, total: usize| {
        // A terminal shows each step on one line; a log gets a line for each quarter. Nobody is told where that fails.
        if is_terminal {
            let end = if done == total { "\n" } else { "" };
            let _ = write!(io::stderr(), "\r{done} of {total} pictures{end}");
        } else if done == total || done.is_multiple_of(total.div_ceil(4)) {
            let _ = writeln!(io::stderr(), "{done} of {total} pictures");
        }
        ControlFlow::Continue(())
    };
    let path = new_world::write(folder, objects, seed, &mut progress).map_err(|error| {
        let sentence = error.to_string();
        match error {
            new_world::NewWorldError::NotEmpty { .. }
            | new_world::NewWorldError::NotAFolder { .. } => Failure::Input(sentence),
            _ => Failure::Run(sentence),
        }
    })?;
    print(&format!("{}\n", path.display()))
}

/// `skirmish structures`
pub fn structures(json: bool) -> Result<(), Failure> {
    if json {
        let rows: Vec<Value> = Kind::ALL
            .iter()
            .map(|kind| structure_json(kind.info()))
            .collect();
        return print_json(&rows.into());
    }
    let mut text = String::new();
    for kind in Kind::ALL {
        let info = kind.info();
        let _ = writeln!(text, "{:<16} {}: {}", info.key, info.name, info.tagline);
        for knob in info.knobs {
            let default = knob.format(knob.default);
            let unit = if knob.unit.is_empty() {
                String::new()
            } else {
                format!(" {}", knob.unit)
            };
            let expected = knob.expectation();
            let _ = writeln!(text, "    {}={default}{unit} ({expected})", knob.key);
            let _ = writeln!(text, "        {}", knob.help);
        }
    }
    print(&text)
}

fn structure_json(info: &Info) -> Value {
    json!({
        "key": info.key,
        "name": info.name,
        "tagline": info.tagline,
        "placement": info.placement.name(),
        "what": info.what,
        "cost": info.cost,
        "wins": info.wins,
        "loses": info.loses,
        "source": info.source,
        "knobs": info.knobs.iter().map(knob_json).collect::<Vec<_>>(),
    })
}

fn knob_json(knob: &Knob) -> Value {
    let mut row = json!({
        "key": knob.key,
        "name": knob.name,
        "help": knob.help,
        "unit": knob.unit,
        "picture_only": knob.picture_only,
    });
    match knob.range {
        KnobRange::Number {
            min, max, whole, ..
        } => {
            row["type"] = if whole { "whole" } else { "number" }.into();
            row["default"] = knob.default.into();
            row["min"] = min.into();
            row["max"] = max.into();
        }
        KnobRange::Choice(words) => {
            row["type"] = "choice".into();
            row["default"] = knob.format(knob.default).into();
            row["choices"] = words.into();
        }
        KnobRange::Switch => {
            row["type"] = "switch".into();
            row["default"] = (knob.default != 0.0).into();
        }
    }
    row
}

/// `skirmish check`
pub fn check(scenes: &[PathBuf]) -> Result<(), Failure> {
    let mut all_fine = true;
    for path in scenes {
        match file::read(path) {
            Err(error) => {
                complain(&error.to_string());
                all_fine = false;
            }
            Ok(scene) => {
                let missing = assets::check(&scene, folder_of(path));
                if missing.is_empty() {
                    print(&format!(
                        "{}: fine ({} units, {} objects, {})\n",
                        path.display(),
                        scene.unit_count(),
                        scene.object_count(),
                        scene.structure.kind.info().key
                    ))?;
                }
                for error in missing {
                    complain(&format!("{}: {error}", path.display()));
                    all_fine = false;
                }
            }
        }
    }
    if all_fine {
        Ok(())
    } else {
        Err(Failure::Said(2))
    }
}

/// `skirmish format`
///
/// Every file is looked at, whatever becomes of the others; the worst of them decides the exit code.
pub fn format(scenes: &[PathBuf], check: bool, drop_comments: bool) -> Result<(), Failure> {
    let mut code = 0;
    for path in scenes {
        match format_one(path, check, drop_comments) {
            Ok(true) => {}
            Ok(false) => {
                print(&format!("{}\n", path.display()))?;
                if check {
                    code = code.max(1);
                }
            }
            Err(Failure::Input(sentence)) => {
                complain(&sentence);
                code = 2;
            }
            Err(Failure::Run(sentence)) => {
                complain(&sentence);
                code = code.max(1);
            }
            Err(Failure::Said(said)) => code = code.max(said),
        }
    }
    match code {
        0 => Ok(()),
        code => Err(Failure::Said(code)),
    }
}

/// Whether the file was in canonical form already.
fn format_one(path: &Path, check: bool, drop_comments: bool) -> Result<bool, Failure> {
    let bytes = file::read_bytes(path)?;
    let name = path.display().to_string();
    let scene = file::parse(&bytes, &name)?;
    let canonical = file::format(&scene);
    if canonical.as_bytes() == bytes {
        return Ok(true);
    }
    // A scene that parsed is UTF-8.
    let text = String::from_utf8_lossy(&bytes);
    if !check
        && !drop_comments
        && let Some((line, column)) = file::first_comment(&text)
    {
        return Err(Failure::Input(format!(
            "{name}:{line}:{column}: formatting would lose this comment (allow it by --drop-comments)"
        )));
    }
    if !check {
        file::write(path, &scene).map_err(|error| Failure::Run(error.to_string()))?;
    }
    Ok(false)
}

/// The folder that the pictures of the scene at `path` are relative to.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or_else(|| Path::new(""))
}
