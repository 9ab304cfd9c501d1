//! The structures, one file each, or one folder where a file would be long.
//!
//! A structure is its file here, its `mod` line and its row in the registry.

pub mod all_pairs;
pub mod grid;
pub mod morton;
pub mod octree;
