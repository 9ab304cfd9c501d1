//! The structure: outlines by depth, fills by load, flashes where it was split or merged.

use super::look::Look;
use crate::app::camera::{self, Camera};
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::Mesh;
use egui_macroquad::egui::{Color32, Rect};
use skirmish::geometry::Vec2;
use skirmish::observe::{Outline, RegionView, Regions};
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
/// Of more nodes than this in a picture, those below this width in points have no border, for the borders of them all would cost a
/// machine without a GPU more than all else; how full they are is seen.
const MANY_NODES: usize = 8_000;
/// See [`MANY_NODES`].
const SMALL_NODE: f32 = 7.0;
/// For cells, which have no capacity: so many units are a full cell.
const FULL_CELL: f32 = 8.0;

/// Draws all regions of the frame, deep ones first.
pub fn draw(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    let camera = look.camera;
    let regions = &look.lane.frame.regions;
    // Trees with two children take two levels a step, so that a quadtree and a radix tree read alike.
    let deepest = regions
        .list
        .iter()
        .map(|region| region.depth)
        .max()
        .unwrap_or(0);
    let step = |depth: u16| usize::from(if deepest > 10 { depth / 2 } else { depth }).min(7);

    if look.layers.shows(Layer::Load) {
        for region in &regions.list {
            fill_by_load(mesh, camera, palette, region, regions);
        }
    }
    if look.layers.shows(Layer::Nodes) {
        let mut by_step: [Vec<&RegionView>; 8] = Default::default();
        for region in &regions.list {
            by_step[step(region.depth)].push(region);
        }
        let least = least_outline(look);
        let nodes = regions.list.iter().filter(|region| is_node(region));
        let least_node = if nodes.count() > MANY_NODES {
            SMALL_NODE
        } else {
            0.0
        };
        for (level, list) in by_step.iter().enumerate().rev() {
            let wide = |region: &&&RegionView| {
                let extent = extent(look, region);
                extent >= least && (extent >= least_node || !is_node(region))
            };
            for region in list.iter().filter(wide) {
                let flat = matches!(region.role, Role::Cell | Role::Slot);
                let color = palette.depth[if flat { 1 } else { level }];
                outline(
                    mesh,
                    camera,
                    region,
                    regions,
                    WIDTHS[level],
                    color,
                    OPACITIES[level],
                );
            }
        }
        let now = look.battle.tick();
        for (area, split, born) in &look.lane.flashes {
            let left = 1.0 - (now.saturating_sub(*born)) as f32 / 18.0;
            let rect = camera.rect_to_screen(*area);
            if *split {
                mesh.fill(rect, faded(palette.warning, 0.16 * left));
            }
            mesh.outline(rect, 1.5, faded(palette.warning, 0.9 * left));
        }
    }
    draw_query(mesh, look, palette);
}

/// Whether it is a node of a tree, which draws all of its border itself.
fn is_node(region: &RegionView) -> bool {
    matches!(region.role, Role::Inner | Role::Leaf)
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

fn fill_by_load(
    mesh: &mut Mesh,
    camera: Camera,
    palette: &Palette,
    region: &RegionView,
    regions: &Regions,
) {
    if region.load == 0 || region.role == Role::Inner {
        return;
    }
    let capacity = if region.capacity == 0 {
        FULL_CELL
    } else {
        region.capacity as f32
    };
    let part = (region.load as f32 / capacity).min(1.0);
    let color = faded(palette.depth[7], 0.01 + 0.07 * part * part);
    match region.outline {
        Outline::Rect(area) => {
            let rect = camera.rect_to_screen(area);
            mesh.fill(rect, color);
            if region.capacity > 0 && region.load > region.capacity && rect.width() > 3.0 {
                mesh.outline(rect.shrink(1.0), 1.0, faded(palette.warning, 0.8));
            }
        }
        Outline::Convex { start, count } => {
            mesh.polygon(
                regions
                    .polygon(start, count)
                    .iter()
                    .map(|corner| camera.to_screen(*corner)),
                color,
            );
        }
        Outline::Line(..) => {}
    }
}

fn outline(
    mesh: &mut Mesh,
    camera: Camera,
    region: &RegionView,
    regions: &Regions,
    width: f32,
    color: Color32,
    opacity: f32,
) {
    let fade = |size: f32| (size / FADE_BELOW).min(1.0);
    match region.outline {
        Outline::Rect(area) => {
            let rect = camera.rect_to_screen(area);
            let size = rect.width().max(rect.height());
            if matches!(region.role, Role::Cell | Role::Slot) {
                if size < SMALL_CELL && region.load == 0 {
                    return;
                }
                // Neighbours share their lines: each cell draws its left and its upper one.
                let color = faded(color, 0.75 * fade(size));
                mesh.fill(
                    Rect::from_min_size(rect.min, egui_macroquad::egui::vec2(1.0, rect.height())),
                    color,
                );
                mesh.fill(
                    Rect::from_min_size(rect.min, egui_macroquad::egui::vec2(rect.width(), 1.0)),
                    color,
                );
            } else {
                // A leaf that holds nothing would be drawn over by its parent's line alone.
                mesh.outline(snapped(rect), width, faded(color, opacity * fade(size)));
            }
        }
        Outline::Convex { start, count } => {
            let corners = regions.polygon(start, count);
            for (index, corner) in corners.iter().enumerate() {
                let next = corners[(index + 1) % corners.len()];
                mesh.line(
                    camera.to_screen(*corner),
                    camera.to_screen(next),
                    width,
                    faded(color, opacity),
                );
            }
        }
        Outline::Line(from, to) => {
            mesh.line(
                camera.to_screen(from),
                camera.to_screen(to),
                width,
                faded(color, opacity),
            );
        }
    }
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
    for region in &look.lane.frame.regions.list {
        let Outline::Rect(area) = region.outline else {
            continue;
        };
        let rect = look.camera.rect_to_screen(area);
        if region.role != Role::Inner && visited.contains(&region.id) {
            mesh.fill(rect, faded(palette.mark, 0.055));
            mesh.outline(snapped(rect), 1.0, faded(palette.mark, 0.42));
        } else if pruned.contains(&region.id) {
            mesh.outline(snapped(rect), 1.0, faded(palette.text_third, 0.7));
        }
    }
}
