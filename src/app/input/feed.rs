//! What egui is told.

use super::event::{InputEvent, KeyCode, Modifiers, MouseButton};
use super::raw::RawEvent;
use super::tracker::Stamped;
use glam::Vec2;

/// Works out what egui is told of the events, and keeps what it believes to be held, so that a cancelled drag ends
/// for it as well.
#[derive(Default)]
pub struct EguiFeed {
    modifiers: Modifiers,
    position: Vec2,
    held_buttons: Vec<MouseButton>,
    held_keys: Vec<KeyCode>,
}

impl EguiFeed {
    /// Appends what egui is told of one event.
    pub fn tell(&mut self, stamped: &Stamped, out: &mut Vec<RawEvent>) {
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
    pub fn settle(&mut self, modifiers: Modifiers, out: &mut Vec<RawEvent>) {
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
