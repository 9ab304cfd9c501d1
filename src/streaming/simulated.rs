//! A loader without files, threads or a clock of its own: exact and repeatable, for tests and headless runs.

use super::disk::Disk;
use super::keep::Resumable;
use super::loader::{Completion, Image, LoadError, Loader, Outcome, Request, Throttle, Ticket};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A disk that serves one request after the other, at the given speed, by the caller's clock.
///
/// Every request waits its latency, in parallel with the others, and is then transferred alone. A request that is
/// cancelled ends at once. Every picture is the same single pixel.
#[derive(Clone, Debug)]
pub struct SimulatedLoader {
    disk: Disk,
    done: Vec<Completion>,
    missing: BTreeSet<u32>,
    pixel: Arc<Image>,
}

impl Default for SimulatedLoader {
    fn default() -> Self {
        Self {
            disk: Disk::default(),
            done: Vec::new(),
            missing: BTreeSet::new(),
            pixel: Arc::new(Image {
                width: 1,
                height: 1,
                rgba: vec![255; 4],
            }),
        }
    }
}

impl SimulatedLoader {
    /// Makes the file of `asset` disappear, or come back.
    pub fn set_missing(&mut self, asset: u32, missing: bool) {
        if missing {
            self.missing.insert(asset);
        } else {
            self.missing.remove(&asset);
        }
    }

    /// Lets the disk work until `now`.
    fn advance(&mut self, now: f64) {
        let mut served = Vec::new();
        let is_missing = |request: &Request| self.missing.contains(&request.asset);
        self.disk.advance(now, is_missing, &mut served);
        self.done.extend(served.into_iter().map(|request| {
            if is_missing(&request) {
                Completion {
                    ticket: request.ticket,
                    bytes: 0,
                    outcome: Outcome::Failed(LoadError::Missing {
                        path: request.path.to_path_buf(),
                    }),
                }
            } else {
                Completion {
                    ticket: request.ticket,
                    bytes: request.bytes,
                    outcome: Outcome::Loaded(self.pixel.clone()),
                }
            }
        }));
    }
}

impl Loader for SimulatedLoader {
    fn start(&mut self, request: Request, now: f64) -> bool {
        self.advance(now);
        self.disk.start(request, now);
        true
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some(bytes) = self.disk.cancel(ticket) {
            self.done.push(Completion {
                ticket,
                bytes,
                outcome: Outcome::Cancelled,
            });
        }
    }

    fn poll(&mut self, now: f64, completions: &mut Vec<Completion>) {
        self.advance(now);
        completions.append(&mut self.done);
    }

    fn progress(&self, ticket: Ticket) -> f32 {
        self.disk.progress(ticket)
    }

    fn take_read_bytes(&mut self) -> Option<f64> {
        Some(self.disk.take_read_bytes())
    }

    fn idle_seconds(&self) -> Option<f64> {
        Some(self.disk.idle_seconds())
    }

    fn set_throttle(&mut self, throttle: Throttle) {
        self.disk.set_throttle(throttle);
    }
}

impl Resumable for SimulatedLoader {
    type Promises = Self;

    fn promises(&self) -> Self {
        self.clone()
    }

    fn resume(&mut self, promises: &Self) {
        self.clone_from(promises);
    }

    fn byte_count(promises: &Self) -> usize {
        promises.disk.byte_count() + promises.done.capacity() * size_of::<Completion>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn request(object: u32, bytes: u64) -> Request {
        Request {
            ticket: Ticket {
                object,
                generation: 0,
            },
            asset: object,
            path: Arc::from(Path::new("a.png")),
            bytes,
        }
    }

    fn polled(loader: &mut SimulatedLoader, now: f64) -> Vec<u32> {
        let mut completions = Vec::new();
        loader.poll(now, &mut completions);
        completions.iter().map(|done| done.ticket.object).collect()
    }

    #[test]
    fn latencies_overlap_and_transfers_do_not() {
        let mut loader = SimulatedLoader::default();
        loader.set_throttle(Throttle {
            mbps: 1.0,
            latency_ms: 500.0,
        });
        for object in 0..3 {
            assert!(loader.start(request(object, 1_000_000), 0.0));
        }
        assert!(polled(&mut loader, 1.0).is_empty());
        assert!((loader.progress(request(0, 0).ticket) - 0.5).abs() < 1.0e-6);
        assert_eq!(polled(&mut loader, 1.6), [0]);
        // While all of them wait for their latency the disk is idle.
        assert!((loader.idle_seconds().expect("it knows") - 0.5).abs() < 1.0e-9);
        assert_eq!(polled(&mut loader, 3.6), [1, 2]);
        assert!((loader.idle_seconds().expect("it knows") - 0.6).abs() < 1.0e-9);
    }

    #[test]
    fn a_cancelled_transfer_gives_its_time_to_the_next() {
        let mut loader = SimulatedLoader::default();
        loader.set_throttle(Throttle {
            mbps: 1.0,
            latency_ms: 0.0,
        });
        for object in 0..2 {
            loader.start(request(object, 1_000_000), 0.0);
        }
        assert!(polled(&mut loader, 0.25).is_empty());
        loader.cancel(request(0, 0).ticket);
        let mut completions = Vec::new();
        loader.poll(0.5, &mut completions);
        assert_eq!(completions.len(), 1);
        assert_eq!(completions[0].outcome, Outcome::Cancelled);
        assert_eq!(completions[0].bytes, 250_000);
        assert_eq!(polled(&mut loader, 1.3), [1]);
    }
}
