//! What lies over the field for a while: the help page, the list of all commands, and the notice.

mod disk;
mod help;
mod hints;
mod picture;
mod settings;

use super::commands::{Command, Menu, Row, table};
use super::glossary;
use super::palette::Palette;
use super::state::{App, HelpPage};
use super::theme::{number, size, text};
use super::widgets::place;
use egui_macroquad::egui::{
    Align, Align2, Area, Context, CornerRadius, Frame, Id, Key, Layout, Margin, Modal, Order, Rect,
    RichText, ScrollArea, Sense, Stroke, TextEdit, pos2, vec2,
};
use std::time::Duration;

/// How long a notice stays that says of no failure.
const PASSING: Duration = Duration::from_secs(5);

/// Draws whichever pages are open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    notice(ctx, app, palette, field);
    disk::show(ctx, app, palette, field);
    hints::show(ctx, app, palette, field);
    help::show(ctx, app, palette);
    settings::show(ctx, app, palette);
    picture::show(ctx, app, palette);
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
            let explained = !wanted.trim().is_empty() && glossary::found(&wanted).next().is_some();
            let fits = |row: &Row| {
                let title = app.title_of(row).unwrap_or_default();
                let said = format!("{} {title} {}", row.menu.name(), row.help).to_lowercase();
                // What no command says may still be a word of a panel.
                let is_word = row.command == Command::Words && explained;
                is_word || wanted.split_whitespace().all(|word| said.contains(word))
            };
            let rows: Vec<_> = table()
                .iter()
                .filter(|row| row.menu != Menu::None && fits(row))
                .filter(|row| app.title_of(row).is_some())
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
                            match row.command {
                                Command::Words if explained => {
                                    format!("{}: {}", row.title, typed.trim())
                                }
                                _ => app.title_of(row).unwrap_or_default(),
                            },
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
    let sought = typed.trim().to_owned();
    app.pages.palette = (!shown.backdrop_response.clicked()).then_some(typed);
    if let Some(command) = chosen {
        app.pages.palette = None;
        app.run(command);
        let is_word = glossary::found(&sought.to_lowercase()).next().is_some();
        if let Some(HelpPage::Words(typed)) = &mut app.pages.help
            && is_word
        {
            *typed = sought;
        }
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
    if !notice.failed && !app.fixed {
        ctx.request_repaint_after(PASSING.saturating_sub(notice.said.elapsed()));
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
