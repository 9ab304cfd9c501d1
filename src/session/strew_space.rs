//! The brush in space: the shapes that units fill there. The same numbers give the same places everywhere.

use super::document::{sunflower, swarm};
use super::strew::{self, Spread, Strewn, along, drawing, drawn, first_of};
use crate::chance::Stream;
use crate::geometry::Vec2;
use crate::volume::Vec3;
use serde::{Deserialize, Serialize};

/// How units are placed around a point in space.
pub type Strewn3 = Strewn<Shape3>;

/// What units fill in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape3 {
    /// A ball.
    #[default]
    Ball,
    /// The skin of a ball.
    Shell,
    /// A cube whose sides are two radii long.
    Cube,
    /// A level disc.
    Disc,
    /// An upright line, two radii long.
    Line,
}

impl Shape3 {
    /// All of them, in the order of the panel.
    pub const ALL: [Self; 5] = [Self::Ball, Self::Shell, Self::Cube, Self::Disc, Self::Line];

    /// The word in the panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ball => "Ball",
            Self::Shell => "Shell",
            Self::Cube => "Cube",
            Self::Disc => "Disc",
            Self::Line => "Line",
        }
    }

    /// A sentence for the tooltip.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Ball => "Units fill a ball.",
            Self::Shell => "Units stand on the skin of a ball; Normal is dense at its top.",
            Self::Cube => "Units fill a cube.",
            Self::Disc => "Units fill a level disc.",
            Self::Line => "Units stand on an upright line.",
        }
    }

    /// Whether a point lies in it, where its middle is the origin and it reaches 1 far.
    fn contains(self, point: Vec3) -> bool {
        match self {
            Self::Ball | Self::Shell | Self::Disc => point.length_squared() <= 1.0,
            Self::Cube | Self::Line => point.abs().max_element() <= 1.0,
        }
    }

    /// A point of the cube around it as a point of what the shape is wide in.
    fn flattened(self, point: Vec3) -> Vec3 {
        match self {
            Self::Ball | Self::Shell | Self::Cube => point,
            Self::Disc => point.with_z(0.0),
            Self::Line => Vec3::new(0.0, 0.0, point.z),
        }
    }
}

impl Strewn3 {
    /// Where the units are around a point, one after the other.
    pub fn places(&self, center: Vec3) -> Vec<Vec3> {
        let places = match (self.shape, self.spread) {
            _ if self.count == 1 => vec![Vec3::ZERO],
            (Shape3::Ball, Spread::Even) => swarm(Vec3::ZERO, 1.0, self.count),
            (Shape3::Shell, Spread::Even) => even_shell(self.count),
            (Shape3::Cube, Spread::Even) => even_cube(self.count),
            (Shape3::Disc, Spread::Even) => level(sunflower(Vec2::ZERO, 1.0, self.count)),
            (Shape3::Line, Spread::Even | Spread::Lattice) => {
                let upright = along(self.count);
                upright.map(|z| Vec3::new(0.0, 0.0, z)).collect()
            }
            (_, Spread::Random | Spread::Normal) => self.by_chance(),
            (Shape3::Shell, Spread::Lattice) => rings(self.count),
            (Shape3::Disc, Spread::Lattice) => {
                level(strew::lattice(self.count, strew::Shape::Disc))
            }
            (shape @ (Shape3::Ball | Shape3::Cube), Spread::Lattice) => lattice(self.count, shape),
        };
        let places = places.into_iter();
        places.map(|place| center + place * self.radius).collect()
    }

    fn by_chance(&self) -> Vec<Vec3> {
        let mut chance = Stream::new(self.seed);
        let mut any = drawing(self.spread, &mut chance);
        let draw = || self.shape.flattened(Vec3::new(any(), any(), any()));
        let mut places = drawn(self.count, draw, |point| self.shape.contains(point));
        if self.shape == Shape3::Shell {
            let is_dense_above = self.spread == Spread::Normal;
            for place in &mut places {
                *place = if is_dense_above {
                    raised(*place)
                } else {
                    place.try_normalize().unwrap_or(Vec3::Z)
                };
            }
        }
        places
    }
}

/// The point of the upper skin of a ball over a point of the ball.
fn raised(point: Vec3) -> Vec3 {
    let across = point.truncate();
    across.extend((1.0 - across.length_squared()).max(0.0).sqrt())
}

/// Points of a plane as points of the level plane through the middle.
fn level(points: Vec<Vec2>) -> Vec<Vec3> {
    points.into_iter().map(|point| point.extend(0.0)).collect()
}

/// So many points that cover the skin of a ball evenly: a sunflower's turns from pole to pole.
fn even_shell(count: u32) -> Vec<Vec3> {
    /// The golden angle, in radians.
    const TURN: f32 = 2.399_963_2;
    let at = |index: u32| {
        let height = 1.0 - 2.0 * (index as f32 + 0.5) / count as f32;
        let around = Vec2::from_angle(index as f32 * TURN) * (1.0 - height * height).sqrt();
        around.extend(height)
    };
    (0..count).map(at).collect()
}

/// So many points that fill a cube evenly: the additive sequence of the root of x⁴ = x + 1, whose beginnings of any length are
/// even.
fn even_cube(count: u32) -> Vec<Vec3> {
    const STEP: [f64; 3] = [
        0.819_172_513_396_164_4,
        0.671_043_606_703_789_3,
        0.549_700_477_901_970_3,
    ];
    let at = |number: u32| {
        let [x, y, z] =
            STEP.map(|step| ((0.5 + f64::from(number) * step).fract() * 2.0 - 1.0) as f32);
        Vec3::new(x, y, z)
    };
    (1..=count).map(at).collect()
}

/// So many points on circles of latitude of a ball's skin, as far apart along them as they are from each other.
fn rings(count: u32) -> Vec<Vec3> {
    use std::f64::consts::PI;
    let rows = ((f64::from(count) * PI).sqrt() / 2.0).round().max(1.0) as u32;
    let angle = |row: f64| PI * row / f64::from(rows);
    // The skin above a latitude is to the whole as those above it are to all.
    let above = |row: u32| {
        let part = (1.0 - angle(f64::from(row)).cos()) / 2.0;
        (part * f64::from(count)).round() as u32
    };
    let ring = |row: u32| {
        let (first, last) = (above(row), above(row + 1));
        let (sine, cosine) = angle(f64::from(row) + 0.5).sin_cos();
        let of = last.saturating_sub(first);
        (0..of).map(move |number| {
            let around = 2.0 * PI * (f64::from(number) + 0.5) / f64::from(of);
            let (y, x) = around.sin_cos();
            Vec3::new((x * sine) as f32, (y * sine) as f32, cosine as f32)
        })
    };
    (0..rows).flat_map(ring).collect()
}

/// The first so many points of a cubic lattice in a shape, floor by floor; as wide as is needed for as many to lie in it.
fn lattice(count: u32, shape: Shape3) -> Vec<Vec3> {
    // The first side is a little too small, and every next one has more.
    let whole = match shape {
        Shape3::Ball => std::f64::consts::FRAC_PI_6,
        _ => 1.0,
    };
    let side = (f64::from(count) / whole).cbrt().floor();
    first_of(count, side, |side| {
        let step = 2.0 / side as f32;
        let along = move |place: u32| (place as f32 + 0.5) * step - 1.0;
        let floors = (0..side).flat_map(move |z| (0..side).map(move |y| (y, z)));
        let all = floors.flat_map(move |(y, z)| (0..side).map(move |x| (x, y, z)));
        all.map(move |(x, y, z)| Vec3::new(along(x), along(y), along(z)))
            .filter(move |at| shape.contains(*at))
    })
}
