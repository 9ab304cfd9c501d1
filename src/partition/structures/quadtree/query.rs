//! Who is in a rectangle, in a disc, on a line, nearest to a point.

use super::pool::{BLOCK, Kind, NONE};
use super::{Quadtree, ROOT};
use crate::geometry::Vec2;
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

impl Quadtree {
    /// Visits the units below `node` that `search` holds. Recursion is no deeper than the tree, which is bounded by
    /// `LEVEL_LIMIT`.
    pub(super) fn walk<P: Probe>(
        &self,
        node: u32,
        search: &impl Search,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let here = &self.pool.nodes[node as usize];
        if !search.holds(here.bounds.grown(self.reach(node))) {
            probe.on(Event::Prune(node));
            return;
        }
        // A node holds centres, so what is inside it does not follow from its box unless centres are enough.
        if search
            .core()
            .is_some_and(|core| core.contains_box(here.bounds))
        {
            probe.on(Event::Accept(node));
            self.take_all(node, probe, visit);
            return;
        }
        probe.on(Event::Visit(node));
        if here.kind == Kind::Inner {
            for child in here.link..here.link + 4 {
                self.walk(child, search, probe, visit);
            }
            return;
        }
        let mut hits = 0;
        for (unit, body) in self.pool.bodies(node) {
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if search.holds(body) {
                hits += 1;
                if P::DETAILED {
                    probe.on(Event::Hit(unit));
                }
                visit(unit);
            }
        }
        if !P::DETAILED {
            probe.tests(u64::from(here.load));
            probe.hits(hits);
        }
    }

    /// Visits all units below `node`.
    fn take_all<P: Probe>(&self, node: u32, probe: &mut P, visit: &mut impl FnMut(UnitId)) {
        let here = &self.pool.nodes[node as usize];
        if here.kind == Kind::Inner {
            for child in here.link..here.link + 4 {
                self.take_all(child, probe, visit);
            }
            return;
        }
        let mut block = here.link;
        while block != NONE {
            let owner = &self.pool.owners[block as usize];
            let ids = &self.pool.blocks[block as usize].ids;
            for &unit in &ids[..(owner.length as usize).min(BLOCK)] {
                if P::DETAILED {
                    probe.on(Event::Hit(unit));
                }
                visit(unit);
            }
            block = owner.next;
        }
        if !P::DETAILED {
            probe.hits(u64::from(here.load));
        }
    }

    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut best = Best::new(out, query.count, query.within);
        let distance_sq = self.reach_box(ROOT).distance_sq(query.point);
        self.near(
            ROOT,
            distance_sq,
            query.point,
            &mut filter,
            probe,
            &mut best,
        );
        for neighbor in out.iter() {
            probe.on(Event::Hit(neighbor.unit));
        }
    }

    /// Offers the units below `node`, the nearer children first.
    fn near<P: Probe>(
        &self,
        node: u32,
        distance_sq: f32,
        point: Vec2,
        filter: &mut impl FnMut(UnitId) -> bool,
        probe: &mut P,
        best: &mut Best<'_>,
    ) {
        if distance_sq > best.bound_sq() {
            probe.on(Event::Prune(node));
            return;
        }
        probe.on(Event::Visit(node));
        let here = &self.pool.nodes[node as usize];
        if here.kind == Kind::Inner {
            let mut children = [0, 1, 2, 3].map(|quarter| {
                let child = here.link + quarter;
                (self.reach_box(child).distance_sq(point), child)
            });
            children.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            for (distance_sq, child) in children {
                self.near(child, distance_sq, point, filter, probe, best);
            }
            return;
        }
        for (unit, body) in self.pool.bodies(node) {
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            let distance_sq = body.distance_sq(point);
            if best.wants(unit, distance_sq) && filter(unit) {
                best.offer(unit, distance_sq);
            }
        }
        if !P::DETAILED {
            probe.tests(u64::from(here.load));
        }
    }
}
