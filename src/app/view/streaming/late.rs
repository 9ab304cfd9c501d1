//! The late loads, one after the other: when each was, and how many objects at once. A click goes there and selects one of them.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::size;
use crate::app::widgets::{focus_ring, place, section, stat, tell_button, with_commas};
use egui_macroquad::egui::{RichText, Sense, Ui};
use skirmish::session::{Mark, MarkKind};
use skirmish::tick::STEP_SECONDS;
use std::sync::Arc;

/// So many are shown.
const SHOWN: usize = 6;

/// Those until the present tick, the latest first.
pub fn late_loads(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let marks = Arc::clone(&app.place.marks);
    let now = app.place.tick;
    let late: Vec<&Mark> = marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Late)
        .collect();
    let times = late.len() as u64;
    let note = match times {
        0 => "none yet".to_owned(),
        1 => "once".to_owned(),
        times => format!("{} times", with_commas(times)),
    };
    if !section(ui, palette, "late loads", &note) {
        return;
    }
    let known = late.partition_point(|mark| mark.tick <= now);
    let shown = &late[known.saturating_sub(SHOWN)..known];
    let means = glossary::means("streaming", "late loads");
    let mut chosen = None;
    for (place_in_list, mark) in shown.iter().rev().enumerate() {
        let objects = match (&mark.who, mark.count) {
            (Some(who), 1) => who.to_string(),
            (Some(who), count) => format!("{who} + {}", with_commas(u64::from(count - 1))),
            (None, 1) => "1 object".to_owned(),
            (None, count) => format!("{} objects", with_commas(u64::from(count))),
        };
        let name = format!("tick {}", with_commas(mark.tick));
        let when = format!("{name}, at {:.1} s", mark.tick as f64 * STEP_SECONDS);
        let response = stat(ui, palette, (when.as_str(), means), &objects, "");
        let response = response.interact(Sense::click());
        place(ui.ctx(), &format!("late.{place_in_list}"), response.rect);
        tell_button(&response, &format!("Go to {name}: {objects} late"));
        focus_ring(ui, palette, &response, response.rect);
        if response.clicked() {
            chosen = Some(mark.tick);
        }
    }
    let words = match (known - shown.len(), late.len() - known) {
        (0, 0) if late.is_empty() => "Nothing was needed before it was there.".to_owned(),
        (0, 0) => String::new(),
        (before, 0) => format!("and {} before", with_commas(before as u64)),
        (0, after) => format!("and {} after this tick", with_commas(after as u64)),
        (before, after) => format!(
            "and {} before, {} after this tick",
            with_commas(before as u64),
            with_commas(after as u64)
        ),
    };
    if !words.is_empty() {
        ui.label(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
    if let Some(tick) = chosen {
        app.go_to_marked(tick);
    }
}
