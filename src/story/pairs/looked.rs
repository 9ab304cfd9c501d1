//! What is said of a region that another one looks at, and of one that is left out for it: by the region that looks, as it is told.

use super::turn::some;
use super::{Teller, tests_made, tests_up_to_cut};
use crate::geometry::Aabb;
use crate::partition::{RegionId, UnitId};
use crate::probe::Event;
use crate::story::area::gap;
use crate::story::atlas::{Place, TIGHT};
use crate::story::words::{are, capital, metres, units, units_are};

/// The box of a region by its owner's name: its outline, with room for bodies, or the box around whom it holds.
fn edge_of(place: &Place) -> Option<(String, Aabb)> {
    let (word, bounds) = place.held_by()?;
    let word = match word {
        TIGHT => format!("the box around whom {} holds", place.name()),
        _ => format!("the box of {}", place.name()),
    };
    Some((word, bounds))
}

impl Teller<'_> {
    /// That a region is looked at on behalf of another one, where no turn is known that would tell more.
    pub(super) fn looked_at(
        &self,
        place: &Place,
        looker: RegionId,
        moment: (&[Event], usize),
    ) -> Option<String> {
        let other = self.scenery.atlas.place(looker)?;
        if place.is_inner() {
            return Some(self.looked_into(place, other, moment));
        }
        if place.load == 0 {
            return None;
        }
        // Of two that look at each other the second comes right behind the first.
        let (events, at) = moment;
        let is_second = |region: RegionId| {
            events.get(at + 1) == Some(&Event::Visit(region))
                && self.lookers.of(at + 1) == Some(place.region)
        };
        if !is_second(looker) {
            return Some(match self.is_surely_of(looker, Some(place.region), at) {
                true => self.looked_at_by_leaf(place, other, looker, moment),
                false => self.held_against(place, other, moment),
            });
        }
        let met = self.met(place, looker, moment);
        let begin = format!("It and {} look at each other", other.name());
        Some(match met.here.is_empty() {
            true if met.is_open => {
                format!("{begin}: whether anybody is compared lies behind the cut.")
            }
            true => format!(
                "{begin}, and nobody is compared{}.",
                self.why_nobody(place, other)
            ),
            false => format!(
                "{begin}: whoever of the two is within {} of the other's box is compared ({}).",
                self.reach(),
                tests_up_to_cut(met.sum, met.is_open)
            ),
        })
    }

    /// That two regions are compared, where it is not known which of them looks at the other in its turn.
    fn held_against(&self, place: &Place, other: &Place, moment: (&[Event], usize)) -> String {
        let met = self.met(place, other.region, moment);
        let (here, there) = (met.here.len() as u64, met.there.len() as u64);
        let begin = format!("It and {} are held against each other", other.name());
        match (here, met.is_open) {
            (0, true) => format!("{begin}: whether anybody is compared lies behind the cut."),
            (0, false) => format!(
                "{begin}, and nobody is compared{}.",
                self.why_nobody(place, other)
            ),
            (_, true) => format!(
                "{begin}, and units of both are compared: {}.",
                tests_up_to_cut(met.sum, true)
            ),
            (_, false) => format!(
                "{begin}, and {} {} compared with {} of {}: {}.",
                some(here, place.load.into(), "its"),
                are(here),
                some(there, other.load.into(), "the"),
                other.name(),
                tests_made(met.sum)
            ),
        }
    }

    /// That what is below a node is looked at on behalf of another region.
    fn looked_into(&self, place: &Place, other: &Place, moment: (&[Event], usize)) -> String {
        let (name, reach) = (other.name(), self.reach());
        if self.scenery.atlas.is_above(place.region, other.region) {
            return format!(
                "From here on {name} looks for whoever is within {reach} of it: what is below, and has not looked itself, is visited."
            );
        }
        let met = self.met(place, other.region, moment);
        let own = match met.here.len() as u64 {
            0 => String::new(),
            _ if met.is_open => format!(
                "how many of its own {} are compared with those of {name} lies behind the cut, and ",
                units(place.load.into())
            ),
            here => format!(
                "{} {} compared with those of {name} ({}), and ",
                some(here, place.load.into(), "its own"),
                are(here),
                tests_made(met.sum)
            ),
        };
        format!(
            "{} looks at it: of the {} below it some may be within {reach} of those of {name}: {own}what is below, and has not looked itself, is visited.",
            capital(&name),
            units(place.below)
        )
    }

    /// That a leaf looks at another one, and who of the two is compared: `looking` has its turn, or looks, and is one of the two. A search may
    /// come to either of them for that; told is what happens to the one that is looked at.
    pub(super) fn looked_at_by_leaf(
        &self,
        place: &Place,
        other: &Place,
        looking: RegionId,
        moment: (&[Event], usize),
    ) -> String {
        let mut met = self.met(place, other.region, moment);
        let (place, other) = match looking == place.region {
            true => {
                std::mem::swap(&mut met.here, &mut met.there);
                (other, place)
            }
            false => (place, other),
        };
        let (here, there) = (met.here.len() as u64, met.there.len() as u64);
        let begin = format!("{} looks at it", capital(&other.name()));
        if met.is_open {
            return match here {
                0 => format!("{begin}: whether anybody is compared lies behind the cut."),
                _ => format!(
                    "{begin}, and units of both are compared: {}.",
                    tests_up_to_cut(met.sum, true)
                ),
            };
        }
        if here == 0 {
            return format!(
                "{begin}, and nobody is compared{}.",
                self.why_nobody(place, other)
            );
        }
        let (load, of_other) = (u64::from(place.load), u64::from(other.load));
        let are_far = self.are_others_far(place, &met.here, self.around(&met.there))
            && self.are_others_far(other, &met.there, self.around(&met.here));
        let left = match (here < load || there < of_other, are_far) {
            (true, true) => format!(
                " Whoever is left out is more than {} from the box around the others who are compared.",
                self.reach()
            ),
            _ => String::new(),
        };
        format!(
            "{begin}, and {} {} compared with {} of {}: {}.{left}",
            some(here, load, "its"),
            are(here),
            some(there, of_other, "the"),
            other.name(),
            tests_made(met.sum)
        )
    }

    /// Why nobody of a region is compared with anybody of another one that looks, behind a colon; nothing where boxes do not say it.
    fn why_nobody(&self, place: &Place, other: &Place) -> String {
        let reach = f64::from(self.reach);
        let away = |unit: &UnitId, from: Aabb| gap(self.scenery.bodies.aabb(*unit), from);
        let are_known = |place: &Place| place.units().len() == place.load as usize;
        let (Some((of_place, here)), Some((of_other, there))) = (edge_of(place), edge_of(other))
        else {
            return String::new();
        };
        if !are_known(place) || !are_known(other) {
            return String::new();
        }
        let are_far = |place: &Place, from: Aabb| {
            let mut units = place.units().iter();
            units.all(|unit| away(unit, from) > reach)
        };
        let near = |place: &Place, to: Aabb| -> Vec<UnitId> {
            let units = place.units().iter();
            let near = units.filter(|unit| away(unit, to) <= reach);
            near.copied().collect()
        };
        let (own, reach) = (units_are(place.load.into()), self.reach());
        if are_far(other, here) {
            return format!(": {} more than {reach} from {of_place}", of(other));
        }
        if are_far(place, there) {
            return format!(": its {own} more than {reach} from {of_other}");
        }
        if are_far(place, self.around(&near(other, here))) {
            return format!(
                ": its {own} more than {reach} from the box around whoever of {} comes near it",
                other.name()
            );
        }
        if are_far(other, self.around(&near(place, there))) {
            return format!(
                ": {} more than {reach} from the box around whoever of it comes near {}",
                of(other),
                other.name()
            );
        }
        String::new()
    }

    /// Why a region is left out.
    pub fn prune(&mut self, place: &Place, at: usize) -> String {
        let end = if place.below == 0 {
            "there is nobody in it".to_owned()
        } else {
            format!("its {} not tested here", units_are(place.below))
        };
        let turns = self.turns.as_ref();
        let looker = self.lookers.of(at);
        self.turn = looker.or(self.turn);
        let looker = looker.or_else(|| turns.and_then(|turns| turns.owner(at)));
        let looker = looker.or(self.home.filter(|_| !self.lookers.are_told()));
        let Some(other) = looker.and_then(|looker| self.scenery.atlas.place(looker)) else {
            return format!(
                "Nobody of what it is held against comes within {} of it: {end}.",
                self.reach()
            );
        };
        let looks = format!("{} looks at it", capital(&other.name()));
        match self.why_far(place, other) {
            Some(why) => format!("{looks}, and {why}, more than {}: {end}.", self.reach()),
            None => format!(
                "{looks}, and nobody who looks comes within {} of anybody in it: {end}.",
                self.reach()
            ),
        }
    }

    /// By how much a region is out of reach of another one that looks, if that is so: their boxes, or the box of the first and the units of
    /// the other.
    fn why_far(&self, place: &Place, other: &Place) -> Option<String> {
        let (edge, own) = place.held_by()?;
        let reach = f64::from(self.reach);
        if let Some((of_other, theirs)) = edge_of(other) {
            let apart = gap(own, theirs);
            if apart > reach {
                let room = match place.has_room() || other.has_room() {
                    true => ", each with room for its bodies",
                    false => "",
                };
                return Some(format!("{edge} is {} from {of_other}{room}", metres(apart)));
            }
        }
        let bodies = self.scenery.bodies;
        let away = |unit: UnitId| gap(own, bodies.aabb(unit));
        let (apart, unit) = self.scenery.atlas.nearest_of(other, &away)?;
        (apart > reach).then(|| {
            let room = match place.has_room() {
                true => " with room for its bodies",
                false => "",
            };
            format!(
                "unit {unit}, the nearest of {}, is {} from {edge}{room}",
                other.name(),
                metres(apart)
            )
        })
    }
}

/// The units of a region, with the verb behind them.
fn of(place: &Place) -> String {
    let load = u64::from(place.load);
    format!("the {} of {} {}", units(load), place.name(), are(load))
}
