//! Where the settings are kept, and how they get there: read once, before the window opens; written on a thread of their own, a
//! moment after something has changed.
//!
//! Two windows share one file. Whoever writes reads it again before, under a lock that the system gives back however its holder
//! ends, and changes only what was changed here. The file itself is replaced as a whole, so that it is never half written.
//!
//! Invariant: nothing that is wrong with the file or its folder stops the program, and no file that it cannot understand is
//! written over: one that is broken is set aside under another name, everything else is left alone.

use super::{Settings, Unreadable};
use directories::ProjectDirs;
use skirmish::files::{self, ReadError, SaveError};
use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A longer file is none of ours, in bytes.
const LONGEST: u64 = 256 << 10;
/// What changes is written when nothing has changed for so long: a slider that is dragged is written once.
const PAUSE: Duration = Duration::from_millis(700);
/// Who closes the window waits at the longest so long for a slow disk.
const GOODBYE: Duration = Duration::from_secs(5);
/// How long one window waits for another to have written.
const TURN: Duration = Duration::from_secs(5);
/// So many broken files are set aside; after that they are left where they are.
const MOST_ASIDE: u32 = 99;
/// The file that is kept instead of the platform's; empty for none.
const VARIABLE: &str = "SKIRMISH_SETTINGS";

/// What the thread that writes gives back: what is in the file now.
type Written = Result<Settings, String>;

/// Who keeps the settings.
#[derive(Debug, Default)]
pub struct Store {
    /// `None` where nothing is kept.
    file: Option<PathBuf>,
    /// What this window knows to be in the file.
    base: Settings,
    /// As they were when this was asked last, and since when.
    seen: Settings,
    since: Option<Instant>,
    writing: Option<JoinHandle<Written>>,
    /// Whether it has been said that they cannot be kept: once is enough.
    is_said: bool,
}

/// The settings, and what there is to say of their file.
pub struct Opened {
    /// Who keeps them.
    pub store: Store,
    /// As they are in the file, or the defaults.
    pub settings: Settings,
    /// What was wrong with it.
    pub notice: Option<String>,
}

/// Whether somebody wants nothing to be kept.
pub fn are_not_kept() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|named| named.is_empty())
}

impl Store {
    /// Finds the file and reads it. Where two runs must look alike (`fixed`), only a file that was named is looked at.
    pub fn open(fixed: bool) -> Opened {
        let file = match std::env::var_os(VARIABLE) {
            Some(named) => (!named.is_empty()).then(|| PathBuf::from(named)),
            None if fixed => None,
            None => ProjectDirs::from("", "", "skirmish")
                .map(|dirs| dirs.config_dir().join("settings.ron")),
        };
        match file {
            Some(file) => Self::open_at(file),
            None => Opened {
                store: Self::default(),
                settings: Settings::default(),
                notice: None,
            },
        }
    }

    fn open_at(file: PathBuf) -> Opened {
        let (settings, notice, is_ours) = match read(&file) {
            Ok(settings) => (settings, None, true),
            Err(Trouble::Missing) => (Settings::default(), None, true),
            Err(Trouble::Left(reason)) => {
                let notice = format!(
                    "{}: the settings cannot be read: {reason}. It is left as it is; what you choose now is not kept.",
                    file.display()
                );
                (Settings::default(), Some(notice), false)
            }
            Err(Trouble::Broken(reason)) => match set_aside(&file) {
                Some(aside) => {
                    let name = aside.file_name().unwrap_or_default().to_string_lossy();
                    let notice = format!(
                        "{}: the settings cannot be read: {reason}. The file is set aside as {name}; everything is at its default.",
                        file.display()
                    );
                    (Settings::default(), Some(notice), true)
                }
                None => {
                    let notice = format!(
                        "{}: the settings cannot be read: {reason}. The file cannot be set aside, so what you choose now is not kept.",
                        file.display()
                    );
                    (Settings::default(), Some(notice), false)
                }
            },
        };
        Opened {
            store: Self {
                file: is_ours.then_some(file),
                base: settings.clone(),
                seen: settings.clone(),
                ..Self::default()
            },
            settings,
            notice,
        }
    }

    /// Looks whether anything is to be written. Once a frame; a sentence says what went wrong, the first time.
    pub fn tend(&mut self, settings: &Settings) -> Option<String> {
        self.file.as_ref()?;
        if self.writing.as_ref().is_some_and(|it| it.is_finished()) {
            return self.finish();
        }
        if *settings != self.seen {
            self.seen.clone_from(settings);
            self.since = Some(Instant::now());
        }
        let rests = self.since.is_some_and(|since| since.elapsed() >= PAUSE);
        if rests && self.writing.is_none() {
            self.since = None;
            self.begin();
        }
        None
    }

    /// When something is to be written that has yet to rest: whoever waits for nothing else wakes by then.
    pub fn due(&self) -> Option<Duration> {
        let since = self.since.filter(|_| self.file.is_some());
        since
            .map(|since| PAUSE.saturating_sub(since.elapsed()))
            .or_else(|| self.writing.as_ref().map(|_| PAUSE))
    }

    /// The window closes: what has changed is written now, and waited for, but not for ever.
    pub fn close(&mut self, settings: &Settings) {
        if self.file.is_none() {
            return;
        }
        let begun = Instant::now();
        self.await_writer(begun);
        let _ = self.finish();
        self.seen.clone_from(settings);
        if self.seen != self.base {
            self.begin();
            self.await_writer(begun);
        }
    }

    fn await_writer(&self, begun: Instant) {
        while let Some(writer) = &self.writing
            && !writer.is_finished()
            && begun.elapsed() < GOODBYE
        {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn begin(&mut self) {
        let (Some(file), true) = (self.file.clone(), self.seen != self.base) else {
            return;
        };
        let (mine, base) = (self.seen.clone(), self.base.clone());
        // Without a thread nothing is written; the next change tries again.
        self.writing = std::thread::Builder::new()
            .name("settings".to_owned())
            .spawn(move || write(&file, &mine, &base))
            .ok();
    }

    /// Takes what the writer has to say, if it has ended.
    fn finish(&mut self) -> Option<String> {
        let writer = self.writing.take_if(|writer| writer.is_finished())?;
        // Of one that has panicked nobody would hear anything else.
        let written = writer
            .join()
            .unwrap_or_else(|_| Err(files::WRITER_FAILED.to_owned()));
        match written {
            Ok(_) => {
                // What the other window chose counts from its next start on; what was chosen here is in the file.
                self.base.clone_from(&self.seen);
                self.is_said = false;
                None
            }
            Err(reason) => {
                let is_new = !std::mem::replace(&mut self.is_said, true);
                let path = self.file.as_deref().unwrap_or(Path::new(""));
                let path = path.display();
                is_new.then(|| format!("{path}: what you chose is not kept: {reason}."))
            }
        }
    }
}

/// Why there are no settings in a file.
enum Trouble {
    /// There is no such file, or no folder for it.
    Missing,
    /// It is none of ours to touch.
    Left(String),
    /// It is broken.
    Broken(String),
}

fn read(file: &Path) -> Result<Settings, Trouble> {
    let is_nowhere = |error: std::io::Error| {
        matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
    };
    if fs::symlink_metadata(file).is_err_and(is_nowhere) {
        return Err(Trouble::Missing);
    }
    let bytes = files::read(file, LONGEST).map_err(|error| match error {
        ReadError::Missing => Trouble::Left("it is a link that leads nowhere".to_owned()),
        ReadError::TooLong => Trouble::Broken(format!("it has more than {LONGEST} bytes")),
        error => Trouble::Left(error.to_string()),
    })?;
    Settings::parse(&bytes).map_err(|error| match error {
        Unreadable::Later(version) => Trouble::Left(format!(
            "it is of version {version}, by a later program than this"
        )),
        Unreadable::Wrong(reason) => Trouble::Broken(reason),
    })
}

/// Gives a broken file another name, the first that is free.
fn set_aside(file: &Path) -> Option<PathBuf> {
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    (1..=MOST_ASIDE)
        .map(|number| file.with_file_name(format!("{stem}.broken-{number}.ron")))
        .find(|aside| aside.symlink_metadata().is_err())
        .filter(|aside| fs::rename(file, aside).is_ok())
}

/// Writes what was changed here into what is in the file by now.
fn write(file: &Path, mine: &Settings, base: &Settings) -> Written {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| files::reason(&error).into_owned())?;
    }
    let _turn = take_turn(&file.with_extension("lock"));
    let present = match read(file) {
        Ok(present) => present,
        Err(Trouble::Missing) => base.clone(),
        Err(Trouble::Left(reason)) => return Err(reason),
        Err(Trouble::Broken(reason)) => match set_aside(file) {
            Some(_) => base.clone(),
            None => return Err(reason),
        },
    };
    let all = mine.merged(base, present);
    match files::save(file, all.text().as_bytes()) {
        Ok(()) | Err(SaveError::Unconfirmed(_)) => Ok(all),
        Err(error) => Err(error.reason().to_owned()),
    }
}

/// Waits until no other window writes. Who cannot lock writes all the same: the file is whole in any case.
fn take_turn(path: &Path) -> Option<fs::File> {
    let lock = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .ok()?;
    let begun = Instant::now();
    while begun.elapsed() < TURN {
        if lock.try_lock().is_ok() {
            return Some(lock);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Hint, Theme};
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn open(file: &Path) -> Opened {
        Store::open_at(file.to_owned())
    }

    fn light() -> Settings {
        Settings {
            theme: Theme::Light,
            ..Settings::default()
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".lock"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_chosen_is_there_at_the_next_start_and_nothing_is_written_unasked() {
        let folder = folder();
        let file = folder.path().join("deep/er/settings.ron");
        let mut opened = open(&file);
        assert_eq!(opened.settings, Settings::default());
        opened.store.close(&Settings::default());
        assert!(!file.exists());
        open(&file).store.close(&light());
        let again = open(&file);
        assert_eq!((again.settings, again.notice), (light(), None));
        assert_eq!(names(file.parent().unwrap()), ["settings.ron"]);
    }

    #[test]
    fn a_change_is_written_after_a_pause_and_off_this_thread() {
        let folder = folder();
        let file = folder.path().join("settings.ron");
        let mut store = open(&file).store;
        let begun = Instant::now();
        assert_eq!(store.tend(&light()), None);
        assert!(store.due().is_some() && !file.exists());
        while !file.exists() || store.due().is_some() {
            assert_eq!(store.tend(&light()), None);
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(begun.elapsed() >= PAUSE);
        assert_eq!(open(&file).settings, light());
    }

    #[test]
    fn a_broken_file_is_set_aside_under_a_number_and_said_once() {
        let folder = folder();
        let file = folder.path().join("settings.ron");
        for (number, text) in ["(version: 1, theme:", "no RON at all", ""]
            .iter()
            .enumerate()
        {
            fs::write(&file, text).unwrap();
            let opened = open(&file);
            let aside = format!("settings.broken-{}.ron", number + 1);
            let notice = opened.notice.expect("a notice");
            assert!(notice.contains(&aside), "{notice}");
            assert_eq!(opened.settings, Settings::default());
            assert_eq!(
                fs::read_to_string(folder.path().join(aside)).unwrap(),
                *text
            );
            assert!(!file.exists());
            assert_eq!(open(&file).notice, None);
        }
        let huge = vec![b' '; LONGEST as usize + 1];
        fs::write(&file, huge).unwrap();
        let mut opened = open(&file);
        assert!(opened.notice.expect("a notice").contains("more than"));
        opened.store.close(&light());
        assert_eq!(open(&file).settings, light());
    }

    #[test]
    fn what_is_not_ours_is_left_and_never_written_over() {
        let folder = folder();
        let file = folder.path().join("settings.ron");
        let later = "(version: 2, theme: Purple)";
        fs::write(&file, later).unwrap();
        let mut opened = open(&file);
        assert!(opened.notice.expect("a notice").contains("version 2"));
        opened.store.close(&light());
        assert_eq!(fs::read_to_string(&file).unwrap(), later);
        fs::remove_file(&file).unwrap();

        fs::create_dir(&file).unwrap();
        let mut opened = open(&file);
        assert!(opened.notice.expect("a notice").contains("it is a folder"));
        opened.store.close(&light());
        assert!(file.is_dir());
        fs::remove_dir(&file).unwrap();
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_and_a_link_are_left_and_nothing_waits_for_a_pipe() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        let file = folder.path().join("settings.ron");
        for target in ["/dev/null", "/dev/zero", "nowhere", "settings.ron"] {
            symlink(target, &file).unwrap();
            let mut opened = open(&file);
            assert!(opened.notice.is_some(), "{target}");
            opened.store.close(&light());
            assert_eq!(fs::read_link(&file).unwrap(), Path::new(target));
            fs::remove_file(&file).unwrap();
        }
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        if made.is_ok_and(|status| status.success()) {
            let mut opened = open(&file);
            assert!(opened.notice.is_some());
            opened.store.close(&light());
        }
        // A link to a file of ours stays a link.
        fs::remove_file(&file).unwrap();
        let real = folder.path().join("real.ron");
        fs::write(&real, "(version: 1)").unwrap();
        symlink("real.ron", &file).unwrap();
        open(&file).store.close(&light());
        assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
        assert_eq!(open(&real).settings, light());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_said_once_and_stops_nothing() {
        let folder = folder();
        let in_the_way = folder.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        let opened = open(&in_the_way.join("settings.ron"));
        let mut store = opened.store;
        let begun = Instant::now();
        let mut said = Vec::new();
        let mut settings = light();
        while begun.elapsed() < 3 * PAUSE {
            said.extend(store.tend(&settings));
            if said.len() == 1 {
                settings.scale = 2.0;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(opened.notice, None);
        assert!(said.len() <= 1, "{said:?}");
        store.close(&settings);
    }

    #[test]
    fn of_a_writer_that_has_panicked_it_is_said_once_that_it_failed() {
        let folder = folder();
        let file = folder.path().join("settings.ron");
        let mut store = open(&file).store;
        let mut said = Vec::new();
        for _ in 0..2 {
            store.writing = Some(std::thread::spawn(|| panic!("a disk that is no disk")));
            store.await_writer(Instant::now());
            said.extend(store.tend(&Settings::default()));
        }
        let [said] = &said[..] else {
            panic!("{said:?}");
        };
        assert!(said.starts_with(&file.display().to_string()) && said.contains("failed"));
        // What was chosen is written as soon as it can be.
        store.close(&light());
        assert_eq!(open(&file).settings, light());
    }

    #[test]
    fn many_windows_write_at_once_and_the_file_is_whole_with_what_each_of_them_chose() {
        let folder = folder();
        let file = folder.path().join("settings.ron");
        fs::write(&file, Settings::default().text()).unwrap();
        std::thread::scope(|scope| {
            for turn in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    let base = open(file).settings;
                    let mut mine = base.clone();
                    match turn {
                        0 => mine.theme = Theme::Light,
                        1 => mine.scale = 2.0,
                        2 => mine.mark_sides = true,
                        3 => mine.note_seen(Hint::Timeline),
                        _ => mine.note_recent(Path::new(&format!("/{turn}.ron"))),
                    }
                    assert!(write(file, &mine, &base).is_ok());
                });
            }
        });
        let all = open(&file);
        assert_eq!(all.notice, None);
        let all = all.settings;
        assert_eq!((all.theme, all.scale), (Theme::Light, 2.0));
        assert!(all.mark_sides && all.has_seen(Hint::Timeline));
        assert_eq!(all.recent.len(), 4, "{:?}", all.recent);
        assert_eq!(names(folder.path()), ["settings.ron"]);
    }
}
