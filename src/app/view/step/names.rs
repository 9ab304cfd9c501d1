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

/// How many are in a region with all that is below it, and of a node that holds some itself how many these are.
pub fn how_many(reel: &Reel, place: &Place) -> String {
    let all = so_many(reel, place.below);
    let own = place.load;
    match place.role == Role::Inner && own > 0 {
        true => format!("{} of {all} here", with_commas(own.into())),
        false => all,
    }
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
    let units = how_many(reel, place);
    match place.role {
        Role::Cell | Role::Slot => {
            format!("{} · {units}", name(reel, place))
        }
        _ => format!("{} · {units} · depth {}", name(reel, place), place.depth),
    }
}

/// These words without how deep it is, where they say that: the panel says it as well.
pub fn without_depth(words: &str) -> Option<&str> {
    words.rsplit_once(" · depth ").map(|(short, _)| short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Ground, Operation, Stage};

    #[test]
    fn a_node_that_holds_some_itself_says_how_many_of_all_below_it() {
        let places = [
            (32.0, 32.0),
            (5.0, 5.0),
            (6.0, 5.0),
            (50.0, 10.0),
            (10.0, 50.0),
        ];
        let centers = places.map(Vec2::from);
        let sized = Bodies {
            centers: &centers,
            half_extents: &[Vec2::splat(0.25); 5],
            alive: &[],
        };
        let cancel = Cancel::default();
        let root = |kind: Kind, knobs: &[(&str, &str)], bodies: Bodies<'_>| {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
            for (knob, value) in knobs {
                index.set_knob_text(knob, value).expect("a knob");
            }
            index.rebuild(bodies, &mut ());
            let stage = Stage::new(index, Ground::of(bodies), 1.0, &cancel);
            let story = stage.and_then(|stage| stage.tell(&Operation::Rebuild, 100, &cancel));
            let reel = Reel::new(story.expect("not cancelled"));
            how_many(&reel, &reel.story().before.places()[0])
        };
        let small = ("capacity", "1");
        let rectangles = [small, ("looseness", "1")];
        let above = root(Kind::RectQuadtree, &rectangles, sized);
        assert_eq!(above, "1 of 5 units here");
        let points = Bodies::points(&centers);
        assert_eq!(root(Kind::Quadtree, &[small], points), "5 units");
    }
}
