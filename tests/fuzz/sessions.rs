//! Whole sessions: any list of actions, time that passes, and going back and forth. The same tick is always the same one, a
//! refusal changes nothing, and what was done is taken back and done again exactly.

use super::fuzz::choices::Choices;
use super::fuzz::said::assert_sentence;
use super::targets::assert_whole;
use skirmish::flight::Flight;
use skirmish::partition::Kind;
use skirmish::probe::Cancel;
use skirmish::scene::file;
use skirmish::session::file::Recording;
use skirmish::session::{
    Action, Beginning, BodySize, MotionWord, Order, Places, Point, Point3, Refusal, Session,
    Shape3, SideWord, Spread, Strewn, Timeline, Times, Units,
};
use skirmish::volume::{Kind3, Vec3};

/// The longest list that is played.
const MOST_DEEDS: usize = 50;
/// Halves of bodies, and other lengths.
const HALVES: [f32; 7] = [0.0, 0.5, 2.0, 40.0, 1.0e7, -1.0, f32::INFINITY];
/// The most ticks that are known at a time.
const MOST_TICKS: u64 = 150;

/// A battle of points; bodies of many sizes that wander; a world that streams; lanes beside each other.
const SCENES: [&str; 4] = [
    "(version: 1, field: ((0, 0), (100, 60)), structure: (kind: \"quadtree\"), armies: [
        (side: Blue, count: 40, formation: Ranks((5, 5), (35, 55)), speed: 20),
        (side: Orange, count: 40, formation: Uniform((65, 5), (95, 55)), speed: 20, reach: 4)])",
    "(version: 1, seed: 7, field: ((-50, -50), (50, 50)), structure: (kind: \"hierarchical-grid\"), lanes: [(kind: \"bvh\")],
        armies: [(side: Blue, count: 30, formation: Ring(center: (0, 0), outer: 40), order: Brawl, size: Pareto(min: 0.2, max: 20, exponent: 1.2)),
        (side: Orange, count: 30, formation: Spot(0, 0), order: March(1, 0.5), size: Between(0.1, 4))])",
    "(version: 1, field: ((0, 0), (600, 600)), structure: (kind: \"sorted-grid\"), character: (position: (300, 300), speed: 40,
        paths: [(name: \"round\", points: [(300, 300), (500, 300), (500, 500)]), (name: \"leap\", kind: Jump(0.2), points: [(100, 100), (500, 500)])]),
        armies: [(side: Blue, count: 10, formation: Line((0, 0), (100, 100)))],
        world: (need_min: 30, need_max: 60, lead: 20, margin: 10, objects: [Scatter(count: 60, area: ((0, 0), (600, 600)), size: Between(2, 8),
        assets: [\"assets/rock-1.png\", \"assets/tree-1.png\", \"assets/missing.png\"], bytes: (1000, 90000))]))",
    "(version: 1, field: ((0, 0), (100, 100)), structure: (kind: \"morton-tree\"),
        lanes: [(kind: \"sweep-and-prune\"), (kind: \"battle-line\"), (kind: \"linked-grid\")],
        armies: [(side: Blue, count: 25, formation: Spot(1, 1)), (side: Orange, count: 25, formation: Clusters(area: ((0, 0), (100, 100)), count: 3, spread: 4), speed: 300)])",
];

/// A swarm over hills under two structures; a dogfight of bodies of many sizes; one spot under all of them.
const SPACES: [&str; 3] = [
    "(version: 1, field: ((0, 0), (100, 100)), structure: (kind: \"octree\"), lanes: [(kind: \"grid-3d\")],
        volume: (heights: (0, 80), hills: (height: 20, spacing: 40), reach: 8, flocks: [
        (side: Blue, count: 40, formation: Uniform((10, 10, 30), (90, 90, 70)), motion: Flock, speed: 20)]))",
    "(version: 1, seed: 3, field: ((-50, -50), (50, 50)), structure: (kind: \"morton-3d\"),
        volume: (heights: (-10, 60), reach: 6, flocks: [
        (side: Blue, count: 30, formation: Uniform((-40, -40, 0), (0, 40, 50)), motion: Chase, size: Pareto(min: 0.2, max: 9, exponent: 1.2)),
        (side: Orange, count: 30, formation: Uniform((0, -40, 0), (40, 40, 50)), motion: Flee, size: Between(0.1, 4))]))",
    "(version: 1, field: ((0, 0), (100, 100)), structure: (kind: \"grid-3d\"), lanes: [(kind: \"octree\"), (kind: \"morton-3d\"), (kind: \"all-pairs-3d\")],
        volume: (heights: (0, 100), reach: 5, flocks: [
        (side: Blue, formation: Explicit([(1, 1, 1), (1, 1, 1), (1, 1, 1), (99, 99, 99)]), motion: Orbit)]))",
];

/// Plays the session that these bytes are.
pub fn sessions(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let scene = choices.pick(&SCENES);
    play(choices, scene, About::Units);
}

/// The same of a world whose objects are edited.
pub fn worlds(bytes: &[u8]) {
    play(Choices::new(bytes), SCENES[2], About::Objects);
}

/// The same in space.
pub fn spaces(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let scene = choices.pick(&SPACES);
    play(choices, scene, About::Space);
}

/// What half of what is done is about, or all of it in space.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Units,
    Objects,
    Space,
}

fn play(choices: Choices<'_>, scene: &str, about: About) {
    let scene = file::parse(scene.as_bytes(), "x.ron").expect("a scene");
    let (session, complaint) = Session::new(scene, &super::root().join("scenes"));
    assert_eq!(complaint, None);
    let mut play = Play {
        known: vec![session.hash()],
        choices,
        session,
        other: Vec::new(),
        about,
    };
    for _ in 0..MOST_DEEDS {
        if play.choices.are_over() {
            break;
        }
        play.deed();
    }
    play.replay();
}

struct Play<'a> {
    choices: Choices<'a>,
    session: Session,
    about: About,
    /// The fingerprint of each tick after all that was done at it.
    known: Vec<u64>,
    /// The same of the future that was put aside.
    other: Vec<u64>,
}

fn never() -> Cancel {
    Cancel::default()
}

impl Play<'_> {
    fn deed(&mut self) {
        match self.choices.below(10) {
            0..3 => self.ticks(),
            3 if self.choices.below(4) == 0 => self.turn(),
            3 => self.seek(),
            4 => self.act_and_undo(),
            5 => self.aside(),
            _ => {
                let (action, more) = (self.action(), self.choices.below(4) == 0);
                self.act(action, more);
            }
        }
        assert_whole(&self.session);
    }

    fn ticks(&mut self) {
        for _ in 0..=self.choices.below(12) {
            if self.session.tick_count() >= MOST_TICKS {
                return;
            }
            if let Err(refusal) = self.session.tick(&never(), &mut ()) {
                panic!("what was done once is refused: {refusal}");
            }
            self.compare();
        }
    }

    /// Notes the present tick, or compares it with what it was.
    fn compare(&mut self) {
        let (tick, hash) = (self.session.tick_count(), self.session.hash());
        match self.known.get(tick as usize) {
            Some(known) => assert_eq!(*known, hash, "tick {tick} is another one"),
            None => self.known.push(hash),
        }
        assert_eq!(self.known.len() as u64, self.session.timeline().end() + 1);
        assert_eq!(self.session.timeline().diverged_at(), None);
    }

    fn seek(&mut self) {
        let (end, from, hash) = (
            self.session.timeline().end(),
            self.session.tick_count(),
            self.session.hash(),
        );
        let tick = u64::from(self.choices.byte()) % (end + 3);
        let result = self.session.seek(tick, &never(), &mut ());
        assert_eq!(result.is_ok(), tick <= end, "to {tick} of {end}");
        if result.is_err() {
            assert_eq!(
                (self.session.tick_count(), self.session.hash()),
                (from, hash)
            );
        }
        self.compare();
    }

    /// Turns to the other future, where there is one: it is what it was.
    fn turn(&mut self) {
        let other = self.session.other_future();
        let turned = self.session.turn_to_other_future(&never(), &mut ());
        assert_eq!(turned.is_ok(), other.is_some());
        if let Some((at, end)) = other {
            assert_eq!(self.session.tick_count(), at);
            std::mem::swap(&mut self.known, &mut self.other);
            assert_eq!(self.session.timeline().end(), end);
        }
        self.compare();
    }

    /// Does something. Gives whether it was done.
    fn act(&mut self, action: Action, more: bool) -> bool {
        let before = self.session.hash();
        match self.session.apply(action.clone(), more, &never()) {
            Ok(cut) => {
                if cut.ticks > 0 {
                    self.other.clone_from(&self.known);
                }
                // Whatever lay ahead is put aside, unless somebody has only looked.
                let stays = self.session.timeline().end() > self.session.tick_count();
                assert!(!stays || matches!(action, Action::Beside(_)));
                if !stays {
                    self.known.truncate(self.session.tick_count() as usize);
                }
                self.compare();
                true
            }
            Err(Refusal::Sentence(sentence)) => {
                assert_sentence(&sentence);
                assert_eq!(self.session.hash(), before, "{action:?} was refused");
                self.compare();
                false
            }
            Err(Refusal::Abandoned(_)) => panic!("nobody has cancelled"),
        }
    }

    /// Does something, takes it back, and does it again.
    fn act_and_undo(&mut self) {
        let action = self.action();
        let state = |session: &Session| {
            let lanes: Vec<_> = session.lanes().iter().map(|lane| lane.choice()).collect();
            let lanes3: Vec<_> = session.lanes3().iter().map(|lane| lane.choice()).collect();
            let world = session
                .world()
                .map(|world| world.streaming().objects().to_vec());
            // A fingerprint holds no sizes.
            let sizes: Vec<Vec3> = match session.flight().map(Flight::bodies) {
                Some(bodies) => bodies.ids().map(|it| bodies.half_extent(it)).collect(),
                None => {
                    let bodies = session.battle().bodies();
                    let flat = bodies.ids().map(|it| bodies.half_extent(it));
                    flat.map(|half| half.extend(0.0)).collect()
                }
            };
            let hashes = (session.battle().hash(), session.flight().map(Flight::hash));
            (
                (hashes, sizes),
                (lanes, lanes3),
                session.scene().clone(),
                world,
            )
        };
        let (before, entry) = (state(&self.session), self.session.undo_name(false));
        if !self.act(action.clone(), false) || matches!(action, Action::Undo | Action::Redo) {
            return;
        }
        let after = state(&self.session);
        if matches!(action, Action::Beside(_)) {
            // Who only looks edits nothing.
            assert!(after.2 == before.2, "{action:?}: the scene");
            assert_eq!(self.session.undo_name(false), entry, "{action:?}: undo");
            return;
        }
        if before == after && self.session.undo_name(false) == entry {
            return;
        }
        for _ in 0..2 {
            assert!(self.act(Action::Undo, false), "{action:?} is taken back");
            let undone = state(&self.session);
            assert_eq!(undone.0, before.0, "{action:?} was taken back: the battle");
            assert_eq!(undone.1, before.1, "{action:?} was taken back: the lanes");
            assert!(undone.2 == before.2, "{action:?} was taken back: the scene");
            assert!(undone.3 == before.3, "{action:?} was taken back: the world");
            assert!(self.act(Action::Redo, false), "{action:?} is done again");
            let redone = state(&self.session);
            assert_eq!(redone.0, after.0, "{action:?} was done again: the battle");
            assert_eq!(redone.1, after.1, "{action:?} was done again: the lanes");
            assert!(redone.2 == after.2, "{action:?} was done again: the scene");
            assert!(redone.3 == after.3, "{action:?} was done again: the world");
        }
    }

    /// What changes nothing that a tick is made of.
    fn aside(&mut self) {
        let hash = self.session.hash();
        match self.choices.below(5) {
            0 => drop(self.session.pin(self.choices.below(5), Times::UNKNOWN)),
            1 => self.session.unpin(self.choices.below(4)),
            2 => {
                let bytes = self.choices.pick(&[0, 1, 100_000, Timeline::BUDGET]);
                self.session.timeline_mut().set_budget(bytes);
            }
            3 => self.session.set_threads(self.choices.below(4)),
            _ => {
                let lane = self.choices.below(self.session.lane_count());
                self.session
                    .measure_at_rest(lane, &never(), &mut ())
                    .expect("nobody has cancelled");
            }
        }
        assert_eq!(self.session.hash(), hash);
    }

    fn point(&mut self) -> Point {
        let choices = &mut self.choices;
        let mut coordinate = || match choices.below(8) {
            0..6 => choices.fraction() * 110.0 - 5.0,
            6 => choices.pick(&[0.0, 1.0e9, -1.0e9, 1.1e9, f32::NAN, f32::INFINITY, 1.0e-45]),
            _ => choices.any_float(2.0e9),
        };
        (coordinate(), coordinate())
    }

    fn side(&mut self) -> SideWord {
        self.choices.pick(&[SideWord::Blue, SideWord::Orange])
    }

    fn key(&mut self) -> String {
        let mut keys: Vec<_> = Kind::ALL.iter().map(|kind| kind.info().key).collect();
        keys.push("octagon");
        self.choices.pick(&keys).to_owned()
    }

    /// A knob of this structure, or of another one, with a value that it may take.
    fn knob(&mut self, key: &str) -> (String, String) {
        let kind = Kind::from_key(key).unwrap_or(Kind::ALL[0]);
        let knobs = kind.info().knobs;
        let name = if knobs.is_empty() || self.choices.below(8) == 0 {
            "capacity"
        } else {
            knobs[self.choices.below(knobs.len())].key
        };
        let value = self.choices.pick(&[
            "1", "2", "4", "8", "16", "0.5", "3.7", "on", "off", "rebuild", "refit", "floor",
            "truncate", "x", "-1", "1e9", "NaN", "",
        ]);
        (name.to_owned(), value.to_owned())
    }

    /// Some objects, of which a few may not exist.
    fn objects(&mut self) -> Units {
        let count = self.choices.below(7);
        let mut number = || u32::from(self.choices.byte()) % 80;
        Units::new((0..count).map(|_| number()).collect())
    }

    fn object_action(&mut self) -> Action {
        const TEXTS: [&str; 4] = [
            "(version: 1, objects: [Object((3, 4), (5, 6), \"assets/rock-2.png\"), Object((9, 4), (1, 0), \"no.png\")])",
            "(version: 1, objects: [Scatter(count: 5, area: ((0, 0), (90, 9)), size: Between(1, 2), assets: [\"assets/pond-1.png\"], bytes: (9, 900), without: [2], moved: [(4, (7, 7))])])",
            "(version: 1, objects: [])",
            "nothing of ours",
        ];
        match self.choices.below(7) {
            6 => {
                let object = u32::from(self.choices.byte() % 40);
                let size = self.choices.pick(&[0.0, 1.0, 30.0, -1.0, f32::NAN]);
                Action::ShapeObject(object, self.point(), (size, 2.0))
            }
            0 | 1 => Action::MoveObjects(self.objects(), self.point()),
            2 => Action::CopyObjects(self.objects(), self.point()),
            3 => Action::RemoveObjects(self.objects()),
            4 => Action::PasteObjects(self.choices.pick(&TEXTS).to_owned(), self.point()),
            _ => {
                let names = [
                    "assets/tree-1.png",
                    "assets/pond-1.png",
                    "no.png",
                    "../a.png",
                    "",
                ];
                let asset = self.choices.pick(&names).to_owned();
                let size = self.choices.pick(&[0.0, 1.0, 30.0, -1.0, f32::NAN]);
                Action::PlaceObject(asset, self.point(), (size, 2.0))
            }
        }
    }

    fn point3(&mut self) -> Point3 {
        let ((x, y), (z, _)) = (self.point(), self.point());
        (x, y, z)
    }

    /// Some units, of whom a few may not exist.
    fn units(&mut self) -> Units {
        let count = self.choices.below(9);
        Units::new((0..count).map(|_| u32::from(self.choices.byte())).collect())
    }

    fn key3(&mut self) -> String {
        let mut keys: Vec<_> = Kind3::ALL.iter().map(|kind| kind.info().key).collect();
        keys.push("quadtree");
        self.choices.pick(&keys).to_owned()
    }

    fn space_action(&mut self) -> Action {
        const TEXTS: [&str; 3] = [
            "(version: 1, flocks: [(side: Blue, formation: Explicit([(1, 2, 3), (3, 4, 5)]), size: Fixed(1, 2, 3))])",
            "(version: 1, units: [(side: Orange, formation: Explicit([(1, 2)]))])",
            "nothing of ours",
        ];
        let motions = [
            MotionWord::Hold,
            MotionWord::Drift,
            MotionWord::Flock,
            MotionWord::Chase,
            MotionWord::Flee,
            MotionWord::Orbit,
        ];
        let radii = [0.0, 1.0, 12.0, 1.0e9, 1.0e10, -1.0, f32::NAN];
        let counts = [0, 1, 5, 30, 2_000_001];
        match self.choices.below(22) {
            0 => Action::Structure(self.key3()),
            1 | 2 => {
                let knobs = ["cell_size", "capacity", "looseness", "max_depth", "x"];
                let values = ["1", "4", "16", "0.5", "1.7", "auto", "on", "-1", "NaN", ""];
                let (knob, value) = (self.choices.pick(&knobs), self.choices.pick(&values));
                Action::Set(knob.to_owned(), value.to_owned())
            }
            3 => Action::Defaults,
            4 => Action::Units(self.choices.pick(&[0, 1, 20, 100, 2_000_001])),
            5 => Action::Begin(self.beginning()),
            6 => Action::SwapSides,
            7 => Action::Motion(self.side(), self.choices.pick(&motions)),
            8 => Action::Reach(self.choices.pick(&[0.0, 0.5, 7.0, 100.1, f32::NAN])),
            9 | 10 => {
                let (side, at) = (self.side(), self.point3());
                Action::Spawn3(
                    side,
                    at,
                    self.choices.pick(&radii),
                    self.choices.pick(&counts),
                )
            }
            11 => Action::Erase3(self.point3(), self.choices.pick(&radii)),
            12 => {
                let units = (0..self.choices.below(6)).map(|_| u32::from(self.choices.byte()));
                Action::Remove(units.collect())
            }
            13 => {
                let count = self.choices.below(6);
                let mut place = || (u32::from(self.choices.byte()), self.point3());
                Action::Move3((0..count).map(|_| place()).collect())
            }
            14 if self.choices.flag() => self.size(),
            14 => Action::Shift3(self.units(), self.point3()),
            15 => Action::Copy3(self.units(), self.point3()),
            16 => Action::Paste3(self.choices.pick(&TEXTS).to_owned(), self.point3()),
            17 => {
                let shapes = [
                    Shape3::Ball,
                    Shape3::Shell,
                    Shape3::Cube,
                    Shape3::Disc,
                    Shape3::Line,
                ];
                let spreads = [
                    Spread::Even,
                    Spread::Random,
                    Spread::Normal,
                    Spread::Lattice,
                ];
                let strewn = Strewn {
                    shape: self.choices.pick(&shapes),
                    spread: self.choices.pick(&spreads),
                    radius: self.choices.pick(&radii),
                    count: self.choices.pick(&counts),
                    seed: u64::from(self.choices.byte()),
                    size: self.bodies(),
                };
                Action::Strew3(self.side(), self.point3(), strewn)
            }
            18 => Action::Undo,
            19 => Action::Redo,
            20 if self.choices.flag() => Action::Beside(self.key3()),
            20 => Action::AddLane(self.key3(), Vec::new()),
            _ if self.choices.flag() => {
                Action::SetLane(self.choices.below(5), self.key3(), Vec::new())
            }
            _ => Action::DropLane(self.choices.below(5)),
        }
    }

    fn size(&mut self) -> Action {
        let halves = [0.0, 0.5, 40.0, -1.0, f32::NAN];
        Action::Size(self.units(), self.choices.pick(&halves))
    }

    fn bodies(&mut self) -> Option<BodySize> {
        match self.choices.below(5) {
            0 => None,
            1 => Some(BodySize::Point),
            2 => Some(BodySize::Alike(self.choices.pick(&HALVES))),
            3 => Some(BodySize::Between(
                self.choices.pick(&HALVES),
                self.choices.pick(&HALVES),
            )),
            _ => Some(BodySize::Pareto(
                self.choices.pick(&HALVES),
                self.choices.pick(&HALVES),
                self.choices.pick(&HALVES),
            )),
        }
    }

    fn beginning(&mut self) -> Beginning {
        let length = [480.0, 1.0, 0.5, 90.0, 3.0e9, 2.0e9, f32::NAN];
        let bodies = self.bodies();
        let field = (self.choices.pick(&length), self.choices.pick(&length));
        // In space nobody keeps apart, and whoever asks for that is refused all of it.
        let keeps_apart = match self.about {
            About::Space => self.choices.below(8) == 0,
            About::Units | About::Objects => self.choices.flag(),
        };
        Beginning {
            units: self
                .choices
                .flag()
                .then(|| self.choices.pick(&[0, 1, 7, 300, u32::MAX])),
            field: self.choices.flag().then_some(field),
            bodies,
            hit_points: self
                .choices
                .flag()
                .then(|| self.choices.pick(&[0, 1, 250, u16::MAX])),
            seed: self.choices.flag().then_some(9),
            title: match self.choices.below(4) {
                0 => Some(("Another".to_owned(), String::new())),
                1 => Some(("two\nlines".to_owned(), "x".repeat(1_001))),
                _ => None,
            },
            reach: self.choices.flag().then(|| self.choices.pick(&HALVES)),
            keep_apart: keeps_apart.then(|| self.choices.pick(&HALVES)),
            sight: self.choices.flag().then(|| self.choices.pick(&HALVES)),
            speed: self.choices.flag().then(|| self.choices.pick(&HALVES)),
            places: match self.choices.below(6) {
                0 => Some(Places::Random),
                1 => Some(Places::Clusters(
                    self.choices.pick(&[0, 1, 7, u32::MAX]),
                    self.choices.pick(&HALVES),
                )),
                _ => None,
            },
        }
    }

    fn action(&mut self) -> Action {
        match self.about {
            About::Objects if self.choices.flag() => return self.object_action(),
            About::Space if self.choices.below(12) > 0 => return self.space_action(),
            _ => {}
        }
        match self.choices.below(32) {
            0 => Action::Structure(self.key()),
            1 | 2 => {
                let key = self
                    .session
                    .lanes()
                    .first()
                    .map_or("quadtree", |lane| lane.kind().info().key);
                let (knob, value) = self.knob(key);
                Action::Set(knob, value)
            }
            3 => Action::Defaults,
            4 => Action::Units(self.choices.pick(&[0, 1, 20, 100, 2_000_001, u32::MAX])),
            5 if self.choices.flag() => Action::Restart,
            5 => Action::Begin(self.beginning()),
            6 => {
                let way = self.point();
                let order = self.choices.pick(&[
                    Order::Hold,
                    Order::Charge,
                    Order::Brawl,
                    Order::March(way.0, way.1),
                ]);
                Action::Order(self.side(), order)
            }
            7 if self.choices.flag() => {
                Action::KeepApart(self.choices.pick(&[0.0, 0.25, 2.0, 50.0, 100.1, f32::NAN]))
            }
            7 => Action::Reach(self.choices.pick(&[
                0.0,
                0.5,
                1.0,
                7.0,
                100.0,
                100.1,
                -1.0,
                f32::NAN,
            ])),
            8..11 => {
                let (side, point) = (self.side(), self.point());
                let radius = self.choices.pick(&[0.0, 1.0, 10.0, 1.0e9, 1.0e10, -1.0]);
                Action::Spawn(
                    side,
                    point,
                    radius,
                    self.choices.pick(&[0, 1, 5, 30, 2_000_001]),
                )
            }
            11 | 12 => Action::Erase(
                self.point(),
                self.choices.pick(&[0.0, 5.0, 20.0, 1.0e9, -1.0, f32::NAN]),
            ),
            13 => Action::Remove(
                (0..self.choices.below(6))
                    .map(|_| u32::from(self.choices.byte()))
                    .collect(),
            ),
            14 if self.choices.flag() => self.size(),
            14 | 15 => {
                let count = self.choices.below(6);
                let mut place = || (u32::from(self.choices.byte()), self.point());
                Action::Move((0..count).map(|_| place()).collect())
            }
            16 => Action::Undo,
            17 => Action::Redo,
            18 => {
                let key = self.key();
                let knobs: Vec<_> = (0..self.choices.below(2))
                    .map(|_| self.knob(&key))
                    .collect();
                if knobs.is_empty() {
                    Action::Beside(key)
                } else {
                    Action::AddLane(key, knobs)
                }
            }
            19 => {
                let (lane, key) = (self.choices.below(5), self.key());
                let knobs = (0..self.choices.below(2))
                    .map(|_| self.knob(&key))
                    .collect();
                Action::SetLane(lane, key, knobs)
            }
            20 => Action::DropLane(self.choices.below(5)),
            21 => Action::Teleport(self.point()),
            22 => Action::Lead(self.point()),
            23 => Action::LetGo,
            24 => {
                let (x, y) = self.point();
                Action::Walk(x, y)
            }
            25 => Action::Follow(
                self.choices
                    .pick(&["round", "leap", "nowhere", "path 1"])
                    .to_owned(),
            ),
            26 => Action::Stand,
            27 => Action::Speed(
                self.choices
                    .pick(&[1.0e-30, 1.0, 40.0, 100_000.0, 0.0, f32::NAN]),
            ),
            28 => {
                let key = self.choices.pick(&[
                    "lead",
                    "margin",
                    "need_min",
                    "need_max",
                    "need_factor",
                    "mbps",
                    "latency_ms",
                    "index",
                    "memory_cap",
                    "predict_seconds",
                    "x",
                ]);
                let value = self.choices.pick(&[
                    "0",
                    "1",
                    "60",
                    "1e9",
                    "dual",
                    "brute-force",
                    "two-trees",
                    "-1",
                    "NaN",
                    "",
                ]);
                Action::Tune(key.to_owned(), value.to_owned())
            }
            29 if self.choices.flag() => Action::TuneDefaults,
            29 => Action::CountAnew,
            30 => Action::RecordPath,
            _ => Action::KeepPath,
        }
    }

    /// The scene can be saved. The recording of all that is read as it was written, and leads through the same ticks.
    fn replay(&mut self) {
        let scene = self.session.scene();
        let text = file::format(scene);
        let saved = file::parse(text.as_bytes(), "x.ron").expect("a scene can be saved");
        assert!(saved == **scene, "{text} is another scene");
        let recording = self.session.recording();
        let text = recording.format();
        let read = Recording::parse(text.as_bytes(), "x.ron").expect("what was done is read");
        assert!(read == recording, "{text} is another recording");
        let (mut session, complaint) =
            Session::of_recording(read).expect("what was done is done again");
        assert_eq!(complaint, None);
        for (tick, known) in self.known.iter().enumerate() {
            if tick > 0 {
                session
                    .tick(&never(), &mut ())
                    .expect("what was done is done again");
            }
            assert_eq!(session.hash(), *known, "tick {tick} of the recording");
        }
        assert_eq!(session.timeline().diverged_at(), None);
    }
}
