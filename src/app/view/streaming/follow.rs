//! The camera that goes with the character.

use crate::app::state::App;
use skirmish::geometry::Vec2;

/// So much of the way to the character is left after a frame: a glide of about a quarter of a second.
const LEFT: f32 = 0.75;
/// What is nearer than this, in points, is there.
const THERE: f32 = 0.5;

/// How the camera goes with the character.
///
/// Invariant: while a hand holds the character the picture stands. A hand that leads the character over a picture which goes with
/// it would lead it on and on, ever faster, to the end of the world.
#[derive(Debug, Default)]
pub struct Follow {
    /// From the character to the middle of the view, in metres: what a hand has left between them.
    behind: Vec2,
}

impl Follow {
    /// Goes with the character for a frame, where the camera is to follow. `held` says whether a hand holds it.
    pub fn go(&mut self, app: &mut App, held: bool) {
        let Some(stream) = app.stream.as_ref().filter(|stream| stream.camera_follows) else {
            self.behind = Vec2::ZERO;
            return;
        };
        app.framed = false;
        // In the middle of what open drawers leave.
        let character = stream.character() + Vec2::new(app.aside(), 0.0);
        if held {
            self.behind = app.camera.center - character;
            return;
        }
        self.behind *= LEFT;
        if app.settings.reduced_motion || self.behind.length() * app.camera.zoom < THERE {
            self.behind = Vec2::ZERO;
        }
        app.camera.center = character + self.behind;
    }
}
