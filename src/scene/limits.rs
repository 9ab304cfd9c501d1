//! Every limit of a scene, in one place. Reading checks each of them before it takes the memory that would follow.

/// The only version of the format that there is.
pub const VERSION: u32 = 1;

/// How long a scene file may be, in bytes: two million explicit positions written out take about two thirds of it.
pub const MAX_FILE_BYTES: u64 = 128 << 20;

/// How deep brackets may be nested. The format itself needs nine levels.
pub const MAX_NESTING: usize = 64;

/// How many units all armies, or all flocks, may have together.
pub const MAX_UNITS: u32 = 2_000_000;

/// How many objects a world may have.
pub const MAX_OBJECTS: u32 = 2_000_000;

/// How many armies, or flocks, a scene may have.
pub const MAX_ARMIES: usize = 1_000;

/// How many hills may stand along the longer side of a field: more than this are smaller than any picture of them shows.
pub const MAX_HILLS_ALONG: f32 = 1_000.0;

/// How far a camera may be turned either way, in degrees: once around.
pub const MAX_AZIMUTH: f32 = 360.0;

/// How far a camera may look up or down, in degrees: then it looks along the upright axis.
pub const MAX_ELEVATION: f32 = 90.0;

/// How many paths a character may have.
pub const MAX_PATHS: usize = 1_000;

/// How many points a path may have.
pub const MAX_PATH_POINTS: usize = 100_000;

/// How fast a recorded path may say that the character was along either axis, in m/s. From end to end of all coordinates in one
/// step is an eighth of this, so that no hand, however it leads the character, makes a path that cannot be saved.
pub const MAX_RECORDED_SPEED: f32 = 1.0e12;

/// How many pictures one group of objects may choose from.
pub const MAX_GROUP_ASSETS: usize = 1_000;

/// How many bytes one object may be said to take, and how long a picture may be that is read for it.
pub const MAX_OBJECT_BYTES: u64 = 64 << 20;

/// The most that a budget may allow, of whatever it counts.
pub const MAX_BUDGET: u64 = 1 << 50;

/// How many structures may follow one battle side by side, the first one included.
pub const MAX_LANES: usize = 4;

/// With more units than this no structure that tests every pair follows a battle beside another one: a tick would take minutes.
pub const MAX_EVERY_PAIR_UNITS: u64 = 100_000;

/// How many knobs a scene may set; no structure has nearly as many.
pub const MAX_KNOBS: usize = 100;

/// How long a name may be, in characters.
pub const MAX_NAME_CHARS: usize = 100;

/// How long a caption may be, in characters.
pub const MAX_CAPTION_CHARS: usize = 1_000;

/// How many names a scene may give to what is on its field; more than this are not read.
pub const MAX_LABELS: usize = 200;

/// How long such a name may be, in characters.
pub const MAX_LABEL_CHARS: usize = 20;

/// How long the operation of a view may be, in characters; none that means anything is nearly as long.
pub const MAX_QUERY_CHARS: usize = 200;

/// How long the path of a picture may be, in characters.
pub const MAX_ASSET_CHARS: usize = 250;

/// How fast units and characters may be, in m/s. Beyond this a step of a sixtieth of a second crosses kilometres.
pub const MAX_SPEED: f32 = 100_000.0;

/// By how much every reach of a scene may be multiplied.
pub const MAX_REACH_SCALE: f32 = 100.0;

/// How far apart units may be told to keep, in metres.
pub const MAX_KEEP_APART: f32 = 100.0;

/// How many times its half extent of its edge an object may be needed.
pub const MAX_NEED_FACTOR: f32 = 1_000_000.0;

/// How far ahead a world may look along the character's way, in seconds.
pub const MAX_PREDICT_SECONDS: f32 = 3_600.0;

/// The most that a simulated disk may read in a second, in megabytes, and wait before a file, in milliseconds. More than
/// this is no limit that could be noticed, and no wait that anybody would sit out.
pub const MAX_DISK_RATE: f32 = 1_000_000.0;

/// How long a character may stay at a place of a path, in seconds.
pub const MAX_STAY: f32 = 3_600.0;

/// How many standard deviations of a cluster have to stay within [`COORDINATE_LIMIT`](crate::partition::COORDINATE_LIMIT): no generator strays farther.
pub const CLUSTER_DEVIATIONS: f32 = 10.0;

/// How many may be asked for who are nearest. Those are kept in order while others are looked at, which costs as much as the square of
/// their number: among a million units the nearest 4,096 take two milliseconds, and all of them half a minute.
pub const MAX_NEAREST: usize = 4096;

/// With how many rectangles a tick may be reckoned besides what it asks.
pub const MAX_RECTANGLES: u32 = 1_000_000;

/// How fast time may pass, as a multiple of 60 ticks a second: the slowest and the fastest.
pub const PACE: (f32, f32) = (1.0 / 16.0, 16.0);

/// The last depth of a volume's boxes that can be told from others: it stands for all below it.
pub const DEEPEST_SHOWN: u16 = 12;

/// How wide the brush can be, which is also how far the query under the cursor reaches: the least and the greatest radius, in metres.
pub const BRUSH_RADIUS: (f32, f32) = (0.5, 500.0);

/// How wide the bodies can be that it places, in metres.
pub const MAX_BRUSH_WIDTH: f32 = 1_000.0;
