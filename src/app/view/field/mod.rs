//! The picture of a battle under a structure, which more than one view draws: one [`Look`] a picture.
//!
//! Invariant: nothing here knows how many pictures there are. What is the same in all of them (the units, the density) is found
//! once and drawn as often as it is wanted.

mod asked;
mod crowd;
mod density;
mod labels;
mod legend;
mod look;
mod pointer;
mod query;
mod regions;
mod selected;
mod sheet;
mod structure_marks;
mod units;

pub use asked::{asked, rule_beside};
pub use crowd::{
    Costly, Crowd, Disc, STRADDLING, all_edges, cheapest, edges, gap, is_apart, leader,
    leader_to_disc, off_field, on_outline, pieces, settled, straddles,
};
pub use density::Density;
pub use labels::labels;
pub use legend::{Corner, depth_of, depth_tick, legend, legend_place, legend_rect};
pub use look::{Look, MOST_OUTLINES};
pub use pointer::{BrushStroke, unit_at, wheel};
pub use query::{
    Length, MOST_CHOSEN, Tag, disc, hovered_region, nobody, on_circle, query, reach, rings, visited,
};
pub use regions::{RegionsPicture, snapped};
pub use selected::{draw_selected, selection_box};
pub use sheet::{Ink, Sheet};
pub use structure_marks::{addresses, guide_lines, mark_words, marks, seen_part};
pub use units::{
    LEFT_OUT, MOST_ARROWS, Units, area, corners, draw_found, draw_marked, fitted, left_of_tested,
    length,
};
