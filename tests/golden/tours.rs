//! A tour through the open world under other settings, in which everything happens that people do.

use super::{Values, folder, portrait::Print, scene};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::streaming::{
    Index, Mover, Settings, SimulatedLoader, TextureJob, Tour, TourAsk, TourPicture,
};

const TICKS: u64 = 720;

/// So often a tour is looked at, in ticks. A prime, so that it meets everything at times.
const LOOKED_AT_EVERY: u64 = 53;

/// A change of one setting.
type Turn = (&'static str, fn(&mut Settings));

const TURNS: [Turn; 20] = [
    ("as it is", |_| {}),
    ("the whole unload tree", |it| {
        it.index = Index::WholeUnloadTree;
    }),
    ("the dual tree", |it| it.index = Index::Dual),
    ("brute force", |it| it.index = Index::BruteForce),
    ("little memory", |it| it.memory_cap = 3 << 20),
    ("hardly any memory", |it| it.memory_cap = 400_000),
    ("one request in flight", |it| it.requests_in_flight = 1),
    ("few bytes in flight", |it| it.bytes_in_flight = 30_000),
    ("one upload an update", |it| it.uploads_per_update = 1),
    ("few bytes uploaded an update", |it| {
        it.upload_bytes_per_update = 70_000;
    }),
    ("one release an update", |it| it.unloads_per_update = 1),
    ("nothing predicted", |it| it.predict_seconds = 0.0),
    ("far predicted", |it| it.predict_seconds = 4.0),
    ("a slow disk", |it| it.mbps = 0.08),
    ("a disk without a limit", |it| {
        (it.mbps, it.latency_ms) = (0.0, 0.0);
    }),
    ("a disk that thinks", |it| it.latency_ms = 400.0),
    ("wide rectangles", |it| {
        (it.need_factor, it.need_max) = (2.0 * it.need_factor, 2.0 * it.need_max);
    }),
    ("a narrow margin", |it| it.margin *= 0.2),
    ("a long lead", |it| it.lead *= 2.0),
    ("failures tried again soon", |it| {
        (it.retry_seconds, it.retry_max_seconds) = (0.1, 0.4);
    }),
];

/// The fingerprint of all that each tour shows and tells, and its last hash.
pub fn tours() -> Values {
    let scene = scene("open-world.ron");
    let world = scene.world.as_ref().expect("a world");
    let usual = Settings {
        mbps: 1.5,
        latency_ms: 12.0,
        ..Settings::of_world(world)
    };
    TURNS
        .iter()
        .map(|(name, turn)| {
            let mut settings = usual;
            turn(&mut settings);
            let tour = Tour::with_loader(&scene, &folder("scenes"), settings, |sizes| {
                let mut loader = SimulatedLoader::default();
                // Every seventh picture is missing.
                for asset in (0..sizes.len() as u32).step_by(7) {
                    loader.set_missing(asset, true);
                }
                loader
            });
            (format!("open-world.ron, {name}"), travel(tour))
        })
        .collect()
}

fn travel(mut tour: Tour<SimulatedLoader>) -> String {
    let mut shown = Print::EMPTY;
    let mut picture = TourPicture::default();
    let mut jobs = Vec::new();
    let mut kept = None;
    tour.check_decisions(true);
    tour.set_watched(true);
    while tour.ticks() < TICKS {
        do_something(&mut tour, &mut kept);
        tour.tick();
        tour.take_texture_jobs(&mut jobs);
        for job in jobs.drain(..) {
            let words = match job {
                TextureJob::Show { object, .. } => format!("show {object}"),
                TextureJob::Release { object, asset } => format!("release {object} {asset}"),
                TextureJob::Clear => "clear".to_owned(),
            };
            shown.add(&words);
        }
        if tour.ticks().is_multiple_of(LOOKED_AT_EVERY) {
            tour.streaming().validate().unwrap();
            look(&tour, &mut picture, &mut shown);
        }
    }
    assert_eq!(tour.streaming().statistics().mismatches, 0);
    format!("{:016x}, hash {:016x}", shown.0, tour.hash())
}

type Kept =
    skirmish::streaming::Kept<<SimulatedLoader as skirmish::streaming::Resumable>::Promises>;

/// What people do, each at its tick.
fn do_something(tour: &mut Tour<SimulatedLoader>, kept: &mut Option<Kept>) {
    let here = tour.character().position();
    match tour.ticks() {
        0 => {
            tour.character_mut().set_speed(40.0);
            tour.character_mut().follow(Mover::Path(0));
        }
        100 => tour.character_mut().grab(),
        101..130 => tour.character_mut().drag_to(here + Vec2::new(3.0, -2.5)),
        130 => tour.character_mut().let_go(),
        160 => tour
            .character_mut()
            .teleport(here + Vec2::new(-150.0, 90.0)),
        200 => tour.character_mut().record(),
        201..300 => tour.character_mut().walk_by_keys(Vec2::new(1.0, 0.5)),
        300 => tour.character_mut().walk_by_keys(Vec2::ZERO),
        310 => {
            let way = tour
                .character_mut()
                .stop_recording()
                .expect("something was recorded");
            let path = tour.character_mut().add_path(way);
            tour.character_mut().follow(Mover::Path(path));
        }
        350 => *kept = Some(tour.keep()),
        380..400 if kept.is_some() => {
            if let Some(kept) = kept.take() {
                tour.restore(&kept);
                tour.character_mut().set_speed(120.0);
                tour.character_mut().follow(Mover::Path(1));
            }
        }
        420 => {
            let ids = tour.resident_ids();
            for object in ids.iter().step_by(3) {
                tour.upload_refused(*object, "no room");
            }
        }
        480 => {
            let settings = *tour.settings();
            tour.set_settings(Settings {
                memory_cap: settings.memory_cap / 6,
                ..settings
            });
        }
        560 => {
            let settings = *tour.settings();
            tour.set_settings(Settings {
                margin: settings.margin * 0.5,
                lead: settings.lead * 1.5,
                ..settings
            });
        }
        600 => tour.reset_statistics(),
        640 => tour.character_mut().teleport(Vec2::new(-1.0e7, 1.0e7)),
        680 => tour
            .character_mut()
            .teleport(here - Vec2::new(-1.0e7, 1.0e7)),
        _ => {}
    }
}

fn look(tour: &Tour<SimulatedLoader>, picture: &mut TourPicture, shown: &mut Print) {
    let here = tour.character().position();
    let ticks = tour.ticks();
    let objects = tour.streaming().objects().len() as u64;
    let ask = TourAsk {
        view: match ticks % 2 {
            0 => Aabb::EVERYTHING,
            _ => Aabb::around(here, Vec2::new(90.0, 60.0)),
        },
        smallest: if ticks.is_multiple_of(3) { 5.0 } else { 0.0 },
        cursor: Some(here),
        selection: Some((ticks * 7 % objects) as u32),
        regions: true,
        pending: true,
        ..TourAsk::default()
    };
    tour.picture(&ask, picture);
    // Files are named by where they lie, which is elsewhere in another checkout.
    let mut say = |words: String| shown.add(&words.replace(env!("CARGO_MANIFEST_DIR"), ""));
    say(format!("{picture:?}"));
    for object in (0..objects as u32).step_by(11) {
        say(tour.streaming().object(object).why().join(" "));
        say(format!("{:?}", tour.body(object)));
    }
    for seconds in [0.1, 1.0] {
        say(format!("{:?}", tour.character().predicted(seconds)));
    }
    let streaming = tour.streaming();
    say(format!(
        "{} {} {} {}",
        streaming.amounts().held_bytes,
        streaming.amounts().bytes_in_flight,
        streaming.amounts().missing,
        streaming.is_settled(),
    ));
    say(tour.figures().held_bytes.to_string());
}
