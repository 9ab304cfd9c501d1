//! By which rules a structure changes more than the place of the unit that is edited, and why it does not where it does not.

use super::Teller;
use crate::partition::{AnyPartition, Joining, KnobRange};
use crate::probe::Event;
use crate::story::atlas::Place;
use crate::story::joining;
use crate::story::words::{count, number};

/// The rules of a structure, with the numbers that they are about once an edit is done.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// When the parts of a node are joined.
    joining: Joining,
    /// When boxes that have grown are built anew.
    boxes: Option<Boxes>,
}

/// When boxes that have grown are built anew.
#[derive(Clone, Debug)]
struct Boxes {
    /// Whether whoever moves stays in its leaf in any case.
    stretch: bool,
    /// How many times as costly as after the last build they are.
    cost: String,
    /// How many times as costly they may become.
    limit: String,
}

/// What a knob is called that says how many times as costly boxes may become, and the fact that says how costly they are.
const LIMIT: &str = "rebuild_at";
const COST: &str = "cost against the last build";

/// The knob that says what becomes of whoever moves, and its value where boxes alone change.
const UPDATE: (&str, &str) = ("update", "refit");

impl Rules {
    /// Those of a structure that has just been edited.
    pub fn of(index: &AnyPartition) -> Self {
        Self {
            joining: index.kind().joining(),
            boxes: Boxes::of(index),
        }
    }
}

impl Boxes {
    fn of(index: &AnyPartition) -> Option<Self> {
        let info = index.info();
        let limit = number(index.knob(info.knob_index(LIMIT).ok()?));
        let mut cost = None;
        index.quality(&mut |fact| {
            if fact.name == COST {
                cost = Some(fact.value);
            }
        });
        let (key, value) = UPDATE;
        let stretch = info.knob_index(key).is_ok_and(|at| {
            let KnobRange::Choice(words) = info.knobs[at].range else {
                return false;
            };
            words.get(index.knob(at) as usize) == Some(&value)
        });
        Some(Self {
            stretch,
            cost: cost?,
            limit,
        })
    }
}

impl Teller<'_> {
    /// Why a build puts more on the one side of a cut than on the other, where it does so for an odd number of leaves that are to be about as
    /// full: the half with one more leaf has as many more as that takes. Nothing where the sides are alike, or it is for something else.
    pub(super) fn why_uneven(&self, sides: [&Place; 2]) -> String {
        let many = sides.map(|side| side.below);
        if !self.rebuilt || many[0].abs_diff(many[1]) < 2 {
            return String::new();
        }
        let leaves = sides.map(|side| self.leaves_in(side));
        let (units, all) = (many[0] + many[1], leaves[0] + leaves[1]);
        let is_odd = leaves[0] == leaves[1] + 1;
        match is_odd && many[0] == units * leaves[0] / all {
            true => format!(
                ", for {} on the one side and {} on the other, about as full each",
                count(leaves[0], "leaf").replace("leafs", "leaves"),
                leaves[1]
            ),
            false => String::new(),
        }
    }

    /// How many leaves a region is, or has below it, after the edit.
    fn leaves_in(&self, place: &Place) -> u64 {
        let mut leaves = u64::from(!place.is_inner());
        let mut stack = place.parts().to_vec();
        while let Some(part) = stack.pop() {
            if let Some(part) = self.after.place(part) {
                leaves += u64::from(!part.is_inner());
                stack.extend_from_slice(part.parts());
            }
        }
        leaves
    }

    /// Said at the end of an edit by which a leaf has lost a unit: why nothing is joined.
    pub fn not_joined(&self, events: &[Event]) -> String {
        joining::not_joined(self.rules.joining, &self.moments, self.after.atlas, events)
    }

    /// Said of somebody who stays in a leaf whose box changes: why it does, and when the boxes are built anew. Nothing where the structure
    /// has no such rule.
    pub(super) fn until_built_anew(&self) -> String {
        let Some(boxes) = &self.rules.boxes else {
            return String::new();
        };
        let stays = match boxes.stretch {
            true => {
                " With update set to refit a unit that moves stays in its leaf, and boxes alone change."
            }
            false => "",
        };
        format!(
            "{stays} All boxes together cost {} times as much as right after the last build: if that is more than {} times when it is looked at next, all are built anew.",
            boxes.cost, boxes.limit
        )
    }
}
