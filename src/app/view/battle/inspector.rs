//! What is under the cursor: the query, the region and the unit, for the right panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{bar, card, log_part, section, stat, with_commas};
use egui_macroquad::egui::{RichText, Ui};
use skirmish::observe::Outline;
use skirmish::partition::{Fact, Role, UnitId};
use skirmish::scene::Side;

/// What the query under the brush took.
pub fn query(ui: &mut Ui, app: &App, palette: &Palette) {
    section(
        ui,
        palette,
        "query under the brush",
        &format!("r {:.1} m", app.brush.radius),
    );
    let Some(query) = &app.lane().frame.query else {
        ui.label(
            RichText::new("Point at the field.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
        return;
    };
    let counter = &query.counter;
    let most = app.alive().max(counter.visits).max(1);
    for (name, value, color) in [
        ("visited", counter.visits, palette.accent),
        ("pruned", counter.prunes, palette.text_third),
        ("units tested", counter.tests, palette.tested),
        ("in reach", counter.hits, palette.text),
    ] {
        bar(
            ui,
            palette,
            name,
            log_part(value, most),
            color,
            &with_commas(value),
        );
    }
    if query.dropped > 0 {
        let words = format!(
            "{} events beyond the trace are counted, not drawn",
            with_commas(query.dropped)
        );
        ui.label(
            RichText::new(words)
                .size(size::CAPTION)
                .color(palette.warning),
        );
    }
}

/// The region and the unit under the cursor, or the unit that is selected.
pub fn inspector(ui: &mut Ui, app: &App, palette: &Palette) {
    section(ui, palette, "inspector", "under the cursor");
    let mut empty = true;
    if let Some(region) = app.lane().frame.path.last() {
        empty = false;
        let kind = match region.role {
            Role::Inner => "node",
            Role::Leaf => "leaf",
            Role::Cell => "cell",
            Role::Slot => "slot",
        };
        let right = if region.role == Role::Cell {
            String::new()
        } else {
            format!("depth {}", region.depth)
        };
        card(
            ui,
            palette,
            &format!("{kind} #{}", region.id),
            &right,
            palette.accent,
            |ui| {
                let load = if region.capacity > 0 {
                    format!("{} of {}", region.load, region.capacity)
                } else {
                    region.load.to_string()
                };
                stat(ui, palette, "load", &load, "units");
                if let Outline::Rect(area) = region.outline {
                    let sides = [("x", area.min.x, area.max.x), ("y", area.min.y, area.max.y)];
                    for (axis, min, max) in sides {
                        stat(ui, palette, axis, &format!("{min:.2} to {max:.2}"), "m");
                    }
                }
                for Fact { name, value, unit } in &app.lane().frame.facts {
                    stat(ui, palette, *name, value, unit);
                }
            },
        );
    }
    if app.selection.len() > 1 {
        return many(ui, app, palette);
    }
    let unit = app
        .selection
        .one()
        .or(app.lane().frame.unit)
        .filter(|unit| app.battle.bodies().is_alive(*unit));
    if let Some(unit) = unit {
        empty = false;
        let row = unit as usize;
        let side = app.battle.sides()[row];
        let name = match side {
            Side::Blue => "blue",
            Side::Orange => "orange",
        };
        let title = format!(
            "unit {unit}{}",
            if app.selection.one() == Some(unit) {
                " · selected"
            } else {
                ""
            }
        );
        card(ui, palette, &title, name, palette.side(side), |ui| {
            let at = app.battle.positions()[row];
            stat(
                ui,
                palette,
                "position",
                &format!("{:.2}, {:.2}", at.x, at.y),
                "m",
            );
            stat(
                ui,
                palette,
                "speed",
                &format!("{:.1}", app.battle.velocities()[row].length()),
                "m/s",
            );
            stat(
                ui,
                palette,
                "hit points",
                &app.battle.hit_points()[row].to_string(),
                "",
            );
        });
    }
    if empty {
        ui.label(
            RichText::new("Nothing is under the cursor.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
}

/// Those who are selected together.
fn many(ui: &mut Ui, app: &App, palette: &Palette) {
    let sides = app.battle.sides();
    let of_blue = |unit: &&UnitId| sides[**unit as usize] == Side::Blue;
    let blue = app.selection.units().iter().filter(of_blue).count();
    many_selected(ui, palette, app.selection.len(), blue);
}

/// How many are selected together, and whose they are.
pub fn many_selected(ui: &mut Ui, palette: &Palette, count: usize, blue: usize) {
    let title = format!("{} units", with_commas(count as u64));
    card(ui, palette, &title, "selected", palette.mark, |ui| {
        for (name, count) in [("blue", blue), ("orange", count - blue)] {
            stat(ui, palette, name, &with_commas(count as u64), "units");
        }
    });
}
