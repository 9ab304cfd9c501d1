//! What is drawn of a lane in space, and what over that.

use super::draw::{Asked, Edited, Flash, Layers3, Painted, Picture, VolumePicture};
use crate::app::commands::Layer;
use crate::app::commands::View;
use crate::app::eye::Eye;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::{App, DEEPEST, RunMode, Stepping};
use crate::app::worker::LaneView;
use skirmish::observe::space::SphereView;
use skirmish::partition::{RegionId, Role, UnitId};
use skirmish::probe::Event;
use skirmish::session::{Flashes, Place};
use skirmish::story::space::Operation3;
use skirmish::story::{self, Concerned, Reel, Standing};
use skirmish::volume::{Aabb3, Bodies3, Region3, Vec3};
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

/// The picture of a lane, with what was drawn last.
#[derive(Default)]
pub struct Scenery {
    picture: VolumePicture,
    flashes: Vec<Flash>,
    /// What has happened of the operation that is looked into, as a query.
    steps: SphereView,
    /// What it has done to regions, where it is an edit or a build.
    edited: Vec<(RegionId, Edited)>,
    /// Who is among the nearest so far of a search for them.
    nearest: Vec<UnitId>,
    regions: Vec<Region3>,
    /// How much was drawn.
    pub painted: Painted,
}

/// So many flashes at once are nearly too pale to be seen.
const MANY_FLASHES: f32 = 60.0;

impl Scenery {
    /// Draws a lane as it is seen by `eye`.
    pub fn draw(
        &mut self,
        app: &App,
        lane: &LaneView,
        eye: &Eye,
        palette: &Palette,
        canvas: &mut Canvas<'_>,
    ) {
        let Some(flight) = &app.flight else {
            return;
        };
        let frame = &lane.frame3;
        let shows = |layer| app.layers.shows(layer);
        let tick = flight.tick();
        self.flashes.clear();
        let seen = lane.flashes3.iter().filter_map(|(bounds, is_split, at)| {
            let age = tick.checked_sub(*at).filter(|age| *age < Flashes::TICKS)?;
            Some(Flash {
                bounds: *bounds,
                is_split: *is_split,
                age: age as f32 / Flashes::TICKS as f32,
            })
        });
        let is_seen = shows(Layer::Nodes) && !app.has_steps();
        self.flashes.extend(seen.filter(|_| is_seen));
        // Many at once would hide what they are about: the more, the paler.
        let pale = (self.flashes.len() as f32 / MANY_FLASHES).min(0.85);
        for flash in &mut self.flashes {
            flash.age = pale + (1.0 - pale) * flash.age;
        }
        // Where time stopped by itself stays lit.
        let stopped = app.stop_in_sight().and_then(|stopped| stopped.area);
        if let Some(Place::Space(bounds)) = stopped {
            self.flashes.push(Flash {
                bounds,
                is_split: true,
                age: 0.0,
            });
        }
        let told = app.stepping.as_ref().filter(|_| app.has_steps());
        let now = told.and_then(|it| self.take_steps(it, flight.bodies()));
        let (regions, query) = match told {
            Some(_) => (&self.regions, Some(&self.steps).filter(|_| now.is_some())),
            None => (
                &frame.regions,
                frame.query.as_ref().filter(|_| shows(Layer::Query)),
            ),
        };
        let Now {
            region,
            unit,
            met,
            turn,
        } = now.unwrap_or_default();
        let is_told = now.is_some();
        // The tree stands beside one volume.
        let [pointed, marked] = match app.view {
            View::Volume => app
                .marked_in_tree()
                .map(|place| place.and_then(story::Place::room)),
            _ => [None, None],
        };
        let ground = flight.ground();
        let height = |x: f32, y: f32| ground.height(x, y);
        let has_hills = app
            .scene
            .volume
            .as_ref()
            .is_some_and(|it| it.hills.is_some());
        let picture = Picture {
            eye,
            palette,
            field: flight.field(),
            bodies: flight.bodies(),
            velocities: flight.velocities(),
            sides: flight.sides(),
            regions,
            query,
            edited: told.map_or(&[], |_| &self.edited),
            nearest: told.map_or(&[], |_| &self.nearest),
            asked: told.and_then(|it| asked(it, flight.bodies())),
            slice: app.space.slice,
            depths: depths(app),
            layers: Layers3 {
                units: shows(Layer::Units),
                boxes: shows(Layer::Nodes),
                load: shows(Layer::Load),
                query: shows(Layer::Query) || told.is_some(),
            },
            is_told,
            ground: has_hills.then_some(&height),
            hovered: unit.or(app.looked_at_unit(lane)),
            met,
            turn,
            marked,
            pointed,
            selected: app.selection.units(),
            carried: app.space.carried,
            hovered_region: match told {
                Some(_) => region,
                None => frame.path.last().map(|region| region.bounds),
            },
            flashes: &self.flashes,
        };
        let is_busy = app.mode == RunMode::Running && app.is_too_heavy();
        let busy = if is_busy { app.threads } else { 0 };
        self.painted = self.picture.draw(canvas, &picture, busy);
    }
}

/// What is lit at a step.
#[derive(Clone, Copy, Debug, Default)]
struct Now {
    /// The box that it names.
    region: Option<Aabb3>,
    /// The unit.
    unit: Option<UnitId>,
    /// The two who are compared.
    met: Option<[UnitId; 2]>,
    /// The box whose turn it is, where that is another one.
    turn: Option<Aabb3>,
}

impl Scenery {
    /// Takes what has happened of an operation up to the present step, as a query that has come so far; gives what is happening.
    fn take_steps(&mut self, stepping: &Stepping, bodies: Bodies3<'_>) -> Option<Now> {
        let (reel, at) = (stepping.shown()?, stepping.at());
        let telling = stepping.told.as_ref()?;
        let view = &mut self.steps;
        view.visited.clear();
        view.accepted.clear();
        view.pruned.clear();
        view.tested.clear();
        view.hits.clear();
        self.edited.clear();
        self.nearest.clear();
        let away_sq = |point: Vec3| {
            move |unit: UnitId| {
                let is_there = bodies.is_alive(unit);
                is_there.then(|| bodies.aabb(unit).distance_sq(point))
            }
        };
        (view.center, view.radius) = match stepping.asked.operation3() {
            Some(Operation3::Sphere { center, radius }) => (*center, *radius),
            // As far as it still has to look.
            Some(Operation3::Nearest { point, .. }) => (
                *point,
                stepping.nearest_reach(away_sq(*point)).unwrap_or_default() as f32,
            ),
            _ => (Vec3::ZERO, 0.0),
        };
        self.regions.clear();
        self.regions
            .extend(telling.rooms.at(reel.story(), at).values());
        self.regions.sort_unstable_by_key(|region| region.id);
        if reel.has_yet_to_split(at) {
            let is_later = |region| reel.is_yet_to_split(region, at);
            leave_out_later(&mut self.regions, is_later, |region| {
                let place = reel.story().atlas(at).place(region);
                place.map_or(0, |place| place.below)
            });
        }
        mark(reel, at, view, &mut self.edited);
        // Of a build those that are split now have new boxes: those of all that were split before are all boxes.
        let is_build = matches!(stepping.asked.operation3(), Some(Operation3::Rebuild));
        let is_new = |edited: &(RegionId, Edited)| match edited.1 {
            Edited::Split => true,
            Edited::WasSplit => !is_build,
            Edited::New | Edited::Changed | Edited::Left => false,
        };
        let split = self.edited.iter().filter(|it| is_new(it));
        let split: HashSet<RegionId> = split.map(|(region, _)| *region).collect();
        let known: HashSet<RegionId> = self.edited.iter().map(|it| it.0).collect();
        let parts = self.regions.iter().filter(|region| {
            let is_part = region.parent.is_some_and(|above| split.contains(&above));
            is_part && !known.contains(&region.id)
        });
        let parts = parts.map(|region| (region.id, Edited::New));
        self.edited.extend(parts);
        for (unit, standing) in reel.concerned(at) {
            view.tested.push(unit);
            match standing {
                Standing::Found => view.hits.push(unit),
                Standing::Nearest => self.nearest.push(unit),
                Standing::NotYet | Standing::LeftOut | Standing::Tested => {}
            }
        }
        let step = stepping.now();
        let bounds = step.and_then(|step| telling.rooms.of(reel.story(), step));
        let (unit, met) = match step.map(|step| step.units) {
            Some(Concerned::One(unit)) => (Some(unit), None),
            Some(Concerned::Two(a, b)) => (None, Some([a, b])),
            Some(Concerned::Nobody | Concerned::Load(_)) | None => (None, None),
        };
        let turn = step.and_then(|step| reel.turn_at(at).filter(|turn| step.place != Some(*turn)));
        let turn = turn.and_then(|turn| reel.story().places[turn].room());
        // An edit is about its unit, whatever of it is happening.
        let changed = match stepping.asked.operation3() {
            Some(Operation3::Remove { unit } | Operation3::Move { unit, .. }) => Some(*unit),
            _ => None,
        };
        let unit = unit.or(changed);
        Some(Now {
            region: bounds.map(|region| region.bounds),
            unit,
            met,
            turn,
        })
    }
}

/// Adds the regions to which something has happened in the first steps: of a query to what it did, of an edit or a build to what is `edited`.
fn mark(reel: &Reel, at: usize, view: &mut SphereView, edited: &mut Vec<(RegionId, Edited)>) {
    let now = reel.now(at).and_then(|step| step.region);
    let turn = reel.turn_at(at);
    let places = reel.story().places.iter().enumerate();
    for (number, place) in places.filter(|(number, _)| !reel.is_gone(*number, at)) {
        match reel.place_at(number, at).map(|step| step.event) {
            Some(Event::Split(_)) => {
                let split = match now == Some(place.region) {
                    true => Edited::Split,
                    false => Edited::WasSplit,
                };
                edited.push((place.region, split));
            }
            Some(Event::Merge(_) | Event::Refit(_)) => {
                edited.push((place.region, Edited::Changed));
            }
            Some(Event::Climb(_)) => edited.push((place.region, Edited::Left)),
            // Whoever has its turn looks, also where one at which it looks has left it out since.
            Some(Event::Prune(_)) if turn == Some(number) => view.visited.push(place.region),
            Some(Event::Prune(_)) => view.pruned.push(place.region),
            Some(Event::Accept(_)) => view.accepted.push(place.region),
            Some(_) => view.visited.push(place.region),
            None => {}
        }
    }
}

/// Takes out what is below regions that are split later: these are leaves still, with all who are `below` them.
fn leave_out_later(
    regions: &mut Vec<Region3>,
    is_later: impl Fn(RegionId) -> bool,
    below: impl Fn(RegionId) -> u64,
) {
    let above: HashMap<RegionId, Option<RegionId>> =
        regions.iter().map(|it| (it.id, it.parent)).collect();
    let parent = |region: RegionId| above.get(&region).copied().flatten();
    let is_there = |region: &Region3| {
        let mut above = std::iter::successors(region.parent, |it| parent(*it));
        !above.any(&is_later)
    };
    regions.retain(is_there);
    for region in regions.iter_mut().filter(|it| is_later(it.id)) {
        region.role = Role::Leaf;
        region.load = u32::try_from(below(region.id)).unwrap_or(u32::MAX);
    }
}

/// Where something is asked or changes; nothing of what is asked everywhere, and of a ball, which is drawn itself.
fn asked(stepping: &Stepping, bodies: Bodies3<'_>) -> Option<Asked> {
    let standing = |unit: UnitId| bodies.is_alive(unit).then(|| bodies.center(unit));
    match *stepping.asked.operation3()? {
        Operation3::Nearest { point, .. } => Some(Asked::Nearest(point)),
        Operation3::Insert { at } => Some(Asked::Comes(at)),
        Operation3::Remove { unit } => standing(unit).map(Asked::Goes),
        Operation3::Move { unit, to } => Some(match standing(unit) {
            Some(from) => Asked::Moves(from, to),
            None => Asked::Comes(to),
        }),
        _ => None,
    }
}

/// Boxes of which depths are drawn.
fn depths(app: &App) -> RangeInclusive<u16> {
    let (first, last) = app.space.depths;
    // The deepest that can be told stands for all below it.
    first..=if last == DEEPEST { u16::MAX } else { last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Change;
    use skirmish::probe::Cancel;
    use skirmish::scene::StructureChoice3;
    use skirmish::story::space::{Ground3, Stage3};
    use skirmish::volume::Kind3;

    #[test]
    fn what_a_node_has_taken_back_in_space_is_marked_no_longer_than_that_is_said() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let centers = [(10.0, 10.0), (30.0, 10.0), (10.0, 30.0)];
        let centers = centers.map(|(x, y)| Vec3::new(x, y, 10.0));
        let mut index = StructureChoice3::new(Kind3::Octree).index(field, 6.0);
        index.set_knob_text("capacity", "2").expect("a knob");
        index.rebuild(Bodies3::points(&centers), &mut ());
        // Of the three parts of a node that hold somebody one loses its unit, and then another.
        let left = Bodies3 {
            alive: &[true, false, true],
            ..Bodies3::points(&centers)
        };
        index.apply(left, &[Change::Remove(1)], &mut ());
        let stage = Stage3::new(index, Ground3::of(left), 6.0);
        let to = Vec3::splat(70.0);
        let told = stage.tell(&Operation3::Move { unit: 2, to }, 1_000, &Cancel::default());
        let reel = Reel::new(told.expect("nobody cancels").0);
        let steps = &reel.story().steps;
        let climb = steps
            .iter()
            .position(|it| matches!(it.event, Event::Climb(_)));
        let merge = steps
            .iter()
            .position(|it| matches!(it.event, Event::Merge(_)));
        let (climb, merge) = (climb.expect("a way up"), merge.expect("a merge"));
        let [part, node] = [climb, merge].map(|step| steps[step].region);
        let (part, node) = (part.expect("a leaf"), node.expect("a node"));
        let marked = |at: usize| {
            let (mut view, mut edited) = (SphereView::default(), Vec::new());
            mark(&reel, at, &mut view, &mut edited);
            let asked = [view.visited, view.pruned, view.accepted].concat();
            (asked, edited)
        };
        let is_marked = |at: usize, region: RegionId| {
            let (asked, edited) = marked(at);
            asked.contains(&region) || edited.iter().any(|it| it.0 == region)
        };
        // Where the unit leaves it it is marked, with that the node takes it back no more.
        assert!(is_marked(climb + 1, part) && part != node);
        assert!(!is_marked(merge + 1, part));
        assert!(marked(merge + 1).1.contains(&(node, Edited::Changed)));
    }

    #[test]
    fn what_is_below_a_node_that_is_split_later_is_not_there_yet() {
        let region = |id: RegionId, parent: Option<RegionId>, role: Role| Region3 {
            id,
            bounds: Aabb3::new(Vec3::ZERO, Vec3::ONE),
            depth: 0,
            load: 0,
            capacity: 1,
            role,
            parent,
        };
        let all = [
            region(0, None, Role::Inner),
            region(1, Some(0), Role::Inner),
            region(2, Some(0), Role::Leaf),
            region(3, Some(1), Role::Inner),
            region(4, Some(3), Role::Leaf),
        ];
        let shown = |later: &[RegionId]| {
            let mut regions = all.to_vec();
            leave_out_later(&mut regions, |region| later.contains(&region), |_| 2);
            let shown = regions.iter().map(|it| (it.id, it.role, it.load));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(shown(&[]).len(), all.len());
        let with_leaf = [(0, Role::Inner, 0), (1, Role::Leaf, 2), (2, Role::Leaf, 0)];
        assert_eq!(shown(&[1, 3]), with_leaf);
        assert_eq!(shown(&[3]).len(), 4);
    }
}
