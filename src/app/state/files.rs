//! What the window knows of files besides the scene itself: what comes and goes, what is being written, and what is wanted.

use super::App;
use crate::app::commands::View;
use crate::app::set_words::{knobs_in_words, pane_in_words};
use crate::app::settings::Theme;
use crate::app::snippet::{Place, Set, snippet};
use crate::app::wake;
use crate::app::watch::{Became, InFile, Version};
use crate::app::worker::{Looks, Message, OfFile};
use skirmish::built_in;
use skirmish::files::{ReadError, guard_writer};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A picture that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedPicture {
    /// Where it goes.
    pub path: PathBuf,
    /// The size of a picture of the field alone, in pixels; `None` for one of the window.
    pub size: Option<(u32, u32)>,
    /// So many frames are drawn before: what lies over the field goes first.
    pub frames_left: u8,
}

/// A look at the file of the scene at the moment at which it is to be saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaveLook {
    /// Nobody waits for one.
    #[default]
    Done,
    /// It is to be asked for.
    Wanted,
    /// It is under way.
    UnderWay,
}

/// What the window knows of files.
#[derive(Debug, Default)]
pub struct Files {
    /// How often a scene was opened or saved: what stands on the disk is known anew then.
    pub arrivals: u32,
    /// How the last one stands to its file.
    pub in_file: InFile,
    /// Files that have been written since somebody was told of it.
    pub just_written: Vec<PathBuf>,
    /// What became of the file on the disk.
    pub on_disk: Option<Became>,
    /// Which version it holds then.
    pub version: Version,
    /// Whether the user wants to hear no more of that.
    pub is_heard: bool,
    /// Whether somebody waits for a look at that before a save.
    pub save_look: SaveLook,
    /// The numbers of the wishes to save of which it is not known yet what became.
    saving: Vec<u64>,
    /// How many sessions there were before the one that is shown.
    pub(super) session: u64,
    /// What became of wishes to save, of which nobody has asked yet.
    pub(super) ended: Vec<(u64, bool)>,
    /// Whether it was said that a scene is saved as it begins.
    pub(super) told_moment: bool,
    /// What is being opened, until it is here.
    opening: Option<PathBuf>,
    /// The size of a picture of the field for which a place is to be chosen.
    pub field_picture: Option<(u32, u32)>,
    /// A picture that is wanted.
    pub picture: Option<WantedPicture>,
    /// What became of what was written on other threads.
    written: Arc<Mutex<Vec<Result<String, String>>>>,
    /// Those threads, as far as they may still write.
    writers: Vec<JoinHandle<()>>,
    /// A text for the clipboard.
    pub copied: Option<String>,
    /// Which of the recent scenes cannot be opened, and why; looked for while somebody looks at the list.
    missing: Arc<Mutex<Vec<(String, String)>>>,
    looked: Option<Instant>,
}

/// How long the end of the program waits at the most for what is still being written.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Who looks at the list of recent scenes sees what came and went within this time.
const FRESH: Duration = Duration::from_secs(2);

impl Files {
    /// What is known of files where a scene begins that stands so to its own.
    pub(super) fn beginning(in_file: InFile) -> Self {
        Self {
            in_file,
            ..Self::default()
        }
    }

    /// Somebody looks at the list of recent scenes: looks for them, on a thread of its own, for a disk may be slow.
    pub fn look_at_recent(&mut self, recent: &[String]) {
        if self.looked.is_some_and(|looked| looked.elapsed() < FRESH) {
            return;
        }
        self.looked = Some(Instant::now());
        let (recent, missing) = (recent.to_vec(), Arc::clone(&self.missing));
        let look = move || {
            let why = |path: String| Some((path.clone(), why_not(Path::new(&path))?));
            let all = recent.into_iter().filter_map(why).collect();
            *missing.lock().unwrap_or_else(PoisonError::into_inner) = all;
            wake::ring();
        };
        // Without a thread nothing is dimmed; opening says what is wrong.
        let _ = std::thread::Builder::new()
            .name("recent".to_owned())
            .spawn(look);
    }

    /// What became of the file, where that is news: a version that was read or written here is none, and only who saves over it is asked.
    pub fn news_of_disk(&self) -> Option<Became> {
        self.on_disk.filter(|_| !self.version.is_known)
    }

    /// Whether it is said that the file is gone, or holds another version: then no file may hold what is here. One that merely cannot be
    /// read may hold it still.
    pub fn is_gone(&self) -> bool {
        let news = self.news_of_disk();
        news.is_some_and(|it| it != Became::Unreadable)
    }

    /// Why a recent scene cannot be opened, as far as it is known.
    pub fn why_not(&self, path: &str) -> Option<String> {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let found = missing.iter().find(|(other, _)| other == path);
        found.map(|(_, reason)| reason.clone())
    }
}

fn why_not(path: &Path) -> Option<String> {
    let error = match path.metadata() {
        Ok(metadata) if metadata.is_file() => return None,
        Ok(metadata) if metadata.is_dir() => ReadError::Folder,
        Ok(_) => ReadError::NotAFile,
        Err(error) => error.into(),
    };
    Some(error.to_string())
}

impl App {
    /// A scene was opened or saved.
    pub(super) fn note_arrival(&mut self, in_file: InFile) {
        self.files.arrivals += 1;
        self.files.on_disk = None;
        self.files.in_file = in_file;
        if let Some(path) = self.path.clone() {
            self.note_recent(&path);
        }
    }

    /// A scene was opened. What is saved meanwhile is none that was being opened.
    pub(super) fn note_opened(&mut self, in_file: InFile) {
        // A recording has no file that is saved to, but was opened from one.
        let opening = self.files.opening.take();
        let opened = opening
            .filter(|path| path.file_name().and_then(|it| it.to_str()) == self.name.as_deref());
        self.note_arrival(in_file);
        if let (None, Some(path)) = (&self.path, opened) {
            self.note_recent(&path);
        }
    }

    /// What the program was started with is among the recent ones.
    pub fn note_start(&mut self, path: Option<&Path>) {
        if let Some(path) = path {
            self.note_recent(path);
        }
    }

    /// What was opened is among the recent ones, unless it is built in.
    fn note_recent(&mut self, path: &Path) {
        if !built_in::contains(path) {
            self.settings.note_recent(path);
        }
    }

    /// The number of the scene that is open among all that were.
    pub fn session(&self) -> u64 {
        self.files.session
    }

    /// What is being opened.
    pub(super) fn note_opening(&mut self, path: &Path) {
        self.files.opening = Some(path.to_owned());
    }

    /// This is found on the disk by now. Of a scene whose file is gone there is nothing else: it is kept as what is unsaved is, without
    /// waiting for anybody. Where nothing is to be told any more the file may hold what is here again.
    pub fn note_found(&mut self, found: Option<Became>, version: Version) {
        let is_gone =
            |files: &Files| matches!(files.news_of_disk(), Some(Became::Gone | Became::NoFile));
        let was_gone = is_gone(&self.files);
        let before = std::mem::replace(&mut self.files.on_disk, found);
        self.files.version = version;
        let is_over = before.is_some() && found.is_none();
        if is_gone(&self.files) && !was_gone {
            self.worker.keep_mine(self.files.session, OfFile::Away);
        } else if is_over && self.files.in_file == InFile::Another {
            self.worker.keep_mine(self.files.session, OfFile::Unknown);
        }
    }

    /// Goes on with what is open, though its file holds another version by now, or none: where no file has it, whoever leaves is asked.
    pub fn keep_mine(&mut self) {
        self.files.is_heard = true;
        let of_file = match self.files.on_disk {
            Some(Became::Gone | Became::NoFile) => OfFile::Gone,
            _ => OfFile::Unknown,
        };
        self.worker.keep_mine(self.files.session, of_file);
    }

    /// The scene is left: what is here, of which it was said that its file does not hold it any more, is kept as what is unsaved is.
    pub fn keep_what_is_gone(&mut self) {
        if self.files.is_gone() {
            self.keep_mine();
        }
    }

    /// Whether to open this file is to take the version of the scene's own file that was told of, and so an answer to that.
    pub(super) fn is_reload(&self, path: &Path) -> bool {
        self.file() == Some(path) && self.files.news_of_disk() == Some(Became::Changed)
    }

    /// Whether no file is known to hold the scene as it is here, whoever has changed what.
    pub fn is_in_no_file(&self) -> bool {
        let is_kept = self.worker.has_kept_after(self.heeded);
        is_kept || self.files.is_gone() || self.files.in_file == InFile::Another
    }

    /// Goes to the nearest scene that was left with what somebody would miss.
    pub fn go_to_left_work(&mut self) {
        self.notice = None;
        self.keep_what_is_gone();
        self.worker.post(Message::GoToLeftWork);
    }

    /// Opens the file of the scene again, as it is on the disk by now.
    pub fn reload(&mut self) {
        if let Some(path) = self.file().map(Path::to_path_buf) {
            self.open(path);
        }
    }

    /// Saves the scene, with all that was done before. Gives the number of that wish, by which it is told when that is done.
    pub fn save(&mut self, path: PathBuf) -> u64 {
        if self.busy.is_some() {
            self.say("Saved as soon as what is under way is done; Cancel ends that.");
        }
        let scene = self.scene_to_save();
        let own = scene.view.clone();
        let number = self.worker.save(self.files.session, path, Looks::of(scene));
        self.note_looks_to_save(number, own);
        self.files.saving.push(number);
        number
    }

    /// A wish to save has ended.
    pub(super) fn note_ended_save(&mut self, number: u64, is_saved: bool) {
        self.files.saving.retain(|other| *other != number);
        self.files.ended.push((number, is_saved));
    }

    /// Wants a look at the file before it is saved over, and says whether that is to be waited for: where two runs must look alike nobody
    /// watches, and while this program writes itself it would find that.
    pub fn want_save_look(&mut self) -> bool {
        let is_watched = !self.fixed && self.files.saving.is_empty();
        if is_watched {
            self.files.save_look = SaveLook::Wanted;
        }
        is_watched
    }

    /// What became of wishes to save since this was asked last: their numbers, and whether a file has the scene.
    pub fn take_ended_saves(&mut self) -> Vec<(u64, bool)> {
        std::mem::take(&mut self.files.ended)
    }

    /// Writes a file on a thread of its own; what that gives is said when it is done.
    pub fn write_beside(
        &mut self,
        path: PathBuf,
        write: impl FnOnce(&Path) -> Result<String, String> + Send + 'static,
    ) {
        let written = Arc::clone(&self.files.written);
        let shown = path.display().to_string();
        let thread = std::thread::Builder::new()
            .name("export".to_owned())
            .spawn(move || {
                let result = guard_writer(&path, || write(&path)).flatten();
                let mut all = written.lock().unwrap_or_else(PoisonError::into_inner);
                all.push(result);
                drop(all);
                wake::ring();
            });
        match thread {
            Ok(thread) => self.files.writers.push(thread),
            Err(error) => self.fail(format!(
                "{shown}: not saved: no thread could be started ({error})"
            )),
        }
    }

    /// Waits until all is written that is written on threads of their own, and says whether it is.
    pub fn wait_for_writers(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        let is_writing = |app: &Self| app.files.writers.iter().any(|it| !it.is_finished());
        while start.elapsed() < patience && is_writing(self) {
            std::thread::sleep(Duration::from_millis(5));
        }
        !is_writing(self)
    }

    /// Waits for what is being written on threads of their own, which end with the program: not for long, for who waits for a disk that
    /// does not answer could not end it any more. Fails with what has not been written.
    pub fn finish_writing(&mut self) -> Result<(), String> {
        let is_done = self.wait_for_writers(LAST_WAIT);
        let written = self.files.written.lock();
        let all = std::mem::take(&mut *written.unwrap_or_else(PoisonError::into_inner));
        self.files.writers.clear();
        match all.into_iter().find_map(Result::err) {
            Some(error) => Err(error),
            None if is_done => Ok(()),
            None => Err(
                "A file was still being written when the program ended: it is not whole, or not there."
                    .to_owned(),
            ),
        }
    }

    /// Says what has been written since the last time.
    pub fn serve_writers(&mut self) {
        self.files.writers.retain(|writer| !writer.is_finished());
        let all = {
            let mut written = self
                .files
                .written
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *written)
        };
        for result in all {
            match result {
                Ok(sentence) => self.say(sentence),
                Err(sentence) => self.fail(sentence),
            }
        }
    }

    /// Wants a picture of the window, or of the field alone in a size, as soon as nothing lies over it.
    pub fn want_picture(&mut self, path: PathBuf, size: Option<(u32, u32)>) {
        self.files.picture = Some(WantedPicture {
            path,
            size,
            frames_left: 2,
        });
    }

    /// The picture that is due in this frame.
    pub fn due_picture(&mut self) -> Option<WantedPicture> {
        let wanted = self.files.picture.as_mut()?;
        if wanted.frames_left == 0 {
            return self.files.picture.take();
        }
        wanted.frames_left -= 1;
        None
    }

    /// Copies the structure and its knobs as Rust: that of the pane that is chosen above a table, and else of the first one.
    pub(super) fn copy_as_rust(&mut self) {
        let lane = match self.view == View::Compare && self.all_structures {
            true => self.swept_lane(),
            false => 0,
        };
        let structure = &self.lanes[lane].structure;
        let place = match &self.flight {
            Some(flight) => Place {
                field: self.scene.field3(),
                reach: flight.pair_reach(),
                keep_apart: 0.0,
                sized: flight.bodies().are_sized(),
            },
            None => {
                let sized = self.battle.bodies().are_sized();
                let distances = [self.battle.pair_reach(), self.battle.keep_apart()];
                Place::plane(self.scene.field, distances, sized)
            }
        };
        let knobs = Set {
            knobs: &structure.knobs,
            in_effect: &structure.effects,
        };
        let text = snippet(structure.kind, knobs, place);
        let name = structure.info().name.to_owned();
        let set = knobs_in_words(structure, &[], usize::MAX);
        let has_panes = self.view == View::Compare && self.lanes.len() > 1;
        let pane = has_panes.then(|| format!("of {}", pane_in_words(lane)));
        let set = Some(set).filter(|set| !set.is_empty());
        let what: Vec<String> = std::iter::once(name).chain(set).chain(pane).collect();
        let comma = if what.len() > 1 { "," } else { "" };
        let what = what.join(", ");
        self.say(format!("{what}{comma} is in the clipboard, as Rust."));
        self.files.copied = Some(text);
    }

    /// Makes the interface larger or smaller, or as large as it comes.
    pub(super) fn scale_interface(&mut self, larger: Option<bool>) {
        let scale = larger.map_or(1.0, |larger| self.settings.next_scale(larger));
        self.settings.scale = scale;
        let percent = (scale * 100.0).round();
        self.say(format!("The interface is at {percent} %."));
    }

    /// Switches between dark and light, whatever the desktop says.
    pub(super) fn turn_theme(&mut self) {
        self.settings.theme = if self.light {
            Theme::Dark
        } else {
            Theme::Light
        };
    }
}
