//! Draws what egui has laid out: its triangles, and the textures that these are cut from.

use egui_macroquad::egui::epaint::{ImageDelta, Primitive, Vertex};
use egui_macroquad::egui::{
    ClippedPrimitive, ImageData, Rect, TextureFilter, TextureId, TexturesDelta,
};
use egui_macroquad::macroquad::miniquad::{
    self, Bindings, BlendFactor, BlendState, BlendValue, BufferLayout, BufferSource, BufferType,
    BufferUsage, CullFace, Equation, FilterMode, PassAction, Pipeline, PipelineParams,
    RenderingBackend, ShaderMeta, ShaderSource, TextureFormat, TextureParams, TextureWrap,
    UniformBlockLayout, UniformDesc, UniformType, UniformsSource, VertexAttribute, VertexFormat,
};
use std::collections::HashMap;

/// So many vertices, and so many indices, have room at first.
const ROOM: usize = 32 * 1024;

/// What a texture holds, and with which shader it is drawn.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// How much of a pixel a glyph covers: all text, and whatever is filled is cut from a white spot of it.
    Coverage,
    /// Colours.
    Picture,
}

/// The pipelines, their buffers, and egui's textures.
pub struct Painter {
    /// By what the texture holds.
    pipelines: [Pipeline; 2],
    bindings: Bindings,
    textures: HashMap<TextureId, (miniquad::TextureId, Kind)>,
}

impl Painter {
    /// Sets it up. An error is what the graphics driver says of a shader.
    pub fn new(gl: &mut dyn RenderingBackend) -> Result<Self, String> {
        let pipelines = [
            pipeline(gl, FRAGMENT_OF_COVERAGE)?,
            pipeline(gl, FRAGMENT_OF_PICTURE)?,
        ];
        let vertices = BufferSource::empty::<Vertex>(ROOM);
        let indices = BufferSource::empty::<u16>(ROOM);
        let stream = BufferUsage::Stream;
        let bindings = Bindings {
            vertex_buffers: vec![gl.new_buffer(BufferType::VertexBuffer, stream, vertices)],
            index_buffer: gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Stream, indices),
            images: vec![gl.new_texture_from_rgba8(1, 1, &[255; 4])],
        };
        Ok(Self {
            pipelines,
            bindings,
            textures: HashMap::new(),
        })
    }

    /// Takes up new textures, draws, and gives up old ones.
    pub fn paint(
        &mut self,
        gl: &mut dyn RenderingBackend,
        meshes: Vec<ClippedPrimitive>,
        textures: &TexturesDelta,
        scale: f32,
    ) {
        for (id, delta) in &textures.set {
            self.set_texture(gl, *id, delta);
        }
        gl.begin_default_pass(PassAction::Nothing);
        let (width, height) = miniquad::window::screen_size();
        let mut applied = None;
        for ClippedPrimitive {
            clip_rect,
            primitive,
        } in meshes
        {
            // The window draws its own pictures under egui, and none by its callbacks.
            if let Primitive::Mesh(mesh) = primitive {
                let Some(&(texture, kind)) = self.textures.get(&mesh.texture_id) else {
                    continue;
                };
                if applied.replace(kind) != Some(kind) {
                    gl.apply_pipeline(&self.pipelines[kind as usize]);
                    gl.apply_uniforms(UniformsSource::table(&[width / scale, height / scale]));
                }
                scissor(gl, clip_rect, (width, height), scale);
                for mesh in mesh.split_to_u16() {
                    self.draw(gl, &mesh.vertices, &mesh.indices, texture);
                }
            }
        }
        gl.end_render_pass();
        for id in &textures.free {
            if let Some((texture, _)) = self.textures.remove(id) {
                gl.delete_texture(texture);
            }
        }
    }

    fn draw(
        &mut self,
        gl: &mut dyn RenderingBackend,
        vertices: &[Vertex],
        indices: &[u16],
        texture: miniquad::TextureId,
    ) {
        let stream = BufferUsage::Stream;
        let buffer = &mut self.bindings.vertex_buffers[0];
        if gl.buffer_size(*buffer) < size_of_val(vertices) {
            gl.delete_buffer(*buffer);
            let room = BufferSource::empty::<Vertex>(vertices.len().next_power_of_two());
            *buffer = gl.new_buffer(BufferType::VertexBuffer, stream, room);
        }
        gl.buffer_update(*buffer, BufferSource::slice(vertices));
        let buffer = &mut self.bindings.index_buffer;
        if gl.buffer_size(*buffer) < size_of_val(indices) {
            gl.delete_buffer(*buffer);
            let room = BufferSource::empty::<u16>(indices.len().next_power_of_two());
            *buffer = gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Stream, room);
        }
        gl.buffer_update(*buffer, BufferSource::slice(indices));
        self.bindings.images[0] = texture;
        gl.apply_bindings(&self.bindings);
        gl.draw(0, indices.len() as i32, 1);
    }

    /// Makes a texture, or changes a part of one.
    fn set_texture(&mut self, gl: &mut dyn RenderingBackend, id: TextureId, delta: &ImageDelta) {
        let [width, height] = delta.image.size();
        let (kind, format, pixels): (_, _, Vec<u8>) = match &delta.image {
            ImageData::Color(image) => (
                Kind::Picture,
                TextureFormat::RGBA8,
                image.pixels.iter().flat_map(|it| it.to_array()).collect(),
            ),
            ImageData::Font(image) => (
                Kind::Coverage,
                TextureFormat::Alpha,
                image.srgba_pixels(None).map(|it| it.a()).collect(),
            ),
        };
        let (width, height) = (width as u32, height as u32);
        if let Some([x, y]) = delta.pos {
            if let Some((texture, _)) = self.textures.get(&id) {
                let (x, y) = (x as i32, y as i32);
                let (width, height) = (width as i32, height as i32);
                gl.texture_update_part(*texture, x, y, width, height, &pixels);
            }
            return;
        }
        let filter = match (kind, delta.options.magnification) {
            // Glyphs lie on whole pixels.
            (Kind::Coverage, _) | (_, TextureFilter::Nearest) => FilterMode::Nearest,
            (_, TextureFilter::Linear) => FilterMode::Linear,
        };
        let params = TextureParams {
            format,
            wrap: TextureWrap::Clamp,
            min_filter: filter,
            mag_filter: filter,
            width,
            height,
            ..TextureParams::default()
        };
        let texture = gl.new_texture_from_data_and_format(&pixels, params);
        if let Some(before) = self.textures.insert(id, (texture, kind)) {
            gl.delete_texture(before.0);
        }
    }
}

/// The pipeline with this fragment shader. An error is what the graphics driver says of it.
fn pipeline(gl: &mut dyn RenderingBackend, fragment: &str) -> Result<Pipeline, String> {
    let source = ShaderSource::Glsl {
        vertex: VERTEX,
        fragment,
    };
    let meta = ShaderMeta {
        images: vec!["u_sampler".to_owned()],
        uniforms: UniformBlockLayout {
            uniforms: vec![UniformDesc::new("u_screen_size", UniformType::Float2)],
        },
    };
    let shader = gl
        .new_shader(source, meta)
        .map_err(|error| error.to_string())?;
    let attributes = [
        VertexAttribute::new("a_pos", VertexFormat::Float2),
        VertexAttribute::new("a_tc", VertexFormat::Float2),
        VertexAttribute::new("a_srgba", VertexFormat::Byte4),
    ];
    let blend = BlendState::new(
        Equation::Add,
        BlendFactor::One,
        BlendFactor::OneMinusValue(BlendValue::SourceAlpha),
    );
    let params = PipelineParams {
        color_blend: Some(blend),
        cull_face: CullFace::Nothing,
        ..PipelineParams::default()
    };
    Ok(gl.new_pipeline(&[BufferLayout::default()], &attributes, shader, params))
}

/// Lets nothing be drawn outside of a rectangle.
fn scissor(gl: &mut dyn RenderingBackend, clip: Rect, (width, height): (f32, f32), scale: f32) {
    let left = (clip.min.x * scale).clamp(0.0, width);
    let top = (clip.min.y * scale).clamp(0.0, height);
    let right = (clip.max.x * scale).clamp(left, width);
    let bottom = (clip.max.y * scale).clamp(top, height);
    let [left, top, right, bottom] = [left, top, right, bottom].map(|it| it.round() as i32);
    gl.apply_scissor_rect(left, height as i32 - bottom, right - left, bottom - top);
}

const VERTEX: &str = "#version 100
uniform vec2 u_screen_size;
attribute vec2 a_pos;
attribute vec2 a_tc;
attribute vec4 a_srgba;
varying vec2 v_tc;
varying vec4 v_color;
void main() {
    gl_Position = vec4(
        2.0 * a_pos.x / u_screen_size.x - 1.0,
        1.0 - 2.0 * a_pos.y / u_screen_size.y,
        0.0,
        1.0);
    v_color = a_srgba / 255.0;
    v_tc = a_tc;
}
";

const FRAGMENT_OF_PICTURE: &str = "#version 100
uniform sampler2D u_sampler;
precision highp float;
varying vec2 v_tc;
varying vec4 v_color;
void main() {
    gl_FragColor = v_color * texture2D(u_sampler, v_tc);
}
";

/// Where a processor draws, a pixel takes as long as what is read and unpacked for it: one byte is two thirds of the time of four texels of
/// four bytes, as egui has it.
const FRAGMENT_OF_COVERAGE: &str = "#version 100
uniform sampler2D u_sampler;
precision highp float;
varying vec2 v_tc;
varying vec4 v_color;
void main() {
    gl_FragColor = v_color * texture2D(u_sampler, v_tc).a;
}
";
