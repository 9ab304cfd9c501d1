//! The scenes that can be chosen: those beside the one that is open, their figures, those that are built in, and those that were open
//! lately somewhere else.
//!
//! Invariant: [`Listing::read`] is the only one that reads folders and files. It is called off the thread that draws, and what it
//! reads is bounded.

use super::album;
use egui_macroquad::egui::ColorImage;
use skirmish::scene::{Scene, file};
use skirmish::session::file::Recording;
use skirmish::{built_in, files};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A list longer than this is no list to choose from.
const MOST: usize = 200;
/// Nobody looks through a folder with more entries than this.
const MOST_ENTRIES: usize = 20_000;
/// Of a longer file nothing is said but its name, in bytes.
const LONGEST: u64 = 1 << 20;
/// So many bytes are read of all files together.
const MOST_BYTES: u64 = 32 << 20;

/// What a scene has that a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A world that streams.
    World,
    /// A volume: it lies in space.
    Volume,
}

impl Subject {
    /// What the page of the scenes is called that shows those that have it.
    pub fn title(self) -> &'static str {
        match self {
            Self::World => "Scenes with a world that streams",
            Self::Volume => "Scenes in space",
        }
    }
}

/// A scene that can be chosen.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its file.
    pub path: PathBuf,
    /// What the file is called in lists, see [`name_below`].
    pub name: String,
    /// What the scene is called; the name of its file where it says nothing, or was not read.
    pub title: String,
    /// What it is about, in a few words.
    pub topic: String,
    /// What it says of itself.
    pub caption: String,
    /// What it has that a view of its own shows.
    pub subject: Option<Subject>,
    /// Whether it is built in, and nothing beside the scene that is open is the same.
    pub is_built_in: bool,
    /// Whether it came with the program.
    pub is_shipped: bool,
    /// What it looks like, where that is known: those that come with the program have a picture, and one's own that were open once.
    pub picture: Option<Arc<ColorImage>>,
}

impl Entry {
    /// What its file is called, where it did not come with the program.
    pub fn file_name(&self) -> Option<String> {
        let name = self.path.file_name().filter(|_| !self.is_shipped)?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Whether it is one of the sources' figures.
    pub fn is_figure(&self) -> bool {
        self.name.starts_with("figures/")
    }
}

/// The scenes that can be chosen beside one.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Those beside it, the figures last; then those that are built in, the figures last.
    pub entries: Vec<Entry>,
    /// Those that were open lately and are none of these, the latest first.
    pub elsewhere: Vec<Entry>,
    /// The folder that they were looked for in.
    home: PathBuf,
}

/// What a scene is called in the list: its name without the ending, with the folder of figures before it where it is there.
pub fn name_below(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name);
    if folder.is_some_and(|folder| folder == "figures") {
        format!("figures/{name}")
    } else {
        name.into_owned()
    }
}

/// In which folder one looks for the scenes beside this one. Beside what is built in lies what lies in the folder of the scenes where
/// the program was started, if there is one.
fn home_of(path: Option<&Path>) -> PathBuf {
    let folder = path
        .filter(|path| !built_in::contains(path))
        .and_then(Path::parent)
        .unwrap_or(Path::new("scenes"));
    let home = if folder.ends_with("figures") {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
    home.to_path_buf()
}

/// The figures of the sources in the order in which they teach: pairs and grids, lines, trees that split, boxes, sweeps, space, addresses,
/// what streams, and what is left open. Other figures follow them by name.
const LESSONS: [&str; 26] = [
    "battlefield",
    "double-attack",
    "half-neighbourhood",
    "across-the-border",
    "battle-line",
    "quadtree-splits",
    "six-objects",
    "unbalanced",
    "endless-split",
    "quadtree-or-kd-tree",
    "slanting-ranks",
    "refitted-bvh",
    "sweep-and-prune",
    "octree-octants",
    "address-row",
    "address-merges",
    "merges",
    "across-the-origin",
    "truncation",
    "objects-original",
    "objects-quadtree-a",
    "load-union",
    "unload-intersection",
    "measured-not-claimed",
    "missed-results",
    "late-by-definition",
];

/// Where a scene stands among those that came from where it did: scenes before figures, and figures in the order of the [lessons](LESSONS).
fn lesson(path: &Path) -> (bool, usize) {
    let name = name_below(path);
    let figure = name.strip_prefix("figures/");
    let lesson = figure.and_then(|name| LESSONS.iter().position(|lesson| *lesson == name));
    (figure.is_some(), lesson.unwrap_or(LESSONS.len()))
}

/// The scene files in a folder and in its folder of figures: by name, the figures as lessons.
fn files_in(home: &Path) -> Vec<PathBuf> {
    let mut scenes = Vec::new();
    for folder in [home.to_path_buf(), home.join("figures")] {
        // Of a file that was named alone the folder is called by nothing.
        let here = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &folder
        };
        let Ok(entries) = std::fs::read_dir(here) else {
            continue;
        };
        let mut found: Vec<PathBuf> = entries
            .take(MOST_ENTRIES)
            .filter_map(|entry| entry.ok().map(|entry| folder.join(entry.file_name())))
            .filter(|path| path.extension().is_some_and(|end| end == "ron"))
            .collect();
        found.sort();
        found.sort_by_key(|path| lesson(path));
        scenes.append(&mut found);
    }
    scenes.truncate(MOST);
    scenes
}

impl Listing {
    /// Looks for the scenes beside this one, and into each of them; and for those of `recent` that are still there;
    /// `album` is the folder with the pictures of one's own.
    pub fn read(path: Option<&Path>, recent: &[String], album: Option<&Path>) -> Self {
        let home = home_of(path);
        let mut left = MOST_BYTES;
        let mut entries: Vec<Entry> = Vec::new();
        let mut built_in = built_in::scenes();
        built_in.sort_by_key(|path| lesson(path));
        for path in files_in(&home) {
            let (mut entry, bytes) = Entry::read(path, album, &mut left);
            // What is built in is listed as the file of the same name that holds the same.
            let twin = built_in.iter().position(|other| {
                name_below(other) == entry.name && built_in::content(other) == bytes.as_deref()
            });
            if let Some(twin) = twin {
                built_in.remove(twin);
                entry.ship();
            }
            entries.push(entry);
        }
        for path in built_in {
            let mut entry = Entry::of(path.clone(), built_in::content(&path));
            entry.is_built_in = true;
            entry.ship();
            entries.push(entry);
        }
        let is_listed = |path: &Path| entries.iter().any(|entry| is_same(&entry.path, path));
        let elsewhere = recent.iter().map(PathBuf::from);
        let elsewhere = elsewhere.filter(|path| !is_listed(path) && path.is_file());
        let elsewhere = elsewhere.map(|path| Entry::read(path, album, &mut left).0);
        Self {
            elsewhere: elsewhere.collect(),
            entries,
            home,
        }
    }

    /// Whether these are the scenes beside this one.
    pub fn is_beside(&self, path: Option<&Path>) -> bool {
        !self.entries.is_empty() && self.home == home_of(path)
    }
}

/// Whether two paths lead to one file, as far as their names say.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    whole(one) == whole(other)
}

impl Entry {
    /// What there is to say of a file, and what it holds; of the bytes that may be read so many are `left`. `album` is the folder with the
    /// pictures of one's own scenes.
    fn read(path: PathBuf, album: Option<&Path>, left: &mut u64) -> (Self, Option<Vec<u8>>) {
        let length = files::length(&path).unwrap_or(0);
        let is_short = length <= LONGEST.min(*left);
        let bytes = is_short.then(|| files::read(&path, length).ok()).flatten();
        *left -= length.min(*left).min(LONGEST);
        let mut entry = Self::of(path, bytes.as_deref());
        if !is_short {
            entry.topic = "a large file".to_owned();
        }
        if let Some(bytes) = bytes.as_deref() {
            // A copy of what comes with the program looks like that, whatever it is called.
            let mut shipped = built_in::scenes().into_iter();
            let twin = shipped.find(|other| built_in::content(other) == Some(bytes));
            let own = || album::picture(album?, album::content(bytes));
            entry.picture = twin
                .and_then(|twin| picture(&name_below(&twin)))
                .or_else(own);
        }
        (entry, bytes)
    }

    /// It is one of those that come with the program.
    fn ship(&mut self) {
        self.is_shipped = true;
        self.picture = picture(&self.name);
    }

    /// What there is to say of a file with this content; `None` where it was not read.
    pub(super) fn of(path: PathBuf, bytes: Option<&[u8]>) -> Self {
        let name = name_below(&path);
        let stem = name.strip_prefix("figures/").unwrap_or(&name).to_owned();
        let mut entry = Self {
            path,
            name,
            title: stem,
            topic: "cannot be read".to_owned(),
            caption: String::new(),
            subject: None,
            is_built_in: false,
            is_shipped: false,
            picture: None,
        };
        let Some(bytes) = bytes else {
            return entry;
        };
        if Recording::is_meant(bytes) {
            entry.topic = "Recording".to_owned();
            return entry;
        }
        if let Ok(scene) = file::parse(bytes, "") {
            entry.topic = topic(&scene);
            let (world, volume) = (scene.world.is_some(), scene.volume.is_some());
            entry.subject = world.then_some(Subject::World);
            entry.subject = entry.subject.or(volume.then_some(Subject::Volume));
            entry.caption = scene.caption;
            if !scene.name.is_empty() {
                entry.title = scene.name;
            }
        }
        entry
    }
}

/// What a scene is about: a world, a comparison, or a structure of the plane or of space, and how many are in it.
fn topic(scene: &Scene) -> String {
    let units = scene.unit_count();
    let of_units = if units == 1 { "unit" } else { "units" };
    let units = format!("{} {of_units}", super::widgets::with_commas(units));
    if scene.world.is_some() {
        let objects = super::widgets::with_commas(scene.object_count());
        return format!("Streaming \u{b7} {objects} objects");
    }
    let (name, lanes) = match &scene.volume {
        Some(volume) => (volume.structure.kind.info().name, volume.lanes.len()),
        None => (scene.structure.kind.info().name, scene.lanes.len()),
    };
    if lanes == 0 {
        format!("{name} \u{b7} {units}")
    } else {
        format!("Compare \u{b7} {} structures, {units}", lanes + 1)
    }
}

/// The file with the small picture of a scene, by the scene's name.
fn picture_of(name: &str) -> String {
    format!("gallery/{name}.png")
}

/// The small picture of a scene that is built in, by its name.
fn picture(name: &str) -> Option<Arc<ColorImage>> {
    static PAINTED: OnceLock<HashMap<String, Arc<ColorImage>>> = OnceLock::new();
    let painted = PAINTED.get_or_init(|| {
        let paths = built_in::scenes();
        let named = paths.iter().filter_map(|path| {
            let picture = built_in::content_of(&picture_of(&name_below(path)))?;
            let picture = image::load_from_memory(picture).ok()?.into_rgb8();
            let size = [picture.width() as usize, picture.height() as usize];
            let picture = ColorImage::from_rgb(size, picture.as_raw());
            Some((name_below(path), Arc::new(picture)))
        });
        named.collect()
    });
    painted.get(name).cloned()
}

/// Where a scene stands among those of its kind: the figures, or the scenes that are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Which one it is, from 1 on.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// Whether it came with the program: the others go on among themselves where it is one's own, and its place is none to come back to.
    pub is_shipped: bool,
    /// The one before it, and the one after it; around the ends.
    pub neighbours: [PathBuf; 2],
}

impl Series {
    /// That of the scene in a file, in the order in which scenes are listed; `None` where it is not listed, or alone.
    pub fn among(listing: &Listing, path: &Path) -> Option<Self> {
        let name = name_below(path);
        let is_figure = name.starts_with("figures/");
        let entries = listing.entries.iter();
        let all: Vec<&Entry> = entries
            .filter(|entry| entry.is_figure() == is_figure)
            .collect();
        let place = |is_it: &dyn Fn(&Entry) -> bool| all.iter().position(|entry| is_it(entry));
        // What is built in is listed as the file of the same name, where there is one that holds the same.
        let at =
            place(&|entry| entry.path == path).or_else(|| place(&|entry| entry.name == name))?;
        let count = all.len();
        let neighbour = |by: usize| all[(at + by) % count].path.clone();
        (count > 1).then(|| Self {
            number: at + 1,
            count,
            is_shipped: all[at].is_shipped,
            neighbours: [neighbour(count - 1), neighbour(1)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")
    }

    /// How many scenes are listed beside this one, and how many more that are built in.
    fn counts(path: &Path) -> (usize, usize) {
        let listing = Listing::read(Some(path), &[], None);
        let (built_in, beside): (Vec<_>, Vec<_>) =
            listing.entries.iter().partition(|entry| entry.is_built_in);
        (beside.len(), built_in.len())
    }

    #[test]
    fn every_scene_is_listed_once_inside_the_checkout_and_outside() {
        let all = built_in::scenes().len();
        assert_eq!(counts(&home().join("charge.ron")), (all, 0));
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(counts(&folder.path().join("mine.ron")), (0, all));
        // Another scene of the same name is another scene.
        let charge = folder.path().join("charge.ron");
        std::fs::write(&charge, "(version: 1)").expect("a file");
        assert_eq!(counts(&charge), (1, all));
        let listing = Listing::read(Some(&charge), &[], None);
        assert_eq!(listing.entries[0].topic, "cannot be read");
        assert!(listing.entries[0].picture.is_none());
        std::fs::copy(home().join("charge.ron"), &charge).expect("a file");
        assert_eq!(counts(&charge), (1, all - 1));
    }

    #[test]
    fn what_was_open_lately_is_listed_once_wherever_it_lies_and_only_while_it_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = folder.path().join("mine.ron");
        std::fs::write(&mine, r#"(version: 1, name: "Mine")"#).expect("a file");
        let gone = folder.path().join("gone.ron");
        let shipped = home().join("charge.ron");
        let recent = [&gone, &mine, &shipped, &built_in::scenes()[0]]
            .map(|path| path.to_string_lossy().into_owned());
        let beside_shipped = Listing::read(Some(&shipped), &recent, None);
        let paths: Vec<&Path> = beside_shipped
            .elsewhere
            .iter()
            .map(|entry| entry.path.as_path())
            .collect();
        assert_eq!(paths, [&mine]);
        // Beside itself it is no longer elsewhere, and what ships is.
        let beside_mine = Listing::read(Some(&mine), &recent, None);
        let paths: Vec<&Path> = beside_mine
            .elsewhere
            .iter()
            .map(|entry| entry.path.as_path())
            .collect();
        assert_eq!(paths, [&shipped]);
        let elsewhere = &beside_mine.elsewhere[0];
        assert!(elsewhere.picture.is_some() && elsewhere.file_name().is_some());
    }

    #[test]
    fn figures_stand_as_lessons_and_every_figure_is_one() {
        let folder = tempfile::tempdir().expect("a folder");
        for beside in [home().join("charge.ron"), folder.path().join("mine.ron")] {
            let listing = Listing::read(Some(&beside), &[], None);
            let entries = listing.entries.iter();
            let figures = entries.filter_map(|entry| entry.name.strip_prefix("figures/"));
            assert_eq!(figures.collect::<Vec<_>>(), LESSONS);
            let after = home().join("figures/battlefield.ron");
            let series = Series::among(&listing, &after).expect("it is listed");
            let [_, next] = series.neighbours;
            assert_eq!(series.number, 1);
            assert_eq!(name_below(&next), "figures/double-attack");
        }
    }

    #[test]
    fn of_ones_own_scene_the_neighbours_are_known_and_that_it_did_not_come_with_the_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = folder.path().join("mine.ron");
        std::fs::write(&mine, "()").expect("a file");
        let listing = Listing::read(Some(&mine), &[], None);
        let own = Series::among(&listing, &mine).expect("it is listed");
        assert!(!own.is_shipped);
        let [_, next] = &own.neighbours;
        let next = Series::among(&listing, next).expect("it is listed");
        assert!(next.is_shipped);
    }

    #[test]
    fn scenes_and_figures_follow_each_other_around() {
        let listing = Listing::read(Some(&home().join("charge.ron")), &[], None);
        assert!(listing.is_beside(Some(&home().join("figures/merges.ron"))));
        for first in [home().join("charge.ron"), home().join("figures/merges.ron")] {
            let mut path = first.clone();
            let series = |path: &Path| Series::among(&listing, path).expect("it is listed");
            let count = series(&path).count;
            for _ in 0..count {
                let [_, after] = series(&path).neighbours;
                let [before, _] = series(&after).neighbours;
                assert_eq!(before, path);
                path = after;
            }
            assert_eq!(path, first, "around after {count}");
        }
        let none = home().join("there-is-no-such.ron");
        assert_eq!(Series::among(&listing, &none), None);
        for path in built_in::scenes() {
            assert!(Series::among(&listing, &path).is_some(), "{path:?}");
        }
    }

    #[test]
    fn what_is_built_in_has_a_title_a_topic_and_a_small_picture() {
        let folder = tempfile::tempdir().expect("a folder");
        let listing = Listing::read(Some(&folder.path().join("mine.ron")), &[], None);
        let mut bytes = 0;
        for entry in &listing.entries {
            assert!(
                !entry.title.is_empty() && !entry.topic.is_empty(),
                "{entry:?}"
            );
            let picture = entry.picture.as_ref();
            let size = picture.map(|picture| picture.size);
            assert_eq!(size, Some([480, 300]), "{}", entry.name);
            let picture = built_in::content_of(&picture_of(&entry.name));
            bytes += picture.expect("a picture").len();
        }
        assert!(bytes < 1_000_000, "{bytes} bytes");
    }

    #[test]
    fn a_file_that_is_long_or_none_is_listed_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let long = folder.path().join("long.ron");
        let file = std::fs::File::create(&long).expect("a file");
        file.set_len(LONGEST + 1).expect("a long file");
        std::fs::create_dir(folder.path().join("folder.ron")).expect("a folder");
        let listing = Listing::read(Some(&long), &[], None);
        let beside: Vec<_> = listing
            .entries
            .iter()
            .filter(|it| !it.is_built_in)
            .collect();
        assert_eq!(beside.len(), 2);
        let topics = beside.iter().map(|entry| entry.topic.as_str());
        let expected = ["cannot be read", "a large file"];
        assert_eq!(topics.collect::<Vec<_>>(), expected);
    }
}
