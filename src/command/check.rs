//! `skirmish check`

use super::output::print;
use super::scenes::folder_of;
use super::{Failure, complain};
use clap::Args;
use skirmish::built_in;
use skirmish::scene::file;
use skirmish::streaming::{assets, pictures_beyond_the_cap};
use std::path::PathBuf;

/// Validate scene files and the pictures that they name
#[derive(Debug, Args)]
pub struct Arguments {
    /// Scene files
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
}

impl Arguments {
    /// Looks at every file, and says of each whether it is fine or what is wrong with it.
    pub fn run(self) -> Result<(), Failure> {
        let mut all_fine = true;
        for path in &self.scenes {
            let found = built_in::find_scene(path);
            match file::read(&found) {
                Err(error) => {
                    complain(&error.to_string());
                    all_fine = false;
                }
                Ok(scene) => {
                    let missing = assets::check(&scene, folder_of(&found));
                    if missing.is_empty() {
                        print(&format!(
                            "{}: fine ({} units, {} objects, {})\n",
                            path.display(),
                            scene.unit_count(),
                            scene.object_count(),
                            scene.structure_kind().info().key
                        ))?;
                    }
                    // A scene whose cap is too small for one of its pictures is a scene all the same.
                    for warning in pictures_beyond_the_cap(&scene, folder_of(&found)) {
                        complain(&format!("{}: warning: {warning}", path.display()));
                    }
                    for error in missing {
                        complain(&format!("{}: {error}", path.display()));
                        all_fine = false;
                    }
                }
            }
        }
        if all_fine {
            Ok(())
        } else {
            Err(Failure::Said(2))
        }
    }
}
