//! Damage to a sorted grid, which its check has to notice.

use super::layer::{Layer, Row, Stretch};
use super::*;
use crate::geometry::Vec2;
use crate::partition::damage::{Damage, Patient};
use crate::partition::toolkit::simd::PADDING;
use crate::partition::trial::Crowd;

/// The layer of the smallest bodies.
fn layer(grid: &mut SortedGrid) -> &mut Layer {
    &mut grid.layers[0]
}

/// The last row that is as wanted.
fn find(layer: &Layer, wanted: impl Fn(usize) -> bool) -> usize {
    let mut rows = 0..layer.listed_rows().len();
    rows.rfind(|row| wanted(*row)).expect("such a row")
}

/// A row with units in it, and others behind.
fn row_with_units(layer: &Layer) -> usize {
    let last = layer.listed_rows().len() - 1;
    find(layer, |row| row < last && layer.units_of(row).len() > 1)
}

/// The entries of a stretch's table.
fn entries(stretch: &Stretch) -> std::ops::Range<usize> {
    let width = stretch.last.abs_diff(stretch.first) as usize + 1;
    stretch.offset as usize..stretch.offset as usize + width + 1
}

fn is_empty(layer: &Layer, stretch: &Stretch) -> bool {
    let table = &layer.starts[entries(stretch)];
    table.first() == table.last()
}

/// Two stretches that follow each other in a row, of which somebody is in the first.
fn neighbours(layer: &Layer) -> [usize; 2] {
    let row = find(layer, |row| {
        let stretches = layer.stretches_of(row);
        stretches.len() > 1 && !is_empty(layer, &layer.stretches[stretches.start])
    });
    let first = layer.stretches_of(row).start;
    [first, first + 1]
}

/// Puts one more place in front of all others, in which nobody is.
fn move_by_a_place(layer: &mut Layer) {
    for row in &mut layer.rows {
        row.first_unit += 1;
        row.end += 1;
        row.room += 1;
    }
    for start in &mut layer.starts {
        *start += 1;
    }
    let columns = &mut layer.bodies;
    for column in [
        &mut columns.left,
        &mut columns.bottom,
        &mut columns.right,
        &mut columns.top,
    ] {
        column.insert(0, 0.0);
    }
    columns.ids.insert(0, 0);
}

/// Makes room for one more at the end of all columns.
fn lengthen(layer: &mut Layer) {
    let count = layer.bodies.ids.len() + 1 - PADDING;
    layer.bodies.resize(count, true);
}

/// Puts a row without anybody behind all others.
fn append_row(layer: &mut Layer, stretches: u32) {
    let (place, mark) = (layer.rows.len() - 1, layer.rows[layer.rows.len() - 1]);
    let last = layer.rows[place - 1];
    for _ in 0..stretches {
        let offset = layer.starts.len() as u32;
        layer.stretches.push(Stretch {
            first: 0,
            last: 0,
            offset,
        });
        layer.starts.extend([last.room; 2]);
    }
    layer.rows[place].first_stretch += stretches;
    let row = Row {
        index: last.index + 1,
        first_stretch: mark.first_stretch,
        first_unit: last.room,
        end: last.room,
        room: last.room,
        ..mark
    };
    layer.rows.insert(place, row);
}

/// What any grid notices.
const DAMAGES: &[Damage<SortedGrid>] = &[
    ("a left border too few", |grid| {
        _ = layer(grid).bodies.left.pop();
    }),
    ("a lower border too few", |grid| {
        _ = layer(grid).bodies.bottom.pop();
    }),
    ("a right border too few", |grid| {
        _ = layer(grid).bodies.right.pop();
    }),
    ("an upper border too few", |grid| {
        _ = layer(grid).bodies.top.pop();
    }),
    ("right and upper borders too few", |grid| {
        let columns = &mut layer(grid).bodies;
        _ = (columns.right.pop(), columns.top.pop());
    }),
    ("a stretch before the first", |grid| {
        let layer = layer(grid);
        for row in &mut layer.rows {
            row.first_stretch += 1;
        }
        let stretch = Stretch {
            first: 0,
            last: 0,
            offset: layer.starts.len() as u32,
        };
        layer.stretches.insert(0, stretch);
        layer.starts.extend([0; 2]);
    }),
    ("a stretch behind the last", |grid| {
        let layer = layer(grid);
        let offset = layer.starts.len() as u32;
        layer.stretches.push(Stretch {
            first: 0,
            last: 0,
            offset,
        });
        layer.starts.extend([0; 2]);
    }),
    ("a row with stretches that are none", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].first_stretch = 1_000_000;
    }),
    ("a row without stretches", |grid| append_row(layer(grid), 0)),
    ("a row that ends behind its room", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].room = layer.rows[row].end - 1;
    }),
    ("a row that ends before it begins", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].end = layer.rows[row].first_unit - 1;
    }),
    ("a row with room that is none", |grid| {
        let layer = layer(grid);
        let count = layer.listed_rows().len();
        let behind = layer.rows[..count].iter_mut().max_by_key(|row| row.room);
        behind.expect("a row").room += 1_000_000;
    }),
    ("a table that is none", |grid| {
        let layer = layer(grid);
        let last = layer.stretches.len() - 1;
        layer.stretches[last].offset = layer.starts.len() as u32;
    }),
    ("a start behind all units", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        let stretch = layer.stretches[layer.stretches_of(row).start];
        layer.starts[stretch.offset as usize + 1] = 1_000_000;
    }),
    ("a unit that is in no cell", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        let stretch = layer.stretches[layer.stretches_of(row).start];
        layer.starts[stretch.offset as usize] += 1;
    }),
    ("a unit in the cell before its own", |grid| {
        let layer = layer(grid);
        let is_occupied = |entry: &usize| layer.starts[*entry] < layer.starts[*entry + 1];
        let mut stretches = layer.stretches.iter();
        let entry = stretches.find_map(|stretch| {
            let table = entries(stretch);
            (table.start + 1..table.end - 1).find(is_occupied)
        });
        layer.starts[entry.expect("a cell behind another")] += 1;
    }),
    ("the counts of two layers", |grid| {
        grid.layers[0].count += 1;
        grid.layers[1].count -= 1;
    }),
    ("the count of a layer", |grid| layer(grid).count += 1),
    ("a unit that is there twice", |grid| {
        let layer = layer(grid);
        let place = layer.units_of(row_with_units(layer)).start;
        layer.bodies.ids[place] = layer.bodies.ids[place + 1];
    }),
    ("a body that is copied wrongly", |grid| {
        let layer = layer(grid);
        let place = layer.units_of(row_with_units(layer)).start;
        layer.bodies.left[place] -= 0.001;
    }),
    ("the largest half extent", |grid| {
        layer(grid).half_extent = Vec2::ZERO;
    }),
    (
        "cells that are smaller than those it was built with",
        |grid| {
            layer(grid).inverse *= 1.1;
        },
    ),
    ("a block of cells in which not everybody is", |grid| {
        layer(grid).extent.left += 1;
    }),
    ("a class of a unit", |grid| {
        let unit = layer(grid).bodies.ids[0] as usize;
        grid.classes.as_mut().expect("classes")[unit] += 1;
    }),
];

/// What a grid notices after a build: there is nothing loose.
const DAMAGES_AS_BUILT: &[Damage<SortedGrid>] = &[
    ("a gap before the first row", |grid| {
        move_by_a_place(layer(grid))
    }),
    ("a row without units", |grid| append_row(layer(grid), 1)),
    ("a row with room", |grid| {
        let layer = layer(grid);
        lengthen(layer);
        let last = layer.rows.len() - 2;
        layer.rows[last].room += 1;
    }),
    ("two tables in each other's place", |grid| {
        let layer = layer(grid);
        let [first, second] = [0, 1].map(|stretch| entries(&layer.stretches[stretch]));
        let mut tables = layer.starts[second.clone()].to_vec();
        tables.resize(second.start - first.end + tables.len(), 0);
        tables.extend_from_slice(&layer.starts[first.clone()]);
        layer.stretches[0].offset = (second.end - first.len()) as u32;
        layer.stretches[1].offset = first.start as u32;
        layer.starts[first.start..second.end].copy_from_slice(&tables);
    }),
    ("a row lower than its bodies", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].low -= 1.0;
    }),
    ("a row higher than its bodies", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].high += 1.0;
    }),
];

/// What a grid notices after single edits.
const DAMAGES_WHEN_LOOSE: &[Damage<SortedGrid>] = &[
    ("two rows with one number", |grid| {
        let layer = layer(grid);
        append_row(layer, 1);
        let last = layer.rows.len() - 2;
        layer.rows[last].index -= 1;
    }),
    ("stretches that share a column", |grid| {
        let layer = layer(grid);
        let [first, second] = neighbours(layer).map(|place| layer.stretches[place]);
        let table = layer.starts[entries(&second)].to_vec();
        let more = second.first.abs_diff(first.last) as usize;
        let offset = layer.starts.len() as u32;
        layer.starts.extend(vec![table[0]; more]);
        layer.starts.extend(table);
        let [_, place] = neighbours(layer);
        layer.stretches[place] = Stretch {
            first: first.last,
            last: second.last,
            offset,
        };
    }),
    ("a stretch that ends before it begins", |grid| {
        let layer = layer(grid);
        append_row(layer, 1);
        let added = layer.stretches.last_mut().expect("a stretch");
        added.last -= 1;
        let start = layer.starts[added.offset as usize];
        layer.starts.push(start);
    }),
    ("a stretch that begins in the room before it", |grid| {
        let layer = layer(grid);
        let row = find(layer, |row| {
            let stretches = layer.stretches_of(row);
            let is_behind_room = row > 0 && {
                let before = layer.rows[row - 1];
                before.end < before.room && before.room == layer.rows[row].first_unit
            };
            is_behind_room
                && stretches.len() > 1
                && !is_empty(layer, &layer.stretches[stretches.start])
        });
        let place = layer.units_of(row).start;
        let table = entries(&layer.stretches[layer.stretches_of(row).start]);
        let behind = layer.starts[table.end - 1] as usize;
        for start in &mut layer.starts[table] {
            *start -= 1;
        }
        let columns = &mut layer.bodies;
        for column in [
            &mut columns.left,
            &mut columns.bottom,
            &mut columns.right,
            &mut columns.top,
        ] {
            column.copy_within(place..behind, place - 1);
        }
        columns.ids.copy_within(place..behind, place - 1);
    }),
    ("an empty cell that ends before it begins", |grid| {
        let layer = layer(grid);
        let last = layer.stretches_of(row_with_units(layer)).end - 1;
        let mut table = layer.starts[entries(&layer.stretches[last])].to_vec();
        table.push(table[table.len() - 1] - 1);
        layer.stretches[last].last += 1;
        layer.stretches[last].offset = layer.starts.len() as u32;
        layer.starts.extend(table);
    }),
    ("a row that is not as low as its bodies", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].low = layer.rows[row].high;
    }),
    ("a row that is not as high as its bodies", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].high = layer.rows[row].low;
    }),
    ("rows that share their room", |grid| {
        let layer = layer(grid);
        let row = row_with_units(layer);
        layer.rows[row].room += 1;
    }),
    ("tables that share an entry", |grid| {
        let layer = layer(grid);
        let [first, second] = neighbours(layer);
        let mut table = layer.starts[entries(&layer.stretches[first])].to_vec();
        let shared = layer.starts.len() + table.len() - 1;
        table.extend_from_slice(&layer.starts[entries(&layer.stretches[second])][1..]);
        layer.stretches[first].offset = layer.starts.len() as u32;
        layer.stretches[second].offset = shared as u32;
        layer.starts.extend(table);
    }),
    ("a cell of a unit", |grid| {
        let place = {
            let layer = layer(grid);
            layer.units_of(row_with_units(layer)).start
        };
        let unit = layer(grid).bodies.ids[place] as usize;
        let mut homes = grid.homes.iter();
        let other = homes.find(|home| **home != grid.homes[unit]);
        grid.homes[unit] = *other.expect("another cell");
    }),
    ("no cells of units", |grid| grid.homes.clear()),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("cell_size", "2")];
    let patient = Patient::<SortedGrid>::new(Crowd::Even, 400, true, &knobs);
    assert!(patient.index.layers.iter().all(|layer| !layer.is_loose));
    patient.notices(DAMAGES);
    patient.notices(DAMAGES_AS_BUILT);
    // So many small cells that rows have gaps.
    let knobs = [("cell_size", "0.5")];
    let mut patient = Patient::<SortedGrid>::new(Crowd::Even, 400, true, &knobs).aged();
    assert!(patient.index.layers.iter().any(|layer| layer.is_loose));
    patient.notices(DAMAGES);
    patient.notices(DAMAGES_WHEN_LOOSE);
    // What was written down of cells stays behind, and nobody asks for it.
    let bodies = patient.trial.bodies();
    patient.index.rebuild(bodies, &mut ());
    patient.notices(&[]);
    let patient = Patient::<SortedGrid>::new(Crowd::Even, 400, false, &knobs);
    patient.notices(&[]);
}
