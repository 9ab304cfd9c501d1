//! One moment of a battle or of a flight, and what it costs each structure: the rows of a table of all structures.
//!
//! A [`Survey`] holds still what a row is measured on: the battle at a tick, what that tick decides, and the battle after it.
//! Whatever is said of a battle here is so of a flight: a survey knows no dimension, only [what is surveyed](Surveyed).
//! Each structure is built over the first, asked what the tick asks, and told what changed; so rows that are measured one
//! after the other, with as much time between them as it takes to stay interactive, are of the same moment and compare.
//!
//! # Algorithm
//!
//! 1. The reference, a structure of the caller's choice, decides the tick; its decision is committed to a copy of the battle.
//! 2. For each row a structure is [built](AnyIndex::built_holding) from nothing over the battle: its build.
//! 3. It decides the same tick: its queries. What they fill has grown already, as a lane's has from tick to tick. The answers are compared with those of the reference.
//! 4. It is asked single [questions](super::questions), and those answers are compared as well.
//! 5. It is told of the changes to the copy: its update.
//!
//! Invariant: what is counted depends on the moment and the structure alone. A structure that has followed the battle for a
//! while may count a little differently, as a tree's shape comes from its past; here everyone begins anew.
//!
//! Invariant: every build chooses what the structure is left to choose, whether it takes what it has chosen or what is held of it: builds
//! compare.
//!
//! Invariant: nothing is measured that was abandoned, and nothing that was abandoned has changed the survey.

use super::questions::{Answers, Asked, Asking, Batches, Price, Questions};
use super::times::micros;
use crate::battle::{Battle, Decision, Difference};
use crate::flight::{Decision3, Flight};
use crate::partition::{AnyPartition, Fact};
use crate::probe::{Abandoned, Cancel, Counter, Patient};
use crate::scene::{AnyChoice, Side, StructureChoice};
use crate::session::{AnyIndex, Truth};
use crate::structure::AnyKind;
use crate::volume::AnyPartition3;
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// In so many turns a row's single questions are timed,
const TURNS: usize = 6;

/// as long as all of them take no longer than this.
const QUESTION_TIME: Duration = Duration::from_millis(20);

/// Queries that test every pair warm up with no more tests than this.
pub const MOST_WARMED_TESTS: u64 = 1_000_000;

/// What is surveyed: a battle on a plane, or a flight in space.
pub trait Surveyed: Clone + Debug + Send + 'static {
    /// What answers its questions.
    type Index: Asking + Debug;
    /// What a tick decides.
    type Decision: Default + Debug + Send;

    /// The units, and what the last tick changed.
    fn truth(&self) -> Truth<'_, Self::Index>;

    /// How many units there are.
    fn unit_count(&self) -> u64;

    /// Decides the next tick, so that the answers can be compared.
    fn decide(
        &self,
        decision: &mut Self::Decision,
        index: &Self::Index,
        query: &mut Patient<'_, Counter>,
    );

    /// Lets the tick pass as it was decided.
    fn commit(&mut self, decision: &mut Self::Decision);

    /// How many pairs a decision found, and how many units looked for the nearest enemy.
    fn found(decision: &Self::Decision) -> (u64, u32);

    /// The first answer to the next tick that two indices do not share.
    fn compare(
        &self,
        right: (&Self::Decision, &Self::Index),
        other: (&Self::Decision, &Self::Index),
    ) -> Option<Difference>;
}

macro_rules! surveyed {
    ($world:ty, $decision:ty, $index:ty) => {
        impl Surveyed for $world {
            type Index = $index;
            type Decision = $decision;

            fn truth(&self) -> Truth<'_, $index> {
                self.into()
            }

            fn unit_count(&self) -> u64 {
                u64::from(self.count(Side::Blue)) + u64::from(self.count(Side::Orange))
            }

            fn decide(
                &self,
                decision: &mut $decision,
                index: &$index,
                query: &mut Patient<'_, Counter>,
            ) {
                decision.compares = true;
                <$world>::decide(self, decision, index, 1, query, &mut ());
            }

            fn commit(&mut self, decision: &mut $decision) {
                <$world>::commit(self, decision);
            }

            fn found(decision: &$decision) -> (u64, u32) {
                (decision.pairs, decision.lookups)
            }

            fn compare(
                &self,
                right: (&$decision, &$index),
                other: (&$decision, &$index),
            ) -> Option<Difference> {
                <$world>::compare(self, right, other)
            }
        }
    };
}

surveyed!(Battle, Decision, AnyPartition);
surveyed!(Flight, Decision3, AnyPartition3);

/// The rows of the registry from which a survey takes its structures.
pub type KindOf<W> = <<W as Surveyed>::Index as AnyIndex>::Kind;

/// The part of the plane or of space in which the units mostly are.
pub type FieldOf<W> = <<W as Surveyed>::Index as AnyIndex>::Field;

/// One moment of a battle or of a flight, on which structures are measured.
#[derive(Debug)]
pub struct Survey<W: Surveyed = Battle> {
    field: FieldOf<W>,
    /// The battle before the tick.
    battle: W,
    /// The battle after it, with what the tick changed.
    after: W,
    /// Whose answers the others are compared with, over the battle before the tick.
    reference: W::Index,
    /// What the reference answered.
    answers: W::Decision,
    /// The single questions over the battle before the tick.
    questions: Questions,
    /// What the reference answered to them.
    answered: Answers,
    /// Where answers are written while they are timed: its memory has grown already, as that of a lane has from tick to tick. Rows are measured
    /// one after the other, by one thread: another one would wait.
    room: Mutex<W::Decision>,
}

/// What one structure costs at the moment. Times are in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The structure, as it was asked for.
    pub choice: AnyChoice,
    /// How many units there are.
    pub units: u64,
    /// How far apart pairs are asked for, in metres.
    pub reach: f32,
    /// The knobs that the structure was left to choose, each with what it chose.
    pub chosen: Vec<(usize, f64)>,
    /// How large its cells are, in words, where bodies are filed in others than the knob says ([`Fact::CELLS`]).
    pub cells: Option<String>,
    /// Building it from nothing, as [`AnyIndex::built_holding`] does.
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
    /// The bytes that it takes when it has just been built, as a lane's at rest.
    pub bytes: usize,
    /// The work of building it.
    pub build: Counter,
    /// The work of its upkeep.
    pub update: Counter,
    /// The first answer that is not the reference's.
    pub difference: Option<Difference>,
    /// What one single question of each [kind](super::questions::Question::ALL) costs.
    pub prices: [Price; 2],
    /// How wide and how high the rectangle is that is asked for there, in metres.
    pub size: [f64; 2],
    /// How many of the nearest are asked for there.
    pub nearest: usize,
    /// The first of these questions whose answer is not the reference's.
    pub wrong_answer: Option<String>,
}

impl Row {
    /// What it answered otherwise than the reference, as a sentence without its full stop.
    pub fn fault(&self) -> Option<String> {
        let difference = self.difference.map(|difference| difference.to_string());
        let wrong = || {
            Some(format!(
                "it answers {} otherwise",
                self.wrong_answer.as_ref()?
            ))
        };
        difference.or_else(wrong)
    }
}

impl<W: Surveyed> Survey<W> {
    /// Takes down the moment at which `battle` is, a copy that is the survey's own. `reference` is the structure whose answers
    /// all others are compared with: one that is quick, or the one that carries the battle. `asked` are the single questions.
    pub fn new(
        battle: W,
        field: FieldOf<W>,
        reference: &StructureChoice<KindOf<W>>,
        asked: &Asked,
        cancel: &Cancel,
    ) -> Result<Self, Abandoned> {
        cancel.check()?;
        let mut answers = W::Decision::default();
        let mut room = W::Decision::default();
        let mut after = battle.clone();
        let truth = battle.truth();
        let questions = Questions::over::<W::Index>(truth.bodies, truth.reach, asked);
        let (index, answered) = Cancel::attempt(|| {
            let mut probe = Patient::new(Counter::default(), cancel);
            let index = W::Index::built(reference, field, &truth, &mut probe);
            decide(&battle, &mut room, &index, cancel);
            after.commit(&mut room);
            // Committing takes a decision's columns away, and a copy of it is empty; so it is decided again.
            decide(&battle, &mut answers, &index, cancel);
            decide(&battle, &mut room, &index, cancel);
            let answered = questions.count_in(&index, truth.bodies, cancel);
            (index, answered)
        })?;
        Ok(Self {
            field,
            battle,
            after,
            reference: index,
            answers,
            questions,
            answered,
            room: Mutex::new(room),
        })
    }

    /// The tick of the moment.
    pub fn tick(&self) -> u64 {
        self.battle.truth().tick
    }

    /// How many units there are.
    pub fn unit_count(&self) -> u64 {
        self.battle.unit_count()
    }

    /// Pairs that the tick finds.
    pub fn pairs(&self) -> u64 {
        W::found(&self.answers).0
    }

    /// How many units look for the nearest enemy in the tick.
    pub fn lookups(&self) -> u32 {
        W::found(&self.answers).1
    }

    /// How many tests [`Survey::measure`] will count for a structure with which that is known beforehand: all pairs. Where
    /// that is more than anybody would wait for, the number itself is the row.
    pub fn expected_tests(&self, kind: KindOf<W>) -> Option<u64> {
        let units = self.battle.unit_count();
        // The double loop, and one loop over everybody for each search of an enemy.
        let all_pairs = units * units.saturating_sub(1) / 2 + u64::from(self.lookups()) * units;
        kind.tests_every_pair().then_some(all_pairs)
    }

    /// Does with a structure once what [`Survey::measure`] times of a tick: its build, its queries and its update. Whoever is timed right
    /// behind that finds caches, memory and the processor as everybody else does, whatever was at work before. Queries that are known to make
    /// more than [`MOST_WARMED_TESTS`] are left out: they take too long for that to matter.
    pub fn warm_up(
        &self,
        choice: &StructureChoice<KindOf<W>>,
        held: &[(usize, f64)],
        cancel: &Cancel,
    ) -> Result<(), Abandoned> {
        cancel.check()?;
        Cancel::attempt(|| {
            let (before, after) = (self.battle.truth(), self.after.truth());
            let mut probe = Patient::new(Counter::default(), cancel);
            let mut index = W::Index::built_holding(choice, held, self.field, &before, &mut probe);
            let expected = self.expected_tests(choice.kind);
            if expected.is_none_or(|tests| tests <= MOST_WARMED_TESTS) {
                let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
                decide(&self.battle, &mut room, &index, cancel);
            }
            index.apply(after.bodies, after.changes, &mut probe);
        })
    }

    /// Measures one structure at the moment. What is `held` of the knobs that it is left to choose they come to.
    pub fn measure(
        &self,
        choice: &StructureChoice<KindOf<W>>,
        held: &[(usize, f64)],
        cancel: &Cancel,
    ) -> Result<Row, Abandoned> {
        cancel.check()?;
        Cancel::attempt(|| self.row(choice, held, cancel))
    }

    fn row(
        &self,
        choice: &StructureChoice<KindOf<W>>,
        held: &[(usize, f64)],
        cancel: &Cancel,
    ) -> Row {
        let truth = self.battle.truth();
        let mut build = Patient::new(Counter::default(), cancel);
        let start = Instant::now();
        let mut index = W::Index::built_holding(choice, held, self.field, &truth, &mut build);
        let build_us = micros(start.elapsed());
        let bytes = index.byte_count();

        // Who was cancelled in the middle has left it in use, with nothing in it that the next one reads.
        let mut decision = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let start = Instant::now();
        let query = decide(&self.battle, &mut decision, &index, cancel);
        let query_us = micros(start.elapsed());
        let difference = self
            .battle
            .compare((&self.answers, &self.reference), (&decision, &index));
        let pairs = W::found(&decision).0;
        drop(decision);

        let (prices, wrong_answer) = self.ask(&index, cancel);
        let after = self.after.truth();
        let mut update = Patient::new(Counter::default(), cancel);
        let start = Instant::now();
        index.apply(after.bodies, after.changes, &mut update);
        let update_us = micros(start.elapsed());
        Row {
            choice: choice.clone().of_either(),
            units: self.unit_count(),
            reach: truth.reach,
            chosen: index.chosen(),
            cells: cells_of(&index),
            build_us,
            update_us,
            query_us,
            tests: query.tests,
            visits: query.visits,
            pairs,
            bytes,
            build: build.probe,
            update: update.probe,
            difference,
            prices,
            size: self.questions.size(),
            nearest: self.questions.nearest(),
            wrong_answer,
        }
    }

    /// Asks the single questions: what one of each kind costs, and the first that is not answered as by the reference.
    fn ask(&self, index: &W::Index, cancel: &Cancel) -> ([Price; 2], Option<String>) {
        let bodies = self.battle.truth().bodies;
        let answers = self.questions.count_in(index, bodies, cancel);
        let wrong = answers.compare(&self.answered);
        let mut batches = Batches::default();
        for _ in 0..TURNS {
            let left = QUESTION_TIME.saturating_sub(batches.spent);
            self.questions.time_in(index, bodies, left, &mut batches);
            if batches.spent >= QUESTION_TIME {
                break;
            }
        }
        let wrong = wrong.map(|wrong| self.questions.tell(wrong));
        (answers.prices(batches), wrong)
    }
}

/// How large the cells are in which an index files bodies, where it says that they are others than the knob says.
fn cells_of(index: &impl AnyIndex) -> Option<String> {
    let mut cells = None;
    index.quality(&mut |fact| {
        if fact.name == Fact::CELLS {
            cells = Some(format!("{} {}", fact.value, fact.unit));
        }
    });
    cells
}

/// Decides the tick so that the answers can be compared; unwinds when it is cancelled.
fn decide<W: Surveyed>(
    battle: &W,
    decision: &mut W::Decision,
    index: &W::Index,
    cancel: &Cancel,
) -> Counter {
    let mut query = Patient::new(Counter::default(), cancel);
    battle.decide(decision, index, &mut query);
    query.probe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Kind;
    use crate::scene::{Scene, file};
    use crate::session::{Action, Lane, Session};
    use crate::volume::Kind3;
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

    /// A dogfight with 400 units, followed by every structure of space.
    fn session3() -> Session {
        let text = include_bytes!("../../scenes/dogfight.ron");
        let mut scene = file::parse(text, "dogfight").expect("a scene that ships");
        scene.scale_units(400);
        let volume = scene.volume.as_mut().expect("a scene of space");
        let mut all = Kind3::ALL.iter().copied().map(StructureChoice::new);
        volume.structure = all.next().expect("a registry with structures");
        volume.lanes = all.collect();
        Session::new(scene, Path::new("")).0
    }

    fn flight(session: &Session) -> &Flight {
        session.flight().expect("a scene of space")
    }

    fn survey(session: &Session) -> Survey {
        let reference = StructureChoice::new(Kind::SortedGrid);
        let field = session.scene().field;
        Survey::new(
            session.battle().clone(),
            field,
            &reference,
            &Asked::default(),
            &Cancel::default(),
        )
        .expect("nobody cancels it")
    }

    fn survey3(session: &Session) -> Survey<Flight> {
        let reference = StructureChoice::new(Kind3::Octree);
        let flight = flight(session).clone();
        let field = session.scene().field3();
        Survey::new(
            flight,
            field,
            &reference,
            &Asked::default(),
            &Cancel::default(),
        )
        .expect("nobody cancels it")
    }

    /// What is counted, without the times.
    fn counted(mut row: Row) -> Row {
        (row.build_us, row.update_us, row.query_us) = (0.0, 0.0, 0.0);
        for price in &mut row.prices {
            price.us = 0.0;
        }
        row
    }

    /// Compares the rows of a survey with what lanes count in the next tick.
    fn compare_with_lanes<W: Surveyed>(
        session: &mut Session,
        survey: &Survey<W>,
        lanes: fn(&Session) -> &[Lane<W::Index>],
        world: fn(&Session) -> &W,
    ) {
        let cancel = Cancel::default();
        let tick = survey.tick();
        let choices: Vec<_> = lanes(session).iter().map(Lane::choice).collect();
        let measure = |choice| {
            let row = survey.measure(choice, &[], &cancel);
            row.expect("nobody cancels it")
        };
        let rows: Vec<Row> = choices.iter().map(measure).collect();
        // A lane that has just been built, as the survey builds its own.
        let fresh: Vec<_> = choices
            .iter()
            .map(|choice| Lane::new(choice, survey.field, world(session).truth()))
            .collect();
        session.tick(&cancel, &mut ()).expect("nothing is refused");
        let all = rows.into_iter().zip(lanes(session)).zip(fresh);
        for (((row, lane), mut fresh), choice) in all.zip(&choices) {
            let which = format!("{:?} at tick {tick}", row.choice.kind);
            assert_eq!(row.choice, choice.clone().of_either(), "{which}");
            assert_eq!(row.fault(), None, "{which}");
            assert_eq!(row.pairs, lane.cost.pairs, "{which}");
            let [rectangle, nearest] = row.prices;
            assert!(rectangle.found >= 1.0 && rectangle.us > 0.0, "{which}");
            assert!(nearest.found == 8.0 && nearest.us > 0.0, "{which}");
            assert_eq!(row.bytes, fresh.byte_count(), "{which}");
            fresh.follow(world(session).truth(), true);
            assert_eq!(row.update, fresh.cost.update, "{which}");
            if tick == 0 {
                assert_eq!(row.tests, lane.cost.query.tests, "{which}");
                assert_eq!(row.visits, lane.cost.query.visits, "{which}");
            }
            if let Some(expected) = survey.expected_tests(choice.kind) {
                assert_eq!(row.tests, expected, "{which}");
            }
            assert_eq!(counted(row), counted(measure(choice)), "{which}");
        }
    }

    #[test]
    fn at_rest_a_lane_is_built_as_its_row_is() {
        let cancel = Cancel::default();
        let mut scene: Scene = file::built_in();
        scene.scale_units(400);
        scene.structure = StructureChoice::new(Kind::LinkedGrid);
        let mut others = [Kind::SortedGrid, Kind::HierarchicalGrid].map(StructureChoice::new);
        others[0].set("cell_size", "40").expect("a cell size");
        scene.lanes = others.into();
        let (mut session, _) = Session::new(scene, Path::new(""));
        // They stand farther apart than the cells that were chosen are for.
        let far = |unit: u32| (unit, ((unit % 20) as f32 * 20.0, (unit / 20) as f32 * 15.0));
        let all = 0..session.alive() as u32;
        let apart = Action::Move(all.map(far).collect());
        session.apply(apart, false, &cancel).expect("an edit");
        let survey = survey(&session);
        let mut keeps_its_choice = false;
        for place in 0..session.lane_count() {
            let measured = session.measure_at_rest(place, &cancel, &mut ());
            measured.expect("nobody cancels it");
            let lane = &session.lanes()[place];
            let (choice, chosen) = (lane.choice(), lane.index().chosen());
            let row = |held: &[(usize, f64)]| {
                let row = survey.measure(&choice, held, &cancel);
                row.expect("nobody cancels it")
            };
            let same = row(&chosen);
            assert_eq!(same.build, lane.cost.update, "{choice:?}");
            assert_eq!(Some(same.bytes), lane.cost.built_bytes, "{choice:?}");
            keeps_its_choice |= row(&[]).chosen != chosen;
        }
        assert!(keeps_its_choice, "nobody would choose anything else by now");
    }

    #[test]
    fn every_row_counts_what_a_lane_counts_in_the_next_tick() {
        let mut session = session();
        for tick in 0..3 {
            let survey = survey(&session);
            assert_eq!(survey.tick(), tick);
            compare_with_lanes(&mut session, &survey, Session::lanes, Session::battle);
        }
    }

    #[test]
    fn so_does_every_row_in_space() {
        let mut session = session3();
        for tick in 0..3 {
            let survey = survey3(&session);
            assert_eq!(survey.tick(), tick);
            assert!(survey.lookups() > 0);
            compare_with_lanes(&mut session, &survey, Session::lanes3, flight);
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
                .measure(&lane.choice(), &[], &cancel)
                .expect("nobody cancels it");
            assert_eq!(row.difference, None, "{:?}", lane.kind());
            assert_eq!(row.pairs, lane.cost.pairs);
        }
    }

    #[test]
    fn a_row_counts_the_same_behind_a_warming_up_of_it_or_of_another_one() {
        let survey = survey(&session());
        let cancel = Cancel::default();
        for &kind in Kind::ALL {
            let choice = StructureChoice::new(kind);
            let row = || {
                let row = survey.measure(&choice, &[], &cancel);
                counted(row.expect("nobody cancels it"))
            };
            let cold = row();
            for warmed in [&choice, &StructureChoice::new(Kind::ALL[0])] {
                assert_eq!(survey.warm_up(warmed, &[], &cancel), Ok(()));
                assert_eq!(row(), cold, "{kind:?}");
            }
        }
    }

    #[test]
    fn whoever_tests_every_pair_is_warmed_up_as_all_others_where_that_takes_no_time() {
        for (units, is_asked) in [(400, true), (2_000, false)] {
            let mut scene: Scene = file::built_in();
            scene.scale_units(units);
            let mut session = Session::new(scene, Path::new("")).0;
            // In the first tick nobody looks for an enemy yet.
            for _ in 0..3 {
                let ticked = session.tick(&Cancel::default(), &mut ());
                ticked.expect("nothing is refused");
            }
            let survey = survey(&session);
            for &kind in Kind::ALL {
                *survey.room.lock().expect("nobody else") = Decision::default();
                let choice = StructureChoice::new(kind);
                assert_eq!(survey.warm_up(&choice, &[], &Cancel::default()), Ok(()));
                let found = Battle::found(&survey.room.lock().expect("nobody else"));
                let all = (survey.pairs(), survey.lookups());
                assert_ne!(all, (0, 0));
                let is_asked = is_asked || !kind.tests_every_pair();
                let expected = if is_asked { all } else { (0, 0) };
                assert_eq!(found, expected, "{kind:?} of {units}");
            }
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
            assert_eq!(survey.warm_up(&choice, &[], &cancel), Err(Abandoned));
            assert_eq!(survey.measure(&choice, &[], &cancel), Err(Abandoned));
            // Nor in the middle of the work, where it is the probes that hear of it.
            assert_eq!(
                Cancel::attempt(|| survey.row(&choice, &[], &cancel)),
                Err(Abandoned)
            );
        }
        let again = StructureChoice::new(Kind::ALL[0]);
        let battle = session.battle().clone();
        assert!(
            Survey::new(
                battle,
                session.scene().field,
                &again,
                &Asked::default(),
                &cancel
            )
            .is_err()
        );
        cancel.reset();
        assert_eq!(
            survey
                .measure(&again, &[], &cancel)
                .map(|row| row.difference),
            Ok(None)
        );
    }
}
