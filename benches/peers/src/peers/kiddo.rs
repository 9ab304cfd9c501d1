//! `kiddo`: k-d trees, an immutable one that is built anew for each step, and a mutable one for single moves.
//!
//! Its mutable tree cannot be built where more units than fit a bucket share a coordinate, and then does not take part.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use kiddo::{Eytzinger, ImmutableKdTree, KdTree, MutableKdTree, SquaredEuclidean, VecOfArenas};
use skirmish::geometry::Vec2;
use std::num::NonZero;

#[cfg(feature = "parallel")]
mod in_parallel;

type Metric = SquaredEuclidean<f32>;

const COUNT: NonZero<usize> = NonZero::new(NEAREST_COUNT).expect("more than none");

fn points(world: &World) -> Vec<[f32; 2]> {
    world.centers.iter().map(Vec2::to_array).collect()
}

/// Asks the tree in this field for the nearest, on a plane or in space: each of its kinds is asked alike, and they have no trait in common.
macro_rules! ask_for_the_nearest {
    ($field:tt, $world:ty) => {
        fn nearest<T: Tally>(&mut self, world: &$world, tally: &mut T) {
            let Some(tree) = &self.$field else { return };
            for (index, point) in world.points.iter().enumerate() {
                tally.query(index);
                let found = tree
                    .query(&point.to_array())
                    .nearest_n::<Metric>(COUNT)
                    .execute();
                for found in found {
                    tally.distance_sq(found.distance);
                }
            }
        }
    };
}
pub(crate) use ask_for_the_nearest;

/// The pairs of one unit and those that come after it.
#[inline]
fn pairs_of<T: Tally>(unit: usize, tree: &ImmutableKdTree<f32, 2>, world: &World, tally: &mut T) {
    let center = world.centers[unit].to_array();
    let unit = unit as u32;
    tree.query(&center)
        .within::<Metric>(world.reach * world.reach)
        .unsorted()
        .visit(|found| {
            if unit < found.item {
                tally.pair(unit, found.item);
            }
        });
}

/// The immutable tree. `JOIN` searches pairs by walking it together with a copy of itself, otherwise unit by unit.
struct Immutable<const JOIN: bool> {
    tree: Option<ImmutableKdTree<f32, 2>>,
    other: Option<ImmutableKdTree<f32, 2>>,
}

impl<const JOIN: bool> Immutable<JOIN> {
    fn new() -> Self {
        Self {
            tree: None,
            other: None,
        }
    }
}

impl<const JOIN: bool> Contestant for Immutable<JOIN> {
    fn build(&mut self, world: &World) {
        let points = points(world);
        self.tree = ImmutableKdTree::new_from_slice(&points).ok();
        if JOIN {
            // It refuses to be joined with itself, and cannot be copied.
            self.other = ImmutableKdTree::new_from_slice(&points).ok();
        }
    }

    fn discard(&mut self) {
        self.tree = None;
        self.other = None;
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.tree else { return };
        if let Some(other) = &self.other {
            let reach_sq = world.reach * world.reach;
            let both = tree
                .query_tree(other)
                .within::<Metric>(reach_sq)
                .without_distances()
                .execute();
            for pair in both {
                if pair.left_item < pair.right_item {
                    tally.pair(pair.left_item, pair.right_item);
                }
            }
            return;
        }
        for unit in 0..world.centers.len() {
            pairs_of(unit, tree, world, tally);
        }
    }

    ask_for_the_nearest!(tree, World);
}

/// The immutable tree with leaves twice as large as it has them by itself: ours are tried with as large ones.
struct Large(Option<KdTree<f32, u32, Eytzinger, VecOfArenas<f32, u32, 2, 64>, 2, 64>>);

impl Contestant for Large {
    fn build(&mut self, world: &World) {
        self.0 = KdTree::new_from_slice(&points(world)).ok();
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    ask_for_the_nearest!(0, World);
}

/// The mutable tree.
struct Mutable(Option<MutableKdTree<f32, 2>>);

impl Contestant for Mutable {
    fn build(&mut self, world: &World) {
        self.0 = MutableKdTree::new_from_slice(&points(world)).ok();
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn relocate(&mut self, world: &World, unit: u32, from: Vec2) {
        let Some(tree) = &mut self.0 else { return };
        tree.remove(&from.to_array(), unit);
        let to = world.centers[unit as usize].to_array();
        if tree.add(&to, unit).is_err() {
            self.0 = None;
        }
    }

    ask_for_the_nearest!(0, World);
}

/// Enters it for points.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if world.is_sized() {
        return;
    }
    let immutable = || {
        Entry::peer("kiddo", family::KD_TREE, Question::Nearest, |_| {
            Immutable::<false>::new()
        })
    };
    match work {
        Work::Build | Work::Step => {
            let entry = immutable();
            #[cfg(feature = "parallel")]
            let entry = in_parallel::with(entry, work);
            entries.push(entry);
        }
        Work::Nearest => entries.push(immutable().or("bucket=64", |_| Large(None))),
        Work::Pairs | Work::StepPairs => {
            let entry = immutable().or("join", |_| Immutable::<true>::new());
            #[cfg(feature = "parallel")]
            let entry = in_parallel::with(entry, work);
            entries.push(entry);
        }
        Work::Move => entries.push(Entry::peer(
            "kiddo",
            family::KD_TREE,
            Question::Nearest,
            |_| Mutable(None),
        )),
        Work::Rectangles => {}
    }
}
