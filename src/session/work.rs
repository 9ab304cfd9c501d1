//! What of all that was done stands in the end, and is something that somebody has made.
//!
//! Invariant: an undo takes back here what it takes back in the session: each edit of its own is one, and what goes on with an edit is none.

use super::Action;
use super::timeline::Act;

/// An edit by the place of the action that did it, and whether it has made something that somebody would miss.
type Edit = (usize, bool);

/// The actions that are no looks beside: these are slipped in anywhere.
pub(super) fn of_account(acts: &[Act]) -> impl Iterator<Item = &Act> {
    let all = acts.iter();
    all.filter(|act| !matches!(act.act, Action::Beside(_)))
}

/// The edits that stand after some actions, and those that can be done again. What is done again lies where it lay before it was undone.
#[derive(Debug, Default)]
struct Standing {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

/// Of one of them by how many lie below it: it has come, or gone.
type Seen<'a> = &'a mut dyn FnMut(usize, Edit, bool);

impl Standing {
    /// Goes through one more action. `seen` is told which edits come and go by it.
    fn take(&mut self, place: usize, act: &Act, seen: Seen<'_>) {
        match &act.act {
            Action::Undo => {
                let gone = self.pop(seen);
                self.undone.extend(gone);
            }
            Action::Redo => {
                if let Some(again) = self.undone.pop() {
                    self.push(again, seen);
                }
            }
            action if act.is_of_note() && !act.is_idle => {
                self.push((place, action.makes_work()), seen);
                self.undone.clear();
            }
            // What goes on with an edit from before makes another one of it.
            action if act.more && action.makes_work() && !act.is_idle => {
                self.pop(seen);
                self.push((place, true), seen);
            }
            _ => {}
        }
    }

    fn pop(&mut self, seen: Seen<'_>) -> Option<Edit> {
        let gone = self.done.pop()?;
        seen(self.done.len(), gone, false);
        Some(gone)
    }

    fn push(&mut self, edit: Edit, seen: Seen<'_>) {
        seen(self.done.len(), edit, true);
        self.done.push(edit);
    }
}

/// Whether anything is left of what was done there that somebody has made, and that was not there after the first `known` actions. Where an
/// undo takes back what is none of it, that stays; and what was undone among the first and is done again later was not there.
pub(super) fn leaves_work<'a>(acts: impl Iterator<Item = &'a Act>, known: usize) -> bool {
    let mut standing = Standing::default();
    let mut before = None;
    for (place, act) in acts.enumerate() {
        if place == known {
            before = Some(standing.done.clone());
        }
        standing.take(place, act, &mut |_, _, _| {});
    }
    let is_new =
        |(place, edit): (usize, &Edit), before: &[Edit]| edit.1 && before.get(place) != Some(edit);
    let mut done = standing.done.iter().enumerate();
    before.is_some_and(|before| done.any(|edit| is_new(edit, &before)))
}

/// Whether there is work ahead behind any of so many actions, found out of all of them at once.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// What [`leaves_work`] says of those of account, by how many of these are known.
    leaves: Vec<bool>,
    /// The places of those that only look beside.
    beside: Vec<usize>,
    /// How many there are up to the last one by which anything may come that somebody would miss.
    until: usize,
}

impl Ahead {
    /// Goes through all of them, twice.
    pub(super) fn of(acts: &[Act]) -> Self {
        let mut all = Standing::default();
        for (place, act) in of_account(acts).enumerate() {
            all.take(place, act, &mut |_, _, _| {});
        }
        let last = all.done;
        // So many of those that stand in the end stand nowhere, or not there, at first.
        let mut missing = last.iter().filter(|edit| edit.1).count();
        let mut standing = Standing::default();
        let mut leaves = Vec::with_capacity(acts.len());
        for (place, act) in of_account(acts).enumerate() {
            leaves.push(missing > 0);
            standing.take(place, act, &mut |below, edit, comes| {
                if edit.1 && last.get(below) == Some(&edit) {
                    missing = if comes { missing - 1 } else { missing + 1 };
                }
            });
        }
        let may_leave = |act: &Act| act.act.makes_work() || act.act == Action::Redo;
        let beside = acts.iter().enumerate();
        let beside = beside.filter(|(_, act)| matches!(act.act, Action::Beside(_)));
        Self {
            leaves,
            beside: beside.map(|(place, _)| place).collect(),
            until: acts.iter().rposition(may_leave).map_or(0, |last| last + 1),
        }
    }

    /// Whether there is any behind the first `done` actions, where a file has so many of account.
    pub(super) fn has_work(&self, done: usize, saved: usize) -> bool {
        let here = done - self.beside.partition_point(|place| *place < done);
        let known = here.max(saved);
        done < self.until && self.leaves.get(known).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::SideWord;

    #[test]
    fn what_is_found_of_all_actions_at_once_is_what_is_found_of_each() {
        let mut random = 7_u64;
        let mut next = |most: u64| {
            random = crate::chance::mix(random);
            random % most
        };
        for _ in 0..300 {
            let count = next(14);
            let acts: Vec<Act> = (0..count)
                .map(|_| Act {
                    at: 0,
                    more: next(3) == 0,
                    act: match next(7) {
                        0 | 1 => Action::Undo,
                        2 => Action::Redo,
                        3 => Action::Structure("quadtree".to_owned()),
                        4 => Action::Beside("kd-tree".to_owned()),
                        _ => Action::Spawn(SideWord::Blue, (1.0, 1.0), 1.0, 1),
                    },
                    is_idle: next(6) == 0,
                })
                .collect();
            let ahead = Ahead::of(&acts);
            let may_leave = |act: &Act| act.act.makes_work() || act.act == Action::Redo;
            for done in 0..=acts.len() {
                for saved in 0..=acts.len() {
                    let here = of_account(&acts[..done]).count();
                    let leaves = leaves_work(of_account(&acts), here.max(saved));
                    let has_work = leaves && acts[done..].iter().any(may_leave);
                    assert_eq!(ahead.has_work(done, saved), has_work, "{done} {acts:?}");
                }
            }
        }
    }
}
