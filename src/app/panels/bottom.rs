//! The bottom panel: the last ten seconds, and time itself: run, pause, step, restart, pace.

use crate::app::commands::{Command, keys_of, row};
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, RunMode};
use crate::app::theme::{number, size, text};
use crate::app::view::View;
use crate::app::widgets::{focus_ring, place, with_commas};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

/// Draws the panel.
///
/// The plots are those of the view, where there is room for plots.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette, plots: Option<&dyn View>) {
    let whole = ui.max_rect();
    ui.painter().hline(
        whole.expand(14.0).x_range(),
        whole.top() - 8.0,
        Stroke::new(1.0, palette.line),
    );
    if let Some(view) = plots {
        let rect = whole.with_max_y(whole.bottom() - 36.0);
        let middle = rect.center().x;
        let (left, right) = (
            rect.with_max_x(middle - 10.0),
            rect.with_min_x(middle + 10.0),
        );
        view.plots(ui, app, palette, left, right);
    }
    transport(ui, app, palette, whole.with_min_y(whole.bottom() - 30.0));
}

/// Run, step, restart, the tick and the pace.
fn transport(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let mut left = rect.left();
    let running = app.mode == RunMode::Running;
    for (command, icon, on) in [
        (Command::Restart, Icon::Restart, false),
        (
            Command::TogglePause,
            if running { Icon::Pause } else { Icon::Run },
            running,
        ),
        (Command::Step, Icon::Step, false),
    ] {
        let button = Rect::from_min_size(pos2(left, rect.top() + 3.0), vec2(28.0, 24.0));
        let Some(entry) = row(command) else { continue };
        let response = ui.interact(
            button,
            ui.id().with(("transport", entry.title.as_str())),
            Sense::click(),
        );
        place(
            ui.ctx(),
            &format!("run.{}", entry.title.to_lowercase()),
            button,
        );
        let fill = if response.hovered() {
            palette.hover
        } else {
            palette.raised
        };
        let border = if on { palette.accent } else { palette.line };
        let painter = ui.painter();
        painter.rect(
            button,
            CornerRadius::same(4),
            fill,
            Stroke::new(1.0, border),
            StrokeKind::Inside,
        );
        focus_ring(ui, palette, &response, button);
        icon.draw(painter, button.center(), palette.text);
        if response.clicked() {
            app.run(command);
        }
        response.on_hover_text(format!("{} ({})", entry.help, keys_of(command)));
        left += 34.0;
    }
    let tick = ui.painter().text(
        pos2(left + 8.0, rect.center().y),
        Align2::LEFT_CENTER,
        with_commas(app.battle.tick()),
        number(size::LABEL),
        palette.text,
    );
    let unit = ui.painter().text(
        pos2(tick.right() + 5.0, rect.center().y),
        Align2::LEFT_CENTER,
        "tick",
        text(size::CAPTION),
        palette.text_third,
    );
    let right = pace(ui, app, palette, rect);
    // The digits of the tick come and go; the way of time does not move for it.
    let from = (rect.left() + 206.0).max(unit.right() + 14.0);
    timeline(
        ui,
        app,
        palette,
        rect.with_min_x(from).with_max_x(right - 18.0),
    );
}

/// All that is known of time, from the beginning to the last tick, and where the present one lies. A press or a drag goes there.
fn timeline(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    /// Narrower than this it cannot be aimed at.
    const LEAST: f32 = 60.0;
    if rect.width() < LEAST {
        return;
    }
    place(ui.ctx(), "timeline", rect);
    let response = ui.interact(rect, ui.id().with("timeline"), Sense::click_and_drag());
    let end = app.place.end.max(1);
    if let Some(at) = response.interact_pointer_pos() {
        let part = ((at.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
        app.seek((f64::from(part) * end as f64).round() as u64);
    }
    let part = app.place.tick as f32 / end as f32;
    let middle = rect.center().y;
    let now = rect.left() + rect.width() * part.clamp(0.0, 1.0);
    let painter = ui.painter();
    let track = Rect::from_x_y_ranges(rect.x_range(), (middle - 2.0)..=(middle + 2.0));
    painter.rect_filled(track, CornerRadius::same(2), palette.hover);
    let color = if app.place.diverged_at.is_some() {
        palette.error
    } else if response.hovered() || response.dragged() {
        palette.accent
    } else {
        faded(palette.accent, 0.7)
    };
    painter.rect_filled(track.with_max_x(now), CornerRadius::same(2), color);
    painter.rect_filled(
        Rect::from_center_size(pos2(now, middle), vec2(2.5, 14.0)),
        CornerRadius::same(1),
        palette.text,
    );
    focus_ring(ui, palette, &response, rect);
    let mut words = format!(
        "Tick {} of {} since the scene was opened. Press or drag to go there; what you change there begins another future.",
        with_commas(app.place.tick),
        with_commas(app.place.end)
    );
    if let Some(tick) = app.place.diverged_at {
        words += &format!(
            " From tick {} on it did not come out as it was recorded.",
            with_commas(tick)
        );
    }
    response.on_hover_text(words);
}

/// Slower and faster, and how fast it is. Gives where it begins.
fn pace(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) -> f32 {
    let mut right = rect.right();
    for (command, word) in [(Command::Faster, "+"), (Command::Slower, "−")] {
        let button = Rect::from_min_size(pos2(right - 24.0, rect.top() + 3.0), vec2(24.0, 24.0));
        let response = ui.interact(button, ui.id().with(("pace", word)), Sense::click());
        place(
            ui.ctx(),
            if word == "+" {
                "pace.faster"
            } else {
                "pace.slower"
            },
            button,
        );
        let fill = if response.hovered() {
            palette.hover
        } else {
            palette.raised
        };
        ui.painter()
            .rect_filled(button, CornerRadius::same(4), fill);
        focus_ring(ui, palette, &response, button);
        ui.painter().text(
            button.center(),
            Align2::CENTER_CENTER,
            word,
            number(size::LABEL),
            palette.text,
        );
        if response.clicked() {
            app.run(command);
        }
        if let Some(entry) = row(command) {
            response.on_hover_text(format!("{} ({})", entry.help, keys_of(command)));
        }
        right = button.left() - if word == "+" { 58.0 } else { 0.0 };
        if word == "+" {
            let pace = if app.pace >= 1.0 {
                format!("{:.0}×", app.pace)
            } else {
                format!("1/{:.0}×", 1.0 / app.pace)
            };
            let at = pos2(button.left() - 29.0, rect.center().y);
            ui.painter().text(
                at,
                Align2::CENTER_CENTER,
                pace,
                number(size::LABEL),
                palette.text_second,
            );
        }
    }
    // In a narrow window the tick itself needs the room.
    if !app.fixed && rect.width() > 460.0 {
        let words = format!("{:.0} ticks / s", app.steps_per_second);
        let at = pos2(right - 12.0, rect.center().y);
        ui.painter().text(
            at,
            Align2::RIGHT_CENTER,
            words,
            text(size::DESCRIPTION),
            palette.text_third,
        );
        // As wide as the number ever is, so that nothing beside it moves.
        right -= 78.0;
    }
    right
}

/// The pictures on the buttons.
#[derive(Clone, Copy)]
enum Icon {
    Restart,
    Run,
    Pause,
    Step,
}

impl Icon {
    fn draw(self, painter: &Painter, at: Pos2, color: Color32) {
        let triangle = |left: f32, right: f32| {
            let corners = vec![
                at + vec2(left, -5.0),
                at + vec2(right, 0.0),
                at + vec2(left, 5.0),
            ];
            Shape::convex_polygon(corners, color, Stroke::NONE)
        };
        let post = |x: f32| Rect::from_center_size(at + vec2(x, 0.0), vec2(2.4, 10.0));
        match self {
            Self::Run => {
                painter.add(triangle(-3.5, 5.0));
            }
            Self::Pause => {
                painter.rect_filled(post(-3.0), CornerRadius::ZERO, color);
                painter.rect_filled(post(3.0), CornerRadius::ZERO, color);
            }
            Self::Step => {
                painter.rect_filled(post(-4.0), CornerRadius::ZERO, faded(color, 0.9));
                painter.add(triangle(-1.5, 6.0));
            }
            Self::Restart => {
                painter.rect_filled(post(-4.5), CornerRadius::ZERO, color);
                painter.add(triangle(5.0, -3.0));
            }
        }
    }
}
