//! What regions, and those whom a story is about, are called.

use crate::app::widgets::with_commas;
use skirmish::partition::{RegionId, Role};
use skirmish::story::{Answer, Place, Reel};
use skirmish::streaming::Tree;

/// So many of those whom a story is about: units, or the objects of a world.
pub fn so_many(reel: &Reel, count: u64) -> String {
    let whom = match reel.story().answer {
        Answer::Sides { .. } => "object",
        _ => "unit",
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {whom}{plural}", with_commas(count))
}

/// By what a region is called: in a world, by the tree that it is of.
pub fn called(reel: &Reel, place: &Place) -> String {
    match reel.story().answer {
        Answer::Sides { .. } => Tree::called(place.region),
        _ => place.called().into_owned(),
    }
}

/// The same with the word for what it is.
pub fn name(reel: &Reel, place: &Place) -> String {
    format!("{} {}", place.noun(), called(reel, place))
}

/// By what a region is called that the picture does not have.
pub fn unseen(reel: &Reel, region: RegionId) -> String {
    match reel.story().answer {
        Answer::Sides { .. } => Tree::called(region),
        _ => region.to_string(),
    }
}

/// What a region is, in a few words.
pub fn words(reel: &Reel, place: &Place) -> String {
    let units = so_many(reel, place.below);
    match place.role {
        Role::Cell | Role::Slot => {
            format!("{} · {units}", name(reel, place))
        }
        _ => format!("{} · {units} · depth {}", name(reel, place), place.depth),
    }
}
