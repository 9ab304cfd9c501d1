//! What a scene calls its units, in the sentences of a story.
//!
//! Every sentence calls a unit by its number, as `unit 7` or `Units 3 and 7`, and nothing else so: names are put there afterwards,
//! whoever tells. Whoever comes has no name yet, and is called the new unit where the others have theirs.

use super::Story;
use crate::partition::UnitId;
use std::fmt::Write;

impl Story {
    /// Calls units by these names, in the order of their numbers; whoever is left over keeps the number.
    pub fn call_units(&mut self, names: &[String]) {
        self.names = names.to_vec();
        for at in 0..self.steps.len() {
            let reason = self.with_names(&self.steps[at].reason);
            self.steps[at].reason = reason;
        }
    }

    /// What a unit is called: by its name, else by its number, with a sign before it where that is the name of another; whoever comes to units
    /// with names is the new one.
    pub fn called(&self, unit: UnitId) -> String {
        if let Some(name) = self.names.get(unit as usize) {
            return name.clone();
        }
        let number = unit.to_string();
        // Beside another one, where it is said of which two something is.
        if self.is_new(unit) {
            return "the new one".to_owned();
        }
        if self.names.contains(&number) {
            return format!("#{number}");
        }
        number
    }

    /// The same with the word for it, within a sentence or as its beginning: whoever comes to units with names is the new unit.
    pub fn unit_called(&self, unit: UnitId) -> String {
        match self.is_new(unit) {
            true => "the new unit".to_owned(),
            false => format!("unit {}", self.called(unit)),
        }
    }

    /// Whether a unit is the one that comes, to units that have names.
    fn is_new(&self, unit: UnitId) -> bool {
        let is_named = (unit as usize) < self.names.len();
        self.newcomer == Some(unit) && !self.names.is_empty() && !is_named
    }

    /// The same sentence with the names of units in place of their numbers.
    fn with_names(&self, sentence: &str) -> String {
        let mut named = String::with_capacity(sentence.len());
        // The two words before the present one.
        let mut before = ["", ""];
        let mut is_second = false;
        for word in sentence.split_inclusive(' ') {
            let trimmed = word.trim_end();
            let after_one = matches!(before[1], "unit" | "Unit" | "units" | "Units");
            let is_single = matches!(before[1], "unit" | "Unit");
            let after_and = is_second && before[1] == "and";
            is_second = matches!(before[1], "units" | "Units") || (is_second && trimmed == "and");
            let digits = word.len()
                - word
                    .trim_start_matches(|it: char| it.is_ascii_digit())
                    .len();
            let (number, rest) = word.split_at(digits);
            let is_whole = !rest.contains(char::is_alphanumeric);
            match number.parse() {
                Ok(unit) if is_whole && is_single && self.is_new(unit) => {
                    named.truncate(named.len() - "unit ".len());
                    let the = if before[1] == "Unit" { "The" } else { "the" };
                    let _ = write!(named, "{the} new unit{rest}");
                }
                Ok(unit) if is_whole && (after_one || after_and) => {
                    // Writing into a text never fails.
                    let _ = write!(named, "{}{rest}", self.called(unit));
                }
                _ => named += word,
            }
            before = [before[1], trimmed];
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use crate::geometry::{Aabb, Vec2};
    use crate::partition::{AnyPartition, Bodies, Kind};
    use crate::probe::Cancel;
    use crate::story::{Ground, Operation, Stage, Story};

    fn story(operation: &Operation, names: &[&str]) -> Story {
        let centers = [(5.0, 5.0), (6.0, 5.0), (50.0, 10.0)].map(Vec2::from);
        let bodies = Bodies::points(&centers);
        let mut index = AnyPartition::new(Kind::Quadtree, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
        index.rebuild(bodies, &mut ());
        let never = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 3.0, &never).expect("a stage");
        let mut story = stage.tell(operation, 100, &never).expect("a story");
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        story.call_units(&names);
        story
    }

    fn sentences(story: &Story) -> String {
        let reasons: Vec<&str> = story.steps.iter().map(|it| it.reason.as_str()).collect();
        reasons.join(" ")
    }

    #[test]
    fn sentences_call_units_by_their_names() {
        let pairs = sentences(&story(&Operation::Pairs { reach: None }, &["1", "2", "3"]));
        assert!(pairs.contains("Units 1 and 2 are 1 m apart"), "{pairs}");
        assert!(!pairs.contains("Units 0"), "{pairs}");
        let disc = Operation::read("radius 50,10,2").expect("an operation");
        let disc = sentences(&story(&disc, &["A", "B", "C"]));
        assert!(disc.contains("Unit C is 0 m away, within 2 m"), "{disc}");
    }

    #[test]
    fn a_new_unit_is_not_taken_for_the_one_whose_name_is_its_number() {
        let insert = Operation::read("insert 40,40").expect("an operation");
        for names in [["1", "2", "3"], ["A", "B", "C"]] {
            let told = story(&insert, &names);
            let said = sentences(&told);
            assert!(said.contains("The new unit at (40, 40) "), "{said}");
            assert!(!said.contains("nit 3") && !said.contains('#'), "{said}");
        }
        let told = story(&insert, &["A", "B", "C"]);
        assert_eq!(told.called(0), "A");
        for names in [["1", "2", "3"], ["A", "B", "C"]] {
            let told = story(&insert, &names);
            assert_eq!(told.called(3), "the new one");
            assert_eq!(told.unit_called(3), "the new unit");
        }
        assert_eq!(story(&insert, &[]).unit_called(3), "unit 3");
        // Where nobody has a name, all go by their numbers, and so does who has come earlier.
        let said = sentences(&story(&insert, &[]));
        assert!(said.contains("Unit 3 at (40, 40) "), "{said}");
        let earlier = sentences(&story(&Operation::Pairs { reach: None }, &["1", "2"]));
        assert!(!earlier.contains("new unit"), "{earlier}");
    }

    #[test]
    fn what_no_scene_names_keeps_its_number_and_lengths_stay_lengths() {
        let told = story(&Operation::Pairs { reach: None }, &[]);
        let sentence = "Units 0 and 12, 3.4 m apart: of 2 units 1.5 m and 3 m beside unit 7.";
        assert_eq!(told.with_names(sentence), sentence);
        let told = story(&Operation::Rebuild, &["A", "B", "C", "D"]);
        let named = "Units A and 12, 3.4 m apart: of 2 units 1.5 m and 3 m beside unit 7.";
        assert_eq!(told.with_names(sentence), named);
    }
}
