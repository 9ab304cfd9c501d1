//! The scenes in pictures: a page that is searched by typing, walked through with the arrows, and opens what is clicked.

use super::pages::{FRAMED, HIGHEST, page_frame, page_height};
use super::palette::{Palette, faded};
use super::scenes::{Entry, Listing, Subject};
use super::state::{App, GalleryPage};
use super::theme::{number, size, text};
use super::thumbnail::on_light;
use super::widgets::{
    elided, focus_first, focus_ring, hint_words, name_it, place, select_typed, show_cut,
    spaced_capitals, tell_button,
};
use egui_macroquad::egui::{
    Align, Align2, Color32, ColorImage, Context, CornerRadius, Id, Key, Layout, Margin, Modal,
    Modifiers, Pos2, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit,
    TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A small picture, in points.
const PICTURE: Vec2 = vec2(240.0, 150.0);
/// Two beside each other are narrower than that where there is no room for both, but no narrower than this.
const LEAST_PICTURE: f32 = 150.0;
/// The page is not narrower than this where the window has the room: its first line needs it.
const LEAST_PAGE: f32 = 420.0;
/// Between its edge and that of its card, and the words below it.
const INSET: f32 = 6.0;
const WORDS: f32 = 46.0;
/// Between cards.
const GAP: f32 = 12.0;
/// Beside the cards, for the bar that scrolls them.
const BAR: f32 = 14.0;
/// The line above a group.
const HEADING: f32 = 30.0;
/// So many pictures are taken up in a frame: each is a texture.
const UPLOADS: usize = 4;

/// What the page keeps from frame to frame: the pictures that it has shown, and on which surfaces.
#[derive(Default)]
pub struct Gallery {
    pictures: HashMap<PathBuf, (Arc<ColorImage>, TextureHandle)>,
    are_light: bool,
}

/// What stands together below a heading, in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Elsewhere,
    Scenes,
    Figures,
}

impl Group {
    fn heading(self) -> &'static str {
        match self {
            Self::Elsewhere => "opened lately",
            Self::Scenes => "scenes",
            Self::Figures => "figures of the sources, and what they get wrong",
        }
    }
}

/// How the cards lie on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grid {
    /// How many beside each other.
    columns: usize,
    /// How large the picture on each of them is.
    picture: Vec2,
    /// How wide the page is, with the bar that scrolls it.
    width: f32,
}

impl Grid {
    /// In a window of this size: as many cards as there is room for, in a small one as wide as fill it, and in a low one so many that
    /// what is under a picture is seen with it.
    fn of(Vec2 { x: window, y: high }: Vec2) -> Self {
        /// The line above the cards, with the room below it, in points.
        const HEADER: f32 = 40.0;
        let room = (window - 80.0).clamp(120.0, 1_120.0);
        let card = PICTURE.x + 2.0 * INSET;
        let columns = (((room - BAR + GAP) / (card + GAP)).floor() as usize).max(1);
        let width = columns as f32 * (card + GAP) - GAP + BAR;
        let width = width.max(LEAST_PAGE).min(window - 60.0);
        let each = |columns: usize| {
            let cards = width - BAR - GAP * (columns - 1) as f32;
            (cards / columns as f32 - 2.0 * INSET).max(1.0)
        };
        let (columns, wide) = match columns {
            1 if each(2) >= LEAST_PICTURE => (2, each(2)),
            1 => (1, each(1)),
            _ => (columns, PICTURE.x),
        };
        let height = |wide: f32| PICTURE.y * (wide / PICTURE.x) + INSET + WORDS;
        let most = page_height(high) - FRAMED - HEADER;
        let is_low = |columns: &usize| height(each(*columns)) > most;
        let more = (columns..columns + 2)
            .find(|it| !is_low(it))
            .unwrap_or(columns);
        let (columns, wide) = match more > columns {
            true => (more, each(more)),
            false => (columns, wide),
        };
        Self {
            columns,
            picture: PICTURE * (wide / PICTURE.x),
            width,
        }
    }

    /// How large a card is.
    fn card(self) -> Vec2 {
        self.picture + vec2(2.0 * INSET, INSET + WORDS)
    }
}

/// Where a card of the page lies, below the page's upper edge.
struct Place {
    entry: usize,
    at: Pos2,
}

impl Gallery {
    /// Draws the page, where it is open; what is chosen is opened.
    pub fn show(&mut self, ctx: &Context, app: &mut App, palette: &Palette) {
        let Some(mut page) = app.pages.gallery.take() else {
            return;
        };
        app.library.look_again();
        if self.are_light == palette.dark {
            self.are_light = !palette.dark;
            self.pictures.clear();
        }
        let listing = Arc::clone(app.library.listing());
        let screen = ctx.screen_rect().size();
        let grid = Grid::of(screen);
        let columns = grid.columns;
        let high = page_height(screen.y).clamp(120.0, HIGHEST);
        // The arrows walk through the pictures; in a line of text they would have little to do.
        let keys = [
            Key::ArrowLeft,
            Key::ArrowRight,
            Key::ArrowUp,
            Key::ArrowDown,
            Key::Enter,
            Key::PageUp,
            Key::PageDown,
            Key::Home,
            Key::End,
        ];
        let [left, right, up, down, enter, page_up, page_down, home, end] = keys
            .map(|key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)));
        // Of the cards in sight before, a row stays.
        let rows = ((high - FRAMED) / (grid.card().y + GAP)).floor().max(2.0) as usize - 1;
        let (up, down) = (up + page_up * rows, down + page_down * rows);
        let mut opened = None;
        let mut is_closed = false;
        let open = app.path.clone();
        let shown = Modal::new(Id::new("gallery"))
            .frame(page_frame(palette))
            .show(ctx, |ui| {
                ui.set_width(grid.width);
                ui.set_height(high - FRAMED);
                let before = page.typed.clone();
                is_closed = header(ui, palette, &mut page);
                let found = found(&listing, &page);
                if page.typed != before {
                    page.chosen = best(&found, &page.typed);
                }
                let walked = left + right + up + down + home + end > 0;
                let last = found.len().saturating_sub(1);
                let on = right + down * columns;
                page.chosen = (page.chosen.min(last) + on).min(last);
                page.chosen = page.chosen.saturating_sub(left + up * columns);
                if home + end > 0 {
                    page.chosen = if end > 0 { last } else { 0 };
                }
                if enter > 0 {
                    opened = found.get(page.chosen).map(|(_, entry)| entry.path.clone());
                }
                ui.add_space(10.0);
                let output = ScrollArea::vertical()
                    .drag_to_scroll(false)
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        if let Some(path) = self.cards(
                            ui,
                            palette,
                            (&found, open.as_deref()),
                            (&mut page, walked),
                            grid,
                        ) {
                            opened = Some(path);
                        }
                    });
                show_cut(ui, palette, &output);
            });
        let is_open = !(is_closed || shown.backdrop_response.clicked());
        if let Some(path) = opened {
            app.picked = Some(path);
        } else if is_open {
            app.pages.gallery = Some(page);
        }
    }

    /// The cards in their groups; gives the file of the one that was clicked.
    fn cards(
        &mut self,
        ui: &mut Ui,
        palette: &Palette,
        (found, open): (&[(Group, &Entry)], Option<&Path>),
        (page, walked): (&mut GalleryPage, bool),
        grid: Grid,
    ) -> Option<PathBuf> {
        if found.is_empty() {
            let words = "No scene has these words.";
            ui.label(RichText::new(words).color(palette.text_third));
            return None;
        }
        let card = grid.card();
        let (places, headings, height) = laid_out(found, grid.columns, card);
        let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        for (words, y) in headings {
            let at = area.left_top() + vec2(0.0, y + HEADING / 2.0);
            spaced_capitals(ui.painter(), at, words, palette.text_third);
        }
        let mut opened = None;
        let mut uploads = 0;
        for (index, Place { entry, at }) in places.iter().enumerate() {
            let (group, entry) = found[*entry];
            let rect = Rect::from_min_size(area.min + at.to_vec2(), card);
            let is_chosen = index == page.chosen;
            if is_chosen && walked {
                ui.scroll_to_rect(rect.expand(GAP), None);
            }
            if !ui.is_rect_visible(rect) {
                continue;
            }
            let response = ui.interact(rect, Id::new(("gallery", &entry.path)), Sense::click());
            place(ui.ctx(), &format!("gallery.{}", entry.name), rect);
            tell_button(&response, &entry.title);
            focus_ring(ui, palette, &response, rect);
            if response.clicked() {
                opened = Some(entry.path.clone());
            }
            let fill = if response.hovered() {
                palette.hover
            } else {
                palette.raised
            };
            let stroke = if is_chosen {
                Stroke::new(1.5, palette.accent)
            } else {
                Stroke::new(1.0, palette.line)
            };
            ui.painter().rect(
                rect,
                CornerRadius::same(5),
                fill,
                stroke,
                StrokeKind::Inside,
            );
            let picture = Rect::from_min_size(rect.min + Vec2::splat(INSET), grid.picture);
            self.picture(ui, palette, entry, picture, &mut uploads);
            let is_open = open == Some(entry.path.as_path());
            words(
                ui,
                palette,
                (entry, is_open),
                rect.with_min_y(picture.bottom()),
            );
            // Of what lies elsewhere one wants to know where.
            let is_elsewhere = group == Group::Elsewhere;
            let file = is_elsewhere.then(|| entry.path.display().to_string());
            let said = Some(&entry.caption).filter(|caption| !caption.is_empty());
            let hover: Vec<&str> = said.into_iter().chain(&file).map(String::as_str).collect();
            if !hover.is_empty() {
                response.on_hover_text(hover.join("\n"));
            }
        }
        if uploads > 0 {
            ui.ctx().request_repaint();
        }
        opened
    }

    /// The picture of a scene, or what stands for one.
    fn picture(
        &mut self,
        ui: &Ui,
        palette: &Palette,
        entry: &Entry,
        rect: Rect,
        uploads: &mut usize,
    ) {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        painter.rect_filled(rect, CornerRadius::same(3), palette.field);
        let Some(picture) = &entry.picture else {
            return placeholder(ui, palette, rect);
        };
        let known = self.pictures.get(&entry.path);
        // One's own scene has another picture once it was saved again.
        if known.is_none_or(|(of, _)| !Arc::ptr_eq(of, picture)) {
            if *uploads == UPLOADS {
                return;
            }
            *uploads += 1;
            let shown = match palette.dark {
                true => picture.as_ref().clone(),
                false => on_light(picture),
            };
            let name = format!("gallery {}", entry.path.display());
            let texture = ui.ctx().load_texture(name, shown, TextureOptions::LINEAR);
            let both = (Arc::clone(picture), texture);
            self.pictures.insert(entry.path.clone(), both);
        }
        if let Some((_, texture)) = self.pictures.get(&entry.path) {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
    }
}

/// The line with the title, what is typed, and how the page is closed; whether it was.
fn header(ui: &mut Ui, palette: &Palette, page: &mut GalleryPage) -> bool {
    /// In less room there is the line to type in, and what closes the page.
    const WITH_TITLE: f32 = 500.0;
    let mut is_closed = false;
    ui.horizontal(|ui| {
        let title = page.only.map_or("Scenes", Subject::title);
        let room = ui.available_width();
        if room >= WITH_TITLE {
            ui.label(RichText::new(title).size(size::RATIO).color(palette.text));
            ui.add_space(12.0);
        }
        let edit = TextEdit::singleline(&mut page.typed)
            .hint_text(hint_words(
                palette,
                if room < WITH_TITLE {
                    "Find"
                } else {
                    "What are you looking for?"
                },
            ))
            .margin(Margin::symmetric(8, 5))
            .desired_width((ui.available_width() - 290.0).clamp(60.0, 320.0));
        let response = ui.add(edit);
        place(ui.ctx(), "gallery.text", response.rect);
        name_it(&response, "Words of a scene");
        if std::mem::take(&mut page.gives_way) {
            select_typed(ui, response.id, &page.typed);
        }
        focus_first(ui, &response);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            is_closed = ui.button("Close (Esc)").clicked();
            if page.only.is_some() && ui.button("All scenes").clicked() {
                page.only = None;
            }
            if room < WITH_TITLE {
                return;
            }
            ui.label(
                RichText::new("Enter opens")
                    .font(number(size::CAPTION))
                    .color(palette.text_third),
            );
        });
    });
    is_closed
}

/// The scenes that have all the words that were typed: those that lie elsewhere, for somebody opened them, then those before the figures.
fn found<'a>(listing: &'a Listing, page: &GalleryPage) -> Vec<(Group, &'a Entry)> {
    let typed = page.typed.to_lowercase();
    let fits = |entry: &&Entry| {
        let Entry {
            title,
            name,
            topic,
            caption,
            ..
        } = entry;
        // What a student looks for is a lesson.
        let kind = match entry.is_figure() {
            true => LESSON_WORDS,
            false => "scene",
        };
        let said = format!("{title} {name} {topic} {caption} {kind}").to_lowercase();
        (page.only.is_none() || entry.subject == page.only)
            && typed.split_whitespace().all(|word| said.contains(word))
    };
    let elsewhere = listing.elsewhere.iter().filter(fits);
    let elsewhere = elsewhere.map(|entry| (Group::Elsewhere, entry));
    let (figures, scenes): (Vec<&Entry>, Vec<&Entry>) = listing
        .entries
        .iter()
        .filter(fits)
        .partition(|entry| entry.is_figure());
    let scenes = scenes.into_iter().map(|entry| (Group::Scenes, entry));
    let figures = figures.into_iter().map(|entry| (Group::Figures, entry));
    elsewhere.chain(scenes).chain(figures).collect()
}

/// What figures are found by, besides what they are called and about.
const LESSON_WORDS: &str = "figure lesson tutorial";

/// Which one is meant: the one that is called just so, or the first that has it in its name, or the first of which anything says it.
fn best(found: &[(Group, &Entry)], typed: &str) -> usize {
    let typed = typed.trim().to_lowercase();
    let is_called = |entry: &Entry| {
        let title = entry.title.to_lowercase();
        typed.split_whitespace().all(|word| title.contains(word))
    };
    let is_whole = |entry: &Entry| entry.title.to_lowercase() == typed;
    let place =
        |is_meant: &dyn Fn(&Entry) -> bool| found.iter().position(|(_, entry)| is_meant(entry));
    place(&is_whole).or_else(|| place(&is_called)).unwrap_or(0)
}

/// Where each card lies, the words above each group and how far down they are, and how high all of it is.
fn laid_out(
    found: &[(Group, &Entry)],
    columns: usize,
    card: Vec2,
) -> (Vec<Place>, Vec<(&'static str, f32)>, f32) {
    let (mut places, mut headings) = (Vec::new(), Vec::new());
    let (mut y, mut column) = (0.0, 0);
    let mut before = None;
    for (index, (group, _)) in found.iter().enumerate() {
        if before != Some(*group) {
            if before.is_some() {
                y += card.y + GAP;
            }
            headings.push((group.heading(), y));
            (before, column) = (Some(*group), 0);
            y += HEADING;
        } else if column == columns {
            column = 0;
            y += card.y + GAP;
        }
        let x = column as f32 * (card.x + GAP);
        places.push(Place {
            entry: index,
            at: pos2(x, y),
        });
        column += 1;
    }
    (places, headings, y + card.y + 2.0)
}

/// What a scene is called and about, below its picture.
fn words(ui: &Ui, palette: &Palette, (entry, is_open): (&Entry, bool), rect: Rect) {
    let mut room = rect.width() - 2.0 * INSET - 4.0;
    let at = rect.left_top() + vec2(INSET + 2.0, 5.0);
    if is_open {
        let right = at + vec2(room, 3.0);
        let word = ui.painter().text(
            right,
            Align2::RIGHT_TOP,
            "open",
            text(size::CAPTION),
            palette.accent,
        );
        room -= word.width() + 8.0;
    }
    let title = elided(ui, &entry.title, text(size::NAME), palette.text, room);
    ui.painter().galley(at, title, palette.text);
    let topic = text(size::DESCRIPTION);
    // One's own scenes are often called as the one that they were made of: their files tell them apart.
    let said = match entry.file_name() {
        Some(file) => format!("{file} \u{b7} {}", entry.topic),
        None => entry.topic.clone(),
    };
    let room = rect.width() - 2.0 * INSET - 4.0;
    let topic = elided(ui, &said, topic, palette.text_third, room);
    let at = at + vec2(0.0, 20.0);
    ui.painter().galley(at, topic, palette.text_third);
}

/// What stands for a picture that there is not: a field in four, one of them in four again.
fn placeholder(ui: &Ui, palette: &Palette, rect: Rect) {
    let square = Rect::from_center_size(rect.center(), Vec2::splat(64.0));
    let stroke = Stroke::new(1.2, faded(palette.text_third, 0.6));
    let painter = ui.painter();
    painter.rect_stroke(square, CornerRadius::same(3), stroke, StrokeKind::Middle);
    painter.vline(square.center().x, square.y_range(), stroke);
    painter.hline(square.x_range(), square.center().y, stroke);
    let quarter = Rect::from_min_max(square.center(), square.max);
    painter.vline(quarter.center().x, quarter.y_range(), stroke);
    painter.hline(quarter.x_range(), quarter.center().y, stroke);
    painter.text(
        square.center_bottom() + vec2(0.0, 16.0),
        Align2::CENTER_CENTER,
        "no picture",
        text(size::CAPTION),
        palette.text_third,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_fill_the_page_in_every_window() {
        for window in (240..2400_u16).step_by(20).map(f32::from) {
            let grid = Grid::of(vec2(window, 900.0));
            let cards = grid.columns as f32 * (grid.card().x + GAP) - GAP;
            let left = grid.width - BAR - cards;
            assert!(left.abs() < 1.0, "{window}: {grid:?} leaves {left}");
            assert!(grid.width <= window - 60.0, "{window}: {grid:?}");
        }
        assert_eq!(Grid::of(vec2(500.0, 900.0)).columns, 2);
        assert_eq!(Grid::of(vec2(320.0, 900.0)).columns, 1);
        assert_eq!(Grid::of(vec2(320.0, 240.0)).columns, 2);
        assert_eq!(Grid::of(vec2(1280.0, 900.0)).picture, PICTURE);
    }

    #[test]
    fn a_scene_is_meant_by_its_name_before_it_is_by_its_caption() {
        let listing = Listing::read(None, &[], None);
        let chosen = |typed: &str| {
            let page = GalleryPage {
                typed: typed.to_owned(),
                ..GalleryPage::default()
            };
            let found = found(&listing, &page);
            found[best(&found, typed)].1.title.clone()
        };
        assert_eq!(chosen("half"), "Half of the neighbours");
        assert_eq!(chosen("Neighbours HALF"), "Half of the neighbours");
        // Another one's name goes on after it.
        assert_eq!(chosen("open world "), "Open world");
        assert_eq!(chosen("open world of"), "Open world of 100,000");
        // Where none is called so, the first of which anything says it.
        let said = GalleryPage {
            typed: "wandering".to_owned(),
            ..GalleryPage::default()
        };
        let said = found(&listing, &said);
        assert!(!said.is_empty() && !said[0].1.title.to_lowercase().contains("wandering"));
        assert_eq!(chosen("wandering"), said[0].1.title);
    }

    #[test]
    fn a_card_says_the_structure_of_the_plane_or_of_space_that_the_scene_has() {
        let listing = Listing::read(None, &[], None);
        let topic = |name: &str| {
            let mut entries = listing.entries.iter();
            let entry = entries.find(|entry| entry.name == name);
            entry.expect("a scene that ships").topic.clone()
        };
        let galaxy = topic("galaxy");
        assert!(galaxy.starts_with("octree \u{b7} 100,000"), "{galaxy}");
        let dogfight = topic("dogfight");
        assert!(
            dogfight.starts_with("Compare \u{b7} 2 structures"),
            "{dogfight}"
        );
    }
}
