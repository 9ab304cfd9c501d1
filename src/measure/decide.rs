//! One decision of a scene's world, told event by event: what is loaded and unloaded, and which boxes say so.

use super::simulate::counts;
use super::stream::{opened, set_off};
use super::trace::{boxed, concerned, corners, hits, numbers, sums, write_steps};
use crate::geometry::{Aabb, Vec2};
use crate::probe::{Abandoned, Cancel};
use crate::scene::{self, Character, Scene};
use crate::story::words::{place as at_place, size};
use crate::story::{Answer, Concerned, Step, Story};
use crate::streaming::{Settings, State, Tree};
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;

/// Which decision is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// After how many ticks on the way.
    pub tick: u64,
    /// Along which path; without one, along the one that the scene's character goes, else its first.
    pub path: Option<scene::Path>,
    /// Rectangles, budgets, the speed of the disk, and by which structure it is decided.
    pub settings: Settings,
    /// How many events are kept.
    pub cap: usize,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// The key of the structure that decided.
    pub index: &'static str,
    /// After how many ticks it was decided.
    pub tick: u64,
    /// The path that the character went until then; without one it stood.
    pub path: Option<String>,
    /// Where the character was.
    pub character: Vec2,
    /// The box of the way that it was about to go.
    pub way: Aabb,
    /// How many objects there were.
    pub objects: usize,
    /// How many of them were there or on their way before.
    pub wanted: usize,
    /// What happened.
    pub story: Story,
}

/// Streams the scene's world, whose pictures are named relative to `folder`, and tells the decision of the tick behind the one that
/// is asked for. The character goes along the path that is asked for, or that the scene says, else its first, as in [`super::stream`]; without one it stands, from the first tick on.
/// A scene without a world has one without objects.
pub fn run(
    scene: &Scene,
    folder: &Path,
    options: &Options,
    cancel: &Cancel,
) -> Result<Report, Abandoned> {
    let mut tour = opened(scene, folder, options.settings);
    let character = scene.character.as_ref();
    let own = character.and_then(|it| it.paths.get(it.followed().unwrap_or(0)));
    let path = options.path.as_ref().or(own);
    if let Some(path) = path {
        let speed = character.map(|it| it.speed);
        let speed = speed.unwrap_or(Character::new(scene.field.center()).speed);
        set_off(&mut tour, path, speed);
    }
    for _ in 0..options.tick {
        cancel.check()?;
        tour.tick();
    }
    let heard = tour.hear_next_decision(options.cap, cancel)?;
    let states = tour.streaming().states();
    Ok(Report {
        scene: scene.name.clone(),
        index: heard.index().key(),
        tick: options.tick,
        path: path.map(|path| path.name.clone()),
        character: heard.position(),
        way: heard.way(),
        objects: states.len(),
        wanted: states
            .iter()
            .copied()
            .filter(|it| State::is_wanted(*it))
            .count(),
        story: heard.tell(cancel)?,
    })
}

impl Report {
    /// One object, its keys those of every trace and of the character; what an event does not have is null. A region is numbered
    /// within its tree.
    pub fn to_json(&self) -> Value {
        let event = |step: &Step| {
            let region = step.region.map(Tree::of);
            json!({
                "kind": step.kind(),
                "tree": region.map(|(tree, _)| tree.name()),
                "region": region.map(|(_, own)| own),
                "box": self.story.bounds(step).map(corners),
                "units": concerned(step),
                "reason": step.reason,
            })
        };
        json!({
            "scene": self.scene,
            "structure": self.index,
            "tick": self.tick,
            "op": "decide",
            "path": self.path,
            "character": self.character.to_array(),
            "way": corners(self.way),
            "objects": self.objects,
            "wanted": self.wanted,
            "events": self.story.steps.iter().map(event).collect::<Vec<_>>(),
            "hits": hits(&self.story.answer),
            "counters": counts(&self.story.counters),
            "left_out": self.story.left_out,
        })
    }

    /// What an event names, as a line shows it.
    fn named(&self, step: &Step) -> String {
        let what = match (step.units, step.region.map(Tree::of)) {
            (Concerned::One(object), _) => format!("object {object}"),
            (_, Some((tree, own))) => format!("{} node {own}", tree.name()),
            _ => "the structure".to_owned(),
        };
        match self.story.bounds(step) {
            Some(area) if area.is_empty() => format!("{what} (empty)"),
            Some(area) => format!("{what} {}", boxed(area)),
            None => what,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scene, tick, index, ..
        } = self;
        writeln!(f, "{scene}, tick {tick}: decide under {index}")?;
        write_steps(f, &self.story, |step| self.named(step))?;
        let way = self.way.size();
        let ahead = if way == Vec2::ZERO {
            "standing".to_owned()
        } else {
            format!("{} of way ahead", size(way))
        };
        let here = at_place(self.character);
        writeln!(f, "  character  at {here}, {ahead}")?;
        let (objects, wanted) = (self.objects, self.wanted);
        writeln!(f, "  objects    {objects}, of them {wanted} asked for")?;
        if let Answer::Sides { load, unload } = &self.story.answer {
            writeln!(f, "  load       {}", numbers(load))?;
            writeln!(f, "  unload     {}", numbers(unload))?;
        }
        write!(f, "  sums       {}", sums(&self.story.counters))
    }
}
