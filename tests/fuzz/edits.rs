//! Lists of edits and questions, played on every structure at once: each is validated after each edit, and each answer is
//! that of brute force. Where the conformance suite stays near a field, units here are anywhere that is legal.

use super::fuzz::choices::Choices;
use super::world::World;
use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::partition::{
    AnyPartition, COORDINATE_LIMIT, Change, Kind, Knob, KnobRange, MarkQuery, NearestQuery, Part,
    RegionQuery, UnitId,
};
use skirmish::probe::{Cancel, Counter, Patient};

/// The longest list that is played, and the most units: brute force looks at every pair.
const MOST_DEEDS: usize = 60;
const MOST_UNITS: usize = 60;

/// Fields as games have them, and the largest ones that there are: over those a grid of all cells takes its time.
const FIELDS: [Aabb; 3] = [
    Aabb::new(Vec2::ZERO, Vec2::splat(100.0)),
    Aabb::new(Vec2::splat(-64.0), Vec2::splat(64.0)),
    Aabb::new(Vec2::ZERO, Vec2::new(400.0, 1.0e-3)),
];
const LARGE_FIELDS: [Aabb; 2] = [
    Aabb::new(
        Vec2::splat(-COORDINATE_LIMIT),
        Vec2::splat(COORDINATE_LIMIT),
    ),
    Aabb::new(Vec2::splat(9.9e8), Vec2::splat(COORDINATE_LIMIT)),
];

/// Plays the list that these bytes are.
pub fn edits(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (field, most) = if choices.below(20) == 19 {
        (choices.pick(&LARGE_FIELDS), MOST_DEEDS / 4)
    } else {
        (choices.pick(&FIELDS), MOST_DEEDS)
    };
    let mut play = Play {
        field,
        world: World::new(choices.flag()),
        indexes: Kind::ALL
            .iter()
            .map(|kind| AnyPartition::new(*kind, field))
            .collect(),
        choices,
    };
    for _ in 0..play.choices.below(MOST_UNITS) {
        play.add(&mut Vec::new());
    }
    play.rebuild();
    for _ in 0..most {
        if play.choices.are_over() {
            break;
        }
        play.deed();
    }
}

struct Play<'a> {
    choices: Choices<'a>,
    field: Aabb,
    world: World,
    indexes: Vec<AnyPartition>,
}

impl Play<'_> {
    fn coordinate(&mut self, low: f32, high: f32) -> f32 {
        let choices = &mut self.choices;
        let value = match choices.below(16) {
            0..4 => low + (high - low) * choices.fraction(),
            4 => f32::from(choices.byte() as i8) * 4.0,
            5 => (f32::from(choices.byte()) * 4.0).next_up(),
            6 => (f32::from(choices.byte()) * 4.0).next_down(),
            7 => low + (high - low) * (f32::from(choices.byte() % 17) / 16.0),
            8 => choices.pick(&[low, high, low.next_down(), high.next_up(), -0.0]),
            9 => choices.pick(&[0.0, 1.0e-45, -1.0e-45, 1.0e-38, -1.0e-30, 1.0e-11]),
            10 => choices.pick(&[1.0, -1.0]) * COORDINATE_LIMIT,
            11 => (choices.fraction() - 0.5) * 2.0e4,
            12 => (choices.fraction() - 0.5) * 2.0e7,
            13 => (choices.fraction() - 0.5) * 2.0e9,
            14 => choices.any_float(COORDINATE_LIMIT),
            _ => 50.0,
        };
        value.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT)
    }

    fn spot(&mut self) -> Vec2 {
        let count = self.world.centers.len();
        if count > 0 && self.choices.below(4) == 0 {
            // Exactly where another one is, or beside it.
            let at = self.world.centers[usize::from(self.choices.byte()) % count];
            let by = self.choices.pick(&[0.0, 0.0, 1.0, -0.25, 1.0e-3]);
            return (at + Vec2::new(by, -by)).clamp(
                Vec2::splat(-COORDINATE_LIMIT),
                Vec2::splat(COORDINATE_LIMIT),
            );
        }
        let Aabb { min, max } = self.field;
        Vec2::new(self.coordinate(min.x, max.x), self.coordinate(min.y, max.y))
    }

    fn half_side(&mut self) -> f32 {
        let choices = &mut self.choices;
        match choices.below(8) {
            0 | 1 => 0.0,
            2..5 => choices.fraction() * 2.0,
            5 => choices.fraction() * 100.0,
            6 => choices.pick(&[1.0e-45, 1.0e-20, 1.0e5, 1.0e8, COORDINATE_LIMIT]),
            _ => choices.any_float(COORDINATE_LIMIT).abs(),
        }
    }

    fn half_extent(&mut self) -> Vec2 {
        Vec2::new(self.half_side(), self.half_side())
    }

    /// A radius or a reach; negative ones are nobody's here.
    fn reach(&mut self) -> f32 {
        let choices = &mut self.choices;
        match choices.below(8) {
            0 => 0.0,
            1..4 => choices.fraction() * 8.0,
            4 => choices.fraction() * 100.0,
            5 => choices.pick(&[1.0e-45, 1.0e-20, 1.0, 4.0, 1.0e4, COORDINATE_LIMIT, 1.0e11]),
            6 => choices.fraction() * 2.0e9,
            _ => choices.any_float(4.0 * COORDINATE_LIMIT).abs(),
        }
    }

    /// One of the units alive.
    fn who(&mut self) -> Option<UnitId> {
        let alive: Vec<_> = self.world.bodies().ids().collect();
        let place = usize::from(self.choices.byte());
        (!alive.is_empty()).then(|| alive[place % alive.len()])
    }

    fn add(&mut self, changes: &mut Vec<Change>) {
        let (center, half_extent) = (self.spot(), self.half_extent());
        if self.world.bodies().count() < MOST_UNITS {
            changes.push(Change::Add(self.world.add(center, half_extent)));
        }
    }

    fn deed(&mut self) {
        match self.choices.below(16) {
            0..5 => self.edit(),
            5 => self.step(),
            6 => self.rebuild(),
            7 | 8 => self.set_knobs(),
            9 => self.range(),
            10 => self.radius(),
            11 => self.segment(),
            12 => self.nearest(),
            13 | 14 => self.pairs(),
            _ => self.look(),
        }
    }

    /// Several changes told at once.
    fn edit(&mut self) {
        let mut changes = Vec::new();
        for _ in 0..=self.choices.below(8) {
            let deed = self.choices.below(6);
            if deed < 2 {
                self.add(&mut changes);
                continue;
            }
            let (spot, half_extent) = (self.spot(), self.half_extent());
            let Some(unit) = self.who() else { continue };
            let world = &mut self.world;
            match deed {
                2 => {
                    world.centers[unit as usize] = spot;
                    changes.push(Change::Move(unit));
                }
                3 => {
                    world.alive[unit as usize] = false;
                    changes.push(Change::Remove(unit));
                }
                4 => {
                    world.resize(unit, half_extent);
                    changes.push(Change::Move(unit));
                }
                _ => {
                    world.revive(unit, spot, half_extent);
                    changes.extend([Change::Remove(unit), Change::Add(unit)]);
                }
            }
        }
        self.tell(&changes);
    }

    /// Everybody takes a step, a long one at times.
    fn step(&mut self) {
        let mut changes = Vec::new();
        let by = Vec2::new(self.choices.fraction() - 0.5, self.choices.fraction() - 0.5)
            * self.choices.pick(&[0.01, 1.0, 10.0, 1.0e4, 1.0e8]);
        let limit = Vec2::splat(COORDINATE_LIMIT);
        for unit in self.world.bodies().ids().collect::<Vec<_>>() {
            let center = &mut self.world.centers[unit as usize];
            *center = (*center + by * (unit % 3) as f32).clamp(-limit, limit);
            changes.push(Change::Move(unit));
        }
        self.tell(&changes);
    }

    fn tell(&mut self, changes: &[Change]) {
        for index in &mut self.indexes {
            index.apply(self.world.bodies(), changes, &mut ());
        }
        self.validate(changes);
        self.pairs();
    }

    fn rebuild(&mut self) {
        for index in &mut self.indexes {
            index.rebuild(self.world.bodies(), &mut ());
        }
        self.validate(&"a rebuild");
    }

    fn validate(&self, after: &(impl std::fmt::Debug + ?Sized)) {
        for index in &self.indexes {
            if let Err(violation) = index.validate(self.world.bodies()) {
                panic!("{} after {after:?}: {violation}", index.info().key);
            }
        }
    }

    fn set_knobs(&mut self) {
        let (which, share) = (usize::from(self.choices.byte()), self.choices.fraction());
        for index in &mut self.indexes {
            let knobs = index.info().knobs;
            if knobs.is_empty() {
                continue;
            }
            let which = which % knobs.len();
            let value = value_of(&knobs[which], f64::from(share));
            index.set_knob(which, value);
            assert_eq!(index.knob(which), value);
        }
        self.rebuild();
    }

    /// Asks every structure, and compares what it finds with what there is, order aside.
    fn ask<T: Ord + std::fmt::Debug>(
        &self,
        what: &dyn std::fmt::Debug,
        mut expected: Vec<T>,
        find: impl Fn(&AnyPartition, &mut Patient<'_, Counter>, &mut Vec<T>),
    ) {
        expected.sort_unstable();
        // A probe of the program's own: its traversals are in the library already.
        let never = Cancel::default();
        for index in &self.indexes {
            let (mut found, mut counting) = (Vec::new(), Patient::new(Counter::default(), &never));
            find(index, &mut counting, &mut found);
            found.sort_unstable();
            let key = index.info().key;
            assert!(
                found == expected,
                "{key}: {what:?} found {found:?} and not {expected:?}"
            );
            assert_eq!(
                counting.probe.hits,
                found.len() as u64,
                "{key}: the hits of {what:?}"
            );
        }
    }

    fn range(&mut self) {
        let area = match self.choices.below(6) {
            0 => Aabb::EVERYTHING,
            1 => self.field,
            _ => Aabb::of_points([self.spot(), self.spot()]),
        };
        let bodies = self.world.bodies();
        self.ask(&area, self.world.range(area), |index, counter, found| {
            index.range(bodies, area, counter, |unit| found.push(unit));
        });
    }

    fn radius(&mut self) {
        let (center, radius) = (self.spot(), self.reach());
        let bodies = self.world.bodies();
        let expected = self.world.radius(center, radius);
        self.ask(
            &("disc", center, radius),
            expected,
            |index, counter, found| {
                index.radius(bodies, center, radius, counter, |unit| found.push(unit));
            },
        );
    }

    fn segment(&mut self) {
        let from = self.spot();
        let to = if self.choices.flag() {
            self.spot()
        } else {
            from
        };
        let half_width = self.reach();
        let segment = Segment {
            from,
            to,
            half_width,
        };
        let bodies = self.world.bodies();
        self.ask(
            &segment,
            self.world.segment(segment),
            |index, counter, found| {
                index.segment(bodies, segment, counter, |unit| found.push(unit));
            },
        );
    }

    fn nearest(&mut self) {
        let query = NearestQuery {
            point: self.spot(),
            count: self.choices.pick(&[0, 1, 2, 3, 10, 1_000]),
            within: if self.choices.flag() {
                f32::INFINITY
            } else {
                self.reach()
            },
        };
        let skip = u32::from(self.choices.byte() % 4);
        let filter = |unit: UnitId| skip == 0 || !unit.is_multiple_of(skip + 1);
        let expected = self.world.nearest(query, filter);
        for index in &self.indexes {
            let mut found = Vec::new();
            index.nearest(self.world.bodies(), query, filter, &mut (), &mut found);
            assert_eq!(found, expected, "{}: {query:?}", index.info().key);
        }
    }

    fn pairs(&mut self) {
        let reach = self.reach();
        let count = 1 + self.choices.below(4) as u32;
        let bodies = self.world.bodies();
        let expected = self.world.pairs(reach);
        self.ask(
            &("pairs", reach, count),
            expected,
            |index, counter, found| {
                for share in 0..count {
                    let part = Part {
                        index: share,
                        count,
                    };
                    index.pairs_part(bodies, reach, part, counter, |batch| {
                        found.extend_from_slice(batch)
                    });
                }
            },
        );
    }

    /// What the window shows of a structure.
    fn look(&mut self) {
        let (point, min_size) = (self.spot(), self.reach());
        let around = Aabb::around(point, Vec2::splat(min_size));
        for index in &self.indexes {
            let mut ids = vec![0, u32::MAX, u32::from(self.choices.byte())];
            for (area, min_size) in [(Aabb::EVERYTHING, 0.0), (around, min_size)] {
                index.regions(RegionQuery { area, min_size }, &mut |region| {
                    ids.push(region.id)
                });
            }
            ids.sort_unstable();
            ids.dedup();
            for id in ids {
                index.facts(self.world.bodies(), id, &mut |fact| {
                    assert!(!fact.name.is_empty())
                });
            }
            let query = MarkQuery {
                area: around,
                min_size,
                cursor: Some(point),
                reach: 0.0,
            };
            index.marks(self.world.bodies(), query, &mut |_| {});
            index.quality(&mut |fact| assert!(!fact.name.is_empty()));
        }
    }
}

/// The value at this share of what a knob takes.
fn value_of(knob: &Knob, share: f64) -> f64 {
    match knob.range {
        KnobRange::Number {
            min,
            max,
            whole,
            logarithmic,
        } => {
            let value = if logarithmic {
                min * (max / min).powf(share)
            } else {
                min + (max - min) * share
            };
            if whole { value.round() } else { value }.clamp(min, max)
        }
        KnobRange::Choice(words) => (share * (words.len() - 1) as f64).round(),
        KnobRange::Switch => share.round(),
    }
}
