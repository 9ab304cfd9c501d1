//! Structures of the plane and of space alike: what panels, reports and the timeline say of a structure, whichever of the two
//! registries it is in.
//!
//! Invariant: nothing here asks a structure anything about units. What knows a dimension is with [`partition`](crate::partition)
//! and [`volume`](crate::volume).

use crate::partition::{AnyPartition, Info, Kind};
use crate::volume::{AnyPartition3, Kind3};

/// A row of either registry.
pub trait AnyKind: Copy + PartialEq + Into<StructureKind> + 'static {
    /// Every structure of its registry, in the order of panels, keys and reports.
    const ALL: &'static [Self];

    /// What is known of the structure before it is built.
    fn info(self) -> &'static Info;

    /// Whether it tests each pair of units, whatever they are.
    fn tests_every_pair(self) -> bool;
}

/// An index of either dimension, as far as that knows no dimension.
pub trait AnyIndex: Clone + Send + Sync + 'static {
    /// The rows of its registry.
    type Kind: AnyKind;

    /// Which structure it is.
    fn kind(&self) -> Self::Kind;

    /// The value of a knob.
    fn knob(&self, index: usize) -> f64;

    /// The value with which a knob is reckoned.
    fn knob_in_effect(&self, index: usize) -> f64;

    /// The bytes that it takes on the heap.
    fn byte_count(&self) -> usize;
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

    /// Every structure that does the same work in the same dimension.
    pub fn siblings(self) -> Vec<Self> {
        match self {
            Self::Plane(_) => Kind::ALL.iter().map(|kind| Self::Plane(*kind)).collect(),
            Self::Space(_) => Kind3::ALL.iter().map(|kind| Self::Space(*kind)).collect(),
        }
    }
}

macro_rules! of_a_dimension {
    ($kind:ty, $index:ty, $row:ident) => {
        impl From<$kind> for StructureKind {
            fn from(kind: $kind) -> Self {
                Self::$row(kind)
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
        }

        impl AnyIndex for $index {
            type Kind = $kind;

            fn kind(&self) -> $kind {
                <$index>::kind(self)
            }

            fn knob(&self, index: usize) -> f64 {
                <$index>::knob(self, index)
            }

            fn knob_in_effect(&self, index: usize) -> f64 {
                <$index>::knob_in_effect(self, index)
            }

            fn byte_count(&self) -> usize {
                <$index>::byte_count(self)
            }
        }
    };
}

of_a_dimension!(Kind, AnyPartition, Plane);
of_a_dimension!(Kind3, AnyPartition3, Space);
