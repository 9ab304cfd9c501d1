//! Controls that are called by their names: whoever asks hears which values the panels show, and can have one of them typed.

use egui_macroquad::egui::{Context, Id};

/// A control whose value can be set, as the panels show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// What the report calls it.
    pub id: String,
    /// What it is called in full: the words beside it, or the caption above them where that ends in these.
    pub name: String,
    /// The caption that was drawn last before it: of the part of a panel in which it stands. Where it stands in none, as in a bar, that may
    /// be one of another panel, or none, and then this is empty.
    pub section: String,
    /// A sentence about it.
    pub help: String,
    /// What its number is of, where it is one and not a choice; empty for a number without a unit.
    pub unit: Option<String>,
}

/// The values that were shown, and when.
#[derive(Clone, Default)]
struct Known {
    /// Whether anybody wants to know: nothing is noted for nobody.
    asked: u64,
    pass: u64,
    now: Vec<Value>,
    /// The caption that was drawn last, and in which pass.
    section: (u64, String),
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
        // What was shown longer ago is of a view that was left, or of a panel that is hidden: nothing would take its number.
        let is_shown = known.pass + 1 >= pass;
        let values = is_shown.then(|| known.now.clone());
        (values.unwrap_or_default(), is_first)
    });
    if is_first {
        ctx.request_repaint();
        return Vec::new();
    }
    values
}

/// Notes that the caption of a part of a panel is drawn: values that come next stand in it.
pub(super) fn note_section(ctx: &Context, caption: &str) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| {
        let known = data.get_temp_mut_or_default::<Known>(known_id());
        if pass <= known.asked + 1 {
            known.section = (pass, caption.to_owned());
        }
    });
}

/// Notes that a value is shown: what it is called in the report and beside it, and a sentence about it; and the unit of a number.
pub fn know(ctx: &Context, [id, name, help]: [&str; 3], unit: Option<&str>) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| {
        let known = data.get_temp_mut_or_default::<Known>(known_id());
        if pass > known.asked + 1 {
            return;
        }
        if known.pass != pass {
            known.pass = pass;
            known.now.clear();
        }
        let (of, caption) = &known.section;
        let section = if *of == pass { caption.as_str() } else { "" };
        let is_short = section
            .strip_suffix(name)
            .is_some_and(|it| it.ends_with(' '));
        let value = Value {
            id: id.to_owned(),
            name: if is_short { section } else { name }.to_owned(),
            section: section.to_owned(),
            help: help.to_owned(),
            unit: unit.map(str::to_owned),
        };
        known.now.push(value);
    });
}

/// What is wanted of a control.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Wanted {
    /// That its value can be typed, or that it has the keyboard.
    #[default]
    Keys,
    /// That it takes this number, as somebody has typed it.
    Number(String),
}

/// Of whom something is wanted, what, and since which pass.
type Wish = (String, Wanted, u64);

/// So many passes a wish waits for its control: a panel may have to come first. One that is shown much later is not meant any more.
const PATIENCE: u64 = 8;

/// Wants something of the control that the report calls so.
pub fn want_value(ctx: &Context, id: &str, what: Wanted) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(wanted_id(), (id.to_owned(), what, pass)));
    ctx.request_repaint();
}

/// What is wanted of this control; it is told once.
pub fn take_wanted(ctx: &Context, id: &str) -> Option<Wanted> {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| {
        let (whose, what, since) = data.get_temp::<Wish>(wanted_id())?;
        (whose == id).then(|| data.remove_temp::<Wish>(wanted_id()))?;
        (pass <= since + PATIENCE).then_some(what)
    })
}
