//! The world around the character, as the window sees it: a picture that the session has made, and what is to be done to it.

use super::drawing::Drawing;
use super::history::TourHistory;
use super::late::{AtTick, LateList};
use super::run_before::{Run, Runs, Stands};
use super::selection::Selection;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::scene::PathKind;
use skirmish::session::{Action, Mark, tune_differences};
use skirmish::streaming::{LateAsk, Mover, Rectangles, Settings, TourPicture, called};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// What the window knows of the world.
#[derive(Debug, Default)]
pub struct Stream {
    seen: Box<TourPicture>,
    /// The figures that are plotted.
    pub figures: TourHistory,
    /// What this run came to by now, and what the one before it came to.
    pub runs: Runs,
    /// How much room the answer to why the selected object is, or is not, loaded takes, in points; and which that was, of how many.
    pub answered: Option<((u32, usize), f32)>,
    /// Whether the camera goes with the character.
    pub camera_follows: bool,
    /// The objects that are selected.
    pub selection: Selection,
    /// The picture of the next object that is added; the first that the scene names where none was chosen.
    pub picture: Option<String>,
    /// The tick of a late load that somebody went to, and who of those that were late then is selected, once that is known.
    pub late_at: Option<(u64, LateAsk)>,
    /// Whether that is a step along the marks: whom such a step has selected, the next one lets go.
    pub goes_along: bool,
    /// Whom the last step along the marks has selected.
    pub of_mark: Vec<u32>,
    /// The tick before a decision, to which somebody goes: it is said once it is there.
    pub before_decision: Option<u64>,
    /// The late loads as they are listed.
    pub late_list: LateList,
    /// Whether its rows were seen in the last frame.
    pub has_late_rows: bool,
    /// The path that is being called otherwise: what it is called, and what stands in the field.
    pub renaming: Option<(String, String)>,
    /// The path that is being drawn on the field, point by point.
    pub drawing: Option<Drawing>,
    /// Whether the hand of now has the character: that of a moment in the past may be held by one that has let go since.
    pub is_held: bool,
    /// What is to be done, until it is posted.
    acts: Vec<Action>,
    /// The way that the arrow keys gave last.
    keys: Vec2,
}

/// Everything that can be seen of the world.
impl Deref for Stream {
    type Target = TourPicture;

    fn deref(&self) -> &TourPicture {
        &self.seen
    }
}

impl Stream {
    /// A world of which nothing has been seen yet.
    pub fn looking(camera_follows: bool) -> Self {
        Self {
            camera_follows,
            ..Self::default()
        }
    }

    /// Lists the late loads among these in the world of the picture, which was made at the tick `made` and is shown at `tick`; where no rows are
    /// seen it is no more than how many there are.
    pub fn list_late(&mut self, marks: &Arc<Vec<Mark>>, (made, tick): (u64, u64), has_rows: bool) {
        self.has_late_rows = has_rows;
        let now = AtTick {
            tick,
            pending: self.seen.pending_needs(),
            is_unsure: !self.seen.has_pending_needs(),
        };
        let numbers = self.seen.renumberings();
        self.late_list.update(marks, (made, numbers), now, has_rows);
    }

    /// Takes another picture, and gives back the one before. Where objects came or went, numbers mean others than those that were
    /// selected.
    pub fn show(&mut self, picture: &mut Box<TourPicture>) {
        std::mem::swap(&mut self.seen, picture);
        if let Some(drawing) = &mut self.drawing
            && !drawing.go_with(picture.paths(), self.seen.paths())
        {
            self.drawing = None;
        }
        if self.seen.objects().len() != picture.objects().len() {
            self.selection.clear();
        }
    }

    /// Takes down where time stands, and what the run had come to in the picture before, where that was the last one of it.
    pub fn note_run(&mut self, stands: Stands, before: &TourPicture) {
        let run = || Run::of(before.statistics(), before.now());
        self.runs.note(stands, run);
    }

    /// What has to be done, in order.
    pub fn take_acts(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.acts)
    }

    /// The character is taken by the mouse.
    pub fn grab(&mut self) {
        // Who had it in this moment has let go: this is another hand, and an edit of its own.
        if self.seen.is_grabbed() && !self.is_held {
            self.acts.push(Action::LetGo);
        }
        let at = self.seen.character();
        self.drag_to(at);
    }

    /// The mouse moves it here.
    pub fn drag_to(&mut self, point: Vec2) {
        self.is_held = true;
        let limit = Vec2::splat(skirmish::partition::COORDINATE_LIMIT);
        let at = point.clamp(-limit, limit);
        // Where the hand goes within a frame is nothing that anybody sees.
        if matches!(self.acts.last(), Some(Action::Lead(_))) {
            self.acts.pop();
        }
        self.acts.push(Action::Lead(at.into()));
    }

    /// The mouse lets it go.
    pub fn let_go(&mut self) {
        self.is_held = false;
        self.acts.push(Action::LetGo);
    }

    /// The character is here from now on.
    pub fn teleport(&mut self, point: Vec2) {
        let limit = Vec2::splat(skirmish::partition::COORDINATE_LIMIT);
        self.acts
            .push(Action::Teleport(point.clamp(-limit, limit).into()));
    }

    /// Sends the character along a path, from its beginning, or lets it stand.
    pub fn follow(&mut self, mover: Mover) {
        let path = match mover {
            Mover::Path(path) => self.seen.paths().get(path),
            Mover::Nobody | Mover::Mouse | Mover::Keys(_) => None,
        };
        self.acts.push(match path {
            Some(path) => Action::Follow(path.name.clone()),
            None => Action::Stand,
        });
    }

    /// Whether the character goes along a path that has its own time: one that was recorded, or that it jumps along.
    pub fn has_own_time(&self) -> bool {
        let Mover::Path(path) = self.seen.mover() else {
            return false;
        };
        let path = self.seen.paths().get(path);
        path.is_some_and(|path| path.kind != PathKind::Walk)
    }

    /// Draws a path on the field from now on: one that the scene has, or one that begins with the first point.
    pub fn draw_path(&mut self, name: Option<String>) {
        let is_free = |name: &String| self.seen.paths().iter().all(|path| path.name != *name);
        let mut names = (1..).map(|number| format!("path {number}"));
        self.renaming = None;
        self.drawing = name.or_else(|| names.find(is_free)).map(Drawing::of);
    }

    /// The points of the path that is being drawn; none where it has not begun.
    pub fn drawn_points(&self) -> &[Vec2] {
        let drawing = self.drawing.as_ref();
        drawing.map_or(&[], |drawing| self.points_of(&drawing.name))
    }

    fn points_of(&self, name: &str) -> &[Vec2] {
        let path = self.seen.paths().iter().find(|path| path.name == name);
        path.map_or(&[], |path| &path.points)
    }

    /// Takes the point that was pressed last out of the path that is being drawn.
    pub fn take_out_point(&mut self) {
        // What is in the hand is put back, and nothing else is meant.
        if let Some(drawing) = self.drawing.as_mut().filter(|it| it.holds()) {
            return drawing.cancel();
        }
        let count = self.drawn_points().len();
        let drawing = self.drawing.as_mut();
        self.acts
            .extend(drawing.and_then(|drawing| drawing.take_out_chosen(count)));
    }

    /// What is done to the path that is being drawn, by a hand that looks through this camera.
    pub fn draw(&mut self, by: impl FnOnce(&mut Drawing, &[Vec2]) -> Option<Action>) {
        let Some(mut drawing) = self.drawing.take() else {
            return;
        };
        let name = drawing.name.clone();
        let act = by(&mut drawing, self.points_of(&name));
        self.acts.extend(act);
        self.drawing = Some(drawing);
    }

    /// Calls a path otherwise.
    pub fn rename_path(&mut self, name: String, new: String) {
        self.acts.push(Action::RenamePath(name, new));
    }

    /// Gives a path that was recorded corners, and begins to draw it.
    pub fn straighten_path(&mut self, name: String) {
        // Pressed twice before its picture has come it is one wish.
        if self.drawing.as_ref().is_some_and(|it| it.name == name) {
            return;
        }
        self.acts.push(Action::Straighten(name.clone()));
        self.draw_path(Some(name));
    }

    /// Takes a path out of the scene.
    pub fn drop_path(&mut self, name: String) {
        if self.drawing.as_ref().is_some_and(|it| it.name == name) {
            self.drawing = None;
        }
        self.acts.push(Action::DropPath(name));
    }

    /// The arrow keys that are down point this way; zero when none is.
    pub fn walk_by_keys(&mut self, way: Vec2) {
        if way != self.keys {
            self.keys = way;
            self.acts.push(Action::Walk(way.x, way.y));
        }
    }

    /// Begins to record the way of the character.
    pub fn record(&mut self) {
        self.acts.push(Action::RecordPath);
    }

    /// Ends the recording; the path that it made is among the paths from now on.
    pub fn stop_recording(&mut self) {
        self.acts.push(Action::KeepPath);
    }

    /// How fast the character goes along a path, in m/s.
    pub fn set_speed(&mut self, speed: f32) {
        self.acts.push(Action::Speed(speed));
    }

    /// Sets what differs from the settings in force.
    pub fn set_settings(&mut self, settings: &Settings) {
        let differences = tune_differences(self.seen.settings(), settings);
        let tunes = differences
            .into_iter()
            .map(|(key, value)| Action::Tune(key, value));
        self.acts.extend(tunes);
    }

    /// Starts the figures anew.
    pub fn count_anew(&mut self) {
        self.acts.push(Action::CountAnew);
    }

    /// Selects the smallest object at this point, or none.
    pub fn select_at(&mut self, point: Vec2) {
        self.selection.set(self.seen.object_at(point));
    }

    /// The objects whose middles lie in a part of the world, by ascending number.
    pub fn objects_in(&self, area: Aabb) -> impl Iterator<Item = u32> + '_ {
        let objects = (0..).zip(self.seen.objects());
        let inside = objects.filter(move |(_, object)| area.contains(object.center));
        inside.map(|(number, _)| number)
    }

    /// What an object is called wherever the window names one: by its picture's file, and by the number that tells it from all others
    /// with that picture.
    pub fn called(&self, object: u32) -> String {
        let asset = self.seen.objects().get(object as usize);
        let name = asset.map_or(String::new(), |it| self.picture_name(it.asset));
        called(&name, object)
    }

    /// What the file of an asset is called, without what follows the last point; empty where there is none.
    pub fn picture_name(&self, asset: u32) -> String {
        let stem = self.seen.asset(asset).and_then(Path::file_stem);
        stem.map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Whether somebody has selected who is selected, and no step along the marks has.
    pub fn is_pinned(&self) -> bool {
        !self.selection.is_empty() && self.selection.units() != self.of_mark
    }

    /// Whether there is such an object.
    pub fn knows(&self, object: u32) -> bool {
        (object as usize) < self.seen.objects().len()
    }

    /// The rectangle in which an object, which must exist, is needed.
    pub fn need_of(&self, object: u32) -> Aabb {
        let object = &self.seen.objects()[object as usize];
        Rectangles::of(object, self.seen.settings()).need
    }

    /// The box of an object.
    pub fn body(&self, object: u32) -> Aabb {
        self.seen.body(object)
    }
}
