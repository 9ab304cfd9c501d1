//! One operation looked into: which it is, what was told of it, and how far one has stepped.

mod asking;

pub(super) use asking::{around_somebody, asked_beside, reach_of_few};

use crate::app::commands::View;
use crate::app::stream::Stream;
use crate::app::worker::{Asked, Telling};
pub(super) use asking::SetSizes;
use skirmish::geometry::Vec2;
use skirmish::partition::{AnyFigure, RegionId, Role, UnitId};
use skirmish::story::{Answer, Atlas, Operation, Reel, Step};
use skirmish::streaming::Tree;
use std::sync::Arc;

/// What is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probed {
    /// Who is in a disc.
    Disc,
    /// Who is in a rectangle.
    Rectangle,
    /// Who is nearest to a point.
    Nearest,
    /// Whom a straight way meets.
    Segment,
    /// Who is in a cone of sight.
    Sector,
    /// Who is between lines from corner to corner.
    Polygon,
    /// Who is along a path.
    Path,
    /// Who is near a unit.
    Near,
    /// Who is in reach of whom.
    Pairs,
    /// A unit that comes.
    Insert,
    /// A unit that goes.
    Remove,
    /// A unit that moves.
    Move,
    /// All of the structure built anew.
    Rebuild,
}

impl Probed {
    /// Questions, in the order of the tools.
    pub const ASK: [Self; 9] = [
        Self::Disc,
        Self::Rectangle,
        Self::Nearest,
        Self::Segment,
        Self::Sector,
        Self::Polygon,
        Self::Path,
        Self::Near,
        Self::Pairs,
    ];

    /// Changes, in the order of the tools.
    pub const EDIT: [Self; 4] = [Self::Insert, Self::Remove, Self::Move, Self::Rebuild];

    /// The word on the tool.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disc => "disc",
            Self::Rectangle => "rectangle",
            Self::Nearest => "nearest",
            Self::Segment => "segment",
            Self::Sector => "sector",
            Self::Polygon => "polygon",
            Self::Path => "path",
            Self::Near => "near",
            Self::Pairs => "pairs",
            Self::Insert => "insert",
            Self::Remove => "remove",
            Self::Move => "move",
            Self::Rebuild => "rebuild",
        }
    }

    /// A sentence for the tooltip.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Disc => "Who is within a distance: drag on the field, from the middle outwards.",
            Self::Rectangle => "Who is in a rectangle: drag on the field, from corner to corner.",
            Self::Nearest => {
                "Who is nearest to a point: click on the field. In most trees the nearest part of a node is searched first, all the way down."
            }
            Self::Segment => "Whom a straight way meets, as a line of sight: drag on the field.",
            Self::Sector => "Who is in a cone of sight: drag on the field, the way one looks.",
            Self::Polygon => "Who is inside a line: draw it around them on the field.",
            Self::Path => "Who is along a path: draw it on the field.",
            Self::Near => "Who is near a unit: click on it.",
            Self::Pairs => {
                "Who is in reach of whom, as each tick asks it; or within a reach of your own, at 0 m who is in touch. Click again for that of the tick."
            }
            Self::Insert => "A unit comes: click on the field. The battle itself stays as it is.",
            Self::Remove => "A unit goes: click on it. The battle itself stays as it is.",
            Self::Move => "A unit moves: drag it. The battle itself stays as it is.",
            Self::Rebuild => "The structure is built anew from all units.",
        }
    }

    /// What has to be done on the field before there is such an operation; nothing of one that is there at once.
    pub const fn wish(self) -> Option<&'static str> {
        match self {
            Self::Remove => Some("Click a unit of the field to remove it."),
            Self::Move => Some("Drag a unit of the field to where it is to move."),
            Self::Near => Some("Click a unit of the field to ask who is near it."),
            Self::Polygon => Some("Draw a line on the field around those who are asked for."),
            Self::Path => Some("Draw a path on the field to ask who is along it."),
            _ => None,
        }
    }

    /// Whether it changes something.
    pub fn is_change(self) -> bool {
        Self::EDIT.contains(&self)
    }

    /// Which one an operation is.
    pub fn of(operation: &Operation) -> Self {
        match operation {
            Operation::Radius { .. } => Self::Disc,
            Operation::Range(_) => Self::Rectangle,
            Operation::Nearest { .. } => Self::Nearest,
            Operation::Segment { .. } => Self::Segment,
            Operation::Within(AnyFigure::Sector(_)) => Self::Sector,
            Operation::Within(AnyFigure::Polygon(_)) => Self::Polygon,
            Operation::Within(AnyFigure::Corridor(_)) => Self::Path,
            Operation::Near { .. } => Self::Near,
            Operation::Pairs { .. } => Self::Pairs,
            Operation::Insert { .. } => Self::Insert,
            Operation::Remove { .. } => Self::Remove,
            Operation::Move { .. } => Self::Move,
            Operation::Rebuild => Self::Rebuild,
        }
    }
}

/// What is pointed at, in the tree or on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// A region.
    Region(RegionId),
    /// A unit.
    Unit(UnitId),
}

/// An operation that is looked into.
#[derive(Debug)]
pub struct Stepping {
    /// What a press on the field makes.
    pub tool: Probed,
    /// What is looked into.
    pub asked: Asked,
    /// Where the last operation was that was anywhere: who changes to one that wants a unit and back comes back there.
    place: Option<Vec2>,
    /// What was told last; of another operation while this one is told.
    pub told: Option<Arc<Telling>>,
    /// Whether what was told is of the present moment.
    pub is_present: bool,
    /// How many steps have happened.
    at: usize,
    /// Whether that is all of them, however many are told.
    at_end: bool,
    /// Whether nobody has gone through them yet: then the first step on begins with the first of them.
    is_untouched: bool,
    /// Whether steps follow each other by themselves.
    pub plays: bool,
    /// How many of them a second.
    pub pace: f32,
    /// The part of a step that is still owed.
    owed: f32,
    /// The steps that are gone through, where not all of them are: those of one unit or region, and whose they are.
    pub focus: Option<(Pointed, Vec<u32>)>,
    /// What is pointed at.
    pub pointed: Option<Pointed>,
    /// The region that the pointer was on in the tree when that was drawn last.
    pub over: Option<RegionId>,
    /// The region that was clicked in the tree, where there are no steps that lead to it.
    pub picked: Option<RegionId>,
    /// How many are looked for by the tool for the nearest.
    pub count: usize,
    /// The radius that a click gives a disc, in metres.
    pub radius: f32,
    /// Half the width and half the height that it gives a rectangle, in metres.
    pub half: Vec2,
    /// The same as it is where nobody sets it.
    usual_half: Vec2,
    /// How far to each side of a path somebody is found, in metres.
    pub reach: f32,
    /// How far from a unit, where that has been set: else as far as the battle asks.
    pub near: Option<f32>,
    /// Within how far of each other two are a pair, where that has been set: else as each tick asks it, in metres.
    pairs: Option<f32>,
    /// Which way a cone of sight looks and how far it opens, in degrees, and its radius, in metres, where one has been made.
    cone: Option<[f32; 3]>,
    /// The radius with which all of these began, and that of the first disc where nobody has set it, in metres.
    first: (f32, Option<f32>),
}

/// How it was before something was looked into.
#[derive(Debug, Default)]
pub(super) struct BeforeSteps {
    /// Whether several structures were compared.
    pub is_compare: bool,
    /// Whether time passed, and has been stood still for the steps alone: nobody has stopped it, or gone elsewhere in it, since.
    pub ran: bool,
}

/// The least and the greatest width and height of a rectangle that can be set, in metres.
pub const SIDES: (f32, f32) = (0.5, 1000.0);

/// How far is asked around a place, at the least and at the most, in metres.
pub const RADII: (f32, f32) = (0.5, 500.0);

/// Of how many the nearest are looked for, at the least and at the most.
pub const COUNTS: (f32, f32) = (1.0, 64.0);

/// The slowest and the fastest, in steps a second.
pub const PACES: (f32, f32) = (0.5, 65_536.0);

impl Stepping {
    fn new(asked: Asked, radius: f32) -> Self {
        Self {
            tool: asked.operation().map_or(Probed::Disc, Probed::of),
            asked,
            place: None,
            told: None,
            is_present: false,
            at: 0,
            at_end: true,
            is_untouched: true,
            plays: false,
            pace: 8.0,
            owed: 0.0,
            focus: None,
            pointed: None,
            over: None,
            picked: None,
            count: 8,
            reach: (radius / 3.0).max(1.0),
            near: None,
            pairs: None,
            cone: None,
            half: Vec2::splat(radius),
            usual_half: Vec2::splat(radius),
            radius,
            first: (radius, None),
        }
    }

    /// Forgets what was told: it was of another scene.
    pub(super) fn forget(&mut self) {
        (self.told, self.pointed, self.picked) = (None, None, None);
        self.over = None;
    }

    /// The operation, where it is one.
    pub fn operation(&self) -> Option<&Operation> {
        self.asked.operation()
    }

    /// What has to be done on the field before there is an operation, while the tool in the hand has made none: then the structure is shown as
    /// it stands, and nothing of another operation.
    pub fn wants(&self) -> Option<&'static str> {
        let words = self.tool.wish();
        words.filter(|_| self.asked == Asked::Structure)
    }

    /// Whether it is about the objects of a world, and not about units.
    pub fn is_of_world(&self) -> bool {
        self.asked == Asked::Decision
    }

    /// Whom it is about.
    pub fn whom(&self) -> &'static str {
        if self.is_of_world() { "object" } else { "unit" }
    }

    /// Where it is seen.
    fn view(&self) -> View {
        match self.asked {
            Asked::Operation(_) | Asked::Structure => View::Battle,
            Asked::Space(_) => View::Volume,
            Asked::Decision => View::Streaming,
        }
    }

    /// What was told, once something was.
    pub fn reel(&self) -> Option<&Reel> {
        self.told.as_ref()?.outcome.as_ref().ok()
    }

    /// What was told, where that is of the present moment.
    pub fn shown(&self) -> Option<&Reel> {
        self.reel().filter(|_| self.is_present)
    }

    /// Why nothing can be told.
    pub fn refusal(&self) -> Option<&str> {
        let told = self.told.as_ref().filter(|it| it.asked == self.asked)?;
        told.outcome.as_ref().err().map(String::as_str)
    }

    /// Whether what is shown is of another operation or moment than what is asked for.
    pub fn is_waiting(&self) -> bool {
        let is_it = |told: &Arc<Telling>| told.asked == self.asked && self.is_present;
        !self.told.as_ref().is_some_and(is_it)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.reel().map_or(0, Reel::len)
    }

    /// How many have happened.
    pub fn at(&self) -> usize {
        if self.at_end {
            self.len()
        } else {
            self.at.min(self.len())
        }
    }

    /// The step that is happening.
    pub fn now(&self) -> Option<&Step> {
        self.reel()?.now(self.at())
    }

    /// Whether the last of the steps has happened.
    pub fn is_over(&self) -> bool {
        self.at() == self.len()
    }

    /// How far the search for the nearest has to look, as far as it knows by now, in metres. There may be fewer in all than are wanted:
    /// then it has looked everywhere in the end, and found this far. `away_sq` is the square of how far somebody is, who is there.
    pub fn nearest_reach(&self, away_sq: impl Fn(UnitId) -> Option<f32>) -> Option<f64> {
        let story = self.reel()?.story();
        match &story.answer {
            // What was found is known to the end, also where the steps are not.
            Answer::Units(found) if self.is_over() => {
                let away = found.iter().filter_map(|unit| away_sq(*unit));
                Some(f64::from(away.fold(0.0, f32::max)).sqrt())
            }
            _ => story.reach(self.at()),
        }
    }

    /// The regions as they are at this step: those before the operation, and from the step on that is told by them, those after it.
    pub fn atlas(&self) -> Option<&Atlas> {
        Some(self.reel()?.story().atlas(self.at()))
    }

    /// Whether the regions at this step are those after the operation.
    pub fn is_after(&self) -> bool {
        let reel = self.reel();
        reel.is_some_and(|reel| reel.story().is_after(self.at()))
    }

    /// Who has been taken out by this step, where the operation does so: on the field it still stands.
    pub fn gone(&self) -> Option<UnitId> {
        match self.operation()? {
            Operation::Remove { unit } if !self.is_waiting() && self.is_after() => Some(*unit),
            _ => None,
        }
    }

    /// Whether the structure keeps units in an order along a line. Its intervals are those of the units where they stand on the field, which an
    /// edit leaves there.
    pub fn is_of_order(&self) -> bool {
        let first = self.atlas().and_then(|atlas| atlas.places().first());
        self.is_present && first.is_some_and(|it| it.role == Role::Slot)
    }

    /// What is said where all steps are shown together as nobody has gone through them yet: that one can, and from where.
    pub fn invitation(&self) -> Option<String> {
        let all = self.len();
        let steps = if all == 1 { "its 1 step" } else { "its steps" };
        (all > 0 && self.is_untouched && self.is_over()).then(|| {
            format!("All that came of it is shown. Space plays {steps} from the first on, the right arrow goes one by one.")
        })
    }

    /// Goes to where so many steps have happened.
    pub fn go_to(&mut self, at: usize) {
        let len = self.len();
        self.at = at.min(len);
        self.at_end = self.at == len;
        // As long as nothing is told, nobody has gone anywhere.
        self.is_untouched &= len == 0;
        self.owed = 0.0;
    }

    /// The same where somebody goes there before anything is told: from then on the steps are gone through.
    pub fn go_through_to(&mut self, at: usize) {
        self.go_to(at);
        self.is_untouched = false;
    }

    /// What was asked is shown with all that came of it. Who goes on from there for the first time wants to see how it came to that.
    fn begin(&mut self) {
        if self.is_untouched && self.is_over() {
            self.go_to(0);
        }
    }

    /// Goes so many steps on, or back, and stays there.
    pub fn step(&mut self, by: isize) {
        self.plays = false;
        if by == 1 {
            self.begin();
        }
        self.move_by(by);
    }

    fn move_by(&mut self, by: isize) {
        let at = self.at();
        let to = match &self.focus {
            None => at.saturating_add_signed(by),
            Some((_, rows)) if by > 0 => {
                let next = rows.partition_point(|step| (*step as usize) < at);
                let next = next
                    .saturating_add_signed(by - 1)
                    .min(rows.len().saturating_sub(1));
                rows.get(next).map_or(at, |step| *step as usize + 1).max(at)
            }
            Some((_, rows)) => {
                let before = rows.partition_point(|step| (*step as usize) + 1 < at);
                match before.checked_sub(by.unsigned_abs()) {
                    Some(place) => rows.get(place).map_or(0, |step| *step as usize + 1),
                    None => 0,
                }
            }
        };
        self.go_to(to);
    }

    /// Goes through the steps of one unit or region alone, from where it is told of next; with nothing, through all again.
    pub fn focus_on(&mut self, pointed: Option<Pointed>) {
        self.focus = None;
        let (Some(pointed), Some(reel)) = (pointed, self.reel()) else {
            return;
        };
        let rows = match pointed {
            Pointed::Region(region) => reel
                .place_of(region, self.at())
                .map_or(Vec::new(), |place| reel.steps_within(place)),
            Pointed::Unit(unit) => reel.steps_of_unit(unit).to_vec(),
        };
        if !rows.is_empty() {
            self.seek(pointed);
            self.focus = Some((pointed, rows));
        }
    }

    /// Takes down what the cursor points at on the field; where it points at nothing there, it may be on the tree.
    pub fn point(&mut self, on_field: Option<Pointed>) {
        let in_tree = self.over.take().map(Pointed::Region);
        self.pointed = on_field.or(in_tree);
    }

    /// A region was clicked in the tree, or none: its steps are gone through alone, or where nothing happens, it stays marked.
    pub fn pick(&mut self, region: Option<RegionId>) {
        if self.asked == Asked::Structure || self.len() == 0 {
            self.picked = region.filter(|region| self.picked != Some(*region));
        } else if let Some(region) = region {
            self.focus_on(Some(Pointed::Region(region)));
        }
    }

    /// What somebody is called: an object as everywhere in the window, a unit as the story calls it.
    pub fn who(&self, unit: UnitId, stream: Option<&Stream>) -> String {
        match (stream.filter(|_| self.is_of_world()), self.reel()) {
            (Some(stream), _) => stream.called(unit),
            (None, Some(reel)) if !self.is_of_world() => reel.story().unit_called(unit),
            (None, Some(reel)) => format!("{} {}", self.whom(), reel.story().called(unit)),
            (None, None) => format!("{} {unit}", self.whom()),
        }
    }

    /// Whose steps lead to what is pointed at: its own, or those of the region above it that was decided as a whole.
    fn told_of(&self, pointed: Pointed) -> Option<Pointed> {
        let reel = self.reel()?;
        let is_told = |region| {
            let place = reel.place_of(region, self.at());
            place.is_some_and(|place| !reel.steps_of_place(place).is_empty())
        };
        match pointed {
            Pointed::Unit(unit) if reel.steps_of_unit(unit).is_empty() => {
                let atlas = self.atlas()?;
                let mut above = atlas.upwards(atlas.home(unit)?.region);
                let place = above.find(|place| is_told(place.region))?;
                Some(Pointed::Region(place.region))
            }
            Pointed::Unit(_) => Some(pointed),
            Pointed::Region(region) => is_told(region).then_some(pointed),
        }
    }

    /// The steps, ascending, that are about somebody: its own, or those of the region with which it was decided.
    pub fn steps_about(&self, unit: UnitId) -> &[u32] {
        let Some(reel) = self.reel() else { return &[] };
        match self.told_of(Pointed::Unit(unit)) {
            Some(Pointed::Unit(unit)) => reel.steps_of_unit(unit),
            Some(Pointed::Region(region)) => reel
                .place_of(region, self.at())
                .map_or(&[], |place| reel.steps_of_place(place)),
            None => &[],
        }
    }

    /// Whose steps alone are gone through, in words.
    pub fn focus_words(&self, stream: Option<&Stream>) -> Option<String> {
        let (pointed, _) = self.focus.as_ref()?;
        Some(match *pointed {
            Pointed::Unit(unit) => self.who(unit, stream),
            Pointed::Region(region) => {
                let reel = self.reel()?;
                let place = &reel.story().places[reel.place_of(region, self.at())?];
                match self.is_of_world() {
                    true => format!("{} {}", place.noun(), Tree::called(region)),
                    false => place.name(),
                }
            }
        })
    }

    /// Goes to the next step that names a region, on or back.
    pub fn step_to_region(&mut self, on: bool) {
        self.plays = false;
        if on {
            self.begin();
        }
        let at = self.at();
        let Some(reel) = self.reel() else { return };
        let steps = &reel.story().steps;
        let names = |at: &usize| *at == 0 || steps[at - 1].region.is_some();
        let next = if on {
            (at + 1..=steps.len()).find(names).unwrap_or(steps.len())
        } else {
            (0..at).rev().find(names).unwrap_or(0)
        };
        self.go_to(next);
    }

    /// After how many steps the last of those has happened that are gone through.
    fn end(&self) -> usize {
        let focused = self.focus.as_ref().and_then(|(_, rows)| rows.last());
        focused.map_or(self.len(), |step| *step as usize + 1)
    }

    /// Lets the steps that are gone through follow each other, from the first one where the last has happened; or stops them.
    pub fn toggle(&mut self) {
        self.plays ^= true;
        if self.plays && self.at() >= self.end() {
            let first = self.focus.as_ref().and_then(|(_, rows)| rows.first());
            self.go_to(first.map_or(0, |step| *step as usize + 1));
        }
    }

    /// Sets how many steps a second.
    pub fn set_pace(&mut self, pace: f32) {
        self.pace = pace.clamp(PACES.0, PACES.1);
    }

    /// Lets this much time pass, in seconds.
    fn advance(&mut self, seconds: f32) {
        if !self.plays || self.is_waiting() {
            return;
        }
        // A frame that took long is no reason to jump.
        self.owed += seconds.min(0.1) * self.pace;
        let whole = self.owed.floor();
        let owed = self.owed - whole;
        if whole >= 1.0 {
            self.move_by(whole as isize);
            self.owed = owed;
        }
        self.plays &= self.at() < self.end();
    }

    /// Goes to the next step that is about what is pointed at.
    pub fn seek(&mut self, pointed: Pointed) {
        let at = self.at();
        let Some(reel) = self.reel() else { return };
        let row = match pointed {
            Pointed::Region(region) => reel
                .place_of(region, at)
                .map_or(&[][..], |place| reel.steps_of_place(place)),
            Pointed::Unit(unit) => reel.steps_of_unit(unit),
        };
        if let Some(next) = reel.next_of(row, at) {
            self.plays = false;
            self.go_to(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::worker::Moment;
    use skirmish::geometry::{Aabb, Vec2};
    use skirmish::partition::{AnyPartition, Bodies, Kind};
    use skirmish::probe::Cancel;
    use skirmish::story::{Ground, Stage};

    fn told(operation: &Operation) -> Arc<Telling> {
        let centers = [(5.0, 5.0), (6.0, 5.0), (50.0, 10.0), (10.0, 50.0)].map(Vec2::from);
        let bodies = Bodies::points(&centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let mut index = AnyPartition::new(Kind::Quadtree, field);
        index.set_knob_text("capacity", "1").expect("a knob");
        index.rebuild(bodies, &mut ());
        let stage = Stage::new(index, Ground::of(bodies), 1.0, &Cancel::default());
        let story = stage
            .and_then(|stage| stage.tell(operation, 100, &Cancel::default()))
            .map_err(|_| String::new());
        let asked = Asked::Operation(operation.clone());
        Arc::new(Telling::new(asked, Moment::default(), story))
    }

    fn stepping() -> Stepping {
        let operation = Operation::Rebuild;
        let mut stepping = Stepping::new(Asked::Operation(operation.clone()), 5.0);
        // A key that comes before anything is told goes nowhere.
        stepping.step(1);
        stepping.told = Some(told(&operation));
        stepping.is_present = true;
        stepping
    }

    #[test]
    fn what_the_tree_is_pointed_at_stays_lit_until_it_is_drawn_again() {
        let mut it = stepping();
        it.over = Some(3);
        it.point(None);
        assert_eq!(it.pointed, Some(Pointed::Region(3)));
        it.point(None);
        assert_eq!(it.pointed, None, "the pointer has left the tree");
        it.over = Some(3);
        it.point(Some(Pointed::Unit(1)));
        assert_eq!(it.pointed, Some(Pointed::Unit(1)), "the field comes first");
    }

    #[test]
    fn who_goes_on_from_the_end_for_the_first_time_begins_with_the_first_step() {
        let mut it = stepping();
        let len = it.len();
        assert!(len > 3 && it.is_over());
        it.step(1);
        assert_eq!(it.at(), 1);
        it.step(isize::MAX);
        assert_eq!(it.at(), len);
        it.step(1);
        assert_eq!(it.at(), len, "it has been gone through");
        let mut it = stepping();
        it.step(-1);
        assert_eq!(it.at(), len - 1, "who goes back goes back");
        let mut it = stepping();
        it.step_to_region(true);
        assert!(it.at() < len && it.at() > 0);
        let mut it = stepping();
        it.toggle();
        assert!(it.plays && it.at() == 0);
    }

    #[test]
    fn who_is_taken_out_is_gone_once_that_has_happened() {
        let operation = Operation::Remove { unit: 1 };
        let mut it = Stepping::new(Asked::Operation(operation.clone()), 5.0);
        it.told = Some(told(&operation));
        assert_eq!(it.gone(), None, "it is of another moment");
        it.is_present = true;
        assert_eq!(it.gone(), Some(1));
        it.go_to(0);
        assert_eq!(it.gone(), None);
        assert_eq!(stepping().gone(), None);
    }

    #[test]
    fn the_steps_of_one_unit_end_with_its_last_and_begin_anew_with_its_first() {
        let operation = Operation::Pairs { reach: Some(10.0) };
        let mut it = Stepping::new(Asked::Operation(operation.clone()), 5.0);
        it.told = Some(told(&operation));
        it.is_present = true;
        it.focus_on(Some(Pointed::Unit(0)));
        let rows = it.focus.as_ref().expect("it is compared").1.clone();
        assert_eq!(it.steps_about(0), rows);
        let (first, last) = (rows[0] as usize + 1, rows[rows.len() - 1] as usize + 1);
        assert!(rows.len() > 1 && last < it.len(), "{rows:?}");
        it.go_to(first);
        it.set_pace(20.0);
        it.toggle();
        for _ in 0..20 * rows.len() {
            it.advance(0.05);
        }
        assert!(!it.plays && it.at() == last);
        it.toggle();
        assert!(it.plays && it.at() == first);
    }
}
