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
}

impl App {
    /// Says that something failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: true,
            said: Instant::now(),
        });
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            failed: false,
            said: Instant::now(),
        });
    }
}
