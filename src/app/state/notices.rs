//! What is said to the user in a sentence.

use super::App;
use crate::app::sentences::begun;
use std::time::{Duration, Instant};

/// One sentence for the user, shown until it is closed or replaced.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// Whether something failed.
    pub failed: bool,
    /// When it was said, or somebody was about to press its button: what is no failure goes by itself after a while.
    pub said: Instant,
    /// The edit of which it tells: it goes when that is no longer what undo takes back next.
    pub edit: Option<Told>,
    /// Whether an edit was refused: as soon as another one is done, nobody needs it any more.
    pub is_refusal: bool,
    /// Whether it says what became of a value that was typed: what that has brought about is said behind it.
    pub is_of_value: bool,
}

/// An edit of which was told.
#[derive(Clone, Debug)]
pub struct Told {
    /// The name under which undo takes it back, or redo does it again.
    name: String,
    /// Whether it is redo.
    redo: bool,
    /// Whether the window has heard of that name: the sentence may be here before.
    is_known: bool,
    /// Where it has put a future aside: what is said while undo brings that back, and what when only its command does.
    future: Option<[String; 2]>,
}

impl App {
    /// Says that something failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: true,
            said: Instant::now(),
            edit: None,
            is_refusal: false,
            is_of_value: false,
        });
    }

    /// Says why an edit was not done, until one is.
    pub fn refuse(&mut self, text: &str) {
        // On a command line it stands behind the name of a file, here it begins.
        self.fail(begun(text));
        if let Some(notice) = &mut self.notice {
            notice.is_refusal = true;
        }
    }

    /// An edit has been done: that one before was not is no longer of use.
    pub fn unsay_refusal(&mut self) {
        self.notice.take_if(|notice| notice.is_refusal);
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: false,
            said: Instant::now(),
            edit: None,
            is_refusal: false,
            is_of_value: false,
        });
    }

    /// Says what became of a value that was typed.
    pub fn say_of_value(&mut self, text: impl Into<String>) {
        self.say(text);
        if let Some(notice) = &mut self.notice {
            notice.is_of_value = true;
        }
    }

    /// Says something of an edit, which undo takes back under this name.
    pub fn say_of_edit(&mut self, text: impl Into<String>, name: Option<String>) {
        self.say(text);
        let told = name.map(|name| Told {
            name,
            redo: false,
            is_known: false,
            future: None,
        });
        if let Some(notice) = &mut self.notice {
            notice.edit = told;
        }
    }

    /// Says that an edit, which undo (or redo, of one that was undone) takes under this name, has put a future aside: the first
    /// sentence as long as that brings it back, then the second.
    pub fn say_of_future(&mut self, mut sentences: [String; 2], name: String, redo: bool) {
        /// What was typed longer ago was taken before.
        const SOON: Duration = Duration::from_secs(2);
        let is_of_it = |notice: &mut Notice| notice.is_of_value && notice.said.elapsed() < SOON;
        if let Some(value) = self.notice.take_if(is_of_it) {
            sentences = sentences.map(|words| format!("{} {words}", value.text));
        }
        self.say(sentences[0].clone());
        if let Some(notice) = &mut self.notice {
            notice.edit = Some(Told {
                name,
                redo,
                is_known: false,
                future: Some(sentences),
            });
        }
    }

    /// An edit has been undone, or done again.
    pub(super) fn say_turned(&mut self, words: String) {
        self.turned = Some((words, Instant::now(), self.place.tick));
    }

    /// What was undone or done again a moment ago, and for how long that is still said. Where frames are counted no time passes, and it is
    /// said until the next tick.
    pub fn said_of_turn(&self) -> Option<(&str, Duration)> {
        /// Long enough to be seen at the other end of the window, and read.
        const LONG: Duration = Duration::from_secs(4);
        let (words, since, tick) = self.turned.as_ref()?;
        let passed = match self.fixed {
            true if *tick != self.place.tick => LONG,
            true => Duration::ZERO,
            false => since.elapsed(),
        };
        let left = LONG.checked_sub(passed).filter(|left| !left.is_zero())?;
        Some((words, left))
    }

    /// An edit is taken back: what was said of it is no longer so.
    pub fn unsay_edit(&mut self) {
        self.notice.take_if(|notice| notice.edit.is_some());
    }

    /// Takes away what was said of an edit that undo does not take back next any more, and says of a future that was put aside what
    /// brings it back now.
    pub fn tidy_notice(&mut self) {
        let names = &self.undo_names;
        let is_over = |notice: &mut Notice| {
            let Some(told) = &mut notice.edit else {
                return false;
            };
            let is_next = names[usize::from(told.redo)].as_ref() == Some(&told.name);
            told.is_known |= is_next;
            told.is_known && !is_next
        };
        self.notice.take_if(is_over);
        let by_edit = self.place.edit_brings_future_back;
        if let Some(notice) = &mut self.notice
            && let Some(told) = notice.edit.as_ref().filter(|told| told.is_known)
            && let Some([first, later]) = &told.future
        {
            // A future that was put aside stays there until another one is.
            notice.text.clone_from(if by_edit { first } else { later });
        }
    }
}
