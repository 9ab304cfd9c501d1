//! What is said for a while: what is under way for long, why an operation cannot be stepped through, and what the program has to say in a
//! sentence. Where it fits it stands in the lowest bar of the window, else over the field, off everything else that lies there and off the
//! fight.
//!
//! Invariant: they are of the field's own layer, so that menus, drawers, pages and dialogs lie over them and never under them.

use super::commands::View;
use super::palette::{Palette, faded};
use super::panels::lowest_bar;
use super::state::App;
use super::theme::{layout, number, size, text};
use super::versions::became_in_words;
use super::view::Crowd;
use super::watch::Became;
use super::widgets::{
    button_in, button_width, clear_place, cover, fixed_places, free_place, looked_at, panes, place,
    set_toasts, toasts,
};
use egui_macroquad::egui::layers::ShapeIdx;
use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{
    Align2, Color32, Context, CornerRadius, Galley, Id, LayerId, Order, Rect, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a sentence stays that says of no failure: long enough to be seen, and to be read at so much a character, within these.
const TO_SEE: Duration = Duration::from_secs(2);
const TO_READ: Duration = Duration::from_millis(50);
const LEAST_PASSING: Duration = Duration::from_secs(4);
const MOST_PASSING: Duration = Duration::from_secs(9);

/// How soon it is said anew how long ago something was.
const A_WHILE: Duration = Duration::from_secs(30);

/// How long it stays once the pointer has left it, and how near the pointer has to come, in points.
const LINGERS: Duration = Duration::from_secs(2);
const NEAR: f32 = 24.0;

/// For so long after it has gone by itself, a click where it was is taken for one that was meant for it.
const TOO_LATE: Duration = Duration::from_secs(1);

/// How wide they are over the field where there is room, in points.
const WIDTH: f32 = 520.0;

/// Beside open drawers they have no less than this; where they leave less, what there is to say waits.
const LEAST: f32 = 200.0;

/// A bar that is so high, in points, has room for two of its lines.
const TWO_LINES: f32 = 40.0;

/// More lines than this are a page: the whole stands in the tooltip.
const MOST_LINES: usize = 4;

/// In a lower field, in points, one line says the first sentence where it has no room for all, and the whole stands in the tooltip: there is
/// more to see than this.
const LOW: f32 = 240.0;

/// Something that is said.
struct Toast<'a> {
    /// What the report calls it.
    id: &'a str,
    words: &'a str,
    /// The colour of its left edge, where it has one: then it is of something that stays.
    edge: Option<Color32>,
    /// A few characters before the button.
    note: String,
    /// Its buttons, the last one at the right: what the report calls it, the word on it, and what that does.
    buttons: &'a [(&'a str, &'a str, &'a str)],
}

/// Says what there is to say. `asks` is whether a page or a dialog is open: nobody reads what is under it, half of it perhaps, and so it
/// waits until that is closed, as what has no room in a bar does between two drawers that leave none for it.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette, (field, asks): (Rect, bool)) {
    let beside = app.beside_drawers(field);
    if asks {
        if let Some(notice) = &mut app.notice {
            notice.said = Instant::now();
        }
        return set_toasts(ui.ctx(), Vec::new());
    }
    let field = Some(beside).filter(|beside| beside.width() >= LEAST.min(field.width()));
    let is_over = |app: &App| {
        let notice = app.notice.as_ref();
        notice.is_some_and(|it| !it.failed && !app.fixed && it.said.elapsed() > stays_for(&it.text))
    };
    // Who comes near it reads it, or means its button.
    let pointer = ui.ctx().pointer_hover_pos();
    let is_near = |rect: &Rect| pointer.is_some_and(|at| rect.expand(NEAR).contains(at));
    if toasts(ui.ctx()).iter().any(is_near)
        && let Some(notice) = &mut app.notice
    {
        let gone_by = stays_for(&notice.text).saturating_sub(LINGERS);
        let lingers = Instant::now().checked_sub(gone_by);
        notice.said = lingers.map_or(notice.said, |lingers| notice.said.max(lingers));
    }
    let gone = Id::new("toast that is gone");
    if is_over(app) {
        app.notice = None;
        if let Some(rect) = toasts(ui.ctx()).last() {
            ui.data_mut(|data| data.insert_temp(gone, (*rect, Instant::now())));
        }
    }
    let mut taken = fixed_places(ui.ctx());
    // A click that was meant for it and comes too late is none on the field, nor on the bar.
    if let Some((rect, since)) = ui.data(|data| data.get_temp::<(Rect, Instant)>(gone))
        && since.elapsed() < TOO_LATE
    {
        cover(ui.ctx(), rect);
        swallow(&whole_window(ui), gone, rect);
    }
    if let Some(notice) = app.notice.as_ref().filter(|it| !it.failed && !app.fixed) {
        let left = stays_for(&notice.text).saturating_sub(notice.said.elapsed());
        ui.ctx().request_repaint_after(left);
    }
    let mut places = Vec::new();
    let looked_at = looked_at(ui.ctx());
    let mut say = |ui: &mut Ui, app: &App, toast: &Toast<'_>| {
        let around = (&taken[..], &looked_at[..], app);
        let shown = toast.show(ui, palette, field, around);
        let rect = shown.map(|(rect, _)| rect);
        taken.extend(rect);
        places.extend(rect);
        (rect.is_some(), shown.and_then(|(_, clicked)| clicked))
    };
    if let Some(busy) = app.busy.clone() {
        // Where Escape lets go of something else first, its name would promise too much.
        let cancel = match busy.is_tick() && app.has_what_is_let_go() {
            true => "Cancel",
            false => "Cancel  Esc",
        };
        let toast = Toast {
            id: "busy",
            words: &busy.what,
            edge: None,
            note: format!("{:.1} s", busy.since.elapsed().as_secs_f32()),
            buttons: &[("busy.cancel", cancel, "End it; everything stays as it was.")],
        };
        if say(ui, app, &toast).1.is_some() {
            app.worker.cancel();
        }
    }
    let refusal = app.stepping.as_ref().and_then(|it| it.refusal());
    if let Some(words) = refusal.filter(|_| app.has_steps() && !app.bare) {
        let toast = Toast {
            id: "refusal",
            words,
            edge: Some(palette.warning),
            note: String::new(),
            buttons: &[],
        };
        say(ui, app, &toast);
    }
    if let Some(became) = app.files.news_of_disk() {
        // It is said how long ago that was.
        ui.ctx().request_repaint_after(A_WHILE);
        let words = became_in_words(app, became);
        let toast = Toast {
            id: "disk",
            words: &words,
            edge: Some(palette.warning),
            note: String::new(),
            buttons: match became {
                Became::Changed => &[
                    ("disk.reload", "Reload", "Open the version of the file."),
                    (
                        "disk.keep mine",
                        "Keep mine",
                        "Go on with yours. Of this version of the file nobody asks again; saving replaces it.",
                    ),
                ],
                _ => &[(
                    "disk.close",
                    "Close",
                    "Take this away. Before the window closes you are asked to save.",
                )],
            },
        };
        match say(ui, app, &toast).1 {
            Some(0) if became == Became::Changed => app.reload(),
            Some(_) => app.keep_mine(),
            None => {}
        }
    }
    if let Some(notice) = app.notice.clone() {
        let toast = Toast {
            id: "notice",
            words: &notice.text,
            edge: notice.failed.then_some(palette.error),
            note: String::new(),
            buttons: &[("notice.close", "Close", "Take this away (Escape).")],
        };
        let (is_shown, clicked) = say(ui, app, &toast);
        if clicked.is_some() {
            app.notice = None;
        } else if let Some(notice) = app.notice.as_mut().filter(|_| !is_shown) {
            notice.said = Instant::now();
        }
    }
    set_toasts(ui.ctx(), places);
}

/// How long a sentence stays that goes by itself.
fn stays_for(words: &str) -> Duration {
    let characters = u32::try_from(words.chars().count()).unwrap_or(u32::MAX);
    let read = TO_SEE.saturating_add(TO_READ.saturating_mul(characters));
    read.clamp(LEAST_PASSING, MOST_PASSING)
}

/// What draws anywhere in the window: the bars are none of the field.
fn whole_window(ui: &mut Ui) -> Ui {
    let mut whole = ui.new_child(UiBuilder::new().id_salt("over the bars"));
    whole.set_clip_rect(ui.ctx().screen_rect());
    whole
}

/// Takes the clicks and drags in a rectangle from what lies under it.
fn swallow(ui: &Ui, id: Id, rect: Rect) {
    // It is no control: nobody walks there by the keyboard.
    ui.interact(rect, id.with("swallows"), Sense::CLICK | Sense::DRAG);
}

/// Takes away the tooltips that were drawn so far: what lies under a page or a dialog explains itself to nobody, and egui would keep
/// one open for as long as the pointer rests.
pub fn hide_tooltips(ctx: &Context) {
    let layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    ctx.graphics_mut(|graphics| {
        for layer in layers.into_iter().filter(|it| it.order == Order::Tooltip) {
            let Some(list) = graphics.get_mut(layer) else {
                continue;
            };
            for index in 0..list.next_idx().0 {
                list.reset_shape(ShapeIdx(index));
            }
        }
    });
}

/// A toast as it is laid out: its words, what is shown of them, and how large it is with all that stands behind them.
struct LaidOut {
    words: Arc<Galley>,
    is_cut: bool,
    size: Vec2,
}

impl Toast<'_> {
    /// Draws it where there is room for it, if there is; where that is, and which of its buttons was clicked.
    fn show(
        &self,
        ui: &mut Ui,
        palette: &Palette,
        field: Option<Rect>,
        around: (&[Rect], &[Rect], &App),
    ) -> Option<(Rect, Option<usize>)> {
        let (taken, looked_at, app) = around;
        let (rect, laid_out, is_bar) = match self.in_bar(ui, palette, taken, app) {
            Some((rect, laid_out)) => (rect, laid_out, true),
            None => {
                let field = field?;
                let is_low = field.height() < LOW;
                let width = WIDTH.min(field.width() - 2.0 * layout::CHIP).max(60.0);
                let (rows, inset) = if is_low { (1, 8.0) } else { (MOST_LINES, 16.0) };
                let mut laid_out = self.lay_out(ui, palette, width, rows);
                laid_out.size.y = laid_out.words.size().y.max(24.0) + inset;
                let rect = self.place(ui, field, laid_out.size, (taken, looked_at, app));
                (rect, laid_out, false)
            }
        };
        place(ui.ctx(), &format!("{}.toast", self.id), rect);
        let mut ui = whole_window(ui);
        if is_bar {
            swallow(&ui, Id::new(self.id), rect);
        }
        let opacity = if is_bar { 1.0 } else { 0.97 };
        let clicked = self.draw(&mut ui, palette, (rect, opacity), laid_out);
        Some((rect, clicked))
    }

    /// Where it stands in the lowest bar, where that has room for all of it, and nothing else is said there. What stays is not to lie on the
    /// transport.
    fn in_bar(
        &self,
        ui: &Ui,
        palette: &Palette,
        taken: &[Rect],
        app: &App,
    ) -> Option<(Rect, LaidOut)> {
        let bar = lowest_bar(ui.ctx(), app)?;
        let is_transport = bar.height() >= TWO_LINES;
        if is_transport && self.edge.is_some() {
            return None;
        }
        let rows = if is_transport { 2 } else { 1 };
        let laid_out = self.lay_out(ui, palette, bar.width(), rows);
        let is_free = !taken.iter().any(|other| other.intersects(bar));
        let rect = bar.with_min_x(bar.right() - laid_out.size.x);
        (is_free && !laid_out.is_cut).then_some((rect, laid_out))
    }

    /// Its words in no more than so many lines, within a width; as high as they are.
    fn lay_out(&self, ui: &Ui, palette: &Palette, width: f32, rows: usize) -> LaidOut {
        let aside = self.aside(ui);
        let format = TextFormat::simple(text(size::LABEL), palette.text);
        let lay_out = |shown: &str| {
            let mut job = LayoutJob::single_section(shown.to_owned(), format.clone());
            job.wrap.max_width = (width - 28.0 - aside).max(40.0);
            job.wrap.max_rows = rows;
            ui.fonts(|fonts| fonts.layout_job(job))
        };
        // One line says the first sentence, where it has no room for all of them.
        let (mut shown, mut words) = (self.words, lay_out(self.words));
        if rows == 1 && words.elided {
            shown = first_sentence(self.words);
            words = lay_out(shown);
        }
        LaidOut {
            size: vec2((words.size().x + 28.0 + aside).min(width), words.size().y),
            is_cut: words.elided || shown.len() < self.words.len(),
            words,
        }
    }

    /// How much room its buttons and its note take, in points.
    fn aside(&self, ui: &Ui) -> f32 {
        let widths = self.buttons.iter();
        let widths = widths.map(|(_, word, _)| button_width(ui, word) + 8.0);
        let buttons: f32 = widths.sum::<f32>() + if self.buttons.is_empty() { 0.0 } else { 4.0 };
        if self.note.is_empty() {
            return buttons;
        }
        let font = number(size::LABEL);
        let note = self.note.clone();
        let note = ui
            .painter()
            .layout_no_wrap(note, font, Color32::PLACEHOLDER);
        buttons + note.size().x + 12.0
    }

    /// Draws it there; which of its buttons was clicked.
    fn draw(
        &self,
        ui: &mut Ui,
        palette: &Palette,
        (rect, opacity): (Rect, f32),
        laid_out: LaidOut,
    ) -> Option<usize> {
        let painter = ui.painter();
        painter.rect(
            rect,
            CornerRadius::same(5),
            faded(palette.raised, opacity),
            Stroke::new(1.0, palette.strong_line),
            StrokeKind::Inside,
        );
        if let Some(color) = self.edge {
            let edge = rect.shrink2(vec2(0.0, 4.0));
            painter.rect_filled(
                edge.with_max_x(edge.left() + 2.5),
                CornerRadius::ZERO,
                color,
            );
        }
        let LaidOut { words, is_cut, .. } = laid_out;
        let at = pos2(rect.left() + 14.0, rect.center().y - words.size().y / 2.0);
        let area = Rect::from_min_size(at, words.size());
        painter.galley(at, words, palette.text);
        if is_cut {
            ui.interact(area, Id::new((self.id, "words")), Sense::hover())
                .on_hover_text(self.words);
        }
        let mut right = rect.right() - 10.0;
        let mut clicked = None;
        let high = (rect.height() / 2.0 - 2.0).min(12.0);
        for (index, (id, word, help)) in self.buttons.iter().enumerate().rev() {
            let width = button_width(ui, word);
            let cell = Rect::from_min_max(
                pos2(right - width, rect.center().y - high),
                pos2(right, rect.center().y + high),
            );
            if button_in(ui, palette, id, cell, (word, help), true) {
                clicked = Some(index);
            }
            right = cell.left() - 8.0;
        }
        right -= 4.0;
        if !self.note.is_empty() {
            let at = pos2(right, rect.center().y);
            let font = number(size::LABEL);
            ui.painter()
                .text(at, Align2::RIGHT_CENTER, &self.note, font, palette.warning);
        }
        clicked
    }

    /// Of what it speaks: its words up to their colon. Behind that how long ago something was changes by itself, and is nothing else that is
    /// said.
    fn subject(&self) -> &str {
        let words = self.words;
        words.split_once(": ").map_or(words, |(subject, _)| subject)
    }

    /// Where it stands over the field: in the middle or at a side, below the chips or further down; there where the least of what one looks
    /// at is, and the fewest stand. As long as it speaks of the same it stays there.
    fn place(
        &self,
        ui: &Ui,
        field: Rect,
        size: Vec2,
        (taken, looked_at, app): (&[Rect], &[Rect], &App),
    ) -> Rect {
        let room = field.shrink(layout::CHIP);
        // Over a table there are no chips, and beside its first line there is room.
        let has_chips = !(app.view == View::Compare && app.all_structures);
        let top = room.top() + if has_chips { 38.0 } else { 0.0 };
        let columns = [
            field.center().x - size.x / 2.0,
            room.left(),
            room.right() - size.x,
        ];
        // Row by row from the chips down; of the places that hide as little the first.
        let heights = (0..80_u8).map(|step| top + 12.0 * f32::from(step));
        let rows = heights
            .clone()
            .flat_map(|y| columns.map(|left| pos2(left, y)));
        let rows = rows.filter(|at| at.y + size.y <= room.bottom());
        let places = rows.enumerate().filter_map(|(place, at)| {
            let rect = clear_place(room, size, [at], taken)?;
            Some((place, rect))
        });
        let places: Vec<(usize, Rect)> = places.collect();
        // Who reads it does not look for it.
        let seen = (app.view.row().key, app.all_structures);
        let id = Id::new((self.id, self.subject(), seen));
        let pass = ui.ctx().cumulative_pass_nr();
        // In another field, as above a tree that was opened, it is another place.
        let before: Option<(usize, u64, Rect)> = ui.data(|data| data.get_temp(id));
        let before = before
            .filter(|(_, at, of)| pass - at <= 2 && *of == field)
            .map(|(place, ..)| place);
        let stays = places.iter().find(|(place, _)| before == Some(*place));
        let best = || {
            let crowd = Crowd::in_view(app, &panes(ui.ctx()));
            let hidden = |rect: Rect| crowd.hidden_by(rect, looked_at);
            places
                .iter()
                .min_by_key(|(place, rect)| (hidden(*rect), *place))
        };
        let Some((place, rect)) = stays.or_else(best) else {
            // Everything is taken: where the least of it is covered.
            let places = heights.map(|y| pos2(columns[0], y));
            return free_place(room, size, places, taken)
                .unwrap_or_else(|| Rect::from_min_size(pos2(columns[0], top), size));
        };
        ui.data_mut(|data| data.insert_temp(id, (*place, pass, field)));
        *rect
    }
}

/// The words up to the end of their first sentence.
fn first_sentence(words: &str) -> &str {
    words.find(". ").map_or(words, |end| &words[..=end])
}

#[cfg(test)]
mod tests {
    use super::{LEAST_PASSING, MOST_PASSING, first_sentence, stays_for};

    #[test]
    fn a_sentence_ends_at_its_point_and_not_within_a_number() {
        assert_eq!(first_sentence("One of 2.5 m. Two."), "One of 2.5 m.");
        assert_eq!(first_sentence("a.ron is gone"), "a.ron is gone");
        assert_eq!(first_sentence("One. "), "One.");
        assert_eq!(first_sentence(""), "");
    }

    #[test]
    fn a_long_sentence_stays_longer_than_a_short_one_and_none_for_ever() {
        assert_eq!(stays_for("Saved."), LEAST_PASSING);
        let two_lines = stays_for(&"nine char".repeat(10));
        assert!(LEAST_PASSING < two_lines && two_lines < MOST_PASSING);
        assert_eq!(stays_for(&"nine char".repeat(100)), MOST_PASSING);
    }
}
