//! Pictures as PNG files, and whatever else is written for others to read.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};
use skirmish::files::{self, SaveError};
use std::path::Path;

/// Writes a picture; what went wrong is said in one sentence.
pub fn write(
    path: &Path,
    picture: &RgbImage,
    (compression, filter): (CompressionType, FilterType),
) -> Result<(), String> {
    let failed = |reason: &str| {
        let path = path.display();
        format!("{path}: the picture could not be written: {reason}")
    };
    let (width, height) = picture.dimensions();
    let mut file = Vec::new();
    PngEncoder::new_with_quality(&mut file, compression, filter)
        .write_image(picture, width, height, ExtendedColorType::Rgb8)
        .map_err(|error| failed(&error.to_string()))?;
    put(path, &file).map_err(|error| failed(&error))
}

/// Writes a small picture of few colours.
pub fn put_small(path: &Path, small: &RgbImage) -> Result<(), String> {
    // Lines in a few colours: what is beside them says less of a pixel than the pixels before.
    write(path, small, (CompressionType::Best, FilterType::NoFilter))
}

/// Writes what others read. What is there as a whole is written, even where the disk does not confirm it.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    match files::put(path, bytes) {
        Ok(()) | Err(SaveError::Unconfirmed(_)) => Ok(()),
        Err(SaveError::NotSaved(reason)) => Err(reason.into_owned()),
    }
}
