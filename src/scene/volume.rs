//! What fills a scene of the third dimension, in the place of armies and a world.
//!
//! The ground is the scene's field, seen from above as any other; a [`Volume`] says how far the scene reaches upward, and
//! what flies in it. Up is z.

use super::{Side, Size, StructureChoice, are_alike};
use crate::volume::{Aabb3, Kind3, Vec3};

/// A structure of the third dimension and the knobs that differ from their defaults.
pub type StructureChoice3 = StructureChoice<Kind3>;

/// What a scene of the third dimension has in the place of armies.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Where the field begins and ends upward, in metres; the second is the greater one. Units may leave it.
    pub heights: (f32, f32),
    /// What rises from the ground; `None` where it is level.
    pub hills: Option<Hills>,
    /// How far units notice each other, from edge to edge, in metres; at least 0.
    pub reach: f32,
    /// The flocks, in the order in which their units are numbered.
    pub flocks: Vec<Flock>,
    /// The structure and its knobs.
    pub structure: StructureChoice3,
    /// The structures that follow the same units beside it, in order.
    pub lanes: Vec<StructureChoice3>,
    /// From where the window looks at first; `None` frames all of it.
    pub camera: Option<Orbit>,
}

impl Volume {
    /// Whether another volume is the same, whichever structures follow either of them, and through whichever camera both are looked at.
    pub(super) fn is_but_for_structures(&self, other: &Self) -> bool {
        let Self {
            heights,
            hills,
            reach,
            flocks,
            structure: _,
            lanes: _,
            camera: _,
        } = self;
        (heights, hills, reach) == (&other.heights, &other.hills, &other.reach)
            && flocks == &other.flocks
    }

    /// Whether both are followed by the same structures with the same values.
    pub(super) fn has_same_structures(&self, other: &Self) -> bool {
        self.structure.is_like(&other.structure) && are_alike(&self.lanes, &other.lanes)
    }
}

/// Hills on the ground: their places and heights are drawn from the scene's seed. Units fly over them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hills {
    /// How far the highest of them may rise over the lowest ground, in metres; greater than 0.
    pub height: f32,
    /// How far it is from one to the next, in metres; greater than 0.
    pub spacing: f32,
}

/// From where a volume is looked at: a place on a ball around its pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// The point in the middle of the view, in metres.
    pub pivot: Vec3,
    /// How far the eye is from it, in metres; greater than 0.
    pub distance: f32,
    /// The direction in which the eye looks, seen from above: 0 looks along y, 90 along x; in degrees.
    pub azimuth: f32,
    /// How far the eye is above the pivot: 0 looks levelly, 90 straight down; in degrees, from -90 to 90.
    pub elevation: f32,
}

/// A number of units in space that have everything but their place in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Flock {
    /// Whose they are.
    pub side: Side,
    /// How many; for [`Formation3::Explicit`] the number of positions.
    pub count: u32,
    /// Where they are at the start.
    pub formation: Formation3,
    /// How they move.
    pub motion: Motion,
    /// Top speed, in m/s; at least 0.
    pub speed: f32,
    /// How far they see an enemy, in metres; at least 0.
    pub sight: f32,
    /// Hit points at the start; at least 1.
    pub hit_points: u16,
    /// How large they are.
    pub size: Size<Vec3>,
    /// The numbers of the units that were erased, from 0, in ascending order and each below `count`.
    pub without: Vec<u32>,
    /// The units that are elsewhere at the start than the formation says, by ascending number, each below `count`. Empty where the
    /// formation is explicit.
    pub moved: Vec<(u32, Vec3)>,
    /// The units that are of another size than `size` says, by ascending number, each below `count`: half of the width, depth and height
    /// of each.
    pub sized: Vec<(u32, Vec3)>,
}

/// How the units of a flock move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Motion {
    /// They stay where they are.
    Hold,
    /// Straight ahead, each in a direction of its own, and back into the field where it ends.
    Drift,
    /// With those around them, and apart from whoever is too close.
    Flock,
    /// At the nearest enemy within sight, else as a flock.
    Chase,
    /// Away from the nearest enemy within sight, else as a flock.
    Flee,
    /// In circles around the upright axis through the middle of the field, all at the same speed: who is farther out takes
    /// longer.
    Orbit,
}

/// Where the units of a flock are at the start. All lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Formation3 {
    /// Evenly at random in a box.
    Uniform(Aabb3),
    /// Evenly at random in a ball.
    Ball {
        /// The middle.
        center: Vec3,
        /// The radius.
        radius: f32,
    },
    /// In a round disc that is thick in its middle and thin at its edge, denser towards the middle.
    Disc {
        /// The middle.
        center: Vec3,
        /// How far out the outermost are.
        radius: f32,
        /// How thick it is in the middle.
        thickness: f32,
    },
    /// In blobs with a normal spread, whose middles are at random in the box and whose sizes follow Zipf's law. What of a blob would lie
    /// beside the field and the box is folded back at the border.
    Clusters {
        /// Where the middles may be.
        area: Aabb3,
        /// How many blobs; at least 1.
        count: u32,
        /// The standard deviation of a blob.
        spread: f32,
    },
    /// All on one point.
    Spot(Vec3),
    /// Exactly here.
    Explicit(Vec<Vec3>),
}

impl Motion {
    /// All of them, in the order of panels.
    pub const ALL: [Self; 6] = [
        Self::Hold,
        Self::Drift,
        Self::Flock,
        Self::Chase,
        Self::Flee,
        Self::Orbit,
    ];

    /// The word for panels and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Drift => "drift",
            Self::Flock => "flock",
            Self::Chase => "chase",
            Self::Flee => "flee",
            Self::Orbit => "orbit",
        }
    }
}

impl Volume {
    /// A volume between two heights, with the defaults of the format: an octree, and units that notice each other at 8 m.
    pub const fn new(heights: (f32, f32), flocks: Vec<Flock>) -> Self {
        Self {
            heights,
            hills: None,
            reach: 8.0,
            flocks,
            structure: StructureChoice::new(Kind3::Octree),
            lanes: Vec::new(),
            camera: None,
        }
    }
}
