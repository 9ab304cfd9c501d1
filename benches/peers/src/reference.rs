//! The answer that every contestant has to give: slow enough to be plain, quick enough for a million units.
//!
//! One grid a size class, whose cells are as wide as its widest body, filled by counting. It shares nothing with the library
//! but the predicates, and is compared to brute force by the tests below.

use crate::tally::Tally;
use crate::world::{QUERY_COUNT, World};
use skirmish::geometry::{Aabb, Vec2};

/// The grids over a crowd at one moment.
pub struct Reference {
    layers: Vec<Layer>,
}

struct Layer {
    origin: Vec2,
    cell: f32,
    columns: usize,
    rows: usize,
    /// The greatest half extent of its bodies.
    largest: Vec2,
    /// Where each cell's units begin, and the end of the last.
    starts: Vec<u32>,
    units: Vec<u32>,
}

impl Layer {
    fn new(world: &World, members: &[u32], cell: f32) -> Self {
        let largest = members
            .iter()
            .fold(Vec2::ZERO, |a, b| a.max(world.half_extent(*b)));
        let bounds = Aabb::of_points(members.iter().map(|unit| world.centers[*unit as usize]));
        // Not more cells than would be worth it: a crowd may be thin and wide.
        let size = bounds.size();
        let limit = 4.0 * members.len() as f32 + 64.0;
        let cell = cell
            .max((size.x * size.y / limit).sqrt())
            .max((size.x + size.y) / limit);
        let (columns, rows) = ((size.x / cell) as usize + 1, (size.y / cell) as usize + 1);
        let mut layer = Self {
            origin: bounds.min,
            cell,
            columns,
            rows,
            largest,
            starts: vec![0; columns * rows + 1],
            units: vec![0; members.len()],
        };
        let cells: Vec<u32> = members
            .iter()
            .map(|unit| {
                let (column, row) = layer.cell_of(world.centers[*unit as usize]);
                (row * columns + column) as u32
            })
            .collect();
        for cell in &cells {
            layer.starts[*cell as usize + 1] += 1;
        }
        for cell in 0..columns * rows {
            layer.starts[cell + 1] += layer.starts[cell];
        }
        let mut next = layer.starts.clone();
        for (unit, cell) in members.iter().zip(&cells) {
            layer.units[next[*cell as usize] as usize] = *unit;
            next[*cell as usize] += 1;
        }
        layer
    }

    fn cell_of(&self, place: Vec2) -> (usize, usize) {
        let at = (place - self.origin) / self.cell;
        // A negative number becomes 0.
        (
            (at.x as usize).min(self.columns - 1),
            (at.y as usize).min(self.rows - 1),
        )
    }

    fn visit(&self, area: Aabb, visit: &mut impl FnMut(u32)) {
        // A hair more, for what rounding may hide.
        let wide = area.grown(self.largest + Vec2::splat(self.cell * 1.0e-3));
        let (first, bottom) = self.cell_of(wide.min);
        let (last, top) = self.cell_of(wide.max);
        for row in bottom..=top {
            let start = self.starts[row * self.columns + first];
            let end = self.starts[row * self.columns + last + 1];
            for unit in &self.units[start as usize..end as usize] {
                visit(*unit);
            }
        }
    }
}

impl Reference {
    /// The grids over where everybody is now.
    pub fn new(world: &World) -> Self {
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); 16];
        for unit in 0..world.scene.units as u32 {
            let half = world.half_extent(unit).max_element();
            let class = (half.max(0.5).log2() + 1.0) as usize;
            classes[class.min(15)].push(unit);
        }
        let layers = classes
            .iter()
            .enumerate()
            .filter(|(_, members)| !members.is_empty())
            .map(|(class, members)| Layer::new(world, members, 1.2 * (1 << class) as f32))
            .collect();
        Self { layers }
    }

    /// Visits every unit whose box overlaps `area`.
    fn visit(&self, world: &World, area: Aabb, mut visit: impl FnMut(u32)) {
        for layer in &self.layers {
            layer.visit(area, &mut |unit| {
                if world.aabb(unit).overlaps(area) {
                    visit(unit);
                }
            });
        }
    }

    /// Fills `out` with the squared distances of the `count` units nearest to `point`, the nearest first.
    pub fn nearest(&self, world: &World, point: Vec2, count: usize, out: &mut Vec<f32>) {
        let mut radius = 1.0;
        loop {
            out.clear();
            let area = Aabb::around(point, Vec2::splat(radius * 1.001));
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
    pub fn pairs<T: Tally>(&self, world: &World, tally: &mut T) {
        let wide = Vec2::splat(world.reach * 1.001);
        for unit in 0..world.scene.units as u32 {
            self.visit(world, world.aabb(unit).grown(wide), |other| {
                if unit < other && world.in_reach(unit, other) {
                    tally.pair(unit, other);
                }
            });
        }
    }

    /// The work `rectangles`.
    pub fn rectangles<T: Tally>(&self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            self.visit(world, *area, |unit| tally.unit(unit));
        }
    }

    /// The work `nearest`.
    pub fn nearest_all<T: Tally>(&self, world: &World, tally: &mut T) {
        let mut out = Vec::with_capacity(QUERY_COUNT);
        for (index, point) in world.points.iter().enumerate() {
            tally.query(index);
            self.nearest(world, *point, crate::work::NEAREST_COUNT, &mut out);
            for distance in &out {
                tally.distance_sq(*distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Strong;
    use crate::world::{Distribution, Ids, Scene, Sizes};
    use clap::ValueEnum;

    #[test]
    fn it_answers_as_brute_force_does() {
        for distribution in Distribution::value_variants() {
            for sizes in Sizes::value_variants() {
                let scene = Scene {
                    distribution: *distribution,
                    ids: Ids::Random,
                    sizes: *sizes,
                    units: 700,
                    in_space: false,
                    threads: 1,
                };
                let world = World::new(scene, 0.25);
                let reference = Reference::new(&world);
                let (mut pairs, mut rectangles, mut nearest) =
                    (Strong::default(), Strong::default(), Strong::default());
                for a in 0..700 {
                    for b in 0..a {
                        if world.in_reach(a, b) {
                            pairs.pair(a, b);
                        }
                    }
                }
                for (index, area) in world.rectangles.iter().enumerate() {
                    rectangles.query(index);
                    for unit in 0..700 {
                        if world.aabb(unit).overlaps(*area) {
                            rectangles.unit(unit);
                        }
                    }
                }
                for (index, point) in world.points.iter().enumerate() {
                    nearest.query(index);
                    let mut all: Vec<f32> = (0..700)
                        .map(|unit| world.aabb(unit).distance_sq(*point))
                        .collect();
                    all.sort_unstable_by(f32::total_cmp);
                    for distance in &all[..crate::work::NEAREST_COUNT] {
                        nearest.distance_sq(*distance);
                    }
                }
                let ask = |ask: &dyn Fn(&mut Strong)| {
                    let mut tally = Strong::default();
                    ask(&mut tally);
                    tally.sum()
                };
                assert_eq!(pairs.sum(), ask(&|tally| reference.pairs(&world, tally)));
                assert_eq!(
                    rectangles.sum(),
                    ask(&|tally| reference.rectangles(&world, tally))
                );
                assert_eq!(
                    nearest.sum(),
                    ask(&|tally| reference.nearest_all(&world, tally))
                );
            }
        }
    }
}
