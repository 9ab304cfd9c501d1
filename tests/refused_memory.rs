//! Memory that is refused: every large allocation of a load fails once, and the load ends well or in one sentence.
//!
//! The allocator of this test program refuses, on the thread that asks for it, one allocation of more than [`LARGE`]
//! bytes. Where the program under test does not ask but takes, the process is aborted, and the test with it.

use skirmish::geometry::Vec2;
use skirmish::scene::{
    Army, Formation, ObjectGroup, Path as Way, PathKind, Scene, Side, World, file,
};
use skirmish::session::file::Recording;
use skirmish::streaming::load_picture;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Display;
use std::path::Path;
use std::ptr::null_mut;

/// Above this an allocation can be refused.
const LARGE: usize = 1 << 20;

thread_local! {
    /// How many large allocations are granted before one is refused; `None` when none is.
    static GRANTED: Cell<Option<usize>> = const { Cell::new(None) };
    /// How many large allocations there were.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// The allocator of the system, which refuses what it is told to.
struct Refusing;

impl Refusing {
    fn refuses(size: usize) -> bool {
        if size <= LARGE {
            return false;
        }
        ASKED.set(ASKED.get() + 1);
        match GRANTED.get() {
            Some(0) => {
                GRANTED.set(None);
                true
            }
            Some(more) => {
                GRANTED.set(Some(more - 1));
                false
            }
            None => false,
        }
    }
}

// SAFETY: everything is the system's own doing, but for null, which says that there is no memory.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if Self::refuses(layout.size()) {
            return null_mut();
        }
        // SAFETY: what the caller promises of the layout is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: what the caller promises of the place and its layout is passed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if Self::refuses(layout.size()) {
            return null_mut();
        }
        // SAFETY: what the caller promises of the layout is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if Self::refuses(size) {
            return null_mut();
        }
        // SAFETY: what the caller promises of the place, its layout and the size is passed on.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Loads again and again, each time with another allocation refused, until nothing is left to refuse. Gives how many there
/// are.
fn refuse_each<T: PartialEq, E: Display>(what: &str, load: impl Fn() -> Result<T, E>) -> usize {
    let whole = load().unwrap_or_else(|error| panic!("{what}: {error}"));
    for granted in 0.. {
        GRANTED.set(Some(granted));
        ASKED.set(0);
        let loaded = load();
        let was_refused = GRANTED.replace(None).is_none();
        match loaded {
            Ok(loaded) => assert!(loaded == whole, "{what}: something else was loaded"),
            Err(error) => {
                let sentence = error.to_string();
                assert!(was_refused, "{what}: {sentence}");
                assert!(sentence.contains("not enough memory"), "{sentence}");
                assert!(!sentence.contains('\n'), "{sentence}");
            }
        }
        if !was_refused {
            return granted;
        }
    }
    unreachable!("there are fewer allocations than numbers")
}

fn points(count: u32) -> Vec<Vec2> {
    (0..count)
        .map(|number| Vec2::new(number as f32 / 1_024.0, -(number as f32) / 512.0))
        .collect()
}

/// A scene with a long list of everything that can be long.
fn large_scene() -> Scene {
    const UNITS: u32 = 140_000;
    let mut scene = file::built_in();
    let mut army = Army::new(Side::Blue, UNITS, Formation::Explicit(points(UNITS)));
    army.without = (0..UNITS).step_by(2).collect();
    scene.armies = vec![army];
    let object = |center: Vec2| ObjectGroup::Object {
        center,
        half_extent: Vec2::new(1.0, 1.0),
        asset: "a.png".to_owned(),
    };
    scene.world = Some(World::new(points(20_000).into_iter().map(object).collect()));
    scene
}

#[test]
fn a_scene_whose_memory_is_refused_is_a_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("scene.ron");
    file::write(&path, &large_scene()).expect("a scene");
    let count = refuse_each("a scene", || file::read(&path));
    assert!(count > 5, "only {count} large allocations");
    println!("a scene: {count} refused");
}

#[test]
fn a_path_whose_memory_is_refused_is_a_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("path.ron");
    let way = Way {
        name: "long".to_owned(),
        kind: PathKind::Recorded,
        points: points(100_000),
        velocities: points(99_999),
    };
    file::write_path(&path, &way).expect("a path");
    let count = refuse_each("a path", || file::read_path(&path));
    assert!(count > 0, "no large allocation");
    println!("a path: {count} refused");
}

#[test]
fn a_recording_whose_memory_is_refused_is_a_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("recording.ron");
    let act = skirmish::session::Act {
        at: 0,
        act: skirmish::session::Action::Restart,
        more: false,
        is_idle: false,
    };
    let mut scene = large_scene();
    scene.world = None;
    scene.armies[0].without.clear();
    let recording = Recording {
        scene,
        folder: "".into(),
        acts: vec![act; 40_000],
        hashes: (0..140_000).collect(),
        pins: Vec::new(),
    };
    recording.write(&path).expect("a recording");
    let count = refuse_each("a recording", || Recording::read(&path));
    assert!(count > 10, "only {count} large allocations");
    println!("a recording: {count} refused");
}

#[test]
fn a_picture_whose_memory_is_refused_is_a_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let load = |path: &Path| refuse_each("a picture", || load_picture(path));
    let mut seed = 1_u32;
    let noise = image::RgbaImage::from_fn(1_024, 1_024, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgba(seed.to_be_bytes())
    });
    let noise = image::DynamicImage::ImageRgba8(noise);
    let kinds = [
        noise.clone(),
        noise.to_luma8().into(),
        noise.to_rgb8().into(),
        noise.to_luma_alpha16().into(),
        noise.to_rgba16().into(),
        // As wide as pictures may be: what the decoder holds of it while it works is its longest row.
        image::DynamicImage::new_rgba16(4_096, 64),
    ];
    for picture in kinds {
        let path = folder.path().join("a.png");
        picture.save(&path).expect("a picture");
        let count = load(&path);
        assert!(count > 0, "no large allocation for {:?}", picture.color());
        println!("a picture of {:?}: {count} refused", picture.color());
    }
}
