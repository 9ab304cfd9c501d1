//! Choosing a structure and turning its knobs, for every place where that is done.

use crate::app::commands::{STRUCTURE_KEYS, Shortcut};
use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    ListRow, Slider, Track, auto_slider, caption_with, know, list_row, section_with, segments,
    slider, structure_help, with_commas,
};
use crate::app::worker::{LaneView, Structure};
use egui_macroquad::egui::{Align2, RichText, Sense, Ui, vec2};
use skirmish::partition::{AUTO, Info, Knob, KnobRange};
use skirmish::probe::Work;
use skirmish::structure::StructureKind;

/// The list of structures; gives the one that was clicked. `id` is what the report calls each row, before the structure's key.
/// Where the keys choose from this very list, they stand in it.
pub fn structure_list(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    chosen: StructureKind,
    (keys, low): (bool, bool),
) -> Option<StructureKind> {
    let mut clicked = None;
    for (index, kind) in chosen.siblings().iter().enumerate() {
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
        let on = chosen == *kind;
        if list_row(ui, palette, row, on, |ui| structure_help(ui, palette, info)) {
            clicked = Some(*kind);
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

/// How high the rows of the knobs of a structure are, in points.
pub fn knobs_height(info: &Info) -> f32 {
    let height = |knob: &Knob| match knob.range {
        KnobRange::Number { .. } => 36.0,
        KnobRange::Choice(_) | KnobRange::Switch => 46.0,
    };
    info.knobs.iter().map(height).sum()
}

/// The knobs of a lane's structure, a row each, and the one that was set; `id` is what the report calls them, before the knob's key.
pub fn knob_rows(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    lane: &LaneView,
) -> Option<(usize, f64)> {
    let structure = &lane.structure;
    let info = structure.info();
    let mut turned = None;
    for (index, knob) in info.knobs.iter().enumerate() {
        let id = format!("{id}.{}", knob.key);
        let values = (structure.knob(index), structure.in_effect(index));
        let costs = what_it_costs(knob, lane);
        if let Some(value) = knob_row(ui, palette, &id, knob, values, costs) {
            turned = Some((index, value));
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

/// The knobs in words, at most `most` of them: those first in which it differs from `others` of its kind, then the numbers. A knob
/// that does nothing where it stands, as a skin of nothing, is left out.
pub fn knobs_in_words(structure: &Structure, others: &[&Structure], most: usize) -> String {
    let info = structure.info();
    let differs = |index: usize| {
        let mut alike = others.iter().filter(|other| other.kind == structure.kind);
        alike.any(|other| other.knob(index) != structure.knob(index))
    };
    let is_number = |knob: &Knob| matches!(knob.range, KnobRange::Number { .. });
    let mut told: Vec<(usize, &Knob)> = info.knobs.iter().enumerate().collect();
    let does_nothing = |(index, knob): (usize, &Knob)| {
        let value = structure.knob(index);
        value == knob.default && !knob.is_auto(value) && structure.in_effect(index) == 0.0
    };
    told.retain(|(index, knob)| {
        differs(*index) || is_number(knob) && !does_nothing((*index, knob))
    });
    told.sort_by_key(|(index, _)| !differs(*index));
    let knobs: Vec<String> = told
        .into_iter()
        .take(most)
        .map(|(index, knob)| {
            let auto = if knob.is_auto(structure.knob(index)) {
                "auto "
            } else {
                ""
            };
            let value = knob.format(structure.in_effect(index)).replace('_', " ");
            format!("{} {auto}{value} {}", knob.name, knob.unit)
                .trim_end()
                .to_owned()
        })
        .collect();
    knobs.join(" · ")
}

/// A knob, by the value to which it is set and the one with which it is reckoned.
fn knob_row(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    knob: &Knob,
    (value, in_effect): (f64, f64),
    costs: Option<String>,
) -> Option<f64> {
    match knob.range {
        KnobRange::Number {
            min,
            max,
            whole,
            logarithmic,
        } => {
            let what = Slider {
                id,
                name: knob.name,
                help: knob.help,
                unit: knob.unit,
                track: Track {
                    min,
                    max,
                    logarithmic,
                    whole,
                },
            };
            if knob.may_be_auto() {
                auto_slider(ui, palette, &what, in_effect.max(min), knob.is_auto(value))
                    .map(|new| new.unwrap_or(AUTO))
            } else {
                slider(ui, palette, &what, value)
            }
        }
        KnobRange::Choice(words) => one_of(ui, palette, id, knob, (words, value), costs),
        KnobRange::Switch => one_of(ui, palette, id, knob, (&["off", "on"], value), costs),
    }
}

/// A knob that is one of several words.
fn one_of(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    knob: &Knob,
    (words, value): (&[&str], f64),
    costs: Option<String>,
) -> Option<f64> {
    named(ui, palette, knob, costs);
    know(ui.ctx(), id, knob.name, knob.help);
    let words: Vec<_> = words.iter().map(|word| (*word, knob.help)).collect();
    let chosen = Some(value as usize);
    segments(ui, palette, id, &words, chosen, palette.accent).map(|index| index as f64)
}

fn named(ui: &mut Ui, palette: &Palette, knob: &Knob, costs: Option<String>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        knob.name,
        text(size::LABEL),
        palette.text_second,
    );
    if let Some(costs) = costs {
        ui.painter().text(
            rect.right_center(),
            Align2::RIGHT_CENTER,
            costs,
            number(size::CAPTION),
            palette.text_third,
        );
    }
    response.on_hover_text(knob.help);
}

/// What a choice costs at present, where one figure says it: then it stands beside the choice.
fn what_it_costs(knob: &Knob, lane: &LaneView) -> Option<String> {
    let cost = Some(&lane.shown_cost).filter(|_| lane.is_measured)?;
    match knob.key {
        "neighbourhood" => {
            let twice = cost.query.of(Work::DoubleAttack);
            let word = if twice == 1 { "attack" } else { "attacks" };
            Some(format!("{} double {word}", with_commas(twice)))
        }
        _ => None,
    }
}
