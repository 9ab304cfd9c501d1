//! Whether what is said of an object is so.

use super::super::{
    Clock, Newcomer, ObjectsEdit, Remedy, Settings, SimulatedLoader, State, Streaming, WorldObject,
};
use crate::geometry::Vec2;

/// What is needed is needed within 10 m, and nobody looks ahead.
fn narrow() -> Settings {
    Settings {
        need_factor: 0.0,
        need_min: 10.0,
        need_max: 10.0,
        margin: 40.0,
        predict_seconds: 0.0,
        ..Settings::default()
    }
}

/// A world of so many objects of 200 kB, 100 m away, each one a decimetre behind the one before.
fn row(count: u8, settings: Settings) -> Streaming<SimulatedLoader> {
    let object = |place: u8| WorldObject {
        center: Vec2::new(100.0 + 0.1 * f32::from(place), 0.0),
        half_extent: Vec2::ZERO,
        bytes: 200_000,
        asset: 0,
    };
    let objects: Vec<_> = (0..count).map(object).collect();
    let loader = SimulatedLoader::default();
    Streaming::new(objects, ["a.png".into()], settings, loader)
}

fn world(settings: Settings) -> Streaming<SimulatedLoader> {
    row(1, settings)
}

/// That world, once the character has come by the object at 20 m/s, which is needed within 10 m.
fn passed(settings: Settings) -> Streaming<SimulatedLoader> {
    let mut streaming = world(settings);
    go(&mut streaming, 0..330);
    streaming
}

/// The character goes on at 20 m/s.
fn go(streaming: &mut Streaming<SimulatedLoader>, ticks: std::ops::Range<u32>) {
    let speed = 20.0;
    for tick in ticks {
        let seconds = f64::from(tick) / 60.0;
        let position = Vec2::new(seconds as f32 * speed, 0.0);
        streaming.update(seconds, position, Vec2::new(speed, 0.0));
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
}

#[test]
fn who_has_gone_nowhere_yet_is_about_to_enter_nothing() {
    let mut streaming = world(narrow());
    streaming.objects = [WorldObject {
        center: Vec2::ZERO,
        ..streaming.objects[0]
    }]
    .into();
    let streaming = streaming.seen_from(Vec2::new(960.0, 40.0));
    let why = streaming.why(0);
    assert!(
        why[1].starts_with("The character is outside its unload rectangle"),
        "{why:?}"
    );
}

#[test]
fn of_one_that_was_never_needed_it_is_said_why() {
    let told = |streaming: &Streaming<SimulatedLoader>| streaming.why(0).join(" ");
    let mut streaming = world(narrow());
    assert!(
        !told(&streaming).contains("never"),
        "nothing has happened yet"
    );
    let go_to = |streaming: &mut Streaming<SimulatedLoader>, tick: u32, x: f32| {
        streaming.update(f64::from(tick) / 60.0, Vec2::new(x, 0.0), Vec2::ZERO);
    };
    // The lead begins nearer than this.
    go_to(&mut streaming, 1, -5_000.0);
    let said = told(&streaming);
    assert!(
        said.contains("It was never needed: the character has never come near"),
        "{said}"
    );
    // Asked for, and left again before it is needed.
    go_to(&mut streaming, 2, 80.0);
    assert_ne!(streaming.states[0], State::Unloaded);
    go_to(&mut streaming, 3, -5_000.0);
    assert_eq!(streaming.states[0], State::Unloaded);
    let said = told(&streaming);
    assert!(
        said.contains("has not been needed since: the character has not come into"),
        "{said}"
    );
}

#[test]
fn when_it_may_be_needed_is_said_with_the_speed_that_is_reckoned_with() {
    let said = |velocity: Vec2| {
        let mut streaming = world(Settings {
            lead: 60.0,
            ..narrow()
        });
        // 40 m from where it is needed.
        let at = Vec2::new(50.0, 0.0);
        streaming.update(0.0, at, velocity);
        streaming.why(0).join(" ")
    };
    for (velocity, words) in [
        (
            0.0,
            "it is not needed while the character stands; at 1.0 m/s it would be in 40.0 s.",
        ),
        (
            20.0,
            "it may be needed in 2.0 s, at the 20.0 m/s at which the character comes nearer.",
        ),
        (
            -20.0,
            "it may be needed in 8.0 s, if the character turns to it: a turn is reckoned at 25 % of its 20.0 m/s, which is 5.0 m/s.",
        ),
        (
            -60.0,
            "it may be needed in 2.7 s, if the character turns to it: a turn is reckoned at 25 % of its 60.0 m/s, which is 15.0 m/s.",
        ),
        (
            -2.0,
            "it may be needed in 40.0 s, if the character turns to it: it goes at 2.0 m/s, and 1.0 m/s is the least that is reckoned with.",
        ),
    ] {
        let said = said(Vec2::new(velocity, 0.0));
        assert!(said.contains(words), "{said}");
    }
    // Slowly towards it.
    let slowly = said(Vec2::new(0.5, 0.0));
    let words = "it may be needed in 40.0 s at 1.0 m/s, the least that is reckoned with: the character comes nearer by 0.5 m/s.";
    assert!(slowly.contains(words), "{slowly}");
    // Aslant, it comes nearer more slowly than it goes.
    let said = said(Vec2::new(12.0, 16.0));
    let words = "it may be needed in 3.3 s: the character goes at 20.0 m/s aslant to it, and comes nearer by 12.0 m/s.";
    assert!(said.contains(words), "{said}");
}

#[test]
fn a_way_ahead_that_the_margin_cuts_is_told_of_whoever_is_waited_for() {
    let said = |predict_seconds: f32| {
        let mut streaming = world(Settings {
            lead: 60.0,
            predict_seconds,
            ..narrow()
        });
        streaming.update(0.0, Vec2::new(50.0, 0.0), Vec2::new(20.0, 0.0));
        assert!(streaming.states()[0].is_pending());
        streaming.why(0).join(" ")
    };
    let words = "The way ahead is looked at for 20.0 m and not for the 40.0 m of 2.00 s: no farther than half of the margin of 40.0 m along an axis. A margin of 80.0 m would do for all of it.";
    assert!(said(2.0).contains(words), "{}", said(2.0));
    assert!(!said(1.0).contains("The way ahead"), "{}", said(1.0));
}

/// Whether the object was late then, and why.
fn told(settings: Settings) -> (bool, Vec<String>) {
    let streaming = passed(settings);
    (streaming.statistics().late_loads > 0, streaming.why(0))
}

/// The number before these words of a sentence.
fn number_before(sentences: &[String], words: &str) -> f32 {
    let sentence = sentences.iter().find(|it| it.contains(words));
    let sentence = sentence.unwrap_or_else(|| panic!("{sentences:?}"));
    let before = sentence.split(words).next().expect("what is before it");
    let number = before.split(' ').next_back().expect("a number");
    number.parse().expect("a number")
}

#[test]
fn what_is_said_to_be_enough_for_a_late_load_is_enough_and_little_more() {
    let settings = Settings {
        lead: 10.0,
        mbps: 0.2,
        latency_ms: 50.0,
        ..narrow()
    };
    let (is_late, why) = told(settings);
    assert!(is_late, "{why:?}");
    let more = number_before(&why, " m more lead");
    let with_lead = |lead| told(Settings { lead, ..settings }).0;
    assert!(!with_lead(10.0 + more), "{why:?}");
    assert!(with_lead(10.0 + 0.8 * more), "{why:?}");
    let mbps = number_before(&why, " MB a second");
    let on_disk = |mbps| told(Settings { mbps, ..settings }).0;
    assert!(!on_disk(mbps), "{why:?}");
    assert!(on_disk(0.2 + 0.8 * (mbps - 0.2)), "{why:?}");
}

#[test]
fn what_is_said_of_a_wait_that_is_over_speaks_of_the_disk_of_that_time() {
    let slow = Settings {
        lead: 10.0,
        mbps: 0.2,
        latency_ms: 50.0,
        ..narrow()
    };
    let mut streaming = passed(slow);
    let before = streaming.why(0);
    assert!(
        before.iter().any(|it| it.contains("instead of 0.2")),
        "{before:?}"
    );
    let of_the_wait = |all: &[String]| -> Vec<String> {
        let is_of_it = |it: &&String| it.starts_with("Of the") || it.starts_with("Enough");
        all.iter().filter(is_of_it).cloned().collect()
    };
    for mbps in [0.0, 2.0, 500.0] {
        let now = Settings {
            mbps,
            latency_ms: 900.0,
            ..slow
        };
        streaming.set_settings(now);
        assert_eq!(of_the_wait(&streaming.why(0)), of_the_wait(&before));
    }
}

#[test]
fn what_comes_in_the_tick_in_which_it_is_needed_is_neither_counted_nor_told_as_late() {
    let mut just_on_time = 0;
    for step in 0_u8..40 {
        let settings = Settings {
            lead: 0.1 * f32::from(step),
            mbps: 40.0,
            latency_ms: 30.0,
            ..narrow()
        };
        let (is_late, why) = told(settings);
        let says = |words: &str| why.iter().any(|it| it.contains(words));
        let is_excused = says("not counted as late");
        assert_eq!(is_late, says(" late: needed") && !is_excused, "{why:?}");
        assert_eq!(!is_late, says("on time") || is_excused, "{why:?}");
        assert!(!says("-0") && !says(", 0 ms before"), "{why:?}");
        // Of a time that went by both ends are named.
        let is_early = says("It was on time: it came at ");
        assert_eq!(is_early, says(" before it was needed (at "), "{why:?}");
        assert_eq!(
            is_early,
            says("on time") && !says("just on time"),
            "{why:?}"
        );
        just_on_time += u32::from(says("just on time"));
    }
    assert!(just_on_time > 0);
}

#[test]
fn what_was_needed_and_is_not_any_more_is_not_called_late_by_now() {
    let settings = Settings {
        mbps: 0.01,
        ..narrow()
    };
    let mut streaming = world(settings);
    let said = |streaming: &Streaming<_>, words: &str| {
        streaming.why(0).iter().any(|it| it.contains(words))
    };
    streaming.update(0.0, Vec2::new(80.0, 0.0), Vec2::ZERO);
    streaming.update(1.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    // In the tick in which it comes to be needed it is late by nothing.
    assert!(
        said(&streaming, "needed from this tick on"),
        "{:?}",
        streaming.why(0)
    );
    assert!(!said(&streaming, "late by now"), "{:?}", streaming.why(0));
    streaming.update(2.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    assert!(
        said(&streaming, "1.00 s late by now"),
        "{:?}",
        streaming.why(0)
    );
    streaming.update(3.0, Vec2::new(120.0, 0.0), Vec2::ZERO);
    assert!(!said(&streaming, "late by now"), "{:?}", streaming.why(0));
    // What it is missing no longer is no more time.
    let missed = "missing for 1.02 s: then it was no longer needed. It is not there yet.";
    assert!(said(&streaming, missed), "{:?}", streaming.why(0));
    let told: Vec<_> = streaming.came_late().collect();
    assert!(matches!(&told[..], [(0, it)] if it.is_on_its_way() && !it.has_come()));
    assert!((told[0].1.missing() - 1.0 - crate::tick::STEP_SECONDS).abs() < 1.0e-9);
    streaming.update(4.0, Vec2::new(120.0, 0.0), Vec2::ZERO);
    assert!(said(&streaming, missed), "{:?}", streaming.why(0));
    assert_eq!(streaming.came_late().count(), 0);
    // Needed once more, it is missing once more: the time between counts for how late it is alone.
    streaming.update(20.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    streaming.update(21.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    streaming.update(22.0, Vec2::new(120.0, 0.0), Vec2::ZERO);
    let missed = "missing for 2.03 s: then it was no longer needed.";
    assert!(said(&streaming, missed), "{:?}", streaming.why(0));
    streaming.update(41.0, Vec2::new(120.0, 0.0), Vec2::ZERO);
    let upload = streaming.next_upload().expect("it has been read");
    streaming.uploaded(upload.object);
    let told: Vec<_> = streaming.came_late().collect();
    assert!(matches!(&told[..], [(0, it)] if it.has_come() && !it.is_late_alone()));
    assert_eq!(told[0].1.seconds(), 40.0);
    let missing = 2.0 * (1.0 + crate::tick::STEP_SECONDS);
    assert!((told[0].1.missing() - missing).abs() < 1.0e-9);
    for words in [
        " late: needed ",
        "Of that time it was needed for 2.03 s, and missing.",
    ] {
        assert!(said(&streaming, words), "{:?}", streaming.why(0));
    }
}

#[test]
fn the_time_of_one_that_has_come_ends_with_that_and_of_one_on_its_way_it_has_no_end_yet() {
    let slow = Settings {
        mbps: 0.1,
        ..narrow()
    };
    // Needed from the first tick on it is not counted as late, and nothing is kept of that.
    let mut streaming = world(slow);
    let here = Vec2::new(95.0, 0.0);
    for tick in 0..60 {
        streaming.update(f64::from(tick) / 60.0, here, Vec2::ZERO);
    }
    let told = streaming.why(0).join(" ");
    assert!(told.contains(" since it was queued, "), "{told}");
    assert!(!told.contains("until it came"), "{told}");
    streaming.update(5.0, here, Vec2::ZERO);
    let upload = streaming.next_upload().expect("it has been read");
    streaming.uploaded(upload.object);
    // However long it is there by now.
    streaming.update(90.0, here, Vec2::ZERO);
    assert!(streaming.lateness.is_empty());
    let told = streaming.why(0).join(" ");
    let until = " from its queueing until it came, ";
    assert!(told.contains(&format!("Of the 5.00 s{until}")), "{told}");
    assert!(!told.contains("since it was queued"), "{told}");
}

#[test]
fn who_goes_back_to_one_that_never_came_is_told_until_when_it_was_needed_and_what_would_have_been_enough()
 {
    let slow = Settings {
        lead: 10.0,
        mbps: 0.01,
        ..narrow()
    };
    let mut streaming = world(slow);
    go(&mut streaming, 0..340);
    let left = streaming.lateness[&0];
    assert!(left.is_on_its_way());
    // While it is needed.
    let mut before = world(slow);
    go(&mut before, 0..320);
    let told = before.why_knowing(0, Clock::Start, Some(&left), None);
    let told = told.sentences;
    let told = told.join(" ");
    let until = format!(
        "It is no longer needed after {}, {}, and has not come by then, in the future that is known.",
        left.missing_words(),
        Clock::Start.moment(left.came_at())
    );
    for words in [
        until.as_str(),
        "Enough for it, all else as it was: a disk of at most about 0.4",
        "from its queueing until it is no longer needed",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let told = left.sentences(Clock::Start).join(" ");
    for words in [
        "It was no longer needed before it came. Enough for it, ",
        "from its queueing until it was no longer needed",
    ] {
        assert!(told.contains(words), "{told}");
    }
    // On that disk it is in time.
    let enough = Settings { mbps: 0.5, ..slow };
    let mut streaming = world(enough);
    go(&mut streaming, 0..340);
    assert!(streaming.lateness.is_empty());
}

#[test]
fn who_stays_in_the_queue_until_it_is_no_longer_needed_is_told_of_the_disk_of_that_time() {
    let slow = Settings {
        lead: 10.0,
        mbps: 0.01,
        requests_in_flight: 1,
        ..narrow()
    };
    let mut streaming = row(2, slow);
    go(&mut streaming, 0..340);
    let queued = (0..2).find(|it| streaming.states()[*it as usize] == State::Queued);
    let queued = queued.expect("one that was never begun");
    let left = streaming.lateness[&queued];
    assert!(left.is_on_its_way());
    let told = left.sentences(Clock::Start).join(" ");
    for words in [
        "Enough for it, all else as it was: a disk of ",
        " instead of 0.01",
    ] {
        assert!(told.contains(words), "{told}");
    }
    // What read it before, and was another disk, says nothing of that.
    let mut streaming = row(2, Settings { mbps: 50.0, ..slow });
    go(&mut streaming, 0..340);
    assert!(streaming.lateness.is_empty());
    for tick in 340..1_000 {
        let at = f64::from(tick) / 60.0;
        streaming.update(at, Vec2::new(900.0, 0.0), Vec2::ZERO);
        while let Some(object) = streaming.next_unload() {
            streaming.unloaded(object);
        }
    }
    streaming.set_settings(slow);
    for tick in 1_000..1_340 {
        let seconds = f64::from(tick - 1_000) / 60.0;
        let position = Vec2::new(seconds as f32 * 20.0, 0.0);
        streaming.update(f64::from(tick) / 60.0, position, Vec2::new(20.0, 0.0));
    }
    let queued = (0..2).find(|it| streaming.states()[*it as usize] == State::Queued);
    let left = streaming.lateness[&queued.expect("one that was never begun")];
    let told = left.sentences(Clock::Start).join(" ");
    assert!(!told.contains("instead of 50"), "{told}");
}

#[test]
fn of_a_wait_in_which_settings_were_changed_nothing_is_promised() {
    let slow = Settings {
        lead: 10.0,
        mbps: 0.2,
        latency_ms: 50.0,
        ..narrow()
    };
    let changed = |settings: Settings| {
        let mut streaming = world(slow);
        // It is asked for at 4 s, needed at 4.5 s, and there after 5 s.
        go(&mut streaming, 0..260);
        streaming.set_settings(settings);
        go(&mut streaming, 260..330);
        streaming.why(0).join(" ")
    };
    let lead = Settings { lead: 12.0, ..slow };
    let why = changed(lead);
    assert!(why.contains("late: needed at 4.5"), "{why}");
    assert!(
        why.contains("Settings were changed while it was on its way"),
        "{why}"
    );
    assert!(!why.contains("Enough for it"), "{why}");
    // What decides nothing changes nothing.
    let index = crate::streaming::Index::BruteForce;
    let why = changed(Settings { index, ..slow });
    assert!(why.contains("Enough for it"), "{why}");
}

#[test]
fn what_an_update_found_is_not_told_of_settings_that_were_changed_since() {
    let settings = Settings {
        memory_cap: 250_000,
        ..narrow()
    };
    let mut streaming = row(2, settings);
    for update in 0..60 {
        streaming.update(f64::from(update), Vec2::new(95.0, 0.0), Vec2::ZERO);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
    let said = |streaming: &Streaming<_>| {
        let words = "The memory cap of 250 kB keeps the queue waiting";
        streaming.why(1).iter().any(|it| it.starts_with(words))
    };
    assert!(said(&streaming), "{:?}", streaming.why(1));
    streaming.set_settings(Settings {
        memory_cap: 2_000_000,
        ..settings
    });
    let why = streaming.why(1).join(" ");
    assert!(!why.contains("keeps the queue waiting"), "{why}");
    // What it has waited for so far is told as it was.
    assert!(
        why.contains("cap of 250 kB left no room") && !why.contains("2 MB"),
        "{why}"
    );
    streaming.set_settings(settings);
    assert!(said(&streaming), "{:?}", streaming.why(1));
}

#[test]
fn how_large_a_memory_cap_would_have_done_is_told_and_is_enough() {
    let with = |memory_cap: u64| {
        let mut streaming = row(
            3,
            Settings {
                memory_cap,
                ..narrow()
            },
        );
        go(&mut streaming, 0..300);
        streaming
    };
    let short = with(450_000);
    assert!(short.statistics().late_loads > 0);
    let why = short.why(2).join(" ");
    for words in [
        "A cap of 600 kB would be enough for all that is there and asked for by now.",
        "when it came to be needed, one of 600 kB would have been enough for all that was there and asked for.",
    ] {
        assert!(why.contains(words), "{why}");
    }
    // Both say the same, which can be set behind the first of them.
    let known = short.enough_while_bound();
    let why = short.why_knowing(2, Clock::Start, None, known);
    let caps: Vec<Remedy> = why.enough.iter().map(|(_, it)| *it).collect();
    assert_eq!(caps, [Remedy::Cap(600_000)]);
    let says_so = &why.sentences[why.enough[0].0];
    assert!(says_so.contains("600 kB would"), "{says_so}");
    let set = caps[0].applied_to(short.settings()).expect("it is more");
    // Where more was asked for since it was needed, the two sentences differ, and the larger cap alone can be set.
    let mut grown = with(450_000);
    let another = Newcomer {
        metadata: grown.objects()[2],
        is_picture: false,
    };
    grown.edit(&ObjectsEdit::Add(vec![(3, another)]));
    go(&mut grown, 300..301);
    let why = grown.why_knowing(2, Clock::Start, None, grown.enough_while_bound());
    let all = why.sentences.join(" ");
    for words in [
        "A cap of 800 kB would be enough",
        "one of 600 kB would have been enough",
    ] {
        assert!(all.contains(words), "{all}");
    }
    let caps: Vec<Remedy> = why.enough.iter().map(|(_, it)| *it).collect();
    assert_eq!(caps, [Remedy::Cap(800_000)]);
    // With as much as is said nobody is late, and nobody speaks of the cap.
    let enough = with(set.memory_cap);
    assert_eq!(enough.statistics().late_loads, 0);
    let why = enough.why(2).join(" ");
    assert!(!why.contains(" cap"), "{why}");
}

#[test]
fn a_memory_cap_that_is_told_is_enough_for_pictures_that_take_more_while_they_are_on_their_way() {
    use crate::streaming::PictureSize;
    let size = PictureSize {
        width: 512,
        height: 512,
    };
    let with = |memory_cap: u64, requests_in_flight: u32| {
        let settings = Settings {
            memory_cap,
            requests_in_flight,
            ..narrow()
        };
        let mut objects = row(3, settings).objects.to_vec();
        for (asset, object) in objects.iter_mut().enumerate() {
            object.asset = asset as u32;
        }
        let assets = ["a.png", "b.png", "c.png"].map(Into::into);
        let loader = SimulatedLoader::default();
        let mut streaming = Streaming::new(objects, assets, settings, loader)
            .with_pictures(vec![size; 3], [true; 3]);
        go(&mut streaming, 0..300);
        streaming
    };
    let there = |streaming: &Streaming<_>| {
        let is_there = |state: &&State| **state == State::Resident;
        streaming.states().iter().filter(is_there).count()
    };
    // All three that are there take no more than this, and the last one has no room on its way.
    let cap = 1_200_000;
    for requests in [1, 8] {
        let short = with(cap, requests);
        assert_eq!(there(&short), 2);
        let shown = size.shown().bytes();
        assert_eq!(short.enough_bytes(), Some(3 * shown + size.bytes()));
        let why = short.why(2).join(" ");
        for words in [
            "A cap of 1.25 MB would be enough for all that is there and asked for by now.",
            "one of 1.25 MB would have been enough for all that was there and asked for.",
        ] {
            assert!(why.contains(words), "{why}");
        }
        let enough = with(1_250_000, requests);
        assert_eq!(there(&enough), 3);
        let sums = enough.statistics();
        assert_eq!((sums.late_loads, sums.memory_bound_updates), (0, 0));
        assert_eq!(enough.enough_bytes(), None);
    }
}

#[test]
fn who_takes_more_than_the_cap_alone_leaves_no_smaller_cap_to_be_told() {
    let settings = Settings {
        memory_cap: 450_000,
        requests_in_flight: 1,
        ..narrow()
    };
    let mut streaming = row(3, settings);
    let mut objects = streaming.objects.to_vec();
    objects[0].bytes = 500_000;
    streaming.objects = objects.into();
    streaming.update(1.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    let states = [State::Failed, State::Loading, State::Queued];
    assert_eq!(streaming.states(), states);
    assert!(streaming.bound().memory);
    assert_eq!(streaming.enough_bytes(), None);
    let why = streaming.why(2).join(" ");
    assert!(!why.contains("A cap of"), "{why}");
}

/// So many objects are asked for at once, and the character goes on to them.
fn all_at_once(count: u8, settings: Settings) -> Streaming<SimulatedLoader> {
    let mut streaming = row(count, settings);
    go(&mut streaming, 0..600);
    streaming
}

#[test]
fn of_a_late_object_it_is_said_how_long_it_takes_alone_and_with_whom_it_shared_the_disk() {
    let settings = Settings {
        lead: 20.0,
        mbps: 1.0,
        latency_ms: 10.0,
        requests_in_flight: 8,
        ..narrow()
    };
    let why = all_at_once(8, settings).why(7).join(" ");
    assert!(
        why.contains("with the disk to itself it takes 210 ms, at 1 MB/s and 10 ms of latency"),
        "{why}"
    );
    assert!(
        why.contains("sharing the disk with 7 others that were asked for before it"),
        "{why}"
    );
    // They are all needed sooner.
    assert!(!why.contains("Fewer requests"), "{why}");
    let why = all_at_once(1, settings).why(0).join(" ");
    assert!(!why.contains("sharing"), "{why}");
}

#[test]
fn so_many_requests_at_such_a_latency_read_what_is_said_and_no_more() {
    let settings = Settings {
        lead: 20.0,
        mbps: 100.0,
        latency_ms: 100.0,
        requests_in_flight: 4,
        uploads_per_update: 64,
        ..narrow()
    };
    let mut streaming = row(200, settings);
    let at = Vec2::new(95.0, 0.0);
    for tick in 0..180_u32 {
        streaming.update(f64::from(tick) / 60.0, at, Vec2::ZERO);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
    let read = streaming.statistics().loaded_bytes as f64 / 1.0e6 / 3.0;
    let said = settings.reached_by_requests(200_000.0);
    assert!(streaming.bound().requests && read < 0.1 * 100.0, "{read}");
    assert!((read / said - 1.0).abs() < 0.15, "{read} {said}");
}

#[test]
fn what_is_held_for_an_object_is_its_picture_and_not_its_file() {
    use crate::streaming::PictureSize;
    let size = PictureSize {
        width: 128,
        height: 128,
    };
    let mut streaming = row(3, narrow()).with_pictures(vec![size], [true; 3]);
    for tick in 0..60_u32 {
        streaming.update(f64::from(tick), Vec2::new(95.0, 0.0), Vec2::ZERO);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
    }
    let why = streaming.why(1);
    let takes = "a 1 is resident with 200 kB read, 65.5 kB decoded, shared with 2 others.";
    assert_eq!(why[0], takes);
    assert_eq!(streaming.held_bytes(), size.bytes());
    assert_eq!(streaming.enough_bytes(), None);
    // Whoever comes while others have the picture reads the file again all the same, and is told so.
    let again = Newcomer {
        metadata: streaming.objects()[1],
        is_picture: true,
    };
    streaming.edit(&ObjectsEdit::Add(vec![(3, again)]));
    streaming.update(60.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    assert!(streaming.states()[3].is_pending());
    let why = streaming.why(3);
    let begins = "a.png is already decoded for a ";
    let ends = ", but each object reads its file anew.";
    let is_said = |it: &String| it.starts_with(begins) && it.ends_with(ends);
    assert!(why.iter().any(is_said), "{why:?}");
}

#[test]
fn those_that_go_before_one_in_the_queue_are_named() {
    let settings = Settings {
        requests_in_flight: 1,
        mbps: 0.01,
        ..narrow()
    };
    let mut streaming = row(6, settings);
    streaming.update(1.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
    let says = |object: u32, words: &str| {
        let why = streaming.why(object);
        assert!(why.iter().any(|it| it == words), "{why:?}");
    };
    says(1, "Before it: a 0 is being loaded.");
    says(
        2,
        "Before it: a 0 is being loaded; a 1 is ahead of it in the queue.",
    );
    says(
        5,
        "Before it: a 0 is being loaded; a 1, a 2, a 3 and 1 more are ahead of it in the queue.",
    );
    assert!(
        !streaming
            .why(0)
            .iter()
            .any(|it| it.starts_with("Before it"))
    );
}

#[test]
fn what_is_needed_and_not_there_is_counted_as_the_world_stands() {
    let mut streaming = world(narrow());
    let here = Vec2::ZERO;
    streaming.update(1.0, here, Vec2::ZERO);
    let missing = |streaming: &Streaming<_>| streaming.missing_at(here);
    assert_eq!((missing(&streaming), streaming.is_as_decided()), (0, true));
    let beside = ObjectsEdit::Put(vec![(0, Vec2::new(5.0, 0.0))]);
    let back = streaming.edit(&beside);
    assert_eq!((missing(&streaming), streaming.is_as_decided()), (1, false));
    streaming.edit(&back);
    assert_eq!(missing(&streaming), 0);
    // Whoever is put elsewhere needs what is there.
    assert_eq!(streaming.missing_at(Vec2::new(99.0, 0.0)), 1);
    streaming.edit(&beside);
    streaming.update(2.0, here, Vec2::ZERO);
    assert_eq!((missing(&streaming), streaming.is_as_decided()), (1, true));
}
