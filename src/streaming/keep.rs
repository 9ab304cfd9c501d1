//! Keeping a world as it is at one moment, and going on from there again.
//!
//! What is kept is plain data: no thread, no file, and no tree. The trees follow from the states, to the last box: the shape of a
//! radix tree depends on nothing but the addresses in it, and unions and intersections on nothing but what they are of.
//!
//! Invariant: whoever goes on from what was kept decides, update by update, as it did the first time.

use super::history::History;
use super::holding::Holding;
use super::lateness::Lateness;
use super::loader::{Image, Loader};
use super::scheduler::Allowance;
use super::states::Record;
use super::track::Track;
use super::trees::Trees;
use super::uploads::Decoded;
use super::{
    Bound, Decisions, Failure, Flight, FrameTests, QueueEntry, Renumberings, Settings, State,
    Statistics, Streaming, Transition, WorldObject,
};
use crate::geometry::{Aabb, Vec2};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

/// A loader whose requests in flight can be kept and asked for again, due at the same moments.
pub trait Resumable: Loader {
    /// What it has still to tell, and when.
    type Promises: Clone + Debug + Send;

    /// What it has still to tell now.
    fn promises(&self) -> Self::Promises;

    /// Forgets all that it has still to tell, and promises this instead.
    fn resume(&mut self, promises: &Self::Promises);

    /// The bytes that promises take on the heap.
    fn byte_count(promises: &Self::Promises) -> usize;
}

/// A world as it was at one moment.
#[derive(Clone, Debug)]
pub(super) struct KeptStreaming<P> {
    objects: Arc<[WorldObject]>,
    first_objects: Arc<[WorldObject]>,
    assets: Arc<[Arc<Path>]>,
    settings: Settings,
    decided_with: Settings,
    is_edited: bool,
    promises: P,
    now: f64,
    position: Vec2,
    velocity: Vec2,
    way: Aabb,
    states: Vec<State>,
    /// Of those objects that were ever asked for.
    records: Vec<(u32, Record)>,
    first_generation: u32,
    decisions: Decisions,
    queue: Vec<QueueEntry>,
    flights: Vec<Flight>,
    decoded: Vec<Decoded>,
    failed: Vec<u32>,
    unloading: VecDeque<u32>,
    residents: Vec<u32>,
    unneeded: Vec<u32>,
    failures: BTreeMap<u32, Failure>,
    refusals: BTreeMap<u32, u32>,
    allowance: Allowance,
    bound: Bound,
    holding: Holding,
    resident_bytes: u64,
    unloading_bytes: u64,
    tests: FrameTests,
    statistics: Statistics,
    history: History,
    track: Track,
    lateness: BTreeMap<u32, Lateness>,
    renumberings: Renumberings,
    fingerprint: u64,
}

impl<L: Resumable> Streaming<L> {
    /// Keeps all that decides how the world goes on.
    pub(super) fn keep(&self) -> KeptStreaming<L::Promises> {
        let is_known = |(_, record): &(u32, Record)| *record != Record::NEW;
        KeptStreaming {
            objects: self.objects.clone(),
            first_objects: self.first_objects.clone(),
            assets: self.assets.clone(),
            settings: self.settings,
            decided_with: self.decided_with,
            is_edited: self.is_edited,
            promises: self.loader.promises(),
            now: self.now,
            position: self.position,
            velocity: self.velocity,
            way: self.way,
            states: self.states.clone(),
            records: (0..)
                .zip(self.records.iter().copied())
                .filter(is_known)
                .collect(),
            first_generation: self.first_generation,
            decisions: self.decisions.clone(),
            queue: self.queue.clone(),
            flights: self.flights.clone(),
            decoded: self.decoded.clone(),
            failed: self.failed.clone(),
            unloading: self.unloading.clone(),
            residents: self.residents.clone(),
            unneeded: self.unneeded.clone(),
            failures: self.failures.clone(),
            refusals: self.refusals.clone(),
            allowance: self.allowance,
            bound: self.bound,
            holding: self.holding.clone(),
            resident_bytes: self.resident_bytes,
            unloading_bytes: self.unloading_bytes,
            tests: self.tests,
            statistics: self.statistics.clone(),
            history: self.history.clone(),
            track: self.track.clone(),
            lateness: self.lateness.clone(),
            renumberings: self.renumberings.clone(),
            fingerprint: self.fingerprint,
        }
    }

    /// Is as it was when `kept` was kept. Whether decisions are checked stays as it is.
    pub(super) fn restore(&mut self, kept: &KeptStreaming<L::Promises>) {
        // By name, so that whoever adds a field is asked here what becomes of it.
        let KeptStreaming {
            objects,
            first_objects,
            assets,
            settings,
            decided_with,
            is_edited,
            promises,
            now,
            position,
            velocity,
            way,
            states,
            records,
            first_generation,
            decisions,
            queue,
            flights,
            decoded,
            failed,
            unloading,
            residents,
            unneeded,
            failures,
            refusals,
            allowance,
            bound,
            holding,
            resident_bytes,
            unloading_bytes,
            tests,
            statistics,
            history,
            track,
            lateness,
            renumberings,
            fingerprint,
        } = kept.clone();
        let mut holding = holding;
        if assets == self.assets {
            // Whoever goes over time again goes by what was found when it was opened, whatever has become of the files since.
            holding.inherit(&self.holding);
        }
        let has_trees = Arc::ptr_eq(&objects, &self.objects)
            && settings.index == self.settings.index
            && settings.has_rectangles_of(&self.settings);
        if has_trees {
            // Most objects are on the side where they were: the others change it, as in an update.
            for (object, (from, to)) in (0..).zip(self.states.iter().zip(&states)) {
                if from.is_wanted() != to.is_wanted() {
                    let metadata = &objects[object as usize];
                    self.trees
                        .toggle(object, metadata, to.is_wanted(), &settings);
                }
            }
        }
        self.counts = [0; State::ALL.len()];
        for state in &states {
            self.counts[*state as usize] += 1;
        }
        self.records.clear();
        self.records.resize(objects.len(), Record::NEW);
        for (object, record) in records {
            self.records[object as usize] = record;
        }
        self.loader.resume(&promises);
        self.objects = objects;
        self.first_objects = first_objects;
        self.assets = assets;
        self.settings = settings;
        self.decided_with = decided_with;
        self.is_edited = is_edited;
        self.now = now;
        self.position = position;
        self.velocity = velocity;
        self.way = way;
        self.states = states;
        self.first_generation = first_generation;
        self.decisions = decisions;
        self.queue = queue;
        self.flights = flights;
        self.decoded = decoded;
        self.failed = failed;
        self.unloading = unloading;
        self.residents = residents;
        self.unneeded = unneeded;
        self.failures = failures;
        self.refusals = refusals;
        self.allowance = allowance;
        self.bound = bound;
        self.holding = holding;
        self.resident_bytes = resident_bytes;
        self.unloading_bytes = unloading_bytes;
        self.tests = tests;
        self.statistics = statistics;
        self.history = history;
        self.track = track;
        self.lateness = lateness;
        self.came_late.clear();
        self.renumberings = renumberings;
        self.fingerprint = fingerprint;
        if !has_trees {
            self.trees = Trees::new(self.world());
        }
    }

    /// The bytes that `kept` takes on the heap. What all that is kept of one world shares is left out; of a picture and of the
    /// objects between two edits, which several hold, each counts its part.
    pub(super) fn byte_count_of(kept: &KeptStreaming<L::Promises>) -> usize {
        fn of<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        let sentences: usize = kept
            .failures
            .values()
            .map(|failure| size_of::<(u32, Failure)>() + failure.sentence.capacity())
            .sum();
        let images = kept.decoded.iter().filter_map(|one| one.image.as_ref());
        let is_edited = !Arc::ptr_eq(&kept.objects, &kept.first_objects);
        let objects = if is_edited {
            size_of_val(&*kept.objects) / Arc::strong_count(&kept.objects).max(1)
        } else {
            0
        };
        L::byte_count(&kept.promises)
            + objects
            + of(&kept.states)
            + of(&kept.records)
            + of(&kept.decisions.load)
            + of(&kept.decisions.unload)
            + of(&kept.queue)
            + of(&kept.flights)
            + of(&kept.decoded)
            + of(&kept.failed)
            + kept.unloading.capacity() * size_of::<u32>()
            + of(&kept.residents)
            + kept.holding.byte_count()
            + of(&kept.unneeded)
            + sentences
            + kept.refusals.len() * size_of::<(u32, u32)>()
            + images.map(image_share).sum::<usize>()
            + kept.statistics.byte_count()
            + kept.history.len() * size_of::<Transition>()
            + kept.track.byte_count()
            + kept.lateness.len() * size_of::<(u32, Lateness)>()
    }
}

/// The bytes of a picture, divided by those who hold it.
pub(super) fn image_share(image: &Arc<Image>) -> usize {
    image.rgba.len() / Arc::strong_count(image).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::history::Reason;
    use crate::streaming::scheduler::Urgency;
    use crate::streaming::{SimulatedLoader, Ticket, Whose};

    type World = Streaming<SimulatedLoader>;
    type KeptWorld = KeptStreaming<SimulatedLoader>;

    fn decoded(image: Option<Arc<Image>>) -> Decoded {
        Decoded {
            object: 0,
            urgency: Urgency {
                time_to_need: 0.0,
                distance_sq: 0.0,
            },
            image,
        }
    }

    fn failure(sentence_length: usize) -> Failure {
        Failure {
            sentence: "x".repeat(sentence_length),
            attempts: 1,
            retry_at: 0.0,
        }
    }

    /// Fills one list of what is kept.
    type Fill = fn(&mut KeptWorld);

    #[test]
    fn what_is_kept_takes_what_each_of_its_lists_takes_and_no_more() {
        // Bytes, and what takes them. The number of an object takes four.
        let fills: [(usize, Fill); 17] = [
            (1_000, |kept| kept.states = vec![State::Queued; 1_000]),
            (4 * 11, |kept| kept.failed = vec![0; 11]),
            (4 * 12, |kept| kept.unloading = vec![0; 12].into()),
            (4 * 13, |kept| kept.residents = vec![0; 13]),
            (4 * 14, |kept| kept.unneeded = vec![0; 14]),
            (4 * 15, |kept| kept.decisions.load = vec![0; 15]),
            (4 * 16, |kept| kept.decisions.unload = vec![0; 16]),
            (8 * 2, |kept| {
                kept.refusals = BTreeMap::from([(0, 1), (1, 1)]);
            }),
            (12 * 17, |kept| {
                let entry = QueueEntry {
                    object: 0,
                    time_to_need: 0.0,
                    distance_sq: 0.0,
                };
                kept.queue = vec![entry; 17];
            }),
            (40 * 18, |kept| {
                let flight = Flight {
                    whose: Whose::Object(0),
                    ticket: Ticket {
                        object: 0,
                        generation: 0,
                    },
                    bytes: 0,
                    cancelled: false,
                };
                kept.flights = vec![flight; 18];
            }),
            // The number, the failure and 200 letters.
            (8 + size_of::<Failure>() + 200, |kept| {
                kept.failures = BTreeMap::from([(0, failure(200))]);
            }),
            // Nobody waits for a picture that the caller has: it is not here.
            (24 * 19, |kept| kept.decoded = vec![decoded(None); 19]),
            (size_of::<(u32, Record)>() * 20, |kept| {
                kept.records = vec![(0, Record::NEW); 20];
            }),
            (size_of::<Transition>() * 21, |kept| {
                let transition = Transition {
                    at: 0.0,
                    object: 0,
                    to: State::Queued,
                    reason: Reason::LoadEntered,
                };
                for _ in 0..21 {
                    kept.history.note(transition);
                }
            }),
            (40 * 23, |kept| {
                for _ in 0..23 {
                    let place = (Vec2::ZERO, Vec2::ZERO);
                    kept.track.note(0.0, place, None, Default::default());
                }
            }),
            (size_of::<(u32, Lateness)>() * 2, |kept| {
                let late = Lateness::at(1.0, 2.0);
                kept.lateness = BTreeMap::from([(0, late), (1, late)]);
            }),
            // A copy has no room to spare.
            (4 * 22, |kept| {
                for sample in 0..22 {
                    kept.statistics.lateness_ms.note(sample as f32);
                }
                kept.statistics = kept.statistics.clone();
            }),
        ];
        let loader = SimulatedLoader::default();
        let nothing = World::new(Vec::new(), Vec::new(), Settings::default(), loader).keep();
        let empty = World::byte_count_of(&nothing);
        let (mut all, mut sum) = (nothing.clone(), empty);
        for (place, (bytes, fill)) in fills.into_iter().enumerate() {
            let mut one = nothing.clone();
            fill(&mut one);
            assert_eq!(World::byte_count_of(&one), empty + bytes, "fill {place}");
            fill(&mut all);
            sum += bytes;
        }
        assert_eq!(World::byte_count_of(&all), sum);
    }

    #[test]
    fn of_a_picture_that_two_hold_each_counts_half() {
        let image = Arc::new(Image {
            width: 10,
            height: 10,
            rgba: vec![0; 400],
        });
        assert_eq!(image_share(&image), 400);
        let loader = SimulatedLoader::default();
        let mut kept = World::new(Vec::new(), Vec::new(), Settings::default(), loader).keep();
        kept.decoded = vec![decoded(None)];
        let without = World::byte_count_of(&kept);
        kept.decoded = vec![decoded(Some(image.clone()))];
        assert_eq!(World::byte_count_of(&kept), without + 200);
        drop(image);
        assert_eq!(World::byte_count_of(&kept), without + 400);
    }
}
