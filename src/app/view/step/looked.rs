//! While a cell has its turn: the neighbours that have looked at it before, at which it need not look back.

use crate::app::palette::{Palette, faded};
use crate::app::view::field::Look;
use crate::app::view::marks::{dashed_rect, label_at_one_of, label_size};
use egui_macroquad::egui::{Painter, Rect, Stroke, pos2};
use skirmish::story::{Outline, Reel, Step};

/// What is said of them, as where the field explains a grid.
const WORDS: &str = "done before";

/// Narrower cells, in points, are not told apart by dashes.
const LEAST: f32 = 24.0;

/// So far a unit reaches around its middle, in points.
const UNIT: f32 = 12.0;

/// More of them than this are no neighbours that could be looked at one by one.
const MOST: usize = 24;

/// Draws dashes around each of them, and words where they have room; `taken` is where words stand already.
pub fn looked_here(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (reel, now): (&Reel, &Step),
    taken: &[Rect],
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
    for place in looked.iter().filter_map(|it| story.before.place(*it)) {
        let Outline::Rect(area) = place.outline else {
            continue;
        };
        let rect = look.camera.rect_to_screen(area);
        if rect.width().min(rect.height()) < LEAST {
            continue;
        }
        dashed_rect(painter, rect.shrink(3.0), line, 4.0, 4.0);
        let inside = rect.shrink(6.0).intersect(look.room);
        if inside.width() < words.x || inside.height() < 3.0 * words.y {
            continue;
        }
        let (left, right) = (inside.left(), inside.right() - words.x);
        let (upper, lower) = (inside.top() + words.y, inside.bottom());
        let places = [(left, lower), (right, lower), (left, upper), (right, upper)];
        let places = places.map(|(x, y)| pos2(x, y));
        // Off those who stand there, as long as they leave a corner.
        let bodies = place
            .tight()
            .map(|tight| look.camera.rect_to_screen(tight).expand(UNIT));
        let count = taken.len();
        taken.extend(bodies);
        let is_said = label_at_one_of(painter, palette, places, WORDS, &mut taken).is_some();
        if bodies.is_some() {
            taken.remove(count);
        }
        if !is_said {
            label_at_one_of(painter, palette, places, WORDS, &mut taken);
        }
    }
}
