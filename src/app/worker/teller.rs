//! The teller: carries an operation out on a copy of the first lane's structure and tells each of its events, on a thread of its
//! own, so that neither the battle nor the window waits for it.
//!
//! What operations at one moment have in common is found out once. Whoever drags an operation about sees those that were told on
//! the way; only the last one asked for has to be told.

use super::lock;
use skirmish::partition::AnyPartition;
use skirmish::probe::Cancel;
use skirmish::scene::Labels;
use skirmish::session::Session;
use skirmish::story::space::{Ground3, Operation3, Rooms, Stage3};
use skirmish::story::{Diagram, Ground, Operation, Reel, Stage, Story};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// More events than this are counted and not told.
const CAP: usize = 1_000_000;

/// A telling of something that nobody wants any more may take so long; then it is ended.
const PATIENCE: Duration = Duration::from_millis(150);

/// What is told while time passes, the structure as it stands or what a scene asks, is told no more often than this,
const LEAST_PAUSE: Duration = Duration::from_millis(100);
/// and then waits for so many times as long as that took.
const SPARED: u32 = 4;

/// What can be told.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// An operation on the structure of the first lane.
    Operation(Operation),
    /// An operation on the structure in space of the first lane.
    Space(Operation3),
    /// What the world loads and unloads in the next tick.
    Decision,
    /// The structure of the first lane as it stands: nothing happens to it.
    Structure,
}

impl Asked {
    /// The operation, if it is one.
    pub fn operation(&self) -> Option<&Operation> {
        match self {
            Self::Operation(operation) => Some(operation),
            Self::Space(_) | Self::Decision | Self::Structure => None,
        }
    }

    /// The operation in space, if it is one.
    pub fn operation3(&self) -> Option<&Operation3> {
        match self {
            Self::Space(operation) => Some(operation),
            _ => None,
        }
    }
}

/// As the command line writes it.
impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(operation) => operation.fmt(f),
            Self::Space(operation) => operation.fmt(f),
            Self::Decision => f.write_str("decide"),
            Self::Structure => f.write_str("structure"),
        }
    }
}

/// What was asked for and what came of it.
#[derive(Debug)]
pub struct Telling {
    /// What was asked for.
    pub asked: Asked,
    /// The moment at which it was carried out.
    pub moment: Moment,
    /// What happened; or why it cannot be carried out, in a sentence.
    pub outcome: Result<Reel, String>,
    /// The boxes in space, before it and after it.
    pub rooms: Rooms,
    /// The layout of the regions before it, and of those after it if it changes them.
    diagrams: [Diagram; 2],
}

impl Telling {
    /// What was told, laid out.
    pub fn new(asked: Asked, moment: Moment, outcome: Result<Story, String>) -> Self {
        let outcome = outcome.map(Reel::new);
        let diagrams = outcome.as_ref().map_or_else(
            |_| Default::default(),
            |reel| {
                let story = reel.story();
                let after = story.after.as_ref();
                let after =
                    after.map_or(Diagram::default(), |after| Diagram::of(after, reel, true));
                [Diagram::of(&story.before, reel, false), after]
            },
        );
        Self {
            asked,
            moment,
            outcome,
            rooms: Rooms::default(),
            diagrams,
        }
    }

    /// The layout of the regions before it, or after it.
    pub fn diagram(&self, after: bool) -> &Diagram {
        &self.diagrams[usize::from(after)]
    }
}

/// A moment of the session, as far as structures are concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The ticks since the beginning.
    pub tick: u64,
    /// How often something has been changed by hand.
    pub changes: u64,
    /// How often that was more than which structures follow, and how they are set.
    pub crowds: u64,
}

/// What both threads reach.
#[derive(Debug, Default)]
struct Board {
    stage: Option<(Moment, Arc<Stage>)>,
    /// The same in space.
    stage3: Option<(Moment, Arc<Stage3>)>,
    told: Option<Arc<Telling>>,
    /// How long the last telling took.
    took: Duration,
}

/// The thread, while there is one, and what it has told.
#[derive(Debug, Default)]
pub struct Teller {
    board: Arc<Mutex<Board>>,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
    /// What is told or was told last, and since when; nothing where that was ended before its end.
    under_way: Option<(Asked, Moment, Instant)>,
}

impl Teller {
    /// Forgets everything: nobody looks.
    pub fn stop(&mut self) {
        if self.under_way.is_none() && self.thread.is_none() {
            return;
        }
        self.cancel.cancel();
        // What is ended writes onto a board that nobody reads any more.
        *self = Self::default();
    }

    /// Has this told at this moment of the session, unless that is done or under way. `passes` says that time does: then the next moment
    /// is soon there. With `waits` it is told when this returns.
    pub fn tell(
        &mut self,
        session: &Session,
        (moment, passes): (Moment, bool),
        asked: &Asked,
        waits: bool,
    ) {
        let is_busy = self.thread.as_ref().is_some_and(|it| !it.is_finished());
        let same = self.under_way.as_ref();
        if same.is_some_and(|(other, at, _)| other == asked && *at == moment) {
            return;
        }
        if is_busy {
            // Whoever wants it again after that has to ask anew. The structure of a moment ago is better than none, and what takes longer than
            // that would never be told.
            let is_unwanted = |(other, at, since): &(Asked, Moment, Instant)| {
                let goes_on = passes && other == asked && at.changes == moment.changes;
                let is_same = goes_on || other == asked && *asked == Asked::Structure;
                !is_same && since.elapsed() > PATIENCE
            };
            if same.is_some_and(is_unwanted) {
                self.cancel.cancel();
                self.under_way = None;
            }
            return;
        }
        // While time passes the structure is another one in every tick: it is told as often as there is time for it beside the
        // battle.
        let pause = lock(&self.board).took * SPARED;
        let rests = same.is_some_and(|(other, at, since)| {
            let goes_on = passes && other == asked && at.changes == moment.changes;
            goes_on && since.elapsed() < pause.max(LEAST_PAUSE)
        });
        if rests && !waits && matches!(asked, Asked::Structure | Asked::Operation(_)) {
            return;
        }
        self.under_way = Some((asked.clone(), moment, Instant::now()));
        self.cancel = Cancel::default();
        if *asked == Asked::Decision {
            return self.tell_decision(session, moment, waits);
        }
        if let (Some(flight), Some(lane)) = (session.flight(), session.lanes3().first()) {
            let known = lock(&self.board).stage3.clone();
            let known = known.filter(|(at, _)| *at == moment);
            let stage = known.map(|(_, stage)| stage).unwrap_or_else(|| {
                let ground = Ground3::of(flight.bodies());
                let stage = Stage3::new(lane.index().clone(), ground, flight.pair_reach());
                Arc::new(stage)
            });
            lock(&self.board).stage3 = Some((moment, Arc::clone(&stage)));
            return self.tell_space(stage, moment, asked.clone(), waits);
        }
        let known = lock(&self.board).stage.clone();
        let stage = known
            .filter(|(at, _)| *at == moment)
            .map(|(_, stage)| stage);
        let copy = stage.is_none().then(|| Copy {
            index: session.lanes()[0].index().clone(),
            ground: Ground::of(session.battle().bodies()),
            reach: session.battle().pair_reach(),
        });
        let names = names_of(session);
        let (board, cancel, asked) = (Arc::clone(&self.board), self.cancel.clone(), asked.clone());
        let work = move || {
            let begun = Instant::now();
            let Some(stage) = stage.or_else(|| copy?.stage(moment, &board, &cancel)) else {
                return;
            };
            if let Some(telling) = telling(&stage, asked, (moment, &names), &cancel) {
                let mut board = lock(&board);
                board.told = Some(Arc::new(telling));
                board.took = begun.elapsed();
            }
        };
        self.work(work, waits);
    }

    /// Has told what the world decides in the next tick. It is heard here and now, for that is what the next tick does as well; words
    /// are found for it elsewhere.
    fn tell_decision(&mut self, session: &Session, moment: Moment, waits: bool) {
        let heard = match session.world() {
            Some(world) => world.hear_next_decision(CAP, &self.cancel).ok(),
            None => None,
        };
        let Some(heard) = heard else { return };
        let (board, cancel) = (Arc::clone(&self.board), self.cancel.clone());
        let work = move || {
            if let Ok(story) = heard.tell(&cancel) {
                let telling = Telling::new(Asked::Decision, moment, Ok(story));
                lock(&board).told = Some(Arc::new(telling));
            }
        };
        self.work(work, waits);
    }

    /// Has told what is asked of a structure in space.
    fn tell_space(&mut self, stage: Arc<Stage3>, moment: Moment, asked: Asked, waits: bool) {
        let (board, cancel) = (Arc::clone(&self.board), self.cancel.clone());
        let work = move || {
            let begun = Instant::now();
            if let Some(telling) = telling3(&stage, asked, moment, &cancel) {
                let mut board = lock(&board);
                board.told = Some(Arc::new(telling));
                board.took = begun.elapsed();
            }
        };
        self.work(work, waits);
    }

    fn work(&mut self, work: impl FnOnce() + Send + 'static, waits: bool) {
        if waits {
            return work();
        }
        // Without a thread nothing is told; the battle goes on.
        self.thread = std::thread::Builder::new()
            .name("story".to_owned())
            .spawn(work)
            .ok();
    }

    /// Whether this is still to be told at this moment, or something else is being told.
    pub fn is_at_work(&self, asked: &Asked, moment: Moment) -> bool {
        let is_busy = self.thread.as_ref().is_some_and(|it| !it.is_finished());
        let is_last = |(other, at, _): &(Asked, Moment, Instant)| other == asked && *at == moment;
        is_busy || !self.under_way.as_ref().is_some_and(is_last)
    }

    /// What was told last.
    pub fn told(&self) -> Option<Arc<Telling>> {
        lock(&self.board).told.clone()
    }
}

/// What a stage is made of.
struct Copy {
    index: AnyPartition,
    ground: Ground,
    reach: f32,
}

impl Copy {
    /// The stage, which is kept for what is asked for next; nothing where it was ended.
    fn stage(self, moment: Moment, board: &Mutex<Board>, cancel: &Cancel) -> Option<Arc<Stage>> {
        let stage = Stage::new(self.index, self.ground, self.reach, cancel).ok()?;
        let stage = Arc::new(stage);
        lock(board).stage = Some((moment, Arc::clone(&stage)));
        Some(stage)
    }
}

/// Tells what is asked of a structure; nothing where that was ended.
///
/// Units are called as the field calls them.
fn telling(
    stage: &Stage,
    asked: Asked,
    (moment, names): (Moment, &[String]),
    cancel: &Cancel,
) -> Option<Telling> {
    let mut outcome = match asked.operation() {
        None => Ok(stage.still()),
        Some(operation) => match operation.check(stage.ground().bodies()) {
            Ok(()) => Ok(stage.tell(operation, CAP, cancel).ok()?),
            Err(refused) => Err(refused.to_string()),
        },
    };
    if let (Ok(story), false) = (&mut outcome, names.is_empty()) {
        story.call_units(names);
    }
    Some(Telling::new(asked, moment, outcome))
}

/// The same of a structure in space.
fn telling3(stage: &Stage3, asked: Asked, moment: Moment, cancel: &Cancel) -> Option<Telling> {
    let Some(operation) = asked.operation3() else {
        let still = stage.still(cancel).ok()?;
        return Some(Telling::new(asked, moment, Ok(still)));
    };
    if let Err(refused) = operation.check(stage.ground().bodies()) {
        return Some(Telling::new(asked, moment, Err(refused.to_string())));
    }
    let (story, rooms) = stage.tell(operation, CAP, cancel).ok()?;
    Some(Telling {
        rooms,
        ..Telling::new(asked, moment, Ok(story))
    })
}

/// What the scene calls its units; nobody has a name in a world, where names are those of its objects.
fn names_of(session: &Session) -> Vec<String> {
    let scene = session.scene();
    match &scene.view.labels {
        Some(Labels::Names(names)) if scene.world.is_none() => names.clone(),
        _ => Vec::new(),
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::scene::file;
    use std::path::Path;

    #[test]
    fn what_a_scene_asks_is_told_with_pauses_while_time_passes_and_at_once_after_an_edit() {
        let mut scene = file::built_in();
        scene.scale_units(200);
        let (session, _) = Session::new(scene, Path::new(""));
        let asked = Asked::Operation(Operation::Range(session.scene().field));
        let at = |tick: u64, changes: u64| Moment {
            tick,
            changes,
            crowds: 0,
        };
        let mut teller = Teller::default();
        teller.tell(&session, (at(0, 0), true), &asked, true);
        assert_eq!(teller.told().map(|told| told.moment), Some(at(0, 0)));
        // The next tick comes sooner than the pause ends, and is told after that.
        lock(&teller.board).took = Duration::from_secs(3600);
        teller.tell(&session, (at(1, 0), true), &asked, false);
        assert!(teller.thread.is_none() && teller.is_at_work(&asked, at(1, 0)));
        teller.tell(&session, (at(1, 1), true), &asked, true);
        assert_eq!(teller.told().map(|told| told.moment), Some(at(1, 1)));
        // Who steps while time stands waits for nothing.
        lock(&teller.board).took = Duration::from_secs(3600);
        teller.tell(&session, (at(2, 1), false), &asked, false);
        assert!(teller.thread.is_some());
    }
}
