//! The marks of the timeline: what happened when, each kind with a shape of its own. Marks that would touch become one.

use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use crate::app::widgets::with_commas;
use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{
    Color32, Painter, Pos2, Rangef, Rect, Shape, Stroke, TextFormat, Vec2, pos2, vec2,
};
use skirmish::session::{Mark, MarkKind};

/// One or several marks at one place of the timeline. What they say is asked for where it is shown: there may be thousands of
/// marks, and a hundred places.
#[derive(Clone, Debug)]
pub struct Spot<'m> {
    /// Where it is, in points, where the cross of those who were late is, where the diamond of edits is, and where the shape of a switch or
    /// of a stop is.
    x: f32,
    late_x: f32,
    edit_x: f32,
    mark_x: f32,
    /// Where the first and the last of those who were late are, and of the edits, wherever the shapes are, in points; none where it has none.
    late_ends: Option<[f32; 2]>,
    edit_ends: Option<[f32; 2]>,
    /// Its marks, in order; none where the heaviest tick stands alone.
    marks: &'m [Mark],
    /// The heaviest tick and its tests, where it lies here, and where it is itself, in points.
    heaviest: Option<(u64, f32)>,
    heaviest_x: f32,
    /// The run of the first of those who were late, and of the last one, by the tick at which its world was made; none where nobody was.
    runs: Option<[u64; 2]>,
}

/// Marks that are nearer to each other than this, in points, are one: the widest take nine, and between two there is some air.
const APART: f32 = 11.0;

/// The row in which all marks stand above the curve in `body`: where that lies low, a little further from the edge of the panel.
pub fn row(body: Rect, is_low: bool) -> f32 {
    body.top() - if is_low { 6.0 } else { 9.0 }
}

/// Where the world of these marks began anew: the ticks of that as far as somebody was late after them, and the last one, `made`.
fn begins_of(marks: &[Mark], made: u64) -> Vec<u64> {
    let late = marks.iter().filter(|mark| mark.kind == MarkKind::Late);
    let mut begins: Vec<u64> = Vec::new();
    for world in late.map(|mark| mark.world).chain([made]) {
        if world > 0 && begins.last() != Some(&world) {
            begins.push(world);
        }
    }
    begins
}

/// How many of these marks, of which the first ones touch, are of one run: who was late in another one is told apart, from where that begins.
fn of_one_run(marks: &[Mark], begins: &[u64]) -> usize {
    let mut run = None;
    let other = marks.iter().position(|mark| match (&mark.kind, run) {
        (MarkKind::Late, None) => {
            run = Some(mark.world);
            false
        }
        (MarkKind::Late, Some(run)) => mark.world != run,
        // What is done where the next one begins is of that.
        (_, Some(run)) => mark.tick != run && begins.contains(&mark.tick),
        (_, None) => false,
    });
    other.unwrap_or(marks.len())
}

/// Where the first and the last of those among these marks are that are `counted`, in points.
fn ends_of(
    marks: &[Mark],
    counted: impl Fn(&Mark) -> bool,
    x_of: &impl Fn(u64) -> f32,
) -> Option<[f32; 2]> {
    let first = marks.iter().find(|mark| counted(mark))?;
    let last = marks.iter().rfind(|mark| counted(mark))?;
    Some([x_of(first.tick), x_of(last.last)])
}

/// All places at which there are marks, from left to right; none stands beyond `right`, where the last tick is. The world of now was made at
/// the tick `made`. Those who were late in two runs are of two places, as far as there is room.
pub fn spots<'m>(
    (marks, made): (&'m [Mark], u64),
    heaviest: Option<(u64, f32)>,
    x_of: &impl Fn(u64) -> f32,
    right: f32,
) -> Vec<Spot<'m>> {
    let begins = begins_of(marks, made);
    let mut spots: Vec<Spot<'m>> = Vec::new();
    let (mut from, mut least) = (0, f32::NEG_INFINITY);
    while from < marks.len() {
        // The first mark of a run may touch the last one of the run before.
        let x = x_of(marks[from].tick).max(least);
        let rest = &marks[from..];
        let within = |wide: f32| {
            let count = rest.partition_point(|mark| x_of(mark.tick) - x < wide);
            &rest[..count.max(1)]
        };
        let mut spot = Spot {
            x,
            late_x: x,
            edit_x: x,
            mark_x: x,
            late_ends: None,
            edit_ends: None,
            marks: within(APART),
            heaviest: None,
            heaviest_x: x,
            runs: None,
        };
        if spot.has_two() {
            // Both stand in one row, side by side.
            spot.marks = within(2.0 * APART);
        }
        least = f32::NEG_INFINITY;
        let own = of_one_run(spot.marks, &begins);
        if own < spot.marks.len() {
            let all = spot.marks;
            spot.marks = &all[..own];
            let next = x + if spot.has_two() { 2.0 * APART } else { APART };
            // At the end of the way, and where the scene begins anew again and again, all of them are one place.
            match next <= right && next - x_of(all[own].tick) <= APART {
                true => least = next,
                false => spot.marks = all,
            }
        }
        from += spot.marks.len();
        // At the end there is no room behind its mark for a second one, and none before it beside others: with these it is one place.
        if spot.has_two()
            && x + APART > right
            && let Some(before) = spots.pop_if(|before| before.end(x_of) + 2.0 * APART > x)
        {
            let both = before.marks.len() + spot.marks.len();
            spot.marks = &marks[from - both..from];
            (spot.x, spot.late_x, spot.edit_x) = (before.x, before.x, before.x);
            (spot.mark_x, spot.heaviest_x) = (before.x, before.x);
        }
        spot.runs = spot.late_runs();
        spot.late_ends = ends_of(spot.marks, |mark| mark.kind == MarkKind::Late, x_of);
        spot.edit_ends = ends_of(spot.marks, Spot::is_edit, x_of);
        spots.push(spot);
    }
    // Where somebody was late one looks for that, as far as it does not touch what comes next.
    let mut next = f32::INFINITY;
    for spot in spots.iter_mut().rev() {
        let first = spot.x;
        let [switches, _, _, stops] = spot.counts();
        let edits_first = spot.marks.first().is_some_and(Spot::is_edit);
        let has_two = spot.has_two();
        let is_behind = has_two && switches + stops == 0 && edits_first;
        let least = if is_behind { first + APART } else { first };
        if let Some(late) = spot.late_tick() {
            spot.late_x = x_of(late).min(next - APART).max(least);
        }
        let is_at_end = has_two && first + APART > right;
        // The line of a switch leads down to its tick, as far as its shape does not touch what comes next.
        if let Some(switch_tick) = spot.switch_tick() {
            let switch = x_of(switch_tick);
            // The diamond of an edit before it stands before it where there is room, and else has room behind it.
            let edit = spot.first_tick(|kind| matches!(kind, MarkKind::Edit(_)));
            let edit = edit.filter(|edit| *edit < switch_tick).map(x_of);
            let is_after = edit.is_some() && switch.min(next - APART) >= first + APART;
            let most = match has_two && !is_at_end && !is_after {
                true => (next - 2.0 * APART).min(right - APART),
                false => next - APART,
            };
            spot.mark_x = switch.min(most).max(first);
            spot.late_x = spot.mark_x;
            spot.edit_x = match edit.filter(|_| is_after) {
                Some(edit) => edit.min(spot.mark_x - APART).max(first),
                None if has_two => spot.mark_x + APART,
                None => spot.mark_x,
            };
        } else if has_two && !is_behind {
            // Before the diamond there is the cross, or what it lies on.
            spot.late_x = first;
            spot.edit_x = first + APART;
        }
        if is_at_end {
            spot.late_x = spot.mark_x;
            spot.edit_x = first - APART;
        }
        next = spot.left();
    }
    if let Some(heaviest) = heaviest {
        let x = x_of(heaviest.0);
        let gap = |spot: &Spot<'_>| (spot.left() - x).max(x - spot.right()).max(0.0);
        let nearest = spots.iter_mut().min_by(|a, b| gap(a).total_cmp(&gap(b)));
        match nearest.filter(|spot| gap(spot) < APART) {
            Some(spot) => (spot.heaviest, spot.heaviest_x) = (Some(heaviest), x),
            None => {
                let alone = Spot {
                    x,
                    late_x: x,
                    edit_x: x,
                    mark_x: x,
                    late_ends: None,
                    edit_ends: None,
                    marks: &[],
                    heaviest: Some(heaviest),
                    heaviest_x: x,
                    runs: None,
                };
                let place = spots.partition_point(|spot| spot.left() <= x);
                spots.insert(place, alone);
            }
        }
    }
    spots
}

/// The words of a mark, or of a row of them: behind the last, so that one sees whose they are, or before the first.
#[derive(Clone, Debug)]
pub struct Label {
    /// The first and the last of the places of which it speaks, by their numbers.
    places: [usize; 2],
    /// Of which kind of mark alone it speaks, if of one.
    only: Option<Kind>,
    /// Where it is.
    rect: Rect,
    words: String,
    /// Whether these are a number alone.
    is_number: bool,
}

impl Label {
    /// The places of which it speaks.
    fn of<'s, 'm>(&self, spots: &'s [Spot<'m>]) -> &'s [Spot<'m>] {
        let [first, last] = self.places;
        spots.get(first..=last).unwrap_or_default()
    }
}

/// Between the middle of a mark and the words beside it, in points.
const BESIDE: f32 = 9.0;

/// Between the words before a mark and the mark to which they might be taken to belong instead, and between words, which are seen to be at
/// an end, in points.
const CLEAR: f32 = 24.0;
const CLEAR_OF_WORDS: f32 = 16.0;

/// Marks of one kind between which there is no more than this, in points, are seen as one row, and are counted together, whatever else stands
/// among them.
///
/// It is measured from mark to mark of that kind, and not from shape to shape: time that goes on moves marks together and never apart, so a row
/// grows and does not fall to pieces, however its marks are gathered in shapes. It may only where a shape stands for two runs, or for all that has
/// no room at the end of the way.
const ROW: f32 = 24.0;

/// The rows of a kind, from left to right, each with its first and its last place; one that stands apart is a row of its own.
fn rows(spots: &[Spot<'_>], kind: Kind) -> Vec<[usize; 2]> {
    let mut rows: Vec<[usize; 2]> = Vec::new();
    let counted = spots.iter().enumerate();
    for (place, spot) in counted.filter(|(_, spot)| spot.ends(kind).is_some()) {
        match rows.last_mut() {
            Some([_, last]) if spots[*last].joins(spot, kind) => *last = place,
            _ => rows.push([place, place]),
        }
    }
    rows
}

/// The words for the heaviest tick: without its figure they would say no more than its triangle.
fn heaviest(tick: u64) -> String {
    format!("heaviest tick {}", with_commas(tick))
}

/// In which words something is said, of which kind of mark alone, where these leave out others that are there, and whether they are a number
/// alone.
#[derive(Debug)]
struct Form {
    words: String,
    only: Option<Kind>,
    is_number: bool,
}

impl Form {
    /// In words.
    fn of(words: String, only: Option<Kind>) -> Self {
        Self {
            words,
            only,
            is_number: false,
        }
    }

    /// How many there are, where words have no room.
    fn number(count: u32, only: Option<Kind>) -> Self {
        Self {
            words: with_commas(count.into()),
            only,
            is_number: true,
        }
    }
}

/// The kinds of marks as they are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Switch,
    Edit,
    Late,
    Stop,
}

impl Kind {
    /// Who is late is what one looks for.
    const IN_WORDS: [Self; 4] = [Self::Late, Self::Edit, Self::Switch, Self::Stop];

    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Switch => ["switch", "switches"],
            Self::Edit => ["edit", "edits"],
            Self::Late => ["late", "late"],
            Self::Stop => ["stop", "stops"],
        }
    }
}

/// The words of marks and of rows of them, from left to right, where there is room behind these, or else before them, on the way itself. What has
/// no room there has no words: who points at a mark learns all. They stand at `y`, in the room `across`; `size_of` says how large they are.
pub fn labels(
    spots: &[Spot<'_>],
    (across, y): (Rangef, f32),
    size_of: &impl Fn(&str) -> Vec2,
) -> Vec<Label> {
    let way = Way {
        spots,
        across,
        y,
        size_of,
    };
    let mut said: Vec<([usize; 2], Vec<Form>)> = Vec::new();
    let mut are_in_rows = vec![[false; 2]; spots.len()];
    for (which, kind) in [Kind::Late, Kind::Edit].into_iter().enumerate() {
        let several = way.with_room(rows(spots, kind), kind).into_iter();
        for row @ [first, last] in several.filter(|[first, last]| first < last) {
            let places = are_in_rows[first..=last].iter_mut();
            for (in_rows, spot) in places.zip(&spots[first..=last]) {
                in_rows[which] = spot.ends(kind).is_some();
            }
            said.push((row, way.forms_of_row(row, kind)));
        }
    }
    for (place, (spot, in_rows)) in spots.iter().zip(are_in_rows).enumerate() {
        let forms = match in_rows {
            [false, false] => spot.label(),
            [false, true] => spot.label_without_edits(),
            // Who was late is what one looks for, and the row says that.
            [true, _] => continue,
        };
        said.push(([place, place], forms));
    }
    said.sort_by_key(|([first, _], _)| *first);
    let mut labels: Vec<Label> = Vec::new();
    for (places, forms) in said {
        let label = way.stand((places, forms), &labels);
        labels.extend(label);
    }
    way.name_heaviest(&mut labels);
    labels.sort_by(|a, b| a.rect.left().total_cmp(&b.rect.left()));
    labels
}

/// The marks of a timeline, beside which words stand.
struct Way<'s, 'm, S> {
    spots: &'s [Spot<'m>],
    across: Rangef,
    y: f32,
    size_of: &'s S,
}

impl<S: Fn(&str) -> Vec2> Way<'_, '_, S> {
    /// The same rows, where of those who were late each that has no room for its words is one with the next, if these have and nothing else
    /// stands among them: of some that are silent among others that are counted nobody knows which are meant. Edits beside each other are one
    /// only where both would have no word.
    fn with_room(&self, rows: Vec<[usize; 2]>, kind: Kind) -> Vec<[usize; 2]> {
        if kind != Kind::Late {
            return self.silent_together(rows);
        }
        let mut wide: Vec<[usize; 2]> = Vec::new();
        let mut stand: Vec<Label> = Vec::new();
        // Where the first of those begins that have had no room so far.
        let mut first = None;
        for (turn, row) in rows.iter().enumerate() {
            let from = *first.get_or_insert(turn);
            let all = [rows[from][0], row[1]];
            if let Some(label) = self.stand((all, self.forms_of_late(all)), &stand) {
                stand.push(label);
                wide.push(all);
                first = None;
            } else if rows
                .get(turn + 1)
                .is_none_or(|next| !self.goes_on(*row, *next))
            {
                // The end of the way, where nobody who has just come has room.
                let before = wide.last().copied();
                let before = before.filter(|before| self.goes_on(*before, rows[from]));
                let all = before.map(|[begin, _]| [begin, row[1]]);
                let stands =
                    |all: &[usize; 2]| self.stand((*all, self.forms_of_late(*all)), &[]).is_some();
                match all.filter(stands) {
                    Some(all) => {
                        wide.pop();
                        wide.push(all);
                    }
                    None => wide.extend(&rows[from..=turn]),
                }
                first = None;
            }
        }
        wide
    }

    /// The same rows of edits, where two that have no room for a word are one if that has room for how many they are.
    fn silent_together(&self, rows: Vec<[usize; 2]>) -> Vec<[usize; 2]> {
        let stands = |row: [usize; 2]| {
            let forms = self.forms_of(row, Kind::Edit);
            self.stand((row, forms), &[]).is_some()
        };
        let mut wide: Vec<[usize; 2]> = Vec::new();
        for row in rows {
            let both = wide.last().map(|[first, _]| [*first, row[1]]);
            let both = both.filter(|both| {
                let [before, after] = [[both[0], row[0] - 1], row];
                let mut all = self.spots[both[0]..=both[1]].iter();
                all.all(Spot::is_of_edits_alone)
                    && !stands(before)
                    && !stands(after)
                    && stands(*both)
            });
            if both.is_some() {
                wide.pop();
            }
            wide.push(both.unwrap_or(row));
        }
        wide
    }

    /// Whether two rows of those who were late may be one: of one run, and nothing but them from the first cross to the last. What stands before
    /// the first one parts no crosses.
    fn goes_on(&self, row: [usize; 2], next: [usize; 2]) -> bool {
        let others = &self.spots[row[0] + 1..=next[1]];
        row[1] + 1 == next[0]
            && self.spots[row[1]].is_of_run_of(&self.spots[next[0]])
            && self.spots[row[0]].ends_with_cross()
            && others.iter().all(Spot::is_late_alone)
    }

    /// The words of a row of marks of a kind; of one of a single place its own.
    fn forms_of(&self, row: [usize; 2], kind: Kind) -> Vec<Form> {
        match row {
            [first, last] if first == last => self.spots[first].label(),
            row => self.forms_of_row(row, kind),
        }
    }

    fn forms_of_late(&self, row: [usize; 2]) -> Vec<Form> {
        self.forms_of(row, Kind::Late)
    }

    /// In how many words it may be said how many there are of a kind in a row, the most first.
    fn forms_of_row(&self, [first, last]: [usize; 2], kind: Kind) -> Vec<Form> {
        let all = &self.spots[first..=last];
        let count = counts_of(all)[kind as usize];
        let [_, many] = kind.words();
        let short = format!("{} {many}", with_commas(count.into()));
        let ticks = late_ticks(all).filter(|_| kind == Kind::Late);
        let whole = ticks.map(|ticks| {
            let [from, to] = ticks.map(with_commas);
            format!("{short}, ticks {from} to {to}")
        });
        let only = Some(kind);
        let words = whole.into_iter().chain([short]);
        let words = words.map(|words| Form::of(words, only));
        // Diamonds that say nothing else say how many they are.
        let shortest = (kind == Kind::Edit).then(|| Form::number(count, only));
        words.chain(shortest).collect()
    }

    /// The longest of these forms that has room behind the last of these places, or before the first, clear of the words that `stand` already.
    fn stand(&self, (places, forms): ([usize; 2], Vec<Form>), stand: &[Label]) -> Option<Label> {
        let [first, last] = places.map(|place| &self.spots[place]);
        let mut forms = forms.into_iter().filter(|form| !form.words.is_empty());
        forms.find_map(|form| {
            let Form {
                words,
                only,
                is_number,
            } = form;
            let size = (self.size_of)(&words);
            // Words of one kind beside the shape of another one would be taken for words of that.
            let is_beside = |spot: &Spot<'_>, edge: f32| {
                only.is_none_or(|kind| (spot.shape_of(kind) - edge).abs() < 0.1)
            };
            // Those of a place within a row may stand before those of the row, or behind its last place already.
            let is_free = |left: &f32| {
                let [from, to] = [*left - CLEAR_OF_WORDS, *left + size.x + CLEAR_OF_WORDS];
                let is_off = |rect: Rect| rect.right() <= from || to <= rect.left();
                stand.iter().all(|it| is_off(it.rect))
            };
            let behind = || self.behind(places[1], size.x).filter(is_free);
            let before = || self.before(places[0], size.x).filter(is_free);
            let behind = is_beside(last, last.right()).then(behind).flatten();
            let left = behind.or_else(|| is_beside(first, first.left()).then(before).flatten())?;
            let middle = pos2(left + size.x / 2.0, self.y);
            Some(Label {
                places,
                only,
                rect: Rect::from_center_size(middle, size),
                words,
                is_number,
            })
        })
    }

    /// Has the words of the mark beside the heaviest tick name that as well, or those of the row of edits that begins or ends with it, where it
    /// has no room for its own and both are seen as one row: a triangle without words beside words would be taken for one more of those.
    fn name_heaviest(&self, labels: &mut [Label]) {
        let mut counted = self.spots.iter().enumerate();
        let found = counted.find_map(|(place, spot)| Some((place, spot, spot.heaviest?.0)));
        let Some((place, spot, tick)) = found else {
            return;
        };
        // What has words of its own names it in these, as far as there is room.
        if labels.iter().any(|it| it.places == [place, place]) {
            return;
        }
        let is_alone = spot.marks.is_empty();
        for turn in 0..labels.len() {
            let Label { places, only, .. } = labels[turn];
            let [first, last] = places;
            let is_beside = last + 1 == place || place + 1 == first;
            let both = [first.min(place), last.max(place)];
            let gap = |at: usize| self.spots[at + 1].left() - self.spots[at].right();
            let is_near = || gap(if last < place { last } else { place }) <= ROW;
            // A number alone is one where words have no room.
            let is_of_row = only == Some(Kind::Edit)
                && !labels[turn].is_number
                && places.contains(&place)
                && spot.marks.iter().all(Spot::is_edit);
            let is_of_it = match is_alone {
                true => only.is_none() && is_beside && is_near(),
                false => is_of_row,
            };
            if !is_of_it {
                continue;
            }
            let words = format!("{}; {}", labels[turn].words, heaviest(tick));
            let mut others = labels.to_owned();
            others.remove(turn);
            if let Some(label) = self.stand((both, vec![Form::of(words, only)]), &others) {
                labels[turn] = label;
                return;
            }
        }
    }

    /// Where words that are so wide begin behind a place, if they end before the next one.
    fn behind(&self, place: usize, wide: f32) -> Option<f32> {
        let limit = match self.spots.get(place + 1) {
            Some(next) => next.left() - 8.0,
            None => self.across.max - 2.0,
        };
        let left = self.spots[place].right() + BESIDE;
        (left + wide <= limit).then_some(left)
    }

    /// Where words that are so wide begin before a place, if they are nearer to it than to the mark before them.
    fn before(&self, place: usize, wide: f32) -> Option<f32> {
        let mark = place.checked_sub(1).map(|it| self.spots[it].right());
        let least = mark.map_or(self.across.min, |it| (it + CLEAR).max(self.across.min));
        let left = self.spots[place].left() - BESIDE - wide;
        (left >= least).then_some(left)
    }
}

/// How large words beside a mark are.
pub fn size_of(painter: &Painter, words: &str) -> Vec2 {
    painter
        .layout_job(with_arrows(words, Color32::WHITE))
        .size()
}

/// All of those of which the words at this place speak, or the marks there: no words lie over marks.
pub fn at<'s, 'm>(
    spots: &'s [Spot<'m>],
    labels: &[Label],
    pointer: Pos2,
) -> Option<&'s [Spot<'m>]> {
    let label = labels.iter().find(|label| label.rect.contains(pointer));
    match label {
        Some(label) => Some(label.of(spots)),
        None => near(spots, pointer.x).map(std::slice::from_ref),
    }
}

/// Where a press on these leads, at `x`: from the diamond beside another mark to the first edit; else to the first tick in which somebody was
/// late, from the triangle of a switch to that, to the tick of their first mark, or where they have none to the heaviest.
pub fn tick(spots: &[Spot<'_>], x: f32) -> u64 {
    let pressed = near(spots, x);
    let edit = pressed.filter(|spot| spot.has_diamond_at(x));
    let edit = edit.and_then(|spot| spot.marks.iter().find(|mark| Spot::is_edit(mark)));
    if let Some(edit) = edit {
        return edit.tick;
    }
    let late = spots.iter().find_map(Spot::late_tick);
    // There its line leads down as well.
    let late = late.or_else(|| pressed.and_then(Spot::switch_tick));
    let first = || marks_of(spots).next().map(|mark| mark.tick);
    let heaviest = || heaviest_of(spots).map(|(tick, _)| tick);
    late.or_else(first).or_else(heaviest).unwrap_or(0)
}

/// Whether all of these lie after this tick.
pub fn are_to_come(spots: &[Spot<'_>], now: u64) -> bool {
    spots.iter().all(|spot| spot.is_to_come(now))
}

fn marks_of<'s>(spots: &'s [Spot<'_>]) -> impl Iterator<Item = &'s Mark> {
    spots.iter().flat_map(|spot| spot.marks)
}

/// The heaviest tick with its tests, where it is one of these.
fn heaviest_of(spots: &[Spot<'_>]) -> Option<(u64, f32)> {
    spots.iter().find_map(|spot| spot.heaviest)
}

/// What happened at these, for who points at them or at their words.
pub fn words(spots: &[Spot<'_>]) -> String {
    /// More lines than this are no longer read.
    const LINES: usize = 12;
    let mut lines: Vec<String> = Vec::new();
    if let Some((tick, tests)) = heaviest_of(spots) {
        let (tick, tests) = (with_commas(tick), with_commas(tests as u64));
        lines.push(format!(
            "Tick {tick}, the heaviest: {tests} tests. W goes there."
        ));
    }
    let count = marks_of(spots).count();
    let ends = (marks_of(spots).next(), marks_of(spots).last());
    if count > 1
        && let (Some(first), Some(last)) = ends
    {
        let ticks = [first.tick, last.last].map(with_commas);
        let all = parts(counts_of(spots)).map(|(_, words)| words);
        let all = all.collect::<Vec<_>>().join(", ");
        lines.push(format!("{all}, ticks {} to {}:", ticks[0], ticks[1]));
    }
    lines.extend(marks_of(spots).take(LINES).map(in_words));
    if count > LINES {
        let more = with_commas((count - LINES) as u64);
        lines.push(format!("… and {more} more"));
    }
    lines.join("\n")
}

/// How many switches, edits, late objects and stops these marks stand for.
fn counts_in<'m>(marks: impl Iterator<Item = &'m Mark>) -> [u32; 4] {
    let mut counts = [0; 4];
    for mark in marks {
        match mark.kind {
            MarkKind::Switch { .. } => counts[0] += 1,
            MarkKind::Edit(_) => counts[1] += mark.count,
            MarkKind::Late => counts[2] += mark.count,
            MarkKind::Stop(_) => counts[3] += mark.count,
        }
    }
    counts
}

/// How many switches, edits, late objects and stops there are at these.
fn counts_of(spots: &[Spot<'_>]) -> [u32; 4] {
    let counts = spots.iter().map(Spot::counts);
    counts.fold([0; 4], |sum, it| {
        std::array::from_fn(|kind| sum[kind] + it[kind])
    })
}

/// The first and the last tick of these in which somebody was late.
fn late_ticks(spots: &[Spot<'_>]) -> Option<[u64; 2]> {
    let late = || marks_of(spots).filter(|mark| mark.kind == MarkKind::Late);
    let (first, last) = (late().next()?, late().last()?);
    Some([first.tick, last.last])
}

/// So many of each kind, in words, in their order.
fn parts(counts: [u32; 4]) -> impl Iterator<Item = (Kind, String)> {
    let counted = Kind::IN_WORDS.map(|kind| (kind, counts[kind as usize]));
    let counted = counted.into_iter().filter(|(_, count)| *count > 0);
    counted.map(|(kind, count)| {
        let [one, many] = kind.words();
        let word = if count == 1 { one } else { many };
        (kind, format!("{} {word}", with_commas(u64::from(count))))
    })
}

/// The marks at this place.
fn near<'s, 'm>(spots: &'s [Spot<'m>], x: f32) -> Option<&'s Spot<'m>> {
    const REACH: f32 = 6.0;
    let distance = |spot: &Spot<'_>| {
        let heaviest = spot
            .heaviest
            .map_or(f32::INFINITY, |_| (spot.heaviest_x - x).abs());
        let ways = spot.shapes().map(|at| (at - x).abs());
        ways.into_iter().fold(heaviest, f32::min)
    };
    spots
        .iter()
        .filter(|spot| distance(spot) <= REACH)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

impl Spot<'_> {
    /// The first and the last run in which somebody was late.
    fn late_runs(&self) -> Option<[u64; 2]> {
        let late = |mark: &&Mark| mark.kind == MarkKind::Late;
        let first = self.marks.iter().find(late)?;
        let last = self.marks.iter().rfind(late)?;
        Some([first.world, last.world])
    }

    /// The first tick in which somebody was late.
    fn late_tick(&self) -> Option<u64> {
        self.first_tick(|kind| matches!(kind, MarkKind::Late))
    }

    /// The first tick with a switch.
    fn switch_tick(&self) -> Option<u64> {
        self.first_tick(|kind| matches!(kind, MarkKind::Switch { .. }))
    }

    /// The first tick with a mark of this kind.
    fn first_tick(&self, is_it: impl Fn(&MarkKind) -> bool) -> Option<u64> {
        let first = self.marks.iter().find(|mark| is_it(&mark.kind));
        first.map(|mark| mark.tick)
    }

    /// Whether all of it lies after this tick.
    fn is_to_come(&self, now: u64) -> bool {
        let first = self.marks.first().map(|mark| mark.tick);
        let heaviest = self.heaviest.map(|(tick, _)| tick);
        first.into_iter().chain(heaviest).all(|tick| tick > now)
    }

    /// Where its shapes are, in points.
    fn shapes(&self) -> [f32; 3] {
        [self.mark_x, self.late_x, self.edit_x]
    }

    /// Where the first of its marks is, in points: a switch alone stands behind where its place begins, and at the end of the way the diamond of
    /// edits before it.
    fn left(&self) -> f32 {
        self.shapes().into_iter().fold(f32::INFINITY, f32::min)
    }

    /// How far its marks reach, and a diamond behind the first of them, in points, as long as it is not known where its shapes are.
    fn end(&self, x_of: &impl Fn(u64) -> f32) -> f32 {
        let last = self.marks.last().map_or(self.x, |mark| x_of(mark.tick));
        let second = if self.has_two() { APART } else { 0.0 };
        last.max(self.x + second)
    }

    /// Whether the diamond of edits is nearer to this than the mark beside it.
    fn has_diamond_at(&self, x: f32) -> bool {
        let away = |at: f32| (at - x).abs();
        let beside = [self.mark_x, self.late_x].into_iter();
        let mut beside = beside.filter(|at| *at != self.edit_x);
        self.has_two() && beside.all(|at| away(self.edit_x) < away(at))
    }

    /// Where its last mark is of those that stand in a row with words, in points.
    fn right(&self) -> f32 {
        self.shapes().into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// Where the first and the last of its marks of a kind are that is counted in rows, in points; none where it has none.
    fn ends(&self, kind: Kind) -> Option<[f32; 2]> {
        match kind {
            Kind::Late => self.late_ends,
            Kind::Edit => self.edit_ends,
            Kind::Switch | Kind::Stop => None,
        }
    }

    /// Whether the next place that has marks of a kind is seen as one row of them with it: of the same run, and not far off.
    fn joins(&self, next: &Self, kind: Kind) -> bool {
        let (Some([_, last]), Some([first, _])) = (self.ends(kind), next.ends(kind)) else {
            return false;
        };
        (kind != Kind::Late || self.is_of_run_of(next)) && first - last <= ROW
    }

    /// Whether those who were late here and in another place were so in one run.
    fn is_of_run_of(&self, other: &Self) -> bool {
        match (self.runs, other.runs) {
            (Some([first, last]), Some(others)) => first == last && others == [first, last],
            _ => true,
        }
    }

    /// Where the shape of a kind is, in points.
    fn shape_of(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Switch | Kind::Stop => self.mark_x,
            Kind::Edit => self.edit_x,
            Kind::Late => self.late_x,
        }
    }

    /// Whether nothing is here but who was late.
    fn is_late_alone(&self) -> bool {
        let is_late = |mark: &Mark| matches!(mark.kind, MarkKind::Late);
        self.heaviest.is_none() && self.marks.iter().all(is_late)
    }

    /// Whether nothing is here but edits.
    fn is_of_edits_alone(&self) -> bool {
        self.heaviest.is_none() && self.marks.iter().all(Self::is_edit)
    }

    /// Whether the cross of those who were late is what stands last here, and lies on nothing else.
    fn ends_with_cross(&self) -> bool {
        let [switches, _, _, stops] = self.counts();
        switches + stops == 0 && self.late_x >= self.right()
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
        counts_in(self.marks.iter())
    }

    /// The words beside it, and shorter forms of them, which may be empty.
    fn label(&self) -> Vec<Form> {
        let mut forms: Vec<Form> = Vec::new();
        if !self.marks.is_empty() {
            forms.extend(self.label_of_marks(|_| true));
            let edits = self.counts()[Kind::Edit as usize];
            if edits > 1 && self.marks.iter().all(Self::is_edit) {
                forms.push(Form::number(edits, None));
            }
        }
        if let Some((tick, _)) = self.heaviest {
            let heaviest = heaviest(tick);
            // Its triangle stands at the foot, below theirs. What is counted of its marks is no word for the heaviest tick: the two are parted.
            let words = match forms.first() {
                Some(whole) => format!("{}; {heaviest}", whole.words),
                None => heaviest,
            };
            forms.insert(0, Form::of(words, None));
        }
        forms
    }

    /// The same of all but its edits, which a row counts.
    fn label_without_edits(&self) -> Vec<Form> {
        let counts = self.counts();
        let mut others = [Kind::Late, Kind::Switch, Kind::Stop].into_iter();
        let Some(kind) = others.find(|kind| counts[*kind as usize] > 0) else {
            let heaviest = self.heaviest.map(|(tick, _)| heaviest(tick));
            let heaviest = heaviest.map(|words| Form::of(words, None));
            return heaviest.into_iter().collect();
        };
        let forms = self.label_of_marks(|mark| !Self::is_edit(mark)).into_iter();
        let only = Some(kind);
        forms.map(|form| Form { only, ..form }).collect()
    }

    /// The words of its marks that are `told`, and a shorter form of them, which may be empty.
    fn label_of_marks(&self, told: impl Fn(&Mark) -> bool) -> [Form; 2] {
        let of_one = |words: [String; 2]| words.map(|words| Form::of(words, None));
        let mut marks = self.marks.iter().filter(|mark| told(mark));
        if let (Some(mark), None) = (marks.next(), marks.next()) {
            match &mark.kind {
                MarkKind::Switch { from, to, .. } => {
                    let (from, to) = (from.info().name, to.info().name);
                    return of_one([format!("{from} → {to}"), to.to_owned()]);
                }
                MarkKind::Edit(what) if mark.count == 1 => {
                    return of_one([what.to_string(), "edit".to_owned()]);
                }
                MarkKind::Stop(_) => return of_one(["stopped".to_owned(), String::new()]),
                MarkKind::Edit(_) | MarkKind::Late => {}
            }
        }
        let counts = counts_in(self.marks.iter().filter(|mark| told(mark)));
        let mut parts: Vec<(Kind, String)> = parts(counts).collect();
        if self.runs.is_some_and(|[first, last]| first != last)
            && let Some((_, late)) = parts.first_mut()
        {
            late.push_str(" in several runs");
        }
        let short = parts.first().map_or_else(
            || (None, String::new()),
            |(kind, words)| (Some(*kind), words.clone()),
        );
        let words: Vec<String> = parts.into_iter().map(|(_, words)| words).collect();
        [(None, words.join(", ")), short].map(|(only, words)| Form::of(words, only))
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
    labels: &[Label],
) {
    for spot in spots {
        let [switches, edits, late, stops] = spot.counts();
        let dash = |x: f32, color| {
            let line = [pos2(x, y + 6.0), pos2(x, foot)];
            painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, color), 3.0, 3.0));
        };
        let at = pos2(spot.mark_x, y);
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
            let at = if is_alone { pos2(spot.late_x, y) } else { at };
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
            let color = ink(palette.second, spot.switch_tick());
            dash(spot.mark_x, color);
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
        if let Some(kind) = label.only {
            links(painter, palette, (y, now), (label.of(spots), kind));
        }
        let color = match are_to_come(label.of(spots), now) {
            true => palette.text_third,
            false => palette.text_second,
        };
        let galley = painter.layout_job(with_arrows(&label.words, color));
        painter.galley(label.rect.min, galley, color);
    }
}

/// The line along a row of which one sum is said, between those that it counts.
fn links(
    painter: &Painter,
    palette: &Palette,
    (y, now): (f32, u64),
    (row, kind): (&[Spot<'_>], Kind),
) {
    let color = match are_to_come(row, now) {
        true => palette.text_third,
        false => palette.text_second,
    };
    let stroke = Stroke::new(1.0, color.gamma_multiply(0.6));
    let is_counted = |spot: &Spot<'_>| spot.ends(kind).is_some();
    for pair in row.windows(2).filter(|pair| pair.iter().all(is_counted)) {
        let (from, to) = (
            pair[0].right() + BESIDE_SHAPE,
            pair[1].left() - BESIDE_SHAPE,
        );
        if from + 1.0 < to {
            painter.line_segment([pos2(from, y), pos2(to, y)], stroke);
        }
    }
}

/// Between the middle of a mark and the line to the next one, in points.
const BESIDE_SHAPE: f32 = 6.0;

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
mod tests;
