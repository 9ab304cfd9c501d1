//! Actions: the one vocabulary in which panels, keys, the mouse, scripts and recordings say what is to change.
//!
//! An [`Action`] is plain data with numbers that read as text. What only concerns looking (camera, layers, theme) is none:
//! it changes nothing that a recording would have to keep.

use super::beginning::{Beginning, BodySize};
use super::ranges::Units;
use super::strew::Strewn;
use super::strew_space::Strewn3;
use super::within::number;
use super::worth::Unsaved;
use crate::geometry::Vec2;
use crate::partition::{COORDINATE_LIMIT, UnitId};
use crate::scene;
use crate::volume::Vec3;
use serde::{Deserialize, Serialize};

/// A point of the world, in metres.
pub type Point = (f32, f32);

/// A point in space, in metres.
pub type Point3 = (f32, f32, f32);

/// Whose units are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// Starts on the left.
    Blue,
    /// Starts on the right.
    Orange,
}

/// What the units of a side shall do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Order {
    /// Stand.
    Hold,
    /// Run at the nearest enemy.
    Charge,
    /// Wander.
    Brawl,
    /// March in this direction.
    March(f32, f32),
}

/// How the units of a side shall move in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Motion {
    /// Stay.
    Hold,
    /// Fly straight ahead.
    Drift,
    /// Keep together and apart.
    Flock,
    /// At the nearest enemy.
    Chase,
    /// Away from the nearest enemy.
    Flee,
    /// In circles around the middle.
    Orbit,
}

/// Something that changes the battle, the structures, the world or the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Chooses the structure of the first lane, by its key.
    Structure(String),
    /// Sets a knob of the first lane's structure, both written as on the command line.
    Set(String, String),
    /// Sets every knob of the first lane's structure to its default.
    Defaults,
    /// Sets how many units there are at the start, and starts again.
    Units(u32),
    /// Starts the scene again, as it is now.
    Restart,
    /// Starts the scene again with another field, other bodies or another seed.
    Begin(Beginning),
    /// Gives every army to the other side, and starts again.
    SwapSides,
    /// Gives every unit of a side an order.
    Order(Side, Order),
    /// Multiplies every reach.
    Reach(f32),
    /// How far apart the units of a battle try to keep, in metres.
    KeepApart(f32),
    /// Gives the scene this name and this caption.
    Describe(String, String),
    /// Places units of a side around a point: the radius in metres, and how many.
    Spawn(Side, Point, f32, u32),
    /// Takes away the units within a radius of a point, in metres.
    Erase(Point, f32),
    /// Takes away these units.
    Remove(Vec<UnitId>),
    /// Puts units elsewhere.
    Move(Vec<(UnitId, Point)>),
    /// Moves units by a way, all together; the scene starts with them where they are put.
    Shift(Units, Point),
    /// Places copies of units, moved by a way.
    Copy(Units, Point),
    /// Places the units of a text, as a clipboard has it, their middle at a point.
    Paste(String, Point),
    /// Makes units so wide, on a plane or in space, and the scene starts with them so: half of the width of a square or a cube, in metres.
    Size(Units, f32),
    /// Moves objects of the world by a way, all together; the scene has them where they are put.
    MoveObjects(Units, Point),
    /// Places copies of objects, moved by a way.
    CopyObjects(Units, Point),
    /// Takes these objects out of the world.
    RemoveObjects(Units),
    /// Places the objects of a text, as a clipboard has it, their middle at a point.
    PasteObjects(String, Point),
    /// Places an object at a point: its picture, a path below the scene's folder, where, and half of its width and height in metres.
    PlaceObject(String, Point, Point),
    /// Puts an object at a point and makes it so large: its number, where, and half of its width and height in metres.
    ShapeObject(u32, Point, Point),
    /// Places units of a side around a point in another way than [`Action::Spawn`] does.
    Strew(Side, Point, Strewn),
    /// Lets every unit of a side move in this way, in a scene of the third dimension.
    Motion(Side, Motion),
    /// Places units of a side in a ball around a point: the radius in metres, and how many.
    Spawn3(Side, Point3, f32, u32),
    /// Takes away the units within a radius of a point in space, in metres.
    Erase3(Point3, f32),
    /// Puts units elsewhere in space.
    Move3(Vec<(UnitId, Point3)>),
    /// The same as [`Action::Shift`] in space.
    Shift3(Units, Point3),
    /// The same as [`Action::Copy`] in space.
    Copy3(Units, Point3),
    /// The same as [`Action::Paste`] in space.
    Paste3(String, Point3),
    /// Places units of a side around a point in space in another way than [`Action::Spawn3`] does.
    Strew3(Side, Point3, Strewn3),
    /// Takes the last edit back. Time goes on from where it is.
    Undo,
    /// Takes the last undo back.
    Redo,
    /// Lets one more structure follow the battle, by its key, with knobs written as on the command line.
    AddLane(String, Vec<(String, String)>),
    /// The same for who only looks: no edit, and in the scene only once a lane is changed by hand.
    Beside(String),
    /// Gives a lane (0 is the first) another structure with these knobs.
    SetLane(usize, String, Vec<(String, String)>),
    /// Ends a lane; the first one stays.
    DropLane(usize),
    /// Puts the character here.
    Teleport(Point),
    /// Takes the character by the hand, or moves the hand that has it.
    Lead(Point),
    /// Lets the character go.
    LetGo,
    /// The character walks by itself in this direction; (0, 0) stands.
    Walk(f32, f32),
    /// Sends the character along the path of this name, from its beginning.
    Follow(String),
    /// The character stands.
    Stand,
    /// How fast the character goes, in m/s.
    Speed(f32),
    /// Sets one of streaming's settings, both written as text: `Tune("lead", "60")`.
    Tune(String, String),
    /// Sets all of streaming's settings to those with which the scene was opened.
    TuneDefaults,
    /// Starts the figures of streaming anew.
    CountAnew,
    /// Begins to take down the way of the character.
    RecordPath,
    /// Ends that, and keeps the way in the scene as a path.
    KeepPath,
    /// Calls a path of the scene otherwise: its name, and the new one.
    RenamePath(String, String),
    /// Takes a path out of the scene.
    DropPath(String),
    /// Gives a path that was recorded corners instead of a point for each tick, so that it is walked and its points can be edited.
    Straighten(String),
    /// Puts a point into a path of the scene, before the one at this place, and behind the last one where there is none. A path that is
    /// not there yet begins with it, and is walked.
    PlacePoint(String, u32, Point),
    /// Puts the point at this place of a path elsewhere.
    MovePoint(String, u32, Point),
    /// Takes the point at this place out of a path.
    DropPoint(String, u32),
}

impl Action {
    /// The words for the same on a plane and in space, where they are two.
    pub(super) const fn counterpart(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Order(..) | Self::Motion(..) => Some(("Order", "Motion")),
            Self::Spawn(..) | Self::Spawn3(..) => Some(("Spawn", "Spawn3")),
            Self::Erase(..) | Self::Erase3(..) => Some(("Erase", "Erase3")),
            Self::Move(_) | Self::Move3(_) => Some(("Move", "Move3")),
            Self::Shift(..) | Self::Shift3(..) => Some(("Shift", "Shift3")),
            Self::Copy(..) | Self::Copy3(..) => Some(("Copy", "Copy3")),
            Self::Paste(..) | Self::Paste3(..) => Some(("Paste", "Paste3")),
            Self::Strew(..) | Self::Strew3(..) => Some(("Strew", "Strew3")),
            _ => None,
        }
    }

    /// Whether it is about the structures that follow, or builds them anew: then it may come out otherwise where there is one more.
    pub const fn minds_lanes(&self) -> bool {
        matches!(
            self,
            Self::Structure(_)
                | Self::Set(..)
                | Self::Defaults
                | Self::Units(_)
                | Self::Restart
                | Self::Begin(_)
                | Self::SwapSides
                | Self::Undo
                | Self::Redo
                | Self::AddLane(..)
                | Self::Beside(_)
                | Self::SetLane(..)
                | Self::DropLane(_)
        )
    }

    /// Whether it changes nothing but which structures follow and how they are set: who is where, and what is asked, stays as it is.
    pub const fn is_of_lanes_alone(&self) -> bool {
        matches!(
            self,
            Self::Structure(_)
                | Self::Set(..)
                | Self::Defaults
                | Self::AddLane(..)
                | Self::Beside(_)
                | Self::SetLane(..)
                | Self::DropLane(_)
        )
    }

    /// The lane whose structure it chooses or sets; `None` where it is about no single one.
    pub(super) const fn lane(&self) -> Option<usize> {
        match self {
            Self::Structure(_) | Self::Set(..) | Self::Defaults => Some(0),
            Self::SetLane(place, ..) => Some(*place),
            _ => None,
        }
    }

    /// Whether it may change what a file of the scene holds. Who only leads the character, puts units elsewhere for the moment, starts again
    /// or looks changes nothing of that; what an undo takes back may be any of it.
    pub(super) const fn writes_scene(&self) -> bool {
        !matches!(
            self,
            Self::Restart
                | Self::Move(_)
                | Self::Move3(_)
                | Self::Beside(_)
                | Self::Teleport(_)
                | Self::Lead(_)
                | Self::LetGo
                | Self::Walk(..)
                | Self::CountAnew
                | Self::RecordPath
        )
    }

    /// What it makes of a scene that its file has not: something that somebody would miss, or how a structure, how a world streams, or where
    /// its character goes and how fast, is set. Which structures are looked at is nothing of that, unless it says how they are set.
    pub(super) const fn makes(&self) -> Unsaved {
        match self {
            Self::Undo | Self::Redo => Unsaved::Nothing,
            Self::Set(..)
            | Self::Defaults
            | Self::Tune(..)
            | Self::TuneDefaults
            | Self::Follow(_)
            | Self::Stand
            | Self::Speed(_) => Unsaved::Settings,
            Self::AddLane(_, knobs) | Self::SetLane(_, _, knobs) if !knobs.is_empty() => {
                Unsaved::Settings
            }
            _ if self.is_of_lanes_alone() || !self.writes_scene() => Unsaved::Nothing,
            _ => Unsaved::Work,
        }
    }

    /// Whether what another one has made or set may stand no more after it. It errs towards that: what is told in vain is asked about
    /// once too often, and what is not told is lost.
    pub(super) fn takes_place_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Set(knob, _), Self::Set(other, _))
            | (Self::Tune(knob, _), Self::Tune(other, _)) => knob == other,
            (Self::SetLane(place, ..), Self::SetLane(other, ..)) => place == other,
            // Places of lanes move up where one is dropped, and the first lane's knobs are those of the scene.
            (Self::DropLane(_), Self::SetLane(..) | Self::AddLane(..))
            | (Self::SetLane(..), Self::AddLane(..))
            | (Self::SetLane(0, ..), Self::Set(..) | Self::Defaults)
            | (Self::Set(..) | Self::Defaults, Self::SetLane(0, ..))
            | (Self::Defaults, Self::Set(..))
            | (Self::Set(..), Self::Defaults)
            | (Self::TuneDefaults, Self::Tune(..))
            | (Self::Tune(..), Self::TuneDefaults)
            | (Self::Follow(_) | Self::Stand, Self::Follow(_) | Self::Stand)
            | (Self::Speed(_), Self::Speed(_))
            | (Self::Begin(_), _)
            | (Self::Describe(..), Self::Describe(..)) => true,
            (Self::Describe(..), _) => false,
            (_, other) => {
                let makes_work = |action: &Self| action.makes() == Unsaved::Work;
                !self.adds() && makes_work(self) && makes_work(other)
            }
        }
    }

    /// Whether anything that it makes, or does again, may be missed.
    pub(super) fn may_be_missed(&self) -> bool {
        *self == Self::Redo || self.makes() != Unsaved::Nothing
    }

    /// Whether all that was made before it is there behind it as well: nothing is taken away, and nothing that is made takes the place of
    /// anything. A structure, a knob and an order take the place of others, and are set anew at a touch.
    pub(super) const fn adds(&self) -> bool {
        matches!(
            self,
            Self::Structure(_)
                | Self::Set(..)
                | Self::Defaults
                | Self::Order(..)
                | Self::Reach(_)
                | Self::KeepApart(_)
                | Self::Spawn(..)
                | Self::Copy(..)
                | Self::Paste(..)
                | Self::CopyObjects(..)
                | Self::PasteObjects(..)
                | Self::PlaceObject(..)
                | Self::Strew(..)
                | Self::Spawn3(..)
                | Self::Copy3(..)
                | Self::Paste3(..)
                | Self::Strew3(..)
                | Self::AddLane(..)
                | Self::SetLane(..)
                | Self::Teleport(_)
                | Self::Lead(_)
                | Self::LetGo
                | Self::Walk(..)
                | Self::Follow(_)
                | Self::Stand
                | Self::Speed(_)
                | Self::Tune(..)
                | Self::TuneDefaults
                | Self::CountAnew
        )
    }

    /// Whether ticks since then are of another crowd, or are asked otherwise, however many units there are: what those before it cost says
    /// nothing of them. What an undo takes back may be any of it.
    pub(super) const fn begins_crowd(&self) -> bool {
        matches!(
            self,
            Self::Units(_)
                | Self::Restart
                | Self::Begin(_)
                | Self::SwapSides
                | Self::Reach(_)
                | Self::KeepApart(_)
                | Self::Size(..)
                | Self::Undo
                | Self::Redo
        )
    }

    /// Everything that can be known to be wrong without a session, in one sentence.
    pub fn check(&self) -> Result<(), String> {
        match self {
            // Before memory is taken for their places.
            Self::Spawn(.., count)
            | Self::Spawn3(.., count)
            | Self::Strew(_, _, Strewn { count, .. })
            | Self::Strew3(_, _, Strewn3 { count, .. })
                if *count > scene::limits::MAX_UNITS =>
            {
                Err(format!(
                    "at most {} units are placed at once (found {count})",
                    scene::limits::MAX_UNITS
                ))
            }
            Self::Strew3(_, at, Strewn3 { radius, size, .. }) => {
                size.map_or(Ok(()), BodySize::check)?;
                point3(*at)?;
                number("a radius", *radius, 0.0, COORDINATE_LIMIT)
            }
            Self::Strew(_, at, Strewn { radius, size, .. }) => {
                size.map_or(Ok(()), BodySize::check)?;
                point(*at)?;
                number("a radius", *radius, 0.0, COORDINATE_LIMIT)
            }
            Self::Size(_, half) => BodySize::Alike(*half).check(),
            Self::Spawn3(_, at, radius, _) | Self::Erase3(at, radius) => {
                point3(*at)?;
                number("a radius", *radius, 0.0, COORDINATE_LIMIT)
            }
            Self::Move3(moves) => moves.iter().try_for_each(|(_, at)| point3(*at)),
            Self::Spawn(_, at, radius, _) | Self::Erase(at, radius) => {
                point(*at)?;
                number("a radius", *radius, 0.0, COORDINATE_LIMIT)
            }
            Self::Shift3(_, at) | Self::Copy3(_, at) | Self::Paste3(_, at) => point3(*at),
            Self::Teleport(at)
            | Self::Lead(at)
            | Self::Paste(_, at)
            | Self::PasteObjects(_, at) => point(*at),
            Self::Shift(_, way)
            | Self::Copy(_, way)
            | Self::MoveObjects(_, way)
            | Self::CopyObjects(_, way) => point(*way),
            Self::PlaceObject(asset, at, (x, y)) => {
                scene::file::check_asset(asset)?;
                place(*at, (*x, *y))
            }
            Self::ShapeObject(_, at, half_extent) => place(*at, *half_extent),
            Self::Begin(beginning) => beginning.check(),
            Self::Describe(name, caption) => scene::file::check_title(name, caption),
            Self::RenamePath(_, name) => scene::file::check_path_name(name),
            Self::PlacePoint(name, _, at) => {
                scene::file::check_path_name(name)?;
                point(*at)
            }
            Self::MovePoint(_, _, at) => point(*at),
            Self::Move(moves) => moves.iter().try_for_each(|(_, at)| point(*at)),
            Self::Reach(scale) => number("the reach", *scale, 0.0, 100.0),
            Self::KeepApart(metres) => number(
                "how far units keep apart",
                *metres,
                0.0,
                scene::limits::MAX_KEEP_APART,
            ),
            Self::Speed(speed) => number(
                "the speed",
                *speed,
                f32::MIN_POSITIVE,
                scene::limits::MAX_SPEED,
            ),
            // As in a scene, which keeps it.
            Self::Order(_, Order::March(0.0, 0.0)) => {
                Err("the direction of March must be other than (0, 0)".to_owned())
            }
            Self::Order(_, Order::March(x, y)) => point((*x, *y)),
            Self::Walk(x, y) if !(x.is_finite() && y.is_finite()) => {
                Err(format!("a direction must be two numbers (found {x}, {y})"))
            }
            Self::Units(count) if *count > scene::limits::MAX_UNITS => Err(format!(
                "the units must be at most {} (found {count})",
                scene::limits::MAX_UNITS
            )),
            _ => Ok(()),
        }
    }
}

fn point(at: Point) -> Result<(), String> {
    if at.0.abs() <= COORDINATE_LIMIT && at.1.abs() <= COORDINATE_LIMIT {
        Ok(())
    } else {
        Err(format!(
            "coordinates must be numbers up to {COORDINATE_LIMIT} (found {}, {})",
            at.0, at.1
        ))
    }
}

/// Where an object is, and half of its width and height.
fn place(at: Point, (x, y): Point) -> Result<(), String> {
    point(at)?;
    number("half a width", x, 0.0, COORDINATE_LIMIT)?;
    number("half a height", y, 0.0, COORDINATE_LIMIT)
}

fn point3((x, y, z): Point3) -> Result<(), String> {
    if [x, y, z].iter().all(|it| it.abs() <= COORDINATE_LIMIT) {
        Ok(())
    } else {
        Err(format!(
            "coordinates must be numbers up to {COORDINATE_LIMIT} (found {x}, {y}, {z})"
        ))
    }
}

/// The vector of a point in space.
pub(super) fn vector3((x, y, z): Point3) -> Vec3 {
    Vec3::new(x, y, z)
}

/// The vector of a point.
pub(super) fn vector(at: Point) -> Vec2 {
    Vec2::new(at.0, at.1)
}

impl From<Side> for scene::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::Blue => Self::Blue,
            Side::Orange => Self::Orange,
        }
    }
}

impl From<scene::Side> for Side {
    fn from(side: scene::Side) -> Self {
        match side {
            scene::Side::Blue => Self::Blue,
            scene::Side::Orange => Self::Orange,
        }
    }
}

macro_rules! same_words {
    ($word:ident: $($variant:ident),+) => {
        impl From<$word> for scene::$word {
            fn from(word: $word) -> Self {
                match word { $($word::$variant => Self::$variant,)+ }
            }
        }

        impl From<scene::$word> for $word {
            fn from(word: scene::$word) -> Self {
                match word { $(scene::$word::$variant => Self::$variant,)+ }
            }
        }
    };
}

same_words!(Motion: Hold, Drift, Flock, Chase, Flee, Orbit);

impl From<Order> for scene::Order {
    fn from(order: Order) -> Self {
        match order {
            Order::Hold => Self::Hold,
            Order::Charge => Self::Charge,
            Order::Brawl => Self::Brawl,
            Order::March(x, y) => Self::March(Vec2::new(x, y)),
        }
    }
}

impl From<scene::Order> for Order {
    fn from(order: scene::Order) -> Self {
        match order {
            scene::Order::Hold => Self::Hold,
            scene::Order::Charge => Self::Charge,
            scene::Order::Brawl => Self::Brawl,
            scene::Order::March(way) => Self::March(way.x, way.y),
        }
    }
}

impl Side {
    /// The word for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Orange => "orange",
        }
    }
}

impl Order {
    /// The word for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Charge => "charge",
            Self::Brawl => "brawl",
            Self::March(..) => "march",
        }
    }
}
