//! What a structure did, told while it does it.
//!
//! Every operation of every structure is generic over a [`Probe`] and tells it each node entered, each test and each hit.
//! Under `()` that compiles to nothing; [`Counter`] sums; [`Trace`] keeps the events for drawing. Benchmark, counters and
//! animation thus watch one and the same traversal.
//!
//! Invariant: a probe never changes what a traversal does, only what is known about it. The one thing that it may do is end
//! it before its time ([`Patient`]).

use crate::ids::{RegionId, UnitId};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

mod trace;

pub use trace::Trace;

/// One step of a structure's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node or cell was entered.
    Visit(RegionId),
    /// A node or cell was looked at and left out, with all that is below it.
    Prune(RegionId),
    /// A node or cell was taken whole, without testing what is in it.
    Accept(RegionId),
    /// A unit was compared with the query.
    Test(UnitId),
    /// Two units were compared with each other.
    TestPair(UnitId, UnitId),
    /// A unit is a result.
    Hit(UnitId),
    /// A pair is a result.
    HitPair(UnitId, UnitId),
    /// A node was split.
    Split(RegionId),
    /// A node took its children back.
    Merge(RegionId),
    /// A node's box was computed again.
    Refit(RegionId),
    /// A step of [`Work::Climb`], away from this node or leaf.
    Climb(RegionId),
    /// A step of [`Work::Descend`], to this node or leaf.
    Descend(RegionId),
    /// Some other step of upkeep.
    Work(Work),
}

/// Steps of upkeep that only some structures know, counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Work {
    /// A unit that was not there was put where it belongs. Told once it stands there.
    Add,
    /// A unit is about to be taken out of where it stands, and not to be put anywhere else.
    Remove,
    /// A unit moved within its cell, leaf or key: only its copy was rewritten.
    MoveInPlace,
    /// A unit's key changed, but its place in the tree did not.
    MoveKeyOnly,
    /// A unit was taken out of one place and put into another. Told once that other place has been found, before anything is
    /// split for it.
    MoveRelink,
    /// One step up a tree in search of the node under which a moved unit belongs. Told as [`Event::Climb`].
    Climb,
    /// One step down a tree in search of a place. Told as [`Event::Descend`].
    Descend,
    /// Two neighbours changed places in a sorted order.
    Swap,
    /// Two keys were compared in order to sort or search.
    Compare,
    /// The whole structure was built anew.
    Rebuild,
    /// Two nodes of a tree were rotated.
    Rotate,
    /// Two units in reach of each other met again: this meeting is thrown away, or they would attack twice.
    DoubleAttack,
}

impl Work {
    /// All of them, in the order of their discriminants.
    pub const ALL: [Self; 12] = [
        Self::Add,
        Self::Remove,
        Self::MoveInPlace,
        Self::MoveKeyOnly,
        Self::MoveRelink,
        Self::Climb,
        Self::Descend,
        Self::Swap,
        Self::Compare,
        Self::Rebuild,
        Self::Rotate,
        Self::DoubleAttack,
    ];

    /// The name for a panel or a report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "added",
            Self::Remove => "removed",
            Self::MoveInPlace => "moved in place",
            Self::MoveKeyOnly => "moved, key only",
            Self::MoveRelink => "relinked",
            Self::Climb => "climbs",
            Self::Descend => "descents",
            Self::Swap => "swaps",
            Self::Compare => "comparisons",
            Self::Rebuild => "rebuilds",
            Self::Rotate => "rotations",
            Self::DoubleAttack => "double attacks",
        }
    }

    /// The word for one such event, in the form of those for all others: `rebuild` beside `split`.
    pub const fn event_name(self) -> &'static str {
        match self {
            Self::Climb => "climb",
            Self::Descend => "descent",
            Self::Swap => "swap",
            Self::Compare => "comparison",
            Self::Rebuild => "rebuild",
            Self::Rotate => "rotation",
            Self::DoubleAttack => "double attack",
            _ => self.name(),
        }
    }
}

/// Two neighbours in an order, of whom one is put where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbors {
    /// Who is put where it belongs.
    pub unit: UnitId,
    /// Who stands beside it.
    pub other: UnitId,
    /// The place of that one in the order, from 0.
    pub place: usize,
}

/// Where a sweep along an order ends before the order does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepEnd {
    /// Who sweeps; nobody where it is done for what a search asks about.
    pub unit: Option<UnitId>,
    /// The first one whose beginning lies beyond the end of that.
    pub other: UnitId,
    /// Along which axis that is: 0 is x, 1 is y.
    pub axis: usize,
    /// How far beyond it, in metres.
    pub beyond: f32,
    /// How many there are behind that one, where it is known without counting them.
    pub behind: Option<usize>,
}

/// A listener to a structure's work.
pub trait Probe {
    /// Whether the probe needs every event on its own. Where it does not, a leaf kernel may report in bulk through
    /// [`Probe::visits`], [`Probe::tests`] and [`Probe::hits`] and leave [`Event::Visit`], [`Event::Test`],
    /// [`Event::TestPair`], [`Event::Hit`] and [`Event::HitPair`] out. All other events every probe hears one by one, so that what
    /// is animated is what is counted; of [`Probe::works`] it hears one by one where it does not say otherwise.
    const DETAILED: bool;

    /// Whether it hears anything at all. Where it does not, loops that would only tell it something are left out.
    const HEARS: bool = true;

    /// Hears one event.
    fn on(&mut self, event: Event);

    /// Hears who looks: the region on whose behalf the one is entered or left out that the very next event names. A search for pairs
    /// says by it what its events alone do not; it is no event, and nothing is counted by it.
    #[inline(always)]
    fn looks(&mut self, _looker: RegionId) {}

    /// Hears which two neighbours in an order the very next event compares, or lets change places. It is no event, and nothing is counted by it.
    #[inline(always)]
    fn orders(&mut self, _neighbors: Neighbors) {}

    /// Hears where the sweep ends of which the tests so far were the last. It is no event, and nothing is counted by it. Told only where
    /// [`Probe::DETAILED`] is true.
    #[inline(always)]
    fn ends(&mut self, _end: SweepEnd) {}

    /// Hears of `count` visits at once. Called only where [`Probe::DETAILED`] is false.
    fn visits(&mut self, count: u64);

    /// Hears of `count` tests at once, of units or of pairs. Called only where [`Probe::DETAILED`] is false.
    fn tests(&mut self, count: u64);

    /// Hears of `count` hits at once. Called only where [`Probe::DETAILED`] is false.
    fn hits(&mut self, count: u64);

    /// Hears of the same step of upkeep so many times: of a crowd that moves in place there is nothing to tell apart.
    #[inline]
    fn works(&mut self, kind: Work, count: u64) {
        for _ in 0..count {
            self.on(Event::Work(kind));
        }
    }
}

/// Hears nothing and costs nothing.
impl Probe for () {
    const DETAILED: bool = false;
    const HEARS: bool = false;
    #[inline(always)]
    fn on(&mut self, _: Event) {}
    #[inline(always)]
    fn visits(&mut self, _: u64) {}
    #[inline(always)]
    fn tests(&mut self, _: u64) {}
    #[inline(always)]
    fn hits(&mut self, _: u64) {}
    #[inline(always)]
    fn works(&mut self, _: Work, _: u64) {}
}

/// Two probes that hear the same.
impl<A: Probe, B: Probe> Probe for (A, B) {
    const DETAILED: bool = A::DETAILED || B::DETAILED;
    const HEARS: bool = A::HEARS || B::HEARS;
    #[inline]
    fn on(&mut self, event: Event) {
        self.0.on(event);
        self.1.on(event);
    }
    #[inline]
    fn looks(&mut self, looker: RegionId) {
        self.0.looks(looker);
        self.1.looks(looker);
    }
    #[inline]
    fn orders(&mut self, neighbors: Neighbors) {
        self.0.orders(neighbors);
        self.1.orders(neighbors);
    }
    #[inline]
    fn ends(&mut self, end: SweepEnd) {
        self.0.ends(end);
        self.1.ends(end);
    }
    #[inline]
    fn visits(&mut self, count: u64) {
        self.0.visits(count);
        self.1.visits(count);
    }
    #[inline]
    fn tests(&mut self, count: u64) {
        self.0.tests(count);
        self.1.tests(count);
    }
    #[inline]
    fn hits(&mut self, count: u64) {
        self.0.hits(count);
        self.1.hits(count);
    }
    #[inline]
    fn works(&mut self, kind: Work, count: u64) {
        self.0.works(kind, count);
        self.1.works(kind, count);
    }
}

impl<P: Probe> Probe for &mut P {
    const DETAILED: bool = P::DETAILED;
    const HEARS: bool = P::HEARS;
    #[inline(always)]
    fn on(&mut self, event: Event) {
        (**self).on(event);
    }
    #[inline(always)]
    fn looks(&mut self, looker: RegionId) {
        (**self).looks(looker);
    }
    #[inline(always)]
    fn orders(&mut self, neighbors: Neighbors) {
        (**self).orders(neighbors);
    }
    #[inline(always)]
    fn ends(&mut self, end: SweepEnd) {
        (**self).ends(end);
    }
    #[inline(always)]
    fn visits(&mut self, count: u64) {
        (**self).visits(count);
    }
    #[inline(always)]
    fn tests(&mut self, count: u64) {
        (**self).tests(count);
    }
    #[inline(always)]
    fn hits(&mut self, count: u64) {
        (**self).hits(count);
    }
    #[inline(always)]
    fn works(&mut self, kind: Work, count: u64) {
        (**self).works(kind, count);
    }
}

/// Sums of what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Nodes or cells entered.
    pub visits: u64,
    /// Nodes or cells left out.
    pub prunes: u64,
    /// Nodes or cells taken whole.
    pub accepts: u64,
    /// Units or pairs compared.
    pub tests: u64,
    /// Units or pairs found.
    pub hits: u64,
    /// Nodes split.
    pub splits: u64,
    /// Nodes merged.
    pub merges: u64,
    /// Boxes computed again.
    pub refits: u64,
    /// Steps of upkeep, in the order of [`Work::ALL`].
    pub work: [u64; Work::ALL.len()],
}

impl Counter {
    /// How often `kind` of upkeep happened.
    #[inline]
    pub fn of(&self, kind: Work) -> u64 {
        self.work[kind as usize]
    }

    /// Adds what another counter heard.
    pub fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        self.prunes += other.prunes;
        self.accepts += other.accepts;
        self.tests += other.tests;
        self.hits += other.hits;
        self.splits += other.splits;
        self.merges += other.merges;
        self.refits += other.refits;
        for (sum, more) in self.work.iter_mut().zip(other.work) {
            *sum += more;
        }
    }
}

impl Probe for Counter {
    const DETAILED: bool = false;
    #[inline]
    fn on(&mut self, event: Event) {
        match event {
            Event::Visit(_) => self.visits += 1,
            Event::Prune(_) => self.prunes += 1,
            Event::Accept(_) => self.accepts += 1,
            Event::Test(_) | Event::TestPair(..) => self.tests += 1,
            Event::Hit(_) | Event::HitPair(..) => self.hits += 1,
            Event::Split(_) => self.splits += 1,
            Event::Merge(_) => self.merges += 1,
            Event::Refit(_) => self.refits += 1,
            Event::Climb(_) => self.work[Work::Climb as usize] += 1,
            Event::Descend(_) => self.work[Work::Descend as usize] += 1,
            Event::Work(kind) => self.work[kind as usize] += 1,
        }
    }
    #[inline]
    fn visits(&mut self, count: u64) {
        self.visits += count;
    }
    #[inline]
    fn tests(&mut self, count: u64) {
        self.tests += count;
    }
    #[inline]
    fn hits(&mut self, count: u64) {
        self.hits += count;
    }
    #[inline]
    fn works(&mut self, kind: Work, count: u64) {
        self.work[kind as usize] += count;
    }
}

/// The word by which somebody ends long work from another thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// Work was ended by a [`Cancel`] before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it was cancelled")]
pub struct Abandoned;

impl Cancel {
    /// Ends the work that listens. It hears of it within some thousand tests.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the word back, before other work begins.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the word has been said.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for waits that know no more than that.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Fails once the word has been said: for loops that have no probe.
    pub fn check(&self) -> Result<(), Abandoned> {
        if self.is_cancelled() {
            Err(Abandoned)
        } else {
            Ok(())
        }
    }

    /// Does work whose probes are [`Patient`], and says whether it came to its end. What the work had borrowed is then as an
    /// unwinding leaves it: it must decide beside the truth and commit last.
    pub fn attempt<T>(work: impl FnOnce() -> T) -> Result<T, Abandoned> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Ok(done),
            Err(payload) if payload.is::<Abandoned>() => Err(Abandoned),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// A probe that hears as another one does, and ends the traversal once its [`Cancel`] is said.
///
/// It unwinds, without a word of a panic: a traversal has no other way out than its end, and to give each of them one would
/// cost a branch in every innermost loop.
#[derive(Debug)]
pub struct Patient<'c, P> {
    /// Who hears.
    pub probe: P,
    cancel: &'c Cancel,
    /// How many events pass until the word is listened for again.
    left: u64,
}

/// Keeps every event and counts them, for who explains what a structure did. They all listen like this, because each kind of
/// probe is a copy of every traversal.
pub type Listening<'p> = Patient<'p, &'p mut (Trace, Counter)>;

impl<'c, P> Patient<'c, P> {
    /// Reading a shared flag at each event would be felt; once in as many as take about a tenth of a millisecond is not.
    const EVERY: u64 = 1 << 16;

    /// Hears as `probe` does until `cancel` is said.
    pub fn new(probe: P, cancel: &'c Cancel) -> Self {
        Self {
            probe,
            cancel,
            left: 0,
        }
    }

    #[inline]
    fn pass(&mut self, events: u64) {
        if self.left > events {
            self.left -= events;
        } else {
            self.left = Self::EVERY;
            if self.cancel.is_cancelled() {
                resume_unwind(Box::new(Abandoned));
            }
        }
    }
}

impl<P: Probe> Probe for Patient<'_, P> {
    const DETAILED: bool = P::DETAILED;
    #[inline]
    fn on(&mut self, event: Event) {
        self.probe.on(event);
        self.pass(1);
    }
    #[inline]
    fn looks(&mut self, looker: RegionId) {
        self.probe.looks(looker);
    }
    #[inline]
    fn orders(&mut self, neighbors: Neighbors) {
        self.probe.orders(neighbors);
    }
    #[inline]
    fn ends(&mut self, end: SweepEnd) {
        self.probe.ends(end);
        // Where few stand near each other there are hardly any other events.
        self.pass(1);
    }
    #[inline]
    fn visits(&mut self, count: u64) {
        self.probe.visits(count);
        self.pass(count);
    }
    #[inline]
    fn tests(&mut self, count: u64) {
        self.probe.tests(count);
        self.pass(count);
    }
    #[inline]
    fn hits(&mut self, count: u64) {
        self.probe.hits(count);
        self.pass(count);
    }
    #[inline]
    fn works(&mut self, kind: Work, count: u64) {
        self.probe.works(kind, count);
        self.pass(count);
    }
}

impl<'c, P: Fork> Fork for Patient<'c, P> {
    type Share = Patient<'c, P::Share>;
    fn fork(&self) -> Self::Share {
        Patient::new(self.probe.fork(), self.cancel)
    }
    fn join(&mut self, share: Self::Share) {
        self.probe.join(share.probe);
    }
    fn tested(&self) -> u64 {
        self.probe.tested()
    }
}

/// A probe that can listen to work which is shared out among threads: each share hears a part, and the parts are joined.
pub trait Fork: Probe {
    /// What one thread's share of the work tells.
    type Share: Probe + Send;

    /// A listener for one share, which has heard nothing yet.
    fn fork(&self) -> Self::Share;

    /// Takes over what a share has heard. Shares are joined in their order, so that a [`Trace`] is the same each time.
    fn join(&mut self, share: Self::Share);

    /// How many tests it has counted so far; 0 of who counts none. There is no default: who hands on to another one and forgot this would
    /// say 0 for it.
    fn tested(&self) -> u64;
}

impl Fork for () {
    type Share = ();
    fn fork(&self) {}
    fn join(&mut self, (): ()) {}
    fn tested(&self) -> u64 {
        0
    }
}

impl Fork for Counter {
    type Share = Self;
    fn fork(&self) -> Self {
        Self::default()
    }
    fn join(&mut self, share: Self) {
        self.add(&share);
    }
    fn tested(&self) -> u64 {
        self.tests
    }
}

impl<A: Fork, B: Fork> Fork for (A, B) {
    type Share = (A::Share, B::Share);
    fn fork(&self) -> Self::Share {
        (self.0.fork(), self.1.fork())
    }
    fn join(&mut self, share: Self::Share) {
        self.0.join(share.0);
        self.1.join(share.1);
    }
    /// Both hear the same.
    fn tested(&self) -> u64 {
        self.0.tested().max(self.1.tested())
    }
}

impl<P: Fork> Fork for &mut P {
    type Share = P::Share;
    fn fork(&self) -> Self::Share {
        (**self).fork()
    }
    fn join(&mut self, share: Self::Share) {
        (**self).join(share);
    }
    fn tested(&self) -> u64 {
        (**self).tested()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_says_what_it_dropped() {
        let mut trace = Trace::with_cap(2);
        for unit in 0..5 {
            trace.on(Event::Test(unit));
        }
        assert_eq!(trace.events(), [Event::Test(0), Event::Test(1)]);
        assert_eq!(trace.dropped(), 3);
        trace.clear();
        assert_eq!((trace.events().len(), trace.dropped()), (0, 0));
    }

    #[test]
    fn patience_ends_when_it_is_told_to() {
        let cancel = Cancel::default();
        let work = |cancel: &Cancel| {
            let mut probe = Patient::new(Counter::default(), cancel);
            for round in 0..1_000_u64 {
                probe.tests(1_000);
                if round == 500 {
                    cancel.cancel();
                }
            }
            probe.probe.tests
        };
        assert_eq!(Cancel::attempt(|| work(&cancel)), Err(Abandoned));
        cancel.reset();
        let untold = Cancel::attempt(|| Patient::new(Counter::default(), &cancel).probe.tests);
        assert_eq!(untold, Ok(0));
    }

    #[test]
    fn whoever_hands_on_to_another_probe_says_how_many_tests_that_has_counted() {
        let mut counter = Counter::default();
        counter.tests(7);
        let cancel = Cancel::default();
        let both = [
            (counter, ()).tested(),
            ((), counter).tested(),
            (Trace::with_cap(1), counter).tested(),
        ];
        assert_eq!(both, [7; 3]);
        assert_eq!(Patient::new(counter, &cancel).tested(), 7);
        assert_eq!(Fork::tested(&&mut counter), 7);
        let mut patient = Patient::new((counter, ()), &cancel);
        assert_eq!(Fork::tested(&&mut patient), 7);
        assert_eq!(((), Trace::with_cap(1)).tested(), 0);
    }

    #[test]
    fn a_pair_of_probes_hears_the_same() {
        let mut both = (Counter::default(), Trace::with_cap(9));
        both.on(Event::Visit(3));
        both.on(Event::Climb(4));
        assert_eq!(both.0.visits, 1);
        assert_eq!(both.0.of(Work::Climb), 1);
        assert_eq!(both.1.events().len(), 2);
    }
}
