use super::*;
use crate::partition::Kind;

/// In a world that has never begun anew.
fn at(tick: u64) -> LateAt {
    LateAt {
        tick,
        world: 0,
        began: 0,
        numbering: 0,
    }
}

fn edit(words: &str) -> Option<(MarkKind, bool)> {
    Some((MarkKind::Edit(words.into()), false))
}

#[test]
fn what_is_gone_over_again_makes_no_second_mark_and_what_is_cut_goes() {
    let mut marks = Marks::default();
    marks.act(3, 1, edit("a"));
    marks.act(5, 2, edit("b"));
    marks.late(at(6), 2, Latecomers::default(), 2);
    marks.act(5, 2, edit("b"));
    marks.late(at(6), 2, Latecomers::default(), 2);
    assert_eq!(marks.list().len(), 3);
    marks.cut(5, 1);
    assert_eq!(marks.list().len(), 1);
    marks.act(5, 2, edit("c"));
    marks.late(at(6), 1, Latecomers::default(), 2);
    assert_eq!(marks.list().len(), 3);
}

#[test]
fn what_is_taken_back_in_the_very_tick_leaves_no_mark() {
    let mut marks = Marks::default();
    marks.act(3, 1, edit("place 12 blue"));
    marks.act(5, 2, edit("erase 4 units"));
    marks.act(5, 3, edit(&turned(false, "erase 4 units")));
    assert_eq!(marks.list().len(), 1);
    // A tick later there was something in between.
    marks.act(6, 4, edit(&turned(false, "place 12 blue")));
    assert_eq!(marks.list().len(), 2);
    marks.act(6, 5, edit(&turned(true, "place 12 blue")));
    assert_eq!(marks.list().len(), 1);
    marks.act(6, 6, edit(&turned(false, "place 12 blue")));
    assert_eq!(marks.list().len(), 2);
    let switch = |from: Kind, to: Kind| {
        let (from, to) = (StructureKind::Plane(from), StructureKind::Plane(to));
        Some((MarkKind::Switch { lane: 0, from, to }, false))
    };
    marks.act(8, 7, switch(Kind::Quadtree, Kind::Bvh));
    marks.act(8, 8, switch(Kind::Bvh, Kind::KdTree));
    marks.act(8, 9, switch(Kind::KdTree, Kind::Bvh));
    assert_eq!(marks.list().len(), 3);
    // What is gone over again makes none either.
    marks.act(8, 9, switch(Kind::KdTree, Kind::Bvh));
    assert_eq!(marks.list().len(), 3);
}

#[test]
fn an_edit_is_found_by_the_number_of_its_action() {
    let (place, erase) = ("place 12 blue", "erase 4 units");
    let of = |marks: &Marks| [1, 2, 3, 4, 5, 6].map(|done| marks.edit_of(done));
    let some = |words: &str| Some(words.to_owned());
    let mut marks = Marks::default();
    marks.act(3, 1, edit(place));
    marks.late(at(4), 1, Latecomers::default(), 1);
    marks.act(5, 2, edit(erase));
    marks.act(5, 3, edit(erase).map(|(kind, _)| (kind, true)));
    marks.act(6, 4, edit(&turned(false, erase)));
    marks.act(7, 5, edit(&turned(true, erase)));
    assert_eq!(
        of(&marks),
        [
            some(place),
            some(erase),
            some(erase),
            None,
            some(erase),
            None
        ]
    );
    let switch = |from: Kind, to: Kind| {
        let (from, to) = (StructureKind::Plane(from), StructureKind::Plane(to));
        Some((MarkKind::Switch { lane: 0, from, to }, false))
    };
    marks.act(8, 6, switch(Kind::Bvh, Kind::KdTree));
    assert_eq!(of(&marks)[5], some("choose k-d tree"));
}

#[test]
fn an_action_without_a_mark_before_those_that_were_gathered_has_none_of_their_words() {
    let mut marks = Marks::default();
    // Placed and taken back within a tick.
    marks.act(3, 1, edit("place 12 blue"));
    marks.act(3, 2, edit(&turned(false, "place 12 blue")));
    for (tick, done) in [(5, 3), (6, 4), (7, 5)] {
        marks.act(tick, done, edit("erase 4 units"));
    }
    gather(Arc::make_mut(&mut marks.list));
    assert!(marks.list.len() < 3 && marks.list[0].count > 1);
    let words = |marks: &Marks| [1, 2, 3, 4, 5].map(|done| marks.edit_of(done).is_some());
    assert_eq!(words(&marks), [false, false, true, true, true]);
    // An action that is put before them moves them.
    marks.slip_in(1);
    assert!(marks.edit_of(3).is_none() && marks.edit_of(4).is_some());
}

#[test]
fn of_edits_that_were_gathered_behind_an_undo_the_words_are_those_of_an_edit() {
    let mut marks = Marks::default();
    marks.act(3, 1, edit("place 12 blue"));
    // Parts that edit from those behind it.
    marks.late(at(4), 1, Latecomers::default(), 1);
    for (done, words) in (2..).zip([
        turned(false, "place 12 blue"),
        turned(false, "reach"),
        "erase 4 units".to_owned(),
        "dab".to_owned(),
    ]) {
        marks.act(3 + done as u64, done, edit(&words));
    }
    let of = |marks: &Marks| [2, 3, 4, 5].map(|done| marks.edit_of(done));
    let some = |words: &str| Some(words.to_owned());
    let before = of(&marks);
    assert_eq!(before, [None, None, some("erase 4 units"), some("dab")]);
    (0..2).for_each(|_| gather(Arc::make_mut(&mut marks.list)));
    assert_eq!(marks.list.len(), 3);
    assert_eq!(of(&marks), [(); 4].map(|()| some("erase 4 units")));
}

#[test]
fn what_is_undone_and_done_again_in_one_tick_leaves_the_marks_that_there_were() {
    let mut marks = Marks::default();
    let switch = |from: Kind, to: Kind| {
        let (from, to) = (StructureKind::Plane(from), StructureKind::Plane(to));
        Some((MarkKind::Switch { lane: 0, from, to }, false))
    };
    let acts = [
        (1, edit("place 12 blue")),
        (2, switch(Kind::Bvh, Kind::Quadtree)),
        (3, edit("add k-d tree")),
    ];
    let mut done = 0;
    for (tick, act) in acts {
        done += 1;
        marks.act(tick, done, act);
    }
    let before = Arc::clone(marks.list());
    let undone = [
        edit(&turned(false, "add k-d tree")),
        switch(Kind::Quadtree, Kind::Bvh),
        edit(&turned(false, "place 12 blue")),
    ];
    let redone = [
        edit(&turned(true, "place 12 blue")),
        switch(Kind::Bvh, Kind::Quadtree),
        edit(&turned(true, "add k-d tree")),
    ];
    for act in undone.into_iter().chain(redone) {
        done += 1;
        marks.act(9, done, act);
    }
    assert_eq!(marks.list(), &before);
}

#[test]
fn what_is_done_taken_back_and_done_again_in_one_tick_leaves_its_own_mark() {
    let mut marks = Marks::default();
    let [place, erase] = ["place 12 blue", "erase 4 units"];
    let words = |marks: &Marks| {
        let all = marks.list().iter().map(|mark| match &mark.kind {
            MarkKind::Edit(words) => words.to_string(),
            other => format!("{other:?}"),
        });
        all.collect::<Vec<_>>()
    };
    let acts = [
        (place.to_owned(), vec![place]),
        (turned(false, place), vec![]),
        (turned(true, place), vec![place]),
        (erase.to_owned(), vec![place, erase]),
        (turned(false, erase), vec![place]),
        (turned(false, place), vec![]),
        (turned(true, place), vec![place]),
        (turned(true, erase), vec![place, erase]),
        (turned(false, erase), vec![place]),
    ];
    for (at, (act, left)) in acts.into_iter().enumerate() {
        marks.act(9, at + 1, edit(&act));
        assert_eq!(words(&marks), left, "{act}");
    }
    // A tick later it is a redo like any other.
    marks.act(10, 10, edit(&turned(true, erase)));
    assert_eq!(words(&marks), [place.to_owned(), turned(true, erase)]);
}

#[test]
fn a_stroke_that_meets_nobody_in_between_is_one_mark_and_undo_takes_all_of_it_away() {
    let mut marks = Marks::default();
    let more = |words: &str| edit(words).map(|(kind, _)| (kind, true));
    marks.act(3, 1, edit("erase 1 unit"));
    marks.act(3, 2, None);
    marks.act(3, 3, more("erase 2 units"));
    marks.act(4, 4, None);
    marks.act(4, 5, None);
    marks.act(4, 6, more("erase 3 units"));
    let words: Vec<_> = marks.list().iter().map(|mark| &mark.kind).collect();
    assert_eq!(words, [&MarkKind::Edit("erase 3 units".into())]);
    // An action of no stroke lies behind it as well, and what goes on with nothing is a mark of its own.
    marks.act(4, 7, None);
    marks.act(4, 8, edit("erase 1 unit"));
    assert_eq!(marks.list().len(), 2);
    let mut marks = Marks::default();
    marks.act(3, 1, edit("erase 1 unit"));
    marks.act(3, 2, None);
    marks.act(3, 3, more("erase 3 units"));
    marks.act(3, 4, edit(&turned(false, "erase 3 units")));
    assert!(marks.list().is_empty());
}

#[test]
fn a_stroke_is_one_mark_that_is_called_by_all_of_it() {
    let mut marks = Marks::default();
    let more = |words: &str| edit(words).map(|(kind, _)| (kind, true));
    marks.act(3, 1, edit("place 12 blue"));
    marks.act(3, 2, more("place 24 blue"));
    marks.act(4, 3, more("place 36 blue"));
    marks.act(5, 4, edit("place 12 blue"));
    let words: Vec<_> = marks.list().iter().map(|mark| &mark.kind).collect();
    let edit = |words: &str| MarkKind::Edit(words.into());
    assert_eq!(words, [&edit("place 36 blue"), &edit("place 12 blue")]);
    assert_eq!(marks.list()[0].tick, 3);
    // What is left of it where time was gone back into the middle of it still has its mark, which reaches no further.
    marks.cut(3, 2);
    assert_eq!((marks.list().len(), marks.list()[0].until), (1, 2));
}

#[test]
fn knobs_that_are_set_with_the_choice_of_a_structure_leave_no_second_mark() {
    let mut marks = Marks::default();
    let switch = |from: Kind, to: Kind| {
        let (from, to) = (StructureKind::Plane(from), StructureKind::Plane(to));
        Some((MarkKind::Switch { lane: 1, from, to }, false))
    };
    let more = |words: &str| edit(words).map(|(kind, _)| (kind, true));
    marks.act(3, 1, switch(Kind::KdTree, Kind::Quadtree));
    marks.act(3, 2, more("choose quadtree"));
    marks.act(3, 3, more("choose quadtree"));
    let kinds: Vec<_> = marks.list().iter().map(|mark| &mark.kind).collect();
    let chosen = switch(Kind::KdTree, Kind::Quadtree).expect("a mark").0;
    assert_eq!(kinds, [&chosen]);
    // What is no part of it has a mark of its own, and undo of all of it takes all of it away.
    marks.act(3, 4, edit("set reach"));
    assert_eq!(marks.list().len(), 2);
    marks.act(3, 5, edit(&turned(false, "set reach")));
    marks.act(3, 6, switch(Kind::Quadtree, Kind::KdTree));
    assert!(marks.list().is_empty());
}

#[test]
fn a_million_edits_are_a_few_marks_and_none_is_lost() {
    let mut marks = Marks::default();
    for number in 0..100_000 {
        marks.act(number as u64, number + 1, edit("dab"));
    }
    assert!(marks.list().len() <= MOST);
    let sum: u32 = marks.list().iter().map(|mark| mark.count).sum();
    assert_eq!(sum, 100_000);
}

/// What has become of the pond by then.
fn pond(tick: u64, lateness: Lateness) -> Came {
    Came::new(tick, [7, 0], lateness)
}

#[test]
fn how_late_one_comes_is_known_before_it_comes_until_its_future_is_cut() {
    let lateness = Lateness::at(4.0, 5.5).of(7);
    let came = |tick| pond(tick, lateness);
    let mut marks = Marks::default();
    marks.late(at(240), 1, Latecomers::of([("pond", 7)].into_iter()), 0);
    for _ in 0..2 {
        marks.came((0, 0), 240, came(330));
    }
    // Of no late load, and of another world.
    marks.came((0, 0), 241, came(330));
    marks.came((9, 9), 240, came(330));
    assert_eq!(marks.list()[0].came.len(), 1);
    assert_eq!(marks.future_of((0, 0), [240, 240], (7, 0)), Some(lateness));
    assert_eq!(marks.future_of((0, 0), [240, 329], (7, 0)), Some(lateness));
    assert_eq!(marks.future_of((0, 0), [240, 330], (7, 0)), None);
    assert_eq!(marks.future_of((0, 0), [239, 239], (7, 0)), None);
    assert_eq!(marks.future_of((0, 0), [240, 240], (8, 0)), None);
    assert_eq!(marks.future_of((9, 9), [240, 240], (7, 0)), None);
    // Objects have other numbers by now.
    assert_eq!(marks.future_of((0, 0), [240, 240], (6, 1)), None);
    assert_eq!(marks.future_of((0, 0), [240, 240], (7, 1)), None);
    marks.cut(300, 0);
    assert_eq!(marks.list().len(), 1);
    assert_eq!(marks.future_of((0, 0), [240, 240], (7, 0)), None);
}

#[test]
fn of_one_that_is_no_longer_needed_it_is_kept_how_long_it_was_missing_until_it_comes() {
    let [left, came] = [4.5, 5.5].map(|at| Lateness::at(4.0, at).of(7));
    let left = left.on_its_way();
    let mut marks = Marks::default();
    marks.late(at(240), 1, Latecomers::of([("pond", 7)].into_iter()), 0);
    marks.came((0, 0), 240, pond(270, left));
    assert_eq!(marks.list()[0].came[..], [pond(270, left)]);
    // Until then it is known that it does not come, and from then on nothing of when it does.
    let future = |marks: &Marks, tick| marks.future_of((0, 0), [240, tick], (7, 0));
    assert_eq!(
        [240, 269, 270].map(|it| future(&marks, it)),
        [Some(left), Some(left), None]
    );
    assert_eq!(marks.late_between([0, 300]).came, 0);
    // What is gone over again is known.
    let there = pond(330, came).after(pond(270, left));
    for (tick, lateness) in [(330, came), (270, left), (330, came)] {
        marks.came((0, 0), 240, pond(tick, lateness));
        assert_eq!(marks.list()[0].came[..], std::slice::from_ref(&there)[..]);
    }
    assert_eq!(future(&marks, 300), Some(came));
    assert_eq!(marks.late_between([0, 400]).came, 1);
    // Where that future is cut it is known as before that it had not come, and so is what becomes of it in another one.
    marks.cut(300, 0);
    assert_eq!(marks.list()[0].came[..], [pond(270, left)]);
    assert_eq!(future(&marks, 269), Some(left));
    let again = Lateness::at(4.0, 5.0).of(7).on_its_way();
    marks.came((0, 0), 240, pond(310, again));
    marks.came((0, 0), 240, pond(330, came));
    let both = pond(310, again).after(pond(270, left));
    assert_eq!(
        marks.list()[0].came[..],
        [pond(330, came).after(both.clone())]
    );
    marks.cut(320, 0);
    assert_eq!(marks.list()[0].came[..], [both]);
    marks.cut(260, 0);
    assert!(marks.list()[0].came.is_empty());
}

#[test]
fn of_one_that_leaves_more_often_than_is_kept_something_is_known_at_each_cut() {
    let mut marks = Marks::default();
    marks.late(at(240), 1, Latecomers::of([("pond", 7)].into_iter()), 0);
    let often = 2 * Came::EARLIER as u64;
    let left = |nth: u64| {
        let lateness = Lateness::at(4.0, 4.5 + 0.5 * nth as f64).of(7);
        pond(270 + 30 * nth, lateness.on_its_way())
    };
    for nth in 0..often {
        marks.came((0, 0), 240, left(nth));
    }
    marks.came((0, 0), 240, pond(900, Lateness::at(4.0, 15.0).of(7)));
    let known_at = |tick: u64| {
        let mut cut = Marks {
            list: Arc::clone(&marks.list),
            ..Marks::default()
        };
        cut.cut(tick, 0);
        cut.list[0]
            .came
            .iter()
            .map(|it| it.tick)
            .collect::<Vec<_>>()
    };
    assert!(known_at(269).is_empty());
    for nth in 0..often {
        let last = 270 + 30 * nth;
        let known = known_at(last + 29);
        assert!(known.len() == 1 && known[0] <= last, "{nth}: {known:?}");
    }
    // The first ones and the last one are known as they were.
    for nth in (0..Came::EARLIER as u64 - 1).chain([often - 1]) {
        assert_eq!(known_at(299 + 30 * nth), [270 + 30 * nth]);
    }
    assert_eq!(known_at(900), [900]);
}

#[test]
fn one_that_left_before_many_came_is_known_where_its_coming_is_cut_though_neighbours_became_one() {
    let most = Latecomers::MOST as u32;
    let mut marks = Marks::default();
    marks.late(at(240), 1, Latecomers::default(), 0);
    marks.late(at(250), most, Latecomers::default(), 0);
    let left = Lateness::at(4.0, 4.5).of(7).on_its_way();
    marks.came((0, 0), 240, pond(270, left));
    marks.came((0, 0), 240, pond(500, Lateness::at(4.0, 8.0).of(7)));
    for object in 100..100 + most {
        let tick = 200 + u64::from(object);
        let lateness = Lateness::at(4.2, tick as f64 / 60.0).of(object);
        let one = Came::new(tick, [object, 0], lateness);
        marks.came((0, 0), 250, one);
    }
    gather(Arc::make_mut(&mut marks.list));
    assert_eq!(marks.list.len(), 1);
    let of_it = |marks: &Marks| {
        let mut came = marks.list[0].came.iter();
        came.find(|it| it.object == 7).map(|it| it.tick)
    };
    assert_eq!(marks.list[0].came.len(), Latecomers::MOST);
    assert_eq!(of_it(&marks), Some(500));
    marks.cut(299, 0);
    assert_eq!(marks.list[0].came[..], [pond(270, left)]);
}

#[test]
fn of_more_than_are_kept_those_are_kept_who_are_called_by_their_names() {
    let most = Latecomers::MOST as u32;
    let mut marks = Marks::default();
    // Those of the highest numbers are known one by one, and come last.
    let known: Vec<_> = (2 * most..3 * most)
        .map(|object| ("pond", object))
        .collect();
    marks.late(at(240), 3 * most, Latecomers::of(known.into_iter()), 0);
    let come = |marks: &mut Marks| {
        for object in 0..3 * most {
            let tick = 300 + u64::from(object);
            let lateness = Lateness::at(4.0, tick as f64 / 60.0).of(object);
            let one = Came {
                object,
                ..pond(tick, lateness)
            };
            marks.came((0, 0), 240, one);
        }
    };
    come(&mut marks);
    let came = Arc::clone(&marks.list()[0].came);
    let all = came.iter().map(|it| it.object);
    assert!(all.eq((0..most).chain(2 * most..3 * most)), "{came:?}");
    // What is gone over again changes nothing.
    come(&mut marks);
    assert_eq!(marks.list()[0].came, came);
    // Who came before a cut is there after it, whoever had come behind it.
    marks.cut(300 + 2 * u64::from(most), 0);
    let left = marks.list()[0].came.iter().map(|it| it.object);
    assert!(left.eq((0..most).chain([2 * most])));
    come(&mut marks);
    assert_eq!(marks.list()[0].came, came);
}

#[test]
fn a_mark_that_stands_for_neighbours_has_their_last_tick_until_that_is_cut() {
    let mut marks = Marks::default();
    for tick in 1..=MOST as u64 + 1 {
        marks.late(at(tick), 1, Latecomers::default(), 0);
    }
    let list = Arc::clone(marks.list());
    assert!(list.len() <= MOST);
    let mut next = 1;
    for mark in list.iter() {
        assert_eq!(mark.tick, next);
        assert!(mark.last >= mark.tick);
        next = mark.last + 1;
    }
    assert_eq!(next, MOST as u64 + 2);
    let cut = list[0].tick;
    marks.cut(cut, 0);
    assert_eq!(marks.list()[0].last, cut);
}

#[test]
fn late_loads_are_summed_over_some_ticks_with_the_longest_that_has_come_in_them() {
    let mut marks = Marks::default();
    for (tick, count) in [(10, 2), (20, 3), (30, 4)] {
        marks.late(at(tick), count, Latecomers::default(), 0);
    }
    marks.act(30, 1, edit("a"));
    let mut came = |late_at, tick, lateness| {
        let one = Came::new(tick, [tick as u32, 0], lateness);
        marks.came((0, 0), late_at, one);
    };
    let [short, long, longer] = [0.2, 0.5, 0.9].map(|came_at| Lateness::at(0.0, came_at));
    came(10, 25, longer);
    came(20, 24, short);
    came(20, 26, long);
    came(20, 31, longer);
    let sum = |after, until| marks.late_between([after, until]);
    let of = |objects, came, longest| LateSum {
        objects,
        came,
        longest,
    };
    assert_eq!(sum(10, 30), of(7, 2, Some(long)));
    assert_eq!(sum(10, 25), of(3, 1, Some(short)));
    assert_eq!(sum(10, 23), of(3, 0, None));
    assert_eq!(sum(9, 30), of(9, 3, Some(longer)));
    assert_eq!(sum(10, 31), of(7, 3, Some(longer)));
    assert_eq!(sum(30, 90), of(0, 0, None));
    assert_eq!(sum(90, 30), of(0, 0, None));
    assert_eq!(marks.known_until(), 30);
}

#[test]
fn late_loads_of_two_worlds_do_not_become_one() {
    let mut marks = Marks::default();
    let restart = 3 * MOST as u64 / 2;
    for tick in 1..=2 * MOST as u64 {
        let world = if tick > restart { restart } else { 0 };
        marks.late(
            LateAt {
                tick,
                world,
                began: world,
                numbering: 0,
            },
            1,
            Latecomers::default(),
            0,
        );
    }
    assert!(marks.list().len() <= MOST);
    let of = |world: u64| {
        let marks = marks.list().iter().filter(|mark| mark.world == world);
        marks.map(|mark| u64::from(mark.count)).sum::<u64>()
    };
    assert_eq!((of(0), of(restart)), (restart, 2 * MOST as u64 - restart));
}

#[test]
fn late_loads_that_become_one_keep_their_names_and_stay_few() {
    let mut marks = Marks::default();
    for tick in 1..=2 * MOST as u64 {
        let own = format!("stone{}", tick % 100);
        let object = 2 * tick as u32;
        let late = [("pond", object), ("pond", object + 1), (&own, object + 2)];
        let late = Latecomers::of(late.into_iter());
        marks.late(at(tick), 3, late, 0);
    }
    assert!(marks.list().len() <= MOST);
    let (mut all, mut ponds) = (0, 0);
    for mark in marks.list().iter() {
        let names: Vec<_> = mark.who.names().collect();
        assert!(names.len() <= Latecomers::MOST && names[0].0 == "pond");
        assert!(mark.who.known().count() <= Latecomers::MOST);
        assert!(names.iter().map(|(_, count)| count).sum::<u32>() <= mark.count);
        all += mark.count;
        ponds += names[0].1;
    }
    assert_eq!((all, ponds), (6 * MOST as u32, 4 * MOST as u32));
}
