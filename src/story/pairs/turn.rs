//! What is said of a region's own turn, and of who is looked at in the turn of another one.

use super::{Teller, run, tests_made};
use crate::geometry::Aabb;
use crate::partition::{RegionId, Role, UnitId};
use crate::probe::Event;
use crate::story::area::gap;
use crate::story::atlas::{Atlas, Place};
use crate::story::turns::{Account, Sum, Turns};
use crate::story::words::{are, capital, count, metres, units, units_are};
use std::collections::HashSet;

/// More regions than this are not named one by one.
pub(super) const NAMED: usize = 4;

/// Regions of one kind by their names, or how many they are.
pub(in crate::story) fn named(atlas: &Atlas, regions: &[RegionId]) -> String {
    let places: Vec<&Place> = regions.iter().filter_map(|it| atlas.place(*it)).collect();
    let Some(first) = places.first() else {
        return count(regions.len() as u64, "region");
    };
    let plural = match first.role {
        Role::Leaf => "leaves".to_owned(),
        _ => format!("{}s", first.noun()),
    };
    match &places[..] {
        [one] => one.name(),
        [others @ .., last] if places.len() <= NAMED => {
            let others: Vec<_> = others.iter().map(|it| listed(&it.called())).collect();
            let last = listed(&last.called());
            format!("{plural} {} and {last}", others.join(", "))
        }
        _ => format!("{} {plural}", places.len()),
    }
}

/// What one of several is called in a list: a name that has commas itself stands in brackets, and no line ends within it.
fn listed(called: &str) -> String {
    if !called.contains(',') {
        return called.to_owned();
    }
    let (place, rest) = called.split_once(" of ").unwrap_or((called, ""));
    let place = place.replace(' ', "\u{a0}");
    match rest {
        "" => format!("({place})"),
        rest => format!("({place}) of {rest}"),
    }
}

/// Who of two regions is compared with each other behind a visit.
#[derive(Default)]
pub(super) struct Met {
    /// Those of the region that is visited.
    pub here: Vec<UnitId>,
    /// Those of the other one.
    pub there: Vec<UnitId>,
    pub sum: Sum,
    /// Whether the events are cut before the next visit: there may be more of them.
    pub is_open: bool,
}

/// So many of those who are in a region, and all of them without a number of their own.
pub(super) fn some(many: u64, all: u64, whose: &str) -> String {
    match many == all {
        true => format!("{whose} {}", units(all)),
        false => format!("{many} of {whose} {}", units(all)),
    }
}

impl Teller<'_> {
    /// What is said where it is known whose turn it is when a region is come to; nothing where it is not.
    pub(super) fn in_turn(&self, place: &Place, events: &[Event], at: usize) -> Option<String> {
        let turns = self.turns.as_ref()?;
        if place.load == 0 {
            return None;
        }
        if turns.begins_with(place.region, at) {
            return Some(self.own_turn(turns, place, at));
        }
        let looking = turns.owner(at)?;
        let atlas = self.scenery.atlas;
        match place.role {
            Role::Cell => self.looked_at_by_cell(turns, place, looking, (events, at)),
            _ => {
                // A quadtree comes to the fuller one of two leaves, which may be the one whose turn it is.
                let other = self.lookers.of(at).filter(|_| looking == place.region);
                let other = atlas.place(other.unwrap_or(looking))?;
                Some(self.looked_at_by_leaf(place, other, looking, (events, at)))
            }
        }
    }

    /// That a region has its turn, what it does in it, and who has looked at it before.
    fn own_turn(&self, turns: &Turns, place: &Place, at: usize) -> String {
        let nothing = Account::default();
        let account = turns.account(place.region).unwrap_or(&nothing);
        let load = u64::from(place.load);
        let (noun, atlas) = (place.noun(), self.scenery.atlas);
        let own = format!("compared with each other ({})", tests_made(account.own));
        let has_own = account.own.0 > 0;
        let does = match place.role {
            Role::Cell if account.looks > 0 => {
                let looks = self.looks(load, !account.looked.is_empty());
                let looks = format!("{looks} ({})", tests_made(account.across));
                match has_own {
                    true => format!("{} {own}, and {looks}", are(load)),
                    false => looks,
                }
            }
            Role::Leaf if account.across.0 > 0 => {
                let across = format!(
                    "with units of {} ({})",
                    named(atlas, &account.partners),
                    tests_made(account.across)
                );
                match has_own {
                    true => format!("{} {own}, and {across}", are(load)),
                    false => format!("{} compared {across}", are(load)),
                }
            }
            _ if has_own => format!("{} {own}", are(load)),
            _ => match self.is_done(place, at) {
                Some(why) => format!("{} compared with nobody, for {why}", are(load)),
                None => format!("{} compared with nobody in it", are(load)),
            },
        };
        let looked = match &account.looked[..] {
            [] => String::new(),
            looked => {
                let has = if looked.len() == 1 { "has" } else { "have" };
                let names = capital(&named(atlas, looked));
                format!(" {names} {has} looked at it already.")
            }
        };
        let rest = match place.role {
            Role::Leaf => self.left_out(place, account),
            Role::Cell => self.cells_left_out(turns, place, account),
            _ => String::new(),
        };
        format!(
            "It is this {noun}'s turn: its {} {does}.{rest}{looked}",
            units(load)
        )
    }

    /// To which leaves a leaf comes in vain in its turn, and why it comes to no others, where the boxes by which that is decided say it.
    fn left_out(&self, place: &Place, account: &Account) -> String {
        /// Among more leaves nobody asks after each of them, and to go through all in the turn of each would take too long.
        const MOST: usize = 512;
        let atlas = self.scenery.atlas;
        let in_vain = account.visited.iter().copied();
        let in_vain: Vec<RegionId> = in_vain
            .filter(|other| !account.partners.contains(other))
            .collect();
        let mut said = match in_vain.is_empty() {
            true => String::new(),
            false => format!(" At {} it looks in vain.", named(atlas, &in_vain)),
        };
        let box_of = |place: &Place| place.reach_box.or(place.tight);
        let is_far = |other: &Place| match (box_of(place), box_of(other)) {
            (Some(own), Some(theirs)) => gap(own, theirs) > f64::from(self.reach),
            _ => false,
        };
        // Their boxes are near, and whoever is in the emptier one of the two is not near enough to that of the other. Where rooms are
        // parted by slanting cuts it is the way between these that decides, and no box.
        let near = |others: &[RegionId]| -> Vec<RegionId> {
            let others = others.iter().copied();
            let is_near = |other: &RegionId| {
                let other = atlas.place(*other);
                other.is_some_and(|it| it.reach_box.is_some() && !is_far(it))
            };
            others.filter(is_near).collect()
        };
        let (held, held_by) = (near(&account.left_out), near(&account.left_out_by));
        for (others, who, whose) in [
            (&held, ["this leaf"; 2], ["its box", "any of their boxes"]),
            (&held_by, ["it", "them"], ["the box of this one"; 2]),
        ] {
            let many = others.len() as u64;
            if many > 0 {
                let at = usize::from(many > 1);
                said += &format!(
                    " {} {} left out, for nobody of {} is within {} of {}.",
                    capital(&named(atlas, others)),
                    are(many),
                    who[at],
                    self.reach(),
                    whose[at]
                );
            }
        }
        let of_turn = [
            &account.visited,
            &account.visited_by,
            &account.partners,
            &held,
            &held_by,
        ];
        let is_rest = |other: &&Place| {
            let is_told = of_turn.iter().any(|told| told.contains(&other.region));
            other.role == Role::Leaf && other.load > 0 && other.region != place.region && !is_told
        };
        if atlas.places().len() > MOST {
            return said;
        }
        let rest: Vec<&Place> = atlas.places().iter().filter(is_rest).collect();
        if !rest.is_empty() && rest.iter().all(|other| is_far(other)) {
            let (who, their) = match rest.len() {
                1 => ("The other leaf is".to_owned(), ["its box", "whom it holds"]),
                many => (
                    format!("The other {many} leaves are"),
                    ["their boxes", "whom they hold"],
                ),
            };
            let are = if rest.len() == 1 { "is" } else { "are" };
            let has_room = place.has_room() || rest.iter().any(|other| other.has_room());
            let boxes = match (place.reach_box, has_room) {
                (Some(_), true) => format!("{}, with room for bodies,", their[0]),
                (Some(_), false) => their[0].to_owned(),
                (None, _) if rest.len() == 1 => format!("the box around {}", their[1]),
                (None, _) => format!("the boxes around {}", their[1]),
            };
            said += &format!(
                " {who} left out, for {boxes} {are} more than {} from that of this one.",
                self.reach()
            );
        }
        said
    }

    /// At which cells nearby that hold somebody a cell does not look in its turn, where the reason is that all of its own are too far off.
    fn cells_left_out(&self, turns: &Turns, place: &Place, account: &Account) -> String {
        let reach = f64::from(self.reach);
        let looks_at: HashSet<RegionId> = account.looks_at.iter().copied().collect();
        let is_left_out = |other: &&Place| {
            let is_to_come =
                self.meets_again == Some(true) || turns.begins_behind(other.region, place.region);
            is_to_come
                && other.region != place.region
                && gap(place.bounds, other.bounds) < reach
                && !looks_at.contains(&other.region)
        };
        /// Where one cell is very high all others may be near each other, and to look through them for each turn would take for ever.
        const MOST: usize = 4_096;
        let near = self.cells_near(place);
        if near.len() > MOST {
            return String::new();
        }
        let rest: Vec<&Place> = near.iter().copied().filter(is_left_out).collect();
        let is_far = |other: &&Place| {
            let mut own = place.units().iter();
            own.all(|unit| gap(self.scenery.bodies.aabb(*unit), other.bounds) > reach)
        };
        let are_known = place.units().len() == place.load as usize;
        if rest.is_empty() || !are_known || !rest.iter().all(is_far) {
            return String::new();
        }
        let regions: Vec<RegionId> = rest.iter().map(|other| other.region).collect();
        let it = if rest.len() == 1 { "it" } else { "any of them" };
        format!(
            " {} {} not looked at: nobody of this cell is within {} of {it}.",
            capital(&named(self.scenery.atlas, &regions)),
            are(rest.len() as u64),
            self.reach()
        )
    }

    /// The cells that hold somebody, of those rows that are no farther from a cell than its units reach.
    fn cells_near(&self, place: &Place) -> &[&Place] {
        let reach = f64::from(self.reach);
        let top = |other: &Place| f64::from(other.bounds.min.y);
        let least = top(place) - reach - self.tallest;
        let most = f64::from(place.bounds.max.y) + reach;
        let from = self.cells.partition_point(|other| top(other) < least);
        let to = self.cells.partition_point(|other| top(other) <= most);
        &self.cells[from..to.max(from)]
    }

    /// At whom a cell looks in its turn.
    pub(super) fn looks(&self, load: u64, is_looked_at: bool) -> &'static str {
        match (self.meets_again, load, is_looked_at) {
            (None, 1, _) => "looks at its neighbours",
            (None, ..) => "look at their neighbours",
            (Some(false), 1, _) => "looks at the neighbours that have not looked at it yet",
            (Some(false), ..) => "look at the neighbours that have not looked at them yet",
            (Some(true), 1, true) => {
                "looks at all neighbours, also at those that have looked at it"
            }
            (Some(true), _, true) => {
                "look at all neighbours, also at those that have looked at them"
            }
            (Some(true), 1, false) => "looks at all neighbours",
            (Some(true), _, false) => "look at all neighbours",
        }
    }

    /// Who of a region and of another one is compared behind a visit, up to the next one.
    pub(super) fn met(
        &self,
        place: &Place,
        other: RegionId,
        (events, at): (&[Event], usize),
    ) -> Met {
        let mut met = Met::default();
        if self.passes_by(place, events, at) {
            return met;
        }
        let home = |unit: UnitId| self.scenery.atlas.home(unit).map(|home| home.region);
        let behind = run(place, &events[at..]).count();
        met.is_open = !self.is_whole;
        for event in &events[at + behind..] {
            let (a, b) = match *event {
                Event::TestPair(a, b) => (a, b),
                Event::Visit(_) | Event::Prune(_) => {
                    met.is_open = false;
                    break;
                }
                _ => continue,
            };
            let (here, there) = match (home(a), home(b)) {
                (Some(x), Some(y)) if x == place.region && y == other => (a, b),
                (Some(x), Some(y)) if y == place.region && x == other => (b, a),
                _ => continue,
            };
            met.here.push(here);
            met.there.push(there);
            met.sum.0 += 1;
            met.sum.1 += u64::from(self.is_pair((a, b)));
        }
        for units in [&mut met.here, &mut met.there] {
            units.sort_unstable();
            units.dedup();
        }
        met
    }

    /// The box around units.
    pub(super) fn around(&self, units: &[UnitId]) -> Aabb {
        let boxes = units.iter().map(|unit| self.scenery.bodies.aabb(*unit));
        boxes.fold(Aabb::EMPTY, Aabb::join)
    }

    /// Whether all units of a region but some are out of reach of a box, as far as it is known who is in it.
    pub(super) fn are_others_far(&self, place: &Place, some: &[UnitId], from: Aabb) -> bool {
        let mut others = place
            .units()
            .iter()
            .filter(|unit| some.binary_search(unit).is_err());
        let is_far = |unit: UnitId| {
            let apart = gap(self.scenery.bodies.aabb(unit), from);
            apart > f64::from(self.reach)
        };
        place.units().len() == place.load as usize && others.all(|unit| is_far(*unit))
    }

    /// That a cell looks at another one, and who of that is not compared.
    fn looked_at_by_cell(
        &self,
        turns: &Turns,
        place: &Place,
        looking: RegionId,
        moment: (&[Event], usize),
    ) -> Option<String> {
        let cell = self.scenery.atlas.place(looking)?;
        // Where nobody is compared, a visit may be the beginning of a turn that is not known.
        let met = self.met(place, looking, moment);
        if met.here.is_empty() && !turns.has(place.region) {
            return None;
        }
        let (load, looks) = (u64::from(place.load), met.there.len() as u64);
        let name = capital(&cell.name());
        // Whoever looks is near enough to the cell; the rest of it has to be near enough to the box around them.
        let edge = place.edge().map_or(place.bounds, |(_, bounds)| bounds);
        let near = |unit: &&UnitId| {
            let apart = gap(self.scenery.bodies.aabb(**unit), edge);
            apart <= f64::from(self.reach)
        };
        let looking = match looks {
            0 => cell.units().iter().filter(near).copied().collect(),
            _ => met.there.clone(),
        };
        let from = self.around(&looking);
        let is_far = !looking.is_empty() && self.are_others_far(place, &met.here, from);
        if met.here.is_empty() {
            let back = match self.meets_again {
                Some(true) | None => "",
                Some(false) => ", and need not look back",
            };
            return Some(match is_far {
                true => format!(
                    "{name} comes to this cell, but nobody is compared: its {} more than {} from the box around whoever looks{back}.",
                    units_are(load),
                    self.reach()
                ),
                false => format!("{name} comes to this cell, but nobody is compared here."),
            });
        }
        let who = match (looks == u64::from(cell.load), looks) {
            (true, _) => format!("{name} looks"),
            (false, 1) => format!("{} of {} looks", some_of(looks, cell), cell.name()),
            (false, _) => format!("{} of {} look", some_of(looks, cell), cell.name()),
        };
        let back = match self.meets_again {
            Some(true) | None => "",
            Some(false) => ", who need not look back",
        };
        let rest = load - (met.here.len() as u64).min(load);
        let subject = match rest {
            0 => String::new(),
            _ => format!(" {rest} of them {}", are(rest)),
        };
        let left = match (rest, is_far) {
            (0, _) => String::new(),
            (_, true) => format!(
                "{subject} more than {} from the box around whoever looks, and not compared.",
                metres(self.reach.into())
            ),
            (_, false) => format!("{subject} not compared here."),
        };
        Some(format!(
            "{who} at the {} in here{back}: {}.{left}",
            units(load),
            tests_made(met.sum)
        ))
    }

    /// What is said of a visit in which nobody is compared, as far as the events go that are kept.
    pub(super) fn with_nobody(&self, place: &Place, at: usize, is_open: bool) -> String {
        let units = units_are(place.load.into());
        if is_open {
            return format!(
                "The search comes to it, and with whom its {units} compared lies behind the cut."
            );
        }
        match self.is_done(place, at) {
            Some(why) => format!("Its {units} compared with nobody here: {why}."),
            None if !self.is_whole => {
                format!("The search comes to it, and its {units} not compared before it goes on.")
            }
            None => format!("The search comes to it, and its {units} compared with nobody here."),
        }
    }
}

/// So many of the units of a region.
fn some_of(many: u64, place: &Place) -> String {
    format!("{many} of the {}", units(place.load.into()))
}
