//! The ground: a grid of metres where it is level, a net of wires where there are hills.

use super::axes::{Measure, measure, multiples};
use super::ink::{Ink, Pen};
use super::picture::{Room, Stage};
use crate::app::eye::face;
use skirmish::volume::Vec3;

/// The opacity of the ground itself.
const FILL: f32 = 0.55;
/// The most wires each way, and with them the most places at which the hills are asked for their height.
const MOST_WIRES: usize = 48;
/// A wire is so much of the field's longer side away from the next, at least.
const WIRE: f32 = 1.0 / 40.0;

/// What is kept from frame to frame.
#[derive(Debug, Default)]
pub struct GroundPicture {
    /// The knots of the net, row by row.
    knots: Vec<Vec3>,
    /// How many there are in a row; 0 where the ground is level.
    columns: usize,
}

impl GroundPicture {
    /// Looks how high the hills are.
    pub fn choose(&mut self, stage: &Stage<'_>) {
        self.knots.clear();
        self.columns = 0;
        let Some(ground) = stage.picture.ground else {
            return;
        };
        let field = stage.picture.field;
        let size = field.size();
        let step = size.x.max(size.y) * WIRE;
        let count = |length: f32| ((length / step).ceil() as usize).clamp(1, MOST_WIRES);
        let (columns, rows) = (count(size.x), count(size.y));
        for row in 0..=rows {
            let y = field.min.y + size.y * row as f32 / rows as f32;
            self.knots.extend((0..=columns).map(|column| {
                let x = field.min.x + size.x * column as f32 / columns as f32;
                let height = ground(x, y);
                let height = if height.is_finite() {
                    height
                } else {
                    field.min.z
                };
                Vec3::new(x, y, height)
            }));
        }
        self.columns = columns + 1;
    }

    /// Draws it.
    pub fn draw(&self, ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
        let (picture, palette) = (stage.picture, stage.picture.palette);
        let floor = face(picture.field, 2, 0);
        stage.fill(ink, &floor, palette.panel, FILL, room);
        if self.columns == 0 {
            level(ink, stage, measure(picture.field));
        } else {
            self.hills(ink, stage);
        }
    }

    /// A net of wires over the hills, fainter with the distance.
    fn hills(&self, ink: &mut impl Ink, stage: &Stage<'_>) {
        let palette = stage.picture.palette;
        let mut wire = |from: Vec3, to: Vec3| {
            let fog = stage.fog_at((from + to) * 0.5);
            // What is steep is brighter, so that a hill is seen as one.
            let way = to - from;
            let steep = (way.z / way.length().max(f32::MIN_POSITIVE)).abs();
            let opacity = (0.75 + 0.25 * steep) * (1.0 - 0.6 * fog);
            let pen = Pen::solid(1.0, palette.strong_line, opacity);
            stage.line(ink, pen, from, to);
        };
        let mut before: &[Vec3] = &[];
        for row in self.knots.chunks(self.columns) {
            for pair in row.windows(2) {
                wire(pair[0], pair[1]);
            }
            for (from, to) in before.iter().zip(row) {
                wire(*from, *to);
            }
            before = row;
        }
    }
}

/// Lines at round places both ways, the strong ones where the axes have their figures.
fn level(ink: &mut impl Ink, stage: &Stage<'_>, measure: Measure) {
    let palette = stage.picture.palette;
    let field = stage.picture.field;
    for (axis, other) in [(0, 1), (1, 0)] {
        let (low, high) = (field.min[axis], field.max[axis]);
        for (is_strong, step) in [(false, measure.line), (true, measure.tick)] {
            for at in multiples(low, high, step) {
                // A strong line lies on a weak one, which is not drawn.
                let tick = (at / measure.tick).round() * measure.tick;
                if !is_strong && (at - tick).abs() < measure.line * 0.25 {
                    continue;
                }
                let (mut from, mut to) = (field.min, field.min);
                (from[axis], to[axis], to[other]) = (at, at, field.max[other]);
                let (color, width) = if is_strong {
                    (palette.strong_line, 1.1)
                } else {
                    (palette.line, 1.0)
                };
                faded_line(ink, stage, Pen::solid(width, color, 1.0), from, to);
            }
        }
    }
}

/// A line on the ground that fades with the distance along its way.
fn faded_line(ink: &mut impl Ink, stage: &Stage<'_>, pen: Pen, from: Vec3, to: Vec3) {
    /// Enough that the steps are not seen.
    const PIECES: usize = 6;
    let place = |piece: usize| from + (to - from) * (piece as f32 / PIECES as f32);
    for piece in 0..PIECES {
        let (from, to) = (place(piece), place(piece + 1));
        let fog = stage.fog_at((from + to) * 0.5);
        let pen = Pen {
            opacity: pen.opacity * (1.0 - 0.72 * fog),
            ..pen
        };
        stage.line(ink, pen, from, to);
    }
}
