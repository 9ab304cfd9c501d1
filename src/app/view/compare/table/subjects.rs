//! The line above the table: what its rows are, what is asked besides, and that all is measured again.

use super::{knob_of, pane_in_words, said};
use crate::app::commands::{Command, row as command_row};
use crate::app::common_values::CommonValue;
use crate::app::palette::Palette;
use crate::app::state::{App, settings};
use crate::app::theme::{size, text};
use crate::app::widgets::{
    Slider, Track, auto_width, auto_word, button_in, button_width, is_being_typed, look_at, place,
    segments_in, segments_of_which, segments_width, typed_value_behind,
};
use crate::app::worker::Outcome;
use egui_macroquad::egui::{Align2, Color32, Rect, Ui, pos2, vec2};
use skirmish::measure::questions::MOST_NEAREST;
use skirmish::partition::Info;
use skirmish::scene::limits::MAX_LANES;

/// The height of the line on which one says what the rows are, and of the one below it for what has no room on it.
const SUBJECTS: f32 = 34.0;
const WRAPPED: f32 = 28.0;
/// The width of each word on it, at most.
const SUBJECT: f32 = 132.0;
/// Between two of them at the least, beside what they have anyway; and before whatever stands behind them, in points.
const AIR: f32 = 8.0;
const BEHIND: f32 = 14.0;
/// What the settings are of is said in so many points at the least, or whole: about twenty letters.
const LEAST_SAID: f32 = 120.0;

/// What the rows are: every structure, or each value of a setting of one pane's; and what the single questions are of which the last
/// columns are, where these are shown. It stands at the upper edge of the table; gives how high it is.
pub fn subjects(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    table: Rect,
    has_questions: bool,
) -> f32 {
    let rect = table.with_max_y(table.top() + SUBJECTS);
    let info = app.swept_structure().info();
    let knobs: Vec<_> = settings(info).collect();
    let shown = knob_of(app).map(|(at, _)| at);
    let words = words_of(info);
    // With one pane there is nothing to choose.
    let (has_chooser, has_into) = (
        app.lanes.len() > 1,
        has_room_for_into(ui, app, rect.width()),
    );
    let beside = match has_chooser {
        true => panes_width(ui, app, has_into) + NEXT_TO,
        false => 0.0,
    };
    let of_settings = format!("settings of {}", info.name);
    // Which table it is changes no width: the words stay under the pointer that goes on from one to the next.
    let behind = width_of_words(ui, &of_settings).ceil() + again_width(ui).unwrap_or(0.0);
    // What has room to a hair has it however sums are rounded.
    let wanted = behind + 2.0 * BEHIND + 1.0;
    let room = (rect.width() - beside).max(0.0);
    let tight = segments_width(ui, &words) + AIR * words.len() as f32;
    let width = width_of_subjects(words.len(), (room, room - wanted), tight);
    let bar = Rect::from_min_size(rect.min + vec2(beside, 4.0), vec2(width, 24.0));
    let chosen = shown.map_or(Some(0), |at| {
        knobs
            .iter()
            .position(|(knob, _)| *knob == at)
            .map(|place| place + 1)
    });
    look_at(ui.ctx(), bar);
    let id = "table.rows";
    if let Some(new) = segments_in(ui, palette, id, bar, &words, chosen, palette.accent) {
        let knob = new.checked_sub(1).and_then(|at| knobs.get(at));
        app.survey(knob.map(|(at, _)| *at));
    }
    if has_chooser {
        // Before the words: it stays under the pointer that goes on from pane to pane, however many words there are.
        let chooser = bar.with_min_x(rect.left());
        let chooser = chooser.with_max_x(bar.left() - NEXT_TO);
        into_pane(ui, app, palette, chooser, has_into);
    }
    let room = rect.with_min_x(bar.right() + BEHIND);
    let mut room = again(ui, app, palette, room.with_max_y(bar.bottom()), bar.top());
    // Where they have no room beside the words, they stand below these.
    let wraps = has_questions && room.width() < QUESTIONS;
    if wraps {
        let below = bar.with_max_x(rect.right()).translate(vec2(0.0, WRAPPED));
        questions(ui, app, palette, below);
    } else if has_questions {
        room = questions(ui, app, palette, room.with_min_y(bar.top()));
    }
    // A part of its first word says nothing.
    let least = width_of_words(ui, &of_settings).min(LEAST_SAID);
    if room.width() >= least && shown.is_some() {
        let short = of_settings;
        let pane = pane_in_words(app.swept_lane());
        let whole = format!("{short}, the structure of {pane}");
        let fits = width_of_words(ui, &whole) <= room.width();
        let words = if fits { whole } else { short };
        let line = Rect::from_x_y_ranges(room.x_range(), bar.y_range());
        look_at(ui.ctx(), said(ui, palette, line, &words));
    }
    if wraps { SUBJECTS + WRAPPED } else { SUBJECTS }
}

/// How wide the words are that say what the rows may be, so many of them: as wide as they may be, and as wide as they are where what stands
/// behind them would have no room otherwise. The room is that of the whole line, and what is left of it beside what stands behind them.
fn width_of_subjects(count: usize, (room, left): (f32, f32), tight: f32) -> f32 {
    let most = (SUBJECT * count as f32).min(room);
    most.min(left.max(tight))
}

/// How wide some words of the line are.
fn width_of_words(ui: &Ui, words: &str) -> f32 {
    let (painter, font) = (ui.painter(), text(size::SECOND));
    let galley = painter.layout_no_wrap(words.to_owned(), font, Color32::PLACEHOLDER);
    galley.size().x
}

/// What the rows may be where the settings of this structure are offered, each with its help.
fn words_of(info: &'static Info) -> Vec<(&'static str, &'static str)> {
    let of_all = ("structures", "Every structure on one moment.");
    let of_each = settings(info).map(|(_, knob)| (knob.name, knob.help));
    std::iter::once(of_all).chain(of_each).collect()
}

/// Between the chooser of the pane and the words, in points.
const NEXT_TO: f32 = 8.0;

/// What stands before the numbers of the panes, where there is room for it.
const INTO: &str = "into pane";
/// Between that and these, and how wide each of them is, in points.
const BEFORE_PANES: f32 = 8.0;
const PANE: f32 = 24.0;

/// How wide the chooser of the pane is.
fn panes_width(ui: &Ui, app: &App, has_into: bool) -> f32 {
    let into = match has_into {
        true => into_width(ui) + BEFORE_PANES,
        false => 0.0,
    };
    into + PANE * app.lanes.len() as f32
}

fn into_width(ui: &Ui) -> f32 {
    width_of_words(ui, INTO)
}

/// Whether a line of this width has room for what stands before the numbers of the panes, and for the words of whichever pane is chosen:
/// the numbers stay under the pointer that goes on from one to the next.
fn has_room_for_into(ui: &Ui, app: &App, width: f32) -> bool {
    let beside = panes_width(ui, app, true) + NEXT_TO;
    let mut lanes = app.lanes.iter();
    lanes.all(|lane| segments_width(ui, &words_of(lane.structure.info())) <= width - beside)
}

/// The chooser before the words: into which pane a row goes that is clicked, and whose settings are offered.
fn into_pane(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect, has_into: bool) {
    const NUMBERS: [&str; MAX_LANES] = ["1", "2", "3", "4"];
    look_at(ui.ctx(), rect);
    place(ui.ctx(), "table.lane", rect);
    if has_into {
        let (at, font) = (rect.left_center(), text(size::SECOND));
        ui.painter()
            .text(at, Align2::LEFT_CENTER, INTO, font, palette.text_second);
    }
    let (chosen, is_of_values) = (app.swept_lane(), knob_of(app).is_some());
    let pane = |pane: usize| {
        let info = app.lanes[pane].structure.info();
        Pane {
            at: pane_in_words(pane),
            structure: info.name,
            has_settings: settings(info).next().is_some(),
            is_chosen: pane == chosen,
        }
    };
    let helps = (0..app.lanes.len()).map(|at| pane(at).help(is_of_values));
    let helps: Vec<String> = helps.collect();
    let words = NUMBERS.into_iter().zip(helps.iter().map(String::as_str));
    let words: Vec<(&str, &str)> = words.collect();
    let cells = rect.with_min_x(rect.right() - PANE * words.len() as f32);
    let picked = segments_of_which(
        ui,
        palette,
        "table.lane",
        cells,
        &words,
        (Some(chosen), palette.accent),
        |pane| app.may_sweep_lane(pane),
    );
    if let Some(pane) = picked {
        app.sweep_lane(pane);
    }
}

/// A pane that can be chosen, or not.
#[derive(Clone, Debug)]
struct Pane {
    /// What it is called.
    at: String,
    /// The structure in it.
    structure: &'static str,
    /// Whether that has settings which the table may offer.
    has_settings: bool,
    is_chosen: bool,
}

impl Pane {
    /// What is said of it where the pointer rests on its number: what a click on a row does, or what one here does, in a table of structures
    /// or of the values of a setting.
    fn help(&self, is_of_values: bool) -> String {
        let (at, name) = (&self.at, self.structure);
        match (self.is_chosen, self.has_settings, is_of_values) {
            (true, true, false) => format!(
                "A click on a row puts its structure into {at}. The settings beside this are those of {name} there."
            ),
            (true, false, false) => {
                format!(
                    "A click on a row puts its structure into {at}. {name} there has no settings."
                )
            }
            (true, _, true) => format!(
                "A click on a row sets its value in {at}. The settings beside this are those of {name} there."
            ),
            (false, true, false) => format!(
                "A click here: rows go into {at}, and the settings of {name} there are offered."
            ),
            (false, false, false) => {
                format!("A click here: rows go into {at}. {name} there has no settings.")
            }
            (false, true, true) => format!(
                "A click here: the rows are values of a setting of {name} in {at}, and a click on one sets it there."
            ),
            (false, false, true) => format!("{name} in {at} has no settings."),
        }
    }
}

/// What stands before the number of rectangles with which a tick is reckoned.
const A_TICK: &str = "a tick";

/// How wide the width of the rectangle, with the word that says whether it is left to the program, its height, how many of it a tick is
/// reckoned with, and the number of the nearest are, each with what stands before it, and what is between questions, in points.
const SIDE: f32 = 172.0;
const HEIGHT: f32 = 86.0;
const RATE: f32 = 118.0;
const COUNT: f32 = 84.0;
const BETWEEN: f32 = 16.0;
/// All together.
const QUESTIONS: f32 = SIDE + HEIGHT + BETWEEN + RATE + BETWEEN + COUNT;

/// Where these stand at the right end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Questions {
    side: Rect,
    height: Option<Rect>,
    rate: Option<Rect>,
    count: Option<Rect>,
}

impl Questions {
    /// In a line of this room: where it is too short the number of rectangles is left out, then the height, and in a shorter one all are.
    /// Where a tick is reckoned with rectangles their number comes before the others: whoever has set it sees it, and can take it back.
    fn within(room: Rect, is_reckoned: bool) -> Option<Self> {
        let mut free = room.width() - SIDE;
        let mut fits = |width: f32| {
            let has_room = free >= width;
            if has_room {
                free -= width;
            }
            has_room
        };
        let comes_first = is_reckoned && fits(BETWEEN + RATE);
        let (has_count, has_height) = (fits(BETWEEN + COUNT), fits(HEIGHT));
        let has_rate = comes_first || fits(BETWEEN + RATE);
        if !has_count && !has_rate {
            return None;
        }
        let mut right = room.right();
        let mut next = |width: f32, gap: f32| {
            let cell = room.with_max_x(right).with_min_x(right - width);
            right = cell.left() - gap;
            cell
        };
        let count = has_count.then(|| next(COUNT, BETWEEN));
        let rate = has_rate.then(|| next(RATE, BETWEEN));
        let height = has_height.then(|| next(HEIGHT, 0.0));
        let side = next(SIDE, 0.0);
        Some(Self {
            side,
            height,
            rate,
            count,
        })
    }
}

/// The single questions, which can be typed anew, at the right end of the line; gives what is left of that.
fn questions(ui: &mut Ui, app: &mut App, palette: &Palette, room: Rect) -> Rect {
    let rows = app.survey_rows().filter_map(|row| match &row.outcome {
        Outcome::Measured(measured) => Some((row.is_of_before, measured.size[0])),
        _ => None,
    });
    let known = rows.min_by_key(|(is_of_before, _)| *is_of_before);
    let known = known.map(|(_, width)| width);
    let (asked, wanted) = (app.questions, app.questions.rectangle.map(f64::from));
    // Which width fits the scene is known with the first row.
    let places = Questions::within(room, app.rectangles() > 0);
    let (Some(width), Some(places)) = (wanted.or(known), places) else {
        return room;
    };
    let left = places.side;
    let track = |max: f64, whole: bool| Track {
        min: if whole { 1.0 } else { 0.1 },
        max,
        logarithmic: true,
        whole,
    };
    let of_side = Slider {
        id: "table.side",
        name: "rectangle",
        help: "The width of the rectangle for whose content every row is asked: a square until its height is set.",
        unit: "m",
        track: track(1.0e5, false),
    };
    let of_height = Slider {
        id: "table.height",
        name: "rectangle height",
        help: "The height of the rectangle for whose content every row is asked. In space it is as deep as it is wide, and so high.",
        unit: "m",
        track: track(1.0e5, false),
    };
    let of_rate = CommonValue::Rectangles.slider();
    let of_count = Slider {
        id: "table.count",
        name: "nearest",
        help: "How many of the nearest every row is asked for.",
        unit: "",
        track: track(MOST_NEAREST as f64, true),
    };
    let mut typed = |what: &Slider<'_>, (cell, words): (Rect, &str), value: f64| {
        let line = Rect::from_center_size(cell.center(), vec2(cell.width(), 20.0));
        look_at(ui.ctx(), line);
        let (at, font) = (line.left_center(), text(size::SECOND));
        let painter = ui.painter();
        let name = painter.text(at, Align2::LEFT_CENTER, words, font, palette.text_second);
        let typed = typed_value_behind(ui, palette, what, value, (line, words));
        (name, typed)
    };
    let (name, new) = typed(&of_side, (left, "rectangle"), width);
    if let Some(width) = new {
        app.questions.rectangle = Some(width as f32);
    }
    let height = asked.height.map_or(width, f64::from);
    let height = places
        .height
        .and_then(|cell| typed(&of_height, (cell, "  \u{d7}"), height).1);
    if let Some(height) = height {
        // As high as it is wide, it is a square again, and stays one.
        app.questions.height = Some(height as f32).filter(|height| *height != width as f32);
    }
    let rate = CommonValue::Rectangles.of(app);
    let rate = places
        .rate
        .and_then(|cell| typed(&of_rate, (cell, A_TICK), rate).1);
    let count = asked.nearest as f64;
    let count = places
        .count
        .and_then(|cell| typed(&of_count, (cell, "nearest"), count).1);
    if let Some(rate) = rate {
        CommonValue::Rectangles.set(app, rate);
    }
    if let Some(count) = count {
        app.questions.nearest = count as usize;
    }
    // It changes with the units while nobody has set it. The field in which it is typed has the room of the word.
    if !is_being_typed(ui, &of_side) {
        let is_auto = asked.rectangle.is_none();
        let help = match is_auto {
            true => {
                "The width fits the reach, the bodies and how close they stand, and changes with them. Click to hold it at this value."
            }
            false => "Let the width fit the reach, the bodies and how close they stand.",
        };
        let at = pos2(name.right() + 2.0, name.center().y - 9.0);
        let word = Rect::from_min_size(at, vec2(auto_width(ui), 18.0));
        if auto_word(
            ui,
            palette,
            (of_side.id, of_side.name),
            word,
            (is_auto, help),
        ) {
            app.questions.rectangle = is_auto.then_some(width as f32);
        }
    }
    room.with_max_x(left.left() - 14.0)
}

/// How wide the button that measures again is, whether it may be used now or not.
fn again_width(ui: &Ui) -> Option<f32> {
    command_row(Command::MeasureAgain).map(|row| button_width(ui, &row.title))
}

/// The button that measures again, at the right end of the line with what the rows are, where it has room; gives what is left of that.
fn again(ui: &mut Ui, app: &mut App, palette: &Palette, room: Rect, top: f32) -> Rect {
    let Some(row) = command_row(Command::MeasureAgain).filter(|row| app.may(row.command).is_ok())
    else {
        return room;
    };
    let width = button_width(ui, &row.title);
    if room.width() < width {
        return room;
    }
    let button = room.with_min_x(room.right() - width).with_min_y(top);
    look_at(ui.ctx(), button);
    let words = (&*row.title, &*row.help);
    if button_in(ui, palette, "table.again", button, words, true) {
        app.run(row.command);
    }
    room.with_max_x(button.left() - BEHIND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_says_what_a_click_does_and_names_settings_only_where_there_are_any() {
        let help = |is_chosen, has_settings, is_of_values| {
            let pane = Pane {
                at: "the second pane".to_owned(),
                structure: "all pairs",
                has_settings,
                is_chosen,
            };
            pane.help(is_of_values)
        };
        for has_settings in [true, false] {
            for is_of_values in [true, false] {
                let chosen = help(true, has_settings, is_of_values);
                assert!(chosen.starts_with("A click on a row"), "{chosen}");
                let other = help(false, has_settings, is_of_values);
                let is_refused = is_of_values && !has_settings;
                assert_eq!(other.starts_with("A click here: "), !is_refused, "{other}");
                assert_eq!(other.contains("has no settings"), !has_settings, "{other}");
            }
        }
        assert!(help(true, false, false).contains("has no settings"));
        assert!(help(true, true, true).contains("sets its value"));
        assert!(help(true, true, false).contains("puts its structure"));
    }

    #[test]
    fn words_are_as_wide_as_they_are_only_where_what_stands_behind_them_has_no_room_else() {
        // In a wide table, in a narrow one, and in one without room for anything more.
        assert_eq!(width_of_subjects(3, (1200.0, 950.0), 190.0), 3.0 * SUBJECT);
        assert_eq!(width_of_subjects(3, (498.0, 244.0), 190.0), 244.0);
        assert_eq!(width_of_subjects(3, (300.0, 46.0), 190.0), 190.0);
        assert_eq!(width_of_subjects(3, (150.0, -104.0), 190.0), 150.0);
    }

    #[test]
    fn where_questions_have_little_room_that_of_rectangles_and_the_height_are_left_out_first_unless_it_counts()
     {
        let of = |width: f32, is_reckoned: bool| {
            let room = Rect::from_min_size(pos2(20.0, 0.0), vec2(width, 24.0));
            let places = Questions::within(room, is_reckoned)?;
            let (height, rate, count) = (places.height, places.rate, places.count);
            let all: Vec<Rect> = [Some(places.side), height, rate, count]
                .into_iter()
                .flatten()
                .collect();
            assert!(all.iter().all(|cell| room.contains_rect(*cell)), "{width}");
            let apart = |two: &[Rect]| two[0].right() <= two[1].left();
            assert!(all.windows(2).all(apart), "{width}: {all:?}");
            Some([height, rate, count].map(|cell| cell.is_some()))
        };
        let least = SIDE + BETWEEN + COUNT;
        for is_reckoned in [false, true] {
            assert_eq!(of(QUESTIONS + 60.0, is_reckoned), Some([true; 3]));
            assert_eq!(of(QUESTIONS, is_reckoned), Some([true; 3]));
            assert_eq!(of(least, is_reckoned), Some([false, false, true]));
            assert_eq!(of(least - 1.0, is_reckoned), None);
        }
        let one_less = of(QUESTIONS - 1.0, false);
        assert_eq!(one_less, Some([true, false, true]));
        assert_eq!(of(least + HEIGHT, false), Some([true, false, true]));
        assert_eq!(of(least + HEIGHT - 1.0, false), Some([false, false, true]));
        // Where it counts it is there as long as it has room.
        assert_eq!(of(QUESTIONS - 1.0, true), Some([false, true, true]));
        let with_rate = SIDE + BETWEEN + RATE;
        assert_eq!(of(with_rate, true), Some([false, true, false]));
        assert_eq!(of(with_rate - 1.0, true), Some([false, false, true]));
    }
}
