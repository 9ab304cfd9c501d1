//! The regions of a structure at one moment, and who is in them.
//!
//! A structure tells of its regions in its picture: outline, load, who is above whom. Who is *in* a region it is asked by its own
//! search, under a probe: a way so wide that it holds everybody, and that takes nobody without a test, is told region by region
//! and unit by unit.

use crate::geometry::{Aabb, Segment, Vec2};
use crate::partition::{
    AnyPartition, Bodies, COORDINATE_LIMIT, Fact, Placement, Region, RegionId, RegionQuery, Role,
    Shape, UnitId, called,
};
use crate::probe::{Abandoned, Cancel, Counter, Event, Listening, Trace};
use std::borrow::Cow;
use std::collections::HashMap;

/// An outline that is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A box.
    Rect(Aabb),
    /// A convex polygon, its corners in order.
    Convex(Vec<Vec2>),
    /// A line from point to point.
    Line(Vec2, Vec2),
}

/// A region of a structure, as a story names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The id that events name.
    pub region: RegionId,
    /// Where it is.
    pub outline: Outline,
    /// The box around the outline.
    pub bounds: Aabb,
    /// From which height to which it reaches, in space; `None` on a plane.
    pub heights: Option<[f32; 2]>,
    /// Its distance from the root.
    pub depth: u16,
    /// How many units it holds itself.
    pub load: u32,
    /// How many units it and all regions below it hold.
    pub below: u64,
    /// How many it may hold before it splits; 0 where there is no such number.
    pub capacity: u32,
    /// What it is.
    pub role: Role,
    /// The region above it.
    pub parent: Option<RegionId>,
    /// The regions right below it.
    pub(super) parts: Vec<RegionId>,
    /// The units that it holds itself, where that could be found out: else nobody.
    pub(super) units: Vec<UnitId>,
    /// The box around the bodies of all units in it and below it, where it is known who they are.
    pub(super) tight: Option<Aabb>,
    /// Of a node or leaf of a tree that decides by where its parts lie, and not by whom they hold: its outline, with room for the
    /// bodies whose middles are in it.
    pub(super) reach_box: Option<Aabb>,
    /// By what it is called, where that is not its number.
    called: Option<Box<str>>,
}

/// What the box around the bodies in a region is called.
pub(super) const TIGHT: &str = "the box around whom it holds";

impl Place {
    /// By what it is called behind the [word](Place::noun) for what it is: a cell by its column and row, everything else by its number.
    pub fn called(&self) -> Cow<'_, str> {
        match &self.called {
            Some(called) => Cow::Borrowed(called),
            None => Cow::Owned(self.region.to_string()),
        }
    }

    /// What it is called.
    pub fn name(&self) -> String {
        format!("{} {}", self.noun(), self.called())
    }

    /// The word for what it is.
    pub fn noun(&self) -> &'static str {
        match (self.role, &self.outline) {
            (Role::Slot, Outline::Line(..)) => "list",
            (Role::Inner, _) => "node",
            (Role::Leaf, _) => "leaf",
            (Role::Cell | Role::Oversize, _) => "cell",
            (Role::Slot, _) => "strip",
        }
    }

    /// The box by which it is said to be near or far, and what that is called: its outline where that is a box, else the box
    /// around the bodies of whom it holds, for a slanting room comes nearer at its corners than anybody in it.
    pub(super) fn edge(&self) -> Option<(&'static str, Aabb)> {
        match (&self.outline, self.role) {
            (Outline::Rect(bounds), Role::Inner | Role::Leaf) => Some(("its box", *bounds)),
            (Outline::Rect(bounds), Role::Cell) => Some(("its cell", *bounds)),
            (Outline::Rect(bounds), Role::Slot) => Some(("its strip", *bounds)),
            _ => self.tight.map(|tight| (TIGHT, tight)),
        }
    }

    /// The box by which a search decides whether to look into it, where that is known and another one than its outline: around the
    /// bodies of whom it holds, in it and below it, or its outline with room for the bodies that reach over it.
    pub fn tight(&self) -> Option<Aabb> {
        let tight = self.reach_box.or(self.tight)?;
        (self.outline != Outline::Rect(tight)).then_some(tight)
    }

    /// The box by which two regions are held to be near each other or not, and what that is called.
    pub(super) fn held_by(&self) -> Option<(&'static str, Aabb)> {
        let reach_box = self.reach_box.map(|bounds| ("its box", bounds));
        reach_box.or_else(|| self.edge())
    }

    /// Whether bodies whose middles are in it reach over its outline, and are taken into account there.
    pub(super) fn has_room(&self) -> bool {
        let outline = |bounds| self.outline == Outline::Rect(bounds);
        self.reach_box.is_some_and(|bounds| !outline(bounds))
    }

    /// The box around the bodies of whom it holds, where that is another one than its [edge](Place::edge) and searches decide by it.
    pub(super) fn inner_edge(&self) -> Option<Aabb> {
        match self.outline {
            Outline::Rect(_) if self.reach_box.is_none() => self.tight,
            _ => None,
        }
    }

    /// The regions right below it, in the order of the picture.
    pub fn parts(&self) -> &[RegionId] {
        &self.parts
    }

    /// The units that it holds itself, where that could be found out: else nobody.
    pub fn units(&self) -> &[UnitId] {
        &self.units
    }

    /// Whether it covers the very same as another one.
    pub(super) fn covers_what(&self, other: &Self) -> bool {
        self.outline == other.outline && self.heights == other.heights
    }

    /// Whether there are regions below it.
    pub(super) fn is_inner(&self) -> bool {
        self.role == Role::Inner
    }
}

/// All regions of a structure at one moment.
#[derive(Clone, Debug, Default)]
pub struct Atlas {
    /// Every region before those below it.
    places: Vec<Place>,
    by_region: HashMap<RegionId, usize>,
    /// The region that holds a unit itself, where that is known: the first of several.
    homes: HashMap<UnitId, RegionId>,
    /// How many units there are.
    count: u64,
}

/// Regions that were entered one after the other, and the units that were tested then.
type Burst = (Vec<RegionId>, Vec<UnitId>);

/// A box by which one that is the same is found.
pub(super) fn bits(of: Aabb) -> [u32; 4] {
    // Zero has two signs.
    [of.min.x, of.min.y, of.max.x, of.max.y].map(|border| (border + 0.0).to_bits())
}

/// The bursts of a search.
fn bursts_of(events: &[Event]) -> Vec<Burst> {
    let mut bursts: Vec<Burst> = Vec::new();
    for event in events {
        match *event {
            Event::Visit(region) => match bursts.last_mut() {
                Some((regions, units)) if units.is_empty() => regions.push(region),
                _ => bursts.push((vec![region], Vec::new())),
            },
            Event::Test(unit) => {
                if let Some((_, units)) = bursts.last_mut() {
                    units.push(unit);
                }
            }
            _ => {}
        }
    }
    bursts
}

/// What is told by a search that tests everybody, of which it is known by that who is in which region.
pub(super) fn census(
    cancel: &Cancel,
    search: impl FnOnce(&mut Listening<'_>),
) -> Result<Vec<Event>, Abandoned> {
    let mut census = (Trace::with_cap(usize::MAX), Counter::default());
    Cancel::attempt(|| search(&mut Listening::new(&mut census, cancel)))?;
    Ok(census.0.into_events())
}

impl Atlas {
    /// The regions of `index`, which is up to date with `bodies`.
    pub fn of(
        index: &AnyPartition,
        bodies: Bodies<'_>,
        cancel: &Cancel,
    ) -> Result<Self, Abandoned> {
        let mut atlas = Self::default();
        let query = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        index.regions(query, &mut |region| atlas.add(region, Vec::new()));
        atlas.call_cells(cancel, |region, say| index.facts(bodies, region, say))?;
        atlas.count = bodies.count() as u64;
        let everybody = Segment {
            from: Vec2::ZERO,
            to: Vec2::ZERO,
            half_width: 4.0 * COORDINATE_LIMIT,
        };
        let census = census(cancel, |probe| {
            let nobody: &mut dyn FnMut(UnitId) = &mut |_| {};
            index.segment(bodies, everybody, probe, nobody);
        })?;
        atlas.find_units(&census, &|unit| bodies.aabb(unit));
        atlas.sum_up(&|unit| bodies.aabb(unit));
        atlas.find_reach_boxes(index.info().placement, &|unit| bodies.half_extent(unit));
        for place in &mut atlas.places {
            if let Some(bounds) = index.tight_box(place.region) {
                place.tight = Some(bounds).filter(|bounds| !bounds.is_empty());
                place.reach_box = None;
            }
        }
        Ok(atlas)
    }

    /// The regions of something that is no partition, each behind the one above it and with the units that it holds itself.
    /// There are `count` units in all, and `body` is the box of one.
    ///
    /// A region may be an inverted box: an intersection in which nothing lies. Its corners stay as they are.
    pub fn of_regions<'r>(
        regions: impl IntoIterator<Item = (Region<'r>, Vec<UnitId>)>,
        count: u64,
        body: &dyn Fn(UnitId) -> Aabb,
    ) -> Self {
        let mut atlas = Self {
            count,
            ..Self::default()
        };
        for (region, units) in regions {
            for unit in &units {
                atlas.homes.entry(*unit).or_insert(region.id);
            }
            atlas.add(region, units);
        }
        atlas.sum_up(body);
        atlas
    }

    /// The regions of a structure in space, by what they cover of the ground, each with the heights from which to which it reaches.
    /// Where there has been a [census] of them, it is found out who is in which.
    pub(super) fn of_space(
        regions: &[(Region<'static>, [f32; 2])],
        count: u64,
        census: &[Event],
        body: &dyn Fn(UnitId) -> Aabb,
    ) -> Self {
        let mut atlas = Self {
            count,
            ..Self::default()
        };
        for (region, heights) in regions {
            let number = atlas.places.len();
            atlas.add(*region, Vec::new());
            atlas.places[number].heights = Some(*heights);
        }
        atlas.find_units(census, body);
        atlas.sum_up(body);
        atlas
    }

    /// Puts a region behind all others.
    fn add(&mut self, region: Region<'_>, units: Vec<UnitId>) {
        let (outline, bounds) = match region.shape {
            Shape::Rect(bounds) => (Outline::Rect(bounds), bounds),
            Shape::Convex(corners) => (
                Outline::Convex(corners.to_vec()),
                Aabb::of_points(corners.iter().copied()),
            ),
            Shape::Line(from, to) => (Outline::Line(from, to), Aabb::of_points([from, to])),
        };
        // The list of the oversize is told as one more of the cells or strips, all of which come before it.
        let role = match region.role {
            Role::Oversize => self.places.first().map_or(Role::Cell, |it| it.role),
            role => role,
        };
        self.by_region.insert(region.id, self.places.len());
        self.places.push(Place {
            region: region.id,
            outline,
            bounds,
            heights: None,
            depth: region.depth,
            load: region.load,
            below: region.load.into(),
            capacity: region.capacity,
            role,
            parent: region.parent,
            parts: Vec::new(),
            units,
            tight: None,
            reach_box: None,
            called: None,
        });
    }

    /// Calls cells by what their facts say of where they are.
    pub(super) fn call_cells(
        &mut self,
        cancel: &Cancel,
        ask: impl Fn(RegionId, &mut dyn FnMut(Fact)),
    ) -> Result<(), Abandoned> {
        /// So many are asked before somebody may end it again.
        const IN_A_ROW: usize = 1024;
        let mut facts = Vec::new();
        let cells = self.places.iter_mut().filter(|it| it.role == Role::Cell);
        for (number, place) in cells.enumerate() {
            if number.is_multiple_of(IN_A_ROW) {
                cancel.check()?;
            }
            facts.clear();
            ask(place.region, &mut |fact| facts.push(fact));
            let called = called(place.region, &facts);
            place.called = Some(called.into());
        }
        Ok(())
    }

    /// Finds out who is in which region from a [census]. Regions that are entered together hand out their units in the order of
    /// the regions.
    fn find_units(&mut self, census: &[Event], body: &dyn Fn(UnitId) -> Aabb) {
        let mut others = Vec::new();
        for (regions, units) in &bursts_of(census) {
            let mut rest = units.as_slice();
            let loads = regions
                .iter()
                .map(|region| self.place(*region).map_or(0, |it| it.load));
            // Fewer than the regions hold: then it is not they who were tested.
            if loads.map(u64::from).sum::<u64>() > rest.len() as u64 {
                continue;
            }
            for region in regions {
                let Some(&number) = self.by_region.get(region) else {
                    continue;
                };
                let place = &mut self.places[number];
                let (own, left) = rest.split_at(place.load as usize);
                rest = left;
                place.units = own.to_vec();
                for unit in own {
                    self.homes.entry(*unit).or_insert(*region);
                }
            }
            others.extend_from_slice(rest);
        }
        if !others.is_empty() {
            self.find_in_leaves(others, body);
        }
    }

    /// Where a leaf is one unit it is not told that it is entered, but its unit is tested with those of a node some levels above
    /// it. The box of such a leaf is its unit's body; of leaves with one and the same box the picture has the lower unit's first.
    fn find_in_leaves(&mut self, mut units: Vec<UnitId>, body: &dyn Fn(UnitId) -> Aabb) {
        let mut leaves: HashMap<[u32; 4], Vec<usize>> = HashMap::new();
        for (number, place) in self.places.iter().enumerate().rev() {
            if place.role == Role::Leaf && place.load == 1 && place.units.is_empty() {
                leaves.entry(bits(place.bounds)).or_default().push(number);
            }
        }
        units.sort_unstable();
        units.dedup();
        for unit in units {
            let leaf = leaves.get_mut(&bits(body(unit))).and_then(Vec::pop);
            if let Some(number) = leaf {
                let place = &mut self.places[number];
                place.units = vec![unit];
                self.homes.entry(unit).or_insert(place.region);
            }
        }
    }

    /// Adds up what is below each region.
    fn sum_up(&mut self, body: &dyn Fn(UnitId) -> Aabb) {
        for number in (0..self.places.len()).rev() {
            let place = &self.places[number];
            let own = place.units.iter().map(|unit| body(*unit));
            let own = own.fold(Aabb::EMPTY, Aabb::join);
            let is_known = place.units.len() == place.load as usize;
            let (mut below, mut tight) = (u64::from(place.load), is_known.then_some(own));
            for part in &place.parts {
                if let Some(part) = self.place(*part) {
                    below += part.below;
                    if part.below > 0 {
                        tight = tight.zip(part.tight).map(|(a, b)| a.join(b));
                    }
                }
            }
            let (region, parent) = (place.region, place.parent);
            let place = &mut self.places[number];
            // Around nobody there is no box.
            (place.below, place.tight) = (below, tight.filter(|_| below > 0));
            place.parts.reverse();
            if let Some(above) = parent.and_then(|parent| self.by_region.get(&parent)) {
                self.places[*above].parts.push(region);
            }
        }
    }

    /// Finds the boxes by which a tree decides whose parts are told apart by where they lie.
    fn find_reach_boxes(&mut self, placement: Placement, half_extent: &dyn Fn(UnitId) -> Vec2) {
        let grows = match placement {
            Placement::Center => true,
            Placement::Straddle => false,
            _ => return,
        };
        let mut largest = vec![Vec2::ZERO; self.places.len()];
        for number in (0..self.places.len()).rev() {
            let place = &self.places[number];
            if !matches!(place.role, Role::Inner | Role::Leaf) {
                continue;
            }
            let own = place.units.iter().map(|unit| half_extent(*unit));
            let own = own.fold(largest[number], Vec2::max);
            let above = place.parent.and_then(|it| self.by_region.get(&it));
            if let Some(above) = above.copied() {
                largest[above] = largest[above].max(own);
            }
            if let Outline::Rect(bounds) = place.outline {
                let reach_box = if grows { bounds.grown(own) } else { bounds };
                self.places[number].reach_box = Some(reach_box);
            }
        }
    }

    /// All regions, each before those below it.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// How many units there are.
    pub fn unit_count(&self) -> u64 {
        self.count
    }

    /// How many units there are, if every one of them is in a region of the picture.
    pub fn whole(&self) -> Option<u64> {
        let roots = self.places.iter().filter(|place| place.parent.is_none());
        let sum: u64 = roots.map(|place| place.below).sum();
        Some(self.count).filter(|count| sum == *count)
    }

    /// Where the region with this id is among all.
    pub fn number(&self, region: RegionId) -> Option<usize> {
        self.by_region.get(&region).copied()
    }

    /// The region with this id.
    pub fn place(&self, region: RegionId) -> Option<&Place> {
        self.by_region
            .get(&region)
            .map(|number| &self.places[*number])
    }

    /// The region that holds a unit itself.
    pub fn home(&self, unit: UnitId) -> Option<&Place> {
        self.homes.get(&unit).and_then(|region| self.place(*region))
    }

    /// The regions from one up to its root, itself the first.
    pub fn upwards(&self, region: RegionId) -> impl Iterator<Item = &Place> + Clone {
        std::iter::successors(self.place(region), |place| {
            place.parent.and_then(|parent| self.place(parent))
        })
    }

    /// The units that are known to be in a region or below it, region by region.
    pub(super) fn units_below(&self, place: &Place) -> Vec<UnitId> {
        let mut units = place.units.clone();
        let mut stack = place.parts.clone();
        while let Some(part) = stack.pop().and_then(|part| self.place(part)) {
            units.extend_from_slice(&part.units);
            stack.extend_from_slice(&part.parts);
        }
        units
    }

    /// Whether one region is another one or above it.
    pub fn is_above(&self, above: RegionId, region: RegionId) -> bool {
        self.upwards(region).any(|place| place.region == above)
    }

    /// The least of what `distance` says of the units in a region and below it, and whose it is; nobody where it is not known
    /// who they are.
    pub fn nearest_of(
        &self,
        place: &Place,
        distance: &dyn Fn(UnitId) -> f64,
    ) -> Option<(f64, UnitId)> {
        place.tight?;
        let own = place.units.iter().map(|unit| (distance(*unit), *unit));
        let parts = place.parts.iter().filter_map(|part| {
            self.place(*part)
                .and_then(|part| self.nearest_of(part, distance))
        });
        own.chain(parts).min_by(|a, b| a.0.total_cmp(&b.0))
    }
}
