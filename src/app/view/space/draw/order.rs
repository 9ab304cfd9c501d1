//! From far to near: things put in the order in which they are painted.

/// Into how many steps of distance a picture is cut: two things of one step may be painted in either order, and no eye tells.
const STEPS: usize = 1024;

/// Numbers in the order of the distances that were said of them, the farthest first (counting sort).
///
/// Cost: two passes over the things and one over the steps; no memory is asked for once there was room for as many.
#[derive(Debug, Default)]
pub struct Order {
    steps: Vec<u16>,
    sorted: Vec<u32>,
    starts: Vec<u32>,
}

impl Order {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    /// Says of the next thing how far it is: 0 for the nearest, 1 for the farthest.
    #[inline]
    pub fn push(&mut self, far: f32) {
        // The cast saturates, and takes what is no number for 0.
        let step = (far * STEPS as f32) as u16;
        self.steps.push(step.min(STEPS as u16 - 1));
    }

    /// The numbers of the things, in the order in which they were said, from the farthest to the nearest.
    pub fn sorted(&mut self) -> &[u32] {
        self.starts.clear();
        self.starts.resize(STEPS, 0);
        for step in &self.steps {
            self.starts[usize::from(*step)] += 1;
        }
        let mut sum = 0;
        for count in self.starts.iter_mut().rev() {
            (*count, sum) = (sum, sum + *count);
        }
        self.sorted.clear();
        self.sorted.resize(self.steps.len(), 0);
        for (thing, step) in self.steps.iter().enumerate() {
            let place = &mut self.starts[usize::from(*step)];
            self.sorted[*place as usize] = thing as u32;
            *place += 1;
        }
        &self.sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_comes_first_and_equals_keep_their_order() {
        let mut order = Order::default();
        for far in [0.1, 0.9, 0.1, 1.0, 0.0, f32::NAN, 7.0, -3.0] {
            order.push(far);
        }
        assert_eq!(order.sorted(), [3, 6, 1, 0, 2, 4, 5, 7]);
        order.clear();
        assert!(order.sorted().is_empty());
        order.push(0.5);
        assert_eq!(order.sorted(), [0]);
    }
}
