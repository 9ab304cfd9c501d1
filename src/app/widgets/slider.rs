//! Sliders, whose values can be dragged, nudged by keys, and typed.

use super::focus::tell_state;
use super::places::place;
use super::reading::off_what_is_read;
use super::track::{Slider, Track};
use super::typed::{typed_id, typed_value};
use super::value::name_width;
use crate::app::palette::{Palette, mixed};
use crate::app::theme::{size, text};
use egui_macroquad::egui::{
    Align2, Context, CornerRadius, EventFilter, Id, Key, Painter, Pos2, Rect, Response, Sense,
    Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use std::ops::RangeInclusive;

/// A slider, 36 points high: name and value above a thin track. Returns the new value when it changed. A value that is no number stands for
/// several that differ.
pub fn slider(ui: &mut Ui, palette: &Palette, what: &Slider<'_>, value: f64) -> Option<f64> {
    handle(ui, palette, what, value).1
}

/// A slider of what may be left to the program: the word `auto` stands behind its name, and lets it choose, or holds what it
/// chose. `value` is what is reckoned with. Returns the new value, or `None` within for `auto`, when that changed.
pub fn auto_slider(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    value: f64,
    is_auto: bool,
) -> Option<Option<f64>> {
    let (rect, new) = handle(ui, palette, what, value);
    let left = rect.left() + name_width(ui, what.name) + 2.0;
    let word = Rect::from_min_size(pos2(left, rect.top() + 1.0), vec2(auto_width(ui), 18.0));
    let help = if is_auto {
        "Chosen to fit the reach, the bodies and how close they stand, and kept while it still fits. Click to hold it at this value."
    } else {
        "Let the structure choose what fits the reach, the bodies and how close they stand."
    };
    let clicked = auto_word(ui, palette, (what.id, what.name), word, (is_auto, help));
    match clicked {
        true if is_auto => Some(Some(value)),
        true => Some(None),
        false => new.map(Some),
    }
}

/// How much room the word `auto` takes, in points.
pub fn auto_width(ui: &Ui) -> f32 {
    name_width(ui, AUTO) + 12.0
}

/// The word `auto` behind the name of what may be left to the program, in a given rectangle: lit while it is, with a sentence for its
/// tooltip. Whether it was clicked.
pub fn auto_word(
    ui: &Ui,
    palette: &Palette,
    (id, name): (&str, &str),
    word: Rect,
    (is_auto, help): (bool, &str),
) -> bool {
    place(ui.ctx(), &format!("{id}.auto"), word);
    let response = ui.interact(word, ui.id().with((id, AUTO)), Sense::click());
    let name = format!("{name}: {AUTO}");
    tell_state(&response, WidgetType::Checkbox, &name, is_auto);
    let color = match (is_auto, response.hovered()) {
        (true, _) => palette.accent,
        (false, true) => palette.text,
        (false, false) => palette.text_third,
    };
    ui.painter().text(
        word.center(),
        Align2::CENTER_CENTER,
        AUTO,
        text(size::LABEL),
        color,
    );
    if response.has_focus() {
        ui.painter().rect_stroke(
            word,
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Inside,
        );
    }
    let clicked = response.clicked();
    // Short: as long as egui does not know how large a longer one is, that lies over the word unseen, and takes a quick click.
    response.on_hover_text(help);
    clicked
}

/// The keys that a value which was just typed keeps.
const ARROWS: EventFilter = EventFilter {
    tab: false,
    horizontal_arrows: true,
    vertical_arrows: true,
    escape: false,
};

fn elsewhere_id() -> Id {
    Id::new("arrows go elsewhere")
}

/// Says whether the arrow keys go from step to step, walk somebody or move who is selected: then they turn no slider for the pointer that
/// only rests there. Where they are `of_steps` not even the one that was pressed last keeps them: whoever has set a knob goes on with the
/// steps that come of it.
pub fn set_arrows_elsewhere(ctx: &Context, elsewhere: bool, of_steps: bool) {
    ctx.data_mut(|data| data.insert_temp(elsewhere_id(), (elsewhere, of_steps)));
}

/// Which slider was pressed last, while the pointer is over it.
fn pressed_id() -> Id {
    Id::new("slider pressed last")
}

/// The arrow keys are a slider's in this pass.
fn claim_arrows(ctx: &Context) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(Id::new("slider has arrows"), pass));
}

/// Whether the arrow keys are a slider's, so that they are nobody else's.
pub fn has_arrows(ctx: &Context) -> bool {
    let claimed: Option<u64> = ctx.data(|data| data.get_temp(Id::new("slider has arrows")));
    claimed.is_some_and(|pass| pass + 1 >= ctx.cumulative_pass_nr())
}

const AUTO: &str = "auto";
/// How far down the value can be clicked, in points.
const VALUE: f32 = 19.0;

/// The slider itself: where it is, and the new value when it changed.
fn handle(ui: &mut Ui, palette: &Palette, what: &Slider<'_>, value: f64) -> (Rect, Option<f64>) {
    let Slider {
        id,
        name,
        help,
        unit: _,
        track,
    } = *what;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click_and_drag());
    let line = track_in(rect);
    place(ui.ctx(), id, line.expand2(vec2(0.0, 6.0)));
    let mut new = None;
    // Only the lower half is the handle, so that a click on the name changes nothing.
    let grip = ui.id().with((id, "grip"));
    let begun = ui.input(|input| input.pointer.press_origin());
    if response.is_pointer_button_down_on()
        && let (Some(at), Some(begun)) = (response.interact_pointer_pos(), begun)
    {
        // Whoever takes the track wants the value there; whoever takes the number wants it to go on from what it is. What was taken is
        // known from the first, wherever the slider goes meanwhile.
        let is_track = begun.y >= rect.top() + 16.0;
        let (is_track, from) = ui.data_mut(|data| *data.get_temp_mut_or(grip, (is_track, value)));
        let of = |way: f32| f64::from(way / line.width());
        if is_track && (response.dragged() || at.y <= rect.bottom()) {
            new = Some(track.value_at(of(at.x - line.left())));
        } else if !is_track && response.dragged() {
            new = Some(track.value_at(track.part_of(from) + of(at.x - begun.x)));
        }
    } else {
        ui.data_mut(|data| data.remove::<(bool, f64)>(grip));
        // Pressed and let go between two frames, as a tap is: nobody has seen it down. Of any other click this is what it has set.
        let tapped = response
            .interact_pointer_pos()
            .filter(|_| response.clicked());
        if let Some(at) = tapped.filter(|at| at.y >= rect.top() + 16.0) {
            new = Some(track.value_at(f64::from((at.x - line.left()) / line.width())));
        }
    }
    if response.clicked() || response.dragged() {
        response.request_focus();
    }
    let told = if value.is_nan() { track.min } else { value };
    response.widget_info(|| WidgetInfo::slider(true, told, name));
    tell_track(ui, &response, track);
    if let Some(asked) = asked_value(ui, &response) {
        new = Some(track.round(asked));
    }
    // The arrows are that slider's which has the keyboard, or whose value has it, or over which the pointer is.
    let kept = typed_id(ui, what);
    let is_typed = ui.memory(|memory| memory.has_focus(kept));
    let (go_elsewhere, of_steps) = ui.data(|data| {
        data.get_temp::<(bool, bool)>(elsewhere_id())
            .unwrap_or_default()
    });
    // Whoever has just pressed it goes on with the arrows, as long as the pointer stays.
    let was_pressed = ui.data(|data| data.get_temp(pressed_id()) == Some(response.id));
    if response.clicked() || response.dragged() {
        ui.data_mut(|data| data.insert_temp(pressed_id(), response.id));
    } else if was_pressed && !response.contains_pointer() {
        ui.data_mut(|data| data.remove::<Id>(pressed_id()));
    }
    let goes_on = was_pressed && !of_steps;
    let is_pointed = response.contains_pointer() && (!go_elsewhere || goes_on);
    // Whoever has typed a value and gone elsewhere with the pointer goes on with what the arrows do there.
    let keeps_arrows = is_typed && (!go_elsewhere || response.contains_pointer());
    if is_pointed || keeps_arrows {
        claim_arrows(ui.ctx());
    }
    if is_typed {
        // Otherwise egui takes them for a wish to go elsewhere.
        ui.memory_mut(|memory| memory.set_focus_lock_filter(kept, ARROWS));
    }
    if response.has_focus() {
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, ARROWS));
    }
    let mut way = asked_steps(ui, &response);
    let is_free = ui.memory(|memory| memory.focused().is_none_or(|id| id == kept));
    if response.has_focus() || keeps_arrows || (is_pointed && is_free) {
        way += ui.input(|input| {
            let count = |key| input.num_presses(key) as f64;
            let up = count(Key::ArrowRight) + count(Key::ArrowUp);
            let down = count(Key::ArrowLeft) + count(Key::ArrowDown);
            (up - down) * if input.modifiers.shift { 10.0 } else { 1.0 }
        });
    }
    // One percent of the track a key press, ten with Shift.
    if way != 0.0 {
        let nudged = track.value_at(track.part_of(value) + 0.01 * way);
        new = Some(if nudged == value {
            track.round(value + way)
        } else {
            nudged
        });
    }
    let shown = new.unwrap_or(value);
    let painter = ui.painter().clone();
    named(&painter, palette, rect, name, response.hovered());
    new = typed_value(ui, palette, what, shown, rect.with_max_y(rect.top() + 16.0)).or(new);
    let part = track.part_of(shown) as f32;
    let x = line.left() + line.width() * part;
    track_of(&painter, palette, line, line.left()..=x);
    knob(&painter, palette, pos2(x, line.center().y), &response);
    if response.has_focus() {
        painter.rect_stroke(
            rect.expand(2.0),
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
    }
    // The value above the track says what it is itself; to egui both are under the pointer, as one is clicked and one dragged.
    let is_on_track = |at: Pos2| at.y > rect.top() + VALUE;
    if response.hover_pos().is_none_or(is_on_track) {
        off_what_is_read(response).on_hover_text(help);
    }
    (rect, new.filter(|new| *new != value))
}

/// How far something along which one goes is to go: by the arrow keys where it has the keyboard, or as assistive technology asks.
pub fn asked_way(ui: &Ui, response: &Response) -> f64 {
    let mut way = asked_steps(ui, response);
    if response.has_focus() {
        let filter = EventFilter {
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |key| f64::from(u8::from(ui.input(|input| input.key_pressed(key))));
        way += pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
    }
    way
}

/// How many steps assistive technology wants it to go.
#[cfg(feature = "accessibility")]
fn asked_steps(ui: &Ui, response: &Response) -> f64 {
    use egui_macroquad::egui::accesskit::Action;
    let asked =
        |action| ui.input(|input| input.num_accesskit_action_requests(response.id, action)) as f64;
    asked(Action::Increment) - asked(Action::Decrement)
}

/// None, where nobody is told of it.
#[cfg(not(feature = "accessibility"))]
const fn asked_steps(_: &Ui, _: &Response) -> f64 {
    0.0
}

/// How many rows a list is to go down, by the arrow keys where it has the keyboard, or as assistive technology asks.
pub fn rows_walked(ui: &Ui, response: &Response) -> isize {
    if !response.has_focus() {
        return asked_way(ui, response) as isize;
    }
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| isize::from(ui.input(|input| input.key_pressed(key)));
    pressed(Key::ArrowDown) - pressed(Key::ArrowUp)
}

/// The value that assistive technology sets.
#[cfg(feature = "accessibility")]
fn asked_value(ui: &Ui, response: &Response) -> Option<f64> {
    use egui_macroquad::egui::accesskit::{Action, ActionData};
    ui.input(|input| {
        let mut asked = input.accesskit_action_requests(response.id, Action::SetValue);
        asked.find_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) if value.is_finite() => Some(value),
            _ => None,
        })
    })
}

/// Nobody sets it where nobody is told of it.
#[cfg(not(feature = "accessibility"))]
const fn asked_value(_: &Ui, _: &Response) -> Option<f64> {
    None
}

/// Tells assistive technology how far a slider goes, and that it can be set.
fn tell_track(ui: &Ui, response: &Response, track: Track) {
    #[cfg(feature = "accessibility")]
    ui.ctx().accesskit_node_builder(response.id, |node| {
        use egui_macroquad::egui::accesskit::Action;
        node.set_min_numeric_value(track.min);
        node.set_max_numeric_value(track.max);
        for action in [Action::SetValue, Action::Increment, Action::Decrement] {
            node.add_action(action);
        }
    });
    #[cfg(not(feature = "accessibility"))]
    let _ = (ui, response, track);
}

/// The name of a slider, at the upper left.
pub(super) fn named(painter: &Painter, palette: &Palette, rect: Rect, name: &str, is_hot: bool) {
    let color = if is_hot {
        palette.text
    } else {
        palette.text_second
    };
    let at = pos2(rect.left(), rect.top() + 10.0);
    painter.text(at, Align2::LEFT_CENTER, name, text(size::LABEL), color);
}

/// Where the track lies in the row of a slider: nearer to the name above it than to that of the next row, however close that stands.
pub(super) fn track_in(rect: Rect) -> Rect {
    Rect::from_min_max(
        pos2(rect.left() + 4.0, rect.top() + 24.0),
        pos2(rect.right() - 4.0, rect.top() + 27.0),
    )
}

/// The track of a slider, and the part of it that is meant.
pub(super) fn track_of(
    painter: &Painter,
    palette: &Palette,
    line: Rect,
    meant: RangeInclusive<f32>,
) {
    let corner = CornerRadius::same(1);
    painter.rect_filled(line, corner, palette.hover);
    let meant = Rect::from_x_y_ranges(meant, line.y_range());
    painter.rect_filled(meant, corner, mixed(palette.panel, palette.accent, 0.8));
}

/// What is dragged on a track, and how large it is.
pub(super) fn knob(painter: &Painter, palette: &Palette, at: Pos2, response: &Response) -> f32 {
    let radius = if response.hovered() || response.dragged() {
        6.0
    } else {
        5.0
    };
    painter.circle_filled(at, radius, palette.text);
    radius
}
