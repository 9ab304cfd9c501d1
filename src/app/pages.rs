//! What lies over the field for a while: the help page, the list of all commands, and the notice.

use super::commands::{Command, MOUSE, Menu, Row, table};
use super::palette::Palette;
use super::state::App;
use super::theme::{number, size, text};
use super::widgets::{place, structure_help};
use egui_macroquad::egui::{
    Align, Align2, Area, Context, CornerRadius, Frame, Grid, Id, Key, Layout, Margin, Modal, Order,
    Rect, RichText, ScrollArea, Sense, Stroke, TextEdit, Ui, pos2, vec2,
};
use skirmish::partition::Kind;
use std::time::Duration;

/// How long a notice stays that says of no failure.
const PASSING: Duration = Duration::from_secs(5);

/// Draws whichever pages are open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    notice(ctx, app, palette, field);
    if app.pages.help {
        help(ctx, app, palette);
    }
    if app.pages.palette.is_some() {
        command_list(ctx, app, palette);
    }
}

/// The frame of whatever lies over the window.
pub fn page_frame(palette: &Palette) -> Frame {
    Frame::new()
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, palette.strong_line))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::same(20))
}

fn help(ctx: &Context, app: &mut App, palette: &Palette) {
    let screen = ctx.screen_rect();
    let size_of_page = vec2(
        (screen.width() - 80.0).min(860.0),
        (screen.height() - 80.0).min(680.0),
    );
    let shown = Modal::new(Id::new("help"))
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(size_of_page.x);
            ui.set_height(size_of_page.y - 40.0);
            ui.horizontal(|ui| {
                ui.label(
                    RichText::new("Skirmish")
                        .size(size::RATIO)
                        .color(palette.text),
                );
                ui.label(
                    RichText::new("who is near whom?")
                        .size(size::SECOND)
                        .color(palette.text_third),
                );
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Close (Esc)").clicked() {
                        app.pages.help = false;
                    }
                });
            });
            ui.add_space(8.0);
            ScrollArea::vertical()
                .auto_shrink(false)
                .show(ui, |ui| help_text(ui, palette));
        });
    if shown.backdrop_response.clicked() {
        app.pages.help = false;
    }
}

fn paragraph(ui: &mut Ui, palette: &Palette, words: &str) {
    ui.label(
        RichText::new(words)
            .size(size::LABEL)
            .color(palette.text_second),
    );
    ui.add_space(6.0);
}

fn heading(ui: &mut Ui, palette: &Palette, words: &str) {
    ui.add_space(8.0);
    ui.label(
        RichText::new(words)
            .size(size::NAME + 1.5)
            .color(palette.text),
    );
    ui.add_space(2.0);
}

fn help_text(ui: &mut Ui, palette: &Palette) {
    paragraph(
        ui,
        palette,
        "Two armies fight on the field. Every tick each unit asks who is near, and the structure chosen on the left \
         answers. What is drawn over the field is that structure at work; the counters on the right are its own.",
    );
    paragraph(
        ui,
        palette,
        "Switch the structure while the battle goes on: the outcome never changes, only the cost. Turn its knobs, place \
         units with the brush, and watch the tests. The Compare view shows up to four structures over one battle, and who leads \
         at what. In the Streaming view drag the character: objects load ahead of it \
         and unload behind it.",
    );
    heading(ui, palette, "Mouse");
    Grid::new("mouse")
        .num_columns(2)
        .spacing(vec2(24.0, 4.0))
        .show(ui, |ui| {
            for (input, does) in MOUSE {
                ui.label(
                    RichText::new(input)
                        .font(number(size::SECOND))
                        .color(palette.text),
                );
                ui.label(
                    RichText::new(does)
                        .size(size::SECOND)
                        .color(palette.text_second),
                );
                ui.end_row();
            }
        });
    heading(ui, palette, "Keys");
    Grid::new("keys")
        .num_columns(2)
        .spacing(vec2(24.0, 4.0))
        .show(ui, |ui| {
            for row in table().iter().filter(|row| !row.shortcuts.is_empty()) {
                let keys: Vec<_> = row.shortcuts.iter().map(|key| key.label()).collect();
                ui.label(
                    RichText::new(keys.join("  or  "))
                        .font(number(size::SECOND))
                        .color(palette.text),
                );
                let words = if matches!(row.command, Command::Structure(_)) {
                    format!("Choose the structure: {}.", row.title)
                } else {
                    row.help.clone()
                };
                ui.label(
                    RichText::new(words)
                        .size(size::SECOND)
                        .color(palette.text_second),
                );
                ui.end_row();
            }
        });
    heading(ui, palette, "Structures");
    for kind in Kind::ALL {
        structure_help(ui, palette, kind.info());
        ui.add_space(10.0);
    }
    heading(ui, palette, "Sources");
    for source in [
        "Robert Nystrom, Game Programming Patterns (2014), chapter \"Spatial Partition\"",
        "goldpotion, Quadtree for Seamless Loading (2011)",
        "yazilimperver, BasicQuadtree",
    ] {
        paragraph(ui, palette, source);
    }
}

fn command_list(ctx: &Context, app: &mut App, palette: &Palette) {
    let mut typed = app.pages.palette.clone().unwrap_or_default();
    let mut chosen = None;
    let shown = Modal::new(Id::new("commands"))
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(460.0);
            let edit = TextEdit::singleline(&mut typed)
                .hint_text("What do you want to do?")
                .desired_width(f32::INFINITY);
            let response = ui.add(edit);
            place(ui.ctx(), "palette.text", response.rect);
            response.request_focus();
            let wanted = typed.to_lowercase();
            let fits = |row: &Row| {
                let said = format!("{} {} {}", row.menu.name(), row.title, row.help).to_lowercase();
                wanted.split_whitespace().all(|word| said.contains(word))
            };
            let rows: Vec<_> = table()
                .iter()
                .filter(|row| row.menu != Menu::None && fits(row))
                .collect();
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                chosen = rows.first().map(|row| row.command);
            }
            ui.add_space(8.0);
            ScrollArea::vertical()
                .max_height(320.0)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    for (index, row) in rows.iter().enumerate() {
                        let (rect, response) = ui
                            .allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
                        if response.hovered() || index == 0 {
                            ui.painter()
                                .rect_filled(rect, CornerRadius::same(3), palette.hover);
                        }
                        let at = rect.left_center() + vec2(8.0, 0.0);
                        ui.painter().text(
                            at,
                            Align2::LEFT_CENTER,
                            &row.title,
                            text(size::LABEL),
                            palette.text,
                        );
                        let keys = row
                            .shortcuts
                            .first()
                            .map(|key| key.label())
                            .unwrap_or_default();
                        let at = rect.right_center() - vec2(8.0, 0.0);
                        ui.painter().text(
                            at,
                            Align2::RIGHT_CENTER,
                            keys,
                            number(size::CAPTION),
                            palette.text_third,
                        );
                        if response.clicked() {
                            chosen = Some(row.command);
                        }
                    }
                    if rows.is_empty() {
                        ui.label(
                            RichText::new("No command has these words.").color(palette.text_third),
                        );
                    }
                });
        });
    app.pages.palette = (!shown.backdrop_response.clicked()).then_some(typed);
    if let Some(command) = chosen {
        app.pages.palette = None;
        app.run(command);
    }
}

/// A raised card at the top of the field; what failed has an edge in the colour of failure.
fn notice(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    let Some(notice) = app.notice.clone() else {
        return;
    };
    if !notice.failed && !app.fixed && notice.said.elapsed() > PASSING {
        app.notice = None;
        return;
    }
    let width = (field.width() - 40.0).clamp(220.0, 560.0);
    let mut close = false;
    Area::new(Id::new("notice"))
        .order(Order::Foreground)
        .fixed_pos(pos2(field.center().x - width / 2.0, field.top() + 62.0))
        .show(ctx, |ui| {
            let shown = Frame::new()
                .fill(palette.raised)
                .stroke(Stroke::new(1.0, palette.strong_line))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin {
                    left: 16,
                    right: 10,
                    top: 10,
                    bottom: 10,
                })
                .show(ui, |ui| {
                    ui.set_width(width - 26.0);
                    ui.horizontal(|ui| {
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            let response = ui.button("Close");
                            place(ui.ctx(), "notice.close", response.rect);
                            close = response.clicked();
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                let words = RichText::new(&notice.text)
                                    .size(size::LABEL)
                                    .color(palette.text);
                                ui.add(egui_macroquad::egui::Label::new(words).wrap());
                            });
                        });
                    });
                });
            if notice.failed {
                let card = shown.response.rect;
                let edge = card.with_max_x(card.left() + 2.0);
                ui.painter()
                    .rect_filled(edge, CornerRadius::ZERO, palette.error);
            }
        });
    if close {
        app.notice = None;
    }
}
