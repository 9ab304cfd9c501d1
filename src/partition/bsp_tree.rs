//! The BSP tree: the crowd halved by lines of any direction, each across the crowd's own longest way.

use super::box_tree::{Link, STACK_LENGTH};
use super::kernel::Stack;
use super::median_tree::{Cut, Item, MedianTree, Stretch};
use super::search::{Disc, Rectangle, Search, Way, inwards_sq, outwards, project, project_box};
use super::{
    Bodies, Change, Fact, Info, Knob, KnobRange, Mark, MarkQuery, MarkRole, NearestQuery, Neighbor,
    Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Role, Shape, UnitId,
    Violation,
};
use crate::geometry::{Aabb, Segment, Vec2};
use crate::probe::Probe;
use glam::DVec2;
use std::borrow::Cow;

/// A balanced tree of binary space partitions: each line parts the units below it in two halves, and its direction follows
/// the crowd.
///
/// # Algorithm
///
/// 1. Find the principal axis of the units' centres: the direction in which they are spread the widest, which is the larger
///    eigenvector of their covariance, a square root and no trigonometry. Where they are all on one spot, take x.
/// 2. Cut across that axis at the median, one half to each side, and go on with each half until it fits a leaf. Centres on
///    the line itself go to either side, so any number of units on one spot or one line is halved like any other.
/// 3. What the lines leave of the field, grown to hold every unit, is a convex *room* for each node.
/// 4. A room need not be kept, for bodies stick out of it. What is kept of a cut is how far the true boxes of each side
///    reach along its normal, in `f64` and rounded outwards; and every branch carries the tight box of what is below. A
///    query enters a branch that neither the box nor the line turns away; what it finds is decided by the boxes alone.
/// 5. Moves are followed as in the k-d tree: in place within a room, halved anew below the highest line that was crossed.
///
/// Build O(n log n). Move O(log n) within a room, O(m log m) over a line between m units. Query O(log n + k): the boxes of
/// slanting rooms overlap, which is what the lines are for. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: H. Fuchs, Z. M. Kedem, B. F. Naylor, "On Visible Surface Generation by A Priori Tree Structures" (1980);
/// the principal direction as the cut: R. F. Sproull, "Refinements to Nearest-Neighbor Searching in k-Dimensional Trees"
/// (1991).
#[derive(Clone, Debug)]
pub struct BspTree {
    median: MedianTree<LineCut>,
    field: Aabb,
    /// The knob `update`: whether any change builds the whole tree anew.
    rebuilds: bool,
}

/// A line, and how near to it the bodies of both sides come.
#[derive(Clone, Copy, Debug)]
struct LineCut {
    /// The direction across the line, of length 1, from the first side to the second.
    normal: Vec2,
    /// Where the line is along the normal, in metres: midway between the last centre before and the first behind.
    at: f64,
    /// How far the boxes of the first side reach forward along the normal, rounded outwards.
    high: f64,
    /// How far the boxes of the second side reach back.
    low: f64,
}

/// The direction in which the items are spread the widest.
fn principal_axis(items: &[Item]) -> Vec2 {
    let Some(first) = items.first() else {
        return Vec2::X;
    };
    // Sums of differences from one of them: far from the origin, squares of coordinates would leave nothing of the spread.
    let (mut x_sum, mut y_sum, mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for item in items {
        let x = f64::from(item.center.x) - f64::from(first.center.x);
        let y = f64::from(item.center.y) - f64::from(first.center.y);
        x_sum += x;
        y_sum += y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let count = items.len() as f64;
    let (xx, xy, yy) = (
        xx - x_sum * x_sum / count,
        xy - x_sum * y_sum / count,
        yy - y_sum * y_sum / count,
    );
    let half_difference = (xx - yy) * 0.5;
    let root = (half_difference * half_difference + xy * xy).sqrt();
    // Of the two forms of the eigenvector the one that subtracts nothing.
    let (x, y) = if half_difference >= 0.0 {
        (half_difference + root, xy)
    } else {
        (xy, root - half_difference)
    };
    let length = (x * x + y * y).sqrt();
    let axis = Vec2::new((x / length) as f32, (y / length) as f32);
    // No spread at all, or none that can be told from rounding.
    if axis.is_finite() { axis } else { Vec2::X }
}

impl Cut for LineCut {
    type Rule = ();

    const UNCUT: Self = Self {
        normal: Vec2::X,
        at: 0.0,
        high: 0.0,
        low: 0.0,
    };

    fn between(items: &mut [Item], middle: usize, _depth: u32, (): (), bodies: Bodies<'_>) -> Self {
        let normal = principal_axis(items);
        let along = |item: &Item| project(normal, item.center);
        let (before, next, _) =
            items.select_nth_unstable_by(middle, |a, b| along(a).total_cmp(&along(b)));
        let last = before.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let mut cut = Self {
            normal,
            at: (last + along(next)) * 0.5,
            high: f64::NEG_INFINITY,
            low: f64::INFINITY,
        };
        for (place, item) in items.iter().enumerate() {
            let body = if bodies.are_sized() {
                bodies.aabb(item.unit)
            } else {
                // The same, without a look at memory far away.
                Aabb::new(item.center, item.center)
            };
            cut.widen(usize::from(place >= middle), body);
        }
        cut
    }

    fn admits(&self, side: usize, center: Vec2) -> bool {
        let along = project(self.normal, center);
        if side == 0 {
            along <= self.at
        } else {
            along >= self.at
        }
    }

    #[inline]
    fn widen(&mut self, side: usize, body: Aabb) {
        let (low, high) = project_box(self.normal, body);
        if side == 0 {
            self.high = self.high.max(high);
        } else {
            self.low = self.low.min(low);
        }
    }

    fn covers(&self, side: usize, body: Aabb) -> bool {
        let (low, high) = project_box(self.normal, body);
        if side == 0 {
            high <= self.high
        } else {
            self.low <= low
        }
    }
}

impl LineCut {
    /// Whether a search comes as far as the bodies of this side.
    #[inline]
    fn reaches(&self, side: usize, search: &impl Search) -> bool {
        let (low, high) = search.along(self.normal);
        if side == 0 {
            low <= self.high
        } else {
            self.low <= high
        }
    }

    /// A squared distance that no body of this side is nearer to `point` than.
    #[inline]
    fn apart_sq(&self, side: usize, point: Vec2) -> f32 {
        let (low, high) = project_box(self.normal, Aabb::new(point, point));
        inwards_sq(if side == 0 {
            low - self.high
        } else {
            self.low - high
        })
    }

    fn text(&self) -> String {
        let Vec2 { x, y } = self.normal;
        format!("{x:.2} x + {y:.2} y = {:.2}", self.at)
    }
}

/// A room has the four corners of the field at first, and a line adds one at the most on each of at most 32 levels.
const CORNER_LIMIT: usize = 4 + 32;

/// A convex polygon, its corners counterclockwise. In `f64`, for a room among units may have corners where the field ends,
/// far away, and a line through it has to be right where the units are.
#[derive(Clone, Copy)]
struct Room {
    corners: [DVec2; CORNER_LIMIT],
    count: usize,
}

impl Room {
    /// A box as a room.
    fn of_box(area: Aabb) -> Self {
        let (min, max) = (area.min.as_dvec2(), area.max.as_dvec2());
        let mut room = Self {
            corners: [min; CORNER_LIMIT],
            count: 4,
        };
        room.corners[1].x = max.x;
        room.corners[2] = max;
        room.corners[3].y = max.y;
        room
    }

    fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// Each corner with the one after it.
    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let following = self.corners().iter().cycle().skip(1);
        self.corners().iter().copied().zip(following.copied())
    }

    fn push(&mut self, corner: DVec2) {
        if self.count < CORNER_LIMIT {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb::of_points(self.corners().iter().map(|corner| corner.as_vec2()))
    }

    /// The two parts of the room, and the line between them from wall to wall: the clip of Sutherland and Hodgman.
    ///
    /// A part of which the line leaves less than three corners gets its last one again: a hundred units on one spot are in
    /// rooms without width.
    fn parts(&self, cut: &LineCut) -> ([Self; 2], [Vec2; 2]) {
        let normal = cut.normal.as_dvec2();
        let behind = |corner: DVec2| normal.dot(corner) - cut.at;
        let nothing = Self { count: 0, ..*self };
        let (mut parts, mut line) = ([nothing; 2], nothing);
        // The corners that lie the farthest to each side.
        let mut extremes = [self.corners[0]; 2];
        for (corner, next) in self.edges() {
            let (here, there) = (behind(corner), behind(next));
            if here < behind(extremes[0]) {
                extremes[0] = corner;
            }
            if here > behind(extremes[1]) {
                extremes[1] = corner;
            }
            if here <= 0.0 {
                parts[0].push(corner);
            }
            if here >= 0.0 {
                parts[1].push(corner);
            }
            if here == 0.0 {
                line.push(corner);
            } else if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let crossing = corner.lerp(next, here / (here - there));
                parts[0].push(crossing);
                parts[1].push(crossing);
                line.push(crossing);
            }
        }
        for (part, extreme) in parts.iter_mut().zip(extremes) {
            let corner = part.corners().last().copied().unwrap_or(extreme);
            while part.count < 3 {
                part.push(corner);
            }
        }
        // Where the line misses the room by rounding, it is drawn as a point.
        let from = line.corners().first().copied().unwrap_or(extremes[0]);
        let to = line.corners().last().copied().unwrap_or(from);
        (parts, [from, to].map(|end| end.as_vec2()))
    }

    /// Whether the room and the box share a point, but for rounding.
    fn overlaps(&self, area: Aabb) -> bool {
        if !self.bounds().overlaps(area) {
            return false;
        }
        // Convex shapes are apart if the line along an edge of one of them lies between.
        let (min, max) = (area.min.as_dvec2(), area.max.as_dvec2());
        !self.edges().any(|(a, b)| {
            let outwards = DVec2::new(b.y - a.y, a.x - b.x);
            let nearest = DVec2::new(
                if outwards.x > 0.0 { min.x } else { max.x },
                if outwards.y > 0.0 { min.y } else { max.y },
            );
            outwards.dot(nearest - a) > 0.0
        })
    }
}

/// A node or leaf of the picture.
#[derive(Clone, Copy)]
struct RoomOfNode {
    stretch: Stretch,
    room: Room,
    parent: Option<RegionId>,
}

impl BspTree {
    /// The whole tree as a room: the field, and more where units are outside.
    fn root_room(&self) -> Option<RoomOfNode> {
        Some(RoomOfNode {
            stretch: self.median.whole()?,
            room: Room::of_box(self.field.join(self.median.tree.root.bounds)),
            parent: None,
        })
    }

    /// The two parts of a node's room and the line between them; nothing for a leaf.
    fn parts(&self, whole: &RoomOfNode) -> Option<([RoomOfNode; 2], [Vec2; 2])> {
        let link = whole.stretch.link;
        if link.is_leaf() {
            return None;
        }
        let stretches = self.median.halves(whole.stretch);
        let (rooms, line) = whole.room.parts(&self.median.cuts[link.index() as usize]);
        let parts = [0, 1].map(|side| RoomOfNode {
            stretch: stretches[side],
            room: rooms[side],
            parent: Some(link.region()),
        });
        Some((parts, line))
    }

    /// Visits the units that a search holds.
    #[inline]
    fn walk<P: Probe>(&self, search: &impl Search, probe: &mut P, visit: impl FnMut(UnitId)) {
        let cuts = &self.median.cuts;
        let reaches = |node: u32, side| cuts[node as usize].reaches(side, search);
        self.median.tree.walk(search, reaches, probe, visit);
    }
}

/// The index of the knob `leaf_size`.
const LEAF_SIZE: usize = 0;
/// The index of the knob `update`.
const UPDATE: usize = 1;

const KNOBS: &[Knob] = &[
    Knob {
        key: "leaf_size",
        name: "leaf size",
        help: "How many units a room without a line holds at most. Small rooms test fewer units and cost more lines, to cut and to search.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 64.0,
            whole: true,
            logarithmic: true,
        },
        default: 16.0,
        picture_only: false,
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether only those rooms are halved anew of which a unit crossed the line, or any change builds the whole tree.",
        unit: "",
        range: KnobRange::Choice(&["partial", "rebuild"]),
        default: 0.0,
        picture_only: false,
    },
];

impl Partition for BspTree {
    const INFO: Info = Info {
        key: "bsp-tree",
        name: "BSP tree",
        tagline: "lines of any direction",
        placement: Placement::Tight,
        what: "A balanced binary tree of lines: each cuts its crowd in two halves across the direction in which it is spread the widest. The rooms between the lines are convex polygons.",
        cost: "build O(n log n) · a move within its room O(log n), over a line as much as is below it · query O(log n + k)",
        wins: "crowds that stand still in slanting ranks, which lines across the axes would cut badly",
        loses: "wherever things lie along the axes, for a slanting line costs more to ask; mass movement, for most of it is built anew each step",
        source: "Fuchs, Kedem, Naylor, On Visible Surface Generation by A Priori Tree Structures (1980)",
        knobs: KNOBS,
    };

    fn new(field: Aabb) -> Self {
        Self {
            median: MedianTree::new(KNOBS[LEAF_SIZE].default as u32),
            field,
            rebuilds: false,
        }
    }

    fn knob(&self, index: usize) -> f64 {
        match index {
            LEAF_SIZE => f64::from(self.median.leaf_size),
            UPDATE => f64::from(u8::from(self.rebuilds)),
            _ => unreachable!("the BSP tree has no knob {index}"),
        }
    }

    fn set_knob(&mut self, index: usize, value: f64) {
        match index {
            LEAF_SIZE => self.median.leaf_size = value as u32,
            UPDATE => self.rebuilds = value != 0.0,
            _ => unreachable!("the BSP tree has no knob {index}"),
        }
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.median.build(bodies, (), probe);
    }

    fn apply<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P) {
        if self.rebuilds && !changes.is_empty() {
            self.median.build(bodies, (), probe);
        } else {
            self.median.apply(bodies, changes, (), probe);
        }
    }

    fn range<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        area: Aabb,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.walk(&Rectangle(area), probe, visit);
    }

    fn radius<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        center: Vec2,
        radius: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.walk(&Disc::new(center, radius), probe, visit);
    }

    fn nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let cuts = &self.median.cuts;
        let apart_sq = |node: u32, side| cuts[node as usize].apart_sq(side, query.point);
        self.median
            .tree
            .nearest(query, filter, apart_sq, probe, out);
    }

    fn segment<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        segment: Segment,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.walk(&Way(segment), probe, visit);
    }

    fn pairs_part<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let cuts = &self.median.cuts;
        let reach_along = outwards(reach);
        let parts = |node: u32| {
            let cut = &cuts[node as usize];
            cut.low - cut.high > reach_along
        };
        self.median.tree.pairs(reach, part, parts, probe, batch);
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let Some(root) = self.root_room() else {
            return;
        };
        let mut stack = Stack::<RoomOfNode, STACK_LENGTH>::new(root);
        stack.push(root);
        let mut corners = [Vec2::ZERO; CORNER_LIMIT];
        while let Some(node) = stack.pop() {
            for (corner, exact) in corners.iter_mut().zip(node.room.corners()) {
                *corner = exact.as_vec2();
            }
            let size = node.room.bounds().size().max_element();
            if !node.room.overlaps(query.area) || size < query.min_size {
                continue;
            }
            let parts = self.parts(&node);
            let is_leaf = parts.is_none();
            visit(Region {
                id: node.stretch.link.region(),
                shape: Shape::Convex(&corners[..node.room.count]),
                depth: node.stretch.depth as u16,
                load: if is_leaf { node.stretch.count } else { 0 },
                capacity: if is_leaf { self.median.leaf_size } else { 0 },
                role: if is_leaf { Role::Leaf } else { Role::Inner },
                parent: node.parent,
            });
            if let Some(([first, second], _)) = parts {
                stack.push(second);
                stack.push(first);
            }
        }
    }

    /// The way down to the room under the cursor: every line on it, and the box that is really searched.
    fn marks(&self, _bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let (Some(cursor), Some(mut node)) = (query.cursor, self.root_room()) else {
            return;
        };
        if !node.room.overlaps(Aabb::new(cursor, cursor)) {
            return;
        }
        while let Some((parts, [from, to])) = self.parts(&node) {
            if from.distance_squared(to) >= query.min_size * query.min_size {
                visit(Mark {
                    role: MarkRole::Guide,
                    shape: Shape::Line(from, to),
                    label: Cow::Owned(node.stretch.depth.to_string()),
                });
            }
            let cut = &self.median.cuts[node.stretch.link.index() as usize];
            let side = usize::from(project(cut.normal, cursor) > cut.at);
            node = parts[side];
        }
        let Stretch { start, count, .. } = node.stretch;
        visit(Mark {
            role: MarkRole::Home,
            shape: Shape::Rect(self.median.tree.slots.run(start, count).bounds()),
            label: Cow::Owned(format!("{count} units")),
        });
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let link = Link::of_region(region);
        let Some((stretch, bounds)) = self.median.find(link) else {
            return;
        };
        if !link.is_leaf() {
            let cut = self.median.cuts[link.index() as usize];
            let [first, second] = self.median.halves(stretch);
            say(Fact::new("line", cut.text(), "m"));
            say(Fact::new(
                "units on each side",
                format!("{} and {}", first.count, second.count),
                "",
            ));
            // Less than nothing where bodies stick out over the line.
            say(Fact::new(
                "clear strip",
                format!("{:.2}", cut.low - cut.high),
                "m",
            ));
        }
        say(Fact::new("units", stretch.count, ""));
        let size = bounds.size();
        say(Fact::new(
            "tight box",
            format!("{:.2} × {:.2}", size.x, size.y),
            "m",
        ));
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.median.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.median.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        self.median.memory(say);
    }
}

#[cfg(test)]
mod tests {
    use super::super::against_all_pairs::{CROWDS, FIELD, Trial, stands_trial};
    use super::*;
    use crate::probe::Counter;

    #[test]
    fn every_leaf_size_and_update_answers_like_all_pairs() {
        for update in ["partial", "rebuild"] {
            stands_trial::<BspTree>(&[("leaf_size", "3"), ("update", update)]);
        }
        stands_trial::<BspTree>(&[("leaf_size", "1")]);
        stands_trial::<BspTree>(&[("leaf_size", "64")]);
    }

    #[test]
    fn the_first_line_lies_across_the_crowds_longest_way() {
        let centers: Vec<_> = (0..100)
            .map(|step| Vec2::new(30.0 + 0.3 * step as f32, 20.0 + 0.4 * step as f32))
            .collect();
        let mut tree = BspTree::new(FIELD);
        tree.rebuild(Bodies::points(&centers), &mut ());
        let normal = tree.median.cuts[0].normal;
        assert!((normal - Vec2::new(0.6, 0.8)).length() < 1e-3, "{normal}");
        let spot = [Vec2::ONE; 100];
        tree.rebuild(Bodies::points(&spot), &mut ());
        assert_eq!(tree.median.cuts[0].normal, Vec2::X);
        assert_eq!(tree.median.tree.census().height, 3);
    }

    #[test]
    fn a_line_turns_away_what_the_box_behind_it_would_let_in() {
        // Two slanting ranks, whose boxes are nearly the same.
        let centers: Vec<_> = (0..64)
            .map(|place| {
                let step = (place / 2) as f32;
                Vec2::new(step, step) + Vec2::new(-40.0, 40.0) * (place % 2) as f32
            })
            .collect();
        let bodies = Bodies::points(&centers);
        let mut tree = BspTree::new(FIELD);
        tree.rebuild(bodies, &mut ());
        let mut counter = Counter::default();
        let between = Vec2::new(-5.0, 35.0);
        tree.radius(bodies, between, 10.0, &mut counter, |_| {});
        assert_eq!(counter.tests, 0);
        // No pair stretches over the strip between the ranks, and no two leaves across it are compared.
        let cut = tree.median.cuts[0];
        assert!(cut.low - cut.high > 50.0);
    }

    #[test]
    fn rooms_hold_their_units_and_cover_their_parents() {
        for crowd in CROWDS {
            let trial = Trial::new(crowd, 300, false);
            let mut tree = BspTree::new(FIELD);
            tree.rebuild(trial.bodies(), &mut ());
            let area = |corners: &[Vec2]| {
                let origin = corners[0];
                let ends = corners.iter().zip(&corners[1..]);
                ends.map(|(a, b)| f64::from((*a - origin).perp_dot(*b - origin)) * 0.5)
                    .sum::<f64>()
            };
            let (mut whole, mut leaves) = (0.0, 0.0);
            let everything = RegionQuery {
                area: Aabb::EVERYTHING,
                min_size: 0.0,
            };
            tree.regions(everything, &mut |region| {
                let Shape::Convex(corners) = region.shape else {
                    panic!("a room that is no polygon: {region:?}");
                };
                assert!(corners.len() >= 3);
                if region.parent.is_none() {
                    whole = area(corners);
                }
                if region.role == Role::Leaf {
                    leaves += area(corners);
                    let (stretch, bounds) = tree
                        .median
                        .find(Link::of_region(region.id))
                        .expect("a leaf of the picture");
                    assert_eq!(stretch.count, region.load);
                    let room = Aabb::of_points(corners.iter().copied());
                    let slack = bounds.min.abs().max(bounds.max.abs()).max_element() * 1e-6;
                    assert!(
                        room.grown(Vec2::splat(slack)).contains_box(bounds),
                        "{room:?} around {bounds:?}"
                    );
                }
            });
            assert!((leaves / whole - 1.0).abs() < 1e-3, "{leaves} of {whole}");
        }
    }
}
