//! Plots of the last ten seconds.

use crate::app::history::{LENGTH, Series};
use crate::app::palette::{Palette, faded};
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2,
};

/// A curve of a plot.
pub struct Curve<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its values, one a tick.
    pub series: &'a Series,
    /// Its colour.
    pub color: Color32,
    /// Whether the area under it is filled.
    pub filled: bool,
    /// By how much its values are multiplied.
    pub scale: f32,
}

/// How the values of a plot lie on its height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal ways are equal differences.
    Linear,
    /// Equal ways are nearly equal ratios; 0 lies at the bottom. The title says so.
    Logarithmic,
}

impl Scale {
    /// The part of the height at which a value lies.
    fn part(self, value: f32, top: f32) -> f32 {
        let part = match self {
            Self::Linear => value / top,
            Self::Logarithmic => value.ln_1p() / top.ln_1p(),
        };
        part.clamp(0.0, 1.0)
    }

    /// The value at a part of the height.
    fn value(self, part: f32, top: f32) -> f32 {
        match self {
            Self::Linear => top * part,
            Self::Logarithmic => (part * top.ln_1p()).exp_m1().round(),
        }
    }
}

/// A plot with its title, the names of its curves and the newest value above it.
pub fn plot(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    (title, scale): (&str, Scale),
    now: &str,
    unit: &str,
    curves: &[Curve<'_>],
) {
    let head = rect.with_max_y(rect.top() + 16.0);
    plot_head(ui.painter(), palette, head, title, now, unit, curves);
    let body = rect.with_min_y(rect.top() + 22.0);
    if curves.iter().all(|curve| curve.series.is_empty()) {
        ui.painter().rect_stroke(
            body,
            CornerRadius::same(2),
            Stroke::new(1.0, palette.line),
            StrokeKind::Inside,
        );
        ui.painter().text(
            body.center(),
            Align2::CENTER_CENTER,
            "no data yet",
            text(size::SECOND),
            palette.text_second,
        );
        return;
    }
    let most = curves
        .iter()
        .flat_map(|curve| curve.series.iter().map(|value| value * curve.scale))
        .fold(0.0, f32::max);
    let top = if most > 0.0 { round_up(most) } else { 1.0 };
    let frame = Rect::from_min_max(
        pos2(body.left() + 38.0, body.top() + 2.0),
        pos2(body.right(), body.bottom() - 15.0),
    );
    axes(ui.painter(), palette, frame, scale, top);
    let painter = ui.painter().with_clip_rect(frame.expand(1.0));
    for curve in curves {
        let count = curve.series.iter().len();
        let points: Vec<Pos2> = curve
            .series
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let age = (count - 1 - index) as f32 / (LENGTH - 1) as f32;
                let height = frame.height() * scale.part(value * curve.scale, top);
                pos2(frame.right() - frame.width() * age, frame.bottom() - height)
            })
            .collect();
        if curve.filled {
            painter.add(area_under(
                &points,
                frame.bottom(),
                faded(curve.color, 0.14),
            ));
        }
        painter.add(Shape::line(points, Stroke::new(1.4, curve.color)));
    }
}

/// Three lines across, with their values, and the times below.
fn axes(painter: &Painter, palette: &Palette, frame: Rect, scale: Scale, top: f32) {
    for part in [0.0, 0.5, 1.0] {
        let y = frame.bottom() - frame.height() * part;
        painter.hline(frame.x_range(), y, Stroke::new(1.0, palette.line));
        let at = pos2(frame.left() - 6.0, y);
        painter.text(
            at,
            Align2::RIGHT_CENTER,
            short(scale.value(part, top)),
            number(size::CAPTION),
            palette.text_third,
        );
    }
    let y = frame.bottom() + 8.0;
    let seconds = LENGTH / 60;
    for (x, align, words) in [
        (frame.left(), Align2::LEFT_CENTER, format!("−{seconds} s")),
        (
            frame.center().x,
            Align2::CENTER_CENTER,
            format!("−{} s", seconds / 2),
        ),
        (frame.right(), Align2::RIGHT_CENTER, "now".to_owned()),
    ] {
        painter.text(
            pos2(x, y),
            align,
            words,
            number(size::CAPTION),
            palette.text_third,
        );
    }
}

/// The area between a curve and the floor, as one mesh: a polygon that is not convex cannot be filled otherwise.
fn area_under(points: &[Pos2], floor: f32, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for point in points {
        mesh.colored_vertex(*point, color);
        mesh.colored_vertex(pos2(point.x, floor), color);
    }
    for left in (0..points.len().saturating_sub(1) as u32).map(|index| index * 2) {
        mesh.add_triangle(left, left + 1, left + 2);
        mesh.add_triangle(left + 1, left + 3, left + 2);
    }
    mesh
}

fn plot_head(
    painter: &Painter,
    palette: &Palette,
    head: Rect,
    title: &str,
    now: &str,
    unit: &str,
    curves: &[Curve<'_>],
) {
    let drawn = painter.text(
        head.left_center(),
        Align2::LEFT_CENTER,
        title,
        text(size::SECOND),
        palette.text_second,
    );
    let unit = painter.text(
        head.right_center(),
        Align2::RIGHT_CENTER,
        unit,
        text(size::CAPTION),
        palette.text_third,
    );
    let at = pos2(unit.left() - 4.0, head.center().y);
    let value = painter.text(
        at,
        Align2::RIGHT_CENTER,
        now,
        number(size::LABEL),
        palette.text,
    );
    let mut left = drawn.right() + 18.0;
    for curve in curves.iter().filter(|_| curves.len() > 1) {
        let name = painter.layout_no_wrap(
            curve.name.to_owned(),
            text(size::DESCRIPTION),
            palette.text_third,
        );
        let right = left + 18.0 + name.size().x;
        // A name that would run into the value is left out; its curve stays.
        if right > value.left() - 8.0 {
            break;
        }
        let y = head.center().y;
        painter.line_segment(
            [pos2(left, y), pos2(left + 14.0, y)],
            Stroke::new(1.6, curve.color),
        );
        painter.galley(
            pos2(left + 18.0, y - name.size().y / 2.0),
            name,
            palette.text_third,
        );
        left = right + 12.0;
    }
}

/// The next of 1, 2, 4, 5, 10 times a power of ten.
fn round_up(value: f32) -> f32 {
    let power = 10f32.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|top| *top >= value)
        .unwrap_or(10.0 * power)
}

/// A number as short as an axis needs it.
fn short(value: f32) -> String {
    match value {
        v if v >= 1.0e6 => format!("{}M", trimmed(v / 1.0e6)),
        v if v >= 1.0e3 => format!("{}k", trimmed(v / 1.0e3)),
        v => trimmed(v),
    }
}

fn trimmed(value: f32) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
        assert_eq!(Scale::Logarithmic.part(0.0, 1000.0), 0.0);
        assert_eq!(Scale::Logarithmic.part(1000.0, 1000.0), 1.0);
        assert_eq!(Scale::Logarithmic.value(1.0, 1000.0), 1000.0);
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(2_500_000.0), "2.5M");
    }
}
