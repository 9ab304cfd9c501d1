//! The scenes that can be chosen, looked for on a thread of their own: a folder may be slow, and the thread that draws waits for none.

use super::album;
use super::scenes::{Listing, Series};
use super::wake;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Who looks at the list sees what came and went in the folders within this time.
const FRESH: Duration = Duration::from_secs(3);

/// What was found last, and for which scene.
type Found = Arc<Mutex<Option<(Option<PathBuf>, Listing)>>>;

/// The scenes that can be chosen, as they were found last.
#[derive(Debug, Default)]
pub struct Library {
    listing: Arc<Listing>,
    /// For which scene that was.
    of: Option<Option<PathBuf>>,
    /// For which one it was looked for last, whatever became of that: what ends without a list is not begun in every frame.
    asked: Option<Option<PathBuf>>,
    found: Found,
    looked: Option<Instant>,
    thread: Option<JoinHandle<()>>,
    /// Whether somebody wants to see what is there now.
    wanted: bool,
    /// The scene before (0) or after (1) the one that is open, wanted before it was known which one that is.
    neighbour: Option<usize>,
}

impl Library {
    /// The scenes that can be chosen.
    pub fn listing(&self) -> &Arc<Listing> {
        &self.listing
    }

    /// Somebody looks at the list: what has changed meanwhile is soon in it.
    pub fn look_again(&mut self) {
        self.wanted |= self.looked.is_none_or(|looked| looked.elapsed() > FRESH);
    }

    /// Where this scene stands among those of its kind.
    pub fn series(&self, path: &Path) -> Option<Series> {
        Series::among(&self.listing, path)
    }

    /// Whether the scenes beside this one are yet to be found: it has just been opened, or saved under this name.
    pub fn is_looking(&self, path: &Path) -> bool {
        self.of.as_ref().map(Option::as_deref) != Some(Some(path))
    }

    /// Wants the scene before (0) or after (1) the one that is open.
    pub fn want_neighbour(&mut self, which: usize) {
        self.neighbour = Some(which);
    }

    /// The neighbour that is wanted, once it is known where this scene stands; `Some(None)` where it is in no list.
    pub fn take_neighbour(&mut self, path: Option<&Path>) -> Option<Option<PathBuf>> {
        let which = self.neighbour?;
        let series = path.and_then(|path| self.series(path));
        // The list of the same folder knows it most often; a file that has just come is in the next one.
        let is_of_it = self.of.as_ref().map(Option::as_deref) == Some(path);
        let is_known = series.is_some() && self.listing.is_beside(path);
        if !(is_of_it || is_known) {
            return None;
        }
        self.neighbour = None;
        Some(series.map(|series| series.neighbours[which].clone()))
    }

    /// Takes what was found, and looks for what is wanted, also among those that were open lately (`recent`). Where two runs must look alike (`fixed`) it is found at once.
    pub fn serve(&mut self, path: Option<&Path>, recent: &[String], fixed: bool) {
        self.take_found();
        let is_another = self.asked.as_ref().map(Option::as_deref) != Some(path);
        let is_at_work = self.thread.as_ref().is_some_and(|it| !it.is_finished());
        if is_at_work || !(is_another || self.wanted) {
            return;
        }
        self.wanted = false;
        self.asked = Some(path.map(Path::to_path_buf));
        let (path, found) = (path.map(Path::to_path_buf), Arc::clone(&self.found));
        let recent = recent.to_vec();
        let album = album::folder().filter(|_| !fixed);
        let look = move || {
            let listing = Listing::read(path.as_deref(), &recent, album.as_deref());
            *lock(&found) = Some((path, listing));
            wake::ring();
        };
        if fixed {
            look();
            return self.take_found();
        }
        // Without a thread there is no list; the battle goes on.
        self.thread = std::thread::Builder::new()
            .name("library".to_owned())
            .spawn(look)
            .ok();
    }

    fn take_found(&mut self) {
        let found = lock(&self.found).take();
        if let Some((of, listing)) = found {
            self.listing = Arc::new(listing);
            self.of = Some(of);
            self.looked = Some(Instant::now());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_that_was_wanted_too_early_is_given_once_it_is_known() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let path = home.join("charge.ron");
        let mut library = Library::default();
        library.want_neighbour(1);
        assert_eq!(library.take_neighbour(Some(&path)), None);
        library.serve(Some(&path), &[], false);
        let begun = Instant::now();
        let after = loop {
            library.serve(Some(&path), &[], false);
            match library.take_neighbour(Some(&path)) {
                Some(after) => break after,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
            assert!(begun.elapsed() < Duration::from_secs(60));
        };
        assert_eq!(after, Some(home.join("clusters.ron")));
        assert_eq!(library.take_neighbour(Some(&path)), None, "given once");
        // The next one is known at once: the list is that of the folder.
        library.want_neighbour(0);
        let before = library.take_neighbour(Some(&home.join("clusters.ron")));
        assert_eq!(before, Some(Some(path)));
    }

    #[test]
    fn where_two_runs_must_look_alike_the_list_is_there_at_once() {
        let mut library = Library::default();
        library.serve(None, &[], true);
        assert!(library.listing().entries.len() >= 30);
    }
}
