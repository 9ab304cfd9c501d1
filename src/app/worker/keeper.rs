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
use skirmish::session::{Session, Unsaved, Version};
use std::collections::VecDeque;
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
/// So much is kept beside what is open: more than scenes that are left usually come to, as the memory that they take is bounded.
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
    /// Of what something lies in the place of what is open. It goes only where that is saved, or lies beside.
    lies: Option<Version>,
    looked: Instant,
    rest: Duration,
    kept_at: Instant,
    /// What was said last of what went wrong: once is enough.
    said: Option<String>,
    /// What has yet to be said, the first first.
    untold: VecDeque<String>,
    /// Whether more is to be kept beside what is open than has a place, which was said.
    is_over: bool,
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
            lies: None,
            looked: Instant::now(),
            rest: LOOK,
            kept_at: Instant::now(),
            said: None,
            untold: VecDeque::new(),
            is_over: false,
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
    pub fn go_on_with(&mut self, slot: Slot, session: &Session) {
        self.await_writer(GOODBYE);
        self.file = Some(slot.file());
        self.old.extend(self.slot.replace(slot));
        // What lies in that place has yet to be kept beside.
        self.is_safe = false;
        self.kept = None;
        self.lies = Some(session.version());
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
        self.untold.extend(complaint);
        // Where every look has something to write no other moment comes: what is to be kept by now has not been sorted out yet.
        self.tidy(true);
        let is_retry = !self.failed.is_empty() && self.failed_at.elapsed() >= OF_TIME;
        let mut more = Vec::new();
        if std::mem::take(&mut self.is_beside_new) || is_retry {
            let mut all = beside();
            self.note_count(all.len());
            all.truncate(MOST_BESIDE);
            more = self.sort_out(all, is_retry);
        }
        let is_worth = session.is_worth_keeping();
        let kept = is_worth.then(|| Kept::of(session, of(), self.looks_count));
        // Time alone, and how it is looked at, wait for a while.
        let is_as_kept = kept.is_none() || kept == self.kept;
        let own = kept.filter(|kept| self.is_due(kept));
        self.is_safe = !is_worth || self.is_kept;
        if own.is_some() || !more.is_empty() {
            let failed = self.write(own.map(|kept| (session, kept)), &more);
            self.untold.extend(failed);
            self.is_safe &= self.writing.is_some();
            // What has no writer is tried again after a while, until there is one: the folder may be there for nobody at present.
            if self.writing.is_none() {
                self.is_beside_new = true;
                self.rest = OF_TIME;
            }
            self.is_through = self.folder.is_none();
        } else {
            self.tidy(is_worth);
            self.is_through = self.is_safe && self.failed.is_empty() && is_as_kept;
        }
        let sentence = self.untold.pop_front();
        self.is_through &= self.untold.is_empty();
        sentence
    }

    /// That something has no place is said once, until all has one again.
    fn note_count(&mut self, count: usize) {
        let was_over = std::mem::replace(&mut self.is_over, count > MOST_BESIDE);
        if self.is_over && !was_over {
            self.untold.push_back(format!(
                "Not all that you have not saved would survive a crash: of scenes that are not open at most {MOST_BESIDE} are kept."
            ));
        }
    }

    /// Keeps what is unsaved, here and now: what is open, unless nobody would miss that, and what lies beside it. It says too little rather
    /// than too much: a copy that lies where something else was to be written by now, and could not be, is not counted.
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

    /// What is kept of what need not be any more goes. Where something could not be kept all of it stays; a disk that does not confirm what
    /// is there as a whole has kept it.
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
        let of_future = session.other_future_unsaved();
        if session.is_worth_keeping() || of_future != Unsaved::Nothing {
            return;
        }
        let complaint = self.await_writer(GOODBYE);
        self.untold.extend(complaint);
        // What lies there may still be of the scene that was open before.
        let version = session.version();
        let is_of_it = |lies: &Version| lies.is_of_same_session(&version);
        if self.writing.is_none()
            && self.failed.is_empty()
            && self.lies.as_ref().is_none_or(is_of_it)
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
        self.kept = None;
        if (self.lies.take().is_some() || is_writing)
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
                looks.put_on_beginning(&mut recording.scene);
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
            Err(error) => {
                self.lose_place();
                self.complain(format!("no thread could be started ({error})"))
            }
        }
    }

    /// The place of what is open went with the thread that had it, and others may take it by now: what lies there is offered to them, and
    /// what is open has another one.
    fn lose_place(&mut self) {
        if self.slot.is_none() {
            (self.file, self.kept, self.lies) = (None, None, None);
            self.is_kept = false;
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
            self.lose_place();
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
            self.is_kept = result.is_ok();
            if self.is_kept || self.lies.is_none() {
                self.lies = writing.own.as_ref().map(|kept| kept.version.clone());
            }
            self.kept = writing.own;
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
mod tests;
