//! How pictures are fetched: what a loader promises, and the one that reads and decodes real files on background threads.
//!
//! Invariant: this is the only file of the library's streaming that has files read, and the only one that waits.
//!
//! Invariant: each request that was taken is answered by exactly one completion, cancelled ones included, so what is in
//! flight is always known.

use super::picture_size::PictureSize;
use super::shelf::Shelf;
use super::statistics::Reread;
use crate::files::{self, Open, ReadError};
use image::codecs::png::PngDecoder;
use image::error::{LimitError, LimitErrorKind};
use image::{ColorType, ImageDecoder, ImageError};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A decoded picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, the top row first: 4 · width · height bytes.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Image({} × {})", self.width, self.height)
    }
}

/// Names one request: an object's number and the count of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// For which object.
    pub object: u32,
    /// Its how-manieth request. A completion with an old one is dropped.
    pub generation: u32,
}

/// What a loader is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What the completion will be known by.
    pub ticket: Ticket,
    /// The asset's number.
    pub asset: u32,
    /// Where the asset's file is.
    pub path: Arc<Path>,
    /// How many bytes it is said to have. A loader of real files reads what there is.
    pub bytes: u64,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// To which request.
    pub ticket: Ticket,
    /// How many bytes were read.
    pub bytes: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With a picture.
    Loaded(Arc<Image>),
    /// With a reason why there is none.
    Failed(LoadError),
    /// It was cancelled before it ended otherwise.
    Cancelled,
}

/// Why there is no picture. Each is one sentence that begins with the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// No such file.
    #[error("{}: there is no such file", path.display())]
    Missing {
        /// Which.
        path: PathBuf,
    },
    /// A folder, a pipe or a device.
    #[error("{}: this is not a regular file", path.display())]
    NotAFile {
        /// Which.
        path: PathBuf,
    },
    /// A link leads out of the scene's folder.
    #[error("{}: this is a link that leads out of the scene's folder", path.display())]
    Outside {
        /// Which.
        path: PathBuf,
    },
    /// The system says no.
    #[error("{}: the file cannot be read ({reason})", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system gives no memory for the file or for the picture in it.
    #[error("{}: there is not enough memory for this picture", path.display())]
    NoMemory {
        /// Which.
        path: PathBuf,
    },
    /// More than [`FILE_BYTE_LIMIT`].
    #[error("{}: the file has more than {FILE_BYTE_LIMIT} bytes", path.display())]
    TooLarge {
        /// Which.
        path: PathBuf,
    },
    /// Somebody waited for the disk, and in vain.
    #[error("{}: the disk has not answered for {seconds} s", path.display())]
    TooSlow {
        /// Which.
        path: PathBuf,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Not a PNG file, a broken one, or one with a side of more than [`PICTURE_SIDE_LIMIT`].
    #[error("{}: this is not a PNG picture that can be read ({reason})", path.display())]
    NotAPicture {
        /// Which.
        path: PathBuf,
        /// What the decoder says.
        reason: String,
    },
}

impl LoadError {
    fn of_file(path: &Path, error: ReadError) -> Self {
        let path = path.to_owned();
        match error {
            ReadError::Missing => Self::Missing { path },
            ReadError::Folder | ReadError::NotAFile => Self::NotAFile { path },
            ReadError::TooLong => Self::TooLarge { path },
            ReadError::Outside => Self::Outside { path },
            ReadError::NoMemory => Self::NoMemory { path },
            ReadError::Denied | ReadError::System(_) => Self::Unreadable {
                path,
                reason: error.to_string(),
            },
        }
    }
}

/// The largest file that is read, in bytes. Checked before memory is taken.
pub const FILE_BYTE_LIMIT: u64 = crate::scene::limits::MAX_OBJECT_BYTES;

/// The longest side of a picture, in pixels. Checked before memory is taken.
pub const PICTURE_SIDE_LIMIT: u32 = 4096;

/// How slow the loader is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Throttle {
    /// Megabytes (10⁶ bytes) a second of all requests together; 0 for no limit.
    pub mbps: f32,
    /// The wait before each file, in milliseconds.
    pub latency_ms: f32,
}

impl Throttle {
    /// The seconds that `bytes` take, latency aside.
    pub fn transfer_seconds(self, bytes: u64) -> f64 {
        if self.mbps > 0.0 {
            bytes as f64 / (f64::from(self.mbps) * 1.0e6)
        } else {
            0.0
        }
    }

    /// The latency in seconds.
    pub fn latency_seconds(self) -> f64 {
        f64::from(self.latency_ms) * 1.0e-3
    }
}

/// Fetches pictures, in its own time.
pub trait Loader {
    /// Takes a request, or does not because it has too many; then it may be asked again later. `now` is the caller's clock
    /// in seconds, which only a simulated loader goes by.
    fn start(&mut self, request: Request, now: f64) -> bool;

    /// Asks to give up a request as soon as possible. Its completion still comes.
    fn cancel(&mut self, ticket: Ticket);

    /// Appends the completions since the last call to `completions`. Waits only where [`Loader::wait_for`] says so, and never
    /// for long.
    fn poll(&mut self, now: f64, completions: &mut Vec<Completion>);

    /// How much of a request is read, from 0 to 1.
    fn progress(&self, ticket: Ticket) -> f32;

    /// The bytes that the disk has read since this was asked last, those of a request as they are read and not when it is
    /// answered; `None` from a loader that keeps no account of that.
    fn take_read_bytes(&mut self) -> Option<f64> {
        None
    }

    /// How long the disk has read nothing since the beginning, in seconds; `None` from a loader that keeps no account of that.
    fn idle_seconds(&self) -> Option<f64> {
        None
    }

    /// Sets how slow it is made, from now on.
    fn set_throttle(&mut self, throttle: Throttle);

    /// Waits until a poll at `now` need not wait; false when `cancel` was set before that. Nothing that the caller can see
    /// changes either way, so that who is cancelled may come again. Only a loader whose answers are due at given moments
    /// ([`super::PacedLoader`]) has anything to wait for.
    fn wait_for(&mut self, _now: f64, _cancel: &AtomicBool) -> bool {
        true
    }

    /// Everything until `seconds`, and nothing later, was gone through before and is gone over again: what is asked for until
    /// then may be answered by what was read the first time.
    fn know_until(&mut self, _seconds: f64) {}

    /// What going over known time again took of the disk.
    fn reread(&self) -> Reread {
        Reread::default()
    }
}

/// How many bytes each file has, without reading it; 0 for one that is not there.
pub fn byte_sizes(paths: &[PathBuf]) -> Vec<u64> {
    let size = |path: &PathBuf| files::length(path).unwrap_or_default();
    paths.iter().map(size).collect()
}

/// How large each picture is, by the first bytes of its file; nothing is known of a file that is not there, is no PNG picture, or
/// is larger than what is loaded.
pub fn picture_sizes(paths: &[PathBuf]) -> Vec<PictureSize> {
    let size = |path: &PathBuf| {
        let mut head = Vec::new();
        open(None, path).ok()?.read_piece(&mut head).ok()?;
        let size = PictureSize::of_png(head.first_chunk()?)?;
        (size.width.max(size.height) <= PICTURE_SIDE_LIMIT).then_some(size)
    };
    paths
        .iter()
        .map(|path| size(path).unwrap_or_default())
        .collect()
}

/// How many requests the threads take at once. The channels are as long, so that neither side ever waits to put
/// something in.
const REQUEST_LIMIT: usize = 256;

/// A thread that waits looks this often whether it still should.
const NAP: Duration = Duration::from_millis(4);

/// Who ends waits at the longest this long for threads that are reading.
const LONGEST_GOODBYE: Duration = Duration::from_secs(2);

/// Reads and decodes PNG files on threads of its own, which end, and are waited for (but not for a disk that is dead), when
/// it is dropped.
#[derive(Debug)]
pub struct ThreadLoader {
    /// `None` once the threads were told to end.
    requests: Option<SyncSender<(Request, Arc<Token>)>>,
    completions: Option<Receiver<Completion>>,
    threads: Vec<JoinHandle<()>>,
    shared: Arc<Shared>,
    in_flight: Vec<(Ticket, Arc<Token>)>,
}

/// What a request and whoever asked for it share.
#[derive(Debug, Default)]
struct Token {
    cancelled: AtomicBool,
    /// How much is read, in thousandths.
    progress: AtomicU32,
}

/// What all threads share.
#[derive(Debug, Default)]
struct Shared {
    ending: AtomicBool,
    /// Below which every file has to lie, if that is said.
    folder: OnceLock<PathBuf>,
    disk: Mutex<Disk>,
    /// What was decoded and is still held: the same file is decoded once, however many ask for it.
    decoded: Shelf<Image>,
}

/// The simulated disk: one arm, which all threads take in turns.
#[derive(Debug, Default)]
struct Disk {
    throttle: Throttle,
    /// When the arm is free again.
    free_at: Option<Instant>,
}

impl ThreadLoader {
    /// Starts `thread_count` threads, at least one.
    pub fn new(thread_count: usize) -> io::Result<Self> {
        let (requests, taken) = sync_channel(REQUEST_LIMIT);
        let (done, completions) = sync_channel(REQUEST_LIMIT);
        let taken = Arc::new(Mutex::new(taken));
        let mut loader = Self {
            requests: Some(requests),
            completions: Some(completions),
            threads: Vec::new(),
            shared: Arc::default(),
            in_flight: Vec::new(),
        };
        for number in 0..thread_count.max(1) {
            let (taken, done, shared) = (taken.clone(), done.clone(), loader.shared.clone());
            // Where a thread cannot be started, dropping the loader ends those that were.
            let thread = thread::Builder::new()
                .name(format!("loader {number}"))
                .spawn(move || work(&taken, &done, &shared))?;
            loader.threads.push(thread);
        }
        Ok(loader)
    }

    /// The same, for files that all have to lie below `folder`, whatever links lead to them. Said once, before the first
    /// request.
    pub fn below(self, folder: &Path) -> Self {
        // A second folder is not taken: what was promised of the first still holds.
        let _ = self.shared.folder.set(folder.to_owned());
        self
    }

    /// Like [`Loader::poll`], but where there is nothing yet, waits for the first answer, at the longest for `longest`.
    pub(super) fn poll_within(&mut self, longest: Duration, completions: &mut Vec<Completion>) {
        let Some(done) = &self.completions else {
            return;
        };
        match done.recv_timeout(longest) {
            Ok(completion) => self.take(completion, completions),
            Err(RecvTimeoutError::Timeout) => return,
            // Nobody is left to answer; who waits shall not spin.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(longest),
        }
        self.poll(0.0, completions);
    }

    fn take(&mut self, completion: Completion, completions: &mut Vec<Completion>) {
        self.in_flight
            .retain(|(ticket, _)| *ticket != completion.ticket);
        completions.push(completion);
    }
}

impl Loader for ThreadLoader {
    fn start(&mut self, request: Request, _now: f64) -> bool {
        if self.in_flight.len() >= REQUEST_LIMIT {
            return false;
        }
        let Some(requests) = &self.requests else {
            return false;
        };
        let ticket = request.ticket;
        let token = Arc::new(Token::default());
        let taken = requests.try_send((request, token.clone())).is_ok();
        if taken {
            self.in_flight.push((ticket, token));
        }
        taken
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some((_, token)) = self.in_flight.iter().find(|(other, _)| *other == ticket) {
            token.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn poll(&mut self, _now: f64, completions: &mut Vec<Completion>) {
        while let Some(done) = &self.completions
            && let Ok(completion) = done.try_recv()
        {
            self.take(completion, completions);
        }
    }

    fn progress(&self, ticket: Ticket) -> f32 {
        self.in_flight
            .iter()
            .find(|(other, _)| *other == ticket)
            .map_or(0.0, |(_, token)| {
                token.progress.load(Ordering::Relaxed) as f32 / 1000.0
            })
    }

    fn set_throttle(&mut self, throttle: Throttle) {
        let mut disk = lock(&self.shared.disk);
        if disk.throttle != throttle {
            disk.throttle = throttle;
            disk.free_at = None;
        }
    }
}

impl Drop for ThreadLoader {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::Relaxed);
        self.requests = None;
        self.completions = None;
        let begun = Instant::now();
        for thread in self.threads.drain(..) {
            while !thread.is_finished() && begun.elapsed() < LONGEST_GOODBYE {
                thread::sleep(NAP / 4);
            }
            // One that hangs in a read of a dead disk is left behind: it holds nothing but its file, and ends with its read.
            if thread.is_finished() {
                // A thread that panicked has nothing left to say here.
                let _ = thread.join();
            }
        }
    }
}

/// A lock whose holder panicked guards plain numbers, which are as good as before.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The life of a thread: take a request, answer it, until the other end is gone.
fn work(
    requests: &Mutex<Receiver<(Request, Arc<Token>)>>,
    completions: &SyncSender<Completion>,
    shared: &Shared,
) {
    loop {
        let taken = lock(requests).recv();
        let Ok((request, token)) = taken else {
            return;
        };
        let mut fetch = Fetch {
            path: &request.path,
            token: &token,
            shared,
            bytes: 0,
        };
        let outcome = match fetch.run() {
            Ok(image) => Outcome::Loaded(image),
            Err(Stop::Cancelled) => Outcome::Cancelled,
            Err(Stop::Failed(error)) => Outcome::Failed(error),
        };
        let completion = Completion {
            ticket: request.ticket,
            bytes: fetch.bytes,
            outcome,
        };
        if completions.send(completion).is_err() {
            return;
        }
    }
}

/// Why a fetch did not end with a picture.
enum Stop {
    Cancelled,
    Failed(LoadError),
}

impl From<LoadError> for Stop {
    fn from(error: LoadError) -> Self {
        Self::Failed(error)
    }
}

/// One file on its way to a picture.
struct Fetch<'a> {
    path: &'a Path,
    token: &'a Token,
    shared: &'a Shared,
    /// How many bytes were read.
    bytes: u64,
}

impl Fetch<'_> {
    fn run(&mut self) -> Result<Arc<Image>, Stop> {
        let latency = lock(&self.shared.disk).throttle.latency_seconds();
        self.wait_until(Instant::now() + wait(latency))?;
        let file = self.read()?;
        self.go_on()?;
        let decode = || decode(self.path, &file);
        Ok(self.shared.decoded.share(self.path, &file, decode)?)
    }

    fn read(&mut self) -> Result<Vec<u8>, Stop> {
        let failed = |error| LoadError::of_file(self.path, error);
        let mut file = open(self.shared.folder.get().map(PathBuf::as_path), self.path)?;
        let length = file.length();
        let mut content = Vec::new();
        loop {
            // Between two pieces a request can be cancelled.
            self.go_on()?;
            let piece = file.read_piece(&mut content).map_err(failed)?;
            if piece == 0 {
                return Ok(content);
            }
            self.bytes += piece as u64;
            self.wait_for_disk(piece as u64)?;
            let share = self.bytes.min(length) * 1000 / length.max(1);
            self.token.progress.store(share as u32, Ordering::Relaxed);
        }
    }

    /// Waits as long as the simulated disk needs for `bytes`, after all that it was asked for before.
    fn wait_for_disk(&self, bytes: u64) -> Result<(), Stop> {
        let until = {
            let mut disk = lock(&self.shared.disk);
            let seconds = disk.throttle.transfer_seconds(bytes);
            if seconds == 0.0 {
                return Ok(());
            }
            let now = Instant::now();
            let free_at = disk.free_at.map_or(now, |free_at| free_at.max(now));
            let until = free_at + wait(seconds);
            disk.free_at = Some(until);
            until
        };
        self.wait_until(until)
    }

    fn wait_until(&self, until: Instant) -> Result<(), Stop> {
        loop {
            self.go_on()?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(NAP));
        }
    }

    /// Stops a fetch that nobody waits for any more.
    fn go_on(&self) -> Result<(), Stop> {
        if self.token.cancelled.load(Ordering::Relaxed)
            || self.shared.ending.load(Ordering::Relaxed)
        {
            Err(Stop::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// What latency or one piece waits at the most, however slow the disk is said to be.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// `seconds`, but no longer than [`LONGEST_WAIT`], which is also what a number that makes no sense means.
fn wait(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT))
}

/// Opens a file that may be read; below a folder, if there is one.
fn open(folder: Option<&Path>, path: &Path) -> Result<Open, LoadError> {
    let opened = match folder {
        Some(folder) => files::open_below(folder, path, FILE_BYTE_LIMIT),
        None => files::open(path, FILE_BYTE_LIMIT),
    };
    opened.map_err(|error| LoadError::of_file(path, error))
}

/// Reads and decodes a picture here and now: without a thread, a throttle or a way to give up.
pub fn load_picture(path: &Path) -> Result<Image, LoadError> {
    read_and_decode(None, path)
}

/// Like [`load_picture`], for one that has to lie below `folder`, whatever links lead to it.
pub fn load_picture_below(folder: &Path, path: &Path) -> Result<Image, LoadError> {
    read_and_decode(Some(folder), path)
}

fn read_and_decode(folder: Option<&Path>, path: &Path) -> Result<Image, LoadError> {
    let file = open(folder, path)?
        .read_all()
        .map_err(|error| LoadError::of_file(path, error))?;
    decode(path, &file)
}

fn decode(path: &Path, file: &[u8]) -> Result<Image, LoadError> {
    let broken = |reason: &str| LoadError::NotAPicture {
        path: path.to_owned(),
        reason: reason.trim_end_matches('.').to_owned(),
    };
    if !has_whole_palettes(file) {
        return Err(broken("its palette ends within a colour"));
    }
    // A fuzzer has made the decoder panic before. A thread that ended so would leave its request without an answer.
    let decoded = std::panic::catch_unwind(|| decode_png(file));
    match decoded.map_err(|_| broken("the decoder gave up"))? {
        Ok(image) => Ok(image),
        Err(ImageError::Limits(error)) if is_of_memory(&error) => Err(LoadError::NoMemory {
            path: path.to_owned(),
        }),
        Err(error) => Err(broken(&error.to_string())),
    }
}

fn decode_png(file: &[u8]) -> Result<Image, ImageError> {
    let no_memory =
        || ImageError::Limits(LimitError::from_kind(LimitErrorKind::InsufficientMemory));
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(PICTURE_SIDE_LIMIT);
    limits.max_image_height = Some(PICTURE_SIDE_LIMIT);
    let decoder = PngDecoder::with_limits(Cursor::new(file), limits)?;
    let (width, height) = decoder.dimensions();
    let color = decoder.color_type();
    // The sides are limited, so that this is no more than 128 MiB.
    let mut pixels = zeros(decoder.total_bytes()).ok_or_else(no_memory)?;
    decoder.read_image(&mut pixels)?;
    let rgba = match color {
        ColorType::Rgba8 => pixels,
        _ => {
            let mut rgba = zeros(u64::from(width) * u64::from(height) * 4).ok_or_else(no_memory)?;
            to_rgba8(color, &pixels, &mut rgba);
            rgba
        }
    };
    Ok(Image {
        width,
        height,
        rgba,
    })
}

/// Whether every palette of a PNG file consists of at most 256 whole colours, which the decoder takes for granted.
fn has_whole_palettes(file: &[u8]) -> bool {
    const SIGNATURE_BYTES: usize = 8;
    const CHECKSUM_BYTES: usize = 4;
    let mut rest = file.get(SIGNATURE_BYTES..).unwrap_or_default();
    while let Some(([a, b, c, d, kind @ ..], data)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        if kind == b"PLTE" && (!length.is_multiple_of(3) || length > 3 * 256) {
            return false;
        }
        rest = data
            .get(length.saturating_add(CHECKSUM_BYTES)..)
            .unwrap_or_default();
    }
    true
}

fn is_of_memory(error: &LimitError) -> bool {
    matches!(error.kind(), LimitErrorKind::InsufficientMemory)
}

/// So many bytes, if there is memory for them.
fn zeros(count: u64) -> Option<Vec<u8>> {
    let count = usize::try_from(count).ok()?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count).ok()?;
    bytes.resize(count, 0);
    Some(bytes)
}

/// Brings pixels as the decoder gives them into red, green, blue and alpha of a byte each.
fn to_rgba8(color: ColorType, pixels: &[u8], rgba: &mut [u8]) {
    // Sixteen bits are rounded to the nearest of eight.
    let short = |wide: [u8; 2]| ((u32::from(u16::from_ne_bytes(wide)) + 128) / 257) as u8;
    let channels = usize::from(color.channel_count());
    let bytes = usize::from(color.bytes_per_pixel());
    let targets = rgba.chunks_exact_mut(4);
    for (pixel, target) in pixels.chunks_exact(bytes).zip(targets) {
        let channel = |index: usize| {
            if bytes == channels {
                pixel[index]
            } else {
                short([pixel[index * 2], pixel[index * 2 + 1]])
            }
        };
        let opaque = u8::MAX;
        target.copy_from_slice(&match channels {
            1 => [channel(0), channel(0), channel(0), opaque],
            2 => [channel(0), channel(0), channel(0), channel(1)],
            3 => [channel(0), channel(1), channel(2), opaque],
            _ => [channel(0), channel(1), channel(2), channel(3)],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{DynamicImage, ImageBuffer};

    /// A PNG of the picture, and its pixels by the ways of the library that wrote it.
    fn agrees(picture: DynamicImage) {
        let mut file = Cursor::new(Vec::new());
        picture
            .write_to(&mut file, image::ImageFormat::Png)
            .unwrap();
        let found = decode(Path::new("x.png"), file.get_ref()).unwrap();
        let expected = picture.into_rgba8();
        assert_eq!((found.width, found.height), expected.dimensions());
        assert!(found.rgba == expected.into_raw());
    }

    #[test]
    fn every_kind_of_pixel_becomes_what_it_was() {
        let byte = |x: u32, y: u32, channel: u32| (x * 7 + y * 31 + channel * 101) as u8;
        let (width, height) = (37, 23);
        let make = |x, y| [0, 1, 2, 3].map(|channel| byte(x, y, channel));
        let eight = ImageBuffer::from_fn(width, height, |x, y| image::Rgba(make(x, y)));
        let eight = DynamicImage::ImageRgba8(eight);
        // Every value of sixteen bits there is.
        let wide = ImageBuffer::from_fn(256, 256, |x, y| {
            let value = (y * 256 + x) as u16;
            image::Rgba([value, !value, value.rotate_left(5), value.swap_bytes()])
        });
        let wide = DynamicImage::ImageRgba16(wide);
        for picture in [&eight, &wide] {
            agrees(DynamicImage::ImageLuma8(picture.to_luma8()));
            agrees(DynamicImage::ImageLumaA8(picture.to_luma_alpha8()));
            agrees(DynamicImage::ImageRgb8(picture.to_rgb8()));
            agrees(DynamicImage::ImageRgba8(picture.to_rgba8()));
            agrees(DynamicImage::ImageLuma16(picture.to_luma16()));
            agrees(DynamicImage::ImageLumaA16(picture.to_luma_alpha16()));
            agrees(DynamicImage::ImageRgb16(picture.to_rgb16()));
            agrees(DynamicImage::ImageRgba16(picture.to_rgba16()));
        }
    }

    #[test]
    fn progress_is_a_share_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("three-pieces.png");
        // A file is read in pieces of so many bytes.
        const PIECE: usize = 32 << 10;
        std::fs::write(&path, vec![0; 3 * PIECE]).unwrap();
        let mut loader = ThreadLoader::new(1).unwrap();
        // A third of a second for each piece.
        loader.set_throttle(Throttle {
            mbps: PIECE as f32 * 3.0 / 1e6,
            latency_ms: 0.0,
        });
        let ticket = Ticket {
            object: 0,
            generation: 0,
        };
        let request = Request {
            ticket,
            asset: 0,
            path: Arc::from(path),
            bytes: 1,
        };
        assert!(loader.start(request, 0.0));
        let (mut shares, mut done) = (Vec::new(), Vec::new());
        while done.is_empty() {
            shares.push(loader.progress(ticket));
            loader.poll_within(Duration::from_millis(5), &mut done);
        }
        shares.dedup();
        let is_known = |share: &f32| [0.0, 0.333, 0.666, 1.0].contains(share);
        assert!(shares.iter().all(is_known), "{shares:?}");
        assert!(shares.contains(&0.333) && shares.is_sorted(), "{shares:?}");
    }

    #[test]
    fn a_palette_that_ends_within_a_colour_is_no_picture() {
        let replay = "tests/replays/picture/e571578d6d0364f5";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(replay);
        let error = load_picture(&path).expect_err("the decoder would panic");
        let said = error.to_string();
        assert!(
            said.ends_with("(its palette ends within a colour)"),
            "{said}"
        );
    }
    #[test]
    fn a_palette_has_from_no_to_256_colours() {
        let file = |bytes: u32| {
            let mut file = vec![0; 8];
            file.extend(bytes.to_be_bytes());
            file.extend(b"PLTE");
            file.resize(file.len() + bytes as usize + 4, 0);
            file
        };
        for (bytes, is_whole) in [(0, true), (3, true), (4, false), (768, true), (771, false)] {
            assert_eq!(has_whole_palettes(&file(bytes)), is_whole, "{bytes} bytes");
        }
    }
}
