//! The list of views, a row each: the tabs, the menu, the keys, the palette of commands and the report are all read from it.
//!
//! What a view draws and does is its folder in `view/`; here is only what must be known of it by those who never draw.

use super::shortcut::{Shortcut, plain};
use egui_macroquad::macroquad::miniquad::KeyCode;
use skirmish::scene::Scene;
use std::fmt;

/// What of the scene is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// The armies and the structure that indexes them.
    Battle,
    /// Several structures over one battle, side by side.
    Compare,
    /// The world around the character.
    Streaming,
    /// The flight and the structure in space.
    Volume,
}

/// A row of the list.
pub struct ViewRow {
    /// Whose row it is.
    pub view: View,
    /// The word for reports and scripts.
    pub key: &'static str,
    /// The word on the tab.
    pub name: &'static str,
    /// A sentence for tooltips and help.
    pub help: &'static str,
    /// The key that shows it.
    pub shortcut: Shortcut,
    /// Whether it shows the armies and their structure: keys that change those mean nothing in another view.
    pub shows_battle: bool,
    /// Whether a scene has what the view shows.
    pub suits: fn(&Scene) -> bool,
}

/// The list, in the order of the tabs, which is that of the variants.
pub static VIEWS: &[ViewRow] = &[
    ViewRow {
        view: View::Battle,
        key: "battle",
        name: "Battle",
        help: "The armies and their structure.",
        shortcut: plain(KeyCode::F2),
        shows_battle: true,
        suits: |scene| scene.volume.is_none(),
    },
    ViewRow {
        view: View::Compare,
        key: "compare",
        name: "Compare",
        help: "Several structures over one battle, side by side.",
        shortcut: plain(KeyCode::F3),
        shows_battle: true,
        suits: |_| true,
    },
    ViewRow {
        view: View::Streaming,
        key: "streaming",
        name: "Streaming",
        help: "The world around the character.",
        shortcut: plain(KeyCode::F4),
        shows_battle: false,
        suits: |scene| scene.world.is_some(),
    },
    ViewRow {
        view: View::Volume,
        key: "volume",
        name: "Volume",
        help: "The third dimension: swarms, and the structure in space that they fly by.",
        shortcut: plain(KeyCode::F5),
        shows_battle: true,
        suits: |scene| scene.volume.is_some(),
    },
];

impl View {
    /// Its row.
    pub fn row(self) -> &'static ViewRow {
        &VIEWS[self as usize]
    }
}

/// A view is known to reports by its key.
impl fmt::Debug for View {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.row().key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_finds_its_own_row() {
        for row in VIEWS {
            assert_eq!(row.view.row().key, row.key);
        }
    }
}
