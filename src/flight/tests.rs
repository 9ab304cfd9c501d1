//! Flights in small: the same under whatever answers them, never out of bounds, and back as they were.

use super::*;
use crate::probe::{Cancel, Counter, Patient};
use crate::scene::{Formation3, Hills, StructureChoice, StructureChoice3, Volume, file};
use crate::volume::{AnyPartition3, Kind3};

/// Long enough for everybody to have looked around, met somebody and strayed.
const TICKS: u64 = 120;

/// A scene of 120 by 100 by 80 m with these flocks.
fn scene(flocks: Vec<Flock>) -> Scene {
    let mut scene = file::built_in();
    scene.armies.clear();
    scene.world = None;
    scene.field.min = crate::geometry::Vec2::ZERO;
    scene.field.max = crate::geometry::Vec2::new(120.0, 100.0);
    scene.volume = Some(Volume::new((0.0, 80.0), flocks));
    scene
}

/// Two flocks in boxes that overlap, all of them moving in this way.
fn flocks(motion: Motion, size: Size<Vec3>) -> Vec<Flock> {
    let flock = |side, from: f32| Flock {
        motion,
        size,
        speed: 20.0,
        sight: 60.0,
        ..Flock::new(
            side,
            150,
            Formation3::Uniform(Aabb3::new(
                Vec3::new(from, 10.0, 10.0),
                Vec3::new(from + 60.0, 90.0, 70.0),
            )),
        )
    };
    vec![flock(Side::Blue, 5.0), flock(Side::Orange, 45.0)]
}

/// A flight with an index that follows it.
struct Followed {
    flight: Flight,
    index: AnyPartition3,
    decision: Decision3,
    threads: usize,
}

impl Followed {
    fn new(scene: &Scene, choice: &StructureChoice3, threads: usize) -> Self {
        let flight = Flight::new(scene);
        let mut index = choice.index(flight.field(), flight.pair_reach());
        index.rebuild(flight.bodies(), &mut ());
        Self {
            flight,
            index,
            decision: Decision3::default(),
            threads,
        }
    }

    /// With an octree, on one thread.
    fn of(scene: &Scene) -> Self {
        Self::new(scene, &StructureChoice3::new(Kind3::Octree), 1)
    }

    fn step(&mut self) -> crate::battle::StepSummary {
        let (flight, index) = (&mut self.flight, &mut self.index);
        let never = Cancel::default();
        let mut counting = Patient::new(Counter::default(), &never);
        let decision = &mut self.decision;
        let summary = flight.step(decision, index, self.threads, &mut counting, &mut ());
        index.apply(flight.bodies(), flight.changes(), &mut ());
        summary
    }

    /// The hashes of so many ticks, with how many were found and looked for.
    fn run(&mut self, ticks: u64) -> Vec<(u64, u64, u32)> {
        let step = |_| {
            let summary = self.step();
            (self.flight.hash(), summary.pairs, summary.lookups)
        };
        (0..ticks).map(step).collect()
    }

    fn edit(&mut self, edit: impl FnOnce(&mut Flight) -> Edit3) -> Edit3 {
        let receipt = edit(&mut self.flight);
        self.index.expect(self.flight.pair_reach());
        self.index.rebuild(self.flight.bodies(), &mut ());
        receipt
    }
}

/// Every structure as it is, and with each knob at its least, its greatest or each of its choices.
fn variants() -> Vec<StructureChoice3> {
    use crate::partition::KnobRange;
    let mut all = Vec::new();
    for &kind in Kind3::ALL {
        all.push(StructureChoice::new(kind));
        for (place, knob) in kind.info().knobs.iter().enumerate() {
            let values = match knob.range {
                // Cells of less than a metre are many in a test.
                KnobRange::Number { min, max, .. } => vec![min.max(1.0), max],
                KnobRange::Choice(words) => (0..words.len()).map(|word| word as f64).collect(),
                KnobRange::Switch => vec![0.0, 1.0],
            };
            all.extend(values.into_iter().map(|value| StructureChoice {
                kind,
                knobs: vec![(place, value)],
            }));
        }
    }
    all
}

#[test]
fn what_was_tested_for_the_nearest_enemies_is_told_apart_on_one_thread_and_on_several() {
    let scene = scene(flocks(Motion::Chase, Size::Point));
    let all_pairs = StructureChoice3::new(Kind3::AllPairs);
    let Followed { flight, index, .. } = Followed::new(&scene, &all_pairs, 1);
    let units = flight.bodies().ids().count() as u64;
    let never = Cancel::default();
    for threads in [1, 3] {
        let mut decision = Decision3::default();
        let mut query = Patient::new(Counter::default(), &never);
        flight.decide(&mut decision, &index, threads, &mut query, &mut ());
        // Without a structure each search looks at everybody, and the pairs are the double loop.
        assert!(decision.lookups > 0);
        assert_eq!(decision.lookup_tests, u64::from(decision.lookups) * units);
        let pairs = query.probe.tests - decision.lookup_tests;
        assert_eq!(pairs, units * (units - 1) / 2, "{threads} threads");
        // Who counts nothing has nothing to tell apart.
        flight.decide(&mut decision, &index, threads, &mut (), &mut ());
        assert_eq!(decision.lookup_tests, 0);
    }
}

#[test]
fn every_motion_is_the_same_flight_under_every_structure_knob_and_number_of_threads() {
    let sized = Size::Between(0.2, 4.0);
    for (motion, size) in Motion::ALL
        .into_iter()
        .flat_map(|motion| [(motion, Size::Point), (motion, sized)])
    {
        let mut scene = scene(flocks(motion, size));
        scene.scale_units(120);
        let volume = scene.volume.as_mut().unwrap();
        volume.hills = Some(Hills {
            height: 20.0,
            spacing: 30.0,
        });
        let expected = Followed::of(&scene).run(TICKS);
        assert!(expected.iter().any(|(_, pairs, _)| *pairs > 0));
        for choice in variants() {
            let found = Followed::new(&scene, &choice, 1).run(TICKS);
            assert!(found == expected, "{motion:?}, {size:?}: {choice:?}");
        }
        for &kind in Kind3::ALL {
            for threads in [2, 3] {
                let choice = StructureChoice::new(kind);
                let found = Followed::new(&scene, &choice, threads).run(TICKS);
                assert!(
                    found == expected,
                    "{motion:?}, {size:?}: {kind:?} on {threads} threads"
                );
            }
        }
    }
}

#[test]
fn nobody_leaves_the_limits_of_coordinates_or_becomes_no_number() {
    let far = COORDINATE_LIMIT;
    let corners = [-far, far].map(|x| Vec3::new(x, -x, x));
    for motion in Motion::ALL {
        let at = |side| Flock {
            motion,
            speed: crate::scene::limits::MAX_SPEED,
            sight: far,
            ..Flock::new(side, 2, Formation3::Explicit(corners.to_vec()))
        };
        let mut followed = Followed::of(&scene(vec![at(Side::Blue), at(Side::Orange)]));
        for _ in 0..TICKS {
            followed.step();
            for unit in followed.flight.bodies().ids() {
                let place = followed.flight.positions[unit as usize];
                assert!(place.is_finite() && place.abs().max_element() <= far);
                assert!(followed.flight.velocities[unit as usize].is_finite());
            }
        }
    }
}

#[test]
fn who_drifts_comes_back_into_the_field() {
    let out = [
        Vec3::new(-60.0, 50.0, 40.0),
        Vec3::new(150.0, 150.0, 40.0),
        Vec3::new(60.0, 50.0, 120.0),
        Vec3::new(60.0, -30.0, -50.0),
    ];
    let flock = Flock {
        motion: Motion::Drift,
        speed: 30.0,
        ..Flock::new(Side::Blue, 4, Formation3::Explicit(out.to_vec()))
    };
    let mut followed = Followed::of(&scene(vec![flock]));
    let field = followed.flight.field();
    let mut has_been_in = [false; 4];
    for tick in 0..3_600 {
        followed.step();
        let places = followed.flight.positions.iter();
        for (has_been, place) in has_been_in.iter_mut().zip(places) {
            *has_been |= field.contains(*place);
            // At most a step beyond the border, once it was within.
            let beyond = (*place - place.clamp(field.min, field.max)).length();
            assert!(!*has_been || beyond <= 1.0, "tick {tick}: {place}");
        }
    }
    // Who flies along a border beyond it need not come in across the others soon, but all of these do.
    assert_eq!(has_been_in, [true; 4]);
}

#[test]
fn nobody_flies_through_a_hill() {
    for motion in Motion::ALL {
        for size in [Size::Point, Size::Fixed(Vec3::new(1.0, 1.0, 2.5))] {
            let mut scene = scene(flocks(motion, size));
            let volume = scene.volume.as_mut().unwrap();
            volume.hills = Some(Hills {
                height: 60.0,
                spacing: 25.0,
            });
            let mut followed = Followed::of(&scene);
            for tick in 1..=TICKS {
                followed.step();
                let flight = &followed.flight;
                for unit in flight.bodies().ids() {
                    let row = unit as usize;
                    let Vec3 { x, y, z } = flight.positions[row];
                    let half = flight.half_extents.get(row).map_or(0.0, |half| half.z);
                    let floor = flight.ground.height(x, y);
                    assert!(z - half >= floor - 1.0e-3, "{motion:?}, tick {tick}");
                }
            }
        }
    }
}

#[test]
fn who_circles_keeps_its_radius_and_its_height() {
    let mut followed = Followed::of(&scene(flocks(Motion::Orbit, Size::Point)));
    let middle = followed.flight.field().center();
    let of = |flight: &Flight| -> Vec<(f32, f32)> {
        let places = flight.positions.iter();
        places
            .map(|place| ((*place - middle).truncate().length(), place.z))
            .collect()
    };
    let before = of(&followed.flight);
    let begins = followed.flight.positions.clone();
    followed.run(1_200);
    for ((radius, z), (begun, height)) in of(&followed.flight).into_iter().zip(before) {
        assert!(
            (radius - begun).abs() <= 0.05,
            "from {begun} m to {radius} m"
        );
        assert_eq!(z, height);
    }
    let moved = followed.flight.positions.iter().zip(begins);
    assert!(moved.filter(|(now, then)| **now != *then).count() > 250);
    // On the axis itself there is no circle.
    let alone = Flock {
        motion: Motion::Orbit,
        ..Flock::new(Side::Blue, 1, Formation3::Spot(middle))
    };
    let mut followed = Followed::of(&scene(vec![alone]));
    followed.run(10);
    assert_eq!(followed.flight.positions, [middle]);
}

#[test]
fn units_on_one_spot_part() {
    for motion in [Motion::Drift, Motion::Flock, Motion::Chase, Motion::Flee] {
        let spot = Vec3::new(60.0, 50.0, 40.0);
        let flock = |side| Flock {
            motion,
            // Who chases strikes everybody there, and nobody is to fall of it.
            hit_points: u16::MAX,
            ..Flock::new(side, 40, Formation3::Spot(spot))
        };
        let mut followed = Followed::of(&scene(vec![flock(Side::Blue), flock(Side::Orange)]));
        followed.run(30);
        let flight = &followed.flight;
        let mut places: Vec<_> = flight.bodies().ids().collect();
        places.sort_by_key(|unit| {
            flight.positions[*unit as usize]
                .to_array()
                .map(f32::to_bits)
        });
        assert!(!places.is_empty());
        for pair in places.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|unit| flight.positions[unit as usize]);
            assert_ne!(a, b, "{motion:?}");
        }
    }
}

#[test]
fn who_chases_strikes_and_who_has_fallen_is_gone() {
    let mut followed = Followed::of(&scene(flocks(Motion::Chase, Size::Point)));
    let mut fallen = 0;
    for _ in 0..600 {
        fallen += followed.step().fallen;
    }
    let flight = &followed.flight;
    let alive = flight.count(Side::Blue) + flight.count(Side::Orange);
    assert!(fallen > 0);
    assert_eq!(alive + fallen, 300);
    assert_eq!(flight.bodies().count() as u32, alive);
    let mut peaceful = Followed::of(&scene(flocks(Motion::Flock, Size::Point)));
    peaceful.run(300);
    assert_eq!(peaceful.flight.bodies().count(), 300);
}

/// Asserts that an edit taken back leaves no trace, that done again it is the same, and that the flight then goes on as one to
/// which nothing was done.
#[track_caller]
fn assert_taken_back(scene: &Scene, edit: impl Fn(&mut Flight) -> Edit3) {
    let mut plain = Followed::of(scene);
    plain.run(31);
    let mut edited = Followed::of(scene);
    edited.run(31);
    let before = edited.flight.hash();
    let receipt = edited.edit(edit);
    let done = edited.flight.hash();
    let motions: Vec<_> = (0..400).map(|unit| edited.flight.motion_of(unit)).collect();
    let inverse = edited.edit(|flight| flight.revert(&receipt));
    assert_eq!(edited.flight.hash(), before);
    let receipt = edited.edit(|flight| flight.revert(&inverse));
    assert_eq!(edited.flight.hash(), done);
    let again: Vec<_> = (0..400).map(|unit| edited.flight.motion_of(unit)).collect();
    assert_eq!(again, motions);
    edited.edit(|flight| flight.revert(&receipt));
    assert_eq!(edited.run(40), plain.run(40));
}

#[test]
fn every_edit_is_taken_back_without_a_trace() {
    for size in [Size::Point, Size::Between(0.2, 3.0)] {
        let mut flocks = flocks(Motion::Chase, size);
        // The side has two squadrons that an order makes alike.
        flocks.push(Flock {
            motion: Motion::Drift,
            ..flocks[0].clone()
        });
        let scene = scene(flocks);
        let template = Template3 {
            motion: Motion::Flee,
            speed: 9.0,
            sight: 30.0,
            hit_points: 7,
            size: Size::Fixed(Vec3::splat(2.0)),
        };
        let places = [Vec3::ZERO, Vec3::new(60.0, 50.0, 40.0), Vec3::splat(-900.0)];
        assert_taken_back(&scene, |flight| {
            let edit = flight.spawn(Side::Orange, &template, &places);
            edit.expect("there is room")
        });
        // Hunters and hunted together, some of them twice, and one that is not there.
        let gone: Vec<UnitId> = (0..300).step_by(3).chain([0, 3, 9_999]).collect();
        assert_taken_back(&scene, |flight| flight.remove(&gone));
        let moves = [
            (0, places[1]),
            (7, places[2]),
            (0, places[0]),
            (9_999, places[0]),
        ];
        assert_taken_back(&scene, |flight| flight.place(&moves).expect("places"));
        for motion in Motion::ALL {
            assert_taken_back(&scene, |flight| flight.set_motion(Side::Blue, motion));
        }
        for scale in [0.0, 0.5, 3.0, f32::INFINITY, f32::NAN] {
            assert_taken_back(&scene, |flight| flight.set_reach_scale(scale));
        }
    }
}

#[test]
fn who_comes_back_is_of_the_squadron_that_it_was_of() {
    let mut flocks = flocks(Motion::Flock, Size::Point);
    flocks.push(Flock {
        motion: Motion::Drift,
        ..flocks[0].clone()
    });
    let mut flight = Flight::new(&scene(flocks));
    let order = flight.set_motion(Side::Blue, Motion::Hold);
    let erased = flight.remove(&[310]);
    flight.revert(&erased);
    flight.revert(&order);
    assert_eq!(flight.motion_of(0), Motion::Flock);
    assert_eq!(flight.motion_of(310), Motion::Drift);
}

#[test]
fn what_is_no_place_is_turned_away_and_changes_nothing() {
    let mut flight = Flight::new(&scene(flocks(Motion::Flock, Size::Point)));
    let before = flight.hash();
    let template = Template3::from(&flocks(Motion::Flock, Size::Point)[0]);
    for bad in [f32::NAN, f32::INFINITY, -1.0e10] {
        let place = Vec3::new(0.0, bad, 0.0);
        let refused = flight.spawn(Side::Blue, &template, &[Vec3::ZERO, place]);
        assert!(matches!(
            refused,
            Err(SpawnError3::Position { unit: 1, .. })
        ));
        assert!(flight.place(&[(0, Vec3::ZERO), (1, place)]).is_err());
        assert_eq!(flight.hash(), before);
    }
    let crowd = vec![Vec3::ZERO; UNIT_LIMIT];
    let refused = flight.spawn(Side::Blue, &template, &crowd);
    assert!(matches!(
        refused,
        Err(SpawnError3::Full { present: 300, .. })
    ));
    assert_eq!(flight.hash(), before);
}

#[test]
fn who_is_taken_back_leaves_no_row_behind_and_comes_back_into_its_own() {
    let mut flight = Flight::new(&scene(flocks(Motion::Flock, Size::Point)));
    let template = Template3::from(&flocks(Motion::Flock, Size::Point)[0]);
    let places = [Vec3::ZERO, Vec3::splat(5.0), Vec3::splat(9.0)];
    flight.remove(&[7]);
    let came = flight.spawn(Side::Blue, &template, &places);
    let came = came.expect("there is room");
    assert_eq!(came.units(), [7, 300, 301]);
    let went = flight.revert(&came);
    assert_eq!(flight.bodies().slot_count(), 300);
    let came = flight.revert(&went);
    assert_eq!(came.units(), [7, 300, 301]);
    assert_eq!(flight.bodies().center(301), places[2]);
    // Where one of them was taken off since, the others keep their rows.
    flight.remove(&[300]);
    let went = flight.revert(&came);
    assert_eq!(flight.bodies().slot_count(), 302);
    assert_eq!(flight.revert(&went).units(), [7, 301]);
}

#[test]
fn who_is_taken_back_once_time_has_passed_leaves_its_row_free() {
    let mut followed = Followed::of(&scene(flocks(Motion::Chase, Size::Point)));
    let template = Template3 {
        hit_points: 1,
        ..Template3::from(&flocks(Motion::Hold, Size::Point)[0])
    };
    let middle = Vec3::new(60.0, 50.0, 40.0);
    let places: Vec<Vec3> = (0..20).map(|unit| middle + Vec3::X * unit as f32).collect();
    let came = followed.edit(|flight| {
        let edit = flight.spawn(Side::Blue, &template, &places);
        edit.expect("there is room")
    });
    assert_eq!(followed.flight.bodies().slot_count(), 320);
    followed.step();
    let standing = |flight: &Flight| -> Vec<UnitId> {
        let units = came.units().iter().copied();
        units.filter(|unit| flight.is_alive(*unit)).collect()
    };
    let take_back_and_again = |followed: &mut Followed| {
        let (stood, hash) = (standing(&followed.flight), followed.flight.hash());
        let went = followed.edit(|flight| flight.revert(&came));
        assert_eq!(followed.flight.bodies().slot_count(), 320);
        assert!(standing(&followed.flight).is_empty());
        let back = followed.edit(|flight| flight.revert(&went));
        assert_eq!(back.units(), stood);
        assert_eq!(followed.flight.hash(), hash);
        stood.len()
    };
    take_back_and_again(&mut followed);
    // And so do those who are left where some of them have fallen.
    let mut ticks = 0;
    while standing(&followed.flight).len() == places.len() {
        followed.step();
        ticks += 1;
        assert!(ticks < 600, "nobody falls");
    }
    assert!(take_back_and_again(&mut followed) < places.len());
}
