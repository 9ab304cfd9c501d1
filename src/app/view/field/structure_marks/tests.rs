use super::*;
use skirmish::geometry::{Aabb, Vec2};

#[test]
fn of_an_address_its_open_groups_are_left_out() {
    assert_eq!(known_part("0110 01·· ···· ····"), "0110 01·· …");
    assert_eq!(known_part("1011"), "1011");
    assert_eq!(known_part("1: x = 3"), "1: x = 3");
}

#[test]
fn cells_with_whole_addresses_alone_are_marked_while_one_steps() {
    let mark = |role, label: &str| MarkView {
        role,
        outline: Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::splat(9.0))),
        label: label.to_owned(),
    };
    assert!(is_address(&mark(MarkRole::Guide, "0110 01")));
    assert!(!is_address(&mark(MarkRole::Guide, "0110 ··")));
    assert!(!is_address(&mark(MarkRole::Guide, "4 units")));
    assert!(!is_address(&mark(MarkRole::Home, "0110 01")));
}

#[test]
fn how_many_others_are_in_a_box_is_kept_back_while_it_is_said_how_many_are_selected() {
    let mark = |role| MarkView {
        role,
        outline: Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::splat(9.0))),
        label: "224 units".to_owned(),
    };
    for (role, stays) in [
        (MarkRole::Guide, true),
        (MarkRole::Home, false),
        (MarkRole::Scanned, false),
        (MarkRole::Skipped, false),
    ] {
        assert!(says_its_words(&mark(role), false), "{role:?}");
        assert_eq!(says_its_words(&mark(role), true), stays, "{role:?}");
    }
}

#[test]
fn words_of_a_list_over_everything_stand_around_it_before_they_stand_in_it() {
    let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(110.0, 70.0));
    let room = vec2(40.0, 16.0);
    let chips =
        places_around(rect, room).map(|at| Rect::from_min_size(at - vec2(0.0, room.y), room));
    let inside = chips.map(|chip| chip.shrink(0.5).intersects(rect));
    let [outside, inside] = [&inside[..4], &inside[4..]];
    assert!(outside.iter().all(|is_in| !is_in) && inside.iter().all(|is_in| *is_in));
    assert!(chips[4..].iter().all(|chip| rect.contains_rect(*chip)));
}

#[test]
fn the_number_of_a_body_hardly_larger_than_it_stands_beside_that_body_and_never_on_it() {
    let room = vec2(15.0, 17.0);
    for side in [6.0, 20.0, 22.0] {
        let rect = Rect::from_min_size(pos2(100.0, 100.0), vec2(side, side));
        let places = places_outside(rect, room);
        for at in places {
            let chip = Rect::from_min_size(at - vec2(0.0, room.y), room);
            assert!(!chip.shrink(0.5).intersects(rect), "{side}: {chip:?}");
            assert!(chip.expand(0.5).intersects(rect), "{side}: {chip:?}");
        }
    }
}

#[test]
fn words_of_a_line_stand_within_the_field_where_they_can() {
    let field = Rect::from_min_max(pos2(100.0, 0.0), pos2(200.0, 100.0));
    let size = vec2(60.0, 14.0);
    // To its right there is room for them, to its left there is not.
    let places = along_line(pos2(120.0, 0.0), pos2(120.0, 100.0), size);
    let count = places.len();
    let places = inside_first(places, size, field);
    assert_eq!(places.len(), count, "none of them is lost");
    let right = places.iter().take_while(|at| at.x > 119.0).count();
    assert_eq!(right, count / 2);
    assert!(places[right..].iter().all(|at| at.x < 61.0));
}

#[test]
fn numbers_of_steps_stand_on_their_lines_as_near_to_the_first_one_as_they_can() {
    let size = vec2(16.0, 14.0);
    let line = |x: f32| (pos2(x, 0.0), pos2(x, 300.0));
    let middle = |at: &Pos2| *at + vec2(size.x, -size.y) / 2.0;
    let all = upon_line(line(50.0), size, None, |_| true);
    let count = all.len() / 3;
    let is_upon = |at: &Pos2, x: f32| (middle(at).x - x).abs() < 0.01;
    assert!(all[..count].iter().all(|at| is_upon(at, 50.0)));
    let first = middle(&all[0]);
    for near in [first, pos2(90.0, 290.0)] {
        let next = upon_line(line(70.0), size, Some(near), |_| true);
        assert_eq!(next.len(), all.len(), "none of them is lost");
        let off: Vec<f32> = next[..count]
            .iter()
            .map(|at| (middle(at).y - near.y).abs())
            .collect();
        assert!(off.is_sorted() && off[0] < size.y, "{off:?}");
        assert!(next[..count].iter().all(|at| is_upon(at, 70.0)));
    }
}

#[test]
fn a_number_of_a_step_stands_beside_its_line_on_that_of_no_other_step() {
    let size = vec2(16.0, 14.0);
    let line = |x: f32| [pos2(x, 0.0), pos2(x, 300.0)];
    let [from, to] = line(50.0);
    // The next one is too near to its right, and one that is the same line on the screen is none other.
    let steps = [line(50.0), line(51.0), line(58.0), line(90.0)];
    let is_clear = |at: &Pos2| !is_on_another(*at, size, from, &steps);
    let all = upon_line((from, to), size, None, |_| true);
    let some = upon_line((from, to), size, None, is_clear);
    let count = all.len() / 3;
    assert_eq!(some.len(), 2 * count);
    assert_eq!(some[..count], all[..count], "upon it as before");
    assert!(some[count..].iter().all(|at| at.x + size.x <= 50.0));
}

#[test]
fn steps_whose_lines_are_one_on_the_screen_are_said_together() {
    let step = |number: u32, x: f32| MarkView {
        role: MarkRole::Scanned,
        outline: Outline::Line(Vec2::new(x, 0.0), Vec2::new(x, 9.0)),
        label: format!("search {number}"),
    };
    let home = MarkView {
        role: MarkRole::Home,
        ..step(9, 40.0)
    };
    let steps = [80.0, 41.0, 60.0, 42.0, 40.0, 41.0];
    let steps = (1..).zip(steps).map(|(number, x)| step(number, x));
    let steps: Vec<MarkView> = steps.chain([home]).collect();
    let all: Vec<&MarkView> = steps.iter().collect();
    let at = |scale: f32| move |at: Vec2| pos2(at.x, at.y) * scale;
    assert_eq!(last_steps(&all, at(1.0)), Some(3..6));
    assert_eq!(last_steps(&all, at(9.0)), None);
    assert_eq!(last_steps(&all[..1], at(1.0)), None);
    assert_eq!(last_steps(&all[6..], at(1.0)), None);
}

#[test]
fn no_words_hide_a_part_of_the_line_that_they_are_of() {
    let size = vec2(60.0, 14.0);
    let from = pos2(200.0, 200.0);
    for turn in 0..24_u8 {
        let way = 150.0 * egui_macroquad::egui::Vec2::angled(f32::from(turn).to_radians() * 15.0);
        for at in along_line(from, from + way, size) {
            let words = Rect::from_min_size(at - vec2(0.0, size.y), size);
            let hidden = seen_part(from, from + way, words.shrink(0.5));
            assert!(hidden.is_none(), "{way:?} {words:?}");
        }
    }
}

#[test]
fn words_of_a_long_line_stand_nowhere_beyond_its_ends() {
    let field = Rect::from_min_max(pos2(0.0, 0.0), pos2(600.0, 600.0));
    let size = vec2(60.0, 14.0);
    let are_along = |to: f32| {
        let line = (pos2(0.0, 300.0), pos2(to, 300.0));
        let places = places_of_line(line, field, size, field);
        places.iter().all(|at| at.x + size.x <= to + 0.1)
    };
    // The half to the left of a cut has one across, and the words of that stand in it.
    assert!(are_along(300.0));
    assert!(!are_along(100.0));
}

#[test]
fn of_a_line_that_the_view_cuts_off_words_stand_beyond_no_end_but_its_own() {
    let field = Rect::from_min_max(pos2(-900.0, 0.0), pos2(900.0, 600.0));
    let seen = field.with_min_x(0.0);
    let size = vec2(60.0, 14.0);
    let beyond = |from: f32, to: f32| -> Vec<f32> {
        let line = (pos2(from, 300.0), pos2(to, 300.0));
        let places = places_of_line(line, seen, size, field);
        let (least, most) = (from.max(0.0) - 0.1, to + 0.1);
        let off = |at: &Pos2| at.x + size.x < least || at.x > most;
        places.iter().filter(|at| off(at)).map(|at| at.x).collect()
    };
    // Long as a whole, however little of it is seen.
    assert!(beyond(-500.0, 90.0).is_empty());
    // Short: beyond the end that is seen, and not where the view cuts it off.
    assert_eq!(beyond(-20.0, 90.0), [94.0, 99.0, 104.0]);
    assert_eq!(beyond(100.0, 190.0).len(), 6);
    // Of what is out of sight nothing is said.
    let line = (pos2(-300.0, 300.0), pos2(-200.0, 300.0));
    assert!(places_of_line(line, seen, size, field).is_empty());
}

#[test]
fn words_go_on_from_the_ends_of_a_line_and_touch_it_nowhere() {
    let size = vec2(60.0, 14.0);
    for (from, to) in [
        (pos2(100.0, 50.0), pos2(140.0, 50.0)),
        (pos2(100.0, 90.0), pos2(100.0, 50.0)),
    ] {
        let line = Rect::from_two_pos(from, to);
        let places: Vec<Pos2> = beyond_ends(from, to, size).collect();
        assert_eq!(places.len(), 6);
        for (at, off) in places.into_iter().zip([4.5, 4.5, 9.5, 9.5, 14.5, 14.5]) {
            let words = Rect::from_min_size(at - vec2(0.0, size.y), size);
            assert!(!words.intersects(line));
            assert!(words.expand(off).intersects(line));
        }
    }
    let slanting = beyond_ends(pos2(0.0, 0.0), pos2(9.0, 5.0), size);
    assert_eq!(slanting.count(), 0);
}

#[test]
fn a_number_stands_without_its_word_right_behind_the_one_before_it_alone() {
    let [first, second, third] = ["depth 0", "depth 1: x = 3.00 m", "depth 2"].map(numbered);
    assert_eq!(second, Some(("depth", 1, "1: x = 3.00 m")));
    assert!(follows(first, second) && follows(second, third));
    assert!(!follows(first, third) && !follows(None, second));
    assert!(!follows(first, numbered("search 1")));
    for label in ["home", "4 units", "level 2: larger bodies and more", "12"] {
        assert!(!follows(first, numbered(label)), "{label}");
    }
}

#[test]
fn a_later_step_is_said_only_where_the_first_one_is() {
    use Said::{NoRoom, Out, There};
    let row = |first: Said, second: Said| {
        let mut row = None;
        let all = [
            ("search 1", first),
            ("search 2", second),
            ("home", There),
            ("search 3", There),
        ];
        let mut said = Vec::new();
        for (label, of) in all {
            if say_step(&mut row, numbered(label), || of) {
                said.push(label);
            }
        }
        said
    };
    assert_eq!(
        row(There, There),
        ["search 1", "search 2", "home", "search 3"]
    );
    for second in [NoRoom, Out] {
        assert_eq!(row(There, second), ["search 1", "home", "search 3"]);
    }
    for second in [There, NoRoom, Out] {
        assert_eq!(row(NoRoom, second), ["home"]);
    }
    // The first one that is in sight.
    assert_eq!(row(Out, There), ["search 2", "home", "search 3"]);
    assert_eq!(row(Out, Out), ["home", "search 3"]);
    assert_eq!(row(Out, NoRoom), ["home"]);
}

#[test]
fn words_keep_off_all_units_before_they_hide_some_and_those_of_a_straddler_stand_in_a_crowd() {
    let mark = |role: MarkRole, label: &str| MarkView {
        role,
        outline: Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::ONE)),
        label: label.to_owned(),
    };
    let of = |role, is_off_ticks| most_hidden(&mark(role, "3"), false, is_off_ticks);
    for role in [MarkRole::Guide, MarkRole::Home, MarkRole::Skipped] {
        assert_eq!(of(role, false), [0, MOST_HIDDEN]);
        // Before they lie on ticks they hide a few more.
        assert_eq!(of(role, true), [0, MOST_HIDDEN, MOST_HIDDEN_OFF_TICKS]);
        // Where they stand already they stay for more than where they would come to stand.
        assert!(of(role, true).iter().all(|most| *most < MOST_HIDDEN_BY_OLD));
    }
    assert_eq!(
        most_hidden(&mark(MarkRole::Scanned, "search 1"), true, true),
        MOST_HIDDEN_BY_STEP
    );
    // More than could stand under a number: each straddler has one, or is too small for it.
    assert_eq!(of(MarkRole::Special, false), MOST_HIDDEN_BY_NUMBER);
    assert_eq!(MOST_HIDDEN_BY_NUMBER.last(), MOST_HIDDEN_BY_STEP.last());
    // One that is named is the only one, and hides no crowd.
    let named = mark(MarkRole::Special, "unit 12");
    assert_eq!(most_hidden(&named, false, false), [0, MOST_HIDDEN]);
}

#[test]
fn what_a_search_comes_to_takes_places_off_the_ticks_before_its_steps_and_others_after_them() {
    use Turn::{Anywhere, OffTicks};
    let mark = |role, outline| MarkView {
        role,
        outline,
        label: String::new(),
    };
    let line = Outline::Line(Vec2::ZERO, Vec2::ONE);
    let area = Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::ONE));
    let step = mark(MarkRole::Scanned, line);
    let (end, home) = (mark(MarkRole::Home, line), mark(MarkRole::Home, area));
    let all = [&step, &end, &home, &step];
    let order = [(1, OffTicks)].into_iter();
    let order = order.chain([0, 2, 3, 1].map(|place| (place, Anywhere)));
    assert_eq!(turns(&all, true), order.collect::<Vec<_>>());
    // Without ticks there is nothing to keep off.
    assert_eq!(turns(&all, false), [0, 1, 2, 3].map(|it| (it, Anywhere)));
}

#[test]
fn the_part_of_a_way_that_is_seen_ends_at_the_edges() {
    let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 50.0));
    let across = seen_part(pos2(-50.0, 20.0), pos2(150.0, 20.0), rect);
    assert_eq!(across, Some((pos2(0.0, 20.0), pos2(100.0, 20.0))));
    let inside = (pos2(10.0, 10.0), pos2(20.0, 40.0));
    assert_eq!(seen_part(inside.0, inside.1, rect), Some(inside));
    assert_eq!(seen_part(pos2(0.0, 60.0), pos2(90.0, 60.0), rect), None);
    assert_eq!(seen_part(pos2(110.0, 0.0), pos2(120.0, 50.0), rect), None);
}
