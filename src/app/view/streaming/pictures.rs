//! The pictures of which the next object that is added has one.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{FADE, ListRow, button_in, button_width, list_row, section};
use egui_macroquad::egui::style::ScrollAnimation;
use egui_macroquad::egui::{RichText, ScrollArea, Sense, Ui, vec2};
use skirmish::scene::Scene;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// How high a row is, in points.
const ROW: f32 = 23.0;
/// So many stand in the panel, which scrolls itself; more are scrolled in a list of their own.
const IN_SIGHT: usize = 8;

/// The pictures that a scene names, found once for each state of the scene.
#[derive(Debug, Default)]
pub struct Pictures {
    of: Option<Arc<Scene>>,
    names: Vec<String>,
    /// Whether the list was there in the last frame, where that is known.
    was_open: Option<bool>,
}

impl Pictures {
    /// Draws the list, and the button that adds an object.
    pub fn show(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        let is_open = section(ui, palette, "new object", "its picture");
        let was_open = self.was_open.replace(is_open);
        if !is_open {
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
        let is_picked = self.list(ui, app, palette);
        ui.add_space(4.0);
        let help = "Add an object with this picture in the middle of the view, or beside whoever stands there; Add an object in the menu Edit puts it at the cursor.";
        let chosen = self.chosen(app);
        let words = match self.names.get(chosen) {
            Some(name) => format!("Add {}", file_of(name)),
            None => "Add an object".to_owned(),
        };
        let width = button_width(ui, &words).min(ui.available_width());
        let (rect, _) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
        // Who opens the list, or picks a picture of it, wants this next: the edge of the panel does not cut it.
        if is_picked || was_open == Some(false) {
            let whole = rect.expand2(vec2(0.0, FADE));
            ui.scroll_to_rect_animation(whole, None, ScrollAnimation::none());
        }
        if button_in(ui, palette, "object.add", rect, (&words, help), true) {
            app.add_object_at(app.camera.center);
        }
    }

    /// Which of the pictures the next object has.
    fn chosen(&self, app: &App) -> usize {
        let chosen = app.stream.as_ref().and_then(|it| it.picture.as_ref());
        let place = chosen.and_then(|name| self.names.iter().position(|it| it == name));
        place.unwrap_or(0)
    }

    /// Draws the list; whether another picture was picked.
    fn list(&self, ui: &mut Ui, app: &mut App, palette: &Palette) -> bool {
        let chosen = self.chosen(app);
        let Some(stream) = &mut app.stream else {
            return false;
        };
        let mut picked = None;
        let mut area = ScrollArea::vertical()
            .id_salt("pictures")
            .max_height(ROW * IN_SIGHT as f32)
            // Whole rows of them also at the end of a panel that scrolls itself.
            .min_scrolled_height(ROW * self.names.len().min(IN_SIGHT) as f32)
            .auto_shrink([false, true]);
        // What was chosen elsewhere, or before the list was shown, is to be seen.
        let id = ui.id().with("picture shown");
        let shown: Option<usize> = ui.data(|data| data.get_temp(id));
        if shown != Some(chosen) {
            ui.data_mut(|data| data.insert_temp(id, chosen));
            let last = self.names.len().saturating_sub(IN_SIGHT);
            let first = chosen.saturating_sub(1).min(last);
            area = area.vertical_scroll_offset(ROW * first as f32);
        }
        area.show_rows(ui, ROW, self.names.len(), |ui, range| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for place in range {
                if row(ui, palette, &self.names[place], chosen == place) {
                    picked = Some(place);
                }
            }
        });
        if let Some(place) = picked {
            // Whoever picks one sees it.
            ui.data_mut(|data| data.insert_temp(id, place));
            stream.picture = Some(self.names[place].clone());
        }
        picked.is_some()
    }
}

/// The name of a picture's file, without its folder.
fn file_of(name: &str) -> Cow<'_, str> {
    let file = Path::new(name).file_name();
    file.map_or_else(|| name.into(), |file| file.to_string_lossy())
}

/// A row of the list: the name of the file; whether it was clicked.
fn row(ui: &mut Ui, palette: &Palette, name: &str, chosen: bool) -> bool {
    let file = file_of(name);
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
