//! Which part of the world is seen, and how large.
//!
//! Lengths on the screen are egui points; y grows downwards on the screen and in the world alike.

use egui_macroquad::egui::{Pos2, Rangef, Rect, pos2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::COORDINATE_LIMIT;
use skirmish::scene;

/// A view of the world through a rectangle of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The world's point in the middle of the rectangle.
    pub center: Vec2,
    /// Points per metre.
    pub zoom: f32,
    /// The rectangle of the window through which it looks.
    pub screen: Rect,
}

/// What [`Camera::framing`] leaves free at the lower edge of a view, in points.
const CHIP_ROOM: f32 = 40.0;

/// No more than this part of a view is given away to what covers it.
const MOST_CUT: f32 = 0.6;

/// A view lower than this is low, in points.
const LOW_VIEW: f32 = 260.0;

/// A pane of Compare lower than this is low, in points.
pub const LOW_PANE: f32 = 340.0;

/// The chips at the top of a view end so far below its edge, in points, and a picture keeps off them by so much at most.
const TOP_CHIPS: f32 = 52.0;
const TOP_ROOM: f32 = 32.0;
/// In a low view by so much, and the room that a picture has anyway is no more than this part of its height: what is cut off takes some of it.
const LOW_TOP_ROOM: f32 = 38.0;
const OF_LOW: f32 = 0.06;

/// The chips at the foot of a view begin so far above its edge, with some room above them, in points.
const FOOT_CHIPS: f32 = 48.0;

/// A picture that has less room of its own than a framed field keeps off the chips at the top by no more than this part of what is left to
/// it: it would be smaller than that field.
const MOST_CHIPS: f32 = 0.25;

/// In one that is not low, this part of its height is free above and below a field that is framed.
const OF_HIGH: f32 = 0.1;

/// A picture that stands nearer to the middle of what chips leave is at least this part of the largest that there is room for.
pub const NEARER: f32 = 0.9;

/// What a scene shows is at least so many times as wide as high.
pub const LEAST_WIDE: f32 = 1.4;

impl Camera {
    /// The least zoom: a view is then larger than any world.
    pub const MIN_ZOOM: f32 = 1.0e-6;
    /// The greatest zoom: a tenth of a millimetre a point.
    pub const MAX_ZOOM: f32 = 1.0e4;

    /// A camera that sees all of `area` with a little room around it.
    pub fn framing(area: Aabb, screen: Rect) -> Self {
        let size = area.size().max(Vec2::splat(1.0e-3));
        // The room keeps the field off the chips at the edges of the view; a low one has none to give away.
        let room = (screen.height() * 0.2).min(2.0 * TOP_CHIPS);
        let zoom =
            ((screen.width() - 28.0) / size.x).min((screen.height() - room).max(20.0) / size.y);
        Self {
            center: area.center(),
            zoom: Self::clamp(zoom),
            screen,
        }
    }

    /// A camera that sees all of `area` between what lies in the corners of a screen; `None` where it would lie on that.
    pub fn between_chips(area: Aabb, screen: Rect) -> Option<Self> {
        /// What a corner takes, with what is around it, in points.
        const CORNER: f32 = 224.0;
        const MARGIN: f32 = 10.0;
        let size = area.size().max(Vec2::splat(1.0e-3));
        let zoom = Self::clamp((screen.height() - 2.0 * MARGIN).max(20.0) / size.y);
        let room = screen.width() - 2.0 * CORNER;
        (size.x * zoom <= room).then(|| Self {
            center: area.center(),
            zoom,
            screen,
        })
    }

    /// The largest picture of all of `area` that lies under none of the `chips` over a screen, as near to its middle as they let it. In
    /// one that is not low a picture that stands nearer to that may be a little smaller, `part` of the largest at least: beside a chip words
    /// about it have room on one side alone.
    pub fn clear_of(area: Aabb, screen: Rect, chips: &[Rect], part: f32) -> Self {
        /// What is free around the picture, in points.
        const MARGIN: f32 = 8.0;
        /// What is this part of the largest is as large, but for rounding.
        const AS_LARGE: f32 = 0.999;
        /// What is nearer to the middle by no more than so many points is not worth being smaller.
        const HARDLY: f32 = 16.0;
        let size = area.size().max(Vec2::splat(1.0e-3));
        let zoom_in = |free: &Rect| (free.width() / size.x).min(free.height() / size.y);
        let chips: Vec<Rect> = chips.iter().map(|chip| chip.expand(MARGIN)).collect();
        let areas = free_areas(screen.shrink(MARGIN), &chips);
        let largest = areas.iter().map(zoom_in).fold(0.0, f32::max);
        let middle = screen.center();
        let within = |at: f32, from: f32, to: f32| at.min(to).max(from);
        let stands_at = |free: &Rect| {
            let half = size * (zoom_in(free) / 2.0);
            let x = within(middle.x, free.left() + half.x, free.right() - half.x);
            let y = within(middle.y, free.top() + half.y, free.bottom() - half.y);
            pos2(x, y)
        };
        let part = match screen.height() < LOW_PANE {
            true => AS_LARGE,
            false => part.min(AS_LARGE),
        };
        let off = |free: &Rect| (stands_at(free) - middle).length();
        let large = || areas.iter().filter(|it| zoom_in(it) >= part * largest);
        let nearest = large().map(off).fold(f32::INFINITY, f32::min);
        let near = || large().filter(|it| off(it) <= nearest + HARDLY);
        let most = near().map(zoom_in).fold(0.0, f32::max);
        let best = near().filter(|it| zoom_in(it) >= AS_LARGE * most);
        let best = best.min_by(|a, b| off(a).total_cmp(&off(b)));
        let free = best.copied().unwrap_or(screen);
        let zoom = Self::clamp(zoom_in(&free));
        let at = stands_at(&free);
        Self {
            center: area.center() + Vec2::new(middle.x - at.x, middle.y - at.y) / zoom,
            zoom,
            screen,
        }
    }

    /// What `of` makes of the part of the screen that is free when its lowest `covered` points are covered, and only what is `beside` drawers
    /// is seen, and sees there. The chips at its top are left free as well, where the room around the picture is less than they need.
    pub fn above(
        screen: Rect,
        beside: Rangef,
        covered: f32,
        of: impl FnOnce(Rect) -> Self,
    ) -> Self {
        Self::within(screen, Self::free(screen, beside, covered), of)
    }

    /// What `of` makes of a part of the screen, and sees there.
    pub fn within(screen: Rect, free: Rect, of: impl FnOnce(Rect) -> Self) -> Self {
        let camera = of(free);
        let off = screen.center() - free.center();
        Self {
            center: camera.center + Vec2::new(off.x, off.y) / camera.zoom,
            screen,
            ..camera
        }
    }

    /// The part of a screen that is free: see [`above`](Self::above).
    pub fn free(screen: Rect, beside: Rangef, covered: f32) -> Rect {
        Self::free_around(screen, beside, covered, OF_HIGH)
    }

    /// The same for a picture that has, above and below what is to be seen of it, so much of its height as room of its own: where that is less
    /// than a [framed](Self::framing) field has, what is missing is cut off as well.
    pub fn free_around(screen: Rect, beside: Rangef, covered: f32, own: f32) -> Rect {
        let (left, right) = (screen.left(), screen.right());
        let free = screen.with_min_x(beside.min.max(left));
        let free = free.with_max_x(beside.max.min(right).max(free.left()));
        let whole = screen.height().max(1.0);
        // On a narrow screen it is less high than that, and has more room.
        let on_narrow = |free: Rect, whole: f32| {
            let of_narrow = 0.5 - (0.5 - own) * Self::height_of(free) / whole.max(1.0);
            own.max(of_narrow).clamp(0.0, OF_HIGH)
        };
        let own = on_narrow(free, whole);
        let is_low = screen.height() < LOW_VIEW;
        // What lies at an edge has a part of the room that there is anyway.
        let (framed, most) = if is_low {
            (OF_LOW, LOW_TOP_ROOM)
        } else {
            (OF_HIGH, TOP_ROOM)
        };
        let part = own.min(framed);
        let edge = if is_low {
            screen.height() * part
        } else {
            (screen.height() * part - 6.0).clamp(0.0, CHIP_ROOM)
        };
        // Chips lie at the foot as well, whether it is covered or not.
        let foot = (screen.height() * OF_HIGH).min(FOOT_CHIPS) - screen.height() * own;
        let cut = (covered - edge).max(foot);
        let cut = cut.clamp(0.0, screen.height().max(0.0) * MOST_CUT);
        let height = screen.height() - cut;
        // What is left may be wide enough for all of its own height.
        let own = on_narrow(free.with_max_y(screen.bottom() - cut), height);
        let part = own.min(framed);
        let most = match part < framed {
            true => TOP_CHIPS.min(LOW_TOP_ROOM.max(height * MOST_CHIPS)),
            false => most,
        };
        let chips = if height > 3.0 * TOP_ROOM {
            (TOP_CHIPS - height * part).clamp(0.0, most)
        } else {
            0.0
        };
        let free = free.with_max_y(screen.bottom() - cut);
        free.with_min_y(free.top() + chips)
    }

    /// How much room of its own a picture has above and below `area`, as a part of its height; nothing where it does not show all of that from
    /// above to below.
    pub fn room_around(camera: &scene::Camera, area: Aabb) -> Option<f32> {
        let above = area.min.y - (camera.center.y - camera.height / 2.0);
        let below = camera.center.y + camera.height / 2.0 - area.max.y;
        let least = above.min(below) / camera.height;
        // What was framed exactly is not always so to the last bit.
        (least >= -1.0e-4).then_some(least.max(0.0))
    }

    /// How high a picture may be on a screen, in points. A scene says how high what it shows is and means a picture that is wider: on
    /// a narrow screen it is smaller, and nothing of it is beside the screen.
    fn height_of(screen: Rect) -> f32 {
        screen.height().min(screen.width() / LEAST_WIDE)
    }

    /// A camera as a scene asks for it.
    pub fn of_scene(camera: &scene::Camera, screen: Rect) -> Self {
        Self {
            center: camera.center,
            zoom: Self::clamp(Self::height_of(screen) / camera.height),
            screen,
        }
    }

    /// What a scene says of this camera, so that it stands there again [within](Self::within) what is free: it is of what is seen there.
    pub fn to_scene(self, free: Rect) -> scene::Camera {
        let off = self.screen.center() - free.center();
        // From very far away less is said than is seen: a scene has limits.
        let limit = Vec2::splat(COORDINATE_LIMIT);
        let center = self.center - Vec2::new(off.x, off.y) / self.zoom;
        scene::Camera {
            center: center.clamp(-limit, limit),
            height: (Self::height_of(free) / self.zoom).min(COORDINATE_LIMIT),
        }
    }

    /// At what zoom an area just fits into so much room, in points.
    pub fn zoom_for(area: Aabb, room: egui_macroquad::egui::Vec2) -> f32 {
        let size = area.size().max(Vec2::splat(1.0e-3));
        Self::clamp((room.x / size.x).min(room.y / size.y))
    }

    fn clamp(zoom: f32) -> f32 {
        if zoom.is_finite() {
            zoom.clamp(Self::MIN_ZOOM, Self::MAX_ZOOM)
        } else {
            1.0
        }
    }

    /// From the world to the screen.
    #[inline]
    pub fn to_screen(self, point: Vec2) -> Pos2 {
        let from_center = (point - self.center) * self.zoom;
        self.screen.center() + egui_macroquad::egui::vec2(from_center.x, from_center.y)
    }

    /// From the screen to the world.
    pub fn to_world(self, point: Pos2) -> Vec2 {
        let from_center = point - self.screen.center();
        self.center + Vec2::new(from_center.x, from_center.y) / self.zoom
    }

    /// A box of the world on the screen.
    pub fn rect_to_screen(self, area: Aabb) -> Rect {
        Rect::from_min_max(self.to_screen(area.min), self.to_screen(area.max))
    }

    /// What of the world is seen.
    pub fn view(self) -> Aabb {
        Aabb::new(
            self.to_world(self.screen.min),
            self.to_world(self.screen.max),
        )
    }

    /// Zooms by `factor` and keeps the world under `at` where it is.
    pub fn zoom_at(&mut self, at: Pos2, factor: f32) {
        let fixed = self.to_world(at);
        self.zoom = Self::clamp(self.zoom * factor);
        let from_center = at - self.screen.center();
        self.center = fixed - Vec2::new(from_center.x, from_center.y) / self.zoom;
    }

    /// Moves the view so that the world follows the pointer by this way on the screen.
    pub fn pan(&mut self, x: f32, y: f32) {
        self.center -= Vec2::new(x, y) / self.zoom;
    }

    /// Puts the camera into another rectangle; the zoom stays.
    pub fn resize(&mut self, screen: Rect) {
        self.screen = screen;
    }

    /// The same through another rectangle: all that was seen of `area` is seen there, about the same middle, and fills it as it did before.
    /// Where either of them is less than a point high or wide nothing is seen, and it stays as near.
    pub fn filling(self, screen: Rect, area: Aabb) -> Self {
        let has_room = |screen: Rect| screen.size().min_elem() >= 1.0;
        if !has_room(self.screen) || !has_room(screen) {
            return Self { screen, ..self };
        }
        let (seen, middle) = (self.view(), self.center);
        let seen = match seen.overlaps(area) {
            true => Aabb::new(seen.min.max(area.min), seen.max.min(area.max)),
            false => seen,
        };
        let half = (seen.max - middle).max(middle - seen.min);
        let around = Aabb::new(middle - half, middle + half);
        let fit = |screen: Rect| Self::zoom_for(around, screen.size());
        Self {
            zoom: Self::clamp(self.zoom * (fit(screen) / fit(self.screen))),
            screen,
            ..self
        }
    }

    /// A length that a scale bar can show: 1, 2 or 5 times a power of ten metres, near `points` long.
    pub fn round_length(self, points: f32) -> f32 {
        let metres = points / self.zoom;
        let power = 10f32.powf(metres.log10().floor());
        [5.0, 2.0, 1.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|length| *length <= metres)
            .unwrap_or(power)
    }
}

/// All rectangles in `whole` that have nothing in common with any of the chips, and end at its edges or at theirs.
fn free_areas(whole: Rect, chips: &[Rect]) -> Vec<Rect> {
    let edges = |own: f32, of: fn(&Rect) -> f32| -> Vec<f32> {
        std::iter::once(own).chain(chips.iter().map(of)).collect()
    };
    let lefts = edges(whole.left(), Rect::right);
    let rights = edges(whole.right(), Rect::left);
    let tops = edges(whole.top(), Rect::bottom);
    let bottoms = edges(whole.bottom(), Rect::top);
    let mut areas = Vec::new();
    for (&left, &right) in lefts
        .iter()
        .flat_map(|it| rights.iter().map(move |to| (it, to)))
    {
        for (&top, &bottom) in tops
            .iter()
            .flat_map(|it| bottoms.iter().map(move |to| (it, to)))
        {
            let free = rect(left, top, right, bottom).intersect(whole);
            let is_free = |chip: &Rect| !free.intersect(*chip).is_positive();
            if free.is_positive() && chips.iter().all(is_free) {
                areas.push(free);
            }
        }
    }
    areas
}

/// A rectangle of the window from its corners.
pub fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Rect {
    Rect::from_min_max(pos2(x0, y0), pos2(x1, y1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::vec2;

    #[test]
    fn a_field_stands_between_the_chips_at_the_top_and_what_covers_the_foot() {
        let area = Aabb::new(Vec2::ZERO, Vec2::new(300.0, 300.0));
        for height in [150.0, 205.0, 255.0, 400.0, 700.0] {
            for covered in [0.0, 32.0, 44.0, 104.0] {
                let screen = Rect::from_min_size(pos2(10.0, 20.0), vec2(500.0, height));
                let of = |free| Camera::framing(area, free);
                let picture = Camera::above(screen, screen.x_range(), covered, of);
                let picture = picture.rect_to_screen(area);
                assert!(screen.contains_rect(picture), "{height} {covered}");
                let (top, foot) = match height < LOW_VIEW {
                    true => (34.0, covered - 12.0),
                    false => (44.0, covered - CHIP_ROOM),
                };
                let is_squeezed = height - covered < 3.0 * TOP_ROOM;
                assert!(
                    is_squeezed || picture.top() >= screen.top() + top,
                    "{height} {covered}"
                );
                assert!(
                    is_squeezed || picture.bottom() <= screen.bottom() - foot,
                    "{height} {covered}"
                );
            }
        }
    }

    #[test]
    fn what_a_scene_shows_keeps_off_the_chips_however_little_room_it_has_of_its_own() {
        let area = Aabb::new(Vec2::ZERO, Vec2::new(64.0, 64.0));
        for more in [0.0, 4.0, 8.0, 12.0, 20.0, 40.0] {
            let posed = scene::Camera {
                center: area.center(),
                height: 64.0 + more,
            };
            let own = Camera::room_around(&posed, area).expect("it shows all of it");
            for height in [150.0, 205.0, 255.0, 300.0, 480.0, 612.0, 800.0] {
                for covered in [0.0, 44.0, 104.0] {
                    // Next to nothing is left of it, and the chips lie over that.
                    if height - covered < 3.0 * TOP_ROOM {
                        continue;
                    }
                    let (top, foot) = match height < LOW_VIEW {
                        true => (34.0, 0.07),
                        false => (44.0, 0.09),
                    };
                    let screen = Rect::from_min_size(pos2(272.0, 52.0), vec2(1200.0, height));
                    let free = Camera::free_around(screen, screen.x_range(), covered, own);
                    let of = |free| Camera::of_scene(&posed, free);
                    let picture = Camera::within(screen, free, of).rect_to_screen(area);
                    let line = format!("{more} {height} {covered}: {picture:?}");
                    assert!(picture.top() >= screen.top() + top, "{line}");
                    // The scale and the legend lie there where nothing covers it.
                    let foot = (foot * height).min(44.0);
                    assert!(picture.bottom() <= screen.bottom() - foot, "{line}");
                    // What covers the foot is said with some room above it.
                    assert!(
                        picture.bottom() <= screen.bottom() - covered + 14.0,
                        "{line}"
                    );
                }
            }
        }
        // Also where it would be narrow if nothing were covered.
        let posed = scene::Camera {
            center: Vec2::new(20.0, 15.0),
            height: 36.0,
        };
        let lesson = Aabb::new(Vec2::ZERO, Vec2::new(40.0, 30.0));
        let own = Camera::room_around(&posed, lesson).expect("it shows all of it");
        let screen = Rect::from_min_size(pos2(272.0, 32.0), vec2(704.0, 540.0));
        let free = Camera::free_around(screen, screen.x_range(), 148.0, own);
        let of = |free| Camera::of_scene(&posed, free);
        let picture = Camera::within(screen, free, of).rect_to_screen(lesson);
        assert!(picture.top() >= screen.top() + 50.0, "{picture:?}");
        // Where much is covered it is about as high as a framed field, and no lower.
        let screen = Rect::from_min_size(pos2(272.0, 52.0), vec2(1200.0, 300.0));
        let free = Camera::free_around(screen, screen.x_range(), 150.0, 0.0);
        assert!(free.height() > 110.0, "{free:?}");
        // On a narrow screen it has room enough as it is.
        let narrow = Rect::from_min_size(pos2(0.0, 52.0), vec2(430.0, 612.0));
        let free = Camera::free_around(narrow, narrow.x_range(), 0.0, 0.0);
        assert_eq!(free, narrow);
        // What was framed exactly is all of it, though sums are rounded.
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(33.3));
        let exact = scene::Camera {
            center: Vec2::splat(16.65),
            height: 33.299_995,
        };
        assert_eq!(Camera::room_around(&exact, field), Some(0.0));
        // Who looks into a part of it sees that up to the edges.
        let near = scene::Camera {
            center: Vec2::splat(32.0),
            height: 20.0,
        };
        assert_eq!(Camera::room_around(&near, area), None);
    }

    #[test]
    fn a_field_stands_in_the_middle_of_what_a_drawer_leaves_of_the_screen() {
        let area = Aabb::new(Vec2::ZERO, Vec2::new(300.0, 200.0));
        let screen = Rect::from_min_size(pos2(10.0, 20.0), vec2(700.0, 500.0));
        let beside = Rangef::new(10.0, 410.0);
        let of = |free| Camera::framing(area, free);
        let picture = Camera::above(screen, beside, 0.0, of).rect_to_screen(area);
        assert!((picture.center().x - beside.center()).abs() < 0.1);
        assert!(picture.left() >= beside.min && picture.right() <= beside.max);
    }

    #[test]
    fn a_field_fills_a_low_pane_as_far_as_the_chips_over_it_let_it() {
        let screen = rect(40.0, 90.0, 760.0, 313.0);
        let legend = rect(52.0, 102.0, 250.0, 132.0);
        let tools = [
            rect(570.0, 269.0, 760.0, 301.0),
            rect(40.0, 269.0, 230.0, 301.0),
        ];
        let scale = rect(598.0, 271.0, 748.0, 301.0);
        let chips = [legend, tools[0], tools[1], scale];
        for (size, least) in [
            (Vec2::new(1600.0, 1000.0), 0.75),
            (Vec2::new(1000.0, 1000.0), 0.9),
            (Vec2::new(3000.0, 500.0), 0.3),
        ] {
            let area = Aabb::new(Vec2::ZERO, size);
            let picture = Camera::clear_of(area, screen, &chips, NEARER).rect_to_screen(area);
            assert!(screen.contains_rect(picture), "{size}: {picture:?}");
            let under = chips.iter().find(|chip| chip.intersects(picture));
            assert_eq!(under, None, "{size}: {picture:?}");
            let part = picture.height() / screen.height();
            assert!(part >= least, "{size}: {part}");
        }
        // Where nothing lies over it, it stands in the middle.
        let area = Aabb::new(Vec2::ZERO, Vec2::new(1600.0, 1000.0));
        let picture = Camera::clear_of(area, screen, &[], NEARER).rect_to_screen(area);
        assert!((picture.center() - screen.center()).length() < 0.1);
        assert!((picture.height() - (screen.height() - 16.0)).abs() < 0.1);
    }

    #[test]
    fn a_field_stands_in_the_middle_between_rows_of_chips_rather_than_a_little_larger_beside_one() {
        let screen = rect(0.0, 69.0, 719.0, 568.0);
        let legend = rect(14.0, 82.0, 212.0, 112.0);
        let caption = rect(14.0, 458.0, 478.0, 554.0);
        let tools = rect(528.0, 522.0, 719.0, 554.0);
        let area = Aabb::new(Vec2::ZERO, Vec2::new(430.0, 300.0));
        let chips = [legend, caption, tools];
        let picture = Camera::clear_of(area, screen, &chips, NEARER).rect_to_screen(area);
        let under = chips.iter().find(|chip| chip.intersects(picture));
        assert_eq!(under, None, "{picture:?}");
        assert!((picture.center().x - screen.center().x).abs() < 0.5);
        // All of what is free between the rows.
        assert!((picture.top() - 120.0).abs() < 0.5 && (picture.bottom() - 450.0).abs() < 0.5);
    }

    #[test]
    fn a_field_is_no_smaller_for_being_hardly_nearer_to_the_middle() {
        let screen = rect(0.0, 0.0, 600.0, 400.0);
        let area = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));
        let picture = |chip: Rect, part: f32| {
            let camera = Camera::clear_of(area, screen, &[chip], part);
            let picture = camera.rect_to_screen(area);
            assert!(!picture.intersects(chip), "{picture:?}");
            picture
        };
        // Below the chip the picture would be 7.9 points off the middle, and beside it as high as there is room, up to 22 points off.
        for right in 98..=122 {
            let chip = rect(0.0, 0.0, right as f32 + 0.1, 15.8);
            let high = picture(chip, NEARER).height();
            assert!((high - 384.0).abs() < 0.5, "{right}: {high}");
        }
        // What is nearer by more is worth being a little smaller, where that is asked for.
        let chip = rect(0.0, 0.0, 160.0, 15.8);
        assert!((picture(chip, NEARER).height() - 368.2).abs() < 0.5);
        assert!((picture(chip, 1.0).height() - 384.0).abs() < 0.5);
    }

    #[test]
    fn a_camera_that_is_saved_opens_where_it_was() {
        let screen = Rect::from_min_size(pos2(272.0, 52.0), vec2(860.0, 612.0));
        let narrow = Rect::from_min_size(pos2(0.0, 52.0), vec2(430.0, 612.0));
        for (screen, beside, covered) in [
            (screen, screen.x_range(), 0.0),
            (screen, screen.x_range(), 134.0),
            (screen, Rangef::new(272.0, 900.0), 60.0),
            (narrow, narrow.x_range(), 90.0),
        ] {
            let camera = Camera {
                center: Vec2::new(312.5, -40.0),
                zoom: 0.46,
                screen,
            };
            let said = camera.to_scene(Camera::free(screen, beside, covered));
            let of = |free| Camera::of_scene(&said, free);
            let opened = Camera::above(screen, beside, covered, of);
            assert!((opened.zoom - camera.zoom).abs() < 1e-4);
            assert!((opened.center - camera.center).length() < 0.01);
        }
    }

    #[test]
    fn a_screen_without_room_leaves_a_camera_as_near_as_it_is() {
        let area = Aabb::new(Vec2::ZERO, Vec2::new(480.0, 300.0));
        let camera = Camera::framing(area, rect(0.0, 0.0, 640.0, 400.0));
        for low in [rect(0.0, 36.0, 640.0, 36.0), rect(0.0, 36.0, 640.0, 20.0)] {
            let there = camera.filling(low, area);
            assert_eq!((there.zoom, there.screen), (camera.zoom, low));
            let back = there.filling(camera.screen, area);
            assert_eq!(back, camera);
        }
    }

    #[test]
    fn zooming_keeps_the_world_under_the_pointer() {
        let mut camera = Camera::framing(
            Aabb::new(Vec2::ZERO, Vec2::new(1200.0, 900.0)),
            rect(272.0, 32.0, 976.0, 600.0),
        );
        let at = pos2(400.0, 200.0);
        let before = camera.to_world(at);
        camera.zoom_at(at, 3.0);
        assert!((camera.to_world(at) - before).length() < 1e-2);
        assert!((camera.to_screen(before) - at).length() < 1e-2);
    }

    #[test]
    fn scale_bars_show_round_lengths() {
        let mut camera = Camera::framing(
            Aabb::new(Vec2::ZERO, Vec2::ONE),
            rect(0.0, 0.0, 100.0, 100.0),
        );
        camera.zoom = 1.0;
        assert_eq!(camera.round_length(120.0), 100.0);
        assert_eq!(camera.round_length(70.0), 50.0);
        camera.zoom = 0.01;
        assert_eq!(camera.round_length(70.0), 5000.0);
    }
}
