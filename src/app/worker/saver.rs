//! Saving. What goes to the file is the scene as it is where the wish to save it stands among all that was said: with every edit before
//! it, and with none behind it. It is written on a thread of its own.

use super::left::note_replaced;
use super::*;
use skirmish::files::guard_writer;
use skirmish::scene::file::SceneError;
use skirmish::scene::{Camera, Orbit, View};

/// Who closes the window waits at the longest this long for what is being written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How a scene is looked at, which the window knows and the session does not.
#[derive(Clone, Debug)]
pub struct Looks {
    /// The field that is looked at.
    field: Aabb,
    view: View,
    camera: Option<Camera>,
    orbit: Option<Orbit>,
}

/// A scene that was written, or was not.
#[derive(Debug)]
pub struct Written {
    /// Which wish that was, by its number among the messages.
    number: u64,
    /// Of which session, by the number of those before it.
    session: u64,
    path: PathBuf,
    scene: Arc<Scene>,
    /// Whether its name is that of the file.
    is_named: bool,
    is_saved: bool,
    of: OfSave,
}

/// What is to be said of a scene that was saved, as it was when somebody wished that: time goes on while a file is written.
#[derive(Clone, Debug)]
pub struct OfSave {
    /// The tick of which the scene is.
    pub tick: u64,
    /// Whether what was done after that has changed what the file holds.
    pub has_scene_ahead: bool,
    /// The name that it has kept from another file, where nobody has given it one since.
    pub still_called: Option<String>,
}

impl Looks {
    /// How this scene is looked at.
    pub fn of(scene: Scene) -> Self {
        Self {
            field: scene.field,
            view: scene.view,
            camera: scene.camera,
            orbit: scene.volume.and_then(|volume| volume.camera),
        }
    }

    /// Writes it into the scene. Of another field, which an edit has made that the window has not heard of yet, all is shown, as the
    /// window shows all of it once it has.
    pub(super) fn put_on(self, scene: &mut Scene) {
        if scene.field != self.field {
            scene.camera = None;
        }
        self.put_on_beginning(scene);
    }

    /// Writes it into the scene with which a recording begins: of another field it shows what it has shown.
    pub(super) fn put_on_beginning(self, scene: &mut Scene) {
        scene.view = self.view;
        if scene.field == self.field {
            scene.camera = self.camera;
        }
        // What a volume fills is changed by no edit.
        if let Some(volume) = &mut scene.volume {
            volume.camera = self.orbit;
        }
    }
}

/// A wish to save.
#[derive(Debug)]
pub struct Save {
    /// Its number among the messages.
    pub(super) number: u64,
    /// Of which session, by the number of those before it.
    pub(super) session: u64,
    pub(super) path: PathBuf,
    pub(super) looks: Looks,
    /// Where it is told that it was written. Whoever reads there holds none of these: they would wait for themselves.
    pub(super) told: Sender<Post>,
}

/// What is known of the file of a scene that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfFile {
    /// That is to be looked for.
    Unknown,
    /// It is not there now. It may come back as it was, and nobody has said anything of it.
    Away,
    /// It is gone, and somebody goes on without it.
    Gone,
}

/// A scene that is kept, though its file holds another version by now, or none.
#[derive(Debug)]
pub struct KeepMine {
    /// The number of its session.
    pub(super) session: u64,
    /// What is known of its file.
    pub(super) of_file: OfFile,
    /// Where it is told what the file holds.
    pub(super) told: Sender<Post>,
}

/// What a file holds beside which scenes were kept.
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    /// Whether it could be read,
    is_there: bool,
    /// and what it holds, where that is a scene.
    scene: Option<Scene>,
}

/// Writes a file: whether it has what was to be saved, and what is to be said where that went wrong.
fn attempt(path: &Path, write: impl FnOnce() -> Result<(), SceneError>) -> (bool, Option<String>) {
    match guard_writer(path, write) {
        Ok(Ok(())) => (true, None),
        Ok(Err(error)) => (error.is_saved(), Some(error.to_string())),
        Err(words) => (false, Some(words)),
    }
}

impl run::Run {
    /// Writes the scene as it is now.
    pub(super) fn save(&mut self, save: Save) {
        let Save {
            number,
            session,
            path,
            looks,
            told,
        } = save;
        if session != self.entered {
            // It would lie in the file of the other one.
            self.shared.tell(News::Failed(format!(
                "{}: not saved: another scene was opened before that was done",
                path.display()
            )));
            return self.shared.tell(News::SaveEnded(number, false));
        }
        let mut scene = Scene::clone(self.session.scene());
        looks.put_on(&mut scene);
        let is_new = scene.name == Scene::NEW;
        // Of several files that are to have it the first names it.
        let before = self.naming.as_ref().filter(|(of, _)| *of == session);
        let before = before.map(|(_, name)| name.clone());
        let name = before.or_else(|| name_of(&path));
        let name = name.filter(|name| is_new && name != Scene::NEW);
        let is_named = name.is_some();
        if let Some(name) = &name {
            self.naming = Some((session, name.clone()));
        }
        scene.name = name.unwrap_or(scene.name);
        let of = self.of_save(&path, &scene.name);
        let shared = Arc::clone(&self.shared);
        // Of two wishes for one file the later one is what stays in it.
        self.writers.retain(|(_, writer)| !writer.is_finished());
        let at = self.writers.iter().position(|(other, _)| *other == path);
        let before = at.map(|at| self.writers.swap_remove(at).1);
        let place = path.clone();
        let write = move || {
            if let Some(before) = before {
                let _ = before.join();
            }
            let (is_saved, failure) = attempt(&path, || file::write(&path, &scene));
            if let Some(failure) = failure {
                shared.tell(News::Failed(failure));
            }
            let scene = Arc::new(scene);
            let written = Written {
                number,
                session,
                path,
                scene,
                is_named,
                is_saved,
                of,
            };
            // The receiver lives as long as the program.
            let _ = told.send(Post::Written(written));
        };
        let thread = std::thread::Builder::new().name("save".to_owned());
        match thread.spawn(write) {
            Ok(writer) => self.writers.push((place, writer)),
            Err(error) => {
                self.shared.tell(News::Failed(format!(
                    "not saved: no thread could be started ({error})"
                )));
                self.shared.tell(News::SaveEnded(number, false));
            }
        }
    }

    /// What is to be said of the scene that is here once it is saved under this name in a file.
    fn of_save(&self, path: &Path, name: &str) -> OfSave {
        let is_other = |own: &PathBuf| own.file_name() != path.file_name();
        let is_elsewhere = self.path.as_ref().is_some_and(is_other);
        // A name that somebody has given it since it was saved last is meant for this file, and one of its words is that of the file.
        let is_kept = self.session.saved_name().is_none_or(|it| it == name);
        let is_of_file = name_of(path).as_deref() == Some(name);
        let is_still = is_elsewhere && is_kept && !is_of_file && !name.is_empty();
        OfSave {
            tick: self.session.tick_count(),
            has_scene_ahead: self.session.has_scene_ahead(),
            still_called: is_still.then(|| name.to_owned()),
        }
    }

    /// A scene is kept, whatever has become of its file. What that does not hold, no file has: this scene, and other versions of it that were
    /// left before. So it is until it is known what the file holds, for which nobody waits: its disk may not answer.
    pub(super) fn keep_mine(&mut self, kept: KeepMine) {
        let KeepMine {
            session,
            of_file,
            told,
        } = kept;
        let is_here = session == self.entered;
        // It may have been left since that was said.
        let mut left = self.left.iter().flatten();
        let path = match is_here {
            true => Some(self.path.clone()),
            false => {
                let left = left.find(|it| it.entered == session);
                left.map(|it| it.path.clone())
            }
        };
        let Some(path) = path else {
            return;
        };
        let of_file = if path.is_none() {
            OfFile::Gone
        } else {
            of_file
        };
        let note = |session: &mut Session| match of_file {
            OfFile::Gone => session.note_unsaved(),
            OfFile::Unknown | OfFile::Away => session.note_doubt(),
        };
        if is_here {
            note(&mut self.session);
            // That is heard: what the file holds is known by the look.
            *lock(&self.shared.gone) = None;
        }
        for left in self.left.iter_mut().flatten() {
            // What has come from the file since then is what that holds.
            let is_version = path.is_some() && left.path == path && left.entered < session;
            if left.entered == session || is_version {
                note(&mut left.session);
                left.is_missed |= left.entered == session;
            }
        }
        let Some(path) = path.filter(|_| of_file == OfFile::Unknown) else {
            let news = is_here.then_some((session, InFile::Another));
            return self.shared.tell(News::Held(news));
        };
        let look = move || {
            let bytes = file::read_bytes(&path).ok();
            let scene = bytes.as_ref().and_then(|it| file::parse(it, "").ok());
            let held = Held {
                path,
                is_there: bytes.is_some(),
                scene,
            };
            // The receiver lives as long as the program.
            let _ = told.send(Post::Held(Box::new(held)));
        };
        // Without a thread it stays as it is: unsaved.
        let _ = std::thread::Builder::new()
            .name("look".to_owned())
            .spawn(look);
    }

    /// It is known what a file holds beside which scenes were kept. What holds the same in other words has lost nothing.
    pub(super) fn note_held(&mut self, held: Held) {
        let Held {
            path,
            is_there,
            scene,
        } = held;
        let is_other = |session: &mut Session| match &scene {
            Some(scene) => session.note_replaced(scene),
            None => {
                session.note_unsaved();
                true
            }
        };
        let mut news = None;
        if self.session.is_in_doubt() && self.path.as_ref() == Some(&path) {
            let in_file = match is_other(&mut self.session) {
                true => {
                    self.is_replaced |= is_there;
                    InFile::Another
                }
                // It may have come back as it was.
                false => {
                    self.is_replaced = false;
                    InFile::Same
                }
            };
            news = Some((self.entered, in_file));
        }
        let left = self.left.iter_mut().flatten();
        for left in left.filter(|it| it.path.as_ref() == Some(&path)) {
            if left.session.is_in_doubt() {
                let is_other = is_other(&mut left.session);
                left.is_replaced |= is_other && is_there;
                if !is_other {
                    left.is_replaced = false;
                    left.note_missed();
                }
            }
        }
        self.shared.tell(News::Held(news));
    }

    /// Waits until all that was to be saved is written, but not for a disk that does not answer.
    pub(super) fn await_writers(&self) {
        let begun = Instant::now();
        let writes = |(_, writer): &(PathBuf, JoinHandle<()>)| !writer.is_finished();
        while self.writers.iter().any(writes) && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// What was written is what is saved, as far as it is still here.
    pub(super) fn note_written(&mut self, written: Written) {
        let Written {
            number,
            session,
            path,
            scene,
            is_named,
            is_saved,
            of,
        } = written;
        if is_named && !is_saved {
            self.naming = None;
        }
        let note = |session: &mut Session, own: &Option<PathBuf>| {
            if is_named {
                session.note_named(&scene.name);
            }
            match own.as_ref() == Some(&path) {
                true => session.note_saved(Arc::clone(&scene)),
                false => session.note_saved_elsewhere(Arc::clone(&scene)),
            }
        };
        let name = path.file_name();
        let name = name.map(|name| name.to_string_lossy().into_owned());
        if is_saved {
            note_replaced(self.left.iter_mut().flatten(), Some(&path), &scene);
        }
        if is_saved && session == self.entered {
            note(&mut self.session, &self.path);
            self.is_replaced = false;
            self.keeper.saved(&self.session);
            let aside = self.session.set_aside();
            let news = News::Saved(number, path.clone(), aside, of);
            self.shared.tell(news);
            (self.name, self.path) = (name, Some(path));
            self.note_shipped();
        } else if is_saved {
            // Another scene stands here by now. It may be another version of the same file, which holds it no more then.
            let is_own = self.path.as_ref() == Some(&path);
            let in_file = is_own.then(|| {
                self.is_replaced |= self.session.note_replaced(&scene);
                match self.is_replaced {
                    true => InFile::Another,
                    false => InFile::Same,
                }
            });
            self.shared.tell(News::SavedAside(path.clone(), in_file));
            let mut left = self.left.iter_mut().flatten();
            if let Some(left) = left.find(|left| left.entered == session) {
                note(&mut left.session, &left.path);
                left.is_replaced = false;
                (left.name, left.path) = (name, Some(path));
                left.note_missed();
            }
        }
        self.shared.tell(News::SaveEnded(number, is_saved));
    }
}

/// What a scene without a name is called in a file of this name: "My fight" in my-fight.ron. Nothing where that makes no name.
fn name_of(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_string_lossy();
    let is_between = |letter: char| "-_".contains(letter) || letter.is_whitespace();
    let words = stem.split(is_between).filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    let name: String = letters.next()?.to_uppercase().chain(letters).collect();
    file::check_title(&name, "").is_ok().then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::Vec2;
    use skirmish::scene::file::built_in;

    #[test]
    fn a_file_that_is_back_as_it_was_holds_another_scene_no_more() {
        let (_posts, inbox) = channel();
        let session = || Session::new(built_in(), Path::new("")).0;
        let path = PathBuf::from("a.ron");
        let of = (Some(path.clone()), None);
        let mut run = run::Run::new(session(), of, true, Arc::default(), inbox);
        let mut other = built_in();
        other.scale_units(7);
        for (scene, in_file) in [(other, InFile::Another), (built_in(), InFile::Same)] {
            run.session.note_doubt();
            run.note_held(Held {
                path: path.clone(),
                is_there: true,
                scene: Some(scene),
            });
            assert_eq!(run.is_replaced, in_file == InFile::Another);
            assert_eq!(run.session.is_unsaved(), in_file == InFile::Another);
            let news = std::mem::take(&mut *lock(&run.shared.news));
            let is_told =
                |news: &News| matches!(news, News::Held(Some((0, told))) if *told == in_file);
            assert!(news.iter().any(is_told), "{news:?}");
        }
    }

    #[test]
    fn a_file_whose_writer_panics_is_not_saved_and_that_is_said() {
        let path = Path::new("a.ron");
        assert_eq!(attempt(path, || Ok(())), (true, None));
        let (is_saved, words) = attempt(path, || panic!("a disk that is no disk"));
        assert!(!is_saved);
        assert!(words.is_some_and(|it| it.starts_with("a.ron: not saved: ")));
    }

    #[test]
    fn a_recording_that_begins_with_another_field_shows_of_it_what_it_has_shown() {
        let camera = |height| {
            Some(Camera {
                center: Vec2::ZERO,
                height,
            })
        };
        let mut now = built_in();
        now.camera = camera(10.0);
        let mut beginning = now.clone();
        beginning.camera = camera(20.0);
        let looks = Looks::of(now);
        looks.clone().put_on_beginning(&mut beginning);
        assert_eq!(beginning.camera, camera(10.0));
        beginning.field.max += Vec2::splat(10.0);
        beginning.camera = camera(20.0);
        looks.clone().put_on_beginning(&mut beginning);
        assert_eq!(beginning.camera, camera(20.0));
        looks.put_on(&mut beginning);
        assert_eq!(beginning.camera, None);
    }

    #[test]
    fn a_file_names_a_scene_by_its_words() {
        let long = format!("{}.ron", "x".repeat(101));
        for (file, name) in [
            ("/a/my-fight.ron", Some("My fight")),
            ("two_armies  meet.ron", Some("Two armies meet")),
            ("über.ron", Some("Über")),
            ("v1.2.ron", Some("V1.2")),
            ("Duel", Some("Duel")),
            ("new-scene.ron", Some(Scene::NEW)),
            ("-.ron", None),
            ("a\u{1}b.ron", None),
            (&long, None),
        ] {
            assert_eq!(name_of(Path::new(file)).as_deref(), name, "{file}");
        }
    }
}
