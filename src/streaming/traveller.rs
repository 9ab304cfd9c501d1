//! A character on its way along a path, one sixtieth of a second after the other.

use crate::geometry::Vec2;
use crate::scene::{Path, PathKind};
use crate::tick::STEP_SECONDS;
use std::sync::Arc;

/// A step that is longer than this, in metres, is a teleport (three kilometres a second): it says nothing about where the
/// character is going, so its velocity counts as zero where the path does not say another one.
pub const TELEPORT_METRES: f32 = 50.0;

/// So many points are walked to one after the other in a step, each from where the last one was reached. On a path that somebody
/// has drawn a step reaches one or two; whoever reaches more is on a path of points closer together than a step is long, and goes
/// the rest of it by the path's length, at once.
const POINTS_WALKED: usize = 64;

/// Goes along a [`Path`], round and round.
///
/// Invariant: a step looks at no more than sixty-four points, and bisects the path's lengths once, whatever the path and
/// however fast it is gone: a path shorter than what single precision can take off a step would otherwise be gone for ever.
///
/// Invariant: the velocity follows from the positions of two steps alone, or is what the path says. So a path that was
/// [`recorded`] step by step moves the character exactly as whoever it was recorded from was moved: along another path, by
/// keys or by a hand.
#[derive(Clone, Debug)]
pub struct Traveller {
    path: Arc<Path>,
    /// Of a path that is walked.
    lengths: Arc<[f64]>,
    /// In m/s.
    speed: f32,
    position: Vec2,
    velocity: Vec2,
    jumped: bool,
    /// The point that is next to be reached.
    next: usize,
    /// The steps at the place where it is, of a path of jumps.
    stayed: u64,
    arrived: bool,
}

impl Traveller {
    /// A character at the first point of `path`, who walks at `speed` m/s where the path is to be walked.
    pub fn new(path: impl Into<Arc<Path>>, speed: f32) -> Self {
        let path = path.into();
        Self {
            position: path.points.first().copied().unwrap_or_default(),
            speed,
            velocity: Vec2::ZERO,
            jumped: false,
            next: 1,
            stayed: 0,
            arrived: path.points.len() < 2 && !matches!(path.kind, PathKind::Jump(_)),
            lengths: match path.kind {
                PathKind::Walk => lengths(&path.points),
                PathKind::Jump(_) | PathKind::Recorded => Arc::default(),
            },
            path,
        }
    }

    /// Goes on, from where it is, along a path that is this one by now: points of it came, went or were moved. It goes to the point that
    /// it was on its way to, or to what stands in its place.
    ///
    /// Where the path was recorded, and has corners now, or the other way around, it goes on from the same part of the way.
    pub(super) fn go_on_along(&mut self, path: Arc<Path>) {
        self.next = match (self.path.kind, path.kind) {
            (PathKind::Recorded, PathKind::Walk) => self.next_corner(&path.points),
            (PathKind::Walk, PathKind::Recorded) => self.next_recorded(&path.points),
            _ => self.next_of_edited(&path.points),
        };
        let begun = Self::new(path, self.speed);
        self.arrived = begun.arrived;
        self.lengths = begun.lengths;
        self.path = begun.path;
    }

    /// The first of the corners of this recording that lies ahead.
    fn next_corner(&self, corners: &[Vec2]) -> usize {
        let places = places_in(&self.path.points, corners);
        places.partition_point(|place| *place < self.next).max(1)
    }

    /// The nearest point of the recording of which this path has the corners, between the corners around it.
    fn next_recorded(&self, points: &[Vec2]) -> usize {
        let places = places_in(points, &self.path.points);
        let last = self.next.checked_sub(1).and_then(|it| places.get(it));
        let (Some(from), Some(until)) = (last, places.get(self.next)) else {
            // On the way from the last point to the first one.
            return points.len().max(1);
        };
        let distance = |place: &usize| points[*place].distance_squared(self.position);
        let nearest = (*from..=*until).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(1, |place| place.max(1))
    }

    /// The point to which it was on its way, or what stands in its place, among points of which some came, went or were moved.
    fn next_of_edited(&self, after: &[Vec2]) -> usize {
        let before = &self.path.points;
        let same = |count: usize, back: bool| {
            let alike = |at: &usize| match back {
                false => before[*at] == after[*at],
                true => before[before.len() - 1 - at] == after[after.len() - 1 - at],
            };
            (0..count).take_while(alike).count()
        };
        let shorter = before.len().min(after.len());
        let head = same(shorter, false);
        let tail = same(shorter - head, true);
        let goal = self.next.checked_rem(before.len()).unwrap_or(0);
        let goal = if goal < head {
            goal
        } else if goal + tail >= before.len() {
            goal + after.len() - before.len()
        } else {
            head
        };
        // The first point is the one after the last.
        match goal.checked_rem(after.len()) {
            Some(0) | None => after.len().max(1),
            Some(goal) => goal,
        }
    }

    /// Where it is, in metres.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// Changes how fast it walks, in m/s.
    pub fn set_speed(&mut self, speed: f32) {
        self.speed = speed;
    }

    /// How it moved in the last step, in m/s; zero after a teleport. A recorded path may say otherwise: then it is what whoever
    /// was recorded had for a velocity there.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// Whether the last step was a teleport.
    pub fn has_jumped(&self) -> bool {
        self.jumped
    }

    /// Whether the path has been gone from its beginning to its end at least once.
    pub fn has_arrived(&self) -> bool {
        self.arrived
    }

    /// Goes on for [`STEP_SECONDS`].
    pub fn step(&mut self) {
        let before = self.position;
        let mut told = None;
        match self.path.kind {
            PathKind::Walk => self.walk(self.speed * STEP_SECONDS as f32),
            PathKind::Jump(stay) => {
                self.stayed += 1;
                if self.stayed as f64 * STEP_SECONDS >= f64::from(stay) {
                    self.stayed = 0;
                    self.arrived |= self.next >= self.path.points.len();
                    self.take_next();
                }
            }
            PathKind::Recorded => {
                // There is none for the first point: the way back there was never gone.
                told = self.path.velocities.get(self.next - 1).copied();
                self.take_next();
                self.arrived |= self.next >= self.path.points.len();
            }
        }
        let (velocity, jumped) = moved(before, self.position);
        self.velocity = told.unwrap_or(velocity);
        self.jumped = jumped;
    }

    /// The point that is next, the first one again after the last.
    fn goal(&self) -> Option<Vec2> {
        let place = self.next.checked_rem(self.path.points.len())?;
        self.path.points.get(place).copied()
    }

    fn take_next(&mut self) {
        if let Some(goal) = self.goal() {
            self.position = goal;
            self.pass_on();
        }
    }

    /// Makes the point after the next one the next one.
    fn pass_on(&mut self) {
        self.next = self.next % self.path.points.len().max(1) + 1;
    }

    /// Goes this far, from point to point.
    fn walk(&mut self, mut metres: f32) {
        let mut left = f64::from(metres);
        for _ in 0..POINTS_WALKED {
            if metres <= 0.0 {
                return;
            }
            let Some(goal) = self.goal() else { return };
            let way = goal - self.position;
            let length = way.length();
            if length > metres {
                self.position += way / length * metres;
                return;
            }
            self.position = goal;
            self.pass_on();
            self.arrived |= self.next >= self.path.points.len();
            metres -= length;
            left -= f64::from(length);
        }
        self.leap(left);
    }

    /// Goes this far from the point that was reached last, by the lengths of the path.
    fn leap(&mut self, metres: f64) {
        let count = self.path.points.len();
        let (Some(&around), Some(here)) = (self.lengths.last(), self.next.checked_sub(1)) else {
            return;
        };
        let begin = self.lengths[here];
        let end = begin + metres;
        // Points on one spot take no way: there is nowhere to go.
        self.arrived |= around == 0.0 || end >= self.lengths[count - 1];
        let along = end % around;
        if !along.is_finite() || metres <= 0.0 {
            return;
        }
        let passed = self.lengths.partition_point(|length| *length <= along);
        let from = passed.saturating_sub(1).min(count - 1);
        let [left, right] = [from, (from + 1) % count].map(|place| self.path.points[place]);
        let share = (along - self.lengths[from]) / (self.lengths[from + 1] - self.lengths[from]);
        self.position = (left.as_dvec2().lerp(right.as_dvec2(), share)).as_vec2();
        self.next = from + 1;
    }
}

/// Where among the points of a recording its corners are, each behind the one before it.
fn places_in(points: &[Vec2], corners: &[Vec2]) -> Vec<usize> {
    let mut from = 0;
    let places = corners.iter().map(|corner| {
        let rest = points.get(from..).unwrap_or_default();
        from += rest.iter().position(|it| it == corner).unwrap_or(0);
        from
    });
    places.collect()
}

/// How somebody moves who was at `before` a step ago and is at `now`, in m/s, and whether that is a teleport.
fn moved(before: Vec2, now: Vec2) -> (Vec2, bool) {
    let way = now - before;
    if way.length() > TELEPORT_METRES {
        (Vec2::ZERO, true)
    } else {
        (way / STEP_SECONDS as f32, false)
    }
}

/// The path of this name that moves a character once more as it was moved: `steps` are where it was, in metres, and its velocity
/// there, in m/s, each [`STEP_SECONDS`] after the one before. The first velocity is of no account.
///
/// The path has velocities only where they do not follow from the positions.
pub fn recorded(name: String, steps: &[(Vec2, Vec2)]) -> Path {
    let follow = steps
        .windows(2)
        .all(|two| moved(two[0].0, two[1].0).0 == two[1].1);
    Path {
        name,
        kind: PathKind::Recorded,
        points: steps.iter().map(|(position, _)| *position).collect(),
        velocities: if follow {
            Vec::new()
        } else {
            steps
                .iter()
                .skip(1)
                .map(|(_, velocity)| *velocity)
                .collect()
        },
    }
}

/// So many points of a recording are enough to see where it goes: more than half a minute of it has each of its ticks, and the longest
/// there may be has one in about a second.
const SKETCHED: usize = 2_560;

/// A few of the steps of a recording, in their order, the first and the last among them: what is drawn of it while it is made and later
/// on. However long it becomes, those that are left out change no more than a few times, so that its line does not tremble. Costs as much
/// as it gives.
pub fn sketch<S: Copy>(steps: &[S]) -> impl Iterator<Item = S> + '_ {
    let apart = steps.len().div_ceil(SKETCHED).next_power_of_two();
    let (last, others) = match steps.split_last() {
        Some((last, others)) => (Some(*last), others),
        None => (None, steps),
    };
    others.iter().step_by(apart).copied().chain(last)
}

/// The way from the first point to each, in metres, and last the way once around.
fn lengths(points: &[Vec2]) -> Arc<[f64]> {
    let mut way = 0.0;
    let next = points.iter().cycle().skip(1);
    let sums = points.iter().zip(next).map(|(from, to)| {
        way += from.as_dvec2().distance(to.as_dvec2());
        way
    });
    [0.0].into_iter().chain(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::limits;

    fn path(kind: PathKind, points: &[(f32, f32)]) -> Path {
        Path {
            name: "a".to_owned(),
            kind,
            points: points.iter().map(|point| Vec2::from(*point)).collect(),
            velocities: Vec::new(),
        }
    }

    /// Where each step up to the arrival leads.
    fn steps(path: &Path, speed: f32) -> Vec<(Vec2, Vec2)> {
        let mut traveller = Traveller::new(path.clone(), speed);
        let mut steps = Vec::new();
        while !traveller.has_arrived() && steps.len() < 10_000 {
            traveller.step();
            steps.push((traveller.position(), traveller.velocity()));
        }
        steps
    }

    #[test]
    fn a_sketch_is_short_however_long_the_recording_and_has_its_two_ends() {
        assert_eq!(sketch::<u32>(&[]).count(), 0);
        for length in [1, 2, SKETCHED, SKETCHED + 1, 9_999, limits::MAX_PATH_POINTS] {
            let steps: Vec<usize> = (0..length).collect();
            let drawn: Vec<usize> = sketch(&steps).collect();
            assert!(drawn.len() <= SKETCHED + 1, "{} of {length}", drawn.len());
            assert!(drawn.len() == length || drawn.len() > SKETCHED / 3);
            assert_eq!((drawn[0], drawn[drawn.len() - 1]), (0, length - 1));
            assert!(drawn.is_sorted_by(|one, next| one < next));
        }
    }

    #[test]
    fn walking_takes_the_time_that_the_way_takes() {
        let path = path(PathKind::Walk, &[(0.0, 0.0), (60.0, 0.0), (60.0, 30.0)]);
        let steps = steps(&path, 30.0);
        assert!((180..=181).contains(&steps.len()), "{}", steps.len());
        assert!((steps[30].1 - Vec2::new(30.0, 0.0)).length() < 0.01);
        assert_eq!(steps.last().map(|step| step.0), Some(Vec2::new(60.0, 30.0)));
    }

    #[test]
    fn jumps_stay_and_have_no_velocity() {
        let path = path(PathKind::Jump(0.5), &[(0.0, 0.0), (900.0, 0.0)]);
        let steps = steps(&path, 30.0);
        assert_eq!(steps.len(), 60);
        assert_eq!(steps[28].0, Vec2::ZERO);
        assert_eq!(steps[29].0, Vec2::new(900.0, 0.0));
        assert!(steps.iter().all(|step| step.1 == Vec2::ZERO));
    }

    #[test]
    fn a_recording_moves_as_what_it_was_recorded_from() {
        for original in [
            path(PathKind::Walk, &[(1.0, 2.0), (30.0, -7.0), (31.0, -7.0)]),
            path(PathKind::Jump(0.1), &[(0.0, 0.0), (900.0, 0.0), (0.0, 0.5)]),
        ] {
            let first = steps(&original, 17.0);
            let begin = (original.points[0], Vec2::ZERO);
            let all: Vec<(Vec2, Vec2)> = std::iter::once(begin).chain(first.clone()).collect();
            let recording = recorded(original.name, &all);
            assert_eq!(recording.kind, PathKind::Recorded);
            assert!(recording.velocities.is_empty(), "they follow");
            assert_eq!(steps(&recording, 17.0), first);
        }
    }

    #[test]
    fn a_recording_has_velocities_where_one_of_them_does_not_follow() {
        let at = |x: f32| Vec2::new(x, 0.0);
        // A hand that takes it a metre further, holds still, takes it ninety metres further and lets it go.
        let all = [
            (at(0.0), at(7.0)),
            (at(1.0), at(17.6)),
            (at(1.0), at(14.08)),
            (at(91.0), at(1_091.264)),
            (at(91.0), at(0.0)),
        ];
        let path = recorded("by hand".to_owned(), &all);
        assert_eq!(path.points, all.map(|step| step.0));
        assert_eq!(path.velocities, [17.6, 14.08, 1_091.264, 0.0].map(at));
        assert_eq!(steps(&path, 6.0), all[1..]);
        let mut traveller = Traveller::new(path, 6.0);
        let mut jumps = Vec::new();
        for round in 0..2 {
            for step in &all[1..] {
                traveller.step();
                jumps.push(traveller.has_jumped());
                assert_eq!(
                    (traveller.position(), traveller.velocity()),
                    *step,
                    "{round}"
                );
            }
            // Back at the first point nobody says how it came there.
            traveller.step();
            assert!(traveller.has_jumped());
            assert_eq!(
                (traveller.position(), traveller.velocity()),
                (at(0.0), at(0.0))
            );
        }
        assert_eq!(jumps, [false, false, true, false].repeat(2));
        // Who stands has nothing to say, and neither has who was nowhere.
        assert!(recorded("a".to_owned(), &all[..1]).velocities.is_empty());
        assert!(recorded("a".to_owned(), &[]).points.is_empty());
    }

    /// Where exact arithmetic has it after so many metres.
    fn after(path: &Path, metres: f64) -> Vec2 {
        let lengths = lengths(&path.points);
        let count = path.points.len();
        let along = metres % lengths[count];
        let from = (0..count).rfind(|&place| lengths[place] <= along).unwrap();
        let share = (along - lengths[from]) / (lengths[from + 1] - lengths[from]);
        let [left, right] = [from, (from + 1) % count].map(|place| path.points[place]);
        left.as_dvec2().lerp(right.as_dvec2(), share).as_vec2()
    }

    #[test]
    fn a_path_shorter_than_single_precision_can_tell_is_gone_all_the_same() {
        for end in [1.0e-11, 1.0e-20, 1.0e-45] {
            let path = path(PathKind::Walk, &[(0.0, 0.0), (end, 0.0)]);
            for speed in [0.001, 6.0, 100_000.0, f32::INFINITY] {
                let mut traveller = Traveller::new(path.clone(), speed);
                for _ in 0..1_000 {
                    traveller.step();
                    let position = traveller.position();
                    assert!((0.0..=end).contains(&position.x) && position.y == 0.0);
                }
                assert!(traveller.has_arrived());
            }
        }
    }

    #[test]
    fn a_fast_walk_over_close_points_is_where_it_should_be_and_soon() {
        let points: Vec<(f32, f32)> = (0..100_000)
            .map(|place| {
                let angle = place as f32 / 100_000.0 * std::f32::consts::TAU;
                (16.0 * angle.cos(), 16.0 * angle.sin())
            })
            .collect();
        let path = path(PathKind::Walk, &points);
        let begun = std::time::Instant::now();
        let mut traveller = Traveller::new(path.clone(), 100_000.0);
        let step = f64::from(100_000.0_f32 * STEP_SECONDS as f32);
        for count in 1..=6_000 {
            traveller.step();
            assert!((traveller.position().length() - 16.0).abs() < 0.001);
            assert!(traveller.has_arrived());
            if count % 1_000 == 0 {
                let where_it_should_be = after(&path, step * f64::from(count));
                let distance = traveller.position().distance(where_it_should_be);
                assert!(distance < 0.1, "{distance} m after {count}");
            }
        }
        // Sixteen times around, 100,000 points each, took more than ten seconds for as many steps.
        assert!(begun.elapsed().as_secs_f64() < 2.0, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_leap_arrives_only_where_the_path_ends() {
        let points: Vec<(f32, f32)> = (0..1_000).map(|x| (x as f32 * 0.001, 0.0)).collect();
        let path = path(PathKind::Walk, &points);
        let steps = steps(&path, 30.0);
        // Half a metre a step: one metre takes two, and the beginning is passed again with the fourth.
        assert_eq!(steps.len(), 2);
        assert!((steps[0].0.x - 0.5).abs() < 1.0e-4);
        let mut traveller = Traveller::new(path, 30.0);
        for place in [0.5, 0.998, 0.498, 0.002, 0.502] {
            traveller.step();
            let x = traveller.position().x;
            assert!((x - place).abs() < 1.0e-3, "{x} instead of {place}");
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_ends() {
        let mut traveller = Traveller::new(path(PathKind::Walk, &[(3.0, 3.0); 4]), 5.0);
        traveller.step();
        assert_eq!(traveller.position(), Vec2::splat(3.0));
        assert!(traveller.has_arrived());
        let mut crowd = Traveller::new(path(PathKind::Walk, &[(3.0, 3.0); 4_000]), 5.0);
        crowd.step();
        assert!(crowd.has_arrived() && crowd.position() == Vec2::splat(3.0));
        for kind in [PathKind::Walk, PathKind::Recorded] {
            assert!(Traveller::new(path(kind, &[(3.0, 3.0)]), 5.0).has_arrived());
        }
    }
}
