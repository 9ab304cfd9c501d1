//! Who has the keyboard, what it is called, and the cursor that keys move over the field.
//!
//! By the pointer alone nothing keeps the keyboard: Space and the arrows belong to the window. Who presses Tab walks from control to
//! control, and from then on until he clicks or presses Escape these keys belong to what has the line around it.

use crate::app::palette::Palette;
use egui_macroquad::egui::text::{CCursor, CCursorRange};
use egui_macroquad::egui::text_edit::TextEditState;
use egui_macroquad::egui::{
    Context, CornerRadius, EventFilter, Id, Pos2, Rect, Response, RichText, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, WidgetType, vec2,
};

fn walks_id() -> Id {
    Id::new("walks from control to control")
}

/// Whether somebody walks from control to control by keys.
pub fn walks(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(walks_id())).unwrap_or(false)
}

/// Begins that, or ends it.
pub fn set_walks(ctx: &Context, walks: bool) {
    ctx.data_mut(|data| data.insert_temp(walks_id(), walks));
}

/// Says what a control that is drawn by hand is: for screen readers, and whoever else does not see it.
pub fn tell(response: &Response, kind: WidgetType, enabled: bool, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(kind, enabled, name));
}

/// [`tell`] of a button.
pub fn tell_button(response: &Response, name: &str) {
    tell(response, WidgetType::Button, true, name);
}

/// [`tell`] of a button that opens something, or is on or off.
pub fn tell_switch(response: &Response, name: &str, on: bool) {
    tell_state(response, WidgetType::Checkbox, name, on);
}

/// [`tell`] of something along which one goes.
pub fn tell_way(response: &Response, name: &str, value: f64) {
    response.widget_info(|| WidgetInfo::slider(true, value, name));
}

/// [`tell`] of one that is on or off.
pub fn tell_state(response: &Response, kind: WidgetType, name: &str, on: bool) {
    response.widget_info(|| WidgetInfo::selected(kind, true, on, name));
}

/// [`tell_state`] of one of several of which one is chosen, and whether it can be.
pub fn tell_choice(response: &Response, enabled: bool, name: &str, on: bool) {
    response.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, enabled, on, name));
}

/// What stands in an empty line in which one types: as pale as other words of the third rank, and not paler, so that it can be read.
pub fn hint_words(palette: &Palette, words: &str) -> RichText {
    // The cursor stands before it, and not in its first letter.
    RichText::new(format!(" {words}")).color(palette.text_third)
}

/// Says what a line in which one types is for.
pub fn name_it(response: &Response, name: &str) {
    #[cfg(feature = "accessibility")]
    response
        .ctx
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    #[cfg(not(feature = "accessibility"))]
    let _ = (response, name);
}

/// Gives a line in which one types the keyboard, unless something else of its page has it. What had it before the page was opened is no part
/// of that, though egui forgets it a frame later.
pub fn focus_first(ui: &Ui, response: &Response) {
    let (focused, top) = ui.memory(|memory| (memory.focused(), memory.top_modal_layer()));
    // A page over this one has the keyboard.
    if top.is_some_and(|top| top != ui.layer_id()) {
        return;
    }
    let other = focused.and_then(|id| ui.ctx().read_response(id));
    if !other.is_some_and(|other| other.layer_id == ui.layer_id()) {
        response.request_focus();
    }
}

/// Whether a text field has the keyboard. To egui a slider that was dragged has it too.
pub fn focused_text(ctx: &Context) -> bool {
    ctx.memory(|memory| memory.focused())
        .is_some_and(|id| TextEditState::load(ctx, id).is_some())
}

/// Selects all that was typed into the field of this name: what is typed next comes in its place.
pub fn select_typed(ui: &Ui, id: Id, typed: &str) {
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let end = CCursor::new(typed.chars().count());
    let all = CCursorRange::two(CCursor::new(0), end);
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), id);
}

/// What the field is called where it has the keyboard.
pub fn field_id() -> Id {
    Id::new("field with keys")
}

/// Whether the field has the keyboard.
pub fn field_has_keys(ctx: &Context) -> bool {
    walks(ctx) && ctx.memory(|memory| memory.has_focus(field_id()))
}

/// Gives the field the keyboard.
pub fn focus_field(ctx: &Context) {
    set_walks(ctx, true);
    ctx.memory_mut(|memory| memory.request_focus(field_id()));
}

fn cursor_id() -> Id {
    Id::new("cursor on the field")
}

/// Where keys have moved the cursor on the field to.
pub fn set_field_cursor(ctx: &Context, at: Option<Pos2>) {
    ctx.data_mut(|data| data.insert_temp(cursor_id(), at));
}

/// The field as something that can have the keyboard: it takes no clicks, which are the window's, and shows where keys have moved the
/// cursor to.
pub fn field(ui: &mut Ui, palette: &Palette, rect: Rect, name: &str) {
    let id = field_id();
    let response = ui.interact(rect, id, Sense::focusable_noninteractive());
    tell(&response, WidgetType::Other, true, name);
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let stroke = Stroke::new(1.0, palette.accent);
    ui.painter()
        .rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
    let at: Option<Option<Pos2>> = ui.data(|data| data.get_temp(cursor_id()));
    let Some(at) = at.flatten().filter(|at| rect.contains(*at)) else {
        return;
    };
    for way in [
        vec2(1.0, 0.0),
        vec2(-1.0, 0.0),
        vec2(0.0, 1.0),
        vec2(0.0, -1.0),
    ] {
        let arm = [at + way * 4.0, at + way * 12.0];
        ui.painter()
            .line_segment(arm, Stroke::new(1.5, palette.mark));
    }
}
