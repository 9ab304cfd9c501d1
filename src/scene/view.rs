//! How a scene is looked at: what of the program's own choices it makes itself, so that it shows at first sight what it is about.
//!
//! Invariant: nothing here changes what happens. Two scenes that differ in their views alone have the same battles and worlds.

/// How a scene is looked at when it is opened. What it leaves open is as the program and its user have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// What is shown of the scene; `None` for what suits it.
    pub show: Option<ViewKind>,
    /// Layers that are shown or hidden, each at most once and in the order of [`ViewLayer::ALL`].
    pub layers: Vec<(ViewLayer, bool)>,
    /// The boxes of the world that the scene is about, each at most once and in the order of [`ViewBox::ALL`]: they alone are drawn at
    /// first, to be seen before all else. `None` for those that the program draws, as it draws them.
    pub boxes: Option<Vec<ViewBox>>,
    /// What objects or units are called on the field.
    pub labels: Option<Labels>,
    /// One operation, as the command line writes it, that [`Operation::read`](crate::story::Operation::read) takes.
    pub query: Option<String>,
    /// Whose rule for a search is evaluated beside the right one, where the query is a rectangle.
    pub beside: Option<SourceRule>,
    /// Whether time stands still at first.
    pub paused: bool,
    /// How fast time passes, as a multiple of 60 ticks a second, from [`limits::PACE`]'s first to its last; `None` leaves it.
    ///
    /// [`limits::PACE`]: super::limits::PACE
    pub pace: Option<f32>,
    /// Whether the structure's tree is shown beside the battle.
    pub tree: bool,
    /// Whether the camera goes with the character of a world.
    pub follow: bool,
    /// What a volume is cut by: the axis across which the slice stands, 0 to 2, and its place on that, in metres.
    pub slice: Option<(usize, f32)>,
    /// The depths of which boxes of a volume are drawn, the first and the last of at most [`limits::DEEPEST_SHOWN`]; `None` for all.
    ///
    /// [`limits::DEEPEST_SHOWN`]: super::limits::DEEPEST_SHOWN
    pub depths: Option<(u16, u16)>,
    /// How wide the rectangle is for whose content the table of Compare asks every structure, in metres: above zero and at most
    /// [`COORDINATE_LIMIT`](crate::partition::COORDINATE_LIMIT). `None` is what suits the units.
    pub rectangle: Option<f32>,
    /// How high it is, within the same limits; `None` is as high as it is wide: a square, and in space a cube.
    pub rectangle_height: Option<f32>,
    /// With how many such rectangles it reckons a tick, at most [`limits::MAX_RECTANGLES`]: the code of a game may ask for some in each.
    /// `None` is with none.
    ///
    /// [`limits::MAX_RECTANGLES`]: super::limits::MAX_RECTANGLES
    pub rectangles_a_tick: Option<u32>,
    /// How many of the nearest it asks for, from 1 to [`limits::MAX_NEAREST`]; `None` is what it usually asks for.
    ///
    /// [`limits::MAX_NEAREST`]: super::limits::MAX_NEAREST
    pub nearest: Option<usize>,
    /// The radius of the brush, and of the query under the cursor, in metres, within [`limits::BRUSH_RADIUS`]. `None` is what suits the
    /// field.
    ///
    /// [`limits::BRUSH_RADIUS`]: super::limits::BRUSH_RADIUS
    pub brush_radius: Option<f32>,
    /// How wide the bodies are that the brush places, at the least and at the most, in metres, from 0 to [`limits::MAX_BRUSH_WIDTH`].
    /// `None` is as wide as those of the scene.
    ///
    /// [`limits::MAX_BRUSH_WIDTH`]: super::limits::MAX_BRUSH_WIDTH
    pub brush_width: Option<(f32, f32)>,
}

/// What can be shown of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// The armies under one structure.
    Battle,
    /// The armies under several structures, side by side; under one, where the scene has no lanes.
    Compare,
    /// The world around the character.
    Streaming,
    /// What fills a scene of the third dimension.
    Volume,
}

/// A layer of the picture that a scene can show or hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViewLayer {
    /// The units.
    Units,
    /// The regions of the structure.
    Nodes,
    /// How full the regions are.
    Load,
    /// The query under the cursor.
    Query,
    /// What the query tested in vain.
    Tests,
    /// The objects of the world.
    Objects,
    /// The rectangles of the object under the cursor.
    Rectangles,
    /// The way of the character.
    Path,
    /// The rectangles of all objects.
    AllRectangles,
    /// The unions of the load tree.
    Unions,
    /// The intersections of the unload tree.
    Intersections,
}

/// Boxes of the world that a scene can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViewBox {
    /// Within which each object is needed.
    Need,
    /// Within which each object is loaded.
    Load,
    /// Beyond which each object is unloaded.
    Unload,
    /// The unions of the load tree.
    Union,
    /// The intersections of the unload tree.
    Intersection,
}

/// What objects are called on the field, or units where there is no world.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// By their numbers, from 0 on.
    Numbers,
    /// By these names, in their order; whoever is left over has none.
    Names(Vec<String>),
}

/// A source whose own rule for a search is evaluated for the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceRule {
    /// What BasicQuadtree retrieves, see [`crate::sources::basic_quadtree`].
    BasicQuadtree,
}

impl View {
    /// Whether it leaves everything open.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

impl ViewKind {
    /// All of them, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Battle, Self::Compare, Self::Streaming, Self::Volume];

    /// What a scene calls it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Battle => "battle",
            Self::Compare => "compare",
            Self::Streaming => "streaming",
            Self::Volume => "volume",
        }
    }
}

impl ViewLayer {
    /// All of them, in the order of the switches.
    pub const ALL: [Self; 11] = [
        Self::Units,
        Self::Nodes,
        Self::Load,
        Self::Query,
        Self::Tests,
        Self::Objects,
        Self::Rectangles,
        Self::Path,
        Self::AllRectangles,
        Self::Unions,
        Self::Intersections,
    ];

    /// What a scene calls it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Units => "units",
            Self::Nodes => "nodes",
            Self::Load => "load",
            Self::Query => "query",
            Self::Tests => "tests",
            Self::Objects => "objects",
            Self::Rectangles => "rectangles",
            Self::Path => "path",
            Self::AllRectangles => "all-rectangles",
            Self::Unions => "unions",
            Self::Intersections => "intersections",
        }
    }
}

impl ViewLayer {
    /// Whether a scene with a volume has it.
    pub const fn is_of_space(self) -> bool {
        matches!(self, Self::Units | Self::Nodes | Self::Load | Self::Query)
    }
}

impl ViewBox {
    /// All of them, from the inside out, the trees' behind the objects'.
    pub const ALL: [Self; 5] = [
        Self::Need,
        Self::Load,
        Self::Unload,
        Self::Union,
        Self::Intersection,
    ];

    /// What a scene calls it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Need => "need",
            Self::Load => "load",
            Self::Unload => "unload",
            Self::Union => "union",
            Self::Intersection => "intersection",
        }
    }

    /// Whether each object has one of its own.
    pub const fn is_of_object(self) -> bool {
        matches!(self, Self::Need | Self::Load | Self::Unload)
    }
}

impl Labels {
    /// What the object or unit with this number is called.
    pub fn of(&self, number: usize) -> Option<String> {
        match self {
            Self::Numbers => Some(number.to_string()),
            Self::Names(names) => names.get(number).cloned(),
        }
    }

    /// What it is called where everybody is called something: whoever has no name goes by the number, with a sign before it where that is
    /// the name of another.
    pub fn called(&self, number: usize) -> String {
        let is_taken = |number: &String| match self {
            Self::Numbers => false,
            Self::Names(names) => names.contains(number),
        };
        self.of(number).unwrap_or_else(|| {
            let number = number.to_string();
            match is_taken(&number) {
                true => format!("#{number}"),
                false => number,
            }
        })
    }
}

impl SourceRule {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::BasicQuadtree];

    /// What a scene calls it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::BasicQuadtree => "basic-quadtree",
        }
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BasicQuadtree => "BasicQuadtree",
        }
    }
}
