//! Keeps what has not been saved, beside the settings, while the program runs: a second after an edit, and every few seconds
//! while time passes. What is written is a copy, on a thread of its own.

use super::saver::Looks;
use crate::app::unsaved::{self, Of, Slot};
use skirmish::session::Session;
use skirmish::session::file::Recording;
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
/// So many further scenes are kept when the program ends.
const MOST_BESIDE: usize = 8;
/// Who ends waits at the longest this long for what is being written.
const GOODBYE: Duration = Duration::from_secs(5);

/// What was kept last, to see whether anything is new.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    acts: usize,
    hash: u64,
    pins: usize,
    of: Of,
    /// How often the way in which the scene is looked at has changed.
    looks: u64,
}

/// What the thread that writes gives back.
type Written = (Slot, Result<(), String>, Duration);

/// Who keeps unsaved work.
pub(super) struct Keeper {
    /// Where two runs must look alike, nothing is kept.
    is_off: bool,
    slot: Option<Slot>,
    /// Where further scenes are kept, once the program ends.
    beside: Vec<Slot>,
    /// Where work is kept, once there is a place for it; the slot itself is with the writer while it writes.
    file: Option<PathBuf>,
    writing: Option<(JoinHandle<Written>, Kept)>,
    kept: Option<Kept>,
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
    /// After so many of them there is nothing new, if nobody says anything: what came last was written, also where the disk is slow.
    pub const LOOKS: u32 = 15;

    pub fn new(is_off: bool) -> Self {
        Self {
            is_off,
            slot: None,
            beside: Vec::new(),
            file: None,
            writing: None,
            kept: None,
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

    /// Goes on with work that was left behind, in its place.
    pub fn go_on_with(&mut self, slot: Slot) {
        self.await_writer(GOODBYE);
        self.file = Some(slot.file());
        if let Some(mut before) = self.slot.replace(slot) {
            before.clear();
        }
        self.kept = None;
        self.said = None;
    }

    /// Looks whether anything has to be kept. A sentence says what went wrong, the first time.
    pub fn tend(&mut self, session: &Session, of: impl FnOnce() -> Of) -> Option<String> {
        if self.is_off || self.looked.elapsed() < self.rest {
            return None;
        }
        self.looked = Instant::now();
        if self
            .writing
            .as_ref()
            .is_some_and(|(writer, _)| !writer.is_finished())
        {
            return None;
        }
        let complaint = self.await_writer(GOODBYE);
        if !session.is_worth_keeping() {
            self.forget();
            return complaint;
        }
        let kept = Kept::of(session, of(), self.looks_count);
        let is_new = self.kept.as_ref().is_none_or(|last| {
            let is_other = (last.acts, last.pins, &last.of) != (kept.acts, kept.pins, &kept.of);
            is_other || (*last != kept && self.kept_at.elapsed() >= OF_TIME)
        });
        if !is_new {
            return complaint;
        }
        complaint.or(self.write(session, kept))
    }

    /// Keeps what is unsaved, here and now.
    pub fn keep(&mut self, session: &Session, of: Of) -> Option<String> {
        if self.is_off {
            return None;
        }
        let before = self.await_writer(GOODBYE);
        if !session.is_worth_keeping() {
            self.forget();
            return before;
        }
        let kept = Kept::of(session, of, self.looks_count);
        if self.kept.as_ref() == Some(&kept) {
            return before;
        }
        before
            .or(self.write(session, kept))
            .or_else(|| self.await_writer(GOODBYE))
    }

    /// Keeps further scenes here and now, each in a place of its own, in the place of those that were kept so before.
    pub fn keep_beside(&mut self, all: impl Iterator<Item = (Recording, Of)>) {
        let mut before = std::mem::take(&mut self.beside).into_iter();
        let most = if self.is_off { 0 } else { MOST_BESIDE };
        for (recording, of) in all.take(most) {
            let slot = before.next().map_or_else(take_slot, Ok);
            // Nobody is left to be told what went wrong.
            if let Ok(mut slot) = slot
                && slot.keep(&recording, &of).is_ok()
            {
                self.beside.push(slot);
            }
        }
        before.for_each(|mut slot| slot.clear());
    }

    /// Whether what is unsaved is kept.
    pub fn has_kept(&self) -> bool {
        (self.kept.is_some() && self.said.is_none()) || !self.beside.is_empty()
    }

    /// Something was saved: what was kept of it goes.
    pub fn saved(&mut self, session: &Session) {
        if !session.is_worth_keeping() {
            self.forget();
        }
    }

    /// Nothing is to be kept any more.
    pub fn forget(&mut self) {
        self.forget_within(GOODBYE);
    }

    fn forget_within(&mut self, longest: Duration) {
        self.beside.drain(..).for_each(|mut slot| slot.clear());
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

    fn write(&mut self, session: &Session, kept: Kept) -> Option<String> {
        let mut slot = match self.slot.take().map_or_else(take_slot, Ok) {
            Ok(slot) => slot,
            Err(reason) => return self.complain(reason),
        };
        self.file = Some(slot.file());
        let mut recording = session.recording();
        if let Some(looks) = self.looks.clone() {
            looks.put_on(&mut recording.scene);
        }
        let of = kept.of.clone();
        let write = move || {
            let begun = Instant::now();
            let result = slot.keep(&recording, &of);
            (slot, result, begun.elapsed())
        };
        let writer = std::thread::Builder::new().name("keep".to_owned());
        match writer.spawn(write) {
            Ok(writer) => {
                self.writing = Some((writer, kept));
                None
            }
            Err(error) => self.complain(format!("no thread could be started ({error})")),
        }
    }

    /// Waits for what is being written, but not for a disk that is dead.
    fn await_writer(&mut self, longest: Duration) -> Option<String> {
        let (writer, kept) = self.writing.take()?;
        let asked = Instant::now();
        while !writer.is_finished() {
            if asked.elapsed() > longest {
                self.writing = Some((writer, kept));
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kept_at = Instant::now();
        match writer.join() {
            Ok((slot, result, took)) => {
                self.rest = LOOK.max(took * SHARE);
                // Work on another file has another place.
                self.file = Some(slot.file());
                self.slot = Some(slot);
                // What could not be kept is not tried again before something is new.
                self.kept = Some(kept);
                match result {
                    Ok(()) => {
                        self.said = None;
                        None
                    }
                    Err(reason) => self.complain(reason),
                }
            }
            Err(_) => self.complain("writing it ended by a fault of the program".to_owned()),
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
            acts: session.timeline().acts().len(),
            hash: session.hash() ^ session.tick_count(),
            pins: session.pins().len(),
            of,
            looks,
        }
    }
}

fn take_slot() -> Result<Slot, String> {
    let folder = unsaved::folder().ok_or("the system names no folder for settings")?;
    let failed = |error| format!("{}: {error}", folder.display());
    Slot::take(&folder).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::scene::file::built_in;
    use std::path::Path;
    use std::sync::mpsc::channel;

    #[test]
    fn what_is_given_up_goes_though_the_disk_has_not_confirmed_it_yet() {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::new(built_in(), Path::new("")).0;
        let kept = Kept::of(&session, Of::default(), 0);
        let mut slot = Slot::take(folder.path()).unwrap();
        let file = slot.file();
        slot.keep(&session.recording(), &Of::default()).unwrap();
        // It has its name, and the writer waits for the disk.
        let (confirm, confirmed) = channel::<()>();
        let writer = std::thread::spawn(move || {
            let _ = confirmed.recv();
            (slot, Ok(()), Duration::ZERO)
        });
        let mut keeper = Keeper::new(false);
        keeper.file = Some(file.clone());
        keeper.writing = Some((writer, kept));
        keeper.forget_within(Duration::from_millis(5));
        assert!(!file.exists());
        // What the writer may have written since goes as well, once it has ended.
        fs::write(&file, "").unwrap();
        confirm.send(()).unwrap();
        keeper.forget();
        assert!(!file.exists());
        assert!(keeper.slot.is_some() && keeper.writing.is_none());
    }
}
