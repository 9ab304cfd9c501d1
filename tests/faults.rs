//! Faults: what becomes of files when the system fails, or the program is killed.
//!
//! Whatever happens during a save, the file is the old one or the new one as a whole, nothing is left beside it, and what is
//! said of it, in one sentence, is true. Whatever happens to a file while it is read, it is read or there is a sentence.
//!
//! A save that fails or dies is that of another process: this test program again, which then does what `child` says.

#![cfg(target_os = "linux")]

#[path = "faults/calls.rs"]
mod calls;
#[path = "faults/child.rs"]
mod child;
#[path = "faults/kills.rs"]
mod kills;
#[path = "faults/reading.rs"]
mod reading;
