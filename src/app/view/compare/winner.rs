//! Who is quickest of the rows of the table, in a few words.

use super::figures::TIME;
use super::why::{Counts, Named, in_words};

/// A row of the table, as far as its time counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// What it is called there.
    pub name: String,
    /// By what its work is known: by the place of the first row that came to the very same.
    pub work: usize,
    /// Whether it is what is set.
    pub is_set: bool,
    /// What is said of it as well where it is first.
    pub aside: &'static str,
    /// What a tick takes, in microseconds.
    pub us: f64,
    /// What of that is upkeep, what queries, and what single rectangles.
    pub parts: [f64; 3],
    /// What was counted of it.
    pub counts: Counts,
    /// The least of all readings of that on this moment.
    pub least_us: f64,
    /// The least reading of that, where they lie so far apart that nobody knows which one counts.
    pub doubtful_from: Option<f64>,
    /// Whether it has been read as often as its times are to be the medians of.
    pub is_read: bool,
    /// Whether no more readings of this moment come, whatever they have said.
    pub is_given_up: bool,
}

/// What of a tick is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Its upkeep and its queries.
    Alone,
    /// Both, and the single rectangles with which it is reckoned.
    WithRectangles,
}

impl Compared {
    /// That of a tick with so many rectangles.
    pub const fn with(rectangles: u32) -> Self {
        match rectangles {
            0 => Self::Alone,
            _ => Self::WithRectangles,
        }
    }

    /// What it is about to be the quickest.
    pub const fn caption(self) -> &'static str {
        match self {
            Self::Alone => "quickest at update and query:",
            Self::WithRectangles => "quickest at update, query and rectangles:",
        }
    }

    /// The same while rows are still read.
    const fn caption_so_far(self) -> &'static str {
        match self {
            Self::Alone => "quickest so far at update and query:",
            Self::WithRectangles => "quickest so far at update, query and rectangles:",
        }
    }

    /// And where the least readings are compared.
    const fn caption_by_least(self) -> &'static str {
        match self {
            Self::Alone => "quickest at update and query, by the least readings:",
            Self::WithRectangles => {
                "quickest at update, query and rectangles, by the least readings:"
            }
        }
    }

    /// What is added up.
    pub const fn sum(self) -> &'static str {
        match self {
            Self::Alone => "update + query",
            Self::WithRectangles => "update + query + rectangles",
        }
    }
}

/// What is said of them: what it is about, and at most two clauses, of which the last may be left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// What it is about.
    pub caption: &'static str,
    /// The clauses, the first of which says enough alone.
    pub clauses: Vec<String>,
    /// What stands between them: names in a row have commas of their own.
    pub between: &'static str,
    /// The last clause with names of those of whom it says only how many they are, for where there is room for that.
    pub names: Option<String>,
    /// Behind the first clause alone, where the last one says of somebody else that it may be the quickest: that in fewer words.
    pub doubt: Option<String>,
    /// Why the one that is named is the quickest, in sentences; nothing where none is.
    pub why: String,
}

impl Said {
    /// All that may be said, the most first: with all names, and then with fewer clauses. A doubt is left out last.
    pub fn variants(&self) -> Vec<String> {
        let whole = self.clauses.len();
        let all_but_last = self.clauses.iter().take(whole.saturating_sub(1));
        let named = self.names.iter().map(|names| {
            let parts: Vec<&str> = all_but_last.clone().map(String::as_str).collect();
            [&parts[..], &[names.as_str()]].concat().join(self.between)
        });
        let joined = |count: usize| self.clauses[..count].join(self.between);
        let mut all: Vec<String> = named.chain((2..=whole).rev().map(joined)).collect();
        if let Some(first) = self.clauses.first() {
            let doubt = self.doubt.iter();
            all.extend(doubt.map(|doubt| format!("{first}, {doubt}")));
            all.push(first.clone());
        }
        all
    }
}

/// Who is quickest of the rows that are there, of so many that are to come and have come.
pub fn quickest(rows: &[Contender], compared: Compared, (there, expected): (usize, usize)) -> Said {
    let say = |caption, clauses| Said {
        caption,
        clauses,
        between: ", ",
        ..Said::default()
    };
    if there < expected {
        let words = format!("still being measured, {there} of {expected} rows are there");
        return say(compared.caption(), vec![words]);
    }
    let caption = match rows.iter().all(|row| row.is_read) {
        true => compared.caption(),
        false => compared.caption_so_far(),
    };
    let is_doubtful = |row: &Contender| row.doubtful_from.is_some();
    if rows.iter().any(is_doubtful) && rows.iter().all(|row| row.is_given_up) {
        return by_least(rows, compared);
    }
    let mut sure: Vec<&Contender> = rows.iter().filter(|row| !is_doubtful(row)).collect();
    sure.sort_by(|a, b| a.us.total_cmp(&b.us));
    let Some((first, others)) = sure.split_first() else {
        let words = match rows.is_empty() {
            true => "none, as no row could be measured",
            false if rows.iter().any(|row| !row.is_read) => {
                "not known yet, as so few readings say little"
            }
            false => "not known, as the readings of every row lie far apart",
        };
        return say(caption, vec![words.to_owned()]);
    };
    if let Some(said) = untold(caption, first, rows) {
        return said;
    }
    let is_behind = |us: f64| TIME.ahead(first.us, us).is_some();
    // What was held up may be quicker than all of them: its least reading says whether.
    let perhaps: Vec<&str> = rows
        .iter()
        .filter(|row| row.doubtful_from.is_some_and(|least| !is_behind(least)))
        .map(|row| row.name.as_str())
        .collect();
    let alike = others.iter().filter(|row| !is_behind(row.us)).copied();
    let alike: Vec<_> = alike.collect();
    let perhaps = match &perhaps[..] {
        [] => {
            let why = why_of_medians(compared, first, others, rows);
            return first_of((caption, why), first, &alike, rows);
        }
        [one] => format!("perhaps {one}"),
        _ => format!("perhaps one of {} doubtful rows", perhaps.len()),
    };
    // Nobody knows that it is the quickest, so there is no reason for it.
    if alike.is_empty() {
        return say(caption, vec![first.called(), perhaps]);
    }
    // Those that are lit beside it in the table are named beside it here.
    let mut said = first_of((caption, String::new()), first, &alike, rows);
    let clauses = said.clauses.last_mut().into_iter().chain(&mut said.names);
    clauses.for_each(|clause| *clause += &format!("; {perhaps} is the quickest"));
    said.doubt = Some(perhaps);
    said
}

/// Why the first of the rows that are not doubtful is named: by the medians, beside the next of these, though a doubtful one may lie between
/// both.
fn why_of_medians(
    compared: Compared,
    first: &Contender,
    others: &[&Contender],
    rows: &[Contender],
) -> String {
    let is_between = |row: &Contender| {
        let least = row.doubtful_from.map(|least| least.min(row.us));
        let next = others.first();
        least.zip(next).is_some_and(|(least, next)| least < next.us)
    };
    let the_next = match rows.iter().any(is_between) {
        true => "the next that is not doubtful",
        false => "the next",
    };
    let by = format!("the median of {}", compared.sum());
    why(&by, first, (the_next, others), |row| {
        (row.us, Some(row.parts))
    })
}

/// Why the first of some rows is named, by this time of each; nothing where it stands alone.
fn why(
    by: &str,
    first: &Contender,
    (the_next, others): (&str, &[&Contender]),
    time: impl Fn(&Contender) -> (f64, Option<[f64; 3]>),
) -> String {
    let [first, next] = [Some(first), others.first().copied()].map(|row| {
        let row = row?;
        let (us, parts) = time(row);
        Some(Named {
            name: &row.name,
            us,
            parts,
            counts: row.counts,
        })
    });
    let both = first.zip(next);
    both.map_or(String::new(), |(first, next)| {
        in_words(by, &first, (the_next, &next))
    })
}

/// The quickest by the least reading of each row, where no more are made and some lie far apart: whatever else the machine does can only
/// lengthen a time, so the least one is the nearest to what it costs.
fn by_least(rows: &[Contender], compared: Compared) -> Said {
    let mut all: Vec<&Contender> = rows.iter().collect();
    all.sort_by(|a, b| a.least_us.total_cmp(&b.least_us));
    let caption = compared.caption_by_least();
    let said = all.split_first().map(|(first, others)| {
        let is_behind = |row: &Contender| TIME.ahead(first.least_us, row.least_us).is_some();
        let alike = others.iter().filter(|row| !is_behind(row)).copied();
        let by = format!("the least reading of {}", compared.sum());
        let next = ("the next", others);
        let mut why = why(&by, first, next, |row| (row.least_us, None));
        if !why.is_empty() {
            why.push_str(" The columns show medians, which other work on the machine moves more.");
        }
        first_of((caption, why), first, &alike.collect::<Vec<_>>(), rows)
    });
    said.unwrap_or(Said {
        caption,
        ..Said::default()
    })
}

/// The first of these rows, and those that are about as quick.
fn first_of(
    (caption, mut why): (&'static str, String),
    first: &Contender,
    alike: &[&Contender],
    rows: &[Contender],
) -> Said {
    let (mut clauses, mut names) = (vec![first.called()], None);
    if alike.len() + 1 == rows.len() && alike.len() > 1 {
        why.clear();
        clauses = vec!["none, all are about as quick".to_owned()];
    } else if !alike.is_empty() {
        let near = || std::iter::once(first).chain(alike.iter().copied());
        let is_same_work = near().all(|row| row.work == first.work);
        let of_its_work = || near().filter(|row| row.work == first.work);
        // Which of these has the least time is chance, for which there is no reason: the one that is set stands for them, or the first of the
        // table, and that it has no neighbour says nothing.
        let is_of_its_work = |row: &&Contender| of_its_work().any(|it| std::ptr::eq(it, *row));
        let named = rows.iter().filter(is_of_its_work);
        let named = named.min_by_key(|row| !row.is_set).unwrap_or(first);
        let others = near().filter(|row| !std::ptr::eq(*row, named));
        let all: Vec<&str> = others.map(|row| row.name.as_str()).collect();
        let are = match (is_same_work, alike.len()) {
            (true, 1) => "comes to the same work",
            (true, _) => "come to the same work",
            (false, _) => "about as quick",
        };
        if of_its_work().count() > 1 {
            why.clear();
            clauses = vec![named.name.clone()];
        }
        let named = format!("{} {are}", few_of(&all));
        let counted = format!("{} others {are}", alike.len());
        let is_short = alike.len() < 3;
        clauses.push(if is_short { named.clone() } else { counted });
        names = Some(named).filter(|_| !is_short);
    }
    Said {
        caption,
        clauses,
        between: "; ",
        names,
        why,
        ..Said::default()
    }
}

/// Names in a row: three of them at the most, and how many more there are.
fn few_of(names: &[&str]) -> String {
    const MOST: usize = 3;
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] if others.len() < MOST => format!("{} and {last}", others.join(", ")),
        _ => {
            let (named, more) = names.split_at(MOST);
            format!("{} and {} more", named.join(", "), more.len())
        }
    }
}

/// That it cannot be told, where a doubtful row stands before the first of those that are read well, or has a reading that is clearly
/// quicker: who of them is the quickest nobody knows.
fn untold(caption: &'static str, first: &Contender, rows: &[Contender]) -> Option<Said> {
    let may_be_quicker = |row: &&Contender| {
        row.doubtful_from
            .is_some_and(|least| row.us < first.us || TIME.ahead(least, first.us).is_some())
    };
    let mut all: Vec<&Contender> = rows.iter().filter(may_be_quicker).collect();
    if all.is_empty() {
        return None;
    }
    let why = match all.iter().all(|row| row.is_read) {
        true => "as readings lie far apart",
        false => "as rows are still being read",
    };
    all.push(first);
    all.sort_by(|a, b| a.us.total_cmp(&b.us));
    let names: Vec<&str> = all.iter().map(|row| row.name.as_str()).collect();
    let counted = match names[..] {
        [one, other] => format!("between {one} and {other}"),
        _ => format!("between {} rows", names.len()),
    };
    Some(Said {
        caption,
        clauses: vec![
            "cannot be told yet".to_owned(),
            format!("it lies {counted}, {why}"),
        ],
        between: ": ",
        names: (names.len() > 2).then(|| format!("it lies between {}, {why}", few_of(&names))),
        ..Said::default()
    })
}

impl Contender {
    /// Its name where it is first, with what is said of it as well.
    fn called(&self) -> String {
        format!("{}{}", self.name, self.aside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A work that no other row has come to.
    fn next_work() -> usize {
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        NEXT.fetch_add(1, Relaxed)
    }

    fn row(name: &str, us: f64) -> Contender {
        Contender {
            name: name.to_owned(),
            work: next_work(),
            is_set: false,
            aside: "",
            us,
            parts: [0.0, us, 0.0],
            counts: Counts::default(),
            least_us: us,
            doubtful_from: None,
            is_read: true,
            is_given_up: false,
        }
    }

    fn said(rows: &[Contender]) -> String {
        let said = quickest(rows, Compared::Alone, (rows.len(), rows.len()));
        assert!(said.clauses.len() <= 2);
        format!("{} {}", said.caption, said.clauses.join(said.between))
    }

    #[test]
    fn the_quickest_row_is_named_with_those_that_are_about_as_quick() {
        let mut rows = vec![row("BVH", 110.0), row("k-d tree", 100.0)];
        rows.push(row("quadtree", 300.0));
        let why = quickest(&rows, Compared::Alone, (3, 3)).why;
        let begin = "k-d tree is named by the median of update + query:";
        assert!(why.starts_with(begin) && why.contains("BVH"), "{why}");
        assert_eq!(
            said(&rows),
            "quickest at update and query: k-d tree; BVH about as quick"
        );
        rows[0].us = 120.0;
        rows[1].aside = " (the largest)";
        assert_eq!(
            said(&rows),
            "quickest at update and query: k-d tree (the largest)"
        );
        rows[1].aside = "";
        rows.extend([row("R", 101.0), row("S", 102.0)]);
        assert_eq!(
            said(&rows),
            "quickest at update and query: k-d tree; R and S about as quick"
        );
        rows.push(row("T", 103.0));
        assert_eq!(
            said(&rows),
            "quickest at update and query: k-d tree; 3 others about as quick"
        );
        let variants = quickest(&rows, Compared::Alone, (rows.len(), rows.len())).variants();
        assert_eq!(
            variants,
            [
                "k-d tree; R, S and T about as quick",
                "k-d tree; 3 others about as quick",
                "k-d tree",
            ]
        );
        // More than three names are a list that nobody reads.
        rows.extend([row("U", 104.0), row("V", 105.0)]);
        let variants = quickest(&rows, Compared::Alone, (rows.len(), rows.len())).variants();
        assert_eq!(
            variants[..2],
            [
                "k-d tree; R, S, T and 2 more about as quick",
                "k-d tree; 5 others about as quick",
            ]
        );
        let alike = ["1 m", "2 m", "4 m"].map(|name| row(name, 50.0));
        assert_eq!(quickest(&alike, Compared::Alone, (3, 3)).why, "");
        assert_eq!(
            said(&alike),
            "quickest at update and query: none, all are about as quick"
        );
    }

    #[test]
    fn with_rectangles_it_is_the_whole_sum_that_is_named_and_their_part_of_it() {
        let mut rows = vec![row("BVH", 300.0), row("sorted grid", 500.0)];
        (rows[0].parts, rows[1].parts) = ([20.0, 180.0, 100.0], [20.0, 100.0, 380.0]);
        let said = quickest(&rows, Compared::with(50), (2, 2));
        assert_eq!(said.caption, "quickest at update, query and rectangles:");
        assert_eq!(said.clauses, ["BVH"]);
        let begin = "BVH is named by the median of update + query + rectangles:";
        assert!(said.why.starts_with(begin), "{}", said.why);
        let parts = ["longer query", "less time in rectangles"];
        assert!(
            parts.iter().all(|part| said.why.contains(part)),
            "{}",
            said.why
        );
        assert_eq!(Compared::with(0), Compared::Alone);
    }

    #[test]
    fn of_rows_that_come_to_the_same_work_the_one_that_is_set_stands_for_all() {
        let mut rows = vec![row("1", 103.0), row("2", 101.0), row("4", 100.0)];
        rows.push(row("8", 300.0));
        rows[2].aside = " (the largest)";
        rows[0].is_set = true;
        assert!(said(&rows).ends_with(": 4 (the largest); 2 and 1 about as quick"));
        rows[..3].iter_mut().for_each(|row| row.work = 0);
        assert!(said(&rows).ends_with(": 1; 4 and 2 come to the same work"));
        assert_eq!(
            quickest(&rows, Compared::Alone, (4, 4)).why,
            "",
            "nobody is quicker"
        );
        rows[0].is_set = false;
        // Where none is set the first one of the table, whichever has the least time at present.
        assert!(said(&rows).ends_with(": 1; 4 and 2 come to the same work"));
        rows[1].us = 99.0;
        assert!(said(&rows).ends_with(": 1; 2 and 4 come to the same work"));
        rows[0].us = 200.0;
        assert!(said(&rows).ends_with(": 2; 4 comes to the same work"));
        // As is the first of two that both are what is set.
        rows[0].us = 103.0;
        rows[1..3].iter_mut().for_each(|row| row.is_set = true);
        assert!(said(&rows).ends_with(": 2; 4 and 1 come to the same work"));
        rows[2].us = 98.0;
        assert!(said(&rows).ends_with(": 2; 4 and 1 come to the same work"));
    }

    #[test]
    fn the_one_that_is_set_stands_for_those_of_its_work_beside_others_that_are_about_as_quick() {
        let mut rows = vec![row("4", 104.0), row("8", 102.0), row("16", 101.0)];
        rows.extend([row("32", 100.0), row("64", 300.0)]);
        rows[3].aside = " (the largest)";
        rows[2].is_set = true;
        assert!(said(&rows).ends_with(": 32 (the largest); 3 others about as quick"));
        assert!(!quickest(&rows, Compared::Alone, (5, 5)).why.is_empty());
        rows[1..4].iter_mut().for_each(|row| row.work = 0);
        let first =
            |rows: &[Contender]| quickest(rows, Compared::Alone, (5, 5)).variants()[0].clone();
        assert_eq!(first(&rows), "16; 32, 8 and 4 about as quick");
        assert_eq!(
            quickest(&rows, Compared::Alone, (5, 5)).why,
            "",
            "it is quicker than none"
        );
        rows[2].is_set = false;
        assert_eq!(first(&rows), "8; 32, 16 and 4 about as quick");
        // Who is set, but came to other work, stands for nobody.
        rows[0].is_set = true;
        assert_eq!(first(&rows), "8; 32, 16 and 4 about as quick");
    }

    #[test]
    fn rows_that_are_still_read_or_still_to_come_are_said_to_be() {
        let mut rows = vec![row("BVH", 110.0), row("k-d tree", 10.0)];
        rows[0].is_read = false;
        assert_eq!(said(&rows), "quickest so far at update and query: k-d tree");
        assert_eq!(
            quickest(&rows, Compared::Alone, (2, 9)).clauses,
            ["still being measured, 2 of 9 rows are there"]
        );
        for row in &mut rows {
            (row.doubtful_from, row.is_read) = (Some(row.us), false);
        }
        assert_eq!(
            said(&rows),
            "quickest so far at update and query: not known yet, as so few readings say little"
        );
        assert_eq!(
            said(&[]),
            "quickest at update and query: none, as no row could be measured"
        );
    }

    #[test]
    fn a_doubtful_row_does_not_win_but_may_be_the_quickest_all_the_same() {
        let mut rows = vec![row("1 unit", 16_900.0), row("2 units", 1_500.0)];
        rows.push(row("4 units", 1_550.0));
        rows[0].doubtful_from = Some(1_600.0);
        // Who is about as quick is lit in the table as well.
        assert_eq!(
            said(&rows),
            "quickest at update and query: 2 units; 4 units about as quick; perhaps 1 unit is the quickest"
        );
        let of_four = ["A", "B", "C"].map(|name| row(name, 1_520.0));
        let all: Vec<_> = rows.iter().cloned().chain(of_four).collect();
        assert_eq!(
            quickest(&all, Compared::Alone, (6, 6)).variants(),
            [
                "2 units; A, B, C and 1 more about as quick; perhaps 1 unit is the quickest",
                "2 units; 4 others about as quick; perhaps 1 unit is the quickest",
                "2 units, perhaps 1 unit",
                "2 units",
            ]
        );
        let of_two = &rows[..2];
        assert_eq!(
            said(of_two),
            "quickest at update and query: 2 units, perhaps 1 unit"
        );
        // One that has been read well is not the quickest because another one has not.
        rows[0].doubtful_from = Some(700.0);
        assert_eq!(
            said(&rows),
            "quickest at update and query: cannot be told yet: it lies between 2 units and 1 unit, as readings lie far apart"
        );
        rows[2].doubtful_from = Some(600.0);
        assert_eq!(
            said(&rows),
            "quickest at update and query: cannot be told yet: it lies between 3 rows, as readings lie far apart"
        );
        rows.push(Contender {
            doubtful_from: Some(650.0),
            is_read: false,
            ..row("8 units", 9_000.0)
        });
        assert_eq!(
            said(&rows),
            "quickest so far at update and query: cannot be told yet: it lies between 4 rows, as rows are still being read"
        );
        assert_eq!(
            quickest(&rows, Compared::Alone, (rows.len(), rows.len())).variants(),
            [
                "cannot be told yet: it lies between 2 units, 4 units, 8 units and 1 more, as rows are still being read",
                "cannot be told yet: it lies between 4 rows, as rows are still being read",
                "cannot be told yet",
            ]
        );
        rows.pop();
        rows[2].doubtful_from = None;
        rows[0].doubtful_from = Some(9_000.0);
        assert_eq!(
            said(&rows),
            "quickest at update and query: 2 units; 4 units about as quick"
        );
        for row in &mut rows {
            row.doubtful_from = Some(1.0);
        }
        assert_eq!(
            said(&rows),
            "quickest at update and query: not known, as the readings of every row lie far apart"
        );
    }

    #[test]
    fn a_reason_names_no_row_the_next_before_which_a_doubtful_one_may_lie() {
        let mut rows = vec![row("A", 100.0), row("B", 150.0), row("C", 300.0)];
        let why =
            |rows: &[Contender]| quickest(rows, Compared::Alone, (rows.len(), rows.len())).why;
        assert!(why(&rows).contains(", the next, B, takes"));
        rows[1].doubtful_from = Some(130.0);
        assert_eq!(said(&rows), "quickest at update and query: A");
        let words = why(&rows);
        assert!(
            words.contains(", the next that is not doubtful, C, takes"),
            "{words}"
        );
        // One that lies behind the next whatever its readings say takes nothing from it.
        rows[1].us = 900.0;
        rows[1].doubtful_from = Some(700.0);
        assert!(why(&rows).contains(", the next, C, takes"));
        // Where another one may be the quickest there is no reason.
        rows[1].us = 150.0;
        rows[1].doubtful_from = Some(105.0);
        assert_eq!(said(&rows), "quickest at update and query: A, perhaps B");
        assert_eq!(why(&rows), "");
    }

    #[test]
    fn nobody_is_named_who_stands_below_doubtful_rows() {
        // As a table of four stood: the third and the fourth are read well, and those above are not.
        let mut rows = vec![row("BVH", 501.0), row("k-d tree", 555.0)];
        rows.extend([row("sorted grid", 631.0), row("linked grid", 852.0)]);
        for (place, least) in [(0, 330.0), (1, 620.0)] {
            rows[place].doubtful_from = Some(least);
        }
        let variants = quickest(&rows, Compared::Alone, (4, 4)).variants();
        assert_eq!(
            variants[0],
            "cannot be told yet: it lies between BVH, k-d tree and sorted grid, as readings lie far apart"
        );
        assert!(
            variants
                .iter()
                .all(|words| words.starts_with("cannot be told yet"))
        );
    }

    #[test]
    fn rows_of_which_no_more_is_read_are_compared_by_their_least_readings_where_some_are_doubtful()
    {
        let mut rows = vec![row("BVH", 300.0), row("k-d tree", 250.0)];
        rows.push(row("quadtree", 900.0));
        for (row, least) in rows.iter_mut().zip([100.0, 110.0, 400.0]) {
            (row.least_us, row.is_given_up) = (least, true);
        }
        assert_eq!(
            said(&rows),
            "quickest at update and query: k-d tree",
            "none is doubtful"
        );
        rows[0].doubtful_from = Some(100.0);
        assert_eq!(
            said(&rows),
            "quickest at update and query, by the least readings: BVH; k-d tree about as quick"
        );
        // The columns seem to contradict that, and the reason says why.
        let of_medians = |rows: &[Contender]| {
            let why = quickest(rows, Compared::Alone, (rows.len(), rows.len())).why;
            why.contains("The columns show medians")
        };
        assert!(of_medians(&rows));
        rows[0].doubtful_from = None;
        assert!(!of_medians(&rows));
        for row in &mut rows {
            row.doubtful_from = Some(row.least_us);
        }
        rows[1].least_us = 130.0;
        rows[0].aside = " (the largest)";
        assert_eq!(
            said(&rows),
            "quickest at update and query, by the least readings: BVH (the largest)"
        );
        // While one of them is still read, nothing is settled.
        rows[2].is_given_up = false;
        assert_eq!(
            said(&rows),
            "quickest at update and query: not known, as the readings of every row lie far apart"
        );
    }
}
