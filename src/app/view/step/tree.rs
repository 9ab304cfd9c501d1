//! The tree beside the field: nodes and links where it is small, an icicle where it is large; for grids and lines their cells in
//! a row. Coloured as the field, and pointed at together with it.
//!
//! Beside an operation that is stepped through, its steps are lit; beside a battle that goes on, the structure as it stood a moment ago.

use super::field::{Build, Mark};
use super::names::{called, how_many, name as called_with_noun, so_many, unseen};
use super::seen::{Across, Seen, Shown};
use crate::app::palette::{PRUNED_BAR, Palette, faded};
use crate::app::state::{Pointed, Stepping};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    asked_way, focus_ring, found_once, place, segments_in, spaced_capitals, tell_way, with_commas,
};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Galley, Id, Mesh, Painter, Pos2, Rangef, Rect, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use skirmish::partition::{RegionId, UnitId};
use skirmish::story::{Atlas, Diagram, DiagramNode, Reel};
use std::cell::RefCell;
use std::sync::Arc;

/// Leaves closer than this, in points, are an icicle.
const LEAST_APART: f32 = 5.0;

/// Between two levels, in points, at the most.
const LEVEL: f32 = 20.5;

/// A narrower bar of an icicle, in points, has no line at its beginning: it would be nothing else.
const LEAST_LINED: f32 = 5.0;

/// How the tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    NodeLink,
    Icicle,
}

/// The tree, and how it is to be drawn, where somebody has said so.
#[derive(Debug, Default)]
pub struct Tree {
    chosen: Option<Style>,
}

impl Tree {
    /// Draws it into a rectangle. Where nothing is stepped through, it stands beside a battle in which `selected` is the unit that
    /// one has an eye on. `note` says what has to be known of what is drawn; it may be empty.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        stepping: &mut Stepping,
        palette: &Palette,
        rect: Rect,
        (selected, note): (Option<UnitId>, &str),
    ) {
        let head = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
        let told = stepping.told.clone();
        let (Some(told), true) = (told, stepping.is_present) else {
            spaced_capitals(ui.painter(), head.left_center(), "tree", palette.text_third);
            return;
        };
        let Ok(reel) = &told.outcome else {
            return;
        };
        let is_edit = reel.story().after.is_some();
        let is_after = stepping.is_after();
        let layout = told.diagram(is_after);
        let count = layout.nodes.len();
        let body = Rect::from_min_max(pos2(rect.left() + 14.0, head.bottom() + 4.0), rect.max);
        let apart = body.width() / layout.leaves.max(1.0);
        let fitting = if apart >= LEAST_APART && !layout.is_flat {
            Style::NodeLink
        } else {
            Style::Icicle
        };
        let style = self.chosen.filter(|_| !layout.is_flat).unwrap_or(fitting);
        let order = match (layout.is_flat, reel.is_empty() && !is_edit) {
            (true, _) => "in the order in which the picture has them".to_owned(),
            (false, false) if layout.goes_on && count > 1 => {
                "left to right as the walk goes".to_owned()
            }
            (false, false) => String::new(),
            (false, true) => format!("tick {}", with_commas(told.moment.tick)),
        };
        let is_edited = is_after && stepping.operation().is_some_and(|it| it.is_edit());
        let after = if is_edited { "after the edit" } else { "" };
        let parts = [note, order.as_str(), after];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let free = self.head(ui, palette, head, layout, style, &parts.join(" · "));
        if layout.nodes.is_empty() {
            let words = "This structure has no regions: every unit is asked.";
            let font = text(size::DESCRIPTION);
            let ink = palette.text_third;
            ui.painter()
                .text(body.center(), Align2::CENTER_CENTER, words, font, ink);
            return;
        }
        place(ui.ctx(), "step.tree", body);
        let response = ui.interact(body, ui.id().with("step tree"), Sense::click());
        let picked = stepping.picked;
        let at = picked.and_then(|it| layout.nodes.iter().position(|node| node.region == it));
        tell_way(
            &response,
            "Tree, node",
            at.map_or(0.0, |at| at as f64 + 1.0),
        );
        focus_ring(ui, palette, &response, body);
        // The arrows go from node to node, as the picture has them.
        let way = asked_way(ui, &response) as isize;
        let next = match at {
            Some(at) => at.saturating_add_signed(way).min(count - 1),
            None => 0,
        };
        let build = Build::of(stepping, reel);
        let across = Across::of(layout, body, ui.ctx().pixels_per_point());
        let id = Id::new("step tree, what is seen");
        let seen = found_once(ui.ctx(), id, &told, &(is_after, across), || {
            Seen::of(layout, across)
        });
        let picture = Picture {
            layout,
            across,
            seen: &seen.value,
            body,
            head: Rect::from_x_y_ranges(free, head.y_range()),
            level: level_of(layout, body, style),
            style,
            tags: RefCell::default(),
            reel,
            atlas: stepping.atlas(),
            at: stepping.at(),
            turn: reel.turn_at(stepping.at()),
            build,
        };
        let pointer = ui.ctx().pointer_hover_pos();
        let over = pointer.filter(|at| response.hovered() && body.contains(*at));
        let hovered = over.and_then(|at| picture.node_at(at));
        picture.draw(ui.painter(), palette, stepping, selected);
        if way != 0 && Some(next) != at {
            stepping.pick(Some(layout.nodes[next].region));
        }
        if over.is_some() {
            let region = hovered.map(|node| layout.nodes[node].region);
            stepping.pointed = region.map(Pointed::Region);
            stepping.over = region;
            if response.clicked() {
                stepping.pick(region);
            }
        }
    }

    /// What is drawn, and in which style. Gives what is free between the words and the switch.
    fn head(
        &mut self,
        ui: &mut Ui,
        palette: &Palette,
        rect: Rect,
        layout: &Diagram,
        style: Style,
        order: &str,
    ) -> Rangef {
        let word = if layout.is_flat { "cells" } else { "tree" };
        let left = rect.left()
            + spaced_capitals(ui.painter(), rect.left_center(), word, palette.text_third)
            + 12.0;
        let count = with_commas(layout.nodes.len() as u64);
        let words = match (layout.is_flat, layout.nodes.len()) {
            (true, _) => format!("{count} {order}"),
            (false, 1) => "1 leaf".to_owned(),
            (false, _) => {
                let height = layout.levels.saturating_sub(1);
                format!("{count} nodes · height {height}")
            }
        };
        let lay_out = |words: String| {
            let font = text(size::DESCRIPTION);
            ui.painter().layout_no_wrap(words, font, palette.text_third)
        };
        let ordered = match layout.is_flat || order.is_empty() {
            true => None,
            false => Some(lay_out(format!("{words} · {order}"))),
        };
        let few = lay_out(words);
        let room = rect.right() - left;
        let wide = |words: &Option<Arc<Galley>>| words.as_ref().map(|words| words.size().x);
        let (says_order, has_switch) = match layout.is_flat {
            true => (false, false),
            false => in_head_row(room, few.size().x, wide(&ordered)),
        };
        let words = ordered.filter(|_| says_order).unwrap_or(few);
        let free = Rangef::new(left + words.size().x + BESIDE_HEAD, rect.right());
        let top = rect.center().y - words.size().y / 2.0;
        ui.painter()
            .galley(pos2(left, top), words, palette.text_third);
        if !has_switch {
            return free;
        }
        let switch = Rect::from_min_size(
            pos2(rect.right() - SWITCH, rect.top() + 1.0),
            vec2(SWITCH, 20.0),
        );
        let words = [
            ("node-link", "Nodes and links, as far as there is room."),
            (
                "icicle",
                "Each node as wide as what is below it; fine bars side by side are more nodes than can be told apart.",
            ),
        ];
        let chosen = Some(usize::from(style == Style::Icicle));
        if let Some(picked) =
            segments_in(ui, palette, "tree", switch, &words, chosen, palette.accent)
        {
            self.chosen = Some([Style::NodeLink, Style::Icicle][picked]);
        }
        Rangef::new(free.min, switch.left() - BESIDE_HEAD)
    }
}

/// Between what stands in the row above the tree and a tag there, in points.
const BESIDE_HEAD: f32 = 8.0;

/// How wide the switch between both styles is, in points.
const SWITCH: f32 = 150.0;

/// Whether the row above the tree, which has so much room, says in which order its nodes stand, and whether it has the switch between both
/// styles: the words take `few` points without the order, and `ordered` with it, where there is one to be said. The switch does something and
/// goes before.
fn in_head_row(room: f32, few: f32, ordered: Option<f32>) -> (bool, bool) {
    let beside = room - SWITCH - BESIDE_HEAD;
    let has_switch = few <= beside;
    let most = if has_switch { beside } else { f32::INFINITY };
    (ordered.is_some_and(|ordered| ordered <= most), has_switch)
}

/// So far aside of the node a tag stands at the most, in points.
const ASIDE: f32 = 60.0;

/// Where in the row above the tree a tag of this size stands that is about a node, off the other tags there: as near to being right above it as
/// the row has room, and nowhere where that is not near.
fn in_head(head: Rect, node: Rect, size: Vec2, tags: &[Rect]) -> Option<Pos2> {
    let y = head.center().y - size.y / 2.0;
    let room = Rangef::new(head.left(), head.right() - size.x);
    let wished = node.center().x - size.x / 2.0;
    let x = off_others(room, (y, size), wished, &apart(tags))?;
    ((x - wished).abs() <= size.x / 2.0 + ASIDE).then_some(pos2(x, y))
}

/// Tags with what is left free beside them.
fn apart(tags: &[Rect]) -> Vec<Rect> {
    let tags = tags.iter();
    tags.map(|tag| tag.expand2(vec2(4.0, 0.0))).collect()
}

/// Where a tag of this size begins at this height, from where to where it may, off these others: as near to where it is wished as they let it.
fn off_others(room: Rangef, (y, size): (f32, Vec2), wished: f32, others: &[Rect]) -> Option<f32> {
    if room.max < room.min {
        return None;
    }
    let beside = others.iter();
    let beside = beside.flat_map(|other| [other.left() - size.x, other.right()]);
    let beside = beside.filter(|x| room.contains(*x));
    let is_free = |x: &f32| {
        let tag = Rect::from_min_size(pos2(*x, y), size).shrink(0.5);
        !others.iter().any(|other| other.intersects(tag))
    };
    let off = |x: &f32| (x - wished).abs();
    let places = std::iter::once(room.clamp(wished)).chain(beside);
    places
        .filter(is_free)
        .min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// Where a tag that is so `wide` begins in a row of which some parts are `taken`: as near to where it is wished as there is room, and nowhere
/// where that is not near.
fn in_gap(room: Rangef, mut taken: Vec<Rangef>, wide: f32, wished: f32) -> Option<f32> {
    taken.sort_by(|a, b| a.min.total_cmp(&b.min));
    let off = |x: f32| (x - wished).abs();
    let (mut from, mut best) = (room.min, None);
    for end in taken.into_iter().chain([Rangef::point(room.max)]) {
        let last = end.min.min(room.max) - wide;
        if last >= from {
            let x = wished.clamp(from, last);
            best = best.filter(|best| off(*best) <= off(x)).or(Some(x));
        }
        from = from.max(end.max);
    }
    best.filter(|x| off(*x) <= wide / 2.0 + ASIDE)
}

/// How high the number of a level is, in points, with what is left free above it.
const NUMBER: f32 = 10.0;

/// How high a tag is, in points.
const TAG: f32 = 15.0;

/// Between a tag and its node, in points.
const OFF_NODE: f32 = 2.0;

/// In which row a tag so high stands that is about a node, and whether that lies above it: off the node and its neighbours. Below the whole tree,
/// which ends at `foot`, it hides none of them; else beside the root, where the node is not near that; else over the lowest levels. None where
/// the node takes all of the height.
fn row_of_tag(
    body: Rect,
    foot: f32,
    (node, is_beside_root): (Rect, bool),
    high: f32,
) -> Option<(f32, bool)> {
    let lowest = body.bottom() - high;
    if foot <= lowest + 3.0 {
        Some((foot, false))
    } else if is_beside_root && node.top() >= body.top() + high + OFF_NODE {
        Some((body.top(), true))
    } else {
        (node.bottom() + OFF_NODE <= lowest).then_some((lowest, false))
    }
}

/// Half the side of a node with others below it, where nodes and lines are drawn, in points.
const INNER: f32 = 3.5;

/// How far the frame of a node reaches beyond that, in points: where there is room for a frame, over none of those beside it and above and below
/// it, which stand so far off. Where there is less, it is seen all the same.
fn around_node(half: f32, beside: f32, level: f32) -> f32 {
    let free = (beside - 2.0 * half).min(level - half - INNER);
    (free - 0.5).clamp(1.0, 3.0)
}

/// What is left of a range off these parts of it.
fn off_these(whole: Rangef, mut parts: Vec<Rangef>) -> Vec<Rangef> {
    parts.sort_by(|a, b| a.min.total_cmp(&b.min));
    let (mut from, mut rest) = (whole.min, Vec::new());
    for part in parts.into_iter().chain([Rangef::point(whole.max)]) {
        let to = part.min.min(whole.max);
        if to > from {
            rest.push(Rangef::new(from, to));
        }
        from = from.max(part.max);
    }
    rest
}

/// The line from square to square, from the edge of either towards the middle of the other one: none where these meet.
fn from_edge_to_edge(upper: Rect, lower: Rect) -> Option<[Pos2; 2]> {
    let way = lower.center() - upper.center();
    let farthest = way.abs().max_elem();
    let free = farthest - (upper.width() + lower.width()) / 2.0;
    let off = |square: Rect| way * (square.width() / 2.0 / farthest);
    (free > 0.0).then(|| [upper.center() + off(upper), lower.center() - off(lower)])
}

/// What of a bar is to be drawn beside those before it on its level, from where that is `free` on: colours can be seen through, and where two
/// lay over each other there would be a line that means nothing. To what `is_marked` something has happened, and it is seen whole.
fn beside(bar: Rect, free: &mut f32, is_marked: bool) -> Option<Rect> {
    let rest = match is_marked {
        true => bar,
        false => bar.with_min_x(bar.left().max(*free)),
    };
    *free = free.max(bar.right());
    (rest.width() > 0.0).then_some(rest)
}

/// How far it is from level to level: so far that what a tag says has its line below them, where that leaves room enough for nodes.
fn level_of(layout: &Diagram, body: Rect, style: Style) -> f32 {
    let levels = f32::from(layout.levels);
    // The row of cells, where there are no levels, has all the height.
    let most = if layout.is_flat { f32::INFINITY } else { LEVEL };
    let least = match style {
        Style::NodeLink => 9.0,
        Style::Icicle => 3.5,
    };
    let with_tag = (body.height() - TAG) / levels;
    let level = match with_tag >= least {
        true => with_tag,
        false => body.height() / levels,
    };
    level.min(most)
}

/// The tree at one step.
struct Picture<'a> {
    layout: &'a Diagram,
    across: Across,
    seen: &'a Seen,
    body: Rect,
    /// What is free of the row above it.
    head: Rect,
    /// Where the tags are that there are by now: one, or where two are compared up to three.
    tags: RefCell<Vec<Rect>>,
    /// Between two levels, in points.
    level: f32,
    style: Style,
    reel: &'a Reel,
    /// The regions that it is the tree of.
    atlas: Option<&'a Atlas>,
    at: usize,
    /// Whose turn it is at that step.
    turn: Option<usize>,
    /// Where a build is stepped through: nodes that are not there yet are pale.
    build: Option<Build<'a>>,
}

impl Picture<'_> {
    /// How much there is to be seen of a node.
    fn opacity(&self, node: &DiagramNode) -> f32 {
        /// Of what is not there yet.
        const PALE: f32 = 0.5;
        let above = node.parent.map(|above| self.layout.nodes[above].told);
        let is_there = |build: &Build<'_>| build.is_there(node.told, above, self.at);
        match &self.build {
            Some(build) if !is_there(build) => PALE,
            None if self.is_below_later(node) => PALE,
            _ => 1.0,
        }
    }

    /// Whether a node is below one that an edit splits in a later step: it is as pale.
    fn is_below_later(&self, node: &DiagramNode) -> bool {
        if !self.reel.has_yet_to_split(self.at) {
            return false;
        }
        let nodes = &self.layout.nodes;
        let mut above = std::iter::successors(node.parent, |above| nodes[*above].parent);
        above.any(|above| self.reel.is_yet_to_split(nodes[above].region, self.at))
    }

    fn y(&self, level: u16) -> f32 {
        self.body.top() + self.level * (f32::from(level) + 0.5)
    }

    fn at(&self, node: &DiagramNode) -> Pos2 {
        pos2(self.across.x(node.x), self.y(node.level))
    }

    /// From where to where the bars of a level reach, in points.
    fn rows(&self, level: u16) -> Rangef {
        let top = self.y(level) - self.level / 2.0;
        Rangef::new(top, top + (self.level - 1.0).max(1.0))
    }

    /// The bar of a node in the icicle, or the tooth in which it is.
    fn bar(&self, node: &DiagramNode, tooth: Option<Rangef>) -> Rect {
        let sides = tooth.unwrap_or_else(|| self.across.sides(node));
        Rect::from_x_y_ranges(sides, self.rows(node.level))
    }

    /// Half the side of a node where nodes and lines are drawn, in points.
    fn half(node: &DiagramNode) -> f32 {
        if node.is_inner { INNER } else { 2.5 }
    }

    fn square(&self, node: &DiagramNode) -> Rect {
        Rect::from_center_size(self.at(node), Vec2::splat(2.0 * Self::half(node)))
    }

    /// The frame of a node, with its line: around that alone, however near the others are.
    fn frame(&self, number: usize) -> Rect {
        let node = &self.layout.nodes[number];
        match self.style {
            Style::NodeLink => {
                let around = around_node(Self::half(node), self.across.leaf, self.level);
                self.square(node).expand(around)
            }
            Style::Icicle => {
                let tooth = self.across.tooth(self.layout, number);
                let bar = self.bar(node, tooth);
                bar.with_max_x(bar.right().max(bar.left() + 3.0))
                    .expand(3.0)
            }
        }
    }

    /// Where a tag of this size hides no node that is about one, and whether that is in the row above the tree; else it is at its foot.
    fn off_all(&self, node: Rect, size: Vec2) -> Option<(Pos2, bool)> {
        let head = in_head(self.head, node, size, &self.tags.borrow());
        let head = head.map(|corner| (corner, true));
        head.or_else(|| Some((self.in_foot(node, size)?, false)))
    }

    /// Where at the foot of a deep tree a tag of this size stands that is about a node, off the others: few reach down to the lowest levels,
    /// and where none does it hides none.
    fn in_foot(&self, node: Rect, size: Vec2) -> Option<Pos2> {
        let row = Rect::from_min_max(
            pos2(self.body.left(), self.body.bottom() - size.y),
            self.body.max,
        );
        if node.bottom() + OFF_NODE > row.top() {
            return None;
        }
        let tags = apart(&self.tags.borrow()).into_iter();
        let tags = tags.filter(|tag| tag.intersects(row));
        let mut taken: Vec<Rangef> = tags.map(|tag| tag.x_range()).collect();
        if self.style == Style::Icicle {
            let teeth = self.seen.teeth.iter();
            let teeth = teeth.filter(|tooth| {
                let level = self.layout.nodes[tooth.node].level;
                self.rows(level).max > row.top() + 0.5
            });
            taken.extend(teeth.map(|tooth| tooth.sides));
        }
        self.each(|shown, node| {
            let drawn = match self.style {
                Style::Icicle => self.bar(node, shown.tooth),
                // With the line to it from the one above.
                Style::NodeLink => {
                    let above = node
                        .parent
                        .map(|above| self.across.x(self.layout.nodes[above].x));
                    let square = self.square(node).expand(1.0);
                    let from = above.unwrap_or(square.left());
                    let x = Rangef::new(from.min(square.left()), from.max(square.right()));
                    Rect::from_x_y_ranges(x, square.y_range())
                }
            };
            if drawn.bottom() > row.top() + 0.5 {
                taken.push(drawn.x_range());
            }
        });
        let wished = node.center().x - size.x / 2.0;
        let x = in_gap(row.x_range(), taken, size.x, wished)?;
        Some(pos2(x, row.top()))
    }

    fn mark(&self, node: &DiagramNode) -> Option<Mark> {
        let told = node.told?;
        let step = self.reel.place_at(told, self.at)?;
        Some(Mark::in_turn(step, self.turn == Some(told)))
    }

    /// Calls `visit` with each node that is drawn at this step.
    fn each(&self, mut visit: impl FnMut(&Shown, &DiagramNode)) {
        for shown in &self.seen.nodes {
            let node = &self.layout.nodes[shown.number];
            if shown.is_first || self.mark(node).is_some() {
                visit(shown, node);
            }
        }
    }

    fn draw(
        &self,
        painter: &Painter,
        palette: &Palette,
        stepping: &Stepping,
        selected: Option<UnitId>,
    ) {
        // As many levels as have room for their numbers, equally far from each other.
        let is_clear = |every: &u16| self.level * f32::from(*every) >= NUMBER;
        let every = [1, 2, 5, 10, 20, 50].into_iter().find(is_clear);
        let every = every.unwrap_or(100);
        for level in (0..self.layout.levels).step_by(every.into()) {
            if !self.layout.is_flat {
                painter.text(
                    pos2(self.body.left() - 8.0, self.y(level)),
                    Align2::RIGHT_CENTER,
                    level.to_string(),
                    number(9.0),
                    palette.text_third,
                );
            }
        }
        match self.style {
            Style::NodeLink => self.node_link(painter, palette),
            Style::Icicle => self.icicle(painter, palette),
        }
        // Where two are compared it is their turn that has a place here.
        let turn = self
            .turn
            .and_then(|turn| self.reel.story().places.get(turn));
        let own = stepping.now().and_then(|step| step.region);
        let now = own.or(turn.map(|turn| turn.region));
        self.tagged(
            painter,
            palette,
            now,
            palette.mark,
            palette.text,
            palette.panel,
        );
        let home = |unit: UnitId| {
            let place = stepping.atlas()?.home(unit)?;
            Some(place.region)
        };
        let picked = stepping.picked.or(selected.and_then(home));
        let picked = picked.filter(|region| own.is_none() && Some(*region) != now);
        self.tagged(
            painter,
            palette,
            picked,
            palette.mark,
            palette.text,
            palette.panel,
        );
        let pointed = match stepping.pointed {
            Some(Pointed::Region(region)) => Some(region),
            Some(Pointed::Unit(unit)) => home(unit),
            None => None,
        };
        // One node has one tag, whoever points at it as well.
        let pointed = pointed.filter(|region| ![now, picked].contains(&Some(*region)));
        self.tagged(
            painter,
            palette,
            pointed,
            palette.accent,
            palette.panel,
            palette.text,
        );
    }

    fn node_link(&self, painter: &Painter, palette: &Palette) {
        let nodes = &self.layout.nodes;
        self.each(|_, node| {
            let Some(parent) = node.parent else { return };
            let is_lit = self.mark(node).is_some();
            let above = self.opacity(&nodes[parent]);
            let (color, width) = match self.mark(node) {
                Some(Mark::Pruned) => (palette.text_third, 1.0),
                Some(mark) => (faded(mark.color(palette), 0.9 * above), 1.4),
                None => (faded(palette.tree_line(), self.opacity(node)), 1.0),
            };
            let stroke = Stroke::new(width, color);
            if is_lit || self.layout.leaves < 2_000.0 {
                painter.line_segment([self.at(&nodes[parent]), self.at(node)], stroke);
            }
        });
        self.each(|_, node| {
            let mark = self.mark(node);
            let square = self.square(node);
            let none = CornerRadius::ZERO;
            match mark {
                Some(Mark::Pruned) => {
                    let line = Stroke::new(1.0, palette.text_third);
                    painter.rect(square, none, palette.panel, line, StrokeKind::Inside);
                    painter.line_segment([square.left_bottom(), square.right_top()], line);
                }
                Some(mark) => {
                    painter.rect_filled(square, none, mark.color(palette));
                }
                None => {
                    let line = Stroke::new(1.0, faded(palette.swatch_line(), self.opacity(node)));
                    painter.rect(square, none, palette.panel, line, StrokeKind::Inside);
                }
            }
        });
    }

    fn icicle(&self, painter: &Painter, palette: &Palette) {
        /// A tooth that is filled less is as pale as one that is filled so far, and can be seen.
        const LEAST_SHARE: f32 = 0.4;
        let mut mesh = Mesh::default();
        for tooth in &self.seen.teeth {
            // As pale as the first node in it: to ask all of them would be work in each frame for every node that there is.
            let node = &self.layout.nodes[tooth.node];
            let opacity = 0.4 * tooth.share().max(LEAST_SHARE) * self.opacity(node);
            let color = faded(palette.at_depth(node.level), opacity);
            mesh.add_colored_rect(self.bar(node, Some(tooth.sides)), color);
        }
        let most = self.layout.most.max(1) as f32;
        let mut free = vec![f32::MIN; usize::from(self.layout.levels)];
        // Of what is in one tooth that which was left out is told last.
        let mut over: Vec<(Rect, Color32)> = Vec::new();
        self.each(|shown, node| {
            let mark = self.mark(node);
            // Its tooth is there; how pale it would be is sought in all above it, and for nothing.
            if shown.tooth.is_some() && mark.is_none() {
                return;
            }
            let color = match mark {
                Some(Mark::Pruned) => faded(palette.text_third, PRUNED_BAR),
                Some(Mark::Taken) => palette.accent,
                Some(mark) => faded(mark.color(palette), 0.8),
                None if self.layout.is_flat => {
                    faded(palette.depth[4], 0.12 + 0.5 * node.load as f32 / most)
                }
                None => faded(palette.at_depth(node.level), 0.4 * self.opacity(node)),
            };
            let bar = self.bar(node, shown.tooth);
            if shown.tooth.is_some() {
                if mark == Some(Mark::Pruned) {
                    mesh.add_colored_rect(bar, palette.panel);
                    mesh.add_colored_rect(bar, color);
                } else {
                    over.push((bar, color));
                }
                return;
            }
            let free = &mut free[usize::from(node.level)];
            let Some(bar) = beside(bar, free, mark.is_some()) else {
                return;
            };
            mesh.add_colored_rect(bar, color);
            if mark.is_some() {
                return;
            }
            // The upper levels have the palest colours: lines at the head of each bar and, where it is wide, at its beginning tell where it is.
            let line = faded(palette.tree_line(), self.opacity(node));
            mesh.add_colored_rect(bar.with_max_y(bar.top() + 1.0), line);
            if self.across.wide(node) > LEAST_LINED {
                mesh.add_colored_rect(bar.with_max_x(bar.left() + 1.0), line);
            }
        });
        for (bar, color) in over {
            mesh.add_colored_rect(bar, palette.panel);
            mesh.add_colored_rect(bar, color);
        }
        painter.add(Shape::mesh(mesh));
    }

    /// The outline of a node, the way up from it, and a tag with what it is.
    fn tagged(
        &self,
        painter: &Painter,
        palette: &Palette,
        region: Option<RegionId>,
        line: Color32,
        ground: Color32,
        ink: Color32,
    ) {
        let Some(region) = region else { return };
        let nodes = &self.layout.nodes;
        let Some(number_of) = self.layout.find(region) else {
            return;
        };
        let node = &nodes[number_of];
        let frame = self.frame(number_of);
        // What is in it, with a hair around that.
        let rect = frame.shrink(2.0);
        let mut way = Vec::new();
        if self.style == Style::NodeLink {
            let mut lower = node;
            while let Some(parent) = lower.parent {
                let upper = &nodes[parent];
                let path = Stroke::new(1.8, faded(line, 0.85));
                // From edge to edge: within them it would strike through what they are.
                let square = match lower.region == region {
                    true => frame,
                    false => self.square(lower),
                };
                if let Some(line) = from_edge_to_edge(self.square(upper), square) {
                    painter.line_segment(line, path);
                    way.push(line);
                }
                lower = upper;
            }
        }
        painter.rect_stroke(
            frame,
            CornerRadius::ZERO,
            Stroke::new(2.0, line),
            StrokeKind::Inside,
        );
        let place = self.atlas.and_then(|atlas| atlas.place(region));
        // Once the step has happened, as on the field.
        let place = place.map(|place| self.reel.story().shown_then(place, self.at));
        let place = place.as_deref();
        let name = place.map_or_else(
            || unseen(self.reel, region),
            |place| match self.layout.is_flat {
                true => called_with_noun(self.reel, place),
                false => called(self.reel, place),
            },
        );
        // What a node holds with all below it, as on the field and in the list; of one that is not known there, what it holds itself.
        let held = match place {
            Some(place) => Some(how_many(self.reel, place)),
            None if node.is_inner && node.load == 0 => None,
            None => Some(so_many(self.reel, node.load.into())),
        };
        let lay_out = |words: String| painter.layout_no_wrap(words, number(size::CAPTION), ink);
        let size_of = |galley: &Arc<Galley>| galley.size() + vec2(8.0, 2.0);
        let foot = self.body.top() + self.level * f32::from(self.layout.levels) + 1.0;
        let is_beside_root = self.style == Style::Icicle || node.level > 2;
        let alone = lay_out(name.clone());
        let row = row_of_tag(self.body, foot, (rect, is_beside_root), size_of(&alone).y);
        let has_foot = row.is_some_and(|(row, _)| row >= foot);
        // Where it hides none at all, before it hides some of those that are off the way; and a name that hides none before all the words.
        let off_all = |galley: &Arc<Galley>| match has_foot {
            true => None,
            false => self.off_all(rect, size_of(galley)),
        };
        let whole = held.map(|held| lay_out(format!("{name} · {held}")));
        let forms = whole.iter().chain([&alone]);
        let free = forms
            .into_iter()
            .find_map(|form| Some((Arc::clone(form), off_all(form)?)));
        let (galley, free) = match free {
            Some((galley, free)) => (galley, Some(free)),
            None => (whole.unwrap_or(alone), None),
        };
        let size = size_of(&galley);
        let mut at = pos2(rect.right() + 6.0, rect.center().y - size.y / 2.0);
        if rect.width() > size.x + 16.0 {
            at.x = rect.left() + 4.0;
        }
        if at.x + size.x > self.body.right() {
            at.x = rect.left() - 6.0 - size.x;
        }
        let room = Rangef::new(self.body.left(), self.body.right() - size.x);
        let tags = apart(&self.tags.borrow());
        let is_in_head = free.is_some_and(|(_, is_in_head)| is_in_head);
        if let Some((corner, _)) = free {
            at = corner;
            let (from, edge) = match is_in_head {
                true => (frame.center_top(), at.y + size.y),
                false => (frame.center_bottom(), at.y),
            };
            let end = pos2(from.x.clamp(at.x + 4.0, at.x + size.x - 4.0), edge);
            self.leader(painter, [from, end], faded(line, 0.5));
        } else if let Some((row, is_above)) = row {
            // Of an icicle the root is as wide as all of it.
            let has_root = is_above && self.style == Style::NodeLink;
            let root = self.layout.nodes.first().filter(|_| has_root);
            let root = root.map(|root| Rect::from_center_size(self.at(root), vec2(12.0, 12.0)));
            at.y = row;
            // The way down from the root is to be seen: what goes through this row keeps the tag off.
            let way = way.iter().filter(|_| is_above).map(|&[upper, lower]| {
                let least = row + size.y;
                let part = ((least - upper.y) / (lower.y - upper.y).max(1.0)).clamp(0.0, 1.0);
                let leaves_at = upper.lerp(lower, part);
                Rect::from_two_pos(upper, leaves_at).expand2(vec2(3.0, 1.0))
            });
            // Beside the other tags, and all of them beside the root.
            let others: Vec<Rect> = root.into_iter().chain(tags).chain(way).collect();
            let wished = rect.center().x - size.x / 2.0;
            let least = wished.min(room.max).max(room.min);
            at.x = off_others(room, (row, size), wished, &others).unwrap_or(least);
            let (from, edge) = match is_above {
                true => (frame.center_top(), row + size.y),
                false => (frame.center_bottom(), row),
            };
            let end = pos2(from.x.clamp(at.x + 4.0, at.x + size.x - 4.0), edge);
            self.leader(painter, [from, end], faded(line, 0.5));
        } else if let Some(x) = off_others(room, (at.y, size), at.x, &tags) {
            at.x = x;
        }
        // What chooses how the tree is drawn stands right above it.
        if !is_in_head {
            at.y = at.y.max(self.body.top());
        }
        let tag = Rect::from_min_size(at, size);
        self.tags.borrow_mut().push(tag);
        painter.rect(
            tag,
            CornerRadius::same(3),
            ground,
            Stroke::new(
                1.0,
                if ground == palette.panel {
                    line
                } else {
                    ground
                },
            ),
            StrokeKind::Inside,
        );
        painter.galley(tag.min + vec2(4.0, 1.0), galley, ink);
    }

    /// The line from a node to its tag. Where nodes and lines are drawn it goes past the nodes on its way behind them.
    fn leader(&self, painter: &Painter, [from, to]: [Pos2; 2], color: Color32) {
        let stroke = Stroke::new(1.0, color);
        let mut behind: Vec<Rangef> = Vec::new();
        if self.style == Style::NodeLink {
            self.each(|_, node| {
                let square = self.square(node).expand(1.5);
                let y = square.center().y;
                let part = ((y - from.y) / (to.y - from.y)).clamp(0.0, 1.0);
                if square.contains(pos2(from.lerp(to, part).x, y)) {
                    behind.push(square.y_range());
                }
            });
        }
        let (high, low) = (from.y.min(to.y), from.y.max(to.y));
        let at = |y: f32| from.lerp(to, (y - from.y) / (to.y - from.y));
        for rest in off_these(Rangef::new(high, low), behind) {
            painter.line_segment([at(rest.min), at(rest.max)], stroke);
        }
    }

    /// The node at a point of the window.
    fn node_at(&self, at: Pos2) -> Option<usize> {
        let level = ((at.y - self.body.top()) / self.level).floor();
        if !(0.0..f32::from(self.layout.levels)).contains(&level) {
            return None;
        }
        let level = level as u16;
        let nodes = self.layout.nodes.iter().enumerate();
        let mut here = nodes.filter(|(_, node)| node.level == level);
        match self.style {
            Style::Icicle => {
                let leaves =
                    (at.x - self.body.left()) / self.body.width() * self.layout.leaves.max(1.0);
                here.find(|(_, node)| (node.from..node.to).contains(&leaves))
                    .map(|(number, _)| number)
            }
            Style::NodeLink => here
                .map(|(number, node)| ((self.across.x(node.x) - at.x).abs(), number))
                .filter(|(off, _)| *off <= 7.0)
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, number)| number),
        }
    }
}

#[cfg(test)]
mod tests;
