//! What is shown: the answer to an ask.

use super::loads::LaneLoads;
use super::run::Run;
use super::*;
use skirmish::measure::survey::{FieldOf, Surveyed};
use skirmish::observe::Histogram;
use skirmish::session::LateInBoth;
use std::collections::HashMap;

impl Run {
    /// Answers the ask, once the last answer has been taken.
    pub(super) fn answer(&mut self) {
        if lock(&self.shared.latest).is_some() && !self.fixed {
            return;
        }
        let Some((number, ask)) = self.ask.take() else {
            return;
        };
        let spare = lock(&self.shared.spare).pop();
        let mut snapshot = spare.unwrap_or_else(|| Box::new(self.blank()));
        self.fill(&mut snapshot, &ask);
        snapshot.ask = number;
        *lock(&self.shared.latest) = Some(snapshot);
        self.shared.answered.notify_all();
        wake::nudge();
    }

    fn blank(&self) -> Snapshot {
        Snapshot {
            ask: 0,
            heeded: 0,
            battle: self.session.battle().clone(),
            flight: None,
            scene: Arc::clone(self.session.scene()),
            unsaved: Unsaved::Nothing,
            known_unsaved: Unsaved::Nothing,
            left_work: None,
            other_work: false,
            work_ahead: false,
            ships: self.ships,
            is_posed_as_shipped: self.is_posed_as_shipped,
            lanes: Vec::new(),
            apart: f32::INFINITY,
            culled: Culled::default(),
            counted: Culled::default(),
            past: Past::default(),
            mode: self.mode,
            pace: self.pace,
            steps_per_second: 0.0,
            threads: 1,
            placed: None,
            undo: [None, None],
            place: Place::default(),
            pins: Vec::new(),
            survey: Vec::new(),
            survey_of: Rows::default(),
            told: None,
            moment: Moment::default(),
            goes_on: false,
            tour: None,
        }
    }

    /// Lets the surveyor go on while somebody looks at its table.
    fn survey(&mut self, to: &mut Snapshot, ask: &Ask) {
        let Some(subject) = ask.survey else {
            self.surveyor.stop();
            to.survey.clear();
            return;
        };
        let (session, scene) = (&self.session, self.session.scene());
        let moment = self.moment();
        let rests = (!self.fixed).then_some(self.mode == RunMode::Paused);
        self.surveyor.heed(moment);
        self.surveyor.reckon_with(ask.rectangles);
        // Whoever is measured while another one is keeps it from a core, and the readings of both are those of chance.
        if to.goes_on && !self.surveyor.is_at_work() {
            to.survey_of = self.surveyor.rows(&mut to.survey);
            return;
        }
        match session.flight() {
            Some(flight) => {
                let (field, lanes) = (scene.field3(), session.lanes3());
                let of = (lanes, subject);
                go_on(&mut self.surveyor, flight, field, of, moment, rests);
            }
            None => {
                let (battle, of) = (session.battle(), (session.lanes(), subject));
                go_on(&mut self.surveyor, battle, scene.field, of, moment, rests);
            }
        }
        to.goes_on |= self.surveyor.is_at_work();
        to.survey_of = self.surveyor.rows(&mut to.survey);
    }

    /// The present moment.
    fn moment(&self) -> Moment {
        Moment {
            tick: self.session.tick_count(),
            changes: self.changes,
            crowds: self.crowds,
        }
    }

    /// Has told what is asked for.
    fn tell(&mut self, to: &mut Snapshot, ask: &Ask) {
        to.moment = self.moment();
        match &ask.story {
            Some(asked) => {
                let waits = self.fixed;
                let when = (to.moment, self.mode == RunMode::Running);
                self.teller.tell(&self.session, when, asked, waits);
                to.goes_on |= self.teller.is_at_work(asked, to.moment);
                to.told = self.teller.told();
            }
            None => {
                self.teller.stop();
                to.told = None;
            }
        }
    }

    /// What is known of a lane beside what it shows of itself.
    fn show_lane<I: AnyIndex>(&self, place: usize, lane: &Lane<I>, view: &mut LaneView) {
        view.structure.take(lane);
        let shown = self.shown.get(place);
        let shown =
            shown.filter(|shown| lane.is_measured && shown.kind == Some(lane.kind().into()));
        view.cost = lane.cost;
        view.shown_cost = shown.map_or(lane.cost, |shown| shown.cost);
        view.is_measured = lane.is_measured;
        let timed = self.times_of(place);
        view.times = timed.map(|it| it.times);
        view.timed = timed.map_or(0, |it| it.count);
        view.middle = timed.and_then(|it| it.middle);
        // What was read at rest of the structure before is nothing to doubt.
        let of_now = timed.filter(|_| shown.is_some() || !lane.cost.at_rest);
        view.doubtful_from = of_now.map_or([None; 2], |it| it.doubtful_from);
        view.difference = lane.difference;
    }

    fn fill(&mut self, to: &mut Snapshot, ask: &Ask) {
        // More readings are to come.
        to.goes_on = !self.fixed && self.is_measuring();
        to.left_work = self.left_work();
        let other = self.session.other_future_unsaved_kept(&mut self.ahead_kept);
        to.other_work = self.is_missed(other);
        let ahead = self.session.unsaved_ahead_kept(&mut self.ahead_kept);
        to.work_ahead = self.is_missed(ahead);
        self.survey(to, ask);
        self.tell(to, ask);
        let session = &self.session;
        let index = session.lanes()[0].index();
        let bodies = session.battle().bodies();
        session.battle().mirror(&mut to.battle);
        match (session.flight(), &mut to.flight) {
            (Some(flight), Some(shown)) => flight.mirror(shown),
            (flight, shown) => *shown = flight.cloned(),
        }
        to.scene = Arc::clone(session.scene());
        (to.unsaved, to.ships) = (session.unsaved(), self.ships);
        to.known_unsaved = match session.is_in_doubt() {
            true => session.known_unsaved(),
            false => to.unsaved,
        };
        to.is_posed_as_shipped = self.is_posed_as_shipped;
        // A look between two frames of a script is none that anybody sees.
        let seen = ask.ticks || !self.fixed;
        let refresh = seen && std::mem::take(&mut self.stale);
        let count = session.lane_count();
        to.lanes.truncate(count);
        while to.lanes.len() < count {
            to.lanes.push(match session.lanes3().get(to.lanes.len()) {
                Some(lane) => LaneView::of(lane),
                None => LaneView::of(&session.lanes()[to.lanes.len()]),
            });
        }
        let now = self.moment();
        for (place, view) in to.lanes.iter_mut().enumerate() {
            let wanted = place == 0 || ask.lanes;
            if let Some(further) = place.checked_sub(1) {
                if self.leaves.len() <= further {
                    self.leaves.resize_with(further + 1, || None);
                }
                let leaves = &mut self.leaves[further];
                count_leaves(session, place, leaves, (wanted && seen, refresh));
                if let Some(leaves) = leaves {
                    view.frame.histogram.clone_from(leaves);
                }
            }
            let refresh = refresh && place == 0;
            match (session.flight(), session.lanes3().get(place)) {
                (Some(flight), Some(lane)) => {
                    self.show_lane(place, lane, view);
                    view.frame.clear();
                    if let (Some(ask), true) = (&ask.space, wanted) {
                        view.frame3.observe(lane.index(), flight.bodies(), ask);
                    } else {
                        view.frame3.clear();
                    }
                    if refresh {
                        view.frame.observe_details(lane.index());
                    }
                    let recent = &lane.flashes.recent;
                    let regions = view.frame3.regions.iter();
                    let boxes = regions.map(|region| (region.id, region.bounds));
                    flashes(recent, boxes, &mut view.flashes3);
                }
                _ => {
                    let lane = &session.lanes()[place];
                    self.show_lane(place, lane, view);
                    view.frame3.clear();
                    if wanted {
                        let ask = observe::Ask {
                            refresh,
                            reach: session.battle().truth().reach,
                            ..ask.observe
                        };
                        view.frame.observe(lane.index(), bodies, &ask);
                    } else {
                        view.frame.clear();
                    }
                    if self.loads.len() <= place {
                        self.loads.resize_with(place + 1, LaneLoads::default);
                    }
                    let of = (&view.structure, &view.frame.regions.list[..]);
                    // In a script two runs must look alike, however often each was looked at.
                    let when = (now, self.mode != RunMode::Running);
                    view.loads = self.loads[place].heed(of, when, self.fixed);
                    let regions = view.frame.regions.list.iter();
                    let boxes = regions.filter_map(|region| match region.outline {
                        Outline::Rect(area) => Some((region.id, area)),
                        _ => None,
                    });
                    flashes(&lane.flashes.recent, boxes, &mut view.flashes);
                }
            }
        }
        let first = &mut to.lanes[0].frame;
        if refresh {
            self.details.take_details(first);
        } else {
            first.take_details(&self.details);
        }
        let of = (self.entered, now);
        if refresh && self.apart_of != Some(of) {
            // Of whom nobody asks any more, as they have answered otherwise, what is known is old.
            let asked = session.lanes().iter();
            let asked = asked.filter(|lane| lane.difference.is_none());
            let quickest = asked.min_by_key(|lane| lane.kind().tests_every_pair());
            let found = quickest.and_then(|lane| self.spacing.find(lane.index(), bodies));
            let is_other = self.apart_of.is_none_or(|(scene, _)| scene != self.entered);
            let before = if is_other { f32::INFINITY } else { self.apart };
            self.apart = found.unwrap_or(before);
            self.apart_of = Some(of);
        }
        to.apart = self.apart;

        for (culled, area) in [(&mut to.culled, ask.cull), (&mut to.counted, ask.counted)] {
            culled.units.clear();
            culled.area = area;
            culled.counter = Counter::default();
            if let Some(area) = area {
                culled.counter = observe::cull(index, bodies, area, &mut culled.units);
                // The same order under every structure, so that overlapping units do not flicker when it is switched.
                culled.units.sort_unstable();
            }
        }

        to.heeded = self.heeded;
        let timeline = session.timeline();
        let present = to.lanes.iter().map(|lane| &lane.structure);
        let present: Vec<_> = present.map(|it| (it.kind, &it.knobs[..])).collect();
        to.past.take(
            timeline.ledger(),
            (session.tick_count(), session.world_made()),
            &present,
        );
        (to.mode, to.pace) = (self.mode, self.pace);
        to.steps_per_second = self.steps_per_second;
        to.threads = self.gear.threads();
        to.placed.clone_from(&self.placed);
        to.undo = [false, true].map(|redo| {
            if self.turns_scene(redo) {
                return Some(OPEN_SCENE.to_owned());
            }
            session.undo_name(redo).or_else(|| {
                let brings_back = session.brings_future_back(redo);
                brings_back.then(|| ENDED_FUTURE.to_owned())
            })
        });
        let place = &mut to.place;
        place.tick = session.tick_count();
        place.heading = self.sought.or(self.heading).unwrap_or(place.tick);
        place.is_on_way = self.heading.is_some();
        place.end = timeline.end();
        place.world_made = session.world_made();
        place.is_tuned = session.is_tuned();
        place.run_ticks.clone_from(timeline.ledger().run_ticks());
        place.armies = session.armies();
        place.session = self.entered;
        place.diverged_at = timeline.diverged_at();
        place.other_future = self.session.other_future();
        place.other_has_edits = self.session.edit_of_other_future().is_some();
        // After a restart the list is that of another run, of whose ticks none is counted.
        let is_of_run = |both: &LateInBoth| both.is_of_world(session.world_made());
        let in_both = session.late_in_both_kept(&mut self.late_kept);
        place.late_in_both = in_both.filter(is_of_run);
        let one = ask.tour.as_ref().and_then(|ask| ask.selection);
        place.late_of_one = one.and_then(|one| {
            let of_it = session.late_of_one_kept(&mut self.late_kept, one)?;
            is_of_run(&of_it).then_some((one, of_it))
        });
        place.edit_brings_future_back = self.session.leads_to_future();
        place.has_edits_ahead = self.session.has_edits_ahead();
        place.has_scene_ahead = self.session.has_scene_ahead();
        place.marks = Arc::clone(timeline.marks().list());
        place.heaviest = timeline.ledger().heaviest();
        let columns = ask.timeline_columns;
        timeline
            .ledger()
            .curve(place.end, columns, &mut place.curve);
        to.pins.clear();
        let pins = session.pins().iter();
        to.pins
            .extend(pins.map(|pin| (pin.clone(), session.knows(pin))));
        match (session.world(), &ask.tour) {
            (Some(world), Some(ask)) => {
                let picture = to.tour.get_or_insert_default();
                let object = ask.selection;
                let future = object.and_then(|object| session.future_of_late(object));
                let ask = TourAsk {
                    future,
                    clock: session.world_clock(),
                    ..ask.clone()
                };
                world.picture(&ask, picture);
            }
            (Some(world), None) => {
                let picture = to.tour.get_or_insert_default();
                let ask = TourAsk {
                    clock: session.world_clock(),
                    ..TourAsk::default()
                };
                world.picture(&ask, picture);
            }
            (None, _) => to.tour = None,
        }
    }
}

/// Counts the leaves of a lane after the first, of which nothing else is gathered that takes long: once somebody looks at it (`wanted`), and
/// with each `refresh` anew.
fn count_leaves(
    session: &Session,
    place: usize,
    leaves: &mut Option<Histogram>,
    (wanted, refresh): (bool, bool),
) {
    if refresh {
        *leaves = None;
    }
    if wanted && leaves.is_none() {
        *leaves = Some(match session.lanes3().get(place) {
            Some(lane) => observe::space::histogram(lane.index()),
            None => observe::histogram(session.lanes()[place].index()),
        });
    }
}

/// Lets a surveyor go on with what it surveys. `rests` says whether time stands still; `None` where two runs must look alike.
fn go_on<W: Surveyed>(
    surveyor: &mut Surveyor,
    battle: &W,
    field: FieldOf<W>,
    (lanes, subject): (&[Lane<W::Index>], Subject),
    moment: Moment,
    rests: Option<bool>,
) {
    let lanes: Vec<_> = lanes.iter().map(LaneChoice::of).collect();
    match rests {
        Some(rests) => surveyor.go_on(battle, field, (&lanes, subject), moment, rests),
        None => surveyor.round(battle, field, (&lanes, subject), moment),
    }
}

/// Where the regions are that were split or merged lately, of those that are in view.
fn flashes<A>(
    recent: &[Flash],
    regions: impl Iterator<Item = (RegionId, A)>,
    into: &mut Vec<(A, bool, u64)>,
) {
    into.clear();
    if recent.is_empty() {
        return;
    }
    let by_region: HashMap<RegionId, &Flash> =
        recent.iter().map(|flash| (flash.region, flash)).collect();
    for (region, area) in regions {
        if let Some(flash) = by_region.get(&region) {
            into.push((area, flash.split, flash.tick));
        }
    }
}
