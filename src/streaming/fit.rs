//! Which pictures of a scene no memory cap of its has room for.

use super::assets::names;
use super::holding::Holding;
use super::{Settings, picture_sizes};
use crate::built_in;
use crate::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Says of each picture that `scene` names below `folder`, the folder of its file, and that takes more memory than the scene's
/// memory cap, that it can never be loaded: a sentence each, which begins with the file. Reads no more than the first bytes of
/// each.
pub fn pictures_beyond_the_cap(scene: &Scene, folder: &Path) -> Vec<String> {
    let Some(world) = &scene.world else {
        return Vec::new();
    };
    let files: Vec<PathBuf> = names(world)
        .into_iter()
        .map(|asset| built_in::picture(folder, asset))
        .collect();
    let sizes = picture_sizes(&files);
    let holding = Holding::new(files.len()).knowing(sizes.clone(), Arc::default());
    let cap = Settings::of_world(world).memory_cap;
    let sentence = |(asset, (file, size)): (u32, (&PathBuf, &super::PictureSize))| {
        let bytes = holding.bytes_on_the_way(asset);
        (bytes > cap).then(|| {
            format!(
                "{}: a picture of {} × {} pixels takes {bytes} bytes of memory while it is loaded, but memory_cap is {cap}: \
                 no object can show it",
                built_in::shown(file),
                size.width,
                size.height
            )
        })
    };
    (0..)
        .zip(files.iter().zip(&sizes))
        .filter_map(sentence)
        .collect()
}
