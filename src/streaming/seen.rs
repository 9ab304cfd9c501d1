//! Which ticks of a tour have been gone through before: by their hashes, so that another future is known at the first tick that
//! differs.

/// The hashes of the ticks until the furthest one that was reached.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The tick of the first hash.
    from: u64,
    /// One a tick; never empty.
    hashes: Vec<u64>,
}

impl Seen {
    /// Of a tour that begins, at tick 0.
    pub(super) fn new(hash: u64) -> Self {
        Self {
            from: 0,
            hashes: vec![hash],
        }
    }

    fn place(&self, tick: u64) -> Option<usize> {
        tick.checked_sub(self.from).map(|place| place as usize)
    }

    fn end(&self) -> u64 {
        self.from + self.hashes.len() as u64 - 1
    }

    /// The tour has reached `tick`, the one after its last. Where it was there before, but otherwise, another future begins, and
    /// the answer is the last tick that is still known.
    pub(super) fn reach(&mut self, tick: u64, hash: u64) -> Option<u64> {
        let place = self.place(tick)?;
        match self.hashes.get(place) {
            Some(known) if *known == hash => None,
            Some(_) => {
                self.hashes.truncate(place);
                self.hashes.push(hash);
                Some(tick - 1)
            }
            None => {
                self.hashes.push(hash);
                None
            }
        }
    }

    /// The tour is at `tick` from now on. The answer is the last tick that is known from there.
    pub(super) fn go_to(&mut self, tick: u64, hash: u64) -> u64 {
        let place = self.place(tick);
        let known = place.and_then(|place| self.hashes.get(place));
        if known != Some(&hash) {
            // It was never here, or its future was given up for another.
            *self = Self {
                from: tick,
                hashes: vec![hash],
            };
        }
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_time_ends_where_the_future_is_another() {
        let mut seen = Seen::new(0);
        for tick in 1..=9 {
            assert_eq!(seen.reach(tick, tick * 10), None);
        }
        assert_eq!(seen.go_to(3, 30), 9);
        assert_eq!(seen.reach(4, 40), None);
        assert_eq!(seen.reach(5, 51), Some(4));
        assert_eq!(seen.reach(6, 61), None);
        assert_eq!(seen.go_to(5, 51), 6);
        assert_eq!(seen.go_to(0, 0), 6);
        // Of the future that was given up nothing is known but where one is, nor of another tour's.
        assert_eq!(seen.go_to(9, 90), 9);
        assert_eq!(seen.reach(10, 100), None);
        assert_eq!(seen.go_to(9, 90), 10);
        assert_eq!(seen.go_to(5, 51), 5);
    }
}
