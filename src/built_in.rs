//! The scenes that come with the program, and their pictures: files that are built into it.
//!
//! Each has a path like any other file, below a folder that no disk can have, for no system takes a name with this character in
//! it. So whatever opens a scene opens one of these by the same code, and nobody can mistake one for a file of the user's: a real
//! path stays real. The list is made of what lies in `scenes/` when the program is built.
//!
//! Invariant: nothing is ever written here.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// The name of the folder: what cannot be in the name of a file begins it.
const FOLDER: &str = "\0built in";

/// Each file by its name below the folder, sorted by name, and what is in it.
static FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

/// Whether a path leads to or into the folder of what is built in, whatever stands before that.
pub fn contains(path: &Path) -> bool {
    path.components().any(|part| is_folder(&part))
}

fn is_folder(part: &Component<'_>) -> bool {
    matches!(part, Component::Normal(name) if name.to_str() == Some(FOLDER))
}

/// What is in the file that is built in under this path; nothing where none is.
pub fn content(path: &Path) -> Option<&'static [u8]> {
    let mut parts = path.components();
    parts.by_ref().find(is_folder)?;
    find(parts.as_path()).map(|(_, content)| content)
}

/// What is in the file with this name below the folder; nothing where none has it.
pub fn content_of(name: &str) -> Option<&'static [u8]> {
    find(Path::new(name)).map(|(_, content)| content)
}

/// The file with this name below the folder.
fn find(name: &Path) -> Option<(&'static str, &'static [u8])> {
    // A name of the user's may have backslashes between its parts where the system has.
    let name = name.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let name: Vec<&str> = name.collect::<Option<_>>()?;
    let name = name.join("/");
    let place = FILES.binary_search_by(|(other, _)| (*other).cmp(&name));
    place.ok().map(|place| FILES[place])
}

/// The scenes that are built in, by name, those in the folder itself before those in the folders below.
pub fn scenes() -> Vec<PathBuf> {
    let names = FILES.iter().map(|(name, _)| *name);
    let mut names: Vec<&str> = names.filter(|name| name.ends_with(".ron")).collect();
    names.sort_by_key(|name| (name.contains('/'), *name));
    names.into_iter().map(path_of).collect()
}

fn path_of(name: &str) -> PathBuf {
    Path::new(FOLDER).join(name)
}

/// The path by which the scene that was asked for by this path is opened: the path itself, unless no file is there and a scene
/// that is built in has this name, with or without its ending and the folder `scenes`; of one in a folder below it its bare name is
/// enough, where no other has that.
pub fn find_scene(asked: &Path) -> Cow<'_, Path> {
    if contains(asked) || asked.symlink_metadata().is_ok() {
        return asked.into();
    }
    let name = asked.strip_prefix("scenes").unwrap_or(asked);
    let mut with_end = name.as_os_str().to_owned();
    with_end.push(".ron");
    let found = [name, Path::new(&with_end)]
        .into_iter()
        .find_map(|name| find(name).filter(|(name, _)| name.ends_with(".ron")));
    let found = found.map(|(name, _)| name).or_else(|| {
        let bare = name.to_str()?;
        only_below(bare.strip_suffix(".ron").unwrap_or(bare))
    });
    found.map_or(asked.into(), |name| path_of(name).into())
}

/// The scene in a folder below the folder whose file has this name, without its ending, where it is the only one.
fn only_below(bare: &str) -> Option<&'static str> {
    let is_it = |name: &&str| {
        let stem = name.strip_suffix(".ron");
        stem.and_then(|stem| stem.rsplit_once('/'))
            .is_some_and(|(_, own)| own == bare)
    };
    let mut found = FILES.iter().map(|(name, _)| *name).filter(is_it);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Where the picture of a scene lies whose file is in `folder`: there, unless no file is there and a picture of this name is
/// built in. A scene that was built in and saved elsewhere keeps its pictures so.
pub fn picture(folder: &Path, asset: &str) -> PathBuf {
    let real = folder.join(asset);
    if contains(folder) || real.symlink_metadata().is_ok() {
        return real;
    }
    let beside = format!("figures/{asset}");
    let found = [asset, &beside]
        .into_iter()
        .find_map(|name| find(Path::new(name)));
    found.map_or(real, |(name, _)| path_of(name))
}

/// The path as people are told of it: one that is built in by its name below the folder.
pub fn shown(path: &Path) -> Cow<'_, str> {
    let mut parts = path.components();
    match parts.by_ref().find(is_folder) {
        Some(_) => parts.as_path().to_string_lossy(),
        None => path.to_string_lossy(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_and_picture_of_the_checkout_is_built_in() {
        fn visit(folder: &Path, count: &mut usize) {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let end = path.extension().and_then(|end| end.to_str());
                if path.is_dir() {
                    visit(&path, count);
                } else if matches!(end, Some("ron" | "png")) {
                    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
                    let name = path.strip_prefix(&home).expect("below it");
                    let bytes = std::fs::read(&path).expect("a file");
                    let built_in = content(&Path::new(FOLDER).join(name));
                    assert!(built_in == Some(&bytes[..]), "{}", name.display());
                    *count += 1;
                }
            }
        }
        let mut count = 0;
        visit(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"),
            &mut count,
        );
        assert_eq!(count, FILES.len());
        assert!(scenes().len() >= 30);
    }

    #[test]
    fn a_name_that_no_file_has_is_that_of_a_built_in_scene() {
        let open = |asked: &str| content(&find_scene(Path::new(asked))).is_some();
        for asked in [
            "charge",
            "charge.ron",
            "figures/merges",
            "quadtree-splits",
            "quadtree-splits.ron",
            "scenes/no-such/../charge.ron",
        ] {
            assert_eq!(open(asked), !asked.contains(".."), "{asked}");
        }
        // In the checkout there is a file; it stays real.
        let real = Path::new("scenes/charge.ron");
        assert_eq!(&*find_scene(real), real);
        assert!(!contains(real) && content(real).is_none());
        for asked in [
            "",
            "nobody",
            "figures",
            "assets/tree-1.png",
            "../charge.ron",
            "/charge.ron",
        ] {
            assert!(!open(asked), "{asked}");
        }
    }

    #[test]
    fn a_path_is_built_in_whatever_stands_before_the_folder() {
        let inside = Path::new("some/folder").join(path_of("charge.ron"));
        assert!(contains(&inside) && content(&inside).is_some());
        assert_eq!(shown(&inside), "charge.ron");
        assert!(content(&path_of("../charge.ron")).is_none());
        assert!(content(Path::new(FOLDER)).is_none());
        // A system would refuse it, and so cannot have it.
        assert!(std::fs::metadata(&inside).is_err());
    }

    #[test]
    fn a_picture_is_the_one_beside_its_scene_or_else_the_one_built_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let found = picture(folder.path(), "assets/tree-1.png");
        assert!(content(&found).is_some());
        std::fs::create_dir(folder.path().join("assets")).expect("a folder");
        let real = folder.path().join("assets/tree-1.png");
        std::fs::write(&real, "mine").expect("a file");
        assert_eq!(picture(folder.path(), "assets/tree-1.png"), real);
        let none = folder.path().join("stone.png");
        assert_eq!(picture(folder.path(), "stone.png"), none);
    }
}
