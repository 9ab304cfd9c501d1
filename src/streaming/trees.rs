//! What is to be loaded and unloaded, decided through the two trees, and the same by brute force.

use super::load_tree::LoadTree;
use super::radix::AddressSpace;
use super::rectangles::Rectangles;
use super::unload_tree::UnloadTree;
use super::{Settings, State, WorldObject};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery, Violation};
use crate::probe::Probe;

/// Which objects change sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// Objects that are not wanted and whose load rectangles the character's way meets, by ascending number.
    pub load: Vec<u32>,
    /// Objects that are wanted and whose unload rectangles the character has left, by ascending number.
    pub unload: Vec<u32>,
}

/// Decides by looking at every object: the oracle that the trees are compared with. One rectangle test an object.
pub fn decisions_by_brute_force(
    objects: &[WorldObject],
    states: &[State],
    settings: &Settings,
    position: Vec2,
    way: Aabb,
) -> Decisions {
    let mut decisions = Decisions::default();
    for (number, (object, state)) in (0..).zip(objects.iter().zip(states)) {
        let rectangles = Rectangles::of(object, settings);
        if state.is_wanted() {
            if !rectangles.unload.contains(position) {
                decisions.unload.push(number);
            }
        } else if rectangles.load.overlaps(way) {
            decisions.load.push(number);
        }
    }
    decisions
}

/// The load tree over what is not wanted and the unload tree over what is: each object is in exactly one of them.
#[derive(Debug)]
pub(super) struct Trees {
    space: AddressSpace,
    load: LoadTree,
    unload: UnloadTree,
}

impl Trees {
    /// The trees over `objects`, of which those in a wanted state are in the unload tree.
    pub(super) fn new(objects: &[WorldObject], states: &[State], settings: &Settings) -> Self {
        let space = AddressSpace::over(Aabb::of_points(objects.iter().map(|object| object.center)));
        let mut trees = Self {
            space,
            load: LoadTree::with_slots(objects.len()),
            unload: UnloadTree::with_slots(objects.len()),
        };
        let wanted = states.iter().filter(|state| state.is_wanted()).count();
        trees.load.reserve(objects.len() - wanted);
        trees.unload.reserve(wanted);
        // In the order of their addresses, neighbours in the tree are neighbours in memory.
        let mut order: Vec<(u64, u32)> = (0..)
            .zip(objects)
            .map(|(number, object)| (space.address(object.center, number), number))
            .collect();
        order.sort_unstable();
        for (address, number) in order {
            let rectangles = Rectangles::of(&objects[number as usize], settings);
            if states[number as usize].is_wanted() {
                trees
                    .unload
                    .insert(number, address, rectangles.unload, &mut ());
            } else {
                trees.load.insert(number, address, rectangles.load, &mut ());
            }
        }
        trees
    }

    /// Finds what is to be loaded and unloaded.
    pub(super) fn decide<P: Probe, Q: Probe>(
        &self,
        position: Vec2,
        way: Aabb,
        load_probe: &mut P,
        unload_probe: &mut Q,
        decisions: &mut Decisions,
    ) {
        let Decisions { load, unload } = decisions;
        load.clear();
        unload.clear();
        self.load
            .overlapping(way, load_probe, |object| load.push(object));
        self.unload
            .not_containing(position, unload_probe, |object| unload.push(object));
        load.sort_unstable();
        unload.sort_unstable();
    }

    /// Moves an object from the load tree to the unload tree.
    pub(super) fn want(&mut self, number: u32, object: &WorldObject, settings: &Settings) {
        let address = self.space.address(object.center, number);
        self.load.remove(number, &mut ());
        let unload = Rectangles::of(object, settings).unload;
        self.unload.insert(number, address, unload, &mut ());
    }

    /// Moves an object from the unload tree to the load tree.
    pub(super) fn give_up(&mut self, number: u32, object: &WorldObject, settings: &Settings) {
        let address = self.space.address(object.center, number);
        self.unload.remove(number, &mut ());
        let load = Rectangles::of(object, settings).load;
        self.load.insert(number, address, load, &mut ());
    }

    /// Visits the load tree's nodes in view.
    pub(super) fn load_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.load.regions(query, visit);
    }

    /// Visits the unload tree's nodes in view.
    pub(super) fn unload_regions(
        &self,
        query: RegionQuery,
        visit: &mut dyn FnMut(Region<'static>),
    ) {
        self.unload.regions(query, visit);
    }

    /// The object whose leaf `region` of the load tree is.
    pub(super) fn load_leaf(&self, region: RegionId) -> Option<u32> {
        self.load.object_of(region)
    }

    /// The object whose leaf `region` of the unload tree is.
    pub(super) fn unload_leaf(&self, region: RegionId) -> Option<u32> {
        self.unload.object_of(region)
    }

    /// Steps from root to deepest leaf, of the load and of the unload tree.
    pub(super) fn depths(&self) -> (u32, u32) {
        (self.load.depth(), self.unload.depth())
    }

    /// The bytes that both trees take on the heap.
    pub(super) fn byte_count(&self) -> usize {
        self.load.byte_count() + self.unload.byte_count()
    }

    /// Checks both trees, and that each object is in the one where it belongs, with its rectangle of now.
    pub(super) fn validate(
        &self,
        objects: &[WorldObject],
        states: &[State],
        settings: &Settings,
    ) -> Result<(), Violation> {
        let address = |number: u32| self.space.address(objects[number as usize].center, number);
        let rectangles = |number: u32| Rectangles::of(&objects[number as usize], settings);
        self.load
            .validate(|number| Some((address(number), rectangles(number).load)))?;
        self.unload
            .validate(|number| Some((address(number), rectangles(number).unload)))?;
        for (number, state) in (0..).zip(states) {
            let found = (self.load.holds(number), self.unload.holds(number));
            let expected = (!state.is_wanted(), state.is_wanted());
            Violation::unless(
                found == expected,
                None,
                || format!("object {number} ({state:?}) in (load, unload) tree {expected:?}"),
                || format!("{found:?}"),
            )?;
        }
        Violation::unless(
            (self.load.count() + self.unload.count()) as usize == objects.len(),
            None,
            || format!("{} objects in the trees", objects.len()),
            || format!("{} and {}", self.load.count(), self.unload.count()),
        )
    }
}
