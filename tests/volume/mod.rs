//! What the conformance suite of the third dimension is made of: a small world that is edited by scripts, and the answers of
//! brute force.

#[macro_use]
#[path = "../common/one_of.rs"]
mod one_of;
pub mod script;
pub mod world;
