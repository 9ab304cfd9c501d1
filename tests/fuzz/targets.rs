//! What must hold of every scene, recording, path and picture, whatever its bytes are.

use super::fuzz::said::{assert_place, assert_sentence};
use skirmish::probe::Cancel;
use skirmish::scene::file::{self, SceneError};
use skirmish::scene::{Character, Scene};
use skirmish::session::file::Recording;
use skirmish::session::{Action, Refusal, Session};
use skirmish::streaming::load_picture;
use std::path::{Path, PathBuf};

/// What the texts are called in sentences.
const NAME: &str = "x.ron";

/// A scene of more is read and not played: a large one takes its time, and says nothing that a small one does not say.
const MOST_TO_PLAY: u64 = 300;

/// A world in which any way can be gone.
const FIELD: &str = "(version: 1, field: ((0, 0), (400, 400)), structure: (kind: \"all-pairs\"), character: (position: (0, 0)), \
    world: (objects: [Scatter(count: 20, area: ((0, 0), (400, 400)), size: Fixed(4, 4), assets: [\"assets/rock-1.png\"])]))";

/// Where the pictures of the shipped scenes lie.
fn folder() -> PathBuf {
    super::root().join("scenes")
}

/// A sentence with a place, and the place lies in the text.
fn assert_error(bytes: &[u8], error: &SceneError) {
    assert_sentence(&error.to_string());
    match error {
        SceneError::Text { line, column, .. } => {
            // What is not UTF-8 is named where the text before it ends.
            let end = match std::str::from_utf8(bytes) {
                Ok(_) => bytes.len(),
                Err(error) => error.valid_up_to(),
            };
            assert_place(&bytes[..end], *line, *column);
        }
        SceneError::File { .. } | SceneError::Unconfirmed { .. } => {
            panic!("{error} is said of a file, and there is none")
        }
    }
}

/// A scene is turned away with a place, or is written as it was read and can be played.
pub fn scene(bytes: &[u8]) {
    // What is meant as a recording is asked of every file that is opened.
    let _ = Recording::is_meant(bytes);
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Some((line, column)) = file::first_comment(text)
    {
        assert_place(bytes, line, column);
    }
    let scene = match file::parse(bytes, NAME) {
        Ok(scene) => scene,
        Err(error) => return assert_error(bytes, &error),
    };
    let text = file::format(&scene);
    let again = file::parse(text.as_bytes(), NAME).expect("a scene that was written is read");
    assert!(again == scene, "{text} is another scene");
    assert_eq!(file::format(&again), text);
    if is_small(&scene) {
        let ways = scene
            .character
            .iter()
            .flat_map(|character| &character.paths);
        let ways: Vec<_> = ways.take(2).map(|way| way.name.clone()).collect();
        let (mut session, complaint) = Session::new(scene, &folder());
        complaint
            .iter()
            .for_each(|complaint| assert_sentence(complaint));
        play(&mut session, 2);
        for way in ways {
            if session.world().is_some() {
                done(session.apply(Action::Follow(way), false, &Cancel::default()));
                play(&mut session, 2);
            }
        }
        go_back_and_forth(&mut session);
    }
}

fn is_small(scene: &Scene) -> bool {
    scene.unit_count() <= MOST_TO_PLAY && scene.object_count() <= MOST_TO_PLAY
}

fn done<T>(result: Result<T, Refusal>) {
    if let Err(refusal) = result {
        panic!("{refusal}");
    }
}

/// Lets time pass; what a recording holds may be refused, in a sentence.
fn play(session: &mut Session, ticks: u64) {
    for _ in 0..ticks {
        match session.tick(&Cancel::default(), &mut ()) {
            Ok(_) => {}
            Err(Refusal::Sentence(sentence)) => assert_sentence(&sentence),
            Err(Refusal::Abandoned(_)) => panic!("nobody has cancelled"),
        }
    }
    assert_whole(session);
}

/// Every lane has followed and has answered as the first one.
pub fn assert_whole(session: &Session) {
    for lane in session.lanes() {
        let key = lane.kind().info().key;
        assert!(lane.difference.is_none(), "{key}: {:?}", lane.difference);
        if let Err(violation) = lane.index().validate(session.battle().bodies()) {
            panic!("{key}: {violation}");
        }
    }
    let Some(flight) = session.flight() else {
        return;
    };
    for lane in session.lanes3() {
        let key = lane.kind().info().key;
        assert!(lane.difference.is_none(), "{key}: {:?}", lane.difference);
        if let Err(violation) = lane.index().validate(flight.bodies()) {
            panic!("{key}: {violation}");
        }
    }
}

/// Each tick is gone back to, and is what it was.
fn go_back_and_forth(session: &mut Session) {
    let end = session.tick_count();
    let hash = session.hash();
    for tick in [0, end / 2, end] {
        done(session.seek(tick, &Cancel::default(), &mut ()));
        assert_eq!(session.tick_count(), tick);
    }
    assert_eq!(session.hash(), hash, "tick {end} is another one");
    assert_eq!(session.timeline().diverged_at(), None);
}

/// A recording is turned away with a place, or is written as it was read, and what it holds is done or refused.
pub fn recording(bytes: &[u8]) {
    let recording = match Recording::parse(bytes, NAME) {
        Ok(recording) => recording,
        Err(error) => return assert_error(bytes, &error),
    };
    assert!(Recording::is_meant(bytes), "what is read is meant");
    assert_same(&recording);
    let is_quick = |action: &Action| match action {
        Action::Spawn(_, _, _, count) | Action::Units(count) => u64::from(*count) <= MOST_TO_PLAY,
        Action::Strew(_, _, strewn) => u64::from(strewn.count) <= MOST_TO_PLAY,
        _ => true,
    };
    let acts = &recording.acts;
    if !is_small(&recording.scene) || acts.len() > 60 || !acts.iter().all(|act| is_quick(&act.act))
    {
        return;
    }
    let last = acts.last().map_or(0, |act| act.at);
    let recording = Recording {
        folder: folder(),
        // Fingerprints that are made up would say that the past is another one.
        hashes: Vec::new(),
        ..recording
    };
    match Session::of_recording(recording) {
        Ok((mut session, complaint)) => {
            complaint
                .iter()
                .for_each(|complaint| assert_sentence(complaint));
            play(&mut session, last.min(30) + 2);
            assert_same(&session.recording());
        }
        Err(refusal) => assert_sentence(&refusal.to_string()),
    }
}

#[track_caller]
fn assert_same(recording: &Recording) {
    let text = recording.format();
    let again = Recording::parse(text.as_bytes(), NAME).expect("what was written is read");
    assert!(again == *recording, "{text} is another recording");
    assert_eq!(again.format(), text);
}

/// A path is turned away with a place, or is written as it was read and can be gone, slowly and at full speed.
pub fn path(bytes: &[u8]) {
    let way = match file::parse_path(bytes, NAME) {
        Ok(way) => way,
        Err(error) => return assert_error(bytes, &error),
    };
    let text = file::format_path(&way);
    let again = file::parse_path(text.as_bytes(), NAME).expect("a path that was written is read");
    assert!(again == way, "{text} is another path");
    let mut scene = file::parse(FIELD.as_bytes(), NAME).expect("the field is a scene");
    let name = way.name.clone();
    for speed in [6.0, skirmish::scene::limits::MAX_SPEED] {
        scene.character = Some(Character {
            speed,
            paths: vec![way.clone()],
            ..Character::new(way.points[0])
        });
        let (mut session, _) = Session::new(scene.clone(), &folder());
        done(session.apply(Action::Follow(name.clone()), false, &Cancel::default()));
        play(&mut session, 10);
        let at = session.world().expect("a world").character().position();
        assert!(at.is_finite(), "the character is at {at}");
    }
}

/// A picture is turned away in a sentence that begins with its file, or has the pixels that it says.
pub fn picture(bytes: &[u8]) {
    thread_local! {
        static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder is made");
    }
    FOLDER.with(|folder| {
        let path = folder.path().join("x.png");
        std::fs::write(&path, bytes).expect("a file is written");
        assert_picture(&path);
    });
}

fn assert_picture(path: &Path) {
    match load_picture(path) {
        Ok(picture) => {
            let (width, height) = (picture.width as usize, picture.height as usize);
            let limit = skirmish::streaming::PICTURE_SIDE_LIMIT as usize;
            assert!((1..=limit).contains(&width) && (1..=limit).contains(&height));
            assert_eq!(picture.rgba.len(), 4 * width * height);
        }
        Err(error) => {
            let sentence = error.to_string();
            assert_sentence(&sentence);
            assert!(sentence.starts_with(&path.display().to_string()));
        }
    }
}
