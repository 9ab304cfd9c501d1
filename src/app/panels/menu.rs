//! The menu bar: menus from the command table, the scene's name, the views, and how fast the window is.

use super::recent;
use crate::app::commands::{Command, Menu, VIEWS, ViewRow, table};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{place, segments_in};
use egui_macroquad::egui::{
    Align2, Button, Color32, CornerRadius, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

/// The width of the tab of a view, in points.
const TAB: f32 = 98.0;

/// Draws the bar.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let bar = ui.max_rect();
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        logo(ui, palette);
        // Words on a bar, not buttons in boxes.
        ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::NONE;
        ui.visuals_mut().widgets.hovered.bg_stroke = Stroke::NONE;
        ui.visuals_mut().widgets.open.bg_stroke = Stroke::NONE;
        for menu in Menu::BAR {
            let title = RichText::new(menu.name())
                .size(size::LABEL)
                .color(palette.text_second);
            let response = ui
                .menu_button(title, |ui| entries(ui, app, palette, menu))
                .response;
            place(ui.ctx(), &format!("menu.{}", menu.name()), response.rect);
        }
    });

    // The name and the views stand in the middle of the bar, and give way to the menus where it is narrow.
    let middle = bar.center().x.max(bar.left() + 592.0);
    let views = Rect::from_min_size(
        pos2(middle - 116.0, bar.top() + 4.0),
        vec2(TAB * VIEWS.len() as f32, bar.height() - 8.0),
    );
    let title = app.title();
    let drawn = ui.painter().text(
        pos2(views.left() - 24.0, bar.center().y),
        Align2::RIGHT_CENTER,
        title,
        text(size::LABEL),
        palette.text,
    );
    if app.dirty {
        ui.painter().circle_filled(
            pos2(drawn.right() + 9.0, drawn.center().y),
            3.0,
            palette.warning,
        );
    }
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
    if let Some(picked) = segments_in(ui, palette, "view", views, &words, chosen, palette.accent) {
        app.run(Command::View(VIEWS[picked].view));
    }

    let mut right = bar.right() - 4.0;
    if !app.fixed && bar.right() - 160.0 > views.right() {
        let ms = app.frames.frame_ms.percentile(0.5, 30);
        let fps = if ms > 0.0 { (1000.0 / ms).round() } else { 0.0 };
        for words in [format!("{ms:.1} ms"), format!("{fps:.0} fps")] {
            ui.painter().text(
                pos2(right, bar.center().y),
                Align2::RIGHT_CENTER,
                words,
                number(size::SECOND),
                palette.text_third,
            );
            right -= 72.0;
        }
    }
    let palette_button = Rect::from_min_max(
        pos2(right - 132.0, bar.top() + 6.0),
        pos2(right - 8.0, bar.bottom() - 6.0),
    );
    if palette_button.left() > views.right() + 12.0 {
        commands_button(ui, app, palette, palette_button);
    }
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
        if is_export(entry.command) {
            // They stand together below one word.
            if entry.command == Command::ExportWindow {
                recent::exports(ui, app);
            }
            continue;
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
        if entry.command == Command::Gallery {
            recent::scenes(ui, app, palette);
        }
        // Over the entries that can be chosen a tooltip would hide the next one.
        response.on_disabled_hover_text(&entry.help);
    }
}

/// The words of an entry: undo and redo say what they take.
fn title_of(app: &App, command: Command, title: &str) -> String {
    if command == Command::PlainScale {
        let percent = (app.settings.scale * 100.0).round();
        return format!("{title}: now {percent} %");
    }
    let name = match command {
        Command::Undo => app.undo_names[0].as_ref(),
        Command::Redo => app.undo_names[1].as_ref(),
        _ => None,
    };
    name.map_or_else(|| title.to_owned(), |name| format!("{title}: {name}"))
}

/// Whether a command saves something besides the scene.
fn is_export(command: Command) -> bool {
    matches!(
        command,
        Command::ExportWindow
            | Command::ExportField
            | Command::ExportPlots
            | Command::ExportCounters
    )
}

/// Commands before which a menu has a line.
fn starts_group(command: Command) -> bool {
    matches!(
        command,
        Command::Screenshot
            | Command::Settings
            | Command::Quit
            | Command::Cut
            | Command::SelectAll
            | Command::Open
            | Command::CopyRust
            | Command::Larger
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
        Command::DeleteSelection | Command::Copy | Command::Cut | Command::Duplicate => {
            !app.selection.is_empty()
        }
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
