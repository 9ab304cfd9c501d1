//! The worker: the session on a thread of its own, so that the thread that draws never waits for what happens.
//!
//! The window posts what is to be done and one [`Ask`] a frame; the worker answers with a [`Snapshot`] that holds everything
//! that is drawn and printed. Snapshots go back when they are done with, so that none is allocated in the long run.
//!
//! Where two runs must look alike (a script, a number of frames) the window does wait for each answer, and each ask is one tick.
//!
//! Invariant: a long piece of work says what it is before it begins, and ends at [`Worker::cancel`] with everything as it was.

use super::history::Past;
use super::unsaved::{Left, Of};
use super::wake;
use super::watch::InFile;
use skirmish::geometry::Aabb;
use skirmish::observe::space::Ask3;
use skirmish::observe::{self, Frame, Outline};
use skirmish::partition::{RegionId, UnitId};
use skirmish::probe::{Cancel, Counter};
use skirmish::scene::{Scene, file};
use skirmish::session::{
    Action, AheadKept, AnyIndex, Cost, Cut, Flash, Lane, LaneWatch, LateKept, Refusal, Session,
    StopWhen, Stopped, Times, Unsaved,
};
use skirmish::streaming::{TextureJob, TourAsk};
use skirmish::structure::StructureKind;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

mod busy;
mod keeper;
mod left;
mod loads;
mod pace;
mod pass;
mod readings;
mod rest;
mod run;
mod saver;
mod shipped;
mod show;
mod snapshot;
mod structure;
mod surveyor;
mod teller;

pub use busy::Busy;
use busy::Errand;
pub use keeper::Keeping;
pub use left::{LeftWork, is_missed, kept_by_undo};
pub use loads::SHADES;
use pace::Gear;
pub use readings::{LEAST_TICKS, Middle};
use saver::{Held, Save, Written};
pub use saver::{KeepMine, Looks, OfFile, OfSave};
pub use snapshot::{Culled, LaneView, Place, Snapshot};
pub use structure::Structure;
use surveyor::{LaneChoice, Surveyor};
pub use surveyor::{
    MOST_OWN, OF_TICK, Outcome, Own, Rows, Spread, Subject, SurveyRow, UPDATE_AND_QUERY, values_of,
};
use teller::Teller;
pub use teller::{Asked, Moment, Telling};

/// Whether time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// Ticks follow each other at the chosen pace.
    Running,
    /// Nothing moves.
    Paused,
    /// One more tick, then [`RunMode::Paused`].
    Step,
}

impl RunMode {
    /// The word for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Step => "step",
        }
    }
}

/// A future that was aside, as it was before another one took its place.
struct FutureGone {
    /// How many ticks of it were known.
    ticks: u64,
    /// Whether somebody had made something in it that no file has.
    has_work: bool,
}

/// What the window wants to see.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// What is drawn of the structure.
    pub observe: observe::Ask,
    /// Whether that is wanted of every lane, and not of the first alone.
    pub lanes: bool,
    /// The table that is wanted: of all structures, or of the values of a setting.
    pub survey: Option<Subject>,
    /// With how many single rectangles its rows reckon a tick: those that are doubtful so are read again.
    pub rectangles: u32,
    /// What is to be told, event by event.
    pub story: Option<Asked>,
    /// Of which part of the field the units are wanted that are in it; `None` for none.
    pub cull: Option<Aabb>,
    /// The rectangle that the scene asks about, where it is drawn.
    pub counted: Option<Aabb>,
    /// What is drawn of the structures in space; `None` where they are not shown.
    pub space: Option<Ask3>,
    /// What is drawn of the world; `None` where it is not shown.
    pub tour: Option<TourAsk>,
    /// Into how many columns the curve of the timeline is cut.
    pub timeline_columns: usize,
    /// Whether, where two runs must look alike, this ask is a tick.
    pub ticks: bool,
}

impl Ask {
    /// Whether it asks for the same as another one, now or with what takes long to gather.
    pub fn is_like(&self, other: &Self) -> bool {
        let mut other = other.clone();
        other.observe.refresh = self.observe.refresh;
        if let (Some(tour), Some(mine)) = (&mut other.tour, &self.tour) {
            tour.refresh = mine.refresh;
        }
        *self == other
    }
}

/// What the window tells the worker.
#[derive(Debug)]
pub enum Message {
    /// Something is to change. The flag says that it goes on with the edit before it.
    Act(Action, bool),
    /// Whether time passes.
    Mode(RunMode),
    /// How fast, as a multiple of 60 ticks a second.
    Pace(f32),
    /// Goes to a tick that is known.
    Seek(u64),
    /// Goes to the last tick that is known by the time that this is heard.
    SeekEnd,
    /// Goes to where an edit has ended a future, and brings that back.
    OtherFuture,
    /// Opens a scene or a recording.
    Open(PathBuf),
    /// Starts an empty field.
    New,
    /// Brings back work that was left behind.
    Restore(Box<Left>),
    /// The window closes: keeps what is unsaved for the next start, or gives it up, and says so to who waits for it.
    Leave {
        /// Whether what is unsaved is kept.
        keep: bool,
        /// Who waits, and wants to know how much is kept.
        done: Sender<Keeping>,
    },
    /// Saves the scene as it is when this is heard.
    Save(Save),
    /// How the scene of the session of this number is looked at by now.
    Looks(u64, Looks),
    /// Writes the recording, with how the scene of the session of this number is looked at, and says whether that was done to who waits
    /// for it.
    Record(
        PathBuf,
        Option<(u64, Looks)>,
        Option<Sender<Result<(), String>>>,
    ),
    /// Pins the present moment.
    Pin,
    /// What time is to stop for from now on.
    Stops(Vec<StopWhen>),
    /// The file of a session holds another version by now, or none, and the one that is here is kept.
    KeepMine(KeepMine),
    /// The scene is about to be left for another one, and whoever was asked wants nothing of it saved.
    GiveUp,
    /// Goes to the nearest scene that was left with what somebody would miss.
    GoToLeftWork,
    /// Reads every row of the table anew.
    MeasureAgain,
    /// Takes a pin away.
    Unpin(usize),
    /// The view could not take a picture, and why.
    Refused(u32, String),
    /// Whether nothing of the window can be seen: no time passes meanwhile.
    Hidden(bool),
    /// Whether a page or a dialog lies over the field: no time passes meanwhile either.
    Covered(bool),
}

/// What a paste or a duplication has placed, or the undo of a deletion has brought back, by ascending number.
#[derive(Debug)]
pub enum Placed {
    /// Units.
    Units(Vec<UnitId>),
    /// Units that were there before they were deleted.
    Back(Vec<UnitId>),
    /// Objects of the world.
    Objects(Vec<u32>),
}

/// What time is still to stop for once another scene has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopsKept {
    /// All that it was to stop for, as the same file was read once more: but the unit, or the object, that is watched where the file has
    /// others by now, and that one would be another.
    OfFile {
        /// Whether the unit is still watched.
        unit: bool,
        /// The object that is, and the numbering by which it has its number here.
        object: Option<(u32, u32)>,
    },
    /// What somebody waited for in one scene is no reason to stop in another.
    Nothing,
}

/// What the worker tells the window, apart from how things stand.
#[derive(Debug)]
pub enum News {
    /// Another scene has taken the place of the last one.
    Opened {
        /// Its file; `None` for the one that comes with the program.
        path: Option<PathBuf>,
        /// What it is called.
        name: Option<String>,
        /// The scene.
        scene: Arc<Scene>,
        /// Whether there is a world that streams.
        has_world: bool,
        /// How many sessions there were before.
        session: u64,
        /// What that number was when it was here before, where undo or redo has led back to it.
        was: Option<u64>,
        /// What time is still to stop for in it.
        stops_kept: StopsKept,
        /// How it stands to its file.
        in_file: InFile,
    },
    /// Something could not be done.
    Failed(String),
    /// An edit was refused, and why.
    Refused(String),
    /// An edit has been done, the first one since that.
    EditedSince,
    /// Something was done that cannot be seen.
    Done(String),
    /// The same of an edit, which undo takes back under this name.
    DoneByEdit(String, Option<String>),
    /// An edit has been undone, or done again: what, in a few words.
    Turned(String),
    /// What was done or undone in the past has put a future aside.
    FutureAside {
        /// What is said while undo (or redo) brings it back, and what when only its command does.
        sentences: [String; 2],
        /// What undo (or redo) would take next.
        name: String,
        /// Whether it is redo.
        redo: bool,
    },
    /// What comes after this tick is another future than before.
    FutureBegins(u64),
    /// The wish of this number came true: the scene has been saved to this file, without the knobs of these structures, which nothing
    /// follows; and what else is to be said of it.
    Saved(u64, PathBuf, Vec<StructureKind>, OfSave),
    /// A scene that was left meanwhile has been written to this file; and how the one that is open stands to that, where it is its own.
    SavedAside(PathBuf, Option<InFile>),
    /// It is known by now what the file holds beside which a scene was kept; and how the session of this number stands to it, where that was
    /// in doubt.
    Held(Option<(u64, InFile)>),
    /// What came of the wish to save that has this number: whether the file is written.
    SaveEnded(u64, bool),
    /// Time has been stopped from within.
    Stopped,
    /// Something has happened that somebody waited for.
    StoppedAt(Stopped),
}

/// What undo (or redo) takes where it goes to another scene.
pub const OPEN_SCENE: &str = "open scene";

/// What undo takes back where the edit that put a future aside has no name of its own.
const ENDED_FUTURE: &str = "the edit that ended the future";

/// What is said of what was cancelled.
const NOTHING_CHANGED: &str = "Cancelled; nothing has changed.";

/// How long whoever ends waits for unsaved work to be kept.
const GOODBYE: Duration = Duration::from_secs(8);

/// What both threads reach.
#[derive(Default)]
struct Shared {
    latest: Mutex<Option<Box<Snapshot>>>,
    answered: Condvar,
    // A snapshot goes to and fro in one box, which is never opened to move what is in it.
    #[allow(clippy::vec_box)]
    spare: Mutex<Vec<Box<Snapshot>>>,
    news: Mutex<Vec<News>>,
    jobs: Mutex<Vec<TextureJob>>,
    busy: Mutex<Option<Busy>>,
    /// Whether the last tick was long.
    was_long: AtomicBool,
    /// Whether the program ends: what is cancelled for that is told to nobody, and takes the place of no other words.
    is_leaving: AtomicBool,
    /// The session of which the window says that no file may hold it by now.
    gone: Mutex<Option<u64>>,
    cancel: Cancel,
}

/// A lock whose holder has died holds nothing that could be half done: all of them guard whole values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Says what is under way from now on, and takes back any word that was meant for work before.
    fn begin(&self, errand: Errand, what: String) {
        let mut busy = lock(&self.busy);
        self.cancel.reset();
        *busy = Some(Busy {
            what,
            since: Instant::now(),
            follows_long: errand == Errand::Tick && self.was_long.load(Ordering::Relaxed),
            errand,
        });
    }

    fn end(&self) {
        let ended = lock(&self.busy).take();
        if let Some(ended) = ended.filter(Busy::is_tick) {
            self.was_long.store(ended.is_long(), Ordering::Relaxed);
        }
        self.cancel.reset();
    }

    fn tell(&self, news: News) {
        lock(&self.news).push(news);
        wake::ring();
    }

    /// Says that something was cancelled, unless the program ends.
    fn tell_cancelled(&self, words: impl Into<String>) {
        if !self.is_leaving.load(Ordering::Relaxed) {
            self.tell(News::Done(words.into()));
        }
    }
}

/// An ask with its number, or a message.
enum Post {
    Message(Message),
    /// What is not counted: it comes from another thread than the one that draws, or changes nothing.
    Beside(Message),
    Written(Written),
    Held(Box<Held>),
    Ask(u64, Box<Ask>),
}

/// The window's end of the line.
pub struct Worker {
    posts: Sender<Post>,
    shared: Arc<Shared>,
    asked: u64,
    /// The ask that has yet to be answered.
    open: bool,
    posted: u64,
    /// The number of the last message that changes something,
    last_act: u64,
    /// of the last one by which something is kept that its file may not hold,
    last_kept: u64,
    /// and of the last one that is no seek.
    last_other: u64,
    fixed: bool,
    thread: JoinHandle<()>,
}

impl Worker {
    /// Puts a session onto a thread of its own, with its file and what is shown as its name. `fixed` says that two runs must look alike.
    pub fn start(
        session: Session,
        (path, name): (Option<PathBuf>, Option<String>),
        fixed: bool,
    ) -> Result<Self, String> {
        let (posts, inbox) = channel();
        let shared = Arc::new(Shared::default());
        let mut loop_ = run::Run::new(session, (path, name), fixed, Arc::clone(&shared), inbox);
        let thread = std::thread::Builder::new()
            .name("session".to_owned())
            .spawn(move || loop_.run())
            .map_err(|error| format!("no thread could be started: {error}"))?;
        Ok(Self {
            posts,
            shared,
            asked: 0,
            open: false,
            posted: 0,
            last_act: 0,
            last_kept: 0,
            last_other: 0,
            fixed,
            thread,
        })
    }

    /// Whether the session is no more, which only a fault of the program brings about.
    pub fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// Posts a message. A worker that is no more has said so before.
    pub fn post(&mut self, message: Message) {
        self.posted += 1;
        match message {
            Message::Act(..) | Message::OtherFuture => self.last_act = self.posted,
            Message::KeepMine(_) => self.last_kept = self.posted,
            _ => {}
        }
        let is_seek = matches!(message, Message::Seek(_));
        if !is_seek {
            self.last_other = self.posted;
        }
        // What nobody waits for any more ends, but only when the message is on its way; and what the message itself begins does
        // not begin before this is over.
        let busy = lock(&self.shared.busy);
        // The receiver lives as long as the program.
        let _ = self.posts.send(Post::Message(message));
        let yields = match busy.as_ref().map(|busy| busy.errand) {
            Some(Errand::Idle) => true,
            Some(Errand::Seek(number)) => is_seek && self.last_other <= number,
            Some(Errand::Asked | Errand::Tick) | None => false,
        };
        if yields {
            self.shared.cancel.cancel();
        }
    }

    /// Says how the scene of a session is looked at, for what is kept of it. Nothing ends for that, and it is no message that anybody counts:
    /// an edit goes on across it, and so does a journey through time.
    pub fn tell_looks(&mut self, session: u64, looks: Looks) {
        // The receiver lives as long as the program.
        let _ = self
            .posts
            .send(Post::Beside(Message::Looks(session, looks)));
    }

    /// Whether something was to be changed after the message of this number.
    pub fn has_acts_after(&self, number: u64) -> bool {
        self.last_act > number
    }

    /// Whether something is kept by a message after the one of this number: who leaves before it is heard that no file has the scene is
    /// asked as well.
    pub fn has_kept_after(&self, number: u64) -> bool {
        self.last_kept > number
    }

    /// The scene of the session of this number is kept, whatever has become of its file.
    pub fn keep_mine(&mut self, session: u64, of_file: OfFile) {
        let told = self.posts.clone();
        self.post(Message::KeepMine(KeepMine {
            session,
            of_file,
            told,
        }));
    }

    /// Says of which session no file may hold by now what is here: who ends without its window keeps that.
    pub fn note_gone(&self, session: Option<u64>) {
        *lock(&self.shared.gone) = session;
    }

    /// Saves the scene of this session, with all that was posted before. Gives the number of that wish.
    pub fn save(&mut self, session: u64, path: PathBuf, looks: Looks) -> u64 {
        let (number, told) = (self.posted + 1, self.posts.clone());
        self.post(Message::Save(Save {
            number,
            session,
            path,
            looks,
            told,
        }));
        number
    }

    /// How many messages have been posted.
    pub fn posted(&self) -> u64 {
        self.posted
    }

    /// Whether an ask has yet to be answered.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Asks unless the last ask is open, and gives the latest answer if there is one. Where two runs must look alike it is the answer
    /// to this very ask.
    pub fn exchange(&mut self, ask: Option<Ask>) -> Option<Box<Snapshot>> {
        if let Some(ask) = ask
            && (self.fixed || !self.open)
        {
            self.asked += 1;
            self.open = true;
            let _ = self.posts.send(Post::Ask(self.asked, Box::new(ask)));
        }
        let mut latest = lock(&self.shared.latest);
        while self.fixed
            && !self.thread.is_finished()
            && latest
                .as_ref()
                .is_none_or(|snapshot| snapshot.ask < self.asked)
        {
            let (guard, _) = self
                .shared
                .answered
                .wait_timeout(latest, Duration::from_secs(1))
                .unwrap_or_else(PoisonError::into_inner);
            latest = guard;
        }
        let snapshot = latest.take();
        if let Some(snapshot) = &snapshot {
            self.open = snapshot.ask < self.asked;
        }
        snapshot
    }

    /// Takes back a snapshot that has been looked at.
    pub fn give_back(&self, snapshot: Box<Snapshot>) {
        let mut spare = lock(&self.shared.spare);
        if spare.len() < 3 {
            spare.push(snapshot);
        }
    }

    /// What has happened since the last time.
    pub fn news(&self) -> Vec<News> {
        std::mem::take(&mut *lock(&self.shared.news))
    }

    /// What the view has to do to its pictures.
    pub fn take_jobs(&self, into: &mut Vec<TextureJob>) {
        into.append(&mut lock(&self.shared.jobs));
    }

    /// What has been under way for longer than anybody should wait without a word.
    pub fn busy(&self) -> Option<Busy> {
        lock(&self.shared.busy).clone().filter(Busy::is_long)
    }

    /// Ends what has been under way for that long, be it a tick of time or anything but that, or the tick after one that was so long.
    /// Whether there was any.
    pub fn cancel_long(&self, is_tick: bool) -> bool {
        let busy = lock(&self.shared.busy);
        let is_long = |busy: &Busy| busy.is_long() || busy.follows_long;
        let is_it = |busy: &Busy| is_long(busy) && busy.is_tick() == is_tick;
        let ends = busy.as_ref().is_some_and(is_it);
        if ends {
            self.shared.cancel.cancel();
        }
        ends
    }

    /// Has it seem that a tick is under way, for so long that the window says so or not.
    #[cfg(test)]
    pub fn pretend_tick(&self, is_long: bool) {
        self.shared.begin(Errand::Tick, "A tick".to_owned());
        if let Some(busy) = lock(&self.shared.busy).as_mut().filter(|_| is_long) {
            busy.since -= 2 * busy::PATIENCE;
        }
    }

    /// Whether what is under way is to end.
    #[cfg(test)]
    pub fn is_ending(&self) -> bool {
        self.shared.cancel.is_cancelled()
    }

    /// Whether a seek is on its way.
    #[cfg(test)]
    pub fn is_seeking(&self) -> bool {
        let busy = lock(&self.shared.busy);
        busy.as_ref()
            .is_some_and(|busy| matches!(busy.errand, Errand::Seek(_)))
    }

    /// Ends what is under way, if anything is. Whether there was.
    pub fn cancel(&self) -> bool {
        let busy = lock(&self.shared.busy);
        if busy.is_some() {
            self.shared.cancel.cancel();
        }
        busy.is_some()
    }

    /// Whoever calls what this gives keeps what is unsaved, from any thread, and waits for it, but not for ever. The answer is
    /// how much of it is kept.
    pub fn last_word(&self) -> impl Fn() -> Keeping + Send + use<> {
        let (posts, shared) = (self.posts.clone(), Arc::clone(&self.shared));
        move || {
            let (done, is_done) = channel();
            let message = Message::Leave { keep: true, done };
            shared.is_leaving.store(true, Ordering::Relaxed);
            // What is under way would only be lost as well.
            if lock(&shared.busy).is_some() {
                shared.cancel.cancel();
            }
            let is_sent = posts.send(Post::Beside(message)).is_ok();
            let answer = is_sent.then(|| is_done.recv_timeout(GOODBYE).ok());
            answer.flatten().unwrap_or(Keeping::Nothing)
        }
    }

    /// Keeps what is unsaved for the next start, or gives it up, and waits for that, but not for ever.
    pub fn leave(&mut self, keep: bool) {
        let (done, is_done) = channel();
        self.shared.is_leaving.store(true, Ordering::Relaxed);
        self.cancel();
        self.post(Message::Leave { keep, done });
        // What is not given up in time is offered at the next start.
        let _ = is_done.recv_timeout(GOODBYE);
    }

    /// Writes the recording, with how the scene of the session of this number is looked at, and waits for it, but not for ever.
    pub fn write_recording(
        &mut self,
        path: &Path,
        looks: Option<(u64, Looks)>,
    ) -> Result<(), String> {
        let (answer, answered) = channel();
        self.cancel();
        self.post(Message::Record(path.to_owned(), looks, Some(answer)));
        answered
            .recv_timeout(Duration::from_secs(10))
            .unwrap_or_else(|_| {
                Err(format!(
                    "{}: not saved: the battle did not answer",
                    path.display()
                ))
            })
    }
}
