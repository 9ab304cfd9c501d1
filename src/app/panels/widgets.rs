//! The few widgets that panels are made of, drawn after the look of the house, each known by a name to the report.

use crate::app::palette::{Palette, faded, mixed};
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{
    Align, Align2, Color32, Context, CornerRadius, Id, Key, Margin, Painter, Pos2, Rect, Response,
    Sense, Shape, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, Vec2, pos2, vec2,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Where each named widget was in the last frame, in points. A test clicks where this says.
#[derive(Clone, Default)]
pub struct Places(pub BTreeMap<String, Rect>);

fn places_id() -> Id {
    Id::new("widget places")
}

/// Notes where a widget is.
pub fn place(ctx: &Context, name: &str, rect: Rect) {
    ctx.data_mut(|data| {
        let places = data.get_temp_mut_or_default::<Arc<Mutex<Places>>>(places_id());
        if let Ok(mut places) = places.lock() {
            places.0.insert(name.to_owned(), rect);
        }
    });
}

/// All places noted so far.
pub fn places(ctx: &Context) -> BTreeMap<String, Rect> {
    let places = ctx.data_mut(|data| {
        Arc::clone(data.get_temp_mut_or_default::<Arc<Mutex<Places>>>(places_id()))
    });
    places
        .lock()
        .map(|places| places.0.clone())
        .unwrap_or_default()
}

fn covers_id() -> Id {
    Id::new("covers")
}

/// Notes that something lies over the field and takes the clicks there.
pub fn cover(ctx: &Context, rect: Rect) {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(covers_id())
            .push(rect)
    });
}

/// Forgets what lay over the field in the last frame.
pub fn clear_covers(ctx: &Context) {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(covers_id())
            .clear()
    });
}

/// Whether something lies over the field here.
pub fn is_covered(ctx: &Context, at: Pos2) -> bool {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Vec<Rect>>(covers_id())
            .iter()
            .any(|rect| rect.contains(at))
    })
}

/// A whole number with commas between thousands.
pub fn with_commas(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A whole number that fits a row: with commas, and in thousand millions where it is longer than that.
pub fn count(value: u64) -> String {
    if value < 1_000_000_000 {
        with_commas(value)
    } else {
        format!("{} bn", with_commas((value + 500_000_000) / 1_000_000_000))
    }
}

/// A number of bytes and its unit.
pub fn bytes(value: u64) -> (String, &'static str) {
    match value {
        0..1024 => (value.to_string(), "B"),
        1024..1_048_576 => (format!("{:.1}", value as f64 / 1024.0), "KiB"),
        1_048_576..1_073_741_824 => (format!("{:.1}", value as f64 / 1_048_576.0), "MiB"),
        _ => (format!("{:.2}", value as f64 / 1_073_741_824.0), "GiB"),
    }
}

/// A number of microseconds and its unit.
pub fn duration(micros: f64) -> (String, &'static str) {
    if micros < 10_000.0 {
        (with_commas(micros.round() as u64), "µs")
    } else {
        (format!("{:.1}", micros / 1000.0), "ms")
    }
}

/// A line across the panel and a caption below it; `right` stands at the right edge.
pub fn section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
    let line = rect.top() + 4.0;
    let edge = rect.expand2(vec2(crate::app::theme::layout::PADDING, 0.0));
    ui.painter()
        .hline(edge.x_range(), line, Stroke::new(1.0, palette.line));
    captioned(ui, palette, rect.with_min_y(line + 4.0), caption, right);
}

/// The first caption of a panel, with no line above it.
pub fn first_section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    captioned(ui, palette, rect, caption, right);
}

fn captioned(ui: &Ui, palette: &Palette, rect: Rect, caption: &str, right: &str) {
    spaced_capitals(
        ui.painter(),
        pos2(rect.left(), rect.center().y),
        caption,
        palette.text_third,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        right,
        number(size::CAPTION),
        palette.text_third,
    );
}

/// A caption: capitals, a little apart.
pub fn spaced_capitals(painter: &Painter, left_center: Pos2, words: &str, color: Color32) -> f32 {
    let mut job = egui_macroquad::egui::text::LayoutJob::default();
    job.append(
        &words.to_uppercase(),
        0.0,
        egui_macroquad::egui::TextFormat {
            font_id: text(size::CAPTION),
            extra_letter_spacing: 0.9,
            color,
            ..Default::default()
        },
    );
    let galley = painter.layout_job(job);
    let top = left_center.y - galley.size().y / 2.0;
    let width = galley.size().x;
    painter.galley(pos2(left_center.x, top), galley, color);
    width
}

/// How wide a label is.
fn name_width(ui: &Ui, name: &str) -> f32 {
    ui.fonts(|fonts| {
        fonts
            .layout_no_wrap(name.to_owned(), text(size::LABEL), Color32::WHITE)
            .size()
            .x
    })
}

/// A value at the right edge with its unit behind it, in at most so much room, and the width that they took.
fn value_at_right(
    ui: &Ui,
    palette: &Palette,
    (right_center, most): (Pos2, f32),
    value: &str,
    unit: &str,
    color: Color32,
) -> f32 {
    let mut right = right_center;
    if !unit.is_empty() {
        let drawn = ui.painter().text(
            right,
            Align2::RIGHT_CENTER,
            unit,
            text(size::CAPTION),
            palette.text_third,
        );
        right.x = drawn.left() - 3.0;
    }
    let value = elided(
        ui,
        value,
        number(size::LABEL),
        color,
        most - (right_center.x - right.x),
    );
    let left = right.x - value.size().x;
    ui.painter()
        .galley(pos2(left, right.y - value.size().y / 2.0), value, color);
    right_center.x - left
}

/// A name, a value and its unit, 20 points high.
pub fn stat(ui: &mut Ui, palette: &Palette, name: &str, value: &str, unit: &str) -> Response {
    stat_with_history(ui, palette, name, value, unit, &[])
}

/// A [`stat`] with the last values as a small line between name and value.
pub fn stat_with_history(
    ui: &mut Ui,
    palette: &Palette,
    name: &str,
    value: &str,
    unit: &str,
    history: &[f32],
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    // A value may take all but the room of its name.
    let most = (rect.width() - name_width(ui, name) - 10.0).max(rect.width() * 0.5);
    let taken = value_at_right(
        ui,
        palette,
        (rect.right_center(), most),
        value,
        unit,
        palette.text,
    );
    let room = rect.width() - taken - 10.0;
    let name = elided(ui, name, text(size::LABEL), palette.text_second, room);
    let name_width = name.size().x;
    ui.painter().galley(
        pos2(rect.left(), rect.center().y - name.size().y / 2.0),
        name,
        palette.text_second,
    );
    let spark = Rect::from_min_max(
        pos2(rect.left() + 116.0, rect.top() + 5.0),
        pos2(rect.left() + 176.0, rect.bottom() - 5.0),
    );
    if history.len() > 1
        && spark.left() > rect.left() + name_width + 6.0
        && spark.right() < rect.right() - taken - 6.0
    {
        sparkline(
            ui.painter(),
            spark,
            history,
            palette.text_third,
            palette.text,
        );
    }
    response
}

fn elided(
    ui: &Ui,
    words: &str,
    font: egui_macroquad::egui::FontId,
    color: Color32,
    width: f32,
) -> Arc<egui_macroquad::egui::Galley> {
    let mut job =
        egui_macroquad::egui::text::LayoutJob::simple_singleline(words.to_owned(), font, color);
    job.wrap = egui_macroquad::egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    ui.fonts(|fonts| fonts.layout_job(job))
}

fn sparkline(painter: &Painter, rect: Rect, values: &[f32], color: Color32, dot: Color32) {
    let (low, high) = values
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| {
            (low.min(*v), high.max(*v))
        });
    let span = (high - low).max(high.abs() * 0.05).max(f32::MIN_POSITIVE);
    let points: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let x = rect.left() + rect.width() * index as f32 / (values.len() - 1) as f32;
            pos2(x, rect.bottom() - rect.height() * (value - low) / span)
        })
        .collect();
    let last = points[points.len() - 1];
    painter.add(Shape::line(points, Stroke::new(1.0, color)));
    painter.circle_filled(last, 1.5, dot);
}

/// A name, a bar and a value; `part` of the track is filled.
pub fn bar(
    ui: &mut Ui,
    palette: &Palette,
    name: &str,
    part: f32,
    color: Color32,
    value: &str,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        name,
        text(size::SECOND),
        palette.text_second,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        value,
        number(size::LABEL),
        palette.text,
    );
    let track = Rect::from_min_max(
        pos2(rect.left() + 92.0, rect.center().y - 3.0),
        pos2(rect.right() - 96.0, rect.center().y + 3.0),
    );
    ui.painter()
        .rect_filled(track, CornerRadius::same(2), palette.hover);
    if part > 0.0 {
        let width = (track.width() * part.clamp(0.0, 1.0)).max(2.0);
        ui.painter().rect_filled(
            track.with_max_x(track.left() + width),
            CornerRadius::same(2),
            color,
        );
    }
    response
}

/// How a slider's values lie on its track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// The value at the left end.
    pub min: f64,
    /// The value at the right end.
    pub max: f64,
    /// Whether equal ways on the track are equal ratios.
    pub logarithmic: bool,
    /// Whether only whole numbers are meant.
    pub whole: bool,
}

impl Track {
    /// From a value to the part of the track left of it.
    pub fn part_of(self, value: f64) -> f64 {
        if self.max <= self.min {
            return 0.0;
        }
        let part = if self.logarithmic {
            (value.max(self.min) / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        };
        part.clamp(0.0, 1.0)
    }

    /// From a part of the track to a value, rounded to what one can mean with a mouse.
    pub fn value_at(self, part: f64) -> f64 {
        let part = part.clamp(0.0, 1.0);
        let value = if self.logarithmic {
            self.min * (self.max / self.min).powf(part)
        } else {
            self.min + (self.max - self.min) * part
        };
        self.round(value)
    }

    fn round(self, value: f64) -> f64 {
        let value = if self.whole && (!self.logarithmic || value < 100.0) {
            value.round()
        } else {
            // Three digits: more cannot be pointed at.
            let step = 10f64.powf(value.abs().max(1.0e-9).log10().floor() - 2.0);
            let rounded = (value / step).round() * step;
            if self.whole {
                rounded.round()
            } else {
                (rounded * 1.0e6).round() / 1.0e6
            }
        };
        value.clamp(self.min, self.max)
    }
}

/// What a slider is for.
#[derive(Clone, Copy, Debug)]
pub struct Slider<'a> {
    /// What the report calls it.
    pub id: &'a str,
    /// The words beside it.
    pub name: &'a str,
    /// A sentence for its tooltip.
    pub help: &'a str,
    /// The unit of its value; empty for none.
    pub unit: &'a str,
    /// How its values lie.
    pub track: Track,
}

/// A slider, 36 points high: name and value above a thin track. Returns the new value when it changed.
pub fn slider(ui: &mut Ui, palette: &Palette, what: &Slider<'_>, value: f64) -> Option<f64> {
    let Slider {
        id,
        name,
        help,
        unit: _,
        track,
    } = *what;
    let (rect, mut response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click_and_drag());
    let line = Rect::from_min_max(
        pos2(rect.left() + 4.0, rect.top() + 26.0),
        pos2(rect.right() - 4.0, rect.top() + 29.0),
    );
    place(ui.ctx(), id, line.expand2(vec2(0.0, 6.0)));
    let mut new = None;
    // Only the lower half is the handle, so that a click on the name changes nothing.
    let on_track = response.interact_pointer_pos().is_some_and(|at| {
        response.dragged() || (at.y >= rect.top() + 16.0 && at.y <= rect.bottom())
    });
    if on_track
        && response.is_pointer_button_down_on()
        && let Some(at) = response.interact_pointer_pos()
    {
        new = Some(track.value_at(f64::from((at.x - line.left()) / line.width())));
    }
    if response.clicked() || response.dragged() {
        response.request_focus();
    }
    if response.has_focus() {
        // One percent of the track a key press.
        let (left, right) = ui.input(|input| {
            (
                input.key_pressed(Key::ArrowLeft),
                input.key_pressed(Key::ArrowRight),
            )
        });
        let way = f64::from(i8::from(right) - i8::from(left));
        if way != 0.0 {
            let nudged = track.value_at(track.part_of(value) + 0.01 * way);
            new = Some(if nudged == value {
                track.round(value + way)
            } else {
                nudged
            });
        }
    }
    let shown = new.unwrap_or(value);
    let painter = ui.painter().clone();
    let name_color = if response.hovered() {
        palette.text
    } else {
        palette.text_second
    };
    painter.text(
        pos2(rect.left(), rect.top() + 10.0),
        Align2::LEFT_CENTER,
        name,
        text(size::LABEL),
        name_color,
    );
    let place_of_value = (pos2(rect.right(), rect.top() + 10.0), rect.width() * 0.6);
    new = typed_value(ui, palette, what, shown, place_of_value).or(new);
    let part = track.part_of(shown) as f32;
    let knob = pos2(line.left() + line.width() * part, line.center().y);
    painter.rect_filled(line, CornerRadius::same(1), palette.hover);
    painter.rect_filled(
        line.with_max_x(knob.x),
        CornerRadius::same(1),
        mixed(palette.panel, palette.accent, 0.8),
    );
    painter.circle_filled(
        knob,
        if response.hovered() || response.dragged() {
            6.0
        } else {
            5.0
        },
        palette.text,
    );
    if response.has_focus() {
        painter.rect_stroke(
            rect.expand(2.0),
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
    }
    response = response.on_hover_text(help);
    drop(response);
    new.filter(|new| *new != value)
}

/// The value of a slider, which a click turns into a field to type into. Returns what was typed.
fn typed_value(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    (right_center, most): (Pos2, f32),
) -> Option<f64> {
    let id = ui.id().with((what.id, "typed"));
    let typing: Option<String> = ui.data(|data| data.get_temp(id));
    let Some(mut typed) = typing else {
        let words = slider_value(shown, what.track);
        let width = value_at_right(
            ui,
            palette,
            (right_center, most),
            &words,
            what.unit,
            palette.text,
        );
        let area = Rect::from_min_max(
            right_center - vec2(width + 6.0, 9.0),
            right_center + vec2(2.0, 9.0),
        );
        let response = ui.interact(area, id.with("click"), Sense::click());
        place(ui.ctx(), &format!("{}.value", what.id), area);
        if response.clicked() {
            ui.data_mut(|data| data.insert_temp(id, format!("{shown}")));
        }
        response.on_hover_text("Click to type a value.");
        return None;
    };
    let area = Rect::from_min_max(
        right_center - vec2(96.0, 10.0),
        right_center + vec2(0.0, 10.0),
    );
    let edit = TextEdit::singleline(&mut typed)
        .id(id.with("edit"))
        .font(number(size::LABEL))
        .margin(Margin::symmetric(4, 1))
        .horizontal_align(Align::RIGHT);
    // A child of its own, so that the field does not move what comes below the slider.
    let response = ui
        .new_child(UiBuilder::new().max_rect(area))
        .add_sized(area.size(), edit);
    let ended = response.lost_focus();
    if !ended && !response.has_focus() {
        response.request_focus();
    }
    let given_up = ui.input(|input| input.key_pressed(Key::Escape));
    ui.data_mut(|data| {
        if ended {
            data.remove_temp::<String>(id);
        } else {
            data.insert_temp(id, typed.clone());
        }
    });
    let value = typed.replace([',', ' '], "").parse::<f64>().ok()?;
    let value = if what.track.whole {
        value.round()
    } else {
        value
    };
    (ended && !given_up && value.is_finite()).then(|| value.clamp(what.track.min, what.track.max))
}

fn slider_value(value: f64, track: Track) -> String {
    if track.whole {
        with_commas(value as u64)
    } else if value.abs() >= 100.0 {
        format!("{value:.0}")
    } else if value.abs() >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// A row of words of which one is chosen. Returns the index of a newly chosen one.
pub fn segments(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    words: &[(&str, &str)],
    chosen: Option<usize>,
    color: Color32,
) -> Option<usize> {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    segments_in(ui, palette, id, rect, words, chosen, color)
}

/// [`segments`] in a given rectangle.
pub fn segments_in(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    words: &[(&str, &str)],
    chosen: Option<usize>,
    color: Color32,
) -> Option<usize> {
    let mut picked = None;
    ui.painter()
        .rect_filled(rect, CornerRadius::same(4), palette.raised);
    let width = rect.width() / words.len().max(1) as f32;
    for (index, (word, help)) in words.iter().enumerate() {
        let cell = Rect::from_min_size(
            rect.min + vec2(width * index as f32, 0.0),
            vec2(width, rect.height()),
        );
        let response = ui.interact(cell, ui.id().with((id, index)), Sense::click());
        place(ui.ctx(), &format!("{id}.{}", word.to_lowercase()), cell);
        let on = chosen == Some(index);
        if on {
            let fill = mixed(palette.raised, color, 0.28);
            ui.painter().rect(
                cell,
                CornerRadius::same(4),
                fill,
                Stroke::new(1.0, mixed(palette.raised, color, 0.75)),
                StrokeKind::Inside,
            );
        } else if response.hovered() {
            ui.painter()
                .rect_filled(cell, CornerRadius::same(4), palette.hover);
        }
        focus_ring(ui, palette, &response, cell);
        let ink = if on || response.hovered() {
            palette.text
        } else {
            palette.text_third
        };
        ui.painter().text(
            cell.center(),
            Align2::CENTER_CENTER,
            word.replace('_', " "),
            text(size::SECOND),
            ink,
        );
        if response.clicked() {
            picked = Some(index);
        }
        if !help.is_empty() {
            response.on_hover_text(*help);
        }
    }
    picked.filter(|index| chosen != Some(*index))
}

/// A switch in a chip: a word that is lit when on. Returns whether it was clicked.
pub fn switch_in(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    word: &str,
    on: bool,
    help: &str,
) -> bool {
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    place(ui.ctx(), id, rect);
    if on {
        ui.painter().rect_filled(
            rect,
            CornerRadius::same(3),
            mixed(palette.panel, palette.accent, 0.2),
        );
    } else if response.hovered() {
        ui.painter()
            .rect_filled(rect, CornerRadius::same(3), palette.hover);
    }
    focus_ring(ui, palette, &response, rect);
    let ink = if on { palette.text } else { palette.text_third };
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        word,
        text(size::SECOND),
        ink,
    );
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// The height of a row with a line below its name, in points.
const ROW: f32 = 36.0;
/// The height of a row with the line behind the name.
const LOW_ROW: f32 = 23.0;

/// A row of a list: a key, a name, a line below it.
#[derive(Clone, Copy, Debug)]
pub struct ListRow<'a> {
    /// What the report calls it.
    pub id: &'a str,
    /// The key that chooses it.
    pub key: &'a str,
    /// Its name.
    pub name: &'a str,
    /// A few words more.
    pub line: &'a str,
    /// Whether the line stands behind the name and not below it.
    pub low: bool,
}

/// Draws a row of a list; returns whether it was clicked.
pub fn list_row(
    ui: &mut Ui,
    palette: &Palette,
    row: ListRow<'_>,
    chosen: bool,
    help: impl FnOnce(&mut Ui),
) -> bool {
    let ListRow {
        id,
        key,
        name,
        line,
        low,
    } = row;
    let height = if low { LOW_ROW } else { ROW };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    place(ui.ctx(), id, rect);
    let wide = rect.expand2(vec2(8.0, 0.0));
    if chosen {
        ui.painter()
            .rect_filled(wide, CornerRadius::same(3), faded(palette.accent, 0.11));
        let bar = Rect::from_min_max(wide.left_top(), pos2(wide.left() + 2.5, wide.bottom()));
        ui.painter()
            .rect_filled(bar, CornerRadius::ZERO, palette.accent);
    } else if response.hovered() {
        ui.painter()
            .rect_filled(wide, CornerRadius::same(3), palette.hover);
    }
    focus_ring(ui, palette, &response, wide);
    if !key.is_empty() {
        let key_box =
            Rect::from_center_size(pos2(rect.left() + 10.0, rect.center().y), Vec2::splat(18.0));
        ui.painter().rect_stroke(
            key_box,
            CornerRadius::same(3),
            Stroke::new(1.0, palette.strong_line),
            StrokeKind::Inside,
        );
        ui.painter().text(
            key_box.center(),
            Align2::CENTER_CENTER,
            key,
            number(size::CAPTION),
            palette.text_second,
        );
    }
    let left = rect.left() + if key.is_empty() { 4.0 } else { 30.0 };
    let ink = if chosen {
        palette.text
    } else {
        mixed(palette.text_second, palette.text, 0.5)
    };
    let middle = if low {
        rect.center().y
    } else {
        rect.top() + 10.5
    };
    let drawn = ui.painter().text(
        pos2(left, middle),
        Align2::LEFT_CENTER,
        name,
        text(size::NAME),
        ink,
    );
    // The line stands below the name, or behind it where rows are low.
    let (left, middle) = if low {
        (drawn.right() + 10.0, middle + 0.5)
    } else {
        (left, rect.top() + 25.5)
    };
    let line = elided(
        ui,
        line,
        text(size::DESCRIPTION),
        palette.text_third,
        rect.right() - left,
    );
    ui.painter().galley(
        pos2(left, middle - line.size().y / 2.0),
        line,
        palette.text_third,
    );
    let clicked = response.clicked();
    response.on_hover_ui_at_pointer(help);
    clicked
}

/// A push button, as wide as its words. Returns whether it was clicked.
pub fn button(ui: &mut Ui, palette: &Palette, id: &str, word: &str, help: &str) -> bool {
    let width = ui.fonts(|fonts| {
        fonts
            .layout_no_wrap(word.to_owned(), text(size::SECOND), palette.text)
            .size()
            .x
    }) + 20.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    place(ui.ctx(), id, rect);
    let fill = if response.hovered() {
        palette.hover
    } else {
        palette.raised
    };
    ui.painter().rect(
        rect,
        CornerRadius::same(4),
        fill,
        Stroke::new(1.0, palette.strong_line),
        StrokeKind::Inside,
    );
    focus_ring(ui, palette, &response, rect);
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        word,
        text(size::SECOND),
        palette.text,
    );
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// What has the keyboard says so by a line around it.
pub fn focus_ring(ui: &Ui, palette: &Palette, response: &Response, rect: Rect) {
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect.expand(1.0),
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted() {
        assert_eq!(with_commas(0), "0");
        assert_eq!(with_commas(999), "999");
        assert_eq!(with_commas(7_233_306), "7,233,306");
    }

    #[test]
    fn a_track_returns_what_it_was_given() {
        let track = Track {
            min: 0.5,
            max: 1000.0,
            logarithmic: true,
            whole: false,
        };
        for value in [0.5, 12.0, 100.0, 1000.0] {
            assert!((track.value_at(track.part_of(value)) - value).abs() < value * 0.006);
        }
        let track = Track {
            min: 1.0,
            max: 32.0,
            logarithmic: false,
            whole: true,
        };
        assert_eq!(track.value_at(track.part_of(8.0)), 8.0);
        assert_eq!(track.value_at(-3.0), 1.0);
    }
}
