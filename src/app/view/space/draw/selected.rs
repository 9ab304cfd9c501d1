//! Who is selected: marked over the others, and where a hand carries them.

use super::ink::{Ink, Pen};
use super::picture::Stage;
use super::units::{Placed, arrow, dot, foot, length, ring, seen, tail};
use skirmish::volume::{Aabb3, Vec3};

/// So many have a ring each, and a line to the ground: more are a carpet.
const MOST_RINGED: usize = 400;
/// So many are marked one by one; around more there is a box.
const MOST_MARKED: usize = 200_000;
/// How much longer than its arrow the rim of a unit in a crowd is, in points.
const RIM: f32 = 4.0;
/// How clear those are who are carried.
const CARRIED: f32 = 0.6;

/// Those who are selected and seen.
#[derive(Debug, Default)]
pub struct Selected {
    marked: Vec<Placed>,
    /// The same where they are carried.
    carried: Vec<Placed>,
    /// The box around all of them, where that is drawn.
    around: Option<Aabb3>,
}

impl Selected {
    /// Finds them.
    pub fn choose(&mut self, stage: &Stage<'_>) {
        self.marked.clear();
        self.carried.clear();
        self.around = None;
        let picture = stage.picture;
        let bodies = picture.bodies;
        let standing = picture.selected.iter().copied();
        let standing = standing.filter(|unit| bodies.is_alive(*unit));
        let (is_crowd, is_one) = (
            picture.selected.len() > MOST_MARKED,
            picture.selected.len() == 1,
        );
        if is_crowd || (picture.carried.is_some() && !is_one) {
            let places = standing
                .clone()
                .map(|unit| Aabb3::point(bodies.center(unit)));
            self.around = places.reduce(Aabb3::join);
        }
        if is_crowd {
            return;
        }
        let at = |way: Vec3| {
            let places = standing.clone();
            places.filter_map(move |unit| seen(stage, unit, bodies.center(unit) + way))
        };
        self.marked.extend(at(Vec3::ZERO));
        if let Some(way) = picture.carried {
            self.carried.extend(at(way));
        }
    }

    /// Draws them; `are_dots` says that units are too many to be arrows.
    pub fn draw(&self, ink: &mut impl Ink, stage: &Stage<'_>, are_dots: bool) {
        let (picture, mark) = (stage.picture, stage.picture.palette.mark);
        let is_ringed = self.marked.len() <= MOST_RINGED;
        for &placed in &self.marked {
            if is_ringed {
                ring(ink, stage, placed, (3.0, 1.6));
                foot(ink, stage, picture.bodies.center(placed.unit));
            } else if are_dots {
                ink.dot(placed.at, dot(placed), mark, 1.0);
            } else {
                let length = length(stage, placed) + RIM;
                ink.triangle(arrow(stage, placed, length), mark, 1.0);
            }
        }
        // Over all rims, or those of a crowd would hide whose they are.
        if !(is_ringed || are_dots) {
            for &placed in &self.marked {
                let length = length(stage, placed);
                let corners = arrow(stage, placed, length);
                ink.triangle(corners, picture.palette.side(placed.side), 1.0);
                tail(ink, stage, placed, corners, length);
            }
        }
        for &placed in &self.carried {
            let color = picture.palette.side(placed.side);
            if are_dots {
                ink.dot(placed.at, dot(placed), color, CARRIED);
            } else {
                let corners = arrow(stage, placed, length(stage, placed));
                ink.triangle(corners, color, CARRIED);
            }
        }
        let way = picture.carried.unwrap_or_default();
        if is_ringed && picture.carried.is_some() {
            for placed in &self.carried {
                foot(ink, stage, picture.bodies.center(placed.unit) + way);
            }
        }
        if let Some(area) = self.around {
            let area = Aabb3::new(area.min + way, area.max + way);
            stage.edges(ink, Pen::solid(1.2, mark, 0.8), area);
        }
    }
}
