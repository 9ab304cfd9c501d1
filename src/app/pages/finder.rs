//! The list of all commands, and of whatever else has a name: it keeps its place and its size whatever is typed, and one row is lit, by
//! keys and pointer alike.

use super::page_frame;
use crate::app::commands::{Command, View};
use crate::app::finder::{self, Found, Item, Target};
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, FinderPage, HelpPage};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    FADE, Slider, Track, Wanted, elided, hint_words, known_values, name_it, number_taken, place,
    show_cut, tell, tick, want_value,
};
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Align2, Context, CornerRadius, Id, Key, Margin, Modal, Modifiers, Pos2, Rect, Response,
    ScrollArea, Sense, Stroke, TextEdit, TextFormat, Ui, WidgetType, pos2, vec2,
};

/// The width of the page, and the height of its rows, in points.
const WIDTH: f32 = 600.0;
const ROW: f32 = 28.0;
/// In less room than this the hint is a shorter one, in points.
const WHOLE_HINT: f32 = 400.0;
/// From the top of the window, and the rows that are seen where there is room for them.
const TOP: f32 = 64.0;
const ROWS: f32 = 14.0;
/// So much of one more row is seen, which says that there are others.
const PART_OF_ROW: f32 = 0.5;
/// What stands below the rows: a sentence about the one that is lit, in so many lines at the most. Their room is there for a short one
/// too, so that nothing moves.
const FOOT: f32 = 60.0;
const FOOT_LINES: usize = 3;
/// The columns at the right: the key, and what it is.
const KEYS: f32 = 116.0;
const KIND: f32 = 78.0;
/// In a row narrower than this the name has the room of what it is: a name of which nothing is left says less than a kind.
const WITH_KIND: f32 = 340.0;
/// In less room than this the reason of what means nothing at present is left to the line below, in points.
const LEAST_REASON: f32 = 90.0;

/// Draws the list, where it is open, and does what was chosen.
pub fn show(ctx: &Context, app: &mut App, palette: &Palette) {
    let Some(mut page) = app.pages.palette.take() else {
        return;
    };
    app.library.look_again();
    let values = known_values(ctx);
    let mut items = finder::items(app, &values);
    let plain = items.len();
    let has_objects = app.view == View::Streaming && app.stream.is_some();
    let screen = ctx.screen_rect();
    let width = WIDTH.min(screen.width() - 80.0).max(240.0);
    let rows = ROWS
        .min(((screen.height() - TOP - 198.0) / ROW).floor())
        .max(3.0);
    let id = Id::new("commands");
    let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, TOP));
    let mut chosen = None;
    let shown = Modal::new(id)
        .area(area)
        .frame(page_frame(palette))
        .show(ctx, |ui| {
            ui.set_width(width);
            ui.set_height((rows + PART_OF_ROW) * ROW + FOOT + 46.0);
            // What moves the light is no key of the line in which one types.
            let moves = moves(ui);
            let before = page.typed.clone();
            let hint = if has_objects {
                "A command, value, scene, word or object"
            } else if width < WHOLE_HINT {
                "A command, value, scene or word"
            } else {
                "A command, structure, layer, value, scene, figure or word"
            };
            let edit = TextEdit::singleline(&mut page.typed)
                .hint_text(hint_words(palette, hint))
                .margin(Margin::symmetric(8, 6))
                .desired_width(f32::INFINITY);
            let response = ui.add(edit);
            place(ui.ctx(), "palette.text", response.rect);
            name_it(&response, "Name of a command");
            response.request_focus();
            if page.typed != before {
                page.chosen = 0;
                page.objects = finder::objects(app, &page.typed);
            }
            items.truncate(plain);
            items.extend(finder::object_items(app, &page.objects));
            items.extend(finder::number_items(&values, &page.typed));
            items.extend(finder::side_items(app, &values, &page.typed));
            items.extend(finder::common_items(app, &values, &page.typed));
            items.extend(finder::lane_items(app, &page.typed));
            items.extend(finder::tick_item(app, &page.typed));
            let found = finder::found(&items, &page.typed, &app.pages.recent);
            let last = found.len().saturating_sub(1);
            let to = moves.from(page.chosen, rows as usize, last);
            let walked = to != page.chosen || page.typed != before;
            page.chosen = to.min(last);
            // A page that this opens is shown in the same frame, and must not take it for its own.
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
                chosen = found.get(page.chosen).map(|it| it.item);
            }
            ui.add_space(8.0);
            let lit = list(ui, palette, &items, &found, (&mut page, walked, rows));
            chosen = chosen.or(lit);
            foot(
                ui,
                palette,
                found.get(page.chosen).map(|it| &items[it.item]),
            );
        });
    // What means nothing at present says why, and the list stays.
    let chosen = chosen.map(|item| &items[item]);
    if let Some(item) = chosen.filter(|item| item.refusal.is_none()) {
        carry_out(ctx, app, item);
    } else if !shown.backdrop_response.clicked() {
        app.pages.palette = Some(page);
    }
}

/// How far the keys move the light.
struct Moves {
    rows: isize,
    pages: isize,
    first: bool,
    last: bool,
}

impl Moves {
    fn from(&self, at: usize, page: usize, last: usize) -> usize {
        let by = self.rows + self.pages * page.saturating_sub(1) as isize;
        match (self.first, self.last) {
            (true, _) => 0,
            (_, true) => last,
            _ => at.saturating_add_signed(by).min(last),
        }
    }
}

fn moves(ui: &Ui) -> Moves {
    ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        Moves {
            rows: count(Key::ArrowDown) - count(Key::ArrowUp),
            pages: count(Key::PageDown) - count(Key::PageUp),
            first: count(Key::Home) > 0,
            last: count(Key::End) > 0,
        }
    })
}

/// The rows; gives the item of the one that was clicked. The pointer takes the light when it moves, not by lying there.
fn list(
    ui: &mut Ui,
    palette: &Palette,
    items: &[Item],
    found: &[Found],
    (page, walked, rows): (&mut FinderPage, bool, f32),
) -> Option<usize> {
    let mut clicked = None;
    let has_moved = ui.input(|input| input.pointer.delta() != Default::default());
    let high = (rows + PART_OF_ROW) * ROW;
    let output = ScrollArea::vertical()
        .drag_to_scroll(false)
        .max_height(high)
        .min_scrolled_height(high)
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if walked && !found.is_empty() {
                let top = ui.next_widget_position() + vec2(0.0, page.chosen as f32 * ROW);
                // Off where rows fade.
                let lit = Rect::from_min_size(top, vec2(1.0, ROW));
                ui.scroll_to_rect(lit.expand2(vec2(0.0, FADE)), None);
            }
            let width = ui.available_width() - 10.0;
            let top = ui.next_widget_position();
            ui.allocate_space(vec2(width, found.len() as f32 * ROW));
            for (index, it) in found.iter().enumerate() {
                let at = top + vec2(0.0, index as f32 * ROW);
                let rect = Rect::from_min_size(at, vec2(width, ROW));
                if !ui.is_rect_visible(rect) {
                    continue;
                }
                let item = &items[it.item];
                let response = ui.interact(rect, ui.id().with(index), Sense::click());
                if index < 24 {
                    place(ui.ctx(), &format!("palette.{index}"), rect);
                }
                tell(
                    &response,
                    WidgetType::Button,
                    item.refusal.is_none(),
                    &item.title,
                );
                if response.hovered() && has_moved {
                    page.chosen = index;
                }
                row(ui, palette, item, &it.letters, (rect, index == page.chosen));
                if response.clicked() {
                    clicked = Some(it.item);
                    page.chosen = index;
                }
                explained(response, item);
            }
            if found.is_empty() {
                ui.painter().text(
                    top + vec2(10.0, ROW / 2.0),
                    Align2::LEFT_CENTER,
                    "Nothing has such a name.",
                    text(size::LABEL),
                    palette.text_third,
                );
            }
        });
    show_cut(ui, palette, &output);
    clicked
}

fn explained(response: Response, item: &Item) {
    if let Some(why) = item.refusal {
        response.on_hover_text(why);
    }
}

/// A row: the name with the letters that were typed, what it is, and its key.
fn row(ui: &Ui, palette: &Palette, item: &Item, letters: &[u32], (rect, is_lit): (Rect, bool)) {
    let painter = ui.painter();
    if is_lit {
        painter.rect_filled(rect, CornerRadius::same(3), faded(palette.accent, 0.11));
        let bar = rect.with_max_x(rect.left() + 2.5);
        painter.rect_filled(bar, CornerRadius::ZERO, palette.accent);
    }
    let part = if item.refusal.is_some() { 0.4 } else { 1.0 };
    let keys = rect.right_center() - vec2(10.0, 0.0);
    let keys = painter.text(
        keys,
        Align2::RIGHT_CENTER,
        &item.keys,
        number(size::CAPTION),
        faded(palette.text_second, part),
    );
    let end = if rect.width() < WITH_KIND {
        keys.left()
    } else {
        let kind = pos2(rect.right() - KEYS - KIND, rect.center().y);
        painter.text(
            kind,
            Align2::LEFT_CENTER,
            item.kind.to_lowercase(),
            text(size::SECOND),
            faded(palette.text_third, part),
        );
        kind.x
    };
    let mark = pos2(rect.left() + 18.0, rect.center().y);
    if item.on == Some(true) {
        tick(painter, mark, Stroke::new(1.5, faded(palette.accent, part)));
    }
    let mut job = LayoutJob::default();
    for (index, letter) in item.title.chars().enumerate() {
        let is_typed = letters.binary_search(&(index as u32)).is_ok();
        let color = if is_typed {
            palette.accent
        } else {
            palette.text
        };
        let format = TextFormat {
            font_id: text(size::LABEL),
            color: faded(color, part),
            ..TextFormat::default()
        };
        job.append(letter.encode_utf8(&mut [0; 4]), 0.0, format);
    }
    let left = rect.left() + 32.0;
    job.wrap =
        egui_macroquad::egui::text::TextWrapping::truncate_at_width((end - left - 12.0).max(1.0));
    let title = painter.layout_job(job);
    let at = pos2(left, rect.center().y - title.size().y / 2.0);
    let beside = at.x + title.size().x + 12.0;
    painter.galley(at, title, palette.text);
    // Why it is pale is read without a look for it, as far as there is room.
    let room = end - 12.0 - beside;
    if let Some(why) = item.refusal.filter(|_| room >= LEAST_REASON) {
        let why = elided(ui, why, text(size::DESCRIPTION), palette.text_third, room);
        let at = pos2(beside, rect.center().y - why.size().y / 2.0);
        painter.galley(at, why, palette.text_third);
    }
}

/// What the item that is lit does, or why it does nothing.
fn foot(ui: &mut Ui, palette: &Palette, item: Option<&Item>) {
    let size_of_foot = vec2(ui.available_width(), FOOT);
    let (rect, _) = ui.allocate_exact_size(size_of_foot, Sense::hover());
    let line = Stroke::new(1.0, palette.line);
    ui.painter().hline(rect.x_range(), rect.top() + 3.0, line);
    let Some(item) = item else {
        return;
    };
    let (words, color) = match item.refusal {
        Some(why) => (why, palette.warning),
        None => (item.help.as_str(), palette.text_third),
    };
    let font = text(size::DESCRIPTION);
    let mut job = LayoutJob::simple(words.to_owned(), font, color, rect.width() - 20.0);
    job.wrap.max_rows = FOOT_LINES;
    let words = ui.fonts(|fonts| fonts.layout_job(job));
    let at = pos2(rect.left() + 10.0, rect.top() + 10.0);
    ui.painter().galley(at, words, color);
}

fn resting_id() -> Id {
    Id::new("pointer while an item was carried out")
}

/// Whether the pointer rests since something was carried out from here: what lies under it may be another thing by now, of which nobody
/// has asked what it is.
pub fn pointer_rests(ctx: &Context) -> bool {
    let rested: Option<Pos2> = ctx.data(|data| data.get_temp(resting_id()));
    rested.is_some() && rested == ctx.input(|input| input.pointer.latest_pos())
}

fn carry_out(ctx: &Context, app: &mut App, item: &Item) {
    if let Some(at) = ctx.input(|input| input.pointer.latest_pos()) {
        ctx.data_mut(|data| data.insert_temp(resting_id(), at));
    }
    if !matches!(item.target, Target::Object(_)) && !item.takes_number() {
        finder::remember(&mut app.pages.recent, &item.title);
    }
    match &item.target {
        Target::Command(command) => app.run(*command),
        Target::Probe(tool) => {
            if !app.is_stepping() {
                app.run(Command::LookInto);
            }
            app.choose_probed(*tool);
        }
        Target::Scene(path) => app.picked = Some(path.clone()),
        Target::Value(id) => {
            app.panels = true;
            want_value(ctx, id, Wanted::Keys);
        }
        Target::Number(id, number) => {
            app.panels = true;
            want_value(ctx, id, Wanted::Number(number.clone()));
        }
        Target::Common(value, number) => {
            let (what, shown) = (value.slider(), value.of(app));
            if let Some(taken) = number_taken(ctx, &what, number, shown) {
                value.set(app, taken);
            }
        }
        Target::Side(side, number) => {
            let shown = app
                .asked_sides()
                .map_or(f64::NAN, |sides| sides[*side].into());
            if let Some(taken) = number_taken(ctx, &finder::side_slider(*side), number, shown) {
                app.set_asked_side(*side, taken as f32);
            }
        }
        Target::Knob(lane, knob, number) => set_knob(ctx, app, (*lane, *knob), number),
        Target::Choice(lane, knob, value) => app.set_lane_knob(*lane, *knob, *value),
        Target::Follow(name) => app.follow_path(name.as_deref()),
        Target::CameraFollows => {
            if let Some(stream) = &mut app.stream {
                stream.camera_follows = !stream.camera_follows;
            }
        }
        Target::Index(index) => app.decide_by(*index),
        Target::Object(object) => app.show_object(*object),
        Target::Tick(tick) => app.seek(*tick),
        Target::Word(word) => app.pages.help = Some(HelpPage::Words((*word).to_owned())),
    }
}

/// Sets a knob of a lane to the number that was typed, as its slider would take it.
fn set_knob(ctx: &Context, app: &mut App, (lane, at): (usize, usize), number: &str) {
    let Some(structure) = app.lanes.get(lane).map(|lane| &lane.structure) else {
        return;
    };
    let knob = structure.info().knobs.get(at);
    let Some((knob, track)) = knob.and_then(|it| Some((it, Track::of(it.range)?))) else {
        return;
    };
    let what = Slider {
        id: knob.key,
        name: knob.name,
        help: knob.help,
        unit: knob.unit,
        track,
    };
    // What it chose at auto is no value that it is set to: to be set to that is something else.
    if let Some(value) = number_taken(ctx, &what, number, structure.knob(at)) {
        app.set_lane_knob(lane, at, value);
    }
}
