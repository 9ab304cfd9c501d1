//! Damage to sweep and prune, which its check has to notice, on one axis and on both.

use super::lists::End;
use super::strip::Strip;
use super::strips::Home;
use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

fn strips(index: &mut SweepAndPrune) -> &mut Strips {
    match &mut index.order {
        Order::Strips(strips) => strips,
        Order::Lists(_) => panic!("one axis was asked for"),
    }
}

fn lists(index: &mut SweepAndPrune) -> &mut Lists {
    match &mut index.order {
        Order::Lists(lists) => lists,
        Order::Strips(_) => panic!("both axes were asked for"),
    }
}

/// A strip of some units.
fn long_strip(strips: &Strips) -> usize {
    let mut placed = strips.placed().iter();
    let is_it = |strip: &Strip| strip.len() > 3;
    placed.position(is_it).expect("a strip of some units")
}

/// A unit that touches at least so many strips.
fn high_unit(strips: &Strips, count: usize) -> (UnitId, Home) {
    let homes = (0..).zip(&strips.homes);
    let is_there = |home: &Home| usize::from(home.last) < strips.placed().len();
    let mut high = homes.filter(|(_, home)| is_there(home) && home.strips().count() >= count);
    let (unit, home) = high.next().expect("a high unit");
    (unit, *home)
}

/// All columns of a strip but that of units.
fn columns(strip: &mut Strip) -> [&mut Vec<f32>; 6] {
    [
        &mut strip.left,
        &mut strip.bottom,
        &mut strip.right,
        &mut strip.top,
        &mut strip.begun,
        &mut strip.ended,
    ]
}

/// Brings what a strip knows of all its bodies up to date.
fn sum_up(strip: &mut Strip) {
    let count = strip.len();
    let least = |column: &[f32]| {
        column[..count]
            .iter()
            .copied()
            .fold(f32::INFINITY, f32::min)
    };
    let greatest = |column: &[f32]| {
        let numbers = column[..count].iter().copied();
        numbers.fold(f32::NEG_INFINITY, f32::max)
    };
    strip.band.min.y = least(&strip.bottom);
    strip.band.max.y = greatest(&strip.top);
    (strip.lowest, strip.highest) = (least(&strip.begun), greatest(&strip.ended));
    let widths = (0..count).map(|place| strip.right[place] - strip.left[place]);
    strip.width = widths.fold(0.0, f32::max);
}

fn place_of(strip: &Strip, unit: UnitId) -> usize {
    let mut units = strip.units().iter();
    units.position(|other| *other == unit).expect("the unit")
}

/// Takes a unit out of a strip, and nowhere else.
fn take_out(strips: &mut Strips, number: usize, unit: UnitId) {
    let strip = &mut strips.strips[number];
    let place = place_of(strip, unit);
    for column in columns(strip) {
        column.remove(place);
    }
    strip.ids.remove(place);
    sum_up(strip);
}

/// Puts a unit that is in another strip into one in which it neither begins nor ends.
fn put_in(strips: &mut Strips, number: usize, unit: UnitId, from: usize) {
    let mut other = strips.strips[from].clone();
    let source = place_of(&other, unit);
    let strip = &mut strips.strips[number];
    let place = strip
        .left
        .partition_point(|left| *left < other.left[source]);
    for (column, other) in columns(strip).into_iter().zip(columns(&mut other)) {
        column.insert(place, other[source]);
    }
    strip.begun[place] = f32::INFINITY;
    strip.ended[place] = f32::NEG_INFINITY;
    strip.ids.insert(place, unit);
    sum_up(strip);
}

const DAMAGES_TO_STRIPS: &[Damage<SweepAndPrune>] = &[
    ("a unit that is none", |index| {
        let strips = strips(index);
        let strip = long_strip(strips);
        strips.strips[strip].ids[0] = 1_000_000;
    }),
    (
        "a unit that is twice in one strip and not in another",
        |index| {
            let strips = strips(index);
            let (unit, home) = high_unit(strips, 3);
            let middle = usize::from(home.first) + 1;
            take_out(strips, usize::from(home.last), unit);
            put_in(strips, middle, unit, middle);
        },
    ),
    ("two units in the wrong order", |index| {
        let strips = strips(index);
        let number = long_strip(strips);
        let strip = &mut strips.strips[number];
        for column in columns(strip) {
            column.swap(0, 2);
        }
        strip.ids.swap(0, 2);
    }),
    ("where the index believes a unit to be", |index| {
        let strips = strips(index);
        let (unit, home) = high_unit(strips, 2);
        strips.homes[unit as usize] = Home {
            first: home.first + 1,
            last: home.last + 1,
        };
    }),
    ("a unit in a strip that it does not touch", |index| {
        let strips = strips(index);
        let (unit, home) = high_unit(strips, 2);
        let (first, last) = (usize::from(home.first), usize::from(home.last));
        let stray = (last + 3) % strips.placed().len();
        assert!(!home.strips().contains(&stray));
        put_in(strips, stray, unit, first);
        take_out(strips, last, unit);
    }),
    ("a unit that is not in one of its strips", |index| {
        let strips = strips(index);
        let (unit, home) = high_unit(strips, 2);
        take_out(strips, usize::from(home.last), unit);
        strips.entry_count -= 1;
    }),
    ("a unit that is not in its first strip", |index| {
        let strips = strips(index);
        let (unit, home) = high_unit(strips, 2);
        take_out(strips, usize::from(home.first), unit);
        strips.entry_count -= 1;
    }),
    ("a left border", |index| {
        let strips = strips(index);
        let strip = long_strip(strips);
        strips.strips[strip].left[0] -= 0.01;
    }),
    ("who begins in a strip", |index| {
        let strips = strips(index);
        let strip = long_strip(strips);
        strips.strips[strip].begun[0] -= 1.0;
    }),
    ("the widest body of a strip", |index| {
        let strips = strips(index);
        let strip = long_strip(strips);
        strips.strips[strip].width *= 0.5;
    }),
    ("the count of entries", |index| {
        strips(index).entry_count += 1
    }),
    ("a home of a unit that is not there", |index| {
        let strips = strips(index);
        let (_, home) = high_unit(strips, 1);
        let unit = (0..).find(|unit| strips.believed_home(*unit).is_none());
        strips.homes[unit.expect("a row not in use") as usize] = home;
    }),
];

/// The place of an endpoint, followed by one of another unit.
fn before_another(list: &[End]) -> usize {
    let mut pairs = list.windows(2);
    let are_others = |pair: &[End]| {
        pair[0].unit() != pair[1].unit() && pair[0].value < pair[1].value && pair[0].is_begin()
    };
    pairs.position(are_others).expect("two units")
}

/// Keeps no pairs any more, which are found along one of the lists.
fn give_up_overlaps(lists: &mut Lists) {
    lists.overlaps.free();
    lists.keeps_overlaps = false;
}

const DAMAGES_TO_LISTS: &[Damage<SweepAndPrune>] = &[
    ("a unit that is absent", |index| {
        let present = &mut lists(index).present;
        let there = present.iter_mut().find(|present| **present);
        *there.expect("a unit") = false;
    }),
    ("a unit that is present and not there", |index| {
        let present = &mut lists(index).present;
        let absent = present.iter_mut().find(|present| !**present);
        *absent.expect("a row not in use") = true;
    }),
    ("a body that is copied wrongly", |index| {
        let lists = lists(index);
        let unit = lists.ends[0][0].unit() as usize;
        lists.boxes[unit].max.x += 0.001;
    }),
    ("bodies that are too few", |index| {
        let lists = lists(index);
        lists.boxes.truncate(7);
    }),
    ("the box around all", |index| {
        lists(index).bounds.max.x += 1.0;
    }),
    ("how wide bodies are", |index| lists(index).widths.x *= 0.5),
    ("how high bodies are", |index| lists(index).widths.y *= 0.5),
    ("an endpoint of nobody", |index| {
        lists(index).ends[0][3].tag = 2_000_000;
    }),
    ("an endpoint that is there twice", |index| {
        let lists = lists(index);
        give_up_overlaps(lists);
        let list = &mut lists.ends[1];
        let place = before_another(list);
        list[place + 1] = list[place];
    }),
    ("an endpoint elsewhere", |index| {
        let list = &mut lists(index).ends[0];
        let place = before_another(list);
        list[place + 1].value = list[place].value;
    }),
    ("two endpoints in the wrong order", |index| {
        let list = &mut lists(index).ends[0];
        let place = before_another(list);
        list.swap(place, place + 1);
    }),
    ("a unit that is on one axis only", |index| {
        let lists = lists(index);
        give_up_overlaps(lists);
        let list = &mut lists.ends[1];
        let unit = list[0].unit();
        list.retain(|end| end.unit() != unit);
    }),
    ("a unit that is on the other axis only", |index| {
        let list = &mut lists(index).ends[0];
        let unit = list[0].unit();
        list.retain(|end| end.unit() != unit);
    }),
    ("a pair that does not overlap", |index| {
        let lists = lists(index);
        let count = lists.boxes.len() as UnitId;
        let is_apart = |b: &UnitId| !lists.overlap((0, *b));
        let apart = (1..count).find(is_apart).expect("two units apart");
        let pair = lists.overlaps.pairs()[0];
        lists.overlaps.remove(pair);
        lists.overlaps.add((0, apart));
    }),
    ("a pair of nobody", |index| {
        let overlaps = &mut lists(index).overlaps;
        let pair = overlaps.pairs()[0];
        overlaps.remove(pair);
        overlaps.add((pair.0, 1_000_000));
    }),
    ("another pair of nobody", |index| {
        let overlaps = &mut lists(index).overlaps;
        let pair = overlaps.pairs()[0];
        overlaps.remove(pair);
        overlaps.add((1_000_000, pair.1));
    }),
    ("a pair too few", |index| {
        let overlaps = &mut lists(index).overlaps;
        let pair = overlaps.pairs()[0];
        overlaps.remove(pair);
    }),
    ("a pair that is there twice", |index| {
        let pairs = &mut lists(index).overlaps.pairs;
        pairs[1] = pairs[0];
    }),
    ("a pair that is not found", |index| {
        lists(index).overlaps.pairs.swap(0, 1);
    }),
];

#[test]
fn every_damage_to_strips_is_noticed() {
    for axis in ["x", "y"] {
        let knobs = [("axes", axis), ("strip_height", "4")];
        let patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
        patient.notices(DAMAGES_TO_STRIPS);
    }
}

#[test]
fn every_damage_to_lists_is_noticed() {
    let knobs = [("axes", "both"), ("kept_reach", "2")];
    let patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.notices(DAMAGES_TO_LISTS);
}
