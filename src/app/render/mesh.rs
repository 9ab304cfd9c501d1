//! One mesh of flat triangles with smooth edges, sent in one draw call: what is drawn by the ten thousand goes through here.
//!
//! macroquad's own shapes cost a call each and its batches end at a few thousand vertices; this buffer grows by doubling.
//! Everything drawn by the dozen is drawn by egui's painter, which has dashes, circles and text.

use egui_macroquad::egui::{Color32, Pos2, Rect};

/// A corner. `edge` holds the distances to the three edges of its triangle, in pixels, from which the fragment shader
/// makes the coverage: an edge is smooth with no multisampling and with no extra triangles.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Vertex {
    position: [f32; 2],
    edge: [f32; 3],
    color: [u8; 4],
}

/// Far enough inside to be wholly covered.
const INSIDE: f32 = 1.0e4;

/// Triangles gathered for one draw call. Coordinates are egui points.
#[derive(Debug, Default)]
pub struct Mesh {
    /// The corners.
    pub vertices: Vec<Vertex>,
    /// Three corners a triangle.
    pub indices: Vec<u32>,
    pixels_per_point: f32,
}

impl Mesh {
    /// Forgets everything, keeps the memory, and takes the present scale of the screen.
    pub fn clear(&mut self, pixels_per_point: f32) {
        self.vertices.clear();
        self.indices.clear();
        self.pixels_per_point = pixels_per_point;
    }

    fn vertex(&mut self, at: Pos2, edge: [f32; 3], color: Color32) {
        let scale = self.pixels_per_point;
        self.vertices.push(Vertex {
            position: [at.x * scale, at.y * scale],
            edge,
            color: color.to_array(),
        });
    }

    fn quad_indices(&mut self) {
        let first = self.vertices.len() as u32;
        self.indices
            .extend_from_slice(&[first, first + 1, first + 2, first, first + 2, first + 3]);
    }

    /// A filled rectangle whose sides fall on whole pixels.
    pub fn fill(&mut self, rect: Rect, color: Color32) {
        self.quad_indices();
        for at in [
            rect.left_top(),
            rect.right_top(),
            rect.right_bottom(),
            rect.left_bottom(),
        ] {
            self.vertex(at, [INSIDE; 3], color);
        }
    }

    /// The outline of a rectangle, `width` points wide, centred on the border.
    pub fn outline(&mut self, rect: Rect, width: f32, color: Color32) {
        let (outer, inner) = (rect.expand(width / 2.0), rect.shrink(width / 2.0));
        if inner.width() <= 0.0 || inner.height() <= 0.0 {
            self.fill(outer, color);
            return;
        }
        // A ring: the corners outside and inside are shared by the sides, for a driver without a GPU counts corners.
        let first = self.vertices.len() as u32;
        for rect in [outer, inner] {
            for at in [
                rect.left_top(),
                rect.right_top(),
                rect.right_bottom(),
                rect.left_bottom(),
            ] {
                self.vertex(at, [INSIDE; 3], color);
            }
        }
        for side in 0..4 {
            let next = (side + 1) % 4;
            let [a, b, c, d] = [side, next, 4 + next, 4 + side].map(|corner| first + corner);
            self.indices.extend_from_slice(&[a, b, c, a, c, d]);
        }
    }

    /// A straight line with smooth sides.
    pub fn line(&mut self, from: Pos2, to: Pos2, width: f32, color: Color32) {
        let way = to - from;
        let length = way.length();
        if length <= 0.0 {
            return;
        }
        let scale = self.pixels_per_point;
        // Half a pixel more on each side carries the slope of the coverage.
        let half = width / 2.0 + 0.5 / scale;
        let side = way.rot90() / length * half;
        let full = (2.0 * half - 0.5 / scale) * scale;
        self.quad_indices();
        self.vertex(from + side, [-0.5, full, INSIDE], color);
        self.vertex(to + side, [-0.5, full, INSIDE], color);
        self.vertex(to - side, [full, -0.5, INSIDE], color);
        self.vertex(from - side, [full, -0.5, INSIDE], color);
    }

    /// A triangle with smooth edges.
    pub fn triangle(&mut self, corners: [Pos2; 3], color: Color32) {
        let [a, b, c] = corners;
        let area = ((b - a).x * (c - a).y - (b - a).y * (c - a).x).abs();
        let height =
            |from: Pos2, to: Pos2| area / (to - from).length().max(1.0e-3) * self.pixels_per_point;
        let (ha, hb, hc) = (height(b, c), height(c, a), height(a, b));
        let first = self.vertices.len() as u32;
        self.indices
            .extend_from_slice(&[first, first + 1, first + 2]);
        // The edges are moved half a pixel inwards of the slope: distance 0 at the edge itself is half covered.
        self.vertex(a, [ha, 0.0, 0.0], color);
        self.vertex(b, [0.0, hb, 0.0], color);
        self.vertex(c, [0.0, 0.0, hc], color);
    }

    /// A filled convex polygon, its sides left sharp.
    pub fn polygon(&mut self, corners: impl IntoIterator<Item = Pos2>, color: Color32) {
        let first = self.vertices.len() as u32;
        for corner in corners {
            self.vertex(corner, [INSIDE; 3], color);
        }
        for last in first + 2..self.vertices.len() as u32 {
            self.indices.extend_from_slice(&[first, last - 1, last]);
        }
    }
}
