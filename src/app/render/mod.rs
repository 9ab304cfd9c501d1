//! What every view draws with under egui: one mesh for what comes by the ten thousand, sent in a few draw calls.

mod mesh;
mod painter;
mod still;

pub use mesh::Mesh;
pub use still::Still;

use super::gl::Gl;
use super::palette::Palette;
use egui_macroquad::egui::Rect;
use egui_macroquad::macroquad::miniquad::window;
use egui_macroquad::macroquad::prelude::{
    Camera2D, Color, DrawTextureParams, Texture2D, draw_texture_ex, render_target, set_camera,
    set_default_camera, vec2,
};
use image::RgbImage;
use painter::{Painter, Print, Surface};

/// A picture is at most so wide and high, in pixels: every driver has textures as large as that.
const MOST_PIXELS: u32 = 8192;

/// What drawing keeps from frame to frame, whichever view is drawn.
pub struct Renderer {
    painter: Painter,
    mesh: Mesh,
}

impl Renderer {
    /// Sets up the GPU; a driver that cannot says why.
    pub fn new(gl: &mut Gl) -> Result<Self, String> {
        Ok(Self {
            painter: Painter::new(gl)?,
            mesh: Mesh::default(),
        })
    }

    /// Begins the picture of a frame: the panels' colour everywhere, that of the field in its rectangle, out of which nothing is
    /// drawn.
    ///
    /// The panels then have no ground of their own to paint. Where a processor draws, that is a sixth of a frame's time: a pixel
    /// that egui fills is looked up in a texture and blended, one that is cleared is written.
    pub fn begin<'a>(
        &'a mut self,
        gl: &'a mut Gl,
        palette: &Palette,
        field: Rect,
        pixels_per_point: f32,
    ) -> Canvas<'a> {
        self.painter.clear_all(gl, palette.panel);
        // macroquad measures in the display's points, and who scales the interface has others.
        if pixels_per_point != window::dpi_scale() {
            let (width, height) = window::screen_size();
            let points = vec2(width, height) / pixels_per_point;
            set_camera(&Camera2D {
                target: points / 2.0,
                zoom: vec2(2.0 / points.x, 2.0 / points.y),
                ..Camera2D::default()
            });
        }
        self.begin_on(gl, Surface::window(), palette, field, pixels_per_point)
    }

    /// Draws a picture of a field alone, of this size in pixels and with so many of them a point, and gives it.
    pub fn picture(
        &mut self,
        gl: &mut Gl,
        palette: &Palette,
        (width, height): (u32, u32),
        pixels_per_point: f32,
        draw: impl FnOnce(&mut Canvas<'_>),
    ) -> Result<RgbImage, &'static str> {
        const TOO_LARGE: &str = "the picture is too large";
        if width.max(height) > MOST_PIXELS || width.min(height) == 0 {
            return Err(TOO_LARGE);
        }
        let target = render_target(width, height);
        let size = vec2(width as f32, height as f32);
        let points = size / pixels_per_point;
        // What macroquad itself draws goes to the same place, with the first row above.
        set_camera(&Camera2D {
            target: points / 2.0,
            zoom: vec2(2.0 / points.x, -2.0 / points.y),
            render_target: Some(target.clone()),
            ..Camera2D::default()
        });
        let pass = target.render_pass.raw_miniquad_id();
        let field = Rect::from_min_size(Default::default(), [points.x, points.y].into());
        let surface = Surface::texture(pass, (size.x, size.y));
        let mut canvas = self.begin_on(gl, surface, palette, field, pixels_per_point);
        draw(&mut canvas);
        canvas.finish();
        let bytes = target.texture.get_texture_data().bytes;
        // OpenGL's first row is the lowest.
        let row = width as usize * 4;
        let mut pixels = Vec::with_capacity(bytes.len() / 4 * 3);
        for line in bytes.chunks_exact(row).rev() {
            let colors = line.chunks_exact(4);
            pixels.extend(colors.flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]));
        }
        RgbImage::from_raw(width, height, pixels).ok_or(TOO_LARGE)
    }

    fn begin_on<'a>(
        &'a mut self,
        gl: &'a mut Gl,
        surface: Surface,
        palette: &Palette,
        field: Rect,
        pixels_per_point: f32,
    ) -> Canvas<'a> {
        let sides = [field.left(), field.top(), field.right(), field.bottom()];
        let field = sides.map(|side| (side * pixels_per_point).round() as i32);
        self.painter.clear(gl, surface, field, palette.field);
        gl.begin_inside(field);
        self.mesh.clear(pixels_per_point);
        Canvas {
            gl,
            painter: &mut self.painter,
            mesh: &mut self.mesh,
            surface,
            field,
            pixels_per_point,
        }
    }
}

/// The picture of one frame while it is drawn.
pub struct Canvas<'a> {
    gl: &'a mut Gl,
    painter: &'a mut Painter,
    /// What is gathered for the next draw call.
    pub mesh: &'a mut Mesh,
    /// What it is drawn on.
    surface: Surface,
    /// The sides of the rectangle that the panels leave, in pixels.
    field: [i32; 4],
    /// The scale of the screen.
    pub pixels_per_point: f32,
}

impl Canvas<'_> {
    /// Draws what the mesh has gathered over everything drawn so far, and empties it.
    pub fn flush(&mut self) {
        self.print(&[Print {
            clip: self.field,
            shift: [0.0; 2],
        }]);
    }

    /// The graphics context, for whoever hands it a picture.
    pub fn gl(&mut self) -> &mut Gl {
        self.gl
    }

    /// Shows a texture over everything drawn so far, pixel by pixel, with its upper left corner at this pixel of the window.
    fn show(&mut self, texture: &Texture2D, [left, top]: [i32; 2]) {
        let (width, height) = (texture.width(), texture.height());
        if self.surface.is_window() && self.gl.copies() {
            let [right, bottom] = [left + width as i32, top + height as i32];
            let [first, upper, end, lower] = self.field;
            let inside = [
                left.max(first),
                top.max(upper),
                right.min(end),
                bottom.min(lower),
            ];
            self.gl.copy(
                texture.raw_miniquad_id(),
                [left, top],
                inside,
                self.surface.height(),
            );
            return;
        }
        let scale = self.pixels_per_point;
        let params = DrawTextureParams {
            dest_size: Some(vec2(width, height) / scale),
            ..DrawTextureParams::default()
        };
        let [x, y] = [left, top].map(|at| at as f32 / scale);
        draw_texture_ex(texture, x, y, Color::from_rgba(255, 255, 255, 255), params);
    }

    /// The last of the frame that is drawn under the panels.
    pub fn finish(mut self) {
        self.flush();
        self.gl.end_inside();
        set_default_camera();
    }

    /// The same, inside a rectangle of the window alone.
    pub fn flush_in(&mut self, clip: Rect) {
        self.flush_copies(clip, &[clip]);
    }

    /// The same in each of `clips`: what lies in `first` is moved to where it lies alike in the other one.
    pub fn flush_copies(&mut self, first: Rect, clips: &[Rect]) {
        let scale = self.pixels_per_point;
        let prints: Vec<Print> = clips
            .iter()
            .map(|clip| {
                let way = (clip.min - first.min) * scale;
                let sides = [clip.left(), clip.top(), clip.right(), clip.bottom()];
                Print {
                    clip: sides.map(|side| (side * scale).round() as i32),
                    // By whole pixels, so that the copies look alike.
                    shift: [way.x.round(), way.y.round()],
                }
            })
            .collect();
        self.print(&prints);
    }

    fn print(&mut self, prints: &[Print]) {
        self.painter.draw(self.gl, self.surface, self.mesh, prints);
        self.mesh.clear(self.pixels_per_point);
    }
}
