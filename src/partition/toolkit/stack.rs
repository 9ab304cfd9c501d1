//! The stack of a traversal.

use arrayvec::ArrayVec;

/// A stack of fixed size, so that no query allocates, and none clears what it may never use. What does not fit is a fault of whoever
/// chose the size, and panics.
pub struct Stack<T, const LENGTH: usize> {
    items: ArrayVec<T, LENGTH>,
}

impl<T: Copy, const LENGTH: usize> Stack<T, LENGTH> {
    /// An empty stack.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            items: ArrayVec::new(),
        }
    }

    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Writes the item, and keeps it only if that is so: without a branch. There must be room for it in either case.
    #[inline(always)]
    pub fn push_if(&mut self, item: T, is_so: bool) {
        let count = self.items.len() + usize::from(is_so);
        self.items.push(item);
        self.items.truncate(count);
    }

    /// How many items there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
}

impl<T: Copy + PartialOrd, const LENGTH: usize> Stack<T, LENGTH> {
    /// Puts an item among those from place `first` on, which are sorted, the least last.
    #[inline(always)]
    pub fn push_sorted(&mut self, first: usize, item: T) {
        let mut place = self.items.len();
        self.items.push(item);
        while place > first && self.items[place - 1] < item {
            self.items[place] = self.items[place - 1];
            place -= 1;
        }
        self.items[place] = item;
    }
}

/// Four children, the nearest first; of two as far away the one with the smaller number. Distances are squared.
///
/// A distance that is not negative is ordered as its bits are, so that each is one number and five exchanges without a branch sort
/// them.
#[inline(always)]
pub fn in_order(children: [(u32, f32); 4]) -> [(u32, f32); 4] {
    let mut keys = [0; 4];
    for (key, (child, distance_sq)) in keys.iter_mut().zip(children) {
        *key = u64::from(distance_sq.to_bits()) << 32 | u64::from(child);
    }
    for (low, high) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (keys[low], keys[high]) = (keys[low].min(keys[high]), keys[low].max(keys[high]));
    }
    keys.map(|key| (key as u32, f32::from_bits((key >> 32) as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_place_is_taken_like_any_other() {
        let mut stack = Stack::<u32, 3>::new();
        stack.push(9);
        stack.push_sorted(1, 4);
        stack.push_sorted(1, 6);
        assert_eq!(
            (stack.len(), stack.pop(), stack.pop()),
            (3, Some(4), Some(6))
        );
        stack.push(7);
        stack.push_if(1, false);
        assert_eq!(stack.len(), 2);
        stack.push_if(2, true);
        assert_eq!(
            [stack.pop(), stack.pop(), stack.pop(), stack.pop()],
            [Some(2), Some(7), Some(9), None]
        );
    }

    #[test]
    fn four_children_are_in_order_whatever_their_order_was() {
        let expected = [(7, 0.0), (2, 1.0), (5, 1.0), (1, f32::INFINITY)];
        let orders = (0..256).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
        let is_order = |order: &[usize; 4]| (0..4).all(|place| order.contains(&place));
        let mut count = 0;
        for order in orders.filter(is_order) {
            assert_eq!(in_order(order.map(|place| expected[place])), expected);
            count += 1;
        }
        assert_eq!(count, 24);
    }
}
