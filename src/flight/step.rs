//! The phases of a step: think, meet, integrate, tell.

use super::fixed::{add, fixed};
use super::motion::{Mind, Near};
use super::{Flight, NOBODY, direction3};
use crate::battle::{Phase, StepSummary, Stopwatch};
use crate::chance;
use crate::partition::{Change, Neighbor, Pair, UnitId};
use crate::probe::{Fork, Probe};
use crate::scene::Motion;
use crate::volume::{AnyPartition3, NearestQuery3, Vec3};
use rayon::prelude::*;

/// More threads than this have nothing to do.
const THREAD_LIMIT: usize = 64;

/// How often a unit looks for the nearest enemy, in ticks. Each has its turn, so that no tick has to look for all.
const LOOK_TICKS: u64 = 12;

/// Within what share of the reach units push each other apart.
const SEPARATION: f32 = 0.4;

/// What a step changes of a unit, and what its neighbours add up to.
type Row<'a> = (((&'a mut Vec3, &'a mut Vec3), &'a mut u16), &'a Near);

/// What a step decided, beside the truth: nothing of it holds until it is [committed](Flight::commit). It is kept from step to
/// step for its memory.
#[derive(Debug, Default)]
pub struct Decision3 {
    /// Whom each unit has in mind; empty where nobody looks for anybody.
    pub(super) targets: Vec<UnitId>,
    /// What the neighbours of each unit add up to.
    near: Vec<Near>,
    neighbors: Vec<Neighbor>,
    /// Where everybody was when the tick began, and how they flew.
    places: Vec<Vec3>,
    ways: Vec<Vec3>,
    fallen: Vec<UnitId>,
    /// On how many threads it was decided.
    threads: usize,
    /// How many units looked for the nearest enemy.
    pub lookups: u32,
    /// How many tests that took; 0 where nobody counts them.
    pub lookup_tests: u64,
    /// How many pairs were within [`Flight::pair_reach`].
    pub pairs: u64,
    /// Whether `digest` is wanted.
    pub compares: bool,
    /// A sum over all pairs that does not depend on their order.
    pub(super) digest: u64,
}

impl Flight {
    /// Lets one step pass, and says what happened. `index` must be up to date; it is only read, and whoever keeps one tells it the
    /// [`Flight::changes`] afterwards.
    pub fn step<Q: Fork>(
        &mut self,
        decision: &mut Decision3,
        index: &AnyPartition3,
        threads: usize,
        query: &mut Q,
        watch: &mut impl Stopwatch,
    ) -> StepSummary {
        self.decide(decision, index, threads, query, watch);
        let summary = self.commit(decision);
        watch.lap(Phase::Integrate);
        summary
    }

    /// Decides what the next step will do, and changes nothing: the units look around and the pairs meet, both under `index`,
    /// which must be up to date. `query` hears what the index was asked. A `query` that unwinds leaves a decision that must
    /// not be committed.
    pub fn decide<Q: Fork>(
        &self,
        decision: &mut Decision3,
        index: &AnyPartition3,
        threads: usize,
        query: &mut Q,
        watch: &mut impl Stopwatch,
    ) {
        decision.threads = threads.clamp(1, THREAD_LIMIT);
        let before = query.tested();
        decision.lookups = self.think(decision, index, query);
        decision.lookup_tests = query.tested() - before;
        watch.lap(Phase::Think);
        self.meet(decision, index, query);
        watch.lap(Phase::Pairs);
    }

    /// Lets happen what was decided at this very tick.
    pub fn commit(&mut self, decision: &mut Decision3) -> StepSummary {
        if decision.targets.len() == self.targets.len() {
            std::mem::swap(&mut self.targets, &mut decision.targets);
        }
        let fallen = self.integrate(decision);
        self.tick += 1;
        StepSummary {
            pairs: decision.pairs,
            lookups: decision.lookups,
            fallen,
            hash: None,
        }
    }

    /// Every unit that looks for an enemy in this tick does. Returns how many did.
    fn think<Q: Fork>(
        &self,
        decision: &mut Decision3,
        index: &AnyPartition3,
        probe: &mut Q,
    ) -> u32 {
        decision.targets.clear();
        // Where one side stands alone, nobody is looked for.
        let is_contested = self.counts.iter().all(|count| *count > 0);
        let mut squadrons = self.squadrons.iter();
        if !is_contested || !squadrons.any(|it| looks(it.template.motion)) {
            // Whoever is remembered has fallen.
            return 0;
        }
        decision.targets.clone_from(&self.targets);
        let threads = decision.threads;
        let (targets, neighbors) = (&mut decision.targets, &mut decision.neighbors);
        if threads == 1 {
            return self.look(0, targets, index, neighbors, probe);
        }
        let length = targets.len().div_ceil(threads).max(1);
        let mut shares: Vec<_> = targets
            .chunks_mut(length)
            .enumerate()
            .map(|(share, targets)| (share * length, targets, probe.fork(), 0))
            .collect();
        shares
            .par_iter_mut()
            .for_each(|(first, targets, probe, lookups)| {
                *lookups = self.look(*first, targets, index, &mut Vec::new(), probe);
            });
        let mut lookups = 0;
        for (_, _, share, count) in shares {
            probe.join(share);
            lookups += count;
        }
        lookups
    }

    /// Lets the units from row `first` on look for their nearest enemies, those whose turn it is. Returns how many did.
    fn look<P: Probe>(
        &self,
        first: usize,
        targets: &mut [UnitId],
        index: &AnyPartition3,
        neighbors: &mut Vec<Neighbor>,
        probe: &mut P,
    ) -> u32 {
        let mut lookups = 0;
        for (row, target) in (first..).zip(targets) {
            let template = &self.squadrons[self.squadron_ids[row] as usize].template;
            if !self.alive[row] || !looks(template.motion) {
                continue;
            }
            let enemy = self.sides[row].enemy();
            let is_enemy = |unit: UnitId| self.sides[unit as usize] == enemy;
            let is_lost = *target != NOBODY && !(self.is_alive(*target) && is_enemy(*target));
            let is_due = (self.tick + row as u64).is_multiple_of(LOOK_TICKS);
            if !is_lost && !is_due {
                continue;
            }
            let query = NearestQuery3 {
                point: self.positions[row],
                count: 1,
                within: template.sight,
            };
            index.nearest(self.bodies(), query, is_enemy, probe, neighbors);
            *target = neighbors.first().map_or(NOBODY, |neighbor| neighbor.unit);
            lookups += 1;
        }
        lookups
    }

    /// Finds all pairs and sums what they are to each other.
    fn meet<Q: Fork>(&self, decision: &mut Decision3, index: &AnyPartition3, probe: &mut Q) {
        let near = &mut decision.near;
        near.clear();
        near.resize(self.positions.len(), Near::default());
        // Who holds, drifts or circles does not heed its neighbours; counting them is enough.
        let heeds = |motion| matches!(motion, Motion::Flock | Motion::Chase | Motion::Flee);
        let mut squadrons = self.squadrons.iter();
        let is_heeded = squadrons.any(|it| heeds(it.template.motion));
        let reach = self.pair_reach();
        let (mut count, mut digest) = (0, 0_u64);
        index.pairs(self.bodies(), reach, probe, |batch: &[Pair]| {
            count += batch.len() as u64;
            if decision.compares {
                for &(a, b) in batch {
                    let pair = u64::from(a) << 32 | u64::from(b);
                    digest = digest.wrapping_add(chance::mix(pair));
                }
            }
            for &(a, b) in batch {
                self.encounter(a as usize, b as usize, reach, is_heeded, near);
            }
        });
        (decision.pairs, decision.digest) = (count, digest);
    }

    /// Two units within reach of each other.
    #[inline]
    fn encounter(&self, a: usize, b: usize, reach: f32, is_heeded: bool, near: &mut [Near]) {
        if self.sides[a] != self.sides[b] {
            // Who chases strikes; whoever else comes by does no harm.
            near[a].foes += u32::from(self.chases(b));
            near[b].foes += u32::from(self.chases(a));
        } else {
            near[a].friends += 1;
            near[b].friends += 1;
        }
        if !is_heeded {
            return;
        }
        let way = self.positions[b] - self.positions[a];
        if self.sides[a] == self.sides[b] {
            let toward = fixed(way);
            add(&mut near[a].toward, toward, 1);
            add(&mut near[b].toward, toward, -1);
            add(&mut near[a].along, fixed(self.velocities[b]), 1);
            add(&mut near[b].along, fixed(self.velocities[a]), 1);
        }
        let apart = reach * SEPARATION;
        let distance = way.length();
        if distance < apart {
            let direction = if distance > 0.0 {
                way / distance
            } else {
                // Two on one spot part in a direction that depends on who they are alone.
                direction3(chance::hash(self.seed, a as u64, b as u64))
            };
            let push = fixed(direction * (1.0 - distance / apart));
            add(&mut near[a].apart, push, -1);
            add(&mut near[b].apart, push, 1);
        }
    }

    #[inline]
    fn chases(&self, row: usize) -> bool {
        let squadron = self.squadron_ids[row] as usize;
        self.squadrons[squadron].template.motion == Motion::Chase
    }

    /// Strikes, steers and moves; then takes out who fell. Returns how many did.
    fn integrate(&mut self, decision: &mut Decision3) -> u32 {
        // Who chases heads for where its target was when the tick began.
        decision.places.clone_from(&self.positions);
        decision.ways.clone_from(&self.velocities);
        let mind = Mind {
            field: self.field,
            ground: &self.ground,
            reach: self.pair_reach(),
            tick: self.tick,
            seed: self.seed,
            places: &decision.places,
            ways: &decision.ways,
        };
        let (squadrons, squadron_ids) = (&self.squadrons, &self.squadron_ids);
        let (alive, targets, sizes) = (&self.alive, &self.targets, &self.half_extents);
        let sides = &self.sides;
        // A row may be nobody's by now, or a friend's.
        let is_foe = |row: usize, unit: UnitId| {
            let unit = unit as usize;
            alive.get(unit) == Some(&true) && sides[unit] != sides[row]
        };
        let fly = |(row, (((position, velocity), hit_points), near)): (usize, Row<'_>)| {
            if !alive[row] {
                return;
            }
            let template = &squadrons[squadron_ids[row] as usize].template;
            // Whoever is within reach of so many enemies loses so much a tick.
            let damage = u16::try_from(near.foes).unwrap_or(u16::MAX);
            *hit_points = hit_points.saturating_sub(damage);
            let half_extent = sizes.get(row).copied().unwrap_or(Vec3::ZERO);
            let target = Some(targets[row]).filter(|unit| is_foe(row, *unit));
            (*position, *velocity) = mind.fly(row, template, half_extent, target, near);
        };
        let (positions, velocities) = (&mut self.positions, &mut self.velocities);
        let (hit_points, near) = (&mut self.hit_points, &decision.near);
        if decision.threads > 1 {
            let piece = positions.len().div_ceil(decision.threads);
            let columns = positions.par_iter_mut().zip(velocities).zip(hit_points);
            let columns = columns.zip(near).enumerate();
            // No more pieces than there are threads to use.
            columns.with_min_len(piece).for_each(fly);
        } else {
            let columns = positions.iter_mut().zip(velocities).zip(hit_points);
            columns.zip(near).enumerate().for_each(fly);
        }
        self.changes.clear();
        decision.fallen.clear();
        for (row, before) in decision.places.iter().enumerate() {
            if !self.alive[row] {
                continue;
            }
            if self.hit_points[row] == 0 {
                decision.fallen.push(row as UnitId);
            } else if self.positions[row] != *before {
                self.changes.push(Change::Move(row as UnitId));
            }
        }
        let fallen = decision.fallen.iter().copied();
        self.changes.extend(fallen.map(Change::Remove));
        self.leave(&decision.fallen);
        decision.fallen.len() as u32
    }
}

/// Whether who moves so looks for the nearest enemy.
fn looks(motion: Motion) -> bool {
    matches!(motion, Motion::Chase | Motion::Flee)
}
