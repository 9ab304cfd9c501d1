//! A scene as it is written: with those in `volume`, the only types of this project that serde knows.
//!
//! Values here are as the text has them, whether or not they make sense; `convert` checks them. What a scene may leave
//! out is an [`Option`] or an empty list.
//!
//! Invariant: reading takes no more memory than a small multiple of the text, because every list stops at its limit.

use super::memory;
use crate::scene::{ViewBox, ViewLayer, limits};
use serde::de::{self, MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

pub(super) mod volume;

/// A point or a size: `(x, y)` in metres.
pub(super) type Point = (f32, f32);

/// A box: its lower and its upper corner.
pub(super) type Corners = (Point, Point);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scene {
    pub version: Whole,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caption: String,
    pub field: Corners,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach_scale: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_apart: Option<f32>,
    pub structure: Structure,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub lanes: List<Structure, { limits::MAX_LANES - 1 }>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub armies: List<Army, { limits::MAX_ARMIES }>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<Character>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<World>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<volume::Volume>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Structure {
    pub kind: String,
    #[serde(default, skip_serializing_if = "Knobs::is_empty")]
    pub knobs: Knobs,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Camera {
    pub center: Point,
    pub height: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct View {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<String>,
    #[serde(default, skip_serializing_if = "Switches::is_empty")]
    pub layers: Switches,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxes: Option<List<String, { ViewBox::ALL.len() }>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Labels>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<(String, f32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depths: Option<(Whole, Whole)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rectangle: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rectangle_height: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rectangles_a_tick: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brush_radius: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brush_width: Option<(f32, f32)>,
}

#[derive(Serialize, Deserialize)]
pub(super) enum Labels {
    Numbers,
    Names(List<String, { limits::MAX_LABELS }>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Army {
    pub side: Side,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Whole>,
    pub formation: Formation,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit_points: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub without: List<Whole, { limits::MAX_UNITS as usize }>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub moved: List<(Whole, Point), { limits::MAX_UNITS as usize }>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub sized: List<(Whole, Point), { limits::MAX_UNITS as usize }>,
}

/// Units without a scene, as a clipboard has them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Units {
    pub version: Whole,
    pub units: List<Army, { limits::MAX_ARMIES }>,
}

#[derive(Serialize, Deserialize)]
pub(super) enum Side {
    Blue,
    Orange,
}

#[derive(Serialize, Deserialize)]
pub(super) enum Order {
    Hold,
    Charge,
    Brawl,
    March(f32, f32),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Formation {
    Uniform(Point, Point),
    Ranks(Point, Point),
    Ring {
        center: Point,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inner: Option<f32>,
        outer: f32,
    },
    Clusters {
        area: Corners,
        count: Whole,
        spread: f32,
    },
    Line(Point, Point),
    Spot(f32, f32),
    Cross(Point, Point),
    Explicit(List<Point, { limits::MAX_UNITS as usize }>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Size {
    Point,
    Fixed(f32, f32),
    Between(f32, f32),
    Pareto { min: f32, max: f32, exponent: f32 },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Character {
    pub position: Point,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f32>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub paths: List<Path, { limits::MAX_PATHS }>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Path {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PathKind>,
    pub points: List<Point, { limits::MAX_PATH_POINTS }>,
    /// In m/s along each axis.
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub velocities: List<Point, { limits::MAX_PATH_POINTS }>,
}

#[derive(Serialize, Deserialize)]
pub(super) enum PathKind {
    Walk,
    Jump(f32),
    Recorded,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct World {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need_factor: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need_min: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need_max: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predict_seconds: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<Disk>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budgets: Option<Budgets>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub objects: List<Objects, { limits::MAX_OBJECTS as usize }>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Disk {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mbps: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<f32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Budgets {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_in_flight: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_in_flight: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uploads_per_update: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload_bytes_per_update: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unloads_per_update: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_cap: Option<Whole>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Objects {
    /// Centre, half extent, picture: one line an object.
    Object(Point, Point, String),
    Scatter {
        count: Whole,
        area: Corners,
        size: Size,
        assets: List<String, { limits::MAX_GROUP_ASSETS }>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<(Whole, Whole)>,
        #[serde(default, skip_serializing_if = "List::is_empty")]
        without: List<Whole, { limits::MAX_OBJECTS as usize }>,
        #[serde(default, skip_serializing_if = "List::is_empty")]
        moved: List<(Whole, Point), { limits::MAX_OBJECTS as usize }>,
        #[serde(default, skip_serializing_if = "List::is_empty")]
        sized: List<(Whole, Point), { limits::MAX_OBJECTS as usize }>,
    },
}

/// Objects without a scene, as a clipboard has them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LooseObjects {
    pub version: Whole,
    pub objects: List<Objects, { limits::MAX_OBJECTS as usize }>,
}

/// A list of at most `MAX` items, which is written as any list.
pub(super) struct List<T, const MAX: usize>(pub Vec<T>);

impl<T, const MAX: usize> List<T, MAX> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T, const MAX: usize> Default for List<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Serialize, const MAX: usize> Serialize for List<T, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for item in &self.0 {
            list.serialize_element(item)?;
        }
        list.end()
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for List<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        memory::list_of::<D, T, MAX>(deserializer).map(List)
    }
}

/// A number that is meant to be whole. What is not, or is too large to matter, becomes [`Whole::OTHER`], which no range
/// holds: the check that follows then says what was expected, in terms of the field.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub i128);

impl Whole {
    const OTHER: Self = Self(i128::MIN);
}

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The largest whole number of the format is a seed.
        serializer.serialize_u64(self.0 as u64)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Whole;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a whole number")
            }

            fn visit_u64<E>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Whole, E> {
                Ok(Whole(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Whole, E> {
                // Up to here a fractional number type has every whole number.
                const EXACT: f64 = (1_u64 << 53) as f64;
                Ok(if value.fract() == 0.0 && value.abs() <= EXACT {
                    Whole(value as i128)
                } else {
                    Whole::OTHER
                })
            }
        }

        deserializer.deserialize_any(Number)
    }
}

/// The knobs that a scene sets: names and values in the order of the text, repetitions included.
#[derive(Default)]
pub(super) struct Knobs(pub Vec<(String, Knob)>);

impl Knobs {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Knobs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Knobs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Knobs;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("knobs such as {\"cell_size\": 12}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Knobs, A::Error> {
                let mut knobs = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    if knobs.len() == limits::MAX_KNOBS {
                        return Err(de::Error::custom(format_args!(
                            "there are more than {} knobs",
                            limits::MAX_KNOBS
                        )));
                    }
                    knobs.push(entry);
                }
                Ok(Knobs(knobs))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// The layers that a view shows or hides: names and whether, in the order of the text, repetitions included.
#[derive(Default)]
pub(super) struct Switches(pub Vec<(String, bool)>);

impl Switches {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Switches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, is_shown) in &self.0 {
            map.serialize_entry(key, is_shown)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Switches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Switches;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("layers such as {\"tests\": true}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Switches, A::Error> {
                let mut switches = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    // One more than there are names a layer twice, which is said in words of its own.
                    if switches.len() > ViewLayer::ALL.len() {
                        return Err(de::Error::custom(format_args!(
                            "there are more than {} layers",
                            ViewLayer::ALL.len()
                        )));
                    }
                    switches.push(entry);
                }
                Ok(Switches(switches))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// The value of a knob: a number, a word, or `true` and `false` for a switch.
pub(super) enum Knob {
    Number(f64),
    Word(String),
}

impl Serialize for Knob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(value) if value.fract() == 0.0 && value.abs() < 1.0e15 => {
                serializer.serialize_i64(*value as i64)
            }
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Word(word) => serializer.serialize_str(word),
        }
    }
}

impl<'de> Deserialize<'de> for Knob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;

        impl Visitor<'_> for Value {
            type Value = Knob;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a number or a word in quotes")
            }

            fn visit_u64<E>(self, value: u64) -> Result<Knob, E> {
                Ok(Knob::Number(value as f64))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Knob, E> {
                Ok(Knob::Number(value as f64))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Knob, E> {
                Ok(Knob::Number(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Knob, E> {
                Ok(Knob::Word(value.to_owned()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Knob, E> {
                Ok(Knob::Word(if value { "on" } else { "off" }.to_owned()))
            }
        }

        deserializer.deserialize_any(Value)
    }
}
