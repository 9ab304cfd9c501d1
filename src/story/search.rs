//! Why a rectangle, a disc, a way or a figure looks where it looks.

use super::area::{Area, distance, gap};
use super::atlas::{Place, TIGHT};
use super::scenery::Scenery;
use super::words::{
    capital, empty_and_left_out, metres, nobody_in_it, place as at_place, units_are,
};
use crate::geometry::Aabb;
use crate::partition::{Placement, UnitId};
use crate::probe::Event;
use std::collections::HashSet;

/// Tells of the events of one search, in their order.
pub struct Teller<'a> {
    scenery: &'a Scenery<'a>,
    area: Area<'a>,
    tested: HashSet<UnitId>,
}

impl<'a> Teller<'a> {
    /// Nothing is told yet.
    pub fn new(scenery: &'a Scenery<'a>, area: Area<'a>) -> Self {
        Self {
            scenery,
            area,
            tested: HashSet::new(),
        }
    }

    /// The word for what it asks about.
    pub fn area(&self) -> &'static str {
        self.area.name()
    }

    /// Why a region is entered.
    pub fn visit(&self, place: &Place, events: &[Event], at: usize) -> String {
        let area = self.area.name();
        let what = self.scenery.entered(place, events, at);
        let Some((edge, bounds)) = place.edge() else {
            return format!("It may reach into the {area}: {what}.");
        };
        let gap = self.area.gap(bounds);
        if gap == 0.0 {
            return format!("{} meets the {area}: {what}.", capital(edge));
        }
        let sticking = self.scenery.sticking_out();
        let beside = capital(&self.beside(edge, bounds));
        if sticking > 0.0 && gap <= sticking {
            let sticking = metres(sticking);
            format!("{beside}, but bodies stick out by up to {sticking}: {what}.")
        } else if place.parent.is_none() && place.is_inner() {
            format!("{beside}, but the root is always entered: {what}.")
        } else {
            format!("{beside}, in a row of those that it comes to: {what}.")
        }
    }

    /// That a box does not come into the area, with the number by which that is decided: of a disc how far from its middle it begins, as
    /// tests say it of units.
    fn beside(&self, edge: &str, bounds: Aabb) -> String {
        match self.area {
            Area::Disc { center, radius } => format!(
                "{edge} begins {} from the middle of the disc, farther than the radius of {}",
                metres(distance(bounds, center)),
                metres(radius.into())
            ),
            _ => format!(
                "{edge} is {} away from the {}",
                metres(self.area.gap(bounds)),
                self.area.name()
            ),
        }
    }

    /// Why a region is left out.
    pub fn prune(&self, place: &Place) -> String {
        let (area, below) = (self.area.name(), place.below);
        let placement = self.scenery.placement();
        let end = match placement {
            // Its units may stand in another region as well, and be looked at there.
            Placement::Replicate => format!("its {} not tested here", units_are(below)),
            _ => format!("its {} never tested", units_are(below)),
        };
        let is_beside = |bounds: &Aabb| self.area.gap(*bounds) > 0.0;
        let edge = place.edge();
        let name = edge.map_or_else(|| "It".to_owned(), |(name, _)| capital(name));
        if let Some((edge, bounds)) = edge.filter(|(_, bounds)| is_beside(bounds)) {
            let beside = capital(&self.beside(edge, bounds));
            if below == 0 {
                return format!("{beside}. {}", nobody_in_it());
            }
            let farther = match self.scenery.sticking_out() > 0.0 {
                true => ", and no body in it sticks out so far",
                false => "",
            };
            return format!("{beside}{farther}: {end}.");
        }
        if below == 0 {
            return format!("{name} comes to the {area}{}", empty_and_left_out());
        }
        if let Some(bounds) = place.inner_edge().filter(is_beside) {
            let beside = self.beside(TIGHT, bounds);
            return format!("{name} comes to the {area}, but {beside}: {end}.");
        }
        let bodies = self.scenery.bodies;
        let gap_of = |unit| self.area.gap(bodies.aabb(unit));
        match self.scenery.atlas.nearest_of(place, &gap_of) {
            Some((gap, unit)) if gap > 0.0 => format!(
                "{name} comes to the {area}, but unit {unit}, the nearest in it, is {} beside it: {end}.",
                metres(gap)
            ),
            _ => format!("Whom it holds does not come into the {area}: {end}."),
        }
    }

    /// Why a region is taken whole.
    pub fn accept(&self, place: &Place) -> String {
        let (area, taken) = (self.area.name(), "taken without a test");
        let is_around = |(_, bounds): &(&str, Aabb)| self.area.is_around(*bounds);
        let inner = place.inner_edge().map(|bounds| (TIGHT, bounds));
        let edge = place.edge().filter(is_around).or(inner.filter(is_around));
        match edge {
            Some((edge, _)) => format!(
                "{} lies inside the {area}: its {} {taken}.",
                capital(edge),
                units_are(place.below)
            ),
            None => format!(
                "Whoever stands in it comes into the {area}: its {} {taken}.",
                units_are(place.below)
            ),
        }
    }

    /// Why a unit is tested, and what is seen.
    pub fn test(&mut self, unit: UnitId) -> String {
        let again = if self.tested.insert(unit) {
            ""
        } else {
            " again"
        };
        let body = self.scenery.bodies.aabb(unit);
        let is_hit = self.area.holds(body);
        let seen = match self.area {
            Area::Disc { center, radius } => {
                let (away, radius) = (distance(body, center), f64::from(radius));
                if is_hit {
                    format!("{} away, within {}", metres(away), metres(radius))
                } else {
                    format!("{} away, {} too far", metres(away), metres(away - radius))
                }
            }
            Area::Near { unit: own, .. } if own == unit => {
                "it is the one whose surroundings are searched, 0 m away".to_owned()
            }
            Area::Near {
                body: own, reach, ..
            } => {
                let (away, reach) = (gap(body, own), f64::from(reach));
                if is_hit {
                    format!("{} away, within {}", metres(away), metres(reach))
                } else {
                    format!("{} away, {} too far", metres(away), metres(away - reach))
                }
            }
            Area::Rectangle(_) | Area::Way(_) | Area::Figure(_) => {
                let here = at_place(self.scenery.bodies.center(unit));
                let area = self.area.name();
                if is_hit {
                    format!("at {here} it meets the {area}")
                } else {
                    let gap = metres(self.area.gap(body));
                    format!("at {here} it is {gap} beside the {area}")
                }
            }
        };
        format!("Unit {unit} is tested{again}: {seen}.")
    }

    /// Why a unit is a result.
    pub fn hit(&self, unit: UnitId) -> String {
        let bodies = self.scenery.bodies;
        let here = at_place(bodies.center(unit));
        let found = if self.tested.contains(&unit) {
            "found"
        } else {
            "found without a test"
        };
        match self.area {
            Area::Disc { center, radius } => format!(
                "Unit {unit} is {} away, within {}: {found}.",
                metres(distance(bodies.aabb(unit), center)),
                metres(radius.into())
            ),
            Area::Near { unit: own, .. } if own == unit => {
                format!("Unit {unit} is the one whose surroundings are searched: it is left out.")
            }
            Area::Near { body, reach, .. } => format!(
                "Unit {unit} is {} away, within {}: {found}.",
                metres(gap(bodies.aabb(unit), body)),
                metres(reach.into())
            ),
            Area::Figure(figure) => {
                let area = figure.name();
                format!("Unit {unit} at {here} comes into the {area}: {found}.")
            }
            // It is a body that is asked about, and not its middle alone.
            Area::Rectangle(area) if !area.contains(bodies.center(unit)) => format!(
                "Unit {unit} is at {here}, and its body, {} wide, reaches into the rectangle: {found}.",
                metres(bodies.aabb(unit).size().max_element().into())
            ),
            Area::Rectangle(_) => format!("Unit {unit} at {here} is in the rectangle: {found}."),
            Area::Way(_) => format!("Unit {unit} at {here} is met by the segment: {found}."),
        }
    }
}
