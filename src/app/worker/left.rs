//! A scene that was left for another one, and how many of them are kept.

use super::RunMode;
use skirmish::scene::Scene;
use skirmish::session::{Session, Unsaved};
use std::path::{Path, PathBuf};

/// Of scenes that were left and only looked at, so many are kept; those with changes that no file has as long as all of them together take
/// no more than this, and scenes that were looked at what these leave of it. A unit in a battle, in its structure and in what is asked of
/// it takes about so much, an object of a world with its trees so much, and a world what it keeps of the pictures that it has read.
const MOST_LOOKED_AT: usize = 24;
const MOST_LEFT_MB: usize = 256;
/// Where one would have to go, the shortcuts through their time take no more than this, of those with changes where one of these would
/// have to: whoever comes back to one takes a longer way to a tick, and finds all of it.
const LOOKED_AT_BYTES: usize = 16 << 20;
const UNIT_BYTES: usize = 256;
const OBJECT_BYTES: usize = 512;
const WORLD_BYTES: usize = 32 << 20;

/// How long undo goes back to a scene with changes that is left, as a sentence; `what` are these, or it is all of the scene.
pub fn kept_by_undo(what: &str) -> String {
    format!(
        "No file has {what}. Undo brings this scene back while the window is open, unless it and later ones with changes take more than {MOST_LEFT_MB} MB."
    )
}

/// Whether somebody would miss what a scene has that its file has not, if it has one, and that may come with the program. Who has only
/// looked at other structures in a scene that ships, or has turned the knobs that its caption speaks of, has made nothing; in a scene of
/// one's own that is what one has chosen for it.
pub const fn is_missed(unsaved: Unsaved, has_file: bool, ships: bool) -> bool {
    match unsaved {
        Unsaved::Nothing => false,
        Unsaved::Structures => has_file && !ships,
        // A new scene is one's own as well, and so is what a recording holds.
        Unsaved::Settings => !ships,
        Unsaved::Work => true,
    }
}

/// The same of what was made in its session, and is not to be seen in it as it is here: what comes after its tick, and its other future.
pub(super) fn is_missed_aside(session: &Session, has_file: bool, ships: bool) -> bool {
    let aside = [session.unsaved_ahead(), session.other_future_unsaved()];
    let mut aside = aside.into_iter();
    aside.any(|unsaved| is_missed(unsaved, has_file, ships))
}

/// Scenes that were left with what somebody would miss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftWork {
    /// What the nearest of them is called,
    pub name: String,
    /// whether that is another version of the file of the scene that is here,
    pub is_version: bool,
    /// and how many others there are.
    pub others: usize,
}

/// What a scene that was left is worth to whoever has left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// It has what somebody would miss.
    Missed,
    /// It differs from its file.
    Unsaved,
    /// It was only looked at.
    LookedAt,
}

/// What is not kept any more.
#[derive(Debug, Default)]
pub(super) struct Gone {
    /// How many scenes that lay before the first one that is kept.
    pub(super) far: usize,
    /// The names of those, wherever they lay, that had what somebody would miss.
    pub(super) missed: Vec<Option<String>>,
}

impl Gone {
    /// What is said of those that are missed; nothing where there are none.
    pub(super) fn in_words(&self) -> Option<String> {
        let first = self.missed.first()?;
        let name = title_of(first);
        let (who, are) = match self.missed.len() - 1 {
            0 => (name.to_owned(), "is"),
            1 => (format!("{name} and another scene"), "are"),
            others => (format!("{name} and {others} other scenes"), "are"),
        };
        Some(format!(
            "{who}, left with changes that no file has, {are} not kept any more: all scenes that were left may take {MOST_LEFT_MB} MB."
        ))
    }
}

/// What a scene of this name is called.
pub(super) fn title_of(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or("skirmish.ron")
}

/// A session that was left for another scene, to which undo returns.
pub(super) struct LeftSession {
    pub(super) session: Session,
    pub(super) path: Option<PathBuf>,
    pub(super) name: Option<String>,
    /// Its number while it was here.
    pub(super) entered: u64,
    /// Whether time passed in it.
    pub(super) mode: RunMode,
    /// Whether its file holds another scene by now.
    pub(super) is_replaced: bool,
    /// Whether what its file holds comes with the program.
    pub(super) ships: bool,
    /// Whether somebody would miss what no file has of it. Whoever opens a newer version of its file gives up the one before, unless it had
    /// changes.
    pub(super) is_missed: bool,
    /// Whether somebody who was asked wanted none of it saved.
    pub(super) is_given_up: bool,
    /// How many edits could be done again in it.
    pub(super) redo_count: usize,
    /// How many were open between it and the next one that is nearer, and are not kept.
    pub(super) passed_over: usize,
}

impl LeftSession {
    /// It has been saved, or it is known by now what its file holds: whether anything of it is still missed.
    pub(super) fn note_missed(&mut self) {
        let unsaved = self.session.unsaved();
        let (has_file, ships) = (self.path.is_some(), self.ships);
        let is_missed = is_missed(unsaved, has_file, ships);
        self.is_missed =
            (!self.is_given_up && is_missed) || is_missed_aside(&self.session, has_file, ships);
    }

    /// What comes before what where memory is short: what somebody would miss, then what differs from its file, then what was looked at.
    fn worth(&self) -> Worth {
        match (self.is_missed, self.session.is_unsaved()) {
            (true, _) => Worth::Missed,
            (false, true) => Worth::Unsaved,
            (false, false) => Worth::LookedAt,
        }
    }

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
            if !left.session.is_unsaved() {
                left.note_missed();
            }
        }
    }
}

/// Keeps the last of some scenes that were left, however large it is. Those before it are kept while all of them together are no burden:
/// what somebody has changed in them and no file has comes before what was only looked at. Gives what is gone.
pub(super) fn keep_few(left: &mut Vec<LeftSession>) -> Gone {
    keep_few_within(left, MOST_LEFT_MB * 1_000_000, LOOKED_AT_BYTES)
}

/// The same where all together may take so much, and the shortcuts of each so much once one would have to go.
fn keep_few_within(left: &mut Vec<LeftSession>, most: usize, shortcuts: usize) -> Gone {
    let weights = |left: &[LeftSession]| -> Vec<(Worth, usize)> {
        let weights = left.iter();
        let weights = weights.map(|left| (left.worth(), left.byte_count()));
        weights.collect()
    };
    let mut kept = kept_of(&weights(left), most);
    // Before one of them goes they give up what they can do without: those that were only looked at first.
    for with_changes in [false, true] {
        let goes = |(left, is_kept): (&LeftSession, &bool)| {
            !is_kept && (!with_changes || left.session.is_unsaved())
        };
        if left.iter().zip(&kept).any(goes)
            && let Some((_, older)) = left.split_last_mut()
        {
            for left in older {
                if left.session.is_unsaved() == with_changes {
                    left.session.timeline_mut().set_budget(shortcuts);
                }
            }
            kept = kept_of(&weights(left), most);
        }
    }
    let passed: Vec<usize> = left.iter().map(|it| it.passed_over).collect();
    let (passed, far) = passed_over(&passed, &kept);
    let goes = left.iter().zip(&kept).filter(|(_, is_kept)| !**is_kept);
    let missed = goes.filter(|(left, _)| left.is_missed);
    let missed = missed.map(|(left, _)| left.name.clone()).collect();
    let mut places = kept.into_iter().zip(passed);
    left.retain_mut(|it| {
        let (is_kept, passed) = places.next().unwrap_or((true, it.passed_over));
        it.passed_over = passed;
        is_kept
    });
    Gone { far, missed }
}

/// How many are passed over between each of some scenes and the next one that is kept, once some of them are kept no more; and how many
/// are gone before the first one that is kept.
fn passed_over(before: &[usize], kept: &[bool]) -> (Vec<usize>, usize) {
    let mut passed = before.to_vec();
    let mut gone = 0;
    for (passed, is_kept) in passed.iter_mut().zip(kept).rev() {
        *passed += gone;
        gone = if *is_kept { 0 } else { *passed + 1 };
    }
    (passed, gone)
}

/// Which of some scenes are kept, the oldest first, where all together may take so many bytes: what each is worth, and how many bytes it
/// takes.
fn kept_of(left: &[(Worth, usize)], most: usize) -> Vec<bool> {
    let mut kept = vec![false; left.len()];
    let Some((last, older)) = left.split_last() else {
        return kept;
    };
    kept[older.len()] = true;
    let mut room = most;
    let is_looked_at = |worth: Worth| worth == Worth::LookedAt;
    let mut looked_at = MOST_LOOKED_AT - usize::from(is_looked_at(last.0));
    for worth in [Worth::Missed, Worth::Unsaved, Worth::LookedAt] {
        let those = older.iter().enumerate().rev();
        for (place, (_, bytes)) in those.filter(|(_, it)| it.0 == worth) {
            if *bytes > room || (is_looked_at(worth) && looked_at == 0) {
                continue;
            }
            room -= bytes;
            looked_at -= usize::from(is_looked_at(worth));
            kept[place] = true;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::scene::file::built_in;

    const MB: usize = 1_000_000;

    /// One that no file has, after so many ticks.
    fn with_changes(ticks: u64) -> LeftSession {
        let (mut session, _) = Session::new(built_in(), Path::new(""));
        for _ in 0..ticks {
            session.tick(&Cancel::default(), &mut ()).unwrap();
        }
        session.note_unsaved();
        LeftSession {
            session,
            path: None,
            name: None,
            entered: 0,
            mode: RunMode::Paused,
            is_replaced: false,
            ships: false,
            is_missed: true,
            is_given_up: false,
            redo_count: 0,
            passed_over: 0,
        }
    }

    #[test]
    fn scenes_with_changes_give_up_their_shortcuts_before_one_of_them_goes() {
        let mut left: Vec<_> = (0..3).map(|_| with_changes(100)).collect();
        let whole = left[0].byte_count();
        let shortcuts = left[0].session.timeline().byte_count();
        assert!(shortcuts > 0);
        let gone = keep_few_within(&mut left, 3 * whole, shortcuts / 2);
        assert_eq!((gone.far, gone.in_words()), (0, None));
        let counts = |left: &[LeftSession]| -> Vec<usize> {
            let counts = left.iter();
            counts
                .map(|it| it.session.timeline().byte_count())
                .collect()
        };
        assert_eq!(counts(&left), [shortcuts; 3]);
        // There is room for one of the older ones as it is, and for both of them with half of their shortcuts.
        let most = 2 * whole - 1;
        assert_eq!(keep_few_within(&mut left, most, shortcuts / 2).far, 0);
        let counts = counts(&left);
        assert_eq!(counts.len(), 3);
        assert!(counts[0] < shortcuts && counts[1] < shortcuts, "{counts:?}");
        assert_eq!(counts[2], shortcuts, "the nearest one has all of them");
        // What is too much all the same goes, and is counted and told of.
        let gone = keep_few_within(&mut left, 0, 0);
        assert_eq!(gone.far, 2);
        let said = gone.in_words().expect("a sentence");
        assert!(
            said.starts_with("skirmish.ron and another scene, left"),
            "{said}"
        );
        assert_eq!(left.len(), 1);
    }

    /// Of which places those are kept.
    fn places(left: &[(Worth, usize)]) -> Vec<usize> {
        let kept = kept_of(left, MOST_LEFT_MB * MB).into_iter().enumerate();
        kept.filter(|(_, is_kept)| *is_kept)
            .map(|(place, _)| place)
            .collect()
    }

    #[test]
    fn a_scene_with_changes_outlives_all_that_were_only_looked_at() {
        let mut left = vec![(Worth::Missed, MB); 2];
        left.extend([(Worth::LookedAt, MB); 30]);
        let expected: Vec<usize> = [0, 1].into_iter().chain(8..32).collect();
        assert_eq!(places(&left), expected);
        assert_eq!(places(&[(Worth::Missed, MB); 40]).len(), 40);
        assert!(places(&[]).is_empty());
    }

    #[test]
    fn whoever_is_passed_over_is_counted_by_the_one_that_is_kept_before_them() {
        let of = |kept: &[bool]| passed_over(&[0, 0, 2, 0, 0], kept);
        let passed = |kept: &[bool]| of(kept).0;
        assert_eq!(passed(&[true; 5]), [0, 0, 2, 0, 0]);
        // The third has two behind it already.
        assert_eq!(passed(&[true, false, false, true, true])[0], 4);
        assert_eq!(passed(&[true, false, true, false, true])[2], 3);
        assert_eq!(passed(&[true, false, true, false, true])[0], 1);
        // Those before the first one that is kept are counted by nobody but whoever has dropped them.
        assert_eq!(of(&[true, false, false, true, true]).1, 0);
        assert_eq!(of(&[false, true, true, true, true]).1, 1);
        assert_eq!(of(&[false, false, false, true, true]).1, 5);
    }

    #[test]
    fn scenes_with_changes_go_where_memory_needs_it_and_those_that_were_looked_at_before_them() {
        let large = |count: usize| (Worth::Missed, count * MB);
        // The last one stays however large it is.
        assert_eq!(places(&[large(1), large(900)]), [0, 1]);
        assert_eq!(places(&[large(100), large(200), large(900)]), [1, 2]);
        let looked_at = (Worth::LookedAt, 100 * MB);
        let left = [large(200), looked_at, looked_at, large(1)];
        assert_eq!(places(&left), [0, 3]);
        let left = [large(100), looked_at, looked_at, large(1)];
        assert_eq!(places(&left), [0, 2, 3]);
        // Where only a structure was switched nobody has made anything.
        let switched = (Worth::Unsaved, 100 * MB);
        let left = [large(200), switched, looked_at, large(1)];
        assert_eq!(places(&left), [0, 3]);
        let left = [looked_at, large(100), looked_at, switched, large(1)];
        assert_eq!(places(&left), [1, 3, 4]);
    }
}
