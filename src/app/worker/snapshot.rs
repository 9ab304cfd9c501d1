//! How things stand, as the worker answers an ask.

use super::left::LeftWork;
use super::loads::LoadScale;
use super::readings::Middle;
use super::structure::Structure;
use super::surveyor::{Rows, SurveyRow};
use super::teller::{Moment, Telling};
use super::{Placed, RunMode};
use crate::app::history::Past;
use skirmish::battle::{Battle, Difference};
use skirmish::flight::Flight;
use skirmish::geometry::Aabb;
use skirmish::observe::Frame;
use skirmish::observe::space::Frame3;
use skirmish::partition::UnitId;
use skirmish::probe::Counter;
use skirmish::scene::Scene;
use skirmish::session::{AnyIndex, Cost, Lane, LateInBoth, Mark, Pin, RunTicks, Times, Unsaved};
use skirmish::streaming::TourPicture;
use skirmish::volume::Aabb3;
use std::sync::Arc;

/// How a lane stands.
#[derive(Debug)]
pub struct LaneView {
    /// Its structure.
    pub structure: Structure,
    /// What the structure showed of itself. Of further lanes it is empty unless [`Ask::lanes`].
    pub frame: Frame,
    /// The same of a structure in space.
    pub frame3: Frame3,
    /// What the last tick cost.
    pub cost: Cost,
    /// What one tick in twelve cost: figures that change sixty times a second cannot be read.
    pub shown_cost: Cost,
    /// Whether the costs are those of this structure: not yet, when it has just been built.
    pub is_measured: bool,
    /// How long a tick takes it, the median of the last ones; `None` where no clock is shown or nothing has been measured.
    pub times: Option<Times>,
    /// Of how many ticks that is the median, or at rest of how many readings.
    pub timed: usize,
    /// Between which times the middle half of these ticks lies; `None` at rest.
    pub middle: Option<Middle>,
    /// The least reading of its upkeep, at rest of its build, and of its queries, in microseconds, where so few were made, or where they
    /// lie so far apart, that what is shown of them says little.
    pub doubtful_from: [Option<f32>; 2],
    /// Regions that were split or merged lately: where, whether split, and when.
    pub flashes: Vec<(Aabb, bool, u64)>,
    /// The same in space.
    pub flashes3: Vec<(Aabb3, bool, u64)>,
    /// How many units a shade of its cells stands for.
    pub loads: LoadScale,
    /// Its first answer that differed from the first lane's: since then it stands still.
    pub difference: Option<Difference>,
}

impl LaneView {
    /// The lane, of which nothing has been seen yet.
    pub fn of<I: AnyIndex>(lane: &Lane<I>) -> Self {
        let mut view = Self {
            structure: Structure {
                kind: lane.kind().into(),
                knobs: Vec::new(),
                effects: Vec::new(),
                bytes: 0,
            },
            frame: Frame::default(),
            frame3: Frame3::default(),
            cost: Cost::default(),
            shown_cost: Cost::default(),
            is_measured: false,
            times: None,
            timed: 0,
            middle: None,
            doubtful_from: [None; 2],
            flashes: Vec::new(),
            flashes3: Vec::new(),
            loads: LoadScale::default(),
            difference: None,
        };
        view.structure.take(lane);
        view
    }
}

/// Who is in a rectangle, as in view, and what it took to find that out.
#[derive(Clone, Debug, Default)]
pub struct Culled {
    /// Who is in it, by ascending id.
    pub units: Vec<UnitId>,
    /// What was looked through; `None` where nobody asked.
    pub area: Option<Aabb>,
    /// What the structure did for it.
    pub counter: Counter,
}

/// Where the present tick lies, and what is known of time.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The ticks since the beginning, restarts and all.
    pub tick: u64,
    /// Where time is about to be: the tick of a seek that is under way, or the present one.
    pub heading: u64,
    /// Whether that seek has not arrived yet: what is there is a keyframe, perhaps from before edits at its tick.
    pub is_on_way: bool,
    /// The last tick that is known.
    pub end: u64,
    /// Where the future that an edit has ended began, and its last tick.
    pub other_future: Option<(u64, u64)>,
    /// Whether something was edited in it.
    pub other_has_edits: bool,
    /// Who was late in it and in the present one, in the ticks that are known of both.
    pub late_in_both: Option<LateInBoth>,
    /// The same of the one object that is selected, by its number.
    pub late_of_one: Option<(u32, LateInBoth)>,
    /// Whether undo, or redo, of all that was done there since brings that back.
    pub edit_brings_future_back: bool,
    /// Whether edits lie after the present tick that somebody has made.
    pub has_edits_ahead: bool,
    /// Whether what somebody has done after it has changed what a file of the scene holds.
    pub has_scene_ahead: bool,
    /// The first tick that did not come out as it was recorded.
    pub diverged_at: Option<u64>,
    /// The ticks at which something happened.
    pub marks: Arc<Vec<Mark>>,
    /// The tick at which the world was made.
    pub world_made: u64,
    /// Whether streaming is set otherwise than when the scene was opened.
    pub is_tuned: bool,
    /// Of which run each tick is, that of the world that is shown among them.
    pub run_ticks: RunTicks,
    /// How often other armies have begun on the way there.
    pub armies: u64,
    /// The number of the scene that is open there.
    pub session: u64,
    /// The tick with the most tests, and how many these are.
    pub heaviest: Option<(u64, f32)>,
    /// The tests of the first lane from the beginning to the last tick, in columns of equal length, the greatest of each.
    pub curve: Vec<f32>,
}

/// How things stand: everything that is drawn and printed.
#[derive(Debug)]
pub struct Snapshot {
    /// Which ask it answers.
    pub ask: u64,
    /// How many of the messages that the window posted had been heeded.
    pub heeded: u64,
    /// The battle.
    pub battle: Battle,
    /// What happens in space in its place.
    pub flight: Option<Flight>,
    /// The scene as it has been edited.
    pub scene: Arc<Scene>,
    /// What of it its file has not.
    pub unsaved: Unsaved,
    /// The same as far as that is known, where its file may hold another scene by now.
    pub known_unsaved: Unsaved,
    /// What was left for other scenes and somebody would miss.
    pub left_work: Option<Arc<LeftWork>>,
    /// Whether the future that was put aside has what somebody has made and no file has.
    pub other_work: bool,
    /// Whether somebody has made something after the present tick that no file has.
    pub work_ahead: bool,
    /// Whether what its file has comes with the program.
    pub ships: bool,
    /// Whether it asks for the camera that is asked for there.
    pub is_posed_as_shipped: bool,
    /// The lanes, in order.
    pub lanes: Vec<LaneView>,
    /// How far units are from the nearest other one as a rule, in metres; infinity where nobody has another one.
    pub apart: f32,
    /// The units in view.
    pub culled: Culled,
    /// Those in the rectangle that the scene asks about.
    pub counted: Culled,
    /// The plotted figures of the last ticks.
    pub past: Past,
    /// Moments that were pinned, and whether each lies in what is known of time.
    pub pins: Vec<(Pin, bool)>,
    /// All structures on one moment, as far as they have been measured; empty unless [`Ask::survey`].
    pub survey: Vec<SurveyRow>,
    /// Of which table these rows are.
    pub survey_of: Rows,
    /// What was told last; nothing unless [`Ask::story`].
    pub told: Option<Arc<Telling>>,
    /// The present moment, of which that may not be yet.
    pub moment: Moment,
    /// Whether the same ask will soon have another answer, though time stands still: something is being measured or told.
    pub goes_on: bool,
    /// Whether time passes.
    pub mode: RunMode,
    /// How fast.
    pub pace: f32,
    /// Ticks a second, measured over the last second.
    pub steps_per_second: f32,
    /// On how many threads.
    pub threads: usize,
    /// What was placed by the last paste or duplication, or brought back by an undo, which has this number, as long as that says who it is.
    pub placed: Option<(u64, Arc<Placed>)>,
    /// What undo and redo take next.
    pub undo: [Option<String>; 2],
    /// Where the present tick lies.
    pub place: Place,
    /// The world.
    pub tour: Option<Box<TourPicture>>,
}
