//! The way of the camera to what was asked for and is not in the picture.
//!
//! Invariant: whatever else moves the camera meanwhile ends it. Nobody is drawn away from where they have just looked.

use super::{App, View};
use egui_macroquad::egui::Rect;
use skirmish::geometry::{Aabb, Vec2};

/// So much of the way is left after a frame: a glide of about a quarter of a second, as the camera's to the character.
const LEFT: f32 = 0.75;
/// What is nearer than this, in points, is there.
const THERE: f32 = 0.5;
/// What is brought into the picture is so far from its edges at the least, in points.
const MARGIN: f32 = 16.0;

/// A way that the camera is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide {
    /// Where its middle is to be.
    to: Vec2,
    /// Its middle and its zoom after the last frame: where they are others, somebody else has moved it.
    last: (Vec2, f32),
}

impl App {
    /// Brings objects into the picture of the world, together with the character where all have room in it; the first alone where they
    /// have none together. The camera stays where it is while they can be seen. A camera that went with the character lets it go where
    /// they are too far from it.
    pub(super) fn bring_into_sight(&mut self, objects: &[u32]) {
        let Some(stream) = self
            .stream
            .as_ref()
            .filter(|_| self.view == View::Streaming)
        else {
            return;
        };
        let mut camera = self.camera;
        let character = stream.character();
        let follows = stream.camera_follows;
        let screen = camera.screen;
        // What neither drawers nor the caption cover.
        let free = self.seen_field();
        let free = free.with_max_y(screen.bottom() - self.covered);
        if follows {
            camera.center = character + Vec2::new(self.aside(), 0.0);
        }
        let room = free.size() - 2.0 * egui_macroquad::egui::Vec2::splat(MARGIN);
        let has_room = |area: Aabb| {
            let size = area.size() * camera.zoom;
            size.x <= room.x && size.y <= room.y
        };
        let mut bodies = objects.iter().map(|object| stream.body(*object));
        let Some(first) = bodies.next() else { return };
        let all = bodies.fold(first, Aabb::join);
        let body = if has_room(all) { all } else { first };
        if in_sight(free, camera.rect_to_screen(body)) {
            return;
        }
        let both = body.join(Aabb::new(character, character));
        let middle = if has_room(both) { both } else { body }.center();
        let off = screen.center() - free.center();
        if let Some(stream) = &mut self.stream {
            stream.camera_follows = false;
        }
        self.framed = false;
        self.glide = Some(Glide {
            to: middle + Vec2::new(off.x, off.y) / camera.zoom,
            last: (self.camera.center, self.camera.zoom),
        });
    }

    /// The camera has been moved to the right by so many metres, and goes on with its way there.
    pub(super) fn shift_glide(&mut self, by: f32) {
        if let Some(glide) = &mut self.glide {
            glide.to.x += by;
            glide.last.0.x += by;
        }
    }

    /// Whether the camera is on its way.
    pub fn is_gliding(&self) -> bool {
        self.glide.is_some() && self.view == View::Streaming
    }

    /// Goes on for a frame with the way that the camera is on.
    pub fn glide(&mut self) {
        let camera = &mut self.camera;
        let own = |glide: &Glide| glide.last == (camera.center, camera.zoom);
        let Some(glide) = self.glide.take().filter(own) else {
            return;
        };
        let left = (camera.center - glide.to) * LEFT;
        if self.settings.reduced_motion || left.length() * camera.zoom < THERE {
            camera.center = glide.to;
            return;
        }
        camera.center = glide.to + left;
        self.glide = Some(Glide {
            last: (camera.center, camera.zoom),
            ..glide
        });
    }
}

/// Whether a body can be seen: all of it, or the middle of one that is larger than the part of the view that is free.
fn in_sight(free: Rect, body: Rect) -> bool {
    let is_large = body.width() > free.width() || body.height() > free.height();
    free.contains_rect(body) || (is_large && free.contains(body.center()))
}
