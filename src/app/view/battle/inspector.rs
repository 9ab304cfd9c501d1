//! What is under the cursor: the query, the region and the unit, for the right panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::panel::{
    both_cards, cards_height, facing, has_regions, inspector_caption, load_row, no_regions,
    no_unit_card, query_rows, region_card, size_row, title_of, told_above,
};
use crate::app::widgets::{card, from_to, parted_of, section, stat, with_commas};
use egui_macroquad::egui::Ui;
use skirmish::observe::Outline;
use skirmish::partition::{Fact, Role, UnitId};
use skirmish::scene::Side;

/// The names of the two sections.
const QUERY: &str = "query under the brush";
const INSPECTOR: &str = "inspector";

/// How many rows stand there of a region while there is none, and how much higher some of them are, in points.
const REGION: (usize, f32) = (3, 0.0);

/// What each section needs below its caption, in points: it has that whether something is under the cursor or not.
pub fn heights(app: &App) -> [(&'static str, f32); 2] {
    let has_size = app.battle.bodies().are_sized() && !is_one_width(app);
    let unit_rows = 3 + usize::from(has_size);
    let cards = match app.settings.layout.is_collapsed(INSPECTOR) {
        true => 0.0,
        false => cards_height(app, unit_rows, REGION),
    };
    [(QUERY, 80.0), (INSPECTOR, cards)]
}

/// Whether one is selected whose slider says all of its size: it has that in the place of the row that says how wide and high a body is.
fn is_one_width(app: &App) -> bool {
    let bodies = app.battle.bodies();
    let alive = app.selection.one().filter(|unit| bodies.is_alive(*unit));
    alive.is_some_and(|unit| {
        let half = bodies.half_extent(unit);
        half.x == half.y
    })
}

/// What the query under the brush took.
pub fn query(ui: &mut Ui, app: &App, palette: &Palette) {
    let radius = app.brush.radius;
    let around = match app.brush.asks_square() {
        true => format!("square {:.1} m · log", 2.0 * radius),
        false => format!("r {radius:.1} m · log"),
    };
    if !section(ui, palette, QUERY, &around) {
        return;
    }
    let query = app.lane().frame.query.as_ref();
    let counters = query.map(|query| (&query.counter, query.counter.hits, query.dropped));
    query_rows(ui, palette, app.alive(), counters, false);
}

/// The region and the unit under the cursor, or the unit that is selected, or what they are pinned to.
pub fn inspector(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !inspector_caption(ui, app, palette) {
        return;
    }
    let shown = &*app;
    let [(_, query), _] = heights(shown);
    let unit_rows = 3 + usize::from(shown.battle.bodies().are_sized());
    let width = both_cards(
        ui,
        shown,
        ((QUERY, query), unit_rows, REGION),
        |ui| unit(ui, shown, palette),
        |ui, least| region(ui, shown, palette, least),
    );
    if let Some(width) = width {
        app.set_selected_width(width);
    }
}

/// The region, or a card that says that there is none.
fn region(ui: &mut Ui, app: &App, palette: &Palette, least: f32) {
    if !has_regions(app) {
        return no_regions(ui, palette);
    }
    let Some(region) = app.lane().frame.path.last() else {
        let none = ("no region", "", palette.text_third);
        return region_card(ui, palette, none, least, |ui| {
            for (name, unit) in [("load", "units"), ("x", "m"), ("y", "m")] {
                stat(ui, palette, name, "–", unit);
            }
        });
    };
    let right = match region.role {
        Role::Cell | Role::Slot | Role::Oversize => String::new(),
        Role::Inner | Role::Leaf => format!("depth {}", region.depth),
    };
    let title = title_of(region.role, region.id, &app.lane().frame.facts);
    let about = (title.as_str(), right.as_str(), palette.accent);
    region_card(ui, palette, about, least, |ui| {
        load_row(ui, palette, region.role, region.load, region.capacity);
        if let Outline::Rect(area) = region.outline {
            let sides = [("x", area.min.x, area.max.x), ("y", area.min.y, area.max.y)];
            for (axis, min, max) in sides {
                stat(ui, palette, axis, &from_to(min, max), "m");
            }
        }
        let told = |fact: &&Fact| told_above(fact, region.id, region.load);
        let facts = app.lane().frame.facts.iter().filter(|fact| !told(fact));
        for Fact { name, value, unit } in facts {
            stat(ui, palette, *name, &parted_of(name, value), unit);
        }
    });
}

/// The unit, or a card with as many rows where there is none. The width that who is selected is to be given.
fn unit(ui: &mut Ui, app: &App, palette: &Palette) -> Option<f32> {
    if app.selection.len() > 1 {
        return many(ui, app, palette);
    }
    let pointed = app.looked_at_unit(app.lane());
    let unit = app.selection.one().or(pointed);
    let Some(unit) = unit.filter(|unit| app.battle.bodies().is_alive(*unit)) else {
        let rows = [
            ("position", "m"),
            ("speed", "m/s"),
            ("hit points", ""),
            ("size", "m"),
        ];
        let count = 3 + usize::from(app.battle.bodies().are_sized());
        no_unit_card(ui, palette, &rows[..count]);
        return None;
    };
    let row = unit as usize;
    let side = app.battle.sides()[row];
    let name = match side {
        Side::Blue => "blue",
        Side::Orange => "orange",
    };
    let is_selected = app.selection.one() == Some(unit);
    let selected = if is_selected { " · selected" } else { "" };
    // A name stands on the field; the number is what it is found by.
    let number = unit.to_string();
    let name_on_field = app.unit_labels().map(|labels| labels.called(row));
    let title = match name_on_field.filter(|name| *name != number) {
        Some(name) => format!("unit {name}, number {number}{selected}"),
        None => format!("unit {number}{selected}"),
    };
    let mut width = None;
    card(
        ui,
        palette,
        &title,
        name,
        (facing(side), palette.side(side)),
        |ui| {
            let at = app.battle.positions()[row];
            let place = format!("{:.2}, {:.2}", at.x, at.y);
            stat(ui, palette, "position", &place, "m");
            let speed = app.battle.velocities()[row].length();
            stat(ui, palette, "speed", &format!("{speed:.1}"), "m/s");
            let points = with_commas(app.battle.hit_points()[row].into());
            stat(ui, palette, "hit points", &points, "");
            let bodies = app.battle.bodies();
            if bodies.are_sized() && !is_one_width(app) {
                let size = 2.0 * bodies.half_extent(unit);
                stat(
                    ui,
                    palette,
                    "size",
                    &format!("{:.1} × {:.1}", size.x, size.y),
                    "m",
                );
            }
            if is_selected {
                width = size_row(ui, app, palette);
            }
        },
    );
    width
}

/// Those who are selected together. The width that they are to be given.
fn many(ui: &mut Ui, app: &App, palette: &Palette) -> Option<f32> {
    let sides = app.battle.sides();
    let of_blue = |unit: &&UnitId| sides[**unit as usize] == Side::Blue;
    let blue = app.selection.units().iter().filter(of_blue).count();
    many_selected(ui, app, palette, blue)
}

/// How many are selected together, of whom so many are blue, and how wide they are. The width that they are to be given.
pub fn many_selected(ui: &mut Ui, app: &App, palette: &Palette, blue: usize) -> Option<f32> {
    let count = app.selection.len();
    let mut width = None;
    let title = format!("{} units", with_commas(count as u64));
    card(
        ui,
        palette,
        &title,
        "selected",
        (facing(Side::Blue), palette.mark),
        |ui| {
            for (name, count) in [("blue", blue), ("orange", count - blue)] {
                stat(ui, palette, name, &with_commas(count as u64), "units");
            }
            width = size_row(ui, app, palette);
        },
    );
    width
}
