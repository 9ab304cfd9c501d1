//! A picture painted pixel by pixel on the processor, with smooth slanting lines and small triangles, and shown as one rectangle.
//!
//! It is what a sheet is to the plane, for the same reason: without a GPU the driver takes longer to set up the two triangles of
//! a short line than to paint all that it covers, and a volume of ten thousand boxes has a hundred thousand of them.
//!
//! The plate is painted in bands, one below the other, by several threads at once: the same is painted into each of them, and each
//! takes what falls on its rows.

use super::ink::Ink;
use crate::app::render::{Canvas, Still};
use egui_macroquad::egui::{Color32, Pos2, Rangef, Rect, pos2};

/// The most pixels to a side, which every driver takes; places on the plate fit sixteen bits with sixteen more below the point.
const MOST_PIXELS: i32 = 8192;
/// A line of less than this opacity, in parts of 256, changes no colour by more than one step.
const FAINTEST: u32 = 3;
/// One pixel as places on the plate are reckoned.
const ONE: i32 = 1 << 16;

/// The picture. It is opaque: what lies behind it is its ground.
#[derive(Default)]
pub struct Plate {
    width: i32,
    height: i32,
    /// Four to a pixel: red, green, blue, and one that is 255.
    bytes: Vec<u8>,
    still: Still,
    /// Where its upper left corner is in the window, in whole pixels.
    corner: [i32; 2],
    pixels_per_point: f32,
}

impl Plate {
    /// Begins a picture of this part of the window. Says whether there can be one of this size.
    pub fn begin(&mut self, screen: Rect, pixels_per_point: f32) -> bool {
        let [left, top] = [screen.left(), screen.top()].map(|at| (at * pixels_per_point).floor());
        let [right, bottom] =
            [screen.right(), screen.bottom()].map(|at| (at * pixels_per_point).ceil());
        let [left, top, right, bottom] = [left, top, right, bottom].map(|at| at as i32);
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        if width <= 0 || height <= 0 || width > MOST_PIXELS || height > MOST_PIXELS {
            return false;
        }
        self.corner = [left, top];
        self.pixels_per_point = pixels_per_point;
        (self.width, self.height) = (width, height);
        self.bytes.resize(width as usize * height as usize * 4, 0);
        true
    }

    /// The picture in so many bands, or one a row where it has fewer.
    pub fn bands(&mut self, count: usize) -> impl Iterator<Item = Band<'_>> {
        let rows = (self.height as usize).div_ceil(count.max(1)).max(1);
        let [left, top] = self.corner;
        let (width, pixels_per_point) = (self.width, self.pixels_per_point);
        let bytes = self.bytes.chunks_mut(rows * width as usize * 4);
        bytes.enumerate().map(move |(number, bytes)| {
            let top = top + (number * rows) as i32;
            let height = (bytes.len() / 4) as i32 / width;
            let [begin, end] = [top, top + height].map(|row| row as f32 / pixels_per_point);
            Band {
                pixels: Pixels {
                    width,
                    height,
                    bytes,
                },
                corner: [left, top],
                pixels_per_point,
                heights: Rangef::new(begin, end),
            }
        })
    }

    /// Hands the picture to the driver.
    pub fn end(&mut self, canvas: &mut Canvas<'_>) {
        let size = (self.width as u16, self.height as u16);
        self.still.take(canvas.gl(), size, &mut self.bytes);
    }

    /// Shows the picture that was painted last where it was painted for.
    pub fn draw(&self, canvas: &mut Canvas<'_>) {
        self.still.show(canvas, self.corner);
    }
}

/// Some rows of the picture, from side to side. It is opaque: what lies behind it is its ground.
pub struct Band<'a> {
    pixels: Pixels<'a>,
    /// Where its upper left corner is in the window, in whole pixels.
    corner: [i32; 2],
    pixels_per_point: f32,
    /// Between which heights of the window it lies, in points.
    heights: Rangef,
}

impl Band<'_> {
    /// Makes all of it one colour.
    pub fn clear(&mut self, ground: Color32) {
        let [red, green, blue, _] = ground.to_array();
        let pixels = self.pixels.bytes.as_chunks_mut().0;
        pixels.fill([red, green, blue, 255]);
    }

    /// Whether what lies between two heights of the window, and a pixel more, is all above the band or all below it.
    #[inline]
    fn misses(&self, top: f32, bottom: f32) -> bool {
        let pixel = 1.0 / self.pixels_per_point;
        bottom + pixel < self.heights.min || top - pixel > self.heights.max
    }

    /// A place of the window in the band, in pixels.
    #[inline]
    fn at(&self, at: Pos2) -> Pos2 {
        pos2(
            at.x * self.pixels_per_point - self.corner[0] as f32,
            at.y * self.pixels_per_point - self.corner[1] as f32,
        )
    }
}

impl Ink for Band<'_> {
    #[inline]
    fn heights(&self) -> Rangef {
        self.heights
    }

    #[inline]
    fn stroke(&mut self, from: Pos2, to: Pos2, width: f32, color: Color32, opacity: f32) {
        if self.misses(from.y.min(to.y) - width, from.y.max(to.y) + width) {
            return;
        }
        let (from, to) = (self.at(from), self.at(to));
        let width = width * self.pixels_per_point;
        self.pixels.line(from, to, width, Paint::of(color, opacity));
    }

    fn triangle(&mut self, corners: [Pos2; 3], color: Color32, opacity: f32) {
        let corners = corners.map(|corner| self.at(corner));
        self.pixels.triangle(corners, Paint::of(color, opacity));
    }

    fn shape(&mut self, corners: &[Pos2], color: Color32, opacity: f32) {
        let (scale, [left, top]) = (self.pixels_per_point, self.corner.map(|at| at as f32));
        let at = |at: &Pos2| pos2(at.x * scale - left, at.y * scale - top);
        let paint = Paint::of(color, opacity);
        self.pixels
            .shape(corners.len(), |corner| at(&corners[corner]), paint);
    }

    #[inline]
    fn dot(&mut self, at: Pos2, side: f32, color: Color32, opacity: f32) {
        if self.misses(at.y - side, at.y + side) {
            return;
        }
        let at = self.at(at);
        let side = side * self.pixels_per_point;
        let whole = ((side + 0.5) as i32).max(1);
        // As much paint as it would take if a pixel could be covered in part.
        let part = side / whole as f32;
        let paint = Paint::of(color, (opacity * part * part).min(1.0));
        self.pixels.dot(at, whole, paint);
    }
}

/// A colour in the form in which it is blended.
#[derive(Clone, Copy, Debug)]
struct Paint {
    /// Red and blue, each with a byte of room above it.
    red_blue: u32,
    green: u32,
    /// 0 to 256.
    opacity: u32,
}

impl Paint {
    fn of(color: Color32, opacity: f32) -> Self {
        let [red, green, blue, _] = color.to_array().map(u32::from);
        Self {
            red_blue: red | blue << 16,
            green,
            // The cast saturates, and takes what is no number for 0.
            opacity: ((opacity * 256.0 + 0.5) as u32).min(256),
        }
    }
}

/// The pixels themselves.
struct Pixels<'a> {
    width: i32,
    height: i32,
    /// Four to a pixel, as many as that are.
    bytes: &'a mut [u8],
}

impl Pixels<'_> {
    /// Blends a paint over a pixel, at a part of its opacity from 0 to 256.
    #[inline]
    fn blend(&mut self, x: i32, y: i32, paint: Paint, part: u32) {
        if x as u32 >= self.width as u32 || y as u32 >= self.height as u32 {
            return;
        }
        let index = y as usize * self.width as usize + x as usize;
        if let Some(pixel) = self.bytes.as_chunks_mut().0.get_mut(index) {
            mix(pixel, paint, (paint.opacity * part + 128) >> 8);
        }
    }

    /// Blends a paint over a stretch of a row, from one column to before another.
    fn row(&mut self, y: i32, first: usize, last: usize, paint: Paint) {
        let row = y as usize * self.width as usize;
        let pixels = self.bytes.as_chunks_mut().0;
        if let Some(pixels) = pixels.get_mut(row + first..row + last) {
            for pixel in pixels {
                mix(pixel, paint, paint.opacity);
            }
        }
    }

    /// A line with smooth sides, which lies on the plate but for half of its width: of a band it may pass far beyond.
    ///
    /// It is walked along its longer side, a column of pixels at a time; of each one that it touches there it covers so much as
    /// lies in the stretch between its two sides.
    fn line(&mut self, from: Pos2, to: Pos2, width: f32, paint: Paint) {
        if paint.opacity < FAINTEST {
            return;
        }
        let way = to - from;
        let is_steep = way.y.abs() > way.x.abs();
        // From here on x is the longer side.
        let turned = |at: Pos2| if is_steep { [at.y, at.x] } else { [at.x, at.y] };
        let (mut from, mut to) = (turned(from), turned(to));
        if from[0] > to[0] {
            (from, to) = (to, from);
        }
        let length = to[0] - from[0];
        if !(length.is_finite() && length < MOST_PIXELS as f32 * 2.0) {
            return;
        }
        let slope = if length > 0.0 {
            (to[1] - from[1]) / length
        } else {
            0.0
        };
        let thick = width * (1.0 + slope * slope).sqrt();
        let [across, down] = if is_steep {
            [self.height, self.width]
        } else {
            [self.width, self.height]
        };
        let fixed = |value: f32| (value * ONE as f32) as i32;
        let step = fixed(slope);
        let thick = fixed(thick).max(1);
        // The columns whose middle is between the ends; a line of less than a pixel is still one pixel.
        let begin = floor(from[0] + 0.5);
        let last = floor(to[0] + 0.5).max(begin + 1).min(across);
        let first = begin.max(0);
        let low = fixed(from[1] + (begin as f32 + 0.5 - from[0]) * slope) - thick / 2;
        // As if every column before the first had been walked: a line is the same in one band as in two.
        let mut low = (i64::from(low) + i64::from(first - begin) * i64::from(step)) as i32;
        // How far it is in the list of pixels from a column to the next, and from a row to the next.
        let width = self.width as usize;
        let [along, aside] = if is_steep { [width, 1] } else { [1, width] };
        let pixels = self.bytes.as_chunks_mut().0;
        for column in first..last {
            let high = low.saturating_add(thick);
            let (upper, lower) = ((low >> 16).max(0), ((high - 1) >> 16).min(down - 1));
            for row in upper..=lower {
                let begin = low.max(row << 16);
                let end = high.min((row + 1) << 16);
                let part = ((end - begin) >> 8) as u32;
                let index = column as usize * along + row as usize * aside;
                if let Some(pixel) = pixels.get_mut(index) {
                    mix(pixel, paint, (paint.opacity * part + 128) >> 8);
                }
            }
            low = low.saturating_add(step);
        }
    }

    /// A triangle with smooth edges.
    fn triangle(&mut self, [a, b, c]: [Pos2; 3], paint: Paint) {
        let area = (b - a).x * (c - a).y - (b - a).y * (c - a).x;
        // Always the same way round.
        let (b, c) = if area < 0.0 { (c, b) } else { (b, c) };
        let bounds = Rect::from_points(&[a, b, c]);
        let left = (bounds.left() - 0.5).max(0.0) as i32;
        let top = (bounds.top() - 0.5).max(0.0) as i32;
        let right = ((bounds.right() + 1.5) as i32).min(self.width);
        let bottom = ((bounds.bottom() + 1.5) as i32).min(self.height);
        if !bounds.is_finite() || left >= right || top >= bottom {
            return;
        }
        // The distance to each edge, in pixels, is a sum of its own in x and in y.
        let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| {
            let way = (to - from) / (to - from).length().max(1.0e-3);
            let offset = from.y * way.x - from.x * way.y;
            // Half a pixel inwards is whole, half a pixel outwards is nothing.
            [-way.y, way.x, 0.5 - offset]
        });
        for y in top..bottom {
            let middle = y as f32 + 0.5;
            let starts = edges.map(|[_, down, offset]| down * middle + offset);
            for x in left..right {
                let middle = x as f32 + 0.5;
                let inside = (edges[0][0] * middle + starts[0])
                    .min(edges[1][0] * middle + starts[1])
                    .min(edges[2][0] * middle + starts[2]);
                if inside > 0.0 {
                    self.blend(x, y, paint, (inside.min(1.0) * 256.0) as u32);
                }
            }
        }
    }

    /// A convex shape, its sides left sharp: the pixels whose middle is in it.
    fn shape(&mut self, count: usize, corner: impl Fn(usize) -> Pos2, paint: Paint) {
        if count < 3 || paint.opacity == 0 {
            return;
        }
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for index in 0..count {
            let y = corner(index).y;
            (least, most) = (least.min(y), most.max(y));
        }
        let top = ((least + 0.5).max(0.0)) as i32;
        let bottom = ((most + 0.5).max(0.0) as i32).min(self.height);
        for y in top..bottom {
            let middle = y as f32 + 0.5;
            let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
            let mut before = corner(count - 1);
            for index in 0..count {
                let here = corner(index);
                if (before.y <= middle) != (here.y <= middle) {
                    let part = (middle - before.y) / (here.y - before.y);
                    let x = before.x + (here.x - before.x) * part;
                    (left, right) = (left.min(x), right.max(x));
                }
                before = here;
            }
            if left > right {
                continue;
            }
            let first = ((left + 0.5).max(0.0) as i32).min(self.width) as usize;
            let last = ((right + 0.5).max(0.0) as i32).min(self.width) as usize;
            self.row(y, first, last, paint);
        }
    }

    /// A square of whole pixels.
    fn dot(&mut self, at: Pos2, side: i32, paint: Paint) {
        let half = side as f32 / 2.0;
        let (left, top) = (at.x - half + 0.5, at.y - half + 0.5);
        if !(left > -64.0 && top > -64.0) {
            return;
        }
        // Casts round towards 0, so what is left of the plate is brought to the right of 0 first.
        let (left, top) = ((left + 64.0) as i32 - 64, (top + 64.0) as i32 - 64);
        let first = left.clamp(0, self.width) as usize;
        let last = left.saturating_add(side).clamp(0, self.width) as usize;
        let bottom = top.saturating_add(side).min(self.height);
        for y in top.max(0)..bottom {
            self.row(y, first, last, paint);
        }
    }
}

/// The next whole number below.
#[inline]
fn floor(value: f32) -> i32 {
    // The cast saturates, and rounds towards 0.
    let whole = value as i32;
    whole - i32::from((whole as f32) > value)
}

/// Blends a paint over the four bytes of a pixel, at an opacity from 0 to 256.
#[inline]
fn mix(pixel: &mut [u8; 4], paint: Paint, opacity: u32) {
    let under = 256 - opacity;
    let old = u32::from_le_bytes(*pixel);
    // Two at once; half a step is added, or a hundred faint lines over each other would darken what they cover.
    let both = (old & 0x00FF_00FF) * under + paint.red_blue * opacity + 0x0080_0080;
    let green = (old >> 8 & 0xFF) * under + paint.green * opacity + 0x80;
    let new = both >> 8 & 0x00FF_00FF | green & 0xFF00 | 0xFF00_0000;
    *pixel = new.to_le_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A black picture, forty pixels wide and twenty high.
    struct Sheet(Vec<u8>);

    impl Sheet {
        fn new() -> Self {
            Self(vec![0; 40 * 20 * 4])
        }

        fn pixels(&mut self) -> Pixels<'_> {
            Pixels {
                width: 40,
                height: 20,
                bytes: &mut self.0,
            }
        }
    }

    fn white() -> Paint {
        Paint::of(Color32::WHITE, 1.0)
    }

    /// The sum of all red, in whole pixels.
    fn covered(sheet: &Sheet) -> f32 {
        sheet
            .0
            .chunks_exact(4)
            .map(|pixel| f32::from(pixel[0]))
            .sum::<f32>()
            / 255.0
    }

    #[test]
    fn a_line_covers_as_much_as_it_is_long_and_wide() {
        for (to, width) in [
            (pos2(32.0, 5.0), 1.0),
            (pos2(32.0, 5.3), 0.6),
            (pos2(32.0, 15.0), 1.4),
            (pos2(9.0, 18.0), 2.0),
            (pos2(2.0, 17.0), 1.0),
        ] {
            let mut sheet = Sheet::new();
            let from = pos2(4.0, 5.0);
            sheet.pixels().line(from, to, width, white());
            let expected = (to - from).length() * width;
            let found = covered(&sheet);
            assert!(
                (found - expected).abs() < expected * 0.06,
                "{found} {expected}"
            );
            let mut back = Sheet::new();
            back.pixels().line(to, from, width, white());
            assert_eq!(sheet.0, back.0);
        }
    }

    #[test]
    fn a_triangle_and_a_shape_cover_their_area() {
        let corners = [pos2(3.0, 2.0), pos2(23.0, 4.0), pos2(6.0, 18.0)];
        let mut smooth = Sheet::new();
        smooth.pixels().triangle(corners, white());
        assert!((covered(&smooth) - 157.0).abs() < 6.0);
        let mut sharp = Sheet::new();
        sharp.pixels().shape(3, |corner| corners[corner], white());
        assert!((covered(&sharp) - 157.0).abs() < 6.0);
    }

    #[test]
    fn a_dot_is_as_large_as_it_is_said_to_be() {
        let mut sheet = Sheet::new();
        sheet.pixels().dot(pos2(10.0, 10.0), 3, white());
        assert_eq!(covered(&sheet), 9.0);
        sheet.pixels().dot(pos2(0.0, 0.0), 2, white());
        assert_eq!(covered(&sheet), 10.0);
    }

    #[test]
    fn faint_paint_over_its_own_colour_changes_nothing() {
        let grey = Color32::from_rgb(12, 15, 20);
        let mut sheet = Sheet::new();
        sheet.0.as_chunks_mut().0.fill([12, 15, 20, 255]);
        let before = sheet.0.clone();
        let paint = Paint::of(grey, 0.04);
        for _ in 0..500 {
            let (from, to) = (pos2(0.0, 0.3), pos2(8.0, 7.1));
            sheet.pixels().line(from, to, 1.2, paint);
        }
        assert_eq!(sheet.0, before);
    }

    #[test]
    fn nothing_is_painted_off_the_plate() {
        let mut sheet = Sheet::new();
        let mut pixels = sheet.pixels();
        for far in [-1.0e9, 1.0e9, f32::NAN, f32::INFINITY] {
            pixels.line(pos2(far, 3.0), pos2(5.0, far), 1.0, white());
            pixels.triangle([pos2(far, 0.0), pos2(far, far), pos2(0.0, far)], white());
            pixels.shape(3, |_| pos2(far, far), white());
            pixels.dot(pos2(far, far), 3, white());
        }
        pixels.dot(pos2(-5.0, -5.0), 3, white());
        pixels.dot(pos2(41.0, 21.0), 2, white());
        pixels.line(pos2(-3.0, -3.0), pos2(-3.0, 30.0), 2.0, white());
        pixels.line(pos2(3.0, -3.2), pos2(3.1, -3.0), 2.0, white());
        assert_eq!(covered(&sheet), 0.0);
    }

    /// Lines, triangles, shapes and dots all over a plate and beyond it.
    fn paint(ink: &mut impl Ink) {
        let mut seed = 1_u32;
        let mut next = |most: f32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32 * most
        };
        for _ in 0..400 {
            let [a, b, c] = [0; 3].map(|_| pos2(next(90.0) - 10.0, next(70.0) - 10.0));
            ink.stroke(a, b, next(3.0), Color32::WHITE, next(1.0));
            ink.stroke(a, a + (b - c) * 0.02, next(3.0), Color32::WHITE, next(1.0));
            ink.triangle([a, b, c], Color32::RED, next(0.2));
            ink.shape(&[a, b, c], Color32::GREEN, next(0.2));
            ink.dot(b, next(4.0), Color32::BLUE, next(1.0));
        }
    }

    #[test]
    fn a_picture_in_bands_is_the_picture() {
        let picture = |count: usize| {
            let mut plate = Plate::default();
            let screen = Rect::from_min_max(pos2(4.0, 2.0), pos2(71.0, 53.0));
            assert!(plate.begin(screen, 1.25));
            let mut number = 0;
            for mut band in plate.bands(count) {
                band.clear(Color32::BLACK);
                paint(&mut band);
                number += 1;
            }
            assert!(number <= count);
            plate.bytes
        };
        let whole = picture(1);
        assert!(whole.iter().any(|byte| *byte > 40));
        for count in [2, 3, 4, 7, 1000] {
            let bands = picture(count);
            // Places are numbers of four bytes, whose last digit depends on where they are counted from.
            let differs = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 2;
            let number = whole
                .iter()
                .zip(&bands)
                .filter(|both| differs(*both))
                .count();
            assert_eq!(number, 0, "{count} bands");
            assert_eq!(whole.len(), bands.len());
        }
    }
}
