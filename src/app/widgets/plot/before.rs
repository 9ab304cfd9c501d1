//! What a plot says of the structure, or the setting, before the present one: its median, as a line with a name.

use super::axis::short;
use super::{Area, Curve, Plot, ground};
use crate::app::history::{Stretch, percentile};
use crate::app::palette::{Palette, faded};
use crate::app::theme::{size, text};
use crate::app::widgets::value::unit_of;
use crate::app::widgets::words::parted;
use egui_macroquad::egui::{Galley, Id, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};
use std::sync::Arc;

/// Between the line and its name, in points.
const OFF: f32 = 3.0;

/// Between the name and the right edge of the plot, in points.
const INSET: f32 = 4.0;

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

    /// With its name beside the line, off the curves and off what is `taken`; on a ground of its own where there is no such place. Nothing
    /// where the line is hardly longer than its name. The place is kept under `id`.
    pub fn named(
        self,
        painter: &Painter,
        palette: &Palette,
        area: &Area,
        (plot, taken, id): (&Plot<'_>, &[Rect], Id),
    ) -> Option<(Self, BeforeName)> {
        let words = self.words.clone();
        let galley = painter.layout_no_wrap(words, text(size::CAPTION), palette.text_third);
        let seen = Seen {
            room: area.frame,
            from: self.from,
            size: galley.size(),
            tick: plot.tick,
        };
        let before: Option<Kept> = painter.ctx().data(|data| data.get_temp(id));
        let curves = || {
            let curves = plot.curves.iter().map(|curve| area.points(curve).collect());
            curves.collect::<Vec<Vec<Pos2>>>()
        };
        let kept = kept_place(before, seen, curves, taken)?;
        painter.ctx().data_mut(|data| data.insert_temp(id, kept));
        let rect = kept.rect(&seen);
        let is_clear = kept.is_clear;
        let name = BeforeName {
            rect,
            galley,
            is_clear,
        };
        Some((self, name))
    }
}

/// The name of that line.
pub struct BeforeName {
    rect: Rect,
    galley: Arc<Galley>,
    /// Whether no curve goes through it.
    is_clear: bool,
}

impl BeforeName {
    pub fn draw(self, painter: &Painter, palette: &Palette) {
        if !self.is_clear {
            ground(painter, palette, self.rect);
        }
        painter.galley(self.rect.min, self.galley, palette.text_third);
    }
}

/// What decides where the name stands.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    room: Rect,
    /// Where the line begins.
    from: Pos2,
    size: Vec2,
    tick: u64,
}

/// Where the name stood.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    /// By what it was found.
    seen: Seen,
    /// From where the line ends at the right to its upper left corner.
    off: Vec2,
    /// Whether no curve went through it. Where one did, there was no better place.
    is_clear: bool,
}

impl Kept {
    fn at(seen: Seen, rect: Rect, is_clear: bool) -> Self {
        let end = pos2(seen.room.right(), seen.from.y);
        Self {
            seen,
            off: rect.min - end,
            is_clear,
        }
    }

    /// Where that is now.
    fn rect(&self, seen: &Seen) -> Rect {
        let end = pos2(seen.room.right(), seen.from.y);
        Rect::from_min_size(end + self.off, seen.size)
    }
}

/// Where the name stands: where it stood as long as that is clear, else at another place that is. Where there is none, at the end of its
/// line upon the curves, and so many ticks go by before one is looked for again. Nowhere where the line is too short.
fn kept_place(
    before: Option<Kept>,
    seen: Seen,
    curves: impl FnOnce() -> Vec<Vec<Pos2>>,
    taken: &[Rect],
) -> Option<Kept> {
    const AGAIN: u64 = 30;
    let Seen {
        room, from, size, ..
    } = seen;
    rightmost(room, from, size)?;
    let before = before.filter(|it| it.seen.room == room && it.seen.size.y == size.y);
    match before {
        Some(kept) if kept.seen == seen => return Some(kept),
        Some(kept) if !kept.is_clear && kept.seen.tick.abs_diff(seen.tick) < AGAIN => {
            return Some(on_curves(kept.seen.tick, seen));
        }
        _ => {}
    }
    let curves = curves();
    let stays = before.map(|kept| kept.rect(&seen));
    let stays = stays.filter(|rect| rect.left() >= from.x + 6.0);
    let stays = stays.filter(|rect| is_clear(room, *rect, (&curves, taken)));
    let found = stays.or_else(|| name_place(room, from, size, (&curves, taken)));
    Some(match found {
        Some(rect) => Kept::at(seen, rect, true),
        None => on_curves(seen.tick, seen),
    })
}

/// At the end of the line, above it or where that is out of the plot below it, whatever goes through there. It was found so at a tick.
fn on_curves(tick: u64, seen: Seen) -> Kept {
    let Seen {
        room, from, size, ..
    } = seen;
    let x = room.right() - size.x - INSET;
    let above = Rect::from_min_size(pos2(x, from.y - OFF - size.y), size);
    let rect = match room.contains_rect(above) {
        true => above,
        false => Rect::from_min_size(pos2(x, from.y + OFF), size),
    };
    Kept::at(Seen { tick, ..seen }, rect, false)
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
    /// From one place that is tried to the next one on its left, in points.
    const STEP: f32 = 16.0;
    /// A name farther from its line than so many of its own heights is not read as that.
    const ROWS: usize = 3;
    let (left, right) = (from.x + 6.0, rightmost(room, from, size)?);
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
    let all = (0..ROWS).flat_map(|row| (0..=columns).map(move |column| (row, column)));
    let mut all =
        all.flat_map(|(row, column)| [false, true].map(|below| place(row, column, below)));
    all.find(|rect| is_clear(room, *rect, (curves, taken)))
}

/// The left edge of a name at the end of its line, where that is long enough.
fn rightmost(room: Rect, from: Pos2, size: Vec2) -> Option<f32> {
    /// The line is longer by this at least.
    const LONGER: f32 = 60.0;
    let right = room.right() - size.x - INSET;
    (right >= from.x + LONGER).then_some(right)
}

/// Whether a name is in the plot, and no curve goes through it nor is it `taken`.
fn is_clear(room: Rect, rect: Rect, (curves, taken): (&[Vec<Pos2>], &[Rect])) -> bool {
    let around = rect.expand(1.5);
    room.contains_rect(rect)
        && !taken.iter().any(|other| other.intersects(around))
        && !curves.iter().any(|curve| passes(curve, around))
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
    use std::cell::Cell;

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
    fn a_name_stays_where_it_stood_and_upon_the_curves_where_no_place_is_free() {
        let room = Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 100.0));
        let seen = |tick: u64| Seen {
            room,
            from: pos2(100.0, 50.0),
            size: vec2(60.0, 12.0),
            tick,
        };
        let looked = Cell::new(0);
        let place = |before: Option<Kept>, tick: u64, curve: &[Pos2]| {
            let curves = || {
                looked.set(looked.get() + 1);
                vec![curve.to_vec()]
            };
            kept_place(before, seen(tick), curves, &[]).expect("a long line")
        };
        let steep = [pos2(250.0, 10.0), pos2(250.0, 90.0)];
        let first = place(None, 1, &steep);
        assert!(first.is_clear && first.rect(&seen(1)).left() == 188.0);
        // What was found at this tick is not looked for again, and where the curve has gone on it stays.
        assert_eq!(place(Some(first), 1, &steep), first);
        assert_eq!(looked.get(), 1);
        let on = place(Some(first), 2, &[]);
        assert_eq!((on.off, on.is_clear), (first.off, true));
        // No place is free: it stands at the end of its line, and for half a second nothing is looked for.
        let everywhere: Vec<Pos2> = (0..200)
            .map(|at| pos2(100.0 + at as f32, if at % 2 == 0 { 0.0 } else { 100.0 }))
            .collect();
        let upon = place(Some(on), 3, &everywhere);
        assert!(!upon.is_clear && upon.rect(&seen(3)).min == pos2(236.0, 35.0));
        assert_eq!(looked.get(), 3);
        let still = place(Some(upon), 20, &[]);
        assert!(!still.is_clear && looked.get() == 3);
        let free = place(Some(still), 40, &[]);
        assert!(free.is_clear && looked.get() == 4);
        // A line that begins at the right has none.
        let short = Seen {
            from: pos2(200.0, 50.0),
            ..seen(41)
        };
        assert_eq!(kept_place(Some(free), short, Vec::new, &[]), None);
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
