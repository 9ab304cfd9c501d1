//! The keys that egui knows.

use super::event::KeyCode;
use egui_macroquad::egui::Key;

/// What egui calls a key; nothing where it has no name for it or no use.
pub fn egui_key_of(key: KeyCode) -> Option<Key> {
    Some(match key {
        KeyCode::Down => Key::ArrowDown,
        KeyCode::Left => Key::ArrowLeft,
        KeyCode::Right => Key::ArrowRight,
        KeyCode::Up => Key::ArrowUp,
        KeyCode::Escape => Key::Escape,
        KeyCode::Tab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Enter => Key::Enter,
        KeyCode::Space => Key::Space,
        KeyCode::Insert => Key::Insert,
        KeyCode::Delete => Key::Delete,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Comma => Key::Comma,
        KeyCode::Backslash => Key::Backslash,
        KeyCode::LeftBracket => Key::OpenBracket,
        KeyCode::RightBracket => Key::CloseBracket,
        KeyCode::GraveAccent => Key::Backtick,
        KeyCode::Minus => Key::Minus,
        KeyCode::Period => Key::Period,
        KeyCode::Equal => Key::Equals,
        KeyCode::Semicolon => Key::Semicolon,
        KeyCode::Slash => Key::Slash,
        other => return letter(other),
    })
}

/// Letters and digits have the same names on both sides, but for a word before digits.
fn letter(key: KeyCode) -> Option<Key> {
    let name = format!("{key:?}");
    let name = name.strip_prefix("Key").unwrap_or(&name);
    let is_one = name.len() == 1 && name.chars().all(|it| it.is_ascii_alphanumeric());
    is_one.then(|| Key::from_name(name)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_keep_their_names() {
        assert_eq!(egui_key_of(KeyCode::A), Some(Key::A));
        assert_eq!(egui_key_of(KeyCode::Z), Some(Key::Z));
        assert_eq!(egui_key_of(KeyCode::Key0), Some(Key::Num0));
        assert_eq!(egui_key_of(KeyCode::Key9), Some(Key::Num9));
        assert_eq!(egui_key_of(KeyCode::F1), None, "the window's own");
        assert_eq!(egui_key_of(KeyCode::Unknown), None);
    }
}
