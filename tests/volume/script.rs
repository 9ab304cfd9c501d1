//! Scripts: what happens to a world, as data that proptest makes up and shrinks.
//!
//! A script names units and places relative to the world that it meets ("the third unit alive", "on the border of a
//! cell"), so that any part of it can be left out and the rest still makes sense.

use super::world::World;
use proptest::prelude::*;
use skirmish::partition::{Change, UnitId};
use skirmish::volume::{Aabb3, Vec3};

/// A place in or around the field.
#[derive(Clone, Debug)]
pub enum Spot {
    /// At this fraction of the field's sides; beyond 0 to 1 it lies outside.
    Field(Vec3),
    /// On a multiple of 4 m, where cells of many sizes have their borders.
    Lattice([i8; 3]),
    /// On a plane that halves the field again and again, where trees cut: numerators over 16.
    Halving([u8; 3]),
    /// A few representable numbers beside a multiple of 4 m.
    BesideLattice([i8; 3], [i8; 3]),
    /// Exactly where another unit is.
    OnUnit(u16),
    /// This far from another unit, in metres.
    NearUnit(u16, Vec3),
    /// On a corner of the field.
    Corner([bool; 3]),
    /// Anywhere, in metres: far outside.
    Far(Vec3),
}

impl Spot {
    pub fn resolve(&self, world: &World, field: Aabb3) -> Vec3 {
        let of_unit = |who: u16| {
            if world.centers.is_empty() {
                field.center()
            } else {
                world.centers[who as usize % world.centers.len()]
            }
        };
        let lattice = |at: [i8; 3]| Vec3::from(at.map(f32::from)) * 4.0;
        match *self {
            Self::Field(at) => field.min + field.size() * at,
            Self::Lattice(at) => lattice(at),
            Self::Halving(at) => field.min + field.size() * (Vec3::from(at.map(f32::from)) / 16.0),
            Self::BesideLattice(at, steps) => {
                let at = lattice(at);
                Vec3::from([0, 1, 2].map(|axis| stepped(at[axis], steps[axis])))
            }
            Self::OnUnit(who) => of_unit(who),
            Self::NearUnit(who, by) => of_unit(who) + by,
            Self::Corner(is_upper) => Vec3::from([0, 1, 2].map(|axis| {
                let corner = if is_upper[axis] { field.max } else { field.min };
                corner[axis]
            })),
            Self::Far(at) => at,
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
    Add(Spot, Vec3),
    Move(Who, Spot),
    Remove(Who),
    Replace(Who, Spot, Vec3),
    Resize(Who, Vec3),
}

impl Edit {
    /// Does it to the world and writes down what a structure has to be told.
    pub fn perform(&self, world: &mut World, field: Aabb3, changes: &mut Vec<Change>) {
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

/// One step of a script.
#[derive(Clone, Debug)]
pub enum Op {
    /// Several edits told in one go.
    Batch(Vec<Edit>),
    /// Everybody takes a step; the fractions spread the steps so that they differ.
    MoveAll(Vec3, f32),
    /// Built anew.
    Rebuild,
    /// The knob at this index, wrapped around, goes to this fraction of its range.
    Knob(u8, f64),
    /// A box between two places.
    Range(Spot, Spot),
    Sphere(Spot, f32),
    /// From where, how many, how far, and every how manieth unit is left out; 0 leaves nobody out.
    Nearest(Spot, usize, f32, u32),
    Segment(Spot, Spot, f32),
    Pairs(f32),
    /// Regions at a place, and facts on a made-up region.
    Look(Spot, f32, u32),
}

/// Everything that one case does.
#[derive(Clone, Debug)]
pub struct Script {
    pub field: Aabb3,
    pub sized: bool,
    pub start: Vec<(Spot, Vec3)>,
    /// Knob → the fraction of its range at which it starts; the default where there is none.
    pub knobs: Vec<Option<f64>>,
    pub ops: Vec<Op>,
    /// How far apart pairs are asked for after edits.
    pub reach: f32,
}

/// How wild the places of a script are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Mostly within the field.
    Field,
    /// Borders, corners; coincident, collinear and coplanar units.
    Borders,
    /// Outside, and up to 1e8 m away.
    Outside,
}

/// Three numbers of a kind.
fn triple<S: Strategy<Value = f32> + Clone>(axis: S) -> impl Strategy<Value = Vec3> {
    (axis.clone(), axis.clone(), axis).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn spots(ground: Ground) -> BoxedStrategy<Spot> {
    let inside = triple(0.0_f32..1.0).prop_map(Spot::Field);
    let around = triple(-0.6_f32..1.6).prop_map(Spot::Field);
    let lattice = prop::array::uniform3(-4_i8..30).prop_map(Spot::Lattice);
    let beside = (
        prop::array::uniform3(-2_i8..28),
        prop::array::uniform3(-2_i8..3),
    )
        .prop_map(|(at, steps)| Spot::BesideLattice(at, steps));
    let halving = prop::array::uniform3(0_u8..17).prop_map(Spot::Halving);
    let on_unit = any::<u16>().prop_map(Spot::OnUnit);
    let near_unit =
        (any::<u16>(), triple(-3.0_f32..3.0)).prop_map(|(who, by)| Spot::NearUnit(who, by));
    let corner = any::<[bool; 3]>().prop_map(Spot::Corner);
    let far = one_of![
        triple(-1.0e4_f32..1.0e4),
        triple(-1.0e7_f32..1.0e7),
        triple(-1.0e8_f32..1.0e8),
        (9.9e6_f32..1.0e7, -50.0_f32..150.0, -50.0_f32..150.0)
            .prop_map(|(x, y, z)| Vec3::new(x, y, z)),
    ]
    .prop_map(Spot::Far);
    match ground {
        Ground::Field => one_of![6 => inside, 1 => around, 1 => on_unit, 3 => near_unit].boxed(),
        Ground::Borders => one_of![
            3 => lattice, 2 => beside, 3 => halving, 2 => on_unit, 1 => near_unit, 1 => corner,
            // On one plane, and on one line.
            2 => (0_u8..17, 0_u8..17).prop_map(|(y, z)| Spot::Halving([8, y, z])),
            2 => (0_u8..17).prop_map(|z| Spot::Halving([8, 4, z])),
        ]
        .boxed(),
        Ground::Outside => {
            one_of![2 => around, 1 => lattice, 2 => on_unit, 2 => near_unit, 3 => far].boxed()
        }
    }
}

/// Half extents: mostly small, some nothing, some as large as the field.
fn half_extents(sized: bool) -> BoxedStrategy<Vec3> {
    if !sized {
        return Just(Vec3::ZERO).boxed();
    }
    let axis = one_of![
        1 => Just(0.0_f32),
        4 => 0.0_f32..3.0,
        1 => (0_u8..5).prop_map(f32::from),
        // The tail of a Pareto law: one in a few dozen bodies is as big as the field.
        2 => (0.004_f32..1.0).prop_map(|share| 0.4 / share),
    ];
    triple(axis).boxed()
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
        2 => (any::<Who>(), triple(-1.0_f32..1.0))
            .prop_map(|(who, by)| Edit::Move(who, Spot::NearUnit(who, by))),
        3 => any::<Who>().prop_map(Edit::Remove),
        1 => (any::<Who>(), spot(), size())
            .prop_map(|(who, spot, size)| Edit::Replace(who, spot, size)),
        1 => (any::<Who>(), size()).prop_map(|(who, size)| Edit::Resize(who, size)),
    ]
    .boxed()
}

/// Where in the range of a knob.
fn fractions() -> impl Strategy<Value = f64> {
    one_of![2 => Just(0.0_f64), 1 => Just(1.0), 2 => 0.0..0.2, 1 => 0.2..1.0]
}

fn ops(ground: Ground, sized: bool) -> BoxedStrategy<Op> {
    let spot = || spots(ground);
    one_of![
        4 => edits(ground, sized).prop_map(|edit| Op::Batch(vec![edit])),
        3 => prop::collection::vec(edits(ground, sized), 2..10).prop_map(Op::Batch),
        2 => (triple(-4.0_f32..4.0), 0.0_f32..2.0)
            .prop_map(|(by, spread)| Op::MoveAll(by, spread)),
        1 => Just(Op::Rebuild),
        1 => (any::<u8>(), fractions())
            .prop_map(|(index, fraction)| Op::Knob(index, fraction)),
        2 => (spot(), spot()).prop_map(|(a, b)| Op::Range(a, b)),
        2 => (spot(), reaches()).prop_map(|(spot, radius)| Op::Sphere(spot, radius)),
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
        1 => (spot(), one_of![Just(0.0_f32), 0.0_f32..50.0], any::<u32>())
            .prop_map(|(spot, min_size, region)| Op::Look(spot, min_size, region)),
    ]
    .boxed()
}

fn fields() -> impl Strategy<Value = Aabb3> {
    let boxed = |low: [f32; 3], high: [f32; 3]| Just(Aabb3::new(low.into(), high.into()));
    one_of![
        4 => boxed([0.0; 3], [100.0; 3]),
        2 => boxed([-64.0; 3], [64.0; 3]),
        1 => boxed([-90.0, -35.5, -7.0], [-10.25, 8.75, 3.0]),
        1 => boxed([0.0; 3], [400.0, 3.0, 50.0]),
        1 => boxed([5.0; 3], [5.0, 70.0, 5.0]),
        1 => boxed([1.0e6, -1.0e6, 0.0], [1.0e6 + 128.0, -1.0e6 + 128.0, 128.0]),
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
        prop::collection::vec(prop::option::of(fractions()), 4),
        prop::collection::vec(ops(ground, sized), 1..=op_count),
        reaches(),
    )
        .prop_map(move |(field, start, knobs, ops, reach)| Script {
            field,
            sized,
            start,
            knobs,
            ops,
            reach,
        })
}
