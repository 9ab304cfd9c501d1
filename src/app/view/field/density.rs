//! Units too small or too many to be drawn one by one: an image in which the side sets the hue and the number the opacity.

use super::look::Look;
use crate::app::camera::Camera;
use crate::app::palette::{Palette, mixed};
use egui_macroquad::egui::{Color32, Rect};
use egui_macroquad::macroquad::prelude::{
    Color, DrawTextureParams, FilterMode, Image, Rect as Source, Texture2D, Vec2 as ScreenVec2,
    draw_texture_ex,
};
use skirmish::scene::Side;

/// A texel covers this many points to each side.
const TEXEL: f32 = 2.0;

/// Fewer than so many of a side are few.
const FEW: usize = 16;

/// The image and what it is counted from.
#[derive(Default)]
pub struct Density {
    counts: Vec<[u16; 2]>,
    /// Where in the first image somebody is: left, top, right and bottom, in texels.
    extent: [usize; 4],
    /// Two that take turns: one is filled while the driver still draws the other, for which it would wait otherwise.
    images: [Option<(Image, Texture2D)>; 2],
    /// What the first of them shows.
    shown: Option<Shown>,
}

/// What an image is of: of the same it is the same image.
#[derive(Clone, Copy, PartialEq)]
struct Shown {
    moment: u64,
    camera: Camera,
    sides: [Color32; 2],
}

impl Density {
    /// Counts everyone in view into texels and draws them into each of `screens`, which are as large as the look's own.
    pub fn draw(&mut self, look: &Look<'_>, palette: &Palette, screens: &[Rect]) {
        let screen = look.camera.screen;
        let (width, height) = (
            (screen.width() / TEXEL).ceil() as usize,
            (screen.height() / TEXEL).ceil() as usize,
        );
        if width == 0 || height == 0 || width > 8192 || height > 8192 {
            return;
        }
        let shown = Shown {
            moment: look.moment,
            camera: look.camera,
            sides: palette.sides,
        };
        if self.shown != Some(shown) {
            self.paint(look, palette, (width, height));
            self.shown = Some(shown);
        }
        let Some((_, texture)) = &self.images[0] else {
            return;
        };
        // Where nobody is nothing is drawn: each pixel costs a look-up and a blend, be there something or not.
        let [left, top, right, bottom] = self.extent.map(|side| side as f32);
        // The last texels may reach over the edge, where a neighbour begins.
        let across = right.min(screen.width() / TEXEL) - left;
        let down = bottom.min(screen.height() / TEXEL) - top;
        if across <= 0.0 || down <= 0.0 {
            return;
        }
        for screen in screens {
            let params = DrawTextureParams {
                source: Some(Source::new(left, top, across, down)),
                dest_size: Some(ScreenVec2::new(across, down) * TEXEL),
                ..DrawTextureParams::default()
            };
            let white = Color::from_rgba(255, 255, 255, 255);
            let (x, y) = (screen.left() + left * TEXEL, screen.top() + top * TEXEL);
            draw_texture_ex(texture, x, y, white, params);
        }
    }

    /// Counts everyone in view into the texels of the image whose turn it is.
    fn paint(&mut self, look: &Look<'_>, palette: &Palette, (width, height): (usize, usize)) {
        self.count(look, width, height);
        self.extent = extent(&self.counts, width);
        let fits = |image: &Image| {
            usize::from(image.width) == width && usize::from(image.height) == height
        };
        self.images.swap(0, 1);
        if !self.images[0]
            .as_ref()
            .is_some_and(|(image, _)| fits(image))
        {
            let image =
                Image::gen_image_color(width as u16, height as u16, Color::from_rgba(0, 0, 0, 0));
            let texture = Texture2D::from_image(&image);
            texture.set_filter(FilterMode::Nearest);
            self.images[0] = Some((image, texture));
        }
        let Some((image, texture)) = &mut self.images[0] else {
            return;
        };
        let most = self
            .counts
            .iter()
            .map(|count| count[0].saturating_add(count[1]))
            .max()
            .unwrap_or(0);
        let scale = 0.85 / f32::from(most.max(1)).ln_1p().max(f32::MIN_POSITIVE);
        let shade = |count: [u16; 2]| {
            let sum = f32::from(count[0]) + f32::from(count[1]);
            if sum == 0.0 {
                return [0; 4];
            }
            let part = f32::from(count[1]) / sum;
            let color = mixed(palette.sides[0], palette.sides[1], part);
            let alpha = 0.15 + scale * sum.ln_1p();
            let alpha = (alpha.min(1.0) * 255.0) as u8;
            [color.r(), color.g(), color.b(), alpha]
        };
        // Most texels hold a few, and there are a third of a million texels: what few look like is worked out once.
        let mut of_few = [[[0; 4]; FEW]; FEW];
        for (blue, row) in of_few.iter_mut().enumerate() {
            for (orange, color) in row.iter_mut().enumerate() {
                *color = shade([blue as u16, orange as u16]);
            }
        }
        for (texel, count) in image.bytes.chunks_exact_mut(4).zip(&self.counts) {
            let [blue, orange] = count.map(usize::from);
            let color = if blue < FEW && orange < FEW {
                of_few[blue][orange]
            } else {
                shade(*count)
            };
            texel.copy_from_slice(&color);
        }
        texture.update(image);
    }

    fn count(&mut self, look: &Look<'_>, width: usize, height: usize) {
        self.counts.clear();
        self.counts.resize(width * height, [0, 0]);
        let camera = look.camera;
        let origin = camera.to_world(camera.screen.min);
        let scale = camera.zoom / TEXEL;
        let (alive, sides) = (look.battle.alive(), look.battle.sides());
        for (row, position) in look.battle.positions().iter().enumerate() {
            let at = (*position - origin) * scale;
            // The cast saturates, so a unit far to the left must be caught before it.
            let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < width as f32 && at.y < height as f32;
            if inside && alive[row] {
                let texel = &mut self.counts[at.y as usize * width + at.x as usize];
                let side = usize::from(sides[row] == Side::Orange);
                texel[side] = texel[side].saturating_add(1);
            }
        }
    }
}

/// Where in rows of so many texels somebody is: left, top, right and bottom; all of them 0 where nobody is.
fn extent(counts: &[[u16; 2]], width: usize) -> [usize; 4] {
    let mut extent: Option<[usize; 4]> = None;
    for (y, row) in counts.chunks_exact(width).enumerate() {
        let is_held = |count: &[u16; 2]| *count != [0, 0];
        let (Some(first), Some(last)) =
            (row.iter().position(is_held), row.iter().rposition(is_held))
        else {
            continue;
        };
        let [left, top, right, _] = extent.unwrap_or([first, y, last + 1, y + 1]);
        extent = Some([left.min(first), top, right.max(last + 1), y + 1]);
    }
    extent.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_is_where_somebody_is() {
        let mut counts = vec![[0; 2]; 5 * 4];
        assert_eq!(extent(&counts, 5), [0; 4]);
        counts[5 + 3] = [1, 0];
        assert_eq!(extent(&counts, 5), [3, 1, 4, 2]);
        counts[2 * 5 + 1] = [0, 7];
        assert_eq!(extent(&counts, 5), [1, 1, 4, 3]);
        counts[3 * 5 + 4] = [2, 2];
        assert_eq!(extent(&counts, 5), [1, 1, 5, 4]);
        assert_eq!(extent(&[], 5), [0; 4]);
    }
}
