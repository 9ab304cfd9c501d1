//! What fills a scene of the third dimension, from what its file says and back.

use super::{Checked, Converter, moved_text, side, side_text, unless};
use crate::geometry::Aabb;
use crate::partition::COORDINATE_LIMIT;
use crate::scene::file::memory::with_room;
use crate::scene::file::tokens::Place;
use crate::scene::file::written::{self, List, Whole, volume as text};
use crate::scene::limits::{
    CLUSTER_DEVIATIONS, MAX_AZIMUTH, MAX_ELEVATION, MAX_HILLS_ALONG, MAX_SPEED, MAX_UNITS,
};
use crate::scene::{
    Flock, Formation3, Hills, Motion, Orbit, Size, StructureChoice3, View, ViewKind, Volume,
};
use crate::volume::{Aabb3, Vec3};

impl Converter<'_> {
    /// Checks that a scene has nothing beside its volume that means something on a plane alone.
    pub(super) fn has_room_for_volume(
        &self,
        root: &Place<'_>,
        scene: &written::Scene,
    ) -> Checked<()> {
        for (name, is_there, instead) in [
            (
                "armies",
                !scene.armies.is_empty(),
                "whose units are its flocks",
            ),
            (
                "world",
                scene.world.is_some(),
                "for objects stream on a plane alone",
            ),
            (
                "character",
                scene.character.is_some(),
                "for nothing streams around anybody there",
            ),
            (
                "camera",
                scene.camera.is_some(),
                "which has a camera of its own within volume",
            ),
            (
                "keep_apart",
                scene.keep_apart.is_some(),
                "whose units push each other within a part of their reach",
            ),
        ] {
            if is_there {
                let message =
                    format!("{name} must be left out of a scene with a volume, {instead}");
                return Err(self.flaw(&root.field(name), message));
            }
        }
        Ok(())
    }

    /// The view of a scene with a volume, which leaves open whatever is about a picture of a plane.
    pub(super) fn view_of_volume(&self, place: &Place<'_>, view: &written::View) -> Checked<View> {
        for (name, is_there) in [
            ("boxes", view.boxes.is_some()),
            ("labels", view.labels.is_some()),
            ("query", view.query.is_some()),
            ("beside", view.beside.is_some()),
            ("tree", view.tree.is_some()),
            ("follow", view.follow.is_some()),
        ] {
            if is_there {
                let message = format!(
                    "{name} must be left out of the view of a scene with a volume, which says show, layers, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width, pace and paused alone"
                );
                return Err(self.flaw(&place.field(name), message));
            }
        }
        let key = ViewKind::Volume.key();
        if view.show.as_ref().is_some_and(|show| show != key) {
            let expected = format!("\"{key}\" or left out in a scene with a volume");
            return Err(self.must(&place.field("show"), "show", expected));
        }
        let layers = self.layers(&place.field("layers"), &view.layers)?;
        if let Some((layer, _)) = layers.iter().find(|(layer, _)| !layer.is_of_space()) {
            let key = layer.key();
            let message = format!("a scene with a volume has no layer {key}");
            return Err(self.flaw(&place.field("layers"), message));
        }
        Ok(View {
            show: view.show.as_ref().map(|_| ViewKind::Volume),
            layers,
            paused: view.paused.unwrap_or(false),
            pace: self.pace(place, view.pace)?,
            slice: self.slice(place, view.slice.as_ref())?,
            depths: self.depths(place, view.depths)?,
            rectangle: self.rectangle(place, "rectangle", view.rectangle)?,
            rectangle_height: self.rectangle(place, "rectangle_height", view.rectangle_height)?,
            rectangles_a_tick: self.rectangles_a_tick(place, view.rectangles_a_tick)?,
            nearest: self.nearest(place, view.nearest)?,
            brush_radius: self.brush_radius(place, view.brush_radius)?,
            brush_width: self.brush_width(place, view.brush_width)?,
            ..View::default()
        })
    }

    /// A volume over `field`, with its structures as they are.
    pub(super) fn volume(
        &self,
        place: &Place<'_>,
        text: text::Volume,
        field: Aabb,
        structure: StructureChoice3,
        lanes: Vec<StructureChoice3>,
    ) -> Checked<Volume> {
        let heights = self.heights(&place.field("heights"), text.heights)?;
        let hills = match text.hills {
            Some(hills) => Some(self.hills(&place.field("hills"), &hills, field, heights)?),
            None => None,
        };
        let mut volume = Volume {
            hills,
            structure,
            lanes,
            ..Volume::new(heights, Vec::new())
        };
        if let Some(reach) = text.reach {
            volume.reach = self.length(place, "reach", reach, COORDINATE_LIMIT)?;
        }
        if let Some(camera) = text.camera {
            volume.camera = Some(self.orbit(&place.field("camera"), &camera)?);
        }
        volume.flocks = self.flocks(&place.field("flocks"), text.flocks.0)?;
        Ok(volume)
    }

    fn heights(&self, place: &Place<'_>, (low, high): (f32, f32)) -> Checked<(f32, f32)> {
        self.coordinate(&place.item(0), "the lower height", low)?;
        self.coordinate(&place.item(1), "the upper height", high)?;
        if low < high {
            return Ok((low, high));
        }
        Err(self.must(place, "heights", "a lower one followed by a greater one"))
    }

    fn hills(
        &self,
        place: &Place<'_>,
        text: &text::Hills,
        field: Aabb,
        (low, high): (f32, f32),
    ) -> Checked<Hills> {
        let height = self.positive(place, "height", text.height, COORDINATE_LIMIT)?;
        // So that there is somewhere to fly over every hill.
        if low + height > high {
            return Err(self.must(
                &place.field("height"),
                "height",
                format!("at most how high the scene is, {}", high - low),
            ));
        }
        let spacing = self.positive(place, "spacing", text.spacing, COORDINATE_LIMIT)?;
        let least = field.size().max_element() / MAX_HILLS_ALONG;
        if spacing < least {
            return Err(self.must(
                &place.field("spacing"),
                "spacing",
                format!("at least {least}, a thousandth of the field's longer side"),
            ));
        }
        Ok(Hills { height, spacing })
    }

    fn orbit(&self, place: &Place<'_>, text: &text::Camera) -> Checked<Orbit> {
        let angle = |name: &str, value: f32, limit: f32| {
            if (-limit..=limit).contains(&value) {
                return Ok(value);
            }
            let expected = format!("from -{limit} to {limit} degrees");
            Err(self.must(&place.field(name), name, expected))
        };
        Ok(Orbit {
            pivot: self.point3(&place.field("pivot"), "pivot", text.pivot)?,
            distance: self.positive(place, "distance", text.distance, COORDINATE_LIMIT)?,
            azimuth: angle("azimuth", text.azimuth, MAX_AZIMUTH)?,
            elevation: angle("elevation", text.elevation, MAX_ELEVATION)?,
        })
    }

    pub(super) fn flocks(&self, place: &Place<'_>, texts: Vec<text::Flock>) -> Checked<Vec<Flock>> {
        let mut total = 0_u64;
        let mut flocks = with_room(texts.len())?;
        for (index, text) in texts.into_iter().enumerate() {
            let place = place.item(index);
            let flock = self.flock(&place, text)?;
            total += u64::from(flock.count);
            if total > MAX_UNITS.into() {
                return Err(self.flaw(
                    &place.field("count"),
                    format!("all flocks together must have at most {MAX_UNITS} units (found {total} up to here)"),
                ));
            }
            flocks.push(flock);
        }
        Ok(flocks)
    }

    fn flock(&self, place: &Place<'_>, text: text::Flock) -> Checked<Flock> {
        let formation = self.formation3(&place.field("formation"), text.formation)?;
        let given = match &formation {
            Formation3::Explicit(positions) => Some(positions.len()),
            _ => None,
        };
        let count = self.count(place, text.count, given)?;
        let mut flock = Flock::new(side(&text.side), count, formation);
        if let Some(motion) = text.motion {
            flock.motion = match motion {
                text::Motion::Hold => Motion::Hold,
                text::Motion::Drift => Motion::Drift,
                text::Motion::Flock => Motion::Flock,
                text::Motion::Chase => Motion::Chase,
                text::Motion::Flee => Motion::Flee,
                text::Motion::Orbit => Motion::Orbit,
            };
        }
        if let Some(speed) = text.speed {
            flock.speed = self.length(place, "speed", speed, MAX_SPEED)?;
        }
        if let Some(sight) = text.sight {
            flock.sight = self.length(place, "sight", sight, COORDINATE_LIMIT)?;
        }
        if let Some(points) = text.hit_points {
            flock.hit_points = self.whole(place, "hit_points", points, 1..=u16::MAX.into())? as u16;
        }
        if let Some(size) = &text.size {
            flock.size = self.size3(&place.field("size"), size)?;
        }
        let without = place.field("without");
        flock.without = self.without(&without, &text.without.0, "flock", flock.count)?;
        let moved = place.field("moved");
        let read = |place: &Place<'_>, at| self.point3(place, "a place", at);
        flock.moved = self.moved(&moved, &text.moved.0, ("flock", &flock), read)?;
        let sized = place.field("sized");
        let read = |place: &Place<'_>, half: text::Point| self.half_extent3(place, half);
        flock.sized = self.of_each(&sized, "sized", &text.sized.0, ("flock", flock.count), read)?;
        Ok(flock)
    }

    fn formation3(&self, place: &Place<'_>, text: text::Formation) -> Checked<Formation3> {
        Ok(match text {
            text::Formation::Uniform(min, max) => {
                Formation3::Uniform(self.corners3(place, "the box", (min, max))?)
            }
            text::Formation::Ball { center, radius } => {
                let center = self.point3(&place.field("center"), "center", center)?;
                let radius = self.length(place, "radius", radius, COORDINATE_LIMIT)?;
                let farthest = center.abs() + radius;
                self.within_limit(&place.field("radius"), farthest.max_element())?;
                Formation3::Ball { center, radius }
            }
            text::Formation::Disc {
                center,
                radius,
                thickness,
            } => {
                let center = self.point3(&place.field("center"), "center", center)?;
                let radius = self.length(place, "radius", radius, COORDINATE_LIMIT)?;
                let across = center.truncate().abs() + radius;
                self.within_limit(&place.field("radius"), across.max_element())?;
                let thickness = self.length(place, "thickness", thickness, COORDINATE_LIMIT)?;
                let upward = center.z.abs() + thickness * 0.5;
                self.within_limit(&place.field("thickness"), upward)?;
                Formation3::Disc {
                    center,
                    radius,
                    thickness,
                }
            }
            text::Formation::Clusters {
                area,
                count,
                spread,
            } => {
                let area = self.corners3(&place.field("area"), "area", area)?;
                let count = self.whole(place, "count", count, 1..=MAX_UNITS.into())? as u32;
                let spread = self.length(place, "spread", spread, COORDINATE_LIMIT)?;
                let corner = area.min.abs().max(area.max.abs());
                self.within_limit(
                    &place.field("spread"),
                    corner.max_element() + CLUSTER_DEVIATIONS * spread,
                )?;
                Formation3::Clusters {
                    area,
                    count,
                    spread,
                }
            }
            text::Formation::Spot(x, y, z) => {
                Formation3::Spot(self.point3(place, "the spot", (x, y, z))?)
            }
            text::Formation::Explicit(points) => {
                let list = place.item(0);
                let mut positions = with_room(points.0.len())?;
                for (index, point) in points.0.iter().enumerate() {
                    positions.push(self.point3(&list.item(index), "the point", *point)?);
                }
                Formation3::Explicit(positions)
            }
        })
    }

    fn half_extent3(&self, place: &Place<'_>, (x, y, z): text::Point) -> Checked<Vec3> {
        let half_extent =
            |axis: usize, value: f32| self.length_at(&place.item(axis), "the half extent", value);
        Ok(Vec3::new(
            half_extent(0, x)?,
            half_extent(1, y)?,
            half_extent(2, z)?,
        ))
    }

    fn size3(&self, place: &Place<'_>, text: &text::Size) -> Checked<Size<Vec3>> {
        Ok(match *text {
            text::Size::Point => Size::Point,
            text::Size::Fixed(x, y, z) => Size::Fixed(self.half_extent3(place, (x, y, z))?),
            text::Size::Between(min, max) => self.size_between(place, min, max)?,
            text::Size::Pareto { min, max, exponent } => {
                self.size_of_pareto(place, min, max, exponent)?
            }
        })
    }

    fn point3(&self, place: &Place<'_>, name: &str, (x, y, z): text::Point) -> Checked<Vec3> {
        self.coordinates(place, name, &[x, y, z])?;
        Ok(Vec3::new(x, y, z))
    }

    fn corners3(&self, place: &Place<'_>, name: &str, (min, max): text::Corners) -> Checked<Aabb3> {
        let min = self.point3(&place.item(0), name, min)?;
        let max = self.point3(&place.item(1), name, max)?;
        if min.cmple(max).all() {
            return Ok(Aabb3::new(min, max));
        }
        Err(self.must(place, name, "a lower corner followed by an upper corner"))
    }
}

/// What a file says of `volume`, whose structures stand beside it.
pub(super) fn volume_text(volume: &Volume) -> text::Volume {
    let default = Volume::new(volume.heights, Vec::new());
    text::Volume {
        heights: volume.heights,
        hills: volume.hills.map(|hills| text::Hills {
            height: hills.height,
            spacing: hills.spacing,
        }),
        reach: unless(default.reach, volume.reach),
        camera: volume.camera.map(|orbit| text::Camera {
            pivot: orbit.pivot.into(),
            distance: orbit.distance,
            azimuth: orbit.azimuth,
            elevation: orbit.elevation,
        }),
        flocks: List(volume.flocks.iter().map(flock_text).collect()),
    }
}

pub(super) fn flock_text(flock: &Flock) -> text::Flock {
    let is_explicit = matches!(flock.formation, Formation3::Explicit(_));
    let default = Flock::new(flock.side, 0, Formation3::Spot(Vec3::ZERO));
    text::Flock {
        side: side_text(flock.side),
        count: (!is_explicit).then(|| Whole(flock.count.into())),
        formation: formation_text(&flock.formation),
        motion: unless(default.motion, flock.motion).map(|motion| match motion {
            Motion::Hold => text::Motion::Hold,
            Motion::Drift => text::Motion::Drift,
            Motion::Flock => text::Motion::Flock,
            Motion::Chase => text::Motion::Chase,
            Motion::Flee => text::Motion::Flee,
            Motion::Orbit => text::Motion::Orbit,
        }),
        speed: unless(default.speed, flock.speed),
        sight: unless(default.sight, flock.sight),
        hit_points: unless(default.hit_points, flock.hit_points).map(|points| Whole(points.into())),
        size: unless(default.size, flock.size).map(size_text),
        without: List(flock.without.iter().map(|n| Whole((*n).into())).collect()),
        moved: moved_text(&flock.moved),
        sized: moved_text(&flock.sized),
    }
}

fn formation_text(formation: &Formation3) -> text::Formation {
    match formation {
        Formation3::Uniform(area) => text::Formation::Uniform(area.min.into(), area.max.into()),
        Formation3::Ball { center, radius } => text::Formation::Ball {
            center: (*center).into(),
            radius: *radius,
        },
        Formation3::Disc {
            center,
            radius,
            thickness,
        } => text::Formation::Disc {
            center: (*center).into(),
            radius: *radius,
            thickness: *thickness,
        },
        Formation3::Clusters {
            area,
            count,
            spread,
        } => text::Formation::Clusters {
            area: (area.min.into(), area.max.into()),
            count: Whole((*count).into()),
            spread: *spread,
        },
        Formation3::Spot(spot) => text::Formation::Spot(spot.x, spot.y, spot.z),
        Formation3::Explicit(positions) => text::Formation::Explicit(List(
            positions.iter().map(|point| (*point).into()).collect(),
        )),
    }
}

fn size_text(size: Size<Vec3>) -> text::Size {
    match size {
        Size::Point => text::Size::Point,
        Size::Fixed(half_extent) => text::Size::Fixed(half_extent.x, half_extent.y, half_extent.z),
        Size::Between(min, max) => text::Size::Between(min, max),
        Size::Pareto { min, max, exponent } => text::Size::Pareto { min, max, exponent },
    }
}
