//! The document: the scene as it has been edited, from which it starts again and which is saved.

use crate::battle::{Battle, Template};
use crate::flight::Template3;
use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::scene::{
    Army, Flock, Formation, Formation3, Motion, Muster, Order, Scene, Side, StructureChoice, World,
    generate, limits,
};
use crate::structure::{AnyKind, StructureKind};
use crate::volume::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where in the scene a unit comes from: which army, and which of its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    army: u32,
    number: u32,
}

impl Origin {
    /// A unit of which the scene knows nothing.
    const NONE: Self = Self {
        army: u32::MAX,
        number: u32::MAX,
    };
}

/// What a scene has units in: armies on a plane, flocks in space.
pub trait Gathered: Muster + Clone {
    /// The word for many of them.
    const NAME: &'static str;

    /// Those of a scene.
    fn all(scene: &Scene) -> &[Self];

    /// The same, to be changed; `None` for a scene of the other dimension.
    fn all_mut(scene: &mut Scene) -> Option<&mut Vec<Self>>;

    /// Whether its units and those of another one have everything but their places in common.
    fn is_like(&self, other: &Self) -> bool;

    /// How large so many more are whose places a scene of a seed gives one by one, in its army or flock at a place, behind the first ones:
    /// halves of their sides, as they are dealt whenever it begins. Empty for points.
    fn sizes(&self, seed_and_place: (u64, usize), behind: u32, count: usize) -> Vec<Self::Place>;
}

impl Gathered for Army {
    const NAME: &'static str = "armies";

    fn all(scene: &Scene) -> &[Self] {
        &scene.armies
    }

    fn all_mut(scene: &mut Scene) -> Option<&mut Vec<Self>> {
        scene.volume.is_none().then_some(&mut scene.armies)
    }

    fn is_like(&self, other: &Self) -> bool {
        other.side == self.side && Template::from(other) == Template::from(self)
    }

    fn sizes(&self, seed_and_place: (u64, usize), behind: u32, count: usize) -> Vec<Vec2> {
        generate::sizes_behind(seed_and_place, self.size, (behind as usize, count))
    }
}

impl Gathered for Flock {
    const NAME: &'static str = "flocks";

    fn all(scene: &Scene) -> &[Self] {
        scene.volume.as_ref().map_or(&[], |volume| &volume.flocks)
    }

    fn all_mut(scene: &mut Scene) -> Option<&mut Vec<Self>> {
        scene.volume.as_mut().map(|volume| &mut volume.flocks)
    }

    fn is_like(&self, other: &Self) -> bool {
        other.side == self.side && Template3::from(other) == Template3::from(self)
    }

    fn sizes(&self, seed_and_place: (u64, usize), behind: u32, count: usize) -> Vec<Vec3> {
        generate::sizes_behind3(seed_and_place, self.size, (behind as usize, count))
    }
}

/// The scene, and what has to be known in order to edit it. Copies share what they have in common.
#[derive(Clone, Debug)]
pub struct Document {
    scene: Arc<Scene>,
    /// By row of the battle.
    origins: Arc<Vec<Origin>>,
    /// The armies and flocks before their number was changed, while nothing else was.
    unscaled: Option<Arc<(Vec<Army>, Vec<Flock>)>>,
    /// The structures that have been chosen so far, each with its knobs as they were left.
    choices: Vec<StructureChoice<StructureKind>>,
}

impl Document {
    /// The document of a scene that has just been started.
    pub fn new(scene: Arc<Scene>, battle: &Battle) -> Self {
        let mut document = Self {
            origins: Arc::default(),
            unscaled: None,
            choices: Vec::new(),
            scene,
        };
        document.start(battle);
        document
    }

    /// The scene as it would be saved.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The scene, to be changed by `edit`.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Scene)) {
        edit(Arc::make_mut(&mut self.scene));
    }

    /// Another scene in the place of this one, which differs from it in what no unit depends on.
    pub fn replace(&mut self, scene: Arc<Scene>) {
        self.scene = scene;
    }

    /// The battle has been started from the scene: its units are the armies', and it knows which of them is in which row.
    pub fn start(&mut self, battle: &Battle) {
        let origins = match &self.scene.volume {
            Some(volume) => origins(&volume.flocks),
            None => battle.by_row(origins(&self.scene.armies)),
        };
        self.origins = Arc::new(origins);
    }

    /// Gives the armies together this many units. Each army keeps the share that it had before its number was first changed,
    /// however small it became meanwhile.
    pub fn scale(&mut self, count: u32) {
        let unscaled = self.unscaled.take().unwrap_or_else(|| {
            let volume = self.scene.volume.as_ref();
            let flocks = volume.map_or(Vec::new(), |volume| volume.flocks.clone());
            Arc::new((self.scene.armies.clone(), flocks))
        });
        self.edit(|scene| {
            scene.armies.clone_from(&unscaled.0);
            if let Some(volume) = &mut scene.volume {
                volume.flocks.clone_from(&unscaled.1);
            }
            scene.scale_units(count);
        });
        self.unscaled = Some(unscaled);
    }

    /// Whether nobody is there and no army could have more: those of a new scene are places that nobody has been put on yet.
    pub fn is_empty_field(&self) -> bool {
        let is_of_nobody =
            |army: &Army| matches!(&army.formation, Formation::Explicit(all) if all.is_empty());
        let flocks = self.scene.volume.iter().flat_map(|it| &it.flocks);
        let mut flocks = flocks.filter(
            |flock| !matches!(&flock.formation, Formation3::Explicit(all) if all.is_empty()),
        );
        let before = self.unscaled.as_ref();
        let had_none = before.is_none_or(|it| it.0.iter().all(is_of_nobody) && it.1.is_empty());
        had_none && self.scene.armies.iter().all(is_of_nobody) && flocks.next().is_none()
    }

    /// Lets an empty field begin with so many units: half of them on each side, in ranks that face each other.
    pub fn people(&mut self, count: u32, orders: [Order; 2]) {
        let mut armies = Vec::new();
        for (place, (side, order)) in [Side::Blue, Side::Orange]
            .into_iter()
            .zip(orders)
            .enumerate()
        {
            let mut army = self.template(side, order);
            // With an odd number the first side has one more.
            army.count = (count + 1 - place as u32) / 2;
            let field = self.scene.field;
            let from = if place == 0 { 0.08 } else { 0.58 };
            let at = |x: f32, y: f32| field.min + field.size() * Vec2::new(x, y);
            army.formation = Formation::Ranks(Aabb::new(at(from, 0.15), at(from + 0.34, 0.85)));
            armies.push(army);
        }
        armies.retain(|army| army.count > 0);
        self.forget_shares();
        self.edit(|scene| scene.armies = armies);
    }

    /// Gives every army to the other side.
    pub fn swap_sides(&mut self) {
        self.forget_shares();
        self.edit(|scene| {
            for army in &mut scene.armies {
                army.side = army.side.enemy();
            }
            for flock in scene.volume.iter_mut().flat_map(|it| &mut it.flocks) {
                flock.side = flock.side.enemy();
            }
        });
    }

    /// The armies have been changed otherwise: shares are those of now.
    pub fn forget_shares(&mut self) {
        self.unscaled = None;
    }

    /// What a unit placed by hand is like: as the last army of its side, or of the other, or a plain soldier.
    pub fn template(&self, side: Side, order: Order) -> Army {
        let armies = &self.scene.armies;
        let of_side = armies.iter().rev().find(|army| army.side == side);
        let mut army = of_side
            .or(armies.last())
            .cloned()
            .unwrap_or_else(|| Army::new(side, 0, Formation::Explicit(Vec::new())));
        army.side = side;
        army.order = order;
        army.formation = Formation::Explicit(Vec::new());
        army.count = 0;
        army.without = Vec::new();
        army.moved = Vec::new();
        army.sized = Vec::new();
        army
    }

    /// The same in space.
    pub fn template3(&self, side: Side, motion: Motion) -> Flock {
        let flocks = self.scene.volume.iter().flat_map(|it| &it.flocks);
        let of_side = flocks.clone().rev().find(|flock| flock.side == side);
        let mut flock = of_side
            .or(flocks.last())
            .cloned()
            .unwrap_or_else(|| Flock::new(side, 0, Formation3::Explicit(Vec::new())));
        flock.side = side;
        flock.motion = motion;
        flock.formation = Formation3::Explicit(Vec::new());
        flock.count = 0;
        flock.without = Vec::new();
        flock.moved = Vec::new();
        flock.sized = Vec::new();
        flock
    }

    /// Writes placed units into the scene, so that they are there after a restart and in the file: `units` are those of the group, in
    /// order.
    pub fn note_spawn<G: Gathered>(&mut self, group: G, units: &[UnitId]) {
        let (place, first) = self.landing_of_spawn(&group);
        self.append(group, place);
        self.note_origins(place, first, units);
    }

    /// In which army or flock units that are placed will be, and behind how many: the one that waits for its first unit, the last one if
    /// they are like its own, or another one.
    pub fn landing_of_spawn<G: Gathered>(&self, group: &G) -> (usize, u32) {
        let all = G::all(&self.scene);
        let is_waiting = |place: &usize| all[*place].count() == 0;
        let waiting = self.fellow(group).filter(is_waiting);
        let is_fellow =
            |last: &usize| group.is_like(&all[*last]) && all[*last].explicit().is_some();
        let last = all.len().checked_sub(1).filter(is_fellow);
        let place = waiting.or(last).unwrap_or(all.len());
        (place, all.get(place).map_or(0, Muster::count))
    }

    /// How large units are that are placed, as they will be whenever the scene begins.
    pub fn sizes_of_spawn<G: Gathered>(&self, group: &G) -> Vec<G::Place> {
        let (place, first) = self.landing_of_spawn(group);
        let count = group.explicit().map_or(0, <[_]>::len);
        group.sizes((self.scene.seed, place), first, count)
    }

    /// The same of groups that are noted one after the other: those that land in one place are dealt together.
    pub fn sizes_of_groups<G: Gathered>(&self, groups: &[G]) -> Vec<Vec<G::Place>> {
        let all = G::all(&self.scene);
        // The groups that will be behind those of the scene, and which groups land in each place, in order.
        let mut new: Vec<&G> = Vec::new();
        let mut landings: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, group) in groups.iter().enumerate() {
            let is_fellow = |other: &&G| group.is_like(*other) && other.explicit().is_some();
            let place = self.fellow(group).unwrap_or_else(|| {
                let known = new.iter().rposition(is_fellow);
                all.len()
                    + known.unwrap_or_else(|| {
                        new.push(group);
                        new.len() - 1
                    })
            });
            landings.entry(place).or_default().push(number);
        }
        let mut sizes: Vec<Vec<G::Place>> = groups.iter().map(|_| Vec::new()).collect();
        for (place, numbers) in landings {
            let behind = all.get(place).map_or(0, Muster::count);
            let count = |number: &usize| groups[*number].explicit().map_or(0, <[_]>::len);
            let whole = numbers.iter().map(count).sum();
            let dealt = groups[numbers[0]].sizes((self.scene.seed, place), behind, whole);
            let mut dealt = dealt.into_iter();
            for number in numbers {
                sizes[number] = dealt.by_ref().take(count(&number)).collect();
            }
        }
        sizes
    }

    /// Whether the scene has room for these groups beside its own.
    pub fn check_room<G: Gathered>(&self, groups: &[G]) -> Result<(), String> {
        let more = groups.iter().filter(|group| self.fellow(*group).is_none());
        let count = G::all(&self.scene).len() + more.count();
        if count > limits::MAX_ARMIES {
            return Err(format!(
                "a scene has at most {} {name}, and with these it would have {count}",
                limits::MAX_ARMIES,
                name = G::NAME
            ));
        }
        Ok(())
    }

    /// The group of the scene whose units are given one by one and are like those of this one.
    fn fellow<G: Gathered>(&self, group: &G) -> Option<usize> {
        let is_fellow = |other: &G| group.is_like(other) && other.explicit().is_some();
        G::all(&self.scene).iter().rposition(is_fellow)
    }

    /// In which army or flock a group whose places are explicit will be, and behind how many.
    pub fn landing<G: Gathered>(&self, group: &G) -> (usize, u32) {
        let all = G::all(&self.scene);
        let place = self.fellow(group).unwrap_or(all.len());
        (place, all.get(place).map_or(0, Muster::count))
    }

    /// Writes a group whose places are explicit into the scene: `units` are its own, in order.
    pub fn note_group<G: Gathered>(&mut self, group: G, units: &[UnitId]) {
        let (place, first) = self.landing(&group);
        self.append(group, place);
        self.note_origins(place, first, units);
    }

    /// Puts a group whose places are explicit behind the units of another one, or behind all of them.
    fn append<G: Gathered>(&mut self, group: G, place: usize) {
        let Some(all) = G::all_mut(Arc::make_mut(&mut self.scene)) else {
            return;
        };
        let Some(known) = all.get_mut(place) else {
            return all.push(group);
        };
        if let (Some(places), Some(more)) = (known.explicit_mut(), group.explicit()) {
            places.extend_from_slice(more);
            let count = places.len() as u32;
            *known.count_mut() = count;
        }
    }

    /// Writes into the scene where units have been put, so that it starts with them there.
    pub fn note_moved<G: Gathered>(&mut self, moves: &[(UnitId, G::Place)]) {
        self.note_each(moves, G::put);
    }

    /// Writes into the scene how large units have been made, so that it starts with them so: halves of their sides.
    pub fn note_sized<G: Gathered>(&mut self, sizes: &[(UnitId, G::Place)]) {
        self.note_each(sizes, G::give_sizes);
    }

    /// Writes into the scene what is now of units, of each army or flock all at once, by number.
    fn note_each<G: Gathered>(
        &mut self,
        units: &[(UnitId, G::Place)],
        write: impl Fn(&mut G, &[(u32, G::Place)]),
    ) {
        let mut noted: Vec<(u32, u32, G::Place)> = units
            .iter()
            .filter_map(|(unit, at)| Some((self.origins.get(*unit as usize)?, *at)))
            .filter(|(origin, _)| **origin != Origin::NONE)
            .map(|(origin, at)| (origin.army, origin.number, at))
            .collect();
        noted.sort_unstable_by_key(|(army, number, _)| (*army, *number));
        self.edit(|scene| {
            let Some(all) = G::all_mut(scene) else { return };
            for group in noted.chunk_by(|a, b| a.0 == b.0) {
                let own: Vec<(u32, G::Place)> =
                    group.iter().map(|(_, number, it)| (*number, *it)).collect();
                if let Some(known) = all.get_mut(group[0].0 as usize) {
                    write(known, &own);
                }
            }
        });
    }

    /// These units are those of an army or a flock from number `first` on.
    fn note_origins(&mut self, place: usize, first: u32, units: &[UnitId]) {
        let origins = Arc::make_mut(&mut self.origins);
        for (number, &unit) in (first..).zip(units) {
            let row = unit as usize;
            if row >= origins.len() {
                origins.resize(row + 1, Origin::NONE);
            }
            origins[row] = Origin {
                army: place as u32,
                number,
            };
        }
    }

    /// Writes into the scene that units have been erased, so that a restart does not bring them back.
    pub fn note_erased(&mut self, units: &[UnitId]) {
        let mut erased: Vec<(u32, u32)> = units
            .iter()
            .filter_map(|unit| self.origins.get(*unit as usize))
            .filter(|origin| **origin != Origin::NONE)
            .map(|origin| (origin.army, origin.number))
            .collect();
        erased.sort_unstable();
        self.edit(|scene| {
            for group in erased.chunk_by(|a, b| a.0 == b.0) {
                let place = group[0].0 as usize;
                let numbers: Vec<u32> = group.iter().map(|(_, number)| *number).collect();
                if let Some(volume) = &mut scene.volume {
                    if let Some(flock) = volume.flocks.get_mut(place) {
                        flock.erase(&numbers);
                    }
                } else if let Some(army) = scene.armies.get_mut(place) {
                    army.erase(&numbers);
                }
            }
        });
    }

    /// Remembers a structure as it is left, for who comes back to it.
    pub fn remember_choice<K: AnyKind>(&mut self, choice: StructureChoice<K>) {
        let choice = choice.of_either();
        match self.choices.iter_mut().find(|old| old.kind == choice.kind) {
            Some(old) => *old = choice,
            None => self.choices.push(choice),
        }
    }

    /// A structure as it was left, or with every knob at its default.
    pub fn choice_of<K: AnyKind>(&self, kind: K) -> StructureChoice<K> {
        let known = self.choices.iter().find(|it| it.kind == kind.into());
        StructureChoice {
            kind,
            knobs: known.map_or(Vec::new(), |choice| choice.knobs.clone()),
        }
    }

    /// The structures that were left for others, each with its knobs as they were left.
    pub fn choices(&self) -> &[StructureChoice<StructureKind>] {
        &self.choices
    }

    /// Structures that were left with knobs that somebody set.
    pub fn set_choices(&self) -> impl Iterator<Item = StructureKind> {
        let is_set = |choice: &&StructureChoice<StructureKind>| {
            let knobs = choice.kind.info().knobs;
            let mut all = choice.knobs.iter();
            all.any(|(knob, value)| knobs.get(*knob).is_some_and(|knob| knob.default != *value))
        };
        self.choices.iter().filter(is_set).map(|choice| choice.kind)
    }

    /// The bytes that the document takes on the heap, what copies share counted each time.
    pub fn byte_count(&self) -> usize {
        let armies = self.scene.armies.iter();
        let positions: usize = armies
            .map(|army| match &army.formation {
                Formation::Explicit(positions) => size_of_val(positions.as_slice()),
                _ => 0,
            })
            .sum();
        let flocks = self.scene.volume.iter().flat_map(|it| &it.flocks);
        let positions3: usize = flocks
            .map(|flock| match &flock.formation {
                Formation3::Explicit(positions) => size_of_val(positions.as_slice()),
                _ => 0,
            })
            .sum();
        let sized = self.scene.armies.iter();
        let sized: usize = sized.map(|it| size_of_val(it.sized.as_slice())).sum();
        let sized3 = self.scene.volume.iter().flat_map(|it| &it.flocks);
        let sized3: usize = sized3.map(|it| size_of_val(it.sized.as_slice())).sum();
        let world = self.scene.world.as_ref().map_or(0, World::byte_count);
        let paths = self.scene.character.iter().flat_map(|it| &it.paths);
        let paths: usize = paths
            .map(|path| {
                size_of_val(path.points.as_slice()) + size_of_val(path.velocities.as_slice())
            })
            .sum();
        positions
            + positions3
            + sized
            + sized3
            + world
            + paths
            + self.origins.capacity() * size_of::<Origin>()
    }
}

/// Where the units of these groups come from, in the order in which they are numbered.
fn origins(groups: &[impl Muster]) -> Vec<Origin> {
    let groups = groups.iter().enumerate();
    let origins = groups.flat_map(|(place, group)| {
        group.present().map(move |number| Origin {
            army: place as u32,
            number,
        })
    });
    origins.collect()
}

/// `count` points that fill a ball evenly: a sunflower's turns from pole to pole, with radii that take their turns as well.
pub fn swarm(center: Vec3, radius: f32, count: u32) -> Vec<Vec3> {
    /// The golden angle, in radians.
    const TURN: f32 = 2.399_963_2;
    /// The golden ratio's fraction: its multiples fill a line evenly, whatever their number.
    const SHARE: f32 = 0.618_034;
    let seed = |index: u32| {
        if count <= 1 {
            return Vec3::ZERO;
        }
        let height = 1.0 - 2.0 * (index as f32 + 0.5) / count as f32;
        let around = Vec2::from_angle(index as f32 * TURN) * (1.0 - height * height).sqrt();
        let out = (index as f32 * SHARE).fract().cbrt();
        Vec3::new(around.x, around.y, height) * out
    };
    let seeds = (0..count).map(seed);
    seeds.map(|seed| center + seed * radius).collect()
}

/// `count` points that cover a disc evenly: the pattern of a sunflower's seeds.
pub fn sunflower(center: Vec2, radius: f32, count: u32) -> Vec<Vec2> {
    /// The golden angle, in radians.
    const TURN: f32 = 2.399_963_2;
    let seed = |index: u32| {
        if count <= 1 {
            return Vec2::ZERO;
        }
        let radius = ((index as f32 + 0.5) / count as f32).sqrt();
        Vec2::from_angle(index as f32 * TURN) * radius
    };
    (0..count)
        .map(|index| center + seed(index) * radius)
        .collect()
}
