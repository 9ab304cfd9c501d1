//! Where units stand on the screen: words about them keep off them where they can.

use super::look::Look;
use egui_macroquad::egui::{Pos2, Rect};

/// So many are looked at: of more every second, third … one tells where the crowd is as well.
const SAMPLE: usize = 2048;

/// Some of the units in view, where they are drawn.
pub struct Crowd(Vec<Pos2>);

impl Crowd {
    /// Of those whom a look shows.
    pub fn of(look: &Look<'_>) -> Self {
        let bodies = look.battle.bodies();
        let every = bodies.slot_count().div_ceil(SAMPLE).max(1);
        let places = look.battle.positions().iter().enumerate().step_by(every);
        let standing = places.filter(|(unit, _)| bodies.is_alive(*unit as u32));
        let drawn = standing.map(|(_, at)| look.camera.to_screen(*at));
        let screen = look.camera.screen;
        Self(drawn.filter(|at| screen.contains(*at)).collect())
    }

    /// How many of them stand in a rectangle.
    pub fn within(&self, rect: Rect) -> usize {
        self.0.iter().filter(|at| rect.contains(**at)).count()
    }
}
