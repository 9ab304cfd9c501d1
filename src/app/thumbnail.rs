//! Small pictures of the field, as the page of the scenes shows them: few pixels in few colours, so that all of them together are
//! small enough to be built in.

use super::palette::Palette;
use super::settings::Colors;
use egui_macroquad::egui::{Color32, ColorImage};
use image::{Rgb, RgbImage, imageops};
use std::collections::HashMap;

/// The size of a small picture, in pixels: twice that at which the page shows it, so that it is sharp on a screen of twice the pixels.
pub const SIZE: (u32, u32) = (480, 300);
/// So many colours are left: a picture of lines has no more, and its file is a third of what it were.
const COLORS: usize = 48;

/// The picture as small as that, in few colours. What does not fit its shape is cut off at the edges.
pub fn of(picture: &RgbImage) -> RgbImage {
    let (width, height) = picture.dimensions();
    let (width, height) = (u64::from(width), u64::from(height));
    let (wanted, high) = (u64::from(SIZE.0), u64::from(SIZE.1));
    // The largest part of the same shape, from the middle.
    let part_width = width.min(height * wanted / high).max(1);
    let part_height = height.min(width * high / wanted).max(1);
    let (x, y) = ((width - part_width) / 2, (height - part_height) / 2);
    let part = imageops::crop_imm(
        picture,
        x as u32,
        y as u32,
        part_width as u32,
        part_height as u32,
    );
    let mut small = imageops::thumbnail(&part.to_image(), SIZE.0, SIZE.1);
    lift(&mut small);
    let colors = few_colors(&small);
    for pixel in small.pixels_mut() {
        let distance = |color: &Rgb<u8>| {
            let channels = color.0.into_iter().zip(pixel.0);
            channels
                .map(|(a, b)| (i32::from(a) - i32::from(b)).pow(2))
                .sum::<i32>()
        };
        if let Some(nearest) = colors.iter().min_by_key(|color| distance(color)) {
            *pixel = *nearest;
        }
    }
    small
}

/// Draws everything further away from the ground, which is the commonest colour: a line that was one pixel wide is a third of
/// itself where it is three times smaller.
fn lift(picture: &mut RgbImage) {
    const BY: f32 = 1.9;
    const BRIGHT: f32 = 170.0;
    let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
    for pixel in picture.pixels() {
        *counts.entry(pixel.0).or_default() += 1;
    }
    let ground = counts
        .into_iter()
        .max_by_key(|(color, count)| (*count, *color));
    let Some((ground, _)) = ground else { return };
    for pixel in picture.pixels_mut() {
        let channels = pixel.0.into_iter().zip(ground);
        let away = channels
            .map(|(channel, ground)| channel.abs_diff(ground))
            .max();
        // What is bright already keeps its hue.
        let by = (BRIGHT / f32::from(away.unwrap_or(0).max(1))).clamp(1.0, BY);
        for (channel, ground) in pixel.0.iter_mut().zip(ground) {
            let away = (f32::from(*channel) - f32::from(ground)) * by;
            *channel = (f32::from(ground) + away).clamp(0.0, 255.0) as u8;
        }
    }
}

/// The colours that stand for all of a picture's: its pixels, halved at the middle of the widest channel again and again.
fn few_colors(picture: &RgbImage) -> Vec<Rgb<u8>> {
    let mut groups: Vec<Vec<[u8; 3]>> = vec![picture.pixels().map(|pixel| pixel.0).collect()];
    let spread = |group: &[[u8; 3]]| {
        let widths = [0, 1, 2].map(|channel| {
            let values = group.iter().map(|color| color[channel]);
            let least = values.clone().min().unwrap_or(0);
            (values.max().unwrap_or(0) - least, channel)
        });
        widths.into_iter().max().unwrap_or((0, 0))
    };
    while groups.len() < COLORS {
        let widest = (0..groups.len()).max_by_key(|index| spread(&groups[*index]).0);
        let Some(index) = widest.filter(|index| spread(&groups[*index]).0 > 8) else {
            break;
        };
        let (_, channel) = spread(&groups[index]);
        let mut group = groups.swap_remove(index);
        // Halved in the middle of the channel, not of the pixels: a thin bright line is few pixels and much of the picture.
        let least = group.iter().map(|color| color[channel]).min().unwrap_or(0);
        let greatest = group.iter().map(|color| color[channel]).max().unwrap_or(0);
        let middle = least + (greatest - least) / 2;
        let (low, high) = group.drain(..).partition(|color| color[channel] <= middle);
        groups.extend([low, high]);
    }
    groups.retain(|group| !group.is_empty());
    let mean = |group: &Vec<[u8; 3]>| {
        let sum = |channel: usize| {
            group
                .iter()
                .map(|color| u64::from(color[channel]))
                .sum::<u64>()
        };
        let count = group.len() as u64;
        Rgb([0, 1, 2].map(|channel| (sum(channel) / count) as u8))
    };
    groups.iter().map(mean).collect()
}

/// A picture that was taken on the dark field, for a page with light surfaces: what was the ground is the light field, what was
/// bright is dark, and every hue stays, so that the sides and the structure are known again.
pub fn on_light(picture: &ColorImage) -> ColorImage {
    let [from, to] = [false, true].map(|light| {
        let ground = Palette::of(light, Colors::Standard, false).field;
        lightness(ground)
    });
    let turned = |pixel: &Color32| {
        let was = lightness(*pixel);
        // From the ground, which becomes the other ground, down to white, which becomes black.
        let is = to * (255.0 - was) / (255.0 - from);
        let channel = |value: u8| (f32::from(value) + is - was).round().clamp(0.0, 255.0) as u8;
        Color32::from_rgb(channel(pixel.r()), channel(pixel.g()), channel(pixel.b()))
    };
    ColorImage {
        size: picture.size,
        pixels: picture.pixels.iter().map(turned).collect(),
    }
}

/// How light a colour is, from 0 to 255: the middle between its greatest and its least channel, so that a change of all alike
/// changes it and no hue.
fn lightness(color: Color32) -> f32 {
    let channels = [color.r(), color.g(), color.b()];
    let most = channels.into_iter().max().unwrap_or(0);
    let least = channels.into_iter().min().unwrap_or(0);
    (f32::from(most) + f32::from(least)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn on_a_light_page_a_picture_has_the_light_field_and_its_hues() {
        let [dark, light] = [false, true].map(|it| Palette::of(it, Colors::Standard, false));
        let picture = ColorImage {
            size: [4, 1],
            pixels: vec![dark.field, dark.sides[0], dark.sides[1], Color32::WHITE],
        };
        let turned = on_light(&picture);
        assert_eq!(turned.size, picture.size);
        let near = |a: Color32, b: Color32| {
            let pairs = [(a.r(), b.r()), (a.g(), b.g()), (a.b(), b.b())];
            pairs.into_iter().all(|(a, b)| a.abs_diff(b) <= 6)
        };
        assert!(
            near(turned.pixels[0], light.field),
            "{:?}",
            turned.pixels[0]
        );
        assert!(near(turned.pixels[3], Color32::BLACK));
        for (before, after) in [1, 2].map(|at| (picture.pixels[at], turned.pixels[at])) {
            assert!(lightness(after) < lightness(before), "{after:?}");
            // The order of the channels is the hue.
            assert_eq!(before.r() > before.b(), after.r() > after.b());
            assert_eq!(before.g() > before.b(), after.g() > after.b());
        }
    }

    #[test]
    fn a_picture_of_any_size_becomes_small_and_has_few_colors() {
        for (width, height) in [(1, 1), (480, 300), (7, 900), (1000, 10)] {
            let picture = RgbImage::from_fn(width, height, |x, y| {
                Rgb([(x * 7) as u8, (y * 5) as u8, (x ^ y) as u8])
            });
            let small = of(&picture);
            assert_eq!(small.dimensions(), SIZE);
            let colors: HashSet<[u8; 3]> = small.pixels().map(|pixel| pixel.0).collect();
            assert!(colors.len() <= COLORS, "{} colours", colors.len());
        }
    }
}
