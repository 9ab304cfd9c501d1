//! How each action is done, and what has to be known to take it back.

use super::action::{self, Action, vector};
use super::beginning::Beginning;
use super::dimension::{Dimension, InSpace, KindOf, OnPlane};
use super::document::{Document, sunflower};
use super::followed::AnyIndex;
use super::lane::{Lane, Lane3};
use super::mark::turned;
use super::undo::{CharacterState, Entry, Part, What};
use super::{LANE_LIMIT, Refusal, Session, USUAL_DISK, tune};
use crate::battle::{Battle, Edit, Group, Template};
use crate::flight::Flight;
use crate::geometry::Vec2;
use crate::partition::UnitId;
use crate::probe::Cancel;
use crate::scene::limits::MAX_EVERY_PAIR_UNITS;
use crate::scene::{self, Army, Formation, Side, StructureChoice, generate};
use crate::streaming::{Mover, Settings, Tour};
use crate::structure::AnyKind;
use std::sync::Arc;

impl Session {
    /// Does an action, keeps what takes it back, and gives what it was in the words of the menu, where it was an edit, and whether
    /// that is the edit before it, with which it goes on.
    pub(super) fn perform(
        &mut self,
        action: &Action,
        more: bool,
        cancel: &Cancel,
    ) -> Result<Option<(String, bool)>, Refusal> {
        action.check().map_err(Refusal::Sentence)?;
        let entry = match action {
            Action::Undo => return self.turn(false, cancel),
            Action::Redo => return self.turn(true, cancel),
            Action::Describe(name, caption) => self.describe(name, caption),
            _ if self.flight.is_some() => self.perform_in_space(action, more, cancel)?,
            Action::Structure(key) => self.choose::<OnPlane>(key, cancel)?,
            Action::Set(key, value) => self.set_knob::<OnPlane>(key, value, cancel)?,
            Action::Defaults => self.set_defaults::<OnPlane>(cancel)?,
            Action::Units(count) => Some(self.set_units(*count, cancel)?),
            Action::Restart => Some(self.start_anew(What::Restart, cancel, |_| {})?),
            Action::Begin(beginning) => self.begin(beginning, cancel)?,
            Action::SwapSides => {
                Some(self.start_anew(What::SwapSides, cancel, Document::swap_sides)?)
            }
            Action::Order(side, order) => Some(self.order(*side, *order)),
            Action::Reach(scale) => Some(self.set_reach(*scale)),
            Action::KeepApart(metres) => Some(self.set_keep_apart(*metres)),
            Action::Spawn(side, at, radius, count) => {
                Some(self.spawn(*side, vector(*at), *radius, *count)?)
            }
            Action::Erase(at, radius) => {
                let units = self.units_at(vector(*at), *radius);
                self.erase(&units, What::Erase)
            }
            Action::Remove(units) => self.erase(units, What::Delete),
            Action::Move(moves) => self.move_units(moves)?,
            Action::Shift(units, way) => self.shift::<Battle>(units, vector(*way))?,
            Action::Copy(units, way) => self.copy::<Battle>(units, vector(*way))?,
            Action::Size(units, half) => self.set_size::<Battle>(units, *half)?,
            Action::Paste(text, at) => self.paste::<Battle, Flight>(text, vector(*at))?,
            Action::MoveObjects(objects, way) => self.move_objects(objects, *way)?,
            Action::CopyObjects(objects, way) => self.copy_objects(objects, *way)?,
            Action::RemoveObjects(objects) => self.remove_objects(objects)?,
            Action::PasteObjects(text, at) => self.paste_objects(text, *at)?,
            Action::PlaceObject(asset, at, half_extent) => {
                self.place_object(asset, *at, *half_extent)?
            }
            Action::ShapeObject(object, at, half_extent) => {
                self.shape_object(*object, *at, *half_extent)?
            }
            Action::Strew(side, at, strewn) => {
                let (places, seed) = (strewn.places(vector(*at)), self.scene().seed);
                let sizes = strewn.sizes(seed, places.len(), Vec2::splat, generate::half_extents);
                Some(self.place(*side, &places, sizes)?)
            }
            Action::AddLane(..) | Action::SetLane(..) | Action::DropLane(_) => {
                Some(self.change_lanes::<OnPlane>(action, more, cancel)?)
            }
            Action::Beside(key) => self.look_beside::<OnPlane>(key, cancel)?,
            Action::Motion(..)
            | Action::Spawn3(..)
            | Action::Erase3(..)
            | Action::Move3(_)
            | Action::Shift3(..)
            | Action::Copy3(..)
            | Action::Paste3(..)
            | Action::Strew3(..) => {
                let (plane, space) = action.counterpart().unwrap_or(("another action", "that"));
                return Err(Refusal::because(format_args!(
                    "{space} is for scenes of the third dimension, which have a volume: {plane} is meant"
                )));
            }
            _ => self.stream(action)?,
        };
        let Some(entry) = entry else { return Ok(None) };
        // An order tells no structure anything, and yet the next tick asks something else.
        if entry.parts.iter().any(Part::is_of_units) {
            self.note_edit();
        }
        let goes_on = self.undo.push(entry, more, self.timeline.done());
        let edit = self.undo.next(false);
        Ok(edit.map(|edit| (edit.what.to_string(), goes_on)))
    }

    /// Takes the last edit back, or the last undo.
    fn turn(&mut self, redo: bool, cancel: &Cancel) -> Result<Option<(String, bool)>, Refusal> {
        let Some(entry) = self.undo.next(redo).cloned() else {
            let word = if redo { "redo" } else { "undo" };
            // One gets there without turning to another future.
            let why = if self.has_edits_ahead() {
                " at this tick: what was changed lies after it.".to_owned()
            } else if let Some(name) = self.edit_of_other_future().filter(|_| redo) {
                format!(
                    ". The other future has: {name}. 'Other future' in the menu Run turns to it."
                )
            } else {
                ".".to_owned()
            };
            return Err(Refusal::because(format_args!(
                "There is nothing to {word}{why}"
            )));
        };
        // What takes long is prepared before anything changes.
        let (mut lanes, mut lanes3) = (None, None);
        for part in &entry.parts {
            match part {
                Part::Lanes(choices) => lanes = Some(self.lanes_of::<OnPlane>(choices, cancel)?),
                Part::Lanes3(choices) => lanes3 = Some(self.lanes_of::<InSpace>(choices, cancel)?),
                _ => {}
            }
        }
        let mut inverse = Entry {
            what: entry.what.clone(),
            parts: Vec::with_capacity(entry.parts.len()),
        };
        for part in entry.parts.iter().rev() {
            let part = self.turn_part(part, &mut lanes, &mut lanes3);
            inverse.parts.push(part);
        }
        self.undo.turn(redo, inverse, self.timeline.done());
        // What was measured of a lane that has come back was measured in another present.
        self.note_edit();
        Ok(Some((turned(redo, &entry.what), false)))
    }

    /// Makes a part what it was, and gives what it is now.
    fn turn_part(
        &mut self,
        part: &Part,
        lanes: &mut Option<Vec<Lane>>,
        lanes3: &mut Option<Vec<Lane3>>,
    ) -> Part {
        match part {
            Part::Units(edit) => {
                let inverse = self.battle.revert(edit);
                self.tell_lanes();
                Part::Units(Arc::new(inverse))
            }
            Part::Units3(edit) => match &mut self.flight {
                Some(flight) => {
                    let inverse = flight.revert(edit);
                    self.tell_lanes();
                    Part::Units3(Arc::new(inverse))
                }
                None => part.clone(),
            },
            Part::Document(document) => {
                let now = std::mem::replace(&mut self.document, *document.clone());
                self.keep_name();
                let character = self.document.scene().character.as_ref();
                if let Some(world) = &mut self.world {
                    let paths = character.map_or(&[][..], |character| &character.paths);
                    world.character_mut().set_paths(paths);
                }
                Part::Document(Box::new(now))
            }
            Part::Lanes(_) => {
                let choices = OnPlane::choices(self);
                if let Some(lanes) = lanes.take() {
                    self.lanes = lanes;
                }
                Part::Lanes(choices)
            }
            Part::Lanes3(_) => {
                let choices = InSpace::choices(self);
                if let Some(lanes) = lanes3.take() {
                    self.lanes3 = lanes;
                }
                Part::Lanes3(choices)
            }
            Part::Objects(edit) => match &mut self.world {
                Some(world) => Part::Objects(Arc::new(world.edit(edit))),
                None => part.clone(),
            },
            Part::Settings(settings) => match &mut self.world {
                Some(world) => {
                    let now = *world.settings();
                    world.set_settings(**settings);
                    Part::Settings(Box::new(now))
                }
                None => part.clone(),
            },
            Part::Character(state) => match &mut self.world {
                Some(world) => {
                    let now = character_of(world, state.position.is_some());
                    world.character_mut().set_speed(state.speed);
                    if let Some(position) = state.position {
                        world.character_mut().teleport(position);
                    }
                    // A hand or a key that held it then need not hold it now.
                    let mover = match state.mover {
                        Mover::Mouse | Mover::Keys(_) => Mover::Nobody,
                        mover => mover,
                    };
                    if world.character().mover() != mover {
                        world.character_mut().follow(mover);
                    }
                    Part::Character(now)
                }
                None => part.clone(),
            },
            Part::Whole(snapshot) => {
                let now = Arc::new(self.snapshot());
                self.put_back(snapshot);
                Part::Whole(now)
            }
        }
    }

    /// Tells every lane what the last edit of the battle, or of the flight, changed.
    pub(super) fn tell_lanes(&mut self) {
        if let Some(flight) = &self.flight {
            for lane in &mut self.lanes3 {
                lane.follow(flight, false);
            }
            return;
        }
        for lane in &mut self.lanes {
            lane.follow(&self.battle, false);
        }
    }

    /// Lanes with these structures; those that are there already are taken as they are.
    fn lanes_of<D: Dimension>(
        &self,
        choices: &[StructureChoice<KindOf<D>>],
        cancel: &Cancel,
    ) -> Result<Vec<Lane<D::Index>>, Refusal> {
        let mut lanes = Vec::with_capacity(choices.len());
        for (place, choice) in choices.iter().enumerate() {
            let same = |lane: &&Lane<D::Index>| lane.choice() == *choice;
            lanes.push(match D::lanes(self).get(place).filter(same) {
                Some(lane) => lane.clone(),
                None => self.build_lane::<D>(choice, cancel)?,
            });
        }
        Ok(lanes)
    }

    /// A new lane over the present, built beside those that are there.
    fn build_lane<D: Dimension>(
        &self,
        choice: &StructureChoice<KindOf<D>>,
        cancel: &Cancel,
    ) -> Result<Lane<D::Index>, Refusal> {
        let lane = D::build(self, choice)?;
        cancel.check()?;
        Ok(lane)
    }

    /// Puts a lane in the first one's place, and writes it into the scene.
    fn lead_by<D: Dimension>(&mut self, lane: Lane<D::Index>) -> Vec<Part> {
        let choices = D::choices(self);
        let before = choices.first().cloned();
        let parts = vec![
            Part::Document(Box::new(self.document.clone())),
            D::part(choices),
        ];
        if let Some(before) = before {
            self.document.remember_choice(before);
        }
        D::lanes_mut(self)[0] = lane;
        self.write_lanes::<D>();
        parts
    }

    /// Writes the structures of all lanes into the scene.
    fn write_lanes<D: Dimension>(&mut self) {
        let choices = D::choices(self);
        self.document.edit(|scene| D::write(scene, choices));
    }

    pub(super) fn choose<D: Dimension>(
        &mut self,
        key: &str,
        cancel: &Cancel,
    ) -> Result<Option<Entry>, Refusal> {
        let kind = D::kind(key)?;
        if kind == D::lanes(self)[0].kind() {
            return Ok(None);
        }
        let choice = D::remembered(&self.document, kind);
        let lane = self.build_lane::<D>(&choice, cancel)?;
        Ok(Some(Entry {
            what: What::Structure(kind.info().name),
            parts: self.lead_by::<D>(lane),
        }))
    }

    pub(super) fn set_knob<D: Dimension>(
        &mut self,
        key: &str,
        value: &str,
        cancel: &Cancel,
    ) -> Result<Option<Entry>, Refusal> {
        let index = D::lanes(self)[0].index();
        let info = index.info();
        let knob = info.knob_index(key).map_err(Refusal::because)?;
        let value = info.knobs[knob].parse(value).map_err(Refusal::because)?;
        if index.knob(knob) == value {
            return Ok(None);
        }
        let lane = D::with_knob(self, knob, value);
        cancel.check()?;
        Ok(Some(Entry {
            what: What::Knob(info.knobs[knob].name),
            parts: self.lead_by::<D>(lane),
        }))
    }

    pub(super) fn set_defaults<D: Dimension>(
        &mut self,
        cancel: &Cancel,
    ) -> Result<Option<Entry>, Refusal> {
        let now = D::lanes(self)[0].choice();
        let choice = StructureChoice::new(now.kind);
        if now == choice {
            return Ok(None);
        }
        let lane = self.build_lane::<D>(&choice, cancel)?;
        Ok(Some(Entry {
            what: What::Defaults,
            parts: self.lead_by::<D>(lane),
        }))
    }

    /// Whether a structure can follow this battle beside another one: all hold it, but with one that tests every pair of very many
    /// units a tick would never end, and the structures beside it would wait.
    fn check_lane(&self, kind: impl AnyKind, units: u64) -> Result<(), Refusal> {
        if kind.tests_every_pair() && units > MAX_EVERY_PAIR_UNITS {
            return Err(Refusal::because(format_args!(
                "{} beside another structure holds at most {MAX_EVERY_PAIR_UNITS} units (found {units}): it tests every pair, and the other would wait",
                kind.info().name
            )));
        }
        Ok(())
    }

    pub(super) fn change_lanes<D: Dimension>(
        &mut self,
        action: &Action,
        more: bool,
        cancel: &Cancel,
    ) -> Result<Entry, Refusal> {
        let choice_of = |key: &str, knobs: &[(String, String)]| {
            let mut choice = StructureChoice::new(D::kind(key)?);
            for (knob, value) in knobs {
                choice.set(knob, value).map_err(Refusal::because)?;
            }
            Ok::<_, Refusal>(choice)
        };
        let before = vec![
            Part::Document(Box::new(self.document.clone())),
            D::part(D::choices(self)),
        ];
        let count = self.lane_count();
        let known = |lane: usize| {
            if lane < count {
                Ok(())
            } else {
                Err(Refusal::because(format_args!(
                    "there is no lane {lane}; the lanes are 0 to {}",
                    count - 1
                )))
            }
        };
        let kinds = self.kinds();
        let name_of = |lane: usize| kinds.get(lane).map_or("", |kind| kind.info().name);
        let what = match action {
            Action::AddLane(key, knobs) => {
                self.check_room()?;
                let choice = choice_of(key, knobs)?;
                self.check_lane(choice.kind, self.alive())?;
                let lane = self.build_lane::<D>(&choice, cancel)?;
                D::lanes_mut(self).push(lane);
                format!("add {}", choice.kind.info().name)
            }
            Action::SetLane(place, key, knobs) => {
                known(*place)?;
                let choice = choice_of(key, knobs)?;
                let name = choice.kind.info().name;
                let what = match name_of(*place) == name {
                    true => format!("set knobs of {name}"),
                    false => format!("choose {name}"),
                };
                if *place > 0 {
                    self.check_lane(choice.kind, self.alive())?;
                }
                let lane = self.build_lane::<D>(&choice, cancel)?;
                let parts = if *place == 0 {
                    self.lead_by::<D>(lane)
                } else {
                    D::lanes_mut(self)[*place] = lane;
                    self.write_lanes::<D>();
                    before
                };
                // Each half of a swap gives one of two lanes the structure of the other.
                let now = D::part(D::choices(self));
                let edit = self.undo.next(false).filter(|_| more);
                let what = match edit.is_some_and(|edit| edit.has_swapped(&now)) {
                    true => What::SwapLanes,
                    false => What::Lanes(what),
                };
                return Ok(Entry { what, parts });
            }
            Action::DropLane(0) => return Err(Refusal::because("the first lane stays")),
            Action::DropLane(place) => {
                known(*place)?;
                D::lanes_mut(self).remove(*place);
                format!("drop {}", name_of(*place))
            }
            _ => String::new(),
        };
        self.write_lanes::<D>();
        Ok(Entry {
            what: What::Lanes(what),
            parts: before,
        })
    }

    /// Gives the scene a name and a caption.
    fn describe(&mut self, name: &str, caption: &str) -> Option<Entry> {
        let scene = self.scene();
        if (scene.name.as_str(), scene.caption.as_str()) == (name, caption) {
            return None;
        }
        let document = Part::Document(Box::new(self.document.clone()));
        self.document.edit(|scene| {
            (scene.name, scene.caption) = (name.to_owned(), caption.to_owned());
        });
        Some(Entry {
            what: What::Describe,
            parts: vec![document],
        })
    }

    /// Adds a lane of which the scene learns nothing.
    pub(super) fn look_beside<D: Dimension>(
        &mut self,
        key: &str,
        cancel: &Cancel,
    ) -> Result<Option<Entry>, Refusal> {
        let kind = D::kind(key)?;
        self.check_room()?;
        self.check_lane(kind, self.alive())?;
        let lane = self.build_lane::<D>(&StructureChoice::new(kind), cancel)?;
        D::lanes_mut(self).push(lane);
        Ok(None)
    }

    /// Whether one more lane may follow.
    fn check_room(&self) -> Result<(), Refusal> {
        if self.lane_count() < LANE_LIMIT {
            return Ok(());
        }
        Err(Refusal::because(format_args!(
            "at most {LANE_LIMIT} lanes follow a battle"
        )))
    }

    pub(super) fn set_units(&mut self, count: u32, cancel: &Cancel) -> Result<Entry, Refusal> {
        // Nobody has a share of an empty field: then both sides begin with half of them.
        let is_empty = self.document.is_empty_field();
        if is_empty && count > 0 && self.flight.is_some() {
            return Err(Refusal::because(
                "There is nobody of whom there could be more: place units first (a click on the field)",
            ));
        }
        let orders = [Side::Blue, Side::Orange].map(|side| self.battle.order(side));
        self.start_anew(What::Units(count), cancel, |document| {
            if is_empty && count > 0 {
                document.people(count, orders);
            } else {
                document.scale(count);
            }
        })
    }

    /// Starts the scene anew, as it is to begin from now on.
    pub(super) fn begin(
        &mut self,
        beginning: &Beginning,
        cancel: &Cancel,
    ) -> Result<Option<Entry>, Refusal> {
        if beginning.is_that_of(self.scene()) {
            return Ok(None);
        }
        let orders = [Side::Blue, Side::Orange].map(|side| self.battle.order(side));
        let document = beginning.written_into(&self.document, orders);
        let document = document.map_err(Refusal::Sentence)?;
        self.start_anew(What::Begin, cancel, |it| *it = document)
            .map(Some)
    }

    /// Starts the scene anew, after `change`. What streaming is set to stays.
    pub(super) fn start_anew(
        &mut self,
        what: What,
        cancel: &Cancel,
        change: impl FnOnce(&mut Document),
    ) -> Result<Entry, Refusal> {
        let mut document = self.document.clone();
        change(&mut document);
        let scene = Arc::clone(document.scene());
        for kind in &self.kinds()[1..] {
            self.check_lane(*kind, scene.unit_count())?;
        }
        let battle = Battle::new(&scene);
        document.start(&battle);
        cancel.check()?;
        let mut lanes = Vec::with_capacity(self.lanes.len());
        for lane in &self.lanes {
            lanes.push(Lane::new(&lane.choice(), scene.field, &battle));
            cancel.check()?;
        }
        let flight = self.flight.as_ref().map(|_| Flight::new(&scene));
        let mut lanes3 = Vec::with_capacity(self.lanes3.len());
        for lane in &self.lanes3 {
            if let Some(flight) = &flight {
                lanes3.push(Lane::new(&lane.choice(), scene.field3(), flight));
                cancel.check()?;
            }
        }
        let settings = self.world.as_ref().map(|world| *world.settings());
        let mut world = Tour::of_scene(&scene, &self.folder, settings).map_err(Refusal::because)?;
        // Who goes back beyond the restart finds what was read before it.
        if let (Some(new), Some(old)) = (&mut world, &mut self.world) {
            new.inherit_reread(old);
            // Who is watched, or was late, is known by a number of then.
            new.inherit_numbers(old);
        }
        let before = Arc::new(self.snapshot());
        self.armies += u64::from(matches!(what, What::Begin | What::Units(_)));
        (self.battle, self.lanes, self.document) = (battle, lanes, document);
        (self.flight, self.lanes3) = (flight, lanes3);
        (self.world, self.world_made) = (world, self.tick);
        Ok(Entry {
            what,
            parts: vec![Part::Whole(before)],
        })
    }

    fn order(&mut self, side: action::Side, order: action::Order) -> Entry {
        let document = Part::Document(Box::new(self.document.clone()));
        let edit = self.battle.set_order(side.into(), order.into());
        self.document.forget_shares();
        self.document.edit(|scene| {
            let side = Side::from(side);
            for army in scene.armies.iter_mut().filter(|army| army.side == side) {
                army.order = order.into();
            }
        });
        Entry {
            what: What::Order {
                side: side.name(),
                order: order.name(),
            },
            parts: vec![document, Part::Units(Arc::new(edit))],
        }
    }

    fn set_reach(&mut self, scale: f32) -> Entry {
        let document = Part::Document(Box::new(self.document.clone()));
        let edit = self.battle.set_reach_scale(scale);
        self.tell_lanes();
        self.document.edit(|scene| scene.reach_scale = scale);
        Entry {
            what: What::Reach,
            parts: vec![document, Part::Units(Arc::new(edit))],
        }
    }

    fn set_keep_apart(&mut self, metres: f32) -> Entry {
        let document = Part::Document(Box::new(self.document.clone()));
        let edit = self.battle.set_keep_apart(metres);
        self.tell_lanes();
        let kept = self.battle.keep_apart();
        self.document.edit(|scene| scene.keep_apart = kept);
        Entry {
            what: What::KeepApart,
            parts: vec![document, Part::Units(Arc::new(edit))],
        }
    }

    fn spawn(
        &mut self,
        side: action::Side,
        at: Vec2,
        radius: f32,
        count: u32,
    ) -> Result<Entry, Refusal> {
        self.place(side, &sunflower(at, radius, count), None)
    }

    /// Places units of a side, one at each of these points, of these sizes or as large as the scene says.
    pub(super) fn place(
        &mut self,
        side: action::Side,
        positions: &[Vec2],
        sizes: Option<Vec<Vec2>>,
    ) -> Result<Entry, Refusal> {
        let mut army = self
            .document
            .template(side.into(), self.battle.order(side.into()));
        army.formation = Formation::Explicit(positions.to_vec());
        army.count = positions.len() as u32;
        let is_sized = sizes.is_some();
        let half_extents = sizes.unwrap_or_else(|| self.document.sizes_of_spawn(&army));
        let group = Group {
            side: side.into(),
            template: Template::from(&army),
            positions,
            half_extents: &half_extents,
        };
        let edit = self.battle.muster(&[group]).map_err(Refusal::because)?;
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_spawn(army, edit.units());
        if is_sized {
            let units = edit.units().iter().copied();
            let sizes: Vec<(UnitId, Vec2)> = units.zip(half_extents).collect();
            self.document.note_sized::<Army>(&sizes);
        }
        Ok(Entry {
            what: What::Place {
                count: positions.len() as u32,
                side: side.name(),
            },
            parts: vec![document, units(edit)],
        })
    }

    fn erase(&mut self, unit_ids: &[u32], what: fn(u32) -> What) -> Option<Entry> {
        let edit = self.battle.remove(unit_ids);
        let count = edit.units().len() as u32;
        if count == 0 {
            self.battle.revert(&edit);
            return None;
        }
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_erased(edit.units());
        Some(Entry {
            what: what(count),
            parts: vec![document, units(edit)],
        })
    }

    fn move_units(&mut self, moves: &[(u32, action::Point)]) -> Result<Option<Entry>, Refusal> {
        let moves: Vec<(u32, Vec2)> = moves
            .iter()
            .map(|(unit, at)| (*unit, vector(*at)))
            .collect();
        let edit = self.battle.place(&moves).map_err(Refusal::because)?;
        let count = edit.units().len() as u32;
        self.tell_lanes();
        Ok((count > 0).then(|| Entry {
            what: What::Move(count),
            parts: vec![units(edit)],
        }))
    }

    /// What concerns the world and its character.
    fn stream(&mut self, action: &Action) -> Result<Option<Entry>, Refusal> {
        let Some(world) = &mut self.world else {
            return Err(Refusal::because(NO_WORLD));
        };
        let places = matches!(action, Action::Teleport(_) | Action::Lead(_));
        let before = Part::Character(character_of(world, places));
        let entry = |what| {
            Some(Entry {
                what,
                parts: vec![before],
            })
        };
        Ok(match action {
            Action::Teleport(at) => {
                world.character_mut().teleport(vector(*at));
                entry(What::Teleport)
            }
            Action::Lead(at) => {
                // The whole way that a hand leads it is one edit.
                let begins = !world.character().is_grabbed();
                if begins {
                    world.character_mut().grab();
                }
                world.character_mut().drag_to(vector(*at));
                if begins { entry(What::Lead) } else { None }
            }
            Action::LetGo => {
                world.character_mut().let_go();
                None
            }
            Action::Walk(x, y) => {
                let begins =
                    !matches!(world.character().mover(), Mover::Keys(_)) && (*x, *y) != (0.0, 0.0);
                world.character_mut().walk_by_keys(Vec2::new(*x, *y));
                if begins { entry(What::Walk) } else { None }
            }
            Action::Follow(name) => {
                let path = world
                    .character()
                    .paths()
                    .iter()
                    .position(|path| path.name == *name);
                let path = path.ok_or_else(|| {
                    Refusal::because(format_args!("the scene has no path '{name}'"))
                })?;
                world.character_mut().follow(Mover::Path(path));
                let mut entry = entry(What::Follow(name.clone()));
                self.note_followed(Some(path), &mut entry);
                entry
            }
            Action::Stand => {
                world.character_mut().follow(Mover::Nobody);
                let mut entry = entry(What::Stand);
                self.note_followed(None, &mut entry);
                entry
            }
            Action::Speed(speed) => {
                world.character_mut().set_speed(*speed);
                let document = Part::Document(Box::new(self.document.clone()));
                self.document.edit(|scene| {
                    if let Some(character) = &mut scene.character {
                        character.speed = *speed;
                    }
                });
                entry(What::Speed).map(|mut entry| {
                    entry.parts.insert(0, document);
                    entry
                })
            }
            Action::Tune(key, value) => {
                let mut settings = *world.settings();
                let name = tune::set(&mut settings, key, value).map_err(Refusal::because)?;
                let is_of_disk = tune::is_of_disk(key);
                self.set_settings(settings, What::Tune(name.to_owned()), |settings, world| {
                    if is_of_disk {
                        settings.write_disk_into(world);
                    }
                })
            }
            Action::TuneDefaults => {
                let (settings, disk) = self.settings_of_origin();
                let what = What::Tune("defaults".to_owned());
                self.set_settings(settings, what, |_, world| world.disk = disk)
            }
            Action::CountAnew => {
                world.reset_statistics();
                None
            }
            Action::RecordPath => {
                world.character_mut().record();
                None
            }
            Action::RenamePath(name, new) => return self.rename_path(name, new).map(Some),
            Action::DropPath(name) => return self.drop_path(name).map(Some),
            Action::Straighten(name) => return self.straighten_path(name).map(Some),
            Action::PlacePoint(name, before, at) => {
                return self.place_point(name, *before, vector(*at)).map(Some);
            }
            Action::MovePoint(name, point, at) => {
                return self.move_point(name, *point, vector(*at));
            }
            Action::DropPoint(name, point) => return self.drop_point(name, *point).map(Some),
            Action::KeepPath => {
                let Some(path) = world.character_mut().stop_recording() else {
                    return Err(Refusal::because("no path is being recorded"));
                };
                let document = Part::Document(Box::new(self.document.clone()));
                let what = What::Path(path.name.clone());
                let mut usual = character_for_paths(world);
                usual.position = path.points.first().copied().unwrap_or_default();
                self.document.edit(|scene| {
                    let character = scene.character.get_or_insert(usual);
                    character.paths.push(scene::Path::clone(&path));
                });
                Some(Entry {
                    what,
                    parts: vec![document],
                })
            }
            _ => None,
        })
    }

    /// The settings of streaming with which the scene was opened, and the disk that it named then.
    fn settings_of_origin(&self) -> (Settings, Option<scene::Disk>) {
        let origin = self.origin.world.as_ref();
        let settings = origin.map(|world| Settings::of_world_on(world, USUAL_DISK));
        let disk = origin.and_then(|world| world.disk);
        (settings.unwrap_or_default(), disk)
    }

    /// Whether [`Action::TuneDefaults`] would change anything.
    pub fn is_tuned(&self) -> bool {
        let Some(world) = &self.world else {
            return false;
        };
        let (settings, disk) = self.settings_of_origin();
        let named = self.scene().world.as_ref().map(|own| own.disk);
        *world.settings() != settings.in_range() || named.is_some_and(|named| named != disk)
    }

    /// Sets streaming, and writes what the scene can keep of it into the scene; `name_disk` has the last word on which disk that names.
    fn set_settings(
        &mut self,
        settings: Settings,
        what: What,
        name_disk: impl Fn(&Settings, &mut scene::World),
    ) -> Option<Entry> {
        let world = self.world.as_mut()?;
        let before = *world.settings();
        let settings = settings.in_range();
        let names_alike = self.scene().world.as_ref().is_none_or(|own| {
            let mut named = own.clone();
            settings.write_into(&mut named, USUAL_DISK);
            name_disk(&settings, &mut named);
            named.disk == own.disk
        });
        if before == settings && names_alike {
            return None;
        }
        let world = self.world.as_mut()?;
        world.set_settings(settings);
        let document = Part::Document(Box::new(self.document.clone()));
        self.document.edit(|scene| {
            if let Some(world) = &mut scene.world {
                settings.write_into(world, USUAL_DISK);
                name_disk(&settings, world);
            }
        });
        Some(Entry {
            what,
            parts: vec![document, Part::Settings(Box::new(before))],
        })
    }
}

/// Said of what is done to a world where there is none.
pub(super) const NO_WORLD: &str = "this scene has no world that streams";

fn units(edit: Edit) -> Part {
    Part::Units(Arc::new(edit))
}

/// The character that a scene without one gets with its first path: where that of the world is, and as fast.
pub(super) fn character_for_paths(world: &Tour) -> scene::Character {
    let character = world.character();
    scene::Character {
        speed: character.speed(),
        ..scene::Character::new(character.position())
    }
}

/// The character as it is; its place only where an edit puts it elsewhere.
pub(super) fn character_of(world: &Tour, places: bool) -> CharacterState {
    CharacterState {
        position: places.then(|| world.character().position()),
        mover: world.character().mover(),
        speed: world.character().speed(),
    }
}
