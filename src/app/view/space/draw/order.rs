//! From far to near: things put in the order in which they are painted.

/// Into how many steps of distance a picture is cut: two things of one step may be painted in either order, and no eye tells.
pub const STEPS: usize = 1024;

/// Things in the order of their distances, the farthest first (counting sort).
///
/// The things themselves are moved and not their numbers: a hundred thousand looked up in another order would each be waited for.
///
/// Cost: two passes over the things and one over the steps; no memory is asked for once there was room for as many.
#[derive(Debug)]
pub struct FarFirst<T> {
    things: Vec<T>,
    /// Where each step ends.
    ends: Vec<u32>,
}

impl<T> Default for FarFirst<T> {
    fn default() -> Self {
        Self {
            things: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T: Copy> FarFirst<T> {
    /// Takes these; equals keep their order. `far` is from 0 to 1.
    pub fn take(&mut self, things: &[T], far: impl Fn(&T) -> f32) {
        let step = |thing: &T| {
            // The cast saturates, and takes what is no number for 0.
            usize::from((far(thing) * STEPS as f32) as u16).min(STEPS - 1)
        };
        self.ends.clear();
        self.ends.resize(STEPS, 0);
        for thing in things {
            self.ends[step(thing)] += 1;
        }
        let mut sum = 0;
        for count in self.ends.iter_mut().rev() {
            (*count, sum) = (sum, sum + *count);
        }
        self.things.clear();
        // Room; every place is written once more.
        self.things.extend_from_slice(things);
        for thing in things {
            let place = &mut self.ends[step(thing)];
            self.things[*place as usize] = *thing;
            *place += 1;
        }
    }

    /// The things, the farthest first.
    pub fn things(&mut self) -> &mut [T] {
        &mut self.things
    }

    /// Those of one step: the last is the farthest, of [`STEPS`].
    #[inline]
    pub fn step(&self, step: usize) -> &[T] {
        let end = |step: usize| self.ends.get(step).map_or(0, |end| *end as usize);
        self.things
            .get(end(step + 1)..end(step))
            .unwrap_or_default()
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
        assert_eq!(order.step(STEPS - 1), [things[3], things[6]]);
        assert_eq!(order.step(STEPS / 10), [things[0], things[2]]);
        assert!(order.step(STEPS / 2).is_empty());
        let steps = (0..STEPS).rev().flat_map(|step| order.step(step).to_vec());
        assert_eq!(steps.map(|(number, _)| number).collect::<Vec<_>>(), numbers);
        order.take(&[], |(_, far)| *far);
        assert!(order.things().is_empty());
        order.take(&[(5, 0.5)], |(_, far)| *far);
        assert_eq!(order.things(), [(5, 0.5)]);
    }
}
