//! How space is looked at, and what is done in it by hand.

use super::stepping::{around_somebody, asked_beside, reach_of_few};
use super::{App, Tool};
use crate::app::commands::{Layer, View};
use crate::app::eye::{Eye, Slice, corners};
use crate::app::input::Modifiers;
use crate::app::silhouette::{is_on_volume, reaches_into, silhouette};
use crate::app::worker::{Ask, Asked};
use egui_macroquad::egui::{Pos2, Rect, pos2};
use skirmish::observe::space::{Ask3, Pointer3};
use skirmish::partition::{COORDINATE_LIMIT, UnitId};
use skirmish::scene::{Motion, Scene, Side, limits};
use skirmish::session::{Action, Shape3, Spread};
use skirmish::story::space::Operation3;
use skirmish::volume::{Aabb3, Segment3, Vec3};

/// How space is looked at.
#[derive(Clone, Debug)]
pub struct Space {
    /// From where; `None` before the field is known.
    pub eye: Option<Eye>,
    /// Whether the eye still sees all of the field, and follows when the window changes.
    pub framed: bool,
    /// What is cut away.
    pub slice: Option<Slice>,
    /// The depths of which boxes are drawn, the first and the last; the last one stands for all below it as well.
    pub depths: (u16, u16),
    /// A click of which it is not known yet what it is on.
    click: Option<(Pointer3, Modifiers)>,
    /// Who goes where the next click is, while one steps through a move.
    pub mover: Option<UnitId>,
    /// The box of the screen that the pointer draws around units.
    pub boxed: Option<Rect>,
    /// Where the row of tools lies while one steps, if there is one.
    pub tools: Option<Rect>,
    /// Where the caption lies over Volume, if it does.
    pub card: Option<Rect>,
    /// Where the ends of the gizmo's axes lie over Volume, as long as nothing moves it, if it does.
    pub gizmo: Option<Rect>,
    /// By how many points what is seen stands lower than it would without that, and by how many higher without the caption.
    lowered: f32,
    /// By how many points what is seen stands higher than it would without that.
    raised: f32,
    /// For what that was found out; `None` before it was.
    raised_for: Option<Surroundings>,
    /// What it leaves free of the panes of Compare for the chips over them.
    aside_in_panes: Aside,
    /// For what that was found out; `None` before it was.
    aside_in_panes_for: Option<InPane>,
    /// What was covered of their foot when all of the field was seen there last, in points.
    covered_in_panes: f32,
    /// By which way the pointer carries those who are selected, before it puts them down.
    pub carried: Option<Vec3>,
}

/// The last depth that can be told from others: it stands for all below it.
pub const DEEPEST: u16 = limits::DEEPEST_SHOWN;

impl Default for Space {
    fn default() -> Self {
        Self {
            eye: None,
            framed: true,
            slice: None,
            depths: (0, DEEPEST),
            click: None,
            mover: None,
            tools: None,
            boxed: None,
            card: None,
            gizmo: None,
            lowered: 0.0,
            raised: 0.0,
            raised_for: None,
            aside_in_panes: Aside::default(),
            aside_in_panes_for: None,
            covered_in_panes: 0.0,
            carried: None,
        }
    }
}

/// On what it depends how high a field stands that is seen whole.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Surroundings {
    /// The rectangle of the window, and what drawers leave of it.
    places: [Rect; 2],
    /// What chips cover of it at the top and at the foot.
    chips: [f32; 2],
    /// Where the caption lies over it.
    card: Option<Rect>,
    /// Where the gizmo lies over it.
    gizmo: Option<Rect>,
    field: Aabb3,
    /// From which side the eye sees it, and from how high.
    angles: [f32; 2],
}

/// The same of a pane of Compare.
#[derive(Clone, Debug, PartialEq)]
struct InPane {
    pane: Rect,
    /// What lies over it, from its corner.
    chips: Vec<Rect>,
    field: Aabb3,
    angles: [f32; 2],
}

/// What a volume leaves free of a pane of Compare at both sides and at the foot, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Aside {
    left: f32,
    right: f32,
    foot: f32,
}

/// No more than this part of a pane is left free at each of these edges: the volume is what is looked at.
const PANE_MOST: f32 = 0.4;

impl Aside {
    /// What is left of a pane, which may have become smaller since.
    fn within(self, pane: Rect) -> Rect {
        let [across, down] = [pane.width(), pane.height()].map(|side| side * PANE_MOST);
        Rect::from_min_max(
            pos2(pane.left() + self.left.min(across), pane.top()),
            pos2(
                pane.right() - self.right.min(across),
                pane.bottom() - self.foot.min(down),
            ),
        )
    }
}

/// What is left free of a pane for an eye to see a field as large as can be with none of these chips on it, nor on what is written at its
/// axes if that does not make it much smaller; nothing where no place does that.
fn aside_in_pane(eye: Eye, field: Aabb3, pane: Rect, chips: &[Rect]) -> Aside {
    /// From one height that is tried to the next one, in points.
    const STEP: f32 = 8.0;
    /// So far beyond a volume reach the letters and the figures of its axes, in points.
    const AXES: f32 = 22.0;
    /// And so far their lines with the marks on them, which always stay in sight.
    const MARKS: f32 = 6.0;
    /// So much farther off it may be for these.
    const FARTHER: f32 = 1.25;
    let middle = pane.center().x;
    let at_left = chips.iter().filter(|chip| chip.center().x < middle);
    let at_right = chips.iter().filter(|chip| chip.center().x >= middle);
    let left = at_left.map(|chip| chip.right() - pane.left());
    let right = at_right.map(|chip| pane.right() - chip.left());
    // Whatever lies in a corner needs not all of that side, as a volume is narrower at its foot.
    let parts_of = |most: f32| {
        let most = most.clamp(0.0, pane.width().max(0.0) * PANE_MOST);
        let count = if most > 0.0 { 3 } else { 1 };
        [0.0, most / 2.0, most].into_iter().take(count)
    };
    let lefts = parts_of(left.fold(0.0, f32::max));
    let rights = parts_of(right.fold(0.0, f32::max));
    let steps = match chips {
        [] => 0,
        _ => (pane.height() * PANE_MOST / STEP).clamp(0.0, 30.0) as u8,
    };
    // The nearest eye that has the axes clear as well, and the nearest that has not.
    let mut best: [Option<(f32, Aside)>; 2] = [None; 2];
    for foot in (0..=steps).map(|step| STEP * f32::from(step)) {
        for left in lefts.clone() {
            for right in rights.clone() {
                let aside = Aside { left, right, foot };
                let mut eye = eye;
                eye.look_through(pane, aside.within(pane));
                eye.frame(field);
                let seen = silhouette(&eye, field);
                for (best, around) in best.iter_mut().zip([AXES, MARKS]) {
                    let hides = |chip: &Rect| reaches_into(&seen, chip.expand(around));
                    let is_nearer = best.is_none_or(|(distance, _)| eye.distance < distance);
                    if is_nearer && !chips.iter().any(hides) {
                        *best = Some((eye.distance, aside));
                    }
                }
            }
        }
    }
    let [with_axes, without] = best;
    let near = without.map_or(f32::INFINITY, |(distance, _)| distance * FARTHER);
    let found = with_axes.filter(|(distance, _)| *distance <= near);
    found.or(without).map_or(Aside::default(), |(_, it)| it)
}

impl Surroundings {
    /// By how many points an eye has to see the field lower for no part of it to lie under the gizmo, and by how many higher for none to lie
    /// under the caption. Where it would have to be much lower, it is not lower at all.
    fn lowered_and_raised(&self, eye: Eye) -> (f32, f32) {
        /// From one height that is tried to the next one, around the gizmo, and the most, in points.
        const STEP: f32 = 8.0;
        const AROUND: f32 = 4.0;
        const MOST: u8 = 6;
        let ([screen, beside], [top, foot]) = (self.places, self.chips);
        let each = (0..=MOST).map(|step| {
            let lowered = STEP * f32::from(step);
            let around = Self {
                chips: [top + lowered, foot],
                ..*self
            };
            (lowered, around.raised(eye))
        });
        let is_clear = |gizmo: Rect, (lowered, raised): (f32, f32)| {
            let mut seen = eye;
            seen.resize(screen, beside, [top + lowered, foot + raised]);
            seen.frame(self.field);
            !is_on_volume(&seen, self.field, gizmo.expand(AROUND))
        };
        let found = self.gizmo.and_then(|gizmo| {
            let mut each = each;
            each.find(|both| is_clear(gizmo, *both))
        });
        found.unwrap_or_else(|| (0.0, self.raised(eye)))
    }

    /// By how many points an eye has to see the field higher for no part of it to lie under the caption.
    fn raised(&self, eye: Eye) -> f32 {
        /// From one height that is tried to the next one, and around the caption, in points.
        const STEP: f32 = 8.0;
        let ([screen, beside], [top, foot]) = (self.places, self.chips);
        let Some(card) = self.card.map(|card| card.expand(STEP)) else {
            return 0.0;
        };
        let most = screen.bottom() - card.top() - foot;
        let is_covered = |raised: f32| {
            let mut seen = eye;
            seen.resize(screen, beside, [top, foot + raised]);
            seen.frame(self.field);
            is_on_volume(&seen, self.field, card)
        };
        let mut raised = 0.0;
        while raised < most && is_covered(raised) {
            raised += STEP;
        }
        raised
    }
}

impl Space {
    /// How a scene is looked at when it is opened.
    pub fn of_scene(scene: &Scene, screen: Rect) -> Self {
        let mut space = Self::default();
        if let Some(volume) = &scene.volume {
            let field = scene.field3();
            space.slice = scene.view.slice.map(|(axis, at)| Slice { axis, at });
            space.depths = scene.view.depths.unwrap_or(space.depths);
            space.framed = volume.camera.is_none();
            space.eye = Some(match &volume.camera {
                Some(orbit) => Eye::of_scene(orbit, field, screen),
                None => Eye::framing(field, screen),
            });
        }
        space
    }

    /// Nothing is clicked, boxed or carried any more: it is looked at again after another scene.
    pub(super) fn let_go(&mut self) {
        (self.click, self.mover, self.boxed, self.carried) = (None, None, None, None);
    }

    /// Fits the eye into another rectangle of the window, of which drawers leave what is `beside` them and chips cover so many points at the
    /// top and at the foot. Where it sees all of the field, that stands as much higher as it has to for no part of it to lie under the
    /// caption, which takes a corner.
    fn fit(&mut self, [screen, beside]: [Rect; 2], [top, foot]: [f32; 2], field: Aabb3) {
        let Some(eye) = &mut self.eye else { return };
        let around = Surroundings {
            places: [screen, beside],
            chips: [top, foot],
            card: self.card.filter(|card| screen.intersects(*card)),
            gizmo: self.gizmo.filter(|gizmo| screen.intersects(*gizmo)),
            field,
            angles: [eye.azimuth, eye.elevation],
        };
        // An eye that was moved by hand stays as it is. Every frame asks, and many heights are tried.
        if self.framed && self.raised_for != Some(around) {
            (self.lowered, self.raised) = around.lowered_and_raised(*eye);
            self.raised_for = Some(around);
        }
        let chips = [top + self.lowered, foot + self.raised];
        eye.resize(screen, beside, chips);
    }

    /// Fits the eye into a pane of Compare: where it sees all of the field, that stands under none of these chips, each given from the corner
    /// of the pane. They cover so many points of its foot: what an eye sees that somebody placed stands above these.
    fn fit_pane(&mut self, pane: Rect, (chips, covered): (&[Rect], f32), field: Aabb3) {
        let Some(eye) = &mut self.eye else { return };
        let angles = [eye.azimuth, eye.elevation];
        let is_known = self.aside_in_panes_for.as_ref().is_some_and(|known| {
            (known.pane, known.field, known.angles) == (pane, field, angles) && known.chips == chips
        });
        // What an eye sees that was moved by hand goes aside no more. Every frame asks, and many places are tried.
        if self.framed && !is_known {
            let corner = pane.min.to_vec2();
            let over: Vec<Rect> = chips.iter().map(|chip| chip.translate(corner)).collect();
            self.aside_in_panes = aside_in_pane(*eye, field, pane, &over);
            self.aside_in_panes_for = Some(InPane {
                pane,
                chips: chips.to_vec(),
                field,
                angles,
            });
        }
        if self.framed {
            self.covered_in_panes = covered;
        }
        let free = self.free_of_pane(pane, covered);
        if let Some(eye) = &mut self.eye {
            eye.look_through(pane, free);
        }
    }

    /// What is left free of a pane of Compare of whose foot so many points are covered. An eye that was moved by hand goes on leaving
    /// free what it did, so that nothing leaps under the hand, and as much more or less of the foot as is covered since; one that a scene has
    /// placed has left nothing free before.
    fn free_of_pane(&self, pane: Rect, covered: f32) -> Rect {
        /// What is not framed has no air above it: raised by more it would be cut off there.
        const MOST: f32 = 0.16;
        let of_foot = |covered: f32| covered.min(pane.height() * MOST);
        let mut aside = self.aside_in_panes;
        if !self.framed {
            let since = of_foot(covered) - of_foot(self.covered_in_panes);
            aside.foot = (aside.foot + since).max(0.0);
        }
        aside.within(pane)
    }

    /// What is drawn of space.
    pub fn shown(&self) -> Aabb3 {
        match (&self.eye, self.slice) {
            (Some(eye), Some(slice)) => slice.behind(eye.lens().origin, Aabb3::EVERYTHING),
            _ => Aabb3::EVERYTHING,
        }
    }

    /// The point in space that is meant by one of the screen: on the slice, or on the plane through the pivot that faces the eye.
    fn point_at(&self, at: Pos2, field: Aabb3) -> Option<(Segment3, Vec3)> {
        let eye = self.eye.as_ref()?;
        let (origin, way) = eye.line_through(at);
        let (_, ahead) = eye.line_through(eye.middle());
        let (normal, on) = match self.slice {
            Some(slice) => {
                let mut normal = Vec3::ZERO;
                normal[slice.axis] = 1.0;
                (normal, normal * slice.at)
            }
            None => (ahead, eye.pivot),
        };
        let slope = way.dot(normal);
        // A plane that is seen from its edge is met nowhere.
        let distance = (on - origin).dot(normal) / slope;
        let farthest = eye.distance * 40.0;
        let is_met = distance.is_finite() && (0.0..farthest).contains(&distance);
        let distance = if is_met { distance } else { eye.distance };
        let limit = Vec3::splat(COORDINATE_LIMIT);
        // All of the field can be pointed at, and who has left it by as much again.
        let far = corners(field).map(|corner| corner.distance(origin));
        let reach = far.into_iter().fold(eye.distance * 4.0, f32::max) * 2.0;
        let line = Segment3 {
            from: origin.clamp(-limit, limit),
            to: (origin + way * reach).clamp(-limit, limit),
            half_width: eye.metres_per_point_at_pivot() * 5.0,
        };
        Some((line, (origin + way * distance).clamp(-limit, limit)))
    }
}

impl App {
    /// Whether space is shown: all views of a scene with a volume look at it.
    pub fn shows_space(&self) -> bool {
        self.flight.is_some()
    }

    /// Where the pointer is, when it is over the field, in points of the window.
    pub fn pointer(&self) -> Option<Pos2> {
        self.cursor.map(|at| self.camera.to_screen(at))
    }

    /// What is asked of the structures in space.
    pub fn space_ask(&self, ask: Ask) -> Ask {
        /// Boxes that are smaller on the screen are no boxes, in points.
        const LEAST: f32 = 3.0;
        let Some(eye) = &self.space.eye else {
            return ask;
        };
        Ask {
            space: Some(Ask3 {
                view: self.space.shown(),
                regions: self.layers.shows(Layer::Nodes) || self.layers.shows(Layer::Load),
                min_size: eye.metres_per_point_at_pivot() * LEAST,
                pointer: self.meant(),
                query_radius: self.layers.shows(Layer::Query).then_some(self.brush.radius),
            }),
            ..ask
        }
    }

    /// What is meant by the pointer: by a click that waits, or else by where it is. Nothing while it holds units.
    fn meant(&self) -> Option<Pointer3> {
        if self.holds_units() {
            return None;
        }
        match self.space.click {
            Some((pointer, _)) => Some(pointer),
            None => match self.held_pointer() {
                Some(pointer) => Some(pointer),
                None => self.pointed(self.pointer()?),
            },
        }
    }

    /// What a pointer there is on.
    pub(super) fn pointed(&self, at: Pos2) -> Option<Pointer3> {
        let (line, otherwise) = self.space.point_at(at, self.scene.field3())?;
        Some(Pointer3 {
            line,
            otherwise,
            picks: self.space.slice.is_none(),
        })
    }

    /// A click on space, at a point of the window where the first lane is: what it is on is only known once the structure has been asked, which may be in the middle of a tick.
    pub fn click_space(&mut self, at: Pos2, modifiers: Modifiers) {
        self.space.click = self.pointed(at).map(|pointer| (pointer, modifiers));
    }

    /// A click of which it is known by now what it is on.
    pub fn take_click(&mut self) -> Option<Modifiers> {
        let (pointer, modifiers) = self.space.click?;
        if self.lanes[0].frame3.pointer != Some(pointer) {
            return None;
        }
        self.space.click = None;
        Some(modifiers)
    }

    /// Forgets a click of which it is not known yet what it is on.
    pub fn drop_click(&mut self) {
        self.space.click = None;
    }

    /// Shows a box with what is around it, unless it can be seen well already.
    pub(super) fn bring_box_into_view(&mut self, bounds: Aabb3) {
        /// Smaller than this, in points, it is not found.
        const LEAST: f32 = 20.0;
        let Some(eye) = &self.space.eye else { return };
        let places = eye.lens().corners(bounds);
        let seen = places.map(|places| {
            let places = places.into_iter().map(Rect::from_pos);
            places.fold(Rect::NOTHING, Rect::union)
        });
        let is_seen =
            |seen: Rect| eye.screen.contains_rect(seen) && seen.size().max_elem() >= LEAST;
        if !seen.is_some_and(is_seen) {
            let room = bounds.size().max(Vec3::splat(10.0));
            self.move_eye(|eye| eye.frame(bounds.grown(room)));
        }
    }

    /// The eye, to be moved by hand.
    pub fn move_eye(&mut self, by: impl FnOnce(&mut Eye)) {
        if let Some(eye) = &mut self.space.eye {
            self.space.framed = false;
            by(eye);
        }
    }

    /// Shows all of space.
    pub(super) fn frame_space(&mut self) {
        let field = self.scene.field3();
        if let Some(eye) = &mut self.space.eye {
            self.space.framed = true;
            eye.frame(field);
        }
    }

    /// An eye that somebody has moved sees in the first pane of a picture, whose panes are of another size, what it has `seen` in the window.
    pub fn fill_pane(&mut self, seen: Option<Eye>) {
        let is_framed = self.space.framed;
        let eyes = self.space.eye.as_mut().zip(seen);
        if let Some((eye, seen)) = eyes.filter(|_| !is_framed) {
            eye.fill_as(&seen);
        }
    }

    /// The eye of one of the pictures of space beside each other: all of them keep off the chips that lie over any of them.
    pub fn eye_of_pane(&self, pane: Rect) -> Option<Eye> {
        let mut eye = self.space.eye?;
        eye.look_through(pane, self.space.free_of_pane(pane, self.covered));
        Some(eye)
    }

    /// Fits the eye into another rectangle of the window, of which drawers leave what is `beside` them.
    pub(super) fn resize_space(&mut self, beside: Rect, screen: Rect) {
        /// The chips at the foot, and the figures at the axes above them; where the field is lower than that there are none; and those at
        /// the top, in points.
        const FOOT: f32 = 58.0;
        const LEAST_FOOT: f32 = 200.0;
        const TOP: f32 = 48.0;
        // What is known of the tools of the steps, and of the caption, is of Volume.
        if self.view != View::Volume {
            (self.space.tools, self.space.card) = (None, None);
            self.space.gizmo = None;
        }
        let is_pane = self.view == View::Compare;
        let tools = self.space.tools;
        let top = tools.map_or(TOP, |tools| tools.bottom() - screen.top() + 6.0);
        let has_foot = screen.height() >= LEAST_FOOT;
        let foot = if has_foot { FOOT } else { self.covered };
        let (before, field) = (self.space.eye, self.scene.field3());
        if is_pane {
            let over = (&self.pane_chips[..], self.covered);
            self.space.fit_pane(screen, over, field);
        } else {
            self.space.fit([screen, beside], [top, foot], field);
        }
        if self.space.eye != before && self.space.framed {
            self.frame_space();
        }
    }

    /// Cuts space along an axis, through its middle at first; `None` cuts nothing away.
    pub fn set_slice(&mut self, axis: Option<usize>) {
        let middle = self.scene.field3().center();
        self.space.slice = axis.filter(|axis| *axis < 3).map(|axis| Slice {
            axis,
            at: middle[axis],
        });
    }

    /// Puts the slice elsewhere on its axis.
    pub fn move_slice(&mut self, at: f32) {
        let field = self.scene.field3();
        if let Some(slice) = &mut self.space.slice {
            slice.at = at.clamp(field.min[slice.axis], field.max[slice.axis]);
        }
    }

    /// Lets a side move in another way.
    pub fn set_motion(&mut self, side: Side, motion: Motion) {
        self.act(Action::Motion(side.into(), motion.into()));
    }

    /// Does what the brush does at this point of space.
    pub fn brush_in_space(&mut self, at: Vec3) {
        let is_inside = self.scene.field3().contains(at);
        let (at, radius) = (at.into(), self.brush.radius);
        let side = match self.brush.tool {
            Tool::Blue => Side::Blue,
            Tool::Orange => Side::Orange,
            Tool::Erase => return self.act(Action::Erase3(at, radius)),
            Tool::Look => return,
        };
        self.note_placed(is_inside);
        let (shape, spread) = (self.brush.shape3, self.brush.spread);
        let is_usual = (shape, spread) == (Shape3::Ball, Spread::Even);
        self.act(if is_usual && self.brush.width.is_none() {
            Action::Spawn3(side.into(), at, radius, self.brush.count)
        } else {
            Action::Strew3(side.into(), at, self.strewn(shape))
        });
    }

    /// The unit of a flight, with where it is.
    pub fn flying(&self, unit: UnitId) -> Option<Vec3> {
        let flight = self.flight.as_ref()?;
        flight.is_alive(unit).then(|| flight.bodies().center(unit))
    }

    /// Whether a point of space is where one sees it, as far as it is known how one looks at it.
    fn is_seen_in_space(&self, place: Vec3) -> bool {
        let eye = self.space.eye.filter(|_| self.view == View::Volume);
        let Some(eye) = eye else {
            return true;
        };
        let at = eye.project(place);
        at.is_some_and(|(at, _)| self.is_in_sight(at))
    }

    /// The middle of the volume; where that is out of sight, what is as far away in the middle of what is seen.
    fn middle_of_space(&self) -> Vec3 {
        let field = self.scene.field3();
        let middle = field.center();
        let eye = self.space.eye.filter(|_| !self.is_seen_in_space(middle));
        let Some(eye) = eye else {
            return middle;
        };
        let (origin, way) = eye.line_through(self.middle_of_sight());
        let away = (middle - origin).dot(way).max(0.0);
        (origin + way * away).clamp(field.min, field.max)
    }

    /// Begins to look into an operation in space: who is in the ball around what is under the pointer, or in the middle.
    pub(super) fn step_through_space(&mut self) {
        self.space.mover = None;
        let before = self.take_stepping().map(|it| it.asked);
        let before = before.or_else(|| self.stepped.clone());
        let before = before.and_then(|it| it.operation3().copied());
        // What is far beside the volume, or below what lies over the view, nobody looks at.
        let is_seen = self.pointer().is_none_or(|at| self.is_in_sight(at));
        let center = self.lanes[0].frame3.point;
        let center = center.filter(|at| is_seen && self.scene.field3().contains(*at));
        let middle = self.middle_of_space();
        // As on a plane: around a unit where nothing is pointed at, and so that it finds a few.
        let bodies = self.flight.as_ref().map(|flight| flight.bodies());
        let centers = || {
            let bodies = bodies.into_iter();
            bodies.flat_map(|bodies| bodies.ids().map(move |unit| bodies.center(unit)))
        };
        let somebody = around_somebody(centers(), |it| it.distance_squared(middle));
        let (field, least) = (self.scene.field3(), self.brush.radius);
        // As large as somebody has made it.
        let set = self.set_radius();
        let asked = somebody.filter(|_| center.is_none()).map(|somebody| {
            // Towards the middle of the volume, where there is room.
            let way = Vec3::new(0.2, 0.1, 0.1) * (field.center() - somebody).signum();
            let beside = |radius: f32| (somebody + way * radius).clamp(field.min, field.max);
            asked_beside(somebody, beside, centers, Vec3::distance, (least, set))
        });
        let asked = asked.filter(|(center, _)| self.is_seen_in_space(*center));
        let (center, radius) = asked.unwrap_or_else(|| {
            let center = center.unwrap_or(middle);
            let few = reach_of_few(centers().map(|it| it.distance(center)));
            (center, least.max(few))
        });
        let ball = Operation3::Sphere {
            center,
            radius: set.unwrap_or(radius),
        };
        self.view = View::Volume;
        self.look_into(Asked::Space(before.unwrap_or(ball)));
        if let Some(stepping) = &mut self.stepping {
            stepping.offer(radius);
        }
    }

    /// Looks into this operation in place of the one before.
    pub fn set_operation3(&mut self, operation: Operation3) {
        if !self.is_stepping() {
            return;
        }
        // The next ball is as large as the one before, whatever is asked in between.
        if let Some(stepping) = &mut self.stepping {
            stepping.take_sizes();
        }
        self.look_into(Asked::Space(operation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::vec2;

    #[test]
    fn what_is_framed_stands_above_a_caption_that_would_lie_on_it_and_else_where_it_stood() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0));
        let screen = Rect::from_min_size(pos2(272.0, 32.0), vec2(860.0, 560.0));
        let foot = |width: f32, height: f32| {
            let corner = pos2(screen.left(), screen.bottom() - height);
            Rect::from_min_size(corner, vec2(width, height))
        };
        let fitted = |card: Option<Rect>| {
            let mut space = Space {
                eye: Some(Eye::framing(field, screen)),
                card,
                ..Space::default()
            };
            space.fit([screen; 2], [48.0, 58.0], field);
            let mut eye = space.eye.expect("an eye");
            eye.frame(field);
            (eye, space.raised)
        };
        let (plain, raised) = fitted(None);
        assert_eq!(raised, 0.0);
        let across = foot(860.0, 150.0);
        assert!(is_on_volume(&plain, field, across));
        let (above, raised) = fitted(Some(across));
        assert!(raised > 0.0 && !is_on_volume(&above, field, across));
        // In the corner, where nothing of the volume is, it takes nothing.
        let (beside, raised) = fitted(Some(foot(40.0, 40.0)));
        assert_eq!((beside, raised), (plain, 0.0));
    }

    #[test]
    fn what_is_framed_stands_below_a_gizmo_that_would_lie_on_its_corner() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0));
        let screen = Rect::from_min_size(pos2(272.0, 32.0), vec2(424.0, 440.0));
        let fitted = |gizmo: Option<Rect>| {
            let mut space = Space {
                eye: Some(Eye::framing(field, screen)),
                gizmo,
                ..Space::default()
            };
            space.fit([screen; 2], [48.0, 58.0], field);
            let mut eye = space.eye.expect("an eye");
            eye.frame(field);
            (eye, space.lowered)
        };
        let (plain, lowered) = fitted(None);
        assert_eq!(lowered, 0.0);
        let places = corners(field).map(|at| plain.project(at).expect("seen").0);
        let seen = Rect::from_points(&places);
        let highest = places.into_iter().min_by(|a, b| a.y.total_cmp(&b.y));
        let highest = highest.expect("eight corners");
        let over = |height: f32| {
            let foot = highest.y + height;
            let corner = pos2(highest.x - 50.0, foot - 60.0);
            Rect::from_min_max(corner, pos2(highest.x + 50.0, foot))
        };
        // Beside it nothing is to be done, a little over it a little, and where nothing helps nothing either.
        assert_eq!(fitted(Some(over(-20.0))), (plain, 0.0));
        let gizmo = over(2.0);
        assert!(is_on_volume(&plain, field, gizmo));
        let (below, lowered) = fitted(Some(gizmo));
        assert!(lowered > 0.0 && !is_on_volume(&below, field, gizmo));
        assert_eq!(fitted(Some(seen)), (plain, 0.0));
    }

    #[test]
    fn in_a_pane_a_volume_stands_off_the_chips_over_it_as_large_as_it_can() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0));
        let pane = Rect::from_min_size(pos2(0.0, 68.0), vec2(640.0, 230.0));
        let eye = Eye::framing(field, pane);
        let seen = |chips: &[Rect]| {
            let mut eye = eye;
            eye.look_through(pane, aside_in_pane(eye, field, pane, chips).within(pane));
            eye.frame(field);
            let seen = silhouette(&eye, field);
            let hidden = chips.iter().any(|chip| reaches_into(&seen, *chip));
            (Rect::from_points(&seen), hidden)
        };
        let (alone, _) = seen(&[]);
        // But for the room of its axes it fills the pane.
        assert!(alone.height() > 0.7 * pane.height(), "{alone:?}");
        assert!((alone.center().x - pane.center().x).abs() < 2.0);
        let foot = pane.with_min_y(pane.bottom() - 30.0);
        let (above, hidden) = seen(&[foot]);
        assert!(!hidden && above.height() < alone.height());
        // A chip in a corner has it go aside, and not only up.
        let corner = foot.with_max_x(pane.left() + 250.0);
        let (beside, hidden) = seen(&[corner]);
        assert!(!hidden && beside.height() > above.height());
        // Nowhere is it off what lies over all of the pane: then it stands where it would without that.
        assert_eq!(seen(&[pane]), (alone, true));
    }

    #[test]
    fn where_it_stands_in_a_pane_is_found_out_anew_where_its_chips_change_and_else_not() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0));
        let pane = Rect::from_min_size(pos2(0.0, 68.0), vec2(319.0, 123.0));
        let foot = Rect::from_min_size(pos2(0.0, 93.0), vec2(319.0, 30.0));
        let mut space = Space {
            eye: Some(Eye::framing(field, pane)),
            ..Space::default()
        };
        space.fit_pane(pane, (&[foot], 30.0), field);
        let aside = space.aside_in_panes;
        assert!(aside.foot > 0.0);
        // More than is ever found out.
        space.aside_in_panes.foot = 999.0;
        space.fit_pane(pane, (&[foot], 30.0), field);
        assert_eq!(space.aside_in_panes.foot, 999.0);
        space.fit_pane(pane, (&[], 0.0), field);
        assert_eq!(space.aside_in_panes, Aside::default());
        space.fit_pane(pane, (&[foot], 30.0), field);
        assert_eq!(space.aside_in_panes, aside);
        // Nor where it was moved by hand.
        space.framed = false;
        space.fit_pane(pane, (&[], 30.0), field);
        assert_eq!(space.aside_in_panes, aside);
    }

    #[test]
    fn an_eye_that_somebody_placed_stands_above_what_covers_the_foot_of_a_pane() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0));
        let pane = Rect::from_min_size(pos2(0.0, 68.0), vec2(640.0, 400.0));
        let chip = Rect::from_min_size(pos2(0.0, 370.0), vec2(250.0, 30.0));
        let middle = |space: &mut Space, chips: &[Rect], covered: f32| {
            space.fit_pane(pane, (chips, covered), field);
            space.eye.expect("an eye").middle()
        };
        // As a scene that was saved with a camera.
        let mut placed = Space {
            eye: Some(Eye::framing(field, pane)),
            framed: false,
            ..Space::default()
        };
        assert_eq!(middle(&mut placed, &[], 0.0), pane.center());
        let above = pane.center() - vec2(0.0, 20.0);
        assert_eq!(middle(&mut placed, &[chip], 40.0), above);
        // No more of a low pane than leaves it in sight.
        let covered = pane.height();
        assert!(middle(&mut placed, &[chip], covered).y > pane.center().y - 0.1 * pane.height());
        // One that saw all of it stays where it is when it is moved, and goes up and down with what is covered afterwards.
        let mut moved = Space {
            eye: Some(Eye::framing(field, pane)),
            ..Space::default()
        };
        let framed = middle(&mut moved, &[chip], 40.0);
        moved.framed = false;
        assert_eq!(middle(&mut moved, &[chip], 40.0), framed);
        let higher = middle(&mut moved, &[chip, chip], 60.0);
        assert!((higher.y - (framed.y - 10.0)).abs() < 0.01, "{higher:?}");
        assert_eq!(middle(&mut moved, &[chip], 40.0), framed);
    }

    #[test]
    fn how_high_it_stands_is_found_out_anew_where_something_around_it_changes_and_else_not() {
        let field = Aabb3::new(Vec3::ZERO, Vec3::new(480.0, 480.0, 240.0));
        let screen = Rect::from_min_size(pos2(272.0, 32.0), vec2(860.0, 560.0));
        let card = screen.with_min_y(screen.bottom() - 150.0);
        let mut space = Space {
            eye: Some(Eye::framing(field, screen)),
            card: Some(card),
            ..Space::default()
        };
        /// More than is ever found out.
        const KEPT: f32 = 999.0;
        let raised_after = |space: &mut Space, change: &dyn Fn(&mut Space)| {
            space.fit([screen; 2], [48.0, 58.0], field);
            space.raised = KEPT;
            change(space);
            space.fit([screen; 2], [48.0, 58.0], field);
            space.raised
        };
        assert_eq!(raised_after(&mut space, &|_| ()), KEPT);
        assert_eq!(raised_after(&mut space, &|it| it.card = None), 0.0);
        let turns = |it: &mut Space| it.eye.as_mut().expect("an eye").azimuth += 20.0;
        assert!(raised_after(&mut space, &turns) < KEPT);
        // Nor where it was moved by hand, until all of it is shown again.
        space.framed = false;
        assert_eq!(raised_after(&mut space, &turns), KEPT);
        space.framed = true;
        space.fit([screen; 2], [48.0, 58.0], field);
        assert!(space.raised < KEPT);
    }
}
