//! When the next frame is drawn: as soon as its time has come while anything moves, and not at all while nothing does.
//!
//! A picture reaches the screen after the wait that follows it, so the window only sleeps when the same picture was drawn at least
//! twice: after whatever may have changed it, so many frames are [owed](OWED).

use super::display::Connection;
use super::processors;
use super::state::{App, RunMode};
use super::wake::{self, Bell};
use egui_macroquad::egui::Context;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// While something is awaited that does not come in every frame, twenty frames a second are enough.
const SLOW_FRAME: Duration = Duration::from_millis(50);
/// While a battle is too heavy for its pace and nobody touches anything, it gets the time that frames would take, where they take
/// any: twenty-two a second show all of its ticks.
const BUSY_FRAME: Duration = Duration::from_millis(45);
/// With so many processors, one that draws is hardly missed by the ticks.
const ENOUGH: usize = 4;
/// So many frames are drawn after whatever may have changed the picture: one for the change, one for what egui lays out by it, one
/// that is like the last.
const OWED: u32 = 3;
/// Longer than this nobody sleeps: a notice that is overdue is a nuisance, and no more.
const LONGEST: Duration = Duration::from_secs(3600);
/// How often it is looked whether the window can be seen, while it is drawn anyway.
const LOOK: Duration = Duration::from_millis(250);

/// What decides it.
pub struct Idle {
    connection: Option<Connection>,
    owed: u32,
    touched: Instant,
    /// When egui wants to draw again by itself, from the end of the frame on.
    wish: Arc<Mutex<Duration>>,
    /// Whether frames take time from the ticks: the processors draw, or are few.
    takes_turns: bool,
    hidden: bool,
    looked: Instant,
    /// Whether the last wait was a sleep, which is no frame's time.
    slept: bool,
}

impl Idle {
    /// Nothing has been drawn yet. `in_software` says whether it will be drawn without a graphics card.
    pub fn new(egui: &Context, in_software: bool) -> Self {
        let wish = Arc::new(Mutex::new(Duration::MAX));
        let told = Arc::clone(&wish);
        let window = std::thread::current().id();
        egui.set_request_repaint_callback(move |info| {
            let mut wish = told.lock().unwrap_or_else(PoisonError::into_inner);
            *wish = (*wish).min(info.delay);
            if std::thread::current().id() != window {
                wake::ring();
            }
        });
        Self {
            connection: Connection::find(),
            owed: OWED,
            touched: Instant::now(),
            wish,
            takes_turns: in_software || processors::count() < ENOUGH,
            hidden: false,
            looked: Instant::now(),
            slept: false,
        }
    }

    /// Somebody touched something.
    pub fn touch(&mut self) {
        self.touched = Instant::now();
        self.owe();
    }

    /// The picture may be another one.
    pub fn owe(&mut self) {
        self.owed = OWED;
    }

    /// Whether nothing of the window can be seen.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Whether the last frame was followed by a sleep: its time says nothing of frames then.
    pub fn has_slept(&self) -> bool {
        self.slept
    }

    /// What egui wants from here on is wanted by the frame that begins.
    pub fn begin(&mut self) {
        *self.wish.lock().unwrap_or_else(PoisonError::into_inner) = Duration::MAX;
    }

    /// Waits until it is time for the next frame, after the last wait had ended at `due`, and gives when this one did. `waits` says
    /// that somebody may be answered by something that does not ring: a dialog that reads a folder.
    pub fn wait(&mut self, app: &App, due: Instant, waits: bool) -> Instant {
        self.slept = false;
        if app.fixed {
            return due;
        }
        if self.looked.elapsed() > LOOK || self.hidden {
            self.look();
        }
        let wish = *self.wish.lock().unwrap_or_else(PoisonError::into_inner);
        let is_led = app.plays_steps() || app.is_dragging() || app.is_gliding();
        let moves = app.mode == RunMode::Running || is_led;
        let is_still = self.is_still(moves, wish);
        if !(is_still || self.hidden) {
            let untouched = self.touched.elapsed() > Duration::from_secs(1);
            let heavy = app.mode == RunMode::Running && untouched && app.is_too_heavy();
            let frame = app.settings.frame_rate.frame();
            let frame = if heavy && self.takes_turns {
                BUSY_FRAME
            } else {
                frame
            };
            std::thread::sleep(frame.saturating_sub(due.elapsed()));
            if let Some(connection) = &mut self.connection {
                connection.learn();
            }
            return Instant::now();
        }
        let awaits = waits || app.busy.is_some() || app.awaits_answer();
        let longest = match awaits && !self.hidden {
            true => SLOW_FRAME,
            false => LONGEST,
        };
        let longest = longest.min(if self.hidden { LONGEST } else { wish });
        self.sleep(longest);
        Instant::now()
    }

    /// Whether the picture that was drawn last is on the screen and stays as it is; to be asked once a frame. What moves owes frames: the
    /// one in which it comes to its end is drawn, but not on the screen yet.
    fn is_still(&mut self, moves: bool, wish: Duration) -> bool {
        if moves {
            self.owe();
            return false;
        }
        let is_still = self.owed == 0 && wish > Duration::ZERO;
        self.owed = self.owed.saturating_sub(1);
        is_still
    }

    /// Sleeps until something comes.
    fn sleep(&mut self, longest: Duration) {
        self.slept = true;
        let Some(connection) = &mut self.connection else {
            std::thread::sleep(longest.min(SLOW_FRAME));
            // Who cannot be woken looks by himself.
            if wake::take_news() {
                self.owe();
            }
            return;
        };
        let has_events = connection.wait(Bell::the(), longest);
        // Not one frame less: what egui wanted to draw later is on the screen after two.
        self.owed = self.owed.max(1);
        if has_events || wake::take_news() {
            self.owe();
        }
        if has_events {
            self.look();
        }
    }

    /// Looks whether the window can be seen.
    fn look(&mut self) {
        self.looked = Instant::now();
        let hidden = self.connection.as_mut().is_some_and(Connection::is_hidden);
        if self.hidden && !hidden {
            self.touch();
        }
        self.hidden = hidden;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_in_which_what_moves_comes_to_its_end_reaches_the_screen() {
        let mut idle = Idle {
            connection: None,
            owed: 0,
            touched: Instant::now(),
            wish: Arc::default(),
            takes_turns: false,
            hidden: false,
            looked: Instant::now(),
            slept: false,
        };
        assert!(idle.is_still(false, LONGEST));
        for _ in 0..10 {
            assert!(!idle.is_still(true, LONGEST));
        }
        // Its last step has been drawn in this frame: the next ones bring it to the screen.
        for _ in 0..OWED {
            assert!(!idle.is_still(false, LONGEST));
        }
        assert!(idle.is_still(false, LONGEST));
        assert!(!idle.is_still(false, Duration::ZERO));
    }
}
