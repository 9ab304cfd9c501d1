//! What is asked of a structure. What it answers knows no dimension and is that of [`crate::partition`].

use crate::geometry3::{Aabb3, Vec3};

/// What [`Partition3::nearest`](super::Partition3::nearest) looks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestQuery3 {
    /// From where.
    pub point: Vec3,
    /// How many at the most.
    pub count: usize,
    /// How far at the most, in metres, closed; infinity for no limit. Below zero nobody is found.
    pub within: f32,
}

/// Which regions are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionQuery3 {
    /// Only regions that overlap this box, which may be the view, a slice or a single point.
    pub area: Aabb3,
    /// Regions whose longest side is below this, in metres, are left out together with all below them; 0 gives all.
    pub min_size: f32,
}

impl RegionQuery3 {
    /// Every region.
    pub const ALL: Self = Self {
        area: Aabb3::EVERYTHING,
        min_size: 0.0,
    };

    /// Whether a region with this outline is meant.
    #[inline]
    pub fn wants(&self, bounds: Aabb3) -> bool {
        bounds.overlaps(self.area) && bounds.size().max_element() >= self.min_size
    }
}
