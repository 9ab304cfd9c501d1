//! The timeline: what was done when, a fingerprint of each tick, and keyframes from which any tick is reached again.
//!
//! Invariant: a keyframe is a shortcut and never the truth. Without any, every tick is still reached from the scene.

use super::action::Action;
use super::ledger::Ledger;
use super::mark::{Came, LateAt, MarkKind, Marks};
use super::undo::{Snapshot, UndoStack};
use crate::streaming::Latecomers;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An action and the tick at which it was done: after so many steps since the beginning.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// How many steps had passed.
    pub at: u64,
    /// Whether it goes on with the edit before it: a stroke of the brush, a slider under the mouse.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// What was done.
    pub act: Action,
    /// Whether it is known to have come to no edit, since it hit nobody. That comes out again wherever it is done, and no recording has it.
    #[serde(skip)]
    pub is_idle: bool,
}

impl PartialEq for Act {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.more, &self.act) == (other.at, other.more, &other.act)
    }
}

impl Act {
    /// Whether it may be an edit of its own: it goes on with none before it, and is none of those that change nothing that undo takes back.
    pub(super) fn is_of_note(&self) -> bool {
        let is_of_none = matches!(
            self.act,
            Action::LetGo | Action::CountAnew | Action::RecordPath | Action::Beside(_)
        );
        !self.more && !is_of_none
    }
}

/// Stands for the fingerprint of a tick of which none was taken. One that is this number by chance is never compared.
const NOT_TAKEN: u64 = 0;

/// Everything as it was at a tick.
#[derive(Clone, Debug)]
pub struct Keyframe {
    /// How many steps had passed.
    pub tick: u64,
    /// How many actions had been done.
    pub done: usize,
    /// The state.
    pub state: Arc<Snapshot>,
    /// What undo could take back.
    pub undo: UndoStack,
    bytes: usize,
}

impl Keyframe {
    /// Takes down a state.
    pub fn new(tick: u64, done: usize, state: Snapshot, undo: UndoStack) -> Self {
        let bytes = state.byte_count();
        Self {
            tick,
            done,
            state: Arc::new(state),
            undo,
            bytes,
        }
    }
}

/// How much of the known future an edit in the past has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// How many ticks.
    pub ticks: u64,
    /// How many edits; a stroke, or the whole way of a hand, is one.
    pub edits: usize,
}

/// Where an edit changes the number of units by a larger part than this, what a tick costs is another thing.
const OTHER_CROWD: f64 = 0.1;

/// What was done when, and how to get back there.
#[derive(Clone, Debug)]
pub struct Timeline {
    acts: Vec<Act>,
    /// How many of them have been done at the present tick.
    done: usize,
    /// The fingerprint of each tick that was reached, from 0; [`NOT_TAKEN`] of those of which none was.
    hashes: Vec<u64>,
    /// The first tick whose fingerprint was another when it was reached again.
    diverged_at: Option<u64>,
    /// What each tick cost.
    ledger: Ledger,
    /// What happened of note.
    marks: Marks,
    /// By ascending tick.
    keyframes: Vec<Keyframe>,
    /// How many ticks lie between two keyframes.
    distance: u64,
    budget: usize,
}

impl Timeline {
    /// The bytes that keyframes may take unless told otherwise: with three of a million units the program stays well below 600 MB, and
    /// of a hundred thousand there are thirty.
    pub const BUDGET: usize = 144 << 20;
    /// Up to so many rows each tick has its fingerprint.
    const FINGERPRINTED: usize = 250_000;
    /// With more of them every so many ticks have.
    const SELDOM: u64 = 16;
    /// How many ticks lie between two keyframes at first: half a second.
    const DISTANCE: u64 = 32;

    /// A timeline on which nothing has happened; `hash` is the fingerprint of the beginning.
    pub fn new(hash: u64) -> Self {
        Self {
            acts: Vec::new(),
            done: 0,
            hashes: vec![hash],
            diverged_at: None,
            ledger: Ledger::default(),
            marks: Marks::default(),
            keyframes: Vec::new(),
            distance: Self::DISTANCE,
            budget: Self::BUDGET,
        }
    }

    /// The timeline of a recording, at its beginning.
    pub fn of_recording(acts: Vec<Act>, hashes: Vec<u64>) -> Self {
        Self {
            acts,
            hashes,
            ..Self::new(0)
        }
    }

    /// The actions in their order.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// The fingerprints by tick; 0 where none was taken, as of most ticks of a battle with very many units.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// How many actions have been done at the present tick.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The last tick that is known.
    pub fn end(&self) -> u64 {
        let acts = self.acts.last().map_or(0, |act| act.at);
        acts.max(self.hashes.len().saturating_sub(1) as u64)
    }

    /// The first tick whose fingerprint was another when it was reached again.
    pub fn diverged_at(&self) -> Option<u64> {
        self.diverged_at
    }

    /// The places of those actions that only look beside.
    pub(super) fn looks_beside(&self) -> impl Iterator<Item = usize> {
        let acts = self.acts.iter().enumerate();
        let looks = acts.filter(|(_, act)| matches!(act.act, Action::Beside(_)));
        looks.map(|(place, _)| place)
    }

    /// The next action that has yet to be done at `tick`, if there is one.
    pub fn due(&self, tick: u64) -> Option<&Act> {
        self.acts.get(self.done).filter(|act| act.at <= tick)
    }

    /// The action that was due has been done.
    pub fn advance(&mut self) {
        self.done += 1;
    }

    /// Takes down what is done now. What lay after it is no more; gives how much that was.
    pub fn note(&mut self, act: Act) -> Cut {
        let cut = self.cut(act.at);
        self.acts.push(act);
        self.done = self.acts.len();
        cut
    }

    /// Takes down what is done behind the first `done` actions and only looks beside ([`Action::Beside`]): what is known after it stays
    /// known. Who has looked there later looks from here on. What it costs is another figure now, and is found out anew.
    pub(super) fn slip_in(&mut self, done: usize, act: Act) {
        let tick = act.at;
        let later: Vec<usize> = self.looks_beside().filter(|it| *it >= done).collect();
        for place in later.into_iter().rev() {
            self.acts.remove(place);
            self.marks.take_out(place);
            self.done -= usize::from(self.done > place);
        }
        self.acts.insert(done, act);
        self.marks.slip_in(done);
        self.done += usize::from(self.done >= done);
        self.ledger.cut(tick);
        self.keyframes.retain(|keyframe| keyframe.tick <= tick);
    }

    /// A copy that outlives a cut at `tick`, without the keyframes after that: they are shortcuts, and take memory.
    pub(super) fn put_aside(&self, tick: u64) -> Self {
        let kept = self
            .keyframes
            .partition_point(|keyframe| keyframe.tick <= tick);
        Self {
            acts: self.acts.clone(),
            hashes: self.hashes.clone(),
            ledger: self.ledger.clone(),
            marks: self.marks.clone(),
            keyframes: self.keyframes[..kept].to_vec(),
            ..*self
        }
    }

    /// Forgets what lies after `tick`.
    fn cut(&mut self, tick: u64) -> Cut {
        let cut = Cut {
            ticks: self.end().saturating_sub(tick),
            edits: self.edits_ahead(),
        };
        self.acts.truncate(self.done);
        self.ledger.cut(tick);
        self.marks.cut(tick, self.done);
        self.hashes.truncate(tick as usize + 1);
        self.keyframes.retain(|keyframe| keyframe.tick <= tick);
        self.diverged_at = self.diverged_at.filter(|diverged| *diverged <= tick);
        cut
    }

    /// How many edits lie after the present tick. Of what a recording holds and has not been done yet each action is one.
    fn edits_ahead(&self) -> usize {
        let marked = self.marks.edits_after(self.done);
        let told = self.marks.known_acts().max(self.done);
        let untold = self.acts.get(told..).unwrap_or_default();
        marked + untold.iter().filter(|act| act.is_of_note()).count()
    }

    /// What each tick cost.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The same, for who writes it.
    pub(super) fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    /// The first of the last `most` ticks up to the present one whose cost is that of the crowd which is there now: since it began anew, is
    /// asked otherwise, or has by an edit another number of units, it is another one.
    pub fn crowd_since(&self, tick: u64, most: u64) -> u64 {
        let earliest = (tick + 1).saturating_sub(most);
        let is_other = |since: u64| match (self.ledger.units(since), self.ledger.units(tick)) {
            (Some(then), Some(now)) => {
                f64::from(then.abs_diff(now)) > OTHER_CROWD * f64::from(then.max(now))
            }
            _ => false,
        };
        let acts = self.acts[..self.done].iter().rev();
        // What is edited on the tick that stands was no part of it.
        let acts = acts.skip_while(|act| act.at >= tick);
        let mut acts = acts.take_while(|act| act.at >= earliest);
        let last = acts.find(|act| act.act.begins_crowd() || is_other(act.at));
        last.map_or(earliest, |act| act.at + 1)
    }

    /// What happened of note.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The last action that has been done leaves this mark. Gives whether anything else is known of the action by that.
    pub(super) fn note_act(&mut self, tick: u64, kind: Option<(MarkKind, bool)>) -> bool {
        let last = self.done.checked_sub(1);
        let act = last.and_then(|it| self.acts.get_mut(it));
        let is_idle = kind.is_none();
        let is_news =
            act.is_some_and(|act| std::mem::replace(&mut act.is_idle, is_idle) != is_idle);
        self.marks.act(tick, self.done, kind);
        is_news
    }

    /// Time stopped by itself at a tick.
    pub(super) fn note_stop(&mut self, tick: u64, kind: MarkKind) {
        self.marks.stop(tick, kind, self.done);
    }

    /// So many more objects were late.
    pub(super) fn note_late(&mut self, at: LateAt, count: u64, who: Latecomers) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.marks.late(at, count, who, self.done);
    }

    /// One has come that was late since the tick `late_at`, in the world that was made at the first of two ticks and whose clock began at
    /// the other.
    pub(super) fn note_came(&mut self, world: (u64, u64), late_at: u64, one: Came) {
        self.marks.came(world, late_at, one);
    }

    /// Whether the fingerprint of `tick` is wanted, of a battle of so many rows.
    ///
    /// It is one chain through all rows, and among very many a fifth of the tick. Then every so many ticks are enough to notice that two
    /// runs differ, for what differs stays so; and the tick after each edit, so that every future has one of its own.
    pub fn wants_hash(&self, tick: u64, rows: usize) -> bool {
        let is_edited = || {
            let last = self.acts[..self.done].last();
            last.is_some_and(|act| act.at + 1 == tick)
        };
        rows <= Self::FINGERPRINTED || tick.is_multiple_of(Self::SELDOM) || is_edited()
    }

    /// A tick has been reached: keeps its fingerprint if one was taken, or compares it with the one that was kept.
    pub fn reach(&mut self, tick: u64, hash: Option<u64>) {
        let hash = hash.unwrap_or(NOT_TAKEN);
        match self.hashes.get_mut(tick as usize) {
            Some(kept) if *kept == NOT_TAKEN => *kept = hash,
            Some(kept) if *kept == hash || hash == NOT_TAKEN => {}
            Some(_) => {
                let first = self.diverged_at.unwrap_or(u64::MAX).min(tick);
                self.diverged_at = Some(first);
            }
            None => self.hashes.push(hash),
        }
    }

    /// What tells the future in which a tick was reached from others: the last fingerprint until then.
    pub fn future_of(&self, tick: u64) -> u64 {
        let until = self.hashes.len().min(tick as usize + 1);
        let taken = self.hashes[..until].iter().rev();
        let mut taken = taken.filter(|hash| **hash != NOT_TAKEN);
        taken.next().copied().unwrap_or_default()
    }

    /// Whether a keyframe is wanted at `tick`.
    pub fn wants_keyframe(&self, tick: u64) -> bool {
        self.budget > 0
            && tick.is_multiple_of(self.distance)
            && self.keyframes.last().is_none_or(|last| last.tick < tick)
    }

    /// Makes room for a keyframe of so many bytes at `tick`, before it takes any: where all of them take more than the budget, every
    /// other one goes, until they fit. Says whether it is still wanted.
    pub fn make_room(&mut self, tick: u64, bytes: usize) -> bool {
        while self.byte_count() + bytes > self.budget {
            if self.keyframes.len() <= 1 {
                if self.byte_count() > self.budget {
                    self.keyframes.clear();
                }
                // It would not fit at the next such tick either.
                while tick > 0 && tick.is_multiple_of(self.distance) {
                    self.distance *= 2;
                }
                return false;
            }
            self.distance *= 2;
            let distance = self.distance;
            self.keyframes
                .retain(|keyframe| keyframe.tick.is_multiple_of(distance));
        }
        self.wants_keyframe(tick)
    }

    /// Keeps a keyframe.
    pub fn keep(&mut self, keyframe: Keyframe) {
        self.keyframes.push(keyframe);
        self.trim();
    }

    fn trim(&mut self) {
        self.make_room(0, 0);
    }

    /// The last keyframe at or before `tick`.
    pub fn keyframe_before(&self, tick: u64) -> Option<&Keyframe> {
        let after = self
            .keyframes
            .partition_point(|keyframe| keyframe.tick <= tick);
        self.keyframes.get(after.checked_sub(1)?)
    }

    /// So many actions have been done: the session went back to where that was so.
    pub fn rewind(&mut self, done: usize) {
        self.done = done;
    }

    /// The bytes that a keyframe of this much is likely to take: what is only there to work in is not copied, and how much that is
    /// the last one tells.
    pub fn likely_bytes(&self, present: usize) -> usize {
        let last = self.keyframes.last();
        last.map_or(present, |last| last.bytes.min(present))
    }

    /// The bytes that all keyframes take.
    pub fn byte_count(&self) -> usize {
        self.keyframes.iter().map(|keyframe| keyframe.bytes).sum()
    }

    /// How many keyframes there are, and how many ticks lie between them.
    pub fn keyframes(&self) -> (usize, u64) {
        (self.keyframes.len(), self.distance)
    }

    /// Sets how many bytes keyframes may take.
    pub fn set_budget(&mut self, bytes: usize) {
        self.budget = bytes;
        self.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = Timeline::FINGERPRINTED + 1;

    fn edit_at(at: u64) -> Act {
        Act {
            at,
            more: false,
            act: Action::Defaults,
            is_idle: false,
        }
    }

    #[test]
    fn among_very_many_units_a_tick_in_sixteen_has_a_fingerprint_and_each_that_follows_an_edit() {
        let mut timeline = Timeline::new(7);
        let wanted = |timeline: &Timeline, rows| -> Vec<u64> {
            let ticks = 1..40;
            ticks
                .filter(|tick| timeline.wants_hash(*tick, rows))
                .collect()
        };
        assert_eq!(wanted(&timeline, MANY - 1).len(), 39);
        assert_eq!(wanted(&timeline, MANY), [16, 32]);
        timeline.note(edit_at(20));
        assert_eq!(wanted(&timeline, MANY), [16, 21, 32]);
    }

    #[test]
    fn what_was_not_taken_is_compared_with_nothing_and_taken_later() {
        let mut timeline = Timeline::new(7);
        for (tick, hash) in [(1, None), (2, Some(8)), (3, None)] {
            timeline.reach(tick, hash);
        }
        assert_eq!(timeline.hashes(), [7, 0, 8, 0]);
        assert_eq!(
            [0, 1, 2, 3].map(|tick| timeline.future_of(tick)),
            [7, 7, 8, 8]
        );
        for (tick, hash) in [(1, Some(9)), (2, None), (3, Some(4))] {
            timeline.reach(tick, hash);
        }
        assert_eq!(timeline.hashes(), [7, 9, 8, 4]);
        assert_eq!(timeline.diverged_at(), None);
        timeline.reach(2, Some(5));
        assert_eq!(timeline.diverged_at(), Some(2));
    }
}
