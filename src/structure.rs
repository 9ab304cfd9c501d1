//! Structures of the plane and of space alike: what panels, reports and the timeline say of a structure, whichever of the two
//! registries it is in.
//!
//! Invariant: nothing here asks a structure anything about units. What knows a dimension is with [`partition`](crate::partition)
//! and [`volume`](crate::volume).

use crate::partition::{Info, Kind};
use crate::volume::Kind3;

/// A row of either registry.
pub trait AnyKind: Copy + PartialEq + Into<StructureKind> + Send + Sync + 'static {
    /// Every structure of its registry, in the order of panels, keys and reports.
    const ALL: &'static [Self];

    /// What is known of the structure before it is built.
    fn info(self) -> &'static Info;

    /// Whether it tests each pair of units, whatever they are.
    fn tests_every_pair(self) -> bool;

    /// The structure with this key, if it is in the same registry.
    fn from_key(key: &str) -> Option<Self>;

    /// The same structure as a row of this registry, if it is in it.
    fn from_either(kind: StructureKind) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|it| (*it).into() == kind)
    }
}

/// A structure of either registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StructureKind {
    /// On a plane.
    Plane(Kind),
    /// In space.
    Space(Kind3),
}

impl StructureKind {
    /// What is known of the structure before it is built.
    pub const fn info(self) -> &'static Info {
        match self {
            Self::Plane(kind) => kind.info(),
            Self::Space(kind) => kind.info(),
        }
    }

    /// Whether it tests each pair of units, whatever they are.
    pub const fn tests_every_pair(self) -> bool {
        match self {
            Self::Plane(kind) => kind.tests_every_pair(),
            Self::Space(kind) => kind.tests_every_pair(),
        }
    }

    /// Whether it is one of space rather than of a plane.
    pub const fn is_of_space(self) -> bool {
        matches!(self, Self::Space(_))
    }

    /// Every structure that does the same work in the same dimension.
    pub fn siblings(self) -> Vec<Self> {
        match self {
            Self::Plane(_) => Kind::ALL.iter().map(|kind| Self::Plane(*kind)).collect(),
            Self::Space(_) => Kind3::ALL.iter().map(|kind| Self::Space(*kind)).collect(),
        }
    }
}

impl AnyKind for StructureKind {
    const ALL: &'static [Self] = &{
        const PLANE: usize = Kind::ALL.len();
        let mut all = [Self::Plane(Kind::ALL[0]); PLANE + Kind3::ALL.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = if place < PLANE {
                Self::Plane(Kind::ALL[place])
            } else {
                Self::Space(Kind3::ALL[place - PLANE])
            };
            place += 1;
        }
        all
    };

    fn info(self) -> &'static Info {
        self.info()
    }

    fn tests_every_pair(self) -> bool {
        self.tests_every_pair()
    }

    fn from_key(key: &str) -> Option<Self> {
        let plane = Kind::from_key(key).map(Self::Plane);
        plane.or_else(|| Kind3::from_key(key).map(Self::Space))
    }
}

macro_rules! of_a_dimension {
    ($kind:ty, $row:ident) => {
        impl From<$kind> for StructureKind {
            fn from(kind: $kind) -> Self {
                Self::$row(kind)
            }
        }

        impl PartialEq<$kind> for StructureKind {
            fn eq(&self, other: &$kind) -> bool {
                *self == Self::from(*other)
            }
        }

        impl AnyKind for $kind {
            const ALL: &'static [Self] = <$kind>::ALL;

            fn info(self) -> &'static Info {
                <$kind>::info(self)
            }

            fn tests_every_pair(self) -> bool {
                <$kind>::tests_every_pair(self)
            }

            fn from_key(key: &str) -> Option<Self> {
                <$kind>::from_key(key)
            }
        }
    };
}

of_a_dimension!(Kind, Plane);
of_a_dimension!(Kind3, Space);
