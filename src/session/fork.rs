//! The other future: what was known after a tick, and is not what comes after it any more, since somebody changed something there.
//!
//! One is kept, the last. To turn to it puts the present one aside in its place, so that nobody who looked back and touched something
//! has lost what came of hours.

use super::file::Recording;
use super::mark::{LateSum, Mark};
use super::timeline::{Act, Timeline};
use super::undo::Entry;
use super::work::{left_of, new_since, of_account, taken_of};
use super::{Action, AheadKept, Journey, LaneWatch, Refusal, Session, Unsaved};
use crate::probe::Cancel;
use crate::scene::{AnyChoice, Scene};
use std::ops::Range;
use std::sync::Arc;

/// A future that was put aside.
#[derive(Clone, Debug)]
pub(super) struct Fork {
    /// The tick up to which both have one past.
    at: u64,
    /// How many actions both have in common.
    done: usize,
    /// All of that past and of the other future; keyframes of the past alone.
    timeline: Timeline,
    /// How many of its actions a file has, but for looks beside.
    saved: usize,
    /// Where so many of its actions are done, the file has all that the scene has, as in the session.
    before_saved: Range<usize>,
    /// What somebody has made or set in that future that no file has.
    work: Unsaved,
    /// With what it leaves the past of both.
    left_with: LeftWith,
    /// What was edited first in that future, as of [`Session::edit_of_other_future`].
    first_edit: Option<String>,
    /// What somebody has made or set in that past that the file has not: it is lost by neither future as long as the present one has it.
    of_past: Unsaved,
}

/// The scene before something is done, and the structures that were left for others up to then.
#[derive(Clone, Debug)]
pub(super) struct LeftWith {
    scene: Arc<Scene>,
    choices: Vec<AnyChoice>,
}

/// Who was late in the present future and in the other one, over the ticks that are known of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateInBoth {
    /// The tick up to which both have one past: what comes after it is counted.
    pub after: u64,
    /// The last tick that is counted.
    pub until: u64,
    /// Those of the present future.
    pub here: LateSum,
    /// Those of the other one.
    pub other: LateSum,
}

impl LateInBoth {
    /// Whether ticks of the world that was made at the tick `made` are among those that are counted: none is once it has begun anew behind them.
    pub fn is_of_world(&self, made: u64) -> bool {
        self.until > made
    }
}

/// The last answer to [`Session::late_in_both_kept`], and what it was found in.
#[derive(Debug, Default)]
pub struct LateKept {
    of: Option<LateOf>,
    answer: Option<LateInBoth>,
    /// The object that was asked for last, by its number of a numbering, and what was found of that alone.
    one: Option<((u32, u32), Option<LateInBoth>)>,
}

/// What it depends on who was late in both futures.
#[derive(Debug)]
struct LateOf {
    /// The marks of the present future and of the other one. They are held, so that none others come to lie where they were.
    marks: [Arc<Vec<Mark>>; 2],
    /// The last tick that is known of both.
    known: u64,
    acts: [usize; 2],
    at: u64,
    done: usize,
}

impl Fork {
    /// How many actions both futures have in common, but for looks beside.
    pub(super) fn common(&self) -> usize {
        let common = self.timeline.acts().get(..self.done);
        of_account(common.unwrap_or_default()).count()
    }

    /// Fewer actions than so many are no more than both futures have in common.
    pub(super) const fn past(&self) -> usize {
        self.done + 1
    }

    /// The same where the present future is saved. This one goes on with as many as both have in common after they have parted, where what
    /// is saved does not come any more, unless it has parted by an action of its own.
    fn past_of_saved(&self) -> usize {
        let next = self.timeline.acts().get(self.done);
        self.done + usize::from(next.is_some_and(|act| act.at <= self.at))
    }

    /// The scene has been named since it left the past of both.
    pub(super) fn keep_name(&mut self, name: &str) {
        if self.left_with.scene.name == Scene::NEW {
            name.clone_into(&mut Arc::make_mut(&mut self.left_with.scene).name);
        }
    }

    /// What both futures have in common is lost by neither, and edited in neither alone. What is slipped into that changes nothing of it.
    fn note_work(&mut self) {
        let marks = self.timeline.marks();
        let mut new = new_since(self.timeline.acts(), self.done).into_iter();
        // Of what was undone or done again in its very tick only one of both has a mark.
        let words = |by: [usize; 2]| by.into_iter().find_map(|place| marks.edit_of(place + 1));
        self.first_edit = new.find_map(words);
        let known = self.common().max(self.saved);
        self.work = left_of(of_account(self.timeline.acts()), known);
    }
}

impl LateOf {
    fn is_same(&self, other: &Self) -> bool {
        let mut marks = self.marks.iter().zip(&other.marks);
        marks.all(|(own, other)| Arc::ptr_eq(own, other))
            && self.known == other.known
            && self.acts == other.acts
            && (self.at, self.done) == (other.at, other.done)
    }
}

/// The first tick after so many actions at which the world begins anew, or at which what made it may be taken back or done again.
fn anew(timeline: &Timeline, done: usize) -> Option<u64> {
    let (before, since) = timeline.acts().split_at_checked(done)?;
    let is_anew = |act: &Act| {
        matches!(
            act.act,
            Action::Restart | Action::SwapSides | Action::Begin(_) | Action::Units(_)
        )
    };
    // Which edit an undo takes back is not written down.
    let has_begun_anew = before.iter().any(is_anew);
    let may_be = |act: &Act| has_begun_anew && matches!(act.act, Action::Undo | Action::Redo);
    let mut since = since.iter();
    since
        .find(|act| is_anew(act) || may_be(act))
        .map(|it| it.at)
}

impl Session {
    /// The future after the present tick, before what is taken down of an edit ends it, and what was there `before` that; `None` where nothing
    /// is known after it.
    pub(super) fn future(&self, before: Option<LeftWith>) -> Option<Fork> {
        before.map(|left_with| {
            let mut fork = Fork {
                at: self.tick,
                done: self.timeline.done(),
                timeline: self.timeline.put_aside(self.tick),
                saved: self.acts_saved,
                before_saved: self.before_saved.clone(),
                work: Unsaved::Nothing,
                left_with,
                first_edit: None,
                of_past: Unsaved::Nothing,
            };
            fork.note_work();
            fork
        })
    }

    /// What is there before something is done here, where that ends a future.
    pub(super) fn before_cut(&self) -> Option<LeftWith> {
        (self.timeline.end() > self.tick).then(|| LeftWith {
            scene: Arc::clone(self.scene()),
            choices: self.document.choices().to_vec(),
        })
    }

    /// What somebody has made or set in the other future that no file has, as far as that is known: of other files than that of the scene
    /// nobody says what they hold by now. The past of both it alone has where the present one has it not any more, or is not worth as much.
    pub fn other_future_unsaved(&self) -> Unsaved {
        let Some(fork) = &self.fork else {
            return Unsaved::Nothing;
        };
        match fork.of_past > fork.work {
            true => self.lost_with(fork, self.taken_of_past(fork), self.unsaved_ahead()),
            false => fork.work,
        }
    }

    /// The same for who asks again and again, as of [`Session::unsaved_ahead_kept`].
    pub fn other_future_unsaved_kept(&self, kept: &mut AheadKept) -> Unsaved {
        let Some(fork) = &self.fork else {
            return Unsaved::Nothing;
        };
        if fork.of_past <= fork.work {
            return fork.work;
        }
        let ahead = self.unsaved_ahead_kept(kept);
        let versions = [self.version(), self.other_future_version()];
        let taken = match &kept.taken {
            Some((of, taken)) if *of == versions => *taken,
            _ => {
                let taken = self.taken_of_past(fork);
                kept.taken = Some((versions, taken));
                taken
            }
        };
        self.lost_with(fork, taken, ahead)
    }

    /// What is lost with the other future, where so much of the past of both was `taken` from the present one, which has so much `ahead`.
    fn lost_with(&self, fork: &Fork, taken: Unsaved, ahead: Unsaved) -> Unsaved {
        let of_past = match fork.of_past {
            Unsaved::Work if self.unsaved().max(ahead) < Unsaved::Work => Unsaved::Work,
            // Of several settings each is lost for itself.
            of_past => taken.min(of_past),
        };
        fork.work.max(of_past)
    }

    fn taken_of_past(&self, fork: &Fork) -> Unsaved {
        taken_of(of_account(self.timeline.acts()), fork.common())
    }

    /// The other future as a recording, where somebody has made or set something in it that no file has.
    pub fn other_future_recording(&self) -> Option<Recording> {
        let is_lost = self.other_future_unsaved() != Unsaved::Nothing;
        let fork = self.fork.as_ref().filter(|_| is_lost)?;
        Some(self.recording_of(&fork.timeline))
    }

    /// Another future is aside, or its file holds something else: takes down what of the past of both the file has not.
    pub(super) fn note_past_of_fork(&mut self) {
        let Some(fork) = &self.fork else { return };
        let of_past = match fork.saved >= fork.common() {
            // The file has the whole past, as a recording has it.
            true => Unsaved::Nothing,
            // What nobody has made there is of the file, or of what it began with.
            false => {
                let LeftWith { scene, choices } = &fork.left_with;
                let made = left_of(of_account(&fork.timeline.acts()[..fork.done]), 0);
                // What was made before something came of it the file has with that.
                let is_in_file = self.before_saved.contains(&fork.done);
                let settings = is_in_file || made <= Unsaved::Settings;
                self.beyond_of_past(scene, choices, settings).min(made)
            }
        };
        if let Some(fork) = &mut self.fork {
            fork.of_past = of_past;
        }
    }

    /// A file has all that has been done up to here, or none has anything of it.
    pub(super) fn note_acts_saved(&mut self, is_saved: bool) {
        let done = &self.timeline.acts()[..self.timeline.done()];
        self.acts_saved = if is_saved {
            of_account(done).count()
        } else {
            0
        };
        // What was edited while the scene was written is in no file, wherever one stands.
        let is_here = |saved: &Arc<Scene>| saved.is_but_for_looks(self.scene());
        self.before_saved = match is_saved && self.saved.as_ref().is_some_and(is_here) {
            true => {
                // What stood before something was taken away, or its place was taken, the file has no more.
                let last = done.iter().rposition(|act| !act.act.adds());
                last.map_or(0, |place| place + 1)..done.len()
            }
            false => 0..0,
        };
        if let Some(fork) = &mut self.fork {
            let Range { start, end } = self.before_saved;
            fork.before_saved = start..end.min(fork.past_of_saved());
        }
        self.note_past_of_fork();
    }

    /// What comes before a version that a file holds is compared with it from now on, as everything else is.
    pub(super) fn note_nothing_before_saved(&mut self) {
        self.before_saved = 0..0;
        if let Some(fork) = &mut self.fork {
            fork.before_saved = 0..0;
        }
    }

    /// The file that had something of the other future has nothing of it any more but what both futures have in common.
    pub(super) fn note_other_future_unsaved(&mut self) {
        if let Some(fork) = &mut self.fork {
            fork.saved = 0;
            fork.note_work();
        }
        self.note_past_of_fork();
    }

    /// Whether what is known after the present tick stays known when this is done here: it only looks, and nothing that comes minds who
    /// else looks.
    pub(super) fn leaves_future(&self, action: &Action) -> bool {
        let minds = |act: &Act| act.act.minds_lanes() && !matches!(act.act, Action::Beside(_));
        let do_not_mind = |acts: &[Act]| !acts.iter().any(minds);
        let coming = &self.timeline.acts()[self.timeline.done()..];
        let others = self.fork.as_ref().filter(|fork| self.has_in_common(fork));
        let others = others.map(|fork| &fork.timeline.acts()[self.timeline.done()..]);
        matches!(action, Action::Beside(_)) && do_not_mind(coming) && others.is_none_or(do_not_mind)
    }

    /// Whether what is done now would be of the past that both futures have.
    fn has_in_common(&self, fork: &Fork) -> bool {
        self.tick < fork.at || self.timeline.done() < fork.done
    }

    /// Takes down what has been done here, and leaves what comes: in both futures, where it is of their common past.
    pub(super) fn slip_in(&mut self, act: Act) {
        let done = self.timeline.done();
        if let Some(mut fork) = self.fork.take() {
            if self.has_in_common(&fork) {
                let is_moved = |place: &usize| (done..fork.done).contains(place);
                let moved = fork.timeline.looks_beside().filter(is_moved).count();
                fork.timeline.slip_in(done, act.clone());
                fork.done = fork.done + 1 - moved;
                self.aside_written += 1;
            }
            self.fork = Some(fork);
        }
        self.timeline.slip_in(done, act);
    }

    /// The tick at which the other future leaves the present one, and the last tick that is known of it.
    pub fn other_future(&self) -> Option<(u64, u64)> {
        let fork = self.fork.as_ref()?;
        Some((fork.at, fork.timeline.end()))
    }

    /// What was edited first in the other future since it has parted from the present one, in the words of undo: whoever has taken it back,
    /// and with that brought the present one back, finds it there and not among what can be done again.
    pub fn edit_of_other_future(&self) -> Option<&str> {
        self.fork.as_ref()?.first_edit.as_deref()
    }

    /// Who was late in the present future and in the other one since they have parted; `None` where there is no world or no other future,
    /// and where nothing is known yet of one of them. It is counted up to where the world begins anew in one of them: from there on the
    /// two are other rides.
    pub fn late_in_both(&self) -> Option<LateInBoth> {
        let fork = self.fork.as_ref().filter(|_| self.world.is_some())?;
        let (own, other) = (self.timeline.marks(), fork.timeline.marks());
        let known = own.known_until().min(other.known_until());
        let anew = [&self.timeline, &fork.timeline].map(|it| anew(it, fork.done));
        let (after, until) = (fork.at, anew.into_iter().flatten().fold(known, u64::min));
        (until > after).then(|| LateInBoth {
            after,
            until,
            here: own.late_between([after, until]),
            other: other.late_between([after, until]),
        })
    }

    /// The same for who asks again and again: it is found anew where something has come that it depends on.
    pub fn late_in_both_kept(&self, kept: &mut LateKept) -> Option<LateInBoth> {
        let Some(fork) = self.fork.as_ref().filter(|_| self.world.is_some()) else {
            *kept = LateKept::default();
            return None;
        };
        let both = [&self.timeline, &fork.timeline];
        let of = LateOf {
            marks: both.map(|it| Arc::clone(it.marks().list())),
            known: both
                .map(|it| it.marks().known_until())
                .into_iter()
                .fold(u64::MAX, u64::min),
            acts: both.map(|it| it.acts().len()),
            at: fork.at,
            done: fork.done,
        };
        if !kept.of.as_ref().is_some_and(|last| last.is_same(&of)) {
            kept.answer = self.late_in_both();
            kept.of = Some(of);
            kept.one = None;
        }
        kept.answer
    }

    /// Whether one object was late in either of the futures of which [`Self::late_in_both_kept`] spoke last; `None` where that is not
    /// known of both.
    pub fn late_of_one_kept(&self, kept: &mut LateKept, object: u32) -> Option<LateInBoth> {
        let (both, fork) = (kept.answer?, self.fork.as_ref()?);
        let who = (object, self.world.as_ref()?.streaming().numbering());
        if let Some((_, answer)) = kept.one.filter(|(of, _)| *of == who) {
            return answer;
        }
        let ticks = [both.after, both.until];
        let of = |timeline: &Timeline| timeline.marks().late_of_one(ticks, who);
        let found = of(&self.timeline).zip(of(&fork.timeline));
        let answer = found.map(|(here, other)| LateInBoth {
            here,
            other,
            ..both
        });
        kept.one = Some((who, answer));
        answer
    }

    /// Whether undo (or redo) takes back next what has ended the other future: then the future comes back with it. Whoever has undone
    /// something in the past has ended it by that, and redo brings it back.
    pub fn brings_future_back(&self, redo: bool) -> bool {
        self.is_at_fork() && self.turns_to_future(redo) == Some(1)
    }

    /// Whether undo, or redo, brings the other future back when all that was done here since is taken back by it.
    pub fn leads_to_future(&self) -> bool {
        // What takes back only a part of it where something is known after it ends that, which takes the other future's place.
        let ends_none = self.timeline.end() <= self.tick;
        let leads = |redo| {
            let turns = self.turns_to_future(redo);
            turns.is_some_and(|turns| turns == 1 || ends_none)
        };
        self.is_at_fork() && (leads(false) || leads(true))
    }

    /// The edit that undo takes back next, where it was done since the other future was left: with that all is again as it was before.
    pub(super) fn edit_since_fork(&self) -> Option<&Entry> {
        let fork = self.fork.as_ref()?;
        let is_since = self.undo.last_act().is_some_and(|act| act >= fork.done);
        self.undo.next(false).filter(|_| is_since).map(|it| &**it)
    }

    /// Whether undo takes back next what has ended the other future, but time has gone on since: the future stays aside.
    pub fn undo_leaves_future_aside(&self) -> bool {
        self.turns_to_future(false) == Some(1) && !self.is_at_fork()
    }

    /// Whether it is the tick at which the other future leaves the present one.
    fn is_at_fork(&self) -> bool {
        self.fork.as_ref().is_some_and(|fork| fork.at == self.tick)
    }

    /// How often undo (or redo) has to be done until it has taken back the edit (or the undo of one) that has put the other future aside;
    /// `None` where it does not come to that.
    fn turns_to_future(&self, redo: bool) -> Option<usize> {
        let fork = self.fork.as_ref()?;
        let done = &self.timeline.acts()[..self.timeline.done()];
        let since = done.get(fork.done..).unwrap_or_default();
        // Who has looked beside it has changed nothing, and a hand that lets go makes no edit of its own.
        let mut since = since
            .iter()
            .enumerate()
            .filter(|(_, act)| !matches!(act.act, Action::Beside(_) | Action::LetGo));
        let (place, first) = since.next()?;
        // What is done in a future that came back later on has ended nothing.
        if first.at != fork.at {
            return None;
        }
        match (&first.act, redo) {
            // An edit in between leaves nothing to redo.
            (Action::Undo, true) => since
                .try_fold(1_usize, |undone, (_, act)| match act.act {
                    Action::Undo => Some(undone + 1),
                    Action::Redo => undone.checked_sub(1),
                    _ => None,
                })
                .filter(|undone| *undone > 0),
            (Action::Undo, false) | (_, true) => None,
            // What is no edit of its own, or goes on with an older one, has ended it as well.
            _ => self
                .undo
                .until(fork.done + place)
                .or_else(|| since.all(|(_, act)| act.more).then_some(1)),
        }
    }

    /// Goes to where the other future begins, and makes it the one that comes; the present one is put aside for it. Refused or
    /// abandoned, the session is where it was.
    pub fn turn_to_other_future(
        &mut self,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(), Refusal> {
        let Some(fork) = self.fork.take() else {
            return Err(Refusal::because(
                "There is no other future: one is put aside when something is changed in the past.",
            ));
        };
        let here = Journey {
            to: fork.at,
            from: (self.tick, self.timeline.done()),
            state: Arc::new(self.snapshot()),
            undo: self.undo.clone(),
        };
        let (at, done, saved) = (fork.at, fork.done, fork.saved);
        let before_saved = fork.before_saved.clone();
        let left_with = fork.left_with;
        self.acts_written += 1;
        let own = std::mem::replace(&mut self.timeline, fork.timeline);
        match self.timeline.keyframe_before(at).cloned() {
            Some(key) => self.restore(key.tick, key.done, &key.state, key.undo),
            None => self.begin_again(),
        }
        let result = self.arrive(&here, cancel, watch);
        let timeline = match result {
            Ok(()) => own.put_aside(at),
            // What was aside is aside again.
            Err(_) => std::mem::replace(&mut self.timeline, own),
        };
        self.acts_written += 1;
        if result.is_err() {
            self.turn_back(&here);
        }
        let mut fork = Fork {
            at,
            done,
            timeline,
            saved,
            before_saved,
            work: Unsaved::Nothing,
            left_with,
            first_edit: None,
            of_past: Unsaved::Nothing,
        };
        if result.is_ok() {
            std::mem::swap(&mut fork.saved, &mut self.acts_saved);
            std::mem::swap(&mut fork.before_saved, &mut self.before_saved);
            self.aside_written += 1;
        }
        fork.note_work();
        self.fork = Some(fork);
        self.note_past_of_fork();
        result
    }
}
