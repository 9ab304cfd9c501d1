//! Unsaved work, kept beside the settings: as a recording, so that it comes back with everything that led to it.
//!
//! Each program that runs has a number of its own, taken by a lock that the system gives back however the program ends, and further
//! ones for what it keeps beside the scene that is open. `3.ron` is what the program that has number 3 has not saved, and `3.lock` says of
//! which file it is. Where there is a `3.ron` and nobody holds `3.lock`, work was left behind.
//!
//! Invariant: no file of the user's is ever written here, and what was left behind is given up only when somebody says so.

use directories::ProjectDirs;
use skirmish::scene::file::SceneError;
use skirmish::session::file::Recording;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most places for unsaved work, of all programs that run and of what was left behind: each program has one and some beside it.
const NUMBERS: u32 = 500;

/// The longest note of what was being worked on, in bytes: a path has no more.
const NOTE_LIMIT: u64 = 8192;

/// The end of a note that is there as a whole. No name and no path has a zero in it, nor does what a disk filled up with zeros end so.
const NOTE_END: &[u8] = b"\0whole";

/// What stands between the name of a scene and the tick from which on another future of it was put aside, and what behind that.
const OF_FUTURE: [&str; 2] = [" (other future from tick ", ").ron"];

/// What the other future of a scene of this name is called where it is kept, and what it would be saved as: it leaves the present one at
/// this tick.
pub fn name_of_future(title: &str, at: u64) -> String {
    let stem = title.strip_suffix(".ron").unwrap_or(title);
    let [between, end] = OF_FUTURE;
    format!("{stem}{between}{at}{end}")
}

/// What work is done on.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Of {
    /// The file that a scene is saved to; `None` for the scene that comes with the program, and for what a recording holds.
    pub path: Option<PathBuf>,
    /// What it is called.
    pub name: Option<String>,
}

/// The folder of all unsaved work; `None` where the system has none for settings.
pub fn folder() -> Option<PathBuf> {
    // Tests leave nothing in that of whoever runs them.
    if cfg!(test) {
        return None;
    }
    let dirs = ProjectDirs::from("", "", "skirmish")?;
    Some(dirs.config_dir().join("unsaved"))
}

/// A place for the unsaved work of one program. It is this program's for as long as this lives.
#[derive(Debug)]
pub struct Slot {
    folder: PathBuf,
    number: u32,
    lock: File,
    of: Option<Of>,
}

impl Slot {
    /// Takes the first place that is free and empty.
    pub fn take(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        for number in 1..=NUMBERS {
            if let Some(slot) = Self::lock(folder, number)?
                && !slot.file().exists()
            {
                return Ok(slot);
            }
        }
        let words = format!("there are {NUMBERS} of them already");
        Err(io::Error::new(io::ErrorKind::QuotaExceeded, words))
    }

    /// Takes this place, whatever is in it; `None` when another program has it.
    fn lock(folder: &Path, number: u32) -> io::Result<Option<Self>> {
        let lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join(format!("{number}.lock")))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self {
                folder: folder.to_owned(),
                number,
                lock,
                of: None,
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Where the work is kept.
    pub fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.ron", self.number))
    }

    /// Keeps work, in the place of what was kept before. It is the old or the new, or of another file both, whenever the program ends.
    pub fn keep(&mut self, recording: &Recording, of: &Of) -> Result<(), String> {
        if self.of.as_ref() != Some(of) {
            // Work on another file than the one that the note names would be saved over that, and what the disk has no room for keeps
            // what is there: so it has another place, and what was kept before goes once it is there. It goes also
            // where the disk does not confirm the new name, as some never do: what it names has reached the disk. If power fails then, where
            // a folder keeps no order of names and removals, both may be gone.
            if self.file().exists() {
                let next = Self::take(&self.folder);
                let mut next = next.map_err(|error| error.to_string())?;
                next.keep(recording, of)?;
                std::mem::replace(self, next).clear();
                return Ok(());
            }
            // Where that fails half-way the note speaks of neither.
            self.of = None;
            self.write_note(of).map_err(|error| error.to_string())?;
            self.of = Some(of.clone());
        }
        said(recording.write(&self.file()))
    }

    /// Nothing is unsaved any more.
    pub fn clear(&mut self) {
        // What is not there need not go; what cannot go is offered at the next start, where it can be given up.
        let _ = fs::remove_file(self.file());
    }

    fn write_note(&mut self, of: &Of) -> io::Result<()> {
        let name = of.name.as_deref().unwrap_or_default();
        let mut note = name.replace(['\n', '\0'], " ").into_bytes();
        note.push(b'\n');
        if let Some(path) = &of.path {
            let path = std::path::absolute(path)?;
            note.extend_from_slice(path.as_os_str().as_encoded_bytes());
        }
        note.extend_from_slice(NOTE_END);
        self.lock.set_len(0)?;
        self.lock.rewind()?;
        self.lock.write_all(&note)?;
        // It is there before what it speaks of. A disk that cannot say so keeps work all the same.
        let _ = self.lock.sync_all();
        Ok(())
    }

    /// What the note says. One that is torn, or has no mark at its end, says less, and never something else: the worst is that work has no
    /// file.
    fn read_note(&mut self) -> Of {
        let mut note = Vec::new();
        let is_read = self.lock.rewind().is_ok()
            && Read::by_ref(&mut self.lock)
                .take(NOTE_LIMIT)
                .read_to_end(&mut note)
                .is_ok();
        let end = note.iter().position(|byte| *byte == b'\n');
        let Some(end) = end.filter(|_| is_read) else {
            return Of::default();
        };
        let name = String::from_utf8_lossy(&note[..end]).into_owned();
        let path = note[end + 1..].strip_suffix(NOTE_END);
        let path = path.filter(|path| !path.contains(&0)).and_then(path_of);
        Of {
            name: Some(name).filter(|name| !name.is_empty()),
            path: path.filter(|path| path.is_absolute()),
        }
    }
}

/// What is to be said of what was written. What is there as a whole is kept, even where the disk does not confirm it.
fn said(written: Result<(), SceneError>) -> Result<(), String> {
    match written {
        Err(error) if !error.is_saved() => Err(error.to_string()),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    (!bytes.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.is_empty()).then(|| PathBuf::from(OsStr::new(text)))
}

/// Work that a program left behind which ended without saving it. Nobody else is offered it as long as this lives.
#[derive(Debug)]
pub struct Left {
    /// Its place, which whoever brings the work back goes on with.
    pub slot: Slot,
    /// What was worked on.
    pub of: Of,
    /// When it was kept last.
    pub when: SystemTime,
}

impl Left {
    /// What it is called.
    pub fn title(&self) -> String {
        let name = self.of.name.clone();
        name.unwrap_or_else(|| "skirmish.ron".to_owned())
    }

    /// Of which scene it is the other future, where it is one, and from which tick on.
    pub fn of_future(&self) -> Option<(String, u64)> {
        let name = self.of.name.as_deref().filter(|_| self.of.path.is_none())?;
        let [between, end] = OF_FUTURE;
        let (stem, at) = name.strip_suffix(end)?.rsplit_once(between)?;
        Some((format!("{stem}.ron"), at.parse().ok()?))
    }

    /// Gives it up.
    pub fn discard(mut self) {
        self.slot.clear();
    }
}

/// All work that was left behind in a folder, the latest first.
pub fn left_behind(folder: &Path) -> Vec<Left> {
    let mut all: Vec<Left> = (1..=NUMBERS)
        .filter_map(|number| {
            let metadata = fs::symlink_metadata(folder.join(format!("{number}.ron"))).ok()?;
            let mut slot = Slot::lock(folder, number).ok()??;
            let of = slot.read_note();
            // Whoever goes on with it in its place knows what the note says.
            slot.of = Some(of.clone());
            Some(Left {
                of,
                when: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                slot,
            })
        })
        .filter(|left| left.slot.file().is_file())
        .collect();
    all.sort_by_key(|left| std::cmp::Reverse(left.when));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::scene::file::built_in;
    use skirmish::session::Session;

    fn work() -> Recording {
        Session::new(built_in(), Path::new("")).0.recording()
    }

    fn of(path: &str) -> Of {
        Of {
            path: Some(PathBuf::from(path)),
            name: Path::new(path)
                .file_name()
                .map(|name| name.to_string_lossy().into_owned()),
        }
    }

    #[test]
    fn another_future_that_was_left_behind_is_known_as_such_and_of_which_scene() {
        let folder = tempfile::tempdir().unwrap();
        let mut slot = Slot::take(folder.path()).unwrap();
        let name = name_of_future("charge.ron", 134);
        assert_eq!(name, "charge (other future from tick 134).ron");
        let of = Of {
            path: None,
            name: Some(name),
        };
        slot.keep(&work(), &of).unwrap();
        drop(slot);
        let mut left = left_behind(folder.path());
        assert_eq!(left[0].of_future(), Some(("charge.ron".to_owned(), 134)));
        // A file that somebody has called so is that file.
        left[0].of.path = Some("/a/charge (other future from tick 134).ron".into());
        assert_eq!(left[0].of_future(), None);
    }

    #[test]
    fn work_is_left_behind_by_who_is_gone_and_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Slot::take(folder.path()).unwrap();
        let mut second = Slot::take(folder.path()).unwrap();
        first.keep(&work(), &of("/a/charge.ron")).unwrap();
        second.keep(&work(), &of("/b/corner.ron")).unwrap();
        assert!(left_behind(folder.path()).is_empty());
        drop(second);
        let left = left_behind(folder.path());
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].of, of("/b/corner.ron"));
        assert_eq!(left[0].title(), "corner.ron");
        assert_eq!(left[0].of_future(), None);
        assert_eq!(
            Recording::read(&left[0].slot.file()).unwrap().scene,
            built_in()
        );
        // While somebody is asked about it, nobody else is.
        assert!(left_behind(folder.path()).is_empty());
        // Nor does anybody who begins now write over it.
        assert_eq!(Slot::take(folder.path()).unwrap().number, 3);
        drop(left);
        for left in left_behind(folder.path()) {
            left.discard();
        }
        assert!(left_behind(folder.path()).is_empty());
        assert!(first.file().exists());
    }

    #[test]
    fn a_note_that_is_torn_names_no_file_that_could_be_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut slot = Slot::take(folder.path()).unwrap();
        slot.keep(&work(), &of("/a/charge.ron")).unwrap();
        drop(slot);
        let note = folder.path().join("1.lock");
        for (text, name, path) in [
            ("", None, None),
            ("charge.ron", None, None),
            ("charge.ron\n", Some("charge.ron"), None),
            ("charge.ron\na/charge", Some("charge.ron"), None),
            ("charge.ron\n/a/charge", Some("charge.ron"), None),
            ("charge.ron\n/a\0\0\0\0\0\0\0", Some("charge.ron"), None),
            ("charge.ron\n/a\0\0whole", Some("charge.ron"), None),
            ("\n/a\0whole", None, Some("/a")),
        ] {
            fs::write(&note, text).unwrap();
            let left = left_behind(folder.path()).remove(0);
            assert_eq!(left.of.name.as_deref(), name, "{text:?}");
            assert_eq!(left.of.path.as_deref(), path.map(Path::new), "{text:?}");
        }
    }

    #[test]
    fn a_note_that_could_not_be_written_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let mut slot = Slot::take(folder.path()).unwrap();
        slot.keep(&work(), &of("/a/charge.ron")).unwrap();
        slot.clear();
        // A path that is none has no note.
        assert!(slot.keep(&work(), &of("")).is_err());
        slot.lock.set_len(0).unwrap();
        slot.keep(&work(), &of("/a/charge.ron")).unwrap();
        drop(slot);
        assert_eq!(left_behind(folder.path())[0].of, of("/a/charge.ron"));
    }

    #[test]
    fn work_on_another_file_never_stands_under_the_name_of_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let mut slot = Slot::take(folder.path()).unwrap();
        slot.keep(&work(), &of("/a/charge.ron")).unwrap();
        slot.keep(&work(), &of("/b/corner.ron")).unwrap();
        slot.keep(&work(), &Of::default()).unwrap();
        drop(slot);
        assert_eq!(left_behind(folder.path())[0].of, Of::default());
    }

    #[test]
    fn what_was_kept_stays_where_work_on_another_file_cannot_be_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut slot = Slot::take(folder.path()).unwrap();
        slot.keep(&work(), &of("/a/charge.ron")).unwrap();
        // Nothing can lie in the next place.
        let next = folder.path().join("2.lock");
        fs::create_dir(&next).unwrap();
        assert!(slot.keep(&work(), &of("/b/corner.ron")).is_err());
        assert!(slot.file().exists());
        fs::remove_dir(&next).unwrap();
        slot.keep(&work(), &of("/b/corner.ron")).unwrap();
        drop(slot);
        let left = left_behind(folder.path());
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].of, of("/b/corner.ron"));
        // Whoever goes on with it stays in its place.
        let mut slot = left.into_iter().next().unwrap().slot;
        let file = slot.file();
        slot.keep(&work(), &of("/b/corner.ron")).unwrap();
        assert!(slot.file() == file && file.exists());
    }

    #[test]
    fn what_is_there_as_a_whole_is_kept_though_the_disk_does_not_confirm_it() {
        let (name, message) = ("1.ron".to_owned(), "no".to_owned());
        let unconfirmed = SceneError::Unconfirmed {
            name: name.clone(),
            message: message.clone(),
        };
        assert_eq!(said(Err(unconfirmed)), Ok(()));
        assert!(said(Err(SceneError::File { name, message })).is_err());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_and_an_empty_one_has_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Slot::take(&file.join("unsaved")).is_err());
        assert!(left_behind(&file).is_empty());
        // A folder in the place of what was left behind is none of ours.
        fs::create_dir(folder.path().join("1.ron")).unwrap();
        assert!(left_behind(folder.path()).is_empty());
    }
}
