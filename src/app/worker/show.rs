//! What is shown: the answer to an ask.

use super::run::Run;
use super::*;
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
    }

    fn blank(&self) -> Snapshot {
        Snapshot {
            ask: 0,
            heeded: 0,
            battle: self.session.battle().clone(),
            scene: Arc::clone(self.session.scene()),
            unsaved: false,
            lanes: Vec::new(),
            culled: Culled::default(),
            past: Past::default(),
            mode: self.mode,
            pace: self.pace,
            steps_per_second: 0.0,
            threads: 1,
            undo: [None, None],
            place: Place::default(),
            pins: Vec::new(),
            survey: Vec::new(),
            told: None,
            moment: Moment::default(),
            tour: None,
        }
    }

    /// Lets the surveyor go on while somebody looks at its table.
    fn survey(&mut self, to: &mut Snapshot, ask: &Ask) {
        if !ask.survey {
            self.surveyor.stop();
            to.survey.clear();
            return;
        }
        let session = &self.session;
        let (battle, field) = (session.battle(), session.scene().field);
        let (lead, tick) = (session.lanes()[0].choice(), session.tick_count());
        if self.fixed {
            self.surveyor.round(battle, field, &lead, tick);
        } else {
            let rests = self.mode == RunMode::Paused;
            self.surveyor.go_on(battle, field, &lead, tick, rests);
        }
        self.surveyor.rows(&mut to.survey);
    }

    /// Has told what is asked for.
    fn tell(&mut self, to: &mut Snapshot, ask: &Ask) {
        to.moment = Moment {
            tick: self.session.tick_count(),
            changes: self.changes,
        };
        match &ask.story {
            Some(asked) => {
                let waits = self.fixed;
                self.teller.tell(&self.session, to.moment, asked, waits);
                to.told = self.teller.told();
            }
            None => {
                self.teller.stop();
                to.told = None;
            }
        }
    }

    fn fill(&mut self, to: &mut Snapshot, ask: &Ask) {
        self.survey(to, ask);
        self.tell(to, ask);
        let session = &self.session;
        let index = session.lanes()[0].index();
        let bodies = session.battle().bodies();
        session.battle().mirror(&mut to.battle);
        to.scene = Arc::clone(session.scene());
        to.unsaved = session.is_unsaved();
        // A look between two frames of a script is none that anybody sees.
        let seen = ask.ticks || !self.fixed;
        let refresh = seen && std::mem::take(&mut self.stale);
        let observe = ask.observe;
        let lanes = session.lanes();
        to.lanes.truncate(lanes.len());
        for (place, lane) in lanes.iter().enumerate() {
            if place == to.lanes.len() {
                to.lanes.push(LaneView::of(lane));
            }
            let view = &mut to.lanes[place];
            view.structure.take(lane);
            let shown = self.shown.get(place).copied().unwrap_or_default();
            let is_known = lane.is_measured && shown.kind == Some(lane.kind());
            view.cost = lane.cost;
            view.shown_cost = if is_known { shown.cost } else { lane.cost };
            view.is_measured = lane.is_measured;
            view.times = self.times_of(place);
            view.difference = lane.difference;
            if place == 0 || ask.lanes {
                let refresh = refresh && place == 0;
                let ask = observe::Ask { refresh, ..observe };
                view.frame.observe(lane.index(), bodies, &ask);
            } else {
                view.frame.clear();
            }
            flashes(&lane.flashes.recent, &view.frame, &mut view.flashes);
        }
        let first = &mut to.lanes[0].frame;
        if refresh {
            self.details.take_details(first);
        } else {
            first.take_details(&self.details);
        }

        to.culled.units.clear();
        to.culled.area = ask.cull;
        to.culled.counter = Counter::default();
        if let Some(area) = ask.cull {
            to.culled.counter = observe::cull(index, bodies, area, &mut to.culled.units);
            // The same order under every structure, so that overlapping units do not flicker when it is switched.
            to.culled.units.sort_unstable();
        }

        to.heeded = self.heeded;
        let timeline = session.timeline();
        to.past.take(timeline.ledger(), session.tick_count(), lanes);
        (to.mode, to.pace) = (self.mode, self.pace);
        to.steps_per_second = self.steps_per_second;
        to.threads = self.gear.threads();
        to.undo = [false, true].map(|redo| {
            let left = self.left[usize::from(redo)].as_ref();
            session
                .undo_name(redo)
                .or_else(|| left.map(|_| "open scene".to_owned()))
        });
        let place = &mut to.place;
        place.tick = session.tick_count();
        place.heading = self.sought.or(self.heading).unwrap_or(place.tick);
        place.end = timeline.end();
        place.diverged_at = timeline.diverged_at();
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
                world.picture(ask, picture);
            }
            (Some(world), None) => {
                let picture = to.tour.get_or_insert_default();
                world.picture(&TourAsk::default(), picture);
            }
            (None, _) => to.tour = None,
        }
    }
}

/// Where the regions are that were split or merged lately, of those that are in view.
fn flashes(recent: &[Flash], frame: &Frame, into: &mut Vec<(Aabb, bool, u64)>) {
    into.clear();
    if recent.is_empty() {
        return;
    }
    let by_region: HashMap<RegionId, &Flash> =
        recent.iter().map(|flash| (flash.region, flash)).collect();
    for region in &frame.regions.list {
        if let (Some(flash), Outline::Rect(area)) = (by_region.get(&region.id), region.outline) {
            into.push((area, flash.split, flash.tick));
        }
    }
}
