use super::*;
use crate::streaming::load_picture;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A file of 2,000 bytes takes a tenth of a second.
const MBPS: f32 = 0.02;

fn picture() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/rock-1.png")
}

fn request(object: u32, path: &Path) -> Request {
    Request {
        ticket: Ticket {
            object,
            generation: 0,
        },
        asset: 0,
        path: Arc::from(path),
        bytes: 2_000,
    }
}

fn loader() -> PacedLoader {
    let mut loader = PacedLoader::new(2).unwrap();
    loader.set_throttle(Throttle {
        mbps: MBPS,
        latency_ms: 20.0,
    });
    loader
}

/// Makes the real disk slow: each file takes at least this long.
fn make_slow(loader: &mut PacedLoader, milliseconds: f32) {
    loader.threads.set_throttle(Throttle {
        mbps: 0.0,
        latency_ms: milliseconds,
    });
}

/// What is told when, over a second of simulated time in which requests are made and cancelled; with the progress of all.
fn story(loader: &mut PacedLoader, keep_at: Option<u32>) -> Vec<String> {
    let missing = Path::new("there-is-no-such.png");
    let mut told = Vec::new();
    let mut kept = None;
    for tick in 0..60_u32 {
        let now = f64::from(tick) / 60.0;
        let mut completions = Vec::new();
        loader.poll(now, &mut completions);
        for completion in completions {
            let outcome = match completion.outcome {
                Outcome::Loaded(image) => format!("{image:?}"),
                Outcome::Failed(error) => error.to_string(),
                Outcome::Cancelled => "cancelled".to_owned(),
            };
            told.push(format!("{tick}: {:?} {outcome}", completion.ticket));
        }
        if tick % 3 == 0 {
            let path = picture();
            let path = if tick % 9 == 0 { missing } else { &path };
            assert!(loader.start(request(tick, path), now));
        }
        if tick % 12 == 7 {
            loader.cancel(request(tick - 1, missing).ticket);
        }
        let progress: f32 = (0..60)
            .map(|object| loader.progress(request(object, missing).ticket))
            .sum();
        told.push(format!("{tick}: progress {progress}"));
        if keep_at == Some(tick) {
            kept = Some((loader.promises(), told.len()));
        }
    }
    if let Some((kept, before)) = kept {
        // What comes after is told again, by the same loader, after all that it did since.
        let first = told.split_off(before);
        loader.resume(&kept);
        let mut again = Vec::new();
        let first_tick = keep_at.map_or(0, |tick| tick + 1);
        for tick in first_tick..60 {
            let now = f64::from(tick) / 60.0;
            let mut completions = Vec::new();
            loader.poll(now, &mut completions);
            again.extend(completions.iter().map(|done| (tick, done.ticket)));
        }
        let wanted = first
            .iter()
            .filter(|line| line.contains("Ticket") && !line.contains("cancelled"))
            .count();
        assert!(again.len() >= 3 && again.len() <= wanted, "{again:?}");
        for (tick, ticket) in &again {
            let start = format!("{tick}: {ticket:?}");
            assert!(first.iter().any(|line| line.starts_with(&start)), "{start}");
        }
        told.extend(first);
    }
    told
}

#[test]
fn history_does_not_depend_on_how_fast_the_disk_is() {
    let first = story(&mut loader(), None);
    let mut slow = loader();
    make_slow(&mut slow, 30.0);
    assert_eq!(story(&mut slow, None), first);
    for part in ["Image(", "no such file", "cancelled"] {
        assert!(first.iter().any(|line| line.contains(part)), "{part}");
    }
    let answer = first.iter().find(|line| line.contains("Ticket"));
    assert!(
        answer.is_some_and(|line| line.starts_with("8: Ticket { object: 6")),
        "a cancellation"
    );
    assert!(
        first
            .iter()
            .any(|line| line.starts_with("8: Ticket { object: 0"))
    );
}

#[test]
fn promises_are_kept_at_the_same_moments_after_a_resumption() {
    let first = story(&mut loader(), None);
    assert_eq!(story(&mut loader(), Some(25)), first);
}

#[test]
fn progress_is_that_of_the_simulated_disk() {
    let mut loader = loader();
    loader.set_throttle(Throttle {
        mbps: 0.002,
        latency_ms: 500.0,
    });
    let request = request(0, &picture());
    let ticket = request.ticket;
    assert!(loader.start(request, 0.0));
    for (now, progress) in [(0.25, 0.0), (0.5, 0.0), (0.75, 0.25), (1.4, 0.9)] {
        let mut completions = Vec::new();
        loader.poll(now, &mut completions);
        assert!(completions.is_empty());
        assert!((loader.progress(ticket) - progress).abs() < 1.0e-5);
    }
    let mut completions = Vec::new();
    loader.poll(1.5, &mut completions);
    let image = load_picture(&picture()).unwrap();
    assert_eq!(completions[0].outcome, Outcome::Loaded(Arc::new(image)));
}

#[test]
fn a_wait_for_the_real_disk_can_be_cancelled_and_changes_nothing() {
    let mut loader = loader();
    make_slow(&mut loader, 60_000.0);
    assert!(loader.start(request(0, &picture()), 0.0));
    let cancel = AtomicBool::new(false);
    assert!(loader.wait_for(0.01, &cancel), "nothing is due yet");
    let before = format!("{:?}", loader.promises());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            cancel.store(true, Ordering::Relaxed);
        });
        assert!(!loader.wait_for(1.0, &cancel));
    });
    assert_eq!(format!("{:?}", loader.promises()), before);
}

#[test]
fn a_dead_disk_fails_what_is_due_and_is_waited_for_once() {
    let mut loader = loader();
    loader.patience = Duration::from_millis(200);
    make_slow(&mut loader, 60_000.0);
    let begun = Instant::now();
    let mut completions = Vec::new();
    for object in 0..20 {
        assert!(loader.start(request(object, &picture()), f64::from(object)));
        loader.poll(f64::from(object) + 0.5, &mut completions);
    }
    assert_eq!(completions.len(), 20);
    let expected = "rock-1.png: the disk has not answered for 0 s";
    for completion in &completions {
        let Outcome::Failed(error) = &completion.outcome else {
            panic!("{completion:?}");
        };
        assert!(error.to_string().ends_with(expected), "{error}");
    }
    // Twenty waits would take four seconds.
    assert!(begun.elapsed() < Duration::from_secs(2));
    // Once the disk is back, so are the files. The old errands were called off and end at once.
    make_slow(&mut loader, 0.0);
    let mut now = 30.0;
    let back = loop {
        assert!(now < 3_000.0, "the disk is back");
        let mut completions = Vec::new();
        assert!(loader.start(request(50, &picture()), now));
        loader.poll(now + 1.0, &mut completions);
        if let Outcome::Loaded(_) = &completions[0].outcome {
            break completions;
        }
        std::thread::sleep(Duration::from_millis(5));
        now += 2.0;
    };
    assert_eq!(back.len(), 1);
    assert_eq!(back[0].ticket.object, 50);
}

#[test]
fn what_is_no_file_fails_and_does_not_hang() {
    let mut loader = loader();
    let mut completions = Vec::new();
    assert!(loader.start(request(0, Path::new(env!("CARGO_MANIFEST_DIR"))), 0.0));
    loader.poll(1.0, &mut completions);
    let Outcome::Failed(LoadError::NotAFile { .. }) = &completions[0].outcome else {
        panic!("{completions:?}");
    };
}

#[test]
fn what_is_served_and_not_told_yet_is_read_whole_and_nothing_else_is() {
    let mut loader = loader();
    for (object, now) in [(0, 0.0), (1, 0.5)] {
        assert!(loader.start(request(object, &picture()), now));
    }
    let progress = [0, 1].map(|object| loader.progress(request(object, &picture()).ticket));
    assert_eq!(progress, [1.0, 0.0]);
}

#[test]
fn promises_take_the_bytes_of_all_that_is_not_told_yet() {
    let mut loader = loader();
    for object in 0..7 {
        assert!(loader.start(request(object, &picture()), 0.0));
    }
    for object in 4..7 {
        loader.cancel(request(object, &picture()).ticket);
    }
    // The first two are served: each waits its latency, and then takes a tenth of a second.
    assert!(loader.start(request(9, &picture()), 0.25));
    let all = loader.promises();
    assert_eq!((all.served.len(), all.cancelled.len()), (2, 3));
    let without = |served: bool, cancelled: bool| {
        let mut promises = all.clone();
        if served {
            promises.served = Vec::new();
        }
        if cancelled {
            promises.cancelled = Vec::new();
        }
        PacedLoader::byte_count(&promises)
    };
    let whole = without(false, false);
    assert_eq!(whole - without(true, false), 2 * size_of::<Request>());
    assert_eq!(whole - without(false, true), 3 * size_of::<Completion>());
}

#[test]
fn what_is_read_again_in_the_last_known_poll_ends_nothing_that_poll_tells_later() {
    let mut loader = loader();
    let request = request(0, &picture());
    let answer = |bytes: u64| (bytes, Outcome::Cancelled);
    let at = |seconds: f64, place: u32| Moment { seconds, place };
    loader.keep(&request, at(1.0, 5), answer(5));
    loader.know_until(1.0);
    loader.keep(&request, at(1.0, 2), answer(2));
    let known = |loader: &mut PacedLoader, moment| {
        let versions = loader.cache.find(&request.path).unwrap();
        versions.at(moment).unwrap().0
    };
    assert_eq!(known(&mut loader, at(1.0, 2)), 2);
    assert_eq!(known(&mut loader, at(1.0, 5)), 5);
    // Time that is new ends what was known of it.
    loader.keep(&request, at(1.0_f64.next_up(), 0), answer(7));
    loader.know_until(0.5);
    loader.keep(&request, at(0.75, 0), answer(3));
    assert_eq!(known(&mut loader, at(9.0, 0)), 3);
}

#[test]
fn what_is_under_way_is_not_sent_for_again_after_a_resumption() {
    let mut loader = loader();
    make_slow(&mut loader, 300.0);
    assert!(loader.start(request(0, &picture()), 0.0));
    let promises = loader.promises();
    let names = |loader: &PacedLoader| -> Vec<Ticket> {
        loader.errands.iter().map(|errand| errand.name).collect()
    };
    let before = names(&loader);
    loader.resume(&promises);
    assert_eq!(names(&loader), before);
    let mut completions = Vec::new();
    loader.poll(1.0, &mut completions);
    assert_eq!(completions.len(), 1);
    assert_eq!(
        loader.reread(),
        Reread {
            cache_bytes: loader.reread().cache_bytes,
            ..Reread::default()
        }
    );
}

#[test]
fn a_disk_that_does_not_answer_again_says_nothing_of_what_a_file_was() {
    let mut loader = loader();
    assert!(loader.start(request(0, &picture()), 0.0));
    let promises = loader.promises();
    let told = |loader: &mut PacedLoader| {
        let mut completions = Vec::new();
        loader.poll(1.0, &mut completions);
        assert_eq!(completions.len(), 1);
        matches!(completions[0].outcome, Outcome::Loaded(_))
    };
    assert!(told(&mut loader));
    // What was read is forgotten, and the disk dies.
    loader.set_reread_budget(0);
    loader.set_reread_budget(REREAD_BUDGET);
    make_slow(&mut loader, 60_000.0);
    let patience = std::mem::replace(&mut loader.patience, Duration::from_millis(100));
    loader.resume(&promises);
    assert!(!told(&mut loader));
    // It is back, and so is the file.
    make_slow(&mut loader, 0.0);
    loader.patience = patience;
    loader.resume(&promises);
    assert!(told(&mut loader));
}

/// Paces to and fro before an object of many more bytes than its file, and says what was read of it, and what of that for nothing.
fn read_of_a_large_object(loader: impl Loader) -> (u64, u64, u64) {
    use crate::geometry::Vec2;
    use crate::streaming::{Settings, Streaming, WorldObject};
    let object = |x: f32| WorldObject {
        center: Vec2::new(x, 0.0),
        half_extent: Vec2::ZERO,
        bytes: 300_000,
        asset: 0,
    };
    let settings = Settings {
        need_factor: 0.0,
        need_min: 10.0,
        need_max: 10.0,
        lead: 20.0,
        margin: 5.0,
        mbps: 1.0,
        latency_ms: 10.0,
        ..Settings::default()
    };
    let objects = vec![object(100.0), object(101.0)];
    let mut streaming = Streaming::new(objects, [picture()], settings, loader);
    for tick in 0..600 {
        let x = 40.0 + 50.0 * (f64::from(tick) / 60.0).sin() as f32;
        streaming.update(f64::from(tick) / 60.0, Vec2::new(x, 0.0), Vec2::ZERO);
        while let Some(upload) = streaming.next_upload() {
            streaming.uploaded(upload.object);
        }
        while let Some(object) = streaming.next_unload() {
            streaming.unloaded(object);
        }
    }
    let sums = streaming.statistics();
    (sums.loaded, sums.loaded_bytes, sums.wasted_bytes)
}

#[test]
fn what_is_read_of_an_object_is_what_it_is_said_to_have_whatever_its_file_has() {
    let on_paper = read_of_a_large_object(crate::streaming::SimulatedLoader::default());
    assert_eq!(
        read_of_a_large_object(PacedLoader::new(2).unwrap()),
        on_paper
    );
    let (loaded, read, wasted) = on_paper;
    assert!(loaded >= 4 && read >= 300_000 * loaded, "{on_paper:?}");
    assert!((600_000..=read).contains(&wasted), "{on_paper:?}");
}
