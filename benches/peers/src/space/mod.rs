//! The same contest in the third dimension: the library's structures of space against the libraries that know of one.
//!
//! How it is measured, checked and reported is what it is on a plane; a crowd, its reference and the adapters are of their own.

use crate::contest::Entry;
use crate::work::Work;
pub use world::World3;

mod ours;
mod peers;
mod reference;
mod world;

/// Enters everybody who does this work on this crowd. Single moves are not measured in space.
pub fn enter(world: &World3, work: Work) -> Vec<Entry<World3>> {
    let mut entries = Vec::new();
    if work != Work::Move {
        ours::enter(world, work, &mut entries);
        peers::enter(world, work, &mut entries);
    }
    entries
}
