//! What is drawn and said of the tree: regions, the Z curve, addresses, the inspector's facts, quality.

use super::buckets::of_place;
use super::key::{Cell, SLOT_BITS, address_text, mask_text, nominal_box, nominal_size, open_bits};
use super::{Link, MAX_BUCKET, MortonTree, STACK_LENGTH, Stack};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, NearestQuery, Region, RegionId, RegionQuery, Role, Shape,
    UnitId,
};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// At most so many strokes of the Z curve are drawn.
const STROKE_LIMIT: usize = 1 << 14;
/// At most so many cells get their addresses: more cannot be read on any screen.
const ADDRESS_LIMIT: usize = 1 << 10;
/// The cursor explains the nearest unit within this part of the view's longer side.
const CURSOR_REACH: f32 = 0.05;

/// A stretch of the Z curve as far as it is worth drawing.
enum Stretch {
    /// A unit in view, or a part of the tree in view that is too small to be drawn in parts: an address, how many of its low
    /// bits are open, and the middle.
    Spot(u64, u32, Vec2),
    /// Units out of view: the middles of the first and the last along the curve.
    Hidden([Vec2; 2]),
}

/// The unit to which a key belongs.
const fn unit_of(key: u64) -> UnitId {
    (key & ((1 << SLOT_BITS) - 1)) as UnitId
}

/// The keys of a bucket's units, along the curve.
struct Filed {
    keys: [u64; MAX_BUCKET],
    count: usize,
}

impl Filed {
    fn keys(&self) -> &[u64] {
        &self.keys[..self.count]
    }
}

impl MortonTree {
    /// Visits the nodes and buckets in view, parents first.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let mut stack = Stack::<_, STACK_LENGTH>::new();
        if self.root != Link::NONE {
            stack.push((self.root, self.root_box, 0, None));
        }
        while let Some((link, bounds, depth, parent)) = stack.pop() {
            if !bounds.overlaps(query.area) || bounds.size().max_element() < query.min_size {
                continue;
            }
            visit(Region {
                id: link.region(),
                shape: Shape::Rect(bounds),
                depth,
                load: if link.is_bucket() {
                    self.buckets.fill(link.index()) as u32
                } else {
                    0
                },
                // A leaf that is always full is not worth a colour for how full it is.
                capacity: if link.is_bucket() && self.bucket > 1 {
                    self.bucket
                } else {
                    0
                },
                role: if link.is_bucket() {
                    Role::Leaf
                } else {
                    Role::Inner
                },
                parent,
            });
            if !link.is_bucket() {
                let node = &self.nodes[link.index() as usize];
                for slot in [1, 0] {
                    stack.push((
                        node.children[slot],
                        node.boxes[slot],
                        depth + 1,
                        Some(link.region()),
                    ));
                }
            }
        }
    }

    /// Visits the curve, the addresses and what the cursor explains.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        if self.root == Link::NONE {
            return;
        }
        if self.draws_curve {
            self.draw_z_curve(query, visit);
        }
        let pointed = query
            .cursor
            .and_then(|cursor| self.pointed_at(cursor, query));
        let mut is_told = false;
        if self.draws_addresses && self.cell_side() >= query.min_size {
            let address = pointed.map(|(_, address)| address);
            is_told = self.draw_cells(query, address, visit);
        }
        if let Some(pointed) = pointed {
            self.explain(pointed, is_told, query, visit);
        }
    }

    /// A stroke from each unit to the next along the curve, wherever one of the two is in view.
    fn draw_z_curve(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let mut strokes = 0;
        // The last spot, and the last of the units out of view that came after it.
        let (mut spot, mut hidden) = (None, None);
        let mut draw = |from: Option<Vec2>, to: Vec2| {
            let Some(from) = from.filter(|from| *from != to) else {
                return ControlFlow::Continue(());
            };
            visit(Mark {
                role: MarkRole::Guide,
                shape: Shape::Line(from, to),
                label: Cow::Borrowed(""),
            });
            strokes += 1;
            if strokes < STROKE_LIMIT {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        // Stopping at the limit is no failure: the picture is full.
        let _ = self.along_curve(query, &mut |stretch| match stretch {
            Stretch::Spot(_, _, to) => {
                draw(hidden.take().or(spot), to)?;
                spot = Some(to);
                ControlFlow::Continue(())
            }
            Stretch::Hidden([first, last]) => {
                if let Some(from) = spot.take() {
                    draw(Some(from), first)?;
                }
                hidden = Some(last);
                ControlFlow::Continue(())
            }
        });
    }

    /// The cell of each unit in view with its address, each cell once. Whether that of `pointed` is among them.
    fn draw_cells(
        &self,
        query: MarkQuery,
        pointed: Option<u64>,
        visit: &mut dyn FnMut(Mark<'_>),
    ) -> bool {
        let width = self.address_width();
        let (mut cells, mut last, mut is_told) = (0, None, false);
        let _ = self.along_curve(query, &mut |stretch| {
            // Of a node too small to be drawn in parts, the cell is known where all below it share one.
            let Stretch::Spot(address, open, _) = stretch else {
                return ControlFlow::Continue(());
            };
            if open > 0 || last.replace(address) == Some(address) {
                return ControlFlow::Continue(());
            }
            visit(Mark {
                role: MarkRole::Guide,
                shape: Shape::Rect(self.nominal_box(address, 0)),
                label: Cow::Owned(address_text(address, 0, width)),
            });
            is_told |= pointed == Some(address);
            cells += 1;
            if cells < ADDRESS_LIMIT {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        is_told
    }

    /// The bucket of the unit under the cursor, and its address.
    fn pointed_at(&self, cursor: Vec2, query: MarkQuery) -> Option<(u32, u64)> {
        let mut nearest = Vec::with_capacity(1);
        self.search_nearest(
            NearestQuery {
                point: cursor,
                count: 1,
                within: query.area.size().max_element() * CURSOR_REACH,
            },
            |_| true,
            &mut (),
            &mut nearest,
        );
        let found = nearest.first()?;
        let (bucket, at) = of_place(self.place_of(found.unit)?);
        let key = self.key_of(self.buckets.body(bucket, at), found.unit);
        Some((bucket, key >> SLOT_BITS))
    }

    /// The cell of the unit under the cursor, and in it and around it the ever larger boxes for which the nodes above it
    /// stand: doubled along y, along x, along y, and so on, as far as they fit the view. `is_told` says that the cell has its address
    /// already, as each has.
    fn explain(
        &self,
        (bucket, address): (u32, u64),
        is_told: bool,
        query: MarkQuery,
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        let width = self.address_width();
        let mut show = |open| {
            let shape = self.nominal_box(address, open);
            let fits = query.area.contains_box(shape);
            if fits || open == 0 {
                visit(Mark {
                    role: if open == 0 {
                        MarkRole::Home
                    } else {
                        MarkRole::Guide
                    },
                    shape: Shape::Rect(shape),
                    label: match is_told && open == 0 {
                        true => Cow::Borrowed(""),
                        false => Cow::Owned(address_text(address, open, width)),
                    },
                });
            }
            fits
        };
        let mut fits = show(0);
        let open = self.open_below(Link::bucket(bucket));
        if fits && open > 0 {
            fits = show(open);
        }
        let mut above = self.buckets.parent(bucket);
        while fits && let Some(node) = self.nodes.get(above as usize) {
            let open = open_bits(node.bit);
            if open > 0 {
                fits = show(open);
            }
            above = node.parent;
        }
    }

    /// Walks the curve from the lowest key to the highest. What is out of view and what is too small comes in one piece.
    fn along_curve(
        &self,
        query: MarkQuery,
        visit: &mut dyn FnMut(Stretch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut stack = Stack::<_, STACK_LENGTH>::new();
        stack.push((self.root, self.root_box));
        while let Some((link, bounds)) = stack.pop() {
            if !bounds.overlaps(query.area) {
                visit(Stretch::Hidden([0, 1].map(|slot| self.end(link, slot).1)))?;
            } else if bounds.size().max_element() < query.min_size {
                let address = self.key_below(link) >> SLOT_BITS;
                visit(Stretch::Spot(
                    address,
                    self.open_below(link),
                    bounds.center(),
                ))?;
            } else if link.is_bucket() {
                for &key in self.filed(link.index()).keys() {
                    let bounds = self.body_of(unit_of(key));
                    let middle = bounds.center();
                    visit(if bounds.overlaps(query.area) {
                        Stretch::Spot(key >> SLOT_BITS, 0, middle)
                    } else {
                        Stretch::Hidden([middle; 2])
                    })?;
                }
            } else {
                let node = &self.nodes[link.index() as usize];
                stack.push((node.children[1], node.boxes[1]));
                stack.push((node.children[0], node.boxes[0]));
            }
        }
        ControlFlow::Continue(())
    }

    /// The keys of a bucket's units, along the curve.
    fn filed(&self, bucket: u32) -> Filed {
        let (mut keys, ids) = ([0; MAX_BUCKET], self.buckets.ids(bucket));
        for (at, (key, &unit)) in keys.iter_mut().zip(ids).enumerate() {
            *key = self.key_of(self.buckets.body(bucket, at), unit);
        }
        let count = ids.len();
        keys[..count].sort_unstable();
        Filed { keys, count }
    }

    /// The box by which a unit is filed.
    fn body_of(&self, unit: UnitId) -> Aabb {
        let place = self.place_of(unit).map(of_place);
        place.map_or(Aabb::EMPTY, |(bucket, at)| self.buckets.body(bucket, at))
    }

    /// The first (`slot` 0) or last (1) unit along the curve of those below `link`: its key and its middle.
    fn end(&self, mut link: Link, slot: usize) -> (u64, Vec2) {
        while !link.is_bucket() {
            link = self.nodes[link.index() as usize].children[slot];
        }
        let filed = self.filed(link.index());
        let key = filed.keys()[slot * (filed.count - 1)];
        (key, self.body_of(unit_of(key)).center())
    }

    /// Some key below `link`.
    fn key_below(&self, link: Link) -> u64 {
        if link.is_bucket() {
            let (bucket, unit) = (link.index(), self.buckets.ids(link.index())[0]);
            self.key_of(self.buckets.body(bucket, 0), unit)
        } else {
            self.nodes[link.index() as usize].key
        }
    }

    /// The box of all cells whose addresses agree with `address` above its lowest `open` bits.
    fn nominal_box(&self, address: u64, open: u32) -> Aabb {
        nominal_box(address, open, self.cell_side(), self.truncates)
    }

    /// How many low bits of an address are worth showing: all but the zeros with which every address in the tree begins,
    /// an even number, for bits come in pairs.
    fn address_width(&self) -> u32 {
        let highest = self.end(self.root, 1).0 >> SLOT_BITS;
        (u64::BITS - highest.leading_zeros())
            .next_multiple_of(2)
            .max(2)
    }

    /// How many bits of the address are open below `link`.
    fn open_below(&self, link: Link) -> u32 {
        if link.is_bucket() {
            let filed = self.filed(link.index());
            match filed.keys()[0] ^ filed.keys()[filed.count - 1] {
                0 => 0,
                differ => open_bits(differ.ilog2() as u8),
            }
        } else {
            open_bits(self.nodes[link.index() as usize].bit)
        }
    }

    /// Says what the inspector shows of a node or a bucket.
    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let link = Link(region);
        let row = link.index() as usize;
        if link.is_bucket() {
            if row < self.buckets.len() && !self.buckets.is_free(link.index()) {
                self.say_bucket(link, say);
            }
            return;
        }
        let Some(node) = self.nodes.get(row).filter(|node| !node.is_free()) else {
            return;
        };
        let width = self.address_width();
        let open = open_bits(node.bit);
        self.say_prefix(node.key >> SLOT_BITS, open, say);
        // The lowest bit of an address is y's; below the address lie the bits of the row.
        let branch = match open.checked_sub(1) {
            Some(bit) if bit % 2 == 0 => format!("{bit} (y)"),
            Some(bit) => format!("{bit} (x)"),
            None => format!("row bit {} (one cell)", node.bit),
        };
        say(Fact::new("branch bit", branch, ""));
        self.say_size(open, say);
        for (link, name) in node.children.into_iter().zip(["child 0", "child 1"]) {
            let address = self.key_below(link) >> SLOT_BITS;
            let text = address_text(address, self.open_below(link), width);
            let text = match link.is_bucket().then(|| self.buckets.ids(link.index())) {
                Some(&[unit]) => {
                    let Cell { x, y } = Cell::with_address(address);
                    format!("unit {unit}, {text}, cell ({x}, {y})")
                }
                Some(ids) => format!("{} units, {text}", ids.len()),
                None => text,
            };
            say(Fact::new(name, text, ""));
        }
    }

    /// The address of a unit in bits, if it is in the tree.
    pub(super) fn say_address(&self, unit: UnitId) -> Option<String> {
        let (bucket, at) = of_place(self.place_of(unit)?);
        let address = self.key_of(self.buckets.body(bucket, at), unit) >> SLOT_BITS;
        Some(address_text(address, 0, self.address_width()))
    }

    /// Says what is known of a bucket: of one unit where it is, of several what their addresses have in common.
    fn say_bucket(&self, link: Link, say: &mut dyn FnMut(Fact)) {
        let ids = self.buckets.ids(link.index());
        let address = self.key_below(link) >> SLOT_BITS;
        if let &[unit] = ids {
            let Cell { x, y } = Cell::with_address(address);
            let text = address_text(address, 0, self.address_width());
            say(Fact::new("unit", unit, ""));
            say(Fact::new("address", text, ""));
            say(Fact::new("cell", format!("({x}, {y})"), ""));
        } else {
            let open = self.open_below(link);
            say(Fact::new("units", ids.len(), ""));
            say(Fact::new("room for", self.bucket, "units"));
            self.say_prefix(address, open, say);
            self.say_size(open, say);
        }
        say(Fact::new("cell size", self.cell_size, "m"));
    }

    /// Says which bits of the address are the same below a node or in a bucket.
    fn say_prefix(&self, address: u64, open: u32, say: &mut dyn FnMut(Fact)) {
        let width = self.address_width();
        say(Fact::new("address", address_text(address, open, width), ""));
        say(Fact::new("mask", mask_text(open, width), ""));
    }

    /// Says for how many cells so many open bits stand.
    fn say_size(&self, open: u32, say: &mut dyn FnMut(Fact)) {
        say(Fact::new("size in levels", open, "levels"));
        let cells = nominal_size(open);
        say(Fact::new(
            "nominal size",
            format!("{} × {}", cells.x, cells.y),
            "cells",
        ));
    }

    /// Says how well the tree is built. Walks all of it.
    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let (mut inner, mut buckets) = (0_usize, 0_usize);
        let (mut height, mut depth_sum) = (0_u32, 0_u64);
        let mut stack = Stack::<_, STACK_LENGTH>::new();
        if self.root != Link::NONE {
            stack.push((self.root, 0));
        }
        while let Some((link, depth)) = stack.pop() {
            if link.is_bucket() {
                buckets += 1;
                height = height.max(depth);
                depth_sum += u64::from(depth);
            } else {
                inner += 1;
                for child in self.nodes[link.index() as usize].children {
                    stack.push((child, depth + 1));
                }
            }
        }
        let ideal = self.unit_count.div_ceil(self.bucket as usize).max(1) as f64;
        let leaves = buckets.max(1) as f64;
        say(Fact::new("nodes", inner + buckets, ""));
        say(Fact::new("buckets", buckets, ""));
        say(Fact::new(
            "mean fill",
            format!("{:.1}", self.unit_count as f64 / leaves),
            "units",
        ));
        say(Fact::new("height", height, "levels"));
        say(Fact::new(
            "ideal height",
            ideal.log2().ceil() as u32,
            "levels",
        ));
        say(Fact::new(
            "mean leaf depth",
            format!("{:.1}", depth_sum as f64 / leaves),
            "levels",
        ));
        say(Fact::new(
            "inner node pool",
            format!("{} of {} in use", inner, self.nodes.len()),
            "",
        ));
        self.say_moves(say);
    }

    /// Says how many nodes a move has touched since the last build: refitted, climbed over, descended through.
    fn say_moves(&self, say: &mut dyn FnMut(Fact)) {
        let moves: u64 = self.moves_by_nodes.iter().sum();
        if moves == 0 {
            return;
        }
        let columns = || (0_u64..).zip(self.moves_by_nodes);
        let touched: u64 = columns().map(|(nodes, count)| nodes * count).sum();
        let share = |percent: u64| {
            let mut left = (moves * percent).div_ceil(100);
            let mut covered = columns().skip_while(|(_, count)| {
                let goes_on = left > *count;
                left = left.saturating_sub(*count);
                goes_on
            });
            covered.next().map_or(0, |(nodes, _)| nodes)
        };
        let mean = format!("{:.1}", touched as f64 / moves as f64);
        say(Fact::new("nodes a move, mean", mean, "nodes"));
        say(Fact::new("half of the moves, at most", share(50), "nodes"));
        say(Fact::new("99 % of the moves, at most", share(99), "nodes"));
    }
}
