//! What a volume is drawn with: of little a mesh, of much a plate. Both make the same picture.

use super::clip;
use crate::app::palette::faded;
use crate::app::render::Mesh;
use egui_macroquad::egui::{Color32, Pos2, Rangef, Rect, vec2};

/// What can be drawn. Colours are opaque and come with their opacity, from 0 to 1; lengths are in points.
pub trait Ink {
    /// Between which heights of the window something can be drawn; all else may be left out.
    fn heights(&self) -> Rangef {
        Rangef::EVERYTHING
    }

    /// A straight line that lies on the screen.
    fn stroke(&mut self, from: Pos2, to: Pos2, width: f32, color: Color32, opacity: f32);

    /// A small triangle.
    fn triangle(&mut self, corners: [Pos2; 3], color: Color32, opacity: f32);

    /// A convex shape that lies on the screen.
    fn shape(&mut self, corners: &[Pos2], color: Color32, opacity: f32);

    /// A square of this side.
    fn dot(&mut self, at: Pos2, side: f32, color: Color32, opacity: f32);
}

impl Ink for Mesh {
    fn stroke(&mut self, from: Pos2, to: Pos2, width: f32, color: Color32, opacity: f32) {
        self.line(from, to, width, faded(color, opacity));
    }

    fn triangle(&mut self, corners: [Pos2; 3], color: Color32, opacity: f32) {
        Mesh::triangle(self, corners, faded(color, opacity));
    }

    fn shape(&mut self, corners: &[Pos2], color: Color32, opacity: f32) {
        self.polygon(corners.iter().copied(), faded(color, opacity));
    }

    fn dot(&mut self, at: Pos2, side: f32, color: Color32, opacity: f32) {
        self.fill(
            Rect::from_center_size(at, vec2(side, side)),
            faded(color, opacity),
        );
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// How wide, in points.
    pub width: f32,
    /// Its colour, opaque.
    pub color: Color32,
    /// From 0 to 1.
    pub opacity: f32,
    /// The length of its dots and of what is between them, in points; `None` where it is solid.
    pub dots: Option<[f32; 2]>,
}

impl Pen {
    /// A solid line.
    pub const fn solid(width: f32, color: Color32, opacity: f32) -> Self {
        Self {
            width,
            color,
            opacity,
            dots: None,
        }
    }

    /// A line of dots.
    pub const fn dotted(width: f32, color: Color32, opacity: f32, dots: [f32; 2]) -> Self {
        Self {
            width,
            color,
            opacity,
            dots: Some(dots),
        }
    }

    /// Draws what of a line lies in `screen`.
    #[inline]
    pub fn draw(self, ink: &mut impl Ink, screen: Rect, from: Pos2, to: Pos2) {
        let Some((from, to)) = clip::line(screen, from, to) else {
            return;
        };
        let Some([on, off]) = self.dots else {
            return ink.stroke(from, to, self.width, self.color, self.opacity);
        };
        let length = (to - from).length();
        if length < on {
            return ink.stroke(from, to, self.width, self.color, self.opacity);
        }
        let way = (to - from) / length;
        let mut at = 0.0;
        while at < length {
            let end = (at + on).min(length);
            ink.stroke(
                from + way * at,
                from + way * end,
                self.width,
                self.color,
                self.opacity,
            );
            at += on + off;
        }
    }
}

/// The ends of all lines, for tests of where they are.
#[cfg(test)]
#[derive(Default)]
pub struct Lines(pub Vec<[Pos2; 2]>);

#[cfg(test)]
impl Ink for Lines {
    fn stroke(&mut self, from: Pos2, to: Pos2, _: f32, _: Color32, _: f32) {
        self.0.push([from, to]);
    }

    fn triangle(&mut self, _: [Pos2; 3], _: Color32, _: f32) {}

    fn shape(&mut self, _: &[Pos2], _: Color32, _: f32) {}

    fn dot(&mut self, _: Pos2, _: f32, _: Color32, _: f32) {}
}
