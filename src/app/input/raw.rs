//! What the window system delivers, taken down as it comes.

use super::event::{KeyCode, Modifiers, MouseButton};
use egui_macroquad::macroquad::miniquad::{EventHandler, KeyMods};
use glam::Vec2;

/// One event as the window system delivered it, or as egui is to be told it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RawEvent {
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
pub struct RawEvents(pub Vec<RawEvent>);

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
