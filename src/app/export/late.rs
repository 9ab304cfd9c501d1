//! The late loads, as JSON and as a table.

use super::{END, quoted, rounded, shortest};
use crate::app::late::{AtTick, Late};
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::widgets::with_commas;
use serde_json::{Value, json};
use skirmish::geometry::Vec2;
use skirmish::session::{LateInBoth, LateSum, Mark, MarkKind, RunTicks, tick_at};
use skirmish::streaming::{Clock, Lateness, Renumberings, State, WorldObject};
use skirmish::tick::STEP_SECONDS;
use std::cmp::Ordering;
use std::fmt::Write;

/// The world that is shown, at its tick.
struct ShownWorld<'w> {
    objects: &'w [WorldObject],
    states: &'w [State],
    numbers: &'w Renumberings,
    now: AtTick<'w>,
    /// Of which run each tick is.
    runs: &'w RunTicks,
}

/// The late loads, oldest first, those of other runs before or after a restart among them: when, in which run, how many objects, and
/// which, as far as they are known one by one: by the number that each has by now, which is that of the window and none of one that was
/// taken away since (where time has gone back before the load, it is that of then), and by that of then; when it came to be needed, and
/// of who has come when it came, in seconds of its world, how late that is, and why; of all of whom that is known how long they were
/// missing while they were needed, by the tick that is shown where they still are, and what became of them: whether one `came`, was
/// `given_up`, was `no_longer_needed` before it came (it may be needed again, and come yet), or is `pending`, needed, perhaps once more,
/// and not there; of who has none of these it is said why: it was `taken_away`, its run ended before (`run_ended`), or it is `not_known`
/// at the tick that is shown. Of those that are in the world that is shown it is said where they stand and how large they are by now,
/// and of others how that was when they came, were given up or were no longer needed; where nothing of that is known, as before an
/// object had its number, nothing is.
///
/// Moments are told by the ticks of the timeline, and `seconds_since_tick_0` is the same in seconds. All other seconds are counted from
/// `clock_began_at_tick`, which is no more the first tick once the world has begun anew;
/// `seconds_since_restart` are the same as `seconds` where that is the tick of a restart, and null otherwise. A run has begun at
/// `run_began_at_tick`, its `run_last_tick` is the last one of it that is known (that of the restart that ended it, where none was taken
/// back), and `is_of_this_run` says whether it is the one of which the figures are.
fn late(marks: &[Mark], world: u64, shown: &ShownWorld<'_>) -> Value {
    let ShownWorld {
        objects,
        states,
        numbers,
        now: at_tick,
        runs,
    } = *shown;
    let load = |mark: &Mark| {
        let clock = Clock::of(mark.world, mark.began);
        let seconds = (mark.tick - mark.began) as f64 * STEP_SECONDS;
        let is_of_this_run = mark.world == world;
        let by_now = Late::at(mark, (world, numbers, at_tick));
        let object = |(name, number)| {
            let mut came = mark.came.iter();
            // When it came it may have had another number.
            let late = came.find(|it| it.lateness.needed_as() == number);
            let late = late.map(|it| &it.lateness);
            let there = late.filter(|it| it.has_come());
            let now = numbers.now_of_known(number, mark.numbering);
            let now = now.filter(|_| is_of_this_run);
            let body = now.and_then(|now| objects.get(now as usize));
            // Of who has not come yet it is known since when it is late, and what it does by now.
            let state = now.and_then(|now| states.get(now as usize)).copied();
            let state = state.filter(|_| now.is_some_and(|now| by_now.pending.contains(&now)));
            let waits = state.map(|it| {
                let tick = with_commas(at_tick.tick);
                format!("It is not there yet at tick {tick}: it is {}.", it.name())
            });
            // So far.
            let mut all_missing = by_now.missing.iter();
            let so_far = all_missing.find(|it| Some(it.object) == now);
            let so_far = so_far.map(|it| it.seconds);
            let missing = so_far.or(late.map(Lateness::missing));
            let missing = missing.or(waits.as_ref().map(|_| 0.0));
            let outcome = match late {
                _ if so_far.is_some() => Some("pending"),
                Some(it) if it.is_given_up() => Some("given_up"),
                Some(it) if it.is_on_its_way() => Some("no_longer_needed"),
                Some(_) => Some("came"),
                None => waits.as_ref().map(|_| "pending"),
            };
            let is_there = numbers.now(number, mark.numbering).is_some();
            let (outcome, untold) = match outcome {
                Some(outcome) => (outcome, None),
                None => {
                    let (outcome, why) = untold((mark.world, world), is_there);
                    (outcome, Some(why))
                }
            };
            let told = late.map(|it| it.sentences(clock)).into_iter().flatten();
            let why = told.chain(waits).chain(untold.map(str::to_owned));
            let why: Vec<String> = why.collect();
            let needed_at = late.map_or(seconds, Lateness::needed_at);
            let now = body.map(|it| [it.center, it.half_extent]);
            // What is in this world has moved with it, and what is not is known as it was.
            let is_away = !is_of_this_run || !is_there;
            let stands = now.or(late.filter(|_| is_away).map(Lateness::stood));
            let pair = |it: Vec2| [shortest(it.x), shortest(it.y)];
            json!({
                "name": name,
                "object": numbers.now(number, mark.numbering),
                "object_then": number,
                "center_m": stands.map(|[center, _]| pair(center)),
                "size_m": stands.map(|[_, half]| pair(half * 2.0)),
                "late_seconds": there.map(Lateness::seconds),
                "missing_seconds": missing,
                "needed_at": needed_at,
                "needed_at_tick": tick_at(mark.began, needed_at),
                "came_at": there.map(Lateness::came_at),
                "came_at_tick": there.map(|it| tick_at(mark.began, it.came_at())),
                "given_up": late.is_some_and(Lateness::is_given_up),
                "outcome": outcome,
                "why": why,
            })
        };
        json!({
            "tick": mark.tick,
            "run_began_at_tick": mark.world,
            "run_last_tick": runs.last_tick(mark.world),
            "is_of_this_run": is_of_this_run,
            "seconds": seconds,
            "seconds_since_tick_0": mark.tick as f64 * STEP_SECONDS,
            "seconds_since_restart": clock.since_restart(seconds),
            "clock_began_at_tick": mark.began,
            "count": mark.count,
            "objects": mark.who.known().map(object).collect::<Vec<_>>(),
        })
    };
    let late = marks.iter().filter(|mark| mark.kind == MarkKind::Late);
    late.map(load).collect()
}

/// The outcome of one of whom nothing is known, and why that is so, in the run of the world `of` where `world` is shown; `is_there` says
/// whether the object is in this one by now.
fn untold((of, world): (u64, u64), is_there: bool) -> (&'static str, &'static str) {
    match of.cmp(&world) {
        Ordering::Less => (
            "run_ended",
            "The world began anew before anything became of it.",
        ),
        Ordering::Equal if !is_there => (
            "taken_away",
            "It was taken away before anything became of it.",
        ),
        _ => (
            "not_known",
            "What became of it is not known at the tick that is shown.",
        ),
    }
}

/// How many objects were late in the present future and in the other one since they have parted; one that was late twice counts twice. How
/// late the last one came is said of those that have come by the last of these ticks.
pub(super) fn late_in_both(both: &LateInBoth) -> Value {
    let sum = |sum: &LateSum| {
        json!({
            "objects": sum.objects,
            "came": sum.came,
            "longest_late_seconds": sum.longest.as_ref().map(Lateness::seconds),
        })
    };
    json!({
        "first_tick": both.after + 1,
        "last_tick": both.until,
        "this_future": sum(&both.here),
        "other_future": sum(&both.other),
    })
}

/// The same of the world that is shown.
pub(super) fn late_of(app: &App, stream: &Stream) -> Value {
    let shown = ShownWorld {
        objects: stream.objects(),
        states: stream.states(),
        numbers: stream.renumberings(),
        now: AtTick {
            tick: app.place.tick,
            pending: stream.pending_needs(),
            is_unsure: !stream.has_pending_needs(),
        },
        runs: &app.place.run_ticks,
    };
    late(&app.place.marks, app.place.world_made, &shown)
}

/// The late loads as a table, a row for each object that is known, and one without an object where none is; with what [`late`] says. The
/// columns say from when their seconds are counted, a cell is empty where nothing is known, and no number has more than three decimals:
/// `late_seconds` are those from when one was needed until it came, `missing_seconds` those in which one was needed and not there,
/// whatever became of it, which is its `outcome`, and so far where that is `pending`. Of several reasons each is a sentence of `why`,
/// whose seconds are since tick 0, or say otherwise.
pub fn late_csv(app: &App) -> String {
    /// Where each column is in what is said of a late load.
    const OF_LOAD: [(&str, &str); 7] = [
        ("tick", "/tick"),
        ("run_began_at_tick", "/run_began_at_tick"),
        ("run_last_tick", "/run_last_tick"),
        ("is_of_this_run", "/is_of_this_run"),
        ("seconds_since_tick_0", "/seconds_since_tick_0"),
        ("seconds_since_restart", "/seconds_since_restart"),
        ("count", "/count"),
    ];
    /// The same of an object.
    const OF_OBJECT: [(&str, &str); 13] = [
        ("name", "/name"),
        ("object", "/object"),
        ("object_then", "/object_then"),
        ("x_m", "/center_m/0"),
        ("y_m", "/center_m/1"),
        ("width_m", "/size_m/0"),
        ("height_m", "/size_m/1"),
        ("needed_at_tick", "/needed_at_tick"),
        ("came_at_tick", "/came_at_tick"),
        ("late_seconds", "/late_seconds"),
        ("missing_seconds", "/missing_seconds"),
        ("given_up", "/given_up"),
        ("outcome", "/outcome"),
    ];
    let mut text = String::new();
    for (name, _) in OF_LOAD.iter().chain(&OF_OBJECT) {
        let _ = write!(text, "{name},");
    }
    let _ = write!(text, "why{END}");
    let Some(stream) = &app.stream else {
        return text;
    };
    let said = late_of(app, stream);
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    for load in said.as_array().into_iter().flatten() {
        let mut objects = list(load, "objects");
        if objects.is_empty() {
            objects.push(Value::Null);
        }
        for object in &objects {
            let cell = |of: &Value, place: &str| of.pointer(place).map_or(String::new(), rounded);
            let of_load = OF_LOAD.map(|(_, place)| cell(load, place));
            let of_object = OF_OBJECT.map(|(_, place)| cell(object, place));
            for cell in of_load.iter().chain(&of_object) {
                let _ = write!(text, "{},", quoted(cell));
            }
            let why = list(object, "why");
            let why: Vec<&str> = why.iter().filter_map(Value::as_str).collect();
            let _ = write!(text, "{}{END}", quoted(&why.join(" ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::ride;
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session, Units};
    use std::collections::BTreeMap;

    /// The late loads of a session as they are exported.
    fn told(session: &Session, marks: &[Mark]) -> Value {
        let world = session.world().expect("a world").streaming();
        let mut pending = Vec::new();
        world.pending_needs(&mut pending);
        let shown = ShownWorld {
            objects: world.objects(),
            states: world.states(),
            numbers: world.renumberings(),
            now: AtTick {
                tick: session.tick_count(),
                pending: &pending,
                is_unsure: false,
            },
            runs: session.timeline().ledger().run_ticks(),
        };
        late(marks, session.world_made(), &shown)
    }

    #[test]
    fn of_another_run_it_is_said_where_those_stood_who_have_come_and_how_large_they_were() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let has_come = |mark: &Mark| mark.came.iter().any(|it| it.lateness.has_come());
        until(&mut session, has_come);
        // Somebody else is missing when it begins anew.
        let is_waited_for = |mark: &Mark| mark.kind == MarkKind::Late && mark.came.is_empty();
        until(&mut session, is_waited_for);
        let objects = session.world().expect("a world").streaming().objects();
        let objects = objects.to_vec();
        let restart = session.apply(Action::Restart, false, &Cancel::default());
        restart.expect("a world");
        let told = told(&session, session.timeline().marks().list());
        let all = told.as_array().into_iter().flatten();
        assert!(all.clone().all(|load| load["is_of_this_run"] == false));
        let all = all.flat_map(|load| load["objects"].as_array().into_iter().flatten());
        let (came, others): (Vec<_>, Vec<_>) = all.partition(|it| it["outcome"] == "came");
        assert!(!came.is_empty(), "{told}");
        for object in came {
            let then = object["object_then"].as_u64().expect("a number") as usize;
            let [x, y] = objects[then].center.to_array();
            assert_eq!(object["center_m"], json!([shortest(x), shortest(y)]));
            assert!(object["size_m"].is_array(), "{object}");
        }
        let unknown = others.iter().filter(|it| it["outcome"] == "run_ended");
        let unknown: Vec<_> = unknown.collect();
        assert!(!unknown.is_empty(), "{told}");
        assert!(unknown.into_iter().all(|it| it["center_m"].is_null()));
    }

    #[test]
    fn of_this_run_it_is_said_where_an_object_stands_by_now_and_of_one_that_was_deleted_where_it_stood()
     {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let has_come = |mark: &Mark| mark.came.iter().any(|it| it.lateness.has_come());
        let came = |told: &Value| -> Vec<Value> {
            let all = told.as_array().into_iter().flatten();
            let all = all.flat_map(|load| load["objects"].as_array().into_iter().flatten());
            all.filter(|it| it["outcome"] == "came").cloned().collect()
        };
        let first = came(&until(&mut session, has_come)).remove(0);
        let then = first["object_then"].as_u64().expect("a number") as u32;
        let center = |session: &Session| {
            let objects = session.world().expect("a world").streaming().objects();
            let [x, y] = objects[then as usize].center.to_array();
            json!([shortest(x), shortest(y)])
        };
        // Nobody else has its number in what was late so far.
        let now = |session: &Session| {
            let told = told(session, session.timeline().marks().list());
            let mut came = came(&told).into_iter();
            came.find(|it| it["object_then"] == then)
                .expect("who has come")
        };
        let stood = center(&session);
        assert_eq!(first["center_m"], stood);
        let one = Units::new(vec![then]);
        let way = Vec2::new(7.0, -4.0).into();
        act(&mut session, [Action::MoveObjects(one.clone(), way)]);
        assert_ne!(center(&session), stood);
        assert_eq!(now(&session)["center_m"], center(&session));
        assert_eq!(now(&session)["size_m"], first["size_m"]);
        // Its number is another one's by now.
        act(&mut session, [Action::RemoveObjects(one)]);
        assert!(now(&session)["object"].is_null());
        assert_eq!(now(&session)["center_m"], stood);
        assert_eq!(now(&session)["size_m"], first["size_m"]);
    }

    /// Goes on until something of the late loads is so, and gives them as they are exported then.
    fn until(session: &mut Session, is_so: impl Fn(&Mark) -> bool) -> Value {
        for _ in 0..3_000 {
            session.tick(&Cancel::default(), &mut ()).expect("a tick");
            let marks = session.timeline().marks().list();
            if marks.iter().any(&is_so) {
                return told(session, marks);
            }
        }
        panic!("that never was so");
    }

    /// The run of each late load as it is exported: at which tick it began, and its last one.
    fn runs_of(session: &Session) -> BTreeMap<u64, Option<u64>> {
        let told = told(session, session.timeline().marks().list());
        let mut runs = BTreeMap::new();
        for load in told.as_array().into_iter().flatten() {
            let began = load["run_began_at_tick"].as_u64().expect("a tick");
            let last = load["run_last_tick"].as_u64();
            assert_eq!(*runs.entry(began).or_insert(last), last, "{load}");
        }
        runs
    }

    /// Goes on until somebody is late in the run of now, and a few ticks beyond that; gives the tick.
    fn until_late(session: &mut Session) -> u64 {
        let world = session.world_made();
        until(session, |mark| {
            mark.kind == MarkKind::Late && mark.world == world
        });
        for _ in 0..5 {
            session.tick(&Cancel::default(), &mut ()).expect("a tick");
        }
        session.tick_count()
    }

    fn act(session: &mut Session, actions: impl IntoIterator<Item = Action>) {
        for action in actions {
            let done = session.apply(action, false, &Cancel::default());
            done.expect("a world");
        }
    }

    fn restart() -> [Action; 2] {
        [Action::Restart, Action::Follow("ride".to_owned())]
    }

    #[test]
    fn the_last_tick_of_a_run_is_its_own_for_whoever_goes_back_and_begins_it_anew_there() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let first = until_late(&mut session);
        act(&mut session, restart());
        let end = until_late(&mut session);
        let both = BTreeMap::from([(0, Some(first)), (first, Some(end))]);
        assert_eq!(runs_of(&session), both);
        // Back in the first run each still has its own.
        let back = first - 3;
        let sought = session.seek(back, &Cancel::default(), &mut ());
        sought.expect("back");
        assert_eq!(session.world_made(), 0);
        assert_eq!(runs_of(&session), both);
        // It ends there by another restart, and what came of the first one is gone.
        act(&mut session, restart());
        assert_eq!(runs_of(&session), BTreeMap::from([(0, Some(back))]));
        let end = until_late(&mut session);
        let both = BTreeMap::from([(0, Some(back)), (back, Some(end))]);
        assert_eq!(runs_of(&session), both);
    }

    #[test]
    fn a_run_to_which_undo_or_redo_leads_back_ends_later_and_a_recording_says_the_same() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let cancel = Cancel::default();
        let first = until_late(&mut session);
        act(&mut session, restart());
        let second = until_late(&mut session);
        act(&mut session, [Action::Undo, Action::Undo]);
        assert_eq!(session.world_made(), 0);
        session.tick(&cancel, &mut ()).expect("a tick");
        let both = |last, of_restart| BTreeMap::from([(0, Some(last)), (first, Some(of_restart))]);
        assert_eq!(runs_of(&session), both(second + 1, second));
        act(&mut session, [Action::Redo, Action::Redo]);
        assert_eq!(session.world_made(), first);
        session.tick(&cancel, &mut ()).expect("a tick");
        let all = both(second + 1, second + 2);
        assert_eq!(runs_of(&session), all);
        // Passed at once, with no restart seen by anybody.
        let recording = Session::of_recording(session.recording());
        let (mut again, _) = recording.expect("a recording");
        again.seek(first, &cancel, &mut ()).expect("its first run");
        assert_eq!(runs_of(&again), BTreeMap::from([(0, Some(first))]));
        let end = again.timeline().end();
        again.seek(end, &cancel, &mut ()).expect("its end");
        assert_eq!(runs_of(&again), all);
    }

    #[test]
    fn whoever_comes_late_is_called_by_the_number_of_now_and_by_that_of_then() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let is_waited_for = |mark: &Mark| mark.kind == MarkKind::Late && mark.came.is_empty();
        let told = until(&mut session, is_waited_for);
        let load = told
            .as_array()
            .and_then(|all| all.last())
            .expect("a late load");
        let (tick, object) = (&load["tick"], &load["objects"][0]);
        assert!(object["object"].as_u64() > Some(0) && object["came_at"].is_null());
        assert_eq!(object["object"], object["object_then"]);
        // Who has not come yet is late since that tick, and why is known as far as it is.
        assert_eq!(object["needed_at_tick"], *tick);
        let waits = object["why"][0].as_str().expect("a sentence");
        assert!(waits.starts_with("It is not there yet at tick "), "{waits}");
        assert_eq!(object["outcome"], "pending");
        let so_far = (session.tick_count() - tick.as_u64().expect("a tick")) as f64;
        assert_eq!(object["missing_seconds"], so_far * STEP_SECONDS);
        assert!(object["late_seconds"].is_null());
        let first = Units::new(vec![0]);
        let cancel = Cancel::default();
        let removed = session.apply(Action::RemoveObjects(first), false, &cancel);
        removed.expect("an edit");
        let has_come = |mark: &Mark| {
            mark.tick == tick.as_u64().expect("a tick")
                && mark.came.iter().any(|it| it.lateness.has_come())
        };
        let told = until(&mut session, has_come);
        let loads = told.as_array().expect("late loads");
        let load = loads.iter().find(|load| load["tick"] == *tick).expect("it");
        let objects = load["objects"].as_array().expect("objects");
        let came = objects
            .iter()
            .find(|it| !it["came_at"].is_null())
            .expect("one that came");
        assert!(came["late_seconds"].as_f64() > Some(0.0), "{came}");
        assert!(came["why"].as_array().is_some_and(|why| !why.is_empty()));
        assert_eq!(came["given_up"], false);
        assert_eq!(came["outcome"], "came");
        assert!(came["missing_seconds"].as_f64() > Some(0.0), "{came}");
        // As the list in the window calls it.
        let [now, then] = ["object", "object_then"].map(|key| came[key].as_u64());
        assert_eq!(now.map(|it| it + 1), then);
    }

    #[test]
    fn where_an_object_is_said_to_stand_is_of_no_other_one_before_it_had_its_number() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let cancel = Cancel::default();
        session.tick(&cancel, &mut ()).expect("a tick");
        let removed = session.apply(Action::RemoveObjects(Units::new(vec![0])), false, &cancel);
        removed.expect("an edit");
        let is_late = |mark: &Mark| mark.kind == MarkKind::Late && mark.numbering == 1;
        let told = until(&mut session, is_late);
        let last = |told: &Value| told.as_array().and_then(|all| all.last()).cloned();
        let load = last(&told).expect("a late load");
        assert!(load["objects"][0]["center_m"].is_array(), "{load}");
        session.seek(0, &cancel, &mut ()).expect("back");
        let marks = session.timeline().marks().list();
        let load = last(&self::told(&session, marks)).expect("a late load");
        assert_eq!(load["is_of_this_run"], true);
        assert!(load["objects"][0]["center_m"].is_null(), "{load}");
        assert!(load["objects"][0]["size_m"].is_null(), "{load}");
    }

    #[test]
    fn of_whoever_a_restart_has_cut_off_it_is_told_that_its_run_ended() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let is_waited_for = |mark: &Mark| mark.kind == MarkKind::Late && mark.came.is_empty();
        until(&mut session, is_waited_for);
        let restart = session.apply(Action::Restart, false, &Cancel::default());
        restart.expect("a world");
        let told = told(&session, session.timeline().marks().list());
        let objects = told.as_array().into_iter().flatten();
        let objects = objects.flat_map(|load| load["objects"].as_array().into_iter().flatten());
        let cut_off: Vec<&Value> = objects.filter(|it| it["outcome"] == "run_ended").collect();
        assert!(!cut_off.is_empty(), "{told}");
        for object in cut_off {
            assert_eq!(object["why"][0], untold((0, 1), true).1, "{object}");
        }
        assert_eq!(untold((1, 1), false).0, "taken_away");
        assert_eq!(untold((1, 1), true).0, "not_known");
        assert_eq!(untold((2, 1), true).0, "not_known");
    }

    #[test]
    fn of_whoever_is_given_up_it_is_told_what_it_waited_for() {
        // What is needed has no room.
        let mut session = ride(&[("memory_cap", "100000")]);
        let is_given_up = |mark: &Mark| mark.came.iter().any(|it| it.lateness.is_given_up());
        let told = until(&mut session, is_given_up);
        let objects = told.as_array().into_iter().flatten();
        let mut objects = objects.flat_map(|load| load["objects"].as_array().into_iter().flatten());
        let given_up = objects
            .find(|it| it["given_up"] == true)
            .expect("one that was given up");
        assert!(given_up["came_at"].is_null());
        // As long as it was needed, and no longer.
        assert!(given_up["late_seconds"].is_null());
        assert_eq!(given_up["outcome"], "given_up");
        let missing = given_up["missing_seconds"].as_f64();
        assert!(missing.is_some_and(|it| it > 0.0), "{given_up}");
        assert!(given_up["needed_at"].as_f64().is_some());
        let why = given_up["why"].to_string();
        assert!(
            why.contains("the memory cap of 100 kB left no room"),
            "{why}"
        );
        let object = given_up["object"].as_u64().expect("a number") as u32;
        let world = session.world().expect("a world");
        let told = world
            .object_picture(object)
            .expect("an object")
            .why
            .join(" ");
        assert!(told.contains("was given up before it came, "), "{told}");
        assert!(
            told.contains("the memory cap of 100 kB left no room"),
            "{told}"
        );
    }

    #[test]
    fn seconds_that_a_restart_has_set_back_are_named_so() {
        let mut session = ride(&[("mbps", "0.05"), ("latency_ms", "200")]);
        let has_come = |mark: &Mark| mark.came.iter().any(|it| it.lateness.has_come());
        let told = until(&mut session, has_come);
        assert!(told[0]["seconds_since_restart"].is_null());
        assert_eq!(told[0]["clock_began_at_tick"], 0);
        let began = session.tick_count();
        let cancel = Cancel::default();
        for action in [Action::Restart, Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        let has_come_since = |mark: &Mark| mark.world == began && has_come(mark);
        let all = until(&mut session, has_come_since);
        let all = all.as_array().into_iter().flatten();
        let of_this_run = all.filter(|load| load["is_of_this_run"] == true);
        let of_this_run: Vec<&Value> = of_this_run.collect();
        let load = of_this_run.first().expect("one of this run");
        assert_eq!(load["clock_began_at_tick"], began);
        assert_eq!(load["seconds_since_restart"], load["seconds"]);
        let tick = load["tick"].as_u64().expect("a tick");
        // Ticks and seconds of the timeline go on.
        let since_0 = load["seconds_since_tick_0"].as_f64().expect("seconds");
        assert_eq!(tick, (since_0 / STEP_SECONDS).round() as u64);
        let objects = of_this_run
            .iter()
            .filter_map(|load| load["objects"].as_array());
        let came = objects.flatten().filter(|it| !it["came_at"].is_null());
        let came: Vec<_> = came.collect();
        assert!(!came.is_empty());
        for object in came {
            let [needed, came] = ["needed_at_tick", "came_at_tick"].map(|key| object[key].as_u64());
            assert!(needed >= Some(began) && came > needed, "{object}");
            let late = object["late_seconds"].as_f64().expect("seconds") / STEP_SECONDS;
            assert_eq!(late.round() as u64, came.unwrap_or(0) - needed.unwrap_or(0));
        }
        let seconds = load["seconds"].as_f64().expect("seconds");
        assert_eq!(tick, began + (seconds / STEP_SECONDS).round() as u64);
    }
}
