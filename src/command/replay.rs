//! `skirmish replay`

use super::output::{print, print_json};
use super::values::whole;
use super::{Failure, complain};
use clap::Args;
use serde_json::json;
use skirmish::measure::replay;
use skirmish::session::file::Recording;
use std::fmt::Write;
use std::path::PathBuf;

/// Run a recording without a window, and say at which tick it first comes out differently, and its hash (of battle and world)
#[derive(Debug, Args)]
pub struct Arguments {
    /// The recording
    recording: PathBuf,
    /// Stop after this many ticks
    #[arg(long, value_name = "TICK", value_parser = ticks)]
    until: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn ticks(text: &str) -> Result<u64, String> {
    whole(text, 0, 1 << 30)
}

impl Arguments {
    /// Reads the recording and runs it. One that comes out differently is a run that failed.
    pub fn run(self) -> Result<(), Failure> {
        let recording = Recording::read(&self.recording)?;
        let name = self.recording.display();
        let report = replay::run(recording, self.until, &mut |sentence| complain(sentence))
            .map_err(|refusal| Failure::Input(format!("{name}: {refusal}")))?;
        if self.json {
            print_json(&json!({
                "ticks": report.ticks,
                "hash": format!("{:016x}", report.hash),
                "actions": report.actions,
                "diverged_at": report.diverged_at,
            }))?;
        } else {
            let mut text = String::new();
            // Writing into a string cannot fail.
            let _ = writeln!(text, "ticks        {}", report.ticks);
            let _ = writeln!(text, "actions      {}", report.actions);
            let _ = writeln!(text, "hash         {:016x}", report.hash);
            let _ = match report.diverged_at {
                Some(tick) => writeln!(text, "diverged at  tick {tick}"),
                None => writeln!(text, "diverged at  never"),
            };
            print(&text)?;
        }
        match report.diverged_at {
            Some(_) => Err(Failure::Said(1)),
            None => Ok(()),
        }
    }
}
