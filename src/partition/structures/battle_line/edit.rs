//! Single edits: one entry passes those between its places, and nobody else is looked at.

use super::{AUTO, BattleLine, TURN_RATIO};
use crate::geometry::Vec2;
use crate::partition::toolkit::turn::turned;
use crate::partition::{Bodies, Change, Course, Outgrown, UnitId};
use crate::probe::{Event, Neighbors, Probe, Work};

/// One unit of so many may move before it is quicker to go through the whole line.
const MOVING: usize = 64;
/// So many units may come or go: each shifts half of the line.
const COMING: usize = 8;
/// So many entries may be passed for each that there is, before it is quicker to sort.
const PATIENCE: usize = 8;
/// And so many more.
const FREE_PATIENCE: usize = 1 << 12;

/// Where the units are spread: sums over their centres, along both axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    count: f64,
    sum: [f64; 2],
    square: [f64; 2],
}

impl Spread {
    /// That of all units.
    pub fn of(bodies: Bodies<'_>) -> Self {
        let mut spread = Self::default();
        for unit in bodies.ids() {
            spread.count(bodies.center(unit), 1.0);
        }
        spread
    }

    /// Counts a centre in, or out again by a weight of -1.
    #[inline]
    fn count(&mut self, center: Vec2, weight: f64) {
        self.count += weight;
        for (axis, coordinate) in [f64::from(center.x), f64::from(center.y)]
            .into_iter()
            .enumerate()
        {
            self.sum[axis] += coordinate * weight;
            self.square[axis] += coordinate * coordinate * weight;
        }
    }

    fn variance(&self, axis: usize) -> f64 {
        (self.square[axis] * self.count - self.sum[axis] * self.sum[axis]).max(0.0)
    }
}

/// Where each unit is filed in the line; nothing is known until the first single edit after a sort.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    is_known: bool,
    /// Row of a unit → the centre that its entry was made of.
    pub centers: Vec<Vec2>,
    spread: Spread,
    /// How many entries may still be passed before it is quicker to sort.
    patience: usize,
}

impl Files {
    /// The whole line has been looked at: what was known is not so any more.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// Where a unit is filed, as far as that is known; for whoever checks it.
    pub fn center_of(&self, unit: UnitId) -> Option<Vec2> {
        // A unit that is filed nowhere is nowhere to be found.
        let center = self.centers.get(unit as usize).copied();
        self.is_known.then_some(center.unwrap_or(Vec2::NAN))
    }

    pub fn byte_count(&self) -> usize {
        self.centers.capacity() * size_of::<Vec2>()
    }

    fn spend(&mut self, entries: usize) -> Result<(), Outgrown> {
        self.patience = self.patience.checked_sub(entries).ok_or(Outgrown)?;
        Ok(())
    }
}

impl BattleLine {
    /// The axis along which the line should run where units are spread like that.
    pub(super) fn choose_axis(&self, spread: impl FnOnce() -> Spread) -> usize {
        if self.axis_asked != AUTO {
            return self.axis_asked;
        }
        let spread = spread();
        let (along, across) = (spread.variance(self.axis), spread.variance(1 - self.axis));
        // Along one axis or the other a crowd is about as wide; turning costs a sort, so it has to be worth it.
        if across > along * TURN_RATIO * TURN_RATIO {
            1 - self.axis
        } else {
            self.axis
        }
    }

    /// Whether changes are so few that they are made one by one, and gets ready for that.
    pub(super) fn look_at(&mut self, bodies: Bodies<'_>, changes: &[Change]) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        let is_edit = |change: &&Change| !matches!(change, Change::Move(_));
        let count = self.entries.len();
        if changes.len() > count / MOVING
            || changes.iter().filter(is_edit).count() > COMING
            || bodies.are_sized() != self.are_sized
        {
            return Course::Rebuild;
        }
        let files = &mut self.files;
        if !files.is_known {
            files.is_known = true;
            files.centers.clear();
            files.centers.resize(bodies.slot_count(), Vec2::ZERO);
            files.spread = Spread::default();
            for entry in &self.entries {
                let row = entry.unit as usize;
                if row >= files.centers.len() {
                    files.centers.resize(row + 1, Vec2::ZERO);
                }
                // Along the line this is the centre to the last bit.
                let center = Vec2::new(entry.key, entry.body.center().y);
                files.centers[row] = turned(self.axis, center);
                files.spread.count(files.centers[row], 1.0);
            }
        }
        let rows = bodies.slot_count().max(files.centers.len());
        files.centers.resize(rows, Vec2::ZERO);
        files.patience = count * PATIENCE + FREE_PATIENCE;
        Course::OneByOne
    }

    /// Where the entry of a unit is.
    fn place_of(&mut self, unit: UnitId) -> Result<usize, Outgrown> {
        let center = *self.files.centers.get(unit as usize).ok_or(Outgrown)?;
        let key = turned(self.axis, center).x + 0.0;
        let first = self.entries.partition_point(|entry| entry.key < key);
        let alike = self.entries[first..].iter();
        let past = alike.take_while(|entry| entry.unit != unit && entry.key == key);
        let place = first + past.count();
        self.files.spend(place - first)?;
        match self.entries.get(place) {
            Some(entry) if entry.unit == unit => Ok(place),
            _ => Err(Outgrown),
        }
    }

    /// Files a unit where it is now, behind those with the same coordinate.
    pub(super) fn insert(&mut self, bodies: Bodies<'_>, unit: UnitId) -> Result<(), Outgrown> {
        let entry = self.entry(bodies, unit);
        let place = self.entries.partition_point(|other| other.key <= entry.key);
        self.files.spend(self.entries.len() - place)?;
        self.entries.insert(place, entry);
        self.note(bodies, unit);
        Ok(())
    }

    /// Takes a unit out of the line.
    pub(super) fn delete(&mut self, unit: UnitId) -> Result<(), Outgrown> {
        let place = self.place_of(unit)?;
        self.files.spend(self.entries.len() - place)?;
        self.entries.remove(place);
        let center = self.files.centers[unit as usize];
        self.files.spread.count(center, -1.0);
        Ok(())
    }

    /// Lets a unit pass those between where it was and where it is.
    pub(super) fn pass<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let from = self.place_of(unit)?;
        let entry = self.entry(bodies, unit);
        let behind = self.entries[from..].partition_point(|other| {
            // Its own entry is as it was, and first.
            other.unit == unit || other.key <= entry.key
        });
        let to = if behind > 1 {
            let to = from + behind - 1;
            self.entries.copy_within(from + 1..=to, from);
            to
        } else {
            let before = &self.entries[..from];
            let to = before.partition_point(|other| other.key <= entry.key);
            self.entries.copy_within(to..from, to + 1);
            to
        };
        self.entries[to] = entry;
        let passed = to.abs_diff(from);
        self.files.spend(passed)?;
        let center = self.files.centers[unit as usize];
        self.files.spread.count(center, -1.0);
        self.note(bodies, unit);
        if P::HEARS {
            for step in 0..passed {
                if P::DETAILED {
                    // Whoever it has passed stands one place nearer to where it was.
                    let (now, place) = match to > from {
                        true => (from + step, from + step + 1),
                        false => (from - step, from - step - 1),
                    };
                    probe.orders(Neighbors {
                        unit,
                        other: self.entries[now].unit,
                        place,
                    });
                }
                probe.on(Event::Work(Work::Swap));
            }
            if passed == 0 {
                probe.on(Event::Work(Work::MoveInPlace));
            }
        }
        Ok(())
    }

    /// Writes down where a unit is filed, and makes the bounds hold it.
    fn note(&mut self, bodies: Bodies<'_>, unit: UnitId) {
        let center = bodies.center(unit);
        self.files.centers[unit as usize] = center;
        self.files.spread.count(center, 1.0);
        let half_extent = turned(self.axis, bodies.half_extent(unit)).x;
        self.half_extent = self.half_extent.max(half_extent);
        self.bounds = self.bounds.join(self.entry(bodies, unit).body);
    }

    /// Whether the line still runs along the right axis.
    pub(super) fn check_axis(&self) -> Result<(), Outgrown> {
        if self.choose_axis(|| self.files.spread) == self.axis {
            Ok(())
        } else {
            Err(Outgrown)
        }
    }
}
