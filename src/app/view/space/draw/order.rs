//! From far to near: things put in the order in which they are painted.

/// Into how many steps of distance a picture is cut: two things of one step may be painted in either order, and no eye tells.
const STEPS: usize = 1024;

/// The step of something so far away: 0 for the nearest, 1 for the farthest.
#[inline]
pub fn step(far: f32) -> usize {
    // The cast saturates, and takes what is no number for 0.
    ((far * STEPS as f32) as usize).min(STEPS - 1)
}

/// Things in the order of their distances, the farthest first (counting sort).
///
/// The things themselves are moved and not their numbers: a hundred thousand looked up in another order would each be waited for.
///
/// Cost: two passes over the things and one over the steps; no memory is asked for once there was room for as many.
#[derive(Debug)]
pub struct FarFirst<T> {
    things: Vec<T>,
    starts: Vec<u32>,
}

impl<T> Default for FarFirst<T> {
    fn default() -> Self {
        Self {
            things: Vec::new(),
            starts: Vec::new(),
        }
    }
}

impl<T: Copy> FarFirst<T> {
    /// Takes these; equals keep their order. `far` is from 0 to 1.
    pub fn take(&mut self, things: &[T], far: impl Fn(&T) -> f32) {
        self.starts.clear();
        self.starts.resize(STEPS, 0);
        for thing in things {
            self.starts[step(far(thing))] += 1;
        }
        let mut sum = 0;
        for count in self.starts.iter_mut().rev() {
            (*count, sum) = (sum, sum + *count);
        }
        self.things.clear();
        // Room; every place is written once more.
        self.things.extend_from_slice(things);
        for thing in things {
            let place = &mut self.starts[step(far(thing))];
            self.things[*place as usize] = *thing;
            *place += 1;
        }
    }

    /// The things, the farthest first.
    pub fn things(&self) -> &[T] {
        &self.things
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_comes_first_and_equals_keep_their_order() {
        let mut order = FarFirst::default();
        let far = [0.1, 0.9, 0.1, 1.0, 0.0, f32::NAN, 7.0, -3.0];
        let things: Vec<_> = far.into_iter().enumerate().collect();
        order.take(&things, |(_, far)| *far);
        let numbers: Vec<_> = order.things().iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [3, 6, 1, 0, 2, 4, 5, 7]);
        order.take(&[], |(_, far)| *far);
        assert!(order.things().is_empty());
        order.take(&[(5, 0.5)], |(_, far)| *far);
        assert_eq!(order.things(), [(5, 0.5)]);
    }
}
