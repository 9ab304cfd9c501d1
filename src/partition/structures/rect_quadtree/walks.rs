//! Walks along the bodies of a node.

use super::four::Contents;
use super::pool::{BLOCK, HALF, Half, HighCorners, NONE, Pool, first_length};
use crate::geometry::Aabb;
use crate::partition::UnitId;
use crate::partition::toolkit::group::Runs;
use crate::partition::toolkit::simd::{Bodies, PADDING};
use std::ops::Range;

impl Pool {
    /// The halves of a node's blocks and how many bodies are in each.
    #[inline(always)]
    pub(super) fn halves(&self, contents: Contents) -> Halves<'_> {
        Halves::of(self, contents)
    }

    /// The bodies that a node holds itself.
    #[inline]
    pub(super) fn own(&self, node: u32) -> Own<'_> {
        Own::of(self, self.nodes[node as usize].blocks)
    }

    /// The bodies that a node holds itself, in runs.
    #[inline(always)]
    pub(super) fn own_runs(&self, node: u32) -> OwnRuns<'_> {
        OwnRuns {
            pool: self,
            halves: self.halves(self.truth(node)),
            half: 0,
            lanes: 0..0,
            rest: None,
        }
    }
}

/// The bodies of a node as runs of columns, each in half a block.
#[derive(Clone)]
pub(super) struct OwnRuns<'a> {
    pool: &'a Pool,
    halves: Halves<'a>,
    /// The half at hand.
    half: usize,
    /// Those in it that have not been given yet.
    lanes: Range<usize>,
    /// Them once more from the first lane on, where a kernel could not read whole registers of them as they lie.
    rest: Option<(Half, HighCorners)>,
}

impl<const SIZED: bool> Runs<SIZED> for OwnRuns<'_> {
    #[inline(always)]
    fn next_run(&mut self, most: usize) -> Option<(Bodies<'_>, Range<usize>)> {
        if self.lanes.is_empty() {
            let (half, length) = self.halves.next()?;
            (self.half, self.lanes) = (half, 0..length);
        }
        let Range { start, end } = self.lanes;
        let count = most.min(end - start);
        self.lanes.start += count;
        if start.is_multiple_of(PADDING) {
            return Some((self.pool.columns::<SIZED>(self.half), start..start + count));
        }
        let (low, high) = self.rest.insert(self.pool.half_from(self.half, start));
        Some((low.columns::<SIZED>(high), 0..count))
    }
}

/// A walk along the halves of a node's blocks.
#[derive(Clone)]
pub(super) struct Halves<'a> {
    pool: &'a Pool,
    half: usize,
    /// How many bodies are in this half and, if it is a first one, in the other.
    here: usize,
    /// How many are in these and in the blocks after.
    rest: usize,
}

impl<'a> Halves<'a> {
    #[inline(always)]
    pub(super) fn of(pool: &'a Pool, contents: Contents) -> Self {
        Self {
            pool,
            half: (contents.blocks as usize).wrapping_mul(2),
            here: first_length(contents.load) as usize,
            rest: contents.load as usize,
        }
    }
}

impl Iterator for Halves<'_> {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest == 0 {
            return None;
        }
        let (half, length) = (self.half, self.here.min(HALF));
        self.half += 1;
        self.here -= length;
        self.rest -= length;
        if self.here == 0 && self.rest > 0 {
            self.half = 2 * self.pool.owners[half / 2].next as usize;
            self.here = BLOCK;
        }
        Some((half, length))
    }
}

/// A walk along the bodies of a node.
#[derive(Clone)]
pub(super) struct Own<'a> {
    pool: &'a Pool,
    /// The block after the one at hand.
    next: u32,
    slot: u32,
    end: u32,
}

impl<'a> Own<'a> {
    /// The bodies in a block and those after it.
    #[inline]
    pub(super) fn of(pool: &'a Pool, block: u32) -> Self {
        let mut own = Own {
            pool,
            next: block,
            slot: 0,
            end: 0,
        };
        own.enter_next();
        own
    }

    /// Goes to the next block; at the end there is none.
    #[inline]
    fn enter_next(&mut self) {
        if self.next != NONE {
            let owner = &self.pool.owners[self.next as usize];
            self.slot = self.next * BLOCK as u32;
            self.end = self.slot + owner.length;
            self.next = owner.next;
        }
    }
}

impl Iterator for Own<'_> {
    type Item = (UnitId, Aabb);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.slot == self.end {
            self.enter_next();
            if self.slot == self.end {
                return None;
            }
        }
        let slot = self.slot;
        self.slot += 1;
        Some(self.pool.body(slot))
    }
}
