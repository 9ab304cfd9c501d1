//! The chips below a volume: how long a metre is, and what the colours of the boxes mean.

use crate::app::eye::Eye;
use crate::app::glossary;
use crate::app::palette::{Palette, faded};
use crate::app::theme::{layout, number, size, text};
use crate::app::view::chips::{
    Key, MORE, edge_chip, has_scale, left_out, right_of_legend, scale_rect,
};
use crate::app::view::field::{depth_of, depth_tick};
use crate::app::widgets::{cover, place, spaced_capitals, with_commas};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2,
    vec2,
};
use skirmish::partition::Role;
use skirmish::volume::Region3;

/// The height of a chip with one line, in points.
const LINE_CHIP: f32 = 30.0;
/// Which words a legend has beside the depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// None: nothing is asked.
    Nothing,
    /// What a query made of boxes and units.
    OfQuery,
    /// The same of a query that is gone through step by step.
    OfSteps,
    /// The same of a search for the nearest that is gone through: who is near is near as far as is known.
    OfNearest,
    /// The same of a search for pairs that is gone through, in which one box after the other looks at others.
    OfPairs,
    /// What an edit or a build does that is gone through.
    OfEdit,
}

/// A mark before a word.
#[derive(Clone, Copy)]
enum Sample {
    Visited,
    Turn,
    Pruned,
    Whole,
    Nearest,
    Found,
    TooFar,
    Down,
    Up,
    Split,
    Changed,
}

impl Words {
    /// The words, and how much room each takes with its mark, in points.
    const fn all(self) -> &'static [(&'static str, f32, Sample)] {
        match self {
            Self::Nothing => &[],
            Self::OfQuery | Self::OfSteps => &[
                ("visited", 72.0, Sample::Visited),
                ("pruned", 70.0, Sample::Pruned),
                ("whole", 62.0, Sample::Whole),
                ("too far", 64.0, Sample::TooFar),
            ],
            Self::OfNearest => &[
                ("visited", 72.0, Sample::Visited),
                ("pruned", 70.0, Sample::Pruned),
                ("nearest so far", 108.0, Sample::Nearest),
                ("found", 60.0, Sample::Found),
                ("too far", 64.0, Sample::TooFar),
            ],
            Self::OfPairs => &[
                ("its turn", 72.0, Sample::Turn),
                ("visited", 72.0, Sample::Visited),
                ("pruned", 70.0, Sample::Pruned),
            ],
            Self::OfEdit => &[
                ("way down", 82.0, Sample::Down),
                ("way up", 70.0, Sample::Up),
                ("split", 56.0, Sample::Split),
                ("changed", 76.0, Sample::Changed),
            ],
        }
    }

    /// How much room the first so many of them take, in points.
    fn width_of(self, count: usize) -> f32 {
        match count {
            0 => 0.0,
            _ => {
                let first = self.all().iter().take(count);
                first.map(|(_, width, _)| width).sum::<f32>() + 8.0
            }
        }
    }

    /// Whether they are of what is gone through step by step: then they are what the field is about, and the steps of depth and load give
    /// way to them.
    fn are_told(self) -> bool {
        !matches!(self, Self::Nothing | Self::OfQuery)
    }
}

/// The chip at the lower right of a field: how long a metre is in the plane through the pivot.
pub fn scale_chip(ui: &Ui, eye: &Eye, field: Rect, palette: &Palette) {
    let rect = scale_rect(field);
    if !has_scale(field) {
        return;
    }
    edge_chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    place(ui.ctx(), "chip.scale", rect);
    let metres_per_point = eye.metres_per_point_at_pivot();
    let metres = round_length(metres_per_point * 72.0);
    let length = (metres / metres_per_point).clamp(4.0, 80.0);
    let (left, y) = (rect.left() + 10.0, rect.bottom() - 8.0);
    let stroke = Stroke::new(1.0, palette.text_second);
    let painter = ui.painter();
    painter.hline(left..=left + length, y, stroke);
    painter.vline(left, y - 3.0..=y, stroke);
    painter.vline(left + length, y - 3.0..=y, stroke);
    let middle = pos2(left + length / 2.0, rect.top() + 10.0);
    painter.text(
        middle,
        Align2::CENTER_CENTER,
        length_in_words(metres),
        number(size::CAPTION),
        palette.text_second,
    );
    painter.text(
        rect.right_center() - vec2(9.0, 0.0),
        Align2::RIGHT_CENTER,
        "at pivot",
        number(size::CAPTION),
        palette.text_third,
    );
}

/// The greatest 1, 2 or 5 times a power of ten that is not longer than `most`, in metres.
fn round_length(most: f32) -> f32 {
    let power = 10.0_f32.powf(most.max(f32::MIN_POSITIVE).log10().floor());
    let choices = [5.0, 2.0, 1.0].map(|digit| digit * power);
    let fitting = choices.into_iter().find(|length| *length <= most * 1.0001);
    fitting.unwrap_or(power)
}

/// A length with its unit.
pub fn length_in_words(metres: f32) -> String {
    if metres >= 10_000.0 {
        return format!("{} km", with_commas((metres / 1000.0).round() as u64));
    }
    if metres >= 1.0 {
        return format!("{} m", with_commas(metres.round() as u64));
    }
    let digits = (-metres.log10().floor()).clamp(1.0, 6.0) as usize;
    format!("{metres:.digits$} m")
}

/// In a lower field there is no legend, in points.
const LEAST: f32 = 200.0;

/// Where the legend lies in a field; nowhere where no structure is drawn.
pub fn legend_rect(field: Rect, regions: &[Region3], words: Words) -> Option<Rect> {
    if regions.is_empty() {
        return None;
    }
    let corner = pos2(
        field.left() + layout::CHIP,
        field.bottom() - layout::CHIP - LINE_CHIP,
    );
    let room = right_of_legend(field) - corner.x;
    let width = Parts::in_room(room, regions, words)?.width(words);
    (field.height() >= LEAST).then_some(Rect::from_min_size(corner, vec2(width, LINE_CHIP)))
}

/// What of the legend has room.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Parts {
    /// Whether it has the steps of depth or load.
    has_ramp: bool,
    /// How much room the word takes for what was split or merged lately, in points; 0 without it.
    changed: f32,
    /// How many of the words there are.
    words: usize,
    /// How many entries have no room.
    left_out: usize,
}

/// What has no room: the word for what was split or merged lately, or one of the others.
#[derive(Clone, Copy)]
enum LeftOut {
    Changed,
    Word(&'static str, Sample),
}

/// The steps of depth or load with their word, and what is free before the words where there are none, in points.
const RAMP: f32 = 62.0 + 8.0 * 17.0;
const BEFORE_WORDS: f32 = 8.0;

impl Parts {
    /// What has so much room, in points. The words give way to the scale, those for a query last; of what is gone through as many as
    /// have room stay.
    fn in_room(room: f32, regions: &[Region3], words: Words) -> Option<Self> {
        let (all, changed) = (words.all().len(), changed_width(regions, words));
        let lately = changed;
        let part = |has_ramp, changed, words| Self {
            has_ramp,
            changed,
            words,
            left_out: all - words + usize::from(changed < lately),
        };
        let mut choices = vec![part(true, changed, all), part(true, 0.0, all)];
        if words.are_told() {
            choices.extend((1..=all).rev().map(|count| part(false, 0.0, count)));
        } else {
            // What is asked stays on the field, where what was split flashes now and then.
            choices.extend((1..all).rev().map(|count| part(true, 0.0, count)));
            choices.extend([part(true, changed, 0), part(true, 0.0, 0)]);
        }
        // Without room for the number either, what matters most stands alone.
        let least = part(!words.are_told(), 0.0, usize::from(words.are_told()));
        choices.push(Self {
            left_out: 0,
            ..least
        });
        let mut choices = choices.into_iter();
        choices.find(|parts| parts.width(words) <= room)
    }

    fn width(self, words: Words) -> f32 {
        let before = if self.has_ramp { RAMP } else { BEFORE_WORDS };
        let more = if self.left_out > 0 { MORE } else { 0.0 };
        before + self.changed + words.width_of(self.words) + more
    }
}

/// How much room the word takes for what was split or merged lately: nothing flashes in a grid, and while something is gone through.
fn changed_width(regions: &[Region3], words: Words) -> f32 {
    match is_grid(regions) || words.are_told() {
        true => 0.0,
        false => Key::Changed.width(),
    }
}

/// Whether they are the cells of grids, which have a load and no depth.
fn is_grid(regions: &[Region3]) -> bool {
    regions.iter().any(|region| region.role == Role::Cell)
}

/// The legend at the lower left: what the colours of the boxes mean, and while a query or an edit is drawn what it made of them. Some leaves
/// are too small to be drawn: the deepest of all may be deeper than the `regions`.
pub fn legend_chip(
    ui: &Ui,
    palette: &Palette,
    field: Rect,
    (regions, deepest_leaf): (&[Region3], usize),
    said: Words,
) {
    let Some(rect) = legend_rect(field, regions, said) else {
        return;
    };
    let painter = ui.painter();
    edge_chip(painter, palette, rect);
    cover(ui.ctx(), rect);
    place(ui.ctx(), "chip.legend", rect);
    let room = rect.width() + 0.5;
    let Some(parts) = Parts::in_room(room, regions, said) else {
        return;
    };
    let mut left = rect.left() + BEFORE_WORDS;
    if parts.has_ramp {
        ramp(painter, palette, rect, (regions, deepest_leaf));
        left = rect.left() + RAMP;
    }
    if parts.changed > 0.0 {
        Key::Changed.draw(painter, palette, pos2(left, rect.center().y));
        left += parts.changed;
    }
    left += 6.0;
    let (shown, others) = said.all().split_at(parts.words);
    for (word, width, sample) in shown {
        let icon = pos2(left + 8.0, rect.center().y);
        sample.draw(painter, palette, icon);
        painter.text(
            icon + vec2(13.0, 0.0),
            Align2::LEFT_CENTER,
            *word,
            text(size::DESCRIPTION),
            palette.text_second,
        );
        left += width;
    }
    if parts.left_out == 0 {
        return;
    }
    let is_lately = parts.left_out > others.len();
    let lately = is_lately.then_some(LeftOut::Changed);
    let others = others
        .iter()
        .map(|(word, _, sample)| LeftOut::Word(word, *sample));
    let unsaid: Vec<LeftOut> = lately.into_iter().chain(others).collect();
    let at = pos2(rect.right() - MORE, rect.center().y);
    let draw = |painter: &Painter, mark: Rect, entry: &LeftOut| match entry {
        LeftOut::Changed => Key::Changed.draw_mark(painter, palette, mark),
        LeftOut::Word(_, sample) => sample.draw(painter, palette, mark.center()),
    };
    let said = |entry: &LeftOut| match entry {
        LeftOut::Changed => Key::Changed.said(),
        LeftOut::Word(word, sample) => format!("{word}: {}", sample.means()),
    };
    left_out(ui, palette, at, &unsaid, (draw, said));
}

impl Sample {
    /// What it means, in a sentence.
    fn means(self) -> &'static str {
        let word = match self {
            Self::Visited => "visited",
            Self::Turn => "its turn",
            Self::Pruned => "pruned",
            Self::Whole => "taken whole",
            Self::Nearest => "nearest so far",
            Self::Found => "found",
            Self::TooFar => "tested, too far",
            Self::Down => "on the way down",
            Self::Up => "on the way up",
            Self::Split => "split",
            Self::Changed => "merge, refit",
        };
        glossary::means("legend", word)
    }

    /// Draws it around `icon`.
    fn draw(self, painter: &Painter, palette: &Palette, icon: Pos2) {
        match self {
            Sample::Visited | Sample::Down => {
                hline(painter, icon, 8.0, Stroke::new(1.6, palette.accent));
            }
            Sample::Turn => dashed(painter, icon, 8.0, palette.mark),
            Sample::Pruned | Sample::Up => dotted(painter, icon, 8.0, palette.text_third),
            Sample::Whole => whole(painter, icon, palette),
            Sample::Nearest => {
                let line = Stroke::new(1.8, palette.side_hits[0]);
                painter.add(Shape::closed_line(pointing(icon), line));
            }
            Sample::Found => {
                let (fill, line) = (palette.side_hits[0], Stroke::new(1.0, palette.mark));
                painter.add(Shape::convex_polygon(pointing(icon), fill, line));
            }
            Sample::TooFar => hollow(painter, icon, palette.tested),
            Sample::Split => hline(painter, icon, 8.0, Stroke::new(1.6, palette.warning)),
            Sample::Changed => hline(painter, icon, 8.0, Stroke::new(1.6, palette.second)),
        }
    }
}

/// The steps of depth or load, with what each stands for.
fn ramp(
    painter: &Painter,
    palette: &Palette,
    rect: Rect,
    (regions, deepest_leaf): (&[Region3], usize),
) {
    let is_grid = is_grid(regions);
    let word = if is_grid { "load" } else { "depth" };
    let at = rect.left_center() + vec2(10.0, 0.0);
    spaced_capitals(painter, at, word, palette.text_third);
    let deepest = regions.iter().map(|region| region.depth).max().unwrap_or(0);
    let reached = usize::from(deepest).max(deepest_leaf);
    for (step, color) in palette.depth.iter().enumerate() {
        let left = rect.left() + 54.0 + step as f32 * 17.0;
        let swatch = Rect::from_min_size(pos2(left, rect.top() + 6.0), vec2(15.0, 7.0));
        let lit = is_grid || depth_of(step, deepest) <= reached;
        let (lit, ink) = match lit {
            true => (1.0, palette.text_third),
            false => (0.12, palette.unlit_number()),
        };
        painter.rect_filled(swatch, CornerRadius::ZERO, faded(*color, lit));
        let tick = match step {
            7 if is_grid => "8+".to_owned(),
            _ if is_grid => (step + 1).to_string(),
            _ => depth_tick(step, deepest),
        };
        painter.text(
            pos2(swatch.center().x, rect.top() + 21.0),
            Align2::CENTER_CENTER,
            tick,
            number(9.0),
            ink,
        );
    }
}

fn hline(painter: &Painter, at: Pos2, half: f32, stroke: Stroke) {
    painter.hline(at.x - half..=at.x + half, at.y, stroke);
}

fn dotted(painter: &Painter, at: Pos2, half: f32, color: Color32) {
    let ends = [at - vec2(half, 0.0), at + vec2(half, 0.0)];
    painter.extend(Shape::dashed_line(&ends, Stroke::new(1.5, color), 1.5, 3.0));
}

fn dashed(painter: &Painter, at: Pos2, half: f32, color: Color32) {
    let ends = [at - vec2(half, 0.0), at + vec2(half, 0.0)];
    painter.extend(Shape::dashed_line(&ends, Stroke::new(1.8, color), 4.0, 2.0));
}

/// A triangle that points to the right, as large as a unit in a legend.
pub fn pointing(at: Pos2) -> Vec<Pos2> {
    [vec2(5.0, 0.0), vec2(-4.0, 3.5), vec2(-4.0, -3.5)]
        .map(|off| at + off)
        .to_vec()
}

/// The mark of a unit that was tested in vain.
pub fn hollow(painter: &Painter, at: Pos2, color: Color32) {
    painter.add(Shape::closed_line(pointing(at), Stroke::new(1.2, color)));
}

/// The mark of a box that was taken whole.
pub fn whole(painter: &Painter, at: Pos2, palette: &Palette) {
    painter.rect(
        Rect::from_center_size(at, Vec2::splat(10.0)),
        CornerRadius::ZERO,
        faded(palette.accent, 0.45),
        Stroke::new(1.3, palette.accent),
        StrokeKind::Inside,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::volume::{Aabb3, Vec3};

    #[test]
    fn of_what_is_gone_through_the_words_stay_where_the_steps_of_load_have_no_room() {
        let cell = Region3 {
            id: 0,
            bounds: Aabb3::new(Vec3::ZERO, Vec3::ONE),
            depth: 0,
            load: 1,
            capacity: 0,
            role: Role::Cell,
            parent: None,
        };
        let in_room = |room: f32, words: Words| {
            let parts = Parts::in_room(room, &[cell], words)?;
            assert!(parts.width(words) <= room);
            // Drawn in the room that it takes it is the same.
            assert_eq!(
                Parts::in_room(parts.width(words) + 0.5, &[cell], words),
                Some(parts)
            );
            Some((parts.has_ramp, parts.words))
        };
        for words in [
            Words::OfSteps,
            Words::OfNearest,
            Words::OfPairs,
            Words::OfEdit,
        ] {
            let all = words.all().len();
            assert_eq!(in_room(700.0, words), Some((true, all)));
            let own = words.width_of(all) + BEFORE_WORDS;
            assert_eq!(in_room(own, words), Some((false, all)));
            assert_eq!(in_room(own - 1.0, words), Some((false, all - 1)));
        }
        assert_eq!(in_room(238.0, Words::OfPairs), Some((false, 3)));
        assert_eq!(in_room(238.0, Words::OfQuery), Some((true, 0)));
        assert_eq!(in_room(20.0, Words::OfPairs), None);
        // What has no room is behind a number, which has some.
        let left_out = |room: f32, words: Words| {
            Parts::in_room(room, &[cell], words).map(|parts| parts.left_out)
        };
        assert_eq!(left_out(700.0, Words::OfQuery), Some(0));
        assert_eq!(left_out(238.0, Words::OfQuery), Some(4));
        assert_eq!(left_out(RAMP + MORE - 1.0, Words::OfQuery), Some(0));
        let leaf = Region3 {
            role: Role::Leaf,
            ..cell
        };
        let query = RAMP + Words::OfQuery.width_of(4);
        let of_tree = |room: f32| Parts::in_room(room, &[leaf], Words::OfQuery);
        let parts = of_tree(query + MORE).expect("room for the words");
        assert_eq!((parts.words, parts.changed, parts.left_out), (4, 0.0, 1));
        let parts = of_tree(RAMP + Key::Changed.width() + MORE).expect("room for one word");
        assert_eq!((parts.words, parts.changed, parts.left_out), (1, 0.0, 4));
        let parts = of_tree(query + Key::Changed.width()).expect("room for all");
        assert_eq!((parts.words, parts.left_out), (4, 0));
    }

    #[test]
    fn lengths_of_the_scale_are_round() {
        assert_eq!(round_length(72.0), 50.0);
        assert_eq!(round_length(0.3), 0.2);
        assert_eq!(length_in_words(50.0), "50 m");
        assert_eq!(length_in_words(2000.0), "2,000 m");
        assert_eq!(length_in_words(20_000.0), "20 km");
        assert_eq!(length_in_words(0.05), "0.05 m");
    }
}
