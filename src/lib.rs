//! Skirmish: the structures with which games answer, every frame, *who is near whom?*

pub mod geometry;
pub mod partition;
pub mod probe;
pub mod scene;
