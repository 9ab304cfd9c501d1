//! The paths of the character: called otherwise, and taken out.

use super::edit::{NO_WORLD, character_of};
use super::undo::{Entry, Part, What};
use super::{Refusal, Session};
use crate::scene;

impl Session {
    /// Calls a path of the scene otherwise. Who goes along it goes on.
    pub(super) fn rename_path(&mut self, name: &str, new: &str) -> Result<Entry, Refusal> {
        let place = self.path_called(name)?;
        if self.path_called(new).is_ok() {
            return Err(Refusal::because(format_args!(
                "the scene has a path '{new}' already; names are unique"
            )));
        }
        self.change_paths(What::RenamePath(name.to_owned()), |paths| {
            paths[place].name = new.to_owned();
        })
    }

    /// Takes a path out of the scene. Who goes along it stands.
    pub(super) fn drop_path(&mut self, name: &str) -> Result<Entry, Refusal> {
        let place = self.path_called(name)?;
        self.change_paths(What::DropPath(name.to_owned()), |paths| {
            paths.remove(place);
        })
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
        change: impl FnOnce(&mut Vec<scene::Path>),
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
                change(&mut character.paths);
            }
        });
        let paths = self.scene().character.as_ref().map(|it| it.paths.clone());
        if let (Some(world), Some(paths)) = (&mut self.world, paths) {
            world.character_mut().set_paths(&paths);
        }
        Ok(Entry { what, parts })
    }
}
