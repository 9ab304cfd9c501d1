//! The pair kernel of structures whose units lie in cells, nodes or leaves: those of one who are near another are copied together, and so
//! are those of the other who are near them.

use super::batch::PairBatch;
use super::copied::{Copied, against, lanes};
use super::simd::{self, Bodies, Kernel, Task};
use crate::geometry::Aabb;
use crate::partition::{Pair, Part, RegionId, UnitId};
use crate::probe::{Event, Probe, Work};
use std::ops::Range;

/// So many units are tested in one go. A fuller leaf is taken in several.
const ROOM: usize = 64;

/// Units that lie in one run of columns after the other.
pub trait Runs<const SIZED: bool>: Clone {
    /// The next of them, at most so many.
    fn next_run(&mut self, most: usize) -> Option<(Bodies<'_>, Range<usize>)>;
}

/// Units that are taken one after the other, as many at a time as are wanted.
pub trait Units<const SIZED: bool>: Clone {
    /// Fills a group with those of the next units that are at most the root of `reach_sq` away from `area`, until it is full or there are
    /// no more.
    fn fill<K: Kernel>(&mut self, group: &mut Group, kernel: K, near: (Aabb, f32));
}

impl<const SIZED: bool, R: Runs<SIZED>> Units<SIZED> for R {
    #[inline(always)]
    fn fill<K: Kernel>(&mut self, group: &mut Group, kernel: K, near: (Aabb, f32)) {
        group.keep(0);
        while group.room() > 0
            && let Some((bodies, run)) = self.next_run(group.room())
        {
            group.gather::<SIZED, K>(kernel, near, bodies, run);
        }
    }
}

/// Units that lie apart from each other.
#[derive(Clone)]
pub struct OneByOne<I>(pub I);

impl<const SIZED: bool, I: Iterator<Item = (UnitId, Aabb)> + Clone> Units<SIZED> for OneByOne<I> {
    #[inline(always)]
    fn fill<K: Kernel>(&mut self, group: &mut Group, _: K, (area, reach_sq): (Aabb, f32)) {
        group.keep(0);
        while group.room() > 0
            && let Some((unit, body)) = self.0.next()
        {
            group.push_if::<SIZED>(unit, body, body.gap_sq(area) <= reach_sq);
        }
    }
}

/// Some units, copied together.
pub type Group = Copied<{ lanes(ROOM) }>;

/// A structure whose pairs are sought group by group.
pub trait InGroups {
    /// Whether its units have sizes.
    fn is_sized(&self) -> bool;

    /// Takes a search through a share of the pairs within reach, and [finishes](GroupSearch::finish) it.
    ///
    /// To be inlined, as all that it calls on its way: what is not is not compiled for the kernel's instructions.
    fn walk<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        reach: f32,
        part: Part,
        search: GroupSearch<'_, SIZED, K, P, F>,
    );
}

/// Hands a share of the pairs within reach to `sink`, found by whatever kernel there is.
pub fn emit_in_groups<S: InGroups, P: Probe>(
    structure: &S,
    (reach, part): (f32, Part),
    probe: &mut P,
    sink: impl FnMut(&[Pair]),
) {
    simd::dispatch(Emission {
        structure,
        reach,
        part,
        probe,
        sink,
    });
}

/// A pair search about to begin.
struct Emission<'s, 'p, S: InGroups, P: Probe, F: FnMut(&[Pair])> {
    structure: &'s S,
    reach: f32,
    part: Part,
    probe: &'p mut P,
    sink: F,
}

impl<S: InGroups, P: Probe, F: FnMut(&[Pair])> Task for Emission<'_, '_, S, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        // Points are told apart at compile time: they are compared as such.
        if self.structure.is_sized() {
            self.walk::<true, K>(kernel);
        } else {
            self.walk::<false, K>(kernel);
        }
    }
}

impl<S: InGroups, P: Probe, F: FnMut(&[Pair])> Emission<'_, '_, S, P, F> {
    #[inline(always)]
    fn walk<const SIZED: bool, K: Kernel>(self, kernel: K) {
        let search = GroupSearch::<SIZED, K, P, F>::new(kernel, self.reach, self.probe, self.sink);
        self.structure.walk(self.reach, self.part, search);
    }
}

/// One pair search under way. `SIZED` says whether boxes have a size; without, they are compared as points.
pub struct GroupSearch<'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    test: Test<'p, SIZED, K, P, F>,
    /// Those who look for others.
    group: Group,
    /// Room for those who are near them.
    others: Group,
}

impl<'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>
    GroupSearch<'p, SIZED, K, P, F>
{
    /// A search that hands its pairs to `sink`.
    #[inline(always)]
    fn new(kernel: K, reach: f32, probe: &'p mut P, sink: F) -> Self {
        Self {
            test: Test {
                kernel,
                reach_sq: reach * reach,
                probe,
                batch: PairBatch::new(sink),
            },
            group: Group::NOBODY,
            others: Group::NOBODY,
        }
    }

    /// The square of the reach.
    #[inline(always)]
    pub fn reach_sq(&self) -> f32 {
        self.test.reach_sq
    }

    /// Tells the probe.
    #[inline(always)]
    pub fn tell(&mut self, event: Event) {
        self.test.probe.on(event);
    }

    /// Tells the probe what happens on behalf of a region that looks.
    #[inline(always)]
    pub fn tell_for(&mut self, looker: RegionId, event: Event) {
        self.test.probe.looks(looker);
        self.test.probe.on(event);
    }

    /// Hands on the last pairs.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.test.batch.flush();
    }

    /// Tests each of some units with each other.
    #[inline(always)]
    pub fn within(&mut self, mut runs: impl Units<SIZED>) {
        let Self {
            test,
            group,
            others,
        } = self;
        while test.take(group, &mut runs) {
            test.each_other(group);
            if group.room() > 0 {
                return;
            }
            test.meet(group, others, runs.clone());
        }
    }

    /// Takes the next units as `lookers`, wherever they are, and tests each of them with each other and with those behind them. Says
    /// whether there are any.
    #[inline(always)]
    pub fn within_next(&mut self, lookers: &mut Group, runs: &mut impl Units<SIZED>) -> bool {
        if !self.test.take(lookers, runs) {
            return false;
        }
        self.test.each_other(lookers);
        if lookers.room() == 0 {
            self.test.meet(lookers, &mut self.others, runs.clone());
        }
        true
    }

    /// Takes the next units that are in reach of an area as `lookers`. Says whether there are any.
    #[inline(always)]
    pub fn take_near(&self, lookers: &mut Group, runs: &mut impl Units<SIZED>, area: Aabb) -> bool {
        let Test {
            kernel, reach_sq, ..
        } = self.test;
        runs.fill(lookers, kernel, (area, reach_sq));
        lookers.count() > 0
    }

    /// The box around some units.
    #[inline(always)]
    pub fn bounds_of(&self, lookers: &Group) -> Aabb {
        lookers.bounds::<SIZED, K>(self.test.kernel)
    }

    /// Gathers the next units that are in reach of an area as those who look for others. Says whether there are any.
    #[inline(always)]
    pub fn gather(&mut self, runs: &mut impl Units<SIZED>, area: Aabb) -> bool {
        let Test {
            kernel, reach_sq, ..
        } = self.test;
        runs.fill(&mut self.group, kernel, (area, reach_sq));
        self.group.count() > 0
    }

    /// Gathers those of some units that are in reach of an area as those who look for others. Says whether there are any.
    #[inline(always)]
    pub fn gather_of(&mut self, lookers: &Group, area: Aabb) -> bool {
        let Test {
            kernel, reach_sq, ..
        } = self.test;
        self.group.keep(0);
        let all = (lookers.for_kernel::<SIZED>(), 0..lookers.count());
        self.group
            .gather::<SIZED, K>(kernel, (area, reach_sq), all.0, all.1);
        self.group.count() > 0
    }

    /// Tests each of those who were gathered with each of some units, which are others.
    #[inline(always)]
    pub fn meet(&mut self, runs: impl Units<SIZED>) {
        self.test.meet(&self.group, &mut self.others, runs);
    }

    /// Tests each of some `lookers` with each of some units, which are others.
    #[inline(always)]
    pub fn meet_all(&mut self, lookers: &Group, runs: impl Units<SIZED>) {
        self.test.meet(lookers, &mut self.others, runs);
    }

    /// Tests as [`GroupSearch::meet`] does where each pair has been met before: who is in reach is told as [`Work::DoubleAttack`] and not
    /// handed on.
    #[inline(always)]
    pub fn meet_again(&mut self, mut runs: impl Units<SIZED>) {
        let (kernel, reach_sq) = (self.test.kernel, self.test.reach_sq);
        let area = self.group.bounds::<SIZED, K>(kernel);
        loop {
            runs.fill(&mut self.others, kernel, (area, reach_sq));
            self.test.again(&self.group, &self.others);
            if self.others.room() > 0 {
                return;
            }
        }
    }
}

/// What the innermost loop needs.
struct Test<'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    kernel: K,
    reach_sq: f32,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> Test<'_, SIZED, K, P, F> {
    /// Fills a group with the next units, wherever they are. Says whether there are any.
    #[inline(always)]
    fn take(&self, group: &mut Group, runs: &mut impl Units<SIZED>) -> bool {
        let everywhere = (Aabb::EVERYTHING, f32::INFINITY);
        runs.fill(group, self.kernel, everywhere);
        group.count() > 0
    }

    /// Tests each of a group with each other.
    #[inline(always)]
    fn each_other(&mut self, group: &Group) {
        let bodies = group.for_kernel::<SIZED>();
        for place in 0..group.count() {
            let (unit, body) = (group.id(place), bodies.body::<SIZED>(place));
            self.against(unit, body, bodies, place);
        }
    }

    /// Tests each of a group with each of some units, which are others, and for those near them is room in `others`.
    #[inline(always)]
    fn meet(&mut self, group: &Group, others: &mut Group, mut runs: impl Units<SIZED>) {
        let (kernel, reach_sq) = (self.kernel, self.reach_sq);
        // Who is far from all of them need not be compared with each of them.
        let area = group.bounds::<SIZED, K>(kernel);
        loop {
            runs.fill(others, kernel, (area, reach_sq));
            // Eight are tested at once: so each of the fewer ones with all of the others.
            let (few, many) = if group.count() < others.count() {
                (group, &*others)
            } else {
                (&*others, group)
            };
            let (bodies, all) = (few.for_kernel::<SIZED>(), many.for_kernel::<SIZED>());
            for place in 0..few.count() {
                let (unit, body) = (few.id(place), bodies.body::<SIZED>(place));
                self.against(unit, body, all, many.count());
            }
            if others.room() > 0 {
                return;
            }
        }
    }

    /// Tests one unit with the first so many of others.
    #[inline(always)]
    fn against(&mut self, unit: UnitId, body: Aabb, others: Bodies<'_>, count: usize) {
        let told = (&mut self.batch, &mut *self.probe);
        let others = (others, 0..count);
        let hits =
            against::<SIZED, K, P, F>(self.kernel, (unit, body), others, self.reach_sq, told);
        if !P::DETAILED {
            self.probe.tests(count as u64);
            self.probe.hits(hits as u64);
        }
    }

    /// Tests each of some units with each of a group, with each of which it has been tested before.
    #[inline(never)]
    fn again(&mut self, group: &Group, others: &Group) {
        let (bodies, near) = (group.for_kernel::<SIZED>(), others.for_kernel::<SIZED>());
        for place in 0..others.count() {
            let (unit, body) = (others.id(place), near.body::<SIZED>(place));
            for (place, &other) in bodies.ids(0..group.count()).iter().enumerate() {
                if P::DETAILED {
                    let (a, b) = (unit.min(other), unit.max(other));
                    self.probe.on(Event::TestPair(a, b));
                }
                if body.gap_sq(bodies.body::<SIZED>(place)) <= self.reach_sq {
                    self.probe.on(Event::Work(Work::DoubleAttack));
                }
            }
            if !P::DETAILED {
                self.probe.tests(group.count() as u64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;
    use crate::geometry::Vec2;
    use crate::probe::Counter;

    type Crowd<'a> = &'a [(UnitId, Aabb)];

    /// Tests units with each other, and then all of them with others, both once more as those who look for themselves.
    struct Meeting<'a> {
        units: Crowd<'a>,
        others: Crowd<'a>,
        reach: f32,
        found: &'a mut Vec<Pair>,
        counter: &'a mut Counter,
    }

    impl Task for Meeting<'_> {
        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) {
            let Self { units, others, .. } = self;
            let sink = |pairs: &[Pair]| self.found.extend_from_slice(pairs);
            let mut search =
                GroupSearch::<true, K, _, _>::new(kernel, self.reach, self.counter, sink);
            let mut lookers = Group::NOBODY;
            let mut own = OneByOne(units.iter().copied());
            while search.within_next(&mut lookers, &mut own) {
                search.meet_all(&lookers, OneByOne(others.iter().copied()));
            }
            search.within(OneByOne(others.iter().copied()));
            let area = others
                .iter()
                .fold(Aabb::EMPTY, |sum, (_, body)| sum.join(*body));
            let mut own = OneByOne(units.iter().copied());
            while search.take_near(&mut lookers, &mut own, area) {
                if search.gather_of(&lookers, area) {
                    search.meet_again(OneByOne(others.iter().copied()));
                }
            }
            search.finish();
        }
    }

    #[test]
    fn whoever_is_in_reach_meets_once_however_many_there_are() {
        let mut stream = Stream::new(11);
        for (count, other_count) in [
            (0, 0),
            (1, 1),
            (2, 9),
            (7, 1),
            (64, 65),
            (63, 3),
            (150, 200),
        ] {
            let mut number = |below: u64| stream.below(below) as f32 * 0.25;
            let mut bodies: Vec<(UnitId, Aabb)> = (0..count + other_count)
                .map(|unit| {
                    let low = Vec2::new(number(80), number(80));
                    (unit, Aabb::new(low, low + Vec2::new(number(8), number(8))))
                })
                .collect();
            // In no order of their numbers.
            bodies.reverse();
            let (units, others) = bodies.split_at(count as usize);
            let (reach, reach_sq) = (0.75, 0.5625);
            let is_pair = |a: Aabb, b: Aabb| a.gap_sq(b) <= reach_sq;
            let mut expected: Vec<Pair> = Vec::new();
            for (place, (a, body)) in bodies.iter().enumerate() {
                let near = bodies[place + 1..]
                    .iter()
                    .filter(|other| is_pair(*body, other.1));
                expected.extend(near.map(|(b, _)| (*a.min(b), *a.max(b))));
            }
            expected.sort_unstable();
            let met = |(_, body): &(UnitId, Aabb)| {
                others
                    .iter()
                    .filter(|other| is_pair(*body, other.1))
                    .count() as u64
            };
            let again: u64 = units.iter().map(met).sum();
            let (mut found, mut counter) = (Vec::new(), Counter::default());
            simd::dispatch(Meeting {
                units,
                others,
                reach,
                found: &mut found,
                counter: &mut counter,
            });
            assert_eq!(counter.hits, found.len() as u64);
            assert_eq!(
                counter.of(Work::DoubleAttack),
                again,
                "{count} and {other_count}"
            );
            found.sort_unstable();
            assert_eq!(found, expected, "{count} and {other_count}");
        }
    }
}
