//! Many units at once: who is meant, and what is moved, copied and pasted of them.

use super::action::{Point, vector};
use super::ranges::Units;
use super::undo::{Entry, Part, What};
use super::{Refusal, Session};
use crate::battle::{Battle, Group, Template};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{COORDINATE_LIMIT, UnitId};
use crate::scene::{Army, Formation, Size, file, limits};
use std::collections::HashMap;
use std::sync::Arc;

/// The most units that are copied as a text.
pub const COPY_LIMIT: usize = 100_000;

/// The text that a clipboard holds of these units: who is not alive is passed over. Refused beyond [`COPY_LIMIT`].
pub fn copied(battle: &Battle, units: &[UnitId]) -> Result<String, String> {
    if units.len() > COPY_LIMIT {
        return Err(format!(
            "At most {COPY_LIMIT} units are copied as text (found {}); Duplicate takes any number.",
            units.len()
        ));
    }
    Ok(file::format_units(&armies_of(battle, units)))
}

/// The units of a text that was [copied], and where the middle of them is.
pub(super) fn pasted(text: &str) -> Result<(Vec<Army>, Vec2), String> {
    let mut armies = file::parse_units(text)
        .map_err(|error| format!("The clipboard holds no units of Skirmish ({error})."))?;
    armies.iter_mut().for_each(Army::leave_out_erased);
    let positions = armies.iter().flat_map(places_of);
    let all = positions.map(|place| Aabb::new(*place, *place));
    match all.reduce(Aabb::join) {
        Some(all) => Ok((armies, all.center())),
        None => Err("The clipboard holds no units of Skirmish (there is nobody in it).".to_owned()),
    }
}

/// The positions of an army that has them one by one.
fn places_of(army: &Army) -> &[Vec2] {
    match &army.formation {
        Formation::Explicit(places) => places,
        _ => &[],
    }
}

/// What these units are, as armies of a scene that stand where they stand now.
///
/// Bodies keep their sizes, one army for each, as long as these are few. Where they are more than a scene has armies, sizes are drawn
/// anew from the same law.
fn armies_of(battle: &Battle, units: &[UnitId]) -> Vec<Army> {
    /// Leaves room beside them in a scene.
    const MOST_SIZES: usize = limits::MAX_ARMIES / 2;
    let exactly = grouped(battle, units, true);
    if exactly.len() > MOST_SIZES {
        grouped(battle, units, false)
    } else {
        exactly
    }
}

fn grouped(battle: &Battle, units: &[UnitId], by_size: bool) -> Vec<Army> {
    let mut armies: Vec<Army> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    let bodies = battle.bodies();
    for &unit in units.iter().filter(|unit| bodies.is_alive(**unit)) {
        let row = unit as usize;
        let (Some(template), Some(squad)) = (battle.template(unit), battle.squad_of(unit)) else {
            continue;
        };
        let half_extent = battle.half_extents().get(row).copied().unwrap_or_default();
        let size = match template.size {
            Size::Point if half_extent == Vec2::ZERO => Size::Point,
            law if !by_size => law,
            _ => Size::Fixed(half_extent),
        };
        let bits = match size {
            Size::Fixed(half_extent) => half_extent.to_array().map(f32::to_bits),
            _ => [0; 2],
        };
        let place = *known.entry((squad, bits)).or_insert_with(|| {
            let formation = Formation::Explicit(Vec::new());
            let mut army = Army::new(battle.sides()[row], 0, formation);
            (army.order, army.speed, army.reach) = (template.order, template.speed, template.reach);
            (army.sight, army.hit_points) = (template.sight, template.hit_points);
            army.size = size;
            armies.push(army);
            armies.len() - 1
        });
        let army = &mut armies[place];
        if let Formation::Explicit(places) = &mut army.formation {
            places.push(battle.positions()[row]);
            army.count += 1;
        }
    }
    armies
}

/// A refusal of places beyond the limit of coordinates; all of them are within it before they are moved by `way`.
fn check_places<'a>(places: impl IntoIterator<Item = &'a Vec2>, way: Vec2) -> Result<(), Refusal> {
    let limit = Vec2::splat(COORDINATE_LIMIT);
    let area = Aabb::new(-limit, limit);
    match places
        .into_iter()
        .find(|place| !area.contains(**place + way))
    {
        Some(place) => Err(Refusal::because(format_args!(
            "units stand at most {COORDINATE_LIMIT} m from the origin (one would be at {})",
            *place + way
        ))),
        None => Ok(()),
    }
}

impl Session {
    /// Moves units by a way, all or none, and lets the scene start with them there.
    pub(super) fn shift(&mut self, units: &Units, way: Point) -> Result<Option<Entry>, Refusal> {
        let way = vector(way);
        let alive = |unit: &&UnitId| self.battle.bodies().is_alive(**unit);
        let places: Vec<(UnitId, Vec2)> = units
            .ids()
            .iter()
            .filter(alive)
            .map(|unit| (*unit, self.battle.positions()[*unit as usize]))
            .collect();
        check_places(places.iter().map(|(_, place)| place), way)?;
        let moves: Vec<(UnitId, Vec2)> = places
            .into_iter()
            .map(|(unit, place)| (unit, place + way))
            .collect();
        if moves.is_empty() {
            return Ok(None);
        }
        let document = Part::Document(Box::new(self.document.clone()));
        let edit = self.battle.place(&moves).map_err(Refusal::because)?;
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_moved(&moves);
        Ok(Some(Entry {
            what: What::Move(moves.len() as u32),
            parts: vec![document, Part::Units(Arc::new(edit))],
        }))
    }

    /// Places copies of units, moved by a way.
    pub(super) fn copy(&mut self, units: &Units, way: Point) -> Result<Option<Entry>, Refusal> {
        let armies = armies_of(&self.battle, units.ids());
        self.settle(armies, vector(way), What::Duplicate)
    }

    /// Places the units of a text, their middle at a point.
    pub(super) fn paste(&mut self, text: &str, at: Point) -> Result<Option<Entry>, Refusal> {
        let (armies, middle) = pasted(text).map_err(Refusal::Sentence)?;
        self.settle(armies, vector(at) - middle, What::Paste)
    }

    /// Places armies that stand somewhere, moved by a way, all or none.
    fn settle(
        &mut self,
        mut armies: Vec<Army>,
        way: Vec2,
        what: fn(u32) -> What,
    ) -> Result<Option<Entry>, Refusal> {
        check_places(armies.iter().flat_map(places_of), way)?;
        for army in &mut armies {
            if let Formation::Explicit(places) = &mut army.formation {
                for place in places {
                    *place += way;
                }
            }
        }
        armies.retain(|army| army.count > 0);
        let count = armies.iter().map(|army| army.count).sum();
        if count == 0 {
            return Ok(None);
        }
        self.document
            .check_room(&armies)
            .map_err(Refusal::because)?;
        let groups: Vec<Group<'_>> = armies
            .iter()
            .map(|army| Group {
                side: army.side,
                template: Template::from(army),
                positions: places_of(army),
            })
            .collect();
        let edit = self.battle.muster(&groups).map_err(Refusal::because)?;
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        let mut units = edit.units();
        for army in armies {
            let (own, others) = units.split_at(army.count as usize);
            self.document.note_army(army, own);
            units = others;
        }
        Ok(Some(Entry {
            what: what(count),
            parts: vec![document, Part::Units(Arc::new(edit))],
        }))
    }

    /// The units that the last edit placed, by ascending id; none where it was another one.
    pub fn placed_last(&self) -> Vec<UnitId> {
        let parts = self.undo.next(false).into_iter().flat_map(|it| &it.parts);
        let mut units: Vec<UnitId> = parts
            .filter_map(|part| match part {
                Part::Units(edit) => Some(edit.entered()),
                Part::Units3(edit) => Some(edit.entered()),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        units.sort_unstable();
        units
    }
}
