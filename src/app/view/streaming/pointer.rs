//! What the pointer and the arrow keys do on the streaming's field: the character is dragged, walks and is teleported, objects
//! are selected.

use crate::app::state::{App, RunMode};
use crate::app::stream::Stream;
use crate::app::view::contract::Grip;
use egui_macroquad::egui::Pos2;
use egui_macroquad::macroquad::miniquad::KeyCode;
use skirmish::geometry::{Aabb, Vec2};
use std::time::{Duration, Instant};

/// Two clicks within this time and this many points are a double click.
const DOUBLE_CLICK: (Duration, f32) = (Duration::from_millis(400), 6.0);
/// The character is grabbed within this many points.
const GRAB: f32 = 18.0;

/// What the left button holds.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// A press that may become a click or a drag of the field; where it began.
    Press(Pos2),
}

/// The left button on the field.
#[derive(Debug, Default)]
pub struct Hand {
    held: Option<Held>,
    last_click: Option<(Instant, Pos2)>,
}

impl Hand {
    /// Teleports the character, grabs it, or begins what may become a click.
    pub fn pressed(&mut self, app: &mut App, at: Pos2) -> Grip {
        let double = self
            .last_click
            .replace((Instant::now(), at))
            .is_some_and(|(when, place)| {
                when.elapsed() < DOUBLE_CLICK.0 && (at - place).length() < DOUBLE_CLICK.1
            });
        let Some(stream) = &mut app.stream else {
            return Grip::Nothing;
        };
        let from_character = (app.camera.to_screen(stream.character()) - at).length();
        if double {
            self.last_click = None;
            stream.teleport(app.camera.to_world(at));
            return Grip::Nothing;
        }
        self.held = Some(if from_character <= GRAB {
            stream.grab();
            let put = stream.character();
            Held::Character {
                at,
                off: put - app.camera.to_world(at),
                world: bounds(app.scene.field, stream),
                put,
            }
        } else {
            Held::Press(at)
        });
        Grip::Held
    }

    /// Moves the character; a press that leaves its place takes the field along.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        match self.held {
            Some(Held::Character {
                off, world, put, ..
            }) => {
                self.held = Some(Held::Character {
                    at,
                    off,
                    world,
                    put,
                });
                self.lead(app);
                Grip::Held
            }
            Some(Held::Press(begun)) if (at - begun).length() > DOUBLE_CLICK.1 => {
                self.held = None;
                Grip::Field(begun)
            }
            Some(Held::Press(_)) => Grip::Held,
            None => Grip::Nothing,
        }
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

    /// Lets the character go; what became no drag was a click, and selects.
    pub fn released(&mut self, app: &mut App, at: Pos2) {
        let point = app.camera.to_world(at);
        let Some(stream) = &mut app.stream else {
            self.held = None;
            return;
        };
        match self.held.take() {
            Some(Held::Character { .. }) => stream.let_go(),
            Some(Held::Press(_)) => stream.select_at(point),
            None => {}
        }
    }

    /// Lets the character go; nothing was meant.
    pub fn cancel(&mut self, app: &mut App) {
        if matches!(self.held.take(), Some(Held::Character { .. }))
            && let Some(stream) = &mut app.stream
        {
            stream.let_go();
        }
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
        if let Some(place) = place_of(key) {
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
