//! What structures share: each of them is its own idea and as little else as can be.

pub mod blocks;
pub mod lists;
pub mod pairs;
pub mod roll;
pub mod rounding;
pub mod search;
pub mod setting;
