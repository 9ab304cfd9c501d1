//! Choosing a structure and turning its knobs, for every place where that is done.

use crate::app::commands::{STRUCTURE_KEYS, Shortcut};
use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    ListRow, Slider, Track, auto_slider, button_width, caption_with, is_low, know, list_row,
    name_width, section_with, segments, segments_in, side_by_side, slider, structure_help,
    with_commas,
};
use crate::app::worker::{LaneView, Structure};
use egui_macroquad::egui::style::ScrollAnimation;
use egui_macroquad::egui::{Align2, Color32, Id, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};
use skirmish::partition::{AUTO, Info, Knob, KnobRange};
use skirmish::probe::Work;
use skirmish::structure::StructureKind;

/// The list of structures of a dimension; gives the one that was clicked. `id` is what the report calls each row, before the structure's
/// key. Where the keys choose from this very list, they stand in it.
pub fn structure_list(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    (all, chosen): (&[StructureKind], Option<StructureKind>),
    (keys, low): (bool, bool),
) -> Option<StructureKind> {
    let mut clicked = None;
    let shown = Id::new((id, "chosen"));
    // Whoever makes everything larger, or the window lower, loses it out of sight no less than whoever chooses another one.
    let now = (chosen, ui.clip_rect().height().round() as i32);
    let before = ui.data(|data| data.get_temp::<(Option<StructureKind>, i32)>(shown));
    let is_new = before.is_some_and(|before| before != now);
    let is_chosen = before.is_some_and(|(before, _)| before != chosen);
    ui.data_mut(|data| data.insert_temp(shown, now));
    for (index, kind) in all.iter().enumerate() {
        let info = kind.info();
        let key = STRUCTURE_KEYS.get(index).filter(|_| keys).map(|key| {
            Shortcut {
                key: *key,
                ctrl: false,
                shift: Some(false),
            }
            .label()
        });
        let id = format!("{id}.{}", info.key);
        let key = key.unwrap_or_default();
        let row = ListRow {
            id: &id,
            key: &key,
            name: info.name,
            line: info.tagline,
            low,
        };
        let on = chosen == Some(*kind);
        let top = ui.cursor().min;
        if list_row(ui, palette, row, on, |ui| structure_help(ui, palette, info)) {
            clicked = Some(*kind);
        }
        // Whoever chooses by a key sees in the list what is chosen.
        if on && is_new {
            let row = Rect::from_min_max(top, pos2(ui.max_rect().right(), ui.cursor().top()));
            let motion = match is_chosen {
                true => ui.style().scroll_animation,
                false => ScrollAnimation::none(),
            };
            ui.scroll_to_rect_animation(row.expand2(vec2(0.0, row.height())), None, motion);
        }
    }
    clicked
}

/// The word at the right end of the caption of the knobs, which sets them to their defaults.
const RESET: &str = "Set every knob of this structure to its default.";

/// The caption of the knobs in a panel, and whether they are to be shown, and whether they are to be set to their defaults.
pub fn knob_section(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    structure: &Structure,
) -> (bool, bool) {
    let id = format!("{id}s.reset");
    let word = reset_word(structure);
    section_with(ui, palette, ("knobs", "knobs"), (&id, word, RESET))
}

/// The same where they are shown in any case; whether they are to be set to their defaults.
pub fn knob_caption(ui: &mut Ui, palette: &Palette, id: &str, structure: &Structure) -> bool {
    let id = format!("{id}s.reset");
    caption_with(ui, palette, "knobs", (&id, reset_word(structure), RESET))
}

fn reset_word(structure: &Structure) -> &'static str {
    match structure.info().knobs {
        [] => "",
        _ => "reset",
    }
}

/// A row of knobs, by their places among those of the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnobRow {
    /// A slider as wide as the panel.
    Slider(usize),
    /// Two sliders beside each other.
    Two(usize, usize),
    /// Words that stand in a line with what they are about.
    Line(usize),
    /// Two switches beside each other, each in a line with what it is about.
    Switches(usize, usize),
    /// Words below what they are about.
    Words(usize),
}

impl KnobRow {
    /// How high it is, in points.
    fn height(self, ui: &Ui) -> f32 {
        match self {
            Self::Slider(_) | Self::Two(..) => 36.0,
            Self::Line(_) | Self::Switches(..) => line_height(ui),
            Self::Words(_) => 46.0,
        }
    }
}

/// How high a line of words is, in points.
fn line_height(ui: &Ui) -> f32 {
    if is_low(ui) { 24.0 } else { 26.0 }
}

/// Between a name and what stands in a line with it, in points.
const BESIDE: f32 = 10.0;

/// Between a name and its value at the least, in points.
const APART: f32 = 6.0;

/// Between two that share a row, in points.
const GAP: f32 = 16.0;

/// How wide the names are beside which words stand.
fn names_width(ui: &Ui, info: &Info) -> f32 {
    let names = info.knobs.iter().filter(|knob| words_of(knob).is_some());
    let widths = names.map(|knob| name_width(ui, knob.name));
    widths.fold(0.0, f32::max) + BESIDE
}

/// The words of which a knob is one.
fn words_of(knob: &Knob) -> Option<&'static [&'static str]> {
    match knob.range {
        KnobRange::Number { .. } => None,
        KnobRange::Choice(words) => Some(words),
        KnobRange::Switch => Some(&["off", "on"]),
    }
}

/// Whether a knob is a slider that has room in a half of a row.
fn fits_half(ui: &Ui, info: &Info, place: usize) -> bool {
    let half = (ui.available_width() - GAP) / 2.0;
    let knob = &info.knobs[place];
    let KnobRange::Number {
        min, max, whole, ..
    } = knob.range
    else {
        return false;
    };
    // As a slider writes its values.
    let value = match whole {
        true => with_commas(max as u64),
        false if min >= 0.1 => "0.00".to_owned(),
        false => "0.000".to_owned(),
    };
    let wide = |words: &str, font| {
        let words = words.to_owned();
        let galley = ui.painter().layout_no_wrap(words, font, Color32::WHITE);
        galley.size().x
    };
    let auto = if knob.may_be_auto() { 40.0 } else { 0.0 };
    let value = wide(&value, number(size::LABEL)) + wide(knob.unit, text(size::CAPTION));
    is_low(ui) && name_width(ui, knob.name) + auto + value + APART <= half
}

/// How the knobs of a structure are laid out: so that as many as can be are in sight. It depends on nothing that is turned.
fn knob_layout(ui: &Ui, info: &Info) -> Vec<KnobRow> {
    let width = ui.available_width();
    let names = names_width(ui, info);
    let fits_line = |place: usize| {
        let knob = &info.knobs[place];
        let words = words_of(knob).unwrap_or_default();
        let widths = words.iter().map(|word| button_width(ui, word) - 14.0);
        // What it costs at present needs the line.
        let room = (width - names) / words.len().max(1) as f32;
        knob.key != NEIGHBOURHOOD && widths.fold(0.0, f32::max) <= room
    };
    let is_switch = |place: usize| info.knobs[place].range == KnobRange::Switch;
    let mut rows: Vec<KnobRow> = Vec::new();
    // A slider, and a switch, that waits for another one to stand beside it.
    let mut waits = None;
    let mut switch: Option<(usize, usize)> = None;
    for place in 0..info.knobs.len() {
        if is_switch(place) && fits_line(place) {
            let pair =
                switch.filter(|(_, first)| switch_widths(ui, info, [*first, place]).is_some());
            if let Some((at, first)) = pair {
                rows[at] = KnobRow::Switches(first, place);
                switch = None;
            } else {
                switch = Some((rows.len(), place));
                rows.push(KnobRow::Line(place));
            }
        } else if words_of(&info.knobs[place]).is_some() {
            rows.push(match fits_line(place) {
                true => KnobRow::Line(place),
                false => KnobRow::Words(place),
            });
        } else if !fits_half(ui, info, place) {
            rows.push(KnobRow::Slider(place));
        } else if let Some((at, first)) = waits.take() {
            rows[at] = KnobRow::Two(first, place);
        } else {
            waits = Some((rows.len(), place));
            rows.push(KnobRow::Slider(place));
        }
    }
    rows
}

/// How wide the name of each of two switches is that share a row, with what is free behind it, and how wide both are together; nothing where
/// there is no room for them. Halves where both have room in one, and two sliders share a row: the second stands in a line with that of these.
fn switch_widths(ui: &Ui, info: &Info, knobs: [usize; 2]) -> Option<[[f32; 2]; 2]> {
    let names = knobs.map(|place| name_width(ui, info.knobs[place].name));
    let words = knobs.map(|place| words_of(&info.knobs[place]).unwrap_or_default());
    let widths = words.into_iter().flatten();
    let widest = widths
        .map(|word| button_width(ui, word) - 14.0)
        .fold(0.0, f32::max);
    let counts = words.map(|words| words.len() as f32);
    // Two of those that have room in a half share a row in any case.
    let in_halves = (0..info.knobs.len()).filter(|place| fits_half(ui, info, *place));
    let by_halves = in_halves.count() > 1;
    shares(
        ui.available_width() - GAP,
        names,
        (counts, widest),
        by_halves,
    )
}

/// How so much room is shared by two switches with names that are so wide, each with so many words, the widest of which needs so much, and
/// whether that is by halves where these have room.
fn shares(
    room: f32,
    names: [f32; 2],
    (counts, widest): ([f32; 2], f32),
    by_halves: bool,
) -> Option<[[f32; 2]; 2]> {
    /// In a half a name may stand so near to its words, in points.
    const NEAR: f32 = 6.0;
    let half = room / 2.0;
    let of_words = |at: usize, each: f32| counts[at] * each;
    let has_room = |at: usize| names[at] + NEAR + of_words(at, widest) <= half;
    if by_halves && has_room(0) && has_room(1) {
        let spare = |at: usize| half - names[at] - of_words(at, widest);
        return Some([0, 1].map(|at| [names[at] + spare(at).clamp(NEAR, BESIDE), half]));
    }
    let names = names.map(|name| name + BESIDE);
    let each = (room - names[0] - names[1]) / (counts[0] + counts[1]).max(1.0);
    (widest <= each).then(|| [0, 1].map(|at| [names[at], names[at] + of_words(at, each)]))
}

/// How high the rows of the knobs of a structure are in this panel, in points.
pub fn knobs_height(ui: &Ui, info: &Info) -> f32 {
    if info.knobs.is_empty() {
        // The line that says so.
        return ui
            .fonts(|fonts| fonts.row_height(&text(size::DESCRIPTION)))
            .ceil();
    }
    let rows = knob_layout(ui, info);
    rows.into_iter().map(|row| row.height(ui)).sum()
}

/// The knobs of a lane's structure, and the one that was set; `id` is what the report calls them, before the knob's key.
pub fn knob_rows(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    lane: &LaneView,
) -> Option<(usize, f64)> {
    let structure = &lane.structure;
    let info = structure.info();
    let mut turned = None;
    let mut turn = |ui: &mut Ui, index: usize, beside: Option<f32>| {
        let knob = &info.knobs[index];
        let id = format!("{id}.{}", knob.key);
        let values = (structure.knob(index), structure.in_effect(index));
        let costs = what_it_costs(knob, lane);
        if let Some(value) = knob_row(ui, palette, &id, knob, values, (costs, beside)) {
            turned = Some((index, value));
        }
    };
    for row in knob_layout(ui, info) {
        match row {
            KnobRow::Slider(index) | KnobRow::Words(index) => turn(ui, index, None),
            KnobRow::Two(left, right) => side_by_side(ui, |ui, is_left| {
                turn(ui, if is_left { left } else { right }, None);
            }),
            KnobRow::Line(index) => {
                let names = names_width(ui, info);
                turn(ui, index, Some(names));
            }
            KnobRow::Switches(left, right) => {
                let widths = switch_widths(ui, info, [left, right]).unwrap_or_default();
                let size = vec2(ui.available_width(), row.height(ui));
                let (mut rest, _) = ui.allocate_exact_size(size, Sense::hover());
                for (index, [name, width]) in [left, right].into_iter().zip(widths) {
                    let (own, others) = rest.split_left_right_at_x(rest.left() + width);
                    rest = others.with_min_x(others.left() + GAP);
                    let own = UiBuilder::new().max_rect(own);
                    turn(&mut ui.new_child(own), index, Some(name));
                }
            }
        }
    }
    if info.knobs.is_empty() {
        ui.label(
            RichText::new("This structure has none.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
    turned
}

/// A knob, by the value to which it is set and the one with which it is reckoned; with what it costs, and how wide the name is where
/// words stand beside it.
fn knob_row(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    knob: &Knob,
    (value, in_effect): (f64, f64),
    told: (Option<[String; 2]>, Option<f32>),
) -> Option<f64> {
    let Some(track) = Track::of(knob.range) else {
        let words = words_of(knob).unwrap_or_default();
        return one_of(ui, palette, id, knob, (words, value), told);
    };
    let help = help_of(knob);
    let what = Slider {
        id,
        name: knob.name,
        help: &help,
        unit: knob.unit,
        track,
    };
    if knob.may_be_auto() {
        let shown = in_effect.max(track.min);
        auto_slider(ui, palette, &what, shown, knob.is_auto(value)).map(|new| new.unwrap_or(AUTO))
    } else {
        slider(ui, palette, &what, value)
    }
}

/// A knob that is one of several words, which stand below its name, or beside it.
fn one_of(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    knob: &Knob,
    (words, value): (&[&str], f64),
    (costs, beside): (Option<[String; 2]>, Option<f32>),
) -> Option<f64> {
    let help = help_of(knob);
    let words: Vec<_> = words.iter().map(|word| (*word, help.as_str())).collect();
    let chosen = Some(value as usize);
    let height = beside.map_or(22.0, |_| line_height(ui));
    let line = named(ui, palette, knob, costs, height);
    know(ui.ctx(), [id, knob.name, &help], None);
    let picked = match beside {
        Some(names) => {
            let cells = line.with_min_x(line.left() + names).shrink2(vec2(0.0, 1.0));
            segments_in(ui, palette, id, cells, &words, chosen, palette.accent)
        }
        None => segments(ui, palette, id, &words, chosen, palette.accent),
    };
    picked.map(|index| index as f64)
}

/// Its name, in a line of its own height, which is given back; and what it costs, in the longest words that have room.
fn named(
    ui: &mut Ui,
    palette: &Palette,
    knob: &Knob,
    costs: Option<[String; 2]>,
    height: f32,
) -> Rect {
    /// Between both, in points.
    const BETWEEN: f32 = 8.0;
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let name = ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        knob.name,
        text(size::LABEL),
        palette.text_second,
    );
    if let Some(costs) = costs {
        let room = rect.right() - name.right() - BETWEEN;
        let costs = costs.map(|words| {
            let font = number(size::CAPTION);
            ui.painter().layout_no_wrap(words, font, palette.text_third)
        });
        let mut costs = costs.into_iter();
        if let Some(words) = costs.find(|words| words.size().x <= room) {
            let at = rect.right_center() - vec2(words.size().x, words.size().y / 2.0);
            ui.painter().galley(at, words, palette.text_third);
        }
    }
    response.on_hover_text(help_of(knob));
    rect
}

/// What a knob does, and by which word a scene and the command line set it: its name in the panel is for reading.
fn help_of(knob: &Knob) -> String {
    format!(
        "{} Scenes and the command line call it {}.",
        knob.help, knob.key
    )
}

/// The knob of which is said what it costs.
const NEIGHBOURHOOD: &str = "neighbourhood";

/// What a choice costs at present, where one figure says it: then it stands beside the choice, of when it is, and in short. An operation that is
/// stepped through has figures of its own.
fn what_it_costs(knob: &Knob, lane: &LaneView) -> Option<[String; 2]> {
    let cost = Some(&lane.shown_cost).filter(|_| lane.is_measured)?;
    match knob.key {
        NEIGHBOURHOOD => Some(double_attacks(
            cost.query.of(Work::DoubleAttack),
            cost.at_rest,
        )),
        _ => None,
    }
}

/// How many double attacks there were, and when: this tick, as the panel has it, or at rest. And that in short.
fn double_attacks(twice: u64, at_rest: bool) -> [String; 2] {
    let word = if twice == 1 { "attack" } else { "attacks" };
    let when = if at_rest { "at rest" } else { "this tick" };
    let short = format!("{} double {word}", with_commas(twice));
    [format!("{short} {when}"), short]
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::structure::AnyKind;

    #[test]
    fn double_attacks_are_said_to_be_of_the_moment_that_is_shown() {
        let said = double_attacks(1_204, false);
        assert_eq!(
            said,
            ["1,204 double attacks this tick", "1,204 double attacks"]
        );
        let at_rest = double_attacks(1, true);
        assert_eq!(at_rest, ["1 double attack at rest", "1 double attack"]);
    }

    #[test]
    fn two_switches_stand_in_a_line_with_two_sliders_where_each_has_room_in_a_half() {
        let words = ([2.0; 2], 24.0);
        let halves = shares(232.0, [42.0, 61.0], words, true).expect("room for both");
        assert_eq!(halves, [[52.0, 116.0], [68.0, 116.0]]);
        // Where there is nothing to stand in line with, all of the row is shared.
        let alone = shares(228.0, [42.0, 61.0], words, false).expect("room for both");
        assert_eq!(alone, [[52.0, 104.5], [71.0, 123.5]]);
        // So it is where the second one has none in its half, off the edges of its words.
        assert_eq!(shares(228.0, [42.0, 61.0], words, true), Some(alone));
        let shared = shares(228.0, [30.0, 74.0], words, true).expect("room for both");
        assert_eq!(shared, [[40.0, 92.0], [84.0, 136.0]]);
        assert_eq!(shares(228.0, [60.0, 74.0], words, true), None);
    }

    #[test]
    fn a_knob_is_idle_beside_a_value_that_another_knob_of_its_structure_has() {
        for kind in StructureKind::ALL {
            let knobs = kind.info().knobs;
            for (key, value) in knobs.iter().flat_map(|knob| knob.idle_with) {
                let other = knobs.iter().find(|knob| knob.key == *key);
                let other = other.expect("a knob of the same structure");
                let KnobRange::Choice(words) = other.range else {
                    panic!("{key} is a choice");
                };
                assert!((*value as usize) < words.len(), "{key} {value}");
            }
        }
    }

    #[test]
    fn the_tooltip_of_every_knob_ends_with_its_key() {
        for kind in StructureKind::ALL {
            for knob in kind.info().knobs {
                let help = help_of(knob);
                assert!(help.starts_with(knob.help), "{help}");
                assert!(help.ends_with(&format!(" {}.", knob.key)), "{help}");
                // Two sentences, however the first one ends.
                assert!(knob.help.ends_with('.'), "{help}");
            }
        }
    }
}
