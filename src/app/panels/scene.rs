//! The scene: its name, its size, its caption, and the list of those beside it. The upper part of the left panel in every view.

use crate::app::commands::Command;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{elided, first_section, is_low, place, with_commas};
use egui_macroquad::egui::{
    Align2, CornerRadius, PopupCloseBehavior, RichText, ScrollArea, Sense, Shape, Stroke,
    StrokeKind, Ui, popup_below_widget, vec2,
};
use skirmish::{built_in, files};
use std::path::{Path, PathBuf};

/// Draws it.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    first_section(ui, palette, "scene", &format!("seed {}", app.scene.seed));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::click());
    place(ui.ctx(), "scene", rect);
    let fill = if response.hovered() {
        palette.hover
    } else {
        palette.raised
    };
    let painter = ui.painter();
    painter.rect(
        rect,
        CornerRadius::same(4),
        fill,
        Stroke::new(1.0, palette.line),
        StrokeKind::Inside,
    );
    let size_of_field = app.scene.field.size();
    let metres = format!(
        "{} × {} m",
        with_commas(size_of_field.x as u64),
        with_commas(size_of_field.y as u64)
    );
    let drawn = painter.text(
        rect.right_center() - vec2(24.0, 0.0),
        Align2::RIGHT_CENTER,
        metres,
        number(size::CAPTION),
        palette.text_third,
    );
    let room = drawn.left() - rect.left() - 20.0;
    let name = elided(ui, &app.scene.name, text(size::NAME), palette.text, room);
    let at = rect.left_center() + vec2(10.0, -name.size().y / 2.0);
    ui.painter().galley(at, name, palette.text);
    let tip = rect.right_center() + vec2(-12.0, 2.5);
    let corners = vec![tip, tip + vec2(-4.0, -5.0), tip + vec2(4.0, -5.0)];
    ui.painter().add(Shape::convex_polygon(
        corners,
        palette.text_third,
        Stroke::NONE,
    ));
    let list = ui.make_persistent_id("scene list");
    if response.clicked() {
        ui.memory_mut(|memory| memory.toggle_popup(list));
    }
    popup_below_widget(
        ui,
        list,
        &response,
        PopupCloseBehavior::CloseOnClick,
        |ui| scene_list(ui, app),
    );
    let caption = if is_low(ui) {
        app.scene.caption.as_str()
    } else {
        ""
    };
    if !ui.memory(|memory| memory.is_popup_open(list)) {
        response.on_hover_text(
            format!("{caption}\n\nChoose another scene, or open one (Ctrl+O).").trim(),
        );
    }
    if !app.scene.caption.is_empty() && !is_low(ui) {
        ui.add_space(6.0);
        let caption = RichText::new(&app.scene.caption).size(size::DESCRIPTION);
        ui.label(caption.color(palette.text_third));
        ui.add_space(2.0);
    }
}

/// The scenes beside the one that is open, with the figures below them, and those that are built in.
fn scene_list(ui: &mut Ui, app: &mut App) {
    app.menu_open = true;
    ui.set_min_width(228.0);
    let beside = scenes_beside(app.path.as_deref());
    let built_in = not_among(&beside);
    ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
        for path in &beside {
            row(ui, app, path);
        }
        if !(beside.is_empty() || built_in.is_empty()) {
            ui.separator();
            ui.label(RichText::new("built in").size(size::CAPTION));
        }
        for path in &built_in {
            row(ui, app, path);
        }
    });
    ui.separator();
    if ui.button("Open…").clicked() {
        app.run(Command::Open);
    }
}

/// A scene of the list.
fn row(ui: &mut Ui, app: &mut App, path: &Path) {
    let name = name_below(path);
    let words = match name.strip_prefix("figures/") {
        Some(name) => format!("figures / {name}"),
        None => name.clone(),
    };
    let response = ui.selectable_label(app.path.as_deref() == Some(path), words);
    place(ui.ctx(), &format!("scene.{name}"), response.rect);
    if response.clicked() {
        app.picked = Some(path.to_path_buf());
    }
}

/// What a scene is called in the list: its name without the ending, with the folder of figures before it where it is there.
fn name_below(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name);
    if folder.is_some_and(|folder| folder == "figures") {
        format!("figures/{name}")
    } else {
        name.into_owned()
    }
}

/// The scene files in the folder of this one and in its folder of figures, by name. Beside what is built in lies what lies in
/// the folder of the scenes where the program was started, if there is one.
fn scenes_beside(path: Option<&Path>) -> Vec<PathBuf> {
    /// A list longer than this is no list to choose from.
    const MOST: usize = 200;
    let folder = path
        .filter(|path| !built_in::contains(path))
        .and_then(Path::parent)
        .unwrap_or(Path::new("scenes"));
    let home = if folder.ends_with("figures") {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
    let mut scenes = Vec::new();
    for folder in [home.to_path_buf(), home.join("figures")] {
        // Of a file that was named alone the folder is called by nothing.
        let here = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &folder
        };
        let Ok(entries) = std::fs::read_dir(here) else {
            continue;
        };
        let mut found: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| folder.join(entry.file_name())))
            .filter(|path| path.extension().is_some_and(|end| end == "ron"))
            .collect();
        found.sort();
        scenes.append(&mut found);
    }
    scenes.truncate(MOST);
    scenes
}

/// The scenes that are built in, without those that are listed already: a file of the same name that holds the same.
fn not_among(listed: &[PathBuf]) -> Vec<PathBuf> {
    let is_listed = |path: &PathBuf| {
        let content = built_in::content(path).unwrap_or_default();
        listed.iter().any(|other| {
            name_below(other) == name_below(path)
                && files::length(other) == Some(content.len() as u64)
                && files::read(other, content.len() as u64).is_ok_and(|bytes| bytes == content)
        })
    };
    let mut scenes = built_in::scenes();
    scenes.retain(|path| !is_listed(path));
    scenes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_listed_once_inside_the_checkout_and_outside() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let all = built_in::scenes().len();
        let inside = scenes_beside(Some(&home.join("charge.ron")));
        assert_eq!((inside.len(), not_among(&inside)), (all, Vec::new()));
        let folder = tempfile::tempdir().expect("a folder");
        let outside = scenes_beside(Some(&folder.path().join("mine.ron")));
        assert_eq!((outside.len(), not_among(&outside).len()), (0, all));
        // Another scene of the same name is another scene.
        let charge = folder.path().join("charge.ron");
        std::fs::write(&charge, "(version: 1)").expect("a file");
        let beside = scenes_beside(Some(&charge));
        assert_eq!((beside.len(), not_among(&beside).len()), (1, all));
        std::fs::copy(home.join("charge.ron"), &charge).expect("a file");
        assert_eq!(not_among(&beside).len(), all - 1);
    }
}
