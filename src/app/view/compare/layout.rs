//! Where the panes lie, and the strip below them.

use egui_macroquad::egui::{Pos2, Rect, Vec2, pos2, vec2};

/// The height of the line above a pane, in points.
pub const HEADER: f32 = 36.0;
/// Between two panes.
const GAP: f32 = 1.0;
/// A field lower than this has of the strip only the line with the verdict and the buttons: the panes need the room.
const LOW: f32 = 420.0;
/// A field lower than this has not even that.
const LOWEST: f32 = 190.0;
/// The height of the line with the verdict, in points.
pub const VERDICT: f32 = 40.0;
/// In a narrower strip the buttons leave no room beside them: there what is said has a line of its own above them; where the strip has
/// nothing else, in a field that is no lower than this. So much higher it is then.
const NARROW: f32 = 700.0;
const LEAST_WITH_LINE: f32 = 300.0;
const LINE: f32 = 20.0;
/// The strip is no lower and no higher than this by itself,
const LEAST_STRIP: f32 = 170.0;
const MOST_STRIP: f32 = 276.0;
/// and as high as its verdict, the caption of the race, which takes so much, and three rows of figures, of a line for each lane.
const HEAD: f32 = 30.0;
/// Lines nearer to each other than this run into each other.
pub const LEAST_PITCH: f32 = 11.5;

/// A lane's part of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    /// The line above it.
    pub header: Rect,
    /// What the camera looks through.
    pub body: Rect,
}

/// All parts of the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The whole.
    pub field: Rect,
    /// A pane a lane, all of one size.
    pub panes: Vec<Pane>,
    /// What lies below them, where there is room for it.
    pub strip: Option<Rect>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            field: Rect::ZERO,
            panes: Vec::new(),
            strip: None,
        }
    }
}

impl Layout {
    /// Parts `field` among so many lanes: beside each other up to three, then in two rows. Three in a row keep more of a field that
    /// is wider than high in sight than two above one.
    ///
    /// `strip` says whether there is one, and how high somebody made it.
    pub fn new(field: Rect, lanes: usize, strip: Option<Option<f32>>) -> Self {
        let has_strip = strip.is_some() && field.height() >= LOWEST;
        let head = verdict_below_race(field) + HEAD;
        let least = LEAST_STRIP.max(head + 3.0 * (lanes as f32 * LEAST_PITCH + 4.0));
        let own = (field.height() * 0.31).floor().clamp(least, MOST_STRIP);
        let wanted = strip.flatten().map_or(own, f32::round);
        let height = match has_strip {
            true if field.height() >= LOW => wanted.min((field.height() * 0.6).floor()),
            true => verdict_alone(field),
            false => 0.0,
        };
        let above = field.with_max_y(field.bottom() - height);
        Self {
            field,
            panes: panes(above, lanes, HEADER),
            strip: has_strip.then(|| field.with_min_y(above.bottom())),
        }
    }

    /// The same for a picture, in which there are the pictures of the lanes alone.
    pub fn of_picture(whole: Rect, lanes: usize) -> Self {
        Self {
            field: whole,
            panes: panes(whole, lanes, 0.0),
            strip: None,
        }
    }

    /// How large such a picture is whose panes are as large as these.
    pub fn size_of_picture(&self) -> Vec2 {
        let Some(size) = self.panes.first().map(|pane| pane.body.size()) else {
            return Vec2::ZERO;
        };
        let (rows, columns) = rows_and_columns(self.panes.len());
        let all = |side: f32, parts: usize| side * parts as f32 + GAP * (parts - 1) as f32;
        vec2(all(size.x, columns), all(size.y, rows))
    }

    /// What lies between the panes: upright beside each other, and level below each other.
    pub fn gaps(&self) -> impl Iterator<Item = Rect> {
        let whole = |pane: &Pane| pane.header.union(pane.body);
        let all = self.panes.iter().map(whole);
        let all = all.fold(Rect::NOTHING, Rect::union);
        self.panes.iter().map(whole).flat_map(move |pane| {
            let beside = pane.with_min_x(pane.left() - GAP).with_max_x(pane.left());
            let below = pane.with_min_y(pane.top() - GAP).with_max_y(pane.top());
            let beside = (pane.left() > all.left()).then_some(beside);
            let below = (pane.top() > all.top()).then_some(below);
            beside.into_iter().chain(below)
        })
    }

    /// The point of the first pane that lies as this one does in its own.
    pub fn fold(&self, at: Pos2) -> Option<Pos2> {
        let first = self.panes.first()?;
        let pane = self.panes.iter().find(|pane| pane.body.contains(at))?;
        Some(at - pane.body.min.to_vec2() + first.body.min.to_vec2())
    }

    /// Whether the strip has room for the race beside its verdict; where there is no strip, there is nothing that it would have room for.
    pub fn has_room_for_race(&self) -> bool {
        self.strip.is_none_or(|strip| !is_verdict(strip))
    }

    /// All panes together.
    pub fn all_panes(&self) -> Rect {
        match self.strip {
            Some(strip) => self.field.with_max_y(strip.top()),
            None => self.field,
        }
    }
}

/// In how many rows and columns so many lanes lie.
fn rows_and_columns(lanes: usize) -> (usize, usize) {
    let rows = if lanes > 3 { 2 } else { 1 };
    (rows, lanes.div_ceil(rows).max(1))
}

/// The panes of so many lanes in a rectangle, each with so high a line above it.
fn panes(above: Rect, lanes: usize, header: f32) -> Vec<Pane> {
    let (rows, columns) = rows_and_columns(lanes);
    let share = |whole: f32, parts: usize| {
        let gaps = GAP * (parts - 1) as f32;
        ((whole - gaps) / parts as f32).floor().max(1.0)
    };
    let size = vec2(share(above.width(), columns), share(above.height(), rows));
    let panes = (0..lanes).map(|place| {
        let (row, column) = (place / columns, place % columns);
        let corner = pos2(
            (above.left() + column as f32 * (size.x + GAP)).round(),
            (above.top() + row as f32 * (size.y + GAP)).round(),
        );
        let whole = Rect::from_min_size(corner, size);
        let (header, body) = whole.split_top_bottom_at_y(whole.top() + header);
        Pane { header, body }
    });
    panes.collect()
}

/// How high the verdict with its buttons is below the race in a strip, or a field, so wide.
pub fn verdict_below_race(strip: Rect) -> f32 {
    match strip.width() < NARROW {
        true => VERDICT + LINE,
        false => VERDICT,
    }
}

/// How high the verdict with its buttons is below the panes of a field that has no room for more, or in their place.
pub fn verdict_alone(field: Rect) -> f32 {
    match field.width() < NARROW && field.height() >= LEAST_WITH_LINE {
        true => VERDICT + LINE,
        false => VERDICT,
    }
}

/// Whether a strip has no room for more than the verdict with its buttons.
pub fn is_verdict(strip: Rect) -> bool {
    strip.height() <= VERDICT + LINE
}

/// The line of the verdict with its buttons, and the part of it in which that is said; in a line that is high enough the buttons stand below.
pub fn lines_of_verdict(whole: Rect) -> (Rect, Option<Rect>) {
    if whole.height() < VERDICT + LINE {
        return (whole, None);
    }
    let said = whole.with_max_y(whole.top() + LINE + 6.0);
    let buttons = whole.with_min_y(said.bottom() - 2.0);
    (buttons, Some(said.with_min_y(whole.top() + 2.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_are_alike_and_part_the_window() {
        for size in [(1280.0, 700.0), (1440.0, 799.0), (1920.0, 977.0)] {
            let field = Rect::from_min_size(pos2(0.0, 32.0), size.into());
            for lanes in 1..=4 {
                let layout = Layout::new(field, lanes, Some(None));
                assert_eq!(layout.panes.len(), lanes);
                let strip = layout.strip.expect("room for a strip");
                for (place, pane) in layout.panes.iter().enumerate() {
                    assert_eq!(pane.body.size(), layout.panes[0].body.size());
                    // Rectangles that only touch have no point in common inside of them.
                    let inside = pane.body.shrink(0.25);
                    assert!(field.contains_rect(pane.body) && !strip.intersects(inside));
                    let others = layout.panes[..place].iter();
                    assert!(others.clone().all(|other| !other.body.intersects(inside)));
                }
            }
        }
    }

    #[test]
    fn a_low_window_keeps_the_line_with_the_buttons_and_the_lowest_none() {
        let strip = |height| {
            let field = Rect::from_min_size(pos2(0.0, 32.0), vec2(720.0, height));
            Layout::new(field, 2, Some(None))
                .strip
                .map(|strip| strip.height())
        };
        assert!(strip(420.0) >= Some(170.0));
        assert_eq!(strip(300.0), Some(VERDICT));
        assert_eq!(strip(160.0), None);
    }

    #[test]
    fn in_a_narrow_window_the_verdict_has_a_line_of_its_own() {
        let field = Rect::from_min_size(pos2(0.0, 32.0), vec2(640.0, 380.0));
        let layout = Layout::new(field, 3, Some(None));
        let strip = layout.strip.expect("room for a strip");
        assert!(is_verdict(strip) && !layout.has_room_for_race());
        let (buttons, said) = lines_of_verdict(strip);
        let said = said.expect("a line");
        assert!(strip.contains_rect(buttons) && strip.contains_rect(said));
        assert_eq!(said.width(), strip.width());
        // A button is 24 points high.
        assert!(buttons.center().y - 12.0 >= said.center().y + 7.0);
        assert_eq!(
            lines_of_verdict(strip.with_max_y(strip.top() + VERDICT)).1,
            None
        );
    }

    #[test]
    fn in_a_narrow_and_high_window_it_has_one_below_the_race_as_well() {
        for (width, lines) in [(640.0, VERDICT + LINE), (1280.0, VERDICT)] {
            let field = Rect::from_min_size(pos2(0.0, 32.0), vec2(width, 830.0));
            for lanes in 1..=4 {
                let layout = Layout::new(field, lanes, Some(None));
                let strip = layout.strip.expect("room for a strip");
                assert!(layout.has_room_for_race());
                assert_eq!(verdict_below_race(strip), lines);
                let rows = 3.0 * (lanes as f32 * LEAST_PITCH + 4.0);
                assert!(strip.height() >= lines + HEAD + rows);
            }
        }
    }

    #[test]
    fn a_point_of_any_pane_is_one_of_the_first() {
        let field = Rect::from_min_size(pos2(0.0, 32.0), vec2(1280.0, 700.0));
        let layout = Layout::new(field, 4, Some(None));
        let from = vec2(30.0, 40.0);
        for pane in &layout.panes {
            let folded = layout.fold(pane.body.min + from);
            assert_eq!(folded, Some(layout.panes[0].body.min + from));
            assert_eq!(layout.fold(pane.header.center()), None);
        }
    }

    #[test]
    fn a_picture_of_the_same_size_has_the_same_panes_without_the_lines_above_them() {
        let field = Rect::from_min_size(pos2(0.0, 32.0), vec2(1279.0, 701.0));
        for lanes in 1..=4 {
            let layout = Layout::new(field, lanes, Some(None));
            let size = layout.size_of_picture();
            let picture = Layout::of_picture(Rect::from_min_size(Pos2::ZERO, size), lanes);
            let sizes = |of: &Layout| -> Vec<Vec2> {
                of.panes.iter().map(|pane| pane.body.size()).collect()
            };
            assert_eq!(sizes(&picture), sizes(&layout), "{lanes}");
            assert_eq!(picture.size_of_picture(), size, "{lanes}");
            // A line between each two beside and below each other.
            let gaps: Vec<Rect> = picture.gaps().collect();
            assert_eq!(gaps.len(), [0, 1, 2, 4][lanes - 1]);
            let is_free = |gap: &Rect| {
                let bodies = picture.panes.iter().map(|pane| pane.body.shrink(0.1));
                gap.size().min_elem() == GAP
                    && bodies.into_iter().all(|body| !body.intersects(*gap))
            };
            assert!(gaps.iter().all(is_free), "{lanes}: {gaps:?}");
        }
    }
}
