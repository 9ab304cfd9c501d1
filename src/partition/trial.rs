//! A trial for any structure: crowds large enough for many leaves, moved, thinned and filled up, every answer compared with
//! all pairs.

use super::structures::all_pairs::AllPairs;
use super::{
    Around, Bodies, Change, Corridor, Figure, NearestQuery, Pair, Part, Partition, Polygon,
    RegionQuery, Sector, UnitId,
};
use crate::geometry::{Aabb, Segment, Vec2};
use crate::probe::{Cancel, Counter, Patient};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The field of every trial.
pub(super) const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));

/// How a crowd is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crowd {
    /// Evenly over the field.
    Even,
    /// On the crossings of a coarse lattice, many on each.
    Lattice,
    /// On one slanting line.
    Line,
    /// Most in a corner, some far outside.
    Corner,
}

pub(super) const CROWDS: [Crowd; 4] = [Crowd::Even, Crowd::Lattice, Crowd::Line, Crowd::Corner];

/// How the sizes of a crowd change while nobody moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Resized {
    /// Some are given another one; points become bodies where nobody has one yet.
    Some,
    /// All are given another one.
    All,
    /// All grow.
    Larger,
    /// All shrink.
    Smaller,
    /// All are points.
    Points,
}

/// Through these a crowd of points is led.
const RESIZED: [Resized; 8] = [
    Resized::Some,
    Resized::Larger,
    Resized::Smaller,
    Resized::All,
    Resized::Some,
    Resized::Smaller,
    Resized::Points,
    Resized::All,
];

/// The units of a trial.
pub(super) struct Trial {
    random: Pcg64Mcg,
    crowd: Crowd,
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
}

impl Trial {
    /// `count` units, as points or as bodies of mixed sizes.
    pub(super) fn new(crowd: Crowd, count: usize, sized: bool) -> Self {
        let mut trial = Self {
            random: Pcg64Mcg::seed_from_u64(count as u64),
            crowd,
            centers: Vec::new(),
            half_extents: Vec::new(),
            alive: vec![true; count],
        };
        for _ in 0..count {
            let spot = trial.spot();
            trial.centers.push(spot);
            if sized {
                let size = trial.size();
                trial.half_extents.push(size);
            }
        }
        trial
    }

    pub(super) fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    fn spot(&mut self) -> Vec2 {
        let random = &mut self.random;
        let mut within = |size: f32| Vec2::new(random.random(), random.random()) * size;
        match self.crowd {
            Crowd::Even => within(100.0),
            Crowd::Lattice => (within(5.0)).floor() * 25.0,
            Crowd::Line => Vec2::new(3.0, 40.0) + Vec2::new(2.0, 1.0) * within(30.0).x,
            Crowd::Corner => {
                let spot = within(6.0);
                if spot.x < 5.5 {
                    spot
                } else {
                    within(2.0e7) - Vec2::splat(1.0e7)
                }
            }
        }
    }

    /// Mostly small, one in ten large, some nothing.
    fn size(&mut self) -> Vec2 {
        let mut side = || match self.random.random_range(0..10) {
            0 => self.random.random::<f32>() * 40.0,
            1 => 0.0,
            _ => self.random.random::<f32>(),
        };
        Vec2::new(side(), side())
    }

    /// Moves one unit in `one_in`, most of them a little.
    pub(super) fn step(&mut self, one_in: usize) -> Vec<Change> {
        let mut changes = Vec::new();
        for row in 0..self.centers.len() {
            if !self.alive[row] || self.random.random_range(0..one_in) != 0 {
                continue;
            }
            if self.random.random_range(0..20) == 0 {
                self.centers[row] = self.spot();
            } else {
                let step = Vec2::new(self.random.random(), self.random.random()) - 0.5;
                self.centers[row] += step;
            }
            if !self.half_extents.is_empty() && self.random.random_range(0..20) == 0 {
                self.half_extents[row] = self.size();
            }
            changes.push(Change::Move(row as UnitId));
        }
        changes
    }

    /// Sizes change, and nobody moves.
    fn resize(&mut self, way: Resized) -> Vec<Change> {
        let count = if way == Resized::Points {
            0
        } else {
            self.centers.len()
        };
        self.half_extents.resize(count, Vec2::ZERO);
        let mut changes = Vec::new();
        for row in 0..self.centers.len() {
            if !self.alive[row] || (way == Resized::Some && self.random.random_range(0..5) != 0) {
                continue;
            }
            match way {
                Resized::Some | Resized::All => self.half_extents[row] = self.size(),
                Resized::Larger => self.half_extents[row] = self.half_extents[row] * 1.5 + 0.25,
                Resized::Smaller => self.half_extents[row] *= 0.5,
                Resized::Points => {}
            }
            changes.push(Change::Move(row as UnitId));
        }
        changes
    }

    /// Some units fall, and some of the fallen come back elsewhere.
    pub(super) fn turn_over(&mut self, one_in: usize) -> Vec<Change> {
        let mut changes = Vec::new();
        for row in 0..self.centers.len() {
            if self.random.random_range(0..one_in) != 0 {
                continue;
            }
            if self.alive[row] {
                changes.push(Change::Remove(row as UnitId));
            }
            self.alive[row] = self.random.random();
            if self.alive[row] {
                self.centers[row] = self.spot();
                changes.push(Change::Add(row as UnitId));
            }
        }
        changes
    }

    /// Everybody takes a small step.
    pub(super) fn drift(&mut self) -> Vec<Change> {
        for center in &mut self.centers {
            *center += Vec2::new(self.random.random(), self.random.random()) - 0.5;
        }
        self.bodies().ids().map(Change::Move).collect()
    }

    /// The first `count` of those alive fall.
    pub(super) fn fall(&mut self, count: usize) -> Vec<Change> {
        let fallen: Vec<_> = self.bodies().ids().take(count).collect();
        for unit in &fallen {
            self.alive[*unit as usize] = false;
        }
        fallen.into_iter().map(Change::Remove).collect()
    }

    /// Compares every kind of answer.
    pub(super) fn compare<S: Partition>(&mut self, index: &S, truth: &AllPairs) {
        for _ in 0..8 {
            let (a, b) = (self.spot(), self.spot());
            let reach = self.random.random::<f32>().powi(3) * 30.0;
            let bodies = self.bodies();
            let areas = [
                Aabb::of_points([a, b]),
                Aabb::around(a, Vec2::splat(reach)),
                Aabb::new(a, a),
            ];
            for area in areas {
                assert_eq!(
                    sorted(|visit| index.range(bodies, area, &mut (), visit)),
                    sorted(|visit| truth.range(bodies, area, &mut (), visit)),
                    "{area:?}"
                );
            }
            assert_eq!(
                sorted(|visit| index.radius(bodies, a, reach, &mut (), visit)),
                sorted(|visit| truth.radius(bodies, a, reach, &mut (), visit)),
                "{reach} around {a}"
            );
            let segment = Segment {
                from: a,
                to: b,
                half_width: reach * 0.1,
            };
            assert_eq!(
                sorted(|visit| index.segment(bodies, segment, &mut (), visit)),
                sorted(|visit| truth.segment(bodies, segment, &mut (), visit)),
                "{segment:?}"
            );
            let c = self.spot();
            let turn = self.random.random::<f32>() * 360.0;
            let unit = self.random.random_range(0..self.centers.len()) as UnitId;
            let bodies = self.bodies();
            let figures: [&dyn Figure; 5] = [
                &Sector::new(a, turn, turn * 0.3 + 1.0, reach * 2.0),
                &Sector::new(a, turn, 360.0 - turn * 0.3, reach),
                &Polygon::new(&[a, b, c, (a + b) * 0.5, a + reach]),
                &Corridor::new(reach * 0.1, &[a, b, b, c]),
                &Around::new(Aabb::around(c, Vec2::new(1.0, 0.0)), reach),
            ];
            for figure in figures {
                assert_eq!(
                    sorted(|visit| index.within(bodies, figure, &mut (), visit)),
                    sorted(|visit| truth.within(bodies, figure, &mut (), visit)),
                    "{figure:?}"
                );
            }
            assert_eq!(
                sorted(|visit| index.near(bodies, unit, reach, &mut (), visit)),
                sorted(|visit| truth.near(bodies, unit, reach, &mut (), visit)),
                "{reach} around unit {unit}"
            );
            // A few are gathered, more than eight are kept in order.
            for (count, within) in [
                (1, reach * 2.0),
                (3, f32::INFINITY),
                (8, reach * 9.0),
                (9, f32::INFINITY),
            ] {
                let query = NearestQuery {
                    point: b,
                    count,
                    within,
                };
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                index.nearest(bodies, query, |unit| unit % 7 != 0, &mut (), &mut found);
                truth.nearest(bodies, query, |unit| unit % 7 != 0, &mut (), &mut expected);
                assert_eq!(found, expected, "{query:?}");
            }
        }
        let bodies = self.bodies();
        for reach in [0.0, 1.5] {
            let never = Cancel::default();
            let mut counter = Patient::new(Counter::default(), &never);
            let expected = sorted_pairs(|batch| {
                truth.pairs(bodies, reach, &mut (), batch);
            });
            let found = sorted_pairs(|batch| {
                index.pairs(bodies, reach, &mut counter, batch);
            });
            assert!(found == expected, "pairs within {reach}");
            let mut sum = Patient::new(Counter::default(), &never);
            let shared = sorted_pairs(|batch| {
                for part in 0..3 {
                    let part = Part {
                        index: part,
                        count: 3,
                    };
                    index.pairs_part(bodies, reach, part, &mut sum, &mut *batch);
                }
            });
            assert!(shared == expected, "shares of pairs within {reach}");
            let (sum, counter) = (sum.probe, counter.probe);
            assert_eq!((sum.tests, sum.hits), (counter.tests, counter.hits));
        }
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        let mut load = 0;
        index.regions(everything, &mut |region| load += region.load as usize);
        assert_eq!(load, bodies.count(), "the units that regions hold");
    }
}

/// Who is found, by ascending id. One type of callback for all questions: each is a copy of every traversal.
fn sorted(ask: impl FnOnce(&mut dyn FnMut(UnitId))) -> Vec<UnitId> {
    let mut found = Vec::new();
    ask(&mut |unit| found.push(unit));
    found.sort_unstable();
    found
}

/// The same of pairs.
fn sorted_pairs(ask: impl FnOnce(&mut dyn FnMut(&[Pair]))) -> Vec<Pair> {
    let mut found = Vec::new();
    ask(&mut |batch| found.extend_from_slice(batch));
    found.sort_unstable();
    found
}

/// An index with its knobs at these values.
fn index<S: Partition>(knobs: &[(&str, &str)]) -> S {
    let mut index = S::new(FIELD);
    for (key, value) in knobs {
        let knob = S::INFO.knob_index(key).expect("a knob");
        index.set_knob(knob, S::INFO.knobs[knob].parse(value).expect("a value"));
    }
    index
}

/// Plays every crowd on a structure whose knobs are set to these values.
pub(super) fn stands_trial<S: Partition>(knobs: &[(&str, &str)]) {
    for crowd in CROWDS {
        for sized in [false, true] {
            let mut trial = Trial::new(crowd, 300, sized);
            let (mut index, mut truth) = (index::<S>(knobs), AllPairs::new(FIELD));
            index.rebuild(trial.bodies(), &mut ());
            truth.rebuild(trial.bodies(), &mut ());
            for round in 0..12 {
                let changes = match round {
                    0 => Vec::new(),
                    4 => trial.step(1),
                    5 | 8 => trial.turn_over(10),
                    9 => {
                        // A battle's step: nearly all move, and some fall.
                        let mut changes = trial.step(1);
                        changes.extend(trial.fall(20));
                        changes
                    }
                    11 => trial.fall(usize::MAX),
                    _ => trial.step(15),
                };
                index.apply(trial.bodies(), &changes, &mut ());
                truth.apply(trial.bodies(), &changes, &mut ());
                if let Err(violation) = index.validate(trial.bodies()) {
                    panic!("{crowd:?}, sized {sized}, round {round}: {violation}");
                }
                trial.compare(&index, &truth);
            }
        }
        stands_sizes::<S>(knobs, crowd);
    }
}

/// Leads a crowd that has been thinned through all ways in which sizes change.
fn stands_sizes<S: Partition>(knobs: &[(&str, &str)], crowd: Crowd) {
    let mut trial = Trial::new(crowd, 200, false);
    let (mut index, mut truth) = (index::<S>(knobs), AllPairs::new(FIELD));
    index.rebuild(trial.bodies(), &mut ());
    truth.rebuild(trial.bodies(), &mut ());
    let fallen = trial.fall(20);
    index.apply(trial.bodies(), &fallen, &mut ());
    truth.apply(trial.bodies(), &fallen, &mut ());
    for way in RESIZED {
        let changes = trial.resize(way);
        index.apply(trial.bodies(), &changes, &mut ());
        truth.apply(trial.bodies(), &changes, &mut ());
        if let Err(violation) = index.validate(trial.bodies()) {
            panic!("{crowd:?}, {way:?}: {violation}");
        }
        trial.compare(&index, &truth);
    }
}
