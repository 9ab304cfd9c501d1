//! The command line: what may be asked for, and what it means for a scene.
//!
//! Invariant: everything that can be wrong with what the user typed ends as one sentence on one line of stderr and exit
//! code 2, before any window opens and any long work begins.

use clap::{Args, Parser, Subcommand, error::ErrorKind};
use skirmish::measure::stream;
use skirmish::partition::Kind;
use skirmish::scene::file::{self, SceneError};
use skirmish::scene::{self, Character, Scene, StructureChoice, limits};
use skirmish::streaming::{Index, Settings};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How a run ended that did not end well; each becomes one line on stderr.
#[derive(Debug)]
pub enum Failure {
    /// What was given is wrong: exit code 2.
    Input(String),
    /// What was given is fine, and doing it failed: exit code 1.
    Run(String),
    /// Everything was said before; only the exit code is left.
    Said(u8),
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Input(error.to_string())
    }
}

/// See, understand and choose the structures with which games answer, every frame: who is near whom?
///
/// Without a command it opens the window.
#[derive(Debug, Parser)]
#[command(name = "skirmish", version, args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<CommandArgs>,
    #[command(flatten)]
    window: WindowArgs,
}

#[derive(Debug, Subcommand)]
enum CommandArgs {
    /// Run a battle without a window: counters, times and the hash of the final state
    Simulate(SimulateArgs),
    /// Stream a world around a character without a window: late loads, tests a frame, wasted bytes
    Stream(StreamArgs),
    /// Make a new world: pictures of several sizes, and a scene with objects that stream
    World(WorldArgs),
    /// List the structures with their knobs and defaults
    Structures {
        /// Print a list of JSON objects
        #[arg(long)]
        json: bool,
    },
    /// Validate scene files and the pictures that they name
    Check {
        /// Scene files
        #[arg(required = true, value_name = "SCENE")]
        scenes: Vec<PathBuf>,
    },
    /// Rewrite scene files in canonical form, each as a whole or not at all
    Format {
        /// Scene files
        #[arg(required = true, value_name = "SCENE")]
        scenes: Vec<PathBuf>,
        /// Write nothing; list the files that are not in canonical form, and exit with 1 if there are any
        #[arg(long)]
        check: bool,
        /// Also rewrite files with comments, which the canonical form does not keep
        #[arg(long)]
        drop_comments: bool,
    },
}

#[derive(Debug, Args)]
struct WindowArgs {
    /// The scene file to open; without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
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

#[derive(Debug, Args)]
struct SimulateArgs {
    /// The scene file; without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// How many steps of a sixtieth of a second
    #[arg(long, value_name = "N", default_value = "600", value_parser = ticks)]
    ticks: u64,
    /// On how many threads; changes the times and nothing else
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct StreamArgs {
    /// The scene file
    scene: PathBuf,
    /// The path to go along: the name of one of the scene's, or a file with a path; without it, the scene's first
    #[arg(long, value_name = "FILE|NAME")]
    path: Option<String>,
    /// How fast the character walks, in m/s; without it, as the scene says
    #[arg(long, value_name = "M_PER_S", value_parser = speed)]
    speed: Option<f32>,
    /// How many megabytes (10^6 bytes) the simulated disk reads in a second; 0 for no limit
    #[arg(long, value_name = "N", default_value = "50", value_parser = rate)]
    mbps: f32,
    /// How long the simulated disk waits before each file, in milliseconds
    #[arg(long, value_name = "N", default_value = "8", value_parser = rate)]
    latency_ms: f32,
    /// For how long, in seconds; without it once along the path, and at most an hour
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<f64>,
    /// How far load reaches beyond need, in metres, instead of what the scene says
    #[arg(long, value_name = "METRES", value_parser = metres)]
    lead: Option<f32>,
    /// How far unload reaches beyond load, in metres, instead of what the scene says
    #[arg(long, value_name = "METRES", value_parser = metres)]
    margin: Option<f32>,
    /// How many requests the loader has at once, instead of what the scene says
    #[arg(long, value_name = "N", value_parser = requests)]
    requests: Option<u32>,
    /// How many megabytes (10^6 bytes) may be there or on their way, instead of what the scene says
    #[arg(long, value_name = "N", value_parser = megabytes)]
    memory_mb: Option<f64>,
    /// Decide by this structure: two-trees, dual, whole-unload-tree or brute-force; changes the work and no decision
    #[arg(long, value_name = "KEY", default_value = "two-trees", value_parser = index)]
    index: Index,
    /// Seed the world with this number
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,
    /// Write where the character was, frame by frame, as a path that replays exactly
    #[arg(long, value_name = "FILE.ron")]
    record: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct WorldArgs {
    /// How many objects
    #[arg(long, value_name = "N", value_parser = objects)]
    objects: u32,
    /// The folder to write into; it must be new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Seed pictures and places with this number
    #[arg(long, value_name = "N", default_value = "0", value_parser = seed)]
    seed: u64,
}

/// What the command line changes of a scene.
#[derive(Debug, Args)]
struct OverrideArgs {
    /// Use this structure instead of the scene's (see `skirmish structures`)
    #[arg(long, value_name = "KEY", value_parser = structure)]
    structure: Option<Kind>,
    /// Set a knob of the structure; may be given several times
    #[arg(long = "set", value_name = "KNOB=VALUE", value_parser = knob)]
    knobs: Vec<(String, String)>,
    /// Make it this many units in all, each army keeping its share
    #[arg(long, value_name = "N", value_parser = units)]
    units: Option<u32>,
    /// Seed the generators and the battle with this number
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,
}

/// A command that is ready to be carried out.
#[derive(Debug)]
// There is one command in a run; a box would only put a pointer in front of it.
#[allow(clippy::large_enum_variant)]
pub enum Command {
    /// Open the window.
    Window(WindowOptions),
    /// Run a battle without a window.
    Simulate(SimulateOptions),
    /// Stream a world without a window.
    Stream(StreamOptions),
    /// Make a new world.
    World {
        /// How many objects.
        objects: u32,
        /// Into which folder.
        folder: PathBuf,
        /// From which seed.
        seed: u64,
    },
    /// List the registry.
    Structures {
        /// As JSON.
        json: bool,
    },
    /// Validate scene files.
    Check {
        /// The files.
        scenes: Vec<PathBuf>,
    },
    /// Rewrite scene files in canonical form.
    Format {
        /// The files.
        scenes: Vec<PathBuf>,
        /// Only say which are not canonical.
        check: bool,
        /// Whether comments may be lost.
        drop_comments: bool,
    },
}

/// What the window is opened with.
#[derive(Debug)]
#[cfg_attr(not(feature = "app"), allow(dead_code))]
pub struct WindowOptions {
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

/// What is simulated, and how.
#[derive(Debug)]
pub struct SimulateOptions {
    /// The scene, with what the command line changes of it.
    pub scene: Scene,
    /// How many steps.
    pub ticks: u64,
    /// On how many threads.
    pub threads: usize,
    /// Whether the report is JSON.
    pub json: bool,
}

/// What is streamed, and how.
#[derive(Debug)]
pub struct StreamOptions {
    /// The scene, with what the command line changes of it.
    pub scene: Scene,
    /// The file that it came from.
    pub file: PathBuf,
    /// How it is streamed.
    pub run: stream::Options,
    /// Where the recorded path goes.
    pub record: Option<PathBuf>,
    /// Whether the report is JSON.
    pub json: bool,
}

/// Reads the command line and the scene that it names.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Failure> {
    let line = CommandLine::try_parse_from(arguments).map_err(clap_failure)?;
    Ok(match line.command {
        None => {
            let arguments = line.window;
            Command::Window(WindowOptions {
                scene: scene(arguments.scene.as_deref(), arguments.overrides)?,
                path: arguments.scene,
                frames: arguments.frames,
                screenshot: arguments.screenshot,
                script: arguments.script,
                size: arguments.size,
                report: arguments.report,
            })
        }
        Some(CommandArgs::Simulate(arguments)) => Command::Simulate(SimulateOptions {
            scene: scene(arguments.scene.as_deref(), arguments.overrides)?,
            ticks: arguments.ticks,
            threads: arguments.threads,
            json: arguments.json,
        }),
        Some(CommandArgs::Stream(arguments)) => Command::Stream(stream_options(arguments)?),
        Some(CommandArgs::World(arguments)) => Command::World {
            objects: arguments.objects,
            folder: arguments.out,
            seed: arguments.seed,
        },
        Some(CommandArgs::Structures { json }) => Command::Structures { json },
        Some(CommandArgs::Check { scenes }) => Command::Check { scenes },
        Some(CommandArgs::Format {
            scenes,
            check,
            drop_comments,
        }) => Command::Format {
            scenes,
            check,
            drop_comments,
        },
    })
}

/// The scene at `path`, or the one that is built in, with what the command line changes of it.
fn scene(path: Option<&Path>, overrides: OverrideArgs) -> Result<Scene, Failure> {
    let mut scene = match path {
        Some(path) => file::read(path).map_err(|error| not_a_scene(path, error))?,
        None => file::built_in(),
    };
    if let Some(kind) = overrides.structure
        && kind != scene.structure.kind
    {
        // Knobs belong to a structure; another one starts with its own defaults.
        scene.structure = StructureChoice::new(kind);
    }
    for (key, value) in &overrides.knobs {
        scene
            .structure
            .set(key, value)
            .map_err(|error| Failure::Input(format!("--set {key}={value}: {error}")))?;
    }
    if let Some(total) = overrides.units {
        if scene.armies.is_empty() && total > 0 {
            let sentence = "--units needs a scene with an army, and this one has none";
            return Err(Failure::Input(sentence.to_owned()));
        }
        scene.scale_units(total);
    }
    if let Some(seed) = overrides.seed {
        scene.seed = seed;
    }
    Ok(scene)
}

/// What `skirmish stream` does, with everything looked up that the scene has to have for it.
fn stream_options(arguments: StreamArgs) -> Result<StreamOptions, Failure> {
    let mut scene = file::read(&arguments.scene)?;
    let name = arguments.scene.display();
    if let Some(seed) = arguments.seed {
        scene.seed = seed;
    }
    let Some(world) = &scene.world else {
        return Err(Failure::Input(format!(
            "{name}: the scene has no world to stream"
        )));
    };
    let mut settings = Settings {
        mbps: arguments.mbps,
        latency_ms: arguments.latency_ms,
        index: arguments.index,
        ..Settings::of_world(world)
    };
    settings.lead = arguments.lead.unwrap_or(settings.lead);
    settings.margin = arguments.margin.unwrap_or(settings.margin);
    settings.requests_in_flight = arguments.requests.unwrap_or(settings.requests_in_flight);
    if let Some(megabytes) = arguments.memory_mb {
        settings.memory_cap = (megabytes * 1.0e6) as u64;
    }
    let character = scene.character.as_ref();
    let path = path_of(character, arguments.path.as_deref(), &name.to_string())?;
    let speed = arguments
        .speed
        .or(character.map(|character| character.speed))
        .unwrap_or(Character::new(scene.field.center()).speed);
    Ok(StreamOptions {
        run: stream::Options {
            path,
            speed,
            seconds: arguments.seconds,
            settings,
            record: arguments.record.is_some(),
        },
        scene,
        file: arguments.scene,
        record: arguments.record,
        json: arguments.json,
    })
}

/// The path that is asked for: one of the scene's or one in a file; the scene's first one when none is.
fn path_of(
    character: Option<&Character>,
    asked: Option<&str>,
    scene: &str,
) -> Result<scene::Path, Failure> {
    let paths = character.map_or(&[][..], |character| &character.paths);
    let Some(asked) = asked else {
        return paths.first().cloned().ok_or_else(|| {
            Failure::Input(format!(
                "{scene}: the scene has no path to go along; give one by --path FILE"
            ))
        });
    };
    if let Some(path) = paths.iter().find(|path| path.name == asked) {
        return Ok(path.clone());
    }
    let file = Path::new(asked);
    if file.exists() {
        return Ok(file::read_path(file)?);
    }
    let names: Vec<&str> = paths.iter().map(|path| path.name.as_str()).collect();
    Err(Failure::Input(format!(
        "--path {asked}: there is no such file, and {scene} has {}",
        if names.is_empty() {
            "no paths".to_owned()
        } else {
            format!("only the paths {}", names.join(", "))
        }
    )))
}

/// A mistyped command looks like the path of a scene; the sentence says so.
fn not_a_scene(path: &Path, error: SceneError) -> Failure {
    let is_a_word = path
        .to_str()
        .is_some_and(|text| text.chars().all(|c| c.is_ascii_alphabetic()));
    if is_a_word && !path.exists() {
        let commands = "simulate, stream, world, structures, check, format";
        return Failure::Input(format!(
            "{error}, and no such command (there are {commands})"
        ));
    }
    error.into()
}

/// Help and version go to stdout as clap lays them out; a mistake becomes one line.
fn clap_failure(error: clap::Error) -> Failure {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nobody reads on when this fails, so there is nobody to tell.
            let _ = error.print();
            Failure::Said(if error.use_stderr() { 2 } else { 0 })
        }
        _ => {
            let text = error.render().to_string();
            // What follows is the same for every mistake: how to call for help.
            let end = ["\n\nUsage:", "\n\nFor more information"]
                .iter()
                .filter_map(|tail| text.find(tail))
                .min()
                .unwrap_or(text.len());
            let said = text[..end].strip_prefix("error: ").unwrap_or(&text[..end]);
            let parts: Vec<String> = said
                .split("\n\n")
                .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
                .filter(|part| !part.is_empty())
                .collect();
            Failure::Input(parts.join("; "))
        }
    }
}

fn structure(text: &str) -> Result<Kind, String> {
    Kind::from_key(text).ok_or_else(|| {
        let keys: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().key).collect();
        format!("it must be one of {}", keys.join(", "))
    })
}

fn knob(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("it must be a knob, '=' and a value, such as cell_size=12".to_owned()),
    }
}

/// A whole number from `least` to `greatest`.
fn whole(text: &str, least: u64, greatest: u64) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("it must be a whole number from {least} to {greatest}"))
}

fn units(text: &str) -> Result<u32, String> {
    whole(text, 0, limits::MAX_UNITS.into()).map(|number| number as u32)
}

fn objects(text: &str) -> Result<u32, String> {
    whole(text, 1, limits::MAX_OBJECTS.into()).map(|number| number as u32)
}

fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

fn ticks(text: &str) -> Result<u64, String> {
    // Four and a half hours of battle; the report keeps the time of each step.
    whole(text, 0, 1_000_000)
}

fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, 64).map(|number| number as usize)
}

/// A number from `least` to `greatest`, which NaN is not.
fn number(text: &str, least: f32, greatest: f32) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("it must be a number from {least} to {greatest}"))
}

fn index(text: &str) -> Result<Index, String> {
    Index::from_key(text).ok_or_else(|| {
        let keys: Vec<&str> = Index::ALL.iter().map(|index| index.key()).collect();
        format!("it must be one of {}", keys.join(", "))
    })
}

fn speed(text: &str) -> Result<f32, String> {
    number(text, 0.001, limits::MAX_SPEED)
}

fn rate(text: &str) -> Result<f32, String> {
    number(text, 0.0, 1_000_000.0)
}

fn metres(text: &str) -> Result<f32, String> {
    number(text, 0.001, 1_000_000.0)
}

fn requests(text: &str) -> Result<u32, String> {
    whole(text, 1, 100_000).map(|number| number as u32)
}

fn megabytes(text: &str) -> Result<f64, String> {
    number(text, 0.001, 1_000_000.0).map(f64::from)
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.0, 36_000.0).map(f64::from)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Command, Failure> {
        parse(
            std::iter::once("skirmish")
                .chain(arguments.iter().copied())
                .map(OsString::from),
        )
    }

    fn sentence(arguments: &[&str]) -> String {
        match parsed(arguments) {
            Err(Failure::Input(sentence)) => sentence,
            other => panic!("{arguments:?} gave {other:?}"),
        }
    }

    #[test]
    fn the_definitions_hold_together() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn nothing_opens_the_window_with_the_built_in_scene() {
        let Ok(Command::Window(options)) = parsed(&[]) else {
            panic!("no window")
        };
        assert_eq!(options.scene, file::built_in());
        assert_eq!(options.path, None);
    }

    #[test]
    fn overrides_change_the_scene() {
        let Ok(Command::Simulate(options)) = parsed(&[
            "simulate",
            "--structure",
            "all-pairs",
            "--units",
            "300",
            "--seed",
            "9",
            "--ticks",
            "5",
        ]) else {
            panic!("no simulation")
        };
        assert_eq!(options.scene.structure.kind.info().key, "all-pairs");
        assert!(options.scene.structure.knobs.is_empty());
        assert_eq!(options.scene.unit_count(), 300);
        assert_eq!(options.scene.seed, 9);
        assert_eq!(options.ticks, 5);
    }

    #[test]
    fn mistakes_become_one_sentence() {
        for arguments in [
            &["--unitz", "3"][..],
            &["--units", "-3"],
            &["--units", "2000001"],
            &["--structure", "octree"],
            &["--set", "cell_size"],
            &["--set", "no_such_knob=3"],
            &["--size", "0x800"],
            &["--screenshot", "a.png"],
            &["--frames", "0"],
            &["simulate", "--ticks", "many"],
            &["simulate", "--threads", "0"],
            &["stream"],
            &["stream", "no/such/scene.ron"],
            &["stream", "scenes/skirmish.ron"],
            &["stream", "scenes/open-world.ron", "--path", "sail"],
            &["stream", "scenes/open-world.ron", "--path", "README.md"],
            &["stream", "scenes/open-world.ron", "--speed", "0"],
            &["stream", "scenes/open-world.ron", "--mbps", "-1"],
            &["stream", "scenes/open-world.ron", "--latency-ms", "NaN"],
            &["stream", "scenes/open-world.ron", "--seconds", "inf"],
            &["stream", "scenes/open-world.ron", "--lead", "0"],
            &["stream", "scenes/open-world.ron", "--index", "octree"],
            &["world", "--objects", "5"],
            &["world", "--objects", "0", "--out", "x"],
            &["world", "--objects", "2000001", "--out", "x"],
            &["check"],
            &["benchh"],
            &["no/such/scene.ron"],
        ] {
            let sentence = sentence(arguments);
            assert!(!sentence.contains('\n'), "{sentence:?}");
            assert!(!sentence.is_empty());
        }
        assert_eq!(
            sentence(&["--size", "9"]),
            "invalid value '9' for '--size <WxH>': it must be width x height in pixels from 640x400 on, such as 1280x800"
        );
        assert!(sentence(&["simulat"]).contains("no such command"));
    }
}
