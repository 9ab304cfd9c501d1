//! What the pointer does on a picture of the battle: strokes of the brush, boxes around units, and units that are moved.

use crate::app::input::Modifiers;
use crate::app::state::{App, MOST_LIVE, Selection, Tool};
use crate::app::view::contract::{Grip, Press};
use egui_macroquad::egui::Pos2;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::UnitId;

/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;

/// What the left button holds.
#[derive(Debug, Default)]
enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// The brush.
    Brush {
        /// The last place where it placed or took units.
        last: Vec2,
    },
    /// A unit.
    Unit(Moving),
    /// A corner of a box around units.
    Corner(Boxing),
    /// All who are selected.
    Many(Carrying),
}

/// A box around units while it is drawn.
#[derive(Debug)]
struct Boxing {
    /// Where the button went down, in the window and in the world.
    pressed: Pos2,
    from: Vec2,
    /// Who was selected before, and stays so.
    before: Selection,
    /// Whether the press has become a drag.
    is_drag: bool,
}

/// What a press on somebody who is selected means, when it becomes no drag.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Click {
    /// That one alone.
    Alone,
    /// All others: it is left out.
    LeaveOut,
    /// Nothing more: it has just come to the others.
    Added,
}

/// Those who are selected, in the hand.
#[derive(Clone, Copy, Debug)]
struct Carrying {
    /// The unit that was pressed.
    unit: UnitId,
    /// Where the button went down, in the window and in the world.
    pressed: Pos2,
    from: Vec2,
    /// What a click without a drag does.
    click: Click,
}

/// A unit in the hand.
#[derive(Clone, Copy, Debug)]
struct Moving {
    unit: UnitId,
    /// From the pointer to the unit, in metres.
    off: Vec2,
    /// Where the button went down.
    pressed: Pos2,
    /// Where the unit is to be; `None` until the press has become a drag.
    to: Option<Vec2>,
    /// Where it was put last.
    put: Option<Vec2>,
}

/// A stroke of the brush, or of the hand.
#[derive(Debug, Default)]
pub struct BrushStroke {
    hold: Hold,
}

impl BrushStroke {
    /// Begins a stroke, or takes a unit.
    pub fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let point = app.camera.to_world(press.at);
        let takes = press.modifiers.shift || app.brush.tool == Tool::Look;
        if !takes {
            app.note_outside(point);
            app.brush_at(point, true);
            self.hold = Hold::Brush { last: point };
            return Grip::Held;
        }
        // With the brush Shift stands for Look; with Look it takes more.
        let adds = press.modifiers.shift && app.brush.tool == Tool::Look;
        let unit = unit_at(app, point).filter(|_| !press.modifiers.ctrl);
        let pressed = press.at;
        self.hold = match unit {
            Some(unit) if app.selection.contains(unit) && (adds || app.selection.len() > 1) => {
                Hold::Many(Carrying {
                    unit,
                    pressed,
                    from: point,
                    click: if adds { Click::LeaveOut } else { Click::Alone },
                })
            }
            Some(unit) if adds && !app.selection.is_empty() => {
                app.selection.toggle(unit);
                Hold::Many(Carrying {
                    unit,
                    pressed,
                    from: point,
                    click: Click::Added,
                })
            }
            // In a crowd somebody stands wherever a box begins: with Look only who is selected already goes with the hand.
            Some(unit) if !press.modifiers.shift && !app.selection.contains(unit) => {
                app.selection.set(Some(unit));
                Hold::Corner(Boxing {
                    pressed,
                    from: point,
                    before: Selection::default(),
                    is_drag: false,
                })
            }
            Some(unit) => {
                app.selection.set(Some(unit));
                Hold::Unit(Moving {
                    unit,
                    off: app.battle.positions()[unit as usize] - point,
                    pressed,
                    to: None,
                    put: None,
                })
            }
            None => {
                let before = if adds {
                    app.selection.clone()
                } else {
                    Selection::default()
                };
                app.selection.clone_from(&before);
                Hold::Corner(Boxing {
                    pressed,
                    from: point,
                    before,
                    is_drag: false,
                })
            }
        };
        Grip::Held
    }

    /// Goes on with the stroke.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        let point = app.camera.to_world(at);
        match &mut self.hold {
            Hold::Nothing => return Grip::Nothing,
            Hold::Brush { last } => {
                // A stroke places anew after a diameter, so that it lays circles side by side.
                let step = if app.brush.tool == Tool::Erase {
                    0.5
                } else {
                    2.0
                };
                if point.distance(*last) >= app.brush.radius * step {
                    app.brush_at(point, false);
                    *last = point;
                }
            }
            Hold::Unit(moving) => {
                if moving.to.is_some() || moving.pressed.distance(at) >= DRAG {
                    moving.to = Some(point + moving.off);
                }
            }
            Hold::Corner(boxing) => {
                boxing.is_drag |= boxing.pressed.distance(at) >= DRAG;
                if boxing.is_drag {
                    let area = Aabb::new(boxing.from.min(point), boxing.from.max(point));
                    app.boxed = Some(area);
                    if app.alive() <= MOST_LIVE {
                        boxing.select(app, area);
                    }
                }
            }
            Hold::Many(carrying) => {
                if app.carried.is_some() || carrying.pressed.distance(at) >= DRAG {
                    app.carried = Some(point - carrying.from);
                }
            }
        }
        Grip::Held
    }

    /// Keeps the unit that is held under the hand, once a frame: the battle would have it go on.
    pub fn serve(&mut self, app: &mut App) {
        let Hold::Unit(moving) = &mut self.hold else {
            return;
        };
        if !app.battle.bodies().is_alive(moving.unit) {
            self.hold = Hold::Nothing;
            return;
        }
        let Some(to) = moving.to else { return };
        // While time stands still it stays where it was put.
        let goes = moving
            .put
            .is_none_or(|put| put != to || app.battle.positions()[moving.unit as usize] != put);
        if goes {
            app.move_unit(moving.unit, to);
            moving.put = Some(to);
        }
    }

    /// Ends the stroke: what is held is put down where the pointer is.
    pub fn end(&mut self, app: &mut App) {
        self.serve(app);
        match std::mem::take(&mut self.hold) {
            Hold::Nothing | Hold::Brush { .. } => {}
            Hold::Unit(moving) => {
                if moving.put.is_some() {
                    app.put_down(moving.unit);
                }
            }
            Hold::Corner(boxing) => {
                if let Some(area) = app.boxed.take() {
                    boxing.select(app, area);
                }
            }
            Hold::Many(carrying) => match app.carried.take() {
                Some(way) => app.move_selection(way, false),
                None => match carrying.click {
                    Click::Alone => app.selection.set(Some(carrying.unit)),
                    Click::LeaveOut => app.selection.toggle(carrying.unit),
                    Click::Added => {}
                },
            },
        }
    }

    /// Ends the stroke where it was last; those who are carried stay where they were.
    pub fn cancel(&mut self, app: &mut App) {
        self.hold = Hold::Nothing;
        (app.boxed, app.carried) = (None, None);
    }
}

impl Boxing {
    /// Selects who is in the box, and who was before.
    fn select(&self, app: &mut App, area: Aabb) {
        let units = app.units_in(area).collect();
        app.select_beside(units, &self.before);
    }
}

/// The unit nearest to the point, if there is one within a few pixels.
pub fn unit_at(app: &App, point: Vec2) -> Option<UnitId> {
    let within = 14.0 / app.camera.zoom;
    let bodies = app.battle.bodies();
    let distances = bodies
        .ids()
        .map(|unit| (bodies.aabb(unit).distance_sq(point), unit));
    distances
        .filter(|(distance_sq, _)| *distance_sq <= within * within)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, unit)| unit)
}

/// Takes a turn of the wheel: with Ctrl it is the radius of the brush. Whether it was that.
pub fn wheel(app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
    if modifiers.ctrl {
        app.brush.radius = (app.brush.radius * factor).clamp(0.5, 500.0);
    }
    modifiers.ctrl
}
