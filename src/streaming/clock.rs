//! From when the seconds of a world are counted, for whoever reads them beside the ticks of a session, which go on when the world begins
//! anew.

/// From when the seconds of a world are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The first tick of all: ticks and seconds tell the same time.
    #[default]
    Start,
    /// The restart at which the world was made.
    Restart,
    /// No tick that has a name: an undo took back what came in between.
    SetBack,
}

impl Clock {
    /// That of a world that was made at the tick `made`, and whose seconds are 0 at the tick `began`.
    pub fn of(made: u64, began: u64) -> Self {
        match (made, began) {
            (0, 0) => Self::Start,
            (made, began) if made == began => Self::Restart,
            _ => Self::SetBack,
        }
    }

    /// A moment, in words: "at 1.00 s", where a restart has set the seconds back "1.00 s after the restart".
    pub fn moment(self, at: f64) -> String {
        match self {
            Self::Start => format!("at {at:.2} s"),
            Self::Restart | Self::SetBack => self.since(at),
        }
    }

    /// The same behind "since".
    pub fn since(self, at: f64) -> String {
        match self {
            Self::Start => format!("{at:.2} s"),
            Self::Restart => format!("{at:.2} s after the restart"),
            Self::SetBack => format!("{at:.2} s on the world's own clock"),
        }
    }

    /// So many seconds, where they are those since a restart.
    pub fn since_restart(self, seconds: f64) -> Option<f64> {
        (self == Self::Restart).then_some(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_that_are_not_those_of_the_ticks_say_what_they_are() {
        let said = |made, began| Clock::of(made, began).moment(0.284);
        assert_eq!(said(0, 0), "at 0.28 s");
        assert_eq!(said(43, 43), "0.28 s after the restart");
        // The restart was taken back, or another one behind it.
        for (made, began) in [(0, 60), (43, 60)] {
            assert_eq!(said(made, began), "0.28 s on the world's own clock");
        }
        assert_eq!(Clock::Restart.since_restart(0.5), Some(0.5));
        assert_eq!(Clock::Start.since_restart(0.5), None);
        assert_eq!(Clock::Start.since(0.5), "0.50 s");
    }
}
