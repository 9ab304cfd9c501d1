//! The legend of what is looked into: what each mark on the field means.

use crate::app::glossary;
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{layout, size, text};
use crate::app::view::chips::{
    self, MORE, edge_chip, right_of_legend, rows_of, with_room_for_more,
};
use crate::app::view::field::{LEFT_OUT, left_of_tested};
use crate::app::view::marks::{dashed_rect, hatch, state_icon};
use crate::app::widgets::{cover, place};
use crate::app::worker::Asked;
use egui_macroquad::egui::{
    Color32, CornerRadius, Galley, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2,
    vec2,
};
use skirmish::probe::Work;
use skirmish::scene::Side;
use skirmish::story::{Operation, Reel};
use skirmish::streaming::State;
use std::ops::Range;
use std::sync::Arc;

/// The words of the legend and the kind of mark before each.
const LEGEND: &[(&str, Sample)] = &[
    ("visited", Sample::Visited),
    ("now", Sample::Now),
    ("pruned", Sample::Pruned),
    ("found", Sample::Found),
    ("taken whole", Sample::Taken),
    ("tested, not found", Sample::Tested),
    ("whom it holds", Sample::Tight),
    ("not yet", Sample::NotYet),
    ("left out", Sample::LeftOut),
];

/// The same of a search for the nearest: it takes nothing whole, and who is near is near as far as is known. Where there is no room for all,
/// the last are behind a number.
const LEGEND_OF_NEAREST: &[(&str, Sample)] = &[
    ("visited", Sample::Visited),
    ("now", Sample::Now),
    ("pruned", Sample::Pruned),
    ("nearest so far", Sample::Nearest),
    ("found", Sample::Found),
    ("tested, too far", Sample::Tested),
    ("left out", Sample::LeftOut),
    ("not yet", Sample::NotYet),
    ("whom it holds", Sample::Tight),
];

/// The same of a search for pairs, in which one region after the other looks at others: first who looks, and at whom.
const LEGEND_OF_PAIRS: &[(&str, Sample)] = &[
    ("its turn", Sample::Turn),
    ("now", Sample::Now),
    ("found", Sample::Found),
    ("double attack", Sample::Again),
    ("tested, too far", Sample::Tested),
    ("visited", Sample::Visited),
    ("pruned", Sample::Pruned),
    ("tested with nobody", Sample::LeftOut),
    ("done before", Sample::LookedHere),
    ("not yet", Sample::NotYet),
    ("whom it holds", Sample::Tight),
];

/// The same of what is edited or built.
const LEGEND_OF_EDITS: &[(&str, Sample)] = &[
    ("now", Sample::Now),
    ("split", Sample::Split),
    ("merge, refit", Sample::Changed),
    ("on the way down", Sample::Down),
    ("on the way up", Sample::Up),
    ("whom it holds", Sample::Tight),
];

/// The same of what is loaded and unloaded next, which goes through boxes of nodes and of objects.
const LEGEND_OF_DECISIONS: &[(&str, Sample)] = &[
    ("visited", Sample::Visited),
    ("now", Sample::Now),
    ("pruned", Sample::Pruned),
    ("found", Sample::FoundBox),
    ("what it holds", Sample::Tight),
];

/// The states that an object of a world may have, those first of which there are most where it goes.
const STATES: [State; State::ALL.len()] = [
    State::Resident,
    State::Unloaded,
    State::Queued,
    State::Loading,
    State::Unloading,
    State::Decoded,
    State::Failed,
];

/// From the beginning of a mark to its word, in points.
const TO_WORD: f32 = 16.0;

/// How far a word is from the next mark, in points, and where not all have room: clearly farther than from its own.
const GAPS: [f32; 2] = [15.0, 10.0];

/// A lower field, in points, has no room for it: it would lie on a third of the picture.
const LEAST_HIGH: f32 = 170.0;

/// One so high, in points, has room for a second row, and a little higher for a third.
const HIGH: f32 = 300.0;

/// From one row to the next, in points.
const ROW: f32 = 19.0;

/// What stands left and right of a row, in points.
const MARGIN: f32 = 11.0;

/// A mark of the field, as it stands before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    Visited,
    Now,
    Turn,
    Taken,
    Pruned,
    Found,
    Nearest,
    /// The line between two who have met before.
    Again,
    Tested,
    Tight,
    LookedHere,
    NotYet,
    LeftOut,
    FoundBox,
    /// An object in this state.
    Object(State),
    Split,
    Changed,
    Down,
    Up,
}

/// What the legend says, and where.
struct Laid {
    rect: Rect,
    /// Of each row.
    rows: Vec<Vec<Entry>>,
    /// Those that have no room; how many they are stands at the end of the last row.
    left_out: Vec<Entry>,
    /// Between two words, in points.
    gap: f32,
}

/// A mark and its word.
type Entry = (Sample, Arc<Galley>);

/// Lays the legend out in the lower left corner of the field, if there is room for it. What it `reserves` is the room of all that it says at
/// some step of the operation, and where one is asked or told on the field before there is one, of all that it may say: the field does not
/// jump from one to the next.
fn lay(ui: &Ui, app: &App, palette: &Palette, field: Rect, reserves: bool) -> Option<Laid> {
    let painter = ui.painter();
    let stepping = app.stepping.as_ref()?;
    if stepping.wants().is_some() && !reserves {
        return None;
    }
    let changes = |it: &Operation| it.is_edit() || *it == Operation::Rebuild;
    let words: &[(&str, Sample)] = match (stepping.operation(), &stepping.asked) {
        _ if stepping.wants().is_some() && stepping.tool.is_change() => LEGEND_OF_EDITS,
        (Some(operation), _) if changes(operation) => LEGEND_OF_EDITS,
        (Some(Operation::Pairs { .. }), _) => LEGEND_OF_PAIRS,
        (Some(Operation::Nearest { .. }), _) => LEGEND_OF_NEAREST,
        (_, Asked::Decision) => LEGEND_OF_DECISIONS,
        _ => LEGEND,
    };
    let ink = palette.text_second;
    let written = |word: String| painter.layout_no_wrap(word, text(size::DESCRIPTION), ink);
    let galley = |(word, sample): (&str, Sample)| (sample, written(word.to_owned()));
    // What never happens in this operation needs no word: it would take the room of what does.
    let happens = |(_, sample): &(&str, Sample)| {
        if reserves && stepping.tool.wish().is_some() {
            return true;
        }
        let reel = stepping.reel();
        match sample {
            Sample::Tight => return reel.is_some_and(Reel::has_tight),
            Sample::LookedHere => return reel.is_some_and(|it| !it.story().looked.is_empty()),
            Sample::LeftOut => return reel.is_some_and(Reel::has_left_out),
            // At the end of a search there is nothing more to come to.
            Sample::NotYet if reserves => return true,
            Sample::NotYet => return !reel.is_some_and(|it| it.has_ended(stepping.at())),
            _ => {}
        }
        let kinds = sample.kinds();
        let tracks = reel.map_or(&[][..], |reel| reel.tracks());
        let mut there = tracks.iter().filter(|track| track.whole() > 0);
        kinds.is_empty() || there.any(|track| kinds.contains(&track.kind))
    };
    // The panel that tells them apart has given way to the steps: those in which there is an object.
    let stream = app.stream.as_ref().filter(|_| stepping.is_of_world());
    let states = stream.into_iter().flat_map(|stream| {
        let counts = stream.counts();
        let states = STATES.into_iter();
        let states = states.filter(move |state| counts[*state as usize] > 0);
        states.map(|state| (state.name(), Sample::Object(state)))
    });
    let words = words.iter().copied().filter(happens).chain(states);
    let mut samples: Vec<_> = words.map(galley).collect();
    // The scale may stand at the right.
    let right = right_of_legend(field.expand(layout::CHIP));
    let room = right - field.left() - 2.0 * MARGIN;
    let widths = |samples: &[Entry], gap: f32| -> Vec<f32> {
        let all = samples.iter();
        all.map(|(_, it)| it.size().x + TO_WORD + gap).collect()
    };
    // In more rows before they stand closer together, and that before one of them is left out: what is understood best without a word.
    let most = match field.height() {
        height if height < HIGH => 1,
        height if height < HIGH + 40.0 => 2,
        _ => 3,
    };
    let choices = GAPS
        .into_iter()
        .flat_map(|gap| (1..=most).map(move |most| (most, gap)));
    let rows_of = |samples: &[Entry], most: usize, gap: f32| {
        (gap, rows_of(&widths(samples, gap), room + gap, most))
    };
    let mut choices = choices.map(|(most, gap)| rows_of(&samples, most, gap));
    let has_all = |rows: &[Range<usize>]| rows.last().is_some_and(|row| row.end == samples.len());
    let all = choices.find(|(_, rows)| has_all(rows));
    let (gap, mut rows) = all.unwrap_or_else(|| {
        // Before what is still to come stands what is on the field.
        if let Some(reel) = stepping.reel().filter(|_| !reserves) {
            samples.sort_by_key(|(sample, _)| !sample.is_there(reel, stepping.at()));
        }
        rows_of(&samples, most, GAPS[1])
    });
    let widths = widths(&samples, gap);
    let wide_of = |row: &Range<usize>| widths[row.clone()].iter().sum::<f32>();
    let said = with_room_for_more(&mut rows, samples.len(), |row| wide_of(row) + MORE <= room);
    let left_out = samples[said..].to_vec();
    let last = rows.len().saturating_sub(1);
    let end = |row: usize| match row == last && !left_out.is_empty() {
        true => MORE,
        false => -gap,
    };
    let wide = rows.iter().enumerate();
    let wide = wide.map(|(place, row)| wide_of(row) + end(place));
    let wide = wide.fold(0.0, f32::max) + 2.0 * MARGIN;
    let size = vec2(wide, 30.0 + ROW * rows.len().saturating_sub(1) as f32);
    let rect = Rect::from_min_size(pos2(field.left(), field.bottom() - size.y), size);
    let rows: Vec<Vec<_>> = rows.into_iter().map(|row| samples[row].to_vec()).collect();
    (field.height() >= LEAST_HIGH && !rows.is_empty()).then_some(Laid {
        rect,
        rows,
        left_out,
        gap,
    })
}

/// Where the legend lies in a field, at any step: as high as it ever is, and as wide as it is there, for fewer words may have room in one row.
pub fn legend_rect(ui: &Ui, app: &App, palette: &Palette, field: Rect) -> Option<Rect> {
    let [reserved, drawn] = [true, false].map(|reserves| lay(ui, app, palette, field, reserves));
    let reserved = reserved?.rect;
    Some(drawn.map_or(reserved, |it| reserved.union(it.rect)))
}

/// Draws the legend: what each mark means, with a sentence of the glossary to each word.
pub fn legend(ui: &Ui, app: &App, palette: &Palette, field: Rect) {
    let painter = ui.painter();
    let Some(laid) = lay(ui, app, palette, field, false) else {
        return;
    };
    let Laid {
        rect,
        rows,
        left_out,
        gap,
    } = laid;
    edge_chip(painter, palette, rect);
    cover(ui.ctx(), rect);
    place(ui.ctx(), "step.legend", rect);
    let across = |left: f32, width: f32, y: f32| {
        Rect::from_x_y_ranges(left..=left + width, y - ROW / 2.0..=y + ROW / 2.0)
    };
    let opacity = |sample: Sample| sample.opacity(app);
    let mut end = rect.left_top();
    for (row, samples) in rows.into_iter().enumerate() {
        let y = rect.top() + 15.0 + ROW * row as f32;
        let mut left = rect.left() + MARGIN + 1.0;
        for (sample, galley) in samples {
            let at = pos2(left + 5.0, y);
            sample.draw_faded(painter, palette, at, opacity(sample));
            let width = galley.size().x;
            let entry = across(left, TO_WORD + width, y);
            let word = galley.text();
            ui.interact(entry, ui.id().with(("step legend", word)), Sense::hover())
                .on_hover_text(glossary::means(sample.place(), word));
            left += TO_WORD;
            let top = y - galley.size().y / 2.0;
            painter.galley(pos2(left, top), galley, palette.text_second);
            left += width + gap;
        }
        end = pos2(left, y);
    }
    if left_out.is_empty() {
        return;
    }
    let draw = |painter: &Painter, mark: Rect, (sample, _): &Entry| {
        sample.draw_faded(painter, palette, mark.center(), opacity(*sample));
    };
    let said = |(sample, galley): &Entry| {
        let word = galley.text();
        format!("{word}: {}", glossary::means(sample.place(), word))
    };
    chips::left_out(ui, palette, end, &left_out, (draw, said));
}

impl Sample {
    /// Where its word means what it means here.
    fn place(self) -> &'static str {
        match self {
            Self::Object(_) => "state",
            _ => "legend",
        }
    }

    /// The kinds of events that leave this mark; none where it is on the field in any case.
    fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Visited | Self::Now | Self::Turn | Self::Tight | Self::LookedHere => &[],
            Self::NotYet | Self::LeftOut | Self::Object(_) => &[],
            Self::Pruned => &["prune"],
            Self::Taken => &["accept"],
            Self::FoundBox => &["accept", "hit"],
            Self::Down => const { &["visit", Work::Descend.event_name()] },
            Self::Up => const { &[Work::Climb.event_name()] },
            Self::Found => &["hit", "hit pair"],
            Self::Nearest => &["test"],
            Self::Again => const { &[Work::DoubleAttack.event_name()] },
            Self::Tested => &["test", "test pair"],
            Self::Split => &["split"],
            Self::Changed => &["merge", "refit"],
        }
    }

    /// Whether something has left this mark behind so many steps.
    fn is_there(self, reel: &Reel, at: usize) -> bool {
        let kinds = self.kinds();
        let mut done = reel.tracks().iter().filter(|track| track.count(at) > 0);
        kinds.is_empty() || done.any(|track| kinds.contains(&track.kind))
    }

    /// How much there is to be seen of it beside its word: as much as of the marks on the field.
    fn opacity(self, app: &App) -> f32 {
        let stepping = app.stepping.as_ref().filter(|_| self == Self::Tested);
        let shown = stepping.and_then(|it| Some((it.shown()?, it.at())));
        shown.map_or(1.0, |(reel, at)| left_of_tested(reel.tested_by(at)))
    }

    /// Draws it around a point, paler where what it stands for has yet to happen.
    pub fn draw_faded(self, painter: &Painter, palette: &Palette, at: Pos2, opacity: f32) {
        let mut painter = painter.clone();
        painter.multiply_opacity(opacity);
        self.draw(&painter, palette, at);
    }

    fn draw(self, painter: &Painter, palette: &Palette, at: Pos2) {
        let square = Rect::from_center_size(at, vec2(10.0, 10.0));
        let sized = |size: f32, color: Color32, line: Stroke| {
            let corners = [vec2(6.0, 0.0), vec2(-5.0, 4.0), vec2(-5.0, -4.0)];
            let corners = corners.map(|corner| at + corner * size);
            Shape::convex_polygon(corners.to_vec(), color, line)
        };
        let arrow = |color: Color32, line: Stroke| sized(1.0, color, line);
        let clear = Color32::TRANSPARENT;
        let (none, inside) = (CornerRadius::ZERO, StrokeKind::Inside);
        match self {
            Self::Visited | Self::Down => {
                let line = Stroke::new(1.3, palette.accent);
                painter.rect(square, none, faded(palette.accent, 0.075), line, inside);
            }
            Self::Split => {
                let line = Stroke::new(1.5, palette.warning);
                painter.rect(square, none, faded(palette.warning, 0.12), line, inside);
            }
            Self::Changed => {
                painter.rect_stroke(square, none, Stroke::new(1.4, palette.second), inside);
            }
            Self::Now => {
                painter.rect_stroke(square, none, Stroke::new(2.2, palette.mark), inside);
            }
            Self::Turn => {
                let line = Stroke::new(1.8, palette.mark);
                dashed_rect(painter, square, line, 2.5, 2.5);
            }
            Self::LookedHere => {
                let line = Stroke::new(1.0, faded(palette.text_third, 0.8));
                dashed_rect(painter, square, line, 2.5, 2.5);
            }
            Self::Tight => dashed_rect(painter, square, Stroke::new(1.0, palette.mark), 1.5, 2.0),
            Self::Taken | Self::FoundBox => {
                let is_object = matches!(self, Self::FoundBox);
                let color = if is_object {
                    palette.mark
                } else {
                    palette.accent
                };
                let line = Stroke::new(1.5, color);
                painter.rect(square, none, faded(palette.accent, 0.5), line, inside);
            }
            Self::Pruned | Self::Up => {
                let ink = Stroke::new(1.0, palette.text_third);
                hatch(painter, square, ink, 4.0);
                painter.rect_stroke(square, none, ink, inside);
            }
            Self::Found => {
                painter.add(arrow(palette.side_hits[0], Stroke::new(1.0, palette.mark)));
            }
            Self::Nearest => {
                painter.add(arrow(clear, Stroke::new(1.8, palette.side_hits[0])));
            }
            Self::Again => {
                let ends = [at - vec2(6.0, 0.0), at + vec2(6.0, 0.0)];
                let line = Stroke::new(2.0, palette.mark);
                painter.extend(Shape::dashed_line(&ends, line, 3.0, 1.5));
            }
            Self::Tested => {
                painter.add(arrow(clear, Stroke::new(1.3, palette.tested)));
            }
            Self::LeftOut => {
                painter.add(sized(LEFT_OUT, palette.quiet(Side::Blue), Stroke::NONE));
            }
            Self::Object(state) => state_icon(painter, palette, square, state),
            Self::NotYet => {
                painter.add(arrow(palette.quiet(Side::Blue), Stroke::NONE));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Ground, Stage};

    #[test]
    fn a_mark_is_on_the_field_as_soon_as_something_has_left_it() {
        let centers = [(5.0, 5.0), (50.0, 10.0), (10.0, 50.0), (60.0, 60.0)].map(Vec2::from);
        let ground = Ground::of(Bodies::points(&centers));
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let mut index = AnyPartition::new(Kind::Quadtree, field);
        index.set_knob_text("capacity", "1").expect("a knob");
        index.rebuild(ground.bodies(), &mut ());
        let never = Cancel::default();
        let search = Operation::Nearest {
            point: Vec2::new(6.0, 6.0),
            count: 1,
        };
        let stage = Stage::new(index, ground, 1.0, &never);
        let story = stage.and_then(|stage| stage.tell(&search, 100, &never));
        let reel = Reel::new(story.expect("not cancelled"));
        for at in 0..=reel.len() {
            // What is looked at now is there all the time.
            assert!(Sample::Now.is_there(&reel, at));
            let steps = reel.story().steps[..at].iter();
            let is_found = steps.clone().any(|it| it.kind() == "hit");
            assert_eq!(Sample::Found.is_there(&reel, at), is_found, "{at}");
            let is_pruned = steps.clone().any(|it| it.kind() == "prune");
            assert_eq!(Sample::Pruned.is_there(&reel, at), is_pruned, "{at}");
        }
        assert!(!Sample::Found.is_there(&reel, 0));
        assert!(Sample::Found.is_there(&reel, reel.len()));
    }

    #[test]
    fn each_word_of_a_legend_has_a_sentence() {
        let legends = [
            LEGEND,
            LEGEND_OF_NEAREST,
            LEGEND_OF_PAIRS,
            LEGEND_OF_EDITS,
            LEGEND_OF_DECISIONS,
        ];
        for (word, _) in legends.concat() {
            assert!(!glossary::means("legend", word).is_empty(), "{word}");
        }
        for state in State::ALL {
            assert!(STATES.contains(&state));
            let place = Sample::Object(state).place();
            assert!(!glossary::means(place, state.name()).is_empty());
        }
    }
}
