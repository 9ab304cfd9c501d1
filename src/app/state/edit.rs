//! Changes: to the structure, its knobs, the armies and the units, and how they are undone.

use super::{App, Cost, RunMode, Tool};
use skirmish::battle::{Battle, Template};
use skirmish::geometry::Vec2;
use skirmish::partition::{AnyPartition, Kind};
use skirmish::probe::Probe;
use skirmish::scene::{self, Army, Character, Formation, Order, Scene, Side};

/// A state of the document to which undo returns.
#[derive(Clone)]
struct Snapshot {
    scene: Scene,
    battle: Battle,
}

/// The states before and after the present one.
#[derive(Default)]
pub(super) struct UndoStack {
    before: Vec<Snapshot>,
    after: Vec<Snapshot>,
}

impl UndoStack {
    /// The most snapshots that are kept.
    const DEPTH: usize = 64;
    /// The most units that all snapshots hold together: some sixty bytes each make a quarter of a gigabyte.
    const UNITS: usize = 4_000_000;

    fn push(&mut self, snapshot: Snapshot) {
        self.after.clear();
        self.before.push(snapshot);
        let units = |snapshot: &Snapshot| snapshot.battle.positions().len();
        let mut held: usize = self.before.iter().map(units).sum();
        while self.before.len() > Self::DEPTH || (held > Self::UNITS && self.before.len() > 1) {
            held -= units(&self.before.remove(0));
        }
    }
}

impl App {
    /// Remembers the present state, to which undo will return.
    fn remember(&mut self) {
        self.undo.push(Snapshot {
            scene: self.scene.clone(),
            battle: self.battle.clone(),
        });
    }

    /// Remembers the present state, then lets `change` have the document.
    fn edit(&mut self, change: impl FnOnce(&mut Self)) {
        self.remember();
        self.unscaled = None;
        change(self);
        self.dirty = true;
    }

    fn swap_snapshot(&mut self, snapshot: Snapshot) -> Snapshot {
        // The structure is how one looks at the battle, not a part of it: undo leaves it as it is.
        let structure = self.scene.structure.clone();
        let scene = std::mem::replace(&mut self.scene, snapshot.scene);
        self.scene.structure = structure;
        let battle = std::mem::replace(&mut self.battle, snapshot.battle);
        self.unscaled = None;
        self.rebuild_index();
        self.dirty |= scene != self.scene;
        Snapshot { scene, battle }
    }

    /// Goes back to just before the last change.
    pub(super) fn undo(&mut self) {
        if let Some(snapshot) = self.undo.before.pop() {
            let present = self.swap_snapshot(snapshot);
            self.undo.after.push(present);
        } else {
            self.say("There is nothing to undo. (What you do to the armies can be undone; structure and knobs are chosen anew.)");
        }
    }

    /// Takes the last undo back.
    pub(super) fn redo(&mut self) {
        if let Some(snapshot) = self.undo.after.pop() {
            let present = self.swap_snapshot(snapshot);
            self.undo.before.push(present);
        } else {
            self.say("There is nothing to redo.");
        }
    }

    /// Whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.before.is_empty()
    }

    /// Whether there is an undo to take back.
    pub fn can_redo(&self) -> bool {
        !self.undo.after.is_empty()
    }

    /// Tells the index what the last step or edit changed.
    pub(super) fn tell_index(&mut self, probe: &mut impl Probe) {
        self.index
            .apply(self.battle.bodies(), self.battle.changes(), probe);
    }

    pub(super) fn rebuild_index(&mut self) {
        self.index.rebuild(self.battle.bodies(), &mut ());
        self.stale = true;
        self.flashes.clear();
        self.history.clear_structure();
        self.cost = Cost::default();
        if self.mode != RunMode::Running {
            self.measure_pairs();
        }
        self.shown_cost = self.cost;
    }

    /// Counts what the pairs of this moment cost, for who compares structures while time stands still.
    fn measure_pairs(&mut self) {
        /// More than this, and a structure that knows no better would keep the window waiting.
        const MOST: u64 = 20_000;
        let alive = self.alive();
        if alive > MOST {
            return;
        }
        let mut pairs = 0;
        let reach = self.battle.pair_reach();
        self.index
            .pairs(self.battle.bodies(), reach, &mut self.cost.query, |batch| {
                pairs += batch.len() as u64
            });
        self.cost.pairs = pairs;
        self.cost.all_pairs = alive * alive.saturating_sub(1) / 2;
    }

    /// Chooses a structure; the battle goes on.
    pub fn choose_structure(&mut self, kind: Kind) {
        if kind == self.index.kind() {
            return;
        }
        let values = |index: &AnyPartition| {
            (0..index.info().knobs.len())
                .map(|knob| index.knob(knob))
                .collect()
        };
        self.knobs.insert(self.index.kind(), values(&self.index));
        self.index = AnyPartition::new(kind, self.scene.field);
        if let Some(values) = self.knobs.get(&kind) {
            for (knob, value) in values.iter().enumerate() {
                self.index.set_knob(knob, *value);
            }
        }
        self.rebuild_index();
        self.note_structure();
        self.dirty = true;
    }

    /// Sets a knob of the structure.
    pub fn set_knob(&mut self, knob: usize, value: f64) {
        self.index.set_knob(knob, value);
        if !self.index.info().knobs[knob].picture_only {
            self.rebuild_index();
        }
        self.note_structure();
        self.dirty = true;
    }

    /// Sets every knob to its default.
    pub fn reset_knobs(&mut self) {
        for (index, knob) in self.index.info().knobs.iter().enumerate() {
            self.index.set_knob(index, knob.default);
        }
        self.rebuild_index();
        self.note_structure();
        self.dirty = true;
    }

    /// Writes the structure and the knobs that differ from their defaults into the scene.
    fn note_structure(&mut self) {
        let knobs = self.index.info().knobs.iter().enumerate();
        self.scene.structure.kind = self.index.kind();
        self.scene.structure.knobs = knobs
            .map(|(index, knob)| (index, knob.default, self.index.knob(index)))
            .filter(|(_, default, value)| default != value)
            .map(|(index, _, value)| (index, value))
            .collect();
    }

    /// Gives the armies together this many units and starts again.
    pub fn set_unit_count(&mut self, count: u32) {
        self.remember();
        // Each army keeps the share that it had before its number was first changed, however small it became meanwhile.
        let unscaled = self
            .unscaled
            .take()
            .unwrap_or_else(|| self.scene.armies.clone());
        self.scene.armies.clone_from(&unscaled);
        self.scene.scale_units(count);
        self.unscaled = Some(unscaled);
        self.dirty = true;
        self.restart();
    }

    /// Starts the scene again.
    pub fn restart(&mut self) {
        self.battle = Battle::new(&self.scene);
        self.selection = None;
        self.rebuild_index();
        self.restart_stream();
    }

    /// Writes a recorded path into the scene.
    pub fn keep_path(&mut self, path: scene::Path) {
        let position = path.points.first().copied().unwrap_or_default();
        let character = self
            .scene
            .character
            .get_or_insert_with(|| Character::new(position));
        let words = format!(
            "The path is in the scene as '{}'; save the scene to keep it.",
            path.name
        );
        character.paths.push(path);
        self.say(words);
        self.dirty = true;
    }

    /// Gives a side an order.
    pub fn set_order(&mut self, side: Side, order: Order) {
        self.edit(|app| {
            for army in app.scene.armies.iter_mut().filter(|army| army.side == side) {
                army.order = order;
            }
            app.battle.set_order(side, order);
        });
    }

    /// What a unit placed by the brush is like: as the last army of its side, or of the other, or a plain soldier.
    fn template(&self, side: Side) -> Army {
        let of_side = self
            .scene
            .armies
            .iter()
            .rev()
            .find(|army| army.side == side);
        let mut army = of_side
            .or(self.scene.armies.last())
            .cloned()
            .unwrap_or_else(|| Army::new(side, 0, Formation::Explicit(Vec::new())));
        army.side = side;
        army.order = self.battle.order(side);
        army.formation = Formation::Explicit(Vec::new());
        army.count = 0;
        army
    }

    /// Does what the brush does at this point of the world. `first` begins a new change, for undo.
    pub fn brush_at(&mut self, at: Vec2, first: bool) {
        let side = match self.brush.tool {
            Tool::Blue => Side::Blue,
            Tool::Orange => Side::Orange,
            Tool::Erase => return self.erase_at(at, first),
            Tool::Look => return,
        };
        if first {
            self.edit(|_| {});
        }
        let army = self.template(side);
        let positions: Vec<Vec2> = (0..self.brush.count)
            .map(|index| at + sunflower(index, self.brush.count) * self.brush.radius)
            .collect();
        match self.battle.spawn(side, &Template::from(&army), &positions) {
            Ok(_) => {
                self.tell_index(&mut ());
                self.note_spawn(army, positions);
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Writes placed units into the scene, so that they are there after a restart and in the file.
    fn note_spawn(&mut self, template: Army, mut positions: Vec<Vec2>) {
        let same = |army: &Army| {
            matches!(army.formation, Formation::Explicit(_))
                && Army {
                    formation: template.formation.clone(),
                    count: 0,
                    ..army.clone()
                } == template
        };
        if let Some(army) = self.scene.armies.last_mut().filter(|army| same(army))
            && let Formation::Explicit(all) = &mut army.formation
        {
            all.append(&mut positions);
            army.count = all.len() as u32;
        } else {
            let count = positions.len() as u32;
            self.scene.armies.push(Army {
                formation: Formation::Explicit(positions),
                count,
                ..template
            });
        }
        self.dirty = true;
    }

    /// Takes units off the field. The scene keeps them: they are there again when it starts again.
    fn erase_at(&mut self, at: Vec2, first: bool) {
        let mut units = Vec::new();
        self.index.radius(
            self.battle.bodies(),
            at,
            self.brush.radius,
            &mut (),
            |unit| units.push(unit),
        );
        if first {
            self.remember();
        }
        units.sort_unstable();
        self.battle.remove(&units);
        self.tell_index(&mut ());
    }

    /// Removes the selected unit, until the scene starts again.
    pub(super) fn delete_selection(&mut self) {
        if let Some(unit) = self.selection.take() {
            self.remember();
            self.battle.remove(&[unit]);
            self.tell_index(&mut ());
        }
    }
}

/// A point of the unit disc such that `count` of them cover it evenly: the pattern of a sunflower's seeds.
fn sunflower(index: u32, count: u32) -> Vec2 {
    /// The golden angle, in radians.
    const TURN: f32 = 2.399_963_2;
    if count <= 1 {
        return Vec2::ZERO;
    }
    let radius = ((index as f32 + 0.5) / count as f32).sqrt();
    Vec2::from_angle(index as f32 * TURN) * radius
}
