//! What the scene is called and says of itself, how large its field and its bodies are, and its seed: to be written anew.

use super::{page_frame_with_bar, page_head, page_width};
use crate::app::common_values::CommonValue;
use crate::app::palette::Palette;
use crate::app::state::{App, BODY_WORDS, DescribePage, PLACE_WORDS, Wanted};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{
    Found, found_once, hint_words, name_it, place, scrolled_up_to, segments, select_typed,
};
use egui_macroquad::egui::emath::GuiRounding;
use egui_macroquad::egui::text_edit::TextEditState;
use egui_macroquad::egui::{
    Align, Align2, Button, Color32, Context, Id, Key, Layout, Margin, Modal, RichText, TextEdit,
    Ui, vec2,
};
use skirmish::scene::Scene;
use skirmish::session::hit_points;
use std::sync::Arc;

/// How wide the page is, in points.
const WIDTH: f32 = 440.0;
/// What is said of what is asked for, where the scene starts anew with it.
const ANEW: &str = "Apply starts the scene anew at this tick; Save writes it to the file.";
/// The same where nothing is asked for.
const UNCHANGED: &str = "Nothing is changed yet.";
/// The longest that is said of a short reach, as wide as a distance is.
const OF_REACH: &str = "Pairs are looked for up to 99.99 m all the same: units keep so far apart.";
/// What it means that a scene starts anew.
const HELP_OF_ANEW: &str = "Ticks are counted on and plots go on, so that what was before can be gone back to on the timeline. Undo takes it back.";
/// What is free above the page at the least, in points; below it is the line of what is said.
const FREE: f32 = 12.0;
/// What scrolls is no lower than this, in points.
const LEAST: f32 = 40.0;

/// How high the page's parts came out, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Heights {
    /// What is written in it, all of it.
    written: f32,
    /// What stands around that: the head, the line and the buttons below, and the frame.
    around: f32,
    /// What the line takes beyond the room that it has: the page moves for no flaw.
    beyond: f32,
}

/// Draws the page, where it is open.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette) {
    let Some(mut page) = app.pages.describe.take() else {
        ctx.data_mut(|data| {
            data.remove::<Option<Id>>(typed_in());
            data.remove::<Asked>(asked());
            // Where the caret stood, and what undo within a text knows, are of the words that stood there.
            for id in ["name", "caption"] {
                data.remove::<TextEditState>(Id::new(("describe", id)));
            }
        });
        return;
    };
    page.tidy();
    let asked = asked_for(ctx, &page, &app.scene);
    let wanted = &asked.value;
    let mut answer = None;
    let id = Id::new("describe");
    // In the middle of the window, as far as that is high enough for it: what is written comes before what is free above it.
    let high = ctx.screen_rect().height();
    let heights = Id::new("heights of the scene's page");
    let before = ctx.data(|data| data.get_temp::<Heights>(heights));
    let known = before.unwrap_or(Heights {
        written: high,
        around: 0.0,
        beyond: 0.0,
    });
    let beside = high - known.written - known.around;
    // On a whole point, so that what is measured does not depend on where it stands.
    let lowest = (beside - layout::STATUS).floor();
    let top = (0.5 * beside).round().min(lowest).max(FREE);
    let room = (high - top - known.around - known.beyond - layout::STATUS).max(LEAST);
    let (mut written, mut scrolled, mut beyond) = (0.0, 0.0, 0.0);
    let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, top));
    let shown = Modal::new(id)
        .area(area)
        .frame(page_frame_with_bar(palette))
        .show(ctx, |ui| {
            ui.set_width(page_width(ui, WIDTH));
            if page_head(ui, palette, ("describe", "The scene")) {
                answer = Some(false);
            }
            ui.add_space(8.0);
            let from = ui.cursor().top();
            scrolled_up_to(ui, palette, "describe", room, |ui| {
                let (is_entered, hidden) = fields(ui, app, palette, &mut page, room);
                if is_entered {
                    answer = Some(true);
                }
                written = ui.min_rect().height() + hidden;
            });
            scrolled = ui.min_rect().bottom() - from;
            keep_keys(ctx);
            ui.add_space(8.0);
            // The line is there before there is anything to say, so that nothing jumps.
            let (words, color) = match wanted {
                Err(flaw) => (flaw.as_str(), palette.warning),
                Ok(wanted) if wanted.is_nothing() => (UNCHANGED, palette.text_third),
                Ok(wanted) if wanted.begins() => (ANEW, palette.text_second),
                Ok(_) => (
                    "Apply takes this over; Save writes it to the file.",
                    palette.text_second,
                ),
            };
            beyond = said(ui, words, color, ANEW);
            ui.add_space(10.0);
            ui.horizontal(|ui| {
                for (id, word, is_set) in [("set", "Apply", true), ("cancel", "Cancel", false)] {
                    let button = Button::new(word).min_size(vec2(96.0, 26.0));
                    let why_not = why_not_applied(wanted).filter(|_| is_set);
                    let mut response = ui.add_enabled(why_not.is_none(), button);
                    if let Some(why) = why_not {
                        response = response.on_disabled_hover_text(why);
                    } else if is_set && wanted.as_ref().is_ok_and(Wanted::begins) {
                        response = response.on_hover_text(HELP_OF_ANEW);
                    }
                    place(ui.ctx(), &format!("describe.{id}"), response.rect);
                    if response.clicked() {
                        answer = Some(is_set);
                    }
                }
            });
        });
    let now = Heights {
        written,
        around: shown.response.rect.height() - scrolled - beyond,
        beyond,
    };
    if before != Some(now) {
        ctx.data_mut(|data| data.insert_temp(heights, now));
        ctx.request_repaint();
    }
    match (answer, wanted) {
        (Some(true), Ok(wanted)) => {
            if let Some(action) = wanted.clone().action() {
                app.act(action);
            }
        }
        (Some(false), _) => {}
        // A click beside the page does not throw away what was typed.
        (_, Ok(wanted)) if shown.backdrop_response.clicked() && wanted.is_nothing() => {}
        _ => app.pages.describe = Some(page),
    }
}

/// What a page asks of a scene, or why it cannot be asked for.
type Asked = Arc<Found<Scene, DescribePage, Result<Wanted, String>>>;

/// Why Apply does nothing with what is asked for, where it does not.
fn why_not_applied(wanted: &Result<Wanted, String>) -> Option<&str> {
    match wanted {
        Err(flaw) => Some(flaw),
        Ok(wanted) => wanted.is_nothing().then_some(UNCHANGED),
    }
}

/// What is known of that, under this name.
fn asked() -> Id {
    Id::new("what the scene's page asks for")
}

/// What the page asks for; found out once for what is typed, and not in every frame: each unit of the scene may have a size of its own.
fn asked_for(ctx: &Context, page: &DescribePage, scene: &Arc<Scene>) -> Asked {
    found_once(ctx, asked(), scene, page, || page.wanted(scene))
}

/// What is known of the field in which somebody types, under this name.
fn typed_in() -> Id {
    Id::new("field of the scene's page")
}

/// Leaves the keyboard to the field in which somebody types, wherever he clicks beside it; the first one has it at first.
fn keep_keys(ctx: &Context) {
    let is_field = |id: &Id| TextEdit::load_state(ctx, *id).is_some();
    if let Some(focused) = ctx.memory(|memory| memory.focused()) {
        if is_field(&focused) {
            ctx.data_mut(|data| data.insert_temp(typed_in(), Some(focused)));
        }
        return;
    }
    let before = ctx.data(|data| data.get_temp::<Option<Id>>(typed_in()));
    // Other bodies have other fields, and some of clusters alone are off.
    let is_on = |id: &Id| ctx.read_response(*id).is_some_and(|it| it.enabled());
    let still = before.flatten().filter(is_on);
    let id = still.unwrap_or(Id::new(("describe", "name")));
    ctx.memory_mut(|memory| memory.request_focus(id));
}

/// All that can be written, where there is so much room for it. Whether Return was pressed in one of the fields, and how much of the room
/// at the end that nothing stands in at present is left out: nobody scrolls to that.
fn fields(
    ui: &mut Ui,
    app: &App,
    palette: &Palette,
    page: &mut DescribePage,
    room: f32,
) -> (bool, f32) {
    let above = ui.min_rect().top();
    let mut is_entered = line(ui, palette, "name", &mut page.name);
    ui.add_space(6.0);
    caption(ui, palette, &mut page.caption);
    ui.add_space(6.0);
    let fixed = DescribePage::why_field_is_fixed(&app.scene);
    let fields = [
        ("width", "field, width in m", &mut page.width, fixed),
        ("height", "height in m", &mut page.height, fixed),
        ("seed", "seed", &mut page.seed, None),
    ];
    is_entered |= numbers(ui, palette, fields, "");
    ui.add_space(4.0);
    let differ = app.alive() > 0 && hit_points(&app.scene).is_none();
    let hint = if differ { "differ" } else { "" };
    let fields = [
        ("units", "units", &mut page.units, None),
        ("hit_points", "hit points", &mut page.hit_points, None),
    ];
    // Beside the field of which it speaks.
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        is_entered |= numbers(ui, palette, fields, hint);
        let words = "With 65,535 few fall within minutes.";
        note(ui, palette, FIELD, words);
    });
    ui.add_space(4.0);
    let hint = if app.alive() > 0 { "differ" } else { "" };
    let what_is_short = page.why_reach_is_short(&app.scene);
    let reach = ("reach", "reach in m", &mut page.reach, None);
    let sight = ("sight", "sight in m", &mut page.sight, None);
    let speed = ("speed", "speed in m/s", &mut page.speed, None);
    if app.flight.is_some() {
        is_entered |= numbers(ui, palette, [reach, sight, speed], hint);
    } else {
        let apart = ("keep_apart", "keep apart in m", &mut page.keep_apart, None);
        // Four of them have room beside each other in a page as wide as it is meant to be.
        if ui.available_width() < ROW_OF_FOUR {
            is_entered |= numbers(ui, palette, [reach, apart], hint);
            is_entered |= numbers(ui, palette, [sight, speed], hint);
        } else {
            is_entered |= numbers(ui, palette, [reach, apart, sight, speed], hint);
        }
    }
    let help_of_apart = CommonValue::KeepApart.slider().help;
    for (id, help) in [
        ("reach", page.help_of_reach(&app.scene)),
        ("keep_apart", help_of_apart.to_owned()),
    ] {
        if let Some(field) = ui.ctx().read_response(Id::new(("describe", id))) {
            field.on_hover_text(help);
        }
    }
    // The line is there whatever is typed, so that nothing moves.
    let (color, words) = match what_is_short {
        Some(words) => (palette.text_second, Some(words)),
        None => (palette.text_third, page.least_reach(&app.scene)),
    };
    if app.flight.is_none() {
        said(ui, &words.unwrap_or_default(), color, OF_REACH);
    }
    ui.add_space(4.0);
    is_entered |= places(ui, app, palette, page);
    ui.add_space(4.0);
    word(ui, palette, "bodies of all units");
    if let Some(picked) = segments(
        ui,
        palette,
        "describe.bodies",
        &BODY_WORDS,
        page.bodies,
        palette.accent,
    ) {
        page.choose_bodies(picked);
    }
    ui.add_space(4.0);
    let [first, second, third] = &mut page.sizes;
    let top = ui.cursor().top();
    match page.bodies {
        Some(1) => is_entered |= numbers(ui, palette, [("half", "width in m", first, None)], ""),
        Some(2) => {
            let fields = [
                ("least", "least width in m", first, None),
                ("greatest", "greatest in m", second, None),
            ];
            is_entered |= numbers(ui, palette, fields, "");
        }
        Some(3) => {
            let fields = [
                ("least", "least width in m", first, None),
                ("greatest", "greatest in m", second, None),
                ("exponent", "exponent", third, None),
            ];
            is_entered |= numbers(ui, palette, fields, "");
        }
        Some(_) => note(
            ui,
            palette,
            0.0,
            "Units are points: a structure files each of them in one place.",
        ),
        None => note(
            ui,
            palette,
            0.0,
            "They differ from army to army, are no squares, or some have a size of their own: they stay as they are.",
        ),
    }
    // All of these have as much room as the highest, and nothing moves.
    let spacing = ui.spacing().item_spacing.y;
    let used = ui.cursor().top() - top - spacing;
    let beside = (FIELD - used).max(0.0);
    let law = (page.bodies == Some(3)).then(|| page.widths_in_words());
    if let Some(law) = law.flatten() {
        ui.add_space(beside);
        note(ui, palette, LAW, &law);
        return (is_entered, 0.0);
    }
    // The room of the law is there whatever bodies are, so that nothing moves, as far as it is in sight.
    let free = beside + LAW;
    // Rounded down, for a bar would stand beside what is higher by a hair.
    let left = (room - (ui.cursor().top() - above)).floor_ui();
    let shown = free.min(left).max(0.0);
    ui.add_space(shown);
    (is_entered, free - shown)
}

/// Where units stand when the scene begins. Whether Return was pressed in one of the fields.
fn places(ui: &mut Ui, app: &App, palette: &Palette, page: &mut DescribePage) -> bool {
    word(ui, palette, "where units begin");
    if let Some(why) = DescribePage::why_places_are_fixed(&app.scene) {
        note(ui, palette, FIELD, why);
        return false;
    }
    let picked = segments(
        ui,
        palette,
        "describe.places",
        &PLACE_WORDS,
        Some(page.places),
        palette.accent,
    );
    page.places = picked.unwrap_or(page.places);
    ui.add_space(4.0);
    // They are there whatever is chosen, so that nothing moves.
    let fixed = (page.places != 2).then_some("Choose Clusters to set this.");
    let [count, spread] = &mut page.clusters;
    let fields = [
        ("clusters", "clusters an army", count, fixed),
        ("spread", "spread in m", spread, fixed),
    ];
    numbers(ui, palette, fields, "")
}

/// Words in a row that is at least so high, in points, as what stands there otherwise.
fn note(ui: &mut Ui, palette: &Palette, height: f32, words: &str) {
    let row = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(row, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(row);
        ui.label(
            RichText::new(words)
                .size(size::SECOND)
                .color(palette.text_third),
        );
    });
}

/// A line of words in as much room as the `longest` of those takes that stand there, so that nothing moves where that is two lines.
/// How much more it takes, in points.
fn said(ui: &mut Ui, words: &str, color: Color32, longest: &str) -> f32 {
    let (font, wide) = (text(size::SECOND), ui.available_width());
    let longest = ui.painter().layout(longest.to_owned(), font, color, wide);
    let row = vec2(wide, longest.size().y);
    let said = ui.allocate_ui_with_layout(row, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(row);
        ui.label(RichText::new(words).size(size::SECOND).color(color));
    });
    said.response.rect.height() - row.y
}

/// Between two fields side by side, in points.
const SPACE: f32 = 12.0;

/// How high a field with its word is, in points.
const FIELD: f32 = 47.0;

/// How high the two lines are that say what a law comes to, in points.
const LAW: f32 = 32.0;

/// In a narrower page four fields for numbers are two rows, in points.
const ROW_OF_FOUR: f32 = 400.0;

/// So many fields for numbers are as wide as the page, and fewer are no wider.
const IN_A_ROW: usize = 3;

/// The word above a field.
fn word(ui: &mut Ui, palette: &Palette, word: &str) {
    ui.label(
        RichText::new(word)
            .size(size::SECOND)
            .color(palette.text_second),
    );
}

/// A field with its word above it. Whether Return was pressed in it.
fn line(ui: &mut Ui, palette: &Palette, id: &str, typed: &mut String) -> bool {
    word(ui, palette, id);
    let edit = TextEdit::singleline(typed)
        .id(Id::new(("describe", id)))
        .font(text(size::LABEL))
        .margin(Margin::symmetric(6, 4))
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    place(ui.ctx(), &format!("describe.{id}"), response.rect);
    name_it(&response, &format!("The scene's {id}"));
    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

fn caption(ui: &mut Ui, palette: &Palette, typed: &mut String) {
    word(ui, palette, "caption");
    let edit = TextEdit::multiline(typed)
        .desired_rows(3)
        .id(Id::new(("describe", "caption")))
        .font(text(size::LABEL))
        .margin(Margin::symmetric(6, 4))
        .desired_width(f32::INFINITY);
    let response = ui.add(edit);
    place(ui.ctx(), "describe.caption", response.rect);
    name_it(&response, "The scene's caption");
}

/// A field for a number: its name, its word, what is typed, and why it cannot be.
type Number<'a> = (
    &'static str,
    &'static str,
    &'a mut String,
    Option<&'static str>,
);

/// How wide a field for a number is of so many that are as wide as the page together.
fn width_of_number(ui: &Ui, count: usize) -> f32 {
    (ui.available_width() - (count - 1) as f32 * SPACE) / count as f32
}

/// Fields for numbers, side by side, with a hint where nothing stands in them. Whether Return was pressed in one of them.
fn numbers<const N: usize>(
    ui: &mut Ui,
    palette: &Palette,
    fields: [Number<'_>; N],
    hint: &str,
) -> bool {
    let width = width_of_number(ui, N.max(IN_A_ROW));
    let mut is_entered = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        for (id, words, typed, fixed) in fields {
            let size = vec2(width, FIELD);
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                word(ui, palette, words);
                let edit = TextEdit::singleline(typed)
                    .id(Id::new(("describe", id)))
                    .hint_text(hint_words(palette, hint))
                    .font(number(size::LABEL))
                    .margin(Margin::symmetric(6, 4))
                    .desired_width(width);
                let response = ui.add_enabled(fixed.is_none(), edit);
                place(ui.ctx(), &format!("describe.{id}"), response.rect);
                name_it(&response, words);
                if let Some(why) = fixed {
                    response.clone().on_disabled_hover_text(why);
                }
                // Whoever comes to a number by Tab types another one in its place.
                if response.gained_focus() {
                    select_typed(ui, response.id, typed);
                }
                is_entered |=
                    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            });
        }
    });
    is_entered
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::scene::file;

    #[test]
    fn what_the_page_asks_for_is_found_out_once_for_what_is_typed_and_for_a_scene() {
        let ctx = Context::default();
        let scene = Arc::new(file::built_in());
        let mut page = DescribePage::of(&scene);
        let first = asked_for(&ctx, &page, &scene);
        assert!(first.value.as_ref().is_ok_and(Wanted::is_nothing));
        assert!(Arc::ptr_eq(&first, &asked_for(&ctx, &page, &scene)));
        page.seed.push('1');
        let typed = asked_for(&ctx, &page, &scene);
        assert!(typed.value.as_ref().is_ok_and(Wanted::begins));
        // Apply does something with that alone, and says why it does not with anything else.
        assert_eq!(why_not_applied(&first.value), Some(UNCHANGED));
        assert_eq!(why_not_applied(&typed.value), None);
        let wrong = Err("no seed".to_owned());
        assert_eq!(why_not_applied(&wrong), Some("no seed"));
        assert!(Arc::ptr_eq(&typed, &asked_for(&ctx, &page, &scene)));
        // What is typed is nothing new for a scene that has it.
        let mut other = Scene::clone(&scene);
        other.seed = page.seed.parse().expect("a seed");
        let there = asked_for(&ctx, &page, &Arc::new(other));
        assert!(there.value.as_ref().is_ok_and(Wanted::is_nothing));
    }
}
