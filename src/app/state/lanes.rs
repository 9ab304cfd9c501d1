//! The lanes beside the first: added, changed and dropped, as actions for the session.

use super::App;
use crate::app::commands::View;
use crate::app::settings::Hint;
use crate::app::worker::{Own, Rows, Structure, Subject, SurveyRow};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Info, Kind, Knob, RegionQuery, Role};
use skirmish::scene::AnyChoice;
use skirmish::session::Action;
use skirmish::structure::StructureKind;
use skirmish::volume::Kind3;
use std::collections::HashSet;

impl App {
    /// Lets one more structure follow the battle.
    pub fn add_lane(&mut self, kind: StructureKind) {
        self.act(Action::AddLane(kind.info().key.to_owned(), Vec::new()));
    }

    /// Who looks at one structure beside another has two, and has changed nothing: the one that is least like the first.
    pub fn look_beside(&mut self) {
        if self.lanes.len() == 1 {
            let key = self.key_of_another().to_owned();
            self.act(Action::Beside(key));
        }
    }

    /// Back from the table to the panes, where one structure is looked at beside another, as for whoever comes from elsewhere.
    pub fn show_panes(&mut self) {
        self.all_structures = false;
        self.look_beside();
    }

    fn key_of_another(&self) -> &'static str {
        let taken: Vec<StructureKind> = self.lanes.iter().map(|lane| lane.structure.kind).collect();
        let kind = match self.flight {
            Some(_) => another(&taken, self.alive()),
            None => {
                let plane = |kind: &StructureKind| match kind {
                    StructureKind::Plane(kind) => Some(*kind),
                    StructureKind::Space(_) => None,
                };
                unlike(&taken.iter().filter_map(plane).collect::<Vec<_>>()).into()
            }
        };
        kind.info().key
    }

    /// Gives a lane another structure; the battle goes on.
    pub fn choose_lane(&mut self, place: usize, kind: impl Into<StructureKind>) {
        let kind = kind.into();
        if place == 0 {
            return self.choose_structure(kind);
        }
        let Some(shown) = self.lanes.get_mut(place).map(|lane| &mut lane.structure) else {
            return;
        };
        if kind != shown.kind {
            shown.kind = kind;
            let knobs = kind.info().knobs.iter();
            shown.knobs = knobs.map(|knob| knob.default).collect();
            shown.effects.clear();
            self.note_followed(Hint::Structure);
            self.act(set(place, &self.lanes[place].structure));
        }
    }

    /// Sets a knob of a lane.
    pub fn set_lane_knob(&mut self, place: usize, knob: usize, value: f64) {
        if place == 0 {
            return self.set_knob(knob, value);
        }
        let Some(shown) = self.lanes.get_mut(place).map(|lane| &mut lane.structure) else {
            return;
        };
        let Some(info) = shown.kind.info().knobs.get(knob) else {
            return;
        };
        if let Some(shown) = shown.knobs.get_mut(knob) {
            *shown = value;
        }
        let kind = shown.kind;
        let name = format!("{place}.{}", info.key);
        let goes_on = self.is_in_stroke(&name);
        self.own_values.note((kind, knob), value, goes_on);
        let action = set(place, &self.lanes[place].structure);
        self.act_in_stroke(&name, action);
    }

    /// Sets every knob of a lane to its default.
    pub fn reset_lane_knobs(&mut self, place: usize) {
        if place == 0 {
            return self.reset_knobs();
        }
        if let Some(lane) = self.lanes.get(place) {
            let key = lane.structure.info().key.to_owned();
            self.act(Action::SetLane(place, key, Vec::new()));
        }
    }

    /// Lets the lanes at two places change places.
    pub fn swap_lanes(&mut self, a: usize, b: usize) {
        let (Some(first), Some(second)) = (self.lanes.get(a), self.lanes.get(b)) else {
            return;
        };
        let actions = [set(a, &second.structure), set(b, &first.structure)];
        for (action, more) in actions.into_iter().zip([false, true]) {
            self.post_act(action, more);
        }
    }

    /// The lane that is of a structure: the first of them.
    pub fn lane_of(&self, kind: StructureKind) -> Option<usize> {
        let mut lanes = self.lanes.iter();
        lanes.position(|lane| lane.structure.kind == kind)
    }

    /// The place of the lane whose settings the table offers.
    pub fn swept_lane(&self) -> usize {
        self.swept_lane.min(self.lanes.len().saturating_sub(1))
    }

    /// That lane's structure.
    pub fn swept_structure(&self) -> &Structure {
        &self.lanes[self.swept_lane()].structure
    }

    /// Whether the table may offer the settings of a lane: it has some. Among structures it may offer every lane, as each can be given another
    /// structure.
    pub fn may_sweep_lane(&self, place: usize) -> bool {
        let info = self.lanes[place].structure.info();
        self.surveys() == Some(Rows::Structures) || settings(info).next().is_some()
    }

    /// Lets the table offer the settings of another lane: where it shows the values of one, those of the same setting of that lane, or of
    /// its first one where its structure is another.
    pub fn sweep_lane(&mut self, place: usize) {
        let shown = match self.surveys() {
            Some(Rows::Values { knob, .. }) => Some((self.swept_structure().kind, knob)),
            _ => None,
        };
        self.swept_lane = place;
        let structure = self.swept_structure();
        match shown {
            Some((kind, knob)) if kind == structure.kind => self.survey(Some(knob)),
            Some(_) => {
                let first = settings(structure.info()).next();
                self.survey(first.map(|(knob, _)| knob));
            }
            // A setting that was tried before, in a lane that is another one by now, is not what is shown.
            None => self.swept = None,
        }
    }

    /// The lane that is set as the one whose settings the table offers would be with this value of a knob.
    pub fn lane_with_value(&self, knob: usize, value: f64) -> Option<usize> {
        let swept = self.swept_structure();
        let is_it = |it: &Structure| is_with_value(swept, (knob, value), it);
        // Of several the one that is about it: two may differ in their pictures alone.
        let own = Some(self.swept_lane()).filter(|_| is_it(swept));
        own.or_else(|| self.lanes.iter().position(|lane| is_it(&lane.structure)))
    }

    /// The lane that a row of the table is of: set like it, or the first of its structure where that has one row.
    pub fn lane_of_row(&self, row: &AnyChoice) -> Option<usize> {
        let mut lanes = self.lanes.iter();
        match self.rows_of(row.kind).count() {
            0 | 1 => self.lane_of(row.kind),
            _ => lanes.position(|lane| is_row_of(row, &lane.structure)),
        }
    }

    /// The rows of the table that are of a structure.
    pub fn rows_of(&self, kind: StructureKind) -> impl Iterator<Item = &SurveyRow> {
        self.survey_rows()
            .filter(move |row| row.choice.kind == kind)
    }

    /// How many rows a table of all structures has.
    pub fn row_count(&self) -> usize {
        let all = self.lane().structure.kind.siblings();
        let structures = || self.lanes.iter().map(|lane| &lane.structure);
        let is_first = |(place, one): &(usize, &Structure)| {
            !structures()
                .take(*place)
                .any(|other| are_set_alike(other, one))
        };
        let firsts = structures().enumerate().filter(is_first);
        let kinds: HashSet<StructureKind> = structures().map(|it| it.kind).collect();
        all.len() + firsts.count() - kinds.len()
    }

    /// The pane in which a row is: the one that is chosen above the table, where that is of it, else the first that is.
    pub fn pane_of_row(&self, row: &AnyChoice) -> Option<usize> {
        let own = self.swept_lane();
        let is_alone = self.rows_of(row.kind).count() < 2;
        let structure = self.swept_structure();
        let is_own = structure.kind == row.kind && (is_alone || is_row_of(row, structure));
        is_own.then_some(own).or_else(|| self.lane_of_row(row))
    }

    /// Puts the structure of a row of the table into the pane that is chosen above it. If another lane has it, these two change places: gives
    /// that one.
    pub fn put_row(&mut self, row: &AnyChoice) -> Option<usize> {
        let own = self.swept_lane();
        let place = self.pane_of_row(row);
        if place.is_none() {
            self.choose_lane(own, row.kind);
        }
        self.change_places(own, place)
    }

    /// Sets a knob of the lane whose settings the table offers; if another lane is set so, these two change places: gives that one.
    pub fn set_swept_value(&mut self, knob: usize, value: f64) -> Option<usize> {
        let own = self.swept_lane();
        let place = self.lane_with_value(knob, value);
        if place.is_none() {
            self.set_lane_knob(own, knob, value);
        }
        self.change_places(own, place)
    }

    /// Lets a lane change places with the one at a place, if that is another one; gives that.
    fn change_places(&mut self, own: usize, place: Option<usize>) -> Option<usize> {
        let other = place.filter(|place| *place != own)?;
        self.swap_lanes(own, other);
        Some(other)
    }

    /// Shows every structure on one moment, or that of the lane whose settings are offered with every value of one of them, in a table.
    pub fn survey(&mut self, knob: Option<usize>) {
        let kind = self.swept_structure().kind;
        self.view = View::Compare;
        self.all_structures = true;
        self.swept = knob.map(|knob| (kind, knob));
        // What is there is of the other table.
        self.survey.clear();
    }

    /// The table that is shown, if one is.
    pub fn surveys(&self) -> Option<Rows> {
        let (lane, kind) = (self.swept_lane(), self.swept_structure().kind);
        let swept = self.swept.filter(|(of, _)| *of == kind);
        let rows = swept.map_or(Rows::Structures, |(_, knob)| Rows::Values { lane, knob });
        self.all_structures.then_some(rows)
    }

    /// The setting whose values are its rows, with its index.
    pub fn swept_knob(&self) -> Option<(usize, &'static Knob)> {
        match self.surveys() {
            Some(Rows::Values { knob, .. }) => {
                let knobs = self.swept_structure().info().knobs;
                Some((knob, knobs.get(knob)?))
            }
            _ => None,
        }
    }

    /// What that table is of.
    pub fn subject(&self) -> Option<Subject> {
        self.surveys().map(|rows| Subject {
            rows,
            questions: self.questions,
            own: match rows {
                Rows::Values { knob, .. } => self.own_values(knob),
                Rows::Structures => Own::default(),
            },
        })
    }

    /// With how many single rectangles the rows of the table reckon a tick.
    pub fn rectangles(&self) -> u32 {
        self.rectangles
    }

    /// Lets the rows of the table reckon a tick with so many single rectangles.
    pub fn reckon_with(&mut self, rectangles: u32) {
        self.rectangles = rectangles;
        for row in &mut self.survey {
            row.rectangles = rectangles;
        }
    }

    /// The values of a knob of the structure whose settings the table offers that were set by hand in this scene.
    pub fn own_values(&self, knob: usize) -> Own {
        self.own_values.of(self.swept_structure().kind, knob)
    }

    /// The rows of the table: rows of what was measured before may still be there, and are not of it.
    pub fn survey_rows(&self) -> impl Iterator<Item = &SurveyRow> {
        let kind = self.swept_structure().kind;
        let of_knob = matches!(self.surveys(), Some(Rows::Values { .. }));
        let rows = self.survey.iter();
        rows.filter(move |row| !of_knob || row.choice.kind == kind)
    }

    /// The same in the order in which they are shown, behind which stands what has not been shown yet.
    pub fn survey_rows_as_shown(&self) -> Vec<&SurveyRow> {
        let mut rows: Vec<&SurveyRow> = self.survey_rows().collect();
        let shown = &self.survey_order;
        let place = |row: &&SurveyRow| shown.iter().position(|choice| *choice == row.choice);
        rows.sort_by_key(|row| place(row).unwrap_or(usize::MAX));
        rows
    }

    /// Ends a lane; the first one stays.
    pub fn drop_lane(&mut self, place: usize) {
        self.act(Action::DropLane(place));
    }
}

/// Whether two are of one structure, set alike but for what changes the picture alone.
fn are_set_alike(one: &Structure, other: &Structure) -> bool {
    let settings = || settings(one.info());
    one.kind == other.kind && settings().all(|(at, _)| one.knob(at) == other.knob(at))
}

/// Whether a row of the table is of a structure as it is set.
pub fn is_row_of(row: &AnyChoice, structure: &Structure) -> bool {
    let settings = || settings(structure.info());
    structure.kind == row.kind && settings().all(|(at, _)| structure.knob(at) == row.value(at))
}

/// Whether a structure is as the one whose setting the rows are of, with this value of that: another one may have the value and be set
/// otherwise beside that, but for what changes the picture alone.
pub fn is_with_value(swept: &Structure, (at, value): (usize, f64), structure: &Structure) -> bool {
    let mut others = settings(structure.info()).filter(|(knob, _)| *knob != at);
    structure.kind == swept.kind
        && structure.knob(at) == value
        && others.all(|(knob, _)| structure.knob(knob) == swept.knob(knob))
}

/// The knobs of a structure that change more than its picture, with their indices.
pub fn settings(info: &'static Info) -> impl Iterator<Item = (usize, &'static Knob)> {
    let all = info.knobs.iter().enumerate();
    all.filter(|(_, knob)| !knob.picture_only)
}

/// The action that gives a lane this structure, with the knobs that differ from their defaults.
fn set(place: usize, structure: &Structure) -> Action {
    let info = structure.info();
    let knobs = info.knobs.iter().enumerate();
    let knobs = knobs
        .map(|(index, knob)| (knob, structure.knob(index)))
        .filter(|(knob, value)| *value != knob.default)
        .map(|(knob, value)| (knob.key.to_owned(), knob.format(value)))
        .collect();
    Action::SetLane(place, info.key.to_owned(), knobs)
}

/// A structure in space that is not there yet. One that tests every pair comes last, and not at all where nobody would wait for
/// it: there one comes twice, to be set otherwise.
fn another(taken: &[StructureKind], units: u64) -> StructureKind {
    const MOST_UNITS: u64 = 5_000;
    let all = Kind3::ALL.iter().copied().map(StructureKind::Space);
    let (slow, quick): (Vec<_>, Vec<_>) = all.partition(|kind| kind.tests_every_pair());
    let slow = slow.into_iter().filter(|_| units <= MOST_UNITS);
    let mut free = quick.iter().copied().chain(slow);
    free.find(|kind| !taken.contains(kind))
        .or(quick.last().copied())
        .unwrap_or(StructureKind::Space(Kind3::Octree))
}

/// The structure that looks least like those that are there already: of those that share their way of parting the field with the
/// fewest, the first one of the registry. One that parts nothing is nothing to look at.
fn unlike(taken: &[Kind]) -> Kind {
    let roles: Vec<Role> = taken.iter().filter_map(|kind| way_of(*kind)).collect();
    let free = Kind::ALL.iter().filter(|kind| !taken.contains(kind));
    free.filter_map(|kind| way_of(*kind).map(|way| (kind, way)))
        .min_by_key(|(_, way)| {
            let alike = roles.iter().filter(|role| *role == way).count();
            // Slots are seen on one axis alone: areas come first.
            (alike, *way == Role::Slot)
        })
        .map_or(Kind::ALL[0], |(kind, _)| *kind)
}

/// Into what a structure parts the field, seen on four units in it: nodes, cells or slots.
fn way_of(kind: Kind) -> Option<Role> {
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
    let units = [
        Vec2::splat(8.0),
        Vec2::splat(24.0),
        Vec2::new(40.0, 20.0),
        Vec2::splat(56.0),
    ];
    let bodies = Bodies::points(&units);
    let mut index = AnyPartition::new(kind, field);
    index.rebuild(bodies, &mut ());
    let query = RegionQuery {
        area: field,
        min_size: 0.0,
    };
    let mut found = None;
    index.regions(query, &mut |region| {
        // A node with others below it is a node all the same.
        let role = match region.role {
            Role::Inner => Role::Leaf,
            role => role,
        };
        found = found.or(Some(role));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_that_is_added_is_unlike_those_that_are_there() {
        for first in Kind::ALL {
            let second = unlike(&[*first]);
            assert_ne!(second, *first);
            assert_ne!(way_of(second), way_of(*first), "{first:?} and {second:?}");
            let third = unlike(&[*first, second]);
            assert!(![*first, second].contains(&third));
        }
        assert_eq!(way_of(unlike(&[Kind::SortedGrid])), Some(Role::Leaf));
        assert_eq!(way_of(unlike(&[Kind::Quadtree])), Some(Role::Cell));
    }

    #[test]
    fn a_lane_is_of_a_value_only_where_it_is_set_alike_beside_that() {
        let set = |kind: Kind, values: &[(&str, f64)]| {
            let info = kind.info();
            let mut knobs: Vec<f64> = info.knobs.iter().map(|knob| knob.default).collect();
            for (key, value) in values {
                knobs[info.knob_index(key).expect("a knob")] = *value;
            }
            Structure {
                kind: kind.into(),
                knobs,
                effects: Vec::new(),
                bytes: 0,
            }
        };
        let sweep = |axes: f64, kept: f64| {
            let values = [("axes", axes), ("kept_reach", kept)];
            set(Kind::SweepAndPrune, &values)
        };
        let at = Kind::SweepAndPrune.info().knob_index("kept_reach");
        let at = at.expect("a knob");
        let swept = sweep(2.0, 2.0);
        assert!(is_with_value(&swept, (at, 2.0), &swept));
        assert!(!is_with_value(&swept, (at, 4.0), &swept));
        assert!(is_with_value(&swept, (at, 4.0), &sweep(2.0, 4.0)));
        // Of the same reach, and along another axis.
        assert!(!is_with_value(&swept, (at, 2.0), &sweep(0.0, 2.0)));
        // What changes the picture alone is no other setting.
        let tree = |values: &[(&str, f64)]| set(Kind::MortonTree, values);
        let at = Kind::MortonTree.info().knob_index("bucket");
        let at = at.expect("a knob");
        let [plain, marked] = [0.0, 1.0].map(|curve| tree(&[("bucket", 8.0), ("z_curve", curve)]));
        assert!(is_with_value(&plain, (at, 8.0), &marked));
        assert!(!is_with_value(&plain, (at, 9.0), &marked));
    }
}
