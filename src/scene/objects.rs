//! What becomes of the objects of a world when they are edited: each is found in the group that it comes from.
//!
//! Objects are numbered as they are generated: group after group, without those that were taken away. Who is taken away gives its
//! number to the next, as in a world that is saved and opened again.
//!
//! Invariant: a group keeps its place as long as chance is drawn for one behind it, for the place is what chance is drawn by.

use super::{Muster, ObjectGroup, Scatter, Size, World};
use crate::geometry::{Aabb, Vec2};

impl ObjectGroup {
    /// One object, exactly here; `bytes` is how many it is said to take, `None` for as many as its picture's file has.
    pub fn one(center: Vec2, half_extent: Vec2, asset: String, bytes: Option<u64>) -> Self {
        match bytes {
            None => Self::Object {
                center,
                half_extent,
                asset,
            },
            Some(bytes) => Self::Scatter(Scatter {
                bytes: Some((bytes, bytes)),
                ..Scatter::new(
                    1,
                    Aabb::new(center, center),
                    Size::Fixed(half_extent),
                    vec![asset],
                )
            }),
        }
    }

    /// How many objects are made for it, those that were taken away included.
    pub fn made_count(&self) -> u32 {
        match self {
            Self::Object { .. } => 1,
            Self::Scatter(scatter) => scatter.count,
        }
    }

    /// How many of them are there.
    fn present_count(&self) -> u32 {
        match self {
            Self::Object { .. } => 1,
            Self::Scatter(scatter) => scatter.present_count(),
        }
    }

    /// The box of all places that its objects have, or may have; `None` where it has none.
    pub fn places(&self) -> Option<Aabb> {
        match self {
            Self::Object { center, .. } => Some(Aabb::new(*center, *center)),
            Self::Scatter(scatter) => {
                let moved = scatter.moved.iter().map(|(_, at)| Aabb::new(*at, *at));
                let drawn = (scatter.present_count() > 0).then_some(scatter.area);
                drawn.map(|area| moved.fold(area, Aabb::join))
            }
        }
    }

    /// Moves all of it.
    pub fn shift(&mut self, way: Vec2) {
        match self {
            Self::Object { center, .. } => *center += way,
            Self::Scatter(scatter) => {
                scatter.area = Aabb::new(scatter.area.min + way, scatter.area.max + way);
                for (_, at) in &mut scatter.moved {
                    *at += way;
                }
            }
        }
    }
}

impl World {
    /// How many objects are made for all groups, those that were taken away included.
    pub fn made_count(&self) -> u64 {
        let counts = self.objects.iter().map(ObjectGroup::made_count);
        counts.map(u64::from).sum()
    }

    /// The bytes that its objects take on the heap.
    pub fn byte_count(&self) -> usize {
        let group = |group: &ObjectGroup| match group {
            ObjectGroup::Object { asset, .. } => asset.capacity(),
            ObjectGroup::Scatter(scatter) => {
                let assets = scatter.assets.iter();
                assets
                    .map(|it| it.capacity() + size_of::<String>())
                    .sum::<usize>()
                    + size_of_val(scatter.without.as_slice())
                    + size_of_val(scatter.moved.as_slice())
                    + size_of_val(scatter.sized.as_slice())
            }
        };
        let groups = self.objects.iter();
        size_of_val(self.objects.as_slice()) + groups.map(group).sum::<usize>()
    }

    /// Lets objects, by ascending number, stand elsewhere. Numbers that the world does not have are passed over.
    pub fn put_objects(&mut self, places: &[(u32, Vec2)]) {
        let numbers: Vec<u32> = places.iter().map(|(object, _)| *object).collect();
        let mut left = places;
        self.in_groups(&numbers, |group, own| {
            let (here, others) = left.split_at(own.len());
            left = others;
            match group {
                ObjectGroup::Object { center, .. } => *center = here[0].1,
                ObjectGroup::Scatter(scatter) => {
                    let places = own.iter().zip(here).map(|(number, (_, at))| (*number, *at));
                    scatter.put(&places.collect::<Vec<_>>());
                }
            }
        });
    }

    /// Gives objects, by ascending number, another size: half of width and height. Numbers that the world does not have are passed over.
    pub fn size_objects(&mut self, sizes: &[(u32, Vec2)]) {
        let numbers: Vec<u32> = sizes.iter().map(|(object, _)| *object).collect();
        let mut left = sizes;
        self.in_groups(&numbers, |group, own| {
            let (here, others) = left.split_at(own.len());
            left = others;
            match group {
                ObjectGroup::Object { half_extent, .. } => *half_extent = here[0].1,
                ObjectGroup::Scatter(scatter) => {
                    let sizes = own.iter().zip(here);
                    let sizes = sizes.map(|(number, (_, size))| (*number, *size));
                    scatter.give_sizes(&sizes.collect::<Vec<_>>());
                }
            }
        });
    }

    /// Takes objects away, given by ascending number. Numbers that the world does not have are passed over.
    pub fn take_objects(&mut self, objects: &[u32]) {
        self.in_groups(objects, |group, own| match group {
            ObjectGroup::Object { center, asset, .. } => {
                let place = Aabb::new(*center, *center);
                let asset = std::mem::take(asset);
                *group = ObjectGroup::Scatter(Scatter::new(0, place, Size::Point, vec![asset]));
            }
            ObjectGroup::Scatter(scatter) => {
                scatter.erase(own);
                let gone = &scatter.without;
                for told in [&mut scatter.moved, &mut scatter.sized] {
                    told.retain(|(number, _)| gone.binary_search(number).is_err());
                }
            }
        });
        self.drop_emptied();
    }

    /// Takes out the groups of which nothing is left and behind which chance is drawn for none.
    fn drop_emptied(&mut self) {
        let draws = |group: &ObjectGroup| match group {
            ObjectGroup::Object { .. } => false,
            ObjectGroup::Scatter(scatter) => scatter.present_count() > 0,
        };
        let behind = self.objects.iter().rposition(draws).map_or(0, |it| it + 1);
        let mut place = 0;
        self.objects.retain(|group| {
            place += 1;
            place <= behind || group.present_count() > 0
        });
    }

    /// Visits each group of these objects, which come by ascending number, with their numbers within it.
    fn in_groups(&mut self, objects: &[u32], mut visit: impl FnMut(&mut ObjectGroup, &[u32])) {
        let (mut left, mut first) = (objects, 0_u32);
        for group in &mut self.objects {
            let end = first + group.present_count();
            let (here, others) = left.split_at(left.partition_point(|object| *object < end));
            if !here.is_empty() {
                let within = |object: &u32| (object - first) as usize;
                let own: Vec<u32> = match &*group {
                    ObjectGroup::Object { .. } => vec![0],
                    ObjectGroup::Scatter(scatter) => here
                        .iter()
                        .filter_map(|object| scatter.number_at(within(object)))
                        .collect(),
                };
                visit(group, &own);
            }
            (left, first) = (others, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32) -> Vec2 {
        Vec2::new(x, 0.0)
    }

    fn object(x: f32) -> ObjectGroup {
        ObjectGroup::one(at(x), Vec2::ONE, "a.png".to_owned(), None)
    }

    fn scatter(count: u32) -> Scatter {
        let area = Aabb::new(Vec2::ZERO, Vec2::ONE);
        Scatter::new(count, area, Size::Point, vec!["b.png".to_owned()])
    }

    /// Two objects, three scattered, one object, two scattered, one object: 0 1 | 2 3 4 | 5 | 6 7 | 8.
    fn world() -> World {
        World::new(vec![
            object(0.0),
            object(1.0),
            ObjectGroup::Scatter(scatter(3)),
            object(5.0),
            ObjectGroup::Scatter(scatter(2)),
            object(8.0),
        ])
    }

    #[test]
    fn each_is_moved_in_its_own_group() {
        let mut world = world();
        world.put_objects(&[
            (1, at(-1.0)),
            (2, at(-2.0)),
            (4, at(-4.0)),
            (8, at(-8.0)),
            (9, at(9.0)),
        ]);
        let mut moved = scatter(3);
        moved.moved = vec![(0, at(-2.0)), (2, at(-4.0))];
        let expected = [
            object(0.0),
            object(-1.0),
            ObjectGroup::Scatter(moved),
            object(5.0),
            ObjectGroup::Scatter(scatter(2)),
            object(-8.0),
        ];
        assert_eq!(world.objects, expected);
    }

    #[test]
    fn each_is_given_a_size_in_its_own_group_and_takes_it_along_when_it_goes() {
        let mut world = world();
        world.size_objects(&[(1, at(2.0)), (2, at(3.0)), (4, at(4.0)), (9, at(9.0))]);
        let mut large = object(1.0);
        if let ObjectGroup::Object { half_extent, .. } = &mut large {
            *half_extent = at(2.0);
        }
        let mut sized = scatter(3);
        sized.sized = vec![(0, at(3.0)), (2, at(4.0))];
        assert_eq!(world.objects[1], large);
        assert_eq!(world.objects[2], ObjectGroup::Scatter(sized.clone()));
        assert_eq!(world.objects[3..], self::world().objects[3..]);
        world.take_objects(&[2]);
        sized.without = vec![0];
        sized.sized = vec![(2, at(4.0))];
        assert_eq!(world.objects[2], ObjectGroup::Scatter(sized));
    }

    #[test]
    fn who_is_taken_away_gives_its_number_to_the_next_and_no_group_its_place() {
        let mut world = world();
        world.put_objects(&[(3, at(3.0))]);
        world.take_objects(&[0, 3, 5, 8, 99]);
        let seat = |x: f32| {
            let place = Aabb::new(at(x), at(x));
            ObjectGroup::Scatter(Scatter::new(
                0,
                place,
                Size::Point,
                vec!["a.png".to_owned()],
            ))
        };
        let mut without = scatter(3);
        without.without = vec![1];
        let expected = [
            seat(0.0),
            object(1.0),
            ObjectGroup::Scatter(without.clone()),
            seat(5.0),
            ObjectGroup::Scatter(scatter(2)),
        ];
        assert_eq!(world.objects, expected);
        // 0 | 1 2 | 3 4: the last of the first scatter, and all of the second.
        world.take_objects(&[2, 3, 4]);
        without.without = vec![1, 2];
        let expected = [seat(0.0), object(1.0), ObjectGroup::Scatter(without)];
        assert_eq!(world.objects, expected);
        world.take_objects(&[0, 1]);
        assert_eq!(world.objects, []);
    }

    #[test]
    fn an_object_of_so_many_bytes_is_a_scatter_of_one() {
        let group = ObjectGroup::one(at(3.0), Vec2::ONE, "a.png".to_owned(), Some(77));
        assert_eq!((group.made_count(), group.present_count()), (1, 1));
        assert_eq!(group.places(), Some(Aabb::new(at(3.0), at(3.0))));
        let mut moved = group;
        moved.shift(at(4.0));
        assert_eq!(moved.places(), Some(Aabb::new(at(7.0), at(7.0))));
    }
}
