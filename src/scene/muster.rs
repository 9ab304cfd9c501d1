//! Who of an army is there: counting, scaling, and leaving out those who were erased.
//!
//! An erased unit keeps its number. Generators still draw for it, so that the place and size of everybody else are what they
//! would be with it, to the last bit.

use super::added::{self, Spot};
use super::{Army, Flock, Formation, Formation3, Scatter, Scene};
use crate::chance::Stream;
use crate::geometry::Vec2;
use crate::volume::Vec3;
use std::cmp::Reverse;

/// A group of units or objects that are numbered from 0: an army, a flock, or a scatter.
pub trait Muster {
    /// Where one of them is: a point of a plane, or of space.
    type Place: Spot;

    /// How many there were before anybody was erased.
    fn count(&self) -> u32;

    /// The same, to be changed.
    fn count_mut(&mut self) -> &mut u32;

    /// The numbers of the erased, in ascending order.
    fn without(&self) -> &[u32];

    /// The same, to be changed.
    fn without_mut(&mut self) -> &mut Vec<u32>;

    /// Where they are, if that is given one by one.
    fn explicit(&self) -> Option<&[Self::Place]>;

    /// The same, to be changed.
    fn explicit_mut(&mut self) -> Option<&mut Vec<Self::Place>>;

    /// Who is elsewhere at the start than the formation says, by ascending number.
    fn moved(&self) -> &[(u32, Self::Place)];

    /// The same, to be changed.
    fn moved_mut(&mut self) -> &mut Vec<(u32, Self::Place)>;

    /// Who is of a size of its own, by ascending number: halves of its sides.
    fn sized(&self) -> &[(u32, Self::Place)] {
        &[]
    }

    /// The same, to be changed; `None` where sizes are drawn for all.
    fn sized_mut(&mut self) -> Option<&mut Vec<(u32, Self::Place)>> {
        None
    }

    /// Takes out of positions that are given one by one those of the units at these places, which ascend.
    fn leave_out_positions(&mut self, places: &[u32]) {
        if let Some(positions) = self.explicit_mut() {
            leave_out(positions, places);
        }
    }

    /// Makes positions that are given one by one as many as there are units: what is too much is dropped from the end, what is
    /// missing repeats the positions from the first one on.
    fn fit_positions(&mut self) {
        let count = self.count();
        if let Some(positions) = self.explicit_mut() {
            let fitted = fit(positions, count);
            *self.count_mut() = fitted;
        }
    }

    /// Takes out the places of units that were erased, where places are given one by one.
    fn leave_out_erased(&mut self) {
        let erased = self.erased().to_vec();
        self.leave_out_positions(&erased);
        self.number_sized_anew(&erased);
        self.without_mut().clear();
        if let Some(count) = self.explicit().map(<[_]>::len) {
            *self.count_mut() = count as u32;
        }
    }

    /// Lets units, given by number, be elsewhere at the start. Numbers that the group does not have are passed over.
    fn put(&mut self, places: &[(u32, Self::Place)]) {
        if let Some(positions) = self.explicit_mut() {
            for (number, place) in places {
                if let Some(position) = positions.get_mut(*number as usize) {
                    *position = *place;
                }
            }
            return;
        }
        let count = self.count();
        let more = places.iter().copied().filter(|(number, _)| *number < count);
        merge(self.moved_mut(), more);
    }

    /// Whether anybody who is there is of a size of its own.
    fn are_sized(&self) -> bool {
        let erased = self.erased();
        let mut sized = self.sized().iter();
        sized.any(|(number, _)| erased.binary_search(number).is_err())
    }

    /// Gives units, by number, a size of their own: halves of their sides. Numbers that the group does not have are passed over.
    fn give_sizes(&mut self, sizes: &[(u32, Self::Place)]) {
        let count = self.count();
        let more = sizes.iter().copied().filter(|(number, _)| *number < count);
        if let Some(sized) = self.sized_mut() {
            merge(sized, more);
        }
    }

    /// Makes sizes, of which `count` units have one each or none has any, those of units with a size of their own too; whoever has none
    /// beside them is a `point`.
    fn put_sized(&self, count: usize, point: Self::Place, sizes: &mut Vec<Self::Place>) {
        if self.sized().is_empty() {
            return;
        }
        sizes.resize(count, point);
        for (number, own) in self.sized() {
            if let Some(size) = sizes.get_mut(*number as usize) {
                *size = *own;
            }
        }
    }

    /// Lets sizes go with their units where the erased ones, by ascending number, lose their numbers.
    fn number_sized_anew(&mut self, erased: &[u32]) {
        let Some(sized) = self.sized_mut() else {
            return;
        };
        sized.retain_mut(|(number, _)| match erased.binary_search(number) {
            Ok(_) => false,
            Err(before) => {
                *number -= before as u32;
                true
            }
        });
    }

    /// Puts those who were moved, of positions that are one a unit, where they were put.
    fn put_moved(&self, positions: &mut [Self::Place]) {
        for (number, position) in self.moved() {
            if let Some(place) = positions.get_mut(*number as usize) {
                *place = *position;
            }
        }
    }

    /// How many units there are without those that were erased.
    fn present_count(&self) -> u32 {
        self.count() - self.erased().len() as u32
    }

    /// The numbers of the units that are there, in ascending order: as many as [`generate::army`](super::generate::army),
    /// [`generate::flock`](super::generate::flock) or, of this group, [`generate::objects`](super::generate::objects) returns,
    /// and in its order.
    fn present(&self) -> impl Iterator<Item = u32> + '_ {
        let mut erased = self.erased().iter().copied().peekable();
        (0..self.count()).filter(move |number| erased.next_if_eq(number).is_none())
    }

    /// The number of the unit at `place` among those that are there; `None` beyond the last one. Takes the logarithm of the
    /// number of the erased.
    fn number_at(&self, place: usize) -> Option<u32> {
        let place = u32::try_from(place).ok()?;
        if place >= self.present_count() {
            return None;
        }
        // In front of the erased unit at index i stand its number less i others, and that never falls with i.
        let erased = self.erased();
        let (mut low, mut high) = (0, erased.len());
        while low < high {
            let middle = (low + high) / 2;
            if erased[middle] - middle as u32 <= place {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(place + low as u32)
    }

    /// Erases the units with these numbers too, in whatever order they are given. Numbers that the group does not have are
    /// passed over.
    fn erase(&mut self, numbers: &[u32]) {
        let count = self.count();
        let more = numbers.iter().copied().filter(|number| *number < count);
        let without = self.without_mut();
        without.extend(more);
        without.sort_unstable();
        without.dedup();
    }

    /// Takes out of a list that has an item a unit those that belong to the erased ones.
    fn leave_out<T>(&self, list: &mut Vec<T>) {
        leave_out(list, self.erased());
    }

    /// The numbers of the erased units. A count that was made smaller by hand may have left some behind that mean nobody.
    fn erased(&self) -> &[u32] {
        let count = self.count();
        let known = self.without().partition_point(|number| *number < count);
        &self.without()[..known]
    }

    /// Makes it this many units, of which nobody is erased, unless it has as many already. Where places are given one by one, those who are
    /// more stand beside those who are there, in the field, whose corners are given; whoever stands beside one with a size of its own has
    /// that too.
    fn resize(&mut self, count: u32, field: (Self::Place, Self::Place), mut chance: Stream) {
        if count == self.present_count() {
            return;
        }
        // Nobody is added beside one who was erased, as long as there are others.
        if self.present_count() > 0 {
            let erased = self.erased().to_vec();
            self.leave_out_positions(&erased);
            self.number_sized_anew(&erased);
        }
        self.without_mut().clear();
        // Numbers mean others from now on, but for those of a list.
        self.moved_mut().clear();
        *self.count_mut() = count;
        self.add_positions(field, &mut chance);
        self.fit_positions();
        // A size is as good for another one.
        let count = self.count();
        if let Some(sized) = self.sized_mut() {
            sized.retain(|(number, _)| *number < count);
        }
    }

    /// Puts whoever is missing among positions that are given one by one beside those who are there. Who stands beside one with a size of
    /// its own is of that size.
    fn add_positions(&mut self, field: (Self::Place, Self::Place), chance: &mut Stream) {
        let given = self.explicit().map_or(0, <[_]>::len);
        let missing = (self.count() as usize).saturating_sub(given);
        if given == 0 || missing == 0 {
            return;
        }
        let places = self.explicit().unwrap_or_default();
        let more = added::beside(places, missing, field, chance);
        let sized = self.sized();
        let size_of = |(place, (unit, _)): (usize, &(u32, Self::Place))| {
            let known = sized.binary_search_by_key(unit, |(number, _)| *number);
            Some(((given + place) as u32, sized[known.ok()?].1))
        };
        let sizes: Vec<_> = more.iter().enumerate().filter_map(size_of).collect();
        if let Some(positions) = self.explicit_mut() {
            positions.reserve_exact(missing);
            positions.extend(more.into_iter().map(|(_, at)| at));
        }
        if let Some(sized) = self.sized_mut() {
            sized.extend(sizes);
        }
    }
}

macro_rules! muster {
    ($group:ty, $formation:ident, $place:ty) => {
        impl Muster for $group {
            type Place = $place;

            fn count(&self) -> u32 {
                self.count
            }

            fn count_mut(&mut self) -> &mut u32 {
                &mut self.count
            }

            fn without(&self) -> &[u32] {
                &self.without
            }

            fn without_mut(&mut self) -> &mut Vec<u32> {
                &mut self.without
            }

            fn explicit(&self) -> Option<&[$place]> {
                match &self.formation {
                    $formation::Explicit(positions) => Some(positions),
                    _ => None,
                }
            }

            fn explicit_mut(&mut self) -> Option<&mut Vec<$place>> {
                match &mut self.formation {
                    $formation::Explicit(positions) => Some(positions),
                    _ => None,
                }
            }

            fn moved(&self) -> &[(u32, $place)] {
                &self.moved
            }

            fn moved_mut(&mut self) -> &mut Vec<(u32, $place)> {
                &mut self.moved
            }

            fn sized(&self) -> &[(u32, $place)] {
                &self.sized
            }

            fn sized_mut(&mut self) -> Option<&mut Vec<(u32, $place)>> {
                Some(&mut self.sized)
            }
        }
    };
}

muster!(Army, Formation, Vec2);
muster!(Flock, Formation3, Vec3);

impl Muster for Scatter {
    type Place = Vec2;

    fn count(&self) -> u32 {
        self.count
    }

    fn count_mut(&mut self) -> &mut u32 {
        &mut self.count
    }

    fn without(&self) -> &[u32] {
        &self.without
    }

    fn without_mut(&mut self) -> &mut Vec<u32> {
        &mut self.without
    }

    // Chance puts all of them.
    fn explicit(&self) -> Option<&[Vec2]> {
        None
    }

    fn explicit_mut(&mut self) -> Option<&mut Vec<Vec2>> {
        None
    }

    fn moved(&self) -> &[(u32, Vec2)] {
        &self.moved
    }

    fn moved_mut(&mut self) -> &mut Vec<(u32, Vec2)> {
        &mut self.moved
    }

    fn sized(&self) -> &[(u32, Vec2)] {
        &self.sized
    }

    fn sized_mut(&mut self) -> Option<&mut Vec<(u32, Vec2)>> {
        Some(&mut self.sized)
    }
}

impl Scene {
    /// The units of all armies and flocks together, without those that were erased.
    pub fn unit_count(&self) -> u64 {
        fn count(groups: &[impl Muster]) -> u64 {
            let counts = groups.iter().map(Muster::present_count);
            counts.map(u64::from).sum()
        }
        let flocks = self.volume.as_ref().map(|volume| count(&volume.flocks));
        count(&self.armies) + flocks.unwrap_or_default()
    }

    /// Makes it `total` units in all, each army or flock keeping its share of those that are there.
    ///
    /// The units that no army has a whole right to go to the largest remainders, the earlier army first. Armies of which
    /// nobody is there share evenly. A scene without an army stays as it is. Shares are rounded, so scale the scene as
    /// it was read and not one that was scaled before.
    ///
    /// An army that has as many as before stays as it was. Any other is made anew, and in it nobody is erased: which of its
    /// units a number means depends on how many there are. Where units are listed one by one, those who are more are strewn beside them.
    ///
    /// Gives how many there are then: fewer where somebody is wanted of an army whose places are given one by one, and are none.
    pub fn scale_units(&mut self, total: u32) -> u64 {
        let (seed, field, field3) = (self.seed, self.field, self.field3());
        match &mut self.volume {
            Some(volume) => scale(&mut volume.flocks, total, seed, (field3.min, field3.max)),
            None => scale(&mut self.armies, total, seed, (field.min, field.max)),
        }
    }
}

fn scale<G: Muster>(groups: &mut [G], total: u32, seed: u64, field: (G::Place, G::Place)) -> u64 {
    let before: u64 = groups.iter().map(|it| u64::from(it.present_count())).sum();
    let even = before == 0;
    let whole = if even { groups.len() as u64 } else { before };
    let mut shares = Vec::with_capacity(groups.len());
    let mut remainders = Vec::with_capacity(groups.len());
    let mut left = u64::from(total);
    for (index, group) in groups.iter().enumerate() {
        let weight = if even {
            1
        } else {
            u64::from(group.present_count())
        };
        let share = u64::from(total) * weight;
        shares.push((share / whole) as u32);
        left -= share / whole;
        remainders.push((Reverse(share % whole), index));
    }
    remainders.sort_unstable();
    for (_, index) in remainders.into_iter().take(left as usize) {
        shares[index] += 1;
    }
    for (index, (group, share)) in groups.iter_mut().zip(shares).enumerate() {
        group.resize(share, field, added::chance_of(seed, index));
    }
    groups.iter().map(|it| u64::from(it.present_count())).sum()
}

/// Adds what is said of units, by number, to what was said before, by ascending number: the last word on a unit is the one that counts.
fn merge<T>(all: &mut Vec<(u32, T)>, more: impl Iterator<Item = (u32, T)>)
where
    T: Copy,
{
    all.extend(more);
    // Those that came later stand behind in a stable order.
    all.sort_by_key(|(number, _)| *number);
    all.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
}

/// Makes a list `count` long: what is too much is dropped from the end, what is missing repeats it from the beginning. Gives how
/// long it is, which is 0 for a list that has nothing to repeat.
fn fit<T: Copy>(list: &mut Vec<T>, count: u32) -> u32 {
    let (given, wanted) = (list.len(), count as usize);
    if given == 0 {
        return 0;
    }
    if wanted <= given {
        list.truncate(wanted);
    } else {
        list.reserve_exact(wanted - given);
        for place in given..wanted {
            let again = list[place - given];
            list.push(again);
        }
    }
    count
}

/// Takes the items at these places, which ascend, out of `list`.
fn leave_out<T>(list: &mut Vec<T>, places: &[u32]) {
    if places.is_empty() {
        return;
    }
    let mut places = places.iter().copied().peekable();
    let mut place = 0;
    list.retain(|_| {
        let stays = places.next_if_eq(&place).is_none();
        place += 1;
        stays
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;
    use crate::partition::Kind;
    use crate::scene::{Side, StructureChoice, View};

    fn scene(armies: Vec<Army>) -> Scene {
        Scene {
            name: String::new(),
            caption: String::new(),
            field: Aabb::new(Vec2::ZERO, Vec2::splat(100.0)),
            seed: 0,
            reach_scale: 1.0,
            keep_apart: Scene::KEEP_APART,
            armies,
            world: None,
            volume: None,
            structure: StructureChoice::new(Kind::ALL[0]),
            lanes: Vec::new(),
            camera: None,
            view: View::default(),
            character: None,
        }
    }

    fn army(count: u32) -> Army {
        Army::new(Side::Blue, count, Formation::Spot(Vec2::ZERO))
    }

    /// Positions along the x axis, at 0, 1, 2 and so on.
    fn explicit(count: u32) -> Army {
        let positions = (0..count).map(|x| Vec2::new(x as f32, 0.0)).collect();
        Army::new(Side::Orange, count, Formation::Explicit(positions))
    }

    fn counts(scene: &Scene) -> Vec<u32> {
        scene.armies.iter().map(|army| army.count).collect()
    }

    fn xs(army: &Army) -> Vec<f32> {
        let Formation::Explicit(positions) = &army.formation else {
            panic!("the formation stays explicit")
        };
        positions.iter().map(|position| position.x).collect()
    }

    #[test]
    fn scaling_keeps_every_share_and_the_total() {
        let mut scene = scene(vec![army(1), army(2), army(4)]);
        for total in [0, 1, 6, 7, 1000, 2_000_000, 7] {
            scene.scale_units(total);
            assert_eq!(scene.unit_count(), u64::from(total));
        }
        let mut scene = self::scene(vec![army(600), army(300), army(100)]);
        scene.scale_units(20_000);
        assert_eq!(counts(&scene), [12_000, 6_000, 2_000]);
    }

    #[test]
    fn empty_armies_share_evenly_and_no_army_stays_none() {
        let mut empty = scene(vec![army(0), army(0), army(0)]);
        empty.scale_units(7);
        assert_eq!(counts(&empty), [3, 2, 2]);
        let mut none = scene(Vec::new());
        none.scale_units(7);
        assert_eq!(none.unit_count(), 0);
    }

    #[test]
    fn explicit_positions_are_cut_or_others_strewn_beside_them() {
        let mut scene = scene(vec![explicit(3)]);
        scene.scale_units(8);
        let all = xs(&scene.armies[0]);
        assert_eq!(all[..3], [0.0, 1.0, 2.0]);
        assert_eq!(all.len(), 8);
        assert!(all.iter().all(|x| (0.0..=3.0).contains(x)), "{all:?}");
        scene.scale_units(2);
        assert_eq!(xs(&scene.armies[0]), [0.0, 1.0]);
    }

    #[test]
    fn who_is_added_beside_listed_units_has_a_place_of_its_own_and_their_sizes_in_the_same_mix() {
        // As a brush leaves them: most of one size, then a few of another one, and one that is as the army says.
        let mut listed = explicit(501);
        let sizes =
            (0..500).map(|number| (number, Vec2::splat(if number < 450 { 2.5 } else { 6.0 })));
        listed.give_sizes(&sizes.collect::<Vec<_>>());
        let mut before = scene(vec![listed]);
        before.field = Aabb::new(Vec2::ZERO, Vec2::splat(600.0));
        for total in [561, 1002, 4008] {
            let mut scene = before.clone();
            scene.scale_units(total);
            let army = &scene.armies[0];
            assert_eq!(army.sized[..500], before.armies[0].sized);
            let Formation::Explicit(all) = &army.formation else {
                panic!("the formation stays explicit")
            };
            let places: std::collections::HashSet<_> = all.iter().map(|at| at.key()).collect();
            assert_eq!(places.len(), total as usize, "everybody has a place");
            assert!(all.iter().all(|at| scene.field.contains(*at)));
            let large = army.sized.iter().filter(|(_, half)| half.x == 6.0).count();
            let share = large as f64 / f64::from(total);
            assert!((share - 50.0 / 501.0).abs() < 0.01, "{share} of {total}");
            assert!(army.sized.is_sorted_by(|one, next| one.0 < next.0));
            let mut again = before.clone();
            again.scale_units(total);
            assert_eq!(again, scene);
        }
    }

    #[test]
    fn numbers_of_those_present_are_found_by_their_place() {
        for without in [
            &[][..],
            &[0],
            &[9],
            &[0, 1, 2],
            &[3, 4, 7],
            &[0, 2, 4, 6, 8],
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        ] {
            let mut army = army(10);
            army.erase(without);
            assert_eq!(army.without, without);
            let present: Vec<u32> = army.present().collect();
            assert_eq!(present.len(), army.present_count() as usize);
            assert!(present.iter().all(|number| !without.contains(number)));
            for place in 0..12 {
                assert_eq!(army.number_at(place), present.get(place).copied());
            }
            assert_eq!(army.number_at(usize::MAX), None);
            let mut list: Vec<u32> = (0..10).collect();
            army.leave_out(&mut list);
            assert_eq!(list, present);
        }
    }

    #[test]
    fn erasing_keeps_the_numbers_in_order_and_each_once() {
        let mut army = army(10);
        army.erase(&[7, 2]);
        army.erase(&[10, 2, 0, 5, 5, u32::MAX]);
        assert_eq!(army.without, [0, 2, 5, 7]);
        assert_eq!(scene(vec![army]).unit_count(), 6);
    }

    #[test]
    fn a_count_made_smaller_by_hand_leaves_no_number_that_counts() {
        let mut army = army(10);
        army.erase(&[1, 4, 8]);
        army.count = 5;
        assert_eq!(army.present().collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(army.present_count(), 3);
    }

    #[test]
    fn scaling_counts_those_present_and_forgets_the_erased_where_the_count_changes() {
        let mut erased = army(8);
        erased.erase(&[0, 1]);
        let mut scene = scene(vec![erased.clone(), army(2)]);
        scene.scale_units(8);
        assert_eq!(scene.armies[0], erased, "as many as before: as it was");
        scene.scale_units(16);
        assert_eq!(counts(&scene), [12, 4]);
        assert!(scene.armies[0].without.is_empty());
        assert_eq!(scene.unit_count(), 16);
    }

    #[test]
    fn sizes_stay_with_their_numbers_where_the_count_changes() {
        let own = Vec2::splat(3.0);
        for mut group in [army(10), explicit(10)] {
            group.give_sizes(&[0, 1, 2, 8, 9].map(|number| (number, own)));
            group.erase(&[1]);
            let mut scene = scene(vec![group]);
            scene.scale_units(8);
            // Without the erased one, and without those who are too many.
            assert_eq!(scene.armies[0].sized, [0, 1, 7].map(|number| (number, own)));
            scene.scale_units(16);
            // Who is drawn is as the army says, and who is added beside one that is listed is as large as that one.
            let sized = &scene.armies[0].sized;
            assert_eq!(sized[..3], [0, 1, 7].map(|number| (number, own)));
            let is_listed = scene.armies[0].explicit().is_some();
            assert_eq!(sized.len(), if is_listed { 6 } else { 3 });
        }
    }

    #[test]
    fn an_erased_position_does_not_come_back_by_scaling() {
        let mut army = explicit(4);
        army.erase(&[1, 2]);
        let mut scene = scene(vec![army]);
        scene.scale_units(5);
        let all = xs(&scene.armies[0]);
        assert_eq!((all.len(), &all[..2]), (5, &[0.0, 3.0][..]));
        // Nobody is there, so that there is nothing to go by but those who were.
        scene.armies[0].erase(&[0, 1, 2, 3, 4]);
        scene.scale_units(2);
        assert_eq!(xs(&scene.armies[0]), [0.0, 3.0]);
        assert_eq!(scene.unit_count(), 2);
    }
}
