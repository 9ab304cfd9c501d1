//! The structures, one file each, or one folder where a file would be long.
//!
//! A structure is its file here, its `mod` line and its row in the registry.

pub mod all_pairs;
pub mod battle_line;
pub mod bsp_tree;
pub mod bvh;
pub mod hierarchical_grid;
pub mod kd_tree;
pub mod linked_grid;
pub mod morton_tree;
pub mod quadtree;
pub mod rect_quadtree;
pub mod sorted_grid;
pub mod sweep_and_prune;
