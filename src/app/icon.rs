//! The program's picture, as the window carries it.
//!
//! It is drawn in `packaging/icon`, and built in at the sizes of title bars and task lists.

use egui_macroquad::macroquad::miniquad::conf::Icon;

/// The picture, by its side in pixels: PNG files that `packaging/icon/draw` has made.
const SMALL: &[u8] = include_bytes!("../../packaging/icon/16.png");
const MEDIUM: &[u8] = include_bytes!("../../packaging/icon/32.png");
const BIG: &[u8] = include_bytes!("../../packaging/icon/64.png");

/// What the window is opened with, where the system takes it at that time.
pub fn of_window() -> Option<Icon> {
    Some(Icon {
        small: pixels(SMALL)?,
        medium: pixels(MEDIUM)?,
        big: pixels(BIG)?,
    })
}

/// As `_NET_WM_ICON` has it: of each picture its width, its height, and its pixels as ARGB.
pub fn of_x11() -> Vec<u32> {
    let mut words = Vec::new();
    for png in [SMALL, MEDIUM, BIG] {
        if let Ok(picture) = image::load_from_memory(png) {
            let picture = picture.into_rgba8();
            words.extend([picture.width(), picture.height()]);
            let argb = |pixel: &image::Rgba<u8>| {
                let [red, green, blue, alpha] = pixel.0;
                u32::from_be_bytes([alpha, red, green, blue])
            };
            words.extend(picture.pixels().map(argb));
        }
    }
    words
}

/// The pixels of a picture as RGBA, if they are so many.
fn pixels<const BYTES: usize>(png: &[u8]) -> Option<[u8; BYTES]> {
    let picture = image::load_from_memory(png).ok()?.into_rgba8();
    picture.into_raw().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::palette::Palette;

    #[test]
    fn the_picture_has_its_sizes_and_both_sides() {
        assert!(of_window().is_some());
        let words = of_x11();
        assert_eq!(words.len(), 3 * 2 + 16 * 16 + 32 * 32 + 64 * 64);
        assert_eq!(words[..2], [16, 16]);
        let Icon { big, .. } = of_window().unwrap();
        let has = |color: [u8; 4]| big.chunks_exact(4).any(|pixel| pixel == color);
        for side in Palette::DARK.sides {
            assert!(has(side.to_array()), "{side:?}");
        }
        // Nothing lies in the corners.
        assert_eq!(big[3], 0);
    }
}
