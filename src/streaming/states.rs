//! The states that an object goes through.
//!
//! ```text
//! Unloaded → Queued → Loading → Decoded → Resident → Unloading → Unloaded
//! ```
//!
//! From `Queued`, `Loading` and `Decoded` an object falls back to `Unloaded` when the character leaves (it is *cancelled*) and
//! to `Failed` when its asset cannot be had; from `Failed` it is queued again after a while. From `Unloading` it goes
//! straight back to `Resident` when the character returns before it was released.

use super::track::Idle;
use crate::scene::Disk;
use crate::tick::STEP_SECONDS;

/// Where an object is on its way in or out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum State {
    /// Only its metadata are there.
    #[default]
    Unloaded,
    /// It is wanted and waits for a place among the requests in flight.
    Queued,
    /// The loader reads and decodes its asset.
    Loading,
    /// Its picture is in memory and waits for its upload.
    Decoded,
    /// It is there.
    Resident,
    /// It is not wanted any more and waits for its release.
    Unloading,
    /// Its asset could not be loaded; it is asked for again later.
    Failed,
}

impl State {
    /// All of them, in the order of their discriminants.
    pub const ALL: [Self; 7] = [
        Self::Unloaded,
        Self::Queued,
        Self::Loading,
        Self::Decoded,
        Self::Resident,
        Self::Unloading,
        Self::Failed,
    ];

    /// The name for a panel or a report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unloaded => "unloaded",
            Self::Queued => "queued",
            Self::Loading => "loading",
            Self::Decoded => "decoded",
            Self::Resident => "resident",
            Self::Unloading => "unloading",
            Self::Failed => "failed",
        }
    }

    /// Whether the object is there or on its way, so that the unload tree watches over it; else the load tree does.
    #[inline]
    pub const fn is_wanted(self) -> bool {
        matches!(
            self,
            Self::Queued | Self::Loading | Self::Decoded | Self::Resident | Self::Failed
        )
    }

    /// Whether the object is on its way.
    #[inline]
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Queued | Self::Loading | Self::Decoded)
    }
}

/// What is remembered of each object beside its state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Record {
    /// When it was queued last, in seconds.
    pub(super) queued_at: f64,
    /// When the character first needed it since it was queued, in seconds; infinite while that has not happened.
    pub(super) needed_at: f64,
    /// For how many seconds it has been needed and not there since it was queued, but for those since [`Self::needed_until`].
    pub(super) missing: f64,
    /// When it was needed last while it was not there, in seconds; meant only while it is missing.
    pub(super) needed_until: f64,
    /// Whether it was needed, and not there, in the last update.
    pub(super) is_missing: bool,
    /// How fast the character was when it first needed it, in metres a second.
    pub(super) needed_at_speed: f32,
    /// Which number it had then: it may have another one by now.
    pub(super) needed_as: u32,
    /// While it [waits](Self::waits), how long nothing had been read when it was queued, since the world began; then how long nothing was
    /// read while it waited, in seconds.
    pub(super) idle: Idle,
    /// Whether it has waited in the queue since it was queued last.
    pub(super) waits: bool,
    /// Who had been asked for before its last load began, and not been read yet.
    pub(super) ahead: Ahead,
    /// On which disk its last load began, or as long as none has, the one that there was when it was queued. The settings may be others by the
    /// time at which somebody asks.
    pub(super) read_from: Disk,
    /// When the character was within its load rectangle last, in seconds; up to date while memory is short.
    pub(super) used_at: f64,
    /// How many bytes its last load read.
    pub(super) bytes_read: u64,
    /// Whether these are among those of the figures, which may have been started anew since.
    pub(super) is_counted: bool,
    /// Counts its requests; a completion that carries another number comes too late.
    pub(super) generation: u32,
    /// Whether the caller is uploading or releasing its picture just now. Until it says that it has, nothing is decided.
    pub(super) handed_out: bool,
    /// Whether it waits for its release because of the memory cap.
    pub(super) evicted: bool,
    /// Whether it is in the list of residents, which may be one update behind.
    pub(super) listed: bool,
    /// Whether being late would say nothing about the lead: it was needed at once, or failed before.
    pub(super) excused: bool,
    /// Whether it was asked for in the first update, and not given up since.
    pub(super) is_of_start: bool,
}

impl Record {
    /// For how many seconds it has been needed and not there by then: where it was in the last update, until the tick after that.
    pub(super) fn missing_until(&self, now: f64) -> f64 {
        match self.is_missing {
            true => self.missing + STEP_SECONDS.min(now - self.needed_until),
            false => self.missing,
        }
    }

    /// What is known of an object that was never asked for.
    pub(super) const NEW: Self = Self {
        queued_at: 0.0,
        needed_at: f64::INFINITY,
        missing: 0.0,
        needed_until: 0.0,
        is_missing: false,
        needed_at_speed: 0.0,
        needed_as: 0,
        idle: Idle::NONE,
        waits: false,
        ahead: Ahead {
            others: 0,
            later: 0,
        },
        read_from: Disk {
            mbps: 0.0,
            latency_ms: 0.0,
        },
        used_at: 0.0,
        bytes_read: 0,
        is_counted: false,
        generation: 0,
        handed_out: false,
        evicted: false,
        listed: false,
        excused: false,
        is_of_start: false,
    };
}

/// The requests that are read before another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ahead {
    /// How many there are.
    pub(super) others: u32,
    /// How many of these are needed later than it, by the order of the queue.
    pub(super) later: u32,
}

/// Why an object is not there although it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What went wrong the last time, in one sentence.
    pub sentence: String,
    /// How often it went wrong in a row.
    pub attempts: u32,
    /// When it may be tried again, in seconds.
    pub retry_at: f64,
}
