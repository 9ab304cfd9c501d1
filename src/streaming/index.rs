//! By which structure it is decided what to load and what to unload.

use crate::scene::WorldIndex;

/// By which structure it is decided what to load and what to unload. All of them decide the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Index {
    /// A load tree over what is not wanted and an unload tree over what is. An object that comes or goes moves from one to
    /// the other.
    #[default]
    TwoTrees,
    /// One tree over all objects, with a union and an intersection in each node. An object that comes or goes swaps one
    /// rectangle for the other.
    Dual,
    /// The load tree of [`Index::TwoTrees`], and an unload tree over **all** objects, wanted or not: what QuadTreeB is when it is
    /// taken at its word. Objects far from each other have no spot in common, so nearly every intersection is empty, and
    /// the search goes almost everywhere. Here to be seen, not to be used.
    WholeUnloadTree,
    /// No tree: every object is looked at.
    BruteForce,
}

impl Index {
    /// All of them, the default first.
    pub const ALL: [Self; 4] = [
        Self::TwoTrees,
        Self::Dual,
        Self::WholeUnloadTree,
        Self::BruteForce,
    ];

    /// What the command line calls it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::TwoTrees => "two-trees",
            Self::Dual => "dual",
            Self::WholeUnloadTree => "whole-unload-tree",
            Self::BruteForce => "brute-force",
        }
    }

    /// The name for a panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TwoTrees => "Load tree and unload tree",
            Self::Dual => "Dual tree",
            Self::WholeUnloadTree => "Unload tree over all objects",
            Self::BruteForce => "Brute force",
        }
    }

    /// The one with this [`Index::key`].
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|index| index.key() == key)
    }
}

impl From<WorldIndex> for Index {
    fn from(index: WorldIndex) -> Self {
        match index {
            WorldIndex::TwoTrees => Self::TwoTrees,
            WorldIndex::Dual => Self::Dual,
            WorldIndex::WholeUnloadTree => Self::WholeUnloadTree,
            WorldIndex::BruteForce => Self::BruteForce,
        }
    }
}

impl From<Index> for WorldIndex {
    fn from(index: Index) -> Self {
        match index {
            Index::TwoTrees => Self::TwoTrees,
            Index::Dual => Self::Dual,
            Index::WholeUnloadTree => Self::WholeUnloadTree,
            Index::BruteForce => Self::BruteForce,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_index_has_a_name_and_a_key_of_its_own() {
        for (place, index) in Index::ALL.into_iter().enumerate() {
            for other in &Index::ALL[..place] {
                assert_ne!(index.name(), other.name());
                assert_ne!(index.key(), other.key());
            }
        }
    }
}
