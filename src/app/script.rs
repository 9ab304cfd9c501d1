//! Scripts: lists of what a user would do, played frame by frame.
//!
//! With the fixed step, a script gives the same pictures each time on one machine. `screenshots/remake.ron` is one.
//! What changes something is said in the words of recordings, [`Action`]; what only concerns looking has words of its own.

use super::commands::{Command, Layer, View, table};
use super::eye::Eye;
use super::layout::Layout;
use super::report;
use super::settings::Theme;
use super::state::{App, GalleryPage, HelpPage, RunMode, StopKind, Tool};
use super::theme::layout;
use super::worker::Asked;
use serde::de::value::EnumAccessDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};
use skirmish::built_in;
use skirmish::files::{self, ReadError};
use skirmish::geometry::Vec2;
use skirmish::partition::COORDINATE_LIMIT;
use skirmish::scene::Orbit;
use skirmish::session::{Action, SideWord};
use skirmish::story::Operation;
use skirmish::story::space::Operation3;
use skirmish::streaming::Settings;
use skirmish::structure::{AnyKind, StructureKind};
use skirmish::volume::Vec3;
use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};

/// The largest script that is read, in bytes.
const BYTE_LIMIT: u64 = 1 << 20;
/// The most frames that one wait takes.
const WAIT_LIMIT: u32 = 1_000_000;

/// A point of the world, in metres.
type Point = (f32, f32);

/// A point of space, in metres.
type Point3 = (f32, f32, f32);

/// The words of [`Look::Slice`], by axis.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Something that the script does. Each takes effect at once; only [`Look::Wait`] lets frames pass.
#[derive(Clone, Debug)]
enum Do {
    /// What changes something, in the very words of recordings.
    Act(Action),
    /// What changes nothing but what is seen, and what concerns the script itself.
    Look(Look),
}

/// What a script does besides actions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
enum Look {
    /// Lets this many frames pass.
    Wait(u32),
    /// Opens a scene file or a recording, relative to where the program was started, or a scene that is built in.
    Open(PathBuf),
    /// Shows the battle.
    Battle,
    /// Shows the structures side by side.
    Compare,
    /// Shows the streaming.
    Streaming,
    /// Shows the third dimension.
    Volume,
    /// Looks at a point of space from so far, in metres, in a direction and from a height, in degrees.
    Eye(Point3, f32, f32, f32),
    /// Cuts space across `x`, `y` or `z` at this place, in metres; `off` cuts nothing away.
    Slice(String, f32),
    /// Points at a point of space, as if the mouse were there.
    Cursor3(Point3),
    /// Looks at a point, so many metres high.
    Camera(Point, f32),
    /// Shows the whole field.
    FrameAll,
    /// Points at the field, as if the mouse were there.
    Cursor(Point),
    /// Takes the pointer off the field.
    NoCursor,
    /// Places units with the brush: `Blue` or `Orange`.
    Place(SideWord, Point),
    /// Sets the radius of the brush, in metres.
    Brush(f32),
    /// Drags the character along these points, one a frame.
    Drag(Vec<Point>),
    /// Sets how many megabytes a second the disk reads.
    Disk(f32),
    /// Selects the object at this point.
    Select(Point),
    /// Shows a layer (`true`) or hides it.
    Layer(String, bool),
    /// Lets time pass.
    Run,
    /// Stops time.
    Pause,
    /// Goes to a tick that is known, and stops there.
    Seek(u64),
    /// Shows the table of all structures (`true`) or the panes, in Compare.
    AllStructures(bool),
    /// Shows the table of the values of this setting in Compare, for the lane whose settings the table offers: the first one's at first.
    Sweep(String),
    /// Looks into an operation, in the words of `skirmish trace --op`.
    StepThrough(String),
    /// Goes to where so many of its steps have happened.
    StepTo(usize),
    /// Has time stop by itself (`true`) for one of the things in the list beside the buttons of time, or not.
    StopWhen(String, bool),
    /// Pins the present moment.
    Pin,
    /// Shows the panels (`true`) or hides them.
    Panels(bool),
    /// Parts the window as the settings of a user would: sizes of panels, and sections that are collapsed.
    Arrange(Layout),
    /// Opens the panels for which there is no room beside the field (`true`), left and right, or closes them.
    Drawers(bool, bool),
    /// Pins query and inspector to what is under the pointer (`true`), or lets them go.
    Hold(bool),
    /// Makes the surfaces light (`true`) or dark.
    Light(bool),
    /// Shows the help page (`true`) or hides it.
    Help(bool),
    /// Shows what the words beside numbers mean (`true`) or hides it.
    Words(bool),
    /// Shows the scenes in pictures (`true`) or hides them.
    Gallery(bool),
    /// Shows the tree of the structure below the field (`true`) or hides it.
    Tree(bool),
    /// Does a command of the menus by its title: `Call("Settings")`.
    Call(String),
    /// Shows the field without what lies over it (`true`), or with it.
    Bare(bool),
    /// Writes a picture of what was drawn last.
    Screenshot(PathBuf),
    /// Writes a small picture of all that lies below the menu.
    Thumbnail(PathBuf),
}

/// A step is a word of either list; which one, its name alone says.
impl<'de> Deserialize<'de> for Do {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Step;

        impl<'de> Visitor<'de> for Step {
            type Value = Do;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a step of a script")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, step: A) -> Result<Do, A::Error> {
                let (Word(name), rest) = step.variant()?;
                let looks = LOOKS.contains(&name.as_str());
                let named = EnumAccessDeserializer::new(Named { name, rest });
                if looks {
                    Look::deserialize(named).map(Do::Look)
                } else {
                    Action::deserialize(named).map(Do::Act)
                }
            }
        }

        deserializer.deserialize_enum("Do", LOOKS, Step)
    }
}

/// What the next decision of a world is called, as for `skirmish trace --op`.
const DECIDE: &str = "decide";

/// The words of [`Look`].
const LOOKS: &[&str] = &[
    "Wait",
    "Open",
    "Battle",
    "Compare",
    "Streaming",
    "Volume",
    "Eye",
    "Slice",
    "Cursor3",
    "Camera",
    "FrameAll",
    "Cursor",
    "NoCursor",
    "Place",
    "Brush",
    "Drag",
    "Disk",
    "Select",
    "Layer",
    "Run",
    "Pause",
    "Seek",
    "AllStructures",
    "Sweep",
    "StepThrough",
    "StepTo",
    "StopWhen",
    "Pin",
    "Panels",
    "Arrange",
    "Drawers",
    "Hold",
    "Light",
    "Help",
    "Words",
    "Gallery",
    "Tree",
    "Call",
    "Bare",
    "Screenshot",
    "Thumbnail",
];

/// The name of a step.
struct Word(String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Word;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("the name of a step")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Word, E> {
                Ok(Word(name.to_owned()))
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}

/// A word that has been read already, and what follows it.
struct Named<A> {
    name: String,
    rest: A,
}

impl<'de, A: VariantAccess<'de>> EnumAccess<'de> for Named<A> {
    type Error = A::Error;
    type Variant = A;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, A), Self::Error> {
        let name = seed.deserialize(self.name.into_deserializer())?;
        Ok((name, self.rest))
    }
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
        let unreadable = |reason: &str| format!("{name}: the script cannot be read ({reason})");
        let bytes = files::read(path, BYTE_LIMIT).map_err(|error| match error {
            ReadError::TooLong => {
                let found = files::length(path).map(|found| format!(" (found {found})"));
                let found = found.unwrap_or_default();
                format!("{name}: a script must have at most {BYTE_LIMIT} bytes{found}")
            }
            error => unreadable(&error.to_string()),
        })?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("the text is not UTF-8"))?;
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
            let look = match step {
                Do::Look(look) => look,
                Do::Act(action) => {
                    let known = match action {
                        Action::Structure(key) if StructureKind::from_key(key).is_none() => {
                            let all = StructureKind::ALL.iter();
                            let keys: Vec<_> = all.map(|kind| kind.info().key).collect();
                            let keys = keys.join(", ");
                            Err(format!("the structure must be one of {keys} (found {key})"))
                        }
                        _ => Ok(()),
                    };
                    known.and_then(|()| action.check()).or_else(wrong)?;
                    continue;
                }
            };
            match look {
                Look::Wait(frames) if *frames > WAIT_LIMIT => {
                    return wrong(format!(
                        "a wait is at most {WAIT_LIMIT} frames (found {frames})"
                    ));
                }
                Look::Layer(word, _) if layer(word).is_none() => {
                    let words: Vec<_> = layers().map(Layer::name).collect();
                    return wrong(format!(
                        "the layer must be one of {} (found {word})",
                        words.join(", ")
                    ));
                }
                Look::StepThrough(words) if words != DECIDE => {
                    if let (Err(plane), Err(space)) =
                        (Operation::read(words), Operation3::read(words))
                    {
                        return wrong(format!("{plane}; for a scene with a volume {space}"));
                    }
                }
                Look::StopWhen(word, _) if stop(word).is_none() => {
                    let words = StopKind::ALL.map(|kind| kind.words().1);
                    return wrong(format!(
                        "what time stops for must be one of {} (found {word})",
                        words.join(", ")
                    ));
                }
                Look::Slice(axis, at) if axis != "off" && !AXES.contains(&axis.as_str()) => {
                    return wrong(format!(
                        "the axis must be one of x, y, z, off (found {axis} at {at})"
                    ));
                }
                Look::Slice(axis, at) if !at.is_finite() => {
                    return wrong(format!(
                        "the place of a slice must be a number of metres (found {at} on {axis})"
                    ));
                }
                Look::Eye(_, distance, _, _) if !(distance.is_finite() && *distance > 0.0) => {
                    return wrong(format!(
                        "the distance must be greater than 0 (found {distance})"
                    ));
                }
                Look::Disk(value) if !(value.is_finite() && *value > 0.0) => {
                    return wrong(format!("the value must be greater than 0 (found {value})"));
                }
                Look::Brush(metres) if !(metres.is_finite() && *metres > 0.0) => {
                    return wrong(format!(
                        "the radius must be greater than 0 (found {metres})"
                    ));
                }
                Look::Camera(_, height) if !(height.is_finite() && *height > 0.0) => {
                    return wrong(format!(
                        "the height must be greater than 0 (found {height})"
                    ));
                }
                _ => {}
            }
            let far = |point: &Point| {
                !(point.0.abs() <= COORDINATE_LIMIT && point.1.abs() <= COORDINATE_LIMIT)
            };
            let points: &[Point] = match look {
                Look::Camera(point, _)
                | Look::Cursor(point)
                | Look::Place(_, point)
                | Look::Select(point) => std::slice::from_ref(point),
                Look::Drag(points) => points,
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
        let look = match step {
            Do::Act(action) => {
                app.act(action);
                return Ok(());
            }
            Do::Look(look) => look,
        };
        match look {
            Look::Wait(frames) => self.waiting = frames,
            Look::Open(path) => app.open(built_in::find_scene(&path).into_owned()),
            Look::Battle => app.run(Command::View(View::Battle)),
            Look::Compare => app.run(Command::View(View::Compare)),
            Look::Streaming => app.run(Command::View(View::Streaming)),
            Look::Volume => app.run(Command::View(View::Volume)),
            Look::Eye(pivot, distance, azimuth, elevation) => {
                let orbit = Orbit {
                    pivot: pivot.into(),
                    distance,
                    azimuth,
                    elevation,
                };
                let (field, screen) = (app.scene.field3(), app.camera.screen);
                app.move_eye(|eye| *eye = Eye::of_scene(&orbit, field, screen));
            }
            Look::Slice(axis, at) => {
                app.set_slice(AXES.iter().position(|it| *it == axis));
                app.move_slice(at);
            }
            Look::Cursor3(point) => {
                let eye = app.space.eye.as_ref();
                let at = eye.and_then(|eye| eye.project(Vec3::from(point)));
                self.cursor = at.map(|(at, _)| app.camera.to_world(at));
            }
            Look::Camera(center, height) => {
                app.framed = false;
                let camera = skirmish::scene::Camera {
                    center: at(center),
                    height,
                };
                app.camera = super::camera::Camera::of_scene(&camera, app.camera.screen);
            }
            Look::FrameAll => app.frame_field_and_units(),
            Look::Cursor(point) => self.cursor = Some(at(point)),
            Look::NoCursor => self.cursor = None,
            Look::Place(side, point) => {
                let tool = app.brush.tool;
                app.brush.tool = match side {
                    SideWord::Blue => Tool::Blue,
                    SideWord::Orange => Tool::Orange,
                };
                app.brush_at(at(point), true);
                app.brush.tool = tool;
            }
            Look::Brush(metres) => app.brush.radius = metres,
            Look::Drag(points) => self.drag(&points, app),
            Look::Disk(mbps) => {
                if let Some(stream) = &mut app.stream {
                    let settings = Settings {
                        mbps,
                        ..*stream.settings()
                    };
                    stream.set_settings(&settings);
                }
            }
            Look::Select(point) => {
                if let Some(stream) = &mut app.stream {
                    stream.select_at(at(point));
                }
            }
            Look::Layer(word, shown) => {
                if let Some(layer) = layer(&word).filter(|layer| app.layers.shows(*layer) != shown)
                {
                    app.run(Command::Layer(layer));
                }
            }
            Look::Run => app.set_mode(RunMode::Running),
            Look::Pause => app.set_mode(RunMode::Paused),
            Look::Seek(tick) => app.seek(tick),
            Look::AllStructures(shown) => {
                app.all_structures = shown;
                app.swept = None;
                // The table needs no second lane, and the panes do.
                if !shown && app.view == View::Compare {
                    app.show_panes();
                }
            }
            Look::Sweep(key) => match app.swept_structure().info().knob_index(&key) {
                Ok(knob) => app.survey(Some(knob)),
                Err(error) => app.say(error.to_string()),
            },
            Look::StepThrough(words) if words == DECIDE => app.look_into(Asked::Decision),
            Look::StepThrough(words) if app.shows_space() => match Operation3::read(&words) {
                Ok(operation) => {
                    app.run(Command::View(View::Volume));
                    app.look_into(Asked::Space(operation));
                }
                Err(refused) => return Err(format!("{}: {refused}", self.name)),
            },
            Look::StepThrough(words) => match Operation::read(&words) {
                Ok(operation) => app.look_into(Asked::Operation(operation)),
                Err(refused) => return Err(format!("{}: {refused}", self.name)),
            },
            Look::StepTo(at) => {
                if let Some(stepping) = &mut app.stepping {
                    stepping.plays = false;
                    stepping.go_through_to(at);
                }
            }
            Look::StopWhen(word, on) => {
                if let Some(kind) = stop(&word) {
                    app.set_stop(kind, on);
                }
            }
            Look::Pin => app.run(Command::Pin),
            Look::Panels(shown) => app.panels = shown,
            Look::Arrange(layout) => app.settings.layout = layout.sanitised(),
            Look::Drawers(left, right) => app.drawers = [left, right],
            Look::Hold(true) => app.hold(),
            Look::Hold(false) => app.let_go(),
            Look::Light(light) => {
                app.settings.theme = if light { Theme::Light } else { Theme::Dark }
            }
            Look::Help(shown) => app.pages.help = shown.then_some(HelpPage::Guide),
            Look::Words(shown) => {
                app.pages.help = shown.then(|| HelpPage::Words(String::new()));
            }
            Look::Tree(shown) => app.show_tree(shown),
            Look::Gallery(shown) => app.pages.gallery = shown.then(GalleryPage::default),
            Look::Call(title) => match called(&title) {
                Some(command) => app.run(command),
                None => return Err(format!("{}: there is no command '{title}'", self.name)),
            },
            Look::Bare(bare) => app.bare = bare,
            Look::Thumbnail(path) => {
                report::save_thumbnail(&path, layout::MENU)?;
            }
            Look::Screenshot(path) => report::save_picture(&path)?,
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
                if !stream.is_held {
                    stream.grab();
                }
                stream.drag_to(Vec2::new(first.0, first.1));
                self.steps.push_front(Do::Look(Look::Drag(rest.to_vec())));
                self.waiting = 1;
            }
            None => stream.let_go(),
        }
    }
}

fn layers() -> impl Iterator<Item = Layer> {
    Layer::BATTLE.into_iter().chain(Layer::STREAMING)
}

/// The command of this title; whether it ends in dots need not be said.
fn called(title: &str) -> Option<Command> {
    let plain = |title: &str| title.trim_end_matches('…').to_lowercase();
    let mut all = table().iter();
    all.find(|row| plain(&row.title) == plain(title))
        .map(|row| row.command)
}

fn stop(word: &str) -> Option<StopKind> {
    let mut all = StopKind::ALL.into_iter();
    all.find(|kind| kind.words().1.eq_ignore_ascii_case(word))
}

fn layer(word: &str) -> Option<Layer> {
    layers().find(|layer| layer.name().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::engine::{Target, drive};
    use crate::fuzz::mutate;
    use crate::fuzz::said::assert_place;

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

    #[cfg(unix)]
    #[test]
    fn a_script_that_is_no_regular_file_is_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        for path in [&pipe, Path::new("/dev/zero")] {
            let (done, end) = std::sync::mpsc::channel();
            let (path, name) = (path.to_owned(), path.display().to_string());
            std::thread::spawn(move || done.send(Script::read(&path).unwrap_err()));
            let said = end.recv_timeout(std::time::Duration::from_secs(60));
            let expected = "the script cannot be read (it is not a regular file)";
            assert_eq!(said, Ok(format!("{name}: {expected}")));
        }
        let long = folder.path().join("long");
        let file = std::fs::File::create(&long).unwrap();
        file.set_len(BYTE_LIMIT + 1).unwrap();
        let said = Script::read(&long).unwrap_err();
        let expected = "a script must have at most 1048576 bytes (found 1048577)";
        assert!(said.ends_with(expected), "{said}");
    }

    #[test]
    fn a_script_that_goes_back_from_the_table_finds_two_panes() {
        let mut app = App::at_first();
        app.scripted = true;
        let ask = app.plain_ask(false);
        app.exchange(ask);
        let mut table = script("[Pause, AllStructures(true), Compare, Wait(1)]").unwrap();
        assert_eq!(table.play(&mut app), Ok(true));
        assert_eq!((app.view, app.lanes.len()), (View::Compare, 1));
        let mut panes = script("[AllStructures(false), Wait(1)]").unwrap();
        assert_eq!(panes.play(&mut app), Ok(true));
        assert_eq!((app.all_structures, app.lanes.len()), (false, 2));
    }

    #[test]
    fn scripts_speak_the_words_of_recordings() {
        let text = "[Spawn(Blue, (1.0, 2.0), 3.0, 4), Order(Orange, March(1.0, 0.0)), Tune(\"lead\", \"60\"), Undo, Seek(3)]";
        assert_eq!(script(text).map(|script| script.steps.len()), Ok(5));
        for word in LOOKS {
            let error = script(&format!("[{word}(\"x\", \"y\", 3)]")).unwrap_err();
            assert!(!error.contains("there is no"), "{word}: {error}");
        }
        let error = script("[Erase((0.0, NaN), 5.0)]").unwrap_err();
        assert!(error.contains("step 1: coordinates must be"), "{error}");
        assert!(script("[Units(3000000)]").is_err());
    }

    #[test]
    fn a_script_reads_as_it_is_written() {
        let text = "[Open(\"scenes/skirmish.ron\"), Wait(60), Place(Blue, (10.0, 20.0)), Screenshot(\"a.png\")]";
        assert_eq!(script(text).map(|script| script.steps.len()), Ok(4));
    }

    /// A script is turned away in a sentence with a place in it, or is read.
    fn read_any(bytes: &[u8]) {
        thread_local! {
            static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder is made");
        }
        let path = FOLDER.with(|folder| folder.path().join("script.ron"));
        std::fs::write(&path, bytes).expect("a file is written");
        let Err(sentence) = Script::read(&path) else {
            return;
        };
        // What it quotes is escaped where it is said.
        assert!(!sentence.trim().is_empty());
        let name = format!("{}:", path.display());
        let rest = sentence.strip_prefix(&name).expect("the file comes first");
        let mut parts = rest.splitn(3, ':').map(str::parse);
        if let (Some(Ok(line)), Some(Ok(column))) = (parts.next(), parts.next()) {
            assert_place(bytes, line, column);
        }
    }

    #[test]
    fn scripts_of_any_bytes() {
        drive(&Target {
            name: "script",
            check: read_any,
            make: mutate::text,
            corpus: &[
                ("screenshots", ".ron"),
                ("tests/fuzz/corpus/script", ".ron"),
            ],
            usual: 1_000,
            test: "--bin skirmish scripts_of_any_bytes",
        });
    }
}
