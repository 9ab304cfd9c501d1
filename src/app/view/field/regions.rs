//! The structure: outlines by depth, fills by load, flashes where it was split or merged.

use super::look::Look;
use super::sheet::{Ink, Sheet};
use crate::app::camera::{self, Camera};
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::{Canvas, Mesh};
use crate::app::worker::SHADES;
use egui_macroquad::egui::{Color32, Rect, pos2, vec2};
use skirmish::geometry::Vec2;
use skirmish::observe::{Outline, RegionView};
use skirmish::partition::{RegionId, Role};
use std::collections::HashSet;

/// Line widths by depth, in points.
const WIDTHS: [f32; 8] = [2.2, 1.9, 1.6, 1.35, 1.15, 1.0, 0.85, 0.75];
/// Line opacities by depth.
const OPACITIES: [f32; 8] = [0.95, 0.92, 0.88, 0.80, 0.70, 0.60, 0.52, 0.46];
/// Below this width in points a node fades, so that a deep tree does not turn into a carpet.
const FADE_BELOW: f32 = 12.0;
/// Below this width in points only cells that hold somebody are outlined: the others would be a carpet.
const SMALL_CELL: f32 = 6.0;

/// More rectangles than this are painted on a sheet, for which the driver needs as long as for a few.
const MANY: usize = 1_500;

/// Draws the regions of a lane, and keeps the picture of many for as long as nothing in it changes.
#[derive(Default)]
pub struct RegionsPicture {
    sheet: Sheet,
    shown: Option<Shown>,
}

/// What a sheet is of: of the same it is the same picture.
#[derive(Clone, Copy, PartialEq)]
struct Shown {
    moment: u64,
    camera: Camera,
    pixels_per_point: f32,
    load: bool,
    nodes: bool,
    ground: Color32,
    least_outline: f32,
    most_outlines: usize,
}

impl RegionsPicture {
    /// Draws all regions of the frame, deep ones first, and what the query made of them.
    pub fn draw(&mut self, canvas: &mut Canvas<'_>, look: &Look<'_>, palette: &Palette) {
        let list = &look.lane.frame.regions.list;
        let rects = list
            .iter()
            .filter(|region| matches!(region.outline, Outline::Rect(_)));
        let mesh = &mut *canvas.mesh;
        if rects.count() > MANY && self.paint(look, palette, canvas.pixels_per_point) {
            self.sheet.draw();
        } else {
            self.shown = None;
            draw_rects(mesh, look, palette);
        }
        draw_others(mesh, look, palette);
        if look.layers.shows(Layer::Nodes) {
            draw_flashes(mesh, look, palette);
        }
        draw_query(mesh, look, palette);
    }

    /// Paints the rectangles, unless they are painted; says whether there is such a sheet.
    fn paint(&mut self, look: &Look<'_>, palette: &Palette, pixels_per_point: f32) -> bool {
        let shown = Shown {
            moment: look.moment,
            camera: look.camera,
            pixels_per_point,
            load: look.layers.shows(Layer::Load),
            nodes: look.layers.shows(Layer::Nodes),
            ground: palette.field,
            least_outline: look.least_outline,
            most_outlines: look.most_outlines,
        };
        if self.shown == Some(shown) {
            return true;
        }
        self.shown = None;
        let sheet = &mut self.sheet;
        if !sheet.begin(look.camera.screen, pixels_per_point, palette.field) {
            return false;
        }
        draw_rects(sheet, look, palette);
        sheet.end();
        self.shown = Some(shown);
        true
    }
}

/// Everything whose outline is a rectangle: how full they are, then their borders.
fn draw_rects(ink: &mut impl Ink, look: &Look<'_>, palette: &Palette) {
    for region in filled(look) {
        if let Outline::Rect(area) = region.outline {
            let rect = look.camera.rect_to_screen(area);
            ink.fill(rect, load_color(look, palette, region));
            if region.capacity > 0 && region.load > region.capacity && rect.width() > 3.0 {
                ink.outline(rect.shrink(1.0), 1.0, faded(palette.warning, 0.8));
            }
        }
    }
    outlined(look, palette, |region, width, color, opacity| {
        if let Outline::Rect(area) = region.outline {
            let rect = look.camera.rect_to_screen(area);
            border(ink, region, rect, width, color, opacity);
        }
    });
}

/// Everything else.
fn draw_others(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    let (camera, regions) = (look.camera, &look.lane.frame.regions);
    let on_screen = |start, count| {
        let corners = regions.polygon(start, count);
        corners.iter().map(move |at| camera.to_screen(*at))
    };
    for region in filled(look) {
        if let Outline::Convex { start, count } = region.outline {
            mesh.polygon(on_screen(start, count), load_color(look, palette, region));
        }
    }
    outlined(look, palette, |region, width, color, opacity| {
        let color = faded(color, opacity);
        match region.outline {
            Outline::Rect(_) => {}
            Outline::Convex { start, count } => {
                let next = on_screen(start, count).cycle().skip(1);
                for (from, to) in on_screen(start, count).zip(next) {
                    mesh.line(from, to, width, color);
                }
            }
            Outline::Line(from, to) => {
                mesh.line(camera.to_screen(from), camera.to_screen(to), width, color);
            }
        }
    });
}

/// The regions that show how full they are.
fn filled<'a>(look: &Look<'a>) -> impl Iterator<Item = &'a RegionView> {
    let shown = look.layers.shows(Layer::Load);
    let list: &'a [RegionView] = &look.lane.frame.regions.list;
    list.iter()
        .filter(move |region| shown && region.load > 0 && region.role.shows_load())
}

/// The colour of how full a region is.
fn load_color(look: &Look<'_>, palette: &Palette, region: &RegionView) -> Color32 {
    let load = region.load as f32;
    if region.capacity == 0 {
        return shade(palette, load / look.lane.loads.step() as f32);
    }
    palette.filled(load / region.capacity as f32)
}

/// The colour of a cell that holds so many units, in steps of the lane's scale, which the legend has as well.
pub fn shade(palette: &Palette, steps: f32) -> Color32 {
    faded(
        palette.depth[7],
        0.03 + 0.27 * (steps / SHADES as f32).min(1.0),
    )
}

/// Hands out the regions that have a border, deep ones first: how wide it is, its colour and its opacity.
fn outlined(
    look: &Look<'_>,
    palette: &Palette,
    mut draw: impl FnMut(&RegionView, f32, Color32, f32),
) {
    if !look.layers.shows(Layer::Nodes) {
        return;
    }
    let list = &look.lane.frame.regions.list;
    // Trees with two children take two levels a step, so that a quadtree and a radix tree read alike.
    let deepest = list.iter().map(|region| region.depth).max().unwrap_or(0);
    let step = |depth: u16| usize::from(if deepest > 10 { depth / 2 } else { depth }).min(7);
    let mut by_step: [Vec<&RegionView>; 8] = Default::default();
    let least = least_outline(look);
    // That of a list over everything is drawn over all others, with its words.
    let lined = list.iter().filter(|it| it.role != Role::Oversize);
    for region in lined.filter(|region| extent(look, region) >= least) {
        by_step[step(region.depth)].push(region);
    }
    for (level, list) in by_step.iter().enumerate().rev() {
        for region in list {
            let flat = matches!(region.role, Role::Cell | Role::Slot);
            let color = palette.depth[if flat { 1 } else { level }];
            draw(region, WIDTHS[level], color, OPACITIES[level]);
        }
    }
}

/// The border of a rectangle on the screen.
fn border(
    ink: &mut impl Ink,
    region: &RegionView,
    rect: Rect,
    width: f32,
    color: Color32,
    opacity: f32,
) {
    let size = rect.width().max(rect.height());
    let fade = (size / FADE_BELOW).min(1.0);
    if !matches!(region.role, Role::Cell | Role::Slot) {
        // A leaf that holds nothing would be drawn over by its parent's line alone.
        return ink.outline(snapped(rect), width, faded(color, opacity * fade));
    }
    if size < SMALL_CELL && region.load == 0 {
        return;
    }
    // Neighbours share their lines: each cell draws its left and its upper one.
    let color = faded(color, 0.75 * fade);
    let (column, row) = (vec2(1.0, rect.height()), vec2(rect.width(), 1.0));
    ink.fill(Rect::from_min_size(rect.min, column), color);
    ink.fill(Rect::from_min_size(rect.min, row), color);
}

/// Where a node was split or merged a moment ago.
fn draw_flashes(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    let now = look.battle.tick();
    for (area, split, born) in &look.lane.flashes {
        let left = 1.0 - (now.saturating_sub(*born)) as f32 / 18.0;
        let rect = look.camera.rect_to_screen(*area);
        // Where time stands they would stay, one over the other: there their borders say it.
        if *split && look.runs {
            mesh.fill(rect, faded(palette.warning, 0.16 * left));
        }
        mesh.outline(rect, 1.5, faded(palette.warning, 0.9 * left));
    }
}

/// How wide a region is in the picture, in points, along its longer side.
fn extent(look: &Look<'_>, region: &RegionView) -> f32 {
    let size = match region.outline {
        Outline::Rect(area) => area.size(),
        Outline::Convex { start, count } => {
            let corners = look.lane.frame.regions.polygon(start, count);
            let least = corners.iter().copied().reduce(Vec2::min);
            let most = corners.iter().copied().reduce(Vec2::max);
            most.unwrap_or_default() - least.unwrap_or_default()
        }
        Outline::Line(from, to) => (to - from).abs(),
    };
    size.max_element() * look.camera.zoom
}

/// From which width on regions are outlined here, so that there are not more of them than there may be.
fn least_outline(look: &Look<'_>) -> f32 {
    let list = &look.lane.frame.regions.list;
    if list.len() <= look.most_outlines {
        return look.least_outline;
    }
    let mut extents: Vec<f32> = list.iter().map(|region| extent(look, region)).collect();
    let place = extents.len() - look.most_outlines;
    let (_, bound, _) = extents.select_nth_unstable_by(place, f32::total_cmp);
    look.least_outline.max(*bound)
}

/// A rectangle on half pixels, where a line one pixel wide is sharp.
fn snapped(rect: Rect) -> Rect {
    let snap = |value: f32| value.floor() + 0.5;
    camera::rect(
        snap(rect.left()),
        snap(rect.top()),
        snap(rect.right()),
        snap(rect.bottom()),
    )
}

/// What the query under the cursor entered, and in the trace what it left out.
fn draw_query(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    let Some(query) = look.query() else { return };
    let visited: HashSet<RegionId> = query.visited.iter().copied().collect();
    let pruned: HashSet<RegionId> = if look.layers.shows(Layer::Tests) {
        query.pruned.iter().copied().collect()
    } else {
        HashSet::new()
    };
    let mut dotted = 0;
    for region in &look.lane.frame.regions.list {
        let Outline::Rect(area) = region.outline else {
            continue;
        };
        let rect = look.camera.rect_to_screen(area);
        if region.role != Role::Inner && visited.contains(&region.id) {
            // A list over everything would tint all of the field.
            if region.role.shows_load() {
                mesh.fill(rect, faded(palette.mark, 0.055));
            }
            mesh.outline(snapped(rect), 1.0, faded(palette.mark, 0.42));
        } else if pruned.contains(&region.id) {
            let color = faded(palette.text_third, 0.7);
            if dotted < MOST_DOTTED {
                dotted += 1;
                dotted_outline(mesh, snapped(rect), look.camera.screen, color);
            } else {
                mesh.outline(snapped(rect), 1.0, color);
            }
        }
    }
}

/// More pruned regions than this have plain outlines: their dots would be a carpet.
const MOST_DOTTED: usize = 300;

/// The outline of what was left out: dots, so that it is told from what was entered by more than its colour.
fn dotted_outline(mesh: &mut Mesh, rect: Rect, screen: Rect, color: Color32) {
    /// The length of a dot, and from one to the next, in points.
    const DOT: (f32, f32) = (1.5, 5.5);
    // Of a region larger than the view only what is in view has dots.
    let seen = rect.intersect(screen.expand(DOT.1));
    for y in [rect.top(), rect.bottom()] {
        let mut x = seen.left();
        while x < seen.right() && seen.y_range().contains(y) {
            mesh.line(
                pos2(x, y),
                pos2((x + DOT.0).min(seen.right()), y),
                1.0,
                color,
            );
            x += DOT.1;
        }
    }
    for x in [rect.left(), rect.right()] {
        let mut y = seen.top();
        while y < seen.bottom() && seen.x_range().contains(x) {
            mesh.line(
                pos2(x, y),
                pos2(x, (y + DOT.0).min(seen.bottom())),
                1.0,
                color,
            );
            y += DOT.1;
        }
    }
}
