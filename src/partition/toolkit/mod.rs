//! What structures share: each of them is its own idea and as little else as can be.

pub mod batch;
pub mod best;
pub mod boxes;
pub mod column;
pub mod copied;
pub mod crowd;
pub mod fit;
pub mod group;
pub mod halves;
pub mod leaves;
pub mod roll;
pub mod rounding;
pub mod scratch;
pub mod search;
pub mod shares;
pub mod sieve;
pub mod simd;
pub mod sort;
pub mod stack;
pub mod tally;
pub mod threads;
pub mod turn;
