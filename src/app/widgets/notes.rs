//! What widgets have to say to the user, for whoever shows such sentences: a widget knows no window.

use egui_macroquad::egui::{Context, Id};

fn notes_id() -> Id {
    Id::new("notes of widgets")
}

/// Says a sentence. A later one takes its place.
pub fn note(ctx: &Context, sentence: String) {
    ctx.data_mut(|data| data.insert_temp(notes_id(), sentence));
}

/// Takes the sentence that was said since this was called last.
pub fn take_note(ctx: &Context) -> Option<String> {
    ctx.data_mut(|data| data.remove_temp(notes_id()))
}
