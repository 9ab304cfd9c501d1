//! The list of events: a row each, of which only those in sight are laid out, however many there are.

use super::field::Mark;
use super::legend::Sample;
use super::names::{called, how_many, name};
use super::panel::about;
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, Pointed};
use crate::app::theme::{number, size, text};
use crate::app::view::marks::hatch;
use crate::app::widgets::{
    SECTION, elided, elided_at_word, focus_ring, is_cut, lit, place, rows_walked, section,
    section_with, tell_way, with_commas,
};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};
use skirmish::partition::Role;
use skirmish::probe::{Event, Work};
use skirmish::story::{Answer, Concerned, InTurn, Place, Reel, Standing, Step};

/// The height of a row at the least, in points.
const ROW: f32 = 22.0;

/// What is left free below the last of them, in points: some of it is for what is rounded at other scales, or the panel would have a bar of
/// its own.
const BELOW: f32 = 12.0;

/// Between the numbers of rows and what stands behind them, and how far a row is indented for each that it stands below, of so many at the most.
const BEHIND_NUMBERS: f32 = 10.0;
const INDENT: f32 = 7.0;
const DEEPEST: usize = 12;

/// While it plays, what happens stays at this row.
const NOW_AT: usize = 11;

/// The list, and where it stands.
#[derive(Debug, Default)]
pub struct Events {
    /// The first row in sight; whole rows alone are scrolled, for a million of them are more points than a number can tell apart.
    first: usize,
    /// The part of a row that the wheel has turned beyond that.
    turned: f32,
    /// Where the steps stood when the list followed them last.
    followed: Option<usize>,
    /// How many rows it had room for then.
    rows: usize,
}

impl Events {
    /// Draws the list as high as there is room.
    pub fn show(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        let Some(stepping) = &mut app.stepping else {
            return;
        };
        match stepping.focus_words(app.stream.as_ref()) {
            None => {
                if !section(ui, palette, "events", "click to jump") {
                    return;
                }
            }
            Some(words) => {
                let help = "Only its steps are gone through: click for all of them (Escape).";
                let what = format!("events of {words}");
                let word = ("step.all", "all events", help);
                let (is_open, is_all) = section_with(ui, palette, ("events", &what), word);
                if is_all {
                    stepping.focus_on(None);
                }
                if !is_open {
                    return;
                }
            }
        }
        let (at, is_present) = (stepping.at(), stepping.is_present);
        let Some(told) = stepping.told.clone().filter(|_| is_present) else {
            return;
        };
        let Ok(reel) = &told.outcome else { return };
        // As high as its part of the panel, less the caption and what is left free below.
        let margin = ui.visuals().clip_rect_margin;
        let height = (ui.clip_rect().height() - 2.0 * margin - SECTION - BELOW).max(ROW);
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
        place(ui.ctx(), "step.events", rect);
        tell_way(&response, "Events", at as f64);
        focus_ring(ui, palette, &response, rect);
        let way = rows_walked(ui, &response);
        let rows = (height / ROW).floor().max(1.0) as usize;
        // What is left of a row is shared by all of them, so that the list ends where its part does.
        let high = height / rows as f32;
        // Among the steps of one region those of the turns of others say whose they are.
        let own = stepping
            .focus
            .as_ref()
            .and_then(|(pointed, _)| match pointed {
                Pointed::Region(region) => reel.place_of(*region, at),
                Pointed::Unit(_) => None,
            });
        let focus = stepping.focus.as_ref().map(|(_, rows)| rows.as_slice());
        let len = focus.map_or(reel.len(), <[u32]>::len);
        // Which step a row is of, and how many rows have happened.
        let step_of = |row: usize| focus.map_or(row, |rows| rows[row] as usize);
        let happened = focus.map_or(at, |rows| {
            rows.partition_point(|step| (*step as usize) < at)
        });
        self.follow(happened, len, rows);
        if response.contains_pointer() {
            let turned = ui.input(|input| input.smooth_scroll_delta.y);
            self.turn(turned / high, len, rows);
        }
        let pointer = ui.ctx().pointer_hover_pos().filter(|at| rect.contains(*at));
        let hovered = pointer
            .filter(|_| response.hovered())
            .map(|at| self.first + row_at(at.y - rect.top(), high, rows))
            .filter(|row| *row < len);
        // Whoever has come to see why an object is loaded finds it among all that was looked at.
        let stream = app.stream.as_ref().filter(|_| stepping.is_of_world());
        let selected = stream.and_then(|stream| stream.selection.one());
        let selected = selected.map_or(&[][..], |object| stepping.steps_about(object));
        let numbers = width_of_numbers(ui, reel.len());
        let mut cut = None;
        for row in self.first..len.min(self.first + rows) {
            let top = rect.top() + (row - self.first) as f32 * high;
            let line = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), high));
            let step = step_of(row);
            let state = (step + 1).cmp(&at);
            let is_marked = selected.binary_search(&(step as u32)).is_ok();
            let step = (step, is_marked);
            let is_hovered = hovered == Some(row);
            let line = (line, numbers);
            let whole = self.row(ui, palette, (reel, own), step, line, state, is_hovered);
            cut = cut.or(whole.filter(|_| is_hovered));
        }
        self.bar(ui, palette, rect, len, rows);
        if let Some(row) = hovered.map(step_of) {
            let step = &reel.story().steps[row];
            stepping.pointed = match (step.region, step.units) {
                (Some(region), _) => Some(Pointed::Region(region)),
                (None, Concerned::One(unit) | Concerned::Two(unit, _)) => Some(Pointed::Unit(unit)),
                _ => None,
            };
            if response.clicked() {
                stepping.plays = false;
                stepping.go_to(row + 1);
                self.followed = hovered.map(|row| row + 1);
            }
        }
        if way != 0 {
            stepping.plays = false;
            stepping.step(way);
        }
        if let Some(whole) = cut {
            response.on_hover_text_at_pointer(whole);
        }
    }

    /// Keeps what happens in sight, wherever somebody has gone.
    fn follow(&mut self, at: usize, len: usize, rows: usize) {
        let most = len.saturating_sub(rows);
        // In another room what happens might be out of it.
        if self.followed != Some(at) || self.rows != rows {
            (self.followed, self.rows) = (Some(at), rows);
            let before = NOW_AT.min(rows / 2);
            self.first = at.saturating_sub(1 + before);
        }
        self.first = self.first.min(most);
    }

    /// Scrolls by so many rows, upwards where they are more than none.
    fn turn(&mut self, by: f32, len: usize, rows: usize) {
        self.turned -= by;
        let whole = self.turned.trunc();
        self.turned -= whole;
        let most = len.saturating_sub(rows);
        self.first = self.first.saturating_add_signed(whole as isize).min(most);
    }

    /// Draws a row. Gives its words where they had no room.
    #[allow(clippy::too_many_arguments)]
    fn row(
        &self,
        ui: &Ui,
        palette: &Palette,
        (reel, own): (&Reel, Option<usize>),
        (row, is_marked): (usize, bool),
        (line, numbers): (Rect, f32),
        state: std::cmp::Ordering,
        hovered: bool,
    ) -> Option<String> {
        use std::cmp::Ordering::{Equal, Greater};
        let step = &reel.story().steps[row];
        let painter = ui.painter();
        let wide = lit(line);
        if state == Equal {
            painter.rect_filled(wide, CornerRadius::same(3), faded(palette.accent, 0.14));
            let bar = Rect::from_min_max(wide.left_top(), pos2(wide.left() + 2.5, wide.bottom()));
            painter.rect_filled(bar, CornerRadius::ZERO, palette.accent);
        } else if hovered {
            painter.rect_filled(wide, CornerRadius::same(3), palette.hover);
        }
        if is_marked {
            let frame = Stroke::new(1.0, palette.mark);
            let inside = StrokeKind::Inside;
            painter.rect_stroke(wide, CornerRadius::same(3), frame, inside);
        }
        // What has yet to happen is paler, and can be read all the same.
        let (opacity, of_number) = if state == Greater && !hovered {
            (0.74, 0.95)
        } else {
            (1.0, 1.0)
        };
        let middle = line.center().y;
        painter.text(
            pos2(line.left() + numbers, middle),
            Align2::RIGHT_CENTER,
            with_commas(row as u64 + 1),
            number(size::CAPTION),
            faded(palette.text_third, of_number),
        );
        let depth = depth_of(reel, row).min(DEEPEST);
        let indented =
            |depth: usize| line.left() + numbers + BEHIND_NUMBERS + INDENT * depth as f32;
        let left = indented(depth);
        for guide in 0..depth {
            let x = indented(guide);
            let ink = Stroke::new(1.0, faded(palette.strong_line, 0.7 * opacity));
            painter.vline(x, line.y_range(), ink);
        }
        icon(
            ui,
            palette,
            (step, tested(reel, row)),
            Rect::from_center_size(pos2(left + 5.0, middle), vec2(9.0, 9.0)),
            opacity,
        );
        let mut words = worded(reel, row, own);
        if let Some(turn) = reel.turn_from(row) {
            words = format!("turn of {}: {words}", name(reel, turn));
        }
        let ink = faded(palette.text, opacity);
        let room = line.right() - left - 16.0;
        let lay_out = |words: &str| elided(ui, words, text(size::SECOND), ink, room);
        let whole = lay_out(&words);
        // What is counted can be seen, how many cannot.
        let galley = match counted(&words).filter(|_| whole.elided) {
            Some(fewer) => match lay_out(&fewer) {
                it if it.elided => elided_at_word(ui, &words, text(size::SECOND), ink, room),
                it => it,
            },
            None => whole,
        };
        let is_cut = is_cut(&galley, &words);
        let at = pos2(left + 15.0, middle - galley.size().y / 2.0);
        painter.galley(at, galley, ink);
        is_cut.then_some(words)
    }

    /// Which part of the list is in sight.
    fn bar(&self, ui: &Ui, palette: &Palette, rect: Rect, len: usize, rows: usize) {
        if len <= rows {
            return;
        }
        let height = (rect.height() * rows as f32 / len as f32).max(18.0);
        let part = self.first as f32 / (len - rows) as f32;
        let top = rect.top() + (rect.height() - height) * part;
        let right = rect.right() + 8.0;
        let bar = Rect::from_min_max(pos2(right - 4.0, top), pos2(right, top + height));
        ui.painter()
            .rect_filled(bar, CornerRadius::same(2), palette.strong_line);
    }
}

/// How wide the numbers of so many rows are: no wider than the longest of them, for the words of deep ones need what room there is.
fn width_of_numbers(ui: &Ui, rows: usize) -> f32 {
    let longest = with_commas(rows as u64);
    let longest = ui
        .painter()
        .layout_no_wrap(longest, number(size::CAPTION), Color32::WHITE);
    longest.size().x
}

/// Which of so many rows is here, so far below the top of the first: on the edge below all of them it is still the last.
fn row_at(y: f32, high: f32, rows: usize) -> usize {
    ((y / high) as usize).min(rows - 1)
}

/// How far a row is indented: what happens in a turn below that, a region as deep as it is, and whom a step without one concerns below the
/// region that was named last; but what a search for the nearest finds as deep as the root, for it is found out where the search ends.
fn depth_of(reel: &Reel, row: usize) -> usize {
    /// Farther back nobody looks.
    const FAR: usize = 200;
    let (story, steps) = (reel.story(), &reel.story().steps);
    let step = &steps[row];
    let below = |place: &Place| usize::from(place.depth) + 1;
    match (story.place(step), step.turn, step.in_turn) {
        (_, Some(turn), InTurn::Within) => below(&story.places[turn]),
        (Some(place), ..) => usize::from(place.depth),
        _ if story.seeks_nearest() && matches!(step.event, Event::Hit(_)) => 0,
        (None, ..) => {
            let mut before = steps[row.saturating_sub(FAR)..row].iter().rev();
            let place = before.find_map(|step| story.place(step));
            place.map_or(0, below)
        }
    }
}

/// What a row says. Of two who are tested no more than who they are: there may be thousands of these below each other. Where the rows are those
/// of the place that is their `own`, one in the turn of another place says of which.
fn worded(reel: &Reel, row: usize, own: Option<usize>) -> String {
    let story = reel.story();
    let step = &story.steps[row];
    let word = match step.event {
        Event::TestPair(..) => "test".into(),
        Event::HitPair(..) => "hit".into(),
        _ => story.word(step),
    };
    // A line that begins a turn says whose by that.
    let own = own.filter(|_| reel.turn_from(row).is_none());
    let another = own.and_then(|own| reel.turn_of_another(row, own));
    let another = another.map(|turn| format!(" by {}", name(reel, turn)));
    match (story.place(step), step.units) {
        (None, Concerned::Two(a, b)) => {
            let another = another.unwrap_or_default();
            format!("{word} {} · {}{another}", story.called(a), story.called(b))
        }
        _ => format!("{word} {}", short(reel, row, another)),
    }
}

/// The words of a row up to how many it counts; nothing where they do not end with that.
fn counted(words: &str) -> Option<String> {
    let (fewer, _) = words.rsplit_once(' ')?;
    let is_count = fewer.contains('·') && fewer.ends_with(|it: char| it.is_ascii_digit());
    // Apart from the number, whose digits are all there.
    is_count.then(|| format!("{fewer} …"))
}

/// What a row is about, and by whom, where another one looks there than the list is of.
fn short(reel: &Reel, row: usize, another: Option<String>) -> String {
    let story = reel.story();
    let step = &story.steps[row];
    match story.place_then(step) {
        Some(place) => {
            let place = &*place;
            let units = how_many(reel, place);
            match reel.story().answer {
                // Of which tree a node is says that it is one.
                Answer::Sides { .. } if place.role == Role::Inner => {
                    format!("{} · {units}", called(reel, place))
                }
                _ => {
                    // A line that begins a turn says whose by that.
                    let looks = story
                        .looks_at(row)
                        .filter(|_| reel.turn_from(row).is_none());
                    let looks = looks.map(|looks| format!(" by {}", name(reel, looks)));
                    let looks = another.or(looks).unwrap_or_default();
                    format!("{}{looks} · {units}", name(reel, place))
                }
            }
        }
        None if step.units == Concerned::Nobody => String::new(),
        None => about(reel, step),
    }
}

/// What the legend calls whom a test is about: found, among the nearest so far, or neither; nothing of what is no test, and where the
/// telling is cut right behind it, and with that what it finds.
fn tested(reel: &Reel, row: usize) -> Option<Sample> {
    let story = reel.story();
    let steps = &story.steps;
    let is_cut = story.left_out > 0 && row + 1 >= steps.len();
    let next = steps.get(row + 1).map(|step| step.event);
    match steps[row].event {
        Event::Test(unit) => {
            // What it is found by comes right behind it.
            let standing = match next == Some(Event::Hit(unit)) {
                true => Standing::Found,
                false => reel.standing(unit, row + 1),
            };
            match standing {
                Standing::Found => Some(Sample::Found),
                Standing::Nearest => Some(Sample::Nearest),
                _ => (!is_cut).then_some(Sample::Tested),
            }
        }
        // Of two who meet again nothing more comes, and they are a pair all the same.
        Event::TestPair(a, b) => {
            let is_pair = reel.is_pair_at((a, b), row + 1)?;
            Some(if is_pair {
                Sample::Found
            } else {
                Sample::Tested
            })
        }
        _ => None,
    }
}

/// The mark of a kind of event, as on the field.
fn icon(
    ui: &Ui,
    palette: &Palette,
    (step, tested): (&Step, Option<Sample>),
    square: Rect,
    opacity: f32,
) {
    let painter = ui.painter();
    let none = CornerRadius::ZERO;
    if step.region.is_some() {
        let mark = Mark::of(step);
        let color = faded(mark.color(palette), opacity);
        let wash = if mark == Mark::Taken { 0.6 } else { 0.0 };
        let fill = faded(mark.color(palette), wash * opacity);
        painter.rect(
            square,
            none,
            fill,
            Stroke::new(1.3, color),
            StrokeKind::Inside,
        );
        if mark == Mark::Pruned {
            hatch(painter, square, Stroke::new(1.0, color), 4.0);
        }
        return;
    }
    match (step.event, tested) {
        (Event::Work(Work::DoubleAttack), _) => {
            Sample::Again.draw_faded(painter, palette, square.center(), opacity);
        }
        (Event::Hit(_) | Event::HitPair(..), _) => {
            Sample::Found.draw_faded(painter, palette, square.center(), opacity);
        }
        // Whoever is found by it is not too far, and who is near so far may yet be; of one whose end is not told nothing is known.
        (Event::Test(_) | Event::TestPair(..), Some(sample)) => {
            sample.draw_faded(painter, palette, square.center(), opacity);
        }
        _ => {
            painter.circle_filled(square.center(), 1.8, faded(palette.text_third, opacity));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::theme;
    use egui_macroquad::egui::{Area, Context, RawInput};
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Ground, Operation, Stage};
    use std::collections::HashMap;

    #[test]
    fn of_a_test_right_before_the_end_of_a_telling_that_is_cut_it_is_not_said_what_it_finds() {
        let centers = [8.0, 16.0, 24.0, 40.0, 48.0].map(|x| Vec2::new(x, 20.0));
        let bodies = Bodies::points(&centers);
        let kind = Kind::from_key("all-pairs").expect("a kind");
        let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 1.5, &never).expect("nobody cancels");
        for operation in ["pairs 8.5", "range 10,10,30,20"] {
            let operation = Operation::read(operation).expect("an operation");
            let tell = |cap: usize| {
                let story = stage.tell(&operation, cap, &never);
                Reel::new(story.expect("nobody cancels"))
            };
            let whole = tell(1_000);
            let told: Vec<_> = (0..whole.len()).map(|row| tested(&whole, row)).collect();
            let is_test = |row: usize| {
                let event = whole.story().steps[row].event;
                matches!(event, Event::Test(_) | Event::TestPair(..))
            };
            assert!((0..told.len()).all(|row| told[row].is_some() == is_test(row)));
            assert!(told.contains(&Some(Sample::Found)));
            let mut unknown = 0;
            for cap in 1..whole.len() {
                let cut = tell(cap);
                let last = cut.len() - 1;
                let seen = tested(&cut, last);
                assert!(seen.is_none() || seen == told[last], "{cap}");
                unknown += usize::from(seen.is_none() && is_test(last));
            }
            assert!(unknown > 0);
        }
    }

    /// What is told of an operation on a quadtree of two to a leaf.
    fn told(operation: &str) -> Reel {
        let centers = [
            (8.0, 56.0),
            (40.0, 40.0),
            (50.0, 12.0),
            (56.0, 56.0),
            (44.0, 50.0),
            (46.0, 34.0),
            (34.0, 46.0),
        ]
        .map(Vec2::from);
        let bodies = Bodies::points(&centers);
        let mut index = AnyPartition::new(Kind::Quadtree, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
        index.set_knob_text("capacity", "2").expect("a knob");
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 1.5, &never).expect("nobody cancels");
        let operation = Operation::read(operation).expect("an operation");
        let story = stage.tell(&operation, 1_000, &never);
        Reel::new(story.expect("nobody cancels"))
    }

    #[test]
    fn a_leaf_at_which_several_look_stands_equally_deep_each_time() {
        let reel = told("pairs 12.3");
        let steps = &reel.story().steps;
        let mut depths: HashMap<_, usize> = HashMap::new();
        let mut again = 0;
        for (row, step) in steps.iter().enumerate() {
            let looks = reel.story().looks_at(row).is_some();
            let Some(region) = step.region.filter(|_| looks) else {
                continue;
            };
            let depth = depth_of(&reel, row);
            again += usize::from(depths.contains_key(&region));
            assert_eq!(*depths.entry(region).or_insert(depth), depth, "{row}");
            // Whoever is compared there stands below it.
            let test = steps.get(row + 1).map(|next| next.event);
            if let Some(Event::TestPair(..)) = test {
                assert_eq!(depth_of(&reel, row + 1), depth + 1, "{row}");
            }
        }
        assert!(again > 2);
    }

    #[test]
    fn among_the_steps_of_a_leaf_those_of_the_turns_of_others_say_whose_they_are() {
        let reel = told("pairs 12.3");
        let (mut own, mut others) = (0, 0);
        for place in 0..reel.story().places.len() {
            for row in reel.steps_within(place) {
                let row = row as usize;
                let words = worded(&reel, row, Some(place));
                match reel.turn_of_another(row, place) {
                    Some(turn) => {
                        let by = format!(" by {}", name(&reel, turn));
                        assert!(words.contains(&by), "{row}: {words}");
                        others += 1;
                    }
                    None => own += 1,
                }
            }
        }
        assert!(own > 2 && others > 2, "{own} {others}");
    }

    #[test]
    fn the_edge_below_the_last_row_is_of_that() {
        let at = [0.0, 22.9, 23.0, 91.9, 92.0].map(|y| row_at(y, 23.0, 4));
        assert_eq!(at, [0, 0, 1, 3, 3]);
    }

    #[test]
    fn what_a_search_for_the_nearest_finds_stands_below_no_node() {
        let reel = told("nearest 45,45,3");
        let steps = &reel.story().steps;
        let is_hit = |step: &Step| matches!(step.event, Event::Hit(_));
        let hits = (0..steps.len()).filter(|row| is_hit(&steps[*row]));
        let depths: Vec<usize> = hits.map(|row| depth_of(&reel, row)).collect();
        assert_eq!(depths, [0; 3]);
        // What is found as it is met stands where that is.
        let reel = told("radius 45,45,8");
        let hit = reel.story().steps.iter().position(is_hit).expect("a hit");
        assert!(depth_of(&reel, hit) > 1);
    }

    #[test]
    fn a_row_without_room_keeps_how_many_it_counts_and_says_that_it_is_cut() {
        let words = |whole| counted(whole);
        assert_eq!(
            words("test leaf load 3031 · 1 object").as_deref(),
            Some("test leaf load 3031 · 1 …")
        );
        assert_eq!(
            words("visit node 2 by leaf 7 · 2,124 units").as_deref(),
            Some("visit node 2 by leaf 7 · 2,124 …")
        );
        // The number of the second one is not what is left out.
        assert_eq!(words("test unit 4 · unit 9"), None);
        assert_eq!(words("test unit 4"), None);
    }

    #[test]
    fn numbers_of_rows_take_no_more_room_than_the_longest_of_them_and_leave_the_rest_to_words() {
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let _ = ctx.run(RawInput::default(), |ctx| {
            Area::new("rows".into()).show(ctx, |ui| {
                let wide = |rows| width_of_numbers(ui, rows);
                assert!(wide(51) > 0.0 && wide(51) < 20.0);
                assert!(wide(51) < wide(133) && wide(133) < wide(1_000_000));
                // All numbers of as many digits are as wide.
                assert_eq!(wide(10), wide(99));
                let longest = wide(1_000_000) + BEHIND_NUMBERS + INDENT * DEEPEST as f32;
                assert!(longest < 200.0, "{longest}");
            });
        });
    }

    #[test]
    fn what_happens_stays_in_sight_when_the_list_becomes_lower() {
        let mut events = Events::default();
        let is_seen = |events: &Events, row: usize, rows: usize| {
            (events.first..events.first + rows).contains(&row)
        };
        events.follow(500, 1_000, 30);
        assert!(is_seen(&events, 499, 30));
        // Somebody looks elsewhere, and is left there.
        events.turn(3.0, 1_000, 30);
        let first = events.first;
        events.follow(500, 1_000, 30);
        assert_eq!(events.first, first);
        events.follow(500, 1_000, 4);
        assert!(is_seen(&events, 499, 4));
    }
}
