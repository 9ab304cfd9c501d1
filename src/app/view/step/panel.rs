//! The right panel of what is looked into: which step it is, what happened, why, and the sums so far.

use super::names::{how_many, name, unseen, words};
use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::state::{App, Stepping};
use crate::app::theme::{layout, number, size, text};
use crate::app::widgets::{
    GUTTER, SECTION, big_number, first_section, focus_ring, is_collapsed, measures_together, place,
    section, show_cut, tell_button, with_commas,
};
use crate::app::worker::Telling;
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Id, Label, Rect, RichText, ScrollArea, Sense, TextWrapMode, Ui,
    UiBuilder, pos2, vec2,
};
use skirmish::story::space::Operation3;
use skirmish::story::{Answer, Operation, Reel, Step, Track};
use std::sync::{Arc, Weak};

/// Fills the panel. Gives the step to which somebody wants to go.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette) -> Option<usize> {
    let stepping = app.stepping.as_ref()?;
    let is_decision = stepping.is_of_world();
    let structure = if is_decision {
        "loaded and unloaded next"
    } else {
        app.lane().structure.info().name
    };
    if !first_section(ui, palette, ("step", "step"), structure) {
        return None;
    }
    if let Some(words) = stepping.wants() {
        quiet(ui, palette, words);
        return None;
    }
    let Some(reel) = stepping.reel().filter(|_| stepping.is_present) else {
        let words = match stepping.refusal() {
            Some(_) => "Nothing to step through.",
            None if app.has_steps() => "It is being told …",
            None => "Time passes: stop it (Space) to step through the operation.",
        };
        quiet(ui, palette, words);
        return None;
    };
    let at = stepping.at();
    let second = format!(
        "at tick {}, {}",
        with_commas(app.place.tick),
        match &app.stream {
            Some(stream) if is_decision => {
                format!("{} objects", with_commas(stream.objects().len() as u64))
            }
            _ => format!("{} units", with_commas(app.alive())),
        }
    );
    let of = format!("of {}", with_commas(reel.len() as u64));
    let means = match stepping.operation() {
        // The cost of a tick is that of its questions, which it asks before units move.
        Some(Operation::Pairs { reach: None }) => {
            "The steps that have happened, of all that the operation takes: they ask for the pairs of units where these stand now, which is what the next tick asks. The cost of this tick is of where they stood before it."
        }
        _ => "The steps that have happened, of all that the operation takes.",
    };
    let first = (of.as_str(), means);
    big_number(ui, palette, &with_commas(at as u64), first, &second);
    happened(ui, app, palette, (stepping, reel));
    let all_pairs = all_pairs(reel);
    let wanted = sums(ui, palette, (reel, at), all_pairs);
    left_out(ui, palette, reel);
    wanted
}

/// A line in pale letters, as long as the panel is wide.
fn quiet(ui: &mut Ui, palette: &Palette, words: &str) {
    ui.add(
        Label::new(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        )
        .wrap_mode(TextWrapMode::Wrap),
    );
}

/// What an event is about, in a few words.
pub fn about(reel: &Reel, step: &Step) -> String {
    use skirmish::story::{Answer, Concerned};
    let place = reel.story().place_then(step);
    match (place.as_deref(), step.region, step.units) {
        // Whose turn it is has been said before it.
        (Some(place), ..) if reel.story().going_on(step).is_some() => {
            format!("{} · {}", name(reel, place), how_many(reel, place))
        }
        (Some(place), ..) => words(reel, place),
        (None, Some(region), _) => format!("region {}", unseen(reel, region)),
        (None, None, Concerned::One(unit)) => {
            let story = reel.story();
            match story.answer {
                Answer::Sides { .. } => format!("object {}", story.called(unit)),
                _ => story.unit_called(unit),
            }
        }
        (None, None, Concerned::Two(a, b)) => {
            let story = reel.story();
            format!("units {} and {}", story.called(a), story.called(b))
        }
        _ => String::new(),
    }
}

/// What happened at this step, and why.
fn happened(ui: &mut Ui, app: &App, palette: &Palette, (stepping, reel): (&Stepping, &Reel)) {
    /// Where the sentence begins below the title, and what is left free below it, in points.
    const TITLE: f32 = 24.0;
    const BELOW: f32 = 8.0;
    /// So many lines have room whatever that leaves to the sums.
    const LEAST_LINES: f32 = 2.0;
    let invitation = stepping.invitation();
    let now = stepping.now().filter(|_| invitation.is_none());
    let (top, words, ink) = match now {
        Some(now) => {
            let rest = rest_at_end(stepping, reel).filter(|_| stepping.is_over());
            let rest = rest.unwrap_or_default();
            (TITLE, format!("{}{rest}", now.reason), palette.text)
        }
        None if reel.is_empty() => {
            let name = app.lane().structure.info().name;
            let words = format!(
                "{name} visits nothing for this: nobody is there. Drag it elsewhere, or ask something else."
            );
            (4.0, words, palette.text_second)
        }
        None => {
            let nothing = || "Nothing has happened yet.".to_owned();
            let words = invitation.unwrap_or_else(nothing);
            (4.0, words, palette.text_second)
        }
    };
    let width = ui.available_width();
    let words = measures_together(&words);
    let galley = ui
        .painter()
        .layout(words.clone(), text(size::LABEL), ink, width);
    let tallest = || {
        let high = |words: &str| {
            let words = measures_together(words);
            let galley = ui.painter().layout(words, text(size::LABEL), ink, width);
            TITLE + galley.size().y + BELOW
        };
        let longest = reel.longest().map(|step| high(&step.reason));
        let longest = longest.fold(0.0, f32::max);
        // The last one as it is at the end.
        let last = reel.story().steps.last().zip(rest_at_end(stepping, reel));
        let last = last.map_or(0.0, |(step, rest)| high(&format!("{}{rest}", step.reason)));
        longest.max(last)
    };
    // What stands above it, and what is seen of the sums below it.
    let margin = ui.visuals().clip_rect_margin;
    let above = ui.cursor().top() - ui.min_rect().top();
    let sums = match is_collapsed(ui.ctx(), SUMS) {
        true => SECTION,
        false => {
            let rows = tracks(reel).count() + usize::from(all_pairs(reel).is_some());
            SECTION + SUM * rows as f32
        }
    };
    let spare = ui.clip_rect().height() - 2.0 * margin - above - sums;
    let line = ui.fonts(|fonts| fonts.row_height(&text(size::LABEL)));
    let least = TITLE + LEAST_LINES * line + BELOW;
    let wanted = sentence_room(ui, (stepping.told.as_ref(), width), tallest);
    let height = room_with_sums(least, wanted, spare);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let room = rect.with_min_y(rect.top() + top);
    let room = room.with_max_y(rect.bottom() - BELOW / 2.0);
    let scrolls = top + galley.size().y + BELOW > height + 1.0;
    let is_new = is_new(ui, stepping, scrolls);
    if scrolls {
        scrolling(ui, palette, (room, ink), is_new, words);
    } else {
        // As many as that takes: the keyboard is on what is below by its number, and stays there.
        ui.skip_ahead_auto_ids(1);
        ui.painter().galley(room.min, galley, ink);
    }
    let painter = ui.painter();
    let Some(now) = now else { return };
    let kind = painter.text(
        pos2(rect.left(), rect.top() + 11.0),
        Align2::LEFT_CENTER,
        reel.story().word(now),
        text(size::NAME),
        palette.text,
    );
    painter.with_clip_rect(rect).text(
        pos2(kind.right() + 10.0, rect.top() + 11.5),
        Align2::LEFT_CENTER,
        about(reel, now),
        text(size::DESCRIPTION),
        palette.text_second,
    );
    response.on_hover_text(glossary::means("", now.kind()));
}

/// Whether the sentence of this very step was not there in the frame before, or did not scroll there.
fn is_new(ui: &Ui, stepping: &Stepping, scrolls: bool) -> bool {
    type Shown = (Weak<Telling>, usize, bool);
    let id = Id::new("step whose sentence is shown");
    let (of, at) = (weak(stepping.told.as_ref()), stepping.at());
    let before: Option<Shown> = ui.data(|data| data.get_temp(id));
    let is_same = before.is_some_and(|(told, before, scrolled)| {
        told.ptr_eq(&of) && before == at && scrolled == scrolls
    });
    if !is_same {
        let shown: Shown = (of, at, scrolls);
        ui.data_mut(|data| data.insert_temp(id, shown));
    }
    !is_same
}

/// A telling to know it by, which does not keep it.
fn weak(told: Option<&Arc<Telling>>) -> Weak<Telling> {
    told.map_or_else(Weak::new, Arc::downgrade)
}

/// A sentence that is longer than its room, which scrolls there: from its beginning where it is new. It takes one number of a control.
fn scrolling(
    ui: &mut Ui,
    palette: &Palette,
    (room, ink): (Rect, Color32),
    is_new: bool,
    words: String,
) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(room));
    child.shrink_clip_rect(room.expand2(vec2(layout::PADDING, 0.0)));
    let mut area = ScrollArea::vertical()
        .drag_to_scroll(false)
        .id_salt("sentence")
        .max_height(room.height())
        .min_scrolled_height(0.0)
        .auto_shrink(false);
    if is_new {
        area = area.vertical_scroll_offset(0.0);
    }
    let output = area.show(&mut child, |ui| {
        // Its bar floats beside it.
        let width = ui.available_width() - GUTTER;
        let galley = ui.painter().layout(words, text(size::LABEL), ink, width);
        let (rect, _) = ui.allocate_exact_size(galley.size(), Sense::hover());
        ui.painter().galley(rect.min, galley, ink);
    });
    show_cut(&child, palette, &output);
}

/// Said at the end of a search for units: how many it has never looked at, which is what the structure is for.
fn rest_at_end(stepping: &Stepping, reel: &Reel) -> Option<String> {
    let asks = |it: &Operation| {
        !it.is_edit() && !matches!(it, Operation::Pairs { .. } | Operation::Rebuild)
    };
    let asks3 = |it: &Operation3| {
        !it.is_edit() && !matches!(it, Operation3::Pairs { .. } | Operation3::Rebuild)
    };
    let asked = &stepping.told.as_ref()?.asked;
    let is_search = asked.operation().is_some_and(asks) || asked.operation3().is_some_and(asks3);
    if !is_search {
        return None;
    }
    let rest = reel.never_looked_at().filter(|rest| *rest > 0)?;
    let verb = if rest == 1 { "unit is" } else { "units are" };
    let why = not_come_to(reel.never_come_to(), rest);
    let rest = with_commas(rest);
    Some(format!(
        " In all, {rest} {verb} left out without a look{why}."
    ))
}

/// Why a search that prunes nothing looks at so few, where it goes straight to some cells: so many others, with so many units, it never comes
/// to, and in all it looks at so many units not.
fn not_come_to(others: Option<(u64, u64)>, rest: u64) -> String {
    let Some((cells, units)) = others.filter(|(_, units)| *units <= rest) else {
        return String::new();
    };
    let (who, plural) = match (units == rest, units) {
        (true, 1) => ("it".to_owned(), ""),
        (true, _) => ("them".to_owned(), "s"),
        (false, _) => (format!("{} of them", with_commas(units)), "s"),
    };
    let plural = if cells == 1 { "" } else { plural };
    format!(
        ": nothing is pruned, for the search never comes to the {} cell{plural} with {who}",
        with_commas(cells)
    )
}

/// How high the room for all sentences of an operation is, in points. `tallest` says how high that of the longest sentence is, and is
/// asked once for each operation in a panel that is so wide.
fn sentence_room(
    ui: &Ui,
    (told, width): (Option<&Arc<Telling>>, f32),
    tallest: impl FnOnce() -> f32,
) -> f32 {
    /// Room for a title and three lines, in points.
    const LEAST: f32 = 88.0;
    let id = Id::new("room for the sentence of a step");
    // What another operation needed says nothing of this one.
    let of = weak(told);
    let known: Option<(Weak<Telling>, f32, f32)> = ui.data(|data| data.get_temp(id));
    let known = known.filter(|(known, wide, _)| known.ptr_eq(&of) && *wide == width);
    if let Some((.., room)) = known {
        return room;
    }
    let room = LEAST.max(tallest());
    ui.data_mut(|data| data.insert_temp(id, (of, width, room)));
    room
}

/// How high the room for each sentence is, where that of the longest is `wanted` high and so much is left beside the sums. These have it first,
/// but for the `least`: what is longer scrolls. It is the same at every step, so that whoever clicks on a sum again and again meets the same.
fn room_with_sums(least: f32, wanted: f32, spare: f32) -> f32 {
    wanted.min(spare.max(least))
}

/// The name of the sums, which is their caption as well.
const SUMS: &str = "so far, and at the end";

/// How high a row of the sums is, in points.
const SUM: f32 = 20.0;

/// How far the name of a part is indented, in points.
const INDENT: f32 = 8.0;

/// Each kind of event, and below the tests of pairs in a grid those within a cell and those across a border, which are parts of them: with each
/// whether it is a part of what stands above it.
fn tracks(reel: &Reel) -> impl Iterator<Item = (&Track, bool)> {
    reel.tracks().iter().flat_map(|track| {
        let parts = match track.kind {
            "test pair" => reel.borders(),
            _ => &[],
        };
        let parts = parts.iter().map(|part| (part, true));
        std::iter::once((track, false)).chain(parts)
    })
}

/// How many tests a double loop over all units of the telling makes, beside a search for pairs.
fn all_pairs(reel: &Reel) -> Option<u64> {
    let story = reel.story();
    let is_search = matches!(story.answer, Answer::Pairs(_));
    let units = story.before.unit_count();
    is_search.then(|| units * units.saturating_sub(1) / 2)
}

/// Each kind of event, how many there were so far and how many there are at the end, all on one scale, and how many tests all pairs would
/// take, where these are asked for. A click on a kind goes to the next of it: gives the step after it.
fn sums(
    ui: &mut Ui,
    palette: &Palette,
    (reel, at): (&Reel, usize),
    all_pairs: Option<u64>,
) -> Option<usize> {
    if !section(ui, palette, SUMS, "now / end") {
        return None;
    }
    let mut wanted = None;
    let most = reel.tracks().iter().map(|it| it.whole()).max().unwrap_or(0);
    for (track, is_part) in tracks(reel) {
        let (now, end) = (track.count(at), track.whole());
        // Where there is none, there is none to go to.
        let sense = if end > 0 {
            Sense::click()
        } else {
            Sense::hover()
        };
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), SUM), sense);
        if end > 0 {
            place(ui.ctx(), &format!("step.next.{}", track.kind), rect);
            tell_button(&response, &format!("Next {}", track.kind));
            focus_ring(ui, palette, &response, rect);
        }
        let ink = if end > 0 && response.hovered() {
            palette.text
        } else {
            palette.text_second
        };
        let painter = ui.painter();
        let indent = if is_part { INDENT } else { 0.0 };
        painter.text(
            rect.left_center() + vec2(indent, 0.0),
            Align2::LEFT_CENTER,
            track.kind,
            text(size::SECOND),
            ink,
        );
        let end_words = painter.text(
            rect.right_center(),
            Align2::RIGHT_CENTER,
            format!("/ {}", with_commas(end as u64)),
            number(size::CAPTION),
            palette.text_third,
        );
        painter.text(
            pos2(end_words.left() - 5.0, rect.center().y),
            Align2::RIGHT_CENTER,
            with_commas(now as u64),
            number(size::SECOND),
            palette.text,
        );
        let track_rect = Rect::from_min_max(
            pos2(rect.left() + 92.0, rect.center().y - 3.0),
            pos2(rect.right() - 118.0, rect.center().y + 3.0),
        );
        let part = |count: usize| track_rect.width() * count as f32 / most.max(1) as f32;
        for (count, color) in [(end, palette.strong_line), (now, palette.accent)] {
            if count > 0 {
                let bar = track_rect.with_max_x(track_rect.left() + part(count).max(1.5));
                painter.rect_filled(bar, CornerRadius::same(2), color);
            }
        }
        if response.clicked() {
            wanted = track.next(at);
        }
        let means = glossary::means("", track.kind);
        let click = if end > 0 {
            " A click goes to the next of them."
        } else {
            ""
        };
        let turns = match track.turns {
            0 => String::new(),
            1 => " 1 of them begins a turn: the list says turn of.".to_owned(),
            many => format!(
                " {} of them begin a turn: the list says turn of.",
                with_commas(many as u64)
            ),
        };
        response.on_hover_text(format!("{means}{turns}{click}"));
    }
    if let Some(all_pairs) = all_pairs {
        let name = "all pairs";
        let room = vec2(ui.available_width(), SUM);
        let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
        let ink = palette.text_third;
        let (left, right) = (rect.left_center(), rect.right_center());
        let painter = ui.painter();
        painter.text(left, Align2::LEFT_CENTER, name, text(size::SECOND), ink);
        // On a scale of its own: no bar beside it would be seen.
        let words = with_commas(all_pairs);
        painter.text(
            right,
            Align2::RIGHT_CENTER,
            words,
            number(size::CAPTION),
            ink,
        );
        response.on_hover_text(glossary::means("stepping", name));
    }
    wanted
}

fn left_out(ui: &mut Ui, palette: &Palette, reel: &Reel) {
    let left_out = reel.story().left_out;
    if left_out > 0 {
        let words = format!(
            "{} more events are counted and not told: a million are.",
            with_commas(left_out)
        );
        ui.add_space(4.0);
        ui.label(
            RichText::new(words)
                .size(size::CAPTION)
                .color(palette.warning),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{all_pairs, not_come_to, room_with_sums, tracks};
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Ground, Operation, Reel, Stage};

    /// What is asked of a grid of these units.
    fn told(centers: &[Vec2], asked: &str) -> Reel {
        let bodies = Bodies::points(centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(40.0));
        let mut index = AnyPartition::new(Kind::LinkedGrid, field);
        index.set_knob_text("cell_size", "10").expect("a knob");
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 1.5, &never);
        let asked = Operation::read(asked).expect("an operation");
        let story = stage.and_then(|stage| stage.tell(&asked, 1_000, &never));
        Reel::new(story.expect("nobody cancels"))
    }

    #[test]
    fn all_pairs_are_those_of_the_units_of_the_telling_and_of_a_search_for_pairs() {
        // Of four that stand by now three are told of.
        let all = [4.0, 14.0, 24.0, 34.0].map(|x| Vec2::new(x, 20.0));
        assert_eq!(all_pairs(&told(&all, "pairs 10.5")), Some(6));
        assert_eq!(all_pairs(&told(&all[..3], "pairs 10.5")), Some(3));
        assert_eq!(all_pairs(&told(&all[..1], "pairs 10.5")), Some(0));
        assert_eq!(all_pairs(&told(&all, "nearest 20,20,2")), None);
    }

    #[test]
    fn tests_within_cells_and_across_borders_are_parts_right_below_those_of_pairs() {
        let all = [4.0, 6.0, 14.0].map(|x| Vec2::new(x, 20.0));
        let reel = told(&all, "pairs 10.5");
        let rows: Vec<(&str, bool)> = tracks(&reel).map(|(it, part)| (it.kind, part)).collect();
        let place = rows.iter().position(|row| *row == ("test pair", false));
        let parts = &rows[place.expect("tests") + 1..][..2];
        assert_eq!(parts, [("within cells", true), ("across borders", true)]);
        assert_eq!(rows.iter().filter(|(_, is_part)| *is_part).count(), 2);
    }

    #[test]
    fn a_search_that_goes_straight_to_its_cells_says_at_how_many_it_does_not_look() {
        assert_eq!(not_come_to(None, 12), "");
        let why = ": nothing is pruned, for the search never comes to the";
        for (others, rest, end) in [
            ((1, 1), 1, " 1 cell with it"),
            ((1, 12), 12, " 1 cell with them"),
            ((1_200, 2_000), 2_000, " 1,200 cells with them"),
            ((7, 9), 12, " 7 cells with 9 of them"),
        ] {
            assert_eq!(not_come_to(Some(others), rest), format!("{why}{end}"));
        }
    }

    #[test]
    fn the_sums_have_room_before_it_is_kept_for_the_longest_sentence_but_for_that_of_a_few_lines() {
        let height = |spare: f32| room_with_sums(60.0, 120.0, spare);
        assert_eq!([300.0, 90.0].map(height), [120.0, 90.0]);
        assert_eq!([-40.0, 40.0, 60.0].map(height), [60.0; 3]);
        // Where no sentence is so long, there is nothing to scroll.
        assert_eq!(room_with_sums(60.0, 50.0, 90.0), 50.0);
    }
}
