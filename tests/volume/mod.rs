//! What the conformance suite of the third dimension is made of: a small world that is edited by scripts, and the answers of
//! brute force.

pub mod script;
pub mod world;
