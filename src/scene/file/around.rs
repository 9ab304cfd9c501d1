//! Files that hold a scene and more: recordings. They are read under the same gates, and what is wrong in them is named by
//! the same places.

use super::memory::text_with_room;
use super::{SceneError, canonical, check_version, convert, options, shape_flaw, text_of, tokens};
use crate::scene::Scene;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;

/// A file that holds a scene in its field `scene`, and a list of rows in another field.
pub(crate) struct Around<'a> {
    name: &'a str,
    text: &'a str,
}

/// A field, and which of its items.
pub(crate) type Item<'a> = (&'a str, usize);

impl<'a> Around<'a> {
    /// Looks at the text of a file whose brackets match and whose version is ours; `name` is what messages call it.
    pub(crate) fn new(bytes: &'a [u8], name: &'a str) -> Result<Self, SceneError> {
        let text = text_of(bytes, name)?;
        tokens::check(text)
            .and_then(|()| check_version(text))
            .map_err(|flaw| SceneError::of_text(name, text, flaw))?;
        Ok(Self { name, text })
    }

    fn scene_range(&self) -> Result<Range<usize>, SceneError> {
        let place = tokens::Place::ROOT;
        tokens::find(self.text, &place.field("scene")).ok_or_else(|| {
            let flaw = tokens::Flaw {
                offset: 0,
                message: "field scene is missing: a recording holds the scene with which it began"
                    .to_owned(),
            };
            SceneError::of_text(self.name, self.text, flaw)
        })
    }

    /// Whether there is a scene in it.
    pub(crate) fn scene_is_there(&self) -> bool {
        self.scene_range().is_ok()
    }

    /// The scene that lies in the file.
    pub(crate) fn scene(&self) -> Result<Scene, SceneError> {
        let range = self.scene_range()?;
        // The rest becomes white space, so that every place is that of the file.
        let of_text = |flaw| SceneError::of_text(self.name, self.text, flaw);
        let mut alone = text_with_room(range.end).map_err(|error| of_text(error.into()))?;
        blank(&mut alone, &self.text[..range.start]);
        alone.push_str(&self.text[range]);
        // Its bytes may lie elsewhere than in the file; its lines and columns do not.
        super::parse_text(&alone).map_err(|flaw| SceneError::of_text(self.name, &alone, flaw))
    }

    /// The rest of the file, in which the field `scene` is `()`.
    pub(crate) fn rest<T: DeserializeOwned>(&self) -> Result<T, SceneError> {
        let range = self.scene_range()?;
        let of_text = |flaw| SceneError::of_text(self.name, self.text, flaw);
        let mut rest = text_with_room(self.text.len()).map_err(|error| of_text(error.into()))?;
        rest.push_str(&self.text[..range.start]);
        blank(&mut rest, &self.text[range.clone()]);
        // No end of a line is lost, and no scene is without two letters beside each other.
        if let Some(gap) = rest[range.start..].find("  ") {
            let gap = range.start + gap;
            rest.replace_range(gap..gap + 2, "()");
        }
        rest.push_str(&self.text[range.end..]);
        options()
            .from_str(&rest)
            .map_err(|error| SceneError::of_text(self.name, &rest, shape_flaw(&rest, &error)))
    }

    /// A mistake in one item of a list.
    pub(crate) fn mistake(&self, (field, item): Item<'_>, message: String) -> SceneError {
        let root = tokens::Place::ROOT;
        let list = root.field(field);
        let offset = tokens::locate(self.text, &list.item(item)).start;
        SceneError::of_text(self.name, self.text, tokens::Flaw { offset, message })
    }
}

/// Appends `text` with every character but the ends of lines made a space, for which there is room.
fn blank(blanked: &mut String, text: &str) {
    let keep = |c: char| if matches!(c, '\n' | '\r') { c } else { ' ' };
    blanked.extend(text.chars().map(keep));
}

/// The canonical text of a scene, as it lies within another file, each line further in.
pub(crate) fn format_within(scene: &Scene) -> String {
    let text = canonical(&convert::from_scene(scene));
    text.trim_end().replace('\n', "\n    ")
}

/// A value on one line.
pub(crate) fn format_row(value: &impl Serialize) -> String {
    options()
        .to_string(value)
        .expect("structs, numbers and strings all have a form in RON")
}

/// Writes `text` to `path`, as a whole or not at all; `reads_back` says whether it is what was meant.
pub(crate) fn write_text(
    path: &Path,
    text: &str,
    reads_back: impl Fn(&str) -> bool,
) -> Result<(), SceneError> {
    super::write_checked(path, text, |text| Ok(reads_back(text)))
}
