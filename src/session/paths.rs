//! The paths of the character: drawn point by point, called otherwise, and taken out.

use super::corners::corners;
use super::edit::{NO_WORLD, character_for_paths, character_of};
use super::undo::{Entry, Part, What};
use super::{Refusal, Session};
use crate::geometry::Vec2;
use crate::scene::{self, Follow, Path, PathKind, limits};

/// How far a path of corners may lead beside what was recorded, in metres.
const BESIDE: f32 = 0.5;

impl Session {
    /// Calls a path of the scene otherwise. Who goes along it goes on.
    pub(super) fn rename_path(&mut self, name: &str, new: &str) -> Result<Entry, Refusal> {
        let place = self.path_called(name)?;
        if self.path_called(new).is_ok() {
            return Err(Refusal::because(format_args!(
                "the scene has a path '{new}' already; names are unique"
            )));
        }
        self.change_paths(What::RenamePath(name.to_owned()), |character| {
            character.paths[place].name = new.to_owned();
            if character.follow == Follow::Path(name.to_owned()) {
                character.follow = Follow::Path(new.to_owned());
            }
        })
    }

    /// Takes a path out of the scene. Who goes along it stands.
    pub(super) fn drop_path(&mut self, name: &str) -> Result<Entry, Refusal> {
        let place = self.path_called(name)?;
        self.change_paths(What::DropPath(name.to_owned()), |character| {
            let goes = character.followed();
            character.paths.remove(place);
            // Where it went along that one it stands from now on; where it went along another one it still does.
            let goes = match goes {
                Some(path) if path > place => Some(path - 1),
                goes => goes.filter(|path| *path != place),
            };
            character.set_followed(goes);
        })
    }

    /// Gives a path that was recorded corners, which are walked from one to the next: as few as lead by all that was recorded within
    /// [`BESIDE`]. Who goes along it goes on.
    pub(super) fn straighten_path(&mut self, name: &str) -> Result<Entry, Refusal> {
        let place = self.path_called(name)?;
        let character = self.scene().character.as_ref();
        let path = character.and_then(|character| character.paths.get(place));
        let recorded = path.filter(|path| path.kind == PathKind::Recorded);
        let Some(path) = recorded else {
            return Err(Refusal::because(format_args!(
                "'{name}' has corners already; only a path that was recorded tick by tick gets them"
            )));
        };
        let corners = corners(&path.points, BESIDE);
        self.change_paths(What::Straighten(name.to_owned()), |character| {
            let path = &mut character.paths[place];
            path.kind = PathKind::Walk;
            path.points = corners;
            path.velocities = Vec::new();
        })
    }

    /// Puts a point into a path, before the one at a place, or behind the last one; a path that is not there begins with it. Who goes
    /// along it goes on.
    pub(super) fn place_point(
        &mut self,
        name: &str,
        before: u32,
        at: Vec2,
    ) -> Result<Entry, Refusal> {
        let what = What::PlacePoint(name.to_owned());
        let Ok(place) = self.path_called(name) else {
            let character = self.scene().character.as_ref();
            let count = character.map_or(0, |character| character.paths.len());
            if count >= limits::MAX_PATHS {
                return Err(Refusal::because(format_args!(
                    "a character has at most {} paths",
                    limits::MAX_PATHS
                )));
            }
            return self.change_paths(what, |character| {
                character.paths.push(Path {
                    name: name.to_owned(),
                    kind: PathKind::Walk,
                    points: vec![at],
                    velocities: Vec::new(),
                });
            });
        };
        let count = self.drawn_points(place)?.len();
        if count >= limits::MAX_PATH_POINTS {
            return Err(Refusal::because(format_args!(
                "a path has at most {} points",
                limits::MAX_PATH_POINTS
            )));
        }
        let before = (before as usize).min(count);
        self.change_paths(what, |character| {
            character.paths[place].points.insert(before, at);
        })
    }

    /// Puts a point of a path elsewhere, if it is not there already. Who goes along the path goes on.
    pub(super) fn move_point(
        &mut self,
        name: &str,
        point: u32,
        at: Vec2,
    ) -> Result<Option<Entry>, Refusal> {
        let place = self.path_called(name)?;
        let point = self.point_of(place, point)?;
        if self.drawn_points(place)?[point] == at {
            return Ok(None);
        }
        let what = What::MovePoint(name.to_owned());
        let entry = self.change_paths(what, |character| {
            character.paths[place].points[point] = at;
        });
        entry.map(Some)
    }

    /// Takes a point out of a path, which keeps at least one. Who goes along the path goes on.
    pub(super) fn drop_point(&mut self, name: &str, point: u32) -> Result<Entry, Refusal> {
        let place = self.path_called(name)?;
        let point = self.point_of(place, point)?;
        if self.drawn_points(place)?.len() == 1 {
            return Err(Refusal::because(format_args!(
                "a path has at least one point; '{name}' can be deleted as a whole"
            )));
        }
        self.change_paths(What::DropPoint(name.to_owned()), |character| {
            character.paths[place].points.remove(point);
        })
    }

    /// The points of a path that is drawn point by point, which one that was recorded is not: it has one for each tick.
    fn drawn_points(&self, place: usize) -> Result<&[Vec2], Refusal> {
        let character = self.scene().character.as_ref();
        match character.and_then(|character| character.paths.get(place)) {
            Some(path) if path.kind != PathKind::Recorded => Ok(&path.points),
            Some(path) => Err(Refusal::because(format_args!(
                "'{}' was recorded tick by tick; only a path that is walked or jumped has points to edit",
                path.name
            ))),
            None => Ok(&[]),
        }
    }

    /// The place of a point of a path.
    fn point_of(&self, place: usize, point: u32) -> Result<usize, Refusal> {
        let count = self.drawn_points(place)?.len();
        let is_there = (point as usize) < count;
        is_there.then_some(point as usize).ok_or_else(|| {
            Refusal::because(format_args!(
                "the path has {count} points; there is none at place {point}"
            ))
        })
    }

    /// Writes into the scene which path the character has been told to go, or that it stands, so that it does so when the scene
    /// starts; and into the `entry` what was there before.
    pub(super) fn note_followed(&mut self, path: Option<usize>, entry: &mut Option<Entry>) {
        let followed = |scene: &scene::Scene| scene.character.as_ref().map(|it| it.followed());
        if followed(self.scene()).is_none_or(|before| before == path) {
            return;
        }
        let document = Part::Document(Box::new(self.document.clone()));
        self.document.edit(|scene| {
            if let Some(character) = &mut scene.character {
                character.set_followed(path);
            }
        });
        if let Some(entry) = entry {
            entry.parts.insert(0, document);
        }
    }

    /// Where among the scene's paths the one of this name is.
    fn path_called(&self, name: &str) -> Result<usize, Refusal> {
        let character = self.scene().character.as_ref();
        let mut paths = character.into_iter().flat_map(|it| &it.paths);
        paths
            .position(|path| path.name == name)
            .ok_or_else(|| Refusal::because(format_args!("the scene has no path '{name}'")))
    }

    fn change_paths(
        &mut self,
        what: What,
        change: impl FnOnce(&mut scene::Character),
    ) -> Result<Entry, Refusal> {
        let Some(world) = &self.world else {
            return Err(Refusal::because(NO_WORLD));
        };
        // Undone from its end: first the paths are there again, then who went along one does so.
        let parts = vec![
            Part::Character(character_of(world, false)),
            Part::Document(Box::new(self.document.clone())),
        ];
        let usual = character_for_paths(world);
        self.document.edit(|scene| {
            // Who has a path has a character.
            change(scene.character.get_or_insert(usual));
        });
        let character = self.document.scene().character.as_ref();
        if let (Some(world), Some(character)) = (&mut self.world, character) {
            world.character_mut().set_paths(&character.paths);
        }
        Ok(Entry { what, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Cancel;
    use crate::scene::file as scene_file;
    use crate::session::Action;
    use crate::session::tests::{act, run};
    use crate::streaming::Mover;

    fn session() -> Session {
        let scene = scene_file::read(std::path::Path::new("scenes/open-world.ron"));
        let scene = scene.expect("a scene");
        Session::new(scene, std::path::Path::new("scenes")).0
    }

    fn apply(session: &mut Session, action: Action) -> Result<(), String> {
        let cancel = Cancel::default();
        let result = session.apply(action, false, &cancel);
        result.map(|_| ()).map_err(|refusal| refusal.to_string())
    }

    fn points(session: &Session, name: &str) -> Vec<(f32, f32)> {
        let world = session.world().expect("a world");
        let mut paths = world.character().paths().iter();
        let path = paths.find(|path| path.name == name);
        path.map_or(Vec::new(), |path| {
            path.points.iter().map(|it| (it.x, it.y)).collect()
        })
    }

    #[test]
    fn a_path_is_drawn_point_by_point_and_taken_back_point_by_point() {
        let mut session = session();
        let as_it_was = scene_file::format(session.scene());
        let place = |before, at| Action::PlacePoint("round".to_owned(), before, at);
        let edits = [
            (place(0, (0.0, 0.0)), vec![(0.0, 0.0)]),
            (place(u32::MAX, (90.0, 0.0)), vec![(0.0, 0.0), (90.0, 0.0)]),
            (
                place(1, (40.0, 30.0)),
                vec![(0.0, 0.0), (40.0, 30.0), (90.0, 0.0)],
            ),
            (
                Action::MovePoint("round".to_owned(), 2, (90.0, 9.0)),
                vec![(0.0, 0.0), (40.0, 30.0), (90.0, 9.0)],
            ),
            (
                Action::DropPoint("round".to_owned(), 0),
                vec![(40.0, 30.0), (90.0, 9.0)],
            ),
        ];
        for (edit, expected) in &edits {
            act(&mut session, edit.clone());
            assert_eq!(points(&session, "round"), *expected, "{edit:?}");
            let text = scene_file::format(session.scene());
            let read = scene_file::parse(text.as_bytes(), "round").expect("what was saved");
            assert_eq!(read, **session.scene());
        }
        assert_eq!(
            session.undo_name(false).as_deref(),
            Some("delete a point of round")
        );
        for (_, expected) in edits.iter().rev().skip(1) {
            act(&mut session, Action::Undo);
            assert_eq!(points(&session, "round"), *expected);
        }
        act(&mut session, Action::Undo);
        assert_eq!(scene_file::format(session.scene()), as_it_was);
        for (_, expected) in &edits {
            act(&mut session, Action::Redo);
            assert_eq!(points(&session, "round"), *expected);
        }
    }

    #[test]
    fn who_goes_along_a_path_goes_on_while_it_is_drawn() {
        let mut session = session();
        let square = [(0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0)];
        for at in square {
            act(
                &mut session,
                Action::PlacePoint("square".to_owned(), u32::MAX, at),
            );
        }
        act(&mut session, Action::Speed(30.0));
        act(&mut session, Action::Follow("square".to_owned()));
        let name = || "square".to_owned();
        let edits = [
            Action::MovePoint(name(), 1, (60.0, 10.0)),
            Action::PlacePoint(name(), 1, (30.0, 20.0)),
            Action::PlacePoint(name(), 0, (-5.0, -5.0)),
            Action::DropPoint(name(), 3),
            Action::Undo,
            Action::DropPoint(name(), 0),
            Action::PlacePoint(name(), u32::MAX, (-20.0, 30.0)),
            Action::Undo,
            Action::DropPoint(name(), 2),
            Action::DropPoint(name(), 2),
            Action::DropPoint(name(), 1),
            Action::DropPoint(name(), 0),
        ];
        let mut at = None::<Vec2>;
        for edit in edits {
            for _ in 0..37 {
                run(&mut session, 1);
                let character = session.world().expect("a world").character();
                let now = character.position();
                // A step is half a metre long, and nothing makes it longer.
                let far = at.map_or(0.0, |at| at.distance(now));
                assert!(far < 0.51, "{far} m before {edit:?}");
                at = Some(now);
                assert!(matches!(character.mover(), Mover::Path(_)), "{edit:?}");
            }
            act(&mut session, edit);
        }
        assert_eq!(points(&session, "square").len(), 1);
    }

    #[test]
    fn of_two_paths_that_are_alike_the_one_that_is_drawn_is_still_gone() {
        let mut session = session();
        for name in ["one", "other"] {
            for at in [(0.0, 0.0), (500.0, 0.0)] {
                act(
                    &mut session,
                    Action::PlacePoint(name.to_owned(), u32::MAX, at),
                );
            }
        }
        act(&mut session, Action::Follow("one".to_owned()));
        let mover = |session: &Session| session.world().expect("a world").character().mover();
        let gone = mover(&session);
        run(&mut session, 20);
        let at = session.world().expect("a world").character().position();
        let moved = Action::MovePoint("one".to_owned(), 1, (500.0, 40.0));
        for action in [moved, Action::Undo, Action::Redo] {
            act(&mut session, action.clone());
            assert_eq!(mover(&session), gone, "{action:?}");
            let now = session.world().expect("a world").character().position();
            assert_eq!(now, at, "{action:?}");
        }
    }

    #[test]
    fn a_recording_gets_corners_and_who_goes_along_it_goes_on() {
        let mut session = session();
        act(&mut session, Action::Follow("ride".to_owned()));
        act(&mut session, Action::RecordPath);
        run(&mut session, 200);
        act(&mut session, Action::KeepPath);
        let paths = |session: &Session| {
            let world = session.world().expect("a world");
            let paths = world.character().paths().iter();
            let paths = paths.map(|path| (path.name.clone(), path.kind, path.points.len()));
            paths.collect::<Vec<_>>()
        };
        let (name, kind, count) = paths(&session).pop().expect("a path");
        assert_eq!(kind, PathKind::Recorded);
        act(&mut session, Action::Follow(name.clone()));
        run(&mut session, 50);
        let at = |session: &Session| session.world().expect("a world").character().position();
        let (before, seen) = (at(&session), paths(&session));
        act(&mut session, Action::Straighten(name.clone()));
        let (_, kind, fewer) = paths(&session).pop().expect("a path");
        assert_eq!(kind, PathKind::Walk);
        assert!(fewer >= 2 && fewer * 4 < count, "{fewer} of {count}");
        assert_eq!(at(&session), before);
        // Who goes along it is on it still, and so say the scene and what moves the character.
        let goes_along = |session: &Session| {
            let character = session.world().expect("a world").character();
            let Mover::Path(place) = character.mover() else {
                return None;
            };
            let followed = session.scene().character.as_ref()?.followed();
            assert_eq!(followed, Some(place));
            Some(character.paths()[place].name.clone())
        };
        assert_eq!(goes_along(&session), Some(name.clone()));
        // It goes at the speed on a path.
        let speed = session.world().expect("a world").character().speed();
        let step = speed * crate::tick::STEP_SECONDS as f32;
        for _ in 0..20 {
            let last = at(&session);
            run(&mut session, 1);
            assert!(at(&session).distance(last) < step + 0.01);
        }
        // Taken back and done again, it goes on from about where it is.
        for action in [Action::Undo, Action::Redo] {
            let last = at(&session);
            act(&mut session, action.clone());
            assert_eq!(goes_along(&session), Some(name.clone()), "{action:?}");
            run(&mut session, 1);
            assert!(at(&session).distance(last) < 5.0, "{action:?}");
        }
        // It has corners now, which are edited as those of any other.
        act(
            &mut session,
            Action::MovePoint(name.clone(), 1, (10.0, 10.0)),
        );
        let again = apply(&mut session, Action::Straighten(name.clone()));
        assert!(again.unwrap_err().contains("has corners already"));
        act(&mut session, Action::Undo);
        act(&mut session, Action::Undo);
        assert_eq!(paths(&session), seen);
    }

    #[test]
    fn paths_count_for_the_memory_that_undoing_them_takes() {
        let mut session = session();
        let before = session.document.byte_count();
        for place in 0..100 {
            let at = (place as f32, 0.0);
            act(
                &mut session,
                Action::PlacePoint("long".to_owned(), u32::MAX, at),
            );
        }
        let points = 100 * size_of::<Vec2>();
        assert_eq!(session.document.byte_count(), before + points);
    }

    #[test]
    fn what_is_no_point_of_a_path_is_refused_in_a_sentence() {
        let mut session = session();
        act(&mut session, Action::RecordPath);
        run(&mut session, 5);
        act(&mut session, Action::KeepPath);
        act(
            &mut session,
            Action::PlacePoint("short".to_owned(), 0, (1.0, 1.0)),
        );
        let scene = scene_file::format(session.scene());
        let drop = |name: &str, point| Action::DropPoint(name.to_owned(), point);
        let place = |name: &str, at| Action::PlacePoint(name.to_owned(), 0, at);
        let refused = [
            (drop("short", 0), "can be deleted as a whole"),
            (drop("short", 1), "the path has 1 points"),
            (drop("nowhere", 0), "no path 'nowhere'"),
            (drop("recorded 1", 0), "was recorded tick by tick"),
            (
                Action::MovePoint("recorded 1".to_owned(), 0, (1.0, 2.0)),
                "was recorded tick by tick",
            ),
            (place("", (1.0, 1.0)), "1 to 100 characters"),
            (
                place("short", (f32::NAN, 1.0)),
                "coordinates must be numbers",
            ),
            (place("short", (1.0, 1.0e30)), "coordinates must be numbers"),
        ];
        for (action, expected) in refused {
            let error = apply(&mut session, action.clone()).expect_err("a refusal");
            assert!(error.contains(expected), "{action:?}: {error}");
        }
        assert_eq!(scene_file::format(session.scene()), scene);
    }
}
