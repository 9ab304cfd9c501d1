//! The way of the camera to what was asked for and is not in the picture.
//!
//! Invariant: whatever else moves the camera meanwhile ends it. Nobody is drawn away from where they have just looked.

use super::{App, View};
use crate::app::camera::Camera;
use egui_macroquad::egui::Rect;
use skirmish::geometry::{Aabb, Vec2};

/// So much of the way is left after a frame: a glide of about a quarter of a second, as the camera's to the character.
const LEFT: f32 = 0.75;
/// What is nearer than this, in points, is there.
const THERE: f32 = 0.5;
/// A camera that is no more than so many times as near is as far away as it is to be.
const SAME: f32 = 1.002;
/// What is brought into the picture is so far from its edges at the least, in points.
const MARGIN: f32 = 16.0;

/// What is said where the camera has let the character go, and nobody has moved it.
pub(super) const CAMERA_FREE: &str = "The camera stands free, to show what was asked for: 'Camera follows' in the left panel lets it go with the character again.";

/// A way that the camera is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide {
    /// Where its middle is to be.
    to: Vec2,
    /// Its zoom there.
    zoom: f32,
    /// Its middle and its zoom after the last frame: where they are others, somebody else has moved it.
    last: (Vec2, f32),
}

impl App {
    /// Brings objects into the picture of the world, with the rectangles in which they are needed and the character: from so far away as all
    /// of that takes, and never nearer than before. The camera stays where it is while objects and character can be seen. A camera that
    /// went with the character lets it go where they are too far from it.
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
        let known = || objects.iter().filter(|it| stream.knows(**it));
        let bodies = known().map(|object| stream.body(*object));
        let Some(body) = bodies.reduce(Aabb::join) else {
            return;
        };
        let is_there = free.contains(camera.to_screen(character));
        if is_there && in_sight(free, camera.rect_to_screen(body)) {
            return;
        }
        let needs = known().map(|object| stream.need_of(*object));
        let all = needs.fold(Aabb::new(character, character), Aabb::join);
        let room = free.size() - 2.0 * egui_macroquad::egui::Vec2::splat(MARGIN);
        let zoom = Camera::zoom_for(all, room).min(camera.zoom);
        let off = screen.center() - free.center();
        if let Some(stream) = &mut self.stream {
            stream.camera_follows = false;
        }
        self.framed = false;
        self.glide = Some(Glide {
            to: all.center() + Vec2::new(off.x, off.y) / zoom,
            zoom,
            last: (self.camera.center, self.camera.zoom),
        });
        if follows {
            self.say(CAMERA_FREE);
        }
    }

    /// The camera has been moved to the right by so many metres, and goes on with its way there: by as many points, which are other metres
    /// at the zoom that it has at the end.
    pub(super) fn shift_glide(&mut self, by: f32) {
        if let Some(glide) = &mut self.glide {
            glide.to.x += by * self.camera.zoom / glide.zoom;
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
        let nearer = (camera.zoom / glide.zoom).powf(LEFT);
        let is_there = left.length() * camera.zoom < THERE && nearer < SAME;
        if self.settings.reduced_motion || is_there {
            (camera.center, camera.zoom) = (glide.to, glide.zoom);
            return;
        }
        (camera.center, camera.zoom) = (glide.to + left, glide.zoom * nearer);
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
