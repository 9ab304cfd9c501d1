//! The scene of a command: read from a file or built in, with what the command line changes of it.

use super::mistake::{not_first, there_are};
use super::values::{Among, seed, whole};
use super::{Failure, names};
use clap::Args;
use skirmish::built_in;
use skirmish::scene::file::{self, SceneError};
use skirmish::scene::{Scene, StructureChoice, limits};
use skirmish::structure::{AnyKind, StructureKind};
use std::fs;
use std::path::Path;

// What the command line changes of a scene. (A doc comment here would take the place of the command's own in its help.)
#[derive(Debug, Args)]
pub struct Overrides {
    /// Use this structure instead of the scene's (see `skirmish structures`)
    #[arg(long, value_name = "KEY", hide_possible_values = true)]
    #[arg(value_parser = Among { read: structure_of_either, words: keys })]
    structure: Option<StructureKind>,
    /// Set a knob of the structure; may be given several times
    #[arg(long = "set", value_name = "KNOB=VALUE", value_parser = knob)]
    knobs: Vec<(String, String)>,
    #[command(flatten)]
    battle: BattleOverrides,
}

// What the command line changes of a scene's battle, whatever structures follow it.
#[derive(Debug, Args)]
pub struct BattleOverrides {
    /// Make it this many units in all, each army keeping its share
    #[arg(long, value_name = "N", value_parser = units)]
    units: Option<u32>,
    /// Seed the generators and the battle with this number
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,
}

impl Overrides {
    /// Whether anything is to be changed.
    pub fn are_given(&self) -> bool {
        self.structure.is_some()
            || !self.knobs.is_empty()
            || self.battle.units.is_some()
            || self.battle.seed.is_some()
    }

    /// Whether the structure is to be changed, or a knob of it.
    pub fn structure_is_given(&self) -> bool {
        self.structure.is_some() || !self.knobs.is_empty()
    }

    /// The scene at `path`, or the one that opens where none is named, with what the command line changes of it.
    pub fn scene(self, path: Option<&Path>) -> Result<Scene, Failure> {
        self.put_on(scene_at(path)?)
    }

    /// This scene with what the command line changes of it.
    pub fn put_on(self, scene: Scene) -> Result<Scene, Failure> {
        let mut scene = self.battle.put_on(scene)?;
        if let Some(wanted) = self.structure {
            scene
                .check_structure(wanted)
                .map_err(|wrong| Failure::Input(format!("--structure {wrong}")))?;
        }
        match &mut scene.volume {
            Some(volume) => override_structure(&mut volume.structure, self.structure, &self.knobs)?,
            None => override_structure(&mut scene.structure, self.structure, &self.knobs)?,
        }
        Ok(scene)
    }
}

/// Puts another structure of the same dimension into the place of the scene's, and sets knobs of it.
fn override_structure<K: AnyKind>(
    choice: &mut StructureChoice<K>,
    structure: Option<StructureKind>,
    knobs: &[(String, String)],
) -> Result<(), Failure> {
    if let Some(kind) = structure.and_then(K::from_either)
        && kind != choice.kind
    {
        // Knobs belong to a structure; another one starts with its own defaults.
        *choice = StructureChoice::new(kind);
    }
    for (key, value) in knobs {
        choice
            .set(key, value)
            .map_err(|error| Failure::Input(format!("--set {key}={value}: {error}")))?;
    }
    Ok(())
}

impl BattleOverrides {
    /// So many units, and this seed; what is not said stays the scene's.
    pub fn new(units: Option<u32>, seed: Option<u64>) -> Self {
        Self { units, seed }
    }

    /// The scene at `path`, or the one that opens where none is named, with what the command line changes of its battle.
    pub fn scene(self, path: Option<&Path>) -> Result<Scene, Failure> {
        self.put_on(scene_at(path)?)
    }

    fn put_on(self, mut scene: Scene) -> Result<Scene, Failure> {
        if let Some(total) = self.units {
            let flocks = scene.volume.as_ref().map(|volume| volume.flocks.len());
            if flocks.unwrap_or(scene.armies.len()) == 0 && total > 0 {
                let who = flocks.map_or("an army", |_| "a flock");
                let sentence = format!("--units needs a scene with {who}, and this one has none");
                return Err(Failure::Input(sentence));
            }
            let found = scene.scale_units(total);
            if found != u64::from(total) {
                return Err(Failure::Input(format!(
                    "--units {total}: of these units {found} have a place, for this scene has a list of places with nobody on it; give its armies \
                     another formation, or place units and save them"
                )));
            }
        }
        if let Some(seed) = self.seed {
            scene.seed = seed;
        }
        Ok(scene)
    }
}

/// The scene at `path`, or the one that opens where none is named.
fn scene_at(path: Option<&Path>) -> Result<Scene, Failure> {
    match path {
        Some(path) => {
            file::read(&built_in::find_scene(path)).map_err(|error| not_a_scene(path, error))
        }
        None => Ok(file::built_in()),
    }
}

/// The folder that the pictures of the scene at `path` are relative to.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or_else(|| Path::new(""))
}

/// That what an option names for writing is none of the files that are read: whoever mistypes it would lose that.
pub fn not_over(
    option: &str,
    written: Option<&Path>,
    read: &[Option<&Path>],
) -> Result<(), Failure> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let Some((path, place)) = written.and_then(|path| Some((path, real(path)?))) else {
        return Ok(());
    };
    let mut read = read.iter().flatten();
    match read.any(|it| real(it).as_ref() == Some(&place)) {
        true => Err(Failure::Input(format!(
            "{option} {}: what is read from that file would be lost; name another one",
            path.display()
        ))),
        false => Ok(()),
    }
}

/// A mistyped command looks like the path of a scene; the sentence says so.
pub fn not_a_scene(path: &Path, error: SceneError) -> Failure {
    let is_a_word = path
        .to_str()
        .is_some_and(|text| text.chars().all(|c| c.is_ascii_alphabetic()));
    if let Some(word) = path.to_str().filter(|_| is_a_word && !path.exists()) {
        return Failure::Input(if names().iter().any(|name| name == word) {
            not_first(word)
        } else {
            format!("{error}, and no such command {}", there_are())
        });
    }
    error.into()
}

/// The structure with this key, on a plane or in space, or what it must be.
pub fn structure_of_either(text: &str) -> Result<StructureKind, String> {
    StructureKind::from_key(text).ok_or_else(|| format!("it must be one of {}", keys().join(", ")))
}

/// The keys of all structures, in the order of the list.
fn keys() -> Vec<&'static str> {
    let all = StructureKind::ALL.iter();
    all.map(|kind| kind.info().key).collect()
}

fn knob(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("it must be a knob, '=' and a value, such as cell_size=12".to_owned()),
    }
}

/// A number of units, or what it must be.
pub fn units(text: &str) -> Result<u32, String> {
    whole(text, 0, limits::MAX_UNITS.into()).map(|number| number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_not_written_over_by_whatever_name_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let [scene, other] = ["a.ron", "b.ron"].map(|name| folder.path().join(name));
        fs::write(&scene, "").unwrap();
        let read = [Some(&*scene), None];
        for (written, is_fine) in [
            (None, true),
            (Some(&*scene), false),
            (Some(&*folder.path().join(".").join("a.ron")), false),
            (Some(&*other), true),
        ] {
            let result = not_over("--record", written, &read);
            assert_eq!(result.is_ok(), is_fine, "{written:?}");
        }
        // What is built in is read from no file.
        let built_in = Path::new("scenes/none-of-this-name.ron");
        assert!(not_over("--record", Some(&other), &[Some(built_in)]).is_ok());
    }
}
