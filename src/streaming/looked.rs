//! What an update looked at in order to decide, as boxes and not as ids, so that it can still be shown when the decisions have
//! changed the trees.

use super::radix::Place;
use super::trees::{Trees, World};
use crate::geometry::Aabb;
use crate::probe::{Event, Probe};

/// So many boxes of each tree are kept, which is more than one can see. An update of a tree that does its work looks at a few
/// hundred.
const BOXES_KEPT: usize = 4096;

/// A box that a search looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookedBox {
    /// The box, as it was then. An empty intersection is an inverted interval, and so is an empty union.
    pub area: Aabb,
    /// Its distance from the root of its tree; 0 without a tree.
    pub depth: u16,
    /// Whose leaf it is; `None` of an inner node.
    pub object: Option<u32>,
    /// Whether the search went on below it, or found the object: else it was left out. Always false without a tree.
    pub entered: bool,
}

impl LookedBox {
    /// Whether nothing lies in it.
    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }
}

/// The boxes that one update looked at, in the order in which it did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// Those of the load tree: unions.
    pub load: Vec<LookedBox>,
    /// Those of the unload tree: intersections.
    pub unload: Vec<LookedBox>,
    /// How many more there were of each, which are not kept.
    pub dropped: [u64; 2],
}

impl Looked {
    /// Forgets what was looked at, and keeps the memory.
    pub fn clear(&mut self) {
        self.load.clear();
        self.unload.clear();
        self.dropped = [0; 2];
    }

    /// Is as `other`, in the memory that it has.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.load.clone_from(&other.load);
        self.unload.clone_from(&other.unload);
        self.dropped = other.dropped;
    }

    /// The bytes that it takes on the heap.
    pub(super) fn byte_count(&self) -> usize {
        (self.load.capacity() + self.unload.capacity()) * size_of::<LookedBox>()
    }

    /// Two listeners for the load and the unload tree. They take the memory of the boxes and give it back to
    /// [`Looked::gather`].
    pub(super) fn listen(&mut self) -> (Listener, Listener) {
        self.clear();
        let listener = |boxes: &mut Vec<LookedBox>| Listener::over(std::mem::take(boxes));
        (listener(&mut self.load), listener(&mut self.unload))
    }

    /// Takes the boxes of what was heard out of the trees, which must not have changed since.
    pub(super) fn gather(
        &mut self,
        trees: &Trees,
        world: World<'_>,
        load: Listener,
        unload: Listener,
    ) {
        self.dropped = [load.dropped, unload.dropped];
        self.load = load.into_boxes(|place| trees.load_bounds_of(world, place));
        self.unload = unload.into_boxes(|place| trees.unload_bounds_of(world, place));
    }
}

/// Hears one search.
pub(super) struct Listener {
    places: Vec<Place>,
    /// In the order of the places; what they have no part in is filled in later.
    boxes: Vec<LookedBox>,
    /// The depths of the nodes that the search will look at, the next one last. It keeps its own stack in the same order.
    depths: Vec<u16>,
    dropped: u64,
}

impl Listener {
    fn over(boxes: Vec<LookedBox>) -> Self {
        Self {
            places: Vec::new(),
            boxes,
            depths: vec![0],
            dropped: 0,
        }
    }

    fn look(&mut self, place: Place, entered: bool) {
        // Without a tree each object is looked at as if it were a root.
        let depth = self.depths.pop().unwrap_or(0);
        if entered {
            self.depths.extend([depth + 1; 2]);
        }
        if self.boxes.len() == BOXES_KEPT {
            self.dropped += 1;
            return;
        }
        self.places.push(place);
        self.boxes.push(LookedBox {
            area: Aabb::EMPTY,
            depth,
            object: match place {
                Place::Inner(_) => None,
                Place::LeafOf(object) => Some(object),
            },
            entered,
        });
    }

    fn into_boxes(mut self, area: impl Fn(Place) -> Option<Aabb>) -> Vec<LookedBox> {
        for (looked, place) in self.boxes.iter_mut().zip(&self.places) {
            looked.area = area(*place).unwrap_or(Aabb::EMPTY);
        }
        self.boxes
    }
}

impl Probe for Listener {
    const DETAILED: bool = true;

    fn on(&mut self, event: Event) {
        match event {
            Event::Visit(region) => self.look(Place::Inner(region), true),
            Event::Prune(region) => self.look(Place::Inner(region), false),
            Event::Test(object) => self.look(Place::LeafOf(object), false),
            // A hit follows the test of the same object.
            Event::Hit(object) => {
                if let Some(last) = self.boxes.last_mut()
                    && last.object == Some(object)
                {
                    last.entered = true;
                }
            }
            _ => {}
        }
    }

    fn visits(&mut self, _: u64) {}
    fn tests(&mut self, _: u64) {}

    fn hits(&mut self, _: u64) {}
}

#[cfg(test)]
mod tests {
    use super::super::{Index, Rectangles, Settings, SimulatedLoader, Streaming, WorldObject};
    use super::*;
    use crate::chance;
    use crate::geometry::Vec2;

    fn streaming(index: Index) -> Streaming<SimulatedLoader> {
        let mut stream = chance::Stream::new(7);
        let mut number = || stream.unit() as f32;
        let objects: Vec<WorldObject> = (0..400)
            .map(|_| WorldObject {
                center: Vec2::new(number() * 1_000.0, number() * 1_000.0),
                half_extent: Vec2::splat(1.0 + 9.0 * number()),
                bytes: 4_000,
                asset: 0,
            })
            .collect();
        let settings = Settings {
            index,
            mbps: 2.0,
            ..Settings::default()
        };
        let loader = SimulatedLoader::default();
        Streaming::new(objects, ["a.png".into()], settings, loader)
    }

    #[test]
    fn what_was_looked_at_is_what_the_decision_used() {
        for index in Index::ALL {
            let mut streaming = streaming(index);
            let mut looked = Looked::default();
            let (mut loads, mut unloads) = (0, 0);
            for tick in 0..400_u32 {
                let position = Vec2::new(tick as f32 * 2.5, 500.0);
                let velocity = Vec2::new(150.0, 0.0);
                streaming.update_watched(f64::from(tick) / 60.0, position, velocity, &mut looked);
                let tests = streaming.tests();
                let count = |boxes: &[LookedBox], dropped| boxes.len() as u64 + dropped;
                assert_eq!(count(&looked.load, looked.dropped[0]), tests.load);
                assert_eq!(count(&looked.unload, looked.dropped[1]), tests.unload);

                let decisions = streaming.decisions();
                loads += decisions.load.len();
                unloads += decisions.unload.len();
                if index != Index::BruteForce {
                    assert_eq!(found(&looked.load), decisions.load);
                    if index != Index::WholeUnloadTree {
                        assert_eq!(found(&looked.unload), decisions.unload);
                    }
                    // Each box says of itself what the search did with it.
                    let way = streaming.way();
                    for looked in &looked.load {
                        assert_eq!(looked.entered, looked.area.overlaps(way));
                    }
                    for looked in &looked.unload {
                        assert_eq!(looked.entered, !looked.area.contains(position));
                    }
                }
                for looked in looked.load.iter().filter(|looked| looked.entered) {
                    if let Some(object) = looked.object {
                        let load = streaming.rectangles(object).load;
                        assert_eq!(looked.area, load);
                    }
                }
                while let Some(upload) = streaming.next_upload() {
                    streaming.uploaded(upload.object);
                }
                while let Some(object) = streaming.next_unload() {
                    streaming.unloaded(object);
                }
            }
            assert!(loads > 50 && unloads > 20, "{loads} and {unloads}");
        }
    }

    fn found(boxes: &[LookedBox]) -> Vec<u32> {
        let mut found: Vec<u32> = boxes
            .iter()
            .filter(|looked| looked.entered)
            .filter_map(|looked| looked.object)
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn depths_are_those_of_the_tree() {
        let mut streaming = streaming(Index::TwoTrees);
        let mut looked = Looked::default();
        let mut depths = std::collections::BTreeMap::new();
        let everywhere = crate::partition::RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        streaming.load_regions(everywhere, &mut |region| {
            if let (Some(object), crate::partition::Shape::Rect(_)) =
                (streaming.load_leaf(region.id), region.shape)
            {
                depths.insert(object, region.depth);
            }
        });
        streaming.update_watched(0.0, Vec2::splat(500.0), Vec2::ZERO, &mut looked);
        assert_eq!(looked.load[0].depth, 0);
        let leaves = looked.load.iter().filter_map(|looked| {
            let object = looked.object?;
            Some((object, looked.depth))
        });
        let mut count = 0;
        for (object, depth) in leaves {
            assert_eq!(depths[&object], depth);
            count += 1;
        }
        assert!(count > 10);
    }

    #[test]
    fn more_boxes_than_can_be_seen_are_counted() {
        let objects: Vec<WorldObject> = (0..5_000)
            .map(|number| WorldObject {
                center: Vec2::new(number as f32, 0.0),
                half_extent: Vec2::ONE,
                bytes: 1,
                asset: 0,
            })
            .collect();
        let settings = Settings {
            index: Index::BruteForce,
            ..Settings::default()
        };
        let first = Rectangles::of(&objects[0], &settings);
        let loader = SimulatedLoader::default();
        let mut streaming = Streaming::new(objects, ["a.png".into()], settings, loader);
        let mut looked = Looked::default();
        streaming.update_watched(0.0, Vec2::ZERO, Vec2::ZERO, &mut looked);
        assert_eq!((looked.load.len(), looked.dropped), (4_096, [904, 0]));
        assert_eq!(looked.load[0].area, first.load);
        assert!(!looked.load[0].is_empty());
    }
}
