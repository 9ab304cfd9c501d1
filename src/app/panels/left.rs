//! The left panel: the scene, the structure and its knobs, the armies, the brush.

use crate::app::commands::{Command, STRUCTURE_KEYS, Shortcut, View};
use crate::app::palette::Palette;
use crate::app::state::{App, Tool};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    ListRow, Slider, Track, button, first_section, is_low, list_row, place, section, segments,
    slider, structure_help, with_commas,
};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, PopupCloseBehavior, Rect, RichText, ScrollArea, Sense, Shape,
    Stroke, StrokeKind, Ui, popup_below_widget, pos2, vec2,
};
use skirmish::partition::{Kind, Knob, KnobRange};
use skirmish::scene::{Order, Side};
use std::path::{Path, PathBuf};

/// Draws the panel.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    scene(ui, app, palette);
    if app.view == View::Streaming {
        super::super::stream_panels::left(ui, app, palette);
        return;
    }
    structures(ui, app, palette);
    knobs(ui, app, palette);
    armies(ui, app, palette);
}

/// How much of the panel stays in sight at its bottom: the brush, where there is one.
pub fn pinned_height(view: View) -> f32 {
    match view {
        View::Battle => 142.0,
        View::Streaming => 0.0,
    }
}

/// Draws the lower part of the panel, which stays in sight.
pub fn show_pinned(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if app.view == View::Battle {
        brush(ui, app, palette);
    }
}

/// The scenes beside the one that is open, and the figures below them.
fn scene_list(ui: &mut Ui, app: &mut App) {
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

fn scene(ui: &mut Ui, app: &mut App, palette: &Palette) {
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
    painter.text(
        rect.right_center() - vec2(24.0, 0.0),
        Align2::RIGHT_CENTER,
        metres,
        number(size::CAPTION),
        palette.text_third,
    );
    painter.text(
        rect.left_center() + vec2(10.0, 0.0),
        Align2::LEFT_CENTER,
        &app.scene.name,
        text(size::NAME),
        palette.text,
    );
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

fn structures(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(ui, palette, "structure", "[ ] to cycle");
    let mut chosen = None;
    for (index, kind) in Kind::ALL.iter().enumerate() {
        let info = kind.info();
        let key = STRUCTURE_KEYS.get(index).map(|key| {
            Shortcut {
                key: *key,
                ctrl: false,
                shift: Some(false),
            }
            .label()
        });
        let on = app.index.kind() == *kind;
        let id = format!("structure.{}", info.key);
        let key = key.unwrap_or_default();
        let row = ListRow {
            id: &id,
            key: &key,
            name: info.name,
            line: info.tagline,
            low: is_low(ui),
        };
        if list_row(ui, palette, row, on, |ui| structure_help(ui, palette, info)) {
            chosen = Some(*kind);
        }
    }
    if let Some(kind) = chosen {
        app.choose_structure(kind);
    }
}

fn knobs(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(ui, palette, "knobs", app.index.info().name);
    let info = app.index.info();
    for (index, knob) in info.knobs.iter().enumerate() {
        if let Some(value) = knob_row(ui, palette, knob, app.index.knob(index)) {
            app.set_knob(index, value);
        }
    }
    if !info.knobs.is_empty() {
        ui.add_space(4.0);
        if button(
            ui,
            palette,
            "knobs.reset",
            "Defaults",
            "Set every knob of this structure to its default.",
        ) {
            app.reset_knobs();
        }
    } else {
        ui.label(
            RichText::new("This structure has none.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
}

fn knob_row(ui: &mut Ui, palette: &Palette, knob: &Knob, value: f64) -> Option<f64> {
    let id = format!("knob.{}", knob.key);
    match knob.range {
        KnobRange::Number {
            min,
            max,
            whole,
            logarithmic,
        } => slider(
            ui,
            palette,
            &Slider {
                id: &id,
                name: knob.name,
                help: knob.help,
                unit: knob.unit,
                track: Track {
                    min,
                    max,
                    logarithmic,
                    whole,
                },
            },
            value,
        ),
        KnobRange::Choice(words) => {
            named(ui, palette, knob);
            let words: Vec<_> = words.iter().map(|word| (*word, knob.help)).collect();
            segments(
                ui,
                palette,
                &id,
                &words,
                Some(value as usize),
                palette.accent,
            )
            .map(|index| index as f64)
        }
        KnobRange::Switch => {
            named(ui, palette, knob);
            let words = [("off", knob.help), ("on", knob.help)];
            segments(
                ui,
                palette,
                &id,
                &words,
                Some(value as usize),
                palette.accent,
            )
            .map(|index| index as f64)
        }
    }
}

fn named(ui: &mut Ui, palette: &Palette, knob: &Knob) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        knob.name,
        text(size::LABEL),
        palette.text_second,
    );
    response.on_hover_text(knob.help);
}

fn armies(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(
        ui,
        palette,
        "armies",
        &format!("{} alive", with_commas(app.alive())),
    );
    let track = Track {
        min: 2.0,
        max: 1.0e6,
        logarithmic: true,
        whole: true,
    };
    let wanted = ui.make_persistent_id("units wanted");
    let pending: Option<u32> = ui.data(|data| data.get_temp(wanted));
    let at_start = pending.map_or(app.scene.unit_count(), u64::from);
    let what = Slider {
        id: "units",
        name: "units at start",
        help: "How many units there are at the start; the battle starts again with them.",
        unit: "",
        track,
    };
    let moved = slider(ui, palette, &what, at_start as f64).map(|count| count as u32);
    // A battle of a million is not set up anew for every pixel of a drag.
    match moved.or(pending) {
        Some(count) if ui.input(|input| input.pointer.any_down()) => {
            ui.data_mut(|data| data.insert_temp(wanted, count))
        }
        Some(count) => {
            ui.data_mut(|data| data.remove_temp::<u32>(wanted));
            app.set_unit_count(count);
        }
        None => {}
    }
    let track = Track {
        min: 0.0,
        max: 8.0,
        logarithmic: false,
        whole: false,
    };
    let help =
        "How far units strike, as a multiple of what the scene says: the reach of the pair search.";
    let scale = f64::from(app.battle.reach_scale());
    if let Some(scale) = slider(
        ui,
        palette,
        &Slider {
            id: "reach",
            name: "reach",
            help,
            unit: "×",
            track,
        },
        scale,
    ) {
        app.battle.set_reach_scale(scale as f32);
    }
    let most = u64::from(
        app.battle
            .count(Side::Blue)
            .max(app.battle.count(Side::Orange)),
    )
    .max(1);
    for (side, name) in [(Side::Blue, "blue"), (Side::Orange, "orange")] {
        let count = app.battle.count(side);
        side_bar(ui, palette, side, name, count, count as f32 / most as f32);
        orders(ui, app, palette, side, name);
        ui.add_space(4.0);
    }
}

fn side_bar(ui: &mut Ui, palette: &Palette, side: Side, name: &str, count: u32, part: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    let color = palette.side(side);
    arrow_icon(ui, pos2(rect.left() + 6.0, rect.center().y), side, color);
    ui.painter().text(
        pos2(rect.left() + 22.0, rect.center().y),
        Align2::LEFT_CENTER,
        name,
        text(size::LABEL),
        palette.text,
    );
    let track = Rect::from_min_max(
        pos2(rect.left() + 72.0, rect.center().y - 2.0),
        pos2(rect.right() - 68.0, rect.center().y + 2.0),
    );
    ui.painter()
        .rect_filled(track, CornerRadius::same(2), palette.hover);
    ui.painter().rect_filled(
        track.with_max_x(track.left() + track.width() * part),
        CornerRadius::same(2),
        color,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        with_commas(u64::from(count)),
        number(size::LABEL),
        palette.text,
    );
}

/// A unit as it is drawn on the field.
pub fn arrow_icon(ui: &Ui, at: egui_macroquad::egui::Pos2, side: Side, color: Color32) {
    let way = if side == Side::Blue { 1.0 } else { -1.0 };
    let corners = vec![
        at + vec2(6.0 * way, 0.0),
        at + vec2(-5.0 * way, 3.6),
        at + vec2(-5.0 * way, -3.6),
    ];
    ui.painter()
        .add(Shape::convex_polygon(corners, color, Stroke::NONE));
}

fn orders(ui: &mut Ui, app: &mut App, palette: &Palette, side: Side, name: &str) {
    let ahead = match side {
        Side::Blue => skirmish::geometry::Vec2::X,
        Side::Orange => skirmish::geometry::Vec2::NEG_X,
    };
    let all = [
        Order::Hold,
        Order::Charge,
        Order::Brawl,
        Order::March(ahead),
    ];
    let words = [
        ("Hold", "Stand, and strike who comes within reach."),
        (
            "Charge",
            "Run at the nearest enemy in sight, else at the enemy's line.",
        ),
        ("Brawl", "Wander, and strike who comes within reach."),
        (
            "March",
            "March ahead in step, and turn around at the border.",
        ),
    ];
    let present = app.battle.order(side);
    let kind = std::mem::discriminant::<Order>;
    let chosen = all.iter().position(|order| kind(order) == kind(&present));
    if let Some(order) = segments(
        ui,
        palette,
        &format!("order.{name}"),
        &words,
        chosen,
        palette.side(side),
    ) {
        app.set_order(side, all[order]);
    }
}

fn brush(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(ui, palette, "brush", "click or drag on the field");
    let words: Vec<_> = Tool::ALL
        .iter()
        .map(|tool| (tool.name(), tool.help()))
        .collect();
    let chosen = Tool::ALL.iter().position(|tool| *tool == app.brush.tool);
    let color = match app.brush.tool {
        Tool::Blue => palette.side(Side::Blue),
        Tool::Orange => palette.side(Side::Orange),
        Tool::Erase | Tool::Look => palette.accent,
    };
    if let Some(tool) = segments(ui, palette, "brush", &words, chosen, color) {
        app.brush.tool = Tool::ALL[tool];
    }
    let track = Track {
        min: 0.5,
        max: 500.0,
        logarithmic: true,
        whole: false,
    };
    let help = "The radius of the brush, and of the query under the cursor.";
    if let Some(radius) = slider(
        ui,
        palette,
        &Slider {
            id: "brush.radius",
            name: "radius",
            help,
            unit: "m",
            track,
        },
        f64::from(app.brush.radius),
    ) {
        app.brush.radius = radius as f32;
    }
    let track = Track {
        min: 1.0,
        max: 1000.0,
        logarithmic: true,
        whole: true,
    };
    let help = "How many units a click places.";
    if let Some(count) = slider(
        ui,
        palette,
        &Slider {
            id: "brush.count",
            name: "units a click",
            help,
            unit: "",
            track,
        },
        f64::from(app.brush.count),
    ) {
        app.brush.count = count as u32;
    }
}
