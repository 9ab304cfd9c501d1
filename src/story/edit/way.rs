//! The way to where a unit belongs: up and down.

use super::Teller;
use crate::partition::{RegionId, Role};
use crate::probe::Work;
use crate::story::area::distance;
use crate::story::atlas::{Outline, Place};
use crate::story::words::{are, count, metres, place as at_place, units};

impl Teller<'_> {
    /// Which step of its kind this is, from 1 on, and of how many.
    fn turn_of(&mut self, kind: Work) -> (u64, u64) {
        let turn = &mut self.told[kind as usize];
        *turn += 1;
        (*turn, self.all[kind as usize])
    }

    /// A step up, away from a region.
    pub fn climb(&mut self, region: RegionId) -> String {
        let (turn, _) = self.turn_of(Work::Climb);
        let here = self.here().map_or_else(String::new, at_place);
        let Some(left) = self.moments.passed(region) else {
            return format!("Step {turn} up: {here} is not for the node that is left.");
        };
        let name = left.name();
        if let (Some(below), Some(new)) = (self.before.address(left.region), self.homes().1)
            && let Some(own) = self.after.address(new.region)
            && let Some((own, below)) = parting(own, below)
        {
            return format!(
                "Step {turn} up: {name} has only addresses that begin with {below}, and that of {here} begins with {own}."
            );
        }
        match (&left.outline, self.here()) {
            (Outline::Rect(bounds), Some(at)) if !bounds.contains(at) => {
                let beside = metres(distance(*bounds, at));
                format!(
                    "Step {turn} up: the box of {name} does not hold {here}, which is {beside} beside it."
                )
            }
            _ => format!("Step {turn} up: {here} is not for {name}."),
        }
    }

    /// That somebody who moves goes to another region, where it is now, and how many are there with it.
    pub(super) fn relinked(&self) -> String {
        let who = self.who();
        let here = match self.here() {
            Some(here) => format!("it is at {} now, and ", at_place(here)),
            None => "it ".to_owned(),
        };
        let (Some(old), Some(new)) = (self.homes().0, self.goes_to()) else {
            return format!("{who} does not belong where it was filed: {here}is filed anew.");
        };
        if old.region == new.region {
            return format!("{who} does not belong where it was filed: {here}is filed anew.");
        }
        let full = self.arrival.or(self.halved);
        let is_home = self.homes().1.is_some_and(|it| it.region == new.region);
        let is_same = is_home && self.moments.is_same(new.region);
        let there = match (full, self.before.place(new.region), self.homes().1) {
            (Some(full), ..) => {
                format!(
                    ", which held {}, as many as a leaf may",
                    units(full.load.into())
                )
            }
            (None, Some(was), Some(is)) if is_same => format!(
                ", which held {}: {} {} in it now",
                units(was.load.into()),
                is.load,
                are(is.load.into())
            ),
            _ => String::new(),
        };
        format!(
            "{who} does not belong to {} any more: {here}goes to {}{there}.",
            old.name(),
            new.name()
        )
    }

    /// Into how many leaves, cells or strips that hold somebody all are filed, and how many leaves are empty; nothing where there are no such.
    pub(super) fn parts_in_words(&self) -> String {
        let places = self.after.atlas.places().iter();
        let mut holding = places.filter(|place| !place.is_inner() && place.load > 0);
        let Some(first) = holding.next() else {
            return String::new();
        };
        let many = count(1 + holding.count() as u64, first.noun());
        let many = many.replace("leafs", "leaves");
        // A tree counts its empty leaves among its leaves.
        let places = self.after.atlas.places().iter();
        let empty = places.filter(|place| place.role == Role::Leaf && place.load == 0);
        match empty.count() as u64 {
            0 => format!(", into {many}"),
            empty => format!(", into {many} with units, beside {empty} empty"),
        }
    }

    /// How many levels a single step down leads at once, and past which cuts, `from` the region to which the last one did; nothing
    /// where that is one or none.
    fn past_cuts(&self, to: &Place, from: Option<RegionId>) -> [String; 2] {
        // Whoever comes begins at the root. Where whoever moves begins is not told.
        let unit = self.unit;
        let comes = unit.is_some_and(|unit| !self.before.bodies.is_alive(unit));
        let is_known = from.is_some() || comes;
        let is_there = self.before.place(to.region).is_some();
        let cuts = self.before.cuts(to, from);
        match cuts.filter(|(many, _)| is_known && is_there && *many > 1) {
            Some((many, sides)) => [
                format!(", {many} levels at once"),
                format!(" It took a comparison with each of {many} cuts: the place lies {sides}."),
            ],
            None => [String::new(), String::new()],
        }
    }

    /// A step down, to a region.
    pub fn descend(&mut self, region: RegionId) -> String {
        let (turn, all) = self.turn_of(Work::Descend);
        let of_all = self.after.of_all(all);
        let here = self.here().map_or_else(String::new, at_place);
        let from = self.arrived.map(|place| place.region);
        self.arrived = self.moments.passed(region);
        match self.arrived {
            Some(to) => {
                // What was there before and what is there after it may have one number and other addresses.
                let same = self.after.address(to.region);
                let same = same.filter(|_| self.moments.is_same(to.region));
                let below = match self.before.address(to.region).or(same) {
                    Some(address) => format!(" ({address})"),
                    None => String::new(),
                };
                let [levels, cuts] = self.past_cuts(to, from);
                format!(
                    "Step {turn}{of_all} down, to {}{below}{levels}, in search of the place for {here}.{cuts}",
                    to.name()
                )
            }
            None => format!("Step {turn}{of_all} down in search of the place for {here}."),
        }
    }
}

/// Of two addresses that cannot be the same, as far as their bits are said: the first up to the digits where they part, and all
/// bits of the second that are said. `None` where they can be the same.
fn parting(own: &str, below: &str) -> Option<(String, String)> {
    let digits = |text: &str| -> Vec<char> { text.chars().filter(|it| *it != ' ').collect() };
    let (mut own, mut below) = (digits(own), digits(below));
    // Zeros with which all addresses of a moment begin are not said.
    let width = own.len().max(below.len());
    for list in [&mut own, &mut below] {
        list.splice(0..0, std::iter::repeat_n('0', width - list.len()));
    }
    let differ = |(a, b): (&char, &char)| a.is_ascii_digit() && b.is_ascii_digit() && a != b;
    let at = own.iter().zip(&below).position(differ)?;
    let open = below.iter().position(|it| !it.is_ascii_digit());
    Some((
        grouped(&own, at + 1),
        grouped(&below, open.unwrap_or(width)),
    ))
}

/// The first digits of an address, to the end of a group: groups are of four from the end of the address.
fn grouped(digits: &[char], many: usize) -> String {
    let mut text = String::new();
    for (at, digit) in digits.iter().enumerate() {
        let is_group = (digits.len() - at).is_multiple_of(4);
        if at >= many && is_group {
            return text;
        }
        if at > 0 && is_group {
            text.push(' ');
        }
        text.push(*digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_as_far_as_it_takes_to_see_that_they_part() {
        let told = |own, below| {
            let (own, below) = parting(own, below)?;
            Some(format!("{own} | {below}"))
        };
        let is = |own, below, text: &str| assert_eq!(told(own, below).as_deref(), Some(text));
        is("1100 1111 0000", "1111 0011 01··", "1100 | 1111 0011 01··");
        is("1111 0111 0000", "1111 0011 ····", "1111 0111 | 1111 0011");
        is("10 1111", "01·· ····", "0010 | 01··");
        is("10 1111", "1·· ····", "010 | 1··");
        assert_eq!(told("1111", "11··"), None);
        assert_eq!(told("11··", "1111"), None);
    }
}
