//! Time that is gone over again: a world that went back shows what it showed the first time, from files that were read once.

use skirmish::chance::Stream;
use skirmish::geometry::Vec2;
use skirmish::probe::Cancel;
use skirmish::scene::{Scene, file};
use skirmish::session::{Action, Session};
use skirmish::streaming::{
    Image, Index, Kept, LateAsk, Mover, Reread, Settings, State, TextureJob, Tour, TourAsk,
    TourPicture,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const TICKS: u64 = 400;

/// Paints a picture of `side` pixels in one shade.
fn paint(folder: &Path, name: &str, side: u32, shade: u8) {
    let picture = image::RgbaImage::from_pixel(side, side, image::Rgba([shade, shade, 0, 255]));
    picture.save(folder.join(name)).unwrap();
}

/// A folder of twelve pictures, one of them larger than what is shown, a file that is no picture, and no `missing.png`.
fn pictures() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..12 {
        let side = if number == 0 { 200 } else { 16 };
        paint(folder.path(), &format!("{number}.png"), side, number as u8);
    }
    std::fs::write(folder.path().join("broken.png"), "not a picture").unwrap();
    folder
}

fn scene_of(assets: &[String], count: usize) -> Scene {
    // A list has so many items at most.
    let lists = assets.chunks(1_000);
    let each = count / lists.len();
    let scatter = |assets: &[String]| {
        let assets: Vec<String> = assets.iter().map(|asset| format!("{asset:?}")).collect();
        let area = "((0.0, 0.0), (1200.0, 900.0))";
        let size = "Between(4.0, 20.0)";
        let assets = assets.join(", ");
        format!(
            "Scatter(count: {each}, area: {area}, size: {size}, assets: [{assets}], bytes: (2000, 20000))"
        )
    };
    let groups: Vec<String> = lists.map(scatter).collect();
    let text = format!(
        r#"(version: 1, name: "small", field: ((0.0, 0.0), (1200.0, 900.0)), seed: 7,
        structure: (kind: "quadtree"),
        character: (position: (200.0, 200.0), speed: 60.0, paths: [
            (name: "round", points: [(200.0, 200.0), (1000.0, 240.0), (900.0, 700.0), (250.0, 650.0)])]),
        world: (need_factor: 4.0, need_min: 60.0, need_max: 150.0, lead: 60.0, margin: 30.0,
            objects: [{}]))"#,
        groups.join(", ")
    );
    file::parse(text.as_bytes(), "small.ron").unwrap()
}

fn scene() -> Scene {
    let mut assets: Vec<String> = (0..12).map(|number| format!("{number}.png")).collect();
    assets.extend(["broken.png".to_owned(), "missing.png".to_owned()]);
    scene_of(&assets, 240)
}

/// A disk that is never done, memory that is short.
fn settings(scene: &Scene) -> Settings {
    Settings {
        mbps: 1.0,
        latency_ms: 30.0,
        memory_cap: 500_000,
        uploads_per_update: 1,
        ..Settings::of_world(scene.world.as_ref().unwrap())
    }
}

fn tour(folder: &Path, scene: &Scene) -> Tour {
    Tour::of_scene(scene, folder, Some(settings(scene)))
        .unwrap()
        .unwrap()
}

/// What is done to the tour before its tick `tick`.
fn edit(tour: &mut Tour, tick: u64) {
    match tick {
        40 => tour.character_mut().walk_by_keys(Vec2::new(1.0, 0.4)),
        80 => tour.set_settings(Settings {
            index: Index::Dual,
            lead: 90.0,
            ..*tour.settings()
        }),
        100 => tour.character_mut().record(),
        120 => tour.character_mut().grab(),
        121..150 => tour
            .character_mut()
            .drag_to(Vec2::new(500.0 + 3.0 * (tick - 120) as f32, 400.0)),
        150 => tour.character_mut().let_go(),
        160 => tour.character_mut().teleport(Vec2::new(950.0, 650.0)),
        200 => {
            tour.character_mut().stop_recording().unwrap();
            tour.character_mut().follow(Mover::Path(1));
        }
        220 => tour.reset_statistics(),
        240 => tour.set_settings(Settings {
            index: Index::WholeUnloadTree,
            memory_cap: 200_000,
            ..*tour.settings()
        }),
        280 => {
            tour.character_mut().follow(Mover::Path(0));
            tour.character_mut().set_speed(110.0);
        }
        320 => tour.set_settings(Settings {
            index: Index::TwoTrees,
            mbps: 0.2,
            predict_seconds: 1.5,
            ..*tour.settings()
        }),
        350 => tour.character_mut().set_paths(&[]),
        360 => tour.character_mut().teleport(Vec2::new(220.0, 210.0)),
        _ => {}
    }
}

fn go_on(tour: &mut Tour) {
    let next = tour.ticks() + 1;
    edit(tour, next);
    tour.tick();
}

/// The picture of a tick with everything that it can be asked for, in words.
fn seen(tour: &Tour) -> String {
    let ask = TourAsk {
        cursor: Some(tour.character().position()),
        selection: Some((tour.ticks() % 240) as u32),
        queue: usize::MAX,
        failures: usize::MAX,
        regions: true,
        late: LateAsk::All,
        pending: true,
        ..TourAsk::default()
    };
    let mut picture = TourPicture::default();
    tour.picture(&ask, &mut picture);
    let mut words = format!("{picture:?}");
    // What no keyframe takes back.
    let start = words.find("reread: Reread {").unwrap();
    let length = words[start..].find('}').unwrap();
    words.replace_range(start..=start + length, "");
    for object in [3, 17, 40, 101, 102, 133, 200, 239] {
        words += &format!("{:?}", tour.object_picture(object));
    }
    // Who is shown with which picture.
    for job in tour.resident_pictures() {
        if let TextureJob::Show { object, image, .. } = job {
            words += &format!(" {object}: {:?} {:?}", image, image.rgba[0]);
        }
    }
    words
}

fn check(tour: &Tour, first: &[String]) {
    let found = seen(tour);
    let wanted = &first[tour.ticks() as usize];
    if found != *wanted {
        let same = found.bytes().zip(wanted.bytes());
        let place = same.take_while(|(a, b)| a == b).count();
        let part = |words: &str| {
            let part = words.bytes().skip(place.saturating_sub(200)).take(400);
            String::from_utf8_lossy(&part.collect::<Vec<_>>()).into_owned()
        };
        panic!(
            "tick {}: …{}… instead of …{}…",
            tour.ticks(),
            part(&found),
            part(wanted)
        );
    }
}

/// Goes to the end, and keeps what is seen at each tick, and the tour at some.
fn first_time(tour: &mut Tour) -> (Vec<String>, Vec<Kept>) {
    let (mut first, mut kept) = (vec![seen(tour)], vec![tour.keep()]);
    while tour.ticks() < TICKS {
        go_on(tour);
        first.push(seen(tour));
        if tour.ticks().is_multiple_of(23) {
            kept.push(tour.keep());
        }
    }
    let read = tour.reread();
    assert_eq!((read.from_cache, read.read_again), (0, 0), "real files");
    (first, kept)
}

/// From a random keyframe to a random tick.
fn wander(tour: &mut Tour, chance: &mut Stream, kept: &[Kept], longest: f64) {
    let mut random = |below: f64| (chance.unit() * below) as usize;
    tour.restore(&kept[random(kept.len() as f64)]);
    let to = (tour.ticks() + random(longest) as u64).min(TICKS);
    while tour.ticks() < to {
        go_on(tour);
    }
}

/// A view that does what it is told.
#[derive(Default)]
struct View(BTreeMap<u32, Arc<Image>>);

impl View {
    fn follow(&mut self, tour: &mut Tour) -> usize {
        let mut jobs = Vec::new();
        tour.take_texture_jobs(&mut jobs);
        for job in &jobs {
            match job {
                TextureJob::Clear => self.0.clear(),
                TextureJob::Show { object, image, .. } => {
                    assert!(self.0.insert(*object, image.clone()).is_none());
                }
                TextureJob::Release { object, .. } => assert!(self.0.remove(object).is_some()),
            }
        }
        let mut wanted = BTreeMap::new();
        for job in tour.resident_pictures() {
            if let TextureJob::Show { object, image, .. } = job {
                wanted.insert(object, image);
            }
        }
        assert!(self.0 == wanted, "the pictures of what is there, no other");
        let is_shown = |state: &&State| matches!(state, State::Resident | State::Unloading);
        let there = tour.streaming().states().iter().filter(is_shown).count();
        assert_eq!(there, wanted.len());
        jobs.len()
    }
}

#[test]
fn all_that_a_picture_shows_comes_back_at_random_ticks() {
    let folder = pictures();
    let scene = scene();
    let mut tour = tour(folder.path(), &scene);
    let (first, kept) = first_time(&mut tour);
    let sums = tour.streaming().statistics();
    assert!(sums.failed > 0 && sums.evicted > 0 && sums.cancelled > 0 && sums.late_loads > 0);
    let mut chance = Stream::new(5);
    let mut view = View::default();
    for _ in 0..300 {
        wander(&mut tour, &mut chance, &kept, 40.0);
        check(&tour, &first);
        view.follow(&mut tour);
    }
    tour.streaming().validate().unwrap();
    let read = tour.reread();
    assert!(read.from_cache > 300, "{read:?}");
    assert_eq!(read.read_again, 0, "fourteen files are kept: {read:?}");
    // The large picture counts whole.
    assert!(read.cache_bytes > 4 * 200 * 200 && read.cache_bytes < 300_000);
}

#[test]
fn files_that_changed_or_went_are_seen_as_they_were_until_time_is_new() {
    let folder = pictures();
    let scene = scene();
    let mut tour = tour(folder.path(), &scene);
    let (first, kept) = first_time(&mut tour);
    for number in 0..12 {
        let name = format!("{number}.png");
        if number % 2 == 0 {
            paint(folder.path(), &name, 16, 200);
        } else {
            std::fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    paint(folder.path(), "missing.png", 16, 200);
    let mut view = View::default();
    let mut chance = Stream::new(6);
    for _ in 0..40 {
        wander(&mut tour, &mut chance, &kept, 60.0);
        check(&tour, &first);
        view.follow(&mut tour);
    }
    tour.restore(&kept[2]);
    while tour.ticks() < TICKS {
        go_on(&mut tour);
        check(&tour, &first);
    }
    let known = tour.reread();
    assert_eq!(known.read_again, 0, "{known:?}");
    // From here on it is as it is. What was asked for in known time may still be known.
    for _ in 0..120 {
        go_on(&mut tour);
    }
    let before = tour.reread();
    tour.character_mut().teleport(Vec2::new(1_000.0, 240.0));
    for _ in 0..400 {
        go_on(&mut tour);
        view.follow(&mut tour);
    }
    let after = tour.reread();
    assert_eq!(
        (after.from_cache, after.read_again),
        (before.from_cache, before.read_again)
    );
    let gone = tour.streaming().failures();
    assert!(
        gone.filter(|(_, failure)| failure.sentence.contains("1.png: there is no such file"))
            .count()
            > 0
    );
    assert!(view.0.values().any(|image| image.rgba[0] == 200));
}

#[test]
fn another_future_reads_its_files() {
    let folder = pictures();
    let scene = scene();
    let mut tour = tour(folder.path(), &scene);
    let (_, kept) = first_time(&mut tour);
    for number in 0..12 {
        paint(folder.path(), &format!("{number}.png"), 16, 200);
    }
    tour.restore(&kept[3]);
    tour.character_mut().teleport(Vec2::new(1_000.0, 240.0));
    tour.tick();
    let in_flight = u64::from(tour.streaming().amounts().requests_in_flight);
    for _ in 0..300 {
        tour.tick();
    }
    let read = tour.reread();
    assert!(read.from_cache <= in_flight, "{read:?}");
    assert_eq!(read.read_again, 0, "nobody knew it before");
    let mut view = View::default();
    view.follow(&mut tour);
    assert!(view.0.len() > 5 && view.0.values().all(|image| image.rgba[0] == 200));
    // And that future is what is known from now on.
    let (hash, end) = (tour.hash(), tour.ticks());
    tour.restore(&kept[3]);
    tour.character_mut().teleport(Vec2::new(1_000.0, 240.0));
    while tour.ticks() < end {
        tour.tick();
    }
    assert_eq!(tour.hash(), hash);
    assert!(tour.reread().from_cache > read.from_cache + 5);
}

#[test]
fn without_a_cache_all_is_read_again_and_said() {
    let folder = pictures();
    let scene = scene();
    let mut tour = tour(folder.path(), &scene);
    tour.set_reread_budget(0);
    let (first, kept) = first_time(&mut tour);
    let mut chance = Stream::new(8);
    let mut last = Reread::default();
    for _ in 0..30 {
        wander(&mut tour, &mut chance, &kept, 50.0);
        check(&tour, &first);
        let read = tour.reread();
        assert!(read.read_again >= last.read_again && read.bytes >= last.bytes);
        last = read;
    }
    assert!(last.read_again > 30 && last.bytes > 1_000, "{last:?}");
    assert_eq!((last.from_cache, last.cache_bytes), (0, 0));
    let mut picture = TourPicture::default();
    tour.picture(&TourAsk::default(), &mut picture);
    assert_eq!(picture.reread(), last);
    // A tour in its place goes on counting, with what it has kept.
    tour.set_reread_budget(1 << 20);
    wander(&mut tour, &mut chance, &kept, 50.0);
    let before = tour.reread();
    let mut next = self::tour(folder.path(), &scene);
    next.inherit_reread(&mut tour);
    assert_eq!(next.reread(), before);
    next.restore(&kept[5]);
    for _ in 0..60 {
        go_on(&mut next);
    }
    check(&next, &first);
}

#[test]
fn two_thousand_assets_keep_to_the_budget() {
    const BUDGET: usize = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let assets: Vec<String> = (0..2_000).map(|number| format!("{number}.png")).collect();
    for (number, name) in assets.iter().enumerate() {
        paint(folder.path(), name, 8, number as u8);
    }
    let scene = scene_of(&assets, 4_000);
    let fast = Settings {
        mbps: 0.0,
        latency_ms: 5.0,
        requests_in_flight: 64,
        bytes_in_flight: 1 << 30,
        uploads_per_update: 64,
        ..settings(&scene)
    };
    let fast = Settings {
        memory_cap: 1 << 30,
        unloads_per_update: 64,
        ..fast
    };
    let mut tour = Tour::of_scene(&scene, folder.path(), Some(fast))
        .unwrap()
        .unwrap();
    tour.set_reread_budget(BUDGET);
    let mut hashes = vec![tour.hash()];
    let mut kept = vec![tour.keep()];
    let step = |tour: &mut Tour| {
        if tour.ticks().is_multiple_of(30) {
            let place = tour.ticks() as f32;
            tour.character_mut()
                .teleport(Vec2::new(place * 3.7 % 1_200.0, place * 2.3 % 900.0));
        }
        tour.tick();
        assert!(tour.reread().cache_bytes <= BUDGET as u64);
    };
    while tour.ticks() < 300 {
        step(&mut tour);
        hashes.push(tour.hash());
        if tour.ticks().is_multiple_of(50) {
            kept.push(tour.keep());
        }
    }
    let loaded = tour.streaming().statistics().loaded;
    assert!(loaded > 1_000, "{loaded}");
    for one in kept.iter().rev().chain(&kept) {
        tour.restore(one);
        for _ in 0..60 {
            if tour.ticks() < 300 {
                step(&mut tour);
                assert_eq!(tour.hash(), hashes[tour.ticks() as usize]);
            }
        }
    }
    let read = tour.reread();
    assert!(read.from_cache > 0 && read.read_again > 500, "{read:?}");
}

#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn a_thousand_restores_pile_up_nothing() {
    let folder = pictures();
    let scene = scene();
    for budget in [0, 1 << 20] {
        let mut tour = tour(folder.path(), &scene);
        tour.set_reread_budget(budget);
        let (first, kept) = first_time(&mut tour);
        let mut view = View::default();
        view.follow(&mut tour);
        #[cfg(target_os = "linux")]
        let before = threads();
        let mut chance = Stream::new(9);
        let cancel = AtomicBool::new(true);
        for turn in 0..1_000 {
            tour.restore(&kept[(chance.unit() * kept.len() as f64) as usize]);
            // Often it is left in the middle of a tick, of a run, or before either.
            for _ in 0..turn % 3 {
                let next = tour.ticks() + 1;
                let (ticks, hash) = (tour.ticks(), tour.hash());
                edit(&mut tour, next);
                if !tour.tick_unless(&cancel) {
                    assert_eq!((tour.ticks(), tour.hash()), (ticks, hash));
                    break;
                }
            }
            if turn % 100 == 99 {
                let jobs = view.follow(&mut tour);
                assert!(jobs <= 2 * 240, "{jobs} jobs");
            }
        }
        // Other tests run in threads, too.
        #[cfg(target_os = "linux")]
        assert!(threads() <= before + 32);
        let begun = std::time::Instant::now();
        wander(&mut tour, &mut chance, &kept, 40.0);
        check(&tour, &first);
        println!("{budget}: {:?} after {:?}", tour.reread(), begun.elapsed());
        view.follow(&mut tour);
    }
}

#[test]
fn a_session_goes_back_over_files_that_are_gone() {
    for budget in [0, 1 << 30] {
        let folder = pictures();
        let mut session = Session::new(scene(), folder.path()).0;
        // Without keyframes every way begins at the beginning.
        session.timeline_mut().set_budget(budget);
        let cancel = Cancel::default();
        let mut hashes = vec![session.hash()];
        let seen_of = |session: &Session| seen(session.world().unwrap());
        let mut first = vec![seen_of(&session)];
        for tick in 1..=200 {
            if tick == 90 {
                let act = Action::Teleport(Vec2::new(950.0, 650.0).into());
                session.apply(act, false, &cancel).unwrap();
                let last = first.len() - 1;
                first[last] = seen_of(&session);
            }
            session.tick(&cancel, &mut ()).unwrap();
            hashes.push(session.hash());
            first.push(seen_of(&session));
        }
        for number in 0..12 {
            std::fs::remove_file(folder.path().join(format!("{number}.png"))).unwrap();
        }
        let mut view = View::default();
        let mut chance = Stream::new(4);
        for _ in 0..30 {
            let to = (chance.unit() * 201.0) as u64;
            session.seek(to, &cancel, &mut ()).unwrap();
            assert_eq!(session.hash(), hashes[to as usize]);
            check(session.world().unwrap(), &first);
            view.follow(session.world_mut().unwrap());
        }
        assert_eq!(session.timeline().diverged_at(), None);
        let read = session.world().unwrap().reread();
        assert!(read.from_cache > 0 && read.read_again == 0, "{read:?}");
    }
}

#[test]
fn files_that_changed_and_are_not_kept_make_another_future_and_no_harm() {
    let folder = pictures();
    let scene = scene();
    let mut tour = tour(folder.path(), &scene);
    let (first, kept) = first_time(&mut tour);
    // Room for a few small ones.
    tour.set_reread_budget(5_000);
    for number in 0..12 {
        std::fs::write(folder.path().join(format!("{number}.png")), "no more").unwrap();
    }
    tour.restore(&kept[1]);
    check(&tour, &first);
    let mut others = 0;
    while tour.ticks() < TICKS {
        go_on(&mut tour);
        others += u64::from(seen(&tour) != first[tour.ticks() as usize]);
    }
    assert!(others > 0, "most files were not kept");
    tour.streaming().validate().unwrap();
    let mut view = View::default();
    view.follow(&mut tour);
    // What is held by a keyframe is shown as it was then.
    for one in &kept {
        tour.restore(one);
        check(&tour, &first);
        view.follow(&mut tour);
        tour.streaming().validate().unwrap();
    }
}

#[test]
fn a_file_that_kept_changing_is_at_each_tick_what_it_was_then() {
    let folder = pictures();
    let scene = scene();
    let mut tour = tour(folder.path(), &scene);
    let (mut first, mut kept) = (vec![seen(&tour)], vec![tour.keep()]);
    while tour.ticks() < TICKS {
        if tour.ticks().is_multiple_of(30) {
            let shade = tour.ticks() / 2 + 20;
            for number in 0..12 {
                let name = format!("{number}.png");
                if (number + shade / 15).is_multiple_of(5) {
                    std::fs::remove_file(folder.path().join(name)).unwrap_or_default();
                } else {
                    paint(folder.path(), &name, 16, shade as u8);
                }
            }
        }
        go_on(&mut tour);
        first.push(seen(&tour));
        if tour.ticks().is_multiple_of(23) {
            kept.push(tour.keep());
        }
    }
    let mut chance = Stream::new(11);
    let mut view = View::default();
    for _ in 0..100 {
        wander(&mut tour, &mut chance, &kept, 80.0);
        check(&tour, &first);
        view.follow(&mut tour);
    }
    let read = tour.reread();
    assert!(read.from_cache > 100, "{read:?}");
    assert_eq!(read.read_again, 0, "{read:?}");
}
