//! The window's raw input: one ordered stream of events a frame, for the battlefield and for egui alike.
//!
//! Polling (`is_key_pressed`, `mouse_wheel`) sees the state at the end of a frame, so a press and release within one
//! slow frame, a second notch of the wheel or a whole Ctrl chord is lost or misread. Here every event that arrived is
//! kept, in order, each with the modifiers that it came with.
//!
//! Invariant: egui and the world read the same stream. egui's backend for macroquad takes the window's events as they
//! are and so inherits their faults: it types "a" on Ctrl+A, scrolls less than half a point a notch on X11, zooms
//! instead of scrolling once Ctrl has been released, and ends a drag when the pointer comes back into the window.
//! [`Input`] therefore owns egui's connection to the window itself, and tells it what this file has put right.

#[cfg(feature = "accessibility")]
mod access;
mod backend;
mod event;
mod feed;
mod keys;
mod painter;
mod paste;
mod raw;
mod shield;
#[cfg(test)]
mod tests;
mod tracker;

pub use event::{InputEvent, Modifiers};
#[cfg(test)]
pub use keys::egui_key_of;

use super::commands::{self, Command};
use super::gl::Gl;
use super::widgets::{begins_number, focused_text, value_awaits_keys};
use backend::Backend;
use egui_macroquad::egui;
use egui_macroquad::macroquad::input::is_mouse_button_down;
use egui_macroquad::macroquad::input::utils::{
    register_input_subscriber, repeat_all_miniquad_input,
};
use egui_macroquad::macroquad::miniquad::window;
use event::{KeyCode, MouseButton};
use feed::EguiFeed;
use raw::{RawEvent, RawEvents};
use tracker::{Stamped, Tracker};

/// Collects the window's input and runs egui on it.
pub struct Input {
    subscriber: usize,
    egui: Backend,
    user_scale: f32,
    tracker: Tracker,
    feed: EguiFeed,
    /// What arrived and is to be told, in this frame or in one of the next.
    raw: RawEvents,
    /// Buffers that are kept between frames: what is told in this one, what it means, and what egui hears of it.
    now: Vec<RawEvent>,
    stamped: Vec<Stamped>,
    events: Vec<InputEvent>,
    told: Vec<RawEvent>,
}

impl Input {
    /// Connects to the window and starts egui on it. Once, from inside macroquad's main future.
    /// An error is what the graphics driver says of the shader.
    pub fn install(gl: &mut Gl) -> Result<Self, String> {
        let mut egui = Backend::new(gl.backend())?;
        // Control with plus and minus belongs to the program's own key map, and `apply_scale` to the user.
        egui.context()
            .options_mut(|options| options.zoom_with_keyboard = false);
        // A scale set before egui has seen the window would give the first frame the wrong size.
        egui.run(|_| {});
        egui.draw(gl.backend());
        let mut input = Self {
            subscriber: register_input_subscriber(),
            egui,
            user_scale: 1.0,
            tracker: Tracker::default(),
            feed: EguiFeed::default(),
            raw: RawEvents::default(),
            now: Vec::new(),
            stamped: Vec::new(),
            events: Vec::new(),
            told: Vec::new(),
        };
        input.apply_scale(1.0);
        Ok(input)
    }

    /// egui's context, for settings outside a frame.
    pub fn context(&self) -> &egui::Context {
        self.egui.context()
    }

    /// Sets the size of everything that egui draws: the display's scale times `user_scale`.
    ///
    /// egui's backend tells it the display's scale only when that changes, so without this the interface is half as
    /// large as it should be on a display of scale 2.
    pub fn apply_scale(&mut self, user_scale: f32) {
        self.user_scale = user_scale;
        self.context()
            .set_pixels_per_point(window::dpi_scale() * user_scale);
    }

    /// Collects what arrived since the last call, in order, for the caller and for egui. Once a frame, before
    /// [`ui`](Self::ui). Beside an open menu a press is for closing it.
    pub fn collect(&mut self, menu_open: bool) -> &[InputEvent] {
        self.egui.set_menu_open(menu_open);
        repeat_all_miniquad_input(&mut self.raw, self.subscriber);
        leave_out_repeated_tabs(&mut self.raw.0);
        self.now.clear();
        // What is typed on a value that only stands opens its field.
        let opens = value_awaits_keys(self.context());
        let is_open = focused_text(self.context());
        let count = told_at_once(&self.raw.0, opens, is_open);
        self.now.extend(self.raw.0.drain(..count));
        if !self.raw.0.is_empty() {
            self.context().request_repaint();
        }
        if let Some(is_focused) = focus_told(&self.now) {
            self.egui.set_focused(is_focused);
        }
        self.stamped.clear();
        // What is told later has arrived already, and whether a button is down is known after all of it.
        let waiting = &self.raw.0;
        let is_down_now = |button| {
            let is_it =
                |event: &RawEvent| matches!(event, RawEvent::ButtonDown(it, _) if *it == button);
            is_mouse_button_down(button) && !waiting.iter().any(is_it)
        };
        self.tracker
            .translate(&self.now, is_down_now, &mut self.stamped);
        self.events.clear();
        self.events
            .extend(self.stamped.iter().map(|stamped| stamped.event));

        self.told.clear();
        for stamped in &self.stamped {
            self.feed.tell(stamped, &mut self.told);
        }
        self.feed.settle(self.tracker.modifiers, &mut self.told);
        for &event in &self.told {
            self.egui.tell(event);
        }
        &self.events
    }

    /// Runs the interface for this frame. Draw what lies beneath it afterwards, then call [`draw`](Self::draw).
    pub fn ui(&mut self, run_ui: impl FnMut(&egui::Context)) {
        // The display's scale may have changed, with the monitor.
        self.apply_scale(self.user_scale);
        self.egui.run(run_ui);
    }

    /// Draws the interface on top of everything drawn so far. Once for each call of [`ui`](Self::ui).
    pub fn draw(&mut self, gl: &mut Gl) {
        // What macroquad has queued lies beneath, so it goes out first.
        gl.flush();
        self.egui.draw(gl.backend());
    }
}

/// Whether an event is Tab.
fn is_tab(event: &RawEvent) -> bool {
    matches!(event, RawEvent::KeyDown(KeyCode::Tab, _))
}

/// How many of some events are told in one frame. Tab gives the keyboard to another field before egui hears anything else of its frame: what
/// is typed or clicked before it, and whatever comes behind it, has a frame of its own, or it would be lost where frames are slow. So has what
/// is typed behind a click, which may have opened a field, behind the key of a page that has one, and behind the first character that opens
/// one, where such a key `opens` one. Where a field `is_open` already, what is typed goes there.
fn told_at_once(events: &[RawEvent], opens: bool, is_open: bool) -> usize {
    [up_to_tab(events), up_to_field(events, opens, is_open)]
        .into_iter()
        .fold(events.len(), usize::min)
}

/// How many are told before a field has the keyboard which a click, a command or a first character opens; all where nothing is typed behind
/// that.
fn up_to_field(events: &[RawEvent], opens: bool, is_open: bool) -> usize {
    let is_typed = |event: &RawEvent| match event {
        RawEvent::Char(_, modifiers) => modifiers.types_text(),
        RawEvent::KeyDown(key, _) => !is_modifier(*key),
        _ => false,
    };
    // A field that is open has the plain keys until one of these may have closed it.
    let closes = |event: &RawEvent| match event {
        RawEvent::KeyDown(key, _) => {
            matches!(key, KeyCode::Enter | KeyCode::KpEnter | KeyCode::Escape)
        }
        RawEvent::ButtonDown(..) => true,
        _ => false,
    };
    let closed_at = match is_open {
        true => events.iter().position(closes).unwrap_or(events.len()),
        false => 0,
    };
    let does_open = |at: usize| match &events[at] {
        RawEvent::ButtonUp(button, _) => *button == MouseButton::Left,
        RawEvent::KeyDown(_, modifiers) if at < closed_at && !modifiers.command() => false,
        RawEvent::KeyDown(key, modifiers) => {
            let command = commands::of_key(*key, modifiers.command(), modifiers.shift);
            command.is_some_and(Command::opens_field)
        }
        RawEvent::Char(character, modifiers) => {
            opens && modifiers.types_text() && begins_number(*character)
        }
        _ => false,
    };
    // A key that is held repeats, and each time would have a frame of its own. None of these writes a character.
    let repeats = |event: &RawEvent, first: &RawEvent| match (event, first) {
        (RawEvent::KeyDown(key, _), RawEvent::KeyDown(other, _)) => key == other,
        _ => false,
    };
    let opener = (0..events.len()).find(|&at| {
        let mut behind = events[at + 1..].iter();
        does_open(at) && behind.any(|it| is_typed(it) && !repeats(it, &events[at]))
    });
    opener.map_or(events.len(), |at| at + 1)
}

/// How many are told before Tab is, or with it.
fn up_to_tab(events: &[RawEvent]) -> usize {
    // Tab itself is told as a character as well, before the key, and a modifier does nothing alone.
    let is_done = |event: &RawEvent| match event {
        RawEvent::Char(character, _) => !character.is_control(),
        RawEvent::KeyDown(key, _) => !is_modifier(*key),
        RawEvent::ButtonDown(..) | RawEvent::ButtonUp(..) => true,
        _ => false,
    };
    match events.iter().position(is_tab) {
        None => events.len(),
        Some(tab) if events[..tab].iter().any(is_done) => tab,
        Some(tab) => tab + 1,
    }
}

/// Of a Tab that is held the repetitions that have not been told are one: they come faster than slow frames, and would be told for seconds
/// after it was released.
fn leave_out_repeated_tabs(events: &mut Vec<RawEvent>) {
    let mut is_held = false;
    events.retain(|event| {
        let repeats = is_tab(event) && is_held;
        match event {
            RawEvent::KeyDown(key, _) => is_held = *key == KeyCode::Tab,
            RawEvent::KeyUp(KeyCode::Tab, _) => is_held = false,
            RawEvent::Char(character, _) => is_held &= character.is_control(),
            _ => {}
        }
        !repeats
    });
}

fn is_modifier(key: KeyCode) -> bool {
    matches!(
        key,
        KeyCode::LeftShift
            | KeyCode::RightShift
            | KeyCode::LeftControl
            | KeyCode::RightControl
            | KeyCode::LeftAlt
            | KeyCode::RightAlt
            | KeyCode::LeftSuper
            | KeyCode::RightSuper
    )
}

/// Whether what has arrived says that the window has, or has lost, the keyboard: a key is only told to who has it.
fn focus_told(raw: &[RawEvent]) -> Option<bool> {
    raw.iter().rev().find_map(|event| match event {
        RawEvent::FocusLost => Some(false),
        RawEvent::KeyDown(..) => Some(true),
        _ => None,
    })
}
