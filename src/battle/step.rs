//! The phases of a step: think, meet, integrate, tell.

use super::fingerprint::{Fingerprint, PartialHash};
use super::melee::{Arm, Engaged, Ground, Spacing, Sum, Sums, are_pairs_far};
use super::names::Names;
use super::ranks::{Deeds, LOOK_TICKS, Ranks, share_length};
use super::will::{Course, Courses, Will, steered, stopped};
use super::{Battle, COORDINATE_LIMIT, NOBODY, Phase, STEP_SECONDS, Squad, StepSummary, Stopwatch};
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::threads::{each_in_turn, front_mut, shares_for};
use crate::partition::{AnyPartition, Bodies, NearestQuery, Neighbor, Pair, Part, UnitId};
use crate::probe::{Fork, Probe};
use crate::scene::{Order, Side};
use std::sync::atomic::AtomicBool;

/// More threads than this have nothing to do.
pub(super) const THREAD_LIMIT: usize = 64;

/// The pairs of shares that lie apart are sought in two rounds if each thread has so many shares in each of them: with fewer, one would wait
/// for the other, and twice.
const LEAST_TURNS: usize = 2;

/// Within how many ticks a new unit looks for the first time: until then it goes straight on, and no tick has to look for
/// an army at once.
pub(super) const FIRST_LOOK_TICKS: u8 = 60;
/// How often it looks at least, in ticks.
const FAR_LOOK_TICKS: u8 = 240;

/// Who is no farther from the enemy's line than this, in metres, has come to it, however short its sight. How far units keep apart does
/// not lengthen it: where a foe holds another one off, one of the two can strike.
const AT_LINE: f32 = 2.0;
/// What a step decided, beside the truth: nothing of it holds until it is [committed](Battle::commit). It is kept from step to
/// step for its memory.
#[derive(Debug, Default)]
pub struct Decision {
    roll: Roll,
    pub(super) decided: Decided,
    neighbors: Vec<Neighbor>,
    courses: Courses,
    /// How far those of each squad strike.
    arms: Vec<Arm>,
    /// What the neighbours of each unit add up to.
    sums: Sums,
    /// Who has an enemy within reach.
    engaged: Engaged,
    /// For each share what its units did in the end.
    deeds: Vec<Deeds>,
    /// On how many threads it was decided.
    threads: usize,
    /// How many units looked for the nearest enemy.
    pub lookups: u32,
    /// How many tests that took; 0 where nobody counts them.
    pub lookup_tests: u64,
    /// How many pairs were within [`Battle::pair_reach`].
    pub pairs: u64,
    /// Whether `digest` is wanted.
    pub compares: bool,
    /// Whether the hash after the step is wanted.
    pub hashes: bool,
    /// A sum over all pairs that does not depend on their order.
    pub(super) digest: u64,
}

/// A copy of a battle is a copy of its truth: what a step works with is made anew by the next one.
impl Clone for Decision {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// What thinking changes, as it will be once the step is committed.
#[derive(Debug, Default)]
pub(super) struct Decided {
    /// Empty where nobody charges: who does not look for an enemy remembers whom they remembered.
    pub(super) targets: Vec<UnitId>,
    /// As long as `targets`.
    look_delays: Vec<u8>,
    /// As long as `targets`: where nobody charges, where to go depends on nobody else, and is thought of on the way of who moves. A column
    /// that is written to be read again is memory that a large crowd waits for.
    velocities: Vec<Vec2>,
    squads: Vec<Squad>,
}

/// What everybody knows of both armies when a tick begins.
#[derive(Clone, Debug)]
struct Roll {
    /// The units alive of each side, by ascending id.
    units: [Vec<UnitId>; 2],
    /// The box around all units of each side.
    boxes: [Aabb; 2],
    /// The mean position of each side.
    centroids: [Vec2; 2],
    /// Whether the armies face each other along x rather than along y.
    along_x: bool,
    /// The box around the centres of each squad that marches.
    squad_boxes: Vec<Aabb>,
}

impl Default for Roll {
    fn default() -> Self {
        Self {
            units: [Vec::new(), Vec::new()],
            boxes: [Aabb::EMPTY; 2],
            centroids: [Vec2::ZERO; 2],
            along_x: true,
            squad_boxes: Vec::new(),
        }
    }
}

/// What came of the pairs of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    count: u64,
    digest: u64,
}

impl Met {
    #[inline]
    fn take(&mut self, batch: &[Pair], compares: bool) {
        self.count += batch.len() as u64;
        if compares {
            for &(a, b) in batch {
                let pair = u64::from(a) << 32 | u64::from(b);
                self.digest = self.digest.wrapping_add(chance::mix(pair));
            }
        }
    }
}

impl Battle {
    /// Decides what the next step will do, and changes nothing: the units look around and the pairs meet, both under `index`,
    /// which must be up to date. `query` hears what the index was asked. A `query` that unwinds leaves a decision that must
    /// not be committed.
    pub fn decide<Q: Fork>(
        &self,
        decision: &mut Decision,
        index: &AnyPartition,
        threads: usize,
        query: &mut Q,
        watch: &mut impl Stopwatch,
    ) {
        let threads = threads.clamp(1, THREAD_LIMIT);
        decision.threads = threads;
        let before = query.tested();
        decision.lookups = self.think(decision, index, threads, query);
        decision.lookup_tests = query.tested() - before;
        watch.lap(Phase::Think);
        let met = self.meet(decision, index, threads, query);
        (decision.pairs, decision.digest) = (met.count, met.digest);
        watch.lap(Phase::Pairs);
    }

    /// Lets happen what was decided at this very tick.
    pub fn commit(&mut self, decision: &mut Decision) -> StepSummary {
        let fingerprint = Fingerprint::new(self.tick + 1, self.positions.len());
        let (fallen, hash) = self.integrate(decision, fingerprint);
        self.tick += 1;
        self.revise();
        StepSummary {
            pairs: decision.pairs,
            lookups: decision.lookups,
            fallen,
            hash,
        }
    }

    /// Every unit chooses where to go; what it chose lies in `scratch`. Returns how many looked for an enemy.
    fn think<Q: Fork>(
        &self,
        scratch: &mut Decision,
        index: &AnyPartition,
        threads: usize,
        probe: &mut Q,
    ) -> u32 {
        self.call_the_roll(&mut scratch.roll);
        let decided = &mut scratch.decided;
        let count = self.positions.len();
        decided.squads.clone_from(&self.squads);
        self.turn_marchers_around(&mut decided.squads, &scratch.roll);
        let brawls = |squad: &Squad| squad.count > 0 && squad.template.order == Order::Brawl;
        let is_any_brawling = decided.squads.iter().any(brawls);
        let wanderers = if is_any_brawling { count } else { 0 };
        let courses = &mut scratch.courses;
        courses.begin((self.seed, &self.names), self.tick, wanderers);
        let charges = |squad: &Squad| squad.count > 0 && squad.charges();
        if !decided.squads.iter().any(charges) {
            decided.targets.clear();
            decided.look_delays.clear();
            decided.velocities.clear();
            return 0;
        }
        decided.targets.clone_from(&self.targets);
        decided.look_delays.clone_from(&self.look_delays);
        decided.velocities.resize(count, Vec2::ZERO);
        let mind = Mind {
            index,
            bodies: Bodies {
                centers: &self.positions,
                half_extents: &self.half_extents,
                alive: &self.alive,
            },
            sides: &self.sides,
            squad_ids: &self.squad_ids,
            velocities: &self.velocities,
            names: &self.names,
            roll: &scratch.roll,
            will: Will::new((self.seed, self.tick), self.field, &decided.squads),
        };
        let mut rows = Rows {
            first: 0,
            velocities: &mut decided.velocities,
            targets: &mut decided.targets,
            look_delays: &mut decided.look_delays,
            courses: &mut courses.rows,
        };
        if threads == 1 {
            return mind.decide(&mut rows, &mut scratch.neighbors, probe);
        }
        let length = share_length(count, shares_for(count, threads));
        let mut shares = Vec::with_capacity(count.div_ceil(length));
        while !rows.velocities.is_empty() {
            shares.push((rows.split_off(length), probe.fork(), 0));
        }
        each_in_turn(&mut shares, threads, |(rows, probe, lookups)| {
            *lookups = mind.decide(rows, &mut Vec::new(), probe);
        });
        let mut lookups = 0;
        for (_, share, count) in shares {
            probe.join(share);
            lookups += count;
        }
        lookups
    }

    /// Counts both armies and measures where they are, always in the order of the rows.
    fn call_the_roll(&self, roll: &mut Roll) {
        let bodies = self.bodies();
        roll.boxes = [Aabb::EMPTY; 2];
        roll.squad_boxes.clear();
        roll.squad_boxes.resize(self.squads.len(), Aabb::EMPTY);
        let mut sums = [[0.0_f64; 2]; 2];
        for units in &mut roll.units {
            units.clear();
        }
        // Who holds or wanders asks nobody where the armies are.
        let asks = |squad: &Squad| squad.count > 0 && (squad.marches() || squad.charges());
        if !self.squads.iter().any(asks) {
            return;
        }
        for unit in bodies.ids() {
            let row = unit as usize;
            let side = self.sides[row] as usize;
            let position = self.positions[row];
            roll.units[side].push(unit);
            roll.boxes[side] = roll.boxes[side].join(bodies.aabb(unit));
            sums[side][0] += f64::from(position.x);
            sums[side][1] += f64::from(position.y);
            let squad = self.squad_ids[row] as usize;
            if self.squads[squad].marches() {
                let area = &mut roll.squad_boxes[squad];
                *area = area.join(Aabb::new(position, position));
            }
        }
        for (side, sum) in sums.iter().enumerate() {
            let count = roll.units[side].len().max(1) as f64;
            roll.centroids[side] = Vec2::new((sum[0] / count) as f32, (sum[1] / count) as f32);
        }
        let apart = (roll.centroids[0] - roll.centroids[1]).abs();
        roll.along_x = apart.x >= apart.y;
    }

    /// A squad whose head has reached the border turns around, all of it at once, so that it stays in step.
    fn turn_marchers_around(&self, squads: &mut [Squad], roll: &Roll) {
        let middle = self.field.center();
        for (squad, area) in squads.iter_mut().zip(&roll.squad_boxes) {
            if area.is_empty() {
                continue;
            }
            // A squad that is beyond the border but mostly on the other half is on its way back in, or too large for
            // the field; turning it every tick would pin it.
            let leaves = |axis: usize| {
                let center = area.center()[axis];
                (squad.heading[axis] > 0.0
                    && area.max[axis] >= self.field.max[axis]
                    && center >= middle[axis])
                    || (squad.heading[axis] < 0.0
                        && area.min[axis] <= self.field.min[axis]
                        && center <= middle[axis])
            };
            if leaves(0) || leaves(1) {
                squad.heading = -squad.heading;
            }
        }
    }

    /// Finds all pairs and sums what they do to each other into `scratch`. Returns how many there are.
    fn meet<Q: Fork>(
        &self,
        scratch: &mut Decision,
        index: &AnyPartition,
        threads: usize,
        probe: &mut Q,
    ) -> Met {
        let reach = self.pair_reach();
        let bodies = self.bodies();
        let arm_of = |squad: &Squad| Arm::new(self.scaled_reach(squad), squad.side);
        scratch.arms.clear();
        scratch.arms.extend(self.squads.iter().map(arm_of));
        let alive: u32 = self.counts.iter().sum();
        let ground = Ground {
            engaged: scratch.engaged.clear(bodies.slot_count()),
            sums: scratch.sums.begin(bodies.slot_count()),
            positions: &self.positions,
            half_extents: &self.half_extents,
            squad_ids: &self.squad_ids,
            arms: &scratch.arms,
            spacing: Spacing::new(self.keep_apart),
            names: self.names.column(),
            seed: self.seed,
            tick: self.tick,
            // A crowd is about as dense as it was a step ago.
            are_pairs_far: are_pairs_far(scratch.pairs, alive as usize),
        };
        let compares = scratch.compares;
        let mut total = Met::default();
        if threads == 1 {
            index.pairs(bodies, reach, probe, |batch| {
                total.take(batch, compares);
                ground.clash::<false>(batch);
            });
            return total;
        }
        let count = shares_for(bodies.slot_count(), threads) as u32;
        let part_of = |index| Part { index, count };
        let mut shares: Vec<(Part, Q::Share, Met)> = (0..count)
            .map(|index| (part_of(index), probe.fork(), Met::default()))
            .collect();
        let turns = count as usize / (2 * threads);
        if turns >= LEAST_TURNS && index.shares_lie_apart(reach, count) {
            // First those with an even number, and then the others: no two that are searched at once have a unit in common, and no sum
            // has to be locked.
            shares.sort_by_key(|(part, ..)| part.index % 2);
            let (even, odd) = shares.split_at_mut(count.div_ceil(2) as usize);
            for shares in [even, odd] {
                each_in_turn(shares, threads, |(part, probe, met)| {
                    index.pairs_part(bodies, reach, *part, probe, |batch| {
                        met.take(batch, compares);
                        ground.clash::<false>(batch);
                    });
                });
            }
            shares.sort_by_key(|(part, ..)| part.index);
        } else {
            each_in_turn(&mut shares, threads, |(part, probe, met)| {
                index.pairs_part(bodies, reach, *part, probe, |batch| {
                    met.take(batch, compares);
                    ground.clash::<true>(batch);
                });
            });
        }
        for (_, share, met) in shares {
            probe.join(share);
            total.count += met.count;
            total.digest = total.digest.wrapping_add(met.digest);
        }
        total
    }

    /// Commits what was thought, strikes, then moves, then takes out who fell. Returns how many fell, and as much of the hash as was
    /// taken on the way.
    fn integrate(
        &mut self,
        scratch: &mut Decision,
        fingerprint: Fingerprint,
    ) -> (u32, Option<PartialHash>) {
        let decided = &mut scratch.decided;
        let is_thought_out = decided.targets.len() == self.targets.len();
        if is_thought_out {
            std::mem::swap(&mut self.targets, &mut decided.targets);
            std::mem::swap(&mut self.look_delays, &mut decided.look_delays);
            std::mem::swap(&mut self.velocities, &mut decided.velocities);
        }
        let threads = scratch.threads.max(1);
        let sums = scratch.sums.finish();
        // A fingerprint is one chain from name to name, and mostly waits for itself: where rows are in that order, the first share takes
        // it on its way for next to nothing: with few threads most of it is done then.
        let takes_on_the_way = scratch.hashes && self.names.column().is_empty();
        let shares = if takes_on_the_way {
            threads
        } else {
            shares_for(sums.len(), threads)
        };
        if scratch.deeds.len() < shares {
            scratch.deeds.resize_with(shares, Deeds::default);
        }
        let deeds = &mut scratch.deeds[..shares];
        self.changes.make_room(sums.len());
        let (seed, tick) = (self.seed, self.tick);
        // Every strike lands before anybody falls: two units may well kill each other in the same tick.
        let engaged = scratch.engaged.of_all();
        self.ranks(sums, engaged, &mut [])
            .on_each(threads, deeds, |ranks, deeds| {
                ranks.strike((seed, tick), &mut deeds.blows);
            });
        for (foe, damage) in deeds.iter_mut().flat_map(|deeds| deeds.blows.drain(..)) {
            let hit_points = &mut self.hit_points[foe as usize];
            *hit_points = hit_points.saturating_sub(damage);
        }
        deeds[0].fingerprint = takes_on_the_way.then_some(fingerprint);
        let will =
            (!is_thought_out).then_some(Will::new((seed, tick), self.field, &decided.squads));
        self.ranks(sums, engaged, &mut scratch.courses.rows)
            .on_each(threads, deeds, |ranks, deeds| {
                ranks.advance(deeds, will.as_ref());
            });
        std::mem::swap(&mut self.squads, &mut decided.squads);
        let length = share_length(sums.len(), shares);
        let rows = length.min(sums.len());
        let hash = deeds[0].fingerprint.take();
        let hash = match hash {
            Some(fingerprint) => Some(PartialHash { fingerprint, rows }),
            None => scratch.hashes.then_some(PartialHash {
                fingerprint,
                rows: 0,
            }),
        };
        // What has changed is told in the order of the rows.
        let counts = deeds.iter().map(|deeds| deeds.change_count);
        self.changes.tell(length, counts);
        let mut fallen = 0;
        for unit in deeds.iter().flat_map(|deeds| &deeds.fallen) {
            self.strike_off(*unit);
            fallen += 1;
        }
        (fallen, hash)
    }

    /// All rows.
    fn ranks<'a>(
        &'a mut self,
        sums: &'a mut [Sum],
        engaged: &'a mut [AtomicBool],
        courses: &'a mut [Course],
    ) -> Ranks<'a> {
        Ranks {
            first: 0,
            sums,
            engaged,
            courses,
            squad_ids: &self.squad_ids,
            give: Spacing::new(self.keep_apart).give(),
            names: &self.names,
            targets: &mut self.targets,
            look_delays: &mut self.look_delays,
            strike_delays: &mut self.strike_delays,
            hit_points: &mut self.hit_points,
            alive: &mut self.alive,
            velocities: &mut self.velocities,
            positions: &mut self.positions,
            changes: self.changes.room(),
        }
    }
}

impl Squad {
    fn charges(&self) -> bool {
        self.template.order == Order::Charge
    }

    fn marches(&self) -> bool {
        matches!(self.template.order, Order::March(_))
    }
}

/// Rows that follow each other, as columns: what one thread decides.
struct Rows<'a> {
    /// The first of the rows.
    first: usize,
    velocities: &'a mut [Vec2],
    /// Empty where nobody charges.
    targets: &'a mut [UnitId],
    /// As long as `targets`.
    look_delays: &'a mut [u8],
    /// Empty where nobody wanders.
    courses: &'a mut [Course],
}

impl Rows<'_> {
    /// Takes the first `length` rows, or all that there are.
    fn split_off(&mut self, length: usize) -> Self {
        let length = length.min(self.velocities.len());
        let first = self.first;
        self.first += length;
        Self {
            first,
            velocities: front_mut(&mut self.velocities, length),
            targets: front_mut(&mut self.targets, length),
            look_delays: front_mut(&mut self.look_delays, length),
            courses: front_mut(&mut self.courses, length),
        }
    }
}

/// What a unit may know when it decides: the state at the beginning of the tick, the same for all.
#[derive(Clone, Copy)]
struct Mind<'a> {
    index: &'a AnyPartition,
    bodies: Bodies<'a>,
    sides: &'a [Side],
    squad_ids: &'a [u32],
    velocities: &'a [Vec2],
    names: &'a Names,
    roll: &'a Roll,
    will: Will<'a>,
}

impl Mind<'_> {
    /// Turns every unit of `rows` towards where it wants to go. Returns how many looked for an enemy.
    fn decide<P: Probe>(
        &self,
        rows: &mut Rows<'_>,
        neighbors: &mut Vec<Neighbor>,
        probe: &mut P,
    ) -> u32 {
        let mut lookups = 0;
        let first = rows.first;
        let columns = self.velocities[first..].iter().zip(&mut *rows.velocities);
        let columns = columns.zip(&self.bodies.centers[first..]);
        let kinds = self.bodies.alive[first..].iter();
        let kinds = kinds.zip(&self.squad_ids[first..]);
        for (offset, (((before, velocity), &position), (is_alive, squad_id))) in
            columns.zip(kinds).enumerate()
        {
            *velocity = *before;
            if !is_alive {
                continue;
            }
            let squad = &self.will.squads[*squad_id as usize];
            let unit = (first + offset) as UnitId;
            let wanted = if squad.charges() {
                let target = &mut rows.targets[offset];
                let look_delay = &mut rows.look_delays[offset];
                if self.is_look_due(unit, squad, *target, look_delay) {
                    lookups += self.look(unit, squad, target, look_delay, neighbors, probe);
                }
                towards(position, self.goal(unit, squad, *target), squad.speed())
            } else {
                let course = rows.courses.get_mut(offset);
                self.will.of(squad, position, course)
            };
            *velocity = stopped(steered(*velocity, wanted), wanted);
        }
        lookups
    }

    /// Counts down to the next look, and says whether it is due.
    fn is_look_due(&self, unit: UnitId, squad: &Squad, target: UnitId, delay: &mut u8) -> bool {
        *delay = delay.saturating_sub(1);
        if target != NOBODY && !self.is_foe(unit, target) {
            // A whole file may have run at the one who fell. They go on to the place, and whoever is close looks first.
            let way = self.bodies.center(target) - self.bodies.center(unit);
            *delay = (*delay).min(look_delay(squad, way.length_squared().sqrt()));
        }
        *delay == 0
    }

    fn is_foe(&self, unit: UnitId, other: UnitId) -> bool {
        self.bodies.is_alive(other) && self.sides[other as usize] != self.sides[unit as usize]
    }

    /// Looks for the nearest enemy within sight and sets when to look again. Returns how many searches that took.
    fn look<P: Probe>(
        &self,
        unit: UnitId,
        squad: &Squad,
        target: &mut UnitId,
        delay: &mut u8,
        neighbors: &mut Vec<Neighbor>,
        probe: &mut P,
    ) -> u32 {
        let position = self.bodies.center(unit);
        let enemy = squad.side.enemy();
        let sight = squad.template.sight.min(COORDINATE_LIMIT);
        // A search that finds nobody visits every friend in sight, and while the armies close in that is most searches.
        // The box around the whole enemy rules those out.
        let gap_sq = self.roll.boxes[enemy as usize].distance_sq(position);
        let searches = gap_sq <= sight * sight;
        neighbors.clear();
        if searches {
            let query = NearestQuery {
                point: position,
                count: 1,
                within: sight,
            };
            let is_enemy = |other: UnitId| self.sides[other as usize] == enemy;
            self.index
                .nearest(self.bodies, query, is_enemy, probe, neighbors);
        }
        let mut free_distance = sight;
        if let Some(nearest) = neighbors.first() {
            *target = nearest.unit;
            free_distance = nearest.distance_sq.sqrt();
        } else if !self.is_foe(unit, *target) {
            let at_their_line = self.gap_to_line(position, squad) <= sight.max(AT_LINE);
            *target = if at_their_line {
                self.any_enemy(unit, enemy)
            } else {
                NOBODY
            };
        }
        *delay = if searches {
            look_delay(squad, free_distance)
        } else {
            // The question was nearly free: ask again before somebody comes into sight unseen.
            LOOK_TICKS
        };
        u32::from(searches)
    }

    /// An enemy by chance: whoever stands where the enemy's line should be and sees nobody goes after that one, so that
    /// no battle ends with both sides standing about.
    fn any_enemy(&self, unit: UnitId, enemy: Side) -> UnitId {
        let enemies = &self.roll.units[enemy as usize];
        let name = self.names.of(unit);
        let chance = chance::hash(self.will.seed, u64::from(name), self.will.tick);
        let place = (u128::from(chance) * enemies.len() as u128) >> 64;
        enemies.get(place as usize).copied().unwrap_or(NOBODY)
    }

    /// How far it is to the enemy's line, straight ahead.
    fn gap_to_line(&self, position: Vec2, squad: &Squad) -> f32 {
        let gap = (self.roll.centroids[squad.side.enemy() as usize] - position).abs();
        if self.roll.along_x { gap.x } else { gap.y }
    }

    /// Where a unit that charges wants to be.
    fn goal(&self, unit: UnitId, squad: &Squad, target: UnitId) -> Vec2 {
        let position = self.bodies.center(unit);
        if target != NOBODY {
            return self.bodies.center(target);
        }
        let enemy = squad.side.enemy() as usize;
        if self.roll.units[enemy].is_empty() {
            return position;
        }
        let centroid = self.roll.centroids[enemy];
        if self.gap_to_line(position, squad) <= squad.template.sight.max(AT_LINE) {
            centroid
        } else if self.roll.along_x {
            Vec2::new(centroid.x, position.y)
        } else {
            Vec2::new(position.x, centroid.y)
        }
    }
}

/// When to look again after the nearest enemy was so far away: once half of the way would be gone if both ran at each
/// other at this squad's speed. Until then nobody can have come much nearer.
fn look_delay(squad: &Squad, distance: f32) -> u8 {
    let half_way = distance / (squad.template.speed * STEP_SECONDS * 4.0);
    (half_way as u8).clamp(LOOK_TICKS, FAR_LOOK_TICKS)
}

/// The velocity that leads from `from` to `to` at this speed, without running past it in one step.
#[inline]
fn towards(from: Vec2, to: Vec2, speed: f32) -> Vec2 {
    let way = to - from;
    let length = way.length_squared().sqrt();
    if length > 0.0 {
        way * (speed / length).min(1.0 / STEP_SECONDS)
    } else {
        Vec2::ZERO
    }
}
