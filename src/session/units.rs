//! Many units at once: who is meant, and what is moved, copied and pasted of them, on a plane and in space alike.

use super::document::Gathered;
use super::ranges::Units;
use super::undo::{Entry, Part, What};
use super::{Refusal, Session};
use crate::battle::{Battle, Group, Template};
use crate::geometry::Vec2;
use crate::partition::{COORDINATE_LIMIT, UnitId};
use crate::scene::file::{self, SceneError};
use crate::scene::{Army, Formation, Muster, Size};
use crate::volume::Vec3;
use std::collections::HashMap;
use std::fmt::Display;
use std::ops::{Add, Sub};
use std::sync::Arc;

/// The most units that are copied as a text.
pub const COPY_LIMIT: usize = 100_000;

/// A point, or a way, on a plane or in space.
pub trait Coordinates:
    Copy + PartialEq + Default + Display + Add<Output = Self> + Sub<Output = Self>
{
    /// The lower of each coordinate of two points.
    fn least(self, other: Self) -> Self;

    /// The higher of each.
    fn most(self, other: Self) -> Self;

    /// The point between two.
    fn halfway(self, other: Self) -> Self;

    /// Whether units can be there.
    fn is_within_limits(self) -> bool;
}

macro_rules! coordinates {
    ($point:ty) => {
        impl Coordinates for $point {
            fn least(self, other: Self) -> Self {
                self.min(other)
            }

            fn most(self, other: Self) -> Self {
                self.max(other)
            }

            fn halfway(self, other: Self) -> Self {
                (self + other) * 0.5
            }

            fn is_within_limits(self) -> bool {
                self.abs().cmple(Self::splat(COORDINATE_LIMIT)).all()
            }
        }
    };
}

coordinates!(Vec2);
coordinates!(Vec3);

/// Those who are on a plane, or in space, to who edits many of them at once.
pub trait Crowd: Sized {
    /// Where one of them is.
    type Place: Coordinates;

    /// What a scene has them in.
    type Group: Gathered + Muster<Place = Self::Place>;

    /// Where they are, in words.
    const WHERE: &'static str;

    /// That of a session; `None` where it is of the other dimension.
    fn of(session: &mut Session) -> Option<&mut Self>;

    /// Where a unit is; `None` of one who is not alive.
    fn place_of(&self, unit: UnitId) -> Option<Self::Place>;

    /// A number that a unit shares with those of its side who are like it, by what law sizes of such are drawn, and its own.
    fn kind_of(&self, unit: UnitId) -> Option<(u32, Size<Self::Place>, Self::Place)>;

    /// A group for such units, in which nobody is yet, with the law of their sizes.
    fn group_of(&self, unit: UnitId) -> Option<Self::Group>;

    /// Puts units elsewhere, all or none; gives what takes that back.
    fn put(&mut self, moves: &[(UnitId, Self::Place)]) -> Result<Part, Refusal>;

    /// The size of a square, or of a cube, by half of its width.
    fn square(half: f32) -> Self::Place;

    /// Gives units a size, halves of their sides, all or none; gives what takes that back.
    fn resize(&mut self, sizes: &[(UnitId, Self::Place)]) -> Result<Part, Refusal>;

    /// Lets groups enter whose places are explicit, all or none; of these sizes, halves of their sides, or
    /// points; gives what takes that back, and who they are, in order.
    fn enlist_all(
        &mut self,
        groups: &[Self::Group],
        sizes: &[Vec<Self::Place>],
    ) -> Result<(Part, Vec<UnitId>), Refusal>;

    /// Reads groups from the text of a clipboard.
    fn read(text: &str) -> Result<Vec<Self::Group>, SceneError>;

    /// That text.
    fn write(groups: &[Self::Group]) -> String;
}

impl Crowd for Battle {
    type Place = Vec2;
    type Group = Army;
    const WHERE: &'static str = "on a plane";

    fn of(session: &mut Session) -> Option<&mut Self> {
        session.flight.is_none().then_some(&mut session.battle)
    }

    fn place_of(&self, unit: UnitId) -> Option<Vec2> {
        let is_alive = self.bodies().is_alive(unit);
        is_alive.then(|| self.positions()[unit as usize])
    }

    fn kind_of(&self, unit: UnitId) -> Option<(u32, Size, Vec2)> {
        let half_extent = self.half_extents().get(unit as usize).copied();
        let law = self.template(unit)?.size;
        Some((self.squad_of(unit)?, law, half_extent.unwrap_or_default()))
    }

    fn group_of(&self, unit: UnitId) -> Option<Army> {
        let (template, side) = (self.template(unit)?, self.sides()[unit as usize]);
        let mut army = Army::new(side, 0, Formation::Explicit(Vec::new()));
        (army.order, army.speed, army.reach) = (template.order, template.speed, template.reach);
        (army.sight, army.hit_points) = (template.sight, template.hit_points);
        army.size = template.size;
        Some(army)
    }

    fn put(&mut self, moves: &[(UnitId, Vec2)]) -> Result<Part, Refusal> {
        let edit = self.place(moves).map_err(Refusal::because)?;
        Ok(Part::Units(Arc::new(edit)))
    }

    fn square(half: f32) -> Vec2 {
        Vec2::splat(half)
    }

    fn resize(&mut self, sizes: &[(UnitId, Vec2)]) -> Result<Part, Refusal> {
        let edit = self.set_sizes(sizes).map_err(Refusal::because)?;
        Ok(Part::Units(Arc::new(edit)))
    }

    fn enlist_all(
        &mut self,
        armies: &[Army],
        sizes: &[Vec<Vec2>],
    ) -> Result<(Part, Vec<UnitId>), Refusal> {
        let groups = armies.iter().zip(sizes).map(|(army, sizes)| Group {
            side: army.side,
            template: Template::from(army),
            positions: places_of(army),
            half_extents: sizes,
        });
        let edit = self
            .muster(&groups.collect::<Vec<_>>())
            .map_err(Refusal::because)?;
        let units = edit.units().to_vec();
        Ok((Part::Units(Arc::new(edit)), units))
    }

    fn read(text: &str) -> Result<Vec<Army>, SceneError> {
        file::parse_units(text)
    }

    fn write(armies: &[Army]) -> String {
        file::format_units(armies)
    }
}

/// The text that a clipboard holds of these units: who is not alive is passed over. Refused beyond [`COPY_LIMIT`].
pub fn copied<C: Crowd>(crowd: &C, units: &[UnitId]) -> Result<String, String> {
    if units.len() > COPY_LIMIT {
        return Err(format!(
            "At most {COPY_LIMIT} units are copied as text (found {}); Duplicate takes any number.",
            units.len()
        ));
    }
    Ok(C::write(&groups_of(crowd, units)))
}

/// The units of a text that was [copied], and where the middle of them is. `Other` is the dimension in which they have no place.
fn pasted<C: Crowd, Other: Crowd>(text: &str) -> Result<(Vec<C::Group>, C::Place), String> {
    let mut groups = C::read(text).map_err(|error| match Other::read(text) {
        Ok(_) => format!(
            "The clipboard holds units that are {}; those of this scene are {}.",
            Other::WHERE,
            C::WHERE
        ),
        Err(_) => format!("The clipboard holds no units of Skirmish ({error})."),
    })?;
    groups.iter_mut().for_each(Muster::leave_out_erased);
    let places = groups.iter().flat_map(places_of);
    let corners = places.map(|place| (*place, *place));
    let corners = corners.reduce(|(low, high), (place, _)| (low.least(place), high.most(place)));
    match corners {
        Some((low, high)) => Ok((groups, low.halfway(high))),
        None => Err("The clipboard holds no units of Skirmish (there is nobody in it).".to_owned()),
    }
}

/// The positions of a group that has them one by one.
pub(super) fn places_of<G: Muster>(group: &G) -> &[G::Place] {
    group.explicit().unwrap_or_default()
}

/// What these units are, as groups of a scene that are where they are now.
///
/// Those of a kind are one group, whatever their sizes: it has the law by which the scene draws sizes of such, so that whoever is placed
/// beside them later is as the scene says, and by number the size of whoever is not of that law. A size that was drawn is written down
/// as well: for others in another place another one would be drawn.
fn groups_of<C: Crowd>(crowd: &C, units: &[UnitId]) -> Vec<C::Group> {
    let mut groups: Vec<C::Group> = Vec::new();
    let mut known: HashMap<u32, usize> = HashMap::new();
    for &unit in units {
        let (Some(at), Some((kind, law, half_extent))) =
            (crowd.place_of(unit), crowd.kind_of(unit))
        else {
            continue;
        };
        let place = match known.get(&kind) {
            Some(place) => *place,
            None => {
                let Some(group) = crowd.group_of(unit) else {
                    continue;
                };
                groups.push(group);
                known.insert(kind, groups.len() - 1);
                groups.len() - 1
            }
        };
        let group = &mut groups[place];
        let number = group.count();
        let Some(places) = group.explicit_mut() else {
            continue;
        };
        places.push(at);
        *group.count_mut() += 1;
        let is_of_law = match law {
            Size::Point => half_extent == C::Place::default(),
            Size::Fixed(alike) => half_extent == alike,
            Size::Between(..) | Size::Pareto { .. } => false,
        };
        if let Some(sized) = group.sized_mut().filter(|_| !is_of_law) {
            sized.push((number, half_extent));
        }
    }
    groups
}

/// A refusal of places beyond the limit of coordinates; all of them are within it before they are moved by `way`.
fn check_places<P: Coordinates>(
    places: impl IntoIterator<Item = P>,
    way: P,
) -> Result<(), Refusal> {
    let mut places = places.into_iter().map(|place| place + way);
    match places.find(|place| !place.is_within_limits()) {
        Some(place) => Err(Refusal::because(format_args!(
            "units stand at most {COORDINATE_LIMIT} m from the origin (one would be at {place})"
        ))),
        None => Ok(()),
    }
}

impl Session {
    /// Moves units by a way, all or none, and lets the scene start with them there.
    pub(super) fn shift<C: Crowd>(
        &mut self,
        units: &Units,
        way: C::Place,
    ) -> Result<Option<Entry>, Refusal> {
        let Some(crowd) = C::of(self) else {
            return Ok(None);
        };
        let places = units.ids().iter();
        let places: Vec<(UnitId, C::Place)> = places
            .filter_map(|unit| Some((*unit, crowd.place_of(*unit)?)))
            .collect();
        check_places(places.iter().map(|(_, place)| *place), way)?;
        let moves: Vec<(UnitId, C::Place)> = places
            .into_iter()
            .map(|(unit, place)| (unit, place + way))
            .collect();
        if moves.is_empty() {
            return Ok(None);
        }
        let part = crowd.put(&moves)?;
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_moved::<C::Group>(&moves);
        Ok(Some(Entry {
            what: What::Move(moves.len() as u32),
            parts: vec![document, part],
        }))
    }

    /// Places copies of units, moved by a way.
    pub(super) fn copy<C: Crowd>(
        &mut self,
        units: &Units,
        way: C::Place,
    ) -> Result<Option<Entry>, Refusal> {
        let groups = C::of(self).map(|crowd| groups_of(crowd, units.ids()));
        self.settle::<C>(groups.unwrap_or_default(), way, What::Duplicate)
    }

    /// Places the units of a text, their middle at a point; `Other` is the dimension in which they have no place.
    pub(super) fn paste<C: Crowd, Other: Crowd>(
        &mut self,
        text: &str,
        at: C::Place,
    ) -> Result<Option<Entry>, Refusal> {
        let (groups, middle) = pasted::<C, Other>(text).map_err(Refusal::Sentence)?;
        self.settle::<C>(groups, at - middle, What::Paste)
    }

    /// Places groups whose places are explicit, moved by a way, all or none.
    fn settle<C: Crowd>(
        &mut self,
        mut groups: Vec<C::Group>,
        way: C::Place,
        what: fn(u32) -> What,
    ) -> Result<Option<Entry>, Refusal> {
        check_places(groups.iter().flat_map(places_of).copied(), way)?;
        for place in groups.iter_mut().filter_map(Muster::explicit_mut).flatten() {
            *place = *place + way;
        }
        groups.retain(|group| group.count() > 0);
        let count = groups.iter().map(Muster::count).sum();
        if count == 0 {
            return Ok(None);
        }
        self.document
            .check_room(&groups)
            .map_err(Refusal::because)?;
        let mut sizes = self.document.sizes_of_groups(&groups);
        for (group, sizes) in groups.iter().zip(&mut sizes) {
            group.put_sized(group.count() as usize, C::Place::default(), sizes);
        }
        let Some(crowd) = C::of(self) else {
            return Ok(None);
        };
        let (part, units) = crowd.enlist_all(&groups, &sizes)?;
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        let mut units = units.as_slice();
        for group in groups {
            let (own, others) = units.split_at(group.count() as usize);
            let sized = group.sized().iter();
            let sized: Vec<(UnitId, C::Place)> = sized
                .filter_map(|(number, size)| Some((*own.get(*number as usize)?, *size)))
                .collect();
            self.document.note_group(group, own);
            self.document.note_sized::<C::Group>(&sized);
            units = others;
        }
        Ok(Some(Entry {
            what: what(count),
            parts: vec![document, part],
        }))
    }

    /// The units that the last edit placed, by ascending id; none where it was another one.
    pub fn placed_last(&self) -> Vec<UnitId> {
        let entry = self.undo.next(false);
        entry.map_or(Vec::new(), |entry| entered(entry))
    }

    /// The units that the last undo has brought back which had been deleted, by ascending id; none where it was the undo of another edit.
    pub fn brought_back_last(&self) -> Vec<UnitId> {
        let entry = self.undo.next(true);
        let entry = entry.filter(|it| matches!(it.what, What::Delete(_)));
        entry.map_or(Vec::new(), |entry| entered(entry))
    }

    /// The units that have been deleted since the other future was left, where undo takes that back next: with that future they are there
    /// again by these ids, which ascend.
    pub fn units_deleted_since_fork(&self) -> Vec<UnitId> {
        let entry = self.edit_since_fork();
        let entry = entry.filter(|it| matches!(it.what, What::Delete(_)));
        let parts = entry.into_iter().flat_map(|it| &it.parts);
        let left = parts.filter_map(|part| match part {
            Part::Units(edit) => Some(edit.units()),
            Part::Units3(edit) => Some(edit.units()),
            _ => None,
        });
        let mut units: Vec<UnitId> = left.flatten().copied().collect();
        units.sort_unstable();
        units
    }
}

/// The units that came by an edit, or by what took one back, by ascending id.
fn entered(entry: &Entry) -> Vec<UnitId> {
    let entered = entry.parts.iter().filter_map(|part| match part {
        Part::Units(edit) => Some(edit.entered()),
        Part::Units3(edit) => Some(edit.entered()),
        _ => None,
    });
    let mut units: Vec<UnitId> = entered.flatten().copied().collect();
    units.sort_unstable();
    units
}
