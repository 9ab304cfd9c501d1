//! What a plot says of the structure, or the setting, before the present one: its median, as a line with a name.

use super::{Area, Curve, Plot, short};
use crate::app::history::{Stretch, percentile};
use crate::app::palette::{Palette, faded};
use crate::app::theme::{size, text};
use crate::app::widgets::value::unit_of;
use crate::app::widgets::words::parted;
use egui_macroquad::egui::{Galley, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};
use std::sync::Arc;

/// The median of the structure before the present one, as a grey line that goes on under the present one's curve, with its name.
pub struct Before {
    from: Pos2,
    words: String,
}

impl Before {
    pub fn of(area: &Area, first: &Curve<'_>) -> Option<Self> {
        let [.., last, present] = first.stretches else {
            return None;
        };
        let values = first.series.values();
        let of_last = &values[last.from.min(values.len())..present.from.min(values.len())];
        if of_last.iter().all(|value| value.is_nan()) {
            return None;
        }
        let median = percentile(of_last, 0.5) * first.scale;
        Some(Self {
            from: area.at(values.len().saturating_sub(1 + present.from), median),
            words: name_of(last, present, &short(median)),
        })
    }

    pub fn line(&self, painter: &Painter, palette: &Palette, area: &Area) {
        let to = pos2(area.frame.right(), self.from.y);
        let stroke = Stroke::new(1.0, faded(palette.text_third, 0.9));
        painter.extend(Shape::dashed_line(&[self.from, to], stroke, 5.0, 4.0));
    }

    /// With its name beside the line, if there is room for that off the curves and off what is `taken`.
    pub fn named(
        self,
        painter: &Painter,
        palette: &Palette,
        area: &Area,
        (plot, taken): (&Plot<'_>, &[Rect]),
    ) -> Option<(Self, BeforeName)> {
        let words = self.words.clone();
        let galley = painter.layout_no_wrap(words, text(size::CAPTION), palette.text_third);
        let curves = plot.curves.iter().map(|curve| area.points(curve).collect());
        let curves: Vec<Vec<Pos2>> = curves.collect();
        let rect = name_place(area.frame, self.from, galley.size(), (&curves, taken))?;
        Some((self, BeforeName { rect, galley }))
    }
}

/// The name of that line.
pub struct BeforeName {
    rect: Rect,
    galley: Arc<Galley>,
}

impl BeforeName {
    pub fn draw(self, painter: &Painter, palette: &Palette) {
        painter.galley(self.rect.min, self.galley, palette.text_third);
    }
}

/// What a stretch is called beside the one that follows it, with its median: by its structure, or where that is the same by the first
/// setting in which they differ.
fn name_of(last: &Stretch, present: &Stretch, median: &str) -> String {
    let info = last.kind.info();
    let mut knobs = info.knobs.iter().zip(last.knobs.iter().zip(&present.knobs));
    let differs = knobs.find(|(knob, (one, other))| !knob.picture_only && one != other);
    match differs.filter(|_| last.kind == present.kind) {
        Some((knob, (value, _))) => {
            let unit = if knob.is_auto(*value) { "" } else { knob.unit };
            let value = knob.format(*value).replace('_', " ");
            let with_unit = format!("{} {}", parted(&value), unit_of(&value, unit));
            format!("{} {}: {median}", knob.name, with_unit.trim_end())
        }
        None => format!("{} {median}", info.name),
    }
}

/// Where the name of a line stands that begins at `from` and goes to the right edge of `room`: near its end where it can, above it rather
/// than below, and as near to it as there is a place through which no curve goes and that nothing has `taken`. Nowhere where there is none,
/// or where the line is hardly longer than it.
fn name_place(
    room: Rect,
    from: Pos2,
    size: Vec2,
    (curves, taken): (&[Vec<Pos2>], &[Rect]),
) -> Option<Rect> {
    /// Between the line and its name, in points.
    const OFF: f32 = 3.0;
    /// The line is longer by this at least.
    const LONGER: f32 = 60.0;
    /// From one place that is tried to the next one on its left, in points.
    const STEP: f32 = 16.0;
    /// A name farther from its line than so many of its own heights is not read as that.
    const ROWS: usize = 3;
    let (left, right) = (from.x + 6.0, room.right() - size.x - 4.0);
    if right < from.x + LONGER {
        return None;
    }
    let columns = ((right - left) / STEP) as usize;
    let place = |row: usize, column: usize, is_below: bool| {
        let x = right - STEP * column as f32;
        let off = OFF + size.y * row as f32;
        let y = if is_below {
            from.y + off
        } else {
            from.y - off - size.y
        };
        Rect::from_min_size(pos2(x, y), size)
    };
    let is_clear = |rect: &Rect| {
        let around = rect.expand(1.5);
        room.contains_rect(*rect)
            && !taken.iter().any(|other| other.intersects(around))
            && !curves.iter().any(|curve| passes(curve, around))
    };
    let all = (0..ROWS).flat_map(|row| (0..=columns).map(move |column| (row, column)));
    let mut all =
        all.flat_map(|(row, column)| [false, true].map(|below| place(row, column, below)));
    all.find(is_clear)
}

/// Whether a curve goes through a rectangle, at one of its points or between two.
fn passes(curve: &[Pos2], rect: Rect) -> bool {
    let mut ways = curve.windows(2);
    curve.iter().any(|at| rect.contains(*at))
        || ways.any(|two| Rect::from_two_pos(two[0], two[1]).intersects(rect))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::vec2;
    use skirmish::partition::Kind;

    #[test]
    fn a_name_stands_beside_its_line_and_off_the_curves() {
        let room = Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 100.0));
        let (from, size) = (pos2(100.0, 50.0), vec2(60.0, 12.0));
        let place = |curve: &[Pos2], taken: &[Rect]| {
            let curves = [curve.to_vec()];
            let found = name_place(room, from, size, (&curves, taken));
            found.map(|rect| (rect.left(), rect.top()))
        };
        assert_eq!(place(&[], &[]), Some((236.0, 35.0)));
        let above = pos2(250.0, 40.0);
        assert_eq!(place(&[above], &[]), Some((236.0, 53.0)));
        // A curve that goes up there leaves no room at its end, above or below, although none of its points is there.
        let steep = [pos2(250.0, 10.0), pos2(250.0, 90.0)];
        assert_eq!(place(&steep, &[]), Some((188.0, 35.0)));
        // Off a curve along the line it stands higher, and off what stands there already lower.
        let along = [pos2(100.0, 45.0), pos2(300.0, 55.0)];
        assert_eq!(place(&along, &[]), Some((236.0, 23.0)));
        let name = Rect::from_min_max(pos2(100.0, 0.0), pos2(300.0, 36.0));
        assert_eq!(place(&along, &[name]), Some((236.0, 65.0)));
        // On a curve it never stands.
        let everywhere = [pos2(100.0, 0.0), pos2(300.0, 100.0)];
        assert_eq!(place(&everywhere, &[]), None);
        let found = name_place(room, pos2(200.0, 50.0), size, (&[], &[]));
        assert_eq!(found, None);
    }

    #[test]
    fn two_settings_of_one_structure_are_told_apart_by_what_differs() {
        let stretch = |kind: Kind, cell_size: f64| {
            let kind = skirmish::structure::StructureKind::from(kind);
            let knobs = kind.info().knobs.iter();
            let mut knobs: Vec<f64> = knobs.map(|knob| knob.default).collect();
            knobs[0] = cell_size;
            Stretch {
                from: 0,
                kind,
                knobs,
            }
        };
        let grid = |cell_size| stretch(Kind::LinkedGrid, cell_size);
        assert_eq!(
            name_of(&grid(30.0), &grid(20.0), "69.75k"),
            "cell size 30 m: 69.75k"
        );
        assert_eq!(name_of(&grid(0.0), &grid(20.0), "9"), "cell size auto: 9");
        let other = stretch(Kind::Quadtree, 8.0);
        assert_eq!(name_of(&grid(30.0), &other, "9"), "linked grid 9");
    }
}
