//! The character around whom a world streams: where it is, who moves it, and the way that it went.

use super::traveller::{TELEPORT_METRES, Traveller, recorded, sketch};
use crate::geometry::Vec2;
use crate::partition::COORDINATE_LIMIT;
use crate::scene::{self, Path, PathKind, Scene, limits};
use crate::tick::STEP_SECONDS;
use std::sync::Arc;

/// How many corners of the way gone are kept.
const TRAIL: usize = 512;

/// The trail gets a corner whenever the character has gone for this long at its speed, in seconds.
const TRAIL_SECONDS: f32 = 0.25;

/// A hand is unsteady. So much of the difference to its speed of now is taken over each step, so that what counts is about the
/// last tenth of a second.
const HAND_SHARE: f32 = 0.2;

/// Who moves the character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mover {
    /// Nobody.
    #[default]
    Nobody,
    /// A hand that drags it.
    Mouse,
    /// Keys, in this direction.
    Keys(Vec2),
    /// The path at this place.
    Path(usize),
}

/// The character of a world. Plain data: whoever keeps a copy can go on from it.
#[derive(Clone, Debug)]
pub struct Character {
    pub(super) position: Vec2,
    /// In m/s.
    pub(super) velocity: Vec2,
    pub(super) mover: Mover,
    /// How fast it goes along a path and by keys, in m/s.
    pub(super) speed: f32,
    /// The paths that it can go.
    pub(super) paths: Arc<[Arc<Path>]>,
    /// Where it was, oldest first.
    pub(super) trail: Vec<Vec2>,
    /// Who goes along the path.
    pub(super) traveller: Option<Traveller>,
    /// Where it was and where it went, in m/s, at each step since the recording began.
    pub(super) recording: Option<Vec<(Vec2, Vec2)>>,
    /// Where the hand is.
    target: Vec2,
}

impl Character {
    /// The character of a scene, on its way along the path that the scene says; without one in the middle of the field.
    pub(super) fn of_scene(scene: &Scene) -> Self {
        let found = scene.character.as_ref();
        let position = found.map_or(scene.field.center(), |character| character.position);
        let paths = found.map(|character| character.paths.iter().cloned().map(Arc::new));
        let mut character = Self {
            position,
            velocity: Vec2::ZERO,
            mover: Mover::Nobody,
            speed: found.map_or(6.0, |character| character.speed),
            paths: paths.into_iter().flatten().collect(),
            trail: vec![position],
            traveller: None,
            recording: None,
            target: position,
        };
        // Somebody who goes shows more than somebody who stands.
        if let Some(path) = found.and_then(scene::Character::followed) {
            character.follow(Mover::Path(path));
        }
        character
    }

    /// Where it is, in metres.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// Where it goes, in m/s.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// Where it will be in so many seconds if it goes on as it does.
    pub fn predicted(&self, seconds: f32) -> Vec2 {
        self.position + self.velocity * seconds
    }

    /// Where it was, oldest first: the corners of the way gone.
    pub fn trail(&self) -> &[Vec2] {
        &self.trail
    }

    /// Who moves it.
    pub fn mover(&self) -> Mover {
        self.mover
    }

    /// Who goes along the path that it follows.
    pub fn traveller(&self) -> Option<&Traveller> {
        self.traveller.as_ref()
    }

    /// How fast it goes along a path and by keys, in m/s.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// The paths that it can go.
    pub fn paths(&self) -> &[Arc<Path>] {
        &self.paths
    }

    /// Whether a hand has it.
    pub fn is_grabbed(&self) -> bool {
        self.mover == Mover::Mouse
    }

    /// Whether its way is being recorded.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Where it went since the recording began, in as many points as are drawn of one; nothing while nothing is recorded.
    pub fn recorded_way(&self) -> impl Iterator<Item = Vec2> + '_ {
        let steps = self.recording.as_deref().unwrap_or_default();
        sketch(steps).map(|(position, _)| position)
    }

    /// Begins to record its way, tick by tick.
    pub fn record(&mut self) {
        self.recording = Some(vec![(self.position, self.velocity)]);
    }

    /// A hand takes it.
    pub fn grab(&mut self) {
        self.mover = Mover::Mouse;
        self.traveller = None;
        self.target = self.position;
    }

    /// The hand moves it here, with the next tick.
    pub fn drag_to(&mut self, point: Vec2) {
        self.target = within_limits(point).unwrap_or(self.target);
    }

    /// The hand lets it go.
    pub fn let_go(&mut self) {
        if self.mover == Mover::Mouse {
            self.mover = Mover::Nobody;
        }
    }

    /// It is here from now on, and stands.
    pub fn teleport(&mut self, point: Vec2) {
        let Some(point) = within_limits(point) else {
            return;
        };
        self.mover = Mover::Nobody;
        self.traveller = None;
        self.position = point;
        self.target = point;
        self.velocity = Vec2::ZERO;
        self.trail.clear();
        self.trail.push(point);
    }

    /// Goes along a path, from its beginning, or stands.
    pub fn follow(&mut self, mover: Mover) {
        self.traveller = match mover {
            Mover::Path(path) => self
                .paths
                .get(path)
                .map(|path| Traveller::new(path.clone(), self.speed)),
            Mover::Nobody | Mover::Mouse | Mover::Keys(_) => None,
        };
        self.mover = if self.traveller.is_some() {
            mover
        } else {
            Mover::Nobody
        };
    }

    /// Keys walk it in this direction; zero when none is down.
    pub fn walk_by_keys(&mut self, way: Vec2) {
        if way.is_finite() && way != Vec2::ZERO {
            self.mover = Mover::Keys(way);
            self.traveller = None;
        } else if matches!(self.mover, Mover::Keys(_)) {
            self.mover = Mover::Nobody;
        }
    }

    /// Changes how fast it goes, in m/s.
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(0.0, limits::MAX_SPEED);
        }
    }

    /// Adds a path to those that it can go, and says its place.
    pub fn add_path(&mut self, path: impl Into<Arc<Path>>) -> usize {
        let path = path.into();
        let more = self.paths.iter().cloned().chain([path]);
        self.paths = more.collect();
        self.paths.len() - 1
    }

    /// Makes these the ways that it can go. Who goes along one of them goes on, whatever it is called and wherever it stands now; and so
    /// does who goes along one whose points are others by now, or that was recorded and has corners now.
    pub fn set_paths(&mut self, paths: &[Path]) {
        let same = self.paths.iter().map(|path| &**path).eq(paths);
        if same {
            return;
        }
        let before = std::mem::take(&mut self.paths);
        // What is as it was is shared with all that has been kept of the world.
        let shared = |path: &Path| before.iter().find(|way| ***way == *path).cloned();
        self.paths = paths
            .iter()
            .map(|path| shared(path).unwrap_or_else(|| Arc::new(path.clone())))
            .collect();
        let Mover::Path(place) = self.mover else {
            return;
        };
        let Some(way) = before.get(place) else {
            return self.follow(Mover::Nobody);
        };
        let is_alike = |other: &Path| {
            other.kind == way.kind
                && other.points == way.points
                && other.velocities == way.velocities
        };
        let place_of = |is_it: &dyn Fn(&Path) -> bool| self.paths.iter().position(|it| is_it(it));
        // Another path may be just like the one that was drawn otherwise: the name comes before the points.
        let same = place_of(&|other| is_alike(other) && other.name == way.name);
        // Another recording is another way.
        let is_edited = |other: &Path| match (way.kind, other.kind) {
            (PathKind::Recorded, PathKind::Walk) | (PathKind::Walk, PathKind::Recorded) => true,
            (before, after) => before == after && before != PathKind::Recorded,
        };
        let is_drawn = |other: &Path| other.name == way.name && is_edited(other);
        if let (None, Some(place), Some(traveller)) =
            (same, place_of(&is_drawn), &mut self.traveller)
        {
            self.mover = Mover::Path(place);
            traveller.go_on_along(self.paths[place].clone());
            return;
        }
        match same.or_else(|| place_of(&is_alike)) {
            Some(place) => self.mover = Mover::Path(place),
            None => self.follow(Mover::Nobody),
        }
    }

    /// Ends the recording; the path that it made is among the paths from now on.
    pub fn stop_recording(&mut self) -> Option<Arc<Path>> {
        let steps = self.recording.take()?;
        let name = (1..)
            .map(|number| format!("recorded {number}"))
            .find(|name| self.paths.iter().all(|path| path.name != *name))?;
        let path = Arc::new(recorded(name, &steps));
        self.add_path(path.clone());
        Some(path)
    }

    /// Goes on for [`STEP_SECONDS`].
    pub(super) fn step(&mut self) {
        let seconds = STEP_SECONDS as f32;
        let before = self.position;
        match self.mover {
            Mover::Nobody => self.velocity = Vec2::ZERO,
            Mover::Keys(way) => {
                self.velocity = way.normalize_or_zero() * self.speed;
                let there = before + self.velocity * seconds;
                self.position = within_limits(there).unwrap_or(before);
            }
            Mover::Mouse => {
                self.position = self.target;
                let now = (self.position - before) / seconds;
                self.velocity += (now - self.velocity) * HAND_SHARE;
            }
            Mover::Path(_) => {
                if let Some(traveller) = &mut self.traveller {
                    traveller.set_speed(self.speed);
                    traveller.step();
                    (self.position, self.velocity) = (traveller.position(), traveller.velocity());
                    if before.distance(self.position) > TELEPORT_METRES {
                        self.trail.clear();
                    }
                }
            }
        }
        if let Some(recording) = &mut self.recording
            && recording.len() < limits::MAX_PATH_POINTS
        {
            recording.push((self.position, self.velocity));
        }
        let is_far = |last: &Vec2| last.distance(self.position) > self.speed * TRAIL_SECONDS;
        if self.trail.last().is_none_or(is_far) {
            if self.trail.len() == TRAIL {
                self.trail.remove(0);
            }
            self.trail.push(self.position);
        }
    }

    /// The bytes that it takes on the heap. Paths are shared by all that is kept of a world.
    pub(super) fn byte_count(&self) -> usize {
        let steps = self.recording.as_ref().map_or(0, Vec::capacity);
        self.trail.capacity() * size_of::<Vec2>() + steps * size_of::<(Vec2, Vec2)>()
    }
}

/// The nearest point that a scene may name; `None` for what is no point.
fn within_limits(point: Vec2) -> Option<Vec2> {
    let limit = Vec2::splat(COORDINATE_LIMIT);
    point.is_finite().then(|| point.clamp(-limit, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn character() -> Character {
        let text = r#"(version: 1, name: "walk", field: ((0.0, 0.0), (9.0, 9.0)), seed: 1,
            structure: (kind: "quadtree"), character: (position: (5.0, 5.0), speed: 6.0,
            paths: [(name: "recorded 1", points: [(0.0, 0.0), (100.0, 0.0)])]))"#;
        let scene = scene::file::parse(text.as_bytes(), "walk.ron").unwrap();
        Character::of_scene(&scene)
    }

    #[test]
    fn it_sets_off_along_its_first_path() {
        let mut character = character();
        assert_eq!(character.mover, Mover::Path(0));
        character.step();
        assert!((character.position.x - 0.1).abs() < 1.0e-5);
        character.set_speed(60.0);
        character.step();
        assert!((character.position.x - 1.1).abs() < 1.0e-5);
    }

    #[test]
    fn a_path_that_is_not_there_is_nobodys() {
        let mut character = character();
        character.follow(Mover::Path(7));
        assert_eq!(character.mover, Mover::Nobody);
        let before = character.position;
        character.step();
        assert_eq!(
            (character.position, character.velocity),
            (before, Vec2::ZERO)
        );
    }

    #[test]
    fn a_hand_drags_it_and_lets_it_go() {
        let mut character = character();
        character.grab();
        character.drag_to(Vec2::new(8.0, 9.0));
        character.drag_to(Vec2::NAN);
        character.step();
        assert_eq!(character.position, Vec2::new(8.0, 9.0));
        assert!(character.velocity.x > 0.0);
        character.let_go();
        character.step();
        assert_eq!(character.velocity, Vec2::ZERO);
        character.drag_to(Vec2::splat(f32::MAX));
        character.grab();
        character.step();
        assert_eq!(character.position, Vec2::new(8.0, 9.0));
    }

    #[test]
    fn keys_walk_it_at_its_speed() {
        let mut character = character();
        character.teleport(Vec2::ZERO);
        character.walk_by_keys(Vec2::new(1.0, 1.0));
        character.step();
        assert!((character.velocity.length() - 6.0).abs() < 1.0e-4);
        // A sixtieth of a second at 6 m/s.
        assert!((character.position.length() - 0.1).abs() < 1.0e-5);
        character.walk_by_keys(Vec2::ZERO);
        assert_eq!(character.mover, Mover::Nobody);
    }

    #[test]
    fn what_was_recorded_replays_exactly() {
        let mut character = character();
        character.record();
        let mut went = Vec::new();
        for step in 0..50 {
            match step {
                10 => character.walk_by_keys(Vec2::new(0.0, 1.0)),
                20 => character.teleport(Vec2::new(500.0, 3.0)),
                30 => character.grab(),
                31 => character.drag_to(Vec2::new(510.0, 3.0)),
                _ => {}
            }
            character.step();
            went.push((character.position, character.velocity));
        }
        let seen: Vec<Vec2> = character.recorded_way().collect();
        let path = character.stop_recording().unwrap();
        assert_eq!(seen, path.points, "what is seen of it is what comes of it");
        assert_eq!(character.recorded_way().count(), 0);
        assert_eq!(path.name, "recorded 2");
        assert_eq!(path.points.len(), 51);
        assert_eq!(character.paths.len(), 2);
        assert_replays(&mut character, &went);
        assert!(character.stop_recording().is_none());
    }

    /// The last path leads it to these positions with these velocities, one a step.
    #[track_caller]
    fn assert_replays(character: &mut Character, went: &[(Vec2, Vec2)]) {
        character.follow(Mover::Path(character.paths.len() - 1));
        for (step, before) in went.iter().enumerate() {
            character.step();
            assert_eq!((character.position, character.velocity), *before, "{step}");
        }
    }

    /// Records so many steps, before each of which `lead` is asked, and says where each led, with which velocity.
    fn recorded_steps(
        character: &mut Character,
        steps: usize,
        mut lead: impl FnMut(&mut Character, usize),
    ) -> Vec<(Vec2, Vec2)> {
        character.record();
        let mut went = Vec::new();
        for step in 0..steps {
            lead(character, step);
            character.step();
            went.push((character.position, character.velocity));
        }
        went
    }

    #[test]
    fn a_way_by_keys_is_recorded_with_its_velocities() {
        let mut character = character();
        character.teleport(Vec2::new(700.3, -40.7));
        let ways = [Vec2::new(1.0, 1.0), Vec2::new(-1.0, 0.0), Vec2::ZERO];
        let went = recorded_steps(&mut character, 90, |character, step| {
            if step.is_multiple_of(30) {
                character.walk_by_keys(ways[step / 30]);
            }
        });
        // So far out single precision rounds each step: from point to point it is not quite 6 m/s.
        let path = character.stop_recording().unwrap();
        assert_eq!(
            path.velocities,
            went.iter().map(|step| step.1).collect::<Vec<_>>()
        );
        assert_replays(&mut character, &went);
    }

    #[test]
    fn a_recording_that_begins_in_a_hand_has_the_velocities_of_the_hand() {
        let mut character = character();
        character.grab();
        let drag = |character: &mut Character, step: usize| match step {
            // Ninety metres at once are no teleport in a hand.
            12 => character.drag_to(character.position + Vec2::new(0.0, 90.0)),
            40 => character.let_go(),
            _ if step.is_multiple_of(4) => {
                character.drag_to(character.position + Vec2::new(3.0, 1.0));
            }
            _ => {}
        };
        for step in 0..10 {
            drag(&mut character, step);
            character.step();
        }
        assert!(character.velocity.length() > 1.0);
        let went = recorded_steps(&mut character, 60, drag);
        let path = character.stop_recording().unwrap();
        assert_eq!((path.points.len(), path.velocities.len()), (61, 60));
        assert!(went[13].1.y > 500.0 && went[50].1 == Vec2::ZERO);
        assert_replays(&mut character, &went);
    }

    #[test]
    fn a_recorded_walk_needs_no_velocities() {
        let mut character = character();
        character.step();
        character.set_speed(60.0);
        let went = recorded_steps(&mut character, 200, |character, step| match step {
            100 => character.set_speed(7.3),
            150 => character.teleport(Vec2::new(900.0, 900.0)),
            _ => {}
        });
        assert!(character.stop_recording().unwrap().velocities.is_empty());
        assert_replays(&mut character, &went);
    }

    #[test]
    fn two_paths_that_differ_in_their_velocities_alone_are_two() {
        let mut character = character();
        let steps = [12.0, 13.0].map(|x| (Vec2::ZERO, Vec2::new(x, 0.0)));
        let [one, mut other] = ["a", "a"].map(|name| recorded(name.to_owned(), &steps));
        other.velocities[0].x = 14.0;
        let place = character.add_path(one.clone());
        character.follow(Mover::Path(place));
        character.set_paths(&[other.clone(), one]);
        assert_eq!(character.mover, Mover::Path(1));
        character.set_paths(&[other]);
        assert_eq!(character.mover, Mover::Nobody);
    }

    #[test]
    fn the_trail_stays_short_and_ends_at_a_teleport() {
        let mut character = character();
        character.set_speed(60.0);
        for _ in 0..60 * 1_000 {
            character.step();
        }
        assert!(character.trail.len() <= TRAIL && character.trail.len() > 100);
        character.teleport(Vec2::splat(900.0));
        assert_eq!(character.trail, [Vec2::splat(900.0)]);
    }

    #[test]
    fn in_a_hand_it_has_the_speed_of_about_the_last_tenth_of_a_second() {
        let mut character = character();
        character.grab();
        let mut drag = |metres: f32| {
            character.drag_to(character.position + Vec2::new(metres, 0.0));
            character.step();
            character.velocity
        };
        // A metre a step is 60 m/s, of which the first step takes over a fifth, and the second a fifth of what is left.
        assert!((drag(1.0) - Vec2::new(12.0, 0.0)).length() < 1.0e-3);
        assert!((drag(1.0) - Vec2::new(21.6, 0.0)).length() < 1.0e-3);
        for _ in 0..58 {
            drag(1.0);
        }
        assert!((drag(1.0) - Vec2::new(60.0, 0.0)).length() < 0.01);
        // Held still, it loses a fifth of that with each step.
        assert!((drag(0.0) - Vec2::new(48.0, 0.0)).length() < 0.01);
        for _ in 0..59 {
            drag(0.0);
        }
        assert!(drag(0.0).length() < 0.01);
    }
}
