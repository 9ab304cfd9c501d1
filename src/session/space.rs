//! A session of the third dimension: a flight in the place of the battle, with lanes of structures in space.

use super::action::{self, Action, vector3};
use super::dimension::InSpace;
use super::document::{Document, swarm};
use super::lane::{Cost, Lane3, in_turn};
use super::undo::{Entry, Part, What};
use super::{LaneWatch, Refusal, Session, Watch};
use crate::battle::{Battle, Phase, StepSummary};
use crate::flight::{Decision3, Flight, Group3, Template3};
use crate::partition::UnitId;
use crate::probe::{Abandoned, Cancel, Counter, Patient};
use crate::scene::{self, Flock, Formation3, Motion, Scene, generate};
use crate::volume::Vec3;
use std::sync::Arc;

/// The flight of a scene of the third dimension, and its lanes; neither for any other scene.
pub(super) fn begin(scene: &Scene) -> (Option<Flight>, Vec<Lane3>) {
    let Some(volume) = &scene.volume else {
        return (None, Vec::new());
    };
    let flight = Flight::new(scene);
    let choices = std::iter::once(&volume.structure).chain(&volume.lanes);
    let lanes = choices
        .map(|choice| Lane3::new(choice, scene.field3(), &flight))
        .collect();
    (Some(flight), lanes)
}

impl Session {
    /// What happens in space, in a session of the third dimension.
    pub fn flight(&self) -> Option<&Flight> {
        self.flight.as_ref()
    }

    /// The structures that follow it; the first one answers it. None in any other session.
    pub fn lanes3(&self) -> &[Lane3] {
        &self.lanes3
    }

    /// Lets one step pass in space, as [`Session::tick`] does.
    pub(super) fn tick_in_space(
        &mut self,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<StepSummary, Refusal> {
        self.decide_in_space(cancel, watch)?;
        let Some(flight) = &mut self.flight else {
            return Ok(StepSummary::default());
        };
        watch.begin(0);
        let summary = flight.commit(&mut self.decisions3[0]);
        watch.lap(0, Phase::Integrate);
        let (flight, lanes, costs) = (&*flight, &mut self.lanes3, &self.costs);
        for place in in_turn(lanes.len(), self.tick) {
            let lane = &mut lanes[place];
            if lane.difference.is_none() {
                (lane.cost, lane.is_measured) = (costs[place], true);
                watch.begin(place);
                lane.follow(flight, true);
                watch.lap(place, Phase::Update);
            }
        }
        let hash = flight.hash();
        self.end_tick(Some(hash), 0, watch, cancel)?;
        Ok(summary)
    }

    /// Asks every lane what the tick asks, and compares the answers.
    fn decide_in_space(
        &mut self,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(), Abandoned> {
        let count = self.lanes3.len();
        self.decisions3.resize_with(count, Decision3::default);
        self.costs.resize_with(count, Cost::default);
        for place in in_turn(count, self.tick) {
            if self.lanes3[place].difference.is_none() {
                self.costs[place] = self.ask_in_space(place, cancel, watch)?;
            }
        }
        let Some(flight) = &self.flight else {
            return Ok(());
        };
        let (first, others) = self.lanes3.split_at_mut(1);
        for (place, lane) in others.iter_mut().enumerate() {
            if lane.difference.is_none() {
                lane.difference = flight.compare(
                    (&self.decisions3[0], first[0].index()),
                    (&self.decisions3[place + 1], lane.index()),
                );
            }
        }
        Ok(())
    }

    /// Asks a lane what the next tick asks, into its decision, and gives what that costs.
    fn ask_in_space(
        &mut self,
        place: usize,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<Cost, Abandoned> {
        let (threads, alive) = (self.threads, self.alive());
        let Some(flight) = &self.flight else {
            return Ok(Cost::default());
        };
        let decision = &mut self.decisions3[place];
        decision.compares = self.lanes3.len() > 1;
        let mut query = Patient::new(Counter::default(), cancel);
        let index = self.lanes3[place].index();
        Cancel::attempt(|| {
            watch.begin(place);
            let mut watch = Watch { lane: place, watch };
            flight.decide(decision, index, threads, &mut query, &mut watch);
        })?;
        Ok(Cost {
            update: Counter::default(),
            query: query.probe,
            lookup_tests: decision.lookup_tests,
            pairs: decision.pairs,
            all_pairs: alive * alive.saturating_sub(1) / 2 + u64::from(decision.lookups) * alive,
            at_rest: false,
            built_bytes: None,
        })
    }

    /// Measures a lane whose index has just been built, as [`Session::measure_at_rest`] does.
    pub(super) fn measure_at_rest_in_space(
        &mut self,
        place: usize,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(), Abandoned> {
        let Some(flight) = &self.flight else {
            return Ok(());
        };
        self.decisions3
            .resize_with(self.lanes3.len(), Decision3::default);
        let update = self.lanes3[place].count_build(place, flight.into(), cancel, watch)?;
        let cost = self.ask_in_space(place, cancel, watch)?;
        self.lanes3[place].rests_at(update, cost);
        Ok(())
    }

    /// Does what can be done in space, and gives what takes it back.
    pub(super) fn perform_in_space(
        &mut self,
        action: &Action,
        more: bool,
        cancel: &Cancel,
    ) -> Result<Option<Entry>, Refusal> {
        Ok(match action {
            Action::Structure(key) => self.choose::<InSpace>(key, cancel)?,
            Action::Set(key, value) => self.set_knob::<InSpace>(key, value, cancel)?,
            Action::Defaults => self.set_defaults::<InSpace>(cancel)?,
            Action::Units(count) => Some(self.set_units(*count, cancel)?),
            Action::Restart => Some(self.start_anew(What::Restart, cancel, |_| {})?),
            Action::Begin(beginning) => self.begin(beginning, cancel)?,
            Action::SwapSides => {
                Some(self.start_anew(What::SwapSides, cancel, Document::swap_sides)?)
            }
            Action::AddLane(..) | Action::SetLane(..) | Action::DropLane(_) => {
                Some(self.change_lanes::<InSpace>(action, more, cancel)?)
            }
            Action::Beside(key) => self.look_beside::<InSpace>(key, cancel)?,
            Action::Motion(side, motion) => self.set_motion(*side, *motion),
            Action::Reach(scale) => self.set_reach_in_space(*scale),
            Action::Spawn3(side, at, radius, count) => {
                let positions = swarm(vector3(*at), *radius, *count);
                self.spawn_in_space(*side, &positions, None)?
            }
            Action::Erase3(at, radius) => {
                let units = self.units_in_ball(vector3(*at), *radius);
                self.erase_in_space(&units, What::Erase)
            }
            Action::Remove(units) => self.erase_in_space(units, What::Delete),
            Action::Move3(moves) => self.move_in_space(moves)?,
            Action::Shift3(units, way) => self.shift::<Flight>(units, vector3(*way))?,
            Action::Copy3(units, way) => self.copy::<Flight>(units, vector3(*way))?,
            Action::Size(units, half) => self.set_size::<Flight>(units, *half)?,
            Action::Paste3(text, at) => self.paste::<Flight, Battle>(text, vector3(*at))?,
            Action::Strew3(side, at, strewn) => {
                let (places, seed) = (strewn.places(vector3(*at)), self.scene().seed);
                let sizes = strewn.sizes(seed, places.len(), Vec3::splat, generate::half_extents3);
                self.spawn_in_space(*side, &places, sizes)?
            }
            _ => {
                let why = "is for scenes on a plane, and this one has a volume";
                return Err(match action.counterpart() {
                    Some((plane, space)) => {
                        Refusal::because(format_args!("{plane} {why}: {space} is meant"))
                    }
                    None => Refusal::because(format_args!("that {why}")),
                });
            }
        })
    }

    /// The units within `radius` of a point, by ascending id, as the first lane finds them.
    fn units_in_ball(&self, center: Vec3, radius: f32) -> Vec<UnitId> {
        let mut units = Vec::new();
        if let (Some(flight), Some(lane)) = (&self.flight, self.lanes3.first()) {
            let bodies = flight.bodies();
            let visit: &mut dyn FnMut(UnitId) = &mut |unit| units.push(unit);
            let index = lane.index();
            index.sphere(bodies, center, radius, &mut (), visit);
        }
        units.sort_unstable();
        units
    }

    fn set_motion(&mut self, side: action::Side, motion: action::Motion) -> Option<Entry> {
        let motion = Motion::from(motion);
        let edit = self.flight.as_mut()?.set_motion(side.into(), motion);
        let document = Part::Document(Box::new(self.document.clone()));
        self.document.forget_shares();
        self.document.edit(|scene| {
            let side = scene::Side::from(side);
            for flock in scene.volume.iter_mut().flat_map(|it| &mut it.flocks) {
                if flock.side == side {
                    flock.motion = motion;
                }
            }
        });
        Some(Entry {
            what: What::Order {
                side: side.name(),
                order: motion.name(),
            },
            parts: vec![document, Part::Units3(Arc::new(edit))],
        })
    }

    fn set_reach_in_space(&mut self, scale: f32) -> Option<Entry> {
        let edit = self.flight.as_mut()?.set_reach_scale(scale);
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.edit(|scene| scene.reach_scale = scale);
        Some(Entry {
            what: What::Reach,
            parts: vec![document, Part::Units3(Arc::new(edit))],
        })
    }

    fn spawn_in_space(
        &mut self,
        side: action::Side,
        positions: &[Vec3],
        sizes: Option<Vec<Vec3>>,
    ) -> Result<Option<Entry>, Refusal> {
        let Some(flight) = &mut self.flight else {
            return Ok(None);
        };
        let mut flock = self
            .document
            .template3(side.into(), flight.motion(side.into()));
        // Whoever is placed in the ground would jump out of it with the next tick.
        let ground = flight.ground();
        let above = |at: &Vec3| at.with_z(at.z.max(ground.height(at.x, at.y)));
        let positions: &[Vec3] = &positions.iter().map(above).collect::<Vec<_>>();
        flock.formation = Formation3::Explicit(positions.to_vec());
        flock.count = positions.len() as u32;
        let is_sized = sizes.is_some();
        let half_extents = sizes.unwrap_or_else(|| self.document.sizes_of_spawn(&flock));
        let group = Group3 {
            side: side.into(),
            template: Template3::from(&flock),
            positions,
            half_extents: &half_extents,
        };
        let edit = flight.muster(&[group]).map_err(Refusal::because)?;
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_spawn(flock, edit.units());
        if is_sized {
            let units = edit.units().iter().copied();
            let sizes: Vec<(UnitId, Vec3)> = units.zip(half_extents).collect();
            self.document.note_sized::<Flock>(&sizes);
        }
        Ok(Some(Entry {
            what: What::Place {
                count: positions.len() as u32,
                side: side.name(),
            },
            parts: vec![document, Part::Units3(Arc::new(edit))],
        }))
    }

    fn erase_in_space(&mut self, units: &[UnitId], what: fn(u32) -> What) -> Option<Entry> {
        let edit = self.flight.as_mut()?.remove(units);
        let count = edit.units().len() as u32;
        if count == 0 {
            return None;
        }
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_erased(edit.units());
        Some(Entry {
            what: what(count),
            parts: vec![document, Part::Units3(Arc::new(edit))],
        })
    }

    fn move_in_space(
        &mut self,
        moves: &[(UnitId, action::Point3)],
    ) -> Result<Option<Entry>, Refusal> {
        let Some(flight) = &mut self.flight else {
            return Ok(None);
        };
        let moves: Vec<(UnitId, Vec3)> = moves
            .iter()
            .map(|(unit, at)| (*unit, vector3(*at)))
            .collect();
        let edit = flight.place(&moves).map_err(Refusal::because)?;
        let count = edit.units().len() as u32;
        self.tell_lanes();
        Ok((count > 0).then(|| Entry {
            what: What::Move(count),
            parts: vec![Part::Units3(Arc::new(edit))],
        }))
    }
}
