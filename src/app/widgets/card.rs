//! What stands out of a panel: its one big number, and the cards of an inspector.

use super::stat::explained;
use super::value::elided;
use crate::app::glossary::Named;
use crate::app::palette::{Palette, faded};
use crate::app::theme::{size, text};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Frame, Margin, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

/// The one big number of a panel, and two lines beside it; the first of them is its name.
pub fn big_number<'a>(
    ui: &mut Ui,
    palette: &Palette,
    number: &str,
    first: impl Into<Named<'a>>,
    second: &str,
) {
    let Named { name: first, means } = first.into();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 50.0), Sense::hover());
    let width_of = |words: &str, size: f32| {
        let words = words.to_owned();
        ui.painter()
            .layout_no_wrap(words, text(size), palette.text)
            .size()
            .x
    };
    // Six digits and what they count share a narrow panel: the digits give way, the words are read whole.
    let words = width_of(first, size::SECOND).max(width_of(second, size::SECOND));
    let room = (rect.width() - words - 13.0).max(1.0);
    let size = size::BIG * (room / width_of(number, size::BIG)).clamp(0.4, 1.0);
    let part = seen_part(rect, ui.clip_rect());
    let [ink, paler] = [palette.text, palette.text_second].map(|ink| faded(ink, part));
    let drawn = ui.painter().text(
        rect.left_center() - vec2(1.0, 0.0),
        Align2::LEFT_CENTER,
        number,
        text(size),
        ink,
    );
    for (line, y) in [(first, -8.0), (second, 8.0)] {
        let at = pos2(drawn.right() + 12.0, rect.center().y + y);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, line, text(size::SECOND), paler);
    }
    explained(response, means);
}

/// How much of a big number, or of a picture of numbers, in `rect` is seen where everything ends at the edges of `clip`: digits that are cut
/// through say another number, and so does the height of columns, so that they fade before they are.
pub fn seen_part(rect: Rect, clip: Rect) -> f32 {
    /// With so much of its height the digits are whole.
    const WHOLE: f32 = 0.9;
    /// And with so little they would be cut through the middle.
    const CUT: f32 = 0.6;
    let height = rect.bottom().min(clip.bottom()) - rect.top().max(clip.top());
    ((height / rect.height() - CUT) / (WHOLE - CUT)).clamp(0.0, 1.0)
}

/// What stands before the title of a card: what it is about, as it is on the field.
#[derive(Clone, Copy, Debug)]
pub enum Emblem {
    /// The outline of a region or of an object.
    Frame,
    /// A unit, which faces to the right (1) or to the left (-1).
    Arrow {
        /// Which way.
        way: f32,
    },
}

/// How high the title of a card is that stands above its rows, in points.
pub const CARD_TITLE: f32 = ABOVE_TITLE as f32 + TITLE;
const ABOVE_TITLE: i8 = 6;
const TITLE: f32 = 22.0;

/// How round the corners of a card are, and how far its rows are from its sides and its foot, in points.
const ROUND: u8 = 4;
const SIDE: i8 = 10;
const FOOT: i8 = 6;

/// A raised card with a title, a word at the right and rows.
pub fn card(
    ui: &mut Ui,
    palette: &Palette,
    title: &str,
    right: &str,
    emblem: (Emblem, Color32),
    rows: impl FnOnce(&mut Ui),
) {
    raised(ui, palette, [true, true], |ui| {
        title_row(ui, palette, title, right, emblem);
        rows(ui);
    });
    ui.add_space(8.0);
}

/// The title of a card alone, whose [rows](card_rows) follow below it: it stays where these scroll.
pub fn card_title(
    ui: &mut Ui,
    palette: &Palette,
    title: &str,
    right: &str,
    emblem: (Emblem, Color32),
) {
    raised(ui, palette, [true, false], |ui| {
        title_row(ui, palette, title, right, emblem);
    });
}

/// The rows of a card whose [title](card_title) stands above them.
pub fn card_rows(ui: &mut Ui, palette: &Palette, rows: impl FnOnce(&mut Ui)) {
    raised(ui, palette, [false, true], |ui| {
        ui.set_min_width(ui.available_width());
        rows(ui);
    });
    ui.add_space(8.0);
}

/// The ground of a card, or of a part of it: whether its head is there, and its foot.
fn raised(ui: &mut Ui, palette: &Palette, [head, foot]: [bool; 2], add: impl FnOnce(&mut Ui)) {
    let round = |is_there: bool| if is_there { ROUND } else { 0 };
    Frame::new()
        .fill(palette.raised)
        .corner_radius(CornerRadius {
            nw: round(head),
            ne: round(head),
            sw: round(foot),
            se: round(foot),
        })
        .inner_margin(Margin {
            left: SIDE,
            right: SIDE,
            top: if head { ABOVE_TITLE } else { 0 },
            bottom: if foot { FOOT } else { 0 },
        })
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
        });
}

fn title_row(
    ui: &mut Ui,
    palette: &Palette,
    title: &str,
    right: &str,
    (emblem, color): (Emblem, Color32),
) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::hover());
    let mark = Rect::from_center_size(pos2(rect.left() + 5.0, rect.center().y), vec2(10.0, 10.0));
    let painter = ui.painter();
    match emblem {
        Emblem::Frame => {
            let line = Stroke::new(1.5, color);
            painter.rect_stroke(mark, CornerRadius::same(2), line, StrokeKind::Inside);
        }
        Emblem::Arrow { way } => {
            let corners = [(5.0, 0.0), (-4.0, 3.5), (-4.0, -3.5)];
            let corners = corners.map(|(x, y)| mark.center() + vec2(way * x, y));
            let arrow = Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE);
            painter.add(arrow);
        }
    }
    let word = ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        right,
        text(size::SECOND),
        color,
    );
    // A title that holds the name of a file may be of any length.
    let left = rect.left() + 18.0;
    let room = word.left() - left - 10.0;
    let title = elided(ui, title, text(size::NAME), palette.text, room);
    let at = pos2(left, rect.center().y - title.size().y / 2.0);
    ui.painter().galley(at, title, palette.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_big_number_is_gone_before_an_edge_cuts_through_its_digits() {
        let clip = Rect::from_min_max(pos2(0.0, 100.0), pos2(200.0, 400.0));
        let seen =
            |top: f32| seen_part(Rect::from_min_size(pos2(0.0, top), vec2(190.0, 50.0)), clip);
        assert_eq!([100.0, 350.0, 355.0].map(seen), [1.0; 3]);
        assert_eq!([375.0, 75.0, 420.0, 0.0].map(seen), [0.0; 4]);
        assert!((0.4..0.6).contains(&seen(362.5)));
    }
}
