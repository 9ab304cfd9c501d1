//! The ball of the query: its outline, where it is over the ground, and what the structure did to answer it.

use super::boxes::size_on_screen;
use super::ink::{Ink, Pen};
use super::picture::{Edited, Room, Stage};
use super::units::{circle, ground_at};
use skirmish::observe::space::SphereView;
use skirmish::partition::{RegionId, Role};
use skirmish::volume::{Aabb3, Vec3};
use std::collections::HashMap;
use std::f32::consts::TAU;

/// Into how many straight pieces a circle is cut.
const CORNERS: usize = 64;
/// Nodes above this depth that were left out are most of the field: their dots would say little.
const PRUNED_FROM: u16 = 4;
/// More boxes of a kind than this are not drawn.
const MOST_BOXES: usize = 240;
/// Boxes smaller than this on the screen, in points, are not drawn.
const LEAST: f32 = 5.0;
/// The dots of drop lines and of what was left out, and what is between them, in points.
const DOTS: [f32; 2] = [1.5, 3.5];

/// What a query, or an edit that is gone through, did to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Pruned,
    Visited,
    TakenWhole,
    New,
    WasSplit,
    Changed,
    Left,
    Split,
}

impl Fate {
    /// All of them, in the order in which they are drawn.
    const ALL: [Self; 8] = [
        Self::Pruned,
        Self::Visited,
        Self::TakenWhole,
        Self::New,
        Self::WasSplit,
        Self::Changed,
        Self::Left,
        Self::Split,
    ];

    const fn of(edited: Edited) -> Self {
        match edited {
            Edited::Split => Self::Split,
            Edited::WasSplit => Self::WasSplit,
            Edited::New => Self::New,
            Edited::Changed => Self::Changed,
            Edited::Left => Self::Left,
        }
    }
}

/// What is kept from frame to frame.
#[derive(Debug, Default)]
pub struct QueryPicture {
    fates: HashMap<RegionId, Fate>,
    /// What is drawn of each fate, in the order of [`Fate`].
    drawn: [Vec<Aabb3>; Fate::ALL.len()],
}

impl QueryPicture {
    /// Finds the boxes that are drawn, each of them as it lies behind the slice.
    pub fn choose(&mut self, stage: &Stage<'_>) {
        self.drawn.iter_mut().for_each(Vec::clear);
        self.fates.clear();
        let Some(query) = shown(stage) else { return };
        for (regions, fate) in [
            (&query.pruned, Fate::Pruned),
            (&query.visited, Fate::Visited),
            (&query.accepted, Fate::TakenWhole),
        ] {
            self.fates
                .extend(regions.iter().map(|region| (*region, fate)));
        }
        let edited = stage.picture.edited.iter();
        self.fates
            .extend(edited.map(|(region, edited)| (*region, Fate::of(*edited))));
        for region in stage.picture.regions {
            let Some(&fate) = self.fates.get(&region.id) else {
                continue;
            };
            let is_meant = match fate {
                Fate::Pruned => region.depth >= PRUNED_FROM,
                Fate::Visited => region.role != Role::Inner,
                Fate::TakenWhole
                | Fate::New
                | Fate::WasSplit
                | Fate::Changed
                | Fate::Left
                | Fate::Split => true,
            };
            let list = &mut self.drawn[fate as usize];
            if !is_meant || list.len() >= MOST_BOXES {
                continue;
            }
            let bounds = stage.behind_slice(region.bounds);
            list.extend(bounds.filter(|bounds| size_on_screen(stage, *bounds) >= LEAST));
        }
    }

    /// Draws the boxes that were left out, entered, taken whole and changed.
    pub fn draw_boxes(&self, ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
        let palette = stage.picture.palette;
        // Where one goes through it step by step, it is what one looks at.
        let (wider, stronger) = match stage.picture.is_told {
            true => (0.4, 0.3),
            false => (0.0, 0.0),
        };
        for fate in Fate::ALL {
            for &bounds in &self.drawn[fate as usize] {
                let fog = stage.fog_at(bounds.center());
                let pen = match fate {
                    Fate::Pruned | Fate::Left => {
                        let opacity = 0.55 + stronger - 0.3 * fog;
                        Pen::dotted(1.0 + wider, palette.text_third, opacity, DOTS)
                    }
                    Fate::Visited => {
                        Pen::solid(1.05 + wider, palette.accent, 0.50 + stronger - 0.28 * fog)
                    }
                    Fate::TakenWhole => {
                        stage.body(ink, bounds, palette.accent, 0.20, room);
                        Pen::solid(1.4, palette.accent, 0.9)
                    }
                    Fate::New => Pen::solid(1.0, palette.warning, 0.45 - 0.2 * fog),
                    Fate::WasSplit => Pen::solid(1.0, palette.warning, 0.6 - 0.2 * fog),
                    Fate::Changed => Pen::solid(1.4, palette.second, 0.9 - 0.2 * fog),
                    Fate::Split => {
                        stage.body(ink, bounds, palette.warning, 0.12, room);
                        Pen::solid(1.6, palette.warning, 0.9)
                    }
                };
                stage.edges(ink, pen, bounds);
            }
        }
    }

    /// Draws the ball's outline, over those in it.
    pub fn draw_rim(&self, ink: &mut impl Ink, stage: &Stage<'_>) {
        let Some(query) = shown(stage) else { return };
        if let Some(rim) = rim(stage.lens.origin, query.center, query.radius) {
            let mark = stage.picture.palette.mark;
            stage.ring(ink, Pen::solid(1.5, mark, 1.0), &rim);
        }
    }

    /// Draws the ball and its place over the ground.
    pub fn draw_ball(&self, ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
        let Some(query) = shown(stage) else { return };
        let (center, radius) = (query.center, query.radius);
        if !(center.is_finite() && radius.is_finite() && radius > 0.0) {
            return;
        }
        let mark = stage.picture.palette.mark;
        let foot = center.with_z(ground_at(stage, center));
        let drop = Pen::dotted(1.0, mark, 0.4, DOTS);
        let lowest = center.with_z((center.z - radius).max(foot.z));
        stage.line(ink, drop, lowest, foot);
        if let Some((at, _)) = stage.lens.project(foot) {
            ink.dot(at, 2.0, mark, 0.6);
            circle(ink, stage, at, 3.5, Pen::solid(1.0, mark, 0.4));
        }
        // Far circles of the ball are fainter than near ones.
        let toward = (stage.lens.origin - center).normalize_or_zero();
        for (axes, opacity) in [
            ([Vec3::X, Vec3::Y], 0.38),
            ([Vec3::X, Vec3::Z], 0.16),
            ([Vec3::Y, Vec3::Z], 0.16),
        ] {
            let [a, b] = axes.map(|axis| axis * radius);
            let way = |corner: usize| {
                let (sin, cos) = (corner as f32 / CORNERS as f32 * TAU).sin_cos();
                a * cos + b * sin
            };
            for corner in 0..CORNERS {
                let (from, to) = (way(corner), way(corner + 1));
                let is_behind = from.dot(toward) < 0.0;
                let opacity = if is_behind { opacity * 0.4 } else { opacity };
                let pen = Pen::solid(1.0, mark, opacity);
                stage.line(ink, pen, center + from, center + to);
            }
        }
        if let Some(rim) = rim(stage.lens.origin, center, radius) {
            stage.fill(ink, &rim, mark, 0.045, room);
        }
    }
}

/// The query, where it is shown.
pub fn shown<'a>(stage: &Stage<'a>) -> Option<&'a SphereView> {
    let picture = stage.picture;
    picture.query.filter(|_| picture.layers.query)
}

/// The circle along which a ball's outline is seen; `None` from inside of it.
pub fn rim(origin: Vec3, center: Vec3, radius: f32) -> Option<[Vec3; CORNERS]> {
    let way = center - origin;
    let distance = way.length();
    if !(distance > radius * 1.001 && radius > 0.0 && distance.is_finite()) {
        return None;
    }
    let way = way / distance;
    let sine = radius / distance;
    // It is nearer than the middle, and smaller than the ball.
    let middle = center - way * radius * sine;
    let reach = radius * (1.0 - sine * sine).sqrt();
    let (across, down) = way.any_orthonormal_pair();
    Some(std::array::from_fn(|corner| {
        let (sin, cos) = (corner as f32 / CORNERS as f32 * TAU).sin_cos();
        middle + (across * cos + down * sin) * reach
    }))
}

#[cfg(test)]
mod tests {
    use super::super::picture::Picture;
    use super::*;
    use crate::app::eye::Eye;
    use egui_macroquad::egui::{Rect, pos2};
    use skirmish::volume::Region3;

    #[test]
    fn what_an_edit_does_to_a_node_is_drawn_however_high_that_is() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        let eye = Eye::framing(field, screen);
        let root = Region3 {
            id: 0,
            bounds: field,
            depth: 0,
            load: 0,
            capacity: 4,
            role: Role::Inner,
            parent: None,
        };
        let query = SphereView {
            visited: vec![0],
            ..SphereView::default()
        };
        let drawn = |edited: &[(RegionId, Edited)]| {
            let picture = Picture {
                regions: &[root],
                query: Some(&query),
                edited,
                ..Picture::of_nobody(&eye, field)
            };
            let mut drawn = QueryPicture::default();
            drawn.choose(&Stage::new(&picture));
            Fate::ALL.map(|fate| drawn.drawn[fate as usize].len())
        };
        assert_eq!(drawn(&[]), [0; Fate::ALL.len()]);
        for edited in [
            Edited::Split,
            Edited::WasSplit,
            Edited::New,
            Edited::Changed,
            Edited::Left,
        ] {
            let is_it = |fate: Fate| usize::from(fate == Fate::of(edited));
            assert_eq!(drawn(&[(0, edited)]), Fate::ALL.map(is_it), "{edited:?}");
        }
    }

    #[test]
    fn the_rim_is_where_lines_from_the_eye_touch_the_ball() {
        let (origin, center) = (Vec3::new(9.0, -4.0, 2.0), Vec3::new(1.0, 2.0, 3.0));
        let rim = rim(origin, center, 2.5).expect("the eye is outside");
        for place in rim {
            assert!(((place - center).length() - 2.5).abs() < 1.0e-4);
            assert!((place - center).dot(place - origin).abs() < 1.0e-3);
        }
        assert!(super::rim(center, center, 2.5).is_none());
        assert!(super::rim(origin, center, f32::NAN).is_none());
    }
}
