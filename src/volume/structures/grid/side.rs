//! How long the side of a cell is.

use super::KNOBS;
use crate::partition::{AUTO, KnobField, KnobRange, rounded};
use crate::volume::{Aabb3, Bodies3};

/// The knob `cell_size`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// What it is set to, in metres, or [`AUTO`].
    set: f64,
    /// What was chosen when the grid was last built.
    chosen: f64,
    /// How far apart pairs will be asked for.
    expected: f32,
    /// What is chosen comes to this, where it is known beforehand.
    held: Option<f64>,
}

impl Default for Side {
    fn default() -> Self {
        Self {
            set: AUTO,
            chosen: 1.0,
            expected: 0.0,
            held: None,
        }
    }
}

impl KnobField for Side {
    fn get(&self) -> f64 {
        self.set
    }

    fn set(&mut self, value: f64) {
        self.set = value;
    }

    fn in_effect(&self) -> f64 {
        if self.set == AUTO {
            self.chosen
        } else {
            self.set
        }
    }

    fn expect(&mut self, reach: f32) {
        self.expected = reach;
    }

    fn hold(&mut self, value: f64) {
        self.held = Some(value);
    }
}

/// So many units are in a cell where they are spread evenly over the field.
const UNITS_A_CELL: f64 = 2.0;

/// A cell is a little longer than the reach, so that rounding does not make it two cells.
const SLACK: f64 = 1.01;

impl Side {
    /// Chooses a side that fits the expected reach, bodies of the usual size and an even crowd.
    pub fn choose(&mut self, field: Aabb3, bodies: Bodies3<'_>) {
        let count = bodies.count().max(1) as f64;
        let sizes = bodies.half_extents.iter();
        let sizes: f64 = sizes.map(|half| f64::from(half.max_element())).sum();
        let usual = 2.0 * sizes / bodies.slot_count().max(1) as f64;
        let apart = f64::from(self.expected).max(0.0) + usual;
        let size = field.size().as_dvec3().max(glam::DVec3::splat(1.0));
        let spacing = (UNITS_A_CELL * size.element_product() / count).cbrt();
        if let KnobRange::Number { min, max, .. } = KNOBS[0].range {
            // Nobody's reach is without an end; a number that is none is the least.
            let side = (apart * SLACK).max(spacing);
            let side = if side > min { side.min(max) } else { min };
            // A little more than the reach is to stay more than the reach.
            let even = rounded(side).clamp(min, max);
            self.chosen = if even < apart { side } else { even };
        }
        // Looked for all the same: a build in which that is left out would be quicker than others.
        self.chosen = self.held.unwrap_or(self.chosen);
    }
}
