//! The brush: in which shape and how spread it places units. The same numbers give the same places everywhere.

use super::beginning::BodySize;
use super::document::sunflower;
use crate::chance::{self, Stream};
use crate::geometry::Vec2;
use crate::scene::Size;
use serde::{Deserialize, Serialize};

/// How units are placed around a point, in a shape of the plane or of space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strewn<S = Shape> {
    /// What they fill.
    pub shape: S,
    /// How they are spread over it.
    pub spread: Spread,
    /// How far it reaches from its middle, in metres.
    pub radius: f32,
    /// How many they are.
    pub count: u32,
    /// What chance is drawn from, where the spread has any.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// How large they are; `None` for as the scene says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<BodySize>,
}

fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

/// What units fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// A disc.
    #[default]
    Disc,
    /// A square whose sides are two radii long.
    Square,
    /// A line from below to above, two radii long: a rank that faces the enemy.
    Line,
}

/// How units are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spread {
    /// As evenly as they can be.
    #[default]
    Even,
    /// Anywhere, as chance has it.
    Random,
    /// Dense in the middle: a normal spread of half the radius, cut off at the border.
    Normal,
    /// In rows and columns.
    Lattice,
}

impl Shape {
    /// All of them, in the order of the panel.
    pub const ALL: [Self; 3] = [Self::Disc, Self::Square, Self::Line];

    /// The word in the panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disc => "Disc",
            Self::Square => "Square",
            Self::Line => "Line",
        }
    }

    /// A sentence for the tooltip.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Disc => "Units fill a disc.",
            Self::Square => "Units fill a square.",
            Self::Line => "Units stand on a line from below to above.",
        }
    }

    /// Whether a point lies in it, where its middle is the origin and it reaches 1 far.
    fn contains(self, point: Vec2) -> bool {
        match self {
            Self::Disc => point.length_squared() <= 1.0,
            Self::Square | Self::Line => point.abs().max_element() <= 1.0,
        }
    }

    /// A point of the square around it as a point of the shape.
    fn flattened(self, point: Vec2) -> Vec2 {
        match self {
            Self::Disc | Self::Square => point,
            Self::Line => Vec2::new(0.0, point.y),
        }
    }
}

impl Spread {
    /// All of them, in the order of the panel.
    pub const ALL: [Self; 4] = [Self::Even, Self::Random, Self::Normal, Self::Lattice];

    /// The word in the panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Even => "Even",
            Self::Random => "Random",
            Self::Normal => "Normal",
            Self::Lattice => "Lattice",
        }
    }

    /// A sentence for the tooltip.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Even => "As evenly as they can be.",
            Self::Random => "Anywhere, as chance has it; every click another.",
            Self::Normal => "Dense in the middle: a normal spread of half the radius.",
            Self::Lattice => "In rows and columns.",
        }
    }
}

impl<S> Strewn<S> {
    /// How large each of so many is where that is not left to the scene, one after the other, as `of_half` makes it of half of its width
    /// and `deal` deals it. What is drawn goes by the seed of the scene and by its own.
    pub(super) fn sizes<V: Copy + Default>(
        &self,
        seed: u64,
        count: usize,
        of_half: impl Fn(f32) -> V,
        deal: impl FnOnce(Size<V>, usize, &mut Stream) -> Vec<V>,
    ) -> Option<Vec<V>> {
        /// Keeps these draws apart from those of places.
        const SIZES: u64 = 1;
        let size = self.size?;
        let mut chance = Stream::new(chance::hash(seed, SIZES, self.seed));
        let mut sizes = deal(size.size(of_half), count, &mut chance);
        // Points have none that could be dealt.
        sizes.resize(count, V::default());
        Some(sizes)
    }
}

impl Strewn {
    /// Where the units stand around a point, one after the other.
    pub fn places(&self, center: Vec2) -> Vec<Vec2> {
        let mut chance = Stream::new(self.seed);
        let is_in = |point: Vec2| self.shape.contains(point);
        let places: Vec<Vec2> = match (self.shape, self.spread) {
            _ if self.count == 1 => vec![Vec2::ZERO],
            (Shape::Disc, Spread::Even) => sunflower(Vec2::ZERO, 1.0, self.count),
            (Shape::Line, Spread::Even | Spread::Lattice) => {
                along(self.count).map(|y| Vec2::new(0.0, y)).collect()
            }
            (Shape::Square, Spread::Even) => even_square(self.count),
            (shape, Spread::Random | Spread::Normal) => {
                let mut any = drawing(self.spread, &mut chance);
                let draw = || shape.flattened(Vec2::new(any(), any()));
                drawn(self.count, draw, is_in)
            }
            (shape, Spread::Lattice) => lattice(self.count, shape),
        };
        let places = places.into_iter();
        places.map(|place| center + place * self.radius).collect()
    }
}

/// So many numbers from -1 to 1, at even distances.
pub(super) fn along(count: u32) -> impl Iterator<Item = f32> {
    let last = count.saturating_sub(1).max(1) as f32;
    (0..count).map(move |number| 2.0 * number as f32 / last - 1.0)
}

/// One coordinate after the other, as chance has it: from -1 to 1, or normally spread and dense around 0.
pub(super) fn drawing(spread: Spread, chance: &mut Stream) -> impl FnMut() -> f32 {
    move || match spread {
        Spread::Normal => chance.normal() as f32 * 0.5,
        _ => chance.between(-1.0, 1.0),
    }
}

/// So many points in a shape, drawn until they lie in it. The middle of it stands in for one that will not.
pub(super) fn drawn<V: Copy + Default>(
    count: u32,
    mut draw: impl FnMut() -> V,
    is_in: impl Fn(V) -> bool,
) -> Vec<V> {
    const TRIES: usize = 64;
    let mut one = || {
        let mut tries = (0..TRIES).map(|_| draw());
        tries.find(|point| is_in(*point)).unwrap_or_default()
    };
    (0..count).map(|_| one()).collect()
}

/// So many points that fill a square evenly: the additive sequence of the plastic number, whose beginnings of any length are even.
fn even_square(count: u32) -> Vec<Vec2> {
    const STEP: (f64, f64) = (0.754_877_666_246_692_8, 0.569_840_290_998_053_3);
    let at = |number: u32| {
        let along = |step: f64| ((0.5 + f64::from(number) * step).fract() * 2.0 - 1.0) as f32;
        Vec2::new(along(STEP.0), along(STEP.1))
    };
    (1..=count).map(at).collect()
}

/// The first so many points of a square lattice in a shape, row by row; as wide as is needed for as many to lie in it.
pub(super) fn lattice(count: u32, shape: Shape) -> Vec<Vec2> {
    // The first side is a little too small, and every next one has more.
    let whole = match shape {
        Shape::Disc => std::f64::consts::FRAC_PI_4,
        Shape::Square | Shape::Line => 1.0,
    };
    let side = (f64::from(count) / whole).sqrt().floor();
    first_of(count, side, |side| {
        let step = 2.0 / side as f32;
        let along = move |place: u32| (place as f32 + 0.5) * step - 1.0;
        let rows = (0..side).flat_map(move |y| (0..side).map(move |x| (along(x), along(y))));
        rows.map(Vec2::from).filter(move |at| shape.contains(*at))
    })
}

/// So many of the points that a lattice of a side has in a shape: of the first side, from this one on, that has enough.
pub(super) fn first_of<V, I: Iterator<Item = V>>(
    count: u32,
    side: f64,
    all: impl Fn(u32) -> I,
) -> Vec<V> {
    let mut side = side.max(1.0) as u32;
    while (all(side).count() as u32) < count {
        side += 1;
    }
    let found = all(side).count();
    // What is too much is left out at both ends alike.
    all(side)
        .skip((found - count as usize) / 2)
        .take(count as usize)
        .collect()
}
