//! The words about two whom a step in space compares, beside the line between them.

use crate::app::eye::Eye;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::view::field::{Crowd, all_edges, cheapest, leader};
use crate::app::view::step::words_of_two;
use crate::app::widgets::{clear_place, look_at, looked_at, place};
use egui_macroquad::egui::{CornerRadius, Galley, Pos2, Rect, Ui, Vec2, pos2, vec2};
use skirmish::partition::Pair;
use skirmish::story::Concerned;
use skirmish::story::space::apart;
use std::sync::Arc;

/// How far off the two it may stand, in points.
const OFF: [f32; 4] = [10.0, 26.0, 52.0, 96.0];
/// So many places a form may have at the most, and shorter words are worth it where they hide so many fewer.
const OF_FORM: usize = 1000;
const SHORTER: usize = 3;

/// Who is compared at a step, with how far they are from each other and what is seen by that, as it is said on a plane: in sight, off what is
/// `taken`, and where it hides the fewest. Gives where it and the line to it lie.
pub fn compared(ui: &Ui, app: &App, eye: &Eye, palette: &Palette, taken: &[Rect]) -> Vec<Rect> {
    let found = around(app, eye).zip(words(app));
    let Some((around, (words, short))) = found else {
        return Vec::new();
    };
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    let lay_out = |words: String| painter.layout_no_wrap(words, text(size::SECOND), palette.panel);
    let forms = std::iter::once(words).chain(short).map(lay_out);
    let forms: Vec<Arc<Galley>> = forms.collect();
    let (room, crowd) = (app.free_field().shrink(8.0), Crowd::in_view(app, &[]));
    let looked_at = looked_at(ui.ctx());
    let extent = |galley: &Galley| galley.size() + vec2(12.0, 4.0);
    let each = (0..).zip(&forms).flat_map(|(form, galley)| {
        let corners = places(around, room, extent(galley)).into_iter();
        let costs = corners.enumerate().filter_map(|(number, at)| {
            let rect = clear_place(room, extent(galley), [at], taken)?;
            // It would be struck through by the line between them.
            if rect.intersects(around) {
                return None;
            }
            let (seen, cost) = crowd.costs(rect, around, &looked_at);
            Some((OF_FORM * form + number, rect, (seen, cost + SHORTER * form)))
        });
        costs.collect::<Vec<_>>()
    });
    let each: Vec<_> = each.collect();
    // A step looks the same from whichever side one comes to it.
    let Some((number, rect)) = cheapest(&each) else {
        return Vec::new();
    };
    let mut lies = leader(&painter, rect, around, palette.text);
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

/// What is seen of the two who are compared and of what is between them; nothing where one of them stands no more, is cut away, or is not in
/// sight.
fn around(app: &App, eye: &Eye) -> Option<Rect> {
    /// Around the middle of each, in points.
    const AROUND: f32 = 6.0;
    let stepping = app.stepping.as_ref().filter(|it| !it.is_waiting())?;
    let bodies = app.flight.as_ref()?.bodies();
    let Concerned::Two(a, b) = stepping.now()?.units else {
        return None;
    };
    let shown = app.space.shown();
    let seen = |unit| -> Option<Pos2> {
        let center = bodies.is_alive(unit).then(|| bodies.center(unit))?;
        let is_shown = shown.distance_sq(center) <= 0.0;
        let (at, _) = eye.project(center).filter(|_| is_shown)?;
        app.free_field().contains(at).then_some(at)
    };
    Some(Rect::from_two_pos(seen(a)?, seen(b)?).expand(AROUND))
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
    near.chain(all_edges(room, size)).collect()
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
}
