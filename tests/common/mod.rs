//! What the conformance suite is made of: a small world that is edited by scripts, and the answers of brute force.

#[macro_use]
mod one_of;
pub mod probes;
pub mod script;
pub mod world;

/// The value of an environment variable that holds a number, if it is set and is one.
pub fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.trim().parse().ok()
}
