//! Whether a scene comes with the program, by what its file holds: a name alone says nothing, for anybody may call his own so.

use super::run::Run;
use skirmish::built_in;
use skirmish::scene::file;
use std::ffi::OsStr;

impl Run {
    /// Whether this is a scene that comes with the program: built in, or in a file that holds just that under its name, wherever it lies.
    pub(super) fn is_shipped(&self) -> bool {
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
