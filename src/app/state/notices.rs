//! What is said to the user in a sentence.

use super::App;
use std::time::Instant;

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
}

/// An edit of which was told.
#[derive(Clone, Debug)]
pub struct Told {
    /// The name under which undo takes it back.
    name: String,
    /// Whether the window has heard of that name: the sentence may be here before.
    is_known: bool,
}

impl App {
    /// Says that something failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: true,
            said: Instant::now(),
            edit: None,
        });
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: false,
            said: Instant::now(),
            edit: None,
        });
    }

    /// Says something of an edit, which undo takes back under this name.
    pub fn say_of_edit(&mut self, text: impl Into<String>, name: Option<String>) {
        self.say(text);
        let told = name.map(|name| Told {
            name,
            is_known: false,
        });
        if let Some(notice) = &mut self.notice {
            notice.edit = told;
        }
    }

    /// An edit is taken back: what was said of it is no longer so.
    pub fn unsay_edit(&mut self) {
        self.notice.take_if(|notice| notice.edit.is_some());
    }

    /// Takes away what was said of an edit that undo does not take back next any more.
    pub fn tidy_notice(&mut self) {
        let next = self.undo_names[0].as_deref();
        let is_over = |notice: &mut Notice| {
            let Some(told) = &mut notice.edit else {
                return false;
            };
            let is_next = next == Some(told.name.as_str());
            told.is_known |= is_next;
            told.is_known && !is_next
        };
        self.notice.take_if(is_over);
    }
}
