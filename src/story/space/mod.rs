//! The same in space: an operation on a structure of the third dimension, told event by event with its reasons.
//!
//! The events are those of the very traversal that is counted and timed; the reasons are read off the operation, the units and the
//! structure's own boxes, before the edit and after it. On a page of the tree a box stands for what it covers of the ground.

mod homes;
mod operation;
mod reasons;
mod turns;

pub use operation::{Ground3, Operation3};
pub use reasons::apart;

use super::atlas::census;
use super::moments::in_order;
use super::told::Note;
use super::turns::Lookers;
use super::{Answer, Atlas, Heard, Identity, InTurn, Place, Step, Story, narrow, region_of};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{COORDINATE_LIMIT, Joining, Region, RegionId, Shape, UnitId};
use crate::probe::{Abandoned, Cancel, Counter, Listening, Trace};
use crate::volume::{Aabb3, AnyPartition3, Bodies3, Region3, RegionQuery3, Segment3, Vec3};
use homes::Homes;
use reasons::Teller;
use std::collections::HashMap;
use std::sync::Arc;
use turns::{Told, Turns};

/// Every box of a structure at one moment.
type Boxes = HashMap<RegionId, Region3>;

/// Every box of a structure before an operation, and after it if that may have changed them.
#[derive(Clone, Debug, Default)]
pub struct Rooms {
    before: Boxes,
    after: Option<Boxes>,
}

impl Rooms {
    /// The boxes once so many steps of a story have happened.
    pub fn at(&self, story: &Story, at: usize) -> &Boxes {
        let after = self.after.as_ref().filter(|_| story.is_after(at));
        after.unwrap_or(&self.before)
    }

    /// The box that a step of a story names, as it is at the moment by which that is told.
    pub fn of(&self, story: &Story, step: &Step) -> Option<&Region3> {
        let is_after = step.place.is_some_and(|it| story.identities[it].is_after);
        let after = self.after.as_ref().filter(|_| is_after);
        after.unwrap_or(&self.before).get(&step.region?)
    }
}

/// A structure in space, the units that it holds and the boxes that it shows, at one moment.
#[derive(Clone, Debug)]
pub struct Stage3 {
    index: AnyPartition3,
    ground: Ground3,
    reach: f32,
}

impl Stage3 {
    /// The moment of an index that is up to date with `ground`. Pairs without a reach of their own will be asked for up to
    /// `reach`, in metres.
    pub fn new(index: AnyPartition3, ground: Ground3, reach: f32) -> Self {
        Self {
            index,
            ground,
            reach,
        }
    }

    /// The units.
    pub fn ground(&self) -> &Ground3 {
        &self.ground
    }

    /// The story in which nothing happens: the structure as it stands.
    pub fn still(&self, cancel: &Cancel) -> Result<Story, Abandoned> {
        let (atlas, _) = atlas_of(&self.index, self.ground.bodies(), false, cancel)?;
        Ok(Story {
            steps: Vec::new(),
            places: Vec::new(),
            identities: Vec::new(),
            names: Vec::new(),
            newcomer: None,
            turn: 0,
            answer: Answer::Units(Vec::new()),
            reaches: Vec::new(),
            stays: Vec::new(),
            looked: HashMap::new(),
            counters: Counter::default(),
            left_out: 0,
            before: Arc::new(atlas),
            after: None,
        })
    }

    /// Carries an operation out on a copy, and tells what happened; the first `cap` events are kept. Gives all boxes as well.
    ///
    /// The operation has to be one that [`Operation3::check`] lets pass.
    pub fn tell(
        &self,
        operation: &Operation3,
        cap: usize,
        cancel: &Cancel,
    ) -> Result<(Story, Rooms), Abandoned> {
        let (mut index, mut ground) = (self.index.clone(), self.ground.clone());
        let is_edit = operation.is_edit();
        let (before, old) = atlas_of(&index, ground.bodies(), is_edit, cancel)?;
        let truth = self.ground.bodies();
        let mut probe = (Trace::with_cap(cap), Counter::default());
        let answer = Cancel::attempt(|| {
            let mut probe = Listening::new(&mut probe, cancel);
            operation.perform(&mut index, &mut ground, self.reach, &mut probe)
        })?;
        let (trace, counters) = probe;
        let mut rooms = Rooms {
            before: old,
            after: None,
        };
        let after = if is_edit {
            let (atlas, new) = atlas_of(&index, ground.bodies(), true, cancel)?;
            rooms.after = Some(new);
            Some((atlas, operation.unit(truth)))
        } else {
            None
        };
        let ordered = after
            .as_ref()
            .map(|(after, unit)| in_order(&before, after, *unit, trace.events()));
        let events = ordered.as_deref().unwrap_or(trace.events());
        let heard = Heard {
            notes: events
                .iter()
                .map(|event| Note {
                    event: *event,
                    region: region_of(*event),
                })
                .collect(),
            counters,
            left_out: trace.dropped(),
            answer,
        };
        let mut teller = Teller::new(operation, self.reach, truth, ground.bodies(), &rooms.before);
        if let Some((after, unit)) = &after {
            // What would be joined may lie behind the cut.
            let joining = match trace.dropped() {
                0 => index.kind().joining(),
                _ => Joining::Never,
            };
            teller.homes = Homes::of((&before, after), *unit, events, joining);
        }
        let mut told = match operation {
            Operation3::Pairs { .. } => Turns {
                atlas: &before,
                boxes: &rooms.before,
                bodies: truth,
                reach: teller.reach(),
                events,
                lookers: Lookers(trace.lookers()),
                is_whole: trace.dropped() == 0,
            }
            .tell(cancel)?,
            _ => Vec::new(),
        };
        let mut reaches = Vec::new();
        let reason = |at: usize, place: Option<&Place>| {
            let in_turn = told.get_mut(at).and_then(|it| it.reason.take());
            let reason = in_turn.unwrap_or_else(|| teller.reason(events[at], place));
            narrow(&mut reaches, at + 1, teller.bound());
            reason
        };
        let mut story = heard.told(before, after, reason, cancel)?;
        story.reaches = reaches;
        story.stays = teller.stays;
        give_turns(&mut story, &told);
        Ok((story, rooms))
    }
}

impl Place {
    /// The box in space of a region that has heights.
    pub fn room(&self) -> Option<Aabb3> {
        let ([low, high], Aabb { min, max }) = (self.heights?, self.bounds);
        Some(Aabb3::new(min.extend(low), max.extend(high)))
    }
}

/// Writes into the steps of a search for pairs in whose turn each of them happens.
fn give_turns(story: &mut Story, told: &[Told]) {
    let numbers = story.places.iter().enumerate();
    let mut numbers: HashMap<RegionId, usize> =
        numbers.map(|(number, it)| (it.region, number)).collect();
    let mut run = None;
    for (step, told) in story.steps.iter_mut().zip(told) {
        let place = told.turn.and_then(|turn| story.before.place(turn));
        step.turn = place.map(|place| {
            *numbers.entry(place.region).or_insert_with(|| {
                // Who is never come to is in no event, and has a turn all the same.
                let thing = story.places.len();
                story.identities.push(Identity {
                    thing,
                    is_after: false,
                    is_same: true,
                });
                story.places.push(place.clone());
                thing
            })
        });
        step.in_turn = InTurn::of(step.turn, told.begins, &mut run);
    }
}

/// The regions of a structure, as a story keeps them and as they are drawn. It is found out who is in which where they are to be
/// known again after an edit.
fn atlas_of(
    index: &AnyPartition3,
    bodies: Bodies3<'_>,
    with_units: bool,
    cancel: &Cancel,
) -> Result<(Atlas, Boxes), Abandoned> {
    cancel.check()?;
    let mut boxes = Boxes::new();
    let mut regions = Vec::new();
    index.regions(RegionQuery3::ALL, &mut |region| {
        boxes.insert(region.id, region);
        let Aabb3 { min, max } = region.bounds;
        regions.push((flat(region), [min.z, max.z]));
    });
    cancel.check()?;
    let everybody = Segment3 {
        from: Vec3::ZERO,
        to: Vec3::ZERO,
        half_width: 4.0 * COORDINATE_LIMIT,
    };
    let found = match with_units {
        true => census(cancel, |probe| {
            index.segment(bodies, everybody, probe, |_| {});
        })?,
        false => Vec::new(),
    };
    let body = |unit: UnitId| footprint(bodies.aabb(unit));
    let mut atlas = Atlas::of_space(&regions, bodies.count() as u64, &found, &body);
    atlas.call_cells(cancel, |region, say| index.facts(bodies, region, say))?;
    Ok((atlas, boxes))
}

/// What a box covers of the ground.
fn footprint(area: Aabb3) -> Aabb {
    Aabb::new(
        Vec2::new(area.min.x, area.min.y),
        Vec2::new(area.max.x, area.max.y),
    )
}

fn flat(region: Region3) -> Region<'static> {
    Region {
        id: region.id,
        shape: Shape::Rect(footprint(region.bounds)),
        depth: region.depth,
        load: region.load,
        capacity: region.capacity,
        role: region.role,
        parent: region.parent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Patient;
    use crate::scene::StructureChoice3;
    use crate::volume::{Kind3, Vec3};
    use std::collections::HashSet;

    /// A crowd in a cube, the same each time.
    fn ground() -> Ground3 {
        let mut stream = crate::chance::Stream::new(5);
        let mut number = || stream.between(0.0, 100.0);
        let centers: Vec<Vec3> = (0..400)
            .map(|_| Vec3::new(number(), number(), number()))
            .collect();
        Ground3::of(Bodies3::points(&centers))
    }

    fn stage(kind: Kind3) -> Stage3 {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let ground = ground();
        let mut index = StructureChoice3::new(kind).index(field, 6.0);
        index.rebuild(ground.bodies(), &mut ());
        Stage3::new(index, ground, 6.0)
    }

    fn operations() -> [Operation3; 9] {
        let middle = Vec3::splat(50.0);
        [
            Operation3::Sphere {
                center: middle,
                radius: 20.0,
            },
            Operation3::Range(Aabb3::new(Vec3::splat(10.0), Vec3::splat(45.0))),
            Operation3::Nearest {
                point: middle,
                count: 8,
            },
            Operation3::Segment {
                from: Vec3::ZERO,
                to: Vec3::splat(100.0),
            },
            Operation3::Pairs { reach: None },
            Operation3::Insert { at: middle },
            Operation3::Remove { unit: 7 },
            Operation3::Move {
                unit: 7,
                to: Vec3::splat(2.0),
            },
            Operation3::Rebuild,
        ]
    }

    #[test]
    fn of_who_comes_it_is_said_where_it_is_kept() {
        for key in ["octree", "grid-3d", "morton-3d"] {
            let all = Kind3::ALL.iter();
            let kind = all.copied().find(|kind| kind.info().key == key);
            let stage = stage(kind.expect(key));
            let at = Vec3::new(40.0, 41.0, 42.0);
            let told = stage.tell(&Operation3::Insert { at }, 1_000, &Cancel::default());
            let (story, _) = told.expect("nobody cancels");
            let added = story.steps.iter().find(|step| step.kind() == "added");
            let sentence = &added.expect(key).reason;
            let after = story.after.as_ref().expect("an edit");
            let named = after.places().iter().find(|place| {
                let name = place.name();
                let is_now = format!(", and is kept in {name} when all is done");
                let will_be = format!(" It will be kept in {name}, a part of ");
                sentence.contains(&is_now) || sentence.contains(&will_be)
            });
            let home = named.unwrap_or_else(|| panic!("{key}: {sentence}"));
            let [low, high] = home.heights.expect("a box in space");
            let is_in = home.bounds.contains(Vec2::new(at.x, at.y)) && low <= at.z && at.z <= high;
            assert!(is_in, "{key}: {sentence} {home:?}");
        }
    }

    /// What is said of the step of upkeep of an edit, and what that leads from and to.
    fn told_of(stage: &Stage3, operation: &Operation3) -> (String, [Option<String>; 2]) {
        let told = stage.tell(operation, 1_000_000, &Cancel::default());
        let (story, _) = told.expect("nobody cancels");
        let unit = operation.unit(stage.ground.bodies()).expect("an edit");
        let home = |atlas: &Atlas| atlas.home(unit).map(Place::name);
        let homes = [home(&story.before), story.after.as_ref().and_then(home)];
        let mut steps = story.steps.iter();
        let step = steps.find(|step| {
            use crate::probe::{Event, Work};
            matches!(
                step.event,
                Event::Work(Work::Add | Work::Remove | Work::MoveRelink)
            )
        });
        (step.expect("it is kept elsewhere").reason.clone(), homes)
    }

    #[test]
    fn of_who_goes_and_who_moves_it_is_said_what_that_was_kept_in() {
        for key in ["octree", "grid-3d", "morton-3d"] {
            let all = Kind3::ALL.iter();
            let kind = all.copied().find(|kind| kind.info().key == key);
            let stage = stage(kind.expect(key));
            let (said, [was, _]) = told_of(&stage, &Operation3::Remove { unit: 7 });
            let was = was.expect(key);
            let begin = format!("Unit 7 goes, from {was} at (");
            assert!(said.starts_with(&begin), "{key}: {said}");
            assert!(said.contains(&format!(" left. {}", crate::story::words::capital(&was))));
            // Into the corner that is farther away.
            let at = stage.ground.bodies().center(7);
            let to = Vec3::splat(if at.x < 50.0 { 98.0 } else { 2.0 });
            let (said, [was, is]) = told_of(&stage, &Operation3::Move { unit: 7, to });
            let (was, is) = (was.expect(key), is.expect(key));
            let ways = format!("does not belong to {was} any more: it goes to {is}. ");
            assert!(was != is && said.contains(&ways), "{key}: {said}");
        }
    }

    #[test]
    fn of_leaves_that_come_and_go_it_is_said_what_was_split_and_what_was_joined() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let at = |x: f32, y: f32| Vec3::new(x, y, 10.0);
        let ground = Ground3::of(Bodies3::points(&[at(10.0, 10.0), at(30.0, 10.0)]));
        let mut index = StructureChoice3::new(Kind3::Octree).index(field, 6.0);
        index.set_knob_text("capacity", "2").expect("a knob");
        index.rebuild(ground.bodies(), &mut ());
        let mut stage = Stage3::new(index, ground, 6.0);
        let third = Operation3::Insert { at: at(10.0, 30.0) };
        let (said, [_, is]) = told_of(&stage, &third);
        let is = is.expect("a leaf");
        let begin = format!("3 units are there in all. It will be kept in {is}, a part of node ");
        assert!(said.contains(&begin), "{said}");
        let told = stage.tell(&third, 1_000, &Cancel::default());
        let (story, _) = told.expect("nobody cancels");
        let last = story.steps.iter().rposition(|step| step.kind() == "split");
        let last = last.expect("a split") + 1;
        assert!(
            said.ends_with(&format!(", which is split in step {last}.")),
            "{said}"
        );
        for operation in [third, Operation3::Remove { unit: 0 }] {
            let (index, ground) = (&mut stage.index, &mut stage.ground);
            operation.perform(index, ground, 6.0, &mut ());
        }
        let (said, [was, _]) = told_of(&stage, &Operation3::Remove { unit: 1 });
        let was = crate::story::words::capital(&was.expect("a leaf"));
        let gone = format!("{was} is gone: leaf 0 has taken its parts back, and holds 1 unit now.");
        assert!(said.ends_with(&gone), "{said}");
    }

    #[test]
    fn who_is_among_the_nearest_so_far_is_known_at_each_step() {
        use crate::story::{Reel, Standing};
        let stage = stage(Kind3::Octree);
        let point = Vec3::splat(50.0);
        let nearest = Operation3::Nearest { point, count: 3 };
        let told = stage.tell(&nearest, 1_000_000, &Cancel::default());
        let reel = Reel::new(told.expect("nobody cancels").0);
        let bodies = stage.ground.bodies();
        let away = |unit: UnitId| bodies.aabb(unit).distance_sq(point);
        let mut tested: Vec<UnitId> = Vec::new();
        for (at, step) in reel.story().steps.iter().enumerate() {
            if let crate::probe::Event::Test(unit) = step.event {
                tested.push(unit);
                tested.sort_by(|a, b| away(*a).total_cmp(&away(*b)));
            }
            let is_over = reel.story().steps[..=at]
                .iter()
                .any(|it| it.kind() == "hit");
            if is_over {
                break;
            }
            for (rank, unit) in tested.iter().enumerate() {
                let stands = match rank {
                    0..3 => Standing::Nearest,
                    _ => Standing::Tested,
                };
                assert_eq!(reel.standing(*unit, at + 1), stands, "{at}: {unit}");
            }
        }
        assert!(tested.len() > 3, "some are too far");
    }

    #[test]
    fn who_comes_upon_somebody_is_said_to() {
        let stage = stage(Kind3::Octree);
        let at = stage.ground.bodies().center(7);
        let (said, _) = told_of(&stage, &Operation3::Insert { at });
        assert!(said.contains("), where unit 7 stands"), "{said}");
    }

    #[test]
    fn every_event_of_every_operation_has_a_sentence_with_a_number() {
        for &kind in Kind3::ALL {
            let stage = stage(kind);
            for operation in operations() {
                let told = stage.tell(&operation, 1_000_000, &Cancel::default());
                let (story, _) = told.expect("nobody cancels");
                for step in &story.steps {
                    let reason = &step.reason;
                    let has_number = reason.chars().any(|letter| letter.is_ascii_digit());
                    let is_sentence =
                        reason.starts_with(char::is_uppercase) && reason.ends_with('.');
                    assert!(has_number && is_sentence, "{kind:?}, {operation}: {reason}");
                }
            }
        }
    }

    #[test]
    fn what_is_told_is_what_is_counted_and_found() {
        for &kind in Kind3::ALL {
            let stage = stage(kind);
            for operation in operations() {
                let told = stage.tell(&operation, 1_000_000, &Cancel::default());
                let (story, _) = told.expect("nobody cancels");
                let never = Cancel::default();
                let mut counting = Patient::new(Counter::default(), &never);
                let (mut index, mut ground) = (stage.index.clone(), stage.ground.clone());
                let answer = operation.perform(&mut index, &mut ground, stage.reach, &mut counting);
                let counter = counting.probe;
                assert_eq!(story.answer, answer, "{kind:?}, {operation}");
                let count = |word: &str| {
                    let steps = story.steps.iter();
                    steps.filter(|step| step.kind() == word).count() as u64
                };
                assert_eq!(count("visit"), counter.visits, "{kind:?}, {operation}");
                assert_eq!(count("prune"), counter.prunes, "{kind:?}, {operation}");
                let tests = count("test") + count("test pair");
                assert_eq!(tests, counter.tests, "{kind:?}, {operation}");
                assert_eq!(count("split"), counter.splits, "{kind:?}, {operation}");
            }
        }
    }

    /// A number that an edit uses again must not bring the box of another region with it.
    #[test]
    fn a_step_of_an_edit_is_told_and_drawn_by_the_regions_of_one_moment() {
        for &kind in Kind3::ALL {
            let mut stage = stage(kind);
            // Small leaves, so that edits change the tree.
            match kind.info().key {
                "octree" => stage.index.set_knob_text("capacity", "2").expect("a knob"),
                "morton-3d" => stage.index.set_knob_text("bucket", "2").expect("a knob"),
                _ => {}
            }
            stage.index.rebuild(stage.ground.bodies(), &mut ());
            let mut stream = crate::chance::Stream::new(11);
            let (mut told, mut others) = (0, 0);
            for turn in 0..60 {
                let mut number = || stream.between(0.0, 100.0);
                let to = Vec3::new(number(), number(), number());
                let unit = turn * 5;
                let operation = match turn % 6 {
                    0 => Operation3::Insert { at: to },
                    1 => Operation3::Remove { unit },
                    2 if turn < 30 => Operation3::Rebuild,
                    _ => Operation3::Move { unit, to },
                };
                if operation.check(stage.ground.bodies()).is_err() {
                    continue;
                }
                let (story, rooms) = stage
                    .tell(&operation, 1_000_000, &Cancel::default())
                    .expect("nobody cancels");
                for (at, step) in story.steps.iter().enumerate() {
                    let line = format!("{kind:?}, {operation}, {at}: {step:?}");
                    let Some(place) = story.place(step) else {
                        continue;
                    };
                    told += 1;
                    let shown = story.atlas(at + 1).place(place.region);
                    assert!(shown.is_none_or(|shown| shown == place), "{line}");
                    assert_eq!(step.region, Some(place.region), "{line}");
                    let drawn = rooms.of(&story, step).expect(&line).bounds;
                    assert_eq!(place.room(), Some(drawn), "{line}");
                    let heights = [drawn.min.z, drawn.max.z];
                    assert_eq!(Some(heights), place.heights, "{line}");
                    assert_eq!(footprint(drawn), place.bounds, "{line}");
                    let name = place.name();
                    assert!(step.reason.to_lowercase().contains(&name), "{line}");
                    let before = story.before.place(place.region);
                    others += u32::from(before.is_some_and(|before| before != place));
                }
                let (index, ground) = (&mut stage.index, &mut stage.ground);
                operation.perform(index, ground, 6.0, &mut ());
            }
            let is_tree = matches!(kind.info().key, "octree" | "morton-3d");
            assert!(
                !is_tree || told > 50 && others > 10,
                "{kind:?}: {told} {others}"
            );
        }
    }

    #[test]
    fn who_is_in_a_box_is_known_before_and_after_an_edit() {
        for &kind in Kind3::ALL {
            let stage = stage(kind);
            let operation = Operation3::Move {
                unit: 7,
                to: Vec3::splat(2.0),
            };
            let told = stage.tell(&operation, 1_000_000, &Cancel::default());
            let (story, _) = told.expect("nobody cancels");
            for at in [0, story.steps.len()] {
                let atlas = story.atlas(at);
                for place in atlas.places() {
                    assert_eq!(
                        place.units().len(),
                        place.load as usize,
                        "{kind:?}: {place:?}"
                    );
                }
                let is_known = (0..400).all(|unit| atlas.home(unit).is_some());
                assert!(is_known || atlas.places().is_empty(), "{kind:?}");
            }
        }
    }

    #[test]
    fn no_sentence_says_what_is_not_so() {
        let stage = stage(Kind3::Octree);
        let operation = operations()[0];
        let told = stage.tell(&operation, 1_000_000, &Cancel::default());
        let (story, _) = told.expect("nobody cancels");
        let Answer::Units(found) = &story.answer else {
            panic!("a ball finds units");
        };
        let found: HashSet<UnitId> = found.iter().copied().collect();
        for step in &story.steps {
            if let crate::probe::Event::Test(unit) = step.event {
                let says_found = step.reason.contains(" away, within ");
                assert_eq!(says_found, found.contains(&unit), "{}", step.reason);
            }
            if let (crate::probe::Event::Visit(_), Some(place)) = (step.event, story.place(step)) {
                // Who is in a node itself is not below it.
                let says_own = step.reason.contains("its own ");
                let has_own = place.is_inner() && place.load > 0;
                assert_eq!(says_own, has_own, "{}", step.reason);
            }
        }
    }

    #[test]
    fn an_empty_octant_is_left_out_in_the_words_of_an_empty_quarter() {
        // Two heaps in opposite corners: six of eight octants are empty.
        let centers = [1.0, 99.0].map(|at| [Vec3::splat(at); 40]).concat();
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let ground = Ground3::of(Bodies3::points(&centers));
        let mut index = StructureChoice3::new(Kind3::Octree).index(field, 6.0);
        index.set_knob_text("max_depth", "1").expect("a knob");
        index.rebuild(ground.bodies(), &mut ());
        let stage = Stage3::new(index, ground, 6.0);
        let middle = Vec3::splat(50.0);
        let (ball, all) = ("the ball", Aabb3::new(Vec3::ZERO, Vec3::splat(60.0)));
        let sphere = Operation3::Sphere {
            center: middle,
            radius: 20.0,
        };
        for (operation, what) in [
            (sphere, ball),
            (Operation3::Range(all), "the box that is asked about"),
        ] {
            let told = stage.tell(&operation, 1_000, &Cancel::default());
            let (story, _) = told.expect("nobody cancels");
            let sentence =
                format!("Its box comes to {what}, but it holds 0 units: it is left out.");
            let steps = story.steps.iter();
            let empty = steps.filter(|step| step.reason == sentence && step.kind() == "prune");
            assert_eq!(empty.count(), 6, "{operation}");
        }
    }

    #[test]
    fn operations_are_read_as_they_are_written_and_refused_in_a_sentence() {
        for operation in operations() {
            let text = operation.to_string();
            assert_eq!(Operation3::read(&text), Ok(operation), "{text}");
        }
        for (text, words) in [
            ("disc 1,2,3", "in space it must be one of sphere"),
            (
                "sphere 1,2,3",
                "it must be 'sphere x,y,z,r' (found 3 values)",
            ),
            ("sphere 1,2,3,-4", "r must be a number"),
            ("nearest 1,2,3,0", "k must be a whole number"),
            ("insert 1,2,x", "z must be a number"),
        ] {
            let refused = Operation3::read(text).unwrap_err().to_string();
            assert!(refused.contains(words), "{refused}");
        }
        let nobody = Operation3::Remove { unit: 4_000 };
        assert!(nobody.check(ground().bodies()).is_err());
    }
}
