//! Shelves: the boxes of up to sixteen buckets and nodes below a node, side by side, to be tested at once.

use super::{Link, MortonTree, NO_NODE};
use crate::geometry::Aabb;
use crate::partition::toolkit::boxes::{Boxes, WIDTH};
use crate::partition::toolkit::simd;
use crate::partition::{RegionId, UnitId};

/// The index of no shelf, and no place on one.
pub(super) const NO_SHELF: u32 = u32::MAX;

/// A shelf with so few things is cleared onto the one above where that has room.
const FEW: usize = 4;

/// A build gives a shelf to no node that has so few things and is not the fuller side: of 1 to 8, this makes queries look at the
/// fewest shelves.
const FEW_IN_A_BUILD: u32 = 5;

/// Where a shelf is full, so many things at most go to a new one. A side of a tree that is heavier than the other one is no
/// more than that and more than half of it, sooner or later on the way down.
const MOVING: usize = 10;

/// The numbers of the places on a shelf, by which a kernel names those that it finds.
static PLACES: [UnitId; WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// What a node looks like from above to a query that does not stop at each branch: what is below it, a few levels down.
///
/// A thing on a shelf is a bucket, or a node with a shelf of its own. Each bucket and each such node is on one shelf, the nodes
/// between them and the top on none.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Shelf {
    /// The boxes of the things, as the nodes above them have them; [`Aabb::EMPTY`] where there is none.
    boxes: Boxes,
    /// What the things are: the bucket, or, in place of a node, its shelf; [`Link::NONE`] where there is none.
    things: [UnitId; WIDTH],
    /// The node whose shelf it is.
    pub top: u32,
    /// The place of that node on a shelf, [`NO_SHELF`] for the root; of a free shelf, the next free one.
    pub place: u32,
    /// How many things there are, from the first place on; none on a free shelf.
    pub count: u8,
    /// One bit for each place at which there is a bucket.
    pub buckets: u16,
}

impl Shelf {
    /// A shelf with nothing on it.
    const fn new(top: u32) -> Self {
        Self {
            boxes: Boxes::EMPTY,
            things: [Link::NONE.0; WIDTH],
            top,
            place: NO_SHELF,
            count: 0,
            buckets: 0,
        }
    }

    /// How many things there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        usize::from(self.count).min(WIDTH)
    }

    /// What is at a place.
    #[inline(always)]
    pub fn thing(&self, at: usize) -> Link {
        Link(self.things[at])
    }

    /// The things, one place after the other.
    #[inline(always)]
    pub fn things(&self) -> impl Iterator<Item = Link> {
        self.things[..self.len()].iter().map(|thing| Link(*thing))
    }

    /// What a kernel calls the things.
    #[inline(always)]
    pub fn names(&self) -> &[UnitId; WIDTH] {
        if self.has_only_buckets() {
            &self.things
        } else {
            &PLACES
        }
    }

    /// What a kernel calls by this name.
    #[inline(always)]
    pub fn named(&self, name: UnitId) -> Link {
        if self.has_only_buckets() {
            Link(name)
        } else {
            self.thing(name as usize)
        }
    }

    /// The box of what is at a place.
    #[inline(always)]
    pub fn bounds(&self, at: usize) -> Aabb {
        self.boxes.get(at)
    }

    /// Whether all things are buckets.
    #[inline(always)]
    pub fn has_only_buckets(&self) -> bool {
        self.bucket_count() == u32::from(self.count)
    }

    /// The boxes as bodies: named by their buckets where there is nothing else, and else by their places.
    #[inline(always)]
    pub fn for_kernel(&self) -> simd::Bodies<'_> {
        self.boxes.named(self.names())
    }

    /// How many of the things are buckets.
    #[inline(always)]
    pub fn bucket_count(&self) -> u32 {
        self.buckets.count_ones()
    }

    /// One bit for each place at which there is a node.
    #[inline(always)]
    pub fn nodes(&self) -> u32 {
        ((1 << self.count) - 1) & !u32::from(self.buckets)
    }

    fn write(&mut self, at: usize, thing: Link, bounds: Aabb) {
        self.things[at] = thing.0;
        self.boxes.set(at, bounds);
        self.buckets = self.buckets & !(1 << at) | u16::from(thing.is_bucket()) << at;
    }
}

#[cfg(test)]
impl Shelf {
    /// Writes a wrong box.
    pub fn spoil_box(&mut self, at: usize) {
        let bounds = Aabb::around(self.bounds(0).center(), crate::geometry::Vec2::splat(0.01));
        self.boxes.set(at, bounds);
    }

    /// Exchanges two things without telling them.
    pub fn exchange(&mut self, a: usize, b: usize) {
        let (thing, bounds) = (self.thing(a), self.bounds(a));
        self.write(a, self.thing(b), self.bounds(b));
        self.write(b, thing, bounds);
    }
}

/// A place on a shelf as one number.
const fn place_on(shelf: u32, at: usize) -> u32 {
    shelf * WIDTH as u32 + at as u32
}

/// The shelf and where on it.
#[inline(always)]
pub(super) const fn of_place(place: u32) -> (usize, usize) {
    (place as usize / WIDTH, place as usize % WIDTH)
}

/// All shelves, in use and free.
#[derive(Clone, Debug)]
pub(super) struct Shelves {
    pub list: Vec<Shelf>,
    /// The first free shelf, [`NO_SHELF`] for none.
    pub free: u32,
}

impl Shelves {
    pub const fn new() -> Self {
        Self {
            list: Vec::new(),
            free: NO_SHELF,
        }
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.free = NO_SHELF;
    }

    /// An empty shelf for this node.
    fn take(&mut self, top: u32) -> u32 {
        let new = Shelf::new(top);
        if let Some(free) = self.list.get_mut(self.free as usize) {
            return std::mem::replace(&mut self.free, std::mem::replace(free, new).place);
        }
        self.list.push(new);
        self.list.len() as u32 - 1
    }

    /// Puts a shelf on the free list.
    fn give_back(&mut self, shelf: u32) {
        let freed = &mut self.list[shelf as usize];
        *freed = Shelf::new(NO_NODE);
        freed.place = std::mem::replace(&mut self.free, shelf);
    }

    fn get_mut(&mut self, shelf: u32) -> &mut Shelf {
        &mut self.list[shelf as usize]
    }

    fn len_of(&self, shelf: u32) -> usize {
        self.list[shelf as usize].len()
    }
}

impl MortonTree {
    /// Puts everything on shelves, after a build.
    ///
    /// From the bottom up a node leaves what is below it to the node above, as long as the two sides of that one fit one shelf
    /// together; else each side gets a shelf of its own, unless it has too few things for one. With the fuller side alone on a shelf
    /// of its own there would be fewer shelves, and more of them on a way down.
    pub(super) fn fill_shelves(&mut self) {
        self.shelves.clear();
        // Until it is known which shelf it is: how many places a node takes on that of the node above.
        for index in (0..self.nodes.len()).rev() {
            let children = self.nodes[index].children;
            let mut counts = children.map(|child| {
                if child.is_bucket() {
                    1
                } else {
                    self.nodes[child.index() as usize].shelf
                }
            });
            if counts[0] + counts[1] > WIDTH as u32 {
                let most = counts[0].max(counts[1]);
                for (count, child) in counts.iter_mut().zip(children) {
                    if *count == most || *count > FEW_IN_A_BUILD {
                        *count = 1;
                        self.nodes[child.index() as usize].shelf = 1;
                    }
                }
            }
            self.nodes[index].shelf = counts[0] + counts[1];
        }
        for index in 0..self.nodes.len() as u32 {
            let node = self.nodes[index as usize];
            let (above, slot) = self.above(index);
            let home = self.nodes.get(above as usize).map(|above| above.shelf);
            let shelf = match home {
                Some(home) if node.shelf > 1 => home,
                _ => self.shelves.take(index),
            };
            self.nodes[index as usize].shelf = shelf;
            if let Some(home) = home.filter(|home| *home != shelf) {
                self.add(home, Link::inner(shelf), self.child_box(above, slot));
            }
            for slot in 0..2 {
                if node.children[slot].is_bucket() {
                    self.add(shelf, node.children[slot], node.boxes[slot]);
                }
            }
        }
    }

    /// The region that a thing is.
    #[inline]
    pub(super) fn region_of(&self, thing: Link) -> RegionId {
        if thing.is_bucket() {
            thing.region()
        } else {
            Link::inner(self.shelves.list[thing.index() as usize].top).region()
        }
    }

    /// Puts a thing on a shelf that has room.
    fn add(&mut self, shelf: u32, thing: Link, bounds: Aabb) {
        let onto = self.shelves.get_mut(shelf);
        let at = onto.len();
        onto.write(at, thing, bounds);
        onto.count += 1;
        self.remember(thing, place_on(shelf, at));
    }

    /// Writes in a thing where it is.
    fn remember(&mut self, thing: Link, place: u32) {
        if thing.is_bucket() {
            self.buckets.set_shelf_place(thing.index(), place);
        } else {
            self.shelves.get_mut(thing.index()).place = place;
        }
    }

    /// Takes what is at a place off its shelf; what is last there takes the place. Says what it was, and its box.
    fn take_off(&mut self, place: u32) -> (Link, Aabb) {
        let (shelf, at) = of_place(place);
        let from = &mut self.shelves.list[shelf];
        let taken = (from.thing(at), from.bounds(at));
        let last = from.len() - 1;
        let (moved, bounds) = (from.thing(last), from.bounds(last));
        from.write(at, moved, bounds);
        from.write(last, Link::NONE, Aabb::EMPTY);
        from.count -= 1;
        if at != last {
            self.remember(moved, place);
        }
        taken
    }

    /// Where a child of a node with the shelf `home` is on a shelf, if it is on one.
    #[inline(always)]
    fn place_of_child(&self, child: Link, home: u32) -> u32 {
        if child.is_bucket() {
            return self.buckets.shelf_place(child.index());
        }
        let shelf = self.nodes[child.index() as usize].shelf;
        if shelf == home {
            NO_SHELF
        } else {
            self.shelves.list[shelf as usize].place
        }
    }

    /// Writes the box of a child of a node where it is on a shelf.
    #[inline(always)]
    pub(super) fn show(&mut self, node: u32, slot: usize, bounds: Aabb) {
        let Some(above) = self.nodes.get(node as usize) else {
            return;
        };
        let place = self.place_of_child(above.children[slot], above.shelf);
        let (shelf, at) = of_place(place);
        if let Some(shelf) = self.shelves.list.get_mut(shelf) {
            shelf.boxes.set(at, bounds);
        }
    }

    /// Makes room beside a child, or the root, and says on which shelf; none where the root is a bucket.
    pub(super) fn room_beside(&mut self, link: Link) -> Option<u32> {
        let home = self.home_of(link)?;
        if self.shelves.len_of(home) < WIDTH {
            return Some(home);
        }
        self.part(home);
        self.home_of(link)
    }

    /// On which shelf a node belongs that comes in between a link and what is above it.
    fn home_of(&self, link: Link) -> Option<u32> {
        let place = if link.is_bucket() {
            self.buckets.shelf_place(link.index())
        } else {
            let shelf = self.nodes[link.index() as usize].shelf;
            let Shelf { top, place, .. } = self.shelves.list[shelf as usize];
            if top != link.index() || place == NO_SHELF {
                return Some(shelf);
            }
            place
        };
        (place != NO_SHELF).then(|| of_place(place).0 as u32)
    }

    /// Puts a new node and its children on the shelf where there is [room](Self::room_beside), or on a new one. One child at
    /// least is a bucket that is on none.
    pub(super) fn put_on_shelf(&mut self, node: u32, home: Option<u32>) {
        let shelf = home.unwrap_or_else(|| self.shelves.take(node));
        let new = &mut self.nodes[node as usize];
        new.shelf = shelf;
        let (children, boxes, parent) = (new.children, new.boxes, new.parent);
        if parent == NO_NODE {
            self.shelves.get_mut(shelf).top = node;
        }
        for slot in 0..2 {
            let child = children[slot];
            if child.is_bucket() && self.buckets.shelf_place(child.index()) == NO_SHELF {
                self.add(shelf, child, boxes[slot]);
            } else {
                self.show(node, slot, boxes[slot]);
            }
        }
    }

    /// Moves a part of a full shelf to a new one.
    fn part(&mut self, shelf: u32) {
        let mut top = self.shelves.list[shelf as usize].top;
        loop {
            let children = self.nodes[top as usize].children;
            let counts = children.map(|child| self.count_below(child, shelf));
            let fuller = usize::from(counts[1] > counts[0]);
            top = children[fuller].index();
            if counts[fuller] <= MOVING {
                break;
            }
        }
        let new = self.shelves.take(top);
        let (above, slot) = self.above(top);
        let mut waiting = [top; WIDTH];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let node = &mut self.nodes[waiting[count] as usize];
            node.shelf = new;
            for child in node.children {
                if self.is_between(child, shelf) {
                    waiting[count] = child.index();
                    count += 1;
                } else {
                    // It is on the old shelf still, whatever is above it.
                    let (thing, bounds) = self.take_off(self.place_of_child(child, shelf));
                    self.add(new, thing, bounds);
                }
            }
        }
        self.add(shelf, Link::inner(new), self.child_box(above, slot));
    }

    /// Whether a link is a node that has what is below it on this shelf, below the top.
    fn is_between(&self, link: Link, shelf: u32) -> bool {
        !link.is_bucket() && self.nodes[link.index() as usize].shelf == shelf
    }

    /// How many things on a shelf are below a link.
    fn count_below(&self, link: Link, shelf: u32) -> usize {
        let mut waiting = [link; WIDTH];
        let (mut count, mut things) = (1, 0);
        while count > 0 {
            count -= 1;
            if self.is_between(waiting[count], shelf) {
                let [first, second] = self.nodes[waiting[count].index() as usize].children;
                (waiting[count], waiting[count + 1]) = (first, second);
                count += 2;
            } else {
                things += 1;
            }
        }
        things
    }

    /// Takes a bucket off its shelf and gives it back. Its node is to be [closed](Self::close_shelf).
    pub(super) fn give_back(&mut self, bucket: u32) {
        let place = self.buckets.shelf_place(bucket);
        if place != NO_SHELF {
            self.take_off(place);
        }
        self.buckets.give_back(bucket);
    }

    /// Follows where a node, one of whose children is off its shelf already, is about to be replaced by the other one, which
    /// has this box.
    pub(super) fn close_shelf(&mut self, node: u32, link: Link, bounds: Aabb) {
        let shelf = self.nodes[node as usize].shelf;
        let is_top = self.shelves.list[shelf as usize].top == node;
        if self.is_between(link, shelf) {
            if is_top {
                self.shelves.get_mut(shelf).top = link.index();
            }
        } else if is_top {
            // It is the only thing, and takes the place of its shelf.
            let place = self.shelves.list[shelf as usize].place;
            let (thing, _) = self.take_off(place_on(shelf, 0));
            self.shelves.give_back(shelf);
            self.remember(thing, place);
            let (above, at) = of_place(place);
            if let Some(above) = self.shelves.list.get_mut(above) {
                above.write(at, thing, bounds);
            }
            return;
        } else {
            let (shelf, at) = of_place(self.place_of_child(link, shelf));
            self.shelves.list[shelf].boxes.set(at, bounds);
        }
        self.clear_if_few(shelf);
    }

    /// Puts what is on a shelf with few things on the one above, where there is room for it.
    fn clear_if_few(&mut self, shelf: u32) {
        let old = self.shelves.list[shelf as usize];
        if old.len() > FEW || old.place == NO_SHELF {
            return;
        }
        let home = of_place(old.place).0 as u32;
        if self.shelves.len_of(home) - 1 + old.len() > WIDTH {
            return;
        }
        self.take_off(old.place);
        let mut waiting = [old.top; WIDTH];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let node = &mut self.nodes[waiting[count] as usize];
            node.shelf = home;
            for child in node.children {
                if self.is_between(child, shelf) {
                    waiting[count] = child.index();
                    count += 1;
                }
            }
        }
        for at in 0..old.len() {
            self.add(home, old.thing(at), old.bounds(at));
        }
        self.shelves.give_back(shelf);
    }
}
