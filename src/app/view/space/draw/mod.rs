//! The picture of a volume: everything that projects and paints. Plain data in, pictures out.
//!
//! Invariant: nothing here knows the session, what a scene says or what a widget holds.

mod asked;
mod axes;
mod boxes;
mod clip;
mod gizmo;
mod ground;
mod ink;
mod legend;
mod order;
mod overlay;
mod paint;
mod picture;
mod plate;
mod query;
mod selected;
mod units;

pub use clip::line as part_in;
pub use gizmo::{SIZE as GIZMO, angles as angles_of_gizmo, ends_in as ends_of_gizmo, gizmo};
pub use legend::{Words, legend_chip, legend_rect, scale_chip};
pub use overlay::{AxisFigures, Hidden, QueryTag, SliceHandle, ball_in_the_way, slice_handle};
pub use paint::VolumePicture;
pub use picture::{Asked, Edited, Flash, Layers3, Painted, Picture};
pub use units::rings_of_met;
