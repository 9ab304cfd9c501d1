//! One late load: who was late, how late they came, and who of them is sought.

use skirmish::session::Mark;
use skirmish::streaming::{Latecomers, Lateness, Renumberings, is_meant};
use std::sync::Arc;

/// A late load whose objects are called by the numbers that they have by now, as they are wherever else they are named.
pub(super) struct Late<'m> {
    pub mark: &'m Mark,
    pub who: Arc<Latecomers>,
    /// How late those came who have come, or that they were given up.
    pub came: Vec<(u32, &'m Lateness)>,
    /// How many of those who are known one by one were taken away since.
    pub gone: usize,
}

impl<'m> Late<'m> {
    pub fn of(mark: &'m Mark, numbers: &Renumberings) -> Self {
        let now = |number: u32| numbers.now(number, mark.numbering);
        let who = match mark.numbering < numbers.count() {
            true => Arc::new(mark.who.numbered(now)),
            false => Arc::clone(&mark.who),
        };
        let came = mark.came.iter().map(|it| &it.lateness);
        let came = came.filter_map(|it| Some((now(it.needed_as())?, it)));
        Self {
            mark,
            came: came.collect(),
            gone: mark.who.known().count() - who.known().count(),
            who,
        }
    }

    /// Of those who have come, or were given up, and are sought: how late.
    fn told(&self, sought: &str) -> impl Iterator<Item = (u32, &'m Lateness)> {
        let is_sought = move |object: u32| {
            let mut known = self.who.known();
            sought.is_empty() || known.any(|(name, it)| it == object && is_meant(name, it, sought))
        };
        let all = self.came.iter().copied();
        all.filter(move |(object, _)| is_sought(*object))
    }

    /// Who of those came the latest, the first of as many; nobody as long as none of them has come.
    pub fn latest(&self, sought: &str) -> Option<(u32, &'m Lateness)> {
        let came = self.told(sought).filter(|(_, it)| !it.is_given_up());
        came.reduce(|a, b| if b.1.seconds() > a.1.seconds() { b } else { a })
    }
}

/// How late they came who are sought, in words: the latest of several; nothing as long as of none of them is known what became of it.
pub(super) fn how_late(late: &Late<'_>, meant: u32, sought: &str) -> Option<String> {
    let is_given_up = |(_, it): &(u32, &Lateness)| it.is_given_up();
    let given_up = late.told(sought).filter(is_given_up).count();
    let came = late.told(sought).count() - given_up;
    let latest = late.latest(sought).map(|(_, it)| it.words());
    // As long as some of them are missing, or are not known, nobody knows how late the last one comes.
    Some(match (latest, given_up, meant) {
        (None, 0, _) => return None,
        (None, 1, 1) => "given up".to_owned(),
        (None, given_up, _) => format!("late, {given_up} given up"),
        (Some(words), _, 1) => format!("{words} late"),
        (Some(words), ..) if came < meant as usize => format!("at least {words} late"),
        (Some(words), ..) => format!("up to {words} late"),
    })
}
