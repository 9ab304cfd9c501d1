//! The entries of the menu that lead further: the scenes that were open last, and what can be saved besides the scene.

use crate::app::commands::{Command, row};
use crate::app::palette::Palette;
use crate::app::state::{App, Further};
use crate::app::theme::size;
use crate::app::widgets::place;
use egui_macroquad::egui::layers::ShapeIdx;
use egui_macroquad::egui::{
    Button, CornerRadius, Frame, Margin, Response, RichText, Shape, Ui, vec2,
};
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
    let what = (Further::Recent, "Recent scenes");
    submenu(ui, app, palette, what, |ui, app, is_walked| {
        let width = width_of(ui, WIDTH, is_walked);
        if app.settings.recent.is_empty() {
            let words = "None has been opened from a file yet.";
            let words = RichText::new(words).size(size::SECOND);
            ui.label(words.color(palette.text_third));
            return false;
        }
        app.files.look_at_recent(&app.settings.recent);
        let mut opened = None;
        for (number, path) in app.settings.recent.iter().enumerate() {
            let reason = app.files.why_not(path);
            let is_enabled = reason.is_none();
            // What cannot be opened is walked as well: that is found out meanwhile, and no other entry may move for it under who walks.
            let keys = is_walked.then(|| app.menu_keys.entry());
            let look = (short(path), width, is_enabled);
            let (response, is_chosen) = entry(ui, palette, look, keys);
            place(ui.ctx(), &format!("recent.{number}"), response.rect);
            if is_chosen {
                opened = Some(PathBuf::from(path));
            }
            let whole = built_in::shown(Path::new(path));
            response
                .on_hover_text(whole.clone())
                .on_disabled_hover_text(format!("{whole}: {}", reason.unwrap_or_default()));
        }
        ui.separator();
        let keys = is_walked.then(|| app.menu_keys.entry());
        let look = ("Clear".to_owned(), width, true);
        let (clear, clears) = entry(ui, palette, look, keys);
        place(ui.ctx(), "recent.clear", clear.rect);
        if clears {
            app.settings.recent.clear();
        }
        let opens = opened.is_some();
        if opens {
            app.picked = opened;
        }
        clears || opens
    });
}

/// What can be saved besides the scene and the recording.
pub fn exports(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let what = (Further::Export, "Export");
    submenu(ui, app, palette, what, |ui, app, is_walked| {
        let width = width_of(ui, 200.0, is_walked);
        let mut is_done = false;
        for command in [
            Command::ExportWindow,
            Command::ExportField,
            Command::ExportPlots,
            Command::ExportTable,
            Command::ExportLate,
            Command::ExportCounters,
        ] {
            let Some(row) = row(command) else { continue };
            let may = app.may(command);
            let keys = (is_walked && may.is_ok()).then(|| app.menu_keys.entry());
            let look = (row.title.clone(), width, may.is_ok());
            let (mut response, is_chosen) = entry(ui, palette, look, keys);
            if let Err(why) = may {
                response = response.on_disabled_hover_text(why);
            }
            place(ui.ctx(), &format!("entry.{}", row.title), response.rect);
            if is_chosen {
                app.run(command);
                is_done = true;
            }
        }
        is_done
    });
}

/// How wide the entries are beside the menu, at the least; below what leads to them they are as wide as the menu is.
fn width_of(ui: &mut Ui, beside: f32, is_below: bool) -> f32 {
    if is_below {
        return 0.0;
    }
    ui.set_min_width(beside);
    beside
}

/// One of the entries to which a submenu leads, by its words, its least width, and whether it can be chosen; where keys walk there, whether they
/// have lit and chosen it. Gives whether it was chosen, by whatever.
fn entry(
    ui: &mut Ui,
    palette: &Palette,
    (words, width, is_enabled): (String, f32, bool),
    keys: Option<(bool, bool)>,
) -> (Response, bool) {
    let (is_lit, is_chosen) = keys.unwrap_or_default();
    // Whether it is lit is known before its words are drawn, where it is only after that.
    let ground = ui.painter().add(Shape::Noop);
    let words = RichText::new(words).size(size::LABEL);
    let button = Button::new(words).frame(false).min_size(vec2(width, 22.0));
    // No entry is wider than the menu that it stands in.
    let button = if width > 0.0 {
        button
    } else {
        button.truncate()
    };
    let response = ui.add_enabled(is_enabled, button);
    if is_lit {
        light(ui, palette, ground, &response);
    }
    let is_chosen = is_enabled && (is_chosen || response.clicked());
    (response, is_chosen)
}

/// Lights an entry in the place that was kept for that below its words, and has it in sight.
fn light(ui: &Ui, palette: &Palette, ground: ShapeIdx, entry: &Response) {
    let rect = entry.rect.expand2(vec2(4.0, 0.0));
    let lit = Shape::rect_filled(rect, CornerRadius::same(3), palette.hover);
    ui.painter().set(ground, lit);
    ui.scroll_to_rect(entry.rect, None);
}

/// An entry that leads further, in line with the entries around it. What it leads to stands beside it while the pointer is there, and below it
/// where keys have unfolded it: `add` is told whether keys walk there, and says whether something was chosen.
fn submenu(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    (further, name): (Further, &str),
    add: impl FnOnce(&mut Ui, &mut App, bool) -> bool,
) {
    /// How far what is unfolded stands behind the words of what leads there, in points.
    const BEHIND: i8 = 14;
    let (is_lit, is_unfolded) = app.menu_keys.leads(further);
    let title = RichText::new(name).size(size::LABEL).color(palette.text);
    let ground = ui.painter().add(Shape::Noop);
    let (response, rest) = ui
        .scope(|ui| {
            ui.spacing_mut().button_padding.x = WORDS;
            ui.spacing_mut().interact_size.y = 22.0;
            if is_unfolded {
                return (ui.button(title), Some(add));
            }
            let shown = ui.menu_button(title, |ui| {
                if add(ui, app, false) {
                    ui.close_menu();
                }
            });
            (shown.response, None)
        })
        .inner;
    if is_lit {
        light(ui, palette, ground, &response);
    }
    place(ui.ctx(), &format!("entry.{name}"), response.rect);
    let Some(add) = rest else { return };
    let margin = Margin {
        left: WORDS as i8 + BEHIND,
        ..Margin::ZERO
    };
    let below = Frame::new().inner_margin(margin);
    let is_done = below.show(ui, |ui| add(ui, app, true)).inner;
    app.menu_keys.led(further);
    if response.clicked() {
        app.menu_keys.shut(further);
    }
    if is_done {
        ui.close_menu();
    }
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
