//! When the parts of a node become one again, and why they do not where one of them has lost a unit.

use super::atlas::{Atlas, Place};
use super::moments::Moments;
use super::words::{are, count, units_are};
use crate::partition::Joining;
use crate::probe::{Event, Work};

/// When the parts of a node are joined of whose leaves each may hold so many. Not before: whoever goes to and fro is not to part and join
/// them each time.
pub fn joined_once(limit: u64) -> String {
    let few = limit / 2;
    format!(
        "parts are joined once no more than {few} {} in them, {}",
        are(few),
        share("half", 2, limit)
    )
}

/// A share of what a leaf may hold.
fn share(word: &str, parts: u64, limit: u64) -> String {
    let rounded = match limit.is_multiple_of(parts) {
        true => "",
        false => ", rounded down",
    };
    format!("{word} of the {limit} that a leaf may hold{rounded}")
}

/// Said at the end of an edit by which a leaf has lost a unit: why nothing is joined, by the rule of its structure.
pub fn not_joined(
    joining: Joining,
    moments: &Moments<'_>,
    after: &Atlas,
    events: &[Event],
) -> String {
    let why = why_not(joining, moments, after, events);
    why.map_or_else(String::new, |why| format!(" Nothing is joined: {why}."))
}

fn why_not(
    joining: Joining,
    moments: &Moments<'_>,
    after: &Atlas,
    events: &[Event],
) -> Option<String> {
    let is_other = |event: &Event| matches!(event, Event::Merge(_) | Event::Work(Work::Rebuild));
    if joining == Joining::Never || events.iter().any(is_other) {
        return None;
    }
    let (old, new) = moments.homes();
    let old = old.filter(|old| !old.is_inner())?;
    if new.is_some_and(|new| new.region == old.region) {
        return None;
    }
    let Some(above) = old.parent else {
        let is_all = after.places().len() == 1;
        return is_all.then(|| format!("{} is all that there is of the tree", old.name()));
    };
    let parent = Some(above).filter(|it| moments.is_same(*it));
    let parent = parent.and_then(|it| after.place(it));
    let parent = parent.filter(|it| it.is_inner())?;
    let is_within =
        |new: &Place| new.region == parent.region || after.is_above(parent.region, new.region);
    if new.is_some_and(is_within) {
        return None;
    }
    // A leaf that holds as many as there are joins by no such rule.
    let limit = u64::from(old.capacity);
    if limit == 0 {
        return None;
    }
    // One that is split is joined with nobody, however few are left.
    if joining == Joining::Beside {
        let mut parts = parent.parts().iter().filter_map(|it| after.place(*it));
        let beside = parts.find(|it| it.region != old.region && it.is_inner());
        if let Some(beside) = beside {
            return Some(format!(
                "the part beside {}, {}, is split",
                old.name(),
                beside.name()
            ));
        }
    }
    let left = match joining {
        Joining::Whole => parent.below,
        _ => parent.below.saturating_sub(u64::from(parent.load)),
    };
    if left > limit / 2 {
        return Some(too_many(joining, parent, after, (left, limit)));
    }
    // Few enough are left: so it is the leaf itself for which they stay two.
    let others = u64::from(old.load.saturating_sub(1));
    let is_full = joining == Joining::Beside && others > limit / 4;
    is_full.then(|| {
        format!(
            "{} left in {}, and it is joined with the part beside it once no more than {} {} left in it, {}",
            units_are(others),
            old.name(),
            limit / 4,
            are(limit / 4),
            share("a quarter", 4, limit)
        )
    })
}

/// That too many are left in the parts of a node.
fn too_many(joining: Joining, parent: &Place, after: &Atlas, (left, limit): (u64, u64)) -> String {
    let parts = parent.parts().iter().filter_map(|it| after.place(*it));
    let split = match parts.filter(|it| it.is_inner()).count() as u64 {
        0 => String::new(),
        nodes => format!(", {nodes} of which {} split", are(nodes)),
    };
    let own = match (joining, parent.load) {
        (Joining::Whole, own) if own > 0 => format!(" and in {} itself", parent.name()),
        _ => String::new(),
    };
    format!(
        "{} left in the {} of {}{split}{own}, and {}",
        units_are(left),
        count(parent.parts().len() as u64, "part"),
        parent.name(),
        joined_once(limit)
    )
}
