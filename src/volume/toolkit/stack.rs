//! The stack of a traversal.

/// A stack of fixed size, so that no query allocates. What does not fit is a fault of whoever chose the size, and panics.
pub struct Stack<T, const LENGTH: usize> {
    items: [T; LENGTH],
    count: usize,
}

impl<T: Copy, const LENGTH: usize> Stack<T, LENGTH> {
    /// An empty stack; `filler` is never seen.
    #[inline(always)]
    pub fn new(filler: T) -> Self {
        Self {
            items: [filler; LENGTH],
            count: 0,
        }
    }

    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items[self.count] = item;
        self.count += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }
}
