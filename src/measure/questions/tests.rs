//! Questions are the same for all structures, whoever answers them; and whoever answers otherwise is found out.

use super::*;
use crate::measure::stage::Stage;
use crate::scene::{Scene, StructureChoice, file};

fn scene(name: &str, units: u32) -> Scene {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut scene = file::read(&path.join(name)).expect("a scene that ships");
    scene.scale_units(units);
    scene
}

/// The scene under each structure of its dimension, built.
fn stages(scene: &Scene) -> Vec<Stage> {
    let start = Stage::of(scene);
    let all = scene.structure_kind().siblings().into_iter();
    let built = |kind| {
        let choice = StructureChoice::new(kind);
        let mut stage = start.under(&choice).expect("one of its dimension");
        stage.build(1, &mut ());
        stage
    };
    all.map(built).collect()
}

#[test]
fn every_structure_answers_alike_and_whoever_looks_at_all_tests_all() {
    for (name, units) in [
        ("skirmish.ron", 300),
        ("mixed-sizes.ron", 200),
        ("one-spot.ron", 60),
        ("dogfight.ron", 200),
        ("volume-mixed-sizes.ron", 150),
        ("volume-one-spot.ron", 60),
    ] {
        for (side, nearest) in [(None, NEAREST), (Some(40.0), 1), (Some(1.0e9), 500)] {
            let asked = Asked {
                rectangle: side,
                height: None,
                nearest,
            };
            let mut right: Option<Answers> = None;
            for stage in stages(&scene(name, units)) {
                let which = format!("{name} with {asked:?} under {}", stage.info().key);
                let units = stage.units();
                let questions = stage.questions(&asked);
                assert_eq!(questions.count() as u64, units.min(256), "{which}");
                let answers = stage.count(&questions);
                let right = right.get_or_insert_with(|| answers.clone());
                assert_eq!(answers.compare(right), None, "{which}");
                let [rectangle, near] = answers.prices(Batches::default());
                assert!(rectangle.found >= 1.0, "{which}: itself at the least");
                assert_eq!(near.found, units.min(nearest as u64) as f64, "{which}");
                if side == Some(1.0e9) {
                    assert_eq!(rectangle.found, units as f64, "{which}");
                }
                if stage.info().key == "all-pairs" {
                    assert_eq!((rectangle.tests, near.tests), (units as f64, units as f64));
                }
                assert_eq!(answers, stage.count(&questions), "{which}: again");
            }
        }
    }
}

#[test]
fn a_rectangle_may_be_as_wide_and_as_high_as_one_wants() {
    let asked = |rectangle, height| Asked {
        rectangle,
        height,
        ..Asked::default()
    };
    for (name, units, words) in [
        ("mixed-sizes.ron", 200, "a rectangle of 40 \u{d7} 3 m"),
        (
            "volume-mixed-sizes.ron",
            150,
            "a box of 40 \u{d7} 40 \u{d7} 3 m",
        ),
    ] {
        let mut right: Option<Answers> = None;
        let all = stages(&scene(name, units));
        for stage in &all {
            let questions = stage.questions(&asked(Some(40.0), Some(3.0)));
            assert_eq!(questions.words(Question::Rectangle), words);
            assert_eq!(questions.size(), [40.0, 3.0]);
            let answers = stage.count(&questions);
            let right = right.get_or_insert_with(|| answers.clone());
            assert_eq!(answers.compare(right), None, "{name}");
        }
        // It holds no more than the square around it, and no less than the one inside.
        let found = |rectangle, height| {
            let questions = all[0].questions(&asked(rectangle, height));
            let [rectangle, _] = all[0].count(&questions).prices(Batches::default());
            rectangle.found
        };
        let flat = found(Some(40.0), Some(3.0));
        let [small, large] = [3.0, 40.0].map(|side| found(Some(side), None));
        assert!(small <= flat && flat <= large && small < large, "{name}");
        assert_eq!(found(Some(40.0), Some(40.0)), found(Some(40.0), None));
    }
}

#[test]
fn where_pairs_have_no_reach_the_rectangle_goes_by_bodies_and_of_points_by_how_close_they_stand() {
    let asked = Asked::default();
    let grid = |place: usize| Vec2::new((place % 40) as f32, (place / 40) as f32);
    let centers: Vec<Vec2> = (0..1_600).map(grid).collect();
    let halves: Vec<Vec2> = (0..1_600)
        .map(|place| Vec2::splat([0.5, 1.0][place % 2]))
        .collect();
    let sized = Bodies {
        centers: &centers,
        half_extents: &halves,
        alive: &[],
    };
    let over = |bodies, reach| Questions::over::<AnyPartition>(bodies, reach, &asked);
    // Ten times 1.5 m; with a reach it goes by that alone.
    assert_eq!(over(sized, 0.0).size(), [15.0, 15.0]);
    assert_eq!(over(sized, 3.0).size(), [30.0, 30.0]);
    // Forty of 1,600 points on 39 m by 39 m.
    let points = Bodies::points(&centers);
    assert_eq!(over(points, 0.0).size(), [6.2, 6.2]);
    assert_eq!(over(points, 0.5).size(), [5.0, 5.0]);
    // In a row, on one spot, and where nobody is: some width in any case.
    let row: Vec<Vec2> = (0..400).map(|place| Vec2::new(place as f32, 7.0)).collect();
    assert_eq!(over(Bodies::points(&row), 0.0).size(), [40.0, 40.0]);
    // One body among many points says nothing of all of them, and a reach that is hardly one nothing at all.
    let mut halves = vec![Vec2::ZERO; 1_600];
    halves[7] = Vec2::splat(0.25);
    let one_sized = Bodies {
        centers: &centers,
        half_extents: &halves,
        alive: &[],
    };
    assert_eq!(over(one_sized, 0.0).size(), [6.2, 6.2]);
    assert_eq!(over(points, 1.0e-5).size(), [6.2, 6.2]);
    assert_eq!(over(sized, 1.0e-5).size(), [15.0, 15.0]);
    // Nearly in a row they stand evenly along it, and so they do the other way round.
    let scatter = |place: usize| 1.0e-6 * (place % 7) as f32;
    let near_row: Vec<Vec2> = (0..400)
        .map(|place| Vec2::new(place as f32 * 2.5, scatter(place)))
        .collect();
    let near_column: Vec<Vec2> = near_row.iter().map(|at| Vec2::new(at.y, at.x)).collect();
    for all in [&near_row, &near_column] {
        assert_eq!(over(Bodies::points(all), 0.0).size(), [100.0, 100.0]);
    }
    for few in [&[][..], &[Vec2::ONE], &[Vec2::ONE; 3]] {
        let [width, height] = over(Bodies::points(few), 0.0).size();
        assert!(
            width > 0.0 && width == height && width.is_finite(),
            "{width}"
        );
    }
    let cubes: Vec<Vec3> = (0..1_000)
        .map(|place| {
            Vec3::new(
                (place % 10) as f32,
                (place / 10 % 10) as f32,
                (place / 100) as f32,
            )
        })
        .collect();
    let halves = [Vec3::splat(2.0); 1_000];
    let over = |bodies| Questions::over::<AnyPartition3>(bodies, 0.0, &asked).size();
    let sized = Bodies3 {
        centers: &cubes,
        half_extents: &halves,
        alive: &[],
    };
    assert_eq!(over(sized), [20.0, 20.0]);
    // Forty of 1,000 in 9 m of each axis.
    assert_eq!(over(Bodies3::points(&cubes)), [3.1, 3.1]);
    // In a layer that is hardly higher than nothing: forty of 1,600 on 39 m by 39 m again.
    let layer: Vec<Vec3> = centers
        .iter()
        .enumerate()
        .map(|(place, at)| Vec3::new(at.x, at.y, scatter(place)))
        .collect();
    assert_eq!(over(Bodies3::points(&layer)), [6.2, 6.2]);
}

#[test]
fn fingerprints_know_no_order_of_a_rectangle_and_name_the_question_that_differs() {
    let scene = scene("skirmish.ron", 100);
    let stage = &stages(&scene)[0];
    let questions = stage.questions(&Asked::default());
    let right = stage.count(&questions);
    for question in Question::ALL {
        let mut other = right.clone();
        other.0[question as usize].prints[7] ^= 1;
        let wrong = other.compare(&right).expect("they differ");
        assert_eq!((wrong.question, wrong.place), (question, 7));
        let unit = questions.places[7];
        let told = questions.tell(wrong);
        assert!(told.ends_with(&format!(" unit {unit}")), "{told}");
    }
}

#[test]
fn places_are_of_all_the_scene_and_fewer_where_each_takes_longer() {
    let of = |units: usize, nearest| {
        let centers = vec![Vec2::ZERO; units];
        let asked = Asked {
            rectangle: None,
            height: None,
            nearest,
        };
        Questions::over::<AnyPartition>(Bodies::points(&centers), 1.5, &asked)
    };
    assert_eq!(of(0, 8).count(), 0);
    assert_eq!(of(3, 8).count(), 3);
    let many = of(1_000, 8);
    assert_eq!((many.count(), many.size()), (256, [15.0, 15.0]));
    let mut places = many.places.clone();
    assert!(!places.is_sorted(), "shuffled");
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 1_000, "more are timed than are counted");
    let crowd = of(1_000_000, 8);
    assert_eq!((crowd.count(), crowd.places.len()), (33, 4096));
    let (first, last) = (crowd.places.iter().min(), crowd.places.iter().max());
    assert!(first == Some(&0) && last > Some(&999_000), "{last:?}");
    assert_eq!(of(1_000_000, 1_000_000).count(), 1);
}

#[test]
fn one_batch_of_each_kind_is_timed_however_little_time_there_is() {
    for (units, limit, least) in [
        (300, Duration::ZERO, 1),
        (300, Duration::from_secs(60), 7),
        (1, Duration::from_secs(60), 7),
    ] {
        let scene = scene("skirmish.ron", units);
        let stage = &stages(&scene)[1];
        let questions = stage.questions(&Asked::default());
        let mut batches = Batches::default();
        stage.time(&questions, limit, &mut batches);
        assert!(batches.us.iter().all(|us| us.len() == least), "{batches:?}");
        let prices = stage.count(&questions).prices(batches);
        assert!(prices.iter().all(|price| price.us > 0.0), "{prices:?}");
    }
    let mut empty = scene("skirmish.ron", 10);
    empty.armies.clear();
    let stage = &stages(&empty)[0];
    let questions = stage.questions(&Asked::default());
    let mut batches = Batches::default();
    stage.time(&questions, Duration::from_secs(60), &mut batches);
    let prices = stage.count(&questions).prices(batches);
    assert_eq!(prices, [Price::default(); 2]);
}
