//! What lies over the field for a while: the help page, and the list of all commands.

mod describe;
mod finder;
mod help;
mod hints;
mod picture;
mod settings;

use super::palette::Palette;
use super::state::App;
use egui_macroquad::egui::{Context, CornerRadius, Frame, Margin, Rect, Stroke, Ui};
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

/// How wide what is in a page is, that would be so many points wide: it leaves a margin to the window.
pub fn page_width(ui: &Ui, wished: f32) -> f32 {
    wished.min(ui.ctx().screen_rect().width() - 60.0).max(80.0)
}

/// How high a page may be in a window of this height, with the frame around it: a low window has no room to give away.
pub fn page_height(window: f32) -> f32 {
    window - (window * 0.1).clamp(16.0, 80.0)
}

/// What the frame of a page takes of its height, in points.
pub const FRAMED: f32 = 40.0;
