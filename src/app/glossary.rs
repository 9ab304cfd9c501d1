//! What every word beside a number means, in a sentence each: the one table of which tooltips and the help page are made.
//!
//! Some words mean one thing here and another there: *nodes* are counted as a quality and are bytes as a part of the memory.
//! Such a word has a row for each place, and a place whose word has no row of its own means what the word means everywhere.
//!
//! Invariant: the glossary knows no widget, no panel and no structure. Whoever shows a number asks it by the number's name.

mod table;

pub use table::TABLE;

/// A word and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// As it stands beside the number.
    pub name: &'static str,
    /// Where it means this and nothing else, such as `memory`; empty where it means the same everywhere.
    pub of: &'static str,
    /// A whole sentence.
    pub means: &'static str,
}

/// The name beside a number, and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The name.
    pub name: &'a str,
    /// A sentence; empty where nobody knows one.
    pub means: &'a str,
}

/// A name alone means what the table says.
impl<'a> From<&'a str> for Named<'a> {
    fn from(name: &'a str) -> Self {
        of("", name)
    }
}

/// A name with a sentence of its own.
impl<'a> From<(&'a str, &'a str)> for Named<'a> {
    fn from((name, means): (&'a str, &'a str)) -> Self {
        Self { name, means }
    }
}

/// A name as it is meant in one place.
pub fn of<'a>(place: &str, name: &'a str) -> Named<'a> {
    let found = row(place, name).or_else(|| row("", name));
    #[cfg(test)]
    if found.is_none() {
        missed::note(name);
    }
    Named {
        name,
        means: found.map_or("", |word| word.means),
    }
}

/// What a name means in one place.
pub fn means(place: &str, name: &str) -> &'static str {
    let found = row(place, name).or_else(|| row("", name));
    #[cfg(test)]
    if found.is_none() {
        missed::note(name);
    }
    found.map_or("", |word| word.means)
}

/// What a caption of a panel means, if it needs to be said.
pub fn caption(words: &str) -> Option<&'static str> {
    row("caption", words).map(|word| word.means)
}

fn row(place: &str, name: &str) -> Option<&'static Word> {
    let place = TABLE.binary_search_by(|word| {
        let by_name = lowered(word.name).cmp(lowered(name));
        by_name.then_with(|| word.of.cmp(place))
    });
    place.ok().map(|at| &TABLE[at])
}

fn lowered(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().flat_map(char::to_lowercase)
}

/// The names that were asked for and are in no row.
#[cfg(test)]
pub mod missed {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        static MISSED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub fn note(name: &str) {
        MISSED.with_borrow_mut(|missed| missed.insert(name.to_owned()));
    }

    /// Those of this thread, since this was called last.
    pub fn take() -> BTreeSet<String> {
        MISSED.take()
    }
}

#[cfg(test)]
mod tests;
