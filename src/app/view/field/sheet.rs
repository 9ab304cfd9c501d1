//! A picture painted pixel by pixel on the processor and shown as one rectangle.
//!
//! A border of a node is four thin rectangles; without a GPU the driver takes longer to set up the eight triangles of one that is
//! five pixels wide than to paint all that it covers. By the ten thousand, rectangles are therefore painted here: the whole costs
//! one copy and one rectangle, however many there are.

use crate::app::render::{Canvas, Mesh, Still};
use egui_macroquad::egui::{Color32, Rect};

/// What rectangles are drawn with: by the dozen a mesh, by the ten thousand a sheet. Both cover the same pixels.
pub trait Ink {
    /// A filled rectangle.
    fn fill(&mut self, rect: Rect, color: Color32);

    /// The border of a rectangle, `width` points wide, half of it on each side.
    fn outline(&mut self, rect: Rect, width: f32, color: Color32);
}

impl Ink for Mesh {
    fn fill(&mut self, rect: Rect, color: Color32) {
        Mesh::fill(self, rect, color);
    }

    fn outline(&mut self, rect: Rect, width: f32, color: Color32) {
        Mesh::outline(self, rect, width, color);
    }
}

/// The picture. It is opaque: what lies behind it is its ground.
#[derive(Default)]
pub struct Sheet {
    /// Four to a pixel: red, green, blue, and one that is 255.
    bytes: Vec<u8>,
    still: Still,
    /// What of the window it covers, in whole pixels.
    pixels: [i32; 4],
    pixels_per_point: f32,
}

/// The most pixels to a side, which every driver takes.
const MOST_PIXELS: i32 = 8192;

impl Sheet {
    /// Begins a picture of this part of the window, all of it in one colour. Says whether there can be one of this size.
    pub fn begin(&mut self, screen: Rect, pixels_per_point: f32, ground: Color32) -> bool {
        let [left, top] = [screen.left(), screen.top()].map(|at| (at * pixels_per_point).floor());
        let [right, bottom] =
            [screen.right(), screen.bottom()].map(|at| (at * pixels_per_point).ceil());
        self.pixels = [left, top, right, bottom].map(|at| at as i32);
        self.pixels_per_point = pixels_per_point;
        let (width, height) = self.size();
        if width <= 0 || height <= 0 || width > MOST_PIXELS || height > MOST_PIXELS {
            return false;
        }
        self.bytes.resize(width as usize * height as usize * 4, 0);
        let [red, green, blue, _] = ground.to_array();
        self.bytes.as_chunks_mut().0.fill([red, green, blue, 255]);
        true
    }

    /// Hands the picture to the driver.
    pub fn end(&mut self, canvas: &mut Canvas<'_>) {
        let (width, height) = self.size();
        let size = (width as u16, height as u16);
        self.still.take(canvas.gl(), size, &mut self.bytes);
    }

    /// Shows the picture that was painted last where it was painted for.
    pub fn draw(&self, canvas: &mut Canvas<'_>) {
        let [left, top, ..] = self.pixels;
        self.still.show(canvas, [left, top]);
    }

    fn size(&self) -> (i32, i32) {
        let [left, top, right, bottom] = self.pixels;
        (right.saturating_sub(left), bottom.saturating_sub(top))
    }

    /// Which pixels of the picture have their middle in this rectangle of the window, as the first and the one past the last.
    fn covered(&self, rect: Rect) -> [i32; 4] {
        let (width, height) = self.size();
        let scale = self.pixels_per_point;
        let place = |at: f32, origin: i32, most: i32| {
            // The cast saturates, so nothing far away comes back from the other side.
            ((at * scale - origin as f32 - 0.5).ceil() as i32).clamp(0, most)
        };
        [
            place(rect.left(), self.pixels[0], width),
            place(rect.top(), self.pixels[1], height),
            place(rect.right(), self.pixels[0], width),
            place(rect.bottom(), self.pixels[1], height),
        ]
    }

    /// Blends a colour over these pixels.
    fn blend(&mut self, [left, top, right, bottom]: [i32; 4], color: Color32) {
        let (width, _) = self.size();
        if left >= right || color.a() == 0 {
            return;
        }
        let [red, green, blue, alpha] = color.to_array().map(u32::from);
        let over = 255 - alpha;
        let row_bytes = width as usize * 4;
        let (from, to) = (left as usize * 4, right as usize * 4);
        for row in self
            .bytes
            .chunks_exact_mut(row_bytes)
            .take(bottom as usize)
            .skip(top as usize)
        {
            for pixel in row[from..to].chunks_exact_mut(4) {
                // By 257 / 65,536 instead of 1 / 255, rounded: exact for all that two bytes can multiply to.
                let mix = |under: u8, part: u32| {
                    (part + (((u32::from(under) * over + 128) * 257) >> 16)).min(255) as u8
                };
                pixel[0] = mix(pixel[0], red);
                pixel[1] = mix(pixel[1], green);
                pixel[2] = mix(pixel[2], blue);
            }
        }
    }
}

impl Ink for Sheet {
    fn fill(&mut self, rect: Rect, color: Color32) {
        self.blend(self.covered(rect), color);
    }

    fn outline(&mut self, rect: Rect, width: f32, color: Color32) {
        let (outer, inner) = (rect.expand(width / 2.0), rect.shrink(width / 2.0));
        let [left, top, right, bottom] = self.covered(outer);
        if inner.width() <= 0.0 || inner.height() <= 0.0 {
            return self.blend([left, top, right, bottom], color);
        }
        let [from, upper, to, lower] = self.covered(inner);
        self.blend([left, top, right, upper], color);
        self.blend([left, lower, right, bottom], color);
        self.blend([left, upper, from, lower], color);
        self.blend([to, upper, right, lower], color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{pos2, vec2};

    /// A sheet without a driver behind it cannot be had, so the pixels that a rectangle covers are asked for alone.
    #[test]
    fn a_pixel_is_covered_when_its_middle_is() {
        let sheet = Sheet {
            pixels: [10, 20, 110, 70],
            pixels_per_point: 1.0,
            ..Sheet::default()
        };
        let covered = |left, top, right, bottom| {
            sheet.covered(Rect::from_min_max(pos2(left, top), pos2(right, bottom)))
        };
        assert_eq!(covered(10.0, 20.0, 11.0, 21.0), [0, 0, 1, 1]);
        assert_eq!(covered(10.4, 20.4, 11.4, 21.6), [0, 0, 1, 2]);
        assert_eq!(covered(10.6, 20.6, 11.4, 21.4), [1, 1, 1, 1]);
        assert_eq!(covered(-1.0e30, -5.0, 1.0e30, 1.0e9), [0, 0, 100, 50]);
        assert_eq!(covered(f32::NAN, 20.0, f32::NAN, 21.0), [0, 0, 0, 1]);
    }

    #[test]
    fn a_pixel_is_two_on_a_fine_screen() {
        let sheet = Sheet {
            pixels: [0, 0, 200, 200],
            pixels_per_point: 2.0,
            ..Sheet::default()
        };
        let at = pos2(3.0, 4.0);
        let rect = Rect::from_min_size(at, vec2(1.0, 1.0));
        assert_eq!(sheet.covered(rect), [6, 8, 8, 10]);
    }
}
