//! A tour through the open world: the same history whoever replays it, kept and gone on from, and pictured.

use skirmish::geometry::Vec2;
use skirmish::scene::{PathKind, Scene, file};
use skirmish::streaming::{
    Bound, Index, Mover, PacedLoader, Rectangles, Resumable, Settings, SimulatedLoader, State,
    TextureJob, Tour, TourAsk, TourPicture,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

fn scene() -> Scene {
    file::read(&folder().join("open-world.ron")).unwrap()
}

/// A disk on which there is always something on its way, and a character that rides.
fn settings(scene: &Scene) -> Settings {
    Settings {
        mbps: 0.05,
        latency_ms: 30.0,
        ..Settings::of_world(scene.world.as_ref().unwrap())
    }
}

fn paced(scene: &Scene) -> Tour {
    let mut tour = Tour::of_scene(scene, &folder(), Some(settings(scene)))
        .unwrap()
        .unwrap();
    set_off(&mut tour);
    tour
}

fn simulated(scene: &Scene, settings: Settings) -> Tour<SimulatedLoader> {
    let mut tour = Tour::with_loader(scene, &folder(), settings, |_| SimulatedLoader::default());
    set_off(&mut tour);
    tour
}

fn set_off<L: Resumable>(tour: &mut Tour<L>) {
    let ride = tour
        .character()
        .paths()
        .iter()
        .position(|path| path.name == "ride");
    tour.character_mut().follow(Mover::Path(ride.unwrap()));
    tour.character_mut().set_speed(60.0);
}

fn hashes<L: Resumable>(tour: &mut Tour<L>, ticks: u64) -> Vec<u64> {
    let tick = |_| {
        tour.tick();
        tour.hash()
    };
    (0..ticks).map(tick).collect()
}

/// What a view shows that does what it is told.
#[derive(Default, PartialEq, Debug)]
struct Shown(BTreeMap<u32, u32>);

impl Shown {
    fn follow<L: Resumable>(&mut self, tour: &mut Tour<L>) {
        let mut jobs = Vec::new();
        tour.take_texture_jobs(&mut jobs);
        self.carry_out(jobs);
    }

    fn carry_out(&mut self, jobs: Vec<TextureJob>) {
        for job in jobs {
            match job {
                TextureJob::Clear => self.0.clear(),
                TextureJob::Show { object, asset, .. } => {
                    assert!(self.0.insert(object, asset).is_none());
                }
                TextureJob::Release { object, asset } => {
                    assert_eq!(self.0.remove(&object), Some(asset));
                }
            }
        }
    }

    fn check<L: Resumable>(&self, tour: &Tour<L>) {
        let states = tour.streaming().states();
        let seen: BTreeSet<u32> = (0..)
            .zip(states)
            .filter(|(_, state)| matches!(state, State::Resident | State::Unloading))
            .map(|(object, _)| object)
            .collect();
        assert_eq!(self.0.keys().copied().collect::<BTreeSet<_>>(), seen);
        let mut anew = Self::default();
        anew.carry_out(tour.resident_pictures());
        assert_eq!(*self, anew);
    }
}

/// A tour of many turns, hash by hash.
fn many_turns<L: Resumable>(mut tour: Tour<L>) -> Vec<u64> {
    let mut hashes = Vec::new();
    for tick in 0..500 {
        match tick {
            60 => tour.character_mut().walk_by_keys(Vec2::new(1.0, -1.0)),
            120 => tour.character_mut().teleport(Vec2::new(2_500.0, 700.0)),
            180 => {
                tour.set_settings(Settings {
                    mbps: 40.0,
                    margin: 60.0,
                    index: Index::Dual,
                    ..*tour.settings()
                });
            }
            200 => tour.character_mut().record(),
            210 => tour.character_mut().grab(),
            211..260 => tour
                .character_mut()
                .drag_to(Vec2::new(2_500.0 - (tick - 210) as f32 * 4.0, 700.0)),
            260 => tour.character_mut().let_go(),
            300 => {
                let path = tour.character_mut().stop_recording().unwrap();
                assert_eq!(path.kind, PathKind::Recorded);
                let last = tour.character().paths().len() - 1;
                tour.character_mut().follow(Mover::Path(last));
            }
            _ => {}
        }
        assert_eq!(tour.character().is_grabbed(), (210..260).contains(&tick));
        tour.tick();
        hashes.push(tour.hash());
    }
    assert!(tour.streaming().statistics().loaded > 20);
    tour.streaming().validate().unwrap();
    hashes
}

#[test]
fn the_same_calls_give_the_same_tour_from_real_files_and_on_paper() {
    let scene = scene();
    let first = many_turns(paced(&scene));
    assert_eq!(many_turns(paced(&scene)), first);
    assert_eq!(many_turns(simulated(&scene, settings(&scene))), first);
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 500);
}

/// What somebody sees of a tick: where the character is, how it moves, what was decided, and who is late.
fn noted<L: Resumable>(tour: &mut Tour<L>) -> (Vec2, Vec2, u64, u64) {
    tour.tick();
    let character = tour.character();
    let (position, velocity) = (character.position(), character.velocity());
    (position, velocity, tour.hash(), tour.figures().late)
}

#[test]
fn a_drag_that_was_recorded_replays_to_the_same_decisions() {
    let scene = scene();
    let mut tour = simulated(&scene, settings(&scene));
    hashes(&mut tour, 200);
    let kept = tour.keep();
    tour.character_mut().record();
    tour.character_mut().grab();
    let mut first = Vec::new();
    for tick in 0..180 {
        // By fits and starts, so that the velocity of the hand is not that from point to point, and once farther than a teleport.
        let way = match tick {
            96 => Vec2::new(-72.0, 54.0),
            0..150 if tick % 12 == 0 => Vec2::new(-7.6, 5.7),
            _ => Vec2::ZERO,
        };
        let character = tour.character_mut();
        character.drag_to(character.position() + way);
        if tick == 150 {
            character.let_go();
        }
        first.push(noted(&mut tour));
    }
    let path = tour.character_mut().stop_recording().unwrap();
    assert_eq!((path.points.len(), path.velocities.len()), (181, 180));
    let text = file::format_path(&path);
    let saved = file::parse_path(text.as_bytes(), "drag.ron").unwrap();
    assert_eq!(saved, *path);

    tour.restore(&kept);
    let place = tour.character_mut().add_path(saved);
    tour.character_mut().follow(Mover::Path(place));
    for (tick, before) in first.iter().enumerate() {
        assert_eq!(noted(&mut tour), *before, "tick {tick} of the drag");
    }
    assert!(tour.character().traveller().unwrap().has_arrived());
    tour.streaming().validate().unwrap();
}

/// Goes on from a keyframe again and again, and from another tour.
fn check_keyframe<L: Resumable>(mut tour: Tour<L>, mut other: Tour<L>) {
    let mut shown = Shown::default();
    hashes(&mut tour, 200);
    shown.follow(&mut tour);
    let kept = tour.keep();
    assert_eq!((kept.ticks(), kept.hash()), (200, tour.hash()));
    let streaming = tour.streaming();
    assert!(
        streaming.amounts().requests_in_flight > 0,
        "something is on its way"
    );
    assert!(!streaming.queue().is_empty());
    let seen = |tour: &Tour<L>| {
        let mut picture = TourPicture::default();
        tour.picture(&TourAsk::default(), &mut picture);
        let sums = picture.statistics();
        assert!(!picture.trail().is_empty(), "it has come from somewhere");
        let apart = picture
            .trail()
            .windows(2)
            .map(|two| two[0].distance(two[1]));
        assert!(apart.fold(f32::INFINITY, f32::min) > 0.2 * picture.speed());
        assert_eq!(picture.is_recording(), tour.character().is_recording());
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            picture.figures(),
            picture.counts(),
            picture.queue(),
            picture.looked(),
            picture.trail(),
            (
                sums.loaded,
                sums.late_loads,
                sums.wasted_bytes,
                sums.time_to_visible_ms.count()
            ),
            picture.resident_ids(),
            tour.streaming().object(17).why(),
        )
    };
    let at_200 = seen(&tour);
    let first = hashes(&mut tour, 400);
    let at_600 = seen(&tour);
    shown.follow(&mut tour);
    shown.check(&tour);
    for detour in [0, 150] {
        // Whatever happens in between.
        tour.character_mut().teleport(Vec2::new(700.0, 700.0));
        tour.set_settings(Settings {
            lead: 10.0,
            mbps: 100.0,
            index: Index::Dual,
            ..*tour.settings()
        });
        hashes(&mut tour, detour);
        tour.restore(&kept);
        tour.streaming().validate().unwrap();
        assert_eq!(seen(&tour), at_200);
        shown.follow(&mut tour);
        shown.check(&tour);
        assert_eq!(hashes(&mut tour, 400), first);
        assert_eq!(seen(&tour), at_600);
        shown.follow(&mut tour);
        shown.check(&tour);
    }
    // A tour of the same scene that never was there.
    other.restore(&kept);
    other.streaming().validate().unwrap();
    assert_eq!(hashes(&mut other, 400), first);
    assert_eq!(seen(&other), at_600);
    let mut shown = Shown::default();
    shown.follow(&mut other);
    shown.check(&other);

    let bytes = kept.byte_count();
    let objects = tour.streaming().objects().len();
    assert!(bytes > objects && bytes < 2_000_000, "{bytes} bytes");
}

#[test]
fn whoever_goes_on_from_a_keyframe_does_as_the_first_time_with_real_files() {
    let scene = scene();
    check_keyframe::<PacedLoader>(paced(&scene), paced(&scene));
}

#[test]
fn whoever_goes_on_from_a_keyframe_does_as_the_first_time_with_every_index() {
    let scene = scene();
    let mut ends = BTreeSet::new();
    for index in Index::ALL {
        let tour = || {
            let settings = Settings {
                index,
                ..settings(&scene)
            };
            simulated(&scene, settings)
        };
        check_keyframe(tour(), tour());
        let mut tour = tour();
        hashes(&mut tour, 600);
        ends.insert(tour.hash());
    }
    assert_eq!(ends.len(), 1, "the index changes no decision");
}

#[test]
fn every_tick_of_a_tour_can_be_kept() {
    let scene = scene();
    let mut tour = simulated(&scene, settings(&scene));
    let mut kept = vec![tour.keep()];
    for tick in 1..=120 {
        if tick == 50 {
            tour.character_mut().teleport(Vec2::new(2_400.0, 900.0));
        }
        tour.tick();
        kept.push(tour.keep());
    }
    for (tick, one) in kept.iter().enumerate().take(120).skip(50).rev() {
        tour.restore(one);
        tour.tick();
        assert_eq!(tour.hash(), kept[tick + 1].hash(), "after tick {tick}");
        tour.streaming().validate().unwrap();
    }
}

#[test]
fn a_keyframe_of_a_hundred_thousand_objects_is_small() {
    let scene = file::read(&folder().join("open-world-100k.ron")).unwrap();
    let fast = Settings {
        mbps: 50.0,
        ..settings(&scene)
    };
    let mut tour = simulated(&scene, fast);
    let mut kept = Vec::new();
    for _ in 0..4 {
        hashes(&mut tour, 150);
        kept.push(tour.keep());
    }
    let trees = tour.streaming().trees().byte_count();
    for one in &kept {
        let bytes = one.byte_count();
        println!(
            "tick {}: {bytes} bytes, the trees have {trees}",
            one.ticks()
        );
        // A byte for each state, and little more for those that were ever near: the trees are made of these anew.
        assert!(bytes > 100_000 && bytes < 1_000_000);
    }
    for one in kept.iter().rev() {
        let begun = std::time::Instant::now();
        tour.restore(one);
        println!("restored in {:?}", begun.elapsed());
        assert_eq!(tour.hash(), one.hash());
    }
    tour.streaming().validate().unwrap();
    hashes(&mut tour, 150);
    assert_eq!(tour.hash(), kept[1].hash());
}

#[test]
fn a_cancelled_tick_has_changed_nothing() {
    // On paper this disk has everything at once; the real one has not.
    let scene = scene();
    let at_once = Settings {
        mbps: 0.0,
        latency_ms: 0.0,
        ..settings(&scene)
    };
    let tour = || {
        let mut tour = Tour::of_scene(&scene, &folder(), Some(at_once))
            .unwrap()
            .unwrap();
        set_off(&mut tour);
        tour
    };
    let first = hashes(&mut tour(), 200);
    let mut impatient = tour();
    let cancel = AtomicBool::new(true);
    let mut cancelled = 0;
    for hash in first {
        let before = (
            impatient.ticks(),
            impatient.hash(),
            impatient.character().position(),
        );
        while !impatient.tick_unless(&cancel) {
            cancelled += 1;
            let after = (
                impatient.ticks(),
                impatient.hash(),
                impatient.character().position(),
            );
            assert_eq!(after, before);
        }
        assert_eq!(impatient.hash(), hash);
    }
    assert!(cancelled > 0);
}

#[test]
fn watching_changes_nothing() {
    let scene = scene();
    let mut watched = simulated(&scene, settings(&scene));
    let mut unwatched = simulated(&scene, settings(&scene));
    unwatched.set_watched(false);
    assert_eq!(hashes(&mut watched, 300), hashes(&mut unwatched, 300));
    assert!(!watched.looked().load.is_empty());
    assert!(unwatched.looked().load.is_empty());
}

#[test]
fn a_picture_that_the_view_refuses_comes_again_later_and_later() {
    let scene = scene();
    let fast = Settings {
        mbps: 100.0,
        ..settings(&scene)
    };
    let mut tour = simulated(&scene, fast);
    tour.character_mut().follow(Mover::Nobody);
    hashes(&mut tour, 60);
    let object = tour.resident_ids()[0];
    let mut refused_at = Vec::new();
    let mut jobs = Vec::new();
    for _ in 0..600 {
        tour.tick();
        if tour.streaming().states()[object as usize] == State::Resident {
            tour.upload_refused(object, "the atlas is full");
            refused_at.push(tour.ticks());
            assert_eq!(tour.streaming().states()[object as usize], State::Failed);
            let why = tour.object_picture(object).unwrap().why.join(" ");
            assert!(why.contains("the atlas is full"), "{why}");
            tour.streaming().validate().unwrap();
        }
        jobs.clear();
        tour.take_texture_jobs(&mut jobs);
        assert!(!jobs.iter().any(
            |job| matches!(job, TextureJob::Show { object: other, .. } if *other == object)
                && tour.ticks() > 61
        ));
    }
    // Half a second, a second, two, four.
    assert_eq!(refused_at.len(), 5, "{refused_at:?}");
    let waits: Vec<u64> = refused_at
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    assert!(waits.windows(2).all(|pair| pair[1] > pair[0]), "{waits:?}");
    // Who says so of nobody, or of somebody who is not there, is not heard.
    tour.upload_refused(u32::MAX, "nobody");
    tour.upload_refused(object, "again");
    tour.streaming().validate().unwrap();
}

#[test]
fn a_world_without_its_files_goes_on() {
    // By names that no picture has which is built in: those would be found without a file.
    let text = std::fs::read_to_string(folder().join("open-world.ron")).unwrap();
    let text = text.replace("\"assets/", "\"nowhere/");
    let scene = file::parse(text.as_bytes(), "nowhere.ron").unwrap();
    let nowhere = folder().join("there-is-no-such-folder");
    let mut tour = Tour::of_scene(&scene, &nowhere, None).unwrap().unwrap();
    hashes(&mut tour, 120);
    let sums = tour.streaming().statistics();
    assert!(sums.failed > 0 && sums.loaded == 0);
    let mut picture = TourPicture::default();
    tour.picture(&TourAsk::default(), &mut picture);
    assert_eq!(picture.failures().len(), 6);
    assert!(picture.failure_count() > 6);
    assert!(picture.failures()[0].1.sentence.contains("no such file"));
    let mut without = scene.clone();
    without.world = None;
    assert!(Tour::of_scene(&without, &nowhere, None).unwrap().is_none());
}

#[test]
fn a_picture_says_what_the_tour_says() {
    let scene = scene();
    let mut tour = paced(&scene);
    let mut picture = TourPicture::default();
    let (mut loading, mut depths) = (0, (0, 0));
    for tick in 0..240 {
        tour.tick();
        let ask = TourAsk {
            cursor: Some(tour.character().position()),
            selection: Some(tick),
            regions: tick % 10 == 0,
            refresh: tick == 100,
            queue: 3,
            ..TourAsk::default()
        };
        tour.picture(&ask, &mut picture);
        let streaming = tour.streaming();
        if tick == 100 {
            depths = streaming.trees().depths();
        }
        assert_eq!(picture.states(), streaming.states());
        assert_eq!(picture.counts(), streaming.amounts().counts);
        assert_eq!(picture.held_bytes(), streaming.amounts().held_bytes);
        assert_eq!(picture.missing_count(), streaming.amounts().missing);
        assert_eq!(picture.queue_length(), streaming.queue().len());
        assert_eq!(picture.queue().len(), streaming.queue().len().min(3));
        assert_eq!(picture.decisions(), streaming.decisions());
        assert_eq!(picture.character(), tour.character().position());
        assert_eq!(picture.resident_ids(), tour.resident_ids());
        assert_eq!(picture.looked(), tour.looked());
        if tick % 10 == 0 {
            let figures = format!("{:?}", streaming.statistics());
            assert_eq!(format!("{:?}", picture.statistics()), figures);
        }
        assert_eq!(picture.hash(), tour.hash());
        assert_eq!(picture.mover(), tour.character().mover());
        for object in 0..streaming.objects().len() as u32 {
            assert_eq!(
                picture.progress(object),
                streaming.object(object).progress()
            );
            let progress = picture.progress(object);
            loading += u32::from(progress > 0.0 && progress < 1.0);
        }
        let selected = picture.selected().unwrap();
        assert_eq!(selected.why, streaming.object(tick).why());
        assert_eq!(
            selected.rectangles,
            Rectangles::of(&picture.objects()[tick as usize], picture.settings())
        );
        assert_eq!(
            picture.hovered().map(|hovered| hovered.object),
            picture.object_at(tour.character().position())
        );
        assert_eq!(picture.load_regions().is_empty(), tick % 10 != 0);
        assert_eq!(picture.unload_regions().is_empty(), tick % 10 != 0);
    }
    assert!(loading > 10, "progress is seen: {loading}");
    assert_eq!(picture.tree_depths(), depths, "measured when asked to");
    assert!(picture.asset(0).unwrap().starts_with(folder()));
    assert!(picture.tree_byte_count() > 0);
    // The same buffers serve another world.
    let other = simulated(&scene, settings(&scene));
    other.picture(&TourAsk::default(), &mut picture);
    assert!(picture.resident_ids().is_empty());
    assert!(picture.selected().is_none());
}

#[test]
fn a_picture_says_where_the_character_goes_and_which_budgets_hold_it_up() {
    let scene = scene();
    let one_request = Settings {
        requests_in_flight: 1,
        ..settings(&scene)
    };
    let mut tour = simulated(&scene, one_request);
    tour.character_mut().teleport(Vec2::new(1_600.0, 1_200.0));
    tour.character_mut().set_speed(6.0);
    tour.character_mut().walk_by_keys(Vec2::new(0.0, -1.0));
    tour.tick();
    let mut picture = TourPicture::default();
    tour.picture(&TourAsk::default(), &mut picture);
    // A tick at 6 m/s is a tenth of a metre, and ten seconds are sixty.
    assert_eq!(tour.character().velocity(), Vec2::new(0.0, -6.0));
    assert_eq!(picture.velocity(), Vec2::new(0.0, -6.0));
    let there = Vec2::new(1_600.0, 1_139.9);
    assert!(tour.character().predicted(10.0).distance(there) < 1.0e-3);
    assert!(picture.predicted(10.0).distance(there) < 1.0e-3);
    let held_up = Bound {
        requests: true,
        ..Bound::default()
    };
    assert_eq!(tour.streaming().bound(), held_up);
    assert_eq!(picture.bound(), held_up);
}

#[test]
fn a_hash_tells_apart_where_the_character_was() {
    // Without objects nothing else can differ.
    let mut scene = scene();
    scene.world = None;
    let hash = |place: &(f32, f32)| {
        let mut tour = simulated(&scene, Settings::default());
        tour.character_mut().teleport(Vec2::from(*place));
        tour.tick();
        tour.hash()
    };
    let places = [
        (0.0, 0.0),
        (1.0, 0.0),
        (2.0, 0.0),
        (0.0, 1.0),
        (0.0, 2.0),
        (1.0, 2.0),
        (2.0, 1.0),
    ];
    let hashes: BTreeSet<u64> = places.iter().map(hash).collect();
    assert_eq!(hashes.len(), places.len());
    assert!(places.iter().all(|place| hashes.contains(&hash(place))));
}

/// A world of so many pictures, one an object, all of which are needed at once.
fn many_pictures(count: usize) -> Scene {
    let names: Vec<usize> = (0..count).collect();
    let groups: Vec<String> = names
        .chunks(1_000)
        .map(|names| {
            let assets: Vec<String> = names.iter().map(|name| format!("\"{name}.png\"")).collect();
            let (count, assets) = (4 * names.len(), assets.join(", "));
            format!(
                "Scatter(count: {count}, area: ((0.0, 0.0), (90.0, 90.0)), size: Between(1.0, 2.0), assets: [{assets}], bytes: (1, 9))"
            )
        })
        .collect();
    let text = format!(
        r#"(version: 1, name: "many", field: ((0.0, 0.0), (100.0, 100.0)), seed: 7, structure: (kind: "quadtree"),
        character: (position: (50.0, 50.0), speed: 6.0, paths: [
            (name: "ride", points: [(50.0, 50.0), (60.0, 50.0)])]),
        world: (need_factor: 4.0, need_min: 200.0, need_max: 200.0, lead: 60.0, margin: 30.0, objects: [{}]))"#,
        groups.join(", ")
    );
    file::parse(text.as_bytes(), "many.ron").unwrap()
}

/// A view with room for 4,096 pictures that looks after every so many ticks, and refuses what it has no room for.
fn looked_at(scene: &Scene, settings: Settings, ticks: u64, every: u64) -> (Vec<u64>, u64) {
    let mut tour = simulated(scene, settings);
    let mut users = BTreeMap::<u32, u32>::new();
    let (mut jobs, mut hashes) = (Vec::new(), Vec::new());
    while tour.ticks() < ticks {
        tour.tick();
        hashes.push(tour.hash());
        if !tour.ticks().is_multiple_of(every) {
            continue;
        }
        tour.take_texture_jobs(&mut jobs);
        for job in jobs.drain(..) {
            match job {
                TextureJob::Clear => users.clear(),
                TextureJob::Show { object, asset, .. } => {
                    if users.len() == 4_096 && !users.contains_key(&asset) {
                        tour.upload_refused(object, "there is no room for it");
                    } else {
                        *users.entry(asset).or_default() += 1;
                    }
                }
                TextureJob::Release { asset, .. } => {
                    let count = users.get_mut(&asset).unwrap();
                    *count -= 1;
                    if *count == 0 {
                        users.remove(&asset);
                    }
                }
            }
        }
    }
    (hashes, tour.streaming().statistics().failed)
}

#[test]
fn history_does_not_depend_on_how_often_a_view_looks() {
    let many = many_pictures(4_300);
    let settings = Settings {
        mbps: 0.0,
        uploads_per_update: 100,
        requests_in_flight: 1_000,
        ..Settings::of_world(many.world.as_ref().unwrap())
    };
    let (first, failed) = looked_at(&many, settings, 200, 1);
    assert!(
        failed > 100,
        "more pictures than a view has room for: {failed}"
    );
    for every in [3, 16] {
        assert!(
            looked_at(&many, settings, 200, every).0 == first,
            "every {every}"
        );
    }
    // Few uploads a tick, and something always waiting for one.
    let scene = scene();
    let settings = Settings {
        mbps: 0.0,
        uploads_per_update: 1,
        ..Settings::of_world(scene.world.as_ref().unwrap())
    };
    let (first, _) = looked_at(&scene, settings, 320, 1);
    assert_eq!(looked_at(&scene, settings, 320, 16).0, first);
}

/// What was read in each tick, while there is always something to read.
fn reads<L: Resumable>(mut tour: Tour<L>) -> Vec<f64> {
    let (mut reads, mut sum) = (Vec::new(), 0.0);
    for tick in 0..400 {
        match tick {
            150 => tour.set_settings(Settings {
                mbps: 0.3,
                ..*tour.settings()
            }),
            200 => tour.character_mut().teleport(Vec2::new(2_500.0, 700.0)),
            250 => tour.set_settings(Settings {
                mbps: 0.7,
                latency_ms: 0.0,
                ..*tour.settings()
            }),
            _ => {}
        }
        tour.tick();
        let figures = tour.figures();
        let mbps = tour.settings().mbps;
        assert!(
            figures.read_mbps() <= mbps,
            "{} in tick {tick}",
            figures.read_mbps()
        );
        assert!(figures.read_mbps().is_sign_positive());
        reads.push(figures.read_bytes);
        sum += figures.read_bytes;
        // Whatever has arrived was read before.
        assert!(sum + 1.0e-3 >= tour.streaming().statistics().loaded_bytes as f64);
    }
    let busy = reads.iter().filter(|read| **read > 0.0).count();
    assert!(busy > 200, "a disk that is busy reads all the time: {busy}");
    reads
}

#[test]
fn no_more_is_read_in_a_tick_than_the_disk_reads_in_one() {
    let scene = scene();
    let on_paper = reads(simulated(&scene, settings(&scene)));
    assert_eq!(reads(paced(&scene)), on_paper);
}

#[test]
fn nothing_is_said_to_be_less_than_nothing() {
    let scene = scene();
    let minus = Settings {
        mbps: -0.0,
        latency_ms: -0.0,
        need_factor: -0.0,
        lead: -0.0,
        ..settings(&scene)
    };
    let tour = simulated(&scene, minus);
    let settings = format!("{:?}", tour.settings());
    assert!(!settings.contains("-0"), "{settings}");
}

#[test]
fn what_is_shown_and_kept_may_go_to_other_threads() {
    fn check<T: Send + 'static>() {}
    check::<Tour>();
    check::<skirmish::streaming::Kept>();
    check::<TourPicture>();
    check::<TextureJob>();
}

#[test]
fn all_that_a_fast_disk_reads_is_said() {
    let scene = scene();
    let fast = Settings {
        mbps: 40.0,
        latency_ms: 0.0,
        ..settings(&scene)
    };
    let mut tour = simulated(&scene, fast);
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for _ in 0..200 {
        tour.tick();
        let read = tour.figures().read_bytes;
        (sum, most) = (sum + read, most.max(read));
        let arrived = tour.streaming().statistics().loaded_bytes as f64;
        assert!(sum + 1.0e-3 >= arrived, "{sum} of {arrived} bytes");
    }
    // Forty million bytes a second are two thirds of a million a tick.
    assert!((50_000.0..=666_667.0).contains(&most), "{most}");
}

#[test]
fn the_smallest_object_at_a_point_is_meant_and_nobody_where_there_is_none() {
    let scene = scene();
    let tour = simulated(&scene, settings(&scene));
    let mut picture = TourPicture::default();
    tour.picture(&TourAsk::default(), &mut picture);
    let objects = picture.objects();
    let mut shared = 0;
    for (number, object) in objects.iter().enumerate().step_by(31) {
        let at_point = || {
            (0..)
                .zip(objects)
                .filter(|(_, other)| other.aabb().contains(object.center))
        };
        shared += u32::from(at_point().count() > 1);
        let meant = picture.object_at(object.center).unwrap();
        assert_eq!(tour.object_at(object.center), Some(meant));
        let area = |number: u32| objects[number as usize].aabb().area();
        assert!(at_point().any(|(other, _)| other == meant), "{number}");
        assert!(at_point().all(|(other, _)| (area(meant), meant) <= (area(other), other)));
    }
    assert!(shared > 10, "{shared} points at which several are");
    let nowhere = Vec2::splat(1.0e6);
    assert_eq!(
        (tour.object_at(nowhere), picture.object_at(nowhere)),
        (None, None)
    );
}
