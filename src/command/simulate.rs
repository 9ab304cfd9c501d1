//! `skirmish simulate`

use super::output::{print, print_json};
use super::scenes::Overrides;
use super::values::whole;
use super::{Failure, warn};
use clap::Args;
use skirmish::measure::simulate;
use skirmish::scene::Scene;
use std::path::PathBuf;

/// Run a battle without a window: counters, times and the hash of its final state (of the battle alone, without a world that streams)
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene (a file, or one that is built in: see `skirmish scenes`); without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
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

impl Arguments {
    /// Runs the battle and prints its report.
    pub fn run(self) -> Result<(), Failure> {
        let (scene, options, json) = self.check()?;
        let report = simulate::run(&scene, &options, &mut warn);
        if json {
            print_json(&report.to_json())
        } else {
            print(&format!("{report}\n"))
        }
    }

    /// The scene, with what the command line changes of it; how it is run; and whether the report is JSON.
    fn check(self) -> Result<(Scene, simulate::Options, bool), Failure> {
        let options = simulate::Options {
            ticks: self.ticks,
            threads: self.threads,
        };
        let scene = self.overrides.scene(self.scene.as_deref())?;
        Ok((scene, options, self.json))
    }
}

fn ticks(text: &str) -> Result<u64, String> {
    // Four and a half hours of battle; the report keeps the time of each step.
    whole(text, 0, 1_000_000)
}

fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, 64).map(|number| number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    #[test]
    fn overrides_change_the_scene() {
        let matches = Arguments::augment_args(Command::new("simulate"))
            .try_get_matches_from([
                "simulate",
                "--structure",
                "all-pairs",
                "--units",
                "300",
                "--seed",
                "9",
                "--ticks",
                "5",
            ])
            .expect("arguments that are fine");
        let arguments = Arguments::from_arg_matches(&matches).expect("all of them");
        let (scene, options, json) = arguments.check().expect("a scene");
        assert_eq!(scene.structure.kind.info().key, "all-pairs");
        assert!(scene.structure.knobs.is_empty());
        assert_eq!(scene.unit_count(), 300);
        assert_eq!(scene.seed, 9);
        assert_eq!(options.ticks, 5);
        assert!(!json);
    }
}
