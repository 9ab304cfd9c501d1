//! Who is quickest of the rows of the table, in a few words.

use super::figures::TIME;

/// A row of the table, as far as its time counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// What it is called there.
    pub name: String,
    /// What is said of it as well where it is first.
    pub aside: &'static str,
    /// Upkeep and queries of a tick, in microseconds.
    pub us: f64,
    /// The least reading of these, where they lie so far apart that nobody knows which one counts.
    pub doubtful_from: Option<f64>,
    /// Whether it has been read as often as it is to be.
    pub is_read: bool,
}

/// What is said of them: what it is about, and at most two clauses, of which the last may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// What it is about.
    pub caption: &'static str,
    /// The clauses, the first of which says enough alone.
    pub clauses: Vec<String>,
}

/// Who is quickest of the rows that are there, of so many that are to come and have come.
pub fn quickest(rows: &[Contender], (there, expected): (usize, usize)) -> Said {
    let say = |caption, clauses| Said { caption, clauses };
    if there < expected {
        let words = format!("still being measured, {there} of {expected} rows are there");
        return say("quickest here:", vec![words]);
    }
    let caption = match rows.iter().all(|row| row.is_read) {
        true => "quickest here:",
        false => "quickest so far:",
    };
    let mut sure: Vec<&Contender> = rows
        .iter()
        .filter(|row| row.doubtful_from.is_none())
        .collect();
    sure.sort_by(|a, b| a.us.total_cmp(&b.us));
    let Some((first, others)) = sure.split_first() else {
        let words = match rows.is_empty() {
            true => "none, as no row could be measured",
            false if rows.iter().any(|row| !row.is_read) => {
                "not known yet, as a single reading says little"
            }
            false => "not known, as the readings of every row lie far apart",
        };
        return say(caption, vec![words.to_owned()]);
    };
    // Whose least reading is clearly below the first one's is quicker, by how much nobody knows: then it is no winner that is read well.
    let mut quicker: Vec<(f64, &str)> = rows
        .iter()
        .filter_map(|row| Some((row.doubtful_from?, row.name.as_str())))
        .filter(|(least, _)| TIME.ahead(*least, first.us).is_some())
        .collect();
    quicker.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(((_, quickest), others)) = quicker.split_first() {
        let perhaps = match others.len() {
            0 => format!("perhaps {quickest}"),
            1 => format!("perhaps {quickest} or another doubtful row"),
            many => format!("perhaps {quickest} or one of {many} other doubtful rows"),
        };
        return say(caption, vec!["not known".to_owned(), perhaps]);
    }
    let is_behind = |us: f64| TIME.ahead(first.us, us).is_some();
    let alike: Vec<&str> = others
        .iter()
        .filter(|row| !is_behind(row.us))
        .map(|row| row.name.as_str())
        .collect();
    // What was held up may be quicker than all of them: its least reading says whether.
    let perhaps: Vec<&str> = rows
        .iter()
        .filter(|row| row.doubtful_from.is_some_and(|least| !is_behind(least)))
        .map(|row| row.name.as_str())
        .collect();
    let second = match (&perhaps[..], &alike[..]) {
        ([one], _) => Some(format!("perhaps {one}")),
        ([_, ..], _) => Some(format!("perhaps one of {} doubtful rows", perhaps.len())),
        ([], []) => None,
        ([], all) if all.len() + 1 == rows.len() && all.len() > 1 => {
            return say(caption, vec!["none, all are about as quick".to_owned()]);
        }
        ([], [one]) => Some(format!("{one} about as quick")),
        ([], [one, other]) => Some(format!("{one} and {other} about as quick")),
        ([], all) => Some(format!("{} others about as quick", all.len())),
    };
    let first = std::iter::once(format!("{}{}", first.name, first.aside));
    say(caption, first.chain(second).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, us: f64) -> Contender {
        Contender {
            name: name.to_owned(),
            aside: "",
            us,
            doubtful_from: None,
            is_read: true,
        }
    }

    fn said(rows: &[Contender]) -> String {
        let said = quickest(rows, (rows.len(), rows.len()));
        assert!(said.clauses.len() <= 2);
        format!("{} {}", said.caption, said.clauses.join(", "))
    }

    #[test]
    fn the_quickest_row_is_named_with_those_that_are_about_as_quick() {
        let mut rows = vec![row("BVH", 110.0), row("k-d tree", 100.0)];
        rows.push(row("quadtree", 300.0));
        assert_eq!(said(&rows), "quickest here: k-d tree, BVH about as quick");
        rows[0].us = 120.0;
        rows[1].aside = " (the largest)";
        assert_eq!(said(&rows), "quickest here: k-d tree (the largest)");
        rows[1].aside = "";
        rows.extend([row("R", 101.0), row("S", 102.0)]);
        assert_eq!(
            said(&rows),
            "quickest here: k-d tree, R and S about as quick"
        );
        rows.push(row("T", 103.0));
        assert_eq!(
            said(&rows),
            "quickest here: k-d tree, 3 others about as quick"
        );
        let alike = ["1 m", "2 m", "4 m"].map(|name| row(name, 50.0));
        assert_eq!(said(&alike), "quickest here: none, all are about as quick");
    }

    #[test]
    fn rows_that_are_still_read_or_still_to_come_are_said_to_be() {
        let mut rows = vec![row("BVH", 110.0), row("k-d tree", 10.0)];
        rows[0].is_read = false;
        assert_eq!(said(&rows), "quickest so far: k-d tree");
        assert_eq!(
            quickest(&rows, (2, 9)).clauses,
            ["still being measured, 2 of 9 rows are there"]
        );
        for row in &mut rows {
            (row.doubtful_from, row.is_read) = (Some(row.us), false);
        }
        assert_eq!(
            said(&rows),
            "quickest so far: not known yet, as a single reading says little"
        );
        assert_eq!(
            said(&[]),
            "quickest here: none, as no row could be measured"
        );
    }

    #[test]
    fn a_doubtful_row_does_not_win_but_may_be_the_quickest_all_the_same() {
        let mut rows = vec![row("1 unit", 16_900.0), row("2 units", 1_500.0)];
        rows.push(row("4 units", 1_550.0));
        rows[0].doubtful_from = Some(1_600.0);
        assert_eq!(said(&rows), "quickest here: 2 units, perhaps 1 unit");
        // One that has been read well is not the quickest because another one has not.
        rows[0].doubtful_from = Some(700.0);
        assert_eq!(said(&rows), "quickest here: not known, perhaps 1 unit");
        rows[2].doubtful_from = Some(600.0);
        assert_eq!(
            said(&rows),
            "quickest here: not known, perhaps 4 units or another doubtful row"
        );
        rows[2].doubtful_from = None;
        rows[0].doubtful_from = Some(9_000.0);
        assert_eq!(
            said(&rows),
            "quickest here: 2 units, 4 units about as quick"
        );
        for row in &mut rows {
            row.doubtful_from = Some(1.0);
        }
        assert_eq!(
            said(&rows),
            "quickest here: not known, as the readings of every row lie far apart"
        );
    }
}
