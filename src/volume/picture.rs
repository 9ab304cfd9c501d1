//! How a structure shows itself: boxes without colours.

use crate::geometry3::Aabb3;
use crate::partition::{RegionId, Role};

/// A region as it is drawn and inspected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region3 {
    /// The same id that the probe's events name.
    pub id: RegionId,
    /// Its outline, in metres.
    pub bounds: Aabb3,
    /// Its distance from the root; 0 for cells.
    pub depth: u16,
    /// How many units it holds itself.
    pub load: u32,
    /// How many it may hold before it splits; 0 where there is no such number.
    pub capacity: u32,
    /// What it is.
    pub role: Role,
    /// The region above it.
    pub parent: Option<RegionId>,
}
