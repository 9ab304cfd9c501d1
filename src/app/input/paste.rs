//! Text from the clipboard, which egui's backend takes for typed text.

use egui_macroquad::egui;

/// At the start of a pass, turns the text that egui's backend took from the clipboard into a paste.
///
/// The backend reports it as typed text, line breaks and all. Typed text comes in single characters, so whatever is
/// longer was pasted.
pub fn mark_pasted_text(context: &egui::Context) {
    context.input_mut(|input| {
        for event in &mut input.events {
            if let egui::Event::Text(text) = event
                && text.chars().nth(1).is_some()
            {
                *event = egui::Event::Paste(pasted_text(text).to_owned());
            }
        }
    });
}

/// The text to paste: a single line that was copied with its line break loses it.
pub fn pasted_text(text: &str) -> &str {
    let line = text.trim_end_matches(['\r', '\n']);
    if line.contains('\n') { text } else { line }
}
