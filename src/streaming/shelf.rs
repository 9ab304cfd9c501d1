//! What was made of files and is still held by somebody: made once, and shared by all who read the same file again.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// By the path of a file: what was last made of it, for as long as anybody else holds it.
#[derive(Debug)]
pub(super) struct Shelf<T>(Mutex<BTreeMap<PathBuf, Arc<Mutex<Place<T>>>>>);

/// What was made of one file.
#[derive(Debug)]
struct Place<T> {
    /// Of what the file held.
    print: (usize, u64),
    made: Weak<T>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Shelf<T> {
    /// What `make` makes of this `file` at `path`. Where somebody still holds what was made of the same content, it is that; and
    /// whoever comes while it is being made waits for it, for two that are made at once take twice the memory.
    pub(super) fn share<E>(
        &self,
        path: &Path,
        file: &[u8],
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let place = {
            let mut places = lock(&self.0);
            match places.get(path) {
                Some(place) => place.clone(),
                None => {
                    let (print, made) = ((0, 0), Weak::new());
                    let place = Arc::new(Mutex::new(Place { print, made }));
                    places.insert(path.to_owned(), place.clone());
                    place
                }
            }
        };
        let mut hasher = DefaultHasher::new();
        file.hash(&mut hasher);
        let print = (file.len(), hasher.finish());
        let mut place = lock(&place);
        if place.print == print
            && let Some(made) = place.made.upgrade()
        {
            return Ok(made);
        }
        let made = Arc::new(make()?);
        *place = Place {
            print,
            made: Arc::downgrade(&made),
        };
        Ok(made)
    }
}

/// A lock whose holder panicked guards what was made before, which is as good as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(shelf: &Shelf<String>, path: &str, file: &str) -> Arc<String> {
        let make = || Ok::<_, ()>(file.to_owned());
        shelf.share(Path::new(path), file.as_bytes(), make).unwrap()
    }

    #[test]
    fn the_same_is_made_once_while_anybody_holds_it() {
        let shelf = Shelf::default();
        let first = share(&shelf, "a", "content");
        assert!(Arc::ptr_eq(&share(&shelf, "a", "content"), &first));
        assert!(!Arc::ptr_eq(&share(&shelf, "b", "content"), &first));
        assert_eq!(*share(&shelf, "a", "other"), "other");
        drop(first);
        let remade = std::cell::Cell::new(false);
        let make = || {
            remade.set(true);
            Ok::<_, ()>("content".to_owned())
        };
        let again = shelf.share(Path::new("a"), b"content", make);
        assert_eq!(*again.unwrap(), "content");
        assert!(remade.get(), "nobody held it any more");
    }

    #[test]
    fn what_could_not_be_made_is_tried_again() {
        let shelf = Shelf::default();
        let failed = shelf.share(Path::new("a"), b"content", || Err::<String, _>("no memory"));
        assert_eq!(failed, Err("no memory"));
        assert_eq!(*share(&shelf, "a", "content"), "content");
    }

    #[test]
    fn threads_that_come_at_once_make_it_once() {
        let shelf = Shelf::default();
        let made = std::sync::atomic::AtomicU32::new(0);
        let make = || {
            made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(20));
            Ok::<_, ()>("content".to_owned())
        };
        let all: Vec<_> = std::thread::scope(|scope| {
            let spawn = |_| scope.spawn(|| shelf.share(Path::new("a"), b"content", make).unwrap());
            let threads: Vec<_> = (0..8).map(spawn).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(all.iter().all(|one| Arc::ptr_eq(one, &all[0])));
        assert_eq!(made.into_inner(), 1);
    }
}
