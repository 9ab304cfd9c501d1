//! The values behind the word of an operation: numbers, places and units, each within its limits, and what is said where they
//! are not.

use crate::geometry::Vec2;
use crate::partition::shapes::{Form, Number};
use crate::partition::{AnyFigure, UnitId};
use crate::probe::Abandoned;

/// Why words are no operation, or an operation cannot be carried out: a sentence that says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub(super) String);

impl Refused {
    /// Refuses with this sentence.
    pub(crate) fn because(words: impl std::fmt::Display) -> Self {
        Self(words.to_string())
    }
}

impl From<Abandoned> for Refused {
    fn from(abandoned: Abandoned) -> Self {
        Self(abandoned.to_string())
    }
}

/// The most of the nearest that are asked for.
pub const MOST_NEAREST: usize = 1_000_000;

/// The values of an operation, as they are written.
pub struct Values<'a> {
    /// The whole form, for errors.
    pub form: &'static str,
    /// What has not been read yet.
    pub rest: std::vec::IntoIter<&'a str>,
}

impl Values<'_> {
    fn refuse(&self, what: &str) -> Refused {
        Refused(format!("it must be '{}'; {what}", self.form))
    }

    fn next(&mut self) -> &str {
        self.rest.next().unwrap_or_default()
    }

    /// A number within limits, which NaN is not.
    pub fn number(&mut self, name: &str, limits: &Number) -> Result<f32, Refused> {
        let text = self.next().to_owned();
        let number: Option<f32> = text.parse().ok();
        number
            .filter(|number| limits.accepts(*number))
            // Less than nothing is nothing.
            .map(|number| number + 0.0)
            .ok_or_else(|| {
                let Number {
                    least, greatest, ..
                } = limits;
                let range = match limits.is_above {
                    true => format!("above {least} and up to {greatest}"),
                    false => format!("from {least} to {greatest}"),
                };
                self.refuse(&format!("{name} must be a number {range} (found '{text}')"))
            })
    }

    /// A place, and what its coordinates are called.
    pub fn place(&mut self, x: &str, y: &str) -> Result<Vec2, Refused> {
        let coordinate = Number::coordinate("");
        let x = self.number(x, &coordinate)?;
        let y = self.number(y, &coordinate)?;
        Ok(Vec2::new(x, y))
    }

    /// A length.
    pub fn length(&mut self, name: &str) -> Result<f32, Refused> {
        self.number(name, &Number::length(""))
    }

    /// The number of a unit.
    pub fn unit(&mut self) -> Result<UnitId, Refused> {
        let text = self.next().to_owned();
        text.parse().map_err(|_| {
            self.refuse(&format!(
                "ID must be the number of a unit, a whole one from 0 on (found '{text}')"
            ))
        })
    }

    /// How many.
    pub fn count(&mut self) -> Result<usize, Refused> {
        let text = self.next().to_owned();
        let count: Option<usize> = text.parse().ok();
        count
            .filter(|count| (1..=MOST_NEAREST).contains(count))
            .ok_or_else(|| {
                self.refuse(&format!(
                    "k must be a whole number from 1 to {MOST_NEAREST} (found '{text}')"
                ))
            })
    }
}

/// The numbers of a figure: as many as its form has, and the corners behind them.
pub fn figure(form: &Form, values: Vec<&str>) -> Result<AnyFigure, Refused> {
    let (count, first) = (values.len(), form.numbers.len());
    let mut values = Values {
        form: form.text,
        rest: values.into_iter(),
    };
    let corners = count.saturating_sub(first);
    let is_right = count >= first
        && match form.corners {
            Some((fewest, most)) => corners % 2 == 0 && (fewest..=most).contains(&(corners / 2)),
            None => corners == 0,
        };
    if !is_right {
        let wanted = match form.corners {
            Some((fewest, most)) => {
                let before = match first {
                    0 => String::new(),
                    1 => "one value and behind it ".to_owned(),
                    many => format!("{many} values and behind them "),
                };
                format!("{before}{fewest} to {most} corners of two values each")
            }
            None => format!("{first} values with commas between them"),
        };
        return Err(Refused(format!(
            "it must be '{}', with {wanted} (found {})",
            form.text,
            match form.corners {
                Some(_) => format!("{count} values"),
                None => count.to_string(),
            }
        )));
    }
    let mut numbers = Vec::with_capacity(count);
    for limits in form.numbers {
        numbers.push(values.number(limits.name, limits)?);
    }
    for corner in 1..=corners / 2 {
        let x = format!("x of corner {corner}");
        let y = format!("y of corner {corner}");
        numbers.extend(values.place(&x, &y)?.to_array());
    }
    AnyFigure::from_numbers(form.key, &numbers)
        .ok_or_else(|| values.refuse("there is no such figure"))
}
