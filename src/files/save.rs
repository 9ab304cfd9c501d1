//! Files that are saved: as a whole or not at all, with nothing left beside them.
//!
//! # Algorithm
//!
//! 1. Links are followed to what they mean in the end, even where that is not there yet.
//! 2. What an earlier save left behind when it was killed is taken away.
//! 3. The bytes go into a file that has no name yet, where the system has such files (Linux, on most disks), else into one
//!    with a name of its own; they reach the disk, are read back and compared.
//! 4. A new file is given its name, and is there as a whole. One that is replaced needs a moment with a name beside it, for
//!    only what has a name can be put in the place of another.
//! 5. The folder reaches the disk.
//!
//! Whoever is killed leaves nothing, or in the moment of step 4 (on systems without unnamed files: since step 3) one file that
//! the next save into that folder takes away. Who still needs such a file holds a lock on it, which ends with its holder:
//! one without a lock belongs to nobody.

use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use elsewhere as system;
#[cfg(unix)]
use unix as system;

/// What did not go well in saving, in words that follow the name of the file and a colon.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// The file is as it was before.
    #[error("not saved: {0}")]
    NotSaved(Cow<'static, str>),
    /// The file is saved as a whole; only whether it outlives a failure of power now, the disk does not say.
    #[error("saved, but the disk does not confirm it: {0}")]
    Unconfirmed(Cow<'static, str>),
}

impl SaveError {
    /// Why, without whether it is saved.
    pub fn reason(&self) -> &str {
        let (Self::NotSaved(reason) | Self::Unconfirmed(reason)) = self;
        reason
    }
}

/// What goes wrong on the way.
enum Trouble {
    /// The system says no.
    System(io::Error),
    /// What was read back is not what was written.
    NotKept,
    /// The file has its name; its folder did not reach the disk.
    #[cfg(unix)]
    Folder(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Saves `bytes` as the file at `path`, as a whole or not at all.
///
/// A symbolic link stays one, and what it points to is replaced, or made. What is replaced keeps its permissions and, where
/// the system allows it, its owner; a file that is marked read-only, and what is no regular file, are left alone.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let target = target(path).map_err(|error| SaveError::NotSaved(words(path, &error)))?;
    let not_saved = |error: io::Error| SaveError::NotSaved(words(&target, &error));
    let old = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(not_saved(error)),
    };
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(not_saved(ErrorKind::IsADirectory.into()));
        }
        if !old.is_file() {
            return Err(SaveError::NotSaved("it is not a regular file".into()));
        }
        if old.permissions().readonly() {
            return Err(not_saved(ErrorKind::ReadOnlyFilesystem.into()));
        }
    }
    let (Some(name), Some(folder)) = (target.file_name(), target.parent()) else {
        return Err(not_saved(ErrorKind::IsADirectory.into()));
    };
    let is_here = folder.as_os_str().is_empty();
    let folder = if is_here { Path::new(".") } else { folder };
    system::save(folder, name, old.as_ref(), bytes).map_err(|trouble| match trouble {
        Trouble::System(error) => not_saved(error),
        Trouble::NotKept => SaveError::NotSaved("the disk did not keep what was written".into()),
        #[cfg(unix)]
        Trouble::Folder(error) => SaveError::Unconfirmed(super::reason(&error)),
    })
}

/// Writes `bytes` for others to read: saves them, except that a pipe or a device, which cannot be replaced, is written into.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let takes_it = |metadata: fs::Metadata| !metadata.is_file() && !metadata.is_dir();
    if fs::metadata(path).is_ok_and(takes_it) {
        return fs::write(path, bytes).map_err(|error| SaveError::NotSaved(words(path, &error)));
    }
    save(path, bytes)
}

/// What `path` means in the end.
fn target(path: &Path) -> io::Result<PathBuf> {
    // As many as the system itself follows.
    const MOST_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(metadata) if metadata.is_symlink() => {}
            Ok(_) => return Ok(target),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(target),
            Err(error) => return Err(error),
        }
        let next = fs::read_link(&target)?;
        target.pop();
        target.push(next);
    }
    // Asked for what it really is, for the sake of the sentence.
    fs::metadata(path)?;
    Ok(target)
}

/// Why it was not saved.
fn words(path: &Path, error: &io::Error) -> Cow<'static, str> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match error.kind() {
        ErrorKind::NotFound if folder.is_none_or(Path::is_dir) => {
            "no file can be made in that folder".into()
        }
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such folder".into(),
        ErrorKind::PermissionDenied => "writing there is not permitted".into(),
        _ => super::reason(error),
    }
}

/// The beginning and the end of the names of files that are on their way.
const NAME: (&str, &str) = (".skirmish-", ".part");

/// The names that a file on its way may have: the process, and a number, the first that is free. They have nothing of the name
/// that the file will have, which may be as long as names can be.
fn part_names() -> impl Iterator<Item = String> {
    // More saves of one process into one folder do not go on at once.
    const MOST: u32 = 1_000;
    let (begin, end) = NAME;
    let process = std::process::id();
    (0..MOST).map(move |number| format!("{begin}{process}-{number}{end}"))
}

/// Whether `name` is one of [`part_names`].
fn is_part_name(name: &std::ffi::OsStr) -> bool {
    let (begin, end) = NAME;
    let numbers = name
        .to_str()
        .and_then(|name| name.strip_prefix(begin)?.strip_suffix(end)?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Whether what lies in `file` from its beginning is `bytes`, read in pieces.
fn is_kept(file: &mut fs::File, bytes: &[u8]) -> io::Result<bool> {
    use std::io::{Read, Seek};
    file.rewind()?;
    let mut rest = bytes;
    let mut piece = [0; 32 << 10];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(rest.is_empty()),
            Ok(count) => match rest.strip_prefix(&piece[..count]) {
                Some(after) => rest = after,
                None => return Ok(false),
            },
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_made_and_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for bytes in [&b""[..], b"one", b"another", &[7; 100_000], b""] {
            assert_eq!(save(&path, bytes), Ok(()));
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(entries(folder.path()), ["file"]);
        }
        let said = |path: &Path| save(path, b"text").unwrap_err().to_string();
        assert_eq!(said(folder.path()), "not saved: it is a folder");
        assert_eq!(said(Path::new("/")), "not saved: it is a folder");
        assert_eq!(said(Path::new("")), "not saved: it is a folder");
        assert_eq!(
            said(&folder.path().join("none/file")),
            "not saved: there is no such folder"
        );
        assert_eq!(
            said(&path.join("below")),
            "not saved: there is no such folder"
        );
    }

    #[test]
    fn names_may_be_as_long_as_the_system_takes_them() {
        let folder = tempfile::tempdir().unwrap();
        for length in [1, 200, 247, 248, 254, 255] {
            let path = folder.path().join("n".repeat(length));
            assert_eq!(save(&path, b"one"), Ok(()), "{length}");
            assert_eq!(save(&path, b"two"), Ok(()), "{length}");
            assert_eq!(fs::read(&path).unwrap(), b"two");
        }
        let said = save(&folder.path().join("n".repeat(256)), b"one").unwrap_err();
        if cfg!(unix) {
            assert_eq!(said.to_string(), "not saved: the name is too long");
        }
        assert_eq!(entries(folder.path()).len(), 6);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_replaced_keeps_its_rights_and_what_is_new_gets_those_of_new_files() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let plain = folder.path().join("plain");
        fs::write(&plain, "made as any file is").unwrap();
        let (link, made) = (folder.path().join("link"), folder.path().join("made"));
        symlink("made", &link).unwrap();
        assert_eq!(save(&link, b"one"), Ok(()));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&made).unwrap(), b"one");
        assert_eq!(mode(&made), mode(&plain));
        for bits in [0o600, 0o640, 0o755, 0o666, 0o204] {
            fs::set_permissions(&made, fs::Permissions::from_mode(bits)).unwrap();
            assert_eq!(save(&link, b"two"), Ok(()));
            assert_eq!(mode(&made), bits);
        }
        fs::set_permissions(&made, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(
            save(&link, b"three").unwrap_err().to_string(),
            "not saved: it is read-only"
        );
        assert_eq!(fs::read(&made).unwrap(), b"two");
        let far = folder.path().join("far");
        symlink(folder.path().join("none/file"), &far).unwrap();
        assert_eq!(
            save(&far, b"four").unwrap_err().to_string(),
            "not saved: there is no such folder"
        );
        let circle = folder.path().join("circle");
        symlink(&circle, &circle).unwrap();
        assert_eq!(
            save(&circle, b"five").unwrap_err().to_string(),
            "not saved: links lead in a circle"
        );
        assert_eq!(
            entries(folder.path()),
            ["circle", "far", "link", "made", "plain"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_the_dead_left_is_taken_away_and_what_the_living_need_is_not() {
        use rustix::fs::{FlockOperation, flock};
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "half of it").unwrap();
            fs::File::open(path).unwrap()
        };
        write(".skirmish-4000000-0.part");
        write(".skirmish-1-12.part");
        let living = write(".skirmish-1-0.part");
        flock(&living, FlockOperation::LockExclusive).unwrap();
        let others = [
            ".skirmish-1-.part",
            ".skirmish-1-0.part~",
            ".skirmish-x-0.part",
            ".skirmish-10.part",
            ".skirmish.part",
            "a.ron",
        ];
        for name in others {
            write(name);
        }
        let mut expected = others.to_vec();
        expected.extend([".skirmish-1-0.part", "saved"]);
        expected.sort();
        assert_eq!(save(&folder.path().join("saved"), b"text"), Ok(()));
        assert_eq!(entries(folder.path()), expected);
        drop(living);
        assert_eq!(save(&folder.path().join("saved"), b"text"), Ok(()));
        expected.retain(|name| *name != ".skirmish-1-0.part");
        assert_eq!(entries(folder.path()), expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_and_a_pipe_are_not_replaced() {
        let said = save(Path::new("/dev/null"), b"text").unwrap_err();
        assert_eq!(said.to_string(), "not saved: it is not a regular file");
        assert_eq!(put(Path::new("/dev/null"), b"text"), Ok(()));
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(put(&path, b"text"), Ok(()));
        assert_eq!(fs::read(&path).unwrap(), b"text");
    }
}
