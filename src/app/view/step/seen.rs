//! What of a tree is seen in so much room: which nodes have a bar of their own, and which are too narrow to be told apart.

use egui_macroquad::egui::{Rangef, Rect};
use skirmish::story::{Diagram, DiagramNode};

/// Where nodes lie from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Across {
    /// Where the first leaf begins, in points.
    left: f32,
    /// How wide each leaf is, in points.
    pub leaf: f32,
    pixels_per_point: f32,
}

impl Across {
    /// Of a tree that is as wide as this.
    pub fn of(layout: &Diagram, body: Rect, pixels_per_point: f32) -> Self {
        Self {
            left: body.left(),
            leaf: body.width() / layout.leaves.max(1.0),
            pixels_per_point,
        }
    }

    /// Where so many leaves end, in points.
    pub fn x(&self, leaves: f32) -> f32 {
        self.left + self.leaf * leaves
    }

    /// How wide a node is in the icicle, in points: the same of all that have as many leaves.
    pub fn wide(&self, node: &DiagramNode) -> f32 {
        self.leaf * (node.to - node.from)
    }

    /// The border between two pixels that is nearest.
    fn on_pixel(&self, x: f32) -> f32 {
        (x * self.pixels_per_point).round() / self.pixels_per_point
    }

    fn pixel(&self) -> f32 {
        1.0 / self.pixels_per_point
    }

    /// A bar that is narrower than this, in points, cannot be told from those beside it: as wide as two pixels and a gap, and never so fine that
    /// nobody sees the gap.
    fn least(&self) -> f32 {
        (3.0 * self.pixel()).max(2.0)
    }

    /// Whether a node has a bar of its own.
    pub fn is_told_apart(&self, node: &DiagramNode) -> bool {
        self.wide(node) >= self.least()
    }

    /// The sides of the bar of a node, from pixel to pixel: of bars that end between two of these some would be as wide as two others.
    pub fn sides(&self, node: &DiagramNode) -> Rangef {
        let [left, right] = [node.from, node.to].map(|leaves| self.on_pixel(self.x(leaves)));
        // A hair between neighbours, where there is room for one: by how wide a bar is and not by its pixels, of which neighbours have one more
        // or less.
        let gap = match self.wide(node) {
            wide if wide > 3.0 => self.on_pixel(1.0),
            wide if wide >= self.least() => self.pixel(),
            _ => 0.0,
        };
        // As wide as a point: what is narrower falls between two, and a level of such leaves would not be seen.
        Rangef::new(left, (right - gap).max(self.on_pixel(left + 1.0)))
    }

    /// Whether a node of this layout has a bar of its own: each cell of a row has.
    fn has_bar(&self, layout: &Diagram, node: &DiagramNode) -> bool {
        layout.is_flat || self.is_told_apart(node)
    }

    /// The comb of the run that begins with this node, over those beside it up to the next one with a bar.
    fn comb(&self, layout: &Diagram, first: usize) -> Comb {
        let home = layout.nodes[first].parent;
        let end = home.map_or(layout.nodes.len(), |home| layout.nodes[home].end);
        let mut last = first;
        loop {
            let next = layout.nodes[last].end;
            if next >= end || self.has_bar(layout, &layout.nodes[next]) {
                break;
            }
            last = next;
        }
        let to = layout.nodes[last].to;
        let ends = [layout.nodes[first].from, to];
        let [from, mut until] = ends.map(|leaves| self.on_pixel(self.x(leaves)));
        // Where it reaches as far as its home it ends with that.
        if let Some(home) = home.map(|home| &layout.nodes[home])
            && to >= home.to
        {
            until = until.min(self.sides(home).max + self.pixel());
        }
        Comb {
            first,
            end: layout.nodes[last].end,
            span: Rangef::new(from, until.max(from)),
        }
    }

    /// The tooth of a comb in which the middle of a narrow node is: its number, and its sides.
    fn tooth_in(&self, comb: &Comb, node: &DiagramNode) -> (u32, Rangef) {
        let span = comb.span;
        let count = (span.span() / self.least()).floor().max(1.0);
        let middle = self.x((node.from + node.to) / 2.0);
        let tooth = ((middle - span.min) / span.span().max(self.pixel()) * count).floor();
        let tooth = tooth.clamp(0.0, count - 1.0);
        let at = |tooth: f32| self.on_pixel(span.min + span.span() * tooth / count);
        let left = at(tooth);
        // A run that has no room for a gap has none, and one that has no pixel to itself has the hair before it.
        let right = (at(tooth + 1.0) - self.pixel()).max(left + self.pixel());
        let right = right.min(span.max);
        let sides = Rangef::new(left.min(right - self.pixel()), right);
        (tooth as u32, sides)
    }

    /// The sides of the tooth in which a node is, where it has no bar of its own.
    pub fn tooth(&self, layout: &Diagram, number: usize) -> Option<Rangef> {
        let nodes = &layout.nodes;
        let has_bar = |number: usize| self.has_bar(layout, &nodes[number]);
        if has_bar(number) {
            return None;
        }
        // Up to the one that is right below the home of all of them, and to where its run begins.
        let up = std::iter::successors(Some(number), |lower| nodes[*lower].parent);
        let top = up.take_while(|lower| !has_bar(*lower)).last()?;
        let start = nodes[top].parent.map_or(0, |home| home + 1);
        let beside = std::iter::successors(Some(start), |before| Some(nodes[*before].end));
        let mut first = top;
        let mut is_open = false;
        for before in beside.take_while(|before| *before < top) {
            match (has_bar(before), is_open) {
                (true, _) => (first, is_open) = (top, false),
                (false, false) => (first, is_open) = (before, true),
                (false, true) => {}
            }
        }
        let comb = self.comb(layout, first);
        Some(self.tooth_in(&comb, &nodes[number]).1)
    }
}

/// A run of nodes beside each other that have no bars of their own, with all that is below them: on each level a comb as wide as these, off
/// the bars beside it.
#[derive(Clone, Copy, Debug)]
struct Comb {
    /// The first of them.
    first: usize,
    /// The first node that is neither one of them nor below one.
    end: usize,
    /// From where to where it reaches, with the gap behind each tooth, in points.
    span: Rangef,
}

/// A node that may be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Which one of the layout it is.
    pub number: usize,
    /// Of several on the same pixel one is enough, unless something has happened to it.
    pub is_first: bool,
    /// In an icicle the sides of the tooth in which it is, where it has no bar of its own.
    pub tooth: Option<Rangef>,
}

/// Nodes that are too narrow to be told apart: a comb tells that there are many, for a bar would seem to be one node.
#[derive(Clone, Copy, Debug)]
pub struct Tooth {
    /// The first of them.
    pub node: usize,
    /// The first node of its comb, and which one of that it is.
    of: (usize, u32),
    /// From where to where it reaches, in points.
    pub sides: Rangef,
    /// How wide its nodes are together, in points: what is below its neighbours on other levels leaves it partly empty.
    filled: f32,
}

impl Tooth {
    /// How much of it is filled, of 1.
    pub fn share(&self) -> f32 {
        (self.filled / self.sides.span()).min(1.0)
    }
}

/// What of a tree is seen at such a width, whatever the step is: found out once, for a tree of a million units has hundreds of thousands of nodes.
///
/// Invariant: there is as much as levels of this width have room for, however many nodes there are.
#[derive(Debug, Default)]
pub struct Seen {
    /// In the order of the layout.
    pub nodes: Vec<Shown>,
    /// On each level from left to right.
    pub teeth: Vec<Tooth>,
}

impl Seen {
    /// Goes over all nodes of a tree, once: none can be left out, for how full a tooth is, and which level is the lowest, is told by all of them.
    /// Each is compared with the last one of its level and looked up nowhere.
    pub fn of(layout: &Diagram, across: Across) -> Self {
        /// What is below a node that is narrower than this, in points, is drawn for its level alone, whatever has happened to it.
        const NARROW: f32 = 0.5;
        let levels = usize::from(layout.levels);
        let mut seen = Self::default();
        let mut drawn_to = vec![f32::MIN; levels];
        let mut open: Vec<Option<Tooth>> = vec![None; levels];
        // Of the last narrow node: all that is below one follows it.
        let mut last: Option<Comb> = None;
        for (number, node) in layout.nodes.iter().enumerate() {
            let level = usize::from(node.level);
            let above = node.parent.map(|above| &layout.nodes[above]);
            let tooth = (!across.has_bar(layout, node)).then(|| {
                let comb = last.filter(|last| number < last.end);
                let comb = comb.unwrap_or_else(|| across.comb(layout, number));
                last = Some(comb);
                let (tooth, sides) = across.tooth_in(&comb, node);
                let wide = across.wide(node);
                let of = (comb.first, tooth);
                match &mut open[level] {
                    Some(same) if same.of == of => same.filled += wide,
                    other => {
                        let tooth = Tooth {
                            node: number,
                            of,
                            sides,
                            filled: wide,
                        };
                        seen.teeth.extend(other.replace(tooth));
                    }
                }
                sides
            });
            let drawn = &mut drawn_to[level];
            let is_first = across.x(node.to) > *drawn;
            if is_first {
                *drawn = across.x(node.from) + 0.9;
            }
            let is_near = above.is_none_or(|above| across.wide(above) >= NARROW);
            if is_first || node.told.is_some() && is_near {
                seen.nodes.push(Shown {
                    number,
                    is_first,
                    tooth,
                });
            }
        }
        seen.teeth.extend(open.into_iter().flatten());
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{pos2, vec2};
    use skirmish::partition::RegionId;

    /// Puts a node behind those that there are, which is so many leaves wide and begins with the leaf `from`.
    fn push(layout: &mut Diagram, parent: Option<usize>, (from, wide): (usize, usize)) -> usize {
        let number = layout.nodes.len();
        let level = parent.map_or(0, |above| layout.nodes[above].level + 1);
        layout.nodes.push(DiagramNode {
            region: number as RegionId,
            from: from as f32,
            to: (from + wide) as f32,
            x: from as f32 + wide as f32 / 2.0,
            level,
            told: None,
            parent,
            end: number + 1,
            load: 1,
            is_inner: wide > 1,
        });
        layout.levels = layout.levels.max(level + 1);
        let mut above = parent;
        while let Some(node) = above {
            layout.nodes[node].end = number + 1;
            above = layout.nodes[node].parent;
        }
        number
    }

    /// A root, so many nodes below it, each with as many leaves, and one chain of nodes below the first leaf.
    fn tree(nodes: usize, leaves: usize, chain: u16) -> Diagram {
        let mut layout = Diagram::default();
        let root = push(&mut layout, None, (0, nodes * leaves));
        for node in 0..nodes {
            let above = push(&mut layout, Some(root), (node * leaves, leaves));
            for leaf in 0..leaves {
                let mut lowest = push(&mut layout, Some(above), (node * leaves + leaf, 1));
                if node + leaf == 0 {
                    for _ in 0..chain {
                        lowest = push(&mut layout, Some(lowest), (0, 1));
                    }
                }
            }
        }
        layout.leaves = (nodes * leaves) as f32;
        layout
    }

    /// A tree in which every node has single leaves before, between and behind two others, of which one is far wider than the other.
    fn skewed(wide: usize) -> Diagram {
        fn below(layout: &mut Diagram, above: usize, from: usize, wide: usize) {
            if wide < 6 {
                let leaves = if wide == 1 { 0 } else { wide };
                for leaf in 0..leaves {
                    push(layout, Some(above), (from + leaf, 1));
                }
                return;
            }
            let rest = wide - 3;
            let large = rest - (rest / 4).max(1);
            let parts = [1, large, 1, rest - large, 1];
            let mut from = from;
            for part in parts {
                let node = push(layout, Some(above), (from, part));
                below(layout, node, from, part);
                from += part;
            }
        }
        let mut layout = Diagram::default();
        let root = push(&mut layout, None, (0, wide));
        below(&mut layout, root, 0, wide);
        layout.leaves = wide as f32;
        layout
    }

    #[test]
    fn no_tooth_of_a_comb_lies_over_the_bar_of_another_node_of_its_level() {
        let layout = skewed(600);
        for (pixels_per_point, width) in [
            (1.0, 560.0),
            (1.25, 431.0),
            (1.5, 900.0),
            (2.0, 560.0),
            (2.0, 200.0),
        ] {
            let body = Rect::from_min_size(pos2(7.0, 0.0), vec2(width, 60.0));
            let across = Across::of(&layout, body, pixels_per_point);
            let seen = Seen::of(&layout, across);
            let mut mixed = 0;
            for level in 0..layout.levels {
                let own = layout.nodes.iter().filter(|node| node.level == level);
                let bars = own.filter(|node| across.is_told_apart(node));
                let bars: Vec<Rangef> = bars.map(|node| across.sides(node)).collect();
                let teeth = seen.teeth.iter();
                let teeth = teeth.filter(|tooth| layout.nodes[tooth.node].level == level);
                for tooth in teeth {
                    let sides = tooth.sides;
                    assert!(sides.span() > across.pixel() - 0.01, "{level}: {tooth:?}");
                    let meets =
                        |bar: &&Rangef| sides.min < bar.max - 0.01 && sides.max > bar.min + 0.01;
                    let met = bars.iter().find(meets);
                    assert_eq!(met, None, "{pixels_per_point}, {width}, {level}: {tooth:?}");
                    mixed += usize::from(!bars.is_empty());
                }
            }
            assert!(mixed > 3, "{pixels_per_point}, {width}: {mixed}");
        }
    }

    #[test]
    fn each_narrow_node_has_the_tooth_that_is_drawn_there_also_where_it_is_none_of_the_first() {
        for layout in [skewed(600), tree(24, 20, 3), tree(40, 200, 3)] {
            for pixels_per_point in [1.0, 1.5, 2.0] {
                let body = Rect::from_min_size(pos2(7.0, 0.0), vec2(400.0, 60.0));
                let across = Across::of(&layout, body, pixels_per_point);
                let seen = Seen::of(&layout, across);
                for shown in &seen.nodes {
                    assert_eq!(across.tooth(&layout, shown.number), shown.tooth);
                }
                for (number, node) in layout.nodes.iter().enumerate() {
                    let tooth = across.tooth(&layout, number);
                    assert_eq!(tooth.is_none(), across.is_told_apart(node));
                    let is_it = |drawn: &Tooth| {
                        layout.nodes[drawn.node].level == node.level && Some(drawn.sides) == tooth
                    };
                    assert!(tooth.is_none() || seen.teeth.iter().any(is_it), "{number}");
                }
            }
        }
    }

    #[test]
    fn what_is_seen_of_a_tree_does_not_grow_with_its_nodes() {
        let body = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 100.0));
        let counts = [500, 8_000].map(|leaves| {
            let layout = tree(40, leaves, 3);
            let across = Across::of(&layout, body, 1.0);
            let seen = Seen::of(&layout, across);
            (seen.nodes.len(), seen.teeth.len())
        });
        // As of a million units with three in each leaf.
        let [(nodes, teeth), (more_nodes, more_teeth)] = counts;
        assert!(more_nodes <= nodes + nodes / 8, "{counts:?}");
        assert!(more_teeth <= teeth + teeth / 8, "{counts:?}");
    }

    #[test]
    fn narrow_leaves_are_a_comb_below_their_own_node_at_every_size() {
        let layout = tree(24, 20, 0);
        for (pixels_per_point, width) in [(1.0, 560.0), (1.5, 500.0), (2.0, 560.0), (2.0, 200.0)] {
            let body = Rect::from_min_size(pos2(7.0, 0.0), vec2(width, 60.0));
            let across = Across::of(&layout, body, pixels_per_point);
            let seen = Seen::of(&layout, across);
            assert!(seen.teeth.len() > 24, "{width}: {seen:?}");
            for pair in seen.teeth.windows(2) {
                let gap = pair[1].sides.min - pair[0].sides.max;
                assert!(gap > across.pixel() - 0.01, "{width}: {pair:?}");
            }
            let mut filled = 0.0;
            for tooth in &seen.teeth {
                let home = layout.nodes[tooth.of.0].parent;
                assert_eq!(layout.nodes[tooth.node].parent, home);
                let home = &layout.nodes[home.expect("its node has a bar")];
                let (sides, bar) = (tooth.sides, across.sides(home));
                assert!(sides.min >= bar.min - 0.01 && sides.max <= bar.max + 0.01);
                assert!(sides.span() >= across.pixel() && sides.span() < 8.0);
                filled += tooth.filled;
            }
            assert!((filled - width).abs() < 0.5, "{width}: {filled}");
        }
        // Where each has a bar of its own there is a gap behind it, and no comb.
        for pixels_per_point in [1.0, 2.0] {
            let body = Rect::from_min_size(pos2(7.0, 0.0), vec2(480.0 * 3.2, 60.0));
            let across = Across::of(&layout, body, pixels_per_point);
            assert!(Seen::of(&layout, across).teeth.is_empty());
            let bars: Vec<Rangef> = layout.nodes.iter().map(|it| across.sides(it)).collect();
            let leaves = bars[2..22].windows(2);
            assert!(leaves.map(|it| it[1].min - it[0].max).all(|gap| gap > 0.4));
        }
    }

    #[test]
    fn the_lowest_level_is_drawn_however_narrow_what_is_above_it_is() {
        let layout = tree(40, 200, 15);
        for pixels_per_point in [1.0, 2.0] {
            let body = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 100.0));
            let across = Across::of(&layout, body, pixels_per_point);
            assert!(across.wide(&layout.nodes[2]) < 0.5);
            let seen = Seen::of(&layout, across);
            for level in 0..layout.levels {
                let is_it = |node: usize| layout.nodes[node].level == level;
                let mut teeth = seen.teeth.iter();
                let has_tooth = teeth.any(|tooth| is_it(tooth.node) && tooth.share() > 0.0);
                assert_eq!(has_tooth, level >= 2, "{level}");
                // So it is where nodes and lines are drawn.
                let mut first = seen.nodes.iter().filter(|it| it.is_first);
                assert!(first.any(|it| is_it(it.number)), "{level}");
            }
            // What is drawn is as many as the width has room for, however many there are.
            assert!(seen.nodes.len() < 2_000 && seen.teeth.len() < 1_000);
        }
    }
}
