//! What becomes of boxes.

use super::Teller;
use crate::geometry::Aabb;
use crate::partition::{RegionId, Role};
use crate::probe::Event;
use crate::story::atlas::{Outline, Place};
use crate::story::words::{count, place as at_place, size, units, with_commas};

impl Teller<'_> {
    /// Why a box is computed again, and what comes of it.
    pub fn refit(&mut self, region: RegionId, at: usize) -> String {
        if self.is_in_vain() {
            return self.in_vain(region, "has its box computed again");
        }
        if let Some(passing) = self.refit_in_passing(region, at) {
            return passing;
        }
        let new_one = if at >= self.moments.turn {
            self.new_one(region)
        } else {
            String::new()
        };
        self.refit_to_stay(region) + &new_one
    }

    /// The box of a node that is gone when all is done, for one above it is parted anew: what it is until then. Another node may
    /// have its number afterwards.
    fn refit_in_passing(&self, region: RegionId, at: usize) -> Option<String> {
        if at >= self.moments.turn {
            return None;
        }
        let old = self.before.place(region)?;
        let mut above = self.before.atlas.upwards(region).skip(1);
        let parted = above.find(|it| self.moments.is_anew(it.region))?;
        let bounds = old.tight?;
        let others = self.moments.others(self.before.atlas, old).into_iter();
        let mut now = others
            .map(|unit| self.before.bodies.aabb(unit))
            .fold(Aabb::EMPTY, Aabb::join);
        // Whoever has come to a leaf below it is in it by now.
        let arrived = self.arrived.filter(|leaf| !leaf.is_inner());
        if let (Some(leaf), Some(unit)) = (arrived, self.unit)
            && self.before.atlas.is_above(region, leaf.region)
        {
            now = now.join(self.after.bodies.aabb(unit));
        }
        if now.is_empty() {
            return None;
        }
        let until = format!("until all of {} is parted anew", parted.name());
        Some(if now == bounds {
            format!(
                "Its box is computed again: it stays {} from {} on {until}.",
                size(now.size()),
                at_place(now.min)
            )
        } else {
            format!(
                "Its box is computed again: {} from {} on before the edit, {} from {} on {until}.",
                size(bounds.size()),
                at_place(bounds.min),
                size(now.size()),
                at_place(now.min)
            )
        })
    }

    /// Why a box is computed again that is there when all is done.
    fn refit_to_stay(&mut self, region: RegionId) -> String {
        if self.rebuilt
            && let Some(place) = self.after.place(region)
        {
            return self.built_box(place);
        }
        let bounds = |place: Option<&Place>| {
            let place = place?;
            // A room or a cell is no box around bodies, and around nobody there is none.
            let edge = place.edge().filter(|_| place.below > 0);
            place
                .tight
                .or(edge.map(|(_, bounds)| bounds))
                .filter(|bounds: &Aabb| !bounds.is_empty())
        };
        let old = if self.rebuilt {
            None
        } else {
            bounds(self.moments.was(region))
        };
        match (old, bounds(self.after.place(region))) {
            (Some(old), Some(new)) if old == new => format!(
                "Its box is computed again, and stays {} from {} on.",
                size(new.size()),
                at_place(new.min)
            ),
            (Some(old), Some(new)) => format!(
                "Its box is computed again: {} from {} on before the edit, {} from {} on after it.",
                size(old.size()),
                at_place(old.min),
                size(new.size()),
                at_place(new.min)
            ),
            (None, Some(new)) if !self.rebuilt && self.moments.was(region).is_some() => format!(
                "It held nobody before the edit: its box is now {} from {} on.",
                size(new.size()),
                at_place(new.min)
            ),
            (Some(old), None) if self.after.place(region).is_some() => format!(
                "Nobody is left in it: its box of {} is gone.",
                size(old.size())
            ),
            (None, Some(new)) => format!(
                "Its box is computed for the first time: {} from {} on.",
                size(new.size()),
                at_place(new.min)
            ),
            (Some(old), None) => format!(
                "Its box of {} is computed again before the edit takes it away.",
                size(old.size())
            ),
            (None, None) => {
                let many = self.after.bodies.count();
                format!(
                    "A box on the way up is computed again, in a tree of {}.",
                    units(many as u64)
                )
            }
        }
    }

    /// A box of a build that tells its boxes from below: that is one in which the units are sorted along a curve.
    fn built_box(&mut self, place: &Place) -> String {
        let [all, told] = self.boxes.entry(place.depth).or_default();
        *told += 1;
        let (all, turn) = (*all, *told);
        let bounds = match place.edge() {
            Some((_, bounds)) => {
                format!("{} from {} on", size(bounds.size()), at_place(bounds.min))
            }
            None => "none".to_owned(),
        };
        let (number, of_all) = (with_commas(turn), self.after.of_all(with_commas(all)));
        if !place.is_inner() {
            let begins = match turn {
                1 => {
                    "All units were sorted along a Hilbert curve, on which neighbours stay together. Those of each stretch of it were halved across its longer side, again and again, into leaves. "
                }
                _ => "",
            };
            let limit = match place.capacity {
                0 => String::new(),
                limit => format!(", of up to {limit},"),
            };
            return format!(
                "{begins}Leaf {number}{of_all} along the curve: {}{limit} and the box around {}, {bounds}.",
                units(place.load.into()),
                if place.load == 1 { "it" } else { "them" }
            );
        }
        let parts = place
            .parts
            .iter()
            .filter_map(|part| self.after.place(*part));
        let are_leaves = parts.clone().all(|part| !part.is_inner());
        let below = count(
            parts.count() as u64,
            if are_leaves { "leaf" } else { "node" },
        );
        let below = below.replace("leafs", "leaves");
        if place.parent.is_none() {
            return format!(
                "The root: the box around the {below} right below it, {} in all, {bounds}.",
                units(place.below)
            );
        }
        format!(
            "Node {number}{of_all} on its level: the box around {below} that follow each other along the curve, {} in all, {bounds}.",
            units(place.below)
        )
    }

    /// That somebody who moved stays where it is filed, and what becomes of boxes by that. These events follow.
    pub(super) fn in_place(&self, events: &[Event]) -> String {
        let who = self.who();
        let (Some(old), Some(new)) = self.homes() else {
            return format!("{who} is still where it belongs: only its copy is rewritten.");
        };
        if old.region != new.region {
            return format!("{who} is still where it belongs: only its copy is rewritten.");
        }
        let name = new.name();
        let here = match self.here() {
            Some(here) => format!(", at {}", at_place(here)),
            None => String::new(),
        };
        let has_boxes = events.iter().any(|event| matches!(event, Event::Refit(_)));
        let is_above =
            |event: &Event| matches!(event, Event::Refit(region) if *region != new.region);
        let above = if events.iter().any(is_above) {
            ", and the boxes above follow"
        } else {
            ""
        };
        match (&old.outline, &new.outline) {
            (Outline::Rect(was), Outline::Rect(is)) if was != is => {
                let what = if is.contains_box(*was) {
                    "grows to hold it"
                } else if was.contains_box(*is) {
                    "shrinks to whom it holds"
                } else {
                    "is put around it anew"
                };
                format!(
                    "{who} stays in {name}, whose box {what}: {} before the edit, {} after it{above}.{}",
                    size(was.size()),
                    size(is.size()),
                    self.until_built_anew()
                )
            }
            _ if has_boxes && above.is_empty() => {
                format!(
                    "{who} still lies in {name}{here}: its copy is rewritten, and the box around whom it holds."
                )
            }
            _ if has_boxes => {
                format!("{who} still lies in {name}{here}: its copy is rewritten{above}.")
            }
            // In a row somebody may have to pass somebody else, and boxes may follow behind a cut.
            _ if new.role == Role::Slot || self.after.is_cut() => {
                format!("{who} still lies in {name}{here}: its copy is rewritten.")
            }
            _ => format!("{who} still lies in {name}{here}: only its copy is rewritten."),
        }
    }
}
