//! The pictures of which the next object that is added has one.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{ListRow, button, list_row, section};
use egui_macroquad::egui::{RichText, ScrollArea, Ui};
use skirmish::scene::Scene;
use std::path::Path;
use std::sync::Arc;

/// How high a row is, in points.
const ROW: f32 = 23.0;
/// So many are in sight at once; more are scrolled.
const IN_SIGHT: usize = 4;

/// The pictures that a scene names, found once for each state of the scene.
#[derive(Debug, Default)]
pub struct Pictures {
    of: Option<Arc<Scene>>,
    names: Vec<String>,
}

impl Pictures {
    /// Draws the list, and the button that adds an object.
    pub fn show(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if !section(ui, palette, "new object", "its picture") {
            return;
        }
        let is_known = |known: &Arc<Scene>| Arc::ptr_eq(known, &app.scene);
        if !self.of.as_ref().is_some_and(is_known) {
            self.names = app.picture_names();
            self.of = Some(Arc::clone(&app.scene));
        }
        if self.names.is_empty() {
            let words = "The world names no picture yet: paste an object into it first.";
            ui.label(
                RichText::new(words)
                    .size(size::DESCRIPTION)
                    .color(palette.text_third),
            );
            return;
        }
        self.list(ui, app, palette);
        ui.add_space(4.0);
        let help = "Add an object in the middle of the view, or beside whoever stands there; Add an object in the menu Edit puts it at the cursor.";
        if button(ui, palette, "object.add", "Add an object", help) {
            app.add_object_at(app.camera.center);
        }
    }

    fn list(&self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        let Some(stream) = &mut app.stream else {
            return;
        };
        let chosen = stream.picture.as_ref();
        let chosen = chosen.and_then(|name| self.names.iter().position(|it| it == name));
        let mut picked = None;
        ScrollArea::vertical()
            .id_salt("pictures")
            .max_height(ROW * IN_SIGHT as f32)
            .auto_shrink([false, true])
            .show_rows(ui, ROW, self.names.len(), |ui, range| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for place in range {
                    if row(
                        ui,
                        palette,
                        &self.names[place],
                        chosen.unwrap_or(0) == place,
                    ) {
                        picked = Some(place);
                    }
                }
            });
        if let Some(place) = picked {
            stream.picture = Some(self.names[place].clone());
        }
    }
}

/// A row of the list: the name of the file; whether it was clicked.
fn row(ui: &mut Ui, palette: &Palette, name: &str, chosen: bool) -> bool {
    let file = Path::new(name).file_name();
    let file = file.map_or_else(|| name.into(), |file| file.to_string_lossy());
    let id = format!("picture.{}", name.to_lowercase());
    let row = ListRow {
        id: &id,
        key: "",
        name: &file,
        line: "",
        low: true,
    };
    list_row(ui, palette, row, chosen, |ui| {
        ui.label(format!("The next object that is added shows {name}."));
    })
}
