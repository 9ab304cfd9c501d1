//! The session: what happens, without a window. It owns the battle, or the flight, the structures that follow it, the world that streams, the
//! document and the time in which all that lies.
//!
//! ```text
//! Action ──► Session::apply ──► battle or flight, lanes, world, document ──► undo, timeline
//!            Session::tick  ──► decide, compare, commit, follow ──► timeline
//! ```
//!
//! Invariant: [`Session::apply`] and [`Session::tick`] are the only doors. Whatever a panel, a key, a script, a recording or the
//! mouse changes goes through them, so that the same scene and the same actions at the same ticks give the same session.
//!
//! Invariant: no clock, no thread and no widget is known here. Who wants times gives a [`LaneWatch`].
//!
//! Invariant: what is abandoned by a [`Cancel`] has changed nothing.

use self::lane::in_turn;
use crate::battle::{Battle, Decision, Phase, StepSummary, Stopwatch};
use crate::chance;
use crate::flight::{Decision3, Flight};
use crate::partition::UnitId;
use crate::probe::{Abandoned, Cancel, Counter, Patient};
use crate::scene::{Scene, Side, file::one_line, limits};
pub use crate::streaming::USUAL_DISK;
use crate::streaming::{Clock, Latecomers, Lateness, Tour};
use crate::structure::StructureKind;
use crate::tick::STEP_SECONDS;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod action;
mod beginning;
mod corners;
mod crowding;
mod dimension;
mod document;
mod edit;
pub mod file;
mod followed;
mod fork;
mod journey;
mod lane;
mod ledger;
mod mark;
mod objects;
mod paths;
mod pin;
mod ranges;
mod sizes;
mod space;
mod stops;
mod strew;
mod strew_space;
mod timeline;
mod tune;
mod undo;
mod units;
mod units_space;
mod unsaved;
mod within;
mod work;
mod worth;

#[cfg(test)]
mod fork_tests;
#[cfg(test)]
mod lane_tests;
#[cfg(test)]
mod objects_tests;
#[cfg(test)]
mod past_tests;
#[cfg(test)]
mod sizes_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod undo_tests;
#[cfg(test)]
mod units_space_tests;
#[cfg(test)]
mod units_tests;

pub use action::{Action, Motion as MotionWord, Order, Point, Point3, Side as SideWord};
pub use beginning::{Beginning, BodySize, Places, hit_points, reach, sight, speed};
pub use crowding::{Crowding, MOST_PAIRS, Why};
pub use followed::{AnyIndex, Truth};
pub use fork::{LateInBoth, LateKept};
pub use journey::Journey;
pub use lane::{Cost, Flash, Flashes, Lane, Lane3, Standing};
pub use ledger::{Figures, Ledger, Run, RunTicks, Times};
use mark::LateAt;
pub use mark::{Came, LateSum, Mark, MarkKind, Marks};
pub use objects::copied as copied_objects;
pub use pin::{PIN_LIMIT, Pin, difference as pin_difference};
pub use ranges::Units;
pub use sizes::widths_of_placed;
use stops::Stops;
pub use stops::{Place, StopWhen, Stopped};
pub use strew::{Shape, Spread, Strewn};
pub use strew_space::{Shape3, Strewn3};
pub use timeline::{Act, Cut, Timeline};
pub use tune::{Tune, differences as tune_differences};
pub use units::{COPY_LIMIT, copied};
pub use unsaved::{AheadKept, Version};
pub use worth::Unsaved;

use document::Document;
use fork::Fork;
use undo::UndoStack;

/// Why an action was not done. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It cannot be done; a sentence says why.
    #[error("{0}")]
    Sentence(String),
    /// It was cancelled.
    #[error(transparent)]
    Abandoned(#[from] Abandoned),
}

impl Refusal {
    fn because(sentence: impl ToString) -> Self {
        Self::Sentence(one_line(&sentence.to_string()))
    }
}

/// Whoever wants to know how long each phase takes each lane.
pub trait LaneWatch {
    /// A tick begins.
    fn start(&mut self) {}
    /// A lane begins.
    fn begin(&mut self, lane: usize);
    /// A phase of the lane that began last has ended.
    fn lap(&mut self, lane: usize, phase: Phase);
    /// How long the tick that is about to end took a lane.
    fn times(&self, _lane: usize) -> Times {
        Times::UNKNOWN
    }
}

/// Measures nothing.
impl LaneWatch for () {
    fn begin(&mut self, _: usize) {}
    fn lap(&mut self, _: usize, _: Phase) {}
}

/// Tells a [`LaneWatch`] which lane it is.
struct Watch<'w, W> {
    lane: usize,
    watch: &'w mut W,
}

impl<W: LaneWatch> Stopwatch for Watch<'_, W> {
    fn lap(&mut self, phase: Phase) {
        self.watch.lap(self.lane, phase);
    }
}

/// The most lanes that an action lets follow one battle. A scene in memory may have more from its beginning.
pub const LANE_LIMIT: usize = limits::MAX_LANES;

/// What happens.
#[derive(Debug)]
pub struct Session {
    /// By what it is told from any other, whatever is done to it.
    identity: Arc<()>,
    /// The scene with which it began, which a recording holds.
    origin: Arc<Scene>,
    /// Where the scene's pictures lie.
    folder: PathBuf,
    /// The scene as it was saved last; `None` when it never was the same as a file.
    saved: Option<Arc<Scene>>,
    /// What its file has named it, while nobody had given it a name.
    named: Option<String>,
    /// The tick at which its world was made: at the beginning, or by a restart.
    world_made: u64,
    /// How often other armies have begun, on the way that led here.
    armies: u64,
    /// Whether anybody has done anything yet; what a recording does while it plays is nobody's change.
    touched: bool,
    /// Whether it is doubtful that a file has the scene: it counts as one that none has until that is known.
    in_doubt: bool,
    /// Whether the stroke that was begun last has come to an edit: what goes on with it is a part of that, and of none before it.
    in_stroke: bool,
    tick: u64,
    battle: Battle,
    lanes: Vec<Lane>,
    /// What happens in the place of the battle, which is empty then, in a scene of the third dimension.
    flight: Option<Flight>,
    /// What follows it.
    lanes3: Vec<Lane3>,
    document: Document,
    world: Option<Tour>,
    undo: UndoStack,
    timeline: Timeline,
    /// The future that an edit in the past has ended.
    fork: Option<Fork>,
    /// How many of the actions that led here, but for looks beside, a file has.
    acts_saved: usize,
    /// Where so many of the actions are done, the scene is as it was before a version that its file holds, to which it came by what adds to
    /// it alone: the file has all that it has.
    before_saved: Range<usize>,
    /// How often it was taken down what is done, or found out anything else of it: the same number stands for the same actions of this
    /// session.
    acts_written: u64,
    /// How often another future has come aside, or something to that.
    aside_written: u64,
    /// Moments that somebody wants to compare with.
    pins: Vec<Pin>,
    /// One a lane; kept for its memory.
    decisions: Vec<Decision>,
    /// The same in space.
    decisions3: Vec<Decision3>,
    /// The same.
    costs: Vec<Cost>,
    threads: usize,
    /// How many objects were late in the last tick.
    late_in_tick: u64,
    /// What time is to stop for.
    stops: Stops,
}

/// The tick at which the clock of a world showed so many seconds that showed 0 at the tick `began`.
pub fn tick_at(began: u64, seconds: f64) -> u64 {
    began + (seconds / STEP_SECONDS).round().max(0.0) as u64
}

impl Session {
    /// Starts a scene whose pictures lie in `folder`. That its world cannot be opened is said beside the session.
    pub fn new(scene: Scene, folder: &Path) -> (Self, Option<String>) {
        let scene = Arc::new(scene);
        let battle = Battle::new(&scene);
        let (world, complaint) = match Tour::of_scene(&scene, folder, None) {
            Ok(world) => (world, None),
            Err(sentence) => (None, Some(sentence)),
        };
        let choices = std::iter::once(&scene.structure).chain(&scene.lanes);
        let lanes = choices
            .map(|choice| Lane::new(choice, scene.field, &battle))
            .collect();
        let (flight, lanes3) = space::begin(&scene);
        let mut session = Self {
            identity: Arc::new(()),
            origin: Arc::clone(&scene),
            folder: folder.to_owned(),
            saved: Some(Arc::clone(&scene)),
            named: None,
            world_made: 0,
            armies: 0,
            touched: false,
            in_doubt: false,
            in_stroke: false,
            tick: 0,
            lanes,
            flight,
            lanes3,
            document: Document::new(scene, &battle),
            world,
            undo: UndoStack::default(),
            timeline: Timeline::new(0),
            fork: None,
            acts_saved: 0,
            before_saved: 0..0,
            acts_written: 0,
            aside_written: 0,
            pins: Vec::new(),
            decisions: Vec::new(),
            decisions3: Vec::new(),
            costs: Vec::new(),
            threads: 1,
            late_in_tick: 0,
            stops: Stops::default(),
            battle,
        };
        session.timeline = Timeline::new(session.hash());
        session.keep();
        (session, complaint)
    }

    /// Starts what a recording holds, at its beginning.
    pub fn of_recording(recording: file::Recording) -> Result<(Self, Option<String>), Refusal> {
        let file::Recording {
            scene,
            folder,
            acts,
            hashes,
            pins,
        } = recording;
        let (mut session, complaint) = Self::new(scene, &folder);
        session.pins = pins;
        let begins = session.hash();
        // Its file has all of it.
        session.acts_saved = work::of_account(&acts).count();
        session.timeline = Timeline::of_recording(acts, hashes);
        session.timeline.reach(0, Some(begins));
        session.keep();
        session.do_what_is_due(&Cancel::default())?;
        Ok((session, complaint))
    }

    /// The session as a recording: what it began with, and what was done.
    pub fn recording(&self) -> file::Recording {
        self.recording_of(&self.timeline)
    }

    fn recording_of(&self, timeline: &Timeline) -> file::Recording {
        file::Recording {
            scene: Scene::clone(&self.origin),
            folder: self.folder.clone(),
            acts: timeline.acts().to_vec(),
            hashes: timeline.hashes().to_vec(),
            pins: self.pins.clone(),
        }
    }

    /// How many steps have passed since the beginning, restarts and all.
    pub fn tick_count(&self) -> u64 {
        self.tick
    }

    /// The battle.
    pub fn battle(&self) -> &Battle {
        &self.battle
    }

    /// Whether the units stand so dense that a tick takes long: to be asked where a battle begins, and where [armies](Session::armies) says
    /// that another one has.
    pub fn crowding(&self) -> Option<Crowding> {
        match &self.flight {
            Some(flight) => Crowding::of_flight(flight),
            None => Crowding::of_battle(&self.battle),
        }
    }

    /// The structures that follow it; the first one answers it.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The world that streams, when the scene has one.
    pub fn world(&self) -> Option<&Tour> {
        self.world.as_ref()
    }

    /// The same, for the pictures that its view fetches and for what its view refused. Nothing else may be done through it.
    pub fn world_mut(&mut self) -> Option<&mut Tour> {
        self.world.as_mut()
    }

    /// The scene as it is now.
    pub fn scene(&self) -> &Arc<Scene> {
        self.document.scene()
    }

    /// Where the scene's pictures lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What was done when.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The same, for its byte budget.
    pub fn timeline_mut(&mut self) -> &mut Timeline {
        &mut self.timeline
    }

    /// The tick at which the world was made: what tells it from those before and after a restart, also once that is taken back.
    pub fn world_made(&self) -> u64 {
        self.world_made
    }

    /// How often other armies have begun on the way that led here. Where that is another number, who has the number of a unit is a stranger:
    /// undo, redo and time may lead beyond such a beginning.
    pub fn armies(&self) -> u64 {
        self.armies
    }

    /// The tick at which the clock of the world showed 0; 0 without a world.
    pub fn world_began(&self) -> u64 {
        let world = self.world.as_ref();
        world.map_or(0, |world| self.tick.saturating_sub(world.ticks()))
    }

    /// From when the seconds of the world are counted.
    pub fn world_clock(&self) -> Clock {
        Clock::of(self.world_made, self.world_began())
    }

    /// How late an object will come that is needed now and is not there, where the future is known because time has been gone back in.
    pub fn future_of_late(&self, object: u32) -> Option<Lateness> {
        let world = self.world.as_ref()?;
        let began = self.world_began();
        let streaming = world.streaming();
        let needed_at = streaming.needed_at(object).filter(|at| at.is_finite())?;
        let ticks = [tick_at(began, needed_at), self.tick];
        let who = (object, streaming.numbering());
        let marks = self.timeline.marks();
        marks.future_of((self.world_made, began), ticks, who)
    }

    /// The name of the edit that undo (or redo) takes next.
    pub fn undo_name(&self, redo: bool) -> Option<String> {
        self.undo.next(redo).map(|entry| entry.what.to_string())
    }

    /// How many edits redo does again, one after the other.
    pub fn redo_count(&self) -> usize {
        self.undo.redo_count()
    }

    /// Whatever comes next is no part of the stroke that was begun last: somebody has been elsewhere in between.
    pub fn end_stroke(&mut self) {
        self.in_stroke = false;
    }

    /// Whether the edit that undo takes back next was done behind so many actions.
    pub fn was_edited_behind(&self, acts: usize) -> bool {
        self.undo.last_act() == Some(acts)
    }

    /// Whether edits lie after the present tick that somebody has made. Those of a recording that only plays are nobody's.
    pub fn has_edits_ahead(&self) -> bool {
        self.touched && self.acts_ahead().any(Act::is_of_note)
    }

    /// Whether what lies after the present tick has changed what a file of the scene holds, were it only the rest of a stroke.
    pub fn has_scene_ahead(&self) -> bool {
        self.touched && self.acts_ahead().any(|it| it.act.writes_scene())
    }

    pub(super) fn acts_ahead(&self) -> impl Iterator<Item = &Act> {
        let ahead = self.timeline.acts().get(self.timeline.done()..);
        ahead.into_iter().flatten()
    }

    /// On how many threads a tick is reckoned: on a plane who is near whom, in space how everybody moves, and who looks for whom.
    /// Changes nothing but times, and visits that each thread makes for itself.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// On how many threads a tick is reckoned.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many units stand.
    pub fn alive(&self) -> u64 {
        let count = |side| match &self.flight {
            Some(flight) => u64::from(flight.count(side)),
            None => u64::from(self.battle.count(side)),
        };
        count(Side::Blue) + count(Side::Orange)
    }

    /// A fingerprint of battle and world, or of the flight.
    pub fn hash(&self) -> u64 {
        match &self.flight {
            Some(flight) => flight.hash(),
            None => hash_of(self.battle.hash(), self.world.as_ref().map(Tour::hash)),
        }
    }

    /// Lets one step pass: every lane answers, the first lane's answers are committed, every lane is told what changed, and the
    /// world goes on. Then whatever a recording holds for the new tick is done.
    ///
    /// Abandoned before the commit, it has changed nothing; what a recording holds may be refused, after the step.
    pub fn tick(
        &mut self,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<StepSummary, Refusal> {
        watch.start();
        if self.flight.is_some() {
            return self.tick_in_space(cancel, watch);
        }
        self.decide(cancel, watch)?;
        let late_before = self.late();
        if let Some(world) = &mut self.world
            && !world.tick_unless(cancel.flag())
        {
            return Err(Abandoned.into());
        }
        let mut first = std::mem::take(&mut self.decisions[0]);
        first.hashes = self
            .timeline
            .wants_hash(self.tick + 1, self.battle.positions().len());
        watch.begin(0);
        let summary = self.battle.commit(&mut first);
        watch.lap(0, Phase::Integrate);
        self.decisions[0] = first;
        let (battle, lanes, costs) = (&self.battle, &mut self.lanes, &self.costs);
        let threads = self.threads;
        let tick = self.tick;
        let mut follow = || {
            for place in in_turn(lanes.len(), tick) {
                let lane = &mut lanes[place];
                if lane.difference.is_none() {
                    (lane.cost, lane.is_measured) = (costs[place], true);
                    watch.begin(place);
                    lane.use_threads(threads);
                    lane.follow(battle, true);
                    watch.lap(place, Phase::Update);
                }
            }
        };
        let mut hash = None;
        match summary.hash {
            None => follow(),
            Some(begun) if threads == 1 => {
                follow();
                hash = Some(battle.finish_hash(begun));
            }
            // What is left of it mostly waits for itself: beside the upkeep it costs next to nothing.
            Some(begun) => rayon::in_place_scope(|scope| {
                scope.spawn(|_| hash = Some(battle.finish_hash(begun)));
                follow();
            }),
        }
        let hash = hash.map(|hash| hash_of(hash, self.world.as_ref().map(Tour::hash)));
        self.end_tick(hash, late_before, watch, cancel)?;
        Ok(summary)
    }

    /// Takes down the tick that has just passed: its fingerprint if one was taken, what it cost, and a keyframe where one is due.
    fn end_tick(
        &mut self,
        hash: Option<u64>,
        late_before: u64,
        watch: &impl LaneWatch,
        cancel: &Cancel,
    ) -> Result<(), Refusal> {
        self.tick += 1;
        self.timeline.reach(self.tick, hash);
        let figures = self.world.as_ref().map(Tour::figures);
        let times = |lane| watch.times(lane);
        let late = figures.map_or(0, |figures| figures.late.saturating_sub(late_before));
        self.late_in_tick = late;
        let units = self.alive();
        let ledger = self.timeline.ledger_mut();
        let at = (self.tick, self.world_made, units);
        if self.flight.is_some() {
            ledger.note(at, &self.lanes3, times, figures);
        } else {
            ledger.note(at, &self.lanes, times, figures);
        }
        // Of a tick that is gone over again it is known.
        let is_new = late > 0 && !self.timeline.marks().knows(self.tick);
        let world = self.world.as_ref();
        let began = self.world_began();
        let who = world.filter(|_| is_new);
        let who = who.map_or_else(Latecomers::default, Tour::latecomers);
        let (tick, made) = (self.tick, self.world_made);
        let numbering = world.map_or(0, |world| world.streaming().numbering());
        let at = LateAt {
            tick,
            world: made,
            began,
            numbering,
        };
        self.timeline.note_late(at, late, who);
        let came = world.map(|world| world.streaming().came_late());
        for (object, lateness) in came.into_iter().flatten() {
            let late_at = tick_at(began, lateness.needed_at());
            let one = Came::new(tick, [object, numbering], lateness);
            self.timeline.note_came((made, began), late_at, one);
        }
        if self.timeline.wants_keyframe(self.tick) {
            self.keep();
        }
        self.do_what_is_due(cancel)
    }

    /// Lets one tick pass as [`Session::tick`] does, and says whether it brought about what somebody [waits
    /// for](Session::set_stops).
    pub fn tick_until_stop(
        &mut self,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<Option<Stopped>, Refusal> {
        self.prime_stops();
        self.tick(cancel, watch)?;
        Ok(self.look_for_stops(self.late_in_tick))
    }

    /// How many objects have been late so far.
    fn late(&self) -> u64 {
        let world = self.world.as_ref();
        // Since they were counted anew, if that was after the last tick.
        world.map_or(0, |world| world.streaming().statistics().late_loads)
    }

    /// Asks every lane what the tick asks, and compares the answers.
    fn decide(&mut self, cancel: &Cancel, watch: &mut impl LaneWatch) -> Result<(), Abandoned> {
        let count = self.lanes.len();
        self.decisions.resize_with(count, Decision::default);
        self.costs.resize_with(count, Cost::default);
        for place in in_turn(count, self.tick) {
            if self.lanes[place].difference.is_none() {
                self.costs[place] = self.ask(place, cancel, watch)?;
            }
        }
        let (first, others) = self.lanes.split_at_mut(1);
        for (place, lane) in others.iter_mut().enumerate() {
            if lane.difference.is_none() {
                lane.difference = self.battle.compare(
                    (&self.decisions[0], first[0].index()),
                    (&self.decisions[place + 1], lane.index()),
                );
            }
        }
        Ok(())
    }

    /// Asks a lane what the next tick asks, into its decision, and gives what that costs.
    fn ask(
        &mut self,
        place: usize,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<Cost, Abandoned> {
        let threads = self.threads;
        let alive = self.alive();
        let decision = &mut self.decisions[place];
        decision.compares = self.lanes.len() > 1;
        let mut query = Patient::new(Counter::default(), cancel);
        let battle = &self.battle;
        let index = self.lanes[place].index();
        Cancel::attempt(|| {
            watch.begin(place);
            let mut watch = Watch { lane: place, watch };
            battle.decide(decision, index, threads, &mut query, &mut watch);
        })?;
        Ok(Cost {
            update: Counter::default(),
            query: query.probe,
            lookup_tests: decision.lookup_tests,
            pairs: decision.pairs,
            // Without a structure, each search for the nearest enemy would look at everybody as well.
            all_pairs: alive * alive.saturating_sub(1) / 2 + u64::from(decision.lookups) * alive,
            at_rest: false,
            built_bytes: None,
        })
    }

    /// Measures a lane whose index has just been built, or whose units were edited, on the tick that stands: what the next tick will
    /// ask it. `watch` is told
    /// of it as of a tick, with a build from nothing in place of the upkeep. Abandoned, it has changed nothing.
    pub fn measure_at_rest(
        &mut self,
        place: usize,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(), Abandoned> {
        if self.flight.is_some() {
            return self.measure_at_rest_in_space(place, cancel, watch);
        }
        let count = self.lanes.len();
        self.decisions.resize_with(count, Decision::default);
        // The index stays as it is: built again it could be another one than edits have made of it.
        let update = self.lanes[place].count_build(place, (&self.battle).into(), cancel, watch)?;
        let cost = self.ask(place, cancel, watch)?;
        self.lanes[place].rests_at(update, cost);
        Ok(())
    }

    /// What was measured at rest is of other units, or of other orders, than the next tick will ask of: of every lane, whichever of them
    /// had to be told anything.
    fn note_edit(&mut self) {
        self.lanes.iter_mut().for_each(|lane| lane.is_edited = true);
        let lanes = self.lanes3.iter_mut();
        lanes.for_each(|lane| lane.is_edited = true);
    }

    /// Does something. Refused or abandoned, it has changed nothing. `more` says that it goes on with the edit before it.
    /// Gives how much of a known future that has ended.
    pub fn apply(&mut self, action: Action, more: bool, cancel: &Cancel) -> Result<Cut, Refusal> {
        // A stroke that begins where there is nobody has no edit yet: who is met later begins one, and goes on with none of another stroke.
        let more = more && self.in_stroke;
        self.in_stroke = more;
        let before = self.before_cut();
        let (kind, is_own) = self.do_one(&action, more, cancel)?;
        let turns = matches!(action, Action::Undo | Action::Redo);
        self.in_stroke |= kind.is_some() && !turns;
        self.touched = true;
        self.acts_written += 1;
        // Where something else was edited in between, by a key while the brush is down or between two taps of the arrow keys, it goes on with
        // nothing: it is an edit of its own, as undo has it.
        let act = Act {
            at: self.tick,
            more: more && !is_own,
            act: action,
            // So that time that goes over it finds out nothing anew.
            is_idle: kind.is_none(),
        };
        // Whoever looks beside from here on may be asked for that in the past as well, and what is slipped in moves what comes later.
        if matches!(act.act, Action::Beside(_)) {
            self.note_nothing_before_saved();
        }
        if self.leaves_future(&act.act) {
            self.slip_in(act);
            return Ok(Cut::default());
        }
        let future = self.future(before);
        let cut = self.timeline.note(act);
        if cut.ticks > 0 {
            // What a file has of that future it has not of the one that begins here.
            let common = future.as_ref().map_or(0, Fork::common);
            self.acts_saved = self.acts_saved.min(common);
            // All up to the fork it has, and more of what came of it.
            let past = future.as_ref().map_or(0, Fork::past);
            self.before_saved.end = self.before_saved.end.min(past);
            self.fork = future;
            self.note_past_of_fork();
            self.aside_written += 1;
        }
        self.timeline.note_act(self.tick, kind);
        Ok(cut)
    }

    /// Does an action, and gives what mark it leaves, and whether that is the mark of the edit before it, which it goes on with. Then
    /// whether undo has it as an edit of its own: what gives a lane another structure leaves a mark of its own in any case.
    fn do_one(
        &mut self,
        action: &Action,
        more: bool,
        cancel: &Cancel,
    ) -> Result<(Option<(MarkKind, bool)>, bool), Refusal> {
        let before = self.kinds();
        let said = self.perform(action, more, cancel)?;
        let is_own = matches!(said, Some((_, false)));
        let now = self.kinds();
        let mut lanes = before.iter().zip(&now).enumerate();
        let switched = lanes.find(|(_, (before, now))| before != now);
        let kind = match switched {
            Some((lane, (from, to))) if before.len() == now.len() => {
                let (from, to) = (*from, *to);
                Some((MarkKind::Switch { lane, from, to }, false))
            }
            _ => said.map(|(words, goes_on)| {
                let last = self.timeline.marks().list().last();
                let takes_it_in = last.is_none_or(|last| last.kind.takes_in(action.lane()));
                (MarkKind::Edit(words.into()), goes_on && takes_it_in)
            }),
        };
        Ok((kind, is_own))
    }

    /// Does whatever a recording holds for the present tick.
    fn do_what_is_due(&mut self, cancel: &Cancel) -> Result<(), Refusal> {
        while let Some(act) = self.timeline.due(self.tick).cloned() {
            let number = self.timeline.done() + 1;
            let (kind, _) =
                self.do_one(&act.act, act.more, cancel)
                    .map_err(|refusal| match refusal {
                        Refusal::Sentence(sentence) => Refusal::Sentence(format!(
                            "tick {}, action {number}: {sentence}",
                            act.at
                        )),
                        abandoned => abandoned,
                    })?;
            self.timeline.advance();
            let is_news = self.timeline.note_act(self.tick, kind);
            self.acts_written += u64::from(is_news);
        }
        Ok(())
    }

    /// The units within `radius` of a point, by ascending id, as the first lane finds them.
    fn units_at(&self, center: crate::geometry::Vec2, radius: f32) -> Vec<UnitId> {
        let mut units = Vec::new();
        let visit: &mut dyn FnMut(UnitId) = &mut |unit| units.push(unit);
        let index = self.lanes[0].index();
        index.radius(self.battle.bodies(), center, radius, &mut (), visit);
        units.sort_unstable();
        units
    }

    /// Structures whose knobs somebody has set and that nothing follows at present: a scene keeps the knobs of those that do.
    pub fn set_aside(&self) -> Vec<StructureKind> {
        let lanes = 0..self.lane_count();
        let lanes: Vec<_> = lanes.filter_map(|place| self.standing(place)).collect();
        let is_there = |kind: StructureKind| lanes.iter().any(|lane| lane.kind == kind);
        let set = self.document.set_choices();
        set.filter(|kind| !is_there(*kind)).collect()
    }

    /// How many structures follow what happens.
    pub fn lane_count(&self) -> usize {
        match self.flight {
            Some(_) => self.lanes3.len(),
            None => self.lanes.len(),
        }
    }

    /// How a lane stands; `None` where there is none.
    pub fn standing(&self, place: usize) -> Option<Standing> {
        match self.flight {
            Some(_) => self.lanes3.get(place).map(Standing::of),
            None => self.lanes.get(place).map(Standing::of),
        }
    }

    /// Which they are.
    fn kinds(&self) -> Vec<StructureKind> {
        match self.flight {
            Some(_) => self.lanes3.iter().map(|lane| lane.kind().into()).collect(),
            None => self.lanes.iter().map(|lane| lane.kind().into()).collect(),
        }
    }
}

/// A fingerprint of battle and world, of which each one's own is known: what a [`Session::hash`] is of, and a recording holds of each tick.
/// Where there is no world it is that of the battle.
pub fn hash_of(battle: u64, world: Option<u64>) -> u64 {
    match world {
        Some(world) => chance::mix(battle ^ chance::mix(world)),
        None => battle,
    }
}
