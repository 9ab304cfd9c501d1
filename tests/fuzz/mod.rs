//! What all fuzzers share: who makes the inputs, and who watches what is done with them.
//!
//! A fuzzer is a [`engine::Target`]: a function that takes any bytes and asserts what must hold whatever they are. Here a
//! seed makes the bytes; `guided` has another engine, which goes by what the code does, for the same functions.
//!
//! Invariant: an input depends on its seed, on the corpus and on nothing else, so that `SKIRMISH_FUZZ=target:seed` is that
//! input on every machine.

// The library's fuzzers and the program's are two test programs, and neither needs all of it.
#![allow(dead_code)]

pub mod choices;
pub mod engine;
pub mod mutate;
pub mod said;
