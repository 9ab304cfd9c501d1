//! Plots of the last ten seconds.

mod axis;
mod before;

use super::polyline::without_the_unseen;
use super::stat::explained;
use super::words::with_commas;
use crate::app::glossary::{self, Named};
use crate::app::history::{LENGTH, Series, Stretch, percentile};
use crate::app::palette::{Palette, faded, mixed};
use crate::app::theme::{number, size, text};
pub use axis::Scale;
use axis::{axes, round_up, short, side_by_side};
use before::Before;
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Galley, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, Vec2, pos2, vec2,
};
use std::ops::Range;
use std::sync::Arc;

/// A curve of a plot.
pub struct Curve<'a> {
    /// What it is called, and what that means.
    pub name: Named<'a>,
    /// Its values, one a tick.
    pub series: &'a Series,
    /// Its colour.
    pub color: Color32,
    /// Whether the area under it is filled.
    pub filled: bool,
    /// By how much its values are multiplied.
    pub scale: f32,
    /// Which structure there was when: what is not of the last of them is dimmed. Empty where that does not matter.
    pub stretches: &'a [Stretch],
}

/// A plot.
pub struct Plot<'a> {
    /// What it shows, in a few words, and what that means.
    pub title: Named<'a>,
    /// How values lie on its height.
    pub scale: Scale,
    /// What the values are.
    pub unit: &'a str,
    /// The tick of the newest value.
    pub tick: u64,
    /// Whether somebody has gone back to it: it is not the present.
    pub is_past: bool,
    /// The first one is the one of which there are figures beside the title.
    pub curves: &'a [Curve<'a>],
    /// What the curves are called at a place among their values, where that is not always the same: a lane has had other structures.
    pub names_at: Option<&'a dyn Fn(usize) -> Vec<String>>,
}

/// How many values a plot must have before its greatest count as outliers.
const OUTLIERS_FROM: usize = 60;

/// Draws plots beside each other, each with its title, the names of its curves and its figures above it. Under the cursor they say the
/// values. Where one has no room for what is usual none says it: else it would be read as what one alone has.
pub fn plots_beside(ui: &mut Ui, palette: &Palette, plots: [(Rect, &Plot<'_>); 2]) {
    let figures = plots.map(|(_, plot)| usual(plot));
    let has_room = |((rect, plot), figures): (&(Rect, &Plot<'_>), &String)| {
        if figures.is_empty() {
            return true;
        }
        let clipped = height(plot).1.map_or(String::new(), clipped_in_words);
        Head::lay(ui, palette, head_of(*rect), plot, [figures, &clipped]).has_room[USUAL]
    };
    let says_usual = plots.iter().zip(&figures).all(has_room);
    for ((rect, it), figures) in plots.into_iter().zip(&figures) {
        plot(ui, palette, rect, it, if says_usual { figures } else { "" });
    }
}

/// The line above a plot.
fn head_of(rect: Rect) -> Rect {
    rect.with_max_y(rect.top() + 16.0)
}

/// What half of the values of its first curve, and nearly all of them, do not exceed, since the present structure was chosen; empty where
/// there are none.
fn usual(plot: &Plot<'_>) -> String {
    let Some(first) = plot.curves.first() else {
        return String::new();
    };
    let present = first.stretches.last().map_or(0, |stretch| stretch.from);
    let values = first.series.values();
    let of_present = &values[present.min(values.len())..];
    let part = |part: f32| short(percentile(of_present, part) * first.scale);
    match of_present.iter().all(|value| value.is_nan()) {
        true => String::new(),
        false => format!("p50 {}  p99 {}", part(0.5), part(0.99)),
    }
}

fn plot(ui: &mut Ui, palette: &Palette, rect: Rect, plot: &Plot<'_>, figures: &str) {
    let body = rect.with_min_y(rect.top() + 22.0);
    let head = head_of(rect);
    let Some(area) = area(ui, palette, body, plot) else {
        let _ = plot_head(ui, palette, head, plot, ["", ""]);
        return;
    };
    let said = area.clipped.map_or(String::new(), clipped_in_words);
    let first = &plot.curves[0];
    let is_said = plot_head(ui, palette, head, plot, [figures, &said]);
    let painter = ui.painter().with_clip_rect(area.frame.expand(1.0));
    let kinds = kind_names(&painter, palette, &area, first);
    let taken: Vec<Rect> = kinds.iter().map(|(rect, _)| *rect).collect();
    // A line that has no room for its name says nothing.
    let before = Before::of(&area, first);
    let id = ui.id().with((plot.title.name, "the structure before"));
    let named =
        before.and_then(|before| before.named(&painter, palette, &area, (plot, &taken, id)));
    if let Some((before, _)) = &named {
        before.line(&painter, palette, &area);
    }
    area.curves(&painter, palette, plot);
    if let Some((_, name)) = named {
        name.draw(&painter, palette);
    }
    switches(&painter, palette, &area, first);
    for (rect, galley) in kinds {
        ground(&painter, palette, rect);
        painter.galley(rect.min, galley, palette.text_third);
    }
    if !is_said && let Some((_, most)) = area.clipped {
        clipped_within(ui, palette, &area, most);
    }
    under_cursor(ui, palette, &area, plot);
}

/// Below words that stand upon curves: a ground of the panel's colour, through which no line strikes.
fn ground(painter: &Painter, palette: &Palette, words: Rect) {
    let color = faded(palette.panel, 0.9);
    painter.rect_filled(words.expand2(vec2(2.0, 0.0)), CornerRadius::same(3), color);
}

/// What is clipped where the head has no room for it: how far that goes, below the triangles.
fn clipped_within(ui: &Ui, palette: &Palette, area: &Area, most: f32) {
    let painter = ui.painter();
    let words = format!("up to {}", short(most));
    let galley = painter.layout_no_wrap(words, text(size::CAPTION), palette.warning);
    let at = area.frame.left_top() + vec2(4.0, 7.0);
    let rect = Rect::from_min_size(at, galley.size());
    let ground = faded(palette.panel, 0.86);
    painter.rect_filled(rect.expand2(vec2(3.0, 0.0)), CornerRadius::same(3), ground);
    painter.galley(at, galley, palette.warning);
}

/// Draws the curves of a plot alone, and says where each of them ends, and what was clipped, if these words are no wider than `room`;
/// else they stand below the triangles. What stands beside the curves is the caller's.
pub fn plot_body(
    ui: &mut Ui,
    palette: &Palette,
    (body, room): (Rect, f32),
    plot: &Plot<'_>,
) -> (Vec<Option<Pos2>>, String) {
    let Some(area) = area(ui, palette, body, plot) else {
        return (Vec::new(), String::new());
    };
    let painter = ui.painter().with_clip_rect(area.frame.expand(1.0));
    area.curves(&painter, palette, plot);
    let mut said = area.clipped.map_or(String::new(), clipped_in_words);
    let galley = painter.layout_no_wrap(said.clone(), text(size::CAPTION), palette.warning);
    if let Some((_, most)) = area.clipped
        && galley.size().x > room
    {
        clipped_within(ui, palette, &area, most);
        said.clear();
    }
    under_cursor(ui, palette, &area, plot);
    let end = |curve: &Curve<'_>| {
        let values = curve.series.values();
        let last = values.iter().rposition(|value| !value.is_nan())?;
        Some(area.at(values.len() - 1 - last, values[last] * curve.scale))
    };
    (plot.curves.iter().map(end).collect(), said)
}

fn clipped_in_words((count, most): (usize, f32)) -> String {
    format!("{count} clipped, up to {}", short(most))
}

/// Draws the axes, and gives where values lie; where there are none it says so.
fn area(ui: &Ui, palette: &Palette, body: Rect, plot: &Plot<'_>) -> Option<Area> {
    if plot.curves.iter().all(|curve| curve.series.is_empty()) {
        ui.painter().rect_stroke(
            body,
            CornerRadius::same(2),
            Stroke::new(1.0, palette.line),
            StrokeKind::Inside,
        );
        ui.painter().text(
            body.center(),
            Align2::CENTER_CENTER,
            "no data yet",
            text(size::SECOND),
            palette.text_second,
        );
        return None;
    }
    let (top, clipped) = height(plot);
    let frame = Rect::from_min_max(
        pos2(body.left() + 38.0, body.top() + 2.0),
        pos2(body.right(), body.bottom() - 15.0),
    );
    let last = match plot.is_past {
        true => format!("tick {}", with_commas(plot.tick)),
        false => "now".to_owned(),
    };
    axes(ui.painter(), palette, frame, (plot.scale, top), last);
    Some(Area {
        frame,
        scale: plot.scale,
        top,
        clipped,
    })
}

/// The value at the top of a plot, and how many lie above it and how far, where a few are so far above all others that these
/// would be a line on the floor.
fn height(plot: &Plot<'_>) -> (f32, Option<(usize, f32)>) {
    let (mut most, mut usual, mut count) = (0.0_f32, 0.0_f32, 0);
    for curve in plot.curves {
        let values = curve.series.values();
        let greatest = values.iter().copied().fold(0.0, f32::max);
        most = most.max(greatest * curve.scale);
        // Where most values are nothing, those that are something are what it shows, and the axis ends at no less than p99.
        let part = match percentile(values, 0.5) > 0.0 {
            true => 0.965,
            false => 0.99,
        };
        usual = usual.max(percentile(values, part) * curve.scale);
        count = count.max(values.len());
    }
    let whole = if most > 0.0 { round_up(most) } else { 1.0 };
    let clips = plot.scale == Scale::Linear && count >= OUTLIERS_FROM && usual > 0.0;
    let top = round_up(usual * 1.2);
    if !clips || most < 1.8 * top {
        return (whole, None);
    }
    let above = |curve: &Curve<'_>| {
        let values = curve.series.values().iter();
        values.filter(|value| **value * curve.scale > top).count()
    };
    let count = plot.curves.iter().map(above).sum();
    (top, Some((count, most)))
}

/// Where the values of a plot lie.
struct Area {
    frame: Rect,
    scale: Scale,
    top: f32,
    /// How many values lie above the top, and how far.
    clipped: Option<(usize, f32)>,
}

impl Area {
    /// Where a value lies that is so many ticks old.
    fn at(&self, age: usize, value: f32) -> Pos2 {
        let height = self.frame.height() * self.scale.part(value, self.top);
        pos2(self.x(age), self.frame.bottom() - height)
    }

    fn x(&self, age: usize) -> f32 {
        self.frame.right() - self.frame.width() * age as f32 / (LENGTH - 1) as f32
    }

    fn curves(&self, painter: &Painter, palette: &Palette, plot: &Plot<'_>) {
        for curve in plot.curves {
            self.curve(painter, palette, curve);
            if self.clipped.is_some() {
                self.outliers(painter, palette, curve);
            }
        }
    }

    /// Draws a curve: the stretch of the present structure in its colour, those before in the same, dimmed.
    fn curve(&self, painter: &Painter, palette: &Palette, curve: &Curve<'_>) {
        let stretches = curve.stretches;
        let values = curve.series.values();
        let whole = [0];
        let begins: Vec<usize> = stretches.iter().map(|stretch| stretch.from).collect();
        let begins = if begins.is_empty() {
            &whole[..]
        } else {
            &begins
        };
        for (place, &from) in begins.iter().enumerate() {
            let next = begins.get(place + 1).copied();
            // A stretch reaches to the first value of the next one, so that there is no gap between them.
            let to = next.map_or(values.len(), |next| (next + 1).min(values.len()));
            let is_present = next.is_none();
            let color = if is_present {
                curve.color
            } else {
                mixed(palette.panel, curve.color, 0.5)
            };
            for known in runs(values, from.min(to)..to) {
                let at =
                    |index: usize| self.at(values.len() - 1 - index, values[index] * curve.scale);
                if known.len() == 1 && next != Some(known.start) {
                    // A line of one point is not seen.
                    painter.circle_filled(at(known.start), 1.0, color);
                    continue;
                }
                let points = without_the_unseen(known.map(at).collect());
                if curve.filled {
                    let fill = faded(color, if is_present { 0.14 } else { 0.08 });
                    painter.add(area_under(&points, self.frame.bottom(), fill));
                }
                painter.add(Shape::line(points, Stroke::new(1.4, color)));
            }
        }
    }

    /// Where the values of a curve are.
    fn points<'s>(&'s self, curve: &'s Curve<'_>) -> impl Iterator<Item = Pos2> + 's {
        let values = curve.series.values();
        let known = values.iter().enumerate().filter(|(_, it)| !it.is_nan());
        known.map(|(index, value)| self.at(values.len() - 1 - index, value * curve.scale))
    }

    /// A small triangle at the top for each value that lies above it.
    fn outliers(&self, painter: &Painter, palette: &Palette, curve: &Curve<'_>) {
        let values = curve.series.values();
        let mut last = f32::NEG_INFINITY;
        for (index, value) in values.iter().enumerate() {
            let at = pos2(self.x(values.len() - 1 - index), self.frame.top() + 1.0);
            if value * curve.scale > self.top && at.x - last > 5.0 {
                last = at.x;
                let corners = vec![at, at + vec2(-3.0, 5.0), at + vec2(3.0, 5.0)];
                painter.add(Shape::convex_polygon(
                    corners,
                    palette.warning,
                    Stroke::NONE,
                ));
            }
        }
    }
}

/// The places within these whose values are known, each run of them by itself: no line goes over what was not measured.
fn runs(values: &[f32], within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = within.start;
    std::iter::from_fn(move || {
        let is_known = |index: &usize| !values[*index].is_nan();
        let start = (from..within.end).find(is_known)?;
        let end = (start..within.end).find(|index| !is_known(index));
        from = end.unwrap_or(within.end);
        Some(start..from)
    })
}

/// Where a value is so many places behind the first one.
fn x_of(area: &Area, first: &Curve<'_>, from: usize) -> f32 {
    let count = first.series.values().len();
    area.x(count.saturating_sub(1 + from))
}

/// A dashed line at each switch of structures.
fn switches(painter: &Painter, palette: &Palette, area: &Area, first: &Curve<'_>) {
    for two in first.stretches.windows(2) {
        if two[0].kind == two[1].kind {
            continue;
        }
        let x = x_of(area, first, two[1].from);
        let line = [pos2(x, area.frame.top()), pos2(x, area.frame.bottom())];
        let stroke = Stroke::new(1.0, faded(palette.second, 0.8));
        painter.extend(Shape::dashed_line(&line, stroke, 3.0, 3.0));
    }
}

/// The structures' names, each at the upper edge of its stretch where there is room for it.
fn kind_names(
    painter: &Painter,
    palette: &Palette,
    area: &Area,
    first: &Curve<'_>,
) -> Vec<(Rect, Arc<Galley>)> {
    let mut names = Vec::new();
    if first.stretches.len() < 2 {
        return names;
    }
    let mut free = f32::NEG_INFINITY;
    let stretches = first.stretches.iter().enumerate();
    for (place, stretch) in stretches {
        let is_new = place == 0 || first.stretches[place - 1].kind != stretch.kind;
        if !is_new {
            continue;
        }
        let next = first.stretches[place + 1..]
            .iter()
            .find(|next| next.kind != stretch.kind);
        let right = next.map_or(area.frame.right(), |next| x_of(area, first, next.from));
        let is_present = next.is_none();
        let color = if is_present {
            palette.text_second
        } else {
            palette.text_third
        };
        let name = stretch.kind.info().name.to_owned();
        let galley = painter.layout_no_wrap(name, text(size::CAPTION), color);
        let left = (x_of(area, first, stretch.from).max(area.frame.left()) + 4.0).max(free);
        if left + galley.size().x + 2.0 <= right {
            free = left + galley.size().x + 6.0;
            // Below the triangles of what is clipped.
            let down = if area.clipped.is_some() { 7.0 } else { 1.0 };
            let at = pos2(left, area.frame.top() + down);
            names.push((Rect::from_min_size(at, galley.size()), galley));
        }
    }
    names
}

/// The tick under the cursor, and the values of all curves there.
fn under_cursor(ui: &Ui, palette: &Palette, area: &Area, plot: &Plot<'_>) {
    let Some(at) = ui.ctx().pointer_hover_pos() else {
        return;
    };
    let over = area.frame.expand2(vec2(0.0, 4.0)).contains(at);
    if !over || !ui.rect_contains_pointer(area.frame.expand(4.0)) {
        return;
    }
    let count = plot.curves[0].series.values().len();
    let age = (area.frame.right() - at.x) / area.frame.width() * (LENGTH - 1) as f32;
    let age = (age.round().max(0.0) as usize).min(count.saturating_sub(1));
    let index = count - 1 - age;
    let painter = ui.painter();
    let room = area.frame.width() - 2.0 * TAG.x;
    let lay_out = |words: String| {
        let font = number(size::CAPTION);
        painter.layout_no_wrap(words, font, palette.text)
    };
    let fits = |line: &str| lay_out(line.to_owned()).size().x <= room;
    let galley = lay_out(in_lines(&words_at(plot, index, age), fits));
    let x = area.x(age);
    let line = Stroke::new(1.0, faded(palette.mark, 0.45));
    painter.vline(x, area.frame.y_range(), line);
    for curve in plot.curves {
        let value = curve.series.values().get(index).copied();
        if let Some(value) = value.filter(|value| !value.is_nan()) {
            painter.circle_filled(area.at(age, value * curve.scale), 2.5, palette.mark);
        }
    }
    let tag = tag_place(area.frame, ui.clip_rect(), x, galley.size() + 2.0 * TAG);
    painter.rect(
        tag,
        CornerRadius::same(4),
        faded(palette.panel, 0.94),
        Stroke::new(1.0, palette.strong_line),
        StrokeKind::Inside,
    );
    painter.galley(tag.min + TAG, galley, palette.text);
}

/// Between the edge of the tag under the cursor and its words, in points.
const TAG: Vec2 = vec2(6.0, 3.0);

/// The tag in one line where that fits, else one part a line.
fn in_lines(parts: &[String], fits: impl Fn(&str) -> bool) -> String {
    let line = parts.join("  ");
    match fits(&line) {
        true => line,
        false => parts.join("\n"),
    }
}

/// Where a tag of this size stands in a frame, in whose middle it has `x` where it can: within the frame where that is large enough, and
/// within the window in any case.
fn tag_place(frame: Rect, window: Rect, x: f32, size: Vec2) -> Rect {
    /// Below the upper edge, where there is room for that.
    const DOWN: f32 = 14.0;
    let left = (x - size.x / 2.0).min(frame.right() - size.x);
    let left = left.max(frame.left()).min(window.right() - size.x);
    let top = (frame.top() + DOWN).min(frame.bottom() - size.y);
    let top = top.max(frame.top()).min(window.bottom() - size.y);
    Rect::from_min_size(pos2(left, top), size)
}

/// The tick at a place among the values, and what each curve is there, each a part by itself.
fn words_at(plot: &Plot<'_>, index: usize, age: usize) -> Vec<String> {
    let mut tick = format!("tick {}", with_commas(plot.tick.saturating_sub(age as u64)));
    let curves = plot.curves.iter();
    let names = match plot.names_at {
        Some(names_at) => names_at(index),
        None => curves.map(|curve| curve.name.name.to_owned()).collect(),
    };
    // Where all curves are of one structure it is said once, unless they are called like it.
    let first = plot.curves[0].stretches;
    let mut curves = plot.curves.iter();
    let is_of_all = plot.names_at.is_none() && curves.all(|curve| curve.stretches == first);
    let stretch = first.iter().rev().find(|it| it.from <= index);
    let name = stretch.map(|stretch| stretch.kind.info().name);
    if let Some(name) = name.filter(|name| is_of_all && names.iter().all(|it| it != name)) {
        tick += &format!("  {name}");
    }
    let values = plot.curves.iter().map(|curve| {
        let value = curve.series.values().get(index).copied();
        value.map_or(f32::NAN, |value| value * curve.scale)
    });
    let figures = side_by_side(&values.collect::<Vec<_>>());
    let each = names.iter().zip(figures);
    let each = each.map(|(name, figure)| format!("{name} {figure}"));
    std::iter::once(tick).chain(each).collect()
}

/// The area between a curve and the floor, as one mesh: a polygon that is not convex cannot be filled otherwise.
fn area_under(points: &[Pos2], floor: f32, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for point in points {
        mesh.colored_vertex(*point, color);
        mesh.colored_vertex(pos2(point.x, floor), color);
    }
    for left in (0..points.len().saturating_sub(1) as u32).map(|index| index * 2) {
        mesh.add_triangle(left, left + 1, left + 2);
        mesh.add_triangle(left + 1, left + 3, left + 2);
    }
    mesh
}

/// What is left free around the names of curves, in points.
#[derive(Clone, Copy, Debug)]
struct Gaps {
    /// Before the first.
    before: f32,
    /// From the beginning of a line to the name behind it.
    line: f32,
    /// Behind a name.
    behind: f32,
}

impl Gaps {
    /// Where there is room.
    const WIDE: Self = Self {
        before: 18.0,
        line: 18.0,
        behind: 12.0,
    };
    /// Where there is little.
    const TIGHT: Self = Self {
        before: 10.0,
        line: 13.0,
        behind: 7.0,
    };
}

/// What stands at the right of a head, by its place from the edge on: the unit, what is usual, and what was clipped.
const USUAL: usize = 1;
const CLIPPED: usize = 2;

/// What stands above a plot.
struct Head<'p> {
    title: Arc<Galley>,
    gaps: Gaps,
    names: Vec<(&'p Curve<'p>, Arc<Galley>)>,
    /// What is said at the right, with what is left free before each.
    said: [(Arc<Galley>, f32); 3],
    has_room: [bool; 3],
}

impl<'p> Head<'p> {
    /// Before what is usual is left out names stand closer, and before a name is the title is said in short as well.
    fn lay(
        ui: &Ui,
        palette: &Palette,
        head: Rect,
        plot: &'p Plot<'p>,
        [figures, clipped]: [&str; 2],
    ) -> Self {
        let painter = ui.painter();
        let curves = plot.curves.iter().filter(|_| plot.curves.len() > 1);
        let names: Vec<_> = curves
            .map(|curve| {
                let (name, font) = (curve.name.name, text(size::DESCRIPTION));
                let galley = painter.layout_no_wrap(name.to_owned(), font, palette.text_third);
                (curve, galley)
            })
            .collect();
        // A curve without a name says nothing: before one is left out names stand closer, and the title is said in short.
        let short = match plot.title.name.strip_suffix(", log scale") {
            // What its scale is stays said: the same height would be another number.
            Some(what) => format!("{}, log", what.split(' ').next().unwrap_or_default()),
            None => plot
                .title
                .name
                .split(',')
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        let lay_title = |title: &str| {
            let font = text(size::SECOND);
            painter.layout_no_wrap(title.to_owned(), font, palette.text_second)
        };
        let wide = |gaps: Gaps| {
            let each = names
                .iter()
                .map(|(_, name)| gaps.line + name.size().x + gaps.behind);
            gaps.before + each.sum::<f32>()
        };
        // It would say again what the title begins with.
        let is_told = plot.title.name.starts_with(plot.unit);
        let unit = if is_told { "" } else { plot.unit };
        let (small, digits) = (text(size::CAPTION), number(size::CAPTION));
        let said = [
            (unit, small.clone(), palette.text_third, 4.0),
            (figures, digits, palette.text_second, 12.0),
            (clipped, small, palette.warning, 12.0),
        ];
        let said = said.map(|(words, font, color, gap)| {
            (painter.layout_no_wrap(words.to_owned(), font, color), gap)
        });
        let of_said = said.iter().filter(|(galley, _)| galley.size().x > 0.0);
        let of_said: f32 = of_said.map(|(galley, gap)| galley.size().x + gap).sum();
        let forms = [
            (plot.title.name, Gaps::WIDE),
            (plot.title.name, Gaps::TIGHT),
            (&*short, Gaps::TIGHT),
        ];
        let mut forms = forms.map(|(title, gaps)| (lay_title(title), gaps));
        let has_all = |(title, gaps): &(Arc<Galley>, Gaps)| {
            title.size().x + wide(*gaps) + of_said <= head.width()
        };
        let has_names = |(title, gaps): &(Arc<Galley>, Gaps)| {
            names.is_empty() || title.size().x + wide(*gaps) - gaps.behind <= head.width()
        };
        let whole = forms[..2].iter().position(has_all);
        let fits = whole.or_else(|| forms.iter().position(has_names));
        let last = forms.len() - 1;
        forms.swap(0, fits.unwrap_or(last));
        let [(title, gaps), ..] = forms;
        // What has no room beside what matters more is left out: a curve without a name says nothing, what was clipped is marked, and what
        // is usual can be read off the curve.
        let mut room = head.width() - title.size().x - wide(gaps);
        let mut has_room = [false; 3];
        for place in [0, CLIPPED, USUAL] {
            let (galley, gap) = &said[place];
            let width = galley.size().x + gap;
            has_room[place] = galley.size().x > 0.0 && width <= room;
            room -= if has_room[place] { width } else { 0.0 };
        }
        Self {
            title,
            gaps,
            names,
            said,
            has_room,
        }
    }
}

/// The title at the left, the curves' names beside it, and at the right the unit, the newest value, and what is usual. Each says
/// under the cursor what it means.
///
/// Says whether what was clipped is said, or nothing was.
fn plot_head(
    ui: &Ui,
    palette: &Palette,
    head: Rect,
    plot: &Plot<'_>,
    [figures, clipped]: [&str; 2],
) -> bool {
    let painter = ui.painter();
    let explain = |rect: Rect, key: &str, means: &str| {
        let id = ui.id().with((plot.title.name, key));
        let rect = Rect::from_x_y_ranges(rect.x_range(), head.y_range());
        explained(ui.interact(rect, id, Sense::hover()), means);
    };
    let Head {
        title,
        gaps,
        names,
        said,
        has_room,
    } = Head::lay(ui, palette, head, plot, [figures, clipped]);
    let at = pos2(head.left(), head.center().y - title.size().y / 2.0);
    let drawn = Rect::from_min_size(at, title.size());
    painter.galley(at, title, palette.text_second);
    explain(drawn, "title", plot.title.means);
    let usual = format!(
        "p50: {} p99: {}",
        glossary::means("", "p50"),
        glossary::means("", "p99")
    );
    let means = ["", &usual, glossary::means("", "clipped")];
    // From the right edge on, with what is left free before each.
    let mut right = head.right();
    let shown = has_room.into_iter().zip(said.into_iter().zip(means));
    for (_, ((galley, gap), means)) in shown.filter(|(has_room, _)| *has_room) {
        let left = right - galley.size().x;
        let at = pos2(left, head.center().y - galley.size().y / 2.0);
        explain(Rect::from_min_size(at, galley.size()), galley.text(), means);
        painter.galley(at, galley, palette.text_second);
        right = left - gap;
    }
    // What stands at the right keeps a little off the names, where there is anything.
    let right = if right < head.right() {
        right - 4.0
    } else {
        right
    };
    let mut left = drawn.right() + gaps.before;
    for (curve, name) in names {
        let end = left + gaps.line + name.size().x;
        // A name that would run out of the plot is left out; its curve stays.
        if end > right {
            break;
        }
        let y = head.center().y;
        painter.line_segment(
            [pos2(left, y), pos2(left + gaps.line - 4.0, y)],
            Stroke::new(1.6, curve.color),
        );
        painter.galley(
            pos2(left + gaps.line, y - name.size().y / 2.0),
            name,
            palette.text_third,
        );
        let rect = Rect::from_x_y_ranges(left..=end, head.y_range());
        explain(rect, curve.name.name, curve.name.means);
        left = end + gaps.behind;
    }
    clipped.is_empty() || has_room[CLIPPED]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::theme;
    use egui_macroquad::egui::{CentralPanel, Context, RawInput};

    #[test]
    fn names_of_curves_stand_closer_before_what_is_usual_is_left_out() {
        let series = Series::default();
        let curve = |name| Curve {
            name: (name, "").into(),
            series: &series,
            color: Color32::WHITE,
            filled: false,
            scale: 1.0,
            stretches: &[],
        };
        let curves = [curve("tested"), curve("found")];
        let plot = Plot {
            title: ("tests a tick", "").into(),
            scale: Scale::Linear,
            unit: "tests",
            tick: 9,
            is_past: false,
            curves: &curves,
            names_at: None,
        };
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let _ = ctx.run(RawInput::default(), |ctx| {
            CentralPanel::default().show(ctx, |ui| {
                let lay = |width: f32| {
                    let head = Rect::from_min_size(Pos2::ZERO, vec2(width, 16.0));
                    Head::lay(
                        ui,
                        &Palette::DARK,
                        head,
                        &plot,
                        ["p50 11.5k  p99 11.6k", ""],
                    )
                };
                let said = |width: f32| lay(width).has_room[USUAL];
                let least = (100..600).find(|width| said(*width as f32));
                let least = least.expect("room in so many") as f32;
                assert_eq!(lay(least).gaps.line, Gaps::TIGHT.line);
                assert_eq!(lay(least - 1.0).gaps.line, Gaps::WIDE.line);
                assert_eq!(lay(599.0).gaps.line, Gaps::WIDE.line);
            });
        });
    }

    #[test]
    fn a_value_stands_beside_the_name_that_its_curve_had_there() {
        let mut series = Series::default();
        [1.4, 2.5].into_iter().for_each(|value| series.push(value));
        let curve = |name| Curve {
            name: (name, "").into(),
            series: &series,
            color: Color32::WHITE,
            filled: false,
            scale: 1.0,
            stretches: &[],
        };
        let curves = [curve("linked grid"), curve("sweep and prune")];
        let names_at = |index| match index {
            0 => ["Morton tree", "sweep and prune"].map(str::to_owned).into(),
            _ => ["linked grid", "sweep and prune"].map(str::to_owned).into(),
        };
        let mut plot = Plot {
            title: ("", "").into(),
            scale: Scale::Linear,
            unit: "ms",
            tick: 9,
            is_past: false,
            curves: &curves,
            names_at: Some(&names_at),
        };
        let before = words_at(&plot, 0, 1).join("  ");
        assert_eq!(before, "tick 8  Morton tree 1.4  sweep and prune 1.4");
        let now = words_at(&plot, 1, 0).join("  ");
        assert_eq!(now, "tick 9  linked grid 2.5  sweep and prune 2.5");
        plot.names_at = None;
        let before = words_at(&plot, 0, 1).join("  ");
        assert_eq!(before, "tick 8  linked grid 1.4  sweep and prune 1.4");
    }

    #[test]
    fn a_line_breaks_where_nothing_was_measured() {
        let not = f32::NAN;
        let values = [not, 1.0, 2.0, not, not, 3.0, not, 4.0, 5.0];
        let all: Vec<_> = runs(&values, 0..9).collect();
        assert_eq!(all, [1..3, 5..6, 7..9]);
        let some: Vec<_> = runs(&values, 2..8).collect();
        assert_eq!(some, [2..3, 5..6, 7..8]);
        assert_eq!(runs(&values, 3..5).count(), 0);
        assert_eq!(runs(&[], 0..0).count(), 0);
        let whole: Vec<_> = runs(&[1.0, 2.0], 0..2).collect();
        assert_eq!(whole, std::iter::once(0..2).collect::<Vec<_>>());
    }

    #[test]
    fn a_tag_without_room_for_one_line_has_a_line_for_each_curve_and_stays_in_the_window() {
        let parts = [
            "tick 505",
            "linked grid 1.4",
            "sweep and prune not measured",
        ];
        let parts = parts.map(str::to_owned);
        let one = in_lines(&parts, |line| line.len() < 80);
        assert_eq!(one.lines().count(), 1);
        let three = in_lines(&parts, |line| line.len() < 40);
        assert_eq!(three.lines().collect::<Vec<_>>(), parts);
        let window = Rect::from_min_max(pos2(0.0, 0.0), pos2(960.0, 600.0));
        let frame = Rect::from_min_max(pos2(500.0, 400.0), pos2(850.0, 480.0));
        for x in [500.0, 700.0, 850.0] {
            let tag = tag_place(frame, window, x, vec2(180.0, 60.0));
            assert!(frame.contains_rect(tag), "{tag:?}");
            let tag = tag_place(frame, window, x, vec2(420.0, 60.0));
            assert!(window.contains_rect(tag), "{tag:?}");
        }
    }

    #[test]
    fn the_axis_of_values_that_are_mostly_nothing_ends_at_no_less_than_their_p99() {
        let top_of = |value_at: &dyn Fn(usize) -> f32| {
            let mut series = Series::default();
            (0..LENGTH).for_each(|at| series.push(value_at(at)));
            let curves = [Curve {
                name: ("", "").into(),
                series: &series,
                color: Color32::WHITE,
                filled: false,
                scale: 1.0,
                stretches: &[],
            }];
            let plot = Plot {
                title: ("", "").into(),
                scale: Scale::Linear,
                unit: "MB/s",
                tick: 900,
                is_past: false,
                curves: &curves,
                names_at: None,
            };
            (height(&plot), percentile(series.values(), 0.99))
        };
        // A file now and then, and one that is larger.
        let (top, p99) = top_of(&|at| match at {
            300 => 0.5,
            _ if at % 40 == 0 => 0.26,
            _ if at % 20 == 0 => 0.016,
            _ => 0.0,
        });
        assert_eq!(p99, 0.26);
        assert!(top.0 >= p99 && top.1.is_none(), "{top:?}");
        // What is always something is drawn as large as it usually is, whatever stands out.
        let (top, _) = top_of(&|at| if at % 100 == 0 { 90.0 } else { 1.0 });
        assert_eq!(top, (2.0, Some((LENGTH / 100, 90.0))));
    }
}
