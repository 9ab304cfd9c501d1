//! Controls that are called by their names: whoever asks hears which values the panels show, and can have one of them typed.

use egui_macroquad::egui::{Context, Id};

/// A control whose value can be set, as the panels show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// What the report calls it.
    pub id: String,
    /// The words beside it.
    pub name: String,
    /// A sentence about it.
    pub help: String,
}

/// The values that were shown, and when.
#[derive(Clone, Default)]
struct Known {
    /// Whether anybody wants to know: nothing is noted for nobody.
    asked: u64,
    pass: u64,
    now: Vec<Value>,
    before: Vec<Value>,
}

fn known_id() -> Id {
    Id::new("values that are shown")
}

fn wanted_id() -> Id {
    Id::new("value that is wanted")
}

/// The values that the panels showed in the last frame, after this has been called in it.
pub fn known_values(ctx: &Context) -> Vec<Value> {
    let pass = ctx.cumulative_pass_nr();
    let (values, is_first) = ctx.data_mut(|data| {
        let known = data.get_temp_mut_or_default::<Known>(known_id());
        let is_first = pass > known.asked + 1;
        known.asked = pass;
        let values = if known.pass == pass {
            &known.now
        } else {
            &known.before
        };
        (values.clone(), is_first)
    });
    if is_first {
        ctx.request_repaint();
        return Vec::new();
    }
    values
}

/// Notes that a value is shown.
pub fn know(ctx: &Context, id: &str, name: &str, help: &str) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| {
        let known = data.get_temp_mut_or_default::<Known>(known_id());
        if pass > known.asked + 1 {
            return;
        }
        if known.pass != pass {
            known.pass = pass;
            known.before = std::mem::take(&mut known.now);
        }
        known.now.push(Value {
            id: id.to_owned(),
            name: name.to_owned(),
            help: help.to_owned(),
        });
    });
}

/// Wants the value of a control to be typed, or the control to have the keyboard.
pub fn want_value(ctx: &Context, id: &str) {
    ctx.data_mut(|data| data.insert_temp(wanted_id(), id.to_owned()));
    ctx.request_repaint();
}

/// Whether this control is wanted; it is told once.
pub fn take_wanted(ctx: &Context, id: &str) -> bool {
    ctx.data_mut(|data| {
        let wanted = data.get_temp::<String>(wanted_id());
        let is_this = wanted.is_some_and(|wanted| wanted == id);
        if is_this {
            data.remove_temp::<String>(wanted_id());
        }
        is_this
    })
}
