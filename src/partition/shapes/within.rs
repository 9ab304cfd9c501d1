//! Any figure as the one search that a structure is asked.

use super::{Figure, Outline};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, UNDERFLOW};
use crate::partition::toolkit::search::{Search, project_box};
use crate::partition::toolkit::turn::{turned, turned_box};
use glam::DVec2;

/// A figure behind a pointer.
#[derive(Clone, Copy, Debug)]
pub(in crate::partition) struct Within<'f> {
    figure: &'f dyn Figure,
    outline: Outline<'f>,
    /// The figure's bounds, turned like it.
    bounds: Aabb,
    /// Whether the axes are exchanged.
    axis: usize,
    /// The greatest coordinate in play.
    scale: f64,
}

impl<'f> Within<'f> {
    /// The search for who is in a figure; nothing where there is no such area.
    pub(in crate::partition) fn new(figure: &'f dyn Figure) -> Option<Self> {
        let bounds = figure.bounds();
        let outline = figure.outline();
        (!bounds.is_empty() && !outline.corners.is_empty()).then(|| Self {
            figure,
            outline,
            bounds,
            axis: 0,
            scale: outline.scale(),
        })
    }
}

impl Search for Within<'_> {
    const IS_THIN: bool = true;

    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        bounds.overlaps(self.bounds) && self.figure.holds(turned_box(self.axis, bounds))
    }

    #[inline]
    fn swallows(&self, bounds: Aabb) -> bool {
        !bounds.is_empty()
            && self.bounds.contains_box(bounds)
            && self.figure.swallows(turned_box(self.axis, bounds))
    }

    #[inline]
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Where the lines run within the heights: whatever is between them begins and ends at one.
    fn across(&self, band: Aabb, size: Vec2, rounding: f32) -> Option<(f32, f32)> {
        // A border is rounded where it is computed, and so is where a long line enters the band.
        let slack = self.scale * f64::from(ROUNDING) + f64::from(UNDERFLOW);
        let size = size.as_dvec2() * (1.0 + f64::from(ROUNDING)) + slack;
        let beyond = size.y + f64::from(rounding) + self.outline.reach;
        let (low, high) = (
            f64::from(band.min.y) - beyond,
            f64::from(band.max.y) + beyond,
        );
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (from, to) in self.outline.lines() {
            let [(from_x, from_y), (to_x, to_y)] = [from, to].map(|place| {
                let (x, y) = (place.x, place.y);
                if self.axis == 0 { (x, y) } else { (y, x) }
            });
            let (mut begin, mut end) = (0.0_f64, 1.0_f64);
            let climb = to_y - from_y;
            if climb == 0.0 {
                if from_y < low || from_y > high {
                    continue;
                }
            } else {
                let (a, b) = ((low - from_y) / climb, (high - from_y) / climb);
                begin = begin.max(a.min(b));
                end = end.min(a.max(b));
                if begin > end {
                    continue;
                }
            }
            for part in [begin, end] {
                let x = from_x + (to_x - from_x) * part;
                (left, right) = (left.min(x), right.max(x));
            }
        }
        let reach = self.outline.reach;
        let left = (left - reach).max(self.bounds.min.x.into()) - size.x;
        let right = (right + reach).min(self.bounds.max.x.into()) + size.x;
        (left <= right).then_some((left as f32, right as f32))
    }

    /// From the lowest corner to the highest, with what the area reaches beyond them, and no farther than its bounds.
    fn along(&self, normal: Vec2) -> (f64, f64) {
        let (low, high) = project_box(normal, self.bounds);
        let direction = turned(self.axis, normal).as_dvec2();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for &corner in self.outline.corners {
            let product = DVec2::dot(corner, direction);
            (least, most) = (least.min(product), most.max(product));
        }
        // A direction in `f32` is not quite of length 1, and sums are rounded.
        let slack = self.outline.reach * (1.0 + 1.0e-6) + self.scale * 1.0e-12 + 1.0e-18;
        (low.max(least - slack), high.min(most + slack))
    }

    #[inline]
    fn turned(&self, axis: usize) -> Self {
        Self {
            bounds: turned_box(axis, self.bounds),
            axis: self.axis ^ axis,
            ..*self
        }
    }
}
