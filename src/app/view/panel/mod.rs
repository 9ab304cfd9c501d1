//! What the panels of more than one view show: the structure and its knobs, how many units there are, what all that costs, and the
//! moments that were pinned beside it.

mod brush;
mod cost;
mod inspector;
mod pinned;
mod plots;
mod structure;
mod units;

pub use brush::brush;
pub use cost::{cost, memory, quality, screen};
pub use inspector::{
    ROW, both_cards, cards_height, facing, has_regions, hold_by_click, inspector_caption, load_row,
    no_regions, no_unit_card, query_rows, region_card, size_row, title_of, told_above,
};
pub use pinned::pinned;
pub use plots::plots;
pub use structure::{knobs, structures};
pub use units::{choices_of_side, gauges, is_unfolded};
