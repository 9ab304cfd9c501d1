//! Files that are none, that lead elsewhere, and that vanish, shrink, grow and slow down while they are read.

use super::calls::can_trace;
use super::child::{self, WELL};
use rustix::fs::{CWD, FileType, Mode};
use skirmish::scene::{ObjectGroup, file, limits};
use skirmish::session::file::Recording;
use skirmish::streaming::{
    Completion, FILE_BYTE_LIMIT, LoadError, Loader, Outcome, Request, State, ThreadLoader,
    Throttle, Ticket, Tour, assets, load_picture, load_picture_below,
};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// What takes longer hangs.
const LONG: Duration = Duration::from_secs(60);

/// What `work` gives, if it ends.
fn ends<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, end) = channel();
    thread::spawn(move || done.send(work()));
    end.recv_timeout(LONG)
        .unwrap_or_else(|_| panic!("{what} hangs"))
}

fn pipe(folder: &Path) -> PathBuf {
    let path = folder.join("pipe");
    let mode = Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(CWD, &path, FileType::Fifo, mode, 0).expect("a pipe");
    path
}

/// A picture of so many pixels a side, that does not compress well.
fn paint(path: &Path, side: u32) {
    let mut seed = 1_u32;
    let picture = image::RgbaImage::from_fn(side, side, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgba(seed.to_be_bytes())
    });
    picture.save(path).expect("a picture");
}

fn is_one_sentence(sentence: &str) {
    assert!(!sentence.contains('\n'), "{sentence}");
    for word in ["uncategorized", "os error", "Os {"] {
        assert!(!sentence.contains(word), "{sentence}");
    }
}

#[test]
fn what_is_no_regular_file_is_refused_by_every_reader_and_waited_for_by_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let link = folder.path().join("link.ron");
    std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
    for path in [pipe(folder.path()), PathBuf::from("/dev/zero"), link] {
        let name = path.display().to_string();
        let said = ends("a reader", move || {
            [
                file::read(&path)
                    .map(|_| ())
                    .map_err(|error| error.to_string()),
                file::read_path(&path)
                    .map(|_| ())
                    .map_err(|error| error.to_string()),
                Recording::read(&path)
                    .map(|_| ())
                    .map_err(|error| error.to_string()),
                load_picture(&path)
                    .map(|_| ())
                    .map_err(|error| error.to_string()),
            ]
        });
        let [scene, way, recording, picture] = said.map(|said| said.expect_err("no such file"));
        let expected = format!("{name}: it is not a regular file");
        for sentence in [scene, way, recording] {
            assert_eq!(sentence, expected);
        }
        assert_eq!(picture, format!("{name}: this is not a regular file"));
    }
}

#[test]
fn commands_do_not_wait_for_a_pipe() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = pipe(folder.path()).display().to_string();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/open-world.ron");
    let commands: [&[&str]; 4] = [
        &["check", &pipe],
        &["format", &pipe],
        &["simulate", &pipe],
        &["stream", scene, "--path", &pipe],
    ];
    for arguments in commands {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skirmish"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let begun = Instant::now();
        while child.try_wait().expect("the program").is_none() {
            if begun.elapsed() > LONG {
                let _ = child.kill();
                panic!("{arguments:?} hangs");
            }
            thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("it is not a regular file"),
            "{arguments:?}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_picture_is_not_fetched_over_a_link_that_leads_out_of_its_scene() {
    let whole = tempfile::tempdir().expect("a temporary folder");
    let inner = whole.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    paint(&whole.path().join("outside.png"), 4);
    paint(&inner.join("inside.png"), 4);
    for (name, leads_to) in [("near.png", "inside.png"), ("far.png", "../outside.png")] {
        std::os::unix::fs::symlink(leads_to, inner.join(name)).expect("a link");
    }
    let mut scene = file::read(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scenes/open-world.ron"
    )))
    .expect("a scene with a world");
    let object = |name: &str| ObjectGroup::Object {
        center: Default::default(),
        half_extent: skirmish::geometry::Vec2::new(1.0, 1.0),
        asset: name.to_owned(),
    };
    let world = scene.world.as_mut().expect("a world");
    world.objects = ["inside.png", "near.png", "far.png"].map(object).to_vec();
    // A folder that is itself reached over a link is as good as any.
    let way = whole.path().join("way");
    std::os::unix::fs::symlink(&inner, &way).expect("a link");
    for folder in [&inner, &way] {
        let path = folder.join("far.png");
        let refused = LoadError::Outside { path: path.clone() };
        assert_eq!(
            refused.to_string(),
            format!(
                "{}: this is a link that leads out of the scene's folder",
                path.display()
            )
        );
        assert_eq!(assets::check(&scene, folder), vec![refused.clone()]);
        assert_eq!(load_picture_below(folder, &path), Err(refused.clone()));
        let mut loader = ThreadLoader::new(1).expect("a thread").below(folder);
        let fetched =
            |loader: &mut ThreadLoader, name: &str| fetch(loader, &folder.join(name)).outcome;
        assert_eq!(fetched(&mut loader, "far.png"), Outcome::Failed(refused));
        let near = fetched(&mut loader, "near.png");
        assert!(matches!(near, Outcome::Loaded(_)), "{near:?}");
    }
}

#[test]
fn a_tour_shows_no_picture_that_a_link_fetches_from_outside_its_scene() {
    let whole = tempfile::tempdir().expect("a temporary folder");
    let inner = whole.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    paint(&whole.path().join("outside.png"), 4);
    paint(&inner.join("inside.png"), 4);
    std::os::unix::fs::symlink("../outside.png", inner.join("far.png")).expect("a link");
    let text = r#"(version: 1, name: "links", field: ((0.0, 0.0), (9.0, 9.0)), seed: 1, structure: (kind: "quadtree"),
        character: (position: (1.0, 1.0), speed: 6.0, paths: []),
        world: (objects: [
            Object((1.0, 1.0), (1.0, 1.0), "inside.png"), Object((2.0, 1.0), (1.0, 1.0), "far.png")]))"#;
    let scene = file::parse(text.as_bytes(), "links.ron").expect("a scene");
    let mut tour = Tour::of_scene(&scene, &inner, None)
        .expect("a world")
        .expect("a thread");
    while tour.streaming().states()[0] != State::Resident {
        tour.tick();
        assert!(tour.ticks() < 1_000);
    }
    for _ in 0..60 {
        tour.tick();
    }
    let failure = tour.streaming().object(1).failure().expect("it leads out");
    assert!(
        failure
            .sentence
            .ends_with("far.png: this is a link that leads out of the scene's folder"),
        "{}",
        failure.sentence
    );
}

fn begin(loader: &mut ThreadLoader, path: &Path) {
    let ticket = Ticket {
        object: 0,
        generation: 0,
    };
    let path = Arc::from(path);
    let request = Request {
        ticket,
        asset: 0,
        path,
        bytes: 0,
    };
    assert!(loader.start(request, 0.0));
}

fn end(loader: &mut ThreadLoader) -> Completion {
    let begun = Instant::now();
    let mut completions = Vec::new();
    while completions.is_empty() {
        assert!(begun.elapsed() < LONG, "a picture is never answered for");
        thread::sleep(Duration::from_millis(1));
        loader.poll(0.0, &mut completions);
    }
    completions.remove(0)
}

fn fetch(loader: &mut ThreadLoader, path: &Path) -> Completion {
    begin(loader, path);
    end(loader)
}

/// Does to a file what can be done to it while somebody reads it.
fn disturb(how: &str, path: &Path, limit: u64) {
    let open = || File::options().write(true).open(path).expect("a file");
    let length = fs::metadata(path).expect("a file").len();
    match how {
        "vanishes" => fs::remove_file(path).expect("a file"),
        "shrinks" => open().set_len(length / 2).expect("a file"),
        "is emptied" => open().set_len(0).expect("a file"),
        "grows" => open().set_len(length + 100_000).expect("a file"),
        "grows without bounds" => open().set_len(limit + 1).expect("a file"),
        "becomes a folder" => {
            fs::remove_file(path).expect("a file");
            fs::create_dir(path).expect("a folder");
        }
        other => panic!("nobody knows how a file {other}"),
    }
}

const DISTURBANCES: [&str; 6] = [
    "vanishes",
    "shrinks",
    "is emptied",
    "grows",
    "grows without bounds",
    "becomes a folder",
];

#[test]
fn pictures_that_change_while_they_are_slowly_read_are_pictures_or_sentences() {
    for how in DISTURBANCES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.png");
        paint(&path, 256);
        let length = fs::metadata(&path).expect("a picture").len();
        let mut loader = ThreadLoader::new(1).expect("a thread").below(folder.path());
        // Half a second for all of it.
        let throttle = Throttle {
            mbps: length as f32 * 2.0e-6,
            latency_ms: 0.0,
        };
        loader.set_throttle(throttle);
        begin(&mut loader, &path);
        thread::sleep(Duration::from_millis(150));
        disturb(how, &path, FILE_BYTE_LIMIT);
        // The rest of a file that grew is read as fast as it can be.
        loader.set_throttle(Throttle::default());
        let completion = end(&mut loader);
        assert!(completion.bytes <= FILE_BYTE_LIMIT + (32 << 10), "{how}");
        match &completion.outcome {
            Outcome::Loaded(image) => {
                assert_eq!((image.width, image.height), (256, 256), "{how}");
                assert!(!matches!(how, "shrinks" | "is emptied"), "{how}");
            }
            Outcome::Failed(error) => {
                is_one_sentence(&error.to_string());
                let whole = matches!(how, "vanishes" | "becomes a folder");
                assert!(!whole, "what is open stays: {error}");
                let is_cut = matches!(error, LoadError::TooLarge { .. });
                assert_eq!(is_cut, how == "grows without bounds", "{error}");
            }
            Outcome::Cancelled => panic!("nobody cancelled it"),
        }
    }
}

#[test]
fn a_scene_that_changes_all_the_time_is_a_scene_or_a_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("scene.ron");
    let texts = [1, 2].map(|number| child::text(2_000, number));
    let scenes = [1, 2].map(|number| child::scene(2_000, number));
    fs::write(&path, &texts[0]).expect("a file");
    let done = Arc::new(AtomicBool::new(false));
    let ending = done.clone();
    let disturbed = path.clone();
    let disturber = thread::spawn(move || {
        let mut turn = 0;
        while !ending.load(Ordering::Relaxed) {
            turn += 1;
            let text = &texts[turn % 2];
            match turn % 6 {
                0 => skirmish::files::save(&disturbed, text).expect("a save"),
                1 => fs::write(&disturbed, &text[..text.len() / 2]).expect("a file"),
                2 => fs::remove_file(&disturbed).expect("a file"),
                3 => fs::write(&disturbed, text).expect("a file"),
                4 => File::options()
                    .write(true)
                    .open(&disturbed)
                    .and_then(|file| file.set_len(text.len() as u64 + 9_999))
                    .expect("a file"),
                _ => fs::write(&disturbed, "").expect("a file"),
            }
        }
    });
    let (mut whole, mut refused) = (0, 0);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(2) || whole == 0 || refused == 0 {
        assert!(begun.elapsed() < LONG, "{whole} whole, {refused} refused");
        match file::read(&path) {
            Ok(scene) => {
                assert!(scenes.contains(&scene));
                whole += 1;
            }
            Err(error) => {
                is_one_sentence(&error.to_string());
                refused += 1;
            }
        }
    }
    done.store(true, Ordering::Relaxed);
    disturber.join().expect("an end");
}

#[test]
fn a_scene_that_changes_while_a_slow_disk_gives_it_is_a_scene_or_a_sentence() {
    if !can_trace() {
        return;
    }
    const UNITS: u32 = 8_000;
    let text = child::text(UNITS, 1);
    for how in DISTURBANCES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("scene.ron");
        fs::write(&path, &text).expect("a file");
        let mut strace = Command::new("strace");
        // Twenty milliseconds for every 32 KiB.
        let slow = "inject=read:delay_exit=20000";
        strace.args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "trace=read",
            "-e",
            slow,
        ]);
        let reader = child::command_under(strace, &format!("read {UNITS} 1"), &path)
            .spawn()
            .expect("strace was there before");
        // Somewhere in the reads of the file, of which there are more than ten.
        thread::sleep(Duration::from_millis(400));
        disturb(how, &path, limits::MAX_FILE_BYTES);
        let output = ends("a reader", move || reader.wait_with_output()).expect("an end");
        let answer = child::answer(&output.stdout);
        let answer = answer.unwrap_or_else(|| panic!("{how}: no answer, or more than one"));
        is_one_sentence(&answer);
        let name = path.display().to_string();
        assert!(
            answer == WELL || answer.starts_with(&name),
            "{how}: {answer}"
        );
    }
}
