//! The layers of the picture.

/// A layer of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// The units.
    Units,
    /// The regions of the structure.
    Nodes,
    /// How full the regions are.
    Load,
    /// The query under the cursor.
    Query,
    /// The units that the query tested in vain, and the pruned regions.
    Tests,
    /// The objects of the world.
    Objects,
    /// The need, load and unload rectangles of the object under the cursor or selected.
    Rectangles,
    /// The load and unload rectangles of all objects.
    AllRectangles,
    /// The boxes of the load tree that the last tick entered.
    Unions,
    /// The boxes of the unload tree that the last tick looked at.
    Intersections,
    /// The way of the character, gone and to come.
    Path,
}

impl Layer {
    /// The layers of the battle, in the order of the switches.
    pub const BATTLE: [Self; 5] = [
        Self::Units,
        Self::Nodes,
        Self::Load,
        Self::Query,
        Self::Tests,
    ];
    /// The layers of a volume.
    pub const VOLUME: [Self; 4] = [Self::Units, Self::Nodes, Self::Load, Self::Query];
    /// Those of them that mean something while an operation is looked into.
    pub const STEPS: [Self; 2] = [Self::Units, Self::Nodes];
    /// The layers of the streaming.
    pub const STREAMING: [Self; 6] = [
        Self::Objects,
        Self::Rectangles,
        Self::AllRectangles,
        Self::Unions,
        Self::Intersections,
        Self::Path,
    ];
    /// Those of them that mean something while a decision is looked into: the boxes of its trees are the steps.
    pub const STEPS_OF_WORLD: [Self; 2] = [Self::Objects, Self::Path];
    /// How many layers there are.
    pub const COUNT: usize = Self::BATTLE.len() + Self::STREAMING.len();

    /// The word on the switch.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Units => "Units",
            Self::Nodes => "Nodes",
            Self::Load => "Load",
            Self::Query => "Query",
            Self::Tests => "Tests",
            Self::Objects => "Objects",
            Self::Rectangles => "Rectangles",
            Self::AllRectangles => "All",
            Self::Unions => "Union A",
            Self::Intersections => "Intersection B",
            Self::Path => "Path",
        }
    }

    /// A shorter word, where there is no room for all of [`name`](Self::name): the letter by which a tree is called everywhere.
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::Unions => "A",
            Self::Intersections => "B",
            other => other.name(),
        }
    }
}
