//! The truth: columns of units, and every query answered by the predicates of `geometry3` alone.

use skirmish::partition::{Neighbor, Pair, UnitId};
use skirmish::volume::{Aabb3, Bodies3, NearestQuery3, Segment3, Vec3};

/// The columns that whoever plays would own.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub centers: Vec<Vec3>,
    /// Empty in a world of points.
    pub half_extents: Vec<Vec3>,
    pub alive: Vec<bool>,
    pub sized: bool,
}

impl World {
    pub fn new(sized: bool) -> Self {
        Self {
            sized,
            ..Self::default()
        }
    }

    pub fn bodies(&self) -> Bodies3<'_> {
        Bodies3 {
            centers: &self.centers,
            half_extents: &self.half_extents,
            // A world without dead rows may leave the column out, and half of the worlds here do.
            alive: if self.centers.len().is_multiple_of(2) && self.alive.iter().all(|alive| *alive)
            {
                &[]
            } else {
                &self.alive
            },
        }
    }

    /// A unit in the first dead row, or in a new one.
    pub fn add(&mut self, center: Vec3, half_extent: Vec3) -> UnitId {
        let row = match self.alive.iter().position(|alive| !alive) {
            Some(row) => row,
            None => {
                self.centers.push(center);
                self.alive.push(true);
                if self.sized {
                    self.half_extents.push(half_extent);
                }
                self.centers.len() - 1
            }
        };
        self.revive(row as UnitId, center, half_extent);
        row as UnitId
    }

    /// Puts a unit into a row that exists.
    pub fn revive(&mut self, unit: UnitId, center: Vec3, half_extent: Vec3) {
        self.centers[unit as usize] = center;
        self.alive[unit as usize] = true;
        self.resize(unit, half_extent);
    }

    pub fn resize(&mut self, unit: UnitId, half_extent: Vec3) {
        if self.sized {
            self.half_extents[unit as usize] = half_extent;
        }
    }

    pub fn units_where(&self, holds: impl Fn(Aabb3) -> bool) -> Vec<UnitId> {
        let bodies = self.bodies();
        bodies
            .ids()
            .filter(|unit| holds(bodies.aabb(*unit)))
            .collect()
    }

    pub fn range(&self, area: Aabb3) -> Vec<UnitId> {
        self.units_where(|body| body.overlaps(area))
    }

    pub fn sphere(&self, center: Vec3, radius: f32) -> Vec<UnitId> {
        self.units_where(|body| body.distance_sq(center) <= radius * radius)
    }

    pub fn segment(&self, segment: Segment3) -> Vec<UnitId> {
        self.units_where(|body| segment.meets(body))
    }

    pub fn nearest(
        &self,
        query: NearestQuery3,
        mut filter: impl FnMut(UnitId) -> bool,
    ) -> Vec<Neighbor> {
        let bodies = self.bodies();
        let mut found: Vec<_> = bodies
            .ids()
            .filter(|unit| filter(*unit))
            .map(|unit| Neighbor {
                unit,
                distance_sq: bodies.aabb(unit).distance_sq(query.point),
            })
            .filter(|neighbor| neighbor.distance_sq <= query.within * query.within)
            .collect();
        found.sort_by(|a, b| {
            a.distance_sq
                .total_cmp(&b.distance_sq)
                .then(a.unit.cmp(&b.unit))
        });
        found.truncate(query.count);
        found
    }

    pub fn pairs(&self, reach: f32) -> Vec<Pair> {
        let bodies = self.bodies();
        let boxes: Vec<_> = bodies.ids().map(|unit| (unit, bodies.aabb(unit))).collect();
        let mut found = Vec::new();
        for (place, (a, body)) in boxes.iter().enumerate() {
            for (b, other) in &boxes[place + 1..] {
                if body.gap_sq(*other) <= reach * reach {
                    found.push((*a, *b));
                }
            }
        }
        found
    }
}
