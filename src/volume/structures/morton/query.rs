//! Who is in a box, in a ball, on a line, nearest to a point.

use super::key::DEPTH_LIMIT;
use super::{MortonTree3, NONE};
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::toolkit::blocks::Blocks;
use crate::volume::toolkit::lists::{Lists, Nearest3, Sieve3};
use crate::volume::toolkit::pairs::PairSearch;
use crate::volume::{Search3, Vec3};

/// A depth-first search leaves at most one node behind on each level, and looks at two on the last.
const STACK_LENGTH: usize = DEPTH_LIMIT + 2;

impl MortonTree3 {
    /// How far the units below a node are from a point at least, squared.
    #[inline(always)]
    fn distance_sq(&self, node: u32, point: Vec3) -> f32 {
        self.nodes[node as usize].bounds.distance_sq(point)
    }
}

impl Lists for MortonTree3 {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    #[inline(always)]
    fn lead<const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)>(
        &self,
        sieve: &mut Sieve3<'_, SIZED, K, S, P, V>,
    ) {
        if self.root == NONE {
            return;
        }
        let search = sieve.search;
        // A node, and whether everybody below it is a result.
        let mut stack = Stack::<(u32, bool), STACK_LENGTH>::new();
        stack.push((self.root, false));
        while let Some((node, is_inside)) = stack.pop() {
            let here = &self.nodes[node as usize];
            let mut is_accepted = is_inside;
            if is_inside {
            } else if search.swallows(here.bounds) {
                sieve.tell(Event::Accept(node));
                is_accepted = true;
            } else if search.holds(here.bounds) {
                sieve.tell(Event::Visit(node));
            } else {
                sieve.tell(Event::Prune(node));
                continue;
            }
            if !here.is_bucket() {
                stack.push((here.children[1], is_accepted));
                stack.push((here.children[0], is_accepted));
            } else if is_accepted {
                sieve.accept(here.list);
            } else {
                sieve.sift(here.list);
            }
        }
    }

    /// The nearer of two children first.
    #[inline(always)]
    fn approach<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe>(
        &self,
        nearest: &mut Nearest3<'_, K, F, P>,
    ) {
        let point = nearest.point;
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new();
        if self.root != NONE {
            stack.push((self.root, self.distance_sq(self.root, point)));
        }
        while let Some((node, distance_sq)) = stack.pop() {
            if distance_sq > nearest.bound_sq() {
                nearest.tell(Event::Prune(node));
                continue;
            }
            nearest.tell(Event::Visit(node));
            let here = &self.nodes[node as usize];
            if here.is_bucket() {
                nearest.offer(here.list);
                continue;
            }
            let [a, b] = here.children;
            let (far_a, far_b) = (self.distance_sq(a, point), self.distance_sq(b, point));
            if far_a <= far_b {
                stack.push((b, far_b));
                stack.push((a, far_a));
            } else {
                stack.push((a, far_a));
                stack.push((b, far_b));
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
