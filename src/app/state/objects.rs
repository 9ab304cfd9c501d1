//! The objects that are selected in Streaming: what is done to all of them at once, and objects that are added.

use super::selection::BESIDE;
use super::{App, View};
use crate::app::stream::Stream;
use crate::app::widgets::with_commas;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::session::{Action, Units, copied_objects};
use skirmish::streaming::{Index, Mover, Settings, WorldObject, assets};

/// Half of the width and height of an added object whose picture no other shows, in metres.
const USUAL_HALF_EXTENT: f32 = 4.0;

/// Said where an object has to be selected.
pub(super) const NO_OBJECT: &str =
    "No object is selected: a click selects one, a drag draws a box around objects.";

impl App {
    /// The objects that are selected, as an action names them; `None` where none is, which is said then.
    fn selected_objects(&mut self) -> Option<Units> {
        let selection = self.stream.as_ref().map(|stream| &stream.selection);
        match selection.filter(|selection| !selection.is_empty()) {
            Some(selection) => Some(Units::new(selection.units().to_vec())),
            None => {
                self.say(NO_OBJECT);
                None
            }
        }
    }

    /// Moves the objects that are selected.
    pub fn move_objects(&mut self, way: Vec2) {
        if let Some(objects) = self.selected_objects().filter(|_| way != Vec2::ZERO) {
            self.act(Action::MoveObjects(objects, way.into()));
        }
    }

    /// Puts an object here and makes it so large: what a hand sets until it lets go is one edit.
    pub fn shape_object(&mut self, object: u32, at: Vec2, half_extent: Vec2) {
        let action = Action::ShapeObject(object, at.into(), half_extent.into());
        self.act_in_stroke("shape", action);
    }

    /// Selects every object.
    pub(super) fn select_all_objects(&mut self) {
        let Some(stream) = &mut self.stream else {
            return;
        };
        let count = stream.objects().len() as u32;
        stream.selection.replace(0..count);
        if count == 0 {
            self.say("There are no objects to select.");
        }
    }

    /// Takes the objects that are selected out of the world.
    pub(super) fn delete_objects(&mut self) {
        if let (Some(objects), Some(stream)) = (self.selected_objects(), &mut self.stream) {
            // Before the world answers: their numbers are others' then.
            stream.selection.clear();
            self.act(Action::RemoveObjects(objects));
        }
    }

    /// Places copies of the objects that are selected beside them; they are selected then.
    pub(super) fn duplicate_objects(&mut self) {
        if let Some(objects) = self.selected_objects() {
            let beside = BESIDE / self.camera.zoom;
            self.act(Action::CopyObjects(objects, (beside, beside)));
        }
    }

    /// The text of the objects that are selected, for the clipboard; nothing where that was refused, which has been said then.
    pub(super) fn copy_objects(&mut self) -> Option<String> {
        let objects = self.selected_objects()?;
        match copied_objects(&self.scene, objects.ids()) {
            Ok(text) => {
                let count = objects.ids().len();
                let word = if count == 1 { "object" } else { "objects" };
                let count = with_commas(count as u64);
                self.say(format!(
                    "{count} {word} copied; Ctrl+V places them at the cursor."
                ));
                Some(text)
            }
            Err(sentence) => {
                self.fail(sentence);
                None
            }
        }
    }

    /// The pictures that the scene's world names, by name.
    pub fn picture_names(&self) -> Vec<String> {
        let world = self.scene.world.as_ref();
        let names = world.map(assets::names).unwrap_or_default();
        names.into_iter().map(str::to_owned).collect()
    }

    /// Whether a path is being drawn on the field that is shown.
    pub fn draws_path(&self) -> bool {
        let stream = self.stream.as_ref();
        let draws = stream.is_some_and(|stream| stream.drawing.is_some());
        // While steps are gone through, presses and keys are for them.
        draws && self.view == View::Streaming && !self.has_steps()
    }

    /// Sends the character along the path of this name, or lets it stand.
    pub fn follow_path(&mut self, name: Option<&str>) {
        let Some(stream) = &mut self.stream else {
            return;
        };
        let place = |name| stream.paths().iter().position(|path| path.name == name);
        let mover = name.and_then(place).map_or(Mover::Nobody, Mover::Path);
        stream.follow(mover);
    }

    /// Has streaming decide by another structure.
    pub fn decide_by(&mut self, index: Index) {
        if let Some(stream) = &mut self.stream {
            let settings = Settings {
                index,
                ..*stream.settings()
            };
            stream.set_settings(&settings);
        }
    }

    /// Begins to draw another path, or ends drawing one.
    pub(super) fn draw_path(&mut self) {
        let draws = self.draws_path();
        if let Some(stream) = &mut self.stream {
            self.view = View::Streaming;
            match draws {
                true => stream.drawing = None,
                false => stream.draw_path(None),
            }
        }
    }

    /// Whether a path is being recorded that nothing has yet. One to whose middle somebody has gone back is kept in what comes.
    pub fn is_recording_path(&self) -> bool {
        let is_recording = self.stream.as_ref().is_some_and(|it| it.is_recording());
        is_recording && self.place.tick == self.place.end && !self.place.has_edits_ahead
    }

    /// Ends the recording of a path, so that what is saved has it.
    pub fn keep_recorded_path(&mut self) {
        if self.is_recording_path() {
            self.act(Action::KeepPath);
        }
    }

    /// Begins to record a path, or ends that.
    pub(super) fn record_path(&mut self) {
        if let Some(stream) = &mut self.stream {
            self.view = View::Streaming;
            match stream.is_recording() {
                true => stream.stop_recording(),
                false => stream.record(),
            }
        }
    }

    /// Adds an object where the cursor is, or in the middle of the view.
    pub(super) fn add_object(&mut self) {
        self.add_object_at(self.cursor.unwrap_or(self.camera.center));
        // Where there is a choice of pictures, its list may lie below the edge of the panel.
        if self.stream.is_some() && self.picture_names().len() > 1 {
            self.say(
                "It has the picture that is chosen in the list 'new object', the last one in the left panel.",
            );
        }
    }

    /// Adds an object here, or beside whoever stands here: with the picture that was chosen for it, and as large as the last one that
    /// shows that.
    pub fn add_object_at(&mut self, at: Vec2) {
        let names = self.picture_names();
        let Some(stream) = &self.stream else {
            return self.say("This scene has no world that streams.");
        };
        let chosen = stream.picture.clone().filter(|it| names.contains(it));
        let Some(picture) = chosen.or(names.into_iter().next()) else {
            return self.say("The world names no picture yet: paste an object into it first.");
        };
        let half_extent = usual_half_extent(stream, &picture);
        let at = free_spot(stream.objects(), at, half_extent);
        self.view = View::Streaming;
        self.act(Action::PlaceObject(picture, at.into(), half_extent.into()));
    }
}

/// The place nearest to `at` where an object of this size stands on no other of about that size: what is much larger is the ground on
/// which it stands. Where all around is full, the place itself.
fn free_spot(objects: &[WorldObject], at: Vec2, half_extent: Vec2) -> Vec2 {
    /// So many steps to each side are tried, a little farther apart than an object is wide.
    const STEPS: i32 = 12;
    const STEP: f32 = 2.2;
    /// Whoever is so many times as large is ground.
    const GROUND: f32 = 4.0;
    let step = half_extent * STEP;
    let all = Aabb::around(at, step * (STEPS + 1) as f32);
    let ground = half_extent.max_element() * GROUND;
    let bodies = objects.iter().map(WorldObject::aabb);
    let is_beside = |body: &Aabb| body.overlaps(all) && body.size().max_element() < 2.0 * ground;
    let bodies: Vec<Aabb> = bodies.filter(is_beside).collect();
    let sides = -STEPS..=STEPS;
    let mut places: Vec<(i32, i32)> = sides
        .clone()
        .flat_map(|y| sides.clone().map(move |x| (x, y)))
        .collect();
    // Of as near ones the one to the right.
    places.sort_by_key(|(x, y)| (x * x + y * y, -x, -y));
    let places = places
        .into_iter()
        .map(|(x, y)| at + step * Vec2::new(x as f32, y as f32));
    let limit = Vec2::splat(skirmish::partition::COORDINATE_LIMIT);
    let mut places = places.filter(|place| place.abs().cmplt(limit).all());
    let is_free = |place: &Vec2| {
        let own = Aabb::around(*place, half_extent);
        !bodies.iter().any(|body| body.overlaps(own))
    };
    places.find(is_free).unwrap_or(at)
}

/// Half of the width and height of the last object that shows a picture.
fn usual_half_extent(stream: &Stream, picture: &str) -> Vec2 {
    let shows = |asset: u32| {
        stream
            .asset(asset)
            .is_some_and(|file| file.ends_with(picture))
    };
    let asset = (0..)
        .take_while(|asset| stream.asset(*asset).is_some())
        .find(|it| shows(*it));
    let mut objects = stream.objects().iter().rev();
    let last = objects.find(|object| Some(object.asset) == asset);
    last.map_or(Vec2::splat(USUAL_HALF_EXTENT), |object| object.half_extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(center: Vec2, half_extent: f32) -> WorldObject {
        WorldObject {
            center,
            half_extent: Vec2::splat(half_extent),
            bytes: 1,
            asset: 0,
        }
    }

    #[test]
    fn each_added_object_stands_beside_those_before_and_near_them() {
        // On the ground one stands where one was put.
        let middle = Vec2::new(500.0, 300.0);
        let mut objects = vec![object(middle, 100.0)];
        for count in 1..=60 {
            let at = free_spot(&objects, middle, Vec2::splat(4.0));
            assert!(count > 1 || at == middle);
            let others = objects[1..].iter();
            let own = object(at, 4.0).aabb();
            assert!(
                !others
                    .map(WorldObject::aabb)
                    .any(|other| other.overlaps(own))
            );
            assert!((at - middle).length() < 60.0, "{at}");
            objects.push(object(at, 4.0));
        }
        // Where all around is full it stands there all the same.
        let full: Vec<_> = (0..10_000)
            .map(|it| Vec2::new((it % 100) as f32, (it / 100) as f32) * 8.0)
            .map(|at| object(at, 4.0))
            .collect();
        let at = Vec2::splat(400.0);
        assert_eq!(free_spot(&full, at, Vec2::splat(4.0)), at);
    }
}
