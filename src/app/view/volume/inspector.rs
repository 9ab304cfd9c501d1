//! What is under the pointer: the query, the region and the unit, for the right panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{bar, card, log_part, section, stat, with_commas};
use egui_macroquad::egui::{RichText, Ui};
use skirmish::partition::{Fact, Role};
use skirmish::scene::Side;

/// What the query around the point under the pointer took.
pub fn query(ui: &mut Ui, app: &App, palette: &Palette) {
    section(
        ui,
        palette,
        "query under the brush",
        &format!("r {:.1} m", app.brush.radius),
    );
    let Some(query) = &app.lane().frame3.query else {
        faint(ui, palette, "Point at a unit, or at the slice.");
        return;
    };
    let counter = &query.counter;
    let most = app.alive().max(counter.visits).max(1);
    for (name, value, color) in [
        ("visited", counter.visits, palette.accent),
        ("pruned", counter.prunes, palette.text_third),
        ("taken whole", counter.accepts, palette.accent),
        ("units tested", counter.tests, palette.tested),
        ("in reach", query.hits.len() as u64, palette.text),
    ] {
        let part = log_part(value, most);
        bar(ui, palette, name, part, color, &with_commas(value));
    }
    if query.dropped > 0 {
        let dropped = with_commas(query.dropped);
        let words = format!("{dropped} events beyond the trace are counted, not drawn");
        let words = RichText::new(words).size(size::CAPTION);
        ui.label(words.color(palette.warning));
    }
}

fn faint(ui: &mut Ui, palette: &Palette, words: &str) {
    let words = RichText::new(words).size(size::DESCRIPTION);
    ui.label(words.color(palette.text_third));
}

/// The region and the unit under the pointer, or the unit that is selected.
pub fn inspector(ui: &mut Ui, app: &App, palette: &Palette) {
    section(ui, palette, "inspector", "under the cursor");
    let is_empty = !region(ui, app, palette) & !unit(ui, app, palette);
    if is_empty {
        faint(ui, palette, "Nothing is under the cursor.");
    }
}

fn region(ui: &mut Ui, app: &App, palette: &Palette) -> bool {
    let frame = &app.lane().frame3;
    let Some(region) = frame.path.last() else {
        return false;
    };
    let (kind, right) = match region.role {
        Role::Inner => ("node", format!("depth {}", region.depth)),
        Role::Leaf => ("leaf", format!("depth {}", region.depth)),
        Role::Cell => ("cell", String::new()),
        Role::Slot => ("slot", String::new()),
    };
    let title = format!("{kind} #{}", region.id);
    card(ui, palette, &title, &right, palette.accent, |ui| {
        let load = match region.capacity {
            0 => region.load.to_string(),
            most => format!("{} of {most}", region.load),
        };
        stat(ui, palette, "load", &load, "units");
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (min, max) = (region.bounds.min[axis], region.bounds.max[axis]);
            stat(ui, palette, name, &format!("{min:.2} to {max:.2}"), "m");
        }
        for Fact { name, value, unit } in &frame.facts {
            stat(ui, palette, *name, value, unit);
        }
    });
    true
}

fn unit(ui: &mut Ui, app: &App, palette: &Palette) -> bool {
    let unit = app.selection.or(app.lane().frame3.unit);
    let (Some(flight), Some((unit, at))) = (
        &app.flight,
        unit.and_then(|unit| Some((unit, app.flying(unit)?))),
    ) else {
        return false;
    };
    let row = unit as usize;
    let side = flight.sides()[row];
    let name = match side {
        Side::Blue => "blue",
        Side::Orange => "orange",
    };
    let is_selected = app.selection == Some(unit);
    let selected = if is_selected { " · selected" } else { "" };
    let title = format!("unit {unit}{selected}");
    card(ui, palette, &title, name, palette.side(side), |ui| {
        let place = format!("{:.1}, {:.1}, {:.1}", at.x, at.y, at.z);
        stat(ui, palette, "position", &place, "m");
        let speed = flight.velocities()[row].length();
        stat(ui, palette, "speed", &format!("{speed:.1}"), "m/s");
        stat(ui, palette, "motion", flight.motion_of(unit).name(), "");
        let points = flight.hit_points()[row].to_string();
        stat(ui, palette, "hit points", &points, "");
    });
    true
}
