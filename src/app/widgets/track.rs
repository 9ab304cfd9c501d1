//! What a slider is for, and how its values lie on its track.

use skirmish::partition::KnobRange;

/// What a slider is for.
#[derive(Clone, Copy, Debug)]
pub struct Slider<'a> {
    /// What the report calls it.
    pub id: &'a str,
    /// The words beside it.
    pub name: &'a str,
    /// A sentence for its tooltip.
    pub help: &'a str,
    /// The unit of its value; empty for none.
    pub unit: &'a str,
    /// How its values lie.
    pub track: Track,
}

/// How a slider's values lie on its track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// The value at the left end.
    pub min: f64,
    /// The value at the right end.
    pub max: f64,
    /// Whether equal ways on the track are equal ratios. One that begins at 0 has it at its left end, and behind it what is from
    /// [`Track::LEAST`] on.
    pub logarithmic: bool,
    /// Whether only whole numbers are meant.
    pub whole: bool,
}

impl Track {
    /// Where a logarithmic track begins that begins at 0.
    pub const LEAST: f64 = 0.1;

    /// The left end, as ratios are reckoned from it.
    fn least(self) -> f64 {
        if self.min > 0.0 {
            self.min
        } else {
            Self::LEAST
        }
    }

    /// That of the numbers that a knob takes; nothing of one that is a word.
    pub fn of(range: KnobRange) -> Option<Self> {
        match range {
            KnobRange::Number {
                min,
                max,
                whole,
                logarithmic,
            } => Some(Self {
                min,
                max,
                logarithmic,
                whole,
            }),
            KnobRange::Choice(_) | KnobRange::Switch => None,
        }
    }

    /// From a value to the part of the track left of it.
    pub fn part_of(self, value: f64) -> f64 {
        if self.max <= self.min {
            return 0.0;
        }
        let part = if self.logarithmic {
            let least = self.least();
            (value.max(least) / least).ln() / (self.max / least).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        };
        part.clamp(0.0, 1.0)
    }

    /// From a part of the track to a value, rounded to what one can mean with a mouse.
    pub fn value_at(self, part: f64) -> f64 {
        let part = part.clamp(0.0, 1.0);
        let value = if self.logarithmic && part > 0.0 {
            self.least() * (self.max / self.least()).powf(part)
        } else {
            self.min + (self.max - self.min) * part
        };
        self.round(value)
    }

    /// A value as it can be meant: whole, or in three digits, and on the track.
    pub fn round(self, value: f64) -> f64 {
        let value = if self.whole && (!self.logarithmic || value < 100.0) {
            value.round()
        } else {
            // Three digits: more cannot be pointed at.
            let step = 10f64.powf(value.abs().max(1.0e-9).log10().floor() - 2.0);
            let rounded = (value / step).round() * step;
            if self.whole {
                rounded.round()
            } else {
                (rounded * 1.0e6).round() / 1.0e6
            }
        };
        value.clamp(self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_track_returns_what_it_was_given() {
        let track = Track {
            min: 0.5,
            max: 1000.0,
            logarithmic: true,
            whole: false,
        };
        for value in [0.5, 12.0, 100.0, 1000.0] {
            assert!((track.value_at(track.part_of(value)) - value).abs() < value * 0.006);
        }
        let track = Track {
            min: 1.0,
            max: 32.0,
            logarithmic: false,
            whole: true,
        };
        assert_eq!(track.value_at(track.part_of(8.0)), 8.0);
        assert_eq!(track.value_at(-3.0), 1.0);
        let from_nothing = Track {
            min: 0.0,
            max: 1000.0,
            logarithmic: true,
            whole: false,
        };
        assert_eq!(from_nothing.value_at(0.0), 0.0);
        assert_eq!(from_nothing.part_of(0.0), 0.0);
        assert_eq!(from_nothing.part_of(1000.0), 1.0);
        assert_eq!(from_nothing.value_at(0.5), 10.0);
        assert!((from_nothing.value_at(0.001) - Track::LEAST).abs() < 0.01);
    }
}
