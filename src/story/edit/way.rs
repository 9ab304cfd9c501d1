//! The way to where a unit belongs: up and down.

use super::Teller;
use crate::probe::{Event, Work};
use crate::story::atlas::{Outline, Place};
use crate::story::words::place as at_place;

impl<'a> Teller<'a> {
    /// The region that a step up leaves, of which this is the `turn`th. Where boxes are computed again on the way, it is the
    /// one whose box that was: a step may lead past several regions.
    pub(super) fn left_by(&self, turn: u64, told: &[Event]) -> Option<&'a Place> {
        if let Some(Event::Refit(region)) = told.last() {
            return self.before.place(*region);
        }
        let (old, _) = self.homes();
        let mut upwards = self.before.atlas.upwards(old?.region);
        upwards.nth(turn as usize - 1)
    }

    /// The region that a step down leads to, of which this is the `turn`th of `all`.
    pub(super) fn entered_by(&self, turn: u64, all: u64) -> Option<&'a Place> {
        let climbs = self.told[Work::Climb as usize];
        let (old, new) = self.homes();
        let new = new?;
        let start = old
            .filter(|_| climbs > 0)
            .map_or(0, |old| u64::from(old.depth) - climbs.min(old.depth.into()));
        let way: Vec<&Place> = self.after.atlas.upwards(new.region).collect();
        // The way is from the leaf up; this is the region so many levels below the root.
        let below_root = |levels: u64| {
            let from_leaf = (way.len() as u64).checked_sub(levels + 1)?;
            way.get(from_leaf as usize).copied()
        };
        // The steps led to the leaf, or to what was one until this edit split it: the levels below came with the splits.
        let last = below_root(start + all)?;
        let is_end = last.region == new.region
            || self
                .before
                .place(last.region)
                .is_some_and(|was| !was.is_inner());
        let entered = below_root(start + turn).filter(|_| is_end)?;
        // As it was when it was entered, be it split by now.
        match self.before.place(entered.region) {
            Some(was) => Some(was).filter(|was| self.moments.is_same(was.region)),
            None => Some(self.halved.unwrap_or(entered)),
        }
    }

    /// A step up, of which this is the `turn`th, and what was before it.
    pub(super) fn climb(&self, turn: u64, before: &[Event]) -> String {
        let here = self.here().map_or_else(String::new, at_place);
        let Some(left) = self.left_by(turn, before) else {
            return format!("Step {turn} up: {here} is not for the node that is left.");
        };
        let name = format!("{} {}", left.noun(), left.region);
        if let (Some(below), Some(new)) = (self.before.address(left.region), self.homes().1)
            && let Some(own) = self.after.address(new.region)
            && let Some((own, below)) = parting(own, below)
        {
            return format!(
                "Step {turn} up: {name} has only addresses that begin with {below}, and that of {here} begins with {own}."
            );
        }
        match left.outline {
            Outline::Rect(bounds) if self.here().is_some_and(|at| !bounds.contains(at)) => {
                format!("Step {turn} up: the box of {name} does not hold {here}.")
            }
            _ => format!("Step {turn} up: {here} is not for {name}."),
        }
    }

    /// A step down, of which this is the `turn`th of `all`.
    pub(super) fn descend(&self, turn: u64, all: u64) -> String {
        let here = self.here().map_or_else(String::new, at_place);
        match self.entered_by(turn, all) {
            Some(to) => {
                let below = match self.after.address(to.region) {
                    Some(address) => format!(" ({address})"),
                    None => String::new(),
                };
                format!(
                    "Step {turn} of {all} down, to {} {}{below}, in search of the place for {here}.",
                    to.noun(),
                    to.region
                )
            }
            None => format!("Step {turn} of {all} down in search of the place for {here}."),
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
