//! The character, its paths and the world around it, from what a scene's file says and back.

use super::objects::objects_text;
use super::{Checked, Converter, points_text, unless};
use crate::geometry::Vec2;
use crate::partition::COORDINATE_LIMIT;
use crate::scene::file::memory::with_room;
use crate::scene::file::tokens::Place;
use crate::scene::file::written::{self, List, Point, Whole};
use crate::scene::limits::{self, MAX_NAME_CHARS, MAX_SPEED, MAX_STAY};
use crate::scene::{Budgets, Character, Disk, Follow, Path, PathKind, World, WorldIndex};
use std::collections::HashSet;

impl Converter<'_> {
    pub(super) fn character(
        &self,
        place: &Place<'_>,
        text: written::Character,
    ) -> Checked<Character> {
        let position = self.point(&place.field("position"), "position", text.position)?;
        let mut character = Character::new(position);
        if let Some(speed) = text.speed {
            character.speed = self.positive(place, "speed", speed, MAX_SPEED)?;
        }
        let paths = place.field("paths");
        let mut names = HashSet::new();
        for (index, path) in text.paths.0.into_iter().enumerate() {
            let place = paths.item(index);
            let path = self.path(&place, path)?;
            if !names.insert(path.name.clone()) {
                return Err(self.must(&place.field("name"), "name", "unique among the paths"));
            }
            character.paths.push(path);
        }
        character.follow = match text.follow {
            None => Follow::First,
            Some(name) if name.is_empty() => Follow::Nobody,
            Some(name) if names.contains(&name) => Follow::Path(name),
            Some(_) => {
                let expected = "the name of one of the paths, or empty for a character that stands";
                return Err(self.must(&place.field("follow"), "follow", expected));
            }
        };
        Ok(character)
    }

    pub(super) fn path(&self, place: &Place<'_>, path: written::Path) -> Checked<Path> {
        let name = self.line(place, "name", path.name, MAX_NAME_CHARS)?;
        if name.is_empty() {
            return Err(self.must(&place.field("name"), "name", "at least one character"));
        }
        let kind = match path.kind {
            None | Some(written::PathKind::Walk) => PathKind::Walk,
            Some(written::PathKind::Jump(stay)) => PathKind::Jump(self.positive_at(
                &place.field("kind"),
                "the stay",
                stay,
                MAX_STAY,
            )?),
            Some(written::PathKind::Recorded) => PathKind::Recorded,
        };
        let points = self.points(&place.field("points"), &path.points.0)?;
        if points.is_empty() {
            return Err(self.must(&place.field("points"), "points", "at least one point"));
        }
        let (place, given) = (place.field("velocities"), &path.velocities.0);
        let has_one_each = kind == PathKind::Recorded && given.len() + 1 == points.len();
        if !given.is_empty() && !has_one_each {
            let expected = "one for each point after the first of a recorded path";
            return Err(self.must(&place, "velocities", expected));
        }
        Ok(Path {
            name,
            kind,
            points,
            velocities: self.velocities(&place, given)?,
        })
    }

    /// How fast the character was along each axis, point by point.
    fn velocities(&self, place: &Place<'_>, velocities: &[Point]) -> Checked<Vec<Vec2>> {
        let mut checked = with_room(velocities.len())?;
        for (index, (x, y)) in velocities.iter().enumerate() {
            let (place, limit) = (place.item(index), limits::MAX_RECORDED_SPEED);
            self.along_axes(&place, "the velocity", &[*x, *y], limit)?;
            checked.push(Vec2::new(*x, *y));
        }
        Ok(checked)
    }

    pub(super) fn world(&self, place: &Place<'_>, text: written::World) -> Checked<World> {
        let objects = self.objects(&place.field("objects"), text.objects.0)?;
        let mut world = World::new(objects);
        if let Some(factor) = text.need_factor {
            world.need_factor =
                self.length(place, "need_factor", factor, limits::MAX_NEED_FACTOR)?;
        }
        if let Some(least) = text.need_min {
            world.need_min = self.length(place, "need_min", least, COORDINATE_LIMIT)?;
        }
        if let Some(greatest) = text.need_max {
            world.need_max = self.length(place, "need_max", greatest, COORDINATE_LIMIT)?;
        }
        if world.need_min > world.need_max {
            // One of the two is in the text, for the defaults are in order.
            let (name, expected) = if text.need_max.is_some() {
                ("need_max", format!("at least need_min, {}", world.need_min))
            } else {
                ("need_min", format!("at most need_max, {}", world.need_max))
            };
            return Err(self.must(&place.field(name), name, expected));
        }
        if let Some(lead) = text.lead {
            world.lead = self.positive(place, "lead", lead, COORDINATE_LIMIT)?;
        }
        if let Some(margin) = text.margin {
            world.margin = self.positive(place, "margin", margin, COORDINATE_LIMIT)?;
        }
        if let Some(seconds) = text.predict_seconds {
            let limit = limits::MAX_PREDICT_SECONDS;
            world.predict_seconds = Some(self.length(place, "predict_seconds", seconds, limit)?);
        }
        if let Some(key) = text.index {
            world.index = WorldIndex::from_key(&key).ok_or_else(|| {
                let keys = WorldIndex::ALL.map(WorldIndex::key).join(", ");
                self.must(&place.field("index"), "index", format!("one of {keys}"))
            })?;
        }
        if let Some(disk) = text.disk {
            world.disk = Some(self.disk(&place.field("disk"), &disk)?);
        }
        if let Some(budgets) = text.budgets {
            world.budgets = self.budgets(&place.field("budgets"), &budgets)?;
        }
        Ok(world)
    }

    fn disk(&self, place: &Place<'_>, text: &written::Disk) -> Checked<Disk> {
        let rate = |name: &str, value: Option<f32>| match value {
            Some(value) => self.length(place, name, value, limits::MAX_DISK_RATE),
            None => Ok(0.0),
        };
        Ok(Disk {
            mbps: rate("mbps", text.mbps)?,
            latency_ms: rate("latency_ms", text.latency_ms)?,
        })
    }

    fn budgets(&self, place: &Place<'_>, text: &written::Budgets) -> Checked<Budgets> {
        let budget = |name: &str, value: Option<Whole>, default: u64, greatest: u64| match value {
            Some(value) => self
                .whole(place, name, value, 1..=greatest.into())
                .map(|value| value as u64),
            None => Ok(default),
        };
        let count = |name: &str, value: Option<Whole>, default: u32| {
            budget(name, value, default.into(), u32::MAX.into()).map(|value| value as u32)
        };
        let bytes = |name: &str, value: Option<Whole>, default: u64| {
            budget(name, value, default, limits::MAX_BUDGET)
        };
        let default = Budgets::default();
        Ok(Budgets {
            requests_in_flight: count(
                "requests_in_flight",
                text.requests_in_flight,
                default.requests_in_flight,
            )?,
            bytes_in_flight: bytes(
                "bytes_in_flight",
                text.bytes_in_flight,
                default.bytes_in_flight,
            )?,
            uploads_per_update: count(
                "uploads_per_update",
                text.uploads_per_update,
                default.uploads_per_update,
            )?,
            upload_bytes_per_update: bytes(
                "upload_bytes_per_update",
                text.upload_bytes_per_update,
                default.upload_bytes_per_update,
            )?,
            unloads_per_update: count(
                "unloads_per_update",
                text.unloads_per_update,
                default.unloads_per_update,
            )?,
            memory_cap: bytes("memory_cap", text.memory_cap, default.memory_cap)?,
        })
    }
}

pub(super) fn character_text(character: &Character) -> written::Character {
    let default = Character::new(character.position);
    written::Character {
        position: character.position.into(),
        speed: unless(default.speed, character.speed),
        paths: List(character.paths.iter().map(from_path).collect()),
        follow: match &character.follow {
            Follow::First => None,
            Follow::Path(name) => Some(name.clone()),
            Follow::Nobody => Some(String::new()),
        },
    }
}

/// What a file says of `path`.
pub(in crate::scene::file) fn from_path(path: &Path) -> written::Path {
    written::Path {
        name: path.name.clone(),
        kind: unless(PathKind::Walk, path.kind).map(|kind| match kind {
            PathKind::Walk => written::PathKind::Walk,
            PathKind::Jump(stay) => written::PathKind::Jump(stay),
            PathKind::Recorded => written::PathKind::Recorded,
        }),
        points: points_text(&path.points),
        velocities: points_text(&path.velocities),
    }
}

fn budgets_text(budgets: Budgets) -> written::Budgets {
    let default = Budgets::default();
    let count = |default: u32, value: u32| unless(default, value).map(|value| Whole(value.into()));
    let bytes = |default: u64, value: u64| unless(default, value).map(|value| Whole(value.into()));
    written::Budgets {
        requests_in_flight: count(default.requests_in_flight, budgets.requests_in_flight),
        bytes_in_flight: bytes(default.bytes_in_flight, budgets.bytes_in_flight),
        uploads_per_update: count(default.uploads_per_update, budgets.uploads_per_update),
        upload_bytes_per_update: bytes(
            default.upload_bytes_per_update,
            budgets.upload_bytes_per_update,
        ),
        unloads_per_update: count(default.unloads_per_update, budgets.unloads_per_update),
        memory_cap: bytes(default.memory_cap, budgets.memory_cap),
    }
}

pub(super) fn world_text(world: &World) -> written::World {
    let default = World::new(Vec::new());
    written::World {
        need_factor: unless(default.need_factor, world.need_factor),
        need_min: unless(default.need_min, world.need_min),
        need_max: unless(default.need_max, world.need_max),
        lead: unless(default.lead, world.lead),
        margin: unless(default.margin, world.margin),
        predict_seconds: world.predict_seconds,
        index: unless(default.index, world.index).map(|index| index.key().to_owned()),
        disk: world.disk.map(|disk| written::Disk {
            mbps: unless(0.0, disk.mbps),
            latency_ms: unless(0.0, disk.latency_ms),
        }),
        budgets: unless(default.budgets, world.budgets).map(budgets_text),
        objects: objects_text(&world.objects),
    }
}
