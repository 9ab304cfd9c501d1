//! What may be asked of a world: states, figures, trees, and what happened. Nothing here changes anything.

use super::{
    Bound, Decisions, Failure, Flight, FrameTests, Lateness, Loader, Pending, QueueEntry,
    Rectangles, Renumberings, State, Statistics, Streaming, Transition, WorldObject,
};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery};
use crate::probe::Probe;
use std::path::Path;
use std::sync::Arc;

impl<L: Loader> Streaming<L> {
    /// The objects, by number.
    pub fn objects(&self) -> &[WorldObject] {
        &self.objects
    }

    /// What tells the numbers of objects from those before and after some were taken away or added: an undo of that gives the old ones.
    pub(crate) fn numbering(&self) -> u32 {
        self.renumberings.count()
    }

    /// Goes on with the numberings of another world, which has the same objects with the same numbers.
    pub(super) fn inherit_numbers(&mut self, before: &Self) {
        self.renumberings = before.renumberings.clone();
    }

    /// How objects were given other numbers so far.
    pub fn renumberings(&self) -> &Renumberings {
        &self.renumberings
    }

    /// Since when an object has been needed, in seconds, which it may not be any more; `None` of one that does not exist.
    pub(crate) fn needed_at(&self, object: u32) -> Option<f64> {
        Some(self.records.get(object as usize)?.needed_at)
    }

    /// The same objects, for whoever keeps them longer.
    pub(crate) fn shared_objects(&self) -> &Arc<[WorldObject]> {
        &self.objects
    }

    /// The files of the assets, by number.
    pub(crate) fn assets(&self) -> &Arc<[Arc<Path>]> {
        &self.assets
    }

    /// What there is to know of one object.
    pub fn object(&self, number: u32) -> ObjectView<'_, L> {
        ObjectView {
            streaming: self,
            number,
        }
    }

    /// How many bytes an object, which must exist, is said to take; `None` where they are those of its picture's file.
    pub fn said_bytes(&self, object: u32) -> Option<u64> {
        let metadata = &self.objects[object as usize];
        (!self.holding.is_picture(object)).then_some(metadata.bytes)
    }

    /// The two trees that decide.
    pub fn trees(&self) -> TreesView<'_, L> {
        TreesView { streaming: self }
    }

    /// What is there and what is on its way, in figures. Looks at each object that is on its way.
    pub fn amounts(&self) -> Amounts {
        Amounts {
            counts: self.counts,
            resident_bytes: self.resident_bytes(),
            held_bytes: self.held_bytes(),
            requests_in_flight: self.requests_in_flight(),
            bytes_in_flight: self.bytes_in_flight(),
            missing: self.missing_at(self.position),
        }
    }

    /// The state of each object, by number.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How far `object` has come: 0 while nothing of it is read, 1 once it is decoded.
    pub(crate) fn progress(&self, object: u32) -> f32 {
        match self.states.get(object as usize) {
            Some(State::Loading) => {
                let mut flights = self.flights.iter();
                let own = flights.find(|flight| flight.waiting() == Some(object));
                own.map_or(0.0, |flight| self.loader.progress(flight.ticket))
            }
            Some(State::Decoded | State::Resident | State::Unloading) => 1.0,
            _ => 0.0,
        }
    }

    /// How many objects are in each state, in the order of [`State::ALL`].
    pub(crate) fn counts(&self) -> [u32; State::ALL.len()] {
        self.counts
    }

    /// The rectangles of `object`, which must exist.
    pub(crate) fn rectangles(&self, object: u32) -> Rectangles {
        Rectangles::of(&self.objects[object as usize], &self.settings)
    }

    /// What waits to be loaded, the most urgent first.
    pub fn queue(&self) -> &[QueueEntry] {
        &self.queue
    }

    /// Where the character was in the last update.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// The box of the way that the character was about to go in the last update.
    pub fn way(&self) -> Aabb {
        self.way
    }

    /// What the last update decided.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// Asks both trees what an update at the same place would decide now, and changes nothing. The probes hear each box
    /// that the load tree and the unload tree look at, by the ids of [`TreesView::load_regions`] and
    /// [`TreesView::unload_regions`]; it is the very query of an update.
    pub(crate) fn decide_probed<P: Probe, Q: Probe>(
        &self,
        load_probe: &mut P,
        unload_probe: &mut Q,
        decisions: &mut Decisions,
    ) {
        self.trees.decide(
            self.world(),
            self.position,
            self.way,
            load_probe,
            unload_probe,
            decisions,
        );
    }

    /// The objects that have come to be needed in the last update and were not there, in no order.
    pub(crate) fn all_late_now(&self) -> impl Iterator<Item = u32> {
        let queued = self.queue.iter().map(|entry| entry.object);
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let loading = self.flights.iter().filter_map(Flight::waiting);
        let all = queued.chain(decoded).chain(loading);
        all.filter(|object| {
            let record = &self.records[*object as usize];
            record.needed_at == self.now && !record.excused
        })
    }

    /// Those of whom it counts that they are late, and who are on their way still, whether they are needed at present or not, by
    /// ascending number. Looks at each object that is on its way.
    pub fn pending_needs(&self, into: &mut Vec<Pending>) {
        let queued = self.queue.iter().map(|entry| entry.object);
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let loading = self.flights.iter().filter_map(Flight::waiting);
        let all = queued.chain(decoded).chain(loading);
        into.clear();
        into.extend(all.filter_map(|object| {
            let record = &self.records[object as usize];
            let is_late = record.needed_at <= self.now && !record.excused;
            is_late.then(|| Pending {
                object,
                late: self.now - record.needed_at,
                missing: record.missing_until(self.now),
                is_needed: record.is_missing,
            })
        }));
        into.sort_unstable_by_key(|it| it.object);
    }

    /// One of them that have come to be needed in the last update: that of the lowest number.
    pub(crate) fn late_now(&self) -> Option<u32> {
        self.all_late_now().min()
    }

    /// The objects that came since the last update begun, or were given up in it, and had been needed before, and how late each was.
    pub(crate) fn came_late(&self) -> impl Iterator<Item = (u32, Lateness)> {
        let came = self.came_late.iter();
        came.filter_map(|object| Some((*object, *self.lateness.get(object)?)))
    }

    /// Which budgets were used up in the last update, so that something had to wait for the next.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// Whether neither settings nor objects were changed since the last update: else what that found is not so any more.
    pub fn is_as_decided(&self) -> bool {
        !self.is_edited && self.settings == self.decided_with
    }

    /// The rectangle tests of the last update.
    pub fn tests(&self) -> FrameTests {
        self.tests
    }

    /// What happened so far, in figures.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Starts the figures anew. What is on its way counts as queued now, and what has been read by now is neither read nor wasted.
    pub fn reset_statistics(&mut self) {
        for record in &mut self.records {
            record.is_counted = false;
        }
        self.statistics = Statistics {
            since: self.now,
            started: self.statistics.started,
            queued: u64::from(self.pending_count()),
            peak_resident_bytes: self.resident_bytes(),
            peak_held_bytes: self.held_bytes(),
            ..Statistics::default()
        };
    }

    /// A fingerprint of every change of state so far: who, into which state, why, and in which order. It depends neither on the
    /// index nor on how fast the machine is.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The objects that could not be loaded lately, by number.
    pub fn failures(&self) -> impl Iterator<Item = (u32, &Failure)> {
        self.failures
            .iter()
            .map(|(object, failure)| (*object, failure))
    }

    /// Why `object` could not be loaded lately.
    pub(crate) fn failure(&self, object: u32) -> Option<&Failure> {
        self.failures.get(&object)
    }

    /// The objects that the loader has, and how far each has come.
    pub(crate) fn loading(&self) -> impl Iterator<Item = (u32, f32)> {
        self.flights.iter().filter_map(|flight| {
            let object = flight.waiting()?;
            Some((object, self.loader.progress(flight.ticket)))
        })
    }

    /// The bytes of memory of all objects that are resident or wait for their release: what each is said to take, and of each
    /// picture that they show, once, what is shown of it.
    pub(crate) fn resident_bytes(&self) -> u64 {
        let pictures = self.holding.bytes().there;
        self.resident_bytes.saturating_add(pictures)
    }

    /// Requests that the loader has not answered yet, cancelled ones included.
    pub(crate) fn requests_in_flight(&self) -> u32 {
        self.flights.len() as u32
    }

    /// Objects on their way that the character needs where it was in the last update. Looks at each that is on its way.
    pub(crate) fn missing_count(&self) -> u32 {
        let queued = self.queue.iter().map(|entry| entry.object);
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let loading = self.flights.iter().filter_map(Flight::waiting);
        queued
            .chain(decoded)
            .chain(loading)
            .filter(|object| self.rectangles(*object).need.contains(self.position))
            .count() as u32
    }

    /// Objects that a character at `position` needs as the world stands, and that are neither there nor have failed: those on their
    /// way, and those that the next update is the first to ask for, since objects, settings or the character were put elsewhere.
    pub(crate) fn missing_at(&self, position: Vec2) -> u32 {
        let is_needed = |object: u32| self.rectangles(object).need.contains(position);
        let queued = self.queue.iter().map(|entry| entry.object);
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let loading = self.flights.iter().filter_map(Flight::waiting);
        let on_their_way = queued.chain(decoded).chain(loading);
        let mut asked_next = Decisions::default();
        let way = Aabb::new(position, position);
        let world = self.world();
        self.trees
            .decide(world, position, way, &mut (), &mut (), &mut asked_next);
        // Who waits for its release is there.
        let is_away = |object: &u32| self.states[*object as usize] == State::Unloaded;
        let unasked = asked_next.load.into_iter().filter(is_away);
        let missing = on_their_way.chain(unasked);
        missing.filter(|object| is_needed(*object)).count() as u32
    }

    /// Bytes of files asked for and not uploaded yet, by the metadata.
    pub(crate) fn bytes_in_flight(&self) -> u64 {
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let flights = self.flights.iter().map(|flight| flight.bytes);
        flights
            .chain(decoded.map(|object| self.objects[object as usize].bytes))
            .fold(0, u64::saturating_add)
    }

    /// Whether nothing is on its way, in or out.
    pub fn is_settled(&self) -> bool {
        self.flights.is_empty()
            && self.pending_count() == 0
            && self.counts[State::Unloading as usize] == 0
    }

    /// Visits the load tree's nodes in view, parents first. Each box is the union of those below it.
    pub(crate) fn load_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.trees.load_regions(query, visit);
    }

    /// Visits the unload tree's nodes in view, parents first. Each box is the intersection of those below it; an empty one
    /// comes as the inverted interval that it is ([`Aabb::is_empty`]), and its swapped corners bound the gap.
    pub(crate) fn unload_regions(
        &self,
        query: RegionQuery,
        visit: &mut dyn FnMut(Region<'static>),
    ) {
        self.trees.unload_regions(query, visit);
    }

    /// The object whose leaf `region` of the load tree is.
    pub(crate) fn load_leaf(&self, region: RegionId) -> Option<u32> {
        self.trees.load_leaf(region)
    }

    /// The object whose leaf `region` of the unload tree is.
    pub(crate) fn unload_leaf(&self, region: RegionId) -> Option<u32> {
        self.trees.unload_leaf(region)
    }

    /// The steps from root to deepest leaf, of the load and of the unload tree. Visits every node.
    pub(crate) fn tree_depths(&self) -> (u32, u32) {
        self.trees.depths()
    }

    /// The bytes of the trees that are in force: a number of who is in them, and of nothing that was before.
    pub(crate) fn tree_byte_count(&self) -> usize {
        self.trees.byte_count()
    }

    /// What happened to `object` lately, oldest first.
    pub(crate) fn history(&self, object: u32) -> impl DoubleEndedIterator<Item = &Transition> {
        self.history.of(object)
    }
}

/// What is there and what is on its way, in figures ([`Streaming::amounts`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// How many objects are in each state, in the order of [`State::ALL`].
    pub counts: [u32; State::ALL.len()],
    /// The bytes of memory of all objects that are resident or wait for their release: what each is said to take, and of each
    /// picture that they show, once, what is shown of it.
    pub resident_bytes: u64,
    /// The bytes of memory of all that is there or on its way: what each object is said to take, and each picture once, however
    /// many objects show it. The memory cap is about these.
    pub held_bytes: u64,
    /// Requests that the loader has not answered yet, cancelled ones included.
    pub requests_in_flight: u32,
    /// Bytes of files asked for and not uploaded yet, by the metadata.
    pub bytes_in_flight: u64,
    /// Objects that the character needs where it was in the last update, and that are neither there nor have failed.
    pub missing: u32,
}

/// What there is to know of one object ([`Streaming::object`]). Of one that does not exist there is nothing.
#[derive(Debug)]
pub struct ObjectView<'a, L: Loader> {
    streaming: &'a Streaming<L>,
    number: u32,
}

impl<'a, L: Loader> ObjectView<'a, L> {
    /// How far it has come: 0 while nothing of it is read, 1 once it is decoded.
    pub fn progress(&self) -> f32 {
        self.streaming.progress(self.number)
    }

    /// Its rectangles. The object must exist.
    pub fn rectangles(&self) -> Rectangles {
        self.streaming.rectangles(self.number)
    }

    /// Why it could not be loaded lately.
    pub fn failure(&self) -> Option<&'a Failure> {
        self.streaming.failure(self.number)
    }

    /// What happened to it lately, oldest first.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = &'a Transition> + use<'a, L> {
        self.streaming.history(self.number)
    }

    /// Says in plain sentences why it is or is not loaded: its state, where the character is among its rectangles, its
    /// priority, what went wrong, and what happened to it lately, the latest first.
    pub fn why(&self) -> Vec<String> {
        self.streaming.why(self.number)
    }
}

/// The two trees that decide ([`Streaming::trees`]): the load tree over what is not wanted, the unload tree over what is.
#[derive(Debug)]
pub struct TreesView<'a, L: Loader> {
    streaming: &'a Streaming<L>,
}

impl<L: Loader> TreesView<'_, L> {
    /// Visits the load tree's nodes in view, parents first. Each box is the union of those below it.
    pub fn load_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.streaming.load_regions(query, visit);
    }

    /// Visits the unload tree's nodes in view, parents first. Each box is the intersection of those below it; an empty one
    /// comes as the inverted interval that it is ([`Aabb::is_empty`]), and its swapped corners bound the gap.
    pub fn unload_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.streaming.unload_regions(query, visit);
    }

    /// The object whose leaf `region` of the load tree is.
    pub fn load_leaf(&self, region: RegionId) -> Option<u32> {
        self.streaming.load_leaf(region)
    }

    /// The object whose leaf `region` of the unload tree is.
    pub fn unload_leaf(&self, region: RegionId) -> Option<u32> {
        self.streaming.unload_leaf(region)
    }

    /// The steps from root to deepest leaf, of the load and of the unload tree. Visits every node.
    pub fn depths(&self) -> (u32, u32) {
        self.streaming.tree_depths()
    }

    /// The bytes of the trees that are in force: a number of who is in them, and of nothing that was before.
    pub fn byte_count(&self) -> usize {
        self.streaming.tree_byte_count()
    }

    /// What an update at the same place would decide now; nothing is changed. The probes hear each box that the load tree and
    /// the unload tree look at, by the ids of [`TreesView::load_regions`] and [`TreesView::unload_regions`]; it is the very
    /// query of an update.
    pub fn decide<P: Probe, Q: Probe>(
        &self,
        load_probe: &mut P,
        unload_probe: &mut Q,
        decisions: &mut Decisions,
    ) {
        self.streaming
            .decide_probed(load_probe, unload_probe, decisions);
    }
}
