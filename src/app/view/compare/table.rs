//! All structures on one moment of the battle, or one of them with every value of a setting: a row each, with a bar a figure, in the
//! order of whichever figure one chooses.

use super::figures::ALIKE_TIMES;
use super::lane;
use super::winner::{Contender, Said, quickest};
use crate::app::glossary;
use crate::app::palette::{Palette, faded, mixed};
use crate::app::state::{App, RunMode, settings};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{
    bytes, duration, elided, elided_at_word, focus_ring, is_cut, look_at, parted, place, scrolled,
    segments_in, tell_state, with_commas,
};
use crate::app::worker::{OF_TICK, Outcome, Rows, Spread, Structure, SurveyRow, values_of};
use egui_macroquad::egui::{
    Align2, CornerRadius, Rect, Response, Sense, Shape, Stroke, Ui, UiBuilder, WidgetType, pos2,
    vec2,
};
use skirmish::measure::survey::Row;
use skirmish::partition::{Knob, KnobRange};
use skirmish::probe::Counter;
use skirmish::scene::AnyChoice;
use skirmish::structure::StructureKind;
use std::borrow::Cow;

/// A figure of the table.
struct Column {
    key: &'static str,
    name: &'static str,
    /// Of which times of a reading it is the sum, if it is a time: those are not shown where two runs must look alike.
    time: Option<&'static [usize]>,
    of: fn(&Row) -> f64,
    write: fn(f64) -> (String, &'static str),
}

fn count(value: f64) -> (String, &'static str) {
    (with_commas(value as u64), "")
}

fn memory(value: f64) -> (String, &'static str) {
    bytes(value as u64)
}

/// The figures, from left to right: those of a tick, what the structure is, and single questions, which no tick asks. Where there is no
/// room, the last ones are left out.
const COLUMNS: [Column; 9] = [
    Column {
        key: "tests",
        name: "tests",
        time: None,
        of: |row| row.tests as f64,
        write: count,
    },
    Column {
        key: "visited",
        name: "visited",
        time: None,
        of: |row| row.visits as f64,
        write: count,
    },
    Column {
        key: "time",
        name: "update + query",
        time: Some(OF_TICK),
        of: |row| row.update_us + row.query_us,
        write: duration,
    },
    Column {
        key: "update",
        name: "update",
        time: Some(&[1]),
        of: |row| row.update_us,
        write: duration,
    },
    Column {
        key: "query",
        name: "query",
        time: Some(&[2]),
        of: |row| row.query_us,
        write: duration,
    },
    Column {
        key: "build",
        name: "build",
        time: Some(&[0]),
        of: |row| row.build_us,
        write: duration,
    },
    Column {
        key: "memory",
        name: "memory",
        time: None,
        of: |row| row.bytes as f64,
        write: memory,
    },
    Column {
        key: "rectangle",
        name: "rectangle",
        time: Some(&[3]),
        of: |row| row.prices[0].us,
        write: duration,
    },
    Column {
        key: "nearest",
        name: "nearest",
        time: Some(&[4]),
        of: |row| row.prices[1].us,
        write: duration,
    },
];

impl Column {
    /// What it is of a row that was measured.
    fn value(&self, row: &SurveyRow) -> Option<f64> {
        match &row.outcome {
            Outcome::Measured(row) => Some((self.of)(row)),
            _ => None,
        }
    }

    /// How far its readings lie apart, where that is so far that it is doubtful.
    fn doubt(&self, row: &SurveyRow) -> Option<Spread> {
        row.doubt(self.time?)
    }
}

/// By what the rows are ordered; `None` is the order of the registry, or of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    column: Option<usize>,
    descending: bool,
    /// Of which table that was said, and of which setting: another one begins in its own order.
    of: Option<(Rows, Option<(StructureKind, usize)>)>,
}

/// The height of the line on which one says what the rows are.
const SUBJECTS: f32 = 34.0;
/// In a lower table there is no such line.
const LEAST_HIGH: f32 = 200.0;
/// Between the last row and the line below the table, in points.
const ABOVE_NOTE: f32 = 6.0;
/// The width of each word on it, at most.
const SUBJECT: f32 = 132.0;
/// The height of the line with the columns' names.
const HEAD: f32 = 40.0;
/// The width of the structures' names.
const NAMES: f32 = 190.0;
/// The least width of a column, and the least height of a row.
const LEAST_COLUMN: f32 = 84.0;
const LEAST_ROW: f32 = 22.0;

/// Draws it; a click on a column's name orders by it, a click on a row puts its structure, or its value, into the first pane.
pub fn table(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect, order: &mut Order) {
    ui.painter()
        .rect_filled(rect, CornerRadius::ZERO, palette.panel);
    place(ui.ctx(), "table", rect);
    let of = app.surveys().map(|rows| (rows, app.swept));
    if order.of != of {
        *order = Order {
            of,
            ..Order::default()
        };
    }
    let inner = rect.shrink2(vec2(layout::PADDING, 6.0));
    let columns: Vec<&Column> = COLUMNS
        .iter()
        .filter(|column| !(app.fixed && column.time.is_some()))
        .collect();
    let note = inner.with_min_y(inner.bottom() - 22.0);
    // In a low window the rows come first: what they are is chosen from the list of commands there.
    let head_room = if inner.height() >= LEAST_HIGH {
        subjects(ui, app, palette, inner.with_max_y(inner.top() + SUBJECTS));
        SUBJECTS
    } else {
        0.0
    };
    let body = inner
        .with_max_y(note.top() - ABOVE_NOTE)
        .with_min_y(inner.top() + head_room);
    let knob = knob_of(app);
    // In a narrow window names and columns are narrower, and then there are fewer of these.
    let names = NAMES.min(body.width() * 0.45);
    let fitting = ((body.width() - names) / LEAST_COLUMN) as usize;
    let columns = &columns[..fitting.clamp(1, columns.len())];
    let width = (body.width() - names) / columns.len() as f32;
    let cell = |column: usize, y: std::ops::RangeInclusive<f32>| {
        let left = body.left() + names + width * column as f32;
        Rect::from_x_y_ranges(left + 8.0..=left + width - 8.0, y)
    };
    let head = body.top()..=body.top() + HEAD;
    let first = match knob {
        Some((_, knob)) => (
            "structure",
            knob.name,
            "From the least value to the greatest.",
        ),
        None => ("structure", "structure", "In the order of the panel."),
    };
    let place_of_names = Rect::from_x_y_ranges(body.left()..=body.left() + names, head.clone());
    heading(ui, palette, place_of_names, first, None, order);
    for (place, column) in columns.iter().enumerate() {
        let at = COLUMNS.iter().position(|one| one.key == column.key);
        let means = means(app, column);
        let name = (column.key, column.name, &*means);
        heading(ui, palette, cell(place, head.clone()), name, at, order);
    }
    let mut rows = ordered(app, *order);
    hold_still(ui, body.with_min_y(body.top() + HEAD), *order, &mut rows);
    if rows.is_empty() {
        ui.painter().text(
            body.center(),
            Align2::CENTER_CENTER,
            match knob {
                Some(_) => "Measuring every value on this moment …",
                None => "Measuring all structures on this moment …",
            },
            text(size::NAME),
            palette.text_second,
        );
        return;
    }
    let most: Vec<f64> = columns
        .iter()
        .map(|column| measured(&rows).map(column.of).fold(0.0, f64::max))
        .collect();
    let least: Vec<f64> = columns
        .iter()
        .map(|column| {
            let values = rows.iter().filter(|row| column.doubt(row).is_none());
            values
                .filter_map(|row| column.value(row))
                .filter(|value| *value > 0.0)
                .fold(f64::INFINITY, f64::min)
        })
        .collect();
    let is_even = knob.is_some_and(|knob| are_alike(app, &rows, knob));
    let count = match knob {
        Some(_) => rows.len(),
        None => app.lane().structure.kind.siblings().len(),
    };
    let below = body.with_min_y(body.top() + HEAD);
    let height = (below.height() / count as f32).clamp(LEAST_ROW, 40.0);
    let mut chosen = None;
    let mut draw = |ui: &mut Ui, top: f32| {
        for (place, row) in rows.iter().enumerate() {
            let top = top + height * place as f32;
            let y = top..=top + height;
            let line = Rect::from_x_y_ranges(rect.x_range(), y.clone());
            let response = row_line(ui, app, palette, line, (body.left(), names), (row, columns));
            if response.clicked() {
                chosen = Some(row.choice.clone());
            }
            match &row.outcome {
                Outcome::Measured(measured) => {
                    for (at, column) in columns.iter().enumerate() {
                        let cell = cell(at, y.clone());
                        let value = (column.of)(measured);
                        let is_doubtful = column.doubt(row).is_some();
                        let least = (!is_even && !is_doubtful).then_some(least[at]);
                        let value = (value, is_doubtful);
                        figure(ui, palette, cell, column, (value, least, most[at]));
                    }
                }
                Outcome::TooMany(tests) => {
                    let words = format!("{} tests: not made", with_commas(*tests));
                    let room = Rect::from_x_y_ranges(cell(0, y.clone()).left()..=body.right(), y);
                    said(ui, palette, room, &words);
                }
                Outcome::TooLong => {
                    let words = "took more than two seconds, and was ended";
                    let room = Rect::from_x_y_ranges(cell(0, y.clone()).left()..=body.right(), y);
                    said(ui, palette, room, words);
                }
            }
        }
    };
    let all = height * count as f32;
    if all <= below.height() + 1.0 {
        draw(ui, below.top());
    } else {
        let mut child = ui.new_child(UiBuilder::new().max_rect(below));
        scrolled(&mut child, palette, "table", |ui| {
            let size = vec2(ui.available_width(), all);
            let (area, _) = ui.allocate_exact_size(size, Sense::hover());
            draw(ui, area.top());
        });
    }
    footnote(ui, app, palette, note, (&rows, columns));
    if let Some(choice) = chosen {
        match knob {
            Some((at, _)) => app.set_knob(at, choice.value(at)),
            None => app.choose_lane(0, choice.kind),
        }
    }
}

/// What a column means, of the rectangle with the side that it has here.
fn means(app: &App, column: &Column) -> Cow<'static, str> {
    let means = glossary::means("table", column.name);
    let row = app.survey.iter().find_map(|row| match &row.outcome {
        Outcome::Measured(row) => Some(row),
        _ => None,
    });
    match row {
        Some(row) if column.key == "rectangle" => {
            let found = row.prices[0].found;
            let side = row.side;
            Cow::Owned(format!(
                "{means} Here its side is {side} m, and {found:.1} units are in it on average."
            ))
        }
        _ => Cow::Borrowed(means),
    }
}

/// The setting whose values are the rows, with its index.
fn knob_of(app: &App) -> Option<(usize, &'static Knob)> {
    match app.surveys() {
        Some(Rows::Values(at)) => Some((at, app.lane().structure.info().knobs.get(at)?)),
        _ => None,
    }
}

/// What the rows are: every structure, or each value of a setting of the first pane's.
fn subjects(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let info = app.lane().structure.info();
    let knobs: Vec<_> = settings(info).collect();
    let shown = knob_of(app).map(|(at, _)| at);
    let of_all = ("structures", "Every structure on one moment.");
    let of_each = knobs.iter().map(|(_, knob)| (knob.name, knob.help));
    let words: Vec<(&str, &str)> = std::iter::once(of_all).chain(of_each).collect();
    let width = (SUBJECT * words.len() as f32).min(rect.width());
    let bar = Rect::from_min_size(rect.min + vec2(0.0, 4.0), vec2(width, 24.0));
    let place = shown.map_or(Some(0), |at| {
        knobs
            .iter()
            .position(|(knob, _)| *knob == at)
            .map(|place| place + 1)
    });
    look_at(ui.ctx(), bar);
    let id = "table.rows";
    if let Some(new) = segments_in(ui, palette, id, bar, &words, place, palette.accent) {
        let knob = new.checked_sub(1).and_then(|at| knobs.get(at));
        app.survey(knob.map(|(at, _)| *at));
    }
    let room = rect.with_min_x(bar.right() + 14.0);
    if room.width() > 80.0 && shown.is_some() {
        let short = format!("settings of {}", info.name);
        let whole = format!("{short}, the structure of the first pane");
        let font = text(size::SECOND);
        let galley = ui
            .painter()
            .layout_no_wrap(whole.clone(), font, palette.text);
        let fits = galley.size().x <= room.width();
        let words = if fits { whole } else { short };
        let line = Rect::from_x_y_ranges(room.x_range(), bar.y_range());
        look_at(ui.ctx(), said(ui, palette, line, &words));
    }
}

/// A row in a word: its structure, or its value.
fn name_of(row: &SurveyRow, knob: Option<(usize, &Knob)>) -> String {
    let Some((at, knob)) = knob else {
        return row.choice.kind.info().name.to_owned();
    };
    let value = row.choice.value(at);
    let with_unit = |value: f64| {
        let words = parted(&knob.format(value)).replace('_', " ");
        let unit = match (words.as_str(), knob.unit.strip_suffix('s')) {
            ("1", Some(one)) => one,
            _ => knob.unit,
        };
        format!("{words} {unit}").trim_end().to_owned()
    };
    let chosen = match &row.outcome {
        Outcome::Measured(row) => row.chosen.iter().find(|(knob, _)| *knob == at),
        _ => None,
    };
    match chosen {
        Some((_, chosen)) => format!("auto: {}", with_unit(*chosen)),
        None => with_unit(value),
    }
}

/// That a number has no neighbour on one side: whoever would look for a better one beyond it finds none.
fn at_an_end(knob: &Knob, value: f64) -> &'static str {
    match knob.range {
        KnobRange::Number { max, .. } if value == max => " (the largest that it may be)",
        KnobRange::Number { min, .. } if value == min => " (the least that it may be)",
        _ => "",
    }
}

/// All that is counted of a row's building, upkeep and queries.
fn work(row: &SurveyRow) -> Option<(u64, u64, Counter, Counter)> {
    match &row.outcome {
        Outcome::Measured(row) => Some((row.tests, row.visits, row.update, row.build)),
        _ => None,
    }
}

/// How many values of a setting are measured.
fn value_count(app: &App, at: usize, knob: &Knob) -> usize {
    let present = app.lane().structure.knobs.get(at);
    present.map_or(0, |present| values_of(knob, *present).len())
}

/// Whether all values of a setting are there, and came to the very same work: then none is the best one, and what parts their times is
/// chance.
fn are_alike(app: &App, rows: &[&SurveyRow], (at, knob): (usize, &Knob)) -> bool {
    let first = rows.first().and_then(|row| work(row));
    rows.len() >= value_count(app, at, knob)
        && first.is_some()
        && rows.iter().all(|row| work(row) == first)
}

/// The first value before this row's with which the structure came to the same work, to the last test, visit and upkeep: from there on the
/// setting changes nothing, or comes to the same in another way.
fn worked_alike(app: &App, row: &SurveyRow, knob: (usize, &Knob)) -> Option<String> {
    let own = (work(row)?, row.tick);
    let is_plain = |other: &&SurveyRow| {
        other.choice.kind == row.choice.kind && !knob.1.is_auto(other.choice.value(knob.0))
    };
    if !is_plain(&row) {
        return None;
    }
    let before = app.survey.iter().filter(is_plain);
    let before = before.filter(|other| other.choice.value(knob.0) < row.choice.value(knob.0));
    let alike = before.filter(|other| work(other).map(|work| (work, other.tick)) == Some(own));
    alike.map(|other| name_of(other, Some(knob))).next()
}

/// How large the cells of a row are, where its knob says otherwise.
fn other_cells<'r>(row: &'r SurveyRow, knob: Option<(usize, &Knob)>) -> Option<&'r str> {
    let (at, knob) = knob?;
    let Outcome::Measured(measured) = &row.outcome else {
        return None;
    };
    let cells = measured.cells.as_deref()?;
    let chosen = measured.chosen.iter().find(|(knob, _)| *knob == at);
    let value = chosen.map_or_else(|| row.choice.value(at), |(_, value)| *value);
    let said = format!("{} m", (value * 100.0).round() / 100.0);
    (knob.unit == "m" && cells != said).then_some(cells)
}

fn measured<'r>(rows: &'r [&SurveyRow]) -> impl Iterator<Item = &'r Row> {
    rows.iter().filter_map(|row| match &row.outcome {
        Outcome::Measured(row) => Some(&**row),
        _ => None,
    })
}

/// The rows in their order; what could not be measured comes last.
fn ordered(app: &App, order: Order) -> Vec<&SurveyRow> {
    let mut rows: Vec<&SurveyRow> = app.survey_rows().collect();
    let Some(column) = order.column.and_then(|column| COLUMNS.get(column)) else {
        if order.descending {
            rows.reverse();
        }
        return rows;
    };
    let value = |row: &SurveyRow| column.value(row);
    rows.sort_by(|a, b| match (value(a), value(b)) {
        (Some(a), Some(b)) if order.descending => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
    rows
}

/// While the pointer is on the rows they keep their order, whatever is measured meanwhile: who points at one means that one.
fn hold_still(ui: &Ui, area: Rect, order: Order, rows: &mut [&SurveyRow]) {
    let id = ui.id().with("order of the rows");
    let choices = |rows: &[&SurveyRow]| -> Vec<AnyChoice> {
        rows.iter().map(|row| row.choice.clone()).collect()
    };
    let held: Option<(Order, Vec<AnyChoice>)> = ui.data(|data| data.get_temp(id));
    match held {
        Some((of, held)) if of == order && ui.rect_contains_pointer(area) => {
            let place = |row: &&SurveyRow| held.iter().position(|choice| *choice == row.choice);
            rows.sort_by_key(|row| place(row).unwrap_or(usize::MAX));
        }
        _ => ui.data_mut(|data| data.insert_temp(id, (order, choices(rows)))),
    }
}

/// The name of a column, which orders by it, and backwards when it does already.
fn heading(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    (key, name, help): (&str, &str, &str),
    column: Option<usize>,
    order: &mut Order,
) {
    let id = format!("table.{key}");
    let response = ui.interact(rect, ui.id().with(&id), Sense::click());
    place(ui.ctx(), &id, rect);
    look_at(ui.ctx(), rect.shrink2(vec2(0.0, 10.0)));
    let told = format!("Order by {name}");
    tell_state(
        &response,
        WidgetType::RadioButton,
        &told,
        order.column == column,
    );
    let is_on = order.column == column;
    let ink = if is_on || response.hovered() {
        palette.text
    } else {
        palette.text_third
    };
    let (at, align) = match column {
        None => (rect.left_center() + vec2(22.0, 0.0), Align2::LEFT_CENTER),
        Some(_) => (rect.right_center(), Align2::RIGHT_CENTER),
    };
    let drawn = ui.painter().text(at, align, name, text(size::SECOND), ink);
    if is_on {
        let tip = if order.descending { 3.0 } else { -3.0 };
        let middle = pos2(drawn.left() - 9.0, drawn.center().y);
        let corners = vec![
            middle + vec2(-4.0, -tip),
            middle + vec2(4.0, -tip),
            middle + vec2(0.0, tip),
        ];
        let shape = Shape::convex_polygon(corners, palette.accent, Stroke::NONE);
        ui.painter().add(shape);
    }
    focus_ring(ui, palette, &response, rect);
    if response.clicked() {
        *order = Order {
            column,
            descending: is_on && !order.descending,
            of: order.of,
        };
    }
    response.on_hover_text(format!(
        "{help} A click orders by it, another one backwards."
    ));
}

/// A row without its figures: the structure's name, and the marks of the lanes that are of it.
fn row_line(
    ui: &mut Ui,
    app: &App,
    palette: &Palette,
    line: Rect,
    (left, width): (f32, f32),
    (row, columns): (&SurveyRow, &[&Column]),
) -> Response {
    let info = row.choice.kind.info();
    let knob = knob_of(app);
    let is_of = |structure: &Structure| {
        structure.kind == row.choice.kind
            && knob.is_none_or(|(at, _)| structure.knob(at) == row.choice.value(at))
    };
    let shown_name = name_of(row, knob);
    let id = match knob {
        Some((at, knob)) => format!("table.value.{}", knob.format(row.choice.value(at))),
        None => format!("table.row.{}", info.key),
    };
    let response = ui.interact(line, ui.id().with(&id), Sense::click());
    place(ui.ctx(), &id, line);
    look_at(ui.ctx(), line.intersect(ui.clip_rect()));
    let painter = ui.painter().clone();
    let is_first = is_of(&app.lane().structure);
    tell_state(&response, WidgetType::RadioButton, &shown_name, is_first);
    if is_first {
        painter.rect_filled(line, CornerRadius::ZERO, faded(palette.accent, 0.11));
    } else if response.hovered() {
        painter.rect_filled(line, CornerRadius::ZERO, palette.hover);
    }
    painter.hline(
        line.shrink2(vec2(layout::PADDING, 0.0)).x_range(),
        line.top(),
        Stroke::new(1.0, palette.line),
    );
    focus_ring(ui, palette, &response, line);
    let middle = line.center().y;
    let lanes = app.lanes.iter().enumerate();
    let of_it = lanes.filter(|(_, lane)| is_of(&lane.structure));
    for (place, (at, _)) in of_it.take(2).enumerate() {
        let x = left + 5.0 + 11.0 * place as f32;
        lane::mark(&painter, palette, at, pos2(x, middle - 3.0), 4.0);
    }
    let wrong = match &row.outcome {
        Outcome::Measured(row) => row.fault(),
        _ => None,
    };
    let ink = if wrong.is_some() {
        palette.error
    } else {
        palette.text
    };
    let name = elided(ui, &shown_name, text(size::NAME), ink, width - 22.0);
    // In a line with the figures, which stand above their bars.
    let at = pos2(left + 22.0, middle - 3.0 - name.size().y / 2.0);
    let end = at.x + name.size().x + 8.0;
    painter.galley(at, name, ink);
    let alike = knob.and_then(|knob| worked_alike(app, row, knob));
    let cells = other_cells(row, knob);
    // What of it has room beside the name; all of it is said under the cursor.
    let all = [
        alike.as_ref().map(|other| format!("same work as {other}")),
        cells.map(|cells| format!("cells of {cells}")),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    let line = line.translate(vec2(0.0, -3.0));
    let room = Rect::from_x_y_ranges(end..=(left + width).max(end), line.y_range());
    let shorter = std::iter::once(all.join(" \u{b7} ")).chain(all.iter().rev().cloned());
    let fits = |words: &String| {
        let font = text(size::SECOND);
        let galley = painter.layout_no_wrap(words.clone(), font, palette.text_third);
        !words.is_empty() && galley.size().x <= room.width()
    };
    if let Some(words) = shorter.clone().find(fits) {
        said(ui, palette, room, &words);
    }
    let words = match (wrong, knob) {
        (Some(difference), _) => format!("{difference}."),
        (None, Some((_, knob))) => format!(
            "{} with {} {shown_name}{}.{} A click sets it so in the first pane; undo takes it back.",
            info.name,
            knob.name,
            alike.map_or(String::new(), |other| format!(
                ", which comes to the very same tests, regions and upkeep as {other}, with these units"
            )),
            cells.map_or(String::new(), |cells| format!(
                " Who is wider than a cell is filed in larger ones: there are cells of {cells}."
            ))
        ),
        (None, None) => format!(
            "{} A click puts it into the first pane; undo takes it back.",
            info.what
        ),
    };
    let doubts = doubts(row, columns).map_or(String::new(), |doubts| format!(" {doubts}"));
    response.on_hover_text(words + &doubts)
}

/// What is said of a row's first time whose readings lie too far apart, and what comes of it.
fn doubts(row: &SurveyRow, columns: &[&Column]) -> Option<String> {
    let mut doubtful = columns
        .iter()
        .filter_map(|column| Some((column, column.doubt(row)?)));
    let (column, spread) = doubtful.next()?;
    if row.is_single() {
        let words = "Doubtful (~): it has been read once, which other work may have held up, or a cold start; it is measured again.";
        return Some(words.to_owned());
    }
    let [least, most] = [spread.least, spread.most].map(|value| {
        let (words, unit) = (column.write)(value);
        format!("{words} {unit}")
    });
    // A moment that stands is not read for ever: something else may keep the machine busy.
    let next = match row.is_given_up() {
        true => "a step measures it anew",
        false => "it is measured again",
    };
    Some(format!(
        "Doubtful (~): its readings of {} went from {least} to {most}, as other work held the machine up; {next}.",
        column.name
    ))
}

/// Who is quickest of the rows; `None` where there is no table, or no time is shown.
pub fn winner(app: &App) -> Option<Said> {
    app.surveys().filter(|_| !app.fixed)?;
    let knob = knob_of(app);
    let rows = ordered(app, Order::default());
    if let Some((_, knob)) = knob.filter(|knob| are_alike(app, &rows, *knob)) {
        let words = format!("none, as every {} comes to the same work", knob.name);
        return Some(Said {
            caption: "quickest here:",
            clauses: vec![words],
        });
    }
    let expected = match knob {
        Some((at, knob)) => value_count(app, at, knob),
        None => app.lane().structure.kind.siblings().len(),
    };
    let contender = |row: &&SurveyRow| match &row.outcome {
        Outcome::Measured(measured) if measured.fault().is_none() => Some(Contender {
            name: name_of(row, knob),
            aside: knob.map_or("", |(at, knob)| at_an_end(knob, row.choice.value(at))),
            us: measured.update_us + measured.query_us,
            doubtful_from: row.doubt(OF_TICK).map(|spread| spread.least),
            is_read: row.is_read(),
        }),
        _ => None,
    };
    let contenders: Vec<Contender> = rows.iter().filter_map(contender).collect();
    Some(quickest(&contenders, (rows.len(), expected)))
}

/// A figure: its bar on the column's scale, and its value, lit where it is the best one: `least`, where one can be; pale and only about so
/// much where it is doubtful.
fn figure(
    ui: &Ui,
    palette: &Palette,
    cell: Rect,
    column: &Column,
    ((value, is_doubtful), least, most): ((f64, bool), Option<f64>, f64),
) {
    let painter = ui.painter();
    // Who has nothing of it (all pairs enters no region) leads at nothing.
    // Times that are as near as this are told apart by chance, here as in what is said of them.
    let tie = if column.time.is_some() {
        ALIKE_TIMES
    } else {
        1.0
    };
    let (words, unit) = (column.write)(value);
    let is_best = least.is_some_and(|least| {
        let reads_alike = (column.write)(least) == (words.clone(), unit);
        (value < least * tie || reads_alike) && value > 0.0
    });
    // All pairs would leave nothing of the others' bars on an even scale; the line below the table says that it is none.
    let part = (value.ln_1p() / most.max(f64::MIN_POSITIVE).ln_1p()) as f32;
    let base = cell.bottom() - 4.0;
    let track = Rect::from_x_y_ranges(cell.x_range(), base - 3.0..=base);
    painter.rect_filled(track, CornerRadius::same(1), palette.hover);
    let strength = match (is_best, is_doubtful) {
        (true, _) => 0.95,
        (_, false) => 0.5,
        (_, true) => 0.2,
    };
    let width = (track.width() * part).max(1.5);
    painter.rect_filled(
        track.with_max_x(track.left() + width),
        CornerRadius::same(1),
        mixed(palette.panel, palette.accent, strength),
    );
    let (words, color) = match (is_best, is_doubtful) {
        (_, true) => (format!("~{words}"), palette.text_third),
        (true, _) => (words, palette.accent),
        (false, _) => (words, palette.text_second),
    };
    let y = cell.center().y - 3.0;
    let unit = painter.text(
        pos2(cell.right(), y),
        Align2::RIGHT_CENTER,
        unit,
        text(size::CAPTION),
        palette.text_third,
    );
    let gap = if unit.width() > 1.0 { 4.0 } else { 0.0 };
    painter.text(
        pos2(unit.left() - gap, y),
        Align2::RIGHT_CENTER,
        words,
        number(size::SECOND),
        color,
    );
}

/// Writes a few words into a cell; gives where they stand.
fn said(ui: &Ui, palette: &Palette, cell: Rect, words: &str) -> Rect {
    let ink = palette.text_third;
    let words = elided_at_word(ui, words, text(size::SECOND), ink, cell.width());
    let at = cell.left_center() - vec2(0.0, words.size().y / 2.0);
    let rect = Rect::from_min_size(at, words.size());
    ui.painter().galley(at, words, ink);
    rect
}

/// Which tick asks what the rows were measured on, as the race says it of its figures: the one after that which stood. Where that tick
/// stands still, this one is yet to come, and is said to be.
fn asked_by(standing: impl Iterator<Item = u64> + Clone, now: Option<u64>) -> String {
    let oldest = standing.clone().min().unwrap_or(0) + 1;
    let newest = standing.max().unwrap_or(0) + 1;
    if newest == oldest && now.is_some_and(|now| now + 1 == newest) {
        format!("the next tick asks ({})", with_commas(newest))
    } else if newest == oldest {
        format!("tick {} asks", with_commas(newest))
    } else {
        format!(
            "ticks {} to {} ask",
            with_commas(oldest),
            with_commas(newest)
        )
    }
}

/// Of which moment the rows are, and whether all of them answer alike.
fn footnote(
    ui: &Ui,
    app: &App,
    palette: &Palette,
    rect: Rect,
    (rows, columns): (&[&SurveyRow], &[&Column]),
) {
    let now = (app.mode != RunMode::Running).then_some(app.place.tick);
    let moment = asked_by(rows.iter().map(|row| row.tick), now);
    let least = rows
        .iter()
        .filter(|row| matches!(row.outcome, Outcome::Measured(_)));
    let medians = match least.map(|row| row.readings).min() {
        Some(readings) if readings > 1 && !app.fixed => format!(", times the median of {readings}"),
        _ => String::new(),
    };
    let differs = measured(rows).filter(|row| row.fault().is_some()).count();
    let (answers, color) = match differs {
        0 => (
            "all of them give the same answers".to_owned(),
            palette.text_third,
        ),
        count => (format!("{count} answer otherwise"), palette.error),
    };
    let pairs = measured(rows).next().map_or(0, |row| row.pairs);
    let set = match knob_of(app) {
        Some(_) => "its other settings as in the first pane",
        None => "lanes as they are set, the others with default knobs",
    };
    let even = match knob_of(app) {
        Some((at, knob)) if are_alike(app, rows, (at, knob)) => format!(
            "here every {} comes to the same work; what it may change shows over time, in lanes \u{b7} ",
            knob.name
        ),
        _ => String::new(),
    };
    // That something is wrong comes before all else.
    let (wrong, answers) = match differs {
        0 => (String::new(), format!(" \u{b7} {answers}")),
        _ => (format!("{answers} \u{b7} "), String::new()),
    };
    let is_doubtful = |row: &&SurveyRow| columns.iter().any(|column| column.doubt(row).is_some());
    let doubts = match (
        rows.iter().any(|row| row.is_single()),
        rows.iter().any(is_doubtful),
    ) {
        (true, _) => "~ read once so far \u{b7} ",
        (false, true) => "~ readings lie far apart \u{b7} ",
        (false, false) => "",
    };
    let words = format!(
        "{wrong}{doubts}{even}bars on a log scale \u{b7} each built anew and measured alone, its caches warm, on what {moment}{medians} \u{b7} {} units \u{b7} {} pairs{answers} \u{b7} {set}",
        with_commas(app.alive()),
        with_commas(pairs)
    );
    let font = text(size::DESCRIPTION);
    // As much of it as there is room for, and no half of a part.
    let mut part = words.as_str();
    let shown = loop {
        let shown = elided_at_word(ui, part, font.clone(), color, rect.width());
        match part.rsplit_once(" \u{b7} ") {
            Some((before, _)) if is_cut(&shown, part) => part = before,
            _ => break shown,
        }
    };
    let at = rect.left_center() - vec2(0.0, shown.size().y / 2.0);
    let is_short = is_cut(&shown, &words);
    ui.painter().galley(at, shown, color);
    let why = "A lane that has followed the battle for a while may do otherwise: what it was and its memory come from its past, and it shares the machine with the others; short ticks are slower there, for little is in the caches.";
    let words = match is_short {
        true => format!("{words}. {why}"),
        false => why.to_owned(),
    };
    ui.interact(rect, ui.id().with("table note"), Sense::hover())
        .on_hover_text(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_of_the_tick_that_asks_and_not_of_the_one_that_stands() {
        assert_eq!(asked_by([62, 62].into_iter(), None), "tick 63 asks");
        let at_rest = asked_by([62, 62].into_iter(), Some(62));
        assert_eq!(at_rest, "the next tick asks (63)");
        assert_eq!(asked_by([62].into_iter(), Some(70)), "tick 63 asks");
        assert_eq!(
            asked_by([1233, 1230].into_iter(), Some(1233)),
            "ticks 1,231 to 1,234 ask"
        );
    }
}
