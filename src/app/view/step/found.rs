//! How many a search has found by now, of how many it has tested: on a chip beside what is asked, alike for every shape that can be asked.

use super::sight::nearest_circle;
use crate::app::palette::Palette;
use crate::app::state::Stepping;
use crate::app::theme::{size, text};
use crate::app::view::chips::{ROUND, chip};
use crate::app::view::field::{
    Costly, Crowd, Disc, Look, STRADDLING, all_edges, cheapest, gap, leader, off_field, on_circle,
    on_outline, pieces, straddles,
};
use crate::app::widgets::{clear_place, looked_at, place, with_commas, words_there};
use egui_macroquad::egui::{Galley, Id, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};
use skirmish::story::{Answer, Operation, Reel};
use std::sync::Arc;

/// How many have been found by now, what these are called, and how many have been tested; nothing of what is no search for units.
fn counts(stepping: &Stepping, reel: &Reel) -> Option<(u64, &'static str, u64)> {
    let story = reel.story();
    let is_search = stepping.operation().is_some_and(|it| !it.is_edit());
    let Answer::Units(found) = &story.answer else {
        return None;
    };
    if !is_search || stepping.operation() == Some(&Operation::Rebuild) {
        return None;
    }
    // Of more events than are told, the sums are known at the end.
    if stepping.is_over() {
        return Some((found.len() as u64, "found", story.counters.tests));
    }
    let so_far = |kind: &str| {
        let track = reel.tracks().iter().find(|track| track.kind == kind);
        track.map_or(0, |track| track.count(stepping.at()) as u64)
    };
    let at = stepping.at();
    // Whoever is near so far may yet be pushed out: nobody is found before the end.
    if matches!(stepping.operation(), Some(Operation::Nearest { .. })) {
        let nearest = reel.nearest_so_far(at) as u64;
        return Some((nearest, "nearest so far", so_far("test")));
    }
    Some((so_far("hit"), "found", so_far("test")))
}

/// Where on the screen it is asked.
fn asked_at(look: &Look<'_>, operation: &Operation) -> Option<Rect> {
    let (camera, bodies) = (look.camera, look.battle.bodies());
    let around = |at, size: f32| {
        let size = size.max(20.0);
        Rect::from_center_size(camera.to_screen(at), vec2(size, size))
    };
    let rect = match operation {
        Operation::Radius { center, radius } => around(*center, 2.0 * radius * camera.zoom),
        Operation::Range(area) => camera.rect_to_screen(*area),
        Operation::Nearest { point, .. } => around(*point, 0.0),
        Operation::Segment { from, to } => {
            Rect::from_two_pos(camera.to_screen(*from), camera.to_screen(*to))
        }
        Operation::Within(figure) => camera.rect_to_screen(figure.figure().bounds()),
        Operation::Near { unit, reach } if bodies.is_alive(*unit) => {
            let body = camera.rect_to_screen(bodies.aabb(*unit));
            body.expand(reach * camera.zoom)
        }
        _ => return None,
    };
    let rect = rect.intersect(look.room);
    (rect.width() >= 0.0 && rect.height() >= 0.0).then_some(rect)
}

/// Words farther than this from what they are about, in points, have a line to it.
const APART: f32 = 40.0;

/// The line from the chip to what is asked, where it stands apart from that: to the circle of a disc, as the tag of the query has it. Gives its
/// way, piece by piece.
fn line(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (chip, about): (Rect, Rect),
    operation: &Operation,
) -> Vec<Rect> {
    if gap(chip, about) <= APART {
        return Vec::new();
    }
    let Some((center, radius)) = disc_of(look, operation) else {
        let chip = (chip, ROUND.into());
        return leader(painter, chip, about, palette.text_second);
    };
    let end = on_outline(chip, ROUND.into(), chip.clamp(center));
    let from = center + (end - center).normalized() * radius.max(2.0);
    painter.line_segment([from, end], Stroke::new(1.0, palette.text_second));
    pieces(from, end).collect()
}

/// The circle to which the line leads, where what is asked has one.
fn disc_of(look: &Look<'_>, operation: &Operation) -> Option<Disc> {
    let (center, radius) = match operation {
        Operation::Radius { center, radius } => (*center, radius * look.camera.zoom),
        Operation::Nearest { point, .. } => (*point, AROUND_POINT),
        _ => return None,
    };
    Some((look.camera.to_screen(center), radius))
}

/// What it costs that the line from a chip to the middle of a circle goes along an axis: the boxes of regions do as well, and it would be taken
/// for the edge of one.
fn along_axis(chip: Rect, about: Rect, center: Pos2) -> usize {
    const LIKE_EDGE: usize = 8;
    let is_along = chip.x_range().contains(center.x) || chip.y_range().contains(center.y);
    if is_along && gap(chip, about) > APART {
        LIKE_EDGE
    } else {
        0
    }
}

/// How large the circle around a point is to which the nearest are asked, with what is left free around it, in points.
const AROUND_POINT: f32 = 8.0;

/// Draws the chip where it hides the least, off what is `taken`, and the line to it; gives where they lie.
pub fn found(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (stepping, reel, crowd): (&Stepping, &Reel, &Crowd),
    taken: &[Rect],
) -> Vec<Rect> {
    let Some((words, rect, about)) = laid(painter, look, palette, (stepping, reel, crowd), taken)
    else {
        return Vec::new();
    };
    let operation = stepping.operation();
    let mut lies = operation.map_or(Vec::new(), |operation| {
        line(painter, look, palette, (rect, about), operation)
    });
    chip(painter, palette, rect);
    place(painter.ctx(), "step.found", rect);
    painter.galley(rect.min + vec2(8.0, 4.0), words, palette.text);
    lies.push(rect);
    lies
}

/// Its words, where it lies, and where what they are about does.
fn laid(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (stepping, reel, crowd): (&Stepping, &Reel, &Crowd),
    taken: &[Rect],
) -> Option<(Arc<Galley>, Rect, Rect)> {
    let (hits, called, tests) = counts(stepping, reel)?;
    let operation = stepping.operation()?;
    let about = asked_at(look, operation)?;
    let center = disc_of(look, operation).map(|(center, _)| center);
    let circle = nearest_circle(look, stepping)
        .map(|(point, reach)| (look.camera.to_screen(point), reach * look.camera.zoom))
        .filter(|(_, radius)| radius.is_finite());
    let (hits, tests) = (with_commas(hits), with_commas(tests));
    // In two lines where units leave room for these alone.
    let forms = [", ", ",\n"].map(|between| {
        let words = format!("{hits} {called}{between}{tests} tested");
        painter.layout_no_wrap(words, text(size::SECOND), palette.text)
    });
    let taken: Vec<Rect> = [look.taken, taken].concat();
    let looked_at = looked_at(painter.ctx());
    let names = words_there(painter.ctx());
    let (crowd, others) = ((crowd, &names[..]), (&taken[..], &looked_at[..]));
    let [one, two] = forms.each_ref().map(|words| {
        let size = words.size() + SPACE;
        move || places_of(look, (about, (center, circle), size), crowd, others)
    });
    let (ctx, id) = (painter.ctx(), Id::new("how many were found"));
    let pass = ctx.cumulative_pass_nr();
    let before: Option<(bool, u64)> = ctx.data(|data| data.get_temp(id));
    let were_two = before.is_some_and(|(were_two, at)| were_two && pass - at <= 2);
    let (are_two, rect) = in_lines(one, two, were_two)?;
    ctx.data_mut(|data| data.insert_temp(id, (are_two, pass)));
    let [one, two] = forms;
    Some((if are_two { two } else { one }, rect, about))
}

/// Whether words stand in two lines, and where: where that is so much better than in `one`, or where they stand so already, as long as it is a
/// little better, for they are not to change with every step. The places of two lines are looked for where one has none that is good enough.
fn in_lines(
    one: impl FnOnce() -> Vec<Costly>,
    two: impl FnOnce() -> Vec<Costly>,
    were_two: bool,
) -> Option<(bool, Rect)> {
    /// What it costs that they stand in two lines, and that they still do.
    const IN_TWO_LINES: usize = 12;
    const STILL: usize = 4;
    let worse = if were_two { STILL } else { IN_TWO_LINES };
    let one = one();
    if one.iter().any(|(.., cost)| *cost <= (0, worse)) {
        return cheapest(&one).map(|(_, rect)| (false, rect));
    }
    let best = |places: &[Costly]| places.iter().map(|(.., cost)| *cost).min();
    let two = two();
    let of_two = best(&two).map(|(seen, cost)| (seen, cost + worse));
    let are_two = match best(&one) {
        Some(of_one) => of_two.is_some_and(|of_two| of_two < of_one),
        None => true,
    };
    let places = if are_two { two } else { one };
    cheapest(&places).map(|(_, rect)| (are_two, rect))
}

/// Around its words, in points.
const SPACE: Vec2 = vec2(16.0, 8.0);

/// What it costs that a chip lies partly on units whose middles are beside it, as long as these are a few.
fn touched(crowd: &Crowd, chip: Rect) -> usize {
    /// Whoever stands so near is drawn partly below it, in points.
    const EDGE: f32 = 6.0;
    const SOME: usize = 4;
    (crowd.within(chip.expand(EDGE)) - crowd.within(chip)).min(SOME)
}

/// Where a chip of this size stands right off a circle: above it and below it first, then beside it.
fn off_circle((center, radius): Disc, size: Vec2, off: f32) -> [Pos2; 8] {
    let circle = Rect::from_center_size(center, Vec2::splat(2.0 * radius));
    let (above, below) = (circle.top() - size.y - off, circle.bottom() + off);
    let (before, behind) = (circle.left() - size.x - off, circle.right() + off);
    let (middle, right) = (center - size / 2.0, circle.right() - size.x);
    [
        pos2(circle.left(), below),
        pos2(circle.left(), above),
        pos2(right, below),
        pos2(right, above),
        pos2(middle.x, below),
        pos2(middle.x, above),
        pos2(behind, middle.y),
        pos2(before, middle.y),
    ]
}

/// Where a chip of this size may lie that is about what is asked there, with the `center` of its circle where it has one and the circle of the
/// nearest so far, off what is `taken`, and what each place costs.
fn places_of(
    look: &Look<'_>,
    (about, (center, circle), size): (Rect, (Option<Pos2>, Option<Disc>), Vec2),
    (crowd, names): (&Crowd, &[Rect]),
    (taken, looked_at): (&[Rect], &[Rect]),
) -> Vec<Costly> {
    /// Between it and what is asked, in points.
    const OFF: f32 = 6.0;
    /// Whoever is asked about is worth as much as so many others, and it leaves what is asked for where that spares so many.
    const ASKED: usize = 2;
    const FAR: usize = 4;
    /// The name of somebody, which is read, is worth as much as so many who have none.
    const NAME: usize = 4;
    let (above, below) = (about.top() - size.y - OFF, about.bottom() + OFF);
    let (before, behind) = (about.left() - size.x - OFF, about.right() + OFF);
    let (left, right) = (about.left(), about.right() - size.x);
    let middle = about.center().y - size.y / 2.0;
    let places = [
        (left, below),
        (left, above),
        (right, below),
        (right, above),
        (behind, middle),
        (before, middle),
        // What fills the field has room inside alone.
        (left + OFF, about.bottom() - size.y - OFF),
        (left + OFF, about.top() + OFF),
    ];
    let room = look.room.shrink(4.0);
    let near = places.map(|(x, y)| pos2(x, y)).into_iter();
    let near = (0..).zip(near).map(|(at, corner)| (at, corner, 0));
    // In a narrow window the units stand all around what is asked: then at the edges, where it is read as well.
    let border = look.camera.rect_to_screen(look.field);
    let seen = Some(border.intersect(room).shrink(OFF)).filter(|seen| seen.is_positive());
    let edges = all_edges(room, size).into_iter();
    let edges = edges.chain(seen.into_iter().flat_map(|seen| all_edges(seen, size)));
    let edges = edges.chain(off_field(border, about, size));
    // And a little aside of being level with it, from where the line leans.
    let aside = about.expand2(vec2(size.x, 1.5 * size.y));
    let edges = edges.chain(off_field(border, aside, size));
    // The circle of the nearest so far is what one looks at as well, and right off it may be room.
    let around = circle
        .into_iter()
        .flat_map(|circle| off_circle(circle, size, OFF));
    let far = (10..).zip(edges.chain(around));
    let far = far.map(|(at, corner)| (at, corner, FAR));
    let costs = near.chain(far).filter_map(|(at, corner, more)| {
        let rect = clear_place(room, size, [corner], taken)?;
        let (seen, cost) = crowd.costs(rect, about, looked_at);
        let asked = ASKED * crowd.within(rect.intersect(about));
        // As other words it keeps off the border of the field.
        let straddling = if straddles(rect, border) {
            STRADDLING
        } else {
            0
        };
        let along = center.map_or(0, |center| along_axis(rect, about, center));
        let on_names = names.iter().filter(|name| name.intersects(rect));
        let units = NAME * on_names.count() + touched(crowd, rect);
        let on_line = circle.map_or(0, |circle| on_circle(rect, circle));
        let cost = cost + asked + straddling + along + units + on_line + more;
        Some((at, rect, (seen, cost)))
    });
    costs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_to_a_circle_leans_where_there_is_room_for_that() {
        let center = pos2(300.0, 200.0);
        let about = Rect::from_center_size(center, vec2(28.0, 28.0));
        let size = vec2(110.0, 24.0);
        let chip = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), size);
        let cost = |chip: Rect| along_axis(chip, about, center);
        assert!(cost(chip(440.0, 188.0)) > 0 && cost(chip(250.0, 300.0)) > 0);
        assert_eq!(cost(chip(440.0, 150.0)), 0);
        // Right beside it no line leads there.
        assert_eq!(cost(chip(330.0, 188.0)), 0);
        // Beside the field there are such places on each of its sides.
        let field = Rect::from_center_size(center, vec2(240.0, 160.0));
        let aside = about.expand2(vec2(size.x, 1.5 * size.y));
        let places = off_field(field, aside, size).map(|at| Rect::from_min_size(at, size));
        let leaning: Vec<Rect> = places.filter(|it| cost(*it) == 0).collect();
        assert_eq!(leaning.len(), 8);
    }

    #[test]
    fn right_off_the_circle_of_the_nearest_so_far_a_chip_lies_on_none_of_it() {
        let (center, radius) = (pos2(300.0, 200.0), 70.0);
        let size = vec2(104.0, 38.0);
        let places = off_circle((center, radius), size, 6.0);
        for corner in places {
            let chip = Rect::from_min_size(corner, size);
            assert_eq!(on_circle(chip, (center, radius)), 0, "{chip:?}");
            assert!(
                chip.distance_to_pos(center) < radius + 6.0 + 40.0,
                "{chip:?}"
            );
        }
        // On its left lower quarter it would hide what it tells of.
        let chip = Rect::from_min_size(pos2(210.0, 220.0), size);
        assert!(on_circle(chip, (center, radius)) > 0);
    }

    #[test]
    fn words_stand_in_two_lines_where_that_spares_many_and_do_not_change_with_every_step() {
        let place = |cost| {
            let rect = Rect::from_min_size(Pos2::ZERO, vec2(9.0, 9.0));
            vec![(0, rect, cost)]
        };
        let lines = |one, two, were_two| {
            let found = in_lines(|| place((0, one)), || place((0, two)), were_two);
            found.map_or(0, |(are_two, _)| 1 + usize::from(are_two))
        };
        // Whom one line hides is worth a second one where these are many.
        assert_eq!((lines(30, 5, false), lines(30, 25, false)), (2, 1));
        // As they stand they stay for a little less.
        assert_eq!((lines(14, 5, false), lines(14, 5, true)), (1, 2));
        assert_eq!((lines(14, 12, true), lines(4, 0, true)), (1, 1));
        // Where one line is good enough nobody looks for places of two.
        for cost in 0..=12 {
            let one = in_lines(|| place((0, cost)), || panic!("{cost}"), false);
            assert_eq!(one.map(|(are_two, _)| are_two), Some(false));
        }
        // What one looks at counts before all units, and what has one place alone has that.
        let seen = in_lines(|| place((1, 0)), || place((0, 90)), false);
        assert_eq!(seen.map(|(are_two, _)| are_two), Some(true));
        let none = |one, two| in_lines(|| one, || two, false).map(|(are_two, _)| are_two);
        assert_eq!(none(Vec::new(), place((0, 0))), Some(true));
        assert_eq!(none(place((0, 90)), Vec::new()), Some(false));
        assert_eq!(none(Vec::new(), Vec::new()), None);
    }
}
