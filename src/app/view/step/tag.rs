//! The words about what a step does to a region: inside the field, beside that region where they would lie on who stands in it.

use crate::app::palette::Palette;
use crate::app::theme::{layout, size, text};
use crate::app::view::field::{
    Costly, Crowd, Disc, Look, STRADDLING, all_edges, cheapest, gap, is_apart, leader,
    leader_to_disc, off_field, settled, straddles,
};
use crate::app::widgets::{clear_place, look_at, looked_at, place};
use egui_macroquad::egui::{CornerRadius, Galley, Id, Painter, Pos2, Rect, Vec2, pos2, vec2};
use std::sync::Arc;

/// What a tag is about.
#[derive(Clone, Copy)]
pub enum About<'a> {
    /// A region that was clicked.
    Region,
    /// The region to which something happens at a step, while another one has its turn, whose box has dashes, or none.
    Step(Option<Rect>),
    /// The nearest of these discs.
    Discs(&'a [Disc]),
}

/// A tag at a corner, light where everything is dark; inside the field, or beside it where it would hide somebody there, off the chips at the
/// edges, and there where it hides the least of what one looks at, and none of the lines around whom the region holds. A line leads to
/// the region, or to the nearest of some discs in it. Gives where it and its line lie.
pub fn tag(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (region, held, about): (Rect, Option<Rect>, About<'_>),
    (words, short, crowd): (&str, Option<&str>, &Crowd),
) -> Vec<Rect> {
    let lay_out =
        |words: &str| painter.layout_no_wrap(words.to_owned(), text(size::SECOND), palette.panel);
    // All of it, or the short form, or no more than a name, for the panel says the rest: where beside what one looks at there is no room for all,
    // or where all of it would hide more.
    let is_narrow = lay_out(words).size().x + 12.0 > look.room.width() * 0.45;
    let forms = forms_of(words, short, is_narrow).into_iter();
    let forms: Vec<(Arc<Galley>, usize)> =
        forms.map(|(words, cost)| (lay_out(words), cost)).collect();
    let looked_at = looked_at(painter.ctx());
    let size_of = |galley: &Arc<Galley>| galley.size() + vec2(12.0, 4.0);
    let sizes = forms.iter().map(|(galley, cost)| (size_of(galley), *cost));
    let sizes: Vec<(Vec2, usize)> = sizes.collect();
    let field = look.camera.rect_to_screen(look.field);
    let room = Room {
        field: field.intersect(look.room),
        view: look.room,
        looked_at: &looked_at,
        taken: look.taken,
        about,
    };
    let places = room.places((region, held), &sizes, crowd);
    // A step looks the same from whichever side one comes to it.
    let found = match look.runs {
        true => settled(painter.ctx(), Id::new("tag of a node"), &places),
        false => cheapest(&places),
    };
    let found = found.map(|(place, rect)| (place / OF_FORM, rect));
    let at_all = || {
        let below = look.taken.iter();
        let below = below.map(|taken| pos2(region.left(), taken.bottom() + 5.0));
        let (last, _) = *sizes.last()?;
        let rect = clear_place(look.room.shrink(2.0), last, below, look.taken)?;
        Some((forms.len() - 1, rect))
    };
    let Some((form, rect)) = found.or_else(at_all) else {
        return Vec::new();
    };
    let mut lies = match about {
        About::Region | About::Step(_) | About::Discs([]) => {
            leader(painter, (rect, 0.0), region, palette.text)
        }
        About::Discs(discs) => leader_to_disc(painter, rect, discs, palette.text),
    };
    painter.rect_filled(rect, CornerRadius::ZERO, palette.text);
    let galley = Arc::clone(&forms[form].0);
    painter.galley(rect.min + vec2(6.0, 2.0), galley, palette.panel);
    look_at(painter.ctx(), rect);
    place(painter.ctx(), "step.tag", rect);
    lies.push(rect);
    lies
}

/// In how many words a tag may say what it has to, the most first, and what it costs that it says no more: where all of it is too wide for the
/// view the short form comes first.
fn forms_of<'w>(words: &'w str, short: Option<&'w str>, is_narrow: bool) -> Vec<(&'w str, usize)> {
    let name = words.split_once(" · ").map(|(name, _)| name);
    let whole = Some(words).filter(|_| short.is_none() || !is_narrow);
    let forms = [
        whole.map(|words| (words, 0)),
        short.map(|words| (words, SHORTER)),
        name.filter(|name| short != Some(*name))
            .map(|name| (name, NAME_ALONE)),
    ];
    forms.into_iter().flatten().collect()
}

/// What it costs that a tag lies on the very region that it is about: it hides what one is told of.
fn on_region(crowd: &Crowd, tag: Rect, region: Rect) -> usize {
    /// Each who stands there is worth as much as so many others, and a region that is hidden by it as so many more.
    const OWN: usize = 4;
    const HIDDEN: usize = 40;
    let common = tag.intersect(region);
    if !common.is_positive() {
        return 0;
    }
    let is_hidden = common.area() > region.area() / 4.0;
    OWN * crowd.within(common) + if is_hidden { HIDDEN } else { 0 }
}

/// What it costs that a tag lies on others than those of its region, or on their edges, beyond what that costs all words: a little farther off
/// it hides nobody.
fn on_others(crowd: &Crowd, tag: Rect, region: Rect) -> usize {
    /// Whoever stands so near is drawn partly below it, in points.
    const EDGE: f32 = 5.0;
    /// So many more are hidden as it would seem, as long as there are some.
    const SOME: usize = 4;
    let around = tag.expand(EDGE);
    let others = crowd.within(around) - crowd.within(around.intersect(region));
    match others {
        0 => 0,
        others => SOME + others.min(SOME),
    }
}

/// What it costs that a tag stands far off, beyond what that costs all words: whoever goes from step to step looks at the region.
fn far_off(tag: Rect, region: Rect) -> usize {
    /// So many points are worth as much as one more who is hidden.
    const EACH: f32 = 24.0;
    let away = gap(tag, region);
    if away.is_finite() {
        (away / EACH) as usize
    } else {
        0
    }
}

/// What it costs that a tag lies on the lines around a rectangle, which are looked at with the region.
fn on_lines(tag: Rect, held: Rect) -> usize {
    const STRUCK: usize = 12;
    let is_on = tag.intersects(held) && !held.contains_rect(tag);
    if is_on { STRUCK } else { 0 }
}

/// What it costs that a tag lies across the border of its own region: where that ends is what one is told of.
fn on_border(tag: Rect, region: Rect) -> usize {
    const STRUCK: usize = 6;
    let is_on = tag.shrink(0.5).intersects(region) && !region.expand(0.5).contains_rect(tag);
    if is_on { STRUCK } else { 0 }
}

/// What it costs that a tag is read as the name of another region than its own: it lies within the dashes of the one that has its turn, unless
/// its own is a part of that or holds it there, or in the field right beside its own, from where no line leads there.
fn on_another(tag: Rect, (region, field): (Rect, Rect), turn: Option<Rect>) -> usize {
    const OF_TURN: usize = 60;
    const UNLED: usize = 6;
    let inner = tag.shrink(0.5);
    let is_in_turn = turn.is_some_and(|turn| {
        let common = turn.intersect(inner);
        // Dashes lie a point within the box that they are of.
        let is_part = turn.expand(1.5).contains_rect(region);
        common.is_positive() && !is_part && !region.contains_rect(common)
    });
    let is_unled = inner.intersects(field) && !inner.intersects(region) && !is_apart(tag, region);
    usize::from(is_in_turn) * OF_TURN + usize::from(is_unled) * UNLED
}

/// Whether what is seen of the field has room for a tag of this size beside what it is about.
fn has_room(field: Rect, size: Vec2) -> bool {
    field.width() >= 2.0 * size.x && field.height() >= HIGH
}

/// So many places a form of a tag may have at the most, and so many in one room; shorter words are worth it where they hide so many fewer, and
/// a name alone four times as many, whatever other forms there are, and so is a place beside the field.
const OF_FORM: usize = 1000;
const OF_ROOM: usize = 500;
/// From this number on they are those for where chips take the others.
const OFF_CHIPS: usize = 400;
/// From this number on they are those off the field, level with the region.
const LEVEL: usize = 470;
const SHORTER: usize = 3;
const NAME_ALONE: usize = 4 * SHORTER;
const BESIDE: usize = 4;

/// How far off a region a tag may stand, in points, before it is sought at the edges; so far off it is near.
const OFF_CORNERS: [f32; 3] = [16.0, 48.0, NEAR];
const NEAR: f32 = 96.0;
/// Within a large region a tag stands so far off its sides, in points, at so many heights.
const IN: f32 = 3.0;
const ROWS: u8 = 6;
/// In a field that is lower than this, in points, the edges are no way off.
const HIGH: f32 = 200.0;

/// In what a tag stands: what is seen of the field, all of the view, what one looks at, and what has its place there already.
struct Room<'a> {
    field: Rect,
    view: Rect,
    looked_at: &'a [Rect],
    taken: &'a [Rect],
    about: About<'a>,
}

impl Room<'_> {
    /// Where a tag of one of these sizes, each with what its words cost, may stand that is about a region, with what that costs, whichever of the others there are: in the
    /// field, and beside it where near the region there is no place in it that hides nobody.
    fn places(
        &self,
        (region, held): (Rect, Option<Rect>),
        sizes: &[(Vec2, usize)],
        crowd: &Crowd,
    ) -> Vec<Costly> {
        let on_lines = |rect: Rect| held.map_or(0, |held| on_lines(rect, held));
        let on_another = |rect: Rect| match self.about {
            About::Step(turn) => on_another(rect, (region, self.field), turn),
            About::Region | About::Discs(_) => 0,
        };
        let hides = |rect: Rect| {
            let units = on_region(crowd, rect, region) + on_others(crowd, rect, region);
            units + on_lines(rect) + on_another(rect)
        };
        // Past the chips at the edges of the view.
        let inner = self.view.shrink(layout::CHIP - 0.5);
        let sticks_out = |rect: Rect| !inner.contains_rect(rect);
        let costs = |(form, words): (usize, usize), (place, rect): (usize, Rect)| {
            let (seen, cost) = crowd.costs(rect, region, self.looked_at);
            let cost = cost + words + hides(rect) + far_off(rect, region);
            let cost = cost + on_border(rect, region) + usize::from(sticks_out(rect));
            let cost = cost + if place < OF_ROOM { 0 } else { BESIDE };
            let cost = cost + if self.straddles(rect) { STRADDLING } else { 0 };
            (OF_FORM * form + place, rect, (seen, cost))
        };
        let each = |of: &dyn Fn(Vec2) -> Vec<(usize, Rect)>| -> Vec<Costly> {
            let forms = (0..).zip(sizes);
            let each = forms.flat_map(|(form, &(size, words))| {
                let places = of(size).into_iter();
                places.map(move |place| costs((form, words), place))
            });
            each.collect()
        };
        let mut places = each(&|size| self.inside(region, size));
        let is_good = |(_, rect, (seen, _)): &Costly| {
            let is_clear = hides(*rect) == 0 && !self.straddles(*rect);
            *seen == 0 && gap(*rect, region) <= NEAR && is_clear
        };
        if self.is_reached_by(region) || !places.iter().any(is_good) {
            places.extend(each(&|size| self.off_chips(region, size)));
        }
        if !places.iter().any(is_good) {
            places.extend(each(&|size| self.beside(region, size)));
        }
        places
    }

    /// Whether a region reaches as far as where the view ends, and with it the chips there.
    fn is_reached_by(&self, region: Rect) -> bool {
        !self.view.shrink(layout::CHIP).contains_rect(region)
    }

    /// The places in the field, each with its number; in all of the view where that has no room for it.
    fn inside(&self, region: Rect, size: Vec2) -> Vec<(usize, Rect)> {
        let room = self.room_for(size);
        places_in(room, (region, size), (self.looked_at, self.taken))
    }

    /// More of them, for where chips take most of those.
    fn off_chips(&self, region: Rect, size: Vec2) -> Vec<(usize, Rect)> {
        places_off_chips(self.room_for(size), (region, size), self.taken)
    }

    fn room_for(&self, size: Vec2) -> Rect {
        match has_room(self.field, size) {
            true => self.field,
            false => self.view,
        }
    }

    /// Whether a tag lies across the border of the field, where that is in view.
    fn straddles(&self, tag: Rect) -> bool {
        self.field.is_positive() && straddles(tag, self.field)
    }

    /// Those beside the field, off its border: of one that has no room for it all others are in all of the view as it is.
    fn beside(&self, region: Rect, size: Vec2) -> Vec<(usize, Rect)> {
        if self.field.contains_rect(self.view) {
            return Vec::new();
        }
        let level = (LEVEL..).zip(off_field(self.field, region, size));
        let mut places = free_of(level, (self.view.shrink(2.0), size), self.taken);
        if has_room(self.field, size) {
            let all = (self.looked_at, self.taken);
            places.extend(places_in(self.view, (region, size), all));
            places.extend(places_off_chips(self.view, (region, size), self.taken));
        }
        let places = places.into_iter();
        let places =
            places.filter(|(_, rect)| !self.straddles(*rect) && !self.field.intersects(*rect));
        places
            .map(|(place, rect)| (OF_ROOM + place, rect))
            .collect()
    }
}

/// Where in a room a tag of this size may stand that is about a region, each place with its number.
fn places_in(
    room: Rect,
    (region, size): (Rect, Vec2),
    (looked_at, taken): (&[Rect], &[Rect]),
) -> Vec<(usize, Rect)> {
    let room = room.shrink(2.0);
    let is_small = is_small(region, size);
    let off = if is_small { size.y } else { 0.0 };
    // At its upper left corner, else at another one, or beside it, else below what lies there.
    let top = region.top() - off;
    let foot = region.bottom() - size.y + off;
    let right = region.right() - size.x;
    let middle = region.center().y - size.y / 2.0;
    let corners = [
        pos2(region.left(), top),
        pos2(right, top),
        pos2(region.left(), foot),
        pos2(right, foot),
    ];
    let beside = [
        pos2(region.right(), middle),
        pos2(region.left() - size.x, middle),
    ];
    let beside = beside.into_iter().filter(|_| is_small);
    // A larger one holds it, where that is empty, or has it along one of its sides.
    let along = [
        pos2(region.left(), region.top() - size.y - 2.0),
        pos2(right, region.top() - size.y - 2.0),
        pos2(region.left(), region.bottom() + 2.0),
        pos2(right, region.bottom() + 2.0),
        pos2(region.right() + 2.0, region.top()),
        pos2(region.left() - size.x - 2.0, region.top()),
    ];
    let along = along.into_iter().filter(|_| !is_small);
    // Where that is too near to what one looks at, above or below that, or beside it.
    let left = region.center().x - size.x / 2.0;
    let lowest = room.bottom() - size.y;
    let off_it = looked_at.iter().flat_map(|other| {
        let (above, below) = (other.top() - size.y - 2.0, other.bottom() + 2.0);
        let (before, behind) = (other.left() - size.x - 2.0, other.right() + 2.0);
        let places = [
            (left, above),
            (left, below),
            (behind, lowest),
            (before, lowest),
        ];
        places.map(|(x, y)| pos2(x, y))
    });
    let off_it = off_it.filter(|_| is_small);
    // And around it, a little farther off: room there is nearer than at the edges.
    let (before, behind) = (region.left() - size.x, region.right());
    let around = OFF_CORNERS.iter().flat_map(|by| {
        let [before, behind] = [before - by, behind + by];
        let [above, below] = [region.top() - size.y - by, region.bottom() + by];
        let corners = [
            (before, above),
            (behind, above),
            (before, below),
            (behind, below),
        ];
        let beside = [
            (before, middle),
            (behind, middle),
            (left, above),
            (left, below),
        ];
        corners.into_iter().chain(beside)
    });
    let around = around.map(|(x, y)| pos2(x, y));
    let around = around.filter(|_| room.height() >= HIGH);
    // And farther off, where a line leads there: at the edges of the field.
    let far = all_edges(room.shrink(6.0), size);
    let near = corners.into_iter().chain(beside);
    let places = (0..)
        .zip(near)
        .chain((10..).zip(far))
        .chain((50..).zip(around))
        .chain((80..).zip(along))
        .chain((100..).zip(off_it));
    let places = places.filter(|(place, _)| *place < OFF_CHIPS);
    free_of(places, (room, size), taken)
}

/// More places in the same room, which are worth their time where chips lie on the others: at its edges, in a line with those chips, and within
/// a large region that has its corners under them.
fn places_off_chips(
    room: Rect,
    (region, size): (Rect, Vec2),
    taken: &[Rect],
) -> Vec<(usize, Rect)> {
    let room = room.shrink(2.0);
    let (high, low) = (
        room.top().max(region.top()),
        room.bottom().min(region.bottom()),
    );
    let right = region.right() - size.x;
    let within = (1..ROWS).flat_map(|row| {
        let y = high + (low - high - size.y) * f32::from(row) / f32::from(ROWS);
        [region.left() + IN, right - IN].map(|x| pos2(x, y))
    });
    let has_room = !is_small(region, size) && region.width() > size.x + 2.0 * IN;
    let within = within.filter(|_| has_room);
    let with_chips = all_edges(room.shrink(layout::CHIP - 2.0), size);
    let places = (OFF_CHIPS..).zip(within.chain(with_chips));
    let places = places.filter(|(place, _)| *place < OF_ROOM);
    free_of(places, (room, size), taken)
}

/// Whether a region is hardly larger than its tag, and would be hidden by it.
fn is_small(region: Rect, size: Vec2) -> bool {
    region.width() < 2.0 * size.x && region.height() < 4.0 * size.y
}

/// Those of some places, each with its number, where a tag of this size lies in a room and on nothing that is taken.
fn free_of(
    places: impl Iterator<Item = (usize, Pos2)>,
    (room, size): (Rect, Vec2),
    taken: &[Rect],
) -> Vec<(usize, Rect)> {
    let places = places.filter_map(|(place, at)| {
        let rect = clear_place(room, size, [at], taken)?;
        Some((place, rect))
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_costs_as_much_whatever_other_forms_there_are() {
        let (all, short) = ("leaf 0/2 · 8 units · depth 2", "leaf 0/2 · 8 units");
        let [whole, shorter, name] = [(all, 0), (short, SHORTER), ("leaf 0/2", NAME_ALONE)];
        assert_eq!(forms_of(all, Some(short), false), [whole, shorter, name]);
        assert_eq!(forms_of(all, Some(short), true), [shorter, name]);
        assert_eq!(forms_of(all, None, false), [whole, name]);
        assert_eq!(forms_of(all, None, true), [whole, name]);
        // What is short already is no shorter for being a name.
        let named = ("leaf 0/2", SHORTER);
        assert_eq!(
            forms_of(short, Some("leaf 0/2"), false),
            [(short, 0), named]
        );
        assert_eq!(forms_of(short, Some("leaf 0/2"), true), [named]);
        assert_eq!(forms_of("leaf 0/2", None, false), [("leaf 0/2", 0)]);
    }

    #[test]
    fn a_tag_far_off_costs_more_than_one_beside_its_region() {
        let region = Rect::from_min_size(pos2(100.0, 100.0), vec2(200.0, 120.0));
        let at = |x: f32| {
            far_off(
                Rect::from_min_size(pos2(x, 110.0), vec2(80.0, 18.0)),
                region,
            )
        };
        assert_eq!((at(150.0), at(310.0), at(348.0)), (0, 0, 2));
    }

    #[test]
    fn a_tag_on_the_edge_of_somebody_costs_more_than_one_a_little_farther_off() {
        let region = Rect::from_min_size(pos2(100.0, 100.0), vec2(30.0, 30.0));
        let crowd = Crowd::at(vec![pos2(110.0, 110.0), pos2(142.0, 110.0)]);
        let at = |x: f32| Rect::from_min_size(pos2(x, 101.0), vec2(80.0, 18.0));
        let whole = |x: f32| on_others(&crowd, at(x), region) + far_off(at(x), region);
        assert!(whole(145.0) > whole(160.0));
        // Those of its region are none of the others.
        assert_eq!(on_others(&crowd, at(50.0), region), 0);
    }

    #[test]
    fn a_tag_leaves_a_small_field_where_it_would_hide_units_there_and_nowhere_else() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(420.0, 320.0));
        let field = Rect::from_min_size(pos2(40.0, 50.0), vec2(340.0, 220.0));
        let size = vec2(120.0, 18.0);
        assert!(has_room(field, size) && !has_room(field.with_max_y(200.0), size));
        // Units from the head of the field to its foot, up to so far to the right.
        let crowd = |columns: u8| {
            let rows = (0..44_u8).map(|row| 52.0 + 5.0 * f32::from(row));
            let places = rows.flat_map(|y| {
                let columns = 0..columns;
                columns.map(move |at| pos2(45.0 + 4.0 * f32::from(at), y))
            });
            Crowd::at(places.collect())
        };
        let stands = |view: Rect, region: Rect, crowd: &Crowd| {
            let room = Room {
                field,
                view,
                looked_at: &[],
                taken: &[],
                about: About::Step(None),
            };
            let places = room.places((region, None), &[(size, 0)], crowd);
            cheapest(&places).expect("a place").1
        };
        let region = Rect::from_min_size(pos2(200.0, 140.0), vec2(40.0, 25.0));
        // Less room to the right of them than it takes: it is off the field, and off its border.
        let full = crowd(60);
        let tag = stands(view, region, &full);
        assert!(!field.intersects(tag) && view.contains_rect(tag), "{tag:?}");
        assert_eq!(full.within(tag.expand(5.0)), 0);
        // Where there is nothing but the field it stands there all the same.
        assert!(field.contains_rect(stands(field, region, &full)));
        // Room in the field comes first, also where it is a little farther off than that beside it.
        let some = crowd(40);
        let at_head = Rect::from_min_size(pos2(90.0, 52.0), vec2(40.0, 25.0));
        for region in [region, at_head] {
            let tag = stands(view, region, &some);
            assert!(field.contains_rect(tag), "{region:?}: {tag:?}");
            assert_eq!(some.within(tag), 0, "{region:?}: {tag:?}");
        }
    }

    #[test]
    fn a_tag_lies_inside_a_low_field_or_off_it_and_never_across_its_border() {
        // As in a window of 640 by 480 points: the field has no room for the tag beside its region.
        let view = Rect::from_min_size(pos2(0.0, 32.0), vec2(640.0, 256.0));
        let field = Rect::from_min_size(pos2(204.0, 88.0), vec2(232.0, 145.0));
        let size = vec2(169.0, 18.0);
        assert!(!has_room(field, size));
        let rows = (0..24_u8).flat_map(|row| (0..38_u8).map(move |at| (at, row)));
        let everywhere =
            rows.map(|(x, y)| pos2(208.0 + 6.0 * f32::from(x), 92.0 + 6.0 * f32::from(y)));
        let crowded: Vec<Pos2> = everywhere.collect();
        for places in [Vec::new(), crowded] {
            let is_empty = places.is_empty();
            let crowd = Crowd::at(places);
            for at in 0..12_u8 {
                let region = Rect::from_min_size(
                    pos2(210.0 + 17.0 * f32::from(at), 96.0 + 10.0 * f32::from(at)),
                    vec2(28.0, 16.0),
                );
                let room = Room {
                    field,
                    view,
                    looked_at: &[region],
                    taken: &[],
                    about: About::Step(None),
                };
                let places = room.places((region, None), &[(size, 0)], &crowd);
                let tag = cheapest(&places).expect("a place").1;
                assert!(!straddles(tag, field), "{at}: {tag:?}");
                // Where somebody stands everywhere it is off all of them.
                assert!(is_empty || crowd.within(tag) == 0, "{at}: {tag:?}");
            }
        }
    }

    #[test]
    fn a_tag_in_the_field_beside_its_region_is_led_there_and_off_whoever_has_its_turn() {
        let field = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let size = vec2(80.0, 18.0);
        // A cell that has somebody at each place where its tag would have room.
        let region = Rect::from_min_size(pos2(300.0, 300.0), vec2(90.0, 90.0));
        let corners = [
            (310.0, 310.0),
            (380.0, 310.0),
            (310.0, 380.0),
            (380.0, 380.0),
        ];
        let crowd = Crowd::at(corners.map(|(x, y)| pos2(x, y)).to_vec());
        let places = |about: About<'_>| {
            let room = Room {
                field,
                view: field,
                looked_at: &[],
                taken: &[],
                about,
            };
            room.places((region, None), &[(size, 0)], &crowd)
        };
        let stands = |about: About<'_>| cheapest(&places(about)).expect("a place").1;
        let alone = stands(About::Step(None));
        assert!(is_apart(alone, region), "{alone:?}");
        // Right beside it costs that of a region that was clicked less: no step names one after the other.
        let (step, clicked) = (places(About::Step(None)), places(About::Region));
        let both = clicked.iter().filter_map(|own| {
            let same = step
                .iter()
                .find(|other| (other.0, other.1) == (own.0, own.1))?;
            Some((own.1, own.2.1, same.2.1))
        });
        let (beside, others): (Vec<_>, Vec<_>) = both.partition(|(rect, ..)| {
            !rect.shrink(0.5).intersects(region) && !is_apart(*rect, region)
        });
        assert!(!beside.is_empty() && beside.iter().all(|(_, own, step)| own < step));
        assert!(others.iter().all(|(_, own, step)| own == step));
        // The one that has its turn lies where the tag stood, and it stands elsewhere.
        let turn = alone.expand(20.0);
        let other = stands(About::Step(Some(turn)));
        assert!(
            !turn.intersects(other) && is_apart(other, region),
            "{other:?}"
        );
        // Where nobody is in its way it stands within its region.
        let empty = Crowd::at(Vec::new());
        let room = Room {
            field,
            view: field,
            looked_at: &[],
            taken: &[],
            about: About::Step(None),
        };
        let wide = region.expand(80.0);
        let places = room.places((wide, None), &[(size, 0)], &empty);
        assert!(wide.contains_rect(cheapest(&places).expect("a place").1));
    }

    #[test]
    fn a_tag_within_its_own_region_is_not_read_as_the_name_of_who_has_its_turn_around_it_or_across_it()
     {
        let field = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let region = Rect::from_min_size(pos2(300.0, 300.0), vec2(200.0, 100.0));
        let at = |x: f32, y: f32, turn: Rect| {
            let tag = Rect::from_min_size(pos2(x, y), vec2(80.0, 18.0));
            on_another(tag, (region, field), Some(turn))
        };
        // Around all of it, and of the very same box, whose dashes lie within that.
        for turn in [region.expand(60.0), region, region.shrink(1.0)] {
            assert_eq!(at(310.0, 310.0, turn), 0, "{turn:?}");
        }
        assert_eq!(
            at(310.0, 275.0, region.expand(60.0)),
            at(310.0, 275.0, Rect::NOTHING)
        );
        // Across its right half, and within it: in the part that both have the tag is in its own.
        let across = region.translate(vec2(100.0, 0.0));
        for (turn, x) in [
            (across, 410.0),
            (across, 360.0),
            (region.shrink(30.0), 340.0),
        ] {
            assert_eq!(at(x, 335.0, turn), 0, "{turn:?}, {x}");
        }
        // Beyond its own it is in that of the other alone.
        assert!(at(470.0, 335.0, across) > 0 && at(520.0, 335.0, across) > 0);
    }

    #[test]
    fn the_tag_of_a_region_whose_corners_are_taken_lies_within_it_or_off_it_and_not_on_its_side() {
        let view = Rect::from_min_size(pos2(0.0, 32.0), vec2(640.0, 308.0));
        // As high as the view, between chips at its head and at its foot.
        let region = Rect::from_min_max(pos2(300.0, 32.0), pos2(615.0, 340.0));
        let taken = [view.with_max_y(76.0), view.with_min_y(298.0)];
        let room = Room {
            field: view,
            view,
            looked_at: &[],
            taken: &taken,
            about: About::Step(None),
        };
        let size = vec2(215.0, 18.0);
        for places in [vec![], vec![pos2(320.0, 150.0), pos2(500.0, 200.0)]] {
            let crowd = Crowd::at(places);
            let places = room.places((region, None), &[(size, 0)], &crowd);
            let tag = cheapest(&places).expect("a place").1;
            assert_eq!(on_border(tag, region), 0, "{tag:?}");
            let inner = view.shrink(layout::CHIP - 0.5);
            assert!(inner.contains_rect(tag), "{tag:?}");
            assert_eq!(crowd.within(tag), 0);
        }
    }

    #[test]
    fn places_off_the_chips_are_sought_for_what_reaches_as_far_as_the_view_and_where_others_are_full()
     {
        let view = Rect::from_min_size(pos2(0.0, 32.0), vec2(900.0, 600.0));
        let room = Room {
            field: view,
            view,
            looked_at: &[],
            taken: &[],
            about: About::Step(None),
        };
        let size = vec2(120.0, 18.0);
        let are_sought = |region: Rect, crowd: &Crowd| {
            let places = room.places((region, None), &[(size, 0)], crowd);
            places.iter().any(|(place, ..)| *place >= OFF_CHIPS)
        };
        let nobody = Crowd::at(Vec::new());
        let region = Rect::from_min_size(pos2(300.0, 200.0), vec2(300.0, 200.0));
        assert!(!are_sought(region, &nobody));
        assert!(are_sought(region.with_max_x(view.right()), &nobody));
        assert!(are_sought(view, &nobody));
        let rows = (0..60_u8).flat_map(|row| (0..90_u8).map(move |at| (at, row)));
        let everywhere = rows.map(|(x, y)| pos2(10.0 * f32::from(x), 32.0 + 10.0 * f32::from(y)));
        assert!(are_sought(region, &Crowd::at(everywhere.collect())));
    }

    #[test]
    fn a_tag_inside_of_a_rectangle_or_beside_it_lies_on_none_of_its_lines() {
        let held = Rect::from_min_size(pos2(100.0, 100.0), vec2(200.0, 120.0));
        let at = |x: f32, y: f32| on_lines(Rect::from_min_size(pos2(x, y), vec2(80.0, 18.0)), held);
        assert_eq!((at(110.0, 110.0), at(310.0, 110.0)), (0, 0));
        assert!(at(90.0, 110.0) > 0 && at(110.0, 95.0) > 0);
    }
}
