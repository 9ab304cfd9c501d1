//! The paths of the character: called otherwise, and taken out.

use super::edit::{NO_WORLD, character_of};
use super::undo::{Entry, Part, What};
use super::{Refusal, Session};
use crate::scene::{self, Follow};

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
        self.document.edit(|scene| {
            if let Some(character) = &mut scene.character {
                change(character);
            }
        });
        let paths = self.scene().character.as_ref().map(|it| it.paths.clone());
        if let (Some(world), Some(paths)) = (&mut self.world, paths) {
            world.character_mut().set_paths(&paths);
        }
        Ok(Entry { what, parts })
    }
}
