//! Whose turn it is in a search for pairs, read off all of its events.
//!
//! Each cell of a grid, and each leaf of most trees, has one turn: there its own units are compared with each other, and then with those
//! of others that have not had theirs. Most structures say at each visit [who looks](crate::probe::Probe::looks), and a visit for which
//! nobody does is the beginning of a turn. Where they do not, what is compared in whose turn is found out from the whole search and not
//! from what follows right behind a visit.
//!
//! Invariant: a visit is of the turn of whoever looks when it happens, also where nobody is compared then; a test that comes later is
//! never taken for its own.
//!
//! Invariant: where the events of a search do not bear out that it goes by turns, there are none. A search that crosses the branches of
//! its nodes has no turns of leaves.

use super::atlas::{Atlas, Place};
use crate::partition::{Pair, RegionId, Role, UnitId};
use crate::probe::Event;
use std::collections::{HashMap, HashSet};

/// So many comparisons, and how many of them are in reach.
pub type Sum = (u64, u64);

/// Who looks in a search: places in the list of its events, in order, each with the region on whose behalf that event happens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lookers<'a>(pub &'a [(usize, RegionId)]);

impl Lookers<'_> {
    /// Who looks, where it is told of this event.
    pub fn of(self, at: usize) -> Option<RegionId> {
        let place = self.0.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        Some(self.0[place].1)
    }

    /// Whether it is told at all.
    pub fn are_told(self) -> bool {
        !self.0.is_empty()
    }
}

/// What one region does in its turn.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Comparisons of its own units with each other.
    pub own: Sum,
    /// Comparisons of its units with those of others.
    pub across: Sum,
    /// The regions of those others, in the order in which they come up.
    pub partners: Vec<RegionId>,
    /// Who has looked at it in turns before its own, in their order.
    pub looked: Vec<RegionId>,
    /// How many others it looks at, also in vain.
    pub looks: usize,
    /// The others at which a cell looks, also in vain, in their order.
    pub looks_at: Vec<RegionId>,
    /// The leaves to which a leaf comes in its turn, also in vain, in their order.
    pub visited: Vec<RegionId>,
    /// The leaves that have come to it in theirs.
    pub visited_by: Vec<RegionId>,
    /// The leaves that are left out although it looks at them.
    pub left_out: Vec<RegionId>,
    /// The leaves that look at it, and leave it out.
    pub left_out_by: Vec<RegionId>,
}

/// The turns of one search.
#[derive(Debug)]
pub struct Turns {
    /// In whose turn each event happens.
    owners: Vec<Option<RegionId>>,
    /// The event with which the turn of a region begins.
    begins: HashMap<RegionId, usize>,
    accounts: HashMap<RegionId, Account>,
    /// Whether two look at each other, each in its own turn.
    pub looks_back: bool,
}

/// What is known of events before it is known whose turn is when.
struct Heard<'a> {
    atlas: &'a Atlas,
    events: &'a [Event],
    /// Who looks, of the events of which it is told.
    lookers: Lookers<'a>,
    /// Of each event the next one, itself included, in which two are compared, or how many events there are.
    next_test: Vec<usize>,
    /// The region that holds each unit.
    homes: Vec<Option<RegionId>>,
    /// The visits of each region that has no others below it.
    visits: HashMap<RegionId, Vec<usize>>,
    /// Of whose own units two were compared: the first such event.
    own_tests: HashMap<RegionId, usize>,
}

/// How the turn of a single unit's region, in which nobody is compared with each other, is told from visits by others.
#[derive(Clone, Copy)]
enum Alone {
    /// Nobody looks at a region once it has had its turn, so it is the last visit.
    Last,
    /// Somebody may: it is the last visit behind which its unit is compared first of all.
    Looking,
}

impl<'a> Heard<'a> {
    fn new(atlas: &'a Atlas, events: &'a [Event], lookers: Lookers<'a>) -> Self {
        let mut heard = Self {
            atlas,
            events,
            lookers,
            homes: Vec::new(),
            next_test: vec![events.len(); events.len() + 1],
            visits: HashMap::new(),
            own_tests: HashMap::new(),
        };
        for (at, event) in events.iter().enumerate().rev() {
            heard.next_test[at] = match event {
                Event::TestPair(..) => at,
                _ => heard.next_test[at + 1],
            };
        }
        for place in atlas.places() {
            for unit in place.units() {
                let unit = *unit as usize;
                if heard.homes.len() <= unit {
                    heard.homes.resize(unit + 1, None);
                }
                heard.homes[unit].get_or_insert(place.region);
            }
        }
        for (at, event) in events.iter().enumerate() {
            match *event {
                Event::Visit(region) if atlas.place(region).is_some_and(is_one) => {
                    heard.visits.entry(region).or_default().push(at);
                }
                Event::TestPair(a, b) => {
                    if let (Some(a), Some(b)) = (heard.home(a), heard.home(b))
                        && a == b
                    {
                        heard.own_tests.entry(a).or_insert(at);
                    }
                }
                _ => {}
            }
        }
        heard
    }

    fn is(&self, region: RegionId, role: Role) -> bool {
        let place = self.atlas.place(region);
        place.is_some_and(|place| place.role == role)
    }

    fn home(&self, unit: UnitId) -> Option<RegionId> {
        self.homes.get(unit as usize).copied().flatten()
    }

    /// With which event the turn of each region begins.
    fn begins(&self, alone: Alone) -> HashMap<RegionId, usize> {
        let is_its_own = |visit: &&usize| self.lookers.of(**visit).is_none();
        let begin = |region: RegionId, visits: &[usize]| match self.own_tests.get(&region) {
            _ if self.lookers.are_told() => visits.iter().find(is_its_own).copied(),
            Some(test) => {
                let before = visits.partition_point(|visit| visit < test);
                Some(visits[before.checked_sub(1)?])
            }
            None => self.begin_alone(region, visits, alone),
        };
        let visits = self.visits.iter();
        let begins = visits.filter_map(|(region, visits)| Some((*region, begin(*region, visits)?)));
        begins.collect()
    }

    /// The same of a region in which no two are compared.
    fn begin_alone(&self, region: RegionId, visits: &[usize], alone: Alone) -> Option<usize> {
        let is_of = |unit: UnitId| self.home(unit) == Some(region);
        let has_test = |event: &Event| match *event {
            Event::TestPair(a, b) => Some(is_of(a) || is_of(b)),
            _ => None,
        };
        // Right behind a visit by another one it is compared with that.
        let is_looked_at = |visit: usize| {
            let behind = self.events[visit + 1..].iter();
            let mut behind =
                behind.take_while(|event| !matches!(event, Event::Visit(_) | Event::Prune(_)));
            behind.any(|event| has_test(event) == Some(true))
        };
        match alone {
            Alone::Last => visits.last().copied().filter(|visit| !is_looked_at(*visit)),
            Alone::Looking => visits.iter().rev().copied().find(|visit| {
                let next = self.events.get(self.next_test[visit + 1]);
                next.and_then(has_test) == Some(true) && !is_looked_at(*visit)
            }),
        }
    }
}

/// Whether a region may have a turn.
fn is_one(place: &Place) -> bool {
    matches!(place.role, Role::Leaf | Role::Cell) && place.load > 0
}

impl Turns {
    /// The turns of a search of which these are all events, if it goes by turns.
    pub fn of(
        atlas: &Atlas,
        events: &[Event],
        lookers: Lookers<'_>,
        is_pair: &dyn Fn(Pair) -> bool,
    ) -> Option<Self> {
        let heard = Heard::new(atlas, events, lookers);
        [Alone::Last, Alone::Looking].into_iter().find_map(|alone| {
            let begins = heard.begins(alone);
            let owners = owners(&heard, &begins)?;
            Some(Self::summed_up(&heard, owners, begins, is_pair))
        })
    }

    fn summed_up(
        heard: &Heard<'_>,
        owners: Vec<Option<RegionId>>,
        begins: HashMap<RegionId, usize>,
        is_pair: &dyn Fn(Pair) -> bool,
    ) -> Self {
        let mut accounts: HashMap<RegionId, Account> = HashMap::new();
        let (mut met, mut looked, mut came) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut looks_back = false;
        for (at, (event, owner)) in heard.events.iter().zip(&owners).enumerate() {
            if let Event::Prune(region) = *event
                && let Some(looker) = heard.lookers.of(at)
                && [region, looker].iter().all(|it| heard.is(*it, Role::Leaf))
            {
                accounts.entry(looker).or_default().left_out.push(region);
                accounts.entry(region).or_default().left_out_by.push(looker);
            }
            let Some(owner) = *owner else { continue };
            if let Event::Visit(region) = *event
                && heard.is(region, Role::Leaf)
            {
                let other = Some(region).filter(|region| *region != owner);
                if let Some(other) = other.or(heard.lookers.of(at))
                    && came.insert((owner, other))
                {
                    accounts.entry(owner).or_default().visited.push(other);
                    accounts.entry(other).or_default().visited_by.push(owner);
                }
            }
            // Who looks at another one: a cell by coming to it, a leaf by a comparison, for what it comes to may be far down.
            let other = match *event {
                Event::TestPair(a, b) => {
                    let account = accounts.entry(owner).or_default();
                    let ends = [heard.home(a), heard.home(b)];
                    let other = ends.into_iter().find(|end| *end != Some(owner));
                    let sum = match other {
                        None => &mut account.own,
                        Some(_) => &mut account.across,
                    };
                    *sum = (sum.0 + 1, sum.1 + u64::from(is_pair((a, b))));
                    let other = other.flatten();
                    if let Some(other) = other
                        && met.insert((owner, other))
                    {
                        account.partners.push(other);
                    }
                    other
                }
                Event::Visit(region) | Event::Prune(region) if region != owner => {
                    heard.is(region, Role::Cell).then_some(region)
                }
                _ => None,
            };
            if let Some(other) = other
                && looked.insert((owner, other))
            {
                let account = accounts.entry(owner).or_default();
                account.looks += 1;
                if heard.is(other, Role::Cell) {
                    account.looks_at.push(other);
                }
                looks_back |= looked.contains(&(other, owner));
                if begins.get(&other).is_some_and(|begin| at < *begin) {
                    accounts.entry(other).or_default().looked.push(owner);
                }
            }
        }
        Self {
            owners,
            begins,
            accounts,
            looks_back,
        }
    }

    /// In whose turn an event happens, where that is known.
    pub fn owner(&self, at: usize) -> Option<RegionId> {
        self.owners.get(at).copied().flatten()
    }

    /// Whether the turn of a region begins with this event.
    pub fn begins_with(&self, region: RegionId, at: usize) -> bool {
        self.begins.get(&region) == Some(&at)
    }

    /// Whether a region has its turn behind that of another one.
    pub fn begins_behind(&self, region: RegionId, other: RegionId) -> bool {
        self.begins.get(&region) > self.begins.get(&other)
    }

    /// Whether it is known when a region has its turn.
    pub fn has(&self, region: RegionId) -> bool {
        self.begins.contains_key(&region)
    }

    /// Who has looked at each region when that has its turn, where somebody has.
    pub fn looked(&self) -> impl Iterator<Item = (RegionId, &[RegionId])> {
        let looked = self.accounts.iter();
        let looked = looked.map(|(region, account)| (*region, account.looked.as_slice()));
        looked.filter(|(_, looked)| !looked.is_empty())
    }

    /// What a region does in its turn.
    pub fn account(&self, region: RegionId) -> Option<&Account> {
        self.accounts.get(&region)
    }
}

/// In whose turn each event happens; nothing where a comparison is in the turn of neither of the two.
fn owners(heard: &Heard<'_>, begins: &HashMap<RegionId, usize>) -> Option<Vec<Option<RegionId>>> {
    // Cells have one turn after the other; leaves at least no turn before that of whoever comes first.
    let of_leaves = || {
        let mut visited = heard.visits.keys();
        visited.all(|region| heard.is(*region, Role::Leaf))
    };
    match heard.lookers.are_told() {
        true if of_leaves() => back_and_forth(heard, begins, true),
        // Cells that lie in one row may have theirs together.
        true => in_a_row(heard, begins).or_else(|| back_and_forth(heard, begins, false)),
        false => in_a_row(heard, begins),
    }
}

/// Of a search in which all that happens is in the turn that has begun last.
fn in_a_row(heard: &Heard<'_>, begins: &HashMap<RegionId, usize>) -> Option<Vec<Option<RegionId>>> {
    let mut owners = Vec::with_capacity(heard.events.len());
    let mut now: Option<RegionId> = None;
    // On the way from leaf to leaf it is nobody's turn.
    let mut is_on_its_way = true;
    for (at, event) in heard.events.iter().enumerate() {
        let is_cell = |region: RegionId| heard.is(region, Role::Cell);
        owners.push(match *event {
            Event::Visit(region) if begins.get(&region) == Some(&at) => {
                (now, is_on_its_way) = (Some(region), false);
                now
            }
            Event::Visit(region) if heard.visits.contains_key(&region) => {
                now.filter(|_| !is_on_its_way)
            }
            Event::Visit(_) => {
                is_on_its_way = true;
                None
            }
            Event::Prune(region) => now.filter(|_| !is_on_its_way && is_cell(region)),
            Event::TestPair(a, b) => {
                let ends = [heard.home(a), heard.home(b)];
                let is_its = now.is_some() && ends.contains(&now);
                // Bodies that no region holds are compared with each other in nobody's turn.
                let is_nobodys =
                    ends[0] == ends[1] && ends[0].is_none_or(|it| !begins.contains_key(&it));
                match (is_its, is_nobodys) {
                    (true, _) => now,
                    (false, true) => None,
                    (false, false) => return None,
                }
            }
            Event::HitPair(..) | Event::Work(_) => owners.last().copied().flatten(),
            _ => None,
        });
    }
    Some(owners)
}

/// Of a search that comes back to turns and says who looks: each comparison lies behind the beginning of one turn, and where they `come_one_by_one`
/// before that of the other, and is of the one that came first; so is each visit of the one on behalf of the other.
fn back_and_forth(
    heard: &Heard<'_>,
    begins: &HashMap<RegionId, usize>,
    come_one_by_one: bool,
) -> Option<Vec<Option<RegionId>>> {
    let first_of = |a: RegionId, b: RegionId| {
        let (begin_a, begin_b) = (*begins.get(&a)?, *begins.get(&b)?);
        match begin_a <= begin_b {
            true => Some((a, begin_a, begin_b)),
            false => Some((b, begin_b, begin_a)),
        }
    };
    let mut owners = vec![None; heard.events.len()];
    for (at, event) in heard.events.iter().enumerate() {
        match *event {
            Event::Visit(region) if heard.visits.contains_key(&region) => {
                owners[at] = match heard.lookers.of(at) {
                    None => Some(region),
                    Some(looker) => first_of(region, looker).map(|(owner, ..)| owner),
                };
            }
            Event::TestPair(a, b) => {
                let (a, b) = (heard.home(a)?, heard.home(b)?);
                let (owner, first, second) = first_of(a, b)?;
                if first > at || (come_one_by_one && a != b && second < at) {
                    return None;
                }
                owners[at] = Some(owner);
            }
            Event::HitPair(..) | Event::Work(_) if at > 0 => owners[at] = owners[at - 1],
            _ => {}
        }
    }
    Some(owners)
}
