//! Pictures as PNG files, and whatever else is written for others to read.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError, RgbImage};
use skirmish::files::{self, SaveError};
use std::path::Path;

/// How pictures of few colours and many lines are packed best: what is beside a pixel says less of it than those before.
pub const SMALL: Packing = (CompressionType::Best, FilterType::NoFilter);

/// How hard, and by which neighbours.
pub type Packing = (CompressionType, FilterType);

/// Writes a picture; what went wrong is said in one sentence.
pub fn write(path: &Path, picture: &RgbImage, packing: Packing) -> Result<(), String> {
    let failed = |reason: &str| {
        let path = path.display();
        format!("{path}: the picture could not be written: {reason}")
    };
    let file = packed(picture, packing).map_err(|error| failed(&error.to_string()))?;
    put(path, &file).map_err(|error| failed(&error))
}

/// The bytes of its file.
pub fn packed(picture: &RgbImage, (compression, filter): Packing) -> Result<Vec<u8>, ImageError> {
    let (width, height) = picture.dimensions();
    let mut file = Vec::new();
    PngEncoder::new_with_quality(&mut file, compression, filter).write_image(
        picture,
        width,
        height,
        ExtendedColorType::Rgb8,
    )?;
    Ok(file)
}

/// Writes what others read. What is there as a whole is written, even where the disk does not confirm it.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    match files::put(path, bytes) {
        Ok(()) | Err(SaveError::Unconfirmed(_)) => Ok(()),
        Err(SaveError::NotSaved(reason)) => Err(reason.into_owned()),
    }
}
