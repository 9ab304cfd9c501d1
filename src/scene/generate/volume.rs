//! From a scene's flocks and hills to units in space and the ground below them.

use super::{Purpose, ends_of_blobs, stream, stream_behind};
use crate::chance::{self, Stream};
use crate::partition::COORDINATE_LIMIT;
use crate::scene::{Flock, Formation3, Hills, Muster, Scene, Size};
use crate::volume::{Aabb3, Vec3};

/// The units of one flock at the start, without those that were erased. [`Flock::present`] has their numbers in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recruits3 {
    /// Where each is.
    pub positions: Vec<Vec3>,
    /// Half of each one's width, depth and height; empty when they are points.
    pub half_extents: Vec<Vec3>,
}

/// The units of the flock at `index` of the scene's volume, those that were moved where they were put. A flock that the scene does not have is empty.
pub fn flock(scene: &Scene, index: usize) -> Recruits3 {
    let volume = scene.volume.as_ref();
    let Some(flock) = volume.and_then(|volume| volume.flocks.get(index)) else {
        return Recruits3::default();
    };
    let mut positions = places(
        flock,
        scene.field3(),
        &mut stream(scene.seed, Purpose::FlockPlaces, index),
    );
    let mut sizes = stream(scene.seed, Purpose::FlockSizes, index);
    let mut half_extents = half_extents3(flock.size, positions.len(), &mut sizes);
    flock.put_moved(&mut positions);
    flock.put_sized(positions.len(), Vec3::ZERO, &mut half_extents);
    // Only now, so that the streams have dealt everybody else what they would have without an erased one.
    flock.leave_out(&mut positions);
    flock.leave_out(&mut half_extents);
    Recruits3 {
        positions,
        half_extents,
    }
}

/// The ground of the scene: level at the lower of its heights where it has no hills, and at 0 without a volume.
pub fn ground(scene: &Scene) -> Ground {
    let volume = scene.volume.as_ref();
    Ground {
        seed: chance::hash(scene.seed, Purpose::Ground as u64, 0),
        base: volume.map_or(0.0, |volume| volume.heights.0),
        hills: volume.and_then(|volume| volume.hills),
    }
}

/// How high the ground is at each place, inside the field and beyond.
///
/// # Algorithm
///
/// Value noise (Perlin, 1985, in its plainest form):
///
/// 1. The plane is cut into square cells half as wide as the hills are apart. A corner is a hilltop when it is higher than the
///    four next to it, as one in five is: so hills are on average 1.1 times as far apart as they are said to be.
/// 2. Each corner has a height of its own, a hash of the seed and of the corner's numbers: nothing is stored.
/// 3. Between the four corners around a place heights are mixed by smoothstep, t² (3 - 2t), along x and then along y. Its slope
///    is 0 at the corners, so that no edge shows from one cell to the next.
///
/// Four hashes a call and no memory. Nowhere is the ground steeper along one axis than three times the height of the hills
/// divided by how far they are apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// What the corners' heights are drawn from.
    seed: u64,
    /// The lowest that it may be, in metres.
    base: f32,
    /// What rises from it; `None` where it is level.
    hills: Option<Hills>,
}

impl Ground {
    /// Whether there are hills; without, the ground is level.
    pub fn has_hills(&self) -> bool {
        self.hills.is_some()
    }

    /// How high the ground is at this place, on the axis on which the units' heights are given, in metres: from the lower of the
    /// scene's heights to as much above it as its hills are high. What is no place, for a coordinate is no number, counts as
    /// one at the border of what units can reach.
    #[inline]
    pub fn height(&self, x: f32, y: f32) -> f32 {
        let Some(hills) = self.hills else {
            return self.base;
        };
        let (column, right) = cell(x, hills.spacing);
        let (row, up) = cell(y, hills.spacing);
        // Cells so small that their numbers reach the last one have the same corner twice, which is as good as any.
        let (next_column, next_row) = (column.saturating_add(1), row.saturating_add(1));
        let near = mix(
            self.corner(column, row),
            self.corner(next_column, row),
            right,
        );
        let far = mix(
            self.corner(column, next_row),
            self.corner(next_column, next_row),
            right,
        );
        // Mixing may stray by the last bit from between what is mixed.
        let share = mix(near, far, up).clamp(0.0, 1.0);
        (self.base + hills.height * share as f32).min(self.base + hills.height)
    }

    /// How high the corner with these numbers is, from 0 to below 1 of the height of the hills.
    #[inline]
    fn corner(&self, column: i64, row: i64) -> f64 {
        let bits = chance::hash(self.seed, column as u64, row as u64);
        // 53 bits fill the mantissa, so every value is exact and 1 is never reached.
        (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

/// The number of the cell in which a coordinate lies, and how far it is through that cell, from 0 to 1, after smoothstep.
#[inline]
fn cell(coordinate: f32, spacing: f32) -> (i64, f64) {
    // Of a number and NaN, the greater and the lesser are the number.
    #[allow(clippy::manual_clamp)]
    let coordinate = coordinate.max(-COORDINATE_LIMIT).min(COORDINATE_LIMIT);
    // Two cells to a hill, for not every corner is a hilltop.
    let place = 2.0 * f64::from(coordinate) / f64::from(spacing);
    let first = place.floor();
    let through = place - first;
    (first as i64, through * through * (3.0 - 2.0 * through))
}

/// A number between `from`, at a share of 0, and `to`, at 1.
#[inline]
fn mix(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

/// Half of the width, depth and height of `count` bodies of this size; empty for points.
pub fn half_extents3(size: Size<Vec3>, count: usize, stream: &mut Stream) -> Vec<Vec3> {
    match size {
        Size::Point => Vec::new(),
        _ => (0..count).map(|_| half_extent(size, stream)).collect(),
    }
}

/// The same in space as [`sizes_behind`](super::sizes_behind).
pub fn sizes_behind3(
    (seed, index): (u64, usize),
    size: Size<Vec3>,
    (first, count): (usize, usize),
) -> Vec<Vec3> {
    half_extents3(
        size,
        count,
        &mut stream_behind((seed, Purpose::FlockSizes, index), first),
    )
}

/// Half of the width, depth and height of one body of this size.
fn half_extent(size: Size<Vec3>, stream: &mut Stream) -> Vec3 {
    match size {
        Size::Point => Vec3::ZERO,
        Size::Fixed(half_extent) => half_extent,
        Size::Between(min, max) => Vec3::splat(stream.between(min, max)),
        Size::Pareto { min, max, exponent } => Vec3::splat(stream.pareto(min, max, exponent)),
    }
}

/// Where the units of `flock` are in this field.
fn places(flock: &Flock, field: Aabb3, stream: &mut Stream) -> Vec<Vec3> {
    let count = flock.count as usize;
    match &flock.formation {
        Formation3::Uniform(area) => (0..count).map(|_| anywhere_in(*area, stream)).collect(),
        Formation3::Ball { center, radius } => (0..count)
            .map(|_| within_limit(*center + in_unit_ball(stream) * *radius))
            .collect(),
        Formation3::Disc {
            center,
            radius,
            thickness,
        } => (0..count)
            .map(|_| within_limit(*center + in_disc(*radius, *thickness, stream)))
            .collect(),
        Formation3::Clusters {
            area,
            count: clusters,
            spread,
        } => {
            let ends = ends_of_blobs(count, *clusters as usize);
            blobs(ends, (*area, field), *spread, stream)
        }
        Formation3::Spot(point) => vec![*point; count],
        Formation3::Explicit(positions) => positions.iter().copied().take(count).collect(),
    }
}

/// A point of `area`, every one as likely as any other.
fn anywhere_in(area: Aabb3, stream: &mut Stream) -> Vec3 {
    Vec3::new(
        stream.between(area.min.x, area.max.x),
        stream.between(area.min.y, area.max.y),
        stream.between(area.min.z, area.max.z),
    )
}

/// A point at most 1 from the origin, every one as likely as any other.
fn in_unit_ball(stream: &mut Stream) -> Vec3 {
    loop {
        let point = Vec3::new(
            stream.between(-1.0, 1.0),
            stream.between(-1.0, 1.0),
            stream.between(-1.0, 1.0),
        );
        // A ball fills a little more than half of the cube around it, so that two draws are enough as a rule.
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

/// A point of a disc around the origin, which is as thick as it is said to be in its middle and has no thickness at its edge.
fn in_disc(radius: f32, thickness: f32, stream: &mut Stream) -> Vec3 {
    // The lesser of two even draws falls as the thickness does, towards 0 at the edge: so a ring twice as far out, twice as
    // long, is half as dense, and no rim stands out.
    let share = stream.unit().min(stream.unit()) as f32;
    let across = stream.direction() * (radius * share);
    let height = (stream.unit() - 0.5) as f32 * thickness * (1.0 - share);
    across.extend(height)
}

/// Blobs around random middles, which are folded at the border of the field as those on a plane are.
fn blobs(
    ends: impl Iterator<Item = usize>,
    (area, field): (Aabb3, Aabb3),
    spread: f32,
    stream: &mut Stream,
) -> Vec<Vec3> {
    let room = area.join(field);
    let mut places = Vec::new();
    for end in ends {
        let middle = anywhere_in(area, stream);
        while places.len() < end {
            let mut normal = || stream.normal() as f32;
            let offset = Vec3::new(normal(), normal(), normal()) * spread;
            places.push(within_limit(folded(middle + offset, room)));
        }
    }
    places
}

/// The same in space as what folds a point of a plane.
fn folded(point: Vec3, room: Aabb3) -> Vec3 {
    if room.contains(point) {
        return point;
    }
    let inward = point.max(room.min * 2.0 - point);
    inward
        .min(room.max * 2.0 - inward)
        .clamp(room.min, room.max)
}

/// The point itself, or the nearest one at which a unit may be.
fn within_limit(point: Vec3) -> Vec3 {
    point.clamp(
        Vec3::splat(-COORDINATE_LIMIT),
        Vec3::splat(COORDINATE_LIMIT),
    )
}
