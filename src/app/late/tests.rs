//! Which late loads are listed, in which order, and what is said of them.

use super::words::{all_who_were_late, in_brief, note, rest, time_alone, who_was_late};
use super::*;
use skirmish::probe::Cancel;
use skirmish::session::{Action, LateInBoth, LateSum, Session, Units};
use skirmish::streaming::{Latecomers, called, span};

/// The list with its rows, as it is made for the first time.
fn listed(
    marks: &[Mark],
    (world, numbers, now): (u64, &Renumberings, AtTick<'_>),
    sought: &str,
    order: Order,
) -> Listed {
    let mut list = noted(marks, (world, numbers), sought, order);
    list.fill(marks, (world, numbers, now), sought, order.by_lateness);
    list
}

/// Rides through the open world for so many ticks.
fn ride(session: &mut Session, ticks: u64) {
    let cancel = Cancel::default();
    for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
        session.apply(action, false, &cancel).expect("a world");
    }
    for _ in 0..ticks {
        session.tick(&cancel, &mut ()).expect("a tick");
    }
}

#[test]
fn whoever_was_late_is_called_as_everywhere_and_the_row_is_short() {
    let who = Latecomers::of([("pond-1", 46), ("pond-1", 47), ("", 50)].into_iter());
    let said = |count| all_who_were_late(&who, count, &[], &[]);
    assert_eq!(said(3), "pond-1 46; pond-1 47; object 50");
    assert_eq!(
        said(1_006),
        "pond-1 46; pond-1 47; object 50; and 1,003 more"
    );
    let row = |sought, meant| who_was_late(&who, None, meant, sought).0;
    assert_eq!(row("", 3), "pond-1 46 + 2");
    assert_eq!(row("", 1_006), "pond-1 46 + 1,005");
    assert_eq!(row("47", 1), "pond-1 47");
    // Of several the one is named of whom it is said for how long.
    assert_eq!(who_was_late(&who, Some(47), 3, "").0, "pond-1 47 + 2");
    assert_eq!(who_was_late(&who, Some(99), 3, "").0, "pond-1 46 + 2");
    assert_eq!(row("object", 1), "object 50");
    // Of one of that name it is known that there are some, and no more.
    assert_eq!(row("tree", 12), "12 objects");
    assert_eq!(
        all_who_were_late(&Latecomers::default(), 2, &[], &[]),
        "2 objects"
    );
    assert_eq!(
        all_who_were_late(&Latecomers::default(), 1, &[], &[]),
        "1 object"
    );
}

#[test]
fn where_a_row_is_narrow_the_name_is_shortened_and_nothing_else() {
    let row = |name: &str, meant| {
        let who = Latecomers::of([(name, 4090), (name, 4091)].into_iter());
        let (who, rest) = who_was_late(&who, None, meant, "");
        let when = [String::new(), String::new(), String::new()];
        let [help, spoken, _] = when.clone();
        Row {
            tick: 948,
            when,
            who,
            rest,
            help,
            spoken,
        }
    };
    let short = |row: &Row, most: usize| {
        let fits = |words: &str| words.chars().count() <= most;
        row.shortened(fits).into_owned()
    };
    let house = row("house-1", 2);
    for (most, said) in [
        (99, "house-1 4090 + 1"),
        (16, "house-1 4090 + 1"),
        (15, "house… 4090 + 1"),
        (11, "h… 4090 + 1"),
        (10, "4090 + 1"),
        (2, "4090 + 1"),
    ] {
        assert_eq!(short(&house, most), said);
    }
    assert_eq!(short(&row("Überhäuser", 1), 9), "Übe… 4090");
    // Of nobody it is known who it was.
    let objects = |most| {
        let (who, rest) = who_was_late(&Latecomers::default(), None, 12, "");
        short(
            &Row {
                who,
                rest,
                ..row("", 1)
            },
            most,
        )
    };
    assert_eq!(objects(4), "12 objects");
}

#[test]
fn where_a_row_is_narrow_its_times_are_shortened_before_its_name() {
    let row = |tick: &str, who: &str| Row {
        tick: 0,
        when: [
            format!("tick {tick}: up to 533 ms missing"),
            format!("{tick} · {}", in_brief("up to 533 ms missing")),
            format!("{tick} · {}", time_alone("up to 533 ms missing")),
        ],
        who: who.to_owned(),
        rest: String::new(),
        help: String::new(),
        spoken: String::new(),
    };
    let rows = [row("10,701", "pond-1 1343 + 1"), row("948", "tree-2 3")];
    let form = |most: usize| {
        let long = |words: &str| words.chars().count();
        Row::form_for(&rows, |when, who| long(when) + long(who) <= most)
    };
    assert_eq!(rows[0].when[1], "10,701 · 533 ms missing");
    assert_eq!([70, 50, 40, 10].map(form), [0, 0, 1, 2]);
    let brief = |words| in_brief(words);
    assert_eq!(brief("at least 533 ms missing"), "over 533 ms missing");
    assert_eq!(
        brief("up to 2.4 s missing, given up"),
        "2.4 s missing, given up"
    );
    assert_eq!(brief("2.4 s missing"), "2.4 s missing");
    assert_eq!(brief("late"), "late");
    assert_eq!(time_alone("up to 2.4 s missing, given up"), "2.4 s");
    assert_eq!(time_alone("at least 2.4 s missing"), "over 2.4 s");
    assert_eq!(time_alone("533 ms missing"), "533 ms");
    assert_eq!(time_alone("late"), "late");
}

#[test]
fn the_list_is_made_anew_when_something_of_it_has_changed() {
    let marks = Arc::new(Vec::new());
    let numbers = Renumberings::default();
    let mut list = LateList::default();
    list.update(&marks, (0, &numbers), AtTick::default(), true);
    assert_eq!((list.list().note.as_str(), list.skipped), ("none yet", 0));
    let before = list.list().rest.as_ptr();
    list.update(&marks, (0, &numbers), AtTick::default(), true);
    assert_eq!(list.list().rest.as_ptr(), before);
    list.sought = " Pond".to_owned();
    list.update(&marks, (0, &numbers), AtTick::default(), true);
    assert!(list.list().rest.starts_with("No late load is known"));
    // Of another world it begins at its newest.
    list.skipped = 6;
    list.update(&marks, (0, &numbers), AtTick::default(), true);
    assert_eq!(list.skipped, 6);
    list.update(&marks, (9, &numbers), AtTick::default(), true);
    assert_eq!(list.skipped, 0);
}

#[test]
fn who_has_gone_back_learns_how_many_late_loads_are_still_to_come() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    ride(&mut session, 400);
    let numbers = session.world().expect("a world").streaming().renumberings();
    let marks = session.timeline().marks().list();
    let list = listed(marks, (0, numbers, AtTick::default()), "", Order::default());
    let newest = list.rows.first().expect("a row").tick;
    assert_eq!(list.note_at(newest), list.note);
    assert_eq!(
        list.note_at(newest - 1),
        format!("{}, 1 to come", list.note)
    );
    assert_eq!(list.to_come(0), list.all);
}

#[test]
fn who_is_still_missing_is_listed_by_how_long_that_is_by_now() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    let slower = Action::Tune("mbps".to_owned(), "0.05".to_owned());
    session
        .apply(slower, false, &Cancel::default())
        .expect("a setting");
    ride(&mut session, 600);
    let world = session.world().expect("a world");
    let numbers = world.streaming().renumberings();
    let marks = session.timeline().marks().list();
    let mut pending = Vec::new();
    world.streaming().pending_needs(&mut pending);
    let now = AtTick {
        tick: session.tick_count(),
        pending: &pending,
        is_unsure: false,
    };
    let late = |mark| Late::at(mark, (0, numbers, now));
    // Its own panel says the same.
    let all = marks.iter().filter(|mark| mark.kind == MarkKind::Late);
    let missing: Vec<_> = all.flat_map(|mark| late(mark).missing).collect();
    assert!(!missing.is_empty());
    for it in missing.iter().filter(|it| it.is_late_alone) {
        let said = world.object_picture(it.object).expect("an object").why;
        let words = format!("It is {} late by now", span(it.seconds));
        assert!(said.iter().any(|it| it.starts_with(&words)), "{said:?}");
    }
    // The longest comes first, whether it is there by now or not.
    let by_lateness = Order {
        by_lateness: true,
        ..Order::default()
    };
    let list = listed(marks, (0, numbers, now), "", by_lateness);
    let mark_at = |tick| {
        let is_it = |mark: &&Mark| mark.kind == MarkKind::Late && mark.tick == tick;
        marks.iter().find(is_it).expect("it")
    };
    let longest = |row: &Row| {
        late(mark_at(row.tick))
            .longest("")
            .map_or(0.0, |it| it.missing)
    };
    assert!(list.rows.is_sorted_by(|a, b| longest(a) >= longest(b)));
    // A row says how long it is at the least.
    let list = listed(marks, (0, numbers, now), "", Order::default());
    let waits = |row: &&Row| {
        let longest = late(mark_at(row.tick)).longest("");
        longest.is_some_and(|it| it.lateness.is_none())
    };
    let row = list.rows.iter().find(waits).expect("one that is missing");
    let words = format!("at least {} ", span(longest(row)));
    assert!(row.when[0].contains(&words), "{row:?}");
    assert!(row.help.contains(" by now"), "{row:?}");
    // Before it is known who is on the way each has its row as well, and stays as it is once that is known.
    let mut of_window = LateList::default();
    let unsure = AtTick {
        pending: &[],
        is_unsure: true,
        ..now
    };
    of_window.update(marks, (0, numbers), unsure, true);
    let ticks = |rows: &[Row]| rows.iter().map(|row| row.tick).collect::<Vec<_>>();
    assert_eq!(ticks(&of_window.list().rows), ticks(&list.rows));
    assert_ne!(of_window.list().rows, list.rows);
    of_window.update(marks, (0, numbers), now, true);
    assert_eq!(of_window.list().rows, list.rows);
    let unsure_later = AtTick {
        tick: now.tick + 1,
        ..unsure
    };
    of_window.update(marks, (0, numbers), unsure_later, true);
    assert_eq!(of_window.list().rows, list.rows);
    // Meanwhile they are not made in every frame, but with the next tick.
    let mut of_window = LateList::default();
    of_window.update(marks, (0, numbers), unsure, true);
    let first = std::mem::take(&mut of_window.list.rows);
    of_window.update(marks, (0, numbers), unsure, true);
    assert!(of_window.list().rows.is_empty());
    of_window.update(marks, (0, numbers), unsure_later, true);
    assert_eq!(ticks(&of_window.list().rows), ticks(&first));
    // By the longest they stand at first as what is known has them, stay so, and take their places once it is known who is on the way.
    let longest_known = |row: &Row| {
        let late = Late::at(mark_at(row.tick), (0, numbers, unsure));
        late.longest("").map_or(0.0, |it| it.missing)
    };
    let mut of_window = LateList {
        by_lateness: true,
        ..LateList::default()
    };
    of_window.update(marks, (0, numbers), unsure, true);
    let at_first = ticks(&of_window.list().rows);
    let rows = &of_window.list().rows;
    assert!(rows.is_sorted_by(|a, b| longest_known(a) >= longest_known(b)));
    of_window.update(marks, (0, numbers), unsure_later, true);
    assert_eq!(ticks(&of_window.list().rows), at_first);
    let sure_later = AtTick {
        tick: now.tick + 1,
        ..now
    };
    of_window.update(marks, (0, numbers), sure_later, true);
    let by_longest = listed(marks, (0, numbers, sure_later), "", by_lateness);
    assert_eq!(of_window.list().rows, by_longest.rows);
    // It is longer with each tick, and the list is made anew.
    let mut of_window = LateList::default();
    of_window.update(marks, (0, numbers), now, true);
    assert_eq!(of_window.list().rows, list.rows);
    let a_second_later = pending.iter().map(|it| Pending {
        late: it.late + 1.0,
        missing: it.missing + 1.0,
        ..*it
    });
    let a_second_later: Vec<_> = a_second_later.collect();
    let later = AtTick {
        tick: now.tick + 60,
        pending: &a_second_later,
        is_unsure: false,
    };
    // As long as nobody sees them the rows stay as they are.
    of_window.update(marks, (0, numbers), later, false);
    assert_eq!(of_window.list().rows, list.rows);
    of_window.update(marks, (0, numbers), later, true);
    assert_ne!(of_window.list().rows, list.rows);
}

/// Goes through the open world on a slow disk until somebody is no longer needed who is on its way still: that mark alone, and that one.
fn left_on_its_way() -> (Mark, u32, f64) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    let slower = Action::Tune("mbps".to_owned(), "0.05".to_owned());
    session
        .apply(slower, false, &Cancel::default())
        .expect("a setting");
    ride(&mut session, 1);
    for _ in 0..3_000 {
        session.tick(&Cancel::default(), &mut ()).expect("a tick");
        for mark in session.timeline().marks().list().iter() {
            let mut came = mark.came.iter();
            let left = came.find(|it| {
                let mut known = mark.who.known();
                let needed_as = it.lateness.needed_as();
                it.lateness.is_on_its_way() && known.any(|(_, object)| object == needed_as)
            });
            if let Some(left) = left {
                let mut alone = mark.clone();
                alone.count = 1;
                let who = mark.who.numbered(|it| (it == left.object).then_some(it));
                (alone.who, alone.came) = (Arc::new(who), Arc::new(vec![left.clone()]));
                return (alone, left.object, left.lateness.missing());
            }
        }
    }
    panic!("nobody was left");
}

#[test]
fn who_is_on_its_way_for_another_need_is_not_called_missing_since_this_one() {
    let (mut mark, object, known) = left_on_its_way();
    let numbers = Renumberings::default();
    let world = mark.world;
    let tick = mark.tick + 600;
    let row = |mark: &Mark, pending: &[Pending], tick: u64| {
        let now = AtTick {
            tick,
            pending,
            is_unsure: false,
        };
        let all = std::slice::from_ref(mark);
        let list = listed(all, (world, &numbers, now), "", Order::default());
        (list.rows[0].clone(), list.is_open)
    };
    let need = Pending {
        object,
        late: 10.0,
        missing: known + 5.0,
        is_needed: true,
    };
    // Needed once more it is missing once more, for as long as in both times.
    let (said, is_open) = row(&mark, &[need], tick);
    let words = span(((known + 5.0) * 60.0).round() / 60.0);
    let least = format!("at least {words} missing");
    assert!(said.when[0].ends_with(&least), "{said:?}");
    let by_now = format!("(missing for {words} by now while it was needed)");
    assert!(said.help.contains(&by_now) && is_open, "{said:?}");
    // Who has gone back knows more than what it is missing by now.
    let early = Pending {
        late: 0.0,
        missing: 0.0,
        ..need
    };
    let (said, is_open) = row(&mark, &[early], mark.tick);
    assert!(!said.when[0].contains("at least") && is_open, "{said:?}");
    // As long as it is not needed it stays at what it was, and may be missing again.
    let away = Pending {
        missing: known,
        is_needed: false,
        ..need
    };
    let (said, is_open) = row(&mark, &[away], tick);
    assert!(!said.when[0].contains("at least") && is_open, "{said:?}");
    // Of whom nothing is known it is: it failed, or is asked for anew, or it is another need of it.
    mark.came = Arc::default();
    let (said, is_open) = row(&mark, &[need], tick);
    assert!(said.when[0].contains("at least") && is_open, "{said:?}");
    let sooner = Pending { late: 9.0, ..need };
    let other = Pending {
        object: object + 1,
        ..need
    };
    for pending in [&[][..], &[sooner], &[other]] {
        let (said, is_open) = row(&mark, pending, tick);
        assert!(said.when[0].ends_with(": late") && !is_open, "{said:?}");
    }
    // Before the mark nobody knows yet, also where nobody is on the way.
    assert!(row(&mark, &[], mark.tick - 1).1);
    // A mark that stands for neighbours has those of all of them.
    mark.last = mark.tick + 60;
    let (said, is_open) = row(&mark, &[sooner], tick);
    assert!(said.when[0].contains("at least") && is_open, "{said:?}");
}

#[test]
fn a_table_that_is_saved_says_of_which_run_its_places_are_where_it_has_others() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    ride(&mut session, 400);
    let marks = session.timeline().marks().list();
    assert!(!saved(marks, 0).contains("of other runs"));
    assert!(saved(marks, 400).contains("of other runs"));
    assert_eq!(saved(&[], 400), saved(&[], 0));
}

#[test]
fn for_what_several_waited_is_counted() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    ride(&mut session, 600);
    let numbers = session.world().expect("a world").streaming().renumberings();
    let marks = session.timeline().marks().list();
    let several = marks
        .iter()
        .find(|mark| mark.kind == MarkKind::Late && mark.came.len() > 1);
    let several = several.expect("several that were late at once and came");
    let came = several.came.iter().map(|it| it.object);
    let selected: Vec<u32> = came.collect();
    let said = |tick: u64, selected: &[u32]| reasons(marks, (tick, 0, numbers), selected);
    let all = said(several.tick, &selected).expect("reasons");
    assert!(all.starts_with("Most of their time they waited: ") && !all.contains("not known"));
    let counts = all.split(' ').filter_map(|word| word.parse::<usize>().ok());
    assert_eq!(counts.sum::<usize>(), selected.len(), "{all}");
    // Of who was not late then nothing is known.
    let with_another = [&selected[..], &[u32::MAX]].concat();
    let all = said(several.tick, &with_another).expect("reasons");
    assert!(all.ends_with("; of 1 it is not known."), "{all}");
    assert_eq!(said(several.tick, &[u32::MAX]), None);
    assert_eq!(said(several.tick + 1_000_000, &selected), None);
}

#[test]
fn whoever_was_late_is_called_by_the_number_that_it_has_by_now() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    ride(&mut session, 400);
    let rows = |session: &Session| {
        let numbers = session.world().expect("a world").streaming().renumberings();
        let marks = session.timeline().marks().list();
        let list = listed(marks, (0, numbers, AtTick::default()), "", Order::default());
        list.rows.into_iter().map(|row| (row.who, row.help))
    };
    let known = |session: &Session| {
        let marks = session.timeline().marks().list();
        let last = marks.iter().rev().find(|mark| mark.kind == MarkKind::Late);
        let known = last.expect("a late load").who.known();
        let known = known.map(|(name, object)| (name.to_owned(), object));
        known.collect::<Vec<_>>()
    };
    let (who, help) = rows(&session).next().expect("a row");
    let is_named = |(name, object): &(String, u32)| {
        let named = who.split(" + ").next();
        named == Some(called(name, *object).as_str())
    };
    let named = known(&session).into_iter().find(is_named);
    let (name, object) = named.expect("one that is known");
    assert!(object > 0 && help.contains(&called(&name, object)));
    let remove = |session: &mut Session, object: u32| {
        let objects = Action::RemoveObjects(Units::new(vec![object]));
        session
            .apply(objects, false, &Cancel::default())
            .expect("an edit");
    };
    remove(&mut session, 0);
    let (who, help) = rows(&session).next().expect("a row");
    let now = called(&name, object - 1);
    assert!(
        who.starts_with(&now) && help.contains(&now),
        "{who}: {help}"
    );
    remove(&mut session, object - 1);
    let (who, help) = rows(&session).next().expect("a row");
    assert!(!who.starts_with(&now), "{who}");
    // It keeps the name and the number that it had then.
    let then = called(&name, object);
    let is_named = help.to_lowercase().contains("taken away since") && help.contains(&then);
    assert!(is_named, "{help}");
    let marks = session.timeline().marks().list();
    let numbers = session.world().expect("a world").streaming().renumberings();
    let number = object.to_string();
    let list = listed(
        marks,
        (0, numbers, AtTick::default()),
        &number,
        Order::default(),
    );
    let is_it = |row: &Row| row.who.starts_with(&then) && row.when[0].contains(" missing");
    assert!(list.rows.iter().any(is_it), "{:?}", list.rows);
}

#[test]
fn late_loads_before_a_restart_are_said_apart_and_the_others_are_as_many_as_are_counted() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    let numbers = Renumberings::default();
    let counted = |session: &Session, skipped| {
        let world = session.world().expect("a world");
        let marks = session.timeline().marks().list();
        let made = session.world_made();
        let list = listed(
            marks,
            (made, &numbers, AtTick::default()),
            "",
            Order {
                skipped,
                ..Order::default()
            },
        );
        let sum = |marks: &[&Mark]| marks.iter().map(|mark| u64::from(mark.count)).sum::<u64>();
        let late = marks
            .iter()
            .filter(|mark| mark.kind == MarkKind::Late && mark.world == made)
            .collect::<Vec<_>>();
        assert_eq!(list.all, late.len());
        let is_past = |mark: &&&Mark| mark.tick <= session.tick_count();
        let past: Vec<_> = late.iter().filter(is_past).copied().collect();
        assert_eq!(sum(&past), world.streaming().statistics().late_loads);
        (
            list.all,
            list.rows.iter().map(|row| row.tick).collect::<Vec<_>>(),
            (list.before, list.behind),
            (list.before_restart, list.after_restart),
        )
    };
    ride(&mut session, 2400);
    // Each row says how long they were missing, in one measure whatever became of them, and is shortened from its end.
    let list = listed(
        session.timeline().marks().list(),
        (0, &numbers, AtTick::default()),
        "",
        Order::default(),
    );
    for row in &list.rows {
        let [short, brief, _] = &row.when;
        let ends = [" missing", ", given up"];
        assert!(ends.iter().any(|end| short.ends_with(end)), "{row:?}");
        let tick = format!("tick {}: ", with_commas(row.tick));
        assert!(short.starts_with(&tick), "{row:?}");
        let tick = format!("{} · ", with_commas(row.tick));
        assert!(brief.starts_with(&tick), "{row:?}");
        assert!(brief.chars().count() < short.chars().count(), "{row:?}");
        assert!(row.help.contains(" late)"), "{row:?}");
    }
    let (all, latest, (newer, older), before) = counted(&session, 0);
    assert!(all > SHOWN, "{all} late loads");
    assert_eq!((newer, older + latest.len(), before), (0, all, (0, 0)));
    // Step by step to the oldest one: each is shown once.
    let mut seen = latest;
    while let (_, more, (_, 1..), _) = counted(&session, seen.len()) {
        seen.extend(more);
    }
    seen.extend(counted(&session, seen.len()).1);
    seen.dedup();
    assert_eq!(seen.len(), all);
    assert!(seen.is_sorted_by(|a, b| a > b));
    // Or those first that were missing the longest, and of those that are as late the latest.
    let marks = session.timeline().marks().list();
    let mut longest: Vec<(f64, u64)> = Vec::new();
    loop {
        let list = listed(
            marks,
            (0, &numbers, AtTick::default()),
            "",
            Order {
                by_lateness: true,
                skipped: longest.len(),
                ..Order::default()
            },
        );
        let seconds = |tick| {
            let is_it = |mark: &&Mark| mark.kind == MarkKind::Late && mark.tick == tick;
            let came = marks.iter().find(is_it).expect("it").came.iter();
            came.map(|it| it.lateness.missing()).fold(0.0, f64::max)
        };
        longest.extend(list.rows.iter().map(|row| (seconds(row.tick), row.tick)));
        if list.behind == 0 {
            break;
        }
    }
    assert!(longest.is_sorted_by(|a, b| a > b), "{longest:?}");
    assert!(longest.len() == all && longest[0].0 > 0.0);
    let restart = Action::Restart;
    session
        .apply(restart, false, &Cancel::default())
        .expect("a world");
    assert_eq!(counted(&session, 0), (0, Vec::new(), (0, 0), (all, 0)));
    // Those of the run before are listed where somebody wants them, and none of them is to come.
    let made = session.world_made();
    let of = |of_others| Order {
        of_others,
        ..Order::default()
    };
    let marks = session.timeline().marks().list();
    let before = listed(marks, (made, &numbers, AtTick::default()), "", of(true));
    let words = format!("{} of other runs", note(all, all));
    assert_eq!(
        (before.all, before.meant, before.note_at(0)),
        (all, all, words.into())
    );
    assert_eq!(
        before.rows,
        listed(marks, (0, &numbers, AtTick::default()), "", of(false)).rows
    );
    assert!(before.has_others && before.rest.starts_with("Back to"));
    // Where none of them is meant it is those of this run.
    let nobody = listed(marks, (made, &numbers, AtTick::default()), "xyz", of(true));
    assert_eq!((nobody.all, nobody.has_others), (0, false));
    ride(&mut session, 600);
    let (again, .., around) = counted(&session, 0);
    assert!(again > 0 && around == (all, 0));
    // Who takes the restart back is in the first world again, whose clock goes on from where it was.
    while session.world_made() > 0 {
        let undo = session.apply(Action::Undo, false, &Cancel::default());
        undo.expect("an edit");
    }
    let (back, _, _, around) = counted(&session, 0);
    assert_eq!((back, around), (all, (0, again)));
    ride(&mut session, 400);
    assert!(counted(&session, 0).0 > all);
    // Whoever goes back before the restart has the list of the world before it, and its seconds.
    session
        .seek(2399, &Cancel::default(), &mut ())
        .expect("the past");
    let (before, ticks, _, around) = counted(&session, 0);
    assert!(before > all && around == (0, again));
    assert!(!ticks.is_empty());
    assert_eq!(rest(false, 5, 0, 1_234), "and 1,234 after a later restart");
    assert_eq!(rest(false, 5, 3, 0), "and 3 before the restart");
    let both = "and 3 before the restart, 2 after a later one";
    assert_eq!(rest(false, 5, 3, 2), both);
}

#[test]
fn the_late_loads_of_both_futures_stand_in_one_line() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = skirmish::scene::file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    let cancel = Cancel::default();
    let slower = Action::Tune("latency_ms".to_owned(), "500".to_owned());
    session.apply(slower, false, &cancel).expect("a setting");
    ride(&mut session, 1_400);
    session.seek(600, &cancel, &mut ()).expect("the past");
    let quicker = Action::Tune("latency_ms".to_owned(), "1".to_owned());
    session.apply(quicker, false, &cancel).expect("a setting");
    for _ in 0..600 {
        session.tick(&cancel, &mut ()).expect("a tick");
    }
    let both = session.late_in_both().expect("two futures");
    let line = compared(&both);
    let help = compared_help(&both);
    assert!(help.starts_with("Two futures are known after tick 600: "));
    let longest = both.other.longest.expect("one that came late");
    let [here, other] = [both.here.objects, both.other.objects].map(|count| match count {
        1 => "1 object".to_owned(),
        count => format!("{} objects", with_commas(count)),
    });
    let begins = format!("Late in ticks 601 to 1,200: {here}");
    assert!(line.starts_with(&begins), "{line}");
    // What is not known of all of them is no more than the least.
    assert!(both.other.came <= both.other.objects);
    for (came, most) in [(0, "at least"), (both.other.objects, "up to")] {
        let other_sum = LateSum { came, ..both.other };
        let line = compared(&LateInBoth {
            other: other_sum,
            ..both
        });
        let ends = format!("(other future: {other}, {most} {})", longest.words());
        assert!(line.ends_with(&ends), "{line}");
    }
    // Of none that has come it is not said how late.
    let none = LateSum::default();
    let first = LateInBoth {
        until: both.after + 1,
        here: none,
        other: none,
        ..both
    };
    let line = compared(&first);
    assert_eq!(
        line,
        "Late in tick 601: 0 objects (other future: 0 objects)"
    );
    assert_eq!(compared_one(&first), None);
    // Of one object, with what became of it in either.
    let one = |objects, came| LateSum {
        objects,
        came,
        longest: (came > 0).then_some(longest),
    };
    let words = longest.words();
    for (here, other, said_here, said_there) in [
        (
            one(0, 0),
            one(1, 1),
            "not late".to_owned(),
            format!("{words} late"),
        ),
        (
            one(1, 0),
            one(3, 3),
            "late and did not come in that time".to_owned(),
            format!("late 3 times, by up to {words}"),
        ),
        (
            one(2, 1),
            one(0, 0),
            format!("late 2 times, by at least {words}"),
            "not late".to_owned(),
        ),
    ] {
        let line = compared_one(&LateInBoth {
            here,
            other,
            ..both
        });
        let whole = format!(
            "In ticks 601 to 1,200: here it was {said_here}; in the other future it was {said_there}."
        );
        assert_eq!(line, Some(whole));
    }
    // As many as are late of those who are named, or it is not known.
    let mut kept = skirmish::session::LateKept::default();
    assert_eq!(session.late_in_both_kept(&mut kept), Some(both));
    let marks = session.timeline().marks().list();
    let of_other = (0..4_000).find_map(|object| {
        let of_it = session.late_of_one_kept(&mut kept, object)?;
        (of_it.other.came > of_it.here.objects).then_some((object, of_it))
    });
    let (object, of_it) = of_other.expect("one that came late there alone");
    assert_eq!((of_it.after, of_it.until), (both.after, both.until));
    assert!(
        of_it
            .other
            .longest
            .is_some_and(|it| it.seconds() <= longest.seconds())
    );
    let since = marks
        .iter()
        .filter(|mark| mark.tick > 600 && mark.kind == MarkKind::Late);
    let here = since
        .flat_map(|mark| mark.who.known())
        .filter(|(_, it)| *it == object);
    assert_eq!(here.count() as u64, of_it.here.objects);
}

#[test]
fn newer_late_loads_are_leafed_to_by_pages_of_which_none_overlaps_the_first() {
    let skipped = |before, fewer| {
        let list = Listed {
            before,
            ..Listed::default()
        };
        let late = LateList {
            fewer,
            list,
            ..LateList::default()
        };
        late.skipped_before()
    };
    // Six have room, or two of them beside an answer.
    assert_eq!([12, 6, 4].map(|before| skipped(before, 0)), [6, 0, 0]);
    assert_eq!([6, 5, 2, 1].map(|before| skipped(before, 4)), [4, 4, 0, 0]);
}
