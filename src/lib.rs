//! Skirmish: the structures with which games answer, every frame, *who is near whom?*
//!
//! The library behind the window: no graphics, no clock, no global state. Data flows one way,
//!
//! ```text
//! scene → battle → partition (under a probe) → observe → the window
//!         flight → volume
//! ```
//!
//! and nothing flows back but commands.
//!
//! # Where things are
//!
//! | module | what it owns |
//! | --- | --- |
//! | [`ids`] | units, regions and pairs: the words that probes and structures share |
//! | [`geometry`] | points, boxes, segments and the exact predicates on which every structure agrees |
//! | [`geometry3`] | the same in space |
//! | [`probe`] | what a structure did, told while it does it: nothing, sums, or every event |
//! | [`partition`] | the structures, one file or folder each, and the registry that lists them |
//! | [`mod@structure`] | what is said of a structure of either dimension |
//! | [`volume`] | the third dimension: bodies and structures in space, a sibling of [`partition`] |
//! | [`story`] | what one operation did, told event by event with its reasons |
//! | [`sources`] | what the sources' own rules would give where these are wrong, for pictures alone |
//! | [`scene`] | scenes as validated plain data, their files, and the seeded generators |
//! | [`battle`] | the truth about every unit, and the fixed step that moves it |
//! | [`flight`] | the same in space: swarms, squadrons, a galaxy |
//! | [`streaming`] | a world of objects that load ahead of a character and unload behind it |
//! | [`session`] | what happens: actions, lanes, undo, the timeline and recordings |
//! | [`observe`] | everything that the window draws and prints, as plain data |
//! | [`measure`] | headless runs that count and time |
//! | [`built_in`] | the scenes that come with the program, and their pictures |
//! | [`files`] | reading and saving: bounded, never waiting for what is no file, as a whole or not at all |
//! | [`tick`] | how long a step is |
//! | [`chance`] | randomness as a hash of who, where and when |
//!
//! # Invariants
//!
//! - **One code path.** What is counted, drawn, benchmarked and tested is the same traversal, generic over
//!   [`probe::Probe`]; under `()` the telling compiles to nothing.
//! - The library never draws. The clock is read only in [`measure`] and by the window; files are read and saved by
//!   [`files`] alone, for [`scene::file`], [`session`] and the loader and the asset check of [`streaming`];
//!   [`streaming::new_world`] makes a folder of them.
//! - It cannot fail on valid input. What comes from outside is checked where it enters, and a typed error names it.
//! - A structure knows no colours, and nobody else knows a structure: whoever needs them loops over
//!   [`partition::Kind::ALL`], or in space over [`volume::Kind3::ALL`].
//! - The battle, or the flight, owns the positions; a structure is a secondary index, and
//!   [`partition::Partition::validate`] and [`volume::Partition3::validate`] compare every copy with the truth.
//! - The outcome of a battle or a flight does not depend on the structure, the number of threads or the build profile.

pub mod battle;
pub mod built_in;
pub mod chance;
pub mod files;
pub mod flight;
pub mod geometry;
pub mod geometry3;
pub mod ids;
pub mod measure;
pub mod observe;
pub mod partition;
pub mod probe;
pub mod scene;
pub mod session;
pub mod sources;
pub mod story;
pub mod streaming;
pub mod structure;
pub mod tick;
pub mod volume;
