//! The chips at the edges of the field: what is seen, the layers, and how long a metre is.

use crate::app::camera::Camera;
use crate::app::commands::{Command, Layer, View, keys_of, row};
use crate::app::layout::docked;
use crate::app::palette::{Palette, faded, mixed};
use crate::app::state::App;
use crate::app::theme::{layout, number, size, text};
use crate::app::view::marks::dashed_rect;
use crate::app::widgets::{
    cover, cut_behind, elided, fixed_places, is_cut, place, switch_in, toasts,
};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Sense, Stroke, StrokeKind,
    Ui, Vec2, pos2, vec2,
};
use std::ops::Range;
use std::sync::Arc;

/// In a lower field there is no scale, in points.
const LEAST_SCALE: f32 = 210.0;

/// In a smaller field nothing stands below the chips at the top, in points.
pub const LEAST_BELOW: Vec2 = vec2(340.0, 240.0);

/// In a lower field there are no chips at the top, in points: a picture would have no room below them.
const LEAST_CHIPS: f32 = 97.0;

/// In a lower field there is no second row of chips over what is fitted into it, in points.
const LEAST_TWO_ROWS: f32 = 400.0;

/// Less room than this is not enough for a title that is cut, in points.
const LEAST_TITLE: f32 = 120.0;

/// How round the corners of a chip are, in points.
pub const ROUND: u8 = 5;

/// The background of everything that lies over the field.
pub fn chip(painter: &Painter, palette: &Palette, rect: Rect) {
    chip_of(painter, palette, rect, 0.97);
}

/// The same through which what lies under it is seen.
pub fn clear_chip(painter: &Painter, palette: &Palette, rect: Rect) {
    chip_of(painter, palette, rect, CLEAR);
}

/// How much such a chip hides.
const CLEAR: f32 = 0.5;

/// The colour of such a chip where nothing but the field lies under it.
pub fn clear_ground(palette: &Palette) -> Color32 {
    mixed(palette.field, palette.panel, CLEAR)
}

fn chip_of(painter: &Painter, palette: &Palette, rect: Rect, opacity: f32) {
    painter.rect(
        rect,
        CornerRadius::same(ROUND),
        faded(palette.panel, opacity),
        Stroke::new(1.0, palette.strong_line),
        StrokeKind::Inside,
    );
}

/// The same of a chip at an edge of the field, with the ground of the field around it: lines of boxes that end right at it would be taken for
/// its own.
pub fn edge_chip(painter: &Painter, palette: &Palette, rect: Rect) {
    /// How far those keep off, in points.
    const AROUND: f32 = 2.0;
    let ground = rect.expand(AROUND);
    painter.rect_filled(ground, CornerRadius::same(8), palette.field);
    chip(painter, palette, rect);
}

/// Between the frame of a key and its words, in points.
const BEFORE_WORDS: f32 = 6.0;

/// A frame and what it means, in a legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// What has just been split or merged.
    Changed,
    /// A body that is held above the leaves.
    Straddler,
    /// The same where some such body has the depth of who holds it beside it.
    StraddlerWithDepth,
    /// How full a leaf is.
    Fill,
    /// The box around those who are too large for any cell.
    Oversize,
    /// What a plainer search would look at too.
    Skipped,
    /// The same where all of that are cells that have looked here before, as the words in them say.
    DoneBefore,
    /// A box that explains how space is cut.
    Guide,
    /// The unit about which a structure explains something.
    Explained,
}

impl Key {
    /// How much room it takes, in points.
    pub fn width(self) -> f32 {
        match self {
            Self::Changed | Self::StraddlerWithDepth => 126.0,
            Self::Straddler => 76.0,
            Self::Fill => 92.0,
            Self::Oversize => 132.0,
            Self::Skipped => 128.0,
            Self::DoneBefore => 94.0,
            Self::Guide => 114.0,
            Self::Explained => 138.0,
        }
    }

    /// What it means.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Changed => "split, merged lately",
            Self::Straddler => "straddler",
            Self::StraddlerWithDepth => "straddler, its depth",
            Self::Fill => "fuller leaf",
            Self::Oversize => "around the oversize",
            Self::Skipped => "need not be visited",
            Self::DoneBefore => "done before",
            Self::Guide => "how space is cut",
            Self::Explained => "unit that is explained",
        }
    }

    /// The same in a sentence.
    const fn means(self) -> &'static str {
        match self {
            Self::Changed => "A region that was split or merged a moment ago.",
            Self::Straddler => "A body that is held above the leaves, for it lies in several.",
            Self::StraddlerWithDepth => {
                "A body that is held above the leaves, for it lies in several, with the depth of the node that holds it."
            }
            Self::Fill => {
                "How full a leaf is: the stronger its fill, the nearer it is to its capacity."
            }
            Self::Oversize => "The box around those who are too large for any cell.",
            Self::Skipped => "A region that a plainer search would look at as well.",
            Self::DoneBefore => {
                "A cell that looks at this one in its own turn, and need not be visited."
            }
            Self::Guide => "A box that explains how space is cut.",
            Self::Explained => "The unit about which something is explained.",
        }
    }

    /// Its frame, behind `at`.
    fn swatch(self, at: Pos2) -> Rect {
        let wide = if self == Self::Fill { 24.0 } else { 10.0 };
        Rect::from_min_size(at + vec2(2.0, -5.0), vec2(wide, 10.0))
    }

    /// Draws its frame and its words, behind `at`.
    pub fn draw(self, painter: &Painter, palette: &Palette, at: Pos2) {
        self.draw_swatch(painter, palette, at);
        painter.text(
            self.swatch(at).right_center() + vec2(BEFORE_WORDS, 0.0),
            Align2::LEFT_CENTER,
            self.words(),
            text(size::DESCRIPTION),
            palette.text_third,
        );
    }

    /// Draws its frame alone, at the left of a rectangle.
    pub fn draw_mark(self, painter: &Painter, palette: &Palette, mark: Rect) {
        self.draw_swatch(painter, palette, mark.left_center() - vec2(2.0, 0.0));
    }

    /// Its words, and what they mean.
    pub fn said(self) -> String {
        format!("{}: {}", self.words(), self.means())
    }

    fn draw_swatch(self, painter: &Painter, palette: &Palette, at: Pos2) {
        let color = match self {
            Self::Changed => palette.warning,
            Self::Straddler | Self::StraddlerWithDepth | Self::Explained => palette.second,
            Self::Fill => palette.swatch_line(),
            Self::Oversize => palette.text_second,
            Self::Skipped | Self::DoneBefore | Self::Guide => palette.text_third,
        };
        let swatch = self.swatch(at);
        let line = Stroke::new(if self == Self::Fill { 1.0 } else { 1.5 }, color);
        if self == Self::Fill {
            // A third, two thirds and all of what it may hold, on what lies under a leaf.
            painter.rect_filled(swatch, CornerRadius::ZERO, palette.field);
            for third in 0..3 {
                let at = swatch.min + vec2(third as f32 * 8.0, 0.0);
                let part = Rect::from_min_size(at, vec2(8.0, 10.0));
                let fill = palette.filled((third + 1) as f32 / 3.0);
                painter.rect_filled(part, CornerRadius::ZERO, fill);
            }
        }
        if matches!(
            self,
            Self::Oversize | Self::Skipped | Self::DoneBefore | Self::Guide
        ) {
            dashed_rect(painter, swatch, Stroke::new(1.2, color), 2.5, 2.5);
        } else {
            painter.rect_stroke(swatch, CornerRadius::ZERO, line, StrokeKind::Inside);
        }
    }
}

/// How much room the number takes that stands for what a legend leaves out, in points.
pub const MORE: f32 = 28.0;

/// Which entries of a legend, each so wide, have room, from the first on; where some have none, the number of these has room as well.
pub fn with_room<const N: usize>(widths: [f32; N], room: f32) -> [bool; N] {
    let fill = |mut room: f32| {
        widths.map(|width| {
            let fits = width <= room;
            room -= if fits { width } else { 0.0 };
            fits
        })
    };
    let all = fill(room);
    match all.iter().all(|fits| *fits) {
        true => all,
        false => fill(room - MORE),
    }
}

/// The number that stands for what a legend leaves out, behind `at`. Under the pointer it lists these, each with its mark, which is drawn in
/// a rectangle, and what it means.
pub fn left_out<'e, E>(
    ui: &Ui,
    palette: &Palette,
    at: Pos2,
    entries: &'e [E],
    (draw, said): (
        impl Fn(&Painter, Rect, &'e E) + 'e,
        impl Fn(&'e E) -> String + 'e,
    ),
) {
    let words = format!("+{}", entries.len());
    let font = text(size::DESCRIPTION);
    let begin = at + vec2(4.0, 0.0);
    let painter = ui.painter();
    painter.text(begin, Align2::LEFT_CENTER, words, font, palette.text);
    let rect = Rect::from_min_size(at - vec2(0.0, 10.0), vec2(MORE, 20.0));
    // Panes beside each other have one each.
    let id = ui.id().with(("more of a legend", at.x as i64, at.y as i64));
    ui.interact(rect, id, Sense::hover()).on_hover_ui(|ui| {
        for entry in entries {
            ui.horizontal_wrapped(|ui| {
                let (mark, _) = ui.allocate_exact_size(vec2(26.0, 12.0), Sense::hover());
                draw(ui.painter(), mark, entry);
                ui.label(said(entry));
            });
        }
    });
}

/// The same of keys.
pub fn keys_left_out(ui: &Ui, palette: &Palette, at: Pos2, keys: &[Key]) {
    let draw = |painter: &Painter, mark: Rect, key: &Key| key.draw_mark(painter, palette, mark);
    left_out(ui, palette, at, keys, (draw, |key: &Key| key.said()));
}

/// At both ends of the chip of a name, and before a name behind its sign, in points.
const INSET: f32 = 12.0;
const BEHIND_SIGN: f32 = 34.0;

/// So much more than between other chips is free behind that of a name, where there is room for it.
const AFTER_TITLE: f32 = 10.0;

/// What stands before a name so wide in its chip, and how wide that may be where `most` is free up to the next one: before a name is cut, the
/// chip comes as close to that as others do, and is without its sign. Nothing where a name would be cut to less than can be read.
fn title_insets(name: f32, most: f32) -> Option<(f32, f32)> {
    let roomy = most - AFTER_TITLE;
    let forms = [(BEHIND_SIGN, roomy), (BEHIND_SIGN, most), (INSET, most)];
    let mut fitting = forms.into_iter();
    let fits = fitting.find(|(before, room)| before + name.ceil() + INSET <= *room);
    fits.or_else(|| (roomy >= LEAST_TITLE).then_some((INSET, most)))
}

/// How much room the chip of a name takes that is not cut, with what is free behind it, in points; with as much of the `detail` behind the
/// name as says anything, unless that is empty.
fn title_width(ui: &Ui, (name, detail): (&str, &str)) -> f32 {
    let width = |words: String, font: FontId| {
        ui.fonts(|fonts| {
            let galley = fonts.layout_no_wrap(words, font, Color32::PLACEHOLDER);
            galley.size().x.ceil()
        })
    };
    let name = width(name.to_owned(), text(size::NAME));
    let least = parts_of(detail).last().filter(|words| !words.is_empty());
    let detail = least.map_or(0.0, |words| {
        BEFORE_DETAIL + width(words, number(size::CAPTION))
    });
    BEHIND_SIGN + name + detail + INSET + AFTER_TITLE + BETWEEN
}

/// Between a name and what stands behind it, in points.
const BEFORE_DETAIL: f32 = 18.0;

/// The same where that would be cut otherwise.
const BEFORE_TIGHT_DETAIL: f32 = 12.0;

/// Less room than this is not enough for a part of what stands behind a name, in points.
const LEAST_DETAIL: f32 = 48.0;

/// What stands behind a name, whole and then with fewer and fewer of its parts.
fn parts_of(detail: &str) -> impl Iterator<Item = String> {
    let ends = detail.rmatch_indices(" · ").map(|(end, _)| &detail[..end]);
    let fewer = ends.map(|begin| format!("{begin} · …"));
    std::iter::once(detail.to_owned()).chain(fewer)
}

/// The first part of what stands behind a name, a setting and its value, shorter and shorter: without its unit, and with fewer of the words
/// before the value, which stays. Nothing of what has no value: behind a number that has lost its word nobody knows what is counted, and a
/// setting that has lost its value tells nothing.
fn cuts_of(detail: &str) -> impl Iterator<Item = String> {
    let part = detail.split(" · ").next().unwrap_or_default();
    let words: Vec<&str> = part.split(' ').collect();
    let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let value = words.iter().position(is_number).unwrap_or(0);
    let has_unit = value + 1 < words.len();
    let ends = [words.len(), value + 1];
    let ends = &ends[..=usize::from(has_unit)];
    let cut = |(count, end): (usize, usize)| {
        let name = words[..count].join(" ");
        let name = match count < value {
            true => cut_behind(&name),
            false => name,
        };
        format!("{name} {}", words[value..end].join(" "))
    };
    let all = (1..=value).flat_map(|count| ends.iter().map(move |end| (count, *end)));
    let mut cuts: Vec<String> = all.map(cut).filter(|it| it != detail).collect();
    // The letters of all are as wide.
    cuts.sort_by_key(|words| std::cmp::Reverse(words.chars().count()));
    cuts.into_iter()
}

/// As many of the parts behind a name, from the first on, as there is room for; a part of the first one is better than none. Nothing where
/// there is no room for anything.
fn fitting_detail(
    painter: &Painter,
    detail: &str,
    (font, ink): (FontId, Color32),
    room: f32,
) -> Option<Arc<Galley>> {
    let has_room = |galley: &Arc<Galley>| galley.size().x <= room;
    let lay_out = |words: String| painter.layout_no_wrap(words, font.clone(), ink);
    let mut parts = parts_of(detail).map(lay_out);
    let cut = || cuts_of(detail).map(lay_out).find(has_room);
    let said = parts.find(has_room);
    let said = said.or_else(|| cut().filter(|_| room >= LEAST_DETAIL));
    said.filter(|_| !detail.is_empty())
}

/// The chip at the upper left: what is seen, and how it is set. The chip at the upper right takes `taken` points.
pub fn title_chip(ui: &Ui, app: &App, palette: &Palette, (name, detail): (&str, &str), taken: f32) {
    let painter = ui.painter();
    let field = app.free_field();
    let most = field.width() - 2.0 * layout::CHIP - taken;
    if field.height() < LEAST_CHIPS {
        return;
    }
    let whole = name;
    let wide = ui.fonts(|fonts| {
        let font = text(size::NAME);
        fonts.layout_no_wrap(name.to_owned(), font, Color32::PLACEHOLDER)
    });
    // Where it has no room the menu bar and the panels say it, too.
    let Some((before, room)) = title_insets(wide.size().x, most) else {
        return;
    };
    let insets = before + INSET;
    let name = elided(ui, name, text(size::NAME), palette.text, room - insets);
    // Up to the next chip.
    let spare = most - insets - name.size().x - BEFORE_DETAIL;
    let written = || (number(size::CAPTION), palette.text_third);
    let fitting = |spare: f32| fitting_detail(painter, detail, written(), spare);
    let said = fitting(spare);
    // Before a setting is cut or left out the chip is without its sign as well, where the signs are in the left panel too.
    let is_whole = said.as_ref().is_some_and(|said| said.text() == detail);
    let [has_list, _] = docked(ui.ctx().screen_rect().width());
    let tight = (!is_whole && has_list)
        .then(|| fitting(spare + before - INSET + BEFORE_DETAIL - BEFORE_TIGHT_DETAIL))
        .flatten();
    let is_longer = |it: &Arc<Galley>| {
        let width = said.as_ref().map_or(0.0, |said| said.size().x);
        it.size().x > width
    };
    let (said, before, before_detail) = match tight.filter(is_longer) {
        Some(tight) => (Some(tight), INSET, BEFORE_TIGHT_DETAIL),
        None => (said, before, BEFORE_DETAIL),
    };
    let insets = before + INSET;
    let whole = match detail.is_empty() {
        true => whole.to_owned(),
        false => format!("{whole}: {detail}"),
    };
    let is_unsaid = match &said {
        Some(said) => is_cut(said, detail),
        None => !detail.is_empty(),
    };
    let is_short = name.elided || is_unsaid;
    let behind = said.as_ref().map_or(0.0, |it| before_detail + it.size().x);
    let width = insets + name.size().x + behind;
    let rect = Rect::from_min_size(field.min + Vec2::splat(layout::CHIP), vec2(width, 30.0));
    edge_chip(painter, palette, rect);
    cover(ui.ctx(), rect);
    if before > INSET {
        let middle = pos2(rect.left() + 18.0, rect.center().y);
        let icon = Rect::from_center_size(middle, vec2(12.0, 12.0));
        let stroke = Stroke::new(1.2, palette.accent);
        painter.rect_stroke(icon, CornerRadius::same(2), stroke, StrokeKind::Middle);
        painter.vline(icon.center().x, icon.y_range(), stroke);
        painter.hline(icon.x_range(), icon.center().y, stroke);
    }
    let top = rect.center().y - name.size().y / 2.0;
    let left = rect.left() + before + name.size().x + before_detail;
    painter.galley(pos2(rect.left() + before, top), name, palette.text);
    if is_short {
        ui.interact(rect, ui.id().with("title chip"), Sense::hover())
            .on_hover_text(whole);
    }
    if let Some(said) = said {
        let top = rect.center().y - said.size().y / 2.0;
        painter.galley(pos2(left, top), said, palette.text_third);
    }
}

/// The chip at the upper right: the layers, each a switch. It is `width` points wide where there is room for that, else as wide as
/// its words, and not there where there is no room for them. Where it can, it leaves room for the chip of these `looks` beside it, and for
/// that of a `title`, a name and what stands behind it, unless that is empty.
/// Gives how much room it takes.
pub fn layer_chip(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    layers: &[Layer],
    (width, looks, title): (f32, &[Command], (&str, &str)),
) -> f32 {
    /// Beside a word.
    const SPACE: f32 = 12.0;
    let field = app.free_field();
    let room = field.width() - 2.0 * layout::CHIP;
    let wide = |word: &str| {
        let font = text(size::SECOND);
        let galley = ui
            .painter()
            .layout_no_wrap(word.to_owned(), font, palette.text);
        galley.size().x + SPACE
    };
    let beside = room - look_width(looks) - BETWEEN;
    let all = |name: fn(Layer) -> &'static str| -> Vec<f32> {
        layers.iter().map(|layer| wide(name(*layer))).collect()
    };
    let [whole, short] = [Layer::name, Layer::short_name].map(all);
    // Shorter words where both chips stand in one row with them, or where there is no room for the others at all.
    let [of_whole, of_short] = [&whole, &short].map(|cells| cells.iter().sum::<f32>() + 8.0);
    let is_short = of_whole > beside && (of_short <= beside || of_whole > room);
    let mut cells = if is_short { short } else { whole };
    let needed: f32 = cells.iter().sum();
    // Over next to nothing they would be all there is.
    if needed + 8.0 > room || field.height() < LEAST_CHIPS {
        return 0.0;
    }
    // Whoever steps through something finds the way out first.
    let has_both = needed + 8.0 <= beside || has_second_row(app, field);
    if app.is_stepping() && !has_both {
        return 0.0;
    }
    let width = width.min(match needed + 8.0 <= beside {
        true => beside,
        false => room,
    });
    let (name, detail) = title;
    // As a field becomes wider the switches are narrower again from the width on at which what stands behind the name comes.
    let titles = [detail, ""].map(|detail| title_width(ui, (name, detail)));
    let with_title = match name.is_empty() {
        true => None,
        false => left_by_title(beside, needed + 8.0, titles),
    };
    let width = with_title.map_or(width, |left| width.min(left));
    let each = (width - 8.0) / layers.len() as f32;
    // A word that would all but touch the edges of its switch has a wider one.
    if cells.iter().all(|cell| *cell + SPACE / 2.0 <= each) {
        cells.fill(each);
    } else {
        let more = ((width - 8.0 - needed) / layers.len() as f32).max(0.0);
        cells.iter_mut().for_each(|cell| *cell += more);
    }
    let width = 8.0 + cells.iter().sum::<f32>();
    let rect = Rect::from_min_size(
        pos2(
            field.right() - layout::CHIP - width,
            field.top() + layout::CHIP,
        ),
        vec2(width, 30.0),
    );
    edge_chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let mut left = rect.left() + 4.0;
    for (layer, each) in layers.iter().zip(cells) {
        let cell = Rect::from_min_size(pos2(left, rect.top() + 4.0), vec2(each, 22.0));
        let cell = cell.shrink2(vec2(1.5, 0.0));
        left += each;
        let entry = row(Command::Layer(*layer));
        let name = layer.name();
        let word = if is_short { layer.short_name() } else { name };
        let mut help = entry
            .map(|row| format!("{} ({})", row.help, row.shortcuts[0].label()))
            .unwrap_or_default();
        if word != name {
            help = format!("{name}: {help}");
        }
        let id = format!("layer.{}", name.to_lowercase());
        if switch_in(
            ui,
            palette,
            &id,
            cell,
            (word, name),
            app.layers.shows(*layer),
            &help,
        ) {
            app.run(Command::Layer(*layer));
        }
    }
    width + BETWEEN
}

/// How much of so many points a title leaves to a chip that needs some of them, where it leaves enough: with all that stands behind its name, with
/// that as close to the next chip as others are, or alone; of the first and of the last the widths are given. Letters are not as wide at each
/// scale, and what has room at one is not to be lost at another for a few points.
fn left_by_title(room: f32, needed: f32, [whole, alone]: [f32; 2]) -> Option<f32> {
    let widths = [whole, whole - AFTER_TITLE, alone];
    let mut left = widths.into_iter().map(|width| room - width);
    left.find(|left| needed <= *left)
}

/// Whether there may be a second row of chips at the top of a field. A picture that is fitted into it keeps off one row alone; of a world
/// that streams a part is seen anyway.
fn has_second_row(app: &App, field: Rect) -> bool {
    let least = match app.view {
        View::Streaming => LEAST_BELOW.y,
        _ => LEAST_TWO_ROWS,
    };
    field.width() >= LEAST_BELOW.x && field.height() >= least
}

/// Between two chips, in points.
const BETWEEN: f32 = 8.0;

/// How wide the switch of a command is, and the word on it.
fn look_switch(command: Command) -> (f32, &'static str) {
    match command {
        Command::Tree => (52.0, "Tree"),
        _ => (96.0, "Step through"),
    }
}

/// How wide the chip of these switches is, in points.
fn look_width(looks: &[Command]) -> f32 {
    let widths = looks.iter().map(|look| look_switch(*look).0);
    8.0 + widths.sum::<f32>()
}

/// The switches beside the layers, which take `taken` points, or below them: one steps through something, or sees the tree, or does
/// not. Gives how much room both take.
pub fn look_chip(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    taken: f32,
    looks: &[Command],
) -> f32 {
    let field = app.free_field();
    // As for the layers; but whoever steps through something finds the way out.
    if field.height() < LEAST_CHIPS && !app.is_stepping() {
        return taken;
    }
    let width = look_width(looks);
    let is_beside = field.width() >= taken + width + 2.0 * layout::CHIP;
    let (aside, below) = match is_beside {
        true => (taken, 0.0),
        false => (0.0, 30.0 + BETWEEN),
    };
    let right = field.right() - layout::CHIP - aside;
    let corner = pos2(right - width, field.top() + layout::CHIP + below);
    let rect = Rect::from_min_size(corner, vec2(width, 30.0));
    // What is said for a moment lies there.
    let is_free = is_beside || !toasts(ui.ctx()).iter().any(|it| it.intersects(rect));
    let has_room = has_second_row(app, field);
    if !is_free || !(is_beside || has_room) {
        return taken;
    }
    edge_chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let mut left = rect.left() + 4.0;
    for &command in looks {
        let help = row(command).map_or(String::new(), |row| {
            format!("{} ({})", row.help, keys_of(command))
        });
        let (width, word) = look_switch(command);
        let (id, on) = match command {
            Command::Tree => ("look.tree", app.diagram.is_some()),
            _ => ("look.into", app.is_stepping()),
        };
        let cell = Rect::from_min_size(pos2(left, rect.top() + 4.0), vec2(width, 22.0));
        left += width;
        let cell = cell.shrink2(vec2(1.5, 0.0));
        if switch_in(ui, palette, id, cell, (word, word), on, &help) {
            app.run(command);
        }
    }
    match is_beside {
        true => taken + width + BETWEEN,
        false => taken,
    }
}

/// Where [`scale_chip`] lies in a field.
pub fn scale_rect(field: Rect) -> Rect {
    Rect::from_min_size(
        pos2(
            field.right() - layout::CHIP - 150.0,
            field.bottom() - layout::CHIP - 30.0,
        ),
        vec2(150.0, 30.0),
    )
}

/// Whether a field has room for it, and beside it for the least that a legend says: in a small one the picture says more.
pub fn has_scale(field: Rect) -> bool {
    field.width() >= 2.8 * scale_rect(field).width() && field.height() >= LEAST_SCALE
}

/// Where a legend at the foot of a field ends at the latest, in points: before the scale, and where there is none, at the margin.
pub fn right_of_legend(field: Rect) -> f32 {
    match has_scale(field) {
        true => scale_rect(field).left() - BETWEEN,
        false => field.right() - layout::CHIP,
    }
}

/// The chip at the lower right of a field: how long a metre is.
pub fn scale_chip(ui: &Ui, camera: Camera, field: Rect, palette: &Palette) {
    let rect = scale_rect(field);
    if !has_scale(field) {
        return;
    }
    // What is there already says more.
    let mut others = fixed_places(ui.ctx()).into_iter();
    if others.any(|other| other.intersects(rect)) {
        return;
    }
    edge_chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    place(ui.ctx(), "chip.scale", rect);
    let metres = camera.round_length(90.0);
    let length = metres * camera.zoom;
    let (left, y) = (rect.left() + 10.0, rect.bottom() - 8.0);
    let stroke = Stroke::new(1.0, palette.text_second);
    ui.painter().hline(left..=left + length, y, stroke);
    ui.painter().vline(left, y - 3.0..=y, stroke);
    ui.painter().vline(left + length, y - 3.0..=y, stroke);
    let words = if metres >= 1000.0 {
        format!("{} km", metres / 1000.0)
    } else {
        format!("{metres} m")
    };
    let middle = pos2(left + length / 2.0, rect.top() + 10.0);
    ui.painter().text(
        middle,
        Align2::CENTER_CENTER,
        words,
        number(size::CAPTION),
        palette.text_second,
    );
    let zoom = camera.zoom;
    let zoom = if zoom >= 0.1 {
        format!("{zoom:.2}×")
    } else if zoom >= 0.001 {
        format!("{zoom:.3}×")
    } else {
        format!("{zoom:.0e}×")
    };
    ui.painter().text(
        rect.right_center() - vec2(8.0, 0.0),
        Align2::RIGHT_CENTER,
        zoom,
        number(size::CAPTION),
        palette.text_third,
    );
}

/// Which of some entries of these widths stand in each row of a legend that is so wide, from the left, and in how many rows at most:
/// what has no room in the last one is left out. As even as their order lets them be, so that no row has a single one.
pub fn rows_of(widths: &[f32], room: f32, most: usize) -> Vec<Range<usize>> {
    let fill = |room: f32| {
        let mut rows: Vec<Range<usize>> = Vec::new();
        let mut wide = f32::INFINITY;
        for (entry, width) in widths.iter().enumerate() {
            if wide + width > room {
                if rows.len() == most || *width > room {
                    break;
                }
                rows.push(entry..entry);
                wide = 0.0;
            }
            wide += width;
            if let Some(row) = rows.last_mut() {
                row.end = entry + 1;
            }
        }
        rows
    };
    let rows = fill(room);
    let last = |rows: &[Range<usize>]| rows.last().map_or(0, |row| row.end);
    // The narrowest that has as many rows and leaves out no more.
    let narrower = (1..16).map(|part| room * part as f32 / 16.0);
    let mut even = narrower
        .map(fill)
        .filter(|it| (it.len(), last(it)) == (rows.len(), last(&rows)));
    even.next().unwrap_or(rows)
}

/// Takes entries from the end of the rows of a legend that has so many in all until the last row `fits` with a number behind it, which stands
/// for those that are left out; where none is, nothing is taken. A row without any is none, unless it is the only one. Gives how many entries
/// are said.
pub fn with_room_for_more(
    rows: &mut Vec<Range<usize>>,
    count: usize,
    fits: impl Fn(&Range<usize>) -> bool,
) -> usize {
    if rows.last().is_some_and(|row| row.end == count) {
        return count;
    }
    while let Some(row) = rows
        .last_mut()
        .filter(|row| row.start == row.end || !fits(row))
    {
        if row.start < row.end {
            row.end -= 1;
        } else if rows.len() > 1 {
            rows.pop();
        } else {
            break;
        }
    }
    rows.last().map_or(0, |row| row.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::theme;
    use egui_macroquad::egui::{Context, RawInput};

    #[test]
    fn a_key_takes_as_much_room_as_its_words_and_keeps_as_far_from_the_next_one() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let keys = [
            Key::Changed,
            Key::Straddler,
            Key::StraddlerWithDepth,
            Key::Fill,
            Key::Oversize,
            Key::Skipped,
            Key::DoneBefore,
            Key::Guide,
            Key::Explained,
        ];
        let _ = ctx.run(RawInput::default(), |ctx| {
            for key in keys {
                let font = text(size::DESCRIPTION);
                let words = key.words().to_owned();
                let words = ctx.fonts(|fonts| fonts.layout_no_wrap(words, font, Color32::WHITE));
                let end = key.swatch(Pos2::ZERO).right() + BEFORE_WORDS + words.size().x;
                let spare = key.width() - end;
                assert!((9.0..14.5).contains(&spare), "{key:?}: {spare}");
            }
        });
    }

    #[test]
    fn where_entries_of_a_legend_have_no_room_there_is_room_for_their_number() {
        let widths = [126.0, 92.0, 126.0];
        assert_eq!(with_room(widths, 344.0), [true; 3]);
        assert_eq!(with_room(widths, 343.0), [true, true, false]);
        assert_eq!(with_room(widths, 218.0 + MORE), [true, true, false]);
        assert_eq!(with_room(widths, 217.0 + MORE), [true, false, false]);
        assert_eq!(with_room(widths, 100.0 + MORE), [false, true, false]);
        assert_eq!(with_room(widths, 10.0), [false; 3]);
        assert!(with_room([], 10.0).is_empty());
    }

    #[test]
    fn settings_behind_a_name_are_cut_behind_a_whole_one_and_say_that_there_are_more() {
        let parts: Vec<String> =
            parts_of("capacity 64 units · deepest level 10 · looseness 1.5").collect();
        assert_eq!(
            parts[1..],
            [
                "capacity 64 units · deepest level 10 · …",
                "capacity 64 units · …"
            ]
        );
        assert_eq!(parts_of("cell size 15 m").count(), 1);
        assert_eq!(parts_of("").collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn what_is_cut_behind_a_name_keeps_its_value_and_what_that_is() {
        let cuts = |detail: &str| -> Vec<String> { cuts_of(detail).collect() };
        assert_eq!(cuts("4.27k objects"), [""; 0]);
        assert_eq!(cuts("split rule alternate"), [""; 0]);
        assert_eq!(
            cuts("capacity 64 units · looseness 1.5"),
            ["capacity 64 units", "capacity 64"]
        );
        assert_eq!(
            cuts("leaf size 32 units"),
            ["leaf… 32 units", "leaf size 32", "leaf… 32"]
        );
        assert_eq!(
            cuts("strip height auto 16 m · a 2"),
            [
                "strip height auto 16 m",
                "strip height auto 16",
                "strip height… 16 m",
                "strip height… 16",
                "strip… 16 m",
                "strip… 16",
            ]
        );
    }

    #[test]
    fn more_room_never_says_less_behind_a_name() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let _ = ctx.run(RawInput::default(), |ctx| {
            let layer = egui_macroquad::egui::LayerId::background();
            let painter = Painter::new(ctx.clone(), layer, Rect::EVERYTHING);
            let written = || (number(size::CAPTION), Color32::WHITE);
            for detail in [
                "strip height auto 16 m · node size 4",
                "leaf size 32 units",
                "4.27k objects",
                "onewordthatislong",
                "a 1 · b 2 · c 3",
            ] {
                let said = |room: u16| {
                    let room = f32::from(room);
                    let said = fitting_detail(&painter, detail, written(), room);
                    said.map_or(0.0, |said| {
                        assert!(!said.elided && said.size().x <= room);
                        said.size().x
                    })
                };
                let widths: Vec<f32> = (0..400_u16).map(said).collect();
                assert!(widths.is_sorted(), "{detail}: {widths:?}");
                assert!(widths[399] > 0.0, "{detail}");
            }
            let narrow = fitting_detail(&painter, "strip height auto 16 m", written(), 110.0);
            assert!(narrow.is_some_and(|it| it.text().starts_with("strip")));
            assert!(fitting_detail(&painter, "", written(), 110.0).is_none());
        });
    }

    #[test]
    fn a_title_has_room_for_its_name_and_for_what_says_anything_behind_it() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let _ = ctx.run(RawInput::default(), |ctx| {
            egui_macroquad::egui::Area::new("chips".into()).show(ctx, |ui| {
                let name = title_width(ui, ("Open world", ""));
                let whole = title_width(ui, ("Open world", "4.27k objects"));
                assert!(whole > name + BEFORE_DETAIL + LEAST_DETAIL);
                let first = title_width(ui, ("Open world", "a 1 · b 2 · c 3 · d 4"));
                assert!(first < whole);
            });
        });
    }

    #[test]
    fn what_stands_behind_a_name_comes_closer_to_the_next_chip_before_it_is_left_out() {
        // As in a window of 1,280 points, with letters as wide as at 100 %, and as at 200 %.
        let left = |needed: f32, whole: f32| left_by_title(562.0, needed, [whole, 142.0]);
        assert_eq!(left(318.0, 229.0), Some(333.0));
        assert_eq!(left(327.0, 238.0), Some(334.0));
        // Where it has no room all the same the name alone has.
        assert_eq!(left(340.0, 238.0), Some(420.0));
        assert_eq!(left(430.0, 238.0), None);
    }

    #[test]
    fn before_a_name_is_cut_its_chip_comes_closer_to_the_next_and_loses_its_sign() {
        assert_eq!(title_insets(80.0, 140.0), Some((BEHIND_SIGN, 130.0)));
        assert_eq!(title_insets(90.0, 140.0), Some((BEHIND_SIGN, 140.0)));
        assert_eq!(title_insets(115.0, 140.0), Some((INSET, 140.0)));
        assert_eq!(title_insets(200.0, 140.0), Some((INSET, 140.0)));
    }

    #[test]
    fn a_name_that_has_room_is_there_however_little_that_is_and_none_is_cut_to_a_few_letters() {
        assert_eq!(title_insets(73.0, 124.0), Some((BEHIND_SIGN, 124.0)));
        assert_eq!(title_insets(30.0, 60.0), Some((INSET, 60.0)));
        assert_eq!(title_insets(110.0, 124.0), None);
        assert_eq!(title_insets(30.0, -8.0), None);
    }

    #[test]
    fn the_number_of_what_is_left_out_stands_in_the_last_row_that_says_anything() {
        // Where each row ends, and how many entries are said.
        let left = |mut rows: Vec<Range<usize>>, count: usize, fits: fn(&Range<usize>) -> bool| {
            let said = with_room_for_more(&mut rows, count, fits);
            let ends: Vec<usize> = rows.iter().map(|row| row.end).collect();
            (ends, said)
        };
        let two_rows = vec![0..3, 3..6];
        assert_eq!(left(two_rows.clone(), 6, |_| false), (vec![3, 6], 6));
        assert_eq!(left(two_rows.clone(), 7, |_| true), (vec![3, 6], 6));
        assert_eq!(left(two_rows, 7, |row| row.len() < 3), (vec![3, 5], 5));
        // The last row gives up its only entry: the number stands in the row before, in the place of another one.
        let beside_the_first = |row: &Range<usize>| row.start == 0 && row.len() == 2;
        let rows = vec![0..3, 3..4];
        assert_eq!(left(rows.clone(), 5, beside_the_first), (vec![2], 2));
        // Without room for any it stands alone.
        assert_eq!(left(rows, 5, |_| false), (vec![0], 0));
        // Where no entry has a row none is said.
        assert_eq!(left(Vec::new(), 5, |_| false), (vec![], 0));
        assert_eq!(left(Vec::new(), 0, |_| false), (vec![], 0));
    }

    #[test]
    fn a_legend_ends_before_the_scale_and_at_the_margin_where_there_is_none() {
        let field = |width: f32, height: f32| Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let (mut with, mut without) = (0, 0);
        for width in (200_u16..900).step_by(10) {
            for height in [180.0, 400.0] {
                let field = field(width.into(), height);
                let right = right_of_legend(field);
                match has_scale(field) {
                    true => {
                        assert!(right < scale_rect(field).left());
                        with += 1;
                    }
                    false => {
                        assert_eq!(right, field.right() - layout::CHIP);
                        without += 1;
                    }
                }
            }
        }
        assert!(with > 0 && without > 0);
    }

    #[test]
    fn a_legend_has_rows_that_are_even_and_leaves_out_what_has_no_room() {
        let widths = [50.0; 5];
        let ends = |room: f32, most: usize| -> Vec<usize> {
            let rows = rows_of(&widths, room, most);
            rows.into_iter().map(|row| row.end).collect()
        };
        assert_eq!(ends(260.0, 2), [5]);
        assert_eq!(ends(210.0, 2), [3, 5]);
        assert_eq!(ends(110.0, 2), [2, 4]);
        assert_eq!(ends(110.0, 1), [2]);
        assert!(rows_of(&widths, 40.0, 2).is_empty() && rows_of(&[], 40.0, 2).is_empty());
    }
}
