//! A character on its way along a path, one sixtieth of a second after the other.

use crate::geometry::Vec2;
use crate::scene::{Path, PathKind};
use crate::tick::STEP_SECONDS;
use std::sync::Arc;

/// A step that is longer than this, in metres, is a teleport (three kilometres a second): it says nothing about where the
/// character is going, so its velocity counts as zero.
pub const TELEPORT_METRES: f32 = 50.0;

/// Goes along a [`Path`], round and round.
///
/// Invariant: the velocity follows from the positions of two steps alone, so a path that was recorded step by step and goes as
/// [`PathKind::Recorded`] moves the character exactly as the path that it was recorded from.
#[derive(Clone, Debug)]
pub struct Traveller {
    path: Arc<Path>,
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
            path,
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

    /// How it moved in the last step, in m/s; zero after a teleport.
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
                self.take_next();
                self.arrived |= self.next >= self.path.points.len();
            }
        }
        let way = self.position - before;
        self.jumped = way.length() > TELEPORT_METRES;
        self.velocity = if self.jumped {
            Vec2::ZERO
        } else {
            way / STEP_SECONDS as f32
        };
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
        // Points on one spot take no way: once around without moving is enough.
        let mut standing = 0;
        while metres > 0.0
            && standing < self.path.points.len()
            && let Some(goal) = self.goal()
        {
            let way = goal - self.position;
            let length = way.length();
            if length > metres {
                self.position += way / length * metres;
                break;
            }
            self.position = goal;
            self.pass_on();
            self.arrived |= self.next >= self.path.points.len();
            metres -= length;
            standing = if length > 0.0 { 0 } else { standing + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(kind: PathKind, points: &[(f32, f32)]) -> Path {
        Path {
            name: "a".to_owned(),
            kind,
            points: points.iter().map(|point| Vec2::from(*point)).collect(),
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
            let recording = Path {
                kind: PathKind::Recorded,
                points: std::iter::once(original.points[0])
                    .chain(first.iter().map(|step| step.0))
                    .collect(),
                ..original
            };
            assert_eq!(steps(&recording, 17.0), first);
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_ends() {
        let mut traveller = Traveller::new(path(PathKind::Walk, &[(3.0, 3.0); 4]), 5.0);
        traveller.step();
        assert_eq!(traveller.position(), Vec2::splat(3.0));
        assert!(traveller.has_arrived());
        for kind in [PathKind::Walk, PathKind::Recorded] {
            assert!(Traveller::new(path(kind, &[(3.0, 3.0)]), 5.0).has_arrived());
        }
    }
}
