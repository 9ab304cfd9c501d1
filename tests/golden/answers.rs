//! What structures do to answer, and to follow edits, with their knobs turned.

use super::probes::{Counting, counting};
use skirmish::battle::Battle;
use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::partition::{
    AnyPartition, Bodies, Change, Kind, Knob, KnobRange, NearestQuery, Part, UnitId,
};
use skirmish::probe::Counter;
use skirmish::scene::StructureChoice;

/// What was counted, by what was done.
type Counted = Vec<(&'static str, Counter)>;

/// The structure with its defaults, and with each knob at two other values (at each other word, where it takes words).
pub fn variants(kind: Kind) -> Vec<(String, StructureChoice)> {
    let info = kind.info();
    let mut all = vec![(info.key.to_owned(), StructureChoice::new(kind))];
    for (index, knob) in info.knobs.iter().enumerate() {
        for value in other_values(knob) {
            let mut choice = StructureChoice::new(kind);
            choice.knobs = vec![(index, value)];
            let words = format!("{} {}={}", info.key, knob.key, knob.format(value));
            all.push((words, choice));
        }
    }
    all
}

/// Values of a knob that are not its default. Square roots are the same on every machine, powers are not.
fn other_values(knob: &Knob) -> Vec<f64> {
    let values: Vec<f64> = match knob.range {
        KnobRange::Number {
            min,
            max,
            whole,
            logarithmic,
        } => {
            let middle = |low: f64, high: f64| match logarithmic {
                true => (low.max(0.01) * high).sqrt(),
                false => (low + high) / 2.0,
            };
            let half = middle(min, max);
            [middle(min, half), half]
                .map(|value| if whole { value.round() } else { value })
                .to_vec()
        }
        KnobRange::Choice(words) => (0..words.len()).map(|index| index as f64).collect(),
        KnobRange::Switch => vec![0.0, 1.0],
    };
    values
        .into_iter()
        .filter(|value| *value != knob.default && knob.accepts(*value))
        .collect()
}

/// Asks every question, from places within the crowd and beside it, small and large.
pub fn answers(battle: &Battle, index: &AnyPartition) -> Counted {
    let bodies = battle.bodies();
    let bounds = Aabb::of_points(bodies.ids().map(|unit| bodies.center(unit)));
    let side = bounds.size().max_element();
    let places = [-0.1, 0.05, 0.3, 0.5, 0.62, 0.97].map(|share| bounds.min + bounds.size() * share);
    let sizes = [0.0, 0.01, 0.06, 0.3, 0.9].map(|share| side * share);
    let [
        mut range,
        mut radius,
        mut segment,
        mut nearest,
        mut pairs,
        mut parts,
    ] = [(); 6].map(|()| counting());
    for place in places {
        for size in sizes {
            let flat = Vec2::new(size, size * 0.4);
            index.range(bodies, Aabb::around(place, flat), &mut range, |_| {});
            index.radius(bodies, place, size, &mut radius, |_| {});
            for to in [Vec2::new(size, -0.3 * size), Vec2::new(0.0, size)] {
                let line = Segment {
                    from: place,
                    to: place + to,
                    half_width: 0.0,
                };
                index.segment(bodies, line, &mut segment, |_| {});
            }
            for count in [1, 3, 40] {
                let query = NearestQuery {
                    point: place,
                    count,
                    within: if size == 0.0 { f32::INFINITY } else { size },
                };
                let filter = |unit: UnitId| !unit.is_multiple_of(5);
                index.nearest(bodies, query, filter, &mut nearest, &mut Vec::new());
            }
        }
    }
    let reach = battle.pair_reach();
    for reach in [0.0, 0.4 * reach, reach, 6.0 * reach] {
        index.pairs(bodies, reach, &mut pairs, |_| {});
        for share in 0..3 {
            let part = Part {
                index: share,
                count: 3,
            };
            index.pairs_part(bodies, reach, part, &mut parts, |_| {});
        }
    }
    vec![
        ("range", range.probe),
        ("radius", radius.probe),
        ("segment", segment.probe),
        ("nearest", nearest.probe),
        ("pairs", pairs.probe),
        ("pairs in three parts", parts.probe),
    ]
}

/// A crowd that is edited, and what hears of it.
struct Edited<'a> {
    centers: Vec<Vec2>,
    half_extents: &'a [Vec2],
    alive: Vec<bool>,
    index: &'a mut AnyPartition,
}

impl Edited<'_> {
    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: self.half_extents,
            alive: &self.alive,
        }
    }

    fn apply(&mut self, changes: &[Change], counting: &mut Counting) {
        let bodies = Bodies {
            centers: &self.centers,
            half_extents: self.half_extents,
            alive: &self.alive,
        };
        self.index.apply(bodies, changes, counting);
    }
}

/// So many are left alone by all edits.
const FEW: usize = 60;

/// One edit of a crowd.
type Edit = fn(&mut Edited<'_>, UnitId) -> Change;

/// Some leave and come back, jump to the other side of the field and take a step; each by itself, and then together. `show` is
/// called after each of these.
pub fn edits(
    bodies: Bodies<'_>,
    index: &mut AnyPartition,
    show: &mut dyn FnMut(&AnyPartition, Bodies<'_>),
) -> Counted {
    let ids: Vec<UnitId> = bodies.ids().collect();
    let mut edited = Edited {
        centers: bodies.centers.to_vec(),
        half_extents: bodies.half_extents,
        alive: (0..bodies.slot_count() as UnitId)
            .map(|unit| bodies.is_alive(unit))
            .collect(),
        index,
    };
    let leave: Edit = |edited, unit| {
        edited.alive[unit as usize] = false;
        Change::Remove(unit)
    };
    let come: Edit = |edited, unit| {
        edited.alive[unit as usize] = true;
        Change::Add(unit)
    };
    let jump: Edit = |edited, unit| {
        let center = &mut edited.centers[unit as usize];
        *center = Vec2::new(center.y, center.x);
        Change::Move(unit)
    };
    let step: Edit = |edited, unit| {
        edited.centers[unit as usize] += Vec2::new(0.7, -0.2);
        Change::Move(unit)
    };
    let mut counted = Vec::new();
    // What is done, to every how-manieth, together or each by itself.
    for (what, edit, every, together) in [
        ("each of some leaves", leave, 37, false),
        ("each of some comes back", come, 37, false),
        ("each of some jumps", jump, 41, false),
        ("each of some takes a step", step, 29, false),
        ("some leave", leave, 11, true),
        ("they come back", come, 11, true),
        ("some jump", jump, 13, true),
        ("all take a step", step, 1, true),
        ("almost all leave", leave, 1, true),
    ] {
        let mut counting = counting();
        let mut changes = Vec::new();
        for unit in ids[FEW..].iter().step_by(every) {
            changes.push(edit(&mut edited, *unit));
            if !together {
                edited.apply(&changes, &mut counting);
                changes.clear();
            }
        }
        edited.apply(&changes, &mut counting);
        edited.index.validate(edited.bodies()).unwrap();
        show(edited.index, edited.bodies());
        counted.push((what, counting.probe));
    }
    counted
}
