//! Who is selected: none, one or very many units, or objects.

use skirmish::partition::UnitId;

/// The units, or the objects, that are selected, by ascending id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    units: Vec<UnitId>,
}

impl Selection {
    /// The units, by ascending id.
    pub fn units(&self) -> &[UnitId] {
        &self.units
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether nobody is.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The unit that is selected alone.
    pub fn one(&self) -> Option<UnitId> {
        match self.units[..] {
            [unit] => Some(unit),
            _ => None,
        }
    }

    /// The first of them.
    pub fn first(&self) -> Option<UnitId> {
        self.units.first().copied()
    }

    /// Whether a unit is. Takes the logarithm of their number.
    pub fn contains(&self, unit: UnitId) -> bool {
        self.units.binary_search(&unit).is_ok()
    }

    /// Selects nobody.
    pub fn clear(&mut self) {
        self.units.clear();
    }

    /// Selects this unit alone, or nobody.
    pub fn set(&mut self, unit: Option<UnitId>) {
        self.units.clear();
        self.units.extend(unit);
    }

    /// Selects these and no others, which come by ascending id.
    pub fn replace(&mut self, units: impl IntoIterator<Item = UnitId>) {
        self.units.clear();
        self.units.extend(units);
        debug_assert!(self.units.is_sorted_by(|a, b| a < b));
    }

    /// Selects these too, which come by ascending id.
    pub fn add(&mut self, units: impl IntoIterator<Item = UnitId>) {
        self.units.extend(units);
        // Two runs in order: the sort finds them and joins them.
        self.units.sort();
        self.units.dedup();
    }

    /// Selects a unit that is not selected, and the other way round.
    pub fn toggle(&mut self, unit: UnitId) {
        match self.units.binary_search(&unit) {
            Ok(place) => {
                self.units.remove(place);
            }
            Err(place) => self.units.insert(place, unit),
        }
    }

    /// Keeps those who still stand.
    pub fn retain(&mut self, is_alive: impl Fn(UnitId) -> bool) {
        self.units.retain(|unit| is_alive(*unit));
    }
}

impl From<Option<UnitId>> for Selection {
    fn from(unit: Option<UnitId>) -> Self {
        Self {
            units: unit.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_in_order_and_has_each_once() {
        let mut selection = Selection::default();
        assert_eq!((selection.one(), selection.first()), (None, None));
        selection.add([3, 7]);
        selection.add([1, 7, 9]);
        assert_eq!(selection.units(), [1, 3, 7, 9]);
        selection.toggle(7);
        selection.toggle(4);
        assert_eq!(selection.units(), [1, 3, 4, 9]);
        assert!(selection.contains(4) && !selection.contains(7));
        selection.retain(|unit| unit != 4 && unit < 9);
        assert_eq!((selection.len(), selection.one()), (2, None));
        selection.set(Some(5));
        assert_eq!(selection.one(), Some(5));
        selection.set(None);
        assert!(selection.is_empty());
    }
}
