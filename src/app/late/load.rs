//! One late load: who was late, how late they came, and who of them is sought.

use super::AtTick;
use skirmish::session::Mark;
use skirmish::streaming::{Latecomers, Lateness, Renumberings, State, is_meant, span};
use skirmish::tick::STEP_SECONDS;
use std::sync::Arc;

/// A late load whose objects are called by the numbers that they have by now, as they are wherever else they are named; those that were
/// taken away since by those of then.
pub(super) struct Late<'m> {
    pub mark: &'m Mark,
    pub who: Arc<Latecomers>,
    /// How late those came who have come, or that they were given up or no longer needed before.
    pub came: Vec<(u32, &'m Lateness)>,
    /// For how many seconds those of the world that is shown have been missing by now who still are.
    pub missing: Vec<(u32, f64)>,
    /// Whether of some of these it is not known yet what becomes of them.
    pub is_open: bool,
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
    /// For how many seconds it was missing while it was needed; by now, where it still is.
    pub missing: f64,
    /// What became of it; `None` of one that is missing.
    pub lateness: Option<&'m Lateness>,
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
            missing: Vec::new(),
            is_open: false,
            gone,
            gone_came,
        }
    }

    /// The same with what is known of those who have not come, where it is of the world that is shown, which was made at the tick `world`.
    pub fn at(mark: &'m Mark, (world, numbers, now): (u64, &Renumberings, AtTick<'_>)) -> Self {
        let mut late = Self::of(mark, numbers);
        if mark.world != world {
            return late;
        }
        let (came, known) = (&late.came, late.who.known());
        let open = known.filter(|(_, object)| !came.iter().any(|(it, _)| it == object));
        let open: Vec<u32> = open.map(|(_, object)| object).collect();
        late.is_open = !open.is_empty();
        if now.tick > mark.tick {
            let seconds = (now.tick - mark.tick) as f64 * STEP_SECONDS;
            let state = |object: u32| now.states.get(object as usize).copied();
            let is_missing = |object: &u32| state(*object).is_some_and(State::is_pending);
            let missing = open.into_iter().filter(is_missing);
            late.missing = missing.map(|object| (object, seconds)).collect();
        }
        late
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
    /// the `longest` is gone.
    pub fn named(&self, longest: Option<Came<'_>>, sought: &str) -> &Latecomers {
        let mut there = self.who.known();
        let is_gone = match longest {
            Some(longest) => longest.is_gone,
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
            missing: lateness.missing(),
            lateness: Some(lateness),
        });
        let missing = self.missing.iter().map(|&(object, missing)| Came {
            object,
            is_gone: false,
            missing,
            lateness: None,
        });
        all.chain(missing).filter(move |it| {
            let of = if it.is_gone { &self.gone } else { &*self.who };
            let mut known = of.known();
            let is_it = |(name, object)| object == it.object && is_meant(name, object, sought);
            sought.is_empty() || known.any(is_it)
        })
    }

    /// Who of them was missing the longest while it was needed, whether it came or not, the first of as many; nobody as long as that is
    /// known of none.
    pub fn longest(&self, sought: &str) -> Option<Came<'m>> {
        let longer = |a: Came<'m>, b: Came<'m>| match b.missing > a.missing {
            true => b,
            false => a,
        };
        self.told(sought).reduce(longer)
    }
}

/// How late the one of those who are sought came that was missing the longest, in words, or how long it was missing; nothing as long as of
/// none of them is known what became of it.
pub(super) fn how_late(late: &Late<'_>, meant: u32, sought: &str) -> Option<String> {
    let longest = late.longest(sought)?;
    let meant = meant as usize;
    let count = |is_so: fn(&Lateness) -> bool| {
        let told = late.told(sought).filter_map(|it| it.lateness);
        told.filter(|it| is_so(it)).count()
    };
    let what = match longest.lateness {
        Some(it) if !it.is_late_alone() => "missing",
        _ => "late",
    };
    // As long as some of them are on their way, or are not known, nobody knows how long the last one is missing.
    let settled = count(|it| !it.is_on_its_way());
    let most = match longest.lateness {
        None => "at least ",
        Some(_) if meant == 1 => "",
        Some(_) if settled < meant => "at least ",
        Some(_) => "up to ",
    };
    let end = match count(Lateness::is_given_up) {
        given_up if given_up >= meant => ", given up",
        _ => "",
    };
    Some(format!("{most}{} {what}{end}", span(longest.missing)))
}
