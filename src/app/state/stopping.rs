//! What time is to stop for, as the user has set it, and where it stopped last.

use super::{App, RunMode};
use crate::app::camera::Camera;
use crate::app::worker::{Message, StopsKept};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::UnitId;
use skirmish::session::{Place, StopWhen, Stopped};

/// One thing that time can stop for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// A region is split.
    Split,
    /// A region is merged.
    Merge,
    /// A region holds too many.
    Crowded,
    /// A tick makes too many tests.
    Tests,
    /// The unit that is selected is held by another region.
    Leaves,
    /// An object is late.
    Late,
    /// The object that is selected is late.
    LateSelected,
    /// A lane differs.
    Differs,
    /// So much time has gone by.
    Elapsed,
}

impl StopKind {
    /// In the order of the list.
    pub const ALL: [Self; 9] = [
        Self::Split,
        Self::Merge,
        Self::Crowded,
        Self::Tests,
        Self::Leaves,
        Self::Late,
        Self::LateSelected,
        Self::Differs,
        Self::Elapsed,
    ];

    /// The words of the list, and the name for reports.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Split => ("a split", "split"),
            Self::Merge => ("a merge", "merge"),
            Self::Crowded => ("a region holds more than", "crowded"),
            Self::Tests => ("tests of a tick above", "tests"),
            Self::Leaves => ("the selected unit changes its region", "leaves"),
            Self::Late => ("an object is late", "late"),
            Self::LateSelected => ("the selected object is late", "late-selected"),
            Self::Differs => ("a lane answers differently", "differs"),
            Self::Elapsed => ("ticks since the (re)start are", "elapsed"),
        }
    }
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Stopping {
    on: [bool; StopKind::ALL.len()],
    /// More units in a region than this are too many.
    pub crowded: u32,
    /// More tests in a tick than this are too many.
    pub tests: u64,
    /// After so many ticks since the start, or since the last restart.
    pub elapsed: u64,
    /// Who is watched.
    pub unit: Option<UnitId>,
    /// The object that is watched, and the numbering by which it has its number.
    pub object: Option<(u32, u32)>,
    /// Where time stopped last.
    pub at: Option<Stopped>,
    /// Whether somebody wants to see the list of all that.
    pub is_wanted: bool,
}

impl Default for Stopping {
    fn default() -> Self {
        Self {
            on: [false; StopKind::ALL.len()],
            crowded: 32,
            tests: 10_000,
            elapsed: 1_000,
            unit: None,
            object: None,
            at: None,
            is_wanted: false,
        }
    }
}

impl Stopping {
    /// Whether time stops for this.
    pub fn is_on(&self, kind: StopKind) -> bool {
        self.on[kind as usize]
    }

    /// For how many things it does.
    pub fn count(&self) -> usize {
        self.on.iter().filter(|on| **on).count()
    }

    /// What came after this tick is known no more, or not as it was: time did not stop in what comes there now.
    pub(super) fn forget_after(&mut self, tick: u64) {
        self.at.take_if(|at| at.tick > tick);
    }

    fn list(&self) -> Vec<StopWhen> {
        let on = StopKind::ALL.into_iter().filter(|kind| self.is_on(*kind));
        on.filter_map(|kind| {
            Some(match kind {
                StopKind::Split => StopWhen::Split,
                StopKind::Merge => StopWhen::Merge,
                StopKind::Crowded => StopWhen::Crowded(self.crowded),
                StopKind::Tests => StopWhen::Tests(self.tests),
                StopKind::Leaves => StopWhen::Leaves(self.unit?),
                StopKind::Late => StopWhen::Late,
                StopKind::LateSelected => {
                    let (object, numbering) = self.object?;
                    StopWhen::LateObject { object, numbering }
                }
                StopKind::Differs => StopWhen::Differs,
                StopKind::Elapsed => StopWhen::Elapsed(self.elapsed),
            })
        })
        .collect()
    }
}

impl App {
    /// Why time cannot stop for this as long as nobody, or more than one, is selected.
    pub fn why_no_stop(&self, kind: StopKind) -> Option<&'static str> {
        match kind {
            StopKind::Leaves if self.selection.one().is_none() => {
                Some("Select a unit first, and one alone: Shift+click on it.")
            }
            StopKind::LateSelected if self.selected_object().is_none() => {
                Some("Select an object in Streaming first, and one alone: click on it.")
            }
            _ => None,
        }
    }

    /// Has time stop for this, or not.
    pub fn set_stop(&mut self, kind: StopKind, on: bool) {
        if on {
            if let Some(why) = self.why_no_stop(kind) {
                return self.say(why);
            }
            match kind {
                StopKind::Leaves => self.stopping.unit = self.selection.one(),
                StopKind::LateSelected => self.stopping.object = self.selected_object(),
                _ => {}
            }
        }
        self.stopping.on[kind as usize] = on;
        self.post_stops();
    }

    /// The object that alone is selected, and the numbering by which it has its number.
    pub fn selected_object(&self) -> Option<(u32, u32)> {
        let stream = self.stream.as_ref()?;
        let object = stream.selection.one()?;
        Some((object, stream.renumberings().count()))
    }

    /// What the object is called that is watched, or would be.
    pub fn watched_object(&self) -> Option<String> {
        let is_on = self.stopping.is_on(StopKind::LateSelected);
        let watched = self.stopping.object.filter(|_| is_on);
        let (object, numbering) = watched.or_else(|| self.selected_object())?;
        let stream = self.stream.as_ref()?;
        let object = stream.renumberings().now_of_known(object, numbering)?;
        Some(stream.called(object))
    }

    /// Another scene is here, or the same one from its beginning, in which time stops for no more than this. The numbers stay where they
    /// were set, so that one click waits for the same again. The worker says of it what there is to say.
    pub(super) fn keep_stops(&mut self, kept: StopsKept) {
        // Where time stopped was not here.
        self.stopping.at = None;
        let before = self.stopping.count();
        let (unit, object) = match kept {
            StopsKept::OfFile { unit, object } => (self.stopping.unit.filter(|_| unit), object),
            StopsKept::Nothing => {
                self.stopping.on = Default::default();
                (None, None)
            }
        };
        self.stopping.on[StopKind::Leaves as usize] &= unit.is_some();
        self.stopping.on[StopKind::LateSelected as usize] &= object.is_some();
        let is_other = self.stopping.object != object;
        (self.stopping.unit, self.stopping.object) = (unit, object);
        if self.stopping.count() < before || is_other {
            self.post_stops();
        }
    }

    /// Tells the session what time is to stop for.
    pub fn post_stops(&mut self) {
        self.worker.post(Message::Stops(self.stopping.list()));
    }

    /// Time has stopped: says why and shows where.
    pub(super) fn stopped_at(&mut self, stopped: Stopped) {
        self.before_steps.ran = false;
        self.mode = RunMode::Paused;
        self.say(stopped.words.clone());
        match stopped.area {
            Some(Place::Plane(area)) => self.bring_into_view(area),
            Some(Place::Space(bounds)) => self.bring_box_into_view(bounds),
            None => {}
        }
        // Why it is late is what one asks next.
        if let (Some(object), Some(stream)) = (stopped.object, &mut self.stream) {
            stream.selection.set(Some(object));
        }
        self.stopping.at = Some(stopped);
    }

    /// Where time stopped, while it stands there.
    pub fn stop_in_sight(&self) -> Option<&Stopped> {
        let at = self.stopping.at.as_ref();
        at.filter(|at| at.tick == self.place.tick && self.mode != RunMode::Running)
    }

    /// Shows a part of the field with what is around it, unless it can be seen well already.
    fn bring_into_view(&mut self, area: Aabb) {
        /// Smaller than this, in points, it is not found.
        const LEAST: f32 = 20.0;
        let is_large = area.size().max_element() * self.camera.zoom >= LEAST;
        if is_large && self.camera.view().contains_box(area) {
            return;
        }
        let room = area.size().max(Vec2::splat(10.0));
        /// So many times nearer, at the most: what is around it stays in sight.
        const NEARER: f32 = 3.0;
        let before = self.camera.zoom;
        self.framed = false;
        self.camera = Camera::framing(area.grown(room), self.camera.screen);
        self.camera.zoom = self.camera.zoom.min(before * NEARER);
    }
}
