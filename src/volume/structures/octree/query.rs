//! Who is in a box, in a ball, on a line, nearest to a point.

use super::{LEVEL_LIMIT, Octree, ROOT};
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::Search3;
use crate::volume::toolkit::blocks::Blocks;
use crate::volume::toolkit::lists::{Lists, Nearest3, Sieve3};
use crate::volume::toolkit::pairs::PairSearch;

/// A depth-first search leaves at most seven nodes behind on each level and looks at eight on the last.
pub(super) const STACK_LENGTH: usize = 7 * LEVEL_LIMIT + 1;

impl Lists for Octree {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    #[inline(always)]
    fn lead<const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)>(
        &self,
        sieve: &mut Sieve3<'_, SIZED, K, S, P, V>,
    ) {
        let search = sieve.search;
        // The first of eight siblings, which of them are left, and whether everybody below them is a result.
        let mut stack = Stack::<(u32, u8, bool), LEVEL_LIMIT>::new();
        let (mut node, mut is_inside) = (ROOT, false);
        loop {
            let here = &self.nodes[node as usize];
            if is_inside {
                sieve.accept(here.list);
            } else if search.swallows(here.bounds) {
                is_inside = true;
                sieve.tell(Event::Accept(node));
                sieve.accept(here.list);
            } else {
                sieve.tell(Event::Visit(node));
                sieve.sift(here.list);
            }
            if !here.is_leaf() {
                let mut left = 0;
                for octant in 0..8 {
                    let child = here.children + octant;
                    let below = &self.nodes[child as usize];
                    if below.total > 0 && (is_inside || search.holds(below.bounds)) {
                        left |= 1 << octant;
                    } else if !is_inside {
                        // An empty one, too, is left out.
                        sieve.tell(Event::Prune(child));
                    }
                }
                if left != 0 {
                    stack.push((here.children, left, is_inside));
                }
            }
            let Some((children, left, inside)) = stack.pop() else {
                break;
            };
            (node, is_inside) = (children + left.trailing_zeros(), inside);
            let left = left & (left - 1);
            if left != 0 {
                stack.push((children, left, inside));
            }
        }
    }

    /// The nearest of eight children first.
    #[inline(always)]
    fn approach<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe>(
        &self,
        nearest: &mut Nearest3<'_, K, F, P>,
    ) {
        let point = nearest.point;
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new();
        stack.push((ROOT, 0.0));
        while let Some((node, distance_sq)) = stack.pop() {
            if distance_sq > nearest.bound_sq() {
                nearest.tell(Event::Prune(node));
                continue;
            }
            nearest.tell(Event::Visit(node));
            let here = &self.nodes[node as usize];
            nearest.offer(here.list);
            if here.is_leaf() {
                continue;
            }
            // Sorted in one by one, the nearest last.
            let mut order = [(0, 0.0); 8];
            let mut count = 0;
            for child in here.children..here.children + 8 {
                let below = &self.nodes[child as usize];
                if below.total == 0 {
                    nearest.tell(Event::Prune(child));
                    continue;
                }
                let distance_sq = below.bounds.distance_sq(point);
                let mut place = count;
                while place > 0 && order[place - 1].1 < distance_sq {
                    order[place] = order[place - 1];
                    place -= 1;
                }
                order[place] = (child, distance_sq);
                count += 1;
            }
            for &item in &order[..count] {
                stack.push(item);
            }
        }
    }

    #[inline(always)]
    fn pair_up<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        _reach: f32,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    ) {
        self.emit_pairs(search);
    }
}
