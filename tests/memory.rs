//! What is held is what takes memory: pictures count four bytes a pixel, once however many objects show them, on their way and
//! there, and the memory cap holds for all of it.

use skirmish::geometry::Vec2;
use skirmish::scene::{Scene, file};
use skirmish::streaming::{
    Settings, SimulatedLoader, State, TextureJob, Tour, pictures_beyond_the_cap,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// What one picture with this side takes while it is on its way: its pixels, and the copy of it that is shown.
fn on_its_way(side: u64) -> u64 {
    side * side * 4 + 128 * 128 * 4
}

fn paint(folder: &Path, name: &str, side: u32, shade: u8) {
    let picture = image::RgbaImage::from_pixel(side, side, image::Rgba([shade, shade, 0, 255]));
    picture.save(folder.join(name)).unwrap();
}

/// So many objects around the character, all of which it needs, that show these pictures in turn.
fn scene(objects: usize, assets: &[String], memory_cap: u64) -> Scene {
    let object = |number: usize| {
        let (x, y) = (number % 20, number / 20);
        let asset = &assets[number % assets.len()];
        format!("Object(({x}.0, {y}.0), (0.5, 0.5), \"{asset}\")")
    };
    let objects: Vec<String> = (0..objects).map(object).collect();
    let text = format!(
        r#"(version: 1, name: "pictures", field: ((0.0, 0.0), (100.0, 100.0)), seed: 7,
        structure: (kind: "quadtree"),
        character: (position: (10.0, 10.0), speed: 6.0, paths: [
            (name: "to and fro", points: [(10.0, 10.0), (400.0, 10.0)])]),
        world: (need_factor: 4.0, need_min: 60.0, need_max: 150.0, lead: 60.0, margin: 30.0,
            budgets: (requests_in_flight: 256, memory_cap: {memory_cap}),
            objects: [{}]))"#,
        objects.join(", ")
    );
    file::parse(text.as_bytes(), "pictures.ron").unwrap()
}

fn settings(scene: &Scene) -> Settings {
    Settings {
        mbps: 0.0,
        latency_ms: 0.0,
        ..Settings::of_world(scene.world.as_ref().unwrap())
    }
}

fn tour(scene: &Scene, folder: &Path) -> Tour {
    Tour::of_scene(scene, folder, Some(settings(scene)))
        .unwrap()
        .unwrap()
}

/// The most memory that this process ever had, in bytes.
#[cfg(target_os = "linux")]
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.unwrap().parse::<u64>().unwrap() * 1024
}

#[test]
fn one_picture_that_four_hundred_objects_show_is_held_once() {
    let folder = tempfile::tempdir().unwrap();
    paint(folder.path(), "large.png", 4_096, 90);
    let scene = scene(400, &["large.png".to_owned()], 512 << 20);
    let mut tour = tour(&scene, folder.path());
    let mut jobs = Vec::new();
    while tour.resident_ids().len() < 400 {
        tour.tick();
        tour.take_texture_jobs(&mut jobs);
        tour.streaming().validate().unwrap();
        assert!(tour.ticks() < 1_000);
    }
    let sums = tour.streaming().statistics();
    assert_eq!(sums.peak_held_bytes, on_its_way(4_096));
    assert_eq!(sums.peak_resident_bytes, 128 * 128 * 4);
    assert_eq!(tour.streaming().amounts().held_bytes, 128 * 128 * 4);
    assert_eq!(tour.figures().held_bytes, 128 * 128 * 4);
    // One picture is one texture.
    let pictures: BTreeSet<_> = jobs
        .iter()
        .filter_map(|job| match job {
            TextureJob::Show { image, .. } => Some(Arc::as_ptr(image)),
            TextureJob::Clear | TextureJob::Release { .. } => None,
        })
        .collect();
    assert_eq!(pictures.len(), 1);
    // It was decoded four hundred times, and took gigabytes.
    #[cfg(target_os = "linux")]
    assert!(most_memory() < 800 << 20, "{} bytes", most_memory());
}

#[test]
fn the_cap_holds_for_all_that_is_decoded_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let assets: Vec<String> = (0..24).map(|number| format!("{number}.png")).collect();
    for (number, name) in assets.iter().enumerate() {
        paint(folder.path(), name, 512, number as u8);
    }
    // Room for all that are there, and for three on their way.
    let cap = 24 * 128 * 128 * 4 + 3 * on_its_way(512);
    let scene = scene(48, &assets, cap);
    let run = |mut tour: Tour| {
        let mut hashes = Vec::new();
        while tour.ticks() < 120 {
            tour.tick();
            assert!(tour.streaming().amounts().held_bytes <= cap);
            // What is on its way takes less once it is there: the next waits for that, not for somebody to go.
            assert!(!tour.streaming().bound().memory);
            tour.streaming().validate().unwrap();
            hashes.push(tour.hash());
        }
        let streaming = tour.streaming();
        assert_eq!(streaming.amounts().counts[State::Resident as usize], 48);
        assert_eq!(streaming.amounts().resident_bytes, 24 * 128 * 128 * 4);
        let sums = streaming.statistics();
        assert!(sums.peak_held_bytes > 3 * on_its_way(512));
        assert_eq!((sums.evicted, sums.failed), (0, 0));
        hashes
    };
    let first = run(tour(&scene, folder.path()));
    assert_eq!(run(tour(&scene, folder.path())), first);

    // On paper it is the same: the sizes are read from the files when the world is opened.
    let mut paper = Tour::with_loader(&scene, folder.path(), settings(&scene), |_| {
        SimulatedLoader::default()
    });
    let on_paper: Vec<u64> = (0..20)
        .map(|_| {
            paper.tick();
            assert!(paper.streaming().amounts().held_bytes <= cap);
            paper.streaming().amounts().requests_in_flight.into()
        })
        .collect();
    assert!(on_paper.iter().all(|requests| *requests <= 48));

    // And so it is for whoever goes on from a keyframe.
    let mut again = tour(&scene, folder.path());
    let mut kept = Vec::new();
    while again.ticks() < 30 {
        kept.push(again.keep());
        again.tick();
    }
    for one in kept.iter().rev() {
        again.restore(one);
        again.streaming().validate().unwrap();
        for hash in &first[again.ticks() as usize..40] {
            again.tick();
            assert_eq!(again.hash(), *hash, "tick {}", again.ticks());
        }
    }
}

#[test]
fn who_goes_for_a_picture_gives_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let assets: Vec<String> = (0..40).map(|number| format!("{number}.png")).collect();
    for (number, name) in assets.iter().enumerate() {
        paint(folder.path(), name, 128, number as u8);
    }
    // Room for ten of forty pictures, each of which two objects show.
    let cap = 10 * 128 * 128 * 4;
    let scene = scene(80, &assets, cap);
    let mut tour = tour(&scene, folder.path());
    tour.character_mut().set_speed(30.0);
    for _ in 0..1_200 {
        tour.tick();
        assert!(tour.streaming().amounts().held_bytes <= cap);
        tour.streaming().validate().unwrap();
    }
    let mut lowered = settings(&scene);
    lowered.memory_cap = cap / 2;
    tour.set_settings(lowered);
    for _ in 0..60 {
        tour.tick();
        tour.streaming().validate().unwrap();
    }
    assert!(tour.streaming().amounts().held_bytes <= cap / 2);
    assert_eq!(tour.streaming().statistics().peak_held_bytes, cap);
}

#[test]
fn who_shows_a_picture_that_is_there_uploads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    paint(folder.path(), "one.png", 128, 90);
    let scene = scene(60, &["one.png".to_owned()], 512 << 20);
    let few_bytes = Settings {
        uploads_per_update: 100,
        upload_bytes_per_update: 1,
        ..settings(&scene)
    };
    let mut tour = Tour::with_loader(&scene, folder.path(), few_bytes, |_| {
        SimulatedLoader::default()
    });
    // The first picture of an update is allowed however large it is, and nobody after it has another.
    let mut residents = Vec::new();
    while residents.last() != Some(&60) {
        tour.tick();
        residents.push(tour.resident_ids().len());
        assert!(tour.ticks() < 1_000, "{residents:?}");
    }
    residents.retain(|count| *count > 0);
    assert_eq!(residents, [60]);
}

#[test]
fn a_request_that_was_given_up_counts_until_it_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let assets: Vec<String> = (0..40).map(|number| format!("{number}.png")).collect();
    for (number, name) in assets.iter().enumerate() {
        paint(folder.path(), name, 128, number as u8);
    }
    let scene = scene(80, &assets, 512 << 20);
    let slow = Settings {
        latency_ms: 1_000.0,
        ..settings(&scene)
    };
    let mut tour = Tour::of_scene(&scene, folder.path(), Some(slow))
        .unwrap()
        .unwrap();
    let all = 40 * 128 * 128 * 4;
    for _ in 0..10 {
        tour.tick();
    }
    assert_eq!(tour.streaming().amounts().held_bytes, all);
    // Nobody needs any of them any more, and the disk is still at it.
    tour.character_mut().teleport(Vec2::splat(100_000.0));
    tour.tick();
    let streaming = tour.streaming();
    streaming.validate().unwrap();
    assert!(streaming.amounts().requests_in_flight > 0);
    assert_eq!(streaming.amounts().counts[State::Loading as usize], 0);
    assert_eq!(streaming.amounts().held_bytes, all);
    while tour.streaming().amounts().requests_in_flight > 0 {
        tour.tick();
        tour.streaming().validate().unwrap();
        assert!(tour.ticks() < 1_000);
    }
    assert_eq!(tour.streaming().amounts().held_bytes, 0);
}

#[test]
fn a_picture_that_cannot_fit_is_said_beforehand_and_fails_with_its_sentence() {
    let folder = tempfile::tempdir().unwrap();
    paint(folder.path(), "large.png", 512, 1);
    paint(folder.path(), "small.png", 64, 2);
    std::fs::write(folder.path().join("broken.png"), "not a picture").unwrap();
    let assets = ["large.png", "small.png", "broken.png", "missing.png"].map(str::to_owned);
    let scene = scene(8, &assets, 1_000_000);
    let warnings = pictures_beyond_the_cap(&scene, folder.path());
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let large = folder.path().join("large.png");
    assert_eq!(
        warnings[0],
        format!(
            "{}: a picture of 512 × 512 pixels takes 1114112 bytes of memory while it is loaded, but memory_cap is 1000000: \
             no object can show it",
            large.display()
        )
    );
    let mut tour = tour(&scene, folder.path());
    for _ in 0..30 {
        tour.tick();
        assert!(tour.streaming().amounts().held_bytes <= 1_000_000);
    }
    let failure = tour.streaming().object(0).failure().unwrap();
    assert_eq!(
        failure.sentence,
        "large 0 takes 1.11 MB, but the memory cap is 1 MB"
    );
    assert_eq!(tour.streaming().states()[1], State::Resident);
}

#[test]
fn pictures_that_are_needed_go_for_a_lower_cap_and_no_more_of_them_than_must() {
    let folder = tempfile::tempdir().unwrap();
    let assets: Vec<String> = (0..40).map(|number| format!("{number}.png")).collect();
    for (number, name) in assets.iter().enumerate() {
        paint(folder.path(), name, 128, number as u8);
    }
    // Two objects show each of forty pictures, and the character stands still.
    let picture = 128 * 128 * 4;
    let scene = scene(80, &assets, 40 * picture);
    let mut tour = tour(&scene, folder.path());
    while tour.resident_ids().len() < 80 {
        tour.tick();
        assert!(tour.ticks() < 1_000);
    }
    tour.set_settings(Settings {
        memory_cap: 12 * picture,
        ..settings(&scene)
    });
    for _ in 0..120 {
        tour.tick();
        tour.streaming().validate().unwrap();
    }
    assert_eq!(tour.streaming().amounts().held_bytes, 12 * picture);
    assert!(tour.streaming().statistics().evicted > 0);
    assert!(tour.streaming().bound().memory);
}
