//! How a scene begins otherwise: on a larger field, with bodies of another size, or with another seed.

use super::document::Document;
use super::within::number;
use crate::geometry::{Aabb, Vec2};
use crate::partition::COORDINATE_LIMIT;
use crate::scene::file::check_title;
use crate::scene::limits::{MAX_KEEP_APART, MAX_SPEED, MAX_UNITS};
use crate::scene::{Army, Flock, Formation, Muster, Order, Scene, Size};
use crate::volume::Vec3;
use serde::{Deserialize, Serialize};

/// With what a scene begins, where that is to be otherwise than it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Beginning {
    /// The name and the caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<(String, String)>,
    /// How wide and how high the field is, in metres. Its first corner stays, and whoever begins on it is spread over it in
    /// proportion; reach, sight, speed and bodies stay what they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<(f32, f32)>,
    /// How many units there are; armies keep their shares, and an empty field has half of them on each side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<u32>,
    /// How large the bodies of all armies, or of all flocks, are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bodies: Option<BodySize>,
    /// What every unit can bear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_points: Option<u16>,
    /// How far every unit strikes, in metres: on a plane from edge to edge, in space how far pairs are apart that are looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<f32>,
    /// How far apart units keep, in metres; on a plane alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_apart: Option<f32>,
    /// How far every unit sees an enemy, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sight: Option<f32>,
    /// The top speed of every unit, in m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f32>,
    /// How the units of all armies are spread over the field, whoever was moved or erased included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<Places>,
    /// What every generator and the battle's own chance begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// How units are spread over a field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Places {
    /// Evenly at random, both sides among each other.
    Random,
    /// In so many blobs for each army, of this standard deviation in metres, as [`Formation::Clusters`], with room for them around their
    /// middles.
    Clusters(u32, f32),
}

impl Places {
    /// How the armies of a scene are spread over its field; `None` where they differ or stand otherwise.
    pub fn of(scene: &Scene) -> Option<Self> {
        let armies = scene.armies.iter().filter(|army| army.count > 0);
        let mut all = armies.map(|army| match army.formation {
            _ if !(army.moved.is_empty() && army.without.is_empty()) => None,
            Formation::Uniform(area) => (area == scene.field).then_some(Self::Random),
            Formation::Clusters {
                area,
                count,
                spread,
            } => {
                let is_it = area == scene.field || area == middles(scene.field, spread);
                is_it.then_some(Self::Clusters(count, spread))
            }
            _ => None,
        });
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    }

    fn formation(self, field: Aabb) -> Formation {
        match self {
            Self::Random => Formation::Uniform(field),
            Self::Clusters(count, spread) => Formation::Clusters {
                area: middles(field, spread),
                count,
                spread,
            },
        }
    }

    fn check(self) -> Result<(), String> {
        match self {
            Self::Random => Ok(()),
            Self::Clusters(0, _) => Err("there must be at least 1 cluster (found 0)".to_owned()),
            Self::Clusters(count, _) if count > MAX_UNITS => Err(format!(
                "there may be at most {MAX_UNITS} clusters (found {count})"
            )),
            Self::Clusters(_, spread) => {
                number("the spread of a cluster", spread, 0.0, COORDINATE_LIMIT)
            }
        }
    }
}

/// Where the middles of blobs of this standard deviation lie, so that hardly anybody of them is folded back at its border: in all of it but
/// a margin, which leaves a narrow one its middle.
fn middles(field: Aabb, deviation: f32) -> Aabb {
    /// Of a blob one in a hundred is farther out to a side than so many deviations.
    const DEVIATIONS: f32 = 2.33;
    /// The margin takes no more than this part of a side's half.
    const MOST: f32 = 0.9;
    let margin = Vec2::splat(DEVIATIONS * deviation).min(field.size() * (0.5 * MOST));
    Aabb::new(field.min + margin, field.max - margin)
}

/// How large bodies are: squares or cubes, by half of their width in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum BodySize {
    /// No size.
    Point,
    /// All the same.
    Alike(f32),
    /// Evenly between the two.
    Between(f32, f32),
    /// Many small and few very large, as [`Size::Pareto`]: the least, the greatest, and the exponent.
    Pareto(f32, f32, f32),
}

impl BodySize {
    /// The bodies of all armies or flocks of a scene; `None` where they differ, or are no squares.
    pub fn of(scene: &Scene) -> Option<Self> {
        // Those of whom nobody is left say nothing of how large bodies are, but where nobody is left at all.
        let flocks = || scene.volume.iter().flat_map(|volume| &volume.flocks);
        let is_empty = scene.armies.iter().all(|it| it.present_count() == 0)
            && flocks().all(|it| it.present_count() == 0);
        let armies = scene.armies.iter();
        let armies = armies.filter(|it| is_empty || it.present_count() > 0);
        // Whoever was given a size by hand is of another one than the rest, unless all have that.
        let plane = armies.map(|army| match army.are_sized() {
            true => Self::of_alike(army, army.size, square),
            false => Self::read(army.size, square),
        });
        let flocks = flocks().filter(|it| is_empty || it.present_count() > 0);
        let space = flocks.map(|flock| match flock.are_sized() {
            true => Self::of_alike(flock, flock.size, cube),
            false => Self::read(flock.size, cube),
        });
        let mut all = plane.chain(space);
        let first = all.next().unwrap_or(Some(Self::Point))?;
        all.all(|other| other == Some(first)).then_some(first)
    }

    /// The one size of all who are there, some of whom have sizes of their own; `None` where they differ, or are no squares.
    fn of_alike<G: Muster>(
        group: &G,
        law: Size<G::Place>,
        side: impl Fn(G::Place) -> Option<f32>,
    ) -> Option<Self>
    where
        G::Place: Default + PartialEq,
    {
        let mut erased = group.erased().iter().peekable();
        let mut own = group.sized().iter().filter(|(number, _)| {
            while erased.next_if(|gone| *gone < number).is_some() {}
            erased.peek() != Some(&number)
        });
        let (_, first) = own.next()?;
        let mut count = 1;
        for (_, half) in own {
            if half != first {
                return None;
            }
            count += 1;
        }
        // The others are as the group says.
        let of_law = match law {
            _ if count == group.present_count() => *first,
            Size::Point => G::Place::default(),
            Size::Fixed(half) => half,
            Size::Between(..) | Size::Pareto { .. } => return None,
        };
        let half = side(*first).filter(|_| of_law == *first)?;
        Some(match half > 0.0 {
            true => Self::Alike(half),
            false => Self::Point,
        })
    }

    fn read<V: Copy>(size: Size<V>, side: impl Fn(V) -> Option<f32>) -> Option<Self> {
        Some(match size {
            Size::Point => Self::Point,
            Size::Fixed(half) => Self::Alike(side(half)?),
            Size::Between(min, max) => Self::Between(min, max),
            Size::Pareto { min, max, exponent } => Self::Pareto(min, max, exponent),
        })
    }

    pub(super) fn size<V>(self, of_half: impl Fn(f32) -> V) -> Size<V> {
        match self {
            Self::Point => Size::Point,
            Self::Alike(half) => Size::Fixed(of_half(half)),
            Self::Between(min, max) => Size::Between(min, max),
            Self::Pareto(min, max, exponent) => Size::Pareto { min, max, exponent },
        }
    }

    pub(super) fn check(self) -> Result<(), String> {
        let what = "half the width of a body";
        let ascend = |min: f32, max: f32| {
            if min <= max {
                Ok(())
            } else {
                Err(format!(
                    "the greatest body must be at least as large as the least, {min} (found {max})"
                ))
            }
        };
        match self {
            Self::Point => Ok(()),
            Self::Alike(half) => number(what, half, 0.0, COORDINATE_LIMIT),
            Self::Between(min, max) => {
                number(what, min, 0.0, COORDINATE_LIMIT)?;
                number(what, max, 0.0, COORDINATE_LIMIT)?;
                ascend(min, max)
            }
            Self::Pareto(min, max, exponent) => {
                number(what, min, f32::MIN_POSITIVE, COORDINATE_LIMIT)?;
                number(what, max, f32::MIN_POSITIVE, COORDINATE_LIMIT)?;
                number("the exponent", exponent, f32::MIN_POSITIVE, 1_000.0)?;
                ascend(min, max)
            }
        }
    }
}

fn square(half: Vec2) -> Option<f32> {
    (half.x == half.y).then_some(half.x)
}

fn cube(half: Vec3) -> Option<f32> {
    (half.x == half.y && half.y == half.z).then_some(half.x)
}

impl Beginning {
    /// Everything that can be known to be wrong without a scene, in one sentence.
    pub(super) fn check(&self) -> Result<(), String> {
        if let Some((name, caption)) = &self.title {
            check_title(name, caption)?;
        }
        if let Some((width, height)) = self.field {
            let most = 2.0 * COORDINATE_LIMIT;
            number("the field's width", width, LEAST_FIELD, most)?;
            number("the field's height", height, LEAST_FIELD, most)?;
        }
        if let Some(units) = self.units.filter(|units| *units > MAX_UNITS) {
            return Err(format!(
                "there may be at most {MAX_UNITS} units (found {units})"
            ));
        }
        if self.hit_points == Some(0) {
            return Err(format!(
                "the hit points of a unit must be a whole number from 1 to {} (found 0)",
                u16::MAX
            ));
        }
        for (what, value, most) in [
            ("the reach of a unit", self.reach, COORDINATE_LIMIT),
            ("how far units keep apart", self.keep_apart, MAX_KEEP_APART),
            ("the sight of a unit", self.sight, COORDINATE_LIMIT),
            ("the speed of a unit", self.speed, MAX_SPEED),
        ] {
            value.map_or(Ok(()), |value| number(what, value, 0.0, most))?;
        }
        self.places.map_or(Ok(()), Places::check)?;
        self.bodies.map_or(Ok(()), BodySize::check)
    }

    /// Whether a scene begins so already.
    pub fn is_that_of(&self, scene: &Scene) -> bool {
        let size = scene.field.size();
        let is_of_nobody = scene.armies.is_empty() && scene.volume.is_none();
        let title = self.title.as_ref();
        title.is_none_or(|(name, caption)| (name, caption) == (&scene.name, &scene.caption))
            && self.field.is_none_or(|field| field == (size.x, size.y))
            && self.seed.is_none_or(|seed| seed == scene.seed)
            && self
                .units
                .is_none_or(|units| u64::from(units) == scene.unit_count())
            && self
                .keep_apart
                .is_none_or(|metres| metres == scene.keep_apart)
            && self
                .hit_points
                .is_none_or(|points| hit_points(scene) == Some(points))
            && self
                .bodies
                .is_none_or(|bodies| BodySize::of(scene) == Some(bodies))
            && self
                .places
                .is_none_or(|places| scene.unit_count() == 0 || Places::of(scene) == Some(places))
            && [
                (self.reach, reach(scene)),
                (self.sight, sight(scene)),
                (self.speed, speed(scene)),
            ]
            .into_iter()
            .all(|(wanted, known)| wanted.is_none() || wanted == known || is_of_nobody)
    }

    /// The document of a scene that begins so. `orders` are those of both sides, where nobody is there yet.
    pub(super) fn written_into(
        &self,
        document: &Document,
        orders: [Order; 2],
    ) -> Result<Document, String> {
        let mut document = document.clone();
        let units = self.units.map(|units| (units, document.is_empty_field()));
        match units {
            Some((1.., true)) if document.scene().volume.is_some() => {
                return Err(
                    "there is nobody of whom there could be more: place units first".to_owned(),
                );
            }
            Some((units @ 1.., true)) => document.people(units, orders),
            Some((units, _)) => document.scale(units),
            None => {}
        }
        // The number alone can be turned to and fro, and each army keeps its share.
        let is_number_alone = *self
            == Self {
                units: self.units,
                title: self.title.clone(),
                seed: self.seed,
                ..Self::default()
            };
        if units.is_none() || !is_number_alone {
            document.forget_shares();
        }
        let mut outcome = Ok(());
        document.edit(|scene| outcome = self.write(scene));
        outcome.map(|()| document)
    }

    fn write(&self, scene: &mut Scene) -> Result<(), String> {
        if let Some((name, caption)) = &self.title {
            (scene.name, scene.caption) = (name.clone(), caption.clone());
        }
        if let Some(seed) = self.seed {
            scene.seed = seed;
        }
        if let Some(bodies) = self.bodies {
            for army in &mut scene.armies {
                army.size = bodies.size(Vec2::splat);
                army.sized.clear();
            }
            for flock in scene.volume.iter_mut().flat_map(|it| &mut it.flocks) {
                flock.size = bodies.size(Vec3::splat);
                flock.sized.clear();
            }
        }
        if let Some(points) = self.hit_points {
            for army in &mut scene.armies {
                army.hit_points = points;
            }
            for flock in scene.volume.iter_mut().flat_map(|it| &mut it.flocks) {
                flock.hit_points = points;
            }
        }
        if let Some(reach) = self.reach {
            scene.armies.iter_mut().for_each(|army| army.reach = reach);
            if let Some(volume) = &mut scene.volume {
                volume.reach = reach;
            }
        }
        if let Some(metres) = self.keep_apart {
            if scene.volume.is_some() {
                return Err("in space units push each other within a part of their reach: how far they keep apart is set on a plane alone".to_owned());
            }
            // A zero has no sign here.
            scene.keep_apart = metres + 0.0;
        }
        if let Some(sight) = self.sight {
            scene.armies.iter_mut().for_each(|army| army.sight = sight);
            let flocks = scene.volume.iter_mut().flat_map(|it| &mut it.flocks);
            flocks.for_each(|flock| flock.sight = sight);
        }
        if let Some(speed) = self.speed {
            scene.armies.iter_mut().for_each(|army| army.speed = speed);
            let flocks = scene.volume.iter_mut().flat_map(|it| &mut it.flocks);
            flocks.for_each(|flock| flock.speed = speed);
        }
        if let Some(field) = self.field {
            stretch(scene, Vec2::new(field.0, field.1))?;
        }
        match self.places {
            Some(places) => spread_over(scene, places),
            None => Ok(()),
        }
    }
}

/// Spreads the units of all armies over the field, as many as there are.
fn spread_over(scene: &mut Scene, places: Places) -> Result<(), String> {
    if scene.volume.is_some() {
        return Err("where flocks begin is set in the file of a scene in space".to_owned());
    }
    // Who waits for a first unit has none to be spread.
    for army in scene.armies.iter_mut().filter(|army| army.count > 0) {
        let erased = army.erased().to_vec();
        army.number_sized_anew(&erased);
        army.count = army.present_count();
        army.without.clear();
        army.moved.clear();
        army.formation = places.formation(scene.field);
        if !farthest(army).is_some_and(|at| at <= COORDINATE_LIMIT) {
            return Err(format!(
                "with such a spread units would stand farther than {COORDINATE_LIMIT} m from the origin"
            ));
        }
    }
    Ok(())
}

/// The hit points of all armies and flocks of a scene; `None` where they differ, or there are none.
pub fn hit_points(scene: &Scene) -> Option<u16> {
    let plane = scene.armies.iter().map(|army| army.hit_points);
    let flocks = scene.volume.iter().flat_map(|volume| &volume.flocks);
    let mut all = plane.chain(flocks.map(|flock| flock.hit_points));
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// What all armies and flocks of a scene have in common; `None` where they differ, or there are none.
fn common(scene: &Scene, of_army: fn(&Army) -> f32, of_flock: fn(&Flock) -> f32) -> Option<f32> {
    let flocks = scene.volume.iter().flat_map(|volume| &volume.flocks);
    let mut all = scene.armies.iter().map(of_army).chain(flocks.map(of_flock));
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// How far all units of a scene strike, before that is multiplied; `None` where armies differ, or there are none.
pub fn reach(scene: &Scene) -> Option<f32> {
    match &scene.volume {
        Some(volume) => Some(volume.reach),
        None => common(scene, |army| army.reach, |_| f32::NAN),
    }
}

/// How far all units of a scene see an enemy; `None` where they differ, or there are none.
pub fn sight(scene: &Scene) -> Option<f32> {
    common(scene, |army| army.sight, |flock| flock.sight)
}

/// The top speed of all units of a scene; `None` where they differ, or there are none.
pub fn speed(scene: &Scene) -> Option<f32> {
    common(scene, |army| army.speed, |flock| flock.speed)
}

/// Less than this is no field, in metres: what is smaller is not told apart far from the origin.
const LEAST_FIELD: f32 = 1.0;

/// Gives the field another size, and spreads whoever begins on it in proportion.
fn stretch(scene: &mut Scene, size: Vec2) -> Result<(), String> {
    let before = scene.field;
    if before.size() == size {
        return Ok(());
    }
    let why = if scene.volume.is_some() {
        Some(
            "of a scene in space is set in its file: how high it is goes with its hills and its slice",
        )
    } else if scene.world.is_some() {
        Some("of a world is set in its file, with the objects that stand on it")
    } else {
        None
    };
    if let Some(why) = why {
        return Err(format!("the size of the field {why}"));
    }
    let field = Aabb::new(before.min, before.min + size);
    if !(field.max.max_element() <= COORDINATE_LIMIT && field.size().cmpgt(Vec2::ZERO).all()) {
        return Err(format!(
            "the field begins at {}, {}, so that it would end beyond {COORDINATE_LIMIT} m",
            before.min.x, before.min.y
        ));
    }
    let factor = size / before.size();
    let spread = |at: Vec2| before.min + (at - before.min) * factor;
    // Of what is round: the field keeps its share of area in it.
    let length = (factor.x * factor.y).sqrt();
    for army in &mut scene.armies {
        let has_margin = matches!(
            &army.formation,
            Formation::Clusters { area, spread, .. } if *area == middles(before, *spread)
        );
        spread_army(army, &spread, length);
        // The margin goes by the blobs, which stay round.
        if let Formation::Clusters { area, spread, .. } = &mut army.formation
            && has_margin
        {
            *area = middles(field, *spread);
        }
        if !farthest(army).is_some_and(|at| at <= COORDINATE_LIMIT) {
            return Err(format!(
                "on such a field units would stand farther than {COORDINATE_LIMIT} m from the origin"
            ));
        }
    }
    scene.field = field;
    // It showed a part of another field.
    scene.camera = None;
    if let Some(character) = &mut scene.character {
        let limit = Vec2::splat(COORDINATE_LIMIT);
        let spread = |at: Vec2| spread(at).clamp(-limit, limit);
        character.position = spread(character.position);
        for path in &mut character.paths {
            path.points.iter_mut().for_each(|at| *at = spread(*at));
            // The way of a step is another one now, and the velocity that was recorded of it goes by that.
            path.velocities.clear();
        }
    }
    Ok(())
}

fn spread_army(army: &mut Army, spread: &impl Fn(Vec2) -> Vec2, length: f32) {
    let area = |area: &mut Aabb| *area = Aabb::new(spread(area.min), spread(area.max));
    match &mut army.formation {
        Formation::Uniform(it) | Formation::Ranks(it) | Formation::Cross(it) => area(it),
        Formation::Ring {
            center,
            inner,
            outer,
        } => {
            *center = spread(*center);
            *inner *= length;
            *outer *= length;
        }
        Formation::Clusters {
            area: it,
            spread: deviation,
            ..
        } => {
            area(it);
            *deviation *= length;
        }
        Formation::Line { from, to } => (*from, *to) = (spread(*from), spread(*to)),
        Formation::Spot(at) => *at = spread(*at),
        Formation::Explicit(all) => all.iter_mut().for_each(|at| *at = spread(*at)),
    }
    army.moved.iter_mut().for_each(|(_, at)| *at = spread(*at));
}

/// How far from the origin an army may stand along either axis, as a scene's file limits it; nothing where that is no number.
fn farthest(army: &Army) -> Option<f32> {
    let of_box = |it: &Aabb| it.min.abs().max(it.max.abs()).max_element();
    let of_all = |all: &mut dyn Iterator<Item = Vec2>| {
        all.fold(0.0, |most: f32, at| most.max(at.abs().max_element()))
    };
    let formation = match &army.formation {
        Formation::Uniform(it) | Formation::Ranks(it) | Formation::Cross(it) => of_box(it),
        Formation::Ring { center, outer, .. } => center.abs().max_element() + outer,
        Formation::Clusters { area, spread, .. } => {
            of_box(area) + crate::scene::limits::CLUSTER_DEVIATIONS * spread
        }
        Formation::Line { from, to } => from.abs().max(to.abs()).max_element(),
        Formation::Spot(at) => at.abs().max_element(),
        Formation::Explicit(all) => of_all(&mut all.iter().copied()),
    };
    let moved = of_all(&mut army.moved.iter().map(|(_, at)| *at));
    let farthest = formation.max(moved);
    farthest.is_finite().then_some(farthest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Cancel;
    use crate::scene::file as scene_file;
    use crate::session::tests::{act, run, skirmish};
    use crate::session::{Action, Refusal, Session, Units};
    use std::sync::Arc;

    #[test]
    fn a_scene_begins_with_units_of_another_reach_that_are_spread_otherwise() {
        let mut session = skirmish(300);
        act(&mut session, Action::Erase((100.0, 150.0), 20.0));
        let count = session.battle().bodies().ids().count();
        let beginning = Beginning {
            reach: Some(10.0),
            keep_apart: Some(0.5),
            sight: Some(120.0),
            speed: Some(3.0),
            places: Some(Places::Clusters(4, 12.0)),
            ..Beginning::default()
        };
        act(&mut session, Action::Begin(beginning.clone()));
        let scene = session.scene();
        assert_eq!(
            [reach(scene), sight(scene), speed(scene)],
            [Some(10.0), Some(120.0), Some(3.0)]
        );
        assert_eq!(Places::of(scene), Some(Places::Clusters(4, 12.0)));
        assert!(beginning.is_that_of(scene));
        assert_eq!(session.battle().keep_apart(), 0.5);
        let field = scene.field;
        let positions = session.battle().positions().iter();
        let outside = positions.filter(|at| !field.contains(**at));
        assert_eq!(outside.count(), 0, "blobs lie on the field");
        assert_eq!(
            session.battle().bodies().ids().count(),
            count,
            "nobody comes back"
        );
        let text = scene_file::format(scene);
        assert_eq!(
            scene_file::parse(text.as_bytes(), "spread").unwrap(),
            **scene
        );
        // On another field they are clusters still.
        let wide = Beginning {
            field: Some((900.0, 250.0)),
            ..Beginning::default()
        };
        act(&mut session, Action::Begin(wide));
        let places = Places::of(session.scene());
        assert!(matches!(places, Some(Places::Clusters(4, _))), "{places:?}");
        act(&mut session, Action::Undo);
        act(&mut session, Action::Undo);
        assert_eq!(Places::of(session.scene()), None);
        for (wrong, said) in [
            (
                Beginning {
                    places: Some(Places::Clusters(0, 1.0)),
                    ..Beginning::default()
                },
                "at least 1 cluster",
            ),
            (
                Beginning {
                    reach: Some(-1.0),
                    ..Beginning::default()
                },
                "the reach of a unit",
            ),
            (
                Beginning {
                    keep_apart: Some(1.0e4),
                    ..Beginning::default()
                },
                "how far units keep apart",
            ),
            (
                Beginning {
                    speed: Some(f32::NAN),
                    ..Beginning::default()
                },
                "the speed of a unit",
            ),
            (
                Beginning {
                    places: Some(Places::Clusters(3, COORDINATE_LIMIT)),
                    ..Beginning::default()
                },
                "farther than",
            ),
        ] {
            let refusal = session.apply(Action::Begin(wrong), false, &Cancel::default());
            let refusal = refusal.unwrap_err().to_string();
            assert!(refusal.contains(said), "{refusal}");
        }
    }

    #[test]
    fn a_scene_begins_on_another_field_with_other_bodies_and_whoever_stands_on_it_is_spread() {
        let mut session = skirmish(300);
        run(&mut session, 20);
        act(&mut session, Action::Move(vec![(3, (100.0, 30.0))]));
        act(&mut session, Action::Shift(Units::new(vec![3]), (0.0, 0.0)));
        let before = Arc::new(session.scene().clone());
        let size = before.field.size();
        let wider = Beginning {
            field: Some((size.x * 2.0, size.y)),
            ..Beginning::default()
        };
        act(&mut session, Action::Begin(wider.clone()));
        assert_eq!(
            session.scene().field.size(),
            Vec2::new(size.x * 2.0, size.y)
        );
        assert_eq!(session.battle().tick(), 0);
        let moved = |scene: &Scene| scene.armies[0].moved.clone();
        assert_eq!(moved(&before), [(3, Vec2::new(100.0, 30.0))]);
        assert_eq!(moved(session.scene()), [(3, Vec2::new(200.0, 30.0))]);
        // Who begins so already has nothing to begin anew with.
        let name = session.undo_name(false);
        act(&mut session, Action::Begin(wider));
        assert_eq!(session.undo_name(false), name);
        assert_eq!(BodySize::of(session.scene()), Some(BodySize::Point));
        let bodies = BodySize::Pareto(0.5, 8.0, 1.7);
        act(
            &mut session,
            Action::Begin(Beginning {
                bodies: Some(bodies),
                ..Beginning::default()
            }),
        );
        assert_eq!(BodySize::of(session.scene()), Some(bodies));
        let tough = Beginning {
            hit_points: Some(u16::MAX),
            ..Beginning::default()
        };
        act(&mut session, Action::Begin(tough));
        assert_eq!(hit_points(session.scene()), Some(u16::MAX));
        // What comes of it is a scene like any other.
        let text = scene_file::format(session.scene());
        let read = scene_file::parse(text.as_bytes(), "beginning").expect("a scene");
        assert_eq!(&read, &**session.scene());
    }

    #[test]
    fn what_no_scene_can_begin_with_is_refused_in_one_sentence() {
        let mut session = skirmish(300);
        let refused = |session: &mut Session, beginning: Beginning| {
            let outcome =
                session.apply(Action::Begin(beginning.clone()), false, &Cancel::default());
            match outcome {
                Err(Refusal::Sentence(sentence)) => sentence,
                other => panic!("{beginning:?} is not refused: {other:?}"),
            }
        };
        let field = |x, y| Beginning {
            field: Some((x, y)),
            ..Beginning::default()
        };
        let bodies = |bodies| Beginning {
            bodies: Some(bodies),
            ..Beginning::default()
        };
        for (beginning, sentence) in [
            (field(0.0, 10.0), "the field's width must be from 1 to"),
            (
                field(10.0, f32::NAN),
                "the field's height must be from 1 to",
            ),
            (
                field(10.0, 1.5 * COORDINATE_LIMIT),
                "so that it would end beyond",
            ),
            (
                bodies(BodySize::Alike(-1.0)),
                "half the width of a body must be",
            ),
            (
                bodies(BodySize::Between(3.0, 2.0)),
                "the greatest body must be at least as large as the least, 3 (found 2)",
            ),
            (
                bodies(BodySize::Pareto(0.5, 2.0, 0.0)),
                "the exponent must be from",
            ),
        ] {
            let said = refused(&mut session, beginning);
            assert!(said.contains(sentence), "{said}");
        }
    }
}
