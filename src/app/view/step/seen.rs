//! What of a tree is seen in so much room: which nodes have a bar of their own, and which are too narrow to be told apart.

use egui_macroquad::egui::{Rangef, Rect};
use skirmish::story::{Diagram, DiagramNode};

/// Where nodes lie from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Across {
    /// Where the first leaf begins, and where the last one ends, in points.
    left: f32,
    right: f32,
    /// How wide each leaf is, in points.
    pub leaf: f32,
    pixels_per_point: f32,
}

impl Across {
    /// Of a tree that is as wide as this.
    pub fn of(layout: &Diagram, body: Rect, pixels_per_point: f32) -> Self {
        Self {
            left: body.left(),
            right: body.right(),
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

    /// The teeth of a comb below the node that is the nearest above with a bar of its own, or below nothing: how many there are, and from where
    /// to where each of them is, with the gap behind it.
    fn teeth(&self, home: Option<&DiagramNode>) -> (f32, Rangef) {
        let sides = home.map(|home| self.sides(home));
        let sides = sides.unwrap_or(Rangef::new(self.on_pixel(self.left), self.right));
        let span = Rangef::new(sides.min, sides.max + self.pixel());
        ((span.span() / self.least()).floor().max(1.0), span)
    }

    /// The tooth in which the middle of a narrow node is: its number, and its sides.
    fn tooth(&self, node: &DiagramNode, home: Option<&DiagramNode>) -> (u32, Rangef) {
        let (count, span) = self.teeth(home);
        let middle = self.x((node.from + node.to) / 2.0);
        let tooth = ((middle - span.min) / span.span() * count).floor();
        let tooth = tooth.clamp(0.0, count - 1.0);
        let at = |tooth: f32| self.on_pixel(span.min + span.span() * tooth / count);
        let sides = Rangef::new(at(tooth), at(tooth + 1.0) - self.pixel());
        (tooth as u32, sides)
    }
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
    /// Which one it is, below which node with a bar of its own.
    of: (Option<usize>, u32),
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

/// What of a tree is seen at such a width, whatever the step is: found out once, for a tree may have a hundred thousand nodes.
#[derive(Debug, Default)]
pub struct Seen {
    /// In the order of the layout.
    pub nodes: Vec<Shown>,
    /// On each level from left to right.
    pub teeth: Vec<Tooth>,
}

impl Seen {
    /// Goes over all nodes of a tree.
    pub fn of(layout: &Diagram, across: Across) -> Self {
        /// What is below a node that is narrower than this, in points, is drawn for its level alone, whatever has happened to it.
        const NARROW: f32 = 0.5;
        let levels = usize::from(layout.levels);
        let mut seen = Self::default();
        let mut drawn_to = vec![f32::MIN; levels];
        // Of the last narrow node on each level: below whom it stands, and the tooth in which it is.
        let mut homes: Vec<Option<usize>> = vec![None; levels];
        let mut open: Vec<Option<Tooth>> = vec![None; levels];
        let has_bar = |node: &DiagramNode| layout.is_flat || across.is_told_apart(node);
        for (number, node) in layout.nodes.iter().enumerate() {
            let level = usize::from(node.level);
            let above = node.parent.map(|above| &layout.nodes[above]);
            let tooth = (!has_bar(node)).then(|| {
                let home = match above {
                    Some(above) if !has_bar(above) => homes[level - 1],
                    _ => node.parent,
                };
                homes[level] = home;
                let (tooth, sides) = across.tooth(node, home.map(|home| &layout.nodes[home]));
                let wide = across.wide(node);
                match &mut open[level] {
                    Some(same) if same.of == (home, tooth) => same.filled += wide,
                    other => {
                        let tooth = Tooth {
                            node: number,
                            of: (home, tooth),
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

    /// A root, so many nodes below it, each with as many leaves, and one chain of nodes below the first leaf.
    fn tree(nodes: usize, leaves: usize, chain: u16) -> Diagram {
        let mut layout = Diagram::default();
        let mut push = |parent: Option<usize>, (from, wide): (usize, usize), level: u16| {
            let number = layout.nodes.len();
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
            number
        };
        let root = push(None, (0, nodes * leaves), 0);
        for node in 0..nodes {
            let above = push(Some(root), (node * leaves, leaves), 1);
            for leaf in 0..leaves {
                let mut lowest = push(Some(above), (node * leaves + leaf, 1), 2);
                if node + leaf == 0 {
                    for level in 0..chain {
                        lowest = push(Some(lowest), (0, 1), 3 + level);
                    }
                }
            }
        }
        layout.leaves = (nodes * leaves) as f32;
        layout
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
                let home = &layout.nodes[tooth.of.0.expect("its node has a bar")];
                let (sides, bar) = (tooth.sides, across.sides(home));
                assert_eq!(layout.nodes[tooth.node].parent, tooth.of.0);
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
