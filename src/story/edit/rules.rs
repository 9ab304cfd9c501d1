//! By which rules a structure changes more than the place of the unit that is edited, and why it does not where it does not.

use super::Teller;
use crate::partition::{AnyPartition, KnobRange};
use crate::probe::{Event, Work};
use crate::story::words::{are, count, number, units_are};

/// The rules of a structure, with the numbers that they are about once an edit is done.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Whether the parts of a node are joined once no more are in them than half of what a leaf may hold.
    joins_halves: bool,
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
            joins_halves: index.kind().joins_halves(),
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

/// When the parts of a node are joined of whose leaves each may hold so many.
pub(super) fn joined_once(limit: u64) -> String {
    match limit / 2 {
        0 => "parts are joined once nobody is in them, for half of the 1 that a leaf may hold is less than 1".to_owned(),
        few => format!(
            "parts are joined once no more than {few} {} in them, half of the {limit} that a leaf may hold",
            are(few)
        ),
    }
}

impl Teller<'_> {
    /// Said at the end of an edit by which a leaf has lost a unit: why nothing is joined.
    pub fn not_joined(&self, events: &[Event]) -> String {
        let is_other =
            |event: &Event| matches!(event, Event::Merge(_) | Event::Work(Work::Rebuild));
        if !self.rules.joins_halves || events.iter().any(is_other) {
            return String::new();
        }
        let (Some(old), new) = self.homes() else {
            return String::new();
        };
        if old.is_inner() || new.is_some_and(|new| new.region == old.region) {
            return String::new();
        }
        let Some(above) = old.parent else {
            let is_all = self.after.atlas.places().len() == 1;
            return match is_all {
                true => format!(
                    " Nothing is joined: {} is all that there is of the tree.",
                    old.name()
                ),
                false => String::new(),
            };
        };
        let parent = Some(above).filter(|it| self.moments.is_same(*it));
        let parent = parent.and_then(|it| self.after.place(it));
        let Some(parent) = parent.filter(|it| it.is_inner()) else {
            return String::new();
        };
        let is_within = new.is_some_and(|new| {
            new.region == parent.region || self.after.atlas.is_above(parent.region, new.region)
        });
        if is_within {
            return String::new();
        }
        let limit = u64::from(old.capacity);
        let left = parent.below.saturating_sub(u64::from(parent.load));
        if left <= limit / 2 {
            return String::new();
        }
        let parts = parent.parts.iter().filter_map(|it| self.after.place(*it));
        let split = match parts.filter(|it| it.is_inner()).count() as u64 {
            0 => String::new(),
            nodes => format!(", {nodes} of which {} split", are(nodes)),
        };
        let left_in = format!(
            "{} left in the {} of {}{split}",
            units_are(left),
            count(parent.parts.len() as u64, "part"),
            parent.name()
        );
        match left > limit {
            true => format!(
                " Nothing is joined: {left_in}, more than the {limit} that a leaf may hold."
            ),
            false => format!(" Nothing is joined: {left_in}, and {}.", joined_once(limit)),
        }
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
