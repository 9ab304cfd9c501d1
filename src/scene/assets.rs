//! The pictures that a scene names: which they are, and whether they are there.

use super::{ObjectGroup, Scene, World};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The longest side that a picture may have, in pixels.
pub const MAX_SIDE: u32 = 4096;

/// A picture that a scene names and that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("picture {asset}: {message}")]
pub struct AssetError {
    /// Its path as the scene has it.
    pub asset: String,
    /// The sentence.
    pub message: String,
}

/// The pictures that `world` names, each once, in alphabetical order.
pub fn names(world: &World) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for group in &world.objects {
        match group {
            ObjectGroup::Object { asset, .. } => {
                names.insert(asset.as_str());
            }
            ObjectGroup::Scatter { assets, .. } => {
                names.extend(assets.iter().map(String::as_str));
            }
        }
    }
    names
}

/// Looks for every picture that `scene` names below `folder`, the folder of its file, and reads each to its end.
pub fn check(scene: &Scene, folder: &Path) -> Vec<AssetError> {
    let names = scene.world.as_ref().map(names).unwrap_or_default();
    names
        .into_iter()
        .filter_map(|asset| {
            let message = check_picture(&folder.join(asset)).err()?;
            Some(AssetError {
                asset: asset.to_owned(),
                message,
            })
        })
        .collect()
}

fn check_picture(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        kind => format!("it cannot be read: {kind}"),
    })?;
    let mut reader = image::ImageReader::with_format(BufReader::new(file), image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    reader.limits(limits);
    match reader.decode() {
        Ok(_) => Ok(()),
        Err(image::ImageError::Limits(_)) => Err(format!(
            "a picture must have at most {MAX_SIDE} pixels a side"
        )),
        Err(_) => Err("it is no PNG picture, or a damaged one".to_owned()),
    }
}
