//! What is drawn of a lane in space, and what over that.

use super::draw::{Flash, Layers3, Painted, Picture, Slice, VolumePicture};
use crate::app::commands::Layer;
use crate::app::eye::Eye;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::{App, DEEPEST};
use crate::app::worker::LaneView;
use skirmish::session::{Flashes, Place};
use std::ops::RangeInclusive;

/// The picture of a lane, with what was drawn last.
#[derive(Default)]
pub struct Scenery {
    picture: VolumePicture,
    flashes: Vec<Flash>,
    /// How much was drawn.
    pub painted: Painted,
}

/// The slice as it is drawn.
fn slice_of(app: &App) -> Option<Slice> {
    app.space.slice.map(|slice| Slice {
        axis: slice.axis,
        at: slice.at,
    })
}

impl Scenery {
    /// Draws a lane as it is seen by `eye`.
    pub fn draw(
        &mut self,
        app: &App,
        lane: &LaneView,
        eye: &Eye,
        palette: &Palette,
        canvas: &mut Canvas<'_>,
    ) {
        let Some(flight) = &app.flight else {
            return;
        };
        let frame = &lane.frame3;
        let shows = |layer| app.layers.shows(layer);
        let tick = flight.tick();
        self.flashes.clear();
        let seen = lane.flashes3.iter().filter_map(|(bounds, is_split, at)| {
            let age = tick.checked_sub(*at).filter(|age| *age < Flashes::TICKS)?;
            Some(Flash {
                bounds: *bounds,
                is_split: *is_split,
                age: age as f32 / Flashes::TICKS as f32,
            })
        });
        self.flashes.extend(seen.filter(|_| shows(Layer::Nodes)));
        // Where time stopped by itself stays lit.
        let stopped = app.stop_in_sight().and_then(|stopped| stopped.area);
        if let Some(Place::Space(bounds)) = stopped {
            self.flashes.push(Flash {
                bounds,
                is_split: true,
                age: 0.0,
            });
        }
        let ground = flight.ground();
        let height = |x: f32, y: f32| ground.height(x, y);
        let has_hills = app
            .scene
            .volume
            .as_ref()
            .is_some_and(|it| it.hills.is_some());
        let picture = Picture {
            eye,
            palette,
            field: flight.field(),
            bodies: flight.bodies(),
            velocities: flight.velocities(),
            sides: flight.sides(),
            regions: &frame.regions,
            query: frame.query.as_ref().filter(|_| shows(Layer::Query)),
            slice: slice_of(app),
            depths: depths(app),
            layers: Layers3 {
                units: shows(Layer::Units),
                boxes: shows(Layer::Nodes),
                load: shows(Layer::Load),
                query: shows(Layer::Query),
            },
            ground: has_hills.then_some(&height),
            hovered: frame.unit,
            selected: app.selection,
            hovered_region: frame.path.last().map(|region| region.bounds),
            flashes: &self.flashes,
        };
        self.painted = self.picture.draw(canvas, &picture);
    }
}

/// Boxes of which depths are drawn.
fn depths(app: &App) -> RangeInclusive<u16> {
    let (first, last) = app.space.depths;
    // The deepest that can be told stands for all below it.
    first..=if last == DEEPEST { u16::MAX } else { last }
}
