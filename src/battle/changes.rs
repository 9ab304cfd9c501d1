//! What a step or an edit changed, in the order in which it is told.

use crate::partition::Change;

/// Changes, and behind them room for those of a step in which everybody moves.
///
/// A copy of a battle has not been changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    entries: Vec<Change>,
    /// How many of them are told; what lies behind is left over.
    count: usize,
}

impl Clone for Changes {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Changes {
    /// Those that are told.
    pub(super) fn told(&self) -> &[Change] {
        &self.entries[..self.count]
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Tells one more.
    pub(super) fn push(&mut self, change: Change) {
        self.entries.truncate(self.count);
        self.entries.push(change);
        self.count += 1;
    }

    /// Forgets all of them, and makes room for a change of each of so many rows.
    pub(super) fn make_room(&mut self, rows: usize) {
        self.clear();
        // What is there already need not be written: in a large crowd that would be a pass of its own.
        self.entries.resize(rows, Change::Move(0));
    }

    /// The room that was made, for several threads to write into.
    pub(super) fn room(&mut self) -> &mut [Change] {
        &mut self.entries
    }

    /// Tells what was written into the room: so many changes from the begin of each share on, all of which have `length` rows. Mostly
    /// everybody has moved, and they follow each other as they lie.
    pub(super) fn tell(&mut self, length: usize, counts: impl Iterator<Item = usize>) {
        let mut end = 0;
        for (share, count) in counts.enumerate() {
            let begin = share * length;
            if begin != end && count > 0 {
                self.entries.copy_within(begin..begin + count, end);
            }
            end += count;
        }
        self.count = end;
    }

    /// The bytes on the heap.
    pub(super) fn byte_count(&self) -> usize {
        self.entries.capacity() * size_of::<Change>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_have_to_tell_is_told_in_their_order_without_gaps() {
        let mut changes = Changes::default();
        for counts in [[2, 2, 1], [2, 0, 1], [0, 2, 0], [1, 1, 1], [0, 0, 0]] {
            changes.make_room(5);
            let mut expected = Vec::new();
            for (share, count) in counts.into_iter().enumerate() {
                for place in share * 2..share * 2 + count {
                    changes.room()[place] = Change::Move(place as u32);
                    expected.push(Change::Move(place as u32));
                }
            }
            changes.tell(2, counts.into_iter());
            assert_eq!(changes.told(), expected);
        }
    }

    #[test]
    fn an_edit_behind_a_step_tells_nothing_of_the_step() {
        let mut changes = Changes::default();
        changes.make_room(3);
        changes.tell(3, [1].into_iter());
        changes.push(Change::Remove(7));
        assert_eq!(changes.told(), [Change::Move(0), Change::Remove(7)]);
        changes.clear();
        changes.push(Change::Add(2));
        assert_eq!(changes.told(), [Change::Add(2)]);
        assert!(changes.clone().told().is_empty());
    }
}
