//! Damage to a battle line, which its check has to notice.

use super::*;
use crate::geometry::Vec2;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

const DAMAGES: &[Damage<BattleLine>] = &[
    ("a unit that is lost", |line| {
        _ = line.entries.remove(7);
    }),
    ("a unit that is there twice", |line| {
        line.entries[8] = line.entries[7];
    }),
    ("a unit that is none", |line| {
        line.entries[7].unit = 1_000_000;
    }),
    ("a unit that is not there", |line| {
        let is_there = |unit: &UnitId| line.entries.iter().any(|entry| entry.unit == *unit);
        let fallen = (0..)
            .find(|unit| !is_there(unit))
            .expect("a row not in use");
        let mut entry = line.entries[7];
        entry.unit = fallen;
        line.entries.insert(7, entry);
    }),
    ("two units in the wrong order", |line| {
        line.entries.swap(7, 70)
    }),
    ("a body that is copied wrongly", |line| {
        line.entries[7].body.max.y += 0.01;
    }),
    ("a coordinate that is copied wrongly", |line| {
        line.entries[7].key = line.entries[6].key;
    }),
    ("the largest half extent", |line| line.half_extent *= 0.5),
    ("the box around all", |line| {
        line.bounds.max -= Vec2::splat(0.01);
    }),
    ("an axis that is another one", |line| {
        line.axis = 1 - line.axis
    }),
    ("where a unit is filed", |line| {
        let unit = line.entries[7].unit as usize;
        line.files.centers[unit] += 1.0;
    }),
    ("a unit that is filed nowhere", |line| {
        line.files.centers.truncate(7);
    }),
];

#[test]
fn every_damage_is_noticed() {
    let mut patient = Patient::<BattleLine>::new(Crowd::Even, 400, true, &[]).aged();
    patient.follow(|trial| trial.fall(5));
    patient.notices(DAMAGES);
}
