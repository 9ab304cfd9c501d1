//! `zelll`: cell lists, for particles. It gives candidates a little beyond its cutoff, so what it finds is tested.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use zelll::CellGrid;

#[cfg(feature = "parallel")]
mod in_parallel;

type Particle = (u32, [f32; 2]);

#[derive(Default)]
struct Zelll(Option<CellGrid<Particle, 2, f32>>);

fn particles(world: &World) -> impl Iterator<Item = Particle> + Clone {
    (0..).zip(world.centers.iter().map(|center| center.to_array()))
}

impl Contestant for Zelll {
    fn build(&mut self, world: &World) {
        // Rounding must not put a pair two cells apart.
        self.0 = Some(CellGrid::new(particles(world), world.reach * 1.0005));
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn update(&mut self, world: &World) {
        if let Some(grid) = &mut self.0 {
            grid.rebuild_mut(particles(world), None);
        }
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(grid) = &self.0 else { return };
        let reach_sq = world.reach * world.reach;
        for cell in grid.iter() {
            cell.particle_pairs().for_each(|((a, p), (b, q))| {
                let (x, y) = (p[0] - q[0], p[1] - q[1]);
                if x * x + y * y <= reach_sq {
                    tally.pair(*a, *b);
                }
            });
        }
    }
}

/// Enters it for pairs of points.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    let is_its_own = matches!(
        work,
        Work::Build | Work::Step | Work::Pairs | Work::StepPairs
    );
    if is_its_own && !world.is_sized() {
        let entry = Entry::peer("zelll", family::GRID, Question::Pairs, |_| Zelll::default());
        #[cfg(feature = "parallel")]
        let entry = in_parallel::with(entry, work);
        entries.push(entry);
    }
}
