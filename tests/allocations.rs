//! A battle that goes on takes no memory: after its first steps neither a query nor an update asks the allocator for anything.

use skirmish::battle::{Battle, Phase, Stopwatch};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Kind};
use skirmish::scene::{Army, Formation, Order, Scene, Side, file};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// How often this thread asked for memory.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// The allocator of the system, which counts.
struct Counting;

// SAFETY: everything is the system's own doing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: what the caller promises of the layout is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: what the caller promises of the place and its layout is passed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: what the caller promises of the place, its layout and the size is passed on.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often memory was asked for in each phase.
#[derive(Default)]
struct Asked([usize; Phase::ALL.len()]);

impl Stopwatch for Asked {
    fn lap(&mut self, phase: Phase) {
        self.0[phase as usize] += ASKED.replace(0);
    }
}

/// Two armies that wander among each other, one unit on 9 m².
fn crowd(count: u32) -> Scene {
    let mut scene = file::built_in();
    let side = (count as f32 * 9.0).sqrt();
    scene.field = Aabb::new(Vec2::ZERO, Vec2::splat(side));
    scene.armies = [Side::Blue, Side::Orange]
        .map(|side| {
            let mut army = Army::new(side, count / 2, Formation::Uniform(scene.field));
            army.order = Order::Brawl;
            army
        })
        .into();
    scene
}

/// What was asked for in `counted` steps after `before` others, in each phase.
fn asked_by(kind: Kind, count: u32, before: u32, counted: u32) -> Asked {
    let scene = crowd(count);
    let mut battle = Battle::new(&scene);
    let mut index = AnyPartition::new(kind, scene.field);
    ASKED.set(0);
    index.rebuild(battle.bodies(), &mut ());
    let mut asked = Asked::default();
    asked.lap(Phase::Update);
    assert!(
        asked.0[Phase::Update as usize] > 0 || kind.info().key == "all-pairs",
        "a building that is counted"
    );
    for step in 0..before + counted {
        if step == before {
            asked = Asked::default();
        }
        ASKED.set(0);
        battle.step(&index, 1, &mut (), &mut asked);
        index.apply(battle.bodies(), battle.changes(), &mut ());
        asked.lap(Phase::Update);
    }
    asked
}

#[test]
fn a_hundred_thousand_units_that_wander_ask_for_no_memory() {
    for &kind in Kind::ALL {
        let key = kind.info().key;
        // All pairs of a hundred thousand take a minute a step; a thousand show the same.
        let count = if key == "all-pairs" { 1_000 } else { 100_000 };
        let Asked(asked) = asked_by(kind, count, 6, 6);
        println!("{key}: {asked:?}");
        assert_eq!(asked, [0; Phase::ALL.len()], "{key}: {:?}", Phase::ALL);
    }
}
