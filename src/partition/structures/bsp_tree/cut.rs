//! A line between two halves of a crowd, across the way in which it is spread the widest.

use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::search::{Search, inwards_sq, project, project_box};

/// A unit while the crowd is halved. There are two kinds, so that of points no more is carried about than they are.
pub(super) trait Item: Copy {
    fn new(unit: UnitId, body: Aabb) -> Self;

    fn unit(&self) -> UnitId;

    fn body(&self) -> Aabb;

    /// The middle of the body, by which it is on one side or the other.
    fn middle(&self) -> Vec2;
}

/// A unit without a size.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointItem {
    at: Vec2,
    unit: UnitId,
}

impl Item for PointItem {
    fn new(unit: UnitId, body: Aabb) -> Self {
        Self { at: body.min, unit }
    }

    #[inline]
    fn unit(&self) -> UnitId {
        self.unit
    }

    #[inline]
    fn body(&self) -> Aabb {
        Aabb::new(self.at, self.at)
    }

    #[inline]
    fn middle(&self) -> Vec2 {
        self.at
    }
}

/// A unit with a size.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyItem {
    body: Aabb,
    unit: UnitId,
}

impl Item for BodyItem {
    fn new(unit: UnitId, body: Aabb) -> Self {
        Self { body, unit }
    }

    #[inline]
    fn unit(&self) -> UnitId {
        self.unit
    }

    #[inline]
    fn body(&self) -> Aabb {
        self.body
    }

    #[inline]
    fn middle(&self) -> Vec2 {
        self.body.center()
    }
}

/// A line, and how near to it the bodies of both sides come.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineCut {
    /// The direction across the line, of length 1, from the first side to the second.
    pub(super) normal: Vec2,
    /// Where the line is along the normal, in metres: midway between the last centre before and the first behind.
    pub(super) at: f64,
    /// How far the boxes of the first side reach forward along the normal, rounded outwards.
    pub(super) high: f64,
    /// How far the boxes of the second side reach back.
    pub(super) low: f64,
}

/// The direction in which the items are spread the widest.
fn principal_axis<T: Item>(items: &[T]) -> Vec2 {
    let Some(first) = items.first().map(T::middle) else {
        return Vec2::X;
    };
    // Sums of differences from one of them: far from the origin, squares of coordinates would leave nothing of the spread.
    let (mut x_sum, mut y_sum, mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for item in items {
        let middle = item.middle();
        let x = f64::from(middle.x) - f64::from(first.x);
        let y = f64::from(middle.y) - f64::from(first.y);
        x_sum += x;
        y_sum += y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let count = items.len() as f64;
    let (xx, xy, yy) = (
        xx - x_sum * x_sum / count,
        xy - x_sum * y_sum / count,
        yy - y_sum * y_sum / count,
    );
    let half_difference = (xx - yy) * 0.5;
    let root = (half_difference * half_difference + xy * xy).sqrt();
    // Of the two forms of the eigenvector the one that subtracts nothing.
    let (x, y) = if half_difference >= 0.0 {
        (half_difference + root, xy)
    } else {
        (xy, root - half_difference)
    };
    let length = (x * x + y * y).sqrt();
    let axis = Vec2::new((x / length) as f32, (y / length) as f32);
    // No spread at all, or none that can be told from rounding.
    if axis.is_finite() { axis } else { Vec2::X }
}

impl LineCut {
    /// What stands in a node that has not been cut yet.
    pub(super) const UNCUT: Self = Self {
        normal: Vec2::X,
        at: 0.0,
        high: 0.0,
        low: 0.0,
    };

    /// Chooses the line and brings the items into order: the first `first` lie on its first side, the others on its second.
    pub(super) fn between<T: Item>(items: &mut [T], first: usize) -> Self {
        let normal = principal_axis(items);
        let along = |item: &T| project(normal, item.middle());
        let (before, next, _) =
            items.select_nth_unstable_by(first, |a, b| along(a).total_cmp(&along(b)));
        let last = before.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let mut cut = Self {
            normal,
            at: (last + along(next)) * 0.5,
            high: f64::NEG_INFINITY,
            low: f64::INFINITY,
        };
        for (place, item) in items.iter().enumerate() {
            cut.widen(usize::from(place >= first), item.body());
        }
        cut
    }

    /// The side of a middle; nothing for one on the line itself, which may be on either.
    #[inline]
    pub(super) fn side_of(&self, middle: Vec2) -> Option<usize> {
        let along = project(self.normal, middle);
        if along == self.at {
            None
        } else {
            Some(usize::from(along > self.at))
        }
    }

    /// Whether a middle may be on this side.
    #[inline]
    pub(super) fn admits(&self, side: usize, middle: Vec2) -> bool {
        self.side_of(middle).is_none_or(|own| own == side)
    }

    /// Takes note that a unit on this side has this box.
    #[inline]
    pub(super) fn widen(&mut self, side: usize, body: Aabb) {
        let (low, high) = project_box(self.normal, body);
        if side == 0 {
            self.high = self.high.max(high);
        } else {
            self.low = self.low.min(low);
        }
    }

    /// Whether it is noted how far a unit with this box, on this side, reaches.
    pub(super) fn covers(&self, side: usize, body: Aabb) -> bool {
        let (low, high) = project_box(self.normal, body);
        if side == 0 {
            high <= self.high
        } else {
            self.low <= low
        }
    }

    /// Whether a search comes as far as the bodies of this side.
    #[inline]
    pub(super) fn reaches(&self, side: usize, search: &impl Search) -> bool {
        let (low, high) = search.along(self.normal);
        if side == 0 {
            low <= self.high
        } else {
            self.low <= high
        }
    }

    /// A squared distance that no body of this side is nearer to `point` than.
    #[inline]
    pub(super) fn apart_sq(&self, side: usize, point: Vec2) -> f32 {
        let (low, high) = project_box(self.normal, Aabb::new(point, point));
        inwards_sq(if side == 0 {
            low - self.high
        } else {
            self.low - high
        })
    }

    pub(super) fn text(&self) -> String {
        let Vec2 { x, y } = self.normal;
        format!("{x:.2} x + {y:.2} y = {:.2}", self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f32` knows every 64th metre there, and squares of such coordinates hide a spread of a thousand metres.
    #[test]
    fn the_widest_spread_is_found_a_billion_metres_from_the_origin() {
        for origin in [Vec2::ZERO, Vec2::splat(1.0e9), Vec2::new(-1.0e9, 1.0e9)] {
            let items: Vec<_> = (0..99)
                .map(|unit| PointItem {
                    at: origin + Vec2::new(64.0, 128.0) * (unit * unit % 7) as f32,
                    unit,
                })
                .collect();
            let axis = principal_axis(&items);
            let way = Vec2::new(1.0, 2.0).normalize();
            assert!((axis - way).length() < 1.0e-6, "{axis} from {origin}");
        }
    }
}
