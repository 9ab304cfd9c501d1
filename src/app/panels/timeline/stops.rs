//! The list of what time is to stop for, behind a button beside those of time.

use crate::app::commands::View;
use crate::app::palette::Palette;
use crate::app::state::{App, StopKind};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    Slider, Track, elided, focus_ring, place, spaced_capitals, tell, tell_button, tell_switch,
    typed_value, with_commas,
};
use egui_macroquad::egui::{
    AboveOrBelow, Align2, CornerRadius, Id, PopupCloseBehavior, Rect, Sense, Stroke, StrokeKind,
    Ui, WidgetType, popup_above_or_below_widget, pos2, vec2,
};

/// How wide the list is.
const WIDTH: f32 = 330.0;

/// A row of it.
const ROW: f32 = 26.0;

/// Draws the button, and the list while it is open.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette, button: Rect) {
    let list = Id::new("stop list");
    let response = ui.interact(button, ui.id().with("stops"), Sense::click());
    place(ui.ctx(), "stops", button);
    tell_button(&response, "Stop when\u{2026}");
    let count = app.stopping.count();
    let is_open = ui.memory(|memory| memory.is_popup_open(list));
    let fill = if response.hovered() || is_open {
        palette.hover
    } else {
        palette.raised
    };
    let border = if count > 0 {
        palette.error
    } else {
        palette.line
    };
    let line = Stroke::new(1.0, border);
    let painter = ui.painter();
    painter.rect(
        button,
        CornerRadius::same(4),
        fill,
        line,
        StrokeKind::Inside,
    );
    if count > 0 {
        painter.circle_filled(button.center(), 5.0, palette.error);
    } else {
        painter.circle_stroke(button.center(), 4.5, Stroke::new(1.4, palette.text));
    }
    focus_ring(ui, palette, &response, button);
    let is_wanted = std::mem::take(&mut app.stopping.is_wanted);
    if response.clicked() && !is_wanted {
        ui.memory_mut(|memory| memory.toggle_popup(list));
    }
    popup_above_or_below_widget(
        ui,
        list,
        &response,
        AboveOrBelow::Above,
        PopupCloseBehavior::CloseOnClickOutside,
        |ui| {
            ui.set_min_width(WIDTH);
            ui.spacing_mut().item_spacing.y = 0.0;
            let listed = StopKind::ALL.into_iter();
            let listed: Vec<_> = listed.filter(|kind| is_listed(app, *kind)).collect();
            head(ui, palette, (count, listed.len()));
            for kind in listed {
                row(ui, app, palette, kind);
            }
        },
    );
    if is_wanted {
        // Only now: the click on the menu by which it was chosen is of this frame, and one beside an open list closes that.
        ui.memory_mut(|memory| memory.open_popup(list));
        ui.ctx().request_repaint();
    }
    app.menu_open |= is_open;
    if !is_open {
        response.on_hover_text(format!(
            "Stop by itself when something happens: breakpoints of the {}.",
            match app.view {
                View::Streaming => "world",
                _ => "battle",
            }
        ));
    }
}

/// Whether it is of the battle, of which Streaming shows nothing.
fn is_of_battle(kind: StopKind) -> bool {
    !matches!(
        kind,
        StopKind::Late | StopKind::LateSelected | StopKind::Elapsed
    )
}

/// Whether it can be chosen here. What time stops for is listed wherever one looks, so that it can be ended.
fn is_listed(app: &App, kind: StopKind) -> bool {
    let is_here = match kind {
        StopKind::LateSelected => app.stream.is_some(),
        _ => app.view != View::Streaming || !is_of_battle(kind),
    };
    is_here || app.stopping.is_on(kind)
}

fn head(ui: &mut Ui, palette: &Palette, (count, all): (usize, usize)) {
    let (rect, _) = ui.allocate_exact_size(vec2(WIDTH, 24.0), Sense::hover());
    spaced_capitals(
        ui.painter(),
        rect.left_center(),
        "stop when",
        palette.text_third,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        format!("{count} of {all} on"),
        number(size::CAPTION),
        palette.text_third,
    );
}

fn row(ui: &mut Ui, app: &mut App, palette: &Palette, kind: StopKind) {
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, ROW), Sense::click());
    let (words, name) = kind.words();
    place(
        ui.ctx(),
        &format!("stop.{name}"),
        rect.with_max_x(rect.left() + 150.0),
    );
    let on = app.stopping.is_on(kind);
    // What is on can be ended, whoever is selected.
    let refusal = app.why_no_stop(kind).filter(|_| !on);
    match refusal {
        None => tell_switch(&response, &format!("Stop at: {words}"), on),
        Some(_) => tell(
            &response,
            WidgetType::Checkbox,
            false,
            &format!("Stop at: {words}"),
        ),
    }
    let painter = ui.painter();
    if response.hovered() {
        painter.rect_filled(
            rect.expand2(vec2(4.0, 0.0)),
            CornerRadius::same(3),
            palette.hover,
        );
    }
    let square = Rect::from_center_size(pos2(rect.left() + 8.0, rect.center().y), vec2(13.0, 13.0));
    if on {
        painter.rect_filled(square, CornerRadius::same(3), palette.accent);
        let tick = [
            square.min + vec2(3.0, 6.5),
            square.min + vec2(5.5, 9.5),
            square.min + vec2(10.0, 3.5),
        ];
        let ink = Stroke::new(1.6, palette.panel);
        painter.line_segment([tick[0], tick[1]], ink);
        painter.line_segment([tick[1], tick[2]], ink);
    } else {
        let ink = match refusal {
            None => palette.strong_line,
            Some(_) => palette.line,
        };
        let line = Stroke::new(1.2, ink);
        painter.rect_stroke(square, CornerRadius::same(3), line, StrokeKind::Inside);
    }
    focus_ring(ui, palette, &response, rect);
    // It stops time all the same where the scene has a battle as well.
    let is_dimmed = is_of_battle(kind) && app.view == View::Streaming;
    let ink = match (is_dimmed || refusal.is_some(), on) {
        (true, _) => palette.text_third,
        (false, true) => palette.text,
        (false, false) => palette.text_second,
    };
    let drawn = painter.text(
        pos2(rect.left() + 24.0, rect.center().y),
        Align2::LEFT_CENTER,
        words,
        text(size::SECOND),
        ink,
    );
    let limit = limit_of(app, kind);
    let mut right = rect.right();
    if let Some(limit) = limit {
        for (word, up) in [("+", true), ("−", false)] {
            let cell = Rect::from_min_size(pos2(right - 22.0, rect.top() + 3.0), vec2(20.0, 20.0));
            right -= 22.0;
            let id = format!("stop.{name}.{}", if up { "more" } else { "less" });
            let change = ui.interact(cell, ui.id().with(&id), Sense::click());
            place(ui.ctx(), &id, cell);
            let change_to = if up { "more" } else { "less" };
            let told = with_commas(limit);
            tell_button(&change, &format!("{words} {told}: {change_to}"));
            focus_ring(ui, palette, &change, cell);
            if change.hovered() {
                ui.painter()
                    .rect_filled(cell, CornerRadius::same(3), palette.strong_line);
            }
            ui.painter().text(
                cell.center(),
                Align2::CENTER_CENTER,
                word,
                number(size::LABEL),
                palette.text,
            );
            if change.clicked() {
                set_limit(app, kind, next(limit, up));
            }
        }
        let line = Rect::from_x_y_ranges(
            drawn.right() + 6.0..=right - 6.0,
            rect.center().y - 10.0..=rect.center().y + 10.0,
        );
        if let Some(limit) = typed_limit(ui, palette, (kind, limit), line) {
            set_limit(app, kind, limit);
            // Whoever says at which number wants time to stop there.
            app.set_stop(kind, true);
        }
    }
    let watched = match kind {
        StopKind::Leaves => {
            let unit = app.stopping.unit.filter(|_| on);
            let unit = unit.or(app.selection.one());
            unit.map(|unit| format!("unit {unit}"))
        }
        StopKind::LateSelected => app.watched_object(),
        _ => None,
    };
    if let Some(watched) = watched {
        let at = pos2(right - 6.0, rect.center().y);
        let room = at.x - drawn.right() - 8.0;
        if room > 0.0 {
            let name = elided(ui, &watched, number(size::SECOND), ink, room);
            let at = at - vec2(name.size().x, name.size().y / 2.0);
            ui.painter().galley(at, name, ink);
        }
    }
    if response.clicked() {
        app.set_stop(kind, !on);
    }
    if kind == StopKind::Elapsed {
        response.on_hover_text(
            "Counted from the last restart, and from tick 0 where there was none: two runs of the same length can be compared.",
        );
    } else if let Some(why) = refusal {
        response.on_hover_text(why);
    } else if is_dimmed {
        response.on_hover_text(
            "Regions, units and lanes are those of the battle, of which Streaming shows none.",
        );
    }
}

/// The next number of 1, 2, 5, 10, 20 … up or down.
fn next(value: u64, up: bool) -> u64 {
    let mut steps = (0..12_u32).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    if up {
        steps.find(|step| *step > value).unwrap_or(value)
    } else {
        steps.take_while(|step| *step < value).last().unwrap_or(1)
    }
}

/// The number at the right end of a row, which can be typed as any value of a panel.
fn typed_limit(
    ui: &mut Ui,
    palette: &Palette,
    (kind, limit): (StopKind, u64),
    line: Rect,
) -> Option<u64> {
    let (words, name) = kind.words();
    let what = Slider {
        id: &format!("stop.{name}.limit"),
        name: words,
        help: "At which number time stops.",
        unit: "",
        track: Track {
            min: 1.0,
            max: most_of(kind) as f64,
            logarithmic: true,
            whole: true,
        },
    };
    let typed = typed_value(ui, palette, &what, limit as f64, line);
    typed.map(|limit| limit as u64)
}

/// The number of a kind that has one.
fn limit_of(app: &App, kind: StopKind) -> Option<u64> {
    match kind {
        StopKind::Crowded => Some(app.stopping.crowded.into()),
        StopKind::Tests => Some(app.stopping.tests),
        StopKind::Elapsed => Some(app.stopping.elapsed),
        _ => None,
    }
}

/// The largest number of a kind.
fn most_of(kind: StopKind) -> u64 {
    match kind {
        StopKind::Crowded => u32::MAX.into(),
        _ => 10_u64.pow(12),
    }
}

fn set_limit(app: &mut App, kind: StopKind, limit: u64) {
    let stopping = &mut app.stopping;
    let limit = limit.min(most_of(kind));
    match kind {
        StopKind::Crowded => stopping.crowded = limit as u32,
        StopKind::Tests => stopping.tests = limit,
        StopKind::Elapsed => stopping.elapsed = limit,
        _ => return,
    }
    app.post_stops();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_go_up_and_down_in_round_numbers() {
        assert_eq!(
            [1, 2, 5, 32, 10_000].map(|it| next(it, true)),
            [2, 5, 10, 50, 20_000]
        );
        assert_eq!(
            [1, 2, 5, 32, 10_000].map(|it| next(it, false)),
            [1, 1, 2, 20, 5_000]
        );
    }
}
