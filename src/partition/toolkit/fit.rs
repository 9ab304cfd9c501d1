//! Sizes that follow the crowd: what a knob at `auto` becomes.

use crate::geometry::Vec2;
use crate::partition::{AUTO, Bodies, KnobField, UnitId};

/// So many units at most are looked at.
const SAMPLE: usize = 256;

/// The rows of so many go across the field: who is picked evenly from them stands evenly, and farther from each other than by chance.
const MANY: u64 = 1 << 17;

/// How many neighbours in the sample say how dense it is around a unit.
const NEIGHBOURS: usize = 4;

/// A size is chosen anew when points have become bodies, or bodies points, and when there are this many times as many rows as when it
/// was chosen, and some more.
const GROWTH: usize = 2;
const FREE_ROWS: usize = 64;

/// A size is chosen anew when the reach is more than this times longer or shorter than when it was chosen; and after an edit, when the
/// reach with the width of a body is, for most of a sample or for the widest of all.
const STRETCH: f32 = 1.5;

/// What a size is fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throng {
    /// How far apart pairs are asked for, in metres; 0 where nobody has said.
    pub reach: f32,
    /// The side of the square that a unit has to itself where half of the units stand closer, in metres; infinite for fewer
    /// than two.
    pub spacing: f32,
    /// The width of a body, the larger of its two, where half of them are smaller, in metres.
    pub width: f32,
    /// The width of the widest body of all, in metres.
    pub widest: f32,
}

impl Throng {
    /// A side that is so many reaches where the crowd is dense, from border to border of two bodies, and so many spacings where
    /// it is thin.
    pub fn side(self, reaches: f32, spacings: f32) -> f32 {
        (reaches * (self.reach + self.width)).max(spacings * self.spacing)
    }

    /// Looks at a sample of the units: for as long, however many there are, but for the widest. The same units give the same numbers everywhere.
    pub fn of(bodies: Bodies<'_>, reach: f32) -> Self {
        let rows = bodies.slot_count();
        let sample = Sample::of(rows);
        let looked_at = sample.units().len();
        let units: Vec<UnitId> = sample.alive(bodies).collect();
        let wide = |unit: UnitId| width_of(bodies, unit);
        let widest = widest_of(bodies);
        if units.len() < 2 {
            return Self {
                reach,
                spacing: f32::INFINITY,
                width: 0.0,
                widest,
            };
        }
        let places: Vec<Vec2> = units.iter().map(|unit| bodies.center(*unit)).collect();
        let neighbours = NEIGHBOURS.min(places.len() - 1);
        let mut spacings: Vec<f32> = places
            .iter()
            .map(|place| nearest_sq(*place, &places, neighbours))
            .collect();
        let mut widths: Vec<f32> = units.iter().map(|unit| wide(*unit)).collect();
        // The circle out to a neighbour holds as many of the sample as there are up to him, and each stands for many.
        let each = rows as f32 / looked_at as f32;
        let area = std::f32::consts::PI / (neighbours as f32 * each);
        Self {
            reach,
            spacing: (median(&mut spacings) * area).sqrt(),
            width: median(&mut widths),
            widest,
        }
    }
}

/// Whom a sample of so many rows looks at, each once and by ascending row: the same of the same rows.
struct Sample {
    units: [UnitId; SAMPLE],
    count: usize,
}

impl Sample {
    fn of(rows: usize) -> Self {
        let (mut units, mut picked) = ([0; SAMPLE], 0);
        for (place, unit) in units.iter_mut().zip(picks(rows)) {
            *place = unit;
            picked += 1;
        }
        units[..picked].sort_unstable();
        let mut count = 0;
        for place in 0..picked {
            if count == 0 || units[count - 1] != units[place] {
                units[count] = units[place];
                count += 1;
            }
        }
        Self { units, count }
    }

    fn units(&self) -> &[UnitId] {
        &self.units[..self.count]
    }

    fn alive(&self, bodies: Bodies<'_>) -> impl Iterator<Item = UnitId> {
        let units = self.units().iter().copied();
        units.filter(move |unit| bodies.is_alive(*unit))
    }
}

/// The rows of a sample of so many, some of them twice.
fn picks(rows: usize) -> impl Iterator<Item = UnitId> {
    let rows = rows as u64;
    let pick = move |place: u64| {
        let part = match rows {
            _ if rows <= SAMPLE as u64 => return place as UnitId,
            // Evenly over the rows, and yet not in step with formations: multiples of the golden ratio.
            _ if rows < MANY => place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32,
            _ => scattered(place),
        };
        ((part * rows) >> 32) as UnitId
    };
    (0..rows.min(SAMPLE as u64)).map(pick)
}

/// The width of a body, the larger of its two.
fn width_of(bodies: Bodies<'_>, unit: UnitId) -> f32 {
    2.0 * bodies.half_extent(unit).max_element()
}

/// The width of the widest body of all; points have none.
fn widest_of(bodies: Bodies<'_>) -> f32 {
    match bodies.are_sized() {
        true => bodies
            .ids()
            .map(|unit| width_of(bodies, unit))
            .fold(0.0, f32::max),
        false => 0.0,
    }
}

/// A number below 2³² by chance, the same for the same place everywhere: the finisher of SplitMix64.
fn scattered(place: u64) -> u64 {
    let mut bits = place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (bits ^ bits >> 31) >> 32
}

/// The squared distance to the one that is the `count`th nearest of those at `places`, where one is the place itself.
fn nearest_sq(place: Vec2, places: &[Vec2], count: usize) -> f32 {
    let mut nearest = [f32::INFINITY; NEIGHBOURS + 1];
    for other in places {
        let mut distance_sq = place.distance_squared(*other);
        if distance_sq < nearest[NEIGHBOURS] {
            for known in &mut nearest {
                if distance_sq < *known {
                    std::mem::swap(known, &mut distance_sq);
                }
            }
        }
    }
    nearest[count]
}

fn median(values: &mut [f32]) -> f32 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// A size that somebody sets, or that follows the crowd.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What the knob says, in metres, or [`AUTO`].
    set: f64,
    /// How far apart pairs will be asked for.
    reach: f32,
    /// What was chosen.
    chosen: f64,
    /// For how many rows and for which reach it was chosen, and for bodies of which width, in the middle and at most, where they were
    /// no points; `None` before the first build.
    chosen_for: Option<(usize, f32, Option<[f32; 2]>)>,
    /// Whether sizes may be others since: [`expect`](KnobField::expect) was called. A battle in which nobody edits keeps them, so no
    /// step looks for that.
    looks_again: bool,
    /// What is chosen comes to this, where it is known beforehand.
    held: Option<f64>,
}

impl Fitted {
    /// One that will be chosen, and is `usual` until there is somebody for whom.
    pub const fn new(usual: f64) -> Self {
        Self {
            set: AUTO,
            reach: 0.0,
            chosen: usual,
            chosen_for: None,
            looks_again: false,
            held: None,
        }
    }

    /// The size to reckon with, in metres.
    #[inline]
    pub fn value(&self) -> f64 {
        if self.set == AUTO {
            self.chosen
        } else {
            self.set
        }
    }

    /// Whether it is to be chosen, and what it was chosen for is no longer so.
    #[inline]
    pub fn is_outgrown(&mut self, bodies: Bodies<'_>) -> bool {
        let is_outgrown = self.set == AUTO
            && self.chosen_for.is_none_or(|(rows, reach, widths)| {
                bodies.slot_count() > GROWTH * rows + FREE_ROWS
                    || (rows > 0 && bodies.are_sized() != widths.is_some())
                    || self.reach > STRETCH * reach
                    || reach > STRETCH * self.reach
                    || (self.looks_again
                        && widths.is_some_and(|widths| self.has_others(bodies, widths)))
            });
        // What is outgrown stays so until it is chosen.
        self.looks_again &= is_outgrown;
        is_outgrown
    }

    /// Whether most of a sample, or the widest of all, are much wider or much narrower than these, beside the reach.
    #[cold]
    fn has_others(&self, bodies: Bodies<'_>, [width, widest]: [f32; 2]) -> bool {
        let is_wider = |now: f32, before: f32| self.reach + now > STRETCH * (self.reach + before);
        let (mut count, mut wider, mut narrower) = (0, 0, 0);
        for unit in Sample::of(bodies.slot_count()).alive(bodies) {
            let now = width_of(bodies, unit);
            count += 1;
            wider += u32::from(is_wider(now, width));
            narrower += u32::from(is_wider(width, now));
        }
        // For fewer than two nothing is chosen.
        count > 1
            && (2 * wider.max(narrower) > count || {
                let now = widest_of(bodies);
                is_wider(now, widest) || is_wider(widest, now)
            })
    }

    /// Chooses it anew for these units, between two limits, where that is [needed](Self::is_outgrown).
    pub fn choose(
        &mut self,
        bodies: Bodies<'_>,
        (min, max): (f64, f64),
        of: impl FnOnce(Throng) -> f32,
    ) {
        if self.set != AUTO {
            // Whoever goes back to `auto` wants what fits then.
            self.chosen_for = None;
        }
        if !self.is_outgrown(bodies) {
            return;
        }
        let throng = Throng::of(bodies, self.reach);
        if throng.spacing < f32::INFINITY {
            self.chosen = rounded(f64::from(of(throng)).clamp(min, max)).clamp(min, max);
        }
        // Looked for all the same: a build in which that is left out would be quicker than others.
        self.chosen = self.held.unwrap_or(self.chosen);
        let widths = bodies.are_sized().then_some([throng.width, throng.widest]);
        self.chosen_for = Some((bodies.slot_count(), self.reach, widths));
        self.looks_again = false;
    }
}

impl KnobField for Fitted {
    fn get(&self) -> f64 {
        self.set
    }

    fn set(&mut self, value: f64) {
        self.set = value;
    }

    fn in_effect(&self) -> f64 {
        self.value()
    }

    fn expect(&mut self, reach: f32) {
        self.reach = reach;
        self.looks_again = true;
    }

    fn hold(&mut self, value: f64) {
        self.held = Some(value);
    }
}

/// The cube root of a number that is not negative, by products and quotients alone: the same everywhere.
pub(crate) fn cube_root(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 0.0;
    }
    // From above it comes down to the root, by a third of what is too much at least.
    let mut root = value.max(1.0);
    for _ in 0..400 {
        let next = (2.0 * root + value / (root * root)) / 3.0;
        if next >= root {
            break;
        }
        root = next;
    }
    root
}

/// To two digits, as people would set it; by products and quotients alone, which are the same everywhere.
pub(crate) fn rounded(value: f64) -> f64 {
    let (mut up, mut down) = (1.0, 1.0);
    while value * up / down < 10.0 {
        up *= 10.0;
    }
    while value * up / down >= 100.0 {
        down *= 10.0;
    }
    (value * up / down).round() * down / up
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points at the corners of squares of this side, `rows` by `rows`.
    fn lattice(rows: usize, side: f32) -> Vec<Vec2> {
        (0..rows * rows)
            .map(|place| Vec2::new((place % rows) as f32, (place / rows) as f32) * side)
            .collect()
    }

    #[test]
    fn the_spacing_of_a_lattice_is_about_its_side_however_many_there_are() {
        for (rows, side) in [(8, 3.0), (16, 0.5), (100, 3.0), (316, 20.0)] {
            let centers = lattice(rows, side);
            let throng = Throng::of(Bodies::points(&centers), 2.0);
            assert!(
                (0.7..1.5).contains(&(throng.spacing / side)),
                "{rows}: {throng:?} of {side}"
            );
            assert_eq!((throng.reach, throng.width, throng.widest), (2.0, 0.0, 0.0));
        }
    }

    #[test]
    fn the_dead_do_not_count_and_a_crowd_on_one_spot_has_no_spacing() {
        let mut centers = lattice(20, 5.0);
        let whole = Throng::of(Bodies::points(&centers), 0.0).spacing;
        // Ten times as many rows whose units are gone, all on one spot.
        centers.resize(4_400, Vec2::ZERO);
        let alive: Vec<bool> = (0..centers.len()).map(|row| row < 400).collect();
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        let some = Throng::of(bodies, 0.0).spacing;
        assert!((0.6..1.7).contains(&(some / whole)), "{some} and {whole}");

        let spot = [Vec2::ONE; 30];
        assert_eq!(Throng::of(Bodies::points(&spot), 0.0).spacing, 0.0);
        for few in [&spot[..0], &spot[..1]] {
            let throng = Throng::of(Bodies::points(few), 0.0);
            assert_eq!(throng.spacing, f32::INFINITY);
        }
        let two = [Vec2::ZERO, Vec2::new(8.0, 0.0)];
        let spacing = Throng::of(Bodies::points(&two), 0.0).spacing;
        assert!((8.0..16.0).contains(&spacing), "{spacing}");
    }

    #[test]
    fn a_cube_root_is_one() {
        assert_eq!((cube_root(0.0), cube_root(f64::INFINITY)), (0.0, 0.0));
        for root in [1.0e-3, 0.7, 1.0, 16.0, 1.0e9] {
            let found = cube_root(root * root * root);
            assert!((found / root - 1.0).abs() < 1.0e-9, "{found} of {root}");
        }
    }

    #[test]
    fn widths_are_those_of_bodies() {
        let centers = lattice(3, 10.0);
        let halves: Vec<Vec2> = (1..=9).map(|side| Vec2::new(side as f32, 0.5)).collect();
        let bodies = Bodies {
            half_extents: &halves,
            ..Bodies::points(&centers)
        };
        let throng = Throng::of(bodies, 0.0);
        assert_eq!((throng.width, throng.widest), (10.0, 18.0));
    }

    #[test]
    fn a_size_is_chosen_once_and_anew_when_rows_or_reach_have_grown() {
        let mut size = Fitted::new(16.0);
        let few = lattice(10, 1.0);
        let bodies = Bodies::points(&few);
        let mut chosen = Vec::new();
        let mut choose = |size: &mut Fitted, bodies, value: f32| {
            size.choose(bodies, (0.5, 1_000.0), |throng| {
                chosen.push(throng.reach);
                value
            });
            size.value()
        };
        assert_eq!(size.value(), 16.0);
        size.expect(2.0);
        assert!(size.is_outgrown(bodies));
        assert_eq!(choose(&mut size, bodies, 3.149), 3.1);
        // Nothing has changed much.
        size.expect(2.9);
        assert!(!size.is_outgrown(bodies));
        assert_eq!(choose(&mut size, bodies, 9.0), 3.1);
        size.expect(3.1);
        assert_eq!(choose(&mut size, bodies, 1_234_567.0), 1_000.0);
        size.expect(2.0);
        assert_eq!(choose(&mut size, bodies, 0.001), 0.5);
        let many = lattice(17, 1.0);
        assert!(!size.is_outgrown(Bodies::points(&many[..264])));
        assert!(size.is_outgrown(Bodies::points(&many[..265])));
        assert_eq!(choose(&mut size, Bodies::points(&many), 123.4), 120.0);
        // What somebody sets stays, and is forgotten when it is left to itself again.
        size.set = 7.0;
        assert!(!size.is_outgrown(bodies));
        assert_eq!(choose(&mut size, bodies, 1.0), 7.0);
        size.set = AUTO;
        assert_eq!(size.value(), 120.0);
        assert_eq!(choose(&mut size, bodies, 0.995), 1.0);
        assert_eq!(chosen, [2.0, 3.1, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn a_size_is_chosen_anew_when_points_become_bodies_and_when_they_are_points_again() {
        let mut size = Fitted::new(16.0);
        let centers = lattice(4, 1.0);
        let halves = vec![Vec2::splat(20.0); centers.len()];
        let points = Bodies::points(&centers);
        let bodies = Bodies {
            half_extents: &halves,
            ..points
        };
        let fit = |throng: Throng| throng.reach + throng.width + 1.0;
        size.expect(2.0);
        for (crowd, chosen) in [(points, 3.0), (bodies, 43.0), (points, 3.0)] {
            assert!(size.is_outgrown(crowd));
            size.choose(crowd, (0.5, 1_000.0), fit);
            assert_eq!(size.value(), chosen);
            assert!(!size.is_outgrown(crowd));
        }
        // Whoever builds over nobody has chosen for nobody.
        size.choose(Bodies::points(&[]), (0.5, 1_000.0), fit);
        assert_eq!(size.value(), 3.0);
    }

    #[test]
    fn a_size_is_chosen_anew_when_most_bodies_have_grown_or_shrunk_by_hand() {
        let mut size = Fitted::new(16.0);
        let centers = lattice(20, 1.0);
        let of = |halves| Bodies {
            half_extents: halves,
            ..Bodies::points(&centers)
        };
        let fit = |throng: Throng| throng.reach + throng.width + 1.0;
        let small = vec![Vec2::splat(0.5); centers.len()];
        let large = vec![Vec2::splat(20.0); centers.len()];
        let mut few = small.clone();
        few[..150].fill(Vec2::splat(20.0));
        let mut most = small.clone();
        most[..280].fill(Vec2::splat(20.0));
        size.expect(2.0);
        size.choose(of(&small), (0.5, 1_000.0), fit);
        assert_eq!(size.value(), 4.0);
        // A battle keeps the cells with which it began; it is edits that look again.
        assert!(!size.is_outgrown(of(&large)));
        // Of a few the widest is another, those in the middle are as they were: it comes to the same.
        for (halves, is_other, chosen) in [
            (&few, true, 4.0),
            (&most, true, 43.0),
            (&large, false, 43.0),
            (&small, true, 4.0),
        ] {
            size.expect(2.0);
            assert_eq!(size.is_outgrown(of(halves)), is_other, "{chosen}");
            size.choose(of(halves), (0.5, 1_000.0), fit);
            assert_eq!(size.value(), chosen);
            assert!(!size.is_outgrown(of(halves)));
        }
        // Beside a long reach they are no others.
        size.expect(200.0);
        size.choose(of(&small), (0.5, 1_000.0), fit);
        size.expect(200.0);
        assert!(!size.is_outgrown(of(&large)));
    }

    #[test]
    fn a_size_that_minds_the_widest_is_chosen_anew_when_a_giant_comes_by_hand_and_when_it_goes() {
        let mut size = Fitted::new(16.0);
        let centers = lattice(40, 1.0);
        let of = |halves| Bodies {
            half_extents: halves,
            ..Bodies::points(&centers)
        };
        let small = vec![Vec2::splat(0.5); centers.len()];
        let mut one = small.clone();
        one[1_234] = Vec2::splat(30.0);
        size.expect(2.0);
        for (halves, chosen) in [(&small, 1.0), (&one, 60.0), (&small, 1.0)] {
            size.expect(2.0);
            assert!(size.is_outgrown(of(halves)));
            size.choose(of(halves), (0.5, 1_000.0), |throng| throng.widest);
            assert_eq!(size.value(), chosen);
            size.expect(2.0);
            assert!(!size.is_outgrown(of(halves)));
        }
    }

    #[test]
    fn who_is_picked_twice_for_a_sample_counts_once_when_it_is_looked_at_again() {
        let centers: Vec<Vec2> = lattice(18, 1.0)[..300].to_vec();
        let mut picked: Vec<UnitId> = picks(300).collect();
        picked.sort_unstable();
        let times = |unit: UnitId| picked.iter().filter(|it| **it == unit).count();
        let sample = Sample::of(300);
        // A little under half of them are wide, those who are picked twice first.
        let mut order: Vec<UnitId> = sample.units().to_vec();
        order.sort_by_key(|unit| std::cmp::Reverse(times(*unit)));
        let wide = &order[..(order.len() - 1) / 2];
        let picks_of_wide: usize = wide.iter().map(|unit| times(*unit)).sum();
        assert!(2 * picks_of_wide > picked.len() && 2 * wide.len() < order.len());
        let mut halves = vec![Vec2::splat(0.5); 300];
        for unit in wide {
            halves[*unit as usize] = Vec2::splat(20.0);
        }
        let bodies = Bodies {
            half_extents: &halves,
            ..Bodies::points(&centers)
        };
        let mut size = Fitted::new(16.0);
        size.expect(2.0);
        let fit = |throng: Throng| throng.reach + throng.width + 1.0;
        size.choose(bodies, (0.5, 1_000.0), fit);
        assert_eq!(size.value(), 4.0);
        // Whatever edit comes, nothing has changed.
        size.expect(2.0);
        assert!(!size.is_outgrown(bodies));
    }

    #[test]
    fn every_structure_that_chooses_does_so_for_bodies_that_have_grown_by_hand() {
        use crate::partition::{AnyPartition, Change, Kind};
        let centers = lattice(20, 10.0);
        let sized = |half: f32| vec![Vec2::splat(half); centers.len()];
        let (small, large) = (sized(0.5), sized(40.0));
        let of = |halves| Bodies {
            half_extents: halves,
            ..Bodies::points(&centers)
        };
        let field = crate::geometry::Aabb::new(Vec2::ZERO, Vec2::splat(200.0));
        let changes: Vec<Change> = (0..centers.len() as UnitId).map(Change::Move).collect();
        for key in [
            "linked-grid",
            "hierarchical-grid",
            "sorted-grid",
            "sweep-and-prune",
        ] {
            let kind = Kind::from_key(key).expect("a kind");
            let built = |halves| {
                let mut index = AnyPartition::new(kind, field);
                index.expect(2.0);
                index.rebuild(of(halves), &mut ());
                index
            };
            let mut index = built(&small);
            let before = index.chosen();
            index.expect(2.0);
            index.apply(of(&large), &changes, &mut ());
            assert_ne!(index.chosen(), before, "{key}");
            assert_eq!(index.chosen(), built(&large).chosen(), "{key}");
            index.validate(of(&large)).expect(key);
        }
    }
}
