//! Many units at once in space: what a flight is to who moves, copies and pastes them.

use super::undo::Part;
use super::units::{Crowd, places_of};
use super::{Refusal, Session};
use crate::flight::{Flight, Group3, Template3};
use crate::partition::UnitId;
use crate::scene::file::{self, SceneError};
use crate::scene::{Flock, Formation3, Size};
use crate::volume::Vec3;
use std::sync::Arc;

impl Crowd for Flight {
    type Place = Vec3;
    type Group = Flock;
    const WHERE: &'static str = "in space";

    fn of(session: &mut Session) -> Option<&mut Self> {
        session.flight.as_mut()
    }

    fn place_of(&self, unit: UnitId) -> Option<Vec3> {
        self.is_alive(unit).then(|| self.bodies().center(unit))
    }

    fn kind_of(&self, unit: UnitId) -> Option<(u32, Size<Vec3>, Vec3)> {
        let law = self.template(unit)?.size;
        let bodies = self.bodies();
        let half_extent = bodies.are_sized().then(|| bodies.half_extent(unit));
        Some((
            self.squadron_of(unit)?,
            law,
            half_extent.unwrap_or_default(),
        ))
    }

    fn group_of(&self, unit: UnitId) -> Option<Flock> {
        let (template, side) = (self.template(unit)?, self.sides()[unit as usize]);
        let mut flock = Flock::new(side, 0, Formation3::Explicit(Vec::new()));
        (flock.motion, flock.speed) = (template.motion, template.speed);
        (flock.sight, flock.hit_points) = (template.sight, template.hit_points);
        flock.size = template.size;
        Some(flock)
    }

    fn put(&mut self, moves: &[(UnitId, Vec3)]) -> Result<Part, Refusal> {
        let edit = self.place(moves).map_err(Refusal::because)?;
        Ok(Part::Units3(Arc::new(edit)))
    }

    fn square(half: f32) -> Vec3 {
        Vec3::splat(half)
    }

    fn resize(&mut self, sizes: &[(UnitId, Vec3)]) -> Result<Part, Refusal> {
        let edit = self.set_sizes(sizes).map_err(Refusal::because)?;
        Ok(Part::Units3(Arc::new(edit)))
    }

    fn enlist_all(
        &mut self,
        flocks: &[Flock],
        sizes: &[Vec<Vec3>],
    ) -> Result<(Part, Vec<UnitId>), Refusal> {
        let groups = flocks.iter().zip(sizes).map(|(flock, sizes)| Group3 {
            side: flock.side,
            template: Template3::from(flock),
            positions: places_of(flock),
            half_extents: sizes,
        });
        let edit = self
            .muster(&groups.collect::<Vec<_>>())
            .map_err(Refusal::because)?;
        let units = edit.units().to_vec();
        Ok((Part::Units3(Arc::new(edit)), units))
    }

    fn read(text: &str) -> Result<Vec<Flock>, SceneError> {
        file::parse_flocks(text)
    }

    fn write(flocks: &[Flock]) -> String {
        file::format_flocks(flocks)
    }
}
