//! Why a box of the load tree or of the unload tree is looked at, left out, or leads to an object.

use super::Tree;
use crate::geometry::{Aabb, Vec2};
use crate::partition::RegionId;
use crate::partition::shapes::distance::gap;
use crate::probe::Event;
use crate::story::Place;
use crate::story::words::{count, metres};
use crate::streaming::late::{called, name_in};
use crate::streaming::{Index, Rectangles, Settings, State, WorldObject};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Tells of the events of one decision.
pub struct Teller<'a> {
    /// The objects, by number.
    pub objects: &'a [WorldObject],
    /// The files of their pictures, after which they are called.
    pub assets: &'a [Arc<Path>],
    /// Their states before the decision.
    pub states: &'a [State],
    /// The sizes of the rectangles, and which structure decides.
    pub settings: &'a Settings,
    /// Where the character is.
    pub position: Vec2,
    /// The box of the way ahead.
    pub way: Aabb,
    /// Nodes that have nobody for the question, with how many objects they have for the other one.
    pub idle: &'a HashMap<RegionId, u64>,
}

/// How far inside a box a point is from its nearest side.
fn depth(area: Aabb, point: Vec2) -> f64 {
    let (low, high) = (area.min.as_dvec2(), area.max.as_dvec2());
    let point = point.as_dvec2();
    (point - low).min(high - point).min_element()
}

/// How far two boxes without a common spot are apart, of which `area` is the intersection: along one axis, and along which.
fn apart(area: Aabb) -> (f64, &'static str) {
    let by = area.min.as_dvec2() - area.max.as_dvec2();
    if by.x >= by.y {
        (by.x, "x")
    } else {
        (by.y, "y")
    }
}

impl Teller<'_> {
    /// The sentence for one event.
    pub fn reason(
        &self,
        tree: Tree,
        event: Event,
        region: Option<RegionId>,
        place: Option<&Place>,
    ) -> String {
        match (tree, event, place) {
            (Tree::Load, Event::Visit(_), Some(place)) => self.enter_union(place),
            (Tree::Load, Event::Prune(_), Some(place)) => self.leave_union(place),
            (Tree::Unload, Event::Visit(_), Some(place)) => self.enter_intersection(place),
            (Tree::Unload, Event::Prune(_), Some(place)) => self.leave_intersection(place),
            (_, Event::Visit(_) | Event::Prune(_), _) => self.idle_node(tree, event, region),
            // A leaf without a rectangle for the question.
            (_, Event::Test(object), None) => self.idle_leaf(tree, object),
            (Tree::Load, Event::Test(object), _) => self.test_load(object),
            (Tree::Unload, Event::Test(object), _) => self.test_unload(object),
            (Tree::Load, Event::Hit(object), _) => {
                let where_to = self.load_meets(object);
                let name = self.called(object);
                format!("The load rectangle of {name} {where_to}: it is to be loaded.")
            }
            (Tree::Unload, Event::Hit(object), _) => self.hit_unload(object),
            // What no search of a tree does, as far as is known: said all the same.
            (_, event, _) => format!(
                "Event 1 of its kind in the {} tree: {event:?}.",
                tree.name()
            ),
        }
    }

    /// What the load rectangles are compared with. Who stands has no way.
    fn ahead(&self) -> &'static str {
        if self.way.min == self.way.max {
            "the character"
        } else {
            "the way ahead"
        }
    }

    /// What an object is called, as everywhere.
    fn called(&self, object: u32) -> String {
        called(&name_in(self.objects, self.assets, object), object)
    }

    fn state(&self, object: u32) -> State {
        let state = self.states.get(object as usize);
        state.copied().unwrap_or(State::Unloaded)
    }

    fn rectangles(&self, object: u32) -> Option<Rectangles> {
        let object = self.objects.get(object as usize)?;
        Some(Rectangles::of(object, self.settings))
    }

    /// How far from the character a box ends that does not hold it.
    fn away(&self, area: Aabb) -> String {
        metres(gap(area, Aabb::new(self.position, self.position)))
    }

    /// How far within a box the character is.
    fn inside(&self, area: Aabb) -> String {
        format!("{} from its border", metres(depth(area, self.position)))
    }

    /// That the character, or its way, comes into a load rectangle or a union.
    fn meets(&self, area: Aabb) -> String {
        if area.contains(self.position) {
            format!("holds the character, {}", self.inside(area))
        } else {
            format!(
                "begins {} from the character, and the way ahead meets it",
                self.away(area)
            )
        }
    }

    /// That neither does.
    fn misses(&self, area: Aabb) -> String {
        format!(
            "ends {} short of {}",
            metres(gap(area, self.way)),
            self.ahead()
        )
    }

    fn enter_union(&self, place: &Place) -> String {
        format!(
            "The union of {} {}: its two parts are looked at.",
            count(place.below, "load rectangle"),
            self.meets(place.bounds)
        )
    }

    fn leave_union(&self, place: &Place) -> String {
        format!(
            "The union of {} {}: {}.",
            count(place.below, "load rectangle"),
            self.misses(place.bounds),
            if place.below == 1 {
                "it is not looked at"
            } else {
                "none of them is looked at"
            }
        )
    }

    fn enter_intersection(&self, place: &Place) -> String {
        let (area, many) = (place.bounds, count(place.below, "unload rectangle"));
        let parts = "its two parts are looked at";
        if area.is_empty() {
            let (by, axis) = apart(area);
            let by = metres(by);
            format!(
                "The intersection of {many} is empty, for two of them are {by} apart along {axis}: {parts}."
            )
        } else {
            let away = self.away(area);
            format!("The intersection of {many} ends {away} short of the character: {parts}.")
        }
    }

    fn leave_intersection(&self, place: &Place) -> String {
        let below = place.below;
        let what = match (self.settings.index, below) {
            // There some may not be there at all.
            (Index::WholeUnloadTree, _) => "so does each of them, and none is looked at".to_owned(),
            (_, 1) => "its object stays, and is not looked at".to_owned(),
            _ => format!("all {below} objects stay, and none is looked at"),
        };
        format!(
            "The intersection of {} holds the character, {}: {what}.",
            count(below, "unload rectangle"),
            self.inside(place.bounds)
        )
    }

    /// A node of a dual tree below which there is nobody for one of the two questions.
    fn idle_node(&self, tree: Tree, event: Event, region: Option<RegionId>) -> String {
        let region = region.unwrap_or_default();
        let many = self.idle.get(&region).copied().unwrap_or_default();
        let own = Tree::of(region).1;
        let what = match event {
            Event::Visit(_) => "looked into",
            _ => "left out",
        };
        let why = match tree {
            Tree::Load => format!("all {many} objects below it are asked for already"),
            Tree::Unload => format!("none of the {many} objects below it is asked for"),
        };
        format!(
            "Node {own} is {what} in the search for what to {}: there is nobody in it, for {why}.",
            tree.name()
        )
    }

    /// The same of a leaf.
    fn idle_leaf(&self, tree: Tree, object: u32) -> String {
        let (to_be, already) = match tree {
            Tree::Load => ("loaded", " already"),
            Tree::Unload => ("unloaded", ""),
        };
        let state = self.state(object).name();
        let name = self.called(object);
        format!(
            "{name} is looked at, but there is nobody in its leaf to be {to_be}: its state is {state}{already}."
        )
    }

    /// What follows from a test at once. A tree says it by a hit.
    fn at_once(&self, what: &str) -> String {
        if self.settings.index == Index::BruteForce {
            format!(", so it is to be {what}")
        } else {
            String::new()
        }
    }

    fn load_meets(&self, object: u32) -> String {
        self.rectangles(object)
            .map_or_else(String::new, |own| self.meets(own.load))
    }

    fn test_load(&self, object: u32) -> String {
        let Some(own) = self.rectangles(object) else {
            return self.idle_leaf(Tree::Load, object);
        };
        let (seen, end) = if own.load.overlaps(self.way) {
            (self.meets(own.load), self.at_once("loaded"))
        } else {
            (self.misses(own.load), ", so it is not asked for".to_owned())
        };
        let name = self.called(object);
        format!("{name} is looked at: its load rectangle {seen}{end}.")
    }

    fn test_unload(&self, object: u32) -> String {
        let Some(own) = self.rectangles(object) else {
            return self.idle_leaf(Tree::Unload, object);
        };
        let (seen, end) = if !own.unload.contains(self.position) {
            let away = self.away(own.unload);
            (
                format!("ends {away} short of the character"),
                self.at_once("unloaded"),
            )
        } else {
            let end = if self.state(object).is_wanted() {
                ", so it stays"
            } else {
                ", and it is not asked for anyway"
            };
            let inside = self.inside(own.unload);
            (format!("holds the character, {inside}"), end.to_owned())
        };
        let name = self.called(object);
        format!("{name} is looked at: its unload rectangle {seen}{end}.")
    }

    fn hit_unload(&self, object: u32) -> String {
        let state = self.state(object);
        let away = self
            .rectangles(object)
            .map_or_else(String::new, |own| self.away(own.unload));
        let end = if state.is_wanted() {
            "it is to be unloaded".to_owned()
        } else {
            format!("it is {} already, and nothing follows", state.name())
        };
        let name = self.called(object);
        format!("The unload rectangle of {name} ends {away} short of the character: {end}.")
    }
}
