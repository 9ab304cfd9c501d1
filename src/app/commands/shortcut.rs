//! Keys with their modifiers, and what menus call them.

use egui_macroquad::macroquad::miniquad::KeyCode;

/// A key with the modifiers that must be down; the others must be up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// The key.
    pub key: KeyCode,
    /// Whether Ctrl (or the logo key) is down.
    pub ctrl: bool,
    /// Whether Shift is down; `None` where it does not matter.
    pub shift: Option<bool>,
}

/// The key alone.
pub const fn plain(key: KeyCode) -> Shortcut {
    Shortcut {
        key,
        ctrl: false,
        shift: Some(false),
    }
}

/// The key with Ctrl.
pub const fn ctrl(key: KeyCode) -> Shortcut {
    Shortcut {
        key,
        ctrl: true,
        shift: Some(false),
    }
}

/// The key with Ctrl and Shift.
pub const fn ctrl_shift(key: KeyCode) -> Shortcut {
    Shortcut {
        key,
        ctrl: true,
        shift: Some(true),
    }
}

impl Shortcut {
    /// Whether this key press is meant.
    pub fn matches(self, key: KeyCode, ctrl: bool, shift: bool) -> bool {
        self.key == key && self.ctrl == ctrl && self.shift.is_none_or(|wanted| wanted == shift)
    }

    /// Whether one key press could mean both.
    #[cfg(test)]
    pub fn clashes(self, other: Self) -> bool {
        self.key == other.key
            && self.ctrl == other.ctrl
            && (self.shift.is_none() || other.shift.is_none() || self.shift == other.shift)
    }

    /// As menus and help write it.
    pub fn label(self) -> String {
        let mut label = String::new();
        if self.ctrl {
            label.push_str("Ctrl+");
        }
        if self.shift == Some(true) {
            label.push_str("Shift+");
        }
        label.push_str(&key_name(self.key));
        label
    }
}

fn key_name(key: KeyCode) -> String {
    match key {
        KeyCode::Key0 => "0".into(),
        KeyCode::Minus => "-".into(),
        KeyCode::Equal => "=".into(),
        KeyCode::KpAdd => "Keypad +".into(),
        KeyCode::KpSubtract => "Keypad -".into(),
        KeyCode::Kp0 => "Keypad 0".into(),
        KeyCode::Period => ".".into(),
        KeyCode::Comma => ",".into(),
        KeyCode::Slash => "?".into(),
        KeyCode::LeftBracket => "[".into(),
        KeyCode::RightBracket => "]".into(),
        KeyCode::Escape => "Esc".into(),
        KeyCode::PageUp => "Page up".into(),
        KeyCode::PageDown => "Page down".into(),
        other => {
            let name = format!("{other:?}");
            name.strip_prefix("Key").map_or(name.clone(), str::to_owned)
        }
    }
}
