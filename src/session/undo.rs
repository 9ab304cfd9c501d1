//! Undo: what each edit was, and how it is taken back. An edit is taken back, time is not.
//!
//! Invariant: taking an entry back gives the entry that does it again, so that undo and redo are one operation.

use super::document::Document;
use crate::battle::{Battle, Edit};
use crate::flight::{Edit3, Flight};
use crate::geometry::Vec2;
use crate::scene::{StructureChoice, StructureChoice3};
use crate::session::lane::{Lane, Lane3};
use crate::story::words::{self, units, with_commas};
use crate::streaming::{Kept, Mover, ObjectsEdit, Settings};
use std::fmt;
use std::sync::Arc;

/// What an edit was, in the words of the menu.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Units were placed.
    Place {
        /// How many.
        count: u32,
        /// Whose.
        side: &'static str,
    },
    /// Units were taken away by the brush.
    Erase(u32),
    /// Units that were named were taken away: as in a window who was selected.
    Delete(u32),
    /// Units were put elsewhere.
    Move(u32),
    /// Units were made larger or smaller.
    Size(u32),
    /// Copies of units were placed beside them.
    Duplicate(u32),
    /// Units were placed that had been copied.
    Paste(u32),
    /// Objects of the world were put elsewhere.
    MoveObjects(u32),
    /// Copies of objects were placed beside them.
    DuplicateObjects(u32),
    /// Objects were taken out of the world.
    RemoveObjects(u32),
    /// Objects were placed that had been copied.
    PasteObjects(u32),
    /// An object was put elsewhere, or made larger or smaller, by numbers.
    ShapeObject,
    /// An object was placed.
    PlaceObject,
    /// A side was given an order.
    Order {
        /// Whose.
        side: &'static str,
        /// What it is to do.
        order: &'static str,
    },
    /// The reach was changed.
    Reach,
    /// How far units keep apart was changed.
    KeepApart,
    /// Another structure was chosen.
    Structure(&'static str),
    /// A knob was turned.
    Knob(&'static str),
    /// All knobs were set to their defaults.
    Defaults,
    /// The number of units was changed.
    Units(u32),
    /// The scene was started again.
    Restart,
    /// The scene was started again on another field, with other bodies or another seed.
    Begin,
    /// The armies changed sides.
    SwapSides,
    /// A lane came, went or was changed: which, in words.
    Lanes(String),
    /// Two lanes have changed places.
    SwapLanes,
    /// One of streaming's settings was changed.
    Tune(String),
    /// The character was put elsewhere.
    Teleport,
    /// The scene was given a name and a caption.
    Describe,
    /// The character was led by the hand.
    Lead,
    /// The character was told to walk.
    Walk,
    /// The character was sent along a path.
    Follow(String),
    /// The character was told to stand.
    Stand,
    /// The character's speed was changed.
    Speed,
    /// A path was recorded.
    Path(String),
    /// A path was called otherwise.
    RenamePath(String),
    /// A path was deleted.
    DropPath(String),
    /// A path that was recorded got corners.
    Straighten(String),
    /// A path got a point.
    PlacePoint(String),
    /// A point of a path was put elsewhere.
    MovePoint(String),
    /// A path lost a point.
    DropPoint(String),
}

impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = |count: &u32| units(u64::from(*count));
        let objects = |count: &u32| words::count(u64::from(*count), "object");
        match self {
            Self::MoveObjects(count) => write!(out, "move {}", objects(count)),
            Self::DuplicateObjects(count) => write!(out, "duplicate {}", objects(count)),
            Self::RemoveObjects(count) => write!(out, "delete {}", objects(count)),
            Self::PasteObjects(count) => write!(out, "paste {}", objects(count)),
            Self::PlaceObject => write!(out, "place an object"),
            Self::ShapeObject => write!(out, "set place and size of an object"),
            Self::Place { count, side } => {
                write!(out, "place {} {side}", with_commas(u64::from(*count)))
            }
            Self::Erase(count) => write!(out, "erase {}", units(count)),
            Self::Delete(count) => write!(out, "delete {}", units(count)),
            Self::Move(count) => write!(out, "move {}", units(count)),
            Self::Size(count) => write!(out, "set the size of {}", units(count)),
            Self::Duplicate(count) => write!(out, "duplicate {}", units(count)),
            Self::Paste(count) => write!(out, "paste {}", units(count)),
            Self::Order { side, order } => write!(out, "order {side} to {order}"),
            Self::Reach => write!(out, "set reach"),
            Self::KeepApart => write!(out, "set how far units keep apart"),
            Self::Structure(name) => write!(out, "choose {name}"),
            Self::Knob(name) => write!(out, "set {name}"),
            Self::Defaults => write!(out, "default knobs"),
            Self::Units(count) => write!(out, "set {}", units(count)),
            Self::Restart => write!(out, "restart"),
            Self::Begin => write!(out, "set the scene up anew"),
            Self::SwapSides => write!(out, "swap sides"),
            Self::Lanes(what) => write!(out, "{what}"),
            Self::SwapLanes => write!(out, "swap lanes"),
            Self::Tune(name) => write!(out, "set {name}"),
            Self::Teleport => write!(out, "teleport"),
            Self::Describe => write!(out, "name and caption"),
            Self::Lead => write!(out, "lead the character"),
            Self::Walk => write!(out, "walk"),
            Self::Follow(path) => write!(out, "follow {path}"),
            Self::Stand => write!(out, "stand"),
            Self::Speed => write!(out, "set speed"),
            Self::Path(path) => write!(out, "keep path {path}"),
            Self::RenamePath(path) => write!(out, "rename path {path}"),
            Self::DropPath(path) => write!(out, "delete path {path}"),
            Self::Straighten(path) => write!(out, "turn path {path} into corners"),
            Self::PlacePoint(path) => write!(out, "place a point of {path}"),
            Self::MovePoint(path) => write!(out, "move a point of {path}"),
            Self::DropPoint(path) => write!(out, "delete a point of {path}"),
        }
    }
}

/// The character as it was.
#[derive(Clone, Debug)]
pub struct CharacterState {
    /// Where it was, when the edit put it elsewhere; where it has walked since is not taken back.
    pub position: Option<Vec2>,
    /// Who moved it.
    pub mover: Mover,
    /// How fast it went, in m/s.
    pub speed: f32,
}

/// Everything, as it was.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub battle: Battle,
    pub lanes: Vec<Lane>,
    pub flight: Option<Flight>,
    pub lanes3: Vec<Lane3>,
    pub document: Document,
    pub world: Option<Kept>,
    /// The tick at which that world was made.
    pub world_made: u64,
    /// How often other armies had begun.
    pub armies: u64,
}

impl Snapshot {
    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        let lanes: usize = self.lanes.iter().map(Lane::byte_count).sum();
        let lanes3: usize = self.lanes3.iter().map(Lane::byte_count).sum();
        let flight = self.flight.as_ref().map_or(0, Flight::byte_count);
        let world = self.world.as_ref().map_or(0, Kept::byte_count);
        self.battle.byte_count() + flight + lanes3 + lanes + self.document.byte_count() + world
    }
}

/// A part of an edit, as it was before.
#[derive(Clone, Debug)]
pub enum Part {
    /// Units came, went, moved or were told something.
    Units(Arc<Edit>),
    /// The same in space.
    Units3(Arc<Edit3>),
    /// The scene.
    Document(Box<Document>),
    /// Objects of the world came, went or moved: the edit that takes that back.
    Objects(Arc<ObjectsEdit>),
    /// The structures of all lanes.
    Lanes(Vec<StructureChoice>),
    /// The same in space.
    Lanes3(Vec<StructureChoice3>),
    /// Streaming's settings.
    Settings(Box<Settings>),
    /// The character.
    Character(CharacterState),
    /// Everything: the edit started the scene again.
    Whole(Arc<Snapshot>),
}

impl Part {
    /// Whether it is of what a tick asks about: of the units, of what they are told, or of everything.
    pub fn is_of_units(&self) -> bool {
        matches!(self, Self::Units(_) | Self::Units3(_) | Self::Whole(_))
    }

    fn byte_count(&self) -> usize {
        match self {
            Self::Units(edit) => edit.byte_count(),
            Self::Units3(edit) => edit.byte_count(),
            Self::Objects(edit) => edit.byte_count(),
            Self::Document(document) => document.byte_count(),
            Self::Whole(snapshot) => snapshot.byte_count(),
            Self::Lanes(_) | Self::Lanes3(_) | Self::Settings(_) | Self::Character(_) => {
                size_of::<Self>()
            }
        }
    }
}

/// One edit that can be taken back.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it was.
    pub what: What,
    /// Its parts in the order in which they were done.
    pub parts: Vec<Part>,
}

impl Entry {
    /// Takes a later edit of the same stroke into this one. Of what is wholly known from before, the earlier state stands.
    fn absorb(&mut self, later: Self) {
        let kind = std::mem::discriminant::<Part>;
        for part in later.parts {
            if let (Some(Part::Units(own)), Part::Units(next)) = (self.parts.last_mut(), &part)
                && Arc::make_mut(own).absorb(next)
            {
                continue;
            }
            if let (Some(Part::Units3(own)), Part::Units3(next)) = (self.parts.last(), &part)
                && own.absorb(next)
            {
                continue;
            }
            let known = self.parts.iter().any(|own| kind(own) == kind(&part));
            if matches!(part, Part::Units(_) | Part::Units3(_)) || !known {
                self.parts.push(part);
            }
        }
        match (&mut self.what, later.what) {
            (What::Place { count, .. }, What::Place { count: more, .. })
            | (What::Erase(count), What::Erase(more)) => *count += more,
            // Who chooses a structure and sets its knobs has chosen it.
            (What::Lanes(_), What::Lanes(_)) => {}
            // Whoever goes on behind a swap has done more than that.
            (own @ What::SwapLanes, What::Lanes(_)) => {
                *own = What::Lanes("set lanes".to_owned());
            }
            (own, later) => *own = later,
        }
    }

    fn is_stroke_of(&self, later: &Self) -> bool {
        use What::{
            Erase, KeepApart, Knob, Lanes, Move, Place, Reach, ShapeObject, Size, Speed, SwapLanes,
            Teleport, Tune, Units, Walk,
        };
        match (&self.what, &later.what) {
            (Place { side: a, .. }, Place { side: b, .. }) => a == b,
            (Erase(_), Erase(_))
            | (Move(_), Move(_))
            | (Size(_), Size(_))
            | (Lanes(_) | SwapLanes, Lanes(_) | SwapLanes)
            | (Reach, Reach)
            | (KeepApart, KeepApart)
            | (Units(_), Units(_))
            | (Speed, Speed)
            | (Teleport, Teleport)
            | (Walk, Walk) => true,
            (ShapeObject, ShapeObject) => self.is_of_objects_of(later),
            (Knob(a), Knob(b)) => a == b,
            (Tune(a), Tune(b)) => a == b,
            _ => false,
        }
    }

    /// Whether it is one of lanes since which two of them have changed places and the others are as before it, where these are `now`.
    pub fn has_swapped(&self, now: &Part) -> bool {
        let is_of_lanes = matches!(self.what, What::Lanes(_) | What::SwapLanes);
        is_of_lanes
            && self.parts.iter().any(|before| match (before, now) {
                (Part::Lanes(before), Part::Lanes(now)) => are_swapped(before, now),
                (Part::Lanes3(before), Part::Lanes3(now)) => are_swapped(before, now),
                _ => false,
            })
    }

    /// Whether what becomes of objects is taken back for both by what takes back this one.
    fn is_of_objects_of(&self, later: &Self) -> bool {
        let objects = |entry: &Self| {
            entry.parts.iter().find_map(|part| match part {
                Part::Objects(edit) => Some(Arc::clone(edit)),
                _ => None,
            })
        };
        let both = objects(self).zip(objects(later));
        both.is_some_and(|(own, later)| own.is_of_same(&later))
    }

    fn byte_count(&self) -> usize {
        self.parts.iter().map(Part::byte_count).sum()
    }
}

/// Whether two of these have changed places, and nothing else is otherwise.
fn are_swapped<T: PartialEq>(before: &[T], now: &[T]) -> bool {
    let mut differ = (0..before.len().min(now.len())).filter(|at| before[*at] != now[*at]);
    let (first, second, third) = (differ.next(), differ.next(), differ.next());
    let is_swap = |(a, b): (usize, usize)| before[a] == now[b] && before[b] == now[a];
    before.len() == now.len() && third.is_none() && first.zip(second).is_some_and(is_swap)
}

/// An edit of the stack.
#[derive(Clone, Debug)]
struct Done {
    entry: Arc<Entry>,
    /// How many actions had been done before the one that did it, or did it again or took it back, last.
    act: usize,
}

/// The edits before and after the present state. A copy shares what the entries hold.
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    before: Vec<Done>,
    after: Vec<Done>,
}

impl UndoStack {
    /// The most entries that are kept.
    const DEPTH: usize = 256;
    /// The most bytes that they take together; the newest entry stays whatever it takes.
    const BYTES: usize = 256 << 20;

    /// Takes one more edit, behind so many actions. `more` says that it goes on with the last one: a stroke of the brush, a slider
    /// under the mouse. Whether it has become a part of that.
    pub fn push(&mut self, entry: Entry, more: bool, act: usize) -> bool {
        self.after.clear();
        let goes_on = match self.before.last_mut() {
            Some(last) if more && last.entry.is_stroke_of(&entry) => {
                Arc::make_mut(&mut last.entry).absorb(entry);
                true
            }
            _ => {
                let entry = Arc::new(entry);
                self.before.push(Done { entry, act });
                false
            }
        };
        let mut held = byte_count(&self.before);
        while self.before.len() > Self::DEPTH || (held > Self::BYTES && self.before.len() > 1) {
            held -= self.before.remove(0).entry.byte_count();
        }
        goes_on
    }

    /// The edit that undo takes back next, or redo does again.
    pub fn next(&self, redo: bool) -> Option<&Arc<Entry>> {
        let next = if redo {
            self.after.last()
        } else {
            self.before.last()
        };
        next.map(|done| &done.entry)
    }

    /// How often undo takes something back until the edit that was done behind so many actions is; `None` where it is not among those
    /// that are done.
    pub fn until(&self, act: usize) -> Option<usize> {
        let mut last_first = self.before.iter().rev();
        let later = last_first.position(|done| done.act == act)?;
        Some(later + 1)
    }

    /// Behind how many actions the edit that undo takes back next was done.
    pub fn last_act(&self) -> Option<usize> {
        self.before.last().map(|done| done.act)
    }

    /// How many edits can be done again.
    pub fn redo_count(&self) -> usize {
        self.after.len()
    }

    /// The next edit has been taken back, or done again, behind so many actions; `inverse` takes that back in turn.
    pub fn turn(&mut self, redo: bool, inverse: Entry, act: usize) {
        let (from, to) = if redo {
            (&mut self.after, &mut self.before)
        } else {
            (&mut self.before, &mut self.after)
        };
        from.pop();
        let entry = Arc::new(inverse);
        to.push(Done { entry, act });
    }

    /// The bytes that all entries take.
    pub fn byte_count(&self) -> usize {
        byte_count(&self.before) + byte_count(&self.after)
    }
}

/// The bytes that these edits take.
fn byte_count(all: &[Done]) -> usize {
    all.iter().map(|done| done.entry.byte_count()).sum()
}
