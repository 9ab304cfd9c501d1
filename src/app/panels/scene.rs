//! The scene: its name, its size, and the list of those beside it. The upper part of the left panel in every view.

use crate::app::commands::Command;
use crate::app::palette::Palette;
use crate::app::scenes::Entry;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{elided, first_section, focus_ring, place, tell_button, with_commas};
use egui_macroquad::egui::{
    Align2, CornerRadius, PopupCloseBehavior, RichText, ScrollArea, Sense, Shape, Stroke,
    StrokeKind, Ui, popup_below_widget, vec2,
};
use std::sync::Arc;

/// Draws it.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let seed = format!("seed {}", app.scene.seed);
    if !first_section(ui, palette, ("scene", "scene"), &seed) {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::click());
    place(ui.ctx(), "scene", rect);
    tell_button(&response, &format!("Scene: {}", app.scene.name));
    focus_ring(ui, palette, &response, rect);
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
    let whole = |metres: f32| with_commas(metres as u64);
    let (width, height) = (whole(size_of_field.x), whole(size_of_field.y));
    let metres = match app.scene.volume {
        Some(_) => {
            let upward = whole(app.scene.field3().size().z);
            format!("{width} × {height} × {upward} m")
        }
        None => format!("{width} × {height} m"),
    };
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
    if !ui.memory(|memory| memory.is_popup_open(list)) {
        let (name, caption) = (app.scene.name.as_str(), app.scene.caption.as_str());
        // A scene that was saved under another name is called as the one that it was made of.
        let file = app.title();
        let said = format!("{name} \u{b7} {file}\n\n{caption}");
        let said = said.trim_end();
        response.on_hover_text(format!(
            "{said}\n\nChoose another scene, or open one (Ctrl+O)."
        ));
    }
}

/// The scenes beside the one that is open, with the figures below them, and those that are built in; first those that were open lately
/// and lie elsewhere.
fn scene_list(ui: &mut Ui, app: &mut App) {
    app.menu_open = true;
    ui.set_min_width(228.0);
    app.library.look_again();
    let listing = Arc::clone(app.library.listing());
    ScrollArea::vertical()
        .drag_to_scroll(false)
        .max_height(420.0)
        .show(ui, |ui| {
            if !listing.elsewhere.is_empty() {
                ui.label(RichText::new("opened lately").size(size::CAPTION));
                for entry in &listing.elsewhere {
                    row(ui, app, entry);
                }
                ui.separator();
            }
            let mut is_beside = false;
            for entry in &listing.entries {
                if is_beside && entry.is_built_in {
                    ui.separator();
                    ui.label(RichText::new("built in").size(size::CAPTION));
                }
                is_beside = !entry.is_built_in;
                row(ui, app, entry);
            }
        });
    ui.separator();
    if ui.button("All scenes in pictures…").clicked() {
        app.run(Command::Gallery);
    }
    if ui.button("Open…").clicked() {
        app.run(Command::Open);
    }
}

/// A scene of the list.
fn row(ui: &mut Ui, app: &mut App, entry: &Entry) {
    let name = &entry.name;
    let words = match name.strip_prefix("figures/") {
        Some(name) => format!("figures / {name}"),
        None => name.clone(),
    };
    let response = ui.selectable_label(app.path.as_deref() == Some(&entry.path), words);
    place(ui.ctx(), &format!("scene.{name}"), response.rect);
    if response.clicked() {
        app.picked = Some(entry.path.clone());
    }
}
