//! What Shift+click pins: a unit, with which query and inspector go, or a place, at which they stay.

use super::*;
use crate::app::commands::Command;
use crate::app::state::Tool;
use skirmish::session::{Action, SideWord};
use skirmish::volume::Vec3;

/// Lets this many ticks pass.
fn go_on(window: &mut Window, ticks: u64) {
    let until = window.app.place.tick + ticks;
    for _ in 0..ticks {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    window.wait("ticks", |it| it.app.place.tick >= until);
    window.frame(&[]);
}

fn says(window: &Window, words: &str) -> bool {
    !window.words(words).is_empty()
}

#[test]
fn a_pinned_unit_is_followed_and_a_pinned_place_stays() {
    let mut window = Window::open(&BATTLE.replace("order: Hold", "order: March(1, 0)"));
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let before = window.app.battle.positions()[3];
    window.move_to(window.at(before.x, before.y));
    window.app.hold();
    assert_eq!(window.app.held_unit(), Some(3));
    // A place is pinned as well while the cursor is elsewhere.
    window.move_to(window.at(300.0, 250.0));
    go_on(&mut window, 30);
    let after = window.app.battle.positions()[3];
    assert!(after.distance(before) > 0.5, "{before} {after}");
    assert_eq!(window.app.held_place(), Some(after));
    assert!(says(&window, "unit pinned, let go") && says(&window, "unit 3"));
    // A second press on the unit, where it is by now, lets it go.
    window.move_to(window.at(after.x, after.y));
    window.app.hold();
    assert!(!window.app.is_held());

    window.move_to(window.at(300.0, 250.0));
    window.app.hold();
    let place = window.app.held_place().expect("a place");
    window.move_to(window.at(400.0, 50.0));
    go_on(&mut window, 5);
    assert_eq!(window.app.held_unit(), None);
    assert_eq!(window.app.held_place(), Some(place));
    assert!(says(&window, "place pinned, let go"));
}

#[test]
fn a_second_click_beside_a_pinned_unit_lets_it_go_as_far_off_as_the_first_one_pinned_it() {
    let ranks = "count: 20, formation: Ranks((20, 100), (80, 200))";
    let mut window = Window::open(&BATTLE.replace(ranks, "formation: Explicit([(200, 150)])"));
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let beside = window.at(200.0, 150.0) + vec2(9.0, 0.0);
    window.move_to(beside);
    window.app.hold();
    assert_eq!(window.app.held_unit(), Some(0));
    window.app.hold();
    assert!(!window.app.is_held());
    // Farther off it is a place that is pinned.
    window.app.hold();
    window.move_to(beside + vec2(9.0, 0.0));
    window.app.hold();
    assert!(window.app.is_held());
    assert_eq!(window.app.held_unit(), None);
}

#[test]
fn ring_and_card_of_a_pin_are_of_its_unit_though_another_one_stands_where_it_does() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let at = window.app.battle.positions()[3];
    window.move_to(window.at(at.x, at.y));
    window.app.hold();
    window.app.lanes[0].frame.unit = Some(7);
    let looked_at = |window: &Window| window.app.looked_at_unit(window.app.lane());
    assert_eq!(looked_at(&window), Some(3));
    window.app.let_go();
    assert_eq!(looked_at(&window), Some(7));
}

#[test]
fn a_pin_stays_where_its_unit_stood_last_and_goes_with_it_again_once_that_is_back() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let at = window.app.battle.positions()[3];
    window.move_to(window.at(at.x, at.y));
    window.app.hold();
    window.app.selection.set(Some(3));
    window.app.run(Command::DeleteSelection);
    window.wait("one is gone", |it| it.app.alive() == 19);
    window.frame(&[]);
    assert_eq!(window.app.held_unit(), None);
    assert_eq!(window.app.held_place(), Some(at));
    window.app.run(Command::Undo);
    window.wait("all are back", |it| it.app.alive() == 20);
    assert_eq!(window.app.held_unit(), Some(3));
}

#[test]
fn a_pin_does_not_go_to_a_stranger_who_has_the_number_of_its_unit() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let at = window.app.battle.positions()[3];
    window.move_to(window.at(at.x, at.y));
    window.app.hold();
    window.app.selection.set(Some(3));
    window.app.run(Command::DeleteSelection);
    window.wait("one is gone", |it| it.app.alive() == 19);
    window
        .app
        .act(Action::Spawn(SideWord::Blue, (300.0, 250.0), 4.0, 1));
    window.wait("another one has come", |it| it.app.alive() == 20);
    assert!(window.app.battle.bodies().is_alive(3));
    assert_eq!(window.app.held_unit(), None);
    assert_eq!(window.app.held_place(), Some(at));
}

#[test]
fn a_pin_stays_at_the_place_where_other_armies_begin() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let at = window.app.battle.positions()[3];
    window.move_to(window.at(at.x, at.y));
    window.app.hold();
    window.app.set_unit_count(40);
    window.wait("more units", |it| it.app.alive() == 40);
    assert_eq!(window.app.held_unit(), None);
    assert_eq!(window.app.held_place(), Some(at));
}

#[test]
fn a_pin_does_not_go_to_a_stranger_when_undo_and_redo_lead_to_other_armies() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    window.app.set_unit_count(40);
    window.wait("more units", |it| it.app.alive() == 40);
    let pin = |window: &mut Window| {
        let at = window.app.battle.positions()[3];
        window.move_to(window.at(at.x, at.y));
        window.app.hold();
        assert_eq!(window.app.held_unit(), Some(3));
        at
    };
    let stays = |window: &mut Window, at: geometry::Vec2| {
        assert!(window.app.battle.bodies().is_alive(3));
        assert_eq!(window.app.held_unit(), None);
        assert_eq!(window.app.held_place(), Some(at));
        window.app.let_go();
    };
    let at = pin(&mut window);
    window.app.run(Command::Undo);
    window.wait("those of before", |it| it.app.alive() == 20);
    stays(&mut window, at);
    let at = pin(&mut window);
    window.app.run(Command::Redo);
    window.wait("those of then", |it| it.app.alive() == 40);
    stays(&mut window, at);
    // A restart begins with the same ones.
    pin(&mut window);
    go_on(&mut window, 5);
    window.app.run(Command::Restart);
    window.wait("a restart", |it| {
        it.app.place.world_made == it.app.place.tick
    });
    window.frame(&[]);
    assert_eq!(window.app.held_unit(), Some(3));
}

#[test]
fn a_pin_stays_with_its_unit_when_time_goes_back_over_a_keyframe_from_before_the_armies_began() {
    let mut window = Window::open_with(BATTLE, false);
    let has_heeded = |it: &Window| it.app.has_heeded(it.app.worker.posted());
    let is_at = |it: &Window, tick: u64| it.app.place.tick == tick && !it.app.place.is_on_way;
    window.app.run(Command::GoToStart);
    window.wait("the beginning", |it| has_heeded(it) && is_at(it, 0));
    window.app.set_unit_count(40);
    window.wait("more units", |it| it.app.alive() == 40);
    assert_eq!(window.app.place.tick, 0);
    window.app.set_mode(RunMode::Running);
    window.wait("some ticks", |it| it.app.place.tick >= 20);
    window.app.set_mode(RunMode::Paused);
    window.wait("time that stands", has_heeded);
    let at = window.app.battle.positions()[3];
    window.move_to(window.at(at.x, at.y));
    window.app.hold();
    assert_eq!(window.app.held_unit(), Some(3));
    let before = window.app.place.tick;
    window.app.run(Command::StepBack);
    window.wait("the tick before", |it| {
        has_heeded(it) && is_at(it, before - 1)
    });
    assert_eq!(window.app.held_unit(), Some(3));
}

#[test]
fn a_pinned_unit_of_space_is_followed() {
    let mut window = Window::open(
        r#"(
            version: 1,
            name: "Lone",
            field: ((0, 0), (200, 200)),
            structure: (kind: "octree"),
            volume: (
                heights: (0, 200),
                reach: 4,
                camera: (pivot: (100, 100, 100), distance: 400, azimuth: 0, elevation: 0),
                flocks: [(side: Blue, motion: Drift, speed: 12, formation: Explicit([(100, 100, 100)]))],
            ),
        )"#,
    );
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let place = |window: &Window| window.app.flying(0).expect("it flies");
    let before = place(&window);
    let eye = window.app.space.eye.as_ref().expect("an eye");
    let (at, _) = eye.project(before).expect("it is seen");
    window.move_to(at);
    window.app.hold();
    window.wait("who is pinned", |it| it.app.held_unit() == Some(0));
    window.move_to(at + vec2(90.0, 90.0));
    go_on(&mut window, 30);
    let after = place(&window);
    assert!(after.distance(before) > 0.5, "{before} {after}");
    window.wait("the query around it", |it| {
        it.app.lane().frame3.point == Some(place(it))
    });
    assert!(says(&window, "unit pinned, let go"));
    // Nothing is there in the middle of nowhere, and whoever comes by is not pinned.
    window.app.let_go();
    window.app.hold();
    go_on(&mut window, 3);
    assert!(window.app.is_held());
    assert_eq!(window.app.held_unit(), None);
}

#[test]
fn a_click_on_a_unit_in_space_pins_the_very_unit_that_it_selects() {
    let mut window = Window::open(in_space::SPACE);
    window.app.set_mode(RunMode::Paused);
    window.app.brush.tool = Tool::Look;
    window.frame(&[]);
    let eye = window.app.space.eye.as_ref().expect("an eye");
    let seen = |x, z| eye.project(Vec3::new(x, 100.0, z)).expect("seen").0;
    let [at, other, beside] = [seen(70.0, 110.0), seen(50.0, 90.0), seen(100.0, 60.0)];
    // At once, before what is under the pointer there has been asked.
    window.click(at);
    window.wait("the unit", |it| it.app.selection.one().is_some());
    window.frame(&[]);
    assert_eq!(window.app.selection.one(), Some(8));
    assert_eq!(window.app.held_unit(), Some(8));
    assert!(says(&window, "unit pinned, let go"));
    assert!(!says(&window, "place pinned, let go"));
    // The pin goes with a second click to another one, and to a place where nobody is.
    window.click(other);
    window.wait("the other unit", |it| it.app.selection.one() == Some(0));
    window.frame(&[]);
    assert_eq!(window.app.held_unit(), Some(0));
    assert!(says(&window, "unit pinned, let go"));
    window.click(beside);
    window.wait("nobody", |it| it.app.selection.is_empty());
    window.frame(&[]);
    assert!(window.app.is_held());
    assert_eq!(window.app.held_unit(), None);
    assert!(says(&window, "place pinned, let go"));
}
