//! One moment of a battle, and what it costs each structure: the rows of a table of all structures.
//!
//! A [`Survey`] holds still what a row is measured on: the battle at a tick, what that tick decides, and the battle after it.
//! Each structure is built over the first, asked what the tick asks, and told what changed; so rows that are measured one
//! after the other, with as much time between them as it takes to stay interactive, are of the same moment and compare.
//!
//! # Algorithm
//!
//! 1. The reference, a structure of the caller's choice, decides the tick; its decision is committed to a copy of the battle.
//! 2. For each row a structure is [rebuilt](crate::partition::Partition::rebuild) over the battle: its build.
//! 3. It decides the same tick: its queries. The answers are compared with those of the reference.
//! 4. It is told of the changes to the copy: its update.
//!
//! Invariant: what is counted depends on the moment and the structure alone. A structure that has followed the battle for a
//! while may count a little differently, as a tree's shape comes from its past; here everyone begins anew.
//!
//! Invariant: nothing is measured that was abandoned, and nothing that was abandoned has changed the survey.

use super::simulate::micros;
use crate::battle::{Battle, Decision, Difference};
use crate::geometry::Aabb;
use crate::partition::{AnyPartition, Kind};
use crate::probe::{Abandoned, Cancel, Counter, Patient};
use crate::scene::{Side, StructureChoice};
use std::time::Instant;

/// One moment of a battle, on which structures are measured.
#[derive(Debug)]
pub struct Survey {
    field: Aabb,
    /// The battle before the tick.
    battle: Battle,
    /// The battle after it, with what the tick changed.
    after: Battle,
    /// Whose answers the others are compared with, over the battle before the tick.
    reference: AnyPartition,
    /// What the reference answered.
    answers: Decision,
}

/// What one structure costs at the moment. Times are in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The structure, as it was asked for.
    pub choice: StructureChoice,
    /// Building it from nothing.
    pub build_us: f64,
    /// Telling it what the tick changed, once and for the first time: in the living battle it has its memory already.
    pub update_us: f64,
    /// The queries of the tick, with what the pairs do to each other.
    pub query_us: f64,
    /// Units and pairs compared by the queries.
    pub tests: u64,
    /// Nodes or cells entered by the queries.
    pub visits: u64,
    /// Pairs found.
    pub pairs: u64,
    /// The bytes that it takes after the tick.
    pub bytes: usize,
    /// The work of building it.
    pub build: Counter,
    /// The work of its upkeep.
    pub update: Counter,
    /// The first answer that is not the reference's.
    pub difference: Option<Difference>,
}

impl Survey {
    /// Takes down the moment at which `battle` is, a copy that is the survey's own. `reference` is the structure whose answers
    /// all others are compared with: one that is quick, or the one that carries the battle.
    pub fn new(
        battle: Battle,
        field: Aabb,
        reference: &StructureChoice,
        cancel: &Cancel,
    ) -> Result<Self, Abandoned> {
        cancel.check()?;
        let mut index = reference.index(field, battle.pair_reach());
        let mut answers = Decision::default();
        let mut after = battle.clone();
        Cancel::attempt(|| {
            index.rebuild(
                battle.bodies(),
                &mut Patient::new(Counter::default(), cancel),
            );
            // Committing takes a decision's columns away, and a copy of it is empty; so it is decided twice.
            let mut committed = Decision::default();
            decide(&battle, &mut committed, &index, cancel);
            after.commit(&mut committed);
            decide(&battle, &mut answers, &index, cancel);
        })?;
        Ok(Self {
            field,
            battle,
            after,
            reference: index,
            answers,
        })
    }

    /// The tick of the moment.
    pub fn tick(&self) -> u64 {
        self.battle.tick()
    }

    /// Pairs that the tick finds.
    pub fn pairs(&self) -> u64 {
        self.answers.pairs
    }

    /// How many units look for the nearest enemy in the tick.
    pub fn lookups(&self) -> u32 {
        self.answers.lookups
    }

    /// How many tests [`Survey::measure`] will count for a structure with which that is known beforehand: all pairs. Where
    /// that is more than anybody would wait for, the number itself is the row.
    pub fn expected_tests(&self, kind: Kind) -> Option<u64> {
        let count = |side| u64::from(self.battle.count(side));
        let units = count(Side::Blue) + count(Side::Orange);
        // The double loop, and one loop over everybody for each search of an enemy.
        let all_pairs = units * units.saturating_sub(1) / 2 + u64::from(self.lookups()) * units;
        kind.tests_every_pair().then_some(all_pairs)
    }

    /// Measures one structure at the moment.
    pub fn measure(&self, choice: &StructureChoice, cancel: &Cancel) -> Result<Row, Abandoned> {
        cancel.check()?;
        Cancel::attempt(|| self.row(choice, cancel))
    }

    fn row(&self, choice: &StructureChoice, cancel: &Cancel) -> Row {
        let mut index = choice.index(self.field, self.battle.pair_reach());
        let mut build = Patient::new(Counter::default(), cancel);
        let start = Instant::now();
        index.rebuild(self.battle.bodies(), &mut build);
        let build_us = micros(start.elapsed());

        let mut decision = Decision::default();
        let start = Instant::now();
        let query = decide(&self.battle, &mut decision, &index, cancel);
        let query_us = micros(start.elapsed());
        let difference = self
            .battle
            .compare((&self.answers, &self.reference), (&decision, &index));

        let (bodies, changes) = (self.after.bodies(), self.after.changes());
        let mut update = Patient::new(Counter::default(), cancel);
        let start = Instant::now();
        index.apply(bodies, changes, &mut update);
        let update_us = micros(start.elapsed());
        Row {
            choice: choice.clone(),
            build_us,
            update_us,
            query_us,
            tests: query.tests,
            visits: query.visits,
            pairs: decision.pairs,
            bytes: index.byte_count(),
            build: build.probe,
            update: update.probe,
            difference,
        }
    }
}

/// Decides the tick so that the answers can be compared; unwinds when it is cancelled.
fn decide(
    battle: &Battle,
    decision: &mut Decision,
    index: &AnyPartition,
    cancel: &Cancel,
) -> Counter {
    let mut query = Patient::new(Counter::default(), cancel);
    decision.compares = true;
    battle.decide(decision, index, 1, &mut query, &mut ());
    query.probe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Scene, file};
    use crate::session::Session;
    use std::path::Path;

    /// The built-in scene with 400 units, followed by every structure.
    fn session() -> Session {
        let mut scene: Scene = file::built_in();
        scene.scale_units(400);
        let mut all = Kind::ALL.iter().copied().map(StructureChoice::new);
        scene.structure = all.next().expect("a registry with structures");
        scene.lanes = all.collect();
        Session::new(scene, Path::new("")).0
    }

    fn survey(session: &Session) -> Survey {
        let reference = StructureChoice::new(Kind::SortedGrid);
        let field = session.scene().field;
        Survey::new(
            session.battle().clone(),
            field,
            &reference,
            &Cancel::default(),
        )
        .expect("nobody cancels it")
    }

    /// What is counted, without the times.
    fn counted(mut row: Row) -> Row {
        (row.build_us, row.update_us, row.query_us) = (0.0, 0.0, 0.0);
        row
    }

    #[test]
    fn every_row_counts_what_a_lane_counts_in_the_next_tick() {
        let mut session = session();
        let cancel = Cancel::default();
        for tick in 0..3 {
            let survey = survey(&session);
            assert_eq!(survey.tick(), tick);
            let measure = |choice: &StructureChoice| {
                survey.measure(choice, &cancel).expect("nobody cancels it")
            };
            let rows: Vec<Row> = session
                .lanes()
                .iter()
                .map(|lane| measure(&lane.choice()))
                .collect();
            // A lane that has just been built, as the survey builds its own.
            let scene = session.scene().clone();
            let fresh: Vec<_> = session
                .lanes()
                .iter()
                .map(|lane| {
                    crate::session::Lane::new(&lane.choice(), scene.field, session.battle())
                })
                .collect();
            session.tick(&cancel, &mut ()).expect("nothing is refused");
            for ((row, lane), mut fresh) in rows.into_iter().zip(session.lanes()).zip(fresh) {
                let which = format!("{:?} at tick {tick}", row.choice.kind);
                assert_eq!(row.difference, None, "{which}");
                assert_eq!(row.pairs, lane.cost.pairs, "{which}");
                fresh.follow(session.battle(), true);
                assert_eq!(row.update, fresh.cost.update, "{which}");
                assert_eq!(row.bytes, fresh.byte_count(), "{which}");
                if tick == 0 {
                    assert_eq!(row.tests, lane.cost.query.tests, "{which}");
                    assert_eq!(row.visits, lane.cost.query.visits, "{which}");
                }
                if let Some(expected) = survey.expected_tests(row.choice.kind) {
                    assert_eq!(row.tests, expected, "{which}");
                }
                assert_eq!(
                    counted(row.clone()),
                    counted(measure(&row.choice)),
                    "{which}"
                );
            }
        }
    }

    #[test]
    fn a_battle_that_has_gone_on_is_measured_where_it_is() {
        let mut session = session();
        let cancel = Cancel::default();
        for _ in 0..90 {
            session.tick(&cancel, &mut ()).expect("nothing is refused");
        }
        let survey = survey(&session);
        session.tick(&cancel, &mut ()).expect("nothing is refused");
        assert_eq!(survey.after.hash(), session.battle().hash());
        assert_eq!(survey.pairs(), session.lanes()[0].cost.pairs);
        assert!(survey.lookups() > 0);
        for lane in session.lanes() {
            let row = survey
                .measure(&lane.choice(), &cancel)
                .expect("nobody cancels it");
            assert_eq!(row.difference, None, "{:?}", lane.kind());
            assert_eq!(row.pairs, lane.cost.pairs);
        }
    }

    #[test]
    fn a_survey_that_is_cancelled_measures_nothing_and_goes_on_afterwards() {
        let session = session();
        let survey = survey(&session);
        let cancel = Cancel::default();
        cancel.cancel();
        for &kind in Kind::ALL {
            let choice = StructureChoice::new(kind);
            assert_eq!(survey.measure(&choice, &cancel), Err(Abandoned));
            // Nor in the middle of the work, where it is the probes that hear of it.
            assert_eq!(
                Cancel::attempt(|| survey.row(&choice, &cancel)),
                Err(Abandoned)
            );
        }
        let again = StructureChoice::new(Kind::ALL[0]);
        let battle = session.battle().clone();
        assert!(Survey::new(battle, session.scene().field, &again, &cancel).is_err());
        cancel.reset();
        assert_eq!(
            survey.measure(&again, &cancel).map(|row| row.difference),
            Ok(None)
        );
    }
}
