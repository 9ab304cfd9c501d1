//! The questions of which units are somewhere, as a structure asks them of a node, a cell and a body alike: of a rectangle, a disc
//! and a way here, and of every other figure in [`shapes`](crate::partition::shapes).

use super::rounding::{ROUNDING, UNDERFLOW, widened};
use super::simd::{Bodies, Boxes, Kernel};
use super::turn::{turned, turned_box, turned_segment};
use crate::geometry::{Aabb, Segment, Vec2};
use crate::partition::UnitId;
use std::ops::Range;

/// An area of which a structure finds the units in it.
///
/// [`Search::holds`] alone says who is a result. The rest says where to look, and is rounded outwards.
pub trait Search: Sized {
    /// Whether the area leaves most of its bounding box empty, so that a grid had better ask each row how far it reaches.
    const IS_THIN: bool = false;

    /// Whether a body with this box is a result, and whether a node with this box may hold one.
    fn holds(&self, bounds: Aabb) -> bool;

    /// Whether every body inside this box is a result, so that none of them has to be tested.
    fn swallows(&self, bounds: Aabb) -> bool;

    /// The area itself where it is a box: whoever has the centre in it is a result, whatever the size, and whoever does not
    /// come near it is none.
    fn core(&self) -> Option<Aabb> {
        None
    }

    /// A box that every result overlaps, for structures that allow for the rounding of their own borders.
    fn bounds(&self) -> Aabb;

    /// [`Search::bounds`] for structures that compare it with the borders of bodies as they are.
    fn cover(&self) -> Aabb {
        self.bounds()
    }

    /// From where to where along x the area reaches within the heights of `band`, for the centres of bodies that reach
    /// `size` beyond the band and beyond themselves; nothing where it does not. `rounding` is how far a long way may miss
    /// the heights by.
    fn across(&self, band: Aabb, size: Vec2, rounding: f32) -> Option<(f32, f32)>;

    /// How far the area reaches along a direction of length 1: from the lowest to the highest product with `normal`.
    ///
    /// Rounded outwards far enough that a body whose own stretch does not overlap this one fails [`Search::holds`], whose
    /// rounding is not the same.
    fn along(&self, normal: Vec2) -> (f64, f64);

    /// The same area with the axes exchanged where `axis` is 1, for structures that turn their bodies.
    fn turned(&self, axis: usize) -> Self;

    /// Writes who of a `run` of `bodies` it [holds](Search::holds) to the front of `free`, in their order, and says how many:
    /// many at once where the area has a kernel of its own, as rectangles and discs do.
    ///
    /// `free` is at least `PADDING` places longer than the run; what is behind the hits is overwritten with
    /// anything.
    #[inline(always)]
    fn sift<K: Kernel, const SIZED: bool>(
        &self,
        _kernel: K,
        free: &mut [UnitId],
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let mut count = 0;
        for (place, &unit) in run.clone().zip(bodies.ids(run)) {
            free[count] = unit;
            count += usize::from(self.holds(bodies.body::<SIZED>(place)));
        }
        count
    }

    /// Which of four boxes it [holds](Search::holds), and which it [swallows](Search::swallows), a bit each: all at once where the area
    /// has a kernel of its own, as rectangles and discs do.
    #[inline(always)]
    fn look_at<K: Kernel>(&self, _kernel: K, boxes: &Boxes) -> (u32, u32) {
        let (mut held, mut swallowed) = (0, 0);
        for at in 0..4 {
            let bounds = boxes.get(at);
            if self.holds(bounds) {
                held |= 1 << at;
                swallowed |= u32::from(self.swallows(bounds)) << at;
            }
        }
        (held, swallowed)
    }
}

/// The product of a place with a direction. Both products are exact in `f64`; only their sum is rounded.
#[inline]
pub fn project(normal: Vec2, place: Vec2) -> f64 {
    f64::from(normal.x) * f64::from(place.x) + f64::from(normal.y) * f64::from(place.y)
}

/// How far a box reaches along a direction of length 1, rounded outwards.
#[inline]
pub fn project_box(normal: Vec2, bounds: Aabb) -> (f64, f64) {
    let along = |direction: f32, low: f32, high: f32| {
        let (a, b) = (
            f64::from(direction) * f64::from(low),
            f64::from(direction) * f64::from(high),
        );
        (a.min(b), a.max(b))
    };
    let x = along(normal.x, bounds.min.x, bounds.max.x);
    let y = along(normal.y, bounds.min.y, bounds.max.y);
    let slack = PROJECTION_SLACK * (x.0.abs() + x.1.abs() + y.0.abs() + y.1.abs());
    (x.0 + y.0 - slack, x.1 + y.1 + slack)
}

/// A sum of two numbers is off by at most 2⁻⁵³ of itself; this is a generous multiple.
const PROJECTION_SLACK: f64 = 1.0e-15;

/// How far a reach in metres may lie behind what rounded squares of distances let pass: three roundings of 2⁻²⁴ each, and
/// the squares that are too small for an `f32` at all.
#[inline]
pub fn outwards(reach: f32) -> f64 {
    f64::from(reach.abs()) * (1.0 + 1.0e-6) + 1.0e-18
}

/// The squared distance of two things that are `gap` apart, rounded down far enough to be no more than any distance that
/// is computed in `f32`.
#[inline]
pub fn inwards_sq(gap: f64) -> f32 {
    let gap = (gap * (1.0 - 1.0e-6) - 1.0e-18).max(0.0);
    (gap * gap) as f32
}

/// Bodies that overlap a box.
#[derive(Clone, Copy, Debug)]
pub struct Rectangle(pub Aabb);

impl Search for Rectangle {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        bounds.overlaps(self.0)
    }

    #[inline]
    fn swallows(&self, bounds: Aabb) -> bool {
        self.0.contains_box(bounds)
    }

    #[inline]
    fn core(&self) -> Option<Aabb> {
        Some(self.0)
    }

    #[inline]
    fn bounds(&self) -> Aabb {
        self.0
    }

    #[inline]
    fn across(&self, _band: Aabb, size: Vec2, _rounding: f32) -> Option<(f32, f32)> {
        Some((self.0.min.x - size.x, self.0.max.x + size.x))
    }

    #[inline]
    fn along(&self, normal: Vec2) -> (f64, f64) {
        // Infinity times the 0 of a direction along an axis would be no number.
        const FARTHEST: Vec2 = Vec2::splat(f32::MAX);
        let finite = |corner: Vec2| corner.clamp(-FARTHEST, FARTHEST);
        project_box(normal, Aabb::new(finite(self.0.min), finite(self.0.max)))
    }

    #[inline]
    fn turned(&self, axis: usize) -> Self {
        Self(turned_box(axis, self.0))
    }

    #[inline(always)]
    fn sift<K: Kernel, const SIZED: bool>(
        &self,
        kernel: K,
        free: &mut [UnitId],
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        kernel.overlapping::<SIZED>(free, self.0, bodies, run)
    }

    #[inline(always)]
    fn look_at<K: Kernel>(&self, kernel: K, boxes: &Boxes) -> (u32, u32) {
        kernel.met_and_inside(boxes, self.0)
    }
}

/// Bodies that come within a radius of a point.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    center: Vec2,
    radius: f32,
}

impl Disc {
    /// The disc of this radius around `center`.
    pub fn new(center: Vec2, radius: f32) -> Self {
        Self { center, radius }
    }
}

impl Search for Disc {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        bounds.distance_sq(self.center) <= self.radius * self.radius
    }

    /// The farthest corner is in reach. Its distance is rounded the same way as that of any box inside, so no body is
    /// taken that its own test would turn away.
    #[inline]
    fn swallows(&self, bounds: Aabb) -> bool {
        let farthest = (bounds.max - self.center).max(self.center - bounds.min);
        farthest.length_squared() <= self.radius * self.radius
    }

    #[inline]
    fn bounds(&self) -> Aabb {
        Aabb::around(self.center, Vec2::splat(widened(self.radius)))
    }

    /// A border is rounded where it is computed, so it is moved out by a little more than that.
    #[inline]
    fn cover(&self) -> Aabb {
        let grow = Vec2::splat(widened(self.radius)) + self.center.abs() * ROUNDING;
        Aabb::around(self.center, grow)
    }

    /// The disc's chord where the band is nearest to its middle.
    #[inline]
    fn across(&self, band: Aabb, size: Vec2, _rounding: f32) -> Option<(f32, f32)> {
        let gap_sq = band.grown(size).distance_sq(self.center);
        if gap_sq > self.radius * self.radius {
            return None;
        }
        let reach = widened(self.radius);
        let half = widened((reach * reach - gap_sq).max(0.0).sqrt()).min(reach) + size.x;
        Some((self.center.x - half, self.center.x + half))
    }

    #[inline]
    fn along(&self, normal: Vec2) -> (f64, f64) {
        let (low, high) = project_box(normal, Aabb::new(self.center, self.center));
        let reach = outwards(self.radius);
        (low - reach, high + reach)
    }

    #[inline]
    fn turned(&self, axis: usize) -> Self {
        Self {
            center: turned(axis, self.center),
            ..*self
        }
    }

    #[inline(always)]
    fn sift<K: Kernel, const SIZED: bool>(
        &self,
        kernel: K,
        free: &mut [UnitId],
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let radius_sq = self.radius * self.radius;
        kernel.within::<SIZED, false>(free, &mut [], self.center, radius_sq, bodies, run)
    }

    #[inline(always)]
    fn look_at<K: Kernel>(&self, kernel: K, boxes: &Boxes) -> (u32, u32) {
        kernel.near_and_within(boxes, self.center, self.radius * self.radius)
    }
}

/// Bodies that a segment meets.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    segment: Segment,
    /// The slab test rounds along the whole way, so a far end blurs the near one too: by how much, in metres.
    slack: f32,
}

impl Way {
    /// The way along `segment`.
    pub fn new(segment: Segment) -> Self {
        let ends = segment.from.abs() + segment.to.abs();
        Self {
            segment,
            slack: ends.max_element() * ROUNDING + UNDERFLOW,
        }
    }
}

impl Search for Way {
    const IS_THIN: bool = true;

    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        self.segment.meets(bounds)
    }

    #[inline]
    fn swallows(&self, _bounds: Aabb) -> bool {
        false
    }

    #[inline]
    fn bounds(&self) -> Aabb {
        self.segment.aabb().grown(Vec2::splat(self.slack))
    }

    fn across(&self, band: Aabb, size: Vec2, rounding: f32) -> Option<(f32, f32)> {
        let segment = &self.segment;
        let (from, to) = (segment.from.as_dvec2(), segment.to.as_dvec2());
        let way = to - from;
        let size = size.as_dvec2() + f64::from(segment.half_width);
        let grow = size * (1.0 + f64::from(ROUNDING)) + f64::from(self.slack);
        let low = f64::from(band.min.y) - grow.y - f64::from(rounding);
        let high = f64::from(band.max.y) + grow.y + f64::from(rounding);
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        if way.y == 0.0 {
            if from.y < low || from.y > high {
                return None;
            }
        } else {
            let (a, b) = ((low - from.y) / way.y, (high - from.y) / way.y);
            begin = begin.max(a.min(b));
            end = end.min(a.max(b));
            if begin > end {
                return None;
            }
        }
        let (a, b) = (from.x + way.x * begin, from.x + way.x * end);
        Some(((a.min(b) - grow.x) as f32, (a.max(b) + grow.x) as f32))
    }

    /// The slab test divides in `f32`: where on its way the segment enters a box is known to a few millionths of the
    /// coordinates in play.
    fn along(&self, normal: Vec2) -> (f64, f64) {
        let Segment {
            from,
            to,
            half_width,
        } = self.segment;
        let (a, b) = (project(normal, from), project(normal, to));
        let thickness = f64::from(half_width) * f64::from(normal.x.abs() + normal.y.abs());
        let scale = from.abs().max(to.abs()).element_sum() + half_width;
        let slack = thickness + 4.0e-6 * f64::from(scale) + 1.0e-18;
        (a.min(b) - slack, a.max(b) + slack)
    }

    #[inline]
    fn turned(&self, axis: usize) -> Self {
        Self {
            segment: turned_segment(axis, self.segment),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_is_rounded_outwards_past_whatever_its_rounded_square_lets_pass() {
        for reach in [1.0e-3_f32, 0.7, 1.0, 3.0, 1.1e3, 9.9e8] {
            let mut distance = reach;
            while distance.next_up() * distance.next_up() <= reach * reach {
                distance = distance.next_up();
            }
            // The difference of two coordinates is rounded as well.
            let farthest = f64::from(distance) * (1.0 + f64::from(f32::EPSILON));
            assert!(outwards(reach) > farthest, "{reach}");
            assert!(outwards(reach) < farthest * (1.0 + 1.0e-5), "{reach}");
        }
    }

    #[test]
    fn a_level_way_crosses_only_the_bands_that_it_is_in() {
        let way = Way::new(Segment {
            from: Vec2::new(1.0, 5.0),
            to: Vec2::new(9.0, 5.0),
            half_width: 0.5,
        });
        let across = |low: f32, high: f32| {
            let band = Aabb::new(Vec2::new(-100.0, low), Vec2::new(100.0, high));
            way.across(band, Vec2::ZERO, 0.0)
        };
        assert_eq!(across(6.0, 8.0), None);
        assert_eq!(across(2.0, 4.0), None);
        for (low, high) in [(5.0, 6.0), (5.25, 8.0), (2.0, 4.75), (0.0, 10.0)] {
            let (left, right) = across(low, high).expect("a band that it is in");
            assert!((0.49..0.5).contains(&left) && (9.5..9.51).contains(&right));
        }
    }

    #[test]
    fn a_way_misses_the_heights_of_a_band_by_no_more_than_the_rounding() {
        let way = Way::new(Segment {
            from: Vec2::new(1.0, 5.0),
            to: Vec2::new(9.0, 5.0),
            half_width: 0.5,
        });
        let across = |low: f32, high: f32, rounding: f32| {
            let band = Aabb::new(Vec2::new(-100.0, low), Vec2::new(100.0, high));
            way.across(band, Vec2::ZERO, rounding).is_some()
        };
        // A metre below the way and a metre above it.
        for (low, high) in [(0.0, 4.0), (6.0, 10.0)] {
            assert!(!across(low, high, 0.25));
            assert!(across(low, high, 0.75));
        }
    }
}
