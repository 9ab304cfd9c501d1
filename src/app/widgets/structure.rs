//! A structure in words: the registry's row, for tooltips and the help page.

use crate::app::palette::Palette;
use crate::app::theme::size;
use egui_macroquad::egui::{Align, Label, RichText, Ui, vec2};
use skirmish::partition::Info;

/// What a structure is, what it costs, when it wins and loses: the registry's row in words.
pub fn structure_help(ui: &mut Ui, palette: &Palette, info: &Info) {
    let width = (ui.ctx().screen_rect().width() - 100.0).clamp(120.0, 320.0);
    ui.set_max_width(width);
    ui.spacing_mut().item_spacing.y = 6.0;
    ui.label(
        RichText::new(info.name)
            .size(size::NAME)
            .color(palette.text),
    );
    ui.label(
        RichText::new(info.what)
            .size(size::SECOND)
            .color(palette.text_second),
    );
    for (name, words) in [
        ("Cost", info.cost),
        ("Wins", info.wins),
        ("Loses", info.loses),
        ("Sizes", info.placement.name()),
        ("Source", info.source),
    ] {
        ui.horizontal_top(|ui| {
            let label = RichText::new(name)
                .size(size::DESCRIPTION)
                .color(palette.text_third);
            ui.add_sized(vec2(44.0, 16.0), Label::new(label).halign(Align::LEFT));
            ui.vertical(|ui| {
                ui.set_max_width(width - 60.0);
                ui.label(
                    RichText::new(words)
                        .size(size::DESCRIPTION)
                        .color(palette.text_second),
                );
            });
        });
    }
}
