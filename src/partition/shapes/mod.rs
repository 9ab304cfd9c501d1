//! Areas of any shape to search in, each of them one file and one row of [`AnyFigure`], answered by every structure.
//!
//! A structure knows no shape: it asks whoever it searches for through [`Search`](super::Search), and all figures reach it as
//! one type behind a pointer. So what a structure costs to compile does not grow with the shapes that there are.
//!
//! A new shape is a file that implements [`Figure`] and [`Written`], its `mod` line here, and its row in the registry: then
//! [`Partition::within`](super::Partition::within) finds it in every structure, `skirmish trace` reads it, and each event of its
//! search has its sentence.
//!
//! Invariant: [`Figure::holds`] alone says who is a result, and holds a box wherever it holds one inside it, in the arithmetic of
//! this machine and not just on paper. All else says where to look, and is rounded outwards.
//!
//! Invariant: no figure allocates while it is asked.

use super::FARTHEST;
use crate::geometry::{Aabb, Vec2};
use glam::DVec2;
use std::fmt;

mod around;
mod corridor;
pub(crate) mod distance;
mod exact;
mod form;
mod polygon;
mod registry;
mod sector;
mod within;

#[cfg(test)]
mod tests;

pub use around::Around;
pub use corridor::Corridor;
pub use form::{Form, Number, Written};
pub use polygon::Polygon;
pub use registry::AnyFigure;
pub use sector::Sector;
pub(super) use within::Within;

/// The most corners of a polygon or a path: each of them is looked at in every test.
pub const MOST_CORNERS: usize = 64;

/// An area of any shape, closed: what only touches it is found.
pub trait Figure: fmt::Debug + Send + Sync {
    /// The word for it in a sentence.
    fn name(&self) -> &'static str;

    /// Whether a body with this box is a result, and whether a node with this box may hold one. Never for an inverted box.
    fn holds(&self, body: Aabb) -> bool;

    /// Whether every place in this box is held, so that nobody who has one of them in it has to be tested. It may say no where
    /// that is hard to tell.
    fn swallows(&self, area: Aabb) -> bool;

    /// A finite box that every result overlaps. [`Aabb::EMPTY`] where there is no such area, as of a radius below zero or a
    /// corner that is no number: nobody is found in it, and no structure is asked.
    fn bounds(&self) -> Aabb;

    /// Lines around the area: nobody is a result who does not come near them or between them.
    fn outline(&self) -> Outline<'_>;

    /// How far beside the area a box ends, in metres; 0 where they meet.
    fn gap(&self, area: Aabb) -> f64;
}

/// Lines from corner to corner.
#[derive(Clone, Copy, Debug)]
pub struct Outline<'a> {
    /// The corners in their order; at least one.
    pub corners: &'a [DVec2],
    /// Whether a line leads from the last corner back to the first, and all that is between the lines belongs to the area.
    pub is_closed: bool,
    /// How far the area reaches beyond its lines, in metres.
    pub reach: f64,
}

impl<'a> Outline<'a> {
    /// Each line, from where to where. A single corner is a line to itself.
    fn lines(self) -> impl Iterator<Item = (DVec2, DVec2)> + 'a {
        let Self { corners, .. } = self;
        let last = match self.is_closed || corners.len() == 1 {
            true => corners.len(),
            false => corners.len() - 1,
        };
        (0..last).map(move |place| (corners[place], corners[(place + 1) % corners.len()]))
    }

    /// The greatest coordinate in play, in metres from the origin.
    fn scale(self) -> f64 {
        let farthest = |scale: f64, corner: &DVec2| scale.max(corner.abs().max_element());
        self.corners.iter().fold(0.0, farthest) + self.reach
    }
}

/// The box between two corners, rounded outwards and cut to where anybody may be.
fn enclosing(low: DVec2, high: DVec2) -> Aabb {
    let far = DVec2::splat(FARTHEST.into());
    let (low, high) = (low.clamp(-far, far), high.clamp(-far, far));
    let (mut min, mut max) = (low.as_vec2(), high.as_vec2());
    for axis in 0..2 {
        if f64::from(min[axis]) > low[axis] {
            min[axis] = min[axis].next_down();
        }
        if f64::from(max[axis]) < high[axis] {
            max[axis] = max[axis].next_up();
        }
    }
    Aabb::new(min, max)
}

/// The part of a body that may be in an area with these bounds: what is beyond them makes no difference, and may be endless.
fn part_within(body: Aabb, bounds: Aabb) -> Option<(DVec2, DVec2)> {
    let part = body.meet(bounds);
    (!part.is_empty()).then(|| (part.min.as_dvec2(), part.max.as_dvec2()))
}

/// A length whose square is finite, as far as anybody is.
fn finite(length: f32) -> f64 {
    f64::from(length.min(f32::MAX))
}

/// The coordinates of corners that are those of an `f32`.
fn numbers_of(corners: &[DVec2]) -> Vec<f32> {
    let coordinates = corners
        .iter()
        .flat_map(|corner| corner.as_vec2().to_array());
    coordinates.collect()
}

/// The corners of numbers behind each other, x and y of each.
fn corners_of(numbers: &[f32]) -> Vec<Vec2> {
    let corners = numbers.chunks_exact(2);
    corners
        .map(|corner| Vec2::new(corner[0], corner[1]))
        .collect()
}
