//! `skirmish trace`

use super::Failure;
use super::output::{print, print_json};
use super::scenes::Overrides;
use super::values::whole;
use clap::Args;
use skirmish::measure::trace;
use skirmish::story::Operation;
use std::path::PathBuf;

/// Tell one operation of a structure event by event, each with its reason in words
///
/// The operation is the one that is timed and counted, heard by a probe that keeps every event. As in
/// `skirmish trace corner --structure quadtree --tick 60 --op 'radius 40,40,10'`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene (a file, or one that is built in: see `skirmish scenes`); without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// After how many steps of the battle, of a sixtieth of a second each
    #[arg(long, value_name = "N", default_value = "0", value_parser = tick)]
    tick: u64,
    /// What is done then: radius x,y,r; range x,y,w,h; nearest x,y,k; segment x,y,x,y; pairs, or pairs REACH; insert x,y;
    /// remove ID; move ID,x,y; rebuild
    ///
    /// In metres; an operation with values needs quotes around it. Without a REACH, pairs are those that the battle looks for.
    /// Who is inserted is a point, and gets the next number.
    #[arg(long = "op", value_name = "OP", value_parser = operation)]
    operation: Operation,
    /// Keep so many events; how many more there were is said
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = cap)]
    cap: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Traces the operation and prints what happened.
    pub fn run(self) -> Result<(), Failure> {
        let scene = self.overrides.scene(self.scene.as_deref())?;
        let options = trace::Options {
            tick: self.tick,
            operation: self.operation,
            cap: self.cap,
        };
        let report = trace::run(&scene, &options)
            .map_err(|refused| Failure::Input(format!("--op '{}': {refused}", self.operation)))?;
        if self.json {
            print_json(&report.to_json())
        } else {
            print(&format!("{report}\n"))
        }
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

fn operation(text: &str) -> Result<Operation, String> {
    Operation::read(text).map_err(|refused| refused.to_string())
}
