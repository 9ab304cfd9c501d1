//! The entries of the menu that lead further: the scenes that were open last, and what can be saved besides the scene.

use crate::app::commands::{Command, row};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::place;
use egui_macroquad::egui::{Button, Rect, RichText, Ui, vec2};
use skirmish::built_in;
use std::path::{Path, PathBuf};

/// How wide an entry of these is, in points.
const WIDTH: f32 = 300.0;
/// From the left edge of an entry to its words, behind the ticks.
pub const WORDS: f32 = 26.0;
/// A longer name is cut in its middle, in characters.
const LONGEST: usize = 46;

/// The scenes and recordings that were opened or saved last. What is not there any more is dimmed and says so.
pub fn scenes(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let title = RichText::new("Recent scenes").size(size::LABEL);
    let shown = submenu(ui, title.color(palette.text), |ui| {
        ui.set_min_width(WIDTH);
        if app.settings.recent.is_empty() {
            let words = "None has been opened from a file yet.";
            let words = RichText::new(words).size(size::SECOND);
            ui.label(words.color(palette.text_third));
            return;
        }
        app.files.look_at_recent(&app.settings.recent);
        let mut opened = None;
        for (number, path) in app.settings.recent.iter().enumerate() {
            let reason = app.files.why_not(path);
            let words = RichText::new(short(path)).size(size::LABEL);
            let button = Button::new(words).frame(false).min_size(vec2(WIDTH, 22.0));
            let response = ui.add_enabled(reason.is_none(), button);
            place(ui.ctx(), &format!("recent.{number}"), response.rect);
            if response.clicked() {
                opened = Some(PathBuf::from(path));
            }
            let whole = built_in::shown(Path::new(path));
            response
                .on_hover_text(whole.clone())
                .on_disabled_hover_text(format!("{whole}: {}", reason.unwrap_or_default()));
        }
        ui.separator();
        let words = RichText::new("Clear").size(size::LABEL);
        let clear = ui.add(Button::new(words).frame(false).min_size(vec2(WIDTH, 22.0)));
        place(ui.ctx(), "recent.clear", clear.rect);
        if clear.clicked() {
            app.settings.recent.clear();
            ui.close_menu();
        }
        if opened.is_some() {
            app.picked = opened;
            ui.close_menu();
        }
    });
    place(ui.ctx(), "entry.Recent scenes", shown);
}

/// What can be saved besides the scene and the recording.
pub fn exports(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let title = RichText::new("Export").size(size::LABEL);
    let shown = submenu(ui, title.color(palette.text), |ui| {
        ui.set_min_width(200.0);
        for command in [
            Command::ExportWindow,
            Command::ExportField,
            Command::ExportPlots,
            Command::ExportTable,
            Command::ExportLate,
            Command::ExportCounters,
        ] {
            let Some(row) = row(command) else { continue };
            let words = RichText::new(&row.title).size(size::LABEL);
            let button = Button::new(words).frame(false).min_size(vec2(200.0, 22.0));
            let may = app.may(command);
            let mut response = ui.add_enabled(may.is_ok(), button);
            if let Err(why) = may {
                response = response.on_disabled_hover_text(why);
            }
            place(ui.ctx(), &format!("entry.{}", row.title), response.rect);
            if response.clicked() {
                app.run(command);
                ui.close_menu();
            }
        }
    });
    place(ui.ctx(), "entry.Export", shown);
}

/// An entry that leads further, in line with the entries around it; gives where it is.
fn submenu(ui: &mut Ui, title: RichText, add: impl FnOnce(&mut Ui)) -> Rect {
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = WORDS;
        ui.spacing_mut().interact_size.y = 22.0;
        ui.menu_button(title, add).response.rect
    })
    .inner
}

/// A path as the menu writes it: the name and its folder, cut in the middle where that is long.
fn short(path: &str) -> String {
    let whole = Path::new(path);
    let name = whole
        .file_name()
        .unwrap_or(whole.as_os_str())
        .to_string_lossy();
    let folder = whole.parent().and_then(Path::file_name);
    let words = match folder {
        Some(folder) => format!("{name}  ·  {}", folder.to_string_lossy()),
        None => name.into_owned(),
    };
    let count = words.chars().count();
    if count <= LONGEST {
        return words;
    }
    let half = (LONGEST - 1) / 2;
    let begin: String = words.chars().take(half).collect();
    let end: String = words.chars().skip(count - half).collect();
    format!("{begin}…{end}")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_long_name_is_cut_in_its_middle() {
        assert_eq!(short("/home/a/scenes/charge.ron"), "charge.ron  ·  scenes");
        let long = format!("/b/{}end.ron", "x".repeat(200));
        let cut = short(&long);
        assert!(cut.chars().count() <= 46 && cut.contains('…'), "{cut}");
        assert!(cut.ends_with("·  b"), "{cut}");
        assert_eq!(short("/"), "/");
    }
}
