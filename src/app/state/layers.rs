//! Which layers of the picture are shown.

use crate::app::commands::Layer;

/// The layers of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers([bool; Layer::COUNT]);

impl Layers {
    /// Whether a layer is shown.
    pub fn shows(self, layer: Layer) -> bool {
        self.0[layer as usize]
    }

    /// Shows or hides a layer.
    pub fn toggle(&mut self, layer: Layer) {
        self.0[layer as usize] ^= true;
    }
}

impl Default for Layers {
    fn default() -> Self {
        let mut shown = [true; Layer::COUNT];
        shown[Layer::Tests as usize] = false;
        shown[Layer::AllRectangles as usize] = false;
        Self(shown)
    }
}
