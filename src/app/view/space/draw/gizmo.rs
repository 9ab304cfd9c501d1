//! The gizmo: the axes as they stand now, each end a place to click.

use crate::app::eye::Eye;
use crate::app::palette::{Palette, mixed};
use crate::app::theme::{number, size, text};
use crate::app::view::chips::{chip, clear_chip, clear_ground};
use crate::app::widgets::{cover, focus_ring, place, tell_button};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, CursorIcon, Pos2, Rect, Sense, Stroke, Ui, Vec2, pos2, vec2,
};
use skirmish::volume::Vec3;

/// How large the chip is, in points.
pub const SIZE: Vec2 = vec2(100.0, 96.0);
/// How far the ends are from the middle, in points.
const ARM: f32 = 25.0;
/// The radius of a positive end, and of a negative one, in points.
const ENDS: (f32, f32) = (8.0, 4.5);
/// The letters of the axes.
pub const LETTERS: [&str; 3] = ["x", "y", "z"];

/// An end of an axis that was clicked: the eye is to look along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// Whether it is the positive end.
    pub is_positive: bool,
}

/// How high the line with the angles is, at the foot of the chip, in points.
const ANGLES: f32 = 22.0;

/// How wide the longest of them are, in points.
const ANGLES_WIDE: f32 = 74.0;

/// Where the angles are said on a gizmo: in the middle of its foot, or where something reaches under that, at its right end if nothing does there;
/// and whether nothing lies under them.
pub fn angles(gizmo: Rect, is_free: impl Fn(Rect) -> bool) -> (Rect, bool) {
    let right = gizmo.right() - ANGLES_WIDE;
    let middle = gizmo.center().x - ANGLES_WIDE / 2.0;
    let [middle, right] = [middle, right].map(|left| {
        let corner = pos2(left, gizmo.bottom() - ANGLES);
        Rect::from_min_size(corner, vec2(ANGLES_WIDE, ANGLES))
    });
    match (is_free(middle), is_free(right)) {
        (false, true) => (right, true),
        (is_free, _) => (middle, is_free),
    }
}

/// Where the ends of the axes are on it.
pub fn ends_in(gizmo: Rect) -> Rect {
    gizmo.with_max_y(gizmo.bottom() - ANGLES)
}

/// Shows the gizmo on its chip, through which one sees where something lies under it, with its [`angles`], and says which end was clicked. The slice's axis, if there is one, is the brightest.
pub fn gizmo(
    ui: &mut Ui,
    (rect, is_clear, (angles_at, is_free)): (Rect, bool, (Rect, bool)),
    eye: &Eye,
    slice_axis: Option<usize>,
    palette: &Palette,
) -> Option<End> {
    match is_clear {
        true => chip(ui.painter(), palette, rect),
        false => clear_chip(ui.painter(), palette, rect),
    }
    cover(ui.ctx(), rect);
    place(ui.ctx(), "chip.gizmo", rect);
    let middle = pos2(rect.center().x, rect.top() + 39.0);
    let mut clicked = None;
    for (end, at, depth) in ends(eye, middle, slice_axis) {
        let radius = if end.is_positive { ENDS.0 } else { ENDS.1 };
        let sign = if end.is_positive { "+" } else { "-" };
        let name = format!("gizmo.{}{sign}", LETTERS[end.axis]);
        let hit = Rect::from_center_size(at, Vec2::splat(radius.max(7.0) * 2.0));
        let response = ui.interact(hit, ui.id().with(&name), Sense::click());
        place(ui.ctx(), &name, hit);
        let looks = format!("Look from the {sign}{} end", LETTERS[end.axis]);
        tell_button(&response, &looks);
        let is_hot = response.hovered();
        // What points away is darker.
        let toward = 0.5 - 0.5 * depth;
        let plain = mixed(palette.text_third, palette.text_second, 0.35);
        let color = if is_hot {
            palette.accent
        } else if end.is_positive && slice_axis == Some(end.axis) {
            palette.text
        } else {
            mixed(palette.panel, plain, 0.75 + 0.25 * toward)
        };
        draw_end(ui, palette, end, (middle, at), color);
        focus_ring(ui, palette, &response, hit);
        if response.clicked() {
            clicked = Some(end);
        }
        response
            .on_hover_cursor(CursorIcon::PointingHand)
            .on_hover_text(looks);
    }
    let font = number(size::CAPTION);
    let words = ui
        .painter()
        .layout_no_wrap(in_degrees(eye), font, palette.text_second);
    let at = pos2(angles_at.center().x, rect.bottom() - 13.0);
    let said = Rect::from_center_size(at, words.size());
    // No edge strikes them through, and they are no patch on the chip.
    if !is_free {
        let ground = clear_ground(palette);
        let round = CornerRadius::same(2);
        ui.painter()
            .rect_filled(said.expand2(vec2(2.0, -1.0)), round, ground);
    }
    ui.painter().galley(said.min, words, palette.text_second);
    clicked
}

/// A positive end is a disc with its letter on a line, a negative one a ring.
fn draw_end(ui: &Ui, palette: &Palette, end: End, (middle, at): (Pos2, Pos2), color: Color32) {
    let painter = ui.painter();
    if end.is_positive {
        let way = at - middle;
        let length = way.length();
        if length > ENDS.0 {
            let edge = middle + way * ((length - ENDS.0) / length);
            painter.line_segment([middle, edge], Stroke::new(1.5, color));
        }
        painter.circle_filled(at, ENDS.0, color);
        painter.text(
            at - vec2(0.0, 0.5),
            Align2::CENTER_CENTER,
            LETTERS[end.axis],
            text(size::DESCRIPTION),
            palette.field,
        );
    } else {
        painter.circle(at, ENDS.1, palette.panel, Stroke::new(1.3, color));
    }
}

/// The ends with where they are and how far they point away, from -1 to 1: the farthest first, and last that by which the slice is named,
/// of whose disc another one would cut something off.
fn ends(eye: &Eye, middle: Pos2, slice_axis: Option<usize>) -> [(End, Pos2, f32); 6] {
    let lens = eye.lens();
    let mut ends = std::array::from_fn(|index| {
        let end = End {
            axis: index / 2,
            is_positive: index % 2 == 0,
        };
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][end.axis];
        let way = if end.is_positive { axis } else { -axis };
        let (x, y) = (way.dot(lens.right), way.dot(lens.up));
        (end, middle + vec2(x, -y) * ARM, way.dot(lens.forward))
    });
    let is_of_slice = |end: &End| end.is_positive && slice_axis == Some(end.axis);
    ends.sort_by(|a, b| {
        let order = is_of_slice(&a.0).cmp(&is_of_slice(&b.0));
        order.then(b.2.total_cmp(&a.2))
    });
    ends
}

/// Azimuth and elevation, in degrees.
fn in_degrees(eye: &Eye) -> String {
    // Adding 0 takes the sign off a zero.
    let whole = |degrees: f32| degrees.round() + 0.0;
    let text = format!("{:.0}° · {:.0}°", whole(eye.azimuth), whole(eye.elevation));
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::volume::Aabb3;

    #[test]
    fn the_angles_have_a_second_place_beside_what_reaches_under_the_first() {
        let gizmo = Rect::from_min_size(pos2(1022.0, 82.0), SIZE);
        let (middle, is_free) = angles(gizmo, |_| true);
        assert!(is_free);
        assert_eq!(middle.center().x, gizmo.center().x);
        // The corner of a volume that ends below the left of it.
        let corner = pos2(1042.0, 168.0);
        let (right, is_free) = angles(gizmo, |place| !place.expand(4.0).contains(corner));
        assert!(is_free, "no ground is needed there");
        assert!(middle.contains(corner) && right.left() > middle.left());
        assert!(gizmo.contains_rect(middle) && gizmo.contains_rect(right));
        // Where something reaches under both they are said all the same, on a ground.
        assert_eq!(angles(gizmo, |_| false), (middle, false));
    }

    #[test]
    fn the_ends_stand_as_the_axes_do() {
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(860.0, 560.0));
        let field = Aabb3::new(Vec3::ZERO, Vec3::ONE);
        let mut eye = Eye::framing(field, screen);
        (eye.azimuth, eye.elevation) = (0.0, 0.0);
        let middle = pos2(50.0, 50.0);
        let at = |axis, is_positive| {
            let end = End { axis, is_positive };
            let found = ends(&eye, middle, None)
                .into_iter()
                .find(|(it, ..)| *it == end);
            found.map(|(_, at, _)| at)
        };
        assert_eq!(at(0, true), Some(pos2(75.0, 50.0)));
        assert_eq!(at(2, true), Some(pos2(50.0, 25.0)));
        // The positive end of y points away, the negative one is drawn over it.
        assert_eq!(
            ends(&eye, middle, None)[0].0,
            End {
                axis: 1,
                is_positive: true
            }
        );
        // Of the slice it is drawn over all others.
        let of_slice = ends(&eye, middle, Some(1))[5].0;
        assert!(of_slice.axis == 1 && of_slice.is_positive);
        (eye.azimuth, eye.elevation) = (-31.2, -0.2);
        assert_eq!(in_degrees(&eye), "\u{2212}31° · 0°");
    }
}
