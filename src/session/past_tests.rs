//! What is known of the past: what each tick cost, what happened of note, and that going back shows what was seen.

use super::action::{Order as OrderWord, Side as SideWord};
use super::tests::{act, cancel, run, skirmish};
use super::*;
use crate::geometry::{Aabb, Vec2};
use crate::observe::{Ask, Frame};
use crate::partition::Kind;
use crate::scene::file as scene_file;
use crate::streaming::{Clock, TourAsk, TourPicture};

/// All that can be seen at a tick.
fn seen(session: &mut Session) -> String {
    let view = Aabb::new(Vec2::new(-400.0, -400.0), Vec2::new(800.0, 700.0));
    let ask = Ask {
        view,
        metres_per_pixel: 1.0,
        cursor: Some(Vec2::new(230.0, 150.0)),
        query_radius: Some(25.0),
        query_is_square: false,
        reach: 0.0,
        regions: true,
        refresh: false,
    };
    let mut words = format!("{:016x} ", session.hash());
    let bodies = session.battle.bodies();
    for lane in &session.lanes {
        let mut frame = Frame::default();
        frame.observe(lane.index(), bodies, &ask);
        words += &format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} ",
            lane.choice(),
            lane.cost,
            lane.flashes.recent,
            frame.regions.list,
            frame.query,
            frame.unit
        );
    }
    if let Some(world) = &session.world {
        let mut picture = TourPicture::default();
        world.picture(&TourAsk::default(), &mut picture);
        let picture = format!("{:?} {picture:?}", world.figures());
        // What had to be read again is of the present.
        let (before, after) = picture.split_once("reread: ").unwrap();
        words += before;
        words += after.split_once('}').unwrap().1;
    }
    words
}

/// A fingerprint of a text: a thousand of them are compared, and not held.
fn digest(words: &str) -> u64 {
    words
        .bytes()
        .fold(0, |hash, byte| chance::mix(hash ^ u64::from(byte)))
}

#[test]
fn a_thousand_random_seeks_show_what_was_seen_the_first_time() {
    const TICKS: u64 = 420;
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let way = scene.character.as_ref().unwrap().paths[1].name.clone();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    // Keyframes so far apart that most of a way is gone over again.
    session.timeline_mut().set_budget(6_000_000);
    let mut first = vec![0];
    for tick in 0..TICKS {
        match tick {
            5 => act(
                &mut session,
                Action::Spawn(SideWord::Blue, (200.0, 150.0), 40.0, 150),
            ),
            6 => act(
                &mut session,
                Action::Spawn(SideWord::Orange, (280.0, 150.0), 40.0, 150),
            ),
            20 => act(&mut session, Action::Structure("quadtree".to_owned())),
            30 => act(&mut session, Action::Follow(way.clone())),
            60 => act(
                &mut session,
                Action::AddLane("linked-grid".to_owned(), Vec::new()),
            ),
            90 => act(
                &mut session,
                Action::Set("capacity".to_owned(), "4".to_owned()),
            ),
            100 => act(&mut session, Action::Structure("bvh".to_owned())),
            130 => act(
                &mut session,
                Action::Tune("mbps".to_owned(), "0.2".to_owned()),
            ),
            150 => act(&mut session, Action::Erase((230.0, 150.0), 12.0)),
            180 => act(&mut session, Action::Teleport((400.0, -200.0))),
            200 => act(&mut session, Action::Undo),
            240 => act(
                &mut session,
                Action::Order(SideWord::Blue, OrderWord::Brawl),
            ),
            260 => act(&mut session, Action::Structure("morton-tree".to_owned())),
            300 => act(&mut session, Action::DropLane(1)),
            330 => act(&mut session, Action::Restart),
            _ => {}
        }
        run(&mut session, 1);
        // What is done at the beginning of the next tick is done at the end of this one, when one comes back to it.
        first.push(digest(&seen(&mut session)));
    }
    let marks = Arc::clone(session.timeline().marks().list());
    let acts: Vec<u64> = session.timeline().acts().iter().map(|act| act.at).collect();
    let rows: Vec<Vec<Figures>> = (0..=TICKS)
        .map(|tick| session.timeline().ledger().row(tick).to_vec())
        .collect();
    for round in 0..1_000 {
        let target = chance::mix(round) % (TICKS + 1);
        session.seek(target, &cancel(), &mut ()).unwrap();
        assert_eq!(session.tick_count(), target);
        assert_eq!(session.timeline().diverged_at(), None, "tick {target}");
        if target > 0 && !acts.contains(&target) {
            assert!(
                digest(&seen(&mut session)) == first[target as usize],
                "round {round}: tick {target} is seen otherwise than the first time"
            );
        }
    }
    assert_eq!(session.timeline().marks().list(), &marks);
    for (tick, row) in rows.iter().enumerate() {
        let now = session.timeline().ledger().row(tick as u64);
        assert_eq!(format!("{now:?}"), format!("{row:?}"), "tick {tick}");
    }
}

/// Counts the laps of a tick in place of time.
#[derive(Default)]
struct Laps(u32);

impl LaneWatch for Laps {
    fn start(&mut self) {
        self.0 = 0;
    }

    fn begin(&mut self, _: usize) {}

    fn lap(&mut self, _: usize, _: Phase) {
        self.0 += 1;
    }

    fn times(&self, _: usize) -> Times {
        Times {
            step_us: self.0 as f32,
            ..Times::UNKNOWN
        }
    }
}

#[test]
fn a_jump_ahead_in_a_recording_takes_the_time_of_each_tick_by_itself() {
    let mut session = skirmish(80);
    run(&mut session, 50);
    let (mut playing, _) = Session::of_recording(session.recording()).unwrap();
    playing.seek(50, &cancel(), &mut Laps::default()).unwrap();
    let ledger = playing.timeline().ledger();
    for tick in 1..=50 {
        assert_eq!(ledger.row(tick)[0].times.step_us, 4.0, "tick {tick}");
    }
}

#[test]
fn every_switch_leaves_a_mark_and_no_gap() {
    let mut session = skirmish(200);
    run(&mut session, 10);
    let first = session.lanes()[0].kind();
    let mut kinds = Vec::new();
    for round in 0..2 {
        for kind in Kind::ALL {
            let before = session.lanes()[0].kind();
            if *kind != before {
                act(&mut session, Action::Structure(kind.info().key.to_owned()));
                kinds.push((before.into(), (*kind).into()));
            }
            run(&mut session, round * 3);
        }
    }
    run(&mut session, 1);
    assert_eq!(kinds[0].0, first);
    let marks = session.timeline().marks().list();
    let switches: Vec<(StructureKind, StructureKind)> = marks
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Switch { lane: 0, from, to } => Some((from, to)),
            _ => None,
        })
        .collect();
    assert_eq!(switches, kinds);
    let ledger = session.timeline().ledger();
    for tick in 1..=session.tick_count() {
        let row = ledger.row(tick);
        assert_eq!(row.len(), 1, "tick {tick}");
    }
    // The heaviest tick is that of all pairs, and is found again by looking at every row.
    let rows = (1..=session.tick_count()).map(|tick| (tick, ledger.row(tick)[0].tests));
    let most = rows.clone().map(|(_, tests)| tests).fold(0.0, f32::max);
    let (tick, tests) = ledger.heaviest().unwrap();
    assert_eq!(tests, most);
    assert_eq!(ledger.row(tick)[0].tests, most);
    let mut curve = Vec::new();
    for columns in [1, 7, 50, 10_000] {
        ledger.curve(session.tick_count(), columns, &mut curve);
        assert_eq!(curve.iter().copied().fold(0.0, f32::max), most);
    }
}

#[test]
fn an_edit_in_the_past_cuts_what_was_known_and_says_how_much() {
    let mut session = skirmish(150);
    run(&mut session, 30);
    act(&mut session, Action::Structure("bvh".to_owned()));
    run(&mut session, 30);
    act(&mut session, Action::Reach(2.0));
    run(&mut session, 40);
    let spawn = Action::Spawn(SideWord::Blue, (50.0, 50.0), 4.0, 3);
    let cut = session.apply(spawn.clone(), false, &cancel()).unwrap();
    assert_eq!(cut, Cut::default());
    session.seek(20, &cancel(), &mut ()).unwrap();
    assert_eq!(session.timeline().marks().list().len(), 3);
    let cut = session.apply(spawn, false, &cancel()).unwrap();
    assert_eq!(
        cut,
        Cut {
            ticks: 80,
            edits: 3
        }
    );
    assert_eq!(session.timeline().end(), 20);
    assert_eq!(session.timeline().ledger().end(), 21);
    assert_eq!(session.timeline().marks().list().len(), 1);
    run(&mut session, 5);
    assert_eq!(session.timeline().ledger().row(25).len(), 1);
    assert_eq!(session.timeline().ledger().runs().len(), 1);
}

#[test]
fn the_whole_way_of_a_hand_is_one_of_the_edits_that_are_put_aside_and_so_is_a_stroke() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    run(&mut session, 5);
    for step in 0..8_u8 {
        act(&mut session, Action::Lead((500.0 + f32::from(step), 500.0)));
        run(&mut session, 1);
    }
    act(&mut session, Action::LetGo);
    for (speed, more) in [(3.0, false), (4.0, true), (5.0, true)] {
        let speed = Action::Speed(speed);
        session.apply(speed, more, &cancel()).unwrap();
    }
    run(&mut session, 3);
    session.seek(2, &cancel(), &mut ()).unwrap();
    assert!(session.has_edits_ahead());
    let cut = session.apply(Action::Speed(2.0), false, &cancel()).unwrap();
    assert_eq!(
        cut,
        Cut {
            ticks: 14,
            edits: 2
        }
    );
    assert!(!session.has_edits_ahead());
}

#[test]
fn who_only_looked_beside_or_led_the_character_has_changed_nothing_of_the_scene() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    let ahead = |session: &Session| (session.has_edits_ahead(), session.has_scene_ahead());
    run(&mut session, 5);
    act(&mut session, Action::Beside("kd-tree".to_owned()));
    session.seek(2, &cancel(), &mut ()).unwrap();
    assert_eq!(ahead(&session), (false, false));
    session.seek(5, &cancel(), &mut ()).unwrap();
    act(&mut session, Action::Teleport((500.0, 500.0)));
    session.seek(2, &cancel(), &mut ()).unwrap();
    assert_eq!(ahead(&session), (true, false));
    session.seek(5, &cancel(), &mut ()).unwrap();
    act(&mut session, Action::Speed(3.0));
    run(&mut session, 2);
    let stroke = session.apply(Action::Speed(4.0), true, &cancel());
    stroke.unwrap();
    session.seek(2, &cancel(), &mut ()).unwrap();
    assert_eq!(ahead(&session), (true, true));
    // The rest of a stroke is no edit of its own, and the scene lacks it.
    session.seek(6, &cancel(), &mut ()).unwrap();
    assert_eq!(ahead(&session), (false, true));
}

#[test]
fn a_structure_chosen_on_a_tick_that_stands_is_measured_there() {
    let mut session = skirmish(300);
    run(&mut session, 40);
    act(&mut session, Action::Structure("kd-tree".to_owned()));
    assert!(!session.lanes()[0].is_measured);
    let before = session.hash();
    session.measure_at_rest(0, &cancel(), &mut ()).unwrap();
    assert_eq!(session.hash(), before);
    let at_rest = session.lanes()[0].cost;
    assert!(at_rest.at_rest && at_rest.query.tests > 0);
    // It is what the next tick asks.
    run(&mut session, 1);
    let next = session.lanes()[0].cost;
    assert!(!next.at_rest);
    assert_eq!((next.query, next.pairs), (at_rest.query, at_rest.pairs));
    let word = cancel();
    word.cancel();
    assert!(session.measure_at_rest(0, &word, &mut ()).is_err());
    assert_eq!(session.lanes()[0].cost, next);
}

#[test]
fn what_is_edited_on_a_tick_that_stands_is_measured_anew() {
    let mut session = skirmish(300);
    run(&mut session, 40);
    let before = session.lanes()[0].cost;
    assert!(!session.lanes()[0].is_edited);
    let word = Action::Spawn(SideWord::Blue, (240.0, 150.0), 20.0, 500);
    act(&mut session, word);
    assert!(session.lanes()[0].is_edited);
    session.measure_at_rest(0, &cancel(), &mut ()).unwrap();
    let after = session.lanes()[0].cost;
    assert!(!session.lanes()[0].is_edited && after.at_rest);
    assert!(after.all_pairs > before.all_pairs && after.query.tests > before.query.tests);
    run(&mut session, 1);
    assert_eq!(session.lanes()[0].cost.query, after.query);
    act(&mut session, Action::Undo);
    assert!(session.lanes()[0].is_edited);
}

#[test]
fn who_looks_at_a_structure_beside_the_first_has_changed_nothing() {
    let mut session = skirmish(300);
    run(&mut session, 10);
    act(&mut session, Action::Beside("quadtree".to_owned()));
    assert_eq!(session.lanes().len(), 2);
    assert!(!session.is_unsaved() && session.scene().lanes.is_empty());
    assert_eq!(session.undo_name(false), None);
    // What takes an edit back leaves it there.
    act(&mut session, Action::Structure("bvh".to_owned()));
    assert_eq!(session.scene().lanes.len(), 1);
    act(&mut session, Action::Undo);
    assert_eq!(session.lanes().len(), 2);
    assert!(!session.is_unsaved());
    act(&mut session, Action::Restart);
    assert_eq!(session.lanes().len(), 2);
    assert!(!session.is_unsaved());
    for key in ["kd-tree", "bsp-tree"] {
        act(&mut session, Action::Beside(key.to_owned()));
    }
    let one_more = Action::Beside("bvh".to_owned());
    let refusal = session.apply(one_more, false, &cancel()).unwrap_err();
    assert_eq!(refusal.to_string(), "at most 4 lanes follow a battle");
    let unknown = Action::Beside("grdi".to_owned());
    assert!(session.apply(unknown, false, &cancel()).is_err());
}

#[test]
fn pins_are_saved_with_the_recording() {
    let mut session = skirmish(120);
    run(&mut session, 25);
    let times = Times {
        update_us: 12.5,
        query_us: 81.0,
        step_us: 100.0,
    };
    session.pin(0, times).unwrap();
    act(
        &mut session,
        Action::Set("capacity".to_owned(), "5".to_owned()),
    );
    run(&mut session, 10);
    session.measure_at_rest(0, &cancel(), &mut ()).unwrap();
    session.pin(0, Times::UNKNOWN).unwrap();
    assert!(session.pin(1, Times::UNKNOWN).is_err());
    let recording = session.recording();
    let read = file::Recording::parse(recording.format().as_bytes(), "r").unwrap();
    assert_eq!(read, recording);
    let (mut again, _) = Session::of_recording(read).unwrap();
    again.seek(35, &cancel(), &mut ()).unwrap();
    assert!(again.knows(&again.pins()[0]) && again.knows(&again.pins()[1]));
    // An edit between the two cuts the future in which the second was pinned.
    again.seek(30, &cancel(), &mut ()).unwrap();
    act(
        &mut again,
        Action::Spawn(SideWord::Blue, (50.0, 50.0), 4.0, 3),
    );
    run(&mut again, 10);
    assert!(again.knows(&again.pins()[0]) && !again.knows(&again.pins()[1]));
    assert_eq!(again.pins(), session.pins());
    assert_eq!(again.pins()[0].update_us, Some(12.5));
    assert_eq!(again.pins()[1].update_us, None);
    assert_eq!([0, 1].map(|pin| again.pins()[pin].at_rest), [false, true]);
    assert_eq!(again.pins()[1].choice.knobs.len(), 1);
    for _ in 2..PIN_LIMIT {
        session.pin(0, times).unwrap();
    }
    let refusal = session.pin(0, times).unwrap_err().to_string();
    assert!(refusal.contains("at most 8"), "{refusal}");
    session.unpin(0);
    assert_eq!(session.pins().len(), PIN_LIMIT - 1);
    let text = recording.format();
    for (from, to, words) in [
        ("\"quadtree\",tests", "\"hextree\",tests", "must be one of"),
        ("(tick:25,hash", "(tick:\"x\",hash", ""),
        ("update_us:12.5", "update_us:-1.0", "at least 0"),
    ] {
        let by_hand = text.replacen(from, to, 1);
        assert_ne!(by_hand, text, "{from} is not in {text}");
        let error = file::Recording::parse(by_hand.as_bytes(), "r").unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.to_string().starts_with("r:"), "{error}");
    }
}

/// What all lanes cost at rest, measured as whoever shows them does: those that need it.
fn at_rest(session: &mut Session) -> Vec<Cost> {
    for place in 0..session.lane_count() {
        let lane = session.standing(place).unwrap();
        if !lane.is_measured || lane.is_edited {
            session.measure_at_rest(place, &cancel(), &mut ()).unwrap();
        }
    }
    let all = 0..session.lane_count();
    all.map(|place| session.standing(place).unwrap().cost)
        .collect()
}

/// A scene that ships, with so many units, under every structure.
fn shipped(name: &str, units: u32) -> Scene {
    let text = std::fs::read(format!("scenes/{name}.ron")).unwrap();
    let mut scene = scene_file::parse(&text, name).unwrap();
    scene.scale_units(units);
    scene
}

#[test]
fn orders_that_are_given_on_a_tick_that_stands_leave_no_figure_of_the_old_ones() {
    use crate::scene::{Order, StructureChoice};
    const ORDERS: [(OrderWord, Order); 3] = [
        (OrderWord::Charge, Order::Charge),
        (OrderWord::Brawl, Order::Brawl),
        (OrderWord::Hold, Order::Hold),
    ];
    let mut scene = shipped("clusters", 600);
    scene.lanes = [
        Kind::AllPairs,
        Kind::LinkedGrid,
        Kind::MortonTree,
        Kind::Bvh,
    ]
    .map(StructureChoice::new)
    .into();
    let told = |order: Order| {
        let mut scene = scene.clone();
        for army in &mut scene.armies {
            army.order = order;
        }
        at_rest(&mut Session::new(scene, Path::new("")).0)
    };
    let mut seen = Vec::new();
    for (_, first) in ORDERS {
        for (word, order) in ORDERS {
            let mut begun = scene.clone();
            for army in &mut begun.armies {
                army.order = first;
            }
            let (mut session, _) = Session::new(begun, Path::new(""));
            let before = at_rest(&mut session);
            for side in [SideWord::Blue, SideWord::Orange] {
                act(&mut session, Action::Order(side, word));
            }
            assert!(session.lanes().iter().all(|lane| lane.is_edited));
            let after = at_rest(&mut session);
            assert_eq!(after, told(order), "{first:?} to {order:?}");
            assert!(after.iter().all(|cost| cost.query.tests > 0));
            // Who takes it back is shown what was there.
            act(&mut session, Action::Undo);
            act(&mut session, Action::Undo);
            assert_eq!(at_rest(&mut session), before, "{order:?} to {first:?}");
        }
        seen.push(told(first)[0].all_pairs);
    }
    assert_ne!(seen[0], seen[1], "{seen:?}: they ask the same");
}

#[test]
fn whatever_changes_what_the_next_tick_asks_is_measured_anew_in_every_lane_also_in_space() {
    use super::action::Motion as Word;
    use crate::scene::{Motion, StructureChoice3};
    use crate::volume::Kind3;
    let mut scene = shipped("dogfight", 300);
    let volume = scene.volume.as_mut().unwrap();
    volume.lanes = Kind3::ALL
        .iter()
        .copied()
        .map(StructureChoice3::new)
        .collect();
    volume.lanes.truncate(3);
    let with = |change: fn(&mut Scene)| {
        let mut scene = scene.clone();
        change(&mut scene);
        at_rest(&mut Session::new(scene, Path::new("")).0)
    };
    let flock = |scene: &mut Scene| {
        let flocks = &mut scene.volume.as_mut().unwrap().flocks;
        flocks.iter_mut().for_each(|it| it.motion = Motion::Flock);
    };
    let (mut session, _) = Session::new(scene.clone(), Path::new(""));
    let before = at_rest(&mut session);
    for side in [SideWord::Blue, SideWord::Orange] {
        act(&mut session, Action::Motion(side, Word::Flock));
    }
    assert!(session.lanes3().iter().all(|lane| lane.is_edited));
    assert_eq!(at_rest(&mut session), with(flock));
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert_eq!(at_rest(&mut session), before);
    act(&mut session, Action::Reach(1.5));
    let after = at_rest(&mut session);
    assert!(
        after
            .iter()
            .zip(&before)
            .all(|(after, before)| after.pairs > before.pairs)
    );
    // A setting of one lane changes no question: the others keep their figures.
    act(&mut session, Action::Undo);
    at_rest(&mut session);
    act(&mut session, Action::Structure("grid-3d".to_owned()));
    let measured = |place: usize| {
        let lane = session.standing(place).unwrap();
        lane.is_measured && !lane.is_edited
    };
    assert!(!measured(0) && (1..4).all(measured));
}

#[test]
fn a_build_at_rest_is_one_from_nothing() {
    let mut session = skirmish(300);
    act(&mut session, Action::Structure("sorted-grid".to_owned()));
    run(&mut session, 40);
    // Ten times as many: what was chosen for the few of before does not fit these.
    let word = Action::Spawn(SideWord::Blue, (240.0, 150.0), 60.0, 3_000);
    act(&mut session, word);
    let lane = &session.lanes()[0];
    let fresh = Lane::new(&lane.choice(), lane.field(), session.battle());
    let bytes = lane.byte_count();
    let cost = at_rest(&mut session)[0];
    assert_eq!(cost.update, fresh.cost.update);
    // It was built beside the one that follows, which is as it was.
    assert_eq!(session.lanes()[0].byte_count(), bytes);
}

/// In a world on a slow disk: an object that was late, when it was needed, and when it came.
fn late_one(session: &mut Session) -> (u32, u64, u64) {
    for (key, value) in [("mbps", "0.1"), ("latency_ms", "200")] {
        act(session, Action::Tune(key.to_owned(), value.to_owned()));
    }
    act(session, Action::Speed(60.0));
    act(session, Action::Follow("ride".to_owned()));
    for _ in 0..600 {
        run(session, 1);
        let marks = session.timeline().marks().list();
        let came = marks.iter().find_map(|mark| {
            Some((
                mark.tick,
                mark.came.iter().find(|it| it.lateness.has_come())?,
            ))
        });
        if let Some((tick, one)) = came {
            return (one.object, tick, one.tick);
        }
    }
    panic!("nobody was late");
}

/// Why an object is not loaded, as the window is told.
fn told(session: &Session, object: u32) -> String {
    let mut picture = TourPicture::default();
    let ask = TourAsk {
        selection: Some(object),
        future: session.future_of_late(object),
        clock: session.world_clock(),
        ..TourAsk::default()
    };
    session.world().unwrap().picture(&ask, &mut picture);
    picture.selected().unwrap().why.join(" ")
}

#[test]
fn seconds_that_a_restart_has_set_back_are_told_as_what_they_are() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    run(&mut session, 3);
    assert_eq!(session.world_clock(), Clock::Start);
    act(&mut session, Action::Restart);
    let (object, needed, _) = late_one(&mut session);
    assert_eq!(
        (session.world_clock(), session.world_began()),
        (Clock::Restart, 3)
    );
    let said = told(&session, object);
    let at = |tick: u64| format!("{:.2} s after the restart", (tick - 3) as f64 / 60.0);
    assert!(said.contains(&format!("needed {}", at(needed))), "{said}");
    assert!(
        !said.contains("needed at ") && !said.contains("At "),
        "{said}"
    );
    // Taken back, it leaves a clock that lags behind by what came in between.
    while session.world_made() > 0 {
        act(&mut session, Action::Undo);
    }
    assert_eq!(session.world_clock(), Clock::SetBack);
}

#[test]
fn whoever_goes_back_to_a_late_load_is_told_how_late_it_comes_until_that_future_is_cut() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    let (object, needed, came) = late_one(&mut session);
    let afterwards = told(&session, object);
    let of_cause = |told: &str| {
        told[told.find("Of the ").unwrap()..]
            .split(". ")
            .next()
            .map(str::to_owned)
    };
    for tick in [needed, came - 1] {
        session.seek(tick, &cancel(), &mut ()).unwrap();
        let said = told(&session, object);
        assert!(said.contains("in the future that is known"), "{said}");
        assert!(!said.contains("is told once it is there"), "{said}");
        // It has not gone by yet, but what it goes by in is the same.
        let to_come = "from its queueing until it comes";
        let cause = of_cause(&said).unwrap();
        assert!(cause.contains(to_come), "{said}");
        let cause = cause.replace(to_come, "from its queueing until it came");
        let cause = cause.replacen(" go by ", " went by ", 1);
        assert_eq!(Some(cause), of_cause(&afterwards));
    }
    // Once it is there it is told as the first time, and before it was needed nothing is known.
    session.seek(came, &cancel(), &mut ()).unwrap();
    assert_eq!(told(&session, object), afterwards);
    session.seek(needed - 1, &cancel(), &mut ()).unwrap();
    assert!(!told(&session, object).contains("in the future"));
    session.seek(needed, &cancel(), &mut ()).unwrap();
    act(&mut session, Action::Speed(61.0));
    let said = told(&session, object);
    assert!(said.contains("is told once it is there"), "{said}");
}

#[test]
fn what_ticks_cost_is_of_the_crowd_that_is_there_now() {
    let mut session = skirmish(200);
    let since = |session: &Session| {
        let now = session.tick_count();
        session.timeline().crowd_since(now, 60)
    };
    run(&mut session, 20);
    assert_eq!(since(&session), 0);
    act(&mut session, Action::Units(300));
    // What stands was there before it.
    assert_eq!(since(&session), 0);
    run(&mut session, 6);
    assert_eq!(since(&session), 21);
    // As many as before, and another beginning all the same.
    act(&mut session, Action::Restart);
    run(&mut session, 2);
    assert_eq!(since(&session), 27);
    // A few more are no other crowd, and twice as many are.
    let spawn = |count| Action::Spawn(SideWord::Blue, (50.0, 50.0), 20.0, count);
    act(&mut session, spawn(3));
    run(&mut session, 1);
    assert_eq!(since(&session), 27);
    act(&mut session, spawn(300));
    run(&mut session, 1);
    assert_eq!(since(&session), 30);
    act(&mut session, Action::Undo);
    run(&mut session, 3);
    assert_eq!(since(&session), 31);
    // Who goes back finds what was said there.
    session.seek(25, &cancel(), &mut ()).unwrap();
    assert_eq!(since(&session), 21);
    // Long after an edit all of the last ticks count.
    session.seek(33, &cancel(), &mut ()).unwrap();
    run(&mut session, 70);
    assert_eq!(since(&session), 103 + 1 - 60);
}
