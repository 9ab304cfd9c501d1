//! Whose turn it is in a search for pairs in space, and what is said of that.
//!
//! The events of a search name who is looked at; on whose behalf is [told](crate::probe::Probe::looks) beside them. What is come to on
//! nobody's behalf has a turn of its own. A leaf with a single unit may never be come to: then its turn is that in which it looks.

use super::Boxes;
use crate::partition::{RegionId, Role, UnitId};
use crate::probe::{Abandoned, Cancel, Event};
use crate::story::pairs::{named, tests_made, tests_up_to_cut};
use crate::story::turns::{Lookers, Sum};
use crate::story::words::{are, capital, compared, metres, units, units_are};
use crate::story::{Atlas, Place};
use crate::volume::Bodies3;
use std::collections::{HashMap, HashSet};

/// What is known of one event of a search for pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Why a region is entered or left out, or two units are compared; nothing of other events.
    pub reason: Option<String>,
    /// The region in whose turn it happens.
    pub turn: Option<RegionId>,
    /// Whether that turn begins with it.
    pub begins: bool,
}

/// What one region does on its own behalf, and who has looked at it before.
#[derive(Debug, Default)]
struct Account {
    /// Comparisons of its units with those of others.
    across: Sum,
    /// The regions of those others, in the order in which they come up.
    partners: Vec<RegionId>,
    /// Who has looked at it before it had its turn.
    looked: Vec<RegionId>,
}

/// The search whose turns are told.
pub(super) struct Turns<'a> {
    pub atlas: &'a Atlas,
    pub boxes: &'a Boxes,
    pub bodies: Bodies3<'a>,
    /// How far apart two of a pair are at the most, in metres.
    pub reach: f32,
    pub events: &'a [Event],
    pub lookers: Lookers<'a>,
    /// Whether these are all events of the search.
    pub is_whole: bool,
}

/// Whether a region may have a turn: nodes only pass the search on.
fn has_turns(place: &Place) -> bool {
    place.role != Role::Inner && place.load > 0
}

impl Turns<'_> {
    /// What is known of each event.
    pub fn tell(&self, cancel: &Cancel) -> Result<Vec<Told>, Abandoned> {
        let begins = self.begins();
        let accounts = self.accounts(&begins);
        // Who has looked for the first time without a turn that has begun.
        let mut introduced = HashSet::new();
        let mut told = Vec::with_capacity(self.events.len());
        let mut turn = None;
        for (at, event) in self.events.iter().enumerate() {
            cancel.check()?;
            let (Event::Visit(region) | Event::Prune(region)) = *event else {
                let of = turn.and_then(|turn| self.atlas.place(turn));
                told.push(Told {
                    reason: of.and_then(|of| self.compared(*event, of)),
                    turn,
                    ..Told::default()
                });
                continue;
            };
            let looker = self.lookers.of(at);
            let place = self.atlas.place(region);
            let holds_some = place.is_some_and(|place| place.load > 0);
            turn = looker.or(Some(region).filter(|_| holds_some));
            let is_its_own = looker.is_none() && begins.get(&region) == Some(&at);
            let other = looker.and_then(|looker| self.atlas.place(looker));
            let reason = place.and_then(|place| match (event, other) {
                (Event::Visit(_), None) if is_its_own => Some(self.own_turn(place, &accounts, at)),
                (Event::Visit(_), None) => Some(self.looked_into(place, at)),
                (Event::Visit(_), Some(other)) => Some(self.looked_at(place, other, at)),
                (_, other) => other.map(|other| self.left_out(place, other)),
            });
            let alone = other.filter(|other| has_turns(other) && other.load == 1);
            let alone = alone.filter(|other| !begins.contains_key(&other.region));
            let alone = alone.filter(|other| introduced.insert(other.region));
            let reason = match (alone, reason) {
                (Some(alone), Some(reason)) => Some(format!(
                    "It is the turn of {}, in which 1 unit is alone. {reason}",
                    alone.name()
                )),
                (_, reason) => reason,
            };
            told.push(Told {
                reason,
                turn,
                begins: is_its_own,
            });
        }
        Ok(told)
    }

    /// With which event the turn of each region begins that is come to on nobody's behalf.
    fn begins(&self) -> HashMap<RegionId, usize> {
        let mut begins = HashMap::new();
        for (at, event) in self.events.iter().enumerate() {
            if let Event::Visit(region) = *event
                && self.lookers.of(at).is_none()
                && self.atlas.place(region).is_some_and(has_turns)
            {
                begins.entry(region).or_insert(at);
            }
        }
        begins
    }

    fn accounts(&self, begins: &HashMap<RegionId, usize>) -> HashMap<RegionId, Account> {
        let mut accounts: HashMap<RegionId, Account> = HashMap::new();
        let (mut met, mut looked) = (HashSet::new(), HashSet::new());
        // Who looks at whom, while somebody does.
        let mut now: Option<(RegionId, RegionId)> = None;
        for (at, event) in self.events.iter().enumerate() {
            match *event {
                Event::Visit(region) | Event::Prune(region) => {
                    now = self.lookers.of(at).map(|looker| (looker, region));
                    let is_before = begins.get(&region).is_some_and(|begin| at < *begin);
                    if let Some(two) = now.filter(|_| is_before)
                        && self.counts_as_a_look(*event)
                        && looked.insert(two)
                    {
                        accounts.entry(region).or_default().looked.push(two.0);
                    }
                }
                Event::TestPair(a, b) => {
                    let Some((looker, region)) = now else {
                        continue;
                    };
                    let account = accounts.entry(looker).or_default();
                    account.across.0 += 1;
                    account.across.1 += u64::from(self.is_pair(a, b));
                    if met.insert((looker, region)) {
                        account.partners.push(region);
                    }
                }
                _ => {}
            }
        }
        accounts
    }

    /// Whether somebody looks at a region by this event: a cell is a neighbour also where it is out of reach.
    fn counts_as_a_look(&self, event: Event) -> bool {
        match event {
            Event::Prune(region) => {
                let place = self.atlas.place(region);
                place.is_some_and(|place| place.role == Role::Cell)
            }
            _ => true,
        }
    }

    fn is_pair(&self, a: UnitId, b: UnitId) -> bool {
        self.bodies.aabb(a).gap_sq(self.bodies.aabb(b)) <= self.reach * self.reach
    }

    fn reach(&self) -> String {
        metres(self.reach.into())
    }

    /// That two units are compared, in whose turn, and what is seen.
    fn compared(&self, event: Event, turn: &Place) -> Option<String> {
        let Event::TestPair(a, b) = event else {
            return None;
        };
        let square = self.bodies.aabb(a).gap_sq(self.bodies.aabb(b));
        let apart = f64::from(square).sqrt();
        let turn = turn.name();
        Some(compared(
            (a, b),
            Some(&turn),
            apart,
            self.reach.into(),
            self.is_pair(a, b),
        ))
    }

    /// The comparisons that follow a visit, up to the next region, and whether the events are cut before that: there may be more of them.
    fn following(&self, at: usize) -> (Sum, bool) {
        let mut sum = (0, 0);
        for event in &self.events[at + 1..] {
            match *event {
                Event::TestPair(a, b) => {
                    sum = (sum.0 + 1, sum.1 + u64::from(self.is_pair(a, b)));
                }
                Event::Visit(_) | Event::Prune(_) => return (sum, false),
                _ => {}
            }
        }
        (sum, !self.is_whole)
    }

    /// That a region has its turn, what it does in it, and who has looked at it before.
    fn own_turn(&self, place: &Place, accounts: &HashMap<RegionId, Account>, at: usize) -> String {
        let nothing = Account::default();
        let account = accounts.get(&place.region).unwrap_or(&nothing);
        let load = u64::from(place.load);
        let (own, is_open) = self.following(at);
        let mut does = match own.0 {
            0 => String::new(),
            _ => format!(
                "{} compared with each other ({})",
                are(load),
                tests_up_to_cut(own, is_open)
            ),
        };
        let looks = self.looks(place, account);
        if let Some(looks) = looks {
            does = match does.is_empty() {
                true => looks,
                false => format!("{does}, and {looks}"),
            };
        }
        if does.is_empty() {
            does = match is_open {
                true => format!(
                    "{} next, and with whom {} compared lies behind the cut",
                    are(load),
                    if load == 1 { "it is" } else { "they are" }
                ),
                false => format!("{} compared with nobody in it", are(load)),
            };
        }
        let looked = match &account.looked[..] {
            [] => String::new(),
            looked => {
                let has = if looked.len() == 1 { "has" } else { "have" };
                let names = capital(&named(self.atlas, looked));
                format!(" {names} {has} looked at it already.")
            }
        };
        format!(
            "It is this {}'s turn: its {} {does}.{looked}",
            place.noun(),
            units(load)
        )
    }

    /// At whom a region looks in its turn; nothing of a leaf that does so in vain, or of which not all is told.
    fn looks(&self, place: &Place, account: &Account) -> Option<String> {
        let across = match self.is_whole {
            true => format!(" ({})", tests_made(account.across)),
            false => String::new(),
        };
        if place.role == Role::Cell {
            return Some(match place.load {
                1 => format!("looks at the neighbours that have not looked at it yet{across}"),
                _ => format!("look at the neighbours that have not looked at them yet{across}"),
            });
        }
        let is_told = self.is_whole && !account.partners.is_empty();
        is_told.then(|| {
            format!(
                "with units of {}{across}",
                named(self.atlas, &account.partners)
            )
        })
    }

    /// That what is below a node is looked at.
    fn looked_into(&self, place: &Place, at: usize) -> String {
        let load = u64::from(place.load);
        if place.role != Role::Inner {
            let (own, is_open) = self.following(at);
            let own = tests_up_to_cut(own, is_open);
            return format!("It is come to once more: {own}.");
        }
        let own = match load {
            0 => String::new(),
            _ => format!("its own {} come to first, then ", units_are(load)),
        };
        format!(
            "Of the {} below it some may be within {} of each other or of those beside it: {own}what is below is visited.",
            units(place.below),
            self.reach()
        )
    }

    /// That a region looks at another one, and how many are compared.
    fn looked_at(&self, place: &Place, other: &Place, at: usize) -> String {
        let load = u64::from(place.load);
        let (met, is_open) = self.following(at);
        let name = capital(&other.name());
        if other.role == Role::Inner {
            return self.looked_at_by_node(place, &name, (met, is_open));
        }
        if is_open {
            return match met.0 {
                0 => {
                    format!("{name} looks at it: whether anybody is compared lies behind the cut.")
                }
                _ => format!(
                    "{name} looks at the {} in here, who need not look back: {}.",
                    units(load),
                    tests_up_to_cut(met, true)
                ),
            };
        }
        if met.0 == 0 {
            return format!(
                "{name} looks at it, and nobody is compared: nobody of the one is within {} of anybody of the other.",
                self.reach()
            );
        }
        let rest = (load * u64::from(other.load)).saturating_sub(met.0);
        let left = match rest {
            0 => String::new(),
            _ => format!(
                " Whoever is more than {} from all of the others is not compared.",
                self.reach()
            ),
        };
        format!(
            "{name} looks at the {} in here, who need not look back: {}.{left}",
            units(load),
            tests_made(met)
        )
    }

    /// The same where a node looks, which does so with one of those whom it holds itself.
    fn looked_at_by_node(&self, place: &Place, name: &str, (met, is_open): (Sum, bool)) -> String {
        let load = u64::from(place.load);
        let own = match load {
            0 => String::new(),
            _ => format!(
                " it is compared with the {} here ({})",
                units(load),
                tests_up_to_cut(met, is_open)
            ),
        };
        let below = match place.role {
            Role::Inner if load > 0 => ", and what is below is visited",
            Role::Inner => " what is below is visited",
            _ => "",
        };
        format!("{name} looks at it with 1 unit that it holds itself:{own}{below}.")
    }

    /// That a region is left out because another one looks in vain.
    fn left_out(&self, place: &Place, other: &Place) -> String {
        let end = match place.below {
            0 => "there is nobody in it".to_owned(),
            below => format!("its {} not tested here", units_are(below)),
        };
        let name = other.name();
        let reach = f64::from(self.reach);
        let bounds = |region| self.boxes.get(&region).map(|it| it.bounds);
        let both = bounds(place.region).zip(bounds(other.region));
        let apart = both.map_or(0.0, |(a, b)| f64::from(a.gap_sq(b)).sqrt());
        let why = match apart > reach {
            true => format!(
                "and its {} is {} from that of {name}, more than {}",
                if place.role == Role::Cell {
                    "cell"
                } else {
                    "box"
                },
                metres(apart),
                metres(reach)
            ),
            false => format!(
                "and nobody who looks comes within {} of anybody in it",
                metres(reach)
            ),
        };
        format!("{} looks at it, {why}: {end}.", capital(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ground3, Operation3, Stage3};
    use crate::partition::Role;
    use crate::probe::{Cancel, Event};
    use crate::scene::StructureChoice3;
    use crate::story::{InTurn, Reel, Story};
    use crate::volume::{Aabb3, Bodies3, Kind3, Vec3};

    fn told(key: &str, centers: &[Vec3], reach: f32) -> Story {
        let all = Kind3::ALL.iter();
        let kind = all.copied().find(|kind| kind.info().key == key);
        let field = Aabb3::new(Vec3::ZERO, Vec3::splat(100.0));
        let ground = Ground3::of(Bodies3::points(centers));
        let mut index = StructureChoice3::new(kind.expect(key)).index(field, reach);
        match key {
            "octree" => index.set_knob_text("capacity", "2").expect("a knob"),
            "morton-3d" => index.set_knob_text("bucket", "2").expect("a knob"),
            _ => {}
        }
        index.rebuild(ground.bodies(), &mut ());
        let stage = Stage3::new(index, ground, reach);
        let pairs = Operation3::Pairs { reach: None };
        let told = stage.tell(&pairs, 1_000_000, &Cancel::default());
        told.expect("nobody cancels").0
    }

    fn crowd() -> Vec<Vec3> {
        let mut stream = crate::chance::Stream::new(5);
        let mut number = || stream.between(0.0, 100.0);
        (0..300)
            .map(|_| Vec3::new(number(), number(), number()))
            .collect()
    }

    #[test]
    fn whoever_looks_is_named_and_has_the_turn() {
        for key in ["octree", "grid-3d", "morton-3d"] {
            let story = told(key, &crowd(), 12.0);
            let (mut begun, mut looked) = (0, 0);
            for step in &story.steps {
                let place = story.place(step);
                let turn = step.turn.map(|turn| &story.places[turn]);
                match step.event {
                    Event::Visit(_) if step.in_turn == InTurn::Begins => {
                        begun += 1;
                        assert_eq!(turn, place, "{key}: {}", step.reason);
                        assert_eq!(step.word(), "turn of");
                        assert!(step.reason.contains("'s turn: its "), "{}", step.reason);
                    }
                    Event::Visit(_) if place.is_some_and(|it| it.role == Role::Inner) => {}
                    Event::Visit(_) | Event::Prune(_) => {
                        looked += 1;
                        let name = turn.expect("somebody looks").name();
                        let reason = step.reason.to_lowercase();
                        assert!(reason.contains(&format!("{name} looks at")), "{reason}");
                    }
                    Event::TestPair(a, b) => {
                        let name = turn.expect("somebody looks").name();
                        let said =
                            format!("Units {a} and {b} are compared in the turn of {name}: ");
                        assert!(step.reason.starts_with(&said), "{key}: {}", step.reason);
                    }
                    _ => {}
                }
            }
            assert!(begun > 10 && looked > 10, "{key}: {begun} {looked}");
        }
    }

    #[test]
    fn a_leaf_with_a_single_unit_has_its_turn_by_what_it_looks_at() {
        // One in the first octant, near to the border; two beyond it.
        let centers = [48.0, 51.0, 53.0].map(|x| Vec3::new(x, 10.0, 10.0));
        let story = told("octree", &centers, 8.0);
        let mut places = story.before.places().iter();
        let alone = places.find(|it| it.role == Role::Leaf && it.load == 1);
        let alone = alone.expect("a leaf of one").clone();
        let looks = story.steps.iter().find(|step| {
            let turn = step.turn.map(|turn| &story.places[turn]);
            turn == Some(&alone)
        });
        let reason = &looks.expect("it looks").reason;
        let begin = format!(
            "It is the turn of {}, in which 1 unit is alone. {} looks at the 2 units in here",
            alone.name(),
            crate::story::words::capital(&alone.name())
        );
        assert!(reason.starts_with(&begin), "{reason}");
        let reel = Reel::new(story);
        let mut turns = (0..reel.len()).filter_map(|step| reel.turn_from(step));
        assert!(turns.any(|place| *place == alone), "its turn is named");
    }

    #[test]
    fn a_turn_is_named_where_it_goes_on_apart_from_where_it_began_and_nowhere_else() {
        for key in ["octree", "grid-3d", "morton-3d"] {
            let reel = Reel::new(told(key, &crowd(), 12.0));
            for (at, step) in reel.story().steps.iter().enumerate() {
                let Some(place) = reel.turn_from(at) else {
                    continue;
                };
                assert!(step.in_turn == InTurn::Apart && place.role != Role::Inner);
                let name = place.name();
                let reason = step.reason.to_lowercase();
                assert!(reason.contains(&format!("{name} looks at")), "{reason}");
            }
        }
    }

    #[test]
    fn of_a_cell_it_is_said_who_has_looked_at_it_already() {
        let story = told("grid-3d", &crowd(), 30.0);
        let mut turns = story.steps.iter().filter(|it| it.in_turn == InTurn::Begins);
        let first = turns.next().expect("a turn");
        assert!(!first.reason.contains("already"), "{}", first.reason);
        let said = turns.filter(|it| it.reason.ends_with(" looked at it already."));
        assert!(said.count() > 3);
    }
}
