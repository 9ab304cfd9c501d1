//! The strip below the field: the tree, the tools, and the steps with their way.

use super::measure::measure;
use super::panel::about;
use super::tree::Tree;
use crate::app::commands::View;
use crate::app::layout::docked;
use crate::app::palette::{Palette, faded, mixed};
use crate::app::state::{App, PACES, Probed};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{
    Found, Icon, asked_way, baseline, elided_at_word, focus_ring, found_once, is_cut,
    measures_together, place, spaced_capitals, tell, tell_button, tell_switch, tell_way,
    with_commas,
};
use crate::app::worker::Telling;
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Galley, Id, Mesh, Rect, Sense, Shape, Stroke, StrokeKind, Ui,
    Vec2, WidgetType, pos2, vec2,
};
use skirmish::probe::Event;
use skirmish::story::Reel;
use skirmish::streaming::Index;
use std::sync::Arc;

/// The tree in a window that is high enough for all of it.
const TREE: f32 = 156.0;
/// The tree in a lower window.
const LOW_TREE: f32 = 96.0;
/// A row of tools.
const TOOLS: f32 = 32.0;
/// Beside the tools that edit, the size of what is asked has room in a strip so wide; in a narrower one it has a row of its own.
const WITH_MEASURE: f32 = 480.0;
/// The steps.
const STEPS: f32 = 44.0;
/// What happens at the present step, and why: two lines, or one where there is hardly any room.
const REASON: f32 = 40.0;
const ONE_LINE: f32 = 20.0;
/// A lower window, in points, has rows that are as low as their controls: the field needs the room.
const LOW: f32 = 560.0;
/// The three of them there.
const LOW_TOOLS: f32 = 26.0;
const LOW_STEPS: f32 = 36.0;
const LOW_REASON: f32 = 32.0;

/// How high a row of tools, and that of the steps, is in a window so high.
fn rows(window: f32) -> (f32, f32) {
    match window < LOW {
        true => (LOW_TOOLS, LOW_STEPS),
        false => (TOOLS, STEPS),
    }
}

/// How high the strip is in a window of this size.
pub fn height(app: &App, window: Vec2) -> f32 {
    let [left, right] = app.settings.layout.sides(window.x);
    let sides = left.unwrap_or(0.0) + right.unwrap_or(0.0);
    let width = window.x - sides - 2.0 * layout::PADDING;
    let (each, steps) = rows(window.y);
    let tools = match has_tools(app, window) {
        true if width < WITH_MEASURE => 3.0 * each,
        true => 2.0 * each,
        false => 0.0,
    };
    reason_height(window) + tree_height(app, window.y) + tools + steps
}

/// Whether there are tools: the steps of a world have none.
fn has_tools(app: &App, window: Vec2) -> bool {
    let stepping = app.stepping.as_ref();
    let is_operation = stepping.is_some_and(|it| it.operation().is_some() || it.wants().is_some());
    is_operation && window.y >= layout::STEP_TOOLS
}

/// What happens stands in the right panel, and here only where there is none.
fn reason_height(window: Vec2) -> f32 {
    match docked(window.x) {
        [_, true] => 0.0,
        _ if window.y < layout::LOWEST => ONE_LINE,
        _ if window.y < LOW => LOW_REASON,
        _ => REASON,
    }
}

/// How high the tree is beside steps and tools: as it was made by its edge, else by what the window has room for.
pub fn tree_height(app: &App, window: f32) -> f32 {
    let height = match window {
        window if window >= 860.0 => TREE,
        window if window >= layout::LOW => LOW_TREE,
        _ => return 0.0,
    };
    app.settings
        .layout
        .tree
        .unwrap_or(height)
        .min(window * 0.45)
        .round()
}

/// How high the strip is where it holds the tree alone.
pub fn alone_height(app: &App, window: Vec2) -> f32 {
    match tree_height(app, window.y) {
        0.0 => LOW_TREE.min(window.y * 0.3),
        height => height,
    }
}

/// Draws the tree alone, of the structure as it stands.
pub fn alone(ui: &mut Ui, app: &mut App, palette: &Palette, tree: &mut Tree) {
    let rect = ui.max_rect().shrink2(vec2(0.0, 3.0));
    let selected = app.selection.one();
    if let Some(diagram) = &mut app.diagram {
        tree.show(ui, diagram, palette, rect, (selected, ""));
    }
}

/// What has to be known of the trees of a decision: those of a dual tree are one, whose nodes have a box for either question.
fn note_of_trees(app: &App) -> &'static str {
    let stream = app.stream.as_ref().filter(|_| app.view == View::Streaming);
    match stream.map(|stream| stream.settings().index) {
        Some(Index::Dual) => "one tree, drawn once for each of its two questions",
        _ => "",
    }
}

/// Draws all of it.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette, tree: &mut Tree) {
    let whole = ui.max_rect();
    let edge = whole.expand2(vec2(layout::PADDING, 0.0));
    let line = Stroke::new(1.0, palette.line);
    let mut top = whole.top();
    let mut row = |height: f32| {
        let rect = Rect::from_min_size(pos2(whole.left(), top), vec2(whole.width(), height));
        top += height;
        rect
    };
    let window = ui.ctx().screen_rect().size();
    let (each, steps) = rows(window.y);
    let said = row(reason_height(window));
    let tree_rect = row(tree_height(app, window.y));
    let has_tools = has_tools(app, window);
    if said.height() > 0.0 {
        reason(ui, app, palette, said);
    }
    if tree_rect.height() > 0.0 {
        let rect = tree_rect.shrink2(vec2(0.0, 3.0));
        let note = note_of_trees(app);
        if let Some(stepping) = &mut app.stepping {
            tree.show(ui, stepping, palette, rect, (None, note));
        }
    }
    if has_tools {
        let (ask, edit) = (row(each), row(each));
        ui.painter().hline(edge.x_range(), ask.top(), line);
        let spread = Spread::of(ui, ask.width());
        tools(ui, app, palette, (ask, spread), "ask", &Probed::ASK);
        let right = tools(ui, app, palette, (edit, spread), "edit", &Probed::EDIT);
        let room = match whole.width() < WITH_MEASURE {
            true => row(each),
            false => edit.with_min_x(right + 16.0),
        };
        measure(ui, app, palette, room);
    }
    let steps = row(steps);
    ui.painter().hline(edge.x_range(), steps.top(), line);
    course(ui, app, palette, steps);
}

/// What happens at the present step, and why.
fn reason(ui: &Ui, app: &App, palette: &Palette, rect: Rect) {
    let told = app.stepping.as_ref().and_then(|stepping| {
        if let Some(words) = stepping.wants() {
            return Some((words.to_owned(), String::new()));
        }
        let reel = stepping.shown()?;
        if let Some(words) = stepping.invitation() {
            return Some((words, String::new()));
        }
        let now = stepping.now()?;
        let (about, reason) = (about(reel, now), &now.reason);
        // Many reasons begin with whom they are about.
        let is_told = reason
            .get(..about.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(&about));
        let whole = match is_told {
            true => format!("{}: {reason}", now.kind()),
            false => format!("{} {about}: {reason}", reel.story().word(now)),
        };
        Some((whole, format!("{}: {reason}", now.kind())))
    });
    let nothing = || ("Nothing has happened yet.".to_owned(), String::new());
    let (whole, short) = told.unwrap_or_else(nothing);
    let [whole, short] = [whole, short].map(|words| measures_together(&words));
    let lay_out = |words: &str| {
        let font = text(size::SECOND);
        // A row for two lines may be a little lower than it was made, for its edges are rounded.
        if rect.height() < ONE_LINE + 1.0 {
            return elided_at_word(ui, words, font, palette.text, rect.width());
        }
        let mut job = LayoutJob::simple(words.to_owned(), font, palette.text, rect.width());
        job.wrap.max_rows = 2;
        ui.fonts(|fonts| fonts.layout_job(job))
    };
    let mut galley = lay_out(&whole);
    if is_cut(&galley, &whole) && !short.is_empty() {
        // Whom it is about is said on the field.
        galley = lay_out(&short);
    }
    let at = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    let is_short = is_cut(&galley, &whole);
    ui.painter().galley(at, galley, palette.text);
    if is_short {
        ui.interact(rect, ui.id().with("reason"), Sense::hover())
            .on_hover_text(whole);
    }
}

/// The name of a tool, laid out.
fn tool_words(ui: &Ui, tool: &Probed) -> Arc<Galley> {
    let (word, font) = (tool.name().to_owned(), text(size::SECOND));
    ui.painter()
        .layout_no_wrap(word, font, Color32::PLACEHOLDER)
}

/// How the tools of both rows stand, so that the rows begin at one edge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    /// How wide the captions of the rows are, in points; none where they have no room.
    caption: f32,
    /// Around the name of a tool, and between two of them, in points.
    beside: f32,
    apart: f32,
}

impl Spread {
    /// What both rows have room for, which are so wide.
    fn of(ui: &Ui, width: f32) -> Self {
        let row = |all: &[Probed]| {
            let words = all.iter().map(|tool| tool_words(ui, tool).size().x);
            (words.sum(), all.len() as f32)
        };
        Self::with_room(width, [row(&Probed::ASK), row(&Probed::EDIT)])
    }

    /// The same of how wide the names in each row are together, and how many.
    fn with_room(width: f32, rows: [(f32, f32); 2]) -> Self {
        let fits = |(wide, count): &(f32, f32)| 40.0 + wide + 22.0 * count <= width;
        if rows.iter().all(fits) {
            return Self {
                caption: 40.0,
                beside: 18.0,
                apart: 4.0,
            };
        }
        // Where they would not fit they stand closer, and without their captions.
        let spare = rows.map(|(wide, count)| (width - wide) / count - 2.0);
        let beside = spare.into_iter().fold(18.0, f32::min).max(2.0);
        Self {
            caption: 0.0,
            beside,
            apart: 2.0,
        }
    }
}

/// A row of tools of which one is in the hand. Gives where it ends.
fn tools(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    (rect, spread): (Rect, Spread),
    caption: &str,
    all: &[Probed],
) -> f32 {
    if spread.caption > 0.0 {
        let at = rect.left_center();
        spaced_capitals(ui.painter(), at, caption, palette.text_third);
    }
    let mut left = rect.left() + spread.caption;
    let chosen = app.stepping.as_ref().map(|it| it.tool);
    for tool in all {
        let word = tool.name();
        let galley = tool_words(ui, tool);
        let cell = Rect::from_min_size(
            pos2(left, rect.center().y - 12.0),
            vec2(galley.size().x + spread.beside, 24.0),
        );
        let response = ui.interact(cell, ui.id().with(("step tool", word)), Sense::click());
        place(ui.ctx(), &format!("step.{word}"), cell);
        let on = chosen == Some(*tool);
        tell_switch(&response, word, on);
        let painter = ui.painter();
        // In a low row its edge would touch the line above that.
        let lit = cell.intersect(rect.shrink2(vec2(0.0, 3.0)));
        if on {
            let fill = mixed(palette.panel, palette.accent, 0.28);
            let line = Stroke::new(1.0, mixed(palette.panel, palette.accent, 0.75));
            painter.rect(lit, CornerRadius::same(4), fill, line, StrokeKind::Inside);
        } else if response.hovered() {
            painter.rect_filled(lit, CornerRadius::same(4), palette.hover);
        }
        focus_ring(ui, palette, &response, lit);
        let ink = if on || response.hovered() {
            palette.text
        } else {
            palette.text_second
        };
        let at = cell.center() - galley.size() / 2.0;
        ui.painter()
            .galley_with_override_text_color(at, galley, ink);
        if response.clicked() {
            app.choose_probed(*tool);
        }
        response.on_hover_text(tool.help());
        left = cell.right() + spread.apart;
    }
    left
}

/// The buttons, which step it is, the way of the steps, and how fast they follow each other.
fn course(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let has_steps = app.has_steps();
    let Some(stepping) = &mut app.stepping else {
        return;
    };
    let middle = rect.center().y;
    let mut left = rect.left();
    let all = with_commas(stepping.len() as u64);
    let lay_out = |of: String| {
        let font = text(size::DESCRIPTION);
        ui.painter().layout_no_wrap(of, font, palette.text_third)
    };
    let plural = if stepping.len() == 1 { "" } else { "s" };
    let mut of = lay_out(format!("of {all} step{plural}"));
    // As wide as the number of the last step, so that nothing moves on the way to it.
    let digits = ui.painter().layout_no_wrap(
        with_commas(stepping.len() as u64),
        number(size::LABEL),
        palette.text,
    );
    let numbers = 8.0 + digits.size().x;
    let has_way = |buttons: f32, of: f32, words: f32| {
        let words = words.max(numbers + of + 14.0);
        rect.width() - buttons * BUTTON - words - layout::BEFORE_PACE - PACE > LEAST_WAY
    };
    // The way itself comes before what it does as well: the buttons to its ends, and then the word of how many steps there are.
    let is_short = !has_way(5.0, 6.0 + of.size().x, WORDS) && has_way(3.0, 0.0, 0.0);
    let buttons = if is_short { 3.0 } else { 5.0 };
    let lacks_room = buttons * BUTTON + numbers + 6.0 + of.size().x > rect.width();
    // Where the way of time lies below it, it begins where that does if a word more or less is all that it takes.
    let [has_left, _] = docked(ui.ctx().screen_rect().width());
    let short = lay_out(format!("of {all}"));
    let ends = |of: f32| buttons * BUTTON + numbers + 6.0 + of + 14.0;
    let is_aligned = !is_short
        && !has_left
        && ends(of.size().x) > layout::WAY
        && ends(short.size().x) <= layout::WAY;
    if lacks_room || is_aligned || is_short && !has_way(3.0, 6.0 + of.size().x, 0.0) {
        of = short;
    }
    let with_of = 6.0 + of.size().x;
    let has_of = !is_short || has_way(3.0, with_of, 0.0);
    for (id, icon, help) in [
        ("first", Icon::First, "To the beginning (Home)."),
        ("back", Icon::Back, "One step back (←, Shift+.)."),
        (
            "play",
            if stepping.plays {
                Icon::Pause
            } else {
                Icon::Play
            },
            "Step after step, or stop (Space).",
        ),
        ("on", Icon::On, "One step on (→, .)."),
        ("last", Icon::Last, "To the end (End)."),
    ] {
        if is_short && matches!(id, "first" | "last") {
            continue;
        }
        let button = Rect::from_min_size(pos2(left, middle - 12.0), vec2(28.0, 24.0));
        left += BUTTON;
        let response = ui.interact(button, ui.id().with(("step", id)), Sense::click());
        place(ui.ctx(), &format!("step.{id}"), button);
        tell(&response, WidgetType::Button, has_steps, help);
        let fill = if response.hovered() && has_steps {
            palette.hover
        } else {
            palette.raised
        };
        // Of this transport and the one of the battle below it the lit one is in charge.
        let is_lit = id == "play" && has_steps;
        let border = if is_lit { palette.accent } else { palette.line };
        let line = Stroke::new(1.0, border);
        ui.painter().rect(
            button,
            CornerRadius::same(4),
            fill,
            line,
            StrokeKind::Inside,
        );
        focus_ring(ui, palette, &response, button);
        let ink = if has_steps {
            palette.text
        } else {
            faded(palette.text, 0.4)
        };
        icon.draw(ui.painter(), button.center(), ink);
        if response.clicked() && has_steps {
            match id {
                "first" => stepping.step(isize::MIN),
                "back" => stepping.step(-1),
                "play" => stepping.toggle(),
                "on" => stepping.step(1),
                _ => stepping.step(isize::MAX),
            }
        }
        response.on_hover_text(help);
    }
    let step = with_commas(stepping.at() as u64);
    let painter = ui.painter();
    let step = painter.layout_no_wrap(step, number(size::LABEL), palette.text);
    let at = pos2(left + 8.0, middle - step.size().y / 2.0);
    // How many there are stands on one line with it, in smaller letters.
    let of_at = at + vec2(step.size().x + 6.0, baseline(&step) - baseline(&of));
    painter.galley(at, step, palette.text);
    // What there is no room for is left out: how many there are, and before that how many a second.
    let ends = left + numbers + if has_of { with_of } else { 0.0 };
    let right = if ends + layout::BEFORE_PACE + PACE <= rect.right() {
        pace(ui, palette, stepping, rect)
    } else {
        rect.right()
    };
    if has_of && ends <= right {
        ui.painter().galley(of_at, of, palette.text_third);
    }
    let begin = match is_short {
        true => ends + 14.0,
        false => (left + WORDS).max(ends + 14.0),
    };
    let way = Rect::from_x_y_ranges(begin..=right - layout::BEFORE_PACE, rect.y_range());
    if way.width() > LEAST_WAY {
        scrub(ui, palette, stepping, way.shrink2(vec2(0.0, OFF_WAY)));
    }
}

/// Above the way of the steps, and below it, in points.
const OFF_WAY: f32 = 6.0;
/// How wide what sets the pace is, in points.
const PACE: f32 = layout::PACE;
/// From button to button, in points.
const BUTTON: f32 = layout::BUTTONS;
/// The room of the numbers at the least, where there is room, in points.
const WORDS: f32 = layout::WAY - 5.0 * BUTTON;
/// A shorter way cannot be aimed at, in points.
const LEAST_WAY: f32 = 60.0;

/// How many steps a second, slower and faster. Gives where it begins.
fn pace(
    ui: &mut Ui,
    palette: &Palette,
    stepping: &mut crate::app::state::Stepping,
    rect: Rect,
) -> f32 {
    let middle = rect.center().y;
    let mut new = stepping.pace;
    for (word, x, factor) in [("−", PACE, 0.5), ("+", 24.0, 2.0)] {
        let button = Rect::from_min_size(pos2(rect.right() - x, middle - 12.0), vec2(24.0, 24.0));
        let response = ui.interact(button, ui.id().with(("step pace", word)), Sense::click());
        let id = if factor > 1.0 {
            "step.faster"
        } else {
            "step.slower"
        };
        place(ui.ctx(), id, button);
        tell_button(
            &response,
            if factor > 1.0 {
                "More steps a second"
            } else {
                "Fewer steps a second"
            },
        );
        let fill = if response.hovered() {
            palette.hover
        } else {
            palette.raised
        };
        ui.painter()
            .rect_filled(button, CornerRadius::same(4), fill);
        focus_ring(ui, palette, &response, button);
        let font = number(size::LABEL);
        ui.painter().text(
            button.center(),
            Align2::CENTER_CENTER,
            word,
            font,
            palette.text,
        );
        if response.clicked() {
            new = stepping.pace * factor;
        }
        response.on_hover_text(if factor > 1.0 {
            "Twice as many steps a second (M)."
        } else {
            "Half as many steps a second (,)."
        });
    }
    stepping.set_pace(new.clamp(PACES.0, PACES.1));
    let words = if stepping.pace < 1.0 {
        format!("{} / s", stepping.pace)
    } else {
        format!("{} / s", with_commas(stepping.pace as u64))
    };
    ui.painter().text(
        pos2(rect.right() - PACE / 2.0, middle),
        Align2::CENTER_CENTER,
        words,
        number(size::CAPTION),
        palette.text_second,
    );
    rect.right() - PACE
}

/// How high the tick of an event is, in points, and whether it is a find.
fn tick(event: Event) -> f32 {
    match event {
        Event::Accept(_) | Event::Split(_) | Event::Merge(_) => 18.0,
        Event::Visit(_) | Event::Refit(_) => 11.0,
        Event::Hit(_) | Event::HitPair(..) => 8.0,
        Event::Prune(_) => 7.0,
        _ => 5.0,
    }
}

/// The highest tick of each column of points, of a story.
type Columns = Arc<Found<Telling, usize, Vec<(f32, bool)>>>;

fn columns(ui: &Ui, told: &Arc<Telling>, reel: &Reel, width: usize) -> Columns {
    found_once(ui.ctx(), Id::new("step columns"), told, &width, || {
        let count = width.min(reel.len()).max(1);
        let mut ticks = vec![(0.0_f32, false); count];
        for (at, step) in reel.story().steps.iter().enumerate() {
            let column = &mut ticks[at * count / reel.len()];
            column.0 = column.0.max(tick(step.event));
            column.1 |= matches!(step.event, Event::Hit(_) | Event::HitPair(..));
        }
        ticks
    })
}

/// The way of the steps: a tick an event, or the highest of several; a press or a drag goes there.
fn scrub(ui: &mut Ui, palette: &Palette, stepping: &mut crate::app::state::Stepping, rect: Rect) {
    place(ui.ctx(), "step.way", rect);
    let response = ui.interact(rect, ui.id().with("step way"), Sense::click_and_drag());
    let len = stepping.len();
    if let Some(at) = response.interact_pointer_pos() {
        let part = f64::from(((at.x - rect.left()) / rect.width()).clamp(0.0, 1.0));
        stepping.plays = false;
        stepping.go_to((part * len as f64).round() as usize);
    }
    tell_way(&response, "Steps", stepping.at() as f64);
    let way = asked_way(ui, &response);
    if way != 0.0 {
        stepping.plays = false;
        stepping.step(way as isize);
    }
    let now = stepping.at();
    let x_of = |at: usize| rect.left() + rect.width() * (at as f64 / len.max(1) as f64) as f32;
    let bottom = rect.center().y + 9.0;
    let painter = ui.painter();
    painter.hline(
        rect.x_range(),
        bottom,
        Stroke::new(1.0, palette.strong_line),
    );
    let shown = stepping.shown().filter(|reel| !reel.is_empty());
    if let (Some(reel), Some(told)) = (shown, &stepping.told) {
        let columns = columns(ui, told, reel, (rect.width() / 2.0) as usize);
        let ticks = &columns.value;
        // Of many each is as wide as all others, to the pixel: else they would be a carpet here and there.
        let each = match ticks.len() < (rect.width() / 2.0) as usize {
            true => rect.width() / ticks.len() as f32,
            false => 2.0,
        };
        let wide = (each * 0.6).clamp(1.0, 4.0);
        let mut mesh = Mesh::default();
        for (column, (height, has_hit)) in ticks.iter().enumerate() {
            let left = rect.left() + each * column as f32;
            let color = if *has_hit {
                palette.text
            } else {
                palette.accent
            };
            let color = if left <= x_of(now) - each / 2.0 {
                faded(color, 0.85)
            } else {
                faded(palette.text_third, 0.34)
            };
            let bar = Rect::from_min_max(pos2(left, bottom - height), pos2(left + wide, bottom));
            mesh.add_colored_rect(bar, color);
        }
        painter.add(Shape::mesh(mesh));
    }
    let x = x_of(now);
    let cursor = Rect::from_x_y_ranges(x - 1.25..=x + 1.25, rect.y_range());
    painter.rect_filled(cursor, CornerRadius::same(1), palette.mark);
    let knob = vec![
        pos2(x - 4.0, rect.top() - 2.0),
        pos2(x + 4.0, rect.top() - 2.0),
        pos2(x, rect.top() + 4.0),
    ];
    painter.add(Shape::convex_polygon(knob, palette.mark, Stroke::NONE));
    focus_ring(ui, palette, &response, rect);
    response.on_hover_text("Each event is a bar: press or drag to go there.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_low_window_the_rows_below_the_field_are_lower_and_hold_their_controls() {
        let sum = |window: f32| {
            let (tools, steps) = rows(window);
            // A control is 24 points high.
            assert!(tools >= 24.0 && steps - 2.0 * OFF_WAY >= 24.0);
            2.0 * tools + steps + reason_height(vec2(640.0, window))
        };
        assert_eq!(sum(768.0), 148.0);
        assert_eq!(sum(480.0), 120.0);
        // One line of words in the lowest.
        assert_eq!(reason_height(vec2(640.0, 300.0)), ONE_LINE);
        assert_eq!(reason_height(vec2(640.0, 480.0)), LOW_REASON);
    }

    #[test]
    fn both_rows_of_tools_begin_at_one_edge_and_fit() {
        let rows = [(300.0, 9.0), (160.0, 4.0)];
        let wide = Spread::with_room(700.0, rows);
        assert_eq!((wide.caption, wide.beside), (40.0, 18.0));
        // The second one would have room for its caption.
        let narrow = Spread::with_room(400.0, rows);
        assert_eq!(narrow.caption, 0.0);
        for (words, count) in rows {
            assert!(words + count * (narrow.beside + narrow.apart) <= 400.5);
        }
    }
}
