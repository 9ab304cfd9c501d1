//! What the mouse and the keys do to the field.
//!
//! A press belongs to whatever it began on until the button is up: a drag that began on a panel never reaches the field,
//! and one that began on the field never reaches a panel.

use super::commands::{self, Command, View};
use super::input::{InputEvent, Modifiers};
use super::state::{App, Tool};
use super::widgets::is_covered;
use egui_macroquad::egui::{Context, LayerId, Order, Pos2, TextEdit, pos2};
use egui_macroquad::macroquad::miniquad::{KeyCode, MouseButton};
use skirmish::geometry::Vec2;
use skirmish::partition::NearestQuery;
use std::time::{Duration, Instant};

/// Two clicks within this time and this many points are a double click.
const DOUBLE_CLICK: (Duration, f32) = (Duration::from_millis(400), 6.0);
/// A notch of the wheel zooms by this factor.
const NOTCH: f32 = 1.2;
/// The character is grabbed within this many points.
const GRAB: f32 = 18.0;

/// What a held button is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    /// Moves the view.
    Pan(MouseButton),
    /// Places or takes units; the last place where it did.
    Brush(Vec2),
    /// Moves the character.
    Character,
    /// A press on the streaming field that may become a click or a pan; where it began.
    Press(Pos2),
}

/// The state of mouse and keys between frames.
#[derive(Debug, Default)]
pub struct Control {
    drag: Option<Drag>,
    pointer: Option<Pos2>,
    last_click: Option<(Instant, Pos2)>,
    /// The arrow keys that are down: left, right, up, down.
    arrows: [bool; 4],
}

impl Control {
    /// Takes a frame's events, in their order.
    pub fn handle(
        &mut self,
        app: &mut App,
        ctx: &Context,
        events: &[InputEvent],
        dialog_open: bool,
    ) {
        let scale = ctx.pixels_per_point();
        let to_points = |position: Vec2| pos2(position.x / scale, position.y / scale);
        let page_open = dialog_open || app.pages.help || app.pages.palette.is_some();
        if !page_open {
            drop_focus(ctx);
        }
        for event in events {
            match *event {
                // Escape ends the drag first, and only without one what else is open.
                InputEvent::KeyDown {
                    key: KeyCode::Escape,
                    ..
                } if self.drag.is_some() => self.cancel(app),
                InputEvent::KeyDown {
                    key,
                    modifiers,
                    repeat,
                } => {
                    let elsewhere = page_open || focused_text(ctx) || modifiers.command();
                    if self.arrow(app, key, true, elsewhere) {
                        continue;
                    }
                    key_down(app, ctx, key, modifiers, repeat, dialog_open);
                }
                InputEvent::PointerMoved { position, .. } => self.moved(app, to_points(position)),
                InputEvent::Pressed {
                    button,
                    position,
                    modifiers,
                } => {
                    let at = to_points(position);
                    self.moved(app, at);
                    if !page_open && self.drag.is_none() && is_field(app, ctx, at) {
                        self.pressed(app, button, at, modifiers);
                    }
                }
                InputEvent::Released { button, position } => {
                    let at = to_points(position);
                    self.moved(app, at);
                    self.released(app, button, at);
                }
                InputEvent::Wheel {
                    notches,
                    position,
                    modifiers,
                } => {
                    let at = to_points(position);
                    if !page_open && is_field(app, ctx, at) {
                        wheel(app, at, notches.y, modifiers);
                    }
                }
                InputEvent::Cancelled => self.cancel(app),
                InputEvent::KeyUp { key } => {
                    self.arrow(app, key, false, false);
                }
                InputEvent::Text(_) => {}
            }
        }
        if app.scripted {
            // The script is the pointer.
            return;
        }
        let over = self
            .pointer
            .filter(|at| !page_open && (self.drag.is_some() || is_field(app, ctx, *at)));
        app.cursor = over.map(|at| app.camera.to_world(at));
    }

    /// In the streaming view the arrow keys walk the character. Whether this was one of them.
    fn arrow(&mut self, app: &mut App, key: KeyCode, down: bool, elsewhere: bool) -> bool {
        let arrows = [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down];
        let Some(place) = arrows.iter().position(|arrow| *arrow == key) else {
            return false;
        };
        let Some(stream) = app
            .stream
            .as_mut()
            .filter(|_| app.view == View::Streaming && !elsewhere)
        else {
            self.arrows[place] &= down;
            return false;
        };
        self.arrows[place] = down;
        let side =
            |positive: bool, negative: bool| f32::from(i8::from(positive) - i8::from(negative));
        let [left, right, up, below] = self.arrows;
        stream.walk_by_keys(Vec2::new(side(right, left), side(below, up)));
        true
    }

    fn cancel(&mut self, app: &mut App) {
        self.arrows = [false; 4];
        if let Some(stream) = &mut app.stream {
            stream.walk_by_keys(Vec2::ZERO);
        }
        if self.drag.take() == Some(Drag::Character)
            && let Some(stream) = &mut app.stream
        {
            stream.let_go();
        }
    }

    fn moved(&mut self, app: &mut App, at: Pos2) {
        let before = self.pointer.replace(at).unwrap_or(at);
        match self.drag {
            Some(Drag::Pan(_)) => pan(app, before, at),
            Some(Drag::Brush(last)) => {
                let point = app.camera.to_world(at);
                // A stroke places anew after a diameter, so that it lays circles side by side.
                let step = if app.brush.tool == Tool::Erase {
                    0.5
                } else {
                    2.0
                };
                if point.distance(last) >= app.brush.radius * step {
                    app.brush_at(point, false);
                    self.drag = Some(Drag::Brush(point));
                }
            }
            Some(Drag::Character) => {
                let point = app.camera.to_world(at);
                if let Some(stream) = &mut app.stream {
                    stream.drag_to(point);
                }
            }
            Some(Drag::Press(begun)) if (at - begun).length() > DOUBLE_CLICK.1 => {
                self.drag = Some(Drag::Pan(MouseButton::Left));
                pan(app, begun, at);
            }
            _ => {}
        }
    }

    fn pressed(&mut self, app: &mut App, button: MouseButton, at: Pos2, modifiers: Modifiers) {
        let point = app.camera.to_world(at);
        match button {
            MouseButton::Middle | MouseButton::Right => self.drag = Some(Drag::Pan(button)),
            MouseButton::Left if app.view == View::Streaming => {
                let double =
                    self.last_click
                        .replace((Instant::now(), at))
                        .is_some_and(|(when, place)| {
                            when.elapsed() < DOUBLE_CLICK.0
                                && (at - place).length() < DOUBLE_CLICK.1
                        });
                let Some(stream) = &mut app.stream else {
                    return;
                };
                let from_character = (app.camera.to_screen(stream.character()) - at).length();
                if double {
                    self.last_click = None;
                    stream.teleport(point);
                } else if from_character <= GRAB {
                    stream.grab();
                    self.drag = Some(Drag::Character);
                } else {
                    self.drag = Some(Drag::Press(at));
                }
            }
            MouseButton::Left if modifiers.shift => select(app, point),
            MouseButton::Left => {
                app.brush_at(point, true);
                self.drag = Some(Drag::Brush(point));
            }
            MouseButton::Unknown => {}
        }
    }

    fn released(&mut self, app: &mut App, button: MouseButton, at: Pos2) {
        let ended = match self.drag {
            Some(Drag::Pan(held)) => held == button,
            Some(_) => button == MouseButton::Left,
            None => false,
        };
        if !ended {
            return;
        }
        match self.drag.take() {
            Some(Drag::Character) => {
                if let Some(stream) = &mut app.stream {
                    stream.let_go();
                }
            }
            Some(Drag::Press(_)) => {
                let point = app.camera.to_world(at);
                if let Some(stream) = &mut app.stream {
                    stream.select_at(point);
                }
            }
            _ => {}
        }
    }
}

/// Whether a text field has the keyboard. To egui a slider that was dragged has it too.
fn focused_text(ctx: &Context) -> bool {
    ctx.memory(|memory| memory.focused())
        .is_some_and(|id| TextEdit::load_state(ctx, id).is_some())
}

/// Takes the keyboard from whatever has it, unless that is a text field: on the panels Tab, Space and the arrows belong to the
/// window, not to the control that was used last.
fn drop_focus(ctx: &Context) {
    if !focused_text(ctx) {
        ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }
}

/// Whether a point of the window belongs to the field: no panel, chip, menu or page lies over it.
fn is_field(app: &App, ctx: &Context, at: Pos2) -> bool {
    let on_top = ctx
        .layer_id_at(at)
        .is_some_and(|layer: LayerId| layer.order != Order::Background);
    app.camera.screen.shrink(1.0).contains(at) && !on_top && !is_covered(ctx, at)
}

fn pan(app: &mut App, from: Pos2, to: Pos2) {
    if from != to {
        app.framed = false;
        app.camera.pan(to.x - from.x, to.y - from.y);
    }
}

fn wheel(app: &mut App, at: Pos2, notches: f32, modifiers: Modifiers) {
    if modifiers.ctrl && app.view == View::Battle {
        app.brush.radius = (app.brush.radius * NOTCH.powf(notches)).clamp(0.5, 500.0);
    } else {
        app.framed = false;
        app.camera.zoom_at(at, NOTCH.powf(notches));
    }
}

/// Selects the unit nearest to the point, if there is one within a few pixels.
fn select(app: &mut App, point: Vec2) {
    let mut found = Vec::new();
    let query = NearestQuery {
        point,
        count: 1,
        within: 14.0 / app.camera.zoom,
    };
    app.index
        .nearest(app.battle.bodies(), query, |_| true, &mut (), &mut found);
    app.selection = found.first().map(|neighbor| neighbor.unit);
}

fn key_down(
    app: &mut App,
    ctx: &Context,
    key: KeyCode,
    modifiers: Modifiers,
    repeat: bool,
    dialog_open: bool,
) {
    let Some(command) = commands::of_key(key, modifiers.command(), modifiers.shift) else {
        return;
    };
    // A text field has the plain keys; Ctrl with a letter that edits text is its own as well.
    let typing = focused_text(ctx);
    let edits_text = matches!(command, Command::Undo | Command::Redo);
    let leaves = matches!(command, Command::Escape | Command::Quit | Command::Palette);
    if (dialog_open && command != Command::Quit)
        || (typing && !leaves && (!modifiers.command() || edits_text))
    {
        return;
    }
    // Pages have the keys that scroll and close them.
    let page_open = app.pages.help || app.pages.palette.is_some();
    if page_open && !leaves && command != Command::Help {
        return;
    }
    let repeats = matches!(
        command,
        Command::Pan(..)
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::Step
            | Command::NextStructure
            | Command::PreviousStructure
    );
    if !repeat || repeats {
        app.run(command);
    }
}
