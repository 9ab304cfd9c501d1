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

use std::sync::Arc;

use egui_macroquad::egui;
use egui_macroquad::macroquad::input::is_mouse_button_down;
use egui_macroquad::macroquad::input::utils::{
    register_input_subscriber, repeat_all_miniquad_input,
};
use egui_macroquad::macroquad::miniquad::{EventHandler, KeyMods, window};
use egui_macroquad::macroquad::prelude::get_internal_gl;
pub use egui_macroquad::macroquad::prelude::{KeyCode, MouseButton};
use egui_miniquad::EguiMq;
use glam::Vec2;

/// What the window system reports for one notch of the wheel: ±1 on X11, ±120 on Windows, and on macOS ten points,
/// which is also what a plain wheel's notch comes to there.
const WHEEL_UNITS_PER_NOTCH: f32 = if cfg!(windows) {
    120.0
} else if cfg!(target_os = "macos") {
    10.0
} else {
    1.0
};

/// The modifier keys that were down at an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Control.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt, or Option on macOS.
    pub alt: bool,
    /// The Windows, Super or Command key.
    pub logo: bool,
}

impl Modifiers {
    /// True when the platform's key for shortcuts is down: Command on macOS, Control elsewhere.
    pub fn command(self) -> bool {
        if cfg!(target_os = "macos") {
            self.logo
        } else {
            self.ctrl
        }
    }

    /// True when a character that came with these modifiers is text, not part of a shortcut.
    ///
    /// Windows reports AltGr, which many layouts need for "@" or "[", as Control and Alt together; macOS types with
    /// Option.
    fn types_text(self) -> bool {
        if cfg!(target_os = "macos") {
            !self.ctrl && !self.logo
        } else if cfg!(windows) {
            self.ctrl == self.alt && !self.logo
        } else {
            !self.ctrl && !self.alt && !self.logo
        }
    }

    /// These modifiers with the one that `key` stands for, if it does, set to `down`.
    ///
    /// X11 sends with a key the modifiers from *before* it, so the press of Control itself comes without Control and
    /// its release with it.
    fn with_key(mut self, key: KeyCode, down: bool) -> Self {
        match key {
            KeyCode::LeftControl | KeyCode::RightControl => self.ctrl = down,
            KeyCode::LeftShift | KeyCode::RightShift => self.shift = down,
            KeyCode::LeftAlt | KeyCode::RightAlt => self.alt = down,
            KeyCode::LeftSuper | KeyCode::RightSuper => self.logo = down,
            _ => {}
        }
        self
    }
}

impl From<KeyMods> for Modifiers {
    fn from(modifiers: KeyMods) -> Self {
        Self {
            ctrl: modifiers.ctrl,
            shift: modifiers.shift,
            alt: modifiers.alt,
            logo: modifiers.logo,
        }
    }
}

impl From<Modifiers> for KeyMods {
    fn from(modifiers: Modifiers) -> Self {
        Self {
            ctrl: modifiers.ctrl,
            shift: modifiers.shift,
            alt: modifiers.alt,
            logo: modifiers.logo,
        }
    }
}

/// One thing that the user did. Positions are in physical pixels from the window's top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputEvent {
    /// A key went down, or repeats because it is held.
    KeyDown {
        /// The key, by its place on the layout, whatever the modifiers.
        key: KeyCode,
        /// The modifiers, `key` itself included.
        modifiers: Modifiers,
        /// True for every press but the first while the key stays down.
        repeat: bool,
    },
    /// A key was released.
    KeyUp {
        /// The key.
        key: KeyCode,
    },
    /// A printable character was typed. None comes of a shortcut such as Ctrl+A.
    Text(char),
    /// The pointer moved.
    PointerMoved {
        /// Where it is now; outside the window while a drag leads there.
        position: Vec2,
        /// True during a drag.
        any_button_down: bool,
    },
    /// A button of the pointer was pressed.
    Pressed {
        /// Which.
        button: MouseButton,
        /// Where.
        position: Vec2,
        /// The modifiers at that moment.
        modifiers: Modifiers,
    },
    /// A button that had been reported as pressed was released.
    Released {
        /// Which.
        button: MouseButton,
        /// Where; outside the window when a drag ended there.
        position: Vec2,
    },
    /// The wheel turned.
    Wheel {
        /// +1 is one notch up (y) or to the right (x), on every platform.
        notches: Vec2,
        /// Where the pointer was.
        position: Vec2,
        /// The modifiers at that moment.
        modifiers: Modifiers,
    },
    /// The window lost the keyboard, or it turned out that a button had been released unseen: every drag
    /// ends.
    Cancelled,
}

/// Collects the window's input and runs egui on it.
pub struct Input {
    subscriber: usize,
    egui: EguiMq,
    user_scale: f32,
    tracker: Tracker,
    feed: EguiFeed,
    /// Buffers that are kept between frames: what arrived, what it means, and what egui is told.
    raw: RawEvents,
    stamped: Vec<Stamped>,
    events: Vec<InputEvent>,
    told: Vec<RawEvent>,
}

impl Input {
    /// Connects to the window and starts egui on it. Once, from inside macroquad's main future.
    pub fn install() -> Self {
        // SAFETY: macroquad's context exists, for we are inside its main future and on its thread (it asserts that),
        // and no other reference to it lives as long as this one.
        let gl = unsafe { get_internal_gl() };
        let mut egui = EguiMq::new(gl.quad_context);
        // Control with plus and minus belongs to the program's own key map, and `apply_scale` to the user.
        egui.egui_ctx()
            .options_mut(|options| options.zoom_with_keyboard = false);
        // A scale set before egui has seen the window would give the first frame the wrong size.
        egui.run(gl.quad_context, |_, _| {});
        egui.draw(gl.quad_context);
        egui.egui_ctx()
            .on_begin_pass("pasted text", Arc::new(mark_pasted_text));
        let mut input = Self {
            subscriber: register_input_subscriber(),
            egui,
            user_scale: 1.0,
            tracker: Tracker::default(),
            feed: EguiFeed::default(),
            raw: RawEvents::default(),
            stamped: Vec::new(),
            events: Vec::new(),
            told: Vec::new(),
        };
        input.apply_scale(1.0);
        input
    }

    /// egui's context, for settings outside a frame.
    pub fn context(&self) -> &egui::Context {
        self.egui.egui_ctx()
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
    /// [`ui`](Self::ui).
    pub fn collect(&mut self) -> &[InputEvent] {
        self.raw.0.clear();
        repeat_all_miniquad_input(&mut self.raw, self.subscriber);
        self.stamped.clear();
        self.tracker
            .translate(&self.raw.0, is_mouse_button_down, &mut self.stamped);
        self.events.clear();
        self.events
            .extend(self.stamped.iter().map(|stamped| stamped.event));

        self.told.clear();
        for stamped in &self.stamped {
            self.feed.tell(stamped, &mut self.told);
        }
        self.feed.settle(self.tracker.modifiers, &mut self.told);
        for &event in &self.told {
            tell_egui(&mut self.egui, event);
        }
        &self.events
    }

    /// Runs the interface for this frame. Draw what lies beneath it afterwards, then call [`draw`](Self::draw).
    pub fn ui(&mut self, mut run_ui: impl FnMut(&egui::Context)) {
        // The display's scale may have changed, with the monitor.
        self.apply_scale(self.user_scale);
        // SAFETY: as in `install`; what `run_ui` draws through macroquad is only queued in another part of its
        // context.
        let gl = unsafe { get_internal_gl() };
        self.egui.run(gl.quad_context, |_, context| run_ui(context));
    }

    /// Draws the interface on top of everything drawn so far. Once for each call of [`ui`](Self::ui).
    pub fn draw(&mut self) {
        // SAFETY: as in `install`.
        let mut gl = unsafe { get_internal_gl() };
        // What macroquad has queued lies beneath, so it goes out first.
        gl.flush();
        self.egui.draw(gl.quad_context);
    }
}

/// One event as the window system delivered it, or as egui is to be told it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RawEvent {
    Motion(Vec2),
    /// In the platform's own units when it comes from the window, in notches when it goes to egui.
    Wheel(Vec2),
    ButtonDown(MouseButton, Vec2),
    /// A release, or the pointer's entry into the window: macroquad reports that as the release of the button that is
    /// held (!), or of `Unknown` when none is.
    ButtonUp(MouseButton, Vec2),
    Char(char, Modifiers),
    KeyDown(KeyCode, Modifiers),
    /// `Unknown` tells egui the modifiers and nothing else.
    KeyUp(KeyCode, Modifiers),
    FocusLost,
}

/// Takes down what macroquad repeats for a subscriber.
#[derive(Default)]
struct RawEvents(Vec<RawEvent>);

impl EventHandler for RawEvents {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.0.push(RawEvent::Motion(Vec2::new(x, y)));
    }

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        self.0.push(RawEvent::Wheel(Vec2::new(x, y)));
    }

    fn mouse_button_down_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.0.push(RawEvent::ButtonDown(button, Vec2::new(x, y)));
    }

    fn mouse_button_up_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.0.push(RawEvent::ButtonUp(button, Vec2::new(x, y)));
    }

    fn char_event(&mut self, character: char, modifiers: KeyMods, _repeat: bool) {
        self.0.push(RawEvent::Char(character, modifiers.into()));
    }

    fn key_down_event(&mut self, key: KeyCode, modifiers: KeyMods, _repeat: bool) {
        self.0.push(RawEvent::KeyDown(key, modifiers.into()));
    }

    fn key_up_event(&mut self, key: KeyCode, modifiers: KeyMods) {
        self.0.push(RawEvent::KeyUp(key, modifiers.into()));
    }

    fn window_minimized_event(&mut self) {
        // This is also how miniquad reports the loss of the keyboard's focus.
        self.0.push(RawEvent::FocusLost);
    }
}

/// An event with the modifiers that hold after it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stamped {
    event: InputEvent,
    modifiers: Modifiers,
}

/// What is held and where the pointer is, carried from frame to frame.
#[derive(Default)]
struct Tracker {
    modifiers: Modifiers,
    position: Option<Vec2>,
    held_buttons: Vec<MouseButton>,
    held_keys: Vec<KeyCode>,
}

impl Tracker {
    /// Turns what arrived in one frame into events.
    ///
    /// `is_down_now` says whether the window believes that a button is down after all of `raw`: it tells the entry of
    /// the pointer with a held button, after which the button is down, from its release, after which it is not.
    fn translate(
        &mut self,
        raw: &[RawEvent],
        is_down_now: impl Fn(MouseButton) -> bool,
        out: &mut Vec<Stamped>,
    ) {
        for (index, &event) in raw.iter().enumerate() {
            match event {
                RawEvent::Motion(position) => self.moved(position, out),
                RawEvent::Wheel(units) => {
                    let event = InputEvent::Wheel {
                        notches: units / WHEEL_UNITS_PER_NOTCH,
                        position: self.position.unwrap_or_default(),
                        modifiers: self.modifiers,
                    };
                    self.emit(event, out);
                }
                RawEvent::ButtonDown(button, position) => {
                    if self.held_buttons.contains(&button) {
                        // Its release went unseen, and whatever it dragged must not go on with this press.
                        self.cancel_pointer(out);
                    }
                    self.position = Some(position);
                    self.held_buttons.push(button);
                    let event = InputEvent::Pressed {
                        button,
                        position,
                        modifiers: self.modifiers,
                    };
                    self.emit(event, out);
                }
                RawEvent::ButtonUp(MouseButton::Unknown, position) => {
                    // The pointer has come back with no button down.
                    if !self.held_buttons.is_empty() {
                        self.cancel_pointer(out);
                    }
                    self.moved(position, out);
                }
                RawEvent::ButtonUp(button, position) => {
                    let is_entry = is_down_now(button)
                        && !raw[index + 1..].iter().any(
                            |later| matches!(later, RawEvent::ButtonDown(pressed, _) if *pressed == button),
                        );
                    if is_entry {
                        self.moved(position, out);
                    } else if let Some(held) =
                        self.held_buttons.iter().position(|held| *held == button)
                    {
                        self.position = Some(position);
                        self.held_buttons.remove(held);
                        self.emit(InputEvent::Released { button, position }, out);
                    }
                }
                RawEvent::Char(character, modifiers) => {
                    if modifiers.types_text() && is_printable(character) {
                        self.emit(InputEvent::Text(character), out);
                    }
                }
                RawEvent::KeyDown(KeyCode::Unknown, _) | RawEvent::KeyUp(KeyCode::Unknown, _) => {}
                RawEvent::KeyDown(key, modifiers) => {
                    self.modifiers = modifiers.with_key(key, true);
                    // The window's own flag is wrong for a key that was released while another window had the focus.
                    let repeat = self.held_keys.contains(&key);
                    if !repeat {
                        self.held_keys.push(key);
                    }
                    let event = InputEvent::KeyDown {
                        key,
                        modifiers: self.modifiers,
                        repeat,
                    };
                    self.emit(event, out);
                    if key == KeyCode::V && self.modifiers.command() {
                        // While the clipboard is fetched X11's other events are thrown away, the release of this key
                        // perhaps among them.
                        self.held_keys.retain(|held| *held != key);
                    }
                }
                RawEvent::KeyUp(key, modifiers) => {
                    self.modifiers = modifiers.with_key(key, false);
                    self.held_keys.retain(|held| *held != key);
                    self.emit(InputEvent::KeyUp { key }, out);
                }
                RawEvent::FocusLost => {
                    self.modifiers = Modifiers::default();
                    self.held_keys.clear();
                    self.cancel_pointer(out);
                }
            }
        }
    }

    fn emit(&self, event: InputEvent, out: &mut Vec<Stamped>) {
        out.push(Stamped {
            event,
            modifiers: self.modifiers,
        });
    }

    fn moved(&mut self, position: Vec2, out: &mut Vec<Stamped>) {
        self.position = Some(position);
        let event = InputEvent::PointerMoved {
            position,
            any_button_down: !self.held_buttons.is_empty(),
        };
        self.emit(event, out);
    }

    fn cancel_pointer(&mut self, out: &mut Vec<Stamped>) {
        self.held_buttons.clear();
        self.emit(InputEvent::Cancelled, out);
    }
}

/// Works out what egui is told of the events, and keeps what it believes to be held, so that a cancelled drag ends
/// for it as well.
#[derive(Default)]
struct EguiFeed {
    modifiers: Modifiers,
    position: Vec2,
    held_buttons: Vec<MouseButton>,
    held_keys: Vec<KeyCode>,
}

impl EguiFeed {
    /// Appends what egui is told of one event.
    fn tell(&mut self, stamped: &Stamped, out: &mut Vec<RawEvent>) {
        let modifiers = stamped.modifiers;
        match stamped.event {
            InputEvent::KeyDown { key, .. } => {
                let key = egui_key(key);
                self.modifiers = modifiers;
                if !self.held_keys.contains(&key) {
                    self.held_keys.push(key);
                }
                out.push(RawEvent::KeyDown(key, modifiers));
            }
            InputEvent::KeyUp { key } => {
                let key = egui_key(key);
                self.modifiers = modifiers;
                self.held_keys.retain(|held| *held != key);
                out.push(RawEvent::KeyUp(key, modifiers));
            }
            InputEvent::Text(character) => {
                // That it is text has been decided; egui would refuse what AltGr types on Windows.
                self.settle(Modifiers::default(), out);
                out.push(RawEvent::Char(character, Modifiers::default()));
            }
            InputEvent::PointerMoved { position, .. } => {
                self.position = position;
                out.push(RawEvent::Motion(position));
            }
            InputEvent::Pressed {
                button, position, ..
            } => {
                self.settle(modifiers, out);
                self.position = position;
                self.held_buttons.push(button);
                out.push(RawEvent::ButtonDown(button, position));
            }
            InputEvent::Released { button, position } => {
                self.settle(modifiers, out);
                self.position = position;
                self.held_buttons.retain(|held| *held != button);
                out.push(RawEvent::ButtonUp(button, position));
            }
            InputEvent::Wheel { notches, .. } => {
                self.settle(modifiers, out);
                out.push(RawEvent::Wheel(notches));
            }
            InputEvent::Cancelled => {
                self.settle(modifiers, out);
                for button in self.held_buttons.drain(..) {
                    out.push(RawEvent::ButtonUp(button, self.position));
                }
                for key in self.held_keys.drain(..) {
                    out.push(RawEvent::KeyUp(key, modifiers));
                }
            }
        }
    }

    /// Tells egui the modifiers, if it believes in others: it learns them from keys alone.
    fn settle(&mut self, modifiers: Modifiers, out: &mut Vec<RawEvent>) {
        if self.modifiers != modifiers {
            self.modifiers = modifiers;
            out.push(RawEvent::KeyUp(KeyCode::Unknown, modifiers));
        }
    }
}

/// The key that egui's backend knows for one that it does not.
fn egui_key(key: KeyCode) -> KeyCode {
    match key {
        KeyCode::KpEnter => KeyCode::Enter,
        KeyCode::KpSubtract => KeyCode::Minus,
        KeyCode::KpEqual => KeyCode::Equal,
        other => other,
    }
}

/// Hands one event to egui's backend, which does not implement miniquad's trait but has its methods.
fn tell_egui(egui: &mut EguiMq, event: RawEvent) {
    match event {
        RawEvent::Motion(position) => egui.mouse_motion_event(position.x, position.y),
        RawEvent::Wheel(notches) => egui.mouse_wheel_event(notches.x, notches.y),
        RawEvent::ButtonDown(button, position) => {
            egui.mouse_button_down_event(button, position.x, position.y);
        }
        RawEvent::ButtonUp(button, position) => {
            egui.mouse_button_up_event(button, position.x, position.y);
        }
        RawEvent::Char(character, _) => egui.char_event(character),
        RawEvent::KeyDown(key, modifiers) => egui.key_down_event(key, modifiers.into()),
        RawEvent::KeyUp(key, modifiers) => egui.key_up_event(key, modifiers.into()),
        RawEvent::FocusLost => {}
    }
}

/// True for a character that is text: miniquad also reports keys such as Backspace and the arrows as characters,
/// control codes and private ones.
fn is_printable(character: char) -> bool {
    let is_private = matches!(character,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    !is_private && !character.is_control()
}

/// At the start of a pass, turns the text that egui's backend took from the clipboard into a paste.
///
/// The backend reports it as typed text, line breaks and all. Typed text comes in single characters, so whatever is
/// longer was pasted.
fn mark_pasted_text(context: &egui::Context) {
    context.input_mut(|input| {
        for event in &mut input.events {
            if let egui::Event::Text(text) = event
                && text.chars().nth(1).is_some()
            {
                *event = egui::Event::Paste(pasted_text(text).to_owned());
            }
        }
    });
}

/// The text to paste: a single line that was copied with its line break loses it.
fn pasted_text(text: &str) -> &str {
    let line = text.trim_end_matches(['\r', '\n']);
    if line.contains('\n') { text } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Modifiers = Modifiers {
        ctrl: false,
        shift: false,
        alt: false,
        logo: false,
    };
    const CTRL: Modifiers = Modifiers { ctrl: true, ..NONE };
    const SHIFT: Modifiers = Modifiers {
        shift: true,
        ..NONE
    };

    const HERE: Vec2 = Vec2::new(10.0, 20.0);
    const THERE: Vec2 = Vec2::new(30.0, 40.0);
    const OUTSIDE: Vec2 = Vec2::new(-5.0, 40.0);

    fn translate(tracker: &mut Tracker, raw: &[RawEvent]) -> Vec<InputEvent> {
        translate_while_down(tracker, raw, &[])
    }

    fn translate_while_down(
        tracker: &mut Tracker,
        raw: &[RawEvent],
        down: &[MouseButton],
    ) -> Vec<InputEvent> {
        let mut out = Vec::new();
        tracker.translate(raw, |button| down.contains(&button), &mut out);
        out.into_iter().map(|stamped| stamped.event).collect()
    }

    /// What egui is told when all of `raw` arrives in one frame.
    fn told(raw: &[RawEvent]) -> Vec<RawEvent> {
        let mut tracker = Tracker::default();
        let mut feed = EguiFeed::default();
        let mut stamped = Vec::new();
        tracker.translate(raw, |_| false, &mut stamped);
        let mut out = Vec::new();
        for event in &stamped {
            feed.tell(event, &mut out);
        }
        feed.settle(tracker.modifiers, &mut out);
        out
    }

    #[test]
    fn a_press_and_release_within_one_frame_are_both_seen() {
        let events = translate(
            &mut Tracker::default(),
            &[
                RawEvent::ButtonDown(MouseButton::Left, HERE),
                RawEvent::ButtonUp(MouseButton::Left, THERE),
            ],
        );
        assert_eq!(
            events,
            [
                InputEvent::Pressed {
                    button: MouseButton::Left,
                    position: HERE,
                    modifiers: NONE
                },
                InputEvent::Released {
                    button: MouseButton::Left,
                    position: THERE
                },
            ]
        );
    }

    /// Ctrl+A as X11 sends it: the modifiers from before each key, and the character before its key.
    const CTRL_A: [RawEvent; 5] = [
        RawEvent::KeyDown(KeyCode::LeftControl, NONE),
        RawEvent::Char('a', CTRL),
        RawEvent::KeyDown(KeyCode::A, CTRL),
        RawEvent::KeyUp(KeyCode::A, CTRL),
        RawEvent::KeyUp(KeyCode::LeftControl, CTRL),
    ];

    #[test]
    fn a_whole_control_chord_within_one_frame_is_a_chord_and_types_nothing() {
        let mut tracker = Tracker::default();
        let events = translate(&mut tracker, &CTRL_A);
        assert_eq!(
            events,
            [
                InputEvent::KeyDown {
                    key: KeyCode::LeftControl,
                    modifiers: CTRL,
                    repeat: false
                },
                InputEvent::KeyDown {
                    key: KeyCode::A,
                    modifiers: CTRL,
                    repeat: false
                },
                InputEvent::KeyUp { key: KeyCode::A },
                InputEvent::KeyUp {
                    key: KeyCode::LeftControl
                },
            ]
        );
        assert_eq!(tracker.modifiers, NONE);
    }

    #[test]
    fn egui_is_told_a_chord_without_its_character_and_that_control_was_released() {
        assert_eq!(
            told(&CTRL_A),
            [
                RawEvent::KeyDown(KeyCode::LeftControl, CTRL),
                RawEvent::KeyDown(KeyCode::A, CTRL),
                RawEvent::KeyUp(KeyCode::A, CTRL),
                RawEvent::KeyUp(KeyCode::LeftControl, NONE),
            ]
        );
    }

    #[test]
    fn pointer_and_wheel_carry_the_modifiers_of_their_moment() {
        let events = translate(
            &mut Tracker::default(),
            &[
                RawEvent::Motion(HERE),
                RawEvent::KeyDown(KeyCode::LeftShift, NONE),
                RawEvent::ButtonDown(MouseButton::Left, HERE),
                RawEvent::ButtonUp(MouseButton::Left, HERE),
                RawEvent::KeyUp(KeyCode::LeftShift, SHIFT),
                RawEvent::Wheel(Vec2::new(0.0, -2.0 * WHEEL_UNITS_PER_NOTCH)),
            ],
        );
        assert!(matches!(
            events[2],
            InputEvent::Pressed {
                modifiers: SHIFT,
                ..
            }
        ));
        assert_eq!(
            events[5],
            InputEvent::Wheel {
                notches: Vec2::new(0.0, -2.0),
                position: HERE,
                modifiers: NONE
            }
        );
    }

    #[test]
    fn egui_learns_the_modifiers_of_a_click_whose_keys_it_never_saw() {
        let mut tracker = Tracker {
            modifiers: SHIFT,
            ..Tracker::default()
        };
        let mut stamped = Vec::new();
        tracker.translate(
            &[RawEvent::ButtonDown(MouseButton::Left, HERE)],
            |_| true,
            &mut stamped,
        );
        let mut out = Vec::new();
        EguiFeed::default().tell(&stamped[0], &mut out);
        assert_eq!(
            out,
            [
                RawEvent::KeyUp(KeyCode::Unknown, SHIFT),
                RawEvent::ButtonDown(MouseButton::Left, HERE)
            ]
        );
    }

    #[test]
    fn entering_the_window_is_a_move_and_no_release() {
        let raw = [RawEvent::ButtonUp(MouseButton::Unknown, HERE)];
        assert_eq!(
            translate(&mut Tracker::default(), &raw),
            [InputEvent::PointerMoved {
                position: HERE,
                any_button_down: false
            }]
        );
        assert_eq!(told(&raw), [RawEvent::Motion(HERE)]);
    }

    #[test]
    fn a_drag_that_leaves_and_comes_back_goes_on() {
        let mut tracker = Tracker::default();
        let left = [MouseButton::Left];
        translate_while_down(
            &mut tracker,
            &[
                RawEvent::ButtonDown(MouseButton::Left, HERE),
                RawEvent::Motion(OUTSIDE),
            ],
            &[],
        );
        let events = translate_while_down(
            &mut tracker,
            &[RawEvent::ButtonUp(MouseButton::Left, THERE)],
            &left,
        );
        assert_eq!(
            events,
            [InputEvent::PointerMoved {
                position: THERE,
                any_button_down: true
            }]
        );
        let events = translate(&mut tracker, &[RawEvent::ButtonUp(MouseButton::Left, HERE)]);
        assert_eq!(
            events,
            [InputEvent::Released {
                button: MouseButton::Left,
                position: HERE
            }]
        );
    }

    #[test]
    fn a_release_before_a_new_press_in_the_same_frame_is_a_release() {
        let mut tracker = Tracker::default();
        let left = [MouseButton::Left];
        translate_while_down(
            &mut tracker,
            &[RawEvent::ButtonDown(MouseButton::Left, HERE)],
            &left,
        );
        let events = translate_while_down(
            &mut tracker,
            &[
                RawEvent::ButtonUp(MouseButton::Left, HERE),
                RawEvent::ButtonDown(MouseButton::Left, THERE),
            ],
            &left,
        );
        assert!(matches!(
            events[..],
            [InputEvent::Released { .. }, InputEvent::Pressed { .. }]
        ));
    }

    #[test]
    fn a_drag_released_outside_unseen_is_cancelled_on_return() {
        let mut tracker = Tracker::default();
        let raw = [
            RawEvent::ButtonDown(MouseButton::Left, HERE),
            RawEvent::ButtonUp(MouseButton::Unknown, THERE),
        ];
        assert_eq!(
            translate(&mut tracker, &raw)[1..],
            [
                InputEvent::Cancelled,
                InputEvent::PointerMoved {
                    position: THERE,
                    any_button_down: false
                }
            ]
        );
        assert_eq!(
            told(&raw)[1..],
            [
                RawEvent::ButtonUp(MouseButton::Left, HERE),
                RawEvent::Motion(THERE)
            ]
        );
    }

    #[test]
    fn a_second_press_without_a_release_cancels_what_the_first_began() {
        let down = RawEvent::ButtonDown(MouseButton::Left, HERE);
        let events =
            translate_while_down(&mut Tracker::default(), &[down, down], &[MouseButton::Left]);
        assert!(matches!(
            events[..],
            [
                InputEvent::Pressed { .. },
                InputEvent::Cancelled,
                InputEvent::Pressed { .. }
            ]
        ));
    }

    #[test]
    fn a_release_without_a_press_is_dropped() {
        let raw = [RawEvent::ButtonUp(MouseButton::Left, HERE)];
        assert_eq!(translate(&mut Tracker::default(), &raw), []);
    }

    #[test]
    fn losing_the_focus_releases_everything() {
        let mut tracker = Tracker::default();
        let events = translate(
            &mut tracker,
            &[
                RawEvent::KeyDown(KeyCode::LeftAlt, NONE),
                RawEvent::KeyDown(KeyCode::Tab, NONE),
                RawEvent::ButtonDown(MouseButton::Left, HERE),
                RawEvent::FocusLost,
                RawEvent::KeyDown(KeyCode::Tab, NONE),
            ],
        );
        assert_eq!(events[3], InputEvent::Cancelled);
        assert_eq!(
            events[4],
            InputEvent::KeyDown {
                key: KeyCode::Tab,
                modifiers: NONE,
                repeat: false
            }
        );
        assert_eq!(tracker.held_buttons, []);
    }

    #[test]
    fn egui_sees_every_key_and_button_released_when_the_focus_is_lost() {
        let told = told(&[
            RawEvent::KeyDown(KeyCode::LeftControl, NONE),
            RawEvent::ButtonDown(MouseButton::Left, HERE),
            RawEvent::FocusLost,
        ]);
        assert_eq!(
            told[2..],
            [
                RawEvent::KeyUp(KeyCode::Unknown, NONE),
                RawEvent::ButtonUp(MouseButton::Left, HERE),
                RawEvent::KeyUp(KeyCode::LeftControl, NONE),
            ]
        );
    }

    #[test]
    fn a_held_key_repeats_until_it_is_released() {
        let down = RawEvent::KeyDown(KeyCode::Period, NONE);
        let events = translate(
            &mut Tracker::default(),
            &[down, down, RawEvent::KeyUp(KeyCode::Period, NONE), down],
        );
        let repeats: Vec<bool> = events
            .iter()
            .filter_map(|event| match event {
                InputEvent::KeyDown { repeat, .. } => Some(*repeat),
                _ => None,
            })
            .collect();
        assert_eq!(repeats, [false, true, false]);
    }

    #[test]
    fn control_codes_and_private_characters_are_no_text() {
        let raw: Vec<RawEvent> = ['\r', '\t', '\u{8}', '\u{7f}', '\u{f700}', 'é', ' ']
            .into_iter()
            .map(|character| RawEvent::Char(character, NONE))
            .collect();
        assert_eq!(
            translate(&mut Tracker::default(), &raw),
            [InputEvent::Text('é'), InputEvent::Text(' ')]
        );
    }

    #[test]
    fn the_keypad_serves_egui_as_the_main_keys_do() {
        assert_eq!(
            told(&[RawEvent::KeyDown(KeyCode::KpEnter, NONE)]),
            [RawEvent::KeyDown(KeyCode::Enter, NONE)]
        );
    }

    #[test]
    fn a_pasted_single_line_loses_its_line_break() {
        assert_eq!(pasted_text("12.5\n"), "12.5");
        assert_eq!(pasted_text("12.5\r\n"), "12.5");
        assert_eq!(pasted_text("a\nb\n"), "a\nb\n");
    }

    #[test]
    fn clipboard_text_reaches_egui_as_a_paste_and_typed_text_as_text() {
        let context = egui::Context::default();
        context.on_begin_pass("pasted text", Arc::new(mark_pasted_text));
        let input = egui::RawInput {
            events: vec![
                egui::Event::Text("é".into()),
                egui::Event::Text("two words\n".into()),
            ],
            ..Default::default()
        };
        let mut seen = Vec::new();
        let _ = context.run(input, |context| {
            seen = context.input(|input| input.events.clone());
        });
        assert_eq!(
            seen,
            [
                egui::Event::Text("é".into()),
                egui::Event::Paste("two words".into())
            ]
        );
    }
}
