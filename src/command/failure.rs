//! How a run ends that does not end well, and how it is said.

use skirmish::scene::file::SceneError;
use skirmish::session::Crowding;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a run ended that did not end well; each becomes one line on stderr.
#[derive(Debug)]
pub enum Failure {
    /// What was given is wrong: exit code 2.
    Input(String),
    /// What was given is fine, and doing it failed: exit code 1.
    Run(String),
    /// Everything was said before; only the exit code is left.
    Said(u8),
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Input(error.to_string())
    }
}

impl Failure {
    /// Says it, unless it was said before, and gives the exit code for it.
    pub fn end(self) -> ExitCode {
        match self {
            Self::Input(sentence) => {
                complain(&sentence);
                ExitCode::from(2)
            }
            Self::Run(sentence) => {
                complain(&sentence);
                ExitCode::FAILURE
            }
            Self::Said(code) => ExitCode::from(code),
        }
    }
}

/// Says that a step takes long: whoever waits for the first one is to know for what.
pub fn warn(crowding: &Crowding) {
    complain(&crowding.to_string());
}

/// Writes one line to stderr, whatever is in the names that it quotes. When even that fails there is nobody left to tell.
pub fn complain(message: &str) {
    let mut line = String::with_capacity(message.len());
    for c in message.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    let _ = writeln!(io::stderr(), "skirmish: {line}");
}
