//! The structure and its knobs, for the left panel.

use crate::app::commands::{STRUCTURE_KEYS, Shortcut};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::widgets::{
    ListRow, Slider, Track, button, is_low, list_row, section, segments, slider, structure_help,
};
use egui_macroquad::egui::{Align2, RichText, Sense, Ui, vec2};
use skirmish::partition::{Kind, Knob, KnobRange};

/// The list of structures.
pub fn structures(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(ui, palette, "structure", "[ ] to cycle");
    let mut chosen = None;
    for (index, kind) in Kind::ALL.iter().enumerate() {
        let info = kind.info();
        let key = STRUCTURE_KEYS.get(index).map(|key| {
            Shortcut {
                key: *key,
                ctrl: false,
                shift: Some(false),
            }
            .label()
        });
        let on = app.lane().structure.kind() == *kind;
        let id = format!("structure.{}", info.key);
        let key = key.unwrap_or_default();
        let row = ListRow {
            id: &id,
            key: &key,
            name: info.name,
            line: info.tagline,
            low: is_low(ui),
        };
        if list_row(ui, palette, row, on, |ui| structure_help(ui, palette, info)) {
            chosen = Some(*kind);
        }
    }
    if let Some(kind) = chosen {
        app.choose_structure(kind);
    }
}

/// The knobs of the structure that is chosen.
pub fn knobs(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(ui, palette, "knobs", app.lane().structure.info().name);
    let info = app.lane().structure.info();
    for (index, knob) in info.knobs.iter().enumerate() {
        if let Some(value) = knob_row(ui, palette, knob, app.lane().structure.knob(index)) {
            app.set_knob(index, value);
        }
    }
    if !info.knobs.is_empty() {
        ui.add_space(4.0);
        if button(
            ui,
            palette,
            "knobs.reset",
            "Defaults",
            "Set every knob of this structure to its default.",
        ) {
            app.reset_knobs();
        }
    } else {
        ui.label(
            RichText::new("This structure has none.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
}

fn knob_row(ui: &mut Ui, palette: &Palette, knob: &Knob, value: f64) -> Option<f64> {
    let id = format!("knob.{}", knob.key);
    match knob.range {
        KnobRange::Number {
            min,
            max,
            whole,
            logarithmic,
        } => slider(
            ui,
            palette,
            &Slider {
                id: &id,
                name: knob.name,
                help: knob.help,
                unit: knob.unit,
                track: Track {
                    min,
                    max,
                    logarithmic,
                    whole,
                },
            },
            value,
        ),
        KnobRange::Choice(words) => {
            named(ui, palette, knob);
            let words: Vec<_> = words.iter().map(|word| (*word, knob.help)).collect();
            segments(
                ui,
                palette,
                &id,
                &words,
                Some(value as usize),
                palette.accent,
            )
            .map(|index| index as f64)
        }
        KnobRange::Switch => {
            named(ui, palette, knob);
            let words = [("off", knob.help), ("on", knob.help)];
            segments(
                ui,
                palette,
                &id,
                &words,
                Some(value as usize),
                palette.accent,
            )
            .map(|index| index as f64)
        }
    }
}

fn named(ui: &mut Ui, palette: &Palette, knob: &Knob) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        knob.name,
        text(size::LABEL),
        palette.text_second,
    );
    response.on_hover_text(knob.help);
}
