//! One operation at one moment of a battle or of a flight, told event by event.

use super::compare::{autos, knobs};
use super::simulate::counts;
use super::stage::Stage;
use crate::geometry::Aabb;
use crate::partition::Info;
use crate::probe::{Cancel, Counter, Work};
use crate::scene::{Labels, Scene};
use crate::story::space::{Ground3, Operation3, Rooms, Stage3};
use crate::story::{Answer, Concerned, Ground, Operation, Refused, Step, Story};
use crate::volume::{Aabb3, Vec3};
use serde_json::{Value, json};
use std::fmt;

/// An operation on a plane or in space.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyOperation {
    /// Of a structure on a plane.
    Plane(Operation),
    /// Of a structure in space.
    Space(Operation3),
}

impl AnyOperation {
    /// Whether it asks for nobody.
    fn finds_nobody(&self) -> bool {
        match self {
            Self::Plane(operation) => operation.is_edit() || *operation == Operation::Rebuild,
            Self::Space(operation) => operation.is_edit(),
        }
    }

    /// How far apart it looks for pairs, where `reach` is what the tick takes; nothing where it looks for none.
    fn reach(&self, reach: f32) -> Option<f32> {
        match self {
            Self::Plane(Operation::Pairs { reach: own })
            | Self::Space(Operation3::Pairs { reach: own }) => Some(own.unwrap_or(reach)),
            _ => None,
        }
    }
}

impl fmt::Display for AnyOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plane(operation) => operation.fmt(f),
            Self::Space(operation) => operation.fmt(f),
        }
    }
}

/// What is traced, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// After how many steps.
    pub tick: u64,
    /// What is done then.
    pub operation: AnyOperation,
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
    pub operation: AnyOperation,
    /// How far apart pairs are looked for, in metres; nothing for another operation.
    pub reach: Option<f32>,
    /// What the scene calls the first of its units, where it has names for them: the story goes by numbers from 0 on.
    pub first_name: Option<String>,
    /// What happened.
    pub story: Story,
    /// The boxes that events name, where they are boxes in space.
    pub rooms: Option<Rooms>,
}

/// Runs what happens in the scene under its own structure up to the tick, and traces one operation there.
pub fn run(scene: &Scene, options: &Options, cancel: &Cancel) -> Result<Report, Refused> {
    let Options {
        tick,
        ref operation,
        cap,
    } = *options;
    let mut stage = Stage::of(scene);
    stage.build(1, &mut ());
    for _ in 0..tick {
        stage.step(1, &mut (), &mut ());
    }
    let (structure, chosen) = (stage.info(), stage.chosen());
    let (story, reach, rooms) = match (stage, operation) {
        (Stage::Plane(battle, mut index), AnyOperation::Plane(operation)) => {
            operation.check(battle.bodies())?;
            let mut ground = Ground::of(battle.bodies());
            let reach = battle.pair_reach();
            let story = Story::of(operation, &mut index, &mut ground, reach, cap, cancel)?;
            (story, reach, None)
        }
        (Stage::Space(flight, index, _), AnyOperation::Space(operation)) => {
            operation.check(flight.bodies())?;
            let reach = flight.pair_reach();
            let stage = Stage3::new(index, Ground3::of(flight.bodies()), reach);
            let (story, rooms) = stage.tell(operation, cap, cancel)?;
            (story, reach, Some(rooms))
        }
        (Stage::Plane(..), _) => {
            return Err(Refused::because(
                "it is for scenes with a volume, and this one has none",
            ));
        }
        (Stage::Space(..), _) => {
            return Err(Refused::because(
                "it is for scenes on a plane, and this one has a volume",
            ));
        }
    };
    Ok(Report {
        scene: scene.name.clone(),
        structure,
        knobs: scene.own_choice().knobs,
        chosen,
        tick,
        operation: operation.clone(),
        reach: operation.reach(reach),
        first_name: match &scene.view.labels {
            Some(Labels::Names(names)) if scene.world.is_none() => names.first().cloned(),
            _ => None,
        },
        story,
        rooms,
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

/// A box in space as a line shows it.
fn boxed3(bounds: Aabb3) -> String {
    let corner = |at: Vec3| {
        let [x, y, z] = at.to_array().map(tenths);
        format!("{x}, {y}, {z}")
    };
    format!("({} to {})", corner(bounds.min), corner(bounds.max))
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
        let events = if story.left_out == 1 {
            "event"
        } else {
            "events"
        };
        let kept = match story.steps.len() {
            1 => "one that is kept".to_owned(),
            kept => format!("{kept} that are kept"),
        };
        writeln!(
            f,
            "  left out   {} {events} more than the {kept} (--cap N keeps more)",
            story.left_out
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
                "box": self.box_of(step),
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

    /// The box that an event names, in space.
    fn bounds3(&self, step: &Step) -> Option<Aabb3> {
        let rooms = self.rooms.as_ref()?;
        rooms.of(&self.story, step).map(|region| region.bounds)
    }

    /// The box that an event names, as JSON has it: its least corner, then its greatest.
    fn box_of(&self, step: &Step) -> Option<Value> {
        if self.rooms.is_none() {
            return self.story.bounds(step).map(corners);
        }
        let Aabb3 { min, max } = self.bounds3(step)?;
        Some(json!([min.x, min.y, min.z, max.x, max.y, max.z]))
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
                let name = place.name();
                let bounds = match self.bounds3(step) {
                    Some(bounds) => boxed3(bounds),
                    None => boxed(place.bounds),
                };
                format!("{name} {bounds}")
            }
            None => format!("region {region}"),
        }
    }
}

/// The sums that are not 0, in words.
pub(super) fn sums(counters: &Counter) -> String {
    let own = [
        (counters.visits, "visit", "visits"),
        (counters.prunes, "prune", "prunes"),
        (counters.accepts, "accept", "accepts"),
        (counters.tests, "test", "tests"),
        (counters.hits, "hit", "hits"),
        (counters.splits, "split", "splits"),
        (counters.merges, "merge", "merges"),
        (counters.refits, "refit", "refits"),
    ];
    let work = Work::ALL.map(|kind| (counters.of(kind), kind.event_name(), kind.name()));
    let sums: Vec<String> = own
        .into_iter()
        .chain(work)
        .filter(|(sum, ..)| *sum > 0)
        .map(|(sum, one, many)| format!("{sum} {}", if sum == 1 { one } else { many }))
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
        if let Some(name) = &self.first_name {
            writeln!(
                f,
                "Units go by numbers from 0 on, as --op takes them: unit 0 is the one that the window calls {name}."
            )?;
        }
        write_steps(f, &self.story, |step| self.named(step))?;
        match &self.story.answer {
            Answer::Units(_) if self.operation.finds_nobody() => {}
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;
    use crate::scene::file;
    use std::path::Path;

    #[test]
    fn what_is_left_out_is_one_event_or_more_beside_as_many_as_are_kept() {
        let scene = file::read(&built_in::find_scene(Path::new(
            "figures/half-neighbourhood",
        )));
        let scene = scene.expect("a scene that ships");
        let said = |cap: usize| {
            let options = Options {
                tick: 0,
                operation: AnyOperation::Plane(Operation::Pairs { reach: None }),
                cap,
            };
            run(&scene, &options, &Cancel::default()).expect("an operation")
        };
        let all = said(usize::MAX).story.steps.len();
        assert!(all > 3, "{all}");
        for (cap, words) in [
            (
                all - 1,
                format!("1 event more than the {} that are kept", all - 1),
            ),
            (
                all - 2,
                format!("2 events more than the {} that are kept", all - 2),
            ),
            (
                1,
                format!("{} events more than the one that is kept", all - 1),
            ),
        ] {
            let said = said(cap).to_string();
            let line = format!("  left out   {words} (--cap N keeps more)\n");
            assert!(said.contains(&line), "{cap}: {said}");
        }
        assert!(!said(all).to_string().contains("left out"));
    }

    #[test]
    fn one_of_a_kind_is_no_more_than_one_in_the_sums() {
        use crate::probe::{Event, Probe};
        let mut counters = Counter::default();
        assert_eq!(sums(&counters), "nothing");
        for event in [
            Event::Visit(0),
            Event::Work(Work::Compare),
            Event::Work(Work::Rotate),
        ] {
            counters.on(event);
        }
        assert_eq!(sums(&counters), "1 visit, 1 comparison, 1 rotation");
        counters.on(Event::Work(Work::Compare));
        assert_eq!(sums(&counters), "1 visit, 2 comparisons, 1 rotation");
    }
}
