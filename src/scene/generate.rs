//! From a scene's generators to units and objects: seeded, so that the same scene is the same battle everywhere.
//!
//! Each army, each flock and each group of objects draws from a stream of its own, places and sizes apart, so that changing the size
//! of one army moves nobody.

use super::{Army, Formation, Muster, ObjectGroup, Scene, Size};
use crate::chance::{self, Stream};
use crate::geometry::{Aabb, Vec2};
use crate::partition::COORDINATE_LIMIT;
use std::collections::HashMap;

mod volume;

pub use volume::{Ground, Recruits3, flock, ground, half_extents3, sizes_behind3};

/// The units of one army at the start, without those that were erased. [`Army::present`] has their numbers in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recruits {
    /// Where each stands.
    pub positions: Vec<Vec2>,
    /// Half of each one's width and height; empty when they are points.
    pub half_extents: Vec<Vec2>,
}

/// One object of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldObject {
    /// Its middle, in metres.
    pub center: Vec2,
    /// Half of its width and height, in metres.
    pub half_extent: Vec2,
    /// Its picture: an index into [`WorldObjects::assets`].
    pub asset: u32,
    /// How many bytes it is said to take; `None` for as many as its picture's file has.
    pub bytes: Option<u64>,
}

/// The objects of a scene's world, in the order in which they are numbered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldObjects {
    /// The objects.
    pub objects: Vec<WorldObject>,
    /// The pictures in use, each once: paths relative to the scene's folder.
    pub assets: Vec<String>,
}

/// What a stream is for; keeps the streams of one seed apart. A new one goes to the end, so that the others stay what they are.
#[derive(Clone, Copy)]
enum Purpose {
    Places,
    Sizes,
    ObjectPlaces,
    ObjectSizes,
    ObjectAssets,
    ObjectBytes,
    FlockPlaces,
    FlockSizes,
    Ground,
}

/// The stream for the `index`th army or group of objects of a scene with this seed.
fn stream(seed: u64, purpose: Purpose, index: usize) -> Stream {
    Stream::new(chance::hash(seed, purpose as u64, index as u64))
}

/// The units of the scene's army at `index`, those that were moved where they were put. An army that the scene does not have is empty.
pub fn army(scene: &Scene, index: usize) -> Recruits {
    let Some(army) = scene.armies.get(index) else {
        return Recruits::default();
    };
    let mut positions = places(
        army,
        scene.field,
        &mut stream(scene.seed, Purpose::Places, index),
    );
    let mut sizes = stream(scene.seed, Purpose::Sizes, index);
    let mut half_extents = half_extents(army.size, positions.len(), &mut sizes);
    army.put_moved(&mut positions);
    army.put_sized(positions.len(), Vec2::ZERO, &mut half_extents);
    // Only now, so that the streams have dealt everybody else what they would have without an erased one.
    army.leave_out(&mut positions);
    army.leave_out(&mut half_extents);
    Recruits {
        positions,
        half_extents,
    }
}

/// Where the units of the scene's army at `index` stood before any was moved, in the order of [`army`]: what no later edit of the scene
/// changes. Infinite where they are listed one by one, because those are listed anew.
pub fn homes(scene: &Scene, index: usize) -> Vec<Vec2> {
    let Some(army) = scene.armies.get(index) else {
        return Vec::new();
    };
    let mut homes = match &army.formation {
        Formation::Explicit(listed) => vec![Vec2::INFINITY; listed.len()],
        _ => places(
            army,
            scene.field,
            &mut stream(scene.seed, Purpose::Places, index),
        ),
    };
    army.leave_out(&mut homes);
    homes
}

/// The objects of the scene's world, those that were moved where they were put, and as large as they were made; none without a world.
pub fn objects(scene: &Scene) -> WorldObjects {
    objects_from(scene, 0)
}

/// The objects of the groups from `first` on, as they are among all of them, with the pictures that these groups name.
pub fn objects_from(scene: &Scene, first: usize) -> WorldObjects {
    let mut all = WorldObjects::default();
    let mut known = HashMap::new();
    let groups = scene.world.iter().flat_map(|world| &world.objects);
    for (index, group) in groups.enumerate().skip(first) {
        match group {
            ObjectGroup::Object {
                center,
                half_extent,
                asset,
            } => {
                let asset = all.asset(&mut known, asset);
                all.objects.push(WorldObject {
                    center: *center,
                    half_extent: *half_extent,
                    asset,
                    bytes: None,
                });
            }
            ObjectGroup::Scatter(scatter) => {
                let assets: Vec<u32> = scatter
                    .assets
                    .iter()
                    .map(|path| all.asset(&mut known, path))
                    .collect();
                let mut places = stream(scene.seed, Purpose::ObjectPlaces, index);
                let mut sizes = stream(scene.seed, Purpose::ObjectSizes, index);
                let mut weights = stream(scene.seed, Purpose::ObjectBytes, index);
                let mut deal = stream(scene.seed, Purpose::ObjectAssets, index);
                let first = all.objects.len();
                for _ in 0..scatter.count {
                    let asset = deal.below(assets.len() as u64) as usize;
                    all.objects.push(WorldObject {
                        center: anywhere_in(scatter.area, &mut places),
                        half_extent: half_extent(scatter.size, &mut sizes),
                        // A scatter without pictures is turned away by the scene's reader.
                        asset: assets.get(asset).copied().unwrap_or_default(),
                        bytes: scatter.bytes.map(|(least, greatest)| {
                            least + weights.below(greatest.saturating_sub(least).saturating_add(1))
                        }),
                    });
                }
                for (number, place) in &scatter.moved {
                    if let Some(object) = all.objects.get_mut(first + *number as usize) {
                        object.center = *place;
                    }
                }
                for (number, size) in &scatter.sized {
                    if let Some(object) = all.objects.get_mut(first + *number as usize) {
                        object.half_extent = *size;
                    }
                }
                // Only now, so that the streams have dealt all others what they would have without one that was taken away.
                if !scatter.without.is_empty() {
                    let mut own = all.objects.split_off(first);
                    scatter.leave_out(&mut own);
                    all.objects.extend(own);
                }
            }
        }
    }
    all
}

impl WorldObjects {
    /// The index of the picture at `path`, which is listed if it is not yet `known`.
    fn asset<'a>(&mut self, known: &mut HashMap<&'a str, u32>, path: &'a str) -> u32 {
        *known.entry(path).or_insert_with(|| {
            self.assets.push(path.to_owned());
            (self.assets.len() - 1) as u32
        })
    }
}

/// Half of the width and height of `count` bodies of this size; empty for points.
pub fn half_extents(size: Size, count: usize, stream: &mut Stream) -> Vec<Vec2> {
    match size {
        Size::Point => Vec::new(),
        _ => (0..count).map(|_| half_extent(size, stream)).collect(),
    }
}

/// Half of the width and height of `count` bodies that come behind the first `first` ones of the army at `index`, of this size: as
/// [`army`] deals them when the scene begins. Empty for points.
pub fn sizes_behind(
    (seed, index): (u64, usize),
    size: Size,
    (first, count): (usize, usize),
) -> Vec<Vec2> {
    half_extents(
        size,
        count,
        &mut stream_behind((seed, Purpose::Sizes, index), first),
    )
}

/// The stream of sizes behind those of the first so many bodies, of which each has taken one number.
fn stream_behind((seed, purpose, index): (u64, Purpose, usize), first: usize) -> Stream {
    let mut sizes = stream(seed, purpose, index);
    for _ in 0..first {
        sizes.bits();
    }
    sizes
}

/// Half of the width and height of one body of this size.
fn half_extent(size: Size, stream: &mut Stream) -> Vec2 {
    match size {
        Size::Point => Vec2::ZERO,
        Size::Fixed(half_extent) => half_extent,
        Size::Between(min, max) => Vec2::splat(stream.between(min, max)),
        Size::Pareto { min, max, exponent } => Vec2::splat(stream.pareto(min, max, exponent)),
    }
}

/// Where the units of `army` stand on this field.
fn places(army: &Army, field: Aabb, stream: &mut Stream) -> Vec<Vec2> {
    let count = army.count as usize;
    match &army.formation {
        Formation::Uniform(area) => (0..count).map(|_| anywhere_in(*area, stream)).collect(),
        Formation::Ranks(area) => ranks(count, *area, stream),
        Formation::Ring {
            center,
            inner,
            outer,
        } => (0..count)
            .map(|_| {
                within_limit(*center + stream.direction() * ring_radius(*inner, *outer, stream))
            })
            .collect(),
        Formation::Clusters {
            area,
            count: clusters,
            spread,
        } => {
            let ends = ends_of_blobs(count, *clusters as usize);
            blobs(ends, (*area, field), *spread, stream)
        }
        Formation::Line { from, to } => line(count, *from, *to).collect(),
        Formation::Spot(point) => vec![*point; count],
        Formation::Cross(area) => {
            let center = area.center();
            let vertical = count / 2;
            line(
                count - vertical,
                Vec2::new(area.min.x, center.y),
                Vec2::new(area.max.x, center.y),
            )
            .chain(line(
                vertical,
                Vec2::new(center.x, area.min.y),
                Vec2::new(center.x, area.max.y),
            ))
            .collect()
        }
        Formation::Explicit(positions) => positions.iter().copied().take(count).collect(),
    }
}

/// A point of `area`, every one as likely as any other.
fn anywhere_in(area: Aabb, stream: &mut Stream) -> Vec2 {
    Vec2::new(
        stream.between(area.min.x, area.max.x),
        stream.between(area.min.y, area.max.y),
    )
}

/// A distance from the middle of a ring such that its area is filled evenly: the square is even between the squares.
fn ring_radius(inner: f32, outer: f32, stream: &mut Stream) -> f32 {
    let (inner_sq, outer_sq) = (
        f64::from(inner) * f64::from(inner),
        f64::from(outer) * f64::from(outer),
    );
    let radius = (inner_sq + (outer_sq - inner_sq) * stream.unit()).sqrt() as f32;
    radius.min(outer).max(inner)
}

/// Rank after rank from below, each from left to right; the last one, if it is short, in the middle.
fn ranks(count: usize, area: Aabb, stream: &mut Stream) -> Vec<Vec2> {
    let (width, height) = (
        f64::from(area.max.x) - f64::from(area.min.x),
        f64::from(area.max.y) - f64::from(area.min.y),
    );
    // Equal spacing along both axes asks for files / ranks = width / height. A box without height has one rank.
    let files = (count as f64 * width / height).sqrt().ceil();
    let files = if files.is_nan() { 1.0 } else { files };
    let files = (files as usize).clamp(1, count.max(1));
    let spacing_x = width / files as f64;
    let spacing_y = height / count.div_ceil(files).max(1) as f64;
    (0..count)
        .map(|unit| {
            let (rank, file) = (unit / files, unit % files);
            let in_rank = files.min(count - rank * files);
            let indent = (files - in_rank) as f64 * 0.5;
            let mut jitter = || (stream.unit() - 0.5) * 0.2;
            let x = (file as f64 + indent + 0.5 + jitter()) * spacing_x;
            let y = (rank as f64 + 0.5 + jitter()) * spacing_y;
            let place = Vec2::new(
                (f64::from(area.min.x) + x) as f32,
                (f64::from(area.min.y) + y) as f32,
            );
            place.clamp(area.min, area.max)
        })
        .collect()
}

/// Blobs around random middles in `area`, of as many units as [`ends_of_blobs`] gives them, one after the other; a tail that would lie
/// beside the field is folded back into it. Where the area reaches beyond the field the blobs may do so as well.
fn blobs(
    ends: impl Iterator<Item = usize>,
    (area, field): (Aabb, Aabb),
    spread: f32,
    stream: &mut Stream,
) -> Vec<Vec2> {
    let room = area.join(field);
    let mut places = Vec::new();
    for end in ends {
        let middle = anywhere_in(area, stream);
        while places.len() < end {
            let offset = Vec2::new(stream.normal() as f32, stream.normal() as f32) * spread;
            places.push(within_limit(folded(middle + offset, room)));
        }
    }
    places
}

/// The point itself where it is in the room. Otherwise it lies as far inside of the border as it did outside, for at the border itself
/// units would be heaped up on a line; where the room is too narrow for that, at the border.
fn folded(point: Vec2, room: Aabb) -> Vec2 {
    if room.contains(point) {
        return point;
    }
    let inward = point.max(room.min * 2.0 - point);
    inward
        .min(room.max * 2.0 - inward)
        .clamp(room.min, room.max)
}

/// How many of `count` units are in the first blob, in the first two and so on, at most as many blobs as units; the kth has a share of
/// 1/k (Zipf's law).
fn ends_of_blobs(count: usize, clusters: usize) -> impl Iterator<Item = usize> {
    let clusters = clusters.clamp(1, count.max(1));
    let total: f64 = (1..=clusters).map(|rank| 1.0 / rank as f64).sum();
    let mut share = 0.0;
    (1..=clusters).map(move |rank| {
        share += 1.0 / rank as f64;
        // Cutting the running share, not each share by itself, makes the parts add up.
        if rank == clusters {
            count
        } else {
            (count as f64 * share / total) as usize
        }
    })
}

/// `count` points from `from` to `to`, evenly spaced, both ends included; a single one stands at `from`.
fn line(count: usize, from: Vec2, to: Vec2) -> impl Iterator<Item = Vec2> {
    (0..count).map(move |unit| {
        let share = unit as f64 / count.saturating_sub(1).max(1) as f64;
        let at =
            |from: f32, to: f32| (f64::from(from) * (1.0 - share) + f64::from(to) * share) as f32;
        Vec2::new(at(from.x, to.x), at(from.y, to.y))
    })
}

/// The point itself, or the nearest one that a unit may stand on.
fn within_limit(point: Vec2) -> Vec2 {
    point.clamp(
        Vec2::splat(-COORDINATE_LIMIT),
        Vec2::splat(COORDINATE_LIMIT),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Kind;
    use crate::scene::{Budgets, Order, Scatter, Side, StructureChoice, View, World, WorldIndex};

    fn boxed(x0: f32, y0: f32, x1: f32, y1: f32) -> Aabb {
        Aabb::new(Vec2::new(x0, y0), Vec2::new(x1, y1))
    }

    fn scene(count: u32, formation: Formation, size: Size) -> Scene {
        Scene {
            name: String::new(),
            caption: String::new(),
            field: boxed(0.0, 0.0, 100.0, 100.0),
            seed: 11,
            reach_scale: 1.0,
            keep_apart: Scene::KEEP_APART,
            armies: vec![Army {
                side: Side::Blue,
                count,
                formation,
                order: Order::Hold,
                speed: 3.0,
                reach: 1.5,
                sight: 30.0,
                hit_points: 100,
                size,
                without: Vec::new(),
                moved: Vec::new(),
                sized: Vec::new(),
            }],
            world: None,
            volume: None,
            structure: StructureChoice {
                kind: Kind::AllPairs,
                knobs: Vec::new(),
            },
            lanes: Vec::new(),
            camera: None,
            view: View::default(),
            character: None,
        }
    }

    #[test]
    fn every_formation_has_exactly_its_count_and_is_seeded() {
        let area = boxed(-20.0, 10.0, 30.0, 40.0);
        for formation in [
            Formation::Uniform(area),
            Formation::Ranks(area),
            Formation::Ring {
                center: Vec2::new(5.0, 25.0),
                inner: 3.0,
                outer: 10.0,
            },
            Formation::Clusters {
                area,
                count: 4,
                spread: 2.0,
            },
            Formation::Line {
                from: area.min,
                to: area.max,
            },
            Formation::Spot(Vec2::ONE),
            Formation::Cross(area),
        ] {
            for count in [0, 1, 2, 7, 500] {
                let scene = scene(count, formation.clone(), Size::Between(0.5, 1.0));
                let recruits = army(&scene, 0);
                assert_eq!(recruits.positions.len(), count as usize, "{formation:?}");
                assert_eq!(recruits.half_extents.len(), count as usize);
                assert_eq!(army(&scene, 0), recruits);
            }
        }
    }

    #[test]
    fn units_stand_inside_their_area() {
        let area = boxed(-20.0, 10.0, 30.0, 40.0);
        for formation in [
            Formation::Uniform(area),
            Formation::Ranks(area),
            Formation::Cross(area),
            Formation::Line {
                from: area.min,
                to: area.max,
            },
        ] {
            let recruits = army(&scene(333, formation, Size::Point), 0);
            assert!(recruits.half_extents.is_empty());
            assert!(recruits.positions.iter().all(|p| area.contains(*p)));
        }
        let ring = Formation::Ring {
            center: Vec2::ZERO,
            inner: 3.0,
            outer: 10.0,
        };
        for position in army(&scene(333, ring, Size::Point), 0).positions {
            assert!((2.999..10.001).contains(&position.length()));
        }
    }

    #[test]
    fn flat_boxes_and_empty_lines_are_filled_too() {
        for area in [
            boxed(0.0, 5.0, 9.0, 5.0),
            boxed(5.0, 0.0, 5.0, 9.0),
            boxed(5.0, 5.0, 5.0, 5.0),
        ] {
            let recruits = army(&scene(10, Formation::Ranks(area), Size::Point), 0);
            assert_eq!(recruits.positions.len(), 10);
            assert!(recruits.positions.iter().all(|p| area.contains(*p)));
        }
    }

    #[test]
    fn ranks_are_spaced_evenly() {
        let area = boxed(0.0, 0.0, 20.0, 5.0);
        let recruits = army(&scene(100, Formation::Ranks(area), Size::Point), 0);
        for (unit, position) in recruits.positions.iter().enumerate() {
            let place = Vec2::new((unit % 20) as f32 + 0.5, (unit / 20) as f32 + 0.5);
            assert!((*position - place).abs().max_element() <= 0.1001, "{unit}");
        }
    }

    #[test]
    fn the_size_of_an_army_moves_nobody() {
        let area = boxed(0.0, 0.0, 50.0, 50.0);
        let points = army(&scene(50, Formation::Uniform(area), Size::Point), 0);
        let size = Size::Pareto {
            min: 0.25,
            max: 8.0,
            exponent: 1.1,
        };
        let sized = army(&scene(50, Formation::Uniform(area), size), 0);
        assert_eq!(points.positions, sized.positions);
        assert!(sized.half_extents.iter().all(|h| h.x == h.y));
        assert!(
            sized
                .half_extents
                .iter()
                .all(|h| (0.25..=8.0).contains(&h.x))
        );
        assert!(sized.half_extents.iter().any(|h| h.x > 1.0));
    }

    #[test]
    fn clusters_follow_zipf_and_add_up() {
        let formation = Formation::Clusters {
            area: boxed(0.0, 0.0, 1_000.0, 1_000.0),
            count: 3,
            spread: 0.0,
        };
        let places = army(&scene(110, formation, Size::Point), 0).positions;
        let of = |first: usize| places.iter().filter(|p| **p == places[first]).count();
        assert_eq!((of(0), of(60), of(109)), (60, 30, 20));
    }

    #[test]
    fn blobs_stay_on_the_field_and_only_who_would_lie_beside_it_is_elsewhere() {
        let field = boxed(0.0, 0.0, 100.0, 100.0);
        let clusters = |spread| Formation::Clusters {
            area: field,
            count: 4,
            spread,
        };
        for spread in [8.0, 60.0, COORDINATE_LIMIT] {
            let scene = scene(2_000, clusters(spread), Size::Point);
            let places = army(&scene, 0).positions;
            assert!(places.iter().all(|at| field.contains(*at)), "{spread}");
            // On a field on which all of them have room they are where chance has put them.
            let wide = Scene {
                field: Aabb::around(Vec2::ZERO, Vec2::splat(COORDINATE_LIMIT)),
                ..scene.clone()
            };
            let before = army(&wide, 0).positions;
            let is_kept = |(now, then): (&Vec2, &Vec2)| !field.contains(*then) || now == then;
            assert!(places.iter().zip(&before).all(is_kept), "{spread}");
            assert!(before.iter().any(|at| !field.contains(*at)), "{spread}");
        }
        // Nobody is heaped up at the border by a tail that has room inside.
        let scene = scene(2_000, clusters(8.0), Size::Point);
        let places = army(&scene, 0).positions;
        let is_inside = |at: &Vec2| at.cmpgt(field.min).all() && at.cmplt(field.max).all();
        assert!(places.iter().all(is_inside));
    }

    #[test]
    fn blobs_of_a_region_beside_the_field_stay_where_they_were_put() {
        let area = boxed(300.0, 20.0, 340.0, 60.0);
        let formation = Formation::Clusters {
            area,
            count: 3,
            spread: 1.0,
        };
        let places = army(&scene(200, formation, Size::Point), 0).positions;
        assert!(
            places
                .iter()
                .all(|at| area.grown(Vec2::splat(6.1)).contains(*at))
        );
    }

    #[test]
    fn objects_are_numbered_in_order_and_share_pictures() {
        let mut scene = scene(0, Formation::Spot(Vec2::ZERO), Size::Point);
        let area = boxed(0.0, 0.0, 50.0, 50.0);
        scene.world = Some(World {
            objects: vec![
                ObjectGroup::Object {
                    center: Vec2::ONE,
                    half_extent: Vec2::splat(2.0),
                    asset: "b.png".into(),
                },
                ObjectGroup::Scatter(Scatter {
                    bytes: Some((5, 7)),
                    ..Scatter::new(
                        40,
                        area,
                        Size::Fixed(Vec2::new(1.0, 3.0)),
                        vec!["a.png".into(), "b.png".into()],
                    )
                }),
            ],
            need_factor: 4.0,
            need_min: 10.0,
            need_max: 100.0,
            lead: 10.0,
            margin: 10.0,
            predict_seconds: None,
            index: WorldIndex::default(),
            disk: None,
            budgets: Budgets::default(),
        });
        let world = objects(&scene);
        assert_eq!(world.assets, ["b.png", "a.png"]);
        assert_eq!(world.objects.len() as u64, scene.object_count());
        assert_eq!(world.objects[0].bytes, None);
        let in_range = |object: &WorldObject| (Some(5)..=Some(7)).contains(&object.bytes);
        assert!(world.objects[1..].iter().all(in_range));
        assert!(
            world.objects[1..]
                .iter()
                .any(|object| object.bytes == Some(7))
        );
        assert_eq!(world.objects[0].asset, 0);
        assert!(world.objects[1..].iter().all(|o| area.contains(o.center)));
        assert!(world.objects[1..].iter().any(|o| o.asset == 1));
        assert_eq!(objects(&scene), world);

        // The rest by itself is what it is among all, but for the numbers of its pictures.
        let rest = objects_from(&scene, 1);
        assert_eq!(rest.assets, ["a.png", "b.png"]);
        let places = |objects: &[WorldObject]| -> Vec<Vec2> {
            objects.iter().map(|object| object.center).collect()
        };
        assert_eq!(places(&rest.objects), places(&world.objects[1..]));
    }

    #[test]
    fn an_object_that_was_taken_away_or_moved_changes_no_other() {
        let mut scene = scene(0, Formation::Spot(Vec2::ZERO), Size::Point);
        let area = boxed(0.0, 0.0, 50.0, 50.0);
        let size = Size::Between(1.0, 2.0);
        let assets: Vec<String> = vec!["a.png".into(), "b.png".into()];
        let scatter = |count| Scatter {
            bytes: Some((5, 900)),
            ..Scatter::new(count, area, size, assets.clone())
        };
        let mut edited = scatter(20);
        scene.world = Some(World::new(vec![
            ObjectGroup::Scatter(edited.clone()),
            ObjectGroup::Scatter(scatter(3)),
        ]));
        let before = objects(&scene).objects;
        edited.put(&[(7, Vec2::new(-9.0, 90.0)), (3, Vec2::ONE), (20, Vec2::ONE)]);
        edited.put(&[(3, Vec2::new(4.0, 5.0))]);
        assert_eq!(
            edited.moved,
            [(3, Vec2::new(4.0, 5.0)), (7, Vec2::new(-9.0, 90.0))]
        );
        edited.erase(&[0, 19, 7]);
        scene.world = Some(World::new(vec![
            ObjectGroup::Scatter(edited),
            ObjectGroup::Scatter(scatter(3)),
        ]));
        let after = objects(&scene).objects;
        let mut expected = before;
        expected[3].center = Vec2::new(4.0, 5.0);
        for number in [19, 7, 0] {
            expected.remove(number);
        }
        assert_eq!(after, expected);
        assert_eq!(scene.object_count(), 20);
    }
}
