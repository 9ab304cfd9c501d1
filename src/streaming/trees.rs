//! What is to be loaded and unloaded, decided through trees, and the same by brute force.

use super::dual_tree::DualTree;
use super::index::Index;
use super::load_tree::LoadTree;
use super::radix::{AddressSpace, Place};
use super::rectangles::Rectangles;
use super::unload_tree::UnloadTree;
use super::{Settings, State, WorldObject};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery, Violation};
use crate::probe::{Event, Probe};

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

/// Where each object is by whether it is wanted, in the form that [`Index`] names.
#[derive(Debug)]
pub(super) struct Trees {
    space: AddressSpace,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// Each object is in exactly one of the two.
    Two(LoadTree, UnloadTree),
    Dual(DualTree),
    /// Each object that is not wanted is in the first, and every object is in the second.
    Whole(LoadTree, UnloadTree),
    None,
}

/// The objects of a world, of which a decision is made.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) objects: &'a [WorldObject],
    pub(super) states: &'a [State],
    pub(super) settings: &'a Settings,
}

impl World<'_> {
    /// The rectangles of an object.
    pub(super) fn rectangles(&self, object: u32) -> Rectangles {
        Rectangles::of(&self.objects[object as usize], self.settings)
    }

    /// The rectangles of the object whose leaf `place` is.
    fn rectangles_of(&self, place: Place) -> Option<Rectangles> {
        match place {
            Place::Inner(_) => None,
            Place::LeafOf(object) => Some(self.rectangles(object)),
        }
    }

    /// Whether it is there or on its way.
    pub(super) fn wants(&self, object: u32) -> bool {
        self.states[object as usize].is_wanted()
    }
}

impl Trees {
    /// The trees over the objects of `world`, in the form that its settings say.
    pub(super) fn new(world: World<'_>) -> Self {
        let count = world.objects.len();
        let centers = world.objects.iter().map(|object| object.center);
        let space = AddressSpace::over(Aabb::of_points(centers));
        let wanted = world
            .states
            .iter()
            .filter(|state| state.is_wanted())
            .count();
        let two = |unloadable| {
            let mut load = LoadTree::with_slots(count);
            let mut unload = UnloadTree::with_slots(count);
            // All of them may be in it: one that was made for fewer would take twice as much with the first that comes back.
            load.reserve(count);
            unload.reserve(unloadable);
            (load, unload)
        };
        let mut form = match world.settings.index {
            Index::TwoTrees => {
                let (load, unload) = two(wanted);
                Form::Two(load, unload)
            }
            Index::Dual => Form::Dual(DualTree::with_slots(count)),
            Index::WholeUnloadTree => {
                let (load, unload) = two(count);
                Form::Whole(load, unload)
            }
            Index::BruteForce => Form::None,
        };
        // In the order of their addresses, neighbours in the tree are neighbours in memory.
        let mut order: Vec<(u64, u32)> = (0..)
            .zip(world.objects)
            .map(|(number, object)| (space.address(object.center, number), number))
            .collect();
        order.sort_unstable();
        for (address, number) in order {
            let rectangles = world.rectangles(number);
            let is_wanted = world.wants(number);
            match &mut form {
                Form::Two(load, unload) => {
                    if is_wanted {
                        unload.insert(number, address, rectangles.unload, &mut ());
                    } else {
                        load.insert(number, address, rectangles.load, &mut ());
                    }
                }
                Form::Dual(tree) => tree.insert(number, address, rectangles, is_wanted),
                Form::Whole(load, unload) => {
                    unload.insert(number, address, rectangles.unload, &mut ());
                    if !is_wanted {
                        load.insert(number, address, rectangles.load, &mut ());
                    }
                }
                Form::None => {}
            }
        }
        Self { space, form }
    }

    /// Finds what is to be loaded and unloaded.
    pub(super) fn decide<P: Probe, Q: Probe>(
        &self,
        world: World<'_>,
        position: Vec2,
        way: Aabb,
        load_probe: &mut P,
        unload_probe: &mut Q,
        decisions: &mut Decisions,
    ) {
        let Decisions { load, unload } = decisions;
        load.clear();
        unload.clear();
        match &self.form {
            Form::Two(load_tree, unload_tree) => {
                load_tree.overlapping(way, load_probe, |object| load.push(object));
                unload_tree.not_containing(position, unload_probe, |object| unload.push(object));
            }
            Form::Dual(tree) => {
                tree.overlapping(way, load_probe, |object| load.push(object));
                tree.not_containing(position, unload_probe, |object| unload.push(object));
            }
            Form::Whole(load_tree, unload_tree) => {
                load_tree.overlapping(way, load_probe, |object| load.push(object));
                unload_tree.not_containing(position, unload_probe, |object| {
                    if world.wants(object) {
                        unload.push(object);
                    }
                });
            }
            Form::None => {
                for number in 0..world.objects.len() as u32 {
                    if world.wants(number) {
                        unload_probe.on(Event::Test(number));
                    } else {
                        load_probe.on(Event::Test(number));
                    }
                }
                let World {
                    objects,
                    states,
                    settings,
                } = world;
                *decisions = decisions_by_brute_force(objects, states, settings, position, way);
            }
        }
        decisions.load.sort_unstable();
        decisions.unload.sort_unstable();
    }

    /// Notes that an object is wanted from now on, or no longer.
    pub(super) fn toggle(
        &mut self,
        number: u32,
        object: &WorldObject,
        is_wanted: bool,
        settings: &Settings,
    ) {
        let address = self.space.address(object.center, number);
        let rectangles = Rectangles::of(object, settings);
        match &mut self.form {
            Form::Two(load, unload) => {
                if is_wanted {
                    load.remove(number, &mut ());
                    unload.insert(number, address, rectangles.unload, &mut ());
                } else {
                    unload.remove(number, &mut ());
                    load.insert(number, address, rectangles.load, &mut ());
                }
            }
            Form::Dual(tree) => tree.set(number, rectangles, is_wanted),
            Form::Whole(load, _) => {
                if is_wanted {
                    load.remove(number, &mut ());
                } else {
                    load.insert(number, address, rectangles.load, &mut ());
                }
            }
            Form::None => {}
        }
    }

    /// Visits the boxes in view by which it is decided what to load.
    pub(super) fn load_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        match &self.form {
            Form::Two(load, _) | Form::Whole(load, _) => load.regions(query, visit),
            Form::Dual(tree) => tree.load_regions(query, visit),
            Form::None => {}
        }
    }

    /// Visits the boxes in view by which it is decided what to unload.
    pub(super) fn unload_regions(
        &self,
        query: RegionQuery,
        visit: &mut dyn FnMut(Region<'static>),
    ) {
        match &self.form {
            Form::Two(_, unload) | Form::Whole(_, unload) => unload.regions(query, visit),
            Form::Dual(tree) => tree.unload_regions(query, visit),
            Form::None => {}
        }
    }

    /// Visits every box by which it is decided what to load, those that hold nobody included.
    pub(super) fn every_load_region(&self, visit: &mut dyn FnMut(Region<'static>)) {
        match &self.form {
            Form::Two(load, _) | Form::Whole(load, _) => load.every_region(visit),
            Form::Dual(tree) => tree.every_load_region(visit),
            Form::None => {}
        }
    }

    /// Visits every box by which it is decided what to unload, those that hold nobody included.
    pub(super) fn every_unload_region(&self, visit: &mut dyn FnMut(Region<'static>)) {
        match &self.form {
            Form::Two(_, unload) | Form::Whole(_, unload) => unload.every_region(visit),
            Form::Dual(tree) => tree.every_unload_region(visit),
            Form::None => {}
        }
    }

    /// The object whose leaf `region` is among those of [`Trees::load_regions`].
    pub(super) fn load_leaf(&self, region: RegionId) -> Option<u32> {
        match &self.form {
            Form::Two(load, _) | Form::Whole(load, _) => load.object_of(region),
            Form::Dual(tree) => tree.object_of(region),
            Form::None => None,
        }
    }

    /// The object whose leaf `region` is among those of [`Trees::unload_regions`].
    pub(super) fn unload_leaf(&self, region: RegionId) -> Option<u32> {
        match &self.form {
            Form::Two(_, unload) | Form::Whole(_, unload) => unload.object_of(region),
            Form::Dual(tree) => tree.object_of(region),
            Form::None => None,
        }
    }

    /// The box by which `place` is judged when it is asked what to load.
    pub(super) fn load_bounds_of(&self, world: World<'_>, place: Place) -> Option<Aabb> {
        match &self.form {
            Form::Two(load, _) | Form::Whole(load, _) => load.bounds_of(place),
            Form::Dual(tree) => tree.load_bounds_of(place),
            Form::None => world.rectangles_of(place).map(|rectangles| rectangles.load),
        }
    }

    /// The box by which `place` is judged when it is asked what to unload.
    pub(super) fn unload_bounds_of(&self, world: World<'_>, place: Place) -> Option<Aabb> {
        match &self.form {
            Form::Two(_, unload) | Form::Whole(_, unload) => unload.bounds_of(place),
            Form::Dual(tree) => tree.unload_bounds_of(place),
            Form::None => world
                .rectangles_of(place)
                .map(|rectangles| rectangles.unload),
        }
    }

    /// Steps from root to deepest leaf, of what is asked what to load and of what is asked what to unload.
    pub(super) fn depths(&self) -> (u32, u32) {
        match &self.form {
            Form::Two(load, unload) | Form::Whole(load, unload) => (load.depth(), unload.depth()),
            Form::Dual(tree) => (tree.depth(), tree.depth()),
            Form::None => (0, 0),
        }
    }

    /// The bytes of all trees: of the objects that are in each, and of nothing that was before.
    pub(super) fn byte_count(&self) -> usize {
        match &self.form {
            Form::Two(load, unload) | Form::Whole(load, unload) => {
                load.byte_count() + unload.byte_count()
            }
            Form::Dual(tree) => tree.byte_count(),
            Form::None => 0,
        }
    }

    /// Checks the trees, and that each object is where it belongs, with its rectangle of now.
    pub(super) fn validate(&self, world: World<'_>) -> Result<(), Violation> {
        let address = |number: u32| {
            self.space
                .address(world.objects[number as usize].center, number)
        };
        let counts = |load: u32, unload: u32, found: (u32, u32)| {
            Violation::unless(
                found == (load, unload),
                None,
                || format!("{load} and {unload} objects in the trees"),
                || format!("{} and {}", found.0, found.1),
            )
        };
        let count = world.objects.len() as u32;
        match &self.form {
            Form::Two(load, unload) | Form::Whole(load, unload) => {
                load.validate(|number| Some((address(number), world.rectangles(number).load)))?;
                unload
                    .validate(|number| Some((address(number), world.rectangles(number).unload)))?;
                let is_whole = matches!(self.form, Form::Whole(..));
                let mut wanted = 0;
                for number in 0..count {
                    let wants = world.wants(number);
                    wanted += u32::from(wants);
                    let found = (load.holds(number), unload.holds(number));
                    let expected = (!wants, wants || is_whole);
                    Violation::unless(
                        found == expected,
                        None,
                        || format!("object {number} in (load, unload) tree {expected:?}"),
                        || format!("{found:?}"),
                    )?;
                }
                let unloadable = if is_whole { count } else { wanted };
                counts(count - wanted, unloadable, (load.count(), unload.count()))
            }
            Form::Dual(tree) => {
                tree.validate(|number| {
                    (
                        address(number),
                        world.rectangles(number),
                        world.wants(number),
                    )
                })?;
                counts(count, count, (tree.count(), tree.count()))
            }
            Form::None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::{Role, Shape};

    /// Trees of every form over a row of objects in these states, and whether they find themselves in order when lead or
    /// margin grow or a state changes behind their back.
    fn notice(states: &[State], change: impl Fn(&mut Settings, &mut Vec<State>)) -> Vec<Index> {
        let objects: Vec<_> = (0..states.len() as u32)
            .map(|number| WorldObject {
                center: Vec2::new(number as f32 * 7.0, 3.0),
                half_extent: Vec2::ONE,
                bytes: 10,
                asset: 0,
            })
            .collect();
        let with_trees = Index::ALL
            .into_iter()
            .filter(|index| *index != Index::BruteForce);
        with_trees
            .filter(|index| {
                let mut settings = Settings {
                    index: *index,
                    ..Settings::default()
                };
                let world = World {
                    objects: &objects,
                    states,
                    settings: &settings,
                };
                let trees = Trees::new(world);
                trees.validate(world).unwrap();
                let mut states = states.to_vec();
                change(&mut settings, &mut states);
                let changed = World {
                    objects: &objects,
                    states: &states,
                    settings: &settings,
                };
                trees.validate(changed).is_err()
            })
            .collect()
    }

    #[test]
    fn trees_notice_what_nobody_told_them() {
        let all = [Index::TwoTrees, Index::Dual, Index::WholeUnloadTree];
        let far = [State::Unloaded; 9];
        let near = [State::Resident; 9];
        // Load rectangles are those of what is far, unload rectangles those of what is near; the whole unload tree has both.
        assert_eq!(notice(&far, |settings, _| settings.lead += 1.0), all);
        assert_eq!(notice(&near, |settings, _| settings.margin += 1.0), all);
        assert_eq!(notice(&far, |settings, _| settings.margin += 1.0), all[2..]);
        assert_eq!(notice(&far, |_, states| states[4] = State::Resident), all);
        assert_eq!(notice(&near, |_, states| states[4] = State::Unloaded), all);
        assert_eq!(notice(&near, |_, _| {}), []);
    }

    #[test]
    fn a_leaf_that_is_drawn_names_its_object_and_an_inner_node_nobody() {
        let objects: Vec<_> = (0..20)
            .map(|number| WorldObject {
                center: Vec2::new((number % 5) as f32 * 9.0, (number / 5) as f32 * 7.0),
                half_extent: Vec2::ONE,
                bytes: 10,
                asset: 0,
            })
            .collect();
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        let with_trees = Index::ALL
            .into_iter()
            .filter(|index| *index != Index::BruteForce);
        for index in with_trees {
            let settings = Settings {
                index,
                ..Settings::default()
            };
            let trees = |state: State| {
                Trees::new(World {
                    objects: &objects,
                    states: &[state; 20],
                    settings: &settings,
                })
            };
            // What is far is in the load tree, what is near in the unload tree.
            let (far, near) = (trees(State::Unloaded), trees(State::Resident));
            let (mut load, mut unload) = (Vec::new(), Vec::new());
            far.load_regions(everything, &mut |region| {
                load.push((far.load_leaf(region.id), region));
            });
            near.unload_regions(everything, &mut |region| {
                unload.push((near.unload_leaf(region.id), region));
            });
            for (side, regions) in [(0, load), (1, unload)] {
                let mut named = Vec::new();
                for (object, region) in regions {
                    assert_eq!(object.is_some(), region.role == Role::Leaf, "{index:?}");
                    let Some(object) = object else { continue };
                    let own = Rectangles::of(&objects[object as usize], &settings);
                    let own = [own.load, own.unload][side];
                    assert_eq!(region.shape, Shape::Rect(own), "{index:?}");
                    named.push(object);
                }
                named.sort_unstable();
                assert_eq!(named, (0..20).collect::<Vec<_>>(), "{index:?}");
            }
        }
    }
}
