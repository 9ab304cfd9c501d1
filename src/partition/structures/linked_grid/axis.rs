//! One axis of the grid: from coordinate to column and back.

use crate::geometry::Vec2;
use crate::partition::COORDINATE_LIMIT;
use crate::partition::toolkit::halves::{coordinate_of, key_of};

/// How many ever wider columns lie on each side of the field.
///
/// Each octave of distance has 4, as in a floating-point number with two bits of mantissa: four as wide as a cell, four
/// twice as wide, and so on. 32 of them are 8 octaves: they reach 1,024 cells beyond the field, and the last is endless.
pub(super) const RIM: u32 = 32;

/// The cells that the first octave of the rim is wide; also its number of columns.
const FIRST_OCTAVE: f32 = 4.0;

/// Leaves exponent and two bits of mantissa of an `f32`.
const RIM_SHIFT: u32 = 21;

/// Cuts one axis into columns: equal ones across the field and, on each side, ever wider ones out to infinity.
///
/// Invariant: the map from coordinate to column never decreases, in `f32` and not just on paper, and `edges` is its exact
/// inverse. A cell's box therefore truly holds every position that maps to it, whatever was rounded on the way, and cells
/// can be pruned with the same predicates as bodies.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Where the field begins, in metres.
    origin: f32,
    /// How wide a column of the field is, in metres. Dividing by it puts whole multiples exactly on the border, which
    /// multiplying by its rounded inverse would not.
    width: f32,
    /// The number of equal columns, which cover the field.
    inner: u32,
    /// Column → the least coordinate that maps to it or to a later one. Minus infinity first, infinity behind the last.
    pub edges: Vec<f32>,
}

impl Axis {
    /// Columns of `width` metres from `low` on until `high` is covered.
    pub fn new(low: f32, high: f32, width: f32) -> Self {
        let mut axis = Self {
            origin: low,
            width,
            inner: Self::inner_count(low, high, f64::from(width)),
            edges: Vec::new(),
        };
        let count = axis.inner + 2 * RIM;
        axis.edges = (0..=count)
            .map(|column| match column {
                0 => f32::NEG_INFINITY,
                _ if column == count => f32::INFINITY,
                _ => axis.least_of(column),
            })
            .collect();
        axis
    }

    /// How many columns of `width` metres cover the field.
    fn inner_count(low: f32, high: f32, width: f64) -> u32 {
        let length = (f64::from(high) - f64::from(low)).max(0.0);
        (length / width).ceil().clamp(1.0, f64::from(1 << 23)) as u32
    }

    /// How many columns an axis would have.
    pub fn count_for(low: f32, high: f32, width: f64) -> u64 {
        u64::from(Self::inner_count(low, high, width) + 2 * RIM)
    }

    /// The number of columns.
    #[inline]
    pub fn count(&self) -> u32 {
        self.inner + 2 * RIM
    }

    /// The columns that cover the field.
    pub fn inner(&self) -> std::ops::Range<u32> {
        RIM..RIM + self.inner
    }

    /// The column of a coordinate. Every number has one, infinities included.
    #[inline]
    pub fn column(&self, coordinate: f32) -> u32 {
        let offset = (coordinate - self.origin) / self.width;
        if offset >= 0.0 {
            if offset < self.inner as f32 {
                RIM + offset as u32
            } else {
                RIM + self.inner + rim_column(offset - self.inner as f32)
            }
        } else {
            RIM - 1 - rim_column(-offset)
        }
    }

    /// Column and row of two places that lie in the field; nothing where one does not. The same as [`Axis::column`] of each
    /// coordinate, but for all four at once: what four divisions wait for is waited for once.
    #[inline(always)]
    pub fn inner_columns(
        columns: &Self,
        rows: &Self,
        [first, second]: [Vec2; 2],
    ) -> Option<[(u32, u32); 2]> {
        let x = (first.x - columns.origin) / columns.width;
        let y = (first.y - rows.origin) / rows.width;
        let other_x = (second.x - columns.origin) / columns.width;
        let other_y = (second.y - rows.origin) / rows.width;
        let (end_x, end_y) = (columns.inner as f32, rows.inner as f32);
        let is_first_inside = (x >= 0.0) & (y >= 0.0) & (x < end_x) & (y < end_y);
        let is_second_inside =
            (other_x >= 0.0) & (other_y >= 0.0) & (other_x < end_x) & (other_y < end_y);
        if !(is_first_inside & is_second_inside) {
            return None;
        }
        // No more than 2²³, so no bit is lost.
        Some([
            (RIM + x as i32 as u32, RIM + y as i32 as u32),
            (RIM + other_x as i32 as u32, RIM + other_y as i32 as u32),
        ])
    }

    /// The columns of all coordinates from `low` to `high`.
    #[inline]
    pub fn columns(&self, low: f32, high: f32) -> std::ops::RangeInclusive<u32> {
        self.column(low)..=self.column(high)
    }

    /// The least and, but for rounding, the greatest coordinate of a column; endless for the outermost.
    #[inline]
    pub fn span(&self, column: u32) -> (f32, f32) {
        (self.edges[column as usize], self.edges[column as usize + 1])
    }

    /// [`Axis::span`] cut to what can be drawn.
    pub fn drawn_span(&self, column: u32) -> (f32, f32) {
        let (low, high) = self.span(column);
        (
            low.max(-2.0 * COORDINATE_LIMIT),
            high.min(2.0 * COORDINATE_LIMIT),
        )
    }

    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        self.edges.capacity() * size_of::<f32>()
    }

    /// The least coordinate that maps to `column` or to a later one, found by halving among all finite numbers: a guess
    /// by multiplication would be off by whatever the map itself rounded.
    fn least_of(&self, column: u32) -> f32 {
        let (mut below, mut at) = (key_of(f32::MIN), key_of(f32::MAX));
        while i64::from(at) - i64::from(below) > 1 {
            let middle = ((i64::from(below) + i64::from(at)) / 2) as i32;
            if self.column(coordinate_of(middle)) >= column {
                at = middle;
            } else {
                below = middle;
            }
        }
        coordinate_of(at)
    }
}

/// The place in the rim of something `distance` cells outside of the field.
#[inline]
fn rim_column(distance: f32) -> u32 {
    let octaves = (distance + FIRST_OCTAVE).to_bits() >> RIM_SHIFT;
    (octaves - (FIRST_OCTAVE.to_bits() >> RIM_SHIFT)).min(RIM - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_belongs_to_the_cell_that_it_begins() {
        let axis = Axis::new(-24.0, 24.0, 12.0);
        assert_eq!(axis.inner().len(), 4);
        for (coordinate, column) in [(-24.0, 0), (-12.1, 0), (-12.0, 1), (-0.1, 1), (0.0, 2)] {
            assert_eq!(axis.column(coordinate), RIM + column, "{coordinate}");
        }
        assert_eq!(axis.column(24.0), RIM + 4);
        assert_eq!(axis.column(-24.001), RIM - 1);
    }

    #[test]
    fn two_places_in_the_field_have_the_columns_that_they_have_one_by_one() {
        let (columns, rows) = (Axis::new(-24.0, 24.0, 0.7), Axis::new(3.0, 40.0, 0.7));
        let of = |place: Vec2| (columns.column(place.x), rows.column(place.y));
        let mut inside = 0;
        for step in 0..4_000 {
            let along = step as f32 * 0.015;
            let first = Vec2::new(-30.0 + along, 40.0 - along);
            let second = Vec2::new(24.0 - along * 0.9, 3.0 + along * 0.7);
            if let Some(cells) = Axis::inner_columns(&columns, &rows, [first, second]) {
                assert_eq!(cells, [of(first), of(second)], "{first} {second}");
                inside += 1;
            }
        }
        assert!((1_000..3_500).contains(&inside), "{inside}");
        // The last column reaches a little beyond the field, so its end is within.
        for x in [columns.origin, 24.0_f32.next_down(), 24.0] {
            let place = Vec2::new(x, rows.origin);
            let cells = Axis::inner_columns(&columns, &rows, [place, place]);
            assert_eq!(cells, Some([of(place); 2]), "{x}");
        }
        for place in [Vec2::new(-24.1, 5.0), Vec2::new(0.0, 41.0), Vec2::NAN] {
            let places = [Vec2::new(0.0, 5.0), place];
            assert_eq!(Axis::inner_columns(&columns, &rows, places), None);
        }
    }

    #[test]
    fn columns_outside_the_field_grow_with_the_distance() {
        let axis = Axis::new(0.0, 100.0, 10.0);
        let width = |column: u32| {
            let (low, high) = axis.span(column);
            high - low
        };
        let first = axis.inner().end;
        for (place, cells) in [(0, 1.0), (3, 1.0), (4, 2.0), (8, 4.0), (12, 8.0)] {
            assert!((width(first + place) - 10.0 * cells).abs() < 0.01);
            assert!((width(RIM - 1 - place) - 10.0 * cells).abs() < 0.01);
        }
        assert_eq!(axis.column(f32::INFINITY), axis.count() - 1);
        assert_eq!(axis.column(f32::NEG_INFINITY), 0);
    }

    #[test]
    fn edges_are_exactly_where_the_column_changes() {
        for (low, high, width) in [
            (0.0, 100.0, 12.0),
            (-64.0, 64.0, 0.7),
            (1.0e6, 1.0e6 + 128.0, 0.5),
            (-3.3e7, -3.2e7, 1000.0),
        ] {
            let axis = Axis::new(low, high, width);
            for column in 1..axis.count() {
                let edge = axis.span(column).0;
                assert!(axis.column(edge) >= column);
                assert!(axis.column(edge.next_down()) < column);
            }
        }
    }
}
