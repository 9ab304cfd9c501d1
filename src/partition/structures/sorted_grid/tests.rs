//! What the grid promises beyond right answers: bounded memory, work that fits the crowd, one grid a size class.

use super::build::CACHED;
use super::*;
use crate::chance::{Stream, mix};
use crate::geometry::{Segment, Vec2};
use crate::probe::Counter;

fn grid(cell_size: f64, bodies: Bodies<'_>) -> SortedGrid {
    let mut grid = SortedGrid::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
    grid.set_knob(0, cell_size);
    grid.rebuild(bodies, &mut ());
    assert_eq!(grid.validate(bodies), Ok(()));
    grid
}

fn pairs_counted(grid: &SortedGrid, bodies: Bodies<'_>, reach: f32) -> Counter {
    let mut counter = Counter::default();
    grid.pairs(bodies, reach, &mut counter, |_| {});
    counter
}

/// Units spread evenly over a square with one square metre for each.
fn spread(count: usize) -> Vec<Vec2> {
    let mut stream = Stream::new(7);
    let side = (count as f32).sqrt();
    (0..count)
        .map(|_| Vec2::new(stream.between(0.0, side), stream.between(0.0, side)))
        .collect()
}

#[test]
fn units_lie_row_by_row_and_in_a_row_column_by_column() {
    let centers = [
        Vec2::new(9.0, 9.0),
        Vec2::new(5.0, 1.0),
        Vec2::new(-0.5, 1.0),
        Vec2::new(1.0, 9.0),
        Vec2::new(1.0, -0.5),
        Vec2::new(1.0, 1.0),
        Vec2::new(0.5, 0.5),
    ];
    let grid = grid(4.0, Bodies::points(&centers));
    // Row -1, row 0 with columns -1, 0 and 1, row 2; units of one cell stay in the order of their ids.
    let ids = &grid.layers[0].bodies.ids[..grid.len()];
    assert_eq!(ids, [4, 2, 5, 6, 1, 3, 0]);
    let rows: Vec<_> = grid.layers[0]
        .listed_rows()
        .iter()
        .map(|row| row.index)
        .collect();
    assert_eq!(rows, [-1, 0, 2]);
}

/// Units are numbered by the lot, and those of a world with rows out of use are put into lots first.
#[test]
fn ends_of_lots_and_rows_out_of_use_leave_everybody_in_order() {
    let mut stream = Stream::new(11);
    let mut on_a_border = || {
        let border = stream.between(-3.0, 3.0).floor() * 4.0;
        let places = [border, -border, border.next_down(), border.next_up()];
        places[stream.below(4) as usize]
    };
    for count in (0..4).chain(62..67).chain(94..100).chain(126..131) {
        let centers: Vec<_> = (0..count)
            .map(|_| Vec2::new(on_a_border(), on_a_border()))
            .collect();
        for unused in [0, 1, 3] {
            // At 96 units, of which every third is out of use, 64 are left: one lot and none behind it.
            let alive = (0..count).map(|unit| unit % 3 >= unused).collect();
            let bodies = Bodies {
                centers: &centers,
                half_extents: &[],
                alive: &if unused == 0 { Vec::new() } else { alive },
            };
            let grid = grid(4.0, bodies);
            let mut expected: Vec<_> = bodies.ids().collect();
            expected.sort_by_key(|unit| {
                let cell = (bodies.center(*unit) / 4.0).floor();
                (cell.y as i32, cell.x as i32)
            });
            assert_eq!(grid.layers[0].bodies.ids[..grid.len()], expected);
        }
    }
}

#[test]
fn tests_stay_within_the_half_neighbourhood() {
    let centers = spread(20_000);
    let bodies = Bodies::points(&centers);
    for (cell_size, reach) in [(2.0, 2.0), (2.0, 1.0), (1.0, 3.0)] {
        let counter = pairs_counted(&grid(cell_size, bodies), bodies, reach);
        // Each unit looks up to its reach and a cell's width to each side, half in its own row and whole in those above.
        let cell = cell_size as f32;
        let rows = (reach / cell).ceil() + 0.5;
        let bound = (2.0 * reach + cell) * rows * cell;
        let tests = counter.tests as f32 / centers.len() as f32;
        assert!(tests < bound, "{tests} tests a unit, at most {bound}");
        assert!(counter.hits > 10_000);
    }
}

/// So many bytes are enough for each unit, whatever the world.
const BYTES_PER_UNIT: usize = 60;

#[test]
fn a_unit_far_away_costs_neither_memory_nor_tests() {
    let mut centers = spread(20_000);
    let near = grid(1.0, Bodies::points(&centers));
    let tests = pairs_counted(&near, Bodies::points(&centers), 1.0).tests;
    for far in [
        Vec2::new(1e7, 1e7),
        Vec2::new(-1e9, 50.0),
        Vec2::new(50.0, 1e9),
    ] {
        *centers.last_mut().expect("20,000 units") = far;
        let bodies = Bodies::points(&centers);
        let grid = grid(1.0, bodies);
        assert!(pairs_counted(&grid, bodies, 1.0).tests <= tests + 100);
        // One sort in several passes needs the other side to sort to.
        assert!(grid.byte_count() < BYTES_PER_UNIT * centers.len());
        let mut found = Vec::new();
        grid.radius(bodies, far, 10.0, &mut (), |unit| found.push(unit));
        assert_eq!(found, [19_999]);
    }
}

#[test]
fn two_crowds_at_the_ends_of_the_world_take_no_more_memory_than_one() {
    let mut centers = spread(20_000);
    for center in &mut centers[10_000..] {
        *center += Vec2::splat(1.0e6);
    }
    let apart = grid(1.0, Bodies::points(&centers)).byte_count();
    assert!(apart < BYTES_PER_UNIT * centers.len(), "{apart} bytes");
}

#[test]
fn what_lies_inside_of_a_rectangle_is_not_tested() {
    let centers = spread(20_000);
    let bodies = Bodies::points(&centers);
    let grid = grid(1.0, bodies);
    let mut counter = Counter::default();
    let area = Aabb::new(Vec2::splat(20.5), Vec2::splat(120.5));
    grid.range(bodies, area, &mut counter, |_| {});
    assert!((9_500..10_500).contains(&counter.hits));
    assert!(counter.tests < 4 * 120, "{} on the border", counter.tests);
    assert!(counter.accepts > 5_000);
}

#[test]
fn giants_have_a_grid_of_their_own() {
    let centers = spread(20_000);
    let mut half_extents = vec![Vec2::splat(0.25); centers.len()];
    half_extents[7] = Vec2::splat(60.0);
    half_extents[8] = Vec2::new(3.0, 0.0);
    let bodies = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    let grid = grid(1.0, bodies);
    let sizes: Vec<_> = grid.layers.iter().map(Layer::len).collect();
    assert_eq!(sizes, [19_998, 0, 1, 0, 1]);
    let mut counter = Counter::default();
    grid.radius(bodies, centers[100], 2.0, &mut counter, |_| {});
    assert!(counter.tests < 50, "{}", counter.tests);
    // The giant meets everybody on its way through the others; nobody else meets more than the neighbours.
    let counter = pairs_counted(&grid, bodies, 0.5);
    assert!(counter.tests < 20 * 20_000, "{}", counter.tests);
}

#[test]
fn a_million_units_on_one_spot_or_one_line_are_built_and_found() {
    let count = 1_000_000;
    for step in [
        Vec2::ZERO,
        Vec2::new(0.01, 0.0),
        Vec2::new(0.0, 0.01),
        Vec2::splat(3.0),
    ] {
        let centers: Vec<_> = (0..count).map(|unit| step * unit as f32).collect();
        let bodies = Bodies::points(&centers);
        let mut grid = SortedGrid::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
        grid.rebuild(bodies, &mut ());
        assert_eq!(grid.validate(bodies), Ok(()));
        let mut out = Vec::new();
        let query = NearestQuery {
            point: centers[500_000],
            count: 1,
            within: 1.0,
        };
        grid.nearest(bodies, query, |_| true, &mut (), &mut out);
        let first = if step == Vec2::ZERO { 0 } else { 500_000 };
        assert_eq!(out[0].unit, first);
        assert!(grid.byte_count() < 90 * count);
    }
}

#[test]
fn more_units_than_a_cache_holds_are_sorted_wherever_their_ids_are() {
    // Told in no order, these are sorted by row first.
    let centers = spread(150_000);
    let mut half_extents = vec![Vec2::splat(0.25); centers.len()];
    half_extents[7] = Vec2::splat(0.5);
    let sized = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    for bodies in [Bodies::points(&centers), sized] {
        let grid = grid(2.0, bodies);
        assert_eq!(grid.len(), centers.len());
        let area = Aabb::new(Vec2::splat(100.0), Vec2::splat(120.0));
        let mut found = Vec::new();
        grid.range(bodies, area, &mut (), |unit| found.push(unit));
        found.sort_unstable();
        let expected = bodies
            .ids()
            .filter(|unit| bodies.aabb(*unit).overlaps(area));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}

/// Dense at two sides and thinning out far into the distance: rows are of any length, and some have far more columns than units.
fn thinning_out(count: usize, side: f32) -> Vec<Vec2> {
    let mut stream = Stream::new(23);
    let mut far = || (stream.between(-1.0, 1.0) + stream.between(-1.0, 1.0)) * 3.0;
    (0..count)
        .map(|_| Vec2::new(far().exp() - 1.0, far().exp() - 1.0) * side)
        .collect()
}

#[test]
fn a_crowd_whose_rows_are_not_equally_long_is_laid_out_cell_by_cell() {
    // As many as the last, if they are told in no order, are sorted by row first.
    let crowds = [
        (300, false),
        (20_000, false),
        (140_000, true),
        (140_000, false),
    ];
    for (count, is_told_in_order) in crowds {
        let mut centers = thinning_out(count, (count as f32).sqrt() / 8.0);
        if is_told_in_order {
            centers.sort_by(|a, b| a.y.total_cmp(&b.y));
        }
        let half_extents = vec![Vec2::new(0.5, 0.25); count];
        let alive: Vec<_> = (0..count).map(|unit| unit % 5 != 0).collect();
        let all = Bodies::points(&centers);
        let sized = Bodies {
            half_extents: &half_extents,
            ..all
        };
        let some = Bodies {
            alive: &alive,
            ..all
        };
        for bodies in [all, sized, some] {
            let grid = grid(1.5, bodies);
            let layer = &grid.layers[0];
            let is_at_once = is_told_in_order || bodies.count() <= CACHED;
            assert_eq!(!grid.sorter.spans.is_empty(), is_at_once);
            // More stretches than rows: some rows are cut.
            assert!(layer.stretches.len() > layer.listed_rows().len());
            let mut expected: Vec<_> = bodies.ids().collect();
            expected.sort_by_key(|unit| {
                let center = bodies.center(*unit);
                (layer.number(center.y), layer.number(center.x))
            });
            assert_eq!(layer.bodies.ids[..grid.len()], expected);
        }
    }
}

#[test]
fn a_row_is_cut_once_it_has_far_more_columns_than_units() {
    // As many as two units may have, and one more in every other row, the first and the last of them among these or not.
    for odd in [0, 1] {
        let last = |row: usize| if row % 2 == odd { 32.5 } else { 31.5 };
        let rows = (0..40).flat_map(|row| [0.5, last(row)].map(|x| Vec2::new(x, row as f32 + 0.5)));
        let centers: Vec<_> = rows.map(|center| center - Vec2::splat(20.0)).collect();
        let grid = grid(1.0, Bodies::points(&centers));
        let layer = &grid.layers[0];
        assert_eq!(grid.sorter.spans.len(), 40);
        for row in 0..40 {
            assert_eq!(
                layer.stretches_of(row).len(),
                1 + usize::from(row % 2 == odd)
            );
        }
        assert!(layer.bodies.ids[..80].is_sorted());
    }
    // Where most are cut, and where there are far more rows than units, they are laid one by one.
    let wide = (0..40).flat_map(|row| [0.5, 32.5].map(|x| Vec2::new(x, row as f32 + 0.5)));
    let tall = |height: f32| vec![Vec2::ZERO, Vec2::new(1.0, height)];
    for (centers, rows) in [
        (wide.collect(), 40),
        (tall(1023.0), 1024),
        (tall(1024.0), 0),
    ] {
        let grid = grid(1.0, Bodies::points(&centers));
        assert_eq!(grid.sorter.spans.len(), rows);
        let layer = &grid.layers[0];
        assert_eq!(layer.listed_rows().len(), if rows == 40 { 40 } else { 2 });
        let stretches = layer.stretches.len();
        assert_eq!(stretches, if rows == 40 { 80 } else { 2 });
    }
}

#[test]
fn who_is_in_the_lowest_or_highest_row_of_a_rectangle_is_tested() {
    // A hundred in each of three rows, whose cells are four metres wide.
    let centers: Vec<_> = (0..300)
        .map(|unit| Vec2::new((unit % 100) as f32, [1.0, 5.0, 9.0][unit / 100]))
        .collect();
    let bodies = Bodies::points(&centers);
    let grid = grid(4.0, bodies);
    for (bottom, top, hits, accepts) in [
        (0.0, 11.0, 300, true),
        (2.0, 11.0, 200, true),
        (0.0, 8.5, 200, true),
        (2.0, 8.5, 100, true),
        (6.0, 8.5, 0, false),
    ] {
        let area = Aabb::new(Vec2::new(-1.0, bottom), Vec2::new(100.0, top));
        let (mut counter, mut found) = (Counter::default(), 0);
        grid.range(bodies, area, &mut counter, |_| found += 1);
        assert_eq!(found, hits, "from {bottom} to {top}");
        assert_eq!(counter.accepts > 0, accepts, "from {bottom} to {top}");
    }
}

#[test]
fn cells_are_drawn_from_the_asked_size_on() {
    let centers = [Vec2::splat(1.0), Vec2::splat(9.0)];
    let grid = grid(4.0, Bodies::points(&centers));
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

/// A grid and the truth that it follows by single edits.
struct Followed {
    grid: SortedGrid,
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
    counter: Counter,
}

impl Followed {
    fn new(cell_size: f64, centers: Vec<Vec2>, half_extents: Vec<Vec2>) -> Self {
        let bodies = Bodies {
            centers: &centers,
            half_extents: &half_extents,
            alive: &[],
        };
        Self {
            grid: grid(cell_size, bodies),
            alive: vec![true; centers.len()],
            centers,
            half_extents,
            counter: Counter::default(),
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    /// Tells the grid, and checks that it holds the truth and answers as one that is built anew.
    fn apply(&mut self, changes: &[Change]) {
        let bodies = Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        };
        self.grid.apply(bodies, changes, &mut self.counter);
        assert_eq!(self.grid.validate(bodies), Ok(()), "after {changes:?}");
    }

    fn move_to(&mut self, unit: UnitId, to: Vec2) {
        self.centers[unit as usize] = to;
        self.apply(&[Change::Move(unit)]);
    }

    fn check_answers(&self, reach: f32) {
        let bodies = self.bodies();
        let anew = grid(self.grid.cell_size.value(), bodies);
        // Whatever their order is: to sort them would take longer than all the rest.
        let pairs = |grid: &SortedGrid| {
            let (mut count, mut sum) = (0, 0_u64);
            grid.pairs(bodies, reach, &mut (), |batch| {
                count += batch.len();
                for (a, b) in batch {
                    sum = sum.wrapping_add(mix(u64::from(*a) << 32 | u64::from(*b)));
                }
            });
            (count, sum)
        };
        assert_eq!(pairs(&self.grid), pairs(&anew));
    }

    fn rebuilds(&self) -> u64 {
        self.counter.of(Work::Rebuild)
    }
}

#[test]
fn single_edits_move_units_past_those_of_their_row_and_build_nothing() {
    for is_sized in [false, true] {
        let mut stream = Stream::new(5);
        let centers = spread(2_000);
        let sizes = if is_sized {
            // Two classes, the larger one of few.
            let size = |unit: usize| Vec2::splat(if unit.is_multiple_of(50) { 1.5 } else { 0.25 });
            (0..centers.len()).map(size).collect()
        } else {
            Vec::new()
        };
        let mut world = Followed::new(1.0, centers, sizes);
        let side = 2_000_f32.sqrt();
        for turn in 0..3_000 {
            let unit = stream.between(0.0, 1_999.9) as UnitId;
            let place = unit as usize;
            let step = Vec2::new(stream.between(-0.6, 0.6), stream.between(-0.6, 0.6));
            if !world.alive[place] {
                world.alive[place] = true;
                world.apply(&[Change::Add(unit)]);
            } else if turn % 7 == 0 {
                world.alive[place] = false;
                world.apply(&[Change::Remove(unit)]);
            } else if turn % 11 == 0 {
                let far = Vec2::new(stream.between(0.0, side), stream.between(0.0, side));
                world.move_to(unit, far);
            } else {
                let to = (world.centers[place] + step).clamp(Vec2::ZERO, Vec2::splat(side));
                world.move_to(unit, to);
            }
            if turn % 500 == 0 {
                world.check_answers(1.0);
            }
        }
        world.check_answers(1.0);
        assert_eq!(world.rebuilds(), 0, "sized: {is_sized}");
        let counter = &world.counter;
        assert!(counter.of(Work::MoveInPlace) > 500);
        assert!(counter.of(Work::MoveRelink) > 500);
    }
}

#[test]
fn a_row_that_is_full_finds_room_elsewhere() {
    let mut world = Followed::new(1.0, spread(1_000), Vec::new());
    world.centers.extend([Vec2::ZERO; 200]);
    world.alive.extend([false; 200]);
    for unit in 1_000..1_200 {
        world.centers[unit] = Vec2::new(10.0 + (unit % 20) as f32 * 0.1, 12.5);
        world.alive[unit] = true;
        world.apply(&[Change::Add(unit as UnitId)]);
    }
    assert_eq!(world.rebuilds(), 0);
    world.check_answers(1.5);
    let rows = world.grid.layers[0].listed_rows();
    let first: Vec<_> = rows.iter().map(|row| row.first_unit).collect();
    assert!(
        !first.is_sorted(),
        "the full row has moved behind the others"
    );
}

#[test]
fn who_walks_through_empty_land_takes_neither_builds_nor_memory() {
    let mut world = Followed::new(1.0, spread(2_000), Vec::new());
    let way = |turn: i32| {
        let turn = turn as f32;
        [
            Vec2::new(-0.7 * turn, 20.5),
            Vec2::new(20.5, -0.7 * turn),
            Vec2::new(-0.5 * turn, -0.5 * turn),
            Vec2::new(60.0 + 13.0 * turn, 20.5),
        ]
    };
    for (unit, _) in way(0).iter().enumerate() {
        for turn in 0..500 {
            world.move_to(unit as UnitId, way(turn)[unit]);
        }
    }
    world.check_answers(2.0);
    assert!(world.rebuilds() < 4, "{} builds", world.rebuilds());
    assert!(world.grid.byte_count() < 2 * BYTES_PER_UNIT * 2_000);
}

#[test]
fn edits_of_a_crowd_on_one_spot_take_no_longer_than_builds() {
    let count = 200_000;
    let mut world = Followed::new(1.0, vec![Vec2::ZERO; count], Vec::new());
    let moves: Vec<_> = (0..10_000).map(|turn| Change::Move(turn * 19)).collect();
    for (turn, change) in moves.iter().enumerate() {
        if let Change::Move(unit) = change {
            world.centers[*unit as usize].x += 1.0 + (turn % 3) as f32;
        }
    }
    world.apply(&moves);
    assert_eq!(world.rebuilds(), 1, "patience has an end");
}

#[test]
fn rows_of_the_table_may_go_before_the_grid_is_told() {
    let mut world = Followed::new(1.0, spread(1_000), Vec::new());
    for _ in 0..2 {
        // The last rows were taken back, and the truth has forgotten them.
        let last = world.centers.len() as UnitId - 1;
        world.centers.pop();
        world.alive.pop();
        world.apply(&[Change::Remove(last)]);
    }
    world.check_answers(1.0);
    assert_eq!(world.rebuilds(), 0);
}

#[test]
fn rows_are_given_room_only_when_somebody_comes_or_moves() {
    let mut world = Followed::new(1.0, spread(1_000), Vec::new());
    let tight = world.grid.byte_count();
    world.apply(&[]);
    assert_eq!(world.grid.byte_count(), tight);
    world.move_to(7, Vec2::ONE);
    assert!(world.grid.byte_count() > tight);
}

/// Everybody goes a step by chance, of so many metres at the most, and one in `falling` falls.
fn stroll(world: &mut Followed, stream: &mut Stream, step: f32, falling: usize) {
    let mut changes = Vec::new();
    for unit in 0..world.centers.len() {
        if !world.alive[unit] {
            continue;
        }
        if falling > 0 && stream.between(0.0, falling as f32) < 1.0 {
            world.alive[unit] = false;
            changes.push(Change::Remove(unit as UnitId));
        } else {
            world.centers[unit] +=
                Vec2::new(stream.between(-step, step), stream.between(-step, step));
            changes.push(Change::Move(unit as UnitId));
        }
    }
    world.apply(&changes);
}

/// Asks the grid and one that is built anew everything.
fn check_queries(world: &Followed, stream: &mut Stream) {
    let bodies = world.bodies();
    let anew = grid(world.grid.cell_size.value(), bodies);
    let mut any = || Vec2::new(stream.between(-5.0, 50.0), stream.between(-5.0, 50.0));
    for _ in 0..20 {
        let (from, to) = (any(), any());
        let sorted = |ask: &dyn Fn(&SortedGrid, &mut Vec<UnitId>)| {
            let mut both = [Vec::new(), Vec::new()];
            ask(&world.grid, &mut both[0]);
            ask(&anew, &mut both[1]);
            both.iter_mut().for_each(|found| found.sort_unstable());
            both
        };
        let area = Aabb::new(from.min(to), from.max(to));
        let segment = Segment {
            from,
            to,
            half_width: 0.3,
        };
        for [now, then] in [
            sorted(&|grid, found| grid.range(bodies, area, &mut (), |unit| found.push(unit))),
            sorted(&|grid, found| grid.radius(bodies, from, 3.0, &mut (), |unit| found.push(unit))),
            sorted(&|grid, found| grid.segment(bodies, segment, &mut (), |unit| found.push(unit))),
        ] {
            assert_eq!(now, then, "{area:?}");
        }
        let query = NearestQuery {
            point: from,
            count: 9,
            within: f32::INFINITY,
        };
        let nearest = |grid: &SortedGrid| {
            let mut found = Vec::new();
            grid.nearest(bodies, query, |unit| unit % 3 != 0, &mut (), &mut found);
            found
        };
        assert_eq!(nearest(&world.grid), nearest(&anew), "{from}");
    }
    world.check_answers(1.0);
}

#[test]
fn with_a_skin_a_grid_is_sorted_now_and_then_and_answers_the_same() {
    for is_sized in [false, true] {
        for falling in [0, 60] {
            let mut stream = Stream::new(17);
            let centers = spread(2_000);
            let size = |unit: usize| Vec2::splat(if unit.is_multiple_of(40) { 1.5 } else { 0.25 });
            let sizes = if is_sized {
                (0..2_000).map(size).collect()
            } else {
                Vec::new()
            };
            let mut world = Followed::new(1.0, centers, sizes);
            world.grid.skin = 0.5;
            for turn in 0..40 {
                stroll(&mut world, &mut stream, 0.06, falling);
                if turn % 4 == 3 {
                    check_queries(&world, &mut stream);
                }
                if turn == 20 {
                    // A few edits in between, of a crowd that has strayed.
                    let unit = world
                        .alive
                        .iter()
                        .position(|alive| *alive)
                        .expect("somebody");
                    world.move_to(unit as UnitId, Vec2::new(3.3, 4.4));
                    check_queries(&world, &mut stream);
                }
            }
            // Half a metre of drift lasts for eight steps of 6 cm.
            let rebuilds = world.rebuilds();
            assert!((4..=7).contains(&rebuilds), "{rebuilds}, sized: {is_sized}");
        }
    }
}

#[test]
fn a_crowd_that_jumps_about_is_sorted_each_time_and_keeps_its_skin_for_quieter_days() {
    let mut world = Followed::new(1.0, spread(1_000), Vec::new());
    let mut stream = Stream::new(3);
    world.grid.skin = 0.25;
    for _ in 0..10 {
        stroll(&mut world, &mut stream, 5.0, 0);
        check_queries(&world, &mut stream);
    }
    assert_eq!(world.rebuilds(), 10);
    for _ in 0..60 {
        stroll(&mut world, &mut stream, 0.01, 0);
    }
    check_queries(&world, &mut stream);
    let rebuilds = world.rebuilds() - 10;
    assert!((2..=20).contains(&rebuilds), "{rebuilds}");
}

#[test]
fn bodies_that_outgrow_their_class_do_not_stay_filed() {
    let sizes = vec![Vec2::splat(0.25); 1_000];
    let mut world = Followed::new(1.0, spread(1_000), sizes);
    let mut stream = Stream::new(3);
    world.grid.skin = 0.25;
    stroll(&mut world, &mut stream, 0.01, 0);
    assert_eq!(world.rebuilds(), 0);
    world.half_extents[500] = Vec2::new(0.3, 7.0);
    stroll(&mut world, &mut stream, 0.01, 0);
    assert_eq!(world.rebuilds(), 1);
    // Within its class it may grow.
    world.half_extents[501] = Vec2::new(0.4, 0.2);
    stroll(&mut world, &mut stream, 0.01, 0);
    assert_eq!(world.rebuilds(), 1);
    check_queries(&world, &mut stream);
}

#[test]
fn a_crowd_larger_than_a_cache_is_sorted_in_yesterdays_order() {
    let by_strips = |mut crowd: Vec<Vec2>| {
        let strip = |at: &Vec2| (0.5 * at.y).floor();
        crowd.sort_by(|a, b| strip(a).total_cmp(&strip(b)).then(a.x.total_cmp(&b.x)));
        crowd
    };
    let far = |by: Vec2| spread(140_000).into_iter().map(move |at| at + by);
    for crowd in [
        spread(140_000),
        // Who lies side by side lies so in memory.
        by_strips(spread(140_000)),
        far(Vec2::new(-30_000.0, 20_000.0)).collect(),
        // In few rows, the first unit of which is anywhere.
        far(Vec2::ZERO)
            .map(|at| Vec2::new(at.x, at.y / 200.0))
            .collect(),
    ] {
        let mut world = Followed::new(1.0, crowd, Vec::new());
        let mut stream = Stream::new(8);
        for falling in [0, 0, 50, 0] {
            stroll(&mut world, &mut stream, 0.3, falling);
            world.check_answers(0.7);
        }
        // Some have strayed too far for it, and all are sorted behind that.
        world.grid.skin = 0.1;
        stroll(&mut world, &mut stream, 0.3, 0);
        world.check_answers(0.7);
        assert_eq!(world.rebuilds(), 5);
    }
}

#[test]
fn on_several_threads_the_grid_is_the_same_to_the_last_bit() {
    // In a single row of cells most of several threads have none.
    let flat = |stretched: f32| {
        let crowd = spread(140_000).into_iter();
        crowd
            .map(move |at| Vec2::new(stretched * at.x, 0.5))
            .collect()
    };
    let mut by_strips = spread(140_000);
    by_strips.sort_by(|a, b| (0.5 * a.y).floor().total_cmp(&(0.5 * b.y).floor()));
    let crowds = [
        (spread(140_000), false),
        (spread(140_000), true),
        (by_strips.clone(), false),
        (by_strips, true),
        (thinning_out(140_000, 50.0), false),
        (flat(1.0), false),
        // More columns than half a number counts.
        (flat(300.0), false),
    ];
    for (centers, is_sized) in crowds {
        let size = |unit: usize| Vec2::splat(if unit.is_multiple_of(40) { 1.5 } else { 0.25 });
        let sizes = |count: usize| {
            let sizes = (0..count).map(size);
            if is_sized {
                sizes.collect()
            } else {
                Vec::new()
            }
        };
        let mut worlds = [1, 2, 5, 64].map(|threads| {
            let mut world = Followed::new(1.0, centers.clone(), sizes(centers.len()));
            world.grid.use_threads(threads);
            world
        });
        for (turn, skin) in [0.0, 0.0, 0.5, 0.5].into_iter().enumerate() {
            let columns = worlds.each_mut().map(|world| {
                let mut stream = Stream::new(turn as u64);
                world.grid.skin = skin;
                // Where nobody falls the layer's own ids are the order.
                stroll(world, &mut stream, 0.1, 50 * (turn % 2));
                let of = |layer: &Layer| {
                    let rows = layer.rows.iter();
                    let heights: Vec<_> = rows.map(|row| (row.index, row.low, row.high)).collect();
                    let bodies = layer.bodies.clone();
                    let places = (bodies.left, bodies.bottom, bodies.right, bodies.top);
                    (
                        heights,
                        layer.starts.clone(),
                        places,
                        bodies.ids,
                        layer.drift,
                        layer.half_extent,
                    )
                };
                world.grid.layers.iter().map(of).collect::<Vec<_>>()
            });
            assert!(columns.iter().all(|it| *it == columns[0]), "{turn}");
        }
        assert_eq!(worlds[0].rebuilds(), 2);
        assert!(worlds[0].grid.layers[0].drift > 0.0);
    }
}

#[test]
fn many_shares_of_a_pair_search_are_strips_and_no_unit_is_in_two_that_are_not_neighbours() {
    let centers = spread(40_000);
    let bodies = Bodies::points(&centers);
    let grid = grid(4.0, bodies);
    for (reach, count, lie_apart) in [
        (1.5, 8, true),
        (6.0, 8, true),
        (1.5, 16, true),
        (1.5, 40, true),
        // Rows are as many as such strips, and cannot be dealt out evenly.
        (1.5, 120, false),
        // Farther than a strip is high.
        (30.0, 8, false),
        (1.5, 7, false),
    ] {
        assert_eq!(grid.shares_lie_apart(reach, count), lie_apart, "{reach}");
        let mut counter = Counter::default();
        let mut last_shares = vec![None; centers.len()];
        for index in 0..count {
            let part = Part { index, count };
            grid.pairs_part(bodies, reach, part, &mut counter, |batch| {
                for unit in batch.iter().flat_map(|&(a, b)| [a, b]) {
                    let last = last_shares[unit as usize].replace(index).unwrap_or(index);
                    assert!(
                        index - last <= 1 || !lie_apart,
                        "{unit} in {last} and {index}"
                    );
                }
            });
        }
        let whole = pairs_counted(&grid, bodies, reach);
        assert_eq!((counter.tests, counter.hits), (whole.tests, whole.hits));
        if lie_apart {
            assert_eq!(counter.visits, whole.visits);
        }
    }
}

#[test]
fn shares_do_not_lie_apart_where_strips_would_come_out_uneven_or_bodies_have_several_sizes() {
    let row: Vec<Vec2> = spread(40_000)
        .iter()
        .map(|center| Vec2::new(center.x * 200.0, center.y * 0.1))
        .collect();
    let bodies = Bodies::points(&row);
    assert!(!grid(4.0, bodies).shares_lie_apart(1.5, 8));
    let centers = spread(40_000);
    for (largest, lie_apart) in [(0.2, true), (40.0, false)] {
        let mut half_extents = vec![Vec2::splat(0.2); centers.len()];
        half_extents[7] = Vec2::splat(largest);
        let bodies = Bodies {
            centers: &centers,
            half_extents: &half_extents,
            alive: &[],
        };
        assert_eq!(grid(4.0, bodies).shares_lie_apart(1.5, 8), lie_apart);
    }
}
