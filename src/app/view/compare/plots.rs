//! The plot of the lanes: a line a lane, of one figure at a time.

use super::figures::{common_words, short_names};
use super::lane;
use crate::app::glossary;
use crate::app::history::{LanePast, Series};
use crate::app::palette::{Palette, faded, mixed};
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::widgets::{
    Curve, Plot, Scale, elided_at_word, is_cut, place, plot_body, segments_in, spaced_capitals,
};
use crate::app::worker::Structure;
use egui_macroquad::egui::{Align2, Color32, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};
use skirmish::structure::StructureKind;

/// What is plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plotted {
    /// Upkeep and queries of a tick.
    Time,
    /// Tests of a tick.
    Tests,
    /// Regions entered in a tick.
    Visited,
    /// What the structure takes.
    Memory,
}

impl Plotted {
    /// In the order of the words.
    const ALL: [Self; 4] = [Self::Time, Self::Tests, Self::Visited, Self::Memory];

    const fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Tests => "tests",
            Self::Visited => "visited",
            Self::Memory => "memory",
        }
    }

    /// What it means, by the glossary.
    fn means(self) -> &'static str {
        glossary::means("", self.word())
    }

    const fn unit(self) -> &'static str {
        match self {
            Self::Time => "ms",
            Self::Tests => "tests",
            Self::Visited => "regions",
            Self::Memory => "kB",
        }
    }

    /// The values of a lane, and by how much they are multiplied.
    fn series(self, past: &LanePast) -> (&Series, f32) {
        match self {
            Self::Time => (&past.cost_us, 1.0e-3),
            Self::Tests => (&past.tests, 1.0),
            Self::Visited => (&past.visits, 1.0),
            Self::Memory => (&past.bytes, 1.0e-3),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Time => "time a tick, ms",
            Self::Tests => "tests a tick",
            Self::Visited => "regions visited a tick",
            Self::Memory => "memory, kB",
        }
    }
}

/// What somebody has chosen to see in the plot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen {
    /// What is plotted, once somebody has chosen.
    plotted: Option<Plotted>,
    /// Whether equal ways up are equal ratios.
    is_log: bool,
}

/// The scales of the plot, and what each means.
const SCALES: [(&str, &str); 2] = [
    (
        "linear",
        "Equal ways up are equal differences. From 60 values on, spikes far above what is usual are cut off.",
    ),
    (
        "log",
        "Equal ways up are equal ratios: beside a spike the rest is read as well.",
    ),
];

/// How wide the words of the scales are, and those of what is plotted at the most and at the least where these stand beside them, in
/// points.
const SCALES_WIDTH: f32 = 84.0;
const WORDS: (f32, f32) = (264.0, 200.0);

/// The plot with its title, and the words that choose what is plotted, and on which scale. `chosen` is what the user wants; where two runs
/// are to give the same picture it is the tests first, for no clock is shown.
pub fn plot_area(ui: &mut Ui, app: &App, palette: &Palette, rect: Rect, chosen: &mut Chosen) {
    let usual = if app.fixed {
        Plotted::Tests
    } else {
        Plotted::Time
    };
    let plotted = chosen.plotted.unwrap_or(usual);
    let head = rect.with_max_y(rect.top() + 30.0);
    let title = spaced_capitals(
        ui.painter(),
        head.left_center(),
        plotted.title(),
        palette.text_third,
    );
    let words = head.with_max_x(head.left() + title);
    let response = ui.interact(words, ui.id().with("compare.plot.title"), Sense::hover());
    response.on_hover_text(plotted.means());
    // Where the words of the scales have no room nobody could take a choice back: then the plot is linear.
    let room = head.width() - title - 16.0;
    let has_scales = room >= WORDS.1 + ASIDE + SCALES_WIDTH;
    let taken = if has_scales {
        ASIDE + SCALES_WIDTH
    } else {
        0.0
    };
    let width = (room - taken).min(WORDS.0);
    let words = Plotted::ALL.map(|plotted| (plotted.word(), plotted.means()));
    let segments = Rect::from_min_max(
        pos2(head.right() - width, head.center().y - 10.0),
        pos2(head.right(), head.center().y + 10.0),
    );
    let at = Plotted::ALL.iter().position(|one| *one == plotted);
    if let Some(picked) = segments_in(
        ui,
        palette,
        "compare.plot",
        segments,
        &words,
        at,
        palette.accent,
    ) {
        chosen.plotted = Some(Plotted::ALL[picked]);
    }
    let scales = segments.translate(vec2(-ASIDE - SCALES_WIDTH, 0.0));
    let scales = scales.with_max_x(scales.left() + SCALES_WIDTH);
    if has_scales {
        let at = Some(usize::from(chosen.is_log));
        let (id, color) = ("compare.scale", palette.accent);
        if let Some(picked) = segments_in(ui, palette, id, scales, &SCALES, at, color) {
            chosen.is_log = picked == 1;
        }
    }
    let body = rect.with_min_y(head.bottom() + 2.0);
    place(ui.ctx(), "compare.plot", body);
    let lanes: Vec<&Structure> = app.lanes.iter().map(|lane| &lane.structure).collect();
    let pasts = &app.past.lanes;
    let names_at = |index: usize| names_at(&lanes, pasts, index);
    // A line is called like the structure of its last value. Chosen while time stands, a structure has no value yet: the line is that of
    // the one before.
    let end_of = |(place, past): (usize, &LanePast)| {
        let (series, _) = plotted.series(past);
        let last = series.values().iter().rposition(|value| !value.is_nan())?;
        let then = structure_at(&lanes, past, (place, last)).map(|(then, _)| then.kind);
        Some(Name {
            kind: then.or_else(|| Some(lanes.get(place)?.kind))?,
            words: names_at(last).into_iter().nth(place)?,
            is_before: !is_present(&lanes, past, (place, last)),
        })
    };
    let names: Vec<Option<Name>> = pasts.iter().enumerate().map(end_of).collect();
    let rows: Vec<Curve<'_>> = app
        .past
        .lanes
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(place, (past, name))| {
            let (series, scale) = plotted.series(past);
            let name = name.as_ref().map_or("", |name| &*name.words);
            Curve {
                name: (name, "").into(),
                series,
                color: lane::color(palette, place),
                filled: false,
                scale,
                stretches: &past.stretches,
            }
        })
        .collect();
    let plot = Plot {
        title: (plotted.title(), "").into(),
        scale: match has_scales && chosen.is_log {
            true => Scale::of_ratios(rows.iter().flat_map(|row| {
                let values = row.series.values().iter();
                values.map(|value| value * row.scale)
            })),
            false => Scale::Linear,
        },
        unit: plotted.unit(),
        tick: app.past.tick,
        is_past: app.place.tick < app.place.end,
        curves: &rows,
        names_at: Some(&names_at),
    };
    // The names stand at the lines' ends.
    let is_empty = rows.iter().all(|row| row.series.is_empty());
    let room = match is_empty {
        true => 0.0,
        false => room_of_names(ui, &names, body.width()),
    };
    let lines = body.with_max_x(body.right() - room);
    // Between the title and the words that choose.
    let clipped_from = head.left() + title + ASIDE;
    let words_from = if has_scales {
        scales.left()
    } else {
        segments.left()
    };
    let beside = words_from - ASIDE - clipped_from;
    let (ends, clipped) = plot_body(ui, palette, (lines, beside), &plot);
    let room = Rect::from_min_max(
        pos2(lines.right() + OFF_LINES, body.top()),
        pos2(body.right(), lines.bottom() - 12.0),
    );
    labels(ui, palette, room, &names, &ends);
    if !clipped.is_empty() {
        ui.painter().text(
            pos2(clipped_from, head.center().y),
            Align2::LEFT_CENTER,
            clipped,
            text(size::CAPTION),
            palette.warning,
        );
    }
}

/// How much room the names have beside lines of this width together with them: what they need, and of a narrow plot no more than a part.
fn room_of_names(ui: &Ui, names: &[Option<Name>], whole: f32) -> f32 {
    /// The least and the most, in points, and the most of the whole.
    const LEAST: f32 = 90.0;
    const MOST: f32 = 160.0;
    const PART: f32 = 0.28;
    let wide = |name: &Name| {
        let font = text(size::DESCRIPTION);
        let words = name.said(0);
        let galley = ui.painter().layout_no_wrap(words, font, Color32::WHITE);
        galley.size().x.ceil()
    };
    let widest = names.iter().flatten().map(wide).fold(0.0, f32::max);
    let most = (whole * PART).clamp(LEAST, MOST);
    (widest + BESIDE_NAME + OFF_LINES).clamp(LEAST, most)
}

/// The thin line and the mark before a name, and what is free between the lines' ends and that, in points.
const BESIDE_NAME: f32 = 24.0;
const OFF_LINES: f32 = 6.0;

/// What stands in the head keeps so much off what is beside it, in points.
const ASIDE: f32 = 14.0;

/// What a line is called at its end.
struct Name {
    /// The structure of its last value.
    kind: StructureKind,
    words: String,
    /// Whether the lane has that structure, set so, no longer.
    is_before: bool,
}

impl Name {
    /// Its words from a place on, and that it is of before.
    fn said(&self, from: usize) -> String {
        let before = if self.is_before { ", before" } else { "" };
        format!("{}{before}", &self.words[from..])
    }
}

/// The structure that a lane had at a place among its values, and whether it is the one that it has now, set as it is now.
fn structure_at(
    lanes: &[&Structure],
    past: &LanePast,
    (place, index): (usize, usize),
) -> Option<(Structure, bool)> {
    let stretch = past.stretches.iter().rev().find(|it| it.from <= index)?;
    let is_it = |lane: &&&Structure| lane.kind == stretch.kind && lane.knobs == stretch.knobs;
    let present = lanes.get(place).filter(is_it);
    let other = || Structure {
        kind: stretch.kind,
        knobs: stretch.knobs.clone(),
        effects: Vec::new(),
        bytes: 0,
    };
    Some((
        present.map_or_else(other, |it| (*it).clone()),
        present.is_some(),
    ))
}

/// Whether a value of a lane is that of the structure which it has now.
fn is_present(lanes: &[&Structure], past: &LanePast, at: (usize, usize)) -> bool {
    structure_at(lanes, past, at).is_none_or(|(_, is_present)| is_present)
}

/// What the lanes were called at a place among their values: like the structures that they had there. A lane that was not there yet is
/// called as it is now; of it there is no value.
fn names_at(lanes: &[&Structure], pasts: &[LanePast], index: usize) -> Vec<String> {
    let then = |(place, past)| {
        let then = structure_at(lanes, past, (place, index)).map(|(it, _)| it);
        then.or_else(|| lanes.get(place).map(|it| (*it).clone()))
    };
    let then: Vec<Option<Structure>> = pasts.iter().enumerate().map(then).collect();
    let mut known = short_names(&then.iter().flatten().collect::<Vec<_>>()).into_iter();
    // A lane of which nothing is known has no name, so that the others keep theirs.
    let name = |then: &Option<Structure>| then.as_ref().and_then(|_| known.next());
    then.iter()
        .map(name)
        .map(Option::unwrap_or_default)
        .collect()
}

/// The names of the lanes at the ends of their lines, pushed apart where they would touch, each with a thin line to its own. What is of a
/// structure that the lane has no longer is dimmed, as its line is, and says so.
fn labels(ui: &Ui, palette: &Palette, room: Rect, names: &[Option<Name>], ends: &[Option<Pos2>]) {
    /// From name to name.
    const PITCH: f32 = 15.0;
    let mut places: Vec<(usize, &Name, Pos2)> = (names.iter().zip(ends).enumerate())
        .filter_map(|(lane, (name, end))| Some((lane, name.as_ref()?, (*end)?)))
        .collect();
    let lay_out = |name: &Name, from: usize, color: Color32| {
        let font = text(size::DESCRIPTION);
        elided_at_word(
            ui,
            &name.said(from),
            font,
            color,
            room.width() - BESIDE_NAME,
        )
    };
    // Where there is no room for all, that in which they differ: lanes are named in one way, so that it is seen.
    let is_short = |(_, name, _): &(usize, &Name, Pos2)| {
        is_cut(&lay_out(name, 0, palette.text), &name.said(0))
    };
    let common = match places.iter().any(is_short) {
        true => common_words(places.iter().map(|(_, name, _)| (name.kind, &*name.words))),
        false => 0,
    };
    places.sort_by(|a, b| a.2.y.total_cmp(&b.2.y));
    let mut y = f32::NEG_INFINITY;
    let mut heights: Vec<f32> = Vec::new();
    for (.., end) in &places {
        y = (y + PITCH).max(end.y.max(room.top() + 6.0));
        heights.push(y);
    }
    // What was pushed out below goes up again, and pushes those above it.
    let mut limit = room.bottom() - 4.0;
    for height in heights.iter_mut().rev() {
        *height = height.min(limit);
        limit = *height - PITCH;
    }
    for ((lane, name, end), y) in places.into_iter().zip(heights) {
        let color = lane::color(palette, lane);
        let knee = pos2(room.left() + 6.0, y);
        let thin = Stroke::new(1.0, faded(color, 0.6));
        ui.painter().line_segment([end, knee], thin);
        lane::mark(
            ui.painter(),
            palette,
            lane,
            pos2(room.left() + 13.0, y),
            3.2,
        );
        let color = match name.is_before {
            true => mixed(palette.panel, color, 0.5),
            false => color,
        };
        let mut shown = lay_out(name, common, color);
        // The mark and the line say which lane it is.
        if is_cut(&shown, &name.said(common))
            && let Some((kind, _)) = name.words.split_once(", ")
        {
            shown = lay_out(name, common.max(kind.len() + 2), color);
        }
        let at = pos2(room.left() + 21.0, y - shown.size().y / 2.0);
        let rect = Rect::from_min_size(at, shown.size());
        let whole = name.said(0);
        let is_whole = !is_cut(&shown, &whole);
        ui.painter().galley(at, shown, color);
        if !is_whole {
            let id = ui.id().with(("name of a line", lane));
            ui.interact(rect, id, Sense::hover()).on_hover_text(whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::history::Stretch;
    use skirmish::partition::Kind;

    fn structure(kind: Kind) -> Structure {
        let kind = kind.into();
        Structure {
            kind,
            knobs: kind.info().knobs.iter().map(|knob| knob.default).collect(),
            effects: Vec::new(),
            bytes: 0,
        }
    }

    /// A lane that had the first of these structures from the first value on, the next one from the second value on, and so on.
    fn past(kinds: &[Kind]) -> LanePast {
        let stretch = |(from, kind): (usize, &Kind)| {
            let Structure { kind, knobs, .. } = structure(*kind);
            Stretch { from, kind, knobs }
        };
        LanePast {
            stretches: kinds.iter().enumerate().map(stretch).collect(),
            ..LanePast::default()
        }
    }

    #[test]
    fn a_value_is_called_like_the_structure_that_the_lane_had_then() {
        let [grid, linked] = [Kind::HierarchicalGrid, Kind::LinkedGrid].map(structure);
        // The first lane has changed to a linked grid, which another one has been all the time.
        let lanes = [&linked, &linked];
        let pasts = [
            past(&[Kind::HierarchicalGrid, Kind::LinkedGrid]),
            past(&[Kind::LinkedGrid]),
        ];
        assert_eq!(
            names_at(&lanes, &pasts, 0),
            ["hierarchical grid", "linked grid"]
        );
        assert_eq!(
            names_at(&lanes, &pasts, 1),
            ["linked grid, first pane", "linked grid, second pane"]
        );
        assert!(!is_present(&lanes, &pasts[0], (0, 0)));
        assert!(is_present(&lanes, &pasts[0], (0, 1)));
        assert!(is_present(&lanes, &pasts[1], (1, 0)));
        // Alone, and nothing known of the structure that was chosen.
        let names = names_at(&[&linked], &[past(&[Kind::HierarchicalGrid])], 0);
        assert_eq!(names, ["hierarchical grid"]);
        let of_now = names_at(&[&grid], &[LanePast::default()], 0);
        assert_eq!(of_now, ["hierarchical grid"]);
        // One that was closed, and of which nothing is known, takes no name from the one behind it.
        let pasts = [LanePast::default(), past(&[Kind::LinkedGrid])];
        assert_eq!(names_at(&[], &pasts, 0), ["", "linked grid"]);
    }

    #[test]
    fn a_value_of_another_setting_is_not_called_like_the_present_one() {
        let [mut wide, narrow] = [Kind::LinkedGrid, Kind::LinkedGrid].map(structure);
        let knob = wide.info().knobs.iter().position(|it| it.unit == "m");
        let knob = knob.expect("a size of cells");
        wide.knobs[knob] = 32.0;
        let pasts = [past(&[Kind::LinkedGrid])];
        assert!(!is_present(&[&wide], &pasts[0], (0, 0)));
        assert!(is_present(&[&narrow], &pasts[0], (0, 0)));
    }
}
