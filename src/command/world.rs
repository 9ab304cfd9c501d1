//! `skirmish world`

use super::Failure;
use super::output::print;
use super::values::{seed, whole};
use clap::Args;
use skirmish::scene::limits;
use skirmish::streaming::new_world::{self, NewWorldError};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Make a new world: pictures of several sizes, and a scene with objects that stream
#[derive(Debug, Args)]
pub struct Arguments {
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

impl Arguments {
    /// Writes the world and prints where its scene is.
    pub fn run(self) -> Result<(), Failure> {
        let is_terminal = io::stderr().is_terminal();
        let mut progress = |done: usize, total: usize| {
            // A terminal shows each step on one line; a log gets a line for each quarter. Nobody is told where that fails.
            if is_terminal {
                let end = if done == total { "\n" } else { "" };
                let _ = write!(io::stderr(), "\r{done} of {total} pictures{end}");
            } else if done == total || done.is_multiple_of(total.div_ceil(4)) {
                let _ = writeln!(io::stderr(), "{done} of {total} pictures");
            }
            ControlFlow::Continue(())
        };
        let path = new_world::write(&self.out, self.objects, self.seed, &mut progress).map_err(
            |error| {
                let sentence = error.to_string();
                match error {
                    NewWorldError::NotEmpty { .. } | NewWorldError::NotAFolder { .. } => {
                        Failure::Input(sentence)
                    }
                    _ => Failure::Run(sentence),
                }
            },
        )?;
        print(&format!("{}\n", path.display()))
    }
}

fn objects(text: &str) -> Result<u32, String> {
    whole(text, 1, limits::MAX_OBJECTS.into()).map(|number| number as u32)
}
