//! What the k-d tree and the BSP tree share: halving a crowd at its median again and again, and following its moves.
//!
//! The shape of the tree follows from the number of units alone: each node gives one half to each branch, the first half
//! the odd unit, until a half fits a leaf. So nodes and leaves have their places in memory before anybody is sorted, and a
//! part of the tree can be sorted anew without touching the rest.

use super::box_tree::{BoxTree, Branch, Census, HEIGHT_LIMIT, Link, NONE, Node, STACK_LENGTH};
use super::stack::Stack;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Bodies, Change, Course, Fact, UnitId, Violation};
use crate::probe::{Event, Probe, Work};
use std::fmt::Debug;

/// A unit while the crowd is halved.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub center: Vec2,
    pub unit: UnitId,
}

/// A line that parts the centres of a node's units; on the line itself they may be on either side.
pub trait Cut: Copy + Debug {
    /// How a cut is chosen.
    type Rule: Copy;

    /// What stands in a node that has not been cut yet.
    const UNCUT: Self;

    /// Chooses the cut and brings the items into order: the first `middle` lie on its first side, the others on its second.
    fn between(
        items: &mut [Item],
        middle: usize,
        depth: u32,
        rule: Self::Rule,
        bodies: Bodies<'_>,
    ) -> Self;

    /// Whether a centre may be on this side.
    fn admits(&self, side: usize, center: Vec2) -> bool;

    /// Takes note that a unit on this side now has this box.
    fn widen(&mut self, _side: usize, _body: Aabb) {}

    /// Whether a unit with this box, on this side, is what the cut knows of that side.
    fn covers(&self, _side: usize, _body: Aabb) -> bool {
        true
    }
}

/// A balanced tree of cuts with tight boxes.
#[derive(Clone, Debug)]
pub struct MedianTree<C: Cut> {
    pub tree: BoxTree,
    /// The cut of each node.
    pub cuts: Vec<C>,
    /// How many units a leaf holds at most.
    pub leaf_size: u32,
    /// Units while they are halved; kept so that a rebuild does not have to ask for memory.
    items: Vec<Item>,
    /// Nodes of which a unit crossed the cut.
    stale: Vec<u32>,
}

/// Where more than one unit in so many moves, halving the whole crowd anew is cheaper than following each.
const MASS: usize = 4;

/// A branch on a way down: where its slots begin, how deep it is and what is above it.
#[derive(Clone, Copy)]
pub struct Stretch {
    pub link: Link,
    pub start: u32,
    pub count: u32,
    pub depth: u32,
}

impl<C: Cut> MedianTree<C> {
    pub fn new(leaf_size: u32) -> Self {
        Self {
            tree: BoxTree::new(),
            cuts: Vec::new(),
            leaf_size,
            items: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// Forgets everything and halves the units alive.
    pub fn build<P: Probe>(&mut self, bodies: Bodies<'_>, rule: C::Rule, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.items.clear();
        self.items.extend(bodies.ids().map(|unit| Item {
            center: bodies.center(unit),
            unit,
        }));
        let count = self.items.len();
        self.tree.slots.reset(count, bodies.are_sized());
        self.tree.places.clear();
        self.tree.places.resize(bodies.slot_count(), NONE);
        self.lay_out(count as u32);
        if count > 0 {
            let whole = Stretch {
                link: self.tree.root.link,
                start: 0,
                count: count as u32,
                depth: 0,
            };
            self.tree.root.bounds = self.arrange(whole, rule, bodies, &mut ());
        }
    }

    /// Makes the nodes for this many units, each before those below it.
    fn lay_out(&mut self, count: u32) {
        let tree = &mut self.tree;
        tree.nodes.clear();
        tree.root = Branch::NONE;
        let mut stack = Stack::<_, STACK_LENGTH>::new((NONE, 0, 0, 0));
        if count > 0 {
            stack.push((NONE, 0, 0, count));
        }
        while let Some((parent, side, start, count)) = stack.pop() {
            let link = if count <= self.leaf_size {
                Link::leaf(start)
            } else {
                let index = tree.nodes.len() as u32;
                tree.nodes.push(Node {
                    branches: [Branch::NONE; 2],
                    parent,
                    height: 0,
                });
                let first = count - count / 2;
                stack.push((index, 1, start + first, count - first));
                stack.push((index, 0, start, first));
                Link::inner(index)
            };
            let branch = match tree.nodes.get_mut(parent as usize) {
                Some(above) => &mut above.branches[side],
                None => &mut tree.root,
            };
            *branch = Branch {
                bounds: Aabb::EMPTY,
                link,
                count,
            };
        }
        self.cuts.clear();
        self.cuts.resize(tree.nodes.len(), C::UNCUT);
    }

    /// Halves `items`, which are the units of this stretch, among the nodes and leaves that are there, and returns their
    /// box.
    fn arrange<P: Probe>(
        &mut self,
        whole: Stretch,
        rule: C::Rule,
        bodies: Bodies<'_>,
        probe: &mut P,
    ) -> Aabb {
        let mut stack = Stack::<Stretch, STACK_LENGTH>::new(whole);
        stack.push(whole);
        let mut last = None;
        while let Some(stretch) = stack.pop() {
            if stretch.link.is_leaf() {
                continue;
            }
            let index = stretch.link.index();
            last = Some(index);
            probe.on(Event::Split(stretch.link.region()));
            let [first, second] = self.halves(stretch);
            let from = (stretch.start - whole.start) as usize;
            self.cuts[index as usize] = C::between(
                &mut self.items[from..from + stretch.count as usize],
                first.count as usize,
                stretch.depth,
                rule,
                bodies,
            );
            stack.push(second);
            stack.push(first);
        }
        for (slot, item) in (whole.start..).zip(&self.items) {
            let body = bodies.aabb(item.unit);
            self.tree.slots.write(slot as usize, item.unit, body);
            self.tree.places[item.unit as usize] = slot;
        }
        // Nodes lie in memory in the order in which they were taken from the stack, those below after those above.
        if let Some(last) = last {
            for index in (whole.link.index()..=last).rev() {
                for side in [0, 1] {
                    let branch = self.tree.nodes[index as usize].branches[side];
                    let bounds = self.bounds_below(branch);
                    self.tree.nodes[index as usize].branches[side].bounds = bounds;
                }
            }
        }
        self.bounds_below(Branch {
            bounds: Aabb::EMPTY,
            link: whole.link,
            count: whole.count,
        })
    }

    /// The box of a branch, read off what is right below it.
    fn bounds_below(&self, branch: Branch) -> Aabb {
        if branch.link.is_leaf() {
            self.tree.run(branch).bounds()
        } else {
            let [a, b] = self.tree.below(branch.link);
            a.bounds.join(b.bounds)
        }
    }

    /// The two halves of a node's stretch.
    #[inline]
    pub fn halves(&self, whole: Stretch) -> [Stretch; 2] {
        let [a, b] = self.tree.below(whole.link);
        let depth = whole.depth + 1;
        [
            Stretch {
                link: a.link,
                start: whole.start,
                count: a.count,
                depth,
            },
            Stretch {
                link: b.link,
                start: whole.start + a.count,
                count: b.count,
                depth,
            },
        ]
    }

    /// The whole tree as a stretch; nothing when it is empty.
    pub fn whole(&self) -> Option<Stretch> {
        let Branch { link, count, .. } = self.tree.root;
        (!self.tree.is_empty()).then_some(Stretch {
            link,
            start: 0,
            count,
            depth: 0,
        })
    }

    /// Where somebody came or went, the shape is another one and the whole is built anew; so it is where most units moved.
    /// A few moves are followed one by one.
    pub fn look_at(&self, bodies: Bodies<'_>, changes: &[Change]) -> Course {
        let is_mass = changes.len() * MASS > self.tree.root.count as usize;
        let is_edit = |change: &Change| !matches!(change, Change::Move(_));
        if is_mass || bodies.are_sized() != self.tree.slots.are_sized || changes.iter().any(is_edit)
        {
            Course::Rebuild
        } else {
            Course::OneByOne
        }
    }

    /// Writes down where a unit is now. If it crossed a cut, the highest such node is stale; else its leaf is right and the
    /// boxes above it are brought up to date.
    pub fn follow<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let slot = self.tree.places[unit as usize];
        let (center, body) = (bodies.center(unit), bodies.aabb(unit));
        self.tree.slots.write_box(slot as usize, body);
        let Some(mut stretch) = self.whole() else {
            return;
        };
        let mut way = Stack::<(u32, usize), HEIGHT_LIMIT>::new((NONE, 0));
        while !stretch.link.is_leaf() {
            let index = stretch.link.index();
            let [first, second] = self.halves(stretch);
            let side = usize::from(slot >= second.start);
            let cut = &mut self.cuts[index as usize];
            if !cut.admits(side, center) {
                probe.on(Event::Work(Work::MoveRelink));
                self.stale.push(index);
                return;
            }
            cut.widen(side, body);
            probe.on(Event::Work(Work::Descend));
            way.push((index, side));
            stretch = if side == 0 { first } else { second };
        }
        probe.on(Event::Work(Work::MoveInPlace));
        let mut bounds = self.tree.slots.run(stretch.start, stretch.count).bounds();
        while let Some((index, side)) = way.pop() {
            let node = &mut self.tree.nodes[index as usize];
            if node.branches[side].bounds == bounds {
                return;
            }
            probe.on(Event::Refit(Link::inner(index).region()));
            node.branches[side].bounds = bounds;
            bounds = bounds.join(node.branches[1 - side].bounds);
        }
        self.tree.root.bounds = bounds;
    }

    /// Halves anew what is below the stale nodes.
    pub fn rearrange<P: Probe>(&mut self, bodies: Bodies<'_>, rule: C::Rule, probe: &mut P) {
        let mut stale = std::mem::take(&mut self.stale);
        // Nodes come before those below them, so a stale node within one already done is next in line after it.
        stale.sort_unstable();
        let mut done = 0;
        for &index in &stale {
            if index < done {
                continue;
            }
            let stretch = self.stretch_of(index);
            self.items.clear();
            let slots = stretch.start as usize..(stretch.start + stretch.count) as usize;
            self.items
                .extend(self.tree.slots.ids[slots].iter().map(|&unit| Item {
                    center: bodies.center(unit),
                    unit,
                }));
            let bounds = self.arrange(stretch, rule, bodies, probe);
            self.refit_above(index, bounds, probe);
            done = self.end_of(index);
        }
        stale.clear();
        self.stale = stale;
    }

    /// The stretch of a node.
    fn stretch_of(&self, index: u32) -> Stretch {
        let nodes = &self.tree.nodes;
        let mut first = nodes[index as usize].branches[0].link;
        while !first.is_leaf() {
            first = self.tree.below(first)[0].link;
        }
        let (mut depth, mut above) = (0, nodes[index as usize].parent);
        while above != NONE {
            depth += 1;
            above = nodes[above as usize].parent;
        }
        Stretch {
            link: Link::inner(index),
            start: first.index(),
            count: nodes[index as usize].branch(index).count,
            depth,
        }
    }

    /// The index after the last node below this one.
    fn end_of(&self, index: u32) -> u32 {
        let mut last = index;
        loop {
            let [a, b] = self.tree.nodes[last as usize].branches;
            last = match (a.link.is_leaf(), b.link.is_leaf()) {
                (_, false) => b.link.index(),
                (false, true) => a.link.index(),
                (true, true) => return last + 1,
            };
        }
    }

    /// Writes the box of a node where it is known, and so on upwards until nothing changes.
    fn refit_above<P: Probe>(&mut self, mut index: u32, mut bounds: Aabb, probe: &mut P) {
        let nodes = &mut self.tree.nodes;
        loop {
            let above = nodes[index as usize].parent;
            if above == NONE {
                self.tree.root.bounds = bounds;
                return;
            }
            let branches = &mut nodes[above as usize].branches;
            let side = usize::from(branches[1].link == Link::inner(index));
            if branches[side].bounds == bounds {
                return;
            }
            probe.on(Event::Refit(Link::inner(above).region()));
            branches[side].bounds = bounds;
            bounds = branches[0].bounds.join(branches[1].bounds);
            index = above;
        }
    }

    /// The branch with this link, if it is in the tree.
    pub fn find(&self, link: Link) -> Option<(Stretch, Aabb)> {
        if !link.is_leaf() {
            let node = self.tree.nodes.get(link.index() as usize)?;
            return Some((
                self.stretch_of(link.index()),
                node.branch(link.index()).bounds,
            ));
        }
        let mut stretch = self.whole()?;
        while !stretch.link.is_leaf() {
            let [first, second] = self.halves(stretch);
            stretch = if link.index() < second.start {
                first
            } else {
                second
            };
        }
        let bounds = self.tree.slots.run(stretch.start, stretch.count).bounds();
        (stretch.link == link).then_some((stretch, bounds))
    }

    /// Compares everything with the truth: beside what every tree checks, that each node halves its units, that each leaf
    /// has room for its own, and that everybody is on the right side of every cut.
    pub fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let census = self.tree.check(bodies)?;
        Violation::unless(
            census.nodes == self.tree.nodes.len() && census.nodes == self.cuts.len(),
            None,
            || format!("{} nodes with a cut each", census.nodes),
            || format!("{} and {} cuts", self.tree.nodes.len(), self.cuts.len()),
        )?;
        let mut stack = Stack::<Stretch, STACK_LENGTH>::new(Stretch {
            link: Link::NONE,
            start: 0,
            count: 0,
            depth: 0,
        });
        if let Some(whole) = self.whole() {
            stack.push(whole);
        }
        while let Some(stretch) = stack.pop() {
            let region = stretch.link.region();
            if stretch.link.is_leaf() {
                Violation::unless(
                    stretch.link == Link::leaf(stretch.start) && stretch.count <= self.leaf_size,
                    region,
                    || format!("at most {} units from {}", self.leaf_size, stretch.start),
                    || format!("{} units", stretch.count),
                )?;
                continue;
            }
            let halves = self.halves(stretch);
            Violation::unless(
                matches!(halves[0].count.checked_sub(halves[1].count), Some(0 | 1)),
                region,
                || "two halves".to_owned(),
                || format!("{} and {} units", halves[0].count, halves[1].count),
            )?;
            let cut = &self.cuts[stretch.link.index() as usize];
            for (side, half) in halves.into_iter().enumerate() {
                for (unit, body) in self.tree.slots.run(half.start, half.count).units() {
                    Violation::unless(
                        cut.admits(side, bodies.center(unit)) && cut.covers(side, body),
                        region,
                        || format!("unit {unit} on side {side} of {cut:?}"),
                        || format!("{:?}", bodies.center(unit)),
                    )?;
                }
                stack.push(half);
            }
        }
        Ok(())
    }

    /// Says how well the tree is built.
    pub fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        say_census(&self.tree.census(), self.leaf_size, say);
    }

    /// Says how many bytes each part takes.
    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        self.tree.memory(say);
        say("cuts", self.cuts.capacity() * size_of::<C>());
        say(
            "build buffers",
            self.items.capacity() * size_of::<Item>() + self.stale.capacity() * size_of::<u32>(),
        );
    }
}

/// Says the shape of a tree with leaves.
pub fn say_census(census: &Census, leaf_size: u32, say: &mut dyn FnMut(Fact)) {
    let leaves = census.leaves.max(1) as f64;
    let units = census.units as f64;
    say(Fact::new("nodes", census.nodes, ""));
    say(Fact::new("leaves", census.leaves, ""));
    say(Fact::new("height", census.height, "levels"));
    say(Fact::new("ideal height", census.ideal_height(), "levels"));
    say(Fact::new(
        "mean depth",
        format!("{:.1}", census.depth_sum as f64 / units.max(1.0)),
        "levels",
    ));
    say(Fact::new(
        "leaf occupancy",
        format!("{:.0}", 100.0 * units / (leaves * f64::from(leaf_size))),
        "%",
    ));
}
