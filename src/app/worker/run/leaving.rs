//! Leaving a scene for another one: undo goes back to those that were left, and redo on again.

use super::super::keeper::Beside;
use super::super::left::{LeftSession, LeftWork, is_missed_aside, keep_few, title_of};
use super::super::{Keeping, News, OPEN_SCENE, Of, RunMode, StopsKept, lock};
use super::{Run, is_recording_path};
use crate::app::commands::{Command, keys_of};
use crate::app::sentences::and;
use crate::app::unsaved::name_of_future;
use crate::app::watch::InFile;
use skirmish::probe::Cancel;
use skirmish::scene::Scene;
use skirmish::session::{Action, Session, StopWhen, Timeline, Unsaved};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Run {
    /// Puts another session in the place of this one, to which undo returns.
    pub(super) fn leave_for(
        &mut self,
        session: Session,
        path: Option<PathBuf>,
        name: Option<String>,
    ) {
        if self.given_up != Some((self.entered, self.changes)) {
            self.keep_recorded_path();
        }
        // Who takes what the file holds by now has answered.
        if path.is_some() && path == self.path {
            self.session.end_doubt();
        }
        let here = self.exchange(session, path, name);
        self.end_scenes_after();
        self.left[0].push(here);
        self.keep_few(false);
        self.undone_before = 0;
    }

    /// Redo goes to no later scene any more. Undo does not always empty a scene before it leaves it: one with changes that no file has, or
    /// with anything else that somebody would miss, is not lost for that, and lies where undo goes back to it.
    pub(super) fn end_scenes_after(&mut self) {
        let [before, after] = &mut self.left;
        self.far_gone[1] = 0;
        if after.is_empty() {
            return;
        }
        let stays = |it: &LeftSession| it.is_missed || it.session.is_unsaved();
        for mut left in after.drain(..).filter(stays) {
            // Of what has ended there nothing is done again: redo goes on to the next scene first.
            left.redo_count = left.session.redo_count();
            left.passed_over = 0;
            before.push(left);
        }
        self.keep_few(false);
    }

    /// Gives up what is too much of what was left before this scene, or after it. Of what somebody would miss that is to be said.
    fn keep_few(&mut self, on: bool) {
        let side = usize::from(on);
        let gone = keep_few(&mut self.left[side]);
        self.far_gone[side] += gone.far;
        if let Some(words) = gone.in_words() {
            self.lost = Some(words);
        }
    }

    /// Puts another session in the place of this one, and gives this one.
    fn exchange(
        &mut self,
        session: Session,
        path: Option<PathBuf>,
        name: Option<String>,
    ) -> LeftSession {
        self.stops_kept = self.stops_kept_in(&session, path.as_deref());
        self.session.end_stroke();
        // Who is quicker than the window may not have heard that this leads elsewhere; a reload answers what was said.
        if *lock(&self.shared.gone) == Some(self.entered) && path != self.path {
            self.session.note_unsaved();
        }
        let unsaved = self.session.unsaved();
        let is_missed = self.is_missed(unsaved) || self.is_recording_path();
        let is_missed_aside = is_missed_aside(&self.session, self.path.is_some(), self.ships);
        // Whatever was changed since then is asked about.
        let is_given_up = self.given_up.take() == Some((self.entered, self.changes));
        LeftSession {
            // The question was of the scene as it is here, and not of what comes after or of the other future.
            is_missed: (!is_given_up && is_missed) || is_missed_aside,
            is_given_up,
            ships: self.ships,
            redo_count: self.session.redo_count(),
            session: std::mem::replace(&mut self.session, session),
            path: std::mem::replace(&mut self.path, path),
            name: std::mem::replace(&mut self.name, name),
            entered: self.entered,
            mode: self.mode,
            is_replaced: std::mem::take(&mut self.is_replaced),
            passed_over: 0,
        }
    }

    /// Whether undo (or redo) goes to another scene next: nothing else is left to take back here (or to do again), or what is left was
    /// undone before that scene was opened. Whoever stands before edits of this scene is in the middle of it, and stays.
    pub(in super::super) fn turns_scene(&self, redo: bool) -> bool {
        let session = &self.session;
        if session.has_edits_ahead() {
            return false;
        }
        let is_older = redo && session.redo_count() <= self.undone_before;
        let is_last = || session.undo_name(redo).is_none() && !session.brings_future_back(redo);
        !self.left[usize::from(redo)].is_empty() && (is_older || is_last())
    }

    /// Goes back to the scene that was open before, or on to the one after.
    pub(super) fn change_sessions(&mut self, on: bool) {
        let Some(left) = self.left[usize::from(on)].pop() else {
            return;
        };
        let titles = [&left.name, &self.name].map(|name| title_of(name).to_owned());
        let is_same = left.path.is_some() && left.path == self.path;
        let was = left.entered;
        let own = std::mem::replace(&mut self.undone_before, left.redo_count);
        let passed_over = left.passed_over;
        let mut here = self.exchange(left.session, left.path, left.name);
        self.session.timeline_mut().set_budget(Timeline::BUDGET);
        // On the way back they lie between the same two.
        here.passed_over = passed_over;
        self.is_replaced = left.is_replaced;
        // Not a tick passes in one that stood: the window says later how time was there.
        self.mode = match left.mode {
            RunMode::Running => RunMode::Running,
            RunMode::Paused | RunMode::Step => RunMode::Paused,
        };
        self.owed_seconds = 0.0;
        if !on {
            // All that is taken back here was so on the way back, but for what had been before the next scene was opened.
            here.redo_count = own;
        }
        self.left[usize::from(!on)].push(here);
        for on in [false, true] {
            self.keep_few(on);
        }
        let in_file = match self.is_replaced {
            true => InFile::Another,
            false => InFile::AsBefore,
        };
        // Of a version that was read or written here nothing else says so.
        let of_file = match self.is_replaced {
            true => " Its file holds another version by now.",
            false => "",
        };
        // Nobody takes the next one that is kept for the next one that was open.
        let of_file = match passed_over {
            0 => of_file.to_owned(),
            1 => format!("{of_file} One scene that was open in between is not kept any more."),
            count => {
                format!("{of_file} {count} scenes that were open in between are not kept any more.")
            }
        };
        // Nor does anybody take the last one that is kept for the last one that there was.
        let side = usize::from(on);
        let gone = self.far_gone[side];
        let of_file = match (self.left[side].is_empty(), gone, on) {
            (false, ..) | (_, 0, _) => of_file,
            (_, 1, false) => {
                format!("{of_file} One scene that was open before it is not kept any more.")
            }
            (_, 1, true) => {
                format!("{of_file} One scene that was open after it is not kept any more.")
            }
            (_, _, false) => {
                format!("{of_file} {gone} scenes that were open before it are not kept any more.")
            }
            (_, _, true) => {
                format!("{of_file} {gone} scenes that were open after it are not kept any more.")
            }
        };
        // Whoever takes back one edit too many did not mean to leave the scene.
        let [here, left] = titles;
        let words = match on {
            // Two versions of one file have one name. Which of them is the later one the way of undo does not say: it may lead back to one
            // that was opened after this.
            false if is_same => format!(
                "Back to {here} as it was open before.{of_file} Redo ({}) opens the other version again.",
                keys_of(Command::Redo)
            ),
            true if is_same => format!(
                "The other version of {here} is open again.{of_file} Undo ({}) goes back to the one before it.",
                keys_of(Command::Undo)
            ),
            false => format!(
                "Back to {here}, which was open before.{of_file} Redo ({}) opens {left} again, as it was.",
                keys_of(Command::Redo)
            ),
            true => format!(
                "{here} is open again.{of_file} Undo ({}) goes back to {left}.",
                keys_of(Command::Undo)
            ),
        };
        self.enter((None, Some(words)), in_file, Some((was, on)));
        // The view must have the pictures of this world, and none of the other's.
        if let Some(world) = self.session.world() {
            *lock(&self.shared.jobs) = world.resident_pictures();
        }
    }

    /// Where the nearest of the scenes lies that were left with what somebody would miss: so many scenes away, by undo or by redo.
    fn nearest_missed(&self) -> Option<(usize, bool)> {
        let of = |on: bool| {
            let left = &self.left[usize::from(on)];
            Some((left.iter().rev().position(|it| it.is_missed)?, on))
        };
        [false, true].into_iter().filter_map(of).min()
    }

    /// What was left with what somebody would miss.
    pub(in super::super) fn left_work(&mut self) -> Option<Arc<LeftWork>> {
        let Some((away, on)) = self.nearest_missed() else {
            self.left_work = None;
            return None;
        };
        let nearest = self.left[usize::from(on)].iter().rev().nth(away)?;
        let all = self.left.iter().flatten().filter(|it| it.is_missed);
        let others = all.count().saturating_sub(1);
        let name = title_of(&nearest.name);
        let is_version = nearest.path.is_some() && nearest.path == self.path;
        // It is asked for with every snapshot, and is another one when somebody goes elsewhere.
        let is_same = |work: &&Arc<LeftWork>| {
            work.name == name && (work.is_version, work.others) == (is_version, others)
        };
        if self.left_work.as_ref().filter(is_same).is_none() {
            self.left_work = Some(Arc::new(LeftWork {
                name: name.to_owned(),
                is_version,
                others,
            }));
        }
        self.left_work.clone()
    }

    /// Goes to the nearest of these, whatever could be taken back here before.
    pub(super) fn go_to_left_work(&mut self) {
        let Some((away, on)) = self.nearest_missed() else {
            return;
        };
        for step in 0..=away {
            let next = self.left[usize::from(on)].last();
            let is_given_up = next.is_some_and(|it| it.is_given_up);
            self.change_sessions(on);
            // Whoever only passes through it has taken nothing back of what was said of it.
            if is_given_up && step < away {
                self.given_up = Some((self.entered, self.changes));
            }
        }
    }

    /// Keeps what is unsaved for the next start: what is here, unless nobody would miss that and something else would be missed; and beside
    /// it whatever else was left with what somebody would miss.
    pub(super) fn keep_for_next_start(&mut self) -> Keeping {
        // Of what it is said that no file holds it by now nothing else may have been heard.
        if *lock(&self.shared.gone) == Some(self.entered) {
            self.session.note_unsaved();
        }
        // Where nothing is kept, a recording that is still to be written is of what was done, and of nothing else.
        if !self.fixed {
            self.keep_recorded_path();
            self.keep_left_paths();
        }
        let beside = beside(&self.session, &self.name, &self.left);
        let is_here =
            self.is_missed(self.session.unsaved()) || self.is_missed(self.session.unsaved_ahead());
        let is_kept = is_here || beside.iter().all(|it| it.is_future);
        let own = is_kept.then(|| (&self.session, of(&self.path, &self.name)));
        self.keeper.keep(own, beside)
    }

    /// Ends the recording of a path in the scenes that were left by undo, or by redo, while it went on: what is kept of them has it then.
    fn keep_left_paths(&mut self) {
        for left in self.left.iter_mut().flatten().filter(|it| it.is_missed) {
            if is_recording_path(&left.session) {
                // Nobody is left to be told what went wrong.
                let _ = left
                    .session
                    .apply(Action::KeepPath, false, &Cancel::default());
            }
        }
    }

    /// What time is still to stop for in a session that comes in the place of this one.
    fn stops_kept_in(&self, session: &Session, path: Option<&Path>) -> StopsKept {
        let paths = path.zip(self.path.as_deref());
        let is_same = paths.is_some_and(|(one, other)| is_same_file(one, other));
        if !is_same {
            return StopsKept::Nothing;
        }
        let (here, there) = (&self.session, session);
        let counts = |count: fn(&Scene) -> u64| [here, there].map(|it| count(it.scene()));
        let [units, units_there] = counts(Scene::unit_count);
        let [objects, objects_there] = counts(Scene::object_count);
        let numbers_of = |session: &Session| {
            let world = session.world()?;
            Some(world.streaming().renumberings().clone())
        };
        let watched = self.stops.iter().find_map(|it| match it {
            StopWhen::LateObject { object, numbering } => Some((*object, *numbering)),
            _ => None,
        });
        let object = watched.filter(|_| objects == objects_there);
        let object = object.and_then(|(object, numbering)| {
            // It is watched by the number that it has there.
            let now = numbers_of(here)?.now_of_known(object, numbering)?;
            Some((now, numbers_of(there)?.count()))
        });
        StopsKept::OfFile {
            unit: units == units_there,
            object,
        }
    }

    /// Gives up what time is not to stop for in the scene that has come, and says so where that was anything.
    pub(super) fn disarm_stops(&mut self) -> Option<&'static str> {
        let before = self.stops.len();
        let words = match self.stops_kept {
            StopsKept::OfFile { unit, object } => {
                let is_of_unit = |it: &StopWhen| matches!(it, StopWhen::Leaves(_));
                let is_of_object = |it: &StopWhen| matches!(it, StopWhen::LateObject { .. });
                let ends_unit = !unit && self.stops.iter().any(is_of_unit);
                let ends_object = object.is_none() && self.stops.iter().any(is_of_object);
                self.stops.retain(|it| {
                    (unit || !is_of_unit(it)) && (object.is_some() || !is_of_object(it))
                });
                for stop in &mut self.stops {
                    if let (StopWhen::LateObject { .. }, Some((object, numbering))) =
                        (&stop, object)
                    {
                        *stop = StopWhen::LateObject { object, numbering };
                    }
                }
                match (ends_unit, ends_object) {
                    (true, true) => {
                        "Time stops for the unit and the object that were watched no more: the file has others by now."
                    }
                    (false, _) => {
                        "Time stops for the object that was watched no more: the file has other objects by now."
                    }
                    (true, false) => {
                        "Time stops for the unit that was watched no more: the file has other units by now."
                    }
                }
            }
            StopsKept::Nothing => {
                self.stops.clear();
                "Time stops for nothing in this scene: what it was to stop for was of the one before. Stop when… has its numbers still."
            }
        };
        (self.stops.len() < before).then_some(words)
    }

    /// Tells what there is to complain of in a scene that has come, and to say of it. One notice takes the place of the one before: what
    /// is said `beside` goes along with the last of them. `turned` says whether redo led there, or undo.
    pub(super) fn tell_arrival(
        &mut self,
        complaint: Option<String>,
        words: Option<String>,
        beside: Option<&str>,
        turned: Option<bool>,
    ) {
        // One notice takes the place of the one before, and another scene that of all of them: what is lost by its coming is said with that.
        let lost = self.lost.take();
        let (complaint, words) = match words {
            Some(words) => (complaint, Some(and(words, lost.as_deref()))),
            None => match complaint {
                Some(complaint) => (Some(and(complaint, lost.as_deref())), None),
                None => (lost, None),
            },
        };
        let (failed, done) = match (complaint, words) {
            (complaint, Some(words)) => (complaint, Some(and(words, beside))),
            (Some(complaint), None) => (Some(and(complaint, beside)), None),
            (None, None) => (None, beside.map(str::to_owned)),
        };
        let failed = failed.map(News::Failed);
        let done = done.map(|words| match turned {
            // It tells where redo (or undo) leads: once that is no more so, it is not said any more.
            Some(on) => News::FutureAside {
                sentences: [words.clone(), words],
                name: OPEN_SCENE.to_owned(),
                redo: !on,
            },
            None => News::Done(words),
        });
        for news in failed.into_iter().chain(done) {
            self.shared.tell(news);
        }
    }
}

/// Of the scenes that were left before and after this one those with what somebody would miss, the nearest first.
fn missed_of<'a>(before: &'a [LeftSession], after: &'a [LeftSession]) -> Vec<&'a LeftSession> {
    let mut all: Vec<(usize, &LeftSession)> = Vec::new();
    for left in [before, after] {
        let missed = left.iter().rev().enumerate();
        // Another future is kept as a scene of its own.
        all.extend(missed.filter(|(_, it)| it.is_missed && it.session.is_worth_keeping()));
    }
    all.sort_by_key(|(away, _)| *away);
    all.into_iter().map(|(_, left)| left).collect()
}

/// What a scene of this name is called where it is kept, and which file it is saved to.
fn of(path: &Option<PathBuf>, name: &Option<String>) -> Of {
    Of {
        path: path.clone(),
        name: name.clone(),
    }
}

/// What is to be kept of what is not open: the other future, scenes that were left, the nearest first, and other futures of these. Not all
/// have a place: what is of the scene that is open comes before what was left.
pub(super) fn beside<'s>(
    session: &'s Session,
    name: &Option<String>,
    left: &'s [Vec<LeftSession>; 2],
) -> Vec<Beside<'s>> {
    let [before, after] = left;
    let others = missed_of(before, after).into_iter().map(|left| Beside {
        session: &left.session,
        is_future: false,
        of: of(&left.path, &left.name),
    });
    let of_left = left.iter().flatten().filter(|it| it.is_missed);
    let aside = of_left.filter_map(|left| other_future(&left.session, &left.name));
    let own = other_future(session, name).into_iter();
    own.chain(others).chain(aside).collect()
}

/// What is to be kept of the other future of a scene of this name, where that has what no file has: it is of no file, so that it is never
/// saved over what the present one is saved to.
fn other_future<'s>(session: &'s Session, name: &Option<String>) -> Option<Beside<'s>> {
    let (at, _) = session.other_future()?;
    let unsaved = session.other_future_unsaved();
    (unsaved != Unsaved::Nothing).then(|| Beside {
        session,
        is_future: true,
        of: Of {
            path: None,
            name: Some(name_of_future(title_of(name), at)),
        },
    })
}

/// Whether two paths are of the same file, however they are spelled.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    one == other || real(one).is_some_and(|it| real(other) == Some(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::scene::file::built_in;
    use std::sync::mpsc::channel;

    fn session() -> Session {
        Session::new(built_in(), Path::new("")).0
    }

    fn run() -> Run {
        let (_posts, inbox) = channel();
        Run::new(session(), (None, None), true, Arc::default(), inbox)
    }

    #[test]
    fn who_ends_without_the_window_keeps_what_it_said_no_file_holds() {
        let mut run = run();
        run.keep_for_next_start();
        assert!(!run.session.is_unsaved());
        // That was said of a scene that has been left since.
        *lock(&run.shared.gone) = Some(7);
        run.keep_for_next_start();
        assert!(!run.session.is_unsaved());
        *lock(&run.shared.gone) = Some(run.entered);
        run.keep_for_next_start();
        assert!(run.session.is_unsaved());
    }

    #[test]
    fn what_was_left_with_changes_is_told_of_and_led_to() {
        let mut run = run();
        run.session.note_unsaved();
        run.leave_for(session(), None, Some("b.ron".to_owned()));
        run.session.note_unsaved();
        run.leave_for(session(), None, Some("c.ron".to_owned()));
        run.leave_for(session(), None, Some("d.ron".to_owned()));
        let work = LeftWork {
            name: "b.ron".to_owned(),
            is_version: false,
            others: 1,
        };
        let first = run.left_work().expect("what was left");
        assert_eq!(*first, work);
        assert!(run.left_work().is_some_and(|it| Arc::ptr_eq(&it, &first)));
        run.go_to_left_work();
        assert_eq!(run.name.as_deref(), Some("b.ron"));
        let others = run.left_work().map(|it| (it.name.clone(), it.others));
        assert_eq!(others, Some(("skirmish.ron".to_owned(), 0)));
    }

    #[test]
    fn a_later_scene_is_gone_where_nothing_of_it_is_missed_whatever_its_scene_is_like() {
        for is_missed in [false, true] {
            let mut run = run();
            run.leave_for(session(), None, Some("b.ron".to_owned()));
            run.change_sessions(false);
            // A path that is being recorded is no change of the scene yet, nor is another future.
            run.left[1][0].is_missed = is_missed;
            assert!(!run.left[1][0].session.is_unsaved());
            run.end_scenes_after();
            let before: Vec<_> = run.left[0].iter().map(|it| it.is_missed).collect();
            assert!(run.left[1].is_empty());
            assert_eq!(before, if is_missed { vec![true] } else { vec![] });
        }
    }

    #[test]
    fn another_version_of_the_file_that_is_here_is_known_as_one() {
        let mut run = run();
        let path = Some(PathBuf::from("a.ron"));
        run.path = path.clone();
        run.session.note_unsaved();
        run.leave_for(session(), path, Some("a.ron".to_owned()));
        assert!(run.left_work().is_some_and(|it| it.is_version));
        run.leave_for(session(), None, Some("b.ron".to_owned()));
        assert!(run.left_work().is_some_and(|it| !it.is_version));
    }

    #[test]
    fn all_that_was_left_and_is_missed_is_kept_for_the_next_start_the_nearest_first() {
        let mut run = run();
        for name in ["b.ron", "c.ron", "d.ron"] {
            run.session.note_unsaved();
            run.leave_for(session(), None, Some(name.to_owned()));
        }
        run.left[0][1].is_missed = false;
        run.change_sessions(false);
        run.session.note_unsaved();
        run.leave_for(session(), None, Some("e.ron".to_owned()));
        let [before, after] = &run.left;
        let names = missed_of(before, after).into_iter();
        let names: Vec<_> = names.map(|it| title_of(&it.name)).collect();
        assert_eq!(names, ["c.ron", "skirmish.ron"]);
    }

    #[test]
    fn the_other_future_is_kept_under_a_name_of_its_own_and_what_lies_ahead_with_the_scene() {
        let mut run = run();
        run.name = Some("b.ron".to_owned());
        let edit = Action::Reach(2.0);
        (0..3).for_each(|_| run.tick());
        run.act(edit.clone(), false);
        (0..3).for_each(|_| run.tick());
        run.seek(1);
        assert!(!run.session.is_unsaved() && run.session.is_worth_keeping());
        assert!(other_future(&run.session, &run.name).is_none());
        run.leave_for(session(), None, Some("c.ron".to_owned()));
        assert!(run.left[0][0].is_missed);
        let [before, after] = &run.left;
        assert_eq!(missed_of(before, after).len(), 1);
        run.change_sessions(false);
        run.act(Action::Structure("quadtree".to_owned()), false);
        let other = other_future(&run.session, &run.name).expect("the other future");
        let recording = other.recording().expect("a recording");
        assert!(recording.acts.iter().any(|it| it.act == edit));
        assert_eq!(other.of.path, None);
        let called = "b (other future from tick 1).ron";
        assert_eq!(other.of.name.as_deref(), Some(called));
        // It comes before whatever was left.
        let all = beside(&run.session, &run.name, &run.left);
        assert!(all[0].is_future && all.len() == 1);
    }

    #[test]
    fn what_is_said_to_be_in_no_file_is_missed_however_soon_it_is_left() {
        let path = |name: &str| Some(PathBuf::from(name));
        for (to, is_missed) in [("b.ron", true), ("a.ron", false)] {
            let mut run = run();
            run.path = path("a.ron");
            run.session.note_doubt();
            *lock(&run.shared.gone) = Some(run.entered);
            // Who takes the version of the file that was told of has answered.
            run.leave_for(session(), path(to), Some(to.to_owned()));
            assert_eq!(run.left[0][0].is_missed, is_missed, "{to}");
        }
    }

    #[test]
    fn a_scene_that_is_only_passed_through_stays_given_up() {
        let mut run = run();
        run.session.note_unsaved();
        run.leave_for(session(), None, Some("b.ron".to_owned()));
        run.session.note_unsaved();
        run.given_up = Some((run.entered, run.changes));
        run.leave_for(session(), None, Some("c.ron".to_owned()));
        assert_eq!(run.left_work().map(|it| it.others), Some(0));
        run.go_to_left_work();
        assert_eq!(run.name, None);
        assert_eq!(run.left_work(), None);
    }

    #[test]
    fn a_path_that_is_being_recorded_is_kept_before_it_is_lost() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let recording = || {
            let scene = skirmish::scene::file::read(&path).unwrap();
            let folder = path.parent().unwrap_or(Path::new(""));
            let mut run = run();
            run.session = Session::new(scene, folder).0;
            run.act(Action::RecordPath, false);
            (0..3).for_each(|_| run.tick());
            assert!(run.is_recording_path() && !run.session.is_unsaved());
            run
        };
        let paths = |session: &Session| {
            let character = session.scene().character.as_ref();
            character.map_or(0, |it| it.paths.len())
        };
        let before = paths(&recording().session);
        let mut run = recording();
        run.act(Action::Restart, false);
        assert_eq!(paths(&run.session), before + 1);
        let news = std::mem::take(&mut *lock(&run.shared.news));
        let is_said = |news: &News| match news {
            News::DoneByEdit(words, _) => words.contains("that was being recorded is in the scene"),
            _ => false,
        };
        assert!(news.iter().any(is_said), "{news:?}");
        // Where two runs must look alike, the end changes nothing.
        let mut run = recording();
        run.keep_for_next_start();
        assert_eq!(paths(&run.session), before);
        let mut run = recording();
        run.leave_for(session(), None, None);
        assert_eq!(paths(&run.left[0][0].session), before + 1);
        assert!(run.left[0][0].is_missed);
        // Undo leaves it as it is, so that redo goes on with it; who ends then keeps it.
        let mut run = recording();
        run.left[0].push(LeftSession {
            session: session(),
            path: None,
            name: None,
            entered: 7,
            mode: RunMode::Paused,
            is_replaced: false,
            ships: false,
            is_missed: false,
            is_given_up: false,
            redo_count: 0,
            passed_over: 0,
        });
        run.change_sessions(false);
        assert_eq!(paths(&run.left[1][0].session), before);
        run.keep_left_paths();
        assert_eq!(paths(&run.left[1][0].session), before + 1);
        let [left, right] = &run.left;
        assert_eq!(missed_of(left, right).len(), 1);
        // In its middle nothing is kept once more: it lies in what comes.
        let mut run = recording();
        run.seek(1);
        run.seek(0);
        assert_eq!(paths(&run.session), before);
        assert!(run.session.has_scene_ahead());
        // Nor is what somebody wanted not to be saved.
        let mut run = recording();
        run.given_up = Some((run.entered, run.changes));
        run.leave_for(session(), None, None);
        assert_eq!(paths(&run.left[0][0].session), before);
        assert!(!run.left[0][0].is_missed);
    }

    #[test]
    fn an_opening_that_fails_takes_back_that_nothing_is_to_be_saved() {
        let mut run = run();
        run.given_up = Some((run.entered, run.changes));
        run.open(PathBuf::from("nowhere/at-all.ron"));
        assert_eq!(run.given_up, None);
    }

    #[test]
    fn time_stands_in_a_scene_that_stood_from_the_moment_at_which_it_is_back() {
        let mut run = run();
        run.mode = RunMode::Running;
        run.leave_for(session(), None, Some("b.ron".to_owned()));
        run.mode = RunMode::Paused;
        for (on, mode) in [
            (false, RunMode::Running),
            (true, RunMode::Paused),
            (false, RunMode::Running),
        ] {
            run.change_sessions(on);
            assert_eq!(run.mode, mode);
        }
    }

    #[test]
    fn scenes_that_went_before_the_first_one_that_is_kept_are_told_of_there() {
        const GONE: &str = " 2 scenes that were open before it are not kept any more.";
        let mut run = run();
        run.leave_for(session(), None, Some("b.ron".to_owned()));
        run.leave_for(session(), None, Some("c.ron".to_owned()));
        run.far_gone[0] = 2;
        let said = |run: &Run| {
            let news = std::mem::take(&mut *lock(&run.shared.news));
            news.into_iter().find_map(|news| match news {
                News::FutureAside { sentences, .. } => Some(sentences[0].clone()),
                _ => None,
            })
        };
        for (on, is_told) in [(false, false), (false, true), (true, false)] {
            run.change_sessions(on);
            let said = said(&run).expect("a sentence");
            assert_eq!(said.contains(GONE), is_told, "{said}");
        }
    }
}
