//! Why a structure in space did what it did: one sentence an event, with the numbers that decided.

use super::homes::Homes;
use super::{Boxes, Operation3};
use crate::partition::{RegionId, Role, UnitId};
use crate::probe::{Event, Work};
use crate::story::joining::joined_once;
use crate::story::words::{
    are, capital, compared, count, empty_and_left_out, found, last_so_far, metres, nobody_in_it,
    number, ranked, units, units_are,
};
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
            Event::Merge(region) => place.and_then(joined).unwrap_or_else(|| {
                format!(
                    "Those below {} are few enough to be held by it alone again: {}.",
                    named_at(region, place),
                    units(below(place))
                )
            }),
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

    /// How far a box is from what is looked for, of a ball from its middle; 0 where it touches that, and nothing where there is no such
    /// distance.
    fn gap(&self, area: Aabb3) -> Option<f64> {
        let square = match *self.operation {
            Operation3::Sphere { center, .. } => area.distance_sq(center),
            Operation3::Nearest { point, .. } => area.distance_sq(point),
            Operation3::Range(asked) => area.gap_sq(asked),
            _ => return None,
        };
        Some(f64::from(square).sqrt())
    }

    /// Where a region's box begins, seen from the middle of the ball or from the point.
    fn begins(&self, noun: &str, gap: f64) -> String {
        let of_ball = matches!(self.operation, Operation3::Sphere { .. });
        match (of_ball, gap == 0.0) {
            (true, true) => format!("The middle of the ball lies in {noun}"),
            (false, true) => format!("The point lies in {noun}"),
            (true, false) => format!(
                "{} begins {} from the middle of the ball",
                capital(noun),
                metres(gap)
            ),
            (false, false) => format!("{} begins {} away", capital(noun), metres(gap)),
        }
    }

    fn visit(&self, region: RegionId, place: Option<&Place>) -> String {
        let (what, below) = (capital(self.noun(region)), below(place));
        let own = place
            .filter(|it| it.is_inner())
            .map(|it| u64::from(it.load));
        let order = match self.operation {
            Operation3::Nearest { .. } => ", the nearest part first",
            _ => "",
        };
        let looked = match own {
            Some(0) => format!(
                "what is below it, {} in all, is looked at next{order}",
                units(below)
            ),
            Some(own) if own == below => format!("its own {} tested", units_are(own)),
            Some(own) => format!(
                "its own {} tested, and what is below it, {}, is looked at next{order}",
                units_are(own),
                count(below.saturating_sub(own), "more unit")
            ),
            None if below == 0 => "it holds 0 units".to_owned(),
            None => format!("its {} tested", units_are(below)),
        };
        let bounds = self.boxes.get(&region).map(|it| it.bounds);
        let Some(bounds) = bounds else {
            return format!("Region {region} is looked into: the picture does not have it.");
        };
        match (*self.operation, self.gap(bounds)) {
            (Operation3::Sphere { radius, .. }, Some(gap)) => {
                let (begins, radius) = (self.begins(self.noun(region), gap), f64::from(radius));
                let than = format!("than the radius of {}", metres(radius));
                if gap == 0.0 {
                    format!("{begins}: {looked}.")
                } else if gap <= radius {
                    format!("{begins}, no farther {than}: {looked}.")
                } else {
                    format!("{begins}, farther {than}, and it is entered all the same: {looked}.")
                }
            }
            (Operation3::Nearest { count, .. }, Some(gap)) => {
                let begins = self.begins(self.noun(region), gap);
                let Some(last) = self.last(count) else {
                    let found = self.found.len();
                    return format!(
                        "{begins}, and {found} of {count} {} found so far: {looked}.",
                        are(count as u64)
                    );
                };
                let bound = last_so_far(count, last);
                if gap <= last.0 {
                    format!("{begins}, no farther than {bound}: {looked}.")
                } else {
                    format!(
                        "{begins}, farther than {bound}, and it is entered all the same: {looked}."
                    )
                }
            }
            (_, Some(0.0)) => format!("{what} meets {}: {looked}.", self.what()),
            (_, Some(gap)) => format!(
                "{what} is {} away from {}, and it is entered all the same: {looked}.",
                metres(gap),
                self.what()
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
            (Operation3::Sphere { radius, .. }, Some(gap)) => gap <= f64::from(radius),
            (Operation3::Range(_), Some(gap)) => gap == 0.0,
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
            0 => format!(". {}", nobody_in_it()),
            _ => format!(": its {} never tested.", units_are(below)),
        };
        let bounds = self.boxes.get(&region).map(|it| it.bounds);
        let Some(bounds) = bounds else {
            return format!("Region {region} is left out: the picture does not have it.");
        };
        if below == 0 && self.touches(bounds) {
            return format!("{what} comes to {}{}", self.what(), empty_and_left_out());
        }
        match (*self.operation, self.gap(bounds)) {
            (Operation3::Sphere { radius, .. }, Some(gap)) => {
                let (begins, radius) = (self.begins(self.noun(region), gap), f64::from(radius));
                if gap > radius {
                    let radius = metres(radius);
                    format!("{begins}, farther than the radius of {radius}{end}")
                } else {
                    format!("{begins}, but nobody in it comes into the ball{end}")
                }
            }
            (Operation3::Nearest { count, .. }, Some(gap)) => {
                let begins = self.begins(self.noun(region), gap);
                match self.last(count) {
                    Some(last) if gap > last.0 => {
                        format!("{begins}, farther than {}{end}", last_so_far(count, last))
                    }
                    Some(last) if below > 0 => {
                        let bound = last_so_far(count, last);
                        format!("{begins}, but nobody in it is nearer than {bound}{end}")
                    }
                    _ => format!("{begins}{end}"),
                }
            }
            (_, Some(gap)) if gap > 0.0 => {
                let away = metres(gap);
                format!("{what} is {away} away from {}{end}", self.what())
            }
            _ => format!("{what} is not where {} is{end}", self.what()),
        }
    }

    /// The last of those who are the nearest so far and how far away it is, once there are as many as are wanted.
    fn last(&self, count: usize) -> Option<(f64, UnitId)> {
        let (last, unit) = self.found.get(count.checked_sub(1)?)?;
        Some((f64::from(*last).sqrt(), *unit))
    }

    /// How far a search for the nearest still looks.
    pub fn bound(&self) -> Option<f64> {
        match *self.operation {
            Operation3::Nearest { count, .. } => self.last(count).map(|(away, _)| away),
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
            Operation3::Sphere { center, radius } => {
                let square = self.before.aabb(unit).distance_sq(center);
                format!(
                    "Unit {unit} is {} away, within {}: found.",
                    metres(f64::from(square).sqrt()),
                    metres(radius.into())
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
                let (away, reach) = (f64::from(square).sqrt(), f64::from(radius));
                let seen = match square <= radius * radius {
                    true => format!("within {}", metres(reach)),
                    false => format!("{} too far", metres(away - reach)),
                };
                format!("Unit {unit} is tested: {} away, {seen}.", metres(away))
            }
            Operation3::Nearest { point, count } => {
                let square = body.distance_sq(point);
                let away = f64::from(square).sqrt();
                let last = self.last(count);
                match (self.find((square, unit), count), last) {
                    (Some(rank), last) => {
                        let out = last.map(|(_, other)| other);
                        ranked((unit, away), rank, (self.found.len(), count), out)
                    }
                    (None, Some(last)) => format!(
                        "Unit {unit} is tested: {} away, no nearer than {}.",
                        metres(away),
                        last_so_far(count, last)
                    ),
                    (None, None) => {
                        format!(
                            "Unit {unit} is tested: {} away, and found before.",
                            metres(away)
                        )
                    }
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

    /// Puts somebody among the nearest so far, if it is one of as many as are wanted and was none before. Gives its number among them,
    /// from 1.
    fn find(&mut self, entry: (f32, UnitId), count: usize) -> Option<usize> {
        let is_before = |other: &(f32, UnitId)| {
            let order = other.0.total_cmp(&entry.0);
            order.then(other.1.cmp(&entry.1)).is_lt()
        };
        let rank = self.found.partition_point(is_before);
        if rank >= count || self.found.get(rank) == Some(&entry) {
            return None;
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
        Some(rank + 1)
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

    /// Of whoever comes to a full leaf that is split for it, what that is called and how many it holds; else nothing.
    fn arrives(&self) -> String {
        match &self.homes.arrival {
            Some(leaf) => format!(
                ", by way of {}, which held {}, as many as a leaf may",
                leaf.name(),
                units(leaf.load.into())
            ),
            None => String::new(),
        }
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
                let begin = format!("{begin}{}", self.arrives());
                match (&homes.is, &homes.split_later) {
                    (Some(home), Some((split, step))) => format!(
                        "{begin}: {now} there in all. It will be kept in {home}, a part of {split}, which is split in step {step}."
                    ),
                    (Some(home), None) => format!(
                        "{begin}, and is kept in {home} when all is done: {now} there in all.{}",
                        homes.reached
                    ),
                    (None, _) => format!("{begin}: {now} there in all."),
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
                            " {} will be a part of {split}, which is split in step {step}.",
                            capital(is)
                        ),
                        None => homes.reached.clone(),
                    };
                    format!(
                        "{}, {went} from where it was, does not belong to {was} any more: it goes to {is}{}.{}{reached}",
                        capital(&name),
                        self.arrives(),
                        homes.left,
                    )
                }
                (_, Some(is)) => format!(
                    "{} is taken out where it was kept and kept in {is} now{}, {went} from there.",
                    capital(&name),
                    self.arrives()
                ),
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

/// Why parts are joined that are one leaf now; nothing of a region that has parts, or that has no such limit.
fn joined(place: &Place) -> Option<String> {
    let limit = u64::from(place.capacity);
    let is_few = !place.is_inner() && limit > 0 && place.below <= limit / 2;
    is_few.then(|| {
        format!(
            "{} left below it; {}: they become one, {}.",
            units_are(place.below),
            joined_once(limit),
            place.name()
        )
    })
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
