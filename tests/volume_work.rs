//! How much work the structures of the third dimension save, in counts that are the same on every machine.

#[path = "common/probes.rs"]
mod probes;

use probes::counting;
use rand::{Rng, SeedableRng};
use skirmish::partition::Change;
use skirmish::probe::{Counter, Work};
use skirmish::volume::{Aabb3, AnyPartition3, Bodies3, Kind3, Vec3};

const COUNT: usize = 100_000;

/// How far apart pairs are asked for, in metres: within it each unit has about four others.
const REACH: f32 = 1.0;

/// Units spread evenly over a cube with 1 m³ for each. The field is a little larger, so that nobody steps out of it: a tree whose
/// root has to double is built anew.
fn spread(count: usize) -> (Aabb3, Vec<Vec3>) {
    let side = (count as f32).cbrt();
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let mut number = || rng.random_range(0.0..side);
    let centers = (0..count)
        .map(|_| Vec3::new(number(), number(), number()))
        .collect();
    (
        Aabb3::new(Vec3::splat(-1.0), Vec3::splat(side + 1.0)),
        centers,
    )
}

fn built(kind: Kind3, field: Aabb3, bodies: Bodies3<'_>) -> AnyPartition3 {
    let mut index = AnyPartition3::new(kind, field);
    index.expect(REACH);
    index.rebuild(bodies, &mut ());
    index
}

fn those_who_save() -> impl Iterator<Item = Kind3> {
    let all = Kind3::ALL.iter().copied();
    all.filter(|kind| !kind.tests_every_pair())
}

#[test]
fn all_pairs_tests_each_pair_once() {
    let (field, centers) = spread(2_000);
    let bodies = Bodies3::points(&centers);
    let index = built(Kind3::AllPairs, field, bodies);
    let mut counting = counting();
    index.pairs(bodies, REACH, &mut counting, |_| {});
    assert_eq!(counting.probe.tests, 2_000 * 1_999 / 2);
}

#[test]
fn pairs_among_a_hundred_thousand_take_a_thousandth_of_the_tests_of_all_pairs() {
    let (field, centers) = spread(COUNT);
    let all = COUNT as u64 * (COUNT as u64 - 1) / 2;
    let half_extents = vec![Vec3::splat(0.2); COUNT];
    let worlds = [
        Bodies3::points(&centers),
        Bodies3 {
            half_extents: &half_extents,
            ..Bodies3::points(&centers)
        },
    ];
    for bodies in worlds {
        let mut hits = None;
        for kind in those_who_save() {
            let mut index = built(kind, field, bodies);
            // By default leaves hold more, which is quicker and tests more.
            let leaves = |key: &str| ["capacity", "bucket"].contains(&key);
            if let Some(knob) = kind.info().knobs.iter().find(|knob| leaves(knob.key)) {
                index.set_knob_text(knob.key, "16").unwrap();
                index.rebuild(bodies, &mut ());
            }
            let mut counting = counting();
            index.pairs(bodies, REACH, &mut counting, |_| {});
            let counter = counting.probe;
            println!(
                "{}: {} tests, {} hits, {} visits; all pairs {} times as many tests",
                kind.info().key,
                counter.tests,
                counter.hits,
                counter.visits,
                all / counter.tests
            );
            assert!(counter.tests * 1_000 <= all, "{kind:?}: {counter:?}");
            assert!(counter.hits > COUNT as u64, "{kind:?}: {counter:?}");
            assert_eq!(*hits.get_or_insert(counter.hits), counter.hits, "{kind:?}");
        }
    }
}

/// Every step of upkeep that the probe was told of.
fn steps(counter: &Counter) -> u64 {
    let nodes = counter.visits + counter.splits + counter.merges + counter.refits;
    nodes + counter.work.iter().sum::<u64>()
}

#[test]
fn moving_one_in_a_hundred_costs_in_proportion_to_those_who_move() {
    for count in [COUNT / 10, COUNT] {
        let (field, before) = spread(count);
        for kind in those_who_save() {
            let mut index = built(kind, field, Bodies3::points(&before));
            let mut centers = before.clone();
            let changes: Vec<_> = (0..count)
                .step_by(100)
                .map(|unit| {
                    // As far as a unit goes in some steps: a part of the distance to its neighbour.
                    centers[unit] += Vec3::new(0.2, -0.15, 0.1);
                    Change::Move(unit as u32)
                })
                .collect();
            let bodies = Bodies3::points(&centers);
            let mut counting = counting();
            index.apply(bodies, &changes, &mut counting);
            let counter = counting.probe;
            index.validate(bodies).unwrap();
            let movers = changes.len() as u64;
            println!(
                "{} of {count}: {:.2} steps a mover ({} in place, {} relinked, {} climbs, {} descents, {} refits)",
                kind.info().key,
                steps(&counter) as f64 / movers as f64,
                counter.of(Work::MoveInPlace) + counter.of(Work::MoveKeyOnly),
                counter.of(Work::MoveRelink),
                counter.of(Work::Climb),
                counter.of(Work::Descend),
                counter.refits,
            );
            assert_eq!(counter.of(Work::Rebuild), 0, "{kind:?}");
            assert!(steps(&counter) <= 12 * movers, "{kind:?}: {counter:?}");
        }
    }
}

#[test]
fn whoever_steps_out_of_the_field_builds_a_tree_anew_but_once() {
    let (field, mut centers) = spread(1_000);
    for kind in those_who_save() {
        let mut index = built(kind, field, Bodies3::points(&centers));
        let mut counting = counting();
        for step in 1..=20 {
            centers[0] = field.max + step as f32 * 0.1;
            let bodies = Bodies3::points(&centers);
            index.apply(bodies, &[Change::Move(0)], &mut counting);
            index.validate(bodies).unwrap();
        }
        let counter = counting.probe;
        assert!(counter.of(Work::Rebuild) <= 1, "{kind:?}: {counter:?}");
    }
}

#[test]
fn a_move_costs_the_same_in_a_crowd_ten_times_as_large() {
    for kind in those_who_save() {
        let cost = |count: usize| {
            let (field, mut centers) = spread(count);
            let mut index = built(kind, field, Bodies3::points(&centers));
            let movers: Vec<_> = (0..1_000).map(|it| it * (count / 1_000)).collect();
            for &unit in &movers {
                centers[unit] += Vec3::new(0.2, -0.15, 0.1);
            }
            let moves = movers.iter().map(|unit| Change::Move(*unit as u32));
            let mut counting = counting();
            let changes: Vec<_> = moves.collect();
            index.apply(Bodies3::points(&centers), &changes, &mut counting);
            steps(&counting.probe) as f64
        };
        let (few, many) = (cost(COUNT / 10), cost(COUNT));
        assert!(many < 1.6 * few, "{kind:?}: {few} and {many}");
    }
}

#[test]
fn a_small_box_is_found_without_a_look_at_the_rest() {
    let (field, centers) = spread(COUNT);
    let bodies = Bodies3::points(&centers);
    for kind in those_who_save() {
        let index = built(kind, field, bodies);
        let mut counting = counting();
        let area = Aabb3::around(field.center(), Vec3::splat(2.0));
        index.range(bodies, area, &mut counting, |_| {});
        let counter = counting.probe;
        println!("{}: {counter:?}", kind.info().key);
        assert!(counter.hits > 30, "{kind:?}: {counter:?}");
        assert!(counter.tests < 1_000, "{kind:?}: {counter:?}");
    }
}

/// The README's table of structures in space, from the registry and from what is counted here.
fn structure_table() -> String {
    const COUNT: usize = 20_000;
    let (field, centers) = spread(COUNT);
    let bodies = Bodies3::points(&centers);
    let mut table =
        String::from("| key | structure | tests a unit and tick† |\n| --- | --- | --- |\n");
    for &kind in Kind3::ALL {
        let info = kind.info();
        let index = built(kind, field, bodies);
        let mut counting = counting();
        index.pairs(bodies, REACH, &mut counting, |_| {});
        let tests = counting.probe.tests as f64 / COUNT as f64;
        let tests = match tests {
            many if many >= 1_000.0 => format!("{},{:05.1}", many as u64 / 1_000, many % 1_000.0),
            some if some >= 10.0 => format!("{some:.1}"),
            few => format!("{few:.2}"),
        };
        table += &format!("| `{}` | {} | {tests} |\n", info.key, info.tagline);
    }
    table
}

#[test]
fn the_table_of_space_in_the_readme_is_what_the_program_says() {
    const BEGIN: &str = "<!-- The table is made by tests/volume_work.rs. -->\n";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README ships with the program");
    let (before, rest) = readme.split_once(BEGIN).expect("the mark before the table");
    let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    let (written, after) = rest.split_at(end);
    let table = structure_table();
    if std::env::var("SKIRMISH_REMAKE").is_ok_and(|value| value != "0") {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{after}")).expect("a README to write");
    } else {
        assert_eq!(
            written, table,
            "SKIRMISH_REMAKE=1 cargo test --test volume_work writes the table anew"
        );
    }
}
