//! Recording files: a scene, what was done when, and the fingerprint of every tick.
//!
//! A recording is one RON value: `version`, `folder` (where the scene's pictures lie), `scene` (as scene files have it), `acts`,
//! `hashes` (of the beginning and of each tick, in hexadecimal; zeros where none was taken) and `pins` (moments to compare with, and
//! what they cost). It is read and written as scene files are: within their limits, with every mistake named by file, line and column,
//! and as a whole or not at all.

use super::pin::{self, PIN_LIMIT, Pin};
use super::timeline::Act;
use crate::scene::file::around::{Around, format_row, format_within, write_text};
use crate::scene::file::memory::list;
use crate::scene::file::{SceneError, read_bytes};
use crate::scene::{Scene, limits};
use serde::Deserialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The most ticks that a recording may name: half a year at sixty a second.
const TICK_LIMIT: u64 = 1 << 30;

/// A scene and what was done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The scene with which it begins.
    pub scene: Scene,
    /// Where the scene's pictures lie.
    pub folder: PathBuf,
    /// What was done when, in order.
    pub acts: Vec<Act>,
    /// The fingerprint of the beginning and of each tick that was reached.
    pub hashes: Vec<u64>,
    /// Moments that were pinned, with what they cost.
    pub pins: Vec<Pin>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "version")]
    _version: u32,
    #[serde(default)]
    folder: String,
    #[serde(rename = "scene")]
    _scene: (),
    #[serde(default, deserialize_with = "list")]
    acts: Vec<Act>,
    #[serde(default, deserialize_with = "list")]
    hashes: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    pins: Vec<pin::Written>,
}

impl Recording {
    /// Reads the recording at `path`. A folder that it names is meant relative to where the recording lies.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let mut recording = Self::parse(&read_bytes(path)?, &path.display().to_string())?;
        let beside = path.parent().unwrap_or(Path::new(""));
        recording.folder = beside.join(&recording.folder);
        Ok(recording)
    }

    /// Whether a text is meant as a recording rather than as a scene: it has a field `scene`.
    pub fn is_meant(bytes: &[u8]) -> bool {
        Around::new(bytes, "").is_ok_and(|around| around.scene_is_there())
    }

    /// Reads a recording from its text; `name` is what messages call it.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Self, SceneError> {
        let around = Around::new(bytes, name)?;
        let scene = around.scene()?;
        let Written {
            folder,
            acts,
            hashes,
            pins,
            ..
        } = around.rest()?;
        let mut last = 0;
        for (place, act) in acts.iter().enumerate() {
            let wrong = |message: String| {
                let words = format!("tick {}: {message}", act.at);
                Err(around.mistake(("acts", place), words))
            };
            if act.at > TICK_LIMIT {
                return wrong(format!("a tick must be at most {TICK_LIMIT}"));
            }
            if act.at < last {
                return wrong(format!(
                    "actions must be in the order of their ticks (found {} after {last})",
                    act.at
                ));
            }
            if let Err(sentence) = act.act.check() {
                return wrong(sentence);
            }
            last = act.at;
        }
        let mut kept = Vec::new();
        if kept.try_reserve_exact(hashes.len()).is_err() {
            let words = "there is not enough memory".to_owned();
            return Err(around.mistake(("hashes", 0), words));
        }
        for (place, text) in hashes.iter().enumerate() {
            match u64::from_str_radix(text, 16) {
                Ok(hash) => kept.push(hash),
                Err(_) => {
                    let words =
                        format!("tick {place}: a fingerprint must be hexadecimal (found {text})");
                    return Err(around.mistake(("hashes", place), words));
                }
            }
        }
        if pins.len() > PIN_LIMIT {
            let words = format!(
                "at most {PIN_LIMIT} moments are pinned (found {})",
                pins.len()
            );
            return Err(around.mistake(("pins", PIN_LIMIT), words));
        }
        let pins = pins.into_iter().enumerate().map(|(place, written)| {
            let wrong = |words| around.mistake(("pins", place), words);
            let pin = Pin::try_from(written).map_err(wrong)?;
            match scene.check_structure(pin.choice.kind) {
                Ok(()) => Ok(pin),
                Err(other) => Err(wrong(format!("the structure {other}"))),
            }
        });
        let pins = pins.collect::<Result<_, SceneError>>()?;
        Ok(Self {
            scene,
            folder: PathBuf::from(folder),
            acts,
            hashes: kept,
            pins,
        })
    }

    /// Its text, which [`Recording::parse`] reads back as the same.
    pub fn format(&self) -> String {
        let mut text = String::new();
        let folder = format_row(&self.folder.to_string_lossy());
        let scene = format_within(&self.scene);
        let version = limits::VERSION;
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "(\n    version: {version},\n    folder: {folder},\n    scene: {scene},\n    acts: [\n"
        );
        for act in &self.acts {
            let _ = writeln!(text, "        {},", format_row(act));
        }
        text.push_str("    ],\n    hashes: [\n");
        for hash in &self.hashes {
            let _ = writeln!(text, "        \"{hash:016x}\",");
        }
        text.push_str("    ],\n");
        if !self.pins.is_empty() {
            text.push_str("    pins: [\n");
            for pin in &self.pins {
                let row = format_row(&pin::Written::from(pin));
                let _ = writeln!(text, "        {row},");
            }
            text.push_str("    ],\n");
        }
        text.push_str(")\n");
        text
    }

    /// Writes it to `path`, as a whole or not at all. The folder is written relative to the recording, where it can be.
    pub fn write(&self, path: &Path) -> Result<(), SceneError> {
        let beside = path.parent().unwrap_or(Path::new(""));
        let recording = Self {
            folder: relative(&self.folder, beside),
            ..self.clone()
        };
        write_text(path, &recording.format(), |text| {
            Self::parse(text.as_bytes(), "").is_ok_and(|read| read == recording)
        })
    }
}

/// `folder` as it is called from `from`: without links and detours on both sides, where both exist.
fn relative(folder: &Path, from: &Path) -> PathBuf {
    let whole = |path: &Path| {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        path.canonicalize().ok()
    };
    let (Some(folder_whole), Some(from)) = (whole(folder), whole(from)) else {
        return folder.to_owned();
    };
    let shared = folder_whole
        .components()
        .zip(from.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = from.components().skip(shared).map(|_| "..");
    let down = folder_whole.components().skip(shared);
    up.map(PathBuf::from)
        .chain(down.map(|part| PathBuf::from(part.as_os_str())))
        .collect()
}
