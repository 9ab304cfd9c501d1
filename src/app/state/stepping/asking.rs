//! What the window asks to look into: begun, led by the hand and the keys, and ended.

use super::super::{App, RunMode, Tool};
use super::{Pointed, Probed, Stepping};
use crate::app::commands::{Command, View};
use crate::app::worker::{Asked, Moment, Telling};
use egui_macroquad::egui::Pos2;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyFigure, COORDINATE_LIMIT, Sector};
use skirmish::story::space::Operation3;
use skirmish::story::{Operation, Place};
use std::sync::Arc;

/// Of so many units a question that nobody has asked is to find some.
const FEW: usize = 4;

/// The place that is nearest of all, by the square of how far away each is; of several that are alike the first one.
pub(in crate::app::state) fn around_somebody<V: Copy>(
    centers: impl Iterator<Item = V>,
    away_sq: impl Fn(V) -> f32,
) -> Option<V> {
    centers.min_by(|a, b| away_sq(*a).total_cmp(&away_sq(*b)))
}

/// How far one must look to find a few of those who are so far away each, and a little farther, in two digits.
pub(in crate::app::state) fn reach_of_few(away: impl Iterator<Item = f32>) -> f32 {
    let mut least: Vec<f32> = Vec::with_capacity(FEW + 1);
    for away in away {
        let rank = least.partition_point(|other| *other <= away);
        if rank < FEW {
            least.insert(rank, away);
            least.truncate(FEW);
        }
    }
    let farthest = least.last().copied().unwrap_or(0.0) * 1.25;
    if farthest <= 0.0 {
        return 0.0;
    }
    let step = 10.0_f32.powf(farthest.log10().floor() - 1.0);
    ((farthest / step).ceil() * step).min(500.0)
}

/// Where a question that nobody has asked is asked so that it finds a few, and how large it is: beside somebody, and not on the place of anybody,
/// where the next one that is put there would stand on him. `beside` is the place for a question so large, `least` is how large it is at the least,
/// and `set` how large somebody has made it, who then stands within it as well.
pub(in crate::app::state) fn asked_beside<V: Copy, I: Iterator<Item = V>>(
    somebody: V,
    beside: impl Fn(f32) -> V,
    centers: impl Fn() -> I,
    away: impl Fn(V, V) -> f32,
    (least, set): (f32, Option<f32>),
) -> (V, f32) {
    /// Of these shares of the way beside him the one is taken that stands freest.
    const SHARES: [f32; 4] = [0.55, 0.7, 0.85, 1.0];
    let few = |from: V| reach_of_few(centers().map(|it| away(it, from)));
    let radius = set.unwrap_or_else(|| least.max(few(somebody)));
    let places = SHARES.map(|share| beside(share * radius));
    let free = |from: V| {
        centers()
            .map(|it| away(it, from))
            .fold(f32::INFINITY, f32::min)
    };
    let freest = places.map(|place| (free(place), place)).into_iter();
    let center = freest.max_by(|a, b| a.0.total_cmp(&b.0));
    let center = center.map_or(somebody, |(_, place)| place);
    // Of the place itself, which is not the one where he stands.
    (center, least.max(few(center)))
}

impl App {
    /// Looks into something; time stands still for that.
    pub fn look_into(&mut self, asked: Asked) {
        if asked == Asked::Decision && self.stream.is_none() {
            return self.fail("This scene has no world that streams, so nothing is decided.");
        }
        // What was said in passing was said of what is no longer shown.
        self.notice.take_if(|notice| !notice.failed);
        if self.mode == RunMode::Running {
            self.set_mode(RunMode::Paused);
            self.before_steps.ran = true;
        }
        match &mut self.stepping {
            Some(stepping) => {
                stepping.tool = asked.operation().map_or(stepping.tool, Probed::of);
                stepping.asked = asked;
                stepping.focus = None;
                stepping.at_end = true;
                stepping.is_untouched = true;
                stepping.plays = false;
            }
            None => {
                let mut stepping = Stepping::new(asked, self.brush.radius);
                stepping.usual_half = self.usual_half();
                stepping.half = stepping.usual_half;
                // Of a handful, eight would be everybody.
                if self.alive() < 32 {
                    stepping.count = 3;
                }
                self.set_sizes.give_to(&mut stepping);
                self.stepping = Some(stepping);
            }
        }
        self.view = self.stepping.as_ref().map_or(self.view, Stepping::view);
    }

    /// Whether a point of the window is on the field where nothing lies over that.
    pub(in super::super) fn is_in_sight(&self, at: Pos2) -> bool {
        self.uncovered(self.camera.screen).contains(at)
    }

    /// The middle of the view, or of what is in sight of it where a drawer or the caption lies over that.
    pub(in super::super) fn middle_of_sight(&self) -> Pos2 {
        let sight = self.uncovered(self.seen_field());
        let middle = self.camera.screen.center();
        let is_seen = sight.y_range().contains(middle.y);
        let y = if is_seen { middle.y } else { sight.center().y };
        Pos2::new(sight.center().x, y)
    }

    /// Half the size with which a rectangle begins: that for which the table of the scene asks, where it says one, else that of the brush.
    fn usual_half(&self) -> Vec2 {
        let (rectangle, height) = (self.questions.rectangle, self.questions.height);
        let width = rectangle.unwrap_or(2.0 * self.brush.radius);
        Vec2::new(
            width,
            height.filter(|_| rectangle.is_some()).unwrap_or(width),
        ) / 2.0
    }

    /// Takes what is looked into away; the sizes that have been set there stay known.
    pub(in super::super) fn take_stepping(&mut self) -> Option<Stepping> {
        let mut stepping = self.stepping.take()?;
        stepping.take_sizes();
        self.set_sizes = SetSizes::of(&stepping);
        Some(stepping)
    }

    /// How far around a place somebody has set that is asked, in this scene.
    pub(in super::super) fn set_radius(&self) -> Option<f32> {
        self.set_sizes.radius
    }

    /// Looks into nothing any more. Who comes back finds what was asked, unless that is what is asked at the pointer anyway.
    fn leave_stepping(&mut self) {
        let asked = self.take_stepping().map(|it| it.asked);
        let asks_square = self.brush.asks_square();
        self.stepped = asked.filter(|asked| match asked {
            Asked::Decision
            | Asked::Operation(Operation::Radius { .. })
            | Asked::Space(Operation3::Sphere { .. }) => false,
            Asked::Operation(Operation::Range(area)) => !(asks_square && is_square(area)),
            _ => true,
        });
        let before = std::mem::take(&mut self.before_steps);
        // Who came from several structures goes back to them.
        if before.is_compare {
            self.view = View::Compare;
        }
        if before.ran {
            self.set_mode(RunMode::Running);
        }
    }

    /// Begins to look into an operation, or in Streaming into what is loaded and unloaded next; or leaves it.
    pub(in super::super) fn toggle_stepping(&mut self) {
        if self.is_stepping() {
            return self.leave_stepping();
        }
        self.before_steps.is_compare = self.view == View::Compare;
        if self.view == View::Streaming && self.stream.is_some() {
            return self.look_into(Asked::Decision);
        }
        if self.shows_space() {
            return self.step_through_space();
        }
        let before = self.take_stepping().map(|it| it.asked);
        let before = before.or_else(|| self.stepped.clone());
        let before = before.and_then(|it| it.operation().cloned());
        let operation = before.or_else(|| self.asked_operation());
        // Around the cursor; where that is beside the field there is nothing to look at, nor where something lies over it, and it is around a
        // unit: in the middle of a field there may be nobody, and borders of regions lie there.
        let field = self.scene.field;
        let at = self.cursor.filter(|at| field.contains(*at));
        let at = at.filter(|at| self.is_in_sight(self.camera.to_screen(*at)));
        let middle = self.camera.to_world(self.middle_of_sight());
        let middle = at.unwrap_or(middle.clamp(field.min, field.max));
        let (bodies, set) = (self.battle.bodies(), self.set_radius());
        let centers = || bodies.ids().map(|unit| bodies.center(unit));
        let least = self.brush.radius.max(40.0 / self.camera.zoom);
        let few = |from: Vec2| reach_of_few(centers().map(|it| it.distance(from)));
        let somebody = around_somebody(centers(), |it| it.distance_squared(middle));
        let asked = somebody.filter(|_| at.is_none()).map(|somebody| {
            // Towards the middle of the field, where there is room.
            let way = Vec2::new(0.2, 0.1) * (field.center() - somebody).signum();
            let beside = |radius: f32| (somebody + way * radius).clamp(field.min, field.max);
            asked_beside(somebody, beside, centers, Vec2::distance, (least, set))
        });
        // Nobody looks at what is out of sight.
        let asked = asked.filter(|(center, _)| self.is_in_sight(self.camera.to_screen(*center)));
        let (center, radius) = asked.unwrap_or_else(|| (middle, least.max(few(middle))));
        // As large as somebody has made it, or as at the pointer.
        let set_half = self.set_sizes.half;
        // The scene's rectangle, where it has one.
        let half = match self.questions.rectangle {
            Some(_) => self.usual_half(),
            None => Vec2::splat(radius),
        };
        let offered = operation.is_none() && self.brush.asks_square();
        let operation = operation.unwrap_or_else(|| match offered {
            true => Operation::Range(Aabb::around(center, set_half.unwrap_or(half))),
            false => Operation::Radius {
                center,
                radius: set.unwrap_or(radius),
            },
        });
        self.look_into(Asked::Operation(operation));
        if let Some(stepping) = &mut self.stepping {
            stepping.offer(radius);
            if offered {
                // The next one, by a click, is as large.
                stepping.usual_half = half;
                stepping.half = set_half.unwrap_or(half);
            }
        }
    }

    /// Shows the tree of the structure beside the battle, or hides it.
    pub fn show_tree(&mut self, shown: bool) {
        if shown != self.diagram.is_some() {
            self.diagram = shown.then(|| Stepping::new(Asked::Structure, self.brush.radius));
        }
    }

    /// What the tree shows: what is stepped through, or the structure as it stands.
    pub fn treed(&mut self) -> Option<&mut Stepping> {
        if self.is_stepping() {
            self.stepping.as_mut()
        } else {
            self.diagram.as_mut()
        }
    }

    /// The region that is pointed at in the tree, and the one that was clicked there.
    pub fn marked_in_tree(&self) -> [Option<&Place>; 2] {
        let treed = match self.is_stepping() {
            true => self.stepping.as_ref(),
            false => self.diagram.as_ref(),
        };
        let treed = treed.filter(|it| it.is_present);
        let Some((treed, atlas)) = treed.and_then(|it| Some((it, it.atlas()?))) else {
            return [None, None];
        };
        let pointed = match treed.pointed {
            Some(Pointed::Region(region)) if self.cursor.is_none() => atlas.place(region),
            _ => None,
        };
        [pointed, treed.picked.and_then(|it| atlas.place(it))]
    }

    /// Whether something is looked into where one looks.
    pub fn is_stepping(&self) -> bool {
        self.stepping
            .as_ref()
            .is_some_and(|it| it.view() == self.view)
    }

    /// What is to be told: while nothing is looked into, for the tree what the scene asks, or how the structure stands; while something is,
    /// nothing as long as time passes.
    pub fn to_be_told(&self) -> Option<Asked> {
        let Some(stepping) = self.stepping.as_ref().filter(|_| self.is_stepping()) else {
            let shows_tree = matches!(self.view, View::Battle | View::Volume);
            self.diagram.as_ref().filter(|_| shows_tree)?;
            let is_drawn = self.view == View::Battle && self.asked_area().is_some();
            let asked = self.asked_operation().filter(|_| is_drawn);
            return Some(asked.map_or(Asked::Structure, Asked::Operation));
        };
        (self.mode != RunMode::Running).then(|| stepping.asked.clone())
    }

    /// Whether keys go from step to step, and not from tick to tick.
    pub fn has_steps(&self) -> bool {
        self.is_stepping() && self.mode != RunMode::Running
    }

    /// Whether the arrow keys do more than move the view: they go from step to step, walk the character of a world, or move who is selected.
    pub fn arrows_have_work(&self) -> bool {
        let moves = self.brush.tool == Tool::Look && !self.selection.is_empty();
        self.has_steps() || self.view == View::Streaming || moves
    }

    /// Whether steps follow each other by themselves.
    pub fn plays_steps(&self) -> bool {
        self.has_steps() && self.stepping.as_ref().is_some_and(|it| it.plays)
    }

    /// Does by a key what a command says: while an operation is looked into, its steps are what keys of time go through.
    pub fn run_by_key(&mut self, command: Command) {
        if !self.has_steps() || self.pages.are_open() || self.menu_open {
            return self.run(command);
        }
        let Some(stepping) = &mut self.stepping else {
            return;
        };
        match command {
            Command::TogglePause => stepping.toggle(),
            Command::Step | Command::Pan(1, 0) => stepping.step(1),
            Command::StepBack | Command::Pan(-1, 0) => stepping.step(-1),
            Command::FrameAll | Command::GoToStart => stepping.step(isize::MIN),
            Command::GoToEnd => stepping.step(isize::MAX),
            Command::PreviousMark => stepping.step_to_region(false),
            Command::NextMark => stepping.step_to_region(true),
            Command::Slower => stepping.set_pace(stepping.pace / 2.0),
            Command::Faster => stepping.set_pace(stepping.pace * 2.0),
            Command::Escape if stepping.focus.is_some() => stepping.focus_on(None),
            Command::Escape if self.notice.is_none() && self.busy.is_none() => {
                self.leave_stepping();
            }
            _ => self.run(command),
        }
    }

    /// Takes what was told; `moment` is the present one.
    pub(in super::super) fn take_story(&mut self, told: Option<Arc<Telling>>, moment: Moment) {
        let is_stepping = self.is_stepping();
        if !is_stepping && let Some(diagram) = &mut self.diagram {
            diagram.told = told.clone().or(diagram.told.take());
            // While time passes it is of a moment ago.
            let goes_on = self.mode == RunMode::Running;
            diagram.is_present = diagram.told.as_ref().is_some_and(|told| {
                told.moment == moment || (goes_on && told.moment.changes == moment.changes)
            });
        }
        let Some(stepping) = &mut self.stepping else {
            return;
        };
        if let Some(told) = told {
            // What is shown while another operation is told is of this one's moment or of none.
            if !stepping
                .told
                .as_ref()
                .is_some_and(|it| Arc::ptr_eq(it, &told))
            {
                stepping.told = Some(told);
                stepping.focus = None;
            }
        }
        let told = stepping.told.as_ref();
        stepping.is_present = told.is_some_and(|it| it.moment == moment);
        if !stepping.is_present {
            stepping.plays = false;
        }
    }

    /// Goes through the steps alone of what was clicked with Shift, or of the region with which it was decided; where there are none, says
    /// so.
    pub fn focus_steps(&mut self, pointed: Option<Pointed>) {
        let Some(stepping) = &mut self.stepping else {
            return;
        };
        let whom = stepping.whom();
        let Some(pointed) = pointed else {
            return self.say(format!("There is no {whom}: point at one."));
        };
        match stepping.told_of(pointed) {
            Some(told) => stepping.focus_on(Some(told)),
            None => match pointed {
                Pointed::Unit(_) => self.say(format!("No step is about this {whom}.")),
                Pointed::Region(_) => self.say("No step is about this region."),
            },
        }
    }

    /// Lets the steps of what is looked into follow each other for so many seconds.
    pub fn advance_steps(&mut self, seconds: f32) {
        if self.has_steps()
            && let Some(stepping) = &mut self.stepping
        {
            stepping.advance(seconds);
        }
    }

    /// What is looked into becomes this.
    pub fn set_operation(&mut self, operation: Operation) {
        self.ask(Asked::Operation(operation));
    }

    /// The width and the height of the rectangle that is asked in steps, in metres.
    pub fn asked_sides(&self) -> Option<Vec2> {
        let stepping = self.stepping.as_ref().filter(|_| self.is_stepping())?;
        match stepping.operation() {
            Some(Operation::Range(area)) => Some(area.size()),
            _ => None,
        }
    }

    /// Gives that rectangle another width (0) or height (1), around the same middle.
    pub fn set_asked_side(&mut self, side: usize, metres: f32) {
        let Some(Operation::Range(area)) = self.stepping.as_ref().and_then(Stepping::operation)
        else {
            return;
        };
        let (middle, mut half) = (area.center(), area.size() / 2.0);
        half[side] = metres / 2.0;
        if let Some(stepping) = &mut self.stepping {
            stepping.half = half;
        }
        let limit = Vec2::splat(COORDINATE_LIMIT);
        let [min, max] = [middle - half, middle + half].map(|at| at.clamp(-limit, limit));
        self.set_operation(Operation::Range(Aabb::new(min, max)));
    }

    fn ask(&mut self, asked: Asked) {
        if let Some(stepping) = &mut self.stepping
            && stepping.asked != asked
        {
            stepping.asked = asked;
            stepping.focus = None;
            stepping.picked = None;
            stepping.at_end = true;
            stepping.is_untouched = true;
            stepping.plays = false;
        }
    }

    /// Chooses the tool with which the field is asked; what needs no place is done at once.
    pub fn choose_probed(&mut self, tool: Probed) {
        let Some(stepping) = &mut self.stepping else {
            return;
        };
        stepping.tool = tool;
        let old = stepping.operation().and_then(place_of);
        stepping.place = old.or(stepping.place);
        // Nor is forgotten how large a disc or a rectangle was that was drawn, or that the scene asks about, nor what else was set.
        stepping.take_sizes();
        let is_again = stepping.operation().map(Probed::of) == Some(tool);
        let middle = stepping.place.unwrap_or(self.camera.center);
        let (radius, half, count) = (stepping.radius, stepping.half, stepping.count);
        let operation = match tool {
            Probed::Disc => Some(Operation::Radius {
                center: middle,
                radius,
            }),
            Probed::Rectangle => Some(Operation::Range(Aabb::around(middle, half))),
            Probed::Nearest => Some(Operation::Nearest {
                point: middle,
                count,
            }),
            Probed::Segment => Some(Operation::Segment {
                from: middle - Vec2::new(radius, 0.0),
                to: middle + Vec2::new(radius, 0.0),
            }),
            Probed::Sector => {
                let [direction, angle, radius] = stepping.cone.unwrap_or(usual_cone(radius));
                let sector = Sector::new(middle, direction, angle, radius);
                Some(Operation::Within(AnyFigure::Sector(sector)))
            }
            // Who takes it twice wants the reach of the tick again.
            Probed::Pairs => Some(Operation::Pairs {
                reach: stepping.pairs.filter(|_| !is_again),
            }),
            Probed::Insert => Some(Operation::Insert { at: middle }),
            Probed::Rebuild => Some(Operation::Rebuild),
            // These are drawn, or want a unit, which is pointed at next.
            Probed::Polygon | Probed::Path | Probed::Near | Probed::Remove | Probed::Move => None,
        };
        match operation {
            Some(operation) => self.set_operation(operation),
            // What was asked with another tool is not told as if it were this one's.
            None if stepping.operation().map(Probed::of) != Some(tool) => {
                self.ask(Asked::Structure);
            }
            None => {}
        }
    }
}

impl Stepping {
    /// It begins with this radius where nobody has set one.
    pub(in super::super) fn offer(&mut self, radius: f32) {
        self.first.1 = Some(radius);
    }

    /// Takes down how large that is which is asked about, and what else of it somebody sets: the next one of its kind is alike.
    pub(in super::super) fn take_sizes(&mut self) {
        if let Some(&Operation3::Sphere { radius, .. }) = self.asked.operation3() {
            self.radius = radius;
        }
        match self.operation() {
            Some(&Operation::Radius { radius, .. }) => self.radius = radius,
            Some(Operation::Range(area)) => self.half = area.size() / 2.0,
            Some(&Operation::Pairs { reach }) => self.pairs = reach,
            Some(Operation::Within(figure @ AnyFigure::Sector(_))) => {
                if let [_, _, direction, angle, radius] = figure.numbers()[..] {
                    let cone = [direction, angle, radius];
                    // One that nobody has changed goes on being as large as a disc.
                    let is_set = self.cone.is_some() || cone != usual_cone(self.radius);
                    self.cone = Some(cone).filter(|_| is_set);
                }
            }
            _ => {}
        }
    }
}

/// A cone of sight as it begins: which way it looks, how far it opens, and its radius.
fn usual_cone(radius: f32) -> [f32; 3] {
    [0.0, 60.0, radius]
}

/// How large somebody has made what he asked, for the next time that he asks in the same scene; nothing of what he has left as it was.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct SetSizes {
    radius: Option<f32>,
    half: Option<Vec2>,
    reach: Option<f32>,
    near: Option<f32>,
    pairs: Option<f32>,
    cone: Option<[f32; 3]>,
    count: Option<usize>,
}

impl SetSizes {
    /// Those of what is looked into.
    fn of(stepping: &Stepping) -> Self {
        let (first, offered) = stepping.first;
        let is_set = |radius: &f32| *radius != first && Some(*radius) != offered;
        let unset = Stepping::new(Asked::Structure, first);
        // What corners far off lose of their figures is nothing that anybody has set.
        let usual = stepping.usual_half;
        let is_other = |half: &Vec2| half.distance(usual) > usual.max_element() * 1.0e-3;
        Self {
            radius: Some(stepping.radius).filter(is_set),
            half: Some(stepping.half).filter(is_other),
            reach: Some(stepping.reach).filter(|reach| *reach != unset.reach),
            near: stepping.near,
            pairs: stepping.pairs,
            cone: stepping.cone,
            count: Some(stepping.count),
        }
    }

    fn give_to(self, stepping: &mut Stepping) {
        stepping.radius = self.radius.unwrap_or(stepping.radius);
        stepping.half = self.half.unwrap_or(stepping.half);
        stepping.reach = self.reach.unwrap_or(stepping.reach);
        stepping.near = self.near;
        (stepping.pairs, stepping.cone) = (self.pairs, self.cone);
        stepping.count = self.count.unwrap_or(stepping.count);
    }
}

/// Whether a rectangle is as high as it is wide, but for what corners far off lose of their figures.
fn is_square(area: &Aabb) -> bool {
    let size = area.size();
    (size.x - size.y).abs() <= size.max_element() * 1.0e-3
}

/// Where an operation is, if it is anywhere.
fn place_of(operation: &Operation) -> Option<Vec2> {
    let limit = Vec2::splat(COORDINATE_LIMIT / 2.0);
    let place = match operation.clone() {
        Operation::Radius { center, .. } => center,
        Operation::Range(area) => area.center(),
        Operation::Nearest { point, .. } => point,
        Operation::Segment { from, to } => (from + to) / 2.0,
        Operation::Insert { at } | Operation::Move { to: at, .. } => at,
        Operation::Within(figure) => figure.figure().bounds().center(),
        Operation::Near { .. }
        | Operation::Pairs { .. }
        | Operation::Remove { .. }
        | Operation::Rebuild => return None,
    };
    Some(place.clamp(-limit, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_nobody_has_asked_finds_a_few_around_somebody() {
        let centers = [(8.0, 8.0), (20.0, 8.0), (30.0, 31.0), (8.0, 56.0)].map(Vec2::from);
        let middle = Vec2::splat(32.0);
        let somebody = around_somebody(centers.into_iter(), |it| it.distance_squared(middle));
        assert_eq!(somebody, Some(centers[2]));
        assert_eq!(around_somebody([].into_iter(), |_: Vec2| 0.0), None);
        let reach = reach_of_few([40.0, 3.0, 0.0, 7.0, 8.0].into_iter());
        assert!((reach - 10.0).abs() < 1.0e-3, "{reach}");
        assert_eq!(reach_of_few([].into_iter()), 0.0);
        assert_eq!(reach_of_few([0.0; 9].into_iter()), 0.0);
    }

    #[test]
    fn a_question_that_nobody_has_asked_finds_somebody_and_is_on_the_place_of_nobody() {
        let somebody = Vec2::splat(10.0);
        let lattice = (0..400_u16).map(|it| Vec2::new((it % 20).into(), (it / 20).into()));
        let sparse = [(10.0, 10.0), (90.0, 10.0), (10.0, 95.0), (95.0, 95.0)].map(Vec2::from);
        let crowds = [
            vec![somebody],
            vec![somebody; 9],
            lattice.collect(),
            sparse.to_vec(),
        ];
        // The last one is as far from the others as if one looked from far above.
        let sizes = [(10.0, None), (10.0, Some(3.0)), (0.4, None), (400.0, None)];
        for crowd in &crowds {
            for (least, set) in sizes {
                let beside = |radius: f32| somebody + Vec2::new(0.2, 0.1) * radius;
                let centers = || crowd.iter().copied();
                let (center, radius) =
                    asked_beside(somebody, beside, centers, Vec2::distance, (least, set));
                let radius = set.unwrap_or(radius);
                let away = centers().map(|it| it.distance(center));
                let nearest = away.fold(f32::INFINITY, f32::min);
                assert!(radius >= set.unwrap_or(least), "{radius}");
                let size = crowd.len();
                assert!(
                    nearest > 0.01 && nearest <= radius,
                    "{size}, {least}, {set:?}: {nearest}"
                );
            }
        }
    }
}
