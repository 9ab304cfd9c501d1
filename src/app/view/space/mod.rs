//! Space, as more than one view shows it: what is drawn of a lane, and what the pointer does there.

pub mod draw;
mod pointer;
mod scenery;

pub use pointer::{Hand, click, wheel};
pub use scenery::Scenery;
