//! The plot of the lanes: a line a lane, of one figure at a time.

use super::figures::short_label;
use super::lane;
use crate::app::glossary;
use crate::app::history::{LanePast, Series};
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::widgets::{
    Curve, Plot, Scale, elided, place, plot_body, segments_in, spaced_capitals,
};
use egui_macroquad::egui::{Align2, Pos2, Rect, Sense, Stroke, Ui, pos2};

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

/// The plot with its title, and the words that choose what is plotted. `chosen` is what the user wants; where two runs are to give
/// the same picture it is the tests first, for no clock is shown.
pub fn plot_area(
    ui: &mut Ui,
    app: &App,
    palette: &Palette,
    rect: Rect,
    chosen: &mut Option<Plotted>,
) {
    let usual = if app.fixed {
        Plotted::Tests
    } else {
        Plotted::Time
    };
    let plotted = chosen.unwrap_or(usual);
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
    let width = (head.width() - title - 16.0).min(264.0);
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
        *chosen = Some(Plotted::ALL[picked]);
    }
    let body = rect.with_min_y(head.bottom() + 2.0);
    place(ui.ctx(), "compare.plot", body);
    // Chosen while time stands, a structure has no line yet: the one there is was another's.
    let name = |(place, past): (usize, &LanePast)| {
        let name = short_label(&app.lanes, place);
        match past.has_run() {
            true => name,
            false => format!("{name}: not yet"),
        }
    };
    let lanes = app.past.lanes.iter().take(app.lanes.len());
    let names: Vec<String> = lanes.enumerate().map(name).collect();
    let rows: Vec<Curve<'_>> = app
        .past
        .lanes
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(place, (past, name))| {
            let (series, scale) = plotted.series(past);
            Curve {
                name: (name.as_str(), "").into(),
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
        scale: Scale::Linear,
        unit: plotted.unit(),
        tick: app.past.tick,
        is_past: app.place.tick < app.place.end,
        curves: &rows,
    };
    // The names stand at the lines' ends.
    let is_empty = rows.iter().all(|row| row.series.is_empty());
    let room = match is_empty {
        true => 0.0,
        false => (body.width() * 0.22).clamp(90.0, 160.0),
    };
    let lines = body.with_max_x(body.right() - room);
    let (ends, clipped) = plot_body(ui, palette, lines, &plot);
    let room = Rect::from_min_max(
        pos2(lines.right() + 6.0, body.top()),
        pos2(body.right(), lines.bottom() - 12.0),
    );
    labels(ui, palette, room, &rows, &ends);
    if !clipped.is_empty() {
        ui.painter().text(
            pos2(head.left() + title + 14.0, head.center().y),
            Align2::LEFT_CENTER,
            clipped,
            text(size::CAPTION),
            palette.warning,
        );
    }
}

/// The names of the lanes at the ends of their lines, pushed apart where they would touch, each with a thin line to its own.
fn labels(ui: &Ui, palette: &Palette, room: Rect, curves: &[Curve<'_>], ends: &[Option<Pos2>]) {
    /// From name to name.
    const PITCH: f32 = 15.0;
    let mut places: Vec<(usize, Pos2)> = ends
        .iter()
        .enumerate()
        .filter_map(|(lane, end)| end.map(|end| (lane, end)))
        .collect();
    places.sort_by(|a, b| a.1.y.total_cmp(&b.1.y));
    let mut y = f32::NEG_INFINITY;
    let mut heights: Vec<f32> = Vec::new();
    for (_, end) in &places {
        y = (y + PITCH).max(end.y.max(room.top() + 6.0));
        heights.push(y);
    }
    // What was pushed out below goes up again, and pushes those above it.
    let mut limit = room.bottom() - 4.0;
    for height in heights.iter_mut().rev() {
        *height = height.min(limit);
        limit = *height - PITCH;
    }
    for ((lane, end), y) in places.into_iter().zip(heights) {
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
        let name = elided(
            ui,
            curves[lane].name.name,
            text(size::DESCRIPTION),
            color,
            room.width() - 24.0,
        );
        let at = pos2(room.left() + 21.0, y - name.size().y / 2.0);
        ui.painter().galley(at, name, color);
    }
}
