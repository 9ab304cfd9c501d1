//! `skirmish trace`

use super::Failure;
use super::output::{print, print_json};
use super::scenes::{Overrides, folder_of};
use super::stream::{DISK, index, indices, path_of};
use super::values::{Among, whole};
use clap::Args;
use skirmish::built_in;
use skirmish::measure::trace::AnyOperation;
use skirmish::measure::{decide, trace};
use skirmish::probe::Cancel;
use skirmish::scene::Scene;
use skirmish::story::Operation;
use skirmish::story::space::Operation3;
use skirmish::streaming::{Index, Settings};
use std::path::{Path, PathBuf};

/// Tell one operation of a structure, or one decision of streaming, event by event, each with its reason in words
///
/// The operation is the one that is timed and counted, heard by a probe that keeps every event. As in
/// `skirmish trace corner --structure quadtree --tick 60 --op 'radius 40,40,10'` or
/// `skirmish trace open-world --tick 60 --op decide`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene (a file, or one that is built in: see `skirmish scenes`); without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// After how many steps of the battle, or of the character's way, of a sixtieth of a second each
    #[arg(long, value_name = "N", default_value = "0", value_parser = tick)]
    tick: u64,
    /// What is done then: radius x,y,r; range x,y,w,h; nearest x,y,k; segment x,y,x,y;
    /// sector x,y,direction,angle,r; polygon x,y,x,y,x,y,...; path w,x,y,x,y,...; near ID,r; pairs, or pairs REACH; insert x,y;
    /// remove ID; move ID,x,y; rebuild; decide. In a scene with a volume: sphere x,y,z,r; box x,y,z,w,d,h; nearest x,y,z,k;
    /// segment x,y,z,x,y,z; pairs, or pairs REACH; insert x,y,z; remove ID; move ID,x,y,z; rebuild
    ///
    /// In metres and degrees; an operation with values needs quotes around it. A sector opens by its angle, half to each side of
    /// its direction, which turns from x towards y; a path reaches w to each side. Without a REACH, pairs are those that the
    /// battle looks for. Who is inserted is a point, and gets the next number. To decide is what a world does in its next tick:
    /// what to load and what to unload; its character has gone for so many steps along the path that --path names, once everything
    /// around the beginning was there, or has stood since the world was opened where there is none.
    #[arg(long = "op", value_name = "OP", value_parser = asked)]
    asked: Asked,
    /// Decide by this structure, instead of the world's own: two-trees, dual, whole-unload-tree or brute-force
    #[arg(long, value_name = "KEY", hide_possible_values = true)]
    #[arg(value_parser = Among { read: index, words: indices })]
    index: Option<Index>,
    /// Decide on the way along this path: the name of one of the scene's, or a file with a path; without it, the one that the
    /// scene's character goes, and the first where it stands
    #[arg(long, value_name = "FILE|NAME")]
    path: Option<String>,
    /// Keep so many events; how many more there were is said
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = cap)]
    cap: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is told.
#[derive(Clone, Debug, PartialEq)]
enum Asked {
    /// An operation of the scene's structure, as it is meant on a plane and in space; at least one of them is known.
    Operation(Result<Operation, String>, Result<Operation3, String>),
    /// A decision of the world.
    Decide,
}

/// How a decision is asked for.
const DECIDE: &str = "decide";

impl Arguments {
    /// Traces the operation and prints what happened.
    pub fn run(self) -> Result<(), Failure> {
        match self.asked.clone() {
            Asked::Operation(plane, space) => self.trace(plane, space),
            Asked::Decide => self.decide(),
        }
    }

    fn trace(
        self,
        plane: Result<Operation, String>,
        space: Result<Operation3, String>,
    ) -> Result<(), Failure> {
        if self.index.is_some() {
            return Err(Failure::Input(format!(
                "--index goes with --op {DECIDE}; of a battle --structure is the one to set"
            )));
        }
        if self.path.is_some() {
            return Err(Failure::Input(format!(
                "--path goes with --op {DECIDE}: nobody goes along it in a battle"
            )));
        }
        let scene = self.overrides.scene(self.scene.as_deref())?;
        let operation = match &scene.volume {
            Some(_) => space.map(AnyOperation::Space),
            None => plane.map(AnyOperation::Plane),
        };
        let options = trace::Options {
            tick: self.tick,
            operation: operation.map_err(|refused| {
                Failure::Input(format!("--op for the scene '{}': {refused}", scene.name))
            })?,
            cap: self.cap,
        };
        let report = trace::run(&scene, &options, &Cancel::default()).map_err(|refused| {
            Failure::Input(format!("--op '{}': {refused}", options.operation))
        })?;
        if self.json {
            print_json(&report.to_json())
        } else {
            print(&format!("{report}\n"))
        }
    }

    fn decide(self) -> Result<(), Failure> {
        if self.overrides.structure_is_given() {
            return Err(Failure::Input(format!(
                "--structure and --set are of a battle; with --op {DECIDE} --index is the one to set"
            )));
        }
        let named = self.scene.as_deref().map(built_in::find_scene);
        let folder = named.as_deref().map_or(Path::new(""), folder_of);
        let scene = self.overrides.scene(self.scene.as_deref())?;
        let Scene {
            world: Some(world), ..
        } = &scene
        else {
            return Err(Failure::Input(format!(
                "--op '{DECIDE}': the scene '{}' has no world that streams",
                scene.name
            )));
        };
        let asked = self.path.as_deref();
        let path = asked.map(|asked| path_of(scene.character.as_ref(), Some(asked), &scene.name));
        let own = Settings::of_world_on(world, DISK);
        let settings = Settings {
            index: self.index.unwrap_or(own.index),
            ..own
        };
        let options = decide::Options {
            tick: self.tick,
            path: path.transpose()?,
            settings,
            cap: self.cap,
        };
        let report = decide::run(&scene, folder, &options, &Cancel::default())
            .map_err(|abandoned| Failure::Run(abandoned.to_string()))?;
        if self.json {
            print_json(&report.to_json())
        } else {
            print(&format!("{report}\n"))
        }
    }
}

/// Of two refusals the one that knows the word, or both.
fn best_of(plane: String, space: String) -> String {
    let is_unknown = |sentence: &str| sentence.contains("it must be one of");
    match (is_unknown(&plane), is_unknown(&space)) {
        (true, false) => space,
        (false, true) => plane,
        _ => format!("{plane}; {space}"),
    }
}

fn tick(text: &str) -> Result<u64, String> {
    // As many as `simulate` takes.
    whole(text, 0, 1_000_000)
}

fn cap(text: &str) -> Result<usize, String> {
    // Each event that is kept takes a few hundred bytes with its sentence.
    whole(text, 1, 10_000_000).map(|number| number as usize)
}

fn asked(text: &str) -> Result<Asked, String> {
    let mut words = text.split_whitespace();
    if words.next() != Some(DECIDE) {
        let plane = Operation::read_beside(text, &[DECIDE]).map_err(|refused| refused.to_string());
        let space = Operation3::read(text).map_err(|refused| refused.to_string());
        return match (plane, space) {
            (Err(plane), Err(space)) => Err(best_of(plane, space)),
            (plane, space) => Ok(Asked::Operation(plane, space)),
        };
    }
    match words.next() {
        None => Ok(Asked::Decide),
        Some(value) => Err(format!(
            "it must be '{DECIDE}', with no value behind it (found '{value}')"
        )),
    }
}
