//! The plot of the lanes: a line a lane, of one figure at a time.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::widgets::{place, segments_in, spaced_capitals};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, Stroke, StrokeKind, Ui, pos2};

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

    const fn word(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("time", "Upkeep and queries of a tick, in time."),
            Self::Tests => ("tests", "Distance tests of a tick."),
            Self::Visited => ("visited", "Regions entered in a tick."),
            Self::Memory => ("memory", "What the structure takes."),
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Time => "time a tick",
            Self::Tests => "tests a tick",
            Self::Visited => "regions visited a tick",
            Self::Memory => "memory",
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
    let width = (head.width() - title - 16.0).min(264.0);
    let words = Plotted::ALL.map(Plotted::word);
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
    ui.painter().rect_stroke(
        body,
        CornerRadius::same(2),
        Stroke::new(1.0, palette.line),
        StrokeKind::Inside,
    );
    ui.painter().text(
        body.center(),
        Align2::CENTER_CENTER,
        "no data yet",
        text(size::SECOND),
        palette.text_second,
    );
}
