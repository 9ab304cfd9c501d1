//! Memory that is asked for before it is used: what a file makes large may be more than there is, which is one sentence then.
//!
//! Invariant: whatever grows with the length of a file while it is read, grows here.

use super::tokens::Flaw;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::TryReserveError;
use std::fmt;
use std::marker::PhantomData;

/// The sentence.
const NONE: &str = "there is not enough memory";

/// So many bytes there always are: a program without them cannot go on at all.
const SMALL: usize = 64 << 10;

impl From<TryReserveError> for Flaw {
    fn from(_: TryReserveError) -> Self {
        Self {
            offset: 0,
            message: NONE.to_owned(),
        }
    }
}

/// A list with room for `count` items.
pub(super) fn with_room<T>(count: usize) -> Result<Vec<T>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)?;
    Ok(list)
}

/// A text with room for `count` bytes.
pub(super) fn text_with_room(count: usize) -> Result<String, TryReserveError> {
    let mut text = String::new();
    text.try_reserve_exact(count)?;
    Ok(text)
}

/// Reads a list of at most `MAX` items.
pub(super) fn list_of<'de, D: Deserializer<'de>, T: Deserialize<'de>, const MAX: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Items<T, const MAX: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Items<T, MAX> {
        type Value = Vec<T>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let no_memory = |_| de::Error::custom(NONE);
            let mut items = Vec::new();
            while let Some(item) = list.next_element()? {
                if items.len() == MAX {
                    return Err(de::Error::custom(format_args!(
                        "the list has more than {MAX} items"
                    )));
                }
                items.try_reserve(1).map_err(no_memory)?;
                items.push(item);
            }
            // To shrink is to ask as well, which only what is small can do without an answer; lists that are, are many.
            if items.capacity() * size_of::<T>() <= SMALL {
                items.shrink_to_fit();
            }
            Ok(items)
        }
    }

    deserializer.deserialize_seq(Items::<T, MAX>(PhantomData))
}

/// Reads a list that is as long as the file makes it.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    list_of::<D, T, { usize::MAX }>(deserializer)
}
