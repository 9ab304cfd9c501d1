//! The few widgets that panels are made of, drawn after the look of the house, each known by a name to the report.

mod button;
mod card;
mod icon;
mod list;
mod notes;
mod places;
mod plot;
mod section;
mod segments;
mod slider;
mod span;
mod stat;
mod structure;
mod track;
mod typed;
mod value;
mod words;

pub use button::{button, button_in, button_width, cell_button, focus_ring};
pub use card::{big_number, card};
pub use icon::Icon;
pub use list::{ListRow, list_row};
pub use notes::take_note;
pub use places::{clear_covers, cover, is_covered, place, places};
pub use plot::{Curve, Plot, Scale, plot, plot_body};
pub use section::{first_section, is_low, section, section_with, spaced_capitals};
pub use segments::{pictures_in, segments, segments_in, switch_in};
pub use slider::{auto_slider, has_arrows, slider};
pub use span::span;
pub use stat::{bar, log_part, stat, stat_with_history};
pub use structure::structure_help;
pub use track::{Slider, Track};
pub use typed::value_has_keys;
pub use value::elided;
pub use words::{about, bytes, count, duration, exact_bytes, parted, with_commas};
