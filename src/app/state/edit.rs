//! Changes: what panels, keys and scripts ask for, as actions for the session.

use super::{App, Brush, RunMode, Tool};
use crate::app::settings::Hint;
use crate::app::stream::Stream;
use crate::app::widgets::with_commas;
use crate::app::worker::Message;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{COORDINATE_LIMIT, UnitId};
use skirmish::scene::{Order, Side, limits};
use skirmish::session::{
    Action, BodySize, MarkKind, Shape, Spread, Strewn, Units, widths_of_placed,
};
use skirmish::streaming::LateAsk;
use skirmish::structure::StructureKind;

impl App {
    /// Posts an action.
    pub fn act(&mut self, action: Action) {
        // Who has a number then is not who has it now.
        if matches!(action, Action::Begin(_) | Action::Units(_)) {
            self.leave_held_unit();
        }
        self.post_act(action, false);
    }

    /// Posts an action, as all of them are. Taps of the arrow keys before it and behind it are two edits.
    pub(super) fn post_act(&mut self, action: Action, more: bool) {
        self.walked = None;
        match action {
            // What is said of the one before stands until that of this one is known, so that nothing flickers.
            Action::Undo | Action::Redo => {}
            _ => self.turned = None,
        }
        if matches!(
            action,
            Action::Spawn(..) | Action::Strew(..) | Action::Spawn3(..) | Action::Strew3(..)
        ) {
            self.note_followed(Hint::Place);
        }
        self.worker.post(Message::Act(action, more));
    }

    /// The user has done what a hint tells. Where frames are counted or a script plays there is no user.
    pub(super) fn note_followed(&mut self, hint: Hint) {
        if !self.fixed && !self.scripted {
            self.settings.note_seen(hint);
        }
    }

    /// Posts an action that, while a button is held, goes on with the one before of the same `name`.
    pub(super) fn act_in_stroke(&mut self, name: &str, action: Action) {
        let more = self.is_in_stroke(name);
        self.post_act(action, more);
        self.stroke = Some(name.to_owned());
    }

    /// Whether an action of this name goes on with the one before.
    pub(super) fn is_in_stroke(&self, name: &str) -> bool {
        self.stroke.as_deref() == Some(name)
    }

    /// Puts a unit here; the places where it is put until it is let go are one edit.
    pub fn move_unit(&mut self, unit: UnitId, to: Vec2) {
        let limit = Vec2::splat(COORDINATE_LIMIT);
        let to = to.clamp(-limit, limit);
        self.act_in_stroke("unit", Action::Move(vec![(unit, to.into())]));
    }

    /// The unit that was put here stays: the scene starts with it here.
    pub fn put_down(&mut self, unit: UnitId) {
        let unit = Units::new(vec![unit]);
        self.act_in_stroke("unit", Action::Shift(unit, (0.0, 0.0)));
    }

    /// The field was another one `before`: the brush stays as it was set, unless it fitted into that and does not into this. What that has
    /// narrowed is as wide again in a field that has room for it, as one that an undo brings back, unless somebody has set it since.
    pub(super) fn fit_brush(&mut self, before: Aabb) {
        /// As narrow as it can be set.
        const LEAST: f32 = 0.5;
        let most = |field: Aabb| field.size().min_element() / 2.0;
        let narrowed = self.looked.narrowed;
        let wished = narrowed.filter(|(to, _)| *to == self.brush.radius);
        if wished.is_some() || self.brush.radius <= most(before) {
            let whole = wished.map_or(self.brush.radius, |(_, whole)| whole);
            let now = most(self.scene.field).max(LEAST).min(whole);
            self.looked.narrowed = (now < whole).then_some((now, whole));
            // What nobody has set is not saved. What the file says is not so any more.
            let is_in_file = self.looked.own.brush_radius.is_some();
            if !is_in_file && self.looked.brush.0 == self.brush.radius {
                self.looked.brush.0 = now;
            }
            self.brush.radius = now;
        }
    }

    /// Every button is up: what comes next is another edit.
    pub fn end_stroke(&mut self) {
        self.stroke = None;
        self.sought = None;
    }

    /// Chooses a structure; the battle goes on.
    pub fn choose_structure(&mut self, kind: impl Into<StructureKind>) {
        let kind = kind.into();
        let shown = &mut self.lanes[0].structure;
        if kind != shown.kind {
            shown.kind = kind;
            let knobs = kind.info().knobs.iter();
            shown.knobs = knobs.map(|knob| knob.default).collect();
            shown.effects.clear();
            self.note_followed(Hint::Structure);
            self.act(Action::Structure(kind.info().key.to_owned()));
        }
    }

    /// Sets a knob of the structure.
    pub fn set_knob(&mut self, knob: usize, value: f64) {
        let structure = &mut self.lanes[0].structure;
        let Some(info) = structure.kind.info().knobs.get(knob) else {
            return;
        };
        if let Some(shown) = structure.knobs.get_mut(knob) {
            *shown = value;
        }
        let kind = structure.kind;
        let goes_on = self.is_in_stroke(info.key);
        self.own_values.note((kind, knob), value, goes_on);
        let action = Action::Set(info.key.to_owned(), info.format(value));
        self.act_in_stroke(info.key, action);
    }

    /// Sets every knob to its default.
    pub fn reset_knobs(&mut self) {
        self.act(Action::Defaults);
    }

    /// Gives the armies together this many units and starts again.
    pub fn set_unit_count(&mut self, count: u32) {
        self.act(Action::Units(count));
    }

    /// Starts the scene again.
    pub fn restart(&mut self) {
        self.selection.clear();
        self.act(Action::Restart);
    }

    /// Gives every army to the other side, and starts again.
    pub fn swap_sides(&mut self) {
        self.selection.clear();
        self.act(Action::SwapSides);
    }

    /// Gives a side an order.
    pub fn set_order(&mut self, side: Side, order: Order) {
        self.act(Action::Order(side.into(), order.into()));
    }

    /// Multiplies every reach.
    pub fn set_reach(&mut self, scale: f32) {
        self.act_in_stroke("reach", Action::Reach(scale));
    }

    /// Lets units try to keep so many metres apart.
    pub fn set_keep_apart(&mut self, metres: f32) {
        self.act_in_stroke("keep_apart", Action::KeepApart(metres));
    }

    /// Does what the brush does at this point of the world. `first` begins a new change, for undo.
    pub fn brush_at(&mut self, at: Vec2, first: bool) {
        let (at, radius) = (at.into(), self.brush.radius);
        let side = match self.brush.tool {
            Tool::Blue => Side::Blue,
            Tool::Orange => Side::Orange,
            Tool::Erase => {
                return self.post_act(Action::Erase(at, radius), !first);
            }
            Tool::Look => return,
        };
        let Brush {
            count,
            shape,
            spread,
            ..
        } = self.brush;
        let is_usual = (shape, spread) == (Shape::Disc, Spread::Even);
        let action = if is_usual && self.brush.width.is_none() {
            Action::Spawn(side.into(), at, radius, count)
        } else {
            Action::Strew(side.into(), at, self.strewn(shape))
        };
        self.post_act(action, !first);
    }

    /// How wide bodies are that the brush places, at the least and at the most, in metres.
    pub fn placed_widths(&self) -> (f32, f32) {
        let side = match self.brush.tool {
            Tool::Orange => Side::Orange,
            Tool::Blue | Tool::Erase | Tool::Look => Side::Blue,
        };
        let own = self.brush.width;
        own.unwrap_or_else(|| widths_of_placed(&self.scene, side))
    }

    /// A stroke begins here: who first places units outside the field hears that they are kept.
    pub fn note_outside(&mut self, at: Vec2) {
        if matches!(self.brush.tool, Tool::Blue | Tool::Orange) {
            self.note_placed(self.scene.field.contains(at));
        }
    }

    /// Units are placed in the field, or outside it: who first does the latter hears that.
    pub(super) fn note_placed(&mut self, is_inside: bool) {
        if !is_inside && !self.said_outside {
            self.said_outside = true;
            self.say("Units outside the field are kept as well; trees grow around them.");
        }
    }

    /// How the brush places units in a shape.
    pub(super) fn strewn<S>(&self, shape: S) -> Strewn<S> {
        let Brush {
            radius,
            count,
            spread,
            width,
            ..
        } = self.brush;
        let size = width.map(|(least, greatest)| match least < greatest {
            true => BodySize::Between(0.5 * least, 0.5 * greatest),
            false => BodySize::Alike(0.5 * least),
        });
        let is_drawn = matches!(size, Some(BodySize::Between(..)));
        Strewn {
            shape,
            spread,
            radius,
            count,
            // Another one each time, and the same wherever the action is done again.
            seed: match spread {
                Spread::Random | Spread::Normal => self.worker.posted(),
                Spread::Even | Spread::Lattice if is_drawn => self.worker.posted(),
                Spread::Even | Spread::Lattice => 0,
            },
            size,
        }
    }

    /// Goes to a tick that is known, and stops there.
    pub fn seek(&mut self, tick: u64) {
        // Whoever goes elsewhere is told nothing of where they were going.
        if let Some(stream) = &mut self.stream {
            stream.before_decision = None;
        }
        if self.sought != Some(tick) {
            if tick < self.place.end {
                self.note_followed(Hint::Timeline);
            }
            self.walked = None;
            self.turned = None;
            self.sought = Some(tick);
            self.heading = Some(tick);
            self.before_steps.ran = false;
            self.mode = RunMode::Paused;
            self.worker.post(Message::Seek(tick));
        }
    }

    /// Whether the pointer holds the timeline.
    pub fn holds_timeline(&self) -> bool {
        self.sought.is_some()
    }

    /// Where time stands, or is about to.
    pub(super) fn heading(&self) -> u64 {
        self.heading.unwrap_or(self.place.heading)
    }

    /// Goes to the next tick at which something happened, on or back.
    pub(super) fn go_to_mark(&mut self, on: bool) {
        let now = self.heading();
        let heaviest = self.place.heaviest.map(|(tick, _)| tick);
        let ticks = self.place.marks.iter().map(|mark| mark.tick);
        let ticks = ticks.chain(heaviest);
        let next = if on {
            ticks.filter(|tick| *tick > now).min()
        } else {
            ticks.filter(|tick| *tick < now).max()
        };
        let is_pinned = self.stream.as_ref().is_some_and(Stream::is_pinned);
        match next {
            Some(tick) => {
                self.go_to_marked(tick);
                // Who goes along the marks to see what becomes of one that is pinned goes on looking at it.
                if let Some(stream) = &mut self.stream {
                    stream.late_at.take_if(|_| is_pinned);
                    stream.goes_along = true;
                }
            }
            None if on => self.say("Nothing is marked after this tick."),
            None => self.say("Nothing is marked before this tick."),
        }
    }

    /// Goes to a tick that is marked. All who were late then are selected, once that is known.
    pub fn go_to_marked(&mut self, tick: u64) {
        let late = self
            .place
            .marks
            .iter()
            .any(|mark| mark.tick == tick && mark.kind == MarkKind::Late);
        self.seek(tick.min(self.place.end));
        if let Some(stream) = &mut self.stream {
            stream.late_at = late.then_some((tick, LateAsk::All));
            stream.goes_along = false;
        }
    }

    /// Goes to the tick of a late load. Those who were late then and are meant by `sought`, or all of them where nothing is sought, are
    /// selected, once that is known.
    pub fn go_to_late(&mut self, tick: u64, sought: &str) {
        self.go_to_marked(tick);
        if let Some(stream) = &mut self.stream
            && !sought.is_empty()
        {
            stream.late_at = Some((tick, LateAsk::Meant(sought.into())));
        }
    }

    /// Goes to the tick of the pin with which the present is compared, unless its future has been cut.
    pub fn go_to_pin(&mut self) {
        let Some((pin, is_known)) = self.pins.get(self.pin) else {
            return;
        };
        let tick = pin.tick;
        if *is_known {
            return self.seek(tick);
        }
        self.fail(format!(
            "What was pinned at tick {} lies in a future that was cut by an edit before it; its figures stay.",
            with_commas(tick)
        ));
    }

    /// Takes away the pin with which the present is compared.
    pub fn unpin(&mut self) {
        self.worker.post(Message::Unpin(self.pin));
        self.pin = self.pin.saturating_sub(1);
    }

    /// Lets time pass, or stops it.
    pub fn set_mode(&mut self, mode: RunMode) {
        // Whoever says what time does has the last word on it.
        self.before_steps.ran = false;
        self.mode = mode;
        self.worker.post(Message::Mode(mode));
    }

    /// How fast time passes, as a multiple of 60 ticks a second.
    pub(super) fn set_pace(&mut self, pace: f32) {
        let (slowest, fastest) = limits::PACE;
        self.looked.paced = true;
        self.pace = pace.clamp(slowest, fastest);
        self.worker.post(Message::Pace(self.pace));
    }
}
