//! A scene that was left for another one, and how many of them are kept.

use skirmish::scene::Scene;
use skirmish::session::Session;
use std::path::{Path, PathBuf};

/// Of scenes that were left and only looked at, so many are kept; those with changes that no file has as long as all of them together take
/// no more than this, and scenes that were looked at what these leave of it. A unit in a battle, in its structure and in what is asked of
/// it takes about so much, an object of a world with its trees so much, and a world what it keeps of the pictures that it has read.
const MOST_LOOKED_AT: usize = 24;
const MOST_LEFT_MB: usize = 256;
/// Where one of those would have to go, the shortcuts through their time take no more than this: whoever comes back to one takes a longer
/// way to a tick, and finds all of it.
const LOOKED_AT_BYTES: usize = 16 << 20;
const UNIT_BYTES: usize = 256;
const OBJECT_BYTES: usize = 512;
const WORLD_BYTES: usize = 32 << 20;

/// How long undo goes back to a scene with changes that is left, as a sentence.
pub fn kept_by_undo() -> String {
    format!(
        "No file has them. Undo brings this scene back while the window is open, unless it and later ones with changes take more than {MOST_LEFT_MB} MB."
    )
}

/// A session that was left for another scene, to which undo returns.
pub(super) struct LeftSession {
    pub(super) session: Session,
    pub(super) path: Option<PathBuf>,
    pub(super) name: Option<String>,
    /// Its number while it was here.
    pub(super) entered: u64,
    /// Whether its file holds another scene by now.
    pub(super) is_replaced: bool,
    /// How many edits could be done again in it.
    pub(super) redo_count: usize,
    /// How many were open between it and the next one that is nearer, and are not kept.
    pub(super) passed_over: usize,
}

impl LeftSession {
    /// About how many bytes it takes.
    fn byte_count(&self) -> usize {
        let session = &self.session;
        let world = session.world().map_or(0, |world| {
            let objects = world.streaming().objects().len();
            WORLD_BYTES + OBJECT_BYTES * objects
        });
        let units = session.scene().unit_count() as usize;
        session.timeline().byte_count() + UNIT_BYTES * units + world
    }
}

/// Tells those that were left whose file holds this scene by now.
pub(super) fn note_replaced<'a>(
    left: impl IntoIterator<Item = &'a mut LeftSession>,
    path: Option<&Path>,
    by: &Scene,
) {
    for left in left {
        if path.is_some() && left.path.as_deref() == path {
            left.is_replaced |= left.session.note_replaced(by);
        }
    }
}

/// Keeps the last of some scenes that were left, however large it is. Those before it are kept while all of them together are no burden:
/// what somebody has changed in them and no file has comes before what was only looked at.
pub(super) fn keep_few(left: &mut Vec<LeftSession>) {
    let weights = |left: &[LeftSession]| -> Vec<(bool, usize)> {
        let weights = left.iter();
        let weights = weights.map(|left| (left.session.is_unsaved(), left.byte_count()));
        weights.collect()
    };
    let mut kept = kept_of(&weights(left));
    if kept.contains(&false)
        && let Some((_, older)) = left.split_last_mut()
    {
        // Before one of them goes they give up what they can do without.
        for left in older.iter_mut().filter(|it| !it.session.is_unsaved()) {
            left.session.timeline_mut().set_budget(LOOKED_AT_BYTES);
        }
        kept = kept_of(&weights(left));
    }
    let passed: Vec<usize> = left.iter().map(|it| it.passed_over).collect();
    let passed = passed_over(&passed, &kept);
    let mut places = kept.into_iter().zip(passed);
    left.retain_mut(|it| {
        let (is_kept, passed) = places.next().unwrap_or((true, it.passed_over));
        it.passed_over = passed;
        is_kept
    });
}

/// How many are passed over between each of some scenes and the next one that is kept, once some of them are kept no more.
fn passed_over(before: &[usize], kept: &[bool]) -> Vec<usize> {
    let mut passed = before.to_vec();
    let mut gone = 0;
    for (passed, is_kept) in passed.iter_mut().zip(kept).rev() {
        *passed += gone;
        gone = if *is_kept { 0 } else { *passed + 1 };
    }
    passed
}

/// Which of some scenes are kept, the oldest first: whether each has changes that no file has, and how many bytes it takes.
fn kept_of(left: &[(bool, usize)]) -> Vec<bool> {
    let mut kept = vec![false; left.len()];
    let Some((last, older)) = left.split_last() else {
        return kept;
    };
    kept[older.len()] = true;
    let mut room = MOST_LEFT_MB * 1_000_000;
    let mut looked_at = MOST_LOOKED_AT - usize::from(!last.0);
    for with_changes in [true, false] {
        let those = older.iter().enumerate().rev();
        for (place, (_, bytes)) in those.filter(|(_, it)| it.0 == with_changes) {
            if *bytes > room || (!with_changes && looked_at == 0) {
                continue;
            }
            room -= bytes;
            looked_at -= usize::from(!with_changes);
            kept[place] = true;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: usize = 1_000_000;

    /// Of which places those are kept.
    fn places(left: &[(bool, usize)]) -> Vec<usize> {
        let kept = kept_of(left).into_iter().enumerate();
        kept.filter(|(_, is_kept)| *is_kept)
            .map(|(place, _)| place)
            .collect()
    }

    #[test]
    fn a_scene_with_changes_outlives_all_that_were_only_looked_at() {
        let mut left = vec![(true, MB); 2];
        left.extend([(false, MB); 30]);
        let expected: Vec<usize> = [0, 1].into_iter().chain(8..32).collect();
        assert_eq!(places(&left), expected);
        assert_eq!(places(&[(true, MB); 40]).len(), 40);
        assert!(places(&[]).is_empty());
    }

    #[test]
    fn whoever_is_passed_over_is_counted_by_the_one_that_is_kept_before_them() {
        let passed = |kept: &[bool]| passed_over(&[0, 0, 2, 0, 0], kept);
        assert_eq!(passed(&[true; 5]), [0, 0, 2, 0, 0]);
        // The third has two behind it already.
        assert_eq!(passed(&[true, false, false, true, true])[0], 4);
        assert_eq!(passed(&[true, false, true, false, true])[2], 3);
        assert_eq!(passed(&[true, false, true, false, true])[0], 1);
    }

    #[test]
    fn scenes_with_changes_go_where_memory_needs_it_and_those_that_were_looked_at_before_them() {
        let large = |count: usize| (true, count * MB);
        // The last one stays however large it is.
        assert_eq!(places(&[large(1), large(900)]), [0, 1]);
        assert_eq!(places(&[large(100), large(200), large(900)]), [1, 2]);
        let looked_at = (false, 100 * MB);
        let left = [large(200), looked_at, looked_at, large(1)];
        assert_eq!(places(&left), [0, 3]);
        let left = [large(100), looked_at, looked_at, large(1)];
        assert_eq!(places(&left), [0, 2, 3]);
    }
}
