//! The update: what has arrived, what is to be loaded and given up, and what is asked for next.

use super::history::Reason;
use super::picture_size::PictureSize;
use super::scheduler::Urgency;
use super::states::Ahead;
use super::track::Kept;
use super::uploads::Decoded;
use super::{
    Completion, Decisions, Flight, FrameTests, Loader, Looked, Outcome, Rectangles, Request,
    Settings, State, Streaming, Whose, WorldObject, decisions_by_brute_force, way_ahead,
};
use crate::geometry::Vec2;
use crate::probe::{Counter, Probe};
use crate::story::words::{bytes, count};

impl<L: Loader> Streaming<L> {
    /// Brings everything up to date with a character at `position` that moves by `velocity`, in metres and m/s, at `now`
    /// seconds. A time before the last one counts as the last one, a position that is not finite as no move.
    pub fn update(&mut self, now: f64, position: Vec2, velocity: Vec2) {
        self.update_probed(now, position, velocity, &mut (), &mut ());
    }

    /// The same under probes, which hear each box that the load tree and the unload tree look at in order to decide. The ids
    /// that they hear are those of before the update: what is decided changes the trees. Who wants the boxes themselves asks
    /// for them by `update_watched`.
    fn update_probed<P: Probe, Q: Probe>(
        &mut self,
        now: f64,
        position: Vec2,
        velocity: Vec2,
        load_probe: &mut P,
        unload_probe: &mut Q,
    ) {
        self.begin(now, position, velocity);
        self.decide(load_probe, unload_probe);
        self.carry_out();
    }

    /// The same, and what both searches looked at: its boxes as they were when they were looked at.
    pub(crate) fn update_watched(
        &mut self,
        now: f64,
        position: Vec2,
        velocity: Vec2,
        looked: &mut Looked,
    ) {
        self.begin(now, position, velocity);
        let (mut load, mut unload) = looked.listen();
        self.decide(&mut load, &mut unload);
        looked.gather(&self.trees, self.world(), load, unload);
        self.carry_out();
    }

    /// What both searches of an update would look at now, at the same place. Changes nothing.
    pub(super) fn look_again(&self, looked: &mut Looked) {
        let (mut load, mut unload) = looked.listen();
        self.decide_probed(&mut load, &mut unload, &mut Decisions::default());
        looked.gather(&self.trees, self.world(), load, unload);
    }
}

/// The steps of an update, in their order.
impl<L: Loader> Streaming<L> {
    fn begin(&mut self, now: f64, position: Vec2, velocity: Vec2) {
        // Before the first update nothing is on its way, and nothing is there.
        if !self.statistics.started && self.now > 0.0 {
            self.statistics.started = self.is_ready();
        }
        self.now = self.now.max(now);
        if position.is_finite() {
            self.position = position;
        }
        self.velocity = velocity;
        self.way = way_ahead(self.position, velocity, &self.settings);
        self.statistics.updates += 1;
        self.allowance = self.allowance.next(&self.settings);
        let bound = std::mem::take(&mut self.bound);
        self.came_late.clear();
        // Who has waited since the update before stands in the queue until this one has been carried out.
        let kept = if self.queue.is_empty() {
            Kept::Nobody
        } else {
            Kept::by(bound)
        };
        // By which structure it is decided changes no decision.
        let before = Settings {
            index: self.settings.index,
            ..self.decided_with
        };
        let is_changed = before != self.settings;
        (self.decided_with, self.is_edited) = (self.settings, false);
        self.take_completions();
        let idle = self.loader.idle_seconds();
        let place = (self.position, self.velocity);
        self.track.note(self.now, place, idle, (kept, is_changed));
    }

    /// All that follows from the decisions.
    fn carry_out(&mut self) {
        self.give_up_what_was_left();
        self.want_what_is_ahead();
        self.retry_failed();
        self.order_by_urgency();
        self.note_uses();
        self.make_room();
        self.start_requests();
        self.note_needs();
        let held = self.held_bytes();
        self.statistics.peak_held_bytes = self.statistics.peak_held_bytes.max(held);
        self.statistics.memory_bound_updates += u64::from(self.bound.memory);
    }

    fn take_completions(&mut self) {
        let mut completions = std::mem::take(&mut self.completions);
        self.loader.poll(self.now, &mut completions);
        for completion in completions.drain(..) {
            self.take_completion(completion);
        }
        self.completions = completions;
    }

    fn take_completion(&mut self, completion: Completion) {
        let ticket = completion.ticket;
        let Some(place) = self
            .flights
            .iter()
            .position(|flight| flight.ticket == ticket)
        else {
            return;
        };
        let flight = self.flights.swap_remove(place);
        self.statistics.loaded_bytes += completion.bytes;
        let Some(object) = flight.waiting() else {
            // Too late: whatever it says is about a request that was cancelled.
            let asset = self.picture_in_flight(&flight);
            self.holding.change(asset, |users| users.on_the_way -= 1);
            self.statistics.wasted_bytes += completion.bytes;
            self.statistics.dropped += u64::from(matches!(completion.outcome, Outcome::Loaded(_)));
            return;
        };
        match completion.outcome {
            Outcome::Loaded(image) => {
                let record = &mut self.records[object as usize];
                (record.bytes_read, record.is_counted) = (completion.bytes, true);
                let size = PictureSize {
                    width: image.width,
                    height: image.height,
                };
                self.holding
                    .learn(self.objects[object as usize].asset, size);
                self.decoded.push(Decoded {
                    object,
                    urgency: self.urgency(object),
                    image: Some(image),
                });
                self.enter(object, State::Decoded, Reason::Arrived);
            }
            Outcome::Failed(error) => {
                self.statistics.wasted_bytes += completion.bytes;
                self.fail(object, error.to_string(), Reason::LoadFailed);
            }
            Outcome::Cancelled => {
                // The loader gave up what is still wanted. It keeps its place in the books.
                self.statistics.wasted_bytes += completion.bytes;
                self.push_to_queue(object);
                self.enter(object, State::Queued, Reason::GivenBack);
            }
        }
    }

    /// The one search of an update, counted, and heard by the probes.
    fn decide<P: Probe, Q: Probe>(&mut self, load_probe: &mut P, unload_probe: &mut Q) {
        let mut load_probe = (Counter::default(), load_probe);
        let mut unload_probe = (Counter::default(), unload_probe);
        let mut decisions = std::mem::take(&mut self.decisions);
        self.decide_probed(&mut load_probe, &mut unload_probe, &mut decisions);
        self.decisions = decisions;
        let (load, unload) = (load_probe.0, unload_probe.0);
        let boxes = |counter: Counter| counter.visits + counter.prunes + counter.tests;
        self.tests = FrameTests {
            index: self.settings.index,
            load: boxes(load),
            unload: boxes(unload),
            brute_force: self.objects.len() as u64,
            need: 0,
            memory: 0,
        };
        if self.check_decisions {
            let truth = decisions_by_brute_force(
                &self.objects,
                &self.states,
                &self.settings,
                self.position,
                self.way,
            );
            self.statistics.mismatches += u64::from(truth != self.decisions);
        }
    }

    fn give_up_what_was_left(&mut self) {
        let unload = std::mem::take(&mut self.decisions.unload);
        for &object in &unload {
            let record = self.records[object as usize];
            let to = match self.states[object as usize] {
                // In the caller's hands; it is decided about again when it is back.
                State::Decoded if record.handed_out => continue,
                State::Resident => {
                    self.unloading.push_back(object);
                    State::Unloading
                }
                state => {
                    if state == State::Loading {
                        self.cancel_request(object);
                    } else if state == State::Decoded {
                        self.waste(object);
                    }
                    self.statistics.cancelled += u64::from(state.is_pending());
                    if state.is_pending() {
                        self.end_wait(object);
                        self.note_not_come(object, false);
                    }
                    State::Unloaded
                }
            };
            self.enter(object, to, Reason::UnloadLeft);
        }
        self.decisions.unload = unload;
    }

    fn want_what_is_ahead(&mut self) {
        let load = std::mem::take(&mut self.decisions.load);
        for &object in &load {
            let record = self.records[object as usize];
            if self.states[object as usize] == State::Unloading {
                // In the caller's hands, or evicted: it is decided about again when it is gone.
                if !record.handed_out && !record.evicted {
                    self.statistics.returned += 1;
                    if record.needed_at.is_infinite() {
                        self.unneeded.push(object);
                    }
                    self.enter(object, State::Resident, Reason::Returned);
                }
                continue;
            }
            let failure = self.failures.get(&object);
            if failure.is_some_and(|failure| failure.retry_at > self.now) {
                self.failed.push(object);
                self.enter(object, State::Failed, Reason::LoadEnteredTooSoon);
            } else {
                let sudden = self.rectangles(object).need.contains(self.position);
                self.statistics.sudden_loads += u64::from(sudden);
                let excused = sudden || failure.is_some();
                self.queue_up(object, excused, Reason::LoadEntered);
            }
        }
        self.decisions.load = load;
    }

    fn retry_failed(&mut self) {
        let mut failed = std::mem::take(&mut self.failed);
        failed.retain(|&object| {
            let waits = self.states[object as usize] == State::Failed
                && self
                    .failures
                    .get(&object)
                    .is_some_and(|failure| failure.retry_at > self.now);
            if !waits && self.states[object as usize] == State::Failed {
                self.queue_up(object, true, Reason::BackOffOver);
            }
            waits
        });
        self.failed = failed;
    }

    fn order_by_urgency(&mut self) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.retain_mut(|entry| {
            entry.set_urgency(self.urgency(entry.object));
            self.states[entry.object as usize] == State::Queued
        });
        queue.sort_unstable_by(|a, b| a.urgency().compare(a.object, &b.urgency(), b.object));
        self.queue = queue;

        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.retain_mut(|entry| {
            entry.urgency = self.urgency(entry.object);
            self.states[entry.object as usize] == State::Decoded
        });
        decoded.sort_unstable_by(|a, b| a.urgency.compare(a.object, &b.urgency, b.object));
        self.decoded = decoded;
    }

    fn start_requests(&mut self) {
        let mut bytes_in_flight = self.bytes_in_flight();
        let mut own_held_before = self.own_held_bytes();
        let mut started = 0;
        // How many requests begin, and those that were on the disk before, the soonest needed first, once somebody has to know.
        let mut begun = 0;
        let mut ahead: Option<Vec<(u32, Urgency)>> = None;
        // Strictly in order: letting small requests pass would starve a large one.
        while let Some(entry) = self.queue.get(started) {
            let object = entry.object;
            let WorldObject {
                bytes: file_bytes,
                asset,
                ..
            } = self.objects[object as usize];
            let more = bytes_in_flight.saturating_add(file_bytes);
            if self.flights.len() >= self.settings.requests_in_flight as usize {
                self.bound.requests = true;
                break;
            }
            if bytes_in_flight > 0 && more > self.settings.bytes_in_flight {
                self.bound.bytes_in_flight = true;
                break;
            }
            let own = self.holding.own_bytes(object, file_bytes);
            let picture = self.picture_of(object);
            let alone = own.saturating_add(self.holding.bytes_on_the_way(picture));
            if alone > self.settings.memory_cap {
                let sizes = [alone, self.settings.memory_cap];
                let mut words = sizes.map(bytes);
                if words[0] == words[1] {
                    words = sizes.map(|size| count(size, "byte"));
                }
                let [alone, cap] = words;
                let name = self.called(object);
                let sentence = format!("{name} takes {alone}, but the memory cap is {cap}");
                self.fail(object, sentence, Reason::LoadFailed);
                started += 1;
                continue;
            }
            // Where somebody has to go first, this is tried again when they are gone.
            let pictures = self.holding.bytes().held;
            let pictures = pictures.saturating_add(self.holding.more_bytes(picture));
            let own_held = own_held_before.saturating_add(own);
            if own_held.saturating_add(pictures) > self.settings.memory_cap {
                break;
            }
            let Some(path) = self.assets.get(asset as usize) else {
                let sentence = format!(
                    "{} has asset {asset}, but the world has only {} assets",
                    self.called(object),
                    self.assets.len()
                );
                self.fail(object, sentence, Reason::LoadFailed);
                started += 1;
                continue;
            };
            let ticket = self.ticket(object);
            let request = Request {
                ticket,
                asset,
                path: path.clone(),
                bytes: file_bytes,
            };
            if !self.loader.start(request, self.now) {
                break;
            }
            self.flights.push(Flight {
                ticket,
                whose: Whose::Object(object),
                bytes: file_bytes,
                cancelled: false,
            });
            let ahead = ahead.get_or_insert_with(|| self.urgencies_in_flight(object));
            let urgency = self.urgency(object);
            // The queue is in order: who began in this update is needed no later.
            let sooner = ahead.partition_point(|it| it.1.compare(it.0, &urgency, object).is_le());
            let on_the_disk = Ahead {
                others: ahead.len() as u32 + begun,
                later: (ahead.len() - sooner) as u32,
            };
            begun += 1;
            self.end_wait(object);
            let record = &mut self.records[object as usize];
            (record.read_from, record.ahead) = (self.settings.disk(), on_the_disk);
            self.enter(object, State::Loading, Reason::Started);
            bytes_in_flight = more;
            own_held_before = own_held;
            started += 1;
        }
        self.queue.drain(..started);
    }

    /// How soon those are needed that are in flight, but for the one that is asked for just now.
    fn urgencies_in_flight(&self, asked: u32) -> Vec<(u32, Urgency)> {
        let waiting = self.flights.iter().filter_map(Flight::waiting);
        let others = waiting.filter(|object| *object != asked);
        let mut all: Vec<(u32, Urgency)> = others
            .map(|object| (object, self.urgency(object)))
            .collect();
        all.sort_unstable_by(|a, b| a.1.compare(a.0, &b.1, b.0));
        all
    }

    /// Notes which objects are needed from now on, and counts those that are late.
    fn note_needs(&mut self) {
        let (mut late, mut late_at_start, mut needed, mut looks) = (0, 0, 0, 0);
        // Of most updates it is nobody, and then it takes no memory.
        let mut needed_no_more = Vec::new();
        let mut look = |object: u32| {
            looks += 1;
            let need = Rectangles::of(&self.objects[object as usize], &self.settings).need;
            let record = &mut self.records[object as usize];
            if !need.contains(self.position) {
                if record.is_missing {
                    record.missing = record.missing_until(self.now);
                    record.is_missing = false;
                    needed_no_more.push(object);
                }
                return;
            }
            if record.is_missing {
                record.missing += self.now - record.needed_until;
            }
            record.is_missing = true;
            record.needed_until = self.now;
            if record.needed_at.is_infinite() {
                record.needed_at = self.now;
                record.needed_at_speed = self.velocity.length();
                record.needed_as = object;
                needed += 1;
                late += u64::from(!record.excused);
                late_at_start += u64::from(!record.excused && record.is_of_start);
            }
        };
        self.queue.iter().for_each(|entry| look(entry.object));
        self.decoded.iter().for_each(|decoded| look(decoded.object));
        // A cancelled request is not the object's; if the object was asked for anew, it is in another list.
        self.flights
            .iter()
            .filter_map(Flight::waiting)
            .for_each(look);
        for object in needed_no_more {
            self.note_not_come(object, true);
        }
        self.statistics.late_loads += late;
        self.statistics.late_at_start += late_at_start;
        // How large a cap would have done is known now, and asked for once those who are late have come.
        if late > 0 && self.bound.memory {
            self.note_shortage();
        }

        let mut unneeded = std::mem::take(&mut self.unneeded);
        unneeded.retain(|&object| {
            if self.states[object as usize] != State::Resident {
                return false;
            }
            looks += 1;
            let is_needed = self.rectangles(object).need.contains(self.position);
            if is_needed {
                let record = &mut self.records[object as usize];
                record.needed_at = self.now;
                record.needed_at_speed = self.velocity.length();
                needed += 1;
            }
            !is_needed
        });
        self.statistics.needed += needed;
        self.unneeded = unneeded;
        self.tests.need = looks;
    }

    /// Notes how large a cap would have done, which goes through the whole queue: so while a shortage goes on, and nothing else is asked
    /// for, that is done now and then only.
    fn note_shortage(&mut self) {
        let asked = self.statistics.queued;
        if self.track.has_shortage_gone_on(self.now, asked) {
            return;
        }
        let mut arriving = std::mem::take(&mut self.arriving);
        if let Some(enough) = self.enough_bytes_by(&mut arriving) {
            self.track.note_shortage(self.now, enough, asked);
        }
        self.arriving = arriving;
    }
}
