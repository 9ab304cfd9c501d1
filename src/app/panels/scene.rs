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

/// The scenes beside the one that is open, and the figures below them.
fn scene_list(ui: &mut Ui, app: &mut App) {
    app.menu_open = true;
    ui.set_min_width(228.0);
    ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
        for path in scenes_beside(app.path.as_deref()) {
            let name = path
                .file_stem()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let figure = path
                .parent()
                .and_then(Path::file_name)
                .is_some_and(|folder| folder == "figures");
            let words = if figure {
                format!("figures / {name}")
            } else {
                name
            };
            if ui
                .selectable_label(app.path.as_ref() == Some(&path), words)
                .clicked()
            {
                app.picked = Some(path);
            }
        }
    });
    ui.separator();
    if ui.button("Open…").clicked() {
        app.run(Command::Open);
    }
}

/// The scene files in the folder of this one and in its folder of figures, by name.
fn scenes_beside(path: Option<&Path>) -> Vec<PathBuf> {
    /// A list longer than this is no list to choose from.
    const MOST: usize = 200;
    let folder = path.and_then(Path::parent).unwrap_or(Path::new("scenes"));
    let home = if folder.ends_with("figures") {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
    let mut scenes = Vec::new();
    for folder in [home.to_path_buf(), home.join("figures")] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        let mut found: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "ron"))
            .collect();
        found.sort();
        scenes.append(&mut found);
    }
    scenes.truncate(MOST);
    scenes
}
