//! What a click on the field does.

use super::Brush;
use skirmish::session::Shape;

/// What a click on the field does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Places blue units.
    Blue,
    /// Places orange units.
    Orange,
    /// Takes units away.
    Erase,
    /// Only asks who is near.
    Look,
}

impl Tool {
    /// In the order of the panel.
    pub const ALL: [Self; 4] = [Self::Blue, Self::Orange, Self::Erase, Self::Look];

    /// The word in the panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "Blue",
            Self::Orange => "Orange",
            Self::Erase => "Erase",
            Self::Look => "Look",
        }
    }

    /// A sentence for the tooltip; in space a drag turns the eye.
    pub const fn help(self, in_space: bool) -> &'static str {
        match self {
            Self::Blue if in_space => "A click places blue units.",
            Self::Orange if in_space => "A click places orange units.",
            Self::Erase if in_space => "A click takes away the units in the ball.",
            Self::Look if in_space => {
                "The query under the cursor; a click on a unit selects it, a drag moves who is selected."
            }
            Self::Blue => "A click or a drag places blue units.",
            Self::Orange => "A click or a drag places orange units.",
            Self::Erase => "A click or a drag takes away the units in the circle.",
            Self::Look => {
                "The query under the cursor; a click on a unit selects it, a drag draws a box, or moves who is selected."
            }
        }
    }
}

impl Brush {
    /// Whether the query around the cursor is a square: as the shape in which units are placed. What erases is a circle all the same.
    pub fn asks_square(&self) -> bool {
        self.shape == Shape::Square && self.tool != Tool::Erase
    }
}
