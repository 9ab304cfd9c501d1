//! The structure: its leaves as boxes in the fog, its cut through a slice, the border of the field, and flashes where it changed.

use super::ink::{Ink, Pen};
use super::order::FarFirst;
use super::picture::{EDGES, Room, Stage};
use crate::app::eye::{Slice, corners};
use crate::app::palette::Palette;
use egui_macroquad::egui::{Color32, Rangef};
use skirmish::partition::Role;
use skirmish::volume::{Aabb3, Region3};

/// At most so many boxes are drawn: the largest on the screen. The rest of a crowd's is a carpet.
const MOST_BOXES: usize = 10_000;
/// Line widths by depth, in points, as in a battle.
const WIDTHS: [f32; 8] = [2.2, 1.9, 1.6, 1.35, 1.15, 1.0, 0.85, 0.75];
/// Line opacities by depth, as in a battle.
const OPACITIES: [f32; 8] = [0.95, 0.92, 0.88, 0.80, 0.70, 0.60, 0.52, 0.46];
/// A line in space is so much narrower than on a plane: there are more of them, and behind each other.
const NARROWER: f32 = 0.8;
/// The opacity of the lines in space at depth 0 and at depth 7, before the fog.
const IN_SPACE: (f32, f32) = (0.40, 0.20);
/// On a light ground pale lines are lost sooner: there they are so much stronger.
const ON_LIGHT: f32 = 1.8;
/// No box in the fog is fainter than this.
const FAINTEST: f32 = 0.035;
/// A cut is drawn at this part of its opacity in a battle.
const CUT: f32 = 0.54;
/// Below this width in points a box fades.
const FADE_BELOW: f32 = 12.0;
/// Below this width it is not drawn.
const LEAST: f32 = 3.0;
/// Of a box smaller than this on the screen, in points, the edges at its back are not drawn: they would lie on those at its front.
const SEEN_THROUGH: f32 = 30.0;
/// For cells, which have no capacity: so many units are a full cell.
const FULL_CELL: f32 = 8.0;

/// A leaf or cell as it is drawn.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// What of it lies behind the slice.
    bounds: Aabb3,
    /// Its longest side on the screen, in points.
    size: f32,
    /// Between which heights of the window it lies.
    heights: Rangef,
    /// How deep in the fog it is.
    fog: f32,
    step: u8,
}

/// The leaves in view.
#[derive(Debug, Default)]
pub struct Leaves {
    leaves: Vec<Leaf>,
    far_first: FarFirst<Leaf>,
    sizes: Vec<f32>,
    by_step: [Vec<u32>; 8],
}

impl Leaves {
    /// Finds the leaves and cells that hold somebody and are in view, and says how many are left out because they are too many.
    pub fn choose(&mut self, stage: &Stage<'_>) -> usize {
        self.leaves.clear();
        self.by_step.iter_mut().for_each(Vec::clear);
        let picture = stage.picture;
        if let Some(slice) = picture.slice {
            self.sort_cut(stage, slice);
        }
        let left_out = if picture.layers.boxes {
            self.find(stage)
        } else {
            0
        };
        self.far_first.take(&self.leaves, |leaf| leaf.fog);
        left_out
    }

    fn find(&mut self, stage: &Stage<'_>) -> usize {
        let picture = stage.picture;
        let steps = Steps::of(picture.regions);
        for region in picture.regions {
            if region.role == Role::Inner || region.load == 0 {
                continue;
            }
            if region.role == Role::Leaf && !picture.depths.contains(&region.depth) {
                continue;
            }
            let Some(bounds) = stage.behind_slice(region.bounds) else {
                continue;
            };
            let view = stage.lens.view(bounds.center());
            let half = bounds.half_extent().length();
            let nearest = view.z + half;
            if nearest.is_nan() || nearest < stage.lens.near {
                continue;
            }
            let scale = stage.lens.scale(view.z);
            let size = bounds.size().max_element() * scale;
            if size < LEAST {
                continue;
            }
            // What is near surrounds the eye: that is not judged by its middle.
            let mut heights = Rangef::EVERYTHING;
            if view.z > half {
                let reach = half * stage.lens.scale(view.z - half);
                let at = stage.lens.place(view);
                if !stage.screen.expand(reach).contains(at) {
                    continue;
                }
                heights = Rangef::point(at.y).expand(reach + WIDTHS[0]);
            }
            self.leaves.push(Leaf {
                bounds,
                size,
                heights,
                fog: stage.fog(view.z),
                step: steps.step(region),
            });
        }
        self.keep_largest()
    }

    /// Keeps as many as are drawn at the most.
    fn keep_largest(&mut self) -> usize {
        let all = self.leaves.len();
        let Some(surplus) = all.checked_sub(MOST_BOXES).filter(|more| *more > 0) else {
            return 0;
        };
        self.sizes.clear();
        self.sizes.extend(self.leaves.iter().map(|leaf| leaf.size));
        let (_, bound, _) = self.sizes.select_nth_unstable_by(surplus, f32::total_cmp);
        let bound = *bound;
        self.leaves.retain(|leaf| leaf.size >= bound);
        // Of a grid all are alike.
        self.leaves.truncate(MOST_BOXES);
        all - self.leaves.len()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.leaves.len()
    }

    /// Draws those at one step of distance.
    pub fn draw_step(&self, step: usize, ink: &mut impl Ink, stage: &Stage<'_>) {
        let heights = ink.heights();
        for leaf in self.far_first.step(step) {
            if heights.min <= leaf.heights.max && leaf.heights.min <= heights.max {
                draw_leaf(leaf, ink, stage);
            }
        }
    }

    /// Draws where the slice cuts the structure: how full the leaves are, then the outlines, deep ones first.
    pub fn draw_cut(&self, ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
        let picture = stage.picture;
        let Some(slice) = picture.slice else { return };
        let Some(plane) = slice.corners(picture.field) else {
            return;
        };
        let palette = picture.palette;
        stage.fill(ink, &plane, palette.text_second, 0.045, room);
        for &index in self.by_step.iter().flatten() {
            let region = &picture.regions[index as usize];
            let is_filled = picture.layers.load && region.load > 0 && region.role != Role::Inner;
            if let Some(shape) = slice.corners(region.bounds).filter(|_| is_filled) {
                let (color, opacity) = load(palette, region);
                stage.fill(ink, &shape, color, opacity, room);
            }
        }
        if picture.layers.boxes {
            for (step, list) in self.by_step.iter().enumerate().rev() {
                for &index in list {
                    let region = &picture.regions[index as usize];
                    let Some(shape) = slice.corners(region.bounds) else {
                        continue;
                    };
                    let size = size_on_screen(stage, region.bounds);
                    let fade = (size / FADE_BELOW).min(1.0);
                    let opacity = OPACITIES[step] * CUT * fade * left(stage);
                    let pen = Pen::solid(WIDTHS[step], palette.depth[step], opacity);
                    stage.ring(ink, pen, &shape);
                }
            }
        }
        let pen = Pen::solid(1.4, palette.text_second, 1.0);
        stage.ring(ink, pen, &plane);
    }

    /// The regions that the slice cuts, by the step of the ramp that they are drawn in.
    fn sort_cut(&mut self, stage: &Stage<'_>, slice: Slice) {
        let picture = stage.picture;
        let (axis, at) = (slice.axis.min(2), slice.at);
        let steps = Steps::of(picture.regions);
        for (index, region) in picture.regions.iter().enumerate() {
            let is_cut = region.bounds.min[axis] <= at && at <= region.bounds.max[axis];
            let is_deep = region.role == Role::Cell || picture.depths.contains(&region.depth);
            if is_cut && is_deep && size_on_screen(stage, region.bounds) >= LEAST {
                self.by_step[usize::from(steps.step(region))].push(index as u32);
            }
        }
    }
}

/// How much is left of the boxes while an operation is gone through.
fn left(stage: &Stage<'_>) -> f32 {
    if stage.picture.is_told { 0.45 } else { 1.0 }
}

fn draw_leaf(leaf: &Leaf, ink: &mut impl Ink, stage: &Stage<'_>) {
    let step = usize::from(leaf.step);
    let small = (leaf.size / FADE_BELOW).min(1.0);
    let palette = stage.picture.palette;
    let stronger = if palette.dark { 1.0 } else { ON_LIGHT };
    let opacity = (in_space(step) * fog_left(leaf.fog)).max(FAINTEST);
    let opacity = opacity * stronger * small * left(stage);
    let color = palette.depth[step];
    let pen = Pen::solid(WIDTHS[step] * NARROWER, color, opacity);
    if leaf.size < SEEN_THROUGH {
        stage.seen_edges(ink, pen, leaf.bounds);
    } else {
        stage.edges(ink, pen, leaf.bounds);
    }
}

/// Which step of the ramp a region has.
struct Steps {
    is_deep: bool,
}

impl Steps {
    fn of(regions: &[Region3]) -> Self {
        let deepest = regions.iter().map(|region| region.depth).max().unwrap_or(0);
        // Trees with two children take two levels a step, so that an octree and a radix tree read alike.
        Self {
            is_deep: deepest > 10,
        }
    }

    fn step(&self, region: &Region3) -> u8 {
        let step = match region.role {
            // A cell has no depth; what tells one from another is how full it is.
            Role::Cell | Role::Slot | Role::Oversize => (region.load.max(1) - 1).min(7) as u16,
            _ if self.is_deep => region.depth / 2,
            _ => region.depth,
        };
        step.min(7) as u8
    }
}

/// Draws the border of what is drawn of the field: the edges behind everything, or those before it.
pub fn border(ink: &mut impl Ink, stage: &Stage<'_>, is_before: bool) {
    let area = stage.drawn;
    let ends = corners(area);
    let slice = stage.picture.slice.filter(|slice| {
        let axis = slice.axis.min(2);
        area.min[axis] == slice.at || area.max[axis] == slice.at
    });
    let palette = stage.picture.palette;
    let color = palette.depth[if palette.dark { 0 } else { 4 }];
    for (from, to) in EDGES {
        let along = (from ^ to).trailing_zeros() as usize;
        let faces = [(along + 1) % 3, (along + 2) % 3];
        let facing = |axis: &usize| stage.faces_eye(area, *axis, from >> axis & 1);
        if faces.iter().all(facing) != is_before {
            continue;
        }
        // The slice's own outline is drawn with the slice.
        let is_cut = slice.is_some_and(|slice| {
            let axis = slice.axis.min(2);
            axis != along && ends[from][axis] == slice.at
        });
        if !is_cut {
            let middle = (ends[from] + ends[to]) * 0.5;
            let opacity = 0.95 - 0.35 * stage.fog_at(middle);
            stage.line(ink, Pen::solid(1.4, color, opacity), ends[from], ends[to]);
        }
    }
}

/// Draws where the structure was split or merged a moment ago.
pub fn flashes(ink: &mut impl Ink, stage: &Stage<'_>, room: &mut Room) {
    let warning = stage.picture.palette.warning;
    for flash in stage.picture.flashes {
        let Some(bounds) = stage.behind_slice(flash.bounds) else {
            continue;
        };
        let left = (1.0 - flash.age).clamp(0.0, 1.0);
        if flash.is_split {
            stage.body(ink, bounds, warning, 0.16 * left, room);
        }
        stage.edges(ink, Pen::solid(1.3, warning, 0.9 * left), bounds);
    }
}

/// The longest side of a box on the screen, in points.
pub fn size_on_screen(stage: &Stage<'_>, bounds: Aabb3) -> f32 {
    let depth = stage.lens.view(bounds.center()).z;
    bounds.size().max_element() * stage.lens.scale(depth)
}

/// How much is left of an opacity so deep in the fog.
fn fog_left(fog: f32) -> f32 {
    let clear = 1.0 - fog;
    clear * clear.sqrt()
}

/// The opacity of a line in space at this step of the ramp.
fn in_space(step: usize) -> f32 {
    let (first, last) = IN_SPACE;
    first + (last - first) * step as f32 / 7.0
}

/// The colour and opacity of how full a region is.
fn load(palette: &Palette, region: &Region3) -> (Color32, f32) {
    let capacity = if region.capacity == 0 {
        FULL_CELL
    } else {
        region.capacity as f32
    };
    let part = (region.load as f32 / capacity).min(1.0);
    (palette.depth[7], 0.01 + 0.07 * part * part)
}
