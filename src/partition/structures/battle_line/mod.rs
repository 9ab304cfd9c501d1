//! The battle line: units sorted along one axis.

use crate::geometry::Aabb;
use crate::partition::knob::settings;
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::toolkit::turn::{turned, turned_box};
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery, Neighbor,
    Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search, Setting,
    UnitId, Violation,
};
use crate::probe::{Event, Probe, Work};
use edit::{Files, Spread};
use sort::Sorter;

mod edit;
mod picture;
mod query;
mod sort;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// Units sorted by one coordinate, as on a battle line: whoever is near stands near in the list.
///
/// # Algorithm
///
/// 1. Choose an axis: the one that is asked for, or the one along which the units are spread more.
/// 2. Keep one entry a unit, its box with it, sorted by the coordinate of its centre along the axis. Three ways to sort:
///    by comparison, O(n log n); by insertion, which costs one swap for each two units that have changed places since the
///    last time and is O(n) while order hardly changes; by pigeonhole, O(n): as many holes as units are laid along the
///    line, each unit is dropped into its hole, and the few that share one are put in order by insertion.
/// 3. A query finds by binary search the first entry whose body could reach it, and goes along the line until entries are
///    past it. Nearest walks outwards from its place in both directions.
/// 4. Pairs: each unit is tested with those that follow it in the list, until they are out of reach along the axis.
///
/// 5. Where few of many change, each entry passes those between its old and its new place.
///
/// Build O(n) by pigeonhole; mass movement sorts the whole line again, a single move passes those between; a query O(log n + units abreast of it); pairs O(n · units
/// abreast within reach), for the other axis does not help at all. Points and boxes: keyed by the centre, queries grow by
/// the largest half extent along the axis ([`Placement::Center`]).
///
/// Limits, so that nothing hangs: insertion gives up after 32 swaps a unit, and a hole with more than 32 units is not
/// sorted by insertion; both go on by comparison.
///
/// Reference: R. Nystrom, *Game Programming Patterns* (2014), "Spatial Partition", the battle line.
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Partition};
/// use skirmish::partition::structures::battle_line::BattleLine;
///
/// // A platformer, long and low: who is on the screen and has to be drawn?
/// let monsters: Vec<Vec2> = (0..100).map(|i| Vec2::new(10.0 * i as f32, 2.0)).collect();
/// let bodies = Bodies::points(&monsters);
/// let mut index = BattleLine::new(Aabb::new(Vec2::ZERO, Vec2::new(1000.0, 10.0)));
/// index.rebuild(bodies, &mut ());
/// let screen = Aabb::new(Vec2::new(500.0, 0.0), Vec2::new(519.0, 10.0));
/// let mut seen = Vec::new();
/// index.range(bodies, screen, &mut (), |monster| seen.push(monster));
/// seen.sort();
/// assert_eq!(seen, [50, 51]);
/// ```
#[derive(Clone, Debug)]
pub struct BattleLine {
    field: Aabb,
    /// The knob `axis`: one of [`AXES`].
    axis_asked: usize,
    /// The knob `sort`: one of [`SORTS`].
    sort: usize,
    /// The axis along which the line runs: 0 for x, 1 for y.
    axis: usize,
    /// The units in the order of the line.
    entries: Vec<Entry>,
    /// The largest half extent along the axis.
    half_extent: f32,
    /// The box around all bodies, turned so that the axis is x.
    bounds: Aabb,
    /// Row of a unit → whether it is in the line; only meaningful while many changes are made.
    present: Vec<bool>,
    sorter: Scratch<Sorter>,
    /// Whether the entries are those of bodies with a size.
    are_sized: bool,
    files: Files,
}

/// A unit in the line. Axes are exchanged where the line runs along y, so that x is always along the line: no predicate
/// on boxes can tell, down to the last bit.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Its box.
    body: Aabb,
    /// The coordinate of its centre along the line.
    key: f32,
    unit: UnitId,
}

const _: () = assert!(size_of::<Entry>() == 24);

/// The slots into which the line is cut for drawing and inspecting; the first and the last reach beyond the field.
const SLOT_COUNT: u32 = 64;

/// With `auto`, the line turns when units are spread so many times as wide along the other axis.
const TURN_RATIO: f64 = 1.25;

/// The values of the knob `axis`.
const AXES: &[&str] = &["x", "y", "auto"];
const AUTO: usize = 2;

/// The values of the knob `sort`.
const SORTS: &[&str] = &["comparison", "insertion", "pigeonhole"];
const INSERTION: usize = 1;
const PIGEONHOLE: usize = 2;

const KNOBS: &[Knob] = &[
    Knob {
        key: "axis",
        name: "axis",
        help: "Along which axis the units are sorted; auto takes the one along which they are spread more.",
        unit: "",
        range: KnobRange::Choice(AXES),
        default: AUTO as f64,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "sort",
        name: "sort",
        help: "How order is restored when units have moved: by comparison, by insertion (cheap while few change places) or by pigeonhole (linear in the units).",
        unit: "",
        range: KnobRange::Choice(SORTS),
        default: PIGEONHOLE as f64,
        picture_only: false,
        acts_on_update: true,
        idle_with: &[],
    },
];

impl BattleLine {
    /// The entry of a unit as it is now.
    #[inline]
    fn entry(&self, bodies: Bodies<'_>, unit: UnitId) -> Entry {
        Entry {
            body: turned_box(self.axis, bodies.aabb(unit)),
            // Adding 0 turns -0 into 0, which is the same place but would be sorted before it.
            key: turned(self.axis, bodies.center(unit)).x + 0.0,
            unit,
        }
    }

    /// Takes over the boxes of all entries as they are now, and what is known of all of them.
    fn refresh(&mut self, bodies: Bodies<'_>) {
        let mut entries = std::mem::take(&mut self.entries);
        (self.half_extent, self.bounds) = (0.0, Aabb::EMPTY);
        self.are_sized = bodies.are_sized();
        self.files.forget();
        for entry in &mut entries {
            *entry = self.entry(bodies, entry.unit);
            let half_extent = turned(self.axis, bodies.half_extent(entry.unit)).x;
            self.half_extent = self.half_extent.max(half_extent);
            self.bounds = self.bounds.join(entry.body);
        }
        self.entries = entries;
    }

    /// Restores order. `is_nearly_sorted` says whether the entries were in order before they moved.
    fn put_in_order<P: Probe>(&mut self, is_nearly_sorted: bool, probe: &mut P) {
        match self.sort {
            INSERTION if is_nearly_sorted => sort::by_insertion(&mut self.entries, probe),
            PIGEONHOLE => {
                let field = turned_box(self.axis, self.field);
                let (low, high) = (field.min.x, field.max.x);
                self.sorter
                    .by_pigeonhole(&mut self.entries, low, high, probe);
            }
            _ => sort::by_comparison(&mut self.entries, probe),
        }
    }

    /// Makes many changes at once: one pass restores the order of the whole line, while each by itself would shift half of it.
    fn go_through<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P) {
        let axis = self.choose_axis(|| Spread::of(bodies));
        let is_nearly_sorted = std::mem::replace(&mut self.axis, axis) == axis;
        if changes
            .iter()
            .any(|change| !matches!(change, Change::Move(_)))
        {
            // A row may have been freed and taken again: what counts is who is alive and in the line in the end.
            self.present.clear();
            self.present.resize(bodies.slot_count(), false);
            self.entries.retain(|entry| {
                let stays = bodies.is_alive(entry.unit);
                if stays {
                    self.present[entry.unit as usize] = true;
                } else {
                    probe.on(Event::Work(Work::Remove));
                }
                stays
            });
            for change in changes {
                if let Change::Add(unit) = *change
                    && bodies.is_alive(unit)
                    && !std::mem::replace(&mut self.present[unit as usize], true)
                {
                    self.entries.push(self.entry(bodies, unit));
                    probe.on(Event::Work(Work::Add));
                }
            }
        }
        self.refresh(bodies);
        if P::HEARS && self.entries.is_sorted_by_key(|entry| entry.key) {
            // Nobody has passed anybody.
            for change in changes {
                if let Change::Move(_) = change {
                    probe.on(Event::Work(Work::MoveInPlace));
                }
            }
        }
        self.put_in_order(is_nearly_sorted, probe);
    }

    /// The slot in which a coordinate along the line lies. It never decreases with the coordinate.
    #[inline]
    fn slot_of(&self, key: f32) -> u32 {
        let field = turned_box(self.axis, self.field);
        let offset = (key - field.min.x) * (SLOT_COUNT as f32 / field.size().x);
        (offset as u32).min(SLOT_COUNT - 1)
    }
}

impl Partition for BattleLine {
    const INFO: Info = Info {
        key: "battle-line",
        name: "battle line",
        tagline: "sorted along one axis",
        placement: Placement::Center,
        what: "Units sorted by one coordinate. A binary search finds where on the line a query begins, and only those abreast of it are looked at, however far away they are across the line.",
        cost: "build O(n) by pigeonhole, O(n log n) by comparison · move: past those between, or the line is sorted again · query O(log n + units abreast)",
        wins: "two armies along one long and narrow front; the first thing to try in one dimension",
        loses: "a field as deep as it is wide: with the units on it, those abreast grow as their square root",
        source: "Nystrom, Game Programming Patterns (2014), Spatial Partition",
        told: 5,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![axis_asked, sort];

    fn new(field: Aabb) -> Self {
        Self {
            field,
            axis_asked: AUTO,
            sort: PIGEONHOLE,
            axis: 0,
            entries: Vec::new(),
            half_extent: 0.0,
            bounds: Aabb::EMPTY,
            present: Vec::new(),
            sorter: Scratch::default(),
            are_sized: false,
            files: Files::default(),
        }
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.axis = self.choose_axis(|| Spread::of(bodies));
        self.entries.clear();
        self.entries.extend(bodies.ids().map(|unit| Entry {
            body: Aabb::EMPTY,
            key: 0.0,
            unit,
        }));
        self.refresh(bodies);
        self.put_in_order(false, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        match self.look_at(bodies, changes) {
            Course::Rebuild => {
                self.go_through(bodies, changes, probe);
                Course::Done
            }
            course => course,
        }
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(bodies, unit)
    }

    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.pass(bodies, unit, probe)
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, _probe: &mut P) -> Result<(), Outgrown> {
        self.delete(unit)
    }

    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.check_axis()
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.scan(&search.turned(self.axis), probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let point = turned(self.axis, query.point);
        self.find_nearest(NearestQuery { point, ..query }, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        if bodies.are_sized() {
            self.emit_pairs::<true, P>(reach, part, probe, batch);
        } else {
            self.emit_pairs::<false, P>(reach, part, probe, batch);
        }
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        self.draw_regions(query, visit);
    }

    fn marks(&self, _bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        self.draw_marks(query, visit);
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        let mut before = f32::NEG_INFINITY;
        for entry in &self.entries {
            let unit = entry.unit;
            let slot = self.slot_of(entry.key);
            roll.meet(unit, slot)?;
            let truth = self.entry(bodies, unit);
            Violation::unless(
                (truth.body, truth.key) == (entry.body, entry.key),
                slot,
                || format!("{truth:?}"),
                || format!("{entry:?}"),
            )?;
            let half_extent = turned(self.axis, bodies.half_extent(unit)).x;
            Violation::unless(
                before <= entry.key
                    && half_extent <= self.half_extent
                    && self.bounds.contains_box(entry.body),
                slot,
                || {
                    format!(
                        "a key from {before} on, a half extent up to {}, a body in {:?}",
                        self.half_extent, self.bounds
                    )
                },
                || format!("{half_extent} and {entry:?}"),
            )?;
            let filed = self.files.center_of(unit);
            Violation::unless(
                filed.is_none_or(|center| turned(self.axis, center).x + 0.0 == entry.key),
                slot,
                || format!("unit {unit} filed at {}", entry.key),
                || format!("{filed:?}"),
            )?;
            before = entry.key;
        }
        roll.close(self.entries.len())
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("entries", self.entries.capacity() * size_of::<Entry>());
        say("room for sorting", self.sorter.byte_count());
        say("marks of presence", self.present.capacity());
        say("filed centres", self.files.byte_count());
    }
}
