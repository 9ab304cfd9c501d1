//! The marks of the timeline: what happened when, each kind with a shape of its own. Marks that would touch become one.

use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::with_commas;
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, TextFormat, pos2, vec2};
use skirmish::session::{Mark, MarkKind};

/// One or several marks at one place of the timeline.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Where it is, in points.
    x: f32,
    /// The tick of its first mark.
    pub tick: u64,
    /// How many switches, edits and late objects there are.
    counts: [u32; 3],
    is_heaviest: bool,
    /// The words beside it.
    label: String,
    /// A shorter form of them; empty where there is none.
    short: String,
    /// What happened, for who points at it.
    pub words: String,
}

/// Marks that are nearer to each other than this, in points, are one.
const APART: f32 = 9.0;

/// All marks that are known, from left to right.
pub fn spots(app: &App, x_of: &impl Fn(u64) -> f32) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let mut heaviest = app.place.heaviest.filter(|_| app.place.end > 1);
    let mut add = |spot: Spot| match spots.last_mut() {
        Some(last) if spot.x - last.x < APART => last.join(spot),
        _ => spots.push(spot),
    };
    for mark in app.place.marks.iter() {
        if let Some((tick, tests)) = heaviest.take_if(|(tick, _)| *tick <= mark.tick) {
            add(Spot::heaviest(tick, tests, x_of(tick)));
        }
        add(Spot::of(mark, x_of(mark.tick)));
    }
    if let Some((tick, tests)) = heaviest {
        add(Spot::heaviest(tick, tests, x_of(tick)));
    }
    for spot in &mut spots {
        spot.say();
    }
    spots
}

/// The mark at this place.
pub fn near(spots: &[Spot], x: f32) -> Option<&Spot> {
    const REACH: f32 = 6.0;
    let distance = |spot: &Spot| (spot.x - x).abs();
    spots
        .iter()
        .filter(|spot| distance(spot) <= REACH)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

impl Spot {
    fn of(mark: &Mark, x: f32) -> Self {
        let tick = with_commas(mark.tick);
        let (counts, label, short, words) = match &mark.kind {
            MarkKind::Switch { lane, from, to } => {
                let (from, to) = (from.info().name, to.info().name);
                let of = if *lane == 0 {
                    String::new()
                } else {
                    format!(" in lane {}", lane + 1)
                };
                (
                    [1, 0, 0],
                    format!("{from} → {to}"),
                    to.to_owned(),
                    format!("Tick {tick}: from {from} to {to}{of}"),
                )
            }
            MarkKind::Edit(what) => (
                [0, mark.count, 0],
                what.to_string(),
                String::new(),
                format!("Tick {tick}: {what}"),
            ),
            MarkKind::Late => (
                [0, 0, mark.count],
                String::new(),
                String::new(),
                format!("Tick {tick}: late"),
            ),
        };
        Self {
            x,
            tick: mark.tick,
            counts,
            is_heaviest: false,
            label,
            short,
            words,
        }
    }

    fn heaviest(tick: u64, tests: f32, x: f32) -> Self {
        let number = with_commas(tick);
        Self {
            x,
            tick,
            counts: [0; 3],
            is_heaviest: true,
            label: format!("heaviest tick {number}"),
            short: "heaviest".to_owned(),
            words: format!(
                "Tick {number}: the most tests, {}. W goes there.",
                with_commas(tests as u64)
            ),
        }
    }

    /// Takes in a mark that would touch this one.
    fn join(&mut self, other: Self) {
        /// More lines than this are no longer read.
        const LINES: usize = 12;
        let before: u32 = self.counts.iter().sum();
        for (own, more) in self.counts.iter_mut().zip(other.counts) {
            *own += more;
        }
        let lines = self.words.lines().count();
        if lines < LINES {
            self.words += &format!("\n{}", other.words);
        } else if lines == LINES {
            self.words += "\n…";
        }
        if other.is_heaviest {
            self.is_heaviest = true;
            (self.tick, self.label, self.short) = (other.tick, other.label, other.short);
        } else if !self.is_heaviest || before > 0 {
            self.label.clear();
            self.short.clear();
        }
    }

    /// Says in a word or two what several marks are.
    fn say(&mut self) {
        let [switches, edits, late] = self.counts;
        let counted = |count: u32, word: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{} {word}{plural}", with_commas(u64::from(count)))
        };
        let mut parts = Vec::new();
        if switches > 0 {
            let plural = if switches == 1 { "switch" } else { "switches" };
            parts.push(format!("{} {plural}", with_commas(u64::from(switches))));
        }
        if edits > 0 {
            parts.push(counted(edits, "edit"));
        }
        if late > 0 {
            parts.push(format!("{} late", with_commas(u64::from(late))));
        }
        if self.label.is_empty() && !parts.is_empty() {
            self.label = parts.join(", ");
            self.short.clone_from(&parts[0]);
        }
    }
}

/// Draws them above the curve, each with its words where there is room for these.
pub fn draw(painter: &Painter, palette: &Palette, body: Rect, spots: &[Spot], is_low: bool) {
    let y = body.top() - 9.0;
    // From right to left: what is written must end before the next mark, and the newest are those that one looks for.
    let mut limit = body.right() + 2.0;
    for spot in spots.iter().rev() {
        let next = limit;
        limit = spot.x - 6.0;
        let [switches, edits, late] = spot.counts;
        let dash = |color| {
            let line = [pos2(spot.x, y + 6.0), pos2(spot.x, body.bottom())];
            painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, color), 3.0, 3.0));
        };
        let at = pos2(spot.x, y);
        if late > 0 {
            let stroke = Stroke::new(1.6, palette.error);
            painter.line_segment([at + vec2(-3.0, -3.0), at + vec2(3.0, 3.0)], stroke);
            painter.line_segment([at + vec2(-3.0, 3.0), at + vec2(3.0, -3.0)], stroke);
        }
        if edits > 0 && switches == 0 {
            polygon(
                painter,
                at,
                &[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)],
                palette.text,
            );
        }
        if switches > 0 {
            dash(faded(palette.second, 0.8));
            polygon(
                painter,
                at,
                &[(-4.5, -3.5), (4.5, -3.5), (0.0, 4.0)],
                palette.second,
            );
        }
        if spot.is_heaviest {
            dash(faded(palette.warning, 0.8));
            polygon(
                painter,
                at,
                &[(-4.5, 4.0), (4.5, 4.0), (0.0, -3.5)],
                palette.warning,
            );
        }
        if is_low {
            continue;
        }
        let color = palette.text_second;
        for words in [&spot.label, &spot.short] {
            let galley = painter.layout_job(with_arrows(words, color));
            if !words.is_empty() && spot.x + 9.0 + galley.size().x <= next - 4.0 {
                let at = pos2(spot.x + 9.0, y - galley.size().y / 2.0);
                painter.galley(at, galley, color);
                break;
            }
        }
    }
}

/// Words in which the arrows are of the face that has them.
fn with_arrows(words: &str, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for part in words.split_inclusive('→') {
        let (before, arrow) = match part.strip_suffix('→') {
            Some(before) => (before, "→"),
            None => (part, ""),
        };
        let font = text(size::DESCRIPTION);
        job.append(before, 0.0, TextFormat::simple(font, color));
        let font = number(size::DESCRIPTION);
        job.append(arrow, 0.0, TextFormat::simple(font, color));
    }
    job
}

fn polygon(painter: &Painter, at: Pos2, corners: &[(f32, f32)], color: Color32) {
    let corners = corners.iter().map(|(x, y)| at + vec2(*x, *y)).collect();
    painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
}
