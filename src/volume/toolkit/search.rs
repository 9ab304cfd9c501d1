//! The questions of which units are somewhere, as a structure asks them of a node, a cell and a body alike: of a box, a ball
//! and a way.

use super::rounding::{ROUNDING, UNDERFLOW, widened};
use crate::partition::toolkit::simd::{Eight, Kernel};
use crate::volume::{Aabb3, Segment3, Vec3};

/// A part of space of which a structure finds the units in it.
///
/// [`Search3::holds`] alone says who is a result. The rest says where to look, and is rounded outwards.
pub trait Search3 {
    /// Whether a body with this box is a result, and whether a node with this box may hold one.
    fn holds(&self, bounds: Aabb3) -> bool;

    /// Which of eight bodies are results, a bit each.
    #[inline(always)]
    fn lanes<K: Kernel, const SIZED: bool>(&self, _kernel: K, bodies: Eight<'_>) -> u32 {
        let corner = |columns: &[[f32; 8]; 3], lane: usize| {
            Vec3::new(columns[0][lane], columns[1][lane], columns[2][lane])
        };
        let body = |lane| Aabb3::new(corner(bodies.low, lane), corner(bodies.high, lane));
        (0..8).fold(0, |set, lane| {
            set | u32::from(self.holds(body(lane))) << lane
        })
    }

    /// Whether every body inside this box is a result, so that none of them has to be tested.
    fn swallows(&self, bounds: Aabb3) -> bool;

    /// A box that every result overlaps.
    fn cover(&self) -> Aabb3;
}

/// Bodies that overlap a box.
#[derive(Clone, Copy, Debug)]
pub struct Cuboid(pub Aabb3);

impl Search3 for Cuboid {
    #[inline]
    fn holds(&self, bounds: Aabb3) -> bool {
        bounds.overlaps(self.0)
    }

    #[inline(always)]
    fn lanes<K: Kernel, const SIZED: bool>(&self, kernel: K, bodies: Eight<'_>) -> u32 {
        kernel.overlapping_eight::<SIZED>(bodies, self.0)
    }

    #[inline]
    fn swallows(&self, bounds: Aabb3) -> bool {
        self.0.contains_box(bounds)
    }

    #[inline]
    fn cover(&self) -> Aabb3 {
        self.0
    }
}

/// Bodies that come within a radius of a point.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    center: Vec3,
    radius: f32,
}

impl Ball {
    /// The ball of this radius around `center`.
    pub fn new(center: Vec3, radius: f32) -> Self {
        Self { center, radius }
    }
}

impl Search3 for Ball {
    #[inline]
    fn holds(&self, bounds: Aabb3) -> bool {
        bounds.distance_sq(self.center) <= self.radius * self.radius
    }

    #[inline(always)]
    fn lanes<K: Kernel, const SIZED: bool>(&self, kernel: K, bodies: Eight<'_>) -> u32 {
        let (spot, radius_sq) = (Aabb3::point(self.center), self.radius * self.radius);
        kernel.near_eight::<SIZED>(bodies, spot, radius_sq).0
    }

    /// The farthest corner is in reach. Its distance is rounded the same way as that of any box inside, so no body is
    /// taken that its own test would turn away.
    #[inline]
    fn swallows(&self, bounds: Aabb3) -> bool {
        let Vec3 { x, y, z } = (bounds.max - self.center).max(self.center - bounds.min);
        x * x + y * y + z * z <= self.radius * self.radius
    }

    /// A border is rounded where it is computed, so it is moved out by a little more than that.
    #[inline]
    fn cover(&self) -> Aabb3 {
        let grow = Vec3::splat(widened(self.radius)) + self.center.abs() * ROUNDING;
        Aabb3::around(self.center, grow)
    }
}

/// Bodies that a segment meets.
#[derive(Clone, Copy, Debug)]
pub struct Way3(pub Segment3);

impl Search3 for Way3 {
    #[inline]
    fn holds(&self, bounds: Aabb3) -> bool {
        self.0.meets(bounds)
    }

    #[inline]
    fn swallows(&self, _bounds: Aabb3) -> bool {
        false
    }

    /// The slab test rounds along the whole way, so a far end blurs the near one too.
    #[inline]
    fn cover(&self) -> Aabb3 {
        let ends = self.0.from.abs() + self.0.to.abs() + self.0.half_width;
        let slack = ends.max_element() * ROUNDING + UNDERFLOW;
        self.0.aabb().grown(Vec3::splat(slack))
    }
}
