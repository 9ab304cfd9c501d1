//! Watches the file of the scene: what becomes of it on the disk while it is open, by a look a second on a thread of its own.
//!
//! # Algorithm
//!
//! 1. When a scene was opened or saved, what stands on the disk is taken as known: time of change, length, content.
//! 2. Each second what stands there is compared. A file whose time or length is another one is read, as far as it is short, and only
//!    another content is another file: who touches it changes nothing.
//! 3. What is found must be found twice, so that nobody is told of a file that is being written, or of one save between two looks.
//! 4. Who is about to save over the file asks for a look at once, and one finding is enough for him: what he writes a moment later takes
//!    the place of whatever has come.
//! 5. A version of the file that was read or written here is known, and is no news to whoever goes back to a scene from before it: only
//!    who saves over it is asked. Over one that is not to replace what is here nobody is asked again, however often undo and redo lead
//!    away and back; until the file is read or written here.
//!
//! Invariant: nothing here waits for the disk on the thread that draws, and no file is opened that is no regular file.

use skirmish::files::{self, ReadError};
use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// The time between two looks.
const LOOK: Duration = Duration::from_secs(1);
/// The content of longer files is not compared, in bytes: their time and length say enough.
const LONGEST: u64 = 8 << 20;

/// What became of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// Something else is in it.
    Changed,
    /// It is not there any more.
    Gone,
    /// It is a folder, a pipe or a device now.
    NoFile,
    /// It may not be read any more.
    Unreadable,
}

/// What is known of the version that is in the file, where that is not what is here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// When it was written, as far as the disk says so.
    pub written: Option<SystemTime>,
    /// Whether this program has written it.
    pub is_ours: bool,
    /// Whether it was read or written here since: it is no news.
    pub is_known: bool,
}

/// What stands on the disk under a name.
#[derive(Clone, Debug, PartialEq)]
enum Stand {
    File {
        changed: Option<SystemTime>,
        length: u64,
        /// What is in it, where it is short.
        content: Option<u64>,
    },
    Not(Became),
}

impl Stand {
    /// Looks at a file; what is in it is read only where `known` does not tell already.
    fn of(path: &Path, known: Option<&Self>) -> Self {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return Self::of_error(error.into()),
        };
        if !metadata.is_file() {
            return Self::Not(Became::NoFile);
        }
        let (changed, length) = (metadata.modified().ok(), metadata.len());
        if let Some(Self::File {
            changed: then,
            length: before,
            ..
        }) = known
            && changed.is_some()
            && (changed, length) == (*then, *before)
        {
            return known.cloned().unwrap_or(Self::Not(Became::Unreadable));
        }
        let content = if length <= LONGEST {
            match files::read(path, LONGEST) {
                Ok(bytes) => Some(content_of(&bytes)),
                Err(ReadError::TooLong) => None,
                Err(error) => return Self::of_error(error),
            }
        } else {
            None
        };
        Self::File {
            changed,
            length,
            content,
        }
    }

    fn of_error(error: ReadError) -> Self {
        Self::Not(match error {
            ReadError::Missing => Became::Gone,
            ReadError::Folder | ReadError::NotAFile => Became::NoFile,
            _ => Became::Unreadable,
        })
    }

    /// What became of the file that was known; `None` where it is what it was.
    fn differs_from(&self, known: &Self) -> Option<Became> {
        match (self, known) {
            (Self::Not(now), Self::Not(then)) if now == then => None,
            (Self::Not(now), _) => Some(*now),
            (
                Self::File {
                    content: Some(now), ..
                },
                Self::File {
                    content: Some(then),
                    ..
                },
            ) => (now != then).then_some(Became::Changed),
            (now, then) => (now != then).then_some(Became::Changed),
        }
    }

    /// Whether it is the same version of a file.
    fn is_version_of(&self, other: &Self) -> bool {
        matches!(self, Self::File { .. }) && self.differs_from(other).is_none()
    }
}

/// How a scene stands to its file when it comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFile {
    /// It has just been written to it, or is known to be what stands there.
    Same,
    /// It has been read from it: it was so many bytes, which are told again by this. Another program may have written since then.
    Read(u64, u64),
    /// Undo has gone back to it: what stood there when it was here last is it.
    #[default]
    AsBefore,
    /// The same file has given another scene since, or been given one.
    Another,
}

impl InFile {
    /// It has been read from these bytes. Of very many nobody compares the content: whatever stands there is it.
    pub fn read(bytes: &[u8]) -> Self {
        match bytes.len() as u64 {
            length @ 0..=LONGEST => Self::Read(length, content_of(bytes)),
            _ => Self::Same,
        }
    }
}

fn content_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// What the thread is told.
enum Order {
    /// To watch a file, or none.
    Begin {
        path: Option<PathBuf>,
        in_file: InFile,
        turn: u64,
    },
    /// That this program has written a file: what it knew of that before is nothing any more.
    Written(PathBuf),
    /// That what was told under this number is heard, and what is here is to be kept all the same.
    Heard(u64),
    /// To look at once. Looks that were asked for have numbers.
    Look(u64),
}

/// What the thread has found, and in which turn.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    turn: u64,
    became: Option<Became>,
    version: Version,
    /// Which finding of all that is: a file may be changed again.
    number: u64,
    /// The last look that was asked for, of those that are over.
    looked: u64,
}

type Found = Arc<Mutex<Told>>;

/// Who watches one file at a time.
#[derive(Default)]
pub struct Watch {
    orders: Option<Sender<Order>>,
    found: Found,
    /// Which file is watched; every time that it is opened or saved is another turn.
    turn: u64,
    /// Which finding was given last, as the user is told of it.
    given: Cell<u64>,
    /// What the user has been told and does not want to hear again.
    heard: Option<u64>,
    /// How many looks were asked for.
    asked: u64,
}

impl Watch {
    /// Takes what stands at `path` by now as known, or what the scene that has come knows of it, and watches it. `wake` is called, on
    /// another thread, when something was found.
    pub fn begin(
        &mut self,
        path: Option<PathBuf>,
        in_file: InFile,
        wake: impl Fn() + Send + 'static,
    ) {
        self.turn += 1;
        self.heard = None;
        let is_none = path.is_none();
        let order = Order::Begin {
            path,
            in_file,
            turn: self.turn,
        };
        if let Some(orders) = &self.orders {
            // The thread lives as long as this.
            let _ = orders.send(order);
            return;
        }
        if is_none {
            return;
        }
        let (orders, inbox) = channel();
        let found = Arc::clone(&self.found);
        let thread = std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || watch(&inbox, &found, wake));
        // Without a thread nobody is told.
        if thread.is_ok() {
            let _ = orders.send(order);
            self.orders = Some(orders);
        }
    }

    /// What became of the file, until somebody has heard it.
    pub fn found(&self) -> Option<Became> {
        let told = *lock(&self.found);
        let is_new = told.turn == self.turn && self.heard != Some(told.number);
        let became = told.became.filter(|_| is_new);
        if became.is_some() {
            self.given.set(told.number);
        }
        became
    }

    /// Which version of the file it was that was found last.
    pub fn version(&self) -> Version {
        lock(&self.found).version
    }

    /// Asks for a look at once.
    pub fn look(&mut self) {
        self.asked += 1;
        let order = Order::Look(self.asked);
        // A thread that is no more looks at nothing, and is not to be waited for.
        self.orders = self.orders.take().filter(|it| it.send(order).is_ok());
    }

    /// Whether the look that was asked for last is over: without a thread nobody looks.
    pub fn has_looked(&self) -> bool {
        self.orders.is_none() || lock(&self.found).looked >= self.asked
    }

    /// This program has written a file.
    pub fn note_written(&self, path: PathBuf) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(Order::Written(path));
        }
    }

    /// Nobody wants to hear again of what was found and given: what is here is kept. What has been found since is another thing.
    pub fn hear(&mut self) {
        let number = self.given.get();
        self.heard = Some(number);
        if let Some(orders) = &self.orders {
            let _ = orders.send(Order::Heard(number));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread knows.
#[derive(Default)]
struct Watcher {
    /// The file that it watches, and in which turn.
    watched: Option<(PathBuf, u64)>,
    /// What stood there when it was read or written last.
    known: Option<Stand>,
    /// Whether the scene that is here is none of that, as the same file has given or been given another one: who comes back to that other
    /// one finds in its file what it has left there.
    is_of_another: bool,
    /// What the last look found.
    last: Option<Stand>,
    /// What was told.
    said: Option<Stand>,
    /// Of scenes to which undo goes back: what stood there when they were read or written last.
    of_others: HashMap<PathBuf, Stand>,
    /// What was read here last from a file, or written to it, and whether it was written.
    seen: HashMap<PathBuf, (Stand, bool)>,
    /// What is not to replace what is here, by its file.
    kept: HashMap<PathBuf, Stand>,
    /// Which version the last look found.
    version: Version,
}

impl Watcher {
    fn begin(&mut self, path: Option<PathBuf>, in_file: InFile, turn: u64) {
        let before = self.watched.take().map(|(path, _)| path);
        let known = self.known.take().filter(|_| !self.is_of_another);
        self.of_others.extend(before.zip(known));
        self.is_of_another = in_file == InFile::Another;
        self.known = path.as_deref().map(|path| match in_file {
            // Nothing that stands there is it.
            InFile::Another => Stand::Not(Became::Gone),
            InFile::Same | InFile::Read(..) => {
                self.of_others.remove(path);
                self.kept.remove(path);
                let now = match in_file {
                    InFile::Read(length, content) => Stand::File {
                        changed: None,
                        length,
                        content: Some(content),
                    },
                    _ => Stand::of(path, None),
                };
                let seen = self.seen.get(path);
                // What was saved is read again as what it is.
                if seen.is_none_or(|(seen, _)| !now.is_version_of(seen)) {
                    self.seen.insert(path.to_owned(), (now.clone(), false));
                }
                now
            }
            InFile::AsBefore => {
                let before = self.of_others.remove(path);
                before.unwrap_or_else(|| Stand::of(path, None))
            }
        });
        (self.last, self.said) = (None, None);
        self.watched = path.map(|path| (path, turn));
    }

    fn note_written(&mut self, path: &Path) {
        if self
            .watched
            .as_ref()
            .is_some_and(|(other, _)| other == path)
        {
            self.known = None;
        }
        self.of_others.remove(path);
        self.kept.remove(path);
        let now = Stand::of(path, None);
        self.seen.insert(path.to_owned(), (now, true));
    }

    /// What is here is kept, whatever was told last.
    fn keep(&mut self) {
        let kept = self.watched.as_ref().zip(self.said.clone());
        if let Some(((path, _), said)) = kept
            && matches!(said, Stand::File { .. })
        {
            self.kept.insert(path.clone(), said);
        }
    }

    /// What is known of the version that stands there now.
    fn version_of(&self, path: &Path, now: &Stand) -> Version {
        let seen = self.seen.get(path);
        let seen = seen.filter(|(seen, _)| now.is_version_of(seen));
        let Stand::File { changed, .. } = now else {
            return Version::default();
        };
        Version {
            written: *changed,
            is_ours: seen.is_some_and(|(_, is_ours)| *is_ours),
            is_known: seen.is_some(),
        }
    }

    /// Looks at the file, and gives what is to be told, and in which turn. What has been found but once is told if somebody `asks`, as
    /// far as a file is there: an editor takes the old one away for a moment.
    fn look(&mut self, asks: bool) -> Option<(u64, Option<Became>)> {
        let ((path, turn), before) = self.watched.as_ref().zip(self.known.as_ref())?;
        let now = Stand::of(path, self.last.as_ref().or(Some(before)));
        let became = now.differs_from(before);
        let is_there = matches!(became, Some(Became::Changed | Became::Unreadable));
        let is_settled = self.last.as_ref() == Some(&now) || asks && is_there;
        if became.is_none() {
            // Touched, or as it was again.
            self.known = Some(now.clone());
        }
        let kept = self.kept.get(path);
        let became = became.filter(|_| kept.is_none_or(|kept| !now.is_version_of(kept)));
        let version = self.version_of(path, &now);
        let is_said = match became {
            Some(_) => self.said.as_ref() == Some(&now) || !is_settled,
            None => self.said.is_none(),
        };
        if !is_said {
            self.said = became.map(|_| now.clone());
            self.version = version;
        }
        self.last = Some(now);
        (!is_said).then_some((*turn, became))
    }
}

fn watch(inbox: &Receiver<Order>, found: &Found, wake: impl Fn()) {
    let mut watcher = Watcher::default();
    let tell = |news: Option<(u64, Option<Became>)>, version: Version, looked: Option<u64>| {
        let mut told = lock(found);
        told.looked = looked.unwrap_or(told.looked);
        if let Some((turn, became)) = news {
            (told.turn, told.became, told.version) = (turn, became, version);
            told.number += 1;
        }
        drop(told);
        if news.is_some() || looked.is_some() {
            wake();
        }
    };
    loop {
        let next = match &watcher.watched {
            Some(_) => inbox.recv_timeout(LOOK),
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(Order::Written(path)) => watcher.note_written(&path),
            // Of another version that was found meanwhile nobody has heard.
            Ok(Order::Heard(number)) if number == lock(found).number => watcher.keep(),
            Ok(Order::Heard(_)) => {}
            Ok(Order::Begin {
                path,
                in_file,
                turn,
            }) => {
                watcher.begin(path, in_file, turn);
                let mut told = lock(found);
                (told.turn, told.became) = (turn, None);
            }
            Ok(Order::Look(number)) => {
                let news = watcher.look(true);
                tell(news, watcher.version, Some(number));
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let news = watcher.look(false);
                tell(news, watcher.version, None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
