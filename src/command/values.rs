//! Values that more than one command reads.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;
use std::fmt::Display;
use std::str::FromStr;

/// A whole number from `least` to `greatest`.
pub fn whole(text: &str, least: u64, greatest: u64) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("it must be a whole number from {least} to {greatest}"))
}

/// A number from `least` to `greatest`, which NaN is not, of single or double precision.
pub fn number<N: Copy + FromStr + PartialOrd + Display>(
    text: &str,
    least: N,
    greatest: N,
) -> Result<N, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("it must be a number from {least} to {greatest}"))
}

/// What starts chance: any whole number of 64 bits.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

/// Reads a value by `read`, and tells a shell that completes it which words there are.
#[derive(Clone)]
pub struct Among<R> {
    /// What makes a value of a word, or says what it must be.
    pub read: R,
    /// The words.
    pub words: fn() -> Vec<&'static str>,
}

impl<R: TypedValueParser> TypedValueParser for Among<R> {
    type Value = R::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        self.read.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}
