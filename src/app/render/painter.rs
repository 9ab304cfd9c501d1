//! Sends a mesh to the GPU: one shader, one pipeline, buffers that grow.

use super::mesh::{Mesh, Vertex};
use crate::app::gl::Gl;
use egui_macroquad::macroquad::miniquad::{
    Bindings, BlendFactor, BlendState, BlendValue, BufferLayout, BufferSource, BufferType,
    BufferUsage, Equation, PassAction, Pipeline, PipelineParams, RenderingBackend, ShaderMeta,
    ShaderSource, UniformBlockLayout, UniformDesc, UniformType, UniformsSource, VertexAttribute,
    VertexFormat, window,
};

const VERTEX_SHADER: &str = r#"#version 100
attribute vec2 position;
attribute vec3 edge;
attribute vec4 color;
uniform vec2 screen;
varying highp vec3 inner;
varying lowp vec4 tint;
void main() {
    gl_Position = vec4(position.x / screen.x * 2.0 - 1.0, 1.0 - position.y / screen.y * 2.0, 0.0, 1.0);
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

/// The pipeline and the buffers on the GPU.
pub struct Painter {
    pipeline: Pipeline,
    bindings: Option<Bindings>,
    capacity: (usize, usize),
}

impl Painter {
    /// Compiles the shader; a driver that cannot says why.
    pub fn new(gl: &mut Gl) -> Result<Self, String> {
        let gl = gl.backend();
        let meta = ShaderMeta {
            images: Vec::new(),
            uniforms: UniformBlockLayout {
                uniforms: vec![UniformDesc::new("screen", UniformType::Float2)],
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
            bindings: None,
            capacity: (0, 0),
        })
    }

    /// Draws the mesh over everything drawn so far.
    pub fn draw(&mut self, gl: &mut Gl, mesh: &Mesh) {
        if mesh.indices.is_empty() {
            return;
        }
        gl.flush();
        let gl = gl.backend();
        let bindings = self.upload(gl, mesh);
        let size = window::screen_size();
        gl.begin_default_pass(PassAction::Nothing);
        gl.apply_pipeline(&self.pipeline);
        gl.apply_bindings(&bindings);
        gl.apply_uniforms(UniformsSource::table(&[size.0, size.1]));
        gl.draw(0, mesh.indices.len() as i32, 1);
        gl.end_render_pass();
    }

    /// Copies the mesh into the buffers, which grow by doubling because an update must fit.
    fn upload(&mut self, gl: &mut dyn RenderingBackend, mesh: &Mesh) -> Bindings {
        let (vertices, indices) = (mesh.vertices.len(), mesh.indices.len());
        if vertices > self.capacity.0 || indices > self.capacity.1 || self.bindings.is_none() {
            if let Some(old) = self.bindings.take() {
                old.vertex_buffers
                    .iter()
                    .for_each(|buffer| gl.delete_buffer(*buffer));
                gl.delete_buffer(old.index_buffer);
            }
            self.capacity = (
                vertices.next_power_of_two().max(4096),
                indices.next_power_of_two().max(8192),
            );
            let stream = BufferUsage::Stream;
            self.bindings = Some(Bindings {
                vertex_buffers: vec![gl.new_buffer(
                    BufferType::VertexBuffer,
                    stream,
                    BufferSource::empty::<Vertex>(self.capacity.0),
                )],
                index_buffer: gl.new_buffer(
                    BufferType::IndexBuffer,
                    stream,
                    BufferSource::empty::<u32>(self.capacity.1),
                ),
                images: Vec::new(),
            });
        }
        let bindings = self.bindings.clone().expect("made just above");
        gl.buffer_update(
            bindings.vertex_buffers[0],
            BufferSource::slice(&mesh.vertices),
        );
        gl.buffer_update(bindings.index_buffer, BufferSource::slice(&mesh.indices));
        bindings
    }
}
