//! The size of a picture of the field alone, chosen before its place.

use super::page_frame;
use crate::app::commands::View;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{place, segments};
use egui_macroquad::egui::{Button, Context, Event, Id, Key, Label, Modal, RichText, vec2};

/// The sizes that can be chosen besides that of the field as it is seen, in pixels.
const SIZES: [(u32, u32); 3] = [(1280, 720), (1920, 1080), (3840, 2160)];

/// Draws the page, where it is open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette) {
    let Some(mut chosen) = app.pages.picture else {
        return;
    };
    let seen = app.pictured * ctx.pixels_per_point();
    let seen = (
        seen.x.round().max(1.0) as u32,
        seen.y.round().max(1.0) as u32,
    );
    let sizes: Vec<(u32, u32)> = std::iter::once(seen).chain(SIZES).collect();
    let mut answer = None;
    let shown = Modal::new(Id::new("picture"))
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(440.0_f32.min(ctx.screen_rect().width() - 60.0));
            let title = RichText::new("A picture of the field").size(size::NAME + 1.5);
            ui.label(title.color(palette.text));
            ui.add_space(6.0);
            let words = "What is drawn on the field, without chips, labels and panels. A larger picture shows as much of the field, \
                         in more detail.";
            let panes = match app.view == View::Compare && app.lanes.len() > 1 {
                true => " The panes lie as they do in the window, without the lines above them.",
                false => "",
            };
            let words = format!("{words}{panes}");
            ui.add(Label::new(RichText::new(words).size(size::SECOND)).wrap());
            ui.add_space(8.0);
            let names: Vec<String> = sizes
                .iter()
                .enumerate()
                .map(|(index, (width, height))| match index {
                    0 => "As seen".to_owned(),
                    _ => format!("{width}×{height}"),
                })
                .collect();
            let tip = format!("{} × {} pixels, as in the window.", seen.0, seen.1);
            let words: Vec<(&str, &str)> = names
                .iter()
                .enumerate()
                .map(|(index, name)| (name.as_str(), if index == 0 { tip.as_str() } else { "" }))
                .collect();
            if let Some(picked) = segments(ui, palette, "picture", &words, Some(chosen), palette.accent) {
                chosen = picked;
            }
            ui.add_space(12.0);
            ui.horizontal(|ui| {
                for word in ["Save…", "Cancel"] {
                    let response = ui.add(Button::new(word).min_size(vec2(96.0, 26.0)));
                    let id = format!("picture.{}", word.trim_end_matches('…').to_lowercase());
                    place(ui.ctx(), &id, response.rect);
                    if response.clicked() {
                        answer = Some(word == "Save…");
                    }
                }
            });
        });
    app.pages.picture = Some(chosen);
    // On a control Enter presses that, and another page over this one has it.
    let is_top = ctx.memory(|memory| {
        memory.focused().is_none() && memory.top_modal_layer() == Some(shown.response.layer_id)
    });
    let is_enter = |event: &Event| {
        matches!(
            event,
            Event::Key {
                key: Key::Enter,
                pressed: true,
                repeat: false,
                ..
            }
        )
    };
    if is_top && ctx.input(|input| input.events.iter().any(is_enter)) {
        answer = Some(true);
    }
    if answer == Some(true) {
        app.files.field_picture = sizes.get(chosen).copied();
    }
    if answer.is_some() || shown.backdrop_response.clicked() {
        app.pages.picture = None;
    }
}
