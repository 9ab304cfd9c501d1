//! Sizes by hand: units are made larger or smaller, and how large whoever is placed would be otherwise.

use super::ranges::Units;
use super::undo::{Entry, Part, What};
use super::units::Crowd;
use super::{Refusal, Session};
use crate::geometry::Vec2;
use crate::partition::UnitId;
use crate::scene::{Scene, Side, Size};
use crate::volume::Vec3;

impl Session {
    /// Makes units so wide, all or none, and lets the scene start with them so: half of the width of a square or a cube.
    pub(super) fn set_size<C: Crowd>(
        &mut self,
        units: &Units,
        half: f32,
    ) -> Result<Option<Entry>, Refusal> {
        let Some(crowd) = C::of(self) else {
            return Ok(None);
        };
        let size = C::square(half);
        let alive = units.ids().iter().copied();
        let sizes: Vec<(UnitId, C::Place)> = alive
            .filter(|unit| crowd.place_of(*unit).is_some())
            .map(|unit| (unit, size))
            .collect();
        let is_it = |unit: UnitId| crowd.kind_of(unit).is_some_and(|(.., own)| own == size);
        if sizes.iter().all(|(unit, _)| is_it(*unit)) {
            return Ok(None);
        }
        let part = crowd.resize(&sizes)?;
        let document = Part::Document(Box::new(self.document.clone()));
        self.tell_lanes();
        self.document.forget_shares();
        self.document.note_sized::<C::Group>(&sizes);
        Ok(Some(Entry {
            what: What::Size(sizes.len() as u32),
            parts: vec![document, part],
        }))
    }
}

/// How wide whoever of a side is placed in a scene is where nothing else is said, at the least and at the most, in metres.
pub fn widths_of_placed(scene: &Scene, side: Side) -> (f32, f32) {
    let armies = scene.armies.iter();
    let armies = armies.map(|army| {
        (
            army.side,
            halves(army.size, Vec2::min_element, Vec2::max_element),
        )
    });
    let flocks = scene.volume.iter().flat_map(|volume| &volume.flocks);
    let flocks = flocks.map(|flock| {
        (
            flock.side,
            halves(flock.size, Vec3::min_element, Vec3::max_element),
        )
    });
    // As the last of its side, or of the other, as the document has it.
    let all: Vec<_> = armies.chain(flocks).collect();
    let of_side = all.iter().rev().find(|(own, _)| *own == side);
    let (_, (least, greatest)) = of_side
        .or(all.last())
        .copied()
        .unwrap_or((side, (0.0, 0.0)));
    (2.0 * least, 2.0 * greatest)
}

/// The least and the greatest half of a side of such bodies.
fn halves<V: Copy>(size: Size<V>, least: fn(V) -> f32, greatest: fn(V) -> f32) -> (f32, f32) {
    match size {
        Size::Point => (0.0, 0.0),
        Size::Fixed(half) => (least(half), greatest(half)),
        Size::Between(min, max) | Size::Pareto { min, max, .. } => (min, max),
    }
}
