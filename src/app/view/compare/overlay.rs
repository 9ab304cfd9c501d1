//! What lies over the panes, and the strip below them.

use super::figures::Shown;
use super::header::header;
use super::layout::{Layout, is_verdict, verdict_alone, verdict_below_race};
use super::plots::{Chosen, plot_area};
use super::race::race;
use super::table::Kept;
use super::verdict::verdict;
use crate::app::commands::Layer;
use crate::app::layout::Edge;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{layout, size, text};
use crate::app::view::caption::{Caption, has_least_width, has_room, has_width, height_of};
use crate::app::view::chips::{chip, has_scale, scale_chip, scale_rect};
use crate::app::view::field::Crowd;
use crate::app::view::field::selection_box;
use crate::app::view::field::{
    Corner, Length, Look, Tag, hovered_region, labels, legend, legend_place, legend_rect,
    mark_words, marks, nobody, query, rings, visited,
};
use crate::app::view::marks::{border, box_around, stopped};
use crate::app::view::space::draw::AxisFigures;
use crate::app::view::tools::tools;
use crate::app::widgets::{Pulled, cover, edge, look_at, note_pane, occupied, place};
use crate::app::worker::LaneView;
use egui_macroquad::egui::{CornerRadius, Galley, Painter, Rect, Stroke, Ui, Vec2, pos2, vec2};
use skirmish::battle::Difference;
use std::sync::Arc;

/// In lower panes neither the chip of the tools nor the caption has words: they would cost the pictures more than they say.
const LEAST_WORDS: f32 = 200.0;
/// A volume with its axes takes more of a pane than a field does.
const LEAST_WORDS_IN_SPACE: f32 = 260.0;
/// The width of the tools in their chip.
const TOOLS: f32 = 212.0;

/// What words have to heed in a pane.
struct Around {
    /// Whether it has a legend, and where that lies.
    has_legend: bool,
    legend: Option<Rect>,
    /// What lies there already.
    taken: Vec<Rect>,
    crowd: Crowd,
}

impl Around {
    fn of(ui: &Ui, app: &App, look: &Look<'_>, fixed: [Option<Rect>; 3]) -> Self {
        // What is not drawn keeps no words from their cells.
        let has_legend = app.layers.shows(Layer::Nodes) && !app.bare && !covers_figure(app, look);
        let legend = legend_rect(look, Corner::Upper).filter(|_| has_legend);
        let mut taken = occupied(ui.ctx());
        taken.extend(fixed.into_iter().chain([legend]).flatten());
        Self {
            has_legend,
            legend,
            taken,
            crowd: Crowd::of(look),
        }
    }

    fn look<'a>(&'a self, app: &'a App, lane: &'a LaneView, pane: Rect) -> Look<'a> {
        Look {
            is_pane: true,
            taken: &self.taken,
            ..Look::at(app, lane, pane)
        }
    }
}

/// What the query found in each of the panes, with as many words in one as in the others: where one has room for fewer alone, a number that
/// another one has beside it would seem to be missing there.
fn tags(
    ui: &Ui,
    app: &App,
    palette: &Palette,
    panes: &Layout,
    around: &[Around],
) -> Vec<Option<Tag>> {
    let of = |at: usize, most: Length| {
        let pane = panes.panes[at].body;
        let painter = ui.painter().with_clip_rect(pane);
        let look = around[at].look(app, &app.lanes[at], pane);
        let words = (&*visited(&look), &around[at].crowd);
        Tag::of(&painter, &look, palette, words, most)
    };
    let mut tags: Vec<Option<Tag>> = (0..around.len()).map(|at| of(at, Length::Two)).collect();
    // One that says less may find a place for less still.
    for _ in [Length::One, Length::Found] {
        let least = tags.iter().flatten().map(Tag::length).max();
        for (at, tag) in tags.iter_mut().enumerate() {
            if let (Some(own), Some(least)) = (tag.as_ref(), least)
                && own.length() < least
            {
                *tag = of(at, least);
            }
        }
    }
    tags
}

/// Draws the panes' headers and all that lies over their pictures; what is clicked acts.
pub fn show(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    panes: &Layout,
    (shown, caption): (&Shown, &mut Caption),
) {
    let first = panes.panes.first().map(|pane| pane.body);
    let is_low = are_low(app, panes);
    let tools = ToolChip::new(ui, palette, panes, is_low);
    let tools_at = tools.as_ref().map(|chip| chip.rect);
    caption.be_brief(is_low);
    let caption_at = ground_of_caption((ui, app), caption.is_unfolded(app), panes, tools_at);
    caption.keep_within(caption_at.map(|ground| ground.most));
    let said = caption_at.and_then(|it| caption.rect(ui, app, palette, it.rect, it.raised));
    let last = panes.panes.last().map(|pane| pane.body);
    let scale = last.filter(|pane| !app.shows_space() && has_scale(*pane));
    let scale = scale.map(scale_rect);
    // In space there are neither scales nor legends in the panes.
    let own: Vec<Rect> = [tools_at, said].into_iter().flatten().collect();
    let fixed = [tools_at, scale, said];
    let around: Vec<Around> = if app.shows_space() {
        Vec::new()
    } else {
        let each = app.lanes.iter().zip(&panes.panes);
        each.map(|(lane, pane)| Around::of(ui, app, &Look::at(app, lane, pane.body), fixed))
            .collect()
    };
    let mut tags = tags(ui, app, palette, panes, &around);
    for (at, (lane, pane)) in app.lanes.iter().zip(&panes.panes).enumerate() {
        let painter = ui.painter().with_clip_rect(pane.body);
        place(ui.ctx(), &format!("lane.{at}.pane"), pane.body);
        note_pane(ui.ctx(), pane.body);
        let Some(around) = around.get(at) else {
            if let Some(eye) = app.eye_of_pane(pane.body) {
                let area = app.scene.field3();
                AxisFigures::of(&painter, &eye, area, palette, &own).draw(&painter, palette);
            }
            if let Some(difference) = &lane.difference {
                complaint(ui, palette, (pane.body, None), &stands_still(difference));
            }
            if let (Some(rect), Some(first)) = (app.space.boxed, first) {
                let rect = rect.translate(pane.body.min - first.min);
                box_around(&painter, pane.body, rect, app.selection.len(), palette);
            }
            continue;
        };
        let look = around.look(app, lane, pane.body);
        let (legend_at, crowd) = (around.legend, &around.crowd);
        border(&painter, look.camera, look.field, palette);
        stopped(&painter, look.camera, app, palette);
        labels(&painter, &look, palette, (app.unit_labels(), None));
        let tag = tags[at].take();
        let tag_at = tag.as_ref().map_or(Vec::new(), Tag::taken);
        marks(&painter, &look, palette);
        hovered_region(&painter, &look, palette);
        if !app.holds_units() {
            query(&painter, &look, palette);
        }
        rings(&painter, &look, palette);
        let says_depth = mark_words(&painter, &look, palette, (&tag_at, crowd));
        let boxed = (app.boxed, app.selection.len());
        selection_box(&painter, &look.camera, boxed, palette);
        if let Some(tag) = tag.filter(|_| !app.holds_units()) {
            tag.draw(&painter, palette);
        }
        if look.alive() == 0 {
            nobody(&painter, &look, palette);
        }
        if around.has_legend {
            legend(ui, &look, palette, (Corner::Upper, says_depth));
        }
        if let Some(difference) = &lane.difference {
            let words = stands_still(difference);
            complaint(ui, palette, (pane.body, legend_at), &words);
        }
    }
    for (at, (figures, pane)) in shown.lanes.iter().zip(&panes.panes).enumerate() {
        if at < app.lanes.len() {
            header(ui, app, palette, pane.header, at, figures);
        }
    }
    borders(ui.painter(), palette, panes);
    if app.bare {
        if app.cover_panes(Vec::new()) {
            ui.ctx().request_repaint();
        }
        return;
    }
    if let Some(ground) = caption_at {
        // The pictures are all alike, and the tools lie over the lowest.
        let foot = panes.panes.last().map_or(0.0, |pane| pane.body.bottom());
        let chips = tools.as_ref().map_or(0.0, |chip| foot - chip.rect.top());
        caption.show_beside(ui, app, palette, (ground.rect, ground.raised), chips);
    }
    // A drawer that opens moves no picture.
    if app.drawn_out == [None; 2] {
        // Words that were asked for lie over whatever is there, for as long as they are read: the pictures stay where they stand.
        let said = match is_low || caption.is_unfolded(app) {
            true => ground_of_caption((ui, app), false, panes, tools_at)
                .and_then(|ground| caption.folded_rect(ui, app, palette, ground.rect)),
            false => said,
        };
        let shown = [said, tools_at];
        if app.cover_panes(over_panes(app, panes, shown.into_iter().flatten())) {
            // What is written at the axes stood where the picture stood before.
            ui.ctx().request_repaint();
        }
    }
    if let Some(last) = panes.panes.last().filter(|_| !app.shows_space()) {
        let camera = Look::at(app, app.lane(), last.body).camera;
        scale_chip(ui, camera, camera.screen, palette);
    }
    if let Some(chip) = tools {
        chip.show(ui, app, palette);
    }
}

/// Whether the panes have no room for words over their pictures.
fn are_low(app: &App, panes: &Layout) -> bool {
    let least = match app.shows_space() {
        true => LEAST_WORDS_IN_SPACE,
        false => LEAST_WORDS,
    };
    panes.panes.iter().any(|pane| pane.body.height() < least)
}

/// Where the caption lies.
#[derive(Clone, Copy)]
struct Ground {
    /// In which part of the panes.
    rect: Rect,
    /// Above how many of the lowest points of that.
    raised: f32,
    /// How high it may be there, in points: it leaves a little of the lane on which it lies, and lies over no other one.
    most: f32,
}

/// Where the caption lies: in the first pane, or where that is too low at the foot of all that stand below it; beside the tools, where they
/// lie over that. Words that were asked for and have no room beside them lie above the tools, where the lane leaves room for a few lines.
fn ground_of_caption(
    (ui, app): (&Ui, &App),
    is_unfolded: bool,
    panes: &Layout,
    tools: Option<Rect>,
) -> Option<Ground> {
    /// Between the tools and what lies above them, in points.
    const GAP: f32 = 8.0;
    /// Of the lane so much is left above it: a part of it, and so many points.
    const LEFT: (f32, f32) = (0.08, 4.0);
    /// So many lines are enough above the tools.
    const ENOUGH: u8 = 3;
    let (first, all) = (panes.panes.first()?.body, panes.all_panes());
    let mut below = panes.panes.iter().map(|pane| pane.body).rev();
    let lowest = below.find(|pane| pane.left() == first.left())?;
    let (pane, lane) = match has_room(app, first) {
        true => (first, first),
        false => (all.with_max_x(first.right()), lowest),
    };
    let at = |rect: Rect, raised: f32| {
        let (part, points) = LEFT;
        let left = (lane.height() * part).max(layout::CHIP + points);
        let most = lane.height() - left - raised;
        Ground { rect, raised, most }
    };
    let Some(tools) = tools.filter(|tools| tools.intersects(pane)) else {
        return Some(at(pane, 0.0));
    };
    let beside = pane.with_max_x(pane.right().min(tools.left() + 4.0));
    if is_unfolded && !has_width(beside) {
        let above = at(pane, pane.bottom() - tools.top() - layout::CHIP + GAP);
        if above.most >= height_of(ui, ENOUGH) || !has_least_width(beside) {
            return Some(above);
        }
    }
    Some(at(beside, 0.0))
}

/// What lies over any of the panes, from the corner of its pane: the camera is the same in all. The legend gives way to a lesson.
fn over_panes(app: &App, panes: &Layout, shown: impl Iterator<Item = Rect>) -> Vec<Rect> {
    let bodies = || panes.panes.iter().map(|pane| pane.body);
    // In space there are neither scales nor legends in the panes.
    let is_plane = !app.shows_space();
    let scale = bodies()
        .next_back()
        .filter(|pane| is_plane && has_scale(*pane));
    let has_legend = is_plane && app.layers.shows(Layer::Nodes) && !app.is_lesson();
    let legend = bodies().next().filter(|_| has_legend);
    let all = shown
        .chain(scale.map(scale_rect))
        .chain(legend.and_then(legend_place));
    let over = |chip: Rect| {
        bodies().filter_map(move |pane| {
            let part = chip.intersect(pane);
            let from = pane.min.to_vec2();
            part.is_positive().then(|| part.translate(-from))
        })
    };
    all.flat_map(over).collect()
}

/// The lines between the panes, and below their headers.
fn borders(painter: &Painter, palette: &Palette, panes: &Layout) {
    let all = panes.all_panes();
    for pane in &panes.panes {
        let stroke = Stroke::new(1.0, palette.line);
        painter.hline(pane.header.x_range(), pane.header.bottom(), stroke);
        let stroke = Stroke::new(1.0, palette.strong_line);
        if pane.header.left() > all.left() {
            painter.vline(
                pane.header.left() - 0.5,
                pane.header.top()..=pane.body.bottom(),
                stroke,
            );
        }
        if pane.header.top() > all.top() {
            painter.hline(pane.header.x_range(), pane.header.top() - 0.5, stroke);
        }
    }
}

/// Why a lane stands still, in a sentence.
fn stands_still(difference: &Difference) -> String {
    format!("It answered otherwise at {difference}. Since then it stands still.")
}

/// Where a lane's answers part from the first one's, over its picture; below the legend, where there is one.
fn complaint(ui: &Ui, palette: &Palette, (pane, legend): (Rect, Option<Rect>), words: &str) {
    let room = (pane.width() - 2.0 * layout::CHIP).min(460.0);
    let words = ui.painter().layout(
        words.to_owned(),
        text(size::LABEL),
        palette.error,
        room - 26.0,
    );
    let from = pane.min + vec2(layout::CHIP, layout::CHIP + 38.0);
    let top = legend.map_or(from.y, |legend| legend.bottom() + 8.0);
    let corner = pos2(from.x, top);
    let rect = Rect::from_min_size(corner, words.size() + vec2(26.0, 16.0));
    let painter = ui.painter().with_clip_rect(pane);
    chip(&painter, palette, rect);
    cover(ui.ctx(), rect);
    painter.rect_filled(
        rect.with_max_x(rect.left() + 2.0),
        CornerRadius::ZERO,
        palette.error,
    );
    painter.galley(rect.min + vec2(14.0, 8.0), words, palette.error);
}

/// The chip in the middle: that all panes are one battle, and what a click on it does.
struct ToolChip {
    rect: Rect,
    /// The words, where there is room for them.
    words: Option<Arc<Galley>>,
}

impl ToolChip {
    /// Where it lies, if there is room for it.
    fn new(ui: &Ui, palette: &Palette, panes: &Layout, are_low: bool) -> Option<Self> {
        let all = panes.all_panes();
        let words = ui.painter().layout_no_wrap(
            "one camera, one battle".to_owned(),
            text(size::SECOND),
            palette.text_second,
        );
        // The scale stands at the right, and what is left there is left at the left as well.
        let room = all.width() - 2.0 * (layout::CHIP + 150.0 + 12.0);
        let (bare, said) = (TOOLS + 8.0, words.size().x + 44.0);
        let says = panes.panes.len() > 1 && !are_low && said + bare <= room;
        let width = bare + if says { said } else { 0.0 };
        let corner = pos2(
            (all.center().x - width / 2.0).round(),
            all.bottom() - layout::CHIP - 32.0,
        );
        (bare <= room).then(|| Self {
            rect: Rect::from_min_size(corner, vec2(width, 32.0)),
            words: says.then_some(words),
        })
    }

    /// Draws it; its switches act.
    fn show(self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        let rect = self.rect;
        chip(ui.painter(), palette, rect);
        cover(ui.ctx(), rect);
        place(ui.ctx(), "chip.tools", rect);
        if let Some(words) = self.words {
            let stroke = Stroke::new(1.2, palette.text_third);
            for x in [15.0, 22.0] {
                let at = rect.left_center() + vec2(x, 0.0);
                ui.painter().circle_stroke(at, 4.5, stroke);
            }
            let at = rect.left_center() + vec2(33.0, -words.size().y / 2.0);
            ui.painter().galley(at, words, palette.text_second);
        }
        let corner = pos2(rect.right() - TOOLS - 4.0, rect.top() + 4.0);
        let switches = Rect::from_min_max(corner, rect.max - Vec2::splat(4.0));
        tools(ui, app, palette, switches);
    }
}

/// The race, the plot and the verdict, below the panes; where there is `has_room` for no more than the verdict, a button there shows the
/// others in the place of the panes.
pub fn strip(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    (rect, has_room): (Rect, bool),
    (shown, plotted, kept): (&Shown, &mut Chosen, &mut Kept),
) {
    let painter = ui.painter().clone();
    painter.rect_filled(rect, CornerRadius::ZERO, palette.panel);
    painter.hline(
        rect.x_range(),
        rect.top() + 0.5,
        Stroke::new(1.0, palette.strong_line),
    );
    place(ui.ctx(), "compare.strip", rect);
    look_at(ui.ctx(), rect);
    if is_verdict(rect) {
        let line = rect.shrink2(vec2(layout::PADDING, 0.0));
        return verdict(ui, app, palette, (line, has_room), (shown, kept));
    }
    let line = rect.with_max_y(rect.top());
    // In the place of the panes it is as high as they are.
    let pulled = match has_room {
        true => edge(ui, palette, Edge::Compare, (line, rect.height())),
        false => None,
    };
    match pulled {
        Some(Pulled::By(steps)) => {
            let height = rect.height() + steps * Edge::Compare.step();
            app.settings.layout.set(Edge::Compare, Some(height));
        }
        Some(Pulled::To(at)) => app
            .settings
            .layout
            .set(Edge::Compare, Some(rect.bottom() - at)),
        Some(Pulled::Back) => app.settings.layout.set(Edge::Compare, None),
        None => {}
    }
    let verdict_high = match has_room {
        true => verdict_below_race(rect),
        false => verdict_alone(rect),
    };
    let (upper, line) = rect.split_top_bottom_at_y(rect.bottom() - verdict_high);
    // The bars of more lanes stand in two columns, which need more room.
    let part = if shown.lanes.len() > 2 { 0.46 } else { 0.383 };
    let parted = (upper.left() + (upper.width() * part).clamp(420.0, 640.0)).round();
    let line_stroke = Stroke::new(1.0, palette.line);
    painter.vline(parted, upper.top() + 1.0..=upper.bottom(), line_stroke);
    painter.hline(rect.x_range(), line.top(), line_stroke);
    let inset = vec2(layout::PADDING, 0.0);
    let left = upper.with_max_x(parted).shrink2(inset);
    race(
        ui,
        app,
        palette,
        left.with_max_y(upper.bottom() - 4.0),
        shown,
    );
    let right = upper.with_min_x(parted).shrink2(inset);
    if right.width() > 200.0 {
        plot_area(
            ui,
            app,
            palette,
            right.with_max_y(upper.bottom() - 8.0),
            plotted,
        );
    }
    let line = line.shrink2(inset);
    verdict(ui, app, palette, (line, has_room), (shown, kept));
}

/// Whether the legend would lie on what a figure shows, or on one of a few units: each of them matters more than it.
fn covers_figure(app: &App, look: &Look<'_>) -> bool {
    if !app.is_lesson() {
        return false;
    }
    let field = look.camera.rect_to_screen(app.scene.field);
    let place = legend_rect(look, Corner::Upper);
    place.is_some_and(|place| place.intersects(field))
}
