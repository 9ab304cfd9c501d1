//! A recording once more: the same actions at the same ticks, and whether each tick comes out as it did.

use crate::probe::Cancel;
use crate::session::file::Recording;
use crate::session::{Refusal, Session};

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many ticks were run.
    pub ticks: u64,
    /// How many actions were done.
    pub actions: usize,
    /// The fingerprint of the end.
    pub hash: u64,
    /// The first tick whose fingerprint is not the one that was recorded.
    pub diverged_at: Option<u64>,
}

/// Runs a recording to its end, or to the tick `until` when that comes first. `complain` hears at once what could not be opened of the scene,
/// and of each battle of it before its first tick whether one takes long.
pub fn run(
    recording: Recording,
    until: Option<u64>,
    complain: &mut dyn FnMut(&str),
) -> Result<Report, Refusal> {
    let cancel = Cancel::default();
    let (mut session, complaint) = Session::of_recording(recording)?;
    if let Some(sentence) = &complaint {
        complain(sentence);
    }
    // Nobody goes back here.
    session.timeline_mut().set_budget(0);
    let end = session.timeline().end();
    if let Some(until) = until.filter(|until| *until > end) {
        return Err(Refusal::Sentence(format!(
            "tick {until} lies beyond the last tick of the recording, {end}"
        )));
    }
    let end = until.unwrap_or(end);
    let mut armies = None;
    while session.tick_count() < end {
        if armies.replace(session.armies()) != Some(session.armies())
            && let Some(crowding) = session.crowding()
        {
            complain(&crowding.to_string());
        }
        session.tick(&cancel, &mut ())?;
    }
    Ok(Report {
        ticks: session.tick_count(),
        actions: session.timeline().done(),
        hash: session.hash(),
        diverged_at: session.timeline().diverged_at(),
    })
}
