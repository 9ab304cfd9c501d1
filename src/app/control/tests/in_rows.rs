//! What stands in one row, or below what it belongs to, and what goes on where it stood.

use super::*;
use crate::app::commands::Command;
use crate::app::worker::Asked;
use skirmish::partition::Kind;
use skirmish::session::Action;

fn settle(window: &mut Window) {
    for _ in 0..4 {
        window.frame(&[]);
    }
}

#[test]
fn the_chips_of_a_world_share_a_row_where_its_trees_are_called_by_their_letters() {
    let mut window = Window::open(WORLD);
    window.app.set_mode(RunMode::Paused);
    window.size = vec2(1000.0, 700.0);
    settle(&mut window);
    let [into, first] = ["look.into", "layer.objects"].map(|it| window.place(it));
    assert_eq!(into.center().y, first.center().y);
    assert!(into.right() < first.left(), "{into:?} {first:?}");
    assert!(!window.words("Step through").is_empty());
    // With more room each has its whole name.
    assert!(window.words("Intersection B").is_empty());
    window.size = vec2(1600.0, 900.0);
    settle(&mut window);
    assert!(!window.words("Intersection B").is_empty());
}

#[test]
fn the_ways_of_time_and_of_steps_end_below_each_other_and_so_do_their_buttons() {
    // With a clock there is a speed to be told, which takes room.
    let mut window = Window::open_with(BATTLE, false);
    window.app.set_mode(RunMode::Paused);
    window.size = vec2(640.0, 480.0);
    let asked = Operation::read("radius 60,120,20").expect("an operation");
    window.app.look_into(Asked::Operation(asked));
    window.wait("the steps", |window| window.app.has_steps());
    for size in [vec2(640.0, 480.0), vec2(720.0, 450.0), vec2(799.0, 600.0)] {
        window.size = size;
        settle(&mut window);
        let [time, steps] = ["timeline", "step.way"].map(|it| window.place(it));
        assert_eq!(time.right(), steps.right(), "{size}");
        assert_eq!(time.left(), steps.left(), "{size}");
        for [time, steps] in [
            ["pace.slower", "step.slower"],
            ["pace.faster", "step.faster"],
        ] {
            let [time, steps] = [time, steps].map(|it| window.place(it).x_range());
            assert_eq!(time, steps, "{size}");
        }
    }
}

#[test]
fn a_lane_keeps_its_values_when_the_one_before_it_is_closed() {
    let lanes = r#"lanes: [(kind: "linked-grid"), (kind: "bvh")], armies:"#;
    let mut window = Window::open(&BATTLE.replace("armies:", lanes));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("three lanes", |window| window.app.lanes.len() == 3);
    for _ in 0..4 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    window.wait("ticks", |window| window.app.past.tick >= 3);
    // What is not known is as alike as what is.
    let of_lane = |window: &Window, place: usize| -> Vec<u32> {
        let values = window.app.past.lanes[place].tests.values().iter();
        values.map(|value| value.to_bits()).collect()
    };
    let before = of_lane(&window, 2);
    assert!(!window.app.past.lanes[2].tests.is_empty());
    window.app.drop_lane(1);
    window.wait("two lanes", |window| {
        window.app.lanes.len() == 2 && window.app.past.lanes.len() == 2
    });
    let past = &window.app.past.lanes[1];
    assert!(
        past.stretches
            .iter()
            .all(|stretch| stretch.kind == Kind::Bvh)
    );
    assert!(of_lane(&window, 1).starts_with(&before));
}

#[test]
fn a_lane_that_was_closed_has_its_values_again_once_that_is_undone() {
    let lanes = r#"lanes: [(kind: "linked-grid"), (kind: "bvh")], armies:"#;
    let mut window = Window::open(&BATTLE.replace("armies:", lanes));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("three lanes", |window| window.app.lanes.len() == 3);
    let of_lane = |window: &Window, place: usize| -> Vec<u32> {
        let values = window.app.past.lanes[place].tests.values().iter();
        values.map(|value| value.to_bits()).collect()
    };
    for _ in 0..4 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    window.wait("ticks", |window| window.app.past.tick >= 3);
    let before = [0, 1, 2].map(|place| of_lane(&window, place));
    assert!(!window.app.past.lanes[1].tests.is_empty());
    window.app.drop_lane(1);
    window.wait("two lanes", |window| window.app.past.lanes.len() == 2);
    let now = window.app.past.tick;
    window.app.run(Command::Step);
    window.wait("a tick without it", |window| window.app.past.tick > now);
    window.app.run(Command::Undo);
    window.wait("three lanes", |window| {
        window.app.lanes.len() == 3 && window.app.past.lanes.len() == 3
    });
    for (place, before) in before.iter().enumerate() {
        assert!(of_lane(&window, place).starts_with(before), "{place}");
    }
}

#[test]
fn what_is_said_of_an_edit_that_was_refused_goes_with_the_next_that_is_done() {
    let mut window = Window::open(WORLD);
    window.app.set_mode(RunMode::Paused);
    let drop = |window: &mut Window| {
        window.app.act(Action::DropPath("nowhere".to_owned()));
        window.wait("a refusal", |it| !it.notice().is_empty());
        let said = window.notice();
        assert_eq!(said, "The scene has no path 'nowhere'", "a sentence");
    };
    drop(&mut window);
    // Another one that is refused comes in its place.
    drop(&mut window);
    (0..5).for_each(|_| window.frame(&[]));
    assert!(!window.notice().is_empty());
    window.app.set_reach(2.0);
    window.wait("an edit", |it| it.app.dirty);
    window.wait("no notice", |it| it.notice().is_empty());
    // What failed otherwise stays until somebody closes it.
    window.app.fail("Something failed.");
    window.app.set_reach(3.0);
    (0..20).for_each(|_| window.frame(&[]));
    assert_eq!(window.notice(), "Something failed.");
}
