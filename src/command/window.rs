//! No command at all: the window.

use super::Failure;
use super::scenes::Overrides;
use super::values::whole;
use clap::Args;
use skirmish::scene::Scene;
use std::path::PathBuf;

// No doc comment here either: it would take the place of the program's.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene file to open; without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// Run for this many frames and end
    #[arg(long, value_name = "N", value_parser = frames)]
    frames: Option<u64>,
    /// Save a picture of the last frame; needs --frames
    #[arg(long, value_name = "FILE.png", requires = "frames")]
    screenshot: Option<PathBuf>,
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
    /// The scene, with what the command line changes of it.
    pub scene: Scene,
    /// The file that the scene came from; `None` for the one that is built in.
    pub path: Option<PathBuf>,
    /// After how many frames the window closes by itself.
    pub frames: Option<u64>,
    /// Where a picture of the last frame goes.
    pub screenshot: Option<PathBuf>,
    /// A script to play.
    pub script: Option<PathBuf>,
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
    /// Where the report on closing goes.
    pub report: Option<PathBuf>,
}

impl Arguments {
    /// Reads the scene. The window itself is opened by the program, for a command knows no graphics.
    pub fn check(self) -> Result<Options, Failure> {
        Ok(Options {
            scene: self.overrides.scene(self.scene.as_deref())?,
            path: self.scene,
            frames: self.frames,
            screenshot: self.screenshot,
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
