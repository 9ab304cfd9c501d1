//! The values to which somebody has set the knobs: a table of a knob's values goes on having them when another one is set.

use crate::app::worker::{MOST_OWN, Own};
use skirmish::structure::StructureKind;

/// These values, of every structure and knob, the latest last. Those that a table has anyway are not among them.
#[derive(Clone, Debug, Default)]
pub struct OwnValues {
    all: Vec<OwnValue>,
    /// Those of before the last movement, and of which knob that was.
    before: Option<((StructureKind, usize), Vec<OwnValue>)>,
}

/// A knob of a structure, and a value of it.
type OwnValue = (StructureKind, usize, f64);

impl OwnValues {
    /// Notes that a knob was set so. `goes_on` says that it is the same movement of the hand as before, of which only the end counts.
    pub fn note(&mut self, (kind, knob): (StructureKind, usize), value: f64, goes_on: bool) {
        let is_of_it = |it: &OwnValue| (it.0, it.1) == (kind, knob);
        match &self.before {
            Some((of, before)) if goes_on && *of == (kind, knob) => {
                self.all.clone_from(before);
            }
            _ => self.before = Some(((kind, knob), self.all.clone())),
        }
        let Some(info) = kind.info().knobs.get(knob) else {
            return;
        };
        let is_there = info.range.spread().contains(&value) || value == info.default;
        if info.is_auto(value) || is_there {
            return;
        }
        self.all.retain(|it| *it != (kind, knob, value));
        self.all.push((kind, knob, value));
        let count = self.all.iter().filter(|it| is_of_it(it)).count();
        if count > MOST_OWN
            && let Some(oldest) = self.all.iter().position(is_of_it)
        {
            self.all.remove(oldest);
        }
    }

    /// Those of one knob.
    pub fn of(&self, kind: StructureKind, knob: usize) -> Own {
        let all = self.all.iter().filter(|it| (it.0, it.1) == (kind, knob));
        let mut own = Own::default();
        for (place, (.., value)) in own.iter_mut().zip(all) {
            *place = Some(*value);
        }
        own
    }

    /// Another scene has others.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::{AUTO, Kind};

    #[test]
    fn the_last_few_values_that_were_set_by_hand_are_kept_and_of_a_drag_only_its_end() {
        let grid = StructureKind::from(Kind::LinkedGrid);
        let mut own = OwnValues::default();
        let kept = |own: &OwnValues, kind| -> Vec<f64> {
            let all = own.of(kind, 0).into_iter();
            all.flatten().collect()
        };
        own.note((grid, 0), 25.0, false);
        // What a table has anyway.
        own.note((grid, 0), AUTO, false);
        own.note((grid, 0), 20.0, false);
        assert_eq!(kept(&own, grid), [25.0]);
        for (value, goes_on) in [(31.0, false), (32.0, true), (33.0, true)] {
            own.note((grid, 0), value, goes_on);
        }
        assert_eq!(kept(&own, grid), [25.0, 33.0]);
        // A drag over what a table has, or over what was set before, takes nothing of that away.
        for (value, goes_on) in [(26.0, false), (20.0, true), (25.0, true), (34.0, true)] {
            own.note((grid, 0), value, goes_on);
        }
        assert_eq!(kept(&own, grid), [25.0, 33.0, 34.0]);
        own.note((grid, 0), 25.0, false);
        assert_eq!(
            kept(&own, grid),
            [33.0, 34.0, 25.0],
            "the latest is the last"
        );
        for value in 41..=46 {
            own.note((grid, 0), f64::from(value), false);
        }
        assert_eq!(kept(&own, grid), [41.0, 42.0, 43.0, 44.0, 45.0, 46.0]);
        assert!(kept(&own, Kind::SortedGrid.into()).is_empty());
        own.clear();
        assert!(kept(&own, grid).is_empty());
    }
}
