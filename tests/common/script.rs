//! Scripts: what happens to a world, as data that proptest makes up and shrinks.
//!
//! A script names units and places relative to the world that it meets ("the third unit alive", "on the border of a
//! cell"), so that any part of it can be left out and the rest still makes sense.

use super::world::World;
use proptest::prelude::*;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{Change, Corridor, Figure, Polygon, Sector, UnitId};

/// A place in or around the field.
#[derive(Clone, Debug)]
pub enum Spot {
    /// At this fraction of the field's width and height; beyond 0 to 1 it lies outside.
    Field(f32, f32),
    /// On a multiple of 4 m, where cells of many sizes have their borders.
    Lattice(i8, i8),
    /// On a line that halves the field again and again, where trees cut: numerators over 16.
    Halving(u8, u8),
    /// A few representable numbers beside a multiple of 4 m.
    BesideLattice(i8, i8, i8, i8),
    /// Exactly where another unit is.
    OnUnit(u16),
    /// This far from another unit, in metres.
    NearUnit(u16, f32, f32),
    /// On a corner of the field.
    Corner(bool, bool),
    /// Anywhere, in metres: far outside.
    Far(f32, f32),
}

impl Spot {
    pub fn resolve(&self, world: &World, field: Aabb) -> Vec2 {
        let of_unit = |who: u16| {
            if world.centers.is_empty() {
                field.center()
            } else {
                world.centers[who as usize % world.centers.len()]
            }
        };
        let lattice = |x: i8, y: i8| Vec2::new(f32::from(x), f32::from(y)) * 4.0;
        match *self {
            Self::Field(x, y) => field.min + field.size() * Vec2::new(x, y),
            Self::Lattice(x, y) => lattice(x, y),
            Self::Halving(x, y) => {
                field.min + field.size() * (Vec2::new(f32::from(x), f32::from(y)) / 16.0)
            }
            Self::BesideLattice(x, y, dx, dy) => {
                let at = lattice(x, y);
                Vec2::new(stepped(at.x, dx), stepped(at.y, dy))
            }
            Self::OnUnit(who) => of_unit(who),
            Self::NearUnit(who, dx, dy) => of_unit(who) + Vec2::new(dx, dy),
            Self::Corner(right, top) => Vec2::new(
                if right { field.max.x } else { field.min.x },
                if top { field.max.y } else { field.min.y },
            ),
            Self::Far(x, y) => Vec2::new(x, y),
        }
    }
}

/// The number `steps` representable numbers above `value`, or below it.
fn stepped(value: f32, steps: i8) -> f32 {
    (0..steps.unsigned_abs()).fold(value, |value, _| {
        if steps > 0 {
            value.next_up()
        } else {
            value.next_down()
        }
    })
}

/// Who is meant, counted among the units alive and wrapped around.
pub type Who = u16;

/// One change to one unit.
#[derive(Clone, Debug)]
pub enum Edit {
    Add(Spot, Vec2),
    Move(Who, Spot),
    Remove(Who),
    Replace(Who, Spot, Vec2),
    Resize(Who, Vec2),
}

impl Edit {
    /// Does it to the world and writes down what a structure has to be told.
    pub fn perform(&self, world: &mut World, field: Aabb, changes: &mut Vec<Change>) {
        let alive: Vec<UnitId> = world.bodies().ids().collect();
        let chosen = |who: Who| (!alive.is_empty()).then(|| alive[who as usize % alive.len()]);
        match self {
            Self::Add(spot, half_extent) => {
                let center = spot.resolve(world, field);
                changes.push(Change::Add(world.add(center, *half_extent)));
            }
            Self::Move(who, spot) => {
                let center = spot.resolve(world, field);
                if let Some(unit) = chosen(*who) {
                    world.centers[unit as usize] = center;
                    changes.push(Change::Move(unit));
                }
            }
            Self::Remove(who) => {
                if let Some(unit) = chosen(*who) {
                    world.alive[unit as usize] = false;
                    changes.push(Change::Remove(unit));
                }
            }
            Self::Replace(who, spot, half_extent) => {
                let center = spot.resolve(world, field);
                if let Some(unit) = chosen(*who) {
                    changes.push(Change::Remove(unit));
                    changes.push(Change::Add(unit));
                    world.revive(unit, center, *half_extent);
                }
            }
            Self::Resize(who, half_extent) => {
                if let Some(unit) = chosen(*who) {
                    world.resize(unit, *half_extent);
                    changes.push(Change::Move(unit));
                }
            }
        }
    }
}

/// A question about a figure.
#[derive(Clone, Debug)]
pub enum Ask {
    /// From where, in which direction, how wide, how far.
    Sector(Spot, f32, f32, f32),
    Polygon(Vec<Spot>),
    /// How wide, along which corners.
    Path(f32, Vec<Spot>),
    /// Who is within so many metres of whom.
    Near(Who, f32),
}

impl Ask {
    /// The figure; none where somebody is asked about, and not a place.
    pub fn figure(&self, world: &World, field: Aabb) -> Option<Box<dyn Figure>> {
        let all = |spots: &[Spot]| -> Vec<Vec2> {
            spots.iter().map(|it| it.resolve(world, field)).collect()
        };
        match self {
            Self::Sector(spot, direction, angle, radius) => {
                let center = spot.resolve(world, field);
                Some(Box::new(Sector::new(center, *direction, *angle, *radius)))
            }
            Self::Polygon(spots) => Some(Box::new(Polygon::new(&all(spots)))),
            Self::Path(half_width, spots) => {
                Some(Box::new(Corridor::new(*half_width, &all(spots))))
            }
            Self::Near(..) => None,
        }
    }
}

/// One step of a script.
#[derive(Clone, Debug)]
pub enum Op {
    /// Several edits told in one go.
    Batch(Vec<Edit>),
    /// Everybody takes a step; the fractions spread the steps so that they differ.
    MoveAll(Vec2, f32),
    /// Built anew.
    Rebuild,
    /// The knob at this index, wrapped around, goes to this fraction of its range.
    Knob(u8, f64),
    /// A rectangle between two places.
    Range(Spot, Spot),
    Radius(Spot, f32),
    /// From where, how many, how far, and every how manieth unit is left out; 0 leaves nobody out.
    Nearest(Spot, usize, f32, u32),
    Segment(Spot, Spot, f32),
    Pairs(f32),
    /// Who comes into a figure.
    Within(Ask),
    /// Regions at a place, and facts on a made-up region.
    Look(Spot, f32, u32),
}

/// Everything that one case does.
#[derive(Clone, Debug)]
pub struct Script {
    pub field: Aabb,
    pub sized: bool,
    pub start: Vec<(Spot, Vec2)>,
    pub ops: Vec<Op>,
    /// What is asked after edits, one after each.
    pub asks: Vec<Ask>,
}

/// How wild the places of a script are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Mostly within the field.
    Field,
    /// Borders, corners, coincident and collinear units.
    Borders,
    /// Outside, and up to 1e8 m away.
    Outside,
}

fn spots(ground: Ground) -> BoxedStrategy<Spot> {
    let inside = (0.0_f32..1.0, 0.0_f32..1.0).prop_map(|(x, y)| Spot::Field(x, y));
    let around = (-0.6_f32..1.6, -0.6_f32..1.6).prop_map(|(x, y)| Spot::Field(x, y));
    let lattice = (-4_i8..30, -4_i8..30).prop_map(|(x, y)| Spot::Lattice(x, y));
    let beside = (-2_i8..28, -2_i8..28, -2_i8..3, -2_i8..3)
        .prop_map(|(x, y, dx, dy)| Spot::BesideLattice(x, y, dx, dy));
    let halving = (0_u8..17, 0_u8..17).prop_map(|(x, y)| Spot::Halving(x, y));
    let on_unit = any::<u16>().prop_map(Spot::OnUnit);
    let near_unit = (any::<u16>(), -3.0_f32..3.0, -3.0_f32..3.0)
        .prop_map(|(who, x, y)| Spot::NearUnit(who, x, y));
    let corner = any::<(bool, bool)>().prop_map(|(right, top)| Spot::Corner(right, top));
    let far = one_of![
        (-1.0e4_f32..1.0e4, -1.0e4_f32..1.0e4),
        (-1.0e7_f32..1.0e7, -1.0e7_f32..1.0e7),
        (-1.0e8_f32..1.0e8, -1.0e8_f32..1.0e8),
        (9.9e6_f32..1.0e7, -50.0_f32..150.0),
    ]
    .prop_map(|(x, y)| Spot::Far(x, y));
    match ground {
        Ground::Field => one_of![6 => inside, 1 => around, 1 => on_unit, 3 => near_unit].boxed(),
        Ground::Borders => one_of![
            3 => lattice, 2 => beside, 3 => halving, 2 => on_unit, 1 => near_unit, 1 => corner,
            2 => (0_u8..17).prop_map(|y| Spot::Halving(8, y)),
        ]
        .boxed(),
        Ground::Outside => {
            one_of![2 => around, 1 => lattice, 2 => on_unit, 2 => near_unit, 3 => far].boxed()
        }
    }
}

/// Half extents: mostly small, some nothing, some as large as the field.
fn half_extents(sized: bool) -> BoxedStrategy<Vec2> {
    if !sized {
        return Just(Vec2::ZERO).boxed();
    }
    let axis = || {
        one_of![
            1 => Just(0.0_f32),
            4 => 0.0_f32..3.0,
            1 => (0_u8..5).prop_map(f32::from),
            // The tail of a Pareto law: one in a few dozen bodies is as big as the field.
            2 => (0.004_f32..1.0).prop_map(|share| 0.4 / share),
        ]
    };
    (axis(), axis()).prop_map(|(x, y)| Vec2::new(x, y)).boxed()
}

fn reaches() -> impl Strategy<Value = f32> {
    one_of![
        2 => Just(0.0_f32),
        4 => 0.0_f32..6.0,
        2 => (0_u8..20).prop_map(f32::from),
        1 => 10.0_f32..200.0,
        1 => Just(1.0e9_f32),
    ]
}

fn edits(ground: Ground, sized: bool) -> BoxedStrategy<Edit> {
    let spot = || spots(ground);
    let size = || half_extents(sized);
    one_of![
        3 => (spot(), size()).prop_map(|(spot, size)| Edit::Add(spot, size)),
        4 => (any::<Who>(), spot()).prop_map(|(who, spot)| Edit::Move(who, spot)),
        2 => (any::<Who>(), -1.0_f32..1.0, -1.0_f32..1.0)
            .prop_map(|(who, x, y)| Edit::Move(who, Spot::NearUnit(who, x, y))),
        3 => any::<Who>().prop_map(Edit::Remove),
        1 => (any::<Who>(), spot(), size())
            .prop_map(|(who, spot, size)| Edit::Replace(who, spot, size)),
        1 => (any::<Who>(), size()).prop_map(|(who, size)| Edit::Resize(who, size)),
    ]
    .boxed()
}

/// Sectors of every width, polygons and paths that cross and touch themselves, and those without a content.
fn asks(ground: Ground) -> BoxedStrategy<Ask> {
    let direction = one_of![
        (-4_i16..5).prop_map(|it| f32::from(it) * 45.0),
        0.0_f32..360.0
    ];
    let angle = one_of![
        (1_i16..9).prop_map(|it| f32::from(it) * 45.0),
        0.1_f32..360.0,
        Just(1.0e-6_f32),
    ];
    let width = one_of![Just(0.0_f32), 0.0_f32..5.0, 0.0_f32..60.0];
    let corners = |fewest: usize| prop::collection::vec(spots(ground), fewest..6);
    one_of![
        3 => (spots(ground), direction, angle, reaches())
            .prop_map(|(spot, direction, angle, radius)| Ask::Sector(spot, direction, angle, radius)),
        3 => corners(3).prop_map(Ask::Polygon),
        1 => (spots(ground), spots(ground))
            .prop_map(|(a, b)| Ask::Polygon(vec![a.clone(), b.clone(), b, a])),
        3 => (width, corners(2)).prop_map(|(width, spots)| Ask::Path(width, spots)),
        2 => (any::<Who>(), reaches()).prop_map(|(who, reach)| Ask::Near(who, reach)),
    ]
    .boxed()
}

fn ops(ground: Ground, sized: bool) -> BoxedStrategy<Op> {
    let spot = || spots(ground);
    one_of![
        4 => edits(ground, sized).prop_map(|edit| Op::Batch(vec![edit])),
        3 => prop::collection::vec(edits(ground, sized), 2..10).prop_map(Op::Batch),
        2 => (-4.0_f32..4.0, -4.0_f32..4.0, 0.0_f32..2.0)
            .prop_map(|(x, y, spread)| Op::MoveAll(Vec2::new(x, y), spread)),
        1 => Just(Op::Rebuild),
        1 => (any::<u8>(), one_of![Just(0.0_f64), Just(1.0), 0.0..1.0])
            .prop_map(|(index, fraction)| Op::Knob(index, fraction)),
        2 => (spot(), spot()).prop_map(|(a, b)| Op::Range(a, b)),
        2 => (spot(), reaches()).prop_map(|(spot, radius)| Op::Radius(spot, radius)),
        2 => (
            spot(),
            one_of![Just(0_usize), Just(1), Just(3), Just(100)],
            one_of![Just(f32::INFINITY), reaches()],
            0_u32..4,
        )
            .prop_map(|(spot, count, within, skip)| Op::Nearest(spot, count, within, skip)),
        2 => (spot(), spot(), one_of![Just(0.0_f32), 0.0_f32..5.0])
            .prop_map(|(from, to, half_width)| Op::Segment(from, to, half_width)),
        1 => (spot(), one_of![Just(0.0_f32), 0.0_f32..5.0])
            .prop_map(|(spot, half_width)| Op::Segment(spot.clone(), spot, half_width)),
        4 => reaches().prop_map(Op::Pairs),
        4 => asks(ground).prop_map(Op::Within),
        1 => (spot(), one_of![Just(0.0_f32), 0.0_f32..50.0], any::<u32>())
            .prop_map(|(spot, min_size, region)| Op::Look(spot, min_size, region)),
    ]
    .boxed()
}

fn fields() -> impl Strategy<Value = Aabb> {
    let boxed =
        |x0: f32, y0: f32, x1: f32, y1: f32| Just(Aabb::new(Vec2::new(x0, y0), Vec2::new(x1, y1)));
    one_of![
        4 => boxed(0.0, 0.0, 100.0, 100.0),
        2 => boxed(-64.0, -64.0, 64.0, 64.0),
        1 => boxed(-90.0, -35.5, -10.25, 8.75),
        1 => boxed(0.0, 0.0, 400.0, 3.0),
        1 => boxed(1.0e6, -1.0e6, 1.0e6 + 128.0, -1.0e6 + 128.0),
    ]
}

/// Scripts on this ground with up to so many units at the start and so many steps.
pub fn scripts(
    ground: Ground,
    sized: bool,
    unit_count: usize,
    op_count: usize,
) -> impl Strategy<Value = Script> {
    (
        fields(),
        prop::collection::vec((spots(ground), half_extents(sized)), 0..=unit_count),
        prop::collection::vec(ops(ground, sized), 1..=op_count),
        prop::collection::vec(asks(ground), 1..4),
    )
        .prop_map(move |(field, start, ops, asks)| Script {
            field,
            sized,
            start,
            ops,
            asks,
        })
}
