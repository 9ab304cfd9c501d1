//! Files: the one reader of everything that comes from outside, and the one writer ([`save()`]).
//!
//! What is built into the program ([`built_in`]) is read by the same code.
//!
//! Scenes, recordings, paths, scripts and pictures are all read here, so that what protects one of them protects all:
//!
//! - No more is read than the caller allows, whatever the file says of its own length and however it grows meanwhile.
//! - What is no regular file (a folder, a pipe, a socket, a device) is refused and never waited for.
//! - Memory is asked for before it is used, and that there is none is a sentence like every other.
//! - Where a file has to lie below a folder, links that lead out of it are not followed.
//!
//! Invariant: nobody else opens a file to read it, and an error of the system never reaches a user in the system's words.

use crate::built_in;
use std::borrow::Cow;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

mod save;

/// Why a file was not saved where its writer has panicked, in words that follow a colon.
pub const WRITER_FAILED: &str = "writing failed by a fault of the program";

/// Writes a file. Of a writer that panics nobody would hear anything else, and whoever waits for it would wait as for a disk that is slow.
pub fn guard_writer<T>(path: &Path, write: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(write)).map_err(|_| {
        let shown = path.display();
        format!("{shown}: not saved: {WRITER_FAILED}")
    })
}

pub use save::{SaveError, put, save};

/// Why a file was not read. Each is the end of a sentence; which file it is about, and what it should have been, the caller
/// knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// No such file.
    #[error("there is no such file")]
    Missing,
    /// A folder.
    #[error("it is a folder")]
    Folder,
    /// A pipe, a socket or a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// It is longer than the caller allows, or grew longer while it was read.
    #[error("it is too long")]
    TooLong,
    /// A link leads out of the folder below which it has to lie.
    #[error("a link leads out of the folder of the scene")]
    Outside,
    /// The user may not read it.
    #[error("reading it is not permitted")]
    Denied,
    /// The system gives no memory for it.
    #[error("there is not enough memory")]
    NoMemory,
    /// The system says no, for this reason.
    #[error("{0}")]
    System(Cow<'static, str>),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::Missing,
            ErrorKind::IsADirectory => Self::Folder,
            ErrorKind::OutOfMemory => Self::NoMemory,
            ErrorKind::PermissionDenied => Self::Denied,
            _ => Self::System(reason(&error)),
        }
    }
}

/// Where the bytes of a file are.
#[derive(Debug)]
enum Content {
    /// On a disk.
    File(File),
    /// In the program itself.
    BuiltIn(&'static [u8]),
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::BuiltIn(bytes) => bytes.read(buffer),
        }
    }
}

/// A file that is being read.
#[derive(Debug)]
pub struct Open {
    file: Content,
    length: u64,
    limit: u64,
    taken: u64,
}

/// Opens the file at `path`, of which no more than `limit` bytes will be read.
pub fn open(path: &Path, limit: u64) -> Result<Open, ReadError> {
    if built_in::contains(path) {
        return open_built_in(path, limit);
    }
    // Asked before opening as well, for to open a device can be to act on it.
    check(&fs::metadata(path)?, limit)?;
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // What became a pipe or a terminal since is not waited for, and does not take this program over.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    check(&metadata, limit)?;
    Ok(Open {
        file: Content::File(file),
        length: metadata.len(),
        limit,
        taken: 0,
    })
}

fn open_built_in(path: &Path, limit: u64) -> Result<Open, ReadError> {
    let bytes = built_in::content(path).ok_or(ReadError::Missing)?;
    let length = bytes.len() as u64;
    if length > limit {
        return Err(ReadError::TooLong);
    }
    Ok(Open {
        file: Content::BuiltIn(bytes),
        length,
        limit,
        taken: 0,
    })
}

/// Like [`open`], for a file that has to lie below `folder`: links may lead there in any way, and to anywhere below it, but
/// not out of it.
pub fn open_below(folder: &Path, path: &Path, limit: u64) -> Result<Open, ReadError> {
    if built_in::contains(path) {
        // There are no links in it.
        return open(path, limit);
    }
    open(&below(folder, path)?, limit)
}

/// The bytes of the file at `path`, if they are no more than `limit`.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    open(path, limit)?.read_all()
}

/// How many bytes the file at `path` has, without reading it; `None` where there is no file that could be read.
pub fn length(path: &Path) -> Option<u64> {
    if built_in::contains(path) {
        return built_in::content(path).map(|bytes| bytes.len() as u64);
    }
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then_some(metadata.len())
}

impl Open {
    /// How many bytes it had when it was opened.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends the next bytes to `content`: as many as one read of the system gives, and at the most 32 KiB. Gives how many
    /// they were; none at the end.
    pub fn read_piece(&mut self, content: &mut Vec<u8>) -> Result<usize, ReadError> {
        const PIECE: usize = 32 << 10;
        let mut piece = [0; PIECE];
        let count = loop {
            match self.file.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.taken += count as u64;
        if self.taken > self.limit {
            // It grew since it was asked for its length, or never had one.
            return Err(ReadError::TooLong);
        }
        let no_memory = |_| ReadError::NoMemory;
        if content.is_empty() {
            // All at once, since how much it will be is known.
            let length = self.length.max(count as u64);
            let length = usize::try_from(length).map_err(|_| ReadError::NoMemory)?;
            content.try_reserve_exact(length).map_err(no_memory)?;
        }
        content.try_reserve(count).map_err(no_memory)?;
        content.extend_from_slice(&piece[..count]);
        Ok(count)
    }

    /// All that is left of it.
    pub fn read_all(mut self) -> Result<Vec<u8>, ReadError> {
        let mut content = Vec::new();
        while self.read_piece(&mut content)? > 0 {}
        Ok(content)
    }
}

fn check(metadata: &Metadata, limit: u64) -> Result<(), ReadError> {
    if metadata.is_dir() {
        Err(ReadError::Folder)
    } else if !metadata.is_file() {
        Err(ReadError::NotAFile)
    } else if metadata.len() > limit {
        Err(ReadError::TooLong)
    } else {
        Ok(())
    }
}

/// Where the file at `path` really is, if that is below `folder`.
fn below(folder: &Path, path: &Path) -> Result<PathBuf, ReadError> {
    let here = Path::new(".");
    let is_here = folder.as_os_str().is_empty();
    let file = fs::canonicalize(path)?;
    let folder = fs::canonicalize(if is_here { here } else { folder })?;
    if file.starts_with(folder) {
        Ok(file)
    } else {
        Err(ReadError::Outside)
    }
}

/// Why the system did not do what it was asked for, in words that follow a colon. [`ErrorKind`] has no name for much of what
/// can happen, and calls all of that "uncategorized error".
pub fn reason(error: &io::Error) -> Cow<'static, str> {
    #[cfg(unix)]
    if let Some(known) = error.raw_os_error().and_then(errno_in_words) {
        return known.into();
    }
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "it is not permitted".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        ErrorKind::NotADirectory => "there is no such folder".into(),
        ErrorKind::ReadOnlyFilesystem => "it is read-only".into(),
        ErrorKind::StorageFull => "the disk is full".into(),
        ErrorKind::QuotaExceeded => "no more may be stored on that disk".into(),
        ErrorKind::FileTooLarge => "the disk takes no file of that length".into(),
        ErrorKind::InvalidFilename => "the system takes no such name".into(),
        ErrorKind::OutOfMemory => "there is not enough memory".into(),
        ErrorKind::TimedOut => "the disk did not answer in time".into(),
        ErrorKind::Unsupported => "the system cannot do that there".into(),
        ErrorKind::Other => "the system does not say why".into(),
        kind => match error.raw_os_error() {
            Some(number) => format!("the system says no, with error {number}").into(),
            None => kind.to_string().into(),
        },
    }
}

#[cfg(unix)]
fn errno_in_words(number: i32) -> Option<&'static str> {
    use rustix::io::Errno;
    Some(match Errno::from_raw_os_error(number) {
        Errno::IO => "the disk failed",
        Errno::NXIO | Errno::NODEV => "the device is gone",
        Errno::MFILE => "this program has too many files open",
        Errno::NFILE => "the system has too many files open",
        Errno::LOOP => "links lead in a circle",
        Errno::NAMETOOLONG => "the name is too long",
        Errno::TXTBSY => "it is a program that is running",
        Errno::BUSY => "it is in use",
        Errno::AGAIN => "somebody else holds it",
        Errno::DQUOT => "no more may be stored on that disk",
        Errno::STALE => "it is on a disk that is no longer reached",
        Errno::NOTCONN | Errno::HOSTDOWN | Errno::HOSTUNREACH => "the disk is not reached",
        Errno::OVERFLOW | Errno::FBIG => "the disk takes no file of that length",
        Errno::MLINK => "the disk takes no more links to it",
        Errno::INVAL => "the system takes no such name there",
        Errno::NOSYS | Errno::OPNOTSUPP => "the system cannot do that there",
        Errno::BADF => "it was closed by somebody else",
        Errno::ILSEQ => "the system takes no such name",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for count in [0, 1, 32 << 10, (32 << 10) + 1, 100_000] {
            let bytes: Vec<u8> = (0..count).map(|at| at as u8).collect();
            fs::write(&path, &bytes).unwrap();
            assert_eq!(read(&path, count), Ok(bytes));
            assert_eq!(length(&path), Some(count));
            if count > 0 {
                assert_eq!(read(&path, count - 1), Err(ReadError::TooLong));
            }
        }
        assert_eq!(read(folder.path(), 9), Err(ReadError::Folder));
        assert_eq!(length(folder.path()), None);
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&path, 9), Err(ReadError::Missing));
    }

    #[test]
    fn a_file_that_grows_is_cut_off_and_one_that_shrinks_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [1; 10]).unwrap();
        let grows = open(&path, 10).unwrap();
        fs::write(&path, [1; 11]).unwrap();
        assert_eq!(grows.read_all(), Err(ReadError::TooLong));
        let shrinks = open(&path, 11).unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(3)
            .unwrap();
        assert_eq!(shrinks.read_all(), Ok(vec![1; 3]));
        let vanishes = open(&path, 11).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(vanishes.read_all(), Ok(vec![1; 3]));
    }

    #[test]
    fn what_a_file_says_of_its_length_is_not_believed() {
        // Files of the system that are made while they are read have length 0.
        if let Ok(found) = read(Path::new("/proc/self/status"), 1 << 20) {
            assert!(found.starts_with(b"Name:"));
            assert_eq!(
                read(Path::new("/proc/self/status"), 4),
                Err(ReadError::TooLong)
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_without_waiting() {
        use rustix::fs::{CWD, FileType, Mode};
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let mode = Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, mode, 0).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [&pipe, &link, Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert_eq!(read(path, u64::MAX), Err(ReadError::NotAFile), "{path:?}");
            assert_eq!(length(path), None);
        }
        let socket = folder.path().join("socket");
        let _held = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert_eq!(read(&socket, 9), Err(ReadError::NotAFile));
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink(&circle, &circle).unwrap();
        let said = read(&circle, 9).unwrap_err().to_string();
        assert_eq!(said, "links lead in a circle");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_below_the_folder() {
        use std::os::unix::fs::symlink;
        let whole = tempfile::tempdir().unwrap();
        let (inner, outer) = (whole.path().join("inner"), whole.path().join("outer"));
        for folder in [&inner, &outer] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("file"), "text").unwrap();
        }
        symlink("file", inner.join("near")).unwrap();
        symlink(inner.join("near"), inner.join("whole")).unwrap();
        symlink("../outer/file", inner.join("out")).unwrap();
        symlink("../outer", inner.join("door")).unwrap();
        symlink(outer.join("file"), inner.join("far")).unwrap();
        symlink("../inner/file", inner.join("back")).unwrap();
        symlink("none", inner.join("dangling")).unwrap();
        symlink(&inner, whole.path().join("way")).unwrap();
        for folder in [&inner, &whole.path().join("way")] {
            let read = |name: &str| open_below(folder, &folder.join(name), 9)?.read_all();
            for name in ["file", "near", "whole", "back"] {
                assert_eq!(read(name), Ok(b"text".to_vec()), "{name}");
            }
            for name in ["out", "door/file", "far"] {
                assert_eq!(read(name), Err(ReadError::Outside), "{name}");
            }
            assert_eq!(read("dangling"), Err(ReadError::Missing));
        }
    }

    #[test]
    fn no_error_is_called_uncategorized() {
        for number in 1..134 {
            let error = io::Error::from_raw_os_error(number);
            let words = reason(&error);
            assert!(
                !words.contains("uncategorized") && !words.contains("os error"),
                "{number}: {words}"
            );
        }
        #[cfg(target_os = "linux")]
        for (number, words) in [
            (5, "the disk failed"),
            (24, "this program has too many files open"),
            (28, "the disk is full"),
        ] {
            assert_eq!(reason(&io::Error::from_raw_os_error(number)), words);
        }
    }
}
