//! What a user can set.

use super::index::Index;
use crate::partition::COORDINATE_LIMIT;
use crate::scene::{self, Disk, limits};

/// How far ahead the character's way is looked at where a scene does not say, in seconds.
const PREDICT_SECONDS: f32 = 0.5;

/// Sizes of the rectangles, and budgets. Any value is accepted: numbers that make no sense are brought into range by
/// [`Settings::in_range`] where they enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// An object is needed within this many times its larger half extent of its edge,
    pub need_factor: f32,
    /// ... but at least within this distance, in metres,
    pub need_min: f32,
    /// ... and at most within this one, in metres.
    pub need_max: f32,
    /// How far the load rectangle reaches beyond the need rectangle, in metres. At least top speed times the time that
    /// an object takes from being queued to being there.
    pub lead: f32,
    /// How far the unload rectangle reaches beyond the load rectangle, in metres: nothing within it changes its state.
    pub margin: f32,
    /// By which structure it is decided what to load and what to unload. Changes the work and no decision.
    pub index: Index,
    /// How far ahead the character's way is looked at, in seconds; never further than half the margin.
    pub predict_seconds: f32,
    /// How many requests the loader may have at once; at least 1.
    pub requests_in_flight: u32,
    /// How many bytes of files may be asked for and not yet uploaded. One request is always allowed, however large.
    pub bytes_in_flight: u64,
    /// How many pictures may be uploaded in an update; at least 1.
    pub uploads_per_update: u32,
    /// How many bytes of pixels may be uploaded in an update. One picture is always allowed, however large.
    pub upload_bytes_per_update: u64,
    /// How many pictures may be released in an update; at least 1.
    pub unloads_per_update: u32,
    /// How many bytes of memory all that is there or on its way may take together: objects as much as they are said to, and
    /// each picture four bytes a pixel, once, however many objects show it.
    pub memory_cap: u64,
    /// How long a failed object waits for its second attempt, in seconds; each further wait is twice as long,
    pub retry_seconds: f32,
    /// ... but never longer than this, in seconds.
    pub retry_max_seconds: f32,
    /// How many megabytes (10⁶ bytes) the loader reads in a second; 0 for no limit.
    pub mbps: f32,
    /// How long the loader waits before it reads a file, in milliseconds.
    pub latency_ms: f32,
}

impl Default for Settings {
    fn default() -> Self {
        // Rectangles and budgets are those of the scene format.
        Self::of_world(&scene::World::new(Vec::new()))
    }
}

impl Settings {
    /// The settings of a scene's world, on a disk without limits where the world names none.
    pub fn of_world(world: &scene::World) -> Self {
        Self::of_world_on(world, Disk::default())
    }

    /// The settings of a scene's world; `usual` is the disk of a world that names none.
    pub fn of_world_on(world: &scene::World, usual: Disk) -> Self {
        let budgets = world.budgets;
        let disk = world.disk.unwrap_or(usual);
        Self {
            need_factor: world.need_factor,
            need_min: world.need_min,
            need_max: world.need_max,
            lead: world.lead,
            margin: world.margin,
            index: world.index.into(),
            predict_seconds: world.predict_seconds.unwrap_or(PREDICT_SECONDS),
            requests_in_flight: budgets.requests_in_flight,
            bytes_in_flight: budgets.bytes_in_flight,
            uploads_per_update: budgets.uploads_per_update,
            upload_bytes_per_update: budgets.upload_bytes_per_update,
            unloads_per_update: budgets.unloads_per_update,
            memory_cap: budgets.memory_cap,
            retry_seconds: 0.5,
            retry_max_seconds: 8.0,
            mbps: disk.mbps,
            latency_ms: disk.latency_ms,
        }
    }

    /// How many megabytes a second so many requests for files of `file` bytes get of a disk that is quick enough: each waits for its
    /// latency, and the next one is asked for in the tick after it has been read.
    pub fn reached_by_requests(&self, file: f64) -> f64 {
        let takes = f64::from(self.latency_ms) * 1.0e-3 + crate::tick::STEP_SECONDS;
        let alone = if self.mbps > 0.0 {
            file / 1.0e6 / f64::from(self.mbps)
        } else {
            0.0
        };
        f64::from(self.requests_in_flight) * file / 1.0e6 / (takes + alone)
    }

    /// The disk that is simulated.
    pub(crate) fn disk(&self) -> Disk {
        Disk {
            mbps: self.mbps,
            latency_ms: self.latency_ms,
        }
    }

    /// Writes into a scene's world what a scene keeps of these settings, which is all but the waits after a failure, so that
    /// [`Settings::of_world_on`] with the same `usual` disk reads them back.
    ///
    /// What the world does not say stays unsaid as long as it is as it would be then: a world whose settings nobody
    /// touched stays equal. Numbers beyond the limits of the format become the nearest ones within, a lead and a margin of 0
    /// among them, for which the format has no room.
    pub fn write_into(&self, world: &mut scene::World, usual: Disk) {
        let settings = self.in_range();
        let before = Self::of_world_on(world, usual);
        let length = |value: f32| value.min(COORDINATE_LIMIT);
        let beyond = |value: f32| length(value).max(f32::MIN_POSITIVE);
        let bytes = |value: u64| value.clamp(1, limits::MAX_BUDGET);
        world.need_factor = settings.need_factor.min(limits::MAX_NEED_FACTOR);
        world.need_min = length(settings.need_min);
        world.need_max = length(settings.need_max);
        world.lead = beyond(settings.lead);
        world.margin = beyond(settings.margin);
        world.index = settings.index.into();
        world.budgets = scene::Budgets {
            requests_in_flight: settings.requests_in_flight,
            bytes_in_flight: bytes(settings.bytes_in_flight),
            uploads_per_update: settings.uploads_per_update,
            upload_bytes_per_update: bytes(settings.upload_bytes_per_update),
            unloads_per_update: settings.unloads_per_update,
            memory_cap: bytes(settings.memory_cap),
        };
        let ahead = settings.predict_seconds.min(limits::MAX_PREDICT_SECONDS);
        if ahead != before.predict_seconds {
            world.predict_seconds = (ahead != PREDICT_SECONDS).then_some(ahead);
        }
        let disk = settings.disk_of_scene();
        if (disk.mbps, disk.latency_ms) != (before.mbps, before.latency_ms) {
            world.disk = (disk != usual).then_some(disk);
        }
    }

    /// Names their disk in a scene's world, a usual one as well: who has set it means this disk, wherever the scene is streamed.
    pub fn write_disk_into(&self, world: &mut scene::World) {
        world.disk = Some(self.in_range().disk_of_scene());
    }

    /// The disk as far as the format has room for it.
    fn disk_of_scene(&self) -> Disk {
        Disk {
            mbps: self.mbps.min(limits::MAX_DISK_RATE),
            latency_ms: self.latency_ms.min(limits::MAX_DISK_RATE),
        }
    }

    /// The same with every number that makes no sense (negative, not a number, a budget of nothing) replaced by the nearest
    /// one that does.
    pub fn in_range(self) -> Self {
        /// Lengths and times beyond this do not mean more than this.
        const MOST: f32 = 1.0e9;
        // NaN falls back to the lower limit: max and min ignore it.
        // The sum with 0 is never the negative one, which would be printed as such.
        let number = |value: f32, least: f32| value.max(least).min(MOST) + 0.0;
        let need_min = number(self.need_min, 0.0);
        Self {
            need_factor: number(self.need_factor, 0.0),
            need_min,
            need_max: number(self.need_max, need_min),
            lead: number(self.lead, 0.0),
            margin: number(self.margin, 0.0),
            predict_seconds: number(self.predict_seconds, 0.0),
            requests_in_flight: self.requests_in_flight.max(1),
            uploads_per_update: self.uploads_per_update.max(1),
            unloads_per_update: self.unloads_per_update.max(1),
            retry_seconds: number(self.retry_seconds, 1.0e-3),
            retry_max_seconds: number(self.retry_max_seconds, 1.0e-3),
            mbps: number(self.mbps, 0.0),
            latency_ms: number(self.latency_ms, 0.0),
            ..self
        }
    }

    /// Whether the rectangles of every object are the same under `other`.
    pub(super) fn has_rectangles_of(&self, other: &Self) -> bool {
        let rectangles = |settings: &Self| {
            [
                settings.need_factor,
                settings.need_min,
                settings.need_max,
                settings.lead,
                settings.margin,
            ]
        };
        rectangles(self) == rectangles(other)
    }

    /// How long to wait after `attempts` failures in a row (at least one), in seconds.
    pub(super) fn back_off(&self, attempts: u32) -> f64 {
        let doublings = attempts.saturating_sub(1).min(64) as i32;
        (f64::from(self.retry_seconds) * 2.0_f64.powi(doublings))
            .min(f64::from(self.retry_max_seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::WorldIndex;

    /// The disk of a world that names none, as a window would have it.
    const USUAL: Disk = Disk {
        mbps: 0.5,
        latency_ms: 8.0,
    };

    #[test]
    fn what_is_written_into_a_world_reads_back_the_same() {
        for index in Index::ALL {
            for usual in [USUAL, Disk::default()] {
                let settings = Settings {
                    need_factor: 3.5,
                    need_min: 1.0,
                    need_max: 77.0,
                    lead: 0.25,
                    margin: 200.0,
                    index,
                    predict_seconds: 5.0,
                    requests_in_flight: 64,
                    bytes_in_flight: 1,
                    uploads_per_update: 3,
                    upload_bytes_per_update: 7,
                    unloads_per_update: 9,
                    memory_cap: 10_000,
                    mbps: 500.0,
                    latency_ms: 0.0,
                    ..Settings::default()
                };
                let mut world = scene::World::new(Vec::new());
                settings.write_into(&mut world, usual);
                assert_eq!(Settings::of_world_on(&world, usual), settings);
            }
        }
    }

    #[test]
    fn a_world_whose_settings_nobody_touched_stays_equal() {
        let unsaid = scene::World::new(Vec::new());
        let said = scene::World {
            predict_seconds: Some(PREDICT_SECONDS),
            disk: Some(USUAL),
            ..unsaid.clone()
        };
        for world in [unsaid, said] {
            let mut written = world.clone();
            Settings::of_world_on(&world, USUAL).write_into(&mut written, USUAL);
            assert_eq!(written, world);
        }
    }

    #[test]
    fn what_is_set_back_to_what_is_usual_is_unsaid_again() {
        let untouched = scene::World::new(Vec::new());
        let usual = Settings::of_world_on(&untouched, USUAL);
        let mut world = untouched.clone();
        let changed = Settings {
            predict_seconds: 2.0,
            mbps: 0.0,
            ..usual
        };
        changed.write_into(&mut world, USUAL);
        let unlimited = Disk {
            mbps: 0.0,
            latency_ms: 8.0,
        };
        assert_eq!(world.disk, Some(unlimited));
        assert_eq!(world.predict_seconds, Some(2.0));
        usual.write_into(&mut world, USUAL);
        assert_eq!(world, untouched);
    }

    #[test]
    fn a_world_takes_nothing_that_its_format_has_no_room_for() {
        let beyond = Settings {
            need_factor: f32::INFINITY,
            need_min: f32::NAN,
            need_max: f32::INFINITY,
            lead: 0.0,
            margin: -3.0,
            predict_seconds: f32::INFINITY,
            bytes_in_flight: 0,
            upload_bytes_per_update: u64::MAX,
            memory_cap: u64::MAX,
            mbps: f32::INFINITY,
            latency_ms: f32::NAN,
            ..Settings::default()
        };
        let mut scene = scene::file::built_in();
        let mut world = scene::World::new(Vec::new());
        beyond.write_into(&mut world, USUAL);
        assert_eq!(world.lead, f32::MIN_POSITIVE);
        assert_eq!(world.budgets.bytes_in_flight, 1);
        scene.world = Some(world);
        let text = scene::file::format(&scene);
        assert_eq!(scene::file::parse(text.as_bytes(), "x.ron"), Ok(scene));
    }

    #[test]
    fn a_scene_and_the_command_line_call_an_index_the_same() {
        assert_eq!(Index::default(), WorldIndex::default().into());
        assert_eq!(
            Index::ALL.map(Index::key),
            WorldIndex::ALL.map(WorldIndex::key)
        );
        for index in WorldIndex::ALL {
            assert_eq!(Index::from(index).key(), index.key());
            assert_eq!(WorldIndex::from(Index::from(index)), index);
            assert_eq!(WorldIndex::from_key(index.key()), Some(index));
        }
    }

    #[test]
    fn nonsense_is_brought_into_range() {
        let settings = Settings {
            need_factor: f32::NAN,
            need_min: 50.0,
            need_max: 10.0,
            lead: -1.0,
            margin: f32::INFINITY,
            requests_in_flight: 0,
            ..Settings::default()
        }
        .in_range();
        assert_eq!(settings.need_factor, 0.0);
        assert_eq!((settings.need_min, settings.need_max), (50.0, 50.0));
        assert_eq!(settings.lead, 0.0);
        assert_eq!(settings.margin, 1.0e9);
        assert_eq!(settings.requests_in_flight, 1);
        assert_eq!(Settings::default().in_range(), Settings::default());
    }

    #[test]
    fn back_off_doubles_up_to_its_cap() {
        let settings = Settings {
            retry_seconds: 0.5,
            retry_max_seconds: 3.0,
            ..Settings::default()
        };
        let waits: Vec<f64> = (1..6).map(|attempts| settings.back_off(attempts)).collect();
        assert_eq!(waits, [0.5, 1.0, 2.0, 3.0, 3.0]);
        assert_eq!(settings.back_off(u32::MAX), 3.0);
    }

    #[test]
    fn a_budget_of_nothing_is_one_and_any_other_stays() {
        let budgets = |count: u32| {
            let settings = Settings {
                requests_in_flight: count,
                uploads_per_update: count,
                unloads_per_update: count,
                ..Settings::default()
            };
            let settings = settings.in_range();
            [
                settings.requests_in_flight,
                settings.uploads_per_update,
                settings.unloads_per_update,
            ]
        };
        for (count, expected) in [(0, 1), (1, 1), (7, 7)] {
            assert_eq!(budgets(count), [expected; 3]);
        }
    }
}
