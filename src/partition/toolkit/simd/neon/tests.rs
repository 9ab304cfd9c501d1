//! What no other test asks: that what is no number, and what is endless, is taken as the plain kernel takes it.

use super::*;
use crate::chance::Stream;
use crate::geometry3::Vec3;

/// So many bodies, with padding.
const COUNT: usize = 40;

/// What two kernels may take for different things: what is no number, zeros of either sign, what is endless, and numbers.
fn odd(stream: &mut Stream) -> f32 {
    let all = [
        f32::NAN,
        -f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        -0.0,
        0.0,
        1.0,
        -1.0,
        0.5,
        f32::MAX,
        f32::MIN_POSITIVE,
    ];
    all[stream.below(all.len() as u64) as usize]
}

/// Numbers bit by bit; all that are none are the same.
fn bits_of(numbers: &[f32]) -> Vec<u32> {
    let bits = |it: &f32| if it.is_nan() { u32::MAX } else { it.to_bits() };
    numbers.iter().map(bits).collect()
}

fn answers<const SIZED: bool>(
    kernel: impl Kernel,
    bodies: Bodies<'_>,
    area: Aabb,
    reach_sq: f32,
) -> (Vec<Pair>, Vec<UnitId>, Vec<u32>) {
    let run = 3..COUNT - PADDING;
    let mut pairs = vec![(7, 7); COUNT];
    let count = kernel.pack::<SIZED>(&mut pairs, 9, area, reach_sq, bodies, run.clone());
    pairs.truncate(count);
    let ends = [12, 5, 0, 9, 20, 4, 31, 8];
    let mut abreast = vec![(7, 7); COUNT * PADDING];
    let count = kernel.pack_abreast::<SIZED>(&mut abreast, reach_sq, bodies, 2, &ends);
    abreast.truncate(count);
    abreast.sort();
    pairs.append(&mut abreast);

    let mut ids = Vec::new();
    let mut these = vec![7; COUNT];
    let count = kernel.overlapping::<SIZED>(&mut these, area, bodies, run.clone());
    ids.extend_from_slice(&these[..count]);
    let mut far = vec![7.0; COUNT];
    let point = area.min;
    let count =
        kernel.within::<SIZED, true>(&mut these, &mut far, point, reach_sq, bodies, run.clone());
    ids.extend_from_slice(&these[..count]);
    let mut numbers = bits_of(&far[..count]);
    let count = kernel.cut(&mut these, &mut far, count, 0.5);
    ids.extend_from_slice(&these[..count]);
    let mut columns = [(); 4].map(|()| vec![7.0; COUNT]);
    let [left, bottom, right, top] = &mut columns;
    let free = Copies::new(left, bottom, right, top, &mut these);
    let count = kernel.gather::<SIZED>(free, area, reach_sq, bodies, run);
    ids.extend_from_slice(&these[..count]);
    for column in &columns[..if SIZED { 4 } else { 2 }] {
        numbers.extend(bits_of(&column[..count]));
    }

    let eight = |column: &[f32]| -> [[f32; PADDING]; 3] {
        std::array::from_fn(|axis| std::array::from_fn(|lane| column[axis * PADDING + lane]))
    };
    let space = Aabb3 {
        min: Vec3::new(area.min.x, area.min.y, area.min.x),
        max: Vec3::new(area.max.x, area.max.y, area.max.x),
    };
    let (low, high) = (eight(bodies.left), eight(bodies.right));
    let columns = Eight {
        low: &low,
        high: &high,
    };
    let (near, far) = kernel.near_eight::<SIZED>(columns, space, reach_sq);
    numbers.extend(bits_of(&far));
    numbers.push(near);
    numbers.push(kernel.overlapping_eight::<SIZED>(columns, space));

    let mut boxes = Boxes::ZERO;
    for at in 0..FOUR {
        boxes.set(at, bodies.body::<SIZED>(at));
    }
    let (met, inside) = kernel.met_and_inside(&boxes, area);
    let (near, within) = kernel.near_and_within(&boxes, point, reach_sq);
    numbers.extend([met, inside, near, within]);
    let ats = std::array::from_fn(|at| bodies.left[at]);
    numbers.push(kernel.beyond(&ats, 0b1010_0110_0011_1100, point));
    (pairs, ids, numbers)
}

#[test]
fn what_is_no_number_is_taken_as_the_plain_kernel_takes_it() {
    let mut stream = Stream::new(17);
    for _ in 0..2_000 {
        let columns: [Vec<f32>; 4] =
            std::array::from_fn(|_| (0..COUNT).map(|_| odd(&mut stream)).collect());
        let [left, bottom, right, top] = &columns;
        let ids: Vec<UnitId> = (0..COUNT as UnitId).map(|id| id * 7 % 41).collect();
        let mut corner = || Vec2::new(odd(&mut stream), odd(&mut stream));
        let area = Aabb {
            min: corner(),
            max: corner(),
        };
        let reach_sq = odd(&mut stream);
        let sized = Bodies::new(left, bottom, right, top, &ids);
        assert_eq!(
            answers::<true>(Neon, sized, area, reach_sq),
            answers::<true>(Plain, sized, area, reach_sq)
        );
        let points = Bodies::new(left, bottom, &[], &[], &ids);
        let area = Aabb {
            min: area.min,
            max: area.min,
        };
        assert_eq!(
            answers::<false>(Neon, points, area, reach_sq),
            answers::<false>(Plain, points, area, reach_sq)
        );
    }
}
