//! The few widgets that panels are made of, drawn after the look of the house, each known by a name to the report.

mod audit;
mod beside;
mod button;
mod card;
mod edge;
mod focus;
mod icon;
mod list;
mod notes;
mod once;
mod places;
mod plot;
mod polyline;
mod reading;
mod scroll;
mod section;
mod segments;
mod slider;
mod span;
mod stat;
mod structure;
mod track;
mod typed;
mod value;
mod values;
mod words;

pub use audit::Audit;
pub use beside::{halves, side_by_side};
pub use button::{button, button_in, button_width, cell_button, focus_ring, told};
pub use card::{CARD_TITLE, Emblem, big_number, card, card_rows, card_title, seen_part};
pub use edge::{Pulled, edge};
pub use focus::{
    field, field_has_keys, focus_field, focus_first, focused_text, hint_words, name_it,
    select_typed, set_field_cursor, set_walks, tell, tell_button, tell_state, tell_switch,
    tell_way, walks,
};
pub use icon::{Icon, tick};
pub use list::{LOW_ROW, ListRow, beside, list_row};
pub use notes::take_note;
pub use once::{Found, found_once};
#[cfg(test)]
pub use places::forget_places;
pub use places::{
    clear_covers, clear_place, cover, fixed_places, float, free_place, is_covered, label_place,
    look_at, looked_at, mark_words, note_pane, occupied, panes, place, places, set_toasts, toasts,
    words_there,
};
pub use plot::{Curve, Plot, Scale, plot_body, plots_beside};
pub use polyline::without_the_unseen;
pub use reading::is_read;
pub use scroll::{
    FADE, GUTTER, Room, keep_in_sight, know_room_of_panel, lit, room_of_panel, scroll_by_keys,
    scrolled, scrolled_below, scrolled_up_to, show_cut, whole_or_not,
};
pub use section::{
    SECTION, SECTION_LINE, capitals_width, caption_with, first_section, has_low_rows, is_collapsed,
    is_low, know_collapsed, section, section_in_short, section_with, spaced_capitals,
    take_clicked_sections,
};
pub use segments::{
    pictures_in, segments, segments_in, segments_of_which, segments_width, switch_in,
};
pub use slider::{
    asked_way, auto_slider, auto_width, auto_word, has_arrows, rows_walked, set_arrows_elsewhere,
    slider,
};
pub use span::span;
pub use stat::{bar, log_part, sentence_to_click, stat, stat_to_click, stat_with_history};
pub use structure::structure_help;
pub use track::{Slider, Track};
pub use typed::{
    begins_number, forget_value, in_words as value_in_words, is_being_typed, kindred, number_taken,
    typed_figure, typed_value, typed_value_behind, value_awaits_keys, value_has_keys,
    walk_on_from_value,
};
pub use value::{baseline, cut_behind, elided, elided_at_word, is_cut, name_width, unit_of};
pub use values::{Value, Wanted, know, known_values, take_wanted, want_value};
pub use words::{
    about, bytes, count, duration, exact_bytes, from_to, hundredths, measures_together, metres,
    parted, parted_of, with_commas,
};
