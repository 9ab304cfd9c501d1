//! What the pointer and the arrow keys do on the streaming's field: the character is dragged, walks and is teleported, objects
//! are selected, by boxes too, and moved.
//!
//! A drag moves what is selected and nothing else: objects may be as large as the view, and a box begins on one of them then.

use crate::app::state::{App, RunMode, Selection};
use crate::app::stream::Stream;
use crate::app::view::contract::{Grip, Press};
use egui_macroquad::egui::Pos2;
use egui_macroquad::macroquad::miniquad::KeyCode;
use skirmish::geometry::{Aabb, Vec2};
use std::time::{Duration, Instant};

/// Two clicks within this time and this many points are a double click.
const DOUBLE_CLICK: (Duration, f32) = (Duration::from_millis(400), 6.0);
/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;
/// Among so many those in a box are found anew while it is drawn; among more when it is done.
const MOST_LIVE: usize = 300_000;
/// The character is grabbed within this many points.
const GRAB: f32 = 18.0;

/// What the left button holds.
#[derive(Clone, Debug, PartialEq)]
enum Held {
    /// The character.
    Character {
        /// Where the pointer is.
        at: Pos2,
        /// From the pointer to the character, in metres.
        off: Vec2,
        /// The world, out of which no hand takes it.
        world: Aabb,
        /// Where it was put last.
        put: Vec2,
    },
    /// A press that may become a click, or a box around objects.
    Corner(Boxing),
    /// All objects that are selected.
    Many(Carrying),
    /// A point of the path that is being drawn.
    Point,
}

/// A box around objects while it is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Boxing {
    /// Where the button went down, in the window and in the world.
    pressed: Pos2,
    from: Vec2,
    /// Whether what is selected stays so.
    adds: bool,
    /// What was selected before, where it stays so.
    before: Selection,
    /// Whether the press has become a drag.
    is_drag: bool,
}

/// The objects that are selected, in the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Carrying {
    /// The object that was pressed.
    object: u32,
    /// Where the button went down, in the window and in the world.
    pressed: Pos2,
    from: Vec2,
    /// What a click without a drag does.
    click: Click,
}

/// What a press on an object that is selected means, when it becomes no drag.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Click {
    /// That one alone.
    Alone,
    /// All others: it is left out.
    LeaveOut,
    /// Nothing more: it has just come to the others.
    Added,
}

/// The left button on the field.
#[derive(Debug, Default)]
pub struct Hand {
    held: Option<Held>,
    last_click: Option<(Instant, Pos2)>,
    /// What the last click has deselected: where it was the first of two it meant nothing.
    deselected: Selection,
}

impl Hand {
    /// Teleports the character, grabs it, takes what is selected, or begins what may become a click or a box.
    pub fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let at = press.at;
        if app.draws_path() {
            return self.press_point(app, press);
        }
        let adds = press.modifiers.shift;
        let is_plain = !adds && !press.modifiers.ctrl;
        let double = self
            .last_click
            .replace((Instant::now(), at))
            .is_some_and(|(when, place)| {
                let is_near = (at - place).length() < DOUBLE_CLICK.1;
                is_plain && when.elapsed() < DOUBLE_CLICK.0 && is_near
            });
        let deselected = std::mem::take(&mut self.deselected);
        let Some(stream) = &mut app.stream else {
            return Grip::Nothing;
        };
        let from = app.camera.to_world(at);
        let from_character = (app.camera.to_screen(stream.character()) - at).length();
        if double {
            self.last_click = None;
            // Objects may have gone meanwhile; a first click on one of them has selected that.
            let count = stream.objects().len();
            let last = deselected.units().last();
            let are_there = last.is_some_and(|last| (*last as usize) < count);
            if are_there && stream.selection.is_empty() {
                stream.selection = deselected;
            }
            stream.teleport(from);
            return Grip::Nothing;
        }
        // Where the character is, it is the character that is meant.
        if from_character <= GRAB {
            stream.grab();
            let put = stream.character();
            self.held = Some(Held::Character {
                at,
                off: put - from,
                world: bounds(app.scene.field, stream),
                put,
            });
            return Grip::Held;
        }
        let object = stream.object_at(from).filter(|_| !press.modifiers.ctrl);
        let carrying = |object, click| {
            Held::Many(Carrying {
                object,
                pressed: at,
                from,
                click,
            })
        };
        self.held = Some(match object {
            Some(object) if stream.selection.contains(object) => {
                carrying(object, if adds { Click::LeaveOut } else { Click::Alone })
            }
            Some(object) if adds && !stream.selection.is_empty() => {
                stream.selection.toggle(object);
                carrying(object, Click::Added)
            }
            _ => Held::Corner(Boxing {
                pressed: at,
                from,
                adds,
                before: if adds {
                    stream.selection.clone()
                } else {
                    Selection::default()
                },
                is_drag: false,
            }),
        });
        Grip::Held
    }

    /// Takes or begins a point of the path that is being drawn, or takes one out of it. Nothing else is meant meanwhile.
    fn press_point(&mut self, app: &mut App, press: Press) -> Grip {
        let camera = app.camera;
        self.last_click = None;
        if let Some(stream) = &mut app.stream {
            let takes_out = press.modifiers.ctrl;
            stream.draw(|drawing, points| drawing.pressed(camera, points, press.at, takes_out));
            self.held = (!takes_out).then_some(Held::Point);
        }
        match self.held {
            Some(_) => Grip::Held,
            None => Grip::Nothing,
        }
    }

    /// The keys of whoever draws a path: whether it was one of these.
    pub fn key_down(&mut self, app: &mut App, key: KeyCode) -> bool {
        let draws = app.draws_path();
        let Some(stream) = app.stream.as_mut().filter(|_| draws) else {
            return false;
        };
        match key {
            KeyCode::Escape | KeyCode::Enter | KeyCode::KpEnter => stream.drawing = None,
            KeyCode::Delete | KeyCode::Backspace => stream.take_out_point(),
            _ => return false,
        }
        true
    }

    /// Moves what is held: the character, a corner of a box, or what is selected.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        let point = app.camera.to_world(at);
        match &mut self.held {
            Some(Held::Character { at: hand, .. }) => {
                *hand = at;
                self.lead(app);
            }
            Some(Held::Corner(boxing)) => {
                boxing.is_drag |= (at - boxing.pressed).length() >= DRAG;
                if boxing.is_drag {
                    let area = Aabb::new(boxing.from.min(point), boxing.from.max(point));
                    app.boxed = Some(area);
                    if let Some(stream) = &mut app.stream
                        && stream.objects().len() <= MOST_LIVE
                    {
                        boxing.select(stream, area);
                    }
                }
            }
            Some(Held::Many(carrying)) => {
                if app.carried.is_some() || (at - carrying.pressed).length() >= DRAG {
                    app.carried = Some(point - carrying.from);
                }
            }
            Some(Held::Point) => {
                let camera = app.camera;
                if let Some(drawing) = app.stream.as_mut().and_then(|it| it.drawing.as_mut()) {
                    drawing.dragged(camera, at);
                }
            }
            None => return Grip::Nothing,
        }
        Grip::Held
    }

    /// Whether it holds the character.
    pub fn holds_character(&self) -> bool {
        matches!(self.held, Some(Held::Character { .. }))
    }

    /// Keeps the character that is held under the hand, and in the world: the picture may have been zoomed or panned under it.
    pub fn lead(&mut self, app: &mut App) {
        let Some(Held::Character {
            at,
            off,
            world,
            put,
        }) = &mut self.held
        else {
            return;
        };
        let point = (app.camera.to_world(*at) + *off).clamp(world.min, world.max);
        if let Some(stream) = app.stream.as_mut().filter(|_| point != *put) {
            *put = point;
            stream.drag_to(point);
        }
    }

    /// Lets the character go, ends a box, or puts down what is carried; what became no drag was a click, and selects.
    pub fn released(&mut self, app: &mut App, at: Pos2) {
        let point = app.camera.to_world(at);
        let (boxed, carried) = (app.boxed.take(), app.carried.take());
        let camera = app.camera;
        let Some(stream) = &mut app.stream else {
            self.held = None;
            return;
        };
        match self.held.take() {
            Some(Held::Character { .. }) => stream.let_go(),
            Some(Held::Corner(boxing)) => match boxed {
                Some(area) => boxing.select(stream, area),
                // A click with Shift on nothing leaves the others selected.
                None if boxing.adds && stream.object_at(point).is_none() => {}
                None => {
                    self.deselected = std::mem::take(&mut stream.selection);
                    stream.select_at(point);
                }
            },
            Some(Held::Many(carrying)) => match (carried, carrying.click) {
                (Some(way), _) => app.move_objects(way),
                (None, Click::Alone) => stream.selection.set(Some(carrying.object)),
                (None, Click::LeaveOut) => stream.selection.toggle(carrying.object),
                (None, Click::Added) => {}
            },
            Some(Held::Point) => stream.draw(|drawing, _| drawing.released(camera, at)),
            None => {}
        }
    }

    /// Lets go of what is held; nothing was meant.
    pub fn cancel(&mut self, app: &mut App) {
        (app.boxed, app.carried) = (None, None);
        if let Some(drawing) = app.stream.as_mut().and_then(|it| it.drawing.as_mut()) {
            drawing.cancel();
        }
        if matches!(self.held.take(), Some(Held::Character { .. }))
            && let Some(stream) = &mut app.stream
        {
            stream.let_go();
        }
    }
}

impl Boxing {
    /// Selects what is in the box, and what was before.
    fn select(&self, stream: &mut Stream, area: Aabb) {
        let mut selection = std::mem::take(&mut stream.selection);
        selection.replace(stream.objects_in(area));
        if !self.before.is_empty() {
            selection.add(self.before.units().iter().copied());
        }
        stream.selection = selection;
    }
}

/// The world of a scene: its field, and its objects where they lie beside it.
fn bounds(field: Aabb, stream: &Stream) -> Aabb {
    let objects = 0..stream.objects().len() as u32;
    objects.fold(field, |all, object| all.join(stream.body(object)))
}

/// The arrow keys, which walk the character.
#[derive(Debug, Default)]
pub struct Walk {
    /// Which of them are down: left, right, up, down.
    arrows: [bool; 4],
}

/// The place of an arrow key among the four.
fn place_of(key: KeyCode) -> Option<usize> {
    [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down]
        .iter()
        .position(|arrow| *arrow == key)
}

impl Walk {
    /// Whether the key walks, which it does where there is a character.
    pub fn key_down(&mut self, app: &mut App, key: KeyCode) -> bool {
        let Some(place) = place_of(key).filter(|_| app.stream.is_some()) else {
            return false;
        };
        // While time stands in the past a key that is hit by mistake would cut all that is known after it.
        let stands_in_the_past = app.mode != RunMode::Running && app.place.tick < app.place.end;
        if !stands_in_the_past {
            self.arrows[place] = true;
            self.go(app);
        }
        true
    }

    /// Ends what the key began; in another view the character goes on as it does.
    pub fn key_up(&mut self, app: &mut App, key: KeyCode, shown: bool) {
        // A key whose press went elsewhere has begun nothing: who let it go would stop the character.
        let held = place_of(key).filter(|place| self.arrows[*place]);
        if let Some(place) = held {
            self.arrows[place] = false;
            if shown {
                self.go(app);
            }
        }
    }

    /// Stands still.
    pub fn cancel(&mut self, app: &mut App) {
        self.arrows = [false; 4];
        self.go(app);
    }

    fn go(&self, app: &mut App) {
        let side =
            |positive: bool, negative: bool| f32::from(i8::from(positive) - i8::from(negative));
        let [left, right, up, below] = self.arrows;
        if let Some(stream) = &mut app.stream {
            stream.walk_by_keys(Vec2::new(side(right, left), side(below, up)));
        }
    }
}
