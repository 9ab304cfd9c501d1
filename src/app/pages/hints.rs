//! The three hints of the first minutes: one at a time, each gone for good when what it tells was done, also before it was shown, or when it
//! was closed, or when it has been there long enough to be read many times: it lies over the field.

use crate::app::commands::View;
use crate::app::palette::{Palette, faded};
use crate::app::settings::Hint;
use crate::app::state::{App, Tool};
use crate::app::theme::{layout, size};
use crate::app::widgets::{clear_place, cover, fixed_places, place};
use egui_macroquad::egui::{
    Align, Area, Button, Context, CornerRadius, Frame, Id, Label, Layout, Margin, Order, Rect,
    RichText, Stroke, pos2, vec2,
};

/// How wide a chip is, in points.
const WIDTH: f32 = 290.0;
/// How high it is, about.
const HEIGHT: f32 = 34.0;

/// Draws the hint whose turn it is. Where it is followed is noted as the user acts.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette, field: Rect) {
    // Nobody is there to read it where frames are counted or a script plays; and what else is said comes first.
    if app.fixed || app.scripted {
        return;
    }
    let is_alone = app.notice.is_none() && app.files.news_of_disk().is_none() && !app.is_stepping();
    if !is_alone {
        return;
    }
    let wanted = |hint: &Hint| !app.settings.has_seen(*hint) && suits(app, *hint);
    let Some(hint) = Hint::ALL.into_iter().find(wanted) else {
        return;
    };
    let Some(rect) = place_of(ctx, app.beside_drawers(field)) else {
        return;
    };
    if was_read(ctx, hint) {
        app.settings.note_seen(hint);
        return;
    }
    let mut is_closed = false;
    let shown = Area::new(Id::new("hint"))
        .order(Order::Middle)
        .fixed_pos(rect.min)
        .show(ctx, |ui| {
            Frame::new()
                .fill(faded(palette.panel, 0.94))
                .stroke(Stroke::new(1.0, palette.accent))
                .corner_radius(CornerRadius::same(5))
                .inner_margin(Margin::symmetric(12, 6))
                .show(ui, |ui| {
                    ui.set_width(rect.width() - 24.0);
                    ui.horizontal(|ui| {
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            let close = Button::new("×").frame(false).min_size(vec2(18.0, 18.0));
                            let close = ui.add(close);
                            place(ui.ctx(), "hint.close", close.rect);
                            is_closed = close.clicked();
                            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                                let words = RichText::new(words(app, hint)).size(size::SECOND);
                                ui.add(Label::new(words.color(palette.text)).wrap());
                            });
                        });
                    });
                });
        });
    place(ctx, "hint", shown.response.rect);
    cover(ctx, shown.response.rect);
    if is_closed {
        app.settings.note_seen(hint);
    }
}

/// Whether a hint means something where the user is.
fn suits(app: &App, hint: Hint) -> bool {
    match hint {
        Hint::Place => {
            matches!(app.view, View::Battle | View::Volume)
                && matches!(app.brush.tool, Tool::Blue | Tool::Orange)
        }
        // In Compare there is a plot where it would stand.
        Hint::Structure => matches!(app.view, View::Battle | View::Volume),
        // Before there is a past there is nowhere to go back to.
        Hint::Timeline => app.place.end > 120 && app.view != View::Compare,
    }
}

fn words(app: &App, hint: Hint) -> &'static str {
    match hint {
        Hint::Place => "Click the field to place units.",
        Hint::Structure if app.flight.is_some() => "1 to 4 choose the structure.",
        Hint::Structure => "1 to 9, 0, - and = choose the structure.",
        Hint::Timeline => "Drag the timeline to go back in time.",
    }
}

/// Where it stands: above the chip of the scale, or where else nothing lies; nowhere in a field that is too small for it.
fn place_of(ctx: &Context, field: Rect) -> Option<Rect> {
    let room = field.shrink(layout::CHIP);
    if room.width() < WIDTH || room.height() < 240.0 {
        return None;
    }
    let left = room.right() - WIDTH;
    let steps = (0..12_u8).map(|step| f32::from(step) * 12.0);
    let corners = steps.map(|up| pos2(left, room.bottom() - 40.0 - HEIGHT - up));
    clear_place(room, vec2(WIDTH, HEIGHT), corners, &fixed_places(ctx))
}

/// Whether it has been there for so long, all in all, that it has been read many times. While it was not to be seen no time passes for it.
fn was_read(ctx: &Context, hint: Hint) -> bool {
    const LONG: f64 = 30.0;
    let (now, pass) = (ctx.input(|input| input.time), ctx.cumulative_pass_nr());
    let id = Id::new(("hint seen for", hint as u8));
    let seen = ctx.data_mut(|data| {
        let (seen, last, last_pass) = data
            .get_temp::<(f64, f64, u64)>(id)
            .unwrap_or((0.0, now, pass));
        let goes_on = pass <= last_pass + 2;
        let seen = if goes_on { seen + (now - last) } else { seen };
        data.insert_temp(id, (seen, now, pass));
        seen
    });
    if seen < LONG {
        ctx.request_repaint_after_secs((LONG - seen) as f32);
    }
    seen >= LONG
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::RawInput;

    #[test]
    fn a_hint_goes_when_it_has_been_there_for_half_a_minute_whatever_lay_over_it_meanwhile() {
        let ctx = Context::default();
        let at = |time: f64, is_shown: bool| {
            let input = RawInput {
                time: Some(time),
                ..RawInput::default()
            };
            let mut was = false;
            let _ = ctx.run(input, |ctx| was = is_shown && was_read(ctx, Hint::Place));
            was
        };
        assert!(!at(0.0, true) && !at(20.0, true));
        // What is said over it takes a minute.
        for time in [21.0, 41.0, 61.0, 81.0] {
            assert!(!at(time, false));
        }
        assert!(!at(82.0, true) && !at(91.0, true));
        assert!(at(93.0, true));
    }
}
