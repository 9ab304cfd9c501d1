//! `skirmish completions`

use super::output::print;
use super::{Failure, definition};
use clap::Args;
use clap_complete::{Shell, generate};

/// Print a script that lets a shell complete commands, options and the names of structures
#[derive(Debug, Args)]
pub struct Arguments {
    /// For which shell
    shell: Shell,
}

impl Arguments {
    /// Prints the script.
    pub fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut definition(), "skirmish", &mut script);
        // What is generated from text is text.
        print(&String::from_utf8_lossy(&script))
    }
}
