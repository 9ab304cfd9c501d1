//! Why a structure in space did what it did: one sentence an event, with the numbers that decided.

use super::homes::Homes;
use super::{Boxes, Operation3};
use crate::partition::{RegionId, Role, UnitId};
use crate::probe::{Event, Work};
use crate::story::words::{capital, compared, count, found, metres, number, units, units_are};
use crate::story::{Place, Stay};
use crate::volume::{Aabb3, Bodies3, Segment3, Vec3};

/// Tells of the events of one operation, in their order.
pub(super) struct Teller<'a> {
    operation: &'a Operation3,
    reach: f32,
    before: Bodies3<'a>,
    after: Bodies3<'a>,
    boxes: &'a Boxes,
    /// Of a search for the nearest: who was found so far, with the square of how far away that is, the least first.
    found: Vec<(f32, UnitId)>,
    /// Who was one of the nearest so far, and when.
    pub stays: Vec<Stay>,
    /// How many events have been told, the one that is told included.
    told: usize,
    /// The region that was entered last.
    inside: Option<RegionId>,
    /// Where the unit of an edit was kept and is kept when all is done, as far as that is known.
    pub homes: Homes,
}

/// How far two bodies are from each other, in words, as each sentence about a pair has it.
pub fn apart(one: Aabb3, other: Aabb3) -> String {
    let gap = f64::from(one.gap_sq(other)).sqrt();
    format!("{} apart", metres(gap))
}

/// How far a box is from what is looked for, and what that is called.
enum Gap {
    /// So far from it; 0 where it touches.
    Apart(f64, &'static str),
    /// There is no such distance.
    None,
}

impl<'a> Teller<'a> {
    pub fn new(
        operation: &'a Operation3,
        reach: f32,
        before: Bodies3<'a>,
        after: Bodies3<'a>,
        boxes: &'a Boxes,
    ) -> Self {
        Self {
            operation,
            reach,
            before,
            after,
            boxes,
            found: Vec::new(),
            stays: Vec::new(),
            told: 0,
            inside: None,
            homes: Homes::default(),
        }
    }

    /// The sentence of the next event.
    pub fn reason(&mut self, event: Event, place: Option<&Place>) -> String {
        self.told += 1;
        match event {
            Event::Visit(region) => {
                self.inside = Some(region);
                self.visit(region, place)
            }
            Event::Prune(region) => self.prune(region, place),
            Event::Accept(region) => {
                let what = capital(self.noun(region));
                format!(
                    "{what} lies inside {}: its {} taken without a test.",
                    self.what(),
                    units_are(below(place))
                )
            }
            Event::Test(unit) => self.test(unit),
            Event::Hit(unit) => self.hit(unit),
            Event::TestPair(a, b) => {
                let reach = self.reach();
                let is_pair = self.gap_sq(a, b) <= reach * reach;
                compared((a, b), None, self.apart(a, b), reach.into(), is_pair)
            }
            Event::HitPair(a, b) => found((a, b), self.apart(a, b), self.reach().into()),
            Event::Split(region) => format!(
                "{} holds more than it may: its units are handed down to the boxes below it, {} in all.",
                capital(&named_at(region, place)),
                units(below(place))
            ),
            Event::Merge(region) => format!(
                "Those below {} are few enough to be held by it alone again: {}.",
                named_at(region, place),
                units(below(place))
            ),
            Event::Refit(region) => format!(
                "The box of {} is fitted anew around its {}.",
                named_at(region, place),
                units(below(place))
            ),
            Event::Climb(region) => format!(
                "One level up from {}, until a box holds {}.",
                named_at(region, place),
                at(self.goal())
            ),
            Event::Descend(region) => format!(
                "One level down, to {}, towards {}.",
                named_at(region, place),
                at(self.goal())
            ),
            Event::Work(kind) => self.work(kind),
        }
    }

    /// What is looked for.
    fn what(&self) -> &'static str {
        match self.operation {
            Operation3::Sphere { .. } => "the ball",
            Operation3::Range(_) => "the box that is asked about",
            Operation3::Segment { .. } => "the way",
            Operation3::Nearest { .. } => "the point",
            _ => "the place",
        }
    }

    /// The word for a region's outline.
    fn noun(&self, region: RegionId) -> &'static str {
        match self.boxes.get(&region).map(|it| it.role) {
            Some(Role::Cell) => "its cell",
            Some(Role::Slot) => "its strip",
            _ => "its box",
        }
    }

    /// How far a box is from what is looked for.
    fn gap(&self, area: Aabb3) -> Gap {
        let root = |square: f32| f64::from(square).sqrt();
        match *self.operation {
            Operation3::Sphere { center, .. } => {
                Gap::Apart(root(area.distance_sq(center)), "the middle")
            }
            Operation3::Nearest { point, .. } => {
                Gap::Apart(root(area.distance_sq(point)), "the point")
            }
            Operation3::Range(asked) => Gap::Apart(root(area.gap_sq(asked)), "what is asked about"),
            _ => Gap::None,
        }
    }

    fn visit(&self, region: RegionId, place: Option<&Place>) -> String {
        let (what, below) = (capital(self.noun(region)), below(place));
        let own = place
            .filter(|it| it.is_inner())
            .map(|it| u64::from(it.load));
        let looked = match own {
            Some(0) => format!(
                "what is below it, {} in all, is looked at next",
                units(below)
            ),
            Some(own) if own == below => format!("its own {} tested", units_are(own)),
            Some(own) => format!(
                "its own {} tested, and what is below it, {}, is looked at next",
                units_are(own),
                count(below.saturating_sub(own), "more unit")
            ),
            None => format!("its {} tested", units_are(below)),
        };
        let bounds = self.boxes.get(&region).map(|it| it.bounds);
        let Some(bounds) = bounds else {
            return format!("Region {region} is looked into: the picture does not have it.");
        };
        match (*self.operation, self.gap(bounds)) {
            (Operation3::Sphere { radius, .. }, Gap::Apart(gap, from)) => {
                let radius = f64::from(radius);
                if gap <= radius {
                    format!(
                        "{what} comes within {} of {from}, not more than the radius of {}: {looked}.",
                        metres(gap),
                        metres(radius)
                    )
                } else {
                    format!(
                        "{what} ends {} from {from}, farther than the radius of {}, and it is entered all the same: {looked}.",
                        metres(gap),
                        metres(radius)
                    )
                }
            }
            (Operation3::Nearest { count, .. }, Gap::Apart(gap, from)) => {
                match self.farthest(count) {
                    Some(farthest) => format!(
                        "{what} begins {} from {from}, and the last of the {count} nearest so far is {} away: {looked}.",
                        metres(gap),
                        metres(farthest)
                    ),
                    None => format!(
                        "{what} begins {} from {from}, and {} of {count} have been found so far: {looked}.",
                        metres(gap),
                        self.found.len()
                    ),
                }
            }
            (_, Gap::Apart(0.0, from)) => format!("{what} meets {from}: {looked}."),
            (_, Gap::Apart(gap, from)) => format!(
                "{what} ends {} beside {from}, and it is entered all the same: {looked}.",
                metres(gap)
            ),
            (Operation3::Segment { from, to }, _) => {
                let way = Segment3 {
                    from,
                    to,
                    half_width: 0.0,
                };
                if way.meets(bounds) {
                    format!("The way goes through {}: {looked}.", self.noun(region))
                } else {
                    format!(
                        "The way passes {} by, and it is entered all the same: {looked}.",
                        self.noun(region)
                    )
                }
            }
            _ => format!(
                "{} is looked into: {} in it.",
                capital(&named_at(region, place)),
                units_are(below)
            ),
        }
    }

    /// Whether a box comes to what is looked for, where that has an extent.
    fn touches(&self, bounds: Aabb3) -> bool {
        match (*self.operation, self.gap(bounds)) {
            (Operation3::Sphere { radius, .. }, Gap::Apart(gap, _)) => gap <= f64::from(radius),
            (Operation3::Range(_), Gap::Apart(gap, _)) => gap == 0.0,
            (Operation3::Segment { from, to }, _) => {
                let way = Segment3 {
                    from,
                    to,
                    half_width: 0.0,
                };
                way.meets(bounds)
            }
            _ => false,
        }
    }

    fn prune(&self, region: RegionId, place: Option<&Place>) -> String {
        let (what, below) = (capital(self.noun(region)), below(place));
        let end = match below {
            0 => "there is nobody in it, 0 units".to_owned(),
            _ => format!("its {} never tested", units_are(below)),
        };
        let bounds = self.boxes.get(&region).map(|it| it.bounds);
        let Some(bounds) = bounds else {
            return format!("Region {region} is left out: the picture does not have it.");
        };
        if below == 0 && self.touches(bounds) {
            return format!("{what} touches {}, but it is empty: 0 units.", self.what());
        }
        match (*self.operation, self.gap(bounds)) {
            (Operation3::Sphere { radius, .. }, Gap::Apart(gap, from)) => {
                let radius = f64::from(radius);
                if gap > radius {
                    format!(
                        "{what} ends {} from {from}, farther than the radius of {}: {end}.",
                        metres(gap),
                        metres(radius)
                    )
                } else {
                    format!(
                        "{what} comes within {} of {from}, but none of those in it does: {end}.",
                        metres(gap)
                    )
                }
            }
            (Operation3::Nearest { count, .. }, Gap::Apart(gap, from)) => {
                match self.farthest(count) {
                    Some(farthest) => format!(
                        "{what} begins {} from {from}, and the last of the {count} nearest so far is {} away: {end}.",
                        metres(gap),
                        metres(farthest)
                    ),
                    None => format!("{what} begins {} from {from}: {end}.", metres(gap)),
                }
            }
            (_, Gap::Apart(gap, from)) if gap > 0.0 => {
                format!("{what} ends {} beside {from}: {end}.", metres(gap))
            }
            _ => format!("{what} is not where {} is: {end}.", self.what()),
        }
    }

    /// How far the last of those is who are the nearest so far, once there are as many as are wanted.
    fn farthest(&self, count: usize) -> Option<f64> {
        let (last, _) = self.found.get(count.checked_sub(1)?)?;
        Some(f64::from(*last).sqrt())
    }

    /// How far a search for the nearest still looks.
    pub fn bound(&self) -> Option<f64> {
        match *self.operation {
            Operation3::Nearest { count, .. } => self.farthest(count),
            _ => None,
        }
    }

    fn hit(&mut self, unit: UnitId) -> String {
        match *self.operation {
            // Those who were found stand already among the nearest so far.
            Operation3::Nearest { point, count } => {
                let square = self.before.aabb(unit).distance_sq(point);
                // There may be fewer than were wanted.
                let count = count.min(self.found.len()).max(1);
                format!(
                    "Unit {unit}, {} from the point, is one of the {count} nearest: it is found.",
                    metres(f64::from(square).sqrt())
                )
            }
            _ => format!("{} It is found.", self.test(unit)),
        }
    }

    fn test(&mut self, unit: UnitId) -> String {
        let body = self.before.aabb(unit);
        match *self.operation {
            Operation3::Sphere { center, radius } => {
                let square = body.distance_sq(center);
                let word = if square <= radius * radius {
                    "not more"
                } else {
                    "more"
                };
                format!(
                    "Unit {unit} is {} from the middle, {word} than the radius of {}.",
                    metres(f64::from(square).sqrt()),
                    metres(radius.into())
                )
            }
            Operation3::Nearest { point, count } => {
                let square = body.distance_sq(point);
                let away = metres(f64::from(square).sqrt());
                let farthest = self.farthest(count);
                self.find((square, unit), count);
                match farthest {
                    Some(farthest) => format!(
                        "Unit {unit} is {away} from the point, and the last of the {count} nearest before it {}.",
                        metres(farthest)
                    ),
                    None => format!(
                        "Unit {unit} is {away} from the point, and fewer than {count} were found before it."
                    ),
                }
            }
            Operation3::Range(asked) => {
                let gap = f64::from(body.gap_sq(asked)).sqrt();
                if body.overlaps(asked) {
                    format!("Unit {unit} is in the box that is asked about.")
                } else {
                    format!(
                        "Unit {unit} is {} beside the box that is asked about.",
                        metres(gap)
                    )
                }
            }
            Operation3::Segment { from, to } => {
                let way = Segment3 {
                    from,
                    to,
                    half_width: 0.0,
                };
                let word = if way.meets(body) {
                    "meets"
                } else {
                    "passes by"
                };
                format!("The way {word} unit {unit} at {}.", at(body.center()))
            }
            _ => format!("Unit {unit} at {} is tested.", at(body.center())),
        }
    }

    /// Puts somebody among the nearest so far, if it is one of as many as are wanted.
    fn find(&mut self, entry: (f32, UnitId), count: usize) {
        let is_before = |other: &(f32, UnitId)| {
            let order = other.0.total_cmp(&entry.0);
            order.then(other.1.cmp(&entry.1)).is_lt()
        };
        let rank = self.found.partition_point(is_before);
        if rank >= count || self.found.get(rank) == Some(&entry) {
            return;
        }
        self.found.insert(rank, entry);
        self.stays.push(Stay {
            unit: entry.1,
            from: self.told,
            until: None,
        });
        if self.found.len() > count
            && let Some((_, last)) = self.found.pop()
        {
            // Who came last is pushed out first, as a rule.
            let mut stays = self.stays.iter_mut().rev();
            if let Some(stay) = stays.find(|stay| stay.unit == last) {
                stay.until = Some(self.told);
            }
        }
    }

    fn gap_sq(&self, a: UnitId, b: UnitId) -> f32 {
        self.before.aabb(a).gap_sq(self.before.aabb(b))
    }

    fn apart(&self, a: UnitId, b: UnitId) -> f64 {
        f64::from(self.gap_sq(a, b)).sqrt()
    }

    /// How far apart pairs are looked for.
    pub fn reach(&self) -> f32 {
        match *self.operation {
            Operation3::Pairs { reach: Some(reach) } => reach,
            _ => self.reach,
        }
    }

    /// Where the unit is to be, or where it was if it goes.
    fn goal(&self) -> Vec3 {
        match (*self.operation, self.operation.unit(self.before)) {
            (Operation3::Remove { unit }, _) => self.before.center(unit),
            (_, Some(unit)) => self.after.center(unit),
            _ => Vec3::ZERO,
        }
    }

    /// Whom a unit has come upon, where somebody else stands at the very place.
    fn beside(&self, unit: Option<UnitId>, place: Vec3) -> String {
        let mut ids = self.before.ids().filter(|id| Some(*id) != unit);
        let other = ids.find(|id| self.before.center(*id) == place);
        other.map_or_else(String::new, |other| format!(", where unit {other} stands"))
    }

    fn work(&self, kind: Work) -> String {
        let unit = self.operation.unit(self.before);
        let (was, is) = (self.before.count() as u64, self.after.count() as u64);
        let (where_to, homes) = (self.goal(), &self.homes);
        let name = unit.map_or_else(String::new, |unit| format!("unit {unit}"));
        let went = match (*self.operation, unit) {
            (Operation3::Move { .. }, Some(unit)) => {
                let way = self.after.center(unit) - self.before.center(unit);
                metres(way.length().into())
            }
            _ => metres(0.0),
        };
        match kind {
            Work::Add => {
                let beside = self.beside(unit, where_to);
                let begin = format!("{} has come, at {}{beside}", capital(&name), at(where_to));
                let now = units_are(is);
                match (&homes.is, &homes.split_later) {
                    (Some(home), Some((split, step))) => format!(
                        "{begin}: {now} now. It will be kept in {home}, a part of {split}, which is split in step {step}."
                    ),
                    (Some(home), None) => format!(
                        "{begin}, and is kept in {home} when all is done: {now} now.{}",
                        homes.reached
                    ),
                    (None, _) => format!("{begin}: {now} now."),
                }
            }
            Work::Remove => {
                let home = homes.was.as_ref();
                let home = home.map_or_else(String::new, |home| format!("{home} at "));
                format!(
                    "{} goes, from {home}{}: {} left.{}",
                    capital(&name),
                    at(where_to),
                    units_are(is),
                    homes.left
                )
            }
            Work::MoveInPlace | Work::MoveKeyOnly => {
                let home = homes.was.as_ref();
                let home = home.map_or("where it is kept".to_owned(), |home| format!("in {home}"));
                let written = match kind {
                    Work::MoveKeyOnly => "its place and its key are",
                    _ => "its place is",
                };
                format!(
                    "{} stays {home}, {went} from where it was: {written} written anew.",
                    capital(&name)
                )
            }
            Work::MoveRelink => match (&homes.was, &homes.is) {
                (Some(was), Some(is)) if was != is => {
                    let reached = match &homes.split_later {
                        Some((split, step)) => format!(
                            " That will be a part of {split}, which is split in step {step}."
                        ),
                        None => homes.reached.clone(),
                    };
                    format!(
                        "{}, {went} from where it was, does not belong to {was} any more: it goes to {is}.{}{reached}",
                        capital(&name),
                        homes.left,
                    )
                }
                _ => format!(
                    "{} is taken out where it was kept and kept where it is now, {went} from there.",
                    capital(&name)
                ),
            },
            Work::Rebuild => format!(
                "Everything is built anew: {} before, {is} now.",
                units_are(was)
            ),
            _ => format!("{}, with {}.", capital(kind.name()), units(is)),
        }
    }
}

/// A region that an edit names, as it is at the moment by which that is told.
fn named_at(region: RegionId, place: Option<&Place>) -> String {
    match place {
        Some(place) => place.name(),
        None => format!("region {region}"),
    }
}

/// How many units a region and all below it hold.
fn below(place: Option<&Place>) -> u64 {
    place.map_or(0, |place| place.below)
}

/// A place in space.
fn at(place: Vec3) -> String {
    let [x, y, z] = place.to_array().map(|it| number(it.into()));
    format!("({x}, {y}, {z})")
}
