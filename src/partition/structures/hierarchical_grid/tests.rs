//! What the grid promises beyond right answers: bodies on the level of their size, bounded memory, empty levels for free.

use super::*;
use crate::chance::Stream;
use crate::geometry::Segment;
use crate::partition::MarkRole;
use crate::partition::structures::all_pairs::AllPairs;
use crate::partition::trial::{FIELD, stands_trial};
use crate::probe::Counter;

/// Bodies of these half extents, all alive.
struct World {
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
}

impl World {
    /// `count` bodies spread over a square with `area` square metres for each; `size` makes up half extents.
    fn spread(count: usize, area: f32, mut size: impl FnMut(&mut Stream) -> f32) -> Self {
        let mut stream = Stream::new(7);
        let side = (count as f32 * area).sqrt();
        let spot =
            |stream: &mut Stream| Vec2::new(stream.between(0.0, side), stream.between(0.0, side));
        Self {
            centers: (0..count).map(|_| spot(&mut stream)).collect(),
            half_extents: (0..count).map(|_| Vec2::splat(size(&mut stream))).collect(),
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &[],
        }
    }
}

fn grid_of(bodies: Bodies<'_>) -> HierarchicalGrid {
    let mut grid = HierarchicalGrid::new(FIELD);
    set(&mut grid, "cell_size", "4");
    grid.rebuild(bodies, &mut ());
    assert_eq!(grid.validate(bodies), Ok(()));
    grid
}

fn set(grid: &mut HierarchicalGrid, key: &str, value: &str) {
    let index = HierarchicalGrid::INFO.knob_index(key).expect("a knob");
    let value = HierarchicalGrid::INFO.knobs[index].parse(value);
    grid.set_knob(index, value.expect("a value"));
}

fn pairs_counted(grid: &HierarchicalGrid, bodies: Bodies<'_>, reach: f32) -> Counter {
    let mut counter = Counter::default();
    grid.pairs(bodies, reach, &mut counter, |_| {});
    counter
}

fn levels(grid: &HierarchicalGrid) -> Vec<u32> {
    grid.occupied_levels().collect()
}

#[test]
fn crowds_with_default_knobs_are_answered_as_all_pairs_does() {
    stands_trial::<HierarchicalGrid>(&[]);
}

#[test]
fn crowds_on_many_fine_levels_are_answered_as_all_pairs_does() {
    stands_trial::<HierarchicalGrid>(&[("cell_size", "0.5"), ("body_ratio", "0.25")]);
}

#[test]
fn crowds_on_few_crowded_levels_are_answered_as_all_pairs_does() {
    stands_trial::<HierarchicalGrid>(&[
        ("cell_size", "30"),
        ("body_ratio", "4"),
        ("level_ratio", "8"),
    ]);
}

#[test]
fn a_body_lies_on_the_finest_level_whose_cells_are_wide_enough() {
    let mut grid = HierarchicalGrid::new(FIELD);
    set(&mut grid, "cell_size", "4");
    set(&mut grid, "body_ratio", "1");
    grid.rebuild(Bodies::points(&[]), &mut ());
    for (width, level) in [
        (0.0, 0),
        (4.0, 0),
        (4.001, 1),
        (8.0, 1),
        (8.1, 2),
        (16.0, 2),
        (2.0e9, 29),
    ] {
        assert_eq!(grid.level_of(Vec2::new(0.0, width / 2.0)), level, "{width}");
    }
    assert_eq!(grid.cell_size(2), 16.0);
    set(&mut grid, "level_ratio", "8");
    for (width, level) in [(4.0, 0), (4.001, 3), (32.0, 3), (32.1, 6)] {
        assert_eq!(grid.level_of(Vec2::new(width / 2.0, 0.0)), level, "{width}");
    }
    // The largest body of all still has a level.
    set(&mut grid, "cell_size", "0.5");
    set(&mut grid, "body_ratio", "0.25");
    grid.rebuild(Bodies::points(&[]), &mut ());
    assert!((grid.level_of(Vec2::splat(1.0e9)) as usize) < LEVEL_LIMIT);
}

#[test]
fn points_lie_on_one_level() {
    let world = World::spread(1_000, 9.0, |_| 0.0);
    assert_eq!(levels(&grid_of(Bodies::points(&world.centers))), [0]);
    assert_eq!(levels(&grid_of(world.bodies())), [0]);
}

#[test]
fn negative_coordinates_do_not_share_cell_0() {
    let grid = HierarchicalGrid::new(FIELD);
    for level in [0, 1, 5, 36] {
        assert_eq!(grid.number(level, 0.0), 0);
        assert_eq!(grid.number(level, -0.01), -1);
    }
}

#[test]
fn a_body_that_grows_changes_its_level_and_the_level_it_leaves_is_forgotten() {
    let mut world = World::spread(500, 9.0, |_| 0.3);
    let mut grid = grid_of(world.bodies());
    let before = pairs_counted(&grid, world.bodies(), 1.0);
    world.half_extents[7] = Vec2::splat(100.0);
    grid.apply(world.bodies(), &[Change::Move(7)], &mut ());
    assert_eq!(grid.validate(world.bodies()), Ok(()));
    assert_eq!(levels(&grid).len(), 2);
    assert!(pairs_counted(&grid, world.bodies(), 1.0).hits > before.hits + 400);
    world.half_extents[7] = Vec2::splat(0.3);
    grid.apply(world.bodies(), &[Change::Move(7)], &mut ());
    assert_eq!(grid.validate(world.bodies()), Ok(()));
    assert_eq!(levels(&grid), [0]);
    assert_eq!(pairs_counted(&grid, world.bodies(), 1.0), before);
}

#[test]
fn a_giant_troubles_only_those_whom_it_touches() {
    let mut world = World::spread(20_000, 9.0, |_| 0.25);
    let small = pairs_counted(&grid_of(world.bodies()), world.bodies(), 0.5);
    world.half_extents[7] = Vec2::splat(50.0);
    world.half_extents[8] = Vec2::new(9.0, 0.0);
    let grid = grid_of(world.bodies());
    let mixed = pairs_counted(&grid, world.bodies(), 0.5);
    // Whoever is tested with a giant nearly always touches it.
    let more = mixed.hits - small.hits;
    assert!(more > 1_000);
    assert!(mixed.tests < small.tests + 2 * more, "{mixed:?} {small:?}");
    let mut counter = Counter::default();
    grid.radius(
        world.bodies(),
        world.centers[100],
        2.0,
        &mut counter,
        |_| {},
    );
    assert!(counter.tests < 30, "{}", counter.tests);
}

#[test]
fn memory_is_bounded_by_the_number_of_units_wherever_they_are() {
    let count = 20_000;
    let centers: Vec<_> = (0..count)
        .map(|unit| Vec2::new((unit % 141) as f32, (unit / 141) as f32) * 1.0e6)
        .collect();
    let bodies = Bodies::points(&centers);
    let mut grid = grid_of(bodies);
    assert_eq!(grid.blocks.used(), count);
    assert!(grid.byte_count() < 600 * count, "{}", grid.byte_count());
    // Every lonely unit is found, and so is the nearest one from the middle of nowhere.
    let mut out = Vec::new();
    for unit in (0..count).step_by(997) {
        let query = NearestQuery {
            point: centers[unit] + Vec2::new(3.0e5, -2.0e5),
            count: 1,
            within: f32::INFINITY,
        };
        let mut counter = Counter::default();
        grid.nearest(bodies, query, |_| true, &mut counter, &mut out);
        assert_eq!(out[0].unit, unit as u32);
        assert!(counter.tests < 10, "{counter:?}");
    }
    // A crowd that wanders takes the blocks that it left.
    let before = grid.byte_count();
    let mut moved = centers.clone();
    for step in 0..20 {
        for center in &mut moved {
            *center += Vec2::new(40.0 + step as f32, 17.0);
        }
        let changes: Vec<_> = (0..count as u32).map(Change::Move).collect();
        grid.apply(Bodies::points(&moved), &changes, &mut ());
    }
    assert_eq!(grid.validate(Bodies::points(&moved)), Ok(()));
    assert!(grid.byte_count() < before + before / 4);
}

#[test]
fn a_line_across_the_world_looks_at_few_cells() {
    let world = World::spread(20_000, 9.0, |stream| stream.between(0.1, 0.5));
    let grid = grid_of(world.bodies());
    let side = (20_000.0_f32 * 9.0).sqrt();
    let segment = Segment {
        from: Vec2::ZERO,
        to: Vec2::splat(side),
        half_width: 0.0,
    };
    let mut counter = Counter::default();
    grid.segment(world.bodies(), segment, &mut counter, |_| {});
    assert!(counter.hits > 30);
    // On its way by one block's width a slanting line meets at most three blocks.
    let blocks = 3 * (side / (8.0 * grid.cell_size(0))).ceil() as u64;
    let looked_at = counter.visits + counter.prunes;
    assert!(looked_at <= blocks * u64::from(BLOCK_CELLS), "{counter:?}");
    // A grid that looks at the whole box around the line looks at every cell.
    let cells = grid
        .blocks
        .all()
        .iter()
        .map(|block| block.mask.count_ones());
    let cells = cells.sum::<u32>();
    assert!(looked_at < u64::from(cells) / 3, "{counter:?} of {cells}");
}

#[test]
fn the_picture_shows_the_half_neighbourhood_and_the_coarser_levels() {
    let mut world = World::spread(200, 4.0, |_| 0.25);
    (world.centers[0], world.half_extents[0]) = (Vec2::splat(20.0), Vec2::splat(8.0));
    (world.centers[1], world.half_extents[1]) = (Vec2::new(11.9, 8.1), Vec2::splat(0.9));
    let grid = grid_of(world.bodies());
    let query = MarkQuery {
        area: FIELD,
        min_size: 0.0,
        cursor: Some(Vec2::new(11.9, 8.1)),
        reach: 0.0,
    };
    let (mut roles, mut labels) = (Vec::new(), Vec::new());
    grid.marks(world.bodies(), query, &mut |mark| {
        roles.push(mark.role);
        labels.push(mark.label.into_owned());
    });
    let count = |role| roles.iter().filter(|other| **other == role).count();
    assert_eq!(count(MarkRole::Home), 1);
    assert_eq!(count(MarkRole::Special), 1);
    // One frame around the cells of the giant's level.
    assert_eq!(count(MarkRole::Guide), 1);
    // Below it two cells of its own level have looked at it already.
    assert_eq!(count(MarkRole::Skipped), 2);
    assert!(count(MarkRole::Scanned) > 2);
    assert!(
        labels.iter().any(|label| label == "home, level 0"),
        "{labels:?}"
    );
    let mut depths = Vec::new();
    let everything = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    grid.regions(everything, &mut |region| {
        depths.push(u32::from(region.depth))
    });
    depths.dedup();
    assert_eq!(depths, levels(&grid));
}

#[test]
fn a_mask_says_of_each_cell_of_a_block_whether_it_is_meant() {
    let mut blocks = Blocks::new();
    let corner = blocks::Cell {
        level: 0,
        column: -3,
        row: 9,
    };
    blocks.push(corner, 0);
    let block = blocks.all()[0];
    let spans = [
        (-20, -9),
        (-20, -6),
        (-8, -1),
        (-5, -5),
        (-2, 30),
        (0, 30),
        (-2, -5),
    ];
    for (left, right) in spans {
        for (bottom, top) in spans.map(|(low, high)| (low + 16, high + 16)) {
            let cells = Cells {
                level: 0,
                first: [left, bottom],
                last: [right, top],
            };
            let expected = (0..BLOCK_CELLS).fold(0, |mask, bit| {
                let cell = block.cell(bit);
                let meant =
                    (left..=right).contains(&cell.column) && (bottom..=top).contains(&cell.row);
                mask | u64::from(meant) << bit
            });
            assert_eq!(cells.mask_in(&block), expected, "{cells:?}");
        }
    }
}

#[test]
fn half_of_cells_is_cut_between_blocks() {
    let cells = Cells {
        level: 0,
        first: [-3, 5],
        last: [30, 40],
    };
    let [low, high] = cells.halves();
    assert_eq!(low.block_count() + high.block_count(), cells.block_count());
    for point in [-100.0, -0.5, 0.0, 63.9, 64.0] {
        let grid = HierarchicalGrid::new(FIELD);
        assert_eq!(grid.number(0, point) >> 3, grid.number(3, point));
    }
}

#[test]
fn cells_are_drawn_from_the_asked_size_on() {
    let centers = [Vec2::splat(1.0), Vec2::splat(9.0)];
    let mut grid = HierarchicalGrid::new(FIELD);
    set(&mut grid, "cell_size", "4");
    grid.rebuild(Bodies::points(&centers), &mut ());
    for (min_size, expected) in [(0.0, 2), (4.0, 2), (4.1, 0)] {
        let query = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size,
        };
        let mut drawn = 0;
        grid.regions(query, &mut |_| drawn += 1);
        assert_eq!(drawn, expected, "{min_size} m");
    }
}

#[test]
fn hundreds_of_nearest_are_found_where_each_is_far_from_all_others() {
    let centers: Vec<_> = (0..2_500)
        .map(|unit| Vec2::new((unit % 50) as f32, (unit / 50) as f32) * 1.0e6)
        .collect();
    let bodies = Bodies::points(&centers);
    let grid = grid_of(bodies);
    for count in [1, 64, 65, 129, 700] {
        let query = NearestQuery {
            point: Vec2::new(1.1e7, 3.2e7),
            count,
            within: f32::INFINITY,
        };
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        grid.nearest(bodies, query, |_| true, &mut (), &mut found);
        let mut reference = AllPairs::new(FIELD);
        reference.rebuild(bodies, &mut ());
        reference.nearest(bodies, query, |_| true, &mut (), &mut expected);
        assert_eq!(found.len(), count);
        assert_eq!(found, expected);
    }
}
