//! What lies over the units: marks, the query's circle and its tag, what is hovered and selected, and the chips at the edges.

use super::units;
use crate::app::camera::Camera;
use crate::app::commands::{Command, Layer, row};
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, Tool};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{clear_covers, cover, place, spaced_capitals, switch_in, with_commas};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2,
    vec2,
};
use skirmish::observe::{MarkView, Outline, QueryView};
use skirmish::partition::{KnobRange, MarkRole, Role, UnitId};
use skirmish::scene::Side;

/// The width of the switches of the battle's layers, in points.
const LAYER_CHIP: f32 = 300.0;

/// Draws all of it; the switches in the chips act.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let field = app.camera.screen;
    let painter = ui.painter().with_clip_rect(field);
    clear_covers(ui.ctx());
    border(&painter, app, palette);
    marks(&painter, app, palette);
    hovered_region(&painter, app, palette);
    query(&painter, app, palette);
    rings(&painter, app, palette);
    if app.alive() == 0 {
        empty(&painter, app, palette);
    }
    structure_chip(ui, app, palette);
    layer_chip(ui, app, palette, &Layer::BATTLE, LAYER_CHIP);
    if app.layers.shows(Layer::Nodes) {
        legend(ui, app, palette);
    }
    scale_chip(ui, app, palette);
}

/// The border of the field in the world.
pub fn border(painter: &Painter, app: &App, palette: &Palette) {
    let rect = app.camera.rect_to_screen(app.scene.field);
    painter.rect_stroke(
        rect,
        CornerRadius::ZERO,
        Stroke::new(1.0, faded(palette.strong_line, 0.9)),
        StrokeKind::Outside,
    );
}

fn marks(painter: &Painter, app: &App, palette: &Palette) {
    if !app.layers.shows(Layer::Nodes) {
        return;
    }
    // Words never cover words: whoever comes first stands.
    let mut taken: Vec<Rect> = Vec::new();
    for mark in &app.frame.marks {
        let (stroke, fill) = match mark.role {
            MarkRole::Guide => (
                Stroke::new(1.0, faded(palette.text_third, 0.9)),
                Color32::TRANSPARENT,
            ),
            MarkRole::Home => (
                Stroke::new(2.0, palette.accent),
                faded(palette.accent, 0.16),
            ),
            MarkRole::Scanned => (
                Stroke::new(1.2, faded(palette.accent, 0.9)),
                faded(palette.accent, 0.09),
            ),
            MarkRole::Skipped => (
                Stroke::new(1.0, faded(palette.text_third, 0.8)),
                Color32::TRANSPARENT,
            ),
            MarkRole::Special => (Stroke::new(1.5, palette.warning), Color32::TRANSPARENT),
        };
        draw_mark(painter, app, mark, stroke, fill);
        if !mark.label.is_empty() && has_room(painter, app, palette, mark) {
            label_beside(
                painter,
                palette,
                mark_anchor(app, mark),
                &mark.label,
                &mut taken,
            );
        }
    }
}

fn draw_mark(painter: &Painter, app: &App, mark: &MarkView, stroke: Stroke, fill: Color32) {
    let camera = app.camera;
    match mark.outline {
        Outline::Rect(area) => {
            let rect = camera.rect_to_screen(area);
            painter.rect_filled(rect, CornerRadius::ZERO, fill);
            if mark.role == MarkRole::Skipped || mark.role == MarkRole::Guide {
                dashed_rect(painter, rect, stroke, 4.0, 4.0);
            } else {
                painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
            }
        }
        Outline::Line(from, to) => {
            painter.line_segment([camera.to_screen(from), camera.to_screen(to)], stroke);
        }
        Outline::Convex { start, count } => {
            let corners = app.frame.mark_corners.polygon(start, count);
            let corners: Vec<_> = corners
                .iter()
                .map(|corner| camera.to_screen(*corner))
                .collect();
            painter.add(Shape::convex_polygon(corners, fill, stroke));
        }
    }
}

/// Whether the words of a mark fit into its box: where they do not, they would cover their neighbours.
fn has_room(painter: &Painter, app: &App, palette: &Palette, mark: &MarkView) -> bool {
    match mark.outline {
        Outline::Rect(area) => {
            let font = number(size::CAPTION);
            let words = painter.layout_no_wrap(mark.label.clone(), font, palette.text);
            app.camera.rect_to_screen(area).width() >= words.size().x + 10.0
        }
        Outline::Line(..) | Outline::Convex { .. } => true,
    }
}

fn mark_anchor(app: &App, mark: &MarkView) -> Pos2 {
    match mark.outline {
        Outline::Rect(area) => app.camera.rect_to_screen(area).left_top(),
        Outline::Line(from, to) => app
            .camera
            .to_screen(from)
            .lerp(app.camera.to_screen(to), 0.5),
        Outline::Convex { start, count } => {
            let corners = app.frame.mark_corners.polygon(start, count);
            corners
                .first()
                .map_or(Pos2::ZERO, |corner| app.camera.to_screen(*corner))
        }
    }
}

/// A few words on a small chip whose lower left corner is at `at`, kept inside the painter's clip.
pub fn label(painter: &Painter, palette: &Palette, at: Pos2, words: &str) {
    label_beside(painter, palette, at, words, &mut Vec::new());
}

/// The same, unless it would cover one of `taken`, to which it is added.
fn label_beside(
    painter: &Painter,
    palette: &Palette,
    at: Pos2,
    words: &str,
    taken: &mut Vec<Rect>,
) {
    let galley = painter.layout_no_wrap(words.to_owned(), number(size::CAPTION), palette.text);
    let clip = painter.clip_rect().shrink(8.0);
    if !clip.expand(40.0).contains(at) {
        return;
    }
    let size_of_chip = galley.size() + vec2(8.0, 4.0);
    let left = at.x.clamp(
        clip.left(),
        (clip.right() - size_of_chip.x).max(clip.left()),
    );
    let top =
        (at.y - size_of_chip.y).clamp(clip.top(), (clip.bottom() - size_of_chip.y).max(clip.top()));
    let rect = Rect::from_min_size(pos2(left, top), size_of_chip);
    if taken.iter().any(|other| other.intersects(rect)) {
        return;
    }
    taken.push(rect);
    painter.rect_filled(rect, CornerRadius::same(3), faded(palette.panel, 0.86));
    painter.galley(rect.min + vec2(4.0, 2.0), galley, palette.text);
}

/// A rectangle in dashes, whose lengths are on the screen.
pub fn dashed_rect(painter: &Painter, rect: Rect, stroke: Stroke, dash: f32, gap: f32) {
    // What lies far outside would be cut into dashes that nobody sees.
    let clip = painter.clip_rect().expand(dash + gap);
    let shown = rect.intersect(clip);
    if !shown.is_positive() {
        return;
    }
    let visible = |on: bool, from: Pos2, to: Pos2| {
        if on {
            painter.extend(Shape::dashed_line(&[from, to], stroke, dash, gap));
        }
    };
    visible(
        rect.top() >= clip.top(),
        shown.left_top(),
        shown.right_top(),
    );
    visible(
        rect.bottom() <= clip.bottom(),
        shown.left_bottom(),
        shown.right_bottom(),
    );
    visible(
        rect.left() >= clip.left(),
        shown.left_top(),
        shown.left_bottom(),
    );
    visible(
        rect.right() <= clip.right(),
        shown.right_top(),
        shown.right_bottom(),
    );
}

fn hovered_region(painter: &Painter, app: &App, palette: &Palette) {
    let Some(region) = app
        .frame
        .path
        .last()
        .filter(|_| app.layers.shows(Layer::Nodes))
    else {
        return;
    };
    if let Outline::Rect(area) = region.outline {
        let rect = app.camera.rect_to_screen(area);
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(2.0, palette.accent),
            StrokeKind::Inside,
        );
    }
}

fn query(painter: &Painter, app: &App, palette: &Palette) {
    let Some(cursor) = app.cursor else { return };
    let center = app.camera.to_screen(cursor);
    let radius = app.brush.radius * app.camera.zoom;
    let color = match app.brush.tool {
        Tool::Blue => palette.side(Side::Blue),
        Tool::Orange => palette.side(Side::Orange),
        Tool::Erase => palette.error,
        Tool::Look => palette.mark,
    };
    painter.circle_stroke(center, radius.max(2.0), Stroke::new(1.5, palette.mark));
    if app.brush.tool != Tool::Look {
        painter.circle_stroke(
            center,
            (radius + 3.0).max(5.0),
            Stroke::new(1.0, faded(color, 0.9)),
        );
    }
    let Some(query) = &app.frame.query else {
        return;
    };
    if !app.layers.shows(Layer::Query) {
        return;
    }
    // A structure that has no regions to show shows its tests.
    if app.layers.shows(Layer::Tests) || app.frame.regions.list.is_empty() {
        tests(painter, app, palette, query);
    }
    let too_far = query.counter.tests.saturating_sub(query.counter.hits);
    let first = format!("{} in reach", with_commas(query.counter.hits));
    let second = format!("{} tested, too far", with_commas(too_far));
    let metres = if app.brush.radius < 10.0 {
        format!("{:.1} m", app.brush.radius)
    } else {
        format!("{:.0} m", app.brush.radius)
    };
    let circle = (center, radius);
    tag(
        painter,
        app.camera.screen,
        palette,
        circle,
        [&first, &second, &metres],
    );
}

/// Every test of the query as a line from its middle to the unit tested.
fn tests(painter: &Painter, app: &App, palette: &Palette, query: &QueryView) {
    /// More lines than this are a solid disc, not a picture.
    const MOST: usize = 4000;
    let center = app.camera.to_screen(query.center);
    let opacity = (60.0 / query.tested.len().max(1) as f32).clamp(0.05, 0.5);
    let stroke = Stroke::new(1.0, faded(palette.accent, opacity));
    let alive = |unit: &&UnitId| app.battle.bodies().is_alive(**unit);
    for &unit in query.tested.iter().filter(alive).take(MOST) {
        let at = app.camera.to_screen(app.battle.positions()[unit as usize]);
        painter.line_segment([center, at], stroke);
    }
}

/// Two lines and a number on a chip beside the circle, kept inside the field.
fn tag(painter: &Painter, field: Rect, palette: &Palette, circle: (Pos2, f32), words: [&str; 3]) {
    let (center, radius) = circle;
    let [first, second, right] = words;
    let first = painter.layout_no_wrap(first.to_owned(), text(size::SECOND), palette.text);
    let second = painter.layout_no_wrap(second.to_owned(), text(size::SECOND), palette.text_second);
    let right = painter.layout_no_wrap(right.to_owned(), number(size::CAPTION), palette.text_third);
    let width = (first.size().x + right.size().x + 18.0).max(second.size().x) + 20.0;
    let size_of_tag = vec2(width, 40.0);
    let reach = radius.min(field.width() / 3.0) * 0.72 + 10.0;
    let mut at = center + vec2(reach, -reach - size_of_tag.y);
    let room = field.shrink(8.0);
    if at.x + size_of_tag.x > room.right() {
        at.x = center.x - reach - size_of_tag.x;
    }
    if at.y < room.top() + 44.0 {
        at.y = center.y + reach;
    }
    at.x =
        at.x.clamp(room.left(), (room.right() - size_of_tag.x).max(room.left()));
    at.y =
        at.y.clamp(room.top(), (room.bottom() - size_of_tag.y).max(room.top()));
    let rect = Rect::from_min_size(at, size_of_tag);
    chip(painter, palette, rect);
    painter.galley(rect.min + vec2(10.0, 5.0), first, palette.text);
    painter.galley(rect.min + vec2(10.0, 20.0), second, palette.text_second);
    painter.galley(
        pos2(rect.right() - 10.0 - right.size().x, rect.top() + 7.0),
        right,
        palette.text_third,
    );
}

fn rings(painter: &Painter, app: &App, palette: &Palette) {
    let ring = |unit: UnitId, off: f32, width: f32| {
        let at = app.camera.to_screen(app.battle.positions()[unit as usize]);
        let radius = units::length(app.camera.zoom) / 2.0 + off;
        painter.circle_stroke(at, radius, Stroke::new(width, palette.mark));
    };
    if let Some(unit) = app
        .frame
        .unit
        .filter(|unit| app.battle.bodies().is_alive(*unit))
    {
        ring(unit, 4.0, 2.0);
    }
    if let Some(unit) = app.selection {
        ring(unit, 3.0, 1.6);
    }
}

fn empty(painter: &Painter, app: &App, palette: &Palette) {
    painter.text(
        app.camera.screen.center(),
        Align2::CENTER_CENTER,
        "No units. Click to place some, or open a scene.",
        text(size::NAME),
        palette.text_second,
    );
}

/// The background of everything that lies over the field.
pub fn chip(painter: &Painter, palette: &Palette, rect: Rect) {
    painter.rect(
        rect,
        CornerRadius::same(5),
        faded(palette.panel, 0.94),
        Stroke::new(1.0, palette.strong_line),
        StrokeKind::Inside,
    );
}

fn structure_chip(ui: &Ui, app: &App, palette: &Palette) {
    let info = app.index.info();
    let knobs: Vec<String> = info
        .knobs
        .iter()
        .enumerate()
        .filter(|(_, knob)| matches!(knob.range, KnobRange::Number { .. }))
        .take(2)
        .map(|(index, knob)| {
            format!(
                "{} {} {}",
                knob.name,
                knob.format(app.index.knob(index)),
                knob.unit
            )
            .trim_end()
            .to_owned()
        })
        .collect();
    title_chip(
        ui,
        app.camera,
        palette,
        info.name,
        &knobs.join(" · "),
        LAYER_CHIP,
    );
}

/// The chip at the upper left: what is seen, and how it is set. The chip at the upper right takes `taken` points.
pub fn title_chip(
    ui: &Ui,
    camera: Camera,
    palette: &Palette,
    name: &str,
    detail: &str,
    taken: f32,
) {
    let painter = ui.painter();
    let name = painter.layout_no_wrap(name.to_owned(), text(size::NAME), palette.text);
    let detail =
        painter.layout_no_wrap(detail.to_owned(), number(size::CAPTION), palette.text_third);
    let room = (camera.screen.width() - 2.0 * layout::CHIP - taken - 10.0).max(120.0);
    let with_detail =
        46.0 + name.size().x + 18.0 + detail.size().x <= room && detail.size().x > 0.0;
    let width = 46.0
        + name.size().x
        + if with_detail {
            18.0 + detail.size().x
        } else {
            0.0
        };
    let rect = Rect::from_min_size(
        camera.screen.min + Vec2::splat(layout::CHIP),
        vec2(width, 30.0),
    );
    chip(painter, palette, rect);
    cover(ui.ctx(), rect);
    let icon = Rect::from_center_size(pos2(rect.left() + 18.0, rect.center().y), vec2(12.0, 12.0));
    let stroke = Stroke::new(1.2, palette.accent);
    painter.rect_stroke(icon, CornerRadius::same(2), stroke, StrokeKind::Middle);
    painter.vline(icon.center().x, icon.y_range(), stroke);
    painter.hline(icon.x_range(), icon.center().y, stroke);
    let top = rect.center().y - name.size().y / 2.0;
    let left = rect.left() + 34.0 + name.size().x + 18.0;
    painter.galley(pos2(rect.left() + 34.0, top), name, palette.text);
    if with_detail {
        painter.galley(
            pos2(left, rect.center().y - detail.size().y / 2.0),
            detail,
            palette.text_third,
        );
    }
}

/// The chip at the upper right: the layers, each a switch.
pub fn layer_chip(ui: &mut Ui, app: &mut App, palette: &Palette, layers: &[Layer], width: f32) {
    let field = app.camera.screen;
    if field.width() < width + 2.0 * layout::CHIP {
        return;
    }
    let rect = Rect::from_min_size(
        pos2(
            field.right() - layout::CHIP - width,
            field.top() + layout::CHIP,
        ),
        vec2(width, 30.0),
    );
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let each = (width - 8.0) / layers.len() as f32;
    for (index, layer) in layers.iter().enumerate() {
        let cell = Rect::from_min_size(
            rect.min + vec2(4.0 + each * index as f32, 4.0),
            vec2(each, 22.0),
        )
        .shrink2(vec2(1.5, 0.0));
        let entry = row(Command::Layer(*layer));
        let help = entry
            .map(|row| format!("{} ({})", row.help, row.shortcuts[0].label()))
            .unwrap_or_default();
        let id = format!("layer.{}", layer.name().to_lowercase());
        if switch_in(
            ui,
            palette,
            &id,
            cell,
            layer.name(),
            app.layers.shows(*layer),
            &help,
        ) {
            app.run(Command::Layer(*layer));
        }
    }
}

fn legend(ui: &Ui, app: &App, palette: &Palette) {
    let regions = &app.frame.regions.list;
    let cells = regions
        .iter()
        .any(|region| matches!(region.role, Role::Cell | Role::Slot));
    if regions.is_empty() {
        return;
    }
    let field = app.camera.screen;
    let (word, steps) = if cells { ("load", 8) } else { ("depth", 8) };
    let width = 62.0 + steps as f32 * 17.0;
    let rect = Rect::from_min_size(
        pos2(
            field.left() + layout::CHIP,
            field.bottom() - layout::CHIP - 30.0,
        ),
        vec2(width, 30.0),
    );
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    spaced_capitals(
        ui.painter(),
        rect.left_center() + vec2(10.0, 0.0),
        word,
        palette.text_third,
    );
    let deepest = regions.iter().map(|region| region.depth).max().unwrap_or(0);
    for step in 0..steps {
        let left = rect.left() + 54.0 + step as f32 * 17.0;
        let swatch = Rect::from_min_size(pos2(left, rect.top() + 6.0), vec2(15.0, 7.0));
        let (color, tick) = if cells {
            let part = (step + 1) as f32 / 8.0;
            (
                faded(palette.depth[7], 0.05 + 0.6 * part * part),
                (step + 1).to_string(),
            )
        } else {
            (
                palette.depth[step],
                if deepest > 10 {
                    (step * 2).to_string()
                } else {
                    step.to_string()
                },
            )
        };
        ui.painter().rect_filled(swatch, CornerRadius::ZERO, color);
        ui.painter().text(
            pos2(swatch.center().x, rect.top() + 21.0),
            Align2::CENTER_CENTER,
            tick,
            number(9.0),
            palette.text_third,
        );
    }
}

/// The chip at the lower right: how long a metre is.
pub fn scale_chip(ui: &Ui, app: &App, palette: &Palette) {
    let field = app.camera.screen;
    let rect = Rect::from_min_size(
        pos2(
            field.right() - layout::CHIP - 150.0,
            field.bottom() - layout::CHIP - 30.0,
        ),
        vec2(150.0, 30.0),
    );
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    place(ui.ctx(), "chip.scale", rect);
    let metres = app.camera.round_length(90.0);
    let length = metres * app.camera.zoom;
    let (left, y) = (rect.left() + 10.0, rect.bottom() - 8.0);
    let stroke = Stroke::new(1.0, palette.text_second);
    ui.painter().hline(left..=left + length, y, stroke);
    ui.painter().vline(left, y - 3.0..=y, stroke);
    ui.painter().vline(left + length, y - 3.0..=y, stroke);
    let words = if metres >= 1000.0 {
        format!("{} km", metres / 1000.0)
    } else {
        format!("{metres} m")
    };
    let middle = pos2(left + length / 2.0, rect.top() + 10.0);
    ui.painter().text(
        middle,
        Align2::CENTER_CENTER,
        words,
        number(size::CAPTION),
        palette.text_second,
    );
    let zoom = app.camera.zoom;
    let zoom = if zoom >= 0.1 {
        format!("{zoom:.2}×")
    } else {
        format!("{zoom:.0e}×")
    };
    ui.painter().text(
        rect.right_center() - vec2(8.0, 0.0),
        Align2::RIGHT_CENTER,
        zoom,
        number(size::CAPTION),
        palette.text_third,
    );
}
