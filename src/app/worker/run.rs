//! The worker's own end: heeds messages and lets time pass. How a tick passes and time is gone back in is in `pass`, what is
//! shown of it in `show`.

mod clock;
mod leaving;
mod opening;

use super::keeper::Keeper;
use super::left::LeftSession;
use super::loads::LaneLoads;
use super::readings::AtRest;
use super::*;
use crate::app::processors;
use crate::app::sentences::{and, warned};
use crate::app::widgets::with_commas;
use clock::Clock;
use skirmish::observe::{Histogram, Spacing};
use skirmish::tick::STEP_SECONDS;

/// The session, and what is known of it beyond itself: time and figures.
pub(super) struct Run {
    pub(super) session: Session,
    pub(super) path: Option<PathBuf>,
    /// What is shown as its name.
    pub(super) name: Option<String>,
    /// How many sessions there were before this one; one that comes back is another one.
    pub(super) entered: u64,
    /// Who writes a scene to which file.
    pub(super) writers: Vec<(PathBuf, JoinHandle<()>)>,
    /// What a file that is being written names the scene of this session, while nobody has given it a name.
    pub(super) naming: Option<(u64, String)>,
    /// Who was late in both futures, as it was shown last.
    pub(super) late_kept: LateKept,
    /// Whether there is work ahead, as it was shown last.
    pub(super) ahead_kept: AheadKept,
    /// The scenes that were open before and after this one, the nearest last.
    pub(super) left: [Vec<LeftSession>; 2],
    /// How many of the edits that can be done again were undone before the scene after this one was opened: redo opens that one first,
    /// for what is done after an undo comes in the place of what was undone.
    pub(super) undone_before: usize,
    /// How many are gone that lay behind the farthest of them.
    pub(super) far_gone: [usize; 2],
    /// What was left with what somebody would miss, as it was told last.
    pub(super) left_work: Option<Arc<LeftWork>>,
    /// What is to be said of work that was left and is not kept any more.
    pub(super) lost: Option<String>,
    /// Whether the last edit that somebody wanted was refused.
    is_refused: bool,
    /// The session of which nothing is to be saved, as somebody said who was asked, and how much had been changed by then.
    pub(super) given_up: Option<(u64, u64)>,
    /// Whether the file of the scene that is here holds another one by now.
    pub(super) is_replaced: bool,
    /// What time was still to stop for when the scene that is here came.
    pub(super) stops_kept: StopsKept,
    /// Whether what its file holds comes with the program: known since the scene came, or was saved.
    pub(super) ships: bool,
    /// Whether it asks for the camera that is asked for there.
    pub(super) is_posed_as_shipped: bool,
    pub(super) shared: Arc<Shared>,
    pub(super) fixed: bool,
    pub(super) mode: RunMode,
    /// Whether the scene has stopped time, and nobody has said anything of it since.
    stopped_by_scene: bool,
    pub(super) pace: f32,
    /// The pace that the user had before a scene said one; nothing where it is the user's.
    own_pace: Option<f32>,
    pub(super) owed_seconds: f64,
    pub(super) last: Instant,
    /// In how many seconds in which time passes so many ticks were made: what is held or stands is none of them.
    pub(super) steps_counted: (f64, u32),
    pub(super) steps_per_second: f32,
    pub(super) gear: Gear,
    pub(super) clock: Clock,
    /// What is shown of each lane's cost.
    pub(super) shown: Vec<Shown>,
    /// The scale of each lane's loads.
    pub(super) loads: Vec<LaneLoads>,
    /// Who measures all structures.
    pub(super) surveyor: Surveyor,
    /// Who tells an operation event by event.
    pub(super) teller: Teller,
    /// What was placed by the last paste or duplication, or brought back by an undo, which has this number; nothing any more once others may
    /// have the numbers of that.
    pub(super) placed: Option<(u64, Arc<Placed>)>,
    /// How often something was.
    placings: u64,
    /// How often something has been changed by hand.
    pub(super) changes: u64,
    /// How often that was more than which structures follow.
    pub(super) crowds: u64,
    /// What time is to stop for in the scene that is here.
    stops: Vec<StopWhen>,
    /// Who keeps what is not saved.
    pub(super) keeper: Keeper,
    /// Whether the window closes: no more time passes.
    pub(super) is_leaving: bool,
    /// Whether nothing of it can be seen: no time passes meanwhile.
    is_hidden: bool,
    /// Whether a page or a dialog lies over it: who reads that would miss what happens.
    is_covered: bool,
    /// Whether a hand leads the character at present. That of a moment that is gone back to may be held by one that has let go since.
    pub(super) is_led: bool,
    /// How often it is still to be looked whether anything must be kept, since somebody said something last.
    looks: u32,
    /// What takes long to gather, of the first lane.
    pub(super) details: Frame,
    /// The leaves of each lane after it by depth, where somebody has looked at them since they last changed.
    pub(super) leaves: Vec<Option<Histogram>>,
    /// How far units stand apart, in metres; of which moment of which scene that was found out, and the room for it.
    pub(super) apart: f32,
    pub(super) apart_of: Option<(u64, Moment)>,
    pub(super) spacing: Spacing,
    pub(super) stale: bool,
    /// Whether somebody does not want to wait for what is measured while time stands still.
    pub(super) gave_up_measuring: bool,
    pub(super) heeded: u64,
    pub(super) inbox: Receiver<Post>,
    /// What has come and has yet to be heeded.
    pub(super) posts: VecDeque<Post>,
    pub(super) ask: Option<(u64, Box<Ask>)>,
    /// The tick to which somebody wants to go.
    pub(super) sought: Option<u64>,
    /// The tick to which a seek is on its way.
    pub(super) heading: Option<u64>,
}

/// What is shown of a lane's cost: that of one tick in twelve.
#[derive(Clone, Default)]
pub(super) struct Shown {
    pub(super) cost: Cost,
    /// The structure of which it is; `None` before the first tick.
    pub(super) kind: Option<StructureKind>,
    /// How long it took at rest, by the last readings of that.
    pub(super) at_rest: AtRest,
}

/// On how many threads a tick may run where there are so many processors: on all but the one that draws, unless they are two, which take
/// turns.
fn threads_for_ticks(processors: usize) -> usize {
    /// A battle makes no use of more.
    const MOST: usize = 64;
    processors
        .saturating_sub(1)
        .max(processors.min(2))
        .min(MOST)
}

impl Run {
    pub fn new(
        session: Session,
        (path, name): (Option<PathBuf>, Option<String>),
        fixed: bool,
        shared: Arc<Shared>,
        inbox: Receiver<Post>,
    ) -> Self {
        let threads = threads_for_ticks(processors::count());
        // A scene that was opened may want to stand still at first; what was recorded goes on.
        let stands = session.scene().view.paused && session.timeline().end() == 0;
        let said = session.scene().view.pace;
        let (pace, own_pace) = (said.unwrap_or(1.0), said.map(|_| 1.0));
        let mode = if stands {
            RunMode::Paused
        } else {
            RunMode::Running
        };
        let mut run = Self {
            session,
            name,
            path,
            entered: 0,
            writers: Vec::new(),
            naming: None,
            late_kept: LateKept::default(),
            ahead_kept: AheadKept::default(),
            left: [Vec::new(), Vec::new()],
            undone_before: 0,
            far_gone: [0; 2],
            left_work: None,
            lost: None,
            is_refused: false,
            given_up: None,
            is_replaced: false,
            stops_kept: StopsKept::Nothing,
            ships: false,
            is_posed_as_shipped: false,
            shared,
            fixed,
            mode,
            stopped_by_scene: stands,
            pace,
            own_pace,
            owed_seconds: 0.0,
            last: Instant::now(),
            steps_counted: (0.0, 0),
            steps_per_second: 0.0,
            // Where two runs must look alike, each thread's own visits must not be counted.
            gear: Gear::new(if fixed { 1 } else { threads }),
            clock: Clock::new(fixed),
            shown: Vec::new(),
            loads: Vec::new(),
            surveyor: Surveyor::default(),
            teller: Teller::default(),
            placed: None,
            placings: 0,
            changes: 0,
            crowds: 0,
            stops: Vec::new(),
            keeper: Keeper::new(fixed),
            is_leaving: false,
            is_hidden: false,
            is_covered: false,
            is_led: false,
            looks: 0,
            details: Frame::default(),
            leaves: Vec::new(),
            apart: f32::INFINITY,
            apart_of: None,
            spacing: Spacing::default(),
            stale: true,
            gave_up_measuring: false,
            heeded: 0,
            inbox,
            posts: VecDeque::new(),
            ask: None,
            sought: None,
            heading: None,
        };
        run.note_shipped();
        run
    }

    /// Goes on until the window is gone.
    pub fn run(&mut self) {
        loop {
            if self.posts.is_empty() {
                match self.inbox.recv_timeout(self.rest()) {
                    Ok(post) => self.posts.push_back(post),
                    // What is measured meanwhile takes no looks away.
                    Err(RecvTimeoutError::Timeout) if !self.fixed && self.is_measuring() => {}
                    Err(RecvTimeoutError::Timeout) => self.looks = self.looks.saturating_sub(1),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
            // What has come meanwhile is heeded at once, so that a stroke of the brush is not a frame a dab.
            self.posts.extend(self.inbox.try_iter());
            while let Some(post) = self.posts.pop_front() {
                self.heed(post);
            }
            if let Some(tick) = self.sought.take() {
                self.seek(tick);
            }
            if !self.fixed && !self.is_leaving {
                self.measure_at_rest();
                self.let_time_pass();
            }
            let of = || Of {
                path: self.path.clone(),
                name: self.name.clone(),
            };
            // What was given up on leaving is not kept anew while the window closes.
            if !self.is_leaving
                && let Some(sentence) = self.keeper.tend(&self.session, of, || {
                    leaving::beside(&self.session, &self.name, &self.left)
                })
            {
                self.shared.tell(News::Failed(sentence));
            }
            self.answer();
        }
    }

    /// How long there is nothing to do unless somebody says something.
    fn rest(&self) -> Duration {
        const LONG: Duration = Duration::from_secs(3600);
        let runs = !self.fixed && self.mode != RunMode::Paused && !self.is_held();
        if !runs {
            // Where pictures must look alike it is measured when one is asked for.
            return if !self.fixed && self.is_measuring() {
                Duration::ZERO
            } else if self.drags_while_paused() {
                Duration::from_secs_f64(STEP_SECONDS)
            } else if self.looks > 0 || !self.keeper.is_through() {
                Keeper::LOOK
            } else {
                LONG
            };
        }
        if self.mode == RunMode::Step {
            return Duration::ZERO;
        }
        let owed = self.owed_seconds + self.last.elapsed().as_secs_f64();
        Duration::try_from_secs_f64(self.tick_seconds() - owed).unwrap_or(Duration::ZERO)
    }

    /// Whether time is held because nobody looks.
    fn is_held(&self) -> bool {
        self.is_hidden || self.is_covered
    }

    /// Time is held from now on, or passes again: what has passed while it was held is nothing that is owed or counted.
    fn hold(&mut self, is_hidden: bool, is_covered: bool) {
        if self.is_held() {
            self.last = Instant::now();
        }
        (self.is_hidden, self.is_covered) = (is_hidden, is_covered);
    }

    /// The seconds that a tick lasts at this pace.
    fn tick_seconds(&self) -> f64 {
        STEP_SECONDS / f64::from(self.pace)
    }

    /// Who drags the character while time stands still wants to see what it does.
    fn drags_while_paused(&self) -> bool {
        let world = self.session.world();
        !self.fixed
            && self.mode == RunMode::Paused
            && self.is_led
            && world.is_some_and(|world| world.character().is_grabbed())
    }

    fn heed(&mut self, post: Post) {
        // Whatever is said may change what is to be kept of what is not open.
        if !matches!(post, Post::Ask(..)) {
            self.looks = Keeper::LOOKS;
            self.keeper.look_beside();
        }
        match post {
            Post::Ask(number, ask) => {
                self.stale |= ask.observe.refresh;
                if self.fixed {
                    if let Some(tick) = self.sought.take() {
                        self.seek(tick);
                    }
                    if ask.ticks {
                        self.fixed_tick();
                    }
                    self.measure_at_rest();
                    self.ask = Some((number, ask));
                    self.answer();
                } else {
                    self.ask = Some((number, ask));
                }
            }
            Post::Message(message) => {
                // What was said after a seek is meant for the tick that it leads to.
                if let (Some(tick), false) = (
                    self.sought,
                    matches!(message, Message::Seek(_) | Message::SeekEnd),
                ) {
                    self.sought = None;
                    self.seek(tick);
                }
                self.heeded += 1;
                self.do_message(message);
            }
            Post::Beside(message) => self.do_message(message),
            Post::Written(written) => self.note_written(written),
            Post::Held(held) => self.note_held(*held),
        }
    }

    fn do_message(&mut self, message: Message) {
        match message {
            Message::Act(action, more) => self.act(action, more),
            Message::Mode(mode) => {
                self.mode = mode;
                self.stopped_by_scene = false;
                self.owed_seconds = 0.0;
                self.last = Instant::now();
                // What is looked at while time stands still are the figures of this tick.
                self.show_costs(mode == RunMode::Paused);
                self.stale |= mode == RunMode::Paused;
            }
            Message::Pace(pace) => (self.pace, self.own_pace) = (pace, None),
            // Where a drag went by on its way is nothing that anybody wants to see.
            Message::Seek(tick) => self.sought = Some(tick),
            Message::SeekEnd => self.sought = Some(self.session.timeline().end()),
            Message::OtherFuture => {
                self.turn_to_other_future();
            }
            Message::Open(path) => self.open(path),
            Message::New => self.begin_new(),
            Message::Restore(left) => self.restore(*left),
            Message::Leave { keep, done } => {
                // What is kept is what is reported.
                self.is_leaving = true;
                let keeping = match keep {
                    true => self.keep_for_next_start(),
                    false => {
                        self.keeper.forget();
                        Keeping::Nothing
                    }
                };
                self.await_writers();
                let _ = done.send(keeping);
            }
            Message::Save(save) => self.save(save),
            Message::Looks(session, looks) => self.hear_looks(session, looks),
            Message::Record(path, looks, answer) => {
                let mut recording = self.session.recording();
                let looks = looks.filter(|(session, _)| *session == self.entered);
                if let Some((_, looks)) = looks {
                    looks.put_on_beginning(&mut recording.scene);
                }
                let result = recording.write(&path).map_err(|error| error.to_string());
                match (answer, result) {
                    (Some(answer), result) => {
                        let _ = answer.send(result);
                    }
                    (None, Ok(())) => self.shared.tell(News::Done(format!(
                        "The recording is in {}.",
                        path.display()
                    ))),
                    (None, Err(sentence)) => self.shared.tell(News::Failed(sentence)),
                }
            }
            Message::Pin => self.pin(),
            Message::Stops(stops) => {
                self.session.set_stops(&stops);
                self.stops = stops;
            }
            Message::KeepMine(kept) => self.keep_mine(kept),
            Message::GiveUp => self.given_up = Some((self.entered, self.changes)),
            Message::GoToLeftWork => self.go_to_left_work(),
            Message::MeasureAgain => {
                self.surveyor.again();
                self.stale = true;
            }
            Message::Unpin(place) => self.session.unpin(place),
            Message::Hidden(is_hidden) => self.hold(is_hidden, self.is_covered),
            Message::Covered(is_covered) => self.hold(self.is_hidden, is_covered),
            Message::Refused(object, sentence) => {
                if let Some(world) = self.session.world_mut() {
                    world.upload_refused(object, &sentence);
                }
            }
        }
    }

    pub(super) fn act(&mut self, action: Action, more: bool) {
        // What is gone over again does not come by here: this is the hand of now.
        match action {
            Action::Lead(_) => self.is_led = true,
            Action::LetGo => self.is_led = false,
            _ => {}
        }
        let redo = action == Action::Redo;
        let turns = redo || action == Action::Undo;
        if turns && self.turns_scene(redo) {
            return self.change_sessions(redo);
        }
        // What has ended a future is taken back with all that it ended.
        if turns && self.session.brings_future_back(redo) {
            let units = self.session.units_deleted_since_fork();
            let objects = self.session.objects_deleted_since_fork();
            if self.turn_to_other_future() && !redo {
                self.note_brought_back(units, objects);
            }
            return;
        }
        let begins_anew = matches!(
            action,
            Action::Restart | Action::Begin(_) | Action::SwapSides | Action::Units(_)
        );
        // What is new may have the number of who has gone.
        let removes = matches!(
            action,
            Action::RemoveObjects(_) | Action::Remove(_) | Action::Erase(..) | Action::Erase3(..)
        );
        let renumbers = turns || begins_anew || removes;
        // The world that begins again has none that is being recorded.
        let ends_recording = begins_anew && self.is_recording_path();
        if ends_recording {
            self.keep_recorded_path();
        }
        // What remakes the structure makes its figures anew.
        let remakes = action.minds_lanes();
        let is_of_lanes = action.is_of_lanes_alone();
        let restarts = matches!(action, Action::Restart | Action::Begin(_));
        let kept = action == Action::KeepPath;
        let records = action == Action::RecordPath;
        let places = matches!(
            action,
            Action::Copy(..) | Action::Paste(..) | Action::Copy3(..) | Action::Paste3(..)
        );
        let places_objects = matches!(
            action,
            Action::CopyObjects(..) | Action::PasteObjects(..) | Action::PlaceObject(..)
        );
        self.shared
            .begin(Errand::Asked, name_of(&action, &self.session));
        let shared = Arc::clone(&self.shared);
        let turned = turns.then(|| self.session.undo_name(redo)).flatten();
        let undone = turned.clone().filter(|_| !redo);
        let undoes = action == Action::Undo;
        let leaves_aside = action == Action::Undo && self.session.undo_leaves_future_aside();
        let come_back = match action {
            Action::Undo => self.session.objects_to_come_back(),
            _ => 0,
        };
        let redo_count = self.session.redo_count();
        let aside = self.session.other_future().map(|(from, end)| FutureGone {
            ticks: end.saturating_sub(from),
            has_work: self.is_missed(self.session.other_future_unsaved()),
        });
        let acts = self.session.timeline().done();
        let armies = self.session.armies();
        let result = self.session.apply(action, more, &shared.cancel);
        self.shared.end();
        match result {
            Ok(cut) => {
                self.changes += 1;
                self.crowds += u64::from(!is_of_lanes);
                // What is undone from here on is done again before another scene is opened.
                self.undone_before = self.undone_before.min(redo_count);
                if turns || self.session.was_edited_behind(acts) {
                    self.tell_done();
                }
                // An edit ends all that could be done again: the opening of a scene as well.
                if !turns && self.session.was_edited_behind(acts) {
                    self.end_scenes_after();
                    if let Some(words) = self.lost.take() {
                        self.shared.tell(News::Failed(words));
                    }
                }
                if renumbers {
                    self.placed = None;
                }
                if places {
                    self.note_placed(Placed::Units(self.session.placed_last()));
                } else if places_objects {
                    self.note_placed(Placed::Objects(self.session.objects_placed_last()));
                } else if undoes {
                    let units = self.session.brought_back_last();
                    let objects = self.session.objects_brought_back_last();
                    self.note_brought_back(units, objects);
                }
                if remakes {
                    self.start_figures();
                }
                self.stale = true;
                self.gave_up_measuring = false;
                self.tell_kept(kept);
                let crowding = self.crowding_since(armies);
                if records {
                    self.shared.tell(News::Done("Recording: drag the character, or walk it with the arrows. Click the button again to stop.".to_owned()));
                }
                let words = if restarts && self.session.tick_count() > 0 {
                    let of_path = match ends_recording {
                        true => " The path that was being recorded is in the scene.",
                        false => "",
                    };
                    Some(format!(
                        "The scene begins again. Ticks are counted on from {}, so that what was before can be gone back to.{of_path}",
                        with_commas(self.session.tick_count())
                    ))
                } else if leaves_aside && cut.ticks == 0 {
                    Some("That is undone from here on. The future that it ended stays aside; 'Other future' in the menu Run brings it back.".to_owned())
                } else if come_back > 0 {
                    Some(words_of_return(come_back))
                } else {
                    None
                };
                let words = words.into_iter().chain(crowding.clone());
                match words.reduce(|words, more| and(words, Some(&more))) {
                    Some(words) if undoes => self.tell_undone(words),
                    Some(words) => {
                        let edit = self.session.undo_name(false);
                        self.shared.tell(News::DoneByEdit(words, edit));
                    }
                    None => {}
                }
                if let Some(name) = turned {
                    let done = if redo { "Redone" } else { "Undone" };
                    self.shared.tell(News::Turned(format!("{done}: {name}")));
                }
                self.tell_cut(cut, undone, (aside, crowding));
            }
            Err(Refusal::Sentence(sentence)) => self.tell_refusal(sentence),
            Err(Refusal::Abandoned(_)) => self.shared.tell_cancelled(NOTHING_CHANGED),
        }
    }

    /// That a tick takes long, where others stand here than when so many armies had begun: known before the first tick of these.
    pub(super) fn crowding_since(&self, armies: u64) -> Option<String> {
        let is_other = self.session.armies() != armies;
        let crowding = is_other.then(|| self.session.crowding());
        crowding.flatten().as_ref().map(warned)
    }

    /// Says why the session has not done something. Its sentences begin with a small letter, as they stand behind the name of a file on a
    /// command line.
    pub(super) fn tell_refusal(&mut self, sentence: String) {
        self.is_refused = true;
        self.shared.tell(News::Refused(sentence));
    }

    /// An edit has been done, or a tick reached that was sought: what was said of what was refused before goes.
    pub(super) fn tell_done(&mut self) {
        if std::mem::take(&mut self.is_refused) {
            self.shared.tell(News::EditedSince);
        }
    }

    /// Says something of what was undone. Redo takes the word back with the deed.
    fn tell_undone(&self, words: String) {
        self.shared.tell(News::FutureAside {
            sentences: [words.clone(), words],
            name: self.session.undo_name(true).unwrap_or_default(),
            redo: true,
        });
    }

    /// Tells the window who has come back from a deletion: whoever takes that back has those selected again who were.
    fn note_brought_back(&mut self, units: Vec<UnitId>, objects: Vec<u32>) {
        if !units.is_empty() {
            self.note_placed(Placed::Back(units));
        } else if !objects.is_empty() {
            self.note_placed(Placed::Objects(objects));
        }
    }

    /// Tells the window what was placed, which it selects.
    fn note_placed(&mut self, placed: Placed) {
        self.placings += 1;
        self.placed = Some((self.placings, Arc::new(placed)));
    }

    /// Whether somebody would miss what the scene that is open has of this.
    pub(super) fn is_missed(&self, unsaved: Unsaved) -> bool {
        is_missed(unsaved, self.path.is_some(), self.ships)
    }

    /// Whether a path is being recorded here that nothing has yet.
    pub(super) fn is_recording_path(&self) -> bool {
        is_recording_path(&self.session)
    }

    /// Ends the recording of a path, as its button does, before it is lost.
    pub(super) fn keep_recorded_path(&mut self) {
        if self.is_recording_path() {
            self.act(Action::KeepPath, false);
        }
    }

    /// Says under which name a path that was recorded is kept.
    fn tell_kept(&self, kept: bool) {
        let character = self.session.scene().character.as_ref();
        if let Some(path) = character.and_then(|it| it.paths.last()).filter(|_| kept) {
            self.shared.tell(News::Done(format!(
                "The path is in the scene as '{}'; save the scene to keep it.",
                path.name
            )));
        }
    }

    /// Another structure is here: what is known of the one before says nothing of it.
    pub(super) fn start_figures(&mut self) {
        self.stale = true;
        self.gear.reset();
        self.gave_up_measuring = false;
    }

    /// A scene is looked at so by now. Of one that was left meanwhile nothing is kept any more.
    pub(super) fn hear_looks(&mut self, session: u64, looks: Looks) {
        if session == self.entered {
            self.keeper.note_looks(Some(looks));
        }
    }

    fn fixed_tick(&mut self) {
        match self.mode {
            RunMode::Running => self.tick(),
            RunMode::Step => {
                self.tick();
                self.mode = RunMode::Paused;
            }
            RunMode::Paused => {}
        }
    }

    /// Lets pass as much time as has passed, but never runs after itself: a tick at most between two looks at the inbox.
    fn let_time_pass(&mut self) {
        let now = Instant::now();
        let elapsed = (now - std::mem::replace(&mut self.last, now)).as_secs_f64();
        if self.is_held() {
            return;
        }
        match self.mode {
            RunMode::Step => {
                self.tick();
                self.mode = RunMode::Paused;
            }
            RunMode::Running => {
                self.owed_seconds += elapsed.min(0.25);
                if self.owed_seconds >= self.tick_seconds() {
                    self.owed_seconds -= self.tick_seconds();
                    self.tick();
                    // What could not be done in time is dropped: a heavy battle runs slower.
                    let most = 4.0 * self.tick_seconds();
                    self.owed_seconds = self.owed_seconds.min(most.max(0.05));
                }
                self.steps_counted.0 += elapsed;
            }
            RunMode::Paused => {
                if self.drags_while_paused() {
                    self.drag(elapsed);
                }
            }
        }
        let (passed, count) = self.steps_counted;
        if self.mode != RunMode::Running {
            self.steps_counted = (0.0, 0);
        } else if passed >= 1.0 {
            self.steps_per_second = (f64::from(count) / passed) as f32;
            self.steps_counted = (0.0, 0);
        }
    }

    /// Lets the world go on around a character that is dragged while the battle stands.
    fn drag(&mut self, elapsed: f64) {
        self.owed_seconds += elapsed.min(0.25);
        if self.owed_seconds >= STEP_SECONDS {
            self.owed_seconds = 0.0;
            self.tick();
        }
    }
}

/// What is said where so many objects are back that had been deleted.
fn words_of_return(count: usize) -> String {
    match count {
        1 => "The object is back, and not loaded: a world keeps nothing of what is not in it, so it is read when it is wanted.".to_owned(),
        _ => format!(
            "{} objects are back, and not loaded: a world keeps nothing of what is not in it, so they are read when they are wanted.",
            with_commas(count as u64)
        ),
    }
}

/// What an action is called while it takes its time.
fn name_of(action: &Action, session: &Session) -> String {
    match action {
        Action::Structure(key) => format!("Building {key}"),
        Action::Set(key, _) => format!("Building anew with another {}", key.replace('_', " ")),
        Action::Units(count) => format!("Placing {} units", with_commas(u64::from(*count))),
        Action::Restart | Action::SwapSides | Action::Begin(_) => "Starting again".to_owned(),
        Action::Undo | Action::Redo => {
            let redo = *action == Action::Redo;
            let word = if redo { "Doing again" } else { "Taking back" };
            format!("{word}: {}", session.undo_name(redo).unwrap_or_default())
        }
        Action::Tune(..) | Action::TuneDefaults => "Setting the world anew".to_owned(),
        _ => "Changing the battle".to_owned(),
    }
}

/// Whether a path is being recorded in a session that nothing has yet. One to whose middle somebody has gone back is kept in what comes.
fn is_recording_path(session: &Session) -> bool {
    let is_last = session.timeline().end() == session.tick_count();
    let world = session.world();
    is_last && !session.has_edits_ahead() && world.is_some_and(|it| it.character().is_recording())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_leave_a_processor_to_what_draws_where_there_are_three() {
        let threads = [1, 2, 3, 4, 16, 200].map(threads_for_ticks);
        assert_eq!(threads, [1, 2, 2, 3, 15, 64]);
    }

    #[test]
    fn the_speed_of_time_counts_no_second_in_which_it_is_held_or_stands() {
        let (session, _) = Session::new(file::built_in(), Path::new(""));
        let (_posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), false, Arc::default(), inbox);
        let before = |seconds| {
            let now = Instant::now();
            let then = now.checked_sub(Duration::from_secs(seconds));
            then.expect("a clock that has gone on for so long")
        };
        // So far from a full second that no pause of this thread fills it.
        let counted = (-1e6, 30);
        (run.mode, run.steps_counted) = (RunMode::Running, counted);
        run.do_message(Message::Covered(true));
        run.last = before(5);
        run.let_time_pass();
        assert_eq!(run.steps_counted, counted, "a dialog holds it");
        let held = Instant::now();
        run.last = before(5);
        run.do_message(Message::Covered(false));
        run.let_time_pass();
        let passed = run.steps_counted.0 - counted.0;
        assert!(passed <= held.elapsed().as_secs_f64(), "{passed}");
        assert_eq!(run.steps_per_second, 0.0);
        // A second is full; nobody knows how much more of it has passed.
        run.steps_counted = (0.9, 59);
        run.last = before(1);
        run.let_time_pass();
        let rate = run.steps_per_second;
        assert!(rate > 0.0 && rate <= 32.0, "{rate}");
        assert_eq!(run.steps_counted, (0.0, 0));
        (run.mode, run.steps_counted) = (RunMode::Paused, (0.5, 30));
        run.let_time_pass();
        assert_eq!(run.steps_counted, (0.0, 0));
    }

    #[test]
    fn it_goes_on_looking_where_nobody_says_anything_until_what_was_said_is_kept() {
        let (session, _) = Session::new(file::built_in(), Path::new(""));
        let (_posts, inbox) = channel();
        let mut run = Run::new(session, (None, None), false, Arc::default(), inbox);
        (run.mode, run.gave_up_measuring) = (RunMode::Paused, true);
        assert!(run.rest() > Keeper::LOOK);
        // All looks are over, and the disk is so slow that none has come yet.
        run.keeper.look_beside();
        assert_eq!((run.looks, run.rest()), (0, Keeper::LOOK));
    }
}
