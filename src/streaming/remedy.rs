//! What is said to be enough, as a setting and its value: whoever reads it can set it.

use super::Settings;
use crate::story::words::{bytes, rounded_up};

/// A setting, and a value of it that is said to be enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// A memory cap of so many bytes.
    Cap(u64),
    /// A lead of so many metres.
    Lead(f32),
    /// A margin of so many metres.
    Margin(f32),
    /// A disk that reads so many megabytes a second.
    Disk(f32),
}

impl Remedy {
    /// A memory cap that is enough for so many bytes, as large as it is said to be.
    pub fn cap(bytes: u64) -> Self {
        Self::Cap(rounded_up(bytes))
    }

    /// What is to be set so, as its knob has it: megabytes, metres, or megabytes a second.
    pub fn value(self) -> f64 {
        match self {
            Self::Cap(bytes) => bytes as f64 / 1.0e6,
            Self::Lead(value) | Self::Margin(value) | Self::Disk(value) => f64::from(value),
        }
    }

    /// Whether the other one is a value of the same setting.
    fn is_of_same(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// These settings with it; `None` where they have as much already.
    pub fn applied_to(self, settings: &Settings) -> Option<Settings> {
        let mut new = *settings;
        let is_more = match self {
            Self::Cap(bytes) => bytes > std::mem::replace(&mut new.memory_cap, bytes),
            Self::Lead(lead) => lead > std::mem::replace(&mut new.lead, lead),
            Self::Margin(margin) => margin > std::mem::replace(&mut new.margin, margin),
            Self::Disk(mbps) => {
                let before = std::mem::replace(&mut new.mbps, mbps);
                // 0 is a disk without limits.
                before > 0.0 && mbps > before
            }
        };
        is_more.then_some(new)
    }

    /// What setting it does, in few words.
    pub fn words(self) -> String {
        match self {
            Self::Cap(cap) => format!("Set the cap to {}", bytes(cap)),
            Self::Lead(lead) => format!("Set the lead to {lead} m"),
            Self::Margin(margin) => format!("Set the margin to {margin} m"),
            Self::Disk(mbps) => format!("Set the disk to {mbps} MB/s"),
        }
    }
}

/// A sentence, and what it says is enough, as far as that is a value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    pub words: String,
    pub enough: Vec<Remedy>,
}

impl From<String> for Said {
    fn from(words: String) -> Self {
        Self {
            words,
            enough: Vec::new(),
        }
    }
}

/// Why an object is, or is not, loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Why {
    /// In sentences.
    pub sentences: Vec<String>,
    /// Which of them says when it was needed, by its place among them, and that moment, where one does.
    pub needed: Option<(usize, f64)>,
    /// What is said to be enough, of each setting the most, as less would not do for all of them, and which of them says so first.
    pub enough: Vec<(usize, Remedy)>,
}

impl Why {
    /// Of these sentences, one of which may say when it was needed.
    pub fn of(said: Vec<Said>, needed: Option<(usize, f64)>) -> Self {
        let mut why = Self {
            needed,
            ..Self::default()
        };
        for (place, Said { words, enough }) in said.into_iter().enumerate() {
            for remedy in enough {
                let mut known = why.enough.iter();
                if !known.any(|(_, it)| it.is_of_same(remedy) && it.value() >= remedy.value()) {
                    why.enough.retain(|(_, it)| !it.is_of_same(remedy));
                    why.enough.push((place, remedy));
                }
            }
            why.sentences.push(words);
        }
        why
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_already_is_not_offered_and_a_disk_without_limits_is_as_quick_as_any() {
        let settings = Settings {
            memory_cap: 1_000_000,
            lead: 80.0,
            margin: 40.0,
            mbps: 2.0,
            ..Settings::default()
        };
        let less = [
            Remedy::Cap(1_000_000),
            Remedy::Lead(80.0),
            Remedy::Margin(39.0),
            Remedy::Disk(2.0),
        ];
        assert!(less.iter().all(|it| it.applied_to(&settings).is_none()));
        let expected = Settings {
            lead: 83.4,
            ..settings
        };
        assert_eq!(Remedy::Lead(83.4).applied_to(&settings), Some(expected));
        let more = [
            Remedy::cap(1_248_577),
            Remedy::Margin(40.5),
            Remedy::Disk(3.4),
        ];
        let with_all = more
            .iter()
            .try_fold(settings, |now, it| it.applied_to(&now));
        let with_all = with_all.expect("all of them are more");
        assert_eq!(with_all.memory_cap, 1_250_000);
        assert_eq!((with_all.margin, with_all.mbps), (40.5, 3.4));
        let unlimited = Settings {
            mbps: 0.0,
            ..settings
        };
        assert_eq!(Remedy::Disk(3.4).applied_to(&unlimited), None);
        // The button has the figure of the sentence.
        assert_eq!(Remedy::cap(1_248_577).words(), "Set the cap to 1.25 MB");
        assert_eq!(Remedy::Lead(83.4).words(), "Set the lead to 83.4 m");
    }

    #[test]
    fn what_two_sentences_say_is_offered_once_behind_the_first_that_says_the_most() {
        let said = |words: &str, enough: &[Remedy]| Said {
            words: words.to_owned(),
            enough: enough.to_vec(),
        };
        let (cap, lead) = (Remedy::Cap(5), Remedy::Lead(2.0));
        let all = vec![said("a", &[]), said("b", &[cap]), said("c", &[lead, cap])];
        let why = Why::of(all, Some((1, 0.5)));
        assert_eq!(why.sentences, ["a", "b", "c"]);
        assert_eq!(why.enough, [(1, cap), (2, lead)]);
        assert_eq!(why.needed, Some((1, 0.5)));
        // Two buttons that set the same to different values would be one too many.
        let (less, more) = (Remedy::Cap(4), Remedy::Cap(9));
        let each = [cap, less, more, cap].map(|it| said("", &[it]));
        assert_eq!(Why::of(each.to_vec(), None).enough, [(2, more)]);
    }
}
