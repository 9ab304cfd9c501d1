//! From what a scene file says to a valid scene, and back.
//!
//! Everything that a [`Scene`] promises is checked here, once. A value that breaks a promise is reported where it stands
//! in the text, in the words of the format: what it must be, and what was found.

use super::fits_a_line;
use super::memory::with_room;
use super::tokens::{Flaw, Place, locate};
use super::written::{self, Corners, List, Point, Whole};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{COORDINATE_LIMIT, Kind};
use crate::scene::limits::{
    self, CLUSTER_DEVIATIONS, MAX_CAPTION_CHARS, MAX_NAME_CHARS, MAX_SPEED, MAX_UNITS,
};
use crate::scene::{
    Army, Camera, Formation, Order, Path, Scene, Side, Size, StructureChoice, View,
};
use std::ops::RangeInclusive;

mod crowd;
mod objects;
mod structure;
mod view;
mod volume;
mod world;

pub(super) use crowd::{from_flocks, from_units, to_flocks, to_units};
pub(super) use objects::{asset_words, from_objects, is_asset, to_objects};
pub(super) use world::from_path;

type Checked<T> = Result<T, Flaw>;

/// The scene that `scene` describes; `source` is the text that it was read from.
pub(super) fn to_scene(source: &str, scene: written::Scene) -> Checked<Scene> {
    Converter { source }.scene(scene)
}

/// The path that `path` describes, which is all of `source`.
pub(super) fn to_path(source: &str, path: written::Path) -> Checked<Path> {
    Converter { source }.path(&Place::ROOT, path)
}

struct Converter<'a> {
    source: &'a str,
}

impl Converter<'_> {
    /// The flaw that the value at `place` is not what it must be.
    fn must(&self, place: &Place<'_>, name: &str, expected: impl std::fmt::Display) -> Flaw {
        let range = locate(self.source, place);
        let found = super::excerpt(&self.source[range.clone()]);
        Flaw {
            offset: range.start,
            message: format!("{name} must be {expected} (found {found})"),
        }
    }

    /// A flaw of the value at `place` in words of its own.
    fn flaw(&self, place: &Place<'_>, message: String) -> Flaw {
        Flaw {
            offset: locate(self.source, place).start,
            message,
        }
    }

    fn scene(&self, text: written::Scene) -> Checked<Scene> {
        let root = Place::ROOT;
        let version = i128::from(limits::VERSION);
        self.whole(&root, "version", text.version, version..=version)?;
        let has_world = text.world.is_some();
        if text.volume.is_some() {
            self.has_room_for_volume(&root, &text)?;
        }
        let view = root.field("view");
        let (structure, lanes) = (root.field("structure"), root.field("lanes"));
        let mut scene = Scene {
            name: self.line(&root, "name", text.name, MAX_NAME_CHARS)?,
            caption: self.line(&root, "caption", text.caption, MAX_CAPTION_CHARS)?,
            field: self.field(&root, text.field)?,
            seed: match text.seed {
                Some(seed) => self.whole(&root, "seed", seed, 0..=u64::MAX.into())? as u64,
                None => 0,
            },
            reach_scale: match text.reach_scale {
                Some(scale) => self.length(&root, "reach_scale", scale, limits::MAX_REACH_SCALE)?,
                None => 1.0,
            },
            keep_apart: match text.keep_apart {
                // Zero may come with a sign, which it would be written with.
                Some(metres) => {
                    self.length(&root, "keep_apart", metres, limits::MAX_KEEP_APART)? + 0.0
                }
                None => Scene::KEEP_APART,
            },
            // Those of a volume are its own.
            structure: match &text.volume {
                Some(_) => StructureChoice::new(Kind::ALL[0]),
                None => self.structure(&structure, &text.structure)?,
            },
            lanes: match &text.volume {
                Some(_) => Vec::new(),
                None => self.lanes(&lanes, &text.lanes.0)?,
            },
            camera: text
                .camera
                .map(|camera| self.camera(&root.field("camera"), &camera))
                .transpose()?,
            view: match text.view {
                Some(text_of_view) if text.volume.is_some() => {
                    self.view_of_volume(&view, &text_of_view)?
                }
                Some(text_of_view) => self.view(&view, text_of_view, has_world)?,
                None => View::default(),
            },
            armies: self.armies(&root.field("armies"), text.armies.0)?,
            character: text
                .character
                .map(|character| self.character(&root.field("character"), character))
                .transpose()?,
            volume: None,
            world: text
                .world
                .map(|world| self.world(&root.field("world"), world))
                .transpose()?,
        };
        if let Some(volume) = text.volume {
            let chosen = self.structure(&structure, &text.structure)?;
            let beside = self.lanes(&lanes, &text.lanes.0)?;
            let place = root.field("volume");
            scene.volume = Some(self.volume(&place, volume, scene.field, chosen, beside)?);
        }
        let units = scene.unit_count();
        match &scene.volume {
            Some(volume) => self.lanes_keep_up(&lanes, &volume.lanes, units)?,
            None => self.lanes_keep_up(&lanes, &scene.lanes, units)?,
        }
        Ok(scene)
    }

    fn field(&self, root: &Place<'_>, corners: Corners) -> Checked<Aabb> {
        let place = root.field("field");
        let field = self.corners(&place, "field", corners)?;
        if field.size().cmpgt(Vec2::ZERO).all() {
            Ok(field)
        } else {
            Err(self.must(&place, "field", "wider and higher than 0"))
        }
    }

    fn camera(&self, place: &Place<'_>, text: &written::Camera) -> Checked<Camera> {
        Ok(Camera {
            center: self.point(&place.field("center"), "center", text.center)?,
            height: self.positive(place, "height", text.height, COORDINATE_LIMIT)?,
        })
    }

    fn armies(&self, place: &Place<'_>, texts: Vec<written::Army>) -> Checked<Vec<Army>> {
        let mut total = 0_u64;
        let mut armies = with_room(texts.len())?;
        for (index, text) in texts.into_iter().enumerate() {
            let place = place.item(index);
            let army = self.army(&place, text)?;
            total += u64::from(army.count);
            if total > MAX_UNITS.into() {
                return Err(self.flaw(
                    &place.field("count"),
                    format!("all armies together must have at most {MAX_UNITS} units (found {total} up to here)"),
                ));
            }
            armies.push(army);
        }
        Ok(armies)
    }

    fn army(&self, place: &Place<'_>, text: written::Army) -> Checked<Army> {
        let formation = self.formation(&place.field("formation"), text.formation)?;
        let given = match &formation {
            Formation::Explicit(positions) => Some(positions.len()),
            _ => None,
        };
        let count = self.count(place, text.count, given)?;
        let mut army = Army::new(side(&text.side), count, formation);
        if let Some(order) = text.order {
            army.order = match order {
                written::Order::Hold => Order::Hold,
                written::Order::Charge => Order::Charge,
                written::Order::Brawl => Order::Brawl,
                written::Order::March(x, y) => {
                    let place = place.field("order");
                    let direction = self.point(&place, "the direction of March", (x, y))?;
                    if direction == Vec2::ZERO {
                        return Err(self.must(
                            &place,
                            "the direction of March",
                            "other than (0, 0)",
                        ));
                    }
                    Order::March(direction)
                }
            };
        }
        if let Some(speed) = text.speed {
            army.speed = self.length(place, "speed", speed, MAX_SPEED)?;
        }
        if let Some(reach) = text.reach {
            army.reach = self.length(place, "reach", reach, COORDINATE_LIMIT)?;
        }
        if let Some(sight) = text.sight {
            army.sight = self.length(place, "sight", sight, COORDINATE_LIMIT)?;
        }
        if let Some(points) = text.hit_points {
            army.hit_points = self.whole(place, "hit_points", points, 1..=u16::MAX.into())? as u16;
        }
        if let Some(size) = &text.size {
            army.size = self.size(&place.field("size"), size)?;
        }
        let without = place.field("without");
        army.without = self.without(&without, &text.without.0, "army", army.count)?;
        let moved = place.field("moved");
        let read = |place: &Place<'_>, at| self.point(place, "a place", at);
        army.moved = self.moved(&moved, &text.moved.0, ("army", &army), read)?;
        let sized = place.field("sized");
        let read = |place: &Place<'_>, half: Point| self.half_extent(place, half);
        army.sized = self.of_each(&sized, "sized", &text.sized.0, ("army", army.count), read)?;
        Ok(army)
    }

    /// How many units an army or a flock has; `given` is the number of its positions where they are given one by one.
    fn count(&self, place: &Place<'_>, count: Option<Whole>, given: Option<usize>) -> Checked<u32> {
        let count = match count {
            Some(count) => Some(self.whole(place, "count", count, 0..=MAX_UNITS.into())? as u32),
            None => None,
        };
        match (given, count) {
            (Some(given), None) => Ok(given as u32),
            (Some(given), Some(count)) if count as usize != given => Err(self.must(
                &place.field("count"),
                "count",
                format!("the number of positions, {given}, or left out"),
            )),
            (_, Some(count)) => Ok(count),
            (None, None) => Err(self.flaw(place, "count is missing".to_owned())),
        }
    }

    /// The numbers of those who were erased from a group of `count`: an army, a flock or a scatter.
    fn without(
        &self,
        place: &Place<'_>,
        numbers: &[Whole],
        group: &str,
        count: u32,
    ) -> Checked<Vec<u32>> {
        let mut without = with_room(numbers.len())?;
        for (index, number) in numbers.iter().enumerate() {
            if !(0..i128::from(count)).contains(&number.0) {
                let expected =
                    format!("whole numbers from 0 and below the {group}'s count, {count}");
                return Err(self.must(&place.item(index), "without", expected));
            }
            let number = number.0 as u32;
            if let Some(before) = without.last().filter(|before| **before >= number) {
                let message =
                    format!("without must be in ascending order (found {number} after {before})");
                return Err(self.flaw(&place.item(index), message));
            }
            without.push(number);
        }
        Ok(without)
    }

    fn formation(&self, place: &Place<'_>, text: written::Formation) -> Checked<Formation> {
        Ok(match text {
            written::Formation::Uniform(min, max) => {
                Formation::Uniform(self.corners(place, "the box", (min, max))?)
            }
            written::Formation::Ranks(min, max) => {
                Formation::Ranks(self.corners(place, "the box", (min, max))?)
            }
            written::Formation::Cross(min, max) => {
                Formation::Cross(self.corners(place, "the box", (min, max))?)
            }
            written::Formation::Ring {
                center,
                inner,
                outer,
            } => {
                let center = self.point(&place.field("center"), "center", center)?;
                let outer = self.length(place, "outer", outer, COORDINATE_LIMIT)?;
                let inner = match inner {
                    Some(inner) => self.length(place, "inner", inner, COORDINATE_LIMIT)?,
                    None => 0.0,
                };
                if inner > outer {
                    return Err(self.must(
                        &place.field("inner"),
                        "inner",
                        format!("at most outer, {outer}"),
                    ));
                }
                let farthest = center.abs() + outer;
                self.within_limit(&place.field("outer"), farthest.max_element())?;
                Formation::Ring {
                    center,
                    inner,
                    outer,
                }
            }
            written::Formation::Clusters {
                area,
                count,
                spread,
            } => {
                let area = self.corners(&place.field("area"), "area", area)?;
                let count = self.whole(place, "count", count, 1..=MAX_UNITS.into())? as u32;
                let spread = self.length(place, "spread", spread, COORDINATE_LIMIT)?;
                let corner = area.min.abs().max(area.max.abs());
                self.within_limit(
                    &place.field("spread"),
                    corner.max_element() + CLUSTER_DEVIATIONS * spread,
                )?;
                Formation::Clusters {
                    area,
                    count,
                    spread,
                }
            }
            written::Formation::Line(from, to) => Formation::Line {
                from: self.point(&place.item(0), "the first end", from)?,
                to: self.point(&place.item(1), "the last end", to)?,
            },
            written::Formation::Spot(x, y) => {
                Formation::Spot(self.point(place, "the spot", (x, y))?)
            }
            written::Formation::Explicit(points) => {
                Formation::Explicit(self.points(&place.item(0), &points.0)?)
            }
        })
    }

    /// Checks that whatever a generator makes of the value at `place` stays within the limit of coordinates.
    fn within_limit(&self, place: &Place<'_>, farthest: f32) -> Checked<()> {
        if farthest <= COORDINATE_LIMIT {
            Ok(())
        } else {
            Err(self.flaw(
                place,
                format!("units would stand farther than {COORDINATE_LIMIT} m from the origin"),
            ))
        }
    }

    fn size(&self, place: &Place<'_>, text: &written::Size) -> Checked<Size> {
        Ok(match *text {
            written::Size::Point => Size::Point,
            written::Size::Fixed(x, y) => Size::Fixed(self.half_extent(place, (x, y))?),
            written::Size::Between(min, max) => self.size_between(place, min, max)?,
            written::Size::Pareto { min, max, exponent } => {
                self.size_of_pareto(place, min, max, exponent)?
            }
        })
    }

    fn half_extent(&self, place: &Place<'_>, (x, y): Point) -> Checked<Vec2> {
        let least =
            |axis: usize, value: f32| self.length_at(&place.item(axis), "the half extent", value);
        Ok(Vec2::new(least(0, x)?, least(1, y)?))
    }

    fn size_between<V>(&self, place: &Place<'_>, min: f32, max: f32) -> Checked<Size<V>> {
        let min = self.length_at(&place.item(0), "the half extent", min)?;
        let max = self.length_at(&place.item(1), "the half extent", max)?;
        if min > max {
            return Err(self.must(
                &place.item(1),
                "the greatest half extent",
                format!("at least the least, {min}"),
            ));
        }
        Ok(Size::Between(min, max))
    }

    fn size_of_pareto<V>(
        &self,
        place: &Place<'_>,
        min: f32,
        max: f32,
        exponent: f32,
    ) -> Checked<Size<V>> {
        let min = self.positive(place, "min", min, COORDINATE_LIMIT)?;
        let max = self.positive(place, "max", max, COORDINATE_LIMIT)?;
        if min > max {
            return Err(self.must(&place.field("max"), "max", format!("at least min, {min}")));
        }
        let exponent = self.positive(place, "exponent", exponent, 1_000.0)?;
        Ok(Size::Pareto { min, max, exponent })
    }

    /// The text of the field `name`, which has to fit on one line of a panel or terminal.
    fn line(&self, parent: &Place<'_>, name: &str, text: String, limit: usize) -> Checked<String> {
        if fits_a_line(&text, limit) {
            return Ok(text);
        }
        let expected = format!("at most {limit} characters without line breaks");
        Err(self.must(&parent.field(name), name, expected))
    }

    fn whole(
        &self,
        parent: &Place<'_>,
        name: &str,
        value: Whole,
        range: RangeInclusive<i128>,
    ) -> Checked<i128> {
        if range.contains(&value.0) {
            return Ok(value.0);
        }
        let (least, greatest) = range.into_inner();
        let expected = if least == greatest {
            least.to_string()
        } else {
            format!("a whole number from {least} to {greatest}")
        };
        Err(self.must(&parent.field(name), name, expected))
    }

    /// A number from 0 to `limit`.
    fn length(&self, parent: &Place<'_>, name: &str, value: f32, limit: f32) -> Checked<f32> {
        if (0.0..=limit).contains(&value) {
            return Ok(value);
        }
        Err(self.must(&parent.field(name), name, format!("from 0 to {limit}")))
    }

    /// The same for a value without a name.
    fn length_at(&self, place: &Place<'_>, what: &str, value: f32) -> Checked<f32> {
        if (0.0..=COORDINATE_LIMIT).contains(&value) {
            return Ok(value);
        }
        Err(self.must(place, what, format!("from 0 to {COORDINATE_LIMIT}")))
    }

    /// A number greater than 0 and at most `limit`.
    fn positive(&self, parent: &Place<'_>, name: &str, value: f32, limit: f32) -> Checked<f32> {
        self.positive_at(&parent.field(name), name, value, limit)
    }

    /// The same for a value without a name.
    fn positive_at(&self, place: &Place<'_>, what: &str, value: f32, limit: f32) -> Checked<f32> {
        if value > 0.0 && value <= limit {
            return Ok(value);
        }
        let expected = if value <= 0.0 {
            "greater than 0".to_owned()
        } else {
            format!("greater than 0 and at most {limit}")
        };
        Err(self.must(place, what, expected))
    }

    fn point(&self, place: &Place<'_>, name: &str, (x, y): Point) -> Checked<Vec2> {
        self.coordinates(place, name, &[x, y])?;
        Ok(Vec2::new(x, y))
    }

    /// Checks what stands for x, y and so on at `place`.
    fn coordinates(&self, place: &Place<'_>, name: &str, values: &[f32]) -> Checked<()> {
        self.along_axes(place, name, values, COORDINATE_LIMIT)
    }

    /// The same for what may be up to `limit` either way along each axis.
    fn along_axes(&self, place: &Place<'_>, name: &str, values: &[f32], limit: f32) -> Checked<()> {
        for (index, (value, axis)) in values.iter().zip(["x", "y", "z"]).enumerate() {
            self.either_way(
                &place.item(index),
                &format!("{axis} of {name}"),
                *value,
                limit,
            )?;
        }
        Ok(())
    }

    fn coordinate(&self, place: &Place<'_>, name: &str, value: f32) -> Checked<f32> {
        self.either_way(place, name, value, COORDINATE_LIMIT)
    }

    /// A number from `-limit` to `limit`.
    fn either_way(&self, place: &Place<'_>, name: &str, value: f32, limit: f32) -> Checked<f32> {
        // A comparison that NaN fails.
        if (-limit..=limit).contains(&value) {
            return Ok(value);
        }
        Err(self.must(place, name, format!("from -{limit} to {limit}")))
    }

    fn points(&self, place: &Place<'_>, points: &[Point]) -> Checked<Vec<Vec2>> {
        let mut checked = with_room(points.len())?;
        for (index, point) in points.iter().enumerate() {
            checked.push(self.point(&place.item(index), "the point", *point)?);
        }
        Ok(checked)
    }

    fn corners(&self, place: &Place<'_>, name: &str, (min, max): Corners) -> Checked<Aabb> {
        let min = self.point(&place.item(0), name, min)?;
        let max = self.point(&place.item(1), name, max)?;
        if min.cmple(max).all() {
            return Ok(Aabb::new(min, max));
        }
        Err(self.must(place, name, "a lower corner followed by an upper corner"))
    }
}

const fn side(text: &written::Side) -> Side {
    match text {
        written::Side::Blue => Side::Blue,
        written::Side::Orange => Side::Orange,
    }
}

/// What a file says of `scene`. What is as it is by default is left out.
pub(super) fn from_scene(scene: &Scene) -> written::Scene {
    let (structure, lanes) = match &scene.volume {
        Some(volume) => structure::structures_text(&volume.structure, &volume.lanes),
        None => structure::structures_text(&scene.structure, &scene.lanes),
    };
    written::Scene {
        structure,
        lanes,
        version: Whole(limits::VERSION.into()),
        name: scene.name.clone(),
        caption: scene.caption.clone(),
        field: corners_text(scene.field),
        seed: (scene.seed != 0).then(|| Whole(scene.seed.into())),
        reach_scale: unless(1.0, scene.reach_scale),
        keep_apart: unless(Scene::KEEP_APART, scene.keep_apart),
        camera: scene.camera.as_ref().map(|camera| written::Camera {
            center: camera.center.into(),
            height: camera.height,
        }),
        view: view::view_text(&scene.view),
        armies: List(scene.armies.iter().map(army_text).collect()),
        character: scene.character.as_ref().map(world::character_text),
        world: scene.world.as_ref().map(world::world_text),
        volume: scene.volume.as_ref().map(volume::volume_text),
    }
}

/// The value, unless it is the default.
fn unless<T: PartialEq>(default: T, value: T) -> Option<T> {
    (value != default).then_some(value)
}

fn corners_text(area: Aabb) -> Corners {
    (area.min.into(), area.max.into())
}

fn points_text<const MAX: usize>(points: &[Vec2]) -> List<Point, MAX> {
    List(points.iter().map(|point| (*point).into()).collect())
}

/// What a file says of those who were moved, or given a size.
fn moved_text<V: Copy + Into<P>, P, const MAX: usize>(moved: &[(u32, V)]) -> List<(Whole, P), MAX> {
    let text = |(number, at): &(u32, V)| (Whole((*number).into()), (*at).into());
    List(moved.iter().map(text).collect())
}

const fn side_text(side: Side) -> written::Side {
    match side {
        Side::Blue => written::Side::Blue,
        Side::Orange => written::Side::Orange,
    }
}

fn army_text(army: &Army) -> written::Army {
    let is_explicit = matches!(army.formation, Formation::Explicit(_));
    let default = Army::new(army.side, 0, Formation::Spot(Vec2::ZERO));
    written::Army {
        side: side_text(army.side),
        count: (!is_explicit).then(|| Whole(army.count.into())),
        formation: formation_text(&army.formation),
        order: unless(default.order, army.order).map(|order| match order {
            Order::Hold => written::Order::Hold,
            Order::Charge => written::Order::Charge,
            Order::Brawl => written::Order::Brawl,
            Order::March(direction) => written::Order::March(direction.x, direction.y),
        }),
        speed: unless(default.speed, army.speed),
        reach: unless(default.reach, army.reach),
        sight: unless(default.sight, army.sight),
        hit_points: unless(default.hit_points, army.hit_points).map(|points| Whole(points.into())),
        size: unless(default.size, army.size).map(size_text),
        without: List(army.without.iter().map(|n| Whole((*n).into())).collect()),
        moved: moved_text(&army.moved),
        sized: moved_text(&army.sized),
    }
}

fn formation_text(formation: &Formation) -> written::Formation {
    match formation {
        Formation::Uniform(area) => written::Formation::Uniform(area.min.into(), area.max.into()),
        Formation::Ranks(area) => written::Formation::Ranks(area.min.into(), area.max.into()),
        Formation::Ring {
            center,
            inner,
            outer,
        } => written::Formation::Ring {
            center: (*center).into(),
            inner: unless(0.0, *inner),
            outer: *outer,
        },
        Formation::Clusters {
            area,
            count,
            spread,
        } => written::Formation::Clusters {
            area: corners_text(*area),
            count: Whole((*count).into()),
            spread: *spread,
        },
        Formation::Line { from, to } => written::Formation::Line((*from).into(), (*to).into()),
        Formation::Spot(spot) => written::Formation::Spot(spot.x, spot.y),
        Formation::Cross(area) => written::Formation::Cross(area.min.into(), area.max.into()),
        Formation::Explicit(positions) => written::Formation::Explicit(points_text(positions)),
    }
}

fn size_text(size: Size) -> written::Size {
    match size {
        Size::Point => written::Size::Point,
        Size::Fixed(half_extent) => written::Size::Fixed(half_extent.x, half_extent.y),
        Size::Between(min, max) => written::Size::Between(min, max),
        Size::Pareto { min, max, exponent } => written::Size::Pareto { min, max, exponent },
    }
}
