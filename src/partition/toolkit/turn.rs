//! Exchanging the axes, for structures that sort along one of them.

use crate::geometry::{Aabb, Segment, Vec2};

/// Exchanges the axes where `axis` is 1, so that x is always along it: no predicate can tell, down to the last bit.
#[inline(always)]
pub fn turned(axis: usize, point: Vec2) -> Vec2 {
    if axis == 0 {
        point
    } else {
        Vec2::new(point.y, point.x)
    }
}

/// [`turned`] for a box.
#[inline(always)]
pub fn turned_box(axis: usize, area: Aabb) -> Aabb {
    Aabb::new(turned(axis, area.min), turned(axis, area.max))
}

/// [`turned`] for a segment.
pub fn turned_segment(axis: usize, segment: Segment) -> Segment {
    Segment {
        from: turned(axis, segment.from),
        to: turned(axis, segment.to),
        ..segment
    }
}
