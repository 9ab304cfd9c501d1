//! Breakpoints: time stops by itself when something happens that somebody waits for.
//!
//! They look at what a tick has left behind and change nothing; no recording holds them. One that waits for a limit to be passed
//! stops at the tick that passes it, and again when it is passed again; if it is passed already when somebody begins to wait, at the
//! next tick.

use super::{Cost, Flash, MarkKind, Session};
use crate::battle::Difference;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{AnyPartition, Bodies, Fact, RegionId, RegionQuery, Shape, UnitId, called};
use crate::probe::{Cancel, Counter, Event, Listening, Trace};
use crate::story::words::with_commas;
use crate::volume::{Aabb3, AnyPartition3, Bodies3, RegionQuery3, Vec3};
use std::collections::HashSet;

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopWhen {
    /// A region of the first lane is split.
    Split,
    /// A region of the first lane takes back what is below it.
    Merge,
    /// A region of the first lane holds more units than this.
    Crowded(u32),
    /// A tick of the first lane makes more tests than this.
    Tests(u64),
    /// This unit is held by another region of the first lane.
    Leaves(UnitId),
    /// An object is needed and not there.
    Late,
    /// This one is.
    LateObject {
        /// Which, by the number that it had when somebody began to wait,
        object: u32,
        /// which was one of this numbering: objects that are taken away or added give others other numbers.
        numbering: u32,
    },
    /// A lane gives another answer than the first one.
    Differs,
    /// So many ticks have gone by since the scene began, or began again: two runs of the same length can be compared.
    Elapsed(u64),
}

/// Why time has stopped, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// What somebody waited for.
    pub when: StopWhen,
    /// The ticks since the beginning.
    pub tick: u64,
    /// The region of the first lane that it is about, if it is about one.
    pub region: Option<RegionId>,
    /// Where it is.
    pub area: Option<Place>,
    /// The object that it is about, if it is about one.
    pub object: Option<u32>,
    /// The same in a sentence.
    pub words: String,
}

/// What is known of one of them from the tick before.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    /// Nothing: nobody waited then.
    Nothing,
    /// The regions that held too many.
    Crowded(HashSet<RegionId>),
    /// Whether there were too many tests.
    Tests(bool),
    /// The region that held the unit, and what it was called then: numbers of cells move.
    Held(Option<(RegionId, String)>),
    /// How many lanes differed.
    Differ(usize),
}

/// All that somebody waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    list: Vec<(StopWhen, Known)>,
    /// Of which tick and of how many actions that is known.
    known_at: (u64, usize),
}

/// A place on a plane or in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// On a plane.
    Plane(Aabb),
    /// In space.
    Space(Aabb3),
}

/// What is looked at of the first lane and of what it follows, on a plane or in space.
trait Watched {
    /// Says each region that overlaps a unit's middle, or all of them, with its load and its box.
    fn each(&self, at: Option<UnitId>, visit: &mut dyn FnMut(RegionId, u32, Place));

    /// What a search of the very place of a unit does, if it is alive.
    fn trace(&self, unit: UnitId) -> Option<Trace>;

    /// A unit on the field, with some room around it.
    fn around_unit(&self, unit: UnitId) -> Option<Place>;

    /// Says what is known of a region.
    fn facts(&self, region: RegionId, say: &mut dyn FnMut(Fact));

    /// What a region is called: a cell by its column and row, as everywhere else.
    fn name(&self, region: RegionId) -> String {
        let mut facts = Vec::new();
        self.facts(region, &mut |fact| facts.push(fact));
        let (called, number) = (called(region, &facts), region.to_string());
        match called == number {
            true => format!("region {number}"),
            false => format!("cell {called}"),
        }
    }
}

/// How much is around a unit that is shown, in metres.
const ROOM: f32 = 4.0;

/// A battle under its first lane.
struct OnPlane<'a>(&'a AnyPartition, Bodies<'a>);

impl Watched for OnPlane<'_> {
    fn each(&self, at: Option<UnitId>, visit: &mut dyn FnMut(RegionId, u32, Place)) {
        let area = match at {
            Some(unit) => Aabb::new(self.1.center(unit), self.1.center(unit)),
            None => Aabb::EVERYTHING,
        };
        let query = RegionQuery {
            area,
            min_size: 0.0,
        };
        self.0.regions(query, &mut |region| {
            let bounds = match region.shape {
                Shape::Rect(bounds) => bounds,
                Shape::Convex(corners) => Aabb::of_points(corners.iter().copied()),
                Shape::Line(from, to) => Aabb::of_points([from, to]),
            };
            visit(region.id, region.load, Place::Plane(bounds));
        });
    }

    fn trace(&self, unit: UnitId) -> Option<Trace> {
        let center = self.1.is_alive(unit).then(|| self.1.center(unit))?;
        Some(heard(|probe, nobody| {
            self.0.radius(self.1, center, 0.0, probe, nobody);
        }))
    }

    fn around_unit(&self, unit: UnitId) -> Option<Place> {
        let alive = self.1.is_alive(unit);
        let area = alive.then(|| self.1.aabb(unit))?;
        Some(Place::Plane(area.grown(Vec2::splat(ROOM))))
    }

    fn facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.0.facts(self.1, region, say);
    }
}

/// Every event of a question whose answer is not asked for.
fn heard(ask: impl FnOnce(&mut Listening<'_>, &mut dyn FnMut(UnitId))) -> Trace {
    let mut heard = (Trace::with_cap(usize::MAX), Counter::default());
    let never = Cancel::default();
    ask(&mut Listening::new(&mut heard, &never), &mut |_| {});
    heard.0
}

/// A flight under its first lane.
struct InSpace<'a>(&'a AnyPartition3, Bodies3<'a>);

impl Watched for InSpace<'_> {
    fn each(&self, at: Option<UnitId>, visit: &mut dyn FnMut(RegionId, u32, Place)) {
        let area = match at {
            Some(unit) => Aabb3::point(self.1.center(unit)),
            None => Aabb3::EVERYTHING,
        };
        let query = RegionQuery3 {
            area,
            min_size: 0.0,
        };
        self.0.regions(query, &mut |region| {
            visit(region.id, region.load, Place::Space(region.bounds));
        });
    }

    fn trace(&self, unit: UnitId) -> Option<Trace> {
        let center = self.1.is_alive(unit).then(|| self.1.center(unit))?;
        Some(heard(|probe, nobody| {
            self.0.sphere(self.1, center, 0.0, probe, nobody);
        }))
    }

    fn around_unit(&self, unit: UnitId) -> Option<Place> {
        let alive = self.1.is_alive(unit);
        let area = alive.then(|| self.1.aabb(unit))?;
        Some(Place::Space(area.grown(Vec3::splat(ROOM))))
    }

    fn facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.0.facts(self.1, region, say);
    }
}

/// Where a region is.
fn area_of(watched: &dyn Watched, region: RegionId) -> Option<Place> {
    let mut found = None;
    watched.each(None, &mut |id, _, bounds| {
        if id == region {
            found = Some(bounds);
        }
    });
    found
}

/// The region that holds a unit: the one that a search entered before it tested the unit, and of several the one around it.
fn holder(watched: &dyn Watched, unit: UnitId) -> Option<RegionId> {
    let trace = watched.trace(unit)?;
    let events = trace.events();
    let tested = events.iter().position(
        |event| matches!(*event, Event::Test(other) | Event::Hit(other) if other == unit),
    )?;
    let entered: Vec<RegionId> = events[..tested]
        .iter()
        .rev()
        .skip_while(|event| !matches!(event, Event::Visit(_) | Event::Accept(_)))
        .map_while(|event| match *event {
            Event::Visit(region) | Event::Accept(region) => Some(region),
            _ => None,
        })
        .collect();
    if entered.len() < 2 {
        return entered.first().copied();
    }
    let mut around = HashSet::new();
    watched.each(Some(unit), &mut |id, _, _| {
        around.insert(id);
    });
    let inside = entered.iter().find(|region| around.contains(region));
    inside.or(entered.first()).copied()
}

impl Session {
    /// What time is to stop for from now on. What was waited for before goes on being so.
    pub fn set_stops(&mut self, stops: &[StopWhen]) {
        let mut before = std::mem::take(&mut self.stops.list);
        self.stops.list = stops
            .iter()
            .map(|when| {
                let same = before.iter().position(|(other, _)| other == when);
                same.map_or((*when, Known::Nothing), |place| before.swap_remove(place))
            })
            .collect();
    }

    /// What time is to stop for.
    pub fn stops(&self) -> impl Iterator<Item = StopWhen> {
        self.stops.list.iter().map(|(when, _)| *when)
    }

    /// Takes down how things stand before a tick, where that is not known from the tick before.
    pub(super) fn prime_stops(&mut self) {
        let now = (self.tick, self.timeline.done());
        if self.stops.list.is_empty() || self.stops.known_at == now {
            return;
        }
        let mut list = std::mem::take(&mut self.stops.list);
        for (when, known) in &mut list {
            if *known != Known::Nothing {
                *known = self.known(*when);
            }
        }
        self.stops.list = list;
    }

    /// Looks at what a tick has left behind: the first of what somebody waited for, in the order of their list. It leaves a mark.
    /// `late` is how many objects were late in the tick.
    pub(super) fn look_for_stops(&mut self, late: u64) -> Option<Stopped> {
        if self.stops.list.is_empty() {
            return None;
        }
        let mut first = None;
        let mut list = std::mem::take(&mut self.stops.list);
        for (when, known) in &mut list {
            let now = self.known(*when);
            let before = std::mem::replace(known, now);
            if first.is_none() {
                first = self.stop(*when, &before, known, late);
            }
        }
        self.stops.list = list;
        self.stops.known_at = (self.tick, self.timeline.done());
        if let Some(stopped) = &first {
            let words = stopped.words.as_str().into();
            self.timeline.note_stop(self.tick, MarkKind::Stop(words));
        }
        first
    }

    /// What is looked at of the first lane, and the tick of what it follows.
    fn watched(&self) -> (Box<dyn Watched + '_>, &'static str, &[Flash], u64) {
        match (&self.flight, self.lanes3.first()) {
            (Some(flight), Some(lane)) => (
                Box::new(InSpace(lane.index(), flight.bodies())),
                lane.index().info().name,
                &lane.flashes.recent,
                flight.tick(),
            ),
            _ => {
                let lane = &self.lanes[0];
                (
                    Box::new(OnPlane(lane.index(), self.battle.bodies())),
                    lane.index().info().name,
                    &lane.flashes.recent,
                    self.battle.tick(),
                )
            }
        }
    }

    /// What the last tick cost the first lane.
    fn lead_cost(&self) -> Cost {
        self.standing(0).map_or(Cost::default(), |lane| lane.cost)
    }

    /// Every lane's first answer that differed.
    fn differences(&self) -> impl Iterator<Item = Option<Difference>> {
        (0..self.lane_count()).map(|place| self.standing(place)?.difference)
    }

    /// How things stand for one of them.
    fn known(&self, when: StopWhen) -> Known {
        match when {
            StopWhen::Crowded(most) => {
                let mut crowded = HashSet::new();
                self.watched().0.each(None, &mut |id, load, _| {
                    if load > most {
                        crowded.insert(id);
                    }
                });
                Known::Crowded(crowded)
            }
            StopWhen::Tests(most) => Known::Tests(self.lead_cost().query.tests > most),
            StopWhen::Leaves(unit) => {
                let watched = self.watched().0;
                let held = holder(&*watched, unit);
                Known::Held(held.map(|region| (region, watched.name(region))))
            }
            StopWhen::Split
            | StopWhen::Merge
            | StopWhen::Late
            | StopWhen::LateObject { .. }
            | StopWhen::Differs
            | StopWhen::Elapsed(_) => Known::Differ(self.differences().flatten().count()),
        }
    }

    /// Whether one of them has happened in this tick.
    fn stop(&self, when: StopWhen, before: &Known, now: &Known, late: u64) -> Option<Stopped> {
        let (watched, name, flashes, tick) = self.watched();
        let cost = self.lead_cost();
        let stopped = |region: Option<RegionId>, area: Option<Place>, words: String| Stopped {
            when,
            tick: self.tick,
            region,
            area,
            object: None,
            words: format!("Tick {}: {words}", with_commas(self.tick)),
        };
        let in_region = |region: RegionId, words: String| {
            Some(stopped(Some(region), area_of(&*watched, region), words))
        };
        match (when, before, now) {
            (StopWhen::Elapsed(ticks), ..) => {
                let count = with_commas(ticks);
                // A restart counts anew.
                let from = if tick == self.tick {
                    "start"
                } else {
                    "restart"
                };
                let words = format!("{count} ticks have gone by since the {from}.");
                (tick == ticks).then(|| stopped(None, None, words))
            }
            (StopWhen::Split | StopWhen::Merge, ..) => {
                let split = when == StopWhen::Split;
                let mut here = flashes.iter().filter(|it| it.tick == tick);
                let count = if split {
                    cost.update.splits
                } else {
                    cost.update.merges
                };
                let word = if split { "was split" } else { "was merged" };
                let more = match count {
                    0 | 1 => String::new(),
                    count => format!(", the first of {count}"),
                };
                match here.find(|it| it.split == split) {
                    Some(flash) => {
                        let region = flash.region;
                        in_region(
                            region,
                            format!("{} of the {name} {word}{more}.", watched.name(region)),
                        )
                    }
                    None if count > 0 => Some(stopped(
                        None,
                        None,
                        format!("a region of the {name} {word}{more}."),
                    )),
                    None => None,
                }
            }
            (StopWhen::Crowded(most), before, Known::Crowded(now)) => {
                let is_new = |region: &&RegionId| match before {
                    Known::Crowded(before) => !before.contains(*region),
                    _ => true,
                };
                let region = *now.iter().filter(is_new).min()?;
                let mut load = 0;
                watched.each(None, &mut |id, of, _| {
                    if id == region {
                        load = of;
                    }
                });
                let held = watched.name(region);
                let words = format!("{held} of the {name} holds {load} units, more than {most}.");
                in_region(region, words)
            }
            (StopWhen::Tests(most), before, Known::Tests(true)) => {
                let tests = cost.query.tests;
                let [tests, most] = [tests, most].map(with_commas);
                let words = format!("the {name} made {tests} tests, more than {most}.");
                (*before != Known::Tests(true)).then(|| stopped(None, None, words))
            }
            (StopWhen::Leaves(unit), Known::Held(from), Known::Held(to))
                if from.as_ref().map(|it| &it.1) != to.as_ref().map(|it| &it.1) =>
            {
                let area = watched.around_unit(unit);
                let words = match (from, to) {
                    (_, None) => format!("unit {unit} has fallen."),
                    (None, Some((_, to))) => format!("unit {unit} has come, into {to}."),
                    (Some((_, from)), Some((_, to))) => {
                        format!("unit {unit} has gone from {from} to {to} of the {name}.")
                    }
                };
                let to = to.as_ref().map(|it| it.0);
                let area = to.and_then(|to| area_of(&*watched, to)).or(area);
                Some(stopped(to, area, words))
            }
            (StopWhen::Late, ..) if late > 0 => {
                let world = self.world.as_ref()?;
                let object = world.streaming().late_now();
                let name = object.map(|object| world.streaming().called(object));
                let count = with_commas(late);
                let words = match name {
                    Some(name) if late == 1 => format!("{name} is needed and not there."),
                    Some(name) => {
                        format!("{count} objects are needed and not there, {name} among them.")
                    }
                    None => format!("{count} objects are needed and not there."),
                };
                let area = object.map(|it| Place::Plane(world.body(it)));
                Some(Stopped {
                    object,
                    ..stopped(None, area, words)
                })
            }
            (StopWhen::LateObject { object, numbering }, ..) if late > 0 => {
                let world = self.world.as_ref()?;
                let streaming = world.streaming();
                let object = streaming.renumberings().now_of_known(object, numbering)?;
                let is_late = streaming.all_late_now().any(|it| it == object);
                let words = || format!("{} is needed and not there.", streaming.called(object));
                is_late.then(|| Stopped {
                    object: Some(object),
                    ..stopped(None, Some(Place::Plane(world.body(object))), words())
                })
            }
            (StopWhen::Differs, before, Known::Differ(now)) => {
                let known = match before {
                    Known::Differ(before) => *before,
                    _ => 0,
                };
                if *now <= known {
                    return None;
                }
                let mut lanes = self.differences().enumerate();
                let (place, difference) = lanes.find(|(_, difference)| {
                    let at = difference.map(|it| it.tick());
                    known == 0 && at.is_some() || at == Some(tick)
                })?;
                let difference = difference?;
                let area = difference.unit();
                let area = area.and_then(|unit| watched.around_unit(unit));
                let words = format!("lane {} differs: {difference}", place + 1);
                Some(stopped(None, area, words))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Cancel;
    use crate::scene::file;
    use std::path::Path;

    fn session(scene: &str) -> Session {
        let path = format!("{}/scenes/{scene}.ron", env!("CARGO_MANIFEST_DIR"));
        let path = Path::new(&path);
        let scene = file::read(path).expect("a scene that ships");
        Session::new(scene, path.parent().expect("a folder")).0
    }

    /// Runs until it stops.
    fn run(session: &mut Session, most: u64) -> Option<Stopped> {
        for _ in 0..most {
            let stopped = session.tick_until_stop(&Cancel::default(), &mut ());
            if let Some(stopped) = stopped.expect("nobody cancels") {
                return Some(stopped);
            }
        }
        None
    }

    /// The words of the last mark, which lies at this tick.
    fn mark_at(session: &Session, tick: u64) -> String {
        let marks = session.timeline().marks().list();
        let mark = marks.iter().rfind(|mark| mark.tick == tick);
        match mark.map(|mark| &mark.kind) {
            Some(MarkKind::Stop(words)) => words.to_string(),
            other => panic!("no mark of a stop at tick {tick}: {other:?}"),
        }
    }

    #[test]
    fn a_split_and_a_merge_stop_where_they_happen_and_leave_marks() {
        for (when, word) in [(StopWhen::Split, "split"), (StopWhen::Merge, "merged")] {
            let mut session = session("skirmish");
            let cancel = Cancel::default();
            let structure = super::super::Action::Structure("quadtree".to_owned());
            session.apply(structure, false, &cancel).expect("it is one");
            session.set_stops(&[when]);
            let stopped = run(&mut session, 600).expect("the armies move");
            assert_eq!((stopped.when, stopped.tick), (when, session.tick_count()));
            let update = session.lanes()[0].cost.update;
            let count = if when == StopWhen::Split {
                update.splits
            } else {
                update.merges
            };
            assert!(
                count > 0 && stopped.words.contains(word),
                "{}",
                stopped.words
            );
            assert!(stopped.region.is_some());
            assert_eq!(mark_at(&session, stopped.tick), stopped.words);
            if when == StopWhen::Split {
                assert!(stopped.area.is_some(), "{stopped:?}");
            }
        }
    }

    #[test]
    fn a_limit_stops_at_the_tick_that_passes_it_and_not_at_the_next() {
        let mut free = session("skirmish");
        let mut tests = Vec::new();
        for _ in 0..400 {
            free.tick(&Cancel::default(), &mut ()).expect("a tick");
            tests.push(free.lanes()[0].cost.query.tests);
        }
        let limit = tests.iter().copied().max().expect("ticks") * 9 / 10;
        let passes: Vec<u64> = (0..tests.len())
            .filter(|tick| tests[*tick] > limit && (*tick == 0 || tests[*tick - 1] <= limit))
            .map(|tick| tick as u64 + 1)
            .collect();
        let mut session = session("skirmish");
        session.set_stops(&[StopWhen::Tests(limit)]);
        for tick in passes {
            let stopped = run(&mut session, 400).expect("it is passed");
            assert_eq!(stopped.tick, tick);
            let tests = session.lanes()[0].cost.query.tests;
            assert!(
                stopped
                    .words
                    .contains(&format!("{} tests", with_commas(tests)))
            );
        }
    }

    #[test]
    fn so_many_ticks_after_the_start_time_stops_and_after_a_restart_again() {
        let mut session = session("skirmish");
        session.set_stops(&[StopWhen::Elapsed(30)]);
        let stopped = run(&mut session, 100).expect("they go by");
        assert_eq!(stopped.tick, 30);
        let words = "30 ticks have gone by since the";
        assert!(stopped.words.ends_with(&format!("{words} start.")));
        let restart = super::super::Action::Restart;
        let cancel = Cancel::default();
        session.apply(restart, false, &cancel).expect("it is one");
        let before = session.tick_count();
        let stopped = run(&mut session, 100).expect("they go by");
        assert_eq!(stopped.tick, before + 30);
        assert!(stopped.words.ends_with(&format!("{words} restart.")));
    }

    #[test]
    fn a_region_that_is_too_full_is_named_with_its_load() {
        let mut session = session("skirmish");
        let grid = super::super::Action::Structure("linked-grid".to_owned());
        let cancel = Cancel::default();
        session.apply(grid, false, &cancel).expect("it is one");
        // Fuller than any cell is at first.
        let mut full = 0;
        session.watched().0.each(None, &mut |_, load, _| {
            full = full.max(load);
        });
        session.set_stops(&[StopWhen::Crowded(full)]);
        let stopped = run(&mut session, 900).expect("they meet");
        let region = stopped.region.expect("a region");
        let mut load = 0;
        session.watched().0.each(None, &mut |id, of, bounds| {
            if id == region {
                load = of;
                assert_eq!(stopped.area, Some(bounds));
            }
        });
        assert!(load > full && stopped.words.contains(&format!("holds {load} units")));
        // By its column and row, which lie in its box.
        let Some(Place::Plane(cell)) = stopped.area else {
            panic!("{stopped:?}");
        };
        let size = cell.size();
        let of = |at: f32, size: f32| (at / size).round() as i64;
        let (column, row) = (of(cell.min.x, size.x), of(cell.min.y, size.y));
        let named = format!("cell {column}, {row} of the linked grid");
        assert!(stopped.words.contains(&named), "{}", stopped.words);
        // Who is waited for anew stops at the next tick, for it is so.
        session.set_stops(&[StopWhen::Crowded(0)]);
        let again = run(&mut session, 1).expect("it still is");
        assert_eq!(again.tick, stopped.tick + 1);
    }

    #[test]
    fn a_unit_stops_time_when_another_region_holds_it() {
        for structure in ["linked-grid", "quadtree", "kd-tree", "sorted-grid"] {
            let mut session = session("skirmish");
            let cancel = Cancel::default();
            let structure = super::super::Action::Structure(structure.to_owned());
            session.apply(structure, false, &cancel).expect("it is one");
            session.set_stops(&[StopWhen::Leaves(70)]);
            let stopped = run(&mut session, 900).expect("it walks");
            let held = holder(&*session.watched().0, 70);
            assert_eq!(stopped.region, held);
            assert!(stopped.words.contains("unit 70"), "{}", stopped.words);
        }
    }

    #[test]
    fn a_late_object_stops_time_and_is_named() {
        let mut session = session("open-world");
        session.set_stops(&[StopWhen::Late]);
        let cancel = Cancel::default();
        let speed = super::super::Action::Speed(60.0);
        session.apply(speed, false, &cancel).expect("a speed");
        let follow = super::super::Action::Follow("ride".to_owned());
        session.apply(follow, false, &cancel).expect("a path");
        let stopped = run(&mut session, 6000).expect("the disk is slow");
        assert!(stopped.area.is_some(), "{stopped:?}");
        let late = session.world().expect("a world").streaming().late_now();
        let object = late.expect("an object");
        assert_eq!(stopped.object, Some(object));
        let name = session.world().expect("a world").streaming().called(object);
        assert!(stopped.words.contains(&name), "{}", stopped.words);
        assert_eq!(mark_at(&session, stopped.tick), stopped.words);
    }

    #[test]
    fn one_object_that_is_late_stops_time_and_no_other_does() {
        let ride = || {
            let mut session = session("open-world");
            let cancel = Cancel::default();
            for action in [
                super::super::Action::Speed(60.0),
                super::super::Action::Follow("ride".to_owned()),
            ] {
                session.apply(action, false, &cancel).expect("it is one");
            }
            session
        };
        // The second that comes late on the way.
        let mut first = ride();
        first.set_stops(&[StopWhen::Late]);
        let early = run(&mut first, 6000).expect("the disk is slow").object;
        let later = loop {
            let stopped = run(&mut first, 6000).expect("it stays so");
            if stopped.object != early {
                break stopped;
            }
        };
        let object = later.object.expect("an object");
        let mut alone = ride();
        let numbering = 0;
        alone.set_stops(&[StopWhen::LateObject { object, numbering }]);
        let stopped = run(&mut alone, 6000).expect("it is late");
        assert_eq!(stopped.object, Some(object));
        assert!(stopped.tick <= later.tick);
        let streaming = alone.world().expect("a world").streaming();
        assert!(streaming.all_late_now().any(|it| it == object));
        let name = streaming.called(object);
        assert!(stopped.words.contains(&name), "{}", stopped.words);
    }

    #[test]
    fn a_lane_that_differs_stops_time_and_is_named() {
        let mut session = session("compare");
        session.set_stops(&[StopWhen::Differs]);
        assert_eq!(run(&mut session, 20), None);
        // A structure that has lost somebody answers differently.
        let bodies = session.battle().bodies();
        let unit = bodies.ids().next().expect("somebody");
        let index = session.lanes[1].index_mut();
        let mut none = ();
        let gone = [crate::partition::Change::Remove(unit)];
        let battle = session.battle.clone();
        index.apply(battle.bodies(), &gone, &mut none);
        let stopped = run(&mut session, 900).expect("it answers of him");
        assert!(
            stopped.words.contains("lane 2 differs"),
            "{}",
            stopped.words
        );
        assert!(stopped.area.is_some());
        assert_eq!(mark_at(&session, stopped.tick), stopped.words);
    }

    #[test]
    fn going_over_the_same_ticks_again_makes_no_second_mark() {
        let mut session = session("skirmish");
        session.set_stops(&[StopWhen::Tests(10)]);
        let first = run(&mut session, 400).expect("there are tests");
        session.seek(0, &Cancel::default(), &mut ()).expect("back");
        let again = run(&mut session, 400).expect("they come again");
        assert_eq!(first, again);
        let marks = session.timeline().marks().list();
        let stops = marks
            .iter()
            .filter(|it| matches!(it.kind, MarkKind::Stop(_)));
        assert_eq!(stops.count(), 1);
    }

    #[test]
    fn time_stops_in_space_as_it_does_on_a_plane() {
        for (when, word) in [
            (StopWhen::Split, "split"),
            (StopWhen::Merge, "merged"),
            (StopWhen::Tests(10), "tests, more than 10"),
            (StopWhen::Crowded(12), "units, more than 12"),
            (StopWhen::Leaves(70), "unit 70"),
        ] {
            let mut session = session("swarm");
            session.set_stops(&[when]);
            let stopped = run(&mut session, 600).expect("they fly");
            assert_eq!((stopped.when, stopped.tick), (when, session.tick_count()));
            assert!(stopped.words.contains(word), "{}", stopped.words);
            assert_eq!(mark_at(&session, stopped.tick), stopped.words);
            if matches!(when, StopWhen::Split | StopWhen::Leaves(_)) {
                let area = stopped.area.expect("a place");
                assert!(matches!(area, Place::Space(_)), "{area:?}");
            }
        }
    }
}
