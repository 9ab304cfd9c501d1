//! The objects of the world: moved, copied, taken away, pasted and placed, in the world that streams and in the scene alike.
//!
//! Invariant: the world that streams has the objects that the scene has, by the same numbers.

use super::action::{Point, vector};
use super::document::Document;
use super::edit::NO_WORLD;
use super::ranges::Units;
use super::undo::{Entry, Part, What};
use super::{COPY_LIMIT, Refusal, Session};
use crate::geometry::{Aabb, Vec2};
use crate::partition::COORDINATE_LIMIT;
use crate::scene::{ObjectGroup, Scene, file, generate, limits};
use crate::streaming::{Newcomer, ObjectsEdit, Tour};
use std::sync::Arc;

/// The text that a clipboard holds of these objects of a scene: numbers that it does not have are passed over. Refused beyond
/// [`COPY_LIMIT`].
pub fn copied(scene: &Scene, objects: &[u32]) -> Result<String, String> {
    if objects.len() > COPY_LIMIT {
        return Err(format!(
            "At most {COPY_LIMIT} objects are copied as text (found {}); Duplicate takes any number.",
            objects.len()
        ));
    }
    Ok(file::format_objects(&groups_of(scene, objects)))
}

/// What these objects are, each by itself, as a scene has them.
fn groups_of(scene: &Scene, objects: &[u32]) -> Vec<ObjectGroup> {
    let made = generate::objects(scene);
    let group = |number: &u32| {
        let object = made.objects.get(*number as usize)?;
        let asset = made.assets.get(object.asset as usize)?.clone();
        let (center, half_extent) = (object.center, object.half_extent);
        Some(ObjectGroup::one(center, half_extent, asset, object.bytes))
    };
    objects.iter().filter_map(group).collect()
}

/// The objects of a text that was [copied], and where the middle of them is.
fn pasted(text: &str) -> Result<(Vec<ObjectGroup>, Vec2), String> {
    let groups = file::parse_objects(text)
        .map_err(|error| format!("The clipboard holds no objects of Skirmish ({error})."))?;
    let all = groups.iter().filter_map(ObjectGroup::places);
    match all.reduce(Aabb::join) {
        Some(all) => Ok((groups, all.center())),
        None => {
            Err("The clipboard holds no objects of Skirmish (there is nothing in it).".to_owned())
        }
    }
}

/// A refusal of places beyond the limit of coordinates; all of them are within it before they are moved by `way`.
fn check_places(places: impl IntoIterator<Item = Aabb>, way: Vec2) -> Result<(), Refusal> {
    let limit = Vec2::splat(COORDINATE_LIMIT);
    let all = Aabb::new(-limit, limit);
    let corners = places.into_iter().flat_map(|area| [area.min, area.max]);
    match corners
        .map(|corner| corner + way)
        .find(|at| !all.contains(*at))
    {
        Some(at) => Err(Refusal::because(format_args!(
            "objects stand at most {COORDINATE_LIMIT} m from the origin (one would be at {at})"
        ))),
        None => Ok(()),
    }
}

impl Session {
    /// The world that streams, and which of these objects it has.
    fn known_objects(&self, objects: &Units) -> Result<(&Tour, Vec<u32>), Refusal> {
        let world = self.world.as_ref();
        let world = world.ok_or_else(|| Refusal::because(NO_WORLD))?;
        let count = world.streaming().objects().len() as u32;
        let known = objects.ids().iter().copied();
        Ok((world, known.filter(|object| *object < count).collect()))
    }

    /// Moves objects by a way, all or none.
    pub(super) fn move_objects(
        &mut self,
        objects: &Units,
        way: Point,
    ) -> Result<Option<Entry>, Refusal> {
        let way = vector(way);
        let (world, known) = self.known_objects(objects)?;
        let centers = |object: &u32| world.streaming().objects()[*object as usize].center;
        let places: Vec<(u32, Vec2)> = known.iter().map(|it| (*it, centers(it))).collect();
        let boxes = places.iter().map(|(_, at)| Aabb::new(*at, *at));
        check_places(boxes, way)?;
        if places.is_empty() || way == Vec2::ZERO {
            return Ok(None);
        }
        let places: Vec<(u32, Vec2)> = places.into_iter().map(|(it, at)| (it, at + way)).collect();
        let what = What::MoveObjects(places.len() as u32);
        let document = self.document.clone();
        self.document.edit(|scene| {
            if let Some(world) = &mut scene.world {
                world.put_objects(&places);
            }
        });
        let edit = |world: &mut Tour| world.edit(&ObjectsEdit::Put(places));
        Ok(self.edit_objects(what, document, edit))
    }

    /// Puts an object elsewhere and makes it so large. A scene says only that of it which is other than before.
    pub(super) fn shape_object(
        &mut self,
        object: u32,
        at: Point,
        half_extent: Point,
    ) -> Result<Option<Entry>, Refusal> {
        let (world, known) = self.known_objects(&Units::new(vec![object]))?;
        let Some(before) = known
            .first()
            .map(|it| world.streaming().objects()[*it as usize])
        else {
            return Ok(None);
        };
        let (at, half_extent) = (vector(at), vector(half_extent));
        let (moves, sizes) = (at != before.center, half_extent != before.half_extent);
        if !moves && !sizes {
            return Ok(None);
        }
        let document = self.document.clone();
        self.document.edit(|scene| {
            let Some(world) = &mut scene.world else {
                return;
            };
            if moves {
                world.put_objects(&[(object, at)]);
            }
            if sizes {
                world.size_objects(&[(object, half_extent)]);
            }
        });
        let shape = ObjectsEdit::Shape(vec![(object, at, half_extent)]);
        let edit = |world: &mut Tour| world.edit(&shape);
        Ok(self.edit_objects(What::ShapeObject, document, edit))
    }

    /// Takes objects out of the world.
    pub(super) fn remove_objects(&mut self, objects: &Units) -> Result<Option<Entry>, Refusal> {
        let (_, known) = self.known_objects(objects)?;
        if known.is_empty() {
            return Ok(None);
        }
        let what = What::RemoveObjects(known.len() as u32);
        let document = self.document.clone();
        self.document.edit(|scene| {
            if let Some(world) = &mut scene.world {
                world.take_objects(&known);
            }
        });
        let edit = |world: &mut Tour| world.edit(&ObjectsEdit::Take(known));
        Ok(self.edit_objects(what, document, edit))
    }

    /// Places copies of objects, moved by a way.
    pub(super) fn copy_objects(
        &mut self,
        objects: &Units,
        way: Point,
    ) -> Result<Option<Entry>, Refusal> {
        let groups = groups_of(self.document.scene(), objects.ids());
        self.settle_objects(groups, vector(way), What::DuplicateObjects)
    }

    /// Places the objects of a text, their middle at a point.
    pub(super) fn paste_objects(
        &mut self,
        text: &str,
        at: Point,
    ) -> Result<Option<Entry>, Refusal> {
        let (groups, middle) = pasted(text).map_err(Refusal::Sentence)?;
        self.settle_objects(groups, vector(at) - middle, What::PasteObjects)
    }

    /// Places one object.
    pub(super) fn place_object(
        &mut self,
        asset: &str,
        at: Point,
        half_extent: Point,
    ) -> Result<Option<Entry>, Refusal> {
        let (at, half_extent) = (vector(at), vector(half_extent));
        let group = ObjectGroup::one(at, half_extent, asset.to_owned(), None);
        self.settle_objects(vec![group], Vec2::ZERO, |_| What::PlaceObject)
    }

    /// Places groups of objects, moved by a way, behind all that there are, all or none.
    fn settle_objects(
        &mut self,
        mut groups: Vec<ObjectGroup>,
        way: Vec2,
        what: fn(u32) -> What,
    ) -> Result<Option<Entry>, Refusal> {
        let (Some(own), Some(_)) = (&self.scene().world, &self.world) else {
            return Err(Refusal::because(NO_WORLD));
        };
        check_places(groups.iter().filter_map(ObjectGroup::places), way)?;
        groups.iter_mut().for_each(|group| group.shift(way));
        let more: u64 = groups
            .iter()
            .map(|group| u64::from(group.made_count()))
            .sum();
        let (first, total) = (own.objects.len(), own.made_count() + more);
        if total > limits::MAX_OBJECTS.into() {
            return Err(Refusal::because(format_args!(
                "a world has at most {} objects, and with these it would have {total}",
                limits::MAX_OBJECTS
            )));
        }
        let document = self.document.clone();
        self.document.edit(|scene| {
            if let Some(world) = &mut scene.world {
                world.objects.extend(groups);
            }
        });
        let made = generate::objects_from(self.document.scene(), first);
        if made.objects.is_empty() {
            self.document = document;
            return Ok(None);
        }
        let what = what(made.objects.len() as u32);
        let folder = self.folder.clone();
        let edit = |world: &mut Tour| world.add_objects(&made, &folder);
        Ok(self.edit_objects(what, document, edit))
    }

    /// Does to the world what has been done to the scene, which was `document` before.
    fn edit_objects(
        &mut self,
        what: What,
        document: Document,
        edit: impl FnOnce(&mut Tour) -> ObjectsEdit,
    ) -> Option<Entry> {
        let inverse = edit(self.world.as_mut()?);
        Some(Entry {
            what,
            parts: vec![
                Part::Document(Box::new(document)),
                Part::Objects(Arc::new(inverse)),
            ],
        })
    }

    /// How many objects the next undo brings back that were taken out of the world. They are unloaded then: a world keeps nothing of what
    /// is not in it.
    pub fn objects_to_come_back(&self) -> usize {
        let entry = self.undo.next(false);
        newcomers(entry.map(|it| &**it)).count()
    }

    /// The objects that the last edit placed, by ascending number; none where it was another one.
    pub fn objects_placed_last(&self) -> Vec<u32> {
        let entry = self.undo.next(false);
        entry.map_or(Vec::new(), |entry| placed(entry))
    }

    /// The objects that the last undo has brought back which had been taken out of the world, by ascending number; none where it was the
    /// undo of another edit.
    pub fn objects_brought_back_last(&self) -> Vec<u32> {
        let entry = self.undo.next(true);
        let entry = entry.filter(|it| matches!(it.what, What::RemoveObjects(_)));
        entry.map_or(Vec::new(), |entry| placed(entry))
    }

    /// The objects that have been taken out of the world since the other future was left, where undo takes that back next: with that future
    /// they are there again by these numbers, which ascend.
    pub fn objects_deleted_since_fork(&self) -> Vec<u32> {
        let entry = self.edit_since_fork();
        newcomers(entry).map(|(number, _)| *number).collect()
    }
}

/// The objects that come where the edit is taken back by which they were taken out of the world, by their numbers; none of another edit.
fn newcomers(entry: Option<&Entry>) -> impl Iterator<Item = &(u32, Newcomer)> {
    let entry = entry.filter(|it| matches!(it.what, What::RemoveObjects(_)));
    let parts = entry.into_iter().flat_map(|it| &it.parts);
    let added = parts.filter_map(|part| match part {
        Part::Objects(edit) => match &**edit {
            ObjectsEdit::Add(list) => Some(list),
            _ => None,
        },
        _ => None,
    });
    added.flatten()
}

/// The objects that came by an edit, or by what took one back.
fn placed(entry: &Entry) -> Vec<u32> {
    let placed = entry.parts.iter().filter_map(|part| match part {
        // What takes it back takes them away.
        Part::Objects(inverse) => match &**inverse {
            ObjectsEdit::Take(objects) => Some(objects),
            _ => None,
        },
        _ => None,
    });
    placed.flatten().copied().collect()
}
