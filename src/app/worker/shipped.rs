//! Whether a scene comes with the program, by what its file holds: a name alone says nothing, for anybody may call his own so.

use super::run::Run;
use skirmish::built_in;
use skirmish::scene::{Scene, file};
use std::path::Path;

impl Run {
    /// Looks whether the scene that is here comes with the program: built in, or in a file that holds just that under its name, wherever it
    /// lies; and whether it is posed as there.
    pub(super) fn note_shipped(&mut self) {
        let Some(path) = &self.path else {
            // What is new, and what a recording holds, has a name.
            self.ships = self.name.is_none();
            self.is_posed_as_shipped = self.ships;
            return;
        };
        let known = shipped_as(path);
        let mut all = known.iter();
        self.ships = built_in::contains(path) || all.any(|scene| self.session.is_saved_as(scene));
        let camera = &self.session.scene().camera;
        let is_posed = known.iter().any(|scene| scene.camera == *camera);
        self.is_posed_as_shipped = self.ships && is_posed;
    }
}

/// The scene, and the figure, that are built in under the name of a file.
fn shipped_as(path: &Path) -> Vec<Scene> {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name else { return Vec::new() };
    let of_figure = format!("figures/{name}");
    let known = [name, &of_figure].into_iter();
    known
        .filter_map(|name| file::parse(built_in::content_of(name)?, name).ok())
        .collect()
}
