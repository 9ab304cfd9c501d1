//! Sends a mesh to the GPU: one shader, one pipeline, buffers that grow.

use super::mesh::{Mesh, Vertex};
use crate::app::gl::Gl;
use egui_macroquad::egui::Color32;
use egui_macroquad::macroquad::miniquad::{
    Bindings, BlendFactor, BlendState, BlendValue, BufferLayout, BufferSource, BufferType,
    BufferUsage, Equation, PassAction, Pipeline, PipelineParams, RenderPass, RenderingBackend,
    ShaderMeta, ShaderSource, UniformBlockLayout, UniformDesc, UniformType, UniformsSource,
    VertexAttribute, VertexFormat, window,
};

const VERTEX_SHADER: &str = r#"#version 100
attribute vec2 position;
attribute vec3 edge;
attribute vec4 color;
uniform vec2 screen;
uniform vec2 shift;
varying highp vec3 inner;
varying lowp vec4 tint;
void main() {
    vec2 at = position + shift;
    gl_Position = vec4(at.x / screen.x * 2.0 - 1.0, 1.0 - at.y / screen.y * 2.0, 0.0, 1.0);
    inner = edge;
    tint = color / 255.0;
}"#;

const FRAGMENT_SHADER: &str = r#"#version 100
varying highp vec3 inner;
varying lowp vec4 tint;
void main() {
    highp float nearest = min(inner.x, min(inner.y, inner.z));
    gl_FragColor = tint * clamp(nearest + 0.5, 0.0, 1.0);
}"#;

/// Where a mesh is drawn, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Print {
    /// Nothing is drawn outside of it: left, top, right, bottom.
    pub clip: [i32; 4],
    /// By how much the mesh is moved.
    pub shift: [f32; 2],
}

/// What is drawn on, and its size in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// A texture; `None` for the window.
    pass: Option<RenderPass>,
    /// Its width and height.
    size: (f32, f32),
}

impl Surface {
    /// The window.
    pub fn window() -> Self {
        Self {
            pass: None,
            size: window::screen_size(),
        }
    }

    /// A texture of this size.
    pub fn texture(pass: RenderPass, size: (f32, f32)) -> Self {
        Self {
            pass: Some(pass),
            size,
        }
    }

    /// Whether it is the window.
    pub fn is_window(self) -> bool {
        self.pass.is_none()
    }

    /// Its height in pixels.
    pub fn height(self) -> i32 {
        self.size.1 as i32
    }

    fn begin(self, gl: &mut dyn RenderingBackend) {
        match self.pass {
            Some(pass) => gl.begin_pass(Some(pass), PassAction::Nothing),
            None => gl.begin_default_pass(PassAction::Nothing),
        }
    }
}

/// The pipeline and the buffers on the GPU.
pub struct Painter {
    pipeline: Pipeline,
    /// Buffers that take turns: one is filled while the driver may still read another, for which it would wait otherwise.
    buffers: [Option<Buffers>; TURNS],
    turn: usize,
}

/// As many as a frame of four panes takes, and as many again.
const TURNS: usize = 24;

/// Room for a mesh on the GPU.
struct Buffers {
    bindings: Bindings,
    capacity: (usize, usize),
}

impl Painter {
    /// Compiles the shader; a driver that cannot says why.
    pub fn new(gl: &mut Gl) -> Result<Self, String> {
        let gl = gl.backend();
        let meta = ShaderMeta {
            images: Vec::new(),
            uniforms: UniformBlockLayout {
                uniforms: vec![
                    UniformDesc::new("screen", UniformType::Float2),
                    UniformDesc::new("shift", UniformType::Float2),
                ],
            },
        };
        let source = ShaderSource::Glsl {
            vertex: VERTEX_SHADER,
            fragment: FRAGMENT_SHADER,
        };
        let shader = gl
            .new_shader(source, meta)
            .map_err(|error| error.to_string())?;
        // egui's colours carry their alpha already.
        let blend = BlendState::new(
            Equation::Add,
            BlendFactor::One,
            BlendFactor::OneMinusValue(BlendValue::SourceAlpha),
        );
        let pipeline = gl.new_pipeline(
            &[BufferLayout::default()],
            &[
                VertexAttribute::new("position", VertexFormat::Float2),
                VertexAttribute::new("edge", VertexFormat::Float3),
                VertexAttribute::new("color", VertexFormat::Byte4),
            ],
            shader,
            PipelineParams {
                color_blend: Some(blend),
                alpha_blend: Some(blend),
                ..PipelineParams::default()
            },
        );
        Ok(Self {
            pipeline,
            buffers: [const { None }; TURNS],
            turn: 0,
        })
    }

    /// Clears the window to a colour.
    ///
    /// The colour alone, which macroquad's own `clear_background` does not do: nothing here is told apart by depth, and where a processor
    /// draws, to clear the depths beside the stencils that share their words is an eighth of a frame's time.
    pub fn clear_all(&self, gl: &mut Gl, color: Color32) {
        let gl = gl.backend();
        Surface::window().begin(gl);
        gl.clear(Some(parts_of(color)), None, None);
        gl.end_render_pass();
    }

    /// Clears a rectangle, given by its sides, to a colour.
    pub fn clear(&self, gl: &mut Gl, surface: Surface, sides: [i32; 4], color: Color32) {
        let gl = gl.backend();
        let (width, height) = surface.size;
        surface.begin(gl);
        // Without a pipeline there is no clipping.
        gl.apply_pipeline(&self.pipeline);
        clip(gl, sides, height);
        gl.clear(Some(parts_of(color)), None, None);
        gl.apply_scissor_rect(0, 0, width as i32, height as i32);
        gl.end_render_pass();
    }

    /// Draws the mesh over everything drawn so far, once for each of `prints`.
    pub fn draw(&mut self, gl: &mut Gl, surface: Surface, mesh: &Mesh, prints: &[Print]) {
        if mesh.indices.is_empty() {
            return;
        }
        gl.flush();
        let gl = gl.backend();
        let bindings = self.upload(gl, mesh);
        let (width, height) = surface.size;
        surface.begin(gl);
        gl.apply_pipeline(&self.pipeline);
        gl.apply_bindings(&bindings);
        for print in prints {
            clip(gl, print.clip, height);
            let [x, y] = print.shift;
            gl.apply_uniforms(UniformsSource::table(&[width, height, x, y]));
            gl.draw(0, mesh.indices.len() as i32, 1);
        }
        // Nobody after this has asked for a smaller window.
        gl.apply_scissor_rect(0, 0, width as i32, height as i32);
        gl.end_render_pass();
    }

    /// Copies the mesh into the buffers, which grow by doubling because an update must fit.
    fn upload(&mut self, gl: &mut dyn RenderingBackend, mesh: &Mesh) -> Bindings {
        let (vertices, indices) = (mesh.vertices.len(), mesh.indices.len());
        self.turn = (self.turn + 1) % TURNS;
        let place = &mut self.buffers[self.turn];
        let fits = |capacity: (usize, usize)| vertices <= capacity.0 && indices <= capacity.1;
        if let Some(old) = place.take_if(|old| !fits(old.capacity)) {
            let bindings = old.bindings;
            bindings
                .vertex_buffers
                .iter()
                .for_each(|buffer| gl.delete_buffer(*buffer));
            gl.delete_buffer(bindings.index_buffer);
        }
        let buffers = place.get_or_insert_with(|| {
            let capacity = (
                vertices.next_power_of_two().max(4096),
                indices.next_power_of_two().max(8192),
            );
            let stream = BufferUsage::Stream;
            let vertices = BufferSource::empty::<Vertex>(capacity.0);
            let indices = BufferSource::empty::<u32>(capacity.1);
            Buffers {
                bindings: Bindings {
                    vertex_buffers: vec![gl.new_buffer(BufferType::VertexBuffer, stream, vertices)],
                    index_buffer: gl.new_buffer(BufferType::IndexBuffer, stream, indices),
                    images: Vec::new(),
                },
                capacity,
            }
        });
        let bindings = buffers.bindings.clone();
        gl.buffer_update(
            bindings.vertex_buffers[0],
            BufferSource::slice(&mesh.vertices),
        );
        gl.buffer_update(bindings.index_buffer, BufferSource::slice(&mesh.indices));
        bindings
    }
}

/// The parts of an opaque colour as OpenGL clears with them.
fn parts_of(color: Color32) -> (f32, f32, f32, f32) {
    let [red, green, blue, _] = color.to_array().map(|part| f32::from(part) / 255.0);
    (red, green, blue, 1.0)
}

/// Lets nothing be drawn outside of a rectangle, given by its sides, in a window of this height.
fn clip(gl: &mut dyn RenderingBackend, [left, top, right, bottom]: [i32; 4], height: f32) {
    // OpenGL counts rows from below.
    let rows = (bottom - top).max(0);
    let below = height as i32 - top - rows;
    gl.apply_scissor_rect(left, below, (right - left).max(0), rows);
}
