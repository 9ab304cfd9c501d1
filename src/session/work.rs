//! What of all that was done stands in the end, and is something that somebody has made or set.
//!
//! Invariant: an undo takes back here what it takes back in the session: each edit of its own is one, and what goes on with an edit is none.

use super::Action;
use super::timeline::Act;
use super::worth::Unsaved;

/// An edit by the place of the action that did it, and what it has made.
type Edit = (usize, Unsaved);

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
                self.push((place, action.makes()), seen);
                self.undone.clear();
            }
            // What goes on with an edit from before makes another one of it.
            action if act.more && action.makes() != Unsaved::Nothing && !act.is_idle => {
                let before = self.pop(seen);
                let made = before.map_or(Unsaved::Nothing, |(_, made)| made);
                self.push((place, made.max(action.makes())), seen);
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

/// What is left of what was done there that somebody has made or set, and that was not there after the first `known` actions. Where an undo
/// takes back what is none of it, that stays; and what was undone among the first and is done again later was not there.
pub(super) fn left_of<'a>(acts: impl Iterator<Item = &'a Act>, known: usize) -> Unsaved {
    let mut standing = Standing::default();
    let mut before = None;
    for (place, act) in acts.enumerate() {
        if place == known {
            before = Some(standing.done.clone());
        }
        standing.take(place, act, &mut |_, _, _| {});
    }
    let Some(before) = before else {
        return Unsaved::Nothing;
    };
    let done = standing.done.iter().enumerate();
    let new = done.filter(|(place, edit)| before.get(*place) != Some(edit));
    let made = new.map(|(_, (_, made))| *made).max();
    made.unwrap_or(Unsaved::Nothing)
}

/// The edits that stand in the end and did not stand so after the first `known` actions, the earliest first: each by the place of the action
/// that did it, and of the one by which it came last, a redo perhaps.
pub(super) fn new_since(acts: &[Act], known: usize) -> Vec<[usize; 2]> {
    if known >= acts.len() {
        return Vec::new();
    }
    let mut standing = Standing::default();
    // By what each of those that stand came last.
    let mut came_by = Vec::new();
    let mut before = Vec::new();
    for (place, act) in acts.iter().enumerate() {
        if place == known {
            before.clone_from(&standing.done);
        }
        standing.take(place, act, &mut |below, _, comes| {
            came_by.truncate(below);
            if comes {
                came_by.push(place);
            }
        });
    }
    let done = standing.done.iter().zip(came_by).enumerate();
    let new = done.filter(|(below, (edit, _))| before.get(*below) != Some(edit));
    new.map(|(_, ((place, _), came_by))| [*place, came_by])
        .collect()
}

/// What somebody has made or set in the first `known` actions that does not stand so in the end any more: it was undone since, or something
/// else may have taken its place.
pub(super) fn taken_of<'a>(acts: impl Iterator<Item = &'a Act>, known: usize) -> Unsaved {
    let acts: Vec<&Act> = acts.collect();
    let mut standing = Standing::default();
    let known = known.min(acts.len());
    let mut nobody = |_, _, _| {};
    for (place, act) in acts[..known].iter().enumerate() {
        standing.take(place, act, &mut nobody);
    }
    let before = standing.done.clone();
    for (place, act) in acts.iter().enumerate().skip(known) {
        standing.take(place, act, &mut nobody);
    }
    let kept = before.iter().zip(&standing.done);
    let kept = kept.take_while(|(before, now)| before == now).count();
    let new = &standing.done[kept..];
    let is_taken = |(below, edit): &(usize, &Edit)| {
        let own = &acts[edit.0].act;
        let mut new = new.iter().map(|edit| &acts[edit.0].act);
        *below >= kept || new.any(|act| act.takes_place_of(own) && act != own)
    };
    let taken = before.iter().enumerate().filter(is_taken);
    let made = taken.map(|(_, (_, made))| *made).max();
    made.unwrap_or(Unsaved::Nothing)
}

/// What lies ahead behind any of so many actions, found out of all of them at once.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// What [`left_of`] says of those of account, by how many of these are known.
    left: Vec<Unsaved>,
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
        let count = |made: Unsaved| last.iter().filter(|edit| edit.1 == made).count();
        let (mut work, mut settings) = (count(Unsaved::Work), count(Unsaved::Settings));
        let mut standing = Standing::default();
        let mut left = Vec::with_capacity(acts.len());
        for (place, act) in of_account(acts).enumerate() {
            left.push(match (work, settings) {
                (0, 0) => Unsaved::Nothing,
                (0, _) => Unsaved::Settings,
                _ => Unsaved::Work,
            });
            standing.take(place, act, &mut |below, edit, comes| {
                let missing = match edit.1 {
                    Unsaved::Work => &mut work,
                    Unsaved::Settings => &mut settings,
                    Unsaved::Nothing | Unsaved::Structures => return,
                };
                if last.get(below) == Some(&edit) {
                    *missing = if comes { *missing - 1 } else { *missing + 1 };
                }
            });
        }
        let beside = acts.iter().enumerate();
        let beside = beside.filter(|(_, act)| matches!(act.act, Action::Beside(_)));
        let last = acts.iter().rposition(|act| act.act.may_be_missed());
        Self {
            left,
            beside: beside.map(|(place, _)| place).collect(),
            until: last.map_or(0, |last| last + 1),
        }
    }

    /// What there is behind the first `done` actions, where a file has so many of account.
    pub(super) fn behind(&self, done: usize, saved: usize) -> Unsaved {
        let here = done - self.beside.partition_point(|place| *place < done);
        let left = self.left.get(here.max(saved));
        let left = left.filter(|_| done < self.until);
        left.copied().unwrap_or(Unsaved::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::SideWord;

    fn act(act: Action, more: bool) -> Act {
        Act {
            at: 0,
            more,
            act,
            is_idle: false,
        }
    }

    #[test]
    fn what_is_new_is_what_stands_and_no_look_beside_moves_it() {
        let choose = || act(Action::Structure("quadtree".to_owned()), false);
        let place = |more| act(Action::Spawn(SideWord::Blue, (1.0, 1.0), 1.0, 1), more);
        let [undo, redo] = [Action::Undo, Action::Redo].map(|it| move || act(it.clone(), false));
        let look = || act(Action::Beside("kd-tree".to_owned()), false);
        let none: Vec<[usize; 2]> = Vec::new();
        assert_eq!(new_since(&[choose(), look(), place(false)], 1), [[2, 2]]);
        assert_eq!(new_since(&[look(), choose(), undo()], 0), none);
        // What stood before is none of it where it is taken back, and where it is done again.
        assert_eq!(new_since(&[choose(), undo()], 1), none);
        assert_eq!(new_since(&[choose(), undo(), redo()], 1), none);
        assert_eq!(new_since(&[choose(), undo(), redo()], 2), [[0, 2]]);
        // A stroke is taken back as one.
        let stroke = [place(false), place(true), undo()];
        assert_eq!(new_since(&stroke[..2], 0), [[1, 1]]);
        assert_eq!(new_since(&stroke, 0), none);
        assert_eq!(new_since(&stroke, 3), none);
    }

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
                    act: match next(9) {
                        0 | 1 => Action::Undo,
                        2 => Action::Redo,
                        3 => Action::Structure("quadtree".to_owned()),
                        4 => Action::Beside("kd-tree".to_owned()),
                        5 | 6 => Action::Defaults,
                        _ => Action::Spawn(SideWord::Blue, (1.0, 1.0), 1.0, 1),
                    },
                    is_idle: next(6) == 0,
                })
                .collect();
            let ahead = Ahead::of(&acts);
            for done in 0..=acts.len() {
                for saved in 0..=acts.len() {
                    let here = of_account(&acts[..done]).count();
                    let mut coming = acts[done..].iter();
                    let left = match coming.any(|act| act.act.may_be_missed()) {
                        true => left_of(of_account(&acts), here.max(saved)),
                        false => Unsaved::Nothing,
                    };
                    assert_eq!(ahead.behind(done, saved), left, "{done} {acts:?}");
                }
            }
        }
    }
}
