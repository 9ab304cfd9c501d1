//! Which number an object has by now: those before and after objects are taken away or added differ.

use std::sync::Arc;

/// An edit after which objects have other numbers.
#[derive(Clone, Debug)]
struct Renumbered {
    /// By ascending number, who was taken away, by the numbers of before; or who was added, by those of after.
    who: Arc<[u32]>,
    is_taken: bool,
}

impl Renumbered {
    /// How many were added before the object that has had this number.
    fn added_before(&self, number: u32) -> u32 {
        let (mut low, mut high) = (0, self.who.len());
        while low < high {
            let middle = low + (high - low) / 2;
            // The one at this place was added behind as many others, and stands before whoever had at least so high a number.
            match self.who[middle] - middle as u32 <= number {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low as u32
    }
}

/// All such edits of a world so far, the first one first. A copy shares them.
#[derive(Clone, Debug, Default)]
pub struct Renumberings {
    list: Arc<Vec<Renumbered>>,
}

impl Renumberings {
    pub(super) fn take(&mut self, who: impl Iterator<Item = u32>) {
        self.push(who.collect(), true);
    }

    pub(super) fn add(&mut self, who: impl Iterator<Item = u32>) {
        self.push(who.collect(), false);
    }

    fn push(&mut self, who: Arc<[u32]>, is_taken: bool) {
        Arc::make_mut(&mut self.list).push(Renumbered { who, is_taken });
    }

    /// How many there are: the numbering that is in force.
    pub fn count(&self) -> u32 {
        self.list.len() as u32
    }

    /// Whether these are the same, for who made something of them.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.list, &other.list)
    }

    /// The same of a numbering that is known here; `None` of one that is still to come, as for whoever has gone back in time.
    pub fn now_of_known(&self, number: u32, numbering: u32) -> Option<u32> {
        let is_known = numbering <= self.count();
        self.now(number, numbering).filter(|_| is_known)
    }

    /// The number that an object has by now which had `number` in a numbering; `None` of one that was taken away since. One of a
    /// numbering that is still to come has the number of then.
    pub fn now(&self, number: u32, numbering: u32) -> Option<u32> {
        let since = self.list.get(numbering as usize..).unwrap_or_default();
        // Whoever is added where the last ones were taken away is those again: an undo brings them back, of several edits the last first.
        let mut edits: Vec<&Renumbered> = Vec::new();
        for edit in since {
            match edits.last() {
                Some(last) if last.is_taken && !edit.is_taken && last.who == edit.who => {
                    edits.pop();
                }
                _ => edits.push(edit),
            }
        }
        let mut number = number;
        for edit in edits {
            if edit.is_taken {
                let before = edit.who.binary_search(&number).err()?;
                number -= before as u32;
            } else {
                number += edit.added_before(number);
            }
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_found_by_the_number_that_it_had_before_others_went_and_came() {
        let mut all = Renumberings::default();
        assert_eq!(all.now(7, 0), Some(7));
        let before = all.clone();
        all.take([1, 4, 9].into_iter());
        assert!(!all.is_same(&before) && all.is_same(&all.clone()));
        let now = |all: &Renumberings, numbering| [0, 1, 3, 7, 12].map(|it| all.now(it, numbering));
        let taken = [Some(0), None, Some(2), Some(5), Some(9)];
        assert_eq!(now(&all, 0), taken);
        // An undo brings the same ones back; who is added otherwise is another one.
        all.add([1, 4, 9].into_iter());
        assert_eq!(now(&all, 0), [0, 1, 3, 7, 12].map(Some));
        assert_eq!(now(&all, 1), [0, 2, 5, 10, 15].map(Some));
        assert_eq!(now(&all, 2), [0, 1, 3, 7, 12].map(Some));
        assert_eq!(now(&all, 9), [0, 1, 3, 7, 12].map(Some));
        all.take([3].into_iter());
        all.add([2].into_iter());
        assert_eq!(now(&all, 0), [Some(0), Some(1), None, Some(7), Some(12)]);
        assert_eq!(all.count(), 4);
    }

    #[test]
    fn undo_of_several_brings_all_of_them_back() {
        let mut all = Renumberings::default();
        all.take([3].into_iter());
        all.take([5].into_iter());
        all.add([5].into_iter());
        all.add([3].into_iter());
        let now = [0, 3, 4, 5, 6, 9].map(|it| all.now(it, 0));
        assert_eq!(now, [0, 3, 4, 5, 6, 9].map(Some));
        assert_eq!(all.now(5, 1), Some(6));
        assert_eq!(all.now(5, 2), Some(7));
    }

    #[test]
    fn who_is_added_moves_as_many_as_stand_behind() {
        let who = [0_u32, 1, 4, 9, 10, 30];
        let mut all = Renumberings::default();
        all.add(who.into_iter());
        // One by one, as they were put in.
        for number in 0..40 {
            let each = who
                .iter()
                .fold(number, |it, added| it + u32::from(*added <= it));
            assert_eq!(all.now(number, 0), Some(each));
        }
    }
}
