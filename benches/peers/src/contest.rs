//! Who takes part: the trait of an adapter, and what the measurement sees of it.

use crate::tally::{Light, Strong, Sum, Tally};
use crate::work::{Question, Work};
use crate::world::{Scene, World};

/// The kinds of structures that are compared among themselves.
pub mod family {
    /// Points in quarters of quarters.
    pub const QUADTREE: &str = "quadtree";
    /// Boxes in quarters of quarters.
    pub const RECT_QUADTREE: &str = "rect-quadtree";
    /// Boxes around boxes, R-trees among them.
    pub const BVH: &str = "bvh";
    /// Sorted along an axis.
    pub const SWEEP_AND_PRUNE: &str = "sweep-and-prune";
    /// Along the Z curve.
    pub const MORTON_TREE: &str = "morton-tree";
    /// Halved at the median.
    pub const KD_TREE: &str = "kd-tree";
    /// Eighths of eighths.
    pub const OCTREE: &str = "octree";
    /// Cells.
    pub const GRID: &str = "grid";
    /// No peer has anything like it.
    pub const NONE: &str = "none";
}

/// Who is measured: a [crowd on a plane](World), or one in space. What moves it, and what is right.
pub trait Crowd {
    /// Where a unit is.
    type Place: Copy + std::ops::Add<Output = Self::Place> + std::ops::Sub<Output = Self::Place>;

    /// Which it is.
    fn scene(&self) -> Scene;

    /// Where each unit is now.
    fn centers(&mut self) -> &mut [Self::Place];

    /// Single moves: who, and by how much.
    fn moves(&self) -> &[(u32, Self::Place)];

    /// Moves every unit by its velocity.
    fn integrate(&mut self);

    /// Puts every unit back to where it was when the round began.
    fn rewind(&mut self);

    /// The next round begins where this one ended.
    fn go_on(&mut self);

    /// What a plain reference answers.
    fn answer<T: Tally>(&self, question: Question) -> Sum;
}

/// An adapter: a structure, and how it is asked. What it does not implement it must not be entered for.
pub trait Contestant<W: Crowd = World> {
    /// Builds the structure from where everybody is.
    fn build(&mut self, world: &W);

    /// Lets go of what [`Contestant::build`] would only free; outside of the clock.
    fn discard(&mut self) {}

    /// Everybody has moved.
    fn update(&mut self, world: &W) {
        self.discard();
        self.build(world);
    }

    /// One unit has moved, from `from`.
    fn relocate(&mut self, world: &W, _unit: u32, _from: W::Place) {
        self.update(world);
    }

    /// The last of a turn's single moves is made: what was put off has to be done.
    fn settle(&mut self, _world: &W) {}

    /// Gives each pair in reach once.
    fn pairs<T: Tally>(&mut self, _world: &W, _tally: &mut T) {}

    /// Gives the units in each rectangle.
    fn rectangles<T: Tally>(&mut self, _world: &W, _tally: &mut T) {}

    /// Gives the distances of the [nearest](crate::work::NEAREST_COUNT) of each point.
    fn nearest<T: Tally>(&mut self, _world: &W, _tally: &mut T) {}
}

/// [`Contestant`] without its type.
pub trait Runner<W> {
    /// [`Contestant::build`].
    fn build(&mut self, world: &W);
    /// [`Contestant::discard`].
    fn discard(&mut self);
    /// [`Contestant::update`].
    fn update(&mut self, world: &W);
    /// Makes the move of this index.
    fn moved(&mut self, world: &mut W, index: usize);
    /// Makes the first `count` moves, and then all of them backwards.
    fn moves(&mut self, world: &mut W, count: usize);
    /// Answers into a [`Light`] tally.
    fn answer_lightly(&mut self, world: &W, question: Question) -> Sum;
    /// Answers into a [`Strong`] tally.
    fn answer_strongly(&mut self, world: &W, question: Question) -> Sum;
}

fn answer<W: Crowd, C: Contestant<W>, T: Tally>(it: &mut C, world: &W, question: Question) -> Sum {
    let mut tally = T::default();
    match question {
        Question::Pairs => it.pairs(world, &mut tally),
        Question::Rectangles => it.rectangles(world, &mut tally),
        Question::Nearest => it.nearest(world, &mut tally),
    }
    tally.sum()
}

impl<W: Crowd, C: Contestant<W>> Runner<W> for C {
    fn build(&mut self, world: &W) {
        Contestant::build(self, world);
    }

    fn discard(&mut self) {
        Contestant::discard(self);
    }

    fn update(&mut self, world: &W) {
        Contestant::update(self, world);
    }

    fn moved(&mut self, world: &mut W, index: usize) {
        let (unit, way) = world.moves()[index % world.moves().len()];
        let from = world.centers()[unit as usize];
        world.centers()[unit as usize] = from + way;
        self.relocate(world, unit, from);
        self.settle(world);
    }

    fn moves(&mut self, world: &mut W, count: usize) {
        let count = count.min(world.moves().len());
        for index in 0..count {
            let (unit, way) = world.moves()[index];
            let from = world.centers()[unit as usize];
            world.centers()[unit as usize] = from + way;
            self.relocate(world, unit, from);
        }
        for index in (0..count).rev() {
            let (unit, way) = world.moves()[index];
            let from = world.centers()[unit as usize];
            world.centers()[unit as usize] = from - way;
            self.relocate(world, unit, from);
        }
        self.settle(world);
    }

    fn answer_lightly(&mut self, world: &W, question: Question) -> Sum {
        answer::<W, C, Light>(self, world, question)
    }

    fn answer_strongly(&mut self, world: &W, question: Question) -> Sum {
        answer::<W, C, Strong>(self, world, question)
    }
}

/// Makes a contestant, empty.
pub type Make<W> = Box<dyn Fn(&W) -> Box<dyn Runner<W>>>;

/// One way to set a contestant up.
pub struct Variant<W = World> {
    /// What was set, for the table; empty where nothing was.
    pub words: String,
    /// Makes it.
    pub make: Make<W>,
}

/// A contestant in one work, with all the ways to set it up of which the best takes part.
pub struct Entry<W = World> {
    /// The crate's name, or the structure's key.
    pub name: String,
    /// Its [`family`].
    pub family: &'static str,
    /// Whether it is one of Skirmish's.
    pub ours: bool,
    /// By what its updates are checked.
    pub checked_by: Question,
    /// The ways to set it up; at least one.
    pub variants: Vec<Variant<W>>,
}

impl<W: Crowd> Entry<W> {
    /// A peer that can be set up in one way.
    pub fn peer<C: Contestant<W> + 'static>(
        name: &str,
        family: &'static str,
        checked_by: Question,
        make: impl Fn(&W) -> C + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            family,
            ours: false,
            checked_by,
            variants: Vec::new(),
        }
        .or("", make)
    }

    /// Another way to set it up.
    pub fn or<C: Contestant<W> + 'static>(
        mut self,
        words: &str,
        make: impl Fn(&W) -> C + 'static,
    ) -> Self {
        self.variants.push(Variant {
            words: words.to_owned(),
            make: Box::new(move |world| Box::new(make(world))),
        });
        self
    }

    /// By what `work` is checked: by its own answer, if it has one.
    pub fn question(&self, work: Work) -> Question {
        work.question().unwrap_or(self.checked_by)
    }
}
