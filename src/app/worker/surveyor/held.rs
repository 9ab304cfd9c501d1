//! What lanes were left to choose, and have chosen: their rows are measured with that.
//!
//! A lane keeps a size that it has chosen while the crowd is about as large as it was then. Chosen anew for every row it would be
//! another one after a while, and the table would say of a lane what the lane does not do.

use skirmish::scene::{AnyChoice, StructureChoice};
use skirmish::session::{AnyIndex, Lane};
use skirmish::structure::AnyKind;

/// A lane's structure as it is set, and the knobs that it was left to choose, each with what it has chosen.
#[derive(Clone, Debug)]
pub struct LaneChoice<K> {
    /// As it is set.
    pub set: StructureChoice<K>,
    /// The knobs that are left to it, with their values.
    pub chosen: Vec<(usize, f64)>,
}

impl<K: AnyKind> LaneChoice<K> {
    /// That of a lane.
    pub fn of<I: AnyIndex<Kind = K>>(lane: &Lane<I>) -> Self {
        Self {
            set: lane.choice(),
            chosen: lane.index().chosen(),
        }
    }
}

/// A row's structure, and what it is not left to choose, as a lane of it has chosen that.
#[derive(Clone, Debug, PartialEq)]
pub struct Held<K> {
    /// As it is asked for.
    pub choice: StructureChoice<K>,
    /// The knobs that a lane has chosen, with their values.
    pub chosen: Vec<(usize, f64)>,
}

impl<K: AnyKind> Held<K> {
    /// Holds of a choice what the first lane that is set like it has chosen, or else the first one of its structure. Of both the lane at
    /// the place `own` comes first, where the row is of that one.
    pub fn by(choice: StructureChoice<K>, lanes: &[LaneChoice<K>], own: Option<usize>) -> Self {
        let own = own.and_then(|place| lanes.get(place));
        let of_kind = || {
            let all = own.into_iter().chain(lanes);
            all.filter(|lane| lane.set.kind == choice.kind)
        };
        let like_it = of_kind().find(|lane| lane.set.is_like(&choice));
        let knobs = choice.kind.into().info().knobs;
        let is_left = |knob: usize| {
            let info = knobs.get(knob);
            info.is_some_and(|info| info.is_auto(choice.value(knob)))
        };
        let lane = like_it.or_else(|| of_kind().next());
        let chosen = lane.map_or(Vec::new(), |lane| {
            let chosen = lane.chosen.iter().copied();
            chosen.filter(|(knob, _)| is_left(*knob)).collect()
        });
        Self { choice, chosen }
    }

    /// As it is asked for, of either dimension.
    pub fn of_either(&self) -> AnyChoice {
        self.choice.clone().of_either()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;

    fn lane(cell_size: Option<&str>, chosen: &[(usize, f64)]) -> LaneChoice<Kind> {
        let mut set = StructureChoice::new(Kind::LinkedGrid);
        if let Some(cell_size) = cell_size {
            set.set("cell_size", cell_size).expect("a cell size");
        }
        LaneChoice {
            set,
            chosen: chosen.to_vec(),
        }
    }

    #[test]
    fn what_a_lane_has_chosen_is_held_where_a_row_is_left_to_choose_it_and_nowhere_else() {
        let auto = lane(None, &[(0, 30.0)]);
        let by = |choice: &StructureChoice, lanes: &[LaneChoice<Kind>]| {
            Held::by(choice.clone(), lanes, None).chosen
        };
        let lanes = [auto.clone()];
        assert_eq!(by(&auto.set, &lanes), [(0, 30.0)]);
        // Set to a value it has that one, and of another structure nothing is known.
        let set = lane(Some("8"), &[]);
        assert!(by(&set.set, &lanes).is_empty());
        let other = StructureChoice::new(Kind::SortedGrid);
        assert!(by(&other, &lanes).is_empty());
        // With another neighbourhood the first lane of the structure would keep its cells.
        let mut full = auto.set.clone();
        full.set("neighbourhood", "full").expect("a neighbourhood");
        assert_eq!(by(&full, &lanes), [(0, 30.0)]);
        // Of two lanes the one that is set so says it, and one that is set to a value has chosen nothing.
        let lanes = [set, auto.clone()];
        assert_eq!(by(&auto.set, &lanes), [(0, 30.0)]);
        assert!(by(&full, &lanes).is_empty());
    }

    #[test]
    fn what_the_lane_has_chosen_whose_settings_are_tried_is_held_before_what_others_have() {
        let auto = |size: f64| lane(None, &[(0, size)]);
        let mut full = auto(20.0);
        full.set
            .set("neighbourhood", "full")
            .expect("a neighbourhood");
        let two = [auto(30.0), auto(12.0)];
        let by = |set: &StructureChoice<Kind>, lanes: &[LaneChoice<Kind>], own| {
            Held::by(set.clone(), lanes, own).chosen
        };
        // Set like both, and like neither of them.
        for set in [&two[0].set, &full.set] {
            assert_eq!(by(set, &two, Some(1)), [(0, 12.0)]);
            assert_eq!(by(set, &two, Some(0)), [(0, 30.0)]);
            assert_eq!(by(set, &two, None), [(0, 30.0)]);
        }
        // What is set like another lane is measured as that one does it.
        let three = [auto(30.0), auto(12.0), full.clone()];
        assert_eq!(by(&full.set, &three, Some(1)), [(0, 20.0)]);
    }
}
