//! The figures of the table: what each is of a row, in words, as a bar, and when it is doubtful.

use crate::app::glossary;
use crate::app::palette::{Palette, mixed};
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::view::compare::figures::{Apart, regions_in_words};
use crate::app::widgets::{bytes, duration, with_commas};
use crate::app::worker::{OF_TICK, Outcome, Spread, SurveyRow};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, Ui, pos2};
use skirmish::measure::survey::Row;
use std::borrow::Cow;

/// A figure of the table.
#[derive(Clone, Copy)]
pub struct Column {
    /// For ids.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Of which times of a reading it is the sum, if it is a time: those are not shown where two runs must look alike.
    pub time: Option<&'static [usize]>,
    /// From where on two of its values are told apart, as in what is said of them.
    pub apart: Apart,
    /// What it is of a row that was measured.
    of: fn(&SurveyRow, &Row) -> f64,
    /// In words, with its unit.
    pub write: fn(f64) -> (String, &'static str),
}

fn count(value: f64) -> (String, &'static str) {
    (with_commas(value as u64), "")
}

fn regions(value: f64) -> (String, &'static str) {
    (regions_in_words(value as u64), "")
}

fn memory(value: f64) -> (String, &'static str) {
    bytes(value as u64)
}

/// The figures, from left to right: those of a tick, what the structure is, and single questions, which no tick asks. Where there is no
/// room, the last ones are left out.
pub const COLUMNS: [Column; 9] = [
    Column {
        key: "tests",
        name: "tests",
        time: None,
        apart: Apart::OF_COUNT,
        of: |_, row| row.tests as f64,
        write: count,
    },
    Column {
        key: "visited",
        name: "visited",
        time: None,
        apart: Apart::OF_COUNT,
        of: |_, row| row.visits as f64,
        write: regions,
    },
    Column {
        key: "time",
        name: "update + query",
        time: Some(OF_TICK),
        apart: Apart::OF_TICK,
        of: |row, measured| row.parts_of_tick(measured).iter().sum(),
        write: duration,
    },
    Column {
        key: "update",
        name: "update",
        time: Some(&[1]),
        apart: Apart::OF_TICK,
        of: |_, row| row.update_us,
        write: duration,
    },
    Column {
        key: "query",
        name: "query",
        time: Some(&[2]),
        apart: Apart::OF_TICK,
        of: |_, row| row.query_us,
        write: duration,
    },
    Column {
        key: "build",
        name: "build",
        time: Some(&[0]),
        apart: Apart::OF_TICK,
        of: |_, row| row.build_us,
        write: duration,
    },
    Column {
        key: "memory",
        name: "memory",
        time: None,
        apart: Apart::OF_COUNT,
        of: |_, row| row.bytes as f64,
        write: memory,
    },
    Column {
        key: "rectangle",
        name: "rectangle",
        time: Some(&[3]),
        apart: Apart::OF_QUESTION,
        of: |_, row| row.prices[0].us,
        write: duration,
    },
    Column {
        key: "nearest",
        name: "nearest",
        time: Some(&[4]),
        apart: Apart::OF_QUESTION,
        of: |_, row| row.prices[1].us,
        write: duration,
    },
];

/// The figures where a tick is reckoned with so many single rectangles: the sum has another name then.
pub fn columns(rectangles: u32) -> [Column; COLUMNS.len()] {
    COLUMNS.map(|column| Column {
        name: match column.time {
            Some(OF_TICK) if rectangles > 0 => "whole tick",
            _ => column.name,
        },
        ..column
    })
}

impl Column {
    /// What it is of a row that was measured.
    pub fn value(&self, row: &SurveyRow) -> Option<f64> {
        match &row.outcome {
            Outcome::Measured(measured) => Some(self.value_of(row, measured)),
            _ => None,
        }
    }

    /// The same of what was measured of a row.
    pub fn value_of(&self, row: &SurveyRow, measured: &Row) -> f64 {
        (self.of)(row, measured)
    }

    /// Whether a value counts as alike with the least one, which is lit then. Who has nothing of it (all pairs enters no region) leads at
    /// nothing.
    fn is_alike(&self, least: f64, value: f64) -> bool {
        least > 0.0 && value > 0.0 && !self.apart.are_apart(least, value)
    }

    /// Whether a doubtful value may be less than the least of the others: it is shown as less, or its least reading clearly is.
    fn may_be_less(&self, least: f64, shown: f64, reading: f64) -> bool {
        shown < least || self.apart.are_apart(reading, least)
    }

    /// How far its readings lie apart, where that is so far that it is doubtful.
    pub fn doubt(&self, row: &SurveyRow) -> Option<Spread> {
        row.doubt(self.time?)
    }
}

/// On which scale the bars of a column are: from nothing to the greatest, or where that is so much more than the least that most bars would
/// be nothing, from the least to the greatest by ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bars {
    least: f64,
    most: f64,
}

impl Bars {
    /// How many times the least the greatest is, from which on it goes by ratios.
    const RATIOS: f64 = 20.0;
    /// So much of the track has what is the least then: it is not nothing.
    const STUB: f64 = 0.06;

    /// That of a column of these rows.
    pub fn of(column: &Column, rows: &[&SurveyRow]) -> Self {
        Self::over(rows.iter().filter_map(|row| column.value(row)))
    }

    fn over(values: impl Iterator<Item = f64>) -> Self {
        let known = values.filter(|value| *value > 0.0);
        let (least, most) = known.fold((f64::INFINITY, 0.0), |(least, most), value| {
            (value.min(least), value.max(most))
        });
        Self { least, most }
    }

    /// Whether it goes by ratios.
    pub fn is_log(self) -> bool {
        self.most >= Self::RATIOS * self.least
    }

    /// How much of the track a value has.
    fn part(self, value: f64) -> f64 {
        let part = match self.is_log() {
            _ if value <= 0.0 || self.most <= 0.0 => 0.0,
            true => {
                let way = (value / self.least).ln() / (self.most / self.least).ln();
                Self::STUB + (1.0 - Self::STUB) * way
            }
            false => value / self.most,
        };
        part.clamp(0.0, 1.0)
    }
}

/// How far a figure is to be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It is what was measured.
    Sure,
    /// It was measured before what is measured now, of other questions perhaps.
    OfBefore,
    /// It is a time whose readings say little.
    Doubtful,
}

impl Trust {
    /// That of a row's figure.
    pub fn of(column: &Column, row: &SurveyRow) -> Self {
        match column.doubt(row) {
            Some(_) => Self::Doubtful,
            None if row.is_of_before => Self::OfBefore,
            None => Self::Sure,
        }
    }
}

/// Whether any row may be called the best: of so many all are there, and none is of before, as those are of other questions perhaps.
pub fn is_settled(rows: &[&SurveyRow], expected: usize) -> bool {
    rows.len() >= expected && !rows.iter().any(|row| row.is_of_before)
}

/// The least of a column, which is lit; 0 where a doubtful one may be less, as nobody is known to have the least then.
pub fn least_of(column: &Column, rows: &[&SurveyRow]) -> f64 {
    let sure = rows.iter().filter(|row| column.doubt(row).is_none());
    let least = sure
        .filter_map(|row| column.value(row))
        .filter(|value| *value > 0.0)
        .fold(f64::INFINITY, f64::min);
    let mut doubtful = rows
        .iter()
        .filter_map(|row| Some((column.doubt(row)?, column.value(row)?)));
    match doubtful.any(|(spread, shown)| column.may_be_less(least, shown, spread.least)) {
        true => 0.0,
        false => least,
    }
}

/// What a column means, of the rectangle with the size that it has here.
pub fn means(app: &App, column: &Column) -> Cow<'static, str> {
    let means = glossary::means("table", column.name);
    let row = app.survey.iter().find_map(|row| match &row.outcome {
        Outcome::Measured(row) => Some(row),
        _ => None,
    });
    match row {
        Some(row) if column.key == "rectangle" => {
            let found = row.prices[0].found;
            let size = match row.size {
                [width, height] if width == height => format!("its side is {width} m"),
                [width, height] => format!("it is {width} m wide and {height} m high"),
            };
            Cow::Owned(format!(
                "{means} Here {size}, and {found:.1} units are in it on average."
            ))
        }
        _ if column.time == Some(OF_TICK) && app.rectangles() > 0 => Cow::Owned(format!(
            "{means} Here it is update + query + {} \u{d7} rectangle.",
            with_commas(app.rectangles().into())
        )),
        _ => Cow::Borrowed(means),
    }
}

/// What there is below the bar of a row so high, in points.
fn below_bar(height: f32) -> f32 {
    ((height - 18.0) / 2.0).clamp(2.0, 4.0)
}

/// How wide the bar of a part of a track is: to be seen, unless there is nothing.
fn bar_width(track: f32, part: f32) -> Option<f32> {
    (part > 0.0).then(|| (track * part).max(1.5))
}

/// A figure: its bar on the column's scale, and its value, lit where it counts as alike with the best one: `least`, where one can be; pale
/// and only about so much where it is doubtful; pale where it is of before.
pub fn figure(
    ui: &Ui,
    palette: &Palette,
    cell: Rect,
    column: &Column,
    ((value, trust), least, bars): ((f64, Trust), Option<f64>, Bars),
) {
    let painter = ui.painter();
    let (words, unit) = (column.write)(value);
    let is_best = least.is_some_and(|least| column.is_alike(least, value));
    // Where the greatest would leave nothing of most others, bars go by ratios; the column's head says so.
    let part = bars.part(value) as f32;
    // The commas of a number end above it also in the lowest row.
    let base = cell.bottom() - below_bar(cell.height());
    let track = Rect::from_x_y_ranges(cell.x_range(), base - 3.0..=base);
    painter.rect_filled(track, CornerRadius::same(1), palette.hover);
    let strength = match trust {
        _ if is_best => 0.95,
        Trust::Sure => 0.5,
        Trust::OfBefore | Trust::Doubtful => 0.2,
    };
    if let Some(width) = bar_width(track.width(), part) {
        painter.rect_filled(
            track.with_max_x(track.left() + width),
            CornerRadius::same(1),
            mixed(palette.panel, palette.accent, strength),
        );
    }
    let (words, color) = match trust {
        Trust::Doubtful => (format!("~{words}"), palette.text_third),
        Trust::OfBefore => (words, palette.text_third),
        Trust::Sure if is_best => (words, palette.accent),
        Trust::Sure => (words, palette.text_second),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::compare::verdict::what_is_alike;

    #[test]
    fn the_sum_with_rectangles_has_a_name_of_its_own_that_is_explained() {
        let names = |rectangles| columns(rectangles).map(|column| column.name);
        assert_eq!(names(0), COLUMNS.map(|column| column.name));
        let with = names(40);
        let differ = with
            .iter()
            .zip(names(0))
            .filter(|(one, other)| *one != other);
        assert_eq!(
            differ.collect::<Vec<_>>(),
            [(&"whole tick", "update + query")]
        );
        assert!(glossary::means("table", "whole tick").contains("rectangles"));
    }

    #[test]
    fn a_bar_keeps_off_the_number_above_it_in_a_low_row() {
        for height in [22.0, 24.0, 26.0, 40.0] {
            // The number is written so far above the middle, and its commas end 7 points below its own.
            let commas = height / 2.0 - 3.0 + 7.0;
            let bar = height - below_bar(height) - 3.0;
            assert!(bar >= commas + 1.0, "{height}: {bar} {commas}");
        }
        assert_eq!(below_bar(40.0), 4.0);
    }

    #[test]
    fn what_is_none_has_no_bar_and_what_is_little_has_one() {
        assert_eq!(bar_width(300.0, 0.0), None);
        assert_eq!(bar_width(300.0, 0.001), Some(1.5));
        assert_eq!(bar_width(300.0, 0.5), Some(150.0));
    }

    #[test]
    fn what_counts_as_alike_with_the_least_of_a_column_is_lit() {
        let column = |key: &str| {
            let mut all = COLUMNS.iter();
            all.find(|column| column.key == key).expect("a column")
        };
        let lit = |key: &str, least: f64, values: &[f64]| -> Vec<bool> {
            let values = values.iter();
            values
                .map(|value| column(key).is_alike(least, *value))
                .collect()
        };
        let counts = lit("tests", 41_203.0, &[41_203.0, 41_205.0, 43_200.0, 43_300.0]);
        assert_eq!(counts, [true, true, true, false]);
        assert_eq!(lit("visited", 56.0, &[0.0, 56.0]), [false, true]);
        // A tick's and a build's times are not told apart by less than a look at the clock takes; single questions are.
        for key in ["time", "update", "query", "build"] {
            let times = lit(key, 4.0, &[4.5, 6.9, 7.1]);
            assert_eq!(times, [true, true, false], "{key}");
        }
        for key in ["rectangle", "nearest"] {
            let times = lit(key, 4.0, &[4.5, 4.61, 6.9]);
            assert_eq!(times, [true, false, false], "{key}");
        }
        // The verdict says so, in one sentence for all columns.
        let (tick, count) = (Apart::OF_TICK, Apart::OF_COUNT);
        let words = what_is_alike(true);
        let begin = format!("Times within {} of the least are alike,", tick.share());
        assert!(words.starts_with(&begin), "{words}");
        let of_tick = format!(
            " those of a tick or a build within {} \u{b5}s too,",
            tick.by
        );
        assert!(words.contains(&of_tick), "{words}");
        let of_count = format!(" counts and memory within {}, and", count.share());
        assert!(words.contains(&of_count), "{words}");
        for Column {
            key, time, apart, ..
        } in &COLUMNS
        {
            let said = match (time, *key) {
                (None, _) => (count.share(), 0.0),
                (Some(_), "rectangle" | "nearest") => (tick.share(), 0.0),
                (Some(_), _) => (tick.share(), tick.by),
            };
            assert_eq!((apart.share(), apart.by), said, "{key}");
        }
        // Where nobody is known to have the least, nobody is lit.
        assert_eq!(lit("time", 0.0, &[4.0]), [false]);
        let query = column("query");
        assert!(query.may_be_less(100.0, 99.0, 98.0), "it is shown as less");
        assert!(query.may_be_less(100.0, 300.0, 80.0));
        assert!(!query.may_be_less(100.0, 300.0, 95.0));
    }

    #[test]
    fn bars_are_as_long_as_values_unless_the_least_would_be_nothing() {
        let bars = Bars::over([2.0, 1.0, 4.0].into_iter());
        assert!(!bars.is_log());
        assert_eq!(
            [1.0, 2.0, 4.0].map(|value| bars.part(value)),
            [0.25, 0.5, 1.0]
        );
        // 0.2 ms beside 20 ms, and one that has nothing.
        let bars = Bars::over([200.0, 2_000.0, 20_000.0, 0.0].into_iter());
        assert!(bars.is_log());
        let parts = [0.0, 200.0, 2_000.0, 20_000.0].map(|value| bars.part(value));
        assert_eq!((parts[0], parts[3]), (0.0, 1.0));
        assert!(parts[1] > 0.0 && parts[1] < 0.1, "{parts:?}");
        assert!((parts[2] - 0.53).abs() < 0.01, "{parts:?}");
        let none = Bars::over([0.0].into_iter());
        assert!(!none.is_log() && none.part(0.0) == 0.0);
    }
}
