//! What was read from files, for time that is gone over again: the files' answers, within a budget of bytes.
//!
//! Invariant: nothing here decides when an answer is told, and nothing of it is part of a world's state: whoever goes back to a
//! keyframe keeps what was read since, and the figures of it.

use super::loader::Outcome;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The bytes of pictures that are kept for time that is gone over again, unless told otherwise.
pub const REREAD_BUDGET: usize = 64 << 20;

/// When an answer was told: in which poll, and as the how-manieth of it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Moment {
    pub(super) seconds: f64,
    pub(super) place: u32,
}

impl Moment {
    /// After all that a poll at `seconds` tells.
    pub(super) fn after(seconds: f64) -> Self {
        Self {
            seconds,
            place: u32::MAX,
        }
    }
}

/// How many bytes were read, and how that ended.
pub(super) type Answer = (u64, Outcome);

/// What a file was, from a moment on.
#[derive(Clone, Debug)]
struct Version {
    from: Moment,
    answer: Answer,
}

/// All that a file was so far, in the order of time. Most files never change and have one.
#[derive(Clone, Debug)]
pub(super) struct Versions(Arc<Vec<Version>>);

impl Versions {
    /// What the file was at `moment`; before the first that is known, that one.
    pub(super) fn at(&self, moment: Moment) -> Option<Answer> {
        let after = self.0.partition_point(|version| version.from <= moment);
        let version = self.0.get(after.saturating_sub(1))?;
        Some(version.answer.clone())
    }
}

#[derive(Debug)]
struct Entry {
    versions: Versions,
    bytes: usize,
    /// The count of uses at its last one.
    used: u64,
}

/// The answers of files that were read, the least recently used forgotten first.
#[derive(Debug)]
pub(super) struct ReadCache {
    budget: usize,
    bytes: usize,
    by_path: BTreeMap<Arc<Path>, Entry>,
    /// By the count of uses at the last one.
    by_use: BTreeMap<u64, Arc<Path>>,
    uses: u64,
}

impl ReadCache {
    pub(super) fn new(budget: usize) -> Self {
        Self {
            budget,
            bytes: 0,
            by_path: BTreeMap::new(),
            by_use: BTreeMap::new(),
            uses: 0,
        }
    }

    pub(super) fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        self.forget_what_is_too_much();
    }

    /// The bytes that it takes: those of its pictures, and what each costs beside.
    pub(super) fn byte_count(&self) -> usize {
        self.bytes
    }

    /// Whether anything of `path` is kept.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.by_path.contains_key(path)
    }

    /// All that `path` was so far.
    pub(super) fn find(&mut self, path: &Arc<Path>) -> Option<Versions> {
        let entry = self.by_path.get_mut(path)?;
        self.by_use.remove(&entry.used);
        self.uses += 1;
        entry.used = self.uses;
        self.by_use.insert(entry.used, path.clone());
        Some(entry.versions.clone())
    }

    /// Keeps what `path` was at `moment`, and gives it back: where the same is kept already, in the memory of that. A moment
    /// that was never reached before (`is_first`) ends whatever was known of a later one, which is no more.
    pub(super) fn note(
        &mut self,
        path: &Arc<Path>,
        moment: Moment,
        answer: Answer,
        is_first: bool,
    ) -> Answer {
        // What would push out all others is not kept.
        if bytes_of(&answer) > self.budget {
            return answer;
        }
        let mut versions = match self.find(path) {
            Some(versions) => versions,
            None => Versions(Arc::default()),
        };
        let list = Arc::make_mut(&mut versions.0);
        if is_first {
            list.retain(|version| version.from < moment);
        }
        let after = list.partition_point(|version| version.from <= moment);
        let before = after.checked_sub(1).and_then(|place| list.get(place));
        let kept = match before {
            Some(version) if version.answer == answer => version.answer.clone(),
            _ => match list.get_mut(after) {
                Some(version) if version.answer == answer => {
                    version.from = moment;
                    version.answer.clone()
                }
                _ => {
                    let from = moment;
                    let version = Version { from, answer };
                    let kept = version.answer.clone();
                    list.insert(after, version);
                    kept
                }
            },
        };
        self.replace(path, versions);
        self.forget_what_is_too_much();
        kept
    }

    fn replace(&mut self, path: &Arc<Path>, mut versions: Versions) {
        self.remove(path);
        let list = Arc::make_mut(&mut versions.0);
        let bytes = |list: &[Version]| {
            let answers: usize = list.iter().map(|version| bytes_of(&version.answer)).sum();
            answers + size_of::<Entry>() + path.as_os_str().len()
        };
        // A file that changes all the time is known as it was lately.
        while list.len() > 1 && bytes(list) > self.budget {
            list.remove(0);
        }
        let bytes = bytes(list);
        self.bytes += bytes;
        self.uses += 1;
        let used = self.uses;
        self.by_use.insert(used, path.clone());
        let entry = Entry {
            versions,
            bytes,
            used,
        };
        self.by_path.insert(path.clone(), entry);
    }

    fn remove(&mut self, path: &Path) {
        if let Some(entry) = self.by_path.remove(path) {
            self.bytes -= entry.bytes;
            self.by_use.remove(&entry.used);
        }
    }

    fn forget_what_is_too_much(&mut self) {
        while self.bytes > self.budget
            && let Some((_, path)) = self.by_use.pop_first()
        {
            self.remove(&path);
        }
    }
}

fn bytes_of((_, outcome): &Answer) -> usize {
    let beside = match outcome {
        Outcome::Loaded(image) => image.rgba.len(),
        Outcome::Failed(error) => error.to_string().len(),
        Outcome::Cancelled => 0,
    };
    size_of::<Version>() + beside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::Image;

    fn path(number: usize) -> Arc<Path> {
        Arc::from(Path::new(&format!("{number}.png")))
    }

    fn picture(value: u8) -> Answer {
        let image = Image {
            width: 5,
            height: 50,
            rgba: vec![value; 1_000],
        };
        (77, Outcome::Loaded(Arc::new(image)))
    }

    fn moment(seconds: f64) -> Moment {
        Moment { seconds, place: 0 }
    }

    fn image(answer: &Answer) -> &Arc<Image> {
        let Outcome::Loaded(image) = &answer.1 else {
            panic!("{answer:?}");
        };
        image
    }

    #[test]
    fn the_least_recently_used_is_forgotten_first_and_the_budget_holds() {
        let mut cache = ReadCache::new(10_000);
        for number in 0..2_000 {
            cache.note(&path(number), moment(number as f64), picture(1), true);
            assert!(cache.byte_count() <= 10_000);
            assert!(cache.find(&path(0)).is_some(), "used each time");
            assert!(cache.holds(&path(number)));
            assert_eq!(cache.by_use.len(), cache.by_path.len());
        }
        let kept = (0..2_000).filter(|number| cache.by_path.contains_key(&path(*number)));
        let kept: Vec<usize> = kept.collect();
        // A picture takes its thousand bytes, and less than half as much beside.
        assert!(kept.len() > 6 && kept.len() < 10, "{kept:?}");
        let late = 2_001 - kept.len();
        assert_eq!(kept[1..], (late..2_000).collect::<Vec<_>>());
        cache.set_budget(0);
        assert_eq!(cache.byte_count(), 0);
        assert!(cache.by_path.is_empty() && cache.by_use.is_empty());
        cache.note(&path(0), moment(0.0), picture(1), true);
        assert!(cache.find(&path(0)).is_none() && !cache.holds(&path(0)));
    }

    #[test]
    fn a_file_is_what_it_was_at_each_moment() {
        let mut cache = ReadCache::new(REREAD_BUDGET);
        let first = cache.note(&path(0), moment(1.0), picture(1), true);
        let again = cache.note(&path(0), moment(2.0), picture(1), true);
        assert!(Arc::ptr_eq(image(&first), image(&again)), "held once");
        cache.note(&path(0), moment(3.0), picture(2), true);
        let missing = || {
            let path = path(0).to_path_buf();
            let error = crate::streaming::LoadError::Missing { path };
            (0, Outcome::Failed(error))
        };
        cache.note(&path(0), moment(4.0), missing(), true);
        let versions = cache.find(&path(0)).unwrap();
        let at = |seconds| versions.at(moment(seconds));
        assert_eq!(at(0.5), Some(picture(1)), "the first that is known");
        assert_eq!(at(2.9), Some(picture(1)));
        assert_eq!(at(3.0), Some(picture(2)));
        assert_eq!(at(9.0), Some(missing()));
        // Another future begins at 2.5; whoever asked before has what was known then.
        cache.note(&path(0), moment(2.5), picture(3), true);
        assert_eq!(at(3.0), Some(picture(2)));
        let versions = cache.find(&path(0)).unwrap();
        assert_eq!(versions.at(moment(9.0)), Some(picture(3)));
        // What is read again in known time ends nothing that comes later.
        cache.note(&path(0), moment(1.5), picture(4), false);
        let versions = cache.find(&path(0)).unwrap();
        assert_eq!(versions.at(moment(2.0)), Some(picture(4)));
        assert_eq!(versions.at(moment(2.5)), Some(picture(3)));
        cache.note(&path(0), moment(2.0), picture(3), false);
        let versions = cache.find(&path(0)).unwrap();
        assert_eq!(versions.at(moment(2.0)), Some(picture(3)), "known earlier");
        assert_eq!(versions.0.len(), 3);
        // A future that begins at a moment takes the place of what was then.
        cache.note(&path(0), moment(2.0), picture(5), true);
        let versions = cache.find(&path(0)).unwrap();
        assert_eq!(versions.at(moment(9.0)), Some(picture(5)));
        assert_eq!(versions.0.len(), 3);
    }

    #[test]
    fn a_file_that_changes_all_the_time_keeps_the_budget() {
        let mut cache = ReadCache::new(5_000);
        for number in 0..=250 {
            cache.note(&path(0), moment(f64::from(number)), picture(number), true);
            assert!(cache.byte_count() <= 5_000);
        }
        let versions = cache.find(&path(0)).unwrap();
        assert_eq!(versions.at(moment(999.0)), Some(picture(250)));
        assert!(versions.0.len() >= 3);
    }
}
