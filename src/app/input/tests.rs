//! What arrives, what it means, and what egui is told of it.

use super::event::{InputEvent, KeyCode, Modifiers, MouseButton};
use super::feed::EguiFeed;
use super::paste::pasted_text;
use super::raw::RawEvent;
use super::tracker::{Tracker, WHEEL_UNITS_PER_NOTCH};
use glam::Vec2;

const NONE: Modifiers = Modifiers {
    ctrl: false,
    shift: false,
    alt: false,
    logo: false,
};
const CTRL: Modifiers = Modifiers { ctrl: true, ..NONE };
const SHIFT: Modifiers = Modifiers {
    shift: true,
    ..NONE
};

const HERE: Vec2 = Vec2::new(10.0, 20.0);
const THERE: Vec2 = Vec2::new(30.0, 40.0);
const OUTSIDE: Vec2 = Vec2::new(-5.0, 40.0);

fn translate(tracker: &mut Tracker, raw: &[RawEvent]) -> Vec<InputEvent> {
    translate_while_down(tracker, raw, &[])
}

fn translate_while_down(
    tracker: &mut Tracker,
    raw: &[RawEvent],
    down: &[MouseButton],
) -> Vec<InputEvent> {
    let mut out = Vec::new();
    tracker.translate(raw, |button| down.contains(&button), &mut out);
    out.into_iter().map(|stamped| stamped.event).collect()
}

/// What egui is told when all of `raw` arrives in one frame.
fn told(raw: &[RawEvent]) -> Vec<RawEvent> {
    let mut tracker = Tracker::default();
    let mut feed = EguiFeed::default();
    let mut stamped = Vec::new();
    tracker.translate(raw, |_| false, &mut stamped);
    let mut out = Vec::new();
    for event in &stamped {
        feed.tell(event, &mut out);
    }
    feed.settle(tracker.modifiers, &mut out);
    out
}

#[test]
fn a_press_and_release_within_one_frame_are_both_seen() {
    let events = translate(
        &mut Tracker::default(),
        &[
            RawEvent::ButtonDown(MouseButton::Left, HERE),
            RawEvent::ButtonUp(MouseButton::Left, THERE),
        ],
    );
    assert_eq!(
        events,
        [
            InputEvent::Pressed {
                button: MouseButton::Left,
                position: HERE,
                modifiers: NONE
            },
            InputEvent::Released {
                button: MouseButton::Left,
                position: THERE
            },
        ]
    );
}

/// Ctrl+A as X11 sends it: the modifiers from before each key, and the character before its key.
const CTRL_A: [RawEvent; 5] = [
    RawEvent::KeyDown(KeyCode::LeftControl, NONE),
    RawEvent::Char('a', CTRL),
    RawEvent::KeyDown(KeyCode::A, CTRL),
    RawEvent::KeyUp(KeyCode::A, CTRL),
    RawEvent::KeyUp(KeyCode::LeftControl, CTRL),
];

#[test]
fn a_whole_control_chord_within_one_frame_is_a_chord_and_types_nothing() {
    let mut tracker = Tracker::default();
    let events = translate(&mut tracker, &CTRL_A);
    assert_eq!(
        events,
        [
            InputEvent::KeyDown {
                key: KeyCode::LeftControl,
                modifiers: CTRL,
                repeat: false
            },
            InputEvent::KeyDown {
                key: KeyCode::A,
                modifiers: CTRL,
                repeat: false
            },
            InputEvent::KeyUp { key: KeyCode::A },
            InputEvent::KeyUp {
                key: KeyCode::LeftControl
            },
        ]
    );
    assert_eq!(tracker.modifiers, NONE);
}

#[test]
fn egui_is_told_a_chord_without_its_character_and_that_control_was_released() {
    assert_eq!(
        told(&CTRL_A),
        [
            RawEvent::KeyDown(KeyCode::LeftControl, CTRL),
            RawEvent::KeyDown(KeyCode::A, CTRL),
            RawEvent::KeyUp(KeyCode::A, CTRL),
            RawEvent::KeyUp(KeyCode::LeftControl, NONE),
        ]
    );
}

#[test]
fn pointer_and_wheel_carry_the_modifiers_of_their_moment() {
    let events = translate(
        &mut Tracker::default(),
        &[
            RawEvent::Motion(HERE),
            RawEvent::KeyDown(KeyCode::LeftShift, NONE),
            RawEvent::ButtonDown(MouseButton::Left, HERE),
            RawEvent::ButtonUp(MouseButton::Left, HERE),
            RawEvent::KeyUp(KeyCode::LeftShift, SHIFT),
            RawEvent::Wheel(Vec2::new(0.0, -2.0 * WHEEL_UNITS_PER_NOTCH)),
        ],
    );
    assert!(matches!(
        events[2],
        InputEvent::Pressed {
            modifiers: SHIFT,
            ..
        }
    ));
    assert_eq!(
        events[5],
        InputEvent::Wheel {
            notches: Vec2::new(0.0, -2.0),
            position: HERE,
            modifiers: NONE
        }
    );
}

#[test]
fn egui_learns_the_modifiers_of_a_click_whose_keys_it_never_saw() {
    let mut tracker = Tracker {
        modifiers: SHIFT,
        ..Tracker::default()
    };
    let mut stamped = Vec::new();
    tracker.translate(
        &[RawEvent::ButtonDown(MouseButton::Left, HERE)],
        |_| true,
        &mut stamped,
    );
    let mut out = Vec::new();
    EguiFeed::default().tell(&stamped[0], &mut out);
    assert_eq!(
        out,
        [
            RawEvent::KeyUp(KeyCode::Unknown, SHIFT),
            RawEvent::ButtonDown(MouseButton::Left, HERE)
        ]
    );
}

#[test]
fn entering_the_window_is_a_move_and_no_release() {
    let raw = [RawEvent::ButtonUp(MouseButton::Unknown, HERE)];
    assert_eq!(
        translate(&mut Tracker::default(), &raw),
        [InputEvent::PointerMoved {
            position: HERE,
            any_button_down: false
        }]
    );
    assert_eq!(told(&raw), [RawEvent::Motion(HERE)]);
}

#[test]
fn a_drag_that_leaves_and_comes_back_goes_on() {
    let mut tracker = Tracker::default();
    let left = [MouseButton::Left];
    translate_while_down(
        &mut tracker,
        &[
            RawEvent::ButtonDown(MouseButton::Left, HERE),
            RawEvent::Motion(OUTSIDE),
        ],
        &[],
    );
    let events = translate_while_down(
        &mut tracker,
        &[RawEvent::ButtonUp(MouseButton::Left, THERE)],
        &left,
    );
    assert_eq!(
        events,
        [InputEvent::PointerMoved {
            position: THERE,
            any_button_down: true
        }]
    );
    let events = translate(&mut tracker, &[RawEvent::ButtonUp(MouseButton::Left, HERE)]);
    assert_eq!(
        events,
        [InputEvent::Released {
            button: MouseButton::Left,
            position: HERE
        }]
    );
}

#[test]
fn a_release_before_a_new_press_in_the_same_frame_is_a_release() {
    let mut tracker = Tracker::default();
    let left = [MouseButton::Left];
    translate_while_down(
        &mut tracker,
        &[RawEvent::ButtonDown(MouseButton::Left, HERE)],
        &left,
    );
    let events = translate_while_down(
        &mut tracker,
        &[
            RawEvent::ButtonUp(MouseButton::Left, HERE),
            RawEvent::ButtonDown(MouseButton::Left, THERE),
        ],
        &left,
    );
    assert!(matches!(
        events[..],
        [InputEvent::Released { .. }, InputEvent::Pressed { .. }]
    ));
}

#[test]
fn a_drag_released_outside_unseen_is_cancelled_on_return() {
    let mut tracker = Tracker::default();
    let raw = [
        RawEvent::ButtonDown(MouseButton::Left, HERE),
        RawEvent::ButtonUp(MouseButton::Unknown, THERE),
    ];
    assert_eq!(
        translate(&mut tracker, &raw)[1..],
        [
            InputEvent::Cancelled,
            InputEvent::PointerMoved {
                position: THERE,
                any_button_down: false
            }
        ]
    );
    assert_eq!(
        told(&raw)[1..],
        [
            RawEvent::ButtonUp(MouseButton::Left, HERE),
            RawEvent::Motion(THERE)
        ]
    );
}

#[test]
fn a_second_press_without_a_release_cancels_what_the_first_began() {
    let down = RawEvent::ButtonDown(MouseButton::Left, HERE);
    let events = translate_while_down(&mut Tracker::default(), &[down, down], &[MouseButton::Left]);
    assert!(matches!(
        events[..],
        [
            InputEvent::Pressed { .. },
            InputEvent::Cancelled,
            InputEvent::Pressed { .. }
        ]
    ));
}

#[test]
fn a_release_without_a_press_is_dropped() {
    let raw = [RawEvent::ButtonUp(MouseButton::Left, HERE)];
    assert_eq!(translate(&mut Tracker::default(), &raw), []);
}

#[test]
fn losing_the_focus_releases_everything() {
    let mut tracker = Tracker::default();
    let events = translate(
        &mut tracker,
        &[
            RawEvent::KeyDown(KeyCode::LeftAlt, NONE),
            RawEvent::KeyDown(KeyCode::Tab, NONE),
            RawEvent::ButtonDown(MouseButton::Left, HERE),
            RawEvent::FocusLost,
            RawEvent::KeyDown(KeyCode::Tab, NONE),
        ],
    );
    assert_eq!(events[3], InputEvent::Cancelled);
    assert_eq!(
        events[4],
        InputEvent::KeyDown {
            key: KeyCode::Tab,
            modifiers: NONE,
            repeat: false
        }
    );
    assert_eq!(tracker.held_buttons, []);
}

#[test]
fn egui_sees_every_key_and_button_released_when_the_focus_is_lost() {
    let told = told(&[
        RawEvent::KeyDown(KeyCode::LeftControl, NONE),
        RawEvent::ButtonDown(MouseButton::Left, HERE),
        RawEvent::FocusLost,
    ]);
    assert_eq!(
        told[2..],
        [
            RawEvent::KeyUp(KeyCode::Unknown, NONE),
            RawEvent::ButtonUp(MouseButton::Left, HERE),
            RawEvent::KeyUp(KeyCode::LeftControl, NONE),
        ]
    );
}

#[test]
fn a_held_key_repeats_until_it_is_released() {
    let down = RawEvent::KeyDown(KeyCode::Period, NONE);
    let events = translate(
        &mut Tracker::default(),
        &[down, down, RawEvent::KeyUp(KeyCode::Period, NONE), down],
    );
    let repeats: Vec<bool> = events
        .iter()
        .filter_map(|event| match event {
            InputEvent::KeyDown { repeat, .. } => Some(*repeat),
            _ => None,
        })
        .collect();
    assert_eq!(repeats, [false, true, false]);
}

#[test]
fn control_codes_and_private_characters_are_no_text() {
    let raw: Vec<RawEvent> = ['\r', '\t', '\u{8}', '\u{7f}', '\u{f700}', 'é', ' ']
        .into_iter()
        .map(|character| RawEvent::Char(character, NONE))
        .collect();
    assert_eq!(
        translate(&mut Tracker::default(), &raw),
        [InputEvent::Text('é'), InputEvent::Text(' ')]
    );
}

#[test]
fn the_keypad_serves_egui_as_the_main_keys_do() {
    assert_eq!(
        told(&[RawEvent::KeyDown(KeyCode::KpEnter, NONE)]),
        [RawEvent::KeyDown(KeyCode::Enter, NONE)]
    );
}

#[test]
fn a_pasted_single_line_loses_its_line_break() {
    assert_eq!(pasted_text("12.5\n"), "12.5");
    assert_eq!(pasted_text("12.5\r\n"), "12.5");
    assert_eq!(pasted_text("a\nb\n"), "a\nb\n");
}

#[test]
fn what_is_typed_before_and_behind_a_tab_has_a_frame_of_its_own() {
    let none = Modifiers::default();
    let typed = |character| RawEvent::Char(character, none);
    let down = |key| RawEvent::KeyDown(key, none);
    let up = RawEvent::KeyUp(KeyCode::Tab, none);
    let tab = down(KeyCode::Tab);
    let press = RawEvent::ButtonDown(MouseButton::Left, Vec2::ZERO);
    let frames = |events: &[RawEvent]| {
        let mut events = events.to_vec();
        super::leave_out_repeated_tabs(&mut events);
        let mut frames = Vec::new();
        while !events.is_empty() {
            let count = super::told_at_once(&events, false, false);
            frames.push(events.drain(..count).collect::<Vec<_>>());
        }
        frames
    };
    let all = [
        typed('1'),
        typed('2'),
        tab,
        up,
        typed('3'),
        tab,
        up,
        tab,
        up,
    ];
    let expected = [
        vec![typed('1'), typed('2')],
        vec![tab],
        vec![up, typed('3')],
        vec![tab],
        vec![up, tab],
        vec![up],
    ];
    assert_eq!(frames(&all), expected);
    // As X11 tells it: the character before the key, and a modifier before both.
    let shifted = [down(KeyCode::LeftShift), typed('\t'), tab, up];
    assert_eq!(frames(&shifted), [shifted[..3].to_vec(), vec![up]]);
    // A click is for what it is on before Tab goes on from there.
    assert_eq!(frames(&[press, tab]), [[press], [tab]]);
    // Held for a second while one frame was drawn.
    let held: Vec<RawEvent> = std::iter::repeat_n([typed('\t'), tab], 30)
        .flatten()
        .collect();
    assert_eq!(frames(&held).len(), 2);
    assert_eq!(super::told_at_once(&[], false, false), 0);
}

#[test]
fn what_is_typed_behind_what_opens_a_field_has_a_frame_of_its_own() {
    let none = Modifiers::default();
    let typed_with = RawEvent::Char;
    let typed = |character| typed_with(character, none);
    let down = |key| RawEvent::KeyDown(key, none);
    let press = RawEvent::ButtonDown(MouseButton::Left, Vec2::ZERO);
    let release = RawEvent::ButtonUp(MouseButton::Left, Vec2::ZERO);
    let moved = RawEvent::Motion(Vec2::ONE);
    let frames = |events: &[RawEvent], opens: bool| {
        let (mut left, mut opens, mut frames) = (events, opens, Vec::new());
        while !left.is_empty() {
            let (now, later) = left.split_at(super::told_at_once(left, opens, false));
            frames.push(now.len());
            // Then the field is open.
            (left, opens) = (later, false);
        }
        frames
    };
    let enter = down(KeyCode::Enter);
    // A click, and "24" behind it within one slow frame.
    let click = [press, release, typed('2'), typed('4'), enter];
    assert_eq!(frames(&click, false), [2, 3]);
    let select_all = [press, release, down(KeyCode::LeftControl), down(KeyCode::A)];
    assert_eq!(frames(&select_all, false), [2, 2]);
    // Ctrl+P and what is sought on its page, as X11 tells it, and who holds that key down.
    let chord = [
        typed_with('p', CTRL),
        RawEvent::KeyDown(KeyCode::P, CTRL),
        RawEvent::KeyUp(KeyCode::P, CTRL),
        typed('b'),
        down(KeyCode::B),
        typed('v'),
    ];
    assert_eq!(frames(&chord, false), [2, 4]);
    assert_eq!(frames(&chord[..2].repeat(9), false), [18]);
    // A key that opens no page holds nothing up, nor does another button, which opens no field.
    let undo = RawEvent::KeyDown(KeyCode::Z, CTRL);
    assert_eq!(frames(&[undo, undo, typed('b')], false), [3]);
    let other = RawEvent::ButtonUp(MouseButton::Right, Vec2::ZERO);
    assert_eq!(frames(&[other, typed('b')], false), [2]);
    // Nothing waits where nothing is typed.
    assert_eq!(frames(&[press, release, moved, press, release], false), [5]);
    // On a value that one has walked to, as X11 tells it: the character before its key.
    let walked = [
        typed('2'),
        down(KeyCode::Key2),
        typed('4'),
        down(KeyCode::Key4),
        enter,
    ];
    assert_eq!(frames(&walked, true), [1, 4]);
    assert_eq!(frames(&walked, false), [5], "the field is open");
    // What opens none holds nothing up, however long it is held.
    assert_eq!(frames(&[typed('x'), typed('x'), typed('x')], true), [3]);
}

#[test]
fn a_plain_key_that_opens_a_page_holds_up_no_repetition_of_it_and_nothing_in_a_field() {
    let none = Modifiers::default();
    let typed = |character| RawEvent::Char(character, none);
    let down = |key| RawEvent::KeyDown(key, none);
    // Where the scene has no world the view opens the page of scenes.
    let view = down(KeyCode::F4);
    let at_once = |events: &[RawEvent], is_open| super::told_at_once(events, false, is_open);
    assert_eq!(at_once(&[view; 9], false), 9);
    let and_word = [view, view, view, typed('a'), down(KeyCode::A)];
    assert_eq!(at_once(&and_word, false), 1);
    // A field has it, until that is closed; a chord opens from there as well.
    assert_eq!(at_once(&and_word, true), 5);
    let closed = [&[down(KeyCode::Enter)][..], &and_word].concat();
    assert_eq!(at_once(&closed, true), 2);
    let chord = [RawEvent::KeyDown(KeyCode::P, CTRL), typed('b')];
    assert_eq!(at_once(&chord, true), 1);
}

#[test]
fn no_key_that_opens_a_field_writes_a_character() {
    for row in crate::app::commands::table()
        .iter()
        .filter(|row| row.command.opens_field())
    {
        for shortcut in &row.shortcuts {
            let is_function =
                (KeyCode::F1 as u32..=KeyCode::F12 as u32).contains(&(shortcut.key as u32));
            assert!(shortcut.ctrl || is_function, "{}", row.title);
        }
    }
}
