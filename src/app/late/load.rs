//! One late load: who was late, for how long they were missing, and who of them is sought.

use super::AtTick;
use skirmish::session::{Mark, tick_at};
use skirmish::streaming::{Latecomers, Lateness, Pending, Renumberings, is_meant, span};
use skirmish::tick::STEP_SECONDS;
use std::sync::Arc;

/// A late load whose objects are called by the numbers that they have by now, as they are wherever else they are named; those that were
/// taken away since by those of then.
pub struct Late<'m> {
    pub mark: &'m Mark,
    pub who: Arc<Latecomers>,
    /// How late those came who have come, or that they were given up or no longer needed before.
    pub came: Vec<(u32, &'m Lateness)>,
    /// Those of the world that is shown who are missing still.
    pub missing: Vec<Missing>,
    /// Those who are on their way since, and of whom it is not known what becomes of them: who is not missing by now may be again.
    pub pending: Vec<u32>,
    /// Whether of some of them more may be known at a later tick, though nothing else comes late, and nobody comes.
    pub is_open: bool,
    /// Those who are known one by one and were taken away since,
    pub gone: Latecomers,
    /// ... and how late these came.
    pub gone_came: Vec<(u32, &'m Lateness)>,
}

/// One who is missing still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missing {
    /// Its number by now.
    pub object: u32,
    /// For how many seconds by now it was needed and not there.
    pub seconds: f64,
    /// Whether it was needed all that time: then so late it is.
    pub is_late_alone: bool,
}

/// How late one of them came.
#[derive(Clone, Copy)]
pub struct Came<'m> {
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
            pending: Vec::new(),
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
        let who = Arc::clone(&late.who);
        for (_, object) in who.known() {
            let Some(it) = now.pending_of(object) else {
                continue;
            };
            let needed_at = now.needed_at(it);
            // A mark that stands for neighbours may name one of them twice.
            let is_told = late.pending.contains(&object);
            if is_told || !(mark.tick..=mark.last).contains(&needed_at) {
                continue;
            }
            let came = late.came.iter().find(|(one, lateness)| {
                *one == object && tick_at(mark.began, lateness.needed_at()) == needed_at
            });
            if came.is_some_and(|(_, lateness)| !lateness.is_on_its_way()) {
                continue;
            }
            late.pending.push(object);
            let [late_ticks, missing] = [it.late, it.missing].map(in_ticks);
            let seconds = missing * STEP_SECONDS;
            // Who has gone back knows more than what is missing by now.
            let known = came.map_or(0.0, |(_, lateness)| lateness.missing());
            if it.is_needed && missing > 0.0 && seconds + 0.5 * STEP_SECONDS > known {
                late.missing.push(Missing {
                    object,
                    seconds,
                    is_late_alone: missing >= late_ticks,
                });
            }
        }
        let is_to_come = mark.last > now.tick && !late.is_settled();
        late.is_open = now.is_unsure || !late.pending.is_empty() || is_to_come;
        late
    }

    /// Whether of all of them who are known it is known what became of them.
    fn is_settled(&self) -> bool {
        let settled = |object: u32| {
            let mut came = self.came.iter();
            came.any(|(it, lateness)| *it == object && !lateness.is_on_its_way())
        };
        self.who.known().all(|(_, object)| settled(object))
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

    /// Those among whom the row names one, and of whom it says for how long, if that is known: those that are still there come first, unless
    /// the `longest` is gone.
    pub fn named(&self, longest: Option<Came<'_>>, sought: &str) -> &Latecomers {
        let mut there = self.who.known();
        let is_gone = match longest {
            Some(longest) => longest.is_gone,
            None => !there.any(|(name, object)| is_meant(name, object, sought)),
        };
        if is_gone { &self.gone } else { &self.who }
    }

    /// Of those who have come, or of whom it is known that they have not, and who are sought: for how long.
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
        let missing = self.missing.iter().map(|it| Came {
            object: it.object,
            is_gone: false,
            missing: it.seconds,
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

/// Seconds in ticks, between which nothing comes to be needed.
fn in_ticks(seconds: f64) -> f64 {
    (seconds / STEP_SECONDS).round()
}

impl<'s> AtTick<'s> {
    /// The tick at which one came to be needed.
    fn needed_at(self, pending: &Pending) -> u64 {
        self.tick.saturating_sub(in_ticks(pending.late) as u64)
    }

    /// An object, if it is among them.
    fn pending_of(self, object: u32) -> Option<&'s Pending> {
        let found = self.pending.binary_search_by_key(&object, |it| it.object);
        Some(&self.pending[found.ok()?])
    }
}

/// How long the one of those who are sought was missing that was so the longest, in words; nothing as long as of none of them is known what
/// became of it. That is one measure for all, whatever became of them: one that was not needed for a while comes later than that.
pub(super) fn how_long(late: &Late<'_>, meant: u32, sought: &str) -> Option<String> {
    let longest = late.longest(sought)?;
    let meant = meant as usize;
    let count = |is_so: fn(&Lateness) -> bool| {
        let told = late.told(sought).filter_map(|it| it.lateness);
        told.filter(|it| is_so(it)).count()
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
    Some(format!("{most}{} missing{end}", span(longest.missing)))
}
