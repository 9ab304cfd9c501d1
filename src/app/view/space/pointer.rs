//! What the pointer does on a picture of space: it turns the eye, moves the slice, and a click that is no drag is the brush's.

use super::draw::SliceHandle;
use crate::app::eye::Slice;
use crate::app::input::Modifiers;
use crate::app::state::{App, Tool};
use crate::app::view::contract::{Grip, Press};
use egui_macroquad::egui::Pos2;

/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;

/// What the left button holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// A press of which it is not known yet whether it is a click.
    Press(Pos2, Modifiers),
    /// The eye, which turns.
    Eye(Pos2),
    /// The eye, which goes aside.
    Aside(Pos2),
    /// The slice as it was when it was taken, by its handle, from where the pointer was then.
    Slice(SliceHandle, Slice, Pos2),
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
        self.hold = match self.hold {
            Hold::Press(begun, modifiers) if begun.distance(at) >= DRAG => {
                if modifiers.shift {
                    Hold::Aside(begun)
                } else {
                    Hold::Eye(begun)
                }
            }
            hold => hold,
        };
        match &mut self.hold {
            Hold::Nothing => return Grip::Nothing,
            Hold::Press(..) => {}
            Hold::Eye(last) => {
                let by = at - std::mem::replace(last, at);
                app.move_eye(|eye| eye.orbit(by));
            }
            Hold::Aside(last) => {
                let by = at - std::mem::replace(last, at);
                app.move_eye(|eye| eye.pan(by));
            }
            Hold::Slice(handle, slice, from) => {
                let field = app.scene.field3();
                if let Some(eye) = &app.space.eye {
                    let place = handle.dragged(eye, field, *slice, *from, at);
                    app.move_slice(place);
                }
            }
        }
        Grip::Held
    }

    /// Ends it; what was no drag is a click, with these modifiers.
    pub fn end(&mut self) -> Option<Modifiers> {
        match std::mem::take(&mut self.hold) {
            Hold::Press(_, modifiers) => Some(modifiers),
            _ => None,
        }
    }

    /// Ends it where it was last.
    pub fn cancel(&mut self) {
        self.hold = Hold::Nothing;
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
