//! How the field is drawn: what comes by the ten thousand in one mesh, what comes by the dozen through egui's painter.

pub mod atlas;
pub mod density;
pub mod gpu;
pub mod overlay;
pub mod regions;
pub mod streaming;
pub mod units;

use super::gl::Gl;
use super::palette::Palette;
use super::state::App;
use atlas::Atlas;
use density::Density;
use egui_macroquad::macroquad::prelude::{Color, clear_background};
use gpu::{Mesh, Painter};

/// What drawing keeps from frame to frame.
pub struct Renderer {
    painter: Painter,
    mesh: Mesh,
    density: Density,
    atlas: Atlas,
    units: units::Units,
}

impl Renderer {
    /// Sets up the GPU; a driver that cannot says why.
    pub fn new(gl: &mut Gl) -> Result<Self, String> {
        Ok(Self {
            painter: Painter::new(gl)?,
            mesh: Mesh::default(),
            density: Density::default(),
            atlas: Atlas::default(),
            units: units::Units::default(),
        })
    }

    /// What the culling of the last frame compared: tests under the structure, and units in view.
    pub fn culling(&self) -> &units::Culling {
        &self.units.culling
    }

    /// Draws everything of the field that lies under egui.
    pub fn draw_battle(
        &mut self,
        gl: &mut Gl,
        app: &App,
        palette: &Palette,
        pixels_per_point: f32,
    ) {
        let background = palette.field;
        clear_background(Color::from_rgba(
            background.r(),
            background.g(),
            background.b(),
            255,
        ));
        self.mesh.clear(pixels_per_point);
        regions::draw(&mut self.mesh, app, palette);
        if self.units.choose(app) {
            self.painter.draw(gl, &self.mesh);
            self.density.draw(app, palette);
            self.mesh.clear(pixels_per_point);
            self.units.draw_marked(&mut self.mesh, app, palette);
        } else {
            self.units.draw(&mut self.mesh, app, palette);
        }
        self.painter.draw(gl, &self.mesh);
    }

    /// Draws the world around the character.
    pub fn draw_streaming(
        &mut self,
        gl: &mut Gl,
        app: &App,
        palette: &Palette,
        pixels_per_point: f32,
    ) {
        let background = palette.field;
        clear_background(Color::from_rgba(
            background.r(),
            background.g(),
            background.b(),
            255,
        ));
        self.mesh.clear(pixels_per_point);
        streaming::draw_under(&mut self.mesh, app, palette);
        self.painter.draw(gl, &self.mesh);
        streaming::draw_pictures(&self.atlas, app);
        self.mesh.clear(pixels_per_point);
        streaming::draw_over(&mut self.mesh, app, palette);
        self.painter.draw(gl, &self.mesh);
    }

    /// Uploads and releases pictures, within the budget of a frame.
    pub fn serve_streaming(&mut self, app: &mut App) {
        match &mut app.stream {
            Some(stream) => self.atlas.serve(stream),
            None => self.atlas.clear(),
        }
    }
}
