//! The command line.

use crate::contest::{Entry, family};
use crate::run::Care;
use crate::work::Work;
use crate::world::{Distribution, Ids, Scene, Sizes, word};
use clap::{Parser, ValueEnum};

/// No crowd is larger.
const MOST_UNITS: usize = 50_000_000;

/// No more threads work.
const MOST_THREADS: usize = 64;

/// No unit is faster, in metres a step.
const FASTEST: f32 = 1.0e6;

/// Measures Skirmish's structures and the best public libraries side by side.
#[derive(Parser, Debug)]
#[command(version, about)]
pub struct Options {
    /// How many units, each number a crowd [default: 10000,100000]
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = units)]
    pub units: Vec<usize>,
    /// Which works [default: all]
    #[arg(long, value_delimiter = ',', value_enum)]
    pub work: Vec<Work>,
    /// How the crowd stands [default: uniform,clustered,front]
    #[arg(long, value_delimiter = ',', value_enum)]
    pub distribution: Vec<Distribution>,
    /// In which order the units are numbered [default: random,coherent]
    #[arg(long, value_delimiter = ',', value_enum)]
    pub ids: Vec<Ids>,
    /// How large the units are [default: points]
    #[arg(long, value_delimiter = ',', value_enum)]
    pub sizes: Vec<Sizes>,
    /// These contestants alone: keys of structures and names of crates; `ours` and `peers` are all of them
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub only: Vec<String>,
    /// The third dimension: cubes in place of rectangles, no single moves; by default uniform and clustered crowds
    #[arg(long)]
    pub space: bool,
    /// Ours over time: steps and all their pairs one after the other, on one thread and on two; by default a million, uniform and
    /// clustered
    #[arg(long, conflicts_with_all = ["space", "json", "only", "work", "ids", "sizes"])]
    pub over_time: bool,
    /// On how many threads all works: `build`, `step`, `pairs` and `step_pairs` of everybody who knows how to share them, by the clock on the
    /// wall; needs `--features parallel`
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads, conflicts_with_all = ["space", "over_time"])]
    pub threads: usize,
    /// How many turns everybody has [default: 5]
    #[arg(long)]
    pub rounds: Option<usize>,
    /// How far a unit goes in a step at the most, along each axis
    #[arg(long, default_value_t = 0.25, value_parser = speed)]
    pub speed: f32,
    /// A first look: uniform and clustered points with random ids, three turns, few trials, no structures without peers
    #[arg(long)]
    pub quick: bool,
    /// A list of rows instead of tables
    #[arg(long)]
    pub json: bool,
}

/// How many units a crowd may have: one, or nobody could be asked about.
fn units(text: &str) -> Result<usize, String> {
    let units = text.parse().ok();
    let units = units.filter(|units| (1..=MOST_UNITS).contains(units));
    units.ok_or_else(|| format!("a whole number from 1 to {MOST_UNITS} is wanted"))
}

/// On how many threads all works.
fn threads(text: &str) -> Result<usize, String> {
    let most = if cfg!(feature = "parallel") {
        MOST_THREADS
    } else {
        1
    };
    let threads = text.parse().ok();
    let threads = threads.filter(|threads| (1..=most).contains(threads));
    threads.ok_or_else(|| match most {
        1 => "only 1 is known here; built with `--features parallel` it takes more".to_owned(),
        _ => format!("a whole number from 1 to {most} is wanted"),
    })
}

/// How fast units may be.
fn speed(text: &str) -> Result<f32, String> {
    let speed = text.parse().ok();
    let speed = speed.filter(|speed| (0.0..=FASTEST).contains(speed));
    speed.ok_or_else(|| format!("a number from 0 to {FASTEST} is wanted, in metres a step"))
}

impl Options {
    /// With everything that was not said as it is by default; what is wrong where that was said that does not go together.
    pub fn settled(mut self) -> Result<Self, String> {
        if self.threads > 1
            && let Some(work) = self.work.iter().find(|work| !work.is_shared())
        {
            return Err(format!(
                "{} is not shared by threads; with --threads, --work takes build, step, pairs and step_pairs",
                word(*work)
            ));
        }
        fn otherwise<T: Clone>(given: &mut Vec<T>, default: &[T]) {
            if given.is_empty() {
                *given = default.to_vec();
            }
        }
        use Distribution::{Clustered, Front, Uniform};
        if self.over_time {
            otherwise(&mut self.units, &[1_000_000]);
            otherwise(&mut self.ids, &[Ids::Coherent]);
            otherwise(&mut self.distribution, &[Uniform, Clustered]);
        }
        otherwise(&mut self.units, &[10_000, 100_000]);
        otherwise(&mut self.work, Work::value_variants());
        if self.threads > 1 {
            self.work.retain(|work| work.is_shared());
        }
        otherwise(&mut self.sizes, &[Sizes::Points]);
        if self.quick {
            otherwise(&mut self.ids, &[Ids::Random]);
        }
        if self.quick || self.space {
            otherwise(&mut self.distribution, &[Uniform, Clustered]);
        }
        otherwise(&mut self.distribution, &[Uniform, Clustered, Front]);
        otherwise(&mut self.ids, &[Ids::Random, Ids::Coherent]);
        Ok(self)
    }

    /// Every crowd that was asked for.
    pub fn scenes(&self) -> Vec<Scene> {
        let mut scenes = Vec::new();
        for &units in &self.units {
            for &sizes in &self.sizes {
                for &distribution in &self.distribution {
                    for &ids in &self.ids {
                        scenes.push(Scene {
                            distribution,
                            ids,
                            sizes,
                            units,
                            in_space: self.space,
                            threads: self.threads,
                        });
                    }
                }
            }
        }
        scenes
    }

    /// Whether the contestant was asked for.
    pub fn takes<W>(&self, entry: &Entry<W>) -> bool {
        if self.only.is_empty() {
            // Nobody to compare with, and slow.
            return !(self.quick && entry.family == family::NONE);
        }
        self.only.iter().any(|name| match name.as_str() {
            "ours" => entry.ours,
            "peers" => !entry.ours,
            name => entry.name.split(' ').next() == Some(name),
        })
    }

    /// How thoroughly it is measured.
    pub fn care(&self) -> Care {
        Care {
            rounds: self.rounds.unwrap_or(if self.quick { 3 } else { 5 }).max(1),
            slow: if self.quick { 4.0 } else { 20.0 },
            slow_rounds: if self.quick { 1 } else { 2 },
            is_quick: self.quick,
        }
    }
}
