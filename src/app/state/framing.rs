//! What part of the view is free, and what stands in its middle: the field, what the scene wants, or what somebody looks at.

use super::App;
use super::glide::CAMERA_FREE;
use crate::app::camera::{Camera, LEAST_WIDE, LOW_PANE, NEARER};
use crate::app::commands::View;
use egui_macroquad::egui::{Pos2, Rect, Vec2 as ScreenVec2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::UnitId;

impl App {
    /// Shows the whole field.
    pub fn frame_all(&mut self) {
        if self.shows_space() {
            return self.frame_space();
        }
        self.framed_area = None;
        self.frame_field();
    }

    /// The same, and the units that were pushed out of it beside it: a dense crowd makes room for itself.
    pub fn frame_field_and_units(&mut self) {
        if !self.shows_units_of_plane() {
            return self.frame_all();
        }
        self.framed_area = Some(self.with_units_beside(self.scene.field));
        self.frame_field();
    }

    fn shows_units_of_plane(&self) -> bool {
        matches!(self.view, View::Battle | View::Compare) && !self.shows_space()
    }

    /// The field has another size: shows all of it in the same way, and beside it as much as a body takes whose centre is pushed to its border.
    pub(super) fn frame_other_field(&mut self) {
        /// This part of the field's longer side at the most.
        const MOST: f32 = 0.1;
        if !self.shows_units_of_plane() {
            return self.frame_all();
        }
        let (field, bodies) = (self.scene.field, self.battle.bodies());
        let halves = bodies.ids().map(|unit| bodies.half_extent(unit));
        let largest = halves.map(|half| half.max_element()).fold(0.0, f32::max);
        let room = largest.min(MOST * field.size().max_element());
        let area = self.with_units_beside(field);
        self.framed_area = Some(area.join(field.grown(Vec2::splat(room))));
        self.frame_field();
    }

    /// Whoever comes from the character of a world to a battle that is fought elsewhere sees that, and no empty part of the field; back in
    /// the world the camera stands where it stood.
    pub(super) fn look_where_somebody_is(&mut self, before: View) {
        if self.view == View::Streaming {
            if let Some(left) = self.left_world.take().filter(|_| self.framed) {
                self.framed = false;
                let screen = self.camera.screen;
                self.camera = Camera { screen, ..left };
            }
            return;
        }
        let is_of_battle = matches!(self.view, View::Battle | View::Compare);
        let bodies = self.battle.bodies();
        if !is_of_battle || self.framed || self.shows_space() || bodies.ids().next().is_none() {
            return;
        }
        let seen = self.camera.view();
        if !bodies.ids().any(|unit| seen.overlaps(bodies.aabb(unit))) {
            if before == View::Streaming {
                self.left_world = Some(self.camera);
            }
            self.frame_field_and_units();
        }
    }

    /// The field, and what lies beside it. Who has run farther than half of its length would make everybody else a dot.
    fn with_units_beside(&self, field: Aabb) -> Aabb {
        let size = field.size();
        let near = field.grown(Vec2::splat(0.5 * size.x.max(size.y)));
        let bodies = self.battle.bodies();
        let is_beside = |unit: &UnitId| {
            let at = bodies.center(*unit);
            !field.contains(at) && near.contains(at)
        };
        let beside = bodies.ids().filter(is_beside);
        beside.fold(field, |all, unit| all.join(bodies.aabb(unit)))
    }

    fn frame_field(&mut self) {
        self.framed = true;
        let (area, beside) = (self.framed_area.unwrap_or(self.scene.field), self.beside);
        // Of two columns of panes a narrow field stands between what lies in their corners, and is as high as the pane.
        let has_two_columns = matches!(self.lanes.len(), 2 | 4);
        if self.view == View::Compare && has_two_columns {
            let between = Camera::between_chips(area, self.seen_field());
            if let Some(camera) = between {
                self.camera = Camera {
                    screen: self.camera.screen,
                    ..camera
                };
                self.camera.center.x += self.aside();
                return;
            }
        }
        // Only what really lies over a pane is left free.
        if self.is_clear_pane() {
            let camera = self.clear_of_chips(area, NEARER);
            self.camera = Camera {
                screen: self.camera.screen,
                ..camera
            };
            self.camera.center.x += self.aside();
            return;
        }
        self.camera = Camera::above(self.camera.screen, beside, self.covered, |screen| {
            Camera::framing(area, screen)
        });
    }

    /// Whether the view is a pane of Compare whose picture lies under none of its chips: a low one has no room to give away, and in a high
    /// one a legend in the corner would hide whoever fights there. What a lesson shows in a high one stands in the middle.
    fn is_clear_pane(&self) -> bool {
        let is_low = self.camera.screen.height() < LOW_PANE;
        self.view == View::Compare && (is_low || !self.is_lesson())
    }

    /// A camera that shows all of `area` in what drawers leave of a pane, under none of the chips over any of the panes: nearer to its middle
    /// where it is this part of the largest at least.
    fn clear_of_chips(&self, area: Aabb, part: f32) -> Camera {
        Camera::clear_of(area, self.seen_field(), &self.chips_of_pane(), part)
    }

    /// Where the chips over any of the panes lie in this one.
    fn chips_of_pane(&self) -> Vec<Rect> {
        let corner = self.camera.screen.min.to_vec2();
        let chips = self.pane_chips.iter().map(|chip| chip.translate(corner));
        chips.collect()
    }

    /// The part of the view in which stands what the scene wants to be seen: what is free above whatever covers its foot, and in a pane of
    /// Compare what lies under no chip, where that is more.
    ///
    /// What a figure shows that comes with the program is under no chip either, however closely it was framed. In one that was saved the
    /// camera stands where somebody left it.
    pub(super) fn free_of_pose(&self, screen: Rect) -> Rect {
        let camera = self.scene.camera.as_ref();
        let keeps_off = self.is_figure() && self.is_posed_as_shipped && self.view != View::Compare;
        let camera = camera.filter(|_| keeps_off);
        let own = camera.and_then(|camera| Camera::room_around(camera, self.scene.field));
        match own {
            Some(own) => Camera::free_around(screen, self.beside, self.covered, own),
            None => self.free_of_saved(screen),
        }
    }

    /// Whether the camera comes with the program, as the worker says: where it stands as the scene asks for it goes on doing so.
    pub(super) fn note_posed(&mut self, is_posed_as_shipped: bool) {
        if is_posed_as_shipped == self.is_posed_as_shipped {
            return;
        }
        let is_posed = self.is_posed();
        self.is_posed_as_shipped = is_posed_as_shipped;
        if is_posed {
            self.stand_posed();
        }
    }

    /// The same of whatever is no such figure, as a camera is that somebody has moved.
    pub(super) fn free_of_saved(&self, screen: Rect) -> Rect {
        let above = Camera::free(screen, self.beside, self.covered);
        if !self.is_clear_pane() {
            return above;
        }
        let size = self.scene.field.size();
        let wide = (size.x / size.y.max(1.0e-3)).max(LEAST_WIDE);
        let shape = Aabb::new(Vec2::ZERO, Vec2::new(wide, 1.0));
        // One that is too small for standing in the middle is not so for standing where there is the most room.
        let clear = [NEARER, 1.0].into_iter();
        let clear = clear.map(|part| self.clear_of_chips(shape, part).rect_to_screen(shape));
        larger_or_clear(above, wide, &self.chips_of_pane(), clear)
    }

    /// Selects an object of the world, and brings it into the middle of the view, as large as it was or as large as it can be seen.
    /// A camera that went with the character lets it go.
    pub fn show_object(&mut self, object: u32) {
        /// The least that is large enough to be looked at, in points.
        const LEAST: f32 = 24.0;
        let Some(stream) = &mut self.stream else {
            return;
        };
        if object as usize >= stream.objects().len() {
            return;
        }
        stream.selection.set(Some(object));
        let follows = std::mem::take(&mut stream.camera_follows);
        let body = stream.body(object);
        let framing = Camera::framing(body, self.camera.screen);
        let size = body.size();
        let least = LEAST / size.x.max(size.y).max(1.0e-3);
        self.framed = false;
        self.camera.zoom = self.camera.zoom.max(least).min(framing.zoom);
        // In the middle of what drawers leave, and of the whole view once they are closed.
        self.shifted = self.aside();
        self.camera.center = body.center() + Vec2::new(self.shifted, 0.0);
        if follows {
            self.say(CAMERA_FREE);
        }
    }

    /// The camera where the scene puts it, if it says so.
    pub(super) fn pose(&mut self, screen: Rect) -> Option<Camera> {
        self.posed_in = self.free_of_pose(screen);
        self.posed(screen, self.posed_in)
    }

    /// Where the scene puts it in a part of the screen.
    fn posed(&self, screen: Rect, free: Rect) -> Option<Camera> {
        let camera = self.scene.camera.as_ref()?;
        let of = |screen| Camera::of_scene(camera, screen);
        Some(Camera::within(screen, free, of))
    }

    /// Whether the camera stands there: where it was put, though another view has come since then, or where it would be put now.
    pub(super) fn is_posed(&self) -> bool {
        let screen = self.camera.screen;
        let follows = self.camera_goes_along();
        let stands_in = |free: Rect| {
            self.posed(screen, free).is_some_and(|posed| match follows {
                true => posed.zoom == self.camera.zoom,
                false => posed == self.camera,
            })
        };
        // Where it would stand now is asked last: to find that out takes long under many chips.
        !self.framed && (stands_in(self.posed_in) || stands_in(self.free_of_pose(screen)))
    }

    /// What open drawers leave of a field, or of a part of it.
    pub fn beside_drawers(&self, field: Rect) -> Rect {
        let [left, right] = self.drawn_out;
        let left = left.map_or(field.left(), |x| x.clamp(field.left(), field.right()));
        let right = right.map_or(field.right(), |x| x.clamp(left, field.right().max(left)));
        Rect::from_x_y_ranges(left..=right, field.y_range())
    }

    /// What they leave of the view: whatever has its place at an edge of the field has it there.
    pub fn free_field(&self) -> Rect {
        self.beside_drawers(self.camera.screen)
    }

    /// The part of the view in whose middle stands what fills it: what drawers leave, unless that is next to nothing.
    pub fn seen_field(&self) -> Rect {
        let screen = self.camera.screen;
        let left = self.beside.min.max(screen.left());
        let right = self.beside.max.min(screen.right());
        Rect::from_x_y_ranges(left..=right.max(left), screen.y_range())
    }

    /// How far to the right of its middle that of the whole view is, in metres.
    pub fn aside(&self) -> f32 {
        (self.camera.screen.center().x - self.seen_field().center().x) / self.camera.zoom
    }

    /// What drawers leave of a field, and what covers its lower edge.
    pub fn uncovered(&self, field: Rect) -> Rect {
        let seen = self.beside_drawers(field);
        seen.with_max_y((seen.bottom() - self.covered).max(seen.top()))
    }

    /// The caption, or tools, cover so many points at the lower edge of the view: the picture stands above them.
    pub fn cover(&mut self, points: f32) {
        // The panes of Compare are low, and what stands at the edges of a field is named inside its lowest cells.
        const OF_PANES: f32 = 24.0;
        const OF_LESSONS: f32 = 14.0;
        // What lies over the foot of a field is as far from it as what lies over its top.
        const OF_FIELDS: f32 = 10.0;
        let more = match self.view {
            View::Compare if points > 0.0 => OF_PANES,
            // The lowest of its few cells is to be seen to its border.
            View::Battle if points > 0.0 && self.is_lesson() => OF_LESSONS,
            View::Battle if points > 0.0 => OF_FIELDS,
            _ => 0.0,
        };
        // Most of a view is the picture's, however low it is.
        const MOST: f32 = 0.4;
        let most = match self.view {
            View::Compare => self.camera.screen.height() * MOST,
            _ => f32::INFINITY,
        };
        let points = (points + more).min(most);
        if points == self.covered {
            return;
        }
        let is_posed = self.is_posed();
        self.covered = points;
        self.stand(is_posed);
    }

    /// These chips lie over one pane of Compare or another, each given from the corner of its pane: the picture is the same in all, and is
    /// under none of them. Says whether they are others than before, so that it stands elsewhere.
    pub fn cover_panes(&mut self, chips: Vec<Rect>) -> bool {
        if chips == self.pane_chips {
            return false;
        }
        let is_posed = self.is_posed();
        self.pane_chips = chips;
        if self.shows_space() {
            let screen = self.camera.screen;
            let beside = Rect::from_x_y_ranges(self.beside, screen.y_range());
            self.resize_space(beside, screen);
        } else {
            self.stand(is_posed);
        }
        true
    }

    /// How high the part of the world is that a window of the usual size has of the scene at first, in metres: what follows from it is the
    /// same whatever this window has had beside its picture.
    pub(super) fn usual_height(&self) -> f32 {
        const USUAL: ScreenVec2 = ScreenVec2::new(700.0, 510.0);
        let screen = Rect::from_min_size(Pos2::ZERO, USUAL);
        let camera = match &self.scene.camera {
            Some(camera) => Camera::of_scene(camera, screen),
            None => Camera::framing(self.scene.field, screen),
        };
        screen.height() / camera.zoom
    }

    /// Where all of the field is shown, or what the scene wants, it goes on being so.
    fn stand(&mut self, is_posed: bool) {
        if self.framed {
            self.frame_field();
        } else if is_posed {
            self.stand_posed();
        }
    }

    /// The camera of the first pane of a picture whose panes are of another size than those that are `seen`: what is to be seen of the
    /// field, and of who is beside it, fills it as it does in the window.
    pub fn camera_of_pane(&self, seen: Camera) -> Camera {
        let area = self.with_units_beside(self.scene.field);
        seen.filling(self.camera.screen, area)
    }

    /// The camera stands where the scene puts it; one that goes with the character is as high as there.
    fn stand_posed(&mut self) {
        let follows = self.camera_goes_along();
        if let Some(posed) = self.pose(self.camera.screen) {
            let center = match follows {
                true => self.camera.center,
                false => posed.center,
            };
            self.camera = Camera { center, ..posed };
        }
    }

    /// Whether the camera goes with the character, so that nobody has put it where it is.
    fn camera_goes_along(&self) -> bool {
        let stream = self.stream.as_ref();
        self.view == View::Streaming && stream.is_some_and(|it| it.camera_follows)
    }

    /// Fits the camera into another rectangle of the window, of which drawers leave a part.
    pub fn resize(&mut self, screen: Rect) {
        /// Of less there is nothing to be seen.
        const LEAST: f32 = 200.0;
        let beside = self.beside_drawers(screen).x_range();
        let beside = match beside.span() >= LEAST {
            true => beside,
            false => screen.x_range(),
        };
        self.resize_space(Rect::from_x_y_ranges(beside, screen.y_range()), screen);
        if (screen, beside) == (self.camera.screen, self.beside) {
            return;
        }
        let is_posed = self.is_posed();
        self.camera.resize(screen);
        self.beside = beside;
        self.stand(is_posed);
        // Who looks at an object, and opens the panel that says why, goes on seeing it beside that; the camera goes back as far as it went.
        let selects = self
            .stream
            .as_ref()
            .is_some_and(|it| !it.selection.is_empty());
        let stands = self.view != View::Streaming || self.framed || is_posed;
        let shift = if selects && !stands {
            self.aside()
        } else {
            0.0
        };
        let by = if stands { 0.0 } else { shift - self.shifted };
        self.shifted = shift;
        self.camera.center.x += by;
        self.shift_glide(by);
    }
}

/// What is free `above` whatever covers the foot of a pane, or the first of pictures under none of its `chips`, so many times as wide as high,
/// that is larger than one there; where that one lies under a chip, one that is not much smaller.
fn larger_or_clear(
    above: Rect,
    wide: f32,
    chips: &[Rect],
    mut clear: impl Iterator<Item = Rect>,
) -> Rect {
    /// Where chips lie over the larger of two pictures, one off them may be so much smaller.
    const SMALLER: f32 = 0.8;
    let height = above.height().min(above.width() / wide);
    let drawn = Rect::from_center_size(above.center(), ScreenVec2::new(height * wide, height));
    let least = match chips.iter().any(|chip| chip.intersects(drawn)) {
        true => SMALLER * height,
        false => height,
    };
    let clear = clear.find(|clear| clear.height() > least);
    clear.unwrap_or(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::camera::rect;

    #[test]
    fn a_picture_off_the_chips_is_as_large_as_there_is_room_where_one_nearer_to_the_middle_is_too_small()
     {
        let above = rect(0.0, 0.0, 500.0, 300.0);
        let of_height = |height: f32| rect(0.0, 0.0, 1.4 * height, height);
        let among = |chips: &[Rect], heights: [f32; 2]| {
            larger_or_clear(above, 1.4, chips, heights.map(of_height).into_iter())
        };
        let chip = rect(200.0, 0.0, 300.0, 30.0);
        // The larger one is 0.85 of what lies under a chip, and the nearer one 0.77 of it.
        assert_eq!(among(&[chip], [231.0, 255.0]), of_height(255.0));
        assert_eq!(among(&[chip], [245.0, 255.0]), of_height(245.0));
        assert_eq!(among(&[chip], [210.0, 230.0]), above);
        // Where nothing lies over what is free, only what is larger than that is better.
        assert_eq!(among(&[], [245.0, 290.0]), above);
        assert_eq!(among(&[], [290.0, 310.0]), of_height(310.0));
    }
}
