//! The answer that every contestant has to give in space: [`crate::reference`] with one axis more.
//!
//! It shares nothing with the library but the predicates, and is compared to brute force by the test below.

use super::World3;
use crate::tally::Tally;
use crate::work::NEAREST_COUNT;
use skirmish::volume::{Aabb3, Vec3};

/// One grid a size class, over a crowd at one moment.
pub struct Reference3 {
    layers: Vec<Layer>,
}

struct Layer {
    origin: Vec3,
    cell: f32,
    /// How many cells there are along each axis.
    counts: [usize; 3],
    /// The greatest half extent of its bodies.
    largest: Vec3,
    /// Where each cell's units begin, and the end of the last.
    starts: Vec<u32>,
    units: Vec<u32>,
}

impl Layer {
    fn new(world: &World3, members: &[u32], cell: f32) -> Self {
        let bounds = Aabb3::of_points(members.iter().map(|unit| world.centers[*unit as usize]));
        let largest = members.iter().fold(Vec3::ZERO, |sum, unit| {
            sum.max(world.aabb(*unit).half_extent())
        });
        // Not more cells than would be worth it: a crowd may be thin and wide.
        let size = bounds.size();
        let mut cell = cell;
        let counts = loop {
            let counts = (size / cell).to_array().map(|count| count as usize + 1);
            if counts.iter().product::<usize>() <= 4 * members.len() + 64 {
                break counts;
            }
            cell *= 1.3;
        };
        let mut layer = Self {
            origin: bounds.min,
            cell,
            counts,
            largest: largest * 1.001,
            starts: vec![0; counts.iter().product::<usize>() + 1],
            units: members.to_vec(),
        };
        let index_of = |unit: u32| {
            let [x, y, z] = layer.cell_of(world.centers[unit as usize]);
            x + counts[0] * (y + counts[1] * z)
        };
        let mut cells: Vec<(usize, u32)> = members
            .iter()
            .map(|unit| (index_of(*unit), *unit))
            .collect();
        cells.sort_unstable();
        for (place, (cell, unit)) in cells.iter().enumerate() {
            layer.starts[*cell + 1] += 1;
            layer.units[place] = *unit;
        }
        for cell in 1..layer.starts.len() {
            layer.starts[cell] += layer.starts[cell - 1];
        }
        layer
    }

    fn cell_of(&self, place: Vec3) -> [usize; 3] {
        let at = ((place - self.origin) / self.cell).to_array();
        // A negative number becomes 0.
        std::array::from_fn(|axis| (at[axis] as usize).min(self.counts[axis] - 1))
    }

    fn visit(&self, area: Aabb3, visit: &mut impl FnMut(u32)) {
        // A hair more, for what rounding may hide.
        let wide = area.grown(self.largest + Vec3::splat(self.cell * 1.0e-3));
        let (first, last) = (self.cell_of(wide.min), self.cell_of(wide.max));
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                let row = self.counts[0] * (y + self.counts[1] * z);
                let start = self.starts[row + first[0]] as usize;
                let end = self.starts[row + last[0] + 1] as usize;
                for unit in &self.units[start..end] {
                    visit(*unit);
                }
            }
        }
    }
}

impl Reference3 {
    /// The grids over where everybody is now.
    pub fn new(world: &World3) -> Self {
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); 16];
        for unit in 0..world.scene.units as u32 {
            let half = world.aabb(unit).half_extent().max_element();
            classes[((half.max(0.5).log2() + 1.0) as usize).min(15)].push(unit);
        }
        let layers = classes
            .iter()
            .enumerate()
            .filter(|(_, members)| !members.is_empty())
            .map(|(class, members)| Layer::new(world, members, (1 << class) as f32))
            .collect();
        Self { layers }
    }

    /// Visits every unit whose box overlaps `area`.
    fn visit(&self, world: &World3, area: Aabb3, mut visit: impl FnMut(u32)) {
        for layer in &self.layers {
            layer.visit(area, &mut |unit| {
                if world.aabb(unit).overlaps(area) {
                    visit(unit);
                }
            });
        }
    }

    /// Fills `out` with the squared distances of the `count` units nearest to `point`, the nearest first.
    pub fn nearest(&self, world: &World3, point: Vec3, count: usize, out: &mut Vec<f32>) {
        let mut radius = 1.0;
        loop {
            out.clear();
            let area = Aabb3::around(point, Vec3::splat(radius * 1.001));
            self.visit(world, area, |unit| {
                out.push(world.aabb(unit).distance_sq(point));
            });
            out.sort_unstable_by(f32::total_cmp);
            let sure = out.partition_point(|distance| *distance <= radius * radius);
            if sure >= count.min(world.scene.units) {
                out.truncate(count);
                return;
            }
            radius *= 1.6;
        }
    }

    /// The work `pairs`.
    pub fn pairs<T: Tally>(&self, world: &World3, tally: &mut T) {
        let wide = Vec3::splat(world.reach * 1.001);
        for unit in 0..world.scene.units as u32 {
            self.visit(world, world.aabb(unit).grown(wide), |other| {
                if unit < other && world.in_reach(unit, other) {
                    tally.pair(unit, other);
                }
            });
        }
    }

    /// The work `rectangles`.
    pub fn boxes<T: Tally>(&self, world: &World3, tally: &mut T) {
        for (index, area) in world.boxes.iter().enumerate() {
            tally.query(index);
            self.visit(world, *area, |unit| tally.unit(unit));
        }
    }

    /// The work `nearest`.
    pub fn nearest_all<T: Tally>(&self, world: &World3, tally: &mut T) {
        let mut out = Vec::new();
        for (index, point) in world.points.iter().enumerate() {
            tally.query(index);
            self.nearest(world, *point, NEAREST_COUNT, &mut out);
            for distance in &out {
                tally.distance_sq(*distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Crowd;
    use crate::tally::Strong;
    use crate::work::Question;
    use crate::world::{Distribution, Ids, Scene, Sizes};
    use clap::ValueEnum;

    #[test]
    fn it_answers_as_brute_force_does() {
        for &distribution in Distribution::value_variants() {
            for &sizes in Sizes::value_variants() {
                let world = World3::new(
                    Scene {
                        distribution,
                        ids: Ids::Random,
                        sizes,
                        units: 700,
                        in_space: true,
                        threads: 1,
                    },
                    0.25,
                );
                let (mut pairs, mut boxes, mut nearest) =
                    (Strong::default(), Strong::default(), Strong::default());
                for a in 0..700 {
                    for b in (0..a).filter(|b| world.in_reach(a, *b)) {
                        pairs.pair(a, b);
                    }
                }
                for (index, area) in world.boxes.iter().enumerate() {
                    boxes.query(index);
                    for unit in (0..700).filter(|unit| world.aabb(*unit).overlaps(*area)) {
                        boxes.unit(unit);
                    }
                }
                for (index, point) in world.points.iter().enumerate() {
                    nearest.query(index);
                    let mut all: Vec<f32> = (0..700)
                        .map(|unit| world.aabb(unit).distance_sq(*point))
                        .collect();
                    all.sort_unstable_by(f32::total_cmp);
                    for distance in &all[..NEAREST_COUNT] {
                        nearest.distance_sq(*distance);
                    }
                }
                assert_eq!(pairs.sum(), world.answer::<Strong>(Question::Pairs));
                assert_eq!(boxes.sum(), world.answer::<Strong>(Question::Rectangles));
                assert_eq!(nearest.sum(), world.answer::<Strong>(Question::Nearest));
            }
        }
    }
}
