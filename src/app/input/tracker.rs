//! From what arrived to what it means: the modifiers of each moment, repeats, releases and drags that nobody saw end.

use super::event::{InputEvent, KeyCode, Modifiers, MouseButton};
use super::raw::RawEvent;
use glam::Vec2;

/// What the window system reports for one notch of the wheel: ±1 on X11, ±120 on Windows, and on macOS ten points,
/// which is also what a plain wheel's notch comes to there.
pub const WHEEL_UNITS_PER_NOTCH: f32 = if cfg!(windows) {
    120.0
} else if cfg!(target_os = "macos") {
    10.0
} else {
    1.0
};

/// An event with the modifiers that hold after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamped {
    /// The event.
    pub event: InputEvent,
    /// The modifiers.
    pub modifiers: Modifiers,
}

/// What is held and where the pointer is, carried from frame to frame.
#[derive(Default)]
pub struct Tracker {
    /// The modifiers that are down.
    pub modifiers: Modifiers,
    /// Where the pointer was last seen.
    pub position: Option<Vec2>,
    /// The buttons that are down.
    pub held_buttons: Vec<MouseButton>,
    /// The keys that are down.
    pub held_keys: Vec<KeyCode>,
}

impl Tracker {
    /// Turns what arrived in one frame into events.
    ///
    /// `is_down_now` says whether the window believes that a button is down after all of `raw`: it tells the entry of
    /// the pointer with a held button, after which the button is down, from its release, after which it is not.
    pub fn translate(
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

/// True for a character that is text: miniquad also reports keys such as Backspace and the arrows as characters,
/// control codes and private ones.
fn is_printable(character: char) -> bool {
    let is_private = matches!(character,
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    !is_private && !character.is_control()
}
