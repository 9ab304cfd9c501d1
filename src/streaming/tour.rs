//! A tour: a character on its way through a world, and the world that streams around it, one fixed step after the other.
//!
//! Invariant: the same scene and the same calls at the same ticks give the same [`Tour::hash`] at each tick, whatever the frame
//! rate and however fast the machine is, as long as the loader keeps to the simulated time, as [`PacedLoader`] and
//! [`SimulatedLoader`](super::SimulatedLoader) do.
//!
//! Invariant: nobody has to look. Pictures count as uploaded within the budgets of each tick; a view takes what it must do to
//! its textures whenever it likes.

use super::character::Character;
use super::keep::{KeptStreaming, Resumable};
use super::late::name_in;
use super::loader::{byte_sizes, picture_sizes};
use super::pictures::{MOST_PICTURES, Outbox, Pictures, TextureJob};
use super::seen::Seen;
use super::{
    FrameTests, Latecomers, Loader, Looked, PacedLoader, Reread, Settings, State, Streaming,
    WorldObject, is_meant,
};
use crate::built_in;
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::scene::{Disk, Scene, World, generate};
use crate::tick::STEP_SECONDS;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

mod edit;

/// How many threads read and decode: one reads while the other decodes.
const THREADS: usize = 2;

/// The files of a world, by asset.
type Assets = Arc<[Arc<Path>]>;

/// What one tick came to: last values, for whoever keeps them as series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Rectangle tests.
    pub tests: FrameTests,
    /// Bytes that were read, those of a request in the ticks in which the simulated disk reads it: never more than its
    /// throughput allows in a tick. A fraction, for a tick may end amid a byte.
    pub read_bytes: f64,
    /// Late loads since the start of the figures.
    pub late: u64,
    /// Bytes read for nothing since then.
    pub wasted_bytes: u64,
    /// Objects given up on their way since then.
    pub cancelled: u64,
    /// Objects that are needed and not there.
    pub missing: u32,
    /// Objects that wait to be asked for.
    pub queued: u32,
    /// Bytes that are there or on their way.
    pub held_bytes: u64,
}

impl Figures {
    /// Megabytes (10⁶ bytes) read a second.
    pub fn read_mbps(&self) -> f32 {
        (self.read_bytes / 1.0e6 / STEP_SECONDS) as f32
    }
}

/// The disk of a scene that names none: slow enough that one can see what happens.
pub const USUAL_DISK: Disk = Disk {
    mbps: 0.5,
    latency_ms: 8.0,
};

/// A character, its world, and the streaming between them.
#[derive(Debug)]
pub struct Tour<L: Loader = PacedLoader> {
    pub(super) streaming: Streaming<L>,
    pub(super) character: Character,
    pub(super) looked: Looked,
    outbox: Outbox,
    ticks: u64,
    hash: u64,
    figures: Figures,
    is_watched: bool,
    /// By asset: the bytes of its file when it was looked at.
    file_bytes: Arc<[u64]>,
    /// Which ticks were gone through before. Part of no keyframe, and changes nothing but where files are read from.
    seen: Seen,
}

/// A tour as it was at one tick: plain data, without threads. See [`Tour::keep`].
#[derive(Clone, Debug)]
pub struct Kept<P = super::PacedPromises> {
    streaming: KeptStreaming<P>,
    character: Character,
    looked: Looked,
    pictures: Pictures,
    file_bytes: Arc<[u64]>,
    ticks: u64,
    hash: u64,
    figures: Figures,
    byte_count: usize,
}

impl<P> Kept<P> {
    /// The tick at which it was kept.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The hash at that tick.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The bytes that it takes, as they were when it was kept. What it shares with the tour for good (objects, paths) is left
    /// out; of a picture that several hold, each counts its part.
    pub fn byte_count(&self) -> usize {
        self.byte_count
    }
}

impl Tour {
    /// The world of a scene whose file is in `folder`, read from real files at the pace of a simulated disk; `None` when the
    /// scene has none. Without `settings` they are [`Tour::settings_of`] its world.
    ///
    /// # Errors
    ///
    /// In a sentence, when the system gives no thread.
    pub fn of_scene(
        scene: &Scene,
        folder: &Path,
        settings: Option<Settings>,
    ) -> Result<Option<Self>, String> {
        let Some(world) = &scene.world else {
            return Ok(None);
        };
        let loader = PacedLoader::new(THREADS)
            .map_err(|error| format!("no thread could be started: {error}"))?
            .below(folder);
        let settings = settings.unwrap_or_else(|| Self::settings_of(world));
        Ok(Some(Self::with_loader(scene, folder, settings, |_| loader)))
    }

    /// The settings with which a window shows a world: on the disk that its scene names, or on [`USUAL_DISK`].
    pub fn settings_of(world: &World) -> Settings {
        Settings::of_world_on(world, USUAL_DISK)
    }
}

/// What was read, for time that is gone over again.
impl Tour {
    /// How many bytes may be kept of it; [`REREAD_BUDGET`](super::REREAD_BUDGET) unless told otherwise.
    pub fn set_reread_budget(&mut self, bytes: usize) {
        self.streaming.loader_mut().set_reread_budget(bytes);
    }

    /// Takes over what `before` has read, and the figures of that: this tour goes on in its place, and may go back to what
    /// `before` has kept. Of the same files, sizes of pictures are among it: they are as they were when `before` was opened,
    /// whatever has become of the files since.
    pub fn inherit_reread(&mut self, before: &mut Self) {
        self.streaming.inherit_pictures(&before.streaming);
        let loader = self.streaming.loader_mut();
        loader.inherit(before.streaming.loader_mut());
    }

    /// Counts numberings on from those of `before`, whose objects this tour has with the numbers that they had last: who is known by an
    /// earlier one is found still.
    pub fn inherit_numbers(&mut self, before: &Self) {
        self.streaming.inherit_numbers(&before.streaming);
    }
}

impl<L: Loader> Tour<L> {
    /// The same with a loader of the caller's choice, who is told the bytes of each asset's file (0 where there is none). A
    /// scene without a world has one without objects.
    pub fn with_loader(
        scene: &Scene,
        folder: &Path,
        settings: Settings,
        loader: impl FnOnce(&[u64]) -> L,
    ) -> Self {
        let made = generate::objects(scene);
        let files: Vec<PathBuf> = made
            .assets
            .iter()
            .map(|asset| built_in::picture(folder, asset))
            .collect();
        // Only the sizes of the files and of their pictures are read at the start. What is missing is found out when it is wanted.
        let sizes = byte_sizes(&files);
        let pictures = picture_sizes(&files);
        let objects = WorldObject::all_of(&made, &sizes);
        let character = Character::of_scene(scene);
        let is_picture = |object: &generate::WorldObject| object.bytes.is_none();
        let are_pictures: Vec<bool> = made.objects.iter().map(is_picture).collect();
        Self {
            streaming: Streaming::new(objects, files, settings, loader(&sizes))
                .with_pictures(pictures, are_pictures)
                .seen_from(character.position),
            character,
            looked: Looked::default(),
            outbox: Outbox::new(),
            ticks: 0,
            hash: 0,
            figures: Figures::default(),
            is_watched: true,
            file_bytes: sizes.into(),
            seen: Seen::new(0),
        }
    }

    /// Goes on for [`STEP_SECONDS`]: moves the character, brings the world up to date, and counts as uploaded and released
    /// what the budgets allow.
    pub fn tick(&mut self) {
        self.ticks += 1;
        let now = self.now();
        self.character.step();
        let Character {
            position, velocity, ..
        } = self.character;
        let bytes_before = self.streaming.statistics().loaded_bytes;
        if self.is_watched {
            self.streaming
                .update_watched(now, position, velocity, &mut self.looked);
        } else {
            self.streaming.update(now, position, velocity);
        }
        while let Some(upload) = self.streaming.next_upload() {
            if self.outbox.is_full_for(upload.asset) {
                let sentence = format!("no more than {MOST_PICTURES} pictures are shown at once");
                self.streaming.upload_refused(upload.object, &sentence);
                continue;
            }
            self.streaming.uploaded(upload.object);
            self.outbox.show(upload.object, upload.asset, upload.image);
        }
        while let Some(object) = self.streaming.next_unload() {
            self.streaming.unloaded(object);
            let asset = self.streaming.objects()[object as usize].asset;
            self.outbox.release(object, asset);
        }
        let read = self.streaming.loader_mut().take_read_bytes();
        let statistics = self.streaming.statistics();
        // A loader that keeps no account of time has read what has arrived.
        let arrived = || (statistics.loaded_bytes - bytes_before) as f64;
        let read_bytes = match (read, self.settings().mbps) {
            (Some(read), mbps) if mbps > 0.0 => {
                // What adds up out of many requests is not rounded beyond what the disk can do.
                read.min(f64::from(mbps) * 1.0e6 * STEP_SECONDS)
            }
            (read, _) => read.unwrap_or_else(arrived),
        };
        self.figures = Figures {
            tests: self.streaming.tests(),
            read_bytes,
            late: statistics.late_loads,
            wasted_bytes: statistics.wasted_bytes,
            cancelled: statistics.cancelled,
            missing: self.streaming.missing_count(),
            queued: self.streaming.queue().len() as u32,
            held_bytes: self.streaming.held_bytes(),
        };
        let place = u64::from(position.x.to_bits()) << 32 | u64::from(position.y.to_bits());
        self.hash = chance::hash(self.hash, self.streaming.fingerprint(), place);
        if let Some(known) = self.seen.reach(self.ticks, self.hash) {
            let until = known as f64 * STEP_SECONDS;
            self.streaming.loader_mut().know_until(until);
        }
    }

    /// The same, but a wait for the real disk ends when `cancel` is set: then nothing has changed, and it is false.
    pub fn tick_unless(&mut self, cancel: &AtomicBool) -> bool {
        let next = (self.ticks + 1) as f64 * STEP_SECONDS;
        let is_ready = self.streaming.loader_mut().wait_for(next, cancel);
        if is_ready {
            self.tick();
        }
        is_ready
    }

    /// Ticks since the start.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Seconds since the start. A multiple of the step, so that no rounding adds up.
    pub fn now(&self) -> f64 {
        self.ticks as f64 * STEP_SECONDS
    }

    /// A fingerprint of everything until the last tick: where the character was, who changed into which state, why, and in
    /// which order.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// What going over known time again took of the disk, since the tour began: how much came from what was read before, and
    /// what had to be read again. No keyframe takes it back.
    pub fn reread(&self) -> Reread {
        self.streaming.loader().reread()
    }

    /// The world.
    pub fn streaming(&self) -> &Streaming<L> {
        &self.streaming
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        self.streaming.settings()
    }

    /// Changes the settings, from the next tick on.
    pub fn set_settings(&mut self, settings: Settings) {
        let before = *self.settings();
        self.streaming.set_settings(settings);
        if self.streaming.has_trees_of_others(&before) {
            self.look_at_other_trees();
        }
    }

    /// Starts the figures anew.
    pub fn reset_statistics(&mut self) {
        self.streaming.reset_statistics();
    }

    /// Whether each tick also decides by brute force, and counts where that differs.
    pub fn check_decisions(&mut self, check: bool) {
        self.streaming.check_decisions(check);
    }

    /// Whether each tick gathers the boxes that it looks at. It does, unless told otherwise; it changes nothing else.
    pub fn set_watched(&mut self, watched: bool) {
        self.is_watched = watched;
        if !watched {
            self.looked.clear();
        }
    }

    /// Who came to be late in the last tick.
    pub(crate) fn latecomers(&self) -> Latecomers {
        let all = self.late_objects(None).into_iter();
        Latecomers::of(all.map(|object| (self.name_of(object), object)))
    }

    /// The objects that came to be late in the last tick, by ascending number: those who are meant by these words, or all of them.
    pub(crate) fn late_objects(&self, sought: Option<&str>) -> Vec<u32> {
        let is_sought = |object: &u32| {
            sought.is_none_or(|sought| is_meant(&self.name_of(*object), *object, sought))
        };
        let mut objects: Vec<u32> = self.streaming.all_late_now().filter(is_sought).collect();
        objects.sort_unstable();
        objects
    }

    /// The name of an object.
    fn name_of(&self, object: u32) -> Cow<'_, str> {
        name_in(self.streaming.objects(), self.streaming.assets(), object)
    }

    /// What the last tick looked at in order to decide.
    pub fn looked(&self) -> &Looked {
        &self.looked
    }

    /// What the last tick came to.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}

/// The character.
impl<L: Loader> Tour<L> {
    /// Around whom the world streams.
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// The same, to be led elsewhere: what is said of it happens with the next tick.
    pub fn character_mut(&mut self) -> &mut Character {
        &mut self.character
    }
}

/// The objects and their pictures.
impl<L: Loader> Tour<L> {
    /// The box of an object, which must exist.
    pub fn body(&self, object: u32) -> Aabb {
        self.streaming.objects()[object as usize].aabb()
    }

    /// The smallest object at this point.
    pub fn object_at(&self, point: Vec2) -> Option<u32> {
        smallest_at(self.streaming.objects(), point)
    }

    /// The objects that are there, by number.
    pub fn resident_ids(&self) -> Vec<u32> {
        residents(self.streaming.states())
    }

    /// Takes what a view must do to its textures since the last call. Who takes it must do it.
    pub fn take_texture_jobs(&mut self, into: &mut Vec<TextureJob>) {
        self.outbox.take(into);
    }

    /// All that a view must do that begins anew, whatever was taken before.
    pub fn resident_pictures(&self) -> Vec<TextureJob> {
        self.outbox
            .all(self.streaming.objects(), self.streaming.states())
    }

    /// A view could not take the picture of `object`, and why, in a sentence: the object fails, and is asked for again later.
    pub fn upload_refused(&mut self, object: u32, sentence: &str) {
        if self.streaming.states().get(object as usize) == Some(&State::Resident) {
            self.streaming.upload_refused(object, sentence);
            let asset = self.streaming.objects()[object as usize].asset;
            self.outbox.refused(object, asset);
        }
    }
}

/// Keyframes.
impl<L: Resumable> Tour<L> {
    /// Keeps all that decides how the tour goes on. Between ticks; what a view has still to do is left out.
    pub fn keep(&self) -> Kept<L::Promises> {
        let mut kept = Kept {
            streaming: self.streaming.keep(),
            character: self.character.clone(),
            looked: self.looked.clone(),
            pictures: self.outbox.pictures.clone(),
            file_bytes: self.file_bytes.clone(),
            ticks: self.ticks,
            hash: self.hash,
            figures: self.figures,
            byte_count: 0,
        };
        kept.byte_count = size_of_val(&kept)
            + Streaming::<L>::byte_count_of(&kept.streaming)
            + kept.character.byte_count()
            + kept.looked.byte_count()
            + kept.pictures.byte_count();
        kept
    }

    /// Is as it was when `kept` was kept, by this tour or another of the same scene. Requests that were in flight then are asked of the loader
    /// again, and due at the same moments; what a view has to do so that it shows the same is among its jobs.
    pub fn restore(&mut self, kept: &Kept<L::Promises>) {
        let mut before = self.streaming.states().to_vec();
        let shown = (
            self.streaming.shared_objects().clone(),
            self.streaming.assets().clone(),
        );
        self.streaming.restore(&kept.streaming);
        let restored = (self.streaming.shared_objects(), self.streaming.assets());
        if !has_same_pictures((&shown.0, &shown.1), restored) {
            // Another world than the view knows.
            self.outbox = Outbox::new();
            before = vec![State::Unloaded; self.streaming.objects().len()];
        }
        self.outbox.change_to(
            &kept.pictures,
            self.streaming.objects(),
            &before,
            self.streaming.states(),
        );
        self.character = kept.character.clone();
        self.looked.copy_from(&kept.looked);
        self.file_bytes.clone_from(&kept.file_bytes);
        self.ticks = kept.ticks;
        self.hash = kept.hash;
        self.figures = kept.figures;
        let known = self.seen.go_to(kept.ticks, kept.hash);
        let until = known as f64 * STEP_SECONDS;
        self.streaming.loader_mut().know_until(until);
    }
}

/// Whether the objects of two worlds have the same files, one by one.
fn has_same_pictures(a: (&Arc<[WorldObject]>, &Assets), b: (&Arc<[WorldObject]>, &Assets)) -> bool {
    let has_same_objects = || {
        let assets = a.0.iter().map(|object| object.asset);
        assets.eq(b.0.iter().map(|object| object.asset))
    };
    (Arc::ptr_eq(a.1, b.1) || a.1 == b.1) && (Arc::ptr_eq(a.0, b.0) || has_same_objects())
}

/// The smallest object at a point.
pub(super) fn smallest_at(objects: &[WorldObject], point: Vec2) -> Option<u32> {
    (0..)
        .zip(objects)
        .filter(|(_, object)| object.aabb().contains(point))
        .min_by(|(_, a), (_, b)| a.aabb().area().total_cmp(&b.aabb().area()))
        .map(|(number, _)| number)
}

/// The objects that are there, by number.
pub(super) fn residents(states: &[State]) -> Vec<u32> {
    (0..)
        .zip(states)
        .filter(|(_, state)| **state == State::Resident)
        .map(|(number, _)| number)
        .collect()
}
