//! Who came to be late in a tick: what they are called, and who of them somebody means who types a name or a number.

use super::WorldObject;
use crate::partition::{as_in_key, typed_key};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// An object that came to be needed, is on its way still, and counts as late.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pending {
    /// Which.
    pub object: u32,
    /// How many seconds ago it came to be needed.
    pub late: f64,
    /// For how many of them it was needed and not there.
    pub missing: f64,
    /// Whether it is needed at present: the character may have gone on, and may come back.
    pub is_needed: bool,
}

/// Which of those who came to be late somebody wants to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LateAsk {
    /// None of them.
    #[default]
    Nobody,
    /// All of them.
    All,
    /// Those who [are meant](is_meant) by these words; all of them where nobody is.
    Meant(Arc<str>),
}

/// Objects that came to be needed in a tick and were not there, as far as that is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latecomers {
    /// The names of their pictures' files without what follows the last point, and how many of each there are: that of the lowest number
    /// first, then by how many they are.
    names: Vec<(Arc<str>, u32)>,
    /// The place among the names, and the number, of those that are kept one by one; of each tick the lowest number first.
    objects: Vec<(u32, u32)>,
}

impl Latecomers {
    /// So many names are kept at most, and so many objects one by one.
    pub const MOST: usize = 64;

    /// Of all these, which come by ascending number. Of each name that is kept one object is, and then those of the lowest numbers.
    pub fn of<N: AsRef<str> + Ord>(late: impl Iterator<Item = (N, u32)>) -> Self {
        // How many of a name there are, and the first of them.
        let mut kinds: BTreeMap<N, (u32, Vec<u32>)> = BTreeMap::new();
        for (name, object) in late {
            let (count, objects) = kinds.entry(name).or_default();
            *count += 1;
            if objects.len() < Self::MOST {
                objects.push(object);
            }
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        let first = kinds.iter().map(|(_, (_, objects))| objects[0]).min();
        kinds.sort_by_key(|(_, (count, objects))| (Some(objects[0]) != first, Reverse(*count)));
        kinds.truncate(Self::MOST);
        let mut objects = Vec::new();
        for (place, (_, (_, of_name))) in (0..).zip(&kinds) {
            let ranked = of_name.iter().enumerate();
            objects.extend(ranked.map(|(rank, object)| (rank, *object, place)));
        }
        objects.sort_unstable();
        objects.truncate(Self::MOST);
        let mut objects: Vec<_> = objects
            .into_iter()
            .map(|(_, object, place)| (place, object))
            .collect();
        objects.sort_unstable_by_key(|(_, object)| *object);
        let names = kinds.into_iter();
        let names = names.map(|(name, (count, _))| (Arc::from(name.as_ref()), count));
        let mut names: Vec<(Arc<str>, u32)> = names.collect();
        // Thousands of marks are kept, and what they were chosen from was large.
        names.shrink_to_fit();
        objects.shrink_to_fit();
        Self { names, objects }
    }

    /// The names that are kept, and how many of each there are.
    pub fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.names.iter().map(|(name, count)| (&**name, *count))
    }

    /// The names and the numbers of those that are kept one by one.
    pub fn known(&self) -> impl Iterator<Item = (&str, u32)> {
        let objects = self.objects.iter();
        objects.map(|(place, object)| (&*self.names[*place as usize].0, *object))
    }

    /// How many [are meant](is_meant) by `sought`. Of those that are not kept one by one the name alone is looked at.
    pub fn count_meant(&self, sought: &str) -> u32 {
        let of_name = self.names().filter(|(name, _)| is_in(name, sought));
        let of_name: u32 = of_name.map(|(_, count)| count).sum();
        let others = self.known().filter(|(name, _)| !is_in(name, sought));
        let of_number = others.filter(|(name, object)| is_meant(name, *object, sought));
        of_name + of_number.count() as u32
    }

    /// The same by other numbers, such as they have by now; who has none is not kept one by one any more.
    pub fn numbered(&self, number: impl Fn(u32) -> Option<u32>) -> Self {
        let objects = self.objects.iter();
        let objects = objects.filter_map(|(place, object)| Some((*place, number(*object)?)));
        Self {
            names: self.names.clone(),
            objects: objects.collect(),
        }
    }

    /// Takes those of another tick in, as far as there is room for them.
    pub(crate) fn join(&mut self, other: &Self) {
        let mut places = Vec::with_capacity(other.names.len());
        for (name, count) in &other.names {
            let mut place = self.names.iter().position(|(known, _)| known == name);
            match place {
                Some(place) => self.names[place].1 += count,
                None if self.names.len() < Self::MOST => {
                    place = Some(self.names.len());
                    self.names.push((Arc::clone(name), *count));
                }
                None => {}
            }
            places.push(place);
        }
        for (place, object) in &other.objects {
            let Some(place) = places[*place as usize] else {
                continue;
            };
            let one = (place as u32, *object);
            if self.objects.len() < Self::MOST && !self.objects.contains(&one) {
                self.objects.push(one);
            }
        }
    }
}

/// What an object is called wherever one is named: by its picture's file, and by the number that tells it from all others with that
/// picture.
pub fn called(name: &str, object: u32) -> String {
    format!("{} {object}", named(name))
}

/// The name of one of these objects, whose pictures are these: that of its picture's file, without what follows the last point.
pub(super) fn name_in<'a>(
    objects: &[WorldObject],
    assets: &'a [Arc<Path>],
    object: u32,
) -> Cow<'a, str> {
    let asset = objects.get(object as usize).map(|object| object.asset);
    let path = asset.and_then(|asset| assets.get(asset as usize));
    let stem = path.and_then(|path| path.file_stem());
    stem.map_or(Cow::Borrowed(""), |stem| stem.to_string_lossy())
}

/// A picture without a file has no name.
fn named(name: &str) -> &str {
    match name {
        "" => "object",
        name => name,
    }
}

/// Whether somebody who types `sought`, in small letters, means an object: by a part of its name, by its number, or by both as it is
/// [called]. A hyphen, an underscore and a space are one, as in keys.
pub fn is_meant(name: &str, object: u32, sought: &str) -> bool {
    if is_in(name, sought) {
        return true;
    }
    let (before, number) = sought.rsplit_once(' ').unwrap_or(("", sought));
    number.parse() == Ok(object) && is_in(name, before.trim_end())
}

/// Whether `sought`, in small letters, is in a name. It is asked of all names: plain letters are compared as they lie.
fn is_in(name: &str, sought: &str) -> bool {
    let name = named(name);
    if !name.is_ascii() {
        return typed_key(&name.to_lowercase()).contains(&typed_key(sought));
    }
    let (name, sought) = (name.as_bytes(), sought.as_bytes());
    let plain = |letter: &u8| as_in_key(char::from(letter.to_ascii_lowercase()));
    let is_here = |part: &[u8]| part.iter().map(plain).eq(sought.iter().map(plain));
    sought.is_empty() || name.windows(sought.len()).any(is_here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_meant_by_its_name_by_its_number_or_by_both() {
        for sought in [
            "",
            "pond",
            "ond-1",
            "46",
            "pond-1 46",
            "pon 46",
            "ond-1  46",
            "pond_1",
            "pond 1",
            "ond_1 46",
            "pond 1 46",
        ] {
            assert!(is_meant("Pond-1", 46, sought), "{sought}");
        }
        for sought in ["tree", "4", "6", "146", "pond-1 4", "tree 46", "pond-1 460"] {
            assert!(!is_meant("Pond-1", 46, sought), "{sought}");
        }
        for sought in ["grüne wiese", "grüne-wiese", "wiese_2 5"] {
            assert!(is_meant("Grüne_Wiese-2", 5, sought), "{sought}");
        }
        // It has no name, and is called so.
        assert_eq!(called("", 7), "object 7");
        assert!(is_meant("", 7, "object 7") && is_meant("", 7, "7") && !is_meant("", 7, "8"));
    }

    #[test]
    fn of_each_name_one_is_kept_and_then_those_of_the_lowest_numbers() {
        let name = |object: u32| match object {
            900 => "pond",
            901.. => "tree",
            _ => "stone",
        };
        let late = Latecomers::of((3..1000).map(|object| (name(object), object)));
        let names: Vec<_> = late.names().collect();
        assert_eq!(names, [("stone", 897), ("tree", 99), ("pond", 1)]);
        let known: Vec<_> = late.known().collect();
        assert_eq!(known.len(), Latecomers::MOST);
        assert!(known.is_sorted_by_key(|(_, object)| *object));
        assert_eq!(known[0], ("stone", 3));
        assert!(known.contains(&("pond", 900)) && known.contains(&("tree", 901)));
        assert!(known.iter().all(|(of, object)| *of == name(*object)));
        assert_eq!(late.count_meant("tree"), 99);
        assert_eq!(late.count_meant("e"), 897 + 99);
        assert_eq!(late.count_meant("3"), 1);
        assert_eq!(late.count_meant("stone 3"), 1);
        assert_eq!(late.count_meant("tree 3"), 0);
        assert_eq!(
            Latecomers::of(std::iter::empty::<(&str, u32)>()),
            Latecomers::default()
        );
    }

    #[test]
    fn those_of_two_ticks_become_one_and_stay_few() {
        let mut both = Latecomers::of([("stone", 1), ("pond", 2)].into_iter());
        both.join(&Latecomers::of(
            [("pond", 2), ("pond", 5), ("tree", 9)].into_iter(),
        ));
        let names: Vec<_> = both.names().collect();
        assert_eq!(names, [("stone", 1), ("pond", 3), ("tree", 1)]);
        let known: Vec<_> = both.known().collect();
        assert_eq!(known, [("stone", 1), ("pond", 2), ("pond", 5), ("tree", 9)]);
        for tick in 0..1000 {
            let of_tick = (0..50).map(|object| (format!("{}", tick + object), tick * 50 + object));
            both.join(&Latecomers::of(of_tick));
        }
        assert_eq!(both.names().count(), Latecomers::MOST);
        assert_eq!(both.known().count(), Latecomers::MOST);
    }
}
