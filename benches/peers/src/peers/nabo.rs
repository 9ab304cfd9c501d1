//! `nabo`: a k-d tree for the nearest, after libnabo.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use nabo::KDTree;
use nabo::simple_point::P2;
use skirmish::geometry::Vec2;

struct Nabo(Option<KDTree<f32, P2>>);

fn point(of: &Vec2) -> P2 {
    P2::new2d(of.x, of.y)
}

impl Contestant for Nabo {
    fn build(&mut self, world: &World) {
        let points: Vec<P2> = world.centers.iter().map(point).collect();
        self.0 = Some(KDTree::new(&points));
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (index, at) in world.points.iter().enumerate() {
            tally.query(index);
            for found in tree.knn(NEAREST_COUNT as u32, &point(at)) {
                tally.distance_sq(found.dist2.into_inner());
            }
        }
    }
}

/// Enters it for the nearest points.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if !world.is_sized() && matches!(work, Work::Build | Work::Nearest) {
        entries.push(Entry::peer(
            "nabo",
            family::KD_TREE,
            Question::Nearest,
            |_| Nabo(None),
        ));
    }
}
