//! What the mouse and the keys do to the field.
//!
//! A press belongs to whatever it began on until the button is up: a drag that began on a panel never reaches the field,
//! and one that began on the field never reaches a panel.

use super::commands::{self, Command, Layer, View};
use super::input::{InputEvent, Modifiers};
use super::state::{App, MenuWay};
use super::view::{Grip, Press, Views};
use super::widgets::{
    field_has_keys, focus_field, focused_text, forget_value, has_arrows, is_covered,
    set_arrows_elsewhere, set_field_cursor, set_walks, value_has_keys, walk_on_from_value, walks,
};
use egui_macroquad::egui::{Context, LayerId, Order, Pos2, Vec2, pos2, vec2};
use egui_macroquad::macroquad::miniquad::{KeyCode, MouseButton};
use skirmish::geometry;

/// A notch of the wheel zooms by this factor.
const NOTCH: f32 = 1.2;

/// What a held button is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    /// Moves the view of the field.
    Pan(MouseButton),
    /// Whatever it means in the view where it began.
    Of(View),
}

/// The state of mouse and keys between frames.
#[derive(Debug, Default)]
pub struct Control {
    drag: Option<Drag>,
    /// From where the drag began in the window to where that is on the camera's rectangle: a drag stays in its picture.
    way: Vec2,
    pointer: Option<Pos2>,
    /// Whether keys have taken the pointer, and where they have brought it to.
    keys: Option<Pos2>,
    /// How many pixels a point had in the last frame.
    scale: Option<f32>,
}

impl Control {
    /// Takes a frame's events, in their order.
    pub fn handle(
        &mut self,
        app: &mut App,
        views: &mut Views,
        ctx: &Context,
        events: &[InputEvent],
        dialog_open: bool,
    ) {
        let scale = ctx.pixels_per_point();
        self.rescale(scale);
        let to_points = |position: geometry::Vec2| pos2(position.x / scale, position.y / scale);
        let page_open = dialog_open || app.pages.are_open();
        if !page_open {
            drop_focus(ctx);
        }
        set_arrows_elsewhere(ctx, app.arrows_have_work(), app.has_steps());
        for event in events {
            match *event {
                // Escape ends the drag first, and only without one what else is open.
                InputEvent::KeyDown {
                    key: KeyCode::Escape,
                    ..
                } if self.drag.is_some() => self.cancel(app, views),
                InputEvent::KeyDown {
                    key: KeyCode::Escape,
                    ..
                } if !page_open && !app.menu_open && leave_control(ctx) => self.keys = None,
                InputEvent::KeyDown {
                    key,
                    modifiers,
                    repeat,
                } => {
                    if key == KeyCode::Tab && !modifiers.command() {
                        // What lies under a page is not walked to.
                        if !walks(ctx) && !page_open {
                            walk_on_from_value(ctx);
                        }
                        set_walks(ctx, true);
                        // What gets the keyboard is pressed by Return, and nothing beside it.
                        app.menu_keys.leave();
                        continue;
                    }
                    if !page_open && !modifiers.command() && is_of_menu(app, ctx, key, repeat) {
                        continue;
                    }
                    if !page_open && self.field_key(app, views, ctx, key, modifiers) {
                        continue;
                    }
                    if !page_open && is_of_control(ctx, key, modifiers) {
                        continue;
                    }
                    let is_typed = value_has_keys(ctx) && is_of_value(key);
                    let elsewhere = page_open
                        || app.menu_open
                        || is_typed
                        || focused_text(ctx)
                        || has_arrows(ctx)
                        || modifiers.command();
                    if !elsewhere && views.of(app.view).key_down(app, key) {
                        continue;
                    }
                    key_down(app, ctx, key, modifiers, repeat, dialog_open);
                }
                InputEvent::PointerMoved { position, .. } => {
                    self.keys = None;
                    app.menu_keys.let_go();
                    self.moved(app, views, to_points(position))
                }
                InputEvent::Pressed {
                    button,
                    position,
                    modifiers,
                } => {
                    let at = to_points(position);
                    self.keys = None;
                    set_walks(ctx, false);
                    if !value_has_keys(ctx) {
                        forget_value(ctx);
                    }
                    self.moved(app, views, at);
                    let folded = fold(app, views, ctx, at);
                    if let Some(folded) = folded.filter(|_| !page_open && self.drag.is_none()) {
                        self.way = folded - at;
                        let press = Press {
                            at: folded,
                            modifiers,
                        };
                        self.pressed(app, views, button, press);
                    }
                }
                InputEvent::Released { button, position } => {
                    let at = to_points(position);
                    self.moved(app, views, at);
                    self.released(app, views, button, at);
                }
                InputEvent::Wheel {
                    notches,
                    position,
                    modifiers,
                } => {
                    let at = to_points(position);
                    if let Some(at) = fold(app, views, ctx, at).filter(|_| !page_open) {
                        wheel(app, views, at, notches.y, modifiers);
                    }
                }
                InputEvent::Cancelled => self.cancel(app, views),
                InputEvent::KeyUp { key } => {
                    let shown = app.view;
                    for (name, view) in views.each() {
                        view.key_up(app, key, name == shown);
                    }
                }
                InputEvent::Text(_) => {}
            }
        }
        // The entry that is lit there is pressed by Return, and not the control that somebody walked to as well.
        if app.menu_keys.lead() {
            leave_control(ctx);
        }
        set_field_cursor(ctx, self.keys.filter(|_| field_has_keys(ctx)));
        if app.scripted {
            // The script is the pointer.
            return;
        }
        let over = self.pointer.filter(|_| !page_open).and_then(|at| {
            if self.drag.is_some() {
                Some(at + self.way)
            } else {
                fold(app, views, ctx, at)
            }
        });
        app.cursor = over.map(|at| app.camera.to_world(at));
    }

    /// The pointer stays at its pixel where the interface becomes larger or smaller, which is another point.
    fn rescale(&mut self, scale: f32) {
        let before = self.scale.replace(scale).unwrap_or(scale);
        let by = before / scale;
        for at in [&mut self.pointer, &mut self.keys].into_iter().flatten() {
            *at = (at.to_vec2() * by).to_pos2();
        }
        self.way *= by;
    }

    /// Takes a key where the field has the keyboard: the arrows move the cursor, Enter is the button of the mouse. Whether it was
    /// one of these.
    fn field_key(
        &mut self,
        app: &mut App,
        views: &mut Views,
        ctx: &Context,
        key: KeyCode,
        modifiers: Modifiers,
    ) -> bool {
        /// How far an arrow goes, in points; with Shift it is five times as far.
        const STEP: f32 = 8.0;
        if !field_has_keys(ctx) {
            return false;
        }
        let screen = app.camera.screen;
        let at = self.keys.unwrap_or_else(|| {
            let pointer = self.pointer.filter(|at| screen.contains(*at));
            pointer.unwrap_or(screen.center())
        });
        let way = match key {
            KeyCode::Left => vec2(-1.0, 0.0),
            KeyCode::Right => vec2(1.0, 0.0),
            KeyCode::Up => vec2(0.0, -1.0),
            KeyCode::Down => vec2(0.0, 1.0),
            KeyCode::Enter | KeyCode::KpEnter => Vec2::ZERO,
            _ => return false,
        };
        let is_press = way == Vec2::ZERO;
        if modifiers.command() && !is_press {
            return false;
        }
        let far = if modifiers.shift { 5.0 } else { 1.0 };
        let to = at
            + if is_press {
                Vec2::ZERO
            } else {
                way * (STEP * far)
            };
        let to = to.clamp(screen.min + Vec2::splat(2.0), screen.max - Vec2::splat(2.0));
        self.keys = Some(to);
        self.moved(app, views, to);
        if !is_press {
            return true;
        }
        let left = MouseButton::Left;
        if self.drag.is_some() {
            self.released(app, views, left, to);
            return true;
        }
        if let Some(folded) = fold(app, views, ctx, to) {
            self.way = folded - to;
            // Control holds what is pressed, and is no part of the press.
            let press = Press {
                at: folded,
                modifiers: Modifiers {
                    ctrl: false,
                    logo: false,
                    ..modifiers
                },
            };
            self.pressed(app, views, left, press);
            if !modifiers.command() {
                self.released(app, views, left, to);
            }
        }
        true
    }

    fn cancel(&mut self, app: &mut App, views: &mut Views) {
        self.drag = None;
        for (_, view) in views.each() {
            view.cancel(app);
        }
    }

    fn moved(&mut self, app: &mut App, views: &mut Views, at: Pos2) {
        let before = self.pointer.replace(at).unwrap_or(at);
        match self.drag {
            Some(Drag::Pan(_)) => pan(app, before, at),
            Some(Drag::Of(view)) => {
                let grip = views.of(view).dragged(app, at + self.way);
                self.hold(view, grip);
            }
            None => {}
        }
    }

    fn pressed(&mut self, app: &mut App, views: &mut Views, button: MouseButton, press: Press) {
        match button {
            MouseButton::Middle | MouseButton::Right => self.drag = Some(Drag::Pan(button)),
            MouseButton::Left => {
                let grip = views.of(app.view).pressed(app, press);
                self.hold(app.view, grip);
            }
            MouseButton::Unknown => {}
        }
    }

    /// Takes down what a view says that the left button holds.
    fn hold(&mut self, view: View, grip: Grip) {
        self.drag = match grip {
            Grip::Nothing => None,
            Grip::Held => Some(Drag::Of(view)),
        };
    }

    fn released(&mut self, app: &mut App, views: &mut Views, button: MouseButton, at: Pos2) {
        let ended = match self.drag {
            Some(Drag::Pan(held)) => held == button,
            Some(Drag::Of(_)) => button == MouseButton::Left,
            None => false,
        };
        if !ended {
            return;
        }
        if let Some(Drag::Of(view)) = self.drag.take() {
            views.of(view).released(app, at + self.way);
        }
    }
}

/// Whether a key goes to a value that was just typed: what numbers are written with, and what opens and closes its field.
fn is_of_value(key: KeyCode) -> bool {
    let digits = [
        KeyCode::Key0 as u32..=KeyCode::Key9 as u32,
        KeyCode::Kp0 as u32..=KeyCode::Kp9 as u32,
    ];
    digits.iter().any(|digits| digits.contains(&(key as u32)))
        || matches!(
            key,
            KeyCode::Minus
                | KeyCode::Equal
                | KeyCode::Period
                | KeyCode::Comma
                | KeyCode::KpSubtract
                | KeyCode::KpEqual
                | KeyCode::KpDecimal
                | KeyCode::Enter
                | KeyCode::KpEnter
                | KeyCode::Backspace
                | KeyCode::Escape
        )
}

/// Takes the keyboard from whatever has it, unless that is a text field, a value that is being typed, or what somebody walked to by Tab:
/// by the pointer alone Space and the arrows belong to the window, not to the control that was used last.
fn drop_focus(ctx: &Context) {
    if !focused_text(ctx) && !value_has_keys(ctx) && !walks(ctx) {
        ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }
}

/// Ends the walk from control to control; whether there was one.
fn leave_control(ctx: &Context) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    if !walks(ctx) || focused_text(ctx) {
        return false;
    }
    set_walks(ctx, false);
    if let Some(id) = focused {
        ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    focused.is_some()
}

/// Whether a key goes to the control that somebody walked to: it presses it, turns it, or goes on to the next one.
fn is_of_control(ctx: &Context, key: KeyCode, modifiers: Modifiers) -> bool {
    let is_walked = walks(ctx) && ctx.memory(|memory| memory.focused().is_some());
    let is_its_own = matches!(
        key,
        KeyCode::Space
            | KeyCode::Enter
            | KeyCode::KpEnter
            | KeyCode::Left
            | KeyCode::Right
            | KeyCode::Up
            | KeyCode::Down
    );
    is_walked && is_its_own && !modifiers.command() && !field_has_keys(ctx)
}

/// Whether a key goes to the menu, or to the list that was unfolded, which is open: nothing behind it moves by what walks and chooses there,
/// and behind a menu nothing does anything by a plain key.
fn is_of_menu(app: &mut App, ctx: &Context, key: KeyCode, repeat: bool) -> bool {
    if !app.menu_open {
        return false;
    }
    let way = match key {
        KeyCode::Down => Some(MenuWay::Down),
        KeyCode::Up => Some(MenuWay::Up),
        KeyCode::Home | KeyCode::PageUp => Some(MenuWay::First),
        KeyCode::End | KeyCode::PageDown => Some(MenuWay::Last),
        _ => None,
    };
    let is_return = matches!(key, KeyCode::Enter | KeyCode::KpEnter);
    if !app.menu_keys.is_open() {
        // Nor does a menu open over a list.
        let is_of_bar = matches!(key, KeyCode::Left | KeyCode::Right | KeyCode::F10);
        return way.is_some() || is_return || is_of_bar;
    }
    match (key, way) {
        // The control that somebody walked to by Tab would take the arrow as well.
        (_, Some(way)) => {
            leave_control(ctx);
            app.menu_keys.walk(way);
        }
        (KeyCode::Right, _) => {
            leave_control(ctx);
            app.menu_keys.right();
        }
        (KeyCode::Left, _) => {
            leave_control(ctx);
            app.menu_keys.left();
        }
        // Whoever holds it has opened it by that.
        (KeyCode::F10, _) if !repeat => app.menu_keys.turn(),
        _ if is_return => app.menu_keys.choose(),
        _ => {}
    }
    key != KeyCode::Escape
}

/// Where on the camera's rectangle a point of the window lies, if it belongs to the field: no panel, chip, menu or page lies over
/// it.
fn fold(app: &App, views: &mut Views, ctx: &Context, at: Pos2) -> Option<Pos2> {
    let on_top = ctx
        .layer_id_at(at)
        .is_some_and(|layer: LayerId| layer.order != Order::Background);
    // A press beside what is open closes that and does nothing else.
    views
        .of(app.view)
        .fold(app, at)
        .filter(|_| !on_top && !app.menu_open && !is_covered(ctx, at))
}

fn pan(app: &mut App, from: Pos2, to: Pos2) {
    if from != to {
        app.pan(to.x - from.x, to.y - from.y);
    }
}

fn wheel(app: &mut App, views: &mut Views, at: Pos2, notches: f32, modifiers: Modifiers) {
    let factor = NOTCH.powf(notches);
    if !views.of(app.view).wheel(app, factor, modifiers) {
        app.framed = false;
        app.camera.zoom_at(at, factor);
    }
}

/// Said of the key of the cursor on the field where the arrows go from step to step.
const STEPS_HAVE_ARROWS: &str = "The arrows go from step to step here. 'Cursor by keys' in the menu View gives them a cursor on the field, until Escape.";

fn key_down(
    app: &mut App,
    ctx: &Context,
    key: KeyCode,
    modifiers: Modifiers,
    repeat: bool,
    dialog_open: bool,
) {
    if value_has_keys(ctx) && !modifiers.command() && is_of_value(key) {
        return;
    }
    let is_arrow = matches!(
        key,
        KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down
    );
    if is_arrow && has_arrows(ctx) && !modifiers.command() {
        return;
    }
    let Some(command) = commands::of_key(key, modifiers.command(), modifiers.shift) else {
        return;
    };
    if command == Command::FieldCursor
        && !dialog_open
        && !app.pages.are_open()
        && !focused_text(ctx)
    {
        // Whoever has pressed it by mistake would lose the arrows.
        return match app.has_steps() {
            true => app.say(STEPS_HAVE_ARROWS),
            false => focus_field(ctx),
        };
    }
    // Who holds the timeline looks; an edit would cut what is known after the tick under the hand. And whoever has a menu or a list open
    // is busy there: what an edit does behind it is not seen, and may change what it lists. What is set in a popup is undone in it.
    let is_undo = matches!(command, Command::Undo | Command::Redo);
    let is_behind = app.menu_open && !(app.menu_sets && is_undo);
    if (app.holds_timeline() || is_behind) && command.is_edit() {
        return;
    }
    // A text field has the plain keys; Ctrl with a letter that edits text, or with an arrow, is its own as well. A value that somebody has
    // walked to opens its field with all of it selected.
    let opens_field = value_has_keys(ctx) && command == Command::SelectAll;
    let typing = focused_text(ctx) || opens_field;
    let edits_text = matches!(
        command,
        Command::Undo
            | Command::Redo
            | Command::SelectAll
            | Command::Copy
            | Command::Cut
            | Command::Paste
            | Command::PreviousMark
            | Command::NextMark
    );
    let leaves = matches!(
        command,
        Command::Escape
            | Command::Quit
            | Command::Palette
            | Command::Gallery
            | Command::Figures
            | Command::Settings
    );
    // Whoever cannot read a page makes it larger while it is open.
    let is_of_scale = matches!(
        command,
        Command::Larger | Command::Smaller | Command::PlainScale
    );
    if (dialog_open && command != Command::Quit && !is_of_scale)
        || (typing && !leaves && (!modifiers.command() || edits_text))
    {
        return;
    }
    // Pages have the keys that scroll and close them.
    let page_open = app.pages.are_open();
    if page_open && !leaves && !is_of_scale && command != Command::Help {
        return;
    }
    // Of the tree that is in sight nobody asks where it is.
    if command == Command::Tree
        && let Some(words) = app.tree_of_steps(ctx.screen_rect().height())
    {
        return app.say(words);
    }
    // What nobody sees is changed by no key that was hit by mistake.
    if command.is_of_battle() && !app.view.row().shows_battle {
        // Of trees there are some there as well.
        let words = match (command, app.may(command)) {
            (Command::Tree, Err(why)) => why.to_owned(),
            _ => format!(
                "This key is the battle's, which {} does not show; {} does.",
                app.view.row().name,
                commands::VIEWS[0].name
            ),
        };
        app.say(words);
        return;
    }
    if let Command::Layer(layer) = command
        && let Err(why) = app.may(command)
    {
        let view = app.view.row().name;
        return app.say(match Layer::STREAMING.contains(&layer) {
            true => format!(
                "This key is for the layer {} of Streaming, which {view} does not show.",
                layer.name()
            ),
            false => why.to_owned(),
        });
    }
    // A column of figures that nobody sees, or a tree of which none is in sight; the menu says the same.
    if matches!(command, Command::Pin | Command::Tree)
        && let Err(why) = app.may(command)
    {
        return app.say(why);
    }
    let repeats = matches!(
        command,
        Command::Pan(..)
            | Command::Larger
            | Command::Smaller
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::Step
            | Command::StepBack
            | Command::NextStructure
            | Command::PreviousStructure
    );
    if !repeat || repeats {
        app.run_by_key(command);
    }
}

#[cfg(test)]
mod tests;
