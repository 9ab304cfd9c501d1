//! The scale of a plot: where a value lies on its height, how that is written at the axes, and figures as short as can be.

use crate::app::history::LENGTH;
use crate::app::palette::Palette;
use crate::app::theme::{number, size};
use crate::app::widgets::words::with_commas;
use egui_macroquad::egui::{Align2, Painter, Rect, Stroke, pos2};

/// A scale of ratios ends at no less than so many times where it begins.
const LEAST_SPAN: f32 = 10.0;

/// Of a scale that is made for values, the least and the greatest are no farther apart than so many powers of ten: what is less than a
/// hundred thousandth of what it is beside is as good as nothing.
const MOST_POWERS: i32 = 5;

/// How the values of a plot lie on its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Equal ways are equal differences.
    Linear,
    /// Equal ways are equal ratios, from this on; what is less lies at the bottom. The title says so, or what chooses it.
    Logarithmic(f32),
}

impl Scale {
    /// The scale of ratios that begins at the power of ten below the least of these values that is any.
    pub fn of_ratios(values: impl Iterator<Item = f32>) -> Self {
        let (mut least, mut most) = (f32::INFINITY, 0.0_f32);
        for value in values.filter(|value| *value > 0.0) {
            (least, most) = (least.min(value), most.max(value));
        }
        if most == 0.0 {
            return Self::Logarithmic(1.0);
        }
        let power = |value: f32| value.log10().floor() as i32;
        let first = power(least).max(power(most) - MOST_POWERS);
        Self::Logarithmic(10f32.powi(first))
    }

    /// The part of the height at which a value lies.
    pub fn part(self, value: f32, top: f32) -> f32 {
        let part = match self {
            Self::Linear => value / top,
            Self::Logarithmic(from) => (value.max(from) / from).ln() / span(from, top).ln(),
        };
        part.clamp(0.0, 1.0)
    }

    /// At which parts of the height lines go across, and what stands there: the ends and the middle, and on a scale of ratios its ends and
    /// powers of ten, of which as many are left out as would stand close on so many points.
    fn ticks(self, top: f32, height: f32) -> Vec<(f32, String)> {
        /// From one power to the next, in points.
        const LEAST_APART: f32 = 14.0;
        match self {
            Self::Linear => [0.0, 0.5, 1.0]
                .map(|part| (part, short(top * part)))
                .to_vec(),
            Self::Logarithmic(from) => {
                let top = from * span(from, top);
                let power = self.part(10.0 * from, top);
                let apart = LEAST_APART / height.max(1.0);
                let each = (apart / power).ceil().max(1.0) as i32;
                let powers = (each..)
                    .step_by(each as usize)
                    .map(|at| from * 10f32.powi(at));
                let between = powers.take_while(|value| self.part(*value, top) <= 1.0 - apart);
                std::iter::once(from)
                    .chain(between)
                    .chain([top])
                    .enumerate()
                    .map(|(place, value)| {
                        // Nothing lies there as well: a scale of ratios has no place for it.
                        let least = if place == 0 { "\u{2264}" } else { "" };
                        (self.part(value, top), format!("{least}{}", short(value)))
                    })
                    .collect()
            }
        }
    }
}

/// How many times where it begins a scale of ratios ends.
fn span(from: f32, top: f32) -> f32 {
    (top / from).max(LEAST_SPAN)
}

/// Lines across, with their values on a scale that ends at `top`, and the times below, of which the last one is said in these words.
pub fn axes(
    painter: &Painter,
    palette: &Palette,
    frame: Rect,
    (scale, top): (Scale, f32),
    last: String,
) {
    for (part, label) in scale.ticks(top, frame.height()) {
        let y = frame.bottom() - frame.height() * part;
        painter.hline(frame.x_range(), y, Stroke::new(1.0, palette.line));
        let at = pos2(frame.left() - 6.0, y);
        painter.text(
            at,
            Align2::RIGHT_CENTER,
            label,
            number(size::CAPTION),
            palette.text_third,
        );
    }
    let y = frame.bottom() + 8.0;
    let seconds = LENGTH / 60;
    let mut free = frame.right();
    for (x, align, words) in [
        (frame.right(), Align2::RIGHT_CENTER, last),
        (frame.left(), Align2::LEFT_CENTER, format!("−{seconds} s")),
        (
            frame.center().x,
            Align2::CENTER_CENTER,
            format!("−{} s", seconds / 2),
        ),
    ] {
        let color = palette.text_third;
        let galley = painter.layout_no_wrap(words.clone(), number(size::CAPTION), color);
        let drawn = align.anchor_size(pos2(x, y), galley.size());
        match align {
            Align2::RIGHT_CENTER => free = drawn.left() - 4.0,
            // A narrow plot has no room for what is between beside a long tick.
            _ if drawn.right() > free => continue,
            _ => {}
        }
        painter.text(
            pos2(x, y),
            align,
            words,
            number(size::CAPTION),
            palette.text_third,
        );
    }
}

/// The next of 1, 2, 4, 5, 10 times a power of ten.
pub fn round_up(value: f32) -> f32 {
    let power = 10f32.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|top| *top >= value)
        .unwrap_or(10.0 * power)
}

/// A number as short as an axis needs it.
pub fn short(value: f32) -> String {
    match value {
        v if v >= 1.0e6 => format!("{}M", trimmed(v / 1.0e6)),
        v if v >= 1.0e3 => format!("{}k", trimmed(v / 1.0e3)),
        v => trimmed(v),
    }
}

fn trimmed(value: f32) -> String {
    let decimals = decimals(value, 2).max(2);
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How many decimals a value has that is written with so many digits, not counting the zeros before them.
fn decimals(value: f32, digits: i32) -> usize {
    /// What is smaller than the last of these is noise.
    const MOST: i32 = 6;
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let before_point = value.abs().log10().floor() as i32 + 1;
    (digits - before_point).clamp(0, MOST) as usize
}

/// The figures of several curves at one place: each with two digits, with a decimal below 100 and none above, and all with as many more
/// as tell those apart that differ.
pub fn side_by_side(values: &[f32]) -> Vec<String> {
    /// What differs in none of these is the same for who looks at a plot.
    const MOST_DIGITS: i32 = 4;
    let figure = |value: f32, digits: i32| {
        let at_least = usize::from(value < 100.0);
        match decimals(value, digits).max(at_least) {
            _ if value.is_nan() => "not measured".to_owned(),
            _ if value.fract() == 0.0 => with_commas(value as u64),
            0 => with_commas(value.round() as u64),
            decimals => format!("{value:.decimals$}"),
        }
    };
    let mut digits = 2;
    loop {
        let figures: Vec<String> = values.iter().map(|it| figure(*it, digits)).collect();
        let is_told_apart = |(place, value): (usize, &f32)| {
            let mut others = values[..place].iter().zip(&figures);
            others.all(|(other, it)| *it != figures[place] || other == value || other.is_nan())
        };
        if digits == MOST_DIGITS || values.iter().enumerate().all(is_told_apart) {
            return figures;
        }
        digits += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_on_round_numbers() {
        assert_eq!(round_up(33_313.0), 40_000.0);
        assert_eq!(round_up(1.0), 1.0);
        assert_eq!(round_up(0.7), 1.0);
        assert_eq!(short(40_000.0), "40k");
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(2_500_000.0), "2.5M");
        // What is small is not nothing.
        assert_eq!(short(0.004), "0.004");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(0.1234), "0.12");
    }

    #[test]
    fn a_scale_of_ratios_has_powers_of_ten_between_its_ends() {
        let said_on = |height: f32, scale: Scale, top: f32| {
            let ticks = scale.ticks(top, height);
            assert!(ticks.is_sorted_by(|a, b| a.0 < b.0), "{ticks:?}");
            let words: Vec<String> = ticks.into_iter().map(|it| it.1).collect();
            words.join(" ")
        };
        let said = |scale: Scale, top: f32| said_on(75.0, scale, top);
        let from_one = Scale::Logarithmic(1.0);
        assert_eq!(from_one.part(0.0, 1000.0), 0.0);
        assert_eq!(from_one.part(1000.0, 1000.0), 1.0);
        let parts = [10.0, 100.0].map(|value| from_one.part(value, 1000.0));
        assert!((parts[1] - 2.0 * parts[0]).abs() < 1.0e-5, "{parts:?}");
        assert_eq!(said(from_one, 1000.0), "\u{2264}1 10 100 1k");
        assert_eq!(said(from_one, 1.0), "\u{2264}1 10");
        // One that would stand close to the end is left out, and so are some of many.
        assert_eq!(said(from_one, 200.0), "\u{2264}1 10 200");
        assert_eq!(said(from_one, 1.0e6), "\u{2264}1 100 10k 1M");
        assert_eq!(said(Scale::Linear, 1000.0), "0 500 1k");
        // In a low plot they do not run into each other, and a high one has all of them.
        assert_eq!(said_on(41.0, from_one, 1000.0), "\u{2264}1 1k");
        assert_eq!(said_on(41.0, from_one, 1.0e5), "\u{2264}1 100 100k");
        assert_eq!(said_on(0.0, from_one, 1.0e5), "\u{2264}1 100k");
        let all = "\u{2264}1 10 100 1k 10k 100k 1M";
        assert_eq!(said_on(160.0, from_one, 1.0e6), all);
        // Times below a millisecond, and a spike.
        let times = Scale::of_ratios([0.04, f32::NAN, 0.0, 0.3, 12.0].into_iter());
        assert_eq!(times, Scale::Logarithmic(0.01));
        assert_eq!(said(times, 20.0), "\u{2264}0.01 0.1 1 20");
        // Hardly anything takes no room from all else, and nothing at all has a scale, too.
        let [Scale::Logarithmic(from), Scale::Logarithmic(of_none)] =
            [&[1.0e-9, 50.0][..], &[0.0]].map(|of| Scale::of_ratios(of.iter().copied()))
        else {
            panic!("a scale of ratios");
        };
        assert!((from * 1.0e4 - 1.0).abs() < 1.0e-3, "{from}");
        assert_eq!(of_none, 1.0);
    }

    #[test]
    fn figures_of_one_tag_have_two_digits_and_as_many_more_as_tell_them_apart() {
        assert_eq!(side_by_side(&[0.0123, 0.0042]), ["0.012", "0.0042"]);
        assert_eq!(side_by_side(&[0.0123, 0.01234]), ["0.01230", "0.01234"]);
        assert_eq!(side_by_side(&[0.0, 0.0]), ["0", "0"]);
        assert_eq!(side_by_side(&[1.231, 1.239]), ["1.23", "1.24"]);
        assert_eq!(side_by_side(&[45.67, 1234.4]), ["45.7", "1,234"]);
        assert_eq!(side_by_side(&[3.0, f32::NAN]), ["3", "not measured"]);
        assert_eq!(side_by_side(&[f32::NAN, f32::NAN]).len(), 2);
        assert_eq!(side_by_side(&[123.4, 123.3]), ["123.4", "123.3"]);
    }
}
