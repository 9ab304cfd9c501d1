//! The line above a pane: which structure it is, how it is set, what a tick costs it.

use super::figures::{Figures, TIME};
use super::lane;
use crate::app::palette::Palette;
use crate::app::set_words::{knob_in_words, knobs_told};
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::view::structures::{knob_caption, knob_rows, structure_list};
use crate::app::widgets::{cover, duration, elided, focus_ring, place, tell_button, with_commas};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Frame, Id, Margin, PopupCloseBehavior, Rect, Response, Sense,
    Shape, Stroke, Ui, popup_below_widget, pos2, vec2,
};

/// In a narrower line nothing is between the name and the cross, not even what a tick costs, in points.
const NARROW: f32 = 220.0;

/// The mark before a name, and the triangle and the cross behind it, take so much of a pane, in points.
const BESIDE_NAME: f32 = 90.0;

/// How much is said of what a tick costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Value,
    /// With a word of what it is of.
    Word,
    /// With all of it.
    Whole,
    /// The same at rest, where that is longer.
    WholeAtRest,
}

impl Told {
    /// What has room in a line of this width.
    fn of(width: f32, figures: &Figures) -> Self {
        let is_of_build = figures.at_rest && figures.times.is_some();
        match width {
            ..NARROW => Self::Nothing,
            ..290.0 => Self::Value,
            ..320.0 => Self::Word,
            ..360.0 if is_of_build => Self::Word,
            _ if is_of_build => Self::WholeAtRest,
            _ => Self::Whole,
        }
    }

    /// How much room it takes, in points.
    const fn room(self) -> f32 {
        match self {
            Self::Nothing => 0.0,
            Self::Value => 80.0,
            Self::Word => 118.0,
            Self::Whole => 150.0,
            Self::WholeAtRest => 186.0,
        }
    }
}

/// Draws it; what is clicked in it acts.
pub fn header(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    rect: Rect,
    at: usize,
    figures: &Figures,
) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, palette.panel);
    cover(ui.ctx(), rect);
    let color = if figures.stands {
        palette.error
    } else {
        lane::color(palette, at)
    };
    painter.rect_filled(rect.with_max_y(rect.top() + 2.0), CornerRadius::ZERO, color);
    let middle = rect.center().y + 1.0;
    lane::mark(&painter, palette, at, pos2(rect.left() + 18.0, middle), 5.5);

    let right = drop_button(ui, app, palette, rect, at);
    let left = cost(
        ui,
        app,
        palette,
        (pos2(right, middle), rect.width()),
        figures,
    );
    let names = Rect::from_x_y_ranges(
        rect.left() + 30.0..=left - if rect.width() < NARROW { 0.0 } else { 10.0 },
        middle - 14.0..=middle + 14.0,
    );
    let cost = Told::of(rect.width(), figures).room();
    let from = structure(ui, app, palette, (names, rect.width() - cost), at);
    knobs(ui, app, palette, names.with_min_x(from + 6.0), at);
}

/// The name of the structure, which opens the list of all. `pane` is the width of the line without what a tick costs. Gives where it ends.
fn structure(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    (room, pane): (Rect, f32),
    at: usize,
) -> f32 {
    let name = app.lanes[at].structure.info().name;
    // Half a name would be read as another: in a narrow pane it is smaller.
    // And then all are: panes are alike wide, whatever stands beside their names.
    let lay_out = |name: &str, size, width| elided(ui, name, text(size), palette.text, width);
    let mut names = app.lanes.iter().map(|lane| lane.structure.info().name);
    let is_narrow = names.any(|name| lay_out(name, size::NAME + 1.0, pane - BESIDE_NAME).elided);
    let size = if is_narrow {
        size::NAME - 1.5
    } else {
        size::NAME + 1.0
    };
    let words = lay_out(name, size, room.width() - 20.0);
    let button = room.with_max_x(room.left() + words.size().x + 28.0);
    let response = opener(ui, palette, &format!("lane.{at}.structure"), button);
    tell_button(&response, &format!("Lane {}: {name}", at + 1));
    let top = button.center().y - words.size().y / 2.0;
    ui.painter()
        .galley(pos2(button.left() + 6.0, top), words, palette.text);
    let list = ui.id().with(("lane structures", at));
    let is_open = toggled(ui, app, list, &response);
    let chosen = app.lanes[at].structure.kind();
    let picked = popup_below_widget(
        ui,
        list,
        &response,
        PopupCloseBehavior::CloseOnClick,
        |ui| {
            padded(ui, 300.0, |ui| {
                structure_list(
                    ui,
                    palette,
                    &format!("lane.{at}.structure"),
                    (&chosen.siblings(), Some(chosen)),
                    (at == 0, true),
                )
            })
        },
    );
    if let Some(kind) = picked.flatten() {
        app.choose_lane(at, kind);
    }
    if !is_open {
        response.on_hover_text("Give this lane another structure; the battle goes on.");
    }
    button.right()
}

/// How it is set, which opens its knobs.
fn knobs(ui: &mut Ui, app: &mut App, palette: &Palette, room: Rect, at: usize) {
    if app.lanes[at].structure.info().knobs.is_empty() {
        return;
    }
    let lanes = app.lanes.iter().enumerate();
    let others: Vec<_> = lanes
        .filter(|(other, _)| *other != at)
        .map(|(_, lane)| &lane.structure)
        .collect();
    let told = knobs_told(&app.lanes[at].structure, &others);
    let lay_out = |words: String| {
        let font = number(size::CAPTION);
        ui.painter().layout_no_wrap(words, font, palette.text_third)
    };
    let all = said_of_knobs(&told);
    let mut fitting = all.iter().map(|words| lay_out(words.clone()));
    let Some(words) = fitting.find(|words| words.size().x <= room.width() - 28.0) else {
        return;
    };
    let is_whole = Some(words.text()) == all.first().map(String::as_str);
    let button = room.with_max_x(room.left() + words.size().x + 28.0);
    let response = opener(ui, palette, &format!("lane.{at}.knobs"), button);
    tell_button(&response, &format!("Knobs of lane {}", at + 1));
    let top = button.center().y - words.size().y / 2.0;
    ui.painter()
        .galley(pos2(button.left() + 6.0, top), words, palette.text_third);
    let list = ui.id().with(("lane knobs", at));
    let is_open = toggled(ui, app, list, &response);
    app.menu_sets |= is_open;
    let lane = &app.lanes[at];
    let structure = &lane.structure;
    let turned = popup_below_widget(
        ui,
        list,
        &response,
        PopupCloseBehavior::CloseOnClickOutside,
        |ui| {
            padded(ui, 260.0, |ui| {
                let id = format!("lane.{at}.knob");
                let reset = knob_caption(ui, palette, &id, structure);
                (reset, knob_rows(ui, palette, &id, lane))
            })
        },
    );
    match turned {
        Some((true, _)) => app.reset_lane_knobs(at),
        Some((_, Some((knob, value)))) => app.set_lane_knob(at, knob, value),
        _ => {}
    }
    if !is_open {
        let unsaid = all.first().filter(|_| !is_whole);
        let unsaid = unsaid.map_or(String::new(), |words| format!(" {words}."));
        response.on_hover_text(format!("The knobs of this structure.{unsaid}"));
    }
}

/// What may be said of knobs in a line, the most first: all of them, fewer and that there are more, the value of one alone, or that there
/// are some. Half a name would say nothing.
fn said_of_knobs(told: &[(&str, String)]) -> Vec<String> {
    let many = (1..=told.len()).rev();
    let words = many.map(|count| {
        let knobs = told[..count].iter();
        let knobs: Vec<String> = knobs
            .map(|(name, value)| knob_in_words(name, value))
            .collect();
        let more = if count < told.len() { " · …" } else { "" };
        knobs.join(" · ") + more
    });
    let value = told.first().map(|(_, value)| value.clone());
    words.chain(value).chain(["knobs".to_owned()]).collect()
}

/// A part of the line that opens something below it: its background, and the triangle at its right end.
fn opener(ui: &mut Ui, palette: &Palette, id: &str, rect: Rect) -> Response {
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    place(ui.ctx(), id, rect);
    if response.hovered() {
        ui.painter()
            .rect_filled(rect, CornerRadius::same(4), palette.hover);
    }
    focus_ring(ui, palette, &response, rect);
    let tip = rect.right_center() + vec2(-11.0, 3.0);
    let corners = vec![tip, tip + vec2(-4.0, -5.0), tip + vec2(4.0, -5.0)];
    ui.painter().add(Shape::convex_polygon(
        corners,
        palette.text_third,
        Stroke::NONE,
    ));
    response
}

/// Opens or closes a popup by a click, and says whether it is open. Escape then closes that and nothing else.
fn toggled(ui: &Ui, app: &mut App, list: Id, response: &Response) -> bool {
    if response.clicked() {
        ui.memory_mut(|memory| memory.toggle_popup(list));
    }
    let is_open = ui.memory(|memory| memory.is_popup_open(list));
    app.menu_open |= is_open;
    is_open
}

/// The content of a popup, off its edges.
pub fn padded<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    Frame::new()
        .inner_margin(Margin::symmetric(8, 4))
        .show(ui, |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui)
        })
        .inner
}

/// What a tick costs: its time, or its tests where no clock is shown. Gives where that begins.
fn cost(
    ui: &Ui,
    app: &App,
    palette: &Palette,
    (right, width): (egui_macroquad::egui::Pos2, f32),
    figures: &Figures,
) -> f32 {
    let (value, [unit, word, whole]) = cost_in_words(figures, !app.fixed);
    // The name of the structure comes first, then the value, then what it is of.
    let unit = match Told::of(width, figures) {
        Told::Nothing => return right.x,
        Told::Value => unit,
        Told::Word => word,
        Told::Whole | Told::WholeAtRest => whole,
    };
    let unit = ui.painter().text(
        right,
        Align2::RIGHT_CENTER,
        unit,
        number(size::CAPTION),
        palette.text_third,
    );
    let value = ui.painter().text(
        pos2(unit.left() - 6.0, right.y),
        Align2::RIGHT_CENTER,
        value,
        number(size::NAME + 1.5),
        palette.text,
    );
    value.left()
}

/// That in words, and what stands behind it: where there is little room, where there is more, and all of it.
fn cost_in_words(figures: &Figures, has_clock: bool) -> (String, [String; 3]) {
    match ((TIME.of)(figures).filter(|_| has_clock), figures.counted) {
        (Some(micros), _) => {
            let about = TIME.doubtful_from(figures).map_or("", |_| "~");
            let (words, unit) = duration(micros);
            // Nothing builds anew in each frame: at rest this is no time of one.
            let of = match figures.at_rest {
                true => "build + query",
                false => "a tick",
            };
            // It changes with the value, and stands wherever that does.
            let unit = unit.to_owned();
            let whole = format!("{unit} {of}");
            (format!("{about}{words}"), [unit.clone(), unit, whole])
        }
        (None, Some([tests, ..])) => {
            let units = ["", "tests", "tests a tick"];
            (with_commas(tests), units.map(str::to_owned))
        }
        (None, None) => {
            let units = ["", "", "not measured yet"];
            ("–".to_owned(), units.map(str::to_owned))
        }
    }
}

/// The cross that ends a lane; the first one stays. Gives where the line ends for what stands before it.
fn drop_button(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect, at: usize) -> f32 {
    if at == 0 {
        return rect.right() - 14.0;
    }
    let button = Rect::from_center_size(
        pos2(rect.right() - 20.0, rect.center().y + 1.0),
        vec2(24.0, 24.0),
    );
    let id = format!("lane.{at}.drop");
    let response = ui.interact(button, ui.id().with(&id), Sense::click());
    place(ui.ctx(), &id, button);
    tell_button(&response, &format!("End lane {}", at + 1));
    let color: Color32 = if response.hovered() {
        ui.painter()
            .rect_filled(button, CornerRadius::same(4), palette.hover);
        palette.text
    } else {
        palette.text_third
    };
    focus_ring(ui, palette, &response, button);
    let stroke = Stroke::new(1.3, color);
    for way in [vec2(4.0, 4.0), vec2(4.0, -4.0)] {
        ui.painter()
            .line_segment([button.center() - way, button.center() + way], stroke);
    }
    if response.clicked() {
        app.drop_lane(at);
    }
    response.on_hover_text("End this lane.");
    button.left() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;

    #[test]
    fn what_a_tick_costs_is_read_in_the_unit_that_suits_it_and_has_that_in_a_narrow_line_too() {
        let mut figures = Figures::example(Kind::Bvh, 8_797, Some((4.2, 16.1)), 1);
        let (value, units) = cost_in_words(&figures, true);
        assert_eq!(value, "20.3");
        assert_eq!(units, ["µs", "µs", "µs a tick"]);
        figures.times = Some((300.0, 1_340.0));
        (figures.at_rest, figures.doubtful_from) = (true, [Some(100.0), None]);
        let (value, units) = cost_in_words(&figures, true);
        assert_eq!(value, "~1.64");
        assert_eq!(units, ["ms", "ms", "ms build + query"]);
        let (value, units) = cost_in_words(&figures, false);
        assert_eq!(value, "8,797");
        assert_eq!(units, ["", "tests", "tests a tick"]);
    }

    #[test]
    fn knobs_are_said_whole_or_not_at_all() {
        let told = [
            ("cell size", "8.2 m".to_owned()),
            ("capacity", "16 units".to_owned()),
        ];
        let words = [
            "cell size 8.2 m · capacity 16 units",
            "cell size 8.2 m · …",
            "8.2 m",
            "knobs",
        ];
        assert_eq!(said_of_knobs(&told), words);
        assert_eq!(said_of_knobs(&[]), ["knobs"]);
    }
}
