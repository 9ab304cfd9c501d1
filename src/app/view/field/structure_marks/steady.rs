//! Words of marks that stay where they stand, while those around them move.

use super::super::crowd::Crowd;
use super::super::look::Look;
use super::MOST_HIDDEN_BY_OLD;
use crate::app::palette::Palette;
use crate::app::view::marks::{label_at_one_of, label_size};
use egui_macroquad::egui::{Context, Id, Painter, Pos2, Rect, vec2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::observe::{MarkView, Outline};
use skirmish::partition::MarkRole;
use std::cell::Cell;

/// So far off the middle of a unit, in points, words hide nothing of its arrow.
const UNIT: f32 = 10.0;

/// Words with the places where they may stand, the best one first, and how many units they may hide there, one after the other.
pub(super) type Words<'w> = (&'w [Pos2], &'w str, &'w [usize]);

/// At which of its places a mark has its words, and how many units they might hide there when they came to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stood {
    place: usize,
    most: usize,
}

impl Stood {
    /// How many they may hide there before they look for another place: some more, for they are not to leap to and fro.
    fn most_kept(self) -> usize {
        MOST_HIDDEN_BY_OLD.max(self.most + self.most / 2)
    }
}

/// Where words are tried to stand that have so many places, one after the other: where they stood before, and then off as many units as can be,
/// the places first that are clear of all there is of these.
fn tries<'t>(
    before: Option<Stood>,
    places: usize,
    limits: &'t [usize],
    (hides, is_clear): (
        impl Fn(usize) -> usize + Copy + 't,
        impl Fn(usize) -> bool + Copy + 't,
    ),
) -> impl Iterator<Item = Stood> + 't {
    let old = before.filter(|old| old.place < places && hides(old.place) <= old.most_kept());
    let within = move |turn: usize| {
        let (above, most) = (turn.checked_sub(1).map(|it| limits[it]), limits[turn]);
        // Those below the limit before this one had their turn.
        let is_now = move |place: &usize| {
            let hidden = hides(*place);
            hidden <= most && above.is_none_or(|above| hidden > above)
        };
        let now = [true, false].into_iter().flat_map(move |clear| {
            let now = (0..places).filter(is_now);
            now.filter(move |place| is_clear(*place) == clear)
        });
        now.map(move |place| Stood { place, most })
    };
    old.into_iter().chain((0..limits.len()).flat_map(within))
}

/// What is found of each of so many places, looked for when it is asked for first: each place is asked about for each limit.
fn asked_once<T: Copy>(places: usize, find: impl Fn(usize) -> T) -> impl Fn(usize) -> T {
    let found = vec![Cell::new(None); places];
    move |place| {
        found[place].get().unwrap_or_else(|| {
            let it = find(place);
            found[place].set(Some(it));
            it
        })
    }
}

/// Writes words at the first place that is free, and gives which that is.
fn write(
    painter: &Painter,
    palette: &Palette,
    (places, words, limits): Words<'_>,
    before: Option<Stood>,
    (crowd, taken): (&Crowd, &mut Vec<Rect>),
) -> Option<Stood> {
    let size = label_size(painter, words);
    let at = |place: usize| Rect::from_min_size(places[place] - vec2(0.0, size.y), size);
    let hides = asked_once(places.len(), |place| crowd.within(at(place).expand(2.0)));
    let is_clear = asked_once(places.len(), |place| {
        crowd.within(at(place).expand(UNIT)) == 0
    });
    // They are asked for one after the other, until one will do.
    let last = Cell::new(None);
    let all = tries(before, places.len(), limits, (&hides, &is_clear));
    let all = all.inspect(|stood| last.set(Some(*stood)));
    let all = all.map(|stood| places[stood.place]);
    label_at_one_of(painter, palette, all, words, taken)?;
    last.get()
}

/// What is the same in pictures beside each other is known by where these lie.
fn id_of(what: &str, words: &str, look: &Look<'_>) -> Id {
    let corner = look.camera.screen.min;
    Id::new((what, words, corner.x as i64, corner.y as i64))
}

/// What was kept in one of the last frames.
fn kept<T: Clone + Send + Sync + 'static>(ctx: &Context, id: Id) -> Option<T> {
    let kept: Option<(T, u64)> = ctx.data(|data| data.get_temp(id));
    let (kept, at) = kept?;
    (ctx.cumulative_pass_nr() - at <= 2).then_some(kept)
}

fn keep<T: Clone + Send + Sync + 'static>(ctx: &Context, id: Id, what: T) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(id, (what, pass)));
}

/// Writes the words of a mark at the place where they stood, or at the first one where they hide as few as they may, or nowhere. Whether they
/// stand somewhere.
pub(super) fn steady_label(
    painter: &Painter,
    palette: &Palette,
    look: &Look<'_>,
    words: Words<'_>,
    around: (&Crowd, &mut Vec<Rect>),
) -> bool {
    let id = id_of("words of a mark", words.1, look);
    let before = kept(painter.ctx(), id);
    let stands = write(painter, palette, words, before, around);
    if let Some(stood) = stands {
        keep(painter.ctx(), id, stood);
    }
    stands.is_some()
}

/// The words of a box, the middle of that, in metres, and where they stand.
#[derive(Clone, Debug)]
struct Boxed {
    words: String,
    middle: Vec2,
    stood: Stood,
}

/// The words of boxes in a picture. Those of several may be the same, as of cells of a grid: each goes on from where its own stood, for where there
/// is room in one cell says nothing of the next.
pub(super) struct Boxes {
    id: Id,
    before: Vec<Boxed>,
    now: Vec<Boxed>,
}

impl Boxes {
    pub(super) fn of(ctx: &Context, look: &Look<'_>) -> Self {
        let id = id_of("words of boxes", "", look);
        Self {
            id,
            before: kept(ctx, id).unwrap_or_default(),
            now: Vec::new(),
        }
    }

    /// The same as [`steady_label`] of the words of a box.
    pub(super) fn say(
        &mut self,
        painter: &Painter,
        palette: &Palette,
        area: Aabb,
        words: Words<'_>,
        around: (&Crowd, &mut Vec<Rect>),
    ) -> bool {
        let before = said_in(&self.before, words.1, area);
        let before = before.map(|place| self.before.swap_remove(place).stood);
        let stands = write(painter, palette, words, before, around);
        self.now.extend(stands.map(|stood| Boxed {
            words: words.1.to_owned(),
            middle: area.center(),
            stood,
        }));
        stands.is_some()
    }

    /// Keeps them for the next frame.
    pub(super) fn keep(self, ctx: &Context) {
        keep(ctx, self.id, self.now);
    }
}

/// From which of the last frame the words of a box go on: from the same ones of the nearest box, nearer than another cell beside this one is.
fn said_in(before: &[Boxed], words: &str, area: Aabb) -> Option<usize> {
    let (middle, reach) = (area.center(), area.size().min_element() / 2.0);
    let same = before.iter().enumerate();
    let same = same.filter(|(_, it)| it.words == words);
    let near = same.map(|(place, it)| (it.middle.distance(middle), place));
    let near = near.filter(|(off, _)| *off < reach);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, it)| it)
}

/// So many numbers of bodies stand in a picture at the most: more are a carpet, and each looks for a place among all others.
const MOST_NUMBERS: usize = 150;

/// So many bodies look for a place for their number at the most.
const MOST_TRIES: usize = 1_000;

/// The number of a body, the middle of that, in metres, and where the number stands.
#[derive(Clone, Copy, Debug)]
struct Number {
    number: u32,
    middle: Vec2,
    stood: Stood,
}

/// The numbers of bodies in a picture. Many of them say the same, and move: each goes on from that of the last frame that stood nearest to it.
pub(super) struct Numbers {
    id: Id,
    before: Vec<Number>,
    now: Vec<Number>,
    /// How many have gone on from the last frame.
    gone_on: usize,
    /// How many have looked for a place, and how many have found one, of those who do not go on from the last frame.
    tries: usize,
    fresh: usize,
}

impl Numbers {
    pub(super) fn of(ctx: &Context, look: &Look<'_>) -> Self {
        let id = id_of("numbers of bodies", "", look);
        Self {
            id,
            before: kept(ctx, id).unwrap_or_default(),
            now: Vec::new(),
            gone_on: 0,
            tries: 0,
            fresh: 0,
        }
    }

    /// Whether one more may come that was not there in the last frame. Those who were go on whoever stands before them in the structure.
    fn has_room(&self) -> bool {
        self.fresh + self.gone_on + self.before.len() < MOST_NUMBERS
    }

    /// The same as [`steady_label`] of the number of a body.
    pub(super) fn say(
        &mut self,
        painter: &Painter,
        palette: &Palette,
        (number, body): (u32, Aabb),
        words: Words<'_>,
        around: (&Crowd, &mut Vec<Rect>),
    ) -> bool {
        let before = stood_at(&self.before, number, body);
        let before = before.map(|place| {
            // Nobody else goes on from that.
            self.gone_on += 1;
            self.before.swap_remove(place).stood
        });
        if before.is_none() {
            if !self.has_room() || self.tries == MOST_TRIES {
                return false;
            }
            self.tries += 1;
        }
        let stands = write(painter, palette, words, before, around);
        self.fresh += usize::from(stands.is_some() && before.is_none());
        let middle = body.center();
        self.now.extend(stands.map(|stood| Number {
            number,
            middle,
            stood,
        }));
        stands.is_some()
    }

    /// Keeps them for the next frame.
    pub(super) fn keep(self, ctx: &Context) {
        keep(ctx, self.id, self.now);
    }
}

/// From which of the last frame the number of a body goes on: of the same numbers that whose body was nearest, no farther off than it is large.
fn stood_at(before: &[Number], number: u32, body: Aabb) -> Option<usize> {
    let (middle, reach) = (body.center(), body.size().max_element());
    let same = before.iter().enumerate();
    let same = same.filter(|(_, it)| it.number == number);
    let near = same.map(|(place, it)| (it.middle.distance(middle), place));
    let near = near.filter(|(off, _)| *off <= reach);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, it)| it)
}

/// The number of a body that is held somewhere unusual, and that body, where its words are a number alone.
pub(super) fn numbered_body(mark: &MarkView) -> Option<(u32, Aabb)> {
    match (mark.role, mark.outline) {
        (MarkRole::Special, Outline::Rect(body)) => Some((mark.label.parse().ok()?, body)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_tried_off_as_many_units_as_can_be_and_each_place_once() {
        let hidden = [3, 0, 1, 40, 0];
        let of = |is_clear: fn(usize) -> bool| -> Vec<(usize, usize)> {
            let hides = |place: usize| hidden[place];
            let all = tries(None, hidden.len(), &[0, 2, 6, 20], (&hides, &is_clear));
            all.map(|it| (it.place, it.most)).collect()
        };
        assert_eq!(of(|_| true), [(1, 0), (4, 0), (2, 2), (0, 6)]);
        // Where the middle of a unit is free its arrow may be hidden all the same.
        assert_eq!(of(|place| place == 4), [(4, 0), (1, 0), (2, 2), (0, 6)]);
    }

    #[test]
    fn what_is_known_of_a_place_is_looked_for_once_and_of_no_place_that_is_not_tried() {
        let asked: Vec<Cell<u32>> = vec![Cell::new(0); 4];
        let ask = |place: usize| asked[place].set(asked[place].get() + 1);
        let hidden = [3, 0, 9, 1];
        let hides = |place: usize| hidden[place];
        let is_clear = asked_once(hidden.len(), |place| {
            ask(place);
            place == 3
        });
        let all = tries(None, hidden.len(), &[0, 5], (&hides, &is_clear));
        assert_eq!(all.map(|it| it.place).collect::<Vec<_>>(), [1, 3, 0]);
        let asked: Vec<u32> = asked.iter().map(Cell::get).collect();
        assert_eq!(asked, [1, 1, 0, 1]);
    }

    #[test]
    fn the_words_of_a_cell_go_on_from_its_own_and_from_none_of_the_next_cell() {
        let cell = |x: f32| Aabb::new(Vec2::new(x, 0.0), Vec2::new(x + 10.0, 10.0));
        let at = |words: &str, x: f32, place| Boxed {
            words: words.to_owned(),
            middle: cell(x).center(),
            stood: Stood { place, most: 0 },
        };
        let before = [
            at("again", 0.0, 1),
            at("again", 10.0, 2),
            at("home", 20.0, 3),
        ];
        let place = |words: &str, x: f32| {
            let from = said_in(&before, words, cell(x));
            from.map(|from| before[from].stood.place)
        };
        assert_eq!(
            (place("again", 0.0), place("again", 10.0)),
            (Some(1), Some(2))
        );
        // A box that grows or wanders a little is the same one.
        assert_eq!(place("home", 21.0), Some(3));
        assert_eq!((place("home", 10.0), place("again", 20.0)), (None, None));
    }

    #[test]
    fn words_stay_where_they_stand_for_more_than_where_they_came_to_stand() {
        let limits = [0, 2, 6, 20];
        let first = |before: Stood, hidden: [usize; 3]| {
            let (hides, is_clear) = (|place: usize| hidden[place], |_: usize| true);
            let all = (&hides, &is_clear);
            let mut all = tries(Some(before), hidden.len(), &limits, all);
            all.next().map(|it| it.place)
        };
        for (place, most) in limits.into_iter().map(|most| (1, most)) {
            let before = Stood { place, most };
            let kept = before.most_kept();
            assert!(kept > most + 2, "{most}: {kept}");
            assert_eq!(first(before, [0, kept, 0]), Some(1), "{most}");
            assert_eq!(first(before, [0, kept + 1, 0]), Some(0), "{most}");
        }
        // A place that there is no more is none.
        let gone = Stood { place: 3, most: 0 };
        assert_eq!(first(gone, [9, 5, 1]), Some(2));
    }

    #[test]
    fn the_number_of_a_body_goes_on_from_that_which_stood_nearest_to_it() {
        let body = |x: f32| Aabb::new(Vec2::new(x - 2.0, 8.0), Vec2::new(x + 2.0, 12.0));
        let at = |number, x: f32, place| Number {
            number,
            middle: body(x).center(),
            stood: Stood { place, most: 0 },
        };
        let before = [at(3, 10.0, 1), at(3, 13.0, 2), at(2, 11.0, 4)];
        let place = |number, x: f32| {
            let from = stood_at(&before, number, body(x));
            from.map(|from| before[from].stood.place)
        };
        // Each has moved a little, and those of one number are not taken for each other.
        assert_eq!((place(3, 10.5), place(3, 12.5)), (Some(1), Some(2)));
        assert_eq!(place(2, 11.5), Some(4));
        assert_eq!((place(3, 40.0), place(5, 10.0)), (None, None));
    }

    #[test]
    fn a_picture_has_no_more_numbers_than_can_be_read() {
        let stood = Stood { place: 0, most: 0 };
        let one = |at: usize| Number {
            number: 1,
            middle: Vec2::splat(at as f32),
            stood,
        };
        for stand in [0, 100, MOST_NUMBERS] {
            let mut numbers = Numbers {
                id: Id::NULL,
                before: (0..stand).map(one).collect(),
                now: Vec::new(),
                gone_on: 0,
                tries: 0,
                fresh: 0,
            };
            while numbers.has_room() {
                numbers.fresh += 1;
            }
            assert_eq!(numbers.fresh + stand, MOST_NUMBERS);
        }
    }
}
