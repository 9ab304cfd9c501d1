//! Real files, read by real threads, whose answers are told at moments of the simulated time alone.

use super::disk::Disk;
use super::keep::Resumable;
use super::loader::{
    Completion, LoadError, Loader, Outcome, Request, ThreadLoader, Throttle, Ticket,
};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long one look for an answer waits. Between two looks a waiter can be cancelled.
const SLICE: Duration = Duration::from_millis(5);

/// How long the real disk may be silent while an answer of it is due.
const PATIENCE: Duration = Duration::from_secs(5);

/// A loader that gives a world the same history whatever the frame rate, whoever replays it and however fast the machine is.
///
/// # How it does
///
/// 1. A disk on paper, the same as [`super::SimulatedLoader`]'s, says by the throttle and the caller's clock when each request is served.
/// 2. Threads read the file at the same time, as fast as they can.
/// 3. When a request is due and its file is not there yet, time stands still: [`Loader::poll`] waits for the real disk, or, so
///    that it can be cancelled, [`Loader::wait_for`] does before it.
/// 4. A disk that is silent for some seconds while it is waited for counts as dead: what is due fails with its sentence, at
///    once, until the disk speaks again.
/// 5. What is cancelled ends at once on paper. What the threads say of it later is dropped.
///
/// What is read counts by the real file, when it arrives by the bytes that the request says. So the history depends on the
/// settings, on the metadata and on what is in the files, and on nothing else, unless the disk dies.
#[derive(Debug)]
pub struct PacedLoader {
    threads: ThreadLoader,
    disk: Disk,
    /// Served on paper and not told yet, in order.
    served: Vec<Request>,
    /// Cancelled and not told yet.
    cancelled: Vec<Completion>,
    /// What the threads were asked for, or will be.
    errands: Vec<Errand>,
    /// Names of errands that the threads have not taken yet.
    untaken: VecDeque<Ticket>,
    /// Errands so far. The threads know requests by names of their own, for after a resumption a ticket comes again.
    errand_count: u64,
    /// How long the threads have said nothing while somebody waited for them.
    silence: Duration,
    patience: Duration,
    /// Reused by every look.
    heard: Vec<Completion>,
}

/// A request to the threads.
#[derive(Debug)]
struct Errand {
    /// What the threads know it by.
    name: Ticket,
    request: Request,
    /// How many bytes were read, and how that ended; `None` while it has not.
    answer: Option<(u64, Outcome)>,
}

/// What a [`PacedLoader`] has still to tell, and when, without the threads that find out what.
#[derive(Clone, Debug)]
pub struct PacedPromises {
    disk: Disk,
    served: Vec<Request>,
    cancelled: Vec<Completion>,
}

impl PacedLoader {
    /// Starts `thread_count` threads, at least one.
    pub fn new(thread_count: usize) -> io::Result<Self> {
        Ok(Self {
            threads: ThreadLoader::new(thread_count)?,
            disk: Disk::default(),
            served: Vec::new(),
            cancelled: Vec::new(),
            errands: Vec::new(),
            untaken: VecDeque::new(),
            errand_count: 0,
            silence: Duration::ZERO,
            patience: PATIENCE,
            heard: Vec::new(),
        })
    }

    /// Sends the threads for a file.
    fn send(&mut self, request: Request) {
        let name = Ticket {
            object: self.errand_count as u32,
            generation: (self.errand_count >> 32) as u32,
        };
        self.errand_count += 1;
        self.errands.push(Errand {
            name,
            request,
            answer: None,
        });
        self.untaken.push_back(name);
        self.hand_over();
    }

    /// Gives the threads as many errands as they take.
    fn hand_over(&mut self) {
        while let Some(name) = self.untaken.front().copied() {
            let errand = self.errands.iter().find(|errand| errand.name == name);
            if let Some(errand) = errand {
                let request = Request {
                    ticket: name,
                    ..errand.request.clone()
                };
                if !self.threads.start(request, 0.0) {
                    return;
                }
            }
            self.untaken.pop_front();
        }
    }

    /// Nobody waits for this any more.
    fn call_off(&mut self, ticket: Ticket) {
        let place = self
            .errands
            .iter()
            .position(|errand| errand.request.ticket == ticket);
        if let Some(place) = place {
            let errand = self.errands.remove(place);
            self.threads.cancel(errand.name);
        }
    }

    /// Takes what the threads have found out, and waits no longer than `longest` for the first of it.
    fn listen(&mut self, longest: Duration) {
        let mut heard = std::mem::take(&mut self.heard);
        if longest.is_zero() {
            self.threads.poll(0.0, &mut heard);
        } else {
            self.threads.poll_within(longest, &mut heard);
            self.silence = self.silence.saturating_add(longest);
        }
        if !heard.is_empty() {
            self.silence = Duration::ZERO;
        }
        for completion in heard.drain(..) {
            let name = completion.ticket;
            // An errand that was called off has nobody left to tell.
            if let Some(errand) = self.errands.iter_mut().find(|errand| errand.name == name) {
                errand.answer = Some((completion.bytes, completion.outcome));
            }
        }
        self.heard = heard;
        self.hand_over();
    }

    fn is_dead(&self) -> bool {
        self.silence >= self.patience
    }

    /// Whether there is an answer for each of these requests, or will be none.
    fn has_answers(&self, requests: &[Request]) -> bool {
        self.is_dead()
            || requests.iter().all(|request| {
                self.errands.iter().any(|errand| {
                    errand.request.ticket == request.ticket && errand.answer.is_some()
                })
            })
    }

    /// Waits, in slices, until there are answers for all `requests`; false when `cancel` was set before that.
    fn wait_for_answers(&mut self, requests: &[Request], cancel: Option<&AtomicBool>) -> bool {
        self.listen(Duration::ZERO);
        while !self.has_answers(requests) {
            if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return false;
            }
            self.listen(SLICE.min(self.patience));
        }
        true
    }

    /// How a request ended that is due.
    fn answer(&mut self, request: &Request) -> Completion {
        let ticket = request.ticket;
        let answer = self
            .errands
            .iter_mut()
            .find(|errand| errand.request.ticket == ticket)
            .and_then(|errand| errand.answer.take());
        self.call_off(ticket);
        let (bytes, outcome) = answer.unwrap_or_else(|| {
            let error = LoadError::TooSlow {
                path: request.path.to_path_buf(),
                seconds: self.patience.as_secs(),
            };
            (0, Outcome::Failed(error))
        });
        Completion {
            ticket,
            bytes,
            outcome,
        }
    }
}

/// The real disk takes as long as it takes; on paper a file that is not there takes as long as its bytes say.
fn takes_no_time(_: &Request) -> bool {
    false
}

impl Loader for PacedLoader {
    fn start(&mut self, request: Request, now: f64) -> bool {
        self.disk.advance(now, takes_no_time, &mut self.served);
        self.disk.start(request.clone(), now);
        self.send(request);
        true
    }

    fn cancel(&mut self, ticket: Ticket) {
        // What is served already is told as it is.
        if let Some(bytes) = self.disk.cancel(ticket) {
            self.call_off(ticket);
            self.cancelled.push(Completion {
                ticket,
                bytes,
                outcome: Outcome::Cancelled,
            });
        }
    }

    fn poll(&mut self, now: f64, completions: &mut Vec<Completion>) {
        self.disk.advance(now, takes_no_time, &mut self.served);
        completions.append(&mut self.cancelled);
        let served = std::mem::take(&mut self.served);
        self.wait_for_answers(&served, None);
        completions.extend(served.iter().map(|request| self.answer(request)));
    }

    fn progress(&self, ticket: Ticket) -> f32 {
        if self.served.iter().any(|request| request.ticket == ticket) {
            1.0
        } else {
            self.disk.progress(ticket)
        }
    }

    fn set_throttle(&mut self, throttle: Throttle) {
        self.disk.set_throttle(throttle);
    }

    fn wait_for(&mut self, now: f64, cancel: &AtomicBool) -> bool {
        // The disk itself stays at its time: until then its throttle may still change.
        let mut served = self.served.clone();
        self.disk.clone().advance(now, takes_no_time, &mut served);
        self.wait_for_answers(&served, Some(cancel))
    }
}

impl Resumable for PacedLoader {
    type Promises = PacedPromises;

    fn promises(&self) -> PacedPromises {
        PacedPromises {
            disk: self.disk.clone(),
            served: self.served.clone(),
            cancelled: self.cancelled.clone(),
        }
    }

    fn resume(&mut self, promises: &PacedPromises) {
        for errand in self.errands.drain(..) {
            self.threads.cancel(errand.name);
        }
        self.untaken.clear();
        let PacedPromises {
            disk,
            served,
            cancelled,
        } = promises.clone();
        let requests: Vec<Request> = served.iter().chain(disk.requests()).cloned().collect();
        self.disk = disk;
        self.served = served;
        self.cancelled = cancelled;
        for request in requests {
            self.send(request);
        }
    }

    fn byte_count(promises: &PacedPromises) -> usize {
        promises.disk.byte_count()
            + promises.served.capacity() * size_of::<Request>()
            + promises.cancelled.capacity() * size_of::<Completion>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::load_picture;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Instant;

    /// A file of 2,000 bytes takes a tenth of a second.
    const MBPS: f32 = 0.02;

    fn picture() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/rock-1.png")
    }

    fn request(object: u32, path: &Path) -> Request {
        Request {
            ticket: Ticket {
                object,
                generation: 0,
            },
            asset: 0,
            path: Arc::from(path),
            bytes: 2_000,
        }
    }

    fn loader() -> PacedLoader {
        let mut loader = PacedLoader::new(2).unwrap();
        loader.set_throttle(Throttle {
            mbps: MBPS,
            latency_ms: 20.0,
        });
        loader
    }

    /// Makes the real disk slow: each file takes at least this long.
    fn make_slow(loader: &mut PacedLoader, milliseconds: f32) {
        loader.threads.set_throttle(Throttle {
            mbps: 0.0,
            latency_ms: milliseconds,
        });
    }

    /// What is told when, over a second of simulated time in which requests are made and cancelled; with the progress of all.
    fn story(loader: &mut PacedLoader, keep_at: Option<u32>) -> Vec<String> {
        let missing = Path::new("there-is-no-such.png");
        let mut told = Vec::new();
        let mut kept = None;
        for tick in 0..60_u32 {
            let now = f64::from(tick) / 60.0;
            let mut completions = Vec::new();
            loader.poll(now, &mut completions);
            for completion in completions {
                let outcome = match completion.outcome {
                    Outcome::Loaded(image) => format!("{image:?}"),
                    Outcome::Failed(error) => error.to_string(),
                    Outcome::Cancelled => "cancelled".to_owned(),
                };
                told.push(format!("{tick}: {:?} {outcome}", completion.ticket));
            }
            if tick % 3 == 0 {
                let path = picture();
                let path = if tick % 9 == 0 { missing } else { &path };
                assert!(loader.start(request(tick, path), now));
            }
            if tick % 12 == 7 {
                loader.cancel(request(tick - 1, missing).ticket);
            }
            let progress: f32 = (0..60)
                .map(|object| loader.progress(request(object, missing).ticket))
                .sum();
            told.push(format!("{tick}: progress {progress}"));
            if keep_at == Some(tick) {
                kept = Some((loader.promises(), told.len()));
            }
        }
        if let Some((kept, before)) = kept {
            // What comes after is told again, by the same loader, after all that it did since.
            let first = told.split_off(before);
            loader.resume(&kept);
            let mut again = Vec::new();
            let first_tick = keep_at.map_or(0, |tick| tick + 1);
            for tick in first_tick..60 {
                let now = f64::from(tick) / 60.0;
                let mut completions = Vec::new();
                loader.poll(now, &mut completions);
                again.extend(completions.iter().map(|done| (tick, done.ticket)));
            }
            let wanted = first
                .iter()
                .filter(|line| line.contains("Ticket") && !line.contains("cancelled"))
                .count();
            assert!(again.len() >= 3 && again.len() <= wanted, "{again:?}");
            for (tick, ticket) in &again {
                let start = format!("{tick}: {ticket:?}");
                assert!(first.iter().any(|line| line.starts_with(&start)), "{start}");
            }
            told.extend(first);
        }
        told
    }

    #[test]
    fn history_does_not_depend_on_how_fast_the_disk_is() {
        let first = story(&mut loader(), None);
        let mut slow = loader();
        make_slow(&mut slow, 30.0);
        assert_eq!(story(&mut slow, None), first);
        for part in ["Image(", "no such file", "cancelled"] {
            assert!(first.iter().any(|line| line.contains(part)), "{part}");
        }
        let answer = first.iter().find(|line| line.contains("Ticket"));
        assert!(
            answer.is_some_and(|line| line.starts_with("8: Ticket { object: 6")),
            "a cancellation"
        );
        assert!(
            first
                .iter()
                .any(|line| line.starts_with("8: Ticket { object: 0"))
        );
    }

    #[test]
    fn promises_are_kept_at_the_same_moments_after_a_resumption() {
        let first = story(&mut loader(), None);
        assert_eq!(story(&mut loader(), Some(25)), first);
    }

    #[test]
    fn progress_is_that_of_the_simulated_disk() {
        let mut loader = loader();
        loader.set_throttle(Throttle {
            mbps: 0.002,
            latency_ms: 500.0,
        });
        let request = request(0, &picture());
        let ticket = request.ticket;
        assert!(loader.start(request, 0.0));
        for (now, progress) in [(0.25, 0.0), (0.5, 0.0), (0.75, 0.25), (1.4, 0.9)] {
            let mut completions = Vec::new();
            loader.poll(now, &mut completions);
            assert!(completions.is_empty());
            assert!((loader.progress(ticket) - progress).abs() < 1.0e-5);
        }
        let mut completions = Vec::new();
        loader.poll(1.5, &mut completions);
        let image = load_picture(&picture()).unwrap();
        assert_eq!(completions[0].outcome, Outcome::Loaded(Arc::new(image)));
    }

    #[test]
    fn a_wait_for_the_real_disk_can_be_cancelled_and_changes_nothing() {
        let mut loader = loader();
        make_slow(&mut loader, 60_000.0);
        assert!(loader.start(request(0, &picture()), 0.0));
        let cancel = AtomicBool::new(false);
        assert!(loader.wait_for(0.01, &cancel), "nothing is due yet");
        let before = format!("{:?}", loader.promises());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                cancel.store(true, Ordering::Relaxed);
            });
            assert!(!loader.wait_for(1.0, &cancel));
        });
        assert_eq!(format!("{:?}", loader.promises()), before);
    }

    #[test]
    fn a_dead_disk_fails_what_is_due_and_is_waited_for_once() {
        let mut loader = loader();
        loader.patience = Duration::from_millis(200);
        make_slow(&mut loader, 60_000.0);
        let begun = Instant::now();
        let mut completions = Vec::new();
        for object in 0..20 {
            assert!(loader.start(request(object, &picture()), f64::from(object)));
            loader.poll(f64::from(object) + 0.5, &mut completions);
        }
        assert_eq!(completions.len(), 20);
        let expected = "rock-1.png: the disk has not answered for 0 s";
        for completion in &completions {
            let Outcome::Failed(error) = &completion.outcome else {
                panic!("{completion:?}");
            };
            assert!(error.to_string().ends_with(expected), "{error}");
        }
        // Twenty waits would take four seconds.
        assert!(begun.elapsed() < Duration::from_secs(2));
        // Once the disk is back, so are the files. The old errands were called off and end at once.
        make_slow(&mut loader, 0.0);
        let mut now = 30.0;
        let back = loop {
            assert!(now < 3_000.0, "the disk is back");
            let mut completions = Vec::new();
            assert!(loader.start(request(50, &picture()), now));
            loader.poll(now + 1.0, &mut completions);
            if let Outcome::Loaded(_) = &completions[0].outcome {
                break completions;
            }
            std::thread::sleep(Duration::from_millis(5));
            now += 2.0;
        };
        assert_eq!(back.len(), 1);
        assert_eq!(back[0].ticket.object, 50);
    }

    #[test]
    fn what_is_no_file_fails_and_does_not_hang() {
        let mut loader = loader();
        let mut completions = Vec::new();
        assert!(loader.start(request(0, Path::new(env!("CARGO_MANIFEST_DIR"))), 0.0));
        loader.poll(1.0, &mut completions);
        let Outcome::Failed(LoadError::NotAFile { .. }) = &completions[0].outcome else {
            panic!("{completions:?}");
        };
    }
}
