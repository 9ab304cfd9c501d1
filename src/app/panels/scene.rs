//! The scene: its name, its size, and the list of those beside it. The upper part of the left panel in every view.

use crate::app::commands::Command;
use crate::app::palette::Palette;
use crate::app::scenes::Entry;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    elided, first_section, focus_ring, hint_words, name_it, place, tell_button, with_commas,
};
use egui_macroquad::egui::{
    Align2, CornerRadius, Id, Key, Margin, Modifiers, PopupCloseBehavior, RichText, ScrollArea,
    Sense, Shape, Stroke, StrokeKind, TextEdit, Ui, popup_below_widget, vec2,
};
use std::sync::Arc;

/// Draws it.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let seed = format!("seed {}", app.scene.seed);
    if !first_section(ui, palette, ("scene", "scene"), &seed) {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::click());
    place(ui.ctx(), "scene", rect);
    tell_button(&response, &format!("Scene: {}", app.scene.name));
    focus_ring(ui, palette, &response, rect);
    let fill = if response.hovered() {
        palette.hover
    } else {
        palette.raised
    };
    let painter = ui.painter();
    painter.rect(
        rect,
        CornerRadius::same(4),
        fill,
        Stroke::new(1.0, palette.line),
        StrokeKind::Inside,
    );
    let size_of_field = app.scene.field.size();
    let whole = |metres: f32| with_commas(metres as u64);
    let (width, height) = (whole(size_of_field.x), whole(size_of_field.y));
    let metres = match app.scene.volume {
        Some(_) => {
            let upward = whole(app.scene.field3().size().z);
            format!("{width} × {height} × {upward} m")
        }
        None => format!("{width} × {height} m"),
    };
    let drawn = painter.text(
        rect.right_center() - vec2(24.0, 0.0),
        Align2::RIGHT_CENTER,
        metres,
        number(size::CAPTION),
        palette.text_third,
    );
    let room = drawn.left() - rect.left() - 20.0;
    let name = elided(ui, &app.scene.name, text(size::NAME), palette.text, room);
    let at = rect.left_center() + vec2(10.0, -name.size().y / 2.0);
    ui.painter().galley(at, name, palette.text);
    let tip = rect.right_center() + vec2(-12.0, 2.5);
    let corners = vec![tip, tip + vec2(-4.0, -5.0), tip + vec2(4.0, -5.0)];
    ui.painter().add(Shape::convex_polygon(
        corners,
        palette.text_third,
        Stroke::NONE,
    ));
    let list = ui.make_persistent_id("scene list");
    if response.clicked() {
        ui.memory_mut(|memory| memory.toggle_popup(list));
        // Whoever opens it sees all of them.
        ui.data_mut(|data| data.insert_temp(list, Sought::default()));
    }
    popup_below_widget(
        ui,
        list,
        &response,
        PopupCloseBehavior::CloseOnClickOutside,
        |ui| {
            if scene_list(ui, app, palette, list) {
                ui.memory_mut(|memory| memory.close_popup());
            }
        },
    );
    if !ui.memory(|memory| memory.is_popup_open(list)) {
        let (name, caption) = (app.scene.name.as_str(), app.scene.caption.as_str());
        // A scene that was saved under another name is called as the one that it was made of.
        let file = app.title();
        let said = format!("{name} \u{b7} {file}\n\n{caption}");
        let said = said.trim_end();
        response.on_hover_text(format!(
            "{said}\n\nChoose another scene, or open one (Ctrl+O)."
        ));
    }
}

/// The scenes beside the one that is open, with the figures below them, and those that are built in; first those that were open lately
/// and lie elsewhere. What is typed narrows it, and Enter opens the one that is lit. Gives whether something was chosen.
fn scene_list(ui: &mut Ui, app: &mut App, palette: &Palette, list: Id) -> bool {
    app.menu_open = true;
    ui.set_min_width(228.0);
    app.library.look_again();
    let listing = Arc::clone(app.library.listing());
    let mut sought: Sought = ui.data(|data| data.get_temp(list)).unwrap_or_default();
    let id = list.with("words");
    // What moves the light is no key of the line in which one types.
    let by = match ui.memory(|memory| memory.has_focus(id)) {
        true => ui.input_mut(|input| {
            let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
            count(Key::ArrowDown) - count(Key::ArrowUp)
        }),
        false => 0,
    };
    let before = sought.typed.clone();
    let edit = TextEdit::singleline(&mut sought.typed)
        .id(id)
        .hint_text(hint_words(palette, "Find"))
        .margin(Margin::symmetric(8, 4))
        .desired_width(f32::INFINITY);
    let line = ui.add(edit);
    place(ui.ctx(), "scenes.text", line.rect);
    name_it(&line, "Words of a scene");
    let is_begun = std::mem::replace(&mut sought.is_begun, true);
    let elsewhere = sought.found(&listing.elsewhere);
    let entries = sought.found(&listing.entries);
    let all: Vec<&Entry> = elsewhere.iter().chain(&entries).copied().collect();
    // Also where what is listed has come, or gone, since it was typed.
    let is_typed = !sought.typed.is_empty();
    if sought.typed != before || is_typed && sought.lit.is_none_or(|lit| lit >= all.len()) {
        sought.lit = sought.meant(&all);
    }
    sought.walk(by, all.len());
    let is_moved = by != 0 || sought.typed != before;
    let lit = sought.lit.and_then(|place| all.get(place)).copied();
    let enters = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let mut is_chosen = false;
    if let Some(entry) = lit.filter(|_| enters) {
        app.picked = Some(entry.path.clone());
        is_chosen = true;
    }
    if all.is_empty() {
        ui.label(RichText::new("No scene has these words.").size(size::CAPTION));
    }
    ui.data_mut(|data| data.insert_temp(list, sought.clone()));
    let is_lit = |entry: &Entry| lit.map(|lit| std::ptr::eq(lit, entry));
    ScrollArea::vertical()
        .drag_to_scroll(false)
        .max_height(420.0)
        .show(ui, |ui| {
            if !elsewhere.is_empty() {
                ui.label(RichText::new("opened lately").size(size::CAPTION));
                for entry in elsewhere {
                    is_chosen |= row(ui, app, entry, (is_lit(entry), is_moved));
                }
                ui.separator();
            }
            let mut is_beside = false;
            for entry in entries {
                if is_beside && entry.is_built_in {
                    ui.separator();
                    ui.label(RichText::new("built in").size(size::CAPTION));
                }
                is_beside = !entry.is_built_in;
                is_chosen |= row(ui, app, entry, (is_lit(entry), is_moved));
            }
        });
    ui.separator();
    if ui.button("All scenes in pictures…").clicked() {
        app.run(Command::Gallery);
        is_chosen = true;
    }
    if ui.button("Open…").clicked() {
        app.run(Command::Open);
        is_chosen = true;
    }
    // As long as the list is open nothing is typed into the window behind it; Escape closes it.
    let has_lost = ui.memory(|memory| memory.focused().is_none());
    let closes = is_chosen || ui.input(|input| input.key_pressed(Key::Escape));
    if !is_begun || (has_lost && !closes) {
        line.request_focus();
    }
    is_chosen
}

/// What is sought in the list while that is open.
#[derive(Clone, Debug, Default)]
struct Sought {
    /// As it was typed.
    typed: String,
    /// Whether the line to type in has had the keyboard.
    is_begun: bool,
    /// Which one Enter opens, of those that are found.
    lit: Option<usize>,
}

impl Sought {
    /// Whether a scene has all the words.
    fn finds(&self, entry: &Entry) -> bool {
        let typed = self.typed.to_lowercase();
        let said = format!("{} {} {}", entry.title, entry.name, entry.topic).to_lowercase();
        typed.split_whitespace().all(|word| said.contains(word))
    }

    /// Those of some scenes that have them.
    fn found<'e>(&self, all: &'e [Entry]) -> Vec<&'e Entry> {
        all.iter().filter(|entry| self.finds(entry)).collect()
    }

    /// Which of those that are found is meant: the one that is called just so, or the first one. Where nothing is sought, none.
    fn meant(&self, found: &[&Entry]) -> Option<usize> {
        let typed = self.typed.trim().to_lowercase();
        if typed.is_empty() || found.is_empty() {
            return None;
        }
        let typed = typed.strip_suffix(".ron").unwrap_or(&typed);
        let is_called = |entry: &&Entry| {
            let name = entry.name.to_lowercase();
            let last = name.rsplit('/').next() == Some(typed);
            last || name == typed || entry.title.to_lowercase() == typed
        };
        Some(found.iter().position(is_called).unwrap_or(0))
    }

    /// Moves the light by so many rows of `count`. Where nothing was lit, it comes to the first or the last one.
    fn walk(&mut self, by: isize, count: usize) {
        let last = count.checked_sub(1);
        self.lit = last.and_then(|last| match self.lit {
            Some(at) => Some(at.min(last).saturating_add_signed(by).min(last)),
            None if by > 0 => Some((by as usize - 1).min(last)),
            None if by < 0 => Some(last),
            None => None,
        });
    }
}

/// A scene of the list. Whether it is lit is said where one of them is, and is seen in the place of whether it is open; where the light has
/// `moved` it is brought into sight. Gives whether it was chosen.
fn row(ui: &mut Ui, app: &mut App, entry: &Entry, (lit, moved): (Option<bool>, bool)) -> bool {
    let name = &entry.name;
    let words = match name.strip_prefix("figures/") {
        Some(name) => format!("figures / {name}"),
        None => name.clone(),
    };
    let is_open = app.path.as_deref() == Some(&entry.path);
    let response = ui.selectable_label(lit.unwrap_or(is_open), words);
    place(ui.ctx(), &format!("scene.{name}"), response.rect);
    if moved && lit == Some(true) {
        response.scroll_to_me(None);
    }
    if response.clicked() {
        app.picked = Some(entry.path.clone());
    }
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_in_the_list_finds_a_scene_by_its_title_and_by_its_file() {
        let entry = Entry::of("figures/quadtree-splits.ron".into(), None);
        let finds = |typed: &str| {
            let typed = typed.to_owned();
            Sought {
                typed,
                ..Sought::default()
            }
            .finds(&entry)
        };
        assert!(finds("") && finds("SPLITS") && finds("quad spl"));
        assert!(!finds("galaxy") && !finds("quad galaxy"));
    }

    #[test]
    fn a_name_that_is_typed_as_a_whole_is_lit_before_longer_ones_and_arrows_move_the_light() {
        let names = ["open-world-100k", "open-world", "figures/merges"];
        let all = names.map(|name| Entry::of(format!("{name}.ron").into(), None));
        let all: Vec<&Entry> = all.iter().collect();
        let meant = |typed: &str| {
            let typed = typed.to_owned();
            let sought = Sought {
                typed,
                ..Sought::default()
            };
            sought.meant(&all)
        };
        for (typed, place) in [
            ("open-world", Some(1)),
            (" Open-World.ron ", Some(1)),
            ("merges", Some(2)),
            ("figures/merges", Some(2)),
            ("open", Some(0)),
            (" ", None),
        ] {
            assert_eq!(meant(typed), place, "{typed}");
        }
        let mut sought = Sought::default();
        for (by, count, place) in [
            (0, 3, None),
            (1, 3, Some(0)),
            (1, 3, Some(1)),
            (5, 3, Some(2)),
            (0, 2, Some(1)),
            (-4, 2, Some(0)),
            (0, 0, None),
            (-1, 3, Some(2)),
        ] {
            sought.walk(by, count);
            assert_eq!(sought.lit, place, "{by} of {count}");
        }
    }
}
