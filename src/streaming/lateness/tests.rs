//! What is advised is tried: the same way again, on that disk or with that lead.

use super::words::{said_mbps, up};
use super::*;
use crate::scene::file;
use crate::streaming::{Clock, Mover, Remedy, Settings, SimulatedLoader, Tour, WorldObject};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How somebody goes through the open world, and for how many ticks.
#[derive(Clone, Copy, Debug)]
struct Way {
    path: &'static str,
    speed: f32,
    ticks: u32,
}

/// Settings by which an object is needed ten metres around the character, and nothing is predicted.
fn needed_within_ten_metres() -> Settings {
    Settings {
        need_factor: 0.0,
        need_min: 10.0,
        need_max: 10.0,
        predict_seconds: 0.0,
        ..Settings::default()
    }
}

/// Who was late on this way, by number, the first time: how late, or `None` of who had not come by the end. All who were asked for when they
/// were needed already are left out.
fn late_on(way: Way, settings: Settings) -> BTreeMap<u32, Option<Lateness>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let scene = file::read(&folder.join("open-world.ron")).expect("a scene");
    let mut tour = Tour::with_loader(&scene, &folder, settings, |_| SimulatedLoader::default());
    tour.set_watched(false);
    let paths = tour.character().paths();
    let path = paths.iter().position(|path| path.name == way.path);
    let path = Mover::Path(path.expect("that path"));
    tour.character_mut().follow(path);
    tour.character_mut().set_speed(way.speed);
    let mut late = BTreeMap::new();
    for _ in 0..way.ticks {
        tour.tick();
        for object in tour.streaming().all_late_now() {
            late.entry(object).or_insert(None);
        }
        let came = tour.streaming().came_late();
        for (object, lateness) in came.filter(|(_, it)| it.has_come()) {
            let known = late.entry(object).or_insert(None);
            *known = known.or(Some(lateness));
        }
    }
    late
}

fn open_world() -> Settings {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let scene = file::read(&folder.join("open-world.ron")).expect("a scene");
    Tour::settings_of(scene.world.as_ref().expect("a world"))
}

/// Ways and settings on which objects come late.
fn slow() -> Vec<(Way, Settings)> {
    let way = |path, speed, ticks| Way { path, speed, ticks };
    let on = |mbps, latency_ms, lead| Settings {
        mbps,
        latency_ms,
        lead,
        ..open_world()
    };
    let far = |settings| Settings {
        predict_seconds: 0.0,
        requests_in_flight: 64,
        ..settings
    };
    let requests = |requests_in_flight, settings| Settings {
        requests_in_flight,
        ..settings
    };
    vec![
        (way("ride", 12.0, 1800), on(0.025, 8.0, 80.0)),
        (way("ride", 40.0, 1500), on(0.03, 8.0, 80.0)),
        (way("ride", 40.0, 1500), on(0.06, 8.0, 40.0)),
        (way("ride", 20.0, 1500), on(0.05, 8.0, 20.0)),
        (way("walk", 20.0, 1500), on(0.1, 8.0, 10.0)),
        (way("walk", 20.0, 1200), on(0.5, 500.0, 10.0)),
        (way("ride", 20.0, 1200), on(2.0, 800.0, 10.0)),
        (way("ride", 40.0, 1200), far(on(2.0, 300.0, 8.0))),
        (way("walk", 12.0, 2400), far(on(0.5, 500.0, 2.0))),
        (way("ride", 40.0, 1800), far(on(0.5, 500.0, 10.0))),
        (way("ride", 20.0, 1800), far(on(0.2, 50.0, 3.0))),
        (way("walk", 12.0, 1800), far(on(0.1, 50.0, 2.0))),
        (way("walk", 12.0, 900), on(1.0, 8.0, 80.0)),
        (way("walk", 12.0, 900), on(0.3, 8.0, 80.0)),
        (way("ride", 40.0, 900), on(0.14, 8.0, 80.0)),
        (way("ride", 20.0, 1200), requests(2, on(2.0, 300.0, 80.0))),
        (way("walk", 20.0, 1200), requests(4, on(1.0, 200.0, 80.0))),
    ]
}

/// What is told of one to whom that is still to come.
fn to_come(late: &Lateness) -> Vec<String> {
    let told = late.told_to_come(Clock::Start).into_iter();
    told.map(|it| it.words).collect()
}

/// Of those who were late and came, every so many, so that a test is done in time.
fn some(late: &BTreeMap<u32, Option<Lateness>>) -> impl Iterator<Item = (u32, Lateness)> {
    let came = late
        .iter()
        .filter_map(|(object, late)| Some((*object, (*late)?)));
    let every = (late.len() / 9).max(1);
    came.step_by(every)
}

/// What is advised, as it is said: so many metres more lead, so many megabytes a second, and whether more requests help, where anything
/// is said of that.
fn advised(late: &Lateness) -> (Option<f32>, Option<f32>, Option<bool>) {
    let all = late.sentences(Clock::Start).join(" ");
    let before = |words: &str| {
        let number = all.split(words).next()?.split(' ').next_back()?;
        all.contains(words)
            .then(|| number.parse().expect("a number"))
    };
    let requests = [
        all.contains("More requests empty it sooner"),
        all.contains("by more requests it reads no more"),
    ];
    assert_ne!(requests, [true; 2], "{all}");
    let help = requests.contains(&true).then_some(requests[0]);
    (before(" m more lead"), before(" MB a second"), help)
}

#[test]
fn what_is_advised_is_enough_and_where_no_lead_is_said_to_be_enough_none_is() {
    let (mut leads, mut disks, mut none, mut unsaid) = (0, 0, 0, 0);
    // Those of whom it is said that more requests help, and that they do not.
    let mut requests = [0, 0];
    let mut sooner = 0;
    // Of whom it is said that fewer requests may help: how many come sooner with half of them, of how many.
    let mut may_help = [0, 0];
    // Disks among others that are advised and are much quicker than has to be, of how many.
    let mut generous = [0, 0];
    for (way, settings) in slow() {
        let more = Settings {
            requests_in_flight: 4 * settings.requests_in_flight,
            ..settings
        };
        let with_more = late_on(way, more);
        for (object, late) in some(&late_on(way, settings)) {
            let case = || format!("{way:?} {} {settings:?} {late:?}", object);
            let is_late = |settings| late_on(way, settings).contains_key(&object);
            let (more, mbps, do_requests_help) = advised(&late);
            if let Some(mbps) = mbps {
                assert!(!is_late(Settings { mbps, ..settings }), "{}", case());
                disks += 1;
                let mbps = 0.65 * mbps;
                if late.is_among_others() && mbps > settings.mbps {
                    generous[0] += u32::from(!is_late(Settings { mbps, ..settings }));
                    generous[1] += 1;
                }
            }
            // How late it is with them; not at all where it has not even been asked for too late.
            let late_then = match with_more.get(&object) {
                None => 0.0,
                Some(late) => late.map_or(f64::INFINITY, |late| late.seconds()),
            };
            match do_requests_help {
                Some(true) => assert!(late_then < late.seconds(), "{}", case()),
                // Others go first then; the disk is no quicker.
                Some(false) => sooner += u32::from(late_then < late.seconds() - 2.0 * TICK),
                None => {}
            }
            if let Some(help) = do_requests_help {
                requests[usize::from(!help)] += 1;
            }
            let said = late.sentences(Clock::Start).join(" ");
            if said.contains("Fewer requests may help") {
                let half = Settings {
                    requests_in_flight: (settings.requests_in_flight / 2).max(1),
                    ..settings
                };
                let then = late_on(way, half);
                let late_then = then
                    .get(&object)
                    .map_or(0.0, |it| it.map_or(f64::INFINITY, |late| late.seconds()));
                may_help[0] += u32::from(late_then < late.seconds());
                may_help[1] += 1;
            }
            if said.contains("However quick the disk") {
                let mbps = 1.0e3 * settings.mbps;
                assert!(is_late(Settings { mbps, ..settings }), "{}", case());
            }
            // What can be set with a click is what is said, and no more than that.
            let mut offered = (None, None);
            let told = late.told_of(Clock::Start).into_iter();
            for remedy in told.flat_map(|it| it.enough) {
                match remedy {
                    Remedy::Lead(lead) => offered.0 = Some(lead),
                    Remedy::Disk(mbps) => offered.1 = Some(mbps),
                    Remedy::Cap(_) | Remedy::Margin(_) => panic!("{}", case()),
                }
            }
            assert_eq!(offered.1, mbps, "{}", case());
            assert_eq!(offered.0.is_some(), more.is_some(), "{}", case());
            if let (Some(more), Some(lead)) = (more, offered.0) {
                assert!((lead - settings.lead - more).abs() < 1.0e-3, "{}", case());
                assert!(!is_late(Settings { lead, ..settings }), "{}", case());
                leads += 1;
            }
            let much = Settings {
                lead: 3.0 * settings.lead + 100.0,
                ..settings
            };
            match late.lead {
                Lead::FirstTick { .. } | Lead::TooSoon { .. } | Lead::OthersFirst { .. } => {
                    let said = late.sentences(Clock::Start);
                    assert!(
                        said[0].starts_with("No lead would have been enough"),
                        "{said:?}"
                    );
                    assert!(more.is_none() && is_late(much), "{}", case());
                    none += 1;
                }
                Lead::Enough { .. } => assert!(more.is_some()),
                Lead::NoPause { .. }
                | Lead::Pauses { .. }
                | Lead::Changed
                | Lead::Moved
                | Lead::LongAgo
                | Lead::AskedLater
                | Lead::Turned
                | Lead::AnotherWay
                | Lead::Unknown => {
                    assert!(more.is_none(), "{}", case());
                    unsaid += 1;
                }
            }
        }
    }
    // Of each there were some.
    assert!(
        leads > 20 && disks > 20 && none > 20 && unsaid > 5,
        "{leads} {disks} {none} {unsaid}"
    );
    assert!(requests.iter().all(|count| *count > 10), "{requests:?}");
    assert!(10 * sooner < requests[1], "{sooner} of {requests:?}");
    let [sooner, of] = may_help;
    assert!(of > 10 && 4 * sooner >= 3 * of, "{may_help:?}");
    let [too_quick, of] = generous;
    assert!(of > 20 && too_quick * 5 < of, "{generous:?}");
}

#[test]
fn who_was_asked_for_in_the_first_tick_is_told_that_no_lead_helps_and_which_disk_does() {
    let (way, settings) = slow()[0];
    let late = late_on(way, settings);
    let first = some(&late).filter(|(_, it)| matches!(it.lead, Lead::FirstTick { .. }));
    for (_, late) in first {
        let said = late.sentences(Clock::Start);
        assert!(
            said[0].contains("in the first tick after the start, at 0.02 s"),
            "{said:?}"
        );
        let is_of_disk = said[1].starts_with("Enough for it, all else as it was: a disk");
        assert!(is_of_disk, "{said:?}");
        assert!(
            said.iter().all(|it| !it.contains("larger lead")),
            "{said:?}"
        );
    }
}

#[test]
fn where_it_cannot_be_told_what_would_have_been_enough_it_is_said_why() {
    let way = Way {
        path: "ride",
        speed: 300.0,
        ticks: 900,
    };
    let mut reasons = BTreeMap::new();
    // Of whom it is said that a larger lead hardly helps: how many come in time with half as much again, and how many do not.
    let mut no_pause = [0, 0];
    let fast = [0.5, 2.0, 8.0].map(|mbps| {
        let settings = Settings {
            mbps,
            ..open_world()
        };
        (way, settings)
    });
    for (way, settings) in slow().into_iter().chain(fast) {
        let larger = Settings {
            lead: 1.5 * settings.lead,
            ..settings
        };
        let with_more = late_on(way, larger);
        for (object, late) in late_on(way, settings) {
            let Some(late) = late else { continue };
            let said = late.sentences(Clock::Start);
            if matches!(late.lead, Lead::NoPause { .. }) {
                let conclusion =
                    ": so a somewhat larger lead alone would hardly have brought it in time";
                assert!(said[0].contains(conclusion), "{said:?}");
                no_pause[usize::from(with_more.contains_key(&object))] += 1;
            }
            if let Err(why) = late.quicker_disk() {
                *reasons.entry(format!("{why:?}")).or_insert(0) += 1;
            }
        }
    }
    assert!(reasons.len() > 4, "{reasons:?}");
    let [in_time, late] = no_pause;
    assert!(late > 5 && in_time == 0, "{no_pause:?}");
}

/// At 60 m/s by these objects: at which place along the way each is, and its bytes. Their disk reads 100 kB/s without latency.
fn late_along_a_row(objects: &[(f32, u64)], lead: f32) -> BTreeMap<u32, Lateness> {
    late_along(objects, (lead, 0.1, 0.0))
}

/// The same with this lead, so many megabytes a second and this latency.
fn late_along(
    objects: &[(f32, u64)],
    (lead, mbps, latency_ms): (f32, f32, f32),
) -> BTreeMap<u32, Lateness> {
    let settings = Settings {
        lead,
        mbps,
        latency_ms,
        ..needed_within_ten_metres()
    };
    let object = |&(x, bytes): &(f32, u64)| WorldObject {
        center: Vec2::new(x, 0.0),
        half_extent: Vec2::ZERO,
        bytes,
        asset: 0,
    };
    let end = objects.iter().map(|(x, _)| *x).fold(0.0, f32::max);
    let objects: Vec<_> = objects.iter().map(object).collect();
    let loader = SimulatedLoader::default();
    let mut streaming = Streaming::new(objects, ["a.png".into()], settings, loader);
    for tick in 0..(1_080 + end as u32) {
        let at = Vec2::new(tick as f32 - 480.0, 0.0);
        streaming.update(f64::from(tick) * TICK, at, Vec2::new(60.0, 0.0));
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
    streaming.lateness.clone()
}

#[test]
fn of_whom_it_is_said_that_a_larger_lead_hardly_helps_few_come_in_time_with_half_as_much_again() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let mut no_pause = [0, 0];
    for _ in 0..40 {
        // What comes in a second takes the disk about as long.
        let share = random.random_range(0.9..1.1);
        let row: Vec<(f32, u64)> = (0..60_u16)
            .map(|place| {
                let bytes = share * random.random_range(20_000.0..180_000.0);
                (60.0 * f32::from(place), bytes as u64)
            })
            .collect();
        let with_more = late_along_a_row(&row, 45.0);
        for (object, late) in late_along_a_row(&row, 30.0) {
            if matches!(late.lead, Lead::NoPause { .. }) {
                no_pause[usize::from(with_more.contains_key(&object))] += 1;
            }
        }
    }
    let [in_time, late] = no_pause;
    assert!(late > 100 && 20 * in_time < late, "{no_pause:?}");
}

/// By an object of so many bytes every second, and at last by one of 10 kB beside the last of them, which is read behind it: how late
/// that one was, if it was.
fn beside_the_last_of_a_row(bytes: u64, lead: f32) -> Option<Lateness> {
    let row = (-1..=20_i16).map(|place| (60.0 * f32::from(place), bytes));
    let row: Vec<_> = row.chain([(1202.0, 10_000)]).collect();
    late_along_a_row(&row, lead)
        .get(&(row.len() as u32 - 1))
        .copied()
}

#[test]
fn who_is_needed_two_ticks_after_it_is_asked_for_is_told_of_a_disk_that_is_enough() {
    // At a metre a tick they are asked for 12 m away and needed at 10 m, one read behind the other.
    let pair = [(0.0, 4_600); 2];
    let on = |mbps| late_along(&pair, (2.5, mbps, 8.0));
    let late = on(0.1);
    let second = late.get(&1).expect("one that was late");
    assert!((second.needed_at() - second.queued_at - 2.0 * TICK).abs() < 1.0e-9);
    let (_, mbps, _) = advised(second);
    let mbps = mbps.expect("a disk");
    // There in the very tick in which it is needed it is not late.
    assert!(on(mbps).is_empty() && on(0.5).is_empty());
    assert!(mbps < 0.5, "{mbps}");
}

#[test]
fn a_larger_lead_may_help_where_the_disk_was_free_for_longer_than_it_was_late_by() {
    // For a tenth of the time it is free, of which a larger lead makes use.
    let late = beside_the_last_of_a_row(90_000, 10.0).expect("late");
    let Lead::Pauses { paused, of } = late.lead else {
        panic!("{late:?}");
    };
    assert!(paused > late.seconds() && paused < 0.2 * of, "{late:?}");
    let said = late.sentences(Clock::Start);
    assert!(said[0].starts_with("A larger lead may help"), "{said:?}");
    assert_eq!(beside_the_last_of_a_row(90_000, 80.0), None);
    // Nearly all of the time it is busy.
    let late = beside_the_last_of_a_row(98_000, 10.0).expect("late");
    assert!(matches!(late.lead, Lead::NoPause { .. }), "{late:?}");
}

#[test]
fn a_lead_that_is_offered_is_no_less_than_what_would_have_been_enough() {
    let offered = |lead: f32, more: f64| {
        let late = Lateness {
            lead: Lead::Enough {
                more,
                lead: f64::from(lead),
                speed: 6.0,
            },
            ..Lateness::at(14.0, 15.5)
        };
        let told = late.told_of(Clock::Start).into_iter();
        let mut all = told.flat_map(|it| it.enough);
        all.find_map(|it| match it {
            Remedy::Lead(lead) => Some(lead),
            _ => None,
        })
    };
    assert_eq!(offered(80.0, 3.34), Some(83.4));
    assert_eq!(offered(80.3, 3.34), Some(83.7));
    assert_eq!(offered(80.0, 0.000_321), Some(80.0004));
    assert_eq!(offered(80.0, 0.000_03), Some(80.0001));
    for lead in [0.1, 12.345_678, 80.3, 4_000.3] {
        for more in [1.0e-7, 0.000_049, 0.000_321, 0.012_3, 3.4, 512.7] {
            let enough = offered(lead, more).expect("a lead");
            let by = f64::from(enough) - f64::from(lead);
            assert!(enough > lead && by >= more, "{lead} {more} {enough}");
            assert!(by < 1.1 * more + 1.0e-3, "{lead} {more} {enough}");
        }
    }
}

#[test]
fn how_long_there_was_is_counted_from_a_tick_that_is_named() {
    let too_soon = Lateness {
        lead: Lead::TooSoon {
            had: 14.05 - TICK,
            takes: 15.0,
        },
        ..Lateness::at(14.05, 15.5)
    };
    for (clock, words) in [
        (Clock::Start, "first tick after the start, at 0.02 s, and"),
        (
            Clock::Restart,
            "first tick of its world, 0.02 s after the restart, and",
        ),
    ] {
        let said = too_soon.sentences(clock).remove(0);
        let expected = format!(
            "No lead would have been enough: it was needed 14.03 s after the {words} takes 15.00 s with the disk to itself."
        );
        assert_eq!(said, expected);
    }
    let others_first = Lateness {
        lead: Lead::OthersFirst {
            takes: 4.0,
            had: 3.5,
        },
        ..too_soon
    };
    assert_eq!(
        others_first.sentences(Clock::Start)[0],
        "No lead would have been enough: what was needed before it took the disk 4.00 s, and it was needed 3.50 s after the first tick \
         after the character was put there, at 10.55 s."
    );
}

#[test]
fn who_was_held_back_by_something_else_is_promised_nothing_of_the_disk() {
    let disk = Disk {
        mbps: 1.0,
        latency_ms: 8.0,
    };
    let of_disk = Lateness {
        queued_at: 1.0,
        read: (4.0, 4.5),
        disk,
        transfer: 0.5,
        behind_others: Ok(1.5),
        ..Lateness::at(3.0, 4.5)
    };
    assert!(of_disk.quicker_disk().is_ok());
    let wait = |busy, idle| Wait {
        busy,
        idle,
        budgets: Some(Budgets {
            requests: 8,
            bytes: 500_000,
            memory: 2_000_000,
        }),
        enough: None,
    };
    let idle = |by_requests, by_bytes, by_memory| Idle {
        paused: 0.0,
        by_requests,
        by_bytes,
        by_memory,
    };
    // By what it was held back is said with its figure, and with what helps against that and nothing else.
    for (wait, words) in [
        (
            wait(0.5, idle(0.0, 0.0, 2.5)),
            "for 2.50 s the memory cap of 2 MB left no room, and nothing was being read; for 500 ms the disk was busy with what came \
             before it. A larger cap empties it sooner; a quicker disk",
        ),
        (
            Wait {
                enough: Some(412_300_001),
                ..wait(0.5, idle(0.0, 0.0, 2.5))
            },
            "A larger cap empties it sooner: when it came to be needed, one of 413 MB would have been enough for all that was there and asked for.",
        ),
        (
            wait(0.5, idle(2.5, 0.0, 0.0)),
            "for 2.50 s all 8 requests that may be in flight were taken, waiting out their latency or the next tick, in which the disk reads nothing; \
             for 500 ms the disk was busy with what came before it. More requests empty it sooner.",
        ),
        (
            wait(0.5, idle(0.0, 2.5, 0.0)),
            "500 kB were in flight, or more than that would have been, and nothing was being read; for 500 ms the disk was busy with \
             what came before it. More bytes",
        ),
        (
            wait(1.6, idle(1.4, 0.0, 0.0)),
            "for 1.60 s the disk was busy with what came before it; for 1.40 s all 8 requests that may be in flight were taken, \
             waiting out their latency or the next tick, in which the disk reads nothing. A quicker one or smaller files help. More requests empty it sooner.",
        ),
    ] {
        let held = Lateness {
            wait: Some(wait),
            ..of_disk
        };
        assert_eq!(held.quicker_disk(), Err(NoDisk::HeldBack));
        let said = held.sentences(Clock::Start).join(" ");
        assert!(said.contains(words), "{said}");
        assert!(!said.contains("Enough for it"), "{said}");
    }
    let busy = Lateness {
        wait: Some(wait(3.0, idle(0.0, 0.0, 0.0))),
        ..of_disk
    };
    let said = busy.sentences(Clock::Start).join(" ");
    assert!(
        said.contains("by more requests it reads no more."),
        "{said}"
    );
    // Also where it is the smaller part of the wait: it may be more than it was late by.
    let between = Lateness {
        wait: Some(wait(8.0, idle(1.6, 0.0, 0.0))),
        lead: Lead::NoPause {
            paused: 0.0,
            by_requests: 1.6,
            of: 9.6,
        },
        ..of_disk
    };
    let said = between.sentences(Clock::Start).join(" ");
    for words in [
        "left the disk free for no more than 0 ms, beside 1.60 s in which it read nothing as no more requests might be in flight: so a \
         somewhat larger lead alone would hardly have brought it in time; more requests may help.",
        "for 8.00 s the disk was busy with what came before it; for 1.60 s all 8 requests that may be in flight were taken, waiting out \
         their latency or the next tick, in which the disk reads nothing. A quicker one or smaller files help. More requests may help.",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let by_uploads = Lateness {
        came_at: 7.0,
        ..of_disk
    };
    assert_eq!(by_uploads.quicker_disk(), Err(NoDisk::Upload));
}

/// Some objects that are needed from 10 m away and asked for from 70 m, the last of them once the character has leapt to it while they
/// were on their way, with these settings changed then.
fn leapt_to(settings: Settings, then: Settings) -> Lateness {
    let object = |place: u8| WorldObject {
        center: Vec2::new(100.0 + 0.1 * f32::from(place), 0.0),
        half_extent: Vec2::ZERO,
        bytes: 1_000,
        asset: 0,
    };
    let objects: Vec<_> = (0..4).map(object).collect();
    let loader = SimulatedLoader::default();
    let mut streaming = Streaming::new(objects, ["a.png".into()], settings, loader);
    for tick in 0..240_u32 {
        let at = match tick < 12 {
            true => Vec2::new(40.0, 0.0),
            false => Vec2::new(95.0, 0.0),
        };
        if tick == 12 {
            streaming.set_settings(then);
        }
        streaming.update(f64::from(tick) * TICK, at, Vec2::ZERO);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
    *streaming.lateness.get(&3).expect("one that came late")
}

#[test]
fn what_really_bound_is_named_also_beyond_a_leap_and_where_settings_were_changed() {
    let settings = Settings {
        lead: 60.0,
        mbps: 10.0,
        latency_ms: 400.0,
        requests_in_flight: 1,
        ..needed_within_ten_metres()
    };
    let late = leapt_to(settings, settings);
    let said = late.sentences(Clock::Start).join(" ");
    assert!(
        said.contains("the character was put elsewhere after it was asked for"),
        "{said}"
    );
    assert!(
        said.contains(
            "the one request that may be in flight was taken, waiting out its latency or the next tick, in which the disk reads nothing"
        ),
        "{said}"
    );
    // What held it back was no disk, and no quicker one helps against it.
    assert!(
        said.contains("A quicker disk would help little: for "),
        "{said}"
    );
    assert!(!said.contains("memory cap"), "{said}");
    assert_eq!(late.waited_for(), Some("for a free request"));
    // With other settings the figure of now is not that of the whole wait.
    let other = Settings {
        mbps: 20.0,
        ..settings
    };
    let said = leapt_to(settings, other).sentences(Clock::Start).join(" ");
    assert!(
        said.contains(
            "all requests that might be in flight were taken, waiting out their latency or the next tick, in which the disk reads nothing"
        ),
        "{said}"
    );
}

#[test]
fn who_is_asked_for_as_the_character_turns_to_it_is_told_so() {
    let settings = Settings {
        lead: 20.0,
        margin: 100.0,
        predict_seconds: 0.5,
        mbps: 10.0,
        latency_ms: 500.0,
        ..needed_within_ten_metres()
    };
    let objects = vec![WorldObject {
        center: Vec2::new(0.0, 35.0),
        half_extent: Vec2::ZERO,
        bytes: 1_000,
        asset: 0,
    }];
    let loader = SimulatedLoader::default();
    let mut streaming = Streaming::new(objects, ["a.png".into()], settings, loader);
    // A metre a tick, past it at more than the lead, and then straight to it.
    for tick in 0..300_u32 {
        let way = tick as f32 - 120.0;
        let (at, velocity) = match tick < 120 {
            true => (Vec2::new(way, 0.0), Vec2::new(60.0, 0.0)),
            false => (Vec2::new(0.0, way), Vec2::new(0.0, 60.0)),
        };
        streaming.update(f64::from(tick) * TICK, at, velocity);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
    let late = streaming.lateness.get(&0).expect("one that came late");
    assert_eq!(late.lead, Lead::Turned);
    let said = late.sentences(Clock::Start).join(" ");
    assert!(said.contains("the character turned"), "{said}");
    assert!(!said.contains("given up"), "{said}");
}

#[test]
fn of_one_that_was_given_up_the_time_until_that_is_told() {
    let given_up = Lateness {
        is_given_up: true,
        ..Lateness::at(4.0, 5.5)
    };
    let known = |is_known: bool| Lateness {
        is_known,
        ..given_up
    };
    for (is_known, begins) in [(true, "Of the"), (false, "Where the")] {
        let late = known(is_known);
        let was = late.sentences(Clock::Start).join(" ");
        let words = format!("{begins} 1.50 s from its queueing until it was given up");
        assert!(was.starts_with(&words), "{was}");
        let is = to_come(&late).join(" ");
        let words = format!("{begins} 1.50 s from its queueing until it is given up");
        assert!(is.starts_with(&words), "{is}");
    }
}

#[test]
fn of_one_that_was_given_up_a_disk_is_named_that_would_have_been_enough_and_no_lead() {
    let given_up = Lateness {
        is_given_up: true,
        disk: Disk {
            mbps: 2.0,
            latency_ms: 0.0,
        },
        transfer: 0.5,
        behind_others: Ok(3.05),
        ..Lateness::at(4.0, 5.5)
    };
    let enough = "Enough for it, all else as it was: a disk of at most about 3.4 MB a second instead of 2 (less may do).";
    for said in [given_up.sentences(Clock::Start), to_come(&given_up)] {
        assert_eq!(said[0], enough);
        assert!(
            said.len() == 2 && said[1].starts_with("Of the 1.50 s "),
            "{said:?}"
        );
    }
    // Where no disk is known to be enough none is named, and no reason for that: how late it would have come nobody knows.
    let unknown = Lateness {
        behind_others: Err(NoDisk::Forgotten),
        ..given_up
    };
    assert_eq!(unknown.sentences(Clock::Start).len(), 1);
}

#[test]
fn what_is_enough_is_said_with_two_digits_and_is_never_too_little() {
    for (value, said) in [(11.01, 12.0), (0.4131, 0.42), (234.0, 240.0), (5.0, 5.0)] {
        assert!((up(value) - said).abs() < 1.0e-9, "{value}: {}", up(value));
    }
    for (value, said) in [(3.3, 3.4), (3.29, 3.3), (5.0, 5.0), (0.033, 0.034)] {
        assert_eq!(said_mbps(value), said, "{value}");
    }
}

/// How quick a disk would have been enough for the last of so many objects that are asked for in one tick, 20 m before they are needed, and
/// read too slowly, with these settings.
fn enough_for_the_last(count: u8, settings: Settings) -> Result<f64, NoDisk> {
    let along = (0..count).map(|place| on_the_way(100.5 + 0.01 * f32::from(place), 100_000));
    enough_for_last_of(along.collect(), settings)
}

/// The same of the last of these, which stand along the way to it: the character goes a metre in a tick, and stops when it needs it.
fn enough_for_last_of(objects: Vec<WorldObject>, settings: Settings) -> Result<f64, NoDisk> {
    let last = objects.len() as u32 - 1;
    let stop = objects[last as usize].center.x - 5.5;
    let loader = SimulatedLoader::default();
    let mut streaming = Streaming::new(objects, ["a.png".into()], settings, loader);
    let came = |streaming: &Streaming<_>| streaming.lateness.get(&last).copied();
    for tick in 0..3_000_u32 {
        let x = (tick as f32).min(stop);
        streaming.update(f64::from(tick) * TICK, Vec2::new(x, 0.0), Vec2::ZERO);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
        if let Some(late) = came(&streaming) {
            return late.behind_others;
        }
    }
    panic!("it was in time");
}

#[test]
fn as_many_as_there_are_requests_wait_for_no_other_ones() {
    let settings = Settings {
        lead: 20.0,
        margin: 100.0,
        mbps: 0.1,
        latency_ms: 150.0,
        requests_in_flight: 8,
        ..needed_within_ten_metres()
    };
    // All are begun in the tick in which they are asked for, and have a sixth of a second beside their latency.
    assert!(enough_for_the_last(3, settings).is_ok());
    assert!(enough_for_the_last(8, settings).is_ok());
    // One after the other they wait for a latency each.
    let one_by_one = Settings {
        requests_in_flight: 1,
        ..settings
    };
    assert_eq!(enough_for_the_last(8, one_by_one), Err(NoDisk::Requests));
    // Of a latency shorter than a tick each takes that tick, and not more.
    let short = Settings {
        latency_ms: 8.0,
        ..one_by_one
    };
    assert!(enough_for_the_last(14, short).is_ok());
    assert_eq!(enough_for_the_last(30, short), Err(NoDisk::Requests));
}

/// An object of so many bytes that stands so far along the way.
fn on_the_way(x: f32, bytes: u64) -> WorldObject {
    WorldObject {
        center: Vec2::new(x, 0.0),
        half_extent: Vec2::ZERO,
        bytes,
        asset: 0,
    }
}

#[test]
fn many_small_ones_take_all_requests_however_few_bytes_they_have() {
    let settings = Settings {
        lead: 60.0,
        margin: 1_000.0,
        mbps: 1.0,
        latency_ms: 150.0,
        requests_in_flight: 2,
        ..needed_within_ten_metres()
    };
    // They are asked for a second before a large one, which alone needs the quickest disk.
    let mut objects = vec![on_the_way(140.5, 10_000); 60];
    objects.push(on_the_way(200.5, 4_000_000));
    let enough = enough_for_last_of(objects, settings);
    assert_eq!(enough, Err(NoDisk::Requests));
}

#[test]
fn what_was_uploaded_long_before_takes_no_upload_from_who_has_little_time() {
    let settings = Settings {
        lead: 10.7,
        margin: 1_000.0,
        mbps: 0.1,
        latency_ms: 160.0,
        requests_in_flight: 8,
        uploads_per_update: 4,
        ..needed_within_ten_metres()
    };
    // One every quarter of a second, a little larger than what is read meanwhile: the disk never rests, and few wait at a time. Beside the
    // latency each has less time than two ticks.
    let along = (0_u8..21).map(|place| on_the_way(40.5 + 15.0 * f32::from(place), 26_000));
    let enough = enough_for_last_of(along.collect(), settings);
    assert!(enough.is_ok(), "{enough:?}");
}

#[test]
fn where_one_tick_does_not_upload_all_of_them_more_time_is_left() {
    let settings = Settings {
        lead: 20.0,
        margin: 100.0,
        mbps: 0.1,
        latency_ms: 150.0,
        requests_in_flight: 16,
        uploads_per_update: 14,
        ..needed_within_ten_metres()
    };
    let at_once = enough_for_the_last(14, settings).expect("a disk");
    let few = Settings {
        uploads_per_update: 8,
        ..settings
    };
    let in_two_ticks = enough_for_the_last(14, few).expect("a disk");
    assert!(in_two_ticks > at_once, "{in_two_ticks} {at_once}");
}
