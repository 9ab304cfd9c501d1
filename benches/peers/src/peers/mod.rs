//! The peers, one adapter a file.
//!
//! Each enters only what its library is made for, in the mode in which it is best at it.

use crate::contest::Entry;
use crate::work::Work;
use crate::world::World;

mod bolt;
mod broccoli;
#[cfg(feature = "cpp")]
mod cpp;
mod flat_spatial;
mod geo_index;
pub(crate) mod kiddo;
mod nabo;
mod obvhs;
mod parry;
mod quadtree;
mod rstar;
mod sif_kdtree;
mod static_aabb2d;
mod zelll;

/// Enters all peers that do this work on this crowd.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    let all = [
        kiddo::enter,
        parry::enter,
        broccoli::enter,
        zelll::enter,
        flat_spatial::enter,
        static_aabb2d::enter,
        geo_index::enter,
        sif_kdtree::enter,
        nabo::enter,
        obvhs::enter,
        rstar::enter,
        bolt::enter,
        quadtree::enter,
        #[cfg(feature = "cpp")]
        cpp::enter,
    ];
    for enter in all {
        enter(world, work, entries);
    }
}
