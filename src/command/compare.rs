//! `skirmish compare`

use super::choices::{as_in, check, listed};
use super::output::{print, print_json};
use super::scenes::BattleOverrides;
use super::values::whole;
use super::{Failure, warn};
use clap::Args;
use skirmish::measure::compare;
use skirmish::scene::AnyChoice;
use std::path::PathBuf;

/// Run one battle that several structures follow: what each costs, and whether all of them answer alike
#[derive(Debug, Args)]
pub struct Arguments {
    /// The scene (a file, or one that is built in: see `skirmish scenes`); without one, a skirmish of 2,000 units
    scene: Option<PathBuf>,
    /// Structures with commas between them, at most 16; the knobs of one follow it after colons
    ///
    /// As in linked-grid:cell_size=2:neighbourhood=full,quadtree:capacity=8,morton-tree. The same structure may be named
    /// several times with different knobs; the scene's own keeps its knobs where none are named. Without this it is the
    /// scene's own structure and the lanes that it names, or every structure where it names none; all pairs, which takes
    /// minutes where there are very many units, is then one of them.
    #[arg(long, value_name = "LIST", value_parser = choices)]
    structures: Option<Choices>,
    #[command(flatten)]
    battle: BattleOverrides,
    /// How many steps of a sixtieth of a second
    #[arg(long, value_name = "N", default_value = "600", value_parser = ticks)]
    ticks: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--structures` names, in its order; at least one.
#[derive(Clone, Debug, PartialEq)]
struct Choices(Vec<AnyChoice>);

impl Arguments {
    /// Runs the battle and prints a row a structure. One that answered differently is a run that failed.
    pub fn run(self) -> Result<(), Failure> {
        let scene = self.battle.scene(self.scene.as_deref())?;
        let choices = match self.structures {
            Some(Choices(choices)) => choices
                .into_iter()
                .map(|choice| as_in(&scene, choice))
                .collect(),
            None => compare::usual(&scene),
        };
        check(&scene, &choices)?;
        // Nothing is done to the session that could be refused, and nobody cancels it.
        let report = compare::run(&scene, &choices, self.ticks, &mut warn)
            .map_err(|refusal| Failure::Run(refusal.to_string()))?;
        if self.json {
            print_json(&report.to_json())?;
        } else {
            print(&format!("{report}\n"))?;
        }
        if report.agrees() {
            Ok(())
        } else {
            Err(Failure::Said(1))
        }
    }
}

fn ticks(text: &str) -> Result<u64, String> {
    // As many as `simulate` takes; the report keeps two times of each step and structure.
    whole(text, 0, 1_000_000)
}

fn choices(text: &str) -> Result<Choices, String> {
    listed(text, compare::MOST).map(Choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_structures_and_their_knobs() {
        let text = "linked-grid, quadtree:capacity=8,linked-grid:cell_size=2:neighbourhood=full";
        let Choices(choices) = choices(text).expect("a list that is fine");
        let labels: Vec<String> = choices.iter().map(compare::label).collect();
        assert_eq!(
            labels,
            [
                "linked-grid",
                "quadtree:capacity=8",
                "linked-grid:cell_size=2:neighbourhood=full"
            ]
        );
    }
}
