//! Lists of which one row is chosen.

use super::button::focus_ring;
use super::focus::tell_state;
use super::places::place;
use super::scroll::lit;
use super::value::{elided, elided_at_word, is_cut};
use crate::app::palette::{Palette, faded, mixed};
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{
    Align2, CornerRadius, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetType, pos2,
    vec2,
};

/// The height of a row with a line below its name, in points.
const ROW: f32 = 36.0;
/// The height of a row with the line behind the name.
pub const LOW_ROW: f32 = 22.0;

/// A row of a list: a key, a name, a line below it.
#[derive(Clone, Copy, Debug)]
pub struct ListRow<'a> {
    /// What the report calls it.
    pub id: &'a str,
    /// The key that chooses it.
    pub key: &'a str,
    /// Its name.
    pub name: &'a str,
    /// A few words more.
    pub line: &'a str,
    /// Whether the line stands behind the name and not below it.
    pub low: bool,
}

/// As wide as a tooltip beside a row is, with what is around it, in points.
const HELP: f32 = 344.0;

/// Explains a row beside its list: over that, it would hide the next one.
pub fn beside(ui: &Ui, mut response: Response, row: Rect, help: impl FnOnce(&mut Ui)) {
    const AROUND: f32 = 24.0;
    response.rect = anchor_beside(row, ui.ctx().screen_rect());
    response.on_hover_ui(|ui| {
        ui.set_max_width(HELP - AROUND);
        help(ui);
    });
}

/// What a tooltip stands below, where there is room, and else above, to lie beside a row: a place at one of its ends, or where neither has
/// room the height of the row at the right edge of the screen, so that it hides none of the row.
fn anchor_beside(row: Rect, screen: Rect) -> Rect {
    let right = row.right() + 8.0;
    let left = row.left() - HELP;
    let at_end = |x: f32| Rect::from_pos(pos2(x, row.top() - 8.0));
    if right + HELP <= screen.right() {
        at_end(right)
    } else if left >= screen.left() {
        at_end(left)
    } else {
        let x = (screen.right() - HELP).max(screen.left());
        Rect::from_x_y_ranges(x..=screen.right(), row.y_range())
    }
}

/// Draws a row of a list; returns whether it was clicked.
pub fn list_row(
    ui: &mut Ui,
    palette: &Palette,
    row: ListRow<'_>,
    chosen: bool,
    help: impl FnOnce(&mut Ui),
) -> bool {
    let ListRow {
        id,
        key,
        name,
        line,
        low,
    } = row;
    let height = if low { LOW_ROW } else { ROW };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    place(ui.ctx(), id, rect);
    tell_state(&response, WidgetType::SelectableLabel, name, chosen);
    let wide = lit(rect);
    if chosen {
        ui.painter()
            .rect_filled(wide, CornerRadius::same(3), faded(palette.accent, 0.11));
        let bar = Rect::from_min_max(wide.left_top(), pos2(wide.left() + 2.5, wide.bottom()));
        ui.painter()
            .rect_filled(bar, CornerRadius::ZERO, palette.accent);
    } else if response.hovered() {
        ui.painter()
            .rect_filled(wide, CornerRadius::same(3), palette.hover);
    }
    focus_ring(ui, palette, &response, wide);
    if !key.is_empty() {
        let key_box =
            Rect::from_center_size(pos2(rect.left() + 10.0, rect.center().y), Vec2::splat(18.0));
        ui.painter().rect_stroke(
            key_box,
            CornerRadius::same(3),
            Stroke::new(1.0, palette.strong_line),
            StrokeKind::Inside,
        );
        ui.painter().text(
            key_box.center(),
            Align2::CENTER_CENTER,
            key,
            number(size::CAPTION),
            palette.text_second,
        );
    }
    let left = rect.left() + if key.is_empty() { 4.0 } else { 30.0 };
    let ink = if chosen {
        palette.text
    } else {
        mixed(palette.text_second, palette.text, 0.5)
    };
    let middle = if low {
        rect.center().y
    } else {
        rect.top() + 10.5
    };
    let words = elided(ui, name, text(size::NAME), ink, rect.right() - left);
    let drawn = Rect::from_min_size(pos2(left, middle - words.size().y / 2.0), words.size());
    ui.painter().galley(drawn.min, words, ink);
    // The line stands below the name, or behind it where rows are low.
    let (left, middle) = if low {
        (drawn.right() + 10.0, middle + 0.5)
    } else {
        (left, rect.top() + 25.5)
    };
    // Where it has no room it says its first clause, or beside a name nothing: half a clause says less than the tooltip.
    let (ink, font) = (palette.text_third, text(size::DESCRIPTION));
    let lay_out = |line: &str| elided_at_word(ui, line, font.clone(), ink, rect.right() - left);
    let (mut said, meant) = match (lay_out(line), line.split_once(',')) {
        (whole, Some((first, _))) if is_cut(&whole, line) => (lay_out(first), first),
        (whole, _) => (whole, line),
    };
    if low && is_cut(&said, meant) {
        said = lay_out("");
    }
    ui.painter().galley(
        pos2(left, middle - said.size().y / 2.0),
        said,
        palette.text_third,
    );
    let clicked = response.clicked();
    beside(ui, response, wide, help);
    clicked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_of_a_row_without_room_beside_it_hides_none_of_it() {
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(1_000.0, 600.0));
        let of = |x: std::ops::RangeInclusive<f32>| {
            anchor_beside(Rect::from_x_y_ranges(x, 100.0..=134.0), screen)
        };
        assert_eq!(of(0.0..=300.0).left(), 308.0);
        assert_eq!(of(700.0..=1_000.0).left(), 700.0 - HELP);
        let wide = of(20.0..=980.0);
        // Below that, or above it.
        assert_eq!(
            wide.y_range(),
            egui_macroquad::egui::Rangef::new(100.0, 134.0)
        );
        assert_eq!(wide.left(), 1_000.0 - HELP);
        // It begins on a screen that is narrower than it is.
        let narrow = Rect::from_min_size(pos2(10.0, 0.0), vec2(HELP - 20.0, 600.0));
        let row = Rect::from_x_y_ranges(20.0..=narrow.right() - 10.0, 100.0..=134.0);
        assert_eq!(anchor_beside(row, narrow).left(), narrow.left());
    }
}
