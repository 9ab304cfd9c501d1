//! No command at all: the window.

use super::Failure;
use super::scenes::{Overrides, not_a_scene, not_over};
use super::values::whole;
use clap::Args;
use skirmish::built_in;
use skirmish::scene::{Scene, file};
use skirmish::session::file::Recording;
use std::path::{Path, PathBuf};

// No doc comment here either: it would take the place of the program's.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene or recording to open (a file, or one that is built in: see `skirmish scenes`); without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// Run for this many frames and end
    #[arg(long, value_name = "N", value_parser = frames)]
    frames: Option<u64>,
    /// Save a picture of the last frame; needs --frames
    #[arg(long, value_name = "FILE.png", requires = "frames")]
    screenshot: Option<PathBuf>,
    /// Keep a recording of all that is done, and write it on closing
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Play a script: a list of what a user would do, in RON (see screenshots/remake.ron); the window closes at its end
    #[arg(long, value_name = "FILE", conflicts_with = "screenshot")]
    script: Option<PathBuf>,
    /// The size of the window in pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
    /// On closing, write what the window holds: units, structure, knobs, residents, counters, camera
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
}

/// What the window is opened with.
#[derive(Debug)]
#[cfg_attr(not(feature = "app"), allow(dead_code))]
pub struct Options {
    /// What is opened.
    pub source: Source,
    /// The file that it came from; `None` for the scene that is built in.
    pub path: Option<PathBuf>,
    /// What was read of that file: it takes its time until somebody watches it.
    pub bytes: Option<Vec<u8>>,
    /// After how many frames the window closes by itself.
    pub frames: Option<u64>,
    /// Where a picture of the last frame goes.
    pub screenshot: Option<PathBuf>,
    /// Where the recording goes on closing.
    pub record: Option<PathBuf>,
    /// A script to play.
    pub script: Option<PathBuf>,
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
    /// Where the report on closing goes.
    pub report: Option<PathBuf>,
}

/// What a window opens with.
#[derive(Debug)]
#[cfg_attr(not(feature = "app"), allow(dead_code))]
pub enum Source {
    /// A scene, with what the command line changes of it.
    Scene(Box<Scene>),
    /// A recording, which plays as it is.
    Recording(Box<Recording>),
}

impl Arguments {
    /// Reads what is to be opened. The window itself is opened by the program, for a command knows no graphics.
    pub fn check(self) -> Result<Options, Failure> {
        let found = self.scene.as_deref().map(built_in::find_scene);
        let path = found.as_deref();
        let read = |path: &Path| file::read_bytes(path).map_err(|error| not_a_scene(path, error));
        let bytes = path.map(read).transpose()?;
        let is_recording = bytes.as_deref().is_some_and(Recording::is_meant);
        let script = self.script.as_deref();
        // A recording may be gone on with, and be written anew.
        let scene = path.filter(|_| !is_recording);
        not_over("--record", self.record.as_deref(), &[scene, script])?;
        for (option, written) in [
            ("--screenshot", &self.screenshot),
            ("--report", &self.report),
        ] {
            not_over(option, written.as_deref(), &[path, script])?;
        }
        let source = match path {
            Some(path) if is_recording && self.overrides.are_given() => {
                return Err(Failure::Input(format!(
                    "{}: a recording plays as it is; --structure, --set, --units and --seed are for scenes",
                    path.display()
                )));
            }
            Some(path) if is_recording => Source::Recording(Box::new(Recording::read(path)?)),
            _ => {
                let scene = match path.zip(bytes.as_deref()) {
                    Some((path, bytes)) => file::parse(bytes, &path.display().to_string())?,
                    None => file::built_in(),
                };
                Source::Scene(Box::new(self.overrides.put_on(scene)?))
            }
        };
        Ok(Options {
            source,
            path: path.map(Path::to_path_buf),
            bytes,
            frames: self.frames,
            screenshot: self.screenshot,
            record: self.record,
            script: self.script,
            size: self.size,
            report: self.report,
        })
    }
}

fn frames(text: &str) -> Result<u64, String> {
    whole(text, 1, 1_000_000_000)
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str, least| whole(text, least, 16_384).ok().map(|number| number as u32);
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some((side(width, 640)?, side(height, 400)?)))
        .ok_or_else(|| {
            "it must be width x height in pixels from 640x400 on, such as 1280x800".to_owned()
        })
}
