//! What comes in the place of what is open: a file, an empty field, or work that was left behind.

use super::super::left::note_replaced;
use super::super::{Errand, Left, News, RunMode, lock};
use super::Run;
use crate::app::sentences::{and, warned};
use crate::app::watch::InFile;
use crate::app::widgets::with_commas;
use skirmish::partition::Kind;
use skirmish::scene::{Scene, StructureChoice, file};
use skirmish::session::Session;
use skirmish::session::file::Recording;
use skirmish::streaming::TextureJob;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What was opened.
struct Opened {
    session: Session,
    /// What could not be opened of it.
    complaint: Option<String>,
    is_recording: bool,
    /// What was read of its file.
    in_file: InFile,
}

impl Run {
    /// Opens a scene or a recording in the place of what is here.
    pub(super) fn open(&mut self, path: PathBuf) {
        let words = path.file_name().unwrap_or(path.as_os_str());
        self.shared.begin(
            Errand::Asked,
            format!("Opening {}", words.to_string_lossy()),
        );
        let opened = open_path(&path);
        let cancelled = self.shared.cancel.is_cancelled();
        self.shared.end();
        match opened {
            _ if cancelled => {
                self.given_up = None;
                self.shared
                    .tell_cancelled("Cancelled; the scene that was open goes on.");
            }
            Ok(Opened {
                session,
                complaint,
                is_recording,
                in_file: read,
            }) => {
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                // A scene that is saved must not take a recording's place.
                self.leave_for(session, (!is_recording).then_some(path), name);
                // Whoever goes back to one that this file gave before has what it does not hold any more.
                let in_file = Arc::clone(self.session.scene());
                let before = self.left[0].iter_mut();
                note_replaced(before, self.path.as_deref(), &in_file);
                let words = is_recording.then(|| self.words_of_recording());
                self.enter((complaint, words), read, None);
                if is_recording {
                    // It plays.
                    self.mode = RunMode::Running;
                } else {
                    self.stand_as_told();
                }
            }
            Err(sentence) => {
                // Nobody has left anything.
                self.given_up = None;
                self.shared.tell(News::Failed(sentence));
            }
        }
    }

    /// Starts an empty field, under a structure that nobody has set: knobs that were turned for another scene say nothing of this one.
    pub(super) fn begin_new(&mut self) {
        let scene = Scene::blank(StructureChoice::new(Kind::Quadtree));
        let (session, complaint) = Session::new(scene, Path::new(""));
        self.leave_for(session, None, Some("new-scene.ron".to_owned()));
        self.enter((complaint, None), InFile::AsBefore, None);
        self.stand_as_told();
    }

    /// A scene that wants to stand still at first does, and the next one that does not goes on as time did before.
    fn stand_as_told(&mut self) {
        match (self.session.scene().view.pace, self.own_pace) {
            (Some(pace), own) => {
                self.own_pace = own.or(Some(self.pace));
                self.pace = pace;
            }
            (None, Some(own)) => (self.pace, self.own_pace) = (own, None),
            (None, None) => {}
        }
        let stands = self.session.scene().view.paused;
        if stands && self.mode == RunMode::Running {
            self.mode = RunMode::Paused;
            self.stopped_by_scene = true;
        } else if !stands && std::mem::take(&mut self.stopped_by_scene) {
            self.mode = RunMode::Running;
        }
    }

    /// What is said of a recording that was opened.
    fn words_of_recording(&self) -> String {
        let timeline = self.session.timeline();
        format!(
            "A recording of {} ticks and {} actions: it plays to its end, and goes on from there.",
            with_commas(timeline.end()),
            timeline.acts().len()
        )
    }

    /// Brings back work that was left behind, as far as it was kept, and stands there.
    pub(super) fn restore(&mut self, left: Left) {
        let title = left.title();
        self.shared
            .begin(Errand::Asked, format!("Bringing back {title}"));
        let opened = open_kept(&left.slot.file());
        self.shared.end();
        let (session, complaint) = match opened {
            Ok(opened) => opened,
            Err(sentence) => return self.shared.tell(News::Failed(sentence)),
        };
        self.leave_for(session, left.of.path, Some(title.clone()));
        self.keeper.go_on_with(left.slot, &self.session);
        let end = self.session.timeline().end();
        let words = format!(
            "{title} comes back as it was kept, on its way to tick {}. It is not saved yet.",
            with_commas(end)
        );
        self.enter((complaint, Some(words)), InFile::AsBefore, None);
        self.mode = RunMode::Paused;
        self.sought = Some(end);
        self.shared.tell(News::Stopped);
    }

    /// Another session is here, of which there is this to complain of and to say. `was` is the number that it had where it was here before,
    /// and whether redo led back to it, or undo.
    pub(in super::super) fn enter(
        &mut self,
        (complaint, words): (Option<String>, Option<String>),
        in_file: InFile,
        was: Option<(u64, bool)>,
    ) {
        self.shown.clear();
        // What was measured of a scene to which undo goes back, and that it was.
        self.show_costs(true);
        self.loads.clear();
        self.changes += 1;
        self.crowds += 1;
        self.entered += 1;
        self.placed = None;
        self.keeper.note_looks(None);
        self.note_shipped();
        self.is_led = false;
        // How long a tick took says nothing of one of another scene.
        self.shared.was_long.store(false, Ordering::Relaxed);
        // Known before the next tick, which is not always its first: undo and redo lead here as well.
        let crowding = self.session.crowding().as_ref().map(warned);
        let beside = match (self.disarm_stops(), crowding) {
            (Some(words), crowding) => Some(and(words.to_owned(), crowding.as_deref())),
            (None, crowding) => crowding,
        };
        let stops = std::mem::take(&mut self.stops);
        self.session.set_stops(&stops);
        self.stops = stops;
        self.surveyor.stop();
        lock(&self.shared.jobs).clear();
        lock(&self.shared.jobs).push(TextureJob::Clear);
        self.start_figures();
        self.steps_counted = (0.0, 0);
        self.last = Instant::now();
        self.shared.tell(News::Opened {
            path: self.path.clone(),
            name: self.name.clone(),
            scene: Arc::clone(self.session.scene()),
            has_world: self.session.world().is_some(),
            session: self.entered,
            was: was.map(|(number, _)| number),
            stops_kept: self.stops_kept,
            in_file,
        });
        self.tell_arrival(complaint, words, beside.as_deref(), was.map(|(_, on)| on));
    }
}

/// Opens a scene or a recording.
fn open_path(path: &Path) -> Result<Opened, String> {
    let name = path.display().to_string();
    let bytes = file::read_bytes(path).map_err(|error| error.to_string())?;
    let is_recording = Recording::is_meant(&bytes);
    // It takes its time until somebody watches the file.
    let in_file = InFile::read(&bytes);
    let (session, complaint) = if is_recording {
        drop(bytes);
        let recording = Recording::read(path).map_err(|error| error.to_string())?;
        Session::of_recording(recording).map_err(|refusal| format!("{name}: {refusal}"))?
    } else {
        let scene = file::parse(&bytes, &name).map_err(|error| error.to_string())?;
        Session::new(scene, path.parent().unwrap_or(Path::new("")))
    };
    Ok(Opened {
        session,
        complaint,
        is_recording,
        in_file,
    })
}

/// Opens what was kept of a session whose program ended.
fn open_kept(path: &Path) -> Result<(Session, Option<String>), String> {
    let recording = Recording::read(path).map_err(|error| error.to_string())?;
    let (mut session, complaint) = Session::of_recording(recording)
        .map_err(|refusal| format!("{}: {refusal}", path.display()))?;
    session.note_unsaved();
    Ok((session, complaint))
}
