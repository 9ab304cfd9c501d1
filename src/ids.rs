//! The words that probes and structures share: who, where, and two of them.
//!
//! Invariant: this module imports nothing, so that [`crate::probe`] and [`crate::partition`] need not import each other.

/// A unit: the index of its row in the battle's columns.
pub type UnitId = u32;

/// A node, cell, slot or room, in the numbering of its structure. Stable from one edit to the next, not across a rebuild.
pub type RegionId = u32;

/// Two units within reach of each other, the smaller id first.
pub type Pair = (UnitId, UnitId);
