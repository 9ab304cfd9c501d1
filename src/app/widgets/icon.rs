//! The pictures on the buttons of time and of steps.

use egui_macroquad::egui::{Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, vec2};

/// What a button of time, or of steps, shows.
#[derive(Clone, Copy, Debug)]
pub enum Icon {
    /// To the beginning.
    First,
    /// Once more from how it began.
    Again,
    /// One back.
    Back,
    /// One after the other.
    Play,
    /// Stop.
    Pause,
    /// One on.
    On,
    /// To the end.
    Last,
}

impl Icon {
    /// Draws it around a point.
    pub fn draw(self, painter: &Painter, at: Pos2, color: Color32) {
        let triangle = |left: f32, right: f32| {
            let corners = vec![
                at + vec2(left, -5.0),
                at + vec2(right, 0.0),
                at + vec2(left, 5.0),
            ];
            Shape::convex_polygon(corners, color, Stroke::NONE)
        };
        let post = |x: f32| {
            let rect = Rect::from_center_size(at + vec2(x, 0.0), vec2(2.2, 10.0));
            Shape::rect_filled(rect, CornerRadius::ZERO, color)
        };
        let shapes = match self {
            Self::Again => {
                // From the upper right around to the upper left, and an arrow's head where it begins.
                let turn = |part: f32| {
                    let angle = (-40.0 + 290.0 * part).to_radians();
                    at + vec2(angle.cos(), angle.sin()) * 4.8
                };
                let ring = (0..=16_u8).map(|step| turn(f32::from(step) / 16.0));
                let tip = turn(0.0);
                let head = [vec2(1.6, -4.6), vec2(1.6, 1.2), vec2(-4.2, 0.6)];
                vec![
                    Shape::line(ring.collect(), Stroke::new(1.8, color)),
                    Shape::convex_polygon(head.map(|way| tip + way).to_vec(), color, Stroke::NONE),
                ]
            }
            Self::First => vec![post(-4.5), triangle(5.0, -3.0)],
            Self::Back => vec![post(5.0), triangle(2.0, -5.0)],
            Self::Play => vec![triangle(-3.5, 5.0)],
            Self::Pause => vec![post(-3.0), post(3.0)],
            Self::On => vec![post(-5.0), triangle(-2.0, 5.0)],
            Self::Last => vec![post(4.5), triangle(-5.0, 3.0)],
        };
        painter.extend(shapes);
    }
}

/// A tick, drawn so that it stands at the same place in every line of a list.
pub fn tick(painter: &Painter, at: Pos2, stroke: Stroke) {
    let ends = [vec2(-4.0, 0.0), vec2(-1.0, 3.0), vec2(4.5, -3.5)];
    painter.add(Shape::line(ends.map(|end| at + end).to_vec(), stroke));
}
