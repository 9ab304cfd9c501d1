//! The world around the character: objects by state, in colour and in shape, the rectangles, and the trees at work.

use super::atlas::Atlas;
use super::gpu::Mesh;
use super::overlay::{border, chip, dashed_rect, label, layer_chip, scale_chip, title_chip};
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::theme::{layout, size, text};
use crate::app::widgets::{clear_covers, cover, with_commas};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};
use egui_macroquad::macroquad::prelude::{
    Color, DrawTextureParams, Vec2 as ScreenVec2, draw_texture_ex,
};
use skirmish::geometry::Aabb;
use skirmish::partition::{Region, RegionQuery, Role, Shape as RegionShape};
use skirmish::streaming::State;

/// Below this many points to each side an object is drawn as a dot of its state's colour.
const DOT: f32 = 3.0;
/// From this many points on an object shows its picture.
const PICTURE: f32 = 10.0;
/// So many dashed and hatched outlines are drawn; beyond it they are plain, for a dash is a shape of its own.
const MOST_DASHED: usize = 400;
/// The width of the switches of the layers, in points.
const LAYER_CHIP: f32 = 476.0;
/// Node boxes smaller than this, in points, are left out.
const SMALLEST_NODE: f32 = 14.0;

/// Whether anything of the object can be seen, and where.
fn on_screen(app: &App, area: Aabb) -> Option<Rect> {
    let rect = app.camera.rect_to_screen(area);
    rect.intersects(app.camera.screen).then_some(rect)
}

fn visible<'a>(app: &'a App, stream: &'a Stream) -> impl Iterator<Item = (u32, State, Rect)> + 'a {
    let streaming = stream.streaming();
    let shown = app.layers.shows(Layer::Objects);
    let objects = streaming
        .objects()
        .iter()
        .zip(streaming.states())
        .enumerate()
        .filter(move |_| shown);
    objects.filter_map(|(number, (object, state))| {
        let rect = on_screen(app, object.aabb())?;
        Some((number as u32, *state, rect))
    })
}

/// What lies under the pictures: objects that have none.
pub fn draw_under(mesh: &mut Mesh, app: &App, palette: &Palette) {
    let Some(stream) = &app.stream else { return };
    for (number, state, rect) in visible(app, stream) {
        let color = palette.states[state as usize];
        if rect.width().max(rect.height()) < DOT {
            let dot = Rect::from_center_size(rect.center(), vec2(2.0, 2.0));
            mesh.fill(
                dot,
                faded(color, if state == State::Unloaded { 0.5 } else { 0.9 }),
            );
            continue;
        }
        match state {
            State::Unloaded => {
                mesh.fill(rect, faded(color, 0.10));
                mesh.outline(rect, 1.0, faded(color, 0.6));
            }
            State::Queued => mesh.fill(rect, faded(color, 0.14)),
            State::Loading => {
                let progress = stream.streaming().progress(number);
                mesh.fill(rect, faded(color, 0.16));
                mesh.fill(
                    rect.with_min_y(rect.bottom() - rect.height() * progress),
                    color,
                );
            }
            State::Decoded => {
                mesh.fill(rect, faded(color, 0.16));
                mesh.triangle(
                    [rect.left_bottom(), rect.right_top(), rect.right_bottom()],
                    color,
                );
            }
            State::Resident => mesh.fill(rect, faded(color, 0.66)),
            State::Unloading => mesh.fill(rect, faded(color, 0.12)),
            State::Failed => mesh.fill(rect, faded(color, 0.08)),
        }
    }
}

/// The pictures of what is resident.
pub fn draw_pictures(atlas: &Atlas, app: &App) {
    let Some(stream) = &app.stream else { return };
    for (number, state, rect) in visible(app, stream) {
        if state != State::Resident || rect.width().min(rect.height()) < PICTURE {
            continue;
        }
        let asset = stream.streaming().objects()[number as usize].asset;
        let Some((texture, source)) = atlas.find(asset) else {
            continue;
        };
        let params = DrawTextureParams {
            dest_size: Some(ScreenVec2::new(rect.width(), rect.height())),
            source: Some(source),
            ..DrawTextureParams::default()
        };
        draw_texture_ex(
            texture,
            rect.left(),
            rect.top(),
            Color::from_rgba(255, 255, 255, 255),
            params,
        );
    }
}

/// Outlines over the pictures.
pub fn draw_over(mesh: &mut Mesh, app: &App, palette: &Palette) {
    let Some(stream) = &app.stream else { return };
    for (_, state, rect) in visible(app, stream) {
        if rect.width().max(rect.height()) < DOT {
            continue;
        }
        let color = palette.states[state as usize];
        match state {
            State::Resident => mesh.outline(rect, 1.5, color),
            State::Loading | State::Decoded => mesh.outline(rect, 1.5, color),
            State::Failed => {
                mesh.outline(rect, 1.5, color);
                mesh.line(rect.left_top(), rect.right_bottom(), 1.5, color);
                mesh.line(rect.right_top(), rect.left_bottom(), 1.5, color);
            }
            State::Unloaded | State::Queued | State::Unloading => {}
        }
    }
}

/// All that egui draws over the world, the chips included.
pub fn overlay(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    clear_covers(ui.ctx());
    border(&painter, app, palette);
    if let Some(stream) = &app.stream {
        dashes_and_hatches(&painter, app, stream, palette);
        trees(&painter, app, stream, palette);
        rectangles(&painter, app, stream, palette);
        if app.layers.shows(Layer::Path) {
            path(&painter, app, stream, palette);
        }
        character(&painter, app, stream, palette);
        let detail = format!(
            "{} objects",
            with_commas(stream.streaming().objects().len() as u64)
        );
        title_chip(
            ui,
            app.camera,
            palette,
            &app.scene.name,
            &detail,
            LAYER_CHIP,
        );
    }
    layer_chip(ui, app, palette, &Layer::STREAMING, LAYER_CHIP);
    legend(ui, app, palette);
    scale_chip(ui, app, palette);
}

fn dashes_and_hatches(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let mut drawn = 0;
    for (_, state, rect) in visible(app, stream) {
        if rect.width().max(rect.height()) < DOT {
            continue;
        }
        let color = palette.states[state as usize];
        let stroke = Stroke::new(1.5, color);
        match state {
            State::Queued if drawn < MOST_DASHED => dashed_rect(painter, rect, stroke, 4.0, 3.0),
            State::Queued => {
                painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
            }
            State::Unloading => {
                painter.rect_stroke(
                    rect,
                    CornerRadius::ZERO,
                    Stroke::new(1.0, color),
                    StrokeKind::Inside,
                );
                if drawn < MOST_DASHED {
                    hatch(painter, rect, Stroke::new(1.0, faded(color, 0.8)), 5.0);
                }
            }
            _ => continue,
        }
        drawn += 1;
    }
}

/// Slanted lines across a rectangle.
fn hatch(painter: &Painter, rect: Rect, stroke: Stroke, spacing: f32) {
    let rect = rect.intersect(painter.clip_rect());
    if !rect.is_positive() {
        return;
    }
    let mut offset = spacing;
    while offset < rect.width() + rect.height() {
        let from = pos2(
            rect.left() + offset.min(rect.width()),
            rect.top() + (offset - rect.width()).max(0.0),
        );
        let to = pos2(
            rect.left() + (offset - rect.height()).max(0.0),
            rect.top() + offset.min(rect.height()),
        );
        painter.line_segment([from, to], stroke);
        offset += spacing;
    }
}

/// The boxes that the last update looked at: dashed unions of the load tree, hatched intersections of the unload tree.
fn trees(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let query = RegionQuery {
        area: app.camera.view(),
        min_size: SMALLEST_NODE / app.camera.zoom,
    };
    let box_of = |region: &Region<'_>| match region.shape {
        RegionShape::Rect(area) => Some(area),
        RegionShape::Convex(_) | RegionShape::Line(..) => None,
    };
    if app.layers.shows(Layer::Unions) {
        stream.streaming().load_regions(query, &mut |region| {
            if region.role == Role::Inner
                && stream.entered.contains(&region.id)
                && let Some(area) = box_of(&region)
            {
                let color = faded(palette.at_depth(region.depth / 2 + 2), 0.6);
                dashed_rect(
                    painter,
                    app.camera.rect_to_screen(area),
                    Stroke::new(1.2, color),
                    9.0,
                    5.0,
                );
            }
        });
    }
    if app.layers.shows(Layer::Intersections) {
        let everywhere = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        stream
            .streaming()
            .unload_regions(everywhere, &mut |region| {
                if region.role != Role::Inner || !stream.looked_at.contains(&region.id) {
                    return;
                }
                let Some(area) = box_of(&region) else { return };
                intersection(painter, app, palette, area, region.depth);
            });
    }
}

fn intersection(painter: &Painter, app: &App, palette: &Palette, area: Aabb, depth: u16) {
    let color = palette.second;
    if area.is_empty() {
        // Nothing lies in all of them: the gap between the sides that crossed is shaded, and the search goes on below.
        let gap = Aabb::new(area.min.min(area.max), area.min.max(area.max));
        let rect = app.camera.rect_to_screen(gap);
        painter.rect_filled(rect, CornerRadius::ZERO, faded(color, 0.05));
        dashed_rect(
            painter,
            rect,
            Stroke::new(1.0, faded(color, 0.55)),
            2.0,
            4.0,
        );
        if depth == 0 {
            label(
                painter,
                palette,
                rect.left_bottom() + vec2(4.0, -4.0),
                "intersection B: empty, look below",
            );
        }
    } else {
        let rect = app.camera.rect_to_screen(area);
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.2, color),
            StrokeKind::Inside,
        );
        hatch(painter, rect, Stroke::new(1.0, faded(color, 0.30)), 7.0);
        if depth == 0 {
            // Below the box, and below the character where it stands at the lower border.
            let foot = app.stream.as_ref().map_or(rect.bottom(), |stream| {
                app.camera.to_screen(stream.character()).y + 14.0
            });
            let at = pos2(rect.left(), rect.bottom().max(foot) + 20.0);
            label(
                painter,
                palette,
                at,
                "intersection B: inside, all residents stay",
            );
        }
    }
}

/// The load rectangles of all objects whose rectangles are in view, and the unload rectangles of those that are there.
fn all_rectangles(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    /// More lines than this are a carpet.
    const MOST: usize = 600;
    let streaming = stream.streaming();
    let mut drawn = 0;
    for (number, state) in streaming.states().iter().enumerate() {
        let rectangles = streaming.rectangles(number as u32);
        let (area, color) = if state.is_wanted() {
            (rectangles.unload, palette.second)
        } else {
            (rectangles.load, palette.warning)
        };
        let Some(rect) = on_screen(app, area) else {
            continue;
        };
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.0, faded(color, 0.12)),
            StrokeKind::Middle,
        );
        drawn += 1;
        if drawn == MOST {
            break;
        }
    }
}

/// The need, load and unload rectangles of the selected object.
fn rectangles(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    if app.layers.shows(Layer::AllRectangles) {
        all_rectangles(painter, app, stream, palette);
    }
    // Who is pointed at shows its rectangles too, until somebody is selected.
    let hovered = app.cursor.and_then(|cursor| stream.object_at(cursor));
    let Some(object) = stream.selection.or(hovered) else {
        return;
    };
    if let Some(rect) = on_screen(app, stream.body(object)) {
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.6, palette.mark),
            StrokeKind::Outside,
        );
    }
    if !app.layers.shows(Layer::Rectangles) {
        return;
    }
    let rectangles = stream.streaming().rectangles(object);
    let named = |area: Aabb, word: &str, draw: &dyn Fn(Rect)| {
        let rect = app.camera.rect_to_screen(area);
        draw(rect);
        label(
            painter,
            palette,
            rect.right_bottom() - vec2(46.0, 2.0),
            word,
        );
    };
    named(rectangles.need, "need", &|rect| {
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.5, palette.mark),
            StrokeKind::Middle,
        );
    });
    named(rectangles.load, "load", &|rect| {
        dashed_rect(painter, rect, Stroke::new(1.5, palette.warning), 8.0, 4.0)
    });
    named(rectangles.unload, "unload", &|rect| {
        dashed_rect(painter, rect, Stroke::new(1.5, palette.second), 1.5, 4.0)
    });
}

/// The way gone, the path ahead, and where the character will be in one, two and three seconds.
fn path(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let trail: Vec<Pos2> = stream
        .trail
        .iter()
        .map(|point| app.camera.to_screen(*point))
        .collect();
    painter.add(Shape::line(
        trail,
        Stroke::new(1.2, faded(palette.mark, 0.35)),
    ));
    if let crate::app::stream::Mover::Path(path) = stream.mover
        && let Some(way) = stream.paths().get(path)
    {
        let corners = way.points.iter().chain(way.points.first());
        let corners: Vec<Pos2> = corners.map(|point| app.camera.to_screen(*point)).collect();
        painter.add(Shape::line(
            corners,
            Stroke::new(1.0, faded(palette.text_third, 0.45)),
        ));
    }
    let from = app.camera.to_screen(stream.character());
    let ahead = app.camera.to_screen(stream.predicted(3.0));
    if (ahead - from).length() < 24.0 {
        return;
    }
    painter.extend(Shape::dashed_line(
        &[from, ahead],
        Stroke::new(1.4, palette.mark),
        6.0,
        4.0,
    ));
    for seconds in [1.0, 2.0, 3.0] {
        let at = app.camera.to_screen(stream.predicted(seconds));
        painter.circle_stroke(at, 3.0, Stroke::new(1.2, palette.mark));
        if (ahead - from).length() > 150.0 {
            label(
                painter,
                palette,
                at + vec2(-10.0, -6.0),
                &format!("{seconds} s"),
            );
        }
    }
}

fn character(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let at = app.camera.to_screen(stream.character());
    painter.circle_filled(at, 13.0, faded(palette.field, 0.8));
    painter.circle_stroke(
        at,
        13.0,
        Stroke::new(if stream.is_grabbed() { 2.5 } else { 1.8 }, palette.mark),
    );
    let way = stream
        .velocity()
        .try_normalize()
        .unwrap_or(skirmish::geometry::Vec2::new(0.0, -1.0));
    let (along, across) = (vec2(way.x, way.y), vec2(-way.y, way.x));
    let corners = [
        at + along * 8.0,
        at - along * 5.5 + across * 5.5,
        at - along * 2.5,
        at - along * 5.5 - across * 5.5,
    ];
    // The notch makes it concave, so it is two triangles.
    for triangle in [[0, 1, 2], [0, 2, 3]] {
        let points = triangle.map(|index| corners[index]).to_vec();
        painter.add(Shape::convex_polygon(points, palette.mark, Stroke::NONE));
    }
}

/// What the states look like, and the boxes.
fn legend(ui: &Ui, app: &App, palette: &Palette) {
    let field = app.camera.screen;
    let entries: [(&str, Entry, Color32); 5] = [
        ("need", Entry::Line, palette.mark),
        ("load", Entry::Dash(8.0, 4.0), palette.warning),
        ("unload", Entry::Dash(1.5, 4.0), palette.second),
        (
            "union A, entered",
            Entry::Dash(9.0, 5.0),
            palette.at_depth(4),
        ),
        ("intersection B", Entry::Hatch, palette.second),
    ];
    let room = field.width() - 2.0 * layout::CHIP - 150.0 - 12.0;
    let width_of = |word: &str| {
        ui.fonts(|fonts| {
            fonts
                .layout_no_wrap(word.into(), text(size::DESCRIPTION), palette.text)
                .size()
                .x
        }) + 46.0
    };
    let mut shown = 0;
    let mut width = 12.0;
    for (word, _, _) in &entries {
        let more = width_of(word);
        if width + more > room {
            break;
        }
        width += more;
        shown += 1;
    }
    let rect = Rect::from_min_size(
        pos2(
            field.left() + layout::CHIP,
            field.bottom() - layout::CHIP - 30.0,
        ),
        vec2(width, 30.0),
    );
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let painter = ui.painter().with_clip_rect(rect);
    let mut left = rect.left() + 12.0;
    for (word, entry, color) in &entries[..shown] {
        let (y, end) = (rect.center().y, left + 24.0);
        match entry {
            Entry::Line => {
                painter.hline(left..=end, y, Stroke::new(1.5, *color));
            }
            Entry::Dash(dash, gap) => {
                painter.extend(Shape::dashed_line(
                    &[pos2(left, y), pos2(end, y)],
                    Stroke::new(1.5, *color),
                    *dash,
                    *gap,
                ));
            }
            Entry::Hatch => {
                let swatch = Rect::from_center_size(pos2(left + 12.0, y), vec2(22.0, 11.0));
                painter.rect_stroke(
                    swatch,
                    CornerRadius::ZERO,
                    Stroke::new(1.0, *color),
                    StrokeKind::Inside,
                );
                hatch(&painter, swatch, Stroke::new(1.0, faded(*color, 0.6)), 5.0);
            }
        }
        let at = pos2(end + 6.0, y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            *word,
            text(size::DESCRIPTION),
            palette.text_second,
        );
        left += width_of(word);
    }
}

/// How a legend shows a line.
enum Entry {
    Line,
    Dash(f32, f32),
    Hatch,
}
