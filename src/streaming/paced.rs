//! Real files, read by real threads, whose answers are told at moments of the simulated time alone.

use super::disk::Disk;
use super::keep::Resumable;
use super::loader::{
    Completion, LoadError, Loader, Outcome, Request, ThreadLoader, Throttle, Ticket,
};
use super::reread::{Answer, Moment, REREAD_BUDGET, ReadCache, Versions};
use super::statistics::Reread;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
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
/// Time that is gone over again ([`Loader::know_until`], and what a resumption asks for) is served from what was read the first
/// time, as far as a budget of bytes allows, and due at the same moments; [`Loader::reread`] says when files had to be read again.
///
/// What is read, and when it arrives, goes by the bytes that the request says, as with [`super::SimulatedLoader`]; of a file of
/// which nothing could be read, nothing counts. Only what going over known time takes of the real disk ([`Loader::reread`])
/// goes by the real files. So the history depends on the settings, on the metadata and on what is in the files, and on nothing
/// else, unless the disk dies.
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
    cache: ReadCache,
    reread: Reread,
    /// When it was called last, in seconds.
    now: f64,
    /// Until when time is gone over again, in seconds.
    known_until: f64,
    /// Reused by every look.
    heard: Vec<Completion>,
}

/// A request to the threads.
#[derive(Debug)]
struct Errand {
    /// What the threads know it by.
    name: Ticket,
    request: Request,
    /// When it was asked for, in seconds; before all time when that was before a resumption.
    made_at: f64,
    source: Source,
    /// What the threads say; `None` while they have not.
    answer: Option<Answer>,
}

/// Where the answer of an errand comes from.
#[derive(Debug)]
enum Source {
    /// From the disk.
    Disk,
    /// From the disk, although it was known once.
    DiskAgain,
    /// From what was read before. The threads know nothing of it.
    Cache(Versions),
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
            cache: ReadCache::new(REREAD_BUDGET),
            reread: Reread::default(),
            now: 0.0,
            known_until: f64::NEG_INFINITY,
            heard: Vec::new(),
        })
    }

    /// The same, for files that all have to lie below `folder`, as [`ThreadLoader::below`] has it.
    pub fn below(mut self, folder: &Path) -> Self {
        self.threads = self.threads.below(folder);
        self
    }

    /// How many bytes may be kept of what was read, for time that is gone over again. With none all is read again.
    pub fn set_reread_budget(&mut self, bytes: usize) {
        self.cache.set_budget(bytes);
    }

    /// Takes over what another loader has read, and the figures of that.
    pub(super) fn inherit(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.cache, &mut other.cache);
        self.reread = other.reread;
    }

    /// Sends for a file: to what is kept of known time, else to the threads.
    fn send(&mut self, request: Request, made_at: f64) {
        let is_known = made_at <= self.known_until;
        let kept = if is_known {
            self.cache.find(&request.path)
        } else {
            None
        };
        let source = match kept {
            Some(versions) => Source::Cache(versions),
            None if is_known => Source::DiskAgain,
            None => Source::Disk,
        };
        let name = Ticket {
            object: self.errand_count as u32,
            generation: (self.errand_count >> 32) as u32,
        };
        self.errand_count += 1;
        if !matches!(source, Source::Cache(_)) {
            self.untaken.push_back(name);
        }
        self.errands.push(Errand {
            name,
            request,
            made_at,
            source,
            answer: None,
        });
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

    /// The errand of a request, which is done with.
    fn take_errand(&mut self, ticket: Ticket) -> Option<Errand> {
        let place = self
            .errands
            .iter()
            .position(|errand| errand.request.ticket == ticket)?;
        Some(self.errands.remove(place))
    }

    /// Nobody waits for this any more. What was read of it already is kept: whoever goes back may ask again.
    fn call_off(&mut self, errand: Errand) {
        match errand.answer {
            Some(answer) => {
                self.keep(&errand.request, Moment::after(self.now), answer);
            }
            None => self.threads.cancel(errand.name),
        }
    }

    /// Keeps what was read, and gives it back.
    fn keep(&mut self, request: &Request, moment: Moment, answer: Answer) -> Answer {
        let is_first = moment.seconds > self.known_until;
        self.cache.note(&request.path, moment, answer, is_first)
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
                if matches!(errand.source, Source::DiskAgain) {
                    self.reread.read_again += 1;
                    self.reread.bytes += completion.bytes;
                }
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
                    let is_there = errand.answer.is_some() || errand.source.is_cache();
                    errand.request.ticket == request.ticket && is_there
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

    /// How a request ended that is due as one of a poll's answers.
    fn answer(&mut self, request: &Request, place: u32) -> Completion {
        let moment = Moment {
            seconds: self.now,
            place,
        };
        let errand = self.take_errand(request.ticket);
        let (source, answer) = match errand {
            Some(errand) => {
                if errand.answer.is_none() {
                    self.threads.cancel(errand.name);
                }
                (errand.source, errand.answer)
            }
            None => (Source::Disk, None),
        };
        let known = match &source {
            Source::Cache(versions) => versions.at(moment),
            Source::Disk | Source::DiskAgain => None,
        };
        let too_slow = || {
            let error = LoadError::TooSlow {
                path: request.path.to_path_buf(),
                seconds: self.patience.as_secs(),
            };
            (0, Outcome::Failed(error))
        };
        let (bytes, outcome) = match (known, answer) {
            (Some(known), _) => {
                self.reread.from_cache += 1;
                known
            }
            (None, Some(answer)) => self.keep(request, moment, answer),
            // What the disk did not say the first time is how it was; what it does not say now says nothing of then.
            (None, None) if matches!(source, Source::DiskAgain) => too_slow(),
            (None, None) => {
                let answer = too_slow();
                self.keep(request, moment, answer)
            }
        };
        // The file stands for an object of so many bytes, which are what the disk on paper had to read of it.
        let bytes = if bytes == 0 { 0 } else { request.bytes };
        Completion {
            ticket: request.ticket,
            bytes,
            outcome,
        }
    }
}

impl Source {
    fn is_cache(&self) -> bool {
        matches!(self, Self::Cache(_))
    }
}

/// The real disk takes as long as it takes; on paper a file that is not there takes as long as its bytes say.
fn takes_no_time(_: &Request) -> bool {
    false
}

impl Loader for PacedLoader {
    fn start(&mut self, request: Request, now: f64) -> bool {
        self.now = now;
        self.disk.advance(now, takes_no_time, &mut self.served);
        self.disk.start(request.clone(), now);
        self.send(request, now);
        true
    }

    fn cancel(&mut self, ticket: Ticket) {
        // What is served already is told as it is.
        if let Some(bytes) = self.disk.cancel(ticket) {
            if let Some(errand) = self.take_errand(ticket) {
                self.call_off(errand);
            }
            self.cancelled.push(Completion {
                ticket,
                bytes,
                outcome: Outcome::Cancelled,
            });
        }
    }

    fn poll(&mut self, now: f64, completions: &mut Vec<Completion>) {
        self.now = now;
        self.disk.advance(now, takes_no_time, &mut self.served);
        completions.append(&mut self.cancelled);
        let served = std::mem::take(&mut self.served);
        self.wait_for_answers(&served, None);
        let answers = (0..).zip(&served);
        completions.extend(answers.map(|(place, request)| self.answer(request, place)));
    }

    fn progress(&self, ticket: Ticket) -> f32 {
        if self.served.iter().any(|request| request.ticket == ticket) {
            1.0
        } else {
            self.disk.progress(ticket)
        }
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

    fn wait_for(&mut self, now: f64, cancel: &AtomicBool) -> bool {
        // The disk itself stays at its time: until then its throttle may still change.
        let mut served = self.served.clone();
        self.disk.clone().advance(now, takes_no_time, &mut served);
        self.wait_for_answers(&served, Some(cancel))
    }

    fn know_until(&mut self, seconds: f64) {
        self.known_until = seconds;
        // What was asked for later than that was not known after all.
        for errand in &mut self.errands {
            if errand.made_at > seconds && !matches!(errand.source, Source::Disk) {
                if errand.source.is_cache() {
                    self.untaken.push_back(errand.name);
                }
                errand.source = Source::Disk;
            }
        }
        self.hand_over();
    }

    fn reread(&self) -> Reread {
        Reread {
            cache_bytes: self.cache.byte_count() as u64,
            ..self.reread
        }
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
        let mut before = std::mem::take(&mut self.errands);
        let PacedPromises {
            disk,
            served,
            cancelled,
        } = promises.clone();
        let requests: Vec<Request> = served.iter().chain(disk.requests()).cloned().collect();
        self.disk = disk;
        self.served = served;
        self.cancelled = cancelled;
        // Whatever was asked for then had been asked for before: it is known, or on its way.
        self.known_until = f64::INFINITY;
        for request in requests {
            let is_same = |errand: &Errand| errand.request == request && !errand.source.is_cache();
            match before.iter().position(is_same) {
                Some(place) if !self.cache.holds(&request.path) => self.errands.push(Errand {
                    made_at: f64::NEG_INFINITY,
                    ..before.swap_remove(place)
                }),
                _ => self.send(request, f64::NEG_INFINITY),
            }
        }
        for errand in before {
            self.call_off(errand);
        }
        let left = |name: &Ticket| self.errands.iter().any(|errand| errand.name == *name);
        self.untaken.retain(left);
        self.known_until = self.disk.clock();
        self.now = self.known_until;
    }

    fn byte_count(promises: &PacedPromises) -> usize {
        promises.disk.byte_count()
            + promises.served.capacity() * size_of::<Request>()
            + promises.cancelled.capacity() * size_of::<Completion>()
    }
}

#[cfg(test)]
mod tests;
