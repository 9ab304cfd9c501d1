//! What became of the scene's file on the disk while it is open: a card that says so, and offers to read it again.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::watch::Became;
use crate::app::widgets::{cover, place};
use egui_macroquad::egui::{
    Area, Button, Context, CornerRadius, Frame, Id, Label, Margin, Order, Rect, RichText, Stroke,
    pos2, vec2,
};

/// From the field's upper edge; the notice is above it.
const TOP: f32 = 62.0;
/// Under a notice.
const UNDER: f32 = 118.0;

/// Draws the card, where there is something to say.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    let Some(became) = app.files.on_disk else {
        return;
    };
    let name = app.title();
    let unsaved = app.is_unsaved();
    let words = match (became, unsaved) {
        (Became::Changed, true) => format!(
            "{name} was changed by another program. To reload it leaves your unsaved changes; undo brings them back while the window is open."
        ),
        (Became::Changed, false) => format!("{name} was changed by another program."),
        (Became::Gone, _) => format!(
            "{name} is gone from the disk. What you see is kept here; saving writes it again."
        ),
        (Became::NoFile, _) => format!(
            "{name} is no file any more. What you see is kept here; save it under another name."
        ),
        (Became::Unreadable, _) => {
            format!("{name} may not be read any more. What you see is kept here.")
        }
    };
    let top = if app.notice.is_some() { UNDER } else { TOP };
    let width = (field.width() - 40.0).clamp(220.0, 560.0);
    let mut answer = None;
    let shown = Area::new(Id::new("on disk"))
        .order(Order::Foreground)
        .fixed_pos(pos2(field.center().x - width / 2.0, field.top() + top))
        .show(ctx, |ui| {
            Frame::new()
                .fill(palette.raised)
                .stroke(Stroke::new(1.0, palette.strong_line))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin::symmetric(16, 12))
                .show(ui, |ui| {
                    ui.set_width(width - 32.0);
                    let words = RichText::new(words).size(size::LABEL).color(palette.text);
                    ui.add(Label::new(words).wrap());
                    ui.add_space(8.0);
                    ui.horizontal(|ui| {
                        let answers: &[&str] = match became {
                            Became::Changed => &["Reload", "Keep mine"],
                            _ => &["Close"],
                        };
                        for word in answers {
                            let button = Button::new(*word).min_size(vec2(88.0, 26.0));
                            let response = ui.add(button);
                            let id = format!("disk.{}", word.to_lowercase());
                            place(ui.ctx(), &id, response.rect);
                            if response.clicked() {
                                answer = Some(*word);
                            }
                        }
                    });
                });
        });
    cover(ctx, shown.response.rect);
    match answer {
        Some("Reload") => app.reload(),
        Some(_) => app.files.is_heard = true,
        None => {}
    }
}
