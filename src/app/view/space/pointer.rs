//! What the pointer does on a picture of space: it turns the eye, moves the slice, draws boxes around units and moves those who are
//! selected; a click that is no drag is the brush's. With the brush Shift stands for Look, as on a plane.

use super::draw::SliceHandle;
use crate::app::eye::Slice;
use crate::app::input::Modifiers;
use crate::app::state::{App, MOST_LIVE, Selection, Tool};
use crate::app::view::contract::{Grip, Press};
use egui_macroquad::egui::{Pos2, Rect};
use skirmish::volume::Vec3;

/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;

/// What the left button holds.
#[derive(Debug, Default)]
enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// A press of which it is not known yet whether it is a click.
    Press(Pos2, Modifiers),
    /// The eye, which turns.
    Eye(Pos2),
    /// The slice as it was when it was taken, by its handle, from where the pointer was then.
    Slice(SliceHandle, Slice, Pos2),
    /// A corner of a box around units, and who was selected before and stays so.
    Corner(Pos2, Selection),
    /// All who are selected, by the place at which the pointer took them.
    Many(Vec3),
}

/// The hand on the picture.
#[derive(Debug, Default)]
pub struct Hand {
    hold: Hold,
}

impl Hand {
    /// A press: the beginning of a drag, or a click. `handle` is that of the slice, if there is one.
    pub fn pressed(&mut self, press: Press, handle: Option<(SliceHandle, Slice)>) -> Grip {
        self.hold = match handle {
            Some((handle, slice)) if handle.is_at(press.at) => Hold::Slice(handle, slice, press.at),
            _ => Hold::Press(press.at, press.modifiers),
        };
        Grip::Held
    }

    /// Goes on with it.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        if let Hold::Press(begun, modifiers) = self.hold
            && begun.distance(at) >= DRAG
        {
            self.hold = taken(app, begun, modifiers);
        }
        match &mut self.hold {
            Hold::Nothing => return Grip::Nothing,
            Hold::Press(..) => {}
            Hold::Eye(last) => {
                let by = at - std::mem::replace(last, at);
                app.move_eye(|eye| eye.orbit(by));
            }
            Hold::Slice(handle, slice, from) => {
                let field = app.scene.field3();
                if let Some(eye) = &app.space.eye {
                    let place = handle.dragged(eye, field, *slice, *from, at);
                    app.move_slice(place);
                }
            }
            Hold::Corner(begun, before) => {
                let area = Rect::from_two_pos(*begun, at);
                app.space.boxed = Some(area);
                if app.alive() <= MOST_LIVE {
                    app.select_beside(app.units_seen_in(area), before);
                }
            }
            Hold::Many(from) => {
                if let Some(to) = app.space.carried_to(*from, at) {
                    app.space.carried = Some(app.above_ground(to - *from));
                }
            }
        }
        Grip::Held
    }

    /// Ends it: what is held is put down; what was no drag is a click, with these modifiers.
    pub fn end(&mut self, app: &mut App) -> Option<Modifiers> {
        match std::mem::take(&mut self.hold) {
            Hold::Press(_, modifiers) => return Some(modifiers),
            Hold::Nothing | Hold::Eye(_) | Hold::Slice(..) => {}
            Hold::Corner(_, before) => {
                if let Some(area) = app.space.boxed.take() {
                    app.select_beside(app.units_seen_in(area), &before);
                }
            }
            Hold::Many(_) => {
                if let Some(way) = app.space.carried.take() {
                    app.move_selection_in_space(way, false);
                }
            }
        }
        None
    }

    /// Ends it where it was last; those who are carried stay where they were.
    pub fn cancel(&mut self, app: &mut App) {
        self.hold = Hold::Nothing;
        (app.space.boxed, app.space.carried) = (None, None);
    }
}

/// What a press at `begun` has taken, now that it is a drag.
fn taken(app: &App, begun: Pos2, modifiers: Modifiers) -> Hold {
    let looks = app.brush.tool == Tool::Look;
    if !(modifiers.shift || looks) || app.has_steps() {
        return Hold::Eye(begun);
    }
    // In a crowd there is no ground without anybody: with Ctrl it is a box wherever it begins.
    let at = app.selected_at(begun).filter(|_| !modifiers.ctrl);
    // By a point of the plane on which they go, under the very pointer: they do not jump.
    let held = at.and_then(|at| app.space.carried_to(at, begun));
    match held {
        Some(from) => Hold::Many(from),
        None if modifiers.shift && looks => Hold::Corner(begun, app.selection.clone()),
        None if modifiers.shift || modifiers.ctrl => Hold::Corner(begun, Selection::default()),
        None => Hold::Eye(begun),
    }
}

/// A click places or takes units where it points, or selects the unit under it.
pub fn click(app: &mut App, modifiers: Modifiers) {
    let frame = &app.lane().frame3;
    if modifiers.shift || app.brush.tool == Tool::Look {
        let unit = frame.unit;
        match unit {
            // With Look, Shift takes one more, or one less.
            Some(unit) if modifiers.shift && app.brush.tool == Tool::Look => {
                app.selection.toggle(unit);
            }
            unit => app.selection.set(unit),
        }
        return;
    }
    if let Some(point) = frame.point {
        app.brush_in_space(point);
    }
}

/// The wheel: nearer to what is under the pointer, or with Ctrl the radius of the brush.
pub fn wheel(app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
    if modifiers.ctrl {
        app.brush.radius = (app.brush.radius * factor).clamp(0.5, 500.0);
    } else if let Some(at) = app.pointer() {
        app.move_eye(|eye| eye.zoom_at(at, factor));
    }
    true
}
