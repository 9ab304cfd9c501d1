//! A trial for any structure: crowds large enough for many leaves, moved, thinned and filled up, every answer compared with
//! all pairs.

use super::structures::all_pairs::AllPairs3;
use super::{Aabb3, Bodies3, NearestQuery3, Partition3, RegionQuery3, Segment3, Vec3};
use crate::chance::Stream;
use crate::partition::damage::{Damage, assert_noticed};
use crate::partition::{Change, Pair, UnitId};

/// The field of every trial.
pub(super) const FIELD: Aabb3 = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));

/// How a crowd is spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crowd {
    /// Evenly over the field.
    Even,
    /// On the crossings of a coarse lattice, many on each.
    Lattice,
    /// On one slanting line.
    Line,
    /// On one level plane.
    Plane,
    /// Most in a corner, some far outside.
    Corner,
}

const CROWDS: [Crowd; 5] = [
    Crowd::Even,
    Crowd::Lattice,
    Crowd::Line,
    Crowd::Plane,
    Crowd::Corner,
];

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
    random: Stream,
    crowd: Crowd,
    centers: Vec<Vec3>,
    half_extents: Vec<Vec3>,
    alive: Vec<bool>,
}

impl Trial {
    /// `count` units, as points or as bodies of mixed sizes.
    pub(super) fn new(crowd: Crowd, count: usize, sized: bool) -> Self {
        let mut trial = Self {
            random: Stream::new(count as u64),
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

    pub(super) fn bodies(&self) -> Bodies3<'_> {
        Bodies3 {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    /// Three numbers from 0 to `size`.
    fn within(&mut self, size: f32) -> Vec3 {
        let mut number = || self.random.between(0.0, size);
        Vec3::new(number(), number(), number())
    }

    fn spot(&mut self) -> Vec3 {
        match self.crowd {
            Crowd::Even => self.within(100.0),
            Crowd::Lattice => self.within(5.0).floor() * 25.0,
            Crowd::Line => {
                Vec3::new(3.0, 40.0, 10.0) + Vec3::new(2.0, 1.0, 1.5) * self.within(30.0).x
            }
            Crowd::Plane => self.within(100.0).with_z(50.0),
            Crowd::Corner if self.random.below(10) > 0 => self.within(8.0),
            Crowd::Corner => (self.within(1.0) - 0.5) * 1.0e4,
        }
    }

    /// Mostly small, now and then as large as a good part of the field, and now and then nothing.
    fn size(&mut self) -> Vec3 {
        match self.random.below(20) {
            0 => self.within(40.0),
            1 => Vec3::ZERO,
            _ => self.within(1.5),
        }
    }

    /// One unit in so many goes somewhere else, half of them not far; one in twenty of these gets another size.
    pub(super) fn step(&mut self, one_in: u64) -> Vec<Change> {
        let mut changes = Vec::new();
        for row in 0..self.centers.len() {
            if !self.alive[row] || self.random.below(one_in) > 0 {
                continue;
            }
            self.centers[row] = if self.random.below(2) == 0 {
                self.spot()
            } else {
                self.centers[row] + self.within(2.0) - 1.0
            };
            if !self.half_extents.is_empty() && self.random.below(20) == 0 {
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
        self.half_extents.resize(count, Vec3::ZERO);
        let mut changes = Vec::new();
        for row in 0..self.centers.len() {
            if !self.alive[row] || (way == Resized::Some && self.random.below(5) > 0) {
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
    pub(super) fn turn_over(&mut self, one_in: u64) -> Vec<Change> {
        let mut changes = Vec::new();
        for row in 0..self.centers.len() {
            if self.random.below(one_in) > 0 {
                continue;
            }
            if self.alive[row] {
                changes.push(Change::Remove(row as UnitId));
            }
            self.alive[row] = self.random.below(2) == 0;
            if self.alive[row] {
                self.centers[row] = self.spot();
                changes.push(Change::Add(row as UnitId));
            }
        }
        changes
    }

    /// The first `count` of those alive fall.
    fn fall(&mut self, count: usize) -> Vec<Change> {
        let fallen: Vec<_> = self.bodies().ids().take(count).collect();
        for unit in &fallen {
            self.alive[*unit as usize] = false;
        }
        fallen.into_iter().map(Change::Remove).collect()
    }

    /// Compares every kind of answer.
    fn compare<S: Partition3>(&mut self, index: &S, truth: &AllPairs3) {
        for _ in 0..8 {
            let (a, b) = (self.spot(), self.spot());
            let reach = self.random.between(0.0, 1.0).powi(3) * 40.0;
            let bodies = self.bodies();
            let areas = [
                Aabb3::of_points([a, b]),
                Aabb3::around(a, Vec3::splat(reach)),
                Aabb3::point(a),
            ];
            for area in areas {
                assert_eq!(
                    sorted(|visit| index.range(bodies, area, &mut (), visit)),
                    sorted(|visit| truth.range(bodies, area, &mut (), visit)),
                    "{area:?}"
                );
            }
            assert_eq!(
                sorted(|visit| index.sphere(bodies, a, reach, &mut (), visit)),
                sorted(|visit| truth.sphere(bodies, a, reach, &mut (), visit)),
                "{reach} around {a}"
            );
            let segment = Segment3 {
                from: a,
                to: b,
                half_width: reach * 0.1,
            };
            assert_eq!(
                sorted(|visit| index.segment(bodies, segment, &mut (), visit)),
                sorted(|visit| truth.segment(bodies, segment, &mut (), visit)),
                "{segment:?}"
            );
            for (count, within) in [
                (1, f32::INFINITY),
                (8, f32::INFINITY),
                (9, f32::INFINITY),
                (40, reach),
            ] {
                let query = NearestQuery3 {
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
        for reach in [0.0, 1.5, 30.0] {
            let expected = sorted_pairs(|batch| {
                truth.pairs(bodies, reach, &mut (), batch);
            });
            let found = sorted_pairs(|batch| {
                index.pairs(bodies, reach, &mut (), batch);
            });
            assert!(found == expected, "pairs within {reach}");
        }
        let mut load = 0;
        index.regions(RegionQuery3::ALL, &mut |region| {
            load += region.load as usize
        });
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
fn index<S: Partition3>(knobs: &[(&str, &str)]) -> S {
    let mut index = S::new(FIELD);
    for (key, value) in knobs {
        let knob = S::INFO.knob_index(key).expect("a knob");
        index.set_knob(knob, S::INFO.knobs[knob].parse(value).expect("a value"));
    }
    index
}

/// Plays every crowd on a structure whose knobs are set to these values.
pub(super) fn stands_trial<S: Partition3>(knobs: &[(&str, &str)]) {
    for crowd in CROWDS {
        for sized in [false, true] {
            let mut trial = Trial::new(crowd, 400, sized);
            let (mut index, mut truth) = (index::<S>(knobs), AllPairs3::new(FIELD));
            index.rebuild(trial.bodies(), &mut ());
            truth.rebuild(trial.bodies(), &mut ());
            for round in 0..10 {
                let changes = match round {
                    0 => Vec::new(),
                    3 => trial.step(1),
                    4 | 6 => trial.turn_over(10),
                    7 => {
                        // A step in which nearly all move, and some fall.
                        let mut changes = trial.step(1);
                        changes.extend(trial.fall(20));
                        changes
                    }
                    9 => trial.fall(usize::MAX),
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
fn stands_sizes<S: Partition3>(knobs: &[(&str, &str)], crowd: Crowd) {
    let mut trial = Trial::new(crowd, 250, false);
    let (mut index, mut truth) = (index::<S>(knobs), AllPairs3::new(FIELD));
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

/// A structure and the crowd that it has followed.
pub(super) struct Patient<S> {
    trial: Trial,
    pub(super) index: S,
}

impl<S: Partition3 + Clone> Patient<S> {
    /// Builds the structure over a crowd, and lets units come, go and move for some rounds, so few at a time that it follows each
    /// by itself: then some rows are not in use, and there are free places.
    pub(super) fn aged(crowd: Crowd, sized: bool, knobs: &[(&str, &str)]) -> Self {
        let trial = Trial::new(crowd, 400, sized);
        let mut patient = Self {
            index: index(knobs),
            trial,
        };
        patient.index.rebuild(patient.trial.bodies(), &mut ());
        for round in 0..6 {
            if round == 3 {
                // So many that nodes are given back.
                let changes = patient.trial.fall(150);
                patient
                    .index
                    .apply(patient.trial.bodies(), &changes, &mut ());
            }
            let changes = patient.trial.turn_over(20);
            patient
                .index
                .apply(patient.trial.bodies(), &changes, &mut ());
            let changes = patient.trial.step(20);
            patient
                .index
                .apply(patient.trial.bodies(), &changes, &mut ());
        }
        patient
    }

    /// Expects the structure to notice each damage.
    pub(super) fn notices(&self, damages: &[Damage<S>]) {
        let bodies = self.trial.bodies();
        assert_noticed(&self.index, damages, |index| index.validate(bodies));
    }
}
