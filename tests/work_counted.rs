//! How much work the structures save, in counts that are the same on every machine.

#[path = "common/probes.rs"]
mod probes;

use probes::{counting, listening};
use rand::{Rng, SeedableRng};
use skirmish::battle::Battle;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Change, Kind, RegionQuery, Role};
use skirmish::probe::{Counter, Probe, Trace, Work};
use skirmish::scene::file;
use std::path::Path;

/// Units spread evenly over a square field with 9 m² for each.
fn spread(count: usize) -> (Aabb, Vec<Vec2>) {
    let side = (count as f32 * 9.0).sqrt();
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let centers = (0..count)
        .map(|_| Vec2::new(rng.random_range(0.0..side), rng.random_range(0.0..side)))
        .collect();
    (Aabb::new(Vec2::ZERO, Vec2::splat(side)), centers)
}

fn pairs_counted(kind: Kind, field: Aabb, centers: &[Vec2], reach: f32) -> Counter {
    bodies_counted(kind, field, Bodies::points(centers), reach)
}

fn bodies_counted(kind: Kind, field: Aabb, bodies: Bodies<'_>, reach: f32) -> Counter {
    let mut index = AnyPartition::new(kind, field);
    index.expect(reach);
    index.rebuild(bodies, &mut ());
    let mut counting = counting();
    index.pairs(bodies, reach, &mut counting, |_| {});
    counting.probe
}

/// The value with which an index reckons a knob.
fn value_of(index: &AnyPartition, key: &str) -> f64 {
    let knob = index.info().knob_index(key).expect("a knob that it has");
    index.knob_in_effect(knob)
}

/// How many tests a unit may cost in a frame among units spread evenly, by what is known of the structure.
///
/// `density` is in units a square metre, `side` is the field's. Where space is cut into squares of side s, a unit is tested
/// with at most those in its own square and within reach r around it, and each pair once: density · (s + 2r)² / 2. Leaves of
/// up to m units are squares with about m / density square metres.
fn tests_allowed(index: &AnyPartition, count: f64, density: f64, side: f64, reach: f64) -> f64 {
    let squares = |width: f64| density * (width + 2.0 * reach).powi(2) / 2.0;
    let leaves = |units: f64| squares((units / density).sqrt());
    match index.info().key {
        // Everybody with everybody else, each pair once.
        "all-pairs" => (count - 1.0) / 2.0,
        // Whoever follows on the line within reach: a strip as high as the field.
        "battle-line" => density * side * reach,
        "linked-grid" | "sorted-grid" | "hierarchical-grid" => {
            squares(value_of(index, "cell_size"))
        }
        "quadtree" | "rect-quadtree" => leaves(value_of(index, "capacity")),
        "kd-tree" | "bsp-tree" | "bvh" => leaves(value_of(index, "leaf_size")),
        "morton-tree" => leaves(value_of(index, "bucket")),
        // Whoever follows within reach in the own strip, and for that share of the units from whom the next strip is
        // within reach, whoever is in it within reach to either side.
        "sweep-and-prune" => {
            let height = value_of(index, "strip_height");
            density * reach * (height + 2.0 * height * (reach / height).min(1.0))
        }
        // Whatever joins the registry has to save more than a line does; say here what theory gives.
        _ => density * side * reach,
    }
}

#[test]
fn each_structure_tests_no_more_than_theory_allows() {
    const COUNT: usize = 20_000;
    const REACH: f32 = 2.0;
    let (field, centers) = spread(COUNT);
    let mut hits = None;
    for &kind in Kind::ALL {
        let mut index = AnyPartition::new(kind, field);
        index.expect(REACH);
        index.rebuild(Bodies::points(&centers), &mut ());
        let mut counting = counting();
        index.pairs(Bodies::points(&centers), REACH, &mut counting, |_| {});
        let counter = counting.probe;
        let found = counter.tests as f64 / COUNT as f64;
        let (side, reach) = (f64::from(field.size().x), f64::from(REACH));
        let allowed = tests_allowed(&index, COUNT as f64, 1.0 / 9.0, side, reach);
        println!(
            "{:16} {found:8.2} tests a unit, {allowed:8.2} allowed",
            kind.info().key
        );
        assert_eq!(*hits.get_or_insert(counter.hits), counter.hits);
        // The units are spread by chance, and bounds hold on average.
        assert!(found <= allowed * 1.02, "{kind:?}: {found} > {allowed}");
        assert!(found >= 0.5 * 3.1 * 4.0 / 9.0, "fewer than are in reach");
    }
}

/// A number of tests, as exact as it is worth: `9,999.5`, `93.9`, `8.40`.
fn rounded(tests: f64) -> String {
    if tests < 10.0 {
        return format!("{tests:.2}");
    }
    let text = format!("{tests:.1}");
    match text.split_at(text.len().saturating_sub(5)) {
        ("", _) => text,
        (thousands, rest) => format!("{thousands},{rest}"),
    }
}

/// The README's table of structures, from the registry and from what is counted here.
fn structure_table() -> String {
    const COUNT: usize = 20_000;
    let (field, centers) = spread(COUNT);
    let mut table =
        "| key | structure | tests a unit and tick* |\n| --- | --- | --- |\n".to_owned();
    for &kind in Kind::ALL {
        let info = kind.info();
        let tests = pairs_counted(kind, field, &centers, 2.0).tests as f64 / COUNT as f64;
        let tests = rounded(tests);
        table += &format!("| `{}` | {} | {tests} |\n", info.key, info.tagline);
    }
    table
}

#[test]
fn the_table_in_the_readme_is_what_the_program_says() {
    const BEGIN: &str = "<!-- The table is made by tests/work_counted.rs. -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README ships with the program");
    let (before, rest) = readme.split_once(BEGIN).expect("the mark before the table");
    let rows = rest.split_inclusive('\n');
    let length = rows
        .take_while(|line| line.starts_with('|'))
        .map(str::len)
        .sum();
    let (written, after) = rest.split_at(length);
    let table = structure_table();
    if std::env::var("SKIRMISH_REMAKE").is_ok_and(|value| value != "0") {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{after}")).expect("a README to write");
    } else {
        assert_eq!(
            written, table,
            "SKIRMISH_REMAKE=1 cargo test --test work_counted writes the table anew"
        );
    }
}

/// Asserts that the hierarchical grid tests fewer pairs than any other grid with cells as wide, and finds as many.
#[track_caller]
fn assert_fewest_of_all_grids(name: &str, field: Aabb, bodies: Bodies<'_>, reach: f32) {
    let counts = ["hierarchical-grid", "linked-grid", "sorted-grid"].map(|key| {
        let kind = Kind::from_key(key).expect("a grid");
        let mut index = AnyPartition::new(kind, field);
        index.set_knob_text("cell_size", "4").expect("a grid");
        index.rebuild(bodies, &mut ());
        let mut counting = counting();
        index.pairs(bodies, reach, &mut counting, |_| {});
        let counter = counting.probe;
        println!(
            "{name:16} {key:18} {} tests, {} hits",
            counter.tests, counter.hits
        );
        counter
    });
    let [hierarchical, others @ ..] = counts;
    for other in others {
        assert_eq!(hierarchical.hits, other.hits, "{name}");
        assert!(
            hierarchical.tests < other.tests,
            "{name}: {hierarchical:?} {other:?}"
        );
    }
}

#[test]
fn where_sizes_are_mixed_the_hierarchical_grid_tests_the_fewest_pairs_of_all_grids() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/mixed-sizes.ron");
    let scene = file::read(&scene).expect("a scene that ships");
    let battle = Battle::new(&scene);
    assert_fewest_of_all_grids(
        "mixed sizes",
        scene.field,
        battle.bodies(),
        battle.pair_reach(),
    );
    let (field, centers) = spread(20_000);
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(13);
    for exponent in [1.0_f32, 1.7, 2.5] {
        // Half extents from a quarter of a metre to 32 m: Pareto's law, cut off.
        let (least, most) = (0.25_f32, 32.0_f32);
        let beyond = (least / most).powf(exponent);
        let half_extents: Vec<_> = centers
            .iter()
            .map(|_| {
                let share: f32 = rng.random();
                Vec2::splat(least * (1.0 - share * (1.0 - beyond)).powf(-1.0 / exponent))
            })
            .collect();
        let bodies = Bodies {
            centers: &centers,
            half_extents: &half_extents,
            alive: &[],
        };
        assert_fewest_of_all_grids(&format!("Pareto {exponent}"), field, bodies, 0.5);
    }
}

/// Whether runs that take long are wanted: `SKIRMISH_LONG=1`, or a release build.
fn long_runs() -> bool {
    std::env::var("SKIRMISH_LONG").is_ok_and(|value| value != "0") || !cfg!(debug_assertions)
}

#[test]
fn a_small_step_touches_as_few_nodes_of_the_morton_tree_among_a_million_as_among_ten_thousand() {
    let counts: &[usize] = match long_runs() {
        true => &[10_000, 100_000, 1_000_000],
        false => &[10_000, 100_000],
    };
    for &count in counts {
        let (field, mut centers) = spread(count);
        let mut index = AnyPartition::new(Kind::MortonTree, field);
        index.rebuild(Bodies::points(&centers), &mut ());
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(11);
        let changes: Vec<_> = (0..count as u32).map(Change::Move).collect();
        let mut counting = counting();
        const FRAMES: u64 = 4;
        for _ in 0..FRAMES {
            // 5 m/s in any direction, sixty times a second.
            for center in &mut centers {
                let angle: f32 = rng.random_range(0.0..std::f32::consts::TAU);
                let step = Vec2::from_angle(angle) * (5.0 / 60.0);
                *center = (*center + step).clamp(field.min, field.max);
            }
            index.apply(Bodies::points(&centers), &changes, &mut counting);
        }
        let counter = counting.probe;
        index.validate(Bodies::points(&centers)).unwrap();
        let moves = count as u64 * FRAMES;
        let relinks = counter.of(Work::MoveRelink);
        let tiers = [Work::MoveInPlace, Work::MoveKeyOnly, Work::MoveRelink];
        assert_eq!(
            tiers.map(|tier| counter.of(tier)).iter().sum::<u64>(),
            moves
        );
        let climbs = counter.of(Work::Climb) as f64 / relinks as f64;
        let refits = counter.refits as f64 / moves as f64;
        println!(
            "{count} units: {:.1} % relinked, {climbs:.2} climbs a relink, {refits:.2} refits a move",
            relinks as f64 / moves as f64 * 100.0
        );
        assert!(climbs <= 2.0, "{count}: {climbs}");
        assert!(refits <= 6.0, "{count}: {refits}");
    }
}

#[test]
fn moves_within_the_morton_tree_touch_few_nodes_with_few_exceptions() {
    let (field, mut centers) = spread(20_000);
    let mut index = AnyPartition::new(Kind::MortonTree, field);
    index.rebuild(Bodies::points(&centers), &mut ());
    let mut touched: Vec<u64> = (0..20_000)
        .map(|unit| {
            centers[unit as usize] += Vec2::splat(0.06);
            let mut counting = counting();
            index.apply(
                Bodies::points(&centers),
                &[Change::Move(unit)],
                &mut counting,
            );
            let counter = counting.probe;
            counter.refits + counter.of(Work::Climb) + counter.of(Work::Descend)
        })
        .collect();
    touched.sort_unstable();
    let mut said = Vec::new();
    index.quality(&mut |fact| said.push((fact.name, fact.value)));
    let mean = touched.iter().sum::<u64>() as f64 / 20_000.0;
    let [half, most, last] = [9_999, 19_799, 19_999].map(|place| touched[place]);
    println!("nodes a move: mean {mean:.2}, p50 {half}, p99 {most}, most {last}");
    assert!(
        mean < 5.0 && half <= 3 && most <= 25,
        "{mean} {half} {most}"
    );
    // The tree says so itself.
    for (name, value) in [
        ("nodes a move, mean", format!("{mean:.1}")),
        ("half of the moves, at most", half.to_string()),
        ("99 % of the moves, at most", most.to_string()),
    ] {
        assert!(said.contains(&(name, value)), "{name}: {said:?}");
    }
    // Never more than three times the bits of a key: climbed, refitted, descended.
    assert!(last <= 3 * 64);
}

#[test]
fn a_build_counts_what_it_tells_node_by_node_whoever_listens() {
    let (field, centers) = spread(3_000);
    for &kind in Kind::ALL {
        let mut index = AnyPartition::new(kind, field);
        let mut counter = Counter::default();
        index.rebuild(Bodies::points(&centers), &mut counter);
        let mut both = (Trace::with_cap(usize::MAX), Counter::default());
        index.rebuild(Bodies::points(&centers), &mut listening(&mut both));
        let mut told = Counter::default();
        for event in both.0.events() {
            told.on(*event);
        }
        assert_eq!((counter, told), (both.1, both.1), "{kind:?}");
        let mut inner = 0;
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        index.regions(everything, &mut |region| {
            inner += u64::from(region.role == Role::Inner);
        });
        let nodes = match kind.info().key {
            // Its boxes are computed, those of its leaves too.
            "bvh" => told.refits,
            _ => told.splits,
        };
        // Nodes come from somewhere.
        assert!(nodes >= inner, "{kind:?}: {inner} nodes, {told:?}");
    }
}

#[test]
fn a_pigeonhole_sort_is_linear_in_the_units() {
    let sorted = |count: usize| {
        let (field, centers) = spread(count);
        let mut index = AnyPartition::new(Kind::BattleLine, field);
        index.set_knob_text("sort", "pigeonhole").unwrap();
        let mut counter = Counter::default();
        index.rebuild(Bodies::points(&centers), &mut counter);
        let steps = counter.of(Work::Compare) + counter.of(Work::Swap);
        println!(
            "{count} units: {:.2} steps a unit",
            steps as f64 / count as f64
        );
        steps as f64 / count as f64
    };
    let counts = [1_000, 10_000, 100_000, 400_000];
    let steps = counts.map(sorted);
    for pair in steps.windows(2) {
        assert!(pair[1] <= pair[0] * 1.1 + 0.1, "{steps:?}");
    }
    assert!(steps.iter().all(|steps| *steps <= 4.0), "{steps:?}");
}

#[test]
fn a_grid_and_a_tree_test_a_hundred_times_fewer_pairs_than_the_double_loop() {
    let (field, centers) = spread(20_000);
    let all = (centers.len() * (centers.len() - 1) / 2) as u64;
    for key in ["linked-grid", "quadtree"] {
        let Some(kind) = Kind::from_key(key) else {
            continue;
        };
        let counter = pairs_counted(kind, field, &centers, 2.0);
        assert!(counter.hits > 10_000);
        assert!(counter.tests * 100 <= all, "{key}: {}", counter.tests);
    }
}

#[test]
fn a_step_within_a_cell_relinks_nothing() {
    let (field, mut centers) = spread(1_000);
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.rebuild(Bodies::points(&centers), &mut ());
    for center in &mut centers {
        *center += Vec2::splat(0.01);
    }
    let changes: Vec<_> = (0..1_000).map(Change::Move).collect();
    let mut counting = counting();
    index.apply(Bodies::points(&centers), &changes, &mut counting);
    let counter = counting.probe;
    let (kept, relinked) = (counter.of(Work::MoveInPlace), counter.of(Work::MoveRelink));
    assert_eq!(kept + relinked, 1_000);
    assert!(relinked < 10, "{relinked}");
}

#[test]
fn one_giant_does_not_make_the_grid_look_at_every_cell() {
    let (field, centers) = spread(2_000);
    let mut half_extents = vec![Vec2::splat(0.3); centers.len()];
    half_extents[77] = field.half_extent();
    let bodies = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.rebuild(bodies, &mut ());
    let mut counting = counting();
    index.pairs(bodies, 1.0, &mut counting, |_| {});
    let counter = counting.probe;
    assert!(counter.hits >= 1_999, "the giant touches everybody");
    assert!(counter.tests < 40_000, "{}", counter.tests);
}

#[test]
fn a_crowd_outside_of_the_field_does_not_share_one_cell() {
    let (field, mut centers) = spread(2_000);
    for center in &mut centers {
        *center += field.size() * 1.5;
    }
    let outside = pairs_counted(Kind::LinkedGrid, field, &centers, 2.0);
    assert!(outside.tests * 10 < 2_000 * 1_999 / 2, "{}", outside.tests);
}
