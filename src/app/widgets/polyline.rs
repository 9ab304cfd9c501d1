//! Curves of many values without the points that nobody can see.

use egui_macroquad::egui::Pos2;

/// So far, in points, a curve may be drawn above or below one of its values: a quarter of what the finest line is wide.
const TOLERANCE: f32 = 0.25;

/// A curve from left to right without those points that lie on the line between others, but for what nobody sees. Its ends stay, and so
/// does each peak that is higher than that.
///
/// A line has six triangles a point and what lies under it two, each of which a processor that draws looks at on its own: those of a
/// thousand values are more than half as many as those of all panels together. One look at each point: O(n).
pub fn without_the_unseen(points: Vec<Pos2>) -> Vec<Pos2> {
    let Some(&first) = points.first() else {
        return points;
    };
    let mut kept = vec![first];
    let mut from = first;
    // The line from the last point that was kept may be as steep as this and passes all points since then.
    let (mut least, mut most) = (f32::NEG_INFINITY, f32::INFINITY);
    for two in points.windows(2) {
        let (before, point) = (two[0], two[1]);
        let mut way = point - from;
        let passes = |steepness: f32| (least..=most).contains(&steepness);
        if before != from && !(way.x > 0.0 && passes(way.y / way.x)) {
            kept.push(before);
            (from, least, most) = (before, f32::NEG_INFINITY, f32::INFINITY);
            way = point - from;
        }
        (least, most) = match way.x > 0.0 {
            true => (
                least.max((way.y - TOLERANCE) / way.x),
                most.min((way.y + TOLERANCE) / way.x),
            ),
            // Nothing passes both of two that are above each other.
            false => (f32::INFINITY, f32::NEG_INFINITY),
        };
    }
    if let Some(&last) = points.last()
        && points.len() > 1
    {
        kept.push(last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::pos2;
    use proptest::prelude::*;

    fn curve(heights: &[f32], step: f32) -> Vec<Pos2> {
        let at = |(index, y): (usize, &f32)| pos2(index as f32 * step, *y);
        heights.iter().enumerate().map(at).collect()
    }

    /// How high the curve is there.
    fn height(curve: &[Pos2], x: f32) -> f32 {
        let next = curve.iter().position(|point| point.x >= x);
        match next {
            Some(0) => curve[0].y,
            Some(next) => {
                let (one, other) = (curve[next - 1], curve[next]);
                one.y + (other.y - one.y) * (x - one.x) / (other.x - one.x)
            }
            None => curve[curve.len() - 1].y,
        }
    }

    #[test]
    fn points_on_a_line_are_not_drawn() {
        assert_eq!(without_the_unseen(Vec::new()), []);
        let one = curve(&[3.0], 1.0);
        assert_eq!(without_the_unseen(one.clone()), one);
        let two = curve(&[3.0, 3.0], 1.0);
        assert_eq!(without_the_unseen(two.clone()), two);
        let level = curve(&[5.0; 600], 0.5);
        assert_eq!(without_the_unseen(level.clone()), [level[0], level[599]]);
        let tooth = curve(&[0.0, 2.0, 4.0, 6.0, 0.0, 2.0, 4.0, 6.0], 1.0);
        let kept = [0, 3, 4, 7].map(|index| tooth[index]);
        assert_eq!(without_the_unseen(tooth), kept);
    }

    #[test]
    fn one_value_that_stands_out_is_drawn() {
        let mut heights = [5.0; 600];
        heights[300] = 9.0;
        let whole = curve(&heights, 0.5);
        let kept = [0, 299, 300, 301, 599].map(|index| whole[index]);
        assert_eq!(without_the_unseen(whole), kept);
    }

    #[test]
    fn points_above_each_other_all_stay() {
        let wall = [
            pos2(0.0, 0.0),
            pos2(1.0, 0.0),
            pos2(1.0, 5.0),
            pos2(1.0, 2.0),
        ];
        assert_eq!(without_the_unseen(wall.to_vec()), wall);
    }

    proptest! {
        #[test]
        fn no_value_is_drawn_farther_off_than_nobody_sees(
            heights in prop::collection::vec(-50.0_f32..50.0, 1..200),
            smoothness in 0_usize..40,
            step in 0.01_f32..3.0,
        ) {
            // Some curves wander slowly, and some jump.
            let smooth: Vec<f32> = (0..heights.len())
                .map(|index| {
                    let around = &heights[index.saturating_sub(smoothness)..=index];
                    around.iter().sum::<f32>() / around.len() as f32
                })
                .collect();
            let whole = curve(&smooth, step);
            let kept = without_the_unseen(whole.clone());
            prop_assert_eq!((kept[0], kept[kept.len() - 1]), (whole[0], whole[whole.len() - 1]));
            prop_assert!(kept.iter().all(|point| whole.contains(point)));
            for point in &whole {
                let off = (height(&kept, point.x) - point.y).abs();
                prop_assert!(off < TOLERANCE + 0.01, "{off} at {point:?} of {kept:?}");
            }
        }
    }
}
