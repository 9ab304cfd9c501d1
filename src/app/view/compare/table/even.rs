//! Where none of the values of a setting is the best one, and why.

use super::value_count;
use crate::app::state::App;
use crate::app::worker::SurveyRow;
use skirmish::partition::Knob;

/// Why none of the values of a setting is the best one: what parts their times is chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Even {
    /// All of them come to the very same work.
    SameWork,
    /// The setting acts while units move, and rows are built anew: what it costs or saves over time is in none of them.
    InMoves,
}

impl Even {
    /// What is said in the place of the quickest one, in two clauses at the most, and what stands between them.
    pub fn in_words(self, knob: &Knob) -> (Vec<String>, &'static str) {
        let words = match self {
            Self::SameWork => vec![format!(
                "none, as every {} comes to the same work",
                knob.name
            )],
            Self::InMoves => vec![
                "not told, as this setting acts while units move".to_owned(),
                "lanes set otherwise show it in the race".to_owned(),
            ],
        };
        (words, "; ")
    }
}

/// Whether none of the values of a setting is the best one, once all of them are there.
pub fn even(app: &App, rows: &[&SurveyRow], (at, knob): (usize, &Knob)) -> Option<Even> {
    let are_there = rows.len() >= value_count(app, at, knob);
    let are_of_now = rows.iter().all(|row| !row.is_of_before);
    even_of(same_work(rows), knob).filter(|_| are_there && are_of_now)
}

fn even_of(same_work: Option<bool>, knob: &Knob) -> Option<Even> {
    match same_work {
        _ if knob.acts_on_update => Some(Even::InMoves),
        Some(true) => Some(Even::SameWork),
        Some(false) | None => None,
    }
}

/// Whether rows came to the very same work; `None` where that is not known of all of them.
fn same_work(rows: &[&SurveyRow]) -> Option<bool> {
    let (first, others) = rows.split_first()?;
    let all: Vec<Option<bool>> = others.iter().map(|row| first.worked_as(row)).collect();
    match all.contains(&Some(false)) {
        true => Some(false),
        false => all.iter().all(Option::is_some).then_some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;
    use skirmish::structure::StructureKind;

    #[test]
    fn how_a_structure_learns_of_moves_acts_while_units_move() {
        for kind in Kind::ALL {
            let info = StructureKind::from(*kind).info();
            for knob in info.knobs {
                let is_sure = knob.key != "update" || knob.acts_on_update;
                assert!(is_sure, "{} of {}", knob.key, info.key);
                assert!(!(knob.acts_on_update && knob.picture_only), "{}", info.key);
            }
        }
    }

    #[test]
    fn a_setting_that_acts_while_units_move_names_no_value_though_rows_differ() {
        let knob = |kind: Kind, key: &str| {
            let mut knobs = StructureKind::from(kind).info().knobs.iter();
            knobs.find(|knob| knob.key == key).expect("a knob")
        };
        let rebuild = knob(Kind::Bvh, "rebuild_at");
        for same in [Some(true), Some(false), None] {
            for knob in [rebuild, knob(Kind::Bvh, "update")] {
                assert_eq!(even_of(same, knob), Some(Even::InMoves));
            }
        }
        let words = Even::InMoves.in_words(rebuild);
        assert_eq!(
            words.0.join(words.1),
            "not told, as this setting acts while units move; lanes set otherwise show it in the race"
        );
        let leaf = knob(Kind::Bvh, "leaf_size");
        assert_eq!(even_of(Some(true), leaf), Some(Even::SameWork));
        assert_eq!(even_of(None, leaf), None);
        assert_eq!(even_of(Some(false), leaf), None);
    }
}
