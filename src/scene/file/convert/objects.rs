//! The objects of a world, and those that belong to no scene: those of a clipboard.

use super::{
    Checked, Converter, List, Place, Whole, corners_text, moved_text, size_text, with_room, written,
};
use crate::scene::limits::{self, MAX_ASSET_CHARS, MAX_OBJECTS};
use crate::scene::{ObjectGroup, Scatter};

/// The objects that `text` describes; `source` is what it was read from.
pub(in crate::scene::file) fn to_objects(
    source: &str,
    text: written::LooseObjects,
) -> Checked<Vec<ObjectGroup>> {
    let (converter, root) = (Converter { source }, Place::ROOT);
    let version = i128::from(limits::VERSION);
    converter.whole(&root, "version", text.version, version..=version)?;
    converter.objects(&root.field("objects"), text.objects.0)
}

/// What a clipboard says of these objects.
pub(in crate::scene::file) fn from_objects(groups: &[ObjectGroup]) -> written::LooseObjects {
    written::LooseObjects {
        version: Whole(limits::VERSION.into()),
        objects: objects_text(groups),
    }
}

/// What a file says of the objects of a world.
pub(super) fn objects_text<const MAX: usize>(
    groups: &[ObjectGroup],
) -> List<written::Objects, MAX> {
    let text = |group: &ObjectGroup| match group {
        ObjectGroup::Object {
            center,
            half_extent,
            asset,
        } => written::Objects::Object((*center).into(), (*half_extent).into(), asset.clone()),
        ObjectGroup::Scatter(scatter) => written::Objects::Scatter {
            count: Whole(scatter.count.into()),
            area: corners_text(scatter.area),
            size: size_text(scatter.size),
            assets: List(scatter.assets.clone()),
            bytes: (scatter.bytes)
                .map(|(least, greatest)| (Whole(least.into()), Whole(greatest.into()))),
            without: List(scatter.without.iter().map(|n| Whole((*n).into())).collect()),
            moved: moved_text(&scatter.moved),
            sized: moved_text(&scatter.sized),
        },
    };
    List(groups.iter().map(text).collect())
}

/// What the path of a picture must be.
pub(in crate::scene::file) fn asset_words() -> String {
    format!(
        "a path below the scene's folder, such as \"assets/tree.png\", of at most {MAX_ASSET_CHARS} characters"
    )
}

/// Whether a picture's path leads downwards from the scene's folder, and means the same on every system.
pub(in crate::scene::file) fn is_asset(path: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '\\' | ':');
    let is_step = |step: &str| !matches!(step, "" | "." | "..");
    let fits = path.chars().take(MAX_ASSET_CHARS + 1).count() <= MAX_ASSET_CHARS;
    fits && path.chars().all(is_plain) && path.split('/').all(is_step)
}

impl Converter<'_> {
    /// The least and the greatest number of bytes.
    fn bytes(&self, parent: &Place<'_>, (least, greatest): (Whole, Whole)) -> Checked<(u64, u64)> {
        let range = 0..=i128::from(limits::MAX_OBJECT_BYTES);
        if range.contains(&least.0) && range.contains(&greatest.0) && least.0 <= greatest.0 {
            return Ok((least.0 as u64, greatest.0 as u64));
        }
        let expected = format!(
            "a least and a greatest whole number from 0 to {}",
            limits::MAX_OBJECT_BYTES
        );
        Err(self.must(&parent.field("bytes"), "bytes", expected))
    }

    /// The objects of a world, all of whose limits are checked.
    pub(super) fn objects(
        &self,
        place: &Place<'_>,
        texts: Vec<written::Objects>,
    ) -> Checked<Vec<ObjectGroup>> {
        let mut total = 0_u64;
        let mut groups = with_room(texts.len())?;
        for (index, text) in texts.into_iter().enumerate() {
            let place = place.item(index);
            let group = match text {
                written::Objects::Object(center, half_extent, asset) => {
                    total += 1;
                    ObjectGroup::Object {
                        center: self.point(&place.item(0), "the centre", center)?,
                        half_extent: self.half_extent(&place.item(1), half_extent)?,
                        asset: self.asset(&place.item(2), asset)?,
                    }
                }
                written::Objects::Scatter {
                    count,
                    area,
                    size,
                    assets,
                    bytes,
                    without,
                    moved,
                    sized,
                } => {
                    let count = self.whole(&place, "count", count, 0..=MAX_OBJECTS.into())? as u32;
                    total += u64::from(count);
                    let place_of_assets = place.field("assets");
                    if assets.is_empty() {
                        return Err(self.must(&place_of_assets, "assets", "at least one picture"));
                    }
                    let (gone, put) = (place.field("without"), place.field("moved"));
                    let mut scatter = Scatter {
                        count,
                        area: self.corners(&place.field("area"), "area", area)?,
                        size: self.size(&place.field("size"), &size)?,
                        assets: assets
                            .0
                            .into_iter()
                            .enumerate()
                            .map(|(index, asset)| self.asset(&place_of_assets.item(index), asset))
                            .collect::<Checked<_>>()?,
                        bytes: bytes.map(|bytes| self.bytes(&place, bytes)).transpose()?,
                        without: self.without(&gone, &without.0, "scatter", count)?,
                        moved: Vec::new(),
                        sized: Vec::new(),
                    };
                    let read = |place: &Place<'_>, at| self.point(place, "a place", at);
                    scatter.moved = self.moved(&put, &moved.0, ("scatter", &scatter), read)?;
                    let read = |place: &Place<'_>, size| self.half_extent(place, size);
                    let large = place.field("sized");
                    scatter.sized =
                        self.of_each(&large, "sized", &sized.0, ("scatter", count), read)?;
                    ObjectGroup::Scatter(scatter)
                }
            };
            if total > MAX_OBJECTS.into() {
                return Err(self.flaw(
                    &place,
                    format!(
                        "a world must have at most {MAX_OBJECTS} objects (found {total} up to here)"
                    ),
                ));
            }
            groups.push(group);
        }
        Ok(groups)
    }

    fn asset(&self, place: &Place<'_>, path: String) -> Checked<String> {
        if is_asset(&path) {
            return Ok(path);
        }
        Err(self.must(place, "a picture", asset_words()))
    }
}
