//! The menu bar: menus from the command table, the scene's name, the views, and how fast the window is.

use super::recent::{self, WORDS};
use crate::app::commands::{Command, Menu, VIEWS, ViewRow, table};
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, RunMode};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{
    elided, focus_ring, place, segments_in, tell, tell_button, tell_state, tell_switch, tick,
    with_commas,
};
use egui_macroquad::egui::{
    Align2, Button, Color32, CornerRadius, Pos2, Rangef, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetType, menu::BarState, pos2, response::Flags, vec2,
};
use std::ops::RangeInclusive;

/// The width of the tab of a view where there is room for it, in points, and the least.
const TABS: (f32, f32) = (98.0, 57.0);

/// Tabs give way to the button of all commands as long as they are no narrower than this, in points.
const ROOMY_TAB: f32 = 76.0;

/// The width of that button with the key beside its word, in points, and without.
const COMMANDS: (f32, f32) = (124.0, 80.0);

/// The width of the figures of frames with what is before them, in points.
const FIGURES: f32 = 152.0;

/// In a narrower bar all menus stand in one.
const ONE_MENU: f32 = 600.0;

/// In a narrower bar there is no logo, and less room around the names of the menus: the name of what is open has it.
const ROOMY: f32 = 720.0;

/// Around the name of a menu in such a bar, and before the first of them.
const CLOSE: f32 = 4.0;

/// No name is asked for more room, in points.
const MOST_TITLE: f32 = 220.0;

/// The mark of what is not saved, with what is between it and the name.
const MARK: f32 = 12.0;

/// In less than this a name would have no letters to be known by.
const LEAST_TITLE: f32 = 44.0;

/// So much room the name has before the views go where they would like to stand and are as wide as they would like to be, in points: the
/// longest name of the scenes that come along. It does not depend on what is open, for the views stay where they are.
const TITLE: f32 = 170.0;

/// Between two parts of the bar.
const GAP: f32 = 12.0;

/// Before and behind a name that would be cut with more: the names of menus have some room around them already.
const CLOSE_TO_TITLE: (f32, f32) = (4.0, 8.0);

/// Draws the bar.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let bar = ui.max_rect();
    let menus = ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        if bar.width() >= ROOMY {
            logo(ui, palette);
        } else {
            ui.add_space(CLOSE);
            ui.spacing_mut().button_padding.x = CLOSE;
        }
        // Words on a bar, not buttons in boxes.
        ui.visuals_mut().widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::NONE;
        ui.visuals_mut().widgets.hovered.bg_stroke = Stroke::NONE;
        ui.visuals_mut().widgets.open.bg_stroke = Stroke::NONE;
        let named = |name: &str| {
            RichText::new(name)
                .size(size::LABEL)
                .color(palette.text_second)
        };
        if bar.width() >= ONE_MENU {
            for menu in Menu::BAR {
                one_menu(ui, app, palette, menu, named(menu.name()));
            }
        } else {
            let keys = (app.menu_keys.turn_all(), app.menu_keys.have_it());
            let button = bar_button(ui, named("Menu"), keys, |ui| {
                if let Some(menu) = app.menu_keys.alone() {
                    ui.label(named(menu.name()));
                    return scrolled(ui, app, palette, menu);
                }
                app.menu_open = true;
                app.menu_keys.begin_all();
                for menu in Menu::BAR {
                    let title = named(menu.name());
                    let submenu = ui.menu_button(title, |ui| scrolled(ui, app, palette, menu));
                    place_of(ui, menu, submenu.response.rect);
                }
            });
            place(ui.ctx(), "menu", button);
        }
        ui.cursor().left()
    });

    // What stands at its end ends where the panels below it do, too.
    let end = ui.ctx().screen_rect().right() - layout::PADDING;
    let parts = Parts::of(bar, menus.inner, end, !app.fixed);
    let views = Rect::from_x_y_ranges(parts.views, bar.shrink2(vec2(0.0, 4.0)).y_range());
    let mark = if app.bears_mark() { MARK } else { 0.0 };
    let name = elided(
        ui,
        &app.title(),
        text(size::LABEL),
        palette.text,
        MOST_TITLE,
    );
    let needed = name.size().x.ceil() + mark;
    let room = title_room(menus.inner, views.left(), needed);
    title(ui, app, palette, room);
    view_tabs(ui, app, palette, views);

    if parts.has_figures {
        figures(ui, app, palette, pos2(end, bar.center().y));
    }
    if let Some(button) = parts.button {
        let rect = Rect::from_x_y_ranges(button, bar.shrink2(vec2(0.0, 6.0)).y_range());
        commands_button(ui, app, palette, rect);
    }
}

/// Where stands in the bar what is behind the menus and the name.
#[derive(Debug, PartialEq)]
struct Parts {
    /// The tabs of the views.
    views: Rangef,
    /// The button of all commands, where there is room for it.
    button: Option<Rangef>,
    /// Whether there is room for the figures of frames behind that.
    has_figures: bool,
}

impl Parts {
    /// Of a bar whose menus end at `menus`, and whose last part ends at `end`.
    ///
    /// The name and the views stand in the middle, and give way to the menus where it is narrow: first the views become narrower, and then the
    /// room of the name. What leads to all there is comes before figures, and its word before its key; for either the views are a little narrower,
    /// but not close.
    fn of(bar: Rect, menus: f32, end: f32, wants_figures: bool) -> Self {
        let left = menus + GAP;
        let count = VIEWS.len() as f32;
        let begin = left + TITLE + 2.0 * GAP;
        let tab = |until: f32| ((until - begin) / count).floor().min(TABS.0);
        let before = |(button, figures): (f32, f32)| end - figures - button - GAP;
        let both = [COMMANDS.0, COMMANDS.1].map(|button| (button, FIGURES));
        let both = both.into_iter().filter(|_| wants_figures);
        let alone = [COMMANDS.0, COMMANDS.1].map(|button| (button, 0.0));
        let mut ways = both.chain(alone);
        let way = ways.find(|way| tab(before(*way)) >= ROOMY_TAB);
        let until = way.map_or(bar.right(), before);
        let width = tab(until).max(TABS.1) * count;
        let wished = bar.center().x - 116.0;
        let from = wished.max(begin).min(until - width).max(left);
        let views = Rangef::new(from, from + width);
        let button = way.map(|(button, figures)| {
            let right = end - figures;
            Rangef::new(right - button, right)
        });
        Self {
            views,
            button,
            has_figures: way.is_some_and(|(_, figures)| figures > 0.0),
        }
    }
}

/// A menu of the bar.
fn one_menu(ui: &mut Ui, app: &mut App, palette: &Palette, menu: Menu, title: RichText) {
    let keys = (app.menu_keys.leads_to(menu), app.menu_keys.have_it());
    let button = bar_button(ui, title, keys, |ui| scrolled(ui, app, palette, menu));
    place_of(ui, menu, button);
}

/// A button of the bar and the menu that it opens, by a click or where a key has `asked` for it; as long as keys are at work a pointer that
/// only lies on it opens nothing. Gives where it is.
fn bar_button(
    ui: &mut Ui,
    title: RichText,
    (asked, keys): (bool, bool),
    contents: impl FnOnce(&mut Ui),
) -> Rect {
    let bar = ui.id();
    let mut button = ui.add(Button::new(title));
    if asked {
        button.flags.insert(Flags::FAKE_PRIMARY_CLICKED);
    }
    if keys {
        button.flags.remove(Flags::HOVERED);
    }
    let mut open = BarState::load(ui.ctx(), bar);
    open.bar_menu(&button, contents);
    open.store(ui.ctx(), bar);
    button.rect
}

/// The entries of a menu, which scroll where the window is low.
fn scrolled(ui: &mut Ui, app: &mut App, palette: &Palette, menu: Menu) {
    let most = ui.ctx().screen_rect().height() - 64.0;
    ScrollArea::vertical()
        .max_height(most)
        // A menu is as high as its entries, and not as high as some place that it has been given.
        .min_scrolled_height(most)
        .show(ui, |ui| entries(ui, app, palette, menu));
}

/// Makes known where the name of a menu is.
fn place_of(ui: &Ui, menu: Menu, rect: Rect) {
    place(ui.ctx(), &format!("menu.{}", menu.name()), rect);
}

/// The room of a name that needs so much, between where the menus end and where the views begin: before it is cut, it comes closer to both.
fn title_room(menus: f32, views: f32, needed: f32) -> RangeInclusive<f32> {
    let left = menus + GAP;
    let until = (views - 2.0 * GAP).max(left + LEAST_TITLE).min(views - GAP);
    match until - left >= needed {
        true => left..=until,
        false => menus + CLOSE_TO_TITLE.0..=until.max(views - CLOSE_TO_TITLE.1),
    }
}

/// What is open, at the right end of this room, and whether it has been changed; all of it in the tooltip.
fn title(ui: &Ui, app: &App, palette: &Palette, room: RangeInclusive<f32>) {
    let mark = if app.bears_mark() { MARK } else { 0.0 };
    let width = room.end() - room.start() - mark;
    if width < LEAST_TITLE - MARK {
        return;
    }
    let name = app.title();
    let words = elided(ui, &name, text(size::LABEL), palette.text, width);
    let middle = ui.max_rect().center().y;
    let at = pos2(
        room.end() - mark - words.size().x,
        middle - words.size().y / 2.0,
    );
    let rect = Rect::from_min_size(at, words.size());
    ui.painter().galley(at, words, palette.text);
    if app.bears_mark() {
        let at = pos2(room.end() - 3.0, middle);
        ui.painter().circle_filled(at, 3.0, palette.warning);
    }
    let whole = match app.file() {
        Some(path) => path.display().to_string(),
        None => name,
    };
    let why = match (app.dirty, app.place.has_scene_ahead) {
        (false, _) if app.work_ahead => format!(
            ": what was changed after tick {} is not saved",
            with_commas(app.place.tick)
        ),
        (false, false) => String::new(),
        (true, false) => ", not saved".to_owned(),
        // What is shown is what Save writes, also where the file has what was changed later.
        (_, true) => format!(
            ": Save would write the scene as it was at tick {}, without what was changed after it, where any of that is left",
            with_commas(app.place.tick)
        ),
    };
    let whole = format!("{whole}{why}");
    ui.interact(rect, ui.id().with("title"), Sense::hover())
        .on_hover_text(whole);
}

fn view_tabs(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let tip = |row: &ViewRow| {
        let sentence = row.help.trim_end_matches('.');
        format!("{sentence} ({}).", row.shortcut.label())
    };
    let tips: Vec<_> = VIEWS.iter().map(tip).collect();
    let words: Vec<_> = VIEWS
        .iter()
        .zip(&tips)
        .map(|(row, tip)| (row.name, tip.as_str()))
        .collect();
    let chosen = VIEWS.iter().position(|row| row.view == app.view);
    if let Some(picked) = segments_in(ui, palette, "view", rect, &words, chosen, palette.accent) {
        app.run(Command::View(VIEWS[picked].view));
    }
}

/// How fast frames follow each other, while they do: a window in which nothing moves draws none, and is not slow for that. They end at `end`.
fn figures(ui: &Ui, app: &App, palette: &Palette, end: Pos2) {
    let moves = app.mode == RunMode::Running || app.plays_steps();
    let words = if moves {
        let ms = app.frames.frame_ms.percentile(0.5, 30);
        let fps = if ms > 0.0 { (1000.0 / ms).round() } else { 0.0 };
        [format!("{ms:.1} ms"), format!("{fps:.0} fps")]
    } else {
        ["paused".to_owned(), String::new()]
    };
    for (index, words) in words.into_iter().enumerate() {
        ui.painter().text(
            end - vec2(72.0 * index as f32, 0.0),
            Align2::RIGHT_CENTER,
            words,
            number(size::SECOND),
            palette.text_third,
        );
    }
}

fn commands_button(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let response = ui.interact(rect, ui.id().with("commands"), Sense::click());
    place(ui.ctx(), "commands", rect);
    tell_button(&response, "Commands");
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
    let (left, right) = (
        rect.left_center() + vec2(10.0, 0.0),
        rect.right_center() - vec2(8.0, 0.0),
    );
    painter.text(
        left,
        Align2::LEFT_CENTER,
        "Commands",
        text(size::SECOND),
        palette.text_third,
    );
    if rect.width() >= COMMANDS.0 {
        painter.text(
            right,
            Align2::RIGHT_CENTER,
            "Ctrl+P",
            number(size::CAPTION),
            palette.text_third,
        );
    }
    if response.clicked() {
        app.run(Command::Palette);
    }
}

/// A field in four, one of them in four again.
fn logo(ui: &mut Ui, palette: &Palette) {
    let (rect, _) = ui.allocate_exact_size(vec2(28.0, 18.0), Sense::hover());
    let square = Rect::from_center_size(rect.center() - vec2(2.0, 0.0), vec2(14.0, 14.0));
    let stroke = Stroke::new(1.2, palette.accent);
    ui.painter()
        .rect_stroke(square, CornerRadius::same(2), stroke, StrokeKind::Middle);
    ui.painter()
        .vline(square.center().x, square.y_range(), stroke);
    ui.painter()
        .hline(square.x_range(), square.center().y, stroke);
    let quarter = Rect::from_min_max(square.center(), square.max);
    ui.painter()
        .rect_filled(quarter.shrink(1.5), CornerRadius::ZERO, palette.accent);
}

/// The entries of one menu.
fn entries(ui: &mut Ui, app: &mut App, palette: &Palette, menu: Menu) {
    app.menu_open = true;
    app.menu_keys.begin(menu);
    ui.set_min_width(240.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    // All lines are as wide as the widest one was in the last frame.
    let known = ui.id().with("widest line");
    let width: f32 = ui.data(|data| data.get_temp(known)).unwrap_or(240.0);
    let mut widest = 240.0_f32;
    for entry in table().iter().filter(|row| row.menu == menu) {
        let Some(title) = app.title_of(entry) else {
            continue;
        };
        if starts_group(entry.command) {
            ui.separator();
        }
        if is_export(entry.command) {
            // They stand together below one word.
            if entry.command == Command::ExportWindow {
                recent::exports(ui, app, palette);
            }
            continue;
        }
        let keys = entry
            .shortcuts
            .first()
            .map(|key| key.label())
            .unwrap_or_default();
        let title = title_of(app, entry.command, &title);
        let line = Entry {
            name: &entry.title,
            title: &title,
            keys: &keys,
            on: app.is_on(entry.command),
            is_one_of_many: matches!(entry.command, Command::Structure(_) | Command::View(_)),
            refusal: app.may(entry.command).err(),
        };
        widest = widest.max(line.width(ui));
        let (is_lit, is_chosen) = match line.refusal {
            None => app.menu_keys.entry(),
            Some(_) => (false, false),
        };
        if line.show(ui, palette, width, is_lit) || is_chosen {
            app.run(entry.command);
            ui.close_menu();
        }
        if entry.command == Command::Gallery {
            recent::scenes(ui, app, palette);
        }
    }
    ui.data_mut(|data| data.insert_temp(known, widest));
}

/// Between the words and the key of a line.
const KEYS_APART: f32 = 28.0;

/// A line of a menu.
struct Entry<'a> {
    name: &'a str,
    title: &'a str,
    keys: &'a str,
    on: Option<bool>,
    is_one_of_many: bool,
    refusal: Option<&'static str>,
}

impl Entry<'_> {
    /// How wide it has to be.
    fn width(&self, ui: &Ui) -> f32 {
        let wide = |words: &str, font| {
            let words = words.to_owned();
            ui.fonts(|fonts| fonts.layout_no_wrap(words, font, Color32::PLACEHOLDER))
                .size()
                .x
        };
        let (title, keys) = (text(size::LABEL), number(size::CAPTION));
        WORDS + wide(self.title, title) + KEYS_APART + wide(self.keys, keys) + 10.0
    }

    /// Draws it: a column for ticks, the words, and the key at the right. Keys may have lit it. Whether it was clicked.
    fn show(&self, ui: &mut Ui, palette: &Palette, width: f32, is_lit: bool) -> bool {
        let is_enabled = self.refusal.is_none();
        let part = if is_enabled { 1.0 } else { 0.4 };
        let painter = ui.painter();
        let layout = |words: &str, font| {
            painter.layout_no_wrap(words.to_owned(), font, Color32::PLACEHOLDER)
        };
        let title = layout(self.title, text(size::LABEL));
        let keys = layout(self.keys, number(size::CAPTION));
        let sense = if is_enabled {
            Sense::click()
        } else {
            Sense::hover()
        };
        let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), sense);
        place(ui.ctx(), &format!("entry.{}", self.name), rect);
        match self.on {
            Some(on) if self.is_one_of_many => {
                tell_state(&response, WidgetType::RadioButton, self.title, on);
            }
            Some(on) => tell_switch(&response, self.title, on),
            None => tell(&response, WidgetType::Button, is_enabled, self.title),
        }
        let painter = ui.painter();
        if is_lit || (is_enabled && response.hovered()) {
            painter.rect_filled(rect, CornerRadius::same(3), palette.hover);
        }
        if is_lit {
            // In a low window it may lie below the edge.
            ui.scroll_to_rect(rect, None);
        }
        focus_ring(ui, palette, &response, rect.shrink(1.0));
        let middle = rect.center().y;
        if self.on == Some(true) {
            let stroke = Stroke::new(1.5, faded(palette.accent, part));
            tick(painter, pos2(rect.left() + 13.0, middle), stroke);
        }
        let at = pos2(rect.left() + WORDS, middle - title.size().y / 2.0);
        painter.galley_with_override_text_color(at, title, faded(palette.text, part));
        let at = pos2(
            rect.right() - 10.0 - keys.size().x,
            middle - keys.size().y / 2.0,
        );
        painter.galley_with_override_text_color(at, keys, faded(palette.text_third, part));
        let clicked = is_enabled && response.clicked();
        // Over the entries that can be chosen a tooltip would hide the next one.
        if let Some(why) = self.refusal {
            response.on_hover_text(why);
        }
        clicked
    }
}

/// The words of an entry: undo and redo say what they take.
fn title_of(app: &App, command: Command, title: &str) -> String {
    if command == Command::PlainScale {
        let percent = (app.settings.scale * 100.0).round();
        return format!("{title}: now {percent} %");
    }
    if command == Command::OtherFuture
        && let Some((from, end)) = app.place.other_future
    {
        let length = match end.saturating_sub(from) {
            1 => "1 tick".to_owned(),
            ticks => format!("{} ticks", with_commas(ticks)),
        };
        return format!("{title} (from tick {}, {length})", with_commas(from));
    }
    let name = match command {
        Command::Undo => app.undo_names[0].as_ref(),
        Command::Redo => app.undo_names[1].as_ref(),
        _ => None,
    };
    name.map_or_else(|| title.to_owned(), |name| format!("{title}: {name}"))
}

/// Whether a command saves something besides the scene.
fn is_export(command: Command) -> bool {
    matches!(
        command,
        Command::ExportWindow
            | Command::ExportField
            | Command::ExportPlots
            | Command::ExportTable
            | Command::ExportLate
            | Command::ExportCounters
    )
}

/// Commands before which a menu has a line.
fn starts_group(command: Command) -> bool {
    matches!(
        command,
        Command::Screenshot
            | Command::Settings
            | Command::Quit
            | Command::Cut
            | Command::SelectAll
            | Command::Open
            | Command::Rank
            | Command::Larger
            | Command::PreviousStructure
            | Command::FrameAll
            | Command::TogglePanels
            | Command::StepBack
            | Command::Pin
            | Command::Restart
    ) || command == Command::Layer(crate::app::commands::Layer::Units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_button_of_all_commands_comes_before_figures_and_the_views_give_way_to_it() {
        let parts = |width: f32, wants_figures: bool| {
            let bar = Rect::from_min_max(pos2(8.0, 0.0), pos2(width - 8.0, 32.0));
            Parts::of(bar, 318.0, width - 14.0, wants_figures)
        };
        let tab = |parts: &Parts| parts.views.span() / VIEWS.len() as f32;
        let wide = parts(1440.0, true);
        assert!(wide.has_figures && tab(&wide) == TABS.0);
        // With them the button has its word alone, before there is no room for them beside it.
        let span = |parts: &Parts| parts.button.map(Rangef::span);
        let both = parts(1100.0, true);
        assert!(both.has_figures && span(&both) == Some(COMMANDS.1));
        let roomy = parts(1080.0, true);
        assert!(!roomy.has_figures && span(&roomy) == Some(COMMANDS.0));
        let small = parts(1000.0, false);
        assert!(small.button.is_some() && tab(&small) < TABS.0);
        // Where tabs would be close for it, it has its word alone, and then there is none.
        assert_eq!(span(&parts(970.0, false)), Some(COMMANDS.1));
        assert_eq!(parts(800.0, false).button, None);
        for width in 600..2000 {
            for wants_figures in [true, false] {
                let Parts { views, button, .. } = parts(width as f32, wants_figures);
                let end = width as f32 - 14.0;
                assert!(
                    views.min >= 318.0 + GAP && views.max <= end + 6.0,
                    "{width}"
                );
                let is_off = button.is_none_or(|it| it.min >= views.max + GAP && it.max <= end);
                assert!(is_off, "{width}: {views:?} {button:?}");
            }
        }
    }

    #[test]
    fn a_name_comes_closer_to_both_sides_before_it_is_cut() {
        let wide = title_room(245.0, 404.0, 100.0);
        assert_eq!(wide, 257.0..=380.0);
        // A name that would be cut there has the room that is left in the bar, with a little off the menus and the views.
        for needed in [132.0, 144.0, 220.0] {
            assert_eq!(title_room(245.0, 404.0, needed), 249.0..=396.0);
        }
    }
}
