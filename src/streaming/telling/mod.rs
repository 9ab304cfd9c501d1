//! One decision, told event by event: each box that the load tree and the unload tree look at, and why.
//!
//! It is told in two steps. A decision is [heard](Streaming::hear_decision) where the world is: that takes as long as the
//! decision and one look at each node. It is [told](HeardDecision::tell) anywhere: what was heard owns all that it needs.
//!
//! Invariant: what is heard is the search of an update, under another probe. Nothing decides a second time for the telling.
//!
//! Invariant: nothing here changes the world.

use super::character::Character;
use super::trees::World;
use super::{Decisions, Index, Loader, Settings, State, Streaming, Tour, WorldObject, way_ahead};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, Role, Shape, UnitId};
use crate::probe::{Abandoned, Cancel, Counter, Event, Patient, Probe};
use crate::story::{Answer, Atlas, Heard, Note, Place, Story};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use teller::Teller;

mod teller;

#[cfg(test)]
mod tests;

/// Which of the two questions a box answers, whatever structure answers both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    /// What is to be loaded.
    Load,
    /// What is to be unloaded.
    Unload,
}

/// Set in the regions of the unload tree, so that a story can name both trees. A world of as many objects as a scene may have
/// needs not a quarter of the numbers below it.
const UNLOAD: RegionId = 1 << 31;

impl Tree {
    /// The tree of a story's region, and the id that the region has in that tree.
    pub fn of(region: RegionId) -> (Self, RegionId) {
        if region & UNLOAD == 0 {
            (Self::Load, region)
        } else {
            (Self::Unload, region & !UNLOAD)
        }
    }

    /// The id by which a story names a region of this tree.
    pub fn region(self, own: RegionId) -> RegionId {
        match self {
            Self::Load => own,
            Self::Unload => own | UNLOAD,
        }
    }

    /// What a story's region is called: by its tree, and the id that it has there.
    pub fn called(region: RegionId) -> String {
        let (tree, own) = Self::of(region);
        format!("{} {own}", tree.name())
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Unload => "unload",
        }
    }
}

/// What both searches say, in the order in which they say it, up to a cap.
struct Log {
    events: Vec<(Tree, Event)>,
    cap: usize,
    counters: Counter,
    left_out: u64,
}

/// Listens to one of the two searches.
struct Ear<'l> {
    tree: Tree,
    log: &'l RefCell<Log>,
}

impl Probe for Ear<'_> {
    const DETAILED: bool = true;

    fn on(&mut self, event: Event) {
        let mut log = self.log.borrow_mut();
        log.counters.on(event);
        if log.events.len() < log.cap {
            log.events.push((self.tree, event));
        } else {
            log.left_out += 1;
        }
    }

    fn visits(&mut self, _: u64) {}
    fn tests(&mut self, _: u64) {}
    fn hits(&mut self, _: u64) {}
}

/// The boxes of both trees, as a story names them.
#[derive(Debug, Default)]
struct Boxes {
    /// Each behind the one above it, with the object whose leaf it is.
    regions: Vec<(Region<'static>, Option<u32>)>,
    /// The region of each object's leaf in the load tree and in the unload tree.
    leaves: HashMap<(Tree, u32), RegionId>,
    /// Nodes of a dual tree that have nobody for one of the two questions, with how many objects they have for the other. They
    /// have no box that could be shown, and are none of the above.
    idle: HashMap<RegionId, u64>,
}

/// One decision as it was heard, with all that it takes to tell it.
#[derive(Debug)]
pub struct HeardDecision {
    objects: Arc<[WorldObject]>,
    assets: Arc<[Arc<Path>]>,
    states: Vec<State>,
    settings: Settings,
    position: Vec2,
    way: Aabb,
    decisions: Decisions,
    events: Vec<(Tree, Event)>,
    counters: Counter,
    left_out: u64,
    boxes: Boxes,
}

impl<L: Loader> Streaming<L> {
    /// Hears what an update with a character at `position` that moves by `velocity` would decide now, and changes nothing. The
    /// first `cap` events are kept.
    pub fn hear_decision(
        &self,
        position: Vec2,
        velocity: Vec2,
        cap: usize,
        cancel: &Cancel,
    ) -> Result<HeardDecision, Abandoned> {
        let position = if position.is_finite() {
            position
        } else {
            self.position
        };
        let way = way_ahead(position, velocity, &self.settings);
        let log = RefCell::new(Log {
            events: Vec::new(),
            cap,
            counters: Counter::default(),
            left_out: 0,
        });
        let ear = |tree| Patient::new(Ear { tree, log: &log }, cancel);
        let mut decisions = Decisions::default();
        Cancel::attempt(|| {
            let (mut load, mut unload) = (ear(Tree::Load), ear(Tree::Unload));
            let world = self.world();
            self.trees
                .decide(world, position, way, &mut load, &mut unload, &mut decisions);
        })?;
        let log = log.into_inner();
        Ok(HeardDecision {
            objects: Arc::clone(&self.objects),
            assets: Arc::clone(&self.assets),
            states: self.states.clone(),
            settings: self.settings,
            position,
            way,
            decisions,
            events: log.events,
            counters: log.counters,
            left_out: log.left_out,
            boxes: self.boxes(cancel)?,
        })
    }

    /// All boxes of both trees.
    fn boxes(&self, cancel: &Cancel) -> Result<Boxes, Abandoned> {
        let mut boxes = Boxes::default();
        if self.settings.index == Index::BruteForce {
            boxes.of_objects(self.world());
            return Ok(boxes);
        }
        for tree in [Tree::Load, Tree::Unload] {
            cancel.check()?;
            let mut found = Vec::new();
            let mut gather = |region: Region<'static>| {
                let leaf = match tree {
                    _ if region.role != Role::Leaf => None,
                    Tree::Load => self.trees.load_leaf(region.id),
                    Tree::Unload => self.trees.unload_leaf(region.id),
                };
                found.push((region, leaf));
            };
            match tree {
                Tree::Load => self.trees.every_load_region(&mut gather),
                Tree::Unload => self.trees.every_unload_region(&mut gather),
            }
            boxes.add(tree, found);
        }
        Ok(boxes)
    }
}

impl Boxes {
    /// Takes over the nodes of a tree, each behind the one above it.
    fn add(&mut self, tree: Tree, found: Vec<(Region<'static>, Option<u32>)>) {
        let is_idle = |region: &Region<'_>| matches!(region.shape, Shape::Rect(area) if area == Aabb::EMPTY || area == Aabb::EVERYTHING);
        let mut below: HashMap<RegionId, u64> = HashMap::new();
        for (region, leaf) in found.iter().rev().filter(|(region, _)| is_idle(region)) {
            let own =
                below.get(&region.id).copied().unwrap_or_default() + u64::from(leaf.is_some());
            if let Some(parent) = region.parent {
                *below.entry(parent).or_default() += own;
            }
            let id = tree.region(region.id);
            self.idle.insert(id, own);
            if let Some(object) = leaf {
                self.leaves.insert((tree, *object), id);
            }
        }
        for (mut region, leaf) in found {
            if is_idle(&region) {
                continue;
            }
            region.id = tree.region(region.id);
            region.parent = region.parent.map(|parent| tree.region(parent));
            if let Some(object) = leaf {
                self.leaves.insert((tree, object), region.id);
            }
            self.regions.push((region, leaf));
        }
    }

    /// The rectangle by which each object is judged: without a tree there is nothing above it.
    fn of_objects(&mut self, world: World<'_>) {
        for object in 0..world.objects.len() as u32 {
            let rectangles = world.rectangles(object);
            let (tree, area) = if world.wants(object) {
                (Tree::Unload, rectangles.unload)
            } else {
                (Tree::Load, rectangles.load)
            };
            let id = tree.region(object);
            self.leaves.insert((tree, object), id);
            let region = Region {
                id,
                shape: Shape::Rect(area),
                depth: 0,
                load: 1,
                capacity: 1,
                role: Role::Leaf,
                parent: None,
            };
            self.regions.push((region, Some(object)));
        }
    }
}

impl<L: Loader> Tour<L> {
    /// Hears what the next tick will decide, and changes nothing. The first `cap` events are kept.
    ///
    /// What arrives in between changes nobody's side, so that it is exactly that.
    pub fn hear_next_decision(
        &self,
        cap: usize,
        cancel: &Cancel,
    ) -> Result<HeardDecision, Abandoned> {
        let mut ahead = self.character.clone();
        ahead.step();
        let Character {
            position, velocity, ..
        } = ahead;
        self.streaming
            .hear_decision(position, velocity, cap, cancel)
    }
}

impl HeardDecision {
    /// What was decided.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// Where the character is.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// The box of the way that it is about to go.
    pub fn way(&self) -> Aabb {
        self.way
    }

    /// The structure that decided.
    pub fn index(&self) -> Index {
        self.settings.index
    }

    /// Tells it: units are objects, and regions those of both trees, as [`Tree::of`] takes them apart. A test or a hit names the
    /// leaf of its object. An empty intersection is an inverted box.
    ///
    /// What an unload tree over all objects finds it may find for nothing: of those the answer has the ones that are there.
    pub fn tell(self, cancel: &Cancel) -> Result<Story, Abandoned> {
        cancel.check()?;
        let boxes = self.boxes;
        let objects = &self.objects;
        let held = |object: Option<u32>| -> Vec<UnitId> { object.into_iter().collect() };
        let atlas = Atlas::of_regions(
            boxes
                .regions
                .iter()
                .map(|(region, leaf)| (*region, held(*leaf))),
            objects.len() as u64,
            &|object| {
                objects
                    .get(object as usize)
                    .map_or(Aabb::EMPTY, WorldObject::aabb)
            },
        );
        let note = |&(tree, event): &(Tree, Event)| match event {
            Event::Visit(own) => {
                let region = tree.region(own);
                (tree, Event::Visit(region), Some(region))
            }
            Event::Prune(own) => {
                let region = tree.region(own);
                (tree, Event::Prune(region), Some(region))
            }
            Event::Test(object) | Event::Hit(object) => {
                (tree, event, boxes.leaves.get(&(tree, object)).copied())
            }
            _ => (tree, event, None),
        };
        let noted: Vec<(Tree, Event, Option<RegionId>)> = self.events.iter().map(note).collect();
        let teller = Teller {
            objects,
            assets: &self.assets,
            states: &self.states,
            settings: &self.settings,
            position: self.position,
            way: self.way,
            idle: &boxes.idle,
        };
        let notes = noted
            .iter()
            .map(|&(_, event, region)| Note { event, region })
            .collect();
        let heard = Heard {
            notes,
            counters: self.counters,
            left_out: self.left_out,
            answer: Answer::Sides {
                load: self.decisions.load,
                unload: self.decisions.unload,
            },
        };
        let reason = |at: usize, place: Option<&Place>| {
            let (tree, event, region) = noted[at];
            teller.reason(tree, event, region, place)
        };
        heard.told(atlas, None, reason, cancel)
    }
}
