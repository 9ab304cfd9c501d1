//! Pictures that are painted pixel by pixel on the processor, and shown as they are.

use super::Canvas;
use crate::app::gl::Gl;
use egui_macroquad::macroquad::prelude::{FilterMode, Image, Texture2D};

/// A picture in the driver's hands. It is opaque, and a pixel of it is one of the window.
#[derive(Default)]
pub struct Still {
    /// Two that take turns: one is filled while the driver still draws the other, for which it would wait otherwise.
    textures: [Option<Texture2D>; 2],
}

impl Still {
    /// Hands a picture of this width and height to the driver: four bytes a pixel, row by row from above.
    pub fn take(&mut self, gl: &mut Gl, (width, height): (u16, u16), bytes: &mut Vec<u8>) {
        self.textures.swap(0, 1);
        let image = Image {
            bytes: std::mem::take(bytes),
            width,
            height,
        };
        let size = (f32::from(width), f32::from(height));
        let fits = |texture: &Texture2D| (texture.width(), texture.height()) == size;
        match &self.textures[0] {
            Some(texture) if fits(texture) => texture.update(&image),
            _ => {
                let texture = Texture2D::from_image(&image);
                texture.set_filter(FilterMode::Nearest);
                if gl.copies() {
                    gl.lay_out_as_window(texture.raw_miniquad_id(), [width, height]);
                    texture.update(&image);
                }
                self.textures[0] = Some(texture);
            }
        }
        *bytes = image.bytes;
    }

    /// Shows the picture that was taken last, with its upper left corner at this pixel of the window.
    pub fn show(&self, canvas: &mut Canvas<'_>, corner: [i32; 2]) {
        if let Some(texture) = &self.textures[0] {
            canvas.show(texture, corner);
        }
    }
}
