//! A long column of values that begins where a cache line does.

use super::simd::{self, Kernel, LINE};
use std::ops::Range;

/// Values that begin where a cache line does, as long as they stay where they were when [`Column::align`] was called: so the parts of
/// which it consists share no lines. Nothing but time depends on it.
///
/// Invariant: as many bytes are spare, before the first value and behind the last, as a line has, wherever that is: so how much memory
/// it takes does not depend on where that lies.
#[derive(Clone, Debug)]
pub struct Column<T> {
    values: Vec<T>,
    /// How many come before the first one that is used.
    skipped: usize,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Column<T> {
    /// No values.
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            skipped: 0,
        }
    }
}

impl<T: Copy + Default> Column<T> {
    /// So many are spare.
    const SPARE: usize = LINE / size_of::<T>();

    /// Makes it so many values, of which each may be anything, and finds where the first one is.
    pub fn align(&mut self, count: usize) {
        let wanted = count + Self::SPARE;
        if self.values.capacity() < wanted {
            // What there was is not copied.
            self.values = Vec::with_capacity(wanted);
        }
        self.find_first();
        self.resize(count);
    }

    /// Lets the first value lie where a line of the cache begins. What there is may be anything afterwards.
    pub fn find_first(&mut self) {
        self.skipped = self.values.as_ptr().align_offset(LINE).min(Self::SPARE);
    }

    /// Makes it so many values. New ones may be anything.
    pub fn resize(&mut self, count: usize) {
        self.values.resize(count + Self::SPARE, T::default());
    }

    /// Makes room for so many in all, and for some more where that takes new memory.
    pub fn reserve(&mut self, count: usize) {
        let more = self.lacks(count);
        self.values.reserve(more);
        self.align_if_empty();
    }

    /// Makes room for so many in all, and for no more.
    pub fn reserve_exact(&mut self, count: usize) {
        let more = self.lacks(count);
        self.values.reserve_exact(more);
        self.align_if_empty();
    }

    fn lacks(&self, count: usize) -> usize {
        (count + Self::SPARE).saturating_sub(self.values.len())
    }

    fn align_if_empty(&mut self) {
        if self.values.len() <= Self::SPARE {
            self.find_first();
            self.resize(0);
        }
    }

    /// For how many there is room.
    pub fn capacity(&self) -> usize {
        self.values.capacity().saturating_sub(Self::SPARE)
    }

    /// All values, and behind them some that are spare.
    #[inline(always)]
    pub fn all(&self) -> &[T] {
        &self.values[self.skipped..]
    }

    /// The same, to be written.
    #[inline(always)]
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.values[self.skipped..]
    }

    /// Whether they are more than the near caches hold.
    #[inline(always)]
    pub fn are_far(&self) -> bool {
        simd::are_far(size_of_val(self.all()))
    }

    /// Asks for a run of them that is to be read soon.
    #[inline(always)]
    pub fn fetch(&self, kernel: impl Kernel, run: Range<usize>) {
        kernel.fetch(&self.all()[run]);
    }

    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        self.values.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_where_a_line_does_and_stay_what_they_are() {
        for count in [0, 1, 15, 16, 1_000, 100_000] {
            let mut column = Column::<u32>::new();
            column.align(0);
            column.reserve(count);
            assert!(column.capacity() >= count);
            let first = column.all().as_ptr();
            assert_eq!(first.align_offset(LINE), 0, "{count}");
            column.resize(count);
            assert_eq!(column.all().as_ptr(), first, "nothing moved");
            let values = column.all_mut()[..count].iter_mut();
            values.zip(1..).for_each(|(value, number)| *value = number);
            // Wherever it goes, it is what it was.
            column.resize(4 * count + 1);
            let copy = column.clone();
            let numbers = (1..=count as u32).collect::<Vec<_>>();
            assert_eq!(column.all()[..count], numbers);
            assert_eq!(copy.all()[..count], numbers);
        }
    }

    #[test]
    fn how_much_memory_it_takes_does_not_depend_on_where_it_lies() {
        let columns: Vec<Column<f32>> = (0..40)
            .map(|_| {
                let mut column = Column::new();
                column.align(10);
                for count in 0..300 {
                    column.resize(10 + count);
                }
                column
            })
            .collect();
        let sizes = columns.iter().map(Column::byte_count);
        assert!(sizes.clone().all(|size| Some(size) == sizes.clone().next()));
    }
}
