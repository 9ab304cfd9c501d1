//! All structures on one moment of the battle, or one of them with every value of a setting: a row each, with a bar a figure, in the
//! order of whichever figure one chooses.

mod columns;
mod even;
mod kept;
mod row;
mod subjects;

use super::why::Counts;
use super::winner::{Compared, Contender, Said, quickest};
use crate::app::palette::{Palette, faded};
use crate::app::set_words::pane_in_words;
use crate::app::state::{App, RunMode};
use crate::app::theme::{layout, size, text};
use crate::app::widgets::{
    button_in, button_width, elided_at_word, focus_ring, is_cut, look_at, metres, place, scrolled,
    tell_state, with_commas,
};
use crate::app::worker::{OF_TICK, Outcome, SurveyRow, values_of};
use columns::{Bars, COLUMNS, Column, Trust, columns, figure, is_settled, least_of, means};
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Align2, CornerRadius, Rect, Sense, Shape, Stroke, Ui, UiBuilder, WidgetType, pos2, vec2,
};
use even::even;
pub use kept::Kept;
use row::{at_an_end, name_of, row_line};
use skirmish::measure::survey::Row;
use skirmish::partition::Knob;
use skirmish::scene::AnyChoice;
use skirmish::structure::StructureKind;
use std::cmp::Ordering;
use subjects::subjects;

/// By what the rows are ordered; `None` is the order of the registry, or of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Order {
    column: Option<usize>,
    descending: bool,
}

/// Of what a table is: of all structures, or of one with each value of a setting.
type Subject = Option<(StructureKind, usize)>;

/// The order of every table that was looked at: whoever comes back to one finds it as it was. And which columns are looked at, where
/// there is no room for all.
#[derive(Debug, Default)]
pub struct Orders {
    all: Vec<(Subject, Order)>,
    /// Whether they are the last ones rather than the first ones.
    shows_last: bool,
}

impl Orders {
    fn of(&self, subject: Subject) -> Order {
        let known = self.all.iter().find(|(of, _)| *of == subject);
        known.map_or_else(Order::default, |(_, order)| *order)
    }

    fn put(&mut self, subject: Subject, order: Order) {
        self.all.retain(|(of, _)| *of != subject);
        self.all.push((subject, order));
    }
}

/// In a lower table there is no such line.
const LEAST_HIGH: f32 = 200.0;
/// Between the last row and the words below the table, in points.
const ABOVE_NOTE: f32 = 6.0;
/// How high these are in one line, and how much each further one adds; so wide are they about, and in a table that is not low they have as
/// many lines as they take, but not more than this.
const NOTE: f32 = 22.0;
const NOTE_LINE: f32 = 14.0;
const NOTE_WIDTH: f32 = 1_700.0;
const MOST_NOTE_LINES: usize = 3;
/// The height of the line with the columns' names.
const HEAD: f32 = 40.0;
/// The width of the structures' names, and the least that it becomes before a column is left out.
const NAMES: f32 = 220.0;
const LEAST_NAMES: f32 = 150.0;
/// From mark to mark of the lanes that are of a row, and behind the last one.
const MARK: f32 = 11.0;
/// The least width of a column, and the least height of a row.
const LEAST_COLUMN: f32 = 84.0;
const LEAST_ROW: f32 = 22.0;

/// Draws it; a click on a column's name orders by it, a click on a row puts its structure, or its value, into the pane that is
/// chosen.
pub fn table(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect, orders: &mut Orders) {
    ui.painter()
        .rect_filled(rect, CornerRadius::ZERO, palette.panel);
    place(ui.ctx(), "table", rect);
    let inner = rect.shrink2(vec2(layout::PADDING, 6.0));
    let columns = columns(app.rectangles());
    let columns: Vec<&Column> = columns
        .iter()
        .filter(|column| !(app.fixed && column.time.is_some()))
        .collect();
    let lines = lines_of_note(inner);
    let note = inner.with_min_y(inner.bottom() - NOTE - NOTE_LINE * (lines - 1) as f32);
    let (names, fitting) = parted(inner.width(), columns.len());
    let (columns, left_out) = looked_at(&columns, fitting, orders.shows_last);
    let note = other_columns(ui, palette, note, left_out, &mut orders.shows_last);
    let (asked, has_questions) = (app.questions, !app.fixed);
    let rectangles = app.rectangles();
    // In a low window the rows come first: what they are is chosen from the list of commands there.
    let head_room = if inner.height() >= LEAST_HIGH {
        subjects(ui, app, palette, inner, has_questions)
    } else {
        0.0
    };
    // Whoever asks otherwise sees what is answered.
    orders.shows_last |= app.questions != asked;
    orders.shows_last &= app.rectangles() == rectangles;
    let body = inner
        .with_max_y(note.top() - ABOVE_NOTE)
        .with_min_y(inner.top() + head_room);
    let knob = knob_of(app);
    let subject = knob.map(|(at, _)| (app.swept_structure().kind, at));
    let before = orders.of(subject);
    let mut order = before;
    let marks = room_of_marks(app);
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
    let place_of_names = place_of_names.with_min_x(body.left() + marks);
    let all: Vec<&SurveyRow> = app.survey_rows().collect();
    let bars: Vec<Bars> = columns
        .iter()
        .map(|column| Bars::of(column, &all))
        .collect();
    let mut rows = ordered(app, order);
    let below = body.with_min_y(body.top() + HEAD);
    let is_held = hold_still(ui, below, (subject, order), &mut rows);
    heading(
        ui,
        palette,
        place_of_names,
        first,
        (None, false, is_held),
        &mut order,
    );
    for (place, column) in columns.iter().enumerate() {
        let at = COLUMNS.iter().position(|one| one.key == column.key);
        let mut means = means(app, column);
        let is_log = bars[place].is_log();
        if is_log {
            means
                .to_mut()
                .push_str(" Its bars go by ratios, from the least to the greatest.");
        }
        let name = (column.key, column.name, &*means);
        let cell = cell(place, head.clone());
        heading(ui, palette, cell, name, (at, is_log, is_held), &mut order);
    }
    if order != before {
        orders.put(subject, order);
        rows = ordered(app, order);
        hold_still(ui, below, (subject, order), &mut rows);
    }
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
    let expected = expected(app, knob);
    let has_best = is_settled(&rows, expected);
    let least = columns.iter().map(|column| least_of(column, &rows));
    let least: Vec<f64> = least.collect();
    let is_even = knob.is_some_and(|knob| even(app, &rows, knob).is_some());
    // Rows that are yet to come have their room, so that none moves with them.
    let count = expected.max(rows.len());
    let height = (below.height() / count as f32).clamp(LEAST_ROW, 40.0);
    let mut chosen = None;
    let mut draw = |ui: &mut Ui, top: f32| {
        for (place, row) in rows.iter().enumerate() {
            let top = top + height * place as f32;
            let y = top..=top + height;
            let line = Rect::from_x_y_ranges(rect.x_range(), y.clone());
            let response = row_line(
                ui,
                app,
                palette,
                line,
                (body.left(), names, marks),
                (row, columns),
            );
            if response.clicked() {
                chosen = Some(row.choice.clone());
            }
            match &row.outcome {
                Outcome::Measured(measured) => {
                    for (at, column) in columns.iter().enumerate() {
                        let value = column.value_of(row, measured);
                        let cell = cell(at, y.clone());
                        let trust = Trust::of(column, row);
                        let can_be_best = has_best && !is_even && trust == Trust::Sure;
                        let least = can_be_best.then_some(least[at]);
                        let value = (value, trust);
                        figure(ui, palette, cell, column, (value, least, bars[at]));
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
    let of = (&rows[..], columns, left_out);
    footnote(ui, app, palette, (note, lines), of);
    // A file that is written of it has its rows as they stand here.
    let choices = || rows.iter().map(|row| &row.choice);
    let order = (!choices().eq(&app.survey_order)).then(|| choices().cloned().collect());
    if let Some(order) = order {
        app.survey_order = order;
    }
    if let Some(choice) = chosen {
        let own = app.swept_lane();
        let other = match knob {
            Some((at, _)) => app.set_swept_value(at, choice.value(at)),
            None => app.put_row(&choice),
        };
        // Two panes are others at once, though one was clicked for.
        if let Some(other) = other {
            let [other, own] = [other, own].map(pane_in_words);
            app.say(format!(
                "This row was in {other}, so that and {own} have changed places."
            ));
        }
    }
}

/// How many lines the words below a table have: as many whatever they are, so that no row moves with them.
fn lines_of_note(table: Rect) -> usize {
    match table.height() >= 2.0 * LEAST_HIGH {
        true => ((NOTE_WIDTH / table.width()).ceil() as usize).clamp(1, MOST_NOTE_LINES),
        false => 1,
    }
}

/// How wide the names are in a table of this width, and how many of so many columns have room beside them: in a narrow one the names are
/// narrower first.
fn parted(width: f32, columns: usize) -> (f32, usize) {
    let beside = (width - LEAST_COLUMN * columns as f32).max(LEAST_NAMES);
    let names = NAMES.min(width * 0.45).min(beside);
    // Where all of them just have room, the last one is not left out for how numbers are rounded.
    let fitting = ((width - names) / LEAST_COLUMN + 0.01) as usize;
    (names, fitting.clamp(1, columns.max(1)))
}

/// The columns that are looked at, of which so many have room, and those that are left out.
fn looked_at<'a, 'c>(
    all: &'a [&'c Column],
    fitting: usize,
    shows_last: bool,
) -> (&'a [&'c Column], &'a [&'c Column]) {
    if shows_last {
        let (left_out, shown) = all.split_at(all.len() - fitting);
        (shown, left_out)
    } else {
        all.split_at(fitting)
    }
}

/// The button that shows the columns which have no room beside those that are shown, at the right end of the line below the table; gives
/// what is left of that.
fn other_columns(
    ui: &mut Ui,
    palette: &Palette,
    line: Rect,
    left_out: &[&Column],
    shows_last: &mut bool,
) -> Rect {
    if left_out.is_empty() {
        return line;
    }
    let word = if *shows_last {
        "first columns"
    } else {
        "last columns"
    };
    let help = format!("Shows {}, for which there is no room.", listed(left_out));
    let button = line.with_min_x(line.right() - button_width(ui, word));
    let button = button.with_min_y(line.bottom() - NOTE);
    look_at(ui.ctx(), button);
    if button_in(ui, palette, "table.columns", button, (word, &help), true) {
        *shows_last = !*shows_last;
    }
    line.with_max_x(button.left() - 10.0)
}

/// The names of columns in a row.
fn listed(columns: &[&Column]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    match &names[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// That columns were left out, and which.
fn without_room(left_out: &[&Column]) -> String {
    let has = if left_out.len() == 1 { "has" } else { "have" };
    match left_out {
        [] => String::new(),
        _ => format!("{} {has} room in a wider window \u{b7} ", listed(left_out)),
    }
}

/// The setting whose values are the rows, with its index.
fn knob_of(app: &App) -> Option<(usize, &'static Knob)> {
    app.swept_knob()
}

/// The room of the marks before the names: those of all lanes that are of one row stand side by side, and the names of all rows below
/// each other.
fn room_of_marks(app: &App) -> f32 {
    let alike = |place: usize| {
        let lanes = app.lanes.iter();
        let kind = app.lanes[place].structure.kind;
        lanes.filter(|lane| lane.structure.kind == kind).count()
    };
    let most = (0..app.lanes.len()).map(alike).max().unwrap_or(1);
    MARK * most as f32 + MARK
}

/// How many values of a setting are measured.
fn value_count(app: &App, at: usize, knob: &Knob) -> usize {
    let kind = app.swept_structure().kind;
    let lanes = app.lanes.iter().map(|lane| &lane.structure);
    let present = lanes.filter(|it| it.kind == kind).map(|it| it.knob(at));
    values_of(knob, present, &app.own_values(at)).len()
}

/// How many rows a table has once all are there.
fn expected(app: &App, knob: Option<(usize, &Knob)>) -> usize {
    match knob {
        Some((at, knob)) => value_count(app, at, knob),
        None => app.row_count(),
    }
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
    rows.sort_by(|a, b| compared(column, order, a, b));
    rows
}

/// Which of two rows stands above the other one; what could not be measured stands below.
fn compared(column: &Column, order: Order, a: &SurveyRow, b: &SurveyRow) -> Ordering {
    match (column.value(a), column.value(b)) {
        (Some(a), Some(b)) if order.descending => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

/// While the pointer is on the rows they keep their order, whatever is measured meanwhile: who points at one means that one. Whether their
/// values have another one: of those that have the same either may stand above.
fn hold_still(ui: &Ui, area: Rect, order: (Subject, Order), rows: &mut [&SurveyRow]) -> bool {
    let id = ui.id().with("order of the rows");
    let choices = |rows: &[&SurveyRow]| -> Vec<AnyChoice> {
        rows.iter().map(|row| row.choice.clone()).collect()
    };
    // By their names they never change places.
    let Some(column) = order.1.column.and_then(|column| COLUMNS.get(column)) else {
        return false;
    };
    let held: Option<((Subject, Order), Vec<AnyChoice>)> = ui.data(|data| data.get_temp(id));
    match held {
        Some((of, held)) if of == order && ui.rect_contains_pointer(area) => {
            // One that is set otherwise meanwhile stays where it was.
            let of_kind = |row: &SurveyRow| {
                let mut alike = held
                    .iter()
                    .enumerate()
                    .filter(|(_, choice)| choice.kind == row.choice.kind);
                let first = alike.next().map(|(place, _)| place);
                first.filter(|_| alike.next().is_none())
            };
            let place = |row: &&SurveyRow| {
                let same = held.iter().position(|choice| *choice == row.choice);
                same.or_else(|| of_kind(row))
            };
            rows.sort_by_key(|row| place(row).unwrap_or(usize::MAX));
            !rows.is_sorted_by(|a, b| compared(column, order.1, a, b).is_le())
        }
        _ => {
            ui.data_mut(|data| data.insert_temp(id, (order, choices(rows))));
            false
        }
    }
}

/// The name of a column, which orders by it, and backwards when it does already; below it, whether its bars go by ratios.
fn heading(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    (key, name, help): (&str, &str, &str),
    (column, is_log, is_held): (Option<usize>, bool, bool),
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
        None => (rect.left_center(), Align2::LEFT_CENTER),
        Some(_) => (rect.right_center(), Align2::RIGHT_CENTER),
    };
    let drawn = ui.painter().text(at, align, name, text(size::SECOND), ink);
    if is_log {
        ui.painter().text(
            drawn.right_bottom() + vec2(0.0, 4.0),
            Align2::RIGHT_CENTER,
            "log bars",
            text(size::CAPTION),
            palette.text_third,
        );
    }
    if is_on {
        let tip = if order.descending { 3.0 } else { -3.0 };
        let middle = pos2(drawn.left() - 9.0, drawn.center().y);
        let corners = vec![
            middle + vec2(-4.0, -tip),
            middle + vec2(4.0, -tip),
            middle + vec2(0.0, tip),
        ];
        // The rows stand in another order for the moment.
        let ink = match is_held {
            true => faded(palette.accent, 0.35),
            false => palette.accent,
        };
        let shape = Shape::convex_polygon(corners, ink, Stroke::NONE);
        ui.painter().add(shape);
    }
    focus_ring(ui, palette, &response, rect);
    if response.clicked() {
        *order = Order {
            column,
            descending: is_on && !order.descending,
        };
    }
    let held = match is_on && column.is_some() {
        true => {
            " Rows keep their places while the pointer is on them; the arrow is pale while they would change them."
        }
        false => "",
    };
    response.on_hover_text(format!(
        "{help} A click orders by it, another one backwards.{held}"
    ));
}

/// Who is quickest of the rows; `None` where there is no table, or no time is shown.
fn winner(app: &App) -> Option<Said> {
    app.surveys().filter(|_| !app.fixed)?;
    let compared = Compared::with(app.rectangles());
    let knob = knob_of(app);
    let rows = ordered(app, Order::default());
    if let Some((even, knob)) = knob.and_then(|it| Some((even(app, &rows, it)?, it.1))) {
        let (clauses, between) = even.in_words(knob);
        return Some(Said {
            caption: compared.caption(),
            clauses,
            between,
            ..Said::default()
        });
    }
    let expected = expected(app, knob);
    let swept = app.swept_structure();
    // What was read in another span of time is compared with none of what has been read since.
    let rows: Vec<&SurveyRow> = rows.into_iter().filter(|row| !row.is_of_before).collect();
    let stands = app.mode != RunMode::Running;
    let did_the_same = |one: &SurveyRow, other: &SurveyRow| {
        one.choice.kind == other.choice.kind && one.worked_as(other) == Some(true)
    };
    let contender = |(place, row): (usize, &&SurveyRow)| match &row.outcome {
        Outcome::Measured(measured) if measured.fault().is_none() => {
            let parts = row.parts_of_tick(measured);
            let us = parts.iter().sum();
            Some(Contender {
                name: name_of(app, row, knob),
                work: rows[..place]
                    .iter()
                    .position(|other| did_the_same(row, other))
                    .unwrap_or(place),
                is_set: match knob {
                    Some((at, _)) => swept.knob(at) == row.choice.value(at),
                    None => app.lane_of_row(&row.choice).is_some(),
                },
                aside: knob.map_or("", |(at, knob)| at_an_end(knob, row.choice.value(at))),
                us,
                parts,
                counts: Counts::of(
                    [measured.tests, measured.visits],
                    measured.bytes as u64,
                    measured.units,
                ),
                least_us: row.least(OF_TICK).unwrap_or(us),
                doubtful_from: row.doubt(OF_TICK).map(|spread| spread.least),
                is_read: row.is_read(),
                is_given_up: stands && row.is_given_up(),
            })
        }
        _ => None,
    };
    let contenders: Vec<Contender> = rows.iter().enumerate().filter_map(contender).collect();
    Some(quickest(&contenders, compared, (rows.len(), expected)))
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

/// Of how many units a row is, and how many pairs they are within so many metres.
fn crowd_of(row: Option<&Row>) -> String {
    row.map_or(String::new(), |row| {
        let [units, pairs] = [row.units, row.pairs].map(with_commas);
        // That of what was measured: another one may have been set since.
        let reach = metres(row.reach);
        format!(" \u{b7} {units} units \u{b7} {pairs} pairs within {reach} m, edge to edge")
    })
}

/// With how many rectangles a tick is reckoned, if with any: the window may be too low or too narrow for where that is set.
fn reckoned_with(rectangles: u32) -> String {
    let rectangles = match rectangles {
        0 => return String::new(),
        1 => "1 rectangle".to_owned(),
        count => format!("{} rectangles", with_commas(count.into())),
    };
    format!("a whole tick has {rectangles} \u{b7} ")
}

/// Of which moment the rows are, and whether all of them answer alike.
fn footnote(
    ui: &Ui,
    app: &App,
    palette: &Palette,
    (rect, lines): (Rect, usize),
    (rows, columns, left_out): (&[&SurveyRow], &[&Column], &[&Column]),
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
    let now: Vec<&SurveyRow> = rows
        .iter()
        .copied()
        .filter(|row| !row.is_of_before)
        .collect();
    let rows_of_now = if now.is_empty() { rows } else { &now[..] };
    // Of the units that were measured: others may stand by now.
    let crowd = crowd_of(measured(rows_of_now).next());
    let set = match knob_of(app) {
        Some(_) => format!(
            "its other settings as in {}",
            pane_in_words(app.swept_lane())
        ),
        None => "lanes as they are set, the others with default knobs".to_owned(),
    };
    let even = match knob_of(app) {
        Some((_, knob)) if knob.acts_on_update => {
            "this setting acts while units move: lanes set otherwise show it in the race \u{b7} "
                .to_owned()
        }
        Some(knob) if even(app, rows, knob).is_some() => format!(
            "here every {} comes to the same work; what it may change shows over time, in lanes \u{b7} ",
            knob.1.name
        ),
        _ => String::new(),
    };
    // That something is wrong comes before all else.
    let (wrong, answers) = match differs {
        0 => (String::new(), format!(" \u{b7} {answers}")),
        _ => (format!("{answers} \u{b7} "), String::new()),
    };
    let is_doubtful = |row: &&SurveyRow| columns.iter().any(|column| column.doubt(row).is_some());
    let doubts = match rows {
        _ if rows.iter().any(|row| row.is_of_before) => {
            "~ being measured again, pale rows are of before \u{b7} "
        }
        _ if rows.iter().any(|row| row.is_hardly_read()) => "~ read once or twice so far \u{b7} ",
        _ if rows.iter().any(|row| !row.is_read()) => "still being read \u{b7} ",
        _ if rows.iter().any(is_doubtful) => "~ readings lie far apart \u{b7} ",
        _ => "",
    };
    // Where two runs must look alike no time is shown.
    let reckoned = reckoned_with(if app.fixed { 0 } else { app.rectangles() });
    let words = format!(
        "{wrong}{doubts}{reckoned}{}{even}each built anew, so not as in the race, and measured alone \u{b7} caches warm, on what {moment}{medians}{crowd}{answers} \u{b7} {set}",
        without_room(left_out),
    );
    let font = text(size::DESCRIPTION);
    let laid = |words: &str| match lines {
        1 => elided_at_word(ui, words, font.clone(), color, rect.width()),
        _ => {
            let mut job = LayoutJob::simple(words.to_owned(), font.clone(), color, rect.width());
            job.wrap.max_rows = lines;
            ui.fonts(|fonts| fonts.layout_job(job))
        }
    };
    // As much of it as there is room for, and no half of a part; what goes on is seen to go on.
    let mut part = words.as_str();
    let shown = loop {
        let more = match part.len() < words.len() {
            true => format!("{part} \u{b7} \u{2026}"),
            false => part.to_owned(),
        };
        let shown = laid(&more);
        match part.rsplit_once(" \u{b7} ") {
            Some((before, _)) if is_cut(&shown, &more) => part = before,
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
    fn pairs_are_said_with_the_reach_at_which_they_were_measured() {
        let row = SurveyRow::measured();
        let words = crowd_of(Some(&row));
        assert!(
            words.contains("1,200 units \u{b7} 31 pairs within 2.5 m"),
            "{words}"
        );
        assert_eq!(crowd_of(None), "");
    }

    #[test]
    fn names_give_their_room_to_columns_and_columns_that_have_none_are_named() {
        let all = COLUMNS.len();
        assert_eq!(parted(1400.0, all), (NAMES, all));
        // A window of 1,440 pixels at 150 %.
        let (names, fitting) = parted(960.0 - 2.0 * layout::PADDING, all);
        assert!(fitting == all && names >= LEAST_NAMES);
        let (names, fitting) = parted(640.0, all);
        assert!(fitting < all && names == LEAST_NAMES);
        let columns: Vec<&Column> = COLUMNS.iter().collect();
        assert_eq!(without_room(&columns[all..]), "");
        assert_eq!(
            without_room(&columns[all - 1..]),
            "nearest has room in a wider window \u{b7} "
        );
        assert_eq!(
            without_room(&columns[all - 3..]),
            "memory, rectangle and nearest have room in a wider window \u{b7} "
        );
        // Each of them is among the first ones or among the last.
        let keys = |columns: &[&Column]| -> Vec<&str> {
            columns.iter().map(|column| column.key).collect()
        };
        let (first, left_out) = looked_at(&columns, 6, false);
        assert_eq!(keys(left_out), ["memory", "rectangle", "nearest"]);
        assert_eq!(keys(first).len(), 6);
        let (last, left_out) = looked_at(&columns, 6, true);
        assert_eq!(keys(left_out), ["tests", "visited", "time"]);
        assert!(keys(last).ends_with(&["rectangle", "nearest"]));
    }

    #[test]
    fn rectangles_of_a_tick_are_named_below_the_table_only_where_there_are_any() {
        let dot = " \u{b7} ";
        assert_eq!(reckoned_with(0), "");
        assert_eq!(
            reckoned_with(1),
            format!("a whole tick has 1 rectangle{dot}")
        );
        let many = format!("a whole tick has 12,000 rectangles{dot}");
        assert_eq!(reckoned_with(12_000), many);
    }

    #[test]
    fn the_words_below_a_table_have_lines_by_its_size_alone() {
        let lines =
            |width, height| lines_of_note(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)));
        assert_eq!(
            [2_000.0, 1_256.0, 720.0, 320.0].map(|width| lines(width, 400.0)),
            [1, 2, 3, 3]
        );
        // In a low one the rows come first.
        assert_eq!(lines(720.0, 2.0 * LEAST_HIGH - 1.0), 1);
    }

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
