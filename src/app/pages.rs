//! What lies over the field for a while: the help page, and the list of all commands.

mod describe;
mod finder;
mod help;
mod hints;
mod picture;
mod settings;

use super::palette::Palette;
use super::state::App;
use super::theme::size;
use super::widgets::{GUTTER, place};
use egui_macroquad::egui::{
    Align, Context, CornerRadius, Frame, Layout, Margin, Rect, RichText, Stroke, Ui,
};
pub use finder::pointer_rests;

/// Draws whichever pages are open, and the hint whose turn it is while nothing `asks`: no page, dialog or question.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, (field, asks): (Rect, bool)) {
    if !asks {
        hints::show(ctx, app, palette, field);
    }
    help::show(ctx, app, palette);
    settings::show(ctx, app, palette);
    describe::show(ctx, app, palette);
    picture::show(ctx, app, palette);
    finder::show(ctx, app, palette);
}

/// The frame of whatever lies over the window.
pub fn page_frame(palette: &Palette) -> Frame {
    Frame::new()
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, palette.strong_line))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(20))
}

/// The frame of a page all of which scrolls where it has to: the bar floats in the margin, so that what is in the page keeps as far from
/// its right edge as from its left one.
pub fn page_frame_with_bar(palette: &Palette) -> Frame {
    let frame = page_frame(palette);
    let mut margin = frame.inner_margin;
    margin.right -= GUTTER as i8;
    frame.inner_margin(margin)
}

/// The title of such a page, and the button that closes it: whether that was clicked. `id` is what reports call the page.
pub fn page_head(ui: &mut Ui, palette: &Palette, (id, title): (&str, &str)) -> bool {
    let mut is_closed = false;
    ui.horizontal(|ui| {
        let title = RichText::new(title).size(size::RATIO);
        ui.label(title.color(palette.text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // In a line with the rows, which keep off the bar that scrolls them.
            ui.add_space(GUTTER);
            let close = ui.button("Close (Esc)");
            place(ui.ctx(), &format!("{id}.close"), close.rect);
            is_closed = close.clicked();
        });
    });
    is_closed
}

/// How wide what is in a page is, that would be so many points wide: it leaves a margin to the window.
pub fn page_width(ui: &Ui, wished: f32) -> f32 {
    wished.min(ui.ctx().screen_rect().width() - 60.0).max(80.0)
}

/// How high a page may be in a window of this height, with the frame around it: a low window has no room to give away.
pub fn page_height(window: f32) -> f32 {
    window - (window * 0.1).clamp(16.0, 80.0)
}

/// A page is no higher than this, however high the window is, in points.
pub const HIGHEST: f32 = 1_200.0;

/// What the frame of a page takes of its height, in points.
pub const FRAMED: f32 = 40.0;
