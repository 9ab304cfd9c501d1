//! The pictures that a scene names: which they are, and whether they are there.

use super::loader::{LoadError, load_picture_below};
use crate::built_in;
use crate::scene::{ObjectGroup, Scene, World};
use std::collections::BTreeSet;
use std::path::Path;

/// The pictures that `world` names, each once, in alphabetical order.
pub fn names(world: &World) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for group in &world.objects {
        match group {
            ObjectGroup::Object { asset, .. } => {
                names.insert(asset.as_str());
            }
            ObjectGroup::Scatter(scatter) => {
                names.extend(scatter.assets.iter().map(String::as_str));
            }
        }
    }
    names
}

/// Loads every picture that `scene` names below `folder`, the folder of its file, just as streaming would, and gives what
/// went wrong.
pub fn check(scene: &Scene, folder: &Path) -> Vec<LoadError> {
    let names = scene.world.as_ref().map(names).unwrap_or_default();
    names
        .into_iter()
        .filter_map(|asset| load_picture_below(folder, &built_in::picture(folder, asset)).err())
        .collect()
}
