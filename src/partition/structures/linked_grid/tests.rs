//! What is true of this structure alone.

use super::*;
use crate::partition::{MarkRole, Role, Shape};
use crate::probe::Counter;

/// The index of the knob `neighbourhood`.
const NEIGHBOURHOOD: usize = 1;

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(120.0));

#[test]
fn a_neighbourhood_has_four_cells_ahead_and_four_behind() {
    // Somebody in every cell of the field.
    let centers: Vec<Vec2> = (0..120 * 120)
        .map(|at| Vec2::new((at % 120) as f32 + 0.5, (at / 120) as f32 + 0.5))
        .collect();
    let everywhere = Bodies::points(&centers);
    let nowhere = Bodies::points(&[]);
    let count = |bodies: Bodies<'_>, at: Vec2| {
        let mut grid = LinkedGrid::new(FIELD);
        grid.rebuild(bodies, &mut ());
        let query = MarkQuery {
            area: FIELD.grown(Vec2::splat(100.0)),
            min_size: 0.0,
            cursor: Some(at),
            reach: 0.0,
        };
        let mut roles = Vec::new();
        grid.marks(bodies, query, &mut |mark| roles.push(mark.role));
        let roles = &roles;
        [MarkRole::Home, MarkRole::Scanned, MarkRole::Skipped]
            .map(|role| roles.iter().filter(|other| **other == role).count())
    };
    assert_eq!(count(everywhere, Vec2::splat(60.0)), [1, 4, 4]);
    // Whoever is in none of them is looked at in none of them.
    assert_eq!(count(nowhere, Vec2::splat(60.0)), [1, 0, 8]);
    // Beyond the field there is nothing to look at: at its last corner all neighbours come before, at its first one all come after.
    assert_eq!(count(everywhere, Vec2::splat(119.5)), [1, 0, 3]);
    assert_eq!(count(everywhere, Vec2::splat(0.5)), [1, 3, 0]);
    // Beside the field nobody is at home, and nobody looks from there.
    for beside in [Vec2::new(-1.0, 60.0), Vec2::splat(500.0)] {
        assert_eq!(count(everywhere, beside), [0, 0, 0]);
    }
}

#[test]
fn a_full_neighbourhood_finds_everybody_across_a_border_again_and_gives_each_pair_once() {
    let centers: Vec<Vec2> = (0..400)
        .map(|unit| Vec2::new((unit * 37 % 120) as f32, (unit * 53 % 121) as f32))
        .collect();
    let bodies = Bodies::points(&centers);
    for reach in [0.0, 3.0, 12.0, 30.0] {
        let mut grid = LinkedGrid::new(FIELD);
        grid.rebuild(bodies, &mut ());
        let mut search = |neighbourhood: f64| {
            grid.set_knob(NEIGHBOURHOOD, neighbourhood);
            let (mut counter, mut found) = (Counter::default(), Vec::new());
            grid.pairs(bodies, reach, &mut counter, |batch| {
                found.extend_from_slice(batch)
            });
            found.sort_unstable();
            (found, counter)
        };
        let (half, half_count) = search(0.0);
        let (full, full_count) = search(1.0);
        assert_eq!(half, full);
        let is_across = |(a, b): &&Pair| {
            let cell = |unit: u32| grid.chain_of(centers[unit as usize], Vec2::ZERO);
            cell(*a) != cell(*b)
        };
        let across = half.iter().filter(is_across).count() as u64;
        assert_eq!(half_count.of(Work::DoubleAttack), 0);
        assert_eq!(full_count.of(Work::DoubleAttack), across, "reach {reach}");
        assert_eq!(half_count.hits, full_count.hits);
        assert!(full_count.tests >= half_count.tests + across);
    }
}

#[test]
fn the_cells_of_the_field_are_drawn_even_when_empty() {
    let grid = LinkedGrid::new(FIELD);
    let query = RegionQuery {
        area: FIELD,
        min_size: 0.0,
    };
    let mut count = 0;
    grid.regions(query, &mut |region| {
        let Shape::Rect(cell) = region.shape else {
            panic!("a cell is a box");
        };
        assert_eq!((region.load, cell.size()), (0, Vec2::splat(16.0)));
        count += 1;
    });
    assert_eq!(count, 64);
}

#[test]
fn too_small_cells_grow_until_they_fit_and_say_so() {
    let mut grid = LinkedGrid::new(Aabb::new(Vec2::splat(-5.0e5), Vec2::splat(5.0e5)));
    grid.set_knob(0, 0.5);
    grid.rebuild(Bodies::points(&[]), &mut ());
    assert!(grid.heads.len() as u64 <= CELL_LIMIT + 1);
    assert_eq!(grid.knob(0), 0.5);
    let mut names = Vec::new();
    grid.quality(&mut |fact| names.push(fact.name));
    assert!(names.contains(&"cell size asked for"));
}

#[test]
fn as_many_cells_as_a_grid_may_have_are_as_small_as_was_asked_for() {
    // With the rim 2,048 columns and rows.
    let side = (2_048 - 2 * axis::RIM) as f32;
    for (side, size) in [(side, 1.0), (side + 1.0, 1.0625)] {
        let mut grid = LinkedGrid::new(Aabb::new(Vec2::ZERO, Vec2::splat(side)));
        grid.set_knob(0, 1.0);
        grid.rebuild(Bodies::points(&[]), &mut ());
        assert_eq!(grid.effective_cell_size, size);
        let cells = u64::from(grid.columns.count()) * u64::from(grid.rows.count());
        assert_eq!(cells == CELL_LIMIT, size == 1.0, "{cells} cells");
    }
}

#[test]
fn who_is_linked_to_the_wrong_neighbour_or_in_the_wrong_cell_is_named() {
    let centers = [1.0, 2.0, 3.0, 50.0].map(Vec2::splat);
    let bodies = Bodies::points(&centers);
    let damage = |damage: &dyn Fn(&mut LinkedGrid)| {
        let mut grid = LinkedGrid::new(FIELD);
        grid.rebuild(bodies, &mut ());
        assert_eq!(grid.validate(bodies), Ok(()));
        damage(&mut grid);
        grid.validate(bodies).unwrap_err().to_string()
    };
    let told = damage(&|grid| grid.links[2].previous = 0);
    assert!(told.contains("unit 1 before unit 2"), "{told}");
    let told = damage(&|grid| {
        let cells = [0, 3].map(|unit| grid.chain_of(centers[unit], Vec2::ZERO) as usize);
        grid.heads.swap(cells[0], cells[1]);
    });
    assert!(
        told.contains("unit 3 in cell") || told.contains("unit 0 in cell"),
        "{told}"
    );
}

#[test]
fn four_times_the_oversize_that_a_build_allows_make_it_build_anew() {
    let centers: Vec<Vec2> = (0..900)
        .map(|unit| Vec2::new((unit % 30) as f32, (unit / 30) as f32) * 3.0)
        .collect();
    let mut half_extents = vec![Vec2::splat(0.1); centers.len()];
    fn bodies_of<'a>(centers: &'a [Vec2], half_extents: &'a [Vec2]) -> Bodies<'a> {
        Bodies {
            half_extents,
            ..Bodies::points(centers)
        }
    }
    let mut grid = LinkedGrid::new(FIELD);
    grid.set_knob(0, 4.0);
    grid.rebuild(bodies_of(&centers, &half_extents), &mut ());
    let limit = 4 * LinkedGrid::oversize_allowance(900);
    let mut counter = Counter::default();
    for unit in 0..=limit {
        assert_eq!(counter.of(Work::Rebuild), 0, "{unit} of {limit}");
        half_extents[unit as usize] = Vec2::splat(9.0);
        let bodies = bodies_of(&centers, &half_extents);
        grid.apply(bodies, &[Change::Move(unit)], &mut counter);
        assert_eq!(grid.validate(bodies), Ok(()));
    }
    assert_eq!(counter.of(Work::Rebuild), 1);
}

#[test]
fn the_list_of_the_oversize_is_no_cell_of_the_picture() {
    let centers: Vec<Vec2> = (0..100)
        .map(|unit| Vec2::new((unit % 10) as f32, (unit / 10) as f32) * 12.0 + 1.0)
        .collect();
    let mut half_extents = vec![Vec2::splat(0.1); centers.len()];
    half_extents[3] = Vec2::splat(30.0);
    half_extents[97] = Vec2::splat(40.0);
    let bodies = Bodies {
        half_extents: &half_extents,
        ..Bodies::points(&centers)
    };
    let mut grid = LinkedGrid::new(FIELD);
    grid.set_knob(0, 4.0);
    grid.rebuild(bodies, &mut ());
    let mut loads = [0, 0];
    let everything = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    grid.regions(everything, &mut |region| {
        assert_eq!(region.role.shows_load(), region.role == Role::Cell);
        loads[usize::from(region.role == Role::Oversize)] += region.load;
    });
    assert_eq!(loads, [98, 2]);
}
