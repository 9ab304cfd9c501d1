//! The units: arrows that show side and way. Which of them are in view the structure itself answers; only where the view has
//! moved on before the answer came are all of them looked through.

use super::look::Look;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::Mesh;
use crate::app::view::marks::{LEAST_NOTCHED, notch};
use egui_macroquad::egui::{Color32, Pos2, Rect, Vec2 as ScreenVec2, vec2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::UnitId;
use skirmish::scene::Side;
use skirmish::story::Standing;

/// The length of a unit, in metres, where it is large enough to be drawn to scale.
const LENGTH_METRES: f32 = 4.2;
/// Its least length in points, down to half a point a metre, where others stand no closer.
const LENGTH_POINTS: f32 = 7.0;
/// Shorter than this it is a square.
pub const SQUARE_BELOW: f32 = 4.0;
/// So wide a square is where units stand closer than that, as a part of how far they are apart: there is field between two of them.
const SQUARE_SHARE: f32 = 0.7;
/// So many points shorter than to scale an arrow is no more, however close others stand: whoever comes so near looks for its way.
const SHORTER_THAN_SCALE: f32 = 10.0;
/// Shorter than this, there are no units but a density.
pub const DENSITY_BELOW: f32 = 1.5;
/// A point is no larger than this, in points, however near one comes: two that stand apart are seen apart.
const MOST_POINTS: f32 = 18.0;
/// So much of the way to the next one an arrow of a point takes that is large: two whose tips meet would be one. They meet nowhere from that room
/// on of which this share is [`LEAST_FACING`].
const FACING_SHARE: f32 = 0.75;
/// It is no shorter for that than this, in points: its way is to be seen.
const LEAST_FACING: f32 = 10.0;
/// Who stand closer than this, in metres, stand on one spot: that their arrows are short parts them nowhere.
const LEAST_APART: f32 = 0.05;
/// So much of a body an arrow may take.
const BODY_SHARE: f32 = 0.5;
/// More units in view than this overlap to a carpet and cost a frame too much: they become a density.
pub const MOST_ARROWS: usize = 30_000;

/// The units in view.
#[derive(Debug, Default)]
pub struct Units {
    visible: Vec<UnitId>,
    large: LargeBodies,
}

/// Of which part of the field one must know the units that are in it; `None` where they become a density, or are not drawn.
///
/// `most` is how many are drawn one by one.
pub fn area(look: &Look<'_>, most: usize) -> Option<Aabb> {
    let widest = length_alone(look.camera.zoom);
    if !look.layers.shows(Layer::Units) || widest < DENSITY_BELOW {
        return None;
    }
    // An arrow reaches into the view from a little outside.
    let view = look
        .camera
        .view()
        .grown(Vec2::splat(widest / look.camera.zoom));
    let crowd = look.alive() as usize > most && view.contains_box(look.field);
    (!crowd).then_some(view)
}

/// The length of a unit in points. In a crowd its arrow would lie over the next one's, and the gaps of such a row point backwards:
/// there it gives way, down to a square without a way.
pub fn length(look: &Look<'_>) -> f32 {
    length_among(look.camera.zoom, look.apart)
}

/// The same where units stand `apart`, in metres.
fn length_among(zoom: f32, apart: f32) -> f32 {
    let alone = length_alone(zoom);
    let room = (apart * zoom).max(LENGTH_METRES * zoom - SHORTER_THAN_SCALE);
    let arrow = alone.min(room);
    if arrow >= SQUARE_BELOW {
        return arrow;
    }
    let square = (SQUARE_SHARE * room).max(DENSITY_BELOW);
    alone.min(square)
}

/// How long the marks of so many units are at the least that say more than others, in points: a few are arrows among squares, many are long
/// enough to be seen, but no longer than they have room.
fn least_marked(look: &Look<'_>, count: usize) -> f32 {
    least_marked_among(look.apart * look.camera.zoom, count)
}

/// The same where units stand so far apart, in points.
fn least_marked_among(room: f32, count: usize) -> f32 {
    /// More are many.
    const FEW: usize = 100;
    /// In points.
    const LEAST: f32 = 2.0;
    match count <= FEW {
        true => SQUARE_BELOW,
        // Where these are squares there is field between two of them: lines side by side would be a net.
        false if room < SQUARE_BELOW => (SQUARE_SHARE * room).max(LEAST),
        false => SQUARE_BELOW,
    }
}

/// How much is left of the mark of who was tested in vain, where so many were: a few are looked at one by one, and of a whole army the lines
/// would be louder than whom one looks for. It goes by all who were tested, and so is the same from far off and from near by.
pub fn left_of_tested(count: usize) -> f32 {
    /// More of them are paler and paler.
    const FEW: f32 = 100.0;
    const LEAST: f32 = 0.55;
    (FEW / count.max(1) as f32).sqrt().clamp(LEAST, 1.0)
}

/// The colour of the mark of who was tested in vain, where so many were.
fn tested_ink(palette: &Palette, count: usize) -> Color32 {
    faded(palette.tested, left_of_tested(count))
}

/// The length of a unit that stands alone, in points at this zoom.
pub fn length_alone(zoom: f32) -> f32 {
    if zoom >= 0.5 {
        (LENGTH_METRES * zoom).max(LENGTH_POINTS)
    } else {
        LENGTH_POINTS * zoom / 0.5
    }
}

impl Units {
    /// Finds who is in view, and says whether they are more than `most` and to be drawn as a density.
    pub fn choose(&mut self, look: &Look<'_>, most: usize) -> bool {
        self.visible.clear();
        if !look.layers.shows(Layer::Units) {
            return false;
        }
        let Some(view) = area(look, most) else {
            return true;
        };
        let bodies = look.battle.bodies();
        if look
            .culled
            .area
            .is_some_and(|known| known.contains_box(view))
        {
            let alive = |unit: &UnitId| bodies.is_alive(*unit);
            self.visible
                .extend(look.culled.units.iter().copied().filter(alive));
        } else {
            let in_view = bodies
                .ids()
                .filter(|unit| bodies.aabb(*unit).overlaps(view));
            self.visible.extend(in_view.take(most + 1));
        }
        self.visible.len() > most
    }

    /// Draws everyone in view.
    pub fn draw(&mut self, mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
        let bodies = look.battle.bodies();
        let length = length(look);
        let Self { visible, large } = self;
        large.begin(length);
        if bodies.are_sized() {
            for &unit in visible.iter() {
                let rect = look.camera.rect_to_screen(bodies.aabb(unit));
                if rect.width() > 2.0 {
                    let color = palette.side(look.battle.sides()[unit as usize]);
                    mesh.fill(rect, faded(color, 0.10));
                    large.outline(mesh, rect, faded(color, 0.55));
                }
            }
        }
        for &unit in visible.iter() {
            let color = palette.side(look.battle.sides()[unit as usize]);
            let length = fitted(look, unit, length);
            arrow(mesh, look, unit, length, color);
            tail(mesh, look, palette, unit, length);
        }
        large.draw(mesh);
    }
}

/// The lines around bodies that hold many others: over these, for below them nothing of a giant in a crowd would be seen.
#[derive(Debug, Default)]
struct LargeBodies {
    /// From how many points on.
    least: f32,
    /// Those of this picture; kept for the next one, so that none grows it anew.
    all: Vec<(Rect, Color32)>,
}

impl LargeBodies {
    /// So many times as wide as an arrow is long a body is.
    const SHARE: f32 = 3.0;

    /// Begins a picture in which arrows are so long, in points.
    fn begin(&mut self, length: f32) {
        self.least = Self::SHARE * length;
        self.all.clear();
    }

    /// Draws the line around a body, or keeps it for later.
    fn outline(&mut self, mesh: &mut Mesh, rect: Rect, color: Color32) {
        match rect.width().max(rect.height()) >= self.least {
            true => self.all.push((rect, color)),
            false => mesh.outline(rect, 1.0, color),
        }
    }

    /// Draws those that were kept.
    fn draw(&self, mesh: &mut Mesh) {
        for (rect, color) in &self.all {
            mesh.outline(*rect, 1.0, *color);
        }
    }
}

impl Units {
    /// Draws everyone in view as what has happened to them, where something has to so many in all.
    pub fn draw_told(
        &mut self,
        mesh: &mut Mesh,
        look: &Look<'_>,
        palette: &Palette,
        standing: &dyn Fn(UnitId) -> Standing,
        tested: usize,
    ) {
        let bodies = look.battle.bodies();
        let Self { visible, large } = self;
        let (mut found, mut marked) = (0, 0);
        for unit in visible.iter() {
            let standing = standing(*unit);
            found += usize::from(standing == Standing::Found);
            marked += usize::from(!matches!(standing, Standing::NotYet | Standing::LeftOut));
        }
        let marks = Marks {
            least: least_marked(look, marked),
            are_outlined: found <= MOST_OUTLINED,
            tested: tested_ink(palette, tested),
        };
        large.begin(length(look));
        for &unit in visible.iter() {
            let side = look.battle.sides()[unit as usize];
            let standing = standing(unit);
            if bodies.are_sized() {
                let rect = look.camera.rect_to_screen(bodies.aabb(unit));
                if rect.width() > 2.0 {
                    let color = match standing {
                        Standing::NotYet | Standing::LeftOut => palette.quiet_body(side),
                        _ => palette.told_body(),
                    };
                    large.outline(mesh, rect, color);
                }
            }
            draw_one(mesh, look, palette, (unit, standing), &marks);
        }
        large.draw(mesh);
    }

    /// Draws those to whom something has happened, who are so many in all, over a density, so small that many of them leave it in sight.
    pub fn draw_few_told(
        mesh: &mut Mesh,
        look: &Look<'_>,
        palette: &Palette,
        (units, tested): (impl Iterator<Item = (UnitId, Standing)>, usize),
    ) {
        let tested = tested_ink(palette, tested);
        let (battle, view) = (look.battle, look.camera.view());
        let (positions, bodies) = (battle.positions(), battle.bodies());
        let side = length(look).clamp(1.5, 3.0);
        for (unit, standing) in units {
            let row = unit as usize;
            let is_there = bodies.is_alive(unit) && view.contains(positions[row]);
            if is_there {
                let color = match standing {
                    Standing::Found | Standing::Nearest => {
                        palette.side_hits[battle.sides()[row] as usize]
                    }
                    _ => tested,
                };
                let at = look.camera.to_screen(positions[row]);
                mesh.fill(Rect::from_center_size(at, vec2(side, side)), color);
            }
        }
    }
}

/// How large a unit is at which nobody looks, as a part of one to which the search may yet come: paler it would be lost on the field.
pub const LEFT_OUT: f32 = 0.6;

/// Shorter than this, in points, none has one either.
const LEAST_OUTLINED: f32 = 6.5;

/// Of more units that are found none has a line in the colour of the field around it.
const MOST_OUTLINED: usize = 3_000;

/// How long a unit is at which nobody looks, of one that is so long otherwise; and whether it is a square. It has the shape of the whole one:
/// a square as large as an arrow would be taken for somebody else.
fn left_out(whole: f32) -> (f32, bool) {
    let small = LEFT_OUT * whole;
    match whole < SQUARE_BELOW {
        // Below a point it may fall between the pixels.
        true => (small.max(1.0), true),
        false => (small, false),
    }
}

/// How units are marked to whom something has happened.
struct Marks {
    /// How long their marks are at the least, in points.
    least: f32,
    /// Whether who is found has a line around it.
    are_outlined: bool,
    /// The colour of the line around who was tested in vain.
    tested: Color32,
}

/// Draws a unit as what has happened to it.
fn draw_one(
    mesh: &mut Mesh,
    look: &Look<'_>,
    palette: &Palette,
    (unit, standing): (UnitId, Standing),
    marks: &Marks,
) {
    let length = fitted(look, unit, length(look));
    let marked = length.max(marks.least);
    let side = look.battle.sides()[unit as usize];
    match standing {
        Standing::NotYet => {
            arrow(mesh, look, unit, length, palette.quiet(side));
            tail(mesh, look, palette, unit, length);
        }
        Standing::LeftOut => {
            let color = palette.quiet(side);
            match left_out(length) {
                (small, true) => arrow(mesh, look, unit, small, color),
                (small, false) => mesh.triangle(corners(look, unit, small), color),
            }
        }
        Standing::Tested => {
            arrow(mesh, look, unit, marked, palette.field);
            lines_around(mesh, look, (unit, marked), (1.3, marks.tested));
        }
        Standing::Nearest => {
            // The line of who is tested in the colour of who is found, and not filled: it may yet be farther than the others.
            arrow(mesh, look, unit, marked, palette.field);
            let line = (1.8, palette.side_hits[side as usize]);
            lines_around(mesh, look, (unit, marked), line);
        }
        Standing::Found => {
            found(mesh, look, palette, (unit, marked), marks.are_outlined);
        }
    }
}

/// How long a mark over an arrow is that is so long. A square has no room to be longer than the others are.
fn longer(length: f32) -> f32 {
    if length < SQUARE_BELOW {
        length
    } else {
        length + 1.0
    }
}

/// Draws a unit that was found, so long: where it `is_outlined`, around it is a line in the colour of the field, so that many are no one blob,
/// and within that, where there is room for it, one in the colour of marks.
fn found(
    mesh: &mut Mesh,
    look: &Look<'_>,
    palette: &Palette,
    (unit, length): (UnitId, f32),
    is_outlined: bool,
) {
    let side = look.battle.sides()[unit as usize];
    let is_marked = length >= 10.0;
    // Those that are smaller lie over each other: of most nothing but the line would be left.
    if length >= LEAST_OUTLINED && is_outlined {
        let around = if is_marked { 6.0 } else { 3.0 };
        mesh.triangle(corners(look, unit, length + around), palette.field);
    }
    if is_marked {
        mesh.triangle(corners(look, unit, length + 4.0), palette.mark);
    }
    let length = longer(length);
    arrow(mesh, look, unit, length, palette.side_hits[side as usize]);
    tail(mesh, look, palette, unit, length);
}

/// The length of this unit's arrow: it lies inside the unit's body, as long as it can be seen.
pub fn fitted(look: &Look<'_>, unit: UnitId, length: f32) -> f32 {
    let bodies = look.battle.bodies();
    if !bodies.are_sized() {
        return length.min(most_of_point(look.apart, look.camera.zoom));
    }
    let size = bodies.aabb(unit).size() * look.camera.zoom;
    let fits = size.min_element() * BODY_SHARE;
    length.min(fits.max(LENGTH_POINTS))
}

/// How long the arrow of a point is at the most, in points, where units stand so far `apart`, in metres, at this zoom. Two who face each other do
/// not meet from a room of 10 / 0.75 points on; who has less has arrows of 10 points all the same, and who stands on one spot those of who stands
/// alone.
fn most_of_point(apart: f32, zoom: f32) -> f32 {
    if apart < LEAST_APART {
        return MOST_POINTS;
    }
    // In wide steps, the one below: how far apart most stand changes a little all the time in a battle, and no arrow is to grow and shrink with it.
    // Not at two metres, which is how far apart units are kept unless a scene says otherwise.
    let steady = (((2.0 * apart.log2() - 0.5).floor() + 0.5) / 2.0).exp2();
    MOST_POINTS.min((FACING_SHARE * steady * zoom).max(LEAST_FACING))
}

/// Draws who was tested and found by the query, over the others.
pub fn draw_marked(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    let Some(query) = look.query() else { return };
    if look.layers.shows(Layer::Tests) {
        let ink = tested_ink(palette, query.tested.len());
        let whole = length(look).max(least_marked(look, query.tested.len()));
        for (unit, length) in apart(look, &query.tested, whole) {
            lines_around(mesh, look, (unit, longer(length)), (1.0, ink));
        }
    }
    draw_found(mesh, look, palette, &query.hits);
}

/// Draws who was found by a query, over the others.
pub fn draw_found(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette, hits: &[UnitId]) {
    let whole = length(look).max(least_marked(look, hits.len()));
    let shown: Vec<_> = apart(look, hits, whole).collect();
    let is_outlined = shown.len() <= MOST_OUTLINED;
    for unit in shown {
        found(mesh, look, palette, unit, is_outlined);
    }
}

/// Those of `units` that are alive and whose marks reach into the view, in their order, each with the length that it has where there is room for
/// `whole`. Of many, only the first of each side within the same pixel or two: marks are larger than that, so that the others would be
/// drawn for nothing.
fn apart<'l>(
    look: &'l Look<'_>,
    units: &'l [UnitId],
    whole: f32,
) -> impl Iterator<Item = (UnitId, f32)> + 'l {
    /// So many cost a frame nothing.
    const FEW: usize = 500;
    /// So much farther than a unit its marks reach, in points.
    const AROUND: f32 = 6.0;
    let screen = look.camera.screen;
    let mut taken = (units.len() > FEW).then(|| Taken::of(screen.expand(MOST_POINTS + AROUND)));
    let bodies = look.battle.bodies();
    units.iter().copied().filter_map(move |unit| {
        if !bodies.is_alive(unit) {
            return None;
        }
        let row = unit as usize;
        let at = look.camera.to_screen(look.battle.positions()[row]);
        let length = fitted(look, unit, whole);
        let is_seen = screen.expand(length + AROUND).contains(at);
        let side = look.battle.sides()[row];
        let is_first = is_seen && taken.as_mut().is_none_or(|taken| taken.take(at, side));
        is_first.then_some((unit, length))
    })
}

/// Where on the screen somebody of each side is marked already: a bit a side and place.
struct Taken {
    rect: Rect,
    width: usize,
    bits: Vec<u64>,
}

impl Taken {
    /// How close is too close, in points.
    const STEP: f32 = 1.5;

    fn of(rect: Rect) -> Self {
        let [width, height] =
            [rect.width(), rect.height()].map(|side| (side / Self::STEP).max(0.0) as usize + 1);
        let bits = vec![0; (2 * width * height).div_ceil(64)];
        Self { rect, width, bits }
    }

    /// Takes a place; says whether nobody of this side had it. Whoever stands beyond is as large as a mark is nowhere else: of them there are few.
    fn take(&mut self, at: Pos2, side: Side) -> bool {
        if !self.rect.contains(at) {
            return true;
        }
        let [column, row] = [at.x - self.rect.left(), at.y - self.rect.top()]
            .map(|away| (away / Self::STEP).max(0.0) as usize);
        let place = 2 * (row * self.width + column) + side as usize;
        let bit = 1 << (place % 64);
        self.bits.get_mut(place / 64).is_none_or(|bits| {
            let is_free = *bits & bit == 0;
            *bits |= bit;
            is_free
        })
    }
}

/// The corners of a unit's arrow: the tip, then the two at the back.
pub fn corners(look: &Look<'_>, unit: UnitId, length: f32) -> [Pos2; 3] {
    let row = unit as usize;
    let at = look.camera.to_screen(look.battle.positions()[row]);
    let velocity = look.battle.velocities()[row];
    let way = velocity
        .try_normalize()
        .unwrap_or(match look.battle.sides()[row] {
            Side::Blue => Vec2::X,
            Side::Orange => Vec2::NEG_X,
        });
    let (along, across) = (
        vec2(way.x, way.y) * length,
        vec2(-way.y, way.x) * length * 0.34,
    );
    [
        at + along * 0.58,
        at - along * 0.42 + across,
        at - along * 0.42 - across,
    ]
}

/// The square of a unit that has no room for an arrow.
pub fn square(look: &Look<'_>, unit: UnitId, side: f32) -> Rect {
    let at = look.battle.positions()[unit as usize];
    Rect::from_center_size(look.camera.to_screen(at), vec2(side, side))
}

/// Draws a unit where it stands: an arrow so long, or the square that it is in a crowd.
pub fn arrow(mesh: &mut Mesh, look: &Look<'_>, unit: UnitId, length: f32, color: Color32) {
    arrow_carried(mesh, look, (unit, length), ScreenVec2::ZERO, color);
}

/// The same where it is carried to, so many points away.
pub fn arrow_carried(
    mesh: &mut Mesh,
    look: &Look<'_>,
    (unit, length): (UnitId, f32),
    by: ScreenVec2,
    color: Color32,
) {
    if length < SQUARE_BELOW {
        mesh.fill(square(look, unit, length).translate(by), color);
    } else {
        let corners = corners(look, unit, length);
        mesh.triangle(corners.map(|corner| corner + by), color);
    }
}

/// The lines around a unit's arrow that is so long, or around its square: those lie inside of it, no wider than leaves a hole.
fn lines_around(
    mesh: &mut Mesh,
    look: &Look<'_>,
    (unit, length): (UnitId, f32),
    (width, color): (f32, Color32),
) {
    if length < SQUARE_BELOW {
        let width = width.min(length / 4.0);
        let inside = square(look, unit, length).shrink(width / 2.0);
        mesh.outline(inside, width, color);
        return;
    }
    let [a, b, c] = corners(look, unit, length);
    for (from, to) in [(a, b), (b, c), (c, a)] {
        mesh.line(from, to, width, color);
    }
}

/// Where sides are marked: the notch in the tail of an orange unit's arrow.
fn tail(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette, unit: UnitId, length: f32) {
    let is_marked = palette.mark_sides && length >= LEAST_NOTCHED;
    if is_marked && look.battle.sides()[unit as usize] == Side::Orange {
        mesh.triangle(notch(corners(look, unit, length)), palette.field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::pos2;

    #[test]
    fn arrows_in_a_crowd_are_no_longer_than_units_stand_apart_and_at_last_squares_with_field_between_them()
     {
        // To scale, where there is room for that, and nearly so from near by, however close they are.
        assert_eq!(length_among(2.0, 5.0), 2.0 * LENGTH_METRES);
        assert_eq!(length_among(2.0, 2.0), 4.0);
        let near = 8.0 * LENGTH_METRES - SHORTER_THAN_SCALE;
        assert_eq!(length_among(8.0, 0.5), near);
        // The least length, where there is room for it.
        assert_eq!(length_among(1.0, 9.0), LENGTH_POINTS);
        assert_eq!(length_among(1.0, f32::INFINITY), LENGTH_POINTS);
        // Less, where there is not.
        assert_eq!(length_among(1.0, 5.0), 5.0);
        let mut before = 0.0;
        for tenths in 1..200 {
            let (zoom, apart) = (0.8, tenths as f32 / 10.0);
            let length = length_among(zoom, apart);
            assert!(length >= before, "{apart}: {length} after {before}");
            let room = (apart * zoom).max(DENSITY_BELOW);
            assert!(length <= room, "{apart}: {length}");
            assert!(length >= SQUARE_BELOW || length < room || room == DENSITY_BELOW);
            before = length;
        }
        // And never too small to be seen, or larger than alone.
        for zoom in [0.12, 0.3, 0.6] {
            let alone = length_alone(zoom);
            let crowd = length_among(zoom, 0.1);
            assert!(
                crowd <= alone && crowd >= DENSITY_BELOW.min(alone),
                "{zoom}"
            );
        }
    }

    #[test]
    fn whoever_comes_nearer_sees_no_unit_shrink_and_none_leap_from_the_smallest_square_to_an_arrow()
    {
        for apart in [0.0, 0.3, 1.0, 2.5, 3.3, 6.0, 40.0] {
            let mut before = 0.0;
            for step in 1..2_000 {
                let length = length_among(step as f32 * 0.005, apart);
                assert!(
                    length >= before,
                    "{apart} at {step}: {length} after {before}"
                );
                let leaps = before <= DENSITY_BELOW && length >= SQUARE_BELOW;
                assert!(!leaps, "{apart} at {step}: {before} to {length}");
                before = length;
            }
        }
    }

    #[test]
    fn large_arrows_of_two_who_look_at_each_other_do_not_meet() {
        // From the middle of an arrow to its tip, as `corners` has it.
        const TO_TIP: f32 = 0.58;
        for (zoom, tenths) in [0.5, 1.0, 7.0]
            .into_iter()
            .flat_map(|zoom| (130..400).map(move |it| (zoom, it)))
        {
            let room = tenths as f32 / 10.0;
            let free = room - 2.0 * TO_TIP * most_of_point(room / zoom, zoom);
            assert!(free >= 1.0, "{room}: {free}");
        }
        assert_eq!(most_of_point(f32::INFINITY, 1.0), MOST_POINTS);
        assert_eq!(most_of_point(1.0, 1.0), LEAST_FACING);
        // Whoever comes nearer sees none shrink.
        for apart in [0.0, 0.3, 4.0] {
            let zooms = (1..400).map(|tenths| most_of_point(apart, tenths as f32 / 10.0));
            assert!(zooms.is_sorted(), "{apart}");
        }
    }

    #[test]
    fn arrows_of_points_do_not_grow_and_shrink_with_every_tick_and_on_one_spot_they_are_whole() {
        // As far as it wanders: there are few lengths, however many distances.
        let lengths: Vec<f32> = (0..100)
            .map(|it| most_of_point(1.0 + it as f32 / 100.0, 14.0))
            .collect();
        let mut few = lengths.clone();
        few.dedup();
        assert!(few.len() <= 3, "{few:?}");
        // Around what units keep of each other, and at the ends of that.
        let around = [1.75, 1.9, 1.99, 2.0, 2.01, 2.1, 2.3].map(|it| most_of_point(it, 10.0));
        assert!(around.iter().all(|it| *it == around[0]), "{around:?}");
        for zoom in [0.1, 1.0, 500.0] {
            assert_eq!(most_of_point(0.0, zoom), MOST_POINTS);
            assert_eq!(most_of_point(LEAST_APART / 2.0, zoom), MOST_POINTS);
        }
    }

    #[test]
    fn a_few_marks_are_arrows_and_many_have_the_room_that_there_is() {
        for room in [0.1, 3.0, 50.0, f32::INFINITY] {
            assert_eq!(least_marked_among(room, 12), SQUARE_BELOW);
            let many = least_marked_among(room, 5_000);
            assert!((2.0..=4.0).contains(&many), "{room}: {many}");
            let has_field = many < room || many == 2.0;
            assert!(has_field, "{room}: {many}");
        }
        assert_eq!(least_marked_among(3.0, 5_000), 3.0 * SQUARE_SHARE);
        // Those of who was tested in vain are the paler the more there are, and can be seen.
        assert_eq!((left_of_tested(0), left_of_tested(100)), (1.0, 1.0));
        let mut before = 1.0;
        for count in [101, 200, 1_000, 1_000_000] {
            let left = left_of_tested(count);
            assert!(left <= before && left > 0.5, "{count}: {left}");
            before = left;
        }
    }

    #[test]
    fn who_is_left_out_has_the_shape_of_the_others_and_is_smaller() {
        for tenths in 15..=200 {
            let whole = tenths as f32 / 10.0;
            let (small, is_square) = left_out(whole);
            assert_eq!(is_square, whole < SQUARE_BELOW, "{whole}");
            assert!(small < whole && small >= 1.0, "{whole}: {small}");
        }
    }

    #[test]
    fn lines_around_bodies_that_hold_many_others_are_drawn_last() {
        let body = |side: f32| Rect::from_center_size(Pos2::ZERO, vec2(side, side));
        let mut mesh = Mesh::default();
        mesh.clear(1.0);
        let mut large = LargeBodies::default();
        large.begin(7.0);
        large.outline(&mut mesh, body(60.0), Color32::RED);
        assert!(mesh.vertices.is_empty(), "over what is drawn later on");
        large.outline(&mut mesh, body(9.0), Color32::RED);
        let small = mesh.vertices.len();
        assert!(small > 0);
        large.draw(&mut mesh);
        assert_eq!(mesh.vertices.len(), 2 * small);
        // In the next picture there are none of this one, and their room is kept.
        let room = large.all.capacity();
        large.begin(7.0);
        large.draw(&mut mesh);
        assert_eq!(mesh.vertices.len(), 2 * small);
        assert_eq!(large.all.capacity(), room);
    }

    #[test]
    fn of_many_within_a_pixel_the_first_of_each_side_is_marked_beside_the_view_as_well() {
        let screen = Rect::from_min_max(pos2(280.0, 32.0), pos2(960.0, 500.0));
        let mut taken = Taken::of(screen.expand(MOST_POINTS));
        for at in [pos2(270.0, 20.0), screen.center(), screen.max] {
            for side in [Side::Blue, Side::Orange] {
                assert!(taken.take(at, side), "{at:?}");
                assert!(!taken.take(at + vec2(0.01, 0.01), side), "{at:?}");
                assert!(taken.take(at + vec2(3.0, 0.0), side), "{at:?}");
            }
        }
        assert!(taken.take(pos2(0.0, 0.0), Side::Blue) && taken.take(pos2(0.0, 0.0), Side::Blue));
    }
}
