//! While a cell has its turn: the neighbours that have looked at it before, at which it need not look back.

use crate::app::palette::{Palette, faded};
use crate::app::view::field::{Crowd, Look};
use crate::app::view::marks::{dashed_rect, label_at_one_of, label_size};
use egui_macroquad::egui::{Painter, Pos2, Rect, Stroke, Vec2, vec2};
use skirmish::partition::{Bodies, UnitId};
use skirmish::story::{Outline, Place, Reel, Step};

/// What is said of them, as where the field explains a grid.
const WORDS: &str = "done before";

/// Narrower cells, in points, are not told apart by dashes.
const LEAST: f32 = 24.0;

/// So far a unit reaches around its middle, in points, and so far at the least: there it would be hidden.
const UNIT: [f32; 2] = [12.0, 5.0];

/// So far off the side of a body, in points, words do not touch the line around it.
const BODY: f32 = 2.0;

/// More of them than this are no neighbours that could be looked at one by one.
const MOST: usize = 24;

/// Draws dashes around each of them, and words where they have room and hide nobody; `taken` is where words stand already.
pub fn looked_here(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (reel, now): (&Reel, &Step),
    (taken, crowd): (&[Rect], &Crowd),
) {
    let story = reel.story();
    let turn = now.turn.map(|turn| &story.places[turn]);
    let looked = turn.and_then(|turn| story.looked.get(&turn.region));
    let Some(looked) = looked.filter(|looked| looked.len() <= MOST) else {
        return;
    };
    let mut taken: Vec<Rect> = [look.taken, taken].concat();
    let line = Stroke::new(1.0, faded(palette.text_third, 0.8));
    let words = label_size(painter, WORDS);
    let places = || looked.iter().filter_map(|it| story.before.place(*it));
    let cells = places().chain(turn).map(Place::units);
    let reach = reach_of(cells, look.battle.bodies()) * look.camera.zoom;
    let offs = UNIT.map(|off| off.max(reach + BODY));
    for place in places() {
        let Outline::Rect(area) = place.outline else {
            continue;
        };
        let rect = look.camera.rect_to_screen(area);
        if rect.width().min(rect.height()) < LEAST {
            continue;
        }
        dashed_rect(painter, rect.shrink(3.0), line, 4.0, 4.0);
        // Right inside of the dashes.
        let inside = rect.shrink(4.0).intersect(look.room);
        if inside.width() < words.x || inside.height() < 3.0 * words.y {
            continue;
        }
        let places = offs
            .iter()
            .flat_map(|off| clear(inside, words, crowd, *off));
        label_at_one_of(painter, palette, places, WORDS, &mut taken);
    }
}

/// How far the largest body in some cells reaches around its middle, in metres; points reach nowhere.
fn reach_of<'p>(cells: impl Iterator<Item = &'p [UnitId]>, bodies: Bodies<'_>) -> f32 {
    /// Among more in one cell there is no room for words.
    const SOME: usize = 64;
    if !bodies.are_sized() {
        return 0.0;
    }
    let units = cells.flat_map(|units| units.iter().take(SOME));
    let standing = units.filter(|unit| bodies.is_alive(**unit));
    let sides = standing.map(|unit| bodies.half_extent(*unit).max_element());
    sides.fold(0.0, f32::max)
}

/// Where in a cell words of this size stand, by their lower left corners: at the cell's own corners before its middle, and so far off each unit.
fn clear(inside: Rect, words: Vec2, crowd: &Crowd, off: f32) -> impl Iterator<Item = Pos2> {
    let spare = inside.size() - words;
    let parts = [1.0, 0.0, 0.5].into_iter();
    let places = parts.flat_map(|y| [0.0, 1.0, 0.5].map(|x| vec2(x, y)));
    let corners = places.map(move |part| inside.min + spare * part);
    let is_clear = move |at: &Pos2| {
        let words = Rect::from_min_size(*at, words);
        crowd.within(words.expand(off)) == 0
    };
    let clear = corners.filter(is_clear);
    clear.map(move |at| at + vec2(0.0, words.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::pos2;
    use skirmish::geometry;

    #[test]
    fn words_in_a_cell_are_off_whoever_stands_there_or_nowhere() {
        let inside = Rect::from_min_size(pos2(10.0, 10.0), vec2(100.0, 80.0));
        let words = vec2(60.0, 14.0);
        let places = |units: &[Pos2]| -> Vec<Pos2> {
            clear(inside, words, &Crowd::at(units.to_vec()), 5.0).collect()
        };
        assert_eq!(places(&[])[..2], [pos2(10.0, 90.0), pos2(50.0, 90.0)]);
        // Between two at the foot there is room; where one is in its middle the head of the cell is free.
        let some = places(&[pos2(20.0, 80.0), pos2(100.0, 80.0)]);
        assert_eq!(some[0], pos2(30.0, 90.0));
        assert_eq!(places(&[pos2(60.0, 80.0)])[0], pos2(10.0, 24.0));
        let all = [20.0, 50.0, 80.0].map(|y| pos2(60.0, y));
        assert!(places(&all).is_empty());
    }

    #[test]
    fn words_in_a_cell_are_as_far_off_as_the_largest_body_in_these_cells_reaches() {
        let centers = [1.0, 5.0, 9.0].map(geometry::Vec2::splat);
        let halves = [(0.5, 0.5), (0.5, 3.0), (8.0, 8.0)].map(geometry::Vec2::from);
        let reach = |bodies: Bodies<'_>| reach_of([&[0][..], &[1]].into_iter(), bodies);
        assert_eq!(
            reach(Bodies {
                half_extents: &halves,
                ..Bodies::points(&centers)
            }),
            3.0
        );
        assert_eq!(reach(Bodies::points(&centers)), 0.0);
    }
}
