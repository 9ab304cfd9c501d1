//! The late loads as a list: which of them are shown, and in which words.
//!
//! Invariant: it is made anew when something of it has changed, and not in every frame.

use super::widgets::with_commas;
use skirmish::session::{Mark, MarkKind};
use skirmish::streaming::{Clock, Latecomers, Lateness, Renumberings, called, is_meant};
use skirmish::tick::STEP_SECONDS;
use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many are shown.
pub const SHOWN: usize = 6;

/// The list, and what somebody wants to see of it.
#[derive(Debug, Default)]
pub struct LateList {
    /// What was typed to list those late loads alone in which somebody was late who is meant by that.
    pub sought: String,
    /// How many of the first late loads the list leaves out, to show those after them.
    pub skipped: usize,
    /// Whether it begins with those that came the longest too late, and not with the latest.
    pub by_lateness: bool,
    /// Whether it has those of other runs, before or after a restart, in the place of those of the one that is shown.
    pub of_others: bool,
    /// What it was made of; nothing as long as it was not.
    of: Option<Of>,
    list: Listed,
}

/// What the list is made of.
#[derive(Debug)]
struct Of {
    marks: Arc<Vec<Mark>>,
    world: u64,
    numbers: Renumberings,
    sought: String,
    order: Order,
}

/// Which late loads are listed, and from where on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Order {
    by_lateness: bool,
    of_others: bool,
    skipped: usize,
}

/// The part of the late loads that is shown, and how many are not.
#[derive(Debug, Default, PartialEq)]
pub struct Listed {
    /// Those that are shown, in their order.
    pub rows: Vec<Row>,
    /// So many since the world began, those after the present tick among them; or so many of other runs, where it has these.
    pub all: usize,
    /// So many of these are of somebody who is sought.
    pub meant: usize,
    /// So many come before them: newer ones, where the latest is first.
    pub before: usize,
    /// So many come behind them: older ones, where the latest is first.
    pub behind: usize,
    /// How many there are, in words.
    pub note: String,
    /// The ticks of those that are meant, the first one first.
    ticks: Vec<u64>,
    /// What stands below the rows, which may be nothing.
    pub rest: String,
    /// Whether the rows are of other runs.
    pub is_of_others: bool,
    /// Whether a click on that shows others: those of other runs, or those of this one again.
    pub has_others: bool,
    /// So many before the world began anew.
    before_restart: usize,
    /// So many after it began anew once more, for whoever has gone back before that.
    after_restart: usize,
}

/// A late load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its tick.
    pub tick: u64,
    /// Its tick and how late they came; and the same in as few characters as it can be said.
    pub when: [String; 2],
    /// Who was late, in a few words.
    pub who: String,
    /// What of that follows the name, which is what may be shortened.
    pub rest: String,
    /// All who were late, as far as they are known, and what a click does.
    pub help: String,
    /// The same for who does not see it.
    pub spoken: String,
}

impl Row {
    /// Which of the forms of [`Row::when`] all of `rows` have: the shorter one where the other is too long, by `fits` of a form and of who
    /// was late: a name comes before the words around its times.
    pub fn form_for(rows: &[Self], fits: impl Fn(&str, &str) -> bool) -> usize {
        let fits_all = rows.iter().all(|row| fits(&row.when[0], &row.who));
        usize::from(!fits_all)
    }

    /// Who was late, with as much of the name as fits. What tells it from others of that name stays.
    pub fn shortened(&self, fits: impl Fn(&str) -> bool) -> Cow<'_, str> {
        let name = self.who.strip_suffix(&self.rest).unwrap_or_default();
        if fits(&self.who) || name.is_empty() {
            return Cow::Borrowed(&self.who);
        }
        let ends: Vec<usize> = name.char_indices().map(|(end, _)| end).collect();
        let cut = |end: usize| format!("{}…{}", &name[..end], self.rest);
        // Of nothing but the dots nobody learns more than of the rest alone.
        let fitting = ends[1..].partition_point(|end| fits(&cut(*end)));
        match fitting {
            0 => Cow::Borrowed(self.rest.trim_start()),
            some => Cow::Owned(cut(ends[some])),
        }
    }
}

impl LateList {
    /// The list of the late loads among `marks` in the world that was made at the tick `world`, whose objects have been given other
    /// `numbers` since.
    pub fn update(&mut self, marks: &Arc<Vec<Mark>>, world: u64, numbers: &Renumberings) {
        if self.of.as_ref().is_some_and(|of| of.world != world) {
            // Of a world that begins anew the list begins at its newest.
            self.skipped = 0;
            self.of_others = false;
        }
        let order = Order {
            by_lateness: self.by_lateness,
            of_others: self.of_others,
            skipped: self.skipped,
        };
        let is_new = self.of.as_ref().is_none_or(|of| {
            let is_same = Arc::ptr_eq(&of.marks, marks) && of.world == world;
            let is_same = is_same && of.numbers.is_same(numbers);
            !is_same || of.order != order || of.sought != self.sought
        });
        if is_new {
            let meant = self.sought_for();
            self.list = listed(marks, (world, numbers), &meant, order);
            self.of = Some(Of {
                marks: Arc::clone(marks),
                world,
                numbers: numbers.clone(),
                sought: self.sought.clone(),
                order,
            });
        }
    }

    /// What it showed last.
    pub fn list(&self) -> &Listed {
        &self.list
    }

    /// What is sought, in small letters.
    pub fn sought_for(&self) -> String {
        self.sought.trim().to_lowercase()
    }
}

impl Listed {
    /// How many there are, in words, and how many of them are still to come for whoever has gone back to this tick.
    pub fn note_at(&self, tick: u64) -> Cow<'_, str> {
        match self.to_come(tick) {
            0 => Cow::Borrowed(&self.note),
            some => Cow::Owned(format!(
                "{}, {} to come",
                self.note,
                with_commas(some as u64)
            )),
        }
    }

    fn to_come(&self, tick: u64) -> usize {
        self.ticks.len() - self.ticks.partition_point(|it| *it <= tick)
    }
}

/// For what those of a late load waited who are among `selected`, in a sentence: for each reason how many; nothing as long as of none of
/// them it is known. `selected` are numbers of now.
pub fn reasons(
    marks: &[Mark],
    (tick, world, numbers): (u64, u64, &Renumberings),
    selected: &[u32],
) -> Option<String> {
    /// Of more nobody asks for what each waited.
    const MOST: usize = 4_096;
    if selected.len() > MOST {
        return None;
    }
    let is_it =
        |mark: &&Mark| mark.kind == MarkKind::Late && (mark.tick, mark.world) == (tick, world);
    let late = Late::of(marks.iter().find(is_it)?, numbers);
    let of_them = late.came.iter().filter(|(it, _)| selected.contains(it));
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for why in of_them.filter_map(|(_, lateness)| lateness.waited_for()) {
        *counts.entry(why).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let words = counts.iter().map(|(why, count)| format!("{count} {why}"));
    let words: Vec<_> = words.collect();
    let known: u32 = counts.iter().map(|(_, count)| count).sum();
    let rest = match (selected.len() as u32).saturating_sub(known) {
        0 => String::new(),
        rest => format!("; of {rest} it is not known"),
    };
    (known > 0).then(|| {
        format!(
            "Most of their time they waited: {}{rest}.",
            words.join(", ")
        )
    })
}

/// A late load whose objects are called by the numbers that they have by now, as they are wherever else they are named.
struct Late<'m> {
    mark: &'m Mark,
    who: Arc<Latecomers>,
    /// How late those came who have come, or that they were given up.
    came: Vec<(u32, &'m Lateness)>,
    /// How many of those who are known one by one were taken away since.
    gone: usize,
}

impl<'m> Late<'m> {
    fn of(mark: &'m Mark, numbers: &Renumberings) -> Self {
        let now = |number: u32| numbers.now(number, mark.numbering);
        let who = match mark.numbering < numbers.count() {
            true => Arc::new(mark.who.numbered(now)),
            false => Arc::clone(&mark.who),
        };
        let came = mark.came.iter().map(|it| &it.lateness);
        let came = came.filter_map(|it| Some((now(it.needed_as())?, it)));
        Self {
            mark,
            came: came.collect(),
            gone: mark.who.known().count() - who.known().count(),
            who,
        }
    }

    /// Of those who have come, or were given up, and are sought: how late.
    fn told(&self, sought: &str) -> impl Iterator<Item = (u32, &'m Lateness)> {
        let is_sought = move |object: u32| {
            let mut known = self.who.known();
            sought.is_empty() || known.any(|(name, it)| it == object && is_meant(name, it, sought))
        };
        let all = self.came.iter().copied();
        all.filter(move |(object, _)| is_sought(*object))
    }

    /// Who of those came the latest, the first of as many; nobody as long as none of them has come.
    fn latest(&self, sought: &str) -> Option<(u32, &'m Lateness)> {
        let came = self.told(sought).filter(|(_, it)| !it.is_given_up());
        came.reduce(|a, b| if b.1.seconds() > a.1.seconds() { b } else { a })
    }
}

/// Of the late loads among `marks` all that are known of the world that was made at the tick `world` in which somebody was late who is `sought`,
/// the latest first, or those that came the longest too late, but for the first `skipped`. Who goes back to one of them has the same list there; who
/// goes back beyond a restart has that of the world before it, and may have those of other worlds in its place.
fn listed(
    marks: &[Mark],
    (world, numbers): (u64, &Renumberings),
    sought: &str,
    asked: Order,
) -> Listed {
    let Order {
        by_lateness,
        of_others,
        skipped,
    } = asked;
    let (mut all_here, mut all_elsewhere) = (0, 0);
    let (mut before_restart, mut after_restart) = (0, 0);
    let mut order: Vec<(&Mark, u32)> = Vec::new();
    let mut others = Vec::new();
    // Numbers of another world are those that they were.
    let as_then = Renumberings::default();
    for mark in marks.iter().filter(|mark| mark.kind == MarkKind::Late) {
        match mark.world == world {
            true => all_here += 1,
            false => all_elsewhere += 1,
        }
        let count = match sought {
            "" => mark.count,
            _ if mark.world == world => Late::of(mark, numbers).who.count_meant(sought),
            _ => mark.who.count_meant(sought),
        };
        match mark.world.cmp(&world) {
            _ if count == 0 => continue,
            Ordering::Less => before_restart += 1,
            Ordering::Equal => {
                order.push((mark, count));
                continue;
            }
            Ordering::Greater => after_restart += 1,
        }
        others.push((mark, count));
    }
    let others_are_known = !others.is_empty();
    let is_swapped = of_others && others_are_known;
    let all = if is_swapped { all_elsewhere } else { all_here };
    let numbers = match is_swapped {
        true => {
            order = others;
            &as_then
        }
        false => numbers,
    };
    let known = order.len();
    // Of other runs none is still to come in this one.
    let of_this = order.iter().filter(|(mark, _)| mark.world == world);
    let ticks = of_this.map(|(mark, _)| mark.tick).collect();
    order.reverse();
    if by_lateness {
        let longest = |(mark, count)| {
            let late = Late::of(mark, numbers);
            let latest = late.latest(sought).map_or(0.0, |(_, it)| it.seconds());
            (latest, (mark, count))
        };
        let mut of_all: Vec<_> = order.into_iter().map(longest).collect();
        // Of those that are as late the latest stays first.
        of_all.sort_by(|a, b| b.0.total_cmp(&a.0));
        order = of_all.into_iter().map(|(_, it)| it).collect();
    }
    // A list that has become shorter ends at its last.
    let before_them = skipped.min(known.saturating_sub(1));
    let end = (before_them + SHOWN).min(known);
    Listed {
        rows: order[before_them..end]
            .iter()
            .map(|(mark, meant)| row(&Late::of(mark, numbers), *meant, sought))
            .collect(),
        all,
        meant: known,
        before: before_them,
        behind: known - end,
        note: match is_swapped {
            true => format!("{} of other runs", note(known, known)),
            false => note(known, all),
        },
        ticks,
        rest: match is_swapped {
            true => "Back to those of this run".to_owned(),
            false => rest(!sought.is_empty(), known, before_restart, after_restart),
        },
        is_of_others: is_swapped,
        has_others: others_are_known,
        before_restart,
        after_restart,
    }
}

/// The row of a mark, of those who were late in which so many are sought.
fn row(late: &Late<'_>, meant: u32, sought: &str) -> Row {
    let mark = late.mark;
    let tick = format!("tick {}", with_commas(mark.tick));
    let seconds = (mark.tick - mark.began) as f64 * STEP_SECONDS;
    let at = Clock::of(mark.world, mark.began).since(seconds);
    let mut all = all_who_were_late(&late.who, mark.count, &late.came);
    if let gone @ 1.. = late.gone {
        all = format!("{all} ({} taken away since)", with_commas(gone as u64));
    }
    let it = match (meant, mark.count) {
        (1, 1) => "it".to_owned(),
        (meant, count) if meant == count => "them all".to_owned(),
        (1, _) => who_was_late(&late.who, None, 1, sought).0,
        (meant, _) => format!("{} of them", with_commas(u64::from(meant))),
    };
    // Of nobody among them may be known what became of it.
    let how_late = how_late(late, meant, sought).unwrap_or_else(|| "late".to_owned());
    let when = [
        format!("{tick}, {how_late}"),
        format!("{} · {}", with_commas(mark.tick), in_brief(&how_late)),
    ];
    let latest = late.latest(sought).map(|(object, _)| object);
    let (who, rest) = who_was_late(&late.who, latest, meant, sought);
    Row {
        tick: mark.tick,
        when,
        who,
        rest,
        help: format!(
            "Late: {all}, needed at {tick} ({at}).\nA click goes there and selects {it}."
        ),
        spoken: format!("Go to {tick}, late: {all}"),
    }
}

/// How late they came who are sought, in words: the latest of several; nothing as long as of none of them is known what became of it.
fn how_late(late: &Late<'_>, meant: u32, sought: &str) -> Option<String> {
    let is_given_up = |(_, it): &(u32, &Lateness)| it.is_given_up();
    let given_up = late.told(sought).filter(is_given_up).count();
    let came = late.told(sought).count() - given_up;
    let latest = late.latest(sought).map(|(_, it)| it.words());
    // As long as some of them are missing, or are not known, nobody knows how late the last one comes.
    Some(match (latest, given_up, meant) {
        (None, 0, _) => return None,
        (None, 1, 1) => "given up".to_owned(),
        (None, given_up, _) => format!("late, {given_up} given up"),
        (Some(words), _, 1) => format!("{words} late"),
        (Some(words), ..) if came < meant as usize => format!("at least {words} late"),
        (Some(words), ..) => format!("up to {words} late"),
    })
}

/// The same in as few characters as it can be said: that it is late is known in a list of the late.
fn in_brief(how_late: &str) -> String {
    let words = how_late.strip_suffix(" late").unwrap_or(how_late);
    let words = words.strip_prefix("late, ").unwrap_or(words);
    let words = words.strip_prefix("up to ").unwrap_or(words);
    match words.strip_prefix("at least ") {
        Some(words) => format!("over {words}"),
        None => words.to_owned(),
    }
}

/// Who was late, in a few words: the `latest` of those who are sought, of whom the row says how late, or the first as long as that is not
/// known, and how many more of these there are. Also what of that follows the name.
fn who_was_late(
    who: &Latecomers,
    latest: Option<u32>,
    meant: u32,
    sought: &str,
) -> (String, String) {
    let named = who.known().find(|(_, object)| Some(*object) == latest);
    let first = || {
        let mut known = who.known();
        known.find(|(name, object)| is_meant(name, *object, sought))
    };
    let Some((name, object)) = named.or_else(first) else {
        return (objects(meant), objects(meant));
    };
    let others = match meant {
        1 => String::new(),
        _ => format!(" + {}", with_commas(u64::from(meant - 1))),
    };
    let who = format!("{}{others}", called(name, object));
    (who, format!(" {object}{others}"))
}

/// All who were late, as each is called, by how much as far as that is known, and how many there are beside those who are known.
fn all_who_were_late(who: &Latecomers, count: u32, came: &[(u32, &Lateness)]) -> String {
    let known = who.known().map(|(name, object)| {
        let name = called(name, object);
        match came.iter().find(|(it, _)| *it == object) {
            Some((_, it)) if it.is_given_up() => format!("{name} (given up)"),
            Some((_, it)) => format!("{name} ({} late)", it.words()),
            None => name,
        }
    });
    let known: Vec<String> = known.collect();
    match count.saturating_sub(known.len() as u32) {
        _ if known.is_empty() => objects(count),
        0 => known.join(", "),
        more => format!(
            "{} and {} more",
            known.join(", "),
            with_commas(u64::from(more))
        ),
    }
}

fn objects(count: u32) -> String {
    match count {
        1 => "1 object".to_owned(),
        count => format!("{} objects", with_commas(u64::from(count))),
    }
}

/// At how many ticks somebody was late, of whom so many are meant.
fn note(meant: usize, all: usize) -> String {
    let [meant_words, all_words] = [meant, all].map(|count| with_commas(count as u64));
    match (meant, all) {
        (_, 0) => "none yet".to_owned(),
        (1, 1) => "at 1 tick".to_owned(),
        (meant, all) if meant == all => format!("at {all_words} ticks"),
        _ => format!("at {meant_words} of {all_words} ticks"),
    }
}

/// What stands below the rows: that there are none, and how many late loads there were before the world began anew, and after it did so
/// once more.
fn rest(is_sought: bool, meant: usize, before: usize, after: usize) -> String {
    let [before_it, after_it] = [before, after].map(|count| with_commas(count as u64));
    match (before, after) {
        (0, 0) if meant > 0 => String::new(),
        (0, 0) if is_sought => "No late load is known to have such a name or number.".to_owned(),
        (0, 0) => "Nothing has come late.".to_owned(),
        (_, 0) => format!("and {before_it} before the restart"),
        (0, _) => format!("and {after_it} after a later restart"),
        _ => format!("and {before_it} before the restart, {after_it} after a later one"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session, Units};

    /// Rides through the open world for so many ticks.
    fn ride(session: &mut Session, ticks: u64) {
        let cancel = Cancel::default();
        for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        for _ in 0..ticks {
            session.tick(&cancel, &mut ()).expect("a tick");
        }
    }

    #[test]
    fn whoever_was_late_is_called_as_everywhere_and_the_row_is_short() {
        let who = Latecomers::of([("pond-1", 46), ("pond-1", 47), ("", 50)].into_iter());
        let said = |count| all_who_were_late(&who, count, &[]);
        assert_eq!(said(3), "pond-1 46, pond-1 47, object 50");
        assert_eq!(
            said(1_006),
            "pond-1 46, pond-1 47, object 50 and 1,003 more"
        );
        let row = |sought, meant| who_was_late(&who, None, meant, sought).0;
        assert_eq!(row("", 3), "pond-1 46 + 2");
        assert_eq!(row("", 1_006), "pond-1 46 + 1,005");
        assert_eq!(row("47", 1), "pond-1 47");
        // Of several the one is named of whom it is said how late.
        assert_eq!(who_was_late(&who, Some(47), 3, "").0, "pond-1 47 + 2");
        assert_eq!(who_was_late(&who, Some(99), 3, "").0, "pond-1 46 + 2");
        assert_eq!(row("object", 1), "object 50");
        // Of one of that name it is known that there are some, and no more.
        assert_eq!(row("tree", 12), "12 objects");
        assert_eq!(
            all_who_were_late(&Latecomers::default(), 2, &[]),
            "2 objects"
        );
        assert_eq!(
            all_who_were_late(&Latecomers::default(), 1, &[]),
            "1 object"
        );
    }

    #[test]
    fn where_a_row_is_narrow_the_name_is_shortened_and_nothing_else() {
        let row = |name: &str, meant| {
            let who = Latecomers::of([(name, 4090), (name, 4091)].into_iter());
            let (who, rest) = who_was_late(&who, None, meant, "");
            let when = [String::new(), String::new()];
            let [help, spoken] = when.clone();
            Row {
                tick: 948,
                when,
                who,
                rest,
                help,
                spoken,
            }
        };
        let short = |row: &Row, most: usize| {
            let fits = |words: &str| words.chars().count() <= most;
            row.shortened(fits).into_owned()
        };
        let house = row("house-1", 2);
        for (most, said) in [
            (99, "house-1 4090 + 1"),
            (16, "house-1 4090 + 1"),
            (15, "house… 4090 + 1"),
            (11, "h… 4090 + 1"),
            (10, "4090 + 1"),
            (2, "4090 + 1"),
        ] {
            assert_eq!(short(&house, most), said);
        }
        assert_eq!(short(&row("Überhäuser", 1), 9), "Übe… 4090");
        // Of nobody it is known who it was.
        let objects = |most| {
            let (who, rest) = who_was_late(&Latecomers::default(), None, 12, "");
            short(
                &Row {
                    who,
                    rest,
                    ..row("", 1)
                },
                most,
            )
        };
        assert_eq!(objects(4), "12 objects");
    }

    #[test]
    fn where_a_row_is_narrow_its_times_are_shortened_before_its_name() {
        let row = |tick: &str, who: &str| Row {
            tick: 0,
            when: [
                format!("tick {tick}, up to 533 ms late"),
                format!("{tick} · {}", in_brief("up to 533 ms late")),
            ],
            who: who.to_owned(),
            rest: String::new(),
            help: String::new(),
            spoken: String::new(),
        };
        let rows = [row("10,701", "pond-1 1343 + 1"), row("948", "tree-2 3")];
        let form = |most: usize| {
            let long = |words: &str| words.chars().count();
            Row::form_for(&rows, |when, who| long(when) + long(who) <= most)
        };
        assert_eq!(rows[0].when[1], "10,701 · 533 ms");
        assert_eq!([70, 50, 40, 10].map(form), [0, 0, 1, 1]);
        let brief = |words| in_brief(words);
        assert_eq!(brief("533 ms late"), "533 ms");
        assert_eq!(brief("at least 533 ms late"), "over 533 ms");
        assert_eq!(brief("late, 3 given up"), "3 given up");
        assert_eq!(brief("given up"), "given up");
        assert_eq!(brief("late"), "late");
    }

    #[test]
    fn the_list_is_made_anew_when_something_of_it_has_changed() {
        let marks = Arc::new(Vec::new());
        let numbers = Renumberings::default();
        let mut list = LateList::default();
        list.update(&marks, 0, &numbers);
        assert_eq!((list.list().note.as_str(), list.skipped), ("none yet", 0));
        let before = list.list().rest.as_ptr();
        list.update(&marks, 0, &numbers);
        assert_eq!(list.list().rest.as_ptr(), before);
        list.sought = " Pond".to_owned();
        list.update(&marks, 0, &numbers);
        assert!(list.list().rest.starts_with("No late load is known"));
        // Of another world it begins at its newest.
        list.skipped = 6;
        list.update(&marks, 0, &numbers);
        assert_eq!(list.skipped, 6);
        list.update(&marks, 9, &numbers);
        assert_eq!(list.skipped, 0);
    }

    #[test]
    fn who_has_gone_back_learns_how_many_late_loads_are_still_to_come() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        ride(&mut session, 400);
        let numbers = session.world().expect("a world").streaming().renumberings();
        let marks = session.timeline().marks().list();
        let list = listed(marks, (0, numbers), "", Order::default());
        let newest = list.rows.first().expect("a row").tick;
        assert_eq!(list.note_at(newest), list.note);
        assert_eq!(
            list.note_at(newest - 1),
            format!("{}, 1 to come", list.note)
        );
        assert_eq!(list.to_come(0), list.all);
    }

    #[test]
    fn for_what_several_waited_is_counted() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        ride(&mut session, 600);
        let numbers = session.world().expect("a world").streaming().renumberings();
        let marks = session.timeline().marks().list();
        let several = marks
            .iter()
            .find(|mark| mark.kind == MarkKind::Late && mark.came.len() > 1);
        let several = several.expect("several that were late at once and came");
        let came = several.came.iter().map(|it| it.object);
        let selected: Vec<u32> = came.collect();
        let said = |tick: u64, selected: &[u32]| reasons(marks, (tick, 0, numbers), selected);
        let all = said(several.tick, &selected).expect("reasons");
        assert!(all.starts_with("Most of their time they waited: ") && !all.contains("not known"));
        let counts = all.split(' ').filter_map(|word| word.parse::<usize>().ok());
        assert_eq!(counts.sum::<usize>(), selected.len(), "{all}");
        // Of who was not late then nothing is known.
        let with_another = [&selected[..], &[u32::MAX]].concat();
        let all = said(several.tick, &with_another).expect("reasons");
        assert!(all.ends_with("; of 1 it is not known."), "{all}");
        assert_eq!(said(several.tick, &[u32::MAX]), None);
        assert_eq!(said(several.tick + 1_000_000, &selected), None);
    }

    #[test]
    fn whoever_was_late_is_called_by_the_number_that_it_has_by_now() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        ride(&mut session, 400);
        let rows = |session: &Session| {
            let numbers = session.world().expect("a world").streaming().renumberings();
            let marks = session.timeline().marks().list();
            let list = listed(marks, (0, numbers), "", Order::default());
            list.rows.into_iter().map(|row| (row.who, row.help))
        };
        let known = |session: &Session| {
            let marks = session.timeline().marks().list();
            let last = marks.iter().rev().find(|mark| mark.kind == MarkKind::Late);
            let known = last.expect("a late load").who.known();
            let known = known.map(|(name, object)| (name.to_owned(), object));
            known.collect::<Vec<_>>()
        };
        let (who, help) = rows(&session).next().expect("a row");
        let is_named = |(name, object): &(String, u32)| {
            let named = who.split(" + ").next();
            named == Some(called(name, *object).as_str())
        };
        let named = known(&session).into_iter().find(is_named);
        let (name, object) = named.expect("one that is known");
        assert!(object > 0 && help.contains(&called(&name, object)));
        let remove = |session: &mut Session, object: u32| {
            let objects = Action::RemoveObjects(Units::new(vec![object]));
            session
                .apply(objects, false, &Cancel::default())
                .expect("an edit");
        };
        remove(&mut session, 0);
        let (who, help) = rows(&session).next().expect("a row");
        let now = called(&name, object - 1);
        assert!(
            who.starts_with(&now) && help.contains(&now),
            "{who}: {help}"
        );
        remove(&mut session, object - 1);
        let (who, help) = rows(&session).next().expect("a row");
        assert!(!who.starts_with(&now), "{who}");
        assert!(help.contains("(1 taken away since)"), "{help}");
    }

    #[test]
    fn late_loads_before_a_restart_are_said_apart_and_the_others_are_as_many_as_are_counted() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let numbers = Renumberings::default();
        let counted = |session: &Session, skipped| {
            let world = session.world().expect("a world");
            let marks = session.timeline().marks().list();
            let made = session.world_made();
            let list = listed(
                marks,
                (made, &numbers),
                "",
                Order {
                    skipped,
                    ..Order::default()
                },
            );
            let sum = |marks: &[&Mark]| marks.iter().map(|mark| u64::from(mark.count)).sum::<u64>();
            let late = marks
                .iter()
                .filter(|mark| mark.kind == MarkKind::Late && mark.world == made)
                .collect::<Vec<_>>();
            assert_eq!(list.all, late.len());
            let is_past = |mark: &&&Mark| mark.tick <= session.tick_count();
            let past: Vec<_> = late.iter().filter(is_past).copied().collect();
            assert_eq!(sum(&past), world.streaming().statistics().late_loads);
            (
                list.all,
                list.rows.iter().map(|row| row.tick).collect::<Vec<_>>(),
                (list.before, list.behind),
                (list.before_restart, list.after_restart),
            )
        };
        ride(&mut session, 2400);
        // Each row says how late they came, and is shortened from its end.
        let list = listed(
            session.timeline().marks().list(),
            (0, &numbers),
            "",
            Order::default(),
        );
        for row in &list.rows {
            let [short, brief] = &row.when;
            assert!(short.ends_with(" late"), "{row:?}");
            let tick = format!("tick {}, ", with_commas(row.tick));
            assert!(short.starts_with(&tick), "{row:?}");
            let tick = format!("{} · ", with_commas(row.tick));
            assert!(brief.starts_with(&tick), "{row:?}");
            assert!(brief.chars().count() < short.chars().count(), "{row:?}");
            assert!(row.help.contains(" late)"), "{row:?}");
        }
        let (all, latest, (newer, older), before) = counted(&session, 0);
        assert!(all > SHOWN, "{all} late loads");
        assert_eq!((newer, older + latest.len(), before), (0, all, (0, 0)));
        // Step by step to the oldest one: each is shown once.
        let mut seen = latest;
        while let (_, more, (_, 1..), _) = counted(&session, seen.len()) {
            seen.extend(more);
        }
        seen.extend(counted(&session, seen.len()).1);
        seen.dedup();
        assert_eq!(seen.len(), all);
        assert!(seen.is_sorted_by(|a, b| a > b));
        // Or those first that came the longest too late, and of those that are as late the latest.
        let marks = session.timeline().marks().list();
        let mut longest: Vec<(f64, u64)> = Vec::new();
        loop {
            let list = listed(
                marks,
                (0, &numbers),
                "",
                Order {
                    by_lateness: true,
                    skipped: longest.len(),
                    ..Order::default()
                },
            );
            let seconds = |tick| {
                let is_it = |mark: &&Mark| mark.kind == MarkKind::Late && mark.tick == tick;
                let came = marks.iter().find(is_it).expect("it").came.iter();
                let came = came.filter(|it| !it.lateness.is_given_up());
                came.map(|it| it.lateness.seconds()).fold(0.0, f64::max)
            };
            longest.extend(list.rows.iter().map(|row| (seconds(row.tick), row.tick)));
            if list.behind == 0 {
                break;
            }
        }
        assert!(longest.is_sorted_by(|a, b| a > b), "{longest:?}");
        assert!(longest.len() == all && longest[0].0 > 0.0);
        let restart = Action::Restart;
        session
            .apply(restart, false, &Cancel::default())
            .expect("a world");
        assert_eq!(counted(&session, 0), (0, Vec::new(), (0, 0), (all, 0)));
        // Those of the run before are listed where somebody wants them, and none of them is to come.
        let made = session.world_made();
        let of = |of_others| Order {
            of_others,
            ..Order::default()
        };
        let marks = session.timeline().marks().list();
        let before = listed(marks, (made, &numbers), "", of(true));
        let words = format!("{} of other runs", note(all, all));
        assert_eq!(
            (before.all, before.meant, before.note_at(0)),
            (all, all, words.into())
        );
        assert_eq!(
            before.rows,
            listed(marks, (0, &numbers), "", of(false)).rows
        );
        assert!(before.has_others && before.rest.starts_with("Back to"));
        // Where none of them is meant it is those of this run.
        let nobody = listed(marks, (made, &numbers), "xyz", of(true));
        assert_eq!((nobody.all, nobody.has_others), (0, false));
        ride(&mut session, 600);
        let (again, .., around) = counted(&session, 0);
        assert!(again > 0 && around == (all, 0));
        // Who takes the restart back is in the first world again, whose clock goes on from where it was.
        while session.world_made() > 0 {
            let undo = session.apply(Action::Undo, false, &Cancel::default());
            undo.expect("an edit");
        }
        let (back, _, _, around) = counted(&session, 0);
        assert_eq!((back, around), (all, (0, again)));
        ride(&mut session, 400);
        assert!(counted(&session, 0).0 > all);
        // Whoever goes back before the restart has the list of the world before it, and its seconds.
        session
            .seek(2399, &Cancel::default(), &mut ())
            .expect("the past");
        let (before, ticks, _, around) = counted(&session, 0);
        assert!(before > all && around == (0, again));
        assert!(!ticks.is_empty());
        assert_eq!(rest(false, 5, 0, 1_234), "and 1,234 after a later restart");
        assert_eq!(rest(false, 5, 3, 0), "and 3 before the restart");
        let both = "and 3 before the restart, 2 after a later one";
        assert_eq!(rest(false, 5, 3, 2), both);
    }
}
