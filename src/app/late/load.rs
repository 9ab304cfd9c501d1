//! One late load: who was late, how late they came, and who of them is sought.

use skirmish::session::Mark;
use skirmish::streaming::{Latecomers, Lateness, Renumberings, is_meant};
use std::sync::Arc;

/// A late load whose objects are called by the numbers that they have by now, as they are wherever else they are named; those that were
/// taken away since by those of then.
pub(super) struct Late<'m> {
    pub mark: &'m Mark,
    pub who: Arc<Latecomers>,
    /// How late those came who have come, or that they were given up or no longer needed before.
    pub came: Vec<(u32, &'m Lateness)>,
    /// Those who are known one by one and were taken away since,
    pub gone: Latecomers,
    /// ... and how late these came.
    pub gone_came: Vec<(u32, &'m Lateness)>,
}

/// How late one of them came.
#[derive(Clone, Copy)]
pub(super) struct Came<'m> {
    /// Its number, by now or of then.
    pub object: u32,
    /// Whether it was taken away since.
    pub is_gone: bool,
    pub lateness: &'m Lateness,
}

impl<'m> Late<'m> {
    pub fn of(mark: &'m Mark, numbers: &Renumberings) -> Self {
        let now = |number: u32| numbers.now(number, mark.numbering);
        let who = match mark.numbering < numbers.count() {
            true => Arc::new(mark.who.numbered(now)),
            false => Arc::clone(&mark.who),
        };
        let gone = match mark.who.known().count() - who.known().count() {
            0 => Latecomers::default(),
            _ => mark
                .who
                .numbered(|number| now(number).is_none().then_some(number)),
        };
        let (mut came, mut gone_came) = (Vec::new(), Vec::new());
        for lateness in mark.came.iter().map(|it| &it.lateness) {
            match now(lateness.needed_as()) {
                Some(object) => came.push((object, lateness)),
                None => gone_came.push((lateness.needed_as(), lateness)),
            }
        }
        Self {
            mark,
            who,
            came,
            gone,
            gone_came,
        }
    }

    /// How many of them are sought.
    pub fn count_meant(&self, sought: &str) -> u32 {
        let there = self.who.count_meant(sought);
        if self.gone.known().next().is_none() {
            return there;
        }
        // By their names those that are gone are counted among the others.
        let by_name = self.gone.numbered(|_| None).count_meant(sought);
        there + self.gone.count_meant(sought).saturating_sub(by_name)
    }

    /// Those among whom the row names one, and of whom it says how late, if that is known: those that are still there come first, unless
    /// the `latest` is gone.
    pub fn named(&self, latest: Option<Came<'_>>, sought: &str) -> &Latecomers {
        let mut there = self.who.known();
        let is_gone = match latest {
            Some(latest) => latest.is_gone,
            None => !there.any(|(name, object)| is_meant(name, object, sought)),
        };
        if is_gone { &self.gone } else { &self.who }
    }

    /// Of those who have come, or of whom it is known that they have not, and who are sought: how late.
    fn told(&self, sought: &str) -> impl Iterator<Item = Came<'m>> {
        let there = self.came.iter().map(|it| (*it, false));
        let gone = self.gone_came.iter().map(|it| (*it, true));
        let all = there.chain(gone);
        let all = all.map(|((object, lateness), is_gone)| Came {
            object,
            is_gone,
            lateness,
        });
        all.filter(move |it| {
            let of = if it.is_gone { &self.gone } else { &*self.who };
            let mut known = of.known();
            let is_it = |(name, object)| object == it.object && is_meant(name, object, sought);
            sought.is_empty() || known.any(is_it)
        })
    }

    /// Of the one of them that was missing the longest while it was needed, whether it came or was given up; nothing as long as that is known
    /// of none.
    pub fn longest(&self, sought: &str) -> Option<&'m Lateness> {
        let told = self.told(sought).map(|it| it.lateness);
        told.max_by(|a, b| a.seconds().total_cmp(&b.seconds()))
    }

    /// Who of those came the latest, the first of as many; nobody as long as none of them has come.
    pub fn latest(&self, sought: &str) -> Option<Came<'m>> {
        let came = self.told(sought).filter(|it| it.lateness.has_come());
        let later = |a: Came<'m>, b: Came<'m>| {
            let is_later = b.lateness.seconds() > a.lateness.seconds();
            if is_later { b } else { a }
        };
        came.reduce(later)
    }
}

/// How late they came who are sought, in words: the latest of several; nothing as long as of none of them is known what became of it.
pub(super) fn how_late(late: &Late<'_>, meant: u32, sought: &str) -> Option<String> {
    let has_come = |it: &Came<'_>| it.lateness.has_come();
    let came = late.told(sought).filter(has_come).count();
    let others = late.told(sought).count() - came;
    // It has not come, and was missing as long as it was needed.
    let missing = || {
        late.longest(sought)
            .map(Lateness::words)
            .unwrap_or_default()
    };
    let latest = late.latest(sought).map(|it| it.lateness.words());
    // As long as some of them are missing, or are not known, nobody knows how late the last one comes.
    Some(match (latest, others, meant) {
        (None, 0, _) => return None,
        (None, 1, 1) => format!("{} missing", missing()),
        (None, others, _) if others < meant as usize => format!("at least {} missing", missing()),
        (None, ..) => format!("up to {} missing", missing()),
        (Some(words), _, 1) => format!("{words} late"),
        (Some(words), ..) if came < meant as usize => format!("at least {words} late"),
        (Some(words), ..) => format!("up to {words} late"),
    })
}
