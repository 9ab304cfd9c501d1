//! The bars: how far ahead of the best peer each structure has to be, and how far it is in the scenes that were run.
//!
//! `must` is what counts as done, `aim` what a prototype has reached.

use crate::contest::family;
use crate::report::Scored;
use crate::run::{Row, median};
use crate::work::Work;
use crate::world::{Distribution, Ids, Scene, Sizes};

/// One bar.
pub struct Bar {
    /// What is compared with what.
    words: &'static str,
    work: Work,
    /// In which scenes it is asked for.
    scenes: fn(&Scene) -> bool,
    /// Whose best time is ours.
    ours: fn(&Row) -> bool,
    /// Whose best time is the peers'.
    peers: fn(&Row) -> bool,
    must: f64,
    aim: f64,
}

fn points(scene: &Scene) -> bool {
    scene.sizes == Sizes::Points
}

fn random_points(scene: &Scene) -> bool {
    points(scene) && scene.ids == Ids::Random
}

fn coherent_points(scene: &Scene) -> bool {
    points(scene) && scene.ids == Ids::Coherent
}

fn million(scene: &Scene) -> bool {
    scene.units >= 1_000_000
}

fn ten_thousand(scene: &Scene) -> bool {
    scene.units <= 10_000
}

fn sized(scene: &Scene) -> bool {
    !points(scene)
}

/// The crowds on which families are compared.
fn by_family(scene: &Scene) -> bool {
    let named = matches!(
        scene.distribution,
        Distribution::Uniform | Distribution::Clustered
    );
    scene.units >= 100_000 && (named || sized(scene))
}

fn family_points(scene: &Scene) -> bool {
    by_family(scene) && points(scene)
}

fn any(_: &Row) -> bool {
    true
}

/// Whether the row is one of these.
fn called(row: &Row, names: &[&str]) -> bool {
    names.contains(&row.name.as_str())
}

/// Trees that are built once, over boxes.
fn is_static(row: &Row) -> bool {
    called(row, &["static_aabb2d_index", "geo-index"])
}

fn sorted_grid(row: &Row) -> bool {
    called(row, &["sorted-grid"])
}

fn quadtree(row: &Row) -> bool {
    row.family == family::QUADTREE
}

fn linked_grid(row: &Row) -> bool {
    called(row, &["linked-grid"])
}

fn bvh(row: &Row) -> bool {
    row.family == family::BVH
}

fn parry(row: &Row) -> bool {
    called(row, &["parry2d"])
}

fn kd_tree(row: &Row) -> bool {
    row.family == family::KD_TREE
}

fn sweep(row: &Row) -> bool {
    row.family == family::SWEEP_AND_PRUNE
}

fn sweep_rivals(row: &Row) -> bool {
    called(row, &["parry2d", "broccoli"])
}

fn morton(row: &Row) -> bool {
    row.family == family::MORTON_TREE
}

fn rect_quadtree(row: &Row) -> bool {
    row.family == family::RECT_QUADTREE
}

/// A row of the list below.
#[allow(clippy::too_many_arguments)]
const fn bar(
    words: &'static str,
    work: Work,
    scenes: fn(&Scene) -> bool,
    ours: fn(&Row) -> bool,
    peers: fn(&Row) -> bool,
    must: f64,
    aim: f64,
) -> Bar {
    Bar {
        words,
        work,
        scenes,
        ours,
        peers,
        must,
        aim,
    }
}

/// All bars on a plane that are ratios of one thread.
pub const PLANE: &[Bar] = &[
    bar(
        "build, best of ours",
        Work::Build,
        |_| true,
        any,
        any,
        2.5,
        4.0,
    ),
    bar(
        "build, sorted grid, random ids",
        Work::Build,
        |scene| random_points(scene) && !ten_thousand(scene),
        sorted_grid,
        any,
        1.5,
        1.7,
    ),
    bar(
        "build, sorted grid, random ids, 10k",
        Work::Build,
        |scene| random_points(scene) && ten_thousand(scene),
        sorted_grid,
        any,
        4.0,
        5.0,
    ),
    bar(
        "build, sorted grid, coherent ids",
        Work::Build,
        coherent_points,
        sorted_grid,
        any,
        3.0,
        3.4,
    ),
    bar(
        "step + pairs, random ids",
        Work::StepPairs,
        random_points,
        any,
        any,
        5.0,
        6.0,
    ),
    bar(
        "step + pairs, coherent ids, 1M",
        Work::StepPairs,
        |scene| coherent_points(scene) && million(scene),
        any,
        any,
        5.0,
        7.0,
    ),
    bar(
        "rectangles, best of all",
        Work::Rectangles,
        |scene| points(scene) && !million(scene),
        any,
        any,
        3.0,
        6.0,
    ),
    bar(
        "rectangles, best of all, 1M",
        Work::Rectangles,
        |scene| points(scene) && million(scene),
        any,
        any,
        2.2,
        3.3,
    ),
    bar(
        "nearest, best of all",
        Work::Nearest,
        |scene| points(scene) && !million(scene),
        any,
        any,
        1.7,
        2.3,
    ),
    bar(
        "nearest, best of all, 1M",
        Work::Nearest,
        |scene| points(scene) && million(scene),
        any,
        any,
        1.7,
        3.0,
    ),
    bar(
        "one move, linked grid (not against boxes that only grow)",
        Work::Move,
        points,
        linked_grid,
        |row| !called(row, &["parry2d stretched"]),
        2.0,
        4.0,
    ),
    bar(
        "one move, Morton tree against exact trees",
        Work::Move,
        points,
        morton,
        |row| called(row, &["parry2d", "rstar"]),
        2.0,
        3.5,
    ),
    bar(
        "sized, step + pairs, best of all",
        Work::StepPairs,
        sized,
        any,
        any,
        2.0,
        4.0,
    ),
    bar(
        "quadtree: step",
        Work::Step,
        family_points,
        quadtree,
        quadtree,
        3.0,
        7.0,
    ),
    bar(
        "quadtree: pairs",
        Work::Pairs,
        family_points,
        quadtree,
        quadtree,
        10.0,
        30.0,
    ),
    bar(
        "quadtree: rectangles",
        Work::Rectangles,
        family_points,
        quadtree,
        quadtree,
        1.5,
        3.0,
    ),
    bar(
        "quadtree: build",
        Work::Build,
        family_points,
        quadtree,
        quadtree,
        3.0,
        5.0,
    ),
    bar(
        "quadtree: move",
        Work::Move,
        family_points,
        quadtree,
        quadtree,
        8.0,
        20.0,
    ),
    bar(
        "rect-quadtree: pairs",
        Work::Pairs,
        by_family,
        rect_quadtree,
        rect_quadtree,
        4.0,
        10.0,
    ),
    bar(
        "rect-quadtree: rectangles",
        Work::Rectangles,
        by_family,
        rect_quadtree,
        rect_quadtree,
        4.0,
        8.0,
    ),
    bar(
        "rect-quadtree: rectangles against static trees",
        Work::Rectangles,
        |scene| by_family(scene) && !million(scene),
        rect_quadtree,
        is_static,
        3.0,
        6.0,
    ),
    bar(
        "rect-quadtree: the same, 1M",
        Work::Rectangles,
        |scene| by_family(scene) && million(scene),
        rect_quadtree,
        is_static,
        2.0,
        3.0,
    ),
    bar(
        "bvh: rectangles against static trees",
        Work::Rectangles,
        |scene| by_family(scene) && !million(scene),
        bvh,
        is_static,
        3.0,
        6.0,
    ),
    bar(
        "bvh: the same, 1M",
        Work::Rectangles,
        |scene| by_family(scene) && million(scene),
        bvh,
        is_static,
        2.0,
        3.0,
    ),
    bar(
        "bvh: pairs against parry2d",
        Work::Pairs,
        by_family,
        bvh,
        parry,
        2.2,
        3.3,
    ),
    bar(
        "bvh: step against parry2d",
        Work::Step,
        by_family,
        bvh,
        parry,
        1.7,
        4.0,
    ),
    bar(
        "bvh: step + pairs against parry2d",
        Work::StepPairs,
        by_family,
        bvh,
        parry,
        1.8,
        2.5,
    ),
    bar(
        "bvh: build against parry2d",
        Work::Build,
        by_family,
        bvh,
        parry,
        8.0,
        14.0,
    ),
    bar(
        "sweep and prune: pairs against parry2d, broccoli",
        Work::Pairs,
        by_family,
        sweep,
        sweep_rivals,
        5.0,
        9.0,
    ),
    bar(
        "sweep and prune: step + pairs against the same",
        Work::StepPairs,
        by_family,
        sweep,
        sweep_rivals,
        2.0,
        3.0,
    ),
    bar(
        "Morton tree: rectangles against sif-kdtree",
        Work::Rectangles,
        |scene| family_points(scene) && !million(scene),
        morton,
        |row| called(row, &["sif-kdtree"]),
        2.0,
        3.5,
    ),
    bar(
        "Morton tree: the same, 1M",
        Work::Rectangles,
        |scene| family_points(scene) && million(scene),
        morton,
        |row| called(row, &["sif-kdtree"]),
        1.4,
        2.3,
    ),
    bar(
        "kd-tree: nearest",
        Work::Nearest,
        family_points,
        kd_tree,
        kd_tree,
        1.5,
        1.9,
    ),
    bar(
        "kd-tree: build",
        Work::Build,
        family_points,
        kd_tree,
        kd_tree,
        1.3,
        2.2,
    ),
    bar(
        "kd-tree: rectangles",
        Work::Rectangles,
        |scene| family_points(scene) && !million(scene),
        kd_tree,
        kd_tree,
        2.0,
        3.5,
    ),
    bar(
        "kd-tree: rectangles, 1M",
        Work::Rectangles,
        |scene| family_points(scene) && million(scene),
        kd_tree,
        kd_tree,
        1.4,
        2.3,
    ),
];

/// The bars in space.
pub const SPACE: &[Bar] = &[
    bar(
        "step + pairs, best of all",
        Work::StepPairs,
        |_| true,
        any,
        any,
        1.0,
        3.0,
    ),
    bar(
        "boxes, best of all",
        Work::Rectangles,
        |_| true,
        any,
        any,
        1.0,
        3.0,
    ),
];

/// Prints which bars are met by what was measured.
pub fn print(results: &[Scored], bars: &[Bar]) {
    println!(
        "\nbars: best peer ÷ ours\n  {:<50} {:>7} {:>7} {:>6} {:>6} {:>6}",
        "", "worst", "median", "scenes", "must", "aim"
    );
    for bar in bars {
        let mut ratios: Vec<(f64, &Scored, String)> = results
            .iter()
            .filter(|it| it.work == bar.work && (bar.scenes)(&it.scene))
            .filter_map(|it| {
                let (ours, our_time) = it.best(|row| row.ours && (bar.ours)(row))?;
                let (peer, peer_time) = it.best(|row| !row.ours && (bar.peers)(row))?;
                let who = format!("{} against {}", ours.name, peer.name);
                Some((peer_time / our_time, it, who))
            })
            .collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some((worst, scene, who)) = ratios.first() else {
            continue;
        };
        let all: Vec<f64> = ratios.iter().map(|it| it.0).collect();
        let verdict = match worst {
            worst if *worst >= bar.aim => "aim",
            worst if *worst >= bar.must => "met",
            _ => "NOT",
        };
        println!(
            "  {:<50} {worst:>7.2} {:>7.2} {:>6} {:>6} {:>6}  {verdict}  worst: {who}, {}",
            bar.words,
            median(&all),
            all.len(),
            bar.must,
            bar.aim,
            scene.crowd(),
        );
    }
    edits(results);
}

/// The one bar that is a time: an edit of the sorted grid and of the k-d tree, of a hundred thousand.
fn edits(results: &[Scored]) {
    for name in ["sorted-grid", "kd-tree"] {
        let worst = results
            .iter()
            .filter(|it| it.work == Work::Move && (50_000..=200_000).contains(&it.scene.units))
            .filter_map(|it| Some(it.best(|row| row.name == name)?.1))
            .fold(f64::NAN, f64::max);
        if !worst.is_nan() {
            let verdict = match worst {
                ..=250.0 => "aim",
                ..=500.0 => "met",
                _ => "NOT",
            };
            println!(
                "  one move, {name}, 100k: {worst:.0} ns at worst (must 500, aim 250)  {verdict}"
            );
        }
    }
}
