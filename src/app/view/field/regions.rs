//! The structure: outlines by depth, fills by load, flashes where it was split or merged.

use super::look::Look;
use super::sheet::{Ink, Sheet};
use crate::app::camera::{self, Camera};
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::{Canvas, Mesh};
use crate::app::view::marks::{fine_line, framed};
use crate::app::worker::SHADES;
use egui_macroquad::egui::{Color32, Rect, pos2};
use skirmish::geometry::{Aabb, Vec2};
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
        if rects.count() > MANY && self.paint(look, palette, canvas) {
            self.sheet.draw(canvas);
        } else {
            self.shown = None;
            draw_rects(canvas.mesh, look, palette, canvas.pixels_per_point);
        }
        let mesh = &mut *canvas.mesh;
        draw_others(mesh, look, palette);
        if look.layers.shows(Layer::Nodes) {
            draw_flashes(mesh, look, palette);
        }
        draw_query(mesh, look, palette, canvas.pixels_per_point);
    }

    /// Paints the rectangles, unless they are painted; says whether there is such a sheet.
    fn paint(&mut self, look: &Look<'_>, palette: &Palette, canvas: &mut Canvas<'_>) -> bool {
        let pixels_per_point = canvas.pixels_per_point;
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
        draw_rects(sheet, look, palette, pixels_per_point);
        sheet.end(canvas);
        self.shown = Some(shown);
        true
    }
}

/// Everything whose outline is a rectangle: how full they are, then their borders.
fn draw_rects(ink: &mut impl Ink, look: &Look<'_>, palette: &Palette, pixels_per_point: f32) {
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
            if matches!(region.role, Role::Cell | Role::Slot) {
                let on = framed(rect, pixels_per_point);
                let line = fine_line(pixels_per_point);
                let beyond = reaches_beyond(area, look.field);
                border_of_cell(ink, region, (rect, on, line), color, beyond);
            } else {
                let color = faded(color, opacity * fade(rect));
                let (core, beside) = in_pixels(width, pixels_per_point);
                let rect = snapped(rect, pixels_per_point);
                // What covers hardly anything is not worth another outline.
                if beside > 0.1 {
                    let both = core + 2.0 / pixels_per_point;
                    ink.outline(rect, both, faded(color, beside));
                }
                // A leaf that holds nothing would be drawn over by its parent's line alone.
                ink.outline(rect, core, color);
            }
        }
    });
}

/// Whether a cell reaches beyond the field to the right, and below: where its sides are not multiples of a cell's.
fn reaches_beyond(cell: Aabb, field: Aabb) -> [bool; 2] {
    let is_beyond = |from: f32, to: f32, end: f32| from < end && end < to;
    [
        is_beyond(cell.min.x, cell.max.x, field.max.x),
        is_beyond(cell.min.y, cell.max.y, field.max.y),
    ]
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

/// How much is left of the border of what is so large on the screen.
fn fade(rect: Rect) -> f32 {
    let size = rect.width().max(rect.height());
    (size / FADE_BELOW).min(1.0)
}

/// The border of a cell, in fine lines so wide inside of what is `framed`; it ends beyond the field to the right or below.
fn border_of_cell(
    ink: &mut impl Ink,
    region: &RegionView,
    (rect, framed, line): (Rect, Rect, f32),
    color: Color32,
    [right, below]: [bool; 2],
) {
    if rect.width().max(rect.height()) < SMALL_CELL && region.load == 0 {
        return;
    }
    // Neighbours share their lines: each cell draws its left and its upper one.
    let color = faded(color, 0.75 * fade(rect));
    let [left, top] = [framed.left(), framed.top()];
    let [end, foot] = [framed.right() - line, framed.bottom() - line];
    let column = |x: f32| camera::rect(x, top, x + line, foot);
    let row = |y: f32| camera::rect(left, y, end, y + line);
    ink.fill(column(left), color);
    ink.fill(row(top), color);
    // One that the field ends in is closed: no other one draws the line beyond it.
    if right {
        ink.fill(column(end), color);
    }
    if below {
        ink.fill(row(foot), color);
    }
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

/// The middle of a fine line around a rectangle, where it is sharp: on the pixels on which the border of the field lies that has the same
/// sides.
pub fn snapped(rect: Rect, pixels_per_point: f32) -> Rect {
    framed(rect, pixels_per_point).shrink(fine_line(pixels_per_point) / 2.0)
}

/// A width of a line whose middle is that of a fine one: how wide its whole pixels are, in points, and how much it covers of those on either
/// side of them. By whole pixels alone most depths would be as wide as their children's.
fn in_pixels(width: f32, pixels_per_point: f32) -> (f32, f32) {
    let fine = fine_line(pixels_per_point);
    // Of a pixel on both sides at once.
    let more = (width - fine).max(0.0) * pixels_per_point / 2.0;
    (fine + 2.0 * more.floor() / pixels_per_point, more.fract())
}

/// What the query under the cursor entered, and in the trace what it left out.
fn draw_query(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette, pixels_per_point: f32) {
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
            let rect = snapped(rect, pixels_per_point);
            mesh.outline(rect, 1.0, faded(palette.mark, 0.42));
        } else if pruned.contains(&region.id) {
            let color = faded(palette.text_third, 0.7);
            let rect = snapped(rect, pixels_per_point);
            if dotted < MOST_DOTTED {
                dotted += 1;
                dotted_outline(mesh, rect, look.camera.screen, color);
            } else {
                mesh.outline(rect, 1.0, color);
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

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::vec2;

    /// What was drawn, as it is told.
    #[derive(Default)]
    struct Told(Vec<Rect>);

    impl Ink for Told {
        fn fill(&mut self, rect: Rect, _: Color32) {
            self.0.push(rect);
        }

        fn outline(&mut self, rect: Rect, _: f32, _: Color32) {
            self.0.push(rect);
        }
    }

    #[test]
    fn each_depth_is_drawn_finer_than_the_one_above_it_until_a_line_is_a_pixel() {
        for scale in [1.0, 1.25, 2.0] {
            let covered = |width: f32| {
                let (core, beside) = in_pixels(width, scale);
                core * scale + 2.0 * beside
            };
            for at in WIDTHS.windows(2) {
                let (above, below) = (covered(at[0]), covered(at[1]));
                let is_fine = below <= fine_line(scale) * scale;
                assert!(
                    above > below || is_fine && above >= below,
                    "{at:?}, {scale}"
                );
            }
            // All of it, and whole pixels of it.
            assert!((covered(2.2) - 2.2 * scale).abs() < 1.0e-4, "{scale}");
            let whole = in_pixels(2.2, scale).0 * scale;
            assert!((whole - whole.round()).abs() < 1.0e-4, "{whole}");
        }
    }

    #[test]
    fn a_cell_in_which_the_field_ends_is_closed_and_every_other_one_leaves_that_to_the_next() {
        let field = Aabb::new(Vec2::ZERO, Vec2::new(30.0, 25.0));
        let cell = |x: f32, y: f32| Aabb::new(Vec2::new(x, y), Vec2::new(x + 10.0, y + 10.0));
        assert_eq!(reaches_beyond(cell(0.0, 0.0), field), [false, false]);
        assert_eq!(reaches_beyond(cell(20.0, 10.0), field), [false, false]);
        assert_eq!(reaches_beyond(cell(20.0, 20.0), field), [false, true]);
        assert_eq!(reaches_beyond(cell(30.0, 20.0), field), [false, true]);
        let region = RegionView {
            id: 0,
            outline: Outline::Rect(cell(20.0, 20.0)),
            depth: 0,
            load: 1,
            capacity: 0,
            role: Role::Cell,
            parent: None,
        };
        let rect = Rect::from_min_size(pos2(20.0, 20.0), vec2(10.0, 10.0));
        for (beyond, count) in [([false; 2], 2), ([false, true], 3), ([true; 2], 4)] {
            let mut told = Told::default();
            let on = (rect, framed(rect, 1.0), fine_line(1.0));
            border_of_cell(&mut told, &region, on, Color32::WHITE, beyond);
            assert_eq!(told.0.len(), count);
            let lowest = told.0.iter().map(|line| line.top()).fold(0.0, f32::max);
            assert_eq!(lowest, if beyond[1] { 30.0 } else { 20.0 });
        }
    }

    /// The pixels that lie between two places of the window: those whose middle does.
    fn pixels(from: f32, to: f32, scale: f32) -> [i32; 2] {
        [from, to].map(|at| (at * scale - 0.5).ceil() as i32)
    }

    #[test]
    fn the_border_of_a_field_a_node_and_its_cells_cover_the_same_pixels_at_every_scale() {
        let cell = RegionView {
            id: 0,
            outline: Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::splat(10.0))),
            depth: 0,
            load: 1,
            capacity: 0,
            role: Role::Cell,
            parent: None,
        };
        for scale in [1.0, 1.25, 1.5, 2.0] {
            for part in 0..40 {
                let from = 280.0 + part as f32 * 0.13;
                let rect = Rect::from_min_max(pos2(from, 32.0), pos2(from + 100.3, 90.0));
                let (on, line) = (framed(rect, scale), fine_line(scale));
                let border = [
                    pixels(on.left(), on.left() + line, scale),
                    pixels(on.right() - line, on.right(), scale),
                ];
                // Egui leaves what is on whole pixels where it is.
                for side in [on.left(), on.right()] {
                    let at = side * scale;
                    assert!((at - at.round()).abs() < 1.0e-3, "{scale}: {at}");
                }
                let middle = snapped(rect, scale);
                let node = [middle.left(), middle.right()].map(|x| pixels(x - 0.5, x + 0.5, scale));
                assert_eq!(node, border, "{scale}: {from}");
                let mut told = Told::default();
                border_of_cell(
                    &mut told,
                    &cell,
                    (rect, on, line),
                    Color32::WHITE,
                    [true; 2],
                );
                let cells = [&told.0[0], &told.0[2]];
                let cells = cells.map(|column| pixels(column.left(), column.right(), scale));
                assert_eq!(cells, border, "{scale}: {from}");
            }
        }
    }
}
