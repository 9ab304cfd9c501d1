//! Units beside those whose places are given one by one: where they stand, and as which of them each is.

use crate::chance::{self, Stream};
use crate::geometry::Vec2;
use crate::volume::Vec3;
use std::collections::HashSet;

/// A point of a plane, or of space, beside which others are strewn.
pub trait Spot: Copy {
    /// The lower of each coordinate of two points.
    fn least(self, other: Self) -> Self;

    /// The higher of each.
    fn most(self, other: Self) -> Self;

    /// The square of how far it is from another one.
    fn apart_sq(self, other: Self) -> f32;

    /// The greatest of its coordinates, whichever way it goes.
    fn reach(self) -> f32;

    /// A point at most so far from it, every one as likely as any other; what would lie beyond the room, from its lower corner to its
    /// upper one, is folded back into it.
    fn beside(self, radius: f32, room: (Self, Self), chance: &mut Stream) -> Self;

    /// The same for points that are equal, and for no others.
    fn key(self) -> [u32; 3];
}

macro_rules! spot {
    ($point:ty, [$($axis:ident),+]) => {
        impl Spot for $point {
            fn least(self, other: Self) -> Self {
                self.min(other)
            }

            fn most(self, other: Self) -> Self {
                self.max(other)
            }

            fn apart_sq(self, other: Self) -> f32 {
                self.distance_squared(other)
            }

            fn reach(self) -> f32 {
                self.abs().max_element()
            }

            fn beside(self, radius: f32, (low, high): (Self, Self), chance: &mut Stream) -> Self {
                let mut way = <$point>::ZERO;
                loop {
                    $(way.$axis = chance.between(-1.0, 1.0);)+
                    if way.length_squared() <= 1.0 {
                        break;
                    }
                }
                let point = self + way * radius;
                let inward = point.max(low * 2.0 - point);
                inward.min(high * 2.0 - inward).clamp(low, high)
            }

            fn key(self) -> [u32; 3] {
                let mut key = [0; 3];
                // Of 0 there are two, which are equal.
                for (key, along) in key.iter_mut().zip([$(self.$axis),+]) {
                    *key = (along + 0.0).to_bits();
                }
                key
            }
        }
    };
}

spot!(Vec2, [x, y]);
spot!(Vec3, [x, y, z]);

/// What is drawn for added units, kept apart from what the generators draw, whose purposes count from 0 on.
const ADDED: u64 = 1_000;

/// The chance of those who are added to the group at `index` of a scene with this seed.
pub(super) fn chance_of(seed: u64, index: usize) -> Stream {
    Stream::new(chance::hash(seed, ADDED, index as u64))
}

/// So many places beside those of a group, which has some, each its own, and the number of the unit beside which each of them is.
///
/// Whoever is added stands about as far from one of the group as those are from each other. Units take turns in having one beside them, and
/// in whichever number: so of any kind as great a share is added as there is. The first so many are the same, however many follow.
pub(super) fn beside<P: Spot>(
    places: &[P],
    count: usize,
    field: (P, P),
    chance: &mut Stream,
) -> Vec<(u32, P)> {
    /// How often a place that is taken is drawn anew, and from which time on farther away.
    const TRIES: u32 = 64;
    const NEAR: u32 = 8;
    let room = places.iter().fold(field, |(low, high), place| {
        (low.least(*place), high.most(*place))
    });
    let far = room.0.reach().max(room.1.reach());
    let radius = spacing(places).unwrap_or_else(|| room.0.apart_sq(room.1).sqrt() * 0.02);
    // Nearer ones are not told apart there.
    let radius = radius.max(far * 1.0e-6);
    let mut taken: HashSet<[u32; 3]> = places.iter().map(|place| place.key()).collect();
    let turn = turn(places.len());
    let (mut number, mut tries) = (0, TRIES);
    let mut one = |_| {
        let unit = number;
        number = (number + turn) % places.len();
        let mut at = places[unit];
        let is_free = (0..tries).any(|tried| {
            let wider = 2.0_f32.powi((tried / NEAR) as i32);
            at = places[unit].beside(radius * wider, room, chance);
            taken.insert(at.key())
        });
        if !is_free {
            // So far from the origin a small room has few places, and once these are taken it is of no use to look for long.
            tries = (tries / 2).max(1);
        }
        (unit as u32, at)
    };
    (0..count).map(&mut one).collect()
}

/// How far units are from the nearest other one, as a rule; `None` where they stand on each other, or one is alone.
fn spacing<P: Spot>(places: &[P]) -> Option<f32> {
    /// Of so many it is looked up.
    const ASKED: usize = 33;
    let asked = ASKED.min(places.len());
    let nearest = |number: usize| {
        let unit = number * places.len() / asked;
        let others = places.iter().enumerate().filter(|(one, _)| *one != unit);
        let apart = others.map(|(_, other)| places[unit].apart_sq(*other));
        apart.fold(f32::INFINITY, f32::min)
    };
    let mut apart: Vec<f32> = (0..asked).map(nearest).collect();
    apart.sort_unstable_by(f32::total_cmp);
    let middle = apart.get(asked / 2)?.sqrt();
    (middle > 0.0 && middle.is_finite()).then_some(middle)
}

/// From whom to whom the turn goes among so many: each has one before anybody has a second one, and whoever has had one of the first few is
/// spread evenly over all (by the golden section).
fn turn(count: usize) -> usize {
    fn common(a: usize, b: usize) -> usize {
        if b == 0 { a } else { common(b, a % b) }
    }
    let mut turn = (count as f64 * 0.618_033_988_749_894_9) as usize;
    turn = turn.max(1);
    while common(turn, count) > 1 {
        turn += 1;
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_one_beside_them_before_anybody_has_two() {
        for count in [1, 2, 3, 4, 6, 10, 97, 500] {
            let places: Vec<Vec2> = (0..count).map(|x| Vec2::new(x as f32, 1.0)).collect();
            let field = (Vec2::ZERO, Vec2::splat(500.0));
            let added = beside(&places, count, field, &mut chance_of(1, 0));
            let mut units: Vec<u32> = added.iter().map(|(unit, _)| *unit).collect();
            units.sort_unstable();
            assert_eq!(units, (0..count as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn places_are_near_within_the_field_and_never_those_of_others() {
        // Many on one point of a corner, which is left for others.
        let corner = vec![Vec3::ZERO; 40];
        let field = (Vec3::ZERO, Vec3::splat(100.0));
        let added = beside(&corner, 400, field, &mut chance_of(7, 2));
        let mut keys: HashSet<[u32; 3]> = corner.iter().map(|at| at.key()).collect();
        for (_, at) in &added {
            assert!(at.cmpge(field.0).all() && at.length() < 20.0, "{at}");
            assert!(keys.insert(at.key()), "{at} is taken");
        }
        assert_eq!(added, beside(&corner, 400, field, &mut chance_of(7, 2)));
        assert_ne!(added, beside(&corner, 400, field, &mut chance_of(8, 2)));
        // Fewer are the first ones.
        assert_eq!(
            added[..30],
            beside(&corner, 30, field, &mut chance_of(7, 2))
        );
        // Far from the origin, close together.
        let far = [Vec2::splat(1.0e6), Vec2::splat(1.0e6)];
        let field = (Vec2::ZERO, Vec2::splat(2.0e6));
        let added = beside(&far, 300, field, &mut chance_of(7, 2));
        let keys: HashSet<[u32; 3]> = added.iter().map(|(_, at)| at.key()).collect();
        assert_eq!(keys.len(), 300);
    }
}
