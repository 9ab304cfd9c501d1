//! Skirmish: the structures with which games answer, every frame, *who is near whom?*

pub mod battle;
pub mod chance;
pub mod geometry;
pub mod measure;
pub mod observe;
pub mod partition;
pub mod probe;
pub mod scene;
pub mod streaming;
