//! The same for the third dimension: what a structure in space shows of itself, and what a query under the pointer did.

use super::{Ear, Histogram, ask_histogram};
use crate::partition::{Fact, Neighbor, RegionId, UnitId};
use crate::probe::{Counter, Event};
use crate::volume::{
    Aabb3, AnyPartition3, Bodies3, NearestQuery3, Region3, RegionQuery3, Segment3, Vec3,
};

/// What the window wants to know of a structure in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask3 {
    /// The part of space that is drawn: a slice hides the rest.
    pub view: Aabb3,
    /// Whether regions are drawn.
    pub regions: bool,
    /// Regions that are smaller than this are not, in metres.
    pub min_size: f32,
    /// What the pointer is on.
    pub pointer: Option<Pointer3>,
    /// The radius of the query to ask around the point under the pointer, if one is shown.
    pub query_radius: Option<f32>,
}

/// Where the pointer is: a point of the screen is a line in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer3 {
    /// From the eye through the point of the screen, as far as anything is drawn; as wide as a pointer is sure.
    pub line: Segment3,
    /// The point that is meant where no unit is.
    pub otherwise: Vec3,
    /// Whether a unit on the line is meant before that point.
    pub picks: bool,
}

/// A query that was asked for the sake of seeing it, with all that it did.
#[derive(Clone, Debug, Default)]
pub struct SphereView {
    /// The middle of the ball.
    pub center: Vec3,
    /// Its radius, in metres.
    pub radius: f32,
    /// The sums.
    pub counter: Counter,
    /// The nodes or cells that were entered.
    pub visited: Vec<RegionId>,
    /// Those that were taken whole: every unit in them is a result, and none was tested.
    pub accepted: Vec<RegionId>,
    /// Those that were left out.
    pub pruned: Vec<RegionId>,
    /// The units that were tested, hits included.
    pub tested: Vec<UnitId>,
    /// The units found, by ascending id.
    pub hits: Vec<UnitId>,
    /// Events beyond the trace's cap, which are counted but not listed.
    pub dropped: u64,
}

/// The answers: everything of one structure in space that is drawn or printed.
#[derive(Clone, Debug)]
pub struct Frame3 {
    /// The regions in view, those that hold nobody as far as the structure keeps them: parents before children.
    pub regions: Vec<Region3>,
    /// Where the pointer was for which all that follows was found.
    pub pointer: Option<Pointer3>,
    /// The point under the pointer.
    pub point: Option<Vec3>,
    /// The query around it.
    pub query: Option<SphereView>,
    /// The regions from the root to the deepest one at that point.
    pub path: Vec<Region3>,
    /// What is known of the last one of them.
    pub facts: Vec<Fact>,
    /// The unit under the pointer.
    pub unit: Option<UnitId>,
    ear: Ear,
    neighbors: Vec<Neighbor>,
    spare: Option<SphereView>,
}

impl Default for Frame3 {
    fn default() -> Self {
        Self {
            regions: Vec::new(),
            pointer: None,
            point: None,
            query: None,
            path: Vec::new(),
            facts: Vec::new(),
            unit: None,
            ear: Ear::new(),
            neighbors: Vec::new(),
            spare: None,
        }
    }
}

impl Frame3 {
    /// Asks the structure everything that `ask` wants.
    pub fn observe(&mut self, index: &AnyPartition3, bodies: Bodies3<'_>, ask: &Ask3) {
        self.regions.clear();
        if ask.regions {
            let query = RegionQuery3 {
                area: ask.view,
                min_size: ask.min_size,
            };
            index.regions(query, &mut |region| self.regions.push(region));
        }
        self.look_under_pointer(index, bodies, ask);
    }

    /// Forgets what was observed and keeps the memory.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.path.clear();
        self.facts.clear();
        (self.pointer, self.point, self.unit) = (None, None, None);
        self.spare = self.query.take().or(self.spare.take());
    }

    fn look_under_pointer(&mut self, index: &AnyPartition3, bodies: Bodies3<'_>, ask: &Ask3) {
        self.path.clear();
        self.facts.clear();
        (self.point, self.unit) = (None, None);
        self.pointer = ask.pointer;
        self.spare = self.query.take().or(self.spare.take());
        let Some(pointer) = ask.pointer else { return };
        if pointer.picks {
            self.unit = pick(index, bodies, pointer.line, ask.view);
        } else {
            let nearest = NearestQuery3 {
                point: pointer.otherwise,
                count: 1,
                within: pointer.line.half_width,
            };
            index.nearest(bodies, nearest, |_| true, &mut (), &mut self.neighbors);
            self.unit = self.neighbors.first().map(|neighbor| neighbor.unit);
        }
        let point = match self.unit {
            Some(unit) if pointer.picks => bodies.center(unit),
            _ => pointer.otherwise,
        };
        self.point = Some(point);
        let mut under: Vec<Region3> = Vec::new();
        let spot = RegionQuery3 {
            area: Aabb3::point(point),
            min_size: 0.0,
        };
        index.regions(spot, &mut |region| under.push(region));
        // Nodes may overlap; the path is that of the deepest region at the point, the smaller one first.
        let extent = |region: &Region3| region.bounds.half_surface();
        let deepest = under
            .iter()
            .max_by(|a, b| a.depth.cmp(&b.depth).then(extent(b).total_cmp(&extent(a))));
        let mut next = deepest.copied();
        while let Some(region) = next {
            self.path.push(region);
            next = region
                .parent
                .and_then(|parent| under.iter().find(|other| other.id == parent))
                .copied();
        }
        self.path.reverse();
        if let Some(last) = self.path.last() {
            index.facts(bodies, last.id, &mut |fact| self.facts.push(fact));
        }
        if let Some(radius) = ask.query_radius {
            self.query = Some(self.ask_ball(index, bodies, point, radius));
        }
    }

    /// Asks for the units in a ball and keeps all that the structure did for it.
    fn ask_ball(
        &mut self,
        index: &AnyPartition3,
        bodies: Bodies3<'_>,
        center: Vec3,
        radius: f32,
    ) -> SphereView {
        let mut view = self.spare.take().unwrap_or_default();
        view.visited.clear();
        view.accepted.clear();
        view.pruned.clear();
        view.tested.clear();
        view.hits.clear();
        let hit: &mut dyn FnMut(UnitId) = &mut |unit| view.hits.push(unit);
        index.sphere(bodies, center, radius, &mut self.ear.listen(), hit);
        let (trace, counter) = &self.ear.heard;
        (view.center, view.radius, view.counter) = (center, radius, *counter);
        view.dropped = trace.dropped();
        for event in trace.events() {
            match *event {
                Event::Visit(region) => view.visited.push(region),
                Event::Accept(region) => view.accepted.push(region),
                Event::Prune(region) => view.pruned.push(region),
                Event::Test(unit) => view.tested.push(unit),
                _ => {}
            }
        }
        view.hits.sort_unstable();
        view
    }
}

/// The unit that a line meets first, of those in view: the nearest one to where the line begins.
fn pick(index: &AnyPartition3, bodies: Bodies3<'_>, line: Segment3, view: Aabb3) -> Option<UnitId> {
    let mut best: Option<(f32, UnitId)> = None;
    index.segment(bodies, line, &mut (), |unit| {
        let center = bodies.center(unit);
        let distance = (center - line.from).length_squared();
        let is_nearer = best.is_none_or(|(least, other)| (distance, unit) < (least, other));
        if view.contains(center) && is_nearer {
            best = Some((distance, unit));
        }
    });
    best.map(|(_, unit)| unit)
}

/// Counts leaves by depth; for a grid, cells by load.
pub fn histogram(index: &AnyPartition3) -> Histogram {
    ask_histogram(index.byte_count(), |say| {
        index.regions(RegionQuery3::ALL, &mut |region| {
            say(region.role, region.depth, region.load);
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Kind3;

    /// Whether a box is cut into eighths, of which the other one is one.
    fn is_eighth(whole: Aabb3, part: Aabb3) -> bool {
        let (size, off) = (whole.size(), part.center() - whole.center());
        let is_halved = (part.size() * 2.0 - size).abs().cmple(size * 1.0e-3).all();
        is_halved && (off.abs() * 4.0 - size).abs().cmple(size * 1.0e-2).all()
    }

    #[test]
    fn no_more_is_told_of_a_region_at_which_a_search_ends_than_is_said() {
        // Layers, a crowd in one place, and some outside the field.
        let at =
            |unit: usize| Vec3::new((unit % 8) as f32, (unit / 8 % 8) as f32, (unit / 64) as f32);
        let layers = (0..512).map(|unit| at(unit) * 3.0);
        let crowd = [Vec3::new(27.3, 24.1, 20.7); 80];
        let outside = [Vec3::new(-4.0, 5.0, 5.0), Vec3::new(33.0, 34.0, 12.0)];
        let centers: Vec<Vec3> = layers.chain(crowd).chain(outside).collect();
        let halves: Vec<Vec3> = (0..centers.len())
            .map(|unit| match unit {
                unit if unit % 97 == 0 => Vec3::new(6.0, 4.0, 5.0),
                unit if unit % 11 == 0 => Vec3::splat(1.3),
                _ => Vec3::splat(0.2),
            })
            .collect();
        let points = Bodies3::points(&centers);
        let sized = Bodies3 {
            half_extents: &halves,
            ..points
        };
        // Through the field and around it, off the layers and on them.
        let spot = |spot: usize| {
            Vec3::new(
                (spot % 14) as f32,
                (spot / 14 % 14) as f32,
                (spot / 196) as f32,
            )
        };
        let spots = (0..14 * 196).map(|it| spot(it) * 2.9 - Vec3::splat(4.3));
        let spots: Vec<Vec3> = spots.collect();
        let mut frame = Frame3::default();
        for &kind in Kind3::ALL {
            for bodies in [points, sized] {
                let mut index = AnyPartition3::new(kind, Aabb3::new(Vec3::ZERO, Vec3::splat(30.0)));
                index.expect(1.5);
                index.rebuild(bodies, &mut ());
                let mut most = 0;
                for &spot in spots.iter().chain(&centers) {
                    let line = Segment3 {
                        from: spot,
                        to: spot,
                        half_width: 0.01,
                    };
                    let ask = Ask3 {
                        view: Aabb3::point(spot),
                        regions: false,
                        min_size: 0.0,
                        pointer: Some(Pointer3 {
                            line,
                            otherwise: spot,
                            picks: false,
                        }),
                        query_radius: None,
                    };
                    frame.look_under_pointer(&index, bodies, &ask);
                    let Some(region) = frame.path.last() else {
                        continue;
                    };
                    let mut steps = frame.path.windows(2);
                    let octants = frame.path.len() > 1
                        && steps.all(|pair| is_eighth(pair[0].bounds, pair[1].bounds));
                    let told = frame.facts.iter().filter(|fact| match fact.name {
                        "x" | "y" | "z" => false,
                        "slot" => fact.value != region.id.to_string(),
                        "units" | "held" => fact.value != region.load.to_string(),
                        _ => true,
                    });
                    most = most.max(4 + usize::from(octants) + told.count());
                }
                let info = kind.info();
                let of_sizes = if bodies.are_sized() {
                    info.told_of_sizes
                } else {
                    0
                };
                assert!(
                    most <= info.told + of_sizes,
                    "{kind:?}, sized {}: {most}",
                    bodies.are_sized()
                );
            }
        }
    }
}
