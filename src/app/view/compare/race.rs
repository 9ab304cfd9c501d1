//! The race of a tick: a bar a lane for every figure, on one scale, and who leads by how much.

use super::figures::{Figure, Figures, RACE, Shown, regions_in_words, times_more};
use super::lane;
use super::layout::LEAST_PITCH;
use crate::app::glossary;
use crate::app::palette::{Palette, mixed};
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    bytes, capitals_width, duration, elided, place, spaced_capitals, unit_of, with_commas,
};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, Sense, Stroke, Ui, pos2, vec2};

/// The height of the caption, in points.
const CAPTION: f32 = 30.0;
/// Bars shorter than this say nothing, and touch their numbers.
const LEAST_TRACK: f32 = 16.0;
/// Bars farther apart than this do not belong together.
const MOST_PITCH: f32 = 15.0;

/// What it is called while time stands.
const AT_REST: &str = "race at rest";

/// Draws all of it.
pub fn race(ui: &mut Ui, app: &App, palette: &Palette, rect: Rect, shown: &Shown) {
    caption(
        ui,
        app,
        palette,
        rect.with_max_y(rect.top() + CAPTION),
        shown,
    );
    let body = rect.with_min_y(rect.top() + CAPTION);
    // One figure below the other, or in two columns where the bars of all lanes would not fit into a row.
    let lanes = shown.lanes.len().max(1) as f32;
    let fits = body.height() / RACE.len() as f32 >= lanes * LEAST_PITCH + 4.0;
    let columns = if fits { 1 } else { 2 };
    let rows = RACE.len().div_ceil(columns);
    let gap = 22.0;
    let size = vec2(
        (body.width() - gap * (columns - 1) as f32) / columns as f32,
        body.height() / rows as f32,
    );
    for (index, figure) in RACE.iter().enumerate() {
        let (column, row) = (index / rows, index % rows);
        let corner = pos2(
            body.left() + (size.x + gap) * column as f32,
            body.top() + size.y * row as f32,
        );
        let cell = Rect::from_min_size(corner, size);
        ui.painter()
            .hline(cell.x_range(), cell.top(), Stroke::new(1.0, palette.line));
        place(ui.ctx(), &format!("compare.race.{}", figure.key), cell);
        row_of(ui, palette, cell, figure, shown);
    }
}

fn caption(ui: &Ui, app: &App, palette: &Palette, rect: Rect, shown: &Shown) {
    let left = rect.left_center();
    let stopped = app.lanes.iter().find(|lane| lane.difference.is_some());
    let measured = || shown.lanes.iter().filter_map(|lane| lane.counted);
    let pairs: Option<u64> = measured().map(|[.., pairs]| pairs).next();
    let units = format!("{} units", with_commas(shown.units));
    let counts = pairs.map(|pairs| {
        let pairs = with_commas(pairs);
        format!("{units} \u{b7} {pairs} {}", unit_of(&pairs, "pairs"))
    });
    let (mut title, short, help) = title(shown);
    // What the title says beyond its name is said under the cursor as well: figures have its room.
    let needed = counts.as_ref().map_or(0.0, |counts| {
        let (painter, font) = (ui.painter(), number(size::CAPTION));
        let galley = painter.layout_no_wrap(counts.clone(), font, palette.text_second);
        galley.size().x + 13.0
    });
    if capitals_width(ui.painter(), &title) + needed > rect.width() {
        title = short;
    }
    let width = spaced_capitals(ui.painter(), left, &title, palette.text_third);
    let words = rect.with_max_x(rect.left() + width);
    ui.interact(words, ui.id().with("race title"), Sense::hover())
        .on_hover_text(help);
    let room = rect.width() - width - 12.0;
    let lay_out = |words: &str, color| elided(ui, words, number(size::CAPTION), color, room);
    let words = match (stopped, counts) {
        (Some(lane), _) => {
            let words = format!("{} answers otherwise", lane.structure.info().name);
            lay_out(&words, palette.error)
        }
        (None, Some(words)) => {
            let alike = match shown.lanes.len() {
                1 => "",
                2 => ", the same in both",
                _ => ", the same in all",
            };
            // Where all of it has no room, that all found the same is left out: the line at the foot of the window says it, too.
            let whole = lay_out(&format!("{words}{alike}"), palette.text_second);
            match whole.elided {
                true => lay_out(&words, palette.text_second),
                false => whole,
            }
        }
        (None, None) => lay_out(&units, palette.text_second),
    };
    let at = pos2(
        rect.right() - words.size().x,
        rect.center().y - words.size().y / 2.0,
    );
    ui.painter().galley(at, words, palette.text_second);
}

/// Of which tick the figures are and how they were measured, the same in short, and what that means.
fn title(shown: &Shown) -> (String, String, &'static str) {
    match (shown.at_rest, shown.tick) {
        // What has just been built has been measured on what stands, and its update is its build. The tick that asks is yet to come:
        // its number would contradict the one that stands below.
        (true, _) => (
            format!("{AT_REST}, of the lanes as they stand"),
            AT_REST.to_owned(),
            "What the next tick asks the lanes as they stand: a tree has the shape that it has come to, where the table asks one that is built anew. Build and memory are of an index that is built anew, as in the table; that stands in the place of an update.",
        ),
        (false, 0) => (
            "race".to_owned(),
            "race".to_owned(),
            "No tick has been made yet.",
        ),
        (false, tick) => {
            let short = format!("race, tick {}", with_commas(tick));
            let (whole, help) = match shown.lanes.len() > 1 {
                true => (
                    format!("{short}, lanes in turns"),
                    "What this tick asked, the last one that was made. Each lane is timed by itself, after the others: these leave less in the caches, so that a query takes a little longer than of a structure alone in Battle, or of one in the table, which is of the next tick. Times are the medians of the last second's ticks, for those of one tick are chance.",
                ),
                false => (
                    short.clone(),
                    "What this tick asked, the last one that was made. Times are the medians of the last second's ticks, for those of one tick are chance. The table of structures is of the next one.",
                ),
            };
            (whole, short, help)
        }
    }
}

/// A figure of every lane: its name, a bar and a value a lane, and who leads.
fn row_of(ui: &mut Ui, palette: &Palette, rect: Rect, figure: &Figure, shown: &Shown) {
    /// In a row narrower than this, who leads is said by the colour alone.
    const WIDE: f32 = 400.0;
    let wide = rect.width() >= WIDE;
    let leader = shown.leader(figure);
    let least_now = shown.least_of_past(figure);
    let [name, hint, leads] = figure.words(shown.at_rest);
    let middle = rect.center().y;
    let name_width = if wide { 96.0 } else { 50.0 };
    let has_hint = wide && rect.height() >= 28.0;
    let painter = ui.painter().clone();
    let up = if has_hint { 6.5 } else { 0.0 };
    painter.text(
        pos2(rect.left(), middle - up),
        Align2::LEFT_CENTER,
        name,
        text(if wide { size::LABEL } else { size::SECOND }),
        palette.text,
    );
    if has_hint {
        painter.text(
            pos2(rect.left(), middle + 8.0),
            Align2::LEFT_CENTER,
            hint,
            text(size::DESCRIPTION),
            palette.text_third,
        );
    }
    let leads_width = if wide { 158.0 } else { 46.0 };
    let values = rect.right() - leads_width;
    let bars = Rect::from_min_max(
        pos2(rect.left() + name_width + 14.0, rect.top()),
        pos2(values - room_of_values(shown), rect.bottom()),
    );
    let most = shown
        .lanes
        .iter()
        .filter_map(figure.of)
        .fold(f64::MIN_POSITIVE, f64::max);
    let count = shown.lanes.len().max(1) as f32;
    let pitch = ((rect.height() - 4.0) / count).min(MOST_PITCH);
    for (at, lane) in shown.lanes.iter().enumerate() {
        let y = middle + (at as f32 - (count - 1.0) / 2.0) * pitch;
        let is_best = leader.is_some_and(|(best, _)| best == at);
        lane::mark(&painter, palette, at, pos2(bars.left() - 9.0, y), 3.2);
        let thick = (pitch * 0.62).clamp(5.0, 9.0);
        let track = Rect::from_x_y_ranges(bars.x_range(), (y - thick / 2.0)..=(y + thick / 2.0));
        // Where there is no room for bars the numbers stand alone.
        let is_told = track.width() >= LEAST_TRACK;
        if is_told {
            painter.rect_filled(track, CornerRadius::same(1), palette.hover);
        }
        let value = (figure.of)(lane);
        if let Some(value) = value.filter(|value| is_told && *value > 0.0) {
            let part = (value / most) as f32;
            let color = if lane.stands {
                palette.text_third
            } else {
                lane::color(palette, at)
            };
            let strength = if is_best { 0.95 } else { 0.6 };
            let width = (track.width() * part).max(2.0);
            painter.rect_filled(
                track.with_max_x(track.left() + width),
                CornerRadius::same(1),
                mixed(palette.panel, color, strength),
            );
        }
        let height = size::DESCRIPTION.min(pitch * 0.95);
        // The least is told from the others also where nobody leads by it.
        let is_least = is_best || least_now.is_some_and(|(least, _)| least == at);
        value_of(ui, palette, (values, y, height), (figure, lane), is_least);
    }
    // Who has the least by its past is said without its colour: it leads at nothing.
    let said = leader.map(|leader| (leader, leads, true));
    let said = said.or(least_now.map(|least| (least, LEAST_NOW, false)));
    if let Some((first, does, is_leader)) = said {
        let place = rect.with_min_x(values);
        who_leads(ui, palette, place, first, (does, is_leader), shown);
    }
    let response = ui.interact(rect, ui.id().with(figure.key), Sense::hover());
    let mut words = glossary::means("race", name).to_owned();
    if let Some((best, ratio)) = leader {
        let (leader, more) = (shown.lanes[best].name(), times_more(ratio));
        words += &format!(" {leader} {leads}: the next takes {more} as much.");
    }
    if let Some((least, ratio)) = least_now {
        let (least, more) = (shown.lanes[least].name(), times_more(ratio));
        words += &format!(" {least} takes the least at this tick: the next takes {more} as much.");
    }
    if figure.key == "update" {
        words += &shown.who_chooses();
    }
    if figure.key == "memory" && !shown.at_rest {
        words += " It depends on what each index has been through, as undo copies it without the room that it keeps: nobody leads by it here.";
    }
    if figure.key == "memory" && shown.differ_though_alike(figure) {
        words += " Panes that are set alike differ in it by their past alone, by the room that they keep in store.";
    }
    if matches!(figure.key, "update" | "query") {
        words += match shown.at_rest {
            true => {
                " The numbers are medians of a few readings on the tick that stands, all lanes in turns, and a factor divides these."
            }
            false => " The numbers are medians of the last second, and a factor divides these.",
        };
        let mut lanes = shown.lanes.iter();
        if lanes.any(|lane| figure.doubtful_from(lane).is_some()) {
            words += match shown.at_rest {
                true => {
                    " Doubtful (~) is what has been read fewer than three times, or so that the readings lie far apart: nobody leads by it."
                }
                false => {
                    " Doubtful (~) is what fewer than thirty ticks say, or ticks that lie far apart: nobody leads by it."
                }
            };
        }
    }
    response.on_hover_text(words);
}

/// The room of the longest unit, so that numbers with and without one end at one edge.
const UNIT: f32 = 22.0;

/// A value in words, and its unit.
fn words_of(figure: &Figure, lane: &Figures) -> (String, &'static str) {
    match ((figure.of)(lane), figure.key) {
        (None, _) => ("–".to_owned(), ""),
        (Some(value), "update" | "query") => {
            let (words, unit) = duration(value);
            match figure.doubtful_from(lane) {
                Some(_) => (format!("~{words}"), unit),
                None => (words, unit),
            }
        }
        (Some(value), "memory") => bytes(value as u64),
        (Some(value), "visited") => (regions_in_words(value as u64), ""),
        (Some(value), _) => (with_commas(value as u64), ""),
    }
}

/// How much room the longest value takes with its unit: the same in every row, so that all bars end at one edge.
fn room_of_values(shown: &Shown) -> f32 {
    /// Where values are short the bars do not come and go with them.
    const LEAST: usize = 7;
    /// The width of a digit, as a part of its height.
    const DIGIT: f32 = 0.61;
    let words = RACE
        .iter()
        .flat_map(|figure| shown.lanes.iter().map(|lane| words_of(figure, lane).0));
    let longest = words.map(|words| words.chars().count()).max();
    let digits = longest.unwrap_or_default().max(LEAST) as f32;
    UNIT + digits * DIGIT * size::DESCRIPTION + 8.0
}

/// A value, right-aligned to one edge, with its unit behind it.
fn value_of(
    ui: &Ui,
    palette: &Palette,
    (edge, y, height): (f32, f32, f32),
    (figure, lane): (&Figure, &Figures),
    is_least: bool,
) {
    let (words, unit) = words_of(figure, lane);
    let color = match (is_least, figure.doubtful_from(lane)) {
        (_, Some(_)) => palette.text_third,
        (true, None) => palette.text,
        (false, None) => palette.text_second,
    };
    ui.painter().text(
        pos2(edge - UNIT, y),
        Align2::RIGHT_CENTER,
        words,
        number(height),
        color,
    );
    ui.painter().text(
        pos2(edge - UNIT + 3.0, y),
        Align2::LEFT_CENTER,
        unit,
        text(height),
        palette.text_third,
    );
}

/// What is said of who has the least memory while lanes run. It is no judgement, and its ratio is grey: how much an index keeps depends on what
/// it has been through, and the next tick, or an undo, may turn it round.
const LEAST_NOW: &str = "least now";

/// By how much the best is ahead, in its colour where it leads, and what it does where there is room for words.
fn who_leads(
    ui: &Ui,
    palette: &Palette,
    rect: Rect,
    (best, ratio): (usize, f64),
    (does, is_leader): (&str, bool),
    shown: &Shown,
) {
    let color = match is_leader {
        true => lane::color(palette, best),
        false => palette.text_second,
    };
    let wide = rect.width() > 100.0;
    let (right, height) = if wide {
        (rect.left() + 58.0, size::RATIO)
    } else {
        (rect.right(), size::LABEL)
    };
    ui.painter().text(
        pos2(right, rect.center().y),
        Align2::RIGHT_CENTER,
        times_more(ratio),
        text(height),
        color,
    );
    if !wide {
        return;
    }
    let room = rect.right() - right - 10.0;
    let fits = |lane: usize| {
        let [name, _] = shown.short_names(lane);
        let (font, color) = (text(size::DESCRIPTION), palette.text_second);
        !elided(ui, name, font, color, room).elided
    };
    // Lanes are named in one way, so that it is seen in what they differ.
    let [name, least] = shown.short_names(best);
    let name = if (0..shown.lanes.len()).all(fits) {
        name
    } else {
        least
    };
    for (words, y) in [(name, -6.0), (does, 6.5)] {
        let words = elided(
            ui,
            words,
            text(size::DESCRIPTION),
            palette.text_second,
            room,
        );
        let at = pos2(
            rect.right() - words.size().x,
            rect.center().y + y - words.size().y / 2.0,
        );
        ui.painter().galley(at, words, palette.text_second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;

    #[test]
    fn who_has_no_regions_visits_none_here_as_in_the_table() {
        let mut lane = Figures::example(Kind::AllPairs, 1, None, 1);
        lane.counted = Some([1_000, 0, 0]);
        let said = |key: &str| {
            let mut all = RACE.iter();
            words_of(all.find(|figure| figure.key == key).expect(key), &lane)
        };
        assert_eq!(said("visited"), ("none".to_owned(), ""));
        assert_eq!(said("tests"), ("1,000".to_owned(), ""));
    }

    #[test]
    fn the_race_says_of_which_tick_it_is() {
        let of = |tick, at_rest| {
            let mut shown = Shown::default();
            (shown.tick, shown.at_rest) = (tick, at_rest);
            title(&shown).0
        };
        let mut two = Shown::default();
        two.tick = 1234;
        two.lanes = vec![Figures::example(Kind::Bvh, 1, None, 1); 2];
        let (whole, short, help) = title(&two);
        assert_eq!(whole, "race, tick 1,234, lanes in turns");
        assert_eq!(short, "race, tick 1,234");
        assert!(help.contains("caches"));
        assert_eq!(of(1234, false), "race, tick 1,234");
        assert_eq!(of(1235, true), "race at rest, of the lanes as they stand");
        assert_eq!(of(0, false), "race");
    }
}
