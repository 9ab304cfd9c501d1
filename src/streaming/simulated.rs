//! A loader without files, threads or a clock of its own: exact and repeatable, for tests and headless runs.

use super::loader::{Completion, Image, LoadError, Loader, Outcome, Request, Throttle, Ticket};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

/// A disk that serves one request after the other, at the given speed, by the caller's clock.
///
/// Every request waits its latency, in parallel with the others, and is then transferred alone. A request that is
/// cancelled ends at once. Every picture is the same single pixel.
#[derive(Debug)]
pub struct SimulatedLoader {
    throttle: Throttle,
    /// Until when the disk's work is simulated, in seconds.
    clock: f64,
    /// In the order in which they are served.
    transfers: VecDeque<Transfer>,
    done: Vec<Completion>,
    missing: BTreeSet<u32>,
    pixel: Arc<Image>,
}

/// A request on the simulated disk.
#[derive(Debug)]
struct Transfer {
    ticket: Ticket,
    asset: u32,
    path: PathBuf,
    bytes: u64,
    /// When its latency is over, in seconds.
    ready_at: f64,
    /// How many of its bytes are read. A fraction, for a frame may end amid a byte.
    read: f64,
}

impl Default for SimulatedLoader {
    fn default() -> Self {
        Self {
            throttle: Throttle::default(),
            clock: 0.0,
            transfers: VecDeque::new(),
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
        while let Some(transfer) = self.transfers.front_mut() {
            let begin = self.clock.max(transfer.ready_at);
            if begin > now {
                break;
            }
            let missing = self.missing.contains(&transfer.asset);
            let left = transfer.bytes as f64 - transfer.read;
            let seconds = if missing {
                0.0
            } else {
                self.throttle.transfer_seconds(transfer.bytes)
                    * (left / transfer.bytes.max(1) as f64)
            };
            if begin + seconds > now {
                transfer.read += left * ((now - begin) / seconds);
                break;
            }
            self.clock = begin + seconds;
            let Some(transfer) = self.transfers.pop_front() else {
                break;
            };
            self.done.push(if missing {
                Completion {
                    ticket: transfer.ticket,
                    bytes: 0,
                    outcome: Outcome::Failed(LoadError::Missing {
                        path: transfer.path,
                    }),
                }
            } else {
                Completion {
                    ticket: transfer.ticket,
                    bytes: transfer.bytes,
                    outcome: Outcome::Loaded(self.pixel.clone()),
                }
            });
        }
        self.clock = self.clock.max(now);
    }
}

impl Loader for SimulatedLoader {
    fn start(&mut self, request: Request, now: f64) -> bool {
        self.advance(now);
        self.transfers.push_back(Transfer {
            ticket: request.ticket,
            asset: request.asset,
            path: request.path.to_path_buf(),
            bytes: request.bytes,
            ready_at: now + self.throttle.latency_seconds(),
            read: 0.0,
        });
        true
    }

    fn cancel(&mut self, ticket: Ticket) {
        let place = self
            .transfers
            .iter()
            .position(|transfer| transfer.ticket == ticket);
        if let Some(transfer) = place.and_then(|place| self.transfers.remove(place)) {
            self.done.push(Completion {
                ticket,
                bytes: transfer.read as u64,
                outcome: Outcome::Cancelled,
            });
        }
    }

    fn poll(&mut self, now: f64, completions: &mut Vec<Completion>) {
        self.advance(now);
        completions.append(&mut self.done);
    }

    fn progress(&self, ticket: Ticket) -> f32 {
        self.transfers
            .iter()
            .find(|transfer| transfer.ticket == ticket)
            .map_or(0.0, |transfer| {
                (transfer.read / transfer.bytes.max(1) as f64) as f32
            })
    }

    fn set_throttle(&mut self, throttle: Throttle) {
        self.throttle = throttle;
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
        assert_eq!(polled(&mut loader, 3.6), [1, 2]);
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
