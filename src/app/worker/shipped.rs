//! Whether a scene comes with the program, by what its file holds: a name alone says nothing, for anybody may call his own so.

use super::run::Run;
use skirmish::built_in;
use skirmish::scene::file;
use std::ffi::OsStr;

impl Run {
    /// Looks whether the scene that is here comes with the program, and whether it is posed as there.
    pub(super) fn note_shipped(&mut self) {
        self.ships = self.is_shipped();
        self.is_posed_as_shipped = self.ships && self.has_shipped_camera();
    }

    /// Whether the scene that is built in under the name of the file asks for the same camera.
    fn has_shipped_camera(&self) -> bool {
        let name = self
            .path
            .as_ref()
            .and_then(|path| path.file_name()?.to_str());
        let Some(name) = name else { return true };
        let of_figure = format!("figures/{name}");
        let known = [name, &of_figure].into_iter().filter_map(|name| {
            let content = built_in::content_of(name)?;
            file::parse(content, name).ok()
        });
        let camera = &self.session.scene().camera;
        known.into_iter().any(|scene| scene.camera == *camera)
    }

    /// Whether this is a scene that comes with the program: built in, or in a file that holds just that under its name, wherever it lies.
    fn is_shipped(&self) -> bool {
        let Some(path) = &self.path else {
            // What is new, and what a recording holds, has a name.
            return self.name.is_none();
        };
        let name = path.file_name().and_then(OsStr::to_str);
        built_in::contains(path) || name.is_some_and(|name| self.is_saved_as_shipped(name))
    }

    /// Whether its file holds the scene, or the figure, that is built in under this name.
    fn is_saved_as_shipped(&self, name: &str) -> bool {
        let of_figure = format!("figures/{name}");
        [name, &of_figure].into_iter().any(|name| {
            let content = built_in::content_of(name);
            let scene = content.and_then(|content| file::parse(content, name).ok());
            scene.is_some_and(|scene| self.session.is_saved_as(&scene))
        })
    }
}
