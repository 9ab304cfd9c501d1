//! Objects that are moved, taken away and added while a world streams: the trees still decide as brute force does, the books are
//! in order after every edit, and what is taken back is as it was.

use proptest::prelude::*;
use skirmish::geometry::Vec2;
use skirmish::streaming::{
    Index, Newcomer, ObjectsEdit, Settings, SimulatedLoader, State, Streaming, WorldObject,
};
use std::path::PathBuf;

const ASSETS: u32 = 4;

/// What happens to a world.
#[derive(Clone, Debug)]
enum Step {
    /// So many frames pass, on the way to a point at so many metres a frame.
    Walk(u8, Vec2, f32),
    /// Every so-manieth object from one on is moved.
    Put(usize, usize, Vec2),
    /// The same, taken away.
    Take(usize, usize),
    /// Objects are added in front of every so-manieth.
    Add(usize, Vec<Newcomer>),
    /// The last edit is taken back, or done again.
    TakeBack,
}

fn point() -> impl Strategy<Value = Vec2> {
    (-150.0..150.0_f32, -150.0..150.0_f32).prop_map(Vec2::from)
}

fn newcomer() -> impl Strategy<Value = Newcomer> {
    (
        point(),
        0.0..20.0_f32,
        0.0..20.0_f32,
        1_000..60_000_u64,
        0..ASSETS,
    )
        .prop_map(|(center, x, y, bytes, asset)| Newcomer {
            metadata: WorldObject {
                center,
                half_extent: Vec2::new(x, y),
                bytes,
                asset,
            },
            is_picture: false,
        })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..40_u8, point(), 0.5..30.0_f32).prop_map(|(frames, to, speed)| Step::Walk(frames, to, speed)),
        2 => (0..5_usize, 1..7_usize, point()).prop_map(|(first, every, way)| Step::Put(first, every, way)),
        2 => (0..5_usize, 1..7_usize).prop_map(|(first, every)| Step::Take(first, every)),
        2 => (1..5_usize, prop::collection::vec(newcomer(), 0..12)).prop_map(|(every, list)| Step::Add(every, list)),
        1 => Just(Step::TakeBack),
    ]
}

struct Run {
    streaming: Streaming<SimulatedLoader>,
    now: f64,
    position: Vec2,
}

impl Run {
    fn new(objects: Vec<WorldObject>, index: Index, memory_cap: u64) -> Self {
        let settings = Settings {
            index,
            memory_cap,
            need_factor: 2.0,
            need_min: 10.0,
            need_max: 40.0,
            lead: 20.0,
            margin: 10.0,
            mbps: 2.0,
            latency_ms: 30.0,
            unloads_per_update: 1,
            ..Settings::default()
        };
        let assets = (0..ASSETS).map(|asset| PathBuf::from(format!("{asset}.png")));
        let mut loader = SimulatedLoader::default();
        loader.set_missing(3, true);
        let mut streaming = Streaming::new(objects, assets, settings, loader);
        streaming.check_decisions(true);
        Self {
            streaming,
            now: 0.0,
            position: Vec2::ZERO,
        }
    }

    fn frame(&mut self, velocity: Vec2) {
        self.now += 1.0 / 60.0;
        self.position += velocity / 60.0;
        self.streaming.update(self.now, self.position, velocity);
        assert_eq!(self.streaming.statistics().mismatches, 0);
        while let Some(upload) = self.streaming.next_upload() {
            self.streaming.uploaded(upload.object);
        }
        while let Some(object) = self.streaming.next_unload() {
            self.streaming.unloaded(object);
        }
    }

    /// Every so-manieth object from `first` on.
    fn chosen(&self, first: usize, every: usize) -> Vec<u32> {
        let count = self.streaming.objects().len() as u32;
        (0..count).skip(first).step_by(every).collect()
    }

    /// Edits, and checks that taking it back and doing it again changes no object.
    fn edit(&mut self, edit: &ObjectsEdit) -> ObjectsEdit {
        let before = self.streaming.objects().to_vec();
        let inverse = self.streaming.edit(edit);
        self.streaming.validate().unwrap();
        let after = self.streaming.objects().to_vec();
        let again = self.streaming.edit(&inverse);
        self.streaming.validate().unwrap();
        assert_eq!(self.streaming.objects(), before);
        let inverse = self.streaming.edit(&again);
        self.streaming.validate().unwrap();
        assert_eq!(self.streaming.objects(), after);
        inverse
    }

    fn go(&mut self, steps: &[Step]) {
        let mut last = None;
        for step in steps {
            let edit = match step {
                Step::Walk(frames, to, speed) => {
                    for _ in 0..*frames {
                        let way = (*to - self.position).clamp_length_max(*speed);
                        self.frame(way * 60.0);
                    }
                    self.streaming.validate().unwrap();
                    continue;
                }
                Step::Put(first, every, way) => {
                    let objects = self.streaming.objects();
                    let chosen = self.chosen(*first, *every).into_iter();
                    ObjectsEdit::Put(
                        chosen
                            .map(|it| (it, objects[it as usize].center + *way))
                            .collect(),
                    )
                }
                Step::Take(first, every) => ObjectsEdit::Take(self.chosen(*first, *every)),
                Step::Add(every, list) => {
                    // In front of each so-manieth, and the rest behind all.
                    let count = self.streaming.objects().len();
                    let numbers = (0..).map(|place| (place * every).min(count + place) as u32);
                    ObjectsEdit::Add(numbers.zip(list.iter().copied()).collect())
                }
                Step::TakeBack => match last.take() {
                    Some(inverse) => inverse,
                    None => continue,
                },
            };
            last = Some(self.edit(&edit));
        }
    }

    /// Stands still until nothing is on its way but what cannot be had.
    fn settle(&mut self) {
        for _ in 0..6_000 {
            self.frame(Vec2::ZERO);
            let amounts = self.streaming.amounts();
            let is_pending = [
                State::Queued,
                State::Loading,
                State::Decoded,
                State::Unloading,
            ]
            .iter()
            .any(|state| amounts.counts[*state as usize] > 0);
            if !is_pending && amounts.requests_in_flight == 0 {
                break;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    #[test]
    fn edits_between_ticks_leave_the_trees_right_and_the_books_in_order(
        objects in prop::collection::vec(newcomer(), 0..60),
        index in prop::sample::select(Index::ALL.to_vec()),
        memory_cap in prop_oneof![Just(1_u64 << 30), Just(300_000)],
        steps in prop::collection::vec(step(), 1..24),
    ) {
        let objects = objects.into_iter().map(|one| one.metadata).collect();
        let mut run = Run::new(objects, index, memory_cap);
        run.go(&steps);
        run.settle();
        run.streaming.validate().unwrap();
        if memory_cap > 300_000 {
            // Who lies within its load rectangle is there, or cannot be had; who is there lies within its unload rectangle.
            for (number, state) in (0..).zip(run.streaming.states()) {
                let rectangles = run.streaming.object(number).rectangles();
                if rectangles.load.contains(run.position) {
                    prop_assert!(matches!(state, State::Resident | State::Failed | State::Queued | State::Loading));
                }
                if *state == State::Resident {
                    prop_assert!(rectangles.unload.contains(run.position));
                }
            }
        }
    }
}

fn house(x: f32, asset: u32) -> WorldObject {
    WorldObject {
        center: Vec2::new(x, 0.0),
        half_extent: Vec2::splat(2.0),
        bytes: 10_000,
        asset,
    }
}

#[test]
fn who_stays_keeps_its_state_and_its_history_under_its_new_number() {
    let mut run = Run::new(
        vec![house(0.0, 0), house(5.0, 1), house(9.0, 2)],
        Index::TwoTrees,
        1 << 30,
    );
    run.settle();
    assert_eq!(run.streaming.states(), [State::Resident; 3]);
    let history: Vec<_> = run.streaming.object(2).history().map(|it| it.to).collect();
    let add = run.streaming.edit(&ObjectsEdit::Take(vec![0, 1]));
    assert_eq!(run.streaming.states(), [State::Resident]);
    let after: Vec<_> = run.streaming.object(0).history().map(|it| it.to).collect();
    assert_eq!(after, history);
    run.streaming.edit(&add);
    assert_eq!(
        run.streaming.states(),
        [State::Unloaded, State::Unloaded, State::Resident]
    );
    run.settle();
    assert_eq!(run.streaming.states(), [State::Resident; 3]);
}

#[test]
fn a_request_for_who_was_taken_away_is_answered_for_nobody_and_wasted() {
    let mut run = Run::new(vec![house(0.0, 0), house(5.0, 1)], Index::TwoTrees, 1 << 30);
    run.frame(Vec2::ZERO);
    run.frame(Vec2::ZERO);
    assert_eq!(run.streaming.states(), [State::Loading; 2]);
    run.streaming.edit(&ObjectsEdit::Take(vec![0]));
    assert_eq!(run.streaming.statistics().cancelled, 1);
    assert_eq!(run.streaming.amounts().requests_in_flight, 2);
    // The second one, which is the first now, is asked for no second time.
    run.settle();
    let sums = run.streaming.statistics();
    assert_eq!((sums.queued, sums.loaded, sums.cancelled), (2, 1, 1));
    assert_eq!(run.streaming.states(), [State::Resident]);
    assert_eq!(run.streaming.amounts().requests_in_flight, 0);
    run.streaming.validate().unwrap();
}

#[test]
fn who_is_put_elsewhere_is_decided_anew_by_the_next_update() {
    let mut run = Run::new(vec![house(0.0, 0), house(900.0, 1)], Index::Dual, 1 << 30);
    run.settle();
    assert_eq!(run.streaming.states(), [State::Resident, State::Unloaded]);
    let far = Vec2::new(900.0, 0.0);
    run.streaming
        .edit(&ObjectsEdit::Put(vec![(0, far), (1, Vec2::ZERO)]));
    assert_eq!(run.streaming.states(), [State::Resident, State::Unloaded]);
    run.frame(Vec2::ZERO);
    assert_ne!(run.streaming.states()[0], State::Resident);
    assert_ne!(run.streaming.states()[1], State::Unloaded);
    run.settle();
    assert_eq!(run.streaming.states(), [State::Unloaded, State::Resident]);
    // Nobody could have known that it would be needed.
    assert_eq!(run.streaming.statistics().late_loads, 0);
}
