//! The status bar: what the program is doing, and the keys that matter here.

use crate::app::commands::View;
use crate::app::palette::Palette;
use crate::app::state::{App, RunMode};
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use skirmish::scene::Side;

/// Draws the bar.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette) {
    let bar = ui.max_rect();
    ui.painter().hline(
        bar.expand(14.0).x_range(),
        bar.top(),
        Stroke::new(1.0, palette.line),
    );
    let (color, words) = match app.mode {
        RunMode::Running => (palette.accent, "Running"),
        RunMode::Paused | RunMode::Step => (palette.warning, "Paused"),
    };
    ui.painter()
        .circle_filled(bar.left_center() + vec2(3.0, 0.5), 3.0, color);
    let words = match winner(app) {
        Some(side) if app.view == View::Battle => format!("{words} · {side} has won, R restarts"),
        _ => words.to_owned(),
    };
    let words = match app.view {
        View::Battle => format!("{words} · {}", app.index.info().name),
        View::Streaming => format!("{words} · seamless loading"),
    };
    let drawn = ui.painter().text(
        bar.left_center() + vec2(14.0, 0.5),
        Align2::LEFT_CENTER,
        words,
        text(size::DESCRIPTION),
        palette.text_second,
    );
    let keys: &[(&str, &str)] = match app.view {
        View::Battle => &[
            ("F1", "all keys"),
            ("Shift+click", "select"),
            ("Wheel", "zoom"),
            ("1-9", "structure"),
            (".", "step"),
            ("Space", "pause"),
        ],
        View::Streaming => &[
            ("F1", "all keys"),
            ("Home", "frame all"),
            ("Space", "pause"),
            ("Click", "why?"),
            ("2× click", "teleport"),
            ("Drag", "move the character"),
        ],
    };
    let mut right = bar.right();
    for (key, does) in keys {
        let name = ui.painter().layout_no_wrap(
            (*does).to_owned(),
            text(size::DESCRIPTION),
            palette.text_third,
        );
        let label = ui.painter().layout_no_wrap(
            (*key).to_owned(),
            number(size::CAPTION),
            palette.text_second,
        );
        let width = name.size().x + label.size().x + 30.0;
        if right - width < drawn.right() + 16.0 {
            break;
        }
        let at = pos2(
            right - name.size().x,
            bar.center().y - name.size().y / 2.0 + 0.5,
        );
        let key_right = at.x - 6.0;
        ui.painter().galley(at, name, palette.text_third);
        let key_box = Rect::from_min_max(
            pos2(key_right - label.size().x - 8.0, bar.center().y - 7.5),
            pos2(key_right, bar.center().y + 8.5),
        );
        ui.painter().rect_stroke(
            key_box,
            CornerRadius::same(3),
            Stroke::new(1.0, palette.strong_line),
            StrokeKind::Inside,
        );
        let at = key_box.center() - label.size() / 2.0;
        ui.painter().galley(at, label, palette.text_second);
        right -= width;
    }
}

/// The side that stands alone after a battle between two.
fn winner(app: &App) -> Option<&'static str> {
    let began = |side| {
        app.scene
            .armies
            .iter()
            .any(|army| army.side == side && army.count > 0)
    };
    if !began(Side::Blue) || !began(Side::Orange) {
        return None;
    }
    match (app.battle.count(Side::Blue), app.battle.count(Side::Orange)) {
        (1.., 0) => Some("blue"),
        (0, 1..) => Some("orange"),
        _ => None,
    }
}
