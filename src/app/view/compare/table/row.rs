//! A row of the table without its figures: whose it is, which lanes are of it, and what is said of it.

use super::columns::Column;
use super::{MARK, knob_of, said};
use crate::app::palette::{Palette, faded};
use crate::app::set_words::{BETWEEN, knob_in_words, pane_in_words, value_in_words};
use crate::app::state::{App, is_row_of, is_with_value, settings};
use crate::app::theme::{layout, size, text};
use crate::app::view::compare::figures::{set_name, short_set_name};
use crate::app::view::compare::lane;
use crate::app::widgets::{elided, focus_ring, look_at, parted, place, tell_state};
use crate::app::worker::{Outcome, Structure, SurveyRow};
use egui_macroquad::egui::{
    CornerRadius, Rect, Response, Sense, Stroke, Ui, WidgetType, pos2, vec2,
};
use skirmish::partition::{Knob, KnobRange};
use skirmish::scene::AnyChoice;

/// A row without its figures: the structure's name, and the marks of the lanes that are of it.
pub fn row_line(
    ui: &mut Ui,
    app: &App,
    palette: &Palette,
    line: Rect,
    (left, width, marks): (f32, f32, f32),
    (row, columns): (&SurveyRow, &[&Column]),
) -> Response {
    let info = row.choice.kind.info();
    let knob = knob_of(app);
    let mut fellows = app.rows_of(row.choice.kind);
    let place_among = fellows
        .position(|other| other.choice == row.choice)
        .unwrap_or(0);
    let is_alone = app.rows_of(row.choice.kind).count() < 2;
    let is_of = |structure: &Structure| match knob {
        Some((at, _)) => {
            is_with_value(app.swept_structure(), (at, row.choice.value(at)), structure)
        }
        // One row stands for its structure, while it is read as that is set by now.
        None if is_alone => structure.kind == row.choice.kind,
        None => is_row_of(&row.choice, structure),
    };
    let shown_name = name_of(app, row, knob);
    let id = match (knob, place_among) {
        (Some((at, knob)), _) => format!("table.value.{}", knob.format(row.choice.value(at))),
        (None, 0) => format!("table.row.{}", info.key),
        (None, more) => format!("table.row.{}.{}", info.key, more + 1),
    };
    let response = ui.interact(line, ui.id().with(&id), Sense::click());
    place(ui.ctx(), &id, line);
    look_at(ui.ctx(), line.intersect(ui.clip_rect()));
    let painter = ui.painter().clone();
    let own = app.swept_lane();
    let is_chosen = is_of(&app.lanes[own].structure);
    tell_state(&response, WidgetType::RadioButton, &shown_name, is_chosen);
    if is_chosen {
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
    for (place, (at, _)) in of_it.enumerate() {
        let x = left + 5.0 + MARK * place as f32;
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
    let in_line = |words: &str| elided(ui, words, text(size::NAME), ink, width - marks);
    let name = in_line(&shown_name);
    let short = match name.elided && knob.is_none() {
        true => short_name_of(app, row),
        false => None,
    };
    let wide = |words: &str| {
        let galley = painter.layout_no_wrap(words.to_owned(), text(size::NAME), ink);
        galley.size().x
    };
    // A unit that the whole name leaves out may make the other one as wide.
    let short = short.filter(|short| wide(short) < wide(&shown_name));
    let name = short.map_or(name, |short| in_line(&short));
    // In a line with the figures, which stand above their bars.
    let at = pos2(left + marks, middle - 3.0 - name.size().y / 2.0);
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
    let pane = match knob {
        Some((at, _)) => app.lane_with_value(at, row.choice.value(at)),
        None => app.pane_of_row(&row.choice),
    };
    let words = match (wrong, knob) {
        (Some(difference), _) => format!("{difference}."),
        (None, Some((_, knob))) => format!(
            "{} with {} {shown_name}{}.{} {}",
            info.name,
            knob.name,
            alike.map_or(String::new(), |other| format!(
                ", which comes to the very same tests, regions and upkeep as {other}, with these units"
            )),
            cells.map_or(String::new(), |cells| format!(
                " Who is wider than a cell is filed in larger ones: there are cells of {cells}."
            )),
            click_in_words((pane, own), "sets it so in"),
        ),
        (None, None) => format!(
            "{}{} {}",
            info.what,
            set_in_a_sentence(&row.choice),
            click_in_words((pane, own), "puts it into")
        ),
    };
    let choosing = match &row.outcome {
        Outcome::Measured(row) => choosing(&row.chosen, knob.map(|(at, _)| at)),
        _ => "",
    };
    let doubts = doubts(row, columns).map_or(String::new(), |doubts| format!(" {doubts}"));
    response.on_hover_text(words + choosing + &doubts)
}

/// That a part of the time in which a row is built goes into choosing what it is left to choose: of a table of the values of one knob, that
/// one, else any.
fn choosing(chosen: &[(usize, f64)], knob: Option<usize>) -> &'static str {
    let is_of_it = |(at, _): &(usize, f64)| knob.is_none_or(|knob| knob == *at);
    match (chosen.iter().any(is_of_it), knob) {
        (false, _) => "",
        (true, Some(_)) => {
            " Its build takes longer than with the same value set by hand, for it chooses that as well, by a sample of units."
        }
        (true, None) => " Its build chooses what is set to auto as well, by a sample of units.",
    }
}

/// What a click on a row does, whose structure may be in a pane already: in the one that the click is about, or in another.
fn click_in_words((pane, own): (Option<usize>, usize), puts: &str) -> String {
    let own_pane = pane_in_words(own);
    match pane {
        Some(pane) if pane == own => format!("It is in {own_pane}."),
        Some(_) => format!(
            "It is in another pane: a click lets that one and {own_pane} change places; undo takes it back."
        ),
        None => format!("A click {puts} {own_pane}; undo takes it back."),
    }
}

/// What is said of a row's first time whose readings lie too far apart, and what comes of it.
fn doubts(row: &SurveyRow, columns: &[&Column]) -> Option<String> {
    let mut doubtful = columns
        .iter()
        .filter_map(|column| Some((column, column.doubt(row)?)));
    let (column, spread) = doubtful.next()?;
    if row.is_of_before {
        let words =
            "Doubtful (~): the others have been read since; it is measured again, with them.";
        return Some(words.to_owned());
    }
    if row.is_hardly_read() {
        let times = if row.readings == 1 { "once" } else { "twice" };
        return Some(format!(
            "Doubtful (~): it has been read {times}, which other work may have held up, or a cold start; it is measured again."
        ));
    }
    let [least, most] = [spread.least, spread.most].map(|value| {
        let (words, unit) = (column.write)(value);
        format!("{words} {unit}")
    });
    // A moment that stands is not read for ever: something else may keep the machine busy.
    let next = match row.is_given_up() {
        true => "Measure again reads it anew, and so does a step",
        false => "it is measured again",
    };
    Some(format!(
        "Doubtful (~): its readings of {} went from {least} to {most}, as other work held the machine up; {next}.",
        column.name
    ))
}

/// The lane of a row of a structure of which there are several.
fn lane_told_apart(app: &App, row: &SurveyRow) -> Option<usize> {
    let lane = app.lane_of_row(&row.choice);
    lane.filter(|_| app.rows_of(row.choice.kind).count() > 1)
}

/// A row of a structure in fewer words: the values alone of what its whole name says of how it is set, where there is more to say.
fn short_name_of(app: &App, row: &SurveyRow) -> Option<String> {
    match lane_told_apart(app, row) {
        Some(lane) => Some(short_set_name(&app.lanes, lane)),
        None => short_name(&row.choice),
    }
}

/// A row in a word: its structure, and how that is set where it is not by default, or where several lanes have it; or its value.
pub fn name_of(app: &App, row: &SurveyRow, knob: Option<(usize, &Knob)>) -> String {
    let Some((at, knob)) = knob else {
        let name = row.choice.kind.info().name;
        return match lane_told_apart(app, row) {
            Some(lane) => set_name(&app.lanes, lane),
            None => {
                let set = set_otherwise(&row.choice);
                with_set(name, &set)
            }
        };
    };
    let value = row.choice.value(at);
    let with_unit = |value: f64| parted(&value_in_words(knob, value)).into_owned();
    let chosen = match &row.outcome {
        Outcome::Measured(row) => row.chosen.iter().find(|(knob, _)| *knob == at),
        _ => None,
    };
    match chosen {
        Some((_, chosen)) => format!("auto: {}", with_unit(*chosen)),
        None => with_unit(value),
    }
}

/// The knobs that are not at their defaults, each with its value, but for those that change the picture alone.
fn set_otherwise(choice: &AnyChoice) -> Vec<String> {
    let set = values_otherwise(choice);
    set.map(|(knob, value)| knob_in_words(knob.name, &value))
        .collect()
}

/// The same, the values apart from what they are of.
fn values_otherwise(choice: &AnyChoice) -> impl Iterator<Item = (&'static Knob, String)> {
    let all = settings(choice.kind.info()).map(|(at, knob)| (knob, choice.value(at)));
    let set = all.filter(|(knob, value)| *value != knob.default);
    set.map(|(knob, value)| (knob, value_in_words(knob, value)))
}

/// The name of a structure and how that is set, as the name of a lane has it.
fn with_set(name: &str, set: &[String]) -> String {
    match set {
        [] => name.to_owned(),
        set => format!("{name}, {}", set.join(BETWEEN)),
    }
}

/// A row of a structure that has no other one, where several of its knobs are set otherwise: their values alone, for a name that is cut
/// behind the first of them would not tell that there are others.
fn short_name(choice: &AnyChoice) -> Option<String> {
    let set: Vec<String> = values_otherwise(choice).map(|(_, value)| value).collect();
    let name = choice.kind.info().name;
    (set.len() > 1).then(|| with_set(name, &set))
}

/// All of them, behind what is said of the structure.
fn set_in_a_sentence(choice: &AnyChoice) -> String {
    let set = set_otherwise(choice);
    match set.is_empty() {
        true => String::new(),
        false => format!(" Here it has {}.", set.join(", ")),
    }
}

/// That a number has no neighbour on one side: whoever would look for a better one beyond it finds none.
pub fn at_an_end(knob: &Knob, value: f64) -> &'static str {
    match knob.range {
        KnobRange::Number { max, .. } if value == max => " (the largest that it may be)",
        KnobRange::Number { min, .. } if value == min => " (the least that it may be)",
        _ => "",
    }
}

/// The first value before this row's with which the structure came to the same work, to the last test, visit and upkeep: from there on the
/// setting changes nothing, or comes to the same in another way. What it is left to choose comes to the work of any value. Nothing while the
/// figures that stand there are of two ticks and differ.
fn worked_alike(app: &App, row: &SurveyRow, knob: (usize, &Knob)) -> Option<String> {
    let is_auto = |row: &SurveyRow| knob.1.is_auto(row.choice.value(knob.0));
    let is_plain = |other: &&SurveyRow| other.choice.kind == row.choice.kind && !is_auto(other);
    let before = app
        .survey
        .iter()
        .filter(is_plain)
        .filter(|other| is_auto(row) || other.choice.value(knob.0) < row.choice.value(knob.0));
    let alike = row.first_alike(before);
    alike.map(|other| name_of(app, other, Some(knob)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;
    use skirmish::scene::StructureChoice;

    #[test]
    fn a_row_that_is_left_to_choose_says_that_its_build_does() {
        assert_eq!(choosing(&[], None), "");
        assert_eq!(choosing(&[(0, 33.0)], Some(1)), "");
        assert!(choosing(&[(0, 33.0)], Some(0)).contains("set by hand"));
        assert!(choosing(&[(0, 33.0)], None).contains("auto"));
    }

    #[test]
    fn a_row_names_what_is_not_set_by_default() {
        let mut grid = StructureChoice::new(Kind::LinkedGrid);
        assert!(set_otherwise(&grid.clone().of_either()).is_empty());
        grid.set("cell_size", "50").expect("a cell size");
        assert_eq!(set_otherwise(&grid.clone().of_either()), ["cell size 50 m"]);
        grid.set("neighbourhood", "full").expect("a neighbourhood");
        assert_eq!(
            set_in_a_sentence(&grid.clone().of_either()),
            " Here it has cell size 50 m, neighbourhood full."
        );
        let short = short_name(&grid.clone().of_either());
        assert_eq!(short.as_deref(), Some("linked grid, 50 m \u{b7} full"));
        grid.set("cell_size", "auto").expect("a cell size");
        assert_eq!(short_name(&grid.clone().of_either()), None);
        assert_eq!(set_otherwise(&grid.of_either()), ["neighbourhood full"]);
        let mut tree = StructureChoice::new(Kind::Quadtree);
        tree.set("capacity", "1").expect("a capacity");
        tree.set("max_depth", "6").expect("a depth");
        let short = short_name(&tree.of_either());
        assert_eq!(short.as_deref(), Some("quadtree, 1 unit \u{b7} 6 levels"));
    }
}
