//! What the user did, as the world and the panels are told it.

use egui_macroquad::macroquad::miniquad::KeyMods;
pub use egui_macroquad::macroquad::prelude::{KeyCode, MouseButton};
use glam::Vec2;

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
    pub fn types_text(self) -> bool {
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
    pub fn with_key(mut self, key: KeyCode, down: bool) -> Self {
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
