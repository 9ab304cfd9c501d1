//! The late loads, one after the other: when each was, and how many objects at once. A click goes there and selects them.

use crate::app::late::{LateList, Row, SHOWN, compared, compared_help};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    button, hint_words, keep_in_sight, name_it, place, section, segments_in, sentence_to_click,
    stat_to_click, tell_button, with_commas,
};
use egui_macroquad::egui::text::Fonts;
use egui_macroquad::egui::{
    Color32, Context, CornerRadius, FontId, Id, Margin, Rect, RichText, TextEdit, Ui, Vec2, vec2,
};
use skirmish::scene::limits;
use std::borrow::Cow;

/// How wide the choice of the order is beside the field, in points, and how far from it.
const ORDER: f32 = 122.0;
const APART: f32 = 6.0;
/// Around what is typed, within the frame of the field, in points.
const WITHIN: Vec2 = vec2(8.0, 4.0);

fn find_id() -> Id {
    Id::new("name of who was late")
}

/// The field in which a name or a number is sought, which stands while it is of use, and while something stands in it; behind it the choice of the
/// order, where there is one: in a line with it, so that it takes no room from the rows.
fn controls(ui: &mut Ui, palette: &Palette, late: &mut LateList, has_order: bool) {
    let whole = ui.available_rect_before_wrap().x_range();
    let width = whole.span() - if has_order { ORDER + APART } else { 0.0 };
    let edit = TextEdit::singleline(&mut late.sought)
        .id(find_id())
        .hint_text(hint_words(palette, "A name or number"))
        .char_limit(limits::MAX_NAME_CHARS)
        .margin(Margin::symmetric(WITHIN.x as i8, WITHIN.y as i8))
        .desired_width(width - 2.0 * WITHIN.x);
    let response = ui.add(edit);
    place(ui.ctx(), "late.find", response.rect);
    name_it(&response, "Name or number of who was late");
    keep_in_sight(ui, "late.find", &response);
    let response = response.on_hover_text(
        "A part of a name, a number, or both. Numbers are those of now, here as everywhere: behind an object that is deleted all others move up, until undo brings it back. The table that is saved has those of then as well.",
    );
    if response.changed() {
        late.skipped = 0;
    }
    if has_order {
        let words = [
            ("latest", "The last ticks first."),
            (
                "longest",
                "The ticks first of which an object was missing the longest while it was needed, whether it came, was given up or still is missing: who has not come in all that is known counts for so long as it is missing at the tick that is shown.",
            ),
        ];
        // As high as the frame.
        let row = response.rect.y_range().expand(WITHIN.y);
        let cells = Rect::from_x_y_ranges(whole.max - ORDER..=whole.max, row);
        let (color, order) = (palette.accent, Some(usize::from(late.by_lateness)));
        if let Some(new) = segments_in(ui, palette, "late.order", cells, &words, order, color) {
            late.by_lateness = new == 1;
            late.skipped = 0;
        }
    }
    ui.add_space(4.0);
}

/// Whether these words have room beside `who` in a row.
fn fits(ui: &Ui, words: &str, who: &str) -> bool {
    let wide = |words: &str, font: FontId| {
        let lay_out = |fonts: &Fonts| fonts.layout_no_wrap(words.to_owned(), font, Color32::WHITE);
        ui.fonts(lay_out).size().x
    };
    // As a row has it.
    let room = ui.available_width() - wide(who, number(size::LABEL)) - 12.0;
    wide(words, text(size::LABEL)) <= room
}

/// What each row says of its time, all of them in the same form, so that they can be compared; and of who was late: the name has its room
/// before the words around the times, and is shortened only beside the shortest of these.
fn words<'a>(ui: &Ui, rows: &'a [Row]) -> Vec<(&'a str, Cow<'a, str>)> {
    let form = Row::form_for(rows, |when, who| fits(ui, when, who));
    let of_row = |row: &'a Row| {
        let when = &row.when[form];
        let who = row.shortened(|who| fits(ui, when, who));
        (when.as_str(), who)
    };
    rows.iter().map(of_row).collect()
}

/// Whether the field stands in which a name is sought: whoever types in it keeps it.
pub fn has_controls(context: &Context, late: &LateList) -> bool {
    late.has_controls() || context.memory(|memory| memory.has_focus(find_id()))
}

fn room_id() -> Id {
    Id::new("rows of late loads that have room")
}

/// Notes how many rows have room in the panel above what lies below them.
pub fn set_rows_with_room(context: &Context, rows: usize) {
    context.data_mut(|data| data.insert_temp(room_id(), rows));
}

fn rows_with_room(context: &Context) -> usize {
    let rows = context.data(|data| data.get_temp(room_id()));
    rows.unwrap_or(SHOWN).min(SHOWN)
}

/// All that are known, in the order that is chosen; that of the present tick is marked.
pub fn late_loads(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let now = app.place.tick;
    let Some(stream) = &mut app.stream else {
        return;
    };
    let at = (app.place.world_made, now);
    stream.list_late(&app.place.marks, at, false);
    let note = stream.late_list.list().note_at(now);
    if !section(ui, palette, "late loads", &note) {
        return;
    }
    stream.late_list.fewer = SHOWN - rows_with_room(ui.ctx());
    stream.list_late(&app.place.marks, at, true);
    let late = &mut stream.late_list;
    // Whoever has changed something in the past asks first whether it has helped.
    if let Some(both) = &app.place.late_in_both {
        let words = RichText::new(compared(both)).size(size::DESCRIPTION);
        let response = ui.label(words.color(palette.text_second));
        place(ui.ctx(), "late.compared", response.rect);
        response.on_hover_ui(|ui| {
            ui.label(compared_help(both));
        });
        ui.add_space(4.0);
    }
    if has_controls(ui.ctx(), late) {
        // Also while few are meant by what is typed: what stands beside a field is not to come and go with its letters.
        let has_order = late.list().all > SHOWN;
        controls(ui, palette, late, has_order);
    }
    let list = late.list();
    let mut chosen = None;
    let words = words(ui, &list.rows);
    // What lies after the present tick is paler, as on the timeline; and what is of another run.
    let pale = Palette {
        text: palette.text_third,
        text_second: palette.text_third,
        ..palette.clone()
    };
    for (place_in_list, (row, (when, who))) in list.rows.iter().zip(words).enumerate() {
        let is_to_come = row.tick > now && !list.is_of_others;
        let is_pale = is_to_come || list.is_of_others;
        let palette = if is_pale { &pale } else { palette };
        let response = stat_to_click(ui, palette, when, (&who, ""), |ui| {
            ui.label(&row.help);
            if is_to_come {
                ui.label("It is still to come at the tick that is shown.");
            }
            if list.is_of_others {
                ui.label("It is of another run, before or after a restart.");
            }
        });
        place(ui.ctx(), &format!("late.{place_in_list}"), response.rect);
        if row.tick == now {
            let bar = response.rect.translate(vec2(-6.0, 0.0));
            let bar = bar.with_max_x(bar.left() + 2.0).shrink2(vec2(0.0, 2.0));
            ui.painter()
                .rect_filled(bar, CornerRadius::ZERO, palette.accent);
        }
        let spoken = match (is_to_come, list.is_of_others) {
            (true, _) => Cow::Owned(format!("{}, still to come", row.spoken)),
            (_, true) => Cow::Owned(format!("{}, of another run", row.spoken)),
            _ => Cow::Borrowed(row.spoken.as_str()),
        };
        tell_button(&response, &spoken);
        keep_in_sight(ui, ("late", row.tick), &response);
        if response.clicked() {
            chosen = Some(row.tick);
        }
    }
    let (mut skipped, shown) = (late.skipped, late.shown());
    if list.before + list.behind > 0 {
        let (before, behind) = match late.by_lateness {
            false => ("newer", "older"),
            true => ("more late", "less late"),
        };
        ui.horizontal(|ui| {
            let words = format!("{} {before}", with_commas(list.before as u64));
            let help = "Show those that come before these in the list.";
            if list.before > 0 && button(ui, palette, "late.before", &words, help) {
                skipped = late.skipped_before();
            }
            let words = format!("{} {behind}", with_commas(list.behind as u64));
            let help = "Show those that come behind these in the list.";
            if list.behind > 0 && button(ui, palette, "late.behind", &words, help) {
                skipped = list.before + shown;
            }
        });
    }
    let mut of_others = late.of_others;
    if list.has_others {
        let help = match list.is_of_others {
            true => "Click to list those of the run that is shown.",
            false => "Click to list them, in the place of those of this run.",
        };
        let response = sentence_to_click(ui, palette, &list.rest, help);
        place(ui.ctx(), "late.others", response.rect);
        keep_in_sight(ui, "late.others", &response);
        if response.clicked() {
            of_others = !list.is_of_others;
            skipped = 0;
        }
    } else if !list.rest.is_empty() {
        ui.label(
            RichText::new(&list.rest)
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
    late.skipped = skipped;
    late.of_others = of_others;
    if let Some(tick) = chosen {
        let sought = late.sought_for();
        app.go_to_late(tick, &sought);
    }
}
