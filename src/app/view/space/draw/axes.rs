//! The three axes: on which edge of the field each stands, and where its figures are.

use super::ink::{Ink, Pen};
use super::picture::Stage;
use crate::app::eye::{Eye, corners};
use crate::app::widgets::with_commas;
use egui_macroquad::egui::{Pos2, Rect, Vec2 as ScreenVec2};
use skirmish::volume::{Aabb3, Vec3};

/// How far an axis goes on past the field, in points.
const OVERHANG: f32 = 22.0;
/// A shorter axis, in points, has no figures.
const LEAST: f32 = 40.0;
/// Between two figures, in points.
pub const BETWEEN: f32 = 3.0;
/// Where two axes meet, neither has a figure so near to that, in points, and no mark where they do.
const OFF_CORNER: f32 = 14.0;
const CORNER: f32 = 2.0;
/// More round places than this on one axis are too many to draw.
const MOST_PLACES: usize = 80;

/// How the axes and the ground are divided, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// From one figure to the next.
    pub tick: f32,
    /// From one line on the ground to the next.
    pub line: f32,
}

/// A round place on an axis, which has a mark there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Where it is on the screen.
    pub at: Pos2,
    /// Its place on the axis, in metres.
    pub metres: f32,
    /// Whether it may have a figure: not beside another axis.
    pub may_be_named: bool,
}

/// An axis on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// Where the field begins and ends on it.
    pub ends: [Pos2; 2],
    /// Where the line ends beyond the field; the letter stands there.
    pub tip: Pos2,
    /// The way from the line to its figures, away from the volume, one point long.
    pub outward: ScreenVec2,
    /// Its marks, that of the least place first.
    pub ticks: Vec<Tick>,
}

/// How a field is divided: so that its longer side on the ground has three to six figures, all of them round, and ends on one
/// where that can be.
pub fn measure(field: Aabb3) -> Measure {
    let size = field.size();
    let length = size.x.max(size.y);
    if !(length.is_finite() && length > 0.0) {
        return Measure {
            tick: 1.0,
            line: 1.0,
        };
    }
    // Digits with the number of lines that a step of each falls into.
    const DIGITS: [(f32, f32); 9] = [
        (1.0, 5.0),
        (1.2, 3.0),
        (1.5, 3.0),
        (2.0, 4.0),
        (2.5, 5.0),
        (3.0, 3.0),
        (4.0, 4.0),
        (5.0, 5.0),
        (6.0, 3.0),
    ];
    let power = 10.0_f32.powf((length / 4.0).log10().floor());
    let choices = [power / 10.0, power, power * 10.0]
        .into_iter()
        .flat_map(|power| DIGITS.map(|(digit, parts)| (digit, digit * power, parts)));
    let best = choices
        .map(|(digit, tick, parts)| {
            let count = length / tick;
            let is_even = (count - count.round()).abs() < 1.0e-3;
            let is_plain = matches!(digit, 1.0 | 2.0 | 2.5 | 5.0);
            // Four would be best; an uneven end, and a digit that one does not count in, cost as much as more or fewer.
            let penalty = (count - 4.0).abs()
                + if is_even { 0.0 } else { 2.0 }
                + if is_plain { 0.0 } else { 0.8 };
            (penalty, tick, parts)
        })
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, tick, parts) = best.unwrap_or((0.0, length, 1.0));
    Measure {
        tick,
        line: tick / parts,
    }
}

/// The multiples of a step between two places, both included.
pub fn multiples(low: f32, high: f32, step: f32) -> impl Iterator<Item = f32> {
    let is_sound = step > 0.0 && low <= high && ((high - low) / step) < MOST_PLACES as f32;
    // A little more to each side: an end that is a multiple but for rounding counts.
    let first = (low / step - 1.0e-3).ceil();
    let last = (high / step + 1.0e-3).floor();
    let count = if is_sound {
        (last - first + 1.0).clamp(0.0, MOST_PLACES as f32) as usize
    } else {
        0
    };
    (0..count).map(move |index| ((first + index as f32) * step).clamp(low, high))
}

/// A place in metres as it is written on an axis whose figures are `tick` apart.
pub fn figure(metres: f32, tick: f32) -> String {
    if tick.fract() == 0.0 || tick >= 10.0 {
        let sign = if metres < 0.0 { "-" } else { "" };
        return format!("{sign}{}", with_commas(metres.abs().round() as u64));
    }
    let digits = (1.0 - tick.log10().floor()).clamp(1.0, 5.0) as usize;
    format!("{metres:.digits$}")
}

/// The axes as an eye sees them, each on an edge where the field's outline is, so that none runs through the volume; `None` where
/// there is no such edge, or hardly any of it.
pub fn axes(eye: &Eye, field: Aabb3) -> [Option<Axis>; 3] {
    let lens = eye.lens();
    let ends = corners(field);
    let facing = |axis: usize, end: usize| {
        let origin = lens.origin[axis];
        if end == 1 {
            origin > field.max[axis]
        } else {
            origin < field.min[axis]
        }
    };
    let middle = lens.project(field.center()).map(|(at, _)| at);
    let measure = measure(field);
    let mut found = [0, 1, 2].map(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let edges = (0..4).filter_map(|edge| {
            let (a, b) = (edge & 1, edge >> 1);
            // On the outline one of the two faces is seen and the other is not.
            if facing(next, a) == facing(last, b) {
                return None;
            }
            let low = ends[a << next | b << last];
            let high = ends[1 << axis | a << next | b << last];
            let (from, to) = (lens.project(low)?.0, lens.project(high)?.0);
            let between = from + (to - from) / 2.0;
            // Upright ones stand at the left, the others at the bottom.
            let rank = if axis == 2 { -between.x } else { between.y };
            Some((rank, low, high, from, to))
        });
        let (_, low, high, from, to) = edges.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let length = (to - from).length();
        if length.is_nan() || length < LEAST {
            return None;
        }
        let along = (to - from) / length;
        let across = along.rot90();
        let inward = middle.map_or(ScreenVec2::ZERO, |middle| middle - from);
        let outward = if across.dot(inward) > 0.0 {
            -across
        } else {
            across
        };
        let ticks = multiples(low[axis], high[axis], measure.tick).filter_map(|metres| {
            let mut place: Vec3 = low;
            place[axis] = metres;
            let (at, _) = lens.project(place)?;
            Some(Tick {
                at,
                metres,
                may_be_named: true,
            })
        });
        Some(Axis {
            axis,
            ends: [from, to],
            tip: to + along * OVERHANG,
            outward,
            ticks: ticks.collect(),
        })
    });
    // Where two axes meet, neither has a figure.
    let shared: Vec<(usize, Pos2)> = found
        .iter()
        .flatten()
        .flat_map(|axis| axis.ends.map(|end| (axis.axis, end)))
        .collect();
    for axis in found.iter_mut().flatten() {
        let own = axis.axis;
        axis.ticks.retain_mut(|tick| {
            let others = shared.iter().filter(|(other, _)| *other != own);
            let off = others.map(|(_, end)| (*end - tick.at).length());
            let off = off.fold(f32::INFINITY, f32::min);
            tick.may_be_named = off >= OFF_CORNER;
            off >= CORNER
        });
    }
    found
}

/// Which marks of an axis have their figures, of those whose figure has room in `places`: each, or every second, or every third, from the last one
/// on where that can be, so that none is missing between two others; as many as can be.
fn evenly(places: &[Option<Rect>]) -> Vec<usize> {
    let count = places.len();
    let mut best: Vec<usize> = Vec::new();
    for step in 1..=count {
        // Rows of longer steps have fewer places.
        if count.div_ceil(step) <= best.len() {
            break;
        }
        for from_last in 0..step {
            let row: Vec<usize> = (from_last..count)
                .step_by(step)
                .map(|it| count - 1 - it)
                .filter(|it| places[*it].is_some())
                .collect();
            let is_apart = |a: usize, b: usize| match (places[a], places[b]) {
                (Some(a), Some(b)) => !a.expand(BETWEEN).intersects(b),
                _ => true,
            };
            let fits = |pair: &[usize]| pair[0] - pair[1] == step && is_apart(pair[0], pair[1]);
            if row.len() > best.len() && row.windows(2).all(fits) {
                best = row;
            }
        }
    }
    best
}

/// The same, and none where room is left for one alone of several that have `names`: it measures nothing.
pub fn evenly_or_none(places: &[Option<Rect>], names: usize) -> Vec<usize> {
    let shown = evenly(places);
    match shown.len() == 1 && names > 1 {
        true => Vec::new(),
        false => shown,
    }
}

/// Draws the lines; the words are egui's, and the marks, which without a figure on their axis would measure nothing.
pub fn draw(ink: &mut impl Ink, stage: &Stage<'_>) {
    let screen: Rect = stage.screen;
    let pen = Pen::solid(1.25, stage.picture.palette.text_second, 0.9);
    for axis in axes(stage.picture.eye, stage.picture.field)
        .iter()
        .flatten()
    {
        pen.draw(ink, screen, axis.ends[0], axis.tip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{pos2, vec2};

    fn field(x: f32, y: f32, z: f32) -> Aabb3 {
        Aabb3::new(Vec3::ZERO, Vec3::new(x, y, z))
    }

    #[test]
    fn figures_are_round_and_end_with_the_field() {
        for (length, tick, line) in [
            (480.0, 120.0, 40.0),
            (1000.0, 250.0, 50.0),
            (100.0, 25.0, 5.0),
            (2.0e9, 5.0e8, 1.0e8),
        ] {
            let found = measure(field(length, length, 10.0));
            assert!((found.tick / tick - 1.0).abs() < 1.0e-4, "{found:?}");
            assert!((found.line / line - 1.0).abs() < 1.0e-4, "{found:?}");
        }
        for length in [1.0e-3, 0.7, 13.0, 64.0, 333.0, 12_345.0] {
            let found = measure(field(length, length, 10.0));
            let count = multiples(0.0, length, found.tick).count();
            assert!((3..=7).contains(&count), "{length} {found:?}");
        }
        assert_eq!(measure(field(f32::NAN, 0.0, 0.0)).tick, 1.0);
    }

    #[test]
    fn multiples_hold_both_ends() {
        assert_eq!(
            multiples(-240.0, 240.0, 120.0).collect::<Vec<_>>(),
            [-240.0, -120.0, 0.0, 120.0, 240.0]
        );
        assert_eq!(multiples(0.0, 1.0, 0.0).count(), 0);
        assert_eq!(multiples(0.0, f32::INFINITY, 1.0).count(), 0);
        assert_eq!(multiples(f32::NAN, 1.0, 1.0).count(), 0);
    }

    #[test]
    fn figures_have_commas_and_only_the_digits_they_need() {
        assert_eq!(figure(12_000.0, 500.0), "12,000");
        assert_eq!(figure(-120.0, 120.0), "-120");
        assert_eq!(figure(0.25, 0.25), "0.25");
        assert_eq!(figure(7.5, 2.5), "7.5");
    }

    #[test]
    fn no_figure_is_missing_between_two_others() {
        let row = |places: &[f32]| -> Vec<usize> {
            let rect = |x: &f32| Rect::from_min_size(pos2(*x, 0.0), vec2(20.0, 12.0));
            let free = places.iter().map(|x| (*x >= 0.0).then(|| rect(x)));
            evenly(&free.collect::<Vec<_>>())
        };
        // A place below 0 is taken.
        assert_eq!(row(&[0.0, 30.0, 60.0, 90.0]), [3, 2, 1, 0]);
        assert_eq!(row(&[0.0, 30.0, -1.0, 90.0]), [3, 1]);
        assert_eq!(
            row(&[0.0, 30.0, -1.0]),
            [1, 0],
            "at an end nobody misses it"
        );
        // Too narrow for all of them: every second one, the last included.
        assert_eq!(row(&[0.0, 15.0, 30.0, 45.0]), [3, 1]);
        // They stand closer the farther away they are.
        assert_eq!(row(&[0.0, 40.0, 70.0, 90.0]), [3, 1]);
        assert!(row(&[-1.0, -1.0]).is_empty() && row(&[]).is_empty());
    }

    #[test]
    fn one_figure_alone_is_left_out_where_its_axis_has_more() {
        let free = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(20.0, 12.0)));
        assert!(evenly_or_none(&[free, None, None], 3).is_empty());
        // That at the end of a short axis says how long it is.
        assert_eq!(evenly_or_none(&[None, free], 1), [1]);
        let next = free.map(|it| it.translate(vec2(40.0, 0.0)));
        assert_eq!(evenly_or_none(&[free, next, None], 3), [1, 0]);
    }

    #[test]
    fn each_round_place_has_its_mark() {
        let area = field(480.0, 480.0, 240.0);
        // So small that not each of them has room for its figure.
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(240.0, 140.0));
        let found = axes(&Eye::framing(area, screen), area);
        for axis in found.iter().flatten() {
            let last = [4, 4, 2][axis.axis];
            assert!(axis.ticks.len() >= last - 1, "{axis:?}");
            for pair in axis.ticks.windows(2) {
                let apart = pair[1].metres - pair[0].metres;
                assert!((apart - 120.0).abs() < 0.001, "{apart}");
            }
        }
    }

    #[test]
    fn no_axis_runs_through_the_volume() {
        let area = field(480.0, 480.0, 240.0);
        let screen = Rect::from_min_size(pos2(272.0, 32.0), vec2(860.0, 560.0));
        let mut eye = Eye::framing(area, screen);
        for turn in 0..60 {
            eye.orbit(vec2(29.0, if turn % 2 == 0 { 90.0 } else { -83.0 }));
            let seen = corners(area).map(|corner| eye.project(corner).expect("framed").0);
            for axis in axes(&eye, area).iter().flatten() {
                // Every corner lies on one side of an edge of the outline.
                let along = axis.ends[1] - axis.ends[0];
                let sides = seen.map(|at| along.rot90().dot(at - axis.ends[0]) / along.length());
                let is_left = sides.iter().all(|side| *side > -0.5);
                let is_right = sides.iter().all(|side| *side < 0.5);
                assert!(is_left || is_right, "{axis:?} {sides:?}");
            }
        }
    }
}
