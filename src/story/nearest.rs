//! Why a search for the nearest looks where it looks: by who has been found so far.

use super::area::distance;
use super::atlas::{Place, TIGHT};
use super::scenery::Scenery;
use super::words::{are, capital, last_so_far, metres, nobody_in_it, ranked, units_are};
use crate::geometry::Vec2;
use crate::partition::{Role, UnitId};
use crate::probe::Event;

/// Tells of the events of one search, in their order, and keeps who has been found so far.
pub struct Teller<'a> {
    scenery: &'a Scenery<'a>,
    point: Vec2,
    count: usize,
    /// The nearest of those who were tested, by (distance², id) as structures have it.
    best: Vec<(f32, UnitId)>,
    /// How many results were told.
    told: usize,
    /// Of the regions that were entered with others below them the one with the most units.
    widest: Option<&'a Place>,
    /// Who was one of them, and when.
    pub stays: Vec<Stay>,
}

/// How long a unit was one of the nearest so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The unit.
    pub unit: UnitId,
    /// After how many steps it was one of them.
    pub from: usize,
    /// After how many steps a nearer one had its place, if one ever had.
    pub until: Option<usize>,
}

impl<'a> Teller<'a> {
    /// Nobody is found yet.
    pub fn new(scenery: &'a Scenery<'a>, point: Vec2, count: usize) -> Self {
        Self {
            scenery,
            point,
            count,
            best: Vec::new(),
            told: 0,
            widest: None,
            stays: Vec::new(),
        }
    }

    /// How far away a unit is.
    fn away(&self, unit: UnitId) -> f64 {
        distance(self.scenery.bodies.aabb(unit), self.point)
    }

    /// The last of those found, once there are enough.
    fn worst(&self) -> Option<(f64, UnitId)> {
        let worst = self.best.last().filter(|_| self.best.len() == self.count);
        worst.map(|(_, unit)| (self.away(*unit), *unit))
    }

    /// How far the search still looks: as far as the last of those found, once there are enough.
    pub fn reach(&self) -> Option<f64> {
        self.worst().map(|(away, _)| away)
    }

    /// What the last of those found is called.
    fn bound(&self, (away, unit): (f64, UnitId)) -> String {
        last_so_far(self.count, (away, unit))
    }

    /// By which cuts a search came straight down to a region, the widest first, and why no node stands above that among its steps; nothing where
    /// its tree is not one of cuts.
    pub fn descent(&self, place: &Place) -> Option<String> {
        let (_, sides) = self.scenery.cuts(place, None)?;
        Some(format!(
            " The way down to it took a comparison with each cut alone: the point lies {sides}. Whatever node is above it is entered later, if at all: from here the search goes up."
        ))
    }

    /// Why nothing else is looked at, where the search stayed in a part of the tree: who is left out without a look.
    fn rest(&self) -> Option<String> {
        let widest = self.widest?;
        let mut root = widest;
        while let Some(above) = root.parent {
            root = self.scenery.place(above)?;
        }
        let others = root.below.checked_sub(widest.below)?;
        let (away, _) = self.worst()?;
        let reach = Vec2::splat(away as f32);
        let bounds = widest.bounds;
        let is_within = (self.point - reach).cmpgt(bounds.min).all()
            && (self.point + reach).cmplt(bounds.max).all();
        (is_within && others > 0).then(|| {
            format!(
                " The search ends here: the circle around all {} lies within {}, and the other {} left out without a look.",
                self.count,
                widest.name(),
                units_are(others)
            )
        })
    }

    /// Takes down that a region is entered.
    pub fn enter(&mut self, place: &'a Place) {
        let is_wider = |widest: &Place| place.below > widest.below;
        if place.is_inner() && self.widest.is_none_or(is_wider) {
            self.widest = Some(place);
        }
    }

    /// Why a region is entered.
    pub fn visit(&self, place: &Place, events: &[Event], at: usize) -> String {
        let mut what = self.scenery.entered(place, events, at);
        // Of parts that are looked at one by one.
        let is_nearest_first = self.scenery.is_nearest_part_first();
        if is_nearest_first && place.is_inner() && what.ends_with("is visited") {
            what += ", the nearest part first";
        }
        let Some((begins, away)) = self.begins(place) else {
            return format!("It goes past the point: {what}.");
        };
        let Some(worst) = self.worst() else {
            let found = self.best.len();
            return format!(
                "{begins}, and {found} of {} {} found so far: {what}.",
                self.count,
                are(self.count as u64)
            );
        };
        let bound = self.bound(worst);
        let sticking = self.scenery.sticking_out();
        if away <= worst.0 {
            format!("{begins}, no farther than {bound}: {what}.")
        } else if sticking > 0.0 && away - worst.0 <= sticking {
            format!(
                "{begins}, farther than {bound}, but bodies stick out by up to {}: {what}.",
                metres(sticking)
            )
        } else {
            format!(
                "{begins}, farther than {bound}, but among those around the point that are visited together: {what}."
            )
        }
    }

    /// Where a region begins, seen from the point, and the distance by which it has its turn: of a tree that goes by the boxes around
    /// whom its nodes hold that box's, which is said as well where it is another one. Nothing of a region without a box.
    fn begins(&self, place: &Place) -> Option<(String, f64)> {
        let (edge, bounds) = place.edge()?;
        let away = distance(bounds, self.point);
        let begins = match away == 0.0 {
            true => format!("The point lies in {edge}"),
            false => format!("{} begins {} away", capital(edge), metres(away)),
        };
        let is_of_tree = matches!(place.role, Role::Inner | Role::Leaf);
        let inner = place.inner_edge().filter(|_| is_of_tree);
        let Some(inner) = inner.map(|inner| distance(inner, self.point)) else {
            return Some((begins, away));
        };
        let both = match (metres(inner), metres(away)) {
            (inner, away) if inner == away => begins,
            (inner, _) if away == 0.0 => format!("{begins}, {TIGHT} begins {inner} away"),
            (inner, _) => format!("{begins}, {TIGHT} {inner} away"),
        };
        Some((both, inner))
    }

    /// Why a region is left out.
    pub fn prune(&self, place: &Place) -> String {
        let end = match place.below {
            0 => format!(". {}", nobody_in_it()),
            below => format!(": its {} left out.", units_are(below)),
        };
        let begins = self.begins(place);
        let Some(worst) = self.worst() else {
            return match begins {
                Some((begins, _)) => format!("{begins}{end}"),
                None => format!("It is 0 m away{end}"),
            };
        };
        let bound = self.bound(worst);
        let is_farther = |(_, away): &(String, f64)| *away > worst.0;
        let inner = place.inner_edge().map(|bounds| {
            let away = distance(bounds, self.point);
            (
                format!("{} begins {} away", capital(TIGHT), metres(away)),
                away,
            )
        });
        if let Some((begins, _)) = begins.filter(is_farther).or(inner.filter(is_farther)) {
            return format!("{begins}, farther than {bound}{end}");
        }
        if place.below == 0 {
            return format!("It begins no farther away than {bound}{end}");
        }
        match self
            .scenery
            .atlas
            .nearest_of(place, &|unit| self.away(unit))
        {
            Some((away, unit)) => format!(
                "Unit {unit}, the nearest in it, is {} away, no nearer than {bound}{end}",
                metres(away)
            ),
            None => format!("Nobody in it is nearer than {bound}{end}"),
        }
    }

    /// Why a unit is looked at by the event of this number, and what comes of it.
    pub fn test(&mut self, unit: UnitId, at: usize) -> String {
        let entry = (self.scenery.bodies.aabb(unit).distance_sq(self.point), unit);
        let begin = format!("Unit {unit} is tested: {} away", metres(self.away(unit)));
        if self.best.contains(&entry) {
            return format!("{begin}, and found before.");
        }
        let is_before = |other: &(f32, UnitId)| {
            other
                .0
                .total_cmp(&entry.0)
                .then(other.1.cmp(&entry.1))
                .is_lt()
        };
        let place = self.best.partition_point(is_before);
        let worst = self.worst();
        if let Some(worst) = worst
            && place == self.count
        {
            return format!("{begin}, no nearer than {}.", self.bound(worst));
        }
        self.best.insert(place, entry);
        self.stays.push(Stay {
            unit,
            from: at + 1,
            until: None,
        });
        if self.best.len() > self.count
            && let Some((_, last)) = self.best.pop()
        {
            // Who came last is pushed out first, as a rule.
            let mut stays = self.stays.iter_mut().rev();
            if let Some(stay) = stays.find(|stay| stay.unit == last) {
                stay.until = Some(at + 1);
            }
        }
        let rank = place + 1;
        ranked(
            (unit, self.away(unit)),
            rank,
            (self.best.len(), self.count),
            worst.map(|(_, other)| other),
        )
    }

    /// Why a unit is a result.
    pub fn hit(&mut self, unit: UnitId) -> String {
        self.told += 1;
        let rest = (self.told == 1).then(|| self.rest()).flatten();
        format!(
            "Unit {unit} is number {} of the nearest, {} away: found.{}",
            self.told,
            metres(self.away(unit)),
            rest.unwrap_or_default()
        )
    }
}
