//! The menu bar: menus from the command table, the scene's name, the views, and how fast the window is.

use crate::app::commands::{Command, Menu, VIEWS, ViewRow, table};
use crate::app::palette::Palette;
use crate::app::state::{App, RunMode};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{elided, place, segments_in};
use egui_macroquad::egui::{
    Align2, Button, Color32, CornerRadius, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, pos2, vec2,
};
use std::ops::RangeInclusive;

/// The width of the tab of a view where there is room for it, in points, and the least.
const TABS: (f32, f32) = (98.0, 57.0);

/// In a narrower bar all menus stand in one.
const ONE_MENU: f32 = 600.0;

/// What is less than this is not worth a name.
const LEAST_TITLE: f32 = 64.0;

/// So much room the name has before the views go where they would like to stand, in points.
const TITLE: f32 = 120.0;

/// Between two parts of the bar.
const GAP: f32 = 12.0;

/// Draws the bar.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let bar = ui.max_rect();
    let menus = ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        if bar.width() >= ONE_MENU / 1.5 {
            logo(ui, palette);
        }
        // Words on a bar, not buttons in boxes.
        ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::NONE;
        ui.visuals_mut().widgets.hovered.bg_stroke = Stroke::NONE;
        ui.visuals_mut().widgets.open.bg_stroke = Stroke::NONE;
        let named = |name: &str| {
            RichText::new(name)
                .size(size::LABEL)
                .color(palette.text_second)
        };
        if bar.width() >= ONE_MENU {
            for menu in Menu::BAR {
                one_menu(ui, app, palette, menu, named(menu.name()));
            }
        } else {
            let shown = ui.menu_button(named("Menu"), |ui| {
                app.menu_open = true;
                for menu in Menu::BAR {
                    one_menu(ui, app, palette, menu, named(menu.name()));
                }
            });
            place(ui.ctx(), "menu", shown.response.rect);
        }
        ui.cursor().left()
    });

    // The name and the views stand in the middle of the bar, and give way to the menus where it is narrow.
    let left = menus.inner + GAP;
    let count = VIEWS.len() as f32;
    let tab = ((bar.right() - left) / count).floor().clamp(TABS.1, TABS.0);
    let width = tab * count;
    let wished = bar.center().x - 116.0;
    let from = wished
        .max(left + TITLE + 2.0 * GAP)
        .min(bar.right() - width)
        .max(left);
    let views = Rect::from_min_size(pos2(from, bar.top() + 4.0), vec2(width, bar.height() - 8.0));
    title(ui, app, palette, left..=views.left() - 2.0 * GAP);
    view_tabs(ui, app, palette, views);

    let right = figures(ui, app, palette, bar, views.right());
    let palette_button = Rect::from_min_max(
        pos2(right - 132.0, bar.top() + 6.0),
        pos2(right - 8.0, bar.bottom() - 6.0),
    );
    if palette_button.left() > views.right() + GAP {
        commands_button(ui, app, palette, palette_button);
    }
}

/// A menu of the bar, or of the one that stands for all; its entries scroll where the window is low.
fn one_menu(ui: &mut Ui, app: &mut App, palette: &Palette, menu: Menu, title: RichText) {
    let most = ui.ctx().screen_rect().height() - 64.0;
    let response = ui
        .menu_button(title, |ui| {
            ScrollArea::vertical()
                .max_height(most)
                .show(ui, |ui| entries(ui, app, palette, menu));
        })
        .response;
    place(ui.ctx(), &format!("menu.{}", menu.name()), response.rect);
}

/// What is open, at the right end of this room, and whether it has been changed; all of it in the tooltip.
fn title(ui: &Ui, app: &App, palette: &Palette, room: RangeInclusive<f32>) {
    /// The mark of what is not saved, with what is between it and the name.
    const MARK: f32 = 12.0;
    let width = room.end() - room.start() - MARK;
    if width < LEAST_TITLE - MARK {
        return;
    }
    let name = app.title();
    let words = elided(ui, &name, text(size::LABEL), palette.text, width);
    let middle = ui.max_rect().center().y;
    let right = room.end() - if app.dirty { MARK } else { 0.0 };
    let at = pos2(right - words.size().x, middle - words.size().y / 2.0);
    let rect = Rect::from_min_size(at, words.size());
    ui.painter().galley(at, words, palette.text);
    if app.dirty {
        let at = pos2(room.end() - 3.0, middle);
        ui.painter().circle_filled(at, 3.0, palette.warning);
    }
    let whole = match app.file() {
        Some(path) => path.display().to_string(),
        None => name,
    };
    let whole = format!("{whole}{}", if app.dirty { ", not saved" } else { "" });
    ui.interact(rect, ui.id().with("title"), Sense::hover())
        .on_hover_text(whole);
}

fn view_tabs(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let tip = |row: &ViewRow| {
        let sentence = row.help.trim_end_matches('.');
        format!("{sentence} ({}).", row.shortcut.label())
    };
    let tips: Vec<_> = VIEWS.iter().map(tip).collect();
    let words: Vec<_> = VIEWS
        .iter()
        .zip(&tips)
        .map(|(row, tip)| (row.name, tip.as_str()))
        .collect();
    let chosen = VIEWS.iter().position(|row| row.view == app.view);
    if let Some(picked) = segments_in(ui, palette, "view", rect, &words, chosen, palette.accent) {
        app.run(Command::View(VIEWS[picked].view));
    }
}

/// How fast frames follow each other, while they do: a window in which nothing moves draws none, and is not slow for that. Gives
/// where it begins.
fn figures(ui: &Ui, app: &App, palette: &Palette, bar: Rect, from: f32) -> f32 {
    let right = bar.right() - 4.0;
    if app.fixed || bar.right() - 160.0 <= from {
        return right;
    }
    let moves = app.mode == RunMode::Running || app.plays_steps();
    let words = if moves {
        let ms = app.frames.frame_ms.percentile(0.5, 30);
        let fps = if ms > 0.0 { (1000.0 / ms).round() } else { 0.0 };
        [format!("{ms:.1} ms"), format!("{fps:.0} fps")]
    } else {
        ["paused".to_owned(), String::new()]
    };
    for (index, words) in words.into_iter().enumerate() {
        ui.painter().text(
            pos2(right - 72.0 * index as f32, bar.center().y),
            Align2::RIGHT_CENTER,
            words,
            number(size::SECOND),
            palette.text_third,
        );
    }
    right - 144.0
}

fn commands_button(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let response = ui.interact(rect, ui.id().with("commands"), Sense::click());
    place(ui.ctx(), "commands", rect);
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
    let (left, right) = (
        rect.left_center() + vec2(10.0, 0.0),
        rect.right_center() - vec2(8.0, 0.0),
    );
    painter.text(
        left,
        Align2::LEFT_CENTER,
        "Commands",
        text(size::SECOND),
        palette.text_third,
    );
    painter.text(
        right,
        Align2::RIGHT_CENTER,
        "Ctrl+P",
        number(size::CAPTION),
        palette.text_third,
    );
    if response.clicked() {
        app.run(Command::Palette);
    }
}

/// A field in four, one of them in four again.
fn logo(ui: &mut Ui, palette: &Palette) {
    let (rect, _) = ui.allocate_exact_size(vec2(28.0, 18.0), Sense::hover());
    let square = Rect::from_center_size(rect.center() - vec2(2.0, 0.0), vec2(14.0, 14.0));
    let stroke = Stroke::new(1.2, palette.accent);
    ui.painter()
        .rect_stroke(square, CornerRadius::same(2), stroke, StrokeKind::Middle);
    ui.painter()
        .vline(square.center().x, square.y_range(), stroke);
    ui.painter()
        .hline(square.x_range(), square.center().y, stroke);
    let quarter = Rect::from_min_max(square.center(), square.max);
    ui.painter()
        .rect_filled(quarter.shrink(1.5), CornerRadius::ZERO, palette.accent);
}

/// The entries of one menu.
fn entries(ui: &mut Ui, app: &mut App, palette: &Palette, menu: Menu) {
    app.menu_open = true;
    ui.set_min_width(220.0);
    for entry in table().iter().filter(|row| row.menu == menu) {
        let Some(title) = app.title_of(entry) else {
            continue;
        };
        if starts_group(entry.command) {
            ui.separator();
        }
        let keys = entry
            .shortcuts
            .first()
            .map(|shortcut| shortcut.label())
            .unwrap_or_default();
        let on = is_on(app, entry.command);
        let mark = match on {
            Some(true) => "✔ ",
            Some(false) => "    ",
            None => "",
        };
        let title = title_of(app, entry.command, &title);
        let words = RichText::new(format!("{mark}{title}")).size(size::LABEL);
        let button = Button::new(words).shortcut_text(
            RichText::new(keys)
                .size(size::CAPTION)
                .color(palette.text_third),
        );
        let enabled = is_enabled(app, entry.command);
        let response = ui.add_enabled(enabled, button.frame(false).min_size(vec2(220.0, 22.0)));
        place(ui.ctx(), &format!("entry.{}", entry.title), response.rect);
        if response.clicked() {
            app.run(entry.command);
            ui.close_menu();
        }
        // Over the entries that can be chosen a tooltip would hide the next one.
        response.on_disabled_hover_text(&entry.help);
    }
}

/// The words of an entry: undo and redo say what they take.
fn title_of(app: &App, command: Command, title: &str) -> String {
    let name = match command {
        Command::Undo => app.undo_names[0].as_ref(),
        Command::Redo => app.undo_names[1].as_ref(),
        _ => None,
    };
    name.map_or_else(|| title.to_owned(), |name| format!("{title}: {name}"))
}

/// Commands before which a menu has a line.
fn starts_group(command: Command) -> bool {
    matches!(
        command,
        Command::Screenshot
            | Command::Quit
            | Command::DeleteSelection
            | Command::PreviousStructure
            | Command::FrameAll
            | Command::TogglePanels
            | Command::StepBack
            | Command::Pin
            | Command::Restart
    ) || command == Command::Layer(crate::app::commands::Layer::Units)
}

/// Whether a command that switches something is on.
fn is_on(app: &App, command: Command) -> Option<bool> {
    match command {
        Command::Layer(layer) => Some(app.layers.shows(layer)),
        Command::View(view) => Some(app.view == view),
        Command::TogglePanels => Some(app.panels),
        Command::Caption => Some(app.shows_caption()),
        Command::Tree => Some(app.diagram.is_some()),
        Command::LightTheme => Some(app.light),
        Command::Structure(index) => {
            let present = app.lane().structure.kind();
            Some(present.siblings().get(index) == Some(&present))
        }
        _ => None,
    }
}

fn is_enabled(app: &App, command: Command) -> bool {
    match command {
        Command::DeleteSelection => app.selection.is_some(),
        Command::Caption => !app.scene.caption.is_empty(),
        Command::View(view) => (view.row().suits)(&app.scene),
        Command::StepBack => app.place.tick > 0,
        Command::GoToHeaviest => app.place.heaviest.is_some(),
        Command::GoToEnd => app.place.tick < app.place.end,
        Command::Undo => app.undo_names[0].is_some(),
        Command::Redo => app.undo_names[1].is_some(),
        _ => true,
    }
}
