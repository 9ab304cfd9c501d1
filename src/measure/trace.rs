//! One operation at one moment of a battle, told event by event.

use super::compare::{autos, knobs};
use super::simulate::{counts, index_for};
use super::stage::step;
use crate::battle::Battle;
use crate::geometry::Aabb;
use crate::partition::Info;
use crate::probe::{Cancel, Counter, Work};
use crate::scene::Scene;
use crate::story::{Answer, Concerned, Ground, Operation, Refused, Step, Story};
use serde_json::{Value, json};
use std::fmt;

/// What is traced, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// After how many steps.
    pub tick: u64,
    /// What is done then.
    pub operation: Operation,
    /// How many events are kept.
    pub cap: usize,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// The structure.
    pub structure: &'static Info,
    /// The knobs that were set, by their places among the structure's.
    pub knobs: Vec<(usize, f64)>,
    /// The knobs that the structure was left to choose, each with what it chose.
    pub chosen: Vec<(usize, f64)>,
    /// After how many steps it was done.
    pub tick: u64,
    /// What was done.
    pub operation: Operation,
    /// How far apart pairs are looked for, in metres; nothing for another operation.
    pub reach: Option<f32>,
    /// What happened.
    pub story: Story,
}

/// Runs the scene's battle under its own structure up to the tick, and traces one operation there.
pub fn run(scene: &Scene, options: &Options, cancel: &Cancel) -> Result<Report, Refused> {
    let Options {
        tick,
        ref operation,
        cap,
    } = *options;
    let mut battle = Battle::new(scene);
    let mut index = index_for(scene, &battle);
    for _ in 0..tick {
        step(&mut battle, &mut index, 1, &mut (), &mut ());
    }
    operation.check(battle.bodies())?;
    let chosen = index.chosen();
    let mut ground = Ground::of(battle.bodies());
    let reach = battle.pair_reach();
    let story = Story::of(operation, &mut index, &mut ground, reach, cap, cancel)?;
    Ok(Report {
        scene: scene.name.clone(),
        structure: index.info(),
        knobs: scene.structure.knobs.clone(),
        chosen,
        tick,
        operation: operation.clone(),
        reach: match *operation {
            Operation::Pairs { reach: own } => Some(own.unwrap_or(reach)),
            _ => None,
        },
        story,
    })
}

/// A coordinate as a line shows it; what is less than nothing by less than that is nothing.
fn tenths(coordinate: f32) -> f32 {
    (coordinate * 10.0).round() / 10.0 + 0.0
}

/// A box as JSON has it.
pub(super) fn corners(bounds: Aabb) -> Value {
    json!([bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y])
}

/// A box as a line shows it.
pub(super) fn boxed(bounds: Aabb) -> String {
    let Aabb { min, max } = bounds;
    let [left, bottom, right, top] = [min.x, min.y, max.x, max.y].map(tenths);
    format!("({left}, {bottom} to {right}, {top})")
}

/// Whom an event concerns, as JSON has it.
pub(super) fn concerned(step: &Step) -> Value {
    match step.units {
        Concerned::Nobody => Value::Null,
        Concerned::Load(load) => load.into(),
        Concerned::One(unit) => json!([unit]),
        Concerned::Two(a, b) => json!([a, b]),
    }
}

/// What was found, as JSON has it.
pub(super) fn hits(answer: &Answer) -> Value {
    match answer {
        Answer::Units(units) => json!(units),
        Answer::Pairs(pairs) => json!(pairs),
        Answer::Sides { load, unload } => json!({ "load": load, "unload": unload }),
    }
}

/// A line an event, and one for what is beyond the cap; `named` says what an event is about.
pub(super) fn write_steps(
    f: &mut fmt::Formatter<'_>,
    story: &Story,
    named: impl Fn(&Step) -> String,
) -> fmt::Result {
    let width = story.steps.len().to_string().len();
    for (number, step) in (1..).zip(&story.steps) {
        writeln!(
            f,
            "{number:width$}  {:<9}  {} – {}",
            step.kind(),
            named(step),
            step.reason
        )?;
    }
    if story.left_out > 0 {
        writeln!(
            f,
            "  left out   {} events more than the {} that are kept (--cap N keeps more)",
            story.left_out,
            story.steps.len()
        )?;
    }
    Ok(())
}

impl Report {
    /// One object; what an event does not have is null.
    pub fn to_json(&self) -> Value {
        let event = |step: &Step| {
            json!({
                "kind": step.kind(),
                "region": step.region,
                "box": self.story.bounds(step).map(corners),
                "units": concerned(step),
                "reason": step.reason,
            })
        };
        json!({
            "scene": self.scene,
            "structure": self.structure.key,
            "knobs": knobs(self.structure, &self.knobs),
            "auto": knobs(self.structure, &self.chosen),
            "tick": self.tick,
            "op": self.operation.to_string(),
            "reach": self.reach,
            "events": self.story.steps.iter().map(event).collect::<Vec<_>>(),
            "hits": hits(&self.story.answer),
            "counters": counts(&self.story.counters),
            "left_out": self.story.left_out,
        })
    }

    /// What an event names, as a line shows it.
    fn named(&self, step: &Step) -> String {
        let Some(region) = step.region else {
            return match step.units {
                Concerned::One(unit) => format!("unit {unit}"),
                Concerned::Two(a, b) => format!("units {a} and {b}"),
                _ => "the structure".to_owned(),
            };
        };
        match self.story.place(step) {
            Some(place) => {
                let noun = place.noun();
                format!("{noun} {region} {}", boxed(place.bounds))
            }
            None => format!("region {region}"),
        }
    }
}

/// The sums that are not 0, in words.
pub(super) fn sums(counters: &Counter) -> String {
    let own = [
        (counters.visits, "visits"),
        (counters.prunes, "prunes"),
        (counters.accepts, "accepts"),
        (counters.tests, "tests"),
        (counters.hits, "hits"),
        (counters.splits, "splits"),
        (counters.merges, "merges"),
        (counters.refits, "refits"),
    ];
    let work = Work::ALL.map(|kind| (counters.of(kind), kind.name()));
    let sums: Vec<String> = own
        .into_iter()
        .chain(work)
        .filter(|(sum, _)| *sum > 0)
        .map(|(sum, name)| format!("{sum} {name}"))
        .collect();
    if sums.is_empty() {
        "nothing".to_owned()
    } else {
        sums.join(", ")
    }
}

/// How many numbers there are, and which.
pub(super) fn numbers(of: &[u32]) -> String {
    let names: Vec<String> = of.iter().map(u32::to_string).collect();
    listed(&names)
}

/// How many there are, and who.
fn listed(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        format!("{}: {}", names.len(), names.join(", "))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.structure;
        writeln!(
            f,
            "{}, tick {}: {} under {}",
            self.scene, self.tick, self.operation, info.key
        )?;
        write_steps(f, &self.story, |step| self.named(step))?;
        match &self.story.answer {
            Answer::Units(_)
                if self.operation.is_edit() || self.operation == Operation::Rebuild => {}
            Answer::Units(units) => {
                writeln!(f, "  hits       {}", numbers(units))?;
            }
            Answer::Pairs(pairs) => {
                let names: Vec<String> = pairs.iter().map(|(a, b)| format!("{a}-{b}")).collect();
                writeln!(f, "  hits       {}", listed(&names))?;
            }
            Answer::Sides { load, unload } => {
                writeln!(f, "  load       {}", numbers(load))?;
                writeln!(f, "  unload     {}", numbers(unload))?;
            }
        }
        if let Some(words) = autos(std::iter::once((info, &*self.chosen))) {
            writeln!(f, "  auto       {words}")?;
        }
        write!(f, "  sums       {}", sums(&self.story.counters))
    }
}
