//! What the scene is called and says of itself, to be written anew.

use super::{page_frame, page_width};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::widgets::{focus_first, name_it, place};
use egui_macroquad::egui::{Button, Context, Id, Key, Margin, Modal, RichText, TextEdit, Ui, vec2};
use skirmish::scene::file::check_title;
use skirmish::session::Action;

/// Draws the page, where it is open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette) {
    let Some(mut page) = app.pages.describe.take() else {
        return;
    };
    // A caption is one line, which is broken where it is shown.
    for text in [&mut page.name, &mut page.caption] {
        text.retain(|character| character == '\n' || !character.is_control());
        *text = text.replace('\n', " ");
    }
    let is_same = (&page.name, &page.caption) == (&app.scene.name, &app.scene.caption);
    let flaw = check_title(&page.name, &page.caption).err();
    let mut answer = None;
    let shown = Modal::new(Id::new("describe"))
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(page_width(ui, 440.0));
            let title = RichText::new("Name and caption").size(size::NAME + 1.5);
            ui.label(title.color(palette.text));
            ui.add_space(10.0);
            if field(ui, palette, "name", &mut page.name) {
                answer = Some(true);
            }
            ui.add_space(8.0);
            field(ui, palette, "caption", &mut page.caption);
            ui.add_space(6.0);
            // The line is there before there is anything to say, so that nothing jumps.
            let words = flaw.as_deref().unwrap_or(
                "The list of scenes shows the name, the chip over the field both. Save writes them into the file.",
            );
            let color = if flaw.is_some() { palette.warning } else { palette.text_third };
            ui.label(RichText::new(words).size(size::SECOND).color(color));
            ui.add_space(12.0);
            ui.horizontal(|ui| {
                for (word, is_set) in [("Set", true), ("Cancel", false)] {
                    let button = Button::new(word).min_size(vec2(96.0, 26.0));
                    let response = ui.add_enabled(!is_set || flaw.is_none(), button);
                    place(ui.ctx(), &format!("describe.{}", word.to_lowercase()), response.rect);
                    if response.clicked() {
                        answer = Some(is_set);
                    }
                }
            });
        });
    if answer == Some(true) && flaw.is_none() {
        app.act(Action::Describe(page.name, page.caption));
    } else if answer != Some(false) && !(shown.backdrop_response.clicked() && is_same) {
        // A click beside the page does not throw away what was typed.
        app.pages.describe = Some(page);
    }
}

/// A field with its word above it. Whether Return was pressed in it.
fn field(ui: &mut Ui, palette: &Palette, word: &str, typed: &mut String) -> bool {
    let caption = RichText::new(word).size(size::SECOND);
    ui.label(caption.color(palette.text_second));
    let is_caption = word == "caption";
    let edit = if is_caption {
        TextEdit::multiline(typed).desired_rows(4)
    } else {
        TextEdit::singleline(typed)
    };
    let edit = edit
        .id(Id::new(("describe", word)))
        .font(text(size::LABEL))
        .margin(Margin::symmetric(6, 4))
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    place(ui.ctx(), &format!("describe.{word}"), response.rect);
    name_it(&response, &format!("The scene's {word}"));
    if is_caption {
        return false;
    }
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    focus_first(ui, &response);
    is_entered
}
