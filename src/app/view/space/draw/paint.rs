//! The whole picture, from far to near.
//!
//! # Order
//!
//! 1. The ground, the border's edges behind everything, the axes on the field's outline, the feet of units.
//! 2. Leaves and units together, the farthest first.
//! 3. The slice with what it cuts, the border's edges before everything, flashes.
//! 4. The query, those it found, the rings around who is meant, and where something is asked.
//!
//! Little is drawn by the GPU as a mesh, much by the processor on a plate: see [`Plate`]. Both paint the same things in the same
//! order with the same colours.

use super::asked;
use super::axes;
use super::boxes::{self, Leaves};
use super::ground::GroundPicture;
use super::ink::{Ink, Pen};
use super::order::STEPS;
use super::picture::{Painted, Picture, Room, Stage};
use super::plate::Plate;
use super::query::QueryPicture;
use super::selected::Selected;
use super::units::{Units, draw_met};
use crate::app::processors;
use crate::app::render::Canvas;
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

/// More units or boxes than this are painted on a plate.
const MANY_UNITS: usize = 3_000;
const MANY_BOXES: usize = 800;

/// More threads than this gain little: each of them goes through all that is painted.
const MOST_THREADS: usize = 4;

/// Bands are not equally full, so each thread takes one after another; and the pixels of one fit the processor's cache.
const BANDS_A_THREAD: usize = 2;

/// What drawing keeps from frame to frame.
pub struct VolumePicture {
    plate: Plate,
    parts: Parts,
    /// How many threads run at once on this machine.
    processors: usize,
    /// Room to work in for each thread that paints.
    rooms: [Room; MOST_THREADS],
}

impl Default for VolumePicture {
    fn default() -> Self {
        Self {
            plate: Plate::default(),
            parts: Parts::default(),
            processors: processors::count(),
            rooms: Default::default(),
        }
    }
}

impl VolumePicture {
    /// Draws all of it into the eye's part of the window, and says how much that was. So many threads are `busy` without a pause; they are
    /// left processors of their own, all but one.
    pub fn draw(&mut self, canvas: &mut Canvas<'_>, picture: &Picture<'_>, busy: usize) -> Painted {
        let stage = Stage::new(picture);
        let painted = self.parts.choose(&stage);
        let is_much = painted.units > MANY_UNITS || painted.boxes > MANY_BOXES;
        if is_much && self.plate.begin(stage.screen, canvas.pixels_per_point) {
            let threads = self.processors - busy.min(self.processors - 1);
            self.paint_bands(&stage, threads.min(MOST_THREADS));
            self.plate.end(canvas);
            canvas.flush();
            self.plate.draw(canvas);
        } else {
            self.parts.paint(canvas.mesh, &stage, &mut self.rooms[0]);
        }
        painted
    }

    /// Paints the plate on so many threads.
    fn paint_bands(&mut self, stage: &Stage<'_>, threads: usize) {
        let parts = &self.parts;
        let ground = stage.picture.palette.field;
        let count = if threads > 1 {
            threads * BANDS_A_THREAD
        } else {
            1
        };
        let bands = Mutex::new(self.plate.bands(count));
        let paint = |room: &mut Room| {
            let next = || {
                let mut bands = bands.lock().unwrap_or_else(PoisonError::into_inner);
                bands.next()
            };
            while let Some(mut band) = next() {
                band.clear(ground);
                parts.paint(&mut band, stage, room);
            }
        };
        let [own, others @ ..] = &mut self.rooms;
        std::thread::scope(|scope| {
            for room in others.iter_mut().take(threads - 1) {
                let painter = Builder::new().name("paint".to_owned());
                // Without a thread to help there is more to do here.
                drop(painter.spawn_scoped(scope, move || paint(room)));
            }
            paint(own);
        });
    }
}

/// Everything that is drawn, whatever it is drawn with.
#[derive(Default)]
struct Parts {
    units: Units,
    selected: Selected,
    leaves: Leaves,
    ground: GroundPicture,
    query: QueryPicture,
}

impl Parts {
    /// Finds what there is to draw, and says how much that is.
    fn choose(&mut self, stage: &Stage<'_>) -> Painted {
        let counts = self.units.choose(stage);
        self.selected.choose(stage);
        let boxes_left_out = self.leaves.choose(stage);
        self.ground.choose(stage);
        self.query.choose(stage);
        Painted {
            units: self.units.count(),
            units_alive: counts.alive,
            units_hidden: counts.hidden,
            boxes: self.leaves.count(),
            boxes_left_out,
        }
    }

    fn paint(&self, ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
        self.ground.draw(ink, stage, room);
        boxes::border(ink, stage, false);
        axes::draw(ink, stage);
        self.units.draw_feet(ink, stage);
        for step in (0..STEPS).rev() {
            self.units.draw_step(step, ink, stage, room);
            self.leaves.draw_step(step, ink, stage);
        }
        self.leaves.draw_cut(ink, stage, room);
        boxes::border(ink, stage, true);
        boxes::flashes(ink, stage, room);
        self.query.draw_boxes(ink, stage, room);
        self.query.draw_ball(ink, stage, room);
        self.units.draw_marked(ink, stage);
        self.query.draw_rim(ink, stage);
        let hovered = stage.picture.hovered_region;
        if let Some(bounds) = hovered.and_then(|bounds| stage.behind_slice(bounds)) {
            // What is happening is white, as on the plane and in the tree: what it does to the box keeps its own colour.
            let palette = stage.picture.palette;
            let color = match stage.picture.is_told {
                true => palette.mark,
                false => palette.accent,
            };
            let pen = Pen::solid(1.8, color, 0.95);
            stage.edges(ink, pen, bounds);
        }
        regions_meant(ink, stage);
        self.selected.draw(ink, stage, self.units.are_dots());
        self.units.draw_hovered(ink, stage);
        draw_met(ink, stage);
        if let Some(meant) = stage.picture.asked {
            asked::draw(meant, ink, stage);
        }
    }
}

/// Draws the box whose turn it is, and those that are marked and pointed at in the tree.
fn regions_meant(ink: &mut impl Ink, stage: &Stage<'_>) {
    let (picture, palette) = (stage.picture, stage.picture.palette);
    let meant = [
        (
            picture.turn,
            Pen::dotted(2.0, palette.mark, 0.95, [5.0, 4.0]),
        ),
        (picture.marked, Pen::solid(2.2, palette.mark, 0.95)),
        (picture.pointed, Pen::solid(2.0, palette.accent, 0.95)),
    ];
    for (bounds, pen) in meant {
        if let Some(bounds) = bounds.and_then(|bounds| stage.behind_slice(bounds)) {
            stage.edges(ink, pen, bounds);
        }
    }
}
