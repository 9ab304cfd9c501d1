//! What the scene is about, on a chip over the field: the lesson of a figure is read where it is seen.

use crate::app::commands::{Command, View, keys_of, row};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{layout, number, size, text};
use crate::app::view::chips::edge_chip;
use crate::app::widgets::{
    cover, elided, focus_ring, place, scrolled_up_to, switch_in, tell_button, toasts,
};
use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Galley, Id, Painter, Pos2, Rect, Response, Sense, Stroke, Ui,
    UiBuilder, Vec2, pos2, vec2,
};
use std::sync::Arc;

/// The caption.
#[derive(Debug, Default)]
pub struct Caption {
    /// Which scene was shown last, where it came with the program, and of how many.
    shown: Option<(Option<usize>, usize)>,
    /// Of which scene the words were asked for where its title alone would stand.
    unfolded: Option<String>,
    /// Whether it is a short title alone until its words are asked for.
    is_brief: bool,
    /// How high it may be with those, in points; `None` for what the field leaves it.
    most: Option<f32>,
}

/// How wide the chip is, in points: the narrowest in which the words take no more than [`MOST_LINES`], else the last.
const WIDTHS: [f32; 4] = [336.0, 400.0, 464.0, 528.0];

/// With what is below it, it takes no more than this part of the field's height.
const MOST_PART: f32 = 0.22;

/// A figure is looked at for what it says, which may take more; and so may what was unfolded by a click.
const MOST_PART_OF_LESSON: f32 = 0.34;
const MOST_PART_UNFOLDED: f32 = 0.94;

/// In a field lower than this many points a figure has its title alone, too: the words would lie on those of whom they speak. In a pane of
/// Compare there is no legend below them, and what stands there keeps off them in all panes.
const HIGH: f32 = 450.0;
const HIGH_PANE: f32 = 300.0;

/// In a field lower than this many points it lies at the very bottom, and the legend gives way to it.
const LOW: f32 = 230.0;

/// In one lower than this, beside the chips at its top nothing would be left.
const LOWEST: f32 = 160.0;

/// So high is the least volume that leaves room for it below its axes, and the least field that does while drawers are open.
const LOW_VOLUME: f32 = 250.0;
const LOW_BESIDE: f32 = 320.0;

/// More lines would be a page over the field. Who has asked for the words has all for which there is room, and these at least.
const MOST_LINES: usize = 4;
/// In a pane of Compare the words of a lesson may be as long as two pictures take to be explained.
const LINES_OF_LESSON: usize = 6;
const LEAST_LINES: usize = 2;

/// It is no narrower than this, and in a narrower field than the other has no arrows: its title and the way to its words come first.
const LEAST_WIDTH: f32 = 150.0;
const WIDTH_WITH_ARROWS: f32 = 256.0;

/// Between the chip's edge and its words.
const INSET: f32 = 12.0;

/// The arrows before the name, and the cross behind it, without the number between those.
const BUTTONS: f32 = 74.0;

/// The switch before the cross where the words name its key and no chip over the panes has it: how wide it is, and its word, the first that has
/// room beside the name.
const STEPS: [(f32, &str); 2] = [(92.0, "Step through"), (44.0, "Steps")];

/// The mark behind the name that says that there is more to read, and the word before it where the name stands alone.
const UNFOLDS: f32 = 18.0;
const READ: f32 = 34.0;

/// The cross alone, where there are no arrows.
const CROSS: f32 = 36.0;

/// So much of its name a title alone keeps beside the switch, in points.
const LEAST_NAME: f32 = 40.0;

/// Above the words: the line with the name; and what is free below them.
const TITLE: f32 = 29.0;
const FOOT: f32 = 11.0;

/// How high it is as its title alone.
const FOLDED: f32 = TITLE + 3.0;

/// How much higher it stands where a legend so high lies below it: a low field has no room for both, and is without the legend.
pub fn above_legend(field: Rect, legend: f32) -> f32 {
    if field.height() < LOW { 0.0 } else { legend }
}

/// Whether a field is high enough for it.
pub fn has_room(app: &App, field: Rect) -> bool {
    let least = match (app.shows_space(), app.drawn_out == [None; 2]) {
        (_, false) => LOW_BESIDE,
        (true, true) => LOW_VOLUME,
        (false, true) => LOWEST,
    };
    field.height() >= least
}

/// Whether a field has room for what a figure says beside what it shows.
fn is_lesson_with_room(app: &App, field: Rect) -> bool {
    let high = match app.view {
        View::Compare => HIGH_PANE,
        _ => HIGH,
    };
    app.is_lesson() && field.height() >= high
}

/// Whether a field is wide enough for the words as they are laid out by themselves.
pub fn has_width(field: Rect) -> bool {
    field.width() - 2.0 * layout::CHIP >= WIDTHS[0]
}

/// Whether it is wide enough for them at all.
pub fn has_least_width(field: Rect) -> bool {
    field.width() - 2.0 * layout::CHIP >= LEAST_WIDTH
}

/// So high it is with its title and so many lines of its words, in points.
pub fn height_of(ui: &Ui, lines: u8) -> f32 {
    TITLE + FOOT + f32::from(lines) * line_height(ui)
}

/// How wide it may be as a short title alone. A volume goes aside for it, and has room there in a wide pane.
fn brief_width(app: &App, field: Rect) -> f32 {
    const PART_IN_SPACE: f32 = 0.52;
    match app.shows_space() {
        true => LEAST_WIDTH.max(field.width() * PART_IN_SPACE),
        false => LEAST_WIDTH,
    }
}

fn has_arrows(field: Rect) -> bool {
    field.width() - 2.0 * layout::CHIP >= WIDTH_WITH_ARROWS
}

impl Caption {
    /// Whether its words were asked for, and are still those.
    pub fn is_unfolded(&self, app: &App) -> bool {
        self.unfolded.as_ref() == Some(&app.scene.caption)
    }

    /// Says whether it is a short title alone until its words are asked for: what lies over one of several low panes takes its room from
    /// all of them, for they have one camera.
    pub fn be_brief(&mut self, is_brief: bool) {
        self.is_brief = is_brief;
    }

    /// Says how high it may be with the words that were asked for, in points: what has no room then scrolls. `None` leaves it what the field
    /// does, where the rest is told under the cursor.
    pub fn keep_within(&mut self, most: Option<f32>) {
        self.most = most;
    }

    /// How many lines its words may have in a field, above its lowest `raised` points.
    fn most_lines(
        &self,
        ui: &Ui,
        app: &App,
        (field, raised): (Rect, f32),
        is_unfolded: bool,
    ) -> usize {
        match (is_unfolded, self.most) {
            (false, _) if app.view == View::Compare && is_lesson_with_room(app, field) => {
                LINES_OF_LESSON
            }
            (false, _) => MOST_LINES,
            (true, Some(_)) => usize::MAX,
            (true, None) => {
                let room = field.height() * MOST_PART_UNFOLDED - raised - TITLE - FOOT - 1.0;
                ((room / line_height(ui)).max(0.0) as usize).max(LEAST_LINES)
            }
        }
    }

    /// How high it is with all of its words, where these take so many points: no higher than it may be, but never without a few of them.
    fn whole_height(&self, ui: &Ui, words: f32, is_unfolded: bool) -> f32 {
        let beside = TITLE + FOOT;
        let least = LEAST_LINES as f32 * line_height(ui);
        let most = self.most.filter(|_| is_unfolded).map(|most| most - beside);
        beside + most.map_or(words, |most| words.min(most.max(least)))
    }

    /// Where it lies in a field, above its lowest `raised` points; `None` where there is nothing to say, or
    /// no room for it.
    pub fn rect(
        &self,
        ui: &Ui,
        app: &App,
        palette: &Palette,
        field: Rect,
        raised: f32,
    ) -> Option<Rect> {
        let rect = self.place(ui, app, palette, (field, raised), self.is_unfolded(app));
        rect.filter(|rect| !hides_selected(app, *rect))
    }

    /// Where it would lie at the foot of a field if nobody had asked for its words.
    pub fn folded_rect(&self, ui: &Ui, app: &App, palette: &Palette, field: Rect) -> Option<Rect> {
        self.place(ui, app, palette, (field, 0.0), false)
    }

    /// The same with or without the words that are asked for, whoever is looked at there.
    fn place(
        &self,
        ui: &Ui,
        app: &App,
        palette: &Palette,
        (field, raised): (Rect, f32),
        is_unfolded: bool,
    ) -> Option<Rect> {
        // While an operation is looked into, what it does and the legend of that come first.
        let is_in_the_way = app.has_steps() && !app.is_lesson();
        if !app.shows_caption() || app.bare || is_in_the_way {
            return None;
        }
        if !has_room(app, field) {
            return None;
        }
        let field = app.beside_drawers(field);
        let lines = self.most_lines(ui, app, (field, raised), is_unfolded);
        let (mut width, words) = words(ui, app, palette, field, lines)?;
        let whole = self.whole_height(ui, words.size().y, is_unfolded);
        // It must leave most of the picture: in a low field it is its title alone, and says the rest under the cursor.
        let part = match (is_unfolded, is_lesson_with_room(app, field)) {
            (true, _) => MOST_PART_UNFOLDED,
            (false, true) => MOST_PART_OF_LESSON,
            (false, false) => MOST_PART,
        };
        let says_words = is_unfolded || !self.is_brief;
        let most = field.width() - 2.0 * layout::CHIP;
        let name = elided(ui, &app.scene.name, text(size::NAME), palette.text, most);
        let steps = steps_width(app);
        let height = if says_words && whole + raised < field.height() * part {
            // The switch takes nothing from the name as long as there is room beside the words.
            if steps > 0.0 {
                let buttons = self.buttons_width(ui, app, has_arrows(field));
                let title = 2.0 * INSET + name.size().x + UNFOLDS + steps + buttons;
                width = width.max(title.min(most));
            }
            whole
        } else {
            // As wide as all of it takes, which may be more than its words do.
            let has_arrows = self.has_arrows_beside_title(ui, app, field);
            let whole = self.title_width(ui, app, has_arrows);
            width = whole.min(self.most_of_title(app, field));
            FOLDED
        };
        // Who has asked for the words wants them before the picture.
        let fits = is_unfolded || height + raised < field.height() * 0.55;
        let corner = pos2(
            field.left() + layout::CHIP,
            field.bottom() - layout::CHIP - raised - height,
        );
        let rect = Rect::from_min_size(corner, vec2(width, height));
        // What is being said comes first.
        let mut said = toasts(ui.ctx()).into_iter();
        (fits && !said.any(|toast| toast.intersects(rect))).then_some(rect)
    }

    /// Draws it; its cross closes it, its arrows open the scenes before and after.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        app: &mut App,
        palette: &Palette,
        field: Rect,
        raised: f32,
    ) {
        self.show_beside(ui, app, palette, (field, raised), 0.0);
    }

    /// The same where other chips cover so many points at the foot of the field.
    pub fn show_beside(
        &mut self,
        ui: &mut Ui,
        app: &mut App,
        palette: &Palette,
        (field, raised): (Rect, f32),
        chips: f32,
    ) {
        let is_unfolded = self.is_unfolded(app);
        let rect = self.place(ui, app, palette, (field, raised), is_unfolded);
        // A drawer that opens moves no picture.
        if app.drawn_out == [None; 2] {
            // Nor do words that are asked for: they lie over whatever is there for as long as they are read.
            // In a pane its title alone stands at the very bottom.
            let below = if app.view == View::Compare {
                0.0
            } else {
                raised
            };
            let rect = match is_unfolded {
                true => self.place(ui, app, palette, (field, below), false),
                false => rect,
            };
            let said = rect.map_or(0.0, |rect| match self.is_brief {
                true => layout::CHIP + FOLDED,
                false => field.bottom() - rect.top(),
            });
            app.cover(said.max(chips));
            // What is seen elsewhere does not give way to it.
            let is_of_volume = app.view == View::Volume;
            if is_of_volume && std::mem::replace(&mut app.space.card, rect) != rect {
                // The picture gives way to it in the next frame.
                ui.ctx().request_repaint();
            }
        }
        let Some(rect) = rect.filter(|rect| !hides_selected(app, *rect)) else {
            return;
        };
        let field = app.beside_drawers(field);
        let lines = self.most_lines(ui, app, (field, raised), is_unfolded);
        let Some((_, words)) = words(ui, app, palette, field, lines) else {
            return;
        };
        edge_chip(ui.painter(), palette, rect);
        cover(ui.ctx(), rect);
        place(ui.ctx(), "caption", rect);
        let mut right = close(ui, app, palette, rect.right() - 7.0, rect.top() + 16.0);
        let is_title_alone = rect.height() < TITLE + 10.0;
        // Before the name, however long that is: whoever goes on and on clicks at one place.
        let mut left = rect.left() + INSET;
        let arrows = match is_title_alone {
            true => self.has_arrows_beside_title(ui, app, field),
            false => has_arrows(field),
        };
        if arrows {
            left = self.arrows(ui, app, palette, rect.left() + 7.0, rect.top() + 16.0);
            left = left.max(rect.left() + INSET);
        }
        let is_cut = words.elided || is_title_alone;
        let words_are_cut = words.elided && !is_title_alone;
        let can_fold = is_cut || is_unfolded;
        let mark = match (can_fold, is_title_alone) {
            (true, true) => READ + UNFOLDS,
            (true, false) => UNFOLDS,
            (false, _) => 0.0,
        };
        // There is room left for the beginning of the name.
        if names_steps(app) && right - 10.0 - left - mark - STEPS[1].0 >= LEAST_NAME {
            let cell = steps_cell(ui, app, (left + mark, right - 4.0), rect.top() + 16.0);
            right = cell.0.left();
            steps(ui, app, palette, cell);
        }
        let room = right - left - 6.0 - mark;
        let name = elided(ui, &app.scene.name, text(size::NAME), palette.text, room);
        let at = pos2(left, rect.top() + 8.0);
        let title = Rect::from_min_size(at, name.size() + vec2(mark, 0.0));
        let is_short = name.elided;
        ui.painter().galley(at, name, palette.text);
        let area = Rect::from_min_size(rect.min + vec2(INSET, TITLE), words.size());
        let room = rect.bottom() - FOOT - area.top();
        if !is_title_alone && words.size().y > room + 1.0 {
            // Its right edge is that of the chip, where the bar stands that shows how far it goes on.
            let area = Rect::from_min_max(area.min, pos2(rect.right() - 2.0, area.top() + room));
            let mut child = ui.new_child(UiBuilder::new().max_rect(area));
            // Its fade is on the chip alone.
            child.shrink_clip_rect(rect.shrink(1.0));
            scrolled_up_to(&mut child, palette, "caption.words", room, |ui| {
                let (area, _) = ui.allocate_exact_size(words.size(), Sense::hover());
                ui.painter().galley(area.min, words, palette.text_second);
            });
        } else if !is_title_alone {
            ui.painter().galley(area.min, words, palette.text_second);
        }
        if is_short && !is_title_alone {
            ui.interact(title, Id::new("caption.title"), Sense::hover())
                .on_hover_text(&app.scene.name);
        }
        if can_fold {
            let mut response = self.fold(ui, app, palette, (title, is_title_alone));
            if is_short && is_title_alone {
                response = response.on_hover_text(&app.scene.name);
            }
            if is_cut {
                response.on_hover_text(&app.scene.caption);
            }
        }
        // Where there are words, they tell the rest of them too.
        if words_are_cut {
            ui.interact(area, Id::new("caption.rest"), Sense::hover())
                .on_hover_text(&app.scene.caption);
        }
    }

    /// The title, at whose end stands the mark by which the words unfold and fold: a click on it does so.
    fn fold(
        &mut self,
        ui: &Ui,
        app: &App,
        palette: &Palette,
        (title, is_alone): (Rect, bool),
    ) -> Response {
        let response = ui.interact(title, Id::new("caption.words"), Sense::click());
        let ink = |else_ink| match response.hovered() {
            true => palette.text,
            false => else_ink,
        };
        if is_alone {
            ui.painter().text(
                pos2(title.right() - UNFOLDS, title.center().y),
                Align2::RIGHT_CENTER,
                "read",
                text(size::SECOND),
                ink(palette.accent),
            );
        }
        let at = pos2(title.right() - UNFOLDS / 2.0 + 1.0, title.center().y);
        let is_unfolded = self.is_unfolded(app);
        chevron(ui.painter(), at, !is_unfolded, ink(palette.text_third));
        if response.clicked() {
            self.unfolded = (!is_unfolded).then(|| app.scene.caption.clone());
        }
        response
    }

    /// Which scene is shown, where it came with the program, and of how many; nothing of one without others: then there are no arrows, and no
    /// room is kept for them.
    fn series(&self, app: &App) -> Option<(Option<usize>, usize)> {
        let path = app.path.as_deref()?;
        let series = app.library.series(path);
        let series =
            series.map(|series| (series.is_shipped.then_some(series.number), series.count));
        // What has just been saved under another name is in no list for a moment: the arrows do not go and come back for that.
        series.or_else(|| self.shown.filter(|_| app.library.is_looking(path)))
    }

    /// How wide the cross is with all that is free beside it, and the arrows where it has them.
    fn buttons_width(&self, ui: &Ui, app: &App, has_arrows: bool) -> f32 {
        let series = self.series(app).filter(|_| has_arrows);
        series.map_or(CROSS, |(at, count)| {
            let number = number_of(ui, (at.map(|_| count), count), Color32::WHITE);
            BUTTONS + number.size().x.ceil()
        })
    }

    /// How wide it is as its title alone, none of which is cut.
    fn title_width(&self, ui: &Ui, app: &App, has_arrows: bool) -> f32 {
        let name = name_of(ui, app).size().x.ceil();
        let buttons = self.buttons_width(ui, app, has_arrows);
        2.0 * INSET + name + UNFOLDS + READ + steps_width(app) + buttons
    }

    /// How wide it may be as its title alone: short where it is to be brief, and never wider than with its words.
    fn most_of_title(&self, app: &App, field: Rect) -> f32 {
        let widest = WIDTHS[WIDTHS.len() - 1];
        let most = match self.is_brief {
            true => widest.min(brief_width(app, field) + READ),
            false => widest,
        };
        (most + steps_width(app)).min(field.width() - 2.0 * layout::CHIP)
    }

    /// Whether it has arrows as its title alone; where that is to be brief, before its name is cut for them it has none.
    fn has_arrows_beside_title(&self, ui: &Ui, app: &App, field: Rect) -> bool {
        let fits = || self.title_width(ui, app, true) <= self.most_of_title(app, field);
        has_arrows(field) && (!self.is_brief || fits())
    }

    /// The arrows and the number between them, to the right of `left`; gives where what stands behind them begins.
    fn arrows(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette, left: f32, y: f32) -> f32 {
        self.shown = self.series(app);
        let Some((at, count)) = self.shown else {
            return left;
        };
        // As wide as the widest of them: the arrows stand still while the number goes up. A file of one's own has none.
        let [words, widest] =
            [at, at.map(|_| count)].map(|at| number_of(ui, (at, count), palette.text_third));
        let size = words.size();
        let before = square(left + 10.0, y);
        let wide = size.x.max(widest.size().x);
        let middle = before.right() + 4.0 + wide / 2.0;
        let after = square(before.right() + 8.0 + wide + 10.0, y);
        let at = pos2(middle - size.x / 2.0, y - size.y / 2.0);
        ui.painter().galley(at, words, palette.text_third);
        for (command, name, rect, way) in [
            (Command::PreviousScene, "caption.before", before, -1.0),
            (Command::NextScene, "caption.after", after, 1.0),
        ] {
            let (response, stroke) = button(ui, palette, name, rect);
            let tip = rect.center() + vec2(2.0 * way, 0.0);
            let ends = [-4.0, 4.0].map(|y| tip + vec2(-4.0 * way, y));
            ui.painter().line_segment([ends[0], tip], stroke);
            ui.painter().line_segment([tip, ends[1]], stroke);
            if response.clicked() {
                app.run(command);
            }
            let what = if way < 0.0 { "before" } else { "after" };
            response.on_hover_text(format!("The scene {what} ({}).", keys_of(command)));
        }
        after.right() + 6.0
    }
}

/// The number of a scene between the arrows, of so many.
fn number_of(ui: &Ui, (at, count): (Option<usize>, usize), ink: Color32) -> Arc<Galley> {
    let words = at.map_or(String::new(), |at| format!("{at} of {count}"));
    ui.painter()
        .layout_no_wrap(words, number(size::CAPTION), ink)
}

/// The name of the scene, none of which is cut.
fn name_of(ui: &Ui, app: &App) -> Arc<Galley> {
    let name = app.scene.name.clone();
    ui.fonts(|fonts| fonts.layout_no_wrap(name, text(size::NAME), Color32::WHITE))
}

/// How much room the switch of the steps takes at the least, where it stands on the chip.
fn steps_width(app: &App) -> f32 {
    /// Between it and the cross, in points.
    const BEFORE_CROSS: f32 = 4.0;
    match names_steps(app) {
        true => STEPS[1].0 + BEFORE_CROSS,
        false => 0.0,
    }
}

/// How high a line of its words is.
fn line_height(ui: &Ui) -> f32 {
    ui.fonts(|fonts| fonts.row_height(&text(size::SECOND)))
}

/// Whether it would lie on the object that is selected, in a world: who is looked at comes first, and the picture stays where it stands.
fn hides_selected(app: &App, rect: Rect) -> bool {
    let stream = app.stream.as_ref();
    let stream = stream.filter(|_| app.view == View::Streaming);
    let object = stream.and_then(|it| Some(it.body(it.selection.one()?)));
    object.is_some_and(|body| app.camera.rect_to_screen(body).expand(4.0).intersects(rect))
}

/// A small angle that points up, to what unfolds there, or down, to what folds.
fn chevron(painter: &Painter, at: Pos2, is_up: bool, ink: Color32) {
    let high = if is_up { -2.5 } else { 2.5 };
    let stroke = Stroke::new(1.4, ink);
    let tip = at + vec2(0.0, high);
    for side in [-4.0, 4.0] {
        painter.line_segment([at + vec2(side, -high), tip], stroke);
    }
}

/// The words in so many lines at most, and the width of the chip around them: lower before it is higher than by itself.
fn words(
    ui: &Ui,
    app: &App,
    palette: &Palette,
    field: Rect,
    most_lines: usize,
) -> Option<(f32, Arc<Galley>)> {
    let most = field.width() - 2.0 * layout::CHIP;
    let lay_out = |width: f32, lines: usize| {
        let format = TextFormat::simple(text(size::SECOND), palette.text_second);
        let mut job = LayoutJob::single_section(app.scene.caption.clone(), format);
        job.wrap.max_width = width - 2.0 * INSET;
        job.wrap.max_rows = lines;
        ui.fonts(|fonts| fonts.layout_job(job))
    };
    if most < LEAST_WIDTH {
        return None;
    }
    let widths = WIDTHS.map(|width| width.min(most));
    let few = most_lines.min(MOST_LINES);
    for width in widths {
        let words = lay_out(width, few);
        if !words.elided {
            return Some((width, words));
        }
    }
    let width = widths[widths.len() - 1];
    Some((width, lay_out(width, most_lines)))
}

/// Whether its words name the key by which one steps through something, in a view that has no switch for that over its panes.
fn names_steps(app: &App) -> bool {
    if app.view != View::Compare {
        return false;
    }
    let key = keys_of(Command::LookInto);
    let mut words = app.scene.caption.split(|it: char| !it.is_alphanumeric());
    words.any(|word| word == key)
}

/// Where the switch of the steps lies, which ends at `right`, and its word: the name has all that is between that and `left`.
fn steps_cell(ui: &Ui, app: &App, (left, right): (f32, f32), y: f32) -> (Rect, &'static str) {
    let name = name_of(ui, app);
    let fits = |(width, _): &&(f32, &str)| left + name.size().x + 6.0 + width <= right;
    let (width, word) = STEPS.iter().find(fits).unwrap_or(&STEPS[STEPS.len() - 1]);
    let corner = pos2(right - width, y - 11.0);
    (Rect::from_min_size(corner, vec2(*width, 22.0)), word)
}

/// The switch itself.
fn steps(ui: &mut Ui, app: &mut App, palette: &Palette, (cell, word): (Rect, &str)) {
    let (_, name) = STEPS[0];
    let help = row(Command::LookInto).map_or(String::new(), |row| {
        format!("{} ({})", row.help, keys_of(Command::LookInto))
    });
    let id = "caption.steps";
    if switch_in(
        ui,
        palette,
        id,
        cell,
        (word, name),
        app.is_stepping(),
        &help,
    ) {
        app.run(Command::LookInto);
    }
}

/// The cross whose right edge is at `right`; gives its left edge.
fn close(ui: &mut Ui, app: &mut App, palette: &Palette, right: f32, y: f32) -> f32 {
    let rect = square(right - 10.0, y);
    let (response, stroke) = button(ui, palette, "caption.close", rect);
    for way in [vec2(3.5, 3.5), vec2(3.5, -3.5)] {
        let line = [rect.center() - way, rect.center() + way];
        ui.painter().line_segment(line, stroke);
    }
    if response.clicked() {
        app.run(Command::Caption);
    }
    response.on_hover_text(format!(
        "Close the caption ({} shows it again).",
        keys_of(Command::Caption)
    ));
    rect.left()
}

fn square(x: f32, y: f32) -> Rect {
    Rect::from_center_size(Pos2::new(x, y), Vec2::splat(20.0))
}

/// A small button without a frame, and the line with which its sign is drawn.
fn button(ui: &mut Ui, palette: &Palette, name: &str, rect: Rect) -> (Response, Stroke) {
    let response = ui.interact(rect, Id::new(name), Sense::click());
    place(ui.ctx(), name, rect);
    tell_button(&response, &name.replace('.', " "));
    let color = if response.hovered() {
        ui.painter()
            .rect_filled(rect, CornerRadius::same(4), palette.hover);
        palette.text
    } else {
        palette.text_third
    };
    focus_ring(ui, palette, &response, rect);
    (response, Stroke::new(1.3, color))
}
