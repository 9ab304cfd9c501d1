//! The start of a world: what is asked for in the first update, and when all of that is there.
//!
//! Invariant: whoever waits for the start, and whoever says which late loads were of it, asks here. So a character that sets off at
//! once and one that stands until everything is there have the same start.

use super::{Flight, Loader, Streaming};

/// How long a start takes at the most, in seconds: what is not there by then is waited for no longer.
const LONGEST_SECONDS: f64 = 120.0;

impl<L: Loader> Streaming<L> {
    /// Whether all that was asked for in the first update is there, as behind the curtain of a game that starts: once that was so the
    /// start is over, whatever else was asked for since. Where memory is short something waits for ever, and nobody waits that long.
    pub fn is_ready(&self) -> bool {
        let is_full = self.bound.memory && self.requests_in_flight() == 0;
        !self.waits_for_start() || is_full || self.now >= LONGEST_SECONDS
    }

    /// Whether something is on its way that was asked for in the first update.
    fn waits_for_start(&self) -> bool {
        let queued = self.queue.iter().map(|entry| entry.object);
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let loading = self.flights.iter().filter_map(Flight::waiting);
        let mut all = queued.chain(decoded).chain(loading);
        all.any(|object| {
            let state = self.states[object as usize];
            state.is_pending() && self.records[object as usize].is_of_start
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::geometry::Vec2;
    use crate::streaming::{Settings, SimulatedLoader, State, Streaming, WorldObject};

    /// Two objects that the first update asks for, one ahead that takes twenty seconds and one behind that takes one; and one that is
    /// asked for on the way, and takes one second as well.
    fn world() -> Streaming<SimulatedLoader> {
        let object = |(x, bytes, asset)| WorldObject {
            center: Vec2::new(x, 0.0),
            half_extent: Vec2::ONE,
            bytes,
            asset,
        };
        let objects = [(40.0, 200_000, 0), (-80.0, 10_000, 1), (150.0, 10_000, 2)].map(object);
        let settings = Settings {
            need_factor: 0.0,
            need_min: 10.0,
            need_max: 10.0,
            lead: 100.0,
            margin: 1_000.0,
            predict_seconds: 0.0,
            requests_in_flight: 1,
            mbps: 0.01,
            latency_ms: 0.0,
            ..Settings::default()
        };
        let files = ["a.png", "b.png", "c.png"].map(Into::into);
        Streaming::new(objects, files, settings, SimulatedLoader::default())
    }

    /// Goes on for so many seconds at 10 m/s, or stands. Gives late loads and those of the start, and whether that was over before.
    fn go_on(
        streaming: &mut Streaming<SimulatedLoader>,
        (tick, x): &mut (u32, f32),
        (seconds, speed): (u32, f32),
    ) -> (u64, u64, bool) {
        for _ in 0..seconds * 60 {
            *tick += 1;
            *x += speed / 60.0;
            let (at, velocity) = (Vec2::new(*x, 0.0), Vec2::new(speed, 0.0));
            streaming.update(f64::from(*tick) / 60.0, at, velocity);
            while let Some(upload) = streaming.next_upload() {
                streaming.uploaded(upload.object);
            }
            // Whether it stands or goes, the start waits for what the first update asked for, and for nothing else.
            let first = [streaming.states()[0], streaming.states()[1]];
            assert_eq!(streaming.is_ready(), first == [State::Resident; 2]);
        }
        let sums = streaming.statistics();
        (sums.late_loads, sums.late_at_start, sums.started)
    }

    #[test]
    fn what_comes_late_before_the_start_is_over_is_not_of_it_unless_it_was_asked_for_first() {
        let (mut streaming, mut place) = (world(), (0, 0.0));
        let mut walk = |seconds| go_on(&mut streaming, &mut place, (seconds, 10.0));
        assert_eq!(walk(2), (0, 0, false));
        assert_eq!(walk(3), (1, 1, false));
        // The disk is still at the first one, and so another comes late that was asked for on the way.
        assert_eq!(walk(10), (2, 1, false));
        assert_eq!(walk(10), (2, 1, true));
    }

    #[test]
    fn who_stands_until_the_start_is_over_leaves_out_what_was_late_of_it() {
        let (mut streaming, mut place) = (world(), (0, 0.0));
        assert_eq!(go_on(&mut streaming, &mut place, (25, 0.0)), (0, 0, true));
        // Nothing else is late with the disk to itself.
        assert_eq!(go_on(&mut streaming, &mut place, (25, 10.0)), (0, 0, true));
    }
}
