//! Which marks are one, which words stand beside them, and who answers for those.

use super::*;
use egui_macroquad::egui::{Context, RawInput};
use skirmish::probe::Cancel;
use skirmish::scene::file;
use skirmish::session::{Action, Session};
use std::path::Path;
use std::slice::from_ref;
use std::sync::LazyLock;

#[test]
fn marks_that_touch_are_one_and_none_is_lost() {
    let mut scene = file::built_in();
    scene.scale_units(20);
    let (mut session, _) = Session::new(scene, Path::new(""));
    let cancel = Cancel::default();
    for tick in 0..90 {
        if tick % 3 == 0 {
            let keys = ["bvh", "kd-tree"];
            let key = keys[usize::from(tick % 2 == 0)];
            session
                .apply(Action::Structure(key.to_owned()), false, &cancel)
                .expect("a structure");
        }
        session.tick(&cancel, &mut ()).expect("a tick");
    }
    let marks = session.timeline().marks().list();
    for width in [1.0, 90.0, 900.0] {
        let x_of = |tick: u64| width * tick as f32 / 90.0;
        for heaviest in [None, Some((0, 1.0)), Some((44, 1.0)), Some((90, 1.0))] {
            let spots = spots((marks, 0), heaviest, &x_of, f32::INFINITY);
            let sum: usize = spots.iter().map(|spot| spot.marks.len()).sum();
            assert_eq!(sum, marks.len());
            let found = spots.iter().filter(|spot| spot.heaviest.is_some());
            assert_eq!(found.count(), usize::from(heaviest.is_some()));
            assert!(spots.is_sorted_by(|a, b| a.x <= b.x));
            assert!(spots.iter().all(|spot| !words(from_ref(spot)).is_empty()));
        }
    }
    // Right before a mark as well, the heaviest tick is that mark's, and not one that lies under it.
    let before = (marks[0].tick.max(1) - 1, 1.0);
    let near = spots(
        (marks, 0),
        Some(before),
        &|tick| 100.0 + 4.0 * tick as f32,
        f32::INFINITY,
    );
    assert!(near[0].heaviest.is_some() && !near[0].marks.is_empty());
    // Which of the words are of whom is seen.
    let label = near[0].label();
    let heaviest = format!("; heaviest tick {}", with_commas(before.0));
    let whole = format!("{}{heaviest}", label[1].words);
    assert_eq!(label[0].words, whole);
    let all = spots((marks, 0), None, &|_| 0.0, f32::INFINITY);
    assert_eq!(all[0].label()[0].words, format!("{} switches", marks.len()));
    assert!(words(&all).contains("more"));
}

/// The open world, in which a character rode off so quickly that much was late.
fn ridden() -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = file::read(&path).expect("a scene");
    let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
    let cancel = Cancel::default();
    for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
        session.apply(action, false, &cancel).expect("a world");
    }
    for _ in 0..300 {
        session.tick(&cancel, &mut ()).expect("a tick");
    }
    session
}

#[test]
fn edits_are_seen_beside_whoever_was_late_at_the_same_place() {
    let session = ridden();
    let marks = session.timeline().marks().list();
    let spots = spots((marks, 0), None, &|_| 50.0, f32::INFINITY);
    let [_, edits, late, _] = spots[0].counts();
    assert!(spots.len() == 1 && edits > 0 && late > 0);
    let context = Context::default();
    let output = context.run(RawInput::default(), |context| {
        let painter = context.debug_painter();
        draw(
            &painter,
            &Palette::DARK,
            ((11.0, 60.0), u64::MAX),
            &spots,
            &[],
        );
    });
    let (mut crosses, mut diamonds) = (Rect::NOTHING, Rect::NOTHING);
    for clipped in &output.shapes {
        match &clipped.shape {
            Shape::LineSegment { points, .. } => {
                points.iter().for_each(|at| crosses.extend_with(*at));
            }
            Shape::Path(it) if it.fill == Palette::DARK.text => {
                it.points.iter().for_each(|at| diamonds.extend_with(*at));
            }
            _ => {}
        }
    }
    assert!(crosses.is_positive() && diamonds.is_positive());
    // With some air between the two, beside half of the line that a cross is drawn with.
    let between = diamonds.left().max(crosses.left()) - diamonds.right().min(crosses.right());
    assert!(between >= 3.0, "{crosses:?} {diamonds:?}");
    assert_eq!(crosses.center().y, diamonds.center().y, "one row");
    // The one that stands second answers the pointer as well.
    let second = pos2(spots[0].right(), 11.0);
    assert!(second.x > 50.0 && at(&spots, &[], second).is_some());
}

#[test]
fn who_was_late_after_now_is_paler_and_who_was_before_it_is_not() {
    let session = ridden();
    let marks = session.timeline().marks().list();
    let is_late = |mark: &&Mark| mark.kind == MarkKind::Late;
    let late: Vec<u64> = marks.iter().filter(is_late).map(|it| it.tick).collect();
    let spots = spots((marks, 0), None, &|tick| 30.0 * tick as f32, f32::INFINITY);
    let crosses = |now: u64| {
        let context = Context::default();
        let output = context.run(RawInput::default(), |context| {
            let painter = context.debug_painter();
            draw(&painter, &Palette::DARK, ((11.0, 60.0), now), &spots, &[]);
        });
        let strokes = output.shapes.into_iter();
        let colors: Vec<Color32> = strokes
            .filter_map(|clipped| match clipped.shape {
                Shape::LineSegment { stroke, .. } => Some(stroke.color),
                _ => None,
            })
            .collect();
        let of = |color| colors.iter().filter(|it| **it == color).count() / 2;
        let error = Palette::DARK.error;
        (of(error), of(Palette::DARK.to_come(error)))
    };
    assert!(late.len() > 2, "{late:?}");
    assert_eq!(crosses(u64::MAX), (late.len(), 0));
    assert_eq!(crosses(0), (0, late.len()));
    assert_eq!(crosses(late[1]), (2, late.len() - 2));
    let is_later = |spot: &Spot<'_>| spot.is_to_come(tick(from_ref(spot), f32::INFINITY));
    assert!(!spots.iter().any(is_later));
}

#[test]
fn the_words_of_marks_stand_behind_them_and_before_the_next_and_answer_the_pointer() {
    let session = ridden();
    let world = session.world().expect("a world");
    let late = world.streaming().statistics().late_loads;
    let marks = session.timeline().marks().list();
    assert!(
        marks.len() > 4 && late > 4,
        "{} marks, {late} late",
        marks.len()
    );
    let size_of = |words: &str| vec2(7.0 * words.len() as f32, 14.0);
    for (width, heaviest) in [(60.0, Some((0, 1.0))), (300.0, None), (3000.0, None)] {
        let room = (Rangef::new(0.0, width + 400.0), 11.0);
        let x_of = |tick: u64| width * tick as f32 / 300.0;
        let spots = spots((marks, 0), heaviest, &x_of, f32::INFINITY);
        // The marks leave nobody out who was late.
        let sum: u32 = spots.iter().map(|spot| spot.counts()[2]).sum();
        assert_eq!(u64::from(sum), late);
        let labels = labels(&spots, room, &size_of);
        assert!(!labels.is_empty(), "there is room behind the last");
        for label in &labels {
            // Whatever words count is right before them or right behind them, and they lie over no mark.
            let [first, last] = label.places.map(|place| &spots[place]);
            let gap = match is_before(label, &spots) {
                true => first.left() - label.rect.right(),
                false => label.rect.left() - last.right(),
            };
            assert!((gap - BESIDE).abs() < 0.1, "{label:?}");
            let is_off = |x: f32| x < label.rect.left() - 3.0 || x > label.rect.right() + 3.0;
            assert!(spots.iter().all(|it| is_off(it.x)), "{label:?}");
            if let Some((count, _)) = label.words.split_once(" late") {
                let of_them = &spots[label.places[0]..=label.places[1]];
                let of_them: u32 = of_them.iter().map(|it| it.counts()[2]).sum();
                assert_eq!(count, with_commas(of_them.into()), "{label:?}");
            }
            // All of whom they speak answer for them.
            let found = at(&spots, &labels, label.rect.center()).expect("an answer");
            let numbers = label.places[0]..=label.places[1];
            let of_them: Vec<&Mark> = spots[numbers].iter().flat_map(|it| it.marks).collect();
            let late = of_them.iter().find(|it| it.kind == MarkKind::Late);
            if let Some(first) = late.or(of_them.first()) {
                assert_eq!(tick(found, label.rect.center().x), first.tick, "{label:?}");
            }
            let all = words(found);
            assert!(
                of_them
                    .iter()
                    .take(12)
                    .all(|it| all.contains(&in_words(it))),
                "{all}"
            );
        }
        let mut rects = labels.windows(2);
        assert!(rects.all(|pair| pair[0].rect.right() < pair[1].rect.left()));
    }
    // Behind a row of crosses stands how many they are together, and not how many the last one of them is.
    let is_late = |mark: &&Mark| mark.kind == MarkKind::Late;
    let crosses: Vec<Mark> = marks.iter().filter(is_late).cloned().collect();
    let beside = |apart: f32| {
        let place = |tick: u64| crosses.partition_point(|mark| mark.tick < tick);
        let row = spots(
            (&crosses, 0),
            None,
            &|tick| apart * place(tick) as f32,
            f32::INFINITY,
        );
        let room = (Rangef::new(0.0, 90_000.0), 11.0);
        labels(&row, room, &size_of)
    };
    let all = beside(12.0);
    assert_eq!(all.len(), 1);
    // And of which ticks they are.
    let ends = [&crosses[0], &crosses[crosses.len() - 1]];
    let [first, last] = ends.map(|mark| with_commas(mark.tick));
    let sum = format!("{} late, ticks {first} to {last}", with_commas(late));
    assert_eq!(all[0].words, sum);
    // Who has no room for a figure of its own is counted with the next.
    let all = beside(40.0);
    assert_eq!((all.len(), &all[0].words), (1, &sum));
    assert_eq!(beside(100.0).len(), crosses.len());
    // Without room there are no words, and the marks say the same to the pointer.
    let spots = spots((marks, 0), None, &|tick| 0.5 * tick as f32, f32::INFINITY);
    let narrow = (Rangef::new(0.0, 150.0), 11.0);
    let labels = labels(&spots, narrow, &|_| vec2(1_000.0, 14.0));
    assert!(labels.is_empty());
    let place = pos2(spots[0].x, 12.0);
    let found = at(&spots, &labels, place).expect("a mark");
    assert_eq!(words(found), words(&spots[..1]));
}

/// A mark of a switch to another structure.
static SWITCH: LazyLock<Mark> = LazyLock::new(|| {
    let mut scene = file::built_in();
    scene.scale_units(20);
    let (mut session, _) = Session::new(scene, Path::new(""));
    let to = Action::Structure("bvh".to_owned());
    session
        .apply(to, false, &Cancel::default())
        .expect("a structure");
    session.timeline().marks().list()[0].clone()
});

fn switch(tick: u64) -> Mark {
    let mut mark = SWITCH.clone();
    (mark.tick, mark.last) = (tick, tick);
    mark
}

fn edit(tick: u64) -> Mark {
    let mut mark = switch(tick);
    mark.kind = MarkKind::Edit("place a great many units".into());
    mark
}

fn late(tick: u64, count: u32) -> Mark {
    let mut mark = switch(tick);
    (mark.kind, mark.count) = (MarkKind::Late, count);
    mark
}

/// The words of these marks where a tick takes a point of 860 and a letter 6, and whether they stand before their marks.
fn said_of(marks: &[Mark], heaviest: Option<(u64, f32)>) -> Vec<(String, bool)> {
    let spots = spots((marks, 0), heaviest, &|tick| tick as f32, f32::INFINITY);
    let labels = labels(&spots, ROOM, &six_a_letter);
    let words = labels
        .iter()
        .map(|it| (it.words.clone(), is_before(it, &spots)));
    words.collect()
}

/// Whether words stand before their marks.
fn is_before(label: &Label, spots: &[Spot<'_>]) -> bool {
    label.rect.right() < label.of(spots)[0].left()
}

/// The room of the words, and the row in which they stand.
const ROOM: (Rangef, f32) = (
    Rangef {
        min: 0.0,
        max: 860.0,
    },
    11.0,
);

fn six_a_letter(words: &str) -> Vec2 {
    vec2(6.0 * words.chars().count() as f32, 14.0)
}

fn said(words: &str, is_before: bool) -> Vec<(String, bool)> {
    vec![(words.to_owned(), is_before)]
}

#[test]
fn words_stand_before_their_marks_where_there_is_no_room_behind_and_neighbours_are_counted() {
    // Near the end of the way the words stand before the mark, and those of the heaviest tick behind it with them.
    let one = said_of(&[edit(820)], None);
    assert_eq!(one, said("place a great many units", true));
    // What has no room behind those is named in them, where both are seen as one row, and nowhere else.
    let two = said_of(&[edit(820)], Some((838, 1.0)));
    let both = format!("{}; heaviest tick 838", one[0].0);
    assert_eq!(two, said(&both, true));
    let apart = said_of(&[edit(800)], Some((838, 1.0)));
    assert_eq!(apart, one);
    assert_eq!(
        said_of(&[], Some((838, 1.0))),
        said("heaviest tick 838", true)
    );
    // Of two that are seen as one row it is said how many they are.
    let two = [edit(20), edit(40)];
    assert_eq!(said_of(&two, None), said("2 edits", false));
    // Further apart each has its own, and no more of them than there is room for.
    let two = [edit(20), edit(70)];
    let each = [said("edit", false), said("place a great many units", false)];
    assert_eq!(said_of(&two, None), each.concat());
    // What has room for its own words keeps them.
    assert_eq!(said_of(&[edit(200), edit(500)], None).len(), 2);
}

#[test]
fn edits_that_have_no_room_for_a_word_say_how_many_they_are() {
    // Behind the second one is room for a number.
    let marks = [edit(20), edit(48), switch(76)];
    let of_switch = said_of(&[switch(76)], None);
    let all = |count: &str| [said(count, false), of_switch.clone()].concat();
    assert_eq!(said_of(&marks, None), all("2"));
    // So it is of two that are seen as one row,
    assert_eq!(said_of(&[edit(20), edit(40), switch(70)], None), all("2"));
    // and of two in one place.
    assert_eq!(said_of(&[edit(20), edit(24), switch(50)], None), all("2"));
    // Where one of them has room for a word, that stays its own.
    let alone = said_of(&[edit(20), edit(48), switch(106)], None);
    assert_eq!(alone[0], ("edit".to_owned(), false));
    // Where not even a number has room there is none.
    let narrow = said_of(&[edit(8), edit(28), switch(48)], None);
    assert_eq!(narrow.len(), 1);
}

#[test]
fn words_of_a_mark_or_of_a_row_are_of_nothing_else() {
    let of_switch = said_of(&[switch(700)], None);
    let switch_before = said(&of_switch[0].0, true);
    let two = [switch(820), late(838, 3)];
    assert_eq!(said_of(&two, None), switch_before);
    // Those who have no room are counted with the next.
    let three = [switch(700), late(718, 3), late(745, 5)];
    let before = said(&of_switch[0].0, true);
    let all = [before, said("8 late", false)].concat();
    assert_eq!(said_of(&three, None), all);
    // Nobody else has words for one of a row.
    let row = [switch(700), late(718, 3), late(731, 5)];
    let together = said("8 late", false);
    let together = [switch_before, together].concat();
    assert_eq!(said_of(&row, None), together);
}

#[test]
fn a_sum_stands_beside_a_mark_of_what_it_counts_and_not_beside_another_one() {
    // Behind the row is no room, and before it that of the first cross, or of the diamond that stands before this.
    let row = [late(304, 1), late(324, 1), edit(370)];
    let words = said_of(&row, None);
    assert_eq!(words[0], ("2 late, ticks 304 to 324".to_owned(), true));
    let marks = [&[edit(300)][..], &row[..]].concat();
    let words = said_of(&marks, None);
    assert!(
        words.iter().all(|(words, _)| !words.contains("late")),
        "{words:?}"
    );
    // Of one place as well the diamond has all the words or none.
    let beside = |next: u64| {
        let words = said_of(&[late(20, 3), edit(24), edit(next)], None);
        words[0].0.clone()
    };
    assert_eq!(beside(140), "3 late, 1 edit");
    assert_eq!(beside(120), "place a great many units");
}

/// The first ticks of the rows of a kind among these marks where a tick takes so many points.
fn row_begins(marks: &[Mark], heaviest: Option<(u64, f32)>, scale: f32, kind: Kind) -> Vec<u64> {
    let spots = spots((marks, 0), heaviest, &|tick| scale * tick as f32, 4_000.0);
    let is_it = |mark: &&Mark| match kind {
        Kind::Edit => Spot::is_edit(mark),
        _ => mark.kind == MarkKind::Late,
    };
    let begins = rows(&spots, kind).into_iter();
    let first = begins.map(|[first, _]| spots[first].marks.iter().find(is_it));
    first
        .map(|mark| mark.expect("one of the kind").tick)
        .collect()
}

#[test]
fn rows_do_not_fall_to_pieces_as_time_goes_on() {
    let late_ticks = [
        20, 27, 49, 60, 82, 90, 113, 131, 180, 188, 199, 240, 249, 300,
    ];
    let edit_ticks = [24, 51, 52, 70, 120, 128, 150, 185, 190, 210, 244, 290];
    let mut marks: Vec<Mark> = late_ticks.map(|tick| late(tick, 1)).into();
    marks.extend(edit_ticks.map(edit));
    marks.extend([40, 205].map(switch));
    marks.sort_by_key(|mark| mark.tick);
    for kind in [Kind::Late, Kind::Edit] {
        let mut before = row_begins(&marks, None, 6.0, kind);
        for step in 1..300 {
            let scale = 6.0 / (1.0 + 0.05 * step as f32);
            // The heaviest tick is another one again and again.
            let heaviest = Some((20 + 37 * step % 290, 1.0));
            let now = row_begins(&marks, heaviest, scale, kind);
            assert!(
                now.iter().all(|tick| before.contains(tick)),
                "{kind:?}: {before:?} {now:?}"
            );
            before = now;
        }
        assert_eq!(before.len(), 1);
    }
    // An edit that comes to stand beside a cross parts no row of crosses, and is no part of it.
    let marks = [late(0, 1), late(115, 1), edit(220), edit(340), late(360, 1)];
    let begins = |scale: f32| row_begins(&marks, None, scale, Kind::Late);
    assert_eq!(begins(0.1), [0, 360]);
    assert_eq!(begins(0.095), [0]);
}

#[test]
fn a_row_of_edits_is_one_sum_whatever_stands_among_them() {
    let edits: Vec<Mark> = (0..12).map(|place| edit(100 + 23 * place)).collect();
    // The heaviest tick between two of them, or on one, parts them no more,
    for heaviest in 90..364 {
        let words = said_of(&edits, Some((heaviest, 1.0)));
        let with_it = format!("12 edits; heaviest tick {heaviest}");
        let sums = words.iter().map(|(words, _)| words);
        let sums = sums.filter(|words| *words == "12 edits" || **words == with_it);
        assert_eq!(sums.count(), 1, "{heaviest}: {words:?}");
        assert!(words.iter().all(|(words, _)| !words.contains("place a")));
    }
    // and who was late among them does not either. Crosses have their own words where there is room.
    let with_late = |tick: u64| {
        let mut marks = edits.clone();
        marks.push(late(tick, 3));
        marks.sort_by_key(|mark| mark.tick);
        said_of(&marks, None)
    };
    let sum = |is_before: bool| said("12 edits", is_before);
    assert_eq!(with_late(190), sum(false));
    assert_eq!(with_late(357), [sum(true), said("3 late", false)].concat());
    assert_eq!(with_late(96), [said("3 late", true), sum(false)].concat());
}

#[test]
fn words_lie_on_the_way_and_on_nothing_else() {
    for first in (0..300).step_by(7) {
        for apart in [3, 9, 14, 26, 60, 130, 210] {
            let at = |place: u64| first + apart * place;
            let marks = [
                edit(at(0)),
                late(at(1), 2),
                switch(at(2)),
                late(at(3), 12),
                edit(at(3) + 2),
                late(at(4), 1),
                edit(at(4) + 30),
            ];
            for heaviest in [None, Some((first, 1.0)), Some((at(3) + 5, 1.0))] {
                let right = 1_200.0;
                let x_of = |tick: u64| tick as f32;
                let spots = spots((&marks, 0), heaviest, &x_of, right);
                let room = (Rangef::new(0.0, right), 11.0);
                let labels = labels(&spots, room, &six_a_letter);
                let is_on_way =
                    |label: &Label| label.rect.left() >= 0.0 && label.rect.right() <= right;
                assert!(labels.iter().all(is_on_way), "{labels:?}");
                let mut pairs = labels.windows(2);
                assert!(pairs.all(|it| it[0].rect.right() < it[1].rect.left()));
                let shapes = spots.iter().flat_map(|spot| spot.shapes());
                let shapes: Vec<f32> = shapes.collect();
                for label in &labels {
                    let is_off =
                        |x: &f32| *x < label.rect.left() - 4.0 || *x > label.rect.right() + 4.0;
                    assert!(shapes.iter().all(is_off), "{label:?} {spots:?}");
                }
            }
        }
    }
}

#[test]
fn those_whom_words_count_answer_for_them_all() {
    let marks = [edit(20), edit(40)];
    let two = spots((&marks, 0), None, &|tick| tick as f32, f32::INFINITY);
    let both = labels(&two, ROOM, &six_a_letter);
    assert_eq!(both[0].words, "2 edits");
    let found = at(&two, &both, both[0].rect.center()).expect("an answer");
    assert_eq!((found.len(), tick(found, f32::INFINITY)), (2, 20));
    assert!(words(found).starts_with("2 edits, ticks 20 to 40:"));
    // They are as pale as what lies after now once all of it does.
    let are_pale = [10, 30, 80].map(|now| are_to_come(both[0].of(&two), now));
    assert_eq!(are_pale, [true, false, false]);
}

#[test]
fn a_row_of_crosses_has_no_words_rather_than_those_of_its_last_one() {
    // The words of the edit before them leave no room there.
    let row = |first: u64, next: u64| {
        let marks = [edit(first), late(400, 5), late(412, 7), edit(next)];
        let late = said_of(&marks, None).into_iter().map(|(words, _)| words);
        late.filter(|words| words.contains("late"))
            .collect::<Vec<_>>()
    };
    assert_eq!(row(340, 480), ["12 late"]);
    assert!(row(326, 468).is_empty());
    assert!(row(340, 468).is_empty());
}

#[test]
fn the_heaviest_tick_is_never_named_without_its_figure() {
    let of_switch = said_of(&[switch(700)], None).swap_remove(0).0;
    // Behind its triangle there is room for a word, and not for the figure: it stands with the words before the other one.
    let both = said_of(&[switch(760)], Some((782, 1.0)));
    let words = format!("{of_switch}; heaviest tick 782");
    assert_eq!(both, said(&words, true));
    for tick in (0..860).step_by(4) {
        let marks = [edit(300), switch(640), late(838, 2)];
        let all = said_of(&marks, Some((tick, 1.0)));
        let figure = format!("heaviest tick {tick}");
        let mut named = all.iter().filter(|(words, _)| words.contains("heaviest"));
        assert!(named.all(|(words, _)| words.contains(&figure)), "{all:?}");
    }
}

#[test]
fn the_heaviest_tick_at_an_end_of_a_row_of_edits_is_named_in_its_words_and_never_over_them() {
    let with = |next: u64, heaviest: u64| {
        let marks = [edit(120), edit(134), switch(next)];
        let said = said_of(&marks, Some((heaviest, 1.0))).into_iter();
        said.map(|(words, _)| words).next()
    };
    let both = |heaviest: u64| with(600, heaviest);
    assert_eq!(both(134).as_deref(), Some("2 edits; heaviest tick 134"));
    // Where both have no room, it says how many edits there are.
    assert_eq!(with(230, 134).as_deref(), Some("2 edits"));
    // Before the first of them there is room for its own words.
    assert_eq!(both(120).as_deref(), Some("heaviest tick 120"));
    for heaviest in 60..200 {
        let marks = [edit(120), edit(134), edit(146), switch(420)];
        let x_of = |tick: u64| tick as f32;
        let spots = spots((&marks, 0), Some((heaviest, 1.0)), &x_of, f32::INFINITY);
        let labels = labels(&spots, ROOM, &six_a_letter);
        let mut pairs = labels.windows(2);
        let are_apart = |it: &[Label]| it[0].rect.right() < it[1].rect.left();
        assert!(pairs.all(are_apart), "{heaviest}: {labels:?}");
    }
}

#[test]
fn words_stay_behind_their_mark_where_those_at_the_end_have_just_room() {
    let of_switch = said_of(&[switch(700)], None).swap_remove(0).0;
    let wide = six_a_letter(&of_switch).x + six_a_letter("heaviest tick 700").x;
    // As much as they take is free between the two.
    let tick = 838 - (wide + 2.0 * BESIDE + CLEAR_OF_WORDS).ceil() as u64;
    let two = said_of(&[switch(838)], Some((tick, 1.0)));
    let heaviest = said(&format!("heaviest tick {tick}"), false);
    assert_eq!(two, [heaviest, said(&of_switch, true)].concat());
}

#[test]
fn the_first_mark_has_no_words_where_the_next_one_leaves_no_room_behind_it() {
    let marks = [edit(1), late(14, 2)];
    assert_eq!(said_of(&marks, Some((2, 1.0))), said("2 late", false));
}

#[test]
fn a_row_at_the_end_of_the_way_is_counted_before_its_first_mark() {
    let row = |first: u64, count: u64| (0..count).map(move |place| edit(first + 20 * place));
    let even: Vec<Mark> = row(100, 12).collect();
    assert_eq!(said_of(&even, None), said("12 edits", false));
    // There is no room behind the last.
    let marks: Vec<Mark> = std::iter::once(edit(213)).chain(row(630, 11)).collect();
    let own = said("place a great many units", false);
    let all = [own, said("11 edits", true)].concat();
    assert_eq!(said_of(&marks, None), all);
}

#[test]
fn a_sum_goes_on_to_the_next_cross_over_crosses_alone() {
    let words = |marks: &[Mark]| {
        let said = said_of(marks, None).into_iter();
        said.map(|(words, _)| words).collect::<Vec<_>>()
    };
    let of_switch = words(&[switch(300)]);
    // What stands between them keeps its words, and what stands with one of them is said.
    let over_switch = words(&[late(1, 1), switch(15), late(700, 1)]);
    assert_eq!(over_switch, [of_switch[0].as_str(), "1 late"]);
    let mut with_edit = words(&[switch(80), late(100, 1), edit(100), late(500, 1)]);
    assert_eq!(with_edit.pop().as_deref(), Some("1 late"));
    // What stands before the first cross parts none of them, nor does the heaviest tick at its foot.
    let behind_edit = [edit(1), late(2, 1), late(25, 1), late(48, 1), late(90, 1)];
    for heaviest in [None, Some((1, 1.0))] {
        let all = said("4 late, ticks 2 to 90", false);
        assert_eq!(said_of(&behind_edit, heaviest), all);
    }
    // Nobody is silent among others that are counted.
    let all = words(&[late(5, 1), late(40, 1), late(75, 1), late(300, 1)]);
    assert_eq!(all, ["3 late, ticks 5 to 75", "1 late"]);
}

#[test]
fn the_sum_of_a_row_says_of_which_ticks_it_is_and_a_cross_that_stands_apart_its_own() {
    let row = |count: u64, apart: u64| -> Vec<Mark> {
        (0..count).map(|it| late(20 + apart * it, 1)).collect()
    };
    let all = said("6 late, ticks 20 to 220", false);
    assert_eq!(said_of(&row(6, 40), None), all);
    let ticks = said("30 late, ticks 20 to 368", false);
    assert_eq!(said_of(&row(30, 12), None), ticks);
    // A row is seen to be one: where there is no room for more its sum stands behind it.
    let mut marks = row(6, 12);
    marks.push(edit(150));
    assert_eq!(said_of(&marks, None)[0].0, "6 late");
    // A cross that stands apart from the end of a row has its own figure where there is no room for those ticks.
    let behind_row = |tick: u64| {
        let mut marks = row(20, 12);
        marks.extend([late(tick, 1), edit(tick + 56)]);
        let words = said_of(&marks, None).into_iter();
        let late = words.map(|(words, _)| words);
        late.filter(|it| it.contains("late")).collect::<Vec<_>>()
    };
    assert_eq!(behind_row(310), ["20 late", "1 late"]);
    assert_eq!(behind_row(298), ["1 late"]);
}

#[test]
fn a_press_on_the_diamond_beside_another_mark_leads_to_the_edit() {
    let led = |marks: &[Mark], right: f32| {
        let spots = spots((marks, 0), None, &|tick| tick as f32, right);
        let [spot] = &spots[..] else {
            panic!("{spots:?}")
        };
        let second = match spot.counts() {
            [0, ..] => spot.late_x,
            _ => spot.mark_x,
        };
        assert!((spot.edit_x - second).abs() >= APART, "{spot:?}");
        assert!(spot.right() <= right, "{spot:?}");
        [spot.edit_x, second].map(|x| tick(from_ref(spot), x))
    };
    for right in [860.0, 104.0] {
        assert_eq!(led(&[switch(100), edit(103)], right), [103, 100]);
        assert_eq!(led(&[edit(100), switch(103)], right), [100, 103]);
        assert_eq!(led(&[edit(100), late(104, 2)], right), [100, 104]);
        assert_eq!(led(&[late(100, 2), edit(104)], right), [104, 100]);
    }
    // Words lead to whoever was late, whatever else they speak of.
    let marks = [edit(100), late(104, 2)];
    let pair = spots((&marks, 0), None, &|tick| tick as f32, 860.0);
    assert_eq!(tick(&pair, 300.0), 104);
}

#[test]
fn the_line_of_a_switch_stands_at_its_tick_as_far_as_its_shape_touches_no_other() {
    let places = |marks: &[Mark]| {
        let spots = spots((marks, 0), None, &|tick| tick as f32, 860.0);
        let mut pairs = spots.windows(2);
        assert!(pairs.all(|pair| pair[1].left() - pair[0].right() >= APART));
        (spots[0].mark_x, spots[0].edit_x)
    };
    assert_eq!(places(&[late(100, 2), switch(108)]).0, 108.0);
    // The diamond stands where its edit is, or behind the switch where it would touch that there.
    let three = [edit(100), late(105, 2), switch(115)];
    assert_eq!(places(&three), (115.0, 100.0));
    assert_eq!(places(&[edit(100), switch(106)]), (106.0, 117.0));
    assert_eq!(places(&[switch(100), edit(106)]), (100.0, 111.0));
    // So it does where somebody was late before both.
    let three = [late(100, 2), edit(104), switch(118)];
    assert_eq!(places(&three), (118.0, 104.0));
    let three = [late(100, 2), edit(110), switch(118)];
    assert_eq!(places(&three), (118.0, 107.0));
    // As near as what comes next lets it stand.
    let crowded = [late(100, 2), switch(108), late(113, 1)];
    assert_eq!(places(&crowded).0, 102.0);
}

#[test]
fn a_press_on_the_triangle_of_a_switch_leads_to_where_its_line_stands() {
    let led = |marks: &[Mark]| {
        let spots = spots((marks, 0), None, &|tick| tick as f32, 860.0);
        tick(&spots[..1], spots[0].mark_x)
    };
    assert_eq!(led(&[edit(100), switch(106)]), 106);
    assert_eq!(led(&[switch(100), edit(106), switch(109)]), 100);
    // Whoever was late comes first.
    assert_eq!(led(&[late(100, 2), switch(108)]), 100);
}

#[test]
fn a_place_begins_and_ends_with_what_is_drawn_there() {
    let marks = [late(100, 2), switch(108)];
    let heaviest = Some((96, 1.0));
    let all = spots((&marks, 0), heaviest, &|tick| tick as f32, 860.0);
    // Nothing is drawn where the first of its marks is, and the heaviest tick stands apart.
    let [alone, spot] = &all[..] else {
        panic!("{all:?}")
    };
    assert_eq!(
        (alone.left(), spot.left(), spot.right()),
        (96.0, 108.0, 108.0)
    );
}

#[test]
fn two_marks_at_the_last_tick_stand_before_its_end_and_on_no_other() {
    for (before, places) in [(60, 2), (78, 2), (82, 1), (92, 1)] {
        let marks = [edit(before), switch(100), edit(100)];
        let spots = spots((&marks, 0), None, &|tick| tick as f32, 100.0);
        assert_eq!(spots.len(), places, "{before}");
        assert!(spots.iter().all(|it| it.right() <= 100.0), "{spots:?}");
        let mut pairs = spots.windows(2);
        assert!(pairs.all(|pair| pair[1].left() - pair[0].right() >= APART));
        let sum: usize = spots.iter().map(|it| it.marks.len()).sum();
        assert_eq!(sum, marks.len());
    }
}

/// The same of a run whose world was made at the tick `world`.
fn late_of(world: u64, tick: u64, count: u32) -> Mark {
    let mut mark = late(tick, count);
    mark.world = world;
    mark
}

#[test]
fn who_was_late_in_two_runs_is_counted_apart() {
    // A row of crosses up to a restart, and one from there on.
    let mut marks: Vec<Mark> = (0..20).map(|it| late_of(0, 20 + 12 * it, 2)).collect();
    marks.push(edit(256));
    marks.extend((0..10).map(|it| late_of(256, 262 + 12 * it, 3)));
    let of_runs = |marks: &[Mark], scale: f32| {
        let x_of = |tick: u64| scale * tick as f32;
        let spots = spots((marks, 256), None, &x_of, 860.0);
        let sum: usize = spots.iter().map(|it| it.marks.len()).sum();
        assert_eq!(sum, marks.len());
        let mut pairs = spots.windows(2);
        assert!(pairs.all(|pair| pair[1].left() - pair[0].right() >= APART - 0.01));
        let is_of_one = |it: &Spot<'_>| it.runs.is_none_or(|[first, last]| first == last);
        assert!(spots.iter().all(is_of_one), "{spots:?}");
        let labels = labels(&spots, ROOM, &six_a_letter);
        let last = labels.last().expect("behind the last one");
        last.words.clone()
    };
    // However much of the way a run takes, its figure is that of POP-IN.
    for scale in [0.4, 0.7, 1.0, 1.3] {
        let words = of_runs(&marks, scale);
        assert!(words.starts_with("30 late"), "{scale}: {words}");
    }
    // Where nobody has been late since, no figure of before stands behind the restart.
    for scale in [0.4, 0.7, 1.0] {
        let words = of_runs(&marks[..21], scale);
        assert!(!words.contains("late"), "{scale}: {words}");
    }
    // What has no room for two places says that it is of two runs.
    let two = [late_of(0, 855, 2), edit(856), late_of(856, 858, 3)];
    let both = spots((&two, 856), None, &|tick| tick as f32, 860.0);
    assert_eq!(both.len(), 1);
    assert!(
        both[0].label()[0]
            .words
            .starts_with("5 late in several runs")
    );
}

#[test]
fn of_the_forms_of_edits_the_last_one_is_a_number_alone_and_no_other_one_is() {
    // All in one place, where each is one and where they are beyond a thousand.
    for many in [1, 1_005] {
        let mut edits: Vec<Mark> = (0..3).map(edit).collect();
        edits.iter_mut().for_each(|mark| mark.count = many);
        let spots = spots((&edits, 0), None, &|tick| tick as f32, 860.0);
        let forms = spots[0].label();
        let said = forms.iter().map(|it| (it.words.as_str(), it.is_number));
        let said: Vec<(&str, bool)> = said.filter(|(words, _)| !words.is_empty()).collect();
        let count = with_commas(u64::from(3 * many));
        let last = said.last().copied();
        assert_eq!(last, Some((count.as_str(), true)), "{said:?}");
        assert!(said.iter().rev().skip(1).all(|(_, is_number)| !is_number));
    }
}

#[test]
fn a_gathered_mark_says_up_to_which_tick_it_goes() {
    let mut marks = [late(100, 2), late(140, 3)];
    marks[1].last = 170;
    let spots = spots((&marks, 0), None, &|tick| tick as f32, 860.0);
    assert_eq!(late_ticks(&spots), Some([100, 170]));
    let said = words(&spots);
    assert!(said.contains("ticks 100 to 170:"), "{said}");
}
