//! How a scene is looked at, from what its file says and back.

use super::{Checked, Converter};
use crate::partition::COORDINATE_LIMIT;
use crate::scene::file::memory::with_room;
use crate::scene::file::tokens::Place;
use crate::scene::file::written::{self, List, Switches, Whole};
use crate::scene::limits::{self, MAX_LABEL_CHARS, MAX_QUERY_CHARS};
use crate::scene::{Labels, SourceRule, View, ViewBox, ViewKind, ViewLayer};
use crate::story::Operation;

/// The names of a volume's axes.
const AXES: [&str; 3] = ["x", "y", "z"];

impl Converter<'_> {
    /// A view of a scene without a volume that has a world, or none. Lanes come and go while a scene is open, so a scene may show them that has none.
    pub(super) fn view(
        &self,
        place: &Place<'_>,
        text: written::View,
        has_world: bool,
    ) -> Checked<View> {
        let show = match text.show {
            Some(key) => Some(self.word(place, "show", &key, &ViewKind::ALL, ViewKind::key)?),
            None => None,
        };
        if show == Some(ViewKind::Streaming) && !has_world {
            let message = "a scene that shows streaming must have a world".to_owned();
            return Err(self.flaw(&place.field("show"), message));
        }
        if show == Some(ViewKind::Volume) {
            let message = "a scene that shows a volume must have one".to_owned();
            return Err(self.flaw(&place.field("show"), message));
        }
        for (name, is_there) in [
            ("slice", text.slice.is_some()),
            ("depths", text.depths.is_some()),
        ] {
            if is_there {
                let message = format!("{name} is for the view of a scene with a volume");
                return Err(self.flaw(&place.field(name), message));
            }
        }
        if text.follow == Some(true) && !has_world {
            let message = "a camera that follows the character must have a world".to_owned();
            return Err(self.flaw(&place.field("follow"), message));
        }
        Ok(View {
            show,
            layers: self.layers(&place.field("layers"), &text.layers)?,
            boxes: match text.boxes {
                Some(keys) => Some(self.boxes(&place.field("boxes"), &keys.0)?),
                None => None,
            },
            labels: match text.labels {
                Some(labels) => Some(self.labels(&place.field("labels"), labels)?),
                None => None,
            },
            query: match text.query {
                Some(query) => Some(self.query(place, query)?),
                None => None,
            },
            beside: match text.beside {
                Some(key) => {
                    Some(self.word(place, "beside", &key, &SourceRule::ALL, SourceRule::key)?)
                }
                None => None,
            },
            paused: text.paused.unwrap_or(false),
            pace: self.pace(place, text.pace)?,
            tree: text.tree.unwrap_or(false),
            follow: text.follow.unwrap_or(false),
            slice: None,
            depths: None,
            rectangle: self.rectangle(place, "rectangle", text.rectangle)?,
            rectangle_height: self.rectangle(place, "rectangle_height", text.rectangle_height)?,
            rectangles_a_tick: self.rectangles_a_tick(place, text.rectangles_a_tick)?,
            nearest: self.nearest(place, text.nearest)?,
            brush_radius: self.brush_radius(place, text.brush_radius)?,
            brush_width: self.brush_width(place, text.brush_width)?,
        })
    }

    /// How fast time passes.
    pub(super) fn pace(&self, place: &Place<'_>, pace: Option<f32>) -> Checked<Option<f32>> {
        let (slowest, fastest) = limits::PACE;
        match pace {
            Some(pace) if !(slowest..=fastest).contains(&pace) => {
                let expected = format!("from {slowest} to {fastest}");
                Err(self.must(&place.field("pace"), "pace", expected))
            }
            pace => Ok(pace),
        }
    }

    /// A side of the rectangle for which the table asks, in the field `name`.
    pub(super) fn rectangle(
        &self,
        place: &Place<'_>,
        name: &str,
        side: Option<f32>,
    ) -> Checked<Option<f32>> {
        side.map(|side| self.positive(place, name, side, COORDINATE_LIMIT))
            .transpose()
    }

    /// With how many rectangles it reckons a tick.
    pub(super) fn rectangles_a_tick(
        &self,
        place: &Place<'_>,
        count: Option<Whole>,
    ) -> Checked<Option<u32>> {
        let Some(count) = count else {
            return Ok(None);
        };
        let found = u32::try_from(count.0).ok();
        match found.filter(|count| *count <= limits::MAX_RECTANGLES) {
            Some(count) => Ok(Some(count)),
            None => {
                let name = "rectangles_a_tick";
                let expected = format!("a whole number from 0 to {}", limits::MAX_RECTANGLES);
                Err(self.must(&place.field(name), name, expected))
            }
        }
    }

    /// How many of the nearest it asks for.
    pub(super) fn nearest(
        &self,
        place: &Place<'_>,
        count: Option<Whole>,
    ) -> Checked<Option<usize>> {
        let Some(count) = count else {
            return Ok(None);
        };
        let found = usize::try_from(count.0).ok();
        match found.filter(|count| (1..=limits::MAX_NEAREST).contains(count)) {
            Some(count) => Ok(Some(count)),
            None => {
                let expected = format!("a whole number from 1 to {}", limits::MAX_NEAREST);
                Err(self.must(&place.field("nearest"), "nearest", expected))
            }
        }
    }

    /// The radius of the brush.
    pub(super) fn brush_radius(
        &self,
        place: &Place<'_>,
        radius: Option<f32>,
    ) -> Checked<Option<f32>> {
        let (least, greatest) = limits::BRUSH_RADIUS;
        match radius {
            Some(radius) if !(least..=greatest).contains(&radius) => {
                let expected = format!("from {least} to {greatest}");
                Err(self.must(&place.field("brush_radius"), "brush_radius", expected))
            }
            radius => Ok(radius),
        }
    }

    /// How wide the bodies are that it places.
    pub(super) fn brush_width(
        &self,
        place: &Place<'_>,
        width: Option<(f32, f32)>,
    ) -> Checked<Option<(f32, f32)>> {
        let most = limits::MAX_BRUSH_WIDTH;
        match width {
            Some((least, greatest)) if !(0.0 <= least && least <= greatest && greatest <= most) => {
                let expected = format!("the least and the greatest, from 0 to {most}");
                Err(self.must(&place.field("brush_width"), "brush_width", expected))
            }
            width => Ok(width),
        }
    }

    /// By what a volume is cut.
    pub(super) fn slice(
        &self,
        place: &Place<'_>,
        slice: Option<&(String, f32)>,
    ) -> Checked<Option<(usize, f32)>> {
        let Some((axis, at)) = slice else {
            return Ok(None);
        };
        let place = place.field("slice");
        let Some(axis) = AXES.iter().position(|name| name == axis) else {
            let expected = format!("one of {}", AXES.join(", "));
            return Err(self.must(&place.item(0), "the axis of slice", expected));
        };
        if at.abs() <= COORDINATE_LIMIT {
            return Ok(Some((axis, *at)));
        }
        let expected = format!("at most {COORDINATE_LIMIT} m from the origin");
        Err(self.must(&place.item(1), "slice", expected))
    }

    /// Boxes of which depths are drawn.
    pub(super) fn depths(
        &self,
        place: &Place<'_>,
        depths: Option<(Whole, Whole)>,
    ) -> Checked<Option<(u16, u16)>> {
        let Some((first, last)) = depths else {
            return Ok(None);
        };
        let deepest = i128::from(limits::DEEPEST_SHOWN);
        if (0..=deepest).contains(&last.0) && (0..=last.0).contains(&first.0) {
            return Ok(Some((first.0 as u16, last.0 as u16)));
        }
        let expected =
            format!("the first and the last of the depths from 0 to {deepest}, in ascending order");
        Err(self.must(&place.field("depths"), "depths", expected))
    }

    /// The one of `all` that has this key.
    fn word<T: Copy>(
        &self,
        parent: &Place<'_>,
        name: &str,
        key: &str,
        all: &[T],
        key_of: impl Fn(T) -> &'static str,
    ) -> Checked<T> {
        let found = all.iter().find(|it| key_of(**it) == key);
        found.copied().ok_or_else(|| {
            let expected = format!("one of {}", keys(all, &key_of));
            self.must(&parent.field(name), name, expected)
        })
    }

    pub(super) fn layers(
        &self,
        place: &Place<'_>,
        switches: &Switches,
    ) -> Checked<Vec<(ViewLayer, bool)>> {
        let mut layers: Vec<(ViewLayer, bool)> = Vec::new();
        for (key, is_shown) in &switches.0 {
            let mut all = ViewLayer::ALL.into_iter();
            let Some(layer) = all.find(|layer| layer.key() == key) else {
                let known = keys(&ViewLayer::ALL, ViewLayer::key);
                let found = crate::scene::file::excerpt(key);
                let message = format!("there is no layer {found}; the layers are {known}");
                return Err(self.flaw(&place.field(key), message));
            };
            if layers.iter().any(|(other, _)| *other == layer) {
                return Err(self.flaw(place, format!("{key} is set twice")));
            }
            layers.push((layer, *is_shown));
        }
        layers.sort_unstable();
        Ok(layers)
    }

    fn boxes(&self, place: &Place<'_>, names: &[String]) -> Checked<Vec<ViewBox>> {
        let mut boxes: Vec<ViewBox> = Vec::new();
        for (index, key) in names.iter().enumerate() {
            let place = place.item(index);
            let mut all = ViewBox::ALL.into_iter();
            let found = all.find(|it| it.key() == key).ok_or_else(|| {
                let expected = format!("one of {}", keys(&ViewBox::ALL, ViewBox::key));
                self.must(&place, "boxes", expected)
            })?;
            if boxes.contains(&found) {
                return Err(self.flaw(&place, format!("{key} is named twice")));
            }
            boxes.push(found);
        }
        boxes.sort_unstable();
        Ok(boxes)
    }

    fn labels(&self, place: &Place<'_>, labels: written::Labels) -> Checked<Labels> {
        let names = match labels {
            written::Labels::Numbers => return Ok(Labels::Numbers),
            written::Labels::Names(names) => names.0,
        };
        let list = place.item(0);
        let mut checked = with_room(names.len())?;
        for (index, name) in names.into_iter().enumerate() {
            let fits = name.chars().take(MAX_LABEL_CHARS + 1).count() <= MAX_LABEL_CHARS;
            if !fits || name.chars().any(char::is_control) {
                let expected = format!("at most {MAX_LABEL_CHARS} characters without line breaks");
                return Err(self.must(&list.item(index), "a label", expected));
            }
            checked.push(name);
        }
        Ok(Labels::Names(checked))
    }

    /// An operation stays as it was written.
    fn query(&self, place: &Place<'_>, query: String) -> Checked<String> {
        let query = self.line(place, "query", query, MAX_QUERY_CHARS)?;
        match Operation::read(&query) {
            Ok(_) => Ok(query),
            Err(refused) => {
                let message = format!("query is no operation: {refused}");
                Err(self.flaw(&place.field("query"), message))
            }
        }
    }
}

fn keys<T: Copy>(all: &[T], key_of: impl Fn(T) -> &'static str) -> String {
    let keys: Vec<&str> = all.iter().map(|it| key_of(*it)).collect();
    keys.join(", ")
}

/// What a file says of a view; nothing where it leaves everything open.
pub(super) fn view_text(view: &View) -> Option<written::View> {
    (!view.is_open()).then(|| written::View {
        show: view.show.map(|show| show.key().to_owned()),
        layers: Switches(
            view.layers
                .iter()
                .map(|(layer, is_shown)| (layer.key().to_owned(), *is_shown))
                .collect(),
        ),
        boxes: view
            .boxes
            .as_ref()
            .map(|boxes| List(boxes.iter().map(|it| it.key().to_owned()).collect())),
        labels: view.labels.as_ref().map(|labels| match labels {
            Labels::Numbers => written::Labels::Numbers,
            Labels::Names(names) => written::Labels::Names(List(names.clone())),
        }),
        query: view.query.clone(),
        beside: view.beside.map(|rule| rule.key().to_owned()),
        paused: view.paused.then_some(true),
        pace: view.pace,
        tree: view.tree.then_some(true),
        follow: view.follow.then_some(true),
        slice: view
            .slice
            .and_then(|(axis, at)| Some(((*AXES.get(axis)?).to_owned(), at))),
        depths: view
            .depths
            .map(|(first, last)| (Whole(first.into()), Whole(last.into()))),
        rectangle: view.rectangle,
        rectangle_height: view.rectangle_height,
        rectangles_a_tick: view.rectangles_a_tick.map(|count| Whole(count.into())),
        nearest: view.nearest.map(|count| Whole(count as i128)),
        brush_radius: view.brush_radius,
        brush_width: view.brush_width,
    })
}
