//! What the figures come to, in one line, and what can be done to the lanes as a whole.

use super::figures::{Apart, Figure, Figures, RACE, Shown, TIME, times_more};
use super::header::padded;
use super::lane;
use super::layout::lines_of_verdict;
use super::table::Kept;
use super::why::{Counts, Named, in_words};
use super::winner::{Compared, Said};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::view::structures::structure_list;
use crate::app::widgets::{
    beside, button_in, button_width, elided_at_word, is_cut, scrolled_up_to,
};
use egui_macroquad::egui::{
    AboveOrBelow, Color32, FontId, PopupCloseBehavior, Rect, Sense, Ui,
    popup_above_or_below_widget, pos2,
};
use skirmish::scene::limits::MAX_LANES;

/// Lanes that lead together, and what is said of them; of all, where none are named.
#[derive(Clone, Debug, PartialEq)]
struct Claim {
    lanes: Vec<usize>,
    /// The clauses, with "and" between them.
    words: String,
    /// What stands behind the last of them, however many are said.
    than: &'static str,
}

impl Claim {
    fn new(lanes: Vec<usize>, words: String) -> Self {
        let than = "";
        Self { lanes, words, than }
    }

    /// Whether it is said of these lanes, in whichever order they are named.
    fn is_of(&self, lanes: &[usize]) -> bool {
        self.lanes.len() == lanes.len() && lanes.iter().all(|lane| self.lanes.contains(lane))
    }

    /// How many clauses there are.
    fn clause_count(&self) -> usize {
        self.words.split(" and ").count()
    }

    /// The first so many clauses, and how many these are.
    fn clauses(&self, most: usize) -> (String, usize) {
        let parts: Vec<&str> = self.words.split(" and ").take(most).collect();
        (parts.join(" and ") + self.than, parts.len())
    }
}

/// A region is a node here and a cell there: who visits fewer of them leads at something from so many times on.
const CLEARLY: f64 = 1.5;

/// What may be said of who has the least of a figure.
struct Lead {
    figure: &'static Figure,
    /// What it does, ...
    verb: &'static str,
    /// ... what it has less of, ...
    less: &'static str,
    /// ... and from how many times on.
    least: f64,
    /// What several do that have about as little of it, where that is said.
    together: Option<&'static str>,
}

/// Of what takes time while that stands: each part by itself, as in the race. Together they are no tick's, which builds nothing anew.
const AT_REST: [Lead; 2] = [
    Lead {
        figure: &RACE[3],
        verb: "answers",
        less: "faster",
        least: 1.0,
        together: Some("answer about as fast"),
    },
    Lead {
        figure: &RACE[2],
        verb: "is built",
        less: "faster",
        least: 1.0,
        together: Some("are built about as fast"),
    },
];

/// Of all else.
const COUNTED: [Lead; 3] = [
    Lead {
        figure: &RACE[4],
        verb: "costs",
        less: "less memory",
        least: 1.0,
        together: None,
    },
    Lead {
        figure: &RACE[0],
        verb: "tests",
        less: "fewer pairs",
        least: 1.0,
        together: None,
    },
    Lead {
        figure: &RACE[1],
        verb: "visits",
        less: "fewer regions",
        least: CLEARLY,
        together: None,
    },
];

/// What can be said of who leads: of time first, as that is what a frame has too little of.
fn claims(shown: &Shown) -> Vec<Claim> {
    let than = if shown.lanes.len() > 2 {
        " than the next"
    } else {
        ""
    };
    let mut claims: Vec<(Claim, &str)> = of_time(shown).into_iter().collect();
    let of_parts = AT_REST.iter().filter(|_| shown.at_rest);
    for lead in of_parts.chain(&COUNTED) {
        let Lead { verb, less, .. } = *lead;
        let leader = shown.leader(lead.figure);
        let Some((lane, ratio)) = leader.filter(|(_, ratio)| *ratio >= lead.least) else {
            let Some((lanes, words)) = together(shown, lead) else {
                continue;
            };
            match claims.iter_mut().find(|(claim, _)| claim.is_of(&lanes)) {
                Some((claim, _)) => claim.words += &format!(" and {words}"),
                None => claims.push((Claim::new(lanes, words), "")),
            }
            continue;
        };
        let more = times_more(ratio);
        match claims.iter_mut().find(|(claim, _)| claim.lanes == [lane]) {
            Some((claim, last)) => {
                let again = if *last == verb { "" } else { verb };
                let space = if again.is_empty() { "" } else { " " };
                claim.words += &format!(" and {again}{space}{more} {less}");
                *last = verb;
            }
            None => {
                let words = format!("{verb} {more} {less}");
                let lanes = vec![lane];
                claims.push((Claim::new(lanes, words), verb));
            }
        }
    }
    let said = claims.into_iter().map(|(claim, _)| Claim {
        than: if claim.lanes.len() == 1 { than } else { "" },
        ..claim
    });
    said.collect()
}

/// Who lead together, where each of them has about as little of a figure, and all have less than the next; and what is said of them.
fn together(shown: &Shown, lead: &Lead) -> Option<(Vec<usize>, String)> {
    let (alike, figure) = (lead.together?, lead.figure);
    let ranked = shown.ranked(figure);
    let (first, _) = ranked.split_first()?;
    let near = ranked
        .iter()
        .take_while(|it| is_near(figure, first.1, it.1));
    let near_count = near.count();
    let count = with_who_may_be_quicker(shown, figure, &ranked, near_count);
    let (named, behind) = ranked.split_at(count);
    if count != near_count || count < 2 || shown.is_in_doubt(figure, &ranked) {
        return None;
    }
    let more = times_more(ahead_of_all(shown, figure, named, behind)?);
    let near = within(figure, first.1, named);
    let words = format!("{alike}{near}, {more} {} than the next", lead.less);
    Some((named.iter().map(|(lane, _)| *lane).collect(), words))
}

/// What is said where nobody knows who is quickest: because all times are doubtful, as some are, or though none is. Times are doubtful in
/// these words where they are marked so beside the structures' names, and all of them where each time of each lane is marked as well.
const ALL_DOUBTFUL: &str = "each one's times scatter too much to tell who is quickest";
const SOME_DOUBTFUL: &str = "times marked ~ scatter too much to tell who is quickest";
const CHANCE: &str = "who is quickest may be chance";

/// Which of these words are said of the lanes that have times.
fn untold(shown: &Shown, ranked: &[(usize, f64)]) -> &'static str {
    let lanes = || ranked.iter().map(|(lane, _)| &shown.lanes[*lane]);
    let is_doubtful = |lane: &Figures| TIME.doubtful_from(lane).is_some();
    let is_all_doubtful = |lane: &Figures| lane.doubtful_from.iter().all(Option::is_some);
    if !lanes().any(is_doubtful) {
        CHANCE
    } else if lanes().all(is_all_doubtful) {
        ALL_DOUBTFUL
    } else {
        SOME_DOUBTFUL
    }
}

/// Who is quickest while it runs, and the verb of it. Times come out a little otherwise each time: whoever is about as quick as the first
/// one is named with it, and so is who may be quicker than one of those that are named, though nobody knows by how much.
fn of_time(shown: &Shown) -> Option<(Claim, &'static str)> {
    let (verb, less, alike) = ("costs", "less time", "take about as long");
    let ranked = shown.ranked(&TIME);
    let (first, others) = ranked.split_first().filter(|_| !shown.at_rest)?;
    others.first()?;
    let of_all = |words: String| Some((Claim::new(Vec::new(), words), ""));
    if shown.lanes.iter().any(|lane| lane.are_times_new) {
        return of_all("times are being measured".to_owned());
    }
    if shown.is_in_doubt(&TIME, &ranked) {
        return of_all(untold(shown, &ranked).to_owned());
    }
    let near_count = ranked
        .iter()
        .take_while(|it| is_near(&TIME, first.1, it.1))
        .count();
    let count = with_who_may_be_quicker(shown, &TIME, &ranked, near_count);
    let (named, behind) = ranked.split_at(count);
    let near = (count == near_count).then(|| within(&TIME, first.1, named));
    let lanes = named.iter().map(|(lane, _)| *lane).collect();
    let ratio = ahead_of_all(shown, &TIME, named, behind).map(times_more);
    let words = match (&near, ratio) {
        (Some(near), _) if behind.is_empty() => {
            let who = if ranked.len() == 2 { "both" } else { "all" };
            return of_all(format!("{who} {alike}{near}"));
        }
        (Some(_), Some(more)) if count == 1 => {
            return Some((Claim::new(lanes, format!("{verb} {more} {less}")), verb));
        }
        (Some(near), Some(more)) => format!("{alike}{near}, {more} {less} than the next"),
        (Some(near), None) if count > 1 => format!("{alike}{near}, {less} than the next"),
        // Which of them is the quickest is chance; that all of them are quicker than the rest is not.
        (None, Some(more)) => {
            format!("cost {more} {less} than the next, their own order may be chance")
        }
        _ => return of_all(untold(shown, &ranked).to_owned()),
    };
    Some((Claim::new(lanes, words), ""))
}

/// Why one lane is said to be the quickest, in sentences; nothing where none is, or several are. At rest it is the one that answers the
/// fastest.
fn why(shown: &Shown) -> String {
    let figure = if shown.at_rest { &RACE[3] } else { &TIME };
    let by = match shown.at_rest {
        true => "query",
        false => "update + query",
    };
    let ranked = shown.ranked(figure);
    let named = |rank: usize| {
        let &(place, us) = ranked.get(rank)?;
        let lane = &shown.lanes[place];
        let [tests, visits, _] = lane.counted?;
        let (update, query) = lane.times?;
        Some(Named {
            name: lane.name(),
            us,
            parts: (!shown.at_rest).then(|| [update, query, 0.0].map(f64::from)),
            // While it runs nobody leads by memory, which tells what each index has been through.
            counts: Counts::of(
                [tests, visits],
                if shown.at_rest { lane.bytes } else { 0 },
                shown.units,
            ),
        })
    };
    // Of whom nothing is said there is no reason.
    let is_named = match of_time(shown) {
        Some((claim, _)) => ranked.first().is_some_and(|it| claim.lanes == [it.0]),
        None => shown.at_rest && shown.leader(figure).is_some(),
    };
    let both = named(0).zip(named(1)).filter(|_| is_named);
    both.map_or(String::new(), |(first, next)| {
        in_words(by, &first, ("the next", &next))
    })
}

/// Whether a time is nearly the least one: by a share of it, or by less than a look at the clock takes.
fn is_near(figure: &Figure, least: f64, us: f64) -> bool {
    !figure.apart.are_apart(least, us)
}

/// How many of the first ones are named where so many are near to the first: with them is who may as well be quicker than one of them,
/// and who comes before such a one. The same structure, set alike or at the same work, is as quick: what two readings of it differ by is chance.
fn with_who_may_be_quicker(
    shown: &Shown,
    figure: &Figure,
    ranked: &[(usize, f64)],
    near_count: usize,
) -> usize {
    let mut count = near_count;
    loop {
        let (named, behind) = ranked.split_at(count);
        let may_be_quicker = |(other, _): &(usize, f64)| {
            let of = &shown.lanes[*other];
            let from = figure.doubtful_from(of);
            named.iter().any(|(lane, us)| {
                shown.overlap(figure, *lane, *other)
                    || of.is_set_like(&shown.lanes[*lane])
                    || shown.works_alike(figure, *lane, *other)
                    || from.is_some_and(|least| least < *us)
            })
        };
        match behind.iter().rposition(may_be_quicker) {
            Some(last) => count += last + 1,
            None => return count,
        }
    }
}

/// How many times as long as the slowest of those that are named the next one takes; `None` where that is not known, or hardly longer.
fn ahead_of_all(
    shown: &Shown,
    figure: &Figure,
    named: &[(usize, f64)],
    behind: &[(usize, f64)],
) -> Option<f64> {
    let (&(_, slowest), &(next, us)) = (named.last()?, behind.first()?);
    let from = |lane: usize| figure.doubtful_from(&shown.lanes[lane]);
    let mut later = behind.iter().filter_map(|(lane, _)| from(*lane));
    let is_known = from(next).is_none() && !later.any(|least| least < us);
    figure.ahead(slowest, us).filter(|_| is_known)
}

/// How near to the least one all of these times are, in words; those that are not are not said to be alike.
fn within(figure: &Figure, least: f64, all: &[(usize, f64)]) -> String {
    let apart = figure.apart;
    match all.iter().all(|(_, us)| *us < apart.times * least) {
        true => format!(" (within {})", apart.share()),
        false => format!(" (within {} \u{b5}s)", apart.by),
    }
}

/// Above the list of structures that may follow as well, in points.
const ABOVE_LIST: f32 = 24.0;

/// Draws the line; its buttons act.
pub fn verdict(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    (whole, has_race): (Rect, bool),
    (shown, kept): (&Shown, &mut Kept),
) {
    let (rect, said) = lines_of_verdict(whole);
    let lanes = app.lanes.len();
    let mut right = rect.right();
    add_button(ui, app, palette, rect, &mut right);
    let swap = Button {
        id: "lane.swap",
        word: "Swap panes",
        help: "Let the first two structures change places.",
        enabled: lanes > 1,
    };
    if swap.show(ui, palette, rect, &mut right) {
        app.swap_lanes(0, 1);
    }
    let all = Button {
        id: "compare.all",
        word: if app.all_structures {
            "Panes"
        } else {
            "All structures"
        },
        help: if app.all_structures {
            "Back to the panes."
        } else {
            "Every structure on one moment, in a table."
        },
        enabled: true,
    };
    if all.show(ui, palette, rect, &mut right) {
        // Its word says what comes.
        match app.all_structures {
            true => app.show_panes(),
            false => app.survey(None),
        }
    }
    if !has_race && !app.all_structures {
        race_button(ui, app, palette, rect, &mut right);
    }
    let beside = rect.with_max_x(right - 8.0);
    let rooms = match said {
        Some(said) => (said, Some(beside).filter(|it| it.width() >= LEAST_BESIDE)),
        None => (beside, None),
    };
    let sum = Compared::with(app.rectangles()).sum();
    let table = kept.of(app).map(|said| (said, sum));
    sentence(ui, palette, rooms, shown, (app.all_structures, table));
}

/// Beside the buttons, below what is said in a line of its own, a second one has no less room than this, in points.
const LEAST_BESIDE: f32 = 220.0;

/// The button that shows the race in the place of the panes where there is no room for both, and the panes again.
fn race_button(ui: &mut Ui, app: &mut App, palette: &Palette, line: Rect, right: &mut f32) {
    let (word, help) = match app.race_alone {
        true => ("Panes", "Back to the panes."),
        false => (
            "Race",
            "What a tick costs each structure: the window is too low for that below the panes.",
        ),
    };
    let race = Button {
        id: "compare.race",
        word,
        help,
        enabled: true,
    };
    // The narrowest line has room for the others alone.
    let fits = *right - button_width(ui, word) >= line.left();
    if fits && race.show(ui, palette, line, right) {
        app.race_alone = !app.race_alone;
    }
}

/// The button that lets one more structure follow the battle, and the list from which that is chosen.
fn add_button(ui: &mut Ui, app: &mut App, palette: &Palette, line: Rect, right: &mut f32) {
    let list = ui.id().with("one more lane");
    let is_full = app.lanes.len() >= MAX_LANES;
    let is_open = ui.memory(|memory| memory.is_popup_open(list));
    let help = match (is_full, is_open) {
        (true, _) => format!("At most {MAX_LANES} structures follow one battle."),
        (false, false) => "Let one more structure follow the battle.".to_owned(),
        // Words above the button would lie on the list.
        (false, true) => String::new(),
    };
    let add = Button {
        id: "lane.add",
        word: "+ lane",
        help: &help,
        enabled: !is_full,
    };
    let end = *right;
    if add.show(ui, palette, line, right) {
        ui.memory_mut(|memory| memory.toggle_popup(list));
    }
    app.menu_open |= ui.memory(|memory| memory.is_popup_open(list));
    let button = line.with_min_x(*right).with_max_x(end);
    let anchor = ui.interact(button, list.with("anchor"), Sense::hover());
    let all = app.lane().structure.kind().siblings();
    // In a low window it is no higher than what is above it.
    let most = (line.top() - ui.ctx().screen_rect().top() - ABOVE_LIST).max(60.0);
    let picked = popup_above_or_below_widget(
        ui,
        list,
        &anchor,
        AboveOrBelow::Above,
        PopupCloseBehavior::CloseOnClick,
        |ui| {
            padded(ui, 300.0, |ui| {
                let mut picked = None;
                scrolled_up_to(ui, palette, "one more lane", most, |ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    picked = structure_list(ui, palette, "lane.add", (&all, None), (false, true));
                });
                picked
            })
        },
    );
    if let Some(kind) = picked.flatten() {
        app.add_lane(kind);
    }
}

/// A few words of the sentence.
type Words = (String, Ink);

/// How they stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    /// In the colour of the lane that they name, and behind its mark.
    Lane(usize),
    /// As what is said.
    Said,
    /// As what that is about.
    Caption,
    /// As what there is nothing to say about.
    Aside,
}

/// The words of so many clauses, of all that is claimed: a part of one says nothing.
fn told(shown: &Shown, claims: &[Claim], clauses: usize) -> Vec<Words> {
    let mut left = clauses;
    let mut all: Vec<Words> = Vec::new();
    for claim in claims {
        let (words, count) = claim.clauses(left);
        left -= count;
        if count == 0 {
            break;
        }
        if let Some((before, _)) = all.last_mut() {
            before.push(';');
        }
        // They are no more than three: of all four nobody is named.
        let last = claim.lanes.len().saturating_sub(1);
        for (place, lane) in claim.lanes.iter().enumerate() {
            if place > 0 && place == last {
                all.push(("and".to_owned(), Ink::Said));
            }
            let comma = if place + 1 < last { "," } else { "" };
            let name = shown.lanes[*lane].name();
            all.push((format!("{name}{comma}"), Ink::Lane(*lane)));
        }
        all.push((words, Ink::Said));
    }
    // What is left out is seen to be.
    if clauses < claims.iter().map(Claim::clause_count).sum::<usize>() {
        all.push(more());
    }
    all
}

/// What stands for all that is left out.
fn more() -> Words {
    ("\u{2026}".to_owned(), Ink::Aside)
}

/// Of whom it is said beside a table, which builds each one anew: a lane that follows the battle may do otherwise.
fn of_whom(shown: &Shown) -> &'static str {
    // Before the first tick nothing has run, and what is measured at rest does not.
    match shown.at_rest || shown.tick == 0 {
        true => "the lanes, at rest:",
        false => "the lanes, as they run:",
    }
}

/// All that may stand in the line of the table, the most first: who is quickest in it, by name as long as there is room, and of what the
/// lanes come to as much as there is room for.
fn with_table(table: &Said, shown: &Shown, claims: &[Claim], clauses: usize) -> Vec<Vec<Words>> {
    let both = |words: &String, count: usize| {
        let caption = format!("\u{b7} {}", of_whom(shown));
        let mut all = of_row(table, words);
        all.push((caption, Ink::Caption));
        all.extend(told(shown, claims, count));
        all
    };
    let of = table.variants();
    // Where clauses of the table have no room, nothing else has.
    let whole = 1 + usize::from(table.names.is_some());
    let mut all = Vec::new();
    for (place, words) in of.iter().enumerate() {
        if place < whole {
            all.extend((1..=clauses).rev().map(|count| both(words, count)));
        }
        let mut alone = of_row(table, words);
        // What is said of the lanes is left out as well.
        alone.extend((clauses > 0).then(more));
        all.push(alone);
    }
    all
}

/// What is said of the table, behind its caption.
fn of_row(table: &Said, words: &str) -> Vec<Words> {
    let caption = (table.caption.to_owned(), Ink::Caption);
    vec![caption, (words.to_owned(), Ink::Said)]
}

/// All that may be said of the table in a line of its own, the most first.
fn of_table(table: &Said) -> Vec<Vec<Words>> {
    let all = table.variants();
    all.iter().map(|words| of_row(table, words)).collect()
}

/// All that may stand in the line where nothing is said of a table, the most first: with its caption, without it, and without its last
/// clauses.
fn of_lanes(has_table: bool, shown: &Shown, claims: &[Claim], clauses: usize) -> Vec<Vec<Words>> {
    let caption = match has_table {
        true => of_whom(shown),
        false => "verdict",
    };
    let whole = match clauses {
        0 if shown.lanes.len() > 1 => vec![("nobody is ahead".to_owned(), Ink::Aside)],
        0 => vec![(
            "one structure alone; add a lane to compare it with another".to_owned(),
            Ink::Aside,
        )],
        _ => told(shown, claims, clauses),
    };
    let introduced = |all: Vec<Words>| {
        let caption = (caption.to_owned(), Ink::Caption);
        std::iter::once(caption).chain(all).collect()
    };
    let shorter = || (1..clauses).rev().map(|count| told(shown, claims, count));
    match has_table {
        // Below a table it would seem to be of that: it rather says less.
        true => {
            let all = std::iter::once(whole.clone()).chain(shorter());
            all.map(introduced)
                .chain([whole])
                .chain(shorter())
                .collect()
        }
        false => {
            let all = [introduced(whole.clone()), whole];
            all.into_iter().chain(shorter()).collect()
        }
    }
}

/// How high a line is where what is said stands in two, in points.
const LINE: f32 = 17.0;

fn has_two_lines(rect: Rect) -> bool {
    rect.height() >= 2.0 * LINE
}

/// Whether something is said of the table and of the lanes.
fn says_both(all: &[Words]) -> bool {
    let captions = all.iter().filter(|(_, ink)| *ink == Ink::Caption);
    captions.count() > 1
}

/// The first of what may be said that has room.
fn fitting<'a>(ui: &Ui, variants: &'a [Vec<Words>], room: f32) -> Option<&'a Vec<Words>> {
    let wide = |(words, ink): &Words| {
        let painter = ui.painter();
        let galley = painter.layout_no_wrap(words.clone(), font(*ink), Color32::PLACEHOLDER);
        galley.size().x
    };
    let length = |all: &Vec<Words>| -> f32 {
        let each = all
            .iter()
            .map(|words| before(words.1) + wide(words) + after(words.1));
        each.sum()
    };
    variants.iter().find(|all| length(all) <= room)
}

fn font(ink: Ink) -> FontId {
    match ink {
        Ink::Caption => text(size::DESCRIPTION),
        _ => text(size::SECOND),
    }
}

/// Writes a line: the first of what may be said that has room, and else the last as far as it has. Gives where it ends, and whether it
/// is the first and whole.
fn line(
    ui: &Ui,
    palette: &Palette,
    (rect, middle): (Rect, f32),
    variants: &[Vec<Words>],
) -> (f32, bool) {
    let mut left = rect.left();
    let fitting = fitting(ui, variants, rect.width());
    let Some(all) = fitting.or(variants.last()) else {
        return (left, true);
    };
    let painter = ui.painter();
    let mut is_whole = variants.first() == Some(all);
    for (words, ink) in all {
        let start = left + before(*ink);
        let room = rect.right() - start;
        // What has room in all has room for a last word that is shorter than that.
        if fitting.is_none() && room < 30.0 {
            is_whole = false;
            break;
        }
        let color = match ink {
            Ink::Lane(lane) => {
                lane::mark(painter, palette, *lane, pos2(left + 5.0, middle), 4.2);
                lane::color(palette, *lane)
            }
            Ink::Said => palette.text,
            Ink::Caption => palette.text_third,
            Ink::Aside => palette.text_second,
        };
        let galley = elided_at_word(ui, words, font(*ink), color, room);
        let is_cut = is_cut(&galley, words);
        let at = pos2(start, middle - galley.size().y / 2.0);
        left = start + galley.size().x + after(*ink);
        painter.galley(at, galley, color);
        // It says that there is more: nothing else follows that says so again.
        if is_cut {
            is_whole = false;
            break;
        }
    }
    (left, is_whole)
}

/// Says who leads: of the rows of the table, where one is open and says anything, and of the lanes. Where there is room for a second line it
/// is given, too: what is said of the lanes goes there where both have no room in one.
fn sentence(
    ui: &mut Ui,
    palette: &Palette,
    (rect, below): (Rect, Option<Rect>),
    shown: &Shown,
    (has_table, table): (bool, Option<(&Said, &str)>),
) {
    let claims = claims(shown);
    let clauses: usize = claims.iter().map(Claim::clause_count).sum();
    let variants = match table {
        Some((table, _)) => with_table(table, shown, &claims, clauses),
        None => of_lanes(has_table, shown, &claims, clauses),
    };
    let middle = rect.center().y;
    let fitting = fitting(ui, &variants, rect.width());
    let lines = match below {
        Some(below) => Some([(rect, middle), (below, below.center().y)]),
        None if has_two_lines(rect) => {
            Some([(rect, middle - LINE / 2.0), (rect, middle + LINE / 2.0)])
        }
        None => None,
    };
    let has_no_room = clauses > 0 && !fitting.is_some_and(|all| says_both(all));
    let up_to = |rect: Rect, end: f32| rect.with_max_x(end.min(rect.right()));
    // Where somebody asks for the whole of it.
    let (asked, is_whole) = match (table, lines) {
        // What is said of the lanes goes below that of the table before it goes out of sight.
        (Some((table, _)), Some([upper, lower])) if has_no_room => {
            let of_lanes = of_lanes(true, shown, &claims, clauses);
            let first = line(ui, palette, upper, &of_table(table));
            let second = line(ui, palette, lower, &of_lanes);
            let asked = match below {
                Some(below) => vec![up_to(rect, first.0), up_to(below, second.0)],
                None => vec![up_to(rect, first.0.max(second.0))],
            };
            (asked, first.1 && second.1)
        }
        _ => {
            let (left, is_whole) = line(ui, palette, (rect, middle), &variants);
            (vec![up_to(rect, left)], is_whole)
        }
    };
    let whole = &variants[0];
    let why = match table {
        Some((table, _)) => table.why.clone(),
        None => why(shown),
    };
    let space = if why.is_empty() { "" } else { " " };
    let rows = match table {
        Some((_, sum)) => format!(
            "The least {sum} decides, where no doubtful row (~) may be clearly quicker; where some stay doubtful, the least single reading. "
        ),
        None => String::new(),
    };
    let of_lanes = match shown.at_rest {
        true => "Of the lanes queries and builds are compared apart, as no tick builds anew.",
        false => {
            "Times of the lanes are medians of the last second; nobody leads where the middle halves of the ticks of two have times in common."
        }
    };
    let said = match is_whole {
        true => String::new(),
        false => {
            let words: Vec<&str> = whole.iter().map(|(words, _)| words.as_str()).collect();
            format!("{}. ", words.join(" "))
        }
    };
    let help = format!(
        "{said}{why}{space}{rows}{of_lanes} {}",
        what_is_alike(has_table)
    );
    let all = asked.iter().copied().reduce(Rect::union).unwrap_or(rect);
    for (at, room) in asked.into_iter().enumerate() {
        let response = ui.interact(room, ui.id().with(("verdict", at)), Sense::hover());
        beside(ui, response, all, |ui| {
            ui.label(&help);
        });
    }
}

/// From where on values are told apart, in a sentence: by what is said of the lanes, and by the colours of a table beside it.
pub fn what_is_alike(has_table: bool) -> String {
    let (tick, count) = (Apart::OF_TICK, Apart::OF_COUNT.share());
    let (share, by) = (tick.share(), tick.by);
    let lit = if has_table { ", and are green" } else { "" };
    format!(
        "Times within {share} of the least are alike, those of a tick or a build within {by} \u{b5}s too, counts and memory within {count}{lit}."
    )
}

/// The room before some words: that of a lane's mark.
fn before(ink: Ink) -> f32 {
    match ink {
        Ink::Lane(_) => MARK,
        _ => 0.0,
    }
}

/// The room behind some words.
fn after(ink: Ink) -> f32 {
    match ink {
        Ink::Caption => AFTER_CAPTION,
        _ => BETWEEN,
    }
}

/// The room of a lane's mark, between two words, and behind the caption, in points.
const MARK: f32 = 16.0;
const BETWEEN: f32 = 5.0;
const AFTER_CAPTION: f32 = 10.0;

/// A push button at the right end of the line.
struct Button<'a> {
    id: &'a str,
    word: &'a str,
    help: &'a str,
    enabled: bool,
}

impl Button<'_> {
    /// Draws it left of `right`, which moves to its left; whether it was clicked.
    fn show(&self, ui: &mut Ui, palette: &Palette, line: Rect, right: &mut f32) -> bool {
        let width = button_width(ui, self.word);
        let middle = line.center().y;
        let rect = Rect::from_x_y_ranges(*right - width..=*right, middle - 12.0..=middle + 12.0);
        *right = rect.left() - 8.0;
        let words = (self.word, self.help);
        button_in(ui, palette, self.id, rect, words, self.enabled)
    }
}

#[cfg(test)]
mod tests;
