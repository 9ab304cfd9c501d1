//! `skirmish stream`

use super::Failure;
use super::output::{print, print_json};
use super::scenes::{folder_of, not_over};
use super::values::{Among, number, seed, whole};
use clap::Args;
use skirmish::built_in;
use skirmish::measure::stream;
use skirmish::scene::{self, Character, Disk, Scene, file, limits};
use skirmish::streaming::{Index, Settings, USUAL_DISK, recorded};
use skirmish::tick::STEP_SECONDS;
use std::path::{Path, PathBuf};

/// The simulated disk where neither the scene nor an option says otherwise.
pub const DISK: Disk = Disk {
    mbps: 50.0,
    latency_ms: 8.0,
};

/// Stream a world around a character without a window: late loads, tests a frame, wasted bytes
///
/// The character sets off once everything around it is there, as behind the curtain of a game that starts. The window does not wait for
/// that: what is late there while the world first loads is not counted here.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene file
    scene: PathBuf,
    /// The path to go along: the name of one of the scene's, or a file with a path; without it, the one that the scene's
    /// character goes, and the first where it stands
    #[arg(long, value_name = "FILE|NAME")]
    path: Option<String>,
    /// How fast the character walks, in m/s; without it, as the scene says
    #[arg(long, value_name = "M_PER_S", value_parser = speed)]
    speed: Option<f32>,
    /// How many megabytes (10^6 bytes) the simulated disk reads in a second, 0 for no limit; without it as the scene says, and 50
    /// where it names no disk (the window begins with a slow one then, of 0.5)
    #[arg(long, value_name = "N", value_parser = rate)]
    mbps: Option<f32>,
    /// How long the simulated disk waits before each file, in milliseconds; without it as the scene says, and 8 where it names no
    /// disk
    #[arg(long, value_name = "N", value_parser = rate)]
    latency_ms: Option<f32>,
    /// For how long, in seconds; without it once along the path, and at most an hour
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<f64>,
    /// How far load reaches beyond need, in metres, instead of what the scene says
    #[arg(long, value_name = "METRES", value_parser = metres)]
    lead: Option<f32>,
    /// How many seconds of its way ahead the character is looked at, instead of what the scene says; 0 for not at all
    #[arg(long, value_name = "SECONDS", value_parser = ahead)]
    predict: Option<f32>,
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
    #[arg(
        long,
        value_name = "KEY",
        default_value = "two-trees",
        hide_possible_values = true
    )]
    #[arg(value_parser = Among { read: index, words: indices })]
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

/// What is streamed, and how.
#[derive(Debug)]
struct Options {
    /// The scene, with what the command line changes of it.
    scene: Scene,
    /// The file that it came from.
    file: PathBuf,
    /// How it is streamed.
    run: stream::Options,
    /// Where the recorded path goes.
    record: Option<PathBuf>,
    /// Whether the report is JSON.
    json: bool,
    /// What stood in for a disk that the scene does not name.
    stand_in: Option<String>,
}

impl Arguments {
    /// Streams the world and prints its report.
    pub fn run(self) -> Result<(), Failure> {
        let options = self.check()?;
        let report = stream::run(&options.scene, folder_of(&options.file), &options.run);
        // What has been found out is told whatever becomes of the file.
        let written = options
            .record
            .as_ref()
            .map_or(Ok(()), |path| write_recording(path, &report));
        if options.json {
            print_json(&report.to_json())?;
        } else {
            print(&format!("{report}\n"))?;
            if let Some(words) = &options.stand_in {
                print(&format!("  disk       {words}\n"))?;
            }
        }
        if report.matches_brute_force {
            written
        } else {
            Err(Failure::Run(
                "the trees did not decide as brute force does".to_owned(),
            ))
        }
    }

    /// Looks up everything that the scene has to have for it.
    fn check(self) -> Result<Options, Failure> {
        let found = built_in::find_scene(&self.scene).into_owned();
        let mut scene = file::read(&found)?;
        let name = self.scene.display();
        // A path of the scene that has this name is read from no other file.
        let is_own = |name: &&str| {
            let own = scene.character.as_ref().map(|it| &it.paths);
            own.is_some_and(|own| own.iter().any(|path| path.name == **name))
        };
        let way = self.path.as_deref().filter(|name| !is_own(name));
        let read = [Some(&*found), way.map(Path::new)];
        not_over("--record", self.record.as_deref(), &read)?;
        if let Some(seed) = self.seed {
            scene.seed = seed;
        }
        if scene.volume.is_some() {
            return Err(Failure::Input(format!(
                "{name}: nothing streams in a scene with a volume; `skirmish simulate` counts what happens in it"
            )));
        }
        let Some(world) = &scene.world else {
            return Err(Failure::Input(format!(
                "{name}: the scene has no world to stream"
            )));
        };
        let mut settings = Settings {
            index: self.index,
            ..Settings::of_world_on(world, DISK)
        };
        let stand_in = match world.disk {
            None => stand_in(self.mbps.is_none(), self.latency_ms.is_none()),
            Some(_) => None,
        };
        settings.mbps = self.mbps.unwrap_or(settings.mbps);
        settings.latency_ms = self.latency_ms.unwrap_or(settings.latency_ms);
        settings.lead = self.lead.unwrap_or(settings.lead);
        settings.predict_seconds = self.predict.unwrap_or(settings.predict_seconds);
        settings.margin = self.margin.unwrap_or(settings.margin);
        settings.requests_in_flight = self.requests.unwrap_or(settings.requests_in_flight);
        if let Some(megabytes) = self.memory_mb {
            settings.memory_cap = (megabytes * 1.0e6).round() as u64;
        }
        if let (Some(seconds), Some(path)) = (self.seconds, &self.record) {
            // One at the start, and one a step.
            may_be_written(path, (seconds / STEP_SECONDS).round() as usize + 1)?;
        }
        let character = scene.character.as_ref();
        let path = path_of(character, self.path.as_deref(), &name.to_string())?;
        let speed = self
            .speed
            .or(character.map(|character| character.speed))
            .unwrap_or(Character::new(scene.field.center()).speed);
        Ok(Options {
            run: stream::Options {
                path,
                speed,
                seconds: self.seconds,
                settings,
                record: self.record.is_some(),
            },
            scene,
            file: found,
            record: self.record,
            json: self.json,
            stand_in,
        })
    }
}

/// What of the usual disk stands in for that of a scene which names none: as much as no option says. Whoever looks at the same scene in
/// the window has another one there, and must not wonder why; in what both are alike there is nothing to wonder about.
fn stand_in(mbps: bool, latency: bool) -> Option<String> {
    let mbps = mbps && DISK.mbps != USUAL_DISK.mbps;
    let latency = latency && DISK.latency_ms != USUAL_DISK.latency_ms;
    let of = |disk: Disk| {
        let parts = [
            mbps.then(|| format!("{} MB/s", disk.mbps)),
            latency.then(|| format!("{} ms of latency", disk.latency_ms)),
        ];
        parts
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" and ")
    };
    (mbps || latency).then(|| {
        format!(
            "the scene names none: read at {}; the window begins with {}",
            of(DISK),
            of(USUAL_DISK)
        )
    })
}

/// The path that is asked for: one of the scene's or one in a file; the one that its character goes, or else its first, when none is.
pub(super) fn path_of(
    character: Option<&Character>,
    asked: Option<&str>,
    scene: &str,
) -> Result<scene::Path, Failure> {
    let paths = character.map_or(&[][..], |character| &character.paths);
    let Some(asked) = asked else {
        let followed = character.and_then(Character::followed).unwrap_or(0);
        return paths.get(followed).cloned().ok_or_else(|| {
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

/// Whether a path has room for so many points.
fn may_be_written(path: &Path, count: usize) -> Result<(), Failure> {
    if count <= limits::MAX_PATH_POINTS {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "--record {}: a path may have {} points and not {count}; shorten it by --seconds",
        path.display(),
        limits::MAX_PATH_POINTS
    )))
}

fn write_recording(path: &Path, report: &stream::Report) -> Result<(), Failure> {
    may_be_written(path, report.recording.len())?;
    let way = recorded(report.path.clone(), &report.recording);
    file::write_path(path, &way).map_err(|error| Failure::Run(error.to_string()))
}

/// The structure with this key, or what it must be.
pub fn index(text: &str) -> Result<Index, String> {
    Index::from_key(text).ok_or_else(|| format!("it must be one of {}", indices().join(", ")))
}

/// The keys of all structures by which a world decides.
pub fn indices() -> Vec<&'static str> {
    Index::ALL.iter().map(|index| index.key()).collect()
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

fn ahead(text: &str) -> Result<f32, String> {
    number(text, 0.0, limits::MAX_PREDICT_SECONDS)
}

fn requests(text: &str) -> Result<u32, String> {
    whole(text, 1, 100_000).map(|number| number as u32)
}

fn megabytes(text: &str) -> Result<f64, String> {
    number(text, 0.001, 1_000_000.0)
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.0, 36_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_recording_goes_over_a_path_that_is_read_from_its_file_and_from_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let [scene, way] = ["mine.ron", "way.ron"].map(|name| folder.path().join(name));
        let text = include_str!("../../scenes/figures/load-union.ron");
        let name = format!("{:?}", way.to_str().expect("a path"));
        for (is_own, is_fine) in [(true, true), (false, false)] {
            let text = match is_own {
                true => text.replace("\"walk\"", &name),
                false => text.to_owned(),
            };
            fs::write(&scene, text).expect("a scene");
            fs::write(&way, "").expect("a file");
            let [scene, way] = [&scene, &way].map(|it| it.to_str().expect("a path"));
            let line = ["stream", scene, "--path", way, "--record", way];
            let checked = Line::parse_from(line).arguments.check();
            assert_eq!(checked.is_ok(), is_fine, "{checked:?}");
        }
    }
}
