//! Scripts: lists of what a user would do, played frame by frame.
//!
//! With the fixed step, a script gives the same pictures each time on one machine. `screenshots/remake.ron` is one.
//! These are the only serde types beside those of scene files: a script is the window's own, and no scene.

use super::commands::{Command, Layer, View};
use super::report;
use super::state::{App, RunMode, Tool};
use serde::Deserialize;
use skirmish::geometry::Vec2;
use skirmish::partition::{COORDINATE_LIMIT, Kind};
use skirmish::streaming::{Mover, Settings};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// The largest script that is read, in bytes.
const BYTE_LIMIT: u64 = 1 << 20;
/// The most frames that one wait takes.
const WAIT_LIMIT: u32 = 1_000_000;

/// A point of the world, in metres.
type Point = (f32, f32);

/// Something that the script does. Each takes effect at once; only [`Do::Wait`] lets frames pass.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
enum Do {
    /// Lets this many frames pass.
    Wait(u32),
    /// Opens a scene file; the path is relative to where the program was started.
    Open(PathBuf),
    /// Chooses a structure by its key.
    Structure(String),
    /// Sets a knob of the structure, as on the command line.
    Set(String, String),
    /// Sets how many units there are at the start, and starts again.
    Units(u32),
    /// Shows the battle.
    Battle,
    /// Shows the streaming.
    Streaming,
    /// Looks at a point, so many metres high.
    Camera(Point, f32),
    /// Shows the whole field.
    FrameAll,
    /// Points at the field, as if the mouse were there.
    Cursor(Point),
    /// Takes the pointer off the field.
    NoCursor,
    /// Places units with the brush: `Blue` or `Orange`.
    Place(Side, Point),
    /// Sets the radius of the brush, in metres.
    Brush(f32),
    /// Drags the character along these points, one a frame.
    Drag(Vec<Point>),
    /// Sends the character along the scene's path of this name.
    Follow(String),
    /// Sets how fast the character goes along a path, in m/s.
    Speed(f32),
    /// Sets how many megabytes a second the disk reads.
    Disk(f32),
    /// Puts the character here.
    Teleport(Point),
    /// Selects the object at this point.
    Select(Point),
    /// Shows a layer (`true`) or hides it.
    Layer(String, bool),
    /// Lets time pass.
    Run,
    /// Stops time.
    Pause,
    /// Starts the scene again.
    Restart,
    /// Shows the panels (`true`) or hides them.
    Panels(bool),
    /// Makes the surfaces light (`true`) or dark.
    Light(bool),
    /// Shows the help page (`true`) or hides it.
    Help(bool),
    /// Writes a picture of what was drawn last.
    Screenshot(PathBuf),
}

/// Whose units are placed.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Side {
    Blue,
    Orange,
}

/// What is left of a script to be played.
#[derive(Debug)]
pub struct Script {
    name: String,
    steps: VecDeque<Do>,
    waiting: u32,
    cursor: Option<Vec2>,
}

impl Script {
    /// Reads a script; what is wrong with it is one sentence with file, line and column.
    pub fn read(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let size = std::fs::metadata(path)
            .map_err(|error| format!("{name}: the script cannot be read ({error})"))?;
        if size.len() > BYTE_LIMIT {
            return Err(format!(
                "{name}: a script must have at most {BYTE_LIMIT} bytes (found {})",
                size.len()
            ));
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{name}: the script cannot be read ({error})"))?;
        let steps: VecDeque<Do> = ron::from_str(&text).map_err(|error| {
            let at = error.span.start;
            format!("{name}:{}:{}: {}", at.line, at.col, error.code)
        })?;
        let script = Self {
            name,
            steps,
            waiting: 0,
            cursor: None,
        };
        script.check()?;
        Ok(script)
    }

    /// Everything that can be known to be wrong before the window opens.
    fn check(&self) -> Result<(), String> {
        for (number, step) in self.steps.iter().enumerate() {
            let wrong = |what: String| Err(format!("{}: step {}: {what}", self.name, number + 1));
            match step {
                Do::Wait(frames) if *frames > WAIT_LIMIT => {
                    return wrong(format!(
                        "a wait is at most {WAIT_LIMIT} frames (found {frames})"
                    ));
                }
                Do::Structure(key) if Kind::from_key(key).is_none() => {
                    let keys: Vec<_> = Kind::ALL.iter().map(|kind| kind.info().key).collect();
                    return wrong(format!(
                        "the structure must be one of {} (found {key})",
                        keys.join(", ")
                    ));
                }
                Do::Layer(word, _) if layer(word).is_none() => {
                    let words: Vec<_> = layers().map(Layer::name).collect();
                    return wrong(format!(
                        "the layer must be one of {} (found {word})",
                        words.join(", ")
                    ));
                }
                Do::Speed(value) | Do::Disk(value) if !(value.is_finite() && *value > 0.0) => {
                    return wrong(format!("the value must be greater than 0 (found {value})"));
                }
                Do::Brush(metres) if !(metres.is_finite() && *metres > 0.0) => {
                    return wrong(format!(
                        "the radius must be greater than 0 (found {metres})"
                    ));
                }
                Do::Camera(_, height) if !(height.is_finite() && *height > 0.0) => {
                    return wrong(format!(
                        "the height must be greater than 0 (found {height})"
                    ));
                }
                _ => {}
            }
            let far = |point: &Point| {
                !(point.0.abs() <= COORDINATE_LIMIT && point.1.abs() <= COORDINATE_LIMIT)
            };
            let points: &[Point] = match step {
                Do::Camera(point, _)
                | Do::Cursor(point)
                | Do::Place(_, point)
                | Do::Teleport(point)
                | Do::Select(point) => std::slice::from_ref(point),
                Do::Drag(points) => points,
                _ => &[],
            };
            if let Some(point) = points.iter().find(|point| far(point)) {
                return wrong(format!(
                    "coordinates must be numbers up to {COORDINATE_LIMIT} (found {point:?})"
                ));
            }
        }
        Ok(())
    }

    /// Plays on until a frame has to pass. Returns whether there is more; what fails is a sentence.
    pub fn play(&mut self, app: &mut App) -> Result<bool, String> {
        if self.waiting > 0 {
            self.waiting -= 1;
        }
        while self.waiting == 0 {
            let Some(step) = self.steps.pop_front() else {
                return Ok(false);
            };
            self.carry_out(step, app)?;
            // What was asked for is done before the next step looks at it, and what was refused ends the script.
            app.refusals.clear();
            app.flush();
            if let Some(sentence) = app.refusals.pop() {
                return Err(format!("{}: {sentence}", self.name));
            }
        }
        app.cursor = self.cursor;
        Ok(true)
    }

    fn carry_out(&mut self, step: Do, app: &mut App) -> Result<(), String> {
        let at = |point: Point| Vec2::new(point.0, point.1);
        match step {
            Do::Wait(frames) => self.waiting = frames,
            Do::Open(path) => app.open(path),
            Do::Structure(key) => {
                if let Some(kind) = Kind::from_key(&key) {
                    app.choose_structure(kind);
                }
            }
            Do::Set(key, value) => {
                let info = app.index.info();
                let knob = info
                    .knob_index(&key)
                    .map_err(|error| format!("{}: {error}", self.name))?;
                let value = info.knobs[knob]
                    .parse(&value)
                    .map_err(|error| format!("{}: {error}", self.name))?;
                app.set_knob(knob, value);
            }
            Do::Units(count) => app.set_unit_count(count.min(skirmish::scene::limits::MAX_UNITS)),
            Do::Battle => app.run(Command::View(View::Battle)),
            Do::Streaming => app.run(Command::View(View::Streaming)),
            Do::Camera(center, height) => {
                app.framed = false;
                let camera = skirmish::scene::Camera {
                    center: at(center),
                    height,
                };
                app.camera = super::camera::Camera::of_scene(&camera, app.camera.screen);
            }
            Do::FrameAll => app.frame_all(),
            Do::Cursor(point) => self.cursor = Some(at(point)),
            Do::NoCursor => self.cursor = None,
            Do::Place(side, point) => {
                let tool = app.brush.tool;
                app.brush.tool = match side {
                    Side::Blue => Tool::Blue,
                    Side::Orange => Tool::Orange,
                };
                app.brush_at(at(point), true);
                app.brush.tool = tool;
            }
            Do::Brush(metres) => app.brush.radius = metres,
            Do::Drag(points) => self.drag(&points, app),
            Do::Follow(name) => {
                if let Some(stream) = &mut app.stream {
                    let path = stream.paths().iter().position(|path| path.name == name);
                    let path = path
                        .ok_or_else(|| format!("{}: the scene has no path '{name}'", self.name))?;
                    stream.follow(Mover::Path(path));
                }
            }
            Do::Speed(speed) => {
                if let Some(stream) = &mut app.stream {
                    stream.set_speed(speed);
                }
            }
            Do::Disk(mbps) => {
                if let Some(stream) = &mut app.stream {
                    let settings = Settings {
                        mbps,
                        ..*stream.settings()
                    };
                    stream.set_settings(&settings);
                }
            }
            Do::Teleport(point) => {
                if let Some(stream) = &mut app.stream {
                    stream.teleport(at(point));
                }
            }
            Do::Select(point) => {
                if let Some(stream) = &mut app.stream {
                    stream.select_at(at(point));
                }
            }
            Do::Layer(word, shown) => {
                if let Some(layer) = layer(&word).filter(|layer| app.layers.shows(*layer) != shown)
                {
                    app.run(Command::Layer(layer));
                }
            }
            Do::Run => app.set_mode(RunMode::Running),
            Do::Pause => app.set_mode(RunMode::Paused),
            Do::Restart => app.restart(),
            Do::Panels(shown) => app.panels = shown,
            Do::Light(light) => app.light = light,
            Do::Help(shown) => app.pages.help = shown,
            Do::Screenshot(path) => report::save_picture(&path)?,
        }
        Ok(())
    }

    /// Takes the character to the first of the points, and leaves the rest for the next frames.
    fn drag(&mut self, points: &[Point], app: &mut App) {
        let Some(stream) = &mut app.stream else {
            return;
        };
        match points.split_first() {
            Some((first, rest)) => {
                if !stream.is_grabbed() {
                    stream.grab();
                }
                stream.drag_to(Vec2::new(first.0, first.1));
                self.steps.push_front(Do::Drag(rest.to_vec()));
                self.waiting = 1;
            }
            None => stream.let_go(),
        }
    }
}

fn layers() -> impl Iterator<Item = Layer> {
    Layer::BATTLE.into_iter().chain(Layer::STREAMING)
}

fn layer(word: &str) -> Option<Layer> {
    layers().find(|layer| layer.name().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Result<Script, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("script.ron");
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        Script::read(&path)
    }

    #[test]
    fn a_mistake_in_a_script_is_named_with_its_place() {
        let error = script("[\n    Wait(3),\n    Fly,\n]").unwrap_err();
        assert!(error.contains("script.ron:3:"), "{error}");
        let error = script("[Structure(\"octopus\")]").unwrap_err();
        assert!(error.contains("must be one of all-pairs"), "{error}");
        assert!(script("[Camera((0.0, NaN), 1.0)]").is_err());
        assert!(script("[Brush(-1.0)]").is_err());
    }

    #[test]
    fn a_script_reads_as_it_is_written() {
        let text = "[Open(\"scenes/skirmish.ron\"), Wait(60), Place(Blue, (10.0, 20.0)), Screenshot(\"a.png\")]";
        assert_eq!(script(text).map(|script| script.steps.len()), Ok(4));
    }
}
