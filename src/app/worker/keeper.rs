//! Keeps what has not been saved, beside the settings, while the program runs: a second after an edit, and every few seconds
//! while time passes. What is written is a copy, on a thread of its own.
//!
//! What somebody would miss and is not open (scenes that were left, and the other future of each) is kept beside that, each in a place of
//! its own and once: nothing comes to it as long as it lies there.
//!
//! Invariant: what was kept goes only once all that is to be kept now is. Nor is it written over before: where something could not be kept
//! that may lie in the place of what is open alone, that place is left as it is, and what is open goes on in another one.

use super::saver::Looks;
use crate::app::unsaved::{self, Of, Slot};
use skirmish::session::file::Recording;
use skirmish::session::{Session, Version};
use std::fs;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two looks whether anything is to be kept.
const LOOK: Duration = Duration::from_secs(1);
/// Time alone is kept this often.
const OF_TIME: Duration = Duration::from_secs(5);
/// Of all time, keeping takes at most one part in this many.
const SHARE: u32 = 5;
/// So much is kept beside what is open.
const MOST_BESIDE: usize = 8;
/// Who ends waits at the longest this long for what is being written.
const GOODBYE: Duration = Duration::from_secs(5);

/// How much of what is not saved anywhere is kept for the next start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Nothing of it, or there is nothing.
    Nothing,
    /// Some of it.
    Part,
    /// All of it.
    All,
}

/// What was kept last, to see whether anything is new.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    version: Version,
    hash: u64,
    pins: usize,
    of: Of,
    /// How often the way in which the scene is looked at has changed.
    looks: u64,
}

/// What is to be kept beside what is open.
#[derive(Debug)]
pub(super) struct Beside<'s> {
    /// What it is of.
    pub session: &'s Session,
    /// Whether it is the other future of that.
    pub is_future: bool,
    /// What it is called where it is kept, and which file it is saved to.
    pub of: Of,
}

/// What was kept of it, to see whether it is that still.
#[derive(Clone, Debug, PartialEq)]
struct Stamp {
    version: Version,
    is_future: bool,
    /// The last tick that is known of it.
    end: Option<u64>,
    pins: usize,
    of: Of,
}

impl Beside<'_> {
    fn stamp(&self) -> Stamp {
        let session = self.session;
        Stamp {
            version: match self.is_future {
                true => session.other_future_version(),
                false => session.version(),
            },
            is_future: self.is_future,
            end: match self.is_future {
                true => session.other_future().map(|(_, end)| end),
                false => Some(session.timeline().end()),
            },
            pins: session.pins().len(),
            of: self.of.clone(),
        }
    }

    /// What is kept of it.
    pub fn recording(&self) -> Option<Recording> {
        match self.is_future {
            true => self.session.other_future_recording(),
            false => Some(self.session.recording()),
        }
    }
}

/// What the thread that writes gives back.
struct Written {
    /// The place of what is open, and whether it is kept.
    own: Option<(Slot, Result<(), String>)>,
    /// The places of what lies beside it.
    beside: Vec<Result<Slot, String>>,
    /// Places in which something lies that is neither.
    old: Vec<Slot>,
    took: Duration,
}

/// What is being written.
struct Writing {
    writer: JoinHandle<Written>,
    own: Option<Kept>,
    beside: Vec<Stamp>,
}

/// Who keeps unsaved work.
pub(super) struct Keeper {
    /// Where two runs must look alike, nothing is kept.
    is_off: bool,
    /// Where unsaved work lies; `None` where the system names no folder for settings.
    folder: Option<PathBuf>,
    slot: Option<Slot>,
    /// What is kept beside that.
    beside: Vec<(Slot, Stamp)>,
    /// What could not be kept there: it is tried again after a while.
    failed: Vec<Stamp>,
    failed_at: Instant,
    /// Whether what failed may lie in the place of what is open, and nowhere else.
    is_only_copy: bool,
    /// Where something was kept that need not be any more.
    old: Vec<Slot>,
    /// Whether all is kept that was to be at the last look, but for what failed: what was old by then can go.
    is_safe: bool,
    /// Whether other things may lie beside what is open than at the last look.
    is_beside_new: bool,
    /// Whether nothing was left to be done at the last look, and nothing was said since then.
    is_through: bool,
    /// Where work is kept, once there is a place for it; the slot itself is with the writer while it writes.
    file: Option<PathBuf>,
    writing: Option<Writing>,
    kept: Option<Kept>,
    /// Whether that could be kept.
    is_kept: bool,
    looked: Instant,
    rest: Duration,
    kept_at: Instant,
    /// What was said last of what went wrong: once is enough.
    said: Option<String>,
    /// How the scene is looked at, once the window has said so, and how often it has.
    looks: Option<Looks>,
    looks_count: u64,
}

impl Keeper {
    /// The time between two looks whether anything is to be kept.
    pub const LOOK: Duration = LOOK;
    /// After so many of them there is nothing new, if nobody says anything and it is through.
    pub const LOOKS: u32 = 15;

    pub fn new(is_off: bool) -> Self {
        Self {
            is_off,
            folder: unsaved::folder(),
            slot: None,
            beside: Vec::new(),
            failed: Vec::new(),
            failed_at: Instant::now(),
            is_only_copy: false,
            old: Vec::new(),
            is_safe: false,
            is_beside_new: false,
            is_through: true,
            file: None,
            writing: None,
            kept: None,
            is_kept: false,
            looked: Instant::now(),
            rest: LOOK,
            kept_at: Instant::now(),
            said: None,
            looks: None,
            looks_count: 0,
        }
    }

    /// Takes down how the scene is looked at from now on: what is kept comes back as it was seen.
    pub fn note_looks(&mut self, looks: Option<Looks>) {
        self.looks = looks;
        self.looks_count += 1;
    }

    /// Something was said: it may be that other things are to be kept beside what is open.
    pub fn look_beside(&mut self) {
        self.is_beside_new = true;
        self.is_through = false;
    }

    /// Whether another look would find nothing to do, if nobody says anything. A disk can be so slow that no look comes for a long time.
    pub fn is_through(&self) -> bool {
        self.is_off || self.is_through
    }

    /// Goes on with work that was left behind, in its place. What was kept of the scene that was open goes once it is kept beside this.
    pub fn go_on_with(&mut self, slot: Slot) {
        self.await_writer(GOODBYE);
        self.file = Some(slot.file());
        self.old.extend(self.slot.replace(slot));
        // What lies in that place has yet to be kept beside.
        self.is_safe = false;
        self.kept = None;
        self.said = None;
    }

    /// Looks whether anything has to be kept. A sentence says what went wrong, the first time.
    pub fn tend<'s>(
        &mut self,
        session: &Session,
        of: impl FnOnce() -> Of,
        beside: impl FnOnce() -> Vec<Beside<'s>>,
    ) -> Option<String> {
        if self.is_off || self.looked.elapsed() < self.rest {
            return None;
        }
        self.looked = Instant::now();
        let writing = self.writing.as_ref();
        if writing.is_some_and(|it| !it.writer.is_finished()) {
            return None;
        }
        let complaint = self.await_writer(GOODBYE);
        // Where every look has something to write no other moment comes: what is to be kept by now has not been sorted out yet.
        self.tidy(true);
        let is_retry = !self.failed.is_empty() && self.failed_at.elapsed() >= OF_TIME;
        let mut more = Vec::new();
        if std::mem::take(&mut self.is_beside_new) || is_retry {
            let mut all = beside();
            all.truncate(MOST_BESIDE);
            more = self.sort_out(all, is_retry);
        }
        let is_worth = session.is_worth_keeping();
        let kept = is_worth.then(|| Kept::of(session, of(), self.looks_count));
        let own = kept.filter(|kept| self.is_due(kept));
        self.is_safe = !is_worth || self.is_kept;
        if own.is_some() || !more.is_empty() {
            let failed = self.write(own.map(|kept| (session, kept)), &more);
            self.is_safe &= self.writing.is_some();
            // What has no writer is looked at once more.
            self.is_beside_new = self.writing.is_none();
            // Where none can be had it takes somebody who says something.
            self.is_through = self.writing.is_none();
            return complaint.or(failed);
        }
        self.tidy(is_worth);
        self.is_through = self.is_safe && self.failed.is_empty();
        complaint
    }

    /// Keeps what is unsaved, here and now: what is open, unless nobody would miss that, and what lies beside it.
    pub fn keep(&mut self, own: Option<(&Session, Of)>, mut beside: Vec<Beside<'_>>) -> Keeping {
        if self.is_off {
            return Keeping::Nothing;
        }
        self.await_writer(GOODBYE);
        // What lies farthest has no place.
        let wanted = beside.len();
        beside.truncate(MOST_BESIDE);
        let stamps: Vec<Stamp> = beside.iter().map(Beside::stamp).collect();
        // Now or never.
        self.failed.clear();
        let more = self.sort_out(beside, false);
        let own = own.filter(|(session, _)| session.is_worth_keeping());
        let own = own.map(|(session, of)| (session, Kept::of(session, of, self.looks_count)));
        let is_worth = own.is_some();
        let is_there = |kept: &Kept| self.is_kept && self.kept.as_ref() == Some(kept);
        let due = own.clone().filter(|(_, kept)| !is_there(kept));
        // Nobody is left to be told what went wrong.
        self.is_safe = !is_worth || self.is_kept;
        if due.is_some() || !more.is_empty() {
            let _ = self.write(due, &more);
            self.is_safe &= self.writing.is_some();
            let _ = self.await_writer(GOODBYE);
        }
        self.tidy(is_worth);
        let is_own_there = own.is_some_and(|(_, kept)| {
            self.writing.is_none() && self.is_kept && self.kept.as_ref() == Some(&kept)
        });
        let is_beside = |stamp: &&Stamp| self.beside.iter().any(|(_, it)| it == *stamp);
        let there = stamps.iter().filter(is_beside).count() + usize::from(is_own_there);
        match there {
            0 => Keeping::Nothing,
            _ if there == wanted + usize::from(is_worth) => Keeping::All,
            _ => Keeping::Part,
        }
    }

    /// Whether what is open is to be written by now.
    fn is_due(&self, kept: &Kept) -> bool {
        self.kept.as_ref().is_none_or(|last| {
            let [was, is] = [last, kept].map(|it| (&it.version, it.pins, &it.of));
            was != is || ((last != kept || !self.is_kept) && self.kept_at.elapsed() >= OF_TIME)
        })
    }

    /// Takes down what is to lie beside what is open from now on, and gives those of it that are not kept yet: where it is tried again,
    /// with those that could not be.
    fn sort_out<'s>(&mut self, all: Vec<Beside<'s>>, is_retry: bool) -> Vec<(Stamp, Beside<'s>)> {
        let all: Vec<(Stamp, Beside<'s>)> = all.into_iter().map(|it| (it.stamp(), it)).collect();
        let is_wanted = |stamp: &Stamp| all.iter().any(|(it, _)| it == stamp);
        self.failed.retain(is_wanted);
        for (slot, stamp) in std::mem::take(&mut self.beside) {
            match is_wanted(&stamp) {
                true => self.beside.push((slot, stamp)),
                false => self.old.push(slot),
            }
        }
        let is_known = |stamp: &Stamp| {
            (!is_retry && self.failed.contains(stamp))
                || self.beside.iter().any(|(_, it)| it == stamp)
        };
        let more = all.into_iter().filter(|(stamp, _)| !is_known(stamp));
        more.collect()
    }

    /// What is kept of what need not be any more goes. Where something could not be kept all of it stays.
    fn tidy(&mut self, is_worth: bool) {
        if !self.is_safe || !self.failed.is_empty() || self.writing.is_some() {
            return;
        }
        if !is_worth {
            self.forget_own(GOODBYE);
        }
        self.old.drain(..).for_each(|mut slot| slot.clear());
    }

    /// Something was saved: what was kept of it goes, at once where nothing else can lie in its place, and with the next look otherwise.
    pub fn saved(&mut self, session: &Session) {
        // Its other future may have been what was kept, and not lie beside yet.
        if session.is_worth_keeping() || session.other_future_has_work() {
            return;
        }
        self.await_writer(GOODBYE);
        // What was kept may still be of the scene that was open before.
        let version = session.version();
        let is_of_it = |kept: &Kept| kept.version.is_of_same_session(&version);
        if self.writing.is_none()
            && self.failed.is_empty()
            && self.kept.as_ref().is_none_or(is_of_it)
        {
            self.forget_own(GOODBYE);
        }
    }

    /// Nothing is to be kept any more.
    pub fn forget(&mut self) {
        self.forget_own(GOODBYE);
        let beside = self.beside.drain(..).map(|(slot, _)| slot);
        beside
            .chain(self.old.drain(..))
            .for_each(|mut slot| slot.clear());
    }

    fn forget_own(&mut self, longest: Duration) {
        self.await_writer(longest);
        let is_writing = self.writing.is_some();
        if (self.kept.take().is_some() || is_writing)
            && let Some(file) = &self.file
        {
            // A disk can take many seconds to confirm what has its name already: whoever leaves now has given that up too.
            // What cannot go is offered at the next start, where it can be given up.
            let _ = fs::remove_file(file);
        }
    }

    /// Has the thread write what lies beside what is open, and that after it: what was kept in its place goes by that, unless something
    /// could not be kept that may lie there alone.
    fn write(
        &mut self,
        own: Option<(&Session, Kept)>,
        beside: &[(Stamp, Beside<'_>)],
    ) -> Option<String> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => return self.complain("the system names no folder for settings".to_owned()),
        };
        let take_slot = move || {
            let failed = |error| format!("{}: {error}", folder.display());
            Slot::take(&folder).map_err(failed)
        };
        let mut place = None;
        if own.is_some() {
            place = match self.slot.take().map_or_else(&take_slot, Ok) {
                Ok(slot) => Some(slot),
                Err(reason) => return self.complain(reason),
            };
        }
        self.file = place.as_ref().map(Slot::file).or(self.file.take());
        let mut kept = None;
        let own = own.zip(place).map(|((session, what), slot)| {
            let mut recording = session.recording();
            if let Some(looks) = self.looks.clone() {
                looks.put_on(&mut recording.scene);
            }
            let of = what.of.clone();
            kept = Some(what);
            (slot, recording, of)
        });
        let mut stamps = Vec::new();
        let mut others = Vec::new();
        for (stamp, it) in beside {
            if let Some(recording) = it.recording() {
                // What failed before lies elsewhere by now, or is known to lie there alone.
                let is_first = !self.failed.contains(stamp);
                stamps.push(stamp.clone());
                others.push((recording, it.of.clone(), is_first));
            }
        }
        let mut is_only_copy = self.is_only_copy;
        let write = move || {
            let begun = Instant::now();
            let mut old = Vec::new();
            let keep_apart = |recording: &Recording, of: &Of, old: &mut Vec<Slot>| {
                let mut slot: Slot = take_slot()?;
                if let Err(reason) = slot.keep(recording, of) {
                    // Nobody else is offered what may lie there all the same.
                    old.extend(Some(slot).filter(|slot| slot.file().exists()));
                    return Err(reason);
                }
                Ok(slot)
            };
            let mut beside = Vec::new();
            for (recording, of, is_first) in &others {
                let result = keep_apart(recording, of, &mut old);
                is_only_copy |= *is_first && result.is_err();
                beside.push(result);
            }
            let own = own.map(|(mut slot, recording, of)| {
                if !is_only_copy || !slot.file().exists() {
                    let result = slot.keep(&recording, &of);
                    return (slot, result);
                }
                match keep_apart(&recording, &of, &mut old) {
                    Ok(next) => {
                        old.push(slot);
                        (next, Ok(()))
                    }
                    Err(reason) => (slot, Err(reason)),
                }
            });
            Written {
                own,
                beside,
                old,
                took: begun.elapsed(),
            }
        };
        let writer = std::thread::Builder::new().name("keep".to_owned());
        match writer.spawn(write) {
            Ok(writer) => {
                self.writing = Some(Writing {
                    writer,
                    own: kept,
                    beside: stamps,
                });
                None
            }
            Err(error) => self.complain(format!("no thread could be started ({error})")),
        }
    }

    /// Waits for what is being written, but not for a disk that is dead.
    fn await_writer(&mut self, longest: Duration) -> Option<String> {
        let writing = self.writing.take()?;
        let asked = Instant::now();
        while !writing.writer.is_finished() {
            if asked.elapsed() > longest {
                self.writing = Some(writing);
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let Ok(written) = writing.writer.join() else {
            let stamps = writing.beside.into_iter();
            stamps.for_each(|stamp| self.note_failed(stamp));
            self.is_kept &= writing.own.is_none();
            self.is_safe = false;
            return self.complain("writing it ended by a fault of the program".to_owned());
        };
        self.rest = LOOK.max(written.took * SHARE);
        self.old.extend(written.old);
        let mut failed = None;
        for (stamp, result) in writing.beside.into_iter().zip(written.beside) {
            match result {
                Ok(slot) => {
                    self.failed.retain(|it| *it != stamp);
                    self.beside.push((slot, stamp));
                }
                Err(reason) => {
                    self.note_failed(stamp);
                    failed = Some(reason);
                }
            }
        }
        if let Some((slot, result)) = written.own {
            failed = result.as_ref().err().cloned().or(failed);
            if self.slot.is_some() {
                // It took so long that another scene is open by now, which has its own.
                self.old.push(slot);
                self.is_safe = false;
                return failed.and_then(|reason| self.complain(reason));
            }
            self.kept_at = Instant::now();
            // Work on another file has another place.
            self.file = Some(slot.file());
            self.slot = Some(slot);
            // What could not be kept is tried again after a while, or where something is new.
            self.kept = writing.own;
            self.is_kept = result.is_ok();
            self.is_safe = self.is_kept;
            // It was not written over what is nowhere else.
            self.is_only_copy &= !self.is_kept;
        }
        self.is_only_copy &= !self.failed.is_empty();
        match failed {
            Some(reason) => self.complain(reason),
            None => {
                if self.failed.is_empty() {
                    self.said = None;
                }
                None
            }
        }
    }

    /// This could not be kept beside what is open.
    fn note_failed(&mut self, stamp: Stamp) {
        self.failed_at = Instant::now();
        if !self.failed.contains(&stamp) {
            self.failed.push(stamp);
            self.is_only_copy = true;
        }
    }

    fn complain(&mut self, reason: String) -> Option<String> {
        let sentence = format!("What you have not saved would not survive a crash: {reason}.");
        (self.said.as_ref() != Some(&sentence)).then(|| {
            self.said = Some(sentence.clone());
            sentence
        })
    }
}

impl Kept {
    fn of(session: &Session, of: Of, looks: u64) -> Self {
        Self {
            version: session.version(),
            hash: session.hash() ^ session.tick_count(),
            pins: session.pins().len(),
            of,
            looks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::unsaved::left_behind;
    use skirmish::probe::Cancel;
    use skirmish::scene::file::built_in;
    use skirmish::session::Action;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    fn keeper(folder: &Path) -> Keeper {
        let mut keeper = Keeper::new(false);
        keeper.folder = Some(folder.to_owned());
        keeper
    }

    fn fresh() -> Session {
        Session::new(built_in(), Path::new("")).0
    }

    fn act(session: &mut Session, action: Action) {
        session.apply(action, false, &Cancel::default()).unwrap();
    }

    /// A scene with work that no file has.
    fn work() -> Session {
        let mut session = fresh();
        act(&mut session, Action::Reach(2.0));
        session
    }

    fn named(name: &str) -> Of {
        Of {
            path: None,
            name: Some(name.to_owned()),
        }
    }

    fn beside<'s>(session: &'s Session, name: &str, is_future: bool) -> Beside<'s> {
        Beside {
            session,
            is_future,
            of: named(name),
        }
    }

    fn other(session: &Session) -> Vec<Beside<'_>> {
        vec![beside(session, "other", true)]
    }

    /// Looks once more, after something was said. Whether anything was written.
    fn look(keeper: &mut Keeper, session: &Session, all: Vec<Beside<'_>>) -> bool {
        keeper.rest = Duration::ZERO;
        keeper.look_beside();
        keeper.tend(session, || named("here"), || all);
        let writes = keeper.writing.is_some();
        keeper.await_writer(GOODBYE);
        writes
    }

    fn files(folder: &Path) -> Vec<u32> {
        let is_there = |number: &u32| folder.join(format!("{number}.ron")).exists();
        (1..20).filter(is_there).collect()
    }

    /// What cannot be kept, wherever there is a place: a path that is none has no note.
    fn unkept(session: &Session) -> Vec<Beside<'_>> {
        let mut it = beside(session, "unkept", false);
        it.of.path = Some(PathBuf::new());
        vec![it]
    }

    /// What was done in what lies at this place.
    fn acts(folder: &Path, number: u32) -> Vec<Action> {
        let recording = Recording::read(&folder.join(format!("{number}.ron"))).unwrap();
        recording.acts.into_iter().map(|it| it.act).collect()
    }

    fn tick(session: &mut Session) {
        session.tick(&Cancel::default(), &mut ()).unwrap();
    }

    /// Leaves a future with work aside by another edit before that.
    fn end_future(session: &mut Session) {
        let at = session.tick_count() + 1;
        (0..2).for_each(|_| tick(session));
        act(session, Action::Reach(3.0));
        tick(session);
        session.seek(at, &Cancel::default(), &mut ()).unwrap();
        act(session, Action::Reach(4.0));
    }

    fn left(folder: &Path) -> Vec<String> {
        let mut all: Vec<String> = left_behind(folder).iter().map(|it| it.title()).collect();
        all.sort();
        all
    }

    #[test]
    fn a_scene_that_is_left_is_kept_beside_the_one_that_is_open_before_its_place_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let mut keeper = keeper(folder.path());
        let (first, next) = (work(), fresh());
        assert!(look(&mut keeper, &first, Vec::new()));
        assert_eq!(files(folder.path()), [1]);
        assert!(!look(&mut keeper, &first, Vec::new()));
        // It is left for one of which nothing is to be kept.
        let left_first = || vec![beside(&first, "first", false)];
        assert!(look(&mut keeper, &next, left_first()));
        assert_eq!(files(folder.path()), [1, 2]);
        assert!(!look(&mut keeper, &next, left_first()));
        assert_eq!(files(folder.path()), [2]);
        // What has not changed is not written again, whatever is done elsewhere.
        assert!(!look(&mut keeper, &next, left_first()));
        assert!(look(&mut keeper, &work(), left_first()));
        assert!(!look(&mut keeper, &next, left_first()));
        assert_eq!(files(folder.path()), [2]);
        // Undo goes back to it: it is kept as what is open, and then not beside that.
        assert!(look(&mut keeper, &first, Vec::new()));
        assert_eq!(files(folder.path()), [1, 2]);
        assert!(!look(&mut keeper, &first, Vec::new()));
        assert_eq!(files(folder.path()), [1]);
        drop(keeper);
        assert_eq!(left(folder.path()), ["here"]);
    }

    #[test]
    fn another_future_is_written_once_and_anew_where_another_one_takes_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let mut keeper = keeper(folder.path());
        let mut session = work();
        end_future(&mut session);
        assert!(session.other_future_has_work());
        assert!(look(&mut keeper, &session, other(&session)));
        assert_eq!(files(folder.path()).len(), 2);
        assert_eq!(keeper.beside.len(), 1);
        let version = session.other_future_version();
        tick(&mut session);
        act(&mut session, Action::Reach(5.0));
        assert!(version == session.other_future_version());
        let file = keeper.beside[0].0.file();
        let written = || fs::metadata(&file).unwrap().modified().unwrap();
        let before = written();
        // What is open is written, and that alone.
        assert!(look(&mut keeper, &session, other(&session)));
        assert_eq!((written(), files(folder.path()).len()), (before, 2));
        end_future(&mut session);
        assert!(version != session.other_future_version());
        assert!(look(&mut keeper, &session, other(&session)));
        look(&mut keeper, &session, other(&session));
        assert_eq!(files(folder.path()).len(), 2);
        drop(keeper);
        assert_eq!(left(folder.path()), ["here", "other"]);
    }

    #[test]
    fn what_could_not_be_kept_beside_stays_where_it_lay_and_what_is_open_goes_on_elsewhere() {
        // The scene that comes has work at once, or only later.
        for mut next in [work(), fresh()] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path();
            let mut keeper = keeper(path);
            let first = work();
            assert!(look(&mut keeper, &first, Vec::new()));
            look(&mut keeper, &next, unkept(&first));
            for reach in [5.0, 6.0, 7.0] {
                act(&mut next, Action::Reach(reach));
                look(&mut keeper, &next, unkept(&first));
                // It has one other place, and not one an edit.
                assert_eq!(files(path), [1, 2]);
                assert_eq!(acts(path, 1), [Action::Reach(2.0)]);
                assert!(acts(path, 2).contains(&Action::Reach(reach)));
            }
            // Nobody would miss it any more.
            look(&mut keeper, &next, Vec::new());
            look(&mut keeper, &next, Vec::new());
            assert_eq!(files(path), [2]);
        }
    }

    #[test]
    fn what_could_not_be_kept_stays_until_it_is_tried_again_also_where_the_present_is_saved() {
        for is_saved in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path();
            let mut keeper = keeper(path);
            let (first, mut next) = (work(), work());
            act(&mut next, Action::Reach(5.0));
            look(&mut keeper, &first, Vec::new());
            // Nothing can lie in the next place.
            let nowhere = path.join("2.lock");
            fs::create_dir(&nowhere).unwrap();
            let left_first = || vec![beside(&first, "first", false)];
            look(&mut keeper, &next, left_first());
            if is_saved {
                next.note_saved(Arc::clone(next.scene()));
                keeper.saved(&next);
                look(&mut keeper, &next, left_first());
            }
            assert_eq!(files(path), [1]);
            assert_eq!(acts(path, 1), [Action::Reach(2.0)]);
            assert!(!keeper.is_through());
            fs::remove_dir(&nowhere).unwrap();
            // Nobody says anything.
            let wait = |keeper: &mut Keeper| {
                keeper.rest = Duration::ZERO;
                keeper.tend(&next, || named("here"), left_first);
                keeper.await_writer(GOODBYE);
            };
            wait(&mut keeper);
            assert_eq!(files(path), [1], "it was tried a moment ago");
            keeper.failed_at -= OF_TIME;
            keeper.kept_at -= OF_TIME;
            (0..3).for_each(|_| wait(&mut keeper));
            assert!(keeper.is_through());
            drop(keeper);
            let names = if is_saved {
                vec!["first"]
            } else {
                vec!["first", "here"]
            };
            assert_eq!(left(path), names);
        }
    }

    #[test]
    fn what_need_not_be_kept_any_more_goes_though_every_look_has_something_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let mut keeper = keeper(folder.path());
        let (first, mut session) = (work(), work());
        for number in 0..10_u8 {
            act(&mut session, Action::Reach(f32::from(number + 3)));
            let name = number.to_string();
            assert!(look(
                &mut keeper,
                &session,
                vec![beside(&first, &name, false)]
            ));
            // One is open, one lies beside it, and one did so until now.
            assert!(files(folder.path()).len() <= 3, "{number}");
        }
    }

    #[test]
    fn another_future_that_came_a_moment_ago_is_not_lost_by_saving_the_present_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut keeper = keeper(folder.path());
        let mut session = work();
        look(&mut keeper, &session, Vec::new());
        end_future(&mut session);
        session.note_saved(Arc::clone(session.scene()));
        keeper.saved(&session);
        assert_eq!(files(folder.path()), [1]);
        look(&mut keeper, &session, other(&session));
        look(&mut keeper, &session, other(&session));
        drop(keeper);
        assert_eq!(left(folder.path()), ["other"]);
    }

    #[test]
    fn nothing_is_left_to_be_done_only_once_what_was_said_is_looked_at_and_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut keeper = keeper(folder.path());
        let session = work();
        assert!(keeper.is_through());
        keeper.look_beside();
        let look = |keeper: &mut Keeper| {
            keeper.tend(&session, || named("here"), Vec::new);
        };
        // The disk is slow: the next look has yet to come.
        keeper.rest = Duration::from_secs(3600);
        look(&mut keeper);
        assert!(!keeper.is_through());
        keeper.rest = Duration::ZERO;
        look(&mut keeper);
        assert!(!keeper.is_through());
        keeper.await_writer(GOODBYE);
        keeper.rest = Duration::ZERO;
        look(&mut keeper);
        assert!(keeper.is_through());
    }

    #[test]
    fn who_ends_is_told_whether_all_is_kept_a_part_of_it_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (work, fresh) = (work(), fresh());
        let own = |session| Some((session, named("here")));
        let others = |count: usize| -> Vec<Beside<'_>> {
            let names = (0..count).map(|number| number.to_string());
            names.map(|name| beside(&work, &name, false)).collect()
        };
        let mut keeper = keeper(folder.path());
        assert_eq!(keeper.keep(own(&fresh), Vec::new()), Keeping::Nothing);
        // Nothing of what is open is to be kept, and what lies beside it is.
        assert_eq!(keeper.keep(own(&fresh), others(2)), Keeping::All);
        assert_eq!(keeper.keep(own(&work), others(2)), Keeping::All);
        assert_eq!(files(folder.path()).len(), 3);
        let most = MOST_BESIDE;
        assert_eq!(keeper.keep(own(&work), others(most)), Keeping::All);
        assert_eq!(keeper.keep(own(&work), others(most + 1)), Keeping::Part);
        keeper.forget();
        assert!(files(folder.path()).is_empty());
        // Where nothing more can be written, what was kept stays.
        assert_eq!(keeper.keep(None, others(1)), Keeping::All);
        let kept = files(folder.path());
        let nowhere = folder.path().join("1.lock");
        keeper.folder = Some(nowhere);
        assert_eq!(keeper.keep(None, others(2)), Keeping::Part);
        assert_eq!(files(folder.path()), kept);
        let mut keeper = Keeper::new(true);
        assert_eq!(keeper.keep(own(&work), others(1)), Keeping::Nothing);
    }

    #[test]
    fn what_is_given_up_goes_though_the_disk_has_not_confirmed_it_yet() {
        let folder = tempfile::tempdir().unwrap();
        let session = fresh();
        let kept = Kept::of(&session, Of::default(), 0);
        let mut slot = Slot::take(folder.path()).unwrap();
        let file = slot.file();
        slot.keep(&session.recording(), &Of::default()).unwrap();
        // It has its name, and the writer waits for the disk.
        let (confirm, confirmed) = channel::<()>();
        let writer = std::thread::spawn(move || {
            let _ = confirmed.recv();
            Written {
                own: Some((slot, Ok(()))),
                beside: Vec::new(),
                old: Vec::new(),
                took: Duration::ZERO,
            }
        });
        let mut keeper = keeper(folder.path());
        keeper.file = Some(file.clone());
        keeper.writing = Some(Writing {
            writer,
            own: Some(kept),
            beside: Vec::new(),
        });
        keeper.forget_own(Duration::from_millis(5));
        assert!(!file.exists());
        // What the writer may have written since goes as well, once it has ended.
        fs::write(&file, "").unwrap();
        confirm.send(()).unwrap();
        keeper.forget();
        assert!(!file.exists());
        assert!(keeper.slot.is_some() && keeper.writing.is_none());
    }
}
