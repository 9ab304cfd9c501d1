//! The words about two whom a step in space compares, beside the line between them.

use crate::app::eye::Eye;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::view::field::{Crowd, Disc, all_edges, cheapest, gap, leader_to_disc, pieces};
use crate::app::view::space::draw::{part_in, rings_of_met};
use crate::app::view::step::words_of_two;
use crate::app::widgets::{clear_place, look_at, looked_at, place};
use egui_macroquad::egui::{CornerRadius, Galley, Pos2, Rect, Ui, Vec2, pos2, vec2};
use skirmish::partition::Pair;
use skirmish::story::Concerned;
use skirmish::story::space::apart;
use std::cell::OnceCell;
use std::sync::Arc;

/// How far off the two it may stand, in points.
const OFF: [f32; 4] = [10.0, 26.0, 52.0, 96.0];
/// So many places a form may have at the most, and shorter words are worth it where they hide so many fewer.
const OF_FORM: usize = 1000;
const SHORTER: usize = 3;

/// Who is compared at a step, with how far they are from each other and what is seen by that, as it is said on a plane: in sight, off what is
/// `taken`, and where it hides the fewest of the `crowd`. Gives where it and the line to it lie.
pub fn compared(
    ui: &Ui,
    app: &App,
    eye: &Eye,
    palette: &Palette,
    (taken, crowd): (&[Rect], &OnceCell<Crowd>),
) -> Vec<Rect> {
    let found = ends(app, eye).and_then(|ends| Some((ends, words(app)?)));
    let Some((ends, (words, short))) = found else {
        return Vec::new();
    };
    let around = around(ends);
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    let lay_out = |words: String| painter.layout_no_wrap(words, text(size::SECOND), palette.panel);
    let forms = std::iter::once(words).chain(short).map(lay_out);
    let forms: Vec<Arc<Galley>> = forms.collect();
    let room = app.free_field().shrink(8.0);
    let crowd = crowd.get_or_init(|| Crowd::in_view(app, &[]));
    let looked_at = looked_at(ui.ctx());
    let extent = |galley: &Galley| galley.size() + vec2(12.0, 4.0);
    let each = (0..).zip(&forms).flat_map(|(form, galley)| {
        let corners = places(around, room, extent(galley)).into_iter();
        let costs = corners.enumerate().filter_map(|(number, at)| {
            let rect = clear_place(room, extent(galley), [at], taken)?;
            // It would be struck through by the line between them, or hide one of the two.
            if is_struck(rect, ends) {
                return None;
            }
            let (seen, cost) = crowd.costs(rect, about(rect, ends), &looked_at);
            Some((OF_FORM * form + number, rect, (seen, cost + SHORTER * form)))
        });
        costs.collect::<Vec<_>>()
    });
    let each: Vec<_> = each.collect();
    // A step looks the same from whichever side one comes to it.
    let Some((number, rect)) = cheapest(&each) else {
        return Vec::new();
    };
    // Between the two, and beside them in the box around both, others may stand.
    let discs = rings(app, eye);
    let mut lies = leader_to_disc(&painter, rect, &discs, palette.text);
    painter.rect_filled(rect, CornerRadius::ZERO, palette.text);
    let galley = Arc::clone(&forms[number / OF_FORM]);
    painter.galley(rect.min + vec2(6.0, 2.0), galley, palette.panel);
    look_at(ui.ctx(), rect);
    place(ui.ctx(), "step.tag", rect);
    lies.push(rect);
    lies
}

/// What is said of the two, and the same in short.
fn words(app: &App) -> Option<(String, Option<String>)> {
    let bodies = app.flight.as_ref()?.bodies();
    let stepping = app.stepping.as_ref()?;
    let away = |(a, b): Pair| apart(bodies.aabb(a), bodies.aabb(b));
    words_of_two(stepping.shown()?, stepping.at(), away)
}

/// Around the middle of each of the two, in points.
const AROUND: f32 = 6.0;

/// The rings around the two, as they are drawn.
fn rings(app: &App, eye: &Eye) -> Vec<Disc> {
    let (Some(flight), Some((a, b))) = (&app.flight, two(app)) else {
        return Vec::new();
    };
    let seen = (flight.field(), app.space.slice);
    let rings = rings_of_met(eye, seen, flight.bodies(), [a, b]);
    rings.into_iter().flatten().collect()
}

/// Who is compared.
fn two(app: &App) -> Option<Pair> {
    let stepping = app.stepping.as_ref().filter(|it| !it.is_waiting())?;
    match stepping.now()?.units {
        Concerned::Two(a, b) => Some((a, b)),
        _ => None,
    }
}

/// Where the two who are compared are seen; nothing where one of them stands no more, is cut away, or is not in sight.
fn ends(app: &App, eye: &Eye) -> Option<[Pos2; 2]> {
    let bodies = app.flight.as_ref()?.bodies();
    let (a, b) = two(app)?;
    let shown = app.space.shown();
    let seen = |unit| -> Option<Pos2> {
        let center = bodies.is_alive(unit).then(|| bodies.center(unit))?;
        let is_shown = shown.distance_sq(center) <= 0.0;
        let (at, _) = eye.project(center).filter(|_| is_shown)?;
        app.free_field().contains(at).then_some(at)
    };
    Some([seen(a)?, seen(b)?])
}

/// What is seen of the two and of what is between them.
fn around([a, b]: [Pos2; 2]) -> Rect {
    Rect::from_two_pos(a, b).expand(AROUND)
}

/// Whether the line from one to the other would strike out words in a rectangle, or they would hide one of the two.
fn is_struck(words: Rect, [a, b]: [Pos2; 2]) -> bool {
    /// What is free around a line, in points.
    const OFF: f32 = 4.0;
    let is_on = |at: Pos2| words.expand(AROUND).contains(at);
    is_on(a) || is_on(b) || part_in(words.expand(OFF), a, b).is_some()
}

/// What words in a rectangle are about: all that is [`around`] the two, or where they stand in there, the piece of the line that is nearest.
fn about(words: Rect, [a, b]: [Pos2; 2]) -> Rect {
    let around = around([a, b]);
    if !words.intersects(around) {
        return around;
    }
    let nearest = pieces(a, b).min_by(|one, other| {
        let [one, other] = [*one, *other].map(|piece| gap(words, piece));
        one.total_cmp(&other)
    });
    nearest.unwrap_or(around)
}

/// Where words of this size may stand that are about a rectangle: beside it to all sides, the nearest first, and at the edges of a room.
fn places(around: Rect, room: Rect, size: Vec2) -> Vec<Pos2> {
    let middle = around.center() - size / 2.0;
    let near = OFF.iter().flat_map(|off| {
        let (left, right) = (around.left() - off - size.x, around.right() + off);
        let (above, below) = (around.top() - off - size.y, around.bottom() + off);
        [
            pos2(right, above),
            pos2(left, above),
            pos2(right, below),
            pos2(left, below),
            pos2(middle.x, above),
            pos2(middle.x, below),
            pos2(right, middle.y),
            pos2(left, middle.y),
        ]
    });
    // Of a long line most of what is around it is free: beside its middle.
    let (center, mid) = (around.center(), size / 2.0);
    let inside = OFF.iter().flat_map(|off| {
        let (x, y) = (off + mid.x, off + mid.y);
        let ways = [vec2(x, -y), vec2(-x, -y), vec2(x, y), vec2(-x, y)];
        ways.map(|way| center + way - mid)
    });
    near.chain(inside).chain(all_edges(room, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_two_stand_beside_them_before_they_stand_at_an_edge() {
        let room = Rect::from_min_size(pos2(0.0, 40.0), vec2(600.0, 400.0));
        let around = Rect::from_min_size(pos2(280.0, 200.0), vec2(40.0, 20.0));
        let size = vec2(150.0, 19.0);
        let all = places(around, room, size);
        assert!(all.len() > 8 * OFF.len() && all.len() < OF_FORM);
        for at in &all[..8 * OFF.len()] {
            let rect = Rect::from_min_size(*at, size);
            assert!(!rect.intersects(around), "{rect:?}");
        }
        let free = |taken: &[Rect]| {
            all.iter()
                .find_map(|at| clear_place(room, size, [*at], taken))
        };
        assert_eq!(
            free(&[]).map(|rect| rect.left()),
            Some(around.right() + OFF[0])
        );
        // Where everything around them is taken, at an edge.
        let far = free(&[around.expand(130.0)]).expect("a place");
        assert!(
            far.top() <= room.top() || far.left() <= room.left() || far.right() >= room.right()
        );
    }

    #[test]
    fn words_about_two_who_are_far_apart_stand_beside_the_line_between_them_and_not_on_it() {
        let room = Rect::from_min_size(pos2(0.0, 40.0), vec2(600.0, 400.0));
        let size = vec2(150.0, 19.0);
        for [a, b] in [
            [pos2(20.0, 60.0), pos2(580.0, 420.0)],
            [pos2(560.0, 50.0), pos2(40.0, 430.0)],
            [pos2(300.0, 50.0), pos2(305.0, 430.0)],
        ] {
            let around = around([a, b]);
            let all = places(around, room, size);
            assert!(all.len() < OF_FORM);
            let free = all.iter().filter_map(|at| {
                let rect = clear_place(room, size, [*at], &[])?;
                (!is_struck(rect, [a, b])).then_some(rect)
            });
            let free: Vec<Rect> = free.collect();
            assert!(!free.is_empty(), "{a} {b}");
            for rect in free {
                let mut way = (0_u8..=200).map(|part| a.lerp(b, f32::from(part) / 200.0));
                assert!(!way.any(|at| rect.contains(at)), "{a} {b}: {rect:?}");
                // Far off they have a line to the piece that is nearest.
                let about = about(rect, [a, b]);
                assert!(!about.intersects(rect) && around.expand(0.5).contains_rect(about));
            }
        }
    }
}
