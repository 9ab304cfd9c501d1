//! The whole picture, from far to near.
//!
//! # Order
//!
//! 1. The ground, the border's edges behind everything, the axes on the field's outline, the feet of units.
//! 2. Leaves and units together, the farthest first.
//! 3. The slice with what it cuts, the border's edges before everything, flashes.
//! 4. The query, those it found, and the rings around who is meant.
//!
//! Little is drawn by the GPU as a mesh, much by the processor on a plate: see [`Plate`]. Both paint the same things in the same
//! order with the same colours.

use super::axes;
use super::boxes::{self, Leaves};
use super::ground::GroundPicture;
use super::ink::{Ink, Pen};
use super::picture::{Painted, Picture, Room, Stage};
use super::plate::Plate;
use super::query::QueryPicture;
use super::units::{Counts, Units};
use crate::app::render::Canvas;

/// More units or boxes than this are painted on a plate.
const MANY_UNITS: usize = 3_000;
const MANY_BOXES: usize = 800;

/// What drawing keeps from frame to frame.
#[derive(Default)]
pub struct VolumePicture {
    plate: Plate,
    parts: Parts,
}

impl VolumePicture {
    /// Draws all of it into the eye's part of the window, and says how much that was.
    pub fn draw(&mut self, canvas: &mut Canvas<'_>, picture: &Picture<'_>) -> Painted {
        let stage = Stage::new(picture);
        let parts = &mut self.parts;
        let counts = parts.units.choose(&stage);
        let left_out = parts.leaves.choose(&stage);
        let is_much = parts.units.count() > MANY_UNITS || parts.leaves.count() > MANY_BOXES;
        let ground = picture.palette.field;
        if is_much
            && self
                .plate
                .begin(stage.screen, canvas.pixels_per_point, ground)
        {
            parts.paint(&mut self.plate, &stage);
            self.plate.end();
            canvas.flush();
            self.plate.draw();
        } else {
            parts.paint(canvas.mesh, &stage);
        }
        self.parts.painted(counts, left_out)
    }
}

/// Everything that is drawn, whatever it is drawn with.
#[derive(Default)]
struct Parts {
    units: Units,
    leaves: Leaves,
    ground: GroundPicture,
    query: QueryPicture,
    room: Room,
}

impl Parts {
    fn paint(&mut self, ink: &mut impl Ink, stage: &Stage<'_>) {
        let room = &mut self.room;
        self.ground.draw(ink, stage, room);
        boxes::border(ink, stage, false);
        axes::draw(ink, stage);
        self.units.draw_feet(ink, stage);
        self.units.sort();
        self.leaves.sort();
        let mut leaf = 0;
        for unit in 0..self.units.count() {
            leaf = self
                .leaves
                .draw_beyond(self.units.step(unit), leaf, ink, stage);
            self.units.draw(unit, ink, stage, room);
        }
        self.leaves.draw_beyond(None, leaf, ink, stage);
        self.leaves.draw_cut(ink, stage, room);
        boxes::border(ink, stage, true);
        boxes::flashes(ink, stage, room);
        self.query.draw_boxes(ink, stage, room);
        self.query.draw_ball(ink, stage, room);
        self.units.draw_marked(ink, stage);
        self.query.draw_rim(ink, stage);
        let hovered = stage.picture.hovered_region;
        if let Some(bounds) = hovered.and_then(|bounds| stage.behind_slice(bounds)) {
            let pen = Pen::solid(1.8, stage.picture.palette.accent, 0.95);
            stage.edges(ink, pen, bounds);
        }
        self.units.draw_rings(ink, stage);
    }

    fn painted(&self, counts: Counts, boxes_left_out: usize) -> Painted {
        Painted {
            units: self.units.count(),
            units_alive: counts.alive,
            units_hidden: counts.hidden,
            boxes: self.leaves.count(),
            boxes_left_out,
        }
    }
}
