//! What structures whose units lie in [blocks](super::blocks) share: they lead a question to their lists, and the units there
//! are tested eight at a time, with whichever kernel is best.

use super::blocks::{Blocks, LANES, List};
use super::pairs::PairSearch;
use super::search::Search3;
use crate::partition::toolkit::simd::{Kernel, Task, dispatch};
use crate::partition::{Best, Neighbor, Pair, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::{Aabb3, NearestQuery3, Vec3};

/// A structure whose units lie in blocks.
///
/// What it does is compiled for the kernel's instructions, which is only so where it is inlined: nothing in it may recur.
pub trait Lists {
    /// Where its units lie.
    fn blocks(&self) -> &Blocks;

    /// Leads a search to every list in which somebody may be.
    fn lead<const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)>(
        &self,
        sieve: &mut Sieve3<'_, SIZED, K, S, P, V>,
    );

    /// Leads a search for the nearest to every list that may be near enough.
    fn approach<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe>(
        &self,
        nearest: &mut Nearest3<'_, K, F, P>,
    );

    /// Leads a search for pairs to every two lists that may be within `reach` of each other.
    fn pair_up<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        reach: f32,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    );
}

/// So many results are gathered before they are visited.
const ROOM: usize = 128;

/// A search under way: tests lists, and visits those whom the search holds a hundred at a time.
pub struct Sieve3<'a, const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)> {
    kernel: K,
    blocks: &'a Blocks,
    pub search: &'a S,
    probe: &'a mut P,
    visit: V,
    found: [UnitId; ROOM],
    filled: usize,
}

impl<const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)>
    Sieve3<'_, SIZED, K, S, P, V>
{
    /// Tells the probe.
    #[inline(always)]
    pub fn tell(&mut self, event: Event) {
        self.probe.on(event);
    }

    /// Finds those of a list whom the search holds.
    #[inline(always)]
    pub fn sift(&mut self, list: List) {
        let (blocks, mut hits) = (self.blocks, 0);
        for (block, length) in blocks.chain(list) {
            let bodies = blocks.eight::<SIZED>(block);
            let set = self.search.lanes::<K, SIZED>(self.kernel, bodies) & ((1 << length) - 1);
            if P::DETAILED {
                for (lane, &unit) in blocks.ids(block)[..length].iter().enumerate() {
                    self.probe.on(Event::Test(unit));
                    if set >> lane & 1 == 1 {
                        self.probe.on(Event::Hit(unit));
                    }
                }
            }
            hits += u64::from(set.count_ones());
            self.keep(block, set);
        }
        if !P::DETAILED {
            self.probe.tests(u64::from(list.load));
            self.probe.hits(hits);
        }
    }

    /// Finds everybody of a list, untested.
    #[inline(always)]
    pub fn accept(&mut self, list: List) {
        let blocks = self.blocks;
        for (block, length) in blocks.chain(list) {
            if P::DETAILED {
                for &unit in &blocks.ids(block)[..length] {
                    self.probe.on(Event::Hit(unit));
                }
            }
            self.keep(block, (1 << length) - 1);
        }
        if !P::DETAILED {
            self.probe.hits(u64::from(list.load));
        }
    }

    #[inline(always)]
    fn keep(&mut self, block: usize, set: u32) {
        if self.filled > ROOM - LANES {
            self.hand_on();
        }
        let free = &mut self.found[self.filled..];
        self.filled += self.kernel.pack_eight(free, self.blocks.ids(block), set);
    }

    #[inline(always)]
    fn hand_on(&mut self) {
        for &unit in &self.found[..self.filled] {
            (self.visit)(unit);
        }
        self.filled = 0;
    }
}

/// A search for the nearest under way.
pub struct Nearest3<'a, K: Kernel, F: FnMut(UnitId) -> bool, P: Probe> {
    kernel: K,
    blocks: &'a Blocks,
    pub point: Vec3,
    filter: F,
    probe: &'a mut P,
    best: Best<'a>,
}

impl<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe> Nearest3<'_, K, F, P> {
    /// Tells the probe.
    #[inline(always)]
    pub fn tell(&mut self, event: Event) {
        self.probe.on(event);
    }

    /// The squared distance beyond which nobody is looked for any more.
    #[inline(always)]
    pub fn bound_sq(&self) -> f32 {
        self.best.bound_sq()
    }

    /// Offers those of a list who are near enough and pass the filter.
    #[inline(always)]
    pub fn offer(&mut self, list: List) {
        let (blocks, spot) = (self.blocks, Aabb3::point(self.point));
        for (block, length) in blocks.chain(list) {
            let ids = blocks.ids(block);
            if P::DETAILED {
                for &unit in &ids[..length] {
                    self.probe.on(Event::Test(unit));
                }
            }
            let bound_sq = self.best.bound_sq();
            let (near, distances_sq) = if blocks.is_sized() {
                let bodies = blocks.eight::<true>(block);
                self.kernel.near_eight::<true>(bodies, spot, bound_sq)
            } else {
                let bodies = blocks.eight::<false>(block);
                self.kernel.near_eight::<false>(bodies, spot, bound_sq)
            };
            let set = near & ((1 << length) - 1);
            self.best
                .offer_eight(self.kernel, ids, &distances_sq, set, &mut self.filter);
        }
        if !P::DETAILED {
            self.probe.tests(u64::from(list.load));
        }
    }
}

/// Visits the units that `search` holds.
pub fn sift<L: Lists, S: Search3, P: Probe>(
    lists: &L,
    search: &S,
    probe: &mut P,
    visit: impl FnMut(UnitId),
) {
    dispatch(Sifting {
        lists,
        search,
        probe,
        visit,
    });
}

struct Sifting<'a, L, S, P, V> {
    lists: &'a L,
    search: &'a S,
    probe: &'a mut P,
    visit: V,
}

impl<L: Lists, S: Search3, P: Probe, V: FnMut(UnitId)> Task for Sifting<'_, L, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.lists.blocks().is_sized() {
            self.lead::<true, K>(kernel);
        } else {
            self.lead::<false, K>(kernel);
        }
    }
}

impl<L: Lists, S: Search3, P: Probe, V: FnMut(UnitId)> Sifting<'_, L, S, P, V> {
    #[inline(always)]
    fn lead<const SIZED: bool, K: Kernel>(self, kernel: K) {
        let mut sieve = Sieve3::<SIZED, K, S, P, V> {
            kernel,
            blocks: self.lists.blocks(),
            search: self.search,
            probe: self.probe,
            visit: self.visit,
            found: [0; ROOM],
            filled: 0,
        };
        self.lists.lead(&mut sieve);
        sieve.hand_on();
    }
}

/// Fills `out` with the nearest units.
pub fn find_nearest<L: Lists, P: Probe>(
    lists: &L,
    query: NearestQuery3,
    filter: impl FnMut(UnitId) -> bool,
    probe: &mut P,
    out: &mut Vec<Neighbor>,
) {
    dispatch(Approach {
        lists,
        query,
        filter,
        probe,
        out,
    });
}

struct Approach<'a, L, F, P> {
    lists: &'a L,
    query: NearestQuery3,
    filter: F,
    probe: &'a mut P,
    out: &'a mut Vec<Neighbor>,
}

impl<L: Lists, F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, L, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let mut nearest = Nearest3 {
            kernel,
            blocks: self.lists.blocks(),
            point: self.query.point,
            filter: self.filter,
            probe: self.probe,
            best: Best::new(self.out, self.query.count, self.query.within),
        };
        self.lists.approach(&mut nearest);
        nearest.best.finish(nearest.probe);
    }
}

/// Gives each pair of units that are at most `reach` apart once.
pub fn seek_pairs<L: Lists, P: Probe>(
    lists: &L,
    reach: f32,
    probe: &mut P,
    batch: impl FnMut(&[Pair]),
) {
    dispatch(Pairing {
        lists,
        reach,
        probe,
        batch,
    });
}

struct Pairing<'a, L, P, F> {
    lists: &'a L,
    reach: f32,
    probe: &'a mut P,
    batch: F,
}

impl<L: Lists, P: Probe, F: FnMut(&[Pair])> Task for Pairing<'_, L, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.lists.blocks().is_sized() {
            self.pair_up::<true, K>(kernel);
        } else {
            self.pair_up::<false, K>(kernel);
        }
    }
}

impl<L: Lists, P: Probe, F: FnMut(&[Pair])> Pairing<'_, L, P, F> {
    #[inline(always)]
    fn pair_up<const SIZED: bool, K: Kernel>(self, kernel: K) {
        let blocks = self.lists.blocks();
        let mut search =
            PairSearch::<SIZED, K, P, F>::new(kernel, blocks, self.reach, self.probe, self.batch);
        self.lists.pair_up(self.reach, &mut search);
        search.finish();
    }
}
