//! What a structure works with.

use std::ops::{Deref, DerefMut};

/// Memory to work in, kept from one time to the next so that nobody has to ask for it again. A copy of whoever has it begins without:
/// copies are kept for what they know, and there are many of them.
#[derive(Debug, Default)]
pub(crate) struct Scratch<T>(T);

impl<T: Default> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

impl<T> Deref for Scratch<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Scratch<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
