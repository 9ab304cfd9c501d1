//! The scenes that can be chosen: those beside the one that is open, their figures, and those that are built in.

use skirmish::{built_in, files};
use std::path::{Path, PathBuf};

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

/// The scene files in the folder of this one and in its folder of figures, by name. Beside what is built in lies what lies in
/// the folder of the scenes where the program was started, if there is one.
pub fn scenes_beside(path: Option<&Path>) -> Vec<PathBuf> {
    /// A list longer than this is no list to choose from.
    const MOST: usize = 200;
    let folder = path
        .filter(|path| !built_in::contains(path))
        .and_then(Path::parent)
        .unwrap_or(Path::new("scenes"));
    let home = if folder.ends_with("figures") {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
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
            .filter_map(|entry| entry.ok().map(|entry| folder.join(entry.file_name())))
            .filter(|path| path.extension().is_some_and(|end| end == "ron"))
            .collect();
        found.sort();
        scenes.append(&mut found);
    }
    scenes.truncate(MOST);
    scenes
}

/// The scenes that are built in, without those that are listed already: a file of the same name that holds the same.
pub fn not_among(listed: &[PathBuf]) -> Vec<PathBuf> {
    let is_listed = |path: &PathBuf| {
        let content = built_in::content(path).unwrap_or_default();
        listed.iter().any(|other| {
            name_below(other) == name_below(path)
                && files::length(other) == Some(content.len() as u64)
                && files::read(other, content.len() as u64).is_ok_and(|bytes| bytes == content)
        })
    };
    let mut scenes = built_in::scenes();
    scenes.retain(|path| !is_listed(path));
    scenes
}

/// Where a scene stands among those of its kind: the figures, or the scenes that are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Which one it is, from 1 on.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// The one before it, and the one after it; around the ends.
    pub neighbours: [PathBuf; 2],
}

impl Series {
    /// That of the scene in a file, in the order in which scenes are listed; `None` where it is not listed, or alone.
    pub fn of(path: &Path) -> Option<Self> {
        let is_figure = |path: &Path| name_below(path).starts_with("figures/");
        let beside = scenes_beside(Some(path));
        let built_in = not_among(&beside);
        let mut all: Vec<PathBuf> = beside.into_iter().chain(built_in).collect();
        all.retain(|other| is_figure(other) == is_figure(path));
        let place = |is_it: &dyn Fn(&PathBuf) -> bool| all.iter().position(is_it);
        // What is built in is listed as the file of the same name, where there is one that holds the same.
        let at = place(&|other| other == path)
            .or_else(|| place(&|other| name_below(other) == name_below(path)))?;
        let count = all.len();
        let neighbour = |by: usize| all[(at + by) % count].clone();
        (count > 1).then(|| Self {
            number: at + 1,
            count,
            neighbours: [neighbour(count - 1), neighbour(1)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_listed_once_inside_the_checkout_and_outside() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let all = built_in::scenes().len();
        let inside = scenes_beside(Some(&home.join("charge.ron")));
        assert_eq!((inside.len(), not_among(&inside)), (all, Vec::new()));
        let folder = tempfile::tempdir().expect("a folder");
        let outside = scenes_beside(Some(&folder.path().join("mine.ron")));
        assert_eq!((outside.len(), not_among(&outside).len()), (0, all));
        // Another scene of the same name is another scene.
        let charge = folder.path().join("charge.ron");
        std::fs::write(&charge, "(version: 1)").expect("a file");
        let beside = scenes_beside(Some(&charge));
        assert_eq!((beside.len(), not_among(&beside).len()), (1, all));
        std::fs::copy(home.join("charge.ron"), &charge).expect("a file");
        assert_eq!(not_among(&beside).len(), all - 1);
    }

    #[test]
    fn scenes_and_figures_follow_each_other_around() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        for first in [home.join("charge.ron"), home.join("figures/merges.ron")] {
            let mut path = first.clone();
            let count = Series::of(&path).expect("it is listed").count;
            for _ in 0..count {
                let series = Series::of(&path).expect("it is listed");
                let [_, after] = series.neighbours;
                let [before, _] = Series::of(&after).expect("it is listed").neighbours;
                assert_eq!(before, path);
                path = after;
            }
            assert_eq!(path, first, "around after {count}");
        }
        assert_eq!(Series::of(&home.join("there-is-no-such.ron")), None);
        for path in built_in::scenes() {
            assert!(Series::of(&path).is_some(), "{path:?}");
        }
    }
}
