//! What the structure cost, how well it is built, and what it takes, for the right panel.

use crate::app::glossary::{self, Named};
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{number, size};
use crate::app::widgets::{
    about, bar, big_number, bytes, count, duration, exact_bytes, first_section, hundredths,
    log_part, metres, parted, section, seen_part, stat, stat_with_history, whole_or_not,
    with_commas,
};
use egui_macroquad::egui::{
    Align2, CornerRadius, Id, Rect, RichText, Sense, Stroke, Ui, pos2, vec2,
};
use skirmish::partition::Fact;
use skirmish::probe::Work;

/// A row that comes with the first box that is refitted.
const REFITS: &str = "boxes refitted";

/// The counters of a tick, beside those of all pairs.
pub fn cost(ui: &mut Ui, app: &App, palette: &Palette) {
    let lane = app.lane();
    // One moment's figures, so that each agrees with the others.
    let shown = &lane.shown_cost;
    let caption = if shown.at_rest {
        "cost at rest"
    } else {
        "cost this tick"
    };
    let name = lane.structure.info().name;
    if !first_section(ui, palette, ("cost", caption), name) {
        return;
    }
    let (number, what) = beside_all_pairs(shown.query.tests, shown.all_pairs);
    big_number(ui, palette, &number, what, "all pairs");
    let (all, own, found) = (shown.all_pairs, shown.query.tests, shown.pairs);
    let pairs = what_pairs_are(app.pair_reach());
    let tests = what_tests_are((own, shown.lookup_tests), lane.is_measured);
    for (name, value, color) in [
        (Named::from("all pairs"), all, palette.text_third),
        (("tested", &*tests).into(), own, palette.accent),
        (("pairs found", &*pairs).into(), found, palette.text),
    ] {
        let words = if lane.is_measured {
            count(value)
        } else {
            "–".to_owned()
        };
        bar(
            ui,
            palette,
            name,
            log_part(value, all.max(own)),
            color,
            &words,
        );
    }
    let (words, why) = what_is_asked(shown.at_rest);
    let label = ui.label(
        RichText::new(words)
            .size(size::CAPTION)
            .color(palette.text_third),
    );
    label.on_hover_text(why);
    ui.add_space(2.0);
    let Some(past) = app.past.lanes.first() else {
        return;
    };
    let per_pair = if found > 0 {
        hundredths(own as f64 / found as f64)
    } else {
        "–".to_owned()
    };
    stat(ui, palette, "tests per pair", &per_pair, "");
    // A line goes on from one structure, or setting, to the next only where their figures are alike.
    let since = past.since(lane.structure.kind);
    let visits = shown.query.visits;
    stat_with_history(
        ui,
        palette,
        "regions visited",
        &with_commas(visits),
        "",
        &past.visits.thinned_from(since, 60),
    );
    let update = &shown.update;
    if update.splits + update.merges > 0
        || app
            .lane()
            .structure
            .info()
            .knobs
            .iter()
            .any(|knob| knob.key == "capacity")
    {
        stat(
            ui,
            palette,
            "splits · merges",
            &format!("{} · {}", update.splits, update.merges),
            "",
        );
    }
    if has_been(ui, app, REFITS, update.refits > 0) {
        stat(ui, palette, REFITS, &with_commas(update.refits), "");
    }
    let times_of = |kind: Work| match kind {
        Work::DoubleAttack => shown.query.of(kind),
        _ => update.of(kind),
    };
    let is_there = |kind: Work| has_been(ui, app, kind.name(), times_of(kind) > 0);
    let rows = Work::ALL.map(|kind| (kind, is_there(kind)));
    for (kind, _) in rows.into_iter().filter(|(_, is_there)| *is_there) {
        stat(ui, palette, kind.name(), &with_commas(times_of(kind)), "");
    }
    if !app.fixed {
        // On a tick that stands there is no upkeep, but the structure has just been built.
        let upkeep = if shown.at_rest { "build" } else { "update" };
        let times = lane.times;
        let [upkeep_doubt, query_doubt] = lane.doubtful_from.map(|from| from.is_some());
        for (name, series, time, is_doubtful) in [
            (
                upkeep,
                &past.update_us,
                times.map(|times| times.update_us),
                upkeep_doubt,
            ),
            (
                "query",
                &past.query_us,
                times.map(|times| times.query_us),
                query_doubt,
            ),
            (
                "step",
                &past.step_us,
                times.map(|times| times.step_us),
                false,
            ),
        ] {
            if name == "step" && shown.at_rest {
                continue;
            }
            match time {
                Some(time) => {
                    let (value, unit) = duration(f64::from(time));
                    // As in Compare: readings lie so far apart that this one says little.
                    let (mark, why) = match is_doubtful {
                        true => ("~", ", readings lie far apart"),
                        false => ("", ""),
                    };
                    let value = format!("{mark}{value}");
                    let exact = format!("{time:.1} µs{why}");
                    stat_with_history(
                        ui,
                        palette,
                        name,
                        &value,
                        unit,
                        &series.thinned_from(since, 60),
                    )
                    .on_hover_text(exact);
                }
                None => {
                    stat(ui, palette, name, "not measured", "");
                }
            }
        }
    }
}

/// How the bars are drawn, and of which tick's questions they are, with what that means: at rest these are others than those of the tick before,
/// and whoever turns a knob would compare both.
fn what_is_asked(at_rest: bool) -> (&'static str, &'static str) {
    match at_rest {
        true => (
            "log scale · of the next tick, not of this one",
            "While time stands, what the next tick will ask is asked: compare it with other costs at rest, as with those of the same knob turned back, and not with those of a tick that has passed.",
        ),
        false => (
            "log scale · of the tick that has passed",
            "Turn a knob while time stands, and what the next tick will ask is shown instead: turn it back, and both can be compared.",
        ),
    }
}

/// Which pairs are found: those within so many metres, which may be as far as units keep apart anyway, or none.
fn what_pairs_are((reach, is_least): (f32, bool)) -> String {
    let why = match is_least {
        true => {
            " (units keep so far apart, and need to know of each other whatever their reach; with “keep apart” at 0 their reach alone counts, and a shorter one, 0 m included, can be asked while one steps through)"
        }
        false if reach == 0.0 => " (only who touches or overlaps is one)",
        false => "",
    };
    format!(
        "Pairs of units within {} m of each other in a tick, from edge to edge{why}; every structure finds the same ones.",
        metres(reach)
    )
}

/// What is tested: how much of it for what, where that was measured.
fn what_tests_are((all, nearest): (u64, u64), is_measured: bool) -> String {
    let means = glossary::means("", "tested");
    if !is_measured {
        return means.to_owned();
    }
    let [pairs, nearest] = [all.saturating_sub(nearest), nearest].map(with_commas);
    format!(
        "{means} Here {pairs} for the pairs and {nearest} for the nearest enemies; a rectangle is asked by no tick, and is none of them."
    )
}

/// Whether there has been any of this work since the structure was chosen: whoever reads the rows below has them stay where they are.
fn has_been(ui: &Ui, app: &App, name: &str, now: bool) -> bool {
    let lane = app.lane();
    let whose = (lane.structure.kind, lane.shown_cost.at_rest, app.session());
    let id = Id::new(("work that has been", name));
    ui.data_mut(|data| {
        let has_been = data.get_temp(id) == Some(whose);
        if now && !has_been {
            data.insert_temp(id, whose);
        }
        now || has_been
    })
}

/// How the tests of a structure compare with those of all pairs, and what that number is.
fn beside_all_pairs(tests: u64, all_pairs: u64) -> (String, Named<'static>) {
    let times = |more: u64, less: u64| ratio_text(more as f32 / less as f32);
    match (tests, all_pairs) {
        (_, 0) => ("–".to_owned(), "fewer tests than".into()),
        // Nothing is a part of anything: there is no factor.
        (0, _) => ("0".to_owned(), "tests, against those of".into()),
        _ if tests == all_pairs => ("1×".to_owned(), "the tests of".into()),
        // Among few units a structure may well look at more than there are pairs.
        _ if tests > all_pairs => (times(tests, all_pairs), "more tests than".into()),
        _ => (times(all_pairs, tests), "fewer tests than".into()),
    }
}

fn ratio_text(ratio: f32) -> String {
    match ratio {
        r if r >= 100.0 => format!("{}×", with_commas(r.round() as u64)),
        r if r >= 10.0 => format!("{r:.0}×"),
        r => format!("{r:.1}×"),
    }
}

/// How well the structure is built.
pub fn quality(ui: &mut Ui, app: &App, palette: &Palette) {
    if app.lane().frame.quality.is_empty() {
        return;
    }
    let placement = app.lane().structure.info().placement.name();
    if !section(ui, palette, "structure quality", placement) {
        return;
    }
    for Fact { name, value, unit } in &app.lane().frame.quality {
        stat(ui, palette, *name, &parted(value), unit);
    }
    histogram(ui, app, palette);
}

/// What the structure takes, part by part.
pub fn memory(ui: &mut Ui, app: &App, palette: &Palette) {
    let total: usize = app.lane().frame.memory.iter().map(|(_, bytes)| bytes).sum();
    let (value, unit) = bytes(total as u64);
    if !section(ui, palette, "memory", &format!("{value} {unit}")) {
        return;
    }
    for (part, size) in &app.lane().frame.memory {
        let (value, unit) = bytes(*size as u64);
        let name = glossary::of("memory", part);
        stat(ui, palette, name, &value, unit).on_hover_text(exact_bytes(*size as u64));
    }
    if app.alive() > 0 {
        let each = total as f64 / app.alive() as f64;
        // Few bytes have a part of one.
        let (each, unit) = match each < 1000.0 {
            true => (format!("{each:.1}"), "B"),
            false => bytes(each as u64),
        };
        stat(ui, palette, "per unit", &each, unit);
    }
}

/// How a part of so much of a picture of columns is drawn that is seen: its columns and its numbers. The numbers are gone before they are cut
/// through; the columns stay pale where they are cut above, or in a part too low for a fade above them: an empty strip would seem to be the end of
/// the panel.
fn inks_of_seen(part: f32) -> (f32, f32) {
    /// Pale, but not gone.
    const LEAST: f32 = 0.35;
    (LEAST + (1.0 - LEAST) * part, part)
}

fn histogram(ui: &mut Ui, app: &App, palette: &Palette) {
    let histogram = &app.lane().frame.histogram;
    let most = histogram.counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 76.0), Sense::hover());
    response.on_hover_text(glossary::means("", histogram.axis));
    // Of columns that are cut the highest one alone may be seen, which says nothing.
    whole_or_not(ui, rect.min, rect.top() + 0.75 * rect.height());
    let (columns, part) = inks_of_seen(seen_part(rect, ui.clip_rect()));
    let [paler, ink] = [palette.text_third, palette.text_second].map(|ink| faded(ink, part));
    let floor = rect.bottom() - 16.0;
    let width = rect.width() / histogram.counts.len().max(9) as f32;
    for (column, count) in histogram.counts.iter().enumerate() {
        let left = rect.left() + width * column as f32;
        let height = (floor - rect.top() - 14.0) * *count as f32 / most as f32;
        let top = floor - if *count > 0 { height.max(1.0) } else { 0.0 };
        let fill = Rect::from_min_max(pos2(left + 1.5, top), pos2(left + width - 1.5, floor));
        ui.painter().rect_filled(
            fill,
            CornerRadius::ZERO,
            faded(palette.at_depth((column.min(7)) as u16), columns),
        );
        let middle = left + width / 2.0;
        let step = histogram.step();
        let tick = match column {
            16 if histogram.is_open => "16+".to_owned(),
            // The last is wider than the others, and in a narrow panel leaves its neighbour no room: then it is every other one.
            odd if odd % 2 == 1 && width < 20.0 && histogram.counts.len() > 16 => String::new(),
            odd if odd % 2 == 1 && step > 1 && width < 30.0 => String::new(),
            column => (column * step).to_string(),
        };
        ui.painter().text(
            pos2(middle, floor + 8.0),
            Align2::CENTER_CENTER,
            tick,
            number(9.5),
            paler,
        );
        // Labels over neighbouring columns would run into each other where the numbers are long; the greatest is said.
        let words = about(u64::from(*count));
        let fits = words.len() as f32 * 5.8 < width - 1.0;
        if *count > 0 && (fits || *count == most) {
            let at = pos2(middle, top - 7.0);
            ui.painter()
                .text(at, Align2::CENTER_CENTER, words, number(9.5), ink);
        }
    }
    ui.painter().hline(
        rect.x_range(),
        floor,
        Stroke::new(1.0, faded(palette.line, columns)),
    );
    let axis = match histogram.step() {
        1 => histogram.axis.to_owned(),
        step => format!("{}, {step} to a column", histogram.axis),
    };
    ui.label(
        RichText::new(axis)
            .size(size::CAPTION)
            .color(palette.text_third),
    );
}

/// What it took to find out who is in view.
pub fn screen(ui: &mut Ui, app: &App, palette: &Palette) {
    if !section(ui, palette, "drawn through the structure", "this view") {
        return;
    }
    if app.culled.area.is_none() {
        ui.label(
            RichText::new("All of the field is in view.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
        return;
    }
    stat(
        ui,
        palette,
        glossary::of("screen", "units in view"),
        &with_commas(app.culled.units.len() as u64),
        "",
    );
    let counter = &app.culled.counter;
    let compared = counter.tests + counter.visits + counter.prunes + counter.accepts;
    for (name, value) in [("comparisons", compared), ("one per unit", app.alive())] {
        let name = glossary::of("screen", name);
        stat(ui, palette, name, &with_commas(value), "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_different_questions_are_told_apart_beside_the_figures() {
        let [rests, runs] = [true, false].map(|at_rest| what_is_asked(at_rest).0);
        assert!(rests.contains("of the next tick") && runs.contains("that has passed"));
    }

    #[test]
    fn pairs_are_said_to_be_within_what_they_are_looked_for() {
        let words = what_pairs_are((2.0, true));
        assert!(
            words.contains(
                "within 2 m of each other in a tick, from edge to edge (units keep so far apart"
            ),
            "{words}"
        );
        let words = what_pairs_are((6.5, false));
        assert!(
            words.contains("within 6.5 m") && !words.contains("keep"),
            "{words}"
        );
        let words = what_pairs_are((0.0, false));
        assert!(
            words.contains("from edge to edge (only who touches or overlaps is one);"),
            "{words}"
        );
    }

    #[test]
    fn what_was_tested_is_told_apart_by_what_it_was_tested_for() {
        let words = what_tests_are((12_500, 2_000), true);
        assert!(words.starts_with(glossary::means("", "tested")), "{words}");
        assert!(
            words.contains("10,500 for the pairs and 2,000 for the nearest enemies"),
            "{words}"
        );
        assert!(!what_tests_are((0, 0), false).contains("Here"));
    }

    #[test]
    fn columns_that_are_cut_are_pale_and_without_numbers_and_no_empty_strip() {
        assert_eq!(inks_of_seen(1.0), (1.0, 1.0));
        let (columns, numbers) = inks_of_seen(0.0);
        assert!(numbers == 0.0 && (0.2..0.5).contains(&columns));
    }

    #[test]
    fn where_nothing_is_tested_there_is_no_factor() {
        let said = |tests, all_pairs| {
            let (number, what) = beside_all_pairs(tests, all_pairs);
            assert!(!what.means.is_empty());
            format!("{number} {} all pairs", what.name)
        };
        assert_eq!(said(0, 45), "0 tests, against those of all pairs");
        assert_eq!(said(1, 45), "45× fewer tests than all pairs");
        assert_eq!(said(20, 45), "2.2× fewer tests than all pairs");
        assert_eq!(said(45, 45), "1× the tests of all pairs");
        assert_eq!(said(9, 3), "3.0× more tests than all pairs");
        assert_eq!(said(0, 0), "– fewer tests than all pairs");
    }
}
