//! How many units make a cell look full: so many that nine cells in ten still differ in their shade.

use super::{Moment, Structure};
use skirmish::observe::RegionView;
use skirmish::structure::StructureKind;

/// In so many shades the load of a cell is told.
pub const SHADES: u32 = 8;

/// The units to a shade, of which one is chosen.
const STEPS: [u32; 33] = [
    1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000,
    3_000, 5_000, 7_000, 10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000, 150_000, 200_000,
    500_000,
];

/// A scale goes down only when the shades of the lower one would hold so much more than there is: one that lies between two does not
/// change with every tick.
const SLACK: f64 = 1.4;

/// The scale of a lane's loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadScale(usize);

impl LoadScale {
    /// How many units one shade stands for.
    pub fn step(self) -> u32 {
        STEPS[self.0]
    }

    /// Fits these regions. `anew` heeds nothing of what was there before.
    pub fn fit(&mut self, regions: &[RegionView], anew: bool) {
        let now = fitting(regions, 1.0);
        if anew || now > self.0 {
            self.0 = now;
        } else if now < self.0 {
            self.0 = fitting(regions, SLACK).min(self.0);
        }
    }
}

/// The scale of a lane's loads, and what it was fitted to: whoever only looks elsewhere sees the same shades.
#[derive(Debug, Default)]
pub struct LaneLoads {
    scale: LoadScale,
    /// The structure, and how it is set.
    of: Option<(StructureKind, Vec<f64>)>,
    /// The moment, and whether time stands.
    fitted: Option<(Moment, bool)>,
}

impl LaneLoads {
    /// The scale of these regions of a structure. It only keeps from changing with every tick while time passes: on a moment that stands,
    /// and of a structure that is set otherwise, it does not come from what was shown before. Where two runs must look alike (`fixed`) it
    /// never does.
    pub fn heed(
        &mut self,
        (structure, regions): (&Structure, &[RegionView]),
        (moment, rests): (Moment, bool),
        fixed: bool,
    ) -> LoadScale {
        let same = |(kind, knobs): &(StructureKind, Vec<f64>)| {
            *kind == structure.kind && *knobs == structure.knobs
        };
        let is_other = !self.of.as_ref().is_some_and(same);
        if is_other {
            self.of = Some((structure.kind, structure.knobs.clone()));
            (self.scale, self.fitted) = (LoadScale::default(), None);
        }
        // Where no region is drawn there is nothing to fit, and what is drawn later on is fitted then.
        if fixed || self.fitted != Some((moment, rests)) && !regions.is_empty() {
            self.scale.fit(regions, fixed || rests);
            self.fitted = Some((moment, rests));
        }
        self.scale
    }
}

/// The least scale on which nine in ten of the cells that hold somebody, were they so much fuller, are not beyond the last shade.
fn fitting(regions: &[RegionView], fuller: f64) -> usize {
    let mut by_step = [0u32; STEPS.len()];
    let mut cells = 0;
    for region in regions {
        if region.load > 0 && region.capacity == 0 && region.role.shows_load() {
            let load = (f64::from(region.load) * fuller) as u32;
            let fits = STEPS.partition_point(|step| step.saturating_mul(SHADES) < load);
            by_step[fits.min(STEPS.len() - 1)] += 1;
            cells += 1;
        }
    }
    let mut below = 0;
    by_step
        .iter()
        .position(|count| {
            below += count;
            below * 10 >= cells * 9
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::observe::Outline;
    use skirmish::partition::{Kind, Role};

    fn cells(loads: impl IntoIterator<Item = u32>) -> Vec<RegionView> {
        let cell = |(id, load)| RegionView {
            id,
            outline: Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::ONE)),
            depth: 0,
            load,
            capacity: 0,
            role: Role::Cell,
            parent: None,
        };
        (0..).zip(loads).map(cell).collect()
    }

    #[test]
    fn a_few_crowded_cells_do_not_make_the_others_alike() {
        let mut scale = LoadScale::default();
        scale.fit(&[], false);
        assert_eq!(scale.step(), 1);
        scale.fit(&cells([1; 9].into_iter().chain([1_000])), false);
        assert_eq!(scale.step(), 1);
        scale.fit(&cells([100, 120, 150, 179]), false);
        assert_eq!(scale.step(), 30);
        scale.fit(&cells([u32::MAX; 4]), false);
        assert_eq!(scale.step(), 500_000);
    }

    #[test]
    fn a_list_over_everything_is_no_fuller_cell() {
        let mut regions = cells([3; 4]);
        let mut scale = LoadScale::default();
        scale.fit(&regions, false);
        let list = RegionView {
            role: Role::Oversize,
            load: 5_000,
            ..regions[0]
        };
        regions.extend([list; 4]);
        let before = scale;
        scale.fit(&regions, true);
        assert_eq!(scale, before);
    }

    #[test]
    fn the_scale_of_a_moment_that_stands_does_not_come_from_what_was_shown_before() {
        let grid = |size: f64| Structure {
            kind: Kind::LinkedGrid.into(),
            knobs: vec![size],
            effects: Vec::new(),
            bytes: 0,
        };
        let at = |tick: u64| Moment {
            tick,
            ..Moment::default()
        };
        let mut loads = LaneLoads::default();
        let mut step = |size: f64, load: u32, tick: u64, rests: bool| {
            let regions = cells((load > 0).then_some(load));
            let of = (&grid(size), &regions[..]);
            loads.heed(of, (at(tick), rests), false).step()
        };
        assert_eq!(step(30.0, 8, 1, true), 1);
        // Larger cells are fuller, and when they are small again the scale is what it was.
        assert_eq!(step(34.0, 9, 1, true), 2);
        assert_eq!(step(30.0, 8, 1, true), 1);
        // While time passes it stays, and where that stands it is as if nothing had been before.
        assert_eq!(step(30.0, 9, 2, false), 2);
        assert_eq!(step(30.0, 8, 3, false), 2);
        assert_eq!(step(30.0, 8, 3, true), 1);
        // What was not drawn when it was set otherwise is fitted once it is.
        assert_eq!(step(34.0, 0, 3, true), 1);
        assert_eq!(step(34.0, 9, 3, true), 2);
        assert_eq!(step(30.0, 8, 3, true), 1);
        // Who looks elsewhere sees the same shades.
        assert_eq!(step(30.0, 100, 3, true), 1);
    }

    #[test]
    fn a_scale_between_two_stays_as_it_is() {
        let mut scale = LoadScale::default();
        scale.fit(&cells([9]), false);
        assert_eq!(scale.step(), 2);
        for load in [8, 7, 8] {
            scale.fit(&cells([load]), false);
            assert_eq!(scale.step(), 2);
        }
        scale.fit(&cells([8]), true);
        assert_eq!(scale.step(), 1);
        scale.fit(&cells([9]), false);
        scale.fit(&cells([5]), false);
        assert_eq!(scale.step(), 1);
    }
}
