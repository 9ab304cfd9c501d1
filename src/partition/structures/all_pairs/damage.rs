//! Damage to the list of all units, which its check has to notice.

use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

const DAMAGES: &[Damage<AllPairs>] = &[
    ("two units in each other's place", |list| {
        list.units.swap(0, 1);
    }),
    ("a unit that is lost", |list| {
        _ = list.units.pop();
    }),
    ("a unit that is there twice", |list| {
        list.units.push(list.units[0]);
    }),
    ("a unit that is none", |list| list.units.push(1_000_000)),
    ("a place of a unit that is not there", |list| {
        let row = list.places.iter().position(|place| *place == NOWHERE);
        list.places[row.expect("a row not in use")] = 0;
    }),
];

#[test]
fn every_damage_is_noticed() {
    let patient = Patient::new(Crowd::Even, 100, false, &[]).aged();
    patient.notices(DAMAGES);
}
