//! The picture of a volume: everything that projects and paints. Plain data in, pictures out.
//!
//! Invariant: nothing here knows the session, what a scene says or what a widget holds.

mod axes;
mod boxes;
mod clip;
mod ground;
mod ink;
mod order;
mod paint;
mod picture;
mod plate;
mod query;
mod units;

pub use paint::VolumePicture;
pub use picture::{Flash, Layers3, Painted, Picture, Slice};
