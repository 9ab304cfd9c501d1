//! What a picture of a volume is made of, and what every part of it asks: where things are, how far, and whether they are seen.

use super::clip;
use super::ink::{Ink, Pen};
use crate::app::eye::{Eye, Lens, Slice, corners, face};
use crate::app::palette::Palette;
use egui_macroquad::egui::{Color32, Pos2, Rect};
use skirmish::observe::space::SphereView;
use skirmish::partition::{RegionId, UnitId};
use skirmish::scene::Side;
use skirmish::volume::{Aabb3, Bodies3, Region3, Vec3};
use std::ops::RangeInclusive;

/// How high the ground is at a place seen from above, in metres.
pub type Ground<'a> = &'a (dyn Fn(f32, f32) -> f32 + Sync);

/// Everything that is drawn.
pub struct Picture<'a> {
    /// From where.
    pub eye: &'a Eye,
    /// In which colours.
    pub palette: &'a Palette,
    /// The field, in metres; its lowest side is the ground where there are no hills.
    pub field: Aabb3,
    /// The units.
    pub bodies: Bodies3<'a>,
    /// Which way each flies, by unit; who has none looks to the field's other side.
    pub velocities: &'a [Vec3],
    /// Whose each is, by unit.
    pub sides: &'a [Side],
    /// The regions of the structure, parents before children.
    pub regions: &'a [Region3],
    /// What the query under the pointer did; `None` where none is shown.
    pub query: Option<&'a SphereView>,
    /// Where something is asked or changes, while an operation that has such a place is gone through.
    pub asked: Option<Asked>,
    /// What an edit or a build that is gone through has done to regions so far.
    pub edited: &'a [(RegionId, Edited)],
    /// Who is among the nearest so far, while a search for them is gone through.
    pub nearest: &'a [UnitId],
    /// Where the volume is cut open.
    pub slice: Option<Slice>,
    /// Regions at other depths are not outlined; cells, which have no depth, always are.
    pub depths: RangeInclusive<u16>,
    /// What is drawn at all.
    pub layers: Layers3,
    /// Whether an operation is gone through: what has happened of it stands out, and all other boxes are faint.
    pub is_told: bool,
    /// The hills; `None` where the ground is level.
    pub ground: Option<Ground<'a>>,
    /// The unit under the pointer.
    pub hovered: Option<UnitId>,
    /// The units that are selected.
    pub selected: &'a [UnitId],
    /// By which way they are carried, while they are.
    pub carried: Option<Vec3>,
    /// Two who are compared with each other just now.
    pub met: Option<[UnitId; 2]>,
    /// The region under the pointer.
    pub hovered_region: Option<Aabb3>,
    /// The region whose turn it is to look at others, while another one is looked at.
    pub turn: Option<Aabb3>,
    /// The region that was clicked in the tree.
    pub marked: Option<Aabb3>,
    /// The region that is pointed at in the tree.
    pub pointed: Option<Aabb3>,
    /// Where the structure changed a moment ago.
    pub flashes: &'a [Flash],
}

/// What of a volume is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers3 {
    /// The units, and their feet on the ground.
    pub units: bool,
    /// The outlines of leaves and cells.
    pub boxes: bool,
    /// How full the leaves are that a slice cuts.
    pub load: bool,
    /// What the query found and did.
    pub query: bool,
}

/// Where something is asked, or a unit comes, goes or moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// Whoever is nearest to this place is looked for.
    Nearest(Vec3),
    /// A unit comes here.
    Comes(Vec3),
    /// The unit that stands here goes.
    Goes(Vec3),
    /// The unit that stands at the first place moves to the second.
    Moves(Vec3, Vec3),
}

/// What an edit or a build did to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// It is split just now.
    Split,
    /// It was split before.
    WasSplit,
    /// It is a part of what is split now or was before, and new.
    New,
    /// It took back what was below it, or its box was computed again.
    Changed,
    /// The way up leads on from it.
    Left,
}

/// Where a node was split, or merged, a moment ago.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flash {
    /// The node.
    pub bounds: Aabb3,
    /// Whether it was split.
    pub is_split: bool,
    /// How much of the flash is over, from 0 to 1.
    pub age: f32,
}

/// How much was drawn, and what was not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Painted {
    /// Units on the screen.
    pub units: usize,
    /// Units alive, seen or not.
    pub units_alive: usize,
    /// Units that are not drawn because they lie before the slice.
    pub units_hidden: usize,
    /// Leaves and cells that are outlined.
    pub boxes: usize,
    /// Those that are not, because there are too many.
    pub boxes_left_out: usize,
}

/// A picture with all that follows from where the eye is.
pub struct Stage<'a> {
    pub picture: &'a Picture<'a>,
    pub lens: Lens,
    pub screen: Rect,
    /// What of the field is drawn.
    pub drawn: Aabb3,
    /// The distance at which things are clearest, and that at which they are faintest, in metres.
    clear: f32,
    faint: f32,
}

impl<'a> Stage<'a> {
    pub fn new(picture: &'a Picture<'a>) -> Self {
        let lens = picture.eye.lens();
        let behind = |slice: Slice| slice.behind(lens.origin, picture.field);
        let cut = picture.slice.map(behind).filter(|area| !area.is_empty());
        let drawn = cut.unwrap_or(picture.field);
        let depths = corners(drawn).map(|corner| lens.view(corner).z);
        let clear = depths.into_iter().fold(f32::INFINITY, f32::min);
        let faint = depths.into_iter().fold(lens.near, f32::max);
        Self {
            picture,
            lens,
            screen: picture.eye.screen,
            drawn,
            clear: clear.max(lens.near).min(faint),
            faint,
        }
    }

    /// How deep in the fog something at this distance before the eye is: 0 is near, 1 is far.
    #[inline]
    pub fn fog(&self, depth: f32) -> f32 {
        let span = (self.faint - self.clear).max(f32::MIN_POSITIVE);
        ((depth - self.clear) / span).clamp(0.0, 1.0)
    }

    /// The same of a place.
    #[inline]
    pub fn fog_at(&self, place: Vec3) -> f32 {
        self.fog(self.lens.view(place).z)
    }

    /// Whether a place lies before the slice.
    #[inline]
    pub fn hides(&self, place: Vec3) -> bool {
        let slice = self.picture.slice;
        slice.is_some_and(|slice| slice.hides(self.lens.origin, place))
    }

    /// What of a box lies behind the slice; `None` where nothing does.
    #[inline]
    pub fn behind_slice(&self, area: Aabb3) -> Option<Aabb3> {
        let Some(slice) = self.picture.slice else {
            return Some(area);
        };
        let area = slice.behind(self.lens.origin, area);
        (!area.is_empty()).then_some(area)
    }

    /// Draws a straight way.
    #[inline]
    pub fn line(&self, ink: &mut impl Ink, pen: Pen, from: Vec3, to: Vec3) {
        if let Some((from, to)) = self.lens.line(from, to) {
            pen.draw(ink, self.screen, from, to);
        }
    }

    /// Draws a closed way through these places.
    pub fn ring(&self, ink: &mut impl Ink, pen: Pen, places: &[Vec3]) {
        let Some(last) = places.last() else { return };
        let mut before = *last;
        for &place in places {
            self.line(ink, pen, before, place);
            before = place;
        }
    }

    /// Fills a flat convex shape; `room` is room to work in.
    pub fn fill(
        &self,
        ink: &mut impl Ink,
        shape: &[Vec3],
        color: Color32,
        opacity: f32,
        room: &mut Room,
    ) {
        self.lens.polygon(shape, &mut room.shape);
        clip::polygon(self.screen, &mut room.shape, &mut room.spare);
        if room.shape.len() > 2 {
            ink.shape(&room.shape, color, opacity);
        }
    }

    /// Draws the twelve edges of a box.
    pub fn edges(&self, ink: &mut impl Ink, pen: Pen, area: Aabb3) {
        self.edges_but(ink, pen, area, None);
    }

    /// Draws the nine edges of a box that its own faces do not hide.
    pub fn seen_edges(&self, ink: &mut impl Ink, pen: Pen, area: Aabb3) {
        // The hidden ones meet in the corner that is the farthest from the eye.
        let middle = area.center();
        let hidden = (0..3).fold(0, |corner, axis| {
            corner | usize::from(self.lens.origin[axis] < middle[axis]) << axis
        });
        self.edges_but(ink, pen, area, Some(hidden));
    }

    /// Draws the edges of a box but for those that meet in a corner.
    #[inline]
    fn edges_but(&self, ink: &mut impl Ink, pen: Pen, area: Aabb3, corner: Option<usize>) {
        let edges = EDGES
            .into_iter()
            .filter(|(from, to)| corner != Some(*from) && corner != Some(*to));
        if let Some(seen) = self.lens.corners(area) {
            for (from, to) in edges {
                pen.draw(ink, self.screen, seen[from], seen[to]);
            }
        } else {
            let ends = corners(area);
            for (from, to) in edges {
                self.line(ink, pen, ends[from], ends[to]);
            }
        }
    }

    /// Whether the eye sees the outer side of a box's face: that at the upper or at the lower end of an axis.
    pub fn faces_eye(&self, area: Aabb3, axis: usize, end: usize) -> bool {
        let origin = self.lens.origin[axis];
        if end == 1 {
            origin > area.max[axis]
        } else {
            origin < area.min[axis]
        }
    }

    /// Fills what is seen of a box: the faces whose outer sides the eye sees, which do not cover each other.
    pub fn body(
        &self,
        ink: &mut impl Ink,
        area: Aabb3,
        color: Color32,
        opacity: f32,
        room: &mut Room,
    ) {
        for axis in 0..3 {
            for end in 0..2 {
                if self.faces_eye(area, axis, end) {
                    self.fill(ink, &face(area, axis, end), color, opacity, room);
                }
            }
        }
    }
}

/// Room to cut shapes in, kept from frame to frame.
#[derive(Debug, Default)]
pub struct Room {
    shape: Vec<Pos2>,
    spare: Vec<Pos2>,
}

/// The edges of a box, each as the numbers of its two [corners].
pub const EDGES: [(usize, usize); 12] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
];

impl<'a> Picture<'a> {
    /// A field with nobody in it, of which an operation is told: what is asked of a picture that is not drawn is asked of this with more in it.
    pub fn of_nobody(eye: &'a Eye, field: Aabb3) -> Self {
        Self {
            eye,
            palette: &Palette::DARK,
            field,
            bodies: Bodies3::points(&[]),
            velocities: &[],
            sides: &[],
            regions: &[],
            query: None,
            asked: None,
            edited: &[],
            nearest: &[],
            slice: None,
            depths: 0..=u16::MAX,
            layers: Layers3 {
                units: true,
                boxes: true,
                load: false,
                query: true,
            },
            is_told: true,
            ground: None,
            hovered: None,
            met: None,
            turn: None,
            marked: None,
            pointed: None,
            selected: &[],
            carried: None,
            hovered_region: None,
            flashes: &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area() -> Aabb3 {
        Aabb3::new(Vec3::ZERO, Vec3::new(2.0, 3.0, 4.0))
    }

    #[test]
    fn a_box_has_twelve_edges_along_the_axes() {
        let ends = corners(area());
        let lengths: Vec<f32> = EDGES
            .iter()
            .map(|(a, b)| (ends[*b] - ends[*a]).length())
            .collect();
        assert_eq!(lengths.len(), 12);
        for side in [2.0, 3.0, 4.0] {
            assert_eq!(lengths.iter().filter(|length| **length == side).count(), 4);
        }
    }
}
