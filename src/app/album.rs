//! Small pictures of one's own scenes, for the page that shows all scenes. What a scene that was opened or saved looks like is drawn
//! once, a few frames later, and kept in the platform's folder for what can be made again, under a name that its content gives: a
//! file that is copied or renamed keeps its picture, and one that has changed has none until it is saved or opened again.
//!
//! Invariant: a picture is nobody's work. Where it cannot be kept there is none, and nobody is told.

use super::png;
use super::settings;
use super::thumbnail;
use directories::ProjectDirs;
use egui_macroquad::egui::ColorImage;
use image::codecs::png::PngDecoder;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, Limits, RgbImage};
use skirmish::built_in;
use skirmish::files::{self, SaveError};
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// So many pictures are kept; beyond, those that were taken longest ago go. Of as many as that half a megabyte each is in memory once
/// somebody has looked at the page.
const MOST: usize = 40;
/// A file that is longer is not read for its picture, in bytes.
const LONGEST: u64 = 1 << 20;
/// The picture's file is no longer than this, in bytes: one of that size without any packing has 432,000. Unpacking takes no more than this
/// of memory for anything that is in a file beside that.
const LONGEST_PICTURE: u64 = 1 << 19;
/// A scene is drawn after so many answers: the first may be of the scene before. A window that stands still asks for no more than a few.
const ANSWERS: u64 = 2;

/// What a file's content is called here.
pub type Content = u64;

/// What this content is called.
pub fn content(bytes: &[u8]) -> Content {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Who sees to it that every scene of one's own has its picture.
#[derive(Debug, Default)]
pub struct Album {
    /// Where they are kept; `None` where none are.
    folder: Option<PathBuf>,
    /// How often a scene had been opened or saved when this was looked at last, and after which answer it is drawn.
    seen: Option<(u32, u64)>,
    is_taken: bool,
}

impl Album {
    /// The album of whoever sits here; where two runs must look alike (`fixed`) there is none.
    pub fn open(fixed: bool) -> Self {
        Self {
            folder: folder().filter(|_| !fixed),
            ..Self::default()
        }
    }

    /// Whether the scene is to be drawn now: it came from a file, or went to one, with the `arrivals`th such event, `moment` answers
    /// have come of it, and what is seen `is_file`, and no change that the file does not have.
    pub fn is_due(&mut self, arrivals: u32, moment: u64, is_file: bool) -> bool {
        if self.folder.is_none() {
            return false;
        }
        match self.seen {
            Some((seen, after)) if seen == arrivals => {
                let is_due = !self.is_taken && moment >= after;
                self.is_taken |= is_due;
                is_due && is_file
            }
            _ => {
                self.seen = Some((arrivals, moment + ANSWERS));
                self.is_taken = false;
                false
            }
        }
    }

    /// Keeps this picture for the scene in a file, on a thread of its own.
    pub fn keep(&self, path: PathBuf, picture: RgbImage) {
        let Some(folder) = self.folder.clone() else {
            return;
        };
        let _ = std::thread::Builder::new()
            .name("album".to_owned())
            .spawn(move || keep(&folder, &path, &picture));
    }
}

/// The folder of the pictures; `None` where the system has none, or nothing is to be kept.
pub fn folder() -> Option<PathBuf> {
    if settings::are_not_kept() {
        return None;
    }
    let dirs = ProjectDirs::from("", "", "skirmish")?;
    Some(dirs.cache_dir().join("scenes"))
}

fn file(folder: &Path, content: Content) -> PathBuf {
    folder.join(format!("{content:016x}.png"))
}

/// Keeps a picture of what is in a file, where that did not come with the program; gives whether it is there.
fn keep(folder: &Path, path: &Path, picture: &RgbImage) -> bool {
    let Ok(bytes) = files::read(path, LONGEST) else {
        return false;
    };
    let is_shipped = |other: PathBuf| built_in::content(&other) == Some(&bytes[..]);
    if built_in::scenes().into_iter().any(is_shipped) || fs::create_dir_all(folder).is_err() {
        return false;
    }
    let Ok(small) = png::packed(&thumbnail::of(picture), png::SMALL) else {
        return false;
    };
    // What stands there and is no file is replaced, and nobody waits for a pipe.
    let kept = files::save(&file(folder, content(&bytes)), &small);
    thin_out(folder);
    !matches!(kept, Err(SaveError::NotSaved(_)))
}

/// Removes what was taken longest ago, where there is too much.
fn thin_out(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let dated = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let path = entry.path();
        let is_picture = path.extension().is_some_and(|end| end == "png");
        let taken = entry.metadata().ok()?.modified().ok()?;
        is_picture.then_some((taken, path))
    });
    let mut pictures: Vec<(SystemTime, PathBuf)> = dated.collect();
    pictures.sort();
    let beyond = pictures.len().saturating_sub(MOST);
    for (_, path) in pictures.drain(..beyond) {
        let _ = fs::remove_file(path);
    }
}

/// The picture that is kept in `folder` of a file with this content.
pub fn picture(folder: &Path, content: Content) -> Option<Arc<ColorImage>> {
    /// What was read already, so that who looks again does not read again; a picture that is taken anew of the same content may
    /// differ, so the time of its file tells them apart.
    static READ: Mutex<Option<Pictures>> = Mutex::new(None);
    let path = file(folder, content);
    let taken = fs::metadata(&path).ok()?.modified().ok()?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.get_or_insert_default();
    if let Some((then, picture)) = read.get(&path)
        && *then == taken
    {
        return Some(Arc::clone(picture));
    }
    let Some(picture) = unpacked(&path) else {
        // Nobody else writes there: what is no picture of ours would be looked at again and again.
        let _ = fs::remove_file(&path);
        return None;
    };
    let size = [picture.width() as usize, picture.height() as usize];
    let picture = Arc::new(ColorImage::from_rgb(size, picture.as_raw()));
    if read.len() >= MOST {
        read.clear();
    }
    read.insert(path, (taken, Arc::clone(&picture)));
    Some(picture)
}

/// The picture in a file, where it is one of ours: of that size, in three channels.
fn unpacked(path: &Path) -> Option<RgbImage> {
    let bytes = files::read(path, LONGEST_PICTURE).ok()?;
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) =
        (Some(thumbnail::SIZE.0), Some(thumbnail::SIZE.1));
    limits.max_alloc = Some(4 * LONGEST_PICTURE);
    let unpack = || {
        let decoder = PngDecoder::with_limits(Cursor::new(&bytes), limits).ok()?;
        let is_ours = decoder.dimensions() == thumbnail::SIZE
            && decoder.original_color_type() == ExtendedColorType::Rgb8;
        let picture = is_ours.then(|| DynamicImage::from_decoder(decoder).ok())??;
        Some(picture.into_rgb8())
    };
    // As for the pictures of a world: a decoder has been made to panic before, by a palette, and the list would never come.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(unpack)).ok()?
}

/// Pictures by their files, each with the time at which it was taken.
type Pictures = HashMap<PathBuf, (SystemTime, Arc<ColorImage>)>;

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    fn gray(value: u8) -> RgbImage {
        RgbImage::from_pixel(480, 300, Rgb([value; 3]))
    }

    #[test]
    fn a_scene_of_ones_own_has_its_picture_wherever_it_goes_until_it_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let album = folder.path().join("cache").join("scenes");
        let mine = folder.path().join("mine.ron");
        fs::write(&mine, "(version: 1, name: \"Mine\")").expect("a file");
        let of = |path: &Path| picture(&album, content(&fs::read(path).expect("a file")));
        assert!(of(&mine).is_none());
        assert!(keep(&album, &mine, &gray(90)));
        assert_eq!(of(&mine).expect("a picture").size, [480, 300]);
        let renamed = folder.path().join("renamed.ron");
        fs::rename(&mine, &renamed).expect("a file");
        assert!(of(&renamed).is_some());
        fs::write(&renamed, "(version: 1, name: \"Another\")").expect("a file");
        assert!(of(&renamed).is_none());
    }

    #[test]
    fn what_comes_with_the_program_and_what_is_not_there_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let shipped = folder.path().join("copy.ron");
        let scene = built_in::scenes().swap_remove(0);
        fs::write(&shipped, built_in::content(&scene).expect("a scene")).expect("a file");
        assert!(!keep(folder.path(), &shipped, &gray(1)));
        assert!(!keep(
            folder.path(),
            &folder.path().join("gone.ron"),
            &gray(1)
        ));
        // A picture that is none.
        let own = folder.path().join("own.ron");
        fs::write(&own, "(version: 1)").expect("a file");
        let name = content(&fs::read(&own).expect("a file"));
        let sized = |width, height| {
            let picture = RgbImage::from_pixel(width, height, Rgb([9; 3]));
            png::packed(&picture, png::SMALL).expect("a picture")
        };
        // No picture, another size, and sides that are not what is there; each is looked at once.
        let mut huge = sized(480, 300);
        huge[16..24].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]);
        for wrong in [&b"no picture"[..], b"", &sized(3, 3), &huge] {
            let at = file(folder.path(), name);
            fs::write(&at, wrong).expect("a file");
            assert!(picture(folder.path(), name).is_none());
            assert!(!at.exists());
        }
        // A place that is no folder.
        assert!(!keep(&own, &own, &gray(1)));
    }

    #[test]
    fn the_folder_does_not_grow_without_end() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..MOST as u64 + 20 {
            fs::write(file(folder.path(), number), b"").expect("a file");
        }
        fs::write(folder.path().join("notes.txt"), b"").expect("a file");
        thin_out(folder.path());
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, MOST + 1);
    }

    #[test]
    fn a_scene_is_drawn_once_for_each_time_that_it_is_opened_or_saved() {
        let mut album = Album {
            folder: Some(PathBuf::from("somewhere")),
            ..Album::default()
        };
        let mut due = |arrivals, moment, is_file| album.is_due(arrivals, moment, is_file);
        assert!(!due(1, 10, true), "it has just come");
        assert!(!due(1, 10 + ANSWERS - 1, true));
        assert!(due(1, 10 + ANSWERS, true));
        assert!(!due(1, 100, true), "once");
        // What was changed before it was drawn is not what is in the file.
        assert!(!due(2, 100, true));
        assert!(!due(2, 200, false));
        assert!(!due(2, 201, true));
        assert!(!Album::open(true).is_due(1, 100, true));
    }
}
