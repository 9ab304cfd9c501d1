//! The page of what the user chooses for good.

use super::{FRAMED, page_frame_with_bar, page_head, page_height};
use crate::app::commands::{Command, keys_of};
use crate::app::palette::Palette;
use crate::app::settings::{Colors, FrameRate, Hint, SCALES, Theme};
use crate::app::state::App;
use crate::app::theme::{number, size};
use crate::app::view::LEAST_NOTCHED;
use crate::app::widgets::{button, button_in, button_width, scrolled_up_to, segments};
use egui_macroquad::egui::{Context, Id, Label, Modal, RichText, Sense, Ui, vec2};

/// How wide the page is, in points.
const WIDTH: f32 = 460.0;

/// The words of a switch.
const OFF_ON: [&str; 2] = ["Off", "On"];

/// Draws the page, where it is open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette) {
    /// The line above the rows, with the room below it, in points.
    const HEADER: f32 = 34.0;
    if !app.pages.settings {
        return;
    }
    let screen = ctx.screen_rect();
    let mut is_closed = false;
    let shown = Modal::new(Id::new("settings"))
        .frame(page_frame_with_bar(palette))
        .show(ctx, |ui| {
            ui.set_width(WIDTH.min(screen.width() - 60.0));
            let high = page_height(screen.height()) - FRAMED;
            ui.set_max_height(high);
            is_closed = page_head(ui, palette, ("settings", "Settings"));
            ui.add_space(6.0);
            let most = (high - HEADER).max(100.0);
            scrolled_up_to(ui, palette, "settings", most, |ui| rows(ui, app, palette));
        });
    if is_closed || shown.backdrop_response.clicked() {
        app.pages.settings = false;
    }
}

fn rows(ui: &mut Ui, app: &mut App, palette: &Palette) {
    ui.spacing_mut().item_spacing.y = 4.0;
    heading(ui, palette, "theme");
    let chosen = Theme::ALL.iter().position(|it| *it == app.settings.theme);
    if let Some(picked) = segments(ui, palette, "theme", &Theme::WORDS, chosen, palette.accent) {
        app.settings.theme = Theme::ALL[picked];
    }

    heading(ui, palette, "colours");
    let chosen = Colors::ALL.iter().position(|it| *it == app.settings.colors);
    if let Some(picked) = segments(
        ui,
        palette,
        "colors",
        &Colors::WORDS,
        chosen,
        palette.accent,
    ) {
        app.settings.colors = Colors::ALL[picked];
    }
    let words = "For eyes that see red and green, or blue and yellow, alike. Sides stay blue and orange, which every eye tells apart; \
                 what stands beside them gets other hues. Every state has a shape or a line of its own as well.";
    note(ui, palette, words);

    heading(ui, palette, "mark sides");
    let mut marked = app.settings.mark_sides;
    switch(ui, palette, "mark_sides", &mut marked);
    app.settings.mark_sides = marked;
    note(
        ui,
        palette,
        &format!(
            "Orange units get a tail with a notch, from {LEAST_NOTCHED} points of length on; in a crowd arrows are no shorter than elsewhere then."
        ),
    );

    heading(ui, palette, "scale of the interface");
    ui.horizontal(|ui| {
        if button(
            ui,
            palette,
            "scale.smaller",
            "−",
            "Smaller text, panels and buttons.",
        ) {
            app.run(Command::Smaller);
        }
        let percent = format!("{} %", (app.settings.scale * 100.0).round());
        ui.label(
            RichText::new(percent)
                .font(number(size::LABEL))
                .color(palette.text),
        );
        if button(
            ui,
            palette,
            "scale.larger",
            "+",
            "Larger text, panels and buttons.",
        ) {
            app.run(Command::Larger);
        }
        if button(
            ui,
            palette,
            "scale.plain",
            "Reset",
            "As large as the display wants them.",
        ) {
            app.run(Command::PlainScale);
        }
    });
    let [least, most] = [SCALES[0], SCALES[SCALES.len() - 1]];
    let words = format!(
        "{}, {} and {}, from {} to {} %. 100 % is what the display asks for.",
        keys_of(Command::Smaller),
        keys_of(Command::Larger),
        keys_of(Command::PlainScale),
        least * 100.0,
        most * 100.0
    );
    note(ui, palette, &words);

    heading(ui, palette, "reduced motion");
    let mut reduced = app.settings.reduced_motion;
    switch(ui, palette, "reduced_motion", &mut reduced);
    app.settings.reduced_motion = reduced;
    note(
        ui,
        palette,
        "Nothing flashes where a region is split or merged, and no camera glides.",
    );

    heading(ui, palette, "frame rate");
    let chosen = FrameRate::ALL
        .iter()
        .position(|it| *it == app.settings.frame_rate);
    if let Some(picked) = segments(
        ui,
        palette,
        "frame_rate",
        &FrameRate::WORDS,
        chosen,
        palette.accent,
    ) {
        app.settings.frame_rate = FrameRate::ALL[picked];
    }
    note(
        ui,
        palette,
        "Half as many are half the work: for a battery, a remote screen, or a machine without a graphics card.",
    );

    heading(ui, palette, "hints");
    ui.horizontal(|ui| {
        let seen = app.settings.hints_seen.len();
        let words = format!("{seen} of {} seen", Hint::ALL.len());
        let help = match seen {
            0 => "All of the hints are still to come.",
            _ => "The hints of the first minutes come once more.",
        };
        let word = "Show again";
        let size = vec2(button_width(ui, word), 24.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        if button_in(ui, palette, "hints.again", rect, (word, help), seen > 0) {
            app.settings.hints_seen.clear();
        }
        ui.label(
            RichText::new(words)
                .size(size::SECOND)
                .color(palette.text_second),
        );
    });
}

/// The caption of a choice.
fn heading(ui: &mut Ui, palette: &Palette, words: &str) {
    ui.add_space(10.0);
    let words = RichText::new(words.to_uppercase())
        .size(size::CAPTION)
        .extra_letter_spacing(0.9)
        .color(palette.text_third);
    ui.label(words);
}

/// Two words, of which one is chosen.
fn switch(ui: &mut Ui, palette: &Palette, id: &str, on: &mut bool) {
    let words = OFF_ON.map(|word| (word, ""));
    if let Some(picked) = segments(
        ui,
        palette,
        id,
        &words,
        Some(usize::from(*on)),
        palette.accent,
    ) {
        *on = picked == 1;
    }
}

/// What a choice does, in smaller words.
fn note(ui: &mut Ui, palette: &Palette, words: &str) {
    let words = RichText::new(words)
        .size(size::DESCRIPTION)
        .color(palette.text_third);
    ui.add(Label::new(words).wrap());
}
