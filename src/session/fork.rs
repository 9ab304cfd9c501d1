//! The other future: what was known after a tick, and is not what comes after it any more, since somebody changed something there.
//!
//! One is kept, the last. To turn to it puts the present one aside in its place, so that nobody who looked back and touched something
//! has lost what came of hours.

use super::file::Recording;
use super::mark::{LateSum, Mark};
use super::timeline::{Act, Timeline};
use super::work::{left_of, of_account, taken_of};
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

    /// What both futures have in common is lost by neither.
    fn note_work(&mut self) {
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

#[cfg(test)]
mod tests {
    use crate::probe::Cancel;
    use crate::scene::Scene;
    use crate::scene::file::built_in;
    use crate::session::tests::{act, run, skirmish};
    use crate::session::{Action, AheadKept, MarkKind, Session, SideWord, Unsaved};
    use std::path::Path;
    use std::sync::Arc;

    fn place(x: f32) -> Action {
        Action::Spawn(SideWord::Blue, (x, 100.0), 12.0, 40)
    }

    fn seek(session: &mut Session, tick: u64) {
        session.seek(tick, &Cancel::default(), &mut ()).unwrap();
    }

    fn turn(session: &mut Session) {
        session
            .turn_to_other_future(&Cancel::default(), &mut ())
            .unwrap();
    }

    #[test]
    fn a_future_that_an_edit_has_ended_comes_back_as_it_was_and_the_present_one_stays_aside() {
        let mut session = skirmish(300);
        assert!(
            session
                .turn_to_other_future(&Cancel::default(), &mut ())
                .is_err()
        );
        run(&mut session, 50);
        act(&mut session, place(150.0));
        run(&mut session, 70);
        let (first, marks) = (session.hash(), session.timeline().marks().list().len());
        seek(&mut session, 40);
        assert_eq!(session.other_future(), None);
        act(&mut session, place(300.0));
        assert_eq!(session.other_future(), Some((40, 120)));
        run(&mut session, 90);
        let second = session.hash();
        // Both come out as they did, as often as one turns.
        for (end, hash) in [(120, first), (130, second), (120, first)] {
            turn(&mut session);
            assert_eq!(session.tick_count(), 40);
            assert_eq!(session.timeline().end(), end);
            seek(&mut session, end);
            assert_eq!(session.hash(), hash);
            assert_eq!(session.timeline().diverged_at(), None);
        }
        assert_eq!(session.timeline().marks().list().len(), marks);
    }

    #[test]
    fn what_somebody_has_made_in_the_other_future_is_known_until_a_file_has_it() {
        let (work, nothing) = (Unsaved::Work, Unsaved::Nothing);
        let forked = |acts: Vec<Action>, saves: bool| {
            let mut session = skirmish(300);
            run(&mut session, 50);
            for action in acts {
                act(&mut session, action);
            }
            if saves {
                let scene = Arc::clone(session.scene());
                session.note_saved(scene);
            }
            run(&mut session, 20);
            seek(&mut session, 40);
            assert!(session.other_future_unsaved() == Unsaved::Nothing);
            act(&mut session, Action::Structure("quadtree".to_owned()));
            session
        };
        let structure_of = |key: &str| Action::Structure(key.to_owned());
        let structure = structure_of("kd-tree");
        let nowhere = Action::Erase((-9000.0, -9000.0), 1.0);
        for (acts, left) in [
            (vec![place(150.0)], work),
            (vec![structure.clone()], nothing),
            (vec![place(150.0), Action::Undo], nothing),
            (vec![place(150.0), Action::Undo, Action::Redo], work),
            (vec![structure, place(150.0)], work),
            // What hits nobody is no edit, and undo takes none of it back.
            (vec![nowhere.clone()], nothing),
            (vec![place(150.0), nowhere, Action::Undo], nothing),
        ] {
            assert_eq!(forked(acts, false).other_future_unsaved(), left);
        }
        // What was undone in the file and is done again since no file has; what is again as it was there the file has.
        for (before, since, left) in [
            (vec![place(150.0), Action::Undo], vec![Action::Redo], work),
            (
                vec![place(150.0)],
                vec![Action::Undo, Action::Redo],
                nothing,
            ),
        ] {
            let mut session = skirmish(300);
            run(&mut session, 50);
            for action in before {
                act(&mut session, action);
            }
            let scene = Arc::clone(session.scene());
            session.note_saved(scene);
            for action in since {
                act(&mut session, action);
            }
            run(&mut session, 20);
            seek(&mut session, 40);
            act(&mut session, Action::Structure("quadtree".to_owned()));
            assert_eq!(session.other_future_unsaved(), left);
        }
        // As a recording it is there with all that was done in it.
        let session = forked(vec![place(150.0)], false);
        let recording = session.other_future_recording().unwrap();
        assert!(recording.acts.iter().any(|it| it.act == place(150.0)));
        let (mut again, _) = Session::of_recording(recording).unwrap();
        let end = session.other_future().unwrap().1;
        seek(&mut again, end);
        assert_eq!(again.timeline().diverged_at(), None);
        let session = forked(vec![structure_of("kd-tree")], false);
        assert_eq!(session.other_future_recording(), None);
        // It lies in the file until that is written anew.
        let mut session = forked(vec![place(150.0)], true);
        assert!(session.other_future_unsaved() == Unsaved::Nothing);
        turn(&mut session);
        assert!(session.other_future_unsaved() == Unsaved::Nothing);
        turn(&mut session);
        // Another file takes nothing away.
        let scene = Arc::clone(session.scene());
        session.note_saved_elsewhere(Arc::clone(&scene));
        assert!(session.other_future_unsaved() == Unsaved::Nothing && !session.is_unsaved());
        session.note_saved(scene);
        assert!(session.other_future_unsaved() == Unsaved::Work);
        // Whoever has turned to it has it, and can save it.
        turn(&mut session);
        assert!(session.other_future_unsaved() == Unsaved::Nothing);
    }

    #[test]
    fn a_file_that_was_written_in_one_future_has_nothing_of_the_other_one_but_its_past() {
        let mut session = slow_ride();
        run(&mut session, 5);
        act(&mut session, latency("1"));
        run(&mut session, 45);
        seek(&mut session, 10);
        act(&mut session, latency("30"));
        run(&mut session, 20);
        let scene = Arc::clone(session.scene());
        session.note_saved(scene);
        seek(&mut session, 7);
        assert!(!session.is_unsaved());
        // As many actions have been done there as both have in common, and the file has another value.
        turn(&mut session);
        assert_eq!(session.unsaved(), Unsaved::Settings);
        seek(&mut session, 30);
        assert_eq!(session.unsaved(), Unsaved::Settings);
        seek(&mut session, 4);
        assert!(!session.is_unsaved());
        // So it is where this one is saved. The other one has parted by an action of its own: before that both are one.
        seek(&mut session, 50);
        act(&mut session, latency("2"));
        run(&mut session, 5);
        let scene = Arc::clone(session.scene());
        session.note_saved(scene);
        turn(&mut session);
        assert_eq!(session.unsaved(), Unsaved::Settings);
        seek(&mut session, 7);
        assert!(!session.is_unsaved());
    }

    #[test]
    fn a_future_with_a_setting_that_no_file_has_is_kept_beside_a_scene_that_is_as_in_its_file_again()
     {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = crate::scene::file::read(&path).unwrap();
        let requests =
            |count: u32| Action::Tune("requests_in_flight".to_owned(), count.to_string());
        let of_file = scene.world.as_ref().unwrap().budgets.requests_in_flight;
        let (mut session, _) = Session::new(scene, path.parent().unwrap());
        act(&mut session, requests(1));
        run(&mut session, 30);
        seek(&mut session, 0);
        act(&mut session, requests(of_file));
        run(&mut session, 5);
        assert!(!session.is_unsaved() && !session.is_worth_keeping());
        assert_eq!(session.other_future_unsaved(), Unsaved::Settings);
        assert!(session.other_future_recording().is_some());
        // What is set in one future alone lies in no file either, ahead of who goes back in it or aside.
        run(&mut session, 5);
        act(&mut session, requests(2));
        run(&mut session, 5);
        seek(&mut session, 5);
        assert!(!session.is_unsaved());
        assert_eq!(session.unsaved_ahead(), Unsaved::Settings);
        act(&mut session, Action::Structure("quadtree".to_owned()));
        assert_eq!(session.other_future_unsaved(), Unsaved::Settings);
        // Who has only looked at another structure has set nothing.
        turn(&mut session);
        assert_eq!(session.other_future_unsaved(), Unsaved::Nothing);
    }

    /// What is lost with the other future, asked for in both ways.
    fn aside(session: &Session) -> Unsaved {
        let lost = session.other_future_unsaved();
        let mut kept = AheadKept::default();
        assert_eq!(session.other_future_unsaved_kept(&mut kept), lost);
        assert_eq!(session.other_future_unsaved_kept(&mut kept), lost);
        lost
    }

    fn save(session: &mut Session) {
        session.note_saved(Arc::clone(session.scene()));
    }

    #[test]
    fn the_past_of_both_futures_is_lost_where_the_present_one_has_it_no_more_and_nowhere_else() {
        let quadtree = || Action::Structure("quadtree".to_owned());
        let forked = |since: Action| {
            let mut session = skirmish(300);
            run(&mut session, 5);
            act(&mut session, place(150.0));
            run(&mut session, 45);
            seek(&mut session, 20);
            act(&mut session, since);
            run(&mut session, 5);
            session
        };
        // Also where it lies ahead of who has gone back before it.
        let mut session = forked(quadtree());
        for tick in [25, 2] {
            seek(&mut session, tick);
            assert_eq!(aside(&session), Unsaved::Nothing);
        }
        assert_eq!(session.unsaved_ahead(), Unsaved::Work);
        // Where it was undone the other one alone has it, whatever else is made in its place, and saved.
        let mut session = forked(Action::Undo);
        assert!(!session.is_worth_keeping());
        assert_eq!(aside(&session), Unsaved::Work);
        act(&mut session, place(300.0));
        assert_eq!(aside(&session), Unsaved::Work);
        save(&mut session);
        assert_eq!(aside(&session), Unsaved::Work);
        act(&mut session, Action::Undo);
        act(&mut session, Action::Redo);
        assert_eq!(aside(&session), Unsaved::Work);
        // What is undone of the present one alone takes nothing of it.
        let mut session = forked(place(300.0));
        act(&mut session, Action::Undo);
        assert_eq!(aside(&session), Unsaved::Nothing);
        save(&mut session);
        assert_eq!(aside(&session), Unsaved::Nothing);
    }

    #[test]
    fn a_future_in_which_nobody_has_done_anything_is_no_work() {
        for action in [
            Action::Units(5000),
            Action::SwapSides,
            Action::Erase((150.0, 100.0), 9000.0),
        ] {
            let mut session = skirmish(300);
            run(&mut session, 30);
            seek(&mut session, 0);
            act(&mut session, action);
            assert_eq!(aside(&session), Unsaved::Nothing);
            save(&mut session);
            assert!(session.other_future().is_some());
            assert_eq!(aside(&session), Unsaved::Nothing);
        }
    }

    #[test]
    fn the_past_that_a_recording_has_is_not_lost_with_a_future_until_its_file_has_something_else() {
        let mut session = skirmish(300);
        run(&mut session, 5);
        act(&mut session, place(150.0));
        run(&mut session, 45);
        let (mut session, _) = Session::of_recording(session.recording()).unwrap();
        seek(&mut session, 50);
        seek(&mut session, 20);
        act(&mut session, Action::Undo);
        assert_eq!(aside(&session), Unsaved::Nothing);
        save(&mut session);
        assert_eq!(aside(&session), Unsaved::Work);
    }

    #[test]
    fn a_name_that_a_file_gives_is_also_that_of_the_past_of_both_futures() {
        let mut scene = built_in();
        scene.scale_units(300);
        scene.name = Scene::NEW.to_owned();
        let (mut session, _) = Session::new(scene, Path::new(""));
        session.note_unsaved();
        act(&mut session, place(150.0));
        run(&mut session, 30);
        seek(&mut session, 10);
        act(&mut session, place(300.0));
        act(&mut session, Action::Undo);
        session.note_named("mine");
        save(&mut session);
        assert_eq!(session.scene().name, "mine");
        assert!(!session.is_unsaved());
        assert_eq!(aside(&session), Unsaved::Nothing);
    }

    #[test]
    fn a_value_in_whose_place_another_one_is_set_is_lost_with_the_other_future() {
        let tune = |knob: &str, value: &str| Action::Tune(knob.to_owned(), value.to_owned());
        let requests = |value: &str| tune("requests_in_flight", value);
        let forked = |since: Vec<Action>| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
            let scene = crate::scene::file::read(&path).unwrap();
            let (mut session, _) = Session::new(scene, path.parent().unwrap());
            act(&mut session, requests("1"));
            run(&mut session, 30);
            seek(&mut session, 10);
            for action in since {
                act(&mut session, action);
            }
            run(&mut session, 5);
            session
        };
        let describe = || Action::Describe("mine".to_owned(), String::new());
        for (since, left) in [
            (vec![requests("2")], Unsaved::Settings),
            // The scene is worth more than before, and the value is in it no more.
            (vec![requests("2"), describe()], Unsaved::Settings),
            (vec![Action::TuneDefaults], Unsaved::Settings),
            (vec![tune("latency_ms", "7")], Unsaved::Nothing),
            (vec![describe()], Unsaved::Nothing),
            (vec![requests("2"), Action::Undo], Unsaved::Nothing),
            (vec![Action::Undo], Unsaved::Settings),
        ] {
            let mut session = forked(since);
            assert_eq!(aside(&session), left);
            save(&mut session);
            assert_eq!(aside(&session), left);
        }
    }

    #[test]
    fn what_is_taken_away_in_the_present_future_the_other_one_has_alone() {
        let lane = |capacity: &str| {
            let knobs = vec![("capacity".to_owned(), capacity.to_owned())];
            Action::SetLane(1, "quadtree".to_owned(), knobs)
        };
        let beside = Action::AddLane("quadtree".to_owned(), Vec::new());
        for (before, since, left) in [
            (
                vec![place(150.0)],
                // What is made besides is worth as much, and is something else.
                vec![Action::Erase((150.0, 100.0), 60.0), place(300.0)],
                Unsaved::Work,
            ),
            (
                vec![beside.clone(), lane("3")],
                vec![Action::DropLane(1)],
                Unsaved::Settings,
            ),
            (
                vec![beside.clone(), lane("3")],
                vec![lane("5")],
                Unsaved::Settings,
            ),
            (vec![place(150.0)], vec![place(300.0)], Unsaved::Nothing),
        ] {
            let mut session = skirmish(300);
            before
                .into_iter()
                .for_each(|action| act(&mut session, action));
            run(&mut session, 30);
            seek(&mut session, 10);
            since
                .into_iter()
                .for_each(|action| act(&mut session, action));
            assert_eq!(aside(&session), left);
        }
    }

    #[test]
    fn what_is_set_in_the_present_future_is_nothing_that_the_other_one_has() {
        let quadtree = || Action::Structure("quadtree".to_owned());
        let mut session = skirmish(300);
        act(&mut session, quadtree());
        run(&mut session, 30);
        seek(&mut session, 10);
        act(
            &mut session,
            Action::Set("capacity".to_owned(), "3".to_owned()),
        );
        act(&mut session, Action::Undo);
        assert_eq!(aside(&session), Unsaved::Nothing);
    }

    #[test]
    fn late_loads_since_a_change_in_the_past_are_counted_beside_those_of_the_other_future() {
        let mut session = slow_ride();
        run(&mut session, 800);
        assert_eq!(session.late_in_both(), None);
        let [slow, slow_early] = [800, 260].map(|until| late(&session, 200, until));
        seek(&mut session, 200);
        act(&mut session, latency("1"));
        // Nothing has passed yet.
        assert_eq!(session.late_in_both(), None);
        run(&mut session, 60);
        let both = session.late_in_both().unwrap();
        assert_eq!((both.after, both.until), (200, 260));
        assert_eq!(both.here.objects, late(&session, 200, 260));
        assert_eq!(both.other.objects, slow_early);
        // Beyond the end of the other one nothing is compared.
        run(&mut session, 700);
        let both = session.late_in_both().unwrap();
        let quick = late(&session, 200, 800);
        assert_eq!((both.after, both.until), (200, 800));
        assert_eq!((both.here.objects, both.other.objects), (quick, slow));
        assert!(quick < slow, "{quick} and {slow}");
        // Where somebody stands is no matter, and who turns to the other one has both the other way about.
        seek(&mut session, 230);
        assert_eq!(session.late_in_both(), Some(both));
        turn(&mut session);
        let turned = session.late_in_both().unwrap();
        assert_eq!((turned.here, turned.other), (both.other, both.here));
        // A world that begins anew is another ride.
        act(&mut session, Action::Restart);
        run(&mut session, 5);
        assert_eq!(session.late_in_both(), None);
    }

    /// Objects that were late after the first of two ticks and up to the other one, in the future that is shown.
    fn late(session: &Session, after: u64, until: u64) -> u64 {
        let marks = session.timeline().marks().list().iter();
        let late = marks.filter(|mark| mark.kind == MarkKind::Late);
        let late = late.filter(|mark| mark.tick > after && mark.tick <= until);
        late.map(|mark| u64::from(mark.count)).sum()
    }

    /// A ride over a disk on which objects come late.
    fn slow_ride() -> Session {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = crate::scene::file::read(&path).unwrap();
        let (mut session, _) = Session::new(scene, path.parent().unwrap());
        act(&mut session, latency("2000"));
        act(&mut session, Action::Speed(150.0));
        act(&mut session, Action::Follow("ride".to_owned()));
        session
    }

    fn latency(value: &str) -> Action {
        Action::Tune("latency_ms".to_owned(), value.to_owned())
    }

    #[test]
    fn late_loads_of_both_futures_are_counted_up_to_a_restart_in_either_of_them() {
        let mut session = slow_ride();
        run(&mut session, 300);
        act(&mut session, Action::Restart);
        run(&mut session, 200);
        let slow = late(&session, 200, 300);
        seek(&mut session, 200);
        act(&mut session, latency("1"));
        run(&mut session, 250);
        let quick = late(&session, 200, 300);
        let both = session.late_in_both().unwrap();
        assert_eq!((both.after, both.until), (200, 300));
        assert_eq!((both.here.objects, both.other.objects), (quick, slow));
        // Wherever somebody stands, before the restart and after it, in its future and in the other one.
        let mut kept = crate::session::LateKept::default();
        assert_eq!(session.late_in_both_kept(&mut kept), Some(both));
        seek(&mut session, 250);
        assert_eq!(session.late_in_both_kept(&mut kept), Some(both));
        turn(&mut session);
        for tick in [200, 250, 500] {
            seek(&mut session, tick);
            let turned = session.late_in_both().unwrap();
            assert_eq!((turned.after, turned.until), (200, 300));
            assert_eq!((turned.here, turned.other), (both.other, both.here));
            assert_eq!(session.late_in_both_kept(&mut kept), Some(turned));
        }
        // One that is taken back is another world as well.
        seek(&mut session, 400);
        act(&mut session, latency("1000"));
        run(&mut session, 50);
        let both = session.late_in_both_kept(&mut kept).unwrap();
        assert_eq!((both.after, both.until), (400, 450));
        while session.world_made() > 0 {
            act(&mut session, Action::Undo);
        }
        run(&mut session, 20);
        let both = session.late_in_both_kept(&mut kept).unwrap();
        assert_eq!((both.after, both.until), (400, 450));
        assert_eq!(session.late_in_both(), Some(both));
    }

    #[test]
    fn sides_that_change_places_begin_the_world_anew_as_a_restart_does() {
        let mut session = slow_ride();
        run(&mut session, 250);
        act(&mut session, Action::SwapSides);
        assert_eq!(session.world_made(), 250);
        run(&mut session, 50);
        seek(&mut session, 200);
        act(&mut session, latency("1"));
        run(&mut session, 100);
        let both = session.late_in_both().unwrap();
        assert_eq!((both.after, both.until), (200, 250));
        assert_eq!(both.here.objects, late(&session, 200, 250));
    }

    #[test]
    fn a_restart_that_both_futures_have_is_no_matter_also_at_the_tick_at_which_they_part() {
        let mut session = slow_ride();
        run(&mut session, 100);
        act(&mut session, Action::Restart);
        run(&mut session, 300);
        let slow = late(&session, 100, 250);
        seek(&mut session, 100);
        assert_eq!(session.world_made(), 100);
        act(&mut session, latency("1"));
        run(&mut session, 150);
        let quick = late(&session, 100, 250);
        let both = session.late_in_both().unwrap();
        assert_eq!((both.after, both.until), (100, 250));
        assert_eq!((both.here.objects, both.other.objects), (quick, slow));
    }

    #[test]
    fn what_takes_back_the_end_of_a_future_is_known_to_bring_it_back() {
        let by = |session: &Session| [false, true].map(|redo| session.brings_future_back(redo));
        let mut session = skirmish(300);
        run(&mut session, 50);
        seek(&mut session, 20);
        act(&mut session, place(150.0));
        assert_eq!(by(&session), [true, false]);
        // A stroke of the brush is one edit.
        session
            .apply(place(160.0), true, &Cancel::default())
            .unwrap();
        assert_eq!(by(&session), [true, false]);
        assert!(!session.undo_leaves_future_aside());
        run(&mut session, 3);
        assert!(by(&session) == [false, false] && session.undo_leaves_future_aside());
        act(&mut session, place(170.0));
        assert!(by(&session) == [false, false] && !session.undo_leaves_future_aside());
        // Whoever takes something older back there has begun another future by that: doing it again is the way back, and undo goes on
        // to what is older still.
        let mut session = skirmish(300);
        act(&mut session, place(150.0));
        act(&mut session, place(170.0));
        run(&mut session, 50);
        // A later edit of the future that is put aside is none of what was done here.
        act(&mut session, place(190.0));
        run(&mut session, 5);
        let first = session.hash();
        seek(&mut session, 20);
        act(&mut session, Action::Undo);
        assert_eq!(by(&session), [false, true]);
        turn(&mut session);
        assert_eq!(by(&session), [false, false]);
        seek(&mut session, 55);
        assert_eq!(session.hash(), first);
        seek(&mut session, 20);
        act(&mut session, Action::Undo);
        act(&mut session, Action::Undo);
        assert_eq!(by(&session), [false, false]);
        // A future that came back is not ended by what is done at its end.
        let mut session = skirmish(300);
        run(&mut session, 50);
        seek(&mut session, 20);
        act(&mut session, place(150.0));
        turn(&mut session);
        seek(&mut session, 50);
        act(&mut session, place(170.0));
        assert!(by(&session) == [false, false] && !session.undo_leaves_future_aside());
    }

    #[test]
    fn a_future_comes_back_when_all_that_was_done_where_it_ended_is_taken_back() {
        let by = |session: &Session| [false, true].map(|redo| session.brings_future_back(redo));
        let mut session = skirmish(300);
        act(&mut session, place(120.0));
        act(&mut session, place(130.0));
        run(&mut session, 50);
        let first = session.hash();
        seek(&mut session, 20);
        for x in [150.0, 170.0] {
            act(&mut session, place(x));
        }
        assert!(by(&session) == [false, false] && session.leads_to_future());
        act(&mut session, Action::Undo);
        assert_eq!(by(&session), [true, false]);
        act(&mut session, Action::Redo);
        assert!(by(&session) == [false, false] && session.leads_to_future());
        act(&mut session, Action::Undo);
        // What hits nobody is no edit.
        act(&mut session, Action::Erase((-9000.0, -9000.0), 1.0));
        assert_eq!(by(&session), [true, false]);
        turn(&mut session);
        seek(&mut session, 50);
        assert_eq!(session.hash(), first);
        // What was undone there is done again as often.
        seek(&mut session, 20);
        act(&mut session, Action::Undo);
        act(&mut session, Action::Undo);
        assert!(by(&session) == [false, false] && session.leads_to_future());
        act(&mut session, Action::Redo);
        assert_eq!(by(&session), [false, true]);
        // Another edit in the place of one that was there before is none that leads back.
        act(&mut session, place(150.0));
        assert!(by(&session) == [false, false] && !session.leads_to_future());
        // Where time has gone on, the first undo would put that future in the other one's place.
        turn(&mut session);
        seek(&mut session, 30);
        for x in [150.0, 170.0] {
            act(&mut session, place(x));
        }
        assert!(session.leads_to_future());
        run(&mut session, 3);
        assert!(!session.leads_to_future() && !session.undo_leaves_future_aside());
        seek(&mut session, 30);
        assert!(by(&session) == [false, false] && !session.leads_to_future());
        seek(&mut session, 33);
        act(&mut session, Action::Undo);
        assert!(session.undo_leaves_future_aside());
        // What is done again in the past is an edit there.
        let mut session = skirmish(300);
        for action in [place(150.0), place(170.0), Action::Undo, Action::Undo] {
            act(&mut session, action);
        }
        run(&mut session, 50);
        seek(&mut session, 20);
        act(&mut session, Action::Redo);
        assert_eq!(by(&session), [true, false]);
        act(&mut session, Action::Redo);
        assert!(by(&session) == [false, false] && session.leads_to_future());
        act(&mut session, Action::Undo);
        assert_eq!(by(&session), [true, false]);
    }

    #[test]
    fn who_looks_at_a_structure_beside_it_in_the_past_ends_no_future() {
        let mut session = skirmish(300);
        run(&mut session, 50);
        act(&mut session, place(150.0));
        run(&mut session, 70);
        let (first, marks) = (session.hash(), session.timeline().marks().list().clone());
        seek(&mut session, 60);
        act(&mut session, place(300.0));
        run(&mut session, 90);
        let second = session.hash();
        assert_eq!(session.other_future(), Some((60, 120)));
        // In the past of both.
        seek(&mut session, 20);
        act(&mut session, Action::Beside("bvh".to_owned()));
        assert_eq!((session.lane_count(), session.timeline().end()), (2, 150));
        assert_eq!(session.other_future(), Some((60, 120)));
        assert_eq!(session.timeline().ledger().row(21).len(), 0);
        for (end, hash) in [(150, second), (120, first), (150, second)] {
            seek(&mut session, end);
            assert_eq!(session.hash(), hash);
            assert_eq!(session.lane_count(), 2);
            assert_eq!(session.timeline().diverged_at(), None);
            assert_eq!(session.timeline().ledger().row(21).len(), 2);
            turn(&mut session);
            assert_eq!(session.tick_count(), 60);
        }
        assert_eq!(session.timeline().marks().list().len(), marks.len());
        // Who goes back before that and looks again has looked since then, and has two lanes, not three.
        seek(&mut session, 10);
        assert_eq!(session.lane_count(), 1);
        act(&mut session, Action::Beside("kd-tree".to_owned()));
        assert_eq!((session.lane_count(), session.timeline().end()), (2, 120));
        assert_eq!(session.other_future(), Some((60, 150)));
        for (end, hash) in [(120, first), (150, second), (120, first)] {
            seek(&mut session, end);
            assert_eq!((session.hash(), session.lane_count()), (hash, 2));
            assert_eq!(session.timeline().diverged_at(), None);
            turn(&mut session);
            assert_eq!(session.tick_count(), 60);
        }
        turn(&mut session);
        assert_eq!(session.timeline().marks().list().len(), marks.len());
        // Nor does a look take away that undo brings a future back.
        seek(&mut session, 30);
        act(&mut session, place(200.0));
        assert!(session.brings_future_back(false));
        act(&mut session, Action::Beside("bvh".to_owned()));
        assert!(session.brings_future_back(false));
        turn(&mut session);
        // What comes minds who follows: then it is as with any other edit.
        seek(&mut session, 120);
        act(&mut session, Action::DropLane(1));
        run(&mut session, 5);
        seek(&mut session, 110);
        act(&mut session, Action::Beside("kd-tree".to_owned()));
        assert_eq!((session.lane_count(), session.timeline().end()), (3, 110));
    }

    #[test]
    fn who_gives_up_on_the_way_to_the_other_future_is_where_they_were() {
        let mut session = skirmish(300);
        session.timeline_mut().set_budget(0);
        run(&mut session, 50);
        seek(&mut session, 30);
        act(&mut session, place(150.0));
        run(&mut session, 5);
        let (hash, other) = (session.hash(), session.other_future());
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(session.turn_to_other_future(&cancel, &mut ()).is_err());
        assert_eq!((session.hash(), session.tick_count()), (hash, 35));
        assert_eq!(session.other_future(), other);
        turn(&mut session);
        assert_eq!((session.tick_count(), session.timeline().end()), (30, 50));
    }
}
