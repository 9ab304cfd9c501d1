//! A disk on paper: when each request that it was asked for is served, by the caller's clock alone.

use super::loader::{Request, Throttle, Ticket};
use std::collections::VecDeque;

/// Serves one request after the other, at the throttle's speed. Every request waits its latency, in parallel with the others,
/// and is then transferred alone. A request that is cancelled ends at once and gives its time to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    throttle: Throttle,
    /// Until when its work is simulated, in seconds.
    clock: f64,
    /// What was read since it was last asked for, in bytes.
    read: f64,
    /// How long it has read nothing since the beginning, in seconds: what waits for its latency alone leaves it idle.
    idle: f64,
    /// In the order in which they are served.
    transfers: VecDeque<Transfer>,
}

/// A request on the disk.
#[derive(Clone, Debug)]
struct Transfer {
    request: Request,
    /// When its latency is over, in seconds.
    ready_at: f64,
    /// How many of its bytes are read. A fraction, for a frame may end amid a byte.
    read: f64,
}

impl Disk {
    pub(super) fn set_throttle(&mut self, throttle: Throttle) {
        self.throttle = throttle;
    }

    pub(super) fn start(&mut self, request: Request, now: f64) {
        self.transfers.push_back(Transfer {
            request,
            ready_at: now + self.throttle.latency_seconds(),
            read: 0.0,
        });
    }

    /// Gives up a request, and says how many of its bytes were read; `None` when it is not on the disk any more.
    pub(super) fn cancel(&mut self, ticket: Ticket) -> Option<u64> {
        let place = self
            .transfers
            .iter()
            .position(|transfer| transfer.request.ticket == ticket)?;
        let transfer = self.transfers.remove(place)?;
        Some(transfer.read as u64)
    }

    /// Works until `now`, and appends the requests that are served by then to `served`. What `takes_no_time` says so of is
    /// served as soon as its latency is over.
    pub(super) fn advance(
        &mut self,
        now: f64,
        takes_no_time: impl Fn(&Request) -> bool,
        served: &mut Vec<Request>,
    ) {
        while let Some(transfer) = self.transfers.front_mut() {
            let begin = self.clock.max(transfer.ready_at);
            if begin > now {
                break;
            }
            self.idle += begin - self.clock;
            self.clock = begin;
            let bytes = transfer.request.bytes;
            // Never less than nothing, whatever was rounded on the way.
            let left = (bytes as f64 - transfer.read).max(0.0);
            let takes_no_time = takes_no_time(&transfer.request);
            let seconds = if takes_no_time {
                0.0
            } else {
                self.throttle.transfer_seconds(bytes) * (left / bytes.max(1) as f64)
            };
            if begin + seconds > now {
                let read = left * ((now - begin) / seconds);
                transfer.read += read;
                self.read += read;
                self.clock = now;
                break;
            }
            self.clock = begin + seconds;
            // What takes no time is not there to be read.
            self.read += if takes_no_time { 0.0 } else { left };
            if let Some(transfer) = self.transfers.pop_front() {
                served.push(transfer.request);
            }
        }
        self.idle += (now - self.clock).max(0.0);
        self.clock = self.clock.max(now);
    }

    /// How long it has read nothing since the beginning, in seconds.
    pub(super) fn idle_seconds(&self) -> f64 {
        self.idle
    }

    /// How many bytes were read since this was asked last.
    pub(super) fn take_read_bytes(&mut self) -> f64 {
        std::mem::take(&mut self.read)
    }

    /// Until when its work is simulated, in seconds.
    pub(super) fn clock(&self) -> f64 {
        self.clock
    }

    /// How much of a request is read, from 0 to 1; 0 when it is not on the disk.
    pub(super) fn progress(&self, ticket: Ticket) -> f32 {
        self.transfers
            .iter()
            .find(|transfer| transfer.request.ticket == ticket)
            .map_or(0.0, |transfer| {
                (transfer.read / transfer.request.bytes.max(1) as f64) as f32
            })
    }

    /// The requests that are not served yet, in the order in which they will be.
    pub(super) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.transfers.iter().map(|transfer| &transfer.request)
    }

    /// The bytes that it takes on the heap.
    pub(super) fn byte_count(&self) -> usize {
        self.transfers.capacity() * size_of::<Transfer>()
    }
}
