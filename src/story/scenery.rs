//! What every teller knows: the units, the regions, and how the structure places bodies.

use super::atlas::{Atlas, Place};
use super::region_of;
use super::words::{are, count, metres, units, units_are};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{AnyPartition, Bodies, Info, Kind, Placement, RegionId, Role, UnitId};
use crate::probe::{Abandoned, Cancel, Event, Work};
use std::collections::HashMap;
use std::fmt::Display;

/// The units and regions of one moment.
pub struct Scenery<'a> {
    /// The units.
    pub bodies: Bodies<'a>,
    /// The regions, and who is in them.
    pub atlas: &'a Atlas,
    info: &'static Info,
    /// How far a body reaches from its centre at the most.
    widest: f64,
    addresses: Addresses,
    codes: Codes,
    branches: Addresses,
    side_by_side: Option<usize>,
    nearest_part_first: bool,
    /// Whether there were more events than are told.
    is_cut: bool,
}

/// The address of each unit that is told of, where it has one.
pub type Codes = HashMap<UnitId, String>;

/// The addresses of the units that a search tests or finds.
pub fn codes_told(
    events: &[Event],
    index: &AnyPartition,
    bodies: Bodies<'_>,
    cancel: &Cancel,
) -> Result<Codes, Abandoned> {
    let mut codes = Codes::new();
    for unit in events.iter().flat_map(|event| units_of(*event)).flatten() {
        if codes.contains_key(&unit) {
            continue;
        }
        if codes.len().is_multiple_of(IN_A_ROW) {
            cancel.check()?;
        }
        // Where the first has none, none has one.
        let Some(code) = index.address(bodies, unit) else {
            break;
        };
        codes.insert(unit, code);
    }
    Ok(codes)
}

/// The units that are tested or found in an event.
fn units_of(event: Event) -> [Option<UnitId>; 2] {
    match event {
        Event::Test(unit) | Event::Hit(unit) => [Some(unit), None],
        Event::TestPair(a, b) | Event::HitPair(a, b) => [Some(a), Some(b)],
        _ => [None; 2],
    }
}

/// Which addresses are below a region, of regions that have any: the bits that all of them share, a dot for each other one.
pub type Addresses = HashMap<RegionId, String>;

/// What a fact of a region is called that says which addresses are below it.
const ADDRESS: &str = "address";

/// The addresses of the region that holds a unit itself, and of those above it.
pub fn addresses_of(
    unit: Option<UnitId>,
    index: &AnyPartition,
    bodies: Bodies<'_>,
    atlas: &Atlas,
) -> Addresses {
    let mut addresses = Addresses::new();
    let home = unit.and_then(|unit| atlas.home(unit));
    for place in home.into_iter().flat_map(|home| atlas.upwards(home.region)) {
        index.facts(bodies, place.region, &mut |fact| {
            if fact.name == ADDRESS {
                addresses.insert(place.region, fact.value);
            }
        });
    }
    addresses
}

/// So many regions are asked for what is known of them before somebody may end it again.
const IN_A_ROW: usize = 1024;

/// The addresses of the regions that events name.
pub fn addresses_told(
    events: &[Event],
    index: &AnyPartition,
    bodies: Bodies<'_>,
    atlas: &Atlas,
    cancel: &Cancel,
) -> Result<Addresses, Abandoned> {
    let mut addresses = Addresses::new();
    let regions = events.iter().filter_map(|event| region_of(*event));
    for region in regions.filter(|region| atlas.place(*region).is_some()) {
        if addresses.contains_key(&region) {
            continue;
        }
        if addresses.len().is_multiple_of(IN_A_ROW) {
            cancel.check()?;
        }
        index.facts(bodies, region, &mut |fact| {
            if fact.name == ADDRESS {
                addresses.insert(region, fact.value);
            }
        });
        // Where the first has none, none has one.
        if addresses.is_empty() {
            break;
        }
    }
    Ok(addresses)
}

/// What a fact of a node is called that says in which bit the addresses below it part.
const BRANCH: &str = "branch bit";

/// In which bit the addresses below each node part, of a structure that has addresses.
pub fn branches_of(
    index: &AnyPartition,
    bodies: Bodies<'_>,
    atlas: &Atlas,
    cancel: &Cancel,
) -> Result<Addresses, Abandoned> {
    let mut branches = Addresses::new();
    let mut nodes = atlas.places().iter().filter(|place| place.is_inner());
    let mut look = |place: &Place| {
        index.facts(bodies, place.region, &mut |fact| {
            if fact.name == BRANCH {
                branches.insert(place.region, fact.value);
            }
        });
        !branches.is_empty()
    };
    // Where the first has none, none has one.
    if nodes.next().is_some_and(&mut look) {
        for (number, place) in nodes.enumerate() {
            if number.is_multiple_of(IN_A_ROW) {
                cancel.check()?;
            }
            look(place);
        }
    }
    Ok(branches)
}

/// The same of the nodes alone that an edit makes.
pub fn branches_of_splits(events: &[Event], index: &AnyPartition, bodies: Bodies<'_>) -> Addresses {
    let mut branches = Addresses::new();
    for event in events {
        if let Event::Split(region) = *event {
            index.facts(bodies, region, &mut |fact| {
                if fact.name == BRANCH {
                    branches.insert(region, fact.value);
                }
            });
        }
    }
    branches
}

impl<'a> Scenery<'a> {
    /// All that is known of a structure at one moment.
    pub fn new(bodies: Bodies<'a>, atlas: &'a Atlas, info: &'static Info) -> Self {
        let half_extents = bodies.ids().map(|unit| bodies.half_extent(unit));
        let widest = half_extents.fold(Vec2::ZERO, Vec2::max).as_dvec2().length();
        Self {
            bodies,
            atlas,
            info,
            widest,
            addresses: Addresses::new(),
            codes: Codes::new(),
            branches: Addresses::new(),
            side_by_side: None,
            nearest_part_first: false,
            is_cut: false,
        }
    }

    /// The same of a structure of this kind, whose searches go through the parts of a node as that has it.
    pub fn with_kind(self, kind: Kind) -> Self {
        Self {
            side_by_side: kind.side_by_side(),
            nearest_part_first: kind.nearest_part_first(),
            ..self
        }
    }

    /// The same of an operation that had more events than are told, or not: nothing is said that those could make untrue.
    pub fn with_cut(self, is_cut: bool) -> Self {
        Self { is_cut, ..self }
    }

    /// Of how many there are in all, behind a number among them; nothing where there may be more behind the cut.
    pub fn of_all(&self, all: impl Display) -> String {
        match self.is_cut {
            true => String::new(),
            false => format!(" of {all}"),
        }
    }

    /// Whether there were more events than are told.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether a search for the nearest goes on, at each node, with the nearest of its parts.
    pub fn is_nearest_part_first(&self) -> bool {
        self.nearest_part_first
    }

    /// The same, with what is known of the addresses in regions and of those of units.
    pub fn with_addresses(self, addresses: Addresses, codes: Codes) -> Self {
        Self {
            addresses,
            codes,
            ..self
        }
    }

    /// The address of a unit, where that is known.
    pub fn code(&self, unit: UnitId) -> Option<&str> {
        self.codes.get(&unit).map(String::as_str)
    }

    /// The addresses of those who are tested or found in an event, in a sentence; nothing where they have none.
    pub fn codes_of(&self, event: Event) -> String {
        match units_of(event).map(|unit| self.code(unit?)) {
            [Some(code), None] => format!(" Its address is {code}."),
            [Some(a), Some(b)] if a == b => format!(" Both have the address {a}."),
            [Some(a), Some(b)] => format!(" Their addresses are {a} and {b}."),
            [None, _] => String::new(),
        }
    }

    /// The same, with what is known of where addresses part.
    pub fn with_branches(self, branches: Addresses) -> Self {
        Self { branches, ..self }
    }

    /// In which bit the addresses below a node part, where that is known.
    pub fn branch(&self, region: RegionId) -> Option<&str> {
        self.branches.get(&region).map(String::as_str)
    }

    /// Which addresses are below a region, where that is known.
    pub fn address(&self, region: RegionId) -> Option<&str> {
        self.addresses.get(&region).map(String::as_str)
    }

    /// With which bits the addresses in a region and below it begin, in a sentence; nothing where that is not known.
    pub fn begins_with(&self, place: &Place) -> String {
        let Some(address) = self.address(place.region) else {
            return String::new();
        };
        let is_open = |it: char| !it.is_ascii_digit() && it != ' ';
        let Some((bits, _)) = address.split_once(is_open) else {
            return match place.below {
                1 => format!(" Its address is {address}."),
                _ => format!(" All addresses in it are {address}."),
            };
        };
        match (bits.trim_end(), place.is_inner()) {
            ("", true) => " The addresses below it begin with different bits.".to_owned(),
            ("", false) => " The addresses in it begin with different bits.".to_owned(),
            (bits, true) => format!(" All addresses below it begin with {bits}."),
            (bits, false) => format!(" All addresses in it begin with {bits}."),
        }
    }

    /// That a leaf is all that there is of its tree; nothing of any other region.
    pub fn is_all(&self, place: &Place) -> String {
        let is_leaf = place.role == Role::Leaf && self.atlas.places().len() == 1;
        if !is_leaf {
            return String::new();
        }
        match place.capacity {
            // Somebody may be in it who does not count, or it is as deep as a leaf may be.
            capacity if place.load > capacity => {
                " The tree has no other node: it is this leaf alone.".to_owned()
            }
            0 => " The tree has no other node: it is this leaf alone.".to_owned(),
            // When one is split is not the same in all trees, nor by a build and by an edit.
            capacity => format!(" The tree has no other node: a leaf may hold {capacity}."),
        }
    }

    /// How the structure places bodies.
    pub fn placement(&self) -> Placement {
        self.info.placement
    }

    /// How far a body may stick out of the region that holds its centre.
    pub fn sticking_out(&self) -> f64 {
        match self.placement() {
            Placement::Center => self.widest,
            _ => 0.0,
        }
    }

    /// The region of an event.
    pub fn place(&self, region: RegionId) -> Option<&'a Place> {
        self.atlas.place(region)
    }

    /// How many cuts part a region from one above it, or from the root, and on which side of each it lies, the widest first; nothing
    /// where the tree is not one of cuts along the axes, one a level, each between two parts, or the one is not above the other.
    pub fn cuts(&self, place: &Place, from: Option<RegionId>) -> Option<(usize, String)> {
        /// More of them are a list that nobody reads.
        const MOST: usize = 3;
        let mut sides = Vec::new();
        let mut here = place;
        while from != Some(here.region) {
            let Some(above) = here.parent else {
                break;
            };
            let above = self.place(above)?;
            let [one, other] = above.parts[..] else {
                return None;
            };
            let beside = if one == here.region { other } else { one };
            sides.push(side(here.bounds, self.place(beside)?.bounds)?);
            here = above;
        }
        if from.is_some_and(|from| from != here.region) {
            return None;
        }
        let count = sides.len();
        let first: Vec<String> = sides.into_iter().rev().take(MOST).collect();
        let more = match count.saturating_sub(MOST) {
            0 => String::new(),
            1 => ", and one cut more".to_owned(),
            more => format!(", and {more} cuts more"),
        };
        (count > 0).then(|| (count, format!("{}{more}", first.join(", "))))
    }

    /// What follows when a region is entered by a search.
    pub fn entered(&self, place: &Place, events: &[Event], at: usize) -> String {
        let own = u64::from(place.load);
        if !place.is_inner() {
            return self.look(place, Burst::around(self, events, at));
        }
        let visited = self.visited(place, events, at);
        if own > 0 {
            format!(
                "its own {} tested, and what is below it, {}, is {visited}",
                units_are(own),
                count(place.below.saturating_sub(own), "more unit")
            )
        } else {
            format!(
                "what is below it, {} in all, is {visited}",
                units(place.below)
            )
        }
    }

    /// That what is below a region is visited; where units below it are tested in it that they are, and why: no way down to them is seen.
    fn visited(&self, place: &Place, events: &[Event], at: usize) -> String {
        let Some(most) = self.side_by_side else {
            return "visited".to_owned();
        };
        let is_prune = |event: &&Event| matches!(event, Event::Prune(_));
        let is_test = |event: &&Event| matches!(event, Event::Test(_));
        let mut behind = events[at + 1..].iter().skip_while(is_prune).peekable();
        let mut tests = 0;
        while behind.next_if(is_test).is_some() {
            tests += 1;
        }
        let is_open = self.is_cut && behind.peek().is_none();
        let who = match u64::checked_sub(tests, u64::from(place.load)) {
            None | Some(0) => return "visited".to_owned(),
            Some(tests) if tests == place.below => "tested one by one".to_owned(),
            // There may be more of them behind the cut.
            Some(_) if is_open => return "visited".to_owned(),
            Some(tests) => format!("visited, {} of it tested right away", units(tests)),
        };
        format!(
            "{who}, for a node keeps, side by side, up to {most} boxes of what is some levels below it"
        )
    }

    /// That the units of a region are tested, as the tests say that follow.
    fn look(&self, place: &Place, burst: Burst) -> String {
        let load = u64::from(place.load);
        let noun = place.noun();
        // Those who are tested then may be of others that are entered with it, or of none.
        if load == 0 && (burst.is_open || burst.load >= burst.tests) {
            return "it holds 0 units".to_owned();
        }
        if burst.load == burst.tests {
            let one_by_one = if load > 1 { " one by one" } else { "" };
            return format!("its {} tested{one_by_one}", units_are(load));
        }
        let them = if load == 1 { "it" } else { "them" };
        if burst.is_open && burst.load < burst.tests {
            return format!(
                "its {} tested, and behind {them} some that are too large for any {noun}",
                units_are(load)
            );
        }
        if burst.is_open {
            return match load {
                1 => "whether its 1 unit is tested lies behind the cut".to_owned(),
                _ => format!(
                    "how many of its {} are tested lies behind the cut",
                    units(load)
                ),
            };
        }
        if burst.load < burst.tests {
            let more = burst.tests - burst.load;
            return format!(
                "its {} tested, and behind {them} {more} that {} too large for any {noun}",
                units_are(load),
                are(more)
            );
        }
        if burst.regions == 1 {
            return format!(
                "of its {} {} {} tested",
                units(load),
                burst.tests,
                are(burst.tests)
            );
        }
        format!(
            "it is one of {} that hold {} together, of which {} {} tested",
            count(burst.regions, noun),
            units(burst.load),
            burst.tests,
            are(burst.tests)
        )
    }

    /// That a comparison is one of several in a row.
    pub fn compare(&self, events: &[Event], at: usize, what: &str) -> String {
        let is_compare = |event: &&Event| **event == Event::Work(Work::Compare);
        let before = events[..at].iter().rev().take_while(is_compare).count();
        let behind = events[at..].iter().take_while(is_compare).count();
        let all = match self.is_cut && at + behind == events.len() {
            // There may be more of them behind the cut.
            true => String::new(),
            false => format!(" of {}", before + behind),
        };
        format!("Comparison {}{all} in a row: {what}.", before + 1)
    }
}

/// On which side of the cut between them one of two boxes lies; nothing where they do not meet along a line.
fn side(own: Aabb, other: Aabb) -> Option<String> {
    let at = |value: f32| metres(f64::from(value));
    let spans = |axis: fn(Vec2) -> f32| {
        let of = |it: Aabb| [axis(it.min), axis(it.max)];
        (of(own), of(other))
    };
    // The parts of a cut are equally long beside it, and each has some width across it.
    let (x, y) = (spans(|it| it.x), spans(|it| it.y));
    let have_width = |([a, b], [c, d]): ([f32; 2], [f32; 2])| a < b && c < d;
    if y.0 == y.1 && have_width(x) {
        if own.max.x == other.min.x {
            return Some(format!("left of x = {}", at(own.max.x)));
        }
        if own.min.x == other.max.x {
            return Some(format!("right of x = {}", at(own.min.x)));
        }
    } else if x.0 == x.1 && have_width(y) {
        if own.max.y == other.min.y {
            return Some(format!("above y = {}", at(own.max.y)));
        }
        if own.min.y == other.max.y {
            return Some(format!("below y = {}", at(own.min.y)));
        }
    }
    None
}

/// Regions that are entered one after the other and then looked through together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Burst {
    /// How many regions.
    pub regions: u64,
    /// How many units they hold.
    pub load: u64,
    /// How many tests follow.
    pub tests: u64,
    /// Whether events are cut before its end: there may be more tests.
    pub is_open: bool,
}

impl Burst {
    /// The burst to which the visit at a place in the list of events belongs.
    pub fn around(scenery: &Scenery<'_>, events: &[Event], at: usize) -> Self {
        let load_of = |event: &Event| match event {
            Event::Visit(region) => scenery
                .place(*region)
                .filter(|place| !place.is_inner())
                .map(|place| u64::from(place.load)),
            _ => None,
        };
        let before = events[..at].iter().rev().map_while(load_of);
        let mut burst = Self::default();
        for load in before {
            burst.regions += 1;
            burst.load += load;
        }
        let mut rest = events[at..].iter();
        let mut next = rest.next();
        while let Some(load) = next.and_then(load_of) {
            burst.regions += 1;
            burst.load += load;
            next = rest.next();
        }
        while let Some(event) = next {
            match event {
                Event::Test(_) => burst.tests += 1,
                // Between the region and its units its order may be searched.
                Event::Hit(_) | Event::Work(Work::Compare) => {}
                _ => break,
            }
            next = rest.next();
        }
        burst.is_open = scenery.is_cut && next.is_none();
        burst
    }
}
