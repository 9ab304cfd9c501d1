//! What lies over the world: the boxes, the way of the character, and the chips at the edges.

use super::boxes::{
    has_trees, intersection_name, names, of_everybody, rectangles, stroke_of, trees, way_ahead,
};
use super::drawn;
use super::objects::dashes_and_hatches;
use crate::app::commands::{Command, Layer};
use crate::app::glossary;
use crate::app::layout::docked;
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, Layers};
use crate::app::stream::Stream;
use crate::app::theme::{layout, size, text};
use crate::app::view::caption::{Caption, above_legend};
use crate::app::view::chips::{
    MORE, edge_chip, layer_chip, left_out, look_chip, right_of_legend, rows_of, scale_chip,
    title_chip, with_room_for_more,
};
use crate::app::view::field::{Look, selection_box};
use crate::app::view::marks::{border, hatch, label, out_of_sight, state_icon, stopped};
use crate::app::view::step::Step;
use crate::app::widgets::{about, cover, look_at, occupied};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui,
    Vec2 as ScreenVec2, pos2, vec2,
};
use skirmish::geometry::Vec2;
use skirmish::scene::ViewBox;
use skirmish::streaming::{Index, State};
use std::ops::Range;

/// The width of the switches of the layers, in points.
const LAYER_CHIP: f32 = 512.0;

/// And where a decision is gone through.
const STEPS_CHIP: f32 = 152.0;

/// What may be looked at beside the field.
const LOOKS: [Command; 1] = [Command::LookInto];

/// The caption stands so far above the foot of the legend, in points, where that has one row.
const ABOVE_LEGEND: f32 = 38.0;

/// A field so high, in points, has room for a second row, and a little higher for a third.
const HIGH: f32 = 300.0;

/// From one row of the legend to the next, in points.
const ROW: f32 = 19.0;

/// All that egui draws over the world, the chips included.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette, caption: &mut Caption, step: &Step) {
    let means = if app.has_steps() {
        step.legend_rect(ui, app, palette, app.free_field().shrink(layout::CHIP))
    } else {
        None
    };
    let laid = lay(ui, app, palette).filter(|_| !app.has_steps());
    let lies = means.or(laid.as_ref().map(|it| it.rect));
    let more = lies.map_or(0.0, |rect| rect.height() - 30.0);
    let raised = above_legend(app.camera.screen, ABOVE_LEGEND + more);
    let painter = ui.painter().with_clip_rect(app.camera.screen);
    border(&painter, app.camera, app.scene.field, palette);
    // While one steps, Home goes to the first step.
    if !app.has_steps() {
        out_of_sight(
            &painter,
            app.camera,
            app.scene.field,
            app.free_field(),
            palette,
        );
    }
    stopped(&painter, app.camera, app, palette);
    if let Some(stream) = &app.stream {
        look_at(ui.ctx(), character_place(app, stream));
        dashes_and_hatches(&painter, app, stream, palette);
        // Before the names of objects and boxes, of which it strikes none through.
        if app.layers.shows(Layer::Path) {
            path(&painter, app, stream, palette);
        }
        recording(&painter, app, stream, palette);
        names(&painter, app, stream, palette);
        trees(&painter, app, stream, palette);
        rectangles(&painter, app, stream, palette);
        if app.layers.shows(Layer::Path) {
            moments(&painter, app, stream, palette);
        }
        intersection_name(&painter, app, stream, palette);
        character(&painter, app, stream, palette);
        drawn::show(&painter, app, stream, palette);
        let boxed = (app.boxed, stream.selection.len());
        selection_box(&painter, &app.camera, boxed, palette);
        if app.has_steps() {
            // The chips at the top, from edge to edge.
            let field = app.camera.screen;
            let chips = field.with_max_y(field.top() + layout::CHIP + 30.0);
            let said = caption.rect(ui, app, palette, field, raised);
            let mut taken = occupied(ui.ctx());
            taken.extend([Some(chips), said, means].into_iter().flatten());
            let look = Look {
                taken: &taken,
                ..Look::first(app)
            };
            step.overlay(ui, &look, app, palette);
        }
        if app.bare {
            return;
        }
        let detail = format!("{} objects", about(stream.objects().len() as u64));
        let (shown, width): (&[Layer], f32) = match app.has_steps() {
            true => (&Layer::STEPS_OF_WORLD, STEPS_CHIP),
            false => (&Layer::STREAMING, LAYER_CHIP),
        };
        let title = app.scene.name.clone();
        let layers = layer_chip(ui, app, palette, shown, (width, &LOOKS, (&title, &detail)));
        let chips = look_chip(ui, app, palette, layers, &LOOKS);
        title_chip(ui, app, palette, (&title, &detail), chips);
    }
    // In a low field the caption has its place.
    let field = app.camera.screen;
    let said = caption.rect(ui, app, palette, field, raised);
    let foot = field.with_min_y(field.bottom() - layout::CHIP - 30.0 - more);
    if !said.is_some_and(|said| said.intersects(foot)) {
        if app.has_steps() {
            step.legend(ui, app, palette, app.free_field().shrink(layout::CHIP));
        } else if let Some(laid) = &laid {
            legend(ui, palette, laid);
        }
    }
    caption.show(ui, app, palette, field, raised);
    scale_chip(ui, app.camera, app.free_field(), palette);
}

/// So many seconds ahead the way of the character is marked.
const SECONDS: [f32; 3] = [1.0, 2.0, 3.0];

/// The way gone, the path ahead, and where the character will be in one, two and three seconds.
fn path(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let stroke = Stroke::new(1.2, faded(palette.mark, 0.35));
    route(painter, app, stream.trail().iter().copied(), stroke);
    let stroke = Stroke::new(1.0, faded(palette.text_third, 0.45));
    route(painter, app, way_ahead(stream).into_iter(), stroke);
    let from = app.camera.to_screen(stream.character());
    let ahead = app.camera.to_screen(stream.predicted(3.0));
    if (ahead - from).length() < 24.0 {
        return;
    }
    // On dark objects and on light ones it stands out of them.
    let ground = faded(palette.field, 0.6);
    painter.line_segment([from, ahead], Stroke::new(4.0, ground));
    painter.extend(Shape::dashed_line(
        &[from, ahead],
        Stroke::new(1.4, palette.mark),
        6.0,
        4.0,
    ));
    for seconds in SECONDS {
        let at = app.camera.to_screen(stream.predicted(seconds));
        painter.circle(at, 4.0, ground, Stroke::NONE);
        painter.circle_stroke(at, 3.0, Stroke::new(1.2, palette.mark));
    }
}

/// The way that is being recorded, as far as it goes by now. Who makes it sees it, whichever layers are shown.
fn recording(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let way = || stream.recorded_way().iter().copied();
    let ground = Stroke::new(4.0, faded(palette.field, 0.6));
    route(painter, app, way(), ground);
    route(
        painter,
        app,
        way(),
        Stroke::new(1.6, faded(palette.error, 0.8)),
    );
}

/// The line from point to point.
fn route(painter: &Painter, app: &App, points: impl Iterator<Item = Vec2>, stroke: Stroke) {
    let places: Vec<Pos2> = points.map(|point| app.camera.to_screen(point)).collect();
    if places.len() > 1 {
        painter.add(Shape::line(places, stroke));
    }
}

/// When the character will be where on its way. Over the lines of all boxes: none of them strikes it through.
fn moments(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let from = app.camera.to_screen(stream.character());
    let ahead = app.camera.to_screen(stream.predicted(3.0));
    if (ahead - from).length() <= 150.0 {
        return;
    }
    for seconds in SECONDS {
        let at = app.camera.to_screen(stream.predicted(seconds));
        let words = format!("{seconds} s");
        label(painter, palette, at + vec2(-10.0, -6.0), &words);
    }
}

/// How large the circle of the character is, in points.
const CHARACTER: f32 = 13.0;

/// Where that lies.
fn character_place(app: &App, stream: &Stream) -> Rect {
    let at = app.camera.to_screen(stream.character());
    Rect::from_center_size(at, ScreenVec2::splat(2.0 * CHARACTER + 2.0))
}

fn character(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let at = app.camera.to_screen(stream.character());
    painter.circle_filled(at, CHARACTER, faded(palette.field, 0.8));
    painter.circle_stroke(
        at,
        CHARACTER,
        Stroke::new(if stream.is_grabbed() { 2.5 } else { 1.8 }, palette.mark),
    );
    // What happens at a step is drawn over it, and may be as small as its arrow.
    let ink = match app.has_steps() {
        true => faded(palette.mark, 0.45),
        false => palette.mark,
    };
    let way = stream
        .velocity()
        .try_normalize()
        .unwrap_or(Vec2::new(0.0, -1.0));
    let (along, across) = (vec2(way.x, way.y), vec2(-way.y, way.x));
    let corners = [
        at + along * 8.0,
        at - along * 5.5 + across * 5.5,
        at - along * 2.5,
        at - along * 5.5 - across * 5.5,
    ];
    // The notch makes it concave, so it is two triangles.
    for triangle in [[0, 1, 2], [0, 2, 3]] {
        let points = triangle.map(|index| corners[index]).to_vec();
        painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
    }
}

/// What the legend says, and where.
struct Laid {
    rect: Rect,
    /// Which entries stand in each row.
    rows: Vec<Range<usize>>,
    form: Form,
    /// How wide each entry is with what lies behind it.
    widths: Vec<f32>,
    entries: Vec<Named>,
    /// How many of them are said, from the first on; the number of the others stands behind the last one.
    said: usize,
}

/// How close its entries stand.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Form {
    /// How long a line is that stands for an entry, what is between that and the word, and what lies behind this, in points.
    sample: f32,
    before: f32,
    behind: f32,
    /// Before the first entry of a row.
    inset: f32,
}

/// Roomy where all stand in one row, and closer where not.
const ROOMY: Form = Form {
    sample: 24.0,
    before: 6.0,
    behind: 16.0,
    inset: 12.0,
};
const CLOSER: Form = Form {
    sample: 16.0,
    before: 6.0,
    behind: 12.0,
    inset: 12.0,
};
/// As close as can be without that lines are no longer told apart by their dashes, where that saves a row or an entry.
const CLOSE: Form = Form {
    sample: 16.0,
    before: 5.0,
    behind: 9.0,
    inset: 9.0,
};

impl Form {
    /// The first of these in which entries with words so wide stand in as few rows as can be, of which there are `most`, and none is left out
    /// that could be there beside the number of such; with the widths of the entries, which of them stand in each row, and how many these are.
    fn of(words: &[f32], room: f32, most: usize) -> (Self, Vec<f32>, Vec<Range<usize>>, usize) {
        let laid = |form: Self, most: usize| {
            let around = form.sample + form.before + form.behind;
            let widths: Vec<f32> = words.iter().map(|word| word + around).collect();
            let mut rows = rows_of(&widths, room - form.inset, most);
            let fits = |row: &Range<usize>| form.wide_of(&widths, row) + MORE <= room;
            let said = with_room_for_more(&mut rows, words.len(), fits);
            (form, widths, rows, said)
        };
        let roomy = laid(ROOMY, 1);
        if roomy.3 == words.len() {
            return roomy;
        }
        let (closer, close) = (laid(CLOSER, most), laid(CLOSE, most));
        let key = |(_, _, rows, said): &(_, _, Vec<Range<usize>>, usize)| {
            (words.len() - said, rows.len())
        };
        match key(&close) < key(&closer) {
            true => close,
            false => closer,
        }
    }

    /// How wide a row of entries of these widths is.
    fn wide_of(self, widths: &[f32], row: &Range<usize>) -> f32 {
        self.inset + widths[row.clone()].iter().sum::<f32>()
    }
}

/// A word, its mark and the colour of that.
type Named = (&'static str, Entry, Color32);

/// What the lines and the boxes of these layers look like, in a scene that is about the boxes that it names, if it is, and where `with_states`
/// the objects before boxes that are not always there. These are the same at every moment, a legend that changed with them would jump; but
/// where this index has no trees there are none.
fn entries(
    palette: &Palette,
    layers: &Layers,
    (boxes, index): (Option<&[ViewBox]>, Index),
    with_states: bool,
) -> Vec<Named> {
    let states = [
        State::Resident,
        State::Unloaded,
        State::Queued,
        State::Loading,
        State::Unloading,
    ];
    let states = states.into_iter().filter(|_| with_states);
    let states = states.map(|state| (state.name(), Entry::Object(state), palette.text));
    // All of whoever is selected or pointed at; of everybody those that the scene is about, and else what is to be loaded or unloaded.
    let of_all = of_everybody(boxes);
    let is_of_all = |kind: ViewBox| of_all.map_or(kind != ViewBox::Need, |it| it.contains(&kind));
    let has_all = layers.shows(Layer::AllRectangles);
    let is_drawn = |kind: &ViewBox| layers.shows(Layer::Rectangles) || has_all && is_of_all(*kind);
    let lines = ViewBox::ALL.into_iter().filter(is_drawn);
    let lines = lines.filter_map(|kind| {
        let (color, dashes) = stroke_of(kind, palette)?;
        let entry = dashes.map_or(Entry::Line, |[dash, gap]| Entry::Dash(dash, gap));
        Some((kind.key(), entry, color))
    });
    // Where the scene is about it the union of all is a line that is to be seen first.
    let (union, ink) = match boxes {
        Some(_) => (Entry::Line, palette.accent),
        None => (Entry::Dash(9.0, 5.0), palette.at_depth(4)),
    };
    let boxes = [
        (Layer::Unions, ("union A, entered", union, ink)),
        (
            Layer::Intersections,
            ("intersection B", Entry::Hatch, palette.second),
        ),
    ];
    let is_there = |(layer, _): &(Layer, Named)| has_trees(index) && layers.shows(*layer);
    let boxes = boxes.into_iter().filter(is_there);
    let boxes = boxes.map(|(_, named)| named);
    lines.chain(states).chain(boxes).collect()
}

/// Lays the legend out, where there is room for it.
fn lay(ui: &Ui, app: &App, palette: &Palette) -> Option<Laid> {
    let field = app.free_field();
    let room = right_of_legend(field) - field.left() - layout::CHIP;
    let most = match field.height() {
        height if height < HIGH => 1,
        height if height < HIGH + 60.0 => 2,
        _ => 3,
    };
    // Where the panel that tells states apart is a drawer, and there is room for another row.
    let [_, has_panel] = docked(ui.ctx().screen_rect().width());
    let boxes = app.scene.view.boxes.as_deref();
    let index = app.stream.as_ref()?.tests().index;
    let with_states = !has_panel && most > 1;
    let entries = entries(palette, &app.layers, (boxes, index), with_states);
    let words = entries.iter().map(|(word, ..)| {
        ui.fonts(|fonts| {
            fonts
                .layout_no_wrap((*word).into(), text(size::DESCRIPTION), palette.text)
                .size()
                .x
        })
    });
    let words: Vec<f32> = words.collect();
    let (form, widths, rows, said) = Form::of(&words, room, most);
    let wide_of = |row: &Range<usize>| form.wide_of(&widths, row);
    let last = rows.last().filter(|_| said < entries.len());
    let with_number = last.map_or(0.0, |row| wide_of(row) + MORE);
    let size = vec2(
        rows.iter().map(wide_of).fold(with_number, f32::max),
        30.0 + ROW * rows.len().saturating_sub(1) as f32,
    );
    let foot = field.left_bottom() + vec2(layout::CHIP, -layout::CHIP);
    let rect = Rect::from_min_size(foot - vec2(0.0, size.y), size);
    // One or two of more would be a riddle.
    let is_enough = said >= entries.len().min(3) && !rows.is_empty();
    is_enough.then_some(Laid {
        rect,
        rows,
        form,
        widths,
        entries,
        said,
    })
}

/// Draws it.
fn legend(ui: &Ui, palette: &Palette, laid: &Laid) {
    let rect = laid.rect;
    edge_chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    let painter = ui.painter().with_clip_rect(rect);
    let sample = laid.form.sample;
    let mut behind = rect.left_center();
    for (row, shown) in laid.rows.iter().enumerate() {
        let y = rect.top() + 15.0 + ROW * row as f32;
        let mut left = rect.left() + laid.form.inset;
        for ((word, entry, color), wide) in laid.entries[shown.clone()]
            .iter()
            .zip(&laid.widths[shown.clone()])
        {
            entry.draw(&painter, palette, (pos2(left, y), sample), *color);
            painter.text(
                pos2(left + sample + laid.form.before, y),
                Align2::LEFT_CENTER,
                *word,
                text(size::DESCRIPTION),
                palette.text_second,
            );
            left += wide;
        }
        behind = pos2(left, y);
    }
    let others = &laid.entries[laid.said..];
    if others.is_empty() {
        return;
    }
    let draw = |painter: &Painter, mark: Rect, (_, entry, color): &Named| {
        entry.draw(painter, palette, (mark.left_center(), CLOSE.sample), *color);
    };
    let said = |(word, entry, _): &Named| format!("{word}: {}", entry.means(word));
    // A row ends with what lies behind its last entry.
    let behind = behind - vec2(laid.form.behind / 2.0, 0.0);
    left_out(ui, palette, behind, others, (draw, said));
}

/// How a legend shows a line.
enum Entry {
    Line,
    Dash(f32, f32),
    Hatch,
    /// An object in this state.
    Object(State),
}

impl Entry {
    /// What a word with this mark means.
    fn means(&self, word: &str) -> &'static str {
        match self {
            Self::Object(_) => glossary::means("state", word),
            _ => glossary::means("streaming", word),
        }
    }

    /// Draws it from a point on, so wide.
    fn draw(&self, painter: &Painter, palette: &Palette, (at, wide): (Pos2, f32), color: Color32) {
        let (left, end) = (at.x, at.x + wide);
        let middle = pos2(left + wide / 2.0, at.y);
        match self {
            Self::Line => {
                painter.hline(left..=end, at.y, Stroke::new(1.5, color));
            }
            Self::Dash(dash, gap) => {
                let line = Stroke::new(1.5, color);
                let ends = [at, pos2(end, at.y)];
                painter.extend(Shape::dashed_line(&ends, line, *dash, *gap));
            }
            Self::Object(state) => {
                let square = Rect::from_center_size(middle, vec2(11.0, 11.0));
                state_icon(painter, palette, square, *state);
            }
            Self::Hatch => {
                let swatch = Rect::from_center_size(middle, vec2(wide - 2.0, 11.0));
                let line = Stroke::new(1.0, color);
                painter.rect_stroke(swatch, CornerRadius::ZERO, line, StrokeKind::Inside);
                hatch(painter, swatch, Stroke::new(1.0, faded(color, 0.6)), 5.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_closer_where_that_saves_a_row_and_no_closer_elsewhere() {
        // As wide as need, load, unload, union A, and intersection B are.
        let words = [28.0, 24.0, 38.0, 87.0, 79.0];
        let of = |room: f32| {
            let (form, widths, rows, _) = Form::of(&words, room, 3);
            for row in &rows {
                let wide: f32 = widths[row.clone()].iter().sum();
                assert!(form.inset + wide <= room, "{room}: {rows:?}");
            }
            (form, rows.len(), rows.last().map_or(0, |row| row.end))
        };
        assert_eq!(of(700.0), (ROOMY, 1, 5));
        assert_eq!(of(445.0), (CLOSER, 1, 5));
        assert_eq!(of(420.0), (CLOSE, 1, 5));
        assert_eq!(of(330.0), (CLOSER, 2, 5));
        // Beside each other the last two would have no room otherwise.
        assert_eq!(of(238.0), (CLOSE, 2, 5));
        assert_eq!(of(210.0), (CLOSER, 3, 5));
        // And one of them would be left out.
        assert_eq!(of(200.0), (CLOSE, 3, 5));
        // Both have room for four in one row, and the closer one beside the number of the fifth as well.
        let (form, _, rows, said) = Form::of(&words, 340.0, 1);
        assert_eq!((form, said), (CLOSE, 4));
        assert!(form.wide_of(&[58.0, 54.0, 68.0, 117.0], &rows[0]) + MORE <= 340.0);
    }

    /// With all that the trees have.
    fn all_layers() -> Layers {
        let mut layers = Layers::default();
        for layer in [Layer::Rectangles, Layer::Unions, Layer::Intersections] {
            if !layers.shows(layer) {
                layers.toggle(layer);
            }
        }
        layers
    }

    #[test]
    fn the_legend_of_a_world_names_what_is_drawn_as_it_is_drawn() {
        let with = |layers: &Layers, boxes: Option<&[ViewBox]>, index| -> Vec<(&str, bool)> {
            let entries = entries(&Palette::DARK, layers, (boxes, index), false).into_iter();
            let is_line = |entry: &Entry| matches!(entry, Entry::Line);
            entries
                .map(|(name, entry, _)| (name, is_line(&entry)))
                .collect()
        };
        let of = |layers: &Layers, boxes: Option<&[ViewBox]>| with(layers, boxes, Index::TwoTrees);
        let mut layers = all_layers();
        // Without trees there are no boxes around several, of which these are.
        let lines = [("need", true), ("load", false), ("unload", false)];
        assert_eq!(with(&layers, None, Index::BruteForce), lines);
        let told = [ViewBox::Union, ViewBox::Intersection];
        assert_eq!(with(&layers, Some(&told), Index::BruteForce), lines);
        assert_eq!(of(&layers, None).len(), 5);
        assert!(of(&layers, None).contains(&("union A, entered", false)));
        layers.toggle(Layer::Intersections);
        layers.toggle(Layer::Rectangles);
        // The union of a figure is a line of its own, and of each object one rectangle is drawn.
        if !layers.shows(Layer::AllRectangles) {
            layers.toggle(Layer::AllRectangles);
        }
        let boxes = [ViewBox::Load, ViewBox::Union];
        let of_figure = [("load", false), ("union A, entered", true)];
        assert_eq!(of(&layers, Some(&boxes)), of_figure);
        let without = of(&layers, None);
        assert!(without.iter().all(|(name, _)| *name != "need"));
        layers.toggle(Layer::AllRectangles);
        layers.toggle(Layer::Unions);
        assert!(of(&layers, None).is_empty());
    }

    #[test]
    fn the_legend_of_a_world_names_states_where_no_panel_does_and_rectangles_first() {
        let names = |with_states: bool| -> Vec<&str> {
            let of = (None, Index::TwoTrees);
            let entries = entries(&Palette::DARK, &all_layers(), of, with_states).into_iter();
            entries.map(|(name, ..)| name).collect()
        };
        let (without, with) = (names(false), names(true));
        assert_eq!(without.len() + 5, with.len());
        assert_eq!(without[..3], with[..3]);
        assert_eq!(without[3..], with[8..]);
        // Most of a world is not there.
        assert!(with.contains(&State::Resident.name()) && with.contains(&State::Unloaded.name()));
        // Whatever has no room says what it means behind a number.
        for (word, entry, _) in
            entries(&Palette::DARK, &all_layers(), (None, Index::TwoTrees), true)
        {
            assert!(!entry.means(word).is_empty(), "{word}");
        }
    }
}
