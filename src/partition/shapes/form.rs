//! How a figure is written: the numbers that it is made of, their names and limits.

use super::Figure;
use crate::partition::COORDINATE_LIMIT;

/// A figure that the command line can write and read.
pub trait Written: Figure + Sized {
    /// How it is written.
    const FORM: Form;

    /// The figure of these numbers: those of the form, and the corners behind them. Where they are none, as when one is below
    /// its limit, it holds nobody.
    fn from_numbers(numbers: &[f32]) -> Self;

    /// The numbers that it was made of.
    fn numbers(&self) -> Vec<f32>;
}

/// A word and the numbers behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// The word.
    pub key: &'static str,
    /// The whole, as help and errors show it.
    pub text: &'static str,
    /// The numbers that stand first.
    pub numbers: &'static [Number],
    /// How many corners follow, x and y of each: the fewest and the most. Without it, none.
    pub corners: Option<(usize, usize)>,
}

/// A number of a form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// What it is called in the form.
    pub name: &'static str,
    /// The least that it may be.
    pub least: f32,
    /// The greatest that it may be.
    pub greatest: f32,
    /// Whether the least is too little itself.
    pub is_above: bool,
}

impl Number {
    /// The greatest length, in metres.
    pub const LONGEST: f32 = 4.0 * COORDINATE_LIMIT;

    /// A coordinate, in metres.
    pub const fn coordinate(name: &'static str) -> Self {
        Self::from_to(name, -COORDINATE_LIMIT, COORDINATE_LIMIT)
    }

    /// A length, in metres: up to as far as any two places are apart.
    pub const fn length(name: &'static str) -> Self {
        Self::from_to(name, 0.0, Self::LONGEST)
    }

    /// A number between two others, which it may be itself.
    pub const fn from_to(name: &'static str, least: f32, greatest: f32) -> Self {
        Self {
            name,
            least,
            greatest,
            is_above: false,
        }
    }

    /// Whether it may be this. NaN it is not.
    pub fn accepts(&self, number: f32) -> bool {
        (self.least..=self.greatest).contains(&number) && !(self.is_above && number == self.least)
    }
}
