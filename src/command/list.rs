//! `skirmish scenes`

use super::Failure;
use super::output::{print, print_json};
use clap::Args;
use serde_json::{Value, json};
use skirmish::built_in;
use skirmish::scene::{Scene, file};
use std::fmt::Write as _;

/// List the scenes that are built in; wherever a scene is asked for, such a name is one
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print a list of JSON objects
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Prints what is built in.
    pub fn run(self) -> Result<(), Failure> {
        let mut scenes = Vec::new();
        for path in built_in::scenes() {
            let name = built_in::shown(&path).trim_end_matches(".ron").to_owned();
            scenes.push((name, file::read(&path)?));
        }
        if self.json {
            let rows: Vec<Value> = scenes.iter().map(row_of).collect();
            return print_json(&rows.into());
        }
        let width = scenes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, scene) in &scenes {
            let (units, objects) = (scene.unit_count(), scene.object_count());
            let counts = match (units, objects) {
                (_, 0) => format!("{units} units"),
                (0, _) => format!("{objects} objects"),
                _ => format!("{units} units, {objects} objects"),
            };
            let _ = writeln!(text, "{name:<width$}  {counts}: {}", scene.name);
        }
        print(&text)
    }
}

fn row_of((name, scene): &(String, Scene)) -> Value {
    json!({
        "scene": name,
        "name": scene.name,
        "caption": scene.caption,
        "units": scene.unit_count(),
        "objects": scene.object_count(),
        "structure": scene.structure_kind().info().key,
    })
}
