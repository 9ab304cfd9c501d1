//! How the window is parted, as the user has arranged it: what is to be remembered of it, and nothing else.
//!
//! It is plain data. Who keeps settings writes it there and gives it back [`sanitised`](Layout::sanitised).

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The width of the left panel by itself, in points.
pub const LEFT: f32 = 272.0;
/// The width of the right panel by itself.
pub const RIGHT: f32 = 304.0;
/// In a narrower window the right panel is a drawer over the field.
const TWO_PANELS: f32 = 1000.0;
/// In a narrower one the left panel is a drawer, too.
const ONE_PANEL: f32 = 800.0;
/// Panels are not made so wide that the field is narrower than this.
const LEAST_FIELD: f32 = 360.0;

/// More sections than this nobody collapses.
const MOST_SECTIONS: usize = 200;
/// No section has a longer name, in bytes.
const LONGEST_NAME: usize = 80;

/// Sizes of panels, and which sections are collapsed. What is `None` is as large as the window makes it by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// The width of the left panel, in points.
    pub left: Option<f32>,
    /// The width of the right panel, in points.
    pub right: Option<f32>,
    /// The height of the plots, in points.
    pub plots: Option<f32>,
    /// The height of a structure's tree below the field, in points.
    pub tree: Option<f32>,
    /// The height of the race and the plot in Compare, in points.
    pub compare: Option<f32>,
    /// The part of the right panel's height that query and inspector, or the events of an operation, take at its bottom.
    pub inspector: Option<f32>,
    /// The sections that are collapsed, by their names.
    pub collapsed: BTreeSet<String>,
}

/// An edge that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Between the left panel and the field.
    Left,
    /// Between the field and the right panel.
    Right,
    /// Above the plots.
    Plots,
    /// Above the tree.
    Tree,
    /// Above the race in Compare.
    Compare,
    /// Above query and inspector.
    Inspector,
}

impl Edge {
    /// Every one of them.
    pub const ALL: [Self; 6] = [
        Self::Left,
        Self::Right,
        Self::Plots,
        Self::Tree,
        Self::Compare,
        Self::Inspector,
    ];

    /// What reports call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Plots => "plots",
            Self::Tree => "tree",
            Self::Compare => "compare",
            Self::Inspector => "inspector",
        }
    }

    /// What it is called where it has the keyboard.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Left => "Width of the left panel",
            Self::Right => "Width of the right panel",
            Self::Plots => "Height of the plots",
            Self::Tree => "Height of the tree",
            Self::Compare => "Height of the race",
            Self::Inspector => "Height of the inspector",
        }
    }

    /// By how much a press of an arrow key changes the size.
    pub const fn step(self) -> f32 {
        match self {
            Self::Inspector => 0.02,
            _ => 8.0,
        }
    }

    /// Between which sizes it can be dragged.
    pub const fn limits(self) -> RangeInclusive<f32> {
        match self {
            Self::Left => 248.0..=420.0,
            Self::Right => 272.0..=480.0,
            Self::Plots => 96.0..=360.0,
            Self::Tree => 72.0..=420.0,
            Self::Compare => 170.0..=420.0,
            Self::Inspector => 0.2..=0.8,
        }
    }

    /// Whether it stands upright, and is dragged to the left and to the right.
    pub const fn is_upright(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}

impl Layout {
    /// The size that was given to what an edge bounds.
    pub fn size(&self, edge: Edge) -> Option<f32> {
        match edge {
            Edge::Left => self.left,
            Edge::Right => self.right,
            Edge::Plots => self.plots,
            Edge::Tree => self.tree,
            Edge::Compare => self.compare,
            Edge::Inspector => self.inspector,
        }
    }

    /// Gives it another size, within its limits; `None` for that which it has by itself.
    pub fn set(&mut self, edge: Edge, size: Option<f32>) {
        let limits = edge.limits();
        let size = size
            .filter(|size| size.is_finite())
            .map(|size| size.clamp(*limits.start(), *limits.end()));
        let kept = match edge {
            Edge::Left => &mut self.left,
            Edge::Right => &mut self.right,
            Edge::Plots => &mut self.plots,
            Edge::Tree => &mut self.tree,
            Edge::Compare => &mut self.compare,
            Edge::Inspector => &mut self.inspector,
        };
        *kept = size;
    }

    /// Collapses a section, or opens it again.
    pub fn toggle(&mut self, section: &str) {
        if !self.collapsed.remove(section) && self.collapsed.len() < MOST_SECTIONS {
            self.collapsed.insert(section.to_owned());
        }
    }

    /// Whether a section is collapsed.
    pub fn is_collapsed(&self, section: &str) -> bool {
        self.collapsed.contains(section)
    }

    /// The same with nothing in it that the window could not have made: for what was read from a file.
    #[must_use]
    pub fn sanitised(mut self) -> Self {
        for edge in Edge::ALL {
            self.set(edge, self.size(edge));
        }
        let sound = self.collapsed.into_iter();
        let sound = sound.filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME);
        self.collapsed = sound.take(MOST_SECTIONS).collect();
        self
    }

    /// The widths of the panels at the sides in a window so many points wide: what was chosen, but never so much that the field
    /// has no room. `None` for a panel that is a drawer there.
    pub fn sides(&self, window: f32) -> [Option<f32>; 2] {
        let [left, right] = docked(window);
        let left = left.then(|| self.left.unwrap_or(LEFT));
        let right = right.then(|| self.right.unwrap_or(RIGHT));
        let wanted = left.unwrap_or(0.0) + right.unwrap_or(0.0);
        let spare = (window - LEAST_FIELD - wanted).min(0.0);
        // What is wanted beyond the room is taken from both alike, down to what they can be.
        let part = if wanted > 0.0 { spare / wanted } else { 0.0 };
        let fitted = |width: Option<f32>, edge: Edge| {
            let least = *edge.limits().start();
            width.map(|width| (width * (1.0 + part)).max(least).round())
        };
        [fitted(left, Edge::Left), fitted(right, Edge::Right)]
    }
}

/// Which of the two panels stand beside the field in a window so many points wide. The others are drawers over it.
pub fn docked(window: f32) -> [bool; 2] {
    [window >= ONE_PANEL, window >= TWO_PANELS]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_window_could_have_made_is_put_right() {
        let mut layout = Layout {
            left: Some(f32::NAN),
            right: Some(-3.0),
            plots: Some(1.0e9),
            inspector: Some(0.5),
            ..Layout::default()
        };
        layout.collapsed.insert("x".repeat(1000));
        layout.collapsed.insert(String::new());
        layout.collapsed.insert("knobs".to_owned());
        let layout = layout.sanitised();
        assert_eq!(layout.left, None);
        assert_eq!(layout.right, Some(*Edge::Right.limits().start()));
        assert_eq!(layout.plots, Some(*Edge::Plots.limits().end()));
        assert_eq!(layout.inspector, Some(0.5));
        assert_eq!(layout.collapsed.len(), 1);
        assert_eq!(layout.clone().sanitised(), layout);
    }

    #[test]
    fn a_file_may_leave_anything_out_and_gives_back_what_was_written() {
        assert_eq!(ron::from_str::<Layout>("()"), Ok(Layout::default()));
        let mut layout = Layout::default();
        layout.set(Edge::Left, Some(300.0));
        layout.toggle("knobs");
        let written = ron::to_string(&layout).expect("plain data");
        assert_eq!(ron::from_str::<Layout>(&written), Ok(layout));
    }

    #[test]
    fn the_field_keeps_its_room_however_wide_the_panels_were_made() {
        let mut layout = Layout::default();
        assert_eq!(layout.sides(1440.0), [Some(272.0), Some(304.0)]);
        assert_eq!(layout.sides(999.0), [Some(272.0), None]);
        assert_eq!(layout.sides(640.0), [None, None]);
        layout.set(Edge::Left, Some(1000.0));
        layout.set(Edge::Right, Some(1000.0));
        for window in [640.0, 800.0, 1000.0, 1280.0, 1920.0] {
            let taken: f32 = layout.sides(window).into_iter().flatten().sum();
            assert!(window - taken >= 300.0, "{window}: {taken}");
        }
    }

    #[test]
    fn a_section_is_collapsed_and_opened() {
        let mut layout = Layout::default();
        layout.toggle("knobs");
        assert!(layout.is_collapsed("knobs"));
        layout.toggle("knobs");
        assert_eq!(layout, Layout::default());
    }
}
