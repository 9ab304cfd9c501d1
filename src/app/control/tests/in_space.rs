//! Many units at once in space: boxes around those who are seen, who moves together, and copies.

use super::*;
use crate::app::commands::Command;
use crate::app::state::Tool;
use crate::app::worker::Asked;
use skirmish::session::{Shape3, Spread};
use skirmish::story::space::Operation3;
use skirmish::volume::Vec3;

/// Nine who stand in a square that faces the eye, one behind them, and a crowd apart.
pub(super) const SPACE: &str = r#"(
    version: 1,
    name: "Square",
    field: ((0, 0), (200, 200)),
    structure: (kind: "octree"),
    volume: (
        heights: (0, 200),
        reach: 4,
        camera: (pivot: (100, 100, 100), distance: 400, azimuth: 0, elevation: 0),
        flocks: [
            (side: Blue, motion: Hold, formation: Explicit([
                (50, 100, 90), (60, 100, 90), (70, 100, 90), (50, 100, 100), (60, 100, 100), (70, 100, 100),
                (50, 100, 110), (60, 100, 110), (70, 100, 110), (60, 180, 100),
            ])),
            (side: Orange, motion: Hold, count: 30, formation: Ball(center: (150, 100, 100), radius: 10)),
        ],
    ),
)"#;

/// The window with time standing still and the tool Look.
fn looking() -> Window {
    let mut window = Window::open(SPACE);
    window.app.set_mode(RunMode::Paused);
    window.app.brush.tool = Tool::Look;
    window.frame(&[]);
    window
}

impl Window {
    /// Where a place is on the screen.
    fn seen(&self, place: Vec3) -> Pos2 {
        let eye = self.app.space.eye.as_ref().expect("an eye");
        eye.project(place).expect("it is seen").0
    }

    /// The same of one in the plane of the square.
    fn facing(&self, x: f32, z: f32) -> Pos2 {
        self.seen(Vec3::new(x, 100.0, z))
    }

    fn flying(&self) -> Vec<Vec3> {
        let bodies = self.app.flight.as_ref().expect("a flight").bodies();
        bodies.ids().map(|unit| bodies.center(unit)).collect()
    }

    /// A box from above at the left to below at the right, around the square.
    fn box_square(&mut self) {
        let (from, to) = (self.facing(44.0, 116.0), self.facing(76.0, 84.0));
        self.drag(from, to, true);
    }
}

fn assert_at(found: &[Vec3], expected: impl Iterator<Item = Vec3>) {
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.distance(expected) < 0.05, "{found} is not {expected}");
    }
}

#[test]
fn a_volume_gives_way_to_its_own_caption_and_not_to_that_of_another_view() {
    let name = r#"name: "Square","#;
    let said = r#"name: "Square", caption: "Nine stand in a square, a crowd apart.","#;
    let mut window = Window::open(&SPACE.replace(name, said));
    window.wait("its caption", |it| it.app.space.card.is_some());
    window.app.run(Command::View(View::Compare));
    for _ in 0..3 {
        window.frame(&[]);
        assert_eq!(window.app.space.card, None);
    }
    window.app.run(Command::View(View::Volume));
    window.wait("its caption", |it| it.app.space.card.is_some());
}

#[test]
fn the_caption_of_a_volume_stands_right_above_its_legend() {
    let name = r#"name: "Square","#;
    let said = r#"name: "Square", caption: "Nine stand in a square, a crowd apart.","#;
    let mut window = Window::open(&SPACE.replace(name, said));
    window.wait("its caption", |it| it.app.space.card.is_some());
    for size in [vec2(1280.0, 800.0), vec2(640.0, 480.0)] {
        window.size = size;
        widgets::forget_places(&window.ctx);
        for _ in 0..4 {
            window.frame(&[]);
        }
        let [caption, legend] = ["caption", "chip.legend"].map(|it| window.place(it));
        let between = legend.top() - caption.bottom();
        assert!((between - 8.0).abs() < 0.5, "{caption:?} {legend:?}");
    }
}

#[test]
fn a_box_selects_who_is_seen_in_it_and_shift_takes_more() {
    let mut window = looking();
    let eye = window.app.space.eye;
    window.box_square();
    assert_eq!(window.app.selection.units(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(window.app.space.boxed, None);
    let (from, to) = (window.facing(135.0, 115.0), window.facing(165.0, 85.0));
    window.drag(from, to, true);
    assert_eq!(window.app.selection.len(), 40, "those before stay");
    assert_eq!(window.app.space.eye, eye, "the eye stays");
    // Without Shift a drag turns the eye, and nobody else is selected.
    window.drag(
        window.facing(100.0, 60.0),
        window.facing(110.0, 60.0),
        false,
    );
    assert_ne!(window.app.space.eye, eye);
    assert_eq!(window.app.selection.len(), 40);
    // Escape ends a box, and what is let go after it is nothing.
    window.app.space.eye = eye;
    let at = window.facing(44.0, 116.0);
    let shift = Modifiers {
        shift: true,
        ..Modifiers::default()
    };
    window.move_to(at);
    window.frame(&[InputEvent::Pressed {
        button: MouseButton::Left,
        position: geometry::Vec2::new(at.x, at.y),
        modifiers: shift,
    }]);
    window.move_to(window.facing(76.0, 84.0));
    assert!(window.app.space.boxed.is_some());
    window.key(KeyCode::Escape);
    assert_eq!(window.app.space.boxed, None);
    window.release(MouseButton::Left, at);
    assert_eq!(window.app.space.eye, eye);
}

#[test]
fn a_box_passes_over_those_whom_the_slice_hides() {
    let mut window = looking();
    window.app.set_slice(Some(1));
    window.app.move_slice(150.0);
    window.box_square();
    assert_eq!(
        window.app.selection.units(),
        [9],
        "the others lie before it"
    );
}

#[test]
fn with_the_brush_shift_draws_a_box_too_and_a_press_on_who_is_selected_moves_all() {
    let mut window = looking();
    window.app.brush.tool = Tool::Blue;
    let all = window.flying();
    window.box_square();
    assert_eq!(window.app.selection.len(), 10);
    let (from, to) = (window.facing(50.0, 100.0), window.facing(56.0, 84.0));
    window.drag(from, to, true);
    window.frame(&[]);
    let way = Vec3::new(6.0, 0.0, -16.0);
    assert_at(&window.flying()[..10], all[..10].iter().map(|at| *at + way));
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!(window.flying(), all);
    // Another box, from where nobody of them is, begins anew.
    let (from, to) = (window.facing(40.0, 105.0), window.facing(56.0, 84.0));
    window.drag(from, to, true);
    assert_eq!(window.app.selection.units(), [0, 3]);
    assert_eq!(window.flying().len(), all.len(), "nobody was placed");
}

#[test]
fn who_is_selected_moves_together_by_hand_and_by_keys() {
    let mut window = looking();
    let all = window.flying();
    window.box_square();
    let (from, to) = (window.facing(60.0, 100.0), window.facing(100.0, 120.0));
    window.drag(from, to, false);
    window.frame(&[]);
    assert_eq!(window.app.space.carried, None);
    let way = Vec3::new(40.0, 0.0, 20.0);
    let moved = window.flying();
    assert_at(&moved[..10], all[..10].iter().map(|at| *at + way));
    assert_eq!(moved[10..], all[10..], "nobody else");
    // The keys go along the axes that lie nearest to right and up on the screen.
    let eye = window.app.space.eye;
    window.key_by(KeyCode::Right, false, false);
    window.key_by(KeyCode::Up, false, true);
    window.frame(&[]);
    assert_eq!(window.app.space.eye, eye, "the view stays");
    let nudge = Vec3::new(1.0, 0.0, 10.0);
    let nudged = window.flying();
    assert_at(&nudged[..10], moved[..10].iter().map(|at| *at + nudge));
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!(window.flying(), moved, "both keys were one edit");
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!(window.flying(), all);
    // From above they go along y.
    if let Some(eye) = &mut window.app.space.eye {
        eye.look_along(2, true);
    }
    window.key_by(KeyCode::Up, false, false);
    window.frame(&[]);
    assert_at(
        &window.flying()[..10],
        all[..10].iter().map(|at| *at + Vec3::Y),
    );
    // Without anybody selected the arrows move the view.
    window.app.selection.clear();
    let eye = window.app.space.eye;
    window.key(KeyCode::Left);
    assert_ne!(window.app.space.eye, eye);
}

#[test]
fn along_a_slice_who_is_carried_stays_in_it() {
    let mut window = looking();
    if let Some(eye) = &mut window.app.space.eye {
        eye.elevation = 50.0;
    }
    window.app.set_slice(Some(2));
    window.app.move_slice(150.0);
    window.app.run(Command::SelectAll);
    let all = window.flying();
    let at = window.seen(all[4]);
    window.drag(at, at + vec2(60.0, 25.0), false);
    window.frame(&[]);
    let moved = window.flying();
    assert!(moved.iter().zip(&all).all(|(now, before)| {
        (now.z - before.z).abs() < 0.01 && now.x - before.x > 1.0 && now.y != before.y
    }));
}

#[test]
fn copies_are_selected_and_deleted_together() {
    let mut window = looking();
    window.box_square();
    window.key_by(KeyCode::D, true, false);
    window.frame(&[]);
    assert_eq!(window.app.alive(), 50);
    assert_eq!(window.app.selection.len(), 10);
    assert!(window.app.selection.units().iter().all(|unit| *unit >= 40));
    let text = window.app.copy_selection().expect("a text");
    window.move_to(window.facing(100.0, 150.0));
    window.frame(&[]);
    window.app.paste(&text);
    window.frame(&[]);
    window.frame(&[]);
    assert_eq!((window.app.alive(), window.app.selection.len()), (60, 10));
    let pasted = window.flying().split_off(50);
    let sum: Vec3 = pasted.iter().copied().sum();
    let middle = (sum / 10.0).with_y(0.0);
    assert!(
        middle.distance(Vec3::new(100.0, 0.0, 150.0)) < 0.1,
        "{middle}"
    );
    window.key(KeyCode::Delete);
    window.frame(&[]);
    assert_eq!((window.app.alive(), window.app.selection.len()), (50, 0));
    window
        .app
        .paste("(version:1,units:[(side:Blue,formation:Explicit([(1,2)]))])");
    window.frame(&[]);
    window.frame(&[]);
    assert_eq!(
        window.notice(),
        "The clipboard holds units that are on a plane; those of this scene are in space."
    );
}

#[test]
fn whom_undo_brings_back_in_space_is_selected_also_where_a_future_comes_back() {
    let mut window = looking();
    let settle = |window: &mut Window| (0..4).for_each(|_| window.frame(&[]));
    let delete = |window: &mut Window| {
        window.app.selection.replace([3, 4, 11]);
        window.app.run(Command::DeleteSelection);
        settle(window);
        assert_eq!((window.app.alive(), window.app.selection.len()), (37, 0));
    };
    let undo = |window: &mut Window| {
        window.app.run(Command::Undo);
        settle(window);
        assert_eq!(window.app.alive(), 40);
        assert_eq!(window.app.selection.units(), [3, 4, 11]);
        window.app.selection.clear();
    };
    delete(&mut window);
    undo(&mut window);
    for _ in 0..10 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    settle(&mut window);
    let end = window.app.place.end;
    window.app.seek(4);
    settle(&mut window);
    delete(&mut window);
    assert_eq!(window.app.place.end, 4);
    undo(&mut window);
    assert_eq!(window.app.place.end, end);
    // With ticks in between.
    delete(&mut window);
    window.app.run(Command::Step);
    settle(&mut window);
    undo(&mut window);
}

#[test]
fn the_brush_places_in_its_shape_and_spread() {
    let mut window = looking();
    window.click_on("brush.blue");
    window.click_on("brush.shape.line");
    window.click_on("brush.spread.lattice");
    assert_eq!(window.app.brush.shape3, Shape3::Line);
    assert_eq!(window.app.brush.spread, Spread::Lattice);
    window.click(window.facing(100.0, 150.0));
    for _ in 0..3 {
        window.frame(&[]);
    }
    let placed = window.flying().split_off(40);
    assert_eq!(placed.len(), 12);
    let (x, y) = (placed[0].x, placed[0].y);
    assert!(placed.iter().all(|at| (at.x, at.y) == (x, y)));
    assert!(placed[11].z > placed[0].z);
}

#[test]
fn how_many_are_the_nearest_is_set_in_space_as_on_a_plane() {
    let mut window = looking();
    let point = Vec3::splat(100.0);
    window
        .app
        .look_into(Asked::Space(Operation3::Nearest { point, count: 8 }));
    window.wait("its slider", |window| {
        widgets::places(&window.ctx).contains_key("step.measure")
    });
    window.frame(&[]);
    let slider = window.place("step.measure");
    let tools = window.app.space.tools.expect("the row of tools");
    let least = window.app.camera.screen.top() + 48.0;
    assert!(slider.top() > least, "{slider:?}");
    assert!(tools.contains_rect(slider), "{slider:?} {tools:?}");
    window.click(slider.left_center() + vec2(6.0, 0.0));
    for _ in 0..4 {
        window.frame(&[]);
    }
    let stepping = window.app.stepping.as_ref().expect("it is gone through");
    let one = Operation3::Nearest { point, count: 1 };
    assert_eq!(stepping.asked.operation3(), Some(&one));
}

#[test]
fn how_large_a_ball_is_is_set_in_space_as_on_a_plane_and_stays_where_one_clicks_next() {
    let mut window = looking();
    let (center, radius) = (Vec3::splat(100.0), 12.0);
    window
        .app
        .look_into(Asked::Space(Operation3::Sphere { center, radius }));
    window.wait("its slider", |window| {
        widgets::places(&window.ctx).contains_key("step.measure")
    });
    window.frame(&[]);
    let slider = window.place("step.measure");
    window.click(slider.left_center() + vec2(6.0, 0.0));
    (0..4).for_each(|_| window.frame(&[]));
    let ball = |window: &Window| {
        let stepping = window.app.stepping.as_ref().expect("it is gone through");
        match stepping.asked.operation3() {
            Some(Operation3::Sphere { center, radius }) => (*center, *radius),
            other => panic!("{other:?}"),
        }
    };
    let (_, small) = ball(&window);
    assert!(small < radius && ball(&window).0 == center, "{small}");
    let brush = window.app.brush.radius;
    window.app.brush.radius = 2.0 * brush;
    window.click(window.facing(60.0, 100.0));
    window.wait("another place", |window| ball(window).0 != center);
    assert_eq!(ball(&window).1, small);
    // Nor is it forgotten while something else is asked, or between two times.
    let at = window.app.scene.field3().center();
    window.app.set_operation3(Operation3::Insert { at });
    let radius = |window: &Window| window.app.stepping.as_ref().map(|it| it.radius);
    assert_eq!(radius(&window), Some(small));
    window.app.set_operation3(Operation3::Sphere {
        center,
        radius: small,
    });
    for _ in 0..2 {
        window.app.run(Command::LookInto);
        (0..2).for_each(|_| window.frame(&[]));
    }
    assert_eq!(ball(&window).1, small);
}

/// A window in which the pairs of a volume are gone through.
fn telling_pairs() -> Window {
    let mut window = looking();
    let pairs = Operation3::Pairs { reach: Some(12.0) };
    window.app.look_into(Asked::Space(pairs));
    window.wait("a telling", |window| {
        let stepping = window.app.stepping.as_ref();
        stepping.is_some_and(|it| !it.is_waiting() && it.len() > 0)
    });
    window
}

#[test]
fn two_who_are_compared_in_space_are_named_beside_each_other() {
    use skirmish::story::Concerned;
    let mut window = telling_pairs();
    let stepping = window.app.stepping.as_mut().expect("steps");
    let story = stepping.reel().expect("a reel").story();
    // Of the square, which faces the eye.
    let met = (1..).zip(&story.steps).find_map(|(at, step)| {
        let Concerned::Two(a, b) = step.units else {
            return None;
        };
        let who = format!("{} and {}", story.called(a), story.called(b));
        (a.max(b) < 9).then_some((at, who))
    });
    let (at, who) = met.expect("two who are compared");
    stepping.go_to(at);
    widgets::forget_places(&window.ctx);
    for _ in 0..4 {
        window.frame(&[]);
    }
    let tag = window.place("step.tag");
    let said = window
        .drawn
        .iter()
        .find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text().starts_with(&who) => {
                Some(text.visual_bounding_rect())
            }
            _ => None,
        });
    let said = said.expect("they are named");
    assert!(tag.expand(1.0).contains_rect(said), "{tag:?} {said:?}");
    // Wherever the gizmo lies, which is elsewhere as long as one steps.
    let gizmo = widgets::places(&window.ctx).get("chip.gizmo").copied();
    assert!(!gizmo.is_some_and(|it| it.intersects(tag)), "{gizmo:?}");
}

#[test]
fn the_line_from_what_is_said_of_two_in_space_ends_at_the_ring_of_one_of_them() {
    use crate::app::view::rings_of_met;
    use skirmish::story::Concerned;
    const FIRST: usize = 40;
    let mut window = telling_pairs();
    let stepping = window.app.stepping.as_ref().expect("steps");
    let steps = &stepping.reel().expect("a reel").story().steps;
    let met = (1..).zip(steps).filter_map(|(at, step)| match step.units {
        Concerned::Two(a, b) => Some((at, [a, b])),
        _ => None,
    });
    let met: Vec<_> = met.take(FIRST).collect();
    let mut lines = 0;
    // The nearer, the larger they are.
    for distance in [400.0, 200.0, 120.0] {
        window.app.space.eye.as_mut().expect("an eye").distance = distance;
        for (at, two) in &met {
            window.app.stepping.as_mut().expect("steps").go_to(*at);
            widgets::forget_places(&window.ctx);
            (0..2).for_each(|_| window.frame(&[]));
            let Some(tag) = widgets::places(&window.ctx).get("step.tag").copied() else {
                continue;
            };
            let eye = window.app.space.eye.expect("an eye");
            let flight = window.app.flight.as_ref().expect("a flight");
            let seen = (flight.field(), window.app.space.slice);
            let rings = rings_of_met(&eye, seen, flight.bodies(), *two);
            for clipped in &window.drawn {
                let egui::Shape::LineSegment { points, stroke } = &clipped.shape else {
                    continue;
                };
                let [from, to] = *points;
                let color = stroke.color == Palette::DARK.text && stroke.width == 1.0;
                if !color || !tag.expand(0.5).contains(from) {
                    continue;
                }
                let is_on =
                    |(middle, radius): &(Pos2, f32)| (to.distance(*middle) - radius).abs() < 0.1;
                assert!(rings.iter().flatten().any(is_on), "{tag:?} {to} {rings:?}");
                lines += 1;
            }
        }
    }
    assert!(lines > 0);
}

#[test]
fn a_unit_of_a_volume_under_the_pointer_says_what_has_become_of_it_and_shift_goes_to_its_step() {
    use crate::app::state::Pointed;
    let mut window = looking();
    let center = Vec3::new(60.0, 100.0, 100.0);
    let radius = 4.0;
    window
        .app
        .look_into(Asked::Space(Operation3::Sphere { center, radius }));
    window.wait("a telling", |window| {
        let stepping = window.app.stepping.as_ref();
        stepping.is_some_and(|it| it.shown().is_some() && !it.is_waiting())
    });
    // The volume stands elsewhere where there are steps.
    (0..4).for_each(|_| window.frame(&[]));
    let at = window.facing(60.0, 100.0);
    window.move_to(at);
    window.wait("who is under the pointer", |window| {
        window.app.lane().frame3.unit == Some(4)
    });
    window.frame(&[]);
    let is_of_unit = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text().starts_with("unit 4 · "),
        _ => false,
    };
    assert!(window.drawn.iter().any(is_of_unit));
    let button = MouseButton::Left;
    window.frame(&[InputEvent::Pressed {
        button,
        position: geometry::Vec2::new(at.x, at.y),
        modifiers: Modifiers {
            shift: true,
            ..Modifiers::default()
        },
    }]);
    window.release(button, at);
    window.frame(&[]);
    let stepping = window.app.stepping.as_ref().expect("steps");
    let focus = stepping.focus.as_ref().map(|(pointed, _)| *pointed);
    assert_eq!(focus, Some(Pointed::Unit(4)));
    assert_eq!(
        stepping.asked.operation3().copied(),
        Some(Operation3::Sphere { center, radius })
    );
}

#[test]
fn without_a_reach_nobody_in_space_is_said_to_keep_apart() {
    let mut window = looking();
    window.app.set_reach(0.0);
    let is_set = |it: &Window| it.app.pair_reach().0 == 0.0;
    window.wait("the reach", is_set);
    assert_eq!(window.app.pair_reach(), (0.0, false));
}

#[test]
fn the_gizmo_says_its_angles_also_where_the_volume_lies_under_it() {
    // From far off it stands beside the volume; from so near that reaches beyond all edges of the window.
    for distance in ["distance: 900", "distance: 200"] {
        let mut window = Window::open(&SPACE.replace("distance: 400", distance));
        window.size = vec2(1280.0, 800.0);
        window.app.set_mode(RunMode::Paused);
        for _ in 0..4 {
            window.frame(&[]);
        }
        let gizmo = window.place("chip.gizmo");
        let mut drawn = window.drawn.iter();
        let angles = drawn.find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text().contains("° · ") => {
                let rect = text.visual_bounding_rect();
                gizmo.intersects(rect).then_some(rect)
            }
            _ => None,
        });
        let angles = angles.expect("the angles");
        assert!(
            gizmo.contains_rect(angles),
            "{distance}: {gizmo:?} {angles:?}"
        );
    }
}
