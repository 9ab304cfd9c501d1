//! The legend: what the colours of the structure's lines and fills mean.

use super::look::Look;
use super::regions::shade;
use super::structure_marks::lists;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::theme::{layout, number, size, text};
use crate::app::view::chips::{Key, MORE, edge_chip, keys_left_out, right_of_legend, with_room};
use crate::app::widgets::{about, cover, elided, metres, spaced_capitals};
use crate::app::worker::SHADES;
use egui_macroquad::egui::{Align2, CornerRadius, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use skirmish::observe::{MarkView, Outline, RegionView};
use skirmish::partition::{MarkRole, Role};

/// Which corner of the picture the legend stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Above.
    Upper,
    /// Below.
    Lower,
}

/// The knob by which a structure draws them.
const STRADDLERS: &str = "straddlers";

/// In how many steps the colours go.
const STEPS: usize = SHADES as usize;

/// The width of the legend with its colours alone, in points.
const WIDTH: f32 = 62.0 + STEPS as f32 * 17.0;

/// Whether a field has room for a legend so many points wide: most of it is the picture's.
pub fn has_room(field: Rect, width: f32) -> bool {
    field.width() >= width + 2.0 * layout::CHIP && field.height() >= LEAST
}

/// In a lower field there are no legends, in points.
const LEAST: f32 = 200.0;

/// What is left for keys beside the colours, in points: no key is worth the scale at the other side.
fn room_for_keys(field: Rect) -> f32 {
    right_of_legend(field) - field.left() - layout::CHIP - WIDTH
}

/// Where it lies in a pane that has room for it, as soon as there is anything that has a colour.
pub fn legend_place(pane: Rect) -> Option<Rect> {
    let corner = pane.min + vec2(layout::CHIP, layout::CHIP);
    has_room(pane, WIDTH).then(|| Rect::from_min_size(corner, vec2(WIDTH, RAMP)))
}

/// Where it lies; nowhere where there is nothing that has a colour.
pub fn legend_rect(look: &Look<'_>, corner: Corner) -> Option<Rect> {
    let list = &look.lane.frame.regions.list;
    // The list of those too large for cells has none: where the cells are too small to be drawn, and it is said that they are, it is all
    // that there is.
    let has_none = list.iter().all(|region| region.role == Role::Oversize);
    if has_none && look.lane.frame.too_small.is_none() {
        return None;
    }
    let field = look.room;
    let mut width = WIDTH;
    // In a pane of several keys have other places.
    if corner == Corner::Lower && !has_none {
        width += Keys::of(look).width(true);
    }
    if !has_room(field, width) {
        return None;
    }
    let is_lower = corner == Corner::Lower && !has_none && look.lane.frame.too_small.is_none();
    let second = match is_lower && has_second_row(look) {
        true => ROW,
        false => 0.0,
    };
    let top = match corner {
        Corner::Upper => field.top() + layout::CHIP,
        Corner::Lower => field.bottom() - layout::CHIP - RAMP - second,
    };
    let at = pos2(field.left() + layout::CHIP, top);
    let ramp = Rect::from_min_size(at, vec2(width, RAMP + second));
    Some(match corner {
        Corner::Upper if look.lane.frame.too_small.is_none() => InPane::of(look, ramp, true).rect,
        Corner::Upper | Corner::Lower => ramp,
    })
}

/// How high the legend is with its colours alone, and each key below them, in points.
const RAMP: f32 = 30.0;
const ROW: f32 = 16.0;

/// The legend of a pane of several.
#[derive(Debug, PartialEq)]
struct InPane {
    /// Where it lies.
    rect: Rect,
    /// The keys for which there is room, each where it is drawn.
    keys: Vec<(Key, Pos2)>,
    /// Those for which there is none, where there is room for their number; and where that stands.
    left_out: Option<(Vec<Key>, Pos2)>,
}

impl InPane {
    /// That whose colours lie in `ramp`. Whether the depth of some straddler is said decides what its key says.
    fn of(look: &Look<'_>, ramp: Rect, says_depth: bool) -> Self {
        let keys = keys_of_boxes(look).into_iter();
        let keys: Vec<Key> = keys.map(|key| told(key, says_depth)).collect();
        let world = look.camera.rect_to_screen(look.field);
        Self::within(look.room, world, ramp, &keys)
    }

    /// The same in a room whose picture is that of a `world`: keys stand beside the colours where all of the world lies below them, else below
    /// them. They never lie on it, and leave most of a low pane to its picture.
    fn within(room: Rect, world: Rect, ramp: Rect, keys: &[Key]) -> Self {
        let most = room.right() - layout::CHIP;
        let is_above = ramp.bottom() <= world.top();
        let beside = |more: f32| {
            let mut right = ramp.right();
            let fitting = keys.iter().take_while(|key| {
                right += key.width();
                is_above && right + more <= most
            });
            fitting.count()
        };
        let beside = match beside(0.0) {
            all if all == keys.len() => all,
            _ => beside(MORE),
        };
        let down_to = |count: usize| ramp.with_max_y(ramp.bottom() + count as f32 * ROW);
        let fits = |count: &usize| {
            let rows = down_to(*count);
            // With the number of those that are left out, which lies as little on the world as they do.
            let has_number = *count < keys.len() && rows.right() + MORE <= most;
            let more = if has_number { MORE } else { 0.0 };
            let whole = rows.with_max_x(rows.right() + more);
            !whole.intersects(world) && whole.height() <= room.height() / 3.0
        };
        let below = (0..=keys.len()).rev().find(fits).unwrap_or(0);
        let (mut rect, shown) = if beside >= below {
            let mut right = ramp.right();
            let shown = keys[..beside].iter().map(|key| {
                let at = pos2(right, ramp.center().y);
                right += key.width();
                (*key, at)
            });
            let shown: Vec<(Key, Pos2)> = shown.collect();
            (ramp.with_max_x(right), shown)
        } else {
            let rows = keys[..below].iter().enumerate();
            let shown = rows.map(|(row, key)| {
                let y = ramp.bottom() + ROW * row as f32 + 5.0;
                (*key, pos2(ramp.left() + 8.0, y))
            });
            (down_to(below), shown.collect())
        };
        let others = &keys[shown.len()..];
        let has_number = !others.is_empty() && rect.right() + MORE <= most;
        let left_out = has_number.then(|| (others.to_vec(), pos2(rect.right(), ramp.center().y)));
        if has_number {
            rect.max.x += MORE;
        }
        Self {
            rect,
            keys: shown,
            left_out,
        }
    }
}

/// What the boxes mean that are drawn in a pane of several beside the regions: those that are there all the time before those that come and
/// go with the pointer.
fn keys_of_boxes(look: &Look<'_>) -> Vec<Key> {
    let marks = || {
        let all = look.lane.frame.marks.iter();
        all.filter(|mark| matches!(mark.outline, Outline::Rect(_)))
    };
    let are = |role: MarkRole| marks().any(|mark| mark.role == role);
    let (are_guides, are_special) = (are(MarkRole::Guide), are(MarkRole::Special));
    let straddler = has_straddlers(look).then_some(Key::StraddlerWithDepth);
    let oversize = lists(look).next().map(|_| Key::Oversize);
    // Both have the same dashes: where there are both, of which some are looked at, neither name would be true of all.
    let skipped = key_of_skipped(marks());
    let dashed = match are_guides {
        true => skipped.is_none().then_some(Key::Guide),
        false => skipped,
    };
    let explains = are_special && straddlers_knob(look).is_none();
    let explained = explains.then_some(Key::Explained);
    let all = [straddler, oversize, dashed, explained];
    all.into_iter().flatten().collect()
}

/// What those of some boxes mean that are left out, where there are any: what each of them says itself, if that is the same.
fn key_of_skipped<'m>(boxes: impl Iterator<Item = &'m MarkView>) -> Option<Key> {
    let mut skipped = boxes.filter(|it| it.role == MarkRole::Skipped).peekable();
    skipped.peek()?;
    let mut skipped = skipped.map(|it| it.label == Key::DoneBefore.words());
    Some(match skipped.all(|is_so| is_so) {
        true => Key::DoneBefore,
        false => Key::Skipped,
    })
}

/// The knob by which the structure draws who straddles, where it has one.
fn straddlers_knob(look: &Look<'_>) -> Option<usize> {
    let mut knobs = look.lane.structure.info().knobs.iter();
    knobs.position(|knob| knob.key == STRADDLERS)
}

/// Whether it draws them; not whether one is in view just now.
fn has_straddlers(look: &Look<'_>) -> bool {
    let knob = straddlers_knob(look);
    let are_drawn = knob.is_some_and(|knob| look.lane.structure.knob(knob) != 0.0);
    are_drawn && look.battle.bodies().are_sized()
}

/// Whether who straddles has a row of its own below the colours: where it has none beside them, for it is in sight all the time.
fn has_second_row(look: &Look<'_>) -> bool {
    let beside = Key::StraddlerWithDepth.width() + MORE;
    needs_second_row(look.room, beside) && has_straddlers(look)
}

/// Whether what takes so much beside the colours has no room there, and a second row has.
fn needs_second_row(field: Rect, beside: f32) -> bool {
    /// In points: in a lower field it would hide too much.
    const HIGH: f32 = 300.0;
    room_for_keys(field) < beside && field.height() >= HIGH
}

/// What a key says: of a straddler its depth where that of some is said.
fn told(key: Key, says_depth: bool) -> Key {
    match key {
        Key::StraddlerWithDepth if !says_depth => Key::Straddler,
        key => key,
    }
}

/// Draws it at the left. Whether the depth of some straddler is said decides what its key says.
pub fn legend(ui: &Ui, look: &Look<'_>, palette: &Palette, (corner, says_depth): (Corner, bool)) {
    let Some(mut rect) = legend_rect(look, corner) else {
        return;
    };
    let keys = Keys::of(look);
    let has_keys = corner == Corner::Lower && rect.width() > WIDTH + 1.0;
    let at_ramp = Rect::from_min_size(rect.min, vec2(WIDTH, RAMP));
    let of_boxes = match (corner, look.lane.frame.too_small) {
        (Corner::Upper, None) => Some(InPane::of(look, at_ramp, says_depth)),
        _ => None,
    };
    // Where it says less than it has room for it ends with that.
    if let Some(said) = &of_boxes {
        rect = said.rect;
    } else if has_keys {
        rect.set_width(WIDTH + keys.width(says_depth));
    }
    let regions = &look.lane.frame.regions.list;
    let cells = has_cells(regions);
    let word = if cells { "load" } else { "depth" };
    edge_chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    if let Some(width) = look.lane.frame.too_small {
        return too_small(ui, palette, rect, width);
    }
    // Beside or below them stand the keys.
    let ramp = at_ramp;
    spaced_capitals(
        ui.painter(),
        ramp.left_center() + vec2(10.0, 0.0),
        word,
        palette.text_third,
    );
    let scale = look.lane.loads.step();
    let deepest = regions.iter().map(|region| region.depth).max().unwrap_or(0);
    let reached = usize::from(deepest).max(look.lane.frame.histogram.deepest_leaf());
    for step in 0..STEPS {
        let left = rect.left() + 54.0 + step as f32 * 17.0;
        let swatch = Rect::from_min_size(pos2(left, rect.top() + 6.0), vec2(15.0, 7.0));
        let (color, tick) = if cells {
            let steps = step as u32 + 1;
            let more = if steps >= SHADES { "+" } else { "" };
            // Long numbers have room over every other one.
            let tick = match scale > 1 && steps % 2 == 1 {
                true => String::new(),
                false => format!("{}{more}", about(u64::from(steps * scale))),
            };
            (shade(palette, steps as f32), tick)
        } else {
            (palette.depth[step], depth_tick(step, deepest))
        };
        // The chip is as wide while a tree grows; what it has not reached is not lit.
        let lit = cells || depth_of(step, deepest) <= reached;
        let (lit, ink) = match lit {
            true => (1.0, palette.text_third),
            false => (0.12, palette.unlit_number()),
        };
        // As on the field, on which it lies: a shade of something else would be another shade.
        if cells {
            ui.painter()
                .rect_filled(swatch, CornerRadius::ZERO, palette.field);
        }
        ui.painter()
            .rect_filled(swatch, CornerRadius::ZERO, faded(color, lit));
        if cells {
            // The first of them are as good as nothing without the border that every cell has.
            let line = Stroke::new(1.0, palette.swatch_line());
            let inside = StrokeKind::Inside;
            let painter = ui.painter();
            painter.rect_stroke(swatch, CornerRadius::ZERO, line, inside);
        }
        ui.painter().text(
            pos2(swatch.center().x, rect.top() + 21.0),
            Align2::CENTER_CENTER,
            tick,
            number(9.0),
            ink,
        );
    }
    if let Some(InPane { keys, left_out, .. }) = of_boxes {
        for (key, at) in keys {
            key.draw(ui.painter(), palette, at);
        }
        if let Some((left_out, at)) = left_out {
            keys_left_out(ui, palette, at, &left_out);
        }
        return;
    }
    if has_keys {
        let mut at = pos2(ramp.right(), ramp.center().y);
        for key in keys.shown() {
            let key = told(key, says_depth);
            key.draw(ui.painter(), palette, at);
            at.x += key.width();
        }
        let left_out: Vec<Key> = keys.left_out().collect();
        if !left_out.is_empty() {
            keys_left_out(ui, palette, at, &left_out);
        }
    }
    if rect.height() > ramp.height() {
        let at = pos2(ramp.left() + 8.0, ramp.bottom() + 5.0);
        told(Key::StraddlerWithDepth, says_depth).draw(ui.painter(), palette, at);
    }
}

/// Says in place of what colours mean that cells so wide have none.
fn too_small(ui: &Ui, palette: &Palette, rect: Rect, width: f32) {
    let room = rect.width() - 20.0;
    let cells = format!("cells of {} m", metres(width));
    let lines = [cells.as_str(), "too small to draw here: zoom in"];
    for (line, y) in lines.into_iter().zip([9.0, 21.0]) {
        let galley = elided(ui, line, text(size::CAPTION), palette.text_second, room);
        let at = rect.min + vec2(10.0, y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, palette.text_second);
    }
}

/// The keys behind the colours: of cells the box around those too large for them; of a tree who is held above the leaves, which is there
/// all the time, before what flashes now and then.
struct Keys {
    /// Each of those that there are, and whether it has room.
    all: [Option<(Key, bool)>; 4],
    /// Whether there is room for the number of those that have none.
    has_number: bool,
}

impl Keys {
    fn of(look: &Look<'_>) -> Self {
        // Whether one is in view just now or not: the chip has room for it all the time.
        let is_beside = has_straddlers(look) && !has_second_row(look);
        // Where nothing limits what a leaf holds there is no telling how full one is.
        let regions = &look.lane.frame.regions.list;
        let is_filled = look.layers.shows(Layer::Load) && regions.iter().any(|it| it.capacity > 0);
        // The cells of one layer are no leaves, and are neither split nor joined.
        let is_tree = !has_cells(regions);
        let oversize = lists(look).next().is_some();
        let all = [
            oversize.then_some(Key::Oversize),
            (is_tree && is_beside).then_some(Key::StraddlerWithDepth),
            (is_tree && is_filled).then_some(Key::Fill),
            is_tree.then_some(Key::Changed),
        ];
        Self::in_room(all, room_for_keys(look.room))
    }

    /// Which of those that there are have so much room, in points.
    fn in_room(all: [Option<Key>; 4], room: f32) -> Self {
        let fits = with_room(all.map(|key| key.map_or(0.0, Key::width)), room);
        let mut fits = fits.into_iter();
        Self {
            all: all.map(|key| key.zip(fits.next())),
            has_number: room >= MORE,
        }
    }

    fn those(&self, wanted: bool) -> impl Iterator<Item = Key> {
        let all = self.all.iter().flatten();
        all.filter(move |(_, fits)| *fits == wanted)
            .map(|(key, _)| *key)
    }

    fn shown(&self) -> impl Iterator<Item = Key> {
        self.those(true)
    }

    /// Those that have no room, where there is room for their number.
    fn left_out(&self) -> impl Iterator<Item = Key> {
        self.those(false).filter(|_| self.has_number)
    }

    /// How much room they take, in points.
    fn width(&self, says_depth: bool) -> f32 {
        let shown = self.shown().map(|key| told(key, says_depth).width());
        let more = if self.left_out().next().is_some() {
            MORE
        } else {
            0.0
        };
        shown.sum::<f32>() + more
    }
}

/// The depth for which a step of the ramp stands: of deep trees every other one.
pub fn depth_of(step: usize, deepest: u16) -> usize {
    if deepest > 10 { step * 2 } else { step }
}

/// What is written under a step of the ramp; the last stands for all that is deeper, too.
pub fn depth_tick(step: usize, deepest: u16) -> String {
    let depth = depth_of(step, deepest);
    let is_last = step + 1 == STEPS;
    let deeper = depth_of(step + 1, deepest) <= usize::from(deepest);
    format!("{depth}{}", if is_last && deeper { "+" } else { "" })
}

/// Whether they are the cells or slots of one layer: then their load has colours, else their depth.
fn has_cells(regions: &[RegionView]) -> bool {
    let mut all = regions.iter();
    all.any(|region| matches!(region.role, Role::Cell | Role::Slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::{Aabb, Vec2};

    #[test]
    fn keys_that_have_no_room_are_behind_a_number_where_that_has_room() {
        let all = [None, None, Some(Key::Fill), Some(Key::Changed)];
        let [fill, changed] = [Key::Fill, Key::Changed].map(Key::width);
        let in_room = |room: f32| {
            let keys = Keys::in_room(all, room);
            let shown: Vec<Key> = keys.shown().collect();
            let left_out: Vec<Key> = keys.left_out().collect();
            (shown, left_out, keys.width(true))
        };
        let both = vec![Key::Fill, Key::Changed];
        assert_eq!(
            in_room(fill + changed),
            (both.clone(), vec![], fill + changed)
        );
        let [one, other] = [vec![Key::Fill], vec![Key::Changed]];
        assert_eq!(in_room(fill + changed - 1.0), (one, other, fill + MORE));
        assert_eq!(in_room(MORE), (vec![], both, MORE));
        assert_eq!(in_room(-20.0), (vec![], vec![], 0.0));
    }

    #[test]
    fn cells_that_are_left_out_are_called_in_the_legend_what_they_say_themselves() {
        let of = |labels: &[&str]| {
            let marks: Vec<MarkView> = labels
                .iter()
                .map(|label| MarkView {
                    role: MarkRole::Skipped,
                    outline: Outline::Rect(Aabb::new(Vec2::ZERO, Vec2::ONE)),
                    label: (*label).to_owned(),
                })
                .collect();
            key_of_skipped(marks.iter())
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["done before"; 2]), Some(Key::DoneBefore));
        assert_eq!(of(&["done before", "empty"]), Some(Key::Skipped));
        assert_eq!(of(&[""]), Some(Key::Skipped));
    }

    #[test]
    fn a_pane_has_its_keys_beside_the_colours_or_below_them_and_else_says_how_many_it_leaves_out() {
        let room = |width: f32| Rect::from_min_size(Pos2::ZERO, vec2(width, 280.0));
        let ramp = Rect::from_min_size(pos2(layout::CHIP, layout::CHIP), vec2(WIDTH, RAMP));
        let world = |top: f32| Rect::from_min_max(pos2(40.0, top), pos2(280.0, 220.0));
        let (guide, both) = ([Key::Guide], [Key::Straddler, Key::Guide]);
        let in_pane = |width: f32, top: f32, keys: &[Key]| {
            let said = InPane::within(room(width), world(top), ramp, keys);
            let left_out = said.left_out.map_or(0, |(keys, _)| keys.len());
            (said.rect.size(), said.keys.len(), left_out)
        };
        let wide = WIDTH + Key::Guide.width();
        assert_eq!(in_pane(480.0, 60.0, &guide), (vec2(wide, RAMP), 1, 0));
        // In a narrow one below them where the picture leaves a row, and else there is the number.
        let below = vec2(WIDTH, RAMP + ROW);
        assert_eq!(in_pane(320.0, 70.0, &guide), (below, 1, 0));
        let number = vec2(WIDTH + MORE, RAMP);
        assert_eq!(in_pane(320.0, 50.0, &guide), (number, 0, 1));
        // Also where the colours lie on the picture themselves.
        assert_eq!(in_pane(480.0, 30.0, &both), (number, 0, 2));
        // One beside them, and the number of the other behind it.
        let one = vec2(WIDTH + Key::Straddler.width() + MORE, RAMP);
        assert_eq!(in_pane(340.0, 50.0, &both), (one, 1, 1));
        assert_eq!(in_pane(230.0, 50.0, &guide).2, 0);
        // A row whose number would lie on the picture beside it is none: the number stands for both.
        let beside = Rect::from_min_max(pos2(ramp.right() + 10.0, 20.0), pos2(400.0, 220.0));
        let rows_of = |height: f32, keys: &[Key]| {
            let room = Rect::from_min_size(Pos2::ZERO, vec2(480.0, height));
            let said = InPane::within(room, beside, ramp, keys);
            (
                said.keys.len(),
                said.left_out.map_or(0, |(keys, _)| keys.len()),
            )
        };
        assert_eq!(rows_of(280.0, &both), (2, 0));
        assert_eq!(rows_of(150.0, &both), (0, 2));
        assert_eq!(in_pane(320.0, 50.0, &[]).0, vec2(WIDTH, RAMP));
    }

    #[test]
    fn keys_have_the_room_of_the_scale_where_a_field_has_none() {
        let field = |width: f32| Rect::from_min_size(Pos2::ZERO, vec2(width, 378.0));
        // Beside an open drawer of a window of 640 by 480 points.
        assert!(room_for_keys(field(336.0)) >= MORE);
        for width in 0..60 {
            let field = field(254.0 + 10.0 * width as f32);
            assert!(room_for_keys(field) >= MORE, "{field:?}");
        }
    }

    #[test]
    fn who_straddles_has_a_row_of_its_own_where_there_is_none_beside_the_colours() {
        let field = |width: f32, height: f32| Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let needs = |width: f32, height: f32| needs_second_row(field(width, height), 154.0);
        assert!(!needs(640.0, 378.0) && needs(424.0, 480.0));
        assert!(!needs(424.0, 240.0), "it would hide too much");
        // Where there is no scale, its room is there beside the colours.
        assert!(!needs(400.0, 480.0) && needs(340.0, 480.0));
    }
}
