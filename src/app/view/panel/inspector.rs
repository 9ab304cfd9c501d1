//! What inspectors of a plane and of space have in common: the rows of the query, and the caption that says whether it is pinned.
//!
//! Invariant: whatever is under the cursor, nothing jumps. The card of the unit has as many rows when none is pointed at; that of the region,
//! of which some structures tell more in one place than in another, is the last, and has nothing below it. Where there is no room for the
//! first rows of both, the region comes first, or it would be cut over everybody: then its card is as high as the highest one of a region, and
//! that of the unit stays where it is.

use crate::app::common_values::WIDTHS;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{
    Emblem, SECTION, Slider, bar, card, is_collapsed, log_part, section, section_with, slider,
    stat, with_commas,
};
use egui_macroquad::egui::{Color32, RichText, Ui};
use skirmish::partition::{Fact, RegionId, Role, called};
use skirmish::probe::Counter;
use skirmish::scene::Side;

/// The rows of the query: its counters, how many it found, and how many events were not told. A dash each where there is none.
pub fn query_rows(
    ui: &mut Ui,
    palette: &Palette,
    alive: u64,
    query: Option<(&Counter, u64, u64)>,
    in_space: bool,
) {
    let counter = query.map(|(counter, ..)| counter);
    let hits = query.map(|(_, hits, _)| hits);
    let most = alive.max(counter.map_or(1, |it| it.visits)).max(1);
    let rows = [
        ("visited", counter.map(|it| it.visits), palette.accent),
        ("pruned", counter.map(|it| it.prunes), palette.text_third),
        ("taken whole", counter.map(|it| it.accepts), palette.accent),
        ("units tested", counter.map(|it| it.tests), palette.tested),
        ("in reach", hits, palette.text),
    ];
    for (name, value, color) in rows {
        if name == "taken whole" && !in_space {
            continue;
        }
        let part = value.map_or(0.0, |value| log_part(value, most));
        let words = value.map_or("–".to_owned(), with_commas);
        bar(ui, palette, name, part, color, &words);
    }
    let dropped = query.map_or(0, |(.., dropped)| dropped);
    if dropped > 0 {
        let dropped = with_commas(dropped);
        let words = format!("{dropped} events beyond the trace are counted, not drawn");
        let words = RichText::new(words).size(size::CAPTION);
        ui.label(words.color(palette.warning));
    }
}

/// The caption of the inspector: what it looks at, or that it is pinned to a unit or a place, and a word that lets it go. Whether the rest is shown.
pub fn inspector_caption(ui: &mut Ui, app: &mut App, palette: &Palette) -> bool {
    const NAME: &str = "inspector";
    if !app.is_held() {
        let note = if app.cursor.is_some() {
            "Shift+click pins it"
        } else {
            "point at the field"
        };
        return section(ui, palette, NAME, note);
    }
    let (word, help) = match app.held_unit() {
        Some(_) => (
            "unit pinned, let go",
            "Query and inspector go with the pinned unit. Click, or press Escape, to have them follow the cursor again.",
        ),
        None => (
            "place pinned, let go",
            "Query and inspector stay at the pinned place. Click, or press Escape, to have them follow the cursor again.",
        ),
    };
    let word = ("inspector.let_go", word, help);
    let (is_open, is_over) = section_with(ui, palette, (NAME, NAME), word);
    if is_over {
        app.let_go();
    }
    is_open
}

/// How high a row of a card is, in points.
pub const ROW: f32 = 20.0;
/// How high a slider in a card is, and what a card has beside its rows: its title and its margins, in points.
const SLIDER: f32 = 36.0;
const AROUND: f32 = 34.0;
/// Between two cards.
const BETWEEN: f32 = 8.0;

/// How high the two cards of an inspector are, where a unit has so many rows and is selected or pointed at, `rows` of a region stand there
/// while there is none, and some of its rows are higher, by `more` in all. It depends on the structure, on the scene and on who is
/// selected, and never on what is pointed at.
pub fn cards_height(app: &App, unit_rows: usize, (rows, more): (usize, f32)) -> f32 {
    let region = region_height(app, (rows, more));
    let slider = match app.can_set_width() {
        true => SLIDER,
        false => 0.0,
    };
    let unit_rows = if app.selection.len() > 1 {
        2
    } else {
        unit_rows
    };
    AROUND + ROW * unit_rows as f32 + slider + BETWEEN + region
}

/// How high the card of a region is at the most, as above.
fn region_height(app: &App, (rows, more): (usize, f32)) -> f32 {
    match has_regions(app) {
        true => AROUND + ROW * most_told(app).max(rows) as f32 + more,
        false => AROUND,
    }
}

/// The two cards of an inspector, where the section `above` theirs is so high below its caption, and so many rows of a unit and so many of a
/// region have to be in sight, some of these higher by so much; the card of the region is told how high it is at the least. Gives what the card of the
/// unit gives.
pub fn both_cards<T>(
    ui: &mut Ui,
    app: &App,
    (above, unit_rows, region_rows): ((&str, f32), usize, (usize, f32)),
    unit: impl FnOnce(&mut Ui) -> T,
    region: impl FnOnce(&mut Ui, f32),
) -> T {
    // Somebody who was chosen is looked for first, and stays whatever is pointed at.
    let is_chosen = !app.selection.is_empty() || app.held_unit().is_some();
    let rows = [unit_rows, region_rows.0];
    // As it is reckoned, and not as it is drawn: what is pointed at may have a line more there.
    let (name, height) = above;
    let height = if is_collapsed(ui.ctx(), name) {
        0.0
    } else {
        height
    };
    let has_room = has_room(ui.clip_rect().height() - height - 2.0 * SECTION, rows);
    if is_chosen || has_room || !has_regions(app) {
        let given = unit(ui);
        region(ui, 0.0);
        return given;
    }
    region(ui, region_height(app, region_rows));
    unit(ui)
}

/// Whether the first rows of both cards, so many of a unit and so many of a region, are in sight where there is so much room for them.
fn has_room(room: f32, [unit, region]: [usize; 2]) -> bool {
    2.0 * AROUND + BETWEEN + ROW * (unit + region) as f32 <= room
}

/// The card of a unit where there is none, with as many rows as one of whom there is something to say.
pub fn no_unit_card(ui: &mut Ui, palette: &Palette, rows: &[(&str, &str)]) {
    let emblem = (facing(Side::Blue), palette.text_third);
    card(ui, palette, "no unit", "", emblem, |ui| {
        for (name, unit) in rows {
            stat(ui, palette, *name, "–", unit);
        }
    });
}

/// How many rows are told of a region at the most, of bodies as they are now.
fn most_told(app: &App) -> usize {
    let info = app.lane().structure.info();
    let are_sized = match &app.flight {
        Some(flight) => flight.bodies().are_sized(),
        None => app.battle.bodies().are_sized(),
    };
    info.told + if are_sized { info.told_of_sizes } else { 0 }
}

/// The card of a region, which is as high as what is told of it, and no lower than `least`.
pub fn region_card(
    ui: &mut Ui,
    palette: &Palette,
    (title, right, color): (&str, &str, Color32),
    least: f32,
    rows: impl FnOnce(&mut Ui),
) {
    card(ui, palette, title, right, (Emblem::Frame, color), |ui| {
        let top = ui.cursor().top();
        rows(ui);
        let used = ui.cursor().top() - top;
        ui.add_space((least - AROUND - used).max(0.0));
    });
}

/// Whether the structure has regions at all. Where it has none, nothing comes under the cursor for which a card would have to be held ready.
pub fn has_regions(app: &App) -> bool {
    !app.lane().structure.kind().tests_every_pair()
}

/// The card of who has no regions: its title alone, which never changes.
pub fn no_regions(ui: &mut Ui, palette: &Palette) {
    let title = "no regions: all are asked";
    let emblem = (Emblem::Frame, palette.text_third);
    card(ui, palette, title, "", emblem, |_| {});
}

/// How wide who is selected is, which can be set. The width that they are to be given.
pub fn size_row(ui: &mut Ui, app: &App, palette: &Palette) -> Option<f32> {
    /// Of more than so many a drag is done when it ends: each width on its way would be an edit of them all.
    const MOST_LIVE: usize = 20_000;
    let (least, greatest) = app.selected_widths()?;
    let wanted = ui.make_persistent_id("width wanted");
    // Of the pass before alone, and of as many: who lets the slider go elsewhere, or selects others meanwhile, has not meant them.
    let (pass, count) = (ui.ctx().cumulative_pass_nr(), app.selection.len());
    let kept: Option<(u64, usize, f32)> = ui.data(|data| data.get_temp(wanted));
    let pending = kept
        .filter(|(at, of, _)| at + 1 >= pass && *of == count)
        .map(|(.., width)| width);
    let (is_alike, now) = match least < greatest {
        true => (false, format!(" Now {least:.1} to {greatest:.1} m.")),
        false => (true, String::new()),
    };
    let what = Slider {
        id: "selection.size",
        name: "size",
        help: &format!(
            "How wide the selected bodies are: squares, or cubes in space; points at 0.{now}"
        ),
        unit: "m",
        track: WIDTHS,
    };
    let width = if is_alike { greatest } else { f32::NAN };
    let shown = pending.unwrap_or(width);
    // The slider reckons in more digits than a body has: held still it gives the same width again and again.
    let moved = slider(ui, palette, &what, f64::from(shown))
        .map(|width| width as f32)
        .filter(|width| *width != shown);
    let is_held = count > MOST_LIVE && ui.input(|input| input.pointer.any_down());
    match moved.or(pending) {
        Some(width) if is_held => {
            ui.data_mut(|data| data.insert_temp(wanted, (pass, count, width)));
            None
        }
        width => {
            ui.data_mut(|data| data.remove_temp::<(u64, usize, f32)>(wanted));
            width
        }
    }
}

/// The emblem of a unit: as its side stands at the start.
pub fn facing(side: Side) -> Emblem {
    let way = match side {
        Side::Blue => 1.0,
        Side::Orange => -1.0,
    };
    Emblem::Arrow { way }
}

/// What a region is called, as in the sentences of a story; a sign tells a number from a place.
pub fn title_of(role: Role, region: RegionId, facts: &[Fact]) -> String {
    let kind = match role {
        Role::Inner => "node",
        Role::Leaf => "leaf",
        Role::Cell => "cell",
        Role::Slot => "slot",
        // There is one: its number says nothing.
        Role::Oversize => return "list of the oversize".to_owned(),
    };
    let called = called(region, facts);
    match called.parse::<RegionId>() {
        Ok(number) if region == number => format!("{kind} #{region}"),
        _ => format!("{kind} {called}"),
    }
}

/// Whether a fact says again what the title and the rows of every region say: its number, its sides, how many it holds.
pub fn told_above(fact: &Fact, region: RegionId, load: u32) -> bool {
    match fact.name {
        "slot" => fact.value == region.to_string(),
        "units" => fact.value == load.to_string(),
        "held" => fact.value == load.to_string(),
        name => ["x", "y", "z"].contains(&name),
    }
}

/// How many units a region holds, and may hold where that is limited. Of a node that has others below it those are not among them,
/// and the row says so: a plain 0 would read as if nobody were in it.
pub fn load_row(ui: &mut Ui, palette: &Palette, role: Role, load: u32, capacity: u32) {
    let name = match role {
        Role::Inner => "held here",
        Role::Leaf | Role::Cell | Role::Slot | Role::Oversize => "load",
    };
    let unit = if (load, capacity) == (1, 0) {
        "unit"
    } else {
        "units"
    };
    let load = with_commas(load.into());
    let load = match capacity {
        0 => load,
        most => format!("{load} of {most}"),
    };
    stat(ui, palette, name, &load, unit);
}

/// A click on the field that would place and take nothing pins what it is on.
pub fn hold_by_click(ui: &Ui, app: &mut App) {
    let (is_clicked, shift) =
        ui.input(|input| (input.pointer.primary_clicked(), input.modifiers.shift));
    if is_clicked && !app.scripted && app.click_holds(shift) {
        app.hold();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_cards_have_room_where_their_first_rows_are_in_sight() {
        let needed = 2.0 * AROUND + BETWEEN + 6.0 * ROW;
        assert!(has_room(needed, [3, 3]) && !has_room(needed, [4, 3]));
        assert!(!has_room(needed - 1.0, [3, 3]));
    }
}
