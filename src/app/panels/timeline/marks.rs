//! The marks of the timeline: what happened when, each kind with a shape of its own. Marks that would touch become one.

use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use crate::app::widgets::with_commas;
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Color32, Painter, Pos2, Rect, Shape, Stroke, TextFormat, Vec2, pos2, vec2,
};
use skirmish::session::{Mark, MarkKind};

/// One or several marks at one place of the timeline. What they say is asked for where it is shown: there may be thousands of
/// marks, and a hundred places.
#[derive(Clone, Debug)]
pub struct Spot<'m> {
    /// Where it is, in points, where the cross of those who were late is, and where the diamond of edits is.
    x: f32,
    late_x: f32,
    edit_x: f32,
    /// Its marks, in order; none where the heaviest tick stands alone.
    marks: &'m [Mark],
    /// The heaviest tick and its tests, where it lies here, and where it is itself, in points.
    heaviest: Option<(u64, f32)>,
    heaviest_x: f32,
}

/// Marks that are nearer to each other than this, in points, are one.
const APART: f32 = 9.0;

/// The row in which all marks stand above the curve in `body`: where that lies low, a little further from the edge of the panel.
pub fn row(body: Rect, is_low: bool) -> f32 {
    body.top() - if is_low { 6.0 } else { 9.0 }
}

/// All places at which there are marks, from left to right.
pub fn spots<'m>(
    marks: &'m [Mark],
    heaviest: Option<(u64, f32)>,
    x_of: &impl Fn(u64) -> f32,
) -> Vec<Spot<'m>> {
    let mut spots: Vec<Spot<'m>> = Vec::new();
    let mut from = 0;
    while from < marks.len() {
        let x = x_of(marks[from].tick);
        let rest = &marks[from..];
        let within = |wide: f32| {
            let count = rest.partition_point(|mark| x_of(mark.tick) - x < wide);
            &rest[..count.max(1)]
        };
        let mut spot = Spot {
            x,
            late_x: x,
            edit_x: x,
            marks: within(APART),
            heaviest: None,
            heaviest_x: x,
        };
        if spot.has_two() {
            // Both stand in one row, side by side.
            spot.marks = within(2.0 * APART);
        }
        from += spot.marks.len();
        spots.push(spot);
    }
    // Where somebody was late one looks for that, as far as it does not touch what comes next.
    let mut next = f32::INFINITY;
    for spot in spots.iter_mut().rev() {
        let first = spot.x;
        let [switches, _, _, stops] = spot.counts();
        let edits_first = spot.marks.first().is_some_and(Spot::is_edit);
        // The line of a switch stands at its tick.
        let has_two = spot.has_two();
        let is_behind = has_two && switches + stops == 0 && edits_first;
        let least = if is_behind { first + APART } else { first };
        if let Some(late) = spot.late_tick() {
            spot.late_x = x_of(late).min(next - APART).max(least);
        }
        if has_two && !is_behind {
            // Before the diamond there is the cross, or what it lies on.
            spot.late_x = first;
            spot.edit_x = first + APART;
        }
        next = first;
    }
    if let Some(heaviest) = heaviest {
        let x = x_of(heaviest.0);
        let gap = |spot: &Spot<'_>| (spot.x - x).max(x - spot.right()).max(0.0);
        let nearest = spots.iter_mut().min_by(|a, b| gap(a).total_cmp(&gap(b)));
        match nearest.filter(|spot| gap(spot) < APART) {
            Some(spot) => (spot.heaviest, spot.heaviest_x) = (Some(heaviest), x),
            None => {
                let alone = Spot {
                    x,
                    late_x: x,
                    edit_x: x,
                    marks: &[],
                    heaviest: Some(heaviest),
                    heaviest_x: x,
                };
                let place = spots.partition_point(|spot| spot.x <= x);
                spots.insert(place, alone);
            }
        }
    }
    spots
}

/// The words of a mark, or of several: behind the last of them, so that one sees whose they are, or before the first.
#[derive(Clone, Debug)]
pub struct Label<'m> {
    /// What it speaks of: the last of the places that it does.
    pub of: Spot<'m>,
    /// The first and the last of those, by their numbers.
    places: [usize; 2],
    /// Whether it stands before them, and whether it is shorter than what there is to say.
    is_before: bool,
    is_short: bool,
    /// Where it is.
    rect: Rect,
    words: String,
}

/// Between the middle of a mark and the words beside it, in points.
const BESIDE: f32 = 9.0;

/// Between the words before a mark and whatever they might be taken to belong to instead, in points.
const CLEAR: f32 = 24.0;

/// Crosses that are no further apart, in points, are seen as one row; so are a mark and another one whose words stand before both.
const ROW: f32 = 24.0;

/// Neighbours of one kind no further apart than this, in points, are counted together where one of them has no room for its own words.
const NEIGHBOURS: f32 = 72.0;

/// The words that there is room for before the next mark, or else after the one before, from left to right; who points at a mark learns the
/// others. `size_of` says how large words are.
pub fn labels<'m>(
    spots: &[Spot<'m>],
    body: Rect,
    size_of: &impl Fn(&str) -> Vec2,
) -> Vec<Label<'m>> {
    let row = Row {
        spots,
        body,
        size_of,
    };
    let mut labels: Vec<Label<'m>> = Vec::new();
    // The first of the neighbours of one kind that wait for words together.
    let mut from = 0;
    for (place, spot) in spots.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| &spots[before]);
        if from < place && !before.is_some_and(|it| it.joins(spot, NEIGHBOURS)) {
            from = place;
        }
        // Of a row of crosses the words stand behind the last one: elsewhere they would be taken for those of all of them.
        let next = spots.get(place + 1);
        if next.is_some_and(|next| spot.joins(next, ROW)) {
            continue;
        }
        // Words in short of one of them give way to what says how many there are.
        let whose = labels.partition_point(|label| label.places[0] < from);
        let together = (from < place).then(|| row.together([from, place], &labels[..whose]));
        let label = match together.flatten() {
            Some(label) => {
                labels.truncate(whose);
                Some(label)
            }
            None => row.stand([place; 2], spot.label(), &labels),
        };
        match label {
            Some(label) => {
                from = if label.is_short { from } else { place + 1 };
                labels.push(label);
            }
            None => row.add_to_last(place, &mut labels),
        }
    }
    labels
}

/// The marks of a timeline, beside which words stand.
struct Row<'s, 'm, S> {
    spots: &'s [Spot<'m>],
    body: Rect,
    size_of: &'s S,
}

impl<'m, S: Fn(&str) -> Vec2> Row<'_, 'm, S> {
    /// The words of neighbours of one kind, which say how many there are of it.
    fn together(&self, places: [usize; 2], before: &[Label<'m>]) -> Option<Label<'m>> {
        let [first, last] = places;
        let counts = self.spots[first..=last].iter().map(Spot::counts);
        let [edits, late] = counts.fold([0, 0], |[edits, late], it| [edits + it[1], late + it[2]]);
        let count = |count: u32| with_commas(u64::from(count));
        let forms = match late {
            0 => vec![format!("{} edits", count(edits))],
            late => vec![
                format!("{} late about here", count(late)),
                format!("{} late", count(late)),
            ],
        };
        let label = self.stand(places, forms, before)?;
        Some(Label {
            is_short: false,
            ..label
        })
    }

    /// The longest of these forms that has room behind the last of these places or before the first, after the words that stand already.
    fn stand(
        &self,
        places: [usize; 2],
        forms: Vec<String>,
        before: &[Label<'m>],
    ) -> Option<Label<'m>> {
        let forms = forms.into_iter().enumerate();
        let mut forms = forms.filter(|(_, words)| !words.is_empty());
        forms.find_map(|(form, words)| {
            let size = (self.size_of)(&words);
            let behind = self.behind(places[1], size.x).map(|left| (left, false));
            let (left, is_before) = behind.or_else(|| {
                let left = self.before(places[0], size.x, before)?;
                Some((left, true))
            })?;
            let middle = pos2(left + size.x / 2.0, self.body.top() - 9.0);
            Some(Label {
                of: self.spots[places[1]].clone(),
                places,
                is_before,
                is_short: form > 0,
                rect: Rect::from_center_size(middle, size),
                words,
            })
        })
    }

    /// Where words that are so wide begin behind a place, if they end before the next one.
    fn behind(&self, place: usize, wide: f32) -> Option<f32> {
        let limit = match self.spots.get(place + 1) {
            Some(next) => next.x - 8.0,
            None => self.body.right() - 2.0,
        };
        let left = self.spots[place].right() + BESIDE;
        (left + wide <= limit).then_some(left)
    }

    /// Where words that are so wide begin before a place, if they are nearer to it than to what is before them.
    fn before(&self, place: usize, wide: f32, labels: &[Label<'m>]) -> Option<f32> {
        let mark = place.checked_sub(1).map(|it| self.spots[it].right());
        let words = labels.last().map(|it| it.rect.right());
        let others = mark.into_iter().chain(words).map(|it| it + CLEAR);
        let least = others.fold(self.body.left(), f32::max);
        let left = self.spots[place].x - BESIDE - wide;
        (left >= least).then_some(left)
    }

    /// What has no room for its words, right behind a mark whose words stand before that, has its own at the end of these.
    fn add_to_last(&self, place: usize, labels: &mut Vec<Label<'m>>) {
        let Some(last) = labels.last().filter(|it| it.is_before) else {
            return;
        };
        let [first, end] = last.places;
        let is_next = end + 1 == place;
        if !is_next || self.spots[place].x - self.spots[end].x > ROW {
            return;
        }
        let (words, others) = (last.words.clone(), &labels[..labels.len() - 1]);
        let mut forms = self.spots[place].label().into_iter();
        let both = forms.find_map(|own| {
            let words = format!("{words}; {own}");
            let size = (self.size_of)(&words);
            let left = self.before(first, size.x, others)?;
            (!own.is_empty()).then_some((left, size, words))
        });
        if let (Some((left, size, words)), Some(last)) = (both, labels.last_mut()) {
            let middle = pos2(left + size.x / 2.0, self.body.top() - 9.0);
            last.places[1] = place;
            last.rect = Rect::from_center_size(middle, size);
            last.words = words;
        }
    }
}

/// How large words beside a mark are.
pub fn size_of(painter: &Painter, words: &str) -> Vec2 {
    painter
        .layout_job(with_arrows(words, Color32::WHITE))
        .size()
}

/// Those of which the words at this place speak, or the marks there: no words lie over marks.
pub fn at<'s, 'm>(
    spots: &'s [Spot<'m>],
    labels: &'s [Label<'m>],
    pointer: Pos2,
) -> Option<&'s Spot<'m>> {
    let label = labels.iter().find(|label| label.rect.contains(pointer));
    label.map(|label| &label.of).or(near(spots, pointer.x))
}

/// The marks at this place.
fn near<'s, 'm>(spots: &'s [Spot<'m>], x: f32) -> Option<&'s Spot<'m>> {
    const REACH: f32 = 6.0;
    let distance = |spot: &Spot<'_>| {
        let heaviest = spot
            .heaviest
            .map_or(f32::INFINITY, |_| (spot.heaviest_x - x).abs());
        let ways = [spot.x, spot.late_x, spot.edit_x].map(|at| (at - x).abs());
        ways.into_iter().fold(heaviest, f32::min)
    };
    spots
        .iter()
        .filter(|spot| distance(spot) <= REACH)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

impl Spot<'_> {
    /// Where a press on it leads: to the first tick in which somebody was late, to that of its first mark, or where it has none to the
    /// heaviest.
    pub fn tick(&self) -> u64 {
        match (self.late_tick(), self.marks.first(), self.heaviest) {
            (Some(tick), ..) => tick,
            (None, Some(first), _) => first.tick,
            (None, None, heaviest) => heaviest.map_or(0, |(tick, _)| tick),
        }
    }

    /// The first tick in which somebody was late.
    pub fn late_tick(&self) -> Option<u64> {
        self.first_tick(|kind| matches!(kind, MarkKind::Late))
    }

    /// The first tick with a mark of this kind.
    fn first_tick(&self, is_it: impl Fn(&MarkKind) -> bool) -> Option<u64> {
        let first = self.marks.iter().find(|mark| is_it(&mark.kind));
        first.map(|mark| mark.tick)
    }

    /// Whether all of it lies after this tick.
    pub fn is_to_come(&self, now: u64) -> bool {
        let first = self.marks.first().map(|mark| mark.tick);
        let heaviest = self.heaviest.map(|(tick, _)| tick);
        first.into_iter().chain(heaviest).all(|tick| tick > now)
    }

    /// Where its last mark is of those that stand in a row with words, in points.
    fn right(&self) -> f32 {
        // The cross of who was late, and the diamond of edits, may stand behind the first mark of its place.
        self.x.max(self.late_x).max(self.edit_x)
    }

    /// Whether the next place is of the same kind, one that is counted, and no further off than so many points.
    fn joins(&self, next: &Self, apart: f32) -> bool {
        let counts = [self, next].map(Self::counts);
        let are_late = counts.iter().all(|[_, _, late, _]| *late > 0);
        let is_edits = |spot: &Self| {
            let [switches, edits, late, stops] = spot.counts();
            edits > 0 && switches + late + stops == 0 && spot.heaviest.is_none()
        };
        let is_one_kind = are_late || is_edits(self) && is_edits(next);
        is_one_kind && next.late_x - self.late_x <= apart
    }

    fn is_edit(mark: &Mark) -> bool {
        matches!(mark.kind, MarkKind::Edit(_))
    }

    /// Whether there are edits and something else: those have a diamond beside the mark of that.
    fn has_two(&self) -> bool {
        let edits = self.marks.iter().filter(|mark| Self::is_edit(mark)).count();
        edits > 0 && edits < self.marks.len()
    }

    /// How many switches, edits, late objects and stops there are.
    fn counts(&self) -> [u32; 4] {
        let mut counts = [0; 4];
        for mark in self.marks {
            match mark.kind {
                MarkKind::Switch { .. } => counts[0] += 1,
                MarkKind::Edit(_) => counts[1] += mark.count,
                MarkKind::Late => counts[2] += mark.count,
                MarkKind::Stop(_) => counts[3] += mark.count,
            }
        }
        counts
    }

    /// The words beside it, and shorter forms of them, which may be empty.
    fn label(&self) -> Vec<String> {
        let Some((tick, _)) = self.heaviest else {
            return self.label_of_marks().into();
        };
        if self.marks.is_empty() {
            let words = format!("heaviest tick {}", with_commas(tick));
            return vec![words, "heaviest".to_owned()];
        }
        // Its triangle stands at the foot, below theirs.
        let [whole, short] = self.label_of_marks();
        // What is counted of its marks is no word for the heaviest tick: the two are parted, and it is called what it is.
        let both = ["heaviest tick", "heaviest"].map(|it| format!("{whole}; {it}"));
        both.into_iter().chain([whole, short]).collect()
    }

    /// The words of its marks, and a shorter form of them, which may be empty.
    fn label_of_marks(&self) -> [String; 2] {
        if let [mark] = self.marks {
            match &mark.kind {
                MarkKind::Switch { from, to, .. } => {
                    let (from, to) = (from.info().name, to.info().name);
                    return [format!("{from} → {to}"), to.to_owned()];
                }
                MarkKind::Edit(what) if mark.count == 1 => {
                    return [what.to_string(), "edit".to_owned()];
                }
                MarkKind::Stop(_) => return ["stopped".to_owned(), String::new()],
                MarkKind::Edit(_) | MarkKind::Late => {}
            }
        }
        let parts = self.parts();
        let short = parts.first().cloned().unwrap_or_default();
        [parts.join(", "), short]
    }

    /// How many there are of each kind, in words.
    fn parts(&self) -> Vec<String> {
        let words = [
            ["switch", "switches"],
            ["edit", "edits"],
            ["late", "late"],
            ["stop", "stops"],
        ];
        // Who is late is what one looks for.
        let mut counted: Vec<_> = self.counts().into_iter().zip(words).collect();
        counted.swap(0, 2);
        let counted = counted.into_iter();
        counted
            .filter(|(count, _)| *count > 0)
            .map(|(count, [one, many])| {
                let word = if count == 1 { one } else { many };
                format!("{} {word}", with_commas(u64::from(count)))
            })
            .collect()
    }

    /// What happened, for who points at it.
    pub fn words(&self) -> String {
        /// More lines than this are no longer read.
        const LINES: usize = 12;
        let mut lines: Vec<String> = Vec::new();
        if let Some((tick, tests)) = self.heaviest {
            let (tick, tests) = (with_commas(tick), with_commas(tests as u64));
            lines.push(format!(
                "Tick {tick}, the heaviest: {tests} tests. W goes there."
            ));
        }
        if let [first, .., last] = self.marks {
            let ticks = [first, last].map(|mark| with_commas(mark.tick));
            let all = self.parts().join(", ");
            lines.push(format!("{all}, ticks {} to {}:", ticks[0], ticks[1]));
        }
        lines.extend(self.marks.iter().take(LINES).map(in_words));
        if self.marks.len() > LINES {
            let more = with_commas((self.marks.len() - LINES) as u64);
            lines.push(format!("… and {more} more"));
        }
        lines.join("\n")
    }
}

/// A mark in a line.
fn in_words(mark: &Mark) -> String {
    let tick = with_commas(mark.tick);
    let count = with_commas(u64::from(mark.count));
    match &mark.kind {
        MarkKind::Switch { lane, from, to } => {
            let (from, to) = (from.info().name, to.info().name);
            let of = match lane {
                0 => String::new(),
                lane => format!(" in lane {}", lane + 1),
            };
            format!("Tick {tick}: from {from} to {to}{of}")
        }
        MarkKind::Edit(what) if mark.count == 1 => format!("Tick {tick}: {what}"),
        MarkKind::Edit(what) => format!("From tick {tick} on: {count} edits, the first {what}"),
        MarkKind::Late => {
            let objects = if mark.count == 1 { "object" } else { "objects" };
            format!("Tick {tick}: {count} {objects} late. A click says who.")
        }
        MarkKind::Stop(words) => words.to_string(),
    }
}

/// Draws them in their row above the curve, whose floor is at `foot`, and the words beside them; what lies after the tick of now is paler.
pub fn draw(
    painter: &Painter,
    palette: &Palette,
    ((y, foot), now): ((f32, f32), u64),
    spots: &[Spot<'_>],
    labels: &[Label<'_>],
) {
    for spot in spots {
        let [switches, edits, late, stops] = spot.counts();
        let dash = |x: f32, color| {
            let line = [pos2(x, y + 6.0), pos2(x, foot)];
            painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, color), 3.0, 3.0));
        };
        let at = pos2(spot.x, y);
        let ink = |color, tick: Option<u64>| match tick.is_some_and(|tick| tick > now) {
            true => palette.to_come(color),
            false => color,
        };
        // Two at one place would be a shape that means nothing: then the heaviest has the foot of its line.
        let is_shared = spot.heaviest.is_some() && !spot.marks.is_empty();
        let heaviest_at = pos2(spot.heaviest_x, if is_shared { foot - 5.0 } else { y });
        if late > 0 {
            let stroke = Stroke::new(1.6, ink(palette.error, spot.late_tick()));
            // On whatever else is there it is a shape of its own with that.
            let is_alone = switches + stops == 0;
            let at = pos2(if is_alone { spot.late_x } else { spot.x }, y);
            painter.line_segment([at + vec2(-3.0, -3.0), at + vec2(3.0, 3.0)], stroke);
            painter.line_segment([at + vec2(-3.0, 3.0), at + vec2(3.0, -3.0)], stroke);
        }
        if stops > 0 {
            let first = spot.first_tick(|kind| matches!(kind, MarkKind::Stop(_)));
            painter.circle_filled(at, 3.6, ink(palette.error, first));
        }
        if edits > 0 {
            let first = spot.first_tick(|kind| matches!(kind, MarkKind::Edit(_)));
            polygon(
                painter,
                pos2(spot.edit_x, y),
                &[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)],
                ink(palette.text, first),
            );
        }
        if switches > 0 {
            let first = spot.first_tick(|kind| matches!(kind, MarkKind::Switch { .. }));
            let color = ink(palette.second, first);
            dash(spot.x, color);
            polygon(painter, at, &[(-4.5, -3.5), (4.5, -3.5), (0.0, 4.0)], color);
        }
        if let Some((tick, _)) = spot.heaviest {
            let color = ink(palette.warning, Some(tick));
            dash(spot.heaviest_x, color);
            polygon(
                painter,
                heaviest_at,
                &[(-4.5, 4.0), (4.5, 4.0), (0.0, -3.5)],
                color,
            );
        }
    }
    for label in labels {
        let color = match label.of.is_to_come(now) {
            true => palette.text_third,
            false => palette.text_second,
        };
        let galley = painter.layout_job(with_arrows(&label.words, color));
        painter.galley(label.rect.min, galley, color);
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

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{Context, RawInput};
    use skirmish::probe::Cancel;
    use skirmish::scene::file;
    use skirmish::session::{Action, Session};
    use std::path::Path;

    #[test]
    fn marks_that_touch_are_one_and_none_is_lost() {
        let mut scene = file::built_in();
        scene.scale_units(20);
        let (mut session, _) = Session::new(scene, Path::new(""));
        let cancel = Cancel::default();
        for tick in 0..90 {
            if tick % 3 == 0 {
                let keys = ["bvh", "kd-tree"];
                let key = keys[usize::from(tick % 2 == 0)];
                session
                    .apply(Action::Structure(key.to_owned()), false, &cancel)
                    .expect("a structure");
            }
            session.tick(&cancel, &mut ()).expect("a tick");
        }
        let marks = session.timeline().marks().list();
        for width in [1.0, 90.0, 900.0] {
            let x_of = |tick: u64| width * tick as f32 / 90.0;
            for heaviest in [None, Some((0, 1.0)), Some((44, 1.0)), Some((90, 1.0))] {
                let spots = spots(marks, heaviest, &x_of);
                let sum: usize = spots.iter().map(|spot| spot.marks.len()).sum();
                assert_eq!(sum, marks.len());
                let found = spots.iter().filter(|spot| spot.heaviest.is_some());
                assert_eq!(found.count(), usize::from(heaviest.is_some()));
                assert!(spots.is_sorted_by(|a, b| a.x <= b.x));
                assert!(spots.iter().all(|spot| !spot.words().is_empty()));
            }
        }
        // Right before a mark as well, the heaviest tick is that mark's, and not one that lies under it.
        let before = (marks[0].tick.max(1) - 1, 1.0);
        let near = spots(marks, Some(before), &|tick| 100.0 + 4.0 * tick as f32);
        assert!(near[0].heaviest.is_some() && !near[0].marks.is_empty());
        // Which of the words are of whom is seen.
        let label = near[0].label();
        assert!(label[0].ends_with("; heaviest tick"), "{label:?}");
        assert!(label[1].ends_with("; heaviest"), "{label:?}");
        let all = spots(marks, None, &|_| 0.0);
        assert_eq!(all[0].label()[0], format!("{} switches", marks.len()));
        assert!(all[0].words().contains("more"));
    }

    /// The open world, in which a character rode off so quickly that much was late.
    fn ridden() -> Session {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let cancel = Cancel::default();
        for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        for _ in 0..300 {
            session.tick(&cancel, &mut ()).expect("a tick");
        }
        session
    }

    #[test]
    fn edits_are_seen_beside_whoever_was_late_at_the_same_place() {
        let session = ridden();
        let marks = session.timeline().marks().list();
        let spots = spots(marks, None, &|_| 50.0);
        let [_, edits, late, _] = spots[0].counts();
        assert!(spots.len() == 1 && edits > 0 && late > 0);
        let context = Context::default();
        let output = context.run(RawInput::default(), |context| {
            let painter = context.debug_painter();
            draw(
                &painter,
                &Palette::DARK,
                ((11.0, 60.0), u64::MAX),
                &spots,
                &[],
            );
        });
        let (mut crosses, mut diamonds) = (Rect::NOTHING, Rect::NOTHING);
        for clipped in &output.shapes {
            match &clipped.shape {
                Shape::LineSegment { points, .. } => {
                    points.iter().for_each(|at| crosses.extend_with(*at));
                }
                Shape::Path(it) if it.fill == Palette::DARK.text => {
                    it.points.iter().for_each(|at| diamonds.extend_with(*at));
                }
                _ => {}
            }
        }
        assert!(crosses.is_positive() && diamonds.is_positive());
        assert!(!crosses.intersects(diamonds), "{crosses:?} {diamonds:?}");
        assert_eq!(crosses.center().y, diamonds.center().y, "one row");
        // The one that stands second answers the pointer as well.
        let second = pos2(spots[0].right(), 11.0);
        assert!(second.x > 50.0 && at(&spots, &[], second).is_some());
    }

    #[test]
    fn who_was_late_after_now_is_paler_and_who_was_before_it_is_not() {
        let session = ridden();
        let marks = session.timeline().marks().list();
        let is_late = |mark: &&Mark| mark.kind == MarkKind::Late;
        let late: Vec<u64> = marks.iter().filter(is_late).map(|it| it.tick).collect();
        let spots = spots(marks, None, &|tick| 30.0 * tick as f32);
        let crosses = |now: u64| {
            let context = Context::default();
            let output = context.run(RawInput::default(), |context| {
                let painter = context.debug_painter();
                draw(&painter, &Palette::DARK, ((11.0, 60.0), now), &spots, &[]);
            });
            let strokes = output.shapes.into_iter();
            let colors: Vec<Color32> = strokes
                .filter_map(|clipped| match clipped.shape {
                    Shape::LineSegment { stroke, .. } => Some(stroke.color),
                    _ => None,
                })
                .collect();
            let of = |color| colors.iter().filter(|it| **it == color).count() / 2;
            let error = Palette::DARK.error;
            (of(error), of(Palette::DARK.to_come(error)))
        };
        assert!(late.len() > 2, "{late:?}");
        assert_eq!(crosses(u64::MAX), (late.len(), 0));
        assert_eq!(crosses(0), (0, late.len()));
        assert_eq!(crosses(late[1]), (2, late.len() - 2));
        assert!(!spots.iter().any(|spot| spot.is_to_come(spot.tick())));
    }

    #[test]
    fn the_words_of_marks_stand_behind_them_and_before_the_next_and_answer_the_pointer() {
        let session = ridden();
        let world = session.world().expect("a world");
        let late = world.streaming().statistics().late_loads;
        let marks = session.timeline().marks().list();
        assert!(
            marks.len() > 4 && late > 4,
            "{} marks, {late} late",
            marks.len()
        );
        let size_of = |words: &str| vec2(7.0 * words.len() as f32, 14.0);
        for (width, heaviest) in [(60.0, Some((0, 1.0))), (300.0, None), (3000.0, None)] {
            let body = Rect::from_min_max(pos2(0.0, 20.0), pos2(width + 400.0, 60.0));
            let x_of = |tick: u64| width * tick as f32 / 300.0;
            let spots = spots(marks, heaviest, &x_of);
            // The marks leave nobody out who was late.
            let sum: u32 = spots.iter().map(|spot| spot.counts()[2]).sum();
            assert_eq!(u64::from(sum), late);
            let labels = labels(&spots, body, &size_of);
            assert!(!labels.is_empty(), "there is room behind the last");
            for label in &labels {
                // Whatever words count is right before them or right behind them, and they lie over no mark.
                let [first, last] = label.places.map(|place| &spots[place]);
                let gap = match label.is_before {
                    true => first.x - label.rect.right(),
                    false => label.rect.left() - last.right(),
                };
                assert!((gap - BESIDE).abs() < 0.1, "{label:?}");
                let is_off = |x: f32| x < label.rect.left() - 3.0 || x > label.rect.right() + 3.0;
                assert!(spots.iter().all(|it| is_off(it.x)), "{label:?}");
                if let Some((count, _)) = label.words.split_once(" late") {
                    let of_them = &spots[label.places[0]..=label.places[1]];
                    let of_them: u32 = of_them.iter().map(|it| it.counts()[2]).sum();
                    assert_eq!(count, with_commas(of_them.into()), "{label:?}");
                }
                let found = at(&spots, &labels, label.rect.center()).expect("an answer");
                assert_eq!(found.words(), label.of.words());
                assert_eq!(found.tick(), label.of.tick());
            }
            let mut rects = labels.windows(2);
            assert!(rects.all(|pair| pair[0].rect.right() < pair[1].rect.left()));
        }
        // Behind a row of crosses stands how many they are together, and not how many the last one of them is.
        let is_late = |mark: &&Mark| mark.kind == MarkKind::Late;
        let crosses: Vec<Mark> = marks.iter().filter(is_late).cloned().collect();
        let beside = |apart: f32| {
            let place = |tick: u64| crosses.partition_point(|mark| mark.tick < tick);
            let row = spots(&crosses, None, &|tick| apart * place(tick) as f32);
            let body = Rect::from_min_max(pos2(0.0, 20.0), pos2(90_000.0, 60.0));
            labels(&row, body, &size_of)
        };
        for apart in [10.0, 40.0] {
            let all = beside(apart);
            assert_eq!(all.len(), 1, "{apart}");
            assert_eq!(
                all[0].words,
                format!("{} late about here", with_commas(late))
            );
        }
        assert_eq!(beside(100.0).len(), crosses.len());
        // Without room there are no words, and the marks say the same to the pointer.
        let spots = spots(marks, None, &|tick| 0.5 * tick as f32);
        let narrow = Rect::from_min_max(pos2(0.0, 20.0), pos2(150.0, 60.0));
        let labels = labels(&spots, narrow, &|_| vec2(1_000.0, 14.0));
        assert!(labels.is_empty());
        let place = pos2(spots[0].x, 12.0);
        let found = at(&spots, &labels, place).expect("a mark");
        assert_eq!(found.words(), spots[0].words());
    }

    #[test]
    fn words_stand_before_their_marks_where_there_is_no_room_behind_and_neighbours_are_counted() {
        let mut scene = file::built_in();
        scene.scale_units(20);
        let (mut session, _) = Session::new(scene, Path::new(""));
        session
            .apply(
                Action::Structure("bvh".to_owned()),
                false,
                &Cancel::default(),
            )
            .expect("a structure");
        let mark = session.timeline().marks().list()[0].clone();
        let edit = |tick: u64| {
            let mut edit = mark.clone();
            (edit.tick, edit.kind) = (tick, MarkKind::Edit("place a great many units".into()));
            edit
        };
        let size_of = |words: &str| vec2(6.0 * words.len() as f32, 14.0);
        let body = Rect::from_min_max(pos2(0.0, 20.0), pos2(860.0, 60.0));
        let x_of = |tick: u64| tick as f32;
        let words = |marks: &[Mark], heaviest| {
            let spots = spots(marks, heaviest, &x_of);
            let labels = labels(&spots, body, &size_of);
            let words = labels.into_iter().map(|it| (it.words, it.is_before));
            words.collect::<Vec<_>>()
        };
        let said = |words: &str, is_before| vec![(words.to_owned(), is_before)];
        // Near the end of the way the words stand before the mark, and those of the heaviest tick behind it with them.
        let one = words(&[edit(820)], None);
        assert_eq!(one, said("place a great many units", true));
        let two = words(&[edit(820)], Some((838, 1.0)));
        let both = "place a great many units; heaviest tick 838";
        assert_eq!(two, said(both, true));
        assert_eq!(
            words(&[], Some((838, 1.0))),
            said("heaviest tick 838", true)
        );
        // Of two that have no room for more each, it is said how many they are.
        assert_eq!(words(&[edit(20), edit(70)], None), said("2 edits", false));
        // What has room for its own words keeps them.
        assert_eq!(words(&[edit(200), edit(500)], None).len(), 2);
    }
}
